import type { Range } from '../source.ts'
import { isInRange, touches } from '../source.ts'
import type { LooseNode, LooseText } from './loose/nodes.ts'
import type { EditorFile } from './model.ts'
import { inner } from './names.ts'
import { type Part, rangeInFile } from './parts.ts'

/**
 * The ranges around an offset, the smallest first, each within the next: a segment of a URN or an action, the string without and
 * with its quotes, the entry, the list or map, and so on up to the whole file.
 */
export function selection({ source, parts }: EditorFile, offset: number): readonly Range[] {
  const ranges: Range[] = []
  for (const part of parts) {
    const partOffset = part.fromFile(offset)
    if (partOffset === undefined) continue
    const inPart: Range[] = [{ start: 0, end: part.source.text.length }]
    for (const document of part.documents) addAround(part, document, partOffset, inPart)
    ranges.push(...inPart.reverse().map((range) => rangeInFile(part, range)))
    break
  }
  return growing([...ranges, { start: 0, end: source.text.length }])
}

/** Add a node and what is in it around an offset, the largest first. */
function addAround(part: Part, node: LooseNode, offset: number, ranges: Range[]): void {
  if (!touches(node, offset)) return
  ranges.push({ start: node.start, end: node.end })
  if (node.kind === 'text') addInText(part, node, offset, ranges)
  if (node.kind === 'list') for (const item of node.items) addAround(part, item, offset, ranges)
  if (node.kind !== 'map') return
  for (const { key, value } of node.entries) {
    const whole = { start: key.start, end: Math.max(key.end, value.end) }
    if (!touches(whole, offset)) continue
    ranges.push(whole)
    addAround(part, key, offset, ranges)
    addAround(part, value, offset, ranges)
  }
}

/** Add a string without its quotes, and its segment. */
function addInText({ source }: Part, node: LooseText, offset: number, ranges: Range[]): void {
  const within = inner(node)
  if (!touches(within, offset)) return
  ranges.push(within)
  const before = source.text.slice(within.start, offset)
  const after = source.text.slice(offset, within.end)
  ranges.push({ start: within.start + before.search(/[^:/\s]*$/), end: offset + (/^[^:/\s]*/.exec(after) as RegExpExecArray)[0].length })
}

/** Ranges that each hold the one before, without equal and empty ones. */
function growing(ranges: readonly Range[]): readonly Range[] {
  const grown: Range[] = []
  for (const range of ranges) {
    const last = grown.at(-1)
    if (range.start === range.end && ranges.length > 1) continue
    if (last && (!isInRange(last, range) || (last.start === range.start && last.end === range.end))) continue
    grown.push(range)
  }
  return grown.length > 0 ? grown : ranges.slice(-1)
}
