import { readAddress } from '../conditions/address.ts'
import { instantFault, readInstant } from '../conditions/time.ts'
import { type Context, type Problem, problemsOf, readGroup, readOwner } from '../simulate/question.ts'
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

/** What circumstances say, and what is wrong with them. */
export interface ReadContext {
  readonly context: Context
  readonly problems: readonly Problem[]
}

/** A value, or why there is none. */
export type Tried<T> = { readonly value: T; readonly problem?: undefined } | { readonly value?: undefined; readonly problem: Problem }

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

/** What is wrong with a resource whose short name was read. `order`: of the arguments. */
export function problemsOfResource({ text, problem }: ReturnType<ShortNames['resource']>, order: string): readonly Problem[] {
  return problem ? [problem] : problemsOf('resource', text, readResourcePattern(text), order)
}

/** The instant that an option names. */
export function readInstantOf(option: string, text: string): Tried<number> {
  const value = readInstant(text)
  if (value !== undefined) return { value }
  const { message, help } = instantFault(text)
  return { problem: { message: `${option} \`${text}\` ${message}`, ...(help !== undefined && { help }) } }
}

/** The two halves of a value such as `KEY=VALUE`. */
export function readPair(option: string, text: string, shape = 'KEY=VALUE'): Tried<readonly [string, string]> {
  const at = text.indexOf('=')
  if (at <= 0) return { problem: { message: `${option} \`${text}\`: expected ${shape}` } }
  return { value: [text.slice(0, at), text.slice(at + 1)] }
}

/** The time that an answer is about: a given instant, else all from now on. */
export function timeOf<T extends Context>(given: Pick<ContextGiven, 'at'>, context: T) {
  const { at, ...open } = context
  return given.at === undefined ? { from: at, at: undefined, asked: { ...open, from: at } } : { from: undefined, at, asked: context }
}
