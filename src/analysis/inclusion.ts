import { covers, type Glob, overlaps } from '../glob.ts'
import type { Policy, World } from '../policy.ts'
import type { IdentityUrn } from '../urn/identity.ts'
import { type Formula, isAlways, type Model, negation, satisfy, tooMany } from './formula.ts'
import { type Box, type Dimension, meet, type Statement, statementsOf, Undecided } from './statements.ts'

/**
 * Inclusion of policy sets, exactly and over all strings, by region splitting with a fresh letter (spec: analysis, 6.2
 * and 6.4). A region is a box of patterns; its own point is the box with a letter that occurs nowhere in place of every
 * wildcard. What covers the point covers the box, so each question about a box is one of plain matching.
 */

/** The statements of one side, indexed by the identities they name. */
export interface Side {
  readonly allows: Index
  readonly denies: Index
  /** The groups of each identity that the world describes. */
  readonly groups: ReadonlyMap<string, readonly string[]>
}

interface Index {
  readonly all: readonly Statement[]
  readonly keys: ReadonlySet<string>
  readonly byIdentity: ReadonlyMap<string, readonly Statement[]>
  readonly byPattern: readonly Statement[]
}

/** Requests: one who asks, with the groups that come along, and a box of resources and actions, where all formulas hold. */
export interface Region {
  readonly caller: Caller
  readonly box: Box
  readonly action: Glob
  readonly formulas: readonly Formula[]
}

/**
 * Who asks: at most one user, service account or account, and any number of groups. A question may give an identity any
 * further group, so that groups are free; an identity that the world describes brings the groups it has there.
 */
export interface Caller {
  /** Undefined: anybody who is in the groups, and the first group itself. */
  readonly self: Glob | undefined
  readonly groups: readonly Glob[]
  /** All that statements may name, on the first and on the second side: they differ only where inventories do. */
  readonly here: readonly Glob[]
  readonly there: readonly Glob[]
}

/** Access that one side has and the other has not. */
export interface Gain {
  readonly region: Region
  /** The statement that grants it. */
  readonly statement: Statement
  readonly model: Model
}

export type Outcome =
  | { readonly kind: 'none' }
  | { readonly kind: 'new'; readonly gain: Gain }
  | { readonly kind: 'undecided'; readonly culprits: readonly string[] }

/** How many regions are looked at before the answer is `undecided`: a number of steps, the same on every machine. */
export const defaultBudget = 200_000

export function sideOf(world: World, other?: World): Side {
  const statements = statementsOf(world, other)
  return {
    allows: indexOf(statements.filter(({ effect }) => effect === 'allow')),
    denies: indexOf(statements.filter(({ effect }) => effect === 'deny')),
    groups: new Map([...world.identities].map(([urn, identity]) => [urn, identity.groups])),
  }
}

/** A side without the statements that `drop` picks. */
export function without(side: Side, drop: (statement: Statement) => boolean): Side {
  const rest = (index: Index) => indexOf(index.all.filter((statement) => !drop(statement)))
  return { ...side, allows: rest(side.allows), denies: rest(side.denies) }
}

/** A side with statements put in the place of those of one policy, or added. */
export function withStatements(side: Side, statements: readonly Statement[], replaced?: Policy): Side {
  const merge = (index: Index, effect: Statement['effect']) =>
    indexOf([
      ...index.all.filter((statement) => statement.policy !== replaced),
      ...statements.filter((statement) => statement.effect === effect),
    ])
  return { ...side, allows: merge(side.allows, 'allow'), denies: merge(side.denies, 'deny') }
}

export function indexOf(all: readonly Statement[]): Index {
  const byIdentity = new Map<string, Statement[]>()
  const byPattern: Statement[] = []
  for (const statement of all) {
    if (statement.identities.some(({ value }) => value.glob.pieces.length > 1)) byPattern.push(statement)
    for (const { value } of statement.identities) {
      if (value.glob.pieces.length > 1) continue
      const list = byIdentity.get(value.text)
      if (!list) byIdentity.set(value.text, [statement])
      else if (list.at(-1) !== statement) list.push(statement)
    }
  }
  return { all, keys: new Set(all.map((statement) => statement.key)), byIdentity, byPattern }
}

/**
 * Whether `a` grants something that `b` does not: nothing (a proof over all identities, actions, resources and
 * contexts), one example of it, or undecided within the budget. `of`: only what these statements of `a` grant.
 */
export function firstGain(
  a: Side,
  b: Side,
  { of, budget = defaultBudget }: { readonly of?: readonly Statement[]; readonly budget?: number } = {},
): Outcome {
  try {
    for (const gain of gains(a, b, of, budget)) return { kind: 'new', gain }
    return { kind: 'none' }
  } catch (error) {
    if (error instanceof Undecided) return { kind: 'undecided', culprits: error.culprits }
    throw error
  }
}

/** Every way in which `a` grants more than `b`, one for each starting box. Throws `Undecided` past the budget. */
export function* gains(a: Side, b: Side, of: readonly Statement[] | undefined, budget: number): Iterable<Gain> {
  // A grant that both sides have can be new only where the other side denies more, or sees other members.
  const sameDenies = b.denies.all.every((deny) => a.denies.keys.has(deny.key))
  const changed = changedMembers(a, b)
  const search: Search = { a, b, changed: new Set(changed), budget, steps: 0 }
  for (const statement of of ?? a.allows.all) {
    const unchanged = sameDenies && b.allows.keys.has(statement.key)
    const starts = unchanged ? [] : statement.identities.map(({ value }) => callerOf(value, a, b))
    for (const urn of changed) {
      const caller = callerWith({ text: urn, pieces: [urn] }, [], a, b)
      if (statement.identities.some(({ value }) => caller.here.some((member) => covers(value.glob, member)))) starts.push(caller)
    }
    for (const caller of starts) {
      for (const box of statement.boxes) {
        for (const { value: action } of statement.actions) {
          const region: Region = {
            caller,
            box,
            action,
            formulas: isAlways(statement.formula) ? [] : [statement.formula],
          }
          if (statement.exclusions.some(({ dimension, pattern }) => covers(pattern, partOf(region, dimension)))) continue
          const found = explore(region, search, new Set(), [])
          if (found) yield { ...found, statement }
        }
      }
    }
  }
}

interface Search {
  readonly a: Side
  readonly b: Side
  readonly changed: ReadonlySet<string>
  readonly budget: number
  steps: number
}

function callerOf(identity: IdentityUrn, a: Side, b: Side): Caller {
  return identity.kind === 'group' ? callerWith(undefined, [identity.glob], a, b) : callerWith(identity.glob, [], a, b)
}

function callerWith(self: Glob | undefined, groups: readonly Glob[], a: Side, b: Side): Caller {
  const own = self ? [self, ...groups] : groups
  if (!self || self.pieces.length > 1) return { self, groups, here: own, there: own }
  const [here, there] = [a, b].map((side) => [...own, ...(side.groups.get(self.text) ?? []).map((text) => ({ text, pieces: [text] }))])
  return { self, groups, here: here as Glob[], there: there as Glob[] }
}

/** The callers of a region that an entry is about: everybody who brings the group, or the part of them that it names. */
function callersIn(caller: Caller, entry: IdentityUrn, { a, b }: Search): readonly Caller[] {
  if (caller.there.some((member) => covers(entry.glob, member))) return [caller]
  if (entry.kind === 'group') return [callerWith(caller.self, [...caller.groups, entry.glob], a, b)]
  const selves = caller.self ? meet(caller.self, entry.glob) : [entry.glob]
  return selves.map((self) => callerWith(self, caller.groups, a, b))
}

function changedMembers(a: Side, b: Side): readonly string[] {
  const urns = new Set([...a.groups.keys(), ...b.groups.keys()])
  return [...urns].filter((urn) => {
    const [here, there] = [new Set(a.groups.get(urn)), new Set(b.groups.get(urn))]
    return here.size !== there.size || [...here].some((group) => !there.has(group))
  })
}

export function partOf(region: Region, dimension: Dimension): Glob {
  return dimension === 'action' ? region.action : region.box[dimension]
}

/** Look for a request of the region that the first side grants and the second does not. */
function explore(
  region: Region,
  search: Search,
  done: ReadonlySet<Statement>,
  path: readonly string[],
): { readonly region: Region; readonly model: Model } | undefined {
  if (++search.steps > search.budget) throw new Undecided([...new Set(path)].slice(-8))
  let formulas = region.formulas
  const { a, b } = search
  for (const deny of about(a.denies, region.caller.here)) {
    if (!coversRegion(deny, region, region.caller.here) || excludes(deny, region)) continue
    if (isAlways(deny.formula)) return exploreExclusions(deny, region, search, done, path)
    formulas = [...formulas, negation(deny.formula)]
  }
  const here: Region = formulas === region.formulas ? region : { ...region, formulas }
  if (!solve(here.formulas)) return undefined

  for (const deny of about(b.denies, region.caller.there)) {
    if (!coversRegion(deny, here, here.caller.there) || excludes(deny, here)) continue
    const denied = isAlways(deny.formula) ? here.formulas : [...here.formulas, deny.formula]
    const model = solve(denied)
    if (model) return { region: { ...here, formulas: denied }, model }
  }
  // Where a deny of the first side leaves something out, it may grant after all.
  for (const deny of about(a.denies, here.caller.here)) {
    if (!coversRegion(deny, here, here.caller.here) || excludes(deny, here)) continue
    const found = exploreExclusions(deny, region, search, done, path)
    if (found) return found
  }

  const granting = first(
    about(b.allows, here.caller.there),
    (allow) => !done.has(allow) && coversRegion(allow, here, here.caller.there) && !excludes(allow, here),
  )
  if (!granting) {
    const model = solve(here.formulas)
    return model && { region: here, model }
  }
  const next = new Set(done).add(granting)
  if (!isAlways(granting.formula)) {
    const found = explore({ ...here, formulas: [...here.formulas, negation(granting.formula)] }, search, next, path)
    if (found) return found
  }
  for (const { dimension, pattern } of granting.exclusions) {
    for (const part of meet(partOf(here, dimension), pattern)) {
      const found = explore(narrow(here, dimension, part), search, next, [...path, pattern.text])
      if (found) return found
    }
  }
  // A deny that both sides have opens nothing, unless they see other members.
  const changedFree = search.changed.size === 0
  for (const deny of b.denies.all) {
    if (a.denies.keys.has(deny.key) && changedFree) continue
    for (const found of intoDeny(deny, here, search, path)) if (found) return found
  }
  return undefined
}

/** The parts of a region that a deny of the second side is about. */
function* intoDeny(deny: Statement, here: Region, search: Search, path: readonly string[]): Iterable<ReturnType<typeof explore>> {
  for (const { value: action } of deny.actions) {
    if (!overlaps(action, here.action)) continue
    for (const box of deny.boxes) {
      if (!overlaps(box.region, here.box.region) || !overlaps(box.type, here.box.type) || !overlaps(box.name, here.box.name)) continue
      const formulas = isAlways(deny.formula) ? here.formulas : [...here.formulas, deny.formula]
      for (const { value: identity } of deny.identities) {
        for (const caller of callersIn(here.caller, identity, search)) {
          for (const a of meet(action, here.action)) {
            for (const type of meet(box.type, here.box.type)) {
              for (const name of meet(box.name, here.box.name)) {
                for (const region of meet(box.region, here.box.region)) {
                  yield explore({ caller, box: { region, type, name }, action: a, formulas }, search, new Set(), [...path, action.text])
                }
              }
            }
          }
        }
      }
    }
  }
}

function exploreExclusions(
  deny: Statement,
  region: Region,
  search: Search,
  done: ReadonlySet<Statement>,
  path: readonly string[],
): ReturnType<typeof explore> {
  for (const { dimension, pattern } of deny.exclusions) {
    for (const part of meet(partOf(region, dimension), pattern)) {
      const found = explore(narrow(region, dimension, part), search, done, [...path, pattern.text])
      if (found) return found
    }
  }
  return undefined
}

export function narrow(region: Region, dimension: Dimension, part: Glob): Region {
  return dimension === 'action' ? { ...region, action: part } : { ...region, box: { ...region.box, [dimension]: part } }
}

function solve(formulas: readonly Formula[]): Model | undefined {
  const model = satisfy(formulas)
  if (model === tooMany) throw new Undecided(['conditions'])
  return model
}

/** The statements that may be about one of the members: those that name it, and those with a pattern. */
function* about(index: Index, members: readonly Glob[]): Iterable<Statement> {
  if (members.length === 1) {
    const named = index.byIdentity.get((members[0] as Glob).text)
    if (named) yield* named
    yield* index.byPattern
    return
  }
  const seen = new Set<Statement>()
  for (const member of members) for (const statement of index.byIdentity.get(member.text) ?? []) seen.add(statement)
  for (const statement of index.byPattern) seen.add(statement)
  yield* seen
}

function first<T>(items: Iterable<T>, test: (item: T) => boolean): T | undefined {
  for (const item of items) if (test(item)) return item
  return undefined
}

/** Whether a statement is about the whole region, its exclusions left aside. */
export function coversRegion(statement: Statement, { box, action }: Region, members: readonly Glob[]): boolean {
  return (
    statement.actions.some(({ value }) => covers(value, action)) &&
    statement.boxes.some((b) => covers(b.type, box.type) && covers(b.name, box.name) && covers(b.region, box.region)) &&
    statement.identities.some(({ value }) => members.some((member) => covers(value.glob, member)))
  )
}

/** Whether the region lies in what a statement leaves out. */
export function excludes({ exclusions }: Statement, region: Region): boolean {
  return exclusions.some(({ dimension, pattern }) => covers(pattern, partOf(region, dimension)))
}
