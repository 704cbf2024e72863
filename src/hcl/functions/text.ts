import type { Node } from '../../tree.ts'
import { withoutBlanks } from '../blanks.ts'
import { convert } from '../convert.ts'
import { numberText } from '../exact.ts'
import { spend } from '../frame.ts'
import { jsonText, readJsonText } from '../json-text.ts'
import { collectionOf, stringType, type Value } from '../types.ts'
import {
  booleanAt,
  booleanOf,
  isKnown,
  isSpread,
  isUnknown,
  isUnordered,
  letters,
  listOf,
  longestText,
  nameInText,
  nullNode,
  numberOf,
  textNode,
  textOf,
} from '../values.ts'
import { concatenated } from './collections.ts'
import { allKnown, type Builtin, builtin, type Call, mapped, type Result, text, whole, wholeText, withReaders } from './support.ts'

function trimmed(text: string, cut: string): string {
  const all = [...text]
  let from = 0
  let to = all.length
  while (from < to && cut.includes(all[from] as string)) from++
  while (to > from && cut.includes(all[to - 1] as string)) to--
  return all.slice(from, to).join('')
}

/** Text with `%s` and its like; what is put in and not known stays open. */
function formatted(spec: string, values: readonly Value[], { span, frame }: Call): Result {
  const pieces = ['']
  const names: string[] = []
  let next = 0
  let index = 0
  let used = 0
  const put = (known: string) => {
    pieces[pieces.length - 1] += known
    names.push(known)
  }
  while (index < spec.length) {
    const sign = spec.indexOf('%', index)
    if (sign < 0) break
    put(spec.slice(index, sign))
    const match = /^%(-|0|\+)?(\[\d{1,3}\])?(\d{1,3})?(?:\.(\d{1,2}))?([a-zA-Z%])/.exec(spec.slice(sign, sign + 20))
    if (!match) return 'unknown'
    const [all, flag, place, width, precision, verb] = match as unknown as [string, string?, string?, string?, string?, string?]
    index = sign + all.length
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
      names.push(nameInText(value))
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
    // A truth value is as wide as it is.
    const wide = verb === 't' ? 0 : Number(width ?? 0)
    const signed = flag === '+' && 'df'.includes(verb ?? '') && !shape.startsWith('-') ? `+${shape}` : shape
    const filling = fill.repeat(Math.max(0, wide - letters(signed).length))
    put(flag === '-' ? signed + filling : filling + signed)
  }
  put(spec.slice(index))
  if (used < values.length) return undefined
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  spend(frame.budget, length >> 3, span)
  if (length > longestText) return 'unknown'
  if (pieces.length === 1) return textNode(span, pieces[0] as string)
  return wholeText(pieces, names.join(''), span, frame)
}

/** Whether `%v` writes a number without a power of ten. */
function isShort(number: number): boolean {
  return number === 0 || (Math.abs(number) >= 1e-4 && Math.abs(number) < 1e6)
}

/** From here on, a double is written with a power of ten. */
const mostInFront = 1e21

/** A number with so many digits behind the point; one just between two goes to the one that is even. */
function fixed(number: number, digits: number): string | 'unknown' {
  if (Math.abs(number) >= mostInFront) return 'unknown'
  const exact = number.toFixed(100)
  const place = exact.length - 100 + digits
  const isBetween = /^50*$/.test(exact.slice(place)) && /[02468]\.?$/.test(exact.slice(0, place))
  return isBetween ? exact.slice(0, place).replace(/\.$/, '') : number.toFixed(digits)
}

function formatOne(value: Value, verb: string, precision: string | undefined): string | 'unknown' | undefined {
  if (verb === 's') return precision === undefined ? text(value) : 'unknown'
  if (verb === 'd') {
    const number = numberOf(value)
    return number === undefined || !Number.isInteger(number) ? undefined : numberText(number)
  }
  if (verb === 'v') return value.kind === 'number' && !isShort(value.value) ? 'unknown' : (text(value) ?? jsonText(value))
  if (verb === 'q') {
    const textValue = text(value)
    return textValue === undefined ? undefined : JSON.stringify(textValue)
  }
  if (verb === 't') {
    const flag = booleanOf(value)
    return flag === undefined ? undefined : String(flag)
  }
  if (verb === 'f') {
    const number = numberOf(value)
    return number === undefined ? undefined : fixed(number, Number(precision ?? 6))
  }
  if (verb === 'x' || verb === 'X') {
    const number = whole(value)
    if (number === undefined || !Number.isSafeInteger(number)) return 'unknown'
    return verb === 'x' ? number.toString(16) : number.toString(16).toUpperCase()
  }
  return 'unknown'
}

/** Joined strings; an unknown part stays unknown. */
function joined(separator: string, items: readonly Node[], { span, frame }: Call): Result {
  if (items.some(isSpread)) return 'unknown'
  if (items.some((item) => !isUnknown(item) && textOf(item) === undefined)) return undefined
  const pieces = ['']
  const names: string[] = []
  for (const [i, item] of items.entries()) {
    const before = i === 0 ? '' : separator
    const parts = isUnknown(item) ? item.pieces : [textOf(item) ?? '']
    pieces[pieces.length - 1] += before + (parts[0] ?? '')
    pieces.push(...parts.slice(1))
    names.push(before + (isUnknown(item) ? nameInText(item) : parts[0]))
    spend(frame.budget, 1 + (parts.reduce((sum, part) => sum + part.length, 0) >> 3), span)
  }
  if (pieces.length === 1) return textNode(span, pieces[0] as string)
  return wholeText(pieces, names.join(''), span, frame)
}

/** A letter whose capital is several letters stays as it is. */
function upperLetter(letter: string): string {
  const upper = letter.toUpperCase()
  return [...upper].length === 1 ? upper : letter
}

/** Each letter by itself: what is around it has no say, and none becomes several. */
function lowerLetter(letter: string): string {
  const [lower = letter] = letter.toLowerCase()
  return lower
}

/** Letters that are two: only the first of them is a capital where a word begins. */
const initials: ReadonlyMap<string, string> = new Map(
  ['ǅǄǆ', 'ǈǇǉ', 'ǋǊǌ', 'ǲǱǳ'].flatMap(([first = '', ...all]) => all.map((each) => [each, first])),
)

function upperFirst(word: string): string {
  const [head = ''] = word
  return (initials.get(head) ?? upperLetter(head)) + word.slice(head.length)
}

/** Whether a text begins or ends with another; the `nearest` piece of one that is partly known may decide. */
function atEdge(has: (text: string, part: string) => boolean, nearest: 0 | -1): Builtin {
  return builtin('any', ([value, part], { span }) => {
    const wanted = part && text(part)
    if (!value || wanted === undefined) return part && isUnknown(part) ? 'unknown' : undefined
    const knownText = isUnknown(value) ? (value.pieces.at(nearest) ?? '') : text(value)
    if (knownText === undefined) return undefined
    return isUnknown(value) && !has(knownText, wanted) && has(wanted.normalize('NFD'), knownText.normalize('NFD'))
      ? 'unknown'
      : booleanAt(span, has(knownText, wanted))
  })
}

function formattedList([spec, ...values]: readonly Value[], call: Call): Result {
  if (!spec || isUnknown(spec)) return 'unknown'
  const format = text(spec)
  const lists = values.map((value) => (value.kind === 'list' ? value.items : undefined))
  const [rows] = lists.flatMap((items) => (items ? [items.length] : []))
  if (values.some(isUnknown)) return 'unknown'
  if (format === undefined) return undefined
  if (values.some(isUnordered) || lists.some((items) => items?.some(isSpread))) return 'unknown'
  if (lists.some((items) => items && items.length !== rows)) return undefined
  const results = Array.from({ length: rows ?? 1 }, (_, i) => {
    const row = values.map((value, place) => (lists[place]?.[i] as Node | undefined) ?? value)
    return formatted(format, row, call)
  })
  if (results.includes('unknown')) return 'unknown'
  const items = allKnown(results as readonly (Node | undefined)[])
  return items && listOf(call.span, stringType, items)
}

const textList = collectionOf('list', stringType)

export const textFunctions: Readonly<Record<string, Builtin>> = {
  tostring: builtin('whole', ([value], { span }) => {
    if (!value || value.kind === 'text') return value
    const given = text(value)
    return value.kind === 'null' ? convert(value, stringType) : given === undefined ? undefined : textNode(span, given)
  }),
  join: builtin('any', ([separator, ...lists], call) => {
    const between = text(separator)
    if (!separator || isUnknown(separator)) return 'unknown'
    const items = concatenated(lists.map((list) => (list.kind === 'list' ? (convert(list, textList) ?? nullNode(list)) : list)))
    if (between === undefined || !items) return undefined
    return lists.some(isUnordered) ? 'unknown' : joined(between, items, call)
  }),
  split: withReaders([text, text], ([between, given], { span, frame }) => {
    spend(frame.budget, given.length >> 2, span)
    const parts = (between === '' ? [...given] : given.split(between)).map((part) => textNode(span, part))
    return listOf(span, stringType, parts)
  }),
  format: builtin('any', ([spec, ...values], call) => {
    if (!spec || isUnknown(spec)) return 'unknown'
    const given = text(spec)
    return given === undefined ? undefined : formatted(given, values, call)
  }),
  formatlist: ['any', formattedList],
  lower: mapped((value) => Array.from(value, lowerLetter).join('')),
  upper: mapped((value) => [...value].map(upperLetter).join('')),
  title: mapped((value) => value.replace(/(?<![\p{L}\p{N}_]|[^\p{ASCII}\s])\p{L}/gu, upperFirst)),
  trim: mapped((value, cut = '') => trimmed(value, cut)),
  trimspace: mapped(withoutBlanks),
  trimprefix: mapped((value, start = '') => (value.startsWith(start) ? value.slice(start.length) : value)),
  trimsuffix: mapped((value, end = '') => (end !== '' && value.endsWith(end) ? value.slice(0, -end.length) : value)),
  chomp: mapped((value) => value.replace(/(\r\n?|\n)+$/, '')),
  strrev: mapped((value) => letters(value).reverse().join('')),
  substr: withReaders([text, whole, whole], ([original, start, length], { span }) => {
    const all = letters(original)
    const begin = start < 0 ? Math.max(0, all.length + start) : start
    // As the language has it: no letters of a text that is counted from its end are all of them.
    const isRest = length < 0 || (length === 0 && start < 0)
    return textNode(span, all.slice(begin, isRest ? undefined : begin + length).join(''))
  }),
  startswith: atEdge((value, part) => value.startsWith(part), 0),
  endswith: atEdge((value, part) => value.endsWith(part), -1),
  strcontains: withReaders([text, text], ([given, search], { span }) => booleanAt(span, given.includes(search))),
  urlencode: mapped((value) =>
    encodeURIComponent(value)
      .replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
      .replaceAll('%20', '+'),
  ),
  jsonencode: ['whole', ([value], { span }) => (value ? textNode(span, jsonText(value)) : undefined)],
  jsondecode: builtin('whole', ([value], { span, frame }) => {
    const jsonText = text(value)
    if (!value || jsonText === undefined) return undefined
    spend(frame.budget, jsonText.length >> 2, span)
    return readJsonText(value.kind === 'text' ? value : textNode(value, jsonText))
  }),
}
