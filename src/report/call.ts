import type { Catalogue } from '../actions/catalogue.ts'
import type { Operation } from '../actions/operations.ts'
import type { Gate } from '../calls/access.ts'
import { type CallFact, callFactText } from '../calls/facts.ts'
import type { Forbidden, ForbiddenGate } from '../calls/forbidden.ts'
import type { Grant, RefusedCall } from '../calls/grant.ts'
import type { CallAnswer, JudgedRequirement } from '../calls/judge.ts'
import { monthOfUnmatched, type Routes } from '../calls/match.ts'
import type { World } from '../policy.ts'
import { explain } from '../simulate/decide.ts'
import type { Clause, Question } from '../simulate/decision.ts'
import { type DecisionInterval, decisionIntervalOf } from '../symbolic/decision-interval.ts'
import { type Formula, isNever } from '../symbolic/formula.ts'
import { Windows } from '../symbolic/windows.ts'
import type { Paint } from './colour.ts'
import { conditionWords, formulaWords } from './conditions.ts'
import { answerJson, clauseJson, decisionLine, decisionText, verdictWord } from './decision.ts'
import { endWords } from './instants.ts'
import type { Names } from './names.ts'
import { remediesOf } from './remedy.ts'
import { shown, shownJson } from './safe.ts'
import { turningInstant, turningJson, turnsWords } from './why.ts'
import { entryWords, linesText, placeWords, presentParts, quoted, titleWords } from './words.ts'

/** Calls of the API: whether they are let through, and what to grant where they were not. */

/** Answers of the service where a gate is shut. */
const refusals = {
  policies: { status: 403, class: 'Client::Forbidden', message: 'User not granted for this request' },
  credential: { status: 403, class: null, message: 'This call has not been granted' },
} as const

/** The gates that refuse the call, in order. */
const refusedBy = ({ policies, credential }: CallAnswer) =>
  (['policies', 'credential'] as const).filter((by) => (by === 'policies' ? policies : credential?.verdict) === 'deny')

/** The gates in words, and who can lift the refusal of one: in a word, for machines, and in words. */
const gates: Readonly<Record<ForbiddenGate, readonly [name: string, lifter: string, words: string]>> = {
  policies: ['the policies', 'account', 'or any identity that may change its policies'],
  credential: [
    'the rules of the consumer key',
    'application',
    'the application, in a new request for a credential, and the customer who accepts it',
  ],
  authentication: [
    'the authentication',
    'authentication',
    'the team that manages the authentication: the permissions of the token or consumer key',
  ],
}

/** The call that an answer is about: the operation's template, or where there is none the path as it was given; null where none is. */
const calledOf = ({ call, operation }: RefusedCall) =>
  call ? { branch: operation?.branch ?? call.branch ?? null, method: call.method, path: operation?.path ?? call.sent } : null

export function callWords(called: RefusedCall): string | undefined {
  const known = calledOf(called)
  return known ? `${known.method} ${known.branch === null ? '' : `/${known.branch}`}${shown(known.path)}` : undefined
}

/** The tables that a call was looked up in. */
interface Known {
  readonly routes: Routes
  readonly catalogue: Pick<Catalogue, 'seen' | 'complete'>
}

export function callJson(answer: CallAnswer, { routes, catalogue }: Known, world: World, more: readonly string[] = []) {
  const { verdict, basis, requirements, credential, missing } = answer
  const rule = credential?.rule
  return {
    call: calledOf(answer),
    verdict,
    basis,
    requirements: requirements.map((each) => requirementJson(each, world)),
    credential: credential
      ? { verdict: credential.verdict, rule: rule ? { method: rule.method.value, path: rule.path.value } : null }
      : null,
    refused: refusedBy(answer).map((by) => ({ by, ...refusals[by] })),
    missing: missing.map(callFactText),
    notes: [...notesOf(answer, routes, catalogue), ...more],
  }
}

function requirementJson({ action, resource, required, verdict, from, asked }: JudgedRequirement, world: World) {
  const isList = from === 'listing'
  const answer = asked
    ? answerJson(asked.decision, world, asked.question, decisionIntervalOf(world, asked.question, asked.decision))
    : { verdict, reason: isList ? from : 'unknown', clauses: [], missing: isList ? [] : [`resource(${action})`], caveats: [] }
  return { action, resource: resource ?? null, required, ...answer, verdict }
}

export function callLine(answer: CallAnswer): string {
  const { verdict, requirements, credential, missing } = answer
  return presentParts(
    `${verdict} · ${callWords(answer)}`,
    requirements.map(({ action, resource, required, from, asked, why = '' }) => {
      const about = resource ?? (from === 'listing' ? 'what may be seen' : `unknown resource (${why})`)
      return `${required ? 'needs' : 'may need'} ${quoted(action)} on ${shown(about)}${asked ? `: ${decisionLine(asked.decision)}` : ''}`
    }),
    credential && `credential ${credential.verdict}${credential.rule ? ` by ${ruleWords(credential)}` : ''}`,
    refusedBy(answer).map((by) => `403 ${refusals[by].message}`),
    missingWords(missing),
  ).join(' · ')
}

const missingWords = (missing: readonly CallFact[]) =>
  missing.length > 0 && `missing ${missing.map((fact) => shown(callFactText(fact))).join(', ')}`

/** When a deprecated operation is removed, and which one to call instead; undefined for others. */
function deprecationWords(operation: Operation | undefined): string | undefined {
  const { deprecated } = operation ?? {}
  if (!deprecated) return undefined
  const { from, until, replacement } = deprecated
  const since = from === undefined ? '' : ` since ${from}`
  const removal = until === undefined ? '' : `, with its removal on ${until}`
  return `the operation is deprecated${since}${removal}${replacement === undefined ? '' : `: call ${quoted(replacement)} instead`}`
}

/** Sentences about what an answer rests on besides requirements and rules. */
function notesOf(
  { matched, operation, basis, call, requirements, credentialState }: CallAnswer,
  routes: Routes,
  catalogue: Pick<Catalogue, 'seen' | 'complete'>,
): readonly string[] {
  const pathOf = ({ branch, path }: Operation) => quoted(`/${branch}${path}`)
  const [nearPath, methods] = matched.kind === 'none' ? [matched.near, matched.methods] : [undefined, []]
  const what = methods.length > 0 ? `the method ${call.method} for this path` : 'this path'
  const among =
    routes.operations.length === 0
      ? 'the catalogue holds no operations'
      : `no operation known in ${monthOfUnmatched(routes, call, catalogue)} has ${what}`
  return presentParts(
    matched.kind === 'none' && `${among}; the service may have newer ones`,
    methods.length > 0 && `the path is known with ${methods.join(', ')}`,
    nearPath !== undefined && `did you mean ${quoted(nearPath)}?`,
    matched.kind === 'several' && `it may be any of ${matched.operations.map(pathOf).join(', ')}`,
    matched.kind === 'one' &&
      matched.match.others.map((other) => `it also matches ${pathOf(other)}; the operation with more literal segments is used`),
    deprecationWords(operation),
    basis === 'open' && 'the operation needs no authentication',
    basis === 'session' && 'the operation needs no action: a valid session is enough',
    requirements.some(({ from }) => from === 'listing') && 'list calls are not refused: they return the resources that the caller may see',
    credentialState !== undefined &&
      credentialState !== 'validated' &&
      `the credential is ${quoted(credentialState)} according to the service: the answer only considers its rules`,
  )
}

interface CallStyle {
  readonly all: boolean
  readonly names: Names
  readonly paint: Paint
  readonly notesOn: (question: Question) => readonly string[]
  readonly more?: readonly string[]
}

export function callText(answer: CallAnswer, { routes, catalogue }: Known, world: World, style: CallStyle): string {
  const { verdict, requirements, credential, missing } = answer
  const { paint, more = [] } = style
  return linesText(
    `${verdictWord(verdict, paint)}  ${paint.bold(callWords(answer) ?? '')}`,
    refusedBy(answer).map((by) => `  refused by ${gates[by][0]}: 403, ${quoted(refusals[by].message)}`),
    more.map((note) => `  ${paint.warning('note:')} ${shown(note)}`),
    notesOf(answer, routes, catalogue).map((note) => `  ${note}`),
    requirements.map((each) => [!each.required && '  may be needed, but does not decide:', requirementLines(each, world, style)]),
    credential && `  ${verdictWord(credential.verdict, paint)}  ${credentialWords(credential)}`,
    presentParts(missing.map(remedy)).map((fact) => `  ${paint.dim(`settle it with ${fact}`)}`),
  )
}

function requirementLines({ action, from, why = '', verdict, asked }: JudgedRequirement, world: World, style: CallStyle) {
  const { paint } = style
  if (!asked) {
    const about = from === 'listing' ? 'on what the caller may see' : `on an unknown resource: ${shown(why)}`
    return [`  ${verdictWord(verdict, paint)}  ${paint.bold(shown(action))}  ${about}`]
  }
  const { question } = asked
  const explanation = explain(world, question)
  const turning = decisionIntervalOf(world, question, explanation.decision)
  const remedies = remediesOf(explanation.nearest, world, question)
  const explained = { question, explanation, all: style.all, names: style.names, notes: style.notesOn(question), turning, remedies }
  const lines = decisionText(explained, world, paint).trimEnd().split('\n')
  return lines.map((line) => `  ${line}`)
}

function credentialWords(gate: Gate): string {
  const { verdict, rule } = gate
  if (!rule) return 'no rule of the consumer key has this method and path'
  const by = `${ruleWords(gate)} of the consumer key (${placeWords(rule.span)})`
  return verdict === 'allow' ? `by rule ${by}` : `rule ${by} matches one spelling of the path, but not another`
}

const ruleWords = ({ rule }: Gate) => (rule ? quoted(`${rule.method.value} ${rule.path.value}`) : '')

/** How to settle a fact of the call itself; a decision prints its own. */
const remedy = (fact: CallFact) =>
  fact.kind === 'resource' ? `\`--resource URN\`: what ${quoted(fact.action)} applies to` : remedies[fact.kind]

const remedies: Readonly<Partial<Record<CallFact['kind'], string>>> = {
  actions: '`--action ACTION` for each action that the call needs',
  branch: 'a path that starts with `/v1` or `/v2`',
  path: 'the path as the service writes it: no trailing slash, no needless percent-encoding',
  call: 'METHOD and PATH of the call',
}

export interface GrantReport {
  readonly forbidden: Forbidden
  readonly refused: RefusedCall
  readonly grant: Grant
  /** The account whose policies decide; undefined where it is not known. */
  readonly account: string | undefined
  readonly hasPolicies: boolean
  /** Whose call it is, as it is printed. */
  readonly caller: string
  /** How the time turns the answers; none where it turns no answer. */
  readonly times: readonly GrantTime[]
  /** Commands to ask next, to be copied; none where there are no policies to ask about. */
  readonly next?: GrantNext
}

export interface GrantNext {
  readonly suggest: (action: string, resource: string) => string
  /** Who may change policies; undefined where the catalogue has no such action. */
  readonly who: string | undefined
}

export interface GrantTime {
  readonly action: string
  readonly at: number
  readonly turning: DecisionInterval | undefined
  /** When it is denied today, and when it is with what is proposed: over all times from now on, where no instant is given. */
  readonly denied: Formula | undefined
  readonly deniedAfter: Formula | undefined
  /** Where it is denied even with what is proposed: how the time turns that. */
  readonly turningAfter: DecisionInterval | undefined
}

export function grantJson(report: GrantReport) {
  const { forbidden, refused, grant, account = null } = report
  const { policies, accessRules, suffices = null, obstacles, missing } = grant
  const { gate, message, actions, byAuthentication } = forbidden
  const words = (formula: Formula | undefined) => (formula && !isNever(formula) ? (formulaWords(formula) ?? 'always') : null)
  return {
    refused: { by: gate, message, actions, actionsByAuthentication: byAuthentication },
    call: calledOf(refused),
    by: { who: gates[gate][1], account: gate === 'policies' ? account : null },
    grant: { policies, accessRules },
    suffices,
    obstacles: obstacles.map(clauseJson),
    missing: missing.map(callFactText),
    notes: grantNotes(report),
    times: report.times
      .filter(({ turning, deniedAfter }) => turning || deniedAfter)
      .map(({ action, turning, denied, deniedAfter }) => ({
        action,
        time: turningJson(turning),
        denied: words(denied),
        deniedAfter: words(deniedAfter),
      })),
  }
}

const grantNotes = ({ grant, refused, hasPolicies }: GrantReport) =>
  presentParts(
    grant.notes,
    deprecationWords(refused.operation),
    grant.policies.length > 0 && !hasPolicies && 'no policies were given: it is unknown whether one of them denies it',
  )

/** The effect of time on a refusal: when it ends by itself, or when the policies deny what they allow now. */
function timeLines({ times }: GrantReport, paint: Paint): readonly string[] {
  const [first] = times.flatMap(({ turning, turningAfter }) => turning ?? turningAfter ?? [])
  const lines = times.map(({ action, turning, denied }) => {
    const isAllowed = turning?.verdict === 'allow'
    const when = isAllowed ? denied && deniedWords(denied, turning.at) : turning && turnsWords(turning)
    if (when === undefined) return undefined
    if (isAllowed) return `  ${paint.warning('note:')} the policies deny ${quoted(action)} at other times: ${when}`
    return turning?.next?.verdict === 'allow'
      ? `  ${paint.info('ends by itself:')} ${quoted(action)} is ${when}`
      : `  ${quoted(action)}: ${when}`
  })
  return presentParts(first && `  ${turningInstant(first)}`, lines)
}

/** Denials that remain whatever is granted, and until when. */
function remainingLines({ grant, times }: GrantReport, paint: Paint): readonly string[] {
  const ends = times.flatMap(({ action, turningAfter }) => {
    const next = turningAfter?.next
    return next?.verdict === 'allow' ? [{ action, words: `until ${endWords(next.at, next.zone)}` }] : []
  })
  // Several actions have separate ends.
  const isOne = grant.needed.length === 1
  const when = ends.length === 0 ? ', as long as that applies' : isOne ? ends.map(({ words }) => ` ${words}`).join('') : ''
  const denial = ({ entry, policy, list }: Clause) =>
    `  ${paint.warning('explicitly denied')} by ${placeWords(entry.span)} ${titleWords(policy)} ${entryWords({ list, entry })}${when}`
  return [
    ...grant.obstacles.map(denial),
    ...(isOne ? [] : ends.map(({ action, words }) => `  ${quoted(action)} is explicitly denied ${words}`)),
  ]
}

/** Whether the policies that were given allow by now all that was refused. */
const isAllowedNow = ({ grant: { needed }, hasPolicies }: GrantReport) =>
  hasPolicies && needed.length > 0 && needed.every(({ verdict, from }) => verdict === 'allow' && from !== 'listing')

/** When something is denied from an instant on; undefined where it never is. */
function deniedWords(denied: Formula, from: number): string | undefined {
  const words = conditionWords(denied, new Windows({ from }))
  return words === 'never' ? undefined : (words ?? 'always')
}

function leftWords({ times }: GrantReport): string {
  const denials = times.flatMap(({ action, at, deniedAfter }) => {
    const words = deniedAfter && deniedWords(deniedAfter, at)
    return words === undefined ? [] : [times.length > 1 ? `${quoted(action)}: ${words}` : words]
  })
  return denials.length === 0 ? '' : `, but not at all times; denied ${denials.join('; ')}`
}

export function grantLine(report: GrantReport): string {
  const { forbidden, refused, grant } = report
  const grants = grant.policies.map(({ identities, resources, permissions: { allow } }) => {
    const actions = allow.map(({ action }) => quoted(action)).join(', ')
    return `grant ${shown(identities.join(', '))} ${actions} on ${shown(resources[0]?.urn ?? '')}`
  })
  return presentParts(
    `refused by ${gates[forbidden.gate][0]}`,
    callWords(refused),
    isAllowedNow(report) ? 'allowed by the given policies' : grant.obstacles.length === 0 && grants,
    grant.accessRules.map(({ method, path }) => `request ${quoted(`${method} ${path}`)}`),
    grant.obstacles.map(({ list, entry }) => `remains denied by ${placeWords(entry.span)} ${entryWords({ list, entry })}`),
    missingWords(grant.missing),
  ).join(' · ')
}

/** The same as text, with what is to be sent to the service. */
export function grantText(report: GrantReport, paint: Paint): string {
  const { forbidden, refused, grant, account, caller, next, times } = report
  const { accessRules, suffices, missing, needed } = grant
  // Next to a deny, a grant changes nothing: what would help is an edit of the policies.
  const isDenied = grant.obstacles.length > 0
  const policies = isAllowedNow(report) || isDenied ? [] : grant.policies
  const named = [...forbidden.actions, ...forbidden.byAuthentication]
  const isOfPolicies = forbidden.gate === 'policies'
  const whose = !isOfPolicies ? '' : `the account${account === undefined ? '' : ` ${shown(account)}`}, `
  const who = isOfPolicies && next?.who !== undefined ? `: \`${next.who}\`` : ''
  const below = policies.length === 1 ? 'the policy below' : 'the policies below'
  const settles = (fact: CallFact) => remedy(fact) ?? `the value of ${quoted(callFactText(fact))}: see \`grantwise can\``
  const isTimed = times.some(({ turning }) => turning?.next?.verdict === 'allow')
  const help = needed.map(
    ({ action, resource, verdict }) =>
      resource !== undefined && verdict === 'deny' && next && `  ${paint.info('what would help:')} \`${next.suggest(action, resource)}\``,
  )
  return linesText(
    presentParts(paint.error('403'), caller !== '' && caller, paint.bold(callWords(refused) ?? '(the call is not given)')).join('  '),
    `  refused by ${gates[forbidden.gate][0]}: ${quoted(forbidden.message)}`,
    named.length > 0 && `  the service names ${named.map(quoted).join(', ')}`,
    timeLines(report, paint),
    remainingLines(report, paint),
    isDenied && ['  a new grant would not help: a deny counts for more than any allow', help],
    `  who can change this: ${whose}${gates[forbidden.gate][2]}${who}`,
    grantNotes(report).map((note) => `  ${paint.warning('note:')} ${note}`),
    missing.map((fact) => `  ${paint.dim(`settle it with ${settles(fact)}`)}`),
    policies.length > 0 && [
      suffices && `  with ${below}, the given policies allow it${leftWords(report)}`,
      isTimed && `  ${paint.warning('note:')} ${below} would also allow it at times at which the policies given do not`,
      written(policies.length === 1 ? policies[0] : policies),
    ],
    accessRules.length > 0 && written({ accessRules }),
  )
}

/** A value as JSON, a field a line, with the care that is taken of every text. */
const written = (value: unknown) => JSON.stringify(value, null, 2).split('\n').map(shownJson)
