import { callFactText } from '../calls/facts.ts'
import type { Forbidden, ForbiddenGate } from '../calls/forbidden.ts'
import type { Grant, RefusedCall } from '../calls/grant.ts'
import { place } from '../diagnostic.ts'
import { writtenAs } from '../glob.ts'
import { titled } from '../policy.ts'
import { type Formula, isNever } from '../symbolic/formula.ts'
import type { Turning } from '../symbolic/turns.ts'
import { Windows } from '../symbolic/windows.ts'
import { remedy } from './call.ts'
import type { Paint } from './colour.ts'
import { conditionWords, formulaWords } from './conditions.ts'
import { clauseJson } from './decision.ts'
import { endWords } from './instants.ts'
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
  /** Where it is denied even with what is proposed: how the time turns that. */
  readonly turningAfter: Turning | undefined
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
    times: report.times.filter(({ turning, deniedAfter }) => turning || deniedAfter).map(timeJson),
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
  const [first] = times.flatMap(({ turning, turningAfter }) => turning ?? turningAfter ?? [])
  if (!first) return []
  const lines = times.flatMap(({ action, turning, denied }) => {
    if (!turning) return []
    if (turning.verdict === 'allow') {
      const when = denied && deniedWords(denied, turning.at)
      return when === undefined ? [] : [`  ${paint.warning('note:')} the policies deny ${quoted(action)} at other times: ${when}`]
    }
    const words = turnsWords(turning)
    if (words === undefined) return []
    return turning.next?.verdict === 'allow'
      ? [`  ${paint.info('ends by itself:')} ${quoted(action)} is ${words}`]
      : [`  ${quoted(action)}: ${words}`]
  })
  return [`  ${turningInstant(first)}`, ...lines]
}

/** What denies it whatever else is granted, and until when. */
function remainingLines({ grant, times }: GrantReport, paint: Paint): readonly string[] {
  const ends = times.flatMap(({ action, turningAfter }) => {
    const next = turningAfter?.next
    return next?.verdict === 'allow' ? [{ action, words: `until ${endWords(next.at, next.zone)}` }] : []
  })
  // Of several actions each has an end of its own.
  const until = grant.needed.length === 1 ? ends.map(({ words }) => ` ${words}`).join('') : ''
  const each = grant.needed.length === 1 ? [] : ends.map(({ action, words }) => `  ${quoted(action)} is denied ${words}`)
  const by = grant.obstacles.map(
    ({ entry, policy, list }) =>
      `  ${paint.warning('remains:')} denied by ${shown(place(entry.span))} ${shown(titled(policy.name.value, policy.address))} ${list} ${quoted(writtenAs(entry.value))}${until}${until === '' && ends.length === 0 ? ', as long as that applies' : ''}`,
  )
  return [...by, ...each]
}

/** Whether the policies that were given allow by now all that was refused. */
function isAllowedNow({ grant: { needed }, hasPolicies }: GrantReport): boolean {
  return hasPolicies && needed.length > 0 && needed.every(({ verdict, from }) => verdict === 'allow' && from !== 'listing')
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
  const { accessRules, obstacles, missing } = grant
  const policies = isAllowedNow(report) ? [] : grant.policies
  const called = callWords(refused)
  const parts = [`refused by ${gateNames[forbidden.gate]}`, ...(called === '' ? [] : [called])]
  if (isAllowedNow(report)) parts.push('allowed by the given policies')
  for (const { identities, resources, permissions } of policies)
    parts.push(
      `grant ${shown(identities.join(', '))} ${permissions.allow.map(({ action }) => quoted(action)).join(', ')} on ${shown(resources[0]?.urn ?? '')}`,
    )
  for (const { method, path } of accessRules) parts.push(`request ${quoted(`${method} ${path}`)}`)
  for (const { entry, list } of obstacles)
    parts.push(`remains denied by ${shown(place(entry.span))} ${list} ${quoted(writtenAs(entry.value))}`)
  if (missing.length > 0) parts.push(`missing ${missing.map((fact) => shown(callFactText(fact))).join(', ')}`)
  return parts.join(' · ')
}

/** The same for people, with the text to be sent to the service. */
export function grantText(report: GrantReport, paint: Paint): string {
  const { forbidden, refused, grant, account } = report
  const { accessRules, suffices, missing } = grant
  const policies = isAllowedNow(report) ? [] : grant.policies
  const lines = [`${paint.error('403')}  ${paint.bold(callWords(refused) || 'a call')}`]
  lines.push(`  refused by ${gateNames[forbidden.gate]}: ${quoted(forbidden.message)}`)
  const named = [...forbidden.actions, ...forbidden.byAuthentication]
  if (named.length > 0) lines.push(`  the service names ${named.map(quoted).join(', ')}`)
  const whose = forbidden.gate === 'policies' && account !== undefined ? ` (${shown(account)})` : ''
  lines.push(...timeLines(report, paint))
  lines.push(...remainingLines(report, paint))
  lines.push(`  who can change this: ${lifters[forbidden.gate]}${whose}`)
  for (const note of notesOf(report)) lines.push(`  ${paint.warning('note:')} ${note}`)
  for (const fact of missing)
    lines.push(`  ${paint.dim(`settle it with ${remedy(fact) ?? `the value of ${quoted(callFactText(fact))}: see \`grantwise can\``}`)}`)
  const below = policies.length === 1 ? 'the policy below' : 'the policies below'
  if (suffices && policies.length > 0) lines.push(`  with ${below}, the given policies allow it${leftWords(report)}`)
  if (grant.obstacles.length > 0 && policies.length > 0)
    lines.push(`  it is not granted either: ${below} ${policies.length === 1 ? 'grants' : 'grant'} it`)
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
