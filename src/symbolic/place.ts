import { covers, type Glob, glob, isPattern, matches, overlaps } from '../glob.ts'
import type { Policy, World } from '../policy.ts'
import type { ResourceGroupUrn, ResourceUrn } from '../urn/resource.ts'
import { groupsNamed, isOpenGroup } from '../world.ts'
import { type Formula, isMember } from './formula.ts'
import { meetIfFeasible } from './patterns.ts'

/** Where an entry applies (docs/analysis.md, Places): to what a pattern matches, or to the members of a resource group. */
export type Place = PatternPlace | GroupPlace

export interface PatternPlace {
  readonly kind: 'pattern'
  readonly text: string
  readonly glob: Glob
}

export interface GroupPlace {
  readonly kind: 'group'
  readonly text: string
  readonly urn: ResourceGroupUrn
  /** Those that are known. */
  readonly members: ReadonlySet<string>
  /** Others may be members, too. */
  readonly isOpen: boolean
}

export function patternPlace(pattern: Glob): PatternPlace {
  return { kind: 'pattern', text: pattern.text, glob: pattern }
}

/** The place of an entry, as far as the world knows the members of groups. */
export function placeOf(entry: ResourceUrn | ResourceGroupUrn, world: World): Place {
  if (entry.kind === 'resource') return { kind: 'pattern', text: entry.text, glob: entry.glob }
  const members = new Set(groupsNamed(world, entry).flatMap(({ members }) => [...members]))
  return { kind: 'group', text: entry.text, urn: entry, members, isOpen: isOpenGroup(world, entry) }
}

/** The parts of a place that a pattern matches; of patterns that meet in too many ways, the whole. */
export function placesWithin(place: Place, within: Glob): readonly Place[] {
  if (place.kind === 'group') {
    const members = new Set([...place.members].filter((member) => matches(within, member)))
    return place.isOpen || members.size > 0 ? [{ ...place, members }] : []
  }
  return meetIfFeasible(place.glob, within)?.map(patternPlace) ?? [place]
}

/** Whether a resource is in a place; undefined where that is not known. */
export function holdsResource(place: Place, resource: string): boolean | undefined {
  if (place.kind === 'pattern') return matches(place.glob, resource)
  if (place.members.has(resource)) return true
  return place.isOpen ? undefined : false
}

/**
 * The relation of one place to another: it contains the whole of it, perhaps some of it, or nothing; `unknown` where its members
 * are not known.
 */
export type Relation = 'whole' | 'part' | 'unknown' | 'apart'

export function relation(outer: Place, inner: Place): Relation {
  if (outer.text === inner.text) return 'whole'
  if (outer.kind === 'pattern') {
    if (inner.kind === 'pattern') return !overlaps(outer.glob, inner.glob) ? 'apart' : covers(outer.glob, inner.glob) ? 'whole' : 'part'
    return inner.isOpen ? 'part' : share(inner.members, (member) => matches(outer.glob, member))
  }
  if (inner.kind === 'pattern') {
    if (!isPattern(inner.glob)) {
      const holds = holdsResource(outer, inner.text)
      return holds === undefined ? 'unknown' : holds ? 'whole' : 'apart'
    }
    return outer.isOpen ? 'unknown' : [...outer.members].some((member) => matches(inner.glob, member)) ? 'part' : 'apart'
  }
  if (covers(outer.urn.glob, glob(inner.text))) return 'whole'
  const held = share(inner.members, (member) => outer.members.has(member))
  if (outer.isOpen) return !inner.isOpen && held === 'whole' ? 'whole' : 'unknown'
  return inner.isOpen ? 'part' : held
}

/** How many of a list hold: all, some or none. */
function share(list: ReadonlySet<string>, holds: (item: string) => boolean): 'whole' | 'part' | 'apart' {
  let [all, some] = [true, false]
  for (const item of list) {
    if (holds(item)) some = true
    else all = false
  }
  return all ? 'whole' : some ? 'part' : 'apart'
}

/** The resource group entries of policies whose members the world does not know, or not all of them. */
export function openGroups(policies: Iterable<Policy>, world: World): readonly ResourceGroupUrn[] {
  const entries = new Map<string, ResourceGroupUrn>()
  for (const { resources } of policies)
    for (const { value } of resources) if (value.kind === 'group' && isOpenGroup(world, value)) entries.set(value.text, value)
  return [...entries.values()]
}

/** That a resource is in an open group that an entry names, one formula each; a narrower entry's groups are this one's too. */
export function memberships(entry: ResourceGroupUrn, open: readonly ResourceGroupUrn[]): readonly Formula[] {
  const texts = new Set([entry.text])
  for (const other of open) if (covers(entry.glob, glob(other.text))) texts.add(other.text)
  return [...texts].sort().map((urn) => isMember(urn))
}
