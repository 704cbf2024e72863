import { field, type MapNode, type Node, type TextNode } from '../tree.ts'

/** A policy that another cloud would understand. */
export interface ForeignPolicy {
  /** `a policy of AWS`. */
  readonly what: string
  /** The keys by which it was recognized. */
  readonly keys: readonly TextNode[]
}

/** What the policies of other clouds are recognized by: the keys of an object, all of them. */
const shapes: readonly { readonly what: string; readonly keys: readonly string[] }[] = [
  { what: 'a policy of AWS', keys: ['Effect', 'Action'] },
  { what: 'a policy of AWS', keys: ['Effect', 'NotAction'] },
  { what: 'a policy of Google Cloud', keys: ['role', 'members'] },
  { what: 'a role of Google Cloud', keys: ['includedPermissions'] },
  { what: 'a role of Azure', keys: ['Actions', 'AssignableScopes'] },
  { what: 'a role of Azure', keys: ['actions', 'notActions'] },
  { what: 'a role of Azure', keys: ['permissions', 'assignableScopes'] },
]

/** Where such an object lies in a document, by the names of what it lies in. */
const wrappers = ['Statement', 'bindings', 'policy', 'Policy', 'PolicyDocument', 'properties', 'permissions']

/** What a document that holds no policy of ours is, where it is one of another cloud. Looks a few levels deep. */
export function foreignPolicyIn(document: Node): ForeignPolicy | undefined {
  return search(document, 4)
}

function search(node: Node | undefined, depth: number): ForeignPolicy | undefined {
  if (!node || depth === 0) return undefined
  if (node.kind === 'list') return search(node.items[0], depth)
  if (node.kind !== 'map') return undefined
  for (const { what, keys } of shapes) {
    const found = keys.map((key) => keyOf(node, key))
    if (found.every((key) => key !== undefined)) return { what, keys: found }
  }
  for (const key of wrappers) {
    const inner = search(field(node, key), depth - 1)
    if (inner) return inner
  }
  return undefined
}

function keyOf(node: MapNode, key: string): TextNode | undefined {
  return node.entries.find((entry) => entry.key.value === key)?.key
}
