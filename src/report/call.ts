import type { Operation } from '../actions/operations.ts'
import type { Gate } from '../calls/access.ts'
import { type CallFact, callFactText } from '../calls/facts.ts'
import type { CallAnswer, JudgedRequirement } from '../calls/judge.ts'
import type { Routes } from '../calls/match.ts'
import type { World } from '../policy.ts'
import { explain } from '../simulate/decide.ts'
import type { Question } from '../simulate/decision.ts'
import { turningOf } from '../symbolic/turns.ts'
import type { Paint } from './colour.ts'
import { answerJson, decisionLine, decisionText, verdictWord } from './decision.ts'
import type { Names } from './names.ts'
import { remediesOf } from './remedy.ts'
import { shown } from './safe.ts'
import { linesText, placeWords, quoted, said } from './words.ts'

/** What the service answers where a gate is shut. */
const refusals = {
  policies: { status: 403, class: 'Client::Forbidden', message: 'User not granted for this request' },
  credential: { status: 403, class: null, message: 'This call has not been granted' },
} as const

/** The gates that refuse the call, in order. */
function refusedBy({ policies, credential }: CallAnswer): readonly (keyof typeof refusals)[] {
  return (['policies', 'credential'] as const).filter((by) => (by === 'policies' ? policies : credential?.verdict) === 'deny')
}

/** The gates, in words. */
export const gateNames = {
  policies: 'the policies',
  credential: 'the rules of the consumer key',
  authentication: 'the authentication',
} as const

type Called = Pick<CallAnswer, 'call' | 'operation'>

/** The call that the answer is about: the operation's template, or where there is none the path as it was given. */
export function calledOf({ call, operation }: Called) {
  return { branch: operation?.branch ?? call.branch ?? null, method: call.method, path: operation?.path ?? call.sent }
}

/** The same in words. */
export function callWords(called: Called): string {
  const { branch, method, path } = calledOf(called)
  return `${method} ${branch === null ? '' : `/${branch}`}${shown(path)}`
}

/** An answer as machines read it. */
export function callJson(answer: CallAnswer, routes: Routes, world: World, more: readonly string[] = []) {
  const { verdict, basis, requirements, credential, missing } = answer
  return {
    call: calledOf(answer),
    verdict,
    basis,
    requirements: requirements.map((each) => requirementJson(each, world)),
    credential: credential ? { verdict: credential.verdict, rule: ruleJson(credential) } : null,
    refused: refusedBy(answer).map((by) => ({ by, ...refusals[by] })),
    missing: missing.map(callFactText),
    notes: [...notesOf(answer, routes), ...more],
  }
}

function requirementJson({ action, resource, required, verdict, from, asked }: JudgedRequirement, world: World) {
  const start = { action, resource: resource ?? null, required, verdict }
  if (asked) {
    const { decision, question } = asked
    const { verdict: _, ...rest } = answerJson(decision, world, question, turningOf(world, question, decision))
    return { ...start, ...rest }
  }
  const isList = from === 'listing'
  return { ...start, reason: isList ? 'listing' : 'unknown', clauses: [], missing: isList ? [] : [`resource(${action})`], caveats: [] }
}

const ruleJson = ({ rule }: Gate) => (rule ? { method: rule.method.value, path: rule.path.value } : null)

/** An answer on one line. */
export function callLine(answer: CallAnswer): string {
  const { verdict, requirements, credential, missing } = answer
  const needs = requirements.map(({ action, resource, required, from, asked, why }) => {
    const about = resource ?? (from === 'listing' ? 'what may be seen' : `unknown resource (${why ?? ''})`)
    return `${required ? 'needs' : 'may need'} ${quoted(action)} on ${shown(about)}${asked ? `: ${decisionLine(asked.decision)}` : ''}`
  })
  return said(
    `${verdict} · ${callWords(answer)}`,
    needs,
    credential && `credential ${credential.verdict}${credential.rule ? ` by ${ruleWords(credential)}` : ''}`,
    refusedBy(answer).map((by) => `403 ${refusals[by].message}`),
    missingWords(missing),
  ).join(' · ')
}

/** Facts that a line names. */
export const missingWords = (missing: readonly CallFact[]) =>
  missing.length > 0 && `missing ${missing.map((fact) => shown(callFactText(fact))).join(', ')}`

/** What an answer rests on that neither requirements nor rules say, a sentence each. */
export function notesOf({ matched, basis, call, requirements, credentialState }: CallAnswer, { size, seen }: Routes): readonly string[] {
  const pathOf = ({ branch, path }: Operation) => quoted(`/${branch}${path}`)
  const [near, methods] = matched.kind === 'none' ? [matched.near, matched.methods] : [undefined, []]
  const what = methods.length > 0 ? `the method ${call.method} for this path` : 'this path'
  const among = size === 0 ? 'the catalogue holds no operations' : `none of the ${size} operations known in ${seen} has ${what}`
  return said(
    matched.kind === 'none' && `${among}; the service may have newer ones`,
    methods.length > 0 && `the path is known with ${methods.join(', ')}`,
    near !== undefined && `did you mean ${quoted(near)}?`,
    matched.kind === 'several' && `it may be any of ${matched.operations.map(pathOf).join(', ')}`,
    matched.kind === 'one' &&
      matched.match.others.map((other) => `it also matches ${pathOf(other)}; the operation with more literal segments is used`),
    basis === 'open' && 'the operation needs no authentication',
    basis === 'session' && 'the operation needs no action: a valid session is enough',
    requirements.some(({ from }) => from === 'listing') && 'list calls are not refused: they return the resources that the caller may see',
    credentialState !== undefined &&
      credentialState !== 'validated' &&
      `the credential is ${quoted(credentialState)} according to the service: the answer only considers its rules`,
  )
}

/** An answer in words. `show.all`: the part of every policy in each decision; `show.more`: what else to note; `notesOn`: notes on a question. */
export function callText(
  answer: CallAnswer,
  routes: Routes,
  world: World,
  notesOn: (question: Question) => readonly string[],
  paint: Paint,
  show: { readonly all: boolean; readonly names: Names; readonly more?: readonly string[] },
): string {
  const { verdict, requirements, credential, missing } = answer
  return linesText(
    `${verdictWord(verdict, paint)}  ${paint.bold(callWords(answer))}`,
    refusedBy(answer).map((by) => `  refused by ${gateNames[by]}: 403, ${quoted(refusals[by].message)}`),
    show.more?.map((note) => `  ${paint.warning('note:')} ${shown(note)}`),
    notesOf(answer, routes).map((note) => `  ${note}`),
    requirements.map((requirement) => requirementLines(requirement, world, notesOn, paint, show)),
    credential && `  ${verdictWord(credential.verdict, paint)}  ${credentialWords(credential)}`,
    said(missing.map(remedy)).map((fact) => `  ${paint.dim(`settle it with ${fact}`)}`),
  )
}

function requirementLines(
  { action, required, from, why, verdict, asked }: JudgedRequirement,
  world: World,
  notesOn: (question: Question) => readonly string[],
  paint: Paint,
  show: { readonly all: boolean; readonly names: Names },
): readonly string[] {
  const role = required ? '' : '  may be needed, but does not decide:\n'
  if (asked) {
    const explanation = explain(world, asked.question)
    const turning = turningOf(world, asked.question, explanation.decision)
    const notes = notesOn(asked.question)
    const remedies = remediesOf(explanation.nearest, world, asked.question)
    const options = { ...show, notes, turning, remedies }
    const text = decisionText(asked.question, explanation, world, paint, options).replace(/^(?=.)/gm, '  ')
    return `${role}${text}`.trimEnd().split('\n')
  }
  const about = from === 'listing' ? 'on what the caller may see' : `on an unknown resource: ${shown(why ?? '')}`
  return `${role}  ${verdictWord(verdict, paint)}  ${paint.bold(shown(action))}  ${about}`.split('\n')
}

function credentialWords(gate: Gate): string {
  const { verdict, rule } = gate
  if (!rule) return 'no rule of the consumer key has this method and path'
  const by = `${ruleWords(gate)} of the consumer key (${placeWords(rule.span)})`
  return verdict === 'allow' ? `by rule ${by}` : `rule ${by} matches one spelling of the path, but not another`
}

function ruleWords({ rule }: Gate): string {
  return rule ? quoted(`${rule.method.value} ${rule.path.value}`) : ''
}

/** How to settle a fact of the call itself; a decision prints its own. */
export function remedy(fact: CallFact): string | undefined {
  return fact.kind === 'resource' ? `\`--resource URN\`: what ${quoted(fact.action)} applies to` : remedies[fact.kind]
}

const remedies: Readonly<Partial<Record<CallFact['kind'], string>>> = {
  actions: '`--action ACTION` for each action that the call needs',
  branch: 'a path that starts with `/v1` or `/v2`',
  path: 'the path as the service writes it: no trailing slash, no needless percent-encoding',
  call: 'METHOD and PATH of the call',
}
