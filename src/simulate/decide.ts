import { filled, freshLetter, type Glob, hasInnerWildcard, matches } from '../glob.ts'
import type { PermissionSet, Policy, World } from '../policy.ts'
import type { Located } from '../source.ts'
import { type IdentityUrn, readIdentity } from '../urn/identity.ts'
import { settle } from './completion.ts'
import type { Caveat, Decision, Explanation, Question, Trace } from './decision.ts'
import { combine, inFileOrder, traces } from './reference.ts'

/** Decide one question, exactly: an unknown verdict stands only where two completions of the missing facts differ. */
export function decide(world: World, question: Question): Decision {
  return judge(world, question, traces(world, question))
}

/** The decision, with the part that every policy had in it, in written order. */
export function explain(world: World, question: Question): Explanation {
  const all = traces(world, question)
  const decision = judge(world, question, all)
  if (!decision.caveats.includes('inner-wildcard')) return { decision, traces: all }
  return { decision, traces: all, withoutInnerWildcards: decide(withoutInnerWildcards(world), question).verdict }
}

function judge(world: World, question: Question, all: readonly Trace[]): Decision {
  const owner = question.owner ?? world.resources.get(question.resource)?.owner ?? world.account
  const identity = readIdentity(question.identity, { pattern: false }).value
  const caveats: Caveat[] = []
  if (identity?.kind === 'account') {
    if (owner === identity.account) return { verdict: 'allow', reason: 'root', clauses: [], missing: [], caveats }
    if (owner === undefined) caveats.push('root-unknown')
  }
  const relevant = all.filter((trace) => trace.stoppedAt === undefined)
  let { verdict, reason, clauses } = combine(relevant)
  let missing: Decision['missing'] = []
  if (verdict === 'unknown') {
    const part: World = { ...world, policies: relevant.map((trace) => trace.policy) }
    const settled = settle(world, question, relevant, (assumed) => combine(traces(part, question, assumed)))
    if (settled.approximate) caveats.push('approximate')
    missing = settled.missing
    verdict = settled.verdict
    reason = settled.reason
    if (reason === 'granted') clauses = inFileOrder(relevant.flatMap((trace) => trace.grants))
    if (reason === 'denied') clauses = inFileOrder(relevant.flatMap((trace) => trace.denies))
    if (reason === 'default') clauses = []
  }
  const rests = reason === 'default' ? all.flatMap((trace) => trace.excepted) : clauses
  if (rests.some((clause) => hasInnerWildcard(clause.entry.value))) caveats.push('inner-wildcard')
  if (reason === 'default') {
    if (!world.policies.some((policy) => policy.readOnly)) caveats.push('managed-policies')
    if ((identity?.kind === 'user' || identity?.kind === 'credential') && groupWouldLift(world, question, identity.account as string))
      caveats.push('groups-unknown')
  }
  return { verdict, reason, clauses, missing, caveats: caveats.sort() }
}

/**
 * Whether a group of the identity's account would turn a default deny. One group at a time is enough: a further group
 * can only add a deny. Only a group whose own policy may grant it is tried on the whole world.
 */
function groupWouldLift(world: World, question: Question, account: string): boolean {
  const tried = new Set<string>()
  for (const policy of world.policies) {
    for (const { value } of policy.identities) {
      const group = groupOf(value, account)
      if (group === undefined || tried.has(group)) continue
      const asMember: Question = { ...question, groups: [...question.groups, group] }
      const verdictOf = (policies: readonly Policy[]) => combine(traces({ ...world, policies }, asMember)).verdict
      if (verdictOf([policy]) === 'deny') continue
      tried.add(group)
      if (verdictOf(world.policies) !== 'deny') return true
    }
  }
  return false
}

/** The group of the account that an entry names; for a pattern, one that only patterns match. */
function groupOf(entry: IdentityUrn, account: string): string | undefined {
  if (entry.kind !== 'group') return undefined
  const letter = freshLetter(entry.text)
  const group = entry.account === undefined ? `urn:v1:${entry.region}:identity:group:${account}/${letter}` : filled(entry.glob, letter)
  return (entry.account ?? account) === account && matches(entry.glob, group) ? group : undefined
}

function withoutInnerWildcards(world: World): World {
  const strip = (list: readonly Located<Glob>[]) => list.filter((entry) => !hasInnerWildcard(entry.value))
  const bare = ({ allow, except, deny }: PermissionSet): PermissionSet => ({
    allow: strip(allow),
    except: strip(except),
    deny: strip(deny),
  })
  const policies = world.policies.map((policy) => ({ ...policy, permissions: bare(policy.permissions) }))
  const permissionsGroups = new Map(
    [...world.permissionsGroups].map(([urn, group]) => [urn, { ...group, permissions: bare(group.permissions) }]),
  )
  return { ...world, policies, permissionsGroups }
}
