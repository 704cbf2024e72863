import { type Source, type Span, sourceOf } from '../../source.ts'
import type { Entry, MapNode, Node } from '../../tree.ts'
import { field } from '../../tree.ts'
import type { SeedFile, SeedPlaces, WrittenFields, WrittenRecord } from './records.ts'

/** Where records were written in files of a seed, so that answers name the places that the command line names. */

/** A file of a seed as it is stored: its text is blank outside of some parts, since a seed also holds secrets. */
export function seedFile({ path, text, notation }: Source, parts: readonly Span[]): SeedFile {
  const blank = text.replace(/[^\r\n]/g, ' ')
  let out = ''
  let offset = 0
  for (const { start, end } of [...parts].sort((a, b) => a.start - b.start)) {
    if (start < offset) continue
    out += blank.slice(offset, start) + text.slice(start, end)
    offset = end
  }
  return { path, text: out + blank.slice(offset), notation }
}

/** The record with the places of its fields in the file that `node` is from. */
export function withOrigin<R extends WrittenRecord>(record: R, node: MapNode): R {
  const idNode = field(node, 'urn') ?? field(node, 'id') ?? node
  const spans = [node.start, node.end, idNode.start, idNode.end]
  addSpans(spans, record.written, node)
  return { ...record, origin: { file: node.source.path, spans } }
}

/** The place of a record of which no more than its URN has one. */
export function originOf({ source, start, end }: Span): SeedPlaces {
  return { file: source.path, spans: [start, end, start, end] }
}

/** The record without the places of a file, which say nothing of it once it has changed. */
export function withoutOrigin<R extends WrittenRecord>({ origin: _, ...record }: R): Omit<R, 'origin'> {
  return record
}

/** Add the start and the end of each key and value, in the order in which the value is written as JSON. */
function addSpans(spans: number[], value: unknown, node: Node): void {
  if (node.kind === 'list') {
    for (const [i, item] of node.items.entries()) addPlace(spans, (value as readonly unknown[])[i], item)
  } else if (node.kind === 'map') {
    for (const [name, each] of Object.entries(value as WrittenFields)) {
      const { key, value: valueNode } = node.entries.find((entry) => entry.key.value === name) as Entry
      spans.push(key.start, key.end)
      addPlace(spans, each, valueNode)
    }
  }
}

function addPlace(spans: number[], value: unknown, node: Node): void {
  spans.push(node.start, node.end)
  addSpans(spans, value, node)
}

/** A record that may be one of a file. */
export type PlacedRecord = Partial<Pick<WrittenRecord, 'written' | 'origin'>>

/** The document of a record with the places of its origin: `document` is a map that has the written fields among others. */
export function placedIn(
  document: MapNode,
  { written = {}, origin }: PlacedRecord,
  sourceAt: (path: string) => Source | undefined,
): MapNode {
  const source = origin && sourceAt(origin.file)
  if (!source) return document
  const spans = origin.spans.values()
  const next = () => ({ source, start: spans.next().value as number, end: spans.next().value as number })
  const [whole, idSpan] = [next(), next()]
  const moved = <N extends Node>({ offsets: _, ...node }: N & Pick<Span, 'offsets'>, span: Span): N => ({ ...node, ...span }) as N
  const placed = (node: Node): Node => {
    const there = moved(node, next())
    if (there.kind === 'list') return { ...there, items: there.items.map(placed) }
    return there.kind === 'map' ? { ...there, entries: there.entries.map(placedEntry) } : there
  }
  const placedEntry = ({ key, value }: Entry): Entry => {
    const ownKey = moved(key, next())
    return { key: ownKey, value: placed(value) }
  }
  // Other fields that the service adds are in no file: they are placed where the record begins.
  const added = ({ key, value }: Entry): Entry => {
    const span = key.value === 'urn' || key.value === 'id' ? idSpan : whole
    return { key: moved(key, span), value: moved(value, span) }
  }
  const entries = document.entries.map((entry) => (Object.hasOwn(written, entry.key.value) ? placedEntry(entry) : added(entry)))
  return { ...moved(document, whole), entries }
}

/** The sources of the stored files, each made once. */
export function seedSources(fileAt: (path: string) => SeedFile | undefined): (path: string) => Source | undefined {
  const cache = new Map<string, { readonly file: SeedFile; readonly source: Source }>()
  return (path) => {
    const file = fileAt(path)
    const cached = cache.get(path)
    if (file === undefined || cached?.file === file) return file && cached?.source
    const source = sourceOf(file.path, file.text, file.notation)
    cache.set(path, { file, source })
    return source
  }
}

/** The text of a field, if it is one. */
export function textAt(node: MapNode, name: string): string | undefined {
  const found = field(node, name)
  return found?.kind === 'text' ? found.value : undefined
}
