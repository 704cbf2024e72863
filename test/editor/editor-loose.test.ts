import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { folding } from '../../src/editor/folding.ts'
import type { LooseNode } from '../../src/editor/loose/nodes.ts'
import { looseDocuments } from '../../src/editor/parts.ts'
import { documentSymbols } from '../../src/editor/symbols.ts'
import { editorFile } from '../../src/editor/workspace.ts'
import { treeOf } from '../../src/parser/tree.ts'
import { notationOf, sourceOf } from '../../src/source.ts'
import type { Node } from '../../src/tree.ts'
import { effort } from '../support/effort.ts'

/** Trees of texts that are being written: those of finished texts are the trees of the readers. */

const root = new URL('../../examples/', import.meta.url)
const examples = readdirSync(root, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.(?:ya?ml|json|tf|md)$/.test(entry.name))
  .map((entry) => `${entry.parentPath}/${entry.name}`)
  .sort()
const textOf = (path: string) => readFileSync(path, 'utf8')
const notated = (path: string, text = textOf(path)) => sourceOf(path, text, notationOf(path) ?? 'markdown')

/** A tree as both readers see it: what is written, without what its type is. */
function bare(node: Node | LooseNode, text: string): unknown {
  switch (node.kind) {
    case 'list':
      return node.items.map((item) => bare(item, text))
    case 'map':
      return node.entries.map(({ key, value }) => [key.value, key.start, bare(value, text)])
    case 'null':
      return null
    case 'text':
      return 'quote' in node && node.quote === '' && /^(?:null|~)?$/i.test(node.value)
        ? null
        : [
            /^[|>]/.test(text.slice(node.start)) || node.value.includes(' ') ? node.value.split(/\s+/).join(' ').trim() : node.value,
            node.start,
          ]
    default:
      return [text.slice(node.start, node.end), node.start]
  }
}

test('the loose tree of a well-formed file is its tree', async () => {
  let compared = 0
  for (const path of examples.filter((each) => /\.(?:ya?ml|json)$/.test(each))) {
    const source = notated(path)
    const { documents, diagnostics } = await treeOf(source)
    if (diagnostics.length > 0) continue
    compared++
    const loose = looseDocuments(source).map((document) => bare(document, source.text))
    expect(loose, path).toEqual(documents.map((document) => bare(document, source.text)))
  }
  expect(compared).toBeGreaterThan(200)
})

test('every start of every example has a loose tree, symbols and folds, within its text', () => {
  const cases = fc.record({ path: fc.constantFrom(...examples), at: fc.double({ min: 0, max: 1, noNaN: true }), typed: fc.string() })
  fc.assert(
    fc.property(cases, ({ path, at, typed }) => {
      const text = textOf(path)
      const source = notated(path, text.slice(0, Math.floor(at * text.length)) + typed)
      const file = editorFile({ source })
      for (const { start, end } of [...folding(file), ...documentSymbols(file).map(({ range }) => range)]) {
        expect(start).toBeLessThanOrEqual(end)
        expect(end).toBeLessThanOrEqual(source.text.length)
      }
    }),
    { numRuns: effort(1000) },
  )
})

test.each([
  ['json', '{"name": "a", "identities": ["urn:v1:eu', ['name', 'identities']],
  ['json', '{"name":\n"identities": []}', ['name', 'identities']],
  ['json', '{"name": "a" "identities": []}', ['name', 'identities']],
  ['json', '{"na\n"identities": []}', ['na', 'identities']],
  ['yaml', 'name: a\niden\nresources:\n  - urn: x\n', ['name', 'iden', 'resources']],
  ['yaml', 'name: "a\nresources:\n  - urn: "x"\n', ['name', 'resources']],
  ['yaml', 'permissions:\n  allow:\n    - action: a\n  de\nname: x', ['permissions', 'name']],
  ['yaml', 'identities:\n- a\n- \nresources: [x\nname: b', ['identities', 'resources', 'name']],
  ['yaml', 'identities: [a, "b"\nresources:\n  - { urn: x\n  - { urn: y }\nname: b', ['identities', 'resources', 'name']],
  ['yaml', 'identities: { a: \nname: b', ['identities', 'name']],
  ['yaml', 'identities: [\n  a\n]\nresources: [\n  { urn: x\n  },\n]\nname: b', ['identities', 'resources', 'name']],
  ['yaml', 'identities: [\n  a,\n  [b\n# c\nname: b', ['identities', 'name']],
  ['hcl', 'resource "svc_iam_policy" "a" {\n  name = "x\n  allow = [\n  deny = ["a"]\n', ['resource']],
] as const)('of a half-written text (%s) %j the fields are %j', (notation, text, fields) => {
  const [document] = looseDocuments(sourceOf('x', text, notation))
  expect(document?.kind === 'map' && document.entries.map(({ key }) => key.value)).toEqual(fields)
})

test('brackets that are never closed take time linear in the text', () => {
  const text = '[{"a":'.repeat(20_000)
  expect(looseDocuments(sourceOf('x', text, 'json'))).toHaveLength(1)
  expect(looseDocuments(sourceOf('x', `a: ${text}`, 'yaml'))).toHaveLength(1)
  expect(looseDocuments(sourceOf('x', `a = ${text}`, 'hcl'))).toHaveLength(1)
  expect(looseDocuments(sourceOf('x', '- '.repeat(50_000), 'yaml'))).toHaveLength(1)
})
