import { readAction } from '../actions/action.ts'
import { covers, filled, type Glob, glob, isPattern, overlaps, uncovered } from '../glob.ts'
import type { IdentityUrn } from '../urn/identity.ts'
import { type Box, coversBox, meetBoxes, overlapsBox } from './boxes.ts'
import { Clock } from './clock.ts'
import { type Allowance, emptyModel, type Formula, isAlways, type Model, negation, printFormula, satisfy, tooMany } from './formula.ts'
import { rememberedFor } from './lists.ts'
import { literal, meet, Undecided } from './patterns.ts'
import type { Side } from './side.ts'
import { type Dimension, type Patterns, patternsTogether, type Statement } from './statements.ts'

/**
 * What both searches of a comparison share (docs/analysis.md, Inclusion): requests as boxes of patterns, whom they are from,
 * and what is remembered. Compared is what is granted where every fact of the question is given: its groups, address, time,
 * tags and the owner of the resource. Tags and owners that a world knows therefore never count; the groups of its identities
 * and the members of its groups do. The owning account is allowed everything on both sides.
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
export interface Gain {
  readonly region: Requests
  /** The statement that grants it. */
  readonly statement: Statement
  readonly model: Model
  /**
   * False for a possible gain: one that rests on what `model.assumed` assumes of facts that cannot be known (conditions that
   * are not understood, members of unknown resource groups, contents of unknown permissions groups).
   */
  readonly certain: boolean
  /** The sides that were compared. */
  readonly between: Between
}

/** How many times regions are split before the answer is `undecided`: a number of steps, the same on every machine. */
export const defaultBudget = 50_000

/** Two sides: the one that grants, and the one that does not. */
export class Between {
  readonly a: Side
  readonly b: Side
  private made: Patterns | undefined

  constructor(a: Side, b: Side) {
    this.a = a
    this.b = b
  }

  /** The patterns of both sides, each once. */
  get patterns(): Patterns {
    this.made ??= patternsTogether([this.a, this.b].flatMap(({ allows, denies }) => [...allows.patterns, ...denies.patterns]))
    return this.made
  }
}

export function mayAssume(a: Side, b: Side): boolean {
  return [a.allows, a.denies, b.allows, b.denies].some((index) => index.hasOpenFacts)
}

export interface Search {
  readonly a: Side
  readonly b: Side
  /** Whether facts that cannot be known may be assumed. */
  readonly assume: boolean
  readonly between: Between
  readonly clock: Clock
  /** The denies that only the second side has: where they apply, a grant that both sides have is new. */
  readonly opening: readonly Statement[]
  /** The identities that bring other groups on the two sides. */
  readonly changed: ReadonlyMap<string, Changed>
  /** The changed identities that a statement of the first side is about. */
  readonly changedOf: ReadonlyMap<Statement, readonly Caller[]>
  /** How many splits, and how many steps in contexts, are left. */
  readonly steps: Allowance
  readonly allowance: Allowance
  /** Always the same object for a formula, so that it is known again. */
  readonly negation: (formula: Formula) => Formula
  readonly print: (formula: Formula) => string
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
  const opening = a.denies === b.denies ? [] : b.denies.statements.filter((deny) => !a.denies.has(deny.key))
  const changed = new Map<string, Changed>()
  const changedOf = new Map<Statement, Caller[]>()
  for (const urn of changedMembers(a, b)) {
    const caller = callerWith(literal(urn), [], a, b)
    const more = caller.there.filter((member) => !caller.here.some(({ text }) => text === member.text))
    const brought = more.length === 0 ? [] : [...b.denies.about(more)]
    changed.set(urn, { brought, opening: [...new Set([...opening, ...brought])] })
    for (const statement of a.allows.about(caller.here)) {
      if (isAbout(statement, caller.here)) changedOf.set(statement, [...(changedOf.get(statement) ?? []), caller])
    }
  }
  return {
    a,
    b,
    assume,
    between: new Between(a, b),
    clock: new Clock(),
    opening,
    changed,
    changedOf,
    steps: { left: budget },
    allowance: { left: budget * 4 },
    negation: rememberedFor(negation),
    print: rememberedFor(printFormula),
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

export function partOf(region: Pick<Requests, 'box' | 'action'>, dimension: Dimension): Glob {
  return dimension === 'action' ? region.action : region.box[dimension]
}

/** How often one region is split at most. */
export const mostSplits = 500

/** The parts of a region that a deny of the second side is about. */
export function* partsDeniedBy(deny: Statement, region: Requests, search: Search): Iterable<Requests> {
  const { box } = region
  const actions = deny.actions.filter(({ value }) => overlaps(value, region.action))
  if (actions.length === 0) return
  const boxes = deny.boxes.filter((b) => overlapsBox(b, box))
  if (boxes.length === 0) return
  const formulas = withFormula(region.formulas, deny.formula)
  if (!solve(formulas, search)) return
  for (const { value: identity } of deny.identities) {
    for (const caller of callersIn(region.caller, identity, search)) {
      for (const { value } of actions) {
        for (const action of meet(value, region.action, search.steps).flatMap(legalActions)) {
          for (const b of boxes) for (const part of meetBoxes(b, box, search.steps)) yield { caller, box: part, action, formulas }
        }
      }
    }
  }
}

export function narrow(region: Requests, dimension: Dimension, part: Glob): Requests {
  return dimension === 'action' ? { ...region, action: part } : { ...region, box: { ...region.box, [dimension]: part } }
}

export function keyOf({ caller, box, action, formulas }: Requests, search: Search): string {
  const who = `${caller.self?.text ?? ''} ${caller.groups.map(({ text }) => text).join(' ')}`
  return [who, action.text, box.region.text, box.type.text, box.name.text, numbersOf(formulas, search)].join('\n')
}

export function numbersOf(formulas: readonly Formula[], { numbers }: Search): string {
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

export function solve(formulas: readonly Formula[], search: Search): Model | undefined {
  if (formulas.length === 0) return emptyModel
  const key = numbersOf(formulas, search)
  if (search.models.has(key)) return search.models.get(key)
  const model = satisfy(formulas, { assume: search.assume, allowance: search.allowance, clock: search.clock })
  if (model === tooMany) throw new Undecided(['conditions'])
  search.models.set(key, model)
  return model
}

export function isAbout(statement: Statement, members: readonly Glob[]): boolean {
  return statement.identities.some(({ value }) => members.some((member) => covers(value.glob, member)))
}

/** Whether a statement is about the whole region, its exclusions left aside. */
export function coversRegion(statement: Statement, { box, action }: Requests, members: readonly Glob[]): boolean {
  return (
    statement.actions.some(({ value }) => covers(value, action)) &&
    statement.boxes.some((b) => coversBox(b, box)) &&
    isAbout(statement, members)
  )
}

/** Whether the region lies in what a statement leaves out. */
export function excludes({ exclusions }: Statement, region: Pick<Requests, 'box' | 'action'>): boolean {
  return exclusions.some(({ dimension, pattern }) => covers(pattern, partOf(region, dimension)))
}
