import type { Diagnostic } from '../diagnostic.ts'
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
    return { fault: placed(whyNotJson(line)) }
  }
  const error = keysIn(line) === keysOf(value) ? undefined : problemsIn(line).find(isError)
  return error ? { fault: placed(error) } : { value }
}

function problemsIn(line: string): readonly Diagnostic[] {
  return readJson(sourceOf('', line, 'json')).diagnostics
}

/** Why a line does not parse: its first error, or else the byte order mark before it, which is only a warning in a file. */
function whyNotJson(line: string): Diagnostic {
  const problems = problemsIn(line)
  return (problems.find(isError) ?? problems[0]) as Diagnostic
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error'
}

function placed({ message, span }: Diagnostic): { readonly message: string; readonly column: number } {
  return { message, column: span.start + 1 }
}

/** How many keys a value holds, at all depths. */
function keysOf(value: unknown): number {
  let count = 0
  const open = isObject(value) ? [value] : []
  for (let next = open.pop(); next; next = open.pop()) {
    const parts: readonly unknown[] = Object.values(next)
    if (!Array.isArray(next)) count += parts.length
    for (const part of parts) if (isObject(part)) open.push(part)
  }
  return count
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** The highest possible number of keys in a line of JSON: quotes with a colon after them. A string may look like that too. */
export function keysIn(line: string): number {
  let count = 0
  for (let colonIndex = line.indexOf(':'); colonIndex >= 0; colonIndex = line.indexOf(':', colonIndex + 1)) {
    let before = colonIndex - 1
    while (line.charCodeAt(before) <= 32) before--
    if (line.charCodeAt(before) === 34) count++
  }
  return count
}

/** The error in a line that is not JSON, with its place, by the strict reader. */
export function notJson(line: string): string {
  const { message, column } = placed(whyNotJson(line))
  return `not JSON: column ${column}: ${message}`
}

/** The loss when a line of JSON is parsed: a key given twice, or a number in the field `id` that changes its value. */
export function strictFault(line: string): string | undefined {
  const { documents, diagnostics } = readJson(sourceOf('', line, 'json'))
  const wrong = diagnostics.find(isError)
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
