import { type Budget, Undecided } from '../budget.ts'
import { groupedBy, pushTo } from '../collections.ts'
import { compareText } from '../diagnostic.ts'
import { Covering, covers, type Glob, glob, isPattern, overlaps, uncovered } from '../glob.ts'
import { keyOf } from '../keys.ts'
import { memoizeByObject, memoizeByText } from '../memo.ts'
import type { Policy, World } from '../policy.ts'
import { literal, meet } from '../symbolic/patterns.ts'
import { type Place, patternPlace, placeOf, relation } from '../symbolic/place.ts'
import { permissionsOf } from '../symbolic/regions.ts'
import type { IdentityUrn } from '../urn/identity.ts'
import type { ResourceUrn } from '../urn/resource.ts'
import { anyTime, type When, whenOf } from './condition.ts'

/**
 * The normal form of policies (docs/analysis.md, Normal form of the lock): single facts: one identity, one resource, one action.
 * Facts implied by others are left out, and facts denied in any case are removed from the allowed ones. However the policies are
 * split, the same entries give the same facts.
 */

/** One identity pattern and one resource pattern, when they meet, and what is said of actions there. */
export interface Cell {
  readonly effect: 'allow' | 'deny' | 'group'
  readonly identity: IdentityUrn
  readonly resource: Place
  readonly when: When
  readonly until: Until | undefined
  readonly facts: readonly Fact[]
}

export interface Until {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly text: string
}

/** An action pattern, or for the effect `group` the URN of a permissions group whose contents are not known. */
export interface Fact {
  readonly action: Glob
  /** The actions left out of it, none covered by another, sorted. */
  readonly except: readonly Glob[]
}

/** The limit of facts: a review of more would be useless. */
const mostFacts = 500_000

/** The facts of the policies of a world. Throws `Undecided` where there are too many, or patterns meet in too many ways. */
export function factsOf(world: World, run: Budget): readonly Cell[] {
  const meets = meetsWithin(mostMeetings)
  const work: Work = { meets, run, actionsOf: memoizeByObject((facts: readonly Fact[]) => new Covering(facts.map(({ action }) => action))) }
  let cells = cellsOf(world)
  let before = ''
  // A fact removed in one round may make another one removable.
  for (let round = 0; round < mostRounds; round++) {
    cells = reduced(cells, work)
    const now = sayings(cells)
    if (now === before) break
    before = now
  }
  return cells
}

const mostRounds = 10

/** The context that is handed down. */
interface Work {
  readonly meets: Meets
  readonly run: Budget
  /** The actions of some facts, asked which of them cover another. */
  readonly actionsOf: (facts: readonly Fact[]) => Covering
}

/** The intersection of two patterns. */
type Meets = (a: Glob, b: Glob) => readonly Glob[]

/** How many patterns may come of pairs that meet in other ways than one within the other, each pair's counted by their square. */
const mostMeetings = 1_000_000

/** Computed once for each pair. Throws `Undecided` past the bound. */
function meetsWithin(most: number): Meets {
  const globsByText = new Map<string, readonly Glob[]>()
  let remaining = most
  return (a, b) => {
    if (covers(a, b)) return [b]
    if (covers(b, a)) return [a]
    const key = keyOf(a.text, b.text)
    let globs = globsByText.get(key)
    if (!globs) {
      globs = meet(a, b)
      globsByText.set(key, globs)
      remaining -= 1 + globs.length * globs.length
      if (remaining < 0) throw new Undecided([a.text, b.text])
    }
    return globs
  }
}

/** A text of cells, independent of their order. */
function sayings(cells: readonly Cell[]): string {
  return keyOf(cells.flatMap((cell) => cell.facts.map((fact) => keyOf(cellKey(cell), factKey(fact)))).sort())
}

/** The cells without what other cells say too, and without denies that can be left out of what is allowed instead. */
function reduced(cells: readonly Cell[], work: Work): readonly Cell[] {
  const { meets, run, actionsOf } = work
  const denies = withoutRepeats(
    cells.filter(({ effect }) => effect === 'deny'),
    work,
  )
  const groups = withoutRepeats(
    cells.filter(({ effect }) => effect === 'group'),
    work,
  )
  const denyIndex = indexOf(denies)
  let allows = joined(
    cells.filter(({ effect }) => effect === 'allow'),
    work,
  )
    .map((cell) => {
      const over = coveringCells(denyIndex, cell)
      return withFacts(
        cell,
        cell.facts.filter(({ action }) => !over.some((deny) => actionsOf(deny.facts).has(action))),
      )
    })
    .filter(hasFacts)
  const requiredFacts = stillNeeded(denies, allows, groups, work)
  const subtracted = indexOf(denies.map((cell) => withFacts(cell, difference(cell.facts, requiredFacts.get(cell)))).filter(hasFacts))
  const needed = denies.map((cell) => withFacts(cell, requiredFacts.get(cell) ?? [])).filter(hasFacts)
  const neededIndex = indexOf(needed)
  allows = allows
    .map((cell) => {
      const [taken, denied] = [subtracted, neededIndex].map((index) =>
        coveringCells(index, cell).flatMap((deny) => deny.facts.map(({ action }) => action)),
      ) as [Glob[], Glob[]]
      const isWithinDenied = new Covering(denied)
      return withFacts(
        cell,
        cell.facts.flatMap(({ action, except }) => {
          run.spend(taken.length + except.length, () => [action.text])
          const exclusions = [...except, ...taken].filter(
            (e) => overlaps(e, action) && !meets(e, action).every((part) => isWithinDenied.has(part)),
          )
          return factOf(action, exclusions) ?? []
        }),
      )
    })
    .filter(hasFacts)
  return [...joined(allows, work), ...needed, ...groups]
}

function hasFacts({ facts }: Cell): boolean {
  return facts.length > 0
}

function withFacts(cell: Cell, facts: readonly Fact[]): Cell {
  return { ...cell, facts }
}

function difference(all: readonly Fact[], some: readonly Fact[] = []): readonly Fact[] {
  const known = new Set(some)
  return all.filter((fact) => !known.has(fact))
}

/** Undefined where everything is left out. */
function factOf(action: Glob, except: readonly Glob[]): Fact | undefined {
  if (except.length === 0) return { action, except }
  if (except.some((e) => covers(e, action))) return undefined
  const exclusions = uncovered(except.filter((e) => overlaps(e, action)))
  return { action, except: [...exclusions].sort((a, b) => compareText(a.text, b.text)) }
}

function factKey({ action, except }: Fact): string {
  return keyOf(
    action.text,
    except.map(({ text }) => text),
  )
}

function cellKey({ effect, identity, resource, when, until }: Omit<Cell, 'facts'>): string {
  return keyOf(effect, identity.text, resource.text, when.key, until?.at)
}

function cellsOf(world: World): readonly Cell[] {
  const cells = new Map<string, Cell & { readonly byKey: Map<string, Fact> }>()
  // Each name once: names are looked up again and again.
  const identities = memoizeByText(({ text }: IdentityUrn) => text, plainIdentity)
  const placeNamed = memoizeByText(
    ({ text }: Place) => text,
    (place) => place,
  )
  let count = 0
  for (const policy of world.policies) {
    const when = whenOf(policy)
    if (!when) continue
    const places = placesOf(policy, world).map(placeNamed)
    const until = policy.expiresAt && { at: policy.expiresAt.value, text: expiryText(policy.expiresAt.value, policy) }
    const add = (effect: Cell['effect'], facts: readonly Fact[]) => {
      if (facts.length === 0) return
      for (const identity of policy.identities.map(({ value }) => identities(value))) {
        for (const resource of places) {
          const key = cellKey({ effect, identity, resource, when, until })
          let cell = cells.get(key)
          if (!cell) {
            cell = { effect, identity, resource, when, until, facts: [], byKey: new Map() }
            cells.set(key, cell)
          }
          for (const fact of facts) cell.byKey.set(factKey(fact), fact)
          count += facts.length
          if (count > mostFacts) throw new Undecided([policy.name.value])
        }
      }
    }
    for (const { set, group, isKnown } of permissionsOf(policy, world)) {
      if (group !== undefined && !isKnown) {
        add('group', [{ action: literal(group), except: [] }])
        continue
      }
      const remaining = set.except.map(({ value }) => plainAction(value))
      add(
        'allow',
        set.allow.flatMap(({ value }) => factOf(plainAction(value), remaining) ?? []),
      )
      add(
        'deny',
        set.deny.map(({ value }) => ({ action: plainAction(value), except: [] })),
      )
    }
  }
  return [...cells.values()].map(({ byKey, ...cell }) => withFacts(cell, [...byKey.values()]))
}

/** The instant in UTC; as it is written where that has no year of four digits there. */
function expiryText(at: number, policy: Policy): string {
  const text = new Date(at).toISOString().replace('.000Z', 'Z')
  const span = policy.expiresAt?.span
  return /^\d{4}-/.test(text) || !span ? text : span.source.text.slice(span.start, span.end).replaceAll(/["']/g, '')
}

/** Several wildcards in a row are one. */
function plainGlob({ pieces }: Glob): Glob {
  return glob(pieces.join('*'))
}

/** A pattern without redundant parts: `*:*` and `*:*:*` match every action, and `vps:*:*` every one of a product. */
function plainAction(action: Glob): Glob {
  const plain = plainGlob(action)
  if (plain.text === '*:*' || plain.text === '*:*:*') return glob('*')
  const [product = '', ...rest] = plain.text.split(':')
  return rest.join(':') === '*:*' && !product.includes('*') ? glob(`${product}:*`) : plain
}

function plainIdentity(identity: IdentityUrn): IdentityUrn {
  return { ...identity, text: identity.glob.pieces.join('*'), glob: plainGlob(identity.glob) }
}

/** `urn:v1:eu:resource:vps*:*` says no more than `urn:v1:eu:resource:vps*`. */
function plainPlace({ kind, glob: pattern }: ResourceUrn): Place {
  const text = pattern.pieces.join('*')
  const isShort = kind === 'resource' && text.endsWith('*:*') && text.indexOf(':', text.indexOf(':resource:') + 10) === text.length - 2
  return patternPlace(glob(isShort ? text.slice(0, -2) : text))
}

/** Where a policy applies: the members of groups that are known by their names, and the groups that are open by theirs. */
function placesOf({ resources }: Policy, world: World): readonly Place[] {
  const places = new Map<string, Place>()
  const add = (place: Place) => places.set(place.text, place)
  for (const { value } of resources) {
    const place = placeOf(value, world)
    if (value.kind === 'resource') add(plainPlace(value))
    else if (place.kind === 'group') {
      for (const text of place.members) add(patternPlace(literal(text)))
      const plain = plainGlob(value.glob)
      if (place.isOpen) add({ ...place, text: plain.text, urn: { ...value, text: plain.text, glob: plain }, members: new Set() })
    }
  }
  return [...places.values()]
}

/** Cells by their identities and resources, and which of these patterns cover others. */
interface CellIndex {
  readonly cells: ReadonlyMap<string, ReadonlyMap<string, readonly Cell[]>>
  readonly identities: (of: Glob) => readonly string[]
  readonly resources: (of: Place) => readonly string[]
}

function indexOf(cells: readonly Cell[]): CellIndex {
  const byIdentity = new Map<string, Map<string, Cell[]>>()
  const places = new Map<string, Place>()
  const patterns = new Map<string, Glob>()
  for (const cell of cells) {
    const { identity, resource } = cell
    const byResource = byIdentity.get(identity.text) ?? new Map<string, Cell[]>()
    byIdentity.set(identity.text, byResource)
    pushTo(byResource, resource.text, cell)
    if (resource.kind === 'group' || isPattern(resource.glob)) places.set(resource.text, resource)
    if (isPattern(identity.glob)) patterns.set(identity.text, identity.glob)
  }
  return {
    cells: byIdentity,
    identities: memoizeByText(
      (of) => of.text,
      (of) => [of.text, ...[...patterns.values()].filter((p) => p.text !== of.text && covers(p, of)).map(({ text }) => text)],
    ),
    resources: memoizeByText(
      (of) => of.text,
      (of) => [of.text, ...[...places.values()].filter((p) => p.text !== of.text && isWithin(p, of)).map(({ text }) => text)],
    ),
  }
}

function isWithin(wide: Place, narrow: Place): boolean {
  return relation(wide, narrow) === 'whole'
}

/** The cells that apply whenever a cell does, itself among them if it is in the index. */
function coveringCells({ cells, identities, resources }: CellIndex, cell: Cell): readonly Cell[] {
  return identities(cell.identity.glob).flatMap((identity) => {
    const byResource = cells.get(identity)
    return byResource ? resources(cell.resource).flatMap((resource) => (byResource.get(resource) ?? []).filter((c) => isWhen(c, cell))) : []
  })
}

function isWhen(wide: Cell, narrow: Cell): boolean {
  if (wide.when.key !== anyTime.key && wide.when.key !== narrow.when.key) return false
  return !wide.until || (narrow.until !== undefined && narrow.until.at <= wide.until.at)
}

/** The cells without the facts that others say as well; of those that say the same, the first in order stays. */
function withoutRepeats(cells: readonly Cell[], { meets, run, actionsOf }: Work): readonly Cell[] {
  const index = indexOf(cells)
  return cells
    .map((cell) => {
      const over = coveringCells(index, cell)
      const repeats = (fact: Fact) =>
        over.some((other) =>
          [...actionsOf(other.facts).of(fact.action)].some((place) => {
            const wide = other.facts[place] as Fact
            run.spend(1, () => [fact.action.text])
            if ((other === cell && wide === fact) || !saysAsMuch(wide, fact, meets)) return false
            const isMutual = saysAsMuch(fact, wide, meets) && (other === cell || coveringCells(index, other).includes(cell))
            return !isMutual || compareText(orderOf(other, wide), orderOf(cell, fact)) < 0
          }),
        )
      return withFacts(
        cell,
        cell.facts.filter((fact) => !repeats(fact)),
      )
    })
    .filter(hasFacts)
}

function orderOf({ identity, resource, when, until }: Cell, fact: Fact): string {
  return [identity.text, resource.text, when.key, until?.at ?? '', factKey(fact)].join('\n')
}

function saysAsMuch(wide: Fact, narrow: Fact, meets: Meets): boolean {
  if (!covers(wide.action, narrow.action)) return false
  return wide.except.every(
    (e) => !overlaps(e, narrow.action) || meets(e, narrow.action).every((part) => narrow.except.some((own) => covers(own, part))),
  )
}

/** Facts without exceptions that another fact allows. Repeated until nothing changes: one may make another removable. */
function joined(cells: readonly Cell[], work: Work): readonly Cell[] {
  const { meets, run } = work
  let current = withoutRepeats(cells, work)
  for (;;) {
    const index = indexOf(current)
    let isChanged = false
    const next = current.map((cell) => {
      if (cell.facts.every(({ except }) => except.length === 0)) return cell
      const others = coveringCells(index, cell).flatMap(({ facts }) => facts)
      return withFacts(
        cell,
        cell.facts.map((fact) => {
          const except = fact.except.filter((e) => {
            const parts = meets(e, fact.action)
            run.spend(others.length, () => [e.text])
            return !others.some(
              (other) => other !== fact && parts.every((p) => covers(other.action, p) && !other.except.some((left) => overlaps(left, p))),
            )
          })
          if (except.length === fact.except.length) return fact
          isChanged = true
          return { ...fact, except }
        }),
      )
    })
    if (!isChanged) return current
    current = withoutRepeats(merged(next), work)
  }
}

/** Facts of a cell that have become the same are one. */
function merged(cells: readonly Cell[]): readonly Cell[] {
  return cells.map((cell) => withFacts(cell, [...new Map(cell.facts.map((fact) => [factKey(fact), fact])).values()]))
}

/**
 * The denies that have to stay: those that meet something allowed which they do not apply to in all of its identities,
 * resources and contexts. What the others deny can be left out of what is allowed instead.
 */
function stillNeeded(
  denies: readonly Cell[],
  allows: readonly Cell[],
  groups: readonly Cell[],
  { meets, run }: Work,
): ReadonlyMap<Cell, readonly Fact[]> {
  const needed = new Map<Cell, readonly Fact[]>()
  const met = meetingsIn([...allows, ...groups])
  for (const deny of denies) {
    const partly = met(deny).filter(
      (cell) =>
        cell.effect === 'group' ||
        !(covers(deny.identity.glob, cell.identity.glob) && isWithin(deny.resource, cell.resource) && isWhen(deny, cell)),
    )
    run.spend(deny.facts.length * partly.reduce((sum, { facts }) => sum + facts.length, 1), () =>
      deny.facts.map(({ action }) => action.text).slice(0, 8),
    )
    const isLeft = (action: Glob) => (fact: Fact) =>
      overlaps(action, fact.action) && !meets(action, fact.action).every((part) => fact.except.some((left) => covers(left, part)))
    const facts = deny.facts.filter(({ action }) => partly.some((cell) => cell.effect === 'group' || cell.facts.some(isLeft(action))))
    if (facts.length > 0) needed.set(deny, facts)
  }
  return needed
}

/** The way to the cells that a cell may meet: some caller and some resource may be in both. */
function meetingsIn(cells: readonly Cell[]): (cell: Cell) => readonly Cell[] {
  const byIdentity = groupedBy(cells, ({ identity }) => identity.text)
  const places = new Map(cells.map(({ resource }) => [resource.text, resource]))
  const callers = memoizeByText<IdentityUrn, readonly Cell[]>(
    ({ text }) => text,
    (identity) => [...byIdentity.values()].flatMap((list) => (mayBeTogether(identity, (list[0] as Cell).identity) ? list : [])),
  )
  const met = memoizeByText<Place, ReadonlySet<string>>(
    ({ text }) => text,
    (place) => new Set([...places.values()].flatMap((other) => (relation(place, other) !== 'apart' ? [other.text] : []))),
  )
  return ({ identity, resource }) => {
    const there = met(resource)
    return callers(identity).filter((cell) => there.has(cell.resource.text))
  }
}

/** Whether one request may be from both: any identity may be in groups, but none is two users. */
function mayBeTogether(a: IdentityUrn, b: IdentityUrn): boolean {
  return a.kind === 'group' || b.kind === 'group' || overlaps(a.glob, b.glob)
}
