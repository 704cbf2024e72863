import { readAction } from '../actions/action.ts'
import { type Address, readAddress } from '../conditions/address.ts'
import { readInstant } from '../conditions/time.ts'
import { printableFault, type Read, type Settings, visible } from '../names.ts'
import { readJsonLine } from '../parser/json-line.ts'
import { strictest, type Verdict } from '../simulate/decision.ts'
import { readIdentity } from '../urn/identity.ts'
import { readResource } from '../urn/resource.ts'

/** One API call as it was made and judged: a line of `--record`, of the console's log, and what `least` and `replay` read. */
export interface CallRecord {
  readonly at: string
  readonly account: string
  readonly identity: string
  readonly method: string
  /** With its branch, without query: `/v1/hosting/web/example.org`. */
  readonly path: string
  readonly ip: string
  /** The template of the operation, with its branch: `/v1/hosting/web/{serviceName}`; null where it is not known. */
  readonly operation: string | null
  readonly actions: readonly Need[]
  readonly verdict: Verdict
  /** The consumer key's gate; null where the call is not made with one. */
  readonly credential: Verdict | null
  readonly status: number
}

export interface Need {
  readonly action: string
  /** Null where it is not known which one: a call that lists has none. */
  readonly resource: string | null
  /** False: it does not decide whether the call is let through. */
  readonly required: boolean
  readonly verdict: Verdict
}

/** A recorded call, or a recorded decision, in one form for all recorders. */
export interface Recorded {
  /** Milliseconds since 1970; undefined where the record does not say. Of several calls it is the last time. */
  readonly at: number | undefined
  /** The number of calls where they are counted, and the first time; a record of one call has neither. */
  readonly several?: { readonly count: number; readonly first: number | undefined }
  /** The account whose policies judged it; undefined where the record does not say. */
  readonly account: string | undefined
  readonly identity: string
  /** The groups that the record names, sorted; undefined where it is not of a kind that names any. */
  readonly groups: readonly string[] | undefined
  readonly ip: Address | undefined
  /** Undefined: a decision whose call is not known. */
  readonly call: { readonly method: string; readonly path: string; readonly operation: string | null } | undefined
  readonly needs: readonly Need[]
  /** All that decides together, the rules of the consumer key among it: `allow` where the call was let through. */
  readonly verdict: Verdict
  /** The verdict of the consumer key's rules; undefined where no key was used, or the record does not say. */
  readonly credential: Verdict | undefined
}

/** A problem of a line. `column`: from 1, where a part of it is meant. */
export interface LineFault {
  readonly message: string
  readonly help?: string
  readonly column?: number
}

export type ReadRecord =
  | { readonly kind: 'records'; readonly records: readonly Recorded[] }
  /** A log entry of another kind, which is of no decision. */
  | { readonly kind: 'other' }
  | { readonly kind: 'blank' }
  | { readonly kind: 'fault'; readonly fault: LineFault }

/** The fields of an access-log record and how they are spelt, the published spelling first. Log tools may put `_` before them. */
const spellings = {
  account: ['account', 'account_id', 'accountId'],
  identities: ['identities_array', 'identities'],
  requested: ['requested_actions_array', 'requested_actions', 'requestedActions'],
  authorized: ['authorized_actions_array', 'authorized_actions', 'authorizedActions'],
  unauthorized: ['unauthorized_actions_array', 'unauthorized_actions', 'unauthorizedActions'],
  resource: ['resource', 'resource_urn', 'resourceUrn'],
  at: ['@timestamp', 'timestamp', 'at', 'time'],
  ip: ['client_ip', 'clientIp', 'ip'],
} as const

type FieldName = keyof typeof spellings

/** Keys under which log tools put the record: an object, or its text. */
const envelopes = ['_source', 'fields', 'message', 'full_message', 'short_message'] as const

const deepestEnvelope = 3

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A problem of a record; caught where its line is read. */
class Wrong extends Error {
  readonly help: string | undefined
  constructor(message: string, help?: string) {
    super(message)
    this.help = help
  }
}

/** A reader of recorded calls (`CallRecord`) and of access-log records, a line each. */
export function recordReader(settings: Settings) {
  const names: Names = {
    identity: nameCheck('identity', (text) => readIdentity(text, { pattern: false })),
    action: nameCheck('action', (text) => readAction(text, settings.brand)),
    resource: nameCheck('resource', (text) => readResource(text, { pattern: false })),
  }
  return {
    read(line: string): ReadRecord {
      if (line.trim() === '') return { kind: 'blank' }
      const parsed = readJsonLine(line.charCodeAt(0) === 0xfeff ? line.slice(1) : line)
      if (parsed.fault) return { kind: 'fault', fault: parsed.fault }
      try {
        if (!isFields(parsed.value)) throw new Wrong('not an object', 'a record is a JSON object a line')
        return readFields(parsed.value, names)
      } catch (error) {
        if (!(error instanceof Wrong)) throw error
        const { message, help } = error
        return { kind: 'fault', fault: { message, ...(help !== undefined && { help }) } }
      }
    },
  }
}

type Names = Readonly<Record<'identity' | 'action' | 'resource', (text: string, place?: string) => void>>

/** Refuses names that are not well-formed. It remembers those that are: as many as there are distinct ones. */
function nameCheck(what: string, read: (text: string) => Read<unknown>): Names['identity'] {
  const knownNames = new Set<string>()
  return (text, place = '') => {
    if (knownNames.has(text)) return
    const [first] = read(text).faults ?? []
    if (first) {
      const { belongsIn: _, ...rest } = first
      const { message, help } = printableFault(text, rest)
      throw new Wrong(`${place}${what} ${message}`, help)
    }
    knownNames.add(text)
  }
}

function readFields(recordFields: Fields, names: Names): ReadRecord {
  let fields = recordFields
  for (let depth = 0; ; depth++) {
    if ('identity' in fields && (Array.isArray(fields.actions) || ('actions' in fields && 'verdict' in fields)))
      return readCall(fields, names)
    if (isCounted(fields)) return readCounted(fields, names)
    if (has(fields, 'requested') || has(fields, 'authorized') || has(fields, 'unauthorized'))
      return readDecision(fields, recordFields, names)
    const inner = depth < deepestEnvelope ? innerOf(fields) : undefined
    if (!inner) break
    fields = inner
  }
  // Logs of the account hold other entries as well, which say who called what and hold no decision.
  if (has(recordFields, 'identities') || has(recordFields, 'account') || has(fields, 'identities') || has(fields, 'account'))
    return { kind: 'other' }
  throw new Wrong(
    'neither a recorded call nor an access-log record',
    'a call has `identity` and `actions`, a log record has `identities` and the lists of `requested_actions`, `authorized_actions` and `unauthorized_actions`',
  )
}

function innerOf(fields: Fields): Fields | undefined {
  for (const key of envelopes) {
    const value = fields[key]
    if (isFields(value)) return value
    if (typeof value !== 'string' || !value.trimStart().startsWith('{')) continue
    const { value: parsed } = readJsonLine(value)
    if (isFields(parsed)) return parsed
  }
  return undefined
}

const has = (fields: Fields, name: FieldName) => spellings[name].some((key) => key in fields || `_${key}` in fields)

// Recorded calls.

const verdicts: readonly unknown[] = ['allow', 'deny', 'unknown'] satisfies Verdict[]
const isVerdict = (value: unknown): value is Verdict => verdicts.includes(value)

function readCall(fields: Fields, names: Names): ReadRecord {
  const { at, account, identity, method, path, ip, operation, actions, verdict, credential } = fields
  for (const [key, value] of Object.entries({ at, identity, method, path }))
    if (typeof value !== 'string')
      throw new Wrong(value === undefined ? `missing field \`${key}\`` : `\`${key}\` is not a text`, 'this record of a call is not whole')
  if (!Array.isArray(actions)) throw new Wrong('`actions` is not a list', 'this record of a call is not whole')
  if (!isVerdict(verdict)) throw new Wrong('`verdict` is not `allow`, `deny` or `unknown`')
  if (!(credential === undefined || credential === null || isVerdict(credential)))
    throw new Wrong('`credential` is not `allow`, `deny`, `unknown` or null')
  const instant = readInstant(at as string)
  if (instant === undefined) throw new Wrong('`at` is not an RFC 3339 date and time with an offset')
  names.identity(identity as string)
  const needs = actions.map((each: unknown, i) => readNeed(each, `\`actions[${i}]\`: `, names))
  const record: Recorded = {
    at: instant,
    account: typeof account === 'string' ? account : undefined,
    identity: identity as string,
    groups: undefined,
    ip: readIp(ip, '`ip`'),
    call: { method: method as string, path: path as string, operation: typeof operation === 'string' ? operation : null },
    needs,
    // A verdict recorded for both gates together may omit one.
    verdict: strictest(verdict, credential ?? 'allow'),
    credential: credential ?? undefined,
  }
  return { kind: 'records', records: [record] }
}

function readNeed(value: unknown, place: string, names: Names): Need {
  if (!isFields(value)) throw new Wrong(`${place}not an object`)
  const { action, resource, required, verdict } = value
  if (typeof action !== 'string') throw new Wrong(`${place}\`action\` is not a text`)
  if (!(resource === null || resource === undefined || typeof resource === 'string'))
    throw new Wrong(`${place}\`resource\` is not a text or null`)
  if (!(required === undefined || typeof required === 'boolean')) throw new Wrong(`${place}\`required\` is not true or false`)
  if (!isVerdict(verdict)) throw new Wrong(`${place}\`verdict\` is not \`allow\`, \`deny\` or \`unknown\``)
  names.action(action, place)
  if (typeof resource === 'string') names.resource(resource, place)
  return { action, resource: resource ?? null, required: required ?? true, verdict }
}

// Calls that are counted in a warehouse: the rows of the view `gw_least` (docs/warehouse.md).

const isCounted = (fields: Fields) => ['identity', 'action', 'calls', 'last_ms'].every((key) => key in fields)

function readCounted(fields: Fields, names: Names): ReadRecord {
  const { account, identity, calls } = fields
  if (typeof identity !== 'string') throw new Wrong('`identity` is not a text')
  const need = readNeed({ ...fields, required: true }, '', names)
  names.identity(identity)
  const count = wholeNumber(calls)
  if (count === undefined || count < 1) throw new Wrong('`calls` is not a number of calls')
  const [first, last] = (['first_ms', 'last_ms'] as const).map((key) => {
    const value = fields[key]
    const instant = value === null || value === undefined ? undefined : wholeNumber(value)
    if (instant === undefined && value !== null && value !== undefined)
      throw new Wrong(`\`${key}\` is no number of milliseconds since 1970`)
    return instant
  })
  const record: Recorded = {
    at: last,
    several: { count, first },
    account: typeof account === 'string' ? account : undefined,
    identity,
    groups: undefined,
    ip: undefined,
    call: undefined,
    needs: [need],
    verdict: need.verdict,
    credential: undefined,
  }
  return { kind: 'records', records: [record] }
}

/** A whole number; some engines write those of 64 bits as text. */
function wholeNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value
  return Number.isSafeInteger(number) && Math.abs(number as number) <= lastInstant ? (number as number) : undefined
}

/** The last instant that a date can be, in milliseconds since 1970. */
const lastInstant = 8.64e15

function readIp(value: unknown, what: string): Address | undefined {
  if (value === undefined || value === null || value === '') return undefined
  const address = typeof value === 'string' ? readAddress(value) : undefined
  if (!address) throw new Wrong(`${what} is not an IP address`)
  return address
}

// Access-log records.

/** The value of a field, however it is spelt; undefined where it is not there, is null or an empty text. */
function spelt(fields: Fields, name: FieldName): { readonly key: string; readonly value: unknown } | undefined {
  let speltField: { readonly key: string; readonly value: unknown } | undefined
  for (const spelling of spellings[name]) {
    for (const key of [spelling, `_${spelling}`]) {
      const value = fields[key]
      if (value === undefined || value === null || value === '') continue
      // Logs may hold two clocks in good faith: the record's own comes first.
      if (speltField && name !== 'at' && JSON.stringify(speltField.value) !== JSON.stringify(value))
        throw new Wrong(`\`${speltField.key}\` and \`${key}\` say different things`)
      speltField ??= { key, value }
    }
  }
  return speltField
}

/** A list of strings: as it is, as the text of a JSON list, or one string for a list of one. */
function listOf(fields: Fields, name: FieldName): readonly string[] | undefined {
  const listField = spelt(fields, name)
  if (!listField) return undefined
  let { value } = listField
  if (typeof value === 'string') {
    const text = value.trim()
    value = text.startsWith('[') ? readJsonLine(text).value : [text]
  }
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'string'))
    throw new Wrong(`\`${listField.key}\` is not a list of texts`)
  return value
}

function textOf(fields: Fields, name: FieldName): string | undefined {
  const found = spelt(fields, name)
  if (found && typeof found.value !== 'string') throw new Wrong(`\`${found.key}\` is not a text`)
  return found?.value as string | undefined
}

/** Seconds since 1970 (GELF), RFC 3339, or the same as log tools write it: with a blank, and without offset for UTC. */
function instantIn(fields: Fields): number | undefined {
  const instantField = spelt(fields, 'at')
  if (!instantField) return undefined
  const { key, value } = instantField
  if (typeof value === 'number' && value >= 0 && value < 1e11) return Math.round(value * 1000)
  const instant = typeof value === 'string' ? (readInstant(value) ?? readInstant(`${value.trim().replace(' ', 'T')}Z`)) : undefined
  if (instant === undefined) throw new Wrong(`\`${key}\` is no date and time, and no number of seconds since 1970`)
  return instant
}

function readDecision(fields: Fields, envelope: Fields, names: Names): ReadRecord {
  const identities = listOf(fields, 'identities') ?? []
  const requested = listOf(fields, 'requested') ?? []
  const authorized = listOf(fields, 'authorized') ?? []
  const unauthorized = listOf(fields, 'unauthorized') ?? []
  const resource = textOf(fields, 'resource') ?? null
  const account = textOf(fields, 'account') ?? textOf(envelope, 'account')
  const instant = instantIn(fields) ?? instantIn(envelope)
  const ip = readIp(textOf(fields, 'ip'), 'the address')
  for (const each of identities) names.identity(each)
  const { identity, groups } = asked(identities)
  const actions = [...new Set([...requested, ...authorized, ...unauthorized])]
  if (authorized.length + unauthorized.length === 0 && requested.length > 0)
    throw new Wrong(
      'a request without a verdict: both lists of verdicts are missing or empty',
      'one of `authorized_actions` and `unauthorized_actions` holds what was requested',
    )
  const [yes, no] = [new Set(authorized), new Set(unauthorized)]
  if (resource !== null) names.resource(resource)
  for (const each of actions) names.action(each)
  const both = actions.find((action) => yes.has(action) && no.has(action))
  if (both !== undefined) throw new Wrong(`\`${visible(both)}\` is among the authorized and among the unauthorized actions`)
  // The record does not say which of the actions the call required: each is a separate record.
  const records = actions.map((action): Recorded => {
    const verdict: Verdict = yes.has(action) ? 'allow' : no.has(action) ? 'deny' : 'unknown'
    const needs: readonly Need[] = [{ action, resource, required: true, verdict }]
    return { at: instant, account, identity, groups, ip, call: undefined, needs, verdict, credential: undefined }
  })
  return { kind: 'records', records }
}

/** The precedence of kinds of identities as the caller: an account is recorded next to the identities of it. */
const whoAsks = ['user', 'credential', 'account'] as const

/** Who asks, and in which groups: a record names them in one list. */
function asked(identities: readonly string[]): { readonly identity: string; readonly groups: readonly string[] } {
  const kindOf = (text: string) => text.split(':')[4]
  const groups = [...new Set(identities.filter((each) => kindOf(each) === 'group'))].sort()
  const others = [...new Set(identities.filter((each) => kindOf(each) !== 'group'))]
  const kind = whoAsks.find((each) => others.some((other) => kindOf(other) === each))
  const sameKind = others.filter((each) => kindOf(each) === kind)
  const isMixed = others.some((each) => kindOf(each) === 'user') && others.some((each) => kindOf(each) === 'credential')
  if (sameKind.length > 1 || isMixed) throw new Wrong(`${others.length} identities together: which of them asks is not recorded`)
  if (sameKind[0] === undefined)
    throw new Wrong(groups.length === 0 ? 'no identities: who asks is not recorded' : 'only groups: who asks is not recorded')
  return { identity: sameKind[0], groups }
}
