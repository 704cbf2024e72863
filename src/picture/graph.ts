import { isPattern, matches } from '../glob.ts'
import { type Policy, titled, type World } from '../policy.ts'
import { conditionWords } from '../report/conditions.ts'
import { Names } from '../report/names.ts'
import { shown } from '../report/safe.ts'
import { position } from '../source.ts'
import { isRoot, thingsIn } from '../symbolic/described.ts'
import { formulaOf, isNever } from '../symbolic/formula.ts'
import { Windows } from '../symbolic/windows.ts'
import { readIdentity } from '../urn/identity.ts'
import { typeAndName } from '../urn/resource.ts'
import { groupsNamed, mayGrant, resourceGroupOf } from '../world.ts'

/**
 * Who gets to what, and by which policy: identity → group or pattern → policy → resource group or pattern → resource. Plain
 * JSON, so that a page can hold it. There is a path with an `allow` wherever a policy may grant something to an identity on
 * a resource; a condition or a deny may still stand against it.
 */
export interface Graph {
  readonly nodes: readonly GraphNode[]
  readonly edges: readonly GraphEdge[]
}

export type NodeKind =
  | 'identity'
  | 'group'
  | 'identityPattern'
  | 'policy'
  | 'resourceGroup'
  | 'resourcePattern'
  /** All that an account owns: nothing can restrict it there. */
  | 'ownership'
  | 'resource'

export interface GraphNode {
  readonly kind: NodeKind
  /** The URN or the pattern; for a policy `policy N`, its number in the world. */
  readonly id: string
  /** Short, and safe to be shown. */
  readonly label: string
  /** What it is put together with where there are many: the kind of identity, the resource type, the file of a policy. */
  readonly type: string
  /** For a policy: when it applies, until when. For a group: that its members are not known. */
  readonly note?: string
  /** The policy has ended, or its condition never holds. */
  readonly isOver?: true
  /** Line of the name of a policy. */
  readonly line?: number
  /** The places in the whole graph of the nodes that this one stands for. */
  readonly members?: readonly number[]
}

export type EdgeKind = 'member' | 'matches' | 'named' | 'allow' | 'deny' | 'owns' | 'contains'

export interface GraphEdge {
  /** Places in `nodes`. */
  readonly from: number
  readonly to: number
  readonly kind: EdgeKind
  /** An allow or a deny under a condition. */
  readonly isConditional?: true
  /** Of a policy that has ended. */
  readonly isOver?: true
  /** How many edges it stands for. */
  readonly count?: number
}

/** The columns of a picture, from left to right. */
export const columnOf: Readonly<Record<NodeKind, number>> = {
  identity: 0,
  group: 1,
  identityPattern: 1,
  policy: 2,
  resourceGroup: 3,
  resourcePattern: 3,
  ownership: 3,
  resource: 4,
}

export const columnTitles = ['Identities', 'Groups and patterns', 'Policies', 'Groups of resources', 'Resources'] as const

/** What an arrow says, in a word or two. */
export const edgeWords: Readonly<Record<EdgeKind, string>> = {
  member: 'is a member of',
  matches: 'matches',
  named: 'is named by',
  allow: 'allows on',
  deny: 'denies on',
  owns: 'owns',
  contains: 'contains',
}

export interface GraphOptions {
  /** The instant at which policies have ended or not. */
  readonly at: number
  readonly names?: Names
  readonly windows?: Windows
}

export function graphOf(world: World, { at, names = new Names([world]), windows = new Windows({ from: at }) }: GraphOptions): Graph {
  const nodes: GraphNode[] = []
  const places = new Map<string, number>()
  const edges = new Map<string, GraphEdge>()
  const add = (node: GraphNode): number => {
    const key = `${node.kind} ${node.id}`
    const place = places.get(key) ?? nodes.push(node) - 1
    places.set(key, place)
    return place
  }
  const join = (from: number, to: number, kind: EdgeKind, marks: Pick<GraphEdge, 'isConditional' | 'isOver'> = {}) =>
    edges.set(`${from} ${to} ${kind}`, { from, to, kind, ...marks })

  // Identities and their groups.
  const { identities, resources } = thingsIn([world])
  const groups = groupsIn(world)
  const person = (urn: string) =>
    add({ kind: groups.has(urn) ? 'group' : 'identity', id: urn, label: names.identity(urn), type: urn.split(':')[4] ?? 'user' })
  const people = [...new Set([...identities, ...groups])].sort()
  for (const urn of people) person(urn)
  for (const [urn, { groups: own }] of world.identities) for (const group of own) join(person(urn), person(group), 'member')

  // Resources and their groups.
  const thing = (urn: string) => add({ kind: 'resource', id: urn, label: names.resource(urn), type: typeAndName(urn).type })
  for (const urn of resources) thing(urn)
  const groupOf = (urn: string) => {
    const group = resourceGroupOf(world, urn)
    const id = group?.urn.value ?? urn
    const note = group?.complete ? {} : { note: group ? 'not all members are known' : 'its members are not known' }
    return add({ kind: 'resourceGroup', id, label: shortGroup(names.resource(id)), type: groupType, ...note })
  }
  for (const { urn, members } of world.resourceGroups.values())
    for (const member of members) join(groupOf(urn.value), thing(member), 'contains')

  // Policies, with the patterns that they name.
  const seen = new Set<number>()
  for (const [number, policy] of world.policies.entries()) {
    const node = policyNode(policy, number, world, at, windows)
    const place = add(node)
    const over = node.isOver ? { isOver: true as const } : {}
    for (const { value } of policy.identities) {
      if (!isPattern(value.glob)) {
        join(person(value.text), place, 'named', over)
        continue
      }
      const from = add({ kind: 'identityPattern', id: value.text, label: names.identity(value.text), type: value.kind })
      if (!seen.has(from)) for (const urn of people) if (matches(value.glob, urn)) join(person(urn), from, 'matches')
      seen.add(from)
      join(from, place, 'named', over)
    }
    const marks = { ...(policy.condition && { isConditional: true as const }), ...over }
    for (const { value } of policy.resources) {
      let to: number
      if (!isPattern(value.glob)) to = value.kind === 'group' ? groupOf(value.text) : thing(value.text)
      else {
        to = add({
          kind: 'resourcePattern',
          id: value.text,
          label: names.resource(value.text),
          type: value.kind === 'group' ? groupType : value.type,
          ...(value.kind === 'group'
            ? { note: 'every group that matches' }
            : value.name === '' && value.type === '*' && { note: 'every resource' }),
        })
        if (!seen.has(to)) {
          if (value.kind === 'group') for (const { urn } of groupsNamed(world, value)) join(to, groupOf(urn.value), 'contains')
          else for (const urn of resources) if (matches(value.glob, urn)) join(to, thing(urn), 'contains')
        }
        seen.add(to)
      }
      if (mayGrant(policy, world)) join(place, to, 'allow', marks)
      if (mayDeny(policy, world)) join(place, to, 'deny', marks)
    }
  }

  // An account may do everything with what it owns.
  for (const urn of identities) {
    const own = readIdentity(urn, { pattern: false }).value?.kind === 'account' ? resources.filter((each) => isRoot(world, urn, each)) : []
    if (own.length === 0) continue
    const to = add({ kind: 'ownership', id: `ownership of ${urn}`, label: 'what the account owns', type: 'ownership' })
    join(person(urn), to, 'owns')
    for (const each of own) join(to, thing(each), 'contains')
  }
  return { nodes, edges: [...edges.values()] }
}

const groupType = 'resource group'

/** `resource group "web servers"` in a column of groups. */
function shortGroup(name: string): string {
  return /^resource group "(.*)"$/.exec(name)?.[1] ?? name
}

/** Every group that is described or named whole. */
function groupsIn({ identities, policies }: World): ReadonlySet<string> {
  const groups = new Set<string>()
  for (const { groups: own } of identities.values()) for (const group of own) groups.add(group)
  for (const policy of policies)
    for (const { value } of policy.identities) if (value.kind === 'group' && !isPattern(value.glob)) groups.add(value.text)
  return groups
}

function policyNode(policy: Policy, number: number, world: World, at: number, windows: Windows): GraphNode {
  const { name, condition, expiresAt, address } = policy
  const { source, start } = name.span
  const formula = condition && formulaOf(condition)
  const ended = expiresAt !== undefined && expiresAt.value < at
  const isNeverSo = formula !== undefined && isNever(formula)
  const end = expiresAt && new Date(expiresAt.value).toISOString().slice(0, 10)
  const when = formula && conditionWords(formula, windows)
  const isOpen = policy.permissionsGroups.some(({ value }) => !world.permissionsGroups.has(value.text))
  const notes = [
    ...(ended ? [`ended ${end}`] : []),
    ...(isNeverSo ? ['never applies'] : when === undefined ? [] : [when]),
    ...(ended || end === undefined ? [] : [`until ${end}`]),
    ...(isOpen ? ['a permissions group is not known'] : []),
  ]
  return {
    kind: 'policy',
    id: `policy ${number}`,
    label: shown(titled(name.value, address)),
    type: source.path,
    line: position(source, start).line,
    ...(notes.length > 0 && { note: notes.join('; ') }),
    ...((ended || isNeverSo) && { isOver: true as const }),
  }
}

/** Whether a policy denies something, as far as is known. */
function mayDeny({ permissions, permissionsGroups }: Policy, world: World): boolean {
  if (permissions.deny.length > 0) return true
  return permissionsGroups.some(({ value }) => (world.permissionsGroups.get(value.text)?.permissions.deny.length ?? 0) > 0)
}
