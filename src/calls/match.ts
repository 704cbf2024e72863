import type { Catalogue } from '../actions/catalogue.ts'
import { comparedMonth } from '../actions/compared-month.ts'
import type { Operation } from '../actions/operations.ts'
import { isFirstWord, isParameter, withoutBranch, withoutSlash } from '../actions/paths.ts'
import { madeIn } from '../collections.ts'
import { lazy } from '../memo.ts'
import { visible } from '../names.ts'
import { nearest } from '../nearest.ts'
import type { Problem } from '../simulate/decision.ts'

export const callMethods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'] as const
export type CallMethod = (typeof callMethods)[number]

/** A call as it is made: method and path with real values. */
export interface Call {
  readonly method: CallMethod
  readonly branch: Operation['branch'] | undefined
  /** The path as it is sent, without branch and query: `/ip/192.0.2.0%2F24`. */
  readonly sent: string
  /** The words of the path, decoded. No slash at the end counts. */
  readonly words: readonly string[]
}

export type ReadCall =
  | { readonly call: Call; readonly problems?: undefined }
  | { readonly call?: undefined; readonly problems: readonly Problem[] }

/**
 * Read a call. The path may be a whole address (the host does not count), may name its branch, may have a query or end with
 * a slash; its words may be percent-encoded. What could mean several paths is a problem, not a guess.
 */
export function readCall(method: string, path: string): ReadCall {
  const problems: Problem[] = []
  const knownMethod = callMethods.find((each) => each === method.toUpperCase())
  if (knownMethod === undefined) {
    const suggested = nearest(method.toUpperCase(), callMethods)
    problems.push({
      message: `method ${quote(method)}: expected one of ${callMethods.map(quote).join(', ')}`,
      ...(suggested !== undefined && { help: `did you mean ${quote(suggested)}?` }),
    })
  }
  const whole = path.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '')
  if (!whole.startsWith('/'))
    problems.push({ message: `path ${quote(path)}: does not start with \`/\``, help: 'for example `/v1/hosting/web/example.org`' })
  const { branch, rest } = withoutBranch(whole)
  const words = withoutSlash(rest).replace(/^\//, '').split('/').map(decoded)
  if (words.includes(undefined))
    problems.push({ message: `path ${quote(path)}: malformed percent-encoding`, help: 'a percent sign itself is written `%25`' })
  if (/[\\\0-\x1f\x7f]|^ | $/.test(path))
    problems.push({
      message: `path ${quote(path)}: programs disagree on backslashes, control characters and blanks at an end: they drop or replace them`,
      help: 'write them percent-encoded: a backslash is `%5C`',
    })
  if (words.some((word) => word === '.' || word === '..'))
    problems.push({ message: `path ${quote(path)}: \`.\` and \`..\` make it another path`, help: 'write the path that is meant' })
  if (words.some((word) => word?.includes('*')))
    problems.push({ message: `path ${quote(path)}: a call is to one path, not to a pattern`, help: 'put a real value in place of `*`' })
  if (problems.length > 0 || knownMethod === undefined) return { problems }
  return { call: { method: knownMethod, branch, sent: rest, words: words as readonly string[] } }
}

function decoded(word: string): string | undefined {
  if (!/[%\ud800-\udfff]/.test(word)) return word
  try {
    const text = decodeURIComponent(word)
    // Half a surrogate pair is refused by this one.
    encodeURIComponent(text)
    return text
  } catch {
    return undefined
  }
}

interface Route {
  readonly operation: Operation
  readonly words: readonly string[]
  readonly parameters: readonly number[]
  readonly order: number
}

/** Where the words of templates up to here lead, all templates together: by a literal word, or by any value. */
interface Branching {
  readonly literal: Map<string, Branching>
  value: Branching | undefined
  readonly routes: Route[]
  /** The branches in which a template goes on with a parameter: the operation here answers with a list. */
  readonly listsIn: Operation['branch'][]
}

/** Operations, ready to be matched against calls. */
export interface Routes {
  readonly operations: readonly Operation[]
  readonly all: () => readonly Route[]
  /** The first words of templates; `{}` for a parameter. */
  readonly firstWords: () => ReadonlySet<string>
  /** Where templates with a first word lead, a parameter being `{}`. */
  readonly after: (firstWord: string) => Branching | undefined
}

/** Index operations by the segments of their paths: those with a first word when a call begins with it. */
export function routesOf(operations: readonly Operation[]): Routes {
  const firstWords = lazy(() => new Set(operations.map(({ path }) => firstWordOf(path))))
  const made = new Map<string, Branching>()
  const routesAfter = (firstWord: string) =>
    operations.flatMap((operation, order) => (beginsWith(operation.path, firstWord) ? [routeOf(operation, order)] : []))
  // Words that no template begins with are not remembered: a log may have any number of them.
  const after = (firstWord: string) =>
    firstWords().has(firstWord) ? madeIn(made, firstWord, () => branchingOf(routesAfter(firstWord))) : undefined
  return { operations, all: lazy(() => operations.map(routeOf)), firstWords, after }
}

const anyWord = '{}'

/** The first word of a template; `{}` for a parameter. */
function firstWordOf(path: string): string {
  const end = path.indexOf('/', 1)
  const word = path.slice(1, end < 0 ? undefined : end)
  return isParameter(word) ? anyWord : word
}

function beginsWith(path: string, firstWord: string): boolean {
  return firstWord === anyWord ? path.startsWith('/{') : isFirstWord(path, firstWord)
}

function routeOf(operation: Operation, order: number): Route {
  const words = operation.path.slice(1).split('/')
  return { operation, words, parameters: words.flatMap((word, i) => (isParameter(word) ? [i] : [])), order }
}

/** Where routes lead that have their first word in common. */
function branchingOf(routes: readonly Route[]): Branching {
  const start = branching()
  for (const route of routes) {
    let node = start
    for (const word of route.words.slice(1)) {
      if (!isParameter(word)) node = afterLiteral(node, word)
      else {
        const { branch } = route.operation
        if (!node.listsIn.includes(branch)) node.listsIn.push(branch)
        node = afterValue(node)
      }
    }
    node.routes.push(route)
  }
  return start
}

function branching(): Branching {
  return { literal: new Map(), value: undefined, routes: [], listsIn: [] }
}

function afterValue(at: Branching): Branching {
  at.value ??= branching()
  return at.value
}

function afterLiteral(node: Branching, word: string): Branching {
  return madeIn(node.literal, word, branching)
}

/** Where the words of a path lead: to several places where templates have a literal word and a parameter at one. */
function endsOf({ after }: Routes, [firstWord = '', ...words]: readonly string[]): readonly Branching[] {
  const literal = isParameter(firstWord) ? undefined : after(firstWord)
  const value = firstWord === '' ? undefined : after(anyWord)
  let ends = [literal, value].filter((each) => each !== undefined)
  for (const word of words) {
    const next: Branching[] = []
    for (const { literal, value } of ends) {
      const branch = literal.get(word)
      if (branch) next.push(branch)
      if (value && word !== '') next.push(value)
    }
    ends = next
  }
  return ends
}

/** An operation that a call fits, with the values of its path parameters in their order. */
export interface Match {
  readonly operation: Operation
  /** Undefined: the call has the template's own `{name}` in its place. */
  readonly values: readonly (string | undefined)[]
  /** Other operations that it fits too, in fewer literal words: a router prefers the literal ones. */
  readonly others: readonly Operation[]
}

/** The operations of a call: one, several that nothing decides between, or none. */
export type Matched =
  | { readonly kind: 'one'; readonly match: Match }
  | { readonly kind: 'several'; readonly operations: readonly Operation[] }
  | { readonly kind: 'none'; readonly near?: string; readonly methods: readonly CallMethod[] }

/**
 * Find the operation of a call. Of several templates that fit, the one with the most literal words is it; where two have as
 * many, or a path without a branch fits in both, all of them are given.
 */
export function matchCall(routes: Routes, call: Call): Matched {
  const fitting: Route[] = []
  const candidates: Route[] = []
  for (const { routes: ending } of endsOf(routes, call.words)) {
    for (const route of ending) {
      const { branch, method } = route.operation
      if (call.branch !== undefined && branch !== call.branch) continue
      fitting.push(route)
      if (method === call.method) candidates.push(route)
    }
  }
  if (candidates.length > 1) candidates.sort((a, b) => a.parameters.length - b.parameters.length || a.order - b.order)
  const [best, ...rest] = candidates
  if (!best) {
    const methods = callMethods.filter((method) => fitting.some(({ operation }) => operation.method === method))
    const path = methods.length > 0 ? undefined : nearestPath(routes, call)
    const fullPath = path === undefined || call.branch === undefined ? path : `/${call.branch}${path}`
    return { kind: 'none', methods, ...(fullPath !== undefined && { near: fullPath }) }
  }
  const rivals = rest.filter(
    (route) => route.operation.branch !== best.operation.branch || route.parameters.length === best.parameters.length,
  )
  if (rivals.length > 0) return { kind: 'several', operations: [best, ...rivals].map(({ operation }) => operation) }
  const values = best.parameters.map((i) => (call.words[i] === best.words[i] ? undefined : call.words[i]))
  return { kind: 'one', match: { operation: best.operation, values, others: rest.map(({ operation }) => operation) } }
}

/**
 * Whether an operation answers with a list of the objects of the paths below it: `GET /vps` next to `/vps/{serviceName}`, and
 * `GET /vps/{serviceName}/disks` next to `/vps/{serviceName}/disks/{id}`.
 */
export function isList(routes: Routes, { branch, method, path }: Operation): boolean {
  if (method !== 'GET') return false
  let end = routes.after(firstWordOf(path))
  for (const word of path.split('/').slice(2)) end = isParameter(word) ? end?.value : end?.literal.get(word)
  return end?.listsIn.includes(branch) === true
}

function fits(template: readonly string[], words: readonly string[]): boolean {
  return template.every((word, i) => (isParameter(word) ? words[i] !== '' : word === words[i]))
}

/** The month, `YYYY-MM`, of the operations that a call which is none of them was compared with. */
export function monthOfUnmatched(
  { operations }: Routes,
  { branch, words: [first] }: Call,
  catalogue: Pick<Catalogue, 'seen' | 'complete'>,
): string {
  return comparedMonth(operations, { branch, first }, catalogue)
}

/** A known path that was probably meant, with the values as they are given: a block whose slash is not encoded, or a slip in a word. */
function nearestPath(routes: Routes, { branch, method, words }: Call): string | undefined {
  const written = words.filter((word) => word !== '')
  const all = routes.all().filter(({ operation }) => branch === undefined || operation.branch === branch)
  const block = written.findIndex((word, i) => /^[0-9a-f.:]*[.:][0-9a-f.:]*$/i.test(word) && /^\d{1,3}$/.test(written[i + 1] ?? ''))
  if (block >= 0) {
    const joined = written.toSpliced(block, 2, `${written[block]}/${written[block + 1]}`)
    const route = all.find((each) => each.operation.method === method && each.words.length === joined.length && fits(each.words, joined))
    if (route) return pathOf(route, joined)
  }
  let best: Route | undefined
  let least = mostSlips + 1
  for (const route of all) {
    if (route.words.length !== written.length) continue
    const slips = slipsIn(route.words, written, least)
    const isBetter = slips < least || (slips === least && best && best.operation.method !== method && route.operation.method === method)
    if (!isBetter || slips > mostSlips) continue
    best = route
    least = slips
  }
  return best && pathOf(best, written)
}

const mostSlips = 2

/** The number of segments with a typo, compared with a template; `most + 1` as soon as there are more, or a segment is a different word. */
function slipsIn(template: readonly string[], written: readonly string[], most: number): number {
  let slips = 0
  for (const [i, word] of template.entries()) {
    const writtenWord = written[i] as string
    if (isParameter(word) || word === writtenWord) continue
    if (++slips > most || nearest(writtenWord, [word]) === undefined) return most + 1
  }
  return slips
}

function pathOf({ words }: Route, written: readonly string[]): string {
  return `/${words.map((word, i) => (isParameter(word) ? encodeURIComponent(written[i] as string) : word)).join('/')}`
}

function quote(text: string): string {
  return `\`${visible(text.slice(0, 200))}\``
}
