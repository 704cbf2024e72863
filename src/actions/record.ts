import type { Span } from '../source.ts'
import { field, type MapNode, type Node } from '../tree.ts'
import { readAction } from './action.ts'
import type { Catalogue, Deprecation } from './catalogue.ts'
import { catalogueOf, type ProductFacts } from './load.ts'
import type { Operation, OperationDeprecation, RequiredAction } from './operations.ts'
import { rebrand } from './rebrand.ts'

/** The content of a catalogue file (`schemas/catalogue.schema.json`). */
export interface CatalogueRecord {
  /** The month the newest part was seen, `YYYY-MM`. */
  readonly seen: string
  /** The brand word that the names are written with. */
  readonly brand: string
  /** By name, sorted. */
  readonly actions: ReadonlyMap<string, ActionRecord>
  /** Sorted. */
  readonly types: readonly string[]
  /** The resource types of products that serve other types than the one of their name; both sorted. */
  readonly serves: ReadonlyMap<string, readonly string[]>
  /** Sorted by branch, path and method. */
  readonly operations: readonly Operation[]
}

export interface ActionRecord {
  /** The month it was last seen, `YYYY-MM`. */
  readonly seen: string
  /** The month it was first seen; not given for one that was there from the start. */
  readonly since?: string
  readonly deprecated?: Deprecation
}

/** A problem with one place of a file. */
export interface Misread {
  readonly span: Span
  readonly message: string
  readonly help?: string
}

/** The catalogue that a record makes. */
export function catalogueOfRecord(record: CatalogueRecord): Catalogue {
  const byProduct = new Map<string, { seen: string; actions: string[] }>()
  const deprecated = new Map<string, Deprecation>()
  const since = new Map<string, string>()
  for (const [name, action] of record.actions) {
    const product = name.slice(0, name.indexOf(':'))
    const ofProduct = byProduct.get(product)
    if (ofProduct === undefined) byProduct.set(product, { seen: action.seen, actions: [name] })
    else {
      ofProduct.actions.push(name)
      if (action.seen > ofProduct.seen) ofProduct.seen = action.seen
    }
    if (action.deprecated) deprecated.set(name, action.deprecated)
    if (action.since !== undefined) since.set(name, action.since)
  }
  const products = new Map<string, ProductFacts>()
  for (const [product, { seen, actions }] of byProduct) products.set(product, { seen, actions: () => actions })
  return catalogueOf({
    seen: record.seen,
    size: record.actions.size,
    products,
    types: () => record.types,
    serves: () => record.serves,
    deprecated: () => deprecated,
    since,
  })
}

/**
 * A record as the text of a catalogue file: JSON, an action or operation a line, so that two of them can be compared line
 * by line. The same record gives the same text.
 */
export function printRecord(record: CatalogueRecord): string {
  const lines = (items: readonly unknown[]) =>
    items.length === 0 ? '[]' : `[\n${items.map((item) => `    ${JSON.stringify(item)}`).join(',\n')}\n  ]`
  const serves = [...record.serves].map(([product, types]) => `    ${JSON.stringify(product)}: ${JSON.stringify(types)}`)
  return [
    '{',
    '  "catalogue": 1,',
    `  "seen": ${JSON.stringify(record.seen)},`,
    `  "brand": ${JSON.stringify(record.brand)},`,
    `  "actions": ${lines([...record.actions].map(([name, action]) => ({ name, ...printedAction(action) })))},`,
    `  "types": ${lines(record.types)},`,
    `  "serves": ${serves.length === 0 ? '{}' : `{\n${serves.join(',\n')}\n  }`},`,
    `  "operations": ${lines(record.operations.map(printedOperation))}`,
    '}\n',
  ].join('\n')
}

/** Fields in a fixed order, so that equal records are printed alike. */
function printedAction({ seen, since, deprecated }: ActionRecord): object {
  return {
    seen,
    ...(since !== undefined && { since }),
    ...(deprecated && { deprecated: { ...days(deprecated), replacedBy: deprecated.replacedBy } }),
  }
}

function printedOperation({ branch, method, path, actions, seen, noAuthentication, deprecated }: Operation): object {
  return {
    branch,
    method,
    path,
    ...(actions.length > 0 && { actions: actions.map(({ name, required }) => (required ? name : { name, required })) }),
    seen,
    ...(noAuthentication && { noAuthentication }),
    ...(deprecated && {
      deprecated: { ...days(deprecated), ...(deprecated.replacement !== undefined && { replacement: deprecated.replacement }) },
    }),
  }
}

function days({ from, until }: { readonly from?: string; readonly until?: string }): { readonly from?: string; readonly until?: string } {
  return { ...(from !== undefined && { from }), ...(until !== undefined && { until }) }
}

/**
 * Read a catalogue file whose shape is right (`schemas/catalogue.schema.json`), in the words of a brand. What the schema
 * cannot express is checked here: action names, and duplicates.
 */
export function readRecord(root: MapNode, brand: string): { readonly record: CatalogueRecord; readonly problems: readonly Misread[] } {
  const problems: Misread[] = []
  const seen = textAt(root, 'seen') ?? ''
  const writtenBrand = textAt(root, 'brand') ?? brand
  const named = (text: string) => rebrand(text, writtenBrand, brand)
  // Most names occur many times: each is parsed once.
  const understood = new Map<string, string>()
  const actionName = (node: Node | undefined): string => {
    const text = node?.kind === 'text' ? node.value : ''
    const readName = understood.get(text)
    if (readName !== undefined) return readName
    const fault = node && readAction(text, writtenBrand).faults?.[0]
    const name = named(text)
    if (!fault) understood.set(text, name)
    else
      problems.push({
        span: node,
        message: `not an action: ${fault.message}`,
        ...(fault.suggestion !== undefined && { help: `did you mean \`${fault.suggestion}\`?` }),
      })
    return name
  }

  const actions: [string, ActionRecord][] = []
  const places = new Set<string>()
  for (const item of itemsAt(root, 'actions')) {
    const node = item.kind === 'map' ? field(item, 'name') : item
    const name = actionName(node)
    if (places.has(name))
      problems.push({ span: node ?? item, message: 'this action is listed twice', help: 'remove one of the two entries' })
    places.add(name)
    actions.push([name, item.kind === 'map' ? actionRecord(item, seen, named) : { seen }])
  }
  const operations = itemsAt(root, 'operations').flatMap((item): Operation[] => {
    if (item.kind !== 'map') return []
    const deprecated = mapAt(item, 'deprecated')
    return [
      {
        branch: textAt(item, 'branch') as Operation['branch'],
        method: textAt(item, 'method') as Operation['method'],
        path: named(textAt(item, 'path') ?? ''),
        actions: itemsAt(item, 'actions').map(
          (entry): RequiredAction =>
            entry.kind === 'map'
              ? { name: actionName(field(entry, 'name')), required: flagAt(entry, 'required') ?? true }
              : { name: actionName(entry), required: true },
        ),
        seen: textAt(item, 'seen') ?? seen,
        noAuthentication: flagAt(item, 'noAuthentication') ?? false,
        ...(deprecated && { deprecated: operationDeprecation(deprecated, named) }),
      },
    ]
  })
  for (const { actions: needed } of operations)
    for (const { name } of needed) {
      if (places.has(name)) continue
      places.add(name)
      actions.push([name, { seen }])
    }
  const serves = mapAt(root, 'serves')?.entries ?? []
  const types = new Set(textsAt(root, 'types').map(named))
  for (const { value } of serves) for (const type of textsOf(value)) types.add(named(type))
  return {
    record: {
      seen,
      brand,
      actions: sortedMap(actions),
      types: [...types].sort(),
      serves: sortedMap(serves.map(({ key, value }) => [named(key.value), textsOf(value).map(named).sort()])),
      operations: operations.sort(compareOperations),
    },
    problems,
  }
}

function actionRecord(item: MapNode, seen: string, named: (text: string) => string): ActionRecord {
  const since = textAt(item, 'since')
  const deprecated = mapAt(item, 'deprecated')
  return {
    seen: textAt(item, 'seen') ?? seen,
    ...(since !== undefined && { since }),
    ...(deprecated && { deprecated: { ...daysAt(deprecated), replacedBy: textsAt(deprecated, 'replacedBy').map(named).sort() } }),
  }
}

function operationDeprecation(node: MapNode, named: (text: string) => string): OperationDeprecation {
  const replacement = textAt(node, 'replacement')
  return { ...daysAt(node), ...(replacement !== undefined && { replacement: named(replacement) }) }
}

function daysAt(node: MapNode): { readonly from?: string; readonly until?: string } {
  const [from, until] = [textAt(node, 'from'), textAt(node, 'until')]
  return { ...(from !== undefined && { from }), ...(until !== undefined && { until }) }
}

/** The order of operations in a catalogue: by branch, path and method. */
export function compareOperations(a: Operation, b: Operation): number {
  return compare(a.branch, b.branch) || compare(a.path, b.path) || compare(a.method, b.method)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

export function sortedMap<T>(entries: readonly (readonly [string, T])[]): ReadonlyMap<string, T> {
  return new Map([...entries].sort(([a], [b]) => compare(a, b)))
}

function textAt(map: MapNode, key: string): string | undefined {
  const node = field(map, key)
  return node?.kind === 'text' ? node.value : undefined
}

function flagAt(map: MapNode, key: string): boolean | undefined {
  const node = field(map, key)
  return node?.kind === 'boolean' ? node.value : undefined
}

function mapAt(map: MapNode, key: string): MapNode | undefined {
  const node = field(map, key)
  return node?.kind === 'map' ? node : undefined
}

function itemsAt(map: MapNode, key: string): readonly Node[] {
  const node = field(map, key)
  return node?.kind === 'list' ? node.items : []
}

function textsAt(map: MapNode, key: string): readonly string[] {
  const node = field(map, key)
  return node ? textsOf(node) : []
}

function textsOf(node: Node): readonly string[] {
  return node.kind === 'list' ? node.items.flatMap((item) => (item.kind === 'text' ? [item.value] : [])) : []
}
