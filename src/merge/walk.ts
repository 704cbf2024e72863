import { pushTo } from '../collections.ts'
import type { Edit } from '../diagnostic.ts'
import { removeEntries, removeItems } from '../edits.ts'
import { keyOf } from '../keys.ts'
import { append, putInBrackets, putLines } from '../propose/insert.ts'
import type { Range } from '../source.ts'
import { type Edits, rawText } from '../texts.ts'
import type { Entry, ListNode, MapNode, Node } from '../tree.ts'
import { tallEdits } from './tall-list.ts'

/**
 * A merge of three located trees by key, item and value: the value that it has, as a text that is the same for the same value, and the edits
 * that turn the text of the first side into it. The order of lists does not count.
 */
export interface Walked {
  readonly value: string
  /** Undefined: the layout of the text is not understood. */
  readonly edits: Edits
  /** The ways to expressions that both sides changed: these are not merged by what they say. */
  readonly left: readonly (readonly string[])[]
}

/** A part that both sides changed, and not alike. */
export class MergeConflict extends Error {
  override readonly name = 'MergeConflict'
  /** The way to the part: keys, and names of policies. */
  readonly path: readonly string[]
  readonly why: 'both change' | 'both add' | 'removed and changed'

  constructor(path: readonly string[], why: MergeConflict['why']) {
    super(why)
    this.path = path
    this.why = why
  }
}

/** The same text for the same value, whatever the order of keys and items. */
export function valueText(node: Node): string {
  switch (node.kind) {
    case 'list':
      return listText(node.items.map(valueText))
    case 'map':
      return mapText(node.entries.map(({ key, value }) => [key.value, valueText(value)]))
    case 'unknown':
      return keyOf('unknown', node.expression)
    default:
      return JSON.stringify(node.value)
  }
}

const listText = (values: readonly string[]) => `[${[...values].sort().join(',')}]`
const mapText = (entries: readonly (readonly [key: string, value: string])[]) =>
  `{${entries
    .map(([key, value]) => `${JSON.stringify(key)}:${value}`)
    .sort()
    .join(',')}}`

const none = ''
const textOf = (node: Node | undefined) => (node ? valueText(node) : none)

/** The documents of three versions merged: one of each, or several that are held together by their names. */
export function mergedDocuments(base: readonly Node[], ours: readonly Node[], theirs: readonly Node[]): Walked {
  if (base.length <= 1 && ours.length === 1 && theirs.length === 1) {
    const { value, ...rest } = merged(base[0], ours[0] as Node, theirs[0] as Node, [])
    return { value: listText([value]), ...rest }
  }
  if (![base, ours, theirs].every(areNamed)) throw new MergeConflict([], base.length === 0 ? 'both add' : 'both change')
  const { value, edits, left, removed, added } = namedParts(base, ours, theirs, [])
  return { value, edits: joined([edits, documentEdits(ours, removed, added)]), left }
}

/** The edits of a text of several documents from which some go and to which others come, at its end. */
function documentEdits(ours: readonly Node[], removed: ReadonlySet<number>, added: readonly Node[]): Edits {
  const { source } = ours[0] as Node
  const end = source.text.length
  const [ourRanges, other] = [rangesOf(ours), rangesOf(added)]
  if (!ourRanges || !other || removed.size === ours.length) return undefined
  const startOf = (i: number) => (ourRanges[i] as Range).start
  const last = ours.findLastIndex((_, i) => !removed.has(i))
  const parts = added.map(({ source: { text } }, i) => `---\n${text.slice((other[i] as Range).start, (other[i] as Range).end)}`)
  return [
    ...[...removed].filter((i) => i < last).map((i) => ({ span: { source, start: startOf(i), end: startOf(i + 1) }, text: '' })),
    { span: { source, start: (ourRanges[last] as Range).end, end }, text: parts.join('') },
  ]
}

/**
 * Documents of a text with their comments, between the lines with `---`; undefined where these lines hold more, or there are other
 * marks.
 */
function rangesOf(documents: readonly Node[]): readonly Range[] | undefined {
  const text = documents[0]?.source.text ?? ''
  const marks = [...text.matchAll(/^(?:---|\.\.\.|%)[^\n]*\n/gm)]
  if (marks.some(([mark]) => !/^---\s*$/.test(mark))) return undefined
  return documents.map(({ start }) => {
    const [before, after] = [marks.findLast(({ index }) => index < start), marks.find(({ index }) => index > start)]
    return { start: before ? before.index + before[0].length : 0, end: after?.index ?? text.length }
  })
}

/** A part of the merge; without a value, it goes. */
type Part = (Omit<Walked, 'value'> & { readonly value?: string; readonly add?: undefined }) | { readonly add: Node; readonly value: string }

const unchanged = { edits: [], left: [] } as const

/** A part that both sides changed: a conflict, unless one version of it is an expression. */
function conflictAt(path: readonly string[], why: MergeConflict['why'], versions: readonly (Node | undefined)[]): Walked {
  if (versions.every((each) => each?.kind !== 'unknown')) throw new MergeConflict(path, why)
  return { value: none, edits: undefined, left: [path] }
}

/** A part that one of the sides may not have. */
function partOf(base: Node | undefined, ours: Node | undefined, theirs: Node | undefined, path: readonly string[]): Part {
  const [old, mine, other] = [textOf(base), textOf(ours), textOf(theirs)]
  if (old === other) return ours ? { value: mine, ...unchanged } : unchanged
  if (mine === old) {
    if (!theirs) return unchanged
    if (!ours) return { add: theirs, value: other }
  }
  if (!ours || !theirs) return conflictAt(path, 'removed and changed', [base, ours, theirs])
  return merged(base, ours, theirs, path)
}

function merged(base: Node | undefined, ours: Node, theirs: Node, path: readonly string[]): Walked {
  const [old, mine, other] = [textOf(base), valueText(ours), valueText(theirs)]
  if (mine === other || old === other) return { value: mine, ...unchanged }
  if (!base) return conflictAt(path, 'both add', [ours, theirs])
  // A condition is one claim: halves of two are neither.
  if (mine !== old && path.at(-1) === 'conditions') throw new MergeConflict(path, 'both change')
  if (base.kind === 'map' && ours.kind === 'map' && theirs.kind === 'map') return mergedMap(base, ours, theirs, path)
  if (base.kind === 'list' && ours.kind === 'list' && theirs.kind === 'list') return mergedList(base, ours, theirs, path)
  if (mine !== old) return conflictAt(path, 'both change', [base, ours, theirs])
  return { value: other, edits: replaced(ours, theirs), left: [] }
}

function mergedMap(base: MapNode, ours: MapNode, theirs: MapNode, path: readonly string[]): Walked {
  const of = (map: MapNode) => new Map(map.entries.map((entry) => [entry.key.value, entry]))
  const [old, mine, other] = [of(base), of(ours), of(theirs)]
  const values: (readonly [string, string])[] = []
  const edits: Edits[] = []
  const unmerged: (readonly string[])[] = []
  const removed: string[] = []
  const added: Entry[] = []
  for (const key of new Set([...mine.keys(), ...other.keys()])) {
    const part = partOf(old.get(key)?.value, mine.get(key)?.value, other.get(key)?.value, [...path, key])
    if (part.value === undefined) {
      if (mine.has(key)) removed.push(key)
      continue
    }
    values.push([key, part.value])
    if (part.add) added.push(other.get(key) as Entry)
    else {
      edits.push(part.edits)
      unmerged.push(...part.left)
    }
  }
  if (removed.length > 0) edits.push(isHcl(ours) ? removeFromBody(ours, removed) : removeEntries(ours, removed))
  const remaining = { ...ours, entries: ours.entries.filter(({ key }) => !removed.includes(key.value)) }
  if (added.length > 0) edits.push(addEntries(remaining, theirs, added))
  return { value: mapText(values), edits: joined(edits), left: unmerged }
}

/** The names under which items are the same thing on all sides. */
const nameFields = ['name', 'urn', 'id', 'code']

function nameOf(item: Node): string | undefined {
  if (item.kind !== 'map' || item.entries.length < 2) return undefined
  for (const name of nameFields) {
    const value = item.entries.find(({ key }) => key.value === name)?.value
    if (value?.kind === 'text') return value.value
  }
  return undefined
}

function mergedList(base: ListNode, ours: ListNode, theirs: ListNode, path: readonly string[]): Walked {
  const lists = [base, ours, theirs]
  return lists.every(({ items }) => areNamed(items)) ? namedList(base, ours, theirs, path) : plainList(base, ours, theirs, path)
}

/** Whether each of some items has a name, and no two have the same. */
function areNamed(items: readonly Node[]): boolean {
  const names = items.map(nameOf)
  return !names.includes(undefined) && new Set(names).size === names.length
}

function namedList(base: ListNode, ours: ListNode, theirs: ListNode, path: readonly string[]): Walked {
  const { value, edits, left, removed, added } = namedParts(base.items, ours.items, theirs.items, path)
  return { value, edits: joined([edits, itemEdits(ours, theirs, removed, added)]), left }
}

/** Items merged by their names: the edits inside of them, which of the first side go, and which of the other one are added. */
function namedParts(base: readonly Node[], ours: readonly Node[], theirs: readonly Node[], path: readonly string[]) {
  const of = (items: readonly Node[]) => new Map(items.map((item) => [nameOf(item) as string, item]))
  const [old, mine, other] = [of(base), of(ours), of(theirs)]
  const values: string[] = []
  const edits: Edits[] = []
  const unmerged: (readonly string[])[] = []
  const removed = new Set<number>()
  const added: Node[] = []
  for (const name of new Set([...mine.keys(), ...other.keys()])) {
    const part = partOf(old.get(name), mine.get(name), other.get(name), [...path, name])
    if (part.value === undefined) {
      const item = mine.get(name)
      if (item) removed.add(ours.indexOf(item))
      continue
    }
    values.push(part.value)
    if (part.add) added.push(part.add)
    else {
      edits.push(part.edits)
      unmerged.push(...part.left)
    }
  }
  return { value: listText(values), edits: joined(edits), left: unmerged, removed, added }
}

/** Entries are what they say: one that a side adds is added, and one that a side removes goes. */
function plainList(base: ListNode, ours: ListNode, theirs: ListNode, path: readonly string[]): Walked {
  const of = (list: ListNode) => {
    const places = new Map<string, number[]>()
    for (const [i, item] of list.items.entries()) pushTo(places, valueText(item), i)
    return places
  }
  const [old, mine, other] = [of(base), of(ours), of(theirs)]
  const values: string[] = []
  const removed = new Set<number>()
  const added: Node[] = []
  for (const value of new Set([...mine.keys(), ...other.keys()])) {
    const [before, here, there] = [old, mine, other].map((places) => places.get(value)?.length ?? 0) as [number, number, number]
    if (before !== here && before !== there && here !== there) throw new MergeConflict(path, 'both change')
    const count = here === before ? there : here
    for (let i = 0; i < count; i++) values.push(value)
    for (const i of mine.get(value)?.slice(count) ?? []) removed.add(i)
    for (const i of other.get(value)?.slice(0, Math.max(0, count - here)) ?? []) added.push(theirs.items[i] as Node)
  }
  const edits = tallEdits(ours, theirs, removed, added) ?? itemEdits(ours, theirs, removed, added)
  return { value: listText(values), edits, left: [] }
}

// Edits.

const joined = (all: readonly Edits[]): Edits => (all.includes(undefined) ? undefined : all.flatMap((edits) => edits ?? []))

/** The edits of a list from which items go and to which others come, those behind the ones that stay. */
function itemEdits(ours: ListNode, theirs: ListNode, removed: ReadonlySet<number>, added: readonly Node[]): Edits {
  const { source, start } = ours
  if (added.length === 0) return removeItems(ours, removed)
  const remaining = ours.items.filter((_, i) => !removed.has(i))
  if (source.text[start] === '[') {
    const flows = added.map(flowOf)
    if (flows.includes(undefined)) return undefined
    const written = flows.map((flow) => ({ flow: flow as string, lines: [] }))
    if (remaining.length === 0) return [{ span: { source, start, end: ours.end }, text: `[${flows.join(', ')}]` }]
    return joined([append({ ...ours, items: remaining }, written), removeItems(ours, removed)])
  }
  const written = added.map((item) => linesOf(item, item.start, item))
  if (written.includes(undefined)) return undefined
  const items = written.map((lines, i) => [...commentsAbove(added[i] as Node, theirs), ...(lines ?? []).map(indented)])
  if (remaining.length > 0)
    return joined([
      append(
        { ...ours, items: remaining },
        items.map((lines) => ({ flow: '', lines })),
      ),
      removeItems(ours, removed),
    ])
  const column = start - (source.text.lastIndexOf('\n', start - 1) + 1)
  return [{ span: { source, start, end: start + rawText(ours).length }, text: items.flat().join(`\n${' '.repeat(column)}`) }]
}

const indented = (line: string, i: number) => (i === 0 ? `- ${line}` : line === '' ? line : `  ${line}`)

const isHcl = ({ source }: Node) => source.notation === 'hcl'

/** Take attributes and blocks out of a body of HCL, in whole lines, with a blank line in front. */
function removeFromBody({ source, entries }: MapNode, keys: readonly string[]): Edits {
  const { text } = source
  const cuts = entries.flatMap(({ key, value }): (Edit | undefined)[] => {
    if (!keys.includes(key.value)) return []
    const [line, newline] = [text.lastIndexOf('\n', key.start) + 1, text.indexOf('\n', value.end - 1)]
    const end = newline < 0 ? text.length : newline + 1
    const isWhole = /^[ \t]*(?:(?:#|\/\/).*)?$/.test(text.slice(value.end, end).trimEnd())
    const start = text.slice(0, line).endsWith('\n\n') ? line - 1 : line
    return [isWhole ? { span: { source, start, end }, text: '' } : undefined]
  })
  return cuts.includes(undefined) ? undefined : (cuts as Edit[])
}

/** Whether a list or map has a line for each part. */
const isInLines = ({ source, start }: ListNode | MapNode) => source.text[start] !== '[' && source.text[start] !== '{'

/** A part as it may be written within brackets, on one line; undefined where it cannot be. */
function flowOf(part: Node): string | undefined {
  const raw = rawText(part)
  if (/^[|>]/.test(raw)) return undefined
  const isBlock = (part.kind === 'map' || part.kind === 'list') && isInLines(part)
  if (!isBlock) return raw
  return part.kind === 'map' && !/[\n#]/.test(raw) ? `{ ${raw} }` : undefined
}

/** The comments on the lines right above a part of a list or map in lines. */
function commentsAbove({ source: { text }, start }: Node, { start: listStart }: ListNode | MapNode): readonly string[] {
  if (start === listStart) return []
  const lines: string[] = []
  for (let end = text.lastIndexOf('\n', start) + 1; ; ) {
    const begin = text.lastIndexOf('\n', end - 2) + 1
    const line = text.slice(begin, end).trim()
    if (!line.startsWith('#')) return lines
    lines.unshift(line)
    end = begin
  }
}

/** The lines of a part from a place, with the comment behind it, their columns taken from the first; undefined where one begins further left. */
function linesOf({ source: { text } }: Node, start: number, last: Node): readonly string[] | undefined {
  const column = start - (text.lastIndexOf('\n', start) + 1)
  const end = last.start + rawText(last).length
  const comment = /^[ \t]+#[^\n]*/.exec(text.slice(end))?.[0].trimEnd() ?? ''
  const lines = `${text.slice(start, end)}${comment}`.split('\n')
  const isRight = lines.every((line, i) => i === 0 || line.slice(0, column).trim() === '')
  return isRight ? lines.map((line, i) => (i === 0 ? line : line.slice(column))) : undefined
}

function addEntries(ours: MapNode, theirs: MapNode, added: readonly Entry[]): Edits {
  if (isInLines(ours)) {
    const written = added.map(({ key, value }) => linesOf(value, key.start, value))
    const last = ours.entries.at(-1)
    if (!last || written.includes(undefined)) return undefined
    return putLines(
      ours,
      last.value,
      written.flatMap((lines, i) => {
        const { key, value } = added[i] as Entry
        // In a file of HCL, a blank line divides blocks.
        const isBlock = isHcl(ours) && ours.start === 0 && value.kind === 'map'
        return [...(isBlock ? [''] : []), ...commentsAbove(key, theirs), ...(lines ?? [])]
      }),
    )
  }
  const flows = added.map(({ key, value }) => {
    const flow = flowOf(value)
    return flow && `${rawText(key)}: ${flow}`
  })
  return flows.includes(undefined) ? undefined : putInBrackets(ours, flows.join(', '), ours.source.notation === 'json' ? '' : ' ')
}

/** A value in the place of another one. */
function replaced(ours: Node, theirs: Node): Edits {
  const [from, to] = [rawText(ours), rawText(theirs)]
  // Lines of YAML depend on their columns.
  if (!isHcl(ours) && (/[\r\n]/.test(from) || /[\r\n]/.test(to))) return undefined
  return [{ span: { source: ours.source, start: ours.start, end: ours.start + from.length }, text: to }]
}

/** A text after edits; undefined where two of them overlap. Where several add at one place, those of inner parts come first. */
export function spliced(text: string, edits: readonly Edit[]): string | undefined {
  let out = ''
  let done = 0
  for (const { span, text: replacement } of edits.toSorted((a, b) => a.span.start - b.span.start || a.span.end - b.span.end)) {
    if (span.start < done) return undefined
    out += text.slice(done, span.start) + replacement
    done = span.end
  }
  return out + text.slice(done)
}
