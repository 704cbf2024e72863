import { printFormula } from '../../analysis/formula.ts'
import { type Box, type Statement, statementsOf } from '../../analysis/statements.ts'
import { compareText, type Related } from '../../diagnostic.ts'
import { covers, type Glob } from '../../glob.ts'
import type { Policy } from '../../policy.ts'
import type { RuleContext } from '../rule.ts'
import {
  type Cover,
  coveredBy,
  isAboutEverything,
  isIncluded,
  isSettled,
  statementsOfVariant,
  type WholeSet,
  wholeSet,
} from './whole-set.ts'

/** What one policy is worth beside the others. A policy has at most one verdict, the strongest. */
export type Verdict =
  /** It can never grant or deny. */
  | { readonly kind: 'dead'; readonly why: 'condition' | 'sets' | 'said elsewhere' }
  /** Another says exactly the same. */
  | { readonly kind: 'equivalent'; readonly by: readonly Policy[] }
  /** All it allows is denied. */
  | { readonly kind: 'overridden'; readonly by: readonly Policy[]; readonly onPurpose: boolean }
  /** Others grant, or deny, all it does. */
  | { readonly kind: 'redundant' | 'shadowed'; readonly by: readonly Policy[] }

const judged = new WeakMap<RuleContext, ReadonlyMap<Policy, Verdict>>()

/**
 * The verdicts of a world. All policies that have one can be removed at once and nothing changes: each is held against
 * those that are left.
 */
export function verdicts(context: RuleContext): ReadonlyMap<Policy, Verdict> {
  const known = judged.get(context) ?? judge(context)
  judged.set(context, known)
  return known
}

/** Whether a policy is ours to judge: understood, not kept by the service, and not over. */
export function isJudged(policy: Policy, { now }: RuleContext): boolean {
  return isSettled(policy) && !policy.readOnly && !(policy.expiresAt && policy.expiresAt.value < now)
}

function judge(context: RuleContext): ReadonlyMap<Policy, Verdict> {
  const out = new Map<Policy, Verdict>()
  const set = wholeSet(context)
  if (!set) return out
  const subjects = context.world.policies.filter((policy) => isJudged(policy, context))
  const firsts = new Map<string, Policy>()
  for (const policy of subjects) {
    const own = set.own.get(policy)
    if (!own) continue
    if (own.allows.length + own.denies.length === 0) {
      const why = deathOf(policy, context)
      if (why) out.set(policy, { kind: 'dead', why })
      continue
    }
    const key = JSON.stringify([...own.allows, ...own.denies].map(canonical).sort(compareText))
    const first = firsts.get(key)
    if (first) out.set(policy, { kind: 'equivalent', by: [first] })
    else firsts.set(key, policy)
  }
  for (const policy of subjects.toReversed()) {
    if (out.has(policy)) continue
    const verdict = weigh(policy, set, (other) => other.policy === policy || out.has(other.policy))
    if (verdict) out.set(policy, verdict)
  }
  return out
}

function weigh(policy: Policy, set: WholeSet, skip: (statement: Statement) => boolean): Verdict | undefined {
  const own = set.own.get(policy)
  if (!own) return undefined
  const granted: Cover = { by: set.allows, denies: set.denies, skip }
  const denied: Cover = { by: set.bans, skip }
  if (own.denies.length === 0) {
    const over = own.allows.length > 0 ? coveredBy(own.allows, denied, set) : undefined
    if (over) return { kind: 'overridden', by: over, onPurpose: over.some((by) => set.own.get(by)?.denies.some(isAboutEverything)) }
    const by = own.allows.length > 0 ? coveredBy(own.allows, granted, set) : undefined
    if (!by) return undefined
    const [only] = by
    return by.length === 1 && only && isSame(own.allows, only, set) ? { kind: 'equivalent', by } : { kind: 'redundant', by }
  }
  const shadow = coveredBy(own.bans, denied, set)
  if (!shadow || own.allows.length === 0) return shadow && { kind: 'shadowed', by: shadow }
  const by = coveredBy(own.allows, granted, set)
  return by && { kind: 'redundant', by: [...new Set([...by, ...shadow])] }
}

/** Whether what covers a policy is covered by it in turn. */
function isSame(allows: readonly Statement[], other: Policy, set: WholeSet): boolean {
  const theirs = set.own.get(other)
  return theirs !== undefined && theirs.denies.length === 0 && isIncluded(theirs.allows, allows, [], set)
}

/** Why nothing of a policy can ever apply; undefined when it is not certain, or not in the policy itself. */
function deathOf(policy: Policy, context: RuleContext): (Verdict & { readonly kind: 'dead' })['why'] | undefined {
  const { permissions, permissionsGroups, identities, resources } = policy
  if (permissions.allow.length + permissions.deny.length + permissionsGroups.length === 0) return 'said elsewhere'
  if (identities.length === 0 || resources.length === 0) return 'said elsewhere'
  const { condition: _, ...free } = policy
  const alive = (variant: Policy) => statementsOfVariant(variant, context)
  const now = alive(policy)
  // A statement of unpublished meaning may be left out of the whole set and still apply.
  if (!now || now.length > 0) return undefined
  const without = alive(free)
  if (!without) return undefined
  if (without.length > 0) {
    const { expiresAt: __, ...lasting } = policy
    const forever = alive(lasting)
    if (!forever) return undefined
    // Both are findings of their own: a condition that no request meets, and an expiry before it can.
    return forever.length > 0 || isImpossible(policy, context) !== false ? 'said elsewhere' : 'condition'
  }
  // Resource groups without members are a finding of their own.
  if (boxless(free, context)) return 'said elsewhere'
  return permissionsGroups.length > 0 ? 'sets' : 'said elsewhere'
}

/** Whether the resources of a policy come to nothing: groups without members. */
function boxless(policy: Policy, { world }: RuleContext): boolean {
  return (
    statementsOf({ ...world, policies: [{ ...policy, permissionsGroups: [], permissions: anything(policy).permissions }] }).length === 0
  )
}

/** Whether no request on any resource meets a policy's condition; undefined when it is not decided. */
export function isImpossible(policy: Policy, context: RuleContext): boolean | undefined {
  const statements = statementsOfVariant(anything(policy), context)
  return statements && statements.length === 0
}

/** A policy with the same condition that allows everything on everything, and never ends. */
export function anything(policy: Policy): Policy {
  const { expiresAt: _, ...rest } = policy
  const { span } = policy.name
  const star: Glob = { text: '*', pieces: ['', ''] }
  const text = 'urn:v1:eu:resource:*'
  return {
    ...rest,
    identities: [
      {
        value: { text: 'urn:v1:eu:identity:user:x/x', region: 'eu', kind: 'user', account: 'x', name: 'x', glob: { text, pieces: [text] } },
        span,
      },
    ],
    resources: [
      { value: { kind: 'resource', text, region: 'eu', type: '*', name: '', glob: { text, pieces: [text.slice(0, -1), ''] } }, span },
    ],
    permissions: { allow: [{ value: star, span }], except: [], deny: [] },
    permissionsGroups: [],
  }
}

/** Lists longer than this are compared as they are written. */
const mostReduced = 64

/** A statement as a text that is the same for statements that say the same in other words: what is covered is left out. */
function canonical({ effect, identities, boxes, actions, exclusions, formula }: Statement): string {
  const patterns = (list: readonly Glob[]) => reduced(list, covers, ({ pieces }) => pieces.join('*'))
  const coversBox = (a: Box, b: Box) => covers(a.region, b.region) && covers(a.type, b.type) && covers(a.name, b.name)
  return JSON.stringify([
    effect,
    patterns(identities.map(({ value }) => value.glob)),
    reduced(boxes, coversBox, ({ region, type, name }) => `${region.text}:${type.text}:${name.text}`),
    patterns(actions.map(({ value }) => value)),
    (['action', 'type', 'name'] as const).map((dimension) =>
      patterns(exclusions.filter((exclusion) => exclusion.dimension === dimension).map(({ pattern }) => pattern)),
    ),
    printFormula(formula),
  ])
}

function reduced<T>(items: readonly T[], covers: (a: T, b: T) => boolean, print: (item: T) => string): readonly string[] {
  const distinct = [...new Map(items.map((item) => [print(item), item])).values()]
  const kept =
    distinct.length > mostReduced
      ? distinct
      : distinct.filter((item, i) => !distinct.some((other, j) => j !== i && covers(other, item) && (j < i || !covers(item, other))))
  return kept.map(print).sort(compareText)
}

/** Policies as related places. */
export function cite(policies: readonly Policy[], message: (policy: Policy) => string, most = 6): readonly Related[] {
  return policies.slice(0, most).map((policy) => ({ message: message(policy), span: policy.name.span }))
}
