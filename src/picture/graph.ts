import { covers, type Glob, glob, isPattern, matches, SortedNames } from '../glob.ts'
import { keyOf } from '../keys.ts'
import { type PermissionSet, type Policy, titled, type World } from '../policy.ts'
import { conditionWords } from '../report/conditions.ts'
import { Names } from '../report/names.ts'
import { shown } from '../report/safe.ts'
import { position } from '../source.ts'
import { isRoot, knownNamesIn } from '../symbolic/described.ts'
import { formulaOf, isNever } from '../symbolic/formula.ts'
import { Windows } from '../symbolic/windows.ts'
import { readIdentity } from '../urn/identity.ts'
import { typeAndName } from '../urn/resource.ts'

/**
 * The paths of access, and the policies that give it: identity → group or pattern → policy → resource group or pattern →
 * resource. Plain JSON, so that a page can hold it. There is a path with an `allow` wherever a policy may grant something to an
 * identity on a resource; a condition or a deny may still prevent it.
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
  /** The key for clustering where there are many nodes: the kind of identity, the resource type, the file of a policy. */
  readonly type: string
  /** For a policy: when it applies, until when. For a group: that its members are not known. */
  readonly note?: string
  /** The policy has ended, or its condition never holds. */
  readonly isOver?: true
  /** Line of the name of a policy. */
  readonly line?: number
  /** For a cluster, the indices of its nodes in the whole graph. */
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
  /** The number of edges merged in it. */
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

/** The meaning of an arrow, in a word or two. */
export const edgeWords: Readonly<Record<EdgeKind, string>> = {
  member: 'is a member of',
  matches: 'matches',
  named: 'is named by',
  allow: 'allows on',
  deny: 'denies on',
  owns: 'owns',
  contains: 'contains',
}

/** When what an arrow says holds, after its words. */
export function edgeMarks({ isConditional, isOver, count }: Omit<GraphEdge, 'from' | 'to' | 'kind'>): string {
  return `${isConditional ? `, ${count === undefined ? '' : 'some or all '}under a condition` : ''}${isOver ? ', no longer' : ''}`
}

/** The input of a graph: from a world, or from the tables of a page. */
export interface GraphParts {
  readonly identities: readonly GraphPerson[]
  readonly resources: readonly GraphResource[]
  readonly resourceGroups: readonly GraphResourceGroup[]
  readonly policies: readonly GraphPolicy[]
  /** A pattern as it is shown. */
  readonly identityLabel: (urn: string) => string
  readonly resourceLabel: (urn: string) => string
}

/** An identity or a group. */
export interface GraphPerson {
  readonly urn: string
  readonly label: string
  readonly isGroup: boolean
  /** The groups that it is in. */
  readonly groups: readonly string[]
}

export interface GraphResource {
  readonly urn: string
  readonly label: string
  readonly type: string
  /** The URN of the account that may do everything with it. */
  readonly owner?: string
}

export interface GraphResourceGroup {
  readonly urn: string
  readonly label: string
  readonly members: Iterable<string>
  readonly isComplete: boolean
}

export interface GraphPolicy extends Pick<GraphNode, 'label' | 'type' | 'line' | 'note' | 'isOver'> {
  readonly identities: readonly string[]
  readonly resources: readonly string[]
  readonly isConditional: boolean
  readonly allows: boolean
  readonly denies: boolean
}

export function graphFrom({ identities, resources, resourceGroups, policies, identityLabel, resourceLabel }: GraphParts): Graph {
  const nodes: GraphNode[] = []
  const places = new Map<string, number>()
  const edges = new Map<string, GraphEdge>()
  const add = (node: GraphNode): number => {
    const place = places.get(node.id) ?? nodes.push(node) - 1
    places.set(node.id, place)
    return place
  }
  const join = (from: number, to: number, kind: EdgeKind, marks: Pick<GraphEdge, 'isConditional' | 'isOver'> = {}) =>
    edges.set(keyOf(from, to, kind), { from, to, kind, ...marks })

  for (const { urn, label, isGroup } of identities)
    add({ kind: isGroup ? 'group' : 'identity', id: urn, label, type: urn.split(':')[4] ?? 'user' })
  for (const { urn, groups } of identities)
    for (const group of groups) join(places.get(urn) as number, places.get(group) as number, 'member')
  for (const { urn, label, type } of resources) add({ kind: 'resource', id: urn, label, type })
  for (const { urn, label, members, isComplete } of resourceGroups) {
    const note = isComplete ? {} : { note: 'not all members are known' }
    const from = add({ kind: 'resourceGroup', id: urn, label: shortGroup(label), type: groupType, ...note })
    for (const member of members) join(from, places.get(member) as number, 'contains')
  }
  /** The place of a group, of which the region may not be known. */
  const groupOf = (urn: string) =>
    places.get(urn) ??
    places.get(urn.replace(/^(urn:v1:)[^:]*/, '$1*')) ??
    add({ kind: 'resourceGroup', id: urn, label: shortGroup(resourceLabel(urn)), type: groupType, note: 'its members are not known' })

  const [identitiesByName, resourcesByName] = [identities, resources].map((items) => new SortedNames(items.map(({ urn }) => urn))) as [
    SortedNames,
    SortedNames,
  ]
  /** The places of those that a pattern matches, in the order in which they were added. */
  const matching = (names: SortedNames, pattern: Glob) =>
    names
      .matching(pattern)
      .map((urn) => places.get(urn) as number)
      .sort((a, b) => a - b)
  const identityOf = (urn: string) => {
    const existing = places.get(urn)
    if (existing !== undefined) return existing
    const to = add({ kind: 'identityPattern', id: urn, label: identityLabel(urn), type: urn.split(':')[4] ?? 'user' })
    const pattern = glob(urn)
    for (const each of matching(identitiesByName, pattern)) join(each, to, 'matches')
    return to
  }
  const resourceOf = (urn: string) => {
    const knownPlace = places.get(urn)
    const isGroup = urn.split(':', 4)[3] === 'resourceGroup'
    if (knownPlace !== undefined) return knownPlace
    const pattern = glob(urn)
    if (isGroup && !isPattern(pattern)) return groupOf(urn)
    const [, , region = '', , type = ''] = urn.split(':')
    const note = isGroup ? 'every group that matches' : /:resource:\*$/.test(urn) ? 'every resource' : undefined
    const label = isGroup ? shortGroup(resourceLabel(urn)) : resourceLabel(urn)
    const from = add({ kind: 'resourcePattern', id: urn, label, type: isGroup ? groupType : type, ...(note !== undefined && { note }) })
    if (!isGroup) for (const each of matching(resourcesByName, pattern)) join(from, each, 'contains')
    for (const each of isGroup ? resourceGroups : [])
      if (matches(pattern, each.urn.replace(/^urn:v1:\*/, `urn:v1:${region}`))) join(from, places.get(each.urn) as number, 'contains')
    return from
  }
  for (const [number, { identities, resources, isConditional, allows, denies, ...rest }] of policies.entries()) {
    const place = add({ kind: 'policy', id: `policy ${number}`, ...rest })
    const over = rest.isOver ? { isOver: true as const } : {}
    for (const urn of identities) join(identityOf(urn), place, 'named', over)
    const marks = { ...(isConditional && { isConditional: true as const }), ...over }
    for (const urn of resources) {
      const to = resourceOf(urn)
      if (allows) join(place, to, 'allow', marks)
      if (denies) join(place, to, 'deny', marks)
    }
  }
  for (const { urn, owner } of resources) {
    const account = owner === undefined ? undefined : places.get(owner)
    if (account === undefined) continue
    const to = add({ kind: 'ownership', id: `ownership of ${owner}`, label: 'what the account owns', type: 'ownership' })
    join(account, to, 'owns')
    join(to, places.get(urn) as number, 'contains')
  }
  return { nodes, edges: [...edges.values()] }
}

export interface GraphOptions {
  /** The instant at which policies have ended or not. */
  readonly at: number
  readonly names?: Names
}

export function graphOf(world: World, { at, names = new Names([world]) }: GraphOptions): Graph {
  const windows = new Windows({ from: at })
  const things = knownNamesIn([world])
  const groups = groupsIn(world)
  const accounts = things.identities.filter((urn) => readIdentity(urn, { pattern: false }).value?.kind === 'account')
  const ownerOf = (resource: string) => accounts.find((urn) => isRoot(world, urn, resource))
  return graphFrom({
    identities: [...new Set([...things.identities, ...groups])].sort().map((urn) => ({
      urn,
      label: names.identity(urn),
      isGroup: groups.has(urn),
      groups: world.identities.get(urn)?.groups ?? [],
    })),
    resources: things.resources.map((urn) => {
      const owner = ownerOf(urn)
      return { urn, label: names.resource(urn), type: typeAndName(urn).type, ...(owner !== undefined && { owner }) }
    }),
    resourceGroups: [...world.resourceGroups.values()].map(({ urn, members, complete }) => ({
      urn: urn.value,
      label: names.resource(urn.value),
      members,
      isComplete: complete,
    })),
    policies: world.policies.map((policy) => policyPart(policy, world, at, windows)),
    identityLabel: (urn) => names.identity(urn),
    resourceLabel: (urn) => names.resource(urn),
  })
}

const groupType = 'resource group'

/** `resource group "web servers"` in a column of groups. */
function shortGroup(name: string): string {
  return /^resource group "(.*)"$/.exec(name)?.[1] ?? name
}

/** Every group that is described or named whole. */
function groupsIn({ identities, policies }: World): ReadonlySet<string> {
  const groups = new Set<string>()
  for (const { groups: identityGroups } of identities.values()) for (const group of identityGroups) groups.add(group)
  for (const policy of policies)
    for (const { value } of policy.identities) if (value.kind === 'group' && !isPattern(value.glob)) groups.add(value.text)
  return groups
}

function policyPart(policy: Policy, world: World, instant: number, windows: Windows): GraphPolicy {
  const { name, condition, expiresAt, address, identities, resources, permissionsGroups } = policy
  const { source, start } = name.span
  const formula = condition && formulaOf(condition)
  const isOpen = permissionsGroups.some(({ value }) => !world.permissionsGroups.has(value.text))
  const when = formula && conditionWords(formula, windows)
  return {
    label: shown(titled(name.value, address)),
    type: source.path,
    line: position(source, start).line,
    ...policyState({
      at: instant,
      when,
      isNever: formula !== undefined && (isNever(formula) || when === 'never'),
      expires: expiresAt?.value,
      isOpen,
    }),
    identities: identities.map(({ value }) => value.text),
    resources: resources.map(({ value }) => value.text),
    isConditional: condition !== undefined,
    allows: isOpen || setsOf(policy, world).some(({ allow, except }) => isPartlyLeft(globsOf(allow), globsOf(except))),
    denies: mayDeny(policy, world),
  }
}

/** The permissions of a policy, and those of the groups that it names. */
function setsOf({ permissions, permissionsGroups }: Policy, { permissionsGroups: known }: World): readonly PermissionSet[] {
  return [permissions, ...permissionsGroups.flatMap(({ value }) => known.get(value.text)?.permissions ?? [])]
}

const globsOf = (list: PermissionSet['allow']) => list.map(({ value }) => value)

/** Whether an entry allows something that no entry of `except` takes away whole. */
export function isPartlyLeft(allow: readonly Glob[], except: readonly Glob[]): boolean {
  return allow.some((entry) => !except.some((other) => covers(other, entry)))
}

export interface PolicyState {
  readonly at: number
  /** Its condition in words. */
  readonly when: string | undefined
  readonly isNever: boolean
  readonly expires: number | undefined
  /** A permissions group is not known. */
  readonly isOpen: boolean
}

/** When a policy applies, in words, and whether it is over. */
export function policyState({ at, when, isNever, expires, isOpen }: PolicyState): Pick<GraphNode, 'note' | 'isOver'> {
  const hasEnded = expires !== undefined && expires < at
  const end = expires === undefined ? [] : [`${hasEnded ? 'ended' : 'until'} ${new Date(expires).toISOString().slice(0, 10)}`]
  const condition = isNever ? ['never applies'] : when === undefined ? [] : [when]
  const notes = [
    ...(hasEnded ? end : []),
    ...condition,
    ...(hasEnded ? [] : end),
    ...(isOpen ? ['a permissions group is not described'] : []),
  ]
  return { ...(notes.length > 0 && { note: notes.join('; ') }), ...((hasEnded || isNever) && { isOver: true as const }) }
}

/** Whether a policy denies something, as far as is known. */
export function mayDeny(policy: Policy, world: World): boolean {
  return setsOf(policy, world).some(({ deny }) => deny.length > 0)
}
