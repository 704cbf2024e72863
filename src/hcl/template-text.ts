import type { Span } from '../source.ts'
import { leadingBlanks, trailingBlanks } from './blanks.ts'
import type { Expression, ForIntro, Part, TextPart } from './syntax.ts'

/** The content between `${` or `%{` and its brace; `end` closes the open `if` or `for`. */
export type SequenceContent =
  | { readonly kind: 'value'; readonly expression: Expression }
  | { readonly kind: 'if'; readonly condition: Expression }
  | (ForIntro & { readonly kind: 'for' })
  | { readonly kind: 'else' | 'end' }

export type TemplateSequence = Span & SequenceContent
export type Piece = TextPart | TemplateSequence

/**
 * The string of literal text. A heredoc has a piece for each line, and a strip marker affects only the adjacent piece; in quotes
 * a line break is written `\n`, and is a blank like any other.
 */
export function literals(span: Span, isHeredoc: boolean): readonly TextPart[] {
  if (!isHeredoc) return [unescaped(span, false)]
  const { source, start, end } = span
  const lines: TextPart[] = []
  for (let index = start; index < end; ) {
    const lineBreak = source.text.indexOf('\n', index)
    const lineEnd = lineBreak < 0 || lineBreak >= end ? end : lineBreak + 1
    const early = source.text.slice(index, lineEnd).search(brokenEarly)
    const cuts = early < 0 ? [index, lineEnd] : [index, index + early, lineEnd]
    for (let i = 1; i < cuts.length; i++) lines.push(unescaped({ source, start: cuts[i - 1] as number, end: cuts[i] as number }, true))
    index = lineEnd
  }
  return lines
}

/** A line break behind a `$` or `%` that begins no hole, and at most one character: the language reads it as a separate piece. */
const brokenEarly = /(?<=[$%][^{$%\n\P{ASCII}])\r?\n$|(?<=[$%])\n$/u

function unescaped(span: Span, isHeredoc: boolean): TextPart {
  const { text } = span.source
  let value = ''
  const offsets: number[] = []
  const put = (unit: string, at: number) => {
    for (let i = 0; i < unit.length; i++) offsets.push(at)
    value += unit
  }
  for (let index = span.start; index < span.end; ) {
    const c = text[index] as string
    if ((c === '$' || c === '%') && text[index + 1] === c && text[index + 2] === '{') {
      put(c, index)
      put('{', index + 2)
      index += 3
    } else if (c === '\\' && !isHeredoc) {
      const next = text[index + 1] ?? ''
      const length = next === 'u' ? 6 : next === 'U' ? 10 : 2
      put(length > 2 ? String.fromCodePoint(Number.parseInt(text.slice(index + 2, index + length), 16)) : (escapes[next] ?? next), index)
      index += length
    } else put(c, index++)
  }
  return { ...span, kind: 'text', value, offsets: [...offsets, span.end] }
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }

function cut({ source, value, offsets }: TextPart, from: number, to = value.length): TextPart {
  const rest = offsets.slice(from, to + 1)
  return { source, start: rest[0] as number, end: rest.at(-1) as number, kind: 'text', value: value.slice(from, to), offsets: rest }
}

export function trimmedStart(part: TextPart): TextPart {
  return cut(part, leadingBlanks(part.value).length)
}

export function trimmedEnd(part: TextPart): TextPart {
  return cut(part, 0, part.value.length - trailingBlanks(part.value).length)
}

/** A letter where blanks are counted. */
const letters = /\r\n|.[\p{M}\u200d]*/gsu

/** `<<-`: the lines without the blanks that all of them begin with. A line of blanks alone has no say, and keeps them. */
export function withoutIndentation(pieces: readonly Piece[]): readonly Piece[] {
  let least = Number.POSITIVE_INFINITY
  const first = new Set<Piece>()
  let isStart = true
  for (const piece of pieces) {
    const value = piece.kind === 'text' ? piece.value : ''
    const blanks = leadingBlanks(value)
    const isBlankLine = blanks.endsWith('\n')
    if (isStart && !isBlankLine) {
      least = Math.min(least, blanks.match(letters)?.length ?? 0)
      first.add(piece)
    }
    isStart = value.endsWith('\n')
  }
  return pieces.map((piece) =>
    piece.kind === 'text' && first.has(piece) ? cut(piece, (piece.value.match(letters) ?? []).slice(0, least).join('').length) : piece,
  )
}

interface Level {
  readonly opener: TemplateSequence & { readonly kind: 'if' | 'for' }
  readonly yes: Part[]
  no?: Part[]
}

/** The parts of a text, with those in directives nested. Directives are known to match. */
export function nestDirectives(pieces: readonly Piece[]): readonly Part[] {
  const top: Part[] = []
  const levels: Level[] = []
  for (const piece of pieces) {
    if (piece.kind === 'if' || piece.kind === 'for') {
      levels.push({ opener: piece, yes: [] })
      continue
    }
    const closed = piece.kind === 'end' ? levels.pop() : undefined
    const level = levels.at(-1)
    if (piece.kind === 'else' && level) level.no = []
    else {
      const part = piece.kind === 'text' || piece.kind === 'value' ? piece : closed && ended(closed, piece.end)
      if (part && !(part.kind === 'text' && part.value === '')) (level?.no ?? level?.yes ?? top).push(part)
    }
  }
  return top
}

function ended({ opener, yes, no = [] }: Level, end: number): Part {
  return opener.kind === 'for' ? { ...opener, end, body: yes } : { ...opener, end, yes, no }
}
