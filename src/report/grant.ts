import { callFactText } from '../calls/facts.ts'
import type { Forbidden, ForbiddenGate } from '../calls/forbidden.ts'
import type { Grant, RefusedCall } from '../calls/grant.ts'
import { place } from '../diagnostic.ts'
import { writtenAs } from '../glob.ts'
import { type Formula, isNever } from '../symbolic/formula.ts'
import type { Turning } from '../symbolic/turns.ts'
import { Windows } from '../symbolic/windows.ts'
import { remedy } from './call.ts'
import type { Paint } from './colour.ts'
import { conditionWords, formulaWords } from './conditions.ts'
import { clauseJson } from './decision.ts'
import { shown } from './safe.ts'
import { turningInstant, turningJson, turnsWords } from './why.ts'
import { quoted } from './words.ts'

/** A refusal, and what would lift it. */
export interface GrantReport {
  readonly forbidden: Forbidden
  readonly refused: RefusedCall
  readonly grant: Grant
  /** The account whose policies decide; undefined where it is not known. */
  readonly account: string | undefined
  readonly hasPolicies: boolean
  /** How the time turns the answers; none where it turns no answer. */
  readonly times: readonly GrantTime[]
}

/** How the time turns the answer for one action. */
export interface GrantTime {
  readonly action: string
  /** The instant that is asked about. */
  readonly at: number
  readonly turning: Turning | undefined
  /** When it is denied today, and when it is with what is proposed: over all times from now on, where no instant is given. */
  readonly denied: Formula | undefined
  readonly deniedAfter: Formula | undefined
}

/** Who can lift the refusal of a gate. */
const lifters: Readonly<Record<ForbiddenGate, string>> = {
  policies: 'the account, or whoever may change its policies',
  credential: 'the application, in a new request for a credential, and the customer who accepts it',
  authentication: 'whoever manages the authentication: the permissions of the token or consumer key',
}

/** The same in a word, for machines. */
const whoLifts = { policies: 'account', credential: 'application', authentication: 'authentication' } as const

const gateNames: Readonly<Record<ForbiddenGate, string>> = {
  policies: 'the policies',
  credential: 'the rules of the consumer key',
  authentication: 'the authentication',
}

function calledOf({ call, operation }: RefusedCall) {
  return call ? { branch: operation?.branch ?? call.branch ?? null, method: call.method, path: operation?.path ?? call.sent } : null
}

/** A refusal and what would lift it, as machines read it. */
export function grantJson(report: GrantReport) {
  const { forbidden, refused, grant, account } = report
  const { policies, accessRules, suffices, obstacles, missing } = grant
  return {
    refused: {
      by: forbidden.gate,
      message: forbidden.message,
      actions: forbidden.actions,
      actionsByAuthentication: forbidden.byAuthentication,
    },
    call: calledOf(refused),
    by: { who: whoLifts[forbidden.gate], account: forbidden.gate === 'policies' ? (account ?? null) : null },
    grant: { policies, accessRules },
    suffices: suffices ?? null,
    obstacles: obstacles.map(clauseJson),
    missing: missing.map(callFactText),
    notes: notesOf(report),
    times: report.times.map(timeJson),
  }
}

function notesOf({ grant, hasPolicies }: GrantReport): readonly string[] {
  const unchecked = grant.policies.length > 0 && !hasPolicies
  return [...grant.notes, ...(unchecked ? ['no policies were given: it is unknown whether one of them denies it'] : [])]
}

function timeJson({ action, turning, denied, deniedAfter }: GrantTime) {
  const words = (formula: Formula | undefined) => (formula && !isNever(formula) ? (formulaWords(formula) ?? 'always') : null)
  return { action, time: turningJson(turning), denied: words(denied), deniedAfter: words(deniedAfter) }
}

/** What time does to the refusal: when it ends by itself, or when the policies deny what they allow now. */
function timeLines({ times }: GrantReport, paint: Paint): readonly string[] {
  const [first] = times.flatMap(({ turning }) => (turning ? [turning] : []))
  if (!first) return []
  const lines = times.flatMap(({ action, turning, denied }) => {
    if (!turning) return []
    if (turning.verdict === 'allow') {
      const when = denied && deniedWords(denied, turning.at)
      return when === undefined ? [] : [`  ${paint.warning('note:')} the policies deny ${quoted(action)} at other times: ${when}`]
    }
    const words = turnsWords(turning)
    if (words === undefined) return []
    const ends = turning.next?.verdict === 'allow' ? 'the denial ends by itself: ' : ''
    return [`  ${paint.info('without an edit:')} ${quoted(action)}: ${ends}${words}`]
  })
  return [`  ${turningInstant(first)}`, ...lines]
}

/** When something is denied from an instant on; undefined where it never is. */
function deniedWords(denied: Formula, from: number): string | undefined {
  const words = conditionWords(denied, new Windows({ from }))
  return words === 'never' ? undefined : (words ?? 'always')
}

/** What the proposal leaves denied, of what it grants now. */
function leftWords({ times }: GrantReport): string {
  const left = times.flatMap(({ action, at, deniedAfter }) => {
    const words = deniedAfter && deniedWords(deniedAfter, at)
    return words === undefined ? [] : [times.length > 1 ? `${quoted(action)}: ${words}` : words]
  })
  return left.length === 0 ? '' : `, but not at all times; denied ${left.join('; ')}`
}

/** The same on one line. */
export function grantLine(report: GrantReport): string {
  const { forbidden, refused, grant } = report
  const { policies, accessRules, obstacles, missing } = grant
  const called = callWords(refused)
  const parts = [`refused by ${gateNames[forbidden.gate]}`, ...(called === '' ? [] : [called])]
  for (const { identities, resources, permissions } of policies)
    parts.push(
      `grant ${shown(identities.join(', '))} ${permissions.allow.map(({ action }) => quoted(action)).join(', ')} on ${shown(resources[0]?.urn ?? '')}`,
    )
  for (const { method, path } of accessRules) parts.push(`request ${quoted(`${method} ${path}`)}`)
  for (const { entry, list } of obstacles) parts.push(`remove ${shown(place(entry.span))} ${list} ${quoted(writtenAs(entry.value))}`)
  if (missing.length > 0) parts.push(`missing ${missing.map((fact) => shown(callFactText(fact))).join(', ')}`)
  return parts.join(' · ')
}

/** The same for people, with the text to be sent to the service. */
export function grantText(report: GrantReport, paint: Paint): string {
  const { forbidden, refused, grant, account } = report
  const { policies, accessRules, suffices, obstacles, missing } = grant
  const lines = [`${paint.error('403')}  ${paint.bold(callWords(refused) || 'a call')}`]
  lines.push(`  refused by ${gateNames[forbidden.gate]}: ${quoted(forbidden.message)}`)
  const named = [...forbidden.actions, ...forbidden.byAuthentication]
  if (named.length > 0) lines.push(`  the service names ${named.map(quoted).join(', ')}`)
  const whose = forbidden.gate === 'policies' && account !== undefined ? ` (${shown(account)})` : ''
  lines.push(`  who can change this: ${lifters[forbidden.gate]}${whose}`)
  lines.push(...timeLines(report, paint))
  for (const note of notesOf(report)) lines.push(`  ${paint.warning('note:')} ${note}`)
  for (const { entry, policy, list } of obstacles)
    lines.push(
      `  it remains denied by ${shown(place(entry.span))} ${shown(policy.name.value)} ${list} ${quoted(writtenAs(entry.value))}, which has to be removed first`,
    )
  for (const fact of missing)
    lines.push(`  ${paint.dim(`settle it with ${remedy(fact) ?? `the value of ${quoted(callFactText(fact))}: see \`grantwise can\``}`)}`)
  if (suffices) lines.push(`  with this, the given policies allow it${leftWords(report)}`)
  if (policies.length > 0) lines.push(...written(policies.length === 1 ? policies[0] : policies))
  if (accessRules.length > 0) lines.push(...written({ accessRules }))
  return `${lines.join('\n')}\n`
}

/** A value as JSON, a field a line, with the care that is taken of every text. */
function written(value: unknown): readonly string[] {
  return JSON.stringify(value, null, 2).split('\n').map(shown)
}

function callWords(refused: RefusedCall): string {
  const called = calledOf(refused)
  return called === null ? '' : `${called.method} ${called.branch === null ? '' : `/${called.branch}`}${shown(called.path)}`
}
