import type { Catalogue } from '../actions/catalogue.ts'
import { Budget } from '../budget.ts'
import { pushTo } from '../collections.ts'
import { single } from '../conditions/address.ts'
import { addressTest, stringTest } from '../conditions/test.ts'
import { glob, isPattern } from '../glob.ts'
import { lazy } from '../memo.ts'
import type { Condition, Policy, World } from '../policy.ts'
import { explain, judge } from '../simulate/decide.ts'
import type { Clause, Decision, Explanation, Question, Trace } from '../simulate/decision.ts'
import { compile } from '../simulate/engine.ts'
import { factText } from '../simulate/facts.ts'
import type { Context } from '../simulate/question.ts'
import { traces } from '../simulate/reference.ts'
import { comparison, compound, type Formula, negation, notBefore, until } from '../symbolic/formula.ts'
import { exampleOf, type ProofContext, proofContextOf, prove } from './prove.ts'
import { isProved } from './read.ts'
import type { ActionScope, Check, Claim, Expected, InvariantCheck, SingleCheck, Suite, TableCheck } from './suite.ts'

export type Status = 'passed' | 'failed' | 'undecided'

/** Why a check did not pass: one question or one claim. */
export type Failure =
  /** A question was answered otherwise. `differences`: the expected and the actual answer, in words. */
  | {
      readonly kind: 'answer'
      readonly question: Question
      readonly explanation: Explanation
      readonly expected: Expected
      readonly differences: readonly string[]
    }
  /** A claim does not hold: a question that the world answers against it. */
  | {
      readonly kind: 'refuted'
      readonly question: Question
      readonly explanation: Explanation
      readonly claim: Claim
      /** The catalogue holds actions that the claim is about, and none of them refutes it. */
      readonly onlyUnknown: boolean
    }
  | { readonly kind: 'undecided'; readonly culprits: readonly string[]; readonly claim: Claim }

export interface CheckResult {
  readonly check: Check
  readonly status: Status
  readonly questions: number
  readonly claims: number
  /** How many actions of the catalogue the claims are about, in all. */
  readonly known: number
  readonly failures: readonly Failure[]
}

/** How a question is answered, and the part that each policy had in it which has one. */
export interface Answer {
  readonly question: Question
  readonly decision: Decision
  readonly traces: readonly Trace[]
}

interface Bench {
  readonly proofContext: ProofContext
  readonly catalogue: Pick<Catalogue, 'expand' | 'has'>
  readonly exercise: (answer: Answer) => void
  readonly answer: (question: Question) => Answer
}

/** Run the checks of a suite in order. `exercise` gets each answer, each example of a proved claim, and each counterexample. */
export function runSuite(
  { checks }: Pick<Suite, 'checks'>,
  world: World,
  catalogue: Bench['catalogue'],
  exercise: (answer: Answer) => void = () => {},
  run: Budget = new Budget(),
): readonly CheckResult[] {
  const bench: Bench = { proofContext: proofContextOf(world, run), catalogue, exercise, answer: answersOf(world) }
  return checks.map((check) => runCheck(check, bench))
}

/**
 * Whether a check comes out otherwise in another world than it did: the first one ends the run. `before`: the results, in order. `changed`:
 * the policies in which the worlds differ, as they were and are.
 */
export function noticesChange(
  { checks }: Pick<Suite, 'checks'>,
  world: World,
  changed: readonly Policy[],
  before: readonly CheckResult[],
  catalogue: Bench['catalogue'],
  run: Budget = new Budget(),
): boolean {
  const bench: Bench = { proofContext: proofContextOf(world, run), catalogue, exercise: () => {}, answer: answersOf(world) }
  const mayNotice = (check: Check) => check.kind !== 'test' || concerns(changed, world, questionOf(check))
  return checks.some((check, i) => mayNotice(check) && runCheck(check, bench).status !== before[i]?.status)
}

/** Whether one of some policies has a part in the answer to a question: otherwise, it is the same without them. */
export function concerns(policies: readonly Policy[], world: World, question: Question): boolean {
  return traces({ ...world, policies }, question).some(({ stoppedAt, excepted }) => stoppedAt === undefined || excepted.length > 0)
}

function runCheck(check: Check, bench: Bench): CheckResult {
  switch (check.kind) {
    case 'test':
      return runSingle(check, bench)
    case 'allow':
    case 'deny':
      return runTable(check, bench)
    default:
      return runInvariant(check, bench)
  }
}

function runSingle(check: SingleCheck, bench: Bench): CheckResult {
  const failure = ask(questionOf(check), check.expected, bench)
  return resultOf(check, failure ? [failure] : [], 1, 0, bench)
}

export function questionOf({ asked: { identity, action, resource }, context }: SingleCheck): Question {
  return { identity: identity.value, action: action.value, resource: resource.value, ...context }
}

/** So many questions are answered by what every policy has in them, which takes less than to build tables. */
const fewQuestions = 20

/**
 * The answers of a world. To many questions, the decisions are those of the tables, and the traces those of policies that may be about
 * the identity: no other one can have a part in an answer.
 */
export function answersOf(world: World): (question: Question) => Answer {
  let asked = 0
  const tables = lazy(() => ({ engine: compile(world), concerning: policiesConcerning(world) }))
  return (question) => {
    if (++asked > fewQuestions) {
      const { engine, concerning } = tables()
      return { question, decision: engine.decide(question), traces: traces({ ...world, policies: concerning(question) }, question) }
    }
    const all = traces(world, question)
    return { question, decision: judge(world, question, all), traces: all }
  }
}

/** The policies that may be about who asks a question, in their order. */
function policiesConcerning({ policies, identities }: World): (question: Question) => readonly Policy[] {
  const byName = new Map<string, number[]>()
  const withPattern: number[] = []
  for (const [place, policy] of policies.entries()) {
    if (policy.identities.some(({ value }) => isPattern(value.glob))) withPattern.push(place)
    else for (const { value } of policy.identities) pushTo(byName, value.glob.text, place)
  }
  return ({ identity, groups }) => {
    const members = [identity, ...groups, ...(identities.get(identity)?.groups ?? [])]
    const places = new Set([...withPattern, ...members.flatMap((member) => byName.get(member) ?? [])])
    return [...places].sort((a, b) => a - b).map((place) => policies[place] as Policy)
  }
}

function ask(question: Question, expected: Expected, { proofContext: { world }, exercise, answer }: Bench): Failure | undefined {
  const answered = answer(question)
  const { decision } = answered
  exercise(answered)
  const differences = differencesOf(expected, decision)
  return differences.length === 0 ? undefined : { kind: 'answer', question, explanation: explain(world, question), expected, differences }
}

function differencesOf(expected: Expected, { verdict, reason, clauses, missing }: Decision): readonly string[] {
  const out: string[] = []
  if (expected.verdict !== verdict) out.push(`expected ${expected.verdict}, got ${verdict}`)
  if (expected.reason !== undefined && expected.reason !== reason) out.push(`expected the reason to be ${expected.reason}, got ${reason}`)
  const sets = (what: string, wanted: readonly string[] | undefined, found: readonly string[]) => {
    const [a, b] = [new Set(wanted), new Set(found)]
    if (wanted && !(a.size === b.size && [...a].every((each) => b.has(each))))
      out.push(`expected ${what} ${listed([...a])}, got ${listed([...b])}`)
  }
  const names = clauses.map(({ policy }) => policy.name.value)
  sets('it to be decided by', expected.because, names)
  const facts = missing.map(({ fact }) => factText(fact))
  sets('it to depend on', expected.missing, facts)
  return out
}

function listed(texts: readonly string[]): string {
  return texts.length === 0 ? 'nothing' : texts.map((text) => `\`${text}\``).join(', ')
}

function resultOf(check: Check, failures: readonly Failure[], questions: number, claims: number, { catalogue }: Bench): CheckResult {
  const status = failures.some(({ kind }) => kind !== 'undecided') ? 'failed' : failures.length > 0 ? 'undecided' : 'passed'
  const actions = claims === 0 || check.kind === 'test' ? [] : check.box.permissions.allow.flatMap(({ value }) => catalogue.expand(value))
  return { check, status, questions, claims, known: new Set(actions).size, failures }
}

/** Single names are asked about; what is a pattern is proved over all names that it matches. */
function runTable(check: TableCheck, bench: Bench): CheckResult {
  const { world } = bench.proofContext
  const { identities, actions, resources, box } = check
  const failures: Failure[] = []
  let questions = 0
  let claims = 0
  const formulas = new Map<string, Formula>()
  for (const [i, identity] of identities.entries()) {
    for (const [r, resource] of resources.entries()) {
      for (const [a, action] of actions.entries()) {
        let failure: Failure | undefined
        if ([identity, action, resource].some(({ value }) => isProved(value))) {
          claims++
          const formula = formulas.get(resource.value) ?? contextFormula(check.context, resource.value, world)
          formulas.set(resource.value, formula)
          const kind = check.kind === 'allow' ? 'always' : 'never'
          const groups = identity.value.includes('*') ? {} : { groups: check.context.groups }
          failure = judgeClaim({ kind, box: narrowed(box, i, a, r), context: formula, ...groups }, check.over, bench)
        } else {
          questions++
          const question = { identity: identity.value, action: action.value, resource: resource.value, ...check.context }
          failure = ask(question, { verdict: check.kind }, bench)
        }
        if (failure) failures.push(failure)
      }
    }
  }
  return resultOf(check, failures, questions, claims, bench)
}

function narrowed(box: Policy, identity: number, action: number, resource: number): Policy {
  return {
    ...box,
    identities: box.identities.slice(identity, identity + 1),
    resources: box.resources.slice(resource, resource + 1),
    permissions: { ...box.permissions, allow: box.permissions.allow.slice(action, action + 1) },
  }
}

function runInvariant(check: InvariantCheck, bench: Bench): CheckResult {
  const failure = judgeClaim({ kind: check.kind, box: check.box }, check.over, bench)
  return resultOf(check, failure ? [failure] : [], 0, 1, bench)
}

function judgeClaim(claim: Claim, over: ActionScope, bench: Bench): Failure | undefined {
  const { proofContext, exercise } = bench
  const knownClaim = knownOnly(claim, bench)
  if (over === 'catalogue' && knownClaim.box.permissions.allow.length === 0)
    return { kind: 'undecided', culprits: ['no action in the catalogue is of this name'], claim }
  const judged = over === 'catalogue' ? knownClaim : claim
  const proof = prove(judged, proofContext)
  if (proof.status === 'undecided') return { kind: 'undecided', culprits: proof.culprits, claim }
  if (proof.status === 'refuted') {
    // An action that there is says more than one that there might be.
    const isKnown = over === 'catalogue' || bench.catalogue.has(withoutParameter(proof.question.action))
    const second = isKnown || knownClaim.box.permissions.allow.length === 0 ? undefined : prove(knownClaim, proofContext)
    const { question, explanation } = second?.status === 'refuted' ? second : proof
    exercise({ question, decision: explanation.decision, traces: explanation.traces })
    return { kind: 'refuted', question, explanation, claim, onlyUnknown: second?.status === 'proved' }
  }
  const question = exampleOf(judged, proofContext)
  if (question) exercise(bench.answer(question))
  return undefined
}

/** The claim about the actions of the catalogue that its patterns designate; single names stay as they are. */
export function knownOnly(claim: Claim, { catalogue }: Pick<Bench, 'catalogue'>): Claim {
  const allow = claim.box.permissions.allow.flatMap((entry) =>
    isPattern(entry.value) ? catalogue.expand(entry.value).map((action) => ({ value: glob(action), span: entry.span })) : [entry],
  )
  return { ...claim, box: { ...claim.box, permissions: { ...claim.box.permissions, allow } } }
}

function withoutParameter(action: string): string {
  const at = action.indexOf('?')
  return at < 0 ? action : action.slice(0, at)
}

/** The facts of a context as a formula. Without `tags` those of the resource count, if the world knows them. */
export function contextFormula({ at, ip, tags }: Context, resource: string, world: World): Formula {
  const parts: Formula[] = [until(at), notBefore(at)]
  if (ip) parts.push(comparison(addressTest('EQ', [single(ip)])))
  const knownTags = tags ?? world.resources.get(resource)?.tags
  for (const key of knownTags ? new Set([...knownTags.keys(), ...tagKeys(world)]) : []) {
    const subject = { kind: 'tag', parameter: key } as const
    const value = knownTags?.get(key)
    if (value !== undefined) parts.push(comparison(stringTest(subject, 'EQ', [value])))
    // Every text starts with the empty one: only a tag that is not there does not.
    else parts.push(negation(comparison(stringTest(subject, 'STARTS_WITH', ['']))))
  }
  return compound('and', parts)
}

function tagKeys({ policies }: World): ReadonlySet<string> {
  const keys = new Set<string>()
  const open: Condition[] = policies.flatMap(({ condition }) => (condition ? [condition] : []))
  for (let here = open.pop(); here; here = open.pop()) {
    if (here.kind === 'and' || here.kind === 'or' || here.kind === 'not') open.push(...here.operands)
    else if (here.kind === 'match' && here.test.subject.kind === 'tag') keys.add(here.test.subject.parameter)
  }
  return keys
}

/** The entries that an answer rests on: what decides it, and for a default denial what took away a grant. */
export function restsOn({ decision, traces: all }: Answer): readonly Clause[] {
  return decision.reason === 'default' ? all.flatMap(({ excepted }) => excepted) : decision.clauses
}
