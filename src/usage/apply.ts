import type { ApplyGap, ApplyNeed, ApplyNeeds, Need } from '../calls/apply.ts'
import { anyName } from '../calls/placeholder.ts'
import type { Settings } from '../names.ts'
import { readFacts } from '../parser/policy.ts'
import { readTree } from '../parser/tree.ts'
import type { Policy } from '../policy.ts'
import { decide } from '../simulate/decide.ts'
import { type Decision, type Question, strictest, type Verdict } from '../simulate/decision.ts'
import type { Context } from '../simulate/question.ts'
import { sourceOf } from '../source.ts'
import { type ProofContext, prove } from '../suite/prove.ts'
import { contextFormula } from '../suite/run.ts'
import type { Claim } from '../suite/suite.ts'
import { readIdentity } from '../urn/identity.ts'

/** An action that applying a plan, or running a program, needs, as the policies decide it. */
export type DecidedNeed<N extends Need = ApplyNeed> = N & {
  /** Of a resource whose name is not known: the answer for every name, else unknown. */
  readonly verdict: Verdict
  /** Of such a resource: about a name that no policy names. */
  readonly question: Question
  readonly decision: Decision
  /** The name of the resource would decide it. */
  readonly dependsOnName: boolean
}

/** Whether an identity may apply a plan. */
export interface ApplyAnswer {
  readonly identity: string
  readonly verdict: Verdict
  readonly needs: readonly DecidedNeed[]
  readonly gaps: readonly ApplyGap[]
}

/**
 * Decide each action that applying a plan needs. All that are certainly needed must be allowed; with one that is denied the apply fails.
 * What is not known of the plan's calls, and a denied action that only some applies need, leave it open.
 */
export function mayApply(
  { needs, gaps }: ApplyNeeds,
  identity: string,
  context: Context,
  settings: Settings,
  proofContext: ProofContext,
): ApplyAnswer {
  return { identity, ...decideNeeds(needs, gaps.length === 0, identity, context, settings, proofContext), gaps }
}

/** Decide each action that is needed, and all of them together. `isWhole`: they are all there is; otherwise the verdict is at best unknown. */
export function decideNeeds<N extends Need>(
  needs: readonly N[],
  isWhole: boolean,
  identity: string,
  context: Context,
  settings: Settings,
  proofContext: ProofContext,
): { readonly verdict: Verdict; readonly needs: readonly DecidedNeed<N>[] } {
  const judged = needs.map((need) => judgeNeed(need, identity, context, settings, proofContext))
  const verdicts = judged.map(({ verdict, isCertain }): Verdict => (isCertain || verdict === 'allow' ? verdict : 'unknown'))
  return { verdict: verdicts.reduce<Verdict>(strictest, isWhole ? 'allow' : 'unknown'), needs: judged }
}

function judgeNeed<N extends Need>(
  need: N,
  identity: string,
  context: Context,
  settings: Settings,
  proofContext: ProofContext,
): DecidedNeed<N> {
  const { action, resource, isNamed } = need
  const { world } = proofContext
  const question: Question = { identity, action, resource: isNamed ? resource : `${resource.slice(0, -1)}${anyName}`, ...context }
  const decision = decide(world, question)
  const { verdict } = decision
  if (isNamed || verdict === 'unknown') return { ...need, verdict, question, decision, dependsOnName: false }
  const isForAll = isAlike(decision, need, identity, context, settings, proofContext)
  return { ...need, verdict: isForAll ? verdict : 'unknown', question, decision, dependsOnName: !isForAll }
}

/** Whether the verdict on one name of a type is the verdict on each of them. */
function isAlike(
  { verdict, reason }: Decision,
  { action, resource }: Need,
  identity: string,
  context: Context,
  settings: Settings,
  proofContext: ProofContext,
): boolean {
  const isAccount = readIdentity(identity, { pattern: false }).value?.kind === 'account'
  // Claims know no owners: an account may do everything on what it owns.
  if (isAccount) return reason === 'root' && context.owner !== undefined
  const kind = verdict === 'allow' ? 'always' : 'never'
  const box = boxOf(identity, action, resource, settings)
  const claim: Claim = { kind, box, context: contextFormula(context, resource, proofContext.world), groups: context.groups }
  return prove(claim, proofContext).status === 'proved'
}

/** The requests of a need, as the policy that allows them. */
function boxOf(identity: string, action: string, resource: string, settings: Settings): Policy {
  const written = { name: '', identities: [identity], resources: [{ urn: resource }], permissions: { allow: [{ action }] } }
  const { documents } = readTree(sourceOf('the plan', JSON.stringify([written]), 'json'))
  return readFacts(documents, settings).facts.policies[0] as Policy
}

/** An action that a plan needs, before and after a change of policies. */
export interface ChangedNeed {
  readonly before: DecidedNeed
  readonly after: DecidedNeed
}

/** The effect of a change of policies on an apply. Each need is in one list, but those that are allowed on both sides. */
export interface ApplyChange {
  readonly before: ApplyAnswer
  readonly after: ApplyAnswer
  /** Allowed before, and denied after. */
  readonly lost: readonly ChangedNeed[]
  /** Denied before, and allowed after. */
  readonly gained: readonly ChangedNeed[]
  /** Denied before and after. */
  readonly missing: readonly ChangedNeed[]
  /** Not decided before, or after. */
  readonly open: readonly ChangedNeed[]
}

/** Hold two answers about one plan against each other. */
export function applyChange(before: ApplyAnswer, after: ApplyAnswer): ApplyChange {
  const both = before.needs.map((need, i): ChangedNeed => ({ before: need, after: after.needs[i] as DecidedNeed }))
  const from = (old: Verdict, next: Verdict) => both.filter((each) => each.before.verdict === old && each.after.verdict === next)
  const open = both.filter((each) => each.before.verdict === 'unknown' || each.after.verdict === 'unknown')
  return { before, after, lost: from('allow', 'deny'), gained: from('deny', 'allow'), missing: from('deny', 'deny'), open }
}

/** `undecided`: nothing is known to change, and not all is known. */
export function applyChangeVerdict({ after, lost, gained, open }: ApplyChange): 'changed' | 'undecided' | 'same' {
  if (lost.length + gained.length > 0) return 'changed'
  return open.length + after.gaps.length > 0 ? 'undecided' : 'same'
}
