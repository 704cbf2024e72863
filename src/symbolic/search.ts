import { readAction } from '../actions/action.ts'
import { type Allowance, type Budget, take, Undecided } from '../budget.ts'
import { pushTo } from '../collections.ts'
import { Covering, covers, fillWildcards, type Glob, glob, overlaps, uncovered } from '../glob.ts'
import { keyOf } from '../keys.ts'
import { memoizeByObject } from '../memo.ts'
import type { IdentityUrn } from '../urn/identity.ts'
import { type Box, boxText, coversBox, meetBoxes, overlapsBox } from './boxes.ts'
import { always, type Formula, isAlways, type Model, negation, satisfy, tooMany, withTime } from './formula.ts'
import { literal, meet } from './patterns.ts'
import type { Index, Side } from './side.ts'
import { type Dimension, type Patterns, patternsTogether, type Statement } from './statements.ts'

/**
 * The common part of both searches of a comparison (docs/analysis.md, Inclusion): requests as boxes of patterns, their callers,
 * and caches. Requests are compared with every fact of the question given: its groups, address, time, tags and the owner of the
 * resource. Tags and owners that a world knows therefore never count; the groups of its identities and the members of its groups
 * do. The owning account is allowed everything on both sides.
 */

/** Requests: one who asks, with the groups that come along, and a box of resources and actions, where all formulas hold. */
export interface Requests {
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
export interface NewAccess {
  readonly region: Requests
  /** The statement that grants it. */
  readonly statement: Statement
  readonly model: Model
  /**
   * False for possible new access: one that rests on the values that `model.assumed` has for facts that cannot be known
   * (conditions that cannot be parsed, members of unknown resource groups, contents of unknown permissions groups).
   */
  readonly certain: boolean
  /** The comparison that found it. */
  readonly between: Pick<Search, 'sides' | 'patterns'>
}

/** How many times regions are split before the answer is `undecided`: a number of steps, the same on every machine. */
export const defaultBudget = 50_000

/** How many statements are held against regions for each split that there may be. */
const testsForSplit = 400

/** How often one region is split at most. */
const mostSplits = 500

export function mayAssume(a: Side, b: Side): boolean {
  return [a.allows, a.denies, b.allows, b.denies].some((index) => index.hasOpenFacts)
}

interface Changed {
  /** The denies of the second side about groups that the identity has only there. */
  readonly brought: readonly Statement[]
  /** All denies that may make a grant to it new. */
  readonly opening: readonly Statement[]
}

/** A comparison of two sides, the one that grants and the one that does not, with all that is remembered in it. */
export class Search {
  /** All sides that an answer is about: these two, and those that were compared before. */
  readonly sides: readonly Side[]
  readonly a: Side
  readonly b: Side
  /** Whether facts that cannot be known may be assumed. */
  readonly assume: boolean
  /** The instants that count. */
  readonly time: Formula
  /** The denies that only the second side has: where they apply, a grant that both sides have is new. */
  readonly opening: readonly Statement[]
  /** The identities that bring other groups on the two sides. */
  readonly changed = new Map<string, Changed>()
  /** The changed identities that a statement of the first side is about. */
  readonly changedOf = new Map<Statement, Caller[]>()
  /** How many splits, and how many steps in contexts, are left. */
  readonly steps: Allowance
  readonly allowance: Allowance
  /** Always the same object for a formula, so that it is known again. */
  readonly negation = memoizeByObject(negation)
  /** The regions that were split before, for the statement at hand. */
  readonly seen = new Set<string>()
  /** A statement may have many entries, and is held against many regions. */
  readonly prepared = memoizeByObject(entriesIn)
  /** How many statements may still be held against regions. */
  private tests: number
  private readonly numbers = new Map<Formula, number>()
  private readonly models = new Map<string, Model | undefined>()
  private made: Patterns | undefined

  constructor(a: Side, b: Side, budget: number, assume: boolean, time: Formula = always, run?: Budget, also: readonly Side[] = []) {
    this.sides = [a, b, ...also]
    this.a = a
    this.b = b
    this.assume = assume
    this.time = time
    this.steps = { left: budget, ...(run && { run }) }
    this.allowance = { left: budget * 4, ...(run && { run }) }
    this.tests = (1 + budget) * testsForSplit
    const changed = changedMembers(a, b)
    // Who brings other groups on the two sides may be denied by one of two denies that name the same.
    const isDenied = changed.length === 0 ? (deny: Statement) => isWithin(deny, a.denies) : () => false
    this.opening = a.denies === b.denies ? [] : b.denies.statements.filter((deny) => !a.denies.has(deny.key) && !isDenied(deny))
    for (const urn of changed) {
      const caller = callerWith(literal(urn), [], a, b)
      const more = caller.there.filter((member) => !caller.here.some(({ text }) => text === member.text))
      const brought = more.length === 0 ? [] : [...b.denies.about(more)]
      this.changed.set(urn, { brought, opening: [...new Set([...this.opening, ...brought])] })
      for (const statement of a.allows.about(caller.here))
        if (isAbout(statement, caller.here, this.prepared)) pushTo(this.changedOf, statement, caller)
    }
  }

  /** The patterns of all sides, each once. */
  get patterns(): Patterns {
    this.made ??= patternsTogether(this.sides.flatMap(({ allows, denies }) => [...allows.patterns, ...denies.patterns]))
    return this.made
  }

  /** The denies that may make a grant to a caller new. */
  openingFor({ self }: Caller): readonly Statement[] {
    return (self && this.changed.get(self.text)?.opening) ?? this.opening
  }

  /** A context in which the formulas hold. */
  solve(formulas: readonly Formula[]): Model | undefined {
    const key = this.numbersOf(formulas)
    if (this.models.has(key)) return this.models.get(key)
    const { assume, allowance } = this
    const model = satisfy(withTime(formulas, this.time), { assume, allowance })
    if (model === tooMany) throw new Undecided(['conditions'])
    this.models.set(key, model)
    return model
  }

  /** Count a split, that of the patterns on the path. */
  step(path: readonly string[]): void {
    if (!take(this.steps, 1) || path.length > mostSplits) throw new Undecided([...new Set(path)].slice(-8))
  }

  /** Those of the statements that are about the whole region for one of the members, and do not leave it out. */
  *applying(statements: Index, region: Requests, members: readonly Glob[]): Iterable<Statement> {
    const { run } = this.steps
    for (const each of statements.about(members, region.box)) {
      if (run) run.left--
      // Optional steps use up the run as well. This search has to be complete, so that it has a separate limit.
      if (--this.tests < 0) throw new Undecided([boxText(region.box)])
      if (coversRegion(each, region, members, this.prepared) && !excludes(each, region)) yield each
    }
  }

  /** Formulas as a text, the same for the same objects. */
  numbersOf(formulas: readonly Formula[]): string {
    let text = ''
    for (const formula of formulas) {
      const number = this.numbers.get(formula) ?? this.numbers.size
      this.numbers.set(formula, number)
      text += `${number} `
    }
    return text
  }

  newAccess(region: Requests, statement: Statement, model: Model): NewAccess {
    return { region, statement, model, certain: model.assumed.size === 0, between: this }
  }

  /** The parts of a region that a deny of the second side is about. */
  *partsDeniedBy(deny: Statement, region: Requests): Iterable<Requests> {
    const { box } = region
    const actions = deny.actions.filter(({ value }) => overlaps(value, region.action))
    if (actions.length === 0) return
    const boxes = deny.boxes.filter((b) => overlapsBox(b, box))
    if (boxes.length === 0) return
    const formulas = withFormula(region.formulas, deny.formula)
    if (!this.solve(formulas)) return
    for (const { value: identity } of deny.identities) {
      for (const caller of this.callersIn(region.caller, identity)) {
        for (const { value } of actions) {
          for (const action of meet(value, region.action, this.steps).flatMap(legalActions)) {
            for (const b of boxes) for (const part of meetBoxes(b, box, this.steps)) yield { caller, box: part, action, formulas }
          }
        }
      }
    }
  }

  /** The parts of a region that a statement leaves out, each with the pattern that does. */
  *partsLeftOutBy({ exclusions }: Statement, region: Requests): Iterable<{ readonly part: Requests; readonly by: string }> {
    for (const { dimension, pattern } of exclusions) {
      const parts = meet(partOf(region, dimension), pattern, this.steps)
      for (const part of dimension === 'action' ? parts.flatMap(legalActions) : parts)
        yield { part: narrow(region, dimension, part), by: pattern.text }
    }
  }

  /** The callers of a region that an entry is about: everybody who brings the group, or the part of them that it names. */
  private callersIn(caller: Caller, entry: IdentityUrn): readonly Caller[] {
    const { a, b, steps } = this
    if (caller.there.some((member) => covers(entry.glob, member))) return [caller]
    if (entry.kind === 'group') return [callerWith(caller.self, [...caller.groups, entry.glob], a, b)]
    const selves = caller.self ? meet(caller.self, entry.glob, steps) : [entry.glob]
    return selves.map((self) => callerWith(self, caller.groups, a, b))
  }
}

/** Whether one of some statements is plainly about all that another is, always and without exclusions. */
function isWithin({ identities, actions, boxes }: Statement, others: Index): boolean {
  const [who, box] = [identities[0]?.value.glob, boxes[0]]
  if (!who || !box) return false
  return [...others.about([who], box)].some(
    (other) =>
      isAlways(other.formula) &&
      other.exclusions.length === 0 &&
      identities.every(({ value }) => isAbout(other, [value.glob])) &&
      actions.every(({ value }) => other.actions.some((wide) => covers(wide.value, value))) &&
      boxes.every((each) => other.boxes.some((wide) => coversBox(wide, each))),
  )
}

function changedMembers(a: Side, b: Side): readonly string[] {
  if (a.groups === b.groups) return []
  const urns = new Set([...a.groups.keys(), ...b.groups.keys()])
  return [...urns].filter((urn) => {
    const [here, there] = [a.groups.get(urn) ?? [], b.groups.get(urn) ?? []]
    return here.some((group) => !there.includes(group)) || there.some((group) => !here.includes(group))
  })
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
  const isLegal = (part: Glob) => readAction(fillWildcards(part, 'x')).value !== undefined
  // A wildcard that is the only one, and at the end, takes all that is missing: no need to try the others.
  const missing = pieces[1] === '' ? 3 - text.split(':').length : 0
  const whole = missing > 0 ? glob(text + ':*'.repeat(missing)) : pattern
  if (isLegal(whole)) return [whole]
  const legal: Glob[] = []
  const stars = pieces.length - 1
  // `taken` has the wildcard that takes each of some of the three, in order.
  const visit = (taken: readonly (readonly [star: number, mark: string])[], next: number) => {
    const part = glob(
      pieces
        .map((piece, i) => piece + taken.map(([star, mark]) => (star === i ? `*${mark}` : '')).join('') + (i < stars ? '*' : ''))
        .join(''),
    )
    if (isLegal(part)) legal.push(part)
    for (let mark = next; mark < structure.length; mark++) {
      for (let star = taken.at(-1)?.[0] ?? 0; star < stars; star++) visit([...taken, [star, structure[mark] as string]], mark + 1)
    }
  }
  visit([], 0)
  return uncovered(legal)
}

export function callerOf(identity: IdentityUrn, a: Side, b: Side): Caller {
  return identity.kind === 'group' ? callerWith(undefined, [identity.glob], a, b) : callerWith(identity.glob, [], a, b)
}

export function callerWith(self: Glob | undefined, groups: readonly Glob[], a: Side, b: Side): Caller {
  const allMembers = self ? [self, ...groups] : groups
  if (!self) return { self, groups, here: allMembers, there: allMembers }
  const [more, others] = [a.groups.get(self.text) ?? [], b.groups.get(self.text) ?? []]
  const membersWith = (urns: readonly string[]) => (urns.length === 0 ? allMembers : [...allMembers, ...urns.map(literal)])
  const here = membersWith(more)
  const isSame = more.length === others.length && more.every((group, i) => group === others[i])
  return { self, groups, here, there: isSame ? here : membersWith(others) }
}

export function partOf(region: Pick<Requests, 'box' | 'action'>, dimension: Dimension): Glob {
  return dimension === 'action' ? region.action : region.box[dimension]
}

function narrow(region: Requests, dimension: Dimension, part: Glob): Requests {
  return dimension === 'action' ? { ...region, action: part } : { ...region, box: { ...region.box, [dimension]: part } }
}

/** Who asks, as a text. */
export function callerText({ self, groups }: Caller): string {
  return keyOf(
    self?.text,
    groups.map(({ text }) => text),
  )
}

export function withFormula(formulas: readonly Formula[], formula: Formula): readonly Formula[] {
  return isAlways(formula) || formulas.includes(formula) ? formulas : [...formulas, formula]
}

/** The entries of a statement, asked which patterns they cover. */
interface Entries {
  readonly identities: { readonly has: (narrow: Glob) => boolean }
  readonly actions: { readonly has: (narrow: Glob) => boolean }
}

/** So many are looked through one by one, which costs less than to index them. */
const fewEntries = 16

/** Whether a statement has so many entries that an index of them is worth keeping. */
export function hasMany({ identities, actions }: Statement): boolean {
  return identities.length + actions.length > fewEntries
}

/** The entries of a statement that is held against many regions. */
export function entriesIn(statement: Statement): Entries {
  const { identities, actions } = statement
  if (!hasMany(statement)) return plainly(statement)
  return { identities: new Covering(identities.map(({ value }) => value.glob)), actions: new Covering(actions.map(({ value }) => value)) }
}

/** For statements that are asked once, and those of few entries. */
const plainly = ({ identities, actions }: Statement): Entries => ({
  identities: { has: (member) => identities.some(({ value }) => covers(value.glob, member)) },
  actions: { has: (action) => actions.some(({ value }) => covers(value, action)) },
})

export function isAbout(statement: Statement, members: readonly Glob[], entriesOf = plainly): boolean {
  const { identities } = entriesOf(statement)
  return members.some((member) => identities.has(member))
}

/** Whether a statement is about the whole region, its exclusions left aside. */
export function coversRegion(statement: Statement, { box, action }: Requests, members: readonly Glob[], entriesOf = plainly): boolean {
  return (
    entriesOf(statement).actions.has(action) && statement.boxes.some((b) => coversBox(b, box)) && isAbout(statement, members, entriesOf)
  )
}

/** Whether the region is within an exclusion of a statement. */
export function excludes({ exclusions }: Statement, region: Pick<Requests, 'box' | 'action'>): boolean {
  return exclusions.some(({ dimension, pattern }) => covers(pattern, partOf(region, dimension)))
}
