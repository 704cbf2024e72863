import { type Budget, notSearched, withinBudget } from '../budget.ts'
import { groupedBy, partitionPoint, pushTo } from '../collections.ts'
import { type Glob, glob, isPattern, matches, overlaps } from '../glob.ts'
import { keyOf } from '../keys.ts'
import { memoizeByObject, memoizeByText } from '../memo.ts'
import type { Policy, World } from '../policy.ts'
import { typeAndName } from '../urn/resource.ts'
import { groupsNamed, mayGrant } from '../world.ts'
import { type ActionsByType, type Class, Described, knownNamesIn, namesIn, type RequestContext } from './described.ts'
import { printFormula } from './formula.ts'
import { meetIfFeasible } from './patterns.ts'
import { asDescribed, catalogueActions, type WhatRow } from './what.ts'

/**
 * The access beyond the described names: on patterns over resources, to patterns over identities, and actions that the catalogue
 * does not have. An answer about described names does not include it, and must not be read as if there were none.
 */
export interface Beyond {
  readonly identities: readonly string[]
  /** A pattern over resources, a resource, or a resource group. */
  readonly resource: string
  /** Those of the catalogue that are asked about; where it knows none of them, as they are written. */
  readonly actions: readonly string[]
  /** Whether a resource is described that the pattern matches. */
  readonly isDescribed: boolean
  readonly row: WhatRow
}

export interface BeyondDescribed {
  readonly found: readonly Beyond[]
  /** Why there may be more. */
  readonly reasons: readonly string[]
}

/** The access that an answer about described names already reports. */
export interface AlreadyReported {
  readonly identities: readonly string[]
  readonly isAbout: (resource: string) => boolean
  /** Not given: some action or other. */
  readonly actions?: readonly string[]
  /** Not for certain. */
  readonly isOpen: boolean
}

export interface AskedBeyond {
  readonly world: World
  readonly identities: readonly string[]
  /** Whether patterns over identities that match no described one are asked about as well. */
  readonly withPatterns: boolean
  /** An action, or a pattern over actions. */
  readonly action: string
  /** Not given: all resources. */
  readonly within?: Glob | undefined
  readonly given: RequestContext & { readonly from?: number }
  readonly catalogue: { readonly expand: (pattern: Glob) => readonly string[] }
  readonly actions: ActionsByType
  readonly run: Budget
}

/** The access of identities that is in none of the answers. */
export function beyondDescribed(asked: AskedBeyond, said: readonly AlreadyReported[]): BeyondDescribed {
  const { world, given, run } = asked
  const things = knownNamesIn([world])
  const patterns = asked.withPatterns ? openIdentities(world, things.identities) : []
  const { identities } = new Described([world], { identities: [...asked.identities, ...patterns], resources: [] }, given, undefined, run)
  const byIdentity = new Map<string, AlreadyReported[]>()
  for (const each of said) for (const identity of each.identities) pushTo(byIdentity, identity, each)
  const heldBy = holding(asked, things.resources)
  const cut: string[] = []
  const look = (who: Class): readonly Beyond[] => {
    const policies = (who.policies[0] ?? []).map((number) => world.policies[number] as Policy)
    if (!who.isAccount && !policies.some((policy) => mayGrant(policy, world))) return []
    const { groups = [], ...others } = given
    const knownFacts = { ...others, groups, identity: who.names[0] as string }
    const { what: rows, isCut } = asDescribed({ ...world, policies }, knownFacts, asked.within, undefined, run)
    if (isCut) cut.push(who.names[0] as string)
    return rows.flatMap((row) => {
      const match = within(row, asked, heldBy)
      if (!match) return []
      const isIn = isSaid(match)
      const { held: _, ...rest } = match
      const unreported = who.names.filter((name) => !(byIdentity.get(name) ?? []).some(isIn))
      return unreported.length === 0 ? [] : [{ ...rest, identities: unreported }]
    })
  }
  const examined = withinBudget(identities, run, look, () => [])
  const more = cut.length === 0 ? [] : [`there is too much to look at in one run: not all that is granted to \`${cut[0]}\` was looked at`]
  return { found: examined.found.flat(), reasons: [...notSearched(namesIn(examined, identities), 'identities'), ...more] }
}

/** The access of one of two identities to resources of which none is described, without the same for the other. */
export function differingBeyond(asked: Omit<AskedBeyond, 'withPatterns' | 'action'>): BeyondDescribed {
  const each = asked.identities.map((identity) =>
    beyondDescribed({ ...asked, identities: [identity], withPatterns: false, action: '*' }, []),
  )
  const undescribed = each.flatMap((one) => one.found.filter(({ isDescribed }) => !isDescribed))
  const same = groupedBy(undescribed, ({ resource, row: { actions, except, unless, condition } }) =>
    keyOf(
      resource,
      actions,
      except,
      unless.map((each) => keyOf(each.resource, each.actions, printFormula(each.condition))),
      printFormula(condition),
    ),
  )
  return {
    found: [...same.values()].flatMap((own) => (own.length < asked.identities.length ? own : [])),
    reasons: [...new Set(each.flatMap(({ reasons }) => reasons))],
  }
}

/** Patterns over identities to which something may be granted, and of which none is described. */
function openIdentities(world: World, identities: readonly string[]): readonly string[] {
  const groups = [...world.identities.values()].flatMap((identity) => identity.groups)
  const names = new Set<string>()
  for (const policy of world.policies)
    for (const { value } of mayGrant(policy, world) ? policy.identities : [])
      if (isPattern(value.glob) && ![...identities, ...groups].some((each) => matches(value.glob, each))) names.add(value.text)
  return [...names].sort()
}

interface Found extends Omit<Beyond, 'identities'> {
  /** The described resources that it is about. */
  readonly held: readonly string[]
}

/** The part of a row that is asked about; undefined: nothing. */
function within(row: WhatRow, { action, catalogue, actions: byType }: AskedBeyond, heldBy: (place: string) => Held): Found | undefined {
  const [wanted, exceptions] = [glob(action), row.except.map(glob)]
  const isLeftOut = (text: string) => exceptions.some((pattern) => matches(pattern, text))
  const written = row.actions.filter((each) => overlaps(glob(each), wanted) && !isLeftOut(each) && !isLeftOut(action))
  if (written.length === 0) return undefined
  const catalogued = catalogueActions(row, catalogue)
  const matchedActions = action === '*' ? catalogued : catalogued.filter((each) => matches(wanted, each))
  const matched = new Set(matchedActions)
  const isKnown = row.actions.some((each) => catalogue.expand(glob(each)).length > 0)
  if (isKnown && matchedActions.length === 0 && action !== '*') return undefined
  const types = matchedActions.length === 0 ? [] : byType.types().filter((type) => byType.of(type).some((each) => matched.has(each)))
  const place = narrowed(row.resource, types)
  const ofType = byType.of(typeAndName(place).type)
  const isOfPlace = new Set(ofType)
  const fitting = ofType.length === 0 ? matchedActions : matchedActions.filter((each) => isOfPlace.has(each))
  // The catalogue knows the type, and none of these actions is about it.
  if (isKnown && fitting.length === 0 && action !== '*') return undefined
  const held = heldBy(place)
  return {
    resource: place,
    actions: fitting.length > 0 && action !== '*' ? fitting : written,
    isDescribed: types.length === 0 ? held.resources.length > 0 : types.some((type) => held.types.has(type)),
    held: held.resources,
    row: action === '*' ? row : about(row, wanted),
  }
}

/** The part of a row that is about some actions. */
function about(row: WhatRow, wanted: Glob): WhatRow {
  const isWanted = (text: string) => overlaps(glob(text), wanted)
  return {
    ...row,
    except: row.except.filter(isWanted),
    unless: row.unless.map((each) => ({ ...each, actions: each.actions.filter(isWanted) })).filter(({ actions }) => actions.length > 0),
    clauses: row.clauses.filter(({ entry }) => overlaps(entry.value, wanted)),
  }
}

/** A pattern over resources of any type, where the actions are about a single one: that part of it. */
function narrowed(place: string, types: readonly string[]): string {
  const [type] = types
  if (types.length !== 1 || type === undefined || !typeAndName(place).type.includes('*')) return place
  const parts = meetIfFeasible(glob(place), glob(`urn:v1:${place.split(':')[2]}:resource:${type}:*`)) ?? []
  return parts.length === 1 ? (parts[0] as Glob).text : place
}

/** The described resources in a place, and their types. */
interface Held {
  readonly resources: readonly string[]
  readonly types: ReadonlySet<string>
}

/** The described resources in a place, each place looked up once. `resources`: sorted. */
function holding({ world, run }: AskedBeyond, resources: readonly string[]): (place: string) => Held {
  const held = (resources: readonly string[]): Held => ({
    resources,
    types: new Set(resources.map((resource) => typeAndName(resource).type)),
  })
  const groups = new Map(
    world.policies.flatMap(({ resources: entries }) =>
      entries.flatMap(({ value }) => (value.kind === 'group' ? [[value.text, value] as const] : [])),
    ),
  )
  return memoizeByText(
    (place: string) => place,
    (place) => {
      run.left -= resources.length
      const group = groups.get(place)
      if (group) return held([...new Set(groupsNamed(world, group).flatMap(({ members }) => [...members]))])
      const pattern = glob(place)
      if (!isPattern(pattern)) return held([place])
      // Those that begin with the text before its first wildcard are one stretch.
      const start = pattern.pieces[0] as string
      const first = partitionPoint(resources, (resource) => resource < start)
      const end = partitionPoint(resources, (resource) => resource < start || resource.startsWith(start))
      return held(resources.slice(first, end).filter((resource) => matches(pattern, resource)))
    },
  )
}

/** Whether an answer says of some described resource what a row says of all that it is about. */
function isSaid({ actions, row, held }: Found): (said: AlreadyReported) => boolean {
  const patterns = actions.map(glob)
  return memoizeByObject(
    (said) =>
      (row.verdict === 'unknown' || !said.isOpen) &&
      held.some(said.isAbout) &&
      (said.actions === undefined || said.actions.some((action) => patterns.some((pattern) => matches(pattern, action)))),
  )
}
