import type { Span } from '../../source.ts'
import type { Entry, ListNode, MapNode, Node, TextNode } from '../../tree.ts'
import { convert } from '../convert.ts'
import { exactResult } from '../exact.ts'
import { spend } from '../frame.ts'
import { indexed } from '../parts.ts'
import {
  andKnown,
  anyType,
  type CollectionType,
  collectionOf,
  holdsType,
  isCollection,
  numberType,
  openType,
  sameType,
  stringType,
  type Type,
  tupleOf,
  type Value,
} from '../types.ts'
import { commonType } from '../unify.ts'
import {
  booleanAt,
  distinctKnown,
  equal,
  isFailed,
  isKnown,
  isList,
  isMap,
  isSet,
  isSpread,
  isUnknown,
  isUnordered,
  keyOf,
  letters,
  listOf,
  mapAt,
  mapOf,
  nullNode,
  numberAt,
  numberOf,
  setAt,
  sortedEntries,
  sortedTexts,
  spreadOf,
  textNode,
  tupleNode,
  typeOf,
  unknownsFirst,
  unordered,
  withType,
} from '../values.ts'
import { allKnown, type Builtin, builtin, type Call, itemsOf, ofList, ofMap, type Result, text, whole } from './support.ts'

/** Lists put together; where one is not known, any number of its items. */
export function concatenated(values: readonly Value[]): readonly Node[] | undefined {
  return allKnown(values.map((value) => (isUnknown(value) ? [spreadOf(value)] : itemsOf(value))))?.flat()
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

/** Whether a list that is put in the place of its items has them in an order that is not known. */
function holdsUnordered(items: readonly Node[]): boolean {
  return items.some((item) => item.kind === 'list' && (isUnordered(item) || holdsUnordered(item.items)))
}

/** Maps put together, the later ones over the earlier. */
function merged(maps: readonly MapNode[]): readonly Entry[] {
  const found = new Map<string, Entry>()
  for (const map of maps) for (const entry of map.entries) found.set(entry.key.value, entry)
  return [...found.values()]
}

/** The type of the items of lists put together, where theirs have in common that they are values. */
function itemType(common: Type, lists: readonly Value[]): Type {
  const types = lists.flatMap((list) => (isList(list) && list.items.length > 0 ? [list.type.of] : []))
  return holdsType(common, 'any') ? (types.find(({ kind }) => kind !== 'any') ?? common) : common
}

/** Items that are taken of a list: a list of the same type, or a tuple. */
function itemsLike(value: ListNode, span: Span, items: readonly Node[]): ListNode {
  const list = isList(value) || isSet(value) ? listOf(span, value.type.of, items) : tupleNode(span, items)
  const result = typeOf(value).kind === 'open' && !items.some(isSpread) ? withType(list, openType) : list
  return isUnordered(value) ? unordered(result) : result
}

/** Items made from the entries of a map: a list where the map has one type, else a tuple. */
function entriesLike(map: MapNode, of: (type: Type) => Type, items: readonly Node[], span: Span): ListNode {
  if (isMap(map)) return listOf(span, of(map.type.of), items)
  return typeOf(map).kind === 'open' ? withType(tupleNode(span, items), openType) : tupleNode(span, items)
}

const anyList = collectionOf('list', anyType)
const anySet = collectionOf('set', anyType)
const textList = collectionOf('list', stringType)

/** A function of a value converted to a type; it fails where the conversion does. */
function ofType(
  type: CollectionType,
  give: (list: ListNode & { readonly type: CollectionType }, call: Call, others: readonly Value[]) => Result,
): Builtin {
  return builtin('open', ([value, ...others], call) => {
    const list = value && value.kind !== 'null' ? convert(value, type) : undefined
    return list && (isList(list) || isSet(list)) ? give(list, call, others) : undefined
  })
}

/** A value made one of a type, which a function is named after. */
function conversion(type: Type): Builtin {
  return builtin('open', ([value]) => value && convert(value, type))
}

function keyNode(value: Node): TextNode | undefined {
  const name = text(value)
  return name === undefined ? undefined : value.kind === 'text' ? value : textNode(value, name)
}

/** The first of the values that counts. */
function first(values: readonly Value[], counts: (value: Value) => boolean): Result {
  for (const value of values) {
    if (isUnknown(value)) return 'unknown'
    if (counts(value)) return value
  }
  return undefined
}

/** The type that the items of sets have in common; that of empty ones without a type does not count. */
function setItems(sets: readonly Value[]): Type | undefined {
  const types = sets.flatMap((set) => {
    const type = typeOf(set)
    const of = isCollection(type) ? type.of : openType
    return of.kind === 'any' && set.kind === 'list' && set.items.length === 0 ? [] : [of]
  })
  return commonType(types)
}

/** Sets, each as the items that are in it by what they are. */
function ofSets(keep: (sets: readonly ReadonlyMap<string, Node>[]) => readonly Node[]): Builtin {
  return builtin('whole', (values, { span }) => {
    const converted = allKnown(values.map((value) => (value.kind === 'null' ? undefined : convert(value, anySet))))
    const of = converted && setItems(converted)
    const sets = of && allKnown(converted.map((set) => itemsOf(convert(set, collectionOf('set', of)))))
    if (!sets || sets.length === 0) return undefined
    return setAt(span, keep(sets.map((items) => new Map(items.map((item) => [keyOf(item), item])))), of)
  })
}

function isPresent(item: Node): boolean {
  return item.kind !== 'null' && text(item) !== ''
}

function rangeOf(numbers: readonly number[], { span, frame }: Call): Result {
  const [from, to] = numbers.length === 1 ? [0, numbers[0] as number] : [numbers[0] as number, numbers[1] as number]
  const step = numbers[2] ?? (to < from ? -1 : 1)
  if (numbers.length > 3 || step === 0 || (to - from) * step < 0)
    return numbers.length <= 3 && to === from ? listOf(span, numberType, []) : undefined
  const count = Math.max(0, Math.ceil((to - from) / step))
  // Terraform's limit.
  if (count > 1024) return undefined
  spend(frame.budget, count, span)
  const numbersIn = Array.from({ length: count }, (_, i) => numberAt(span, exactResult(from + i * step, from, step)))
  return listOf(span, numberType, numbersIn)
}

function product(lists: readonly (readonly Node[])[], { span, frame }: Call): readonly Node[] {
  let rows: readonly (readonly Node[])[] = [[]]
  for (const list of lists) {
    spend(frame.budget, rows.length * list.length * lists.length, span)
    rows = rows.flatMap((row) => list.map((item) => [...row, item]))
  }
  return rows.map((row) => tupleNode(span, row))
}

export const collectionFunctions: Readonly<Record<string, Builtin>> = {
  concat: builtin('any', (values, { span }) => {
    if (values.length === 0 || values.some(isSet)) return undefined
    const type = values.every((value) => typeOf(value).kind === 'list') ? commonType(values.map(typeOf)) : undefined
    const lists = type ? allKnown(values.map((value) => convert(value, type))) : values
    const items = lists && concatenated(lists)
    if (!items) return undefined
    const of = type && isCollection(type) ? itemType(type.of, lists) : undefined
    const list = of ? listOf(span, of, items) : tupleNode(span, items)
    return values.some(isUnordered) ? unordered(list) : list
  }),
  flatten: ofList((items, { span }) => {
    const list = tupleNode(span, flattened(items))
    return holdsUnordered(items) ? unordered(list) : list
  }),
  toset: conversion(anySet),
  tolist: conversion(anyList),
  tomap: conversion(collectionOf('map', anyType)),
  merge: builtin('open', (values, { span }) => {
    const maps = values.filter((value) => value.kind !== 'null')
    const isOdd = values.some((value) => !['map', 'object', 'any', 'open'].includes(typeOf(value).kind))
    if (isOdd || !maps.every((value): value is MapNode => value.kind === 'map')) return undefined
    const [first, ...others] = values.map(typeOf)
    const isSame = first && andKnown(others.map((type) => sameType(first, type)))
    // Of nothing but null, no object with attributes is made.
    if (isSame && first?.kind === 'object' && maps.length === 0 && first.attributes.size > 0) return undefined
    if (isSame !== false && first?.kind === 'map') return mapOf(span, isSame ? first.of : openType, merged(maps))
    return isSame === undefined && first ? withType(mapAt(span, merged(maps)), openType) : mapAt(span, merged(maps))
  }),
  keys: ofMap((map, { span }) => {
    const keys = sortedEntries(map).map(({ key }) => key)
    return entriesLike(map, () => stringType, keys, span)
  }),
  values: ofMap((map, { span }) => {
    const values = sortedEntries(map).map(({ value }) => value)
    return entriesLike(map, (of) => of, values, span)
  }),
  lookup: builtin('any', ([map, key, other], { span, frame }) => {
    if (!map || !key || isUnknown(map) || isUnknown(key)) return 'unknown'
    const name = map.kind === 'map' && key.kind !== 'null' ? text(key) : undefined
    if (map.kind !== 'map' || name === undefined) return undefined
    const fallback = other && convert(other, isMap(map) ? map.type.of : typeOf(map).kind === 'open' ? openType : anyType)
    if (other && !fallback) return undefined
    const mapped = indexed(map, textNode(key, name), span, frame)
    return isFailed(mapped) ? fallback : mapped
  }),
  distinct: ofType(anyList, (list, { span }) => {
    const items = [...unknownsFirst(list.items), ...distinctKnown(list.items)]
    const result = listOf(span, list.type.of, items)
    return items.every(isKnown) && !isUnordered(list) ? result : unordered(result)
  }),
  compact: ofType(textList, (list, { span }) => {
    const items = list.items.flatMap((item): readonly Node[] => (isUnknown(item) ? [spreadOf(item)] : isPresent(item) ? [item] : []))
    const result = listOf(span, stringType, items)
    return isUnordered(list) ? unordered(result) : result
  }),
  sort: ofType(textList, (list, { span }) => {
    if (list.items.some(({ kind }) => kind === 'null')) return undefined
    const open = unknownsFirst(list.items)
    const result = listOf(span, stringType, [...open, ...sortedTexts(list.items.filter((item) => !isUnknown(item)))])
    return open.length > 0 ? unordered(result) : result
  }),
  reverse: builtin('open', ([list], { span }) => (list?.kind === 'list' ? itemsLike(list, span, [...list.items].reverse()) : undefined)),
  length: builtin('open', ([value], { span }) => {
    if (value?.kind === 'text') return numberAt(span, letters(value.value).length)
    if (value?.kind === 'map') return numberAt(span, value.entries.length)
    const items = itemsOf(value)
    // Two items of a set of which not all is known may be one.
    const isPerhapsLess = items && value && isSet(value) && items.length > 1 && !items.every(isKnown)
    return items && (isPerhapsLess || items.some(isSpread) ? 'unknown' : numberAt(span, items.length))
  }),
  contains: builtin('any', ([value, item], { span }) => {
    if (!value || !item || isUnknown(value)) return 'unknown'
    if (item.kind === 'null') return undefined
    const equalities = itemsOf(value)?.map((each) => (isSpread(each) ? undefined : equal(each, item)))
    if (equalities?.includes(true)) return booleanAt(span, true)
    return equalities && (equalities.includes(undefined) ? 'unknown' : booleanAt(span, false))
  }),
  element: builtin('open', ([list, place], { span }) => {
    const items = list && !isSet(list) ? itemsOf(list) : undefined
    const index = whole(place)
    if (!list || !items || index === undefined || items.length === 0) return undefined
    if (isUnordered(list) || items.some(isSpread)) return 'unknown'
    return (items[((index % items.length) + items.length) % items.length] as Node | undefined) ?? nullNode(span)
  }),
  index: builtin('whole', ([list, item], { span }) => {
    const items = list && !isSet(list) ? (itemsOf(list) ?? []) : []
    const place = items.findIndex((each) => item && equal(each, item) === true)
    return place < 0 ? undefined : numberAt(span, place)
  }),
  slice: builtin('open', ([list, from, to], { span }) => {
    if (list?.kind !== 'list' || isSet(list)) return undefined
    const { items } = list
    const [start, end] = [whole(from), whole(to)]
    if (start === undefined || end === undefined || start < 0 || end < start) return undefined
    if (isUnordered(list) || items.some(isSpread)) return 'unknown'
    return end > items.length ? undefined : itemsLike(list, span, items.slice(start, end))
  }),
  one: builtin('open', ([list], { span }) => {
    const items = list && itemsOf(list)
    if (!items) return undefined
    if (items.some(isSpread) || (isSet(list) && items.length > 1 && !items.every(isKnown))) return 'unknown'
    const none = isList(list) || isSet(list) ? withType(nullNode(span), list.type.of) : nullNode(span)
    return items.length > 1 ? undefined : (items[0] ?? none)
  }),
  range: builtin('whole', (values, call) => {
    const numbers = allKnown(values.map(numberOf))
    return numbers && numbers.length > 0 ? rangeOf(numbers, call) : undefined
  }),
  zipmap: ofType(textList, (names, { span }, [values]) => {
    if (values?.kind !== 'list' || isSet(values)) return undefined
    const { items } = values
    if (isUnordered(names) || isUnordered(values) || names.items.some(isUnknown) || items.some(isSpread)) return 'unknown'
    const keys = allKnown(names.items.map(keyNode))
    if (!keys || keys.length !== items.length) return undefined
    const pairs = keys.map((key, i) => ({ key, value: items[i] as Node }))
    const entries = merged([mapAt(span, pairs)])
    if (isList(values)) return mapOf(span, values.type.of, entries)
    return typeOf(values).kind === 'open' ? withType(mapAt(span, entries), openType) : mapAt(span, entries)
  }),
  setproduct: builtin('open', (values, call) => {
    if (values.length < 2) return undefined
    const lists = allKnown(values.map((value) => (value.kind === 'list' ? convert(value, isSet(value) ? anySet : anyList) : undefined)))
    const items = lists && allKnown(lists.map(itemsOf))
    if (!items) return undefined
    if (items.some((each) => each.some(isUnknown))) return 'unknown'
    const of = tupleOf(lists.map((list) => (isList(list) || isSet(list) ? list.type.of : openType)))
    const rows = product(items, call)
    if (lists.some(isSet)) return setAt(call.span, rows, of)
    return lists.some(isUnordered) ? unordered(listOf(call.span, of, rows)) : listOf(call.span, of, rows)
  }),
  setunion: builtin('any', (values, { span }) => {
    const converted = allKnown(values.map((value) => (value.kind === 'null' ? undefined : convert(value, anySet))))
    const of = converted && setItems(converted)
    const sets = of && allKnown(converted.map((set) => convert(set, collectionOf('set', of))))
    const items = sets && concatenated(sets)
    return items && setAt(span, items, of)
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
  coalesce: builtin('any', (values) => {
    const types = values.map(typeOf).filter(({ kind }) => kind !== 'any')
    const [only, ...others] = types
    // If the other values are null, the value keeps its type.
    const isOne = only && andKnown(others.map((type) => sameType(only, type)))
    const type = isOne ? anyType : commonType(values.map(typeOf))
    const fitted = type && allKnown(values.map((value) => convert(value, type)))
    return fitted && first(fitted, isPresent)
  }),
  coalescelist: builtin('any', (values) => {
    const isOdd = (value: Value) => !isUnknown(value) && !['list', 'tuple', 'open'].includes(typeOf(value).kind)
    return values.some(isOdd) ? undefined : first(values, (value) => value.kind === 'list' && value.items.length > 0)
  }),
  chunklist: ofType(anyList, (list, { span }, [size]) => {
    const { items } = list
    const count = whole(size)
    if (count === undefined || count < 0) return undefined
    if (isUnordered(list) || items.some(isSpread)) return 'unknown'
    const { of } = list.type
    const length = count === 0 ? items.length : count
    const starts = Array.from({ length: items.length === 0 ? 0 : Math.ceil(items.length / length) }, (_, i) => i * length)
    const chunks = starts.map((start) => listOf(span, of, items.slice(start, start + length)))
    return listOf(span, list.type, chunks)
  }),
}
