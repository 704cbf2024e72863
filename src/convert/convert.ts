import type { Diagnostic } from '../diagnostic.ts'
import { visible } from '../names.ts'
import { kindOf } from '../parser/policy.ts'
import { shortened } from '../parser/reading.ts'
import type { Span } from '../source.ts'
import { type Entry, field, type ListNode, type Node, plainValue } from '../tree.ts'
import { cannotExpress as problem } from './findings.ts'
import { canonicalText, hclText, worldOf } from './hcl.ts'
import { jsonText } from './json.ts'
import { yamlDocuments } from './yaml.ts'

export const targets = ['json', 'yaml', 'hcl'] as const
export type Target = (typeof targets)[number]

/** Documents in order, and the comments of their texts. */
export interface Literal {
  readonly documents: readonly Node[]
  readonly comments: readonly Span[]
}

export interface Converted {
  /** Undefined where something is refused. */
  readonly text: string | undefined
  readonly refused: readonly Diagnostic[]
  /** Parts that are omitted, and parts that have another name in the target notation. */
  readonly notes: readonly Diagnostic[]
  /** How many comments have no place. */
  readonly comments: number
  /** Whether what is read from the text says the same, in the same order. */
  readonly isRight: (again: readonly Node[]) => boolean
}

/** Writes documents in another notation; nothing where a part cannot be written. `prefix`: what types of resources begin with. */
export function converted({ documents, comments }: Literal, target: Target, prefix: string): Converted {
  const unknown = documents.flatMap(unknownIn)
  if (target === 'hcl') {
    const { text, refused, notes, addresses } = hclText(documents, comments, prefix)
    const isRight = (again: readonly Node[]) => canonicalText(again, new Map()) === canonicalText(documents, addresses)
    return { text: refused.length > 0 ? undefined : text, refused, notes, comments: 0, isRight }
  }
  const odd = [...unknown, ...documents.flatMap(halves)]
  const nothing = { text: undefined, notes: [], comments: 0, isRight: () => false }
  if (odd.length > 0) return { ...nothing, refused: odd }
  const same = (wanted: readonly Node[]) => (again: readonly Node[]) => canonicalFacts(again) === canonicalFacts(wanted)
  if (target === 'yaml') return { text: yamlDocuments(documents, comments), refused: [], notes: [], comments: 0, isRight: same(documents) }
  const one = together(documents)
  if (!('kind' in one)) return { ...nothing, refused: [one.problem] }
  return { text: jsonText(one), refused: [], notes: [], comments: comments.length, isRight: same([one]) }
}

function unknownIn(document: Node): readonly Diagnostic[] {
  return nodesIn(document).flatMap((node) => {
    if (node.kind !== 'unknown') return []
    const word = visible(shortened(node.expression))
    const help = node.isName
      ? `it is known once the service gave it: say it with \`--urn ${word.replace(/\.urn$/, '')}=URN\``
      : 'write the value that is meant'
    return [problem(node, `\`${word}\` is not known: only literal values are converted`, help)]
  })
}

/** Halves of surrogate pairs: only JSON can write them. */
function halves(document: Node): readonly Diagnostic[] {
  return nodesIn(document).flatMap((node) =>
    node.kind === 'text' && /\p{Surrogate}/u.test(node.value)
      ? [problem(node, 'this holds half of a character, which cannot be written')]
      : [],
  )
}

function nodesIn(document: Node): readonly Node[] {
  const nodes: Node[] = []
  const open: Node[] = [document]
  for (let node = open.pop(); node; node = open.pop()) {
    nodes.push(node)
    if (node.kind === 'list') open.push(...node.items.toReversed())
    else if (node.kind === 'map') for (const { key, value } of node.entries.toReversed()) open.push(value, key)
  }
  return nodes
}

/** Several documents as one: policies alone as a list, anything more as a world. */
function together(documents: readonly Node[]): Node | { readonly problem: Diagnostic } {
  const [first] = documents as readonly [Node]
  if (documents.length === 1) return first
  const list = (items: readonly Node[]): ListNode => ({ kind: 'list', source: first.source, start: first.start, end: first.end, items })
  if (documents.map(kindOf).every((kind) => kind === 'policy' || kind === 'policies'))
    return list(documents.flatMap((document) => (document.kind === 'list' ? document.items : [document])))
  const entries = new Map<string, Entry>()
  for (const document of documents) {
    const world = worldOf(document)
    if (!world) return { problem: problem(document, 'this cannot be put together with the others', 'convert it alone') }
    for (const entry of world.entries) {
      const { key, value } = entry
      const sameKey = entries.get(key.value)
      if (!sameKey || sameKey.value.kind === 'null') entries.set(key.value, entry)
      else if (sameKey.value.kind === 'list' && value.kind === 'list')
        entries.set(key.value, { key: sameKey.key, value: list([...sameKey.value.items, ...value.items]) })
      else if (value.kind !== 'null' && JSON.stringify(plainValue(sameKey.value)) !== JSON.stringify(plainValue(value)))
        return { problem: problem(key, `\`${visible(shortened(key.value))}\` is another one than before`, 'convert the files one by one') }
    }
  }
  return { kind: 'map', source: first.source, start: first.start, end: first.end, entries: [...entries.values()] }
}

/** A configuration as a policy, a list of policies, or a world. `urns`: what the service gave to groups, by their addresses. */
export function simplestNotation(document: Node, urns: ReadonlyMap<string, string>): Node {
  const whole = withUrns(document, urns)
  if (whole.kind !== 'map') return whole
  const ordered = { ...whole, entries: whole.entries.map(({ key, value }) => ({ key, value: inOrder(value) })) }
  if (ordered.entries.length !== 1) return ordered
  const policies = field(ordered, 'policies')
  if (policies?.kind !== 'list') return ordered
  return policies.items.length === 1 ? (policies.items[0] as Node) : policies
}

const order = 'urn name description identities resources permissions permissionsGroups conditions expiredAt'.split(' ')

/** The fields of records as they are mostly written. A configuration has those of permissions among the others. */
function inOrder(list: Node): Node {
  if (list.kind !== 'list') return list
  const rank = ({ key }: Entry) => order.indexOf(key.value)
  return {
    ...list,
    items: list.items.map((item) =>
      item.kind === 'map' ? { ...item, entries: item.entries.toSorted((a, b) => rank(a) - rank(b)) } : item,
    ),
  }
}

/** Depth is within the limits of the readers. */
function withUrns(node: Node, urns: ReadonlyMap<string, string>): Node {
  if (node.kind === 'list') return { ...node, items: node.items.map((item) => withUrns(item, urns)) }
  if (node.kind === 'map') return { ...node, entries: node.entries.map(({ key, value }) => ({ key, value: withUrns(value, urns) })) }
  const urn = node.kind === 'unknown' && node.isName ? urns.get(node.expression.replace(/\.urn$/, '')) : undefined
  return urn === undefined ? node : { kind: 'text', value: urn, source: node.source, start: node.start, end: node.end }
}

/** The values of documents without their places: equal for the same policies, groups and inventory in the same order. */
export function canonicalFacts(documents: readonly Node[]): string {
  return JSON.stringify(documents.map(paired))
}

/** Maps as lists of pairs, so that their order counts, and keys that are numbers stay where they are. */
function paired(node: Node): unknown {
  if (node.kind === 'list') return node.items.map(paired)
  if (node.kind === 'map') return { entries: node.entries.map(({ key, value }) => [key.value, paired(value)]) }
  return node.kind === 'unknown' ? { unknown: node.expression } : node.value
}
