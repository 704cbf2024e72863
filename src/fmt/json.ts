import type { Source } from '../source.ts'
import type { ListNode, MapNode, Node } from '../tree.ts'
import { hasBlankLineAbove, isOnOneLine, width } from './layout.ts'

/**
 * A JSON document in the layout of `fmt`: two blanks for each level. A list or an object that is on one line stays there while it fits; any
 * other one has a line for each entry. Strings and numbers keep their spelling. Depth is within the limits of the readers.
 */
export function formattedJson(source: Source, document: Node): string {
  return `${block(source, document, 0, 0, true)}\n`
}

/** A value behind `used` columns of its line, indented by `indent`. */
function block(source: Source, node: Node, indent: number, used: number, isRoot = false): string {
  if (node.kind !== 'list' && node.kind !== 'map') return written(node)
  const short = (!isRoot && isOnOneLine(source, node)) || isReference(node) ? oneLine(node, width - used) : undefined
  if (short !== undefined) return short
  const parts = partsOf(node)
  const [opener, closer] = node.kind === 'list' ? ['[', ']'] : ['{', '}']
  if (parts.length === 0) return opener + closer
  const inner = indent + 2
  const lines = parts.map(({ key, value }, i) => {
    const head = `${' '.repeat(inner)}${key === undefined ? '' : `${written(key)}: `}`
    const isApart = i > 0 && hasBlankLineAbove(source, (key ?? value).start)
    // The comma behind it counts.
    return `${isApart ? '\n' : ''}${head}${block(source, value, inner, head.length + 1)}`
  })
  return `${opener}\n${lines.join(',\n')}\n${' '.repeat(indent)}${closer}`
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
  let left = isReference(node) ? Number.POSITIVE_INFINITY : columns - opener.length - closer.length
  for (const { key, value } of partsOf(node)) {
    const head = key === undefined ? '' : `${written(key)}: `
    const text = oneLine(value, left - head.length)
    if (text === undefined) return undefined
    left -= head.length + text.length + (parts.length > 0 ? 2 : 0)
    if (left < 0) return undefined
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
