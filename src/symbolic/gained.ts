import { readAction } from '../actions/action.ts'
import { covers, filled, type Glob, glob, isPattern, overlaps, uncovered } from '../glob.ts'
import type { Policy, World } from '../policy.ts'
import type { IdentityUrn } from '../urn/identity.ts'
import { type Allowance, emptyModel, type Formula, hasOpenFacts, isAlways, type Model, negation, satisfy, tooMany } from './formula.ts'
import { literal, meet, Undecided } from './patterns.ts'
import { type Box, type Dimension, type Statement, statementsOf } from './statements.ts'

/**
 * Inclusion of policy sets, exactly and over all names, by region splitting with a fresh letter (spec: analysis, 6.2
 * and 6.4). A region is a box of patterns; its own point is the box with a letter that occurs nowhere in place of every
 * wildcard. What covers the point covers the box, so each question about a box is one of plain matching.
 *
 * Compared is what is granted where every fact of the question is given: its groups, address, time, tags and the owner
 * of the resource. Tags and owners that a world tells therefore never count; the groups of its identities and the
 * members of its groups do. The owning account is allowed everything on both sides.
 */

/** The statements of one side, indexed by the identities they name. */
export interface Side {
  readonly allows: Index
  readonly denies: Index
  /** The groups of each identity that the world describes. */
  readonly groups: ReadonlyMap<string, readonly string[]>
}

/** Statements and the ways to find them. A view of another index hides some of them, and may add others. */
export interface Index {
  /** All that were put in, those that a view hides among them: see `statementsIn`. */
  readonly all: readonly Statement[]
  readonly byKey: ReadonlyMap<string, readonly Statement[]>
  readonly byIdentity: ReadonlyMap<string, readonly Statement[]>
  readonly byPattern: readonly Statement[]
  /** Whether a formula looks at facts that cannot be told. */
  readonly opaque: boolean
  readonly hides?: (statement: Statement) => boolean
  readonly added?: Index
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
  /**
   * False for a possible gain: one that rests on what `model.assumed` assumes of facts that cannot be told (conditions that
   * are not understood, members of unknown resource groups, contents of unknown permissions groups).
   */
  readonly certain: boolean
  /** The sides that were compared: the one that grants it, and the one that does not. */
  readonly between: readonly [Side, Side]
}

export type Outcome =
  | { readonly kind: 'none' }
  /** A possible gain is given only where no certain one exists. */
  | { readonly kind: 'new'; readonly gain: Gain }
  | { readonly kind: 'undecided'; readonly culprits: readonly string[] }

/** How many times regions are split before the answer is `undecided`: a number of steps, the same on every machine. */
export const defaultBudget = 50_000

export function sideOf(world: World, other?: World): Side {
  const statements = statementsOf(world, other)
  return {
    allows: indexOf(statements.filter(({ effect }) => effect === 'allow')),
    denies: indexOf(statements.filter(({ effect }) => effect === 'deny')),
    groups: new Map([...world.identities].map(([urn, identity]) => [urn, identity.groups])),
  }
}

/** A side without the statements that `drop` picks: a view, made in no time. */
export function without(side: Side, drop: (statement: Statement) => boolean): Side {
  const less = (index: Index): Index => ({
    ...index,
    hides: (statement) => index.hides?.(statement) === true || drop(statement),
    ...(index.added && { added: less(index.added) }),
  })
  return { ...side, allows: less(side.allows), denies: less(side.denies) }
}

/** A side with statements put in the place of those of one policy, or added. A view, too. */
export function withStatements(side: Side, statements: readonly Statement[], replaced?: Policy): Side {
  const base = replaced ? without(side, ({ policy }) => policy === replaced) : side
  const more = (index: Index, effect: Statement['effect']): Index => ({
    ...index,
    added: indexOf([...(index.added ? statementsIn(index.added) : []), ...statements.filter((s) => s.effect === effect)]),
  })
  return { ...base, allows: more(base.allows, 'allow'), denies: more(base.denies, 'deny') }
}

/** The statements of an index, those that a view hides left out. */
export function statementsIn({ all, hides, added }: Index): readonly Statement[] {
  const own = hides ? all.filter((statement) => !hides(statement)) : all
  return added ? [...own, ...statementsIn(added)] : own
}

export function indexOf(all: readonly Statement[]): Index {
  const byIdentity = new Map<string, Statement[]>()
  const byPattern: Statement[] = []
  const put = (map: Map<string, Statement[]>, key: string, statement: Statement) => {
    const list = map.get(key)
    if (!list) map.set(key, [statement])
    else if (list.at(-1) !== statement) list.push(statement)
  }
  for (const statement of all) {
    if (statement.identities.some(({ value }) => isPattern(value.glob))) byPattern.push(statement)
    for (const { value } of statement.identities) if (!isPattern(value.glob)) put(byIdentity, value.text, statement)
  }
  let byKey: Map<string, Statement[]> | undefined
  return {
    all,
    /** Made when it is first asked for: a key is a long text. */
    get byKey() {
      if (byKey) return byKey
      byKey = new Map()
      for (const statement of all) put(byKey, statement.key, statement)
      return byKey
    },
    byIdentity,
    byPattern,
    opaque: all.some(({ formula }) => hasOpenFacts(formula)),
  }
}

export function hasKey(index: Index, key: string): boolean {
  const { byKey, hides, added } = index
  const same = byKey.get(key)
  return (same !== undefined && (!hides || same.some((s) => !hides(s)))) || (added !== undefined && hasKey(added, key))
}

/** The statements that may be about one of the members: those that name it, and those with a pattern. */
export function about(index: Index, members: readonly Glob[]): Iterable<Statement> {
  const { byIdentity, byPattern, hides, added } = index
  const found = new Set<Statement>()
  for (const member of members) for (const statement of byIdentity.get(member.text) ?? []) if (!hides?.(statement)) found.add(statement)
  for (const statement of byPattern) if (!hides?.(statement)) found.add(statement)
  if (added) for (const statement of about(added, members)) found.add(statement)
  return found
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
    // What is granted in any case comes first, and what hangs on facts that cannot be told only where there is none.
    for (const assume of mayAssume(a, b) ? [false, true] : [false]) {
      const search = newSearch(a, b, budget, assume)
      for (const statement of of ?? statementsIn(a.allows)) for (const gain of gainsOf(statement, search)) return { kind: 'new', gain }
    }
    return { kind: 'none' }
  } catch (error) {
    if (error instanceof Undecided) return { kind: 'undecided', culprits: error.culprits }
    throw error
  }
}

/** Every way in which `a` grants more than `b`, one for each starting box: all certain ones before the possible ones. Throws `Undecided` past the budget. */
export function* gains(a: Side, b: Side, of: readonly Statement[] | undefined = undefined, budget: number = defaultBudget): Iterable<Gain> {
  for (const assume of mayAssume(a, b) ? [false, true] : [false]) {
    const search = newSearch(a, b, budget, assume)
    for (const statement of of ?? statementsIn(a.allows)) {
      for (const gain of gainsOf(statement, search)) if (gain.certain !== assume) yield gain
    }
  }
}

export function mayAssume(a: Side, b: Side): boolean {
  return [a.allows, a.denies, b.allows, b.denies].some(({ opaque, added }) => opaque || added?.opaque)
}

export interface Search {
  readonly a: Side
  readonly b: Side
  /** Whether facts that cannot be told may be assumed. */
  readonly assume: boolean
  /** The denies that only the second side has: where they apply, a grant that both sides have is new. */
  readonly opening: readonly Statement[]
  /** The identities that bring other groups on the two sides. */
  readonly changed: ReadonlyMap<string, Changed>
  /** The changed identities that a statement of the first side is about. */
  readonly changedOf: ReadonlyMap<Statement, readonly Caller[]>
  /** How many splits, and how many steps in contexts, are left. */
  readonly steps: Allowance
  readonly allowance: Allowance
  readonly negations: Map<Formula, Formula>
  readonly numbers: Map<Formula, number>
  readonly models: Map<string, Model | undefined>
  /** The regions that were split before, for the statement at hand. */
  readonly seen: Set<string>
}

export interface Changed {
  /** The denies of the second side about groups that the identity has only there. */
  readonly brought: readonly Statement[]
  /** All denies that may make a grant to it new. */
  readonly opening: readonly Statement[]
}

export function newSearch(a: Side, b: Side, budget: number, assume: boolean): Search {
  const opening = a.denies === b.denies ? [] : statementsIn(b.denies).filter((deny) => !hasKey(a.denies, deny.key))
  const changed = new Map<string, Changed>()
  const changedOf = new Map<Statement, Caller[]>()
  for (const urn of changedMembers(a, b)) {
    const caller = callerWith(literal(urn), [], a, b)
    const more = caller.there.filter((member) => !caller.here.some(({ text }) => text === member.text))
    const brought = more.length === 0 ? [] : [...about(b.denies, more)]
    changed.set(urn, { brought, opening: [...new Set([...opening, ...brought])] })
    for (const statement of about(a.allows, caller.here)) {
      if (isAbout(statement, caller.here)) changedOf.set(statement, [...(changedOf.get(statement) ?? []), caller])
    }
  }
  return {
    a,
    b,
    assume,
    opening,
    changed,
    changedOf,
    steps: { left: budget },
    allowance: { left: budget * 4 },
    negations: new Map(),
    numbers: new Map(),
    models: new Map(),
    seen: new Set(),
  }
}

function changedMembers(a: Side, b: Side): readonly string[] {
  if (a.groups === b.groups) return []
  const urns = new Set([...a.groups.keys(), ...b.groups.keys()])
  return [...urns].filter((urn) => {
    const [here, there] = [a.groups.get(urn) ?? [], b.groups.get(urn) ?? []]
    return here.some((group) => !there.includes(group)) || there.some((group) => !here.includes(group))
  })
}

/** What one statement of the first side grants and the second side does not: one gain for each starting region. */
function* gainsOf(statement: Statement, search: Search): Iterable<Gain> {
  const { a, b } = search
  search.seen.clear()
  const formulas = withFormula([], statement.formula)
  const actions = statement.actions.flatMap(({ value }) => legalActions(value))
  const regions = (caller: Caller) => actions.flatMap((action) => statement.boxes.map((box): Region => ({ caller, box, action, formulas })))
  const gain = ({ region, model }: Found): Gain => ({ region, statement, model, certain: model.assumed.size === 0, between: [a, b] })
  const whole = function* (caller: Caller) {
    for (const region of regions(caller)) {
      const found = explore(region, statement, search, [])
      if (found) yield gain(found)
    }
  }
  const denied = function* (caller: Caller, denies: readonly Statement[]) {
    if (denies.length === 0) return
    for (const region of regions(caller)) {
      for (const deny of denies) {
        for (const part of partsDeniedBy(deny, region, search)) {
          const found = explore(part, statement, search, [])
          if (found) yield gain(found)
        }
      }
    }
  }

  // A grant that both sides have is new only where the second side denies more, or sees other groups.
  const unchanged = hasKey(b.allows, statement.key)
  for (const { value } of statement.identities) {
    const caller = callerOf(value, a, b)
    if (unchanged) yield* denied(caller, search.opening)
    else yield* whole(caller)
  }
  for (const caller of search.changedOf.get(statement) ?? []) yield* whole(caller)
  for (const [urn, { brought }] of search.changed) {
    if (brought.length === 0) continue
    for (const { value } of statement.identities) {
      if (value.kind === 'group') yield* denied(callerWith(literal(urn), [value.glob], a, b), brought)
    }
  }
}

const structure = [':', ':', '?']

/**
 * The legal actions that a pattern matches, as patterns whose own points are legal actions. Where a legal action keeps
 * only what gives it its shape — two colons, and the `?` before its parameter — in the place of a wildcard, it is one of
 * these; so each combination of wildcards that may take these three is tried. Without this, `p:*` would reach beyond
 * `*:*:*` at a text that is no action.
 */
export function legalActions(pattern: Glob): readonly Glob[] {
  const { pieces, text } = pattern
  if (!isPattern(pattern)) return [pattern]
  if (pieces.length === 2 && pieces[1] === '') {
    const colons = text.split(':').length - 1
    return colons >= 2 ? [pattern] : [glob(colons === 1 ? `${text}:*` : `${text}:*:*`)]
  }
  const isLegal = (part: Glob) => readAction(filled(part, 'x')).value !== undefined
  if (isLegal(pattern)) return [pattern]
  const found: Glob[] = []
  const stars = pieces.length - 1
  // `taken` has the wildcard that takes each of some of the three, in order.
  const visit = (taken: readonly (readonly [star: number, mark: string])[], next: number) => {
    const part = glob(
      pieces
        .map((piece, i) => piece + taken.map(([star, mark]) => (star === i ? `*${mark}` : '')).join('') + (i < stars ? '*' : ''))
        .join(''),
    )
    if (isLegal(part)) found.push(part)
    for (let mark = next; mark < structure.length; mark++) {
      for (let star = taken.at(-1)?.[0] ?? 0; star < stars; star++) visit([...taken, [star, structure[mark] as string]], mark + 1)
    }
  }
  visit([], 0)
  return uncovered(found)
}

export function callerOf(identity: IdentityUrn, a: Side, b: Side): Caller {
  return identity.kind === 'group' ? callerWith(undefined, [identity.glob], a, b) : callerWith(identity.glob, [], a, b)
}

export function callerWith(self: Glob | undefined, groups: readonly Glob[], a: Side, b: Side): Caller {
  const own = self ? [self, ...groups] : groups
  if (!self || isPattern(self)) return { self, groups, here: own, there: own }
  const [here, there] = [a, b].map((side) => {
    const more = side.groups.get(self.text)
    return more ? [...own, ...more.map(literal)] : own
  })
  return { self, groups, here: here as readonly Glob[], there: there as readonly Glob[] }
}

/** The callers of a region that an entry is about: everybody who brings the group, or the part of them that it names. */
export function callersIn(caller: Caller, entry: IdentityUrn, { a, b, steps }: Search): readonly Caller[] {
  if (caller.there.some((member) => covers(entry.glob, member))) return [caller]
  if (entry.kind === 'group') return [callerWith(caller.self, [...caller.groups, entry.glob], a, b)]
  const selves = caller.self ? meet(caller.self, entry.glob, steps) : [entry.glob]
  return selves.map((self) => callerWith(self, caller.groups, a, b))
}

export function partOf(region: Region, dimension: Dimension): Glob {
  return dimension === 'action' ? region.action : region.box[dimension]
}

interface Found {
  readonly region: Region
  readonly model: Model
}

/** Look for a request of the region that the statement of the first side grants, and that the second side does not. */
function explore(region: Region, statement: Statement, search: Search, path: readonly string[]): Found | undefined {
  if (excludes(statement, region)) return undefined
  if (path.length > 0) {
    const key = keyOf(region, search)
    if (search.seen.has(key)) return undefined
    search.seen.add(key)
    if (--search.steps.left < 0 || path.length > mostSplits) throw new Undecided([...new Set(path)].slice(-8))
  }
  const { caller } = region
  const denies: Statement[] = []
  let formulas = region.formulas
  for (const deny of about(search.a.denies, caller.here)) {
    if (!coversRegion(deny, region, caller.here) || excludes(deny, region)) continue
    // Denied always: only what this one leaves out may still be granted.
    if (isAlways(deny.formula)) return exploreExclusions([deny], region, statement, search, path)
    denies.push(deny)
    formulas = withFormula(formulas, negationOf(deny.formula, search))
  }
  const found = solve(formulas, search) && atPoint({ ...region, formulas }, statement, search, path)
  // Where a deny of the first side leaves something out, more may be granted than at the point.
  return found ?? exploreExclusions(denies, region, statement, search, path)
}

/** The same for a region whose point the first side grants, in the contexts that the formulas leave. */
function atPoint(region: Region, statement: Statement, search: Search, path: readonly string[]): Found | undefined {
  const { b } = search
  const members = region.caller.there
  for (const deny of about(b.denies, members)) {
    if (!coversRegion(deny, region, members) || excludes(deny, region)) continue
    const formulas = withFormula(region.formulas, deny.formula)
    const model = solve(formulas, search)
    if (model) return { region: { ...region, formulas }, model }
  }

  // The statements that leave no context at the point: one without a condition, or as many with one as it takes.
  const grants: Statement[] = []
  let whole: Statement | undefined
  for (const allow of about(b.allows, members)) {
    if (!coversRegion(allow, region, members) || excludes(allow, region)) continue
    grants.push(allow)
    if (isAlways(allow.formula) && (!whole || allow.exclusions.length < whole.exclusions.length)) whole = allow
    if (whole?.exclusions.length === 0) break
  }
  const closing: { readonly grant: Statement; readonly formulas: readonly Formula[] }[] = []
  if (whole) closing.push({ grant: whole, formulas: region.formulas })
  else {
    let formulas = region.formulas
    let model = solve(formulas, search)
    for (const grant of grants) {
      if (!model) break
      closing.push({ grant, formulas })
      formulas = withFormula(formulas, negationOf(grant.formula, search))
      model = solve(formulas, search)
    }
    if (model) return { region: { ...region, formulas }, model }
  }

  // Elsewhere in the region one of these must leave it out: the first that does, so that those before it fail to hold.
  for (const { grant, formulas } of closing) {
    const found = exploreExclusions([grant], { ...region, formulas }, statement, search, path)
    if (found) return found
  }
  // Or the second side denies it.
  const self = region.caller.self?.text
  for (const deny of (self !== undefined && search.changed.get(self)?.opening) || search.opening) {
    if (coversRegion(deny, region, members)) continue
    for (const part of partsDeniedBy(deny, region, search)) {
      const found = explore(part, statement, search, [...path, deny.policy.name.value])
      if (found) return found
    }
  }
  return undefined
}

/** How often one region is split at most. */
const mostSplits = 500

/** The parts of a region that a deny of the second side is about. */
export function* partsDeniedBy(deny: Statement, region: Region, search: Search): Iterable<Region> {
  const { box } = region
  const actions = deny.actions.filter(({ value }) => overlaps(value, region.action))
  if (actions.length === 0) return
  const boxes = deny.boxes.filter((b) => overlaps(b.region, box.region) && overlaps(b.type, box.type) && overlaps(b.name, box.name))
  if (boxes.length === 0) return
  const formulas = withFormula(region.formulas, deny.formula)
  if (!solve(formulas, search)) return
  for (const { value: identity } of deny.identities) {
    for (const caller of callersIn(region.caller, identity, search)) {
      for (const { value } of actions) {
        for (const action of meet(value, region.action, search.steps).flatMap(legalActions)) {
          for (const b of boxes) {
            for (const type of meet(b.type, box.type, search.steps)) {
              for (const name of meet(b.name, box.name, search.steps)) {
                for (const plate of meet(b.region, box.region)) yield { caller, box: { region: plate, type, name }, action, formulas }
              }
            }
          }
        }
      }
    }
  }
}

/** The parts of a region that one of the statements leaves out. */
function exploreExclusions(
  statements: readonly Statement[],
  region: Region,
  statement: Statement,
  search: Search,
  path: readonly string[],
): Found | undefined {
  for (const { exclusions } of statements) {
    for (const { dimension, pattern } of exclusions) {
      if (!overlaps(partOf(region, dimension), pattern)) continue
      const parts = meet(partOf(region, dimension), pattern, search.steps)
      for (const part of dimension === 'action' ? parts.flatMap(legalActions) : parts) {
        const found = explore(narrow(region, dimension, part), statement, search, [...path, pattern.text])
        if (found) return found
      }
    }
  }
  return undefined
}

export function narrow(region: Region, dimension: Dimension, part: Glob): Region {
  return dimension === 'action' ? { ...region, action: part } : { ...region, box: { ...region.box, [dimension]: part } }
}

function keyOf({ caller, box, action, formulas }: Region, search: Search): string {
  const who = `${caller.self?.text ?? ''} ${caller.groups.map(({ text }) => text).join(' ')}`
  return [who, action.text, box.region.text, box.type.text, box.name.text, numbersOf(formulas, search)].join('\n')
}

function numbersOf(formulas: readonly Formula[], { numbers }: Search): string {
  let text = ''
  for (const formula of formulas) {
    const number = numbers.get(formula) ?? numbers.size
    numbers.set(formula, number)
    text += `${number} `
  }
  return text
}

export function withFormula(formulas: readonly Formula[], formula: Formula): readonly Formula[] {
  return isAlways(formula) || formulas.includes(formula) ? formulas : [...formulas, formula]
}

/** Always the same object for a formula, so that it is known again. */
export function negationOf(formula: Formula, { negations }: Search): Formula {
  const negated = negations.get(formula) ?? negation(formula)
  negations.set(formula, negated)
  return negated
}

export function solve(formulas: readonly Formula[], search: Search): Model | undefined {
  if (formulas.length === 0) return emptyModel
  const key = numbersOf(formulas, search)
  if (search.models.has(key)) return search.models.get(key)
  const model = satisfy(formulas, { assume: search.assume, allowance: search.allowance })
  if (model === tooMany) throw new Undecided(['conditions'])
  search.models.set(key, model)
  return model
}

export function isAbout(statement: Statement, members: readonly Glob[]): boolean {
  return statement.identities.some(({ value }) => members.some((member) => covers(value.glob, member)))
}

/** Whether a statement is about the whole region, its exclusions left aside. */
export function coversRegion(statement: Statement, { box, action }: Region, members: readonly Glob[]): boolean {
  return (
    statement.actions.some(({ value }) => covers(value, action)) &&
    statement.boxes.some((b) => covers(b.type, box.type) && covers(b.name, box.name) && covers(b.region, box.region)) &&
    isAbout(statement, members)
  )
}

/** Whether the region lies in what a statement leaves out. */
export function excludes({ exclusions }: Statement, region: Region): boolean {
  return exclusions.some(({ dimension, pattern }) => covers(pattern, partOf(region, dimension)))
}
