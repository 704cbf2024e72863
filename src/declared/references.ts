import type { Entry, Node, UnknownNode } from '../tree.ts'
import { fieldOf, kindOfTerraform } from './attributes.ts'
import { type Declared, itemsOf, listNode, nameAt, textOf, valueAt } from './record.ts'

/** The references of an expression, as far as the plan says. */
interface Reach {
  /** The addresses of groups that get their names only at apply. */
  readonly groups: Set<string>
  /** Something else may not be known either, so that which part comes from where cannot be determined. */
  hasOthers: boolean
}

/** Modules that hand a value on to one another. */
const deepestModule = 32

/**
 * Ties unknown names to the groups whose names they will be. A plan lists what each attribute refers to: where a list has as many
 * unknown values as it refers to groups without a name, and refers to nothing else unknown, they are the names of those.
 */
export function tieNames(records: readonly Declared[], plan: Node, prefix: string): readonly Declared[] {
  const nameless = new Map(
    records.flatMap((each) => (each.kind !== 'policy' && each.urn?.kind === 'unknown' ? [[each.address, each] as const] : [])),
  )
  if (nameless.size === 0) return records
  const changes = new Map(itemsOf(valueAt(plan, 'resource_changes')).map((change) => [textOf(valueAt(change, 'address')) ?? '', change]))
  const root = valueAt(plan, 'configuration', 'root_module')
  return records.map((record) => {
    const attributes = record.attributes.map((entry) => ({ key: entry.key, value: tied(record, entry) }))
    return { ...record, attributes }
  })

  function tied({ kind, address }: Declared, { key, value }: Entry): Node {
    if (fieldOf(kind, key.value)?.key !== 'urn' || value.kind !== 'list') return value
    const unknowns = value.items.filter((item): item is UnknownNode => item.kind === 'unknown')
    if (unknowns.length === 0) return value
    const place = placeOf(address)
    const resource = place && configured(root, place)
    if (!place || !resource) return value
    const reach: Reach = { groups: new Set(), hasOthers: false }
    follow(valueAt(resource, 'expressions', key.value), place.modules, place.index, reach, 0)
    if (reach.hasOthers || reach.groups.size !== unknowns.length) return value
    const names = [...reach.groups]
    const nameOf = (item: UnknownNode) => nameAt(item, `${names[unknowns.indexOf(item)]}.urn`, item.scope)
    const items = value.items.map((item) => (item.kind === 'unknown' ? nameOf(item) : item))
    return listNode(value, items)
  }

  /** Note what an expression refers to; `index` is the key of the instance that it is evaluated for. */
  function follow(expression: Node | undefined, modules: readonly Step[], index: string, reach: Reach, depth: number): void {
    const leaves = leavesOf(expression)
    if (depth > deepestModule || leaves === undefined) {
      reach.hasOthers = true
      return
    }
    const isOfInstance = leaves.some((leaf) => leaf === 'each.key' || leaf === 'count.index')
    for (const leaf of leaves) {
      const [head = '', second = '', third] = partsOf(leaf)
      if (leaf === 'each.key' || leaf === 'count.index' || head === 'path' || head === 'terraform') continue
      if (head === 'var') {
        const call = modules.at(-1)
        const outer = modules.slice(0, -1)
        // Those of the whole configuration are given before anything is planned.
        if (call)
          follow(
            valueAt(moduleIn(root, outer), 'module_calls', call.name, 'expressions', bare(second)),
            outer,
            call.index,
            reach,
            depth + 1,
          )
      } else if (head === 'module') {
        const step = { name: bare(second), index: indexIn(second) }
        const inner = [...modules, step]
        if (third === undefined) reach.hasOthers = true
        else follow(valueAt(moduleIn(root, inner), 'outputs', bare(third), 'expression'), inner, '', reach, depth + 1)
      } else if (head === 'data' || head === 'local' || head === 'each' || head === 'self' || second === '') {
        if (!(head === 'data' && isKnownData(modules, leaf))) reach.hasOthers = true
      } else {
        const ownAddress = `${prefixOf(modules)}${head}.${second}`
        const address = third === undefined && isOfInstance && !second.includes('[') ? `${ownAddress}${index}` : ownAddress
        noteResource(address, head, third, reach)
      }
    }
  }

  function noteResource(address: string, type: string, attribute: string | undefined, reach: Reach): void {
    const isOurs = kindOfTerraform(type, prefix) !== undefined
    if (nameless.has(address) && (attribute === undefined || attribute === 'urn' || attribute === 'id')) reach.groups.add(address)
    else if (!isKnown(changes.get(address), isOurs ? (attribute ?? 'urn') : attribute)) reach.hasOthers = true
  }

  function isKnownData(modules: readonly Step[], leaf: string): boolean {
    // A data source that is read only at apply is among the changes.
    const [, type = '', name = ''] = partsOf(leaf)
    const address = `${prefixOf(modules)}data.${type}.${name}`
    return ![...changes.keys()].some((each) => each === address || each.startsWith(`${address}[`))
  }
}

/** The key of the provider that the configuration in a plan makes a resource with; undefined where it does not say. */
export function providerOf(plan: Node, address: string): string | undefined {
  const place = placeOf(address)
  return place && textOf(valueAt(configured(valueAt(plan, 'configuration', 'root_module'), place), 'provider_config_key'))
}

/** A resource as the configuration in a plan has it. */
function configured(root: Node | undefined, { modules, type, name }: Place): Node | undefined {
  return itemsOf(valueAt(moduleIn(root, modules), 'resources')).find(
    (each) => textOf(valueAt(each, 'type')) === type && textOf(valueAt(each, 'name')) === name && textOf(valueAt(each, 'mode')) !== 'data',
  )
}

function moduleIn(root: Node | undefined, modules: readonly Step[]): Node | undefined {
  return modules.reduce<Node | undefined>((here, { name }) => valueAt(here, 'module_calls', name, 'module'), root)
}

function isKnown(change: Node | undefined, attribute: string | undefined): boolean {
  const unknown = valueAt(change, 'change', 'after_unknown')
  if (!change || unknown?.kind !== 'map') return false
  if (attribute === undefined) return unknown.entries.length === 0
  const value = valueAt(unknown, bare(attribute))
  return value === undefined || (value.kind === 'boolean' && !value.value)
}

/** The references of an expression without those that are only the beginning of another; undefined where there is no such list. */
function leavesOf(expression: Node | undefined): readonly string[] | undefined {
  if (!expression) return undefined
  if (valueAt(expression, 'constant_value')) return []
  const references = itemsOf(valueAt(expression, 'references')).map((each) => textOf(each) ?? '')
  if (references.length === 0) return undefined
  return references.filter((each, i) => {
    const before = references[i - 1]
    return !(before?.startsWith(each) && (before[each.length] === '.' || before[each.length] === '['))
  })
}

/** One module of an address: `module.team["a"]` has the name `team` and the index `["a"]`. */
interface Step {
  readonly name: string
  readonly index: string
}

interface Place {
  readonly modules: readonly Step[]
  readonly type: string
  readonly name: string
  readonly index: string
}

function placeOf(address: string): Place | undefined {
  const parts = partsOf(address)
  const modules: Step[] = []
  let i = 0
  for (; parts[i] === 'module' && parts[i + 1] !== undefined; i += 2)
    modules.push({ name: bare(parts[i + 1] as string), index: indexIn(parts[i + 1] as string) })
  const [type, name] = [parts[i], parts[i + 1]]
  return type === undefined || name === undefined ? undefined : { modules, type, name: bare(name), index: indexIn(name) }
}

function prefixOf(modules: readonly Step[]): string {
  return modules.map(({ name, index }) => `module.${name}${index}.`).join('')
}

/** The parts of an address between its points; brackets stay with the part in front of them. */
function partsOf(address: string): readonly string[] {
  const parts: string[] = []
  let from = 0
  let isQuoted = false
  let depth = 0
  for (let i = 0; i <= address.length; i++) {
    const c = address[i]
    if (isQuoted) {
      if (c === '\\') i++
      else if (c === '"') isQuoted = false
    } else if (c === '"') isQuoted = true
    else if (c === '[') depth++
    else if (c === ']') depth--
    if (c === undefined || (c === '.' && depth === 0 && !isQuoted)) {
      parts.push(address.slice(from, i))
      from = i + 1
    }
  }
  return parts
}

function bare(part: string): string {
  const bracket = part.indexOf('[')
  return bracket < 0 ? part : part.slice(0, bracket)
}

function indexIn(part: string): string {
  const bracket = part.indexOf('[')
  return bracket < 0 ? '' : part.slice(bracket)
}
