import { plural } from '../report/words.ts'
import { drawing, type Picture, part, rounded, textWidth, truncated, truncatedAmid } from './element.ts'
import { columnOf, columnTitles, edgeMarks, edgeWords, type Graph, type GraphEdge, type GraphNode } from './graph.ts'
import { layout, type Placed, type Point, type Size } from './layout.ts'
import { withEnds } from './short-names.ts'

/** The graph as a picture: a column for each kind of node, arrows from left to right. */

const fontSize = 12
const noteSize = 11
const [narrowest, widest] = [96, 230]
const padding = 10
const margin = 20
const headHeight = 34

export interface GraphPicture {
  readonly title: string
  /** The parts that are not shown, in sentences. */
  readonly notes?: readonly string[]
}

/** The picture as a standalone file. */
export function graphSvg(graph: Graph, { title, notes = [] }: GraphPicture): Picture {
  const placed = layout(graph, graph.nodes.map(sizeOf), { least: columnTitles.map((each) => textWidth(each, 13.5)) })
  const signs = legendOf(graph)
  const width = Math.max(placed.width, 560) + 2 * margin
  const legendTop = headHeight + 30 + placed.height + 28
  const height = legendTop + Math.ceil(signs.length / perRow(width)) * 22 + notes.length * 18 + margin
  return drawing(
    { width, height },
    title,
    [wordsOf(graph), ...notes].join(' '),
    [],
    part('text', { class: 'title', x: margin, y: margin + 8 }, truncated(title, width - 2 * margin, 16)),
    part('g', { transform: `translate(${margin} ${headHeight + 30})` }, ...columnHeadings(placed), ...boxesAndArrows(graph, placed)),
    part('g', { transform: `translate(${margin} ${rounded(legendTop)})` }, ...legendRows(signs, width)),
    ...notes.map((note, i) =>
      part(
        'text',
        { class: 'note', x: margin, y: rounded(height - margin - (notes.length - 1 - i) * 18) },
        truncated(note, width - 2 * margin, noteSize),
      ),
    ),
  )
}

/** Lines first, so that the boxes are drawn over them. */
function boxesAndArrows(graph: Graph, placed: Placed): readonly Picture[] {
  return [
    ...graph.edges.map((edge, i) => edgePicture(edge, graph, placed.lines[i] as readonly Point[])),
    ...graph.nodes.map((node, i) => nodePicture(node, placed.boxes[i] as Placed['boxes'][number])),
  ]
}

/** The graph in a sentence. */
export function wordsOf({ nodes, edges }: Graph): string {
  const counts = columnTitles.flatMap((title, column) => {
    const count = nodes.filter(({ kind }) => columnOf[kind] === column).reduce((sum, { members }) => sum + (members?.length ?? 1), 0)
    return count === 0 ? [] : [`${count} ${title.toLowerCase()}`]
  })
  const denies = edges.filter(({ kind, isOver }) => kind === 'deny' && !isOver).length
  return `${counts.join(', ')}. Arrows lead from who asks, over policies, to what may be used; ${plural(denies, 'arrow')} ${denies === 1 ? 'denies' : 'deny'}.`
}

export function sizeOf({ label, note }: GraphNode): Size {
  const wide = Math.max(textWidth(withEnds(label), fontSize), note === undefined ? 0 : textWidth(note, noteSize))
  return { width: Math.min(widest, Math.max(narrowest, wide + 2 * padding + 6)), height: note === undefined ? 26 : 40 }
}

/** The full description of a node: for a tool tip, and for screen readers. */
export function nodeWords({ kind, label, note, id, type, line, members }: GraphNode): string {
  const what = members ? '' : `${kindWords[kind]} `
  const where = kind === 'policy' && line !== undefined ? `, ${type}:${line}` : ''
  const whole = kind === 'policy' || members || id === label ? '' : ` (${id})`
  return `${what}${label}${whole}${note === undefined ? '' : `: ${note}`}${where}`
}

const kindWords: Readonly<Record<GraphNode['kind'], string>> = {
  identity: 'identity',
  group: 'group',
  identityPattern: 'pattern over identities',
  policy: 'policy',
  resourceGroup: 'resource group',
  resourcePattern: 'pattern over resources',
  ownership: 'ownership:',
  resource: 'resource',
}

function nodeClass({ kind, isOver, members }: GraphNode): string {
  const isPattern = kind === 'identityPattern' || kind === 'resourcePattern'
  return ['node', kind, ...(isPattern ? ['pattern'] : []), ...(isOver ? ['over'] : []), ...(members ? ['cluster'] : [])].join(' ')
}

export function nodePicture(node: GraphNode, { x, y, width, height }: Placed['boxes'][number]): Picture {
  const { kind, label, note, members } = node
  const room = width - 2 * padding - (kind === 'policy' ? 6 : 0)
  const isRound = kind === 'identity' || kind === 'group'
  const name = truncatedAmid(kind === 'identity' ? withEnds(label) : label, room, fontSize)
  const radius = isRound ? 13 : kind === 'policy' ? 0 : kind === 'resource' ? 2 : 8
  const fold = 9
  const outline = (dx: number, dy: number, className: string) =>
    kind === 'policy'
      ? part('path', {
          class: className,
          d: `M${dx} ${dy}h${rounded(width - fold)}l${fold} ${fold}v${rounded(height - fold)}h${rounded(-width)}z`,
        })
      : part('rect', { class: className, x: dx, y: dy, width: rounded(width), height: rounded(height), rx: radius })
  const isStack = members !== undefined || kind === 'group' || kind === 'resourceGroup'
  return part(
    'g',
    { class: nodeClass(node), transform: `translate(${rounded(x)} ${rounded(y)})` },
    part('title', {}, nodeWords(node)),
    ...(isStack ? [outline(3, 3, 'box behind')] : []),
    outline(0, 0, 'box'),
    ...(kind === 'policy' ? [part('path', { class: 'fold', d: `M${rounded(width - fold)} 0v${fold}h${fold}` })] : []),
    part('text', { class: 'name', x: padding, y: note === undefined ? 17 : 16 }, name),
    ...(note === undefined ? [] : [part('text', { class: 'note', x: padding, y: 32 }, truncated(note, room, noteSize))]),
  )
}

function edgeClass({ kind, isConditional, isOver }: GraphEdge): string {
  return ['edge', kind, ...(isConditional ? ['conditional'] : []), ...(isOver ? ['over'] : [])].join(' ')
}

export function edgePicture(edge: GraphEdge, { nodes }: Graph, points: readonly Point[]): Picture {
  const { from, to, kind, isOver, count } = edge
  // An allow and a deny between the same boxes are drawn side by side.
  const shift = kind === 'deny' ? 4 : kind === 'allow' ? -1 : 0
  const end = points.at(-1) as Point
  const arrowEnd = { x: end.x, y: end.y + shift }
  const words = `${nodes[from]?.label} ${edgeWords[kind]} ${nodes[to]?.label}${edgeMarks(edge)}${count === undefined ? '' : ` (${count})`}`
  const tip = isOver ? 'tip' : kind === 'allow' ? 'tip allow' : 'tip'
  const isWithin = points.length === 2 && (points[0] as Point).x === end.x
  const ahead = isWithin ? -1 : 1
  return part(
    'g',
    { class: 'line' },
    part('title', {}, words),
    part('path', { class: edgeClass(edge), d: curve(points, shift, isWithin) }),
    kind === 'deny'
      ? part('path', { class: isOver ? 'bar over' : 'bar', d: `M${rounded(arrowEnd.x - 5)} ${rounded(arrowEnd.y - 6)}v12` })
      : part('path', { class: tip, d: `M${rounded(arrowEnd.x)} ${rounded(arrowEnd.y)}l${-7 * ahead} -3.5v7z` }),
  )
}

/** Curves from column to column, straight through them. */
function curve(points: readonly Point[], shift: number, isWithin: boolean): string {
  const [first, ...rest] = points as readonly [Point, ...Point[]]
  let path = `M${rounded(first.x)} ${rounded(first.y + shift)}`
  if (isWithin) {
    const [end] = rest as [Point]
    return `${path}C${rounded(first.x + 30)} ${rounded(first.y)} ${rounded(end.x + 30)} ${rounded(end.y)} ${rounded(end.x + 7)} ${rounded(end.y)}`
  }
  let last: Point = first
  for (const [i, point] of rest.entries()) {
    const x = i === rest.length - 1 ? point.x - 6 : point.x
    if (i % 2 === 1) path += `H${rounded(x)}`
    else {
      const middle = rounded((last.x + point.x) / 2)
      path += `C${middle} ${rounded(last.y + shift)} ${middle} ${rounded(point.y + shift)} ${rounded(x)} ${rounded(point.y + shift)}`
    }
    last = point
  }
  return path
}

/** The titles of the columns. */
export function columnHeadings({ columns }: Placed): readonly Picture[] {
  return [...columns].map(([column, { x }]) => part('text', { class: 'head', x: rounded(x), y: -14 }, columnTitles[column] as string))
}

// The legend: what occurs, and nothing else.

interface Sign {
  readonly words: string
  readonly edge?: GraphEdge
  readonly node?: GraphNode
}

function legendOf({ nodes, edges }: Graph): readonly Sign[] {
  const edge = (words: string, like: Omit<GraphEdge, 'from' | 'to'>): Sign => ({ words, edge: { from: 0, to: 0, ...like } })
  const has = (kind: GraphEdge['kind'], isConditional: boolean) =>
    edges.some((each) => each.kind === kind && !each.isOver && (each.isConditional === true) === isConditional)
  const hasNode = (kind: GraphNode['kind']) => nodes.some((node) => node.kind === kind)
  const blank = { id: '', label: '', type: '' }
  return [
    ...(has('allow', false) ? [edge('allows', { kind: 'allow' })] : []),
    ...(has('allow', true) ? [edge('allows under a condition', { kind: 'allow', isConditional: true })] : []),
    ...(has('deny', false) ? [edge('denies (wins over every allow)', { kind: 'deny' })] : []),
    ...(has('deny', true) ? [edge('denies under a condition', { kind: 'deny', isConditional: true })] : []),
    ...(edges.some(({ isOver }) => isOver) ? [edge('of a policy that is over', { kind: 'named', isOver: true })] : []),
    ...(hasNode('identityPattern') || hasNode('resourcePattern')
      ? [{ words: 'pattern', node: { ...blank, kind: 'resourcePattern' as const } }]
      : []),
    ...(nodes.some(({ members }) => members)
      ? [{ words: 'several as one', node: { ...blank, kind: 'resource' as const, members: [] } }]
      : []),
  ]
}

/** The meaning of the signs that occur, in rows of a given width. */
export function legend(graph: Graph, width: number): Size & { readonly rows: readonly Picture[] } {
  const signs = legendOf(graph)
  const across = Math.min(signs.length, perRow(width))
  return { rows: legendRows(signs, width), width: across * signWidth, height: Math.ceil(signs.length / Math.max(1, across)) * 22 + 4 }
}

const signWidth = 245
const perRow = (width: number) => Math.max(1, Math.floor((width - 2 * margin) / signWidth))

function legendRows(signs: readonly Sign[], width: number): readonly Picture[] {
  return signs.map(({ words, edge, node }, i) => {
    const [x, y] = [(i % perRow(width)) * signWidth, Math.floor(i / perRow(width)) * 22]
    const sign = edge
      ? edgePicture(edge, { nodes: [], edges: [] }, [
          { x: 0, y: 0 },
          { x: 36, y: 0 },
        ])
      : nodePicture(node as GraphNode, { x: 4, y: -8, width: 26, height: 15 })
    const plain = { ...sign, children: sign.children.filter((child) => typeof child === 'string' || !/^(title|text)$/.test(child.tag)) }
    return part('g', { transform: `translate(${x} ${y})` }, plain, part('text', { class: 'key', x: 44, y: 4 }, words))
  })
}
