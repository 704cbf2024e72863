import type { Node } from '../../tree.ts'
import type { Caller, Reply, ServiceRequest } from '../model/exchange.ts'
import type { SchemaHistory } from '../model/schemas.ts'
import type { Service } from '../service.ts'

/** What a route is given. */
export interface RouteContext {
  readonly service: Service
  readonly request: ServiceRequest
  /** The values of the path's parameters, decoded. */
  readonly params: Readonly<Record<string, string>>
  /** Who calls. Of an `open` route: nobody is known, and reading it is a fault. */
  readonly caller: Caller
  /** The body as JSON, a map of fields to their values for `form`; undefined where there is none. */
  readonly body: unknown
  /** The same located, for what is wrong with a part of it; undefined where it is no JSON. */
  readonly tree: Node | undefined
  /** The major version of the schema that the answer is to have; 1 outside the second branch. */
  readonly schemasVersion: number
}

/** The fields of a form: each with all values it was given, in their order. */
export type Form = ReadonlyMap<string, readonly string[]>

export interface ServiceRoute {
  readonly method: 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT'
  /** With its branch, `/1.0` as `/v1`: `/v2/iam/policy/{policyId}`, `/auth/oauth2/token`. The first word is no parameter. */
  readonly path: string
  /** Who may call: anybody; whoever is authenticated; whoever has the actions that the catalogue lists for the operation. */
  readonly access: 'open' | 'session' | 'judged'
  /** What a body is: JSON where it is not said. */
  readonly takes?: 'form' | 'json'
  /** The answer to a body that cannot be read, given what is wrong with it; the usual one where it is not said. */
  readonly unreadable?: (message: string) => Reply
  /** The versions of its schema, in the second branch: the first one alone where it is not said. */
  readonly schemas?: SchemaHistory
  /** A body that is given takes the place of its own: what it answers is not shown. */
  readonly mayBeStubbed?: true
  readonly handle: (context: RouteContext) => Reply
}

/** Routes, ready to be found: by how many words they have and the first of them. */
export interface RouteTable {
  readonly byStart: ReadonlyMap<string, readonly Prepared[]>
}

interface Prepared {
  readonly route: ServiceRoute
  readonly words: readonly string[]
  readonly names: readonly (string | undefined)[]
  readonly literals: number
}

export interface FoundRoute {
  /** Undefined: the path is known by other methods alone. */
  readonly route: ServiceRoute | undefined
  readonly params: Readonly<Record<string, string>>
  /** The other methods that the path is known by, where no route is found. */
  readonly methods: readonly string[]
}

/** Sort routes for `findRoute`. Throws where two are the same: which of them answers would be chance. */
export function routeTable(routes: readonly ServiceRoute[]): RouteTable {
  const byStart = new Map<string, Prepared[]>()
  const seen = new Set<string>()
  for (const route of routes) {
    const words = route.path.slice(1).split('/')
    const same = `${route.method} ${words.map((word) => (word.startsWith('{') ? '{}' : word)).join('/')}`
    if (seen.has(same)) throw new Error(`two routes for ${route.method} ${route.path}`)
    seen.add(same)
    const names = words.map((word) => (word.startsWith('{') ? word.slice(1, -1) : undefined))
    const key = startOf(words)
    const list = byStart.get(key) ?? []
    list.push({ route, words, names, literals: names.filter((name) => name === undefined).length })
    byStart.set(key, list)
  }
  for (const list of byStart.values()) list.sort((a, b) => b.literals - a.literals)
  return { byStart }
}

function startOf(words: readonly string[]): string {
  return `${words.length} ${words[0]}`
}

/** The words of a path, decoded; undefined where its percent-encoding is malformed. `/1.0` is `/v1`; no slash at the end counts. */
export function wordsOf(path: string): readonly string[] | undefined {
  const words = path.slice(1).split('/')
  if (words.length > 1 && words.at(-1) === '') words.pop()
  if (words[0] === '1.0') words[0] = 'v1'
  if (!path.includes('%')) return words
  try {
    return words.map(decodeURIComponent)
  } catch {
    return undefined
  }
}

/** The route of a call: of several that fit, the one with the most literal words. Undefined: no route has such a path. */
export function findRoute(table: RouteTable, method: string, words: readonly string[]): FoundRoute | undefined {
  let methods: string[] | undefined
  for (const { route, words: template, names } of table.byStart.get(startOf(words)) ?? []) {
    if (!fits(template, names, words)) continue
    if (route.method === method) return { route, params: valuesOf(names, words), methods: [] }
    methods ??= []
    if (!methods.includes(route.method)) methods.push(route.method)
  }
  return methods && { route: undefined, params: {}, methods }
}

function fits(template: readonly string[], names: readonly (string | undefined)[], words: readonly string[]): boolean {
  for (let i = 0; i < template.length; i++) if (names[i] === undefined ? template[i] !== words[i] : words[i] === '') return false
  return true
}

function valuesOf(names: readonly (string | undefined)[], words: readonly string[]): Readonly<Record<string, string>> {
  const values: Record<string, string> = {}
  for (let i = 0; i < names.length; i++) {
    const name = names[i]
    if (name !== undefined) values[name] = words[i] as string
  }
  return values
}
