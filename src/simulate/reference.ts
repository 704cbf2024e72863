import { some } from '../conditions/truth.ts'
import { compareText } from '../diagnostic.ts'
import { type Glob, glob, matches } from '../glob.ts'
import { groupsOf, type ListName, type PermissionSet, type Policy, type World } from '../policy.ts'
import type { Located, Span } from '../source.ts'
import type { Clause, Decision, Gate, Question, Trace } from './decision.ts'
import { type Assumptions, nothingAssumed, policyConditionHolds, resourceInGroup } from './facts.ts'

/**
 * The meaning of policies, written once and plainly (docs/semantics.md, Decision). It looks at every policy for
 * every question: no index, no cache, no early exit. It is what `--explain` shows, and what faster engines are held to.
 */

/** Judge every policy by what is known and assumed. */
export function traces(world: World, question: Question, assumed: Assumptions = nothingAssumed): readonly Trace[] {
  const members = [question.identity, ...question.groups, ...(world.identities.get(question.identity)?.groups ?? [])]
  return world.policies.map((policy) => trace(policy, members, world, question, assumed))
}

function trace(policy: Policy, members: readonly string[], world: World, question: Question, assumed: Assumptions): Trace {
  const stop = (stoppedAt: Gate): Trace => ({ policy, stoppedAt, applies: false, grants: [], denies: [], excepted: [], unknownGroups: [] })
  if (policy.expiresAt && question.at > policy.expiresAt.value) return stop('expiry')
  if (!policy.identities.some(({ value }) => members.some((member) => matches(value.glob, member)))) return stop('identity')
  const resource = some(
    policy.resources.map(({ value }) =>
      value.kind === 'resource' ? matches(value.glob, question.resource) : resourceInGroup(value, world, question, assumed),
    ),
  )
  if (resource === false) return stop('resource')
  const condition = policyConditionHolds(policy, world, question, assumed)
  if (condition === false) return stop('condition')

  const grants: Clause[] = []
  const denies: Clause[] = []
  const excepted: Clause[] = []
  const unknownGroups: string[] = []
  const hits = (set: PermissionSet, list: ListName, group?: string): Clause[] =>
    set[list]
      .filter(({ value }) => matches(value, question.action))
      .map((entry) => ({ policy, list, entry, ...(group !== undefined && { group }) }))
  const judge = (set: PermissionSet, group?: string) => {
    denies.push(...hits(set, 'deny', group))
    const allowed = hits(set, 'allow', group)
    const taken = allowed.length > 0 ? hits(set, 'except', group) : []
    if (taken.length > 0) excepted.push(...taken)
    else grants.push(...allowed)
  }
  judge(policy.permissions)
  for (const { value } of groupsOf(policy)) {
    const group = world.permissionsGroups.get(value.text)
    if (group) judge(group.permissions, value.text)
    else if (!assumed.outcomes.has(value.text)) unknownGroups.push(value.text)
    else {
      const outcome = assumed.outcomes.get(value.text)
      const entry: Located<Glob> = { value: glob(question.action), span: policy.span }
      if (outcome === 'allow') grants.push({ policy, list: 'allow', entry, group: value.text })
      if (outcome === 'deny') denies.push({ policy, list: 'deny', entry, group: value.text })
    }
  }
  const silent = grants.length + denies.length + unknownGroups.length === 0
  const applies = resource && condition ? true : undefined
  return { policy, stoppedAt: silent ? 'action' : undefined, applies, grants, denies, excepted, unknownGroups }
}

/** The verdict as far as three-valued logic decides it: five lines, each with its sentence. */
export function combine(all: readonly Trace[]): Pick<Decision, 'verdict' | 'reason' | 'clauses'> {
  const [denied, granted] = (['denies', 'grants'] as const).map((list) =>
    some(all.map((t) => (t[list].length > 0 ? t.applies : t.unknownGroups.length > 0 && t.applies !== false ? undefined : false))),
  )
  const sure = all.filter((t) => t.applies)
  // Some applying policy denies: nothing can outweigh that.
  if (denied === true) return { verdict: 'deny', reason: 'denied', clauses: inFileOrder(sure.flatMap((t) => t.denies)) }
  // Nothing grants it, for any values of the missing facts: denied by default.
  if (granted === false) return { verdict: 'deny', reason: 'default', clauses: [] }
  // Some applying policy grants it, and none can deny.
  if (denied === false && granted === true)
    return { verdict: 'allow', reason: 'granted', clauses: inFileOrder(sure.flatMap((t) => t.grants)) }
  // It depends on what is not known: every entry that might decide.
  return { verdict: 'unknown', reason: 'unknown', clauses: inFileOrder(all.flatMap((t) => [...t.grants, ...t.denies])) }
}

/** Entries in the order of their files and of their places in them; of one entry, in the order of the policies that name its group. */
export function inFileOrder(clauses: readonly Clause[]): readonly Clause[] {
  return [...clauses].sort((a, b) => compareSpans(a.entry.span, b.entry.span) || compareSpans(a.policy.span, b.policy.span))
}

/** File order: by path, then by place. */
export function compareSpans(a: Span, b: Span): number {
  return compareText(a.source.path, b.source.path) || a.start - b.start
}
