import { compareText } from '../diagnostic.ts'
import type { Span } from '../source.ts'
import {
  digest,
  type Entry,
  type ListNode,
  type MapNode,
  marks,
  type Node,
  readableName,
  symbolOf,
  type TextNode,
  type UnknownNode,
} from '../tree.ts'
import { Inexact, numberText, readNumber } from './exact.ts'
import {
  andKnown,
  anyType,
  boolType,
  type CollectionType,
  collectionOf,
  type FailedNode,
  holdsType,
  numberType,
  objectOf,
  openType,
  type ReferenceNode,
  type SpreadNode,
  sameType,
  stringType,
  type Type,
  tupleOf,
  typeName,
  type Value,
} from './types.ts'
import { commonType } from './unify.ts'

export function spanOf({ source, start, end }: Span): Span {
  return { source, start, end }
}

/** A text, in the one form that the language has for letters with marks. Every text of a value is made here. */
export function textNode(span: Span, value: string, offsets?: readonly number[]): TextNode {
  if (value.length > longestText) throw new Exhausted(span, `this text is longer than ${longestText} characters`)
  const [text, places] = normalize(span, value, offsets)
  return { ...spanOf(span), kind: 'text', value: text, ...(places && { offsets: places }) }
}

/** Strings with more marks on one letter than this, which the language splits, and this code does not. */
const mostMarks = /\p{M}{30}/u

/**
 * A text in Unicode's form NFC, in which `e` with a mark behind it is the one letter `é`, with the places that its units have
 * then. Below U+0300 every text is in that form.
 */
export function normalize(
  span: Span,
  value: string,
  offsets?: readonly number[],
): readonly [text: string, places: readonly number[] | undefined] {
  const text = /[^\0-\u02ff]/.test(value) ? value.normalize('NFC') : value
  if (text !== value && mostMarks.test(value)) throw new Exhausted(span, 'this text has more than 29 marks on one letter')
  if (text === value || !offsets) return [text, offsets]
  const places: number[] = []
  let before = 0
  for (const letter of letters(value)) {
    for (let i = 0; i < letter.normalize('NFC').length; i++) places.push(offsets[before + Math.min(i, letter.length - 1)] as number)
    before += letter.length
  }
  return [text, [...places, ...offsets.slice(before)]]
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The user-perceived characters of a string, each of which may be several characters. */
export function letters(text: string): string[] {
  if (/^[\x20-\x7e]*$/.test(text)) return text.split('')
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

/** A number of which all digits are known. Throws `Inexact`. */
export function numberAt(span: Span, value: number): Value {
  if (!Number.isFinite(value) || Object.is(value, -0)) throw new Inexact()
  return { ...spanOf(span), kind: 'number', value }
}

/** A number of which not all digits are known, by what distinguishes it. */
export function inexactNumber(span: Span, expression: string): Value {
  return withType(unknownComposite(span, expression, '', 'number'), numberType)
}

/** How a value is written in its place. */
export function sourceText({ source, start, end }: Span): string {
  return source.text.slice(start, end)
}

export function booleanAt(span: Span, value: boolean): Node {
  return { ...spanOf(span), kind: 'boolean', value }
}

export function nullNode(span: Span): Node {
  return { ...spanOf(span), kind: 'null', value: null }
}

/** Items in brackets: a tuple, with a type for each. */
export function tupleNode(span: Span, items: readonly Node[]): ListNode {
  return withSize({ ...spanOf(span), kind: 'list', items })
}

/** Entries in braces: an object, with a type for each. */
export function mapAt(span: Span, entries: readonly Entry[]): MapNode {
  return withSize({ ...spanOf(span), kind: 'map', entries })
}

/** A list all of whose items are of one type. */
export function listOf(span: Span, of: Type, items: readonly Node[]): ListNode {
  return withSize(withType({ ...spanOf(span), kind: 'list' as const, items }, collectionOf('list', of)))
}

/** A map all of whose values are of one type. */
export function mapOf(span: Span, of: Type, entries: readonly Entry[]): MapNode {
  return withSize(withType({ ...spanOf(span), kind: 'map' as const, entries }, collectionOf('map', of)))
}

/** The same value as one of a type. */
export function withType<T extends Value>(node: T, type: Type): T & { readonly type: Type } {
  return { ...node, type }
}

/** The same items, in an order that is not known. */
export function unordered<T extends ListNode>(list: T): T {
  return list.items.length < 2 ? list : withSize({ ...list, isUnordered: true })
}

export function isUnordered(value: Value): boolean {
  return 'isUnordered' in value
}

/** The type that a value says of itself. */
function ownType(node: Value): Type | undefined {
  return 'type' in node ? node.type : undefined
}

/** The type of a value: `open` where it is not known. */
export function typeOf(value: Value): Type {
  const type = ownType(value)
  if (type) return type
  switch (value.kind) {
    case 'text':
      return stringType
    case 'number':
      return numberType
    case 'boolean':
      return boolType
    case 'null':
      return anyType
    case 'unknown':
      return value.isName || value.pieces.some((piece) => piece !== '') ? stringType : openType
  }
  const notes = notesOf(value)
  notes.type ??=
    value.kind === 'map'
      ? objectOf(new Map(value.entries.map((entry) => [entry.key.value, typeOf(entry.value)])))
      : value.items.some(isSpread)
        ? openType
        : tupleOf(value.items.map(typeOf))
  return notes.type
}

/** Thrown where a value grows too large or takes too long, and caught where a configuration is read. */
export class Exhausted extends Error {
  readonly span: Span
  constructor(span: Span, message: string) {
    super(message)
    this.span = span
  }
}

/** Parts of one value. A value that holds another twice holds its parts twice: a few lines could make more than any memory holds. */
const largest = 100_000

/** Computed facts of a list or map, cached at the node itself, where copies and comparisons do not see them. */
interface Notes {
  readonly size: number
  readonly isKnown: boolean
  key?: string
  fingerprint?: string
  type?: Type
}

const notes = Symbol('notes')

function notesOf(node: (ListNode | MapNode) & { readonly [notes]?: Notes }): Notes {
  const before = node[notes]
  if (before) return before
  let size = 1
  let isAllKnown = !isUnordered(node) && isClosed(node)
  for (const inner of partsOf(node)) {
    size += inner.kind === 'list' || inner.kind === 'map' ? notesOf(inner).size : 1
    isAllKnown &&= isKnown(inner)
  }
  const value: Notes = { size, isKnown: isAllKnown }
  Object.defineProperty(node, notes, { value })
  return value
}

function partsOf(node: ListNode | MapNode): readonly Node[] {
  return node.kind === 'list' ? node.items : node.entries.map(({ value }) => value)
}

function withSize<T extends ListNode | MapNode>(node: T): T {
  if (notesOf(node).size > largest) throw new Exhausted(node, `this value has more than ${largest} parts`)
  return node
}

export function unknownAt(span: Span, expression: string, scope: string): UnknownNode {
  return { ...spanOf(span), kind: 'unknown', expression: short(expression, span), scope, pieces: ['', ''] }
}

/** A value that is made of others that are not known, and by what, where its name alone might be that of another. */
export function unknownComposite(span: Span, expression: string, scope: string, ...parts: readonly string[]): UnknownNode {
  return unknownAt(span, expression + mark(...parts), scope)
}

export function failedNode(span: Span, expression: string, scope: string): FailedNode {
  return { ...unknownComposite(span, expression, scope, span.source.path, String(span.start)), isFailed: true }
}

/** A mark that distinguishes a name from others of the same words: see `marks`. */
export function mark(...parts: readonly string[]): string {
  return `${marks.start}${digest(parts.join('\0'))}${marks.end}`
}

/** The name of a value within a text: `${var.a}` is never what the same letters are in a text that is written. */
export function nameInText({ expression, pieces }: UnknownNode): string {
  return pieces.some((piece) => piece !== '') ? expression : `\${${expression}}${marks.start}${marks.end}`
}

/** A value as the result of evaluation: names as users see them, and separately the marks that distinguish them. */
export function withoutMarks<T extends Node>(node: T): T
export function withoutMarks(node: Node): Node {
  if (node.kind === 'unknown') {
    const expression = readableName(node.expression)
    return expression === node.expression ? node : { ...node, expression, id: node.expression }
  }
  if (node.kind === 'list') return isKnown(node) ? node : { ...node, items: node.items.map((item) => withoutMarks(item)) }
  if (node.kind !== 'map') return node
  const { perhaps, unread, account } = node
  if (!perhaps && !account && isKnown(node)) return node
  const entries = node.entries.map(({ key, value }) => ({ key, value: withoutMarks(value) }))
  return {
    ...node,
    entries,
    ...(perhaps && { perhaps: perhaps.map((each) => withoutMarks(each)) }),
    ...(unread && { unread: withoutMarks(unread) }),
    ...(account && { account: withoutMarks(account) }),
  }
}

export function spreadOf(node: UnknownNode): SpreadNode {
  const { isName: _, type: __, ...rest } = node as UnknownNode & { readonly type?: Type }
  return { ...rest, isSpread: true }
}

export const longestText = 200_000

const longest = 400

/** A name that is too long to be read is cut, and gets its place. */
function short(expression: string, { source, start }: Span): string {
  const words = readableName(expression)
  return words.length <= longest ? expression : `${words.slice(0, longest)}… (${source.path}, at ${start})${mark(expression)}`
}

export function isUnknown(value: Value): value is UnknownNode {
  return value.kind === 'unknown'
}

export function isSpread(value: Value): value is SpreadNode {
  return value.kind === 'unknown' && 'isSpread' in value
}

export function isFailed(value: Value): value is FailedNode {
  return value.kind === 'unknown' && 'isFailed' in value
}

export function isSet(value: Value): value is ListNode & { readonly type: CollectionType } {
  return value.kind === 'list' && ownType(value)?.kind === 'set'
}

/** A list of one type, where a tuple has one for each item. */
export function isList(value: Value): value is ListNode & { readonly type: CollectionType } {
  return value.kind === 'list' && ownType(value)?.kind === 'list'
}

/** A map of one type, where an object has one for each attribute. */
export function isMap(value: Value): value is MapNode & { readonly type: CollectionType } {
  return value.kind === 'map' && ownType(value)?.kind === 'map'
}

export function isReference(value: Value): value is ReferenceNode {
  return value.kind === 'unknown' && 'address' in value
}

/** Whether the type that a value says of itself is known. */
function isClosed(value: Value): boolean {
  const own = ownType(value)
  return !own || !holdsType(own, 'open')
}

/** Whether all of a value is known, and its type. */
export function isKnown(value: Value): boolean {
  if (value.kind === 'list' || value.kind === 'map') return notesOf(value).isKnown
  return value.kind !== 'unknown' && isClosed(value)
}

/** The text that a value of a simple type has in a template; undefined for others. */
export function textOf(value: Value): string | undefined {
  if (value.kind === 'text') return value.value
  if (value.kind === 'number') return numberText(value.value)
  return value.kind === 'boolean' ? String(value.value) : undefined
}

/** The number that a value is; undefined where it is none. Throws `Inexact`. */
export function numberOf(value: Value): number | undefined {
  if (value.kind === 'number') return value.value
  return value.kind === 'text' ? readNumber(value.value) : undefined
}

export function booleanOf(value: Value): boolean | undefined {
  if (value.kind === 'boolean') return value.value
  if (value.kind !== 'text') return undefined
  return value.value === 'true' || value.value === '1' ? true : value.value === 'false' || value.value === '0' ? false : undefined
}

/** Entries in the order in which they are gone through: by their keys. */
export function sortedEntries(map: MapNode): readonly Entry[] {
  return [...map.entries].sort((a, b) => byCharacters(a.key.value, b.key.value))
}

/** A value that is known, with all of it at one place. */
export function atSpan(node: Node, span: Span): Node {
  const place = spanOf(span)
  if (node.kind === 'text') return textNode(place, node.value)
  if (node.kind === 'list') {
    const items = node.items.map((item) => atSpan(item, span))
    return withSize({ ...node, ...place, items })
  }
  if (node.kind !== 'map') return { ...node, ...place }
  const entries = node.entries.map(({ key, value }) => ({ key: textNode(place, key.value), value: atSpan(value, span) }))
  return withSize({ ...node, ...place, entries })
}

/** A set of items of one type: known ones in order and once, before them those that may be any. */
export function setAt(span: Span, items: readonly Node[], of = commonType(items.map(typeOf)) ?? openType): ListNode {
  const open = unknownsFirst(items)
  const knownItems = distinctKnown(items)
  const sorted = inSetOrder(knownItems)
  const set = withSize(
    withType({ ...spanOf(span), kind: 'list' as const, items: [...open, ...(sorted ?? knownItems)] }, collectionOf('set', of)),
  )
  return sorted && open.length === 0 ? set : unordered(set)
}

export function unknownsFirst(items: readonly Node[]): readonly SpreadNode[] {
  return items.flatMap((item) => (item.kind === 'unknown' ? [spreadOf(item)] : []))
}

export function distinctKnown(items: readonly Node[]): readonly Node[] {
  const seen = new Set<string>()
  return items.filter((item) => {
    if (item.kind === 'unknown') return false
    const key = keyOf(item)
    return !seen.has(key) && seen.add(key)
  })
}

/** Items that differ in the order in which a set goes through them; undefined where that is not known. */
function inSetOrder(items: readonly Node[]): readonly Node[] | undefined {
  if (items.every((item) => item.kind !== 'list' && item.kind !== 'map')) return sortedTexts(items)
  if (!items.every(isKnown)) return undefined
  const keys = new Map(items.map((item) => [item, orderKey(item)]))
  if (new Set(keys.values()).size < items.length || [...keys.values()].includes(undefined)) return undefined
  return [...items].sort(
    (a, b) => Number(a.kind === 'null') - Number(b.kind === 'null') || byCharacters(keys.get(a) ?? '', keys.get(b) ?? ''),
  )
}

/** The key by which the language orders values with parts; undefined where that is not computed here. */
function orderKey(value: Node): string | undefined {
  if (value.kind === 'null') return '~'
  if (value.kind === 'boolean') return value.value ? 'T' : 'F'
  if (value.kind === 'number') return orderOfNumber(value.value)
  if (value.kind === 'text') return orderOfText(value.value)
  if (value.kind === 'unknown') return undefined
  const keys = partsOf(value.kind === 'map' ? { ...value, entries: sortedEntries(value) } : value).map(orderKey)
  if (keys.includes(undefined)) return undefined
  if (value.kind === 'list') return isSet(value) || isList(value) ? `[${keys.join(';')}${end(keys)}]` : `<${keys.join(';')}${end(keys)}>`
  if (!isMap(value)) return `<${keys.join(';')}${end(keys)}>`
  const names = sortedEntries(value).map(({ key }) => orderOfText(key.value))
  return names.includes(undefined) ? undefined : `{${names.map((name, i) => `${name}:${keys[i]};`).join('')}}`
}

const end = (keys: readonly unknown[]) => (keys.length > 0 ? ';' : '')

/** A number with ten digits, where they say all of it. */
function orderOfNumber(value: number): string | undefined {
  const size = Math.abs(value)
  const written = String(value)
  return size !== 0 && (size < 1e-4 || size >= 1e10 || written.replace(/^-?0\.0*|[-.]/g, '').length > 10) ? undefined : written
}

/** A text in quotes, where it holds no characters that are written otherwise there. */
function orderOfText(value: string): string | undefined {
  return /[^ -~\p{L}\p{N}]/u.test(value) ? undefined : JSON.stringify(value)
}

/** Compares strings by their code points, as the language orders them. */
export function byCharacters(a: string, b: string): number {
  if (!/[\ud800-\udfff]/.test(a + b)) return compareText(a, b)
  const [one, other] = [[...a], [...b]]
  const index = one.findIndex((character, i) => character !== other[i])
  if (index < 0) return one.length - other.length
  return (one[index]?.codePointAt(0) ?? 0) - (other[index]?.codePointAt(0) ?? -1)
}

/** Strings in their order, numbers by their size, `null` last; other items stay as they are. */
export function sortedTexts(items: readonly Node[]): readonly Node[] {
  return [...items].sort((a, b) => {
    if (a.kind === 'number' && b.kind === 'number') return a.value - b.value
    if (a.kind === 'null' || b.kind === 'null') return Number(a.kind === 'null') - Number(b.kind === 'null')
    const [one, other] = [textOf(a), textOf(b)]
    return one === undefined || other === undefined ? 0 : byCharacters(one, other)
  })
}

/**
 * Whether two values are equal; undefined where that is not known. Values of two types never are: a number and its text, a
 * list and a tuple with the same items.
 */
export function equal(a: Value, b: Value): boolean | undefined {
  const isSame = sameType(typeOf(a), typeOf(b))
  if (a.kind === 'unknown' || b.kind === 'unknown') {
    if (isSame !== false && a.kind === 'unknown' && b.kind === 'unknown')
      return !isSpread(a) && a.expression === b.expression && a.scope === b.scope ? true : undefined
    // Of every type there is null, and all are equal.
    const isPerhapsNull = a.kind === b.kind || a.kind === 'null' || b.kind === 'null'
    return cannotBeEqual(a, b) || (isSame === false && !isPerhapsNull) ? false : undefined
  }
  if (a.kind === 'null' || b.kind === 'null') return a.kind === b.kind
  if (isSame === false) return false
  const same = sameParts(a, b)
  return same === true ? isSame : same
}

function sameParts(a: Value, b: Value): boolean | undefined {
  if (a.kind === 'list' && b.kind === 'list') {
    if (isKnown(a) && isKnown(b)) return keyOf(a) === keyOf(b)
    if (isSpreadOut(a) || isSpreadOut(b)) return undefined
    return a.items.length === b.items.length && andKnown(a.items.map((item, i) => equal(item, b.items[i] as Node)))
  }
  if (a.kind === 'map' && b.kind === 'map') {
    if (isKnown(a) && isKnown(b)) return keyOf(a) === keyOf(b)
    const others = new Map(b.entries.map((entry) => [entry.key.value, entry.value]))
    if (a.entries.length !== b.entries.length || a.entries.some(({ key }) => !others.has(key.value))) return false
    return andKnown(a.entries.map(({ key, value }) => equal(value, others.get(key.value) as Node)))
  }
  // A number of which it is not known whether it has become a text may be the same as its text.
  if (textOf(a) === undefined || textOf(a) !== textOf(b)) return false
  return a.kind === b.kind ? true : undefined
}

/** A list of which it is not known what is where. */
function isSpreadOut(list: ListNode): boolean {
  return isUnordered(list) || list.items.some(isSpread) || (isSet(list) && !isKnown(list))
}

/** A text that does not begin or end as what is known of another is another one. */
function cannotBeEqual(a: Value, b: Value): boolean {
  if (b.kind === 'text' && a.kind === 'unknown') return cannotBeEqual(b, a)
  if (a.kind !== 'text' || b.kind !== 'unknown') return false
  // An unknown part may begin with a mark on the letter in front of it.
  const [text, start, end] = [a.value, b.pieces[0] ?? '', b.pieces.at(-1) ?? ''].map((each) => each.normalize('NFD')) as [
    string,
    string,
    string,
  ]
  return !text.startsWith(start) || !text.endsWith(end)
}

/** A text that two known values share when they are equal, and only then. */
export function keyOf(value: Value): string {
  if (value.kind === 'unknown') return value.expression
  if (value.kind === 'text') return JSON.stringify(value.value)
  if (value.kind !== 'list' && value.kind !== 'map') return String(value.value)
  const notes = notesOf(value)
  notes.key ??=
    value.kind === 'list'
      ? `[${value.items.map(keyOf).join(',')}]`
      : `{${sortedEntries(value).map((entry) => `${JSON.stringify(entry.key.value)}=${keyOf(entry.value)}`)}}`
  return notes.key
}

/** A short text that two values share when they are the same, however large they are. */
export function fingerprint(value: Value): string {
  if (value.kind === 'unknown') return digest(`? ${isSpread(value)} ${symbolOf(value)}`)
  if (value.kind !== 'list' && value.kind !== 'map') return digest(`${value.kind} ${value.value} ${kindOf(value)}`)
  const notes = notesOf(value)
  if (notes.fingerprint !== undefined) return notes.fingerprint
  const parts =
    value.kind === 'list'
      ? [`list ${kindOf(value)}`, ...value.items.map((item) => fingerprint(item))]
      : [`map ${kindOf(value)}`, ...sortedEntries(value).map((entry) => `${digest(entry.key.value)} ${fingerprint(entry.value)}`)]
  notes.fingerprint = digest(parts.join(','))
  return notes.fingerprint
}

/** A mark that distinguishes a value from one of another type that is written alike. */
function kindOf(value: Value): string {
  const own = ownType(value)
  return `${own && typeName(own)}${isUnordered(value)}`
}

/** A value in the notation of the language, on one line, cut to the length of a name. Unknown values have their names. */
export function printValue(value: Value): string {
  let text = ''
  let isCut = false
  show(value)
  return isCut ? text + mark(fingerprint(value)) : text

  function show(node: Node): void {
    isCut ||= text.length > longest || (node.kind === 'text' && node.value.length > longest)
    if (text.length > longest) return
    if (node.kind !== 'unknown' && ownType(node)) text += mark(kindOf(node))
    if (node.kind === 'text') text += JSON.stringify(node.value.slice(0, longest + 1))
    else if (node.kind === 'unknown')
      text += node.pieces.some((piece) => piece !== '') ? `${mark('text')}"${node.expression}"${mark('text')}` : node.expression
    else if (node.kind === 'list') {
      text += '['
      for (const [i, item] of node.items.entries()) {
        if (i > 0) text += ', '
        show(item)
        if (isCut) return
      }
      text += ']'
    } else if (node.kind === 'map') {
      text += '{'
      for (const [i, { key, value: inner }] of sortedEntries(node).entries()) {
        text += `${i > 0 ? ', ' : ''}${JSON.stringify(key.value)} = `
        show(inner)
        if (isCut) return
      }
      text += '}'
    } else text += String(node.value)
  }
}
