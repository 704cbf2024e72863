import { readAction } from '../actions/action.ts'
import { readAddress } from '../conditions/address.ts'
import { readInstant } from '../conditions/time.ts'
import { defaultSettings, printableFault, type Read, type Settings, visible } from '../names.ts'
import type { World } from '../policy.ts'
import { readIdentity, readIdentityGroup } from '../urn/identity.ts'
import { readResource } from '../urn/resource.ts'
import type { Problem, Question } from './decision.ts'
import type { ShortNames } from './short-names.ts'

/** The default facts of a question. */
export type Context = Pick<Question, 'at' | 'groups' | 'ip' | 'tags' | 'owner'>

/** The facts of one question. Without `groups`, the identity is in those of the world only. */
export type GivenContext = Omit<Context, 'groups'> & Partial<Pick<Context, 'groups'>>

export type ReadQuestion =
  | { readonly question: Question; readonly problems?: undefined }
  | { readonly question?: undefined; readonly problems: readonly Problem[] }

/** The last instant that a date can be, in milliseconds since 1970; the first is as far on the other side. */
const lastInstant = 8.64e15

/** Make a question of strings. Every name is read by its grammar; a wildcard or a malformed name is a problem, not a guess. */
export function readQuestion(
  identity: string,
  action: string,
  resource: string,
  context: GivenContext,
  settings: Settings = defaultSettings,
): ReadQuestion {
  const problems = [
    ...problemsOf('identity', identity, readIdentity(identity, { pattern: false })),
    ...problemsOf('action', action, readAction(action, settings.brand)),
    ...problemsOf('resource', resource, readResource(resource, { pattern: false })),
    // Reading an invalid date gives such a number: no expiry would be before it.
    ...(Math.abs(context.at) <= lastInstant ? [] : [{ message: `time \`${context.at}\`: no number of milliseconds since 1970` }]),
  ]
  return problems.length > 0 ? { problems } : { question: { identity, action, resource, ...context, groups: context.groups ?? [] } }
}

/** A question whose tags are added to those of the resource in the world, so that giving a known tag changes nothing. */
export function withKnownTags(question: Question, world: World): Question {
  const known = world.resources.get(question.resource)?.tags
  return question.tags && known ? { ...question, tags: new Map([...known, ...question.tags]) } : question
}

/** A group that an identity is said to be in. */
export function readGroup(text: string): { readonly problems: readonly Problem[] } {
  return { problems: problemsOf('group', text, readIdentityGroup(text)) }
}

/** The problem of the id of an account that is given as the owner of a resource. */
export function readOwner(text: string): Problem | undefined {
  if (/^[!-)+-.0-9;-~]+$/.test(text)) return undefined
  return { message: `\`${visible(text)}\`: not an account id`, help: 'write the id alone, such as `ab12-svc`, without `urn:`' }
}

/** The problems of one name of a question. `order`: the order of names in such a question, for a name in the wrong place. */
export function problemsOf(
  what: string,
  text: string,
  read: Read<unknown>,
  order = 'a question is IDENTITY ACTION RESOURCE, in this order',
): readonly Problem[] {
  return (read.faults ?? []).map((fault) => {
    const { belongsIn, ...rest } = fault
    const { message, help = belongsIn && order } = printableFault(text, rest)
    return { message: `${what} ${message}`, ...(help && { help }) }
  })
}

function inOneLine({ message, help }: Problem): string {
  return help === undefined ? message : `${message} (${help})`
}

/** One question of a batch: its id as given, and what answer was expected. */
export interface BatchQuestion {
  readonly id: unknown
  readonly question: Question
  readonly expect?: string
}

const fields: ReadonlySet<string> = new Set('id identity action resource groups ip tags at owner expect'.split(' '))
const verdicts: ReadonlySet<string> = new Set(['allow', 'deny', 'unknown'])

/**
 * Read one line of a batch, parsed from JSON. What the line does not give comes from
 * `context`. Returns the first problems in words when it is no question. Without `names`, every name is a whole URN.
 */
export function readBatchQuestion(value: unknown, context: Context, settings: Settings, names?: ShortNames): BatchQuestion | string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'not an object'
  const line = value as Readonly<Record<string, unknown>>
  for (const key of Object.keys(line)) if (!fields.has(key)) return `unknown field \`${visible(key)}\``
  const { identity, action, resource, groups, ip, tags, at, owner, expect } = line
  for (const [key, name] of [
    ['identity', identity],
    ['action', action],
    ['resource', resource],
  ]) {
    if (typeof name !== 'string') return name === undefined ? `missing field \`${key}\`` : `\`${key}\` is not a text`
  }
  if (expect !== undefined && !(typeof expect === 'string' && verdicts.has(expect))) return '`expect` is not `allow`, `deny` or `unknown`'
  let knownContext = context
  if (groups !== undefined) {
    if (!Array.isArray(groups) || !groups.every((group) => typeof group === 'string')) return '`groups` is not a list of texts'
    const resolved = groups.map((group: string) => names?.group(group) ?? { text: group })
    const bad = resolved.flatMap(({ text, problem }) => problem ?? readGroup(text).problems)[0]
    if (bad) return inOneLine(bad)
    knownContext = { ...knownContext, groups: resolved.map(({ text }) => text) }
  }
  if (ip !== undefined) {
    const address = typeof ip === 'string' ? readAddress(ip) : undefined
    if (!address) return '`ip` is not an IP address'
    knownContext = { ...knownContext, ip: address }
  }
  if (tags !== undefined) {
    if (typeof tags !== 'object' || tags === null || Array.isArray(tags)) return '`tags` is not an object'
    const entries = Object.entries(tags)
    if (!entries.every((entry): entry is [string, string] => typeof entry[1] === 'string')) return '`tags` holds a value that is not a text'
    knownContext = { ...knownContext, tags: new Map(entries) }
  }
  if (at !== undefined) {
    const instant = typeof at === 'string' ? readInstant(at) : undefined
    if (instant === undefined) return '`at` is not an RFC 3339 date and time with an offset'
    knownContext = { ...knownContext, at: instant }
  }
  if (owner !== undefined) {
    if (typeof owner !== 'string') return '`owner` is not a text'
    const wrong = readOwner(owner)
    if (wrong) return inOneLine({ ...wrong, message: `owner ${wrong.message}` })
    knownContext = { ...knownContext, owner }
  }
  const [who, on] = [names?.identity(identity as string), names?.resource(resource as string)]
  const unresolved = [who, on].flatMap((each) => each?.problem ?? [])
  if (unresolved.length > 0)
    return [...unresolved, ...problemsOf('action', action as string, readAction(action as string, settings.brand))]
      .map(inOneLine)
      .join('; ')
  const read = readQuestion(who?.text ?? (identity as string), action as string, on?.text ?? (resource as string), knownContext, settings)
  if (!read.question) return read.problems.map(inOneLine).join('; ')
  return { id: line.id ?? null, question: read.question, ...(expect !== undefined && { expect: expect as string }) }
}
