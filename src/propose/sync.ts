import { pushTo } from '../collections.ts'
import type { Edit } from '../diagnostic.ts'
import { applyEdits, removeEntries, removeItems } from '../edits.ts'
import { readTree } from '../parser/tree.ts'
import { type Source, sourceOf } from '../source.ts'
import { type Edits, quotedText, replaceText, yamlText } from '../texts.ts'
import { field, type ListNode, type MapNode, type Node, plainValue } from '../tree.ts'
import { append, insertion, likeText, putInBrackets, putLines } from './insert.ts'

/**
 * A YAML text changed to a value: only differing parts are edited, so that comments, quotes, order and layout of all else stay.
 * Lists are compared as sets, which they are in policies: their order stays, too.
 */

/** Values of JSON. */
export type Value = string | number | boolean | null | readonly Value[] | { readonly [key: string]: Value }
export type Fields = { readonly [key: string]: Value }

/** The full YAML reader, handed in, since it is loaded only where it is needed. */
export type ReadYaml = Parameters<typeof readTree>[1]

/** The keys by which the maps of a list are distinguished; the first that both have counts. */
const names = ['urn', 'id', 'action', 'name'] as const

/** More rounds than any text needs: each makes all changes that are not in each other's way. */
const mostRounds = 100

/** The only document of a text if it is a map; undefined where it is anything else, or is not well-formed. */
export function onlyMap(source: Source, readYaml: ReadYaml): MapNode | undefined {
  const { documents, diagnostics, refused } = readTree(source, readYaml)
  const [document] = documents
  return refused || documents.length !== 1 || document?.kind !== 'map' || diagnostics.some(({ severity }) => severity === 'error')
    ? undefined
    : document
}

/**
 * The text with the fields of a map as they should be: `fields` holds those that it should have, `managed` names all that
 * may be touched, so that others stay as they are. Undefined where the layout is none that is understood.
 */
export function syncFields(source: Source, fields: Fields, managed: readonly string[], readYaml: ReadYaml): string | undefined {
  let { text } = source
  for (let round = 0; round < mostRounds; round++) {
    const map = onlyMap(sourceOf(source.path, text, 'yaml'), readYaml)
    if (!map) return undefined
    const there = map.entries.flatMap(({ key, value }) =>
      managed.includes(key.value) || value.kind === 'null' ? [] : [[key.value, plainValue(value) as Value]],
    )
    const groups: (readonly Edit[])[] = []
    const stuck = !mapEdits(map, { ...Object.fromEntries(there), ...fields }, groups)
    if (groups.length === 0) return stuck ? undefined : text
    const next = applyEdits(text, groups).text
    if (next === text) return undefined
    text = next
  }
  return undefined
}

/** A value as a text that is the same for all that say the same: fields without a value count for nothing, and no order counts. */
export function canonical(value: Value): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (isList(value)) return `[${value.map(canonical).sort().join(',')}]`
  const parts = Object.keys(value)
    .filter((key) => (value[key] ?? null) !== null)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key] as Value)}`)
  return `{${parts.join(',')}}`
}

function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value)
}

function plainOf(node: Node): Value {
  return plainValue(node) as Value
}

// Edits of one round. Each function gives its edits to `groups`, and false where something differs and cannot be edited.

type Groups = (readonly Edit[])[]

function give(groups: Groups, edits: Edits): boolean {
  if (edits && edits.length > 0) groups.push(edits)
  return edits !== undefined
}

/** Whether a part can be edited in place, without being removed and written anew. */
function isLike(node: Node, value: Value): boolean {
  if (typeof value === 'string') return node.kind === 'text'
  if (typeof value !== 'object' || value === null) return false
  return node.kind === (isList(value) ? 'list' : 'map')
}

function nodeEdits(node: Node, value: Value, groups: Groups): boolean {
  if (canonical(plainOf(node)) === canonical(value)) return true
  if (node.kind === 'text' && typeof value === 'string') return give(groups, [replaceText(node, value)])
  if (node.kind === 'list' && isList(value)) return listEdits(node, value, groups)
  return mapEdits(node as MapNode, value as Fields, groups)
}

function mapEdits(map: MapNode, fields: Fields, groups: Groups): boolean {
  const wanted = Object.keys(fields).filter((key) => fields[key] !== null)
  const missing = wanted.find((key) => {
    const node = field(map, key)
    return node === undefined || node.kind === 'null'
  })
  // One key a round: the next one may go behind it.
  if (missing !== undefined) return give(groups, putEntry(map, missing, fields[missing] as Value, wanted)) || rewritten(map, fields, groups)
  const dropped = map.entries.filter(({ key, value }) => value.kind !== 'null' && (fields[key.value] ?? null) === null)
  let isDone = true
  for (const key of wanted) {
    const node = field(map, key) as Node
    const value = fields[key] as Value
    if (isLike(node, value)) isDone = nodeEdits(node, value, groups) && isDone
    else if (canonical(plainOf(node)) !== canonical(value)) isDone = give(groups, removeEntries(map, [key])) && isDone
  }
  const removed = give(
    groups,
    removeEntries(
      map,
      dropped.map(({ key }) => key.value),
    ),
  )
  return (isDone && removed) || groups.length > 0 || rewritten(map, fields, groups)
}

/** A map in brackets without comments may as well be written anew. */
function rewritten(map: MapNode, fields: Fields, groups: Groups): boolean {
  const { source, start, end } = map
  const written = source.text.slice(start, end)
  return written.startsWith('{') && !written.includes('#') && give(groups, [{ span: { source, start, end }, text: flowText(fields) }])
}

function listEdits(list: ListNode, values: readonly Value[], groups: Groups): boolean {
  const unmatched = new Map<string, Value[]>()
  for (const value of values) {
    const key = canonical(value)
    pushTo(unmatched, key, value)
  }
  const mismatched: number[] = []
  for (const [i, item] of list.items.entries()) if (unmatched.get(canonical(plainOf(item)))?.pop() === undefined) mismatched.push(i)
  // In the order of the values: what is left of each text.
  const counts = new Map([...unmatched].map(([key, some]) => [key, some.length]))
  const fresh = values.filter((value) => {
    const key = canonical(value)
    const count = counts.get(key) ?? 0
    if (count > 0) counts.set(key, count - 1)
    return count > 0
  })
  const pairs = paired(list, mismatched, fresh)
  let isDone = true
  for (const [i, value] of pairs) isDone = nodeEdits(list.items[i] as Node, value, groups) && isDone
  const used = new Set(pairs.values())
  const added = fresh.filter((value) => !used.has(value))
  // First what is new, then what goes: a list from which all goes would lose its layout.
  if (added.length > 0) return give(groups, appendValues(list, added)) && isDone
  return (
    give(
      groups,
      removeItems(
        list,
        mismatched.filter((i) => !pairs.has(i)),
      ),
    ) && isDone
  )
}

/** The items to edit in place: maps of the same name, or the only remaining map on both sides. */
function paired(list: ListNode, mismatched: readonly number[], fresh: readonly Value[]): ReadonlyMap<number, Value> {
  const pairs = new Map<number, Value>()
  const maps = fresh.filter((value): value is Fields => typeof value === 'object' && value !== null && !isList(value))
  const byName = new Map(maps.flatMap((value) => (nameOf(value) === undefined ? [] : [[nameOf(value) as string, value]])))
  const open: number[] = []
  for (const i of mismatched) {
    const item = list.items[i] as Node
    if (item.kind !== 'map') continue
    const name = nameOf(plainOf(item) as Fields)
    const value = name === undefined ? undefined : byName.get(name)
    if (name === undefined) open.push(i)
    else if (value) {
      pairs.set(i, value)
      byName.delete(name)
    }
  }
  const nameless = maps.filter((value) => nameOf(value) === undefined)
  if (open.length === 1 && nameless.length === 1) pairs.set(open[0] as number, nameless[0] as Fields)
  return pairs
}

function nameOf(value: Fields): string | undefined {
  const key = names.find((name) => typeof value[name] === 'string')
  return key && `${key}:${String(value[key])}`
}

// Writing.

/** Put an entry into a map: behind the key that it follows in the wanted order, else at the end. */
function putEntry(map: MapNode, key: string, value: Value, order: readonly string[]): Edits {
  const { source } = map
  const { text } = source
  const sameEntry = map.entries.find((entry) => entry.key.value === key)
  if (sameEntry) {
    const { start, end } = sameEntry.value
    if (end > start) return [{ span: { source, start, end }, text: flowText(value) }]
    const colon = text.indexOf(':', sameEntry.key.end)
    return colon < 0 ? undefined : [insertion(source, colon + 1, ` ${flowText(value)}`)]
  }
  if (text[map.start] === '{') return putInBrackets(map, `${keyText(key)}: ${flowText(value)}`, ' ')
  const earlier = new Set(order.slice(0, order.indexOf(key)))
  const after = map.entries.findLast((entry) => earlier.has(entry.key.value) && entry.value.end > entry.value.start) ?? map.entries.at(-1)
  return after && putLines(map, after.value, blockEntry(key, value))
}

/** Add items behind those of a list, in the layout of the last one. */
function appendValues(list: ListNode, values: readonly Value[]): Edits {
  const last = list.items.at(-1)
  return append(
    list,
    values.map((value) => {
      const similar = last && like(last, value)
      return { flow: similar ?? flowText(value), lines: similar === undefined ? blockItem(value) : [`- ${similar}`] }
    }),
  )
}

/** A text, or a map of one text, as another one is written. */
function like(item: Node, value: Value): string | undefined {
  if (typeof value === 'string') return likeText(item, undefined, value)
  if (typeof value !== 'object' || value === null || isList(value)) return undefined
  const [[key, only] = ['', null], ...others] = Object.entries(value)
  return others.length === 0 && typeof only === 'string' ? likeText(item, key, only) : undefined
}

/** A file that holds one map, in block style. */
export function yamlFile(fields: Fields): string {
  return `${Object.entries(fields)
    .flatMap(([key, value]) => blockEntry(key, value))
    .join('\n')}\n`
}

function blockEntry(key: string, value: Value): readonly string[] {
  if (!isTall(value)) return [`${keyText(key)}: ${flowText(value, true)}`]
  return [`${keyText(key)}:`, ...blockLines(value).map((line) => `  ${line}`)]
}

function blockItem(value: Value): readonly string[] {
  if (!isTall(value)) return [`- ${flowText(value, true)}`]
  return blockLines(value).map((line, i) => `${i === 0 ? '- ' : '  '}${line}`)
}

function blockLines(value: readonly Value[] | Fields): readonly string[] {
  if (isList(value)) return value.flatMap(blockItem)
  return Object.entries(value).flatMap(([key, part]) => blockEntry(key, part))
}

/** Whether a value is written over several lines: a list or map with something in it. */
function isTall(value: Value): value is readonly Value[] | Fields {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
}

function keyText(key: string): string {
  return /^[\w$(][\w$().]*$/.test(key) ? yamlText(key, false) : quotedText(key, false)
}

function flowText(value: Value, inBlock = false): string {
  if (typeof value === 'string') return yamlText(value, inBlock)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (isList(value)) return `[${value.map((item) => flowText(item)).join(', ')}]`
  const entries = Object.entries(value).map(([key, part]) => `${keyText(key)}: ${flowText(part)}`)
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`
}
