import { columnOf, type Source, type Span } from '../source.ts'
import type { ListNode, MapNode, Node } from '../tree.ts'
import { assembled, type Level, type Line } from './assemble.ts'
import { isOnOneLine, width } from './layout.ts'

/**
 * A JSON document in the layout of `fmt`: two blanks for each level. A list or an object that is on one line stays there while it fits; any
 * other one has a line for each entry. Strings and numbers keep their spelling. `comments`: those of a file that may have some. Depth is
 * within the limits of the readers.
 */
export function formattedJson(source: Source, document: Node, comments: readonly Span[]): string {
  const root = { at: document.start, head: '', indent: 0, level: undefined, tail: '' }
  return assembled(source, linesOf(document, root, comments, true), comments)
}

/** Where a value is written: behind `head` on its line, and in front of `tail`. */
interface Place {
  readonly at: number
  readonly head: string
  readonly indent: number
  readonly level: Level | undefined
  readonly tail: string
}

/** The lines of a value. */
function linesOf(node: Node, { at, head, indent, level, tail }: Place, comments: readonly Span[], isRoot = false): readonly Line[] {
  const line = (text: string): Line => ({ indent, text: head + text + tail, at, level })
  if (node.kind !== 'list' && node.kind !== 'map') return [line(written(node))]
  const isShort = isReference(node) || (!isRoot && isOnOneLine(node.source, node) && !isCommented(node, comments))
  // Entries have a comma behind them, which counts for each of them, the last one too.
  const short = isShort ? oneLine(node, width - indent - head.length - (isRoot ? 0 : 1)) : undefined
  if (short !== undefined) return [line(short)]
  const parts = partsOf(node)
  const [opener, closer] = node.kind === 'list' ? ['[', ']'] : ['{', '}']
  if (parts.length === 0 && !isCommented(node, comments)) return [line(opener + closer)]
  const end = node.end - 1
  const first = parts[0]?.key ?? parts[0]?.value
  const column = first ? columnOf(node.source, first.start) : 0
  const inner: Level = { parent: level, indent: indent + 2, column, end }
  const entries = parts.flatMap(({ key, value }, i) => {
    const place = { at: (key ?? value).start, head: key === undefined ? '' : `${written(key)}: `, indent: indent + 2, level: inner }
    return linesOf(value, { ...place, tail: i < parts.length - 1 ? ',' : '' }, comments)
  })
  return [{ indent, text: head + opener, at, level }, ...entries, { indent, text: closer + tail, at: end, level, isCloser: true }]
}

/** Whether there are comments in a value. */
function isCommented({ start, end }: Node, comments: readonly Span[]): boolean {
  return comments.some((comment) => start < comment.start && comment.start < end)
}

/** Whether it is `{ "urn": … }` or `{ "action": … }`: always on one line. */
function isReference(node: ListNode | MapNode): boolean {
  const [only, more] = node.kind === 'map' ? node.entries : []
  return only?.value.kind === 'text' && more === undefined && (only.key.value === 'urn' || only.key.value === 'action')
}

/** A value on one line; undefined where that takes more columns than there are. A reference has as many as it needs. */
function oneLine(node: Node, columns: number): string | undefined {
  if (node.kind !== 'list' && node.kind !== 'map') return written(node)
  const parts: string[] = []
  const [opener, closer] = node.kind === 'list' ? ['[', ']'] : ['{ ', ' }']
  let room = isReference(node) ? Number.POSITIVE_INFINITY : columns - opener.length - closer.length
  for (const { key, value } of partsOf(node)) {
    const head = key === undefined ? '' : `${written(key)}: `
    const text = oneLine(value, room - head.length)
    if (text === undefined) return undefined
    room -= head.length + text.length + (parts.length > 0 ? 2 : 0)
    if (room < 0) return undefined
    parts.push(head + text)
  }
  return parts.length === 0 ? (opener + closer).replaceAll(' ', '') : `${opener}${parts.join(', ')}${closer}`
}

/** The entries of a list or an object. */
function partsOf(node: ListNode | MapNode): readonly { readonly key?: Node; readonly value: Node }[] {
  return node.kind === 'map' ? node.entries : node.items.map((value) => ({ value }))
}

/** A value that is no list and no object, as the text has it. */
function written({ source, start, end }: Node): string {
  return source.text.slice(start, end)
}
