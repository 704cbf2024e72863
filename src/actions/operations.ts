import { madeIn } from '../collections.ts'
import { memoizeByText } from '../memo.ts'
import { defaultSettings } from '../names.ts'
import { catalogueTable } from './catalogue-table.ts'
import { daysOf } from './deprecated.ts'
import { deprecatedOperationsTable } from './deprecated-operations-table.ts'
import { tableFacts } from './load.ts'
import { operationsTable } from './operations-table.ts'
import { branded, unfold } from './unfold.ts'

/** One operation of the API and the actions it needs (docs/catalogue.md). */
export interface Operation {
  readonly branch: 'v1' | 'v2'
  readonly method: 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT'
  /** The template, without the branch: `/hosting/web/{serviceName}`. */
  readonly path: string
  /** In the order of the API description. None: a valid session is enough. */
  readonly actions: readonly RequiredAction[]
  /** The month it was last seen, `YYYY-MM`. */
  readonly seen: string
  /** Whether not even a session is needed. */
  readonly noAuthentication: boolean
  /** Present if the operation is deprecated. */
  readonly deprecated?: OperationDeprecation
}

/** The deprecation of an operation, from the service's description. */
export interface OperationDeprecation {
  /** The day since which it is deprecated, `YYYY-MM-DD`. */
  readonly from?: string
  /** The day on which it is removed, `YYYY-MM-DD`. */
  readonly until?: string
  /** The path of the operation to call in its place, with or without a branch, as the service writes it. */
  readonly replacement?: string
}

export interface RequiredAction {
  readonly name: string
  /** False for an action that only some calls of the operation need. */
  readonly required: boolean
}

const methods: Readonly<Record<string, Operation['method']>> = { A: 'PATCH', D: 'DELETE', G: 'GET', P: 'POST', U: 'PUT' }

/**
 * Every known operation, sorted by branch, path and method. The table is read at each call, which takes some
 * milliseconds: keep the result. In a separate file, so that commands that need only actions do not load it.
 */
export function loadOperations(brand = defaultSettings.brand): readonly Operation[] {
  // The table names actions by their number in the other table, counted product by product in its order.
  const names = [...tableFacts(catalogueTable, brand).products.values()].flatMap(({ actions }) => actions())
  const deprecated = deprecations(brand)
  const requirementsOf = memoizeByText(
    (codes: string) => codes,
    (codes) => requirements(codes, names),
  )
  const operations: Operation[] = []
  for (const line of operationsTable.trimEnd().split('\n').slice(1)) {
    const [branch, seen, folded] = line.split(' ') as [Operation['branch'], string, string]
    for (const leaf of unfold(folded)) {
      const colon = leaf.indexOf(':')
      const path = `/${branded(leaf.slice(0, colon), brand)}`
      for (let from = colon + 1; from < leaf.length; ) {
        const method = methods[leaf.charAt(from)] as Operation['method']
        const noAuthentication = leaf[from + 1] === '!'
        const start = from + (noAuthentication ? 2 : 1)
        from = start
        while (from < leaf.length && methods[leaf.charAt(from)] === undefined) from++
        const actions = requirementsOf(leaf.slice(start, from))
        const deprecation = deprecated.get(method)?.get(branch === 'v1' ? path : `/${branch}${path}`)
        operations.push({ branch, method, path, actions, seen, noAuthentication, ...(deprecation && { deprecated: deprecation }) })
      }
    }
  }
  return operations.sort((a, b) => compare(a.branch, b.branch) || compare(a.path, b.path) || compare(a.method, b.method))
}

/** The deprecated operations, by method, then by path, which begins with the branch if it is not v1. */
function deprecations(brand: string): ReadonlyMap<string, ReadonlyMap<string, OperationDeprecation>> {
  const byMethod = new Map<string, Map<string, OperationDeprecation>>()
  for (const line of deprecatedOperationsTable.trimEnd().split('\n')) {
    const [from, until, replacement = '-', folded = ''] = line.split(' ')
    const named = replacement === '-' ? undefined : branded(replacement, brand)
    const deprecation = { ...daysOf(from, until), ...(named !== undefined && { replacement: named }) }
    for (const leaf of unfold(folded)) {
      const [path = '', letters = ''] = leaf.split(':')
      for (const letter of letters)
        madeIn(byMethod, methods[letter] ?? letter, () => new Map<string, OperationDeprecation>()).set(
          `/${branded(path, brand)}`,
          deprecation,
        )
    }
  }
  return byMethod
}

/** `2s+4d?`: the numbers in base 36 of the actions needed, a question mark after those not required. */
function requirements(codes: string, names: readonly string[]): readonly RequiredAction[] {
  if (codes === '') return []
  return codes.split('+').map((code) => ({ name: names[Number.parseInt(code, 36)] as string, required: !code.endsWith('?') }))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
