import { type CallFact, callFactText } from '../calls/facts.ts'
import type { Forbidden, ForbiddenGate } from '../calls/forbidden.ts'
import type { Grant, RefusedCall } from '../calls/grant.ts'
import type { Clause } from '../simulate/decision.ts'
import { type Formula, isNever } from '../symbolic/formula.ts'
import type { Turning } from '../symbolic/turns.ts'
import { Windows } from '../symbolic/windows.ts'
import { calledOf, callWords, gateNames, missingWords, remedy } from './call.ts'
import type { Paint } from './colour.ts'
import { conditionWords, formulaWords } from './conditions.ts'
import { clauseJson } from './decision.ts'
import { endWords } from './instants.ts'
import { shown } from './safe.ts'
import { turningInstant, turningJson, turnsWords } from './why.ts'
import { entryWords, linesText, placeWords, quoted, said, titleWords } from './words.ts'

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
  /** Commands to ask next, to be copied; none where there are no policies to ask about. */
  readonly next?: GrantNext
}

/** The commands that answer what a refusal leaves open. */
export interface GrantNext {
  /** The edits that would allow an action that is denied. */
  readonly suggest: (action: string, resource: string) => string
  /** Who may change policies; undefined where the catalogue has no such action. */
  readonly who: string | undefined
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

/** Who can lift the refusal of a gate: in a word, for machines, and in words. */
const lifters: Readonly<Record<ForbiddenGate, readonly [word: string, words: string]>> = {
  policies: ['account', 'the account, or any identity that may change its policies'],
  credential: ['application', 'the application, in a new request for a credential, and the customer who accepts it'],
  authentication: ['authentication', 'the team that manages the authentication: the permissions of the token or consumer key'],
}

/** The refused call, where it is known. */
const knownCall = ({ call, operation }: RefusedCall) => call && { call, operation }

/** A refusal and what would lift it, as machines read it. */
export function grantJson(report: GrantReport) {
  const { forbidden, refused, grant, account } = report
  const { policies, accessRules, suffices, obstacles, missing } = grant
  const known = knownCall(refused)
  return {
    refused: {
      by: forbidden.gate,
      message: forbidden.message,
      actions: forbidden.actions,
      actionsByAuthentication: forbidden.byAuthentication,
    },
    call: known ? calledOf(known) : null,
    by: { who: lifters[forbidden.gate][0], account: forbidden.gate === 'policies' ? (account ?? null) : null },
    grant: { policies, accessRules },
    suffices: suffices ?? null,
    obstacles: obstacles.map(clauseJson),
    missing: missing.map(callFactText),
    notes: notesOf(report),
    times: report.times.filter(({ turning, deniedAfter }) => turning || deniedAfter).map(timeJson),
  }
}

function notesOf({ grant, hasPolicies }: GrantReport): readonly string[] {
  const isUnchecked = grant.policies.length > 0 && !hasPolicies
  return said(grant.notes, isUnchecked && 'no policies were given: it is unknown whether one of them denies it')
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
      return said(when !== undefined && `  ${paint.warning('note:')} the policies deny ${quoted(action)} at other times: ${when}`)
    }
    const words = turnsWords(turning)
    const [head, verb] = turning.next?.verdict === 'allow' ? [`${paint.info('ends by itself:')} `, ' is'] : ['', ':']
    return said(words !== undefined && `  ${head}${quoted(action)}${verb} ${words}`)
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
  const each = grant.needed.length === 1 ? [] : ends.map(({ action, words }) => `  ${quoted(action)} is explicitly denied ${words}`)
  const when = ends.length === 0 ? ', as long as that applies' : until
  const by = grant.obstacles.map((clause) => {
    const { entry, policy } = clause
    return `  ${paint.warning('remains:')} denied by ${placeWords(entry.span)} ${titleWords(policy)} ${ownEntry(clause)}${when}`
  })
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

/** An entry without the group that it may come from. */
const ownEntry = ({ list, entry }: Clause) => entryWords({ list, entry })

/** The same on one line. */
export function grantLine(report: GrantReport): string {
  const { forbidden, refused, grant } = report
  const known = knownCall(refused)
  const grants = grant.policies.map(({ identities, resources, permissions: { allow } }) => {
    const actions = allow.map(({ action }) => quoted(action)).join(', ')
    return `grant ${shown(identities.join(', '))} ${actions} on ${shown(resources[0]?.urn ?? '')}`
  })
  return said(
    `refused by ${gateNames[forbidden.gate]}`,
    known && callWords(known),
    isAllowedNow(report) ? 'allowed by the given policies' : grant.obstacles.length === 0 && grants,
    grant.accessRules.map(({ method, path }) => `request ${quoted(`${method} ${path}`)}`),
    grant.obstacles.map((clause) => `remains denied by ${placeWords(clause.entry.span)} ${ownEntry(clause)}`),
    missingWords(grant.missing),
  ).join(' · ')
}

/** The same for people, with the text to be sent to the service. */
export function grantText(report: GrantReport, paint: Paint): string {
  const { forbidden, refused, grant, account, next } = report
  const { accessRules, suffices, missing } = grant
  // Next to a deny, a grant changes nothing: what would help is an edit of the policies.
  const isDenied = grant.obstacles.length > 0
  const policies = isAllowedNow(report) || isDenied ? [] : grant.policies
  const known = knownCall(refused)
  const named = [...forbidden.actions, ...forbidden.byAuthentication]
  const isOfPolicies = forbidden.gate === 'policies'
  const whose = isOfPolicies && account !== undefined ? ` (${shown(account)})` : ''
  const who = isOfPolicies && next?.who !== undefined ? `: \`${next.who}\`` : ''
  const below = policies.length === 1 ? 'the policy below' : 'the policies below'
  const settles = (fact: CallFact) => remedy(fact) ?? `the value of ${quoted(callFactText(fact))}: see \`grantwise can\``
  return linesText(
    `${paint.error('403')}  ${paint.bold(known ? callWords(known) : '(the call is not given)')}`,
    `  refused by ${gateNames[forbidden.gate]}: ${quoted(forbidden.message)}`,
    named.length > 0 && `  the service names ${named.map(quoted).join(', ')}`,
    timeLines(report, paint),
    remainingLines(report, paint),
    isDenied && deniedLines(report, paint),
    `  who can change this: ${lifters[forbidden.gate][1]}${whose}${who}`,
    notesOf(report).map((note) => `  ${paint.warning('note:')} ${note}`),
    missing.map((fact) => `  ${paint.dim(`settle it with ${settles(fact)}`)}`),
    suffices && policies.length > 0 && `  with ${below}, the given policies allow it${leftWords(report)}`,
    policies.length > 0 && beyondWords(report, below, paint),
    policies.length > 0 && written(policies.length === 1 ? policies[0] : policies),
    accessRules.length > 0 && written({ accessRules }),
  )
}

/** That no grant helps where a deny applies, and what would. */
function deniedLines({ grant, next }: GrantReport, paint: Paint): readonly string[] {
  const asked = grant.needed.flatMap(({ action, resource, verdict }) =>
    resource === undefined || verdict !== 'deny' ? [] : [{ action, resource }],
  )
  return said(
    '  a new grant would not help: a deny counts for more than any allow',
    next && asked.map(({ action, resource }) => `  ${paint.info('what would help:')} \`${next.suggest(action, resource)}\``),
  )
}

/** That a proposal grants at all times what the policies grant at some. */
function beyondWords({ times }: GrantReport, below: string, paint: Paint): string | false {
  const isTimed = times.some(({ turning }) => turning?.next?.verdict === 'allow')
  return isTimed && `  ${paint.warning('note:')} ${below} would allow it at all times, which the policies given do not`
}

/** A value as JSON, a field a line, with the care that is taken of every text. */
function written(value: unknown): readonly string[] {
  return JSON.stringify(value, null, 2).split('\n').map(shown)
}
