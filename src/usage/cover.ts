import { Budget, spend } from '../budget.ts'
import { groupedBy } from '../collections.ts'
import { keyOf } from '../keys.ts'

/** Who may do what to what: three names, or patterns, which count as names here. */
export interface AccessTriple {
  readonly identity: string
  readonly action: string
  readonly resource: string
}

/** All of these identities may do all of these actions on all of these resources. Sorted. */
export interface Product {
  readonly identities: readonly string[]
  readonly actions: readonly string[]
  readonly resources: readonly string[]
}

export interface Cover {
  readonly products: readonly Product[]
  /** True: fewer products cannot do, as so many triples show of which no two fit in one product. */
  readonly isFewest: boolean
}

/** The limit of the search for large products, in steps; beyond it the simple cover is used. */
const budget = 4_000_000

type Dimension = 0 | 1 | 2
const orders: readonly (readonly [Dimension, Dimension, Dimension])[] = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
]

/** A product over numbered classes. */
type Box = readonly [ReadonlySet<number>, ReadonlySet<number>, ReadonlySet<number>]
type Point = readonly [number, number, number]

/**
 * Products that together hold exactly the triples: none holds anything else. As few as are found: names that occur with the
 * same others are taken together first, which loses nothing; then the largest products are taken one after the other.
 */
export function coverOf(triples: readonly AccessTriple[], run: Budget = new Budget()): Cover {
  const { points, members } = classesOf(triples)
  const [identityNames = [], actionNames = [], resourceNames = []] = members
  const relation = new Relation(points)
  const simple = simpleCover(points)
  const greedy = greedyCover(points, relation, run)
  const chosen = slim(points, run, greedy && greedy.length < simple.length ? greedy : simple)
  const products = chosen.map(
    ([identities, actions, resources]): Product => ({
      identities: namesIn(identities, identityNames),
      actions: namesIn(actions, actionNames),
      resources: namesIn(resources, resourceNames),
    }),
  )
  return { products: products.sort(compareProducts), isFewest: mustBeApart(points, relation, run, chosen.length) >= chosen.length }
}

const namesIn = (classes: ReadonlySet<number>, members: readonly (readonly string[])[]) =>
  [...classes].flatMap((each) => members[each] as readonly string[]).sort()

function compareProducts(a: Product, b: Product): number {
  const key = ({ identities, resources, actions }: Product) => [identities, resources, actions].map((list) => list.join('\n')).join('\n\n')
  return key(a) < key(b) ? -1 : 1
}

/** Names that occur with the same pairs of others are of one class. */
function classesOf(triples: readonly AccessTriple[]): {
  readonly points: readonly Point[]
  readonly members: readonly (readonly string[][])[]
} {
  const parts = triples.map(({ identity, action, resource }) => [identity, action, resource] as const)
  const numbers = [0, 1, 2].map((dimension) => {
    const byName = groupedBy(parts, (part) => part[dimension] as string)
    const othersOf = (name: string) => (byName.get(name) ?? []).map((part) => keyOf(part.filter((_, i) => i !== dimension)))
    const members = [...groupedBy([...byName.keys()].sort(), (name) => keyOf(othersOf(name).sort())).values()]
    return { members, classOf: new Map(members.flatMap((names, i) => names.map((name) => [name, i] as const))) }
  })
  const points = new Map<string, Point>()
  for (const part of parts) {
    const point = numbers.map(({ classOf }, i) => classOf.get(part[i] as string) as number) as unknown as Point
    points.set(keyOf(point), point)
  }
  return { points: [...points.values()].sort(comparePoints), members: numbers.map(({ members }) => members) }
}

const comparePoints = (a: Point, b: Point) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]

class Relation {
  private readonly keys: ReadonlySet<number>
  private readonly sizes: readonly [number, number]
  readonly spans: Point

  constructor(points: readonly Point[]) {
    const span = (dimension: Dimension) => points.reduce((most, point) => Math.max(most, point[dimension] + 1), 1)
    this.spans = [span(0), span(1), span(2)]
    this.sizes = [this.spans[1], this.spans[2]]
    this.keys = new Set(points.map((point) => this.key(point[0], point[1], point[2])))
  }

  private key(i: number, a: number, r: number): number {
    return (i * this.sizes[0] + a) * this.sizes[1] + r
  }

  has(i: number, a: number, r: number): boolean {
    return this.keys.has(this.key(i, a, r))
  }

  /** Whether two points fit in one product. */
  joins(p: Point, q: Point): boolean {
    for (const i of [p[0], q[0]]) for (const a of [p[1], q[1]]) for (const r of [p[2], q[2]]) if (!this.has(i, a, r)) return false
    return true
  }
}

/** Groups actions by identity and resource, then resources by identity and actions, then identities with the same actions and resources. */
function simpleCover(points: readonly Point[]): readonly Box[] {
  const pairs = [...groupedBy(points, ([i, , r]) => `${i} ${r}`).values()].map((own) => {
    const [i, , r] = own[0] as Point
    return { i, actions: own.map(([, a]) => a), r }
  })
  const wholes = [...groupedBy(pairs, ({ i, actions }) => keyOf(i, actions)).values()].map((own) => ({
    ...(own[0] as (typeof pairs)[number]),
    resources: own.map(({ r }) => r).sort((a, b) => a - b),
  }))
  return [...groupedBy(wholes, ({ actions, resources }) => keyOf(actions, resources)).values()].map((own): Box => {
    const { actions, resources } = own[0] as (typeof wholes)[number]
    return [new Set(own.map(({ i }) => i)), new Set(actions), new Set(resources)]
  })
}

/** The largest products first; undefined where looking for them takes too long. */
function greedyCover(points: readonly Point[], relation: Relation, run: Budget): readonly Box[] | undefined {
  // The rest is for the comparison with what is in force.
  const allowance = run.share(Math.min(budget, run.left / 4))
  const candidates = new Map<string, Box>()
  for (const point of points) {
    for (const order of orders) {
      const box: [Set<number>, Set<number>, Set<number>] = [new Set([point[0]]), new Set([point[1]]), new Set([point[2]])]
      for (const dimension of order) {
        for (let value = 0; value < relation.spans[dimension]; value++) {
          if (box[dimension].has(value)) continue
          const grown = box.map((set, i) => (i === dimension ? [value] : [...set])) as unknown as readonly [number[], number[], number[]]
          if (!spend(allowance, 1 + grown[0].length + grown[1].length + grown[2].length)) return undefined
          if (grown[0].every((i) => grown[1].every((a) => grown[2].every((r) => relation.has(i, a, r))))) box[dimension].add(value)
        }
      }
      candidates.set(keyOf(box.map((set) => [...set].sort((a, b) => a - b))), box)
    }
  }
  const open = new Set(points)
  const chosen: Box[] = []
  while (open.size > 0) {
    let best: { readonly box: Box; readonly covered: readonly Point[] } | undefined
    for (const box of candidates.values()) {
      if (!spend(allowance, open.size)) return undefined
      const covered = [...open].filter((point) => holds(box, point))
      if (!best || covered.length > best.covered.length) best = { box, covered }
    }
    if (!best) return undefined
    chosen.push(best.box)
    for (const point of best.covered) open.delete(point)
  }
  return chosen
}

const holds = (box: Box, point: Point) => box[0].has(point[0]) && box[1].has(point[1]) && box[2].has(point[2])

/** Products that the others cover are taken out, and so are names of a product that the others make up for. */
function slim(points: readonly Point[], run: Budget, boxes: readonly Box[]): readonly Box[] {
  if (points.length * boxes.length > budget || !run.affords(points.length * boxes.length)) return boxes
  let remaining = boxes.map((box) => box.map((set) => new Set(set)) as unknown as readonly [Set<number>, Set<number>, Set<number>])
  const isCoveredWithout = (box: (typeof remaining)[number], point: Point) =>
    remaining.some((other) => other !== box && holds(other, point))
  for (const box of [...remaining].reverse()) {
    if (points.every((point) => !holds(box, point) || isCoveredWithout(box, point))) remaining = remaining.filter((each) => each !== box)
  }
  for (const box of remaining) {
    for (const dimension of [0, 1, 2] as const) {
      for (const value of [...box[dimension]]) {
        const slice = points.filter((point) => point[dimension] === value && holds(box, point))
        if (box[dimension].size > 1 && slice.every((point) => isCoveredWithout(box, point))) box[dimension].delete(value)
      }
    }
  }
  return remaining
}

/** How many points are compared with each other to find those first that fit together with few. */
const mostCompared = 600

/** How many points are found of which no two fit in one product: so many products are needed. Stops at `enough`. */
function mustBeApart(points: readonly Point[], relation: Relation, run: Budget, enough: number): number {
  if (points.length * enough > budget || !run.affords(points.length * enough)) return 0
  const friends = (point: Point) => points.reduce((count, other) => count + (relation.joins(point, other) ? 1 : 0), 0)
  const order =
    points.length > mostCompared
      ? points
      : points
          .map((point) => [friends(point), point] as const)
          .sort(([a], [b]) => a - b)
          .map(([, point]) => point)
  const apart: Point[] = []
  for (const point of order) {
    if (apart.length >= enough) break
    if (apart.every((other) => !relation.joins(point, other))) apart.push(point)
  }
  return apart.length
}
