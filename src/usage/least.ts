import type { Catalogue } from '../actions/catalogue.ts'
import { Budget } from '../budget.ts'
import type { PolicyText } from '../calls/grant.ts'
import { groupedBy } from '../collections.ts'
import { type Difference, diff } from '../diff/diff.ts'
import { keyOf } from '../keys.ts'
import { memoizeByObject } from '../memo.ts'
import type { Settings } from '../names.ts'
import { readFacts } from '../parser/policy.ts'
import { readTree } from '../parser/tree.ts'
import { buildWorld } from '../parser/world.ts'
import type { Identity, Policy, World } from '../policy.ts'
import { conditionFields } from '../propose/fields.ts'
import type { Question } from '../simulate/decision.ts'
import { compile } from '../simulate/engine.ts'
import { sourceOf } from '../source.ts'
import type { ActionsByType } from '../symbolic/described.ts'
import { emptyWorld } from '../world.ts'
import { type Cover, coverOf, type Product } from './cover.ts'
import { generalise, type Level, type Widening } from './generalise.ts'
import type { Tally, Use } from './tally.ts'

/** A policy as it is sent to the service. */
export interface LeastPolicy extends PolicyText {
  /** Taken over from the policy that grants it now. */
  readonly conditions?: unknown
  readonly expiredAt?: string
}

export interface AgainstCurrent {
  readonly difference: Difference
  /** Whether what would be lost was looked for. */
  readonly isWhole: boolean
  /** The uses that the policies in force would not allow again. */
  readonly noLonger: readonly Used[]
  /** The uses that need no policy, since they are of the account that owns the resource. */
  readonly root: readonly Used[]
}

type Used = Tally['uses'][number]

export interface Least {
  readonly policies: readonly LeastPolicy[]
  readonly world: World
  /** Fewer policies cannot say the same. */
  readonly isFewest: boolean
  readonly widened: readonly Widening[]
  /** The uses that the proposal does not allow: none, unless conditions that were taken over do not hold any more. */
  readonly unmet: readonly Used[]
  readonly against: AgainstCurrent | undefined
}

/**
 * `none`: nothing was used. `proposed`: nothing to compare with. `within`: it grants nothing that the policies in force do
 * not grant. `beyond`: it does. `undecided`: that could not be determined.
 */
export type LeastVerdict = 'none' | 'proposed' | 'within' | 'beyond' | 'undecided'

export function leastVerdict({ policies, against }: Least): LeastVerdict {
  if (policies.length === 0) return 'none'
  if (!against) return 'proposed'
  const { gained, undecided } = against.difference
  if (gained.some(({ certain }) => certain)) return 'beyond'
  return gained.length > 0 || undecided.some(({ side }) => side === 'gained') ? 'undecided' : 'within'
}

export interface LeastOptions {
  readonly level: Level
  readonly catalogue: Pick<Catalogue, 'expand'>
  readonly settings: Settings
  /** Now, milliseconds since 1970: where a record has no time, and from when on worlds are compared. */
  readonly now: number
  /** The only instant at which worlds are compared. */
  readonly at?: number
  readonly current?: World
  /** Also compare what is described: with the catalogue actions by the types that they are about. */
  readonly described?: ActionsByType
  /** Compare only new access: where not all identities are looked at, the others lose nothing. */
  readonly onlyGained?: boolean
  /** The budget of the whole run. */
  readonly run?: Budget
  /** The purpose of uses that are needed and not recorded: the description of each policy. */
  readonly purpose?: string
}

/**
 * The smallest policies that allow what was used: at the level `none` exactly that, over all identities, actions and
 * resources (docs/semantics.md, Decision). Uses are taken together into products of identities, actions and resources
 * that hold nothing else; where they form none, there are several policies. With the policies in force, conditions and
 * expiries of what grants a use are taken over, and both are compared.
 */
export function least(tally: Tally, options: LeastOptions): Least {
  const { level, catalogue, settings, now, at, run = new Budget() } = options
  const current = options.current && withGroups(inForce(options.current, at ?? now), tally.groups)
  const guards = current ? guardsOf(tally.uses, current, now) : new Map<Used, Guard | 'root'>()
  const noLonger = current ? tally.uses.filter((use) => !guards.has(use)) : []
  const granted = tally.uses.filter((use) => guards.get(use) !== 'root')
  const guardOf = (use: Used) => {
    const found = guards.get(use)
    return found === undefined || found === 'root' ? unguarded : found
  }
  const parts = groupedBy(granted, (use) => keyOf(use.account, guardOf(use).key))
  const isOneAccount = new Set(granted.map(({ account }) => account)).size < 2
  const widened: Widening[] = []
  const covers: Cover[] = []
  const policies: LeastPolicy[] = []
  const names = new Set<string>()
  for (const [, uses] of [...parts].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [first] = uses as [Used]
    const general = generalise(uses, level, catalogue)
    const cover = coverOf(general.triples, run)
    const usesBy = groupedBy(uses, ({ identity }) => identity)
    widened.push(...general.widened)
    covers.push(cover)
    for (const product of cover.products)
      policies.push(policyOf(product, isOneAccount ? undefined : first.account, usesBy, options, guardOf(first), names))
  }
  const world = worldOf(policies, current?.identities ?? withGroups(emptyWorld, tally.groups).identities, settings)
  const engine = compile(world)
  return {
    policies,
    world,
    isFewest: covers.every(({ isFewest }) => isFewest),
    widened,
    unmet: granted.filter((use) => engine.verdict(questionOf(use, now)) !== 'allow'),
    against: current && {
      difference: diff(current, describedBy(world, current), {
        catalogue,
        run,
        // Access that has ended is neither lost nor new.
        ...(at === undefined ? { within: { from: now } } : { at }),
        ...(options.described && { described: options.described }),
        ...(options.onlyGained && { only: 'gained' }),
      }),
      isWhole: options.onlyGained !== true,
      noLonger,
      root: tally.uses.filter((use) => guards.get(use) === 'root'),
    },
  }
}

/** The proposal with what the policies in force describe of resources: both sides are about the same account. */
function describedBy(world: World, { resources, resourceGroups, account }: World): World {
  return { ...world, resources, resourceGroups, ...(account !== undefined && { account }) }
}

/** The question of a use, as it was asked last. */
export function questionOf({ identity, action, resource, last, ip }: Used, now: number): Question {
  return { identity, action, resource, at: last ?? now, groups: [], ...(ip && { ip }) }
}

export function inForce(world: World, now: number): World {
  return { ...world, policies: world.policies.filter(({ expiresAt }) => expiresAt === undefined || expiresAt.value >= now) }
}

/** A world in which identities are also in the groups that records name. */
export function withGroups(world: World, groups: Tally['groups']): World {
  const identities = new Map<string, Identity>(world.identities)
  const noWhere = { source: sourceOf('the records', '', 'json'), start: 0, end: 0 }
  for (const [urn, recorded] of groups) {
    const described = identities.get(urn)
    const all = [...new Set([...(described?.groups ?? []), ...recorded])]
    if (all.length > 0) identities.set(urn, { urn: described?.urn ?? { value: urn, span: noWhere }, groups: all })
  }
  return { ...world, identities }
}

/** The groups of a caller, those of today and those at its calls; undefined where none are known. */
export function groupsOf({ identity, memberships }: Pick<Use, 'identity' | 'memberships'>, world: World): readonly string[] | undefined {
  const groups = world.identities.get(identity)?.groups
  const atCalls = [...memberships].flat()
  return atCalls.length === 0 ? groups : [...new Set([...(groups ?? []), ...atCalls])]
}

// Conditions that are taken over.

interface Guard {
  readonly key: string
  readonly conditions?: unknown
  readonly expiredAt?: string
}

const unguarded: Guard = { key: '' }

/** The guard of what grants each use now: none where one policy grants it without. Uses that are denied are left out. */
function guardsOf(uses: readonly Used[], current: World, now: number): ReadonlyMap<Used, Guard | 'root'> {
  const engine = compile(current)
  const out = new Map<Used, Guard | 'root'>()
  const guardOf = memoizeByObject(guardIn)
  for (const use of uses) {
    const { verdict, reason, clauses } = engine.decide(questionOf(use, now))
    if (verdict === 'deny') continue
    if (reason === 'root') {
      out.set(use, 'root')
      continue
    }
    const guards = clauses.filter(({ list }) => list === 'allow').map(({ policy }) => guardOf(policy))
    const guard = guards.find(({ key }) => key === '') ?? guards[0]
    if (guard) out.set(use, guard)
  }
  return out
}

/** Where a condition cannot be written, it is left out: the comparison then shows what is granted beyond it. */
function guardIn({ condition, expiresAt }: Policy): Guard {
  const conditions = condition && conditionFields(condition)
  const guard = {
    ...(conditions && { conditions }),
    ...(expiresAt && { expiredAt: new Date(expiresAt.value).toISOString().replace('.000Z', 'Z') }),
  }
  return { key: Object.keys(guard).length === 0 ? '' : JSON.stringify(guard), ...guard }
}

// Policies.

const longestPart = 40

function policyOf(
  { identities, actions, resources }: Product,
  account: string | undefined,
  usesBy: ReadonlyMap<string, readonly Used[]>,
  { level, purpose }: Pick<LeastOptions, 'level' | 'purpose'>,
  { key: _, ...guard }: Guard,
  names: Set<string>,
): LeastPolicy {
  const products = [...new Set(actions.map((action) => action.slice(0, action.indexOf(':'))))]
  const base = `${few(products, 'products')} ${purpose === undefined ? 'used' : 'needed'} by ${few(identities.map(nameOf), 'identities')}`
  let name = base
  for (let i = 2; names.has(name); i++) name = `${base} (${i})`
  names.add(name)
  return {
    name,
    description:
      purpose === undefined
        ? descriptionOf(
            account,
            level,
            identities.flatMap((identity) => usesBy.get(identity) ?? []),
          )
        : widenedWords(purpose, level),
    identities,
    resources: resources.map((urn) => ({ urn })),
    permissions: { allow: actions.map((action) => ({ action })) },
    ...guard,
  }
}

const widenedWords = (purpose: string, level: Level) =>
  level === 'none' ? `${purpose}, and nothing else` : `${purpose}, widened by ${level}`

function few(names: readonly string[], what: string): string {
  if (names.length > 2) return `${names.length} ${what}`
  return names.map((name) => (name.length > longestPart ? `${name.slice(0, longestPart)}...` : name)).join(' and ')
}

/** The part of an identity's URN that users know it by. */
function nameOf(identity: string): string {
  const id = identity.split(':').slice(5).join(':')
  return id.slice(id.indexOf('/') + 1)
}

function descriptionOf(account: string | undefined, level: Level, uses: readonly Used[]): string {
  const times = uses.flatMap(({ first, last }) => (first === undefined || last === undefined ? [] : [first, last]))
  const day = (at: number) => new Date(at).toISOString().slice(0, 10)
  const [from, to] = times.length === 0 ? [] : [day(earliest(times)), day(latest(times))]
  const when = from === undefined ? '' : from === to ? ` on ${from}` : ` from ${from} to ${to}`
  const what = widenedWords(`What was used${when}`, level)
  return account === undefined ? what : `${what}, in account ${account}`
}

const earliest = (numbers: readonly number[]) => numbers.reduce((a, b) => Math.min(a, b))
const latest = (numbers: readonly number[]) => numbers.reduce((a, b) => Math.max(a, b))

/** A proposal with more in one policy than can be read again, and so be proved. */
export class TooLarge extends Error {}

function worldOf(policies: readonly LeastPolicy[], identities: World['identities'], settings: Settings): World {
  const facts = policies.map((policy) => {
    const tree = readTree(sourceOf('the proposal', JSON.stringify(policy, null, 2), 'json'))
    if (tree.refused) throw new TooLarge(tree.diagnostics[0]?.message)
    const { facts, diagnostics } = readFacts(tree.documents, settings)
    const wrong = diagnostics.find(({ severity }) => severity === 'error')
    if (wrong) throw new Error(`a proposal that cannot be read: ${wrong.message}`)
    return facts
  })
  return { ...buildWorld(facts).world, identities }
}
