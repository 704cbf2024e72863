import type { Node } from '../../tree.ts'
import type { Caller, Reply, ServiceRequest } from '../model/exchange.ts'
import type { SchemaHistory } from '../model/schemas.ts'
import type { Service } from '../model/service.ts'

export interface RouteContext {
  readonly service: Service
  readonly request: ServiceRequest
  /** The values of the path's parameters, decoded. */
  readonly params: Readonly<Record<string, string>>
  /** Who calls. An `open` route has none: reading it throws. */
  readonly caller: Caller
  /** The body as JSON, a map of fields to their values for `form`; undefined where there is none. */
  readonly body: unknown
  /** The same located, for problems in a part of it; undefined where it is no JSON. */
  readonly tree: Node | undefined
  /** The major version of the schema that the answer is to have; 1 outside the second branch. */
  readonly schemasVersion: number
}

/** The fields of a form: each with all values it was given, in their order. */
export type Form = ReadonlyMap<string, readonly string[]>

export type Handler = (context: RouteContext) => Reply

export interface ServiceRoute {
  readonly method: 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT'
  /** With its branch, `/1.0` as `/v1`: `/v2/iam/policy/{policyId}`, `/auth/oauth2/token`. The first word is no parameter. */
  readonly path: string
  /** The callers: any; any that is authenticated; or those with the actions that the catalogue lists for the operation. */
  readonly access: 'open' | 'session' | 'judged'
  /** `json` by default. */
  readonly takes?: 'form' | 'json'
  /** The answer to a body that cannot be read, where it is not the usual one. */
  readonly unreadable?: (message: string) => Reply
  /** The versions of its schema, in the second branch: the first one alone by default. */
  readonly schemas?: SchemaHistory
  /** A body that is given with `--stub` replaces its own, which is not shown. */
  readonly mayBeStubbed?: true
  readonly handle: Handler
}

/** Routes that are judged by the policies, by `METHOD path`. */
export function judgedRoutes(handlers: Readonly<Record<`${ServiceRoute['method']} /${string}`, Handler>>): readonly ServiceRoute[] {
  return Object.entries(handlers).map(([call, handle]) => {
    const [method, path] = call.split(' ') as [ServiceRoute['method'], string]
    return { method, path, access: 'judged', handle }
  })
}

/** Routes by the number of their words and the first of them. */
export type RouteTable = ReadonlyMap<string, readonly Prepared[]>

interface Prepared {
  readonly route: ServiceRoute
  /** Undefined: any value. */
  readonly words: readonly (string | undefined)[]
  /** The names of the parameters, at their places. */
  readonly names: readonly (string | undefined)[]
}

export interface FoundRoute {
  /** Undefined: the path has other methods alone. */
  readonly route: ServiceRoute | undefined
  readonly params: Readonly<Record<string, string>>
  /** The other methods of the path, where no route is found. */
  readonly methods: readonly string[]
}

/** Prepare routes for `findRoute`. Throws where two are the same: which of them answers would be chance. */
export function routeTable(routes: readonly ServiceRoute[]): RouteTable {
  const table = new Map<string, Prepared[]>()
  const seen = new Set<string>()
  for (const route of routes) {
    const names = route.path
      .slice(1)
      .split('/')
      .map((word) => (word.startsWith('{') ? word.slice(1, -1) : undefined))
    const words = route.path
      .slice(1)
      .split('/')
      .map((word, i) => (names[i] === undefined ? word : undefined))
    const same = `${route.method} ${words.join('/')}`
    if (seen.has(same)) throw new Error(`two routes for ${route.method} ${route.path}`)
    seen.add(same)
    const list = table.get(startOf(words)) ?? []
    table.set(startOf(words), list)
    list.push({ route, words, names })
  }
  const parameters = ({ words }: Prepared) => words.filter((word) => word === undefined).length
  for (const list of table.values()) list.sort((a, b) => parameters(a) - parameters(b))
  return table
}

function startOf(words: readonly (string | undefined)[]): string {
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

/** The route of a call: of several that match, the one with the most literal words. Undefined: no route has such a path. */
export function findRoute(table: RouteTable, method: string, words: readonly string[]): FoundRoute | undefined {
  const methods = new Set<string>()
  for (const { route, words: template, names } of table.get(startOf(words)) ?? []) {
    if (!template.every((word, i) => (word === undefined ? words[i] !== '' : word === words[i]))) continue
    if (route.method === method) {
      const params = Object.fromEntries(names.flatMap((name, i) => (name === undefined ? [] : [[name, words[i] as string]])))
      return { route, params, methods: [] }
    }
    methods.add(route.method)
  }
  return methods.size > 0 ? { route: undefined, params: {}, methods: [...methods] } : undefined
}
