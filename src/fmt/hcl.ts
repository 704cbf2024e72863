import { Scanner, type Token, type TokenKind } from '../hcl/tokens.ts'
import type { Source, Span } from '../source.ts'
import { withLineBreaksOf, withoutBlanksAtEnd } from './layout.ts'

/**
 * The text of a file of HCL in the layout of `terraform fmt`: only blanks within lines change. Lines are indented by their open brackets,
 * tokens are separated by single blanks, and the `=` and the comments of consecutive lines are aligned. A heredoc stays as it is. The text
 * must be well-formed.
 */
export function formattedHcl(source: Source): string {
  const scanner = new Scanner(source)
  scanner.scan()
  const lines = linesOf(source, scanner.tokens, scanner.comments)
  indent(lines)
  separate(lines)
  align(
    lines,
    ({ assign }) => assign,
    ({ lead }) => columnsOf(lead),
  )
  align(
    lines,
    ({ comment }) => comment,
    ({ lead, assign }) => columnsOf(lead) + columnsOf(assign),
  )
  const text = lines.map(textOf).join('')
  return text === '' || text.endsWith('\n') ? text : `${text}${withLineBreaksOf('\n', source.text)}`
}

type Kind = TokenKind | 'comment' | 'none'

/** A token, and how many blanks are in front of it. */
interface Piece {
  readonly kind: Kind
  readonly text: string
  blanks: number
  /** Within a heredoc: what is in front of it as the text has it. */
  readonly verbatim?: string
}

/** A line in up to three parts: an assignment has its `=` and its value apart, if the value ends on the line. */
interface Row {
  readonly lead: readonly Piece[]
  readonly assign: readonly Piece[]
  readonly comment: readonly Piece[]
  /** Its line break; '' at the end of the text. */
  readonly lineBreak: string
}

const none: Piece = { kind: 'none', text: '', blanks: 0 }

function linesOf(source: Source, tokens: readonly Token[], comments: readonly Span[]): readonly Row[] {
  const lines: Row[] = []
  let line: Piece[] = []
  for (const { piece, lineBreak } of piecesOf(source, tokens, comments)) {
    if (piece) line.push(piece)
    else {
      lines.push(rowOf(line, lineBreak))
      line = []
    }
  }
  return lines
}

/** Tokens and comments in order; each line ends with its line break. */
function* piecesOf(
  { text }: Source,
  tokens: readonly Token[],
  comments: readonly Span[],
): Generator<{ readonly piece?: Piece; readonly lineBreak: string }> {
  let next = 0
  for (let i = 0; i < tokens.length; i++) {
    const { kind, start, end } = tokens[i] as Token
    for (let comment = comments[next]; comment && comment.start < start; comment = comments[++next])
      yield { piece: { kind: 'comment', text: withoutBlanksAtEnd(text.slice(comment.start, comment.end)), blanks: 0 }, lineBreak: '' }
    const following = tokens[i + 1]
    const before = tokens[i - 1]
    if (kind === 'end') return
    if (kind === 'newline') yield { lineBreak: text.slice(start, end) }
    else if (kind === 'sign' && text[start] === '~' && following?.kind === 'unhole' && following.start === end) {
      yield { piece: { kind: 'unhole', text: text.slice(start, following.end), blanks: 0 }, lineBreak: '' }
      i++
    } else {
      const isVerbatim = before && (before.kind === 'heredoc' || kind === 'heredoc-end')
      const verbatim = isVerbatim ? text.slice(before.end, start) : undefined
      yield { piece: { kind, text: text.slice(start, end), blanks: 0, ...(verbatim !== undefined && { verbatim }) }, lineBreak: '' }
    }
  }
}

function rowOf(pieces: readonly Piece[], lineBreak: string): Row {
  const last = pieces.at(-1)
  const isCommented = pieces.length > 1 && last?.kind === 'comment' && !last.text.startsWith('/*')
  const content = isCommented ? pieces.slice(0, -1) : pieces
  const comment = isCommented ? pieces.slice(-1) : []
  const equals = content.findIndex((piece, i) => i > 0 && is(piece, '='))
  const isWhole = equals > 0 && bracketsIn(content.slice(equals)) === 0
  return isWhole
    ? { lead: content.slice(0, equals), assign: content.slice(equals), comment, lineBreak }
    : { lead: content, assign: [], comment, lineBreak }
}

function is({ kind, text }: Piece, sign: string): boolean {
  return kind === 'sign' && text === sign
}

/** How many more brackets are open behind a token than in front of it. */
function bracketsOf({ kind, text }: Piece): number {
  if (kind === 'hole' || (kind === 'sign' && '{[('.includes(text))) return 1
  return kind === 'unhole' || (kind === 'sign' && '}])'.includes(text)) ? -1 : 0
}

function bracketsIn(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + bracketsOf(piece), 0)
}

/** Indents lines: a line that opens brackets indents those below it by one level, however many it opens. */
function indent(lines: readonly Row[]): void {
  const open: number[] = []
  for (const { lead, assign } of lines) {
    const first = lead[0]
    if (!first) continue
    const heredoc = lead.findIndex(({ kind }) => kind === 'heredoc')
    const change = bracketsIn(heredoc < 0 ? lead : lead.slice(0, heredoc)) + bracketsIn(assign)
    if (change < 0) close(open, -change)
    first.blanks = 2 * open.length
    if (change > 0) open.push(change)
  }
}

function close(open: number[], count: number): void {
  for (let closed = count; closed > 0; ) {
    const innermost = open.pop()
    if (innermost === undefined) return
    if (innermost > closed) open.push(innermost - closed)
    closed -= innermost
  }
}

function separate(lines: readonly Row[]): void {
  for (const { lead, assign } of lines) {
    for (const part of [lead, assign])
      for (const [i, piece] of part.entries()) {
        const after = part[i + 1]
        if (after) after.blanks = isSpaced(piece, part[i - 1] ?? none, after) ? 1 : 0
      }
  }
}

/** Puts a part of consecutive lines that have it into one column, one blank behind the longest of what is in front. */
function align(lines: readonly Row[], partOf: (line: Row) => readonly Piece[], columnsBefore: (line: Row) => number): void {
  let chain: Row[] = []
  const finish = () => {
    const columns = Math.max(...chain.map(columnsBefore))
    for (const line of chain) (partOf(line)[0] as Piece).blanks = columns - columnsBefore(line) + 1
    chain = []
  }
  for (const line of lines) {
    if (partOf(line).length > 0) chain.push(line)
    else finish()
  }
  finish()
}

function columnsOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { text, blanks, verbatim }) => sum + (verbatim?.length ?? blanks) + charactersIn(text), 0)
}

/** How many characters readers see. */
function charactersIn(text: string): number {
  return /^[\x20-\x7e]*$/.test(text) ? text.length : [...new Intl.Segmenter().segment(text)].length
}

const quotes: ReadonlySet<Kind> = new Set(['text', 'quote', 'heredoc'])
const unquotes: ReadonlySet<Kind> = new Set(['text', 'unquote', 'heredoc-end'])
/** Behind these a minus is a sign of the number, not an operator. */
const beforeNegation: ReadonlySet<string> = new Set('( { [ = : , ? + * / % - == != > >= < <= && || !'.split(' '))

/** Whether a blank is between a token and the one after it. The first rule that is about them decides. */
function isSpaced(piece: Piece, before: Piece, after: Piece): boolean {
  if (piece.kind === 'word' && is(after, '(')) return false
  if (is(piece, '.') || is(after, '.') || is(piece, '::') || is(after, '::')) return false
  if (is(after, ',') || is(after, '...')) return false
  if (is(piece, ',')) return true
  if (quotes.has(piece.kind) || unquotes.has(after.kind)) return false
  if (piece.kind === 'word' && piece.text === 'in' && before.kind === 'word') return true
  if (is(after, '[') && (piece.kind === 'word' || piece.kind === 'number' || bracketsOf(piece) < 0)) return false
  if (is(piece, '!')) return false
  if (is(piece, '-')) return before.kind !== 'none' && !(before.kind === 'sign' && beforeNegation.has(before.text))
  if (is(piece, '{') || is(after, '}')) return !(is(piece, '{') && is(after, '}'))
  if (piece.kind === 'hole' && is(after, '{')) return true
  if (is(piece, '}') && after.kind === 'unhole') return true
  if (piece.kind === 'unhole' && after.kind === 'hole') return false
  return bracketsOf(piece) <= 0 && bracketsOf(after) >= 0
}

function textOf({ lead, assign, comment, lineBreak }: Row): string {
  const pieces = [...lead, ...assign, ...comment]
  return pieces.map(({ text, blanks, verbatim }) => (verbatim ?? ' '.repeat(blanks)) + text).join('') + lineBreak
}
