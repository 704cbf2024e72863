import type { Edit } from '../diagnostic.ts'
import { type Edits, replaceText } from '../edits.ts'
import type { Notation, Source } from '../source.ts'
import { field, type ListNode, type MapNode, type Node } from '../tree.ts'

/**
 * Edits that add to a text through its located tree, in the layout that stands there. Where the layout is none that is
 * understood they are undefined. What comes of them is read again before anybody sees it.
 */

/** Add entries behind those of a list: texts, or maps with one text where `key` is given. */
export function appendEntries(list: ListNode, key: string | undefined, values: readonly string[], notation: Notation): Edits {
  const last = list.items.at(-1)
  return append(
    list,
    values.map((value) => ({
      flow: (last && likeText(last, key, value)) ?? plainText(key, value, notation),
      block: (last && likeText(last, key, value)) ?? blockText(key, value),
    })),
  )
}

/** Add a map to a list, such as a policy to a list of policies: the same fields, in this order. */
export function appendMap(list: ListNode, fields: Readonly<Record<string, unknown>>): Edits {
  const last = list.items.at(-1)
  const { source } = list
  const isTall = last === undefined || source.text.slice(last.start, last.end).includes('\n')
  const column = last ? columnOf(source, last.start) : columnOf(source, list.start) + 2
  const flow = isTall ? JSON.stringify(fields, null, 2).replaceAll('\n', `\n${' '.repeat(column)}`) : spaced(fields)
  const block = blockMap(fields).join(`\n${' '.repeat(columnOf(source, list.start) + 2)}`)
  return append(list, [{ flow, block }])
}

/** Put a list under a key of a map: in the place of `null`, or as a further entry. */
export function putList(map: MapNode, name: string, key: string | undefined, values: readonly string[], notation: Notation): Edits {
  const { source } = map
  const { text } = source
  const flow = `[${values.map((value) => plainText(key, value, notation)).join(', ')}]`
  const known = field(map, name)
  if (known)
    return known.kind === 'null' && known.end > known.start
      ? [{ span: { source, start: known.start, end: known.end }, text: flow }]
      : undefined
  const last = map.entries.at(-1)
  const entry = notation === 'json' ? `${JSON.stringify(name)}: ${flow}` : `${name}: ${flow}`
  if (text[map.start] === '{') {
    if (!last) {
      const inside = text.slice(map.start + 1, map.end - 1)
      return inside.trim() === ''
        ? [{ span: { source, start: map.start, end: map.end }, text: notation === 'json' ? `{${entry}}` : `{ ${entry} }` }]
        : undefined
    }
    const end = endOf(last.value)
    if (!/^\s*$/.test(text.slice(end, map.end - 1))) return undefined
    const before = map.entries.length > 1 ? (map.entries.at(-2)?.value.end ?? map.start) : map.start + 1
    return [insertion(source, end, `,${gapBefore(text, before, last.key.start)}${entry}`)]
  }
  if (!last) return undefined
  const at = lineEndAfter(text, endOf(last.value))
  const column = ' '.repeat(columnOf(source, map.start))
  const lines = [`${name}:`, ...values.map((value) => `  - ${blockText(key, value)}`)]
  return at === undefined ? undefined : [insertion(source, at, lines.map((line) => `${newline(text)}${column}${line}`).join(''))]
}

interface Written {
  readonly flow: string
  readonly block: string
}

function append(list: ListNode, items: readonly Written[]): Edits {
  const { source, start, end } = list
  const { text } = source
  const last = list.items.at(-1)
  if (text[start] === '[') {
    const inside = text.slice(last ? endOf(last) : start + 1, end - 1)
    if (inside.trim() !== '') return undefined
    const joined = (gap: string) => items.map(({ flow }) => flow).join(`,${gap}`)
    if (!last) return [{ span: { source, start, end }, text: `[${joined(' ')}]` }]
    const gap = gapBefore(text, list.items.length > 1 ? (list.items.at(-2) as Node).end : start + 1, last.start)
    return [insertion(source, endOf(last), `,${gap}${joined(gap)}`)]
  }
  const at = last && lineEndAfter(text, endOf(last))
  if (at === undefined) return undefined
  const column = ' '.repeat(columnOf(source, start))
  return [insertion(source, at, items.map(({ block }) => `${newline(text)}${column}- ${block}`).join(''))]
}

/** The blanks before the last of several parts, so that the next one stands like it. */
export function gapBefore(text: string, from: number, to: number): string {
  const gap = text.slice(from, to).replace(',', '')
  if (/^\s*$/.test(gap) && gap.includes('\n')) return gap.slice(gap.lastIndexOf('\n'))
  return ' '
}

/** An entry as another one is written, with another text in it. */
export function likeText(item: Node, key: string | undefined, value: string): string | undefined {
  const { source } = item
  if (key === undefined) return item.kind === 'text' ? replaceText(item, value).text : undefined
  const [only] = item.kind === 'map' ? item.entries : []
  if (item.kind !== 'map' || item.entries.length !== 1 || only?.key.value !== key || only.value.kind !== 'text') return undefined
  const [before, after] = [source.text.slice(item.start, only.value.start), source.text.slice(endOf(only.value), item.end)]
  if (/[#\r\n]/.test(before) || !/^[^#]*$/.test(after.trimEnd())) return undefined
  return `${before}${replaceText(only.value, value).text}${after.trimEnd()}`
}

function plainText(key: string | undefined, value: string, notation: Notation): string {
  const text = JSON.stringify(value)
  if (key === undefined) return text
  return notation === 'json' ? `{"${key}": ${text}}` : `{ ${key}: ${text} }`
}

function blockText(key: string | undefined, value: string): string {
  return key === undefined ? JSON.stringify(value) : `${key}: ${JSON.stringify(value)}`
}

/** JSON on one line, with the blanks that people write. */
export function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([key, part]) => `${JSON.stringify(key)}: ${spaced(part)}`)
    .join(', ')}}`
}

/** The lines of a map in block style: lists of maps and texts, maps of lists, texts. */
function blockMap(fields: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(fields).flatMap(([key, value]): string[] => {
    if (Array.isArray(value)) return [`${key}:`, ...value.map((item) => `  - ${blockItem(item)}`)]
    if (typeof value === 'object' && value !== null)
      return [`${key}:`, ...blockMap(value as Record<string, unknown>).map((line) => `  ${line}`)]
    return [`${key}: ${JSON.stringify(value)}`]
  })
}

function blockItem(item: unknown): string {
  const [only] = typeof item === 'object' && item !== null ? Object.entries(item) : []
  return only ? `${only[0]}: ${JSON.stringify(only[1])}` : JSON.stringify(item)
}

/** A file that holds one policy, in YAML. */
export function policyFile(fields: Readonly<Record<string, unknown>>): string {
  return `${blockMap(fields).join('\n')}\n`
}

/** The end of what is written of a node, without the line breaks behind it. */
export function endOf({ source, start, end }: Node): number {
  return start + source.text.slice(start, end).trimEnd().length
}

/** Where the line ends that something stands on; undefined where more than a comment follows on it. */
export function lineEndAfter(text: string, at: number): number | undefined {
  const found = text.indexOf('\n', at)
  const end = found < 0 ? text.length : text[found - 1] === '\r' ? found - 1 : found
  return /^[ \t]*(?:#.*)?$/.test(text.slice(at, end)) ? end : undefined
}

export function columnOf({ text }: Source, at: number): number {
  return at - (text.lastIndexOf('\n', at - 1) + 1)
}

export function newline(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n'
}

function insertion(source: Source, at: number, text: string): Edit {
  return { span: { source, start: at, end: at }, text }
}
