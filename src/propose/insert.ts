import type { Edit } from '../diagnostic.ts'
import type { Notation, Source } from '../source.ts'
import { type Edits, replaceText, yamlText } from '../texts.ts'
import { field, type ListNode, type MapNode, type Node } from '../tree.ts'

/**
 * Edits that add to a text through its located tree, in the existing layout. Where the layout is not supported they are
 * undefined. The result is read again before it is shown.
 */

/** Add entries behind those of a list: strings, or maps with one string where `key` is given. */
export function appendEntries(list: ListNode, key: string | undefined, values: readonly string[], notation: Notation): Edits {
  const last = list.items.at(-1)
  return append(
    list,
    values.map((value) => {
      const similar = last && likeText(last, key, value)
      return { flow: similar ?? plainText(key, value, notation), lines: [`- ${similar ?? blockText(key, value)}`] }
    }),
  )
}

/** Add a map to a list, such as a policy to a list of policies: the same fields, in this order. */
export function appendMap(list: ListNode, fields: Readonly<Record<string, unknown>>): Edits {
  return appendMaps(list, [fields])
}

/** Add maps to a list. `linesOf`: the lines of a map in block style. */
export function appendMaps(
  list: ListNode,
  maps: readonly Readonly<Record<string, unknown>>[],
  linesOf: (fields: Readonly<Record<string, unknown>>) => readonly string[] = (fields) => listItem(blockMap(fields)),
): Edits {
  const last = list.items.at(-1)
  const { source } = list
  const isTall = last === undefined || source.text.slice(last.start, last.end).includes('\n')
  const column = last ? columnOf(source, last.start) : columnOf(source, list.start) + 2
  const items = maps.map((fields) => ({
    flow: isTall ? JSON.stringify(fields, null, 2).replaceAll('\n', `\n${' '.repeat(column)}`) : spaced(fields),
    lines: linesOf(fields),
  }))
  return append(list, items)
}

const listItem = (lines: readonly string[]) => lines.map((line, i) => `${i === 0 ? '- ' : '  '}${line}`)

/** Put a list under a key of a map: in the place of `null`, or as a further entry. */
export function putList(map: MapNode, name: string, key: string | undefined, values: readonly string[], notation: Notation): Edits {
  const { source } = map
  const { text } = source
  const flow = `[${values.map((value) => plainText(key, value, notation)).join(', ')}]`
  const listNode = field(map, name)
  if (listNode)
    return listNode.kind === 'null' && listNode.end > listNode.start
      ? [{ span: { source, start: listNode.start, end: listNode.end }, text: flow }]
      : undefined
  const isJson = notation === 'json'
  if (text[map.start] === '{') return putInBrackets(map, `${isJson ? JSON.stringify(name) : name}: ${flow}`, isJson ? '' : ' ')
  const last = map.entries.at(-1)
  return last && putLines(map, last.value, [`${name}:`, ...values.map((value) => `  - ${blockText(key, value)}`)])
}

/** Put a text in brackets under a key of a map that has no such key. */
export function putText(map: MapNode, name: string, flow: string, notation: Notation): Edits {
  const isJson = notation === 'json'
  if (map.source.text[map.start] === '{') return putInBrackets(map, `${isJson ? JSON.stringify(name) : name}: ${flow}`, isJson ? '' : ' ')
  const last = map.entries.at(-1)
  return last && putLines(map, last.value, [`${name}: ${flow}`])
}

/** Put a condition into a new list of conditions, with another one behind it. */
export function wrap(map: MapNode, operator: string, flow: string, notation: Notation): Edits {
  const { source, start } = map
  const { text } = source
  const end = endOf(map)
  const raw = text.slice(start, end)
  const span = { source, start, end }
  if (text[start] === '{') {
    const isJson = notation === 'json'
    const whole = isJson
      ? `{"operator": "${operator}", "conditions": [${raw}, ${flow}]}`
      : `{ operator: ${operator}, conditions: [${raw}, ${flow}] }`
    return [{ span, text: whole }]
  }
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const indent = ' '.repeat(columnOf(source, start))
  const inner = raw.split(/\r?\n/).map((line, i) => (i === 0 || line === '' ? line : `    ${line}`))
  const lines = [`operator: ${operator}`, `${indent}conditions:`, `${indent}  - ${inner[0]}`, ...inner.slice(1), `${indent}  - ${flow}`]
  return [{ span, text: lines.join(newline) }]
}

/** Put an entry behind those of a map in brackets, in their layout; `blank`: the text around it where it is the only one. */
export function putInBrackets({ source, start, end, entries }: MapNode, entry: string, blank: string): Edits {
  const { text } = source
  const last = entries.at(-1)
  if (!last) {
    const isEmpty = text.slice(start + 1, end - 1).trim() === ''
    return isEmpty ? [{ span: { source, start, end }, text: `{${blank}${entry}${blank}}` }] : undefined
  }
  const position = endOf(last.value)
  if (!/^\s*$/.test(text.slice(position, end - 1))) return undefined
  const before = entries.length > 1 ? (entries.at(-2)?.value.end ?? start) : start + 1
  return [insertion(source, position, `,${gapBefore(text, before, last.key.start)}${entry}`)]
}

/** Put lines behind a part of a list or map in block style, where its own lines begin. */
export function putLines({ source, start }: Node, after: Node, lines: readonly string[]): Edits {
  const at = lineEndAfter(source.text, endOf(after))
  const begin = `${source.text.includes('\r\n') ? '\r\n' : '\n'}${' '.repeat(columnOf(source, start))}`
  return at === undefined ? undefined : [insertion(source, at, lines.map((line) => begin + line).join(''))]
}

/** An item of a list as it is written in brackets, and in block style. */
interface Written {
  readonly flow: string
  readonly lines: readonly string[]
}

/** Add items behind those of a list, in its layout. */
export function append(list: ListNode, items: readonly Written[]): Edits {
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
  const lines = items.flatMap((item) => item.lines)
  return last && putLines(list, last, lines)
}

/** The blanks in front of the last of several parts, so that the next one is laid out alike. */
function gapBefore(text: string, from: number, to: number): string {
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

/** JSON on one line, with the usual blanks. */
export function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([key, part]) => `${JSON.stringify(key)}: ${spaced(part)}`)
    .join(', ')}}`
}

/** A value in brackets, in the way of a notation. */
export function flowText(value: unknown, notation: Notation): string {
  if (notation === 'json') return spaced(value)
  if (Array.isArray(value)) return `[${value.map((item) => flowText(item, notation)).join(', ')}]`
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? yamlText(value, false) : JSON.stringify(value)
  return `{ ${Object.entries(value)
    .map(([key, part]) => `${yamlText(key, false)}: ${flowText(part, notation)}`)
    .join(', ')} }`
}

/** The lines of a map in block style: lists of maps and strings, maps of lists, strings. */
function blockMap(fields: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(fields).flatMap(([key, value]): string[] => {
    if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return [`${key}: ${JSON.stringify(value)}`]
    if (Array.isArray(value)) return [`${key}:`, ...value.map((item) => `  - ${blockItem(item)}`)]
    return [`${key}:`, ...blockMap(value as Record<string, unknown>).map((line) => `  ${line}`)]
  })
}

function blockItem(item: unknown): string {
  const entries = typeof item === 'object' && item !== null ? Object.entries(item) : []
  const [only] = entries
  if (entries.length !== 1 || !only || typeof only[1] === 'object') return spaced(item)
  return `${only[0]}: ${JSON.stringify(only[1])}`
}

/** A file that holds one policy, in YAML. */
export function policyFile(fields: Readonly<Record<string, unknown>>): string {
  return `${blockMap(fields).join('\n')}\n`
}

/** A file that holds several, as `-p` and `lint` read it. */
export const policiesFile = (policies: readonly { readonly permissions: unknown; readonly conditions?: unknown }[]): string =>
  policies
    .map(({ conditions, ...fields }) => {
      const lines = policyFile(fields).trimEnd().split('\n')
      // JSON is YAML: conditions nest, and stay as one line.
      if (conditions !== undefined) lines.push(`conditions: ${spaced(conditions)}`)
      return `${lines.map((line, i) => `${i === 0 ? '- ' : '  '}${line}`).join('\n')}\n`
    })
    .join('')

/** The end of what is written of a node, without the line breaks behind it. */
function endOf({ source, start, end }: Node): number {
  return start + source.text.slice(start, end).trimEnd().length
}

/** The end of the line of a place; undefined where more than a comment follows on it. */
function lineEndAfter(text: string, at: number): number | undefined {
  const found = text.indexOf('\n', at)
  const end = found < 0 ? text.length : text[found - 1] === '\r' ? found - 1 : found
  return /^[ \t]*(?:#.*)?$/.test(text.slice(at, end)) ? end : undefined
}

function columnOf({ text }: Source, at: number): number {
  return at - (text.lastIndexOf('\n', at - 1) + 1)
}

export function insertion(source: Source, at: number, text: string): Edit {
  return { span: { source, start: at, end: at }, text }
}
