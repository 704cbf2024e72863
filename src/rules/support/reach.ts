import type { RuleCode } from '../../codes.ts'
import type { Condition, Policy } from '../../policy.ts'
import type { Span } from '../../source.ts'
import { mayGrant } from '../../world.ts'
import type { Finding, RuleContext } from '../rule.ts'
import { spend } from './budget.ts'
import { isKnownToDeny, neverAppliesEffect } from './grants.ts'
import { textsOption } from './options.ts'
import { typesOfEntry } from './scopes.ts'
import { type Leaf, leavesOf } from './tests.ts'
import { quote, some } from './text.ts'
import { anything, isImpossible, isJudged } from './verdicts.ts'
import { statementsOfVariant } from './whole-set.ts'

/**
 * Conditions on what the resources of their policy cannot have. Exact for the type and the name of a resource; of tags
 * only what is known: by the configuration, that a type carries none, or by the inventory, that a resource lacks one. A
 * tag that is absent makes its comparison false, and what `NOT` makes of that is worked out, not guessed from the text.
 */

/** One resource entry that never meets the condition of its policy. */
interface Unmet {
  readonly span: Span
  readonly text: string
  readonly why: 'resource' | 'untaggable' | 'inventory'
  readonly types: readonly string[]
  readonly entry: Policy['resources'][number]
}

/** How many entries are held against their conditions in one run. */
const mostEntries = 5_000

/** A policy with a condition, and those of its resources that never meet it. */
interface Reach {
  readonly condition: Condition
  readonly unmet: readonly Unmet[]
}

/** The entries of a policy that never meet its condition; undefined where there are none, or where it cannot be determined. */
function reachOf(policy: Policy, context: RuleContext, code: RuleCode): Reach | undefined {
  const { condition, resources } = policy
  if (!condition || !isJudged(policy, context)) return undefined
  const leaves = leavesOf(condition).filter(({ test }) => ['type', 'name', 'tag'].includes(test.subject.kind))
  if (leaves.length === 0 || !spend(context, code, resources.length, mostEntries)) return undefined
  const untaggable = textsOption(context, code, 'untaggable') ?? []
  const unmet = resources.flatMap((entry) => unmetBy(policy, entry, leaves, untaggable, context))
  // A condition that no request at all can meet is another matter.
  return unmet.length === 0 || isImpossible(policy, context) !== false ? undefined : { condition, unmet }
}

/** The finding for a policy with one effect where none of its resources meets its condition. */
export function* reachFindings(
  policy: Policy,
  context: RuleContext,
  { code, effect, help }: { readonly code: RuleCode; readonly effect: 'allow' | 'deny'; readonly help: string },
): Iterable<Finding> {
  const { world } = context
  // Of a policy that does both, the denial is what matters.
  if (effect === 'deny' ? !isKnownToDeny(policy, world) : isKnownToDeny(policy, world) || !mayGrant(policy, world)) return
  const reach = reachOf(policy, context, code)
  if (!reach || reach.unmet.length < policy.resources.length) return
  const part = culprit(reach.condition, (each) => reach.unmet.every((one) => isUnmet(policy, one, each, context)))
  yield {
    span: part.span,
    message: `${reasonOf(reach.unmet, part)}: this condition never holds, and ${neverAppliesEffect(policy, world)}`,
    help,
  }
}

/** The findings for single resources of a policy that never meet its condition, where others do. */
export function* missedFindings(policy: Policy, context: RuleContext, code: RuleCode): Iterable<Finding> {
  const reach = reachOf(policy, context, code)
  if (!reach || reach.unmet.length === policy.resources.length) return
  const loss = isKnownToDeny(policy, context.world) ? 'so that what is denied remains possible on it' : 'so that nothing is granted on it'
  for (const one of reach.unmet) {
    const part = culprit(reach.condition, (each) => isUnmet(policy, one, each, context))
    // A tag that no resource has is the matter of another rule.
    if (one.why === 'inventory' && !tagsIn(part).some((key) => isUsed(key, context))) continue
    yield {
      span: one.span,
      message: `${reasonOf([one], part)}: the condition never holds for it, ${loss}`,
      help: 'remove it, or correct the condition',
      related: [{ message: 'never holds for it', span: part.span }],
    }
  }
}

function unmetBy(
  policy: Policy,
  entry: Policy['resources'][number],
  leaves: readonly Leaf[],
  untaggable: readonly string[],
  context: RuleContext,
): readonly Unmet[] {
  const condition = policy.condition as Condition
  const types = typesOfEntry(entry, context)
  const one = { span: entry.span, text: entry.value.text, types, entry }
  const asWritten: Unmet = { ...one, why: 'resource' }
  if (leaves.some(({ test }) => test.subject.kind !== 'tag') && isUnmet(policy, asWritten, condition, context))
    return isNothing(policy, entry, context) ? [] : [asWritten]
  if (!leaves.some(({ test }) => test.subject.kind === 'tag')) return []
  const never = types.length > 0 && types.every((type) => untaggable.includes(type))
  const tags = entry.value.kind === 'resource' ? context.world.resources.get(entry.value.text)?.tags : undefined
  if (!never && !tags) return []
  const untagged: Unmet = { ...one, why: never ? 'untaggable' : 'inventory' }
  return isUnmet(policy, untagged, condition, context) ? [untagged] : []
}

/** Whether a part of the condition never holds for an entry, as far as that is decided. */
function isUnmet(policy: Policy, { entry, why }: Unmet, part: Condition, context: RuleContext): boolean {
  const tags = why === 'inventory' ? context.world.resources.get(entry.value.text)?.tags : undefined
  const condition = why === 'resource' ? part : withoutTags(part, (key) => tags?.has(key) !== true)
  return statementsOfVariant({ ...anything(policy), resources: [entry], condition }, context)?.length === 0
}

/** Whether an entry matches no resource under any condition: a group without members. */
function isNothing(policy: Policy, entry: Policy['resources'][number], context: RuleContext): boolean {
  const { condition: _, ...free } = anything(policy)
  return statementsOfVariant({ ...free, resources: [entry] }, context)?.length === 0
}

/** The condition with comparisons of absent tags made false. */
function withoutTags(condition: Condition, isAbsent: (key: string) => boolean): Condition {
  if (condition.kind === 'opaque') return condition
  if (condition.kind !== 'match') return { ...condition, operands: condition.operands.map((each) => withoutTags(each, isAbsent)) }
  const { kind, parameter } = condition.test.subject
  return kind === 'tag' && isAbsent(parameter) ? { kind: 'or', operands: [], span: condition.span } : condition
}

/** Of parts that must all hold, the first that is at fault alone, as far in as that goes. */
export function culprit(condition: Condition, isAtFault: (part: Condition) => boolean): Condition {
  let part = condition
  for (;;) {
    if (part.kind !== 'and' && !(part.kind === 'or' && part.operands.length === 1)) return part
    const inner: Condition | undefined = part.operands.find(isAtFault)
    if (!inner) return part
    part = inner
  }
}

function reasonOf(unmet: readonly Unmet[], part: Condition): string {
  const tags = [...new Set(tagsIn(part))]
  if (unmet.every(({ why }) => why === 'untaggable'))
    return `resources of type ${some([...new Set(unmet.flatMap(({ types }) => types))], 2)} have no tags`
  if (unmet.every(({ why }) => why === 'inventory') && tags.length > 0)
    return unmet.length === 1
      ? `${quote(unmet[0]?.text ?? '')} has no tag ${some(tags, 2)}`
      : `the resources of the policy have no tag ${some(tags, 2)}`
  return unmet.length === 1 ? `${quote(unmet[0]?.text ?? '')} does not match it` : 'no resource of the policy matches it'
}

function tagsIn(part: Condition): readonly string[] {
  return leavesOf(part).flatMap(({ test }) => (test.subject.kind === 'tag' ? [test.subject.parameter] : []))
}

function isUsed(key: string, { world }: RuleContext): boolean {
  for (const { tags } of world.resources.values()) if (tags?.has(key)) return true
  return false
}
