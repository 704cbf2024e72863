import { fillWildcards, freshLetter, hasInnerWildcard, matches } from '../glob.ts'
import type { Policy, World } from '../policy.ts'
import { type IdentityUrn, readIdentity } from '../urn/identity.ts'
import { areGroupsKnown, publishedSet, withPermissions } from '../world.ts'
import { byAddress } from './by-address.ts'
import { type Settled, settle } from './completion.ts'
import type { Caveat, Clause, Decision, Explanation, Lift, Overruling, Question, Reason, Trace, Verdict } from './decision.ts'
import { combine, inFileOrder, traces } from './reference.ts'
import { nearestTraces } from './why.ts'

/** A question is about one identity, not a pattern of them. */
const oneName = { pattern: false }

/** Decide one question, exactly: the verdict is unknown only where two completions of the missing facts differ. */
export function decide(world: World, question: Question): Decision {
  return judge(world, question, traces(world, question))
}

/** The decision, with the part that every policy had in it, in written order. */
export function explain(world: World, question: Question): Explanation {
  const all = traces(world, question)
  const decision = judge(world, question, all)
  const relevant = all.filter((trace) => trace.stoppedAt === undefined)
  const isByAddress = decision.missing.some(({ fact }) => fact.kind === 'address')
  const perAddress = isByAddress ? byAddress(question, relevant, (asked) => verdictOf(world, asked)) : undefined
  const lift = decision.caveats.includes('groups-unknown') ? likeliestLift(world, question) : undefined
  const overruled = overruling(world, question, decision)
  return {
    decision,
    traces: all,
    nearest: decision.reason === 'default' ? nearestTraces(world, question, all) : [],
    ...(perAddress && { byAddress: perAddress }),
    ...(lift && { lift }),
    ...(overruled && { overruled }),
    ...(decision.caveats.includes('inner-wildcard') && {
      withoutInnerWildcards: decide(withPermissions(world, publishedSet), question).verdict,
    }),
  }
}

/** Only the verdict of a decision: for questions that are asked of many worlds. */
export function verdictOf(world: World, question: Question, all: readonly Trace[] = traces(world, question)): Verdict {
  if (rootOf(world, question) === 'root') return 'allow'
  const relevant = all.filter((trace) => trace.stoppedAt === undefined)
  const { verdict } = combine(relevant)
  return verdict === 'unknown' ? settledIn(world, question, relevant).verdict : verdict
}

/** Whether the owning account itself asks: nothing can be denied to it. Undefined: another identity does. */
function rootOf(world: World, question: Question): 'root' | 'other' | 'unknown' | undefined {
  const identity = readIdentity(question.identity, oneName).value
  if (identity?.kind !== 'account') return undefined
  const owner = question.owner ?? world.resources.get(question.resource)?.owner ?? world.account
  return owner === undefined ? 'unknown' : owner === identity.account ? 'root' : 'other'
}

function settledIn(world: World, question: Question, relevant: readonly Trace[]): Settled {
  const part: World = { ...world, policies: relevant.map((trace) => trace.policy) }
  return settle(world, question, relevant, (assumed) => combine(traces(part, question, assumed)))
}

/** The traces of policies that apply for some values of the missing facts, each with whether it does for all of them. */
function exactTraces(world: World, question: Question, relevant: readonly Trace[]): readonly Trace[] {
  const isOpen = (trace: Trace) => trace.applies === undefined
  // One budget for all of them, so that many policies take no longer than one.
  const share = 1 / (1 + relevant.filter(isOpen).length)
  return relevant.flatMap((trace) => {
    if (!isOpen(trace)) return [trace]
    const part: World = { ...world, policies: [trace.policy] }
    const { verdict } = settle(
      world,
      question,
      [trace],
      (assumed) => {
        const applies = traces(part, question, assumed)[0]?.applies
        return { verdict: applies === undefined ? 'unknown' : applies ? 'allow' : 'deny', reason: 'unknown' }
      },
      share,
    )
    return verdict === 'deny' ? [] : [verdict === 'allow' ? { ...trace, applies: true } : trace]
  })
}

/** The entries on which a settled decision rests: where policies decide that always apply, theirs. */
function settledBy(reason: Reason, able: readonly Trace[]): readonly Clause[] {
  if (reason === 'unknown') return inFileOrder(able.flatMap(({ grants, denies }) => [...grants, ...denies]))
  const list = reason === 'granted' ? 'grants' : 'denies'
  const sure = able.filter((trace) => trace.applies && trace[list].length > 0)
  return inFileOrder((sure.length > 0 ? sure : able).flatMap((trace) => trace[list]))
}

/** The decision that traces amount to: of every policy, or at least of all that are about the resource. */
export function judge(world: World, question: Question, all: readonly Trace[]): Decision {
  const caveats: Caveat[] = []
  const root = rootOf(world, question)
  if (root === 'root') return { verdict: 'allow', reason: 'root', clauses: [], missing: [], caveats }
  if (root === 'unknown') caveats.push('root-unknown')
  const relevant = all.filter((trace) => trace.stoppedAt === undefined)
  let { verdict, reason, clauses } = combine(relevant)
  let missing: Decision['missing'] = []
  if (verdict === 'unknown') {
    const settled = settledIn(world, question, relevant)
    if (settled.approximate) caveats.push('approximate')
    missing = settled.missing
    verdict = settled.verdict
    reason = settled.reason
    clauses = reason === 'default' ? [] : settledBy(reason, exactTraces(world, question, relevant))
  }
  const rests = reason === 'default' ? all.flatMap((trace) => trace.excepted) : clauses
  if (rests.some((clause) => hasInnerWildcard(clause.entry.value))) caveats.push('inner-wildcard')
  if (reason === 'default') {
    if (!world.policies.some((policy) => policy.readOnly)) caveats.push('managed-policies')
    if (!liftingGroups(world, question).next().done) caveats.push('groups-unknown')
  }
  return { verdict, reason, clauses, missing, caveats: caveats.sort() }
}

/** A group that would certainly turn a default deny, else one that might. */
function likeliestLift(world: World, question: Question): Lift | undefined {
  let perhaps: Lift | undefined
  for (const lift of liftingGroups(world, question)) {
    if (lift.verdict === 'allow') return lift
    perhaps ??= lift
  }
  return perhaps
}

/** A group of the identity's account that would certainly turn an allow, else one that might, where its groups are not described. */
export function overruling(world: World, question: Question, { reason }: Decision): Overruling | undefined {
  let perhaps: Overruling | undefined
  const tried = new Set<string>()
  if (reason !== 'granted' || areGroupsKnown(world, question.identity)) return undefined
  for (const { policy, entry, group } of groupsOfAccount(world, question.identity)) {
    const asMember: Question = { ...question, groups: [...question.groups, group] }
    const mayDeny = ({ denies, unknownGroups }: Trace) => denies.length + unknownGroups.length > 0
    if (tried.has(group) || !traces({ ...world, policies: [policy] }, asMember).some(mayDeny)) continue
    tried.add(group)
    const verdict = verdictOf(world, asMember)
    if (verdict === 'deny') return { group: entry, verdict }
    if (verdict === 'unknown') perhaps ??= { group: entry, verdict }
  }
  return perhaps
}

/**
 * The groups of the identity's account that would turn a default deny, as they are written, each with the verdict for
 * its members as far as three-valued logic decides. One group at a time is enough: a further group can only add a deny.
 * Only a group whose own policy may grant it is tried on the whole world.
 */
function* liftingGroups(world: World, question: Question): Generator<Lift, undefined> {
  const tried = new Set<string>()
  for (const { policy, entry, group } of groupsOfAccount(world, question.identity)) {
    if (tried.has(group)) continue
    const asMember: Question = { ...question, groups: [...question.groups, group] }
    const verdictOf = (policies: readonly Policy[]) => combine(traces({ ...world, policies }, asMember)).verdict
    if (verdictOf([policy]) === 'deny') continue
    tried.add(group)
    const verdict = verdictOf(world.policies)
    if (verdict !== 'deny') yield { group: entry, verdict }
  }
}

/** The groups of an identity's account, as the policies name them; of accounts and groups themselves none. */
export function* groupsOfAccount(world: World, identity: string) {
  const { kind, account } = readIdentity(identity, oneName).value ?? {}
  if ((kind !== 'user' && kind !== 'credential') || account === undefined) return
  for (const policy of world.policies) {
    for (const { value } of policy.identities) {
      const group = groupOf(value, account)
      if (group !== undefined) yield { policy, entry: value.text, group }
    }
  }
}

/** The group of the account that an entry names; for a pattern, one that only patterns match. */
export function groupOf(entry: IdentityUrn, account: string): string | undefined {
  if (entry.kind !== 'group') return undefined
  const letter = freshLetter(entry.text)
  // A pattern over accounts may name one group of each, and its region may be open, too.
  const filled = (part = '') => part.replaceAll('*', letter)
  const [region, name] = [filled(entry.text.split(':')[2]), filled(entry.text.split('/')[1] ?? '*')]
  const group = entry.account === undefined ? `urn:v1:${region}:identity:group:${account}/${name}` : fillWildcards(entry.glob, letter)
  return (entry.account ?? account) === account && matches(entry.glob, group) ? group : undefined
}
