import { partitionPoint } from './collections.ts'
/**
 * How a text is written. `hcl` and `hcl-json` are files of configurations, read with the other files of their folder;
 * `markdown` has policies in fenced code blocks, `shell` in commands, and `steps` in the commands of a pipeline in YAML; `actions`: an
 * action a line; `rules`: access rules as a list or an address.
 */
export type Notation = 'json' | 'yaml' | 'hcl' | 'hcl-json' | ExampleNotation | 'actions' | 'rules'

/** Notations of files whose policies are each a world by itself, and are only linted. */
export type ExampleNotation = 'markdown' | 'shell' | 'steps'

/** A text with its name in messages. `path` is shown as given; `text` is already decoded. Plain data, as `sourceOf` makes it. */
export interface Source {
  readonly path: string
  readonly text: string
  readonly notation: Notation
}

/**
 * A source. Without `notation`, its name says how it is written, else its first character: JSON or YAML. A file with the name of a
 * pipeline that is none is YAML.
 */
export function sourceOf(path: string, text: string, notation: Notation = notationOf(path) ?? begunAs(text)): Source {
  return { path, text, notation: notation === 'steps' && !isPipeline(text) ? 'yaml' : notation }
}

/** The notation that a file name promises, or undefined. */
export function notationOf(path: string): Notation | undefined {
  if (/\.(?:tf|tofu|tfvars)$/i.test(path)) return 'hcl'
  if (/\.(?:tf|tofu|tfvars)\.json$/i.test(path)) return 'hcl-json'
  if (/\.jsonc?$/i.test(path)) return 'json'
  if (/(?:^|[./\\])access-rules(?:\.txt)?$/i.test(path)) return 'rules'
  return /\.ya?ml$/i.test(path) ? 'yaml' : undefined
}

/** Whether a text of JSON may have comments and trailing commas, by the name of the file. */
export function isWithComments({ path, notation }: Pick<Source, 'path' | 'notation'>): boolean {
  return notation === 'json' && /\.jsonc$/i.test(path)
}

/** Whether a text is HCL, in either of its notations. */
export function isHcl(notation: Notation | undefined): boolean {
  return notation === 'hcl' || notation === 'hcl-json'
}

/** Whether a text in YAML has a key of a pipeline. */
function isPipeline(text: string): boolean {
  return /^[ \t-]*(?:jobs|runs|steps|stages|include|script|before_script|run|workflow):/m.test(text)
}

/** Whether the policies of a file are each a world by itself, and are only linted. */
export function isExampleNotation(notation: Notation | undefined): notation is ExampleNotation {
  return notation === 'markdown' || notation === 'shell' || notation === 'steps'
}

function begunAs(text: string): Notation {
  return /^\ufeff?\s*[[{]/.test(text) ? 'json' : 'yaml'
}

/** Whether a text begins, behind comments, with a block of HCL such as `resource "a" "b" {`. No text of YAML does. */
export function beginsWithBlock(text: string): boolean {
  return /^\ufeff?(?:\s|(?:#|\/\/)[^\n]*\n)*[a-z]+[ \t]*(?:"[^"\n]*"[ \t]*)*\{[ \t]*(?:[\r\n#/}]|$)/.test(text)
}

/** A part of a text: UTF-16 offsets, end exclusive. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** A stretch of a file where characters stand for themselves, but for some. */
export interface PlainRange extends Range {
  readonly reserved: string
}

/** Whether a range is within another, or all of it. */
export function isInRange(inner: Range, outer: Range): boolean {
  return outer.start <= inner.start && inner.end <= outer.end
}

/** Whether a cursor at an offset is in a range, or at one of its ends. */
export function touches({ start, end }: Range, offset: number): boolean {
  return start <= offset && offset <= end
}

/** A range of a source. */
export interface Span extends Range {
  readonly source: Source
  /**
   * For a string that is not written literally: the offset of each UTF-16 unit of its value, and one more for the end. Absent
   * where it follows from the notation.
   */
  readonly offsets?: readonly number[]
}

/** Whether a span is within another one of the same source, or all of it. */
export function isInSpan(inner: Span, outer: Span): boolean {
  return inner.source === outer.source && isInRange(inner, outer)
}

/** A value that remembers where it was written. */
export interface Located<T> {
  readonly value: T
  readonly span: Span
}

/** Line and column, both from 1; columns count UTF-16 units. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** The text of a source, or of anything else that has lines. */
export type Lines = Pick<Source, 'text'>

/** Where an object with a text keeps its lines: no copy, comparison or list of its properties shows that they were asked for. */
const starts = Symbol('the starts of lines')

/** The offsets at which the lines of a text start. Found when a place in it is first shown, as most sources have none, and kept by its object. */
export function lineStarts(lines: Lines & { readonly [starts]?: readonly number[] }): readonly number[] {
  const earlier = lines[starts]
  if (earlier) return earlier
  const value = [0]
  const lineBreak = /\n|\r(?!\n)/g
  while (lineBreak.test(lines.text)) value.push(lineBreak.lastIndex)
  // False for an object that takes no properties: its lines are found each time.
  Reflect.defineProperty(lines, starts, { value })
  return value
}

/** The line and column of an offset. Lines end at LF, CRLF or CR. Offsets are turned into lines only here, for display. */
export function position(source: Lines, offset: number): Position {
  const all = lineStarts(source)
  const line = lastStart(all, offset)
  return { line: line + 1, column: offset - (all[line] as number) + 1 }
}

/** The line of an offset, from 0. */
export function lineOf(source: Lines, offset: number): number {
  return lastStart(lineStarts(source), offset)
}

/** Where the line of an offset starts. */
export function lineStart(source: Lines, offset: number): number {
  return lineStarts(source)[lineOf(source, offset)] as number
}

/** Where the line of an offset ends, before its line break. */
export function lineEnd(source: Lines, offset: number): number {
  const { text } = source
  // Found by hand: an expression that is tried at every character would read a long line whole for each finding on it.
  let end = lineStarts(source)[lineOf(source, offset) + 1] ?? text.length
  while (end > offset && isLineBreakUnit(text.charCodeAt(end - 1))) end--
  return end
}

/** The column of an offset, from 0. */
export function columnOf(source: Lines, offset: number): number {
  return offset - lineStart(source, offset)
}

/** Which of some rising starts is the last one at or before an offset: its index. */
export function lastStart(starts: readonly number[], offset: number): number {
  return Math.max(0, partitionPoint(starts, (start) => start <= offset) - 1)
}

/** The text of a line (from 1), without its line break; '' past the end. */
export function lineText(source: Lines, line: number): string {
  const start = lineStarts(source)[line - 1]
  return start === undefined ? '' : source.text.slice(start, lineEnd(source, start))
}

/** Whether a UTF-16 unit is LF or CR. */
export function isLineBreakUnit(unit: number): boolean {
  return unit === 10 || unit === 13
}

/**
 * The span of `value.slice(from, to)` inside a located text. Exact when the text is written as it reads (with or
 * without quotes) or with JSON escapes; for any other notation (folded YAML, say) the span of the whole text.
 */
export function inside(text: Located<string>, from: number, to: number): Span {
  const { source, start, end, offsets: textOffsets } = text.span
  const { value } = text
  if (textOffsets?.length === value.length + 1) {
    const firstOffset = textOffsets[from] as number
    return { source, start: firstOffset, end: Math.max(textOffsets[to] as number, firstOffset) }
  }
  const raw = source.text.slice(start, end)
  if (raw === value) return { source, start: start + from, end: start + to }
  const quote = raw[0]
  if (quote !== '"' && quote !== "'") return text.span
  if (raw.slice(1, -1) === value) return { source, start: start + 1 + from, end: start + 1 + to }
  const offsets = escapeOffsets(raw, value)
  if (offsets === undefined) return text.span
  return { source, start: start + (offsets[from] as number), end: start + (offsets[to] as number) }
}

/**
 * For each UTF-16 unit of a string, where it starts in its notation; one more for the end. Undefined where the notation has unusual
 * escapes, or lines that are joined.
 */
export function escapeOffsets(raw: string, value: string): readonly number[] | undefined {
  const isQuoted = raw !== value && (raw[0] === '"' || raw[0] === "'")
  const offsets = isQuoted ? offsetsIn(raw) : Array.from({ length: raw.length + 1 }, (_, i) => i)
  return offsets?.length === value.length + 1 ? offsets : undefined
}

/** For each UTF-16 unit of a quoted text, where its notation starts; one more for the end. Undefined for unusual escapes. */
function offsetsIn(raw: string): number[] | undefined {
  const offsets: number[] = []
  let i = 1
  while (i < raw.length - 1) {
    offsets.push(i)
    const width = widthAt(raw, i)
    if (width === undefined) return undefined
    i += width
  }
  offsets.push(i)
  return offsets
}

/** The length of the escape sequence or character that gives one unit. */
function widthAt(raw: string, index: number): number | undefined {
  const c = raw[index]
  if (c === '\n' || c === '\r') return undefined
  if (raw[0] === "'") return c === "'" ? 2 : 1
  if (c !== '\\') return 1
  if (raw[index + 1] === 'u') return 6
  return '"\\/bfnrt'.includes(raw[index + 1] ?? ' ') ? 2 : undefined
}
