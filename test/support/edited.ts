import { applyEdits, hoist, removeEntries, removeItems, reorderItems, unwrap, wrapInList, wrapInObject } from '../../src/edits.ts'
import { readTree } from '../../src/parser/tree.ts'
import { readYaml } from '../../src/parser/yaml.ts'
import { sourceOf } from '../../src/source.ts'
import type { Edits } from '../../src/texts.ts'
import { field, type ListNode, type MapNode, type Node, type TextNode } from '../../src/tree.ts'

const operations: Readonly<Record<string, (node: Node, args: string) => Edits>> = {
  items: (node, args) => removeItems(node as ListNode, args.split(',').map(Number)),
  entries: (node, args) => removeEntries(node as MapNode, args.split(',')),
  order: (node, args) => reorderItems(node as ListNode, args.split(',').map(Number)),
  list: (node) => wrapInList(node as TextNode | MapNode),
  object: (node, args) => [wrapInObject(node as TextNode, args)],
  unwrap: (node) => unwrap(node as MapNode),
  hoist: (node, args) => hoist(node as MapNode, at(node, args)),
}

/** The node at a path such as `a.0.b`; of the document for `.`. */
function at(node: Node, path: string): Node {
  let found: Node | undefined = node
  for (const part of path.split('.').filter((each) => each !== ''))
    found = found?.kind === 'list' ? found.items[Number(part)] : found?.kind === 'map' ? field(found, part) : undefined
  if (!found) throw new Error(`nothing is at ${path}`)
  return found
}

/** What a text becomes by an edit such as `items a.0 1,2`: the operation, the path, and what it is given. Undefined: there is none. */
export function edited(text: string, edit: string, name = 'a.yaml'): string | undefined {
  const { documents } = readTree(sourceOf(name, text), readYaml)
  const [operation = '', path = '', args = ''] = edit.split(' ')
  const edits = operations[operation]?.(at(documents[0] as Node, path), args)
  return edits && applyEdits(text, [edits]).text
}
