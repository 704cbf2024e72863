import { partitionPoint } from '../collections.ts'
import { position, type Source, type Span } from '../source.ts'

export interface Line {
  readonly indent: number
  readonly text: string
  /** The part from an `=` on; consecutive lines with it are aligned in one column. */
  readonly assign?: string
  /** The place of its content in the source: comments from there move with it. */
  readonly at?: Span
  /** A blank line comes before it. */
  readonly isApart?: boolean
}

/** A line with its comments: each without its sign. */
export interface CommentedLine extends Line {
  readonly above: readonly Comment[]
  readonly behind?: string
}

export interface Comment {
  readonly text: string
  readonly isApart: boolean
}

/** Lines with comments, and the comments that come behind them all. */
export interface Commented {
  readonly lines: readonly CommentedLine[]
  readonly foot: readonly Comment[]
}

/**
 * Puts comments behind the lines with the content that they followed, else above the lines with the content that followed them.
 * None is lost.
 */
export function withComments(lines: readonly Line[], comments: readonly Span[]): Commented {
  const above = new Map<number, Comment[]>()
  const behind = new Map<number, string>()
  const foot: Comment[] = []
  for (const source of new Set(comments.map((comment) => comment.source))) {
    const ofSource = comments.filter((comment) => comment.source === source)
    const places = lines.flatMap(({ at }, index) => (at?.source === source ? [{ index, start: at.start }] : []))
    // Behind all that its text says: above what another text says, if that follows.
    const last = places.at(-1)?.index ?? -1
    const behindAll = lines.findIndex(({ at }, index) => index > last && at !== undefined)
    places.sort((a, b) => a.start - b.start || a.index - b.index)
    for (const comment of ofSource) {
      const texts = textsOf(comment)
      const before = lineWith(source, comment, places)
      if (before !== undefined && texts.length === 1 && !behind.has(before)) {
        behind.set(before, texts[0] as string)
        continue
      }
      const next = places[firstFrom(places, comment.start)]?.index ?? (behindAll < 0 ? lines.length : behindAll)
      const list = next < lines.length ? (above.get(next) ?? []) : foot
      if (next < lines.length) above.set(next, list)
      const isApart = /^[ \t]*\r?\n[ \t]*\r?\n/.test(source.text.slice(comment.end, comment.end + 200))
      for (const [i, text] of texts.entries()) list.push({ text, isApart: isApart && i === texts.length - 1 })
    }
  }
  return {
    lines: lines.map((line, i) => {
      const text = behind.get(i)
      return { ...line, above: above.get(i) ?? [], ...(text !== undefined && { behind: text }) }
    }),
    foot,
  }
}

interface Place {
  readonly index: number
  readonly start: number
}

/** The first place from an offset on. */
function firstFrom(places: readonly Place[], offset: number): number {
  return partitionPoint(places, ({ start }) => start < offset)
}

/**
 * The first of the lines with the content in front of a comment on the same source line; where an object and its first part start
 * there, the part.
 */
function lineWith(source: Source, comment: Span, places: readonly Place[]): number | undefined {
  const lineStart = comment.start - position(source, comment.start).column + 1
  const first = firstFrom(places, lineStart)
  const start = places[first]?.start
  if (start === undefined || start >= comment.start) return undefined
  let last = first
  while (places[last + 1]?.start === start) last++
  return places[last]?.index
}

/** The lines of a comment, without the signs that make it one. */
function textsOf({ source, start, end }: Span): readonly string[] {
  const raw = source.text.slice(start, end).trimEnd()
  if (raw.startsWith('#')) return [raw.slice(1)]
  if (raw.startsWith('//')) return [raw.slice(2)]
  const lines = raw.slice(2, -2).split(/\r?\n/)
  return lines
    .map((line) => line.replace(/^[ \t]*\*?[ \t]?/, ' ').trimEnd())
    .filter((line, i) => line !== '' || (i > 0 && i < lines.length - 1))
}
