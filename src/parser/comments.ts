import { partitionPoint } from '../collections.ts'
import { type Located, position, type Source, type Span } from '../source.ts'
import type { Node } from '../tree.ts'

/** A comment that suppresses findings: `# grantwise-ignore CODE[, CODE]: reason`. */
export interface IgnoreComment {
  /** The codes as written; empty when none is named. */
  readonly codes: readonly Located<string>[]
  /** Empty when no reason is given. */
  readonly reason: string
  /** The line it is about, from 1: its own where there is other content on it, else the next one that is no comment. */
  readonly line: number
  /** The last line that it is about, where there are several. */
  readonly lastLine?: number
  /** It is about all of what is below it, a fenced code block of Markdown or a command: without a code, that is skipped. */
  readonly about?: 'block' | 'command'
  /** From the `#` to the end of the line. */
  readonly span: Span
}

const directive = 'grantwise-ignore'

/**
 * The comments of a text that suppress findings, in order. A `#` inside a text of the tree is no comment. Linear, and next to
 * nothing where the word does not occur. `documents` is what was read from the text.
 */
export function ignoreComments(source: Source, documents: readonly Node[]): readonly IgnoreComment[] {
  const { text } = source
  const comments: IgnoreComment[] = []
  let texts: readonly Span[] | undefined
  const endOf = (at: number) => (text[at] === '#' ? breakAfter(text, at) : undefined)
  // Before here, no comment begins on the line.
  let clear = 0
  for (let index = text.indexOf(directive); index >= 0; ) {
    texts ??= textsOf(documents)
    const start = firstComment(text, texts, startOfLine(text, index, clear), index)
    if (start === undefined) {
      clear = index
      index = text.indexOf(directive, index + directive.length)
      continue
    }
    clear = breakAfter(text, index)
    const comment = isFirstWord(text, start, index)
      ? readComment({ source, start, end: clear }, index, clear, comments.at(-1), endOf)
      : undefined
    if (comment) comments.push(comment)
    index = text.indexOf(directive, clear)
  }
  return comments
}

/** The same for a text whose comments are known: those of HCL begin with `#`, `//` or a slash and a star. */
export function ignoresAmong(source: Source, spans: readonly Span[]): readonly IgnoreComment[] {
  const { text } = source
  const comments: IgnoreComment[] = []
  const ends = new Map(spans.map(({ start, end }) => [start, end]))
  const endOf = (at: number) => ends.get(at)
  for (const span of spans) {
    const { start, end } = span
    let wordsStart = start
    while (wordsStart < end && (isBlank(text[wordsStart]) || '#/*'.includes(text[wordsStart] as string))) wordsStart++
    if (wordsStart === end || !text.startsWith(directive, wordsStart)) continue
    const to = Math.min(breakAfter(text, wordsStart), text.startsWith('/*', start) ? end - 2 : end)
    const comment = readComment(span, wordsStart, to, comments.at(-1), endOf)
    if (comment) comments.push(comment)
  }
  return comments
}

/** The comments of a YAML text, in written order. `documents`: the parsed text. Linear in the text. */
export function commentsIn(source: Source, documents: readonly Node[]): readonly Span[] {
  const { text } = source
  const texts = textsOf(documents)
  const comments: Span[] = []
  for (let index = 0; index < text.length; ) {
    const lineBreak = breakAfter(text, index)
    const start = firstComment(text, texts, index, lineBreak)
    if (start !== undefined) comments.push({ source, start, end: lineBreak })
    index = lineBreak + 1
  }
  return comments
}

function startOfLine(text: string, at: number, least: number): number {
  let i = at
  while (i > least && !isBreak(text[i - 1])) i--
  return i
}

/** Where a comment begins between two places of a line: a `#` behind a blank or at the start, and in no text. */
function firstComment(text: string, texts: readonly Span[], from: number, to: number): number | undefined {
  for (let i = from; i < to; i++) {
    if (text[i] !== '#') continue
    const before = text[i - 1]
    if ((before === undefined || isBlank(before) || isBreak(before)) && !isInside(text, texts, i)) return i
  }
  return undefined
}

/** Whether only `#` and blanks are between two places. */
function isFirstWord(text: string, start: number, at: number): boolean {
  let i = start
  while (text[i] === '#') i++
  return blanksEnd(text, i) === at
}

/** The strings of a tree in written order. Iterative, since the depth of the tree is not known. */
function textsOf(documents: readonly Node[]): readonly Span[] {
  const texts: Span[] = []
  const open: Node[] = [...documents]
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.kind === 'list') for (const item of node.items) open.push(item)
    else if (node.kind === 'map') for (const { key, value } of node.entries) open.push(key, value)
    else texts.push(node)
  }
  return texts.sort((a, b) => a.start - b.start)
}

/** Whether an offset is in one of the strings. On the line of a block string's `|` or `>`, a comment may follow. */
function isInside(text: string, texts: readonly Span[], offset: number): boolean {
  const enclosing = texts[partitionPoint(texts, ({ start }) => start <= offset) - 1]
  if (!enclosing || offset >= enclosing.end) return false
  const isBlock = text[enclosing.start] === '|' || text[enclosing.start] === '>'
  return !isBlock || /[\r\n]/.test(text.slice(enclosing.start, offset))
}

/** Where a comment ends that begins at a place, if one does. */
type EndOf = (at: number) => number | undefined

/** A comment with the word at `at`; what it says ends at `to`. */
function readComment(
  comment: Span,
  offset: number,
  to: number,
  before: IgnoreComment | undefined,
  endOf: EndOf,
): IgnoreComment | undefined {
  const { source, start } = comment
  const end = trimmedEnd(source.text, to)
  const words = readWords(source, offset + directive.length, end)
  return words && { ...words, line: lineAbout(comment, before, endOf), span: { source, start, end } }
}

/** The end of the text in front of a place, without trailing blanks. */
function trimmedEnd(text: string, to: number): number {
  let end = to
  while (isBlank(text[end - 1])) end--
  return end
}

/** The codes and the reason behind the word. */
function readWords(source: Source, from: number, end: number): Pick<IgnoreComment, 'codes' | 'reason'> | undefined {
  const rest = source.text.slice(from, end)
  if (rest !== '' && !isBlank(rest[0]) && rest[0] !== ':') return undefined
  const colon = rest.indexOf(':')
  const codesEnd = colon < 0 ? rest.length : colon
  const codes: Located<string>[] = []
  for (let i = 0; i < codesEnd; i++) {
    if (isSeparator(rest[i])) continue
    const wordStart = i
    while (i < codesEnd && !isSeparator(rest[i])) i++
    codes.push({ value: rest.slice(wordStart, i), span: { source, start: from + wordStart, end: from + i } })
  }
  return { codes, reason: colon < 0 ? '' : rest.slice(colon + 1).trim() }
}

/** The comment of HTML that begins at a place of a line, where it is one that leaves findings out. */
export function ignoreInHtml(source: Source, start: number, lineEnd: number): IgnoreComment | undefined {
  const { text } = source
  const directiveStart = blanksEnd(text, start + '<!--'.length)
  if (!text.startsWith(directive, directiveStart)) return undefined
  const closing = text.slice(directiveStart, lineEnd).indexOf('-->')
  const end = trimmedEnd(text, closing < 0 ? lineEnd : directiveStart + closing)
  const words = readWords(source, directiveStart + directive.length, end)
  return words && { ...words, line: position(source, start).line, about: 'block', span: { source, start, end } }
}

/** The comment of a script that begins with `#`, where it is one that suppresses findings. */
export function ignoreInComment({ source, start, end }: Span): IgnoreComment | undefined {
  const { text } = source
  let index = start
  while (text[index] === '#') index++
  index = blanksEnd(text, index)
  if (index >= end || !text.startsWith(directive, index)) return undefined
  const words = readWords(source, index + directive.length, trimmedEnd(text, end))
  return words && { ...words, line: position(source, start).line, about: 'command', span: { source, start, end: trimmedEnd(text, end) } }
}

/** The line that a comment is about: its own if there is other content on it, else the first that does not begin with a comment. */
function lineAbout({ source, start }: Span, before: IgnoreComment | undefined, endOf: EndOf): number {
  const { text } = source
  const { line } = position(source, start)
  let i = start
  while (isBlank(text[i - 1])) i--
  if (i > 0 && !isBreak(text[i - 1])) return line
  // One of several comments above a line: found already.
  if (before && before.line > line) return before.line
  let index = start
  for (let end = endOf(index); end !== undefined; end = endOf(index)) {
    index = blanksEnd(text, end)
    if (index === text.length) return position(source, index).line + 1
    if (isBreak(text[index])) index = blanksEnd(text, index + (text.startsWith('\r\n', index) ? 2 : 1))
  }
  return position(source, index).line
}

function blanksEnd(text: string, from: number): number {
  let i = from
  while (isBlank(text[i])) i++
  return i
}

/** Where the line ends, without its line break. */
function breakAfter(text: string, from: number): number {
  let i = from
  while (i < text.length && !isBreak(text[i])) i++
  return i
}

function isBlank(c: string | undefined): boolean {
  return c === ' ' || c === '\t'
}

function isBreak(c: string | undefined): boolean {
  return c === '\n' || c === '\r'
}

function isSeparator(c: string | undefined): boolean {
  return c === ',' || isBlank(c)
}
