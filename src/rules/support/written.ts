import { field, itemCount, type ListNode, type MapNode, type Node, type TextNode } from '../../tree.ts'

/** The node under a path of keys, or undefined where one is missing. */
export function nodeAt(map: MapNode, ...path: readonly string[]): Node | undefined {
  let node: Node | undefined = map
  for (let i = 0; i < path.length; i++) node = node?.kind === 'map' ? field(node, path[i] as string) : undefined
  return node
}

/** The map under a path of keys. */
export function mapAt(map: MapNode, ...path: readonly string[]): MapNode | undefined {
  const node = nodeAt(map, ...path)
  return node?.kind === 'map' ? node : undefined
}

/** The list under a path of keys when it is written and holds nothing. `null` is not an empty list: the service writes it. */
export function writtenEmpty(map: MapNode, ...path: readonly string[]): ListNode | undefined {
  const node = nodeAt(map, ...path)
  return node?.kind === 'list' && itemCount(node) === 0 ? node : undefined
}

/**
 * How many entries a list holds as written, whether they could be understood or not: a rule that says "nothing is here"
 * must not say it of an entry that the reader has already refused. Something that is no list counts as one.
 */
export function countWritten(map: MapNode, ...path: readonly string[]): number {
  const node = nodeAt(map, ...path)
  if (!node || node.kind === 'null') return 0
  return node.kind === 'list' ? itemCount(node) : 1
}

/** The key itself, where it is written. */
export function keyNode(map: MapNode, key: string): TextNode | undefined {
  return map.entries.find((entry) => entry.key.value === key)?.key
}
