import { isJson, readJson } from '../parser/json.ts'
import { inside, sourceOf } from '../source.ts'
import type { Node, TextNode } from '../tree.ts'
import { isExact, numberText } from './exact.ts'
import type { Value } from './types.ts'
import { normalize, sortedEntries, sourceText, textNode } from './values.ts'

/** A known value as JSON, as `jsonencode` writes it: keys in order, and what would end a script escaped. */
export function jsonText(value: Value): string {
  return plainJson(value).replace(/[<>&\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function plainJson(value: Node): string {
  switch (value.kind) {
    case 'list':
      return `[${value.items.map(plainJson).join(',')}]`
    case 'map':
      return `{${sortedEntries(value)
        .map((entry) => `${JSON.stringify(entry.key.value)}:${plainJson(entry.value)}`)
        .join(',')}}`
    case 'unknown':
      return 'null'
    case 'number':
      return numberText(value.value)
    default:
      return JSON.stringify(value.value)
  }
}

/** Letters of a text in a JSON text up to which each has its own place. */
const longestPlaced = 300

/**
 * The values of a JSON text, each at its place in the text; undefined where it is not JSON, `unknown` where readers may differ
 * about it.
 */
export function readJsonText(text: TextNode): Node | 'unknown' | undefined {
  // The language reads no byte order mark, although files of JSON may begin with one.
  if (text.value.startsWith('\ufeff')) return undefined
  const { documents, diagnostics } = readJson(sourceOf(text.source.path, text.value, 'json'))
  const [document] = documents
  if (!document || diagnostics.some(({ severity }) => severity === 'error')) return isJson(text.value) ? 'unknown' : undefined
  const located = { value: text.value, span: text }
  return isRead(document) ? moved(document) : 'unknown'

  function moved<T extends Node>(node: T): T {
    const { source, start, end } = inside(located, node.start, node.end)
    const placed = { ...node, source, start, end: Math.max(end, start + 1) }
    if (node.kind === 'text' && node.value.length > longestPlaced) return { ...placed, value: normalize(placed, node.value)[0] }
    if (node.kind === 'text') {
      const letter = (_: unknown, i: number) => {
        const span = inside({ value: node.value, span: node }, Math.min(i, node.value.length), node.value.length)
        return inside(located, span.start, span.start).start
      }
      const offsets = Array.from({ length: node.value.length + 1 }, letter)
      return { ...placed, ...textNode(placed, node.value, offsets) }
    }
    if (placed.kind === 'list') return { ...placed, items: placed.items.map(moved) }
    if (placed.kind === 'map')
      return { ...placed, entries: placed.entries.map(({ key, value }) => ({ key: moved(key), value: moved(value) })) }
    return placed
  }
}

/** Whether numbers have no more digits than here, and the language reads every key: it finds none whose letters it composes. */
function isRead(node: Node): boolean {
  if (node.kind === 'number') return isExact(sourceText(node), node.value)
  if (node.kind === 'list') return node.items.every(isRead)
  return node.kind !== 'map' || node.entries.every(({ key, value }) => normalize(key, key.value)[0] === key.value && isRead(value))
}
