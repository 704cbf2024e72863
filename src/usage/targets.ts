import type { DescribedChange } from '../diff/described.ts'
import type { DiffRegion, Except } from '../diff/diff.ts'
import { type Glob, glob, matches } from '../glob.ts'
import { reachOf } from '../history/effects.ts'
import { lazy } from '../memo.ts'
import type { Condition, Policy, World } from '../policy.ts'
import { groupOf, verdictOf } from '../simulate/decide.ts'
import type { Question, Verdict } from '../simulate/decision.ts'
import { compile } from '../simulate/engine.ts'
import { dependsOnTime } from '../simulate/why.ts'
import { readIdentity } from '../urn/identity.ts'
import { isResourceGroup, readResourceGroup } from '../urn/resource.ts'
import { inResourceGroup, withPermissions } from '../world.ts'
import type { CallTarget, KnownOfCall, Relation } from './counting.ts'

// Entries of policies.

/**
 * The calls that a policy allows by itself, at their own times, with the tags that resources have today: of a policy that only denies,
 * those that it denies. What other policies allow or deny is left aside.
 */
export function policyTarget(policy: Policy, world: World): CallTarget {
  const isDeny = deniesOnly(policy)
  const allowing: Policy = isDeny ? { ...policy, permissions: { allow: policy.permissions.deny, except: [], deny: [] } } : policy
  const worldOf = (one: Policy) => withPermissions({ ...world, policies: [one] }, (set) => ({ ...set, deny: [] }))
  const allowingWorld = worldOf(allowing)
  const bare = lazy(() => {
    const { condition: _, expiresAt: __, ...always } = allowing
    return worldOf(always)
  })
  const isConditional = policy.condition !== undefined || policy.expiresAt !== undefined
  const isOfTime = dependsOnTime(policy)
  const hasGroup = policy.identities.some(({ value }) => value.kind === 'group')
  const decided = (question: Question, knowledge: KnownOfCall): Relation => {
    const isOpen = isOfTime && !knowledge.time
    const verdict = verdictOf(isOpen ? bare() : allowingWorld, question)
    if (verdict !== 'deny') return verdict === 'allow' && !isOpen ? 'in' : 'open'
    return isConditional && !isOpen && verdictOf(bare(), question) !== 'deny' ? 'elsewhere' : 'out'
  }
  return {
    ...reachOf(allowing),
    identities: policy.identities.map(({ value }) => value.glob),
    isOfEachCall: dependsOnCall(policy),
    judge: (question, knowledge) => {
      const relation = decided(question, knowledge)
      if (relation === 'in' || knowledge.groups || !hasGroup) return relation
      const account = readIdentity(question.identity, { pattern: false }).value?.account
      // The groups of the identity are not known: it may be in one that the policy names.
      const isPerhaps = policy.identities.some(({ value }) => {
        const group = account === undefined ? undefined : groupOf(value, account)
        return group !== undefined && ['in', 'open'].includes(decided({ ...question, groups: [...question.groups, group] }, knowledge))
      })
      return isPerhaps ? 'open' : relation
    },
  }
}

/** Whether a policy grants nothing: the calls that it is about are those that it denies. */
export const deniesOnly = ({ permissions, permissionsGroups }: Policy) => permissions.allow.length + permissionsGroups.length === 0

/** Whether the answer of a policy depends on the time or the address of a call. */
function dependsOnCall(policy: Policy): boolean {
  return dependsOnTime(policy) || (policy.condition !== undefined && readsAddress(policy.condition))
}

function readsAddress(condition: Condition): boolean {
  if (condition.kind === 'match') return condition.test.subject.kind === 'ip'
  return condition.kind !== 'opaque' && condition.operands.some(readsAddress)
}

// Rows of answers.

/** Identities, actions and resources as rows have them: names, patterns over them, and groups. */
export interface RowNames {
  readonly identities: readonly string[]
  /** Groups that each identity has to be in as well. */
  readonly groups?: readonly string[]
  readonly actions: readonly string[]
  readonly resources: readonly string[]
  /** Identities that are no part of it. */
  readonly except?: readonly string[]
  /** Actions that are no part of it. */
  readonly exceptActions?: readonly string[]
}

/** The calls of some identities with some actions on some resources, under whatever circumstances. */
export function namesTarget(names: RowNames, ...worlds: readonly World[]): CallTarget {
  return { ...reachOfNames(names), isOfEachCall: false, judge: nameJudge(names, worlds) }
}

const reachOfNames = ({ identities, actions, resources }: RowNames): Pick<CallTarget, 'identities' | 'actions' | 'resources'> => ({
  identities: identities.map(glob),
  actions: actions.map(glob),
  resources: resources.some(isResourceGroup) ? undefined : resources.map(glob),
})

/** Judges only by names. A membership that is not known leaves it open. */
function nameJudge(names: RowNames, worlds: readonly World[]): CallTarget['judge'] {
  const { identities, groups = [], actions, resources, except = [], exceptActions = [] } = names
  const [who, also, what, notWho, notWhat] = [identities, groups, actions, except, exceptActions].map((texts) => texts.map(glob)) as Globs
  const isGroup = (pattern: Glob) => pattern.text === '*' || /:identity:(group:|\*)/.test(pattern.text)
  const on = resources.map((text) => {
    const group = isResourceGroup(text) ? readResourceGroup(text, { pattern: true }).value : undefined
    const pattern = glob(text)
    return group
      ? (resource: string) => strongest(worlds.map((world) => inResourceGroup(world, group, resource)))
      : (resource: string) => matches(pattern, resource)
  })
  return ({ identity, groups: requestGroups, action, resource }, knowledge) => {
    const members = [identity, ...requestGroups, ...worlds.flatMap((world) => world.identities.get(identity)?.groups ?? [])]
    const isAmong = (patterns: readonly Glob[]) =>
      patterns.some((pattern) => members.some((member) => matches(pattern, member)))
        ? true
        : knowledge.groups || !patterns.some(isGroup)
          ? false
          : undefined
    if (!what.some((pattern) => matches(pattern, action)) || notWhat.some((pattern) => matches(pattern, action))) return 'out'
    if (notWho.some((pattern) => members.some((member) => matches(pattern, member)))) return 'out'
    const parts = [isAmong(who), ...also.map((group) => isAmong([group])), strongest(on.map((is) => is(resource)))]
    return parts.includes(false) ? 'out' : parts.includes(undefined) ? 'open' : 'in'
  }
}

type Globs = [Glob[], Glob[], Glob[], Glob[], Glob[]]

/** True where one is; else undefined where one is not known. */
const strongest = (truths: readonly (boolean | undefined)[]): boolean | undefined =>
  truths.includes(true) ? true : truths.includes(undefined) ? undefined : false

// Changes of access.

/** The calls that a change of access is about: those that the one world allows and the other does not, each at its own time. */
export class ChangeTargets {
  private readonly worlds: readonly [before: World, after: World]
  private readonly isOfEachCall: boolean
  private readonly isOfTime: boolean
  private readonly verdicts: (question: Question) => readonly [before: Verdict, after: Verdict]

  constructor(before: World, after: World) {
    this.worlds = [before, after]
    const policies = [...before.policies, ...after.policies]
    this.isOfEachCall = policies.some(dependsOnCall)
    this.isOfTime = policies.some(dependsOnTime)
    const engines = lazy(() => [compile(before), compile(after)] as const)
    // A call is judged for each row that its names are in, one row after the other.
    let last: { readonly question: Question; readonly verdicts: readonly [Verdict, Verdict] } | undefined
    this.verdicts = (question) => {
      if (last?.question !== question) {
        const [first, second] = engines()
        last = { question, verdicts: [first.verdict(question), second.verdict(question)] }
      }
      return last.verdicts
    }
  }

  of(row: DescribedChange | DiffRegion, side: 'gained' | 'lost'): CallTarget {
    const names = rowNamesOf(row)
    const byNames = nameJudge(names, this.worlds)
    const excepted = 'except' in row ? row.except.map((each) => this.excepted(each)) : []
    return {
      ...reachOfNames(names),
      isOfEachCall: this.isOfEachCall,
      judge: (question, knowledge) => {
        const relation = byNames(question, knowledge)
        if (relation !== 'in') return relation
        if (this.isOfTime && !knowledge.time) return 'open'
        const [before, after] = this.verdicts(question)
        const [granting, other] = side === 'gained' ? [after, before] : [before, after]
        if (granting !== 'deny' && other !== 'allow') return granting === 'allow' && (other === 'deny' || row.certain) ? 'in' : 'open'
        return excepted.some((is) => is(question, knowledge) !== 'out') ? 'out' : 'elsewhere'
      },
    }
  }

  /** Whether a call is in an exception of a region, by its names. */
  private excepted({ identities, resources, actions, unless }: Except): CallTarget['judge'] {
    const but = unless.flatMap(([dimension, pattern]) => (dimension === 'action' ? [glob(pattern)] : []))
    const judge = nameJudge(
      { identities: identities ?? ['*'], actions: actions ?? ['*'], resources: resources?.map(({ pattern }) => pattern) ?? ['*'] },
      this.worlds,
    )
    return (question, known) => (but.some((pattern) => matches(pattern, question.action)) ? 'out' : judge(question, known))
  }
}

/** The names of a row of a difference. */
export const rowNamesOf = (row: DescribedChange | DiffRegion): RowNames => ({
  identities: row.identities,
  ...('groups' in row && { groups: row.groups }),
  actions: row.actions,
  resources: row.resources.map((each) => (typeof each === 'string' ? each : each.pattern)),
})
