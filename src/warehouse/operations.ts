import type { Catalogue } from '../actions/catalogue.ts'
import type { Operation } from '../actions/operations.ts'
import { isParameter } from '../actions/paths.ts'
import { planCall } from '../calls/judge.ts'
import { routesOf } from '../calls/match.ts'
import { typeAndName } from '../urn/resource.ts'
import type { ColumnType, Value } from './tables.ts'

/** The operations of the API as small tables, which calls with a method and a path are joined with (docs/warehouse-input.md). */

/** How many segments the longest template has that calls are compared with. */
export const mostSegments = 16

const numbers = Array.from({ length: mostSegments }, (_, i) => i + 1)

export const operationColumns = {
  /** Which segments of a template are parameters: 1 for each that is. */
  mask: [['mask', 'int'], ['segments', 'int'], ...numbers.map((i) => [`p${i}`, 'int'] as const)],
  /**
   * An operation: `txt` has its literal segments, `{}` for each parameter, and an end for each segment that is not there. `first_at`: the
   * segment of the first parameter, which names the resource; 0 for none.
   */
  operation: [
    ['op', 'int'],
    ['mask', 'int'],
    ['txt', 'text'],
    ['verb', 'text'],
    ['branch', 'text'],
    ['parameters', 'int'],
    ['first_at', 'int'],
    ['first_name', 'text'],
    ['basis', 'text'],
    ['template', 'text'],
  ],
  /** An action that an operation needs, and where its resource comes from. `why`: the reason it has none. */
  need: [
    ['op', 'int'],
    ['need_no', 'int'],
    ['action', 'text'],
    ['required', 'int'],
    ['origin', 'text'],
    ['type_name', 'text'],
    ['why', 'text'],
  ],
} as const satisfies Readonly<Record<string, readonly (readonly [string, ColumnType])[]>>

export type OperationTableName = keyof typeof operationColumns

export interface OperationTable {
  readonly name: OperationTableName
  readonly rows: readonly (readonly Value[])[]
}

/** A value in place of each parameter, to see what becomes of it. It is no segment of a template. */
const probe = '-'
const probing = { identity: 'urn:v1:eu:identity:user:a/u', context: { at: 0, groups: [] }, resources: [], actions: [] }

/** The operations in their order, which decides nothing: where two fit as well as each other, neither is chosen. */
export function operationTables(
  operations: readonly Operation[],
  catalogue: Pick<Catalogue, 'types' | 'typesOf'>,
): readonly OperationTable[] {
  const routes = routesOf(operations)
  const masks = new Map<string, number>()
  const rows: Record<OperationTableName, Value[][]> = { mask: [], operation: [], need: [] }
  for (const [i, operation] of operations.entries()) {
    const { branch, method, path, actions, noAuthentication } = operation
    const words = path.slice(1).split('/')
    if (words.length > mostSegments) throw new RangeError(`an operation has more than ${mostSegments} segments: ${path}`)
    const op = i + 1
    const flags = words.map((word) => (isParameter(word) ? 1 : 0))
    const key = flags.join('')
    const mask = masks.get(key) ?? masks.size + 1
    if (!masks.has(key)) {
      masks.set(key, mask)
      rows.mask.push([mask, words.length, ...numbers.map((number) => flags[number - 1] ?? 0)])
    }
    const first = words.findIndex(isParameter)
    const basis = noAuthentication ? 'open' : actions.length > 0 ? 'actions' : 'session'
    const literal = numbers.map((number) => (flags[number - 1] === 1 ? '{}' : (words[number - 1] ?? ''))).join('/')
    const parameters = flags.filter((flag) => flag === 1).length
    rows.operation.push([op, mask, literal, method, branch, parameters, first + 1, words[first] ?? '', basis, `/${branch}${path}`])
    if (basis !== 'actions') continue
    const call = { method, branch, sent: path, words: words.map((word) => (isParameter(word) ? probe : word)) }
    for (const [number, { action, required, from, resource = '', why = '' }] of planCall(
      {},
      routes,
      catalogue,
      call,
      probing,
    ).requirements.entries())
      rows.need.push([op, number + 1, action, required ? 1 : 0, from, from === 'path' ? typeAndName(resource).type : '', why])
  }
  return Object.entries(rows).map(([name, of]) => ({ name: name as OperationTableName, rows: of }))
}
