import { keyOf } from '../keys.ts'
import { columnOf, type Graph, type GraphEdge } from './graph.ts'

/**
 * Positions for the nodes of a graph: a column for each kind, ordered so that few lines cross (barycentres, the best of some
 * sweeps), then moved towards their neighbours. A line that passes a column has its own position in it.
 */
export interface Size {
  readonly width: number
  readonly height: number
}

export interface Placed extends Size {
  /** The left upper corner, for each node of the graph. */
  readonly boxes: readonly (Size & { readonly x: number; readonly y: number })[]
  /** For each edge: where it runs through the columns, from left to right. */
  readonly lines: readonly (readonly Point[])[]
  /** The left edge and the width of each column, by its number. */
  readonly columns: ReadonlyMap<number, { readonly x: number; readonly width: number }>
}

export interface LayoutOptions {
  readonly gap?: number
  /** The least width of each column. */
  readonly least?: readonly number[]
}

export interface Point {
  readonly x: number
  readonly y: number
}

/** A node in a column, or a line that passes through it. */
interface Item {
  readonly height: number
  readonly ahead: number[]
  readonly back: number[]
  /** The middle. */
  y: number
}

const lineHeight = 7
const sweeps = 10
/** Past so many lines only few sweeps are made. */
const manyLines = 600

export function layout(graph: Graph, sizes: readonly Size[], { gap = 10, least = [] }: LayoutOptions = {}): Placed {
  const { nodes, edges } = graph
  const used = [...new Set(nodes.map(({ kind }) => columnOf[kind]))].sort((a, b) => a - b)
  const rank = new Map(used.map((column, i) => [column, i]))
  const rankOf = (place: number) => rank.get(columnOf[(nodes[place] as Graph['nodes'][number]).kind]) as number
  const columns: number[][] = used.map(() => [])
  const items: Item[] = nodes.map((_, place) => {
    columns[rankOf(place)]?.push(place)
    return { height: (sizes[place] as Size).height, ahead: [], back: [], y: 0 }
  })
  const lanes = new Map<string, number>()
  const routes = edges.map((edge) => routeOf(edge, rankOf, items, columns, lanes))
  ordered(columns, items, edges.length > manyLines ? 4 : sweeps)
  spread(columns, items, gap)

  let [x, end] = [0, 0]
  const places = new Map<number, { x: number; width: number }>()
  for (const [i, column] of used.entries()) {
    const width = Math.max(
      least[column] ?? 0,
      ...(columns[i] ?? []).filter((item) => item < nodes.length).map((item) => (sizes[item] as Size).width),
    )
    places.set(column, { x, width })
    end = x + width
    // More lines need more room to be followed.
    const count = (columns[i] ?? []).reduce((sum, item) => sum + (items[item] as Item).ahead.length, 0)
    x = end + Math.min(260, Math.max(70, 40 + count / 2))
  }
  const boxes = nodes.map(({ kind }, place) => {
    const { x, width } = places.get(columnOf[kind]) as { x: number; width: number }
    const { height } = sizes[place] as Size
    return { x, y: (items[place] as Item).y - height / 2, width, height }
  })
  const bottom = Math.max(0, ...items.map(({ y, height }) => y + height / 2))
  const lines = edges.map(({ from, to }, i) => {
    const [a, b] = [boxes[from], boxes[to]] as [(typeof boxes)[number], (typeof boxes)[number]]
    const through = (routes[i] as readonly number[]).flatMap((item, j): Point[] => {
      const { x, width } = places.get(used[rankOf(from) + 1 + j] as number) as { x: number; width: number }
      const { y } = items[item] as Item
      return [
        { x, y },
        { x: x + width, y },
      ]
    })
    const isWithin = a.x === b.x
    return [{ x: a.x + a.width, y: a.y + a.height / 2 }, ...through, { x: isWithin ? b.x + b.width : b.x, y: b.y + b.height / 2 }]
  })
  return { boxes, lines, columns: places, width: end, height: bottom }
}

/**
 * Join the items of an edge: its ends, and one in each column that it passes. The latter are the result. Edges of a kind to
 * the same node share their way: there it leads nowhere else.
 */
function routeOf(
  { from, to, kind, isConditional, isOver }: GraphEdge,
  rankOf: (place: number) => number,
  items: Item[],
  columns: readonly number[][],
  lanes: Map<string, number>,
): readonly number[] {
  const route: number[] = []
  let last = from
  const join = (next: number) => {
    items[last]?.ahead.push(next)
    items[next]?.back.push(last)
    last = next
  }
  let isKnown = false
  for (let i = rankOf(from) + 1; i < rankOf(to); i++) {
    const key = keyOf(i, to, kind, isConditional, isOver)
    const knownLane = lanes.get(key)
    const item = knownLane ?? items.push({ height: lineHeight, ahead: [], back: [], y: 0 }) - 1
    if (knownLane === undefined) {
      lanes.set(key, item)
      columns[i]?.push(item)
    }
    route.push(item)
    if (isKnown) last = item
    else join(item)
    isKnown = knownLane !== undefined
  }
  if (rankOf(from) < rankOf(to) && !isKnown) join(to)
  return route
}

/** Order the items of each column so that few lines cross. */
function ordered(columns: number[][], items: readonly Item[], count: number): void {
  const order = new Int32Array(items.length)
  const number = (column: readonly number[]) => {
    for (const [i, item] of column.entries()) order[item] = i
  }
  const sort = (column: number[], side: 'ahead' | 'back') => {
    const centres = new Map(
      column.map((item, i) => {
        const near = (items[item] as Item)[side]
        return [item, near.length === 0 ? i : near.reduce((sum, other) => sum + (order[other] as number), 0) / near.length]
      }),
    )
    column.sort((a, b) => (centres.get(a) as number) - (centres.get(b) as number))
    number(column)
  }
  for (const column of columns) number(column)
  let best = columns.map((column) => [...column])
  let fewest = crossings(columns, items, order)
  for (let i = 0; i < count && fewest > 0; i++) {
    for (const column of columns.slice(1)) sort(column, 'back')
    for (const column of columns.slice(0, -1).reverse()) sort(column, 'ahead')
    const now = crossings(columns, items, order)
    if (now >= fewest) continue
    fewest = now
    best = columns.map((column) => [...column])
  }
  for (const [i, column] of best.entries()) columns[i]?.splice(0, column.length, ...column)
}

/** How often lines cross, each pair of columns by itself. */
function crossings(columns: readonly number[][], items: readonly Item[], order: Int32Array): number {
  let sum = 0
  for (const [i, column] of columns.entries()) {
    const size = columns[i + 1]?.length ?? 0
    const counts = new Int32Array(size + 1)
    let all = 0
    for (const item of column) {
      const ends = (items[item] as Item).ahead.map((other) => order[other] as number)
      for (const end of ends) {
        let before = 0
        for (let index = end + 1; index > 0; index -= index & -index) before += counts[index] as number
        sum += all - before
      }
      for (const end of ends) {
        all++
        for (let index = end + 1; index <= size; index += index & -index) counts[index] = (counts[index] as number) + 1
      }
    }
  }
  return sum
}

/** Move the items of each column towards what they are joined to, in their order and without overlaps. */
function spread(columns: readonly number[][], items: readonly Item[], gap: number): void {
  for (const column of columns) settle(column, items, gap, () => 0)
  const adjacent = (item: number, side: 'ahead' | 'back') => (items[item] as Item)[side]
  const mean = (item: number, sides: readonly ('ahead' | 'back')[]) => {
    const others = sides.flatMap((side) => adjacent(item, side))
    return others.length === 0 ? (items[item] as Item).y : others.reduce((sum, other) => sum + (items[other] as Item).y, 0) / others.length
  }
  for (let i = 0; i < 6; i++) {
    for (const column of columns.slice(1)) settle(column, items, gap, (item) => mean(item, ['back']))
    for (const column of columns.slice(0, -1).reverse()) settle(column, items, gap, (item) => mean(item, ['ahead']))
    for (const column of columns) settle(column, items, gap, (item) => mean(item, ['back', 'ahead']))
  }
  const top = Math.min(...items.map(({ y, height }) => y - height / 2))
  for (const item of items) item.y -= top
}

/** The positions nearest to the wanted ones at which items do not overlap: isotonic regression, blocks of items that touch moved as one. */
function settle(column: readonly number[], items: readonly Item[], gap: number, wanted: (item: number) => number): void {
  const blocks: { sum: number; count: number; size: number }[] = []
  const offsets: number[] = []
  let offset = 0
  let before = 0
  for (const [i, item] of column.entries()) {
    const { height } = items[item] as Item
    if (i > 0) offset += before / 2 + height / 2 + (before === lineHeight && height === lineHeight ? 2 : gap)
    before = height
    offsets.push(offset)
    blocks.push({ sum: wanted(item) - offset, count: 1, size: 1 })
    for (;;) {
      const [a, b] = blocks.slice(-2)
      if (!a || !b || a.sum / a.count <= b.sum / b.count) break
      blocks.splice(-2, 2, { sum: a.sum + b.sum, count: a.count + b.count, size: a.size + b.size })
    }
  }
  let i = 0
  for (const { sum, count, size } of blocks) {
    for (const end = i + size; i < end; i++) (items[column[i] as number] as Item).y = sum / count + (offsets[i] as number)
  }
}
