import type { TextNode } from '../tree.ts'

/** The characters of a string in YAML, each at its place: the string may be written over several lines, indented, or with escapes. */
export interface ScalarPlaces {
  /** Where each UTF-16 unit begins, and one more for the end. */
  readonly starts: readonly number[]
  readonly ends: readonly number[]
  /** Its lines are those of the file, apart from the indentation. */
  readonly isLiteral: boolean
}

const escapes: Readonly<Record<string, string>> = {
  '0': '\0',
  a: '\x07',
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\x1b',
  N: '\x85',
  _: '\xa0',
  L: '\u2028',
  P: '\u2029',
}
const numbered: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 }

/** The places of a string's characters; undefined where its notation is not understood. */
export function scalarPlaces({ source: { text }, start, end, value }: TextNode): ScalarPlaces | undefined {
  const style = text[start] as string
  if (style === '|') return literalPlaces(text, start, end, value)
  const from = style === '>' ? nextLine(text, start) : style === '"' || style === "'" ? start + 1 : start
  return alignedPlaces(text, from, end, value, style)
}

function nextLine(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end + 1
}

function literalPlaces(text: string, start: number, end: number, value: string): ScalarPlaces | undefined {
  const starts: number[] = []
  const ends: number[] = []
  let offset = nextLine(text, start)
  const [first = ''] = /^(?:[ \t]*\r?\n)* */.exec(text.slice(offset, end)) ?? []
  const indentation = first.length - (first.lastIndexOf('\n') + 1)
  while (starts.length < value.length && offset < end) {
    const lineEnd = text.indexOf('\n', offset)
    const next = lineEnd < 0 ? text.length : lineEnd + 1
    let from = offset
    while (from < offset + indentation && text[from] === ' ') from++
    for (let i = from; i < next && starts.length < value.length; i++) {
      if (text[i] === '\r' && text[i + 1] === '\n') continue
      if (text[i] !== value[starts.length]) return undefined
      starts.push(i)
      ends.push(i + 1)
    }
    offset = next
  }
  // A line break at the end may be one that is not there.
  if (starts.length < value.length - 1) return undefined
  const last = ends.at(-1) ?? end
  if (starts.length < value.length) {
    starts.push(last)
    ends.push(last)
  }
  return { starts: [...starts, last], ends, isLiteral: true }
}

/** Finds each character of the value again: only blanks, line breaks and escapes are written otherwise. */
function alignedPlaces(text: string, from: number, end: number, value: string, style: string): ScalarPlaces | undefined {
  const starts: number[] = []
  const ends: number[] = []
  let offset = from
  const take = (width: number) => {
    starts.push(offset)
    offset += width
    ends.push(offset)
  }
  while (starts.length < value.length) {
    const unit = value[starts.length] as string
    const written = text[offset]
    if (offset >= end || written === undefined) {
      // A line break at the end may be one that is not there.
      if (unit !== '\n' || starts.length !== value.length - 1) return undefined
      take(0)
    } else if (style === '"' && written === '\\') {
      const width = /^\r?\n/.test(text.slice(offset + 1, offset + 3)) ? 0 : escapeWidth(text, offset, value, starts.length)
      if (width === undefined) return undefined
      if (width === 0) offset = skipWhite(text, offset + 2)
      else {
        const [units, length] = width
        for (let i = 0; i < units; i++) {
          starts.push(offset)
          ends.push(offset + length)
        }
        offset += length
      }
    } else if (style === "'" && unit === "'") take(2)
    else if (written === unit) {
      take(1)
      // One more line break than the value has is written, in `>` except before a line that is indented more.
      if (unit === '\n' && (style === '>' ? /\S/ : /[^\n]/).test(value[starts.length] ?? '')) offset = skipWhite(text, offset)
    } else if (unit === ' ' && (written === '\n' || written === '\r')) {
      take(1)
      offset = skipWhite(text, offset)
    } else if (/\s/.test(written)) offset++
    else return undefined
  }
  return { starts: [...starts, ends.at(-1) ?? from], ends, isLiteral: false }
}

function skipWhite(text: string, from: number): number {
  let at = from
  while (at < text.length && /\s/.test(text[at] as string)) at++
  return at
}

/** How many units an escape gives, and how many characters it takes; undefined where it is not the one of the value. */
function escapeWidth(text: string, offset: number, value: string, index: number): readonly [units: number, length: number] | undefined {
  const sign = text[offset + 1] ?? ''
  const digits = numbered[sign]
  if (digits === undefined) return (escapes[sign] ?? sign) === value[index] ? [1, 2] : undefined
  const code = Number.parseInt(text.slice(offset + 2, offset + 2 + digits), 16)
  if (!(code <= 0x10ffff)) return undefined
  const character = String.fromCodePoint(code)
  return value.startsWith(character, index) ? [character.length, 2 + digits] : undefined
}
