import { compareText, type Related } from '../../diagnostic.ts'
import { covers, type Glob, isPattern } from '../../glob.ts'
import type { Policy } from '../../policy.ts'
import { type Box, boxText, coversBox } from '../../symbolic/boxes.ts'
import { printFormula } from '../../symbolic/formula.ts'
import { type Statement, statementsOf } from '../../symbolic/statements.ts'
import type { RuleContext } from '../rule.ts'
import { coveredBy, isAboutEverything, isSettled, type Own, statementsOfVariant, type WholeSet, wholeSet } from './whole-set.ts'

/** The contribution of one policy next to the others. A policy has at most one verdict, the strongest. */
export type Verdict =
  /** It can never grant or deny. */
  | { readonly kind: 'dead'; readonly why: 'sets' | 'said elsewhere' }
  /** Another says exactly the same. */
  | { readonly kind: 'equivalent'; readonly by: readonly Policy[] }
  /** All it allows is denied. */
  | { readonly kind: 'overridden'; readonly by: readonly Policy[]; readonly onPurpose: boolean }
  /** Others grant, or deny, all it does. */
  | { readonly kind: 'redundant' | 'shadowed'; readonly by: readonly Policy[] }

type Verdicts = ReadonlyMap<Policy, Verdict>

/**
 * The verdicts of a world. All policies that have one can be removed together and nothing changes: each is compared with the
 * remaining ones.
 */
export function verdicts(context: RuleContext): Verdicts {
  return context.once(withCovered)
}

/** Those of them that are found without holding all policies against each other: all but `redundant` and `shadowed`. */
export function plainVerdicts(context: RuleContext): Verdicts {
  return context.once(judge)
}

/** Whether a policy is ours to judge: understood, not kept by the service, and not over. */
export function isJudged(policy: Policy, context: RuleContext): boolean {
  return isSettled(policy, context) && !policy.readOnly && !(policy.expiresAt && context.clock.isAfter(policy.expiresAt.value))
}

function judge(context: RuleContext): Verdicts {
  const out = new Map<Policy, Verdict>()
  const { policies } = context.world
  const questionable = questionableIn(context)
  // With nothing to compare and nothing that denies, no policy has to be taken apart.
  if (questionable.size === 0 && !policies.some((policy) => !context.summaryOf(policy) && mayDeny(policy))) return out
  const set = wholeSet(context)
  if (!set) return out
  const firsts = new Map<string, Policy>()
  for (const policy of policies) {
    if (!questionable.has(policy)) {
      if (set.own.has(policy) && isJudged(policy, context)) firsts.set(`${firsts.size}`, policy)
      continue
    }
    const ownStatements = set.own.get(policy)
    if (!ownStatements || !isJudged(policy, context)) continue
    if (ownStatements.allows.length + ownStatements.denies.length === 0) {
      const why = deathOf(policy, context)
      if (why) out.set(policy, { kind: 'dead', why })
      continue
    }
    const key = JSON.stringify([...ownStatements.allows, ...ownStatements.denies].map(canonical).sort(compareText))
    const first = firsts.get(key)
    if (first) out.set(policy, { kind: 'equivalent', by: [first] })
    else firsts.set(key, policy)
  }
  if (set.denies.statements.length === 0) return out
  for (const policy of firsts.values()) {
    const ownStatements = set.own.get(policy) as Own
    if (ownStatements.denies.length > 0) continue
    const by = coveredBy(ownStatements.allows, { by: set.denies, skip: ({ policy: other }) => out.get(other)?.kind === 'equivalent' }, set)
    if (by) out.set(policy, { kind: 'overridden', by, onPurpose: by.some((other) => set.own.get(other)?.denies.some(isAboutEverything)) })
  }
  return out
}

/**
 * The policies that may be dead or the equal of another: all but those that allow something without any condition, and
 * whose identities no other policy can have in other words.
 */
function questionableIn({ world: { policies }, keep, summaryOf }: RuleContext): ReadonlySet<Policy> {
  const counts = new Map<string, number>()
  const keys = policies.map((policy) => summaryOf(policy)?.firstIdentity ?? keep(identityKey, policy))
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return new Set(policies.filter((policy, i) => !(summaryOf(policy) || isAlive(policy)) || counts.get(keys[i] as string) !== 1))
}

/** The same for policies with equal identities: the first in order, as nothing but itself covers it; '' where there are patterns. */
function identityKey({ identities }: Policy): string {
  let first: string | undefined
  for (const { value } of identities) {
    if (isPattern(value.glob)) return ''
    if (first === undefined || value.text < first) first = value.text
  }
  return first ?? ''
}

/** A quick check that a policy grants something: it has no part that could prevent it. */
function isAlive({ condition, expiresAt, permissionsGroups, permissions, identities, resources }: Policy): boolean {
  return (
    !condition &&
    !expiresAt &&
    permissionsGroups.length === 0 &&
    permissions.allow.length > 0 &&
    permissions.except.length === 0 &&
    identities.length > 0 &&
    resources.length > 0 &&
    resources.every(({ value }) => value.kind === 'resource')
  )
}

/** Whether a policy denies something, or names a set that may: one that is not known may be anything. */
export function mayDeny({ permissions, permissionsGroups }: Policy): boolean {
  return permissions.deny.length > 0 || permissionsGroups.length > 0
}

/** The verdicts, and those on policies that others cover. From the last to the first, so that of two the first is kept. */
function withCovered(context: RuleContext): Verdicts {
  const out = new Map(plainVerdicts(context))
  const set = wholeSet(context)
  if (!set) return out
  for (const policy of context.world.policies.toReversed()) {
    const ownStatements = set.own.get(policy)
    if (!ownStatements || out.has(policy) || !isJudged(policy, context)) continue
    const verdict = shadowedOrRedundant(ownStatements, set, ({ policy: other }) => other === policy || out.has(other))
    if (verdict) out.set(policy, verdict)
  }
  return out
}

function shadowedOrRedundant({ allows, denies }: Own, set: WholeSet, skip: (statement: Statement) => boolean): Verdict | undefined {
  const shadow = denies.length === 0 ? [] : coveredBy(denies, { by: set.denies, skip }, set)
  if (!shadow || allows.length === 0) return shadow && shadow.length > 0 ? { kind: 'shadowed', by: shadow } : undefined
  const by = coveredBy(allows, { by: set.allows, denies: set.denies, skip }, set)
  return by && { kind: 'redundant', by: [...new Set([...by, ...shadow])] }
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
  // Its condition is never met together with its names or its expiry: another rule reports that.
  if (without.length > 0) return 'said elsewhere'
  // Resource groups without members are reported by another rule.
  if (boxless(free, context)) return 'said elsewhere'
  return permissionsGroups.length > 0 ? 'sets' : 'said elsewhere'
}

/** Whether the resources of a policy match nothing: groups without members. */
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
  const patterns = (list: readonly Glob[]) => reduced(list, isPattern, covers, ({ pieces }) => pieces.join('*'))
  const isWide = ({ region, type, name }: Box) => isPattern(name) || isPattern(type) || isPattern(region)
  return JSON.stringify([
    effect,
    patterns(identities.map(({ value }) => value.glob)),
    reduced(boxes, isWide, coversBox, boxText),
    patterns(actions.map(({ value }) => value)),
    (['action', 'type', 'name'] as const).map((dimension) =>
      patterns(exclusions.filter((exclusion) => exclusion.dimension === dimension).map(({ pattern }) => pattern)),
    ),
    printFormula(formula),
  ])
}

/** Without wildcards an item covers only itself: just the `isWide` ones are compared with the others. */
function reduced<T>(
  items: readonly T[],
  isWide: (item: T) => boolean,
  covers: (a: T, b: T) => boolean,
  print: (item: T) => string,
): readonly string[] {
  const distinct = [...new Map(items.map((item) => [print(item), item])).values()]
  const wide = distinct.length > mostReduced ? [] : distinct.flatMap((item, i) => (isWide(item) ? [{ item, i }] : []))
  const remaining =
    wide.length === 0
      ? distinct
      : distinct.filter(
          (item, i) => !wide.some((other) => other.i !== i && covers(other.item, item) && (other.i < i || !covers(item, other.item))),
        )
  return remaining.map(print).sort(compareText)
}

/** Policies as related places. */
export function cite(policies: readonly Policy[], message: (policy: Policy) => string, most = 6): readonly Related[] {
  return policies.slice(0, most).map((policy) => ({ message: message(policy), span: policy.name.span }))
}
