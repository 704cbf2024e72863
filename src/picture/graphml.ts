import { declaration, element, xml } from '../report/xml.ts'
import { edgeWords, type Graph, type GraphNode } from './graph.ts'
import { nodeWords, sizeOf } from './graph-svg.ts'
import { layout } from './layout.ts'

/** The graph as GraphML, with the shapes that yEd draws. */

const attributes = [
  ['kind', 'node', 'string'],
  ['label', 'node', 'string'],
  ['name', 'node', 'string'],
  ['type', 'node', 'string'],
  ['note', 'node', 'string'],
  ['line', 'node', 'int'],
  ['over', 'node', 'boolean'],
  ['kind', 'edge', 'string'],
  ['conditional', 'edge', 'boolean'],
  ['over', 'edge', 'boolean'],
  ['count', 'edge', 'int'],
] as const

const shapes: Readonly<Record<GraphNode['kind'], string>> = {
  identity: 'ellipse',
  group: 'ellipse',
  identityPattern: 'ellipse',
  policy: 'rectangle',
  resourceGroup: 'roundrectangle',
  resourcePattern: 'roundrectangle',
  ownership: 'roundrectangle',
  resource: 'rectangle',
}

export function graphmlText(graph: Graph): string {
  const { nodes, edges } = graph
  const { boxes } = layout(graph, nodes.map(sizeOf))
  const data = (key: string, value: string | number | undefined) =>
    value === undefined ? '' : element('data', { key }, xml(String(value)))
  const keys = attributes.map(([name, of, type]) => element('key', { id: `${of}_${name}`, for: of, 'attr.name': name, 'attr.type': type }))
  const graphics = ['node', 'edge'].map((of) => element('key', { id: `${of}_graphics`, for: of, 'yfiles.type': `${of}graphics` }))
  const written = nodes.map((node, i) => {
    const { kind, id, label, type, note, line, isOver } = node
    const { x, y, width, height } = boxes[i] as (typeof boxes)[number]
    const isDashed = kind === 'identityPattern' || kind === 'resourcePattern' || isOver
    const shape = [
      element('y:Geometry', { height, width, x, y }),
      element('y:Fill', { color: '#F6F8FA', transparent: 'false' }),
      element('y:BorderStyle', { color: '#57606A', type: isDashed ? 'dashed' : 'line', width: '1.0' }),
      element('y:NodeLabel', { fontSize: 12 }, xml(label)),
      element('y:Shape', { type: shapes[kind] }),
    ]
    const content = [
      data('node_kind', kind),
      data('node_label', label),
      data('node_name', kind === 'policy' ? nodeWords(node) : id),
      data('node_type', type),
      data('node_note', note),
      data('node_line', line),
      data('node_over', isOver && 'true'),
      element('data', { key: 'node_graphics' }, `\n${element('y:ShapeNode', {}, `\n${shape.join('')}`)}`),
    ]
    return element('node', { id: `n${i}` }, `\n${content.join('')}`)
  })
  const lines = edges.map(({ from, to, kind, isConditional, isOver, count }, i) => {
    const color = isOver ? '#57606A' : kind === 'allow' ? '#1A6B37' : kind === 'deny' ? '#B3261E' : '#57606A'
    const style = [
      element('y:LineStyle', { color, type: isOver ? 'dotted' : isConditional ? 'dashed' : 'line', width: '1.0' }),
      element('y:Arrows', { source: 'none', target: kind === 'deny' ? 'white_delta_bar' : 'standard' }),
      ...(kind === 'deny' ? [element('y:EdgeLabel', { fontSize: 10 }, edgeWords.deny)] : []),
    ]
    const content = [
      data('edge_kind', kind),
      data('edge_conditional', isConditional && 'true'),
      data('edge_over', isOver && 'true'),
      data('edge_count', count),
      element('data', { key: 'edge_graphics' }, `\n${element('y:PolyLineEdge', {}, `\n${style.join('')}`)}`),
    ]
    return element('edge', { id: `e${i}`, source: `n${from}`, target: `n${to}` }, `\n${content.join('')}`)
  })
  const namespaces = { xmlns: 'http://graphml.graphdrawing.org/xmlns', 'xmlns:y': 'http://www.yworks.com/xml/graphml' }
  const whole = element('graph', { id: 'access', edgedefault: 'directed' }, `\n${[...written, ...lines].join('')}`)
  return `${declaration}${element('graphml', namespaces, `\n${[...keys, ...graphics].join('')}${whole}`)}`
}
