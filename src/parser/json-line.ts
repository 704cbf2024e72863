import { sourceOf } from '../source.ts'
import { field, type Node } from '../tree.ts'
import { readJson } from './json.ts'

/** A line of JSON Lines, or what is wrong with it and where. */
export type JsonLine =
  | { readonly value: unknown; readonly fault?: undefined }
  /** `column`: from 1; undefined where the whole line is meant. */
  | { readonly value?: undefined; readonly fault: { readonly message: string; readonly column?: number } }

/** Parses one line of JSON Lines. A key given twice is a fault. The strict reader runs only where a count makes that possible. */
export function readJsonLine(line: string): JsonLine {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return { fault: firstFault(line) ?? { message: 'not JSON' } }
  }
  if (keysIn(line) === keysOf(value)) return { value }
  const fault = firstFault(line)
  return fault ? { fault } : { value }
}

function firstFault(line: string): { readonly message: string; readonly column: number } | undefined {
  const first = readJson(sourceOf('', line, 'json')).diagnostics.find(
    ({ code, severity }) => severity === 'error' || code === 'stray-character',
  )
  return first && { message: first.message, column: first.span.start + 1 }
}

/** How many keys a value holds, at all depths. */
function keysOf(value: unknown): number {
  let count = 0
  const open = [value]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue
    const parts = Object.values(next)
    if (!Array.isArray(next)) count += parts.length
    for (const part of parts) if (typeof part === 'object' && part !== null) open.push(part)
  }
  return count
}

/** How many keys stand in a line of JSON at most: quotes with a colon after them. A text may look so too. */
export function keysIn(line: string): number {
  let count = 0
  for (let at = line.indexOf(':'); at >= 0; at = line.indexOf(':', at + 1)) {
    let before = at - 1
    while (line.charCodeAt(before) <= 32) before--
    if (line.charCodeAt(before) === 34) count++
  }
  return count
}

/** What is wrong with a line that is no JSON, and where, by the strict reader. */
export function notJson(line: string): string {
  const first = firstFault(line)
  return first ? `not JSON: column ${first.column}: ${first.message}` : 'not JSON'
}

/**
 * What is lost when a line of JSON is parsed: a key given twice, or a number in the field `id` that comes out as another.
 */
export function strictFault(line: string): string | undefined {
  const { documents, diagnostics } = readJson(sourceOf('', line, 'json'))
  const wrong = diagnostics.find(({ severity }) => severity === 'error')
  if (wrong) return wrong.message
  const root = documents[0]
  const node = root?.kind === 'map' ? field(root, 'id') : undefined
  return node && isAltered(node, line) ? '`id` holds a number that would not come back as it is: write it as a text' : undefined
}

/** Whether a number in a value is another one once it is parsed and written again. */
function isAltered(node: Node, text: string): boolean {
  const open: Node[] = [node]
  for (let next = open.pop(); next; next = open.pop()) {
    if (next.kind === 'list') for (const item of next.items) open.push(item)
    else if (next.kind === 'map') for (const { value } of next.entries) open.push(value)
    else if (next.kind === 'number' && !Number.isSafeInteger(next.value) && String(next.value) !== text.slice(next.start, next.end))
      return true
  }
  return false
}
