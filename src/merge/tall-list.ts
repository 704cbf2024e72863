import { type Edits, rawText } from '../texts.ts'
import type { ListNode, Node } from '../tree.ts'

/** Lists in brackets that have a line for each item, as formatters of configurations write long ones. */

/** An item with the comment lines above it and the comment behind it. */
interface Line {
  readonly above: readonly string[]
  readonly item: string
  readonly behind: string
}

interface Layout {
  /** The blanks in front of each item, and of the bracket that closes the list. */
  readonly indent: string
  readonly close: string
  /** Whether the last item has a comma. */
  readonly isClosed: boolean
}

/**
 * The edits of a list from which items go, and to which others of another list come, each with its comments. Undefined where either list
 * is laid out otherwise.
 */
export function tallEdits(ours: ListNode, theirs: ListNode, removed: ReadonlySet<number>, added: readonly Node[]): Edits {
  const [mine, other] = [linesOf(ours), linesOf(theirs)]
  const layout = mine?.layout ?? (added.length > 0 ? other?.layout : undefined)
  if (!mine || !other || !layout) return undefined
  const remaining = mine.lines.filter((_, i) => !removed.has(i))
  const lines = [...remaining, ...added.map((item) => other.lines[theirs.items.indexOf(item)] as Line)]
  if (lines.length === 0) return undefined
  const { indent, close, isClosed } = layout
  const written = lines.flatMap(({ above, item, behind }, i) => {
    const comma = isClosed || i < lines.length - 1 ? ',' : ''
    return [...above.map((comment) => indent + comment), `${indent}${item}${comma}${behind}`]
  })
  const { source, start, end } = ours
  return [{ span: { source, start, end }, text: ['[', ...written, `${close}]`].join('\n') }]
}

/** The lines of a list; without a layout, it is on one line. Undefined where an item has no line to itself, or a comment is about none. */
function linesOf(list: ListNode): { readonly lines: readonly Line[]; readonly layout: Layout | undefined } | undefined {
  const { items, source, start, end } = list
  if (source.text[start] !== '[') return undefined
  const whole = source.text.slice(start, end)
  if (!whole.includes('\n')) return { lines: items.map((item) => ({ above: [], item: rawText(item), behind: '' })), layout: undefined }
  const lines: Line[] = []
  let from = start + 1
  let isClosed = false
  for (const item of items) {
    const before = /^[ \t]*\n((?:[ \t]*(?:#|\/\/)[^\n]*\n)*)[ \t]*$/.exec(source.text.slice(from, item.start))
    const raw = rawText(item)
    const itemEnd = item.start + raw.length
    const after = /^(,?)((?:[ \t]*(?:#|\/\/)[^\n]*)?)(?=[ \t]*\n)/.exec(source.text.slice(itemEnd, end))
    if (!before || !after || raw.includes('\n')) return undefined
    const above = (before[1] as string).split('\n').flatMap((comment) => comment.trim() || [])
    lines.push({ above, item: raw, behind: (after[2] as string).trimEnd() })
    isClosed = after[1] === ','
    from = itemEnd + after[0].length
  }
  const first = items[0]
  if (!first || source.text.slice(from, end - 1).trim() !== '') return undefined
  const layout = { indent: blanksBefore(source.text, first.start), close: blanksBefore(source.text, end - 1), isClosed }
  return { lines, layout }
}

const blanksBefore = (text: string, at: number) => text.slice(text.lastIndexOf('\n', at - 1) + 1, at)
