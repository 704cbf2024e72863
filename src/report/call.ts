import type { Gate } from '../calls/access.ts'
import { type CallFact, callFactText } from '../calls/facts.ts'
import type { CallAnswer, JudgedRequirement } from '../calls/judge.ts'
import type { Routes } from '../calls/match.ts'
import { place } from '../diagnostic.ts'
import type { World } from '../policy.ts'
import { explain } from '../simulate/decide.ts'
import type { Question, Verdict } from '../simulate/decision.ts'
import { turningOf } from '../symbolic/turns.ts'
import type { Paint } from './colour.ts'
import { answerJson, decisionLine, decisionText } from './decision.ts'
import type { Names } from './names.ts'
import { remediesOf } from './remedy.ts'
import { shown } from './safe.ts'
import { quoted } from './words.ts'

/** What the service answers where a gate is shut. */
const refusals = {
  policies: { status: 403, class: 'Client::Forbidden', message: 'User not granted for this request' },
  credential: { status: 403, class: null, message: 'This call has not been granted' },
} as const

type GateName = keyof typeof refusals

/** The gates that refuse the call, in order. */
function refusedBy({ policies, credential }: CallAnswer): readonly GateName[] {
  return [...(policies === 'deny' ? (['policies'] as const) : []), ...(credential?.verdict === 'deny' ? (['credential'] as const) : [])]
}

/** The call that the answer is about: the operation's template, or where there is none the path as it was given. */
function calledOf({ call, operation }: CallAnswer) {
  return { branch: operation?.branch ?? call.branch ?? null, method: call.method, path: operation?.path ?? call.sent }
}

/** An answer as machines read it. */
export function callJson(answer: CallAnswer, routes: Routes, world: World) {
  const { verdict, basis, requirements, credential, missing } = answer
  return {
    call: calledOf(answer),
    verdict,
    basis,
    requirements: requirements.map((each) => requirementJson(each, world)),
    credential: credential ? gateJson(credential) : null,
    refused: refusedBy(answer).map((by) => ({ by, ...refusals[by] })),
    missing: missing.map(callFactText),
    notes: notesOf(answer, routes),
  }
}

function requirementJson({ action, resource, required, verdict, from, asked }: JudgedRequirement, world: World) {
  const start = { action, resource: resource ?? null, required, verdict }
  if (asked) {
    const { reason, clauses, missing, caveats, time } = answerJson(
      asked.decision,
      world,
      asked.question,
      turningOf(world, asked.question, asked.decision),
    )
    return { ...start, reason, clauses, missing, caveats, time }
  }
  const isList = from === 'listing'
  return { ...start, reason: isList ? 'listing' : 'unknown', clauses: [], missing: isList ? [] : [`resource(${action})`], caveats: [] }
}

function gateJson({ verdict, rule }: Gate) {
  return { verdict, rule: rule ? { method: rule.method.value, path: rule.path.value } : null }
}

/** An answer on one line. */
export function callLine(answer: CallAnswer): string {
  const { verdict, requirements, credential, missing } = answer
  const parts = [`${verdict} · ${callWords(answer)}`]
  for (const { action, resource, required, from, asked, why } of requirements) {
    const about =
      resource === undefined ? (from === 'listing' ? 'what may be seen' : `unknown resource (${shown(why ?? '')})`) : shown(resource)
    parts.push(`${required ? 'needs' : 'may need'} ${quoted(action)} on ${about}${asked ? `: ${decisionLine(asked.decision)}` : ''}`)
  }
  if (credential) parts.push(`credential ${credential.verdict}${credential.rule ? ` by ${ruleWords(credential)}` : ''}`)
  for (const by of refusedBy(answer)) parts.push(`403 ${refusals[by].message}`)
  if (missing.length > 0) parts.push(`missing ${missing.map((fact) => shown(callFactText(fact))).join(', ')}`)
  return parts.join(' · ')
}

/** What an answer rests on that neither requirements nor rules say, a sentence each. */
export function notesOf({ matched, basis, call, requirements, credentialState }: CallAnswer, { size, seen }: Routes): readonly string[] {
  const notes: string[] = []
  if (matched.kind === 'none') {
    const { near, methods } = matched
    const what = methods.length > 0 ? `the method ${call.method} for this path` : 'this path'
    const among = size === 0 ? 'the catalogue holds no operations' : `none of the ${size} operations known in ${seen} has ${what}`
    notes.push(`${among}; the service may have newer ones`)
    if (methods.length > 0) notes.push(`the path is known with ${methods.join(', ')}`)
    if (near !== undefined) notes.push(`did you mean ${quoted(near)}?`)
  }
  if (matched.kind === 'several')
    notes.push(`it may be any of ${matched.operations.map(({ branch, path }) => quoted(`/${branch}${path}`)).join(', ')}`)
  if (matched.kind === 'one') {
    for (const { branch, path } of matched.match.others)
      notes.push(`it also matches ${quoted(`/${branch}${path}`)}; the operation with more literal segments is used`)
  }
  if (basis === 'open') notes.push('the operation needs no authentication')
  if (basis === 'session') notes.push('the operation needs no action: a valid session is enough')
  if (requirements.some(({ from }) => from === 'listing'))
    notes.push('list calls are not refused: they return the resources that the caller may see')
  if (credentialState !== undefined && credentialState !== 'validated')
    notes.push(`the credential is ${quoted(credentialState)} according to the service: the answer only considers its rules`)
  return notes
}

/** An answer for people. With `show.all`, the part of every policy in each decision; `notesOn` a question that nothing grants. */
export function callText(
  answer: CallAnswer,
  routes: Routes,
  world: World,
  notesOn: (question: Question) => readonly string[],
  paint: Paint,
  show: { readonly all: boolean; readonly names: Names },
): string {
  const { verdict, requirements, credential, missing } = answer
  const lines = [`${verdictWord(verdict, paint)}  ${paint.bold(callWords(answer))}`]
  for (const by of refusedBy(answer)) lines.push(`  refused by ${gateNames[by]}: 403, ${quoted(refusals[by].message)}`)
  for (const note of notesOf(answer, routes)) lines.push(`  ${note}`)
  for (const requirement of requirements) lines.push(...requirementLines(requirement, world, notesOn, paint, show))
  if (credential) lines.push(`  ${verdictWord(credential.verdict, paint)}  ${credentialWords(credential)}`)
  for (const fact of missing.map(remedy).filter((each) => each !== undefined)) lines.push(`  ${paint.dim(`settle it with ${fact}`)}`)
  return `${lines.join('\n')}\n`
}

const gateNames: Readonly<Record<GateName, string>> = { policies: 'the policies', credential: 'the rules of the consumer key' }

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
    const notes = explanation.decision.reason === 'default' ? notesOn(asked.question) : []
    const remedies = remediesOf(explanation.nearest, world, asked.question)
    const options = { ...show, notes, turning, remedies }
    return `${role}${indented(decisionText(asked.question, explanation, world, paint, options))}`.trimEnd().split('\n')
  }
  const about = from === 'listing' ? 'on what the caller may see' : `on an unknown resource: ${shown(why ?? '')}`
  return `${role}  ${verdictWord(verdict, paint)}  ${paint.bold(shown(action))}  ${about}`.split('\n')
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, '  ')
}

function credentialWords(gate: Gate): string {
  const { verdict, rule } = gate
  if (!rule) return 'no rule of the consumer key has this method and path'
  const by = `${ruleWords(gate)} of the consumer key (${shown(place(rule.span))})`
  return verdict === 'allow' ? `by rule ${by}` : `rule ${by} matches one spelling of the path, but not another`
}

function ruleWords({ rule }: Gate): string {
  return rule ? quoted(`${rule.method.value} ${rule.path.value}`) : ''
}

/** How to settle a fact of the call itself; a decision prints its own. */
export function remedy(fact: CallFact): string | undefined {
  switch (fact.kind) {
    case 'actions':
      return '`--action ACTION` for each action that the call needs'
    case 'resource':
      return `\`--resource URN\`: what ${quoted(fact.action)} applies to`
    case 'branch':
      return 'a path that starts with `/v1` or `/v2`'
    case 'path':
      return 'the path as the service writes it: no trailing slash, no needless percent-encoding'
    case 'call':
      return 'METHOD and PATH of the call'
    default:
      return undefined
  }
}

function callWords(answer: CallAnswer): string {
  const { branch, method, path } = calledOf(answer)
  return `${method} ${branch === null ? '' : `/${branch}`}${shown(path)}`
}

function verdictWord(verdict: Verdict, paint: Paint): string {
  return { allow: paint.good, deny: paint.error, unknown: paint.warning }[verdict](verdict.toUpperCase())
}
