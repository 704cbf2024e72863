import { pushTo } from '../collections.ts'
import { keyOf } from '../keys.ts'
import { columnOf, type Graph, type GraphEdge, type GraphNode } from './graph.ts'

/** Parts of a graph, and clusters in the place of many nodes. */

/** The places of the nodes on a path, from an identity to a resource, that passes a node of each of some sets. */
export function onPaths({ nodes, edges }: Graph, through: readonly ReadonlySet<number>[]): ReadonlySet<number> {
  let places = new Set(nodes.keys())
  if (through.length === 0) return places
  for (;;) {
    const [ahead, back] = [neighbours(edges, places, 'to'), neighbours(edges, places, 'from')]
    let next = places
    for (const wanted of through) {
      const start = [...wanted].filter((place) => places.has(place))
      const nodesOnPaths = new Set([...reached(start, ahead), ...reached(start, back)])
      next = new Set([...next].filter((place) => nodesOnPaths.has(place)))
    }
    if (next.size === places.size) return places
    places = next
  }
}

function neighbours(edges: readonly GraphEdge[], places: ReadonlySet<number>, end: 'from' | 'to'): ReadonlyMap<number, number[]> {
  const neighboursByNode = new Map<number, number[]>()
  for (const edge of edges) {
    if (!places.has(edge.from) || !places.has(edge.to)) continue
    const [a, b] = end === 'to' ? [edge.from, edge.to] : [edge.to, edge.from]
    pushTo(neighboursByNode, a, b)
  }
  return neighboursByNode
}

function reached(start: readonly number[], next: ReadonlyMap<number, readonly number[]>): ReadonlySet<number> {
  const found = new Set(start)
  for (const place of found) for (const other of next.get(place) ?? []) found.add(other)
  return found
}

export interface FoldOptions {
  /** A column of more nodes is shown as clusters. */
  readonly most: number
  /** The clusters that are shown as their members, by their ids; `all` is every one. */
  readonly expanded?: ReadonlySet<string>
  /** The places of the nodes that count; all when not given. */
  readonly kept?: ReadonlySet<number>
  /** An expanded cluster of more members is shown as runs of about so many. */
  readonly run?: number
}

interface Cluster {
  readonly id: string
  readonly label: string
  readonly members: readonly number[]
}

/** The graph with clusters in the place of nodes. A cluster has the `id` by which it is expanded. */
export function foldGraph(graph: Graph, options: FoldOptions): Graph {
  const { nodes, edges } = graph
  const { most, expanded = new Set(), kept, run = Number.POSITIVE_INFINITY } = options
  const out: GraphNode[] = []
  const where = new Map<number, number>()
  const put = ({ id, label, members }: Cluster) => {
    const [first] = members as readonly [number]
    const node = nodes[first] as GraphNode
    const place =
      out.push(members.length === 1 ? node : { kind: node.kind, id, label, type: node.type, note: countOf(node, members), members }) - 1
    for (const member of members) where.set(member, place)
  }
  const single = (member: number) => put({ id: '', label: '', members: [member] })
  const neighbours = clusteringsOf(graph)
  /** A cluster as it is, or what it opens to: finer clusters, runs or its members. */
  const unfold = (cluster: Cluster, clusterings: readonly Clustering[]): void => {
    const { id, members } = cluster
    if (members.length === 1 || !expanded.has(id)) put(cluster)
    else if (members.length <= run) members.forEach(single)
    else {
      const finer = clusterings
        .map((clustering) => groupedBy(members, nodes, clustering))
        .findLastIndex(({ length }) => length > 1 && length <= 2 * run)
      if (finer >= 0)
        for (const each of groupedBy(members, nodes, clusterings[finer] as Clustering)) unfold(each, clusterings.slice(0, finer))
      else for (const each of runsOf(cluster, nodes, run)) unfold(each, [])
    }
  }
  for (const [column, columnNodes] of columnsOf(nodes, kept)) {
    if (columnNodes.length <= most || expanded.has('all')) columnNodes.forEach(single)
    else {
      const [clusters, finer] = clustersOf(columnNodes, nodes, neighbours[column] ?? [], most)
      for (const cluster of clusters) unfold(cluster, finer)
    }
  }
  const joined = new Map<string, GraphEdge>()
  for (const edge of edges) {
    const [from, to] = [where.get(edge.from), where.get(edge.to)]
    if (from === undefined || to === undefined || from === to) continue
    const key = keyOf(from, to, edge.kind)
    const sameEdge = joined.get(key)
    joined.set(key, sameEdge ? together(sameEdge, edge) : { ...edge, from, to })
  }
  return { nodes: out, edges: [...joined.values()] }
}

/** The ids of the clusters that can be expanded. */
export function clusterIds(graph: Graph, { most, kept }: Pick<FoldOptions, 'most' | 'kept'>): readonly string[] {
  const clusterings = clusteringsOf(graph)
  return columnsOf(graph.nodes, kept).flatMap(([column, own]) =>
    own.length <= most
      ? []
      : clustersOf(own, graph.nodes, clusterings[column] ?? [], most)[0].flatMap(({ id, members }) => (members.length > 1 ? [id] : [])),
  )
}

function columnsOf(
  nodes: readonly GraphNode[],
  shown: ReadonlySet<number> | undefined,
): readonly (readonly [column: number, places: number[]])[] {
  const columns = new Map<number, number[]>()
  for (const [place, { kind }] of nodes.entries()) {
    if (shown && !shown.has(place)) continue
    pushTo(columns, columnOf[kind], place)
  }
  return [...columns].sort(([a], [b]) => a - b)
}

/** Two edges as one, which says no more than the weaker: over only where both are, conditional where one that is not over is. */
function together(a: GraphEdge, b: GraphEdge): GraphEdge {
  const { isConditional: _, isOver, ...rest } = a
  const isBothOver = isOver && b.isOver
  const counts = (edge: GraphEdge) => edge.isConditional && (isBothOver || !edge.isOver)
  return {
    ...rest,
    ...((counts(a) || counts(b)) && { isConditional: true as const }),
    ...(isBothOver && { isOver }),
    count: (a.count ?? 1) + (b.count ?? 1),
  }
}

/** The cluster of a node, by its id; the id is also what it is called. */
type Clustering = (place: number, node: GraphNode) => string

/** The ways to put the nodes of each column together, from the finest to the coarsest. */
function clusteringsOf({ nodes, edges }: Graph): readonly (readonly Clustering[])[] {
  const groups = new Map<number, string[]>()
  const sizes = new Map<string, number>()
  for (const { from, to, kind } of edges) {
    if (kind !== 'member') continue
    const { label } = nodes[to] as GraphNode
    pushTo(groups, from, label)
    sizes.set(label, (sizes.get(label) ?? 0) + 1)
  }
  const sizeOf = (label: string) => sizes.get(label) ?? 0
  const largest = (labels: readonly string[]) =>
    labels.reduce((a, b) => (sizeOf(b) > sizeOf(a) || (sizeOf(b) === sizeOf(a) && b < a) ? b : a))
  const alone: Clustering = (_, { type }) => `${type} in no group`
  const members = (place: number) => groups.get(place)
  return [
    [
      (place, node) => members(place)?.toSorted().join(' + ') ?? alone(place, node),
      (place, node) => {
        const own = members(place)
        return own ? largest(own) : alone(place, node)
      },
      (_, { type }) => kinds[type] ?? type,
    ],
    [(_, { kind }) => (kind === 'group' ? 'groups' : 'patterns over identities')],
    [(_, { type }) => type, (_, { type }) => folderOf(type), (_, { type }) => type.split('/', 1)[0] as string, () => 'policies'],
    [(_, { kind, type }) => (kind === 'resourcePattern' ? `patterns over ${type}` : type), () => 'resource groups and patterns'],
    [(_, { type }) => type, (_, { type }) => type.split('/', 1)[0] as string, () => 'resources'],
  ]
}

const kinds: Readonly<Record<string, string>> = { user: 'users', credential: 'service accounts', account: 'accounts' }

/** Identities in the same groups are their members. */
function labelOf(id: string, { kind }: GraphNode): string {
  return kind === 'identity' && !Object.values(kinds).includes(id) && !id.endsWith(' in no group') ? `members of ${id}` : id
}

function folderOf(path: string): string {
  const end = path.lastIndexOf('/')
  return end < 0 ? 'policies' : path.slice(0, end)
}

/** The nodes of a column by the finest way that leaves few clusters, else by the coarsest; and the ways that are finer. */
function clustersOf(
  ownClusterings: readonly number[],
  nodes: readonly GraphNode[],
  clusterings: readonly Clustering[],
  most: number,
): readonly [readonly Cluster[], finer: readonly Clustering[]] {
  let clusters: readonly Cluster[] = []
  for (const [i, clustering] of clusterings.entries()) {
    clusters = groupedBy(ownClusterings, nodes, clustering)
    if (clusters.length <= most) return [clusters, clusterings.slice(0, i)]
  }
  return [clusters, clusterings.slice(0, -1)]
}

function groupedBy(places: readonly number[], nodes: readonly GraphNode[], clustering: Clustering): readonly Cluster[] {
  const membersById = new Map<string, number[]>()
  for (const place of places) {
    const id = clustering(place, nodes[place] as GraphNode)
    pushTo(membersById, id, place)
  }
  return [...membersById].map(([id, members]) => ({ id, label: labelOf(id, nodes[members[0] as number] as GraphNode), members }))
}

/** A large cluster as runs of neighbours by name. */
function runsOf({ id, members }: Cluster, nodes: readonly GraphNode[], run: number): readonly Cluster[] {
  const label = (place: number | undefined) => nodes[place as number]?.label ?? ''
  const sorted = members.toSorted((a, b) => (label(a) < label(b) ? -1 : 1))
  const size = Math.max(run, Math.ceil(Math.sqrt(sorted.length)))
  const runs: Cluster[] = []
  for (let i = 0; i < sorted.length; i += size) {
    const part = sorted.slice(i, i + size)
    runs.push({ id: `${id} ${i / size + 1}`, label: `${label(part[0])} … ${label(part.at(-1))}`, members: part })
  }
  return runs
}

const nouns: Readonly<Record<GraphNode['kind'], string>> = {
  identity: 'identities',
  group: 'groups',
  identityPattern: 'patterns',
  policy: 'policies',
  resourceGroup: 'resource groups',
  resourcePattern: 'patterns',
  ownership: 'accounts',
  resource: 'resources',
}

function countOf({ kind }: GraphNode, { length }: readonly number[]): string {
  return `${length} ${nouns[kind]}`
}
