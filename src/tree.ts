import type { Source, Span } from './source.ts'

/** The located tree that every notation is read into. A node is itself a span; the span of a text includes its quotes. */
export type Node = ScalarNode | ListNode | MapNode | UnknownNode
export type ScalarNode = TextNode | NumberNode | BooleanNode | NullNode

interface Base extends Span {
  readonly source: Source
  readonly start: number
  readonly end: number
}
export interface TextNode extends Base {
  readonly kind: 'text'
  readonly value: string
  readonly offsets?: readonly number[]
}
export interface NumberNode extends Base {
  readonly kind: 'number'
  readonly value: number
}
export interface BooleanNode extends Base {
  readonly kind: 'boolean'
  readonly value: boolean
}
export interface NullNode extends Base {
  readonly kind: 'null'
  readonly value: null
}
export interface ListNode extends Base {
  readonly kind: 'list'
  readonly items: readonly Node[]
  /** How many items it has, where they are read again when they are asked for: ask `itemCount`. */
  readonly count?: number
}
export interface MapNode extends Base {
  readonly kind: 'map'
  /** In written order. The readers refuse two entries with the same key, so a key names at most one. */
  readonly entries: readonly Entry[]
  /** The unknown values that decide whether it exists; none where it certainly does. */
  readonly perhaps?: readonly UnknownNode[]
  /** All of it is a part that was not read and may hold any policies: this one. */
  readonly unread?: UnknownNode
  /** The provider that it is applied with: what is applied with another may be of another account. */
  readonly account?: UnknownNode
  /** Its address in the tool that describes it: `svc_iam_policy.ops`. Absent for a policy without such a tool. */
  readonly address?: string
}
/**
 * A value that is not known: an expression whose parts come from elsewhere, or a text of which a part does. Only notations with
 * expressions have it.
 */
export interface UnknownNode extends Base {
  readonly kind: 'unknown'
  /** How messages name it: `var.group`, `data.x.urn`; for a text that is partly known, the template. */
  readonly expression: string
  /** Where the expression has its meaning, a folder for example: elsewhere the same words may mean another value. */
  readonly scope: string
  /** Distinguishes it in its scope where the expression alone does not: `each.key` of two resources. */
  readonly id?: string
  /** The literal strings around the unknown parts: `a${x}b` has ["a", "b"], a value of which nothing is known ["", ""]. */
  readonly pieces: readonly string[]
  /** The offset of each UTF-16 unit of all pieces together. Absent where all pieces are empty. */
  readonly offsets?: readonly number[]
  /** Where what is not known is written, one place between each two pieces; left out where that is all of it. */
  readonly holes?: readonly Span[]
  /** It is the name that something described under the same expression will get: that thing and no other. */
  readonly isName?: true
  /** For a value without written text: the literal strings that it has because of its kind, as in `pieces`. */
  readonly shape?: readonly string[]
  /** In a list: any number of entries, perhaps none, of each of which this is known. A single piece is all of an entry. */
  readonly isSpread?: true
}
export interface Entry {
  readonly key: TextNode
  readonly value: Node
}

/** The identity of an unknown value: two with the same symbol have the same value, others may or may not. */
export function symbolOf({ id, expression, scope }: Pick<UnknownNode, 'id' | 'expression' | 'scope'>): string {
  return `${scope}\n${id ?? expression}`
}

/**
 * Names of unknown values may hold marks, which distinguish names of the same words. Every text made from a name keeps its marks.
 * They are enclosed in characters that no text may hold.
 */
export const marks = { start: '\uFDD0', end: '\uFDD1' }

/** A name as users see it, without marks. */
export function readableName(name: string): string {
  return name.includes(marks.start) ? name.replace(/\uFDD0[^\uFDD1]*\uFDD1/g, '') : name
}

/** The unknown values in documents, in the order of the text. */
export function unknownsIn(documents: readonly Node[]): readonly UnknownNode[] {
  const unknowns: UnknownNode[] = []
  const open: Node[] = [...documents]
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.kind === 'unknown') unknowns.push(node)
    else if (node.kind === 'list') open.push(...node.items)
    else if (node.kind === 'map') {
      unknowns.push(...(node.perhaps ?? []))
      open.push(...node.entries.map(({ value }) => value))
    }
  }
  return unknowns.sort((a, b) => a.start - b.start)
}

/** A short key for a long text: letters and digits, with 64 bits, so that two texts do not collide by chance. */
export function digest(text: string): string {
  let [a, b] = [0xdeadbeef, 0x41c6ce57]
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    a = Math.imul(a ^ unit, 2654435761)
    b = Math.imul(b ^ unit, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return `${(a >>> 0).toString(36)}${(b >>> 0).toString(36).padStart(7, '0')}`
}

/** The value under a key, or undefined. Linear: maps in policies are small. */
export function field(map: MapNode, key: string): Node | undefined {
  for (const entry of map.entries) if (entry.key.value === key) return entry.value
  return undefined
}

/** How many items a list has. Does not read them. */
export function itemCount(list: ListNode): number {
  return list.count ?? list.items.length
}

/** The plain value of a node. Maps become null-prototype objects, so that a key such as `__proto__` is only a key. */
export function plainValue(node: Node): unknown {
  return valueWith(node, ({ value }) => value)
}

/** The same, with what a function makes of each text, number, boolean and null. */
export function valueWith(node: Node, scalarOf: (node: ScalarNode) => unknown): unknown {
  switch (node.kind) {
    case 'list':
      return node.items.map((item) => valueWith(item, scalarOf))
    case 'map': {
      const object: Record<string, unknown> = Object.create(null)
      for (const { key, value } of node.entries) object[key.value] = valueWith(value, scalarOf)
      return object
    }
    case 'unknown':
      return node.expression
    default:
      return scalarOf(node)
  }
}
