import type { Operation } from '../actions/operations.ts'
import { isParameter, withoutBranch, withoutSlash } from '../actions/paths.ts'
import { pushTo } from '../collections.ts'
import { covers, glob, matches } from '../glob.ts'
import { keyOf } from '../keys.ts'
import { formsOf } from './access.ts'
import type { Call } from './match.ts'

/** An access rule without places in a text. */
export interface PlainRule {
  readonly method: string
  readonly path: string
}

/** Levels of widening for rules: none, `*` in place of each path parameter, or everything below the first one. */
export const ruleLevels = {
  none: 'exactly the paths that are called',
  parameters: '`*` in place of each path parameter: `/vps/*/reboot`',
  branches: 'all that is below the first path parameter: `/vps/*`',
} as const

export type RuleLevel = keyof typeof ruleLevels

/**
 * The rules that allow a call: one, or several where the path may be compared in several forms. Of the first branch
 * paths are written without branch, as is usual. `operation`: undefined where it is not known; then nothing is widened.
 */
export function rulesForCall(call: Call, operation: Operation | undefined, level: RuleLevel): readonly PlainRule[] {
  const { method } = call
  const branch = (operation?.branch ?? call.branch) === 'v2' ? '/v2' : ''
  const template = operation?.path.slice(1).split('/') ?? []
  const first = template.findIndex(isParameter)
  const meant = (path: string) => branch + path
  if (level === 'none' || first < 0) return [...new Set([...formsOf(call)].map(meant))].sort().map((path) => ({ method, path }))
  const words = level === 'branches' ? [...template.slice(0, first), '*'] : template.map((word) => (isParameter(word) ? '*' : word))
  const path = `${branch}/${words.join('/')}`
  // How the service compares a path with a slash at its end is not published: with it and without.
  return [path, ...(call.sent.endsWith('/') && !path.endsWith('*') ? [`${path}/`] : [])].map((each) => ({ method, path: each }))
}

/** Rules laid out to be asked what they cover. */
export interface RuleCover {
  /** Whether these together allow every call that the rule allows. A `*` is covered by one rule or not at all. */
  readonly covers: (rule: PlainRule) => boolean
}

type Branch = Operation['branch']
const branches: readonly Branch[] = ['v1', 'v2']

export function coverOfRules(rules: readonly PlainRule[]): RuleCover {
  const literal = new Set<string>()
  const wide = new Map<string, ReturnType<typeof glob>[]>()
  for (const { method, path } of rules) {
    const { branch, rest } = withoutBranch(path)
    for (const each of branch === undefined ? branches : [branch]) {
      const key = keyOf(method, each)
      if (!rest.includes('*')) literal.add(keyOf(key, rest))
      else {
        pushTo(wide, key, glob(rest))
      }
    }
  }
  return {
    covers({ method, path }) {
      const { branch, rest } = withoutBranch(path)
      return (branch === undefined ? branches : [branch]).every((each) => {
        const key = keyOf(method, each)
        return literal.has(keyOf(key, rest)) || (wide.get(key) ?? []).some((pattern) => covers(pattern, glob(rest)))
      })
    },
  }
}

/** The fewest of the rules that allow the same calls, sorted by path and method. */
export function withoutCovered(rules: readonly PlainRule[]): readonly PlainRule[] {
  const distinct = [...new Map(rules.map((rule) => [keyOf(rule.method, rule.path), rule])).values()].sort(compareRules)
  const wide = distinct.filter(isWide)
  // Of those that cover each other, the first stays.
  const uncoveredWide: PlainRule[] = []
  for (const [i, rule] of wide.entries()) if (!coverOfRules([...uncoveredWide, ...wide.slice(i + 1)]).covers(rule)) uncoveredWide.push(rule)
  const covered = coverOfRules([
    ...uncoveredWide,
    ...distinct.filter((rule) => !isWide(rule) && withoutBranch(rule.path).branch === undefined),
  ])
  const ofWide = coverOfRules(uncoveredWide)
  const literal = distinct.filter((rule) => {
    if (isWide(rule)) return false
    return withoutBranch(rule.path).branch === undefined ? !ofWide.covers(rule) : !covered.covers(rule)
  })
  return [...uncoveredWide, ...literal].sort(compareRules)
}

function isWide({ path }: PlainRule): boolean {
  return path.includes('*')
}

function compareRules(a: PlainRule, b: PlainRule): number {
  const [x, y] = [`${a.path} ${a.method}`, `${b.path} ${b.method}`]
  return x < y ? -1 : x > y ? 1 : 0
}

/**
 * A finder of the operations of which a rule allows some call. `*` crosses slashes; the value of a path parameter has none and is
 * not empty. A rule that ends with a slash is for calls that do. Operations that need no authentication are left out: no rule
 * opens them.
 */
export function operationsFinder(operations: readonly Operation[]): (rule: PlainRule) => readonly Operation[] {
  const groups = new Map<string, { readonly operation: Operation; readonly head: string }[]>()
  for (const operation of operations) {
    if (operation.noAuthentication) continue
    const value = operation.path.indexOf('{')
    const key = operation.path.slice(1).split('/', 1)[0] as string
    const entry = { operation, head: value < 0 ? operation.path : operation.path.slice(0, value) }
    pushTo(groups, key, entry)
  }
  return ({ method, path }) => {
    const { branch, rest: written } = withoutBranch(path)
    const rest = withoutSlash(written)
    const star = rest.indexOf('*')
    const start = star < 0 ? rest : rest.slice(0, star)
    const depth = depthOf(rest)
    const words = start.slice(1).split('/')
    const likely = start.startsWith('/') && (words.length > 1 || star < 0) ? [groups.get(words[0] as string) ?? []] : [...groups.values()]
    const out: Operation[] = []
    for (const group of likely) {
      for (const { operation, head } of group) {
        if (operation.method !== method || (branch !== undefined && operation.branch !== branch)) continue
        if (!start.startsWith(head) && !head.startsWith(start)) continue
        if (star < 0 && depthOf(operation.path) !== depth) continue
        if (meets(rest, operation.path)) out.push(operation)
      }
    }
    // First the operations that are matched for all values of their parameters, then those matched only for some.
    const pattern = glob(rest)
    const isWhole = (operation: Operation) => matches(pattern, operation.path.replace(/\{[^}]*\}/g, '\uffff'))
    return [...out.filter(isWhole), ...out.filter((operation) => !isWhole(operation))]
  }
}

function depthOf(path: string): number {
  let slashes = 0
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) slashes++
  return slashes
}

/**
 * Whether some path of a template matches a pattern: all places of the pattern that may be reached are followed through the
 * template in parallel.
 */
function meets(pattern: string, template: string): boolean {
  const text = pattern.replace(/\*+/g, '*')
  const withStars = (places: Iterable<number>) => {
    const out = new Set<number>()
    for (const place of places) {
      out.add(place)
      if (text[place] === '*') out.add(place + 1)
    }
    return out
  }
  const after = (places: ReadonlySet<number>, fits: (c: string) => boolean) => {
    const out = new Set<number>()
    for (const place of places) {
      const c = text[place]
      if (c === '*') out.add(place)
      else if (c !== undefined && fits(c)) out.add(place + 1)
    }
    return withStars(out)
  }
  let places = withStars([0])
  for (let index = 0; index < template.length && places.size > 0; index++) {
    const c = template[index] as string
    if (c !== '{') {
      places = after(places, (other) => other === c)
      continue
    }
    const end = template.indexOf('}', index)
    index = end < 0 ? template.length : end
    // One character that is no slash, or more.
    let next = after(places, (other) => other !== '/')
    const reached = new Set(next)
    while (next.size > 0) {
      next = new Set([...after(next, (other) => other !== '/')].filter((place) => !reached.has(place)))
      for (const place of next) reached.add(place)
    }
    places = reached
  }
  return places.has(text.length)
}

/** Rules as the body of a request for a credential. */
export function rulesAsRequest(rules: readonly PlainRule[]): string {
  const lines = rules.map(({ method, path }) => `    { "method": ${JSON.stringify(method)}, "path": ${JSON.stringify(path)} }`)
  return lines.length === 0 ? '{ "accessRules": [] }\n' : `{\n  "accessRules": [\n${lines.join(',\n')}\n  ]\n}\n`
}

/** Rules as a list, one a line. Undefined where a path holds what would end it there. */
export function rulesAsList(rules: readonly PlainRule[]): string | undefined {
  if (rules.some(({ path }) => path === '' || /[\s\p{Cc}\p{Cf}]/u.test(path) || path.startsWith('#'))) return undefined
  return rules.map(({ method, path }) => `${method} ${path}\n`).join('')
}

/** Rules as the address of the page that makes a token. `base`: the address of the API, with its branch or without. */
export function rulesAsAddress(rules: readonly PlainRule[], base: string): string {
  const host = base.replace(/\/+$/, '').replace(/\/(?:1\.0|v1|v2)$/, '')
  // Characters that are legible and literal in a query are not encoded.
  const written = (path: string) => encodeURIComponent(path).replace(/%2F/g, '/').replace(/%3A/g, ':').replace(/%40/g, '@')
  return `${host}/createToken/?${rules.map(({ method, path }) => `${method}=${written(path)}`).join('&')}\n`
}
