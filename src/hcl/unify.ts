import type { Entry, Node } from '../tree.ts'
import { isSet, listAt, mapAt, setAt, textAt } from './values.ts'

/**
 * Values as values of one type, as lists, sets and conditionals have them: where one is a text, numbers and truth values
 * are texts as well, and so in their parts. What is not known or null has any type. Values that have no type in common stay
 * as they are.
 */
export function unified(items: readonly Node[]): readonly Node[] {
  return common(items) ?? items
}

function common(items: readonly Node[]): readonly Node[] | undefined {
  const kinds = new Set(items.map(({ kind }) => kind).filter((kind) => kind !== 'unknown' && kind !== 'null'))
  if (kinds.size === 0) return items
  if (kinds.has('list')) return kinds.size === 1 ? commonLists(items) : undefined
  if (kinds.has('map')) return kinds.size === 1 ? commonMaps(items) : undefined
  if (kinds.size === 1) return items
  if (!kinds.has('text')) return undefined
  return items.map((item) => (item.kind === 'number' || item.kind === 'boolean' ? textAt(item, String(item.value)) : item))
}

/** Lists of one length are unified place by place, others in all their items. */
function commonLists(items: readonly Node[]): readonly Node[] | undefined {
  const lists = items.flatMap((item) => (item.kind === 'list' ? [item] : []))
  const [first] = lists
  const isTable = lists.every((list) => list.items.length === first?.items.length)
  const parts = isTable
    ? first?.items.map((_, i) => common(lists.map((list) => list.items[i] as Node)))
    : [common(lists.flatMap((list) => list.items))]
  if (!parts || parts.includes(undefined)) return undefined
  const flat = (parts[0] ?? [])[Symbol.iterator]()
  let row = 0
  return items.map((item) => {
    if (item.kind !== 'list') return item
    const at = row++
    const inner = item.items.map((each, i) => (isTable ? (parts[i]?.[at] as Node) : (flat.next().value ?? each)))
    return isSet(item) ? setAt(item, inner) : listAt(item, inner)
  })
}

/** Maps with the same keys are unified key by key, others in all their values. */
function commonMaps(items: readonly Node[]): readonly Node[] | undefined {
  const maps = items.flatMap((item) => (item.kind === 'map' ? [item] : []))
  const values = new Map<string, Node[]>()
  for (const { entries } of maps)
    for (const { key, value } of entries) {
      const known = values.get(key.value) ?? []
      values.set(key.value, known)
      known.push(value)
    }
  const isTable = [...values.values()].every((each) => each.length === maps.length)
  const parts = new Map<string, readonly Node[]>()
  for (const [key, each] of isTable ? values : [['', maps.flatMap((map) => map.entries.map(({ value }) => value))] as const]) {
    const part = common(each)
    if (!part) return undefined
    parts.set(key, part)
  }
  const flat = (parts.get('') ?? [])[Symbol.iterator]()
  let row = 0
  return items.map((item) => {
    if (item.kind !== 'map') return item
    const at = row++
    const inner = ({ key, value }: Entry) => (isTable ? (parts.get(key.value)?.[at] as Node) : (flat.next().value ?? value))
    const entries = item.entries.map((entry) => ({ key: entry.key, value: inner(entry) }))
    return mapAt(item, entries)
  })
}
