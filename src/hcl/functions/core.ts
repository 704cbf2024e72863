import { readInstant } from '../../conditions/time.ts'
import type { Span } from '../../source.ts'
import type { Entry, MapNode, Node, TextNode } from '../../tree.ts'
import { withoutBlanks } from '../blanks.ts'
import { indexed, numberOf, spend, truth } from '../evaluate.ts'
import { jsonText, readJsonText } from '../json-text.ts'
import { unified } from '../unify.ts'
import {
  booleanAt,
  distinctKnown,
  equal,
  interpolated,
  isFailed,
  isKnown,
  isSpread,
  isUnknown,
  keyOf,
  listAt,
  longestText,
  mapAt,
  nullAt,
  numberAt,
  setAt,
  sortedEntries,
  sortedTexts,
  spreadOf,
  textAt,
  textOf,
  unknownsFirst,
  type Value,
} from '../values.ts'

import { type Builtin, type Call, itemsOf, mapped, numeric, openItems, text, whole, wholeText } from './support.ts'

function trimmed(text: string, letters: string, start: boolean, end: boolean): string {
  const all = [...text]
  let from = 0
  let to = all.length
  while (start && from < to && letters.includes(all[from] as string)) from++
  while (end && to > from && letters.includes(all[to - 1] as string)) to--
  return all.slice(from, to).join('')
}

/** Lists put together; where one is not known, any number of its items. */
function together(values: readonly Value[]): readonly Node[] | undefined {
  const lists = values.map(openItems)
  return lists.includes(undefined) ? undefined : (lists as (readonly Node[])[]).flat()
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
function first(values: readonly Value[], counts: (value: Value) => boolean): Value | 'unknown' | undefined {
  for (const value of values) {
    if (isUnknown(value)) return 'unknown'
    if (counts(value)) return value
  }
  return undefined
}

/** Sets, each as the items that are in it by what they are. */
function setFunction(keep: (sets: readonly ReadonlyMap<string, Node>[]) => readonly Node[]): Builtin {
  return [
    'whole',
    (values, { span }) => {
      const lists = values.map(itemsOf)
      if (lists.length === 0 || lists.includes(undefined)) return undefined
      const all = unified((lists as (readonly Node[])[]).flat())
      let from = 0
      const sets = (lists as (readonly Node[])[]).map(({ length }) => {
        from += length
        return new Map(all.slice(from - length, from).map((item) => [keyOf(item), item]))
      })
      return setAt(span, keep(sets))
    },
  ]
}

/** Text with `%s` and its like; what is put in and not known stays open. */
function formatted(spec: string, values: readonly Value[], { span, frame }: Call): Value | 'unknown' | undefined {
  const pieces = ['']
  const names: string[] = []
  let next = 0
  let at = 0
  let used = 0
  const put = (known: string) => {
    pieces[pieces.length - 1] += known
    names.push(known)
  }
  while (at < spec.length) {
    const sign = spec.indexOf('%', at)
    if (sign < 0) break
    put(spec.slice(at, sign))
    const match = /^%(-|0|\+)?(\[\d{1,3}\])?(\d{1,3})?(?:\.(\d{1,2}))?([a-zA-Z%])/.exec(spec.slice(sign, sign + 20))
    if (!match) return 'unknown'
    const [all, flag, place, width, precision, verb] = match as unknown as [string, string?, string?, string?, string?, string?]
    at = sign + all.length
    if (verb === '%') {
      put('%')
      continue
    }
    if (place !== undefined) next = Number(place.slice(1, -1)) - 1
    const value = values[next++]
    used = Math.max(used, next)
    if (value === undefined) return undefined
    if (isUnknown(value) && width === undefined && 'sdv'.includes(verb ?? '')) {
      const [begin = '', ...rest] = value.pieces
      const isText = value.pieces.some((piece) => piece !== '')
      names.push(isText ? value.expression : interpolated(value.expression))
      pieces[pieces.length - 1] += begin
      pieces.push(...rest)
      continue
    }
    if (!isKnown(value)) return 'unknown'
    const shape = formatOne(value, verb ?? '', precision)
    if (shape === undefined) return undefined
    if (shape === 'unknown') return 'unknown'
    if (flag === '0' && (shape.startsWith('-') || !'dfxX'.includes(verb ?? ''))) return 'unknown'
    const fill = flag === '0' ? '0' : ' '
    const wide = Number(width ?? 0)
    put(flag === '-' ? shape.padEnd(wide) : shape.padStart(wide, fill))
  }
  put(spec.slice(at))
  if (used < values.length && !spec.includes('%[')) return undefined
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  spend(frame.budget, length >> 3, span)
  if (length > longestText) return 'unknown'
  if (pieces.length === 1) return textAt(span, pieces[0] as string)
  return wholeText(pieces, names.join(''), span, frame)
}

function formatOne(value: Value, verb: string, precision: string | undefined): string | 'unknown' | undefined {
  if (verb === 's') return precision === undefined ? text(value) : 'unknown'
  if (verb === 'd') {
    const number = numberOf(value)
    return number === undefined || !Number.isInteger(number) ? undefined : String(number)
  }
  if (verb === 'v') return text(value) ?? (value.kind === 'null' ? 'null' : jsonText(value))
  if (verb === 'q') return value.kind === 'text' ? JSON.stringify(value.value) : undefined
  if (verb === 't') return value.kind === 'boolean' ? String(value.value) : undefined
  if (verb === 'f') return numberOf(value)?.toFixed(Number(precision ?? 6))
  if (verb === 'x' || verb === 'X') {
    const number = whole(value)
    if (number === undefined) return 'unknown'
    return verb === 'x' ? number.toString(16) : number.toString(16).toUpperCase()
  }
  return 'unknown'
}

/** Texts joined; what is not known stays open. */
function joined(separator: string, items: readonly Node[], { span, frame }: Call): Value | 'unknown' | undefined {
  if (items.some(isSpread)) return 'unknown'
  if (items.some((item) => !isUnknown(item) && textOf(item) === undefined)) return undefined
  const pieces = ['']
  const names: string[] = []
  for (const [i, item] of items.entries()) {
    const before = i === 0 ? '' : separator
    const parts = isUnknown(item) ? item.pieces : [textOf(item) ?? '']
    pieces[pieces.length - 1] += before + (parts[0] ?? '')
    pieces.push(...parts.slice(1))
    const isText = isUnknown(item) && parts.some((part) => part !== '')
    names.push(before + (isUnknown(item) ? (isText ? item.expression : interpolated(item.expression)) : parts[0]))
    spend(frame.budget, 1 + (parts.reduce((sum, part) => sum + part.length, 0) >> 3), span)
  }
  if (pieces.length === 1) return textAt(span, pieces[0] as string)
  return wholeText(pieces, names.join(''), span, frame)
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** What people take for the letters of a text: each may be several characters. */
function graphemes(text: string): string[] {
  if (/^[\x20-\x7e]*$/.test(text)) return text.split('')
  return Array.from(segmenter.segment(text.normalize('NFC')), ({ segment }) => segment)
}

/** A letter whose capital is several letters stays as it is. */
function upperLetter(letter: string): string {
  const upper = letter.toUpperCase()
  return [...upper].length === 1 ? upper : letter
}

function upperFirst(word: string): string {
  const [head = ''] = word
  return head.toUpperCase() + word.slice(head.length)
}

function rangeOf(numbers: readonly number[], { span, frame }: Call): Value | undefined {
  const [from, to] = numbers.length === 1 ? [0, numbers[0] as number] : [numbers[0] as number, numbers[1] as number]
  const step = numbers[2] ?? (to < from ? -1 : 1)
  if (numbers.length > 3 || step === 0 || (to - from) * step < 0) return numbers.length <= 3 && to === from ? listAt(span, []) : undefined
  const count = Math.max(0, Math.ceil((to - from) / step))
  // What Terraform gives at most.
  if (count > 1024) return undefined
  spend(frame.budget, count, span)
  return listAt(
    span,
    Array.from({ length: count }, (_, i) => numberAt(span, from + i * step)),
  )
}

function product(lists: readonly (readonly Node[])[], { span, frame }: Call): readonly Node[] {
  let rows: readonly (readonly Node[])[] = [[]]
  for (const list of lists) {
    spend(frame.budget, rows.length * list.length * lists.length, span)
    rows = rows.flatMap((row) => list.map((item) => [...row, item]))
  }
  return rows.map((row) => listAt(span, row))
}

/** Units of durations, in nanoseconds. */
const units: Readonly<Record<string, number>> = { h: 3.6e12, m: 6e10, s: 1e9, ms: 1e6, us: 1e3, µs: 1e3, ns: 1 }

/** An instant and a duration such as `1h30m` or `-10m` after it, in the same offset from UTC; to the second. */
function later(instant: string, duration: string, span: Span): Value | 'unknown' | undefined {
  const from = readInstant(instant)
  const [, sign, parts = ''] = /^([-+]?)((?:\d{1,9}(?:\.\d{0,9})?(?:h|ms|m|s|us|µs|ns))+)$/.exec(duration.slice(0, 100)) ?? []
  if (from === undefined || parts === '') return undefined
  let amount = 0
  for (const [, number, unit] of parts.matchAll(/(\d+(?:\.\d*)?)(h|ms|m|s|us|µs|ns)/g))
    amount += Number(number) * (units[unit as string] as number)
  const offset = instant
    .slice(19)
    .replace(/^\.\d+/, '')
    .toUpperCase()
  const shift =
    offset === 'Z' ? 0 : (offset.startsWith('-') ? -1 : 1) * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4, 6))) * 60_000
  const to = from + ((sign === '-' ? -1 : 1) * amount) / 1e6
  if (!Number.isInteger(to / 1000) || Math.abs(to) > 8e15) return 'unknown'
  return textAt(span, new Date(to + shift).toISOString().replace('.000Z', offset))
}

/** The functions whose values are worked out (public reference of the configuration language, one page for each). */
export const coreFunctions: Readonly<Record<string, Builtin>> = {
  concat: [
    'any',
    (values, { span }) => {
      const items = together(values)
      return items && listAt(span, items)
    },
  ],
  flatten: [
    'open',
    ([value], { span }) => {
      const items = itemsOf(value)
      return items && listAt(span, flattened(items))
    },
  ],
  toset: [
    'open',
    ([value]) => {
      const items = itemsOf(value)
      return items && value && setAt(value, unified(items))
    },
  ],
  tolist: [
    'open',
    ([value]) => {
      const items = itemsOf(value)
      return items && value && listAt(value, unified(items))
    },
  ],
  tomap: [
    'open',
    ([value]) => {
      if (value?.kind !== 'map') return undefined
      const values = unified(value.entries.map((entry) => entry.value))
      return mapAt(
        value,
        value.entries.map(({ key }, i) => ({ key, value: values[i] as Node })),
      )
    },
  ],
  tostring: [
    'whole',
    ([value], { span }) => {
      if (!value || value.kind === 'text' || value.kind === 'null') return value
      const given = text(value)
      return given === undefined ? undefined : textAt(span, given)
    },
  ],
  tonumber: [
    'whole',
    ([value]) => {
      if (!value || value.kind === 'number' || value.kind === 'null') return value
      const number = numberOf(value)
      return number === undefined ? undefined : numberAt(value, number)
    },
  ],
  tobool: [
    'whole',
    ([value]) => {
      if (!value || value.kind === 'boolean' || value.kind === 'null') return value
      const told = truth(value)
      return told === undefined ? undefined : booleanAt(value, told)
    },
  ],
  merge: [
    'open',
    (values, { span }) => {
      const maps = values.filter((value) => value.kind !== 'null')
      return maps.every((value): value is MapNode => value.kind === 'map') ? mapAt(span, merged(maps)) : undefined
    },
  ],
  keys: [
    'open',
    ([value], { span }) =>
      value?.kind === 'map'
        ? listAt(
            span,
            sortedEntries(value).map(({ key }) => key),
          )
        : undefined,
  ],
  values: [
    'open',
    ([value], { span }) =>
      value?.kind === 'map'
        ? listAt(
            span,
            sortedEntries(value).map((entry) => entry.value),
          )
        : undefined,
  ],
  lookup: [
    'any',
    ([map, key, other], { span, frame }) => {
      if (!map || !key || isUnknown(map) || isUnknown(key)) return 'unknown'
      const found = indexed(map, key, span, frame)
      return isFailed(found) ? other : found
    },
  ],
  distinct: [
    'open',
    ([value], { span }) => {
      const items = itemsOf(value)
      return items && listAt(span, [...unknownsFirst(items), ...distinctKnown(unified(items))])
    },
  ],
  compact: [
    'open',
    ([value], { span }) => {
      const items = itemsOf(value)
      return (
        items &&
        listAt(
          span,
          items.flatMap((item): readonly Node[] =>
            isUnknown(item) ? [spreadOf(item)] : item.kind === 'null' || text(item) === '' ? [] : [asText(item)],
          ),
        )
      )
    },
  ],
  sort: [
    'open',
    ([value], { span }) => {
      const items = itemsOf(value)
      return items && listAt(span, [...unknownsFirst(items), ...sortedTexts(items.filter((item) => !isUnknown(item)).map(asText))])
    },
  ],
  reverse: [
    'open',
    ([value], { span }) => {
      const items = itemsOf(value)
      return items && listAt(span, [...items].reverse())
    },
  ],
  length: [
    'open',
    ([value], { span }) => {
      if (value?.kind === 'text') return numberAt(span, graphemes(value.value).length)
      if (value?.kind === 'map') return numberAt(span, value.entries.length)
      const items = itemsOf(value)
      return items && (items.some(isSpread) ? 'unknown' : numberAt(span, items.length))
    },
  ],
  contains: [
    'any',
    ([value, item], { span }) => {
      if (!value || !item || isUnknown(value)) return 'unknown'
      const items = itemsOf(value)
      if (!items) return undefined
      const found = items.map((each) => (isSpread(each) ? undefined : equal(each, item)))
      return found.includes(true) ? booleanAt(span, true) : found.includes(undefined) ? 'unknown' : booleanAt(span, false)
    },
  ],
  element: [
    'open',
    ([value, place], { span }) => {
      const items = itemsOf(value)
      const index = whole(place)
      if (!items || index === undefined || items.length === 0) return undefined
      if (items.some(isSpread)) return 'unknown'
      return (items[((index % items.length) + items.length) % items.length] as Node | undefined) ?? nullAt(span)
    },
  ],
  index: [
    'whole',
    ([value, item], { span }) => {
      const place = itemsOf(value)?.findIndex((each) => item && equal(each, item) === true) ?? -1
      return place < 0 ? undefined : numberAt(span, place)
    },
  ],
  slice: [
    'open',
    ([value, from, to], { span }) => {
      const items = itemsOf(value)
      const [start, end] = [whole(from), whole(to)]
      if (!items || start === undefined || end === undefined || start < 0 || end < start) return undefined
      if (items.some(isSpread)) return 'unknown'
      return end > items.length ? undefined : listAt(span, items.slice(start, end))
    },
  ],
  one: [
    'open',
    ([value], { span }) => {
      const items = itemsOf(value)
      if (!items) return undefined
      if (items.some(isSpread)) return 'unknown'
      return items.length > 1 ? undefined : (items[0] ?? nullAt(span))
    },
  ],
  range: [
    'whole',
    (values, call) => {
      const numbers = values.map(numberOf)
      return numbers.length === 0 || numbers.includes(undefined) ? undefined : rangeOf(numbers as number[], call)
    },
  ],
  zipmap: [
    'open',
    ([keys, values], { span }) => {
      const [names, items] = [itemsOf(keys), itemsOf(values)]
      if (!names || !items) return undefined
      if ([...names].some(isUnknown) || items.some(isSpread)) return 'unknown'
      const nodes = names.map(keyNode)
      if (names.length !== items.length || nodes.includes(undefined)) return undefined
      return mapAt(
        span,
        merged([
          mapAt(
            span,
            nodes.map((key, i) => ({ key: key as TextNode, value: items[i] as Node })),
          ),
        ]),
      )
    },
  ],
  setproduct: [
    'open',
    (values, call) => {
      const lists = values.map(itemsOf)
      if (lists.includes(undefined)) return undefined
      const known = (lists as (readonly Node[])[]).map(unified)
      if (known.some((items) => items.some(isUnknown))) return 'unknown'
      return listAt(call.span, product(known, call))
    },
  ],
  setunion: [
    'any',
    (values, { span }) => {
      const items = together(values)
      return items && setAt(span, unified(items))
    },
  ],
  setintersection: setFunction(([one, ...others]) =>
    [...(one ?? [])].filter(([key]) => others.every((other) => other.has(key))).map(([, item]) => item),
  ),
  setsubtract: setFunction(([one, other]) => [...(one ?? [])].filter(([key]) => !other?.has(key)).map(([, item]) => item)),
  setsymmetricdifference: setFunction((sets) => {
    const count = new Map<string, number>()
    for (const set of sets) for (const key of set.keys()) count.set(key, (count.get(key) ?? 0) + 1)
    return sets.flatMap((set) => [...set].filter(([key]) => (count.get(key) ?? 0) % 2 === 1).map(([, item]) => item))
  }),
  coalesce: [
    'any',
    (values) =>
      first(values.some(({ kind }) => kind === 'null') ? values : unified(values), (value) => value.kind !== 'null' && text(value) !== ''),
  ],
  coalescelist: ['any', (values) => first(values, (value) => value.kind === 'list' && value.items.length > 0)],
  chunklist: [
    'open',
    ([value, size], { span }) => {
      const items = itemsOf(value) && unified(itemsOf(value) as readonly Node[])
      const count = whole(size)
      if (!items || count === undefined || count < 1) return undefined
      if (items.some(isSpread)) return 'unknown'
      return listAt(
        span,
        Array.from({ length: Math.ceil(items.length / count) }, (_, i) => listAt(span, items.slice(i * count, (i + 1) * count))),
      )
    },
  ],
  join: [
    'any',
    ([separator, ...lists], call) => {
      const between = text(separator)
      if (!separator || isUnknown(separator)) return 'unknown'
      const items = together(lists)
      return between === undefined || !items ? undefined : joined(between, items, call)
    },
  ],
  split: [
    'whole',
    ([separator, value], { span, frame }) => {
      const [between, given] = [text(separator), text(value)]
      if (between === undefined || given === undefined) return undefined
      spend(frame.budget, given.length >> 2, span)
      return listAt(
        span,
        given.split(between).map((part) => textAt(span, part)),
      )
    },
  ],
  format: [
    'any',
    ([spec, ...values], call) => {
      if (!spec || isUnknown(spec)) return 'unknown'
      const given = text(spec)
      return given === undefined ? undefined : formatted(given, values, call)
    },
  ],
  formatlist: [
    'any',
    ([spec, ...values], call) => {
      if (!spec || isUnknown(spec)) return 'unknown'
      const given = text(spec)
      const lists = values.map((value) => (value.kind === 'list' ? value.items : undefined))
      const [rows] = lists.flatMap((items) => (items ? [items.length] : []))
      if (values.some(isUnknown)) return 'unknown'
      if (given === undefined) return undefined
      if (lists.some((items) => items?.some(isSpread))) return 'unknown'
      if (lists.some((items) => items && items.length !== rows)) return undefined
      const results = Array.from({ length: rows ?? 1 }, (_, i) =>
        formatted(
          given,
          values.map((value, place) => (lists[place]?.[i] as Node | undefined) ?? value),
          call,
        ),
      )
      if (results.includes('unknown')) return 'unknown'
      return results.includes(undefined) ? undefined : listAt(call.span, results as Node[])
    },
  ],
  lower: mapped((value) => value.toLowerCase()),
  upper: mapped((value) => [...value].map(upperLetter).join('')),
  title: mapped((value) => value.replace(/(?<![\p{L}\p{N}_]|[^\p{ASCII}\s])\p{L}/gu, upperFirst)),
  trim: mapped((value, letters = '') => trimmed(value, letters, true, true)),
  trimspace: mapped(withoutBlanks),
  trimprefix: mapped((value, start = '') => (start !== '' && value.startsWith(start) ? value.slice(start.length) : value)),
  trimsuffix: mapped((value, end = '') => (end !== '' && value.endsWith(end) ? value.slice(0, -end.length) : value)),
  chomp: mapped((value) => value.replace(/(\r?\n)+$/, '')),
  strrev: mapped((value) => graphemes(value).reverse().join('')),
  substr: [
    'whole',
    ([value, from, size], { span }) => {
      const given = text(value)
      const [start, length] = [whole(from), whole(size)]
      if (given === undefined || start === undefined || length === undefined) return undefined
      const letters = graphemes(given)
      const begin = start < 0 ? Math.max(0, letters.length + start) : start
      return textAt(span, letters.slice(begin, length < 0 ? undefined : begin + length).join(''))
    },
  ],
  startswith: [
    'any',
    ([value, start], { span }) => {
      const begin = start && text(start)
      if (!value || begin === undefined) return start && isUnknown(start) ? 'unknown' : undefined
      if (!isUnknown(value)) return text(value) === undefined ? undefined : booleanAt(span, (text(value) as string).startsWith(begin))
      const known = value.pieces[0] ?? ''
      if (known.startsWith(begin)) return booleanAt(span, true)
      return begin.startsWith(known) ? 'unknown' : booleanAt(span, false)
    },
  ],
  endswith: [
    'any',
    ([value, ending], { span }) => {
      const end = ending && text(ending)
      if (!value || end === undefined) return ending && isUnknown(ending) ? 'unknown' : undefined
      if (!isUnknown(value)) return text(value) === undefined ? undefined : booleanAt(span, (text(value) as string).endsWith(end))
      const known = value.pieces.at(-1) ?? ''
      if (known.endsWith(end)) return booleanAt(span, true)
      return end.endsWith(known) ? 'unknown' : booleanAt(span, false)
    },
  ],
  strcontains: [
    'whole',
    ([value, part], { span }) => {
      const [given, search] = [text(value), text(part)]
      return given === undefined || search === undefined ? undefined : booleanAt(span, given.includes(search))
    },
  ],
  alltrue: ['whole', ([value], { span }) => truths(value, span, (all) => all.every(Boolean))],
  anytrue: ['whole', ([value], { span }) => truths(value, span, (all) => all.some(Boolean))],
  abs: numeric(Math.abs),
  ceil: numeric(Math.ceil),
  floor: numeric(Math.floor),
  max: numeric(Math.max),
  min: numeric(Math.min),
  pow: numeric((base = 0, exponent = 0) => base ** exponent),
  signum: numeric(Math.sign),
  sum: [
    'whole',
    ([value], { span }) => {
      const numbers = itemsOf(value)?.map(numberOf)
      if (!numbers || numbers.length === 0 || numbers.includes(undefined)) return undefined
      return numberAt(
        span,
        (numbers as number[]).reduce((a, b) => a + b, 0),
      )
    },
  ],
  parseint: [
    'whole',
    ([value, base], { span }) => {
      const [given, radix] = [text(value), whole(base)]
      if (given === undefined || radix === undefined || radix < 2 || radix > 36)
        return radix !== undefined && radix <= 62 ? 'unknown' : undefined
      const digits = '0123456789abcdefghijklmnopqrstuvwxyz'.slice(0, radix)
      const plain = given.replace(/^-/, '').toLowerCase()
      return plain !== '' && [...plain].every((digit) => digits.includes(digit)) ? numberAt(span, Number.parseInt(given, radix)) : undefined
    },
  ],
  urlencode: mapped((value) =>
    encodeURIComponent(value)
      .replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
      .replaceAll('%20', '+'),
  ),
  jsonencode: ['whole', ([value], { span }) => (value ? textAt(span, jsonText(value)) : undefined)],
  jsondecode: [
    'whole',
    ([value], { span, frame }) => {
      if (value?.kind !== 'text') return undefined
      spend(frame.budget, value.value.length >> 2, span)
      return readJsonText(value)
    },
  ],
  timeadd: [
    'whole',
    ([value, amount], { span }) => {
      const [given, change] = [text(value), text(amount)]
      return given === undefined || change === undefined ? undefined : later(given, change, span)
    },
  ],
  sensitive: ['any', ([value]) => value],
  nonsensitive: ['any', ([value]) => value],
  ephemeralasnull: ['any', () => 'unknown'],
}

function truths(value: Value | undefined, span: Span, test: (all: readonly boolean[]) => boolean): Value | undefined {
  const told = itemsOf(value)?.map(truth)
  return told && !told.includes(undefined) ? booleanAt(span, test(told as boolean[])) : undefined
}
