import { columnOf, lineStarts, type Source, type Span } from '../source.ts'
import type { Node } from '../tree.ts'
import { beginsLine, hasBlankLineAbove, withoutBlanksAtEnd } from './layout.ts'

/** A line of the result. */
export interface Line {
  readonly indent: number
  /** May hold line breaks: those of a scalar over several lines. */
  readonly text: string
  /** The lines of a block scalar, below `text` and its comment. */
  readonly body?: string
  /** Blank lines below it are part of its block scalar. */
  readonly keepsBlankLines?: true
  /** It closes a list or an object: no blank line is above it. */
  readonly isCloser?: true
  /** Where its content begins in the source. */
  readonly at: number
  /** The innermost list or map that it is in; undefined for a marker between documents. */
  readonly level: Level | undefined
}

/** A list or a map on separate lines. */
export interface Level {
  readonly parent: Level | undefined
  /** That of its lines in the result. */
  readonly indent: number
  /** That of its entries in the source. */
  readonly column: number
  /** Of one in brackets: where it ends in the source. */
  readonly end?: number
}

/** The lines of `---`, `...` and `%YAML 1.2`. */
export function markersOf(source: Source, documents: readonly Node[]): readonly Line[] {
  const { text } = source
  return lineStarts(source).flatMap((at): readonly Line[] => {
    const marker = /^(?:---|\.\.\.)(?=\s|$)|^%YAML[ \t]+1\.2/.exec(text.slice(at, at + 20))?.[0]
    if (marker === undefined || documents.some(({ start, end }) => start <= at && at < end)) return []
    return [{ indent: 0, text: marker, at, level: undefined }]
  })
}

/** The text of lines, with each comment behind or above the content that it was behind or above. At most one blank line in succession is kept. */
export function assembled(source: Source, lines: readonly Line[], comments: readonly Span[]): string {
  const out: string[] = []
  /** No blank line is written here: at the start of the text and of what is below a key, and below a scalar that keeps its own. */
  let isClose = true
  const separate = (offset: number) => {
    if (!isClose && hasBlankLineAbove(source, offset)) out.push('')
    isClose = false
  }
  let next = 0
  /** The comments in front of a place that are not behind content. */
  const commentsBefore = (before: Line | undefined, after: Line | undefined) => {
    for (let comment = comments[next]; comment && comment.start < (after?.at ?? Number.POSITIVE_INFINITY); comment = comments[++next]) {
      separate(comment.start)
      out.push(' '.repeat(indentOf(source, comment, before, after)) + textOf(comment))
    }
  }
  commentsBefore(undefined, lines[0])
  /** The comments behind a line: one, and those that follow a block comment on the same line. */
  const commentsBehind = (after: Line | undefined) => {
    let behind = ''
    for (let comment = comments[next]; comment && comment.start < (after?.at ?? Number.POSITIVE_INFINITY); comment = comments[++next]) {
      if (beginsLine(source, comment.start) || (behind !== '' && !behind.endsWith('*/'))) break
      behind += ` ${textOf(comment)}`
    }
    return behind
  }
  for (const [i, line] of lines.entries()) {
    const after = lines[i + 1]
    if (line.isCloser) isClose = false
    else separate(line.at)
    out.push(`${' '.repeat(line.indent)}${line.text}${commentsBehind(after)}`)
    if (line.body !== undefined) out.push(line.body)
    isClose = line.keepsBlankLines === true || (after?.level !== undefined && after.level.parent === line.level)
    commentsBefore(line, after)
  }
  return `${out.join('\n')}\n`
}

function textOf({ source, start, end }: Span): string {
  return withoutBlanksAtEnd(source.text.slice(start, end))
}

/**
 * The indentation of a comment on a separate line: that of what follows, or of a deeper list or map above, if the comment was indented as
 * much as the entries of that.
 */
function indentOf(source: Source, { start }: Span, before: Line | undefined, after: Line | undefined): number {
  if (after?.isCloser) return after.indent + 2
  const least = after?.indent ?? -1
  const column = columnOf(source, start)
  const isDeeper = column > (after ? columnOf(source, after.at) : -1)
  for (let level = before?.level; level && level.indent > least; level = level.parent) {
    if (level.end !== undefined ? start < level.end : isDeeper && level.column <= column) return level.indent
  }
  return Math.max(least, 0)
}
