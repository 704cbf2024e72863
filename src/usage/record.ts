import { readAction } from '../actions/action.ts'
import { type Address, readAddress } from '../conditions/address.ts'
import { readInstant } from '../conditions/time.ts'
import { printableFault, type Read, type Settings, visible } from '../names.ts'
import { readJsonLine } from '../parser/json-line.ts'
import { strictest, type Verdict } from '../simulate/decision.ts'
import { readIdentity } from '../urn/identity.ts'
import { readResource } from '../urn/resource.ts'

/**
 * One API call as it was made and judged: a line of `--record`, of the console's log, and what `least` and `replay` read.
 */
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
  /** Each action that the call needs, with the resource it is about (null where it is not known) and what was decided. */
  readonly actions: readonly {
    readonly action: string
    readonly resource: string | null
    readonly required: boolean
    readonly verdict: 'allow' | 'deny' | 'unknown'
  }[]
  readonly verdict: 'allow' | 'deny' | 'unknown'
  /** The consumer key's gate; null where the call is not made with one. */
  readonly credential: 'allow' | 'deny' | 'unknown' | null
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

/** A recorded call, or a recorded decision, whatever wrote it. */
export interface Recorded {
  /** Milliseconds since 1970; undefined where the record does not say. */
  readonly at: number | undefined
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
  /** What the rules of the consumer key said; undefined where none was used, or the record does not say. */
  readonly credential: Verdict | undefined
}

/** What is wrong with a line. `column`: from 1, where a part of it is meant. */
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

/**
 * The fields of an access-log record and how they are spelt, the published spelling first. Log tools put `_` before names
 * of their own (GELF) or put the record into an envelope.
 */
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

/** A reader of lines. It remembers the names that it found well-formed: as many as there are distinct ones. */
interface RecordReader {
  readonly read: (line: string) => ReadRecord
}

/** A reader of recorded calls (`CallRecord`) and of access-log records, a line each. */
export function recordReader(settings: Settings): RecordReader {
  const known = { identity: new Set<string>(), action: new Set<string>(), resource: new Set<string>() }
  const names: Names = {
    identity: (text) => nameFault('identity', text, known.identity, (each) => readIdentity(each, { pattern: false })),
    action: (text) => nameFault('action', text, known.action, (each) => readAction(each, settings.brand)),
    resource: (text) => nameFault('resource', text, known.resource, (each) => readResource(each, { pattern: false })),
  }
  return {
    read(line) {
      if (line.trim() === '') return { kind: 'blank' }
      const parsed = readJsonLine(line.charCodeAt(0) === 0xfeff ? line.slice(1) : line)
      if (parsed.fault) return { kind: 'fault', fault: parsed.fault }
      if (!isFields(parsed.value)) return fault('not an object', 'a record is a JSON object a line')
      return readFields(parsed.value, names)
    },
  }
}

interface Names {
  readonly identity: (text: string) => LineFault | undefined
  readonly action: (text: string) => LineFault | undefined
  readonly resource: (text: string) => LineFault | undefined
}

function nameFault(what: string, text: string, known: Set<string>, read: (text: string) => Read<unknown>): LineFault | undefined {
  if (known.has(text)) return undefined
  const [first] = read(text).faults ?? []
  if (!first) {
    known.add(text)
    return undefined
  }
  const { belongsIn: _, ...rest } = first
  const { message, help } = printableFault(text, rest)
  return { message: `${what} ${message}`, ...(help !== undefined && { help }) }
}

const fault = (message: string, help?: string): ReadRecord => ({ kind: 'fault', fault: { message, ...(help !== undefined && { help }) } })

function readFields(given: Fields, names: Names): ReadRecord {
  let fields = given
  for (let depth = 0; ; depth++) {
    if (Array.isArray(fields.actions) && 'identity' in fields) return readCall(fields, names)
    if (has(fields, 'requested') || has(fields, 'authorized') || has(fields, 'unauthorized')) return readDecision(fields, given, names)
    const inner = depth < deepestEnvelope ? innerOf(fields) : undefined
    if (!inner) break
    fields = inner
  }
  // Logs of the account hold other entries as well, which say who called what and hold no decision.
  if (has(given, 'identities') || has(given, 'account') || has(fields, 'identities') || has(fields, 'account')) return { kind: 'other' }
  return fault(
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
      return fault(value === undefined ? `missing field \`${key}\`` : `\`${key}\` is not a text`, 'this record of a call is not whole')
  if (!isVerdict(verdict)) return fault('`verdict` is not `allow`, `deny` or `unknown`')
  if (!(credential === undefined || credential === null || isVerdict(credential)))
    return fault('`credential` is not `allow`, `deny`, `unknown` or null')
  const instant = readInstant(at as string)
  if (instant === undefined) return fault('`at` is not an RFC 3339 date and time with an offset')
  const who = names.identity(identity as string)
  if (who) return { kind: 'fault', fault: who }
  const needs: Need[] = []
  for (const [i, each] of (actions as readonly unknown[]).entries()) {
    const need = readNeed(each, names)
    if ('message' in need) return { kind: 'fault', fault: { ...need, message: `\`actions[${i}]\`: ${need.message}` } }
    needs.push(need)
  }
  const address = readIp(ip)
  if (address === null) return fault('`ip` is not an IP address')
  return {
    kind: 'records',
    records: [
      {
        at: instant,
        account: typeof account === 'string' ? account : undefined,
        identity: identity as string,
        groups: undefined,
        ip: address,
        call: { method: method as string, path: path as string, operation: typeof operation === 'string' ? operation : null },
        needs,
        // What a record says of both gates together may leave one out.
        verdict: strictest(verdict, credential ?? 'allow'),
        credential: credential ?? undefined,
      },
    ],
  }
}

function readNeed(value: unknown, names: Names): Need | LineFault {
  if (!isFields(value)) return { message: 'not an object' }
  const { action, resource, required, verdict } = value
  if (typeof action !== 'string') return { message: '`action` is not a text' }
  if (!(resource === null || resource === undefined || typeof resource === 'string')) return { message: '`resource` is not a text or null' }
  if (!(required === undefined || typeof required === 'boolean')) return { message: '`required` is not true or false' }
  if (!isVerdict(verdict)) return { message: '`verdict` is not `allow`, `deny` or `unknown`' }
  const wrong = names.action(action) ?? (typeof resource === 'string' ? names.resource(resource) : undefined)
  return wrong ?? { action, resource: resource ?? null, required: required ?? true, verdict }
}

/** Null: no address. */
function readIp(value: unknown): Address | undefined | null {
  if (value === undefined || value === null || value === '') return undefined
  return (typeof value === 'string' ? readAddress(value) : undefined) ?? null
}

// Access-log records.

class Wrong extends Error {}

/** The value of a field, however it is spelt; undefined where it is not there, is null or an empty text. */
function spelt(fields: Fields, name: FieldName): { readonly key: string; readonly value: unknown } | undefined {
  let found: { readonly key: string; readonly value: unknown } | undefined
  for (const spelling of spellings[name]) {
    for (const key of [spelling, `_${spelling}`]) {
      const value = fields[key]
      if (value === undefined || value === null || value === '') continue
      // Logs may hold two clocks in good faith: the record's own comes first.
      if (found && name !== 'at' && JSON.stringify(found.value) !== JSON.stringify(value))
        throw new Wrong(`\`${found.key}\` and \`${key}\` say different things`)
      found ??= { key, value }
    }
  }
  return found
}

/** A list of texts: as it is, as the text of a JSON list, or one text for a list of one. */
function listOf(fields: Fields, name: FieldName): readonly string[] | undefined {
  const found = spelt(fields, name)
  if (!found) return undefined
  let { value } = found
  if (typeof value === 'string') {
    const text = value.trim()
    value = text.startsWith('[') ? readJsonLine(text).value : [text]
  }
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'string')) throw new Wrong(`\`${found.key}\` is not a list of texts`)
  return value
}

function textOf(fields: Fields, name: FieldName): string | undefined {
  const found = spelt(fields, name)
  if (found && typeof found.value !== 'string') throw new Wrong(`\`${found.key}\` is not a text`)
  return found?.value as string | undefined
}

/** Seconds since 1970 (GELF), RFC 3339, or the same as log tools write it: with a blank, and without offset for UTC. */
function instantIn(fields: Fields): number | undefined {
  const found = spelt(fields, 'at')
  if (!found) return undefined
  const { key, value } = found
  if (typeof value === 'number' && value >= 0 && value < 1e11) return Math.round(value * 1000)
  const instant = typeof value === 'string' ? (readInstant(value) ?? readInstant(`${value.trim().replace(' ', 'T')}Z`)) : undefined
  if (instant === undefined) throw new Wrong(`\`${key}\` is no date and time, and no number of seconds since 1970`)
  return instant
}

function readDecision(fields: Fields, envelope: Fields, names: Names): ReadRecord {
  try {
    const identities = listOf(fields, 'identities') ?? []
    const requested = listOf(fields, 'requested') ?? []
    const authorized = listOf(fields, 'authorized') ?? []
    const unauthorized = listOf(fields, 'unauthorized') ?? []
    const resource = textOf(fields, 'resource') ?? null
    const account = textOf(fields, 'account') ?? textOf(envelope, 'account')
    const at = instantIn(fields) ?? instantIn(envelope)
    const ip = readIp(textOf(fields, 'ip'))
    if (ip === null) return fault('the address is not an IP address')
    for (const each of identities) {
      const wrong = names.identity(each)
      if (wrong) return { kind: 'fault', fault: wrong }
    }
    const { identity, groups } = asked(identities)
    const actions = [...new Set([...requested, ...authorized, ...unauthorized])]
    if (authorized.length + unauthorized.length === 0 && requested.length > 0)
      return fault(
        'a request without a verdict: both lists of verdicts are missing or empty',
        'one of `authorized_actions` and `unauthorized_actions` holds what was requested',
      )
    const [yes, no] = [new Set(authorized), new Set(unauthorized)]
    const wrong = (resource === null ? undefined : names.resource(resource)) ?? actions.map(names.action).find((each) => each !== undefined)
    if (wrong) return { kind: 'fault', fault: wrong }
    const both = actions.find((action) => yes.has(action) && no.has(action))
    if (both !== undefined) return fault(`\`${visible(both)}\` is among the authorized and among the unauthorized actions`)
    // Which of the actions the call could not do without is not recorded: each stands for itself.
    const records = actions.map((action): Recorded => {
      const verdict: Verdict = yes.has(action) ? 'allow' : no.has(action) ? 'deny' : 'unknown'
      const needs: readonly Need[] = [{ action, resource, required: true, verdict }]
      return { at, account, identity, groups, ip, call: undefined, needs, verdict, credential: undefined }
    })
    return { kind: 'records', records }
  } catch (error) {
    if (error instanceof Wrong) return fault(error.message)
    throw error
  }
}

/** The order in which kinds of identities stand for the one who asks: an account is recorded beside those who belong to it. */
const whoAsks = ['user', 'credential', 'account'] as const

/** Who asks, and in which groups: a record names them in one list. */
function asked(identities: readonly string[]): { readonly identity: string; readonly groups: readonly string[] } {
  const kindOf = (text: string) => text.split(':')[4]
  const groups = [...new Set(identities.filter((each) => kindOf(each) === 'group'))].sort()
  const others = [...new Set(identities.filter((each) => kindOf(each) !== 'group'))]
  const kind = whoAsks.find((each) => others.some((other) => kindOf(other) === each))
  const own = others.filter((each) => kindOf(each) === kind)
  const isMixed = others.some((each) => kindOf(each) === 'user') && others.some((each) => kindOf(each) === 'credential')
  if (own.length > 1 || isMixed) throw new Wrong(`${others.length} identities at once: which of them asks is not recorded`)
  if (own[0] === undefined)
    throw new Wrong(groups.length === 0 ? 'no identities: who asks is not recorded' : 'only groups: who asks is not recorded')
  return { identity: own[0], groups }
}
