import { readAddress } from '../conditions/address.ts'
import { instantFault, readInstant } from '../conditions/time.ts'
import { nearest } from '../nearest.ts'
import type { World } from '../policy.ts'
import { firstFew } from '../report/words.ts'
import type { Problem } from '../simulate/decision.ts'
import { type Context, problemsOf, readGroup, readOwner } from '../simulate/question.ts'
import type { ShortNames } from '../simulate/short-names.ts'
import { readResourcePattern } from '../urn/resource.ts'

/** The circumstances of a question as they are given, in the words of the options of commands. */
export interface ContextGiven {
  readonly group?: readonly string[]
  readonly ip?: string | undefined
  /** Each as `KEY=VALUE`. */
  readonly tag?: readonly string[]
  readonly at?: string | undefined
  readonly owner?: string | undefined
}

export interface ReadContext {
  readonly context: Context
  readonly problems: readonly Problem[]
}

/** A value, or why there is none. */
export type Attempt<T> = { readonly value: T; readonly problem?: undefined } | { readonly value?: undefined; readonly problem: Problem }

/** Read circumstances. `now`: the instant where none is given. */
export function readContext({ group = [], ip, tag = [], at, owner }: ContextGiven, now: number): ReadContext {
  const address = ip === undefined ? undefined : readAddress(ip)
  // A short name is read once the names in the world are known.
  const problems: Problem[] = group.filter(isWhole).flatMap((each) => readGroup(each).problems)
  if (ip !== undefined && !address)
    problems.push({ message: `--ip \`${ip}\`: not an IP address`, help: 'write it plainly, such as `192.0.2.1` or `2001:db8::1`' })
  const wrong = owner === undefined ? undefined : readOwner(owner)
  if (wrong) problems.push({ ...wrong, message: `--owner ${wrong.message}` })
  const tags = new Map<string, string>()
  const instant = at === undefined ? { value: now } : readInstantOf('--at', at)
  if (instant.problem) problems.push(instant.problem)
  for (const text of tag) {
    const { value, problem } = readPair('--tag', text)
    if (problem) problems.push(problem)
    if (!value) continue
    if (tags.has(value[0])) problems.push({ message: `--tag \`${value[0]}\` is given twice: a resource has one value for each tag` })
    tags.set(...value)
  }
  const context: Context = {
    at: instant.value ?? now,
    groups: group,
    ...(address && { ip: address }),
    ...(tags.size > 0 && { tags }),
    ...(owner !== undefined && { owner }),
  }
  return { context, problems }
}

const isWhole = (name: string) => name.startsWith('urn:')

/** The same with whole URNs for the short names of groups. */
export function withWholeGroups({ context, problems }: ReadContext, names: ShortNames): ReadContext {
  if (context.groups.every(isWhole)) return { context, problems }
  const read = context.groups.map((group) => (isWhole(group) ? { text: group } : names.group(group)))
  const wrong = read.flatMap(({ text, problem }) =>
    problem ? [{ ...problem, message: `--group: ${problem.message}` }] : readGroup(text).problems,
  )
  return { context: { ...context, groups: read.map(({ text }) => text) }, problems: [...problems, ...wrong] }
}

/** The problems of a resource whose short name was read. `order`: of the arguments. */
export const problemsOfResource = ({ text, problem }: ReturnType<ShortNames['resource']>, order: string): readonly Problem[] =>
  problem ? [problem] : problemsOf('resource', text, readResourcePattern(text), order)

export function readInstantOf(option: string, text: string): Attempt<number> {
  const value = readInstant(text)
  if (value !== undefined) return { value }
  const { message, help } = instantFault(text)
  return { problem: { message: `${option} \`${text}\` ${message}`, ...(help !== undefined && { help }) } }
}

/** The two halves of a value such as `KEY=VALUE`. */
export function readPair(option: string, text: string, shape = 'KEY=VALUE'): Attempt<readonly [string, string]> {
  const at = text.indexOf('=')
  if (at <= 0) return { problem: { message: `${option} \`${text}\`: expected ${shape}` } }
  return { value: [text.slice(0, at), text.slice(at + 1)] }
}

/** The time that an answer is about: a given instant, else all from now on. */
export function timeOf<T extends Context>(given: Pick<ContextGiven, 'at'>, context: T) {
  const { at, ...open } = context
  return given.at === undefined ? { from: at, at: undefined, asked: { ...open, from: at } } : { from: undefined, at, asked: context }
}

/** The resources that an answer keeps to: those that are described with some tags. */
export interface Tagged {
  readonly resources: ReadonlySet<string>
  /** `tag env = prod` */
  readonly words: string
}

const option = '--with-tag'

/**
 * The described resources that have the tags, each as `KEY=VALUE`: every key, with one of the values that are given for it. Undefined
 * where no tag is given. A tag that no resource has is a problem: an answer about no resource would read as if no identity had access.
 */
export function taggedIn(world: World, strings: readonly string[]): Attempt<Tagged | undefined> {
  if (strings.length === 0) return { value: undefined }
  const wanted = new Map<string, string[]>()
  for (const text of strings) {
    const { value, problem } = readPair(option, text)
    if (problem) return { problem }
    const [key, word] = value
    const wrong = unknownTag(world, key, word)
    if (wrong) return { problem: wrong }
    wanted.set(key, [...(wanted.get(key) ?? []), word])
  }
  const taggedResources = [...world.resources].filter(([, { tags }]) =>
    [...wanted].every(([key, words]) => words.includes(tags?.get(key) as string)),
  )
  const words = [...wanted].map(([key, values]) => `tag ${key} = ${values.join(' or ')}`).join(' and ')
  if (taggedResources.length === 0)
    return { problem: { message: `no resource is described with ${words}`, help: `give fewer \`${option}\`` } }
  return { value: { resources: new Set(taggedResources.map(([urn]) => urn)), words } }
}

function unknownTag({ resources }: World, key: string, value: string) {
  const tags = [...resources.values()].flatMap((resource) => [...(resource.tags ?? [])])
  const values = new Set(tags.flatMap(([each, word]) => (each === key ? [word] : [])))
  if (values.has(value)) return undefined
  const keys = new Set(tags.map(([each]) => each))
  const suggestion = values.size > 0 ? nearest(value, values) : nearest(key, keys)
  const meant = suggestion && (values.size > 0 ? `${key}=${suggestion}` : `${suggestion}=${value}`)
  const describedWords = values.size > 0 ? `described values of \`${key}\`: ${listed(values)}` : `described tags: ${listed(keys)}`
  return {
    message: `${option} \`${key}=${value}\`: no resource is described with ${values.size > 0 ? 'this tag' : `a tag \`${key}\``}`,
    help: meant ? `did you mean \`${meant}\`?` : keys.size > 0 ? describedWords : 'tags are described in world files; `--tag` supposes one',
  }
}

const listed = (words: ReadonlySet<string>) => firstFew([...words].map((word) => `\`${word}\``))
