import type { Diagnostic } from '../diagnostic.ts'
import { visible } from '../names.ts'
import { nearest } from '../nearest.ts'
import type { Span } from '../source.ts'
import {
  digest,
  type Entry,
  type ListNode,
  type MapNode,
  marks,
  type Node,
  plainValue,
  symbolOf,
  type TextNode,
  type UnknownNode,
  unknownsIn,
} from '../tree.ts'
import { computedAttributes, type Field, fieldOf, type Kind, wordsOf, worldLists } from './attributes.ts'

/** A resource of a tool, with the values of its attributes, each where it is written. */
export interface Declared {
  readonly kind: Kind
  /** The tool's address for it: `module.team.svc_iam_policy.ops["a"]`. */
  readonly address: string
  readonly attributes: readonly Entry[]
  readonly span: Span
  /** Its URN, where the service has not set it yet. */
  readonly urn?: Node
  /** Its id, where the service has given one. */
  readonly id?: string
  /** The account that it is made with. */
  readonly account?: UnknownNode
  /** Its attributes are written by a user, so that an unknown attribute is a mistake; otherwise a tool wrote them. */
  readonly isWritten?: true
}

/** A user or a membership of a tool: its type, and its attributes as a map. */
export interface DeclaredMember {
  readonly type: string
  readonly address: string
  readonly value: MapNode
  readonly span: Span
  /** Unknown values besides its attributes, such as its account. */
  readonly perhaps?: readonly UnknownNode[]
}

/** Declarations of a tool in a document, as the records that the service would hold. */
export interface Declaration {
  readonly records: readonly Declared[]
  readonly members?: readonly DeclaredMember[]
  /** Problems outside of the records. */
  readonly diagnostics: readonly Diagnostic[]
}

/** Records as a world document, and what is wrong with them. */
export function worldOf(
  records: readonly Declared[],
  place: Span,
): { readonly documents: readonly Node[]; readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = []
  const nodes = records.map((record) => ({ kind: record.kind, node: canonical(record, diagnostics) }))
  if (records.length === 0) return { documents: [], diagnostics }
  const entries = worldLists.flatMap(([list, kind]): readonly Entry[] => {
    const items = nodes.flatMap((each) => (each.kind === kind ? [each.node] : []))
    return items.length === 0 && kind !== 'policy' ? [] : [{ key: textNodeAt(place, list), value: listNode(place, items) }]
  })
  return { documents: [mapAt(place, entries)], diagnostics }
}

/**
 * One resource as the record that the service would hold (docs/semantics.md, Records); every node has the place where its value
 * is written.
 */
function canonical({ kind, address, attributes, span, urn, id, account, isWritten }: Declared, diagnostics: Diagnostic[]): MapNode {
  const entries: Entry[] = []
  const sets: Entry[] = []
  const seen = new Map<Field, TextNode>()
  const wrong = (at: Span, message: string, help: string) => diagnostics.push(shapeProblem(at, message, help))
  if (kind !== 'policy') {
    if (urn) entries.push({ key: textNodeAt(urn, 'urn'), value: urn })
    else if (id !== undefined) entries.push({ key: textNodeAt(span, 'id'), value: textNodeAt(span, id) })
  }
  for (const { key, value } of attributes) {
    const field = fieldOf(kind, key.value)
    if (!field) {
      if (isWritten) wrong(key, ...strange(key.value, kind))
      continue
    }
    if (value.kind === 'null') continue
    // Tools write empty lists for absent attributes.
    if (!isWritten && !field.isRequired && value.kind === 'list' && value.items.length === 0) continue
    const first = seen.get(field)
    if (first) {
      wrong(key, `\`${key.value}\` says the same as \`${first.value}\`, which is given too`, 'put all under one of them')
      continue
    }
    seen.set(field, key)
    const node =
      field.holds === 'text' ? value : field.holds === 'texts' ? texts(value, field.key) : condition(value, isWritten === true, 0)
    if (node) (field.key === 'action' ? sets : entries).push({ key: { ...key, value: field.to }, value: node })
  }
  if (kind !== 'resourceGroup') {
    const place = sets.length > 0 ? entriesSpan(sets) : span
    entries.push({ key: textNodeAt(sets[0]?.key ?? span, 'permissions'), value: mapAt(place, sets) })
  }
  return { ...mapAt(span, entries), address, ...(account && { account }) }
}

function strange(word: string, kind: Kind): [string, string] {
  const knownWords = wordsOf(kind)
  const suggested = nearest(word, knownWords)
  if (computedAttributes.has(word)) return [`\`${word}\` is given by the service and cannot be written`, 'remove it']
  return [
    `\`${visible(word.slice(0, 100))}\` is no attribute of this kind of resource`,
    suggested ? `did you mean \`${suggested}\`?` : `there are ${knownWords.map((each) => `\`${each}\``).join(', ')}`,
  ]
}

/**
 * A list of strings, each as an object with the field `key` where that is given. Other shapes are left to the reader of records,
 * which reports them.
 */
function texts(value: Node, key: Field['key']): Node {
  if (key === undefined || value.kind !== 'list') return value
  const items = value.items.map((item) =>
    item.kind === 'text' || item.kind === 'unknown' ? mapAt(item, [{ key: textNodeAt(item, key), value: item }]) : item,
  )
  return listNode(value, items)
}

/** The deepest condition that is converted; deeper ones are kept as they are, and reported by the reader of conditions. */
const deepest = 64

/** A condition as the service writes it: a block of it is a list of one, and nested conditions may be under either of two keys. */
function condition(value: Node, isWritten: boolean, depth: number): Node | undefined {
  if (value.kind === 'null' || (value.kind === 'list' && value.items.length === 0)) return undefined
  const node = value.kind === 'list' && value.items.length === 1 ? (value.items[0] as Node) : value
  if (node.kind !== 'map' || depth > deepest) return node
  const entries = node.entries.flatMap((entry): readonly Entry[] => {
    const { key, value: inner } = entry
    if (inner.kind === 'null' || (!isWritten && isEmpty(inner))) return []
    if (key.value !== 'condition' && key.value !== 'conditions') return [entry]
    const items = inner.kind === 'list' ? inner.items : [inner]
    const children = items.flatMap((item) => condition(item, isWritten, depth + 1) ?? [])
    return [{ key: { ...key, value: 'conditions' }, value: inner.kind === 'unknown' ? inner : listNode(inner, children) }]
  })
  return mapAt(node, entries)
}

function isEmpty(node: Node): boolean {
  return (node.kind === 'list' && node.items.length === 0) || (node.kind === 'map' && node.entries.length === 0)
}

/** From the first to the last of some entries; values that come from another source are where they are used. */
export function entriesSpan(entries: readonly Entry[]): Span {
  const [first] = entries as [Entry]
  const { source } = first.key
  const spans = entries.flatMap(({ key, value }) => (value.source === source ? [key, value] : [key]))
  return { source, start: Math.min(...spans.map(({ start }) => start)), end: Math.max(...spans.map(({ end }) => end)) }
}

export function shapeProblem(span: Span, message: string, help: string): Diagnostic {
  return { code: 'shape', severity: 'error', message, span: spanOf(span), help }
}

// Nodes at a place.

export function spanOf({ source, start, end }: Span): Span {
  return { source, start, end }
}

export function textNodeAt(span: Span, value: string): TextNode {
  return { ...spanOf(span), kind: 'text', value }
}

export function listNode(span: Span, items: readonly Node[]): ListNode {
  return { ...spanOf(span), kind: 'list', items }
}

export function mapAt(span: Span, entries: readonly Entry[]): MapNode {
  return { ...spanOf(span), kind: 'map', entries }
}

/** The content of a part as a string, for comparisons: with the symbols of its unknown values. */
export function contentOf(node: Node): string {
  return JSON.stringify([plainValue(node), unknownsIn([node]).map(symbolOf)])
}

/** An expression with a mark that distinguishes its value; users see the expression alone. */
export function idOf(expression: string, of: string): string {
  return `${expression}${marks.start}${digest(of)}${marks.end}`
}

/** `of`: what distinguishes its value from others of the same words, on another side of a comparison too. */
export function unknownAt(span: Span, expression: string, scope: string, of?: string): UnknownNode {
  return { ...spanOf(span), kind: 'unknown', expression, scope, pieces: ['', ''], ...(of !== undefined && { id: idOf(expression, of) }) }
}

/** A name that something gets only when it is made, by what it is called until then. */
export function nameAt(span: Span, expression: string, scope: string): UnknownNode {
  return { ...unknownAt(span, expression, scope), isName: true }
}

// Looking into documents.

/** The value under some keys, one within the other. */
export function valueAt(node: Node | undefined, ...keys: readonly (string | number)[]): Node | undefined {
  let here = node
  for (const key of keys) {
    if (typeof key === 'number') here = here?.kind === 'list' ? here.items[key] : undefined
    else here = here?.kind === 'map' ? here.entries.find((entry) => entry.key.value === key)?.value : undefined
  }
  return here
}

export function textOf(node: Node | undefined): string | undefined {
  return node?.kind === 'text' ? node.value : undefined
}

export function itemsOf(node: Node | undefined): readonly Node[] {
  return node?.kind === 'list' ? node.items : []
}

export function entriesOf(node: Node | undefined): readonly Entry[] {
  return node?.kind === 'map' ? node.entries : []
}
