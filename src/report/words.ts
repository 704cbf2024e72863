import { type Diagnostic, place } from '../diagnostic.ts'
import { writtenAs } from '../glob.ts'
import { type Policy, titled } from '../policy.ts'
import type { List } from '../propose/minimise.ts'
import type { Clause } from '../simulate/decision.ts'
import { position, type Span } from '../source.ts'
import { shown } from './safe.ts'

/** The user's own text within a sentence. */
export const quoted = (text: string): string => `\`${shown(text)}\``

/** A word of the user's as it is; anything else in quotes. */
export const quotedIfNeeded = (text: string): string =>
  /^[\w.:/@*+-]+$/.test(text) && !/^(or|and|not|if)$/.test(text) ? shown(text) : quoted(text)

/** `1 region`, `2 entries`. */
export function plural(count: number, noun: string): string {
  if (count === 1 || noun === 'info') return `${count} ${noun}`
  return /[^aeiou]y$/.test(noun) ? `${count} ${noun.slice(0, -1)}ies` : `${count} ${noun}s`
}

/** A duration in its largest whole unit: `3 days`, `2 months`. */
export function durationWords(from: number, to: number): string {
  const days = Math.round(Math.abs(to - from) / 86_400_000)
  if (days < 1) return 'less than a day'
  if (days < 60) return plural(days, 'day')
  return days < 730 ? plural(Math.round(days / 30.4), 'month') : plural(Math.round(days / 365.25), 'year')
}

/** How many items are of each kind; in the order of the kinds. */
export const countsOf = <T, K extends string>(kinds: readonly K[], items: readonly T[], of: (item: T) => K): Readonly<Record<K, number>> =>
  Object.fromEntries(kinds.map((kind) => [kind, items.filter((item) => of(item) === kind).length])) as Readonly<Record<K, number>>

/** The first few texts, and the number of the others. */
export function firstFew(strings: readonly string[], most = 8): string {
  return firstWords(strings, (text) => text, most)
}

/** The same of the words for items: those of the others are not made. */
export function firstWords<T>(items: readonly T[], wordsOf: (item: T) => string, most = 8): string {
  const left = items.length - most
  const words = items.slice(0, most).map(wordsOf).join(', ')
  return left > 0 ? `${words} and ${left} more` : words
}

/** The same with each item quoted from the input. */
export const someQuoted = (items: readonly string[], most = 3): string => firstFew(items.map(quoted), most)

/** A part of what is said; no text where it is not said. */
export type Said = string | false | null | undefined | readonly Said[]

/** The parts that are said. */
export const presentParts = (...parts: readonly Said[]): readonly string[] => saidIn(parts)

/** A list may have more parts than a call takes arguments. */
const saidIn = (parts: readonly Said[]): readonly string[] =>
  parts.flatMap((part) => (typeof part === 'string' ? [part] : part ? saidIn(part) : []))

/** The same as a text, a line each. */
export const linesText = (...parts: readonly Said[]): string => `${presentParts(parts).join('\n')}\n`

/** Where a span starts, as it is printed. */
export const placeWords = (span: Span): string => shown(place(span))

/** The title of a policy, as it is printed. */
export const titleWords = ({ name, address }: Policy): string => shown(titled(name.value, address))

/** A policy with the place of its name, as it is printed: below others of its kind, and within a sentence. */
export const policyWords = (policy: Policy): string => `${placeWords(policy.name.span)}  ${titleWords(policy)}`
export const quotedPolicy = ({ name }: Policy): string => `${quoted(name.value)} (${placeWords(name.span)})`

/** The same as machines read it. */
export const policyJson = ({ name, address }: Policy) => ({
  policy: name.value,
  ...(address !== undefined && { address }),
  ...placeJson(name.span),
})

/** Where a span starts, as machines read it. */
export const placeJson = ({ source, start }: Span) => ({ file: source.path, ...position(source, start) })

/** How permissions groups are named. */
interface PermissionsGroupNames {
  readonly permissionsGroup: (urn: string) => string
}

/** An entry that decides: its list, the entry, and the permissions group that it comes from, whole where no names are given. */
export function entryWords({ list, entry, group }: Omit<Clause, 'policy'>, names?: PermissionsGroupNames): string {
  const of = group === undefined ? '' : ` in ${names ? names.permissionsGroup(group) : shown(group)}`
  return `${list} ${quoted(writtenAs(entry.value))}${of}`
}

/** The same with its place and its policy. */
export function placedEntry(clause: Clause, names?: PermissionsGroupNames): string {
  const { policy, entry } = clause
  return `${placeWords(entry.span)}  ${titleWords(policy)}  ${entryWords(clause, names)}`
}

/** The lists of a policy, and one entry of each. */
export const listWords: Readonly<Record<List, readonly [list: string, entry: string]>> = {
  identities: ['identities', 'identity'],
  resources: ['resources', 'resource'],
  allow: ['`allow` list', 'allow'],
  except: ['`except` list', 'except'],
  deny: ['`deny` list', 'deny'],
  permissionsGroups: ['permissions groups', 'permissions group'],
}

/** One line a finding, for editors and for searching: `file:line:column: severity code: message`. */
export const compactLine = ({ code, severity, message, span }: Diagnostic): string =>
  `${placeWords(span)}: ${severity} ${shown(code)}: ${shown(message)}`

/** The documentation that links lead to unless a configuration says otherwise: the site of the repository that package.json names. */
export const defaultDocs = 'https://your-org.github.io/grantwise/{page}.html'

/** The address of a page. `docs`: an address with `{page}` for its name, or that of a copy of the folder `docs` of the package. */
const docsPage = (page: string, docs: string): string =>
  docs.includes('{page}') ? docs.replace('{page}', () => page) : `${docs}/${page}.md`

/** The page of a rule; that of guardrails for a rule of an organisation. */
export const rulePage = (code: string, docs: string): string => docsPage(code.includes('/') ? 'guardrails' : `rules/${code}`, docs)

/** Of how many records a proposal is: those of calls that were refused are not among them. */
export const recordsUsed = ({ records, letThrough }: { readonly records: number; readonly letThrough: number }): string =>
  letThrough === records ? plural(records, 'record') : `${letThrough} of ${plural(records, 'record')}`
