import type { Entry, MapNode, Node, TextNode } from '../../tree.ts'
import { spend } from '../frame.ts'
import { indexed } from '../parts.ts'
import { unified } from '../unify.ts'
import {
  booleanAt,
  decimal,
  distinctKnown,
  equal,
  isFailed,
  isSpread,
  isUnknown,
  keyOf,
  listAt,
  mapAt,
  nullAt,
  numberAt,
  numberOf,
  setAt,
  sortedEntries,
  sortedTexts,
  spreadOf,
  textAt,
  unknownsFirst,
  type Value,
} from '../values.ts'
import { all, type Builtin, builtin, type Call, graphemes, itemsOf, listed, ofList, ofMap, type Result, text, whole } from './support.ts'

/** Lists put together; where one is not known, any number of its items. */
export function together(values: readonly Value[]): readonly Node[] | undefined {
  return all(values.map((value) => (isUnknown(value) ? [spreadOf(value)] : itemsOf(value))))?.flat()
}

function flattened(items: readonly Node[]): readonly Node[] {
  const flat: Node[] = []
  const open: Node[] = [...items].reverse()
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.kind === 'list') open.push(...[...node.items].reverse())
    // It may be a list as well as an item.
    else flat.push(node.kind === 'unknown' ? spreadOf(node) : node)
  }
  return flat
}

/** Maps put together, the later ones over the earlier. */
function merged(maps: readonly MapNode[]): readonly Entry[] {
  const found = new Map<string, Entry>()
  for (const map of maps) for (const entry of map.entries) found.set(entry.key.value, entry)
  return [...found.values()]
}

/** A number or truth value as the text it is in a list of texts. */
function asText(item: Node): Node {
  return item.kind === 'number' || item.kind === 'boolean' ? textAt(item, String(item.value)) : item
}

function keyNode(value: Node): TextNode | undefined {
  const name = text(value)
  return name === undefined ? undefined : value.kind === 'text' ? value : textAt(value, name)
}

/** The first of the values that counts. */
function first(values: readonly Value[], counts: (value: Value) => boolean): Result {
  for (const value of values) {
    if (isUnknown(value)) return 'unknown'
    if (counts(value)) return value
  }
  return undefined
}

/** Sets, each as the items that are in it by what they are. */
function ofSets(keep: (sets: readonly ReadonlyMap<string, Node>[]) => readonly Node[]): Builtin {
  return builtin('whole', (values, { span }) => {
    const lists = all(values.map(itemsOf))
    if (!lists || lists.length === 0) return undefined
    const items = unified(lists.flat())
    let from = 0
    const sets = lists.map(({ length }) => {
      from += length
      return new Map(items.slice(from - length, from).map((item) => [keyOf(item), item]))
    })
    return setAt(span, keep(sets))
  })
}

function isPresent(item: Node): boolean {
  return item.kind !== 'null' && text(item) !== ''
}

function rangeOf(numbers: readonly number[], { span, frame }: Call): Result {
  const [from, to] = numbers.length === 1 ? [0, numbers[0] as number] : [numbers[0] as number, numbers[1] as number]
  const step = numbers[2] ?? (to < from ? -1 : 1)
  if (numbers.length > 3 || step === 0 || (to - from) * step < 0) return numbers.length <= 3 && to === from ? listAt(span, []) : undefined
  const count = Math.max(0, Math.ceil((to - from) / step))
  // What Terraform gives at most.
  if (count > 1024) return undefined
  spend(frame.budget, count, span)
  const numbersIn = Array.from({ length: count }, (_, i) => numberAt(span, decimal(from + i * step)))
  return listAt(span, numbersIn)
}

function product(lists: readonly (readonly Node[])[], { span, frame }: Call): readonly Node[] {
  let rows: readonly (readonly Node[])[] = [[]]
  for (const list of lists) {
    spend(frame.budget, rows.length * list.length * lists.length, span)
    rows = rows.flatMap((row) => list.map((item) => [...row, item]))
  }
  return rows.map((row) => listAt(span, row))
}

/** What has no value has none of another type either. */
function nothing(value: Value | undefined): Value | undefined {
  return value?.kind === 'null' ? value : undefined
}

export const collectionFunctions: Readonly<Record<string, Builtin>> = {
  concat: builtin('any', (values, { span }) => {
    const items = together(values)
    return items && listAt(span, items)
  }),
  flatten: listed(flattened),
  toset: ['open', ([value]) => (value?.kind === 'list' ? setAt(value, unified(value.items)) : nothing(value))],
  tolist: ['open', ([value]) => (value?.kind === 'list' ? listAt(value, unified(value.items)) : nothing(value))],
  tomap: builtin('open', ([map]) => {
    if (map?.kind !== 'map') return nothing(map)
    const values = unified(map.entries.map(({ value }) => value))
    const entries = map.entries.map(({ key }, i) => ({ key, value: values[i] as Node }))
    return mapAt(map, entries)
  }),
  merge: builtin('open', (values, { span }) => {
    const maps = values.filter((value) => value.kind !== 'null')
    return maps.every((value): value is MapNode => value.kind === 'map') ? mapAt(span, merged(maps)) : undefined
  }),
  keys: ofMap((map, { span }) => {
    const keys = sortedEntries(map).map(({ key }) => key)
    return listAt(span, keys)
  }),
  values: ofMap((map, { span }) => {
    const values = sortedEntries(map).map(({ value }) => value)
    return listAt(span, values)
  }),
  lookup: builtin('any', ([map, key, other], { span, frame }) => {
    if (!map || !key || isUnknown(map) || isUnknown(key)) return 'unknown'
    const found = indexed(map, key, span, frame)
    return isFailed(found) ? other : found
  }),
  distinct: listed((items) => [...unknownsFirst(items), ...distinctKnown(unified(items))]),
  compact: listed((items) =>
    items.flatMap((item): readonly Node[] => (isUnknown(item) ? [spreadOf(item)] : isPresent(item) ? [asText(item)] : [])),
  ),
  sort: listed((items) => [...unknownsFirst(items), ...sortedTexts(items.filter((item) => !isUnknown(item)).map(asText))]),
  reverse: listed((items) => [...items].reverse()),
  length: builtin('open', ([value], { span }) => {
    if (value?.kind === 'text') return numberAt(span, graphemes(value.value).length)
    if (value?.kind === 'map') return numberAt(span, value.entries.length)
    const items = itemsOf(value)
    return items && (items.some(isSpread) ? 'unknown' : numberAt(span, items.length))
  }),
  contains: builtin('any', ([value, item], { span }) => {
    if (!value || !item || isUnknown(value)) return 'unknown'
    const found = itemsOf(value)?.map((each) => (isSpread(each) ? undefined : equal(each, item)))
    if (found?.includes(true)) return booleanAt(span, true)
    return found && (found.includes(undefined) ? 'unknown' : booleanAt(span, false))
  }),
  element: ofList((items, { span }, [place]) => {
    const index = whole(place)
    if (index === undefined || items.length === 0) return undefined
    if (items.some(isSpread)) return 'unknown'
    return (items[((index % items.length) + items.length) % items.length] as Node | undefined) ?? nullAt(span)
  }),
  index: ofList((items, { span }, [item]) => {
    const place = items.findIndex((each) => item && equal(each, item) === true)
    return place < 0 ? undefined : numberAt(span, place)
  }, 'whole'),
  slice: ofList((items, { span }, [from, to]) => {
    const [start, end] = [whole(from), whole(to)]
    if (start === undefined || end === undefined || start < 0 || end < start) return undefined
    if (items.some(isSpread)) return 'unknown'
    return end > items.length ? undefined : listAt(span, items.slice(start, end))
  }),
  one: ofList((items, { span }) => {
    if (items.some(isSpread)) return 'unknown'
    return items.length > 1 ? undefined : (items[0] ?? nullAt(span))
  }),
  range: builtin('whole', (values, call) => {
    const numbers = all(values.map(numberOf))
    return numbers && numbers.length > 0 ? rangeOf(numbers, call) : undefined
  }),
  zipmap: ofList((names, { span }, [values]) => {
    const items = itemsOf(values)
    if (!items) return undefined
    if (names.some(isUnknown) || items.some(isSpread)) return 'unknown'
    const keys = all(names.map(keyNode))
    if (!keys || names.length !== items.length) return undefined
    const pairs = keys.map((key, i) => ({ key, value: items[i] as Node }))
    return mapAt(span, merged([mapAt(span, pairs)]))
  }),
  setproduct: builtin('open', (values, call) => {
    const lists = all(values.map(itemsOf))?.map(unified)
    if (lists?.some((items) => items.some(isUnknown))) return 'unknown'
    return lists && listAt(call.span, product(lists, call))
  }),
  setunion: builtin('any', (values, { span }) => {
    const items = together(values)
    return items && setAt(span, unified(items))
  }),
  setintersection: ofSets(([one, ...others]) =>
    [...(one ?? [])].filter(([key]) => others.every((other) => other.has(key))).map(([, item]) => item),
  ),
  setsubtract: ofSets(([one, other]) => [...(one ?? [])].filter(([key]) => !other?.has(key)).map(([, item]) => item)),
  setsymmetricdifference: ofSets((sets) => {
    const count = new Map<string, number>()
    for (const set of sets) for (const key of set.keys()) count.set(key, (count.get(key) ?? 0) + 1)
    return sets.flatMap((set) => [...set].filter(([key]) => (count.get(key) ?? 0) % 2 === 1).map(([, item]) => item))
  }),
  coalesce: ['any', (values) => first(values.some(({ kind }) => kind === 'null') ? values : unified(values), isPresent)],
  coalescelist: ['any', (values) => first(values, (value) => value.kind === 'list' && value.items.length > 0)],
  chunklist: ofList((written, { span }, [size]) => {
    const items = unified(written)
    const count = whole(size)
    if (count === undefined || count < 0) return undefined
    if (items.some(isSpread)) return 'unknown'
    if (count === 0) return listAt(span, items.length === 0 ? [] : [listAt(span, items)])
    const starts = Array.from({ length: Math.ceil(items.length / count) }, (_, i) => i * count)
    const chunks = starts.map((start) => listAt(span, items.slice(start, start + count)))
    return listAt(span, chunks)
  }),
}
