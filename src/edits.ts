import type { Edit, Fix } from './diagnostic.ts'
import type { Source, Span } from './source.ts'
import type { BooleanNode, ListNode, MapNode, Node, NumberNode, TextNode } from './tree.ts'

/**
 * Edits of a text through its located tree, in JSON and in YAML, block and flow. Each function gives the edits that make
 * one change and leave the rest as it is written: comments, quotes, line ends, indentation. Where the layout is none that
 * it understands it gives undefined, and nothing is changed.
 */
export type Edits = readonly Edit[] | undefined

/** The part of a finding that holds its fix, to be spread into it; nothing where there are no edits. */
export function withFix(description: string, safe: boolean, edits: Edits): { readonly fix?: Fix } {
  return edits && edits.length > 0 ? { fix: { description, edits, safe } } : {}
}

/** What came of applying edits: the text, and for each group whether it is in it. */
export interface Applied {
  readonly text: string
  readonly applied: readonly boolean[]
}

/**
 * Apply groups of edits to the text they are about, each group wholly or not at all. A group that overlaps one before it
 * is left out; the same edit asked for twice is made once.
 */
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
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    const other = (sorted[middle] as Edit).span
    if (other.start < span.start || (other.start === span.start && other.end <= span.end)) low = middle + 1
    else high = middle
  }
  return low
}

function placeAmong(sorted: readonly Edit[], edit: Edit): 'same' | 'overlap' | 'free' {
  const at = indexAmong(sorted, edit)
  const [before, after] = [sorted[at - 1], sorted[at]]
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

// Texts.

/** Put another text in the place of one, with the quotes it has; an unquoted one gets quotes where it needs them. */
export function replaceText(at: Span, value: string): Edit {
  const { source, start } = at
  const raw = rawText(at)
  const inBlock = isUnquoted(raw) && /[,[\]{}]/.test(raw)
  return { span: { source, start, end: start + raw.length }, text: textLike(raw, value, inBlock) }
}

/** Write another key, with the quotes the one has. */
export function renameKey(key: TextNode, name: string): Edit {
  return replaceText(key, name)
}

/** Put a number, `true` or `false` in quotes, spelt as it is. */
export function quote(node: NumberNode | BooleanNode): Edit {
  return { span: { source: node.source, start: node.start, end: node.end }, text: `"${rawText(node)}"` }
}

/** A text as it is written; without the line break that ends a block scalar. */
function rawText({ source, start, end }: Span): string {
  return source.text.slice(start, end).trimEnd()
}

function isUnquoted(raw: string): boolean {
  return !/^["'|>]/.test(raw)
}

/** The notation of a text in the style of another. */
function textLike(raw: string, value: string, inBlock: boolean): string {
  if (isUnquoted(raw) && needsNoQuotes(value, inBlock)) return value
  if (raw.startsWith("'") && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(value)) return `'${value.replaceAll("'", "''")}'`
  return JSON.stringify(value).replace(/[\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}]/gu, (c) =>
    c.length > 1 ? c : `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Whether YAML, and any older reader of it, takes an unquoted text for exactly this text. Narrower than YAML allows. */
function needsNoQuotes(value: string, inBlock: boolean): boolean {
  return (
    /^(?:[\p{L}\p{N}_/.(]|-[\p{L}])(?:[\p{L}\p{M}\p{N} !"$%&'()*+,./:;<=>?@[\\\]^_`{|}~#-]*[^\s:])?$/u.test(value) &&
    !/: | #/.test(value) &&
    (inBlock || !/[,[\]{}]/.test(value)) &&
    !/^(?:null|true|false|yes|no|on|off|y|n)$/i.test(value) &&
    !/^[\d.][\d_.,:+-]*(?:e[-+]?\d+)?$|^0[xob][\da-f_]+$|^\.(?:inf|nan)$/i.test(value)
  )
}

// Lists around things, objects around things, and neither.

/** Make a text an object with one field that holds it: `a` → `action: a` where a list item begins, `{ action: a }` elsewhere. */
export function wrapInObject(node: TextNode, key: string): Edit {
  const { source, start } = node
  const raw = rawText(node)
  const isItem = /^[ -]*- +$/.test(source.text.slice(lineStart(source.text, start), start))
  if (isItem) {
    if (!/[\r\n]/.test(raw)) return insertion(source, start, `${key}: `)
    return { span: { source, start, end: start + raw.length }, text: `${key}: ${textLike(raw, node.value, true)}` }
  }
  const inside = flowText(node)
  return { span: { source, start, end: start + raw.length }, text: isJson(source) ? `{"${key}": ${inside}}` : `{ ${key}: ${inside} }` }
}

/** A text as it may stand within brackets, on one line. */
function flowText(node: TextNode): string {
  const raw = rawText(node)
  return /[\r\n]/.test(raw) || (isUnquoted(raw) && !needsNoQuotes(raw, false)) ? textLike(raw, node.value, false) : raw
}

/** Make a text or an object the only item of a list. */
export function wrapInList(node: TextNode | MapNode): Edits {
  const { source, start, end } = node
  const { text } = source
  if (node.kind === 'text') return [{ span: { source, start, end: start + rawText(node).length }, text: `[${flowText(node)}]` }]
  if (text[start] === '{') return [insertion(source, start, '['), insertion(source, end, ']')]
  // A line that begins within a text over several lines may be moved to the right as well.
  const edits = [insertion(source, start, '- ')]
  for (let at = lineEnd(text, start); at < end; at = lineEnd(text, at)) {
    if (at < end && !/[\r\n]/.test(text[at] ?? '\n')) edits.push(insertion(source, at, '  '))
  }
  return edits
}

/** Put the only value of an object in its place. */
export function unwrap(map: MapNode): Edits {
  const { source, start, end } = map
  const value = map.entries[0]?.value
  if (map.entries.length !== 1 || value?.kind !== 'text') return undefined
  const [before, after] = [source.text.slice(start, value.start), source.text.slice(value.end, end)]
  if (/#|\?/.test(before) || /#/.test(after) || /^[|>]/.test(rawText(value))) return undefined
  return [
    { span: { source, start, end: value.start }, text: '' },
    ...(after === '' ? [] : [{ span: { source, start: value.end, end }, text: '' }]),
  ]
}

// Parts of lists and maps.

/** Take items out of a list. One from which all go is left as `[]`. */
export function removeItems(list: ListNode, indices: Iterable<number>): Edits {
  const gone = new Set(indices)
  if (list.items.every((_, i) => gone.has(i))) return emptied(list, '[]')
  const parts = isFlow(list) ? list.items : blockItems(list)
  return parts && removeParts(list, parts, gone)
}

/** Take entries out of a map. One from which all go is left as `{}`. */
export function removeEntries(map: MapNode, keys: Iterable<string>): Edits {
  const names = new Set(keys)
  const gone = new Set([...map.entries.keys()].filter((i) => names.has(map.entries[i]?.key.value as string)))
  if (gone.size === map.entries.length) return emptied(map, '{}')
  return removeParts(map, entryParts(map), gone)
}

/** Write the items of a list in another order: `order[i]` is the index of the item that comes to stand at `i`. */
export function reorderItems(list: ListNode, order: readonly number[]): Edits {
  const { source } = list
  const { text } = source
  if (isFlow(list)) {
    return list.items.flatMap(({ start, end }, i): Edit[] => {
      const from = list.items[order[i] as number] as Node
      return order[i] === i ? [] : [{ span: { source, start, end }, text: text.slice(from.start, from.end) }]
    })
  }
  const parts = blockItems(list)
  const starts = parts?.map(({ start }) => lineStart(text, start))
  const ends = parts?.map(({ end }) => tailEnd(text, end))
  if (!parts || !starts || !ends || !parts.every(({ start }, i) => text.slice(starts[i], start).trim() === '')) return undefined
  if (ends.includes(undefined)) return undefined
  // Each item goes with the comments above it, but for the first: what is above that may be about the list.
  const chunks = parts.map((_, i) => text.slice(i === 0 ? starts[0] : ends[i - 1], ends[i]))
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const last = chunks.at(-1) as string
  const open = !/[\r\n]$/.test(last)
  const joined = order.map((from) => (open && from === chunks.length - 1 ? last + newline : (chunks[from] as string))).join('')
  const replacement = open ? joined.slice(0, -newline.length) : joined
  return [{ span: { source, start: starts[0] as number, end: ends.at(-1) as number }, text: replacement }]
}

interface Part {
  readonly start: number
  readonly end: number
}

function isFlow(node: ListNode | MapNode): boolean {
  const first = node.source.text[node.start]
  return first === '[' || first === '{'
}

function entryParts(map: MapNode): readonly Part[] {
  return map.entries.map(({ key, value }) => ({ start: key.start, end: Math.max(key.end, value.end) }))
}

/** The items of a block list from their dashes. */
function blockItems({ source: { text }, start, items }: ListNode): readonly Part[] | undefined {
  const column = start - lineStart(text, start)
  const parts: Part[] = []
  let dash = start
  for (const [i, item] of items.entries()) {
    const before = items[i - 1]
    if (before) {
      const found = dashBelow(text, Math.max(before.end, dash + 1), column, item.start)
      if (found === undefined) return undefined
      dash = found
    }
    if (text[dash] !== '-') return undefined
    parts.push({ start: dash, end: Math.max(item.end, dash + 1) })
  }
  return parts
}

/** The first dash at a column on a line that begins in `from`–`to`. */
function dashBelow(text: string, from: number, column: number, to: number): number | undefined {
  let line = from > 0 && text[from - 1] === '\n' ? from : lineEnd(text, from)
  while (line < to) {
    const at = line + column
    if (text[at] === '-' && text.slice(line, at).trim() === '' && /^-(?:\s|$)/.test(text.slice(at, at + 2))) return at
    line = lineEnd(text, line)
  }
  return undefined
}

function removeParts(node: ListNode | MapNode, parts: readonly Part[], gone: ReadonlySet<number>): Edits {
  if (gone.size === 0) return []
  const cuts = isFlow(node) ? flowCuts(node, parts, gone) : blockCuts(node.source.text, parts, gone)
  return cuts && merged(cuts).map(({ start, end }) => ({ span: { source: node.source, start, end }, text: '' }))
}

/** Whole lines, with the comment behind the part, and the comments above it that only speak of its findings. */
function blockCuts(text: string, parts: readonly Part[], gone: ReadonlySet<number>): readonly Part[] | undefined {
  const cuts: Part[] = []
  let i = 0
  const first = parts[0] as Part
  if (gone.has(0) && text.slice(lineStart(text, first.start), first.start).trim() !== '') {
    // The first part stands behind a dash: what is next takes its place.
    while (gone.has(i + 1)) i++
    const end = tailEnd(text, (parts[i] as Part).end)
    if (end === undefined) return undefined
    cuts.push({ start: first.start, end: end + (/^\s*/.exec(text.slice(end))?.[0].length ?? 0) })
    i++
  }
  for (; i < parts.length; i++) {
    if (!gone.has(i)) continue
    const part = parts[i] as Part
    const end = tailEnd(text, part.end)
    let start = lineStart(text, part.start)
    if (end === undefined || text.slice(start, part.start).trim() !== '') return undefined
    for (let above = start; above > 0; ) {
      above = lineStart(text, above - 1)
      if (!/^ *#+\s*grantwise-ignore\b/.test(text.slice(above, start))) break
      start = above
    }
    // The last line of a file without a line break takes the one before it along.
    if (end === text.length && !text.endsWith('\n') && start > 0) start -= text[start - 2] === '\r' ? 2 : 1
    cuts.push({ start, end })
  }
  return cuts
}

/** Where the line ends that a part ends on, its break included; undefined where more than a comment follows. */
function tailEnd(text: string, end: number): number | undefined {
  if (text[end - 1] === '\n') return end
  const rest = /^[ \t]*(?:#[^\r\n]*)?(?:\r?\n|$)/.exec(text.slice(end, lineEnd(text, end)))
  return rest && !rest[0].startsWith('#') ? end + rest[0].length : undefined
}

function flowCuts(node: ListNode | MapNode, parts: readonly Part[], gone: ReadonlySet<number>): readonly Part[] | undefined {
  const { text } = node.source
  const close = node.end - 1
  const gaps = parts.map((part, i) => gapIn(text, part.end, parts[i + 1]?.start ?? close))
  const opening = gapIn(text, node.start + 1, (parts[0] as Part).start)
  if (!opening || opening.comma >= 0 || gaps.includes(undefined)) return undefined
  const commas = (gaps as readonly Gap[]).map(({ comma }) => comma)
  if (commas.slice(0, -1).includes(-1)) return undefined
  // Parts at the end that go without a comma of their own: the comma before them goes instead.
  let final = parts.length
  if (commas.at(-1) === -1) while (gone.has(final - 1)) final--
  const cuts: Part[] = []
  for (const [i, part] of parts.entries()) {
    if (!gone.has(i) || i >= final) continue
    cuts.push(cutWithComma(text, part.start, (commas[i] as number) + 1))
  }
  if (final === parts.length) return cuts
  const from = parts[final - 1] as Part
  const last = parts.at(-1) as Part
  const isCommented = (gaps as readonly Gap[]).slice(final - 1, -1).some(({ comment }) => comment)
  const ownLines = text.slice(lineStart(text, last.start), last.start).trim() === ''
  const comment = ownLines ? (/^[ \t]+#[^\r\n]*/.exec(text.slice(last.end, close))?.[0].length ?? 0) : 0
  if (!isCommented) return [...cuts, { start: from.end, end: last.end + comment }]
  cuts.push({ start: commas[final - 1] as number, end: (commas[final - 1] as number) + 1 })
  for (let i = final; i < parts.length; i++) {
    const { start, end } = parts[i] as Part
    cuts.push(cutWithComma(text, start, i + 1 < parts.length ? (commas[i] as number) + 1 : end))
  }
  return cuts
}

/** A stretch up to its comma: the whole lines where nothing else stands on them, else with the blanks on one side. */
function cutWithComma(text: string, start: number, end: number): Part {
  const line = lineStart(text, start)
  const isFirst = text.slice(line, start).trim() === ''
  const rest = /^[ \t]*(#[^\r\n]*)?(\r?\n)?/.exec(text.slice(end, lineEnd(text, end))) as RegExpExecArray
  const [whole, comment, newline] = rest
  if (isFirst && newline !== undefined) return { start: line, end: end + whole.length }
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

/** What stands between two parts of a flow list or map: blanks, comments, one comma. Undefined: something else. */
function gapIn(text: string, from: number, to: number): Gap | undefined {
  let comma = -1
  let comment = false
  for (let i = from; i < to; i++) {
    const c = text[i] as string
    if (c === ',' && comma < 0) comma = i
    else if (c === '#' && /\s/.test(text[i - 1] ?? ' ')) {
      comment = true
      while (i + 1 < to && text[i + 1] !== '\n') i++
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
  while (before > 0 && /\s/.test(text[before - 1] as string)) before--
  if (before === 0) return [{ span: { source, start, end }, text: replacement }]
  const line = text.slice(lineStart(text, before), before)
  if (/(?:^|[^\s]):$|(?:^|\s)-$/.test(line) && !line.includes('#'))
    return [{ span: { source, start: before, end }, text: ` ${replacement}` }]
  // A comment is in between, or the document begins here: further to the right than its key, in its old place.
  const isOwnLine = text.slice(lineStart(text, start), start).trim() === ''
  return isOwnLine ? [{ span: { source, start, end }, text: `  ${replacement}` }] : undefined
}

function merged(cuts: readonly Part[]): readonly Part[] {
  const out: Part[] = []
  for (const cut of [...cuts].sort((a, b) => a.start - b.start || a.end - b.end)) {
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

/** Where the next line begins, or the text ends. */
function lineEnd(text: string, at: number): number {
  const newline = text.indexOf('\n', at)
  return newline < 0 ? text.length : newline + 1
}

function insertion(source: Source, at: number, text: string): Edit {
  return { span: { source, start: at, end: at }, text }
}

function isJson({ path, text }: Source): boolean {
  return /\.json$/i.test(path) || (!/\.ya?ml$/i.test(path) && /^\ufeff?\s*[[{]/.test(text))
}
