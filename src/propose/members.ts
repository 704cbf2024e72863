import { removeItems } from '../edits.ts'
import { factsText } from '../lint/prove.ts'
import { plainTreeOf } from '../parser/plain-tree.ts'
import type { Facts, IdentityFact } from '../parser/policy.ts'
import { isHcl, type Span } from '../source.ts'
import type { Edits } from '../texts.ts'
import { field, type ListNode, type MapNode, type Node } from '../tree.ts'
import { appendEntries, appendMap, putList } from './insert.ts'
import type { Membership } from './plan.ts'
import { edited, type File, type Pair, type Read } from './write.ts'

/** Memberships written into the files that describe them. */

/** Files before and after, as they are changed step by step. */
export type Pairs = Pair[]

/** Write a membership; false where no file describes it in a layout that is understood. */
export async function writeMembership(pairs: Pairs, membership: Membership, read: Read): Promise<boolean> {
  const { of, member, group, isMember } = membership
  const facts = pairs.map(({ after }) => after?.read.facts)
  const isAbout = (each: Facts | undefined) =>
    of === 'identity'
      ? each?.identities.some(({ urn, groups }) => urn.value === member && (isMember || groups.includes(group)))
      : each?.resourceGroups.some(({ urn, members }) => urn.value === group && (isMember || members.includes(member)))
  const places = [...facts.keys()].filter((i) => isAbout(facts[i]))
  if (isMember && of === 'identity' && places.length === 0) {
    const first = facts.findIndex((each) => (each?.identities.length ?? 0) > 0)
    return first >= 0 && writeIn(pairs, first, membership, read)
  }
  // Where something is described twice, both descriptions have to agree.
  for (const i of places) if (!(await writeIn(pairs, i, membership, read))) return false
  return places.length > 0
}

async function writeIn(pairs: Pairs, i: number, membership: Membership, read: Read): Promise<boolean> {
  const pair = pairs[i]
  const file = pair?.after
  if (!pair || !file || file.read.kind === 'declared' || isHcl(file.source.notation)) return false
  const { documents } = await plainTreeOf(file.source)
  const now = await edited(file, editsFor(file, documents, membership), read)
  if (!now || inventory(now.read.facts, membership) !== inventory(changed(file.read.facts, membership), membership)) return false
  pairs[i] = { before: pair.before, after: now }
  return true
}

/** All that a file says, apart from what else its list of members happens to say of a resource. */
function inventory(facts: Facts, { member }: Membership): string {
  return factsText({ ...facts, resources: facts.resources.filter(({ urn }) => urn.value !== member) })
}

function changed(facts: Facts, { of, member, group, isMember }: Membership): Facts {
  const without = (list: readonly string[], name: string) => list.filter((each) => each !== name)
  if (of === 'resource') {
    const resourceGroups = facts.resourceGroups.map((each) =>
      each.urn.value === group ? { ...each, members: isMember ? [...each.members, member] : without(each.members, member) } : each,
    )
    return { ...facts, resourceGroups }
  }
  const isKnown = facts.identities.some(({ urn }) => urn.value === member)
  const identities = facts.identities.map((each) =>
    each.urn.value === member ? listing(each, isMember ? [...each.groups, group] : without(each.groups, group)) : each,
  )
  const last = facts.identities.at(-1)
  if (isKnown || !last) return { ...facts, identities }
  return { ...facts, identities: [...identities, listing({ ...last, urn: { ...last.urn, value: member } }, [group])] }
}

function listing({ urn, span }: IdentityFact, groups: readonly string[]): IdentityFact {
  return { urn, groups, span }
}

function editsFor({ source, read: { facts } }: File, documents: readonly Node[], membership: Membership): readonly Edits[] {
  const { of, member, group, isMember } = membership
  const { notation } = source
  const [listed, key, name, holderFacts] =
    of === 'identity'
      ? (['groups', undefined, group, facts.identities] as const)
      : (['resources', 'urn', member, facts.resourceGroups] as const)
  const subject = of === 'identity' ? member : group
  const holders = holderFacts.filter(({ urn }) => urn.value === subject)
  if (holders.length === 0) {
    const last = facts.identities.at(-1)
    const list = last && listAround(documents, last.span)
    return [list && appendMap(list, { urn: member, groups: [group] })]
  }
  return holders.map((holder) => {
    const map = mapAt(documents, holder.span)
    const list = map && field(map, listed)
    if (!map) return undefined
    if (isMember) return list?.kind === 'list' ? appendEntries(list, key, [name], notation) : putList(map, listed, key, [name], notation)
    if (list?.kind !== 'list') return []
    const textOf = (item: Node) => (key === undefined || item.kind !== 'map' ? item : field(item, key))
    const indices = list.items.flatMap((item, i) => {
      const text = textOf(item)
      return text?.kind === 'text' && text.value === name ? [i] : []
    })
    return removeItems(list, indices)
  })
}

function mapAt(documents: readonly Node[], { start }: Span): MapNode | undefined {
  for (const node of nodesIn(documents)) if (node.kind === 'map' && node.start === start) return node
  return undefined
}

/** The list that contains an item. */
function listAround(documents: readonly Node[], { start }: Span): ListNode | undefined {
  for (const node of nodesIn(documents))
    if (node.kind === 'list' && node.items.some((item) => item.kind === 'map' && item.start === start)) return node
  return undefined
}

function* nodesIn(nodes: readonly Node[]): Iterable<Node> {
  const open = [...nodes]
  for (let node = open.pop(); node; node = open.pop()) {
    yield node
    if (node.kind === 'list') open.push(...node.items)
    if (node.kind === 'map') open.push(...node.entries.map(({ value }) => value))
  }
}
