import { partitionPoint } from './collections.ts'
import type { Edit } from './diagnostic.ts'
import type { Source, Span } from './source.ts'
import { type Edits, isJson, rawText, textLike } from './texts.ts'
import type { Entry, ListNode, MapNode, Node, TextNode } from './tree.ts'

/**
 * Edits of JSON and YAML texts through their located trees. Each function gives the edits of one change, which keep comments,
 * quotes, line ends and indentation.
 */

/** The text after edits, and for each group of edits whether it was applied. */
export interface Applied {
  readonly text: string
  readonly applied: readonly boolean[]
}

/** Applies groups of edits, each wholly or not at all. A group that overlaps one before it is left out; equal edits are made once. */
export function applyEdits(text: string, groups: readonly (readonly Edit[])[]): Applied {
  const taken: Edit[] = []
  const applied = groups.map((group) => {
    const fresh: Edit[] = []
    for (const edit of group) {
      const place = placeAmong(taken, edit)
      if (place === 'same') continue
      if (place === 'overlap') return false
      fresh.push(edit)
    }
    for (const edit of fresh) taken.splice(indexAmong(taken, edit), 0, edit)
    return true
  })
  let out = ''
  let done = 0
  for (const { span, text: replacement } of taken) {
    out += text.slice(done, span.start) + replacement
    done = span.end
  }
  return { text: out + text.slice(done), applied }
}

/** The index before which an edit belongs in a list sorted by place. */
function indexAmong(sorted: readonly Edit[], { span }: Edit): number {
  return partitionPoint(sorted, ({ span: other }) => other.start < span.start || (other.start === span.start && other.end <= span.end))
}

function placeAmong(sorted: readonly Edit[], edit: Edit): 'same' | 'overlap' | 'free' {
  const index = indexAmong(sorted, edit)
  const [before, after] = [sorted[index - 1], sorted[index]]
  if (before && isSame(before, edit)) return 'same'
  return (before && overlap(before.span, edit.span)) || (after && overlap(edit.span, after.span)) ? 'overlap' : 'free'
}

function isSame(a: Edit, b: Edit): boolean {
  return a.span.start === b.span.start && a.span.end === b.span.end && a.text === b.text
}

/** Whether two stretches, the first not behind the second, have a place in common; an insertion has those it touches. */
function overlap(a: Span, b: Span): boolean {
  return a.start === a.end || b.start === b.end ? a.end >= b.start : a.end > b.start
}

// Strings in HCL.

/** Make a text an object with one field that holds it: `a` → `action: a` where a list item begins, `{ action: a }` elsewhere. */
export function wrapInObject(node: TextNode, key: string): Edit {
  const { source, start } = node
  const raw = rawText(node)
  if (beginsItem(source.text, start)) {
    if (!/[\r\n]/.test(raw)) return insertion(source, start, `${key}: `)
    return { span: { source, start, end: start + raw.length }, text: `${key}: ${textLike(raw, node.value, true)}` }
  }
  const inside = flowText(node)
  return { span: { source, start, end: start + raw.length }, text: `{ ${isJson(source) ? `"${key}"` : key}: ${inside} }` }
}

/** Whether a line has only blanks and dashes in front of a place, and a dash last. That of `---` is none. */
function beginsItem(text: string, at: number): boolean {
  let i = at
  while (text[i - 1] === ' ' || text[i - 1] === '-') i--
  return (i === 0 || text[i - 1] === '\n') && /(?:^| )- +$/.test(text.slice(i, at))
}

/** A string as it may be written within brackets, on one line. */
function flowText(node: TextNode): string {
  const raw = rawText(node)
  return /^["'][^\r\n]*$/.test(raw) ? raw : textLike(raw, node.value, false)
}

/** Make a text or an object the only item of a list. */
export function wrapInList(node: TextNode | MapNode): Edits {
  const { source, start, end } = node
  const { text } = source
  if (node.kind === 'text') return [{ span: { source, start, end: start + rawText(node).length }, text: `[${flowText(node)}]` }]
  if (text[start] === '{') return [insertion(source, start, '['), insertion(source, end, ']')]
  // A line that begins within a text over several lines may be moved to the right as well.
  const edits = [insertion(source, start, '- ')]
  for (let lineBreak = lineEnd(text, start); lineBreak < end; lineBreak = lineEnd(text, lineBreak)) {
    if (!/[\r\n]/.test(text[lineBreak] as string)) edits.push(insertion(source, lineBreak, '  '))
  }
  return edits
}

/** Put the only value of an object, a text, in its place. Comments within the object stay. */
export function unwrap(map: MapNode): Edits {
  const { source, start, end } = map
  const { text } = source
  const entry = map.entries.length === 1 ? map.entries[0] : undefined
  if (entry?.value.kind !== 'text' || /^[|>]/.test(rawText(entry.value))) return undefined
  const { key, value } = entry
  const colon = key.end + blanksAt(text, key.end)
  // A map without brackets ends with its value.
  const gap = gapIn(text, value.end, end - 1)
  if (text[colon] !== ':' || !gap || text.slice(start, key.start).includes('?')) return undefined
  const cut = (from: number, to: number): Edit[] => (from < to ? [{ span: { source, start: from, end: to }, text: '' }] : [])
  const before = text.slice(start, value.start).includes('#')
    ? [...cut(start, isFlow(map) ? start + 1 : start), ...cut(key.start, colon + 1)]
    : cut(start, value.start)
  if (!gap.comment) return [...before, ...cut(value.end, end)]
  return [...before, ...(gap.comma === -1 ? [] : cut(gap.comma, gap.comma + 1)), ...cut(end - 1, end)]
}

/** Put a part of a map in the place of the whole map. What is around it goes; where that holds a comment, nothing is done. */
export function hoist(map: MapNode, part: Node): Edits {
  const { source, start, end } = map
  const { text } = source
  if (text.slice(start, part.start).includes('#') || text.slice(part.end, end).includes('#')) return undefined
  const raw = rawText(part)
  const span = { source, start, end: start + rawText(map).length }
  // A part in brackets may be anywhere; one that depends on its columns is moved to those of the whole.
  const isFlat = part.kind !== 'map' && part.kind !== 'list' ? !/[\r\n]/.test(raw) : isFlow(part)
  if (isFlat) return [{ span, text: raw }]
  if (isFlow(map) || (part.kind !== 'map' && part.kind !== 'list')) return undefined
  const by = part.start - lineStart(text, part.start) - (start - lineStart(text, start))
  return by < 0 ? undefined : [{ span, text: raw.replace(/\n( *)/g, (_, blanks: string) => `\n${blanks.slice(by)}`) }]
}

// Parts of lists and maps.

/**
 * Take items out of a list. One from which all go is left as `[]`; undefined where the list does not have one of the indices.
 * Takes time for what goes, not for what stays.
 */
export function removeItems(list: ListNode, indices: Iterable<number>): Edits {
  const removed = new Set(indices)
  if (list.items.every((_, i) => removed.has(i))) return emptied(list, '[]')
  const partAt = isFlow(list) ? flowItem : blockItem
  return removeParts(list, { count: list.items.length, partAt: (i) => partAt(list, i) }, removed)
}

/** Take entries out of a map. One from which all go is left as `{}`. */
export function removeEntries(map: MapNode, keys: Iterable<string>): Edits {
  const { entries, source } = map
  const names = new Set(keys)
  if (source.notation === 'hcl' && !entries.every((entry) => !names.has(entry.key.value) || isAttribute(entry))) return undefined
  const removed = new Set(entries.flatMap(({ key }, i) => (names.has(key.value) ? [i] : [])))
  if (removed.size === entries.length) return emptied(map, '{}')
  const partAt = (i: number) => {
    const entry = entries[i]
    return entry && { start: entry.key.start, end: Math.max(entry.key.end, entry.value.end) }
  }
  return removeParts(map, { count: entries.length, partAt }, removed)
}

/** Whether an entry is written as `key = value`, the value right there. */
function isAttribute({ key, value }: Entry): boolean {
  return value.source === key.source && /^\s*=\s*$/.test(key.source.text.slice(key.end, value.start))
}

/**
 * Writes the items of a list in another order: `order[i]` is the index of the item that is moved to `i`. Comments move with their
 * items; there are no edits where it is not clear which item a comment is about.
 */
export function reorderItems(list: ListNode, order: readonly number[]): Edits {
  const { source, items } = list
  const { text } = source
  // An item from another file, as in a module, cannot be moved here.
  if (items.some((item) => item.source !== source)) return undefined
  if (isFlow(list)) {
    const gaps = items.map(({ end }, i) => gapIn(text, end, items[i + 1]?.start ?? list.end - 1))
    if (gaps.some((gap, i) => !gap || gap.comment || (gap.comma === -1 && i < items.length - 1))) return undefined
    return items.flatMap(({ start, end }, i): Edit[] => {
      const from = items[order[i] as number] as Node
      return order[i] === i ? [] : [{ span: { source, start, end }, text: text.slice(from.start, from.end) }]
    })
  }
  const parts = items.map((_, i) => blockItem(list, i))
  const start = parts[0] && ownLine(text, parts[0].start)
  const ends = parts.map((part) => part && tailEnd(text, part.end))
  if (start === undefined || ends.includes(undefined)) return undefined
  if (/^\s*#/.test(text.slice(lineStart(text, start - 1), start))) return undefined
  const chunks = parts.map((_, i) => text.slice(i === 0 ? start : ends[i - 1], ends[i]))
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const isOpen = !text.slice(start, ends.at(-1)).endsWith('\n')
  if (isOpen) chunks[chunks.length - 1] += newline
  const joined = order.map((from) => chunks[from] as string).join('')
  return [{ span: { source, start, end: ends.at(-1) as number }, text: isOpen ? joined.replace(/\r?\n$/, '') : joined }]
}

interface Part {
  readonly start: number
  readonly end: number
}

/** The parts of a list or map; undefined where one cannot be distinguished from what is around it. */
interface Parts {
  readonly count: number
  readonly partAt: (i: number) => Part | undefined
}

function isFlow(node: ListNode | MapNode): boolean {
  const first = node.source.text[node.start]
  return first === '[' || first === '{'
}

/** An item within brackets; none where it is written in another file, as the value of a local of HCL. */
function flowItem({ source, items }: ListNode, i: number): Part | undefined {
  const item = items[i]
  return item?.source === source ? item : undefined
}

/** An item of a block list from its dash. Lists without dashes, as an expression of HCL gives them, have none. */
function blockItem({ source: { text }, start, items }: ListNode, i: number): Part | undefined {
  const item = items[i]
  if (!item || text[start] !== '-') return undefined
  const before = items[i - 1]
  const dash = before ? dashBelow(text, before.end, start - lineStart(text, start), item.start) : start
  return dash === undefined ? undefined : { start: dash, end: item.end }
}

/** The first dash at a column on a line that begins in `from`–`to`. */
function dashBelow(text: string, from: number, column: number, to: number): number | undefined {
  let line = text[from - 1] === '\n' ? from : lineEnd(text, from)
  while (line < to) {
    const dashIndex = line + column
    if (text[dashIndex] === '-' && text.slice(line, dashIndex).trim() === '') return dashIndex
    line = lineEnd(text, line)
  }
  return undefined
}

function removeParts(node: ListNode | MapNode, parts: Parts, removed: ReadonlySet<number>): Edits {
  if (removed.size === 0) return []
  const indices = [...removed].sort((a, b) => a - b)
  const cuts = isFlow(node) ? flowCuts(node, parts, indices) : blockCuts(node.source.text, parts, indices)
  return cuts && merged(cuts).map(({ start, end }) => ({ span: { source: node.source, start, end }, text: '' }))
}

/** Whole lines, with the comment behind the part, and the comments above it that only suppress its findings. */
function blockCuts(text: string, { partAt }: Parts, indices: readonly number[]): readonly Part[] | undefined {
  const cuts: Part[] = []
  let rest = indices
  const first = partAt(0)
  if (indices[0] === 0 && first && ownLine(text, first.start) === undefined) {
    // The first part follows a dash on its line: the next part takes its place.
    const stays = indices.findIndex((index, i) => index !== i)
    rest = stays === -1 ? [] : indices.slice(stays)
    const last = partAt(indices.length - rest.length - 1)
    const end = last && tailEnd(text, last.end)
    if (end === undefined) return undefined
    cuts.push({ start: first.start, end: end + blanksAt(text, end) })
  }
  for (const i of rest) {
    const part = partAt(i)
    const end = part && tailEnd(text, part.end)
    const line = part && ownLine(text, part.start)
    if (end === undefined || line === undefined) return undefined
    cuts.push({ start: withSuppressions(text, line), end })
  }
  const last = cuts.at(-1) as Part
  if (last.end < text.length || text.endsWith('\n')) return cuts
  // The last lines of a file without a final line break take the line break in front of them along, unless it belongs to a part that stays.
  const from = indices.findLastIndex((index, i) => index !== (indices[i - 1] ?? -2) + 1)
  const before = partAt((indices[from] as number) - 1)
  const { start } = merged(cuts).at(-1) as Part
  return before && before.end < start ? [...cuts, { start: start - (text[start - 2] === '\r' ? 2 : 1), end: start }] : cuts
}

/** Where the comments begin that leave out findings of the line which begins at a place: they are right above it. */
function withSuppressions(text: string, line: number): number {
  let start = line
  for (;;) {
    const above = lineStart(text, start - 1)
    if (!/^[ \t]*#+\s*grantwise-ignore\b/.test(text.slice(above, start))) return start
    start = above
  }
}

/** Where the line ends that a part ends on, its break included; undefined where more than a comment follows. */
function tailEnd(text: string, end: number): number | undefined {
  if (text[end - 1] === '\n') return end
  const rest = matchAt(/[ \t]*(?:(?<=[ \t])#[^\r\n]*)?(?:\r?\n|$)/y, text, end)
  return rest ? end + rest[0].length : undefined
}

function flowCuts(node: ListNode | MapNode, { count, partAt }: Parts, indices: readonly number[]): readonly Part[] | undefined {
  const { text } = node.source
  const close = node.end - 1
  const gapAfter = (i: number) => {
    const part = partAt(i)
    const gap = part && gapIn(text, part.end, partAt(i + 1)?.start ?? close)
    return gap && (gap.comma !== -1 || i === count - 1) ? gap : undefined
  }
  const opening = indices[0] === 0 ? gapIn(text, node.start + 1, partAt(0)?.start ?? close) : { comma: -1 }
  const closing = gapAfter(count - 1)
  if (!opening || opening.comma !== -1 || !closing) return undefined
  // Parts at the end without a comma: the comma in front of them is removed instead.
  let final = indices.length
  if (closing.comma === -1) while (indices[final - 1] === count - 1 - (indices.length - final)) final--
  const cuts: Part[] = []
  for (const i of indices.slice(0, final)) {
    const gap = gapAfter(i)
    if (!gap) return undefined
    cuts.push(cutWithComma(text, (partAt(i) as Part).start, gap.comma + 1))
  }
  if (final === indices.length) return cuts
  const before = (indices[final] as number) - 1
  const gaps = [before, ...indices.slice(final, -1)].map(gapAfter)
  if (gaps.includes(undefined)) return undefined
  const [from, last] = [partAt(before) as Part, partAt(count - 1) as Part]
  const comment = ownLine(text, last.start) === undefined ? 0 : (matchAt(/[ \t]+#[^\r\n]*/y, text, last.end)?.[0].length ?? 0)
  if (!gaps.some((gap) => (gap as Gap).comment)) return [...cuts, { start: from.end, end: last.end + comment }]
  const { comma } = gaps[0] as Gap
  cuts.push({ start: comma, end: comma + 1 })
  for (const [i, index] of indices.slice(final).entries()) {
    const part = partAt(index) as Part
    cuts.push(cutWithComma(text, part.start, (gaps[i + 1]?.comma ?? part.end - 1) + 1))
  }
  return cuts
}

/** A stretch up to its comma: whole lines where nothing else is on them, else with the blanks on one side. */
function cutWithComma(text: string, start: number, end: number): Part {
  const line = ownLine(text, start)
  const [whole, comment, newline] = matchAt(/[ \t]*((?<=[ \t])#[^\r\n]*)?(\r?\n)?/y, text, end) as RegExpExecArray
  if (line !== undefined && newline !== undefined) return { start: withSuppressions(text, line), end: end + whole.length }
  if (newline === undefined && comment === undefined) return { start, end: end + whole.length }
  let from = start
  while (text[from - 1] === ' ') from--
  return { start: from, end }
}

interface Gap {
  /** Where the comma is; -1: there is none. */
  readonly comma: number
  readonly comment: boolean
}

/** The text between two parts of a flow list or map, if it is only blanks, comments and one comma; else undefined. */
function gapIn(text: string, from: number, to: number): Gap | undefined {
  let comma = -1
  let comment = false
  for (let i = from; i < to; i++) {
    const c = text[i] as string
    if (c === ',' && comma === -1) comma = i
    else if (c === '#' && /\s/.test(text[i - 1] ?? ' ')) {
      comment = true
      i = lineEnd(text, i) - 1
    } else if (!/[ \t\r\n]/.test(c)) return undefined
  }
  return { comma, comment }
}

/** A list or map with nothing in it, behind its key or dash. */
function emptied(node: ListNode | MapNode, replacement: '[]' | '{}'): Edits {
  const { source, start } = node
  const { text } = source
  if (isFlow(node)) return [{ span: { source, start, end: node.end }, text: replacement }]
  const tail = tailEnd(text, node.end)
  if (tail === undefined) return undefined
  const end = text[tail - 1] !== '\n' ? tail : tail - (text[tail - 2] === '\r' ? 2 : 1)
  let before = start
  while (/\s/.test(text[before - 1] ?? '')) before--
  if (before === 0) return [{ span: { source, start, end }, text: replacement }]
  const line = text.slice(lineStart(text, before), before)
  if (/(?:^|[^\s]):$|(?:^|\s)-$/.test(line) && !line.includes('#'))
    return [{ span: { source, start: before, end }, text: ` ${replacement}` }]
  // A comment is in between, or the document begins here: further to the right than its key, in its old place.
  return ownLine(text, start) !== undefined ? [{ span: { source, start, end }, text: `  ${replacement}` }] : undefined
}

function merged(cuts: readonly Part[]): readonly Part[] {
  const out: Part[] = []
  for (const cut of [...cuts].sort((a, b) => a.start - b.start)) {
    const last = out.at(-1)
    if (last && cut.start <= last.end) out[out.length - 1] = { start: last.start, end: Math.max(last.end, cut.end) }
    else out.push(cut)
  }
  return out
}

// Lines.

function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1
}

/** The start of the line, if only blanks are in front of a place; else undefined. */
function ownLine(text: string, at: number): number | undefined {
  let start = at
  while (text[start - 1] === ' ' || text[start - 1] === '\t') start--
  return start === 0 || text[start - 1] === '\n' ? start : undefined
}

/** The number of blanks and line breaks at a place. */
function blanksAt(text: string, at: number): number {
  return (matchAt(/\s*/y, text, at) as RegExpExecArray)[0].length
}

/** The match of a sticky expression at a place. No line is cut out first, since lines may be as long as the file. */
function matchAt(expression: RegExp, text: string, at: number): RegExpExecArray | null {
  expression.lastIndex = at
  return expression.exec(text)
}

/** Where the next line begins, or the text ends. */
function lineEnd(text: string, at: number): number {
  const newline = text.indexOf('\n', at)
  return newline === -1 ? text.length : newline + 1
}

function insertion(source: Source, at: number, text: string): Edit {
  return { span: { source, start: at, end: at }, text }
}
