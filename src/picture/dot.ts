import { pushTo } from '../collections.ts'
import { columnOf, edgeMarks, edgeWords, type Graph, type GraphNode } from './graph.ts'
import { nodeWords } from './graph-svg.ts'

/** The graph in the language of Graphviz. */

const shapes: Readonly<Record<GraphNode['kind'], string>> = {
  identity: 'oval',
  group: 'oval',
  identityPattern: 'oval',
  policy: 'note',
  resourceGroup: 'folder',
  resourcePattern: 'box',
  ownership: 'box',
  resource: 'box',
}

/** A text as Graphviz shows it: it reads escapes, and entities of HTML. */
function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&').replaceAll('&', '&amp;')}"`
}

export function dotText(graph: Graph, notes: readonly string[]): string {
  const { nodes, edges } = graph
  const ids = uniqueIds(nodes)
  const columns = new Map<number, string[]>()
  for (const [i, { kind }] of nodes.entries()) pushTo(columns, columnOf[kind], ids[i] as string)
  return [
    ...notes.map((note) => `// ${note}`),
    'digraph access {',
    '  rankdir=LR; ranksep=1.2; nodesep=0.15',
    '  node [fontname="Helvetica,Arial,sans-serif" fontsize=11 height=0.3]',
    '  edge [color="#57606a" arrowsize=0.7]',
    ...nodes.map((node, i) => {
      const { kind, label, note, isOver, members } = node
      const isPattern = kind === 'identityPattern' || kind === 'resourcePattern'
      const style = [...(isPattern || isOver ? ['dashed'] : []), ...(members ? ['rounded'] : [])]
      const attributes = [
        `label=${note === undefined ? quoted(label) : `${quoted(label).slice(0, -1)}\\n${quoted(note).slice(1)}`}`,
        `shape=${shapes[kind]}`,
        ...(kind === 'group' || members ? ['peripheries=2'] : []),
        ...(style.length > 0 ? [`style="${style.join(',')}"`] : []),
        ...(isOver ? ['color="#57606a" fontcolor="#57606a"'] : []),
        `tooltip=${quoted(nodeWords(node))}`,
      ]
      return `  ${ids[i]} [${attributes.join(' ')}]`
    }),
    ...[...columns].sort(([a], [b]) => a - b).map(([, own]) => `  { rank=same; ${own.join('; ')} }`),
    ...edges.map((edge) => {
      const { from, to, kind, isConditional, isOver, count } = edge
      const style = isOver ? 'dotted' : isConditional ? 'dashed' : 'solid'
      const attributes = [
        ...(kind === 'allow' ? ['color="#1a6b37" penwidth=1.4'] : kind === 'deny' ? ['color="#b3261e" penwidth=2 arrowhead=tee'] : []),
        ...(style === 'solid' ? [] : [`style=${style}`]),
        `tooltip=${quoted(`${edgeWords[kind]}${edgeMarks(edge)}`)}`,
        ...(count === undefined ? [] : [`label="${count}"`]),
        ...(columnOf[(nodes[from] as GraphNode).kind] === columnOf[(nodes[to] as GraphNode).kind] ? ['constraint=false'] : []),
      ]
      return `  ${ids[from]} -> ${ids[to]} [${attributes.join(' ')}]`
    }),
    '}',
    '',
  ].join('\n')
}

/** Readable ids that stay the same where nodes are added: kind and label, with a number where two have the same. */
function uniqueIds(nodes: readonly GraphNode[]): readonly string[] {
  const counts = new Map<string, number>()
  return nodes.map(({ kind, label }) => {
    const id = `${kind} ${label}`
    const count = (counts.get(id) ?? 0) + 1
    counts.set(id, count)
    return quoted(count === 1 ? id : `${id} (${count})`)
  })
}
