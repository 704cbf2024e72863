import { pushTo } from '../../collections.ts'
import { textWidth } from '../../picture/element.ts'
import { foldGraph, onPaths } from '../../picture/fold.ts'
import { columnOf, columnTitles, edgeMarks, edgeWords, type Graph, type GraphEdge, type GraphNode, graphFrom } from '../../picture/graph.ts'
import { columnHeadings, edgePicture, legend, nodePicture, nodeWords, sizeOf } from '../../picture/graph-svg.ts'
import { layout, type Placed } from '../../picture/layout.ts'
import { shown } from '../../report/safe.ts'
import { plural } from '../../report/words.ts'
import type { Kind, Page, Route } from '../app/page.ts'
import { type TableView, table } from '../app/table.ts'
import { add, el, fill, set, svg } from '../dom.ts'
import { draw, untitled } from './draw.ts'
import { partsOf } from './parts.ts'

/**
 * The graph as a picture to explore: clusters first, opened on demand, so that few boxes are drawn for an account of any size.
 * The address has the filters, the open clusters and the chosen box. The same arrows are in a table.
 */

/** A column of more names is clusters; a cluster of more members opens as runs of so many. */
const [mostNodes, run] = [40, 40]
/** So many clusters are open at a time: the first opened closes. */
const mostOpen = 8
const [leastZoom, mostZoom] = [0.25, 2.5]
const margin = 16
const headHeight = 34

const filters = ['identity', 'policy', 'resource'] as const
const columnsOfFilter: Readonly<Record<(typeof filters)[number], readonly number[]>> = { identity: [0, 1], policy: [2], resource: [3, 4] }

interface State {
  readonly identity: string
  readonly policy: string
  readonly resource: string
  readonly type: string
  /** The id of a node that every path has to pass. */
  readonly through: string
  readonly open: readonly string[]
  /** The id of the chosen node. */
  readonly chosen: string
}

export function showGraph(place: HTMLElement, route: Route, page: Page): (route: Route) => boolean {
  const view = new GraphView(place, page)
  let last = route
  let isDrawn = false
  // The graph of a large account is made in one task and drawn in another, so that the page answers between them.
  setTimeout(() => {
    isDrawn = true
    view.use(last)
  })
  return (next) => {
    last = next
    if (isDrawn) view.use(next)
    return true
  }
}

class GraphView {
  private readonly page: Page
  private readonly whole: Graph
  /** The text that a filter searches, for each node of the whole graph. */
  private readonly texts: readonly string[]
  private graph: Graph = { nodes: [], edges: [] }
  private placed: Placed = { boxes: [], lines: [], columns: new Map(), width: 0, height: 0 }
  private boxes: readonly SVGElement[] = []
  private lines: readonly SVGElement[] = []
  private state: State | undefined
  private zoom = 1
  /** The box that the keyboard is at. */
  private at = 0
  private readonly canvas = svg('svg', { class: 'picture canvas', role: 'group', 'aria-label': 'Graph', focusable: 'false' })
  private readonly scroller = el('div', { class: 'graph-scroller' }, this.canvas)
  private readonly panel = el('aside', { class: 'panel', 'aria-label': 'The chosen box', hidden: true })
  private readonly hint = el('p', { class: 'soft', hidden: true }, 'The picture is wider than the window: scroll it sideways. →')
  private readonly count = el('p', { class: 'soft', role: 'status' })
  private readonly chips = el('div', { class: 'chips' })
  private readonly legend = svg('svg', { class: 'picture', role: 'img', 'aria-label': 'Legend' })
  private readonly inputs: Readonly<Record<(typeof filters)[number] | 'type', HTMLInputElement | HTMLSelectElement>>
  private readonly arrows: TableView<GraphEdge>
  private waiting: ReturnType<typeof setTimeout> | undefined

  constructor(place: HTMLElement, page: Page) {
    this.page = page
    this.whole = graphFrom(partsOf(page.data, page.tables))
    this.texts = this.whole.nodes.map(({ label, id }) => `${label}\n${id}`.toLowerCase())
    const search = (label: string) => el('input', { type: 'search', 'aria-label': label, placeholder: label, oninput: () => this.typed() })
    const types = [...new Set(this.whole.nodes.flatMap(({ kind, type }) => (kind === 'resource' ? [type] : [])))].sort()
    this.inputs = {
      identity: search('Identity or group'),
      policy: search('Policy'),
      resource: search('Resource or pattern'),
      type: el(
        'select',
        { 'aria-label': 'Resource type', onchange: () => this.typed() },
        el('option', { value: '' }, 'Any type'),
        ...types.map((type) => el('option', { value: type }, shown(type))),
      ),
    }
    const { nodes } = this.whole
    const name = (place: number) => this.graph.nodes[place]?.label ?? ''
    const columnBy = ({ from }: GraphEdge) => columnOf[(this.graph.nodes[from] as GraphNode).kind]
    this.arrows = table<GraphEdge>({
      caption: 'Arrows of the graph',
      columns: [
        { title: 'From', cell: ({ from }) => this.named(from), by: (edge) => `${columnBy(edge)} ${name(edge.from)}` },
        { title: 'Relation', cell: ({ kind }) => edgeWords[kind], by: ({ kind }) => kind },
        { title: 'To', cell: ({ to }) => this.named(to), by: ({ to }) => name(to) },
        { title: 'When', cell: (edge) => whenWords(edge, this.graph), by: (edge) => whenWords(edge, this.graph) },
        { title: 'Arrows', cell: ({ count = 1 }) => count, by: ({ count = 1 }) => count, isNumber: true },
      ],
      rows: [],
      empty: 'No path passes all filters.',
    })
    const button = (text: string, label: string, act: () => void) =>
      el('button', { type: 'button', 'aria-label': label, title: label, onclick: act }, text)
    place.append(
      el(
        'p',
        { class: 'soft' },
        'Who gets to what, and by which policy: arrows lead from left to right. Boxes with several lines stand for many names; open them with Enter or a double click.',
      ),
      el('div', { class: 'filters' }, ...Object.values(this.inputs), this.chips),
      el(
        'div',
        { class: 'below' },
        this.count,
        el(
          'div',
          { class: 'zoom', role: 'group', 'aria-label': 'Zoom' },
          button('−', 'Smaller', () => this.zoomTo(this.zoom / 1.25)),
          button('+', 'Larger', () => this.zoomTo(this.zoom * 1.25)),
          button('Fit', 'Fit the width', () => this.fit()),
          button('Close all', 'Close all clusters', () => this.go({ open: [] })),
        ),
      ),
      this.hint,
      el('div', { class: 'beside' }, this.scroller, this.panel),
      this.legend,
      el('p', { class: 'soft' }, 'Keys: ', ...keys.flatMap(([names, does]) => [...names.map((name) => el('kbd', {}, name)), does])),
      el('h2', {}, 'The same as a table'),
      this.arrows.element,
    )
    this.canvas.addEventListener('click', (event) => this.clicked(event))
    this.canvas.addEventListener('dblclick', (event) => this.enter(this.placeOf(event.target)))
    this.canvas.addEventListener('keydown', (event) => this.pressed(event))
    this.canvas.addEventListener('focusin', (event) => this.rove(this.placeOf(event.target) ?? this.at))
    this.scroller.addEventListener('wheel', (event) => this.wheeled(event), { passive: false })
    dragging(this.scroller)
    const resized = new ResizeObserver(() => this.hintAtWidth())
    resized.observe(this.scroller)
    page.onLeave(() => resized.disconnect())
    if (nodes.length === 0) fill(this.count, 'Nothing to show.')
  }

  /** Show what an address names. */
  use({ query }: Route): void {
    const before = this.state
    const text = (key: string) => query.get(key) ?? ''
    const state: State = {
      identity: text('identity'),
      policy: text('policy'),
      resource: text('resource'),
      type: text('type'),
      through: text('through'),
      open: query.getAll('open').slice(-mostOpen),
      chosen: text('chosen'),
    }
    this.state = state
    for (const key of [...filters, 'type'] as const) if (this.inputs[key].value !== state[key]) this.inputs[key].value = state[key]
    const shape = ({ chosen: _, ...rest }: State) => JSON.stringify(rest)
    if (!before || shape(before) !== shape(state)) this.build(state, !before)
    this.choose(state.chosen)
  }

  private go(change: Partial<State>): void {
    const { open, ...texts } = { ...(this.state as State), ...change }
    const query = new URLSearchParams(Object.entries(texts).filter(([, value]) => value !== ''))
    for (const each of open) query.append('open', each)
    this.page.go({ name: 'graph', query }, true)
    this.use({ name: 'graph', part: '', query })
  }

  /** Filters follow the keyboard at some distance. */
  private typed(): void {
    clearTimeout(this.waiting)
    this.waiting = setTimeout(() => {
      const { identity, policy, resource, type } = this.inputs
      this.go({ identity: identity.value, policy: policy.value, resource: resource.value, type: type.value })
    }, 150)
  }

  /** The places of the nodes that a path has to pass, for each filter. */
  private wanted(state: State): readonly ReadonlySet<number>[] {
    const { nodes } = this.whole
    const places = (fits: (node: GraphNode, place: number) => boolean) =>
      new Set([...nodes.keys()].filter((place) => fits(nodes[place] as GraphNode, place)))
    return [
      ...filters.flatMap((key) => {
        const text = state[key].toLowerCase()
        return text === ''
          ? []
          : [places(({ kind }, place) => columnsOfFilter[key].includes(columnOf[kind]) && (this.texts[place] as string).includes(text))]
      }),
      ...(state.type === '' ? [] : [places(({ kind, type }) => kind === 'resource' && type === state.type)]),
      ...(state.through === '' ? [] : [places(({ id }) => id === state.through)]),
    ]
  }

  private build(state: State, isFirst: boolean): void {
    const focused = this.boxes.includes(document.activeElement as SVGElement) ? this.graph.nodes[this.at] : undefined
    const nodesOnPaths = onPaths(this.whole, this.wanted(state))
    this.graph = foldGraph(this.whole, { most: mostNodes, expanded: new Set(state.open), kept: nodesOnPaths, run })
    const { nodes, edges } = this.graph
    this.placed = layout(this.graph, nodes.map(sizeOf), { least: columnTitles.map((each) => textWidth(each, 13.5)) })
    const { boxes, lines } = this.placed
    this.lines = edges.map((edge, i) => draw(untitled(edgePicture(edge, this.graph, lines[i] ?? []))))
    const [incoming, outgoing] = [new Int32Array(nodes.length), new Int32Array(nodes.length)]
    for (const { from, to } of edges) {
      incoming[to] = (incoming[to] as number) + 1
      outgoing[from] = (outgoing[from] as number) + 1
    }
    this.boxes = nodes.map((node, i) => {
      const box = draw(nodePicture(node, boxes[i] as Placed['boxes'][number]))
      set(box, 'role', 'button')
      set(box, 'tabindex', -1)
      set(box, 'data-place', i)
      set(box, 'aria-label', `${nodeWords(node)}. ${plural(incoming[i] as number, 'arrow')} in, ${outgoing[i]} out.`)
      if (node.members) set(box, 'aria-expanded', 'false')
      return box
    })
    fill(
      this.canvas,
      svg('g', { transform: `translate(${margin} ${headHeight})` }, ...columnHeadings(this.placed).map(draw), ...this.lines, ...this.boxes),
    )
    const signs = legend(this.graph, this.scroller.parentElement?.clientWidth || 1000)
    fill(this.legend, svg('g', { transform: 'translate(4 12)' }, ...signs.rows.map(draw)))
    set(this.legend, 'width', signs.width)
    set(this.legend, 'height', signs.height)
    set(this.scroller, 'hidden', nodes.length === 0)
    this.arrows.show(edges)
    const many = nodes.filter(({ members }) => members).length
    const words = `${plural(nodesOnPaths.size, 'name')} of ${this.whole.nodes.length}, ${many > 0 ? `in ${nodes.length} boxes, ` : ''}${plural(edges.length, 'arrow')}`
    fill(this.count, nodes.length === 0 ? 'No path passes all filters.' : words)
    fill(this.chips)
    if (state.through !== '') {
      const label = this.whole.nodes.find(({ id }) => id === state.through)?.label ?? shown(state.through)
      add(
        this.chips,
        el(
          'button',
          { type: 'button', class: 'chip', onclick: () => this.go({ through: '' }) },
          `Through ${label} `,
          el('span', { 'aria-hidden': 'true' }, '×'),
          el('span', { class: 'unseen' }, 'remove'),
        ),
      )
    }
    if (isFirst) this.fit()
    else this.zoomTo(this.zoom)
    const again = focused === undefined ? -1 : this.after(focused)
    this.rove(Math.max(0, again))
    if (again >= 0) this.boxes[again]?.focus()
  }

  /** Where a box is after the picture changed: itself, or what has its first member. */
  private after({ id, members }: GraphNode): number {
    const { nodes } = this.graph
    const same = nodes.findIndex((node) => node.id === id)
    if (same >= 0) return same
    const first = members?.[0] ?? this.whole.nodes.findIndex((node) => node.id === id)
    return nodes.findIndex((node) => node.id === this.whole.nodes[first]?.id || node.members?.includes(first))
  }

  // Choosing.

  private choose(id: string): void {
    const { nodes, edges } = this.graph
    const place = id === '' ? -1 : nodes.findIndex((node) => node.id === id)
    this.canvas.classList.toggle('chosen', place >= 0)
    set(this.panel, 'hidden', place < 0)
    if (place < 0) {
      for (const box of this.boxes) set(box, 'aria-pressed', undefined)
      return
    }
    const [back, ahead] = [this.reached(place, 'to', 'from'), this.reached(place, 'from', 'to')]
    for (const [i, box] of this.boxes.entries()) {
      box.classList.toggle('on', back.has(i) || ahead.has(i))
      box.classList.toggle('one', i === place)
      set(box, 'aria-pressed', i === place ? 'true' : undefined)
    }
    for (const [i, line] of this.lines.entries()) {
      const { from, to } = edges[i] as GraphEdge
      line.classList.toggle('on', (back.has(from) && back.has(to)) || (ahead.has(from) && ahead.has(to)))
    }
    this.describe(place)
    this.boxes[place]?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }

  private reached(start: number, end: 'from' | 'to', other: 'from' | 'to'): ReadonlySet<number> {
    const reachedNodes = new Set([start])
    const next = new Map<number, number[]>()
    for (const edge of this.graph.edges) {
      pushTo(next, edge[end], edge[other])
    }
    for (const place of reachedNodes) for (const each of next.get(place) ?? []) reachedNodes.add(each)
    return reachedNodes
  }

  /** The chosen box in words, with what it is joined to. */
  private describe(place: number): void {
    const { nodes, edges } = this.graph
    const node = nodes[place] as GraphNode
    const neighbours = (title: string, mine: 'from' | 'to', other: 'from' | 'to') => {
      const joined = edges.filter((edge) => edge[mine] === place)
      if (joined.length === 0) return []
      return [
        el('h3', {}, title),
        el(
          'ul',
          { class: 'links' },
          ...joined.slice(0, mostListed).map((edge) => {
            const words = edgeWords[edge.kind]
            const when = whenWords(edge, this.graph)
            const go = el(
              'button',
              { type: 'button', class: 'quiet', onclick: () => this.step(edge[other]) },
              nodes[edge[other]]?.label ?? '',
            )
            return el('li', {}, ...(mine === 'from' ? [`${words} `, go] : [go, ` ${words} this`]), when === '' ? '' : ` (${when})`)
          }),
          joined.length > mostListed ? el('li', { class: 'soft' }, `and ${joined.length - mostListed} more`) : '',
        ),
      ]
    }
    const members = node.members?.slice(0, mostListed) ?? []
    fill(
      this.panel,
      el(
        'div',
        { class: 'panel-head' },
        el('h2', {}, node.label),
        el('button', { type: 'button', 'aria-label': 'Close', onclick: () => this.close() }, '×'),
      ),
      el('p', { class: 'soft' }, nodeWords(node)),
      el(
        'p',
        { class: 'actions' },
        node.members
          ? el('button', { type: 'button', onclick: () => this.enter(place) }, 'Open the cluster')
          : [
              this.linkOf(node) ?? '',
              ' ',
              el('button', { type: 'button', onclick: () => this.go({ through: node.id, chosen: '' }) }, 'Only paths through it'),
            ],
      ),
      ...(members.length > 0
        ? [
            el('h3', {}, 'Members'),
            el(
              'ul',
              { class: 'links' },
              ...members.map((member) =>
                el('li', {}, this.linkOf(this.whole.nodes[member] as GraphNode) ?? this.whole.nodes[member]?.label ?? ''),
              ),
              (node.members?.length ?? 0) > mostListed
                ? el('li', { class: 'soft' }, `and ${(node.members?.length ?? 0) - mostListed} more`)
                : '',
            ),
          ]
        : []),
      ...neighbours('From', 'to', 'from'),
      ...neighbours('To', 'from', 'to'),
    )
  }

  private close(): void {
    this.go({ chosen: '' })
    this.boxes[this.at]?.focus()
  }

  /** A link to the page of a node, where it has one. */
  private linkOf({ kind, id, label }: GraphNode): HTMLElement | undefined {
    const name = kind === 'policy' ? this.page.data.policies[Number(id.slice('policy '.length))]?.name : id
    const page = pages[kind]
    return page === undefined || name === undefined ? undefined : this.page.link(page, name, label)
  }

  private named(place: number): HTMLElement | string {
    const node = this.graph.nodes[place] as GraphNode
    return (!node.members && this.linkOf(node)) || `${node.label}${node.members ? ` (${node.note})` : ''}`
  }

  // Keyboard and pointer.

  private placeOf(target: EventTarget | null): number | undefined {
    const place = (target as Element | null)?.closest('[data-place]')?.getAttribute('data-place')
    return place === null || place === undefined ? undefined : Number(place)
  }

  /** Make one box the tab stop. */
  private rove(place: number): void {
    const [before, next] = [this.boxes[this.at], this.boxes[place]]
    if (before) set(before, 'tabindex', -1)
    if (next) set(next, 'tabindex', 0)
    this.at = place
  }

  private step(place: number): void {
    this.rove(place)
    this.go({ chosen: this.graph.nodes[place]?.id ?? '' })
    this.boxes[place]?.focus()
  }

  private clicked(event: Event): void {
    const place = this.placeOf(event.target)
    if (place === undefined) return
    const { id } = this.graph.nodes[place] as GraphNode
    this.boxes[place]?.focus()
    this.go({ chosen: this.state?.chosen === id ? '' : id })
  }

  /** Open a cluster, or the page of a box. */
  private enter(place: number | undefined): void {
    const node = place === undefined ? undefined : this.graph.nodes[place]
    if (!node) return
    if (node.members) {
      this.rove(place as number)
      this.boxes[place as number]?.focus()
      this.page.announce(`${node.label} opened`)
      this.go({ open: [...(this.state?.open ?? []), node.id], chosen: '' })
    } else this.linkOf(node)?.click()
  }

  private pressed(event: KeyboardEvent): void {
    const place = this.placeOf(event.target)
    if (place === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    const { nodes, edges } = this.graph
    const y = (each: number) => this.placed.boxes[each]?.y ?? 0
    const column = (each: number) => columnOf[(nodes[each] as GraphNode).kind]
    const same = [...nodes.keys()].filter((each) => column(each) === column(place)).sort((a, b) => y(a) - y(b))
    /** The neighbour that is nearest in height. */
    const along = (mine: 'from' | 'to', other: 'from' | 'to') =>
      edges
        .filter((edge) => edge[mine] === place)
        .map((edge) => edge[other])
        .sort((a, b) => Math.abs(y(a) - y(place)) - Math.abs(y(b) - y(place)))[0]
    const keys: Readonly<Record<string, () => number | undefined>> = {
      ArrowRight: () => along('from', 'to'),
      ArrowLeft: () => along('to', 'from'),
      ArrowDown: () => same[same.indexOf(place) + 1],
      ArrowUp: () => same[same.indexOf(place) - 1],
      Home: () => same[0],
      End: () => same.at(-1),
    }
    const move = keys[event.key]
    if (move) {
      const next = move()
      if (next !== undefined) {
        this.rove(next)
        this.boxes[next]?.focus()
      }
    } else if (event.key === 'Enter') this.enter(place)
    else if (event.key === ' ') this.clicked(event)
    else if (event.key === 'Escape' && this.state?.chosen) this.close()
    else if (event.key === '+' || event.key === '-') this.zoomTo(this.zoom * (event.key === '+' ? 1.25 : 0.8))
    else return
    event.preventDefault()
  }

  private wheeled(event: WheelEvent): void {
    if (!event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    this.zoomTo(this.zoom * (event.deltaY < 0 ? 1.1 : 1 / 1.1))
  }

  private fit(): void {
    // On a narrow screen one scrolls rather than reads letters of a millimetre.
    this.zoomTo(Math.max(0.6, Math.min(1, (this.scroller.clientWidth || 1000) / (this.placed.width + 2 * margin))))
  }

  private zoomTo(zoom: number): void {
    this.zoom = Math.min(mostZoom, Math.max(leastZoom, zoom))
    const [width, height] = [this.placed.width + 2 * margin, this.placed.height + headHeight + margin]
    set(this.canvas, 'viewBox', `0 0 ${width} ${height}`)
    set(this.canvas, 'width', Math.round(width * this.zoom))
    set(this.canvas, 'height', Math.round(height * this.zoom))
    this.hintAtWidth()
  }

  private hintAtWidth(): void {
    set(this.hint, 'hidden', this.scroller.scrollWidth <= this.scroller.clientWidth)
  }
}

const mostListed = 30

const pages: Partial<Record<GraphNode['kind'], Kind>> = {
  identity: 'identity',
  group: 'group',
  policy: 'policy',
  resourceGroup: 'resource-group',
  resource: 'resource',
}

/** Keys, and what they do. */
const keys: readonly (readonly [names: readonly string[], does: string])[] = [
  [['←', '→'], ' along an arrow, '],
  [['↑', '↓'], ' within a column, '],
  [['Enter'], ' opens, '],
  [['Space'], ' chooses, '],
  [['+', '-'], ' zoom.'],
]

/** When an arrow counts, in words. */
function whenWords(edge: GraphEdge, { nodes }: Graph): string {
  const { from, isConditional, isOver } = edge
  const { kind, note } = nodes[from] as GraphNode
  if (isOver) return 'no longer'
  if (isConditional && kind === 'policy' && note !== undefined && !nodes[from]?.members) return note
  return edgeMarks(edge).replace(/^, /, '')
}

/** Move a picture with the pointer. */
function dragging(scroller: HTMLElement): void {
  let start: { x: number; y: number; left: number; top: number } | undefined
  scroller.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || event.pointerType === 'touch' || (event.target as Element).closest('[data-place]')) return
    start = { x: event.clientX, y: event.clientY, left: scroller.scrollLeft, top: scroller.scrollTop }
    scroller.setPointerCapture(event.pointerId)
  })
  scroller.addEventListener('pointermove', (event) => {
    if (!start) return
    scroller.scrollLeft = start.left - (event.clientX - start.x)
    scroller.scrollTop = start.top - (event.clientY - start.y)
  })
  for (const end of ['pointerup', 'pointercancel'] as const) scroller.addEventListener(end, () => (start = undefined))
}
