import { expect } from 'vitest'
import { applyEdits, hoist, removeEntries, removeItems, reorderItems, unwrap, wrapInList, wrapInObject } from '../../src/edits.ts'
import { readConfiguration } from '../../src/hcl/module.ts'
import { readingOf } from '../../src/hcl/read.ts'
import { readTree } from '../../src/parser/tree.ts'
import { readYaml } from '../../src/parser/yaml.ts'
import { sourceOf } from '../../src/source.ts'
import type { Edits } from '../../src/texts.ts'
import { field, type ListNode, type MapNode, type Node, type TextNode } from '../../src/tree.ts'
import { hclFile } from './hcl.ts'

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

/** Which file a text is, and for one of a configuration what another file next to it says. */
interface Place {
  readonly path?: string | undefined
  readonly beside?: string | undefined
}

/** The text after an edit such as `items a.0 1,2`: the operation, the path, and what it is given. Undefined: there is none. */
export function edited(text: string, edit: string, { path = 'a.yaml', beside = '' }: Place = {}): string | undefined {
  const documents = path.endsWith('.tf') ? configured(text, path, beside) : readTree(sourceOf(path, text), readYaml).documents
  const [operation = '', place = '', args = ''] = edit.split(' ')
  const edits = operations[operation]?.(at(documents[0] as Node, place), args)
  if (!edits) return undefined
  expect(edits.filter(({ span, text: written }) => text.slice(span.start, span.end) === written)).toEqual([])
  const sorted = edits.toSorted((a, b) => a.span.start - b.span.start)
  expect(sorted.filter(({ span }, i) => span.start < (sorted[i - 1]?.span.end ?? 0))).toEqual([])
  return applyEdits(text, [edits]).text
}

function configured(text: string, path: string, beside: string): readonly Node[] {
  const file = hclFile(text, path)
  const folder = { path: '', name: '.', files: [file, hclFile(beside, 'b.tf')], values: [] }
  return readingOf(file, [readConfiguration(folder, new Map(), { prefix: 'svc' })]).documents
}
