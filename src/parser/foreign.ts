import { field, type MapNode, type Node, type TextNode } from '../tree.ts'

/** A policy that another cloud would understand. */
export interface ForeignPolicy {
  /** `a policy of AWS`. */
  readonly what: string
  /** The keys by which it was recognized. */
  readonly keys: readonly TextNode[]
}

/** The keys, all of them required, by which policies of other clouds are recognized. */
const shapes: readonly { readonly what: string; readonly keys: readonly string[] }[] = [
  { what: 'a policy of AWS', keys: ['Effect', 'Action'] },
  { what: 'a policy of AWS', keys: ['Effect', 'NotAction'] },
  { what: 'a policy of Google Cloud', keys: ['role', 'members'] },
  { what: 'a role of Google Cloud', keys: ['includedPermissions'] },
  { what: 'a role of Azure', keys: ['Actions', 'AssignableScopes'] },
  { what: 'a role of Azure', keys: ['actions', 'notActions'] },
  { what: 'a role of Azure', keys: ['permissions', 'assignableScopes'] },
]

/** The keys under which such an object may be in a document. */
const wrappers = ['Statement', 'bindings', 'policy', 'Policy', 'PolicyDocument', 'properties', 'permissions']

/** The kind of another cloud's policy in a document that holds none of ours. Looks a few levels deep. */
export function foreignPolicyIn(document: Node): ForeignPolicy | undefined {
  return search(document, 4)
}

function search(node: Node | undefined, depth: number): ForeignPolicy | undefined {
  if (!node || depth === 0) return undefined
  if (node.kind === 'list') return search(node.items[0], depth)
  if (node.kind !== 'map') return undefined
  for (const { what, keys } of shapes) {
    const keyValues = keys.map((key) => keyOf(node, key))
    if (keyValues.every((key) => key !== undefined)) return { what, keys: keyValues }
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
