import { partitionPoint } from '../collections.ts'
import { commentsIn, ignoreComments } from '../parser/comments.ts'
import { columnOf, lineOf, type Range, type Source, type Span } from '../source.ts'
import { quotedText, rawText } from '../texts.ts'
import type { ListNode, MapNode, Node, TextNode } from '../tree.ts'
import { assembled, type Level, type Line, markersOf } from './assemble.ts'
import { laidOutFlow } from './flow.ts'
import { isOnOneLine, width } from './layout.ts'
import { blockScalar, reindented } from './scalars.ts'

/**
 * The documents of a YAML text in the layout of `fmt`: two blanks for each level, lists indented below their keys. A list or a map in
 * brackets that is on one line stays there while it fits; any other one is written as a block. Scalars keep their spelling. Depth is
 * within the limits of the readers.
 */
export function formattedYaml(source: Source, documents: readonly Node[]): string {
  const comments = commentsIn(source, documents)
  const writer = new BlockWriter(source, documents, comments)
  for (const document of documents) writer.document(document)
  const lines = [...writer.lines, ...markersOf(source, documents)].sort((a, b) => a.at - b.at)
  const apart = comments.filter(({ start }) => !writer.keepsComment(start))
  return assembled(source, lines, apart)
}

/** The beginning of a line that is not written yet: dashes, or a key with its colon. */
interface Lead {
  readonly indent: number
  readonly text: string
  readonly at: number
  /** Where the last part of it ends in the source. */
  readonly end: number
  readonly isDash: boolean
  readonly level: Level
}

class BlockWriter {
  readonly lines: Line[] = []
  private readonly source: Source
  private readonly comments: readonly Span[]
  /** The lines that comments with suppressions are about. */
  private readonly ignored: ReadonlySet<number>
  /** Where comments begin that are written with the brackets around them. */
  private readonly kept = new Set<number>()

  constructor(source: Source, documents: readonly Node[], comments: readonly Span[]) {
    this.source = source
    this.comments = comments
    this.ignored = new Set(ignoreComments(source, documents).map(({ line }) => line - 1))
  }

  /** Whether a comment is written already. */
  keepsComment(start: number): boolean {
    return this.kept.has(start)
  }

  /** Write a document. */
  document(node: Node): void {
    this.value(node, 0, undefined, undefined)
  }

  /** A value behind its lead; `indent` is that of its lines where it is on separate lines. */
  private value(node: Node, indent: number, lead: Lead | undefined, level: Level | undefined): void {
    if ((node.kind === 'list' || node.kind === 'map') && this.isBlock(node, indent, lead)) this.block(node, indent, lead, level)
    else this.short(node, indent, lead, level)
  }

  private block(node: ListNode | MapNode, indent: number, lead: Lead | undefined, parent: Level | undefined): void {
    const start = this.contentStart(node)
    const isCompact = lead?.isDash === true && this.isJoined(lead, start)
    if (lead && !isCompact) this.lines.push(bare(lead))
    const first = isCompact ? lead : undefined
    const level = isInBrackets(node)
      ? { parent, indent, column: 0, end: node.end }
      : { parent, indent, column: columnOf(this.source, start) }
    if (node.kind === 'list') this.list(node, level, first)
    else this.map(node, level, first)
  }

  private list(node: ListNode, level: Level, lead: Lead | undefined): void {
    const isFlow = isInBrackets(node)
    let done = node.start
    for (const [i, item] of node.items.entries()) {
      const contentStart = isFlow ? item.start : this.contentAfter(done)
      const end = isFlow ? contentStart : contentStart + 1
      this.value(item, level.indent + 2, leadOf('- ', { start: contentStart, end }, level, i === 0 ? lead : undefined), level)
      done = Math.max(end, item.end)
    }
  }

  private map(node: MapNode, level: Level, lead: Lead | undefined): void {
    for (const [i, { key, value }] of node.entries.entries())
      this.value(value, level.indent + 2, leadOf(`${keyText(key)}: `, key, level, i === 0 ? lead : undefined), level)
  }

  /** A value that is not written as a block. */
  private short(node: Node, indent: number, lead: Lead | undefined, level: Level | undefined): void {
    const isCollection = node.kind === 'list' || node.kind === 'map'
    const written = isCollection ? { text: this.inBrackets(node, indent, lead) } : scalar(node, indent)
    // Brackets stay on the line below their key, where a fix may have put them in the place of a block.
    const isJoined = lead && (isCollection ? this.isOnSameLine(lead, node.start) : this.isJoined(lead, node.start))
    if (lead && written.text === '') this.lines.push(bare(lead))
    else if (isJoined) this.lines.push({ ...lead, ...written, text: lead.text + written.text })
    else {
      if (lead) this.lines.push(bare(lead))
      this.lines.push({ indent, at: node.start, level, ...written })
    }
  }

  /**
   * Whether a list or a map is written as a block. One in brackets is not where a suppression is about one of its lines, because the
   * suppression would be about other entries then.
   */
  private isBlock(node: ListNode | MapNode, indent: number, lead: Lead | undefined): boolean {
    if (isEmpty(node)) return false
    if (!isInBrackets(node)) return true
    if (lead?.isDash && isReference(node)) return true
    if (this.isIgnored(node)) return false
    if (!lead || !isOnOneLine(this.source, node)) return true
    const columns = width - lead.indent - lead.text.length
    return isLonger(node, columns) || this.flowText(node, indent, lead).length > columns
  }

  private inBrackets(node: ListNode | MapNode, indent: number, lead: Lead | undefined): string {
    const comments = this.commentsIn(node.start, node.end)
    if (isEmpty(node) && comments.length === 0) return node.kind === 'list' ? '[]' : '{}'
    for (const { start } of comments) this.kept.add(start)
    return this.flowText(node, indent, lead)
  }

  private flowText(node: ListNode | MapNode, indent: number, lead: Lead | undefined): string {
    // The lines of a value are indented more than those of what it is in, the one with the closing bracket too.
    const [base, least] = lead ? [indent - 2, indent] : [0, 0]
    return laidOutFlow(node, this.commentsIn(node.start, node.end), base, least)
  }

  private commentsIn(from: number, to: number): readonly Span[] {
    const before = (at: number) => partitionPoint(this.comments, ({ start }) => start < at)
    return this.comments.slice(before(from), before(to))
  }

  /** Whether a value may begin on the line of its lead: no comment is in between, and no suppression is about one of the lines. */
  private isJoined(lead: Lead, start: number): boolean {
    if (this.isOnSameLine(lead, start)) return true
    return !this.isIgnored({ start: lead.at, end: start + 1 }) && this.commentsIn(lead.end, start).length === 0
  }

  private isOnSameLine({ end }: Lead, start: number): boolean {
    return lineOf(this.source, end) === lineOf(this.source, start)
  }

  private isIgnored({ start, end }: Range): boolean {
    const last = lineOf(this.source, Math.max(start, end - 1))
    for (let line = lineOf(this.source, start); line <= last; line++) if (this.ignored.has(line)) return true
    return false
  }

  /** Where the bracket of a list or map is, or its first entry begins. */
  private contentStart(node: ListNode | MapNode): number {
    return isInBrackets(node) ? node.start : this.contentAfter(node.start)
  }

  /** The first place from an offset on that is neither blank nor in a comment. */
  private contentAfter(from: number): number {
    const { text } = this.source
    let offset = from
    for (;;) {
      while (/\s/.test(text[offset] ?? '')) offset++
      const comment = text[offset] === '#' ? this.commentsIn(offset, offset + 1)[0] : undefined
      if (!comment) return offset
      offset = comment.end
    }
  }
}

/** A lead, behind that of a line that has begun. */
function leadOf(text: string, { start, end }: Range, level: Level, before: Lead | undefined): Lead {
  const isDash = text === '- '
  return before
    ? { ...before, text: before.text + text, end, isDash, level }
    : { indent: level.indent, text, at: start, end, isDash, level }
}

/** A line with nothing behind its lead. */
function bare({ indent, text, at, level }: Lead): Line {
  return { indent, text: text.trimEnd(), at, level }
}

function scalar(node: Node, indent: number): Pick<Line, 'text' | 'body' | 'keepsBlankLines'> {
  const raw = rawText(node)
  if (node.kind === 'text' && /^[|>]/.test(raw)) return blockScalar(node, indent)
  if (node.kind === 'null' && !/^(?:~|null)$/i.test(raw)) return { text: '' }
  return { text: reindented(raw, indent) }
}

/** A key as it is written; over several lines, in quotes on one. */
function keyText(key: TextNode): string {
  const raw = rawText(key)
  return /[\r\n]/.test(raw) || /^[|>]/.test(raw) ? quotedText(key.value, false) : raw
}

/** Whether it is `{ urn: … }`, `{ action: … }` or the like on one line: as an entry of a list, it needs no brackets. */
function isReference(node: ListNode | MapNode): boolean {
  const [only, more] = node.kind === 'map' ? node.entries : []
  return only?.value.kind === 'text' && more === undefined && isOnOneLine(node.source, node)
}

/** Whether a part of a text has more characters than so many that are not blank. */
function isLonger({ source, start, end }: Node, most: number): boolean {
  let count = 0
  for (let i = start; i < end && count <= most; i++) if (source.text[i] !== ' ') count++
  return count > most
}

function isEmpty(node: ListNode | MapNode): boolean {
  return node.kind === 'list' ? node.items.length === 0 : node.entries.length === 0
}

function isInBrackets({ source, start }: Node): boolean {
  return source.text[start] === '[' || source.text[start] === '{'
}
