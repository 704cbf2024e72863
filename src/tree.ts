import type { Source, Span } from './source.ts'

/**
 * The located tree that every notation is read into: what JSON can say, and where each part of it was written.
 * A node is itself a span, so nothing is allocated to say where it stands; the span of a text includes its quotes.
 */
export type Node = TextNode | NumberNode | BooleanNode | NullNode | ListNode | MapNode

interface Base extends Span {
  readonly source: Source
  readonly start: number
  readonly end: number
}
export interface TextNode extends Base {
  readonly kind: 'text'
  readonly value: string
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
}
export interface MapNode extends Base {
  readonly kind: 'map'
  /** In written order. The readers refuse two entries with the same key, so a key names at most one. */
  readonly entries: readonly Entry[]
}
export interface Entry {
  readonly key: TextNode
  readonly value: Node
}

/** The value under a key, or undefined. Linear: maps in policies are small. */
export function field(map: MapNode, key: string): Node | undefined {
  for (const entry of map.entries) if (entry.key.value === key) return entry.value
  return undefined
}

/** The plain value of a node. Maps become null-prototype objects, so that a key such as `__proto__` is only a key. */
export function plain(node: Node): unknown {
  switch (node.kind) {
    case 'list':
      return node.items.map(plain)
    case 'map': {
      const object: Record<string, unknown> = Object.create(null)
      for (const { key, value } of node.entries) object[key.value] = plain(value)
      return object
    }
    default:
      return node.value
  }
}
