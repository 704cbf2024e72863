import type { Edit } from '../diagnostic.ts'
import { removeEntries, removeItems } from '../edits.ts'
import { keyOf } from '../keys.ts'
import { memoizeByObject } from '../memo.ts'
import { append, putInBrackets, putLines } from '../propose/insert.ts'
import { type Edits, rawText } from '../texts.ts'
import type { Entry, ListNode, MapNode, Node } from '../tree.ts'

/**
 * A merge of three located trees by key, item and value: the value that it has, as a text that is the same for the same value, and the edits
 * that turn the text of the first side into it. The order of lists does not count.
 */
export interface Walked {
  readonly value: string
  /** Undefined: the layout of the text is not understood. */
  readonly edits: Edits
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
export const valueText: (node: Node) => string = memoizeByObject((node: Node): string => {
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
})

const listText = (values: readonly string[]) => `[${[...values].sort().join(',')}]`
const mapText = (entries: readonly (readonly [key: string, value: string])[]) =>
  `{${entries
    .map(([key, value]) => `${JSON.stringify(key)}:${value}`)
    .sort()
    .join(',')}}`

const none = ''
const textOf = (node: Node | undefined) => (node ? valueText(node) : none)

/** The documents of three texts merged. Those of one text are held together by their names, where there are several. */
export function mergedDocuments(base: readonly Node[], ours: readonly Node[], theirs: readonly Node[]): Walked {
  const same = base.length === ours.length && ours.length === theirs.length
  if (!same) {
    const [value, old, other] = [ours, base, theirs].map((documents) => listText(documents.map(valueText)))
    if (value === other || old === other) return { value: value as string, edits: [] }
    if (value !== old) throw new MergeConflict([], base.length === 0 ? 'both add' : 'both change')
    return { value: other as string, edits: undefined }
  }
  const parts = ours.map((document, i) => merged(base[i], document, theirs[i], []))
  return { value: listText(parts.map(({ value }) => value)), edits: joined(parts.map(({ edits }) => edits)) }
}

/** What becomes of a part; without a value, it goes. */
type Part = { readonly value?: string; readonly edits: Edits; readonly add?: undefined } | { readonly add: Node; readonly value: string }

/** A part that one of the sides may not have. */
function partOf(base: Node | undefined, ours: Node | undefined, theirs: Node | undefined, path: readonly string[]): Part {
  const [old, mine, other] = [textOf(base), textOf(ours), textOf(theirs)]
  if (mine === other || old === other) return ours ? { value: mine, edits: [] } : { edits: [] }
  if (!ours && theirs && mine === old) return { add: theirs, value: other }
  if (ours && !theirs && mine === old) return { edits: [] }
  if (!ours || !theirs) throw new MergeConflict(path, 'removed and changed')
  return merged(base, ours, theirs, path)
}

function merged(base: Node | undefined, ours: Node, theirs: Node | undefined, path: readonly string[]): Walked {
  const [old, mine, other] = [textOf(base), valueText(ours), textOf(theirs)]
  if (mine === other || old === other || !theirs) return { value: mine, edits: [] }
  if (!base) throw new MergeConflict(path, 'both add')
  // A condition is one claim: halves of two are neither.
  if (mine !== old && path.at(-1) === 'conditions') throw new MergeConflict(path, 'both change')
  if (base.kind === 'map' && ours.kind === 'map' && theirs.kind === 'map') return mergedMap(base, ours, theirs, path)
  if (base.kind === 'list' && ours.kind === 'list' && theirs.kind === 'list') return mergedList(base, ours, theirs, path)
  if (mine !== old) throw new MergeConflict(path, 'both change')
  return { value: other, edits: replaced(ours, theirs) }
}

function mergedMap(base: MapNode, ours: MapNode, theirs: MapNode, path: readonly string[]): Walked {
  const of = (map: MapNode) => new Map(map.entries.map((entry) => [entry.key.value, entry]))
  const [old, mine, other] = [of(base), of(ours), of(theirs)]
  const values: (readonly [string, string])[] = []
  const edits: Edits[] = []
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
    else edits.push(part.edits)
  }
  if (removed.length > 0) edits.push(removeEntries(ours, removed))
  const kept = { ...ours, entries: ours.entries.filter(({ key }) => !removed.includes(key.value)) }
  if (added.length > 0) edits.push(addEntries(kept, theirs, added))
  return { value: mapText(values), edits: joined(edits) }
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
  const isNamed = lists.every(({ items }) => {
    const names = items.map(nameOf)
    return !names.includes(undefined) && new Set(names).size === names.length
  })
  return isNamed ? namedList(base, ours, theirs, path) : plainList(base, ours, theirs, path)
}

function namedList(base: ListNode, ours: ListNode, theirs: ListNode, path: readonly string[]): Walked {
  const of = (list: ListNode) => new Map(list.items.map((item) => [nameOf(item) as string, item]))
  const [old, mine, other] = [of(base), of(ours), of(theirs)]
  const values: string[] = []
  const edits: Edits[] = []
  const removed = new Set<number>()
  const added: Node[] = []
  for (const name of new Set([...mine.keys(), ...other.keys()])) {
    const part = partOf(old.get(name), mine.get(name), other.get(name), [...path, name])
    if (part.value === undefined) {
      const item = mine.get(name)
      if (item) removed.add(ours.items.indexOf(item))
      continue
    }
    values.push(part.value)
    if (part.add) added.push(part.add)
    else edits.push(part.edits)
  }
  return { value: listText(values), edits: joined([...edits, itemEdits(ours, theirs, removed, added)]) }
}

/** Entries are what they say: one that a side adds is added, and one that a side removes goes. */
function plainList(base: ListNode, ours: ListNode, theirs: ListNode, path: readonly string[]): Walked {
  const of = (list: ListNode) => {
    const places = new Map<string, number[]>()
    for (const [i, item] of list.items.entries()) places.set(valueText(item), [...(places.get(valueText(item)) ?? []), i])
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
  return { value: listText(values), edits: itemEdits(ours, theirs, removed, added) }
}

// Edits.

const joined = (all: readonly Edits[]): Edits => (all.includes(undefined) ? undefined : all.flatMap((edits) => edits ?? []))

function itemEdits(ours: ListNode, theirs: ListNode, removed: ReadonlySet<number>, added: readonly Node[]): Edits {
  const cuts = removed.size > 0 ? removeItems(ours, removed) : []
  if (added.length === 0) return cuts
  const kept = ours.items.filter((_, i) => !removed.has(i))
  if (kept.length === 0 && removed.size > 0) return undefined
  const items = added.map((item) => itemText(theirs, item))
  if (items.includes(undefined)) return undefined
  const isFlow = ours.source.text[ours.start] === '['
  const written = items.flatMap((lines) =>
    lines ? [{ flow: lines.join('\n').trim(), lines: lines.map((line, i) => indented(line, i)) }] : [],
  )
  if (isFlow && added.some((item) => !isInBrackets(item))) return undefined
  return joined([append({ ...ours, items: kept }, written), cuts])
}

const indented = (line: string, i: number) => (i === 0 ? `- ${line}` : line === '' ? line : `  ${line}`)

/** Whether a part may be written within brackets as it is. */
function isInBrackets({ source, start, kind }: Node): boolean {
  return kind === 'text' || (kind !== 'map' && kind !== 'list') || source.text[start] === '{' || source.text[start] === '['
}

/** The lines of an item, from its first character, with the comment behind it: further lines without the columns of the item. */
function itemText(list: ListNode, item: Node): readonly string[] | undefined {
  return linesOf(item, item.start, item, list.source.text[list.start] !== '[')
}

/** The lines of a part from a place, its columns taken from those below the first; undefined where one begins further left. */
function linesOf({ source }: Node, start: number, last: Node, hasLine: boolean): readonly string[] | undefined {
  const { text } = source
  const column = start - (text.lastIndexOf('\n', start - 1) + 1)
  const end = last.start + rawText(last).length
  const newline = text.indexOf('\n', end)
  const rest = text.slice(end, newline < 0 ? text.length : newline)
  const comment = hasLine && /^[ \t]+#/.test(rest) ? rest.trimEnd() : ''
  const lines = `${text.slice(start, end)}${comment}`.split('\n')
  if (!hasLine) return lines
  const isRight = lines.every((line, i) => i === 0 || line.trim() === '' || line.slice(0, column).trim() === '')
  return isRight ? lines.map((line, i) => (i === 0 ? line : line.slice(column))) : undefined
}

function addEntries(ours: MapNode, theirs: MapNode, added: readonly Entry[]): Edits {
  const hasLines = theirs.source.text[theirs.start] !== '{'
  const written = added.map(({ key, value }) => linesOf(value, key.start, value, hasLines))
  if (written.includes(undefined)) return undefined
  const lines = written.flatMap((each) => each ?? [])
  if (ours.source.text[ours.start] !== '{') {
    const last = ours.entries.at(-1)
    return last && putLines(ours, last.value, lines)
  }
  if (hasLines && added.some(({ value }) => !isInBrackets(value))) return undefined
  const isJson = ours.source.notation === 'json'
  return putInBrackets(ours, written.map((each) => (each ?? []).join('\n')).join(', '), isJson ? '' : ' ')
}

/** A value in the place of another one. */
function replaced(ours: Node, theirs: Node): Edits {
  const [from, to] = [rawText(ours), rawText(theirs)]
  if (/[\r\n]/.test(from) || /[\r\n]/.test(to)) return undefined
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
