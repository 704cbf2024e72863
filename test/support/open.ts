import type { Diagnostic } from '../../src/diagnostic.ts'
import { readTree } from '../../src/parser/tree.ts'
import { readYaml } from '../../src/parser/yaml.ts'
import { sourceOf } from '../../src/source.ts'
import { type Entry, type Node, type TextNode, unknownsIn } from '../../src/tree.ts'

/**
 * A text in which `${name}` is not known, as a notation with expressions would be read: what is in braces is the
 * expression, what is around it is known.
 */
export function readOpen(path: string, text: string) {
  const reading = readTree(sourceOf(path, text), readYaml)
  const documents = reading.documents.map(opened)
  return { ...reading, documents, unknowns: unknownsIn(documents), diagnostics: reading.diagnostics as readonly Diagnostic[] }
}

function opened(node: Node): Node {
  if (node.kind === 'list') return { ...node, items: node.items.map(opened) }
  if (node.kind === 'map') {
    const perhaps = node.entries.filter(({ key }) => key.value === 'perhaps')
    const entries = node.entries.filter((entry) => !perhaps.includes(entry)).map(({ key, value }): Entry => ({ key, value: opened(value) }))
    const facts = perhaps.flatMap(({ value }) => (value.kind === 'text' ? openText(value) : []))
    return { ...node, entries, ...(facts.length > 0 && { perhaps: facts.filter((fact) => fact.kind === 'unknown') }) }
  }
  return node.kind === 'text' ? openText(node) : node
}

function openText(node: TextNode): Node {
  const { source, start, end, value } = node
  const parts = value.split(/\$\{([^}]*)\}/)
  if (parts.length === 1) return node
  const pieces = parts.filter((_, i) => i % 2 === 0)
  const expressions = parts.filter((_, i) => i % 2 === 1)
  const isWhole = pieces.every((piece) => piece === '')
  const expression = isWhole ? (expressions[0] as string) : value
  const base = { kind: 'unknown', source, start, end, expression, scope: '', pieces } as const
  if (isWhole) return { ...base, ...(expression.startsWith('svc_') && { isName: true as const }) }
  // Only texts that are written as they read have places of their own here.
  const at = source.text.indexOf(value, start)
  if (at < 0 || at > end) return base
  const offsets: number[] = []
  const holes: { source: typeof source; start: number; end: number }[] = []
  let place = at
  for (const [i, part] of parts.entries()) {
    const length = i % 2 === 0 ? part.length : part.length + 3
    if (i % 2 === 0) for (let unit = 0; unit < length; unit++) offsets.push(place + unit)
    else holes.push({ source, start: place, end: place + length })
    place += length
  }
  return { ...base, offsets, holes }
}
