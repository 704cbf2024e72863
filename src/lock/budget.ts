import { type RiskCategory, sensitiveAmong, sensitiveRows } from '../actions/sensitive.ts'
import type { Budget } from '../budget.ts'
import { groupedBy, madeIn, pushTo } from '../collections.ts'
import { type Glob, glob, isPattern, matches } from '../glob.ts'
import { keyOf } from '../keys.ts'
import { lazy, memoizeByObject, memoizeByText } from '../memo.ts'
import type { Policy, World } from '../policy.ts'
import type { Clause } from '../simulate/decision.ts'
import { partsOf, proofContextOf, search } from '../suite/prove.ts'
import { boxesOf } from '../symbolic/boxes.ts'
import {
  type ActionsByType,
  type Cell,
  type Class,
  Described,
  isGranting,
  knownNamesIn,
  Lookups,
  whenAllowed,
} from '../symbolic/described.ts'
import { type Formula, isNever, satisfy, tooMany, withTime } from '../symbolic/formula.ts'
import { clausesOf, permissionsOf } from '../symbolic/regions.ts'
import { witnessOf } from '../symbolic/witness.ts'
import { readIdentity } from '../urn/identity.ts'
import { type ResourceUrn, readResource, typeAndName } from '../urn/resource.ts'
import { isOpenGroup } from '../world.ts'

/**
 * How much risky access each team has: the combinations of a risky action of the catalogue and a described resource that a member may
 * do at some time, and apart from them the risky actions that a member may do on resources that no world file describes. Both only grow
 * where access does: who moves policies around changes neither.
 */

/** A team: the identities that its patterns mean, by their names or groups. */
export interface Team {
  readonly name: string
  readonly identities: readonly string[]
}

/** The identities that no other team has. */
export const otherTeam = 'others'

/** The actions of a catalogue that are in some categories of risk. */
export class RiskyActions {
  private readonly actions: ActionsByType
  private readonly categories: readonly RiskCategory[]
  private readonly rows: ReturnType<typeof sensitiveRows>
  private readonly byType = new Map<string, readonly string[]>()

  constructor(actions: ActionsByType, brand: string, categories: readonly RiskCategory[]) {
    ;[this.actions, this.categories, this.rows] = [actions, categories, sensitiveRows(brand)]
  }

  /** Those about a type. */
  of(type: string): readonly string[] {
    return madeIn(this.byType, type, () =>
      sensitiveAmong(this.actions.of(type), this.rows).flatMap(({ action, category }) =>
        this.categories.includes(category) ? [action] : [],
      ),
    )
  }

  /** All of them, with the types that each is about. */
  readonly types = lazy((): ReadonlyMap<string, readonly string[]> => {
    const types = new Map<string, string[]>()
    for (const type of this.actions.types()) for (const action of this.of(type)) pushTo(types, action, type)
    return types
  })
}

export interface AccessOptions {
  readonly risky: RiskyActions
  /** The instants that count. */
  readonly time: Formula
  readonly run: Budget
}

/** Numbers of the two kinds. */
export interface Numbers {
  /** Combinations of an action and a described resource. */
  readonly described: number
  /** Actions on resources that are not described. */
  readonly undescribed: number
}

export interface TeamAccess {
  readonly team: Team
  /** The identities of the team, as far as they are known. */
  readonly members: readonly string[]
  /** The access that is certain. */
  readonly sure: Numbers
  /** The access that depends on facts that are not known. */
  readonly perhaps: Numbers
  /** The actions that are counted on resources that are not described. */
  readonly undescribed: readonly string[]
}

export interface RiskyAccess {
  readonly teams: readonly TeamAccess[]
  /** How many actions of the catalogue are of the categories, and how many resources are described. */
  readonly actions: number
  readonly resources: number
  /** Something was not counted, because there is too much to look at. */
  readonly isUndecided: boolean
}

/** A team for each group of a world that is described or named. */
export function teamsByGroup(world: World): readonly Team[] {
  const named = world.policies.flatMap(({ identities }) =>
    identities.flatMap(({ value }) => (value.kind === 'group' && !isPattern(value.glob) ? [value.text] : [])),
  )
  const groups = [...new Set([...[...world.identities.values()].flatMap((each) => each.groups), ...named])].sort()
  const nameOf = (urn: string) => `group/${urn.slice(urn.indexOf('/') + 1)}`
  const byName = groupedBy(groups, nameOf)
  return groups.map((urn) => ({ name: byName.get(nameOf(urn))?.length === 1 ? nameOf(urn) : urn, identities: [urn] }))
}

/** A grant, with the number of combinations that it grants. */
export interface CountedGrant {
  readonly clause: Clause
  readonly count: number
}

/** The risky access of teams; `others` is added to them where it has an identity. */
export function riskyAccess(world: World, teams: readonly Team[], options: AccessOptions): RiskyAccess {
  return new AccessCount(world, teams, options).count()
}

/** The grants that the access of a team rests on, those of the most combinations first: on described resources, and on others. */
export function grantsOf(
  world: World,
  teams: readonly Team[],
  name: string,
  options: AccessOptions,
): { readonly described: readonly CountedGrant[]; readonly undescribed: readonly CountedGrant[] } {
  const count = new AccessCount(world, teams, options)
  return { described: count.grants(name), undescribed: count.grantsBeyond(name) }
}

/** The combinations of a team that one world grants and another one does not, each with the entries that grant it. */
export interface AddedAccess {
  readonly identity: string
  readonly action: string
  readonly resource: string
  readonly grants: readonly Clause[]
}

/** The described combinations of a team after a change that it did not have before. */
export function addedAccess(
  before: World,
  after: World,
  teams: readonly Team[],
  name: string,
  options: AccessOptions,
): readonly AddedAccess[] {
  const old = new Set(
    [...new AccessCount(before, teams, options).combinations(name)].map(({ action, resource }) => keyOf(action, resource)),
  )
  const added = new Map<string, AddedAccess>()
  for (const each of new AccessCount(after, teams, options).combinations(name)) {
    const key = keyOf(each.action, each.resource)
    if (!old.has(key) && !added.has(key)) added.set(key, each)
  }
  return [...added.values()]
}

/** How an action is allowed. */
type Allowed = 'sure' | 'perhaps' | 'never'

/** How many steps the conditions of one cell may take. */
const mostSteps = 20_000

class AccessCount {
  private readonly world: World
  private readonly options: AccessOptions
  private readonly teams: readonly (Team & { readonly members: readonly string[] })[]
  private readonly described: Described
  private readonly lookups = new Lookups()
  private readonly known: ReadonlySet<string>
  private readonly knownOfType: ReadonlyMap<string, readonly string[]>
  /** The number of the class of each described identity. */
  private readonly classOf: ReadonlyMap<string, number>
  private readonly byCell = new Map<Cell, Map<readonly string[], ReadonlyMap<string, Allowed>>>()
  private isUndecided = false

  constructor(world: World, teams: readonly Team[], options: AccessOptions) {
    ;[this.world, this.options] = [world, options]
    const { identities, resources } = knownNamesIn([world])
    this.known = new Set(resources)
    this.knownOfType = groupedBy(resources, (urn) => typeAndName(urn).type)
    const withMembers = teams.map((team) => ({ ...team, members: this.membersOf(team, identities) }))
    const taken = new Set(withMembers.flatMap(({ members }) => members))
    const unassigned = identities.filter((urn) => !taken.has(urn))
    this.teams = [...withMembers, ...(unassigned.length > 0 ? [{ name: otherTeam, identities: [], members: unassigned }] : [])]
    const risky = resources.filter((urn) => this.options.risky.of(typeAndName(urn).type).length > 0)
    this.described = new Described([world], { identities, resources: risky }, {}, this.lookups, options.run)
    this.classOf = new Map(this.described.identities.flatMap(({ names }, i) => names.map((name) => [name, i] as const)))
  }

  /** The identities that a team means, in their order. */
  private membersOf(team: Team, identities: readonly string[]): readonly string[] {
    const numbers = new Set<number>()
    for (const pattern of team.identities.map(glob)) {
      const names = isPattern(pattern) ? [...this.named(identities).keys()].filter((name) => matches(pattern, name)) : [pattern.text]
      for (const name of names) for (const number of this.named(identities).get(name) ?? []) numbers.add(number)
    }
    return [...numbers].sort((a, b) => a - b).map((number) => identities[number] as string)
  }

  /** The numbers of the identities that have a name, their own or that of one of their groups. */
  private readonly named = memoizeByObject((identities: readonly string[]): ReadonlyMap<string, readonly number[]> => {
    const named = new Map<string, number[]>()
    for (const [number, urn] of identities.entries())
      for (const name of [urn, ...(this.world.identities.get(urn)?.groups ?? [])]) pushTo(named, name, number)
    return named
  })

  count(): RiskyAccess {
    const teams = this.teams.map((team): TeamAccess => {
      const beyond = this.undescribed(team.members)
      return {
        team: { name: team.name, identities: team.identities },
        members: team.members,
        ...this.numbers(team.members, beyond),
        undescribed: [...beyond].flatMap(([action, allowed]) => (allowed === 'sure' ? [action] : [])).sort(),
      }
    })
    return {
      teams,
      actions: this.options.risky.types().size,
      resources: this.described.resources.reduce((sum, { names }) => sum + names.length, 0),
      isUndecided: this.isUndecided || this.options.run.isSpent,
    }
  }

  private numbers(members: readonly string[], beyond: ReadonlyMap<string, Allowed>): Pick<TeamAccess, 'sure' | 'perhaps'> {
    let [sure, perhaps] = [0, 0]
    const memberClasses = this.classesOf(members)
    for (const resource of this.described.resources) {
      const best = new Map<string, Allowed>()
      for (const identity of memberClasses)
        for (const [action, allowed] of this.allowedIn(this.described.cell(0, identity, resource), resource.type))
          if (best.get(action) !== 'sure') best.set(action, allowed)
      const count = (kind: Allowed) => [...best.values()].filter((allowed) => allowed === kind).length * resource.names.length
      sure += count('sure')
      perhaps += count('perhaps')
    }
    const beyondOf = (kind: Allowed) => [...beyond.values()].filter((allowed) => allowed === kind).length
    return {
      sure: { described: sure, undescribed: beyondOf('sure') },
      perhaps: { described: perhaps, undescribed: beyondOf('perhaps') },
    }
  }

  private classesOf(members: readonly string[]) {
    const numbers = new Set(members.flatMap((name) => this.classOf.get(name) ?? []))
    return [...numbers].sort((a, b) => a - b).map((number) => this.described.identities[number] as Class)
  }

  /** The risky actions that a cell allows at some time. */
  private allowedIn(cell: Cell, type: string): ReadonlyMap<string, Allowed> {
    const actions = this.options.risky.of(type)
    const byActions = madeIn(this.byCell, cell, () => new Map<readonly string[], ReadonlyMap<string, Allowed>>())
    return madeIn(byActions, actions, () => {
      const out = new Map<string, Allowed>()
      if (cell.allows.length === 0 && !cell.isRoot) return out
      for (const group of this.described.alikeActions([cell], actions)) {
        const allowed = this.judged(whenAllowed(cell, group[0] as string))
        if (allowed !== 'never') for (const action of group) out.set(action, allowed)
      }
      return out
    })
  }

  private judged(formula: Formula): Allowed {
    if (isNever(formula)) return 'never'
    const { time, run } = this.options
    const all = withTime([formula], time)
    const sure = satisfy(all, { assume: false, allowance: run.share(mostSteps) })
    if (sure && sure !== tooMany) return 'sure'
    const some = satisfy(all, { allowance: run.share(mostSteps) })
    if (some === tooMany) this.isUndecided = true
    return some === undefined ? 'never' : 'perhaps'
  }

  /** The risky actions that some members may do on a resource that is not described. */
  private undescribed(members: readonly string[]): ReadonlyMap<string, Allowed> {
    const best = new Map<string, Allowed>()
    const seen = new Set<string>()
    for (const urn of members) {
      const about = this.aboutIdentity(urn)
      const key = keyOf(about)
      if (seen.has(key)) continue
      seen.add(key)
      const isOpen = (action: string) => best.get(action) !== 'sure'
      for (const [action, allowed] of this.undescribedOf(urn, about, isOpen)) best.set(action, allowed)
    }
    return best
  }

  /** The numbers of the policies that may be about an identity. */
  private aboutIdentity(urn: string): readonly number[] {
    return this.lookups.indexOf(this.world).aboutIdentities([urn, ...(this.world.identities.get(urn)?.groups ?? [])])
  }

  /** The risky actions for which `isAsked` that some policies allow an identity on a resource that is not described. */
  private undescribedOf(urn: string, about: readonly number[], isAsked: (action: string) => boolean): ReadonlyMap<string, Allowed> {
    const policies = this.openPolicies(about)
    return policies.length === 0 ? new Map<string, Allowed>() : this.beyondIn(policies, urn, isAsked)
  }

  /** Some policies as far as they are about resources that are not described. */
  private openPolicies(about: readonly number[]): readonly Policy[] {
    return about.flatMap((number) => madeIn(this.openParts, number, () => this.openPart(this.world.policies[number] as Policy)))
  }

  private readonly openParts = new Map<number, readonly Policy[]>()

  private openPart(policy: Policy): readonly Policy[] {
    // Entries that only mean resources that are described say nothing of the others.
    const resources = policy.resources.filter(({ value }) =>
      value.kind === 'resource' ? isPattern(value.glob) : isOpenGroup(this.world, value),
    )
    return resources.length > 0 ? [{ ...policy, resources }] : []
  }

  /** The entries by which members may do risky actions on resources that are not described, with the number of these actions. */
  grantsBeyond(name: string): readonly CountedGrant[] {
    const team = this.teams.find((each) => each.name === name)
    const byEntry = new Map<string, { readonly clause: Clause; readonly of: Set<string> }>()
    for (const urn of team?.members ?? []) {
      const about = this.aboutIdentity(urn)
      const sure = [...this.undescribedOf(urn, about, () => true)].flatMap(([action, allowed]) => (allowed === 'sure' ? [action] : []))
      for (const policy of this.openPolicies(about))
        for (const { set, group, isKnown } of permissionsOf(policy, this.world))
          for (const entry of isKnown ? set.allow : [])
            for (const action of sure) {
              if (!matches(entry.value, action) || set.except.some(({ value }) => matches(value, action))) continue
              const clause: Clause = { policy, list: 'allow', entry, ...(group !== undefined && { group }) }
              madeIn(byEntry, entryKey(clause), () => ({ clause, of: new Set<string>() })).of.add(action)
            }
    }
    return counted(byEntry)
  }

  /**
   * The risky actions for which `isAsked` that are allowed on a resource that is not described. Those that the policies are about alike are
   * asked once, and of the policies only those count that are about them: many identities have these in common.
   */
  private beyondIn(policies: readonly Policy[], urn: string, isAsked: (action: string) => boolean): ReadonlyMap<string, Allowed> {
    const out = new Map<string, Allowed>()
    const { world, options } = this
    const isKnown = policies.every(({ permissionsGroups }) =>
      permissionsGroups.every(({ value }) => world.permissionsGroups.has(value.text)),
    )
    const patterns = new Map(policies.flatMap((policy) => this.hitting(policy)).map((pattern) => [pattern.text, pattern]))
    for (const actions of this.alikeIn([...patterns.values()], isKnown)) {
      const asked = actions.filter(isAsked)
      const [action] = actions as [string]
      if (asked.length === 0) continue
      const types = options.risky.types().get(action) ?? []
      const hits = (policy: Policy) => this.hitting(policy).filter((pattern) => this.hitBy(pattern).has(action))
      const hit = isKnown ? policies.filter((policy) => hits(policy).length > 0) : policies
      const about = hit.flatMap((policy) => this.partAbout(policy, types))
      if (about.length === 0) continue
      const key = keyOf(
        about.map((policy) => `${this.numberOf(policy)}`),
        `${world.identities.has(urn)}`,
      )
      const ofPolicies = madeIn(this.byPolicies, key, () => new Map<string, Allowed>())
      // Where each entry means all resources, and none of these types is described, one type is like another.
      const isAnyType =
        isKnown &&
        about.every(({ resources, condition }) => !condition && resources.every(isAll)) &&
        types.every((type) => !this.knownOfType.has(type))
      const question = isAnyType ? keyOf(...hit.map((policy) => hits(policy).map(({ text }) => text))) : keyOf(action)
      const allowed = madeIn(ofPolicies, question, () => this.beyond({ ...world, policies: about }, urn, action, types))
      if (allowed !== 'never') for (const each of asked) out.set(each, allowed)
    }
    return out
  }

  /** A policy with the entries that may be about a resource of some types: the same object where they are about all resources. */
  private partAbout(policy: Policy, types: readonly string[]): readonly Policy[] {
    const isNear = ({ value }: Policy['resources'][number]) =>
      value.kind !== 'resource' || this.boxesOf(value).some((box) => types.some((type) => matches(box.type, type)))
    const resources = policy.resources.filter(isNear)
    if (resources.length === 0) return []
    if (resources.length === policy.resources.length) return [policy]
    return [resources.every(isAll) ? this.partAboutAll(policy) : { ...policy, resources }]
  }

  private readonly boxesOf = memoizeByText(({ text }: ResourceUrn) => text, boxesOf)
  private readonly partAboutAll = memoizeByObject((policy: Policy): Policy => ({ ...policy, resources: policy.resources.filter(isAll) }))
  private readonly byPolicies = new Map<string, Map<string, Allowed>>()
  private lastNumber = 0
  private readonly numberOf = memoizeByObject((_: Policy) => ++this.lastNumber)

  /** The patterns of a policy that match a risky action. */
  private readonly hitting = memoizeByObject(({ permissions, permissionsGroups }: Policy): readonly Glob[] =>
    [permissions, ...permissionsGroups.flatMap(({ value }) => this.world.permissionsGroups.get(value.text)?.permissions ?? [])].flatMap(
      ({ allow, except, deny }) => [...allow, ...except, ...deny].flatMap(({ value }) => (this.hitBy(value).size > 0 ? [value] : [])),
    ),
  )

  /** The risky actions that a pattern matches. */
  private readonly hitBy = memoizeByText(
    ({ text }: Glob) => text,
    (pattern): ReadonlySet<string> => {
      const types = this.options.risky.types()
      this.options.run.left -= types.size
      return new Set([...types.keys()].filter((action) => matches(pattern, action)))
    },
  )

  private readonly alike = new Map<string, readonly (readonly string[])[]>()

  /** The risky actions about the same types that the same ones of some patterns match; where all policies are known, those that one matches. */
  private alikeIn(patterns: readonly Glob[], isKnown: boolean): readonly (readonly string[])[] {
    const texts = patterns.map(({ text }) => text).sort()
    return madeIn(this.alike, keyOf(texts, `${isKnown}`), () => {
      const alike = new Map<string, string[]>()
      for (const [action, types] of this.options.risky.types()) {
        this.options.run.left -= patterns.length
        const hits = patterns.flatMap((pattern) => (this.hitBy(pattern).has(action) ? [pattern.text] : []))
        if (hits.length > 0 || !isKnown) pushTo(alike, keyOf(hits, types), action)
      }
      return [...alike.values()]
    })
  }

  /** Whether an action is allowed on a resource of some types that is not described. */
  private beyond(world: World, urn: string, action: string, types: readonly string[]): Allowed {
    const [like] = world.policies as [Policy]
    const { span } = like.name
    const identity = readIdentity(urn, { pattern: false }).value
    if (!identity) return 'never'
    const patternOf = (text: string) => {
      const { value } = readResource(text, { pattern: true })
      return value ? [{ value, span }] : []
    }
    const regions = [...new Set(world.policies.flatMap(({ resources }) => resources.map(({ value }) => value.region)))]
    const box: Policy = {
      ...plainPolicy(like),
      identities: [{ value: identity, span }],
      resources: regions.flatMap((region) => types.flatMap((type) => patternOf(`urn:v1:${region}:resource:${type}:*`))),
      permissions: { allow: [{ value: glob(action), span }], except: [], deny: [] },
    }
    // A witness on a described resource counts for nothing: then all of these are taken out.
    for (const isTakenOut of [false, true]) {
      const taken = isTakenOut ? types.flatMap((type) => this.knownOfType.get(type) ?? []).flatMap(patternOf) : []
      const denial: Policy = {
        ...box,
        name: { value: 'described', span },
        resources: taken,
        permissions: { allow: [], except: [], deny: [{ value: glob('*'), span }] },
      }
      const seen: World = taken.length > 0 ? { ...world, policies: [...world.policies, denial] } : world
      const [part] = partsOf({ kind: 'never', box, context: this.options.time, groups: [] }, seen)
      const outcome = part ? search(part, proofContextOf(seen, this.options.run)) : undefined
      if (!outcome || outcome.kind === 'none') return 'never'
      if (outcome.kind === 'undecided') {
        this.isUndecided = true
        return 'perhaps'
      }
      if (isTakenOut || !this.known.has(witnessOf(outcome.newAccess).resource)) return outcome.newAccess.certain ? 'sure' : 'perhaps'
    }
    return 'never'
  }

  /** The combinations of a team that are certain, with the first member that may do each. */
  *combinations(name: string): Iterable<AddedAccess> {
    const team = this.teams.find((each) => each.name === name)
    if (!team) return
    const teamMembers = new Set(team.members)
    for (const resource of this.described.resources)
      for (const identity of this.classesOf(team.members)) {
        const cell = this.described.cell(0, identity, resource)
        for (const [action, allowed] of this.allowedIn(cell, resource.type))
          if (allowed === 'sure')
            for (const each of resource.names)
              yield {
                identity: identity.names.find((urn) => teamMembers.has(urn)) as string,
                action,
                resource: each,
                grants: cell.allows
                  .filter((region) => isGranting(region, action))
                  .flatMap((region) => clausesOf(region).filter(({ entry }) => matches(entry.value, action))),
              }
      }
  }

  grants(name: string): readonly CountedGrant[] {
    const byEntry = new Map<string, { readonly clause: Clause; readonly of: Set<string> }>()
    for (const { action, resource, grants } of this.combinations(name))
      for (const clause of grants) {
        madeIn(byEntry, entryKey(clause), () => ({ clause, of: new Set<string>() })).of.add(keyOf(action, resource))
      }
    return counted(byEntry)
  }
}

/** Whether an entry is about all resources, or all of a region, whatever these are. */
const isAll = ({ value }: Policy['resources'][number]) => value.kind === 'resource' && /^urn:v1:[^:]*:resource:\*$/.test(value.text)

const entryKey = ({ entry: { span }, policy }: Clause) => keyOf(span.source.path, span.start, policy.span.source.path, policy.span.start)

const counted = (byEntry: ReadonlyMap<string, { readonly clause: Clause; readonly of: ReadonlySet<string> }>): readonly CountedGrant[] =>
  [...byEntry.values()].map(({ clause, of }) => ({ clause, count: of.size })).sort((a, b) => b.count - a.count)

/** A policy without what limits it. */
function plainPolicy({ name, span, node }: Policy): Policy {
  return {
    name,
    identities: [],
    resources: [],
    permissions: { allow: [], except: [], deny: [] },
    permissionsGroups: [],
    readOnly: false,
    span,
    node,
  }
}
