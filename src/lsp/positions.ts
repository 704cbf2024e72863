import type { Position, Range } from 'vscode-languageserver'
import { type Lines, lineEnd, lineStarts, position } from '../source.ts'

/** How columns are counted: agreed with the editor at the start. */
export type Encoding = 'utf-8' | 'utf-16' | 'utf-32'

export const encodings: readonly Encoding[] = ['utf-16', 'utf-8', 'utf-32']

/** The number of units for a code point, by encoding. */
const widths: Readonly<Record<Encoding, (point: number) => number>> = {
  'utf-8': (point) => (point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4),
  'utf-16': (point) => (point < 0x10000 ? 1 : 2),
  'utf-32': () => 1,
}

/** The position of an offset in the protocol. */
export function positionAt(lines: Lines, offset: number, encoding: Encoding): Position {
  const { text } = lines
  const { line, column } = position(lines, Math.max(0, Math.min(offset, text.length)))
  if (encoding === 'utf-16') return { line: line - 1, character: column - 1 }
  const width = widths[encoding]
  const start = lineStarts(lines)[line - 1] as number
  let character = 0
  for (let i = start; i < start + column - 1; i++) {
    const point = text.codePointAt(i) as number
    if (point > 0xffff) i++
    character += width(point)
  }
  return { line: line - 1, character }
}

/** The offset of a position. One past the end of its line, or of the text, is that end; one within a character is before it. */
export function offsetAt(lines: Lines, { line, character }: Position, encoding: Encoding): number {
  const { text } = lines
  const starts = lineStarts(lines)
  if (!(line >= 0)) return 0
  if (line >= starts.length) return text.length
  const start = starts[line] as number
  const end = lineEnd(lines, start)
  if (encoding === 'utf-16') return Math.min(start + Math.max(0, character), end)
  const width = widths[encoding]
  let unitsLeft = character
  let index = start
  while (index < end) {
    const point = text.codePointAt(index) as number
    unitsLeft -= width(point)
    if (unitsLeft < 0) break
    index += point > 0xffff ? 2 : 1
  }
  return index
}

export function rangeOf(lines: Lines, { start, end }: { readonly start: number; readonly end: number }, encoding: Encoding): Range {
  return { start: positionAt(lines, start, encoding), end: positionAt(lines, Math.max(start, end), encoding) }
}

/** The one stretch in which two texts differ, as offsets. */
export interface Stretch {
  readonly start: number
  /** Its end in the earlier text. */
  readonly oldEnd: number
  /** Its end in the later one. */
  readonly newEnd: number
}

/** The shortest stretch outside of which two texts are the same, among those that cut no character and no line break in two. */
export function differing(old: string, present: string): Stretch {
  const most = Math.min(old.length, present.length)
  let start = 0
  while (start < most && old[start] === present[start]) start++
  if (isDivided(old, start) || isDivided(present, start)) start--
  let end = 0
  while (end < most - start && old[old.length - 1 - end] === present[present.length - 1 - end]) end++
  if (isDivided(old, old.length - end) || isDivided(present, present.length - end)) end--
  return { start, oldEnd: old.length - end, newEnd: present.length - end }
}

/** Whether an offset has no position of its own in the protocol: editors take it for one before the character, or before the line break. */
function isDivided(text: string, offset: number): boolean {
  const pair = text.slice(Math.max(0, offset - 1), offset + 1)
  return pair === '\r\n' || /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(pair)
}
