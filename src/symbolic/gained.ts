import { type Allowance, type Budget, isExceeded, Undecided } from '../budget.ts'
import { groupedBy, madeIn, pushTo } from '../collections.ts'
import { Covering, covers, type Glob, glob, isPattern, matches, overlaps, uncovered } from '../glob.ts'
import { keyOf } from '../keys.ts'
import { lazy, memoizeByObject } from '../memo.ts'
import type { Question } from '../simulate/decision.ts'
import { PatternIndex } from '../simulate/pattern-index.ts'
import { typeAndName } from '../urn/resource.ts'
import { type Box, boxText, coversBox, holdsUrn } from './boxes.ts'
import { always, evaluate, type Formula, isAlways, type Model, modelOf, printFormula, satisfy, tooMany, withTime } from './formula.ts'
import { uncoveredBy } from './lists.ts'
import { Meeting } from './meeting.ts'
import {
  type Caller,
  callerOf,
  callerText,
  callerWith,
  defaultBudget,
  isAbout,
  legalActions,
  mayAssume,
  type NewAccess,
  partOf,
  type Requests,
  Search,
  withFormula,
} from './search.ts'
import type { Side } from './side.ts'
import type { Exclusion, Statement } from './statements.ts'

/**
 * All access that one side grants and another does not, as regions: boxes of identities, actions and resources, with a condition
 * and with exclusions. Requests that are in a region and in none of its exclusions are granted by the first side alone, and all
 * such requests are in some region: the regions are sound and complete (docs/analysis.md, New access).
 *
 * A statement that is about the whole of a box takes its part of the context, and leaves what it excludes: a smaller box to be
 * looked at separately. A statement that is about only some of a box is an exclusion of the region, as it is written.
 */
export interface GainedRegion {
  readonly callers: readonly Caller[]
  readonly actions: readonly Glob[]
  readonly boxes: readonly Box[]
  /** All of them hold. */
  readonly formulas: readonly Formula[]
  readonly excluded: readonly RegionExclusion[]
  /** Some of it is certainly new access: see `NewAccess`. */
  readonly certain: boolean
  /** The new access that the region was made of, for each of its callers, actions and boxes; each has a witness in it. */
  readonly newAccess: readonly NewAccess[]
}

/** Requests that do not count to a region: those that agree in everything that is given. */
export interface RegionExclusion {
  /**
   * `denied`: a deny of the granting side. `already`: a grant of the other side. `except`: left out by the granting statement.
   * `apart`: an identity with other groups on the two sides: separate regions are about it.
   */
  readonly why: 'denied' | 'already' | 'except' | 'apart'
  readonly identities?: readonly Glob[]
  readonly boxes?: readonly Box[]
  readonly actions?: readonly Glob[]
  /** Requests in these are no part of it. */
  readonly exclusions: readonly Exclusion[]
  readonly formula: Formula
  readonly statement?: Statement
}

export interface NewAccessResult {
  readonly regions: readonly GainedRegion[]
  /** The patterns at which the search was given up: new access there is not among the regions. Empty: they are all. */
  readonly culprits: readonly string[]
}

type Kind = 'open' | 'closed'

/** A region on the way: without its exclusions. */
interface Piece {
  /** For each other side. `open`: that side does not grant it. `closed`: it denies it, even if it grants it as well. */
  readonly kinds: readonly Kind[]
  readonly callers: readonly Caller[]
  readonly actions: readonly Glob[]
  readonly boxes: readonly Box[]
  readonly formulas: readonly Formula[]
  /** The formulas as strings, sorted. */
  readonly terms: readonly string[]
  /** The exclusions of the statements that it comes from. */
  readonly local: readonly Exclusion[]
  readonly newAccess: readonly NewAccess[]
}

/** How many pieces are kept, and how many pairs of them are held against each other. */
const [mostPieces, mostPairs] = [20_000, 4_000_000]

/** The most results that are kept of one region. */
const mostKept = 60

/**
 * Every region that `a` grants and `b` does not, at the instants that count; with `third`, what neither of the two grants. Gives what
 * was found where the budget, a number of steps, is used up.
 */
export function findNewAccess(
  a: Side,
  b: Side,
  budget: number = defaultBudget,
  time: Formula = always,
  run?: Budget,
  third?: Side,
): NewAccessResult {
  const assume = mayAssume(a, b) || (third !== undefined && mayAssume(a, third))
  const search = new Search(a, b, budget, assume, time, run)
  const beyond = third && new Search(a, third, budget, assume, time, run, [b])
  const searches = beyond ? [search, beyond] : [search]
  const pieces: Piece[] = []
  const culprits = new Set<string>()
  const granted = searches.map(({ b: other }) => lazy(() => new Meeting(other.allows.statements)))
  for (const statement of a.allows.statements) {
    try {
      for (const piece of piecesOf(statement, search, beyond)) {
        // Where another side grants nothing, a part that it denies is in the part that it does not grant.
        if (piece.kinds.some((kind, i) => kind === 'closed' && granted[i]?.().of(piece).length === 0)) continue
        if (pieces.length >= mostPieces) throw new Undecided(statement.actions.slice(0, 8).map(({ value }) => value.text))
        pieces.push(piece)
      }
    } catch (error) {
      if (!(error instanceof Undecided)) throw error
      for (const culprit of error.culprits) culprits.add(culprit)
      if (searches.some(({ steps, allowance }) => isExceeded(steps) || isExceeded(allowance)) || pieces.length >= mostPieces) break
    }
  }
  const finish = finishing(searches, granted)
  return { regions: folded(pieces).map(finish), culprits: [...culprits] }
}

function* piecesOf(statement: Statement, search: Search, beyond: Search | undefined): Iterable<Piece> {
  if (!beyond) return yield* newPieces(statement, search)
  beyond.seen.clear()
  for (const piece of newPieces(statement, search)) yield* beyondThird(piece, statement, search, beyond)
}

/** The parts of new access that a third side does not have, either. */
function* beyondThird(piece: Piece, statement: Statement, search: Search, beyond: Search): Iterable<Piece> {
  const { formulas, local, kinds } = piece
  const kindsWith = (kind: Kind) => [...kinds, kind]
  // The grants of the second side are left out again: a smaller region may be within one.
  const taking = (isOpen: boolean) =>
    function* (region: Requests) {
      const { self, groups, here, there } = region.caller
      yield* beyond.applying(beyond.a.denies, region, here)
      if (kinds[0] === 'open') yield* beyond.applying(search.b.allows, region, callerWith(self, groups, search.a, search.b).there)
      if (isOpen) yield* beyond.applying(beyond.b.allows, region, there)
    }
  const [open, closed] = [taking(true), taking(false)]
  for (const caller of piece.callers.flatMap((each) => callersBeyond(each, search, beyond))) {
    for (const action of piece.actions) {
      for (const box of piece.boxes) {
        const region = { caller, box, action, formulas }
        yield* left(region, statement, beyond, [], kindsWith('open'), local, open)
        for (const deny of beyond.openingFor(caller))
          for (const part of beyond.partsDeniedBy(deny, region))
            yield* left(part, statement, beyond, [], kindsWith('closed'), [...local, ...deny.exclusions], closed)
      }
    }
  }
}

/** A caller of new access as the third side has it, and by name the identities that its inventories describe differently. */
function callersBeyond({ self, groups }: Caller, search: Search, beyond: Search): readonly Caller[] {
  const { a, b } = beyond
  const named = [...beyond.changed.keys()].filter(
    (urn) => urn !== self?.text && !search.changed.has(urn) && (self === undefined || matches(self, urn)),
  )
  return [callerWith(self, groups, a, b), ...named.map((urn) => callerWith(glob(urn), groups, a, b))]
}

function* newPieces(statement: Statement, search: Search): Iterable<Piece> {
  const { a, b } = search
  const isUnchanged = b.allows.has(statement.key)
  if (isUnchanged && search.opening.length === 0 && search.changed.size === 0) return
  search.seen.clear()
  const formulas = withFormula([], statement.formula)
  const actions = uncovered(statement.actions.flatMap(({ value }) => legalActions(value)))
  const callers = uncoveredCallers(statement.identities.map(({ value }) => callerOf(value, a, b)))
  for (const caller of callers) {
    if (caller.self !== undefined && search.changed.has(caller.self.text)) continue
    if (!isUnchanged) yield* openOf(statement, caller, actions, formulas, search)
    yield* closedOf(statement, caller, actions, formulas, search, search.opening)
  }
  // Whom the inventories describe differently is looked at by name: as itself, and in each further group.
  for (const caller of search.changedOf.get(statement) ?? []) {
    yield* openOf(statement, caller, actions, formulas, search)
    yield* closedOf(statement, caller, actions, formulas, search, search.openingFor(caller))
  }
  for (const urn of search.changed.keys()) {
    for (const { value } of statement.identities) {
      if (value.kind !== 'group') continue
      const caller = callerWith(glob(urn), [value.glob], a, b)
      if (--search.steps.left < 0) throw new Undecided([urn, value.text])
      if (!isUnchanged) yield* openOf(statement, caller, actions, formulas, search)
      yield* closedOf(statement, caller, actions, formulas, search, search.openingFor(caller))
    }
  }
}

/** The part of a statement's access for a caller that the second side does not grant: in few pieces where no statement is about them. */
function* openOf(
  statement: Statement,
  caller: Caller,
  actions: readonly Glob[],
  formulas: readonly Formula[],
  search: Search,
): Iterable<Piece> {
  const { a, b } = search
  const nearStatements = new Set<Statement>()
  for (const box of statement.boxes) {
    for (const each of a.denies.about(caller.here, box))
      if (!nearStatements.has(each) && isOver(each, box, caller.here, search)) nearStatements.add(each)
    for (const each of b.allows.about(caller.there, box))
      if (!nearStatements.has(each) && isOver(each, box, caller.there, search)) nearStatements.add(each)
  }
  const granted = new Covering([...nearStatements].flatMap((each) => each.actions.map(({ value }) => value)))
  const free: Glob[] = []
  for (const action of actions) {
    if (statement.exclusions.some((e) => e.dimension === 'action' && covers(e.pattern, action))) continue
    if (!granted.has(action)) free.push(action)
    else
      for (const box of statement.boxes)
        yield* left({ caller, box, action, formulas }, statement, search, [], ['open'], statement.exclusions, openTaking(search))
  }
  const boxes = statement.boxes.filter(
    (box) => !statement.exclusions.some((e) => e.dimension !== 'action' && covers(e.pattern, box[e.dimension])),
  )
  const model = free.length > 0 && boxes.length > 0 ? search.solve(formulas) : undefined
  if (model) yield pieceOf(['open'], caller, free, uncoveredBoxes(boxes), formulas, statement.exclusions, statement, model, search)
}

/** Whether a statement is about one of the members and about all of a box, its actions left aside. */
function isOver(statement: Statement, box: Box, members: readonly Glob[], { prepared }: Search): boolean {
  return statement.boxes.some((other) => coversBox(other, box)) && isAbout(statement, members, prepared)
}

function* closedOf(
  statement: Statement,
  caller: Caller,
  actions: readonly Glob[],
  formulas: readonly Formula[],
  search: Search,
  denies: readonly Statement[],
): Iterable<Piece> {
  for (const deny of denies) {
    if (!actions.some((action) => deny.actions.some(({ value }) => overlaps(value, action)))) continue
    const local = [...statement.exclusions, ...deny.exclusions]
    for (const action of actions) {
      for (const box of statement.boxes) {
        for (const part of search.partsDeniedBy(deny, { caller, box, action, formulas })) {
          yield* left(part, statement, search, [], ['closed'], local, closedTaking(search))
        }
      }
    }
  }
}

/** The statements that may take all of a region. */
type Taking = (region: Requests) => Iterable<Statement>

const openTaking = (search: Search): Taking =>
  function* (region) {
    yield* search.applying(search.a.denies, region, region.caller.here)
    yield* search.applying(search.b.allows, region, region.caller.there)
  }

const closedTaking =
  (search: Search): Taking =>
  (region) =>
    search.applying(search.a.denies, region, region.caller.here)

function* left(
  region: Requests,
  statement: Statement,
  search: Search,
  path: readonly string[],
  kinds: Piece['kinds'],
  local: readonly Exclusion[],
  taking: Taking,
): Iterable<Piece> {
  // The exclusions of a closing deny count like those of the grant: both are in `local`.
  if (local.some(({ dimension, pattern }) => covers(pattern, partOf(region, dimension)))) return
  if (path.length > 0) search.step(path)
  const { caller } = region
  // Another deny may leave out less of the same region.
  const leftOut = local.map(exclusionText)
  const key = keyOf(kinds, leftOut, callerText(caller), region.action.text, boxText(region.box), region.formulas.map(printFormula).sort())
  if (search.seen.has(key)) return
  search.seen.add(key)
  let formulas = region.formulas
  // Those about the whole region that leave out some of it.
  const leaving: Statement[] = []
  for (const each of taking(region)) {
    const isPartial = each.exclusions.some(({ dimension, pattern }) => overlaps(partOf(region, dimension), pattern))
    if (!isPartial && isAlways(each.formula)) return
    if (isPartial) leaving.push(each)
    formulas = withFormula(formulas, search.negation(each.formula))
  }
  // Where one takes all, the rest must be in its exclusions; else in those of any of them.
  const whole = leaving.filter(({ formula }) => isAlways(formula)).sort((x, y) => x.exclusions.length - y.exclusions.length)[0]
  const model = whole ? undefined : search.solve(formulas)
  if (model) yield pieceOf(kinds, caller, [region.action], [region.box], formulas, local, statement, model, search)
  for (const each of whole ? [whole] : leaving) {
    for (const { part, by } of search.partsLeftOutBy(each, region))
      yield* left(part, statement, search, [...path, by], kinds, local, taking)
  }
}

function pieceOf(
  kinds: Piece['kinds'],
  caller: Caller,
  actions: readonly Glob[],
  boxes: readonly Box[],
  formulas: readonly Formula[],
  local: readonly Exclusion[],
  statement: Statement,
  model: Model,
  search: Search,
): Piece {
  const accessAt = (action: Glob, box: Box): NewAccess => search.newAccess({ caller, box, action, formulas }, statement, model)
  const [action, box] = [actions[0] as Glob, boxes[0] as Box]
  const accesses = [...actions.map((each) => accessAt(each, box)), ...boxes.slice(1).map((each) => accessAt(action, each))]
  return { kinds, callers: [caller], actions, boxes, formulas, terms: formulas.map(printFormula).sort(), local, newAccess: accesses }
}

// Folding: few regions in place of many pieces.

function uncoveredBoxes(boxes: readonly Box[]): readonly Box[] {
  return uncoveredBy(boxes, coversBox)
}

/** Whether every identity of the narrow caller is one of the wide caller. */
function coversCaller(wide: Caller, narrow: Caller): boolean {
  if (wide.self && !(narrow.self && covers(wide.self, narrow.self))) return false
  // Who has other groups on the two sides is left out where many are meant.
  if (wide.self?.text !== narrow.self?.text && hasOtherMembers(narrow)) return false
  return wide.groups.every(
    (group) => narrow.here.some((member) => covers(group, member)) && narrow.there.some((member) => covers(group, member)),
  )
}

function hasOtherMembers({ here, there }: Pick<Caller, 'here' | 'there'>): boolean {
  return here !== there && membersText(here) !== membersText(there)
}

function membersText(members: readonly Glob[]): string {
  return keyOf(textsOf(members))
}

function uncoveredCallers(callers: readonly Caller[]): readonly Caller[] {
  // Of many, nearly all are single names, which no other name covers: only a pattern does, and they cover themselves in a group.
  const names = new Map<string, Caller>()
  const others: Caller[] = []
  for (const caller of callers) {
    const { self, groups } = caller
    if (self === undefined || isPattern(self) || groups.length > 0) others.push(caller)
    else if (!names.has(self.text)) names.set(self.text, caller)
  }
  const isOfName = (caller: Caller) => {
    const name = caller.self && names.get(caller.self.text)
    return name !== undefined && coversCaller(name, caller)
  }
  const uncovered = new Set(
    uncoveredBy(
      others.filter((caller) => !isOfName(caller)),
      coversCaller,
    ),
  )
  const wide = [...uncovered]
  for (const caller of names.values()) if (!wide.some((other) => coversCaller(other, caller))) uncovered.add(caller)
  return callers.filter((caller) => uncovered.delete(caller))
}

function exclusionText({ dimension, pattern }: Exclusion): string {
  return keyOf(dimension, pattern.text)
}

/** The pieces without those that others cover, and those that differ in one respect made one. */
function folded(pieces: readonly Piece[]): readonly Piece[] {
  const numbers = new Map<string, number>()
  // Each piece is asked for several times, and a key is a long text.
  const numberOf = (textOf: (piece: Piece) => string) =>
    memoizeByObject((piece: Piece) => madeIn(numbers, textOf(piece), () => numbers.size + 1))
  const callersOf = numberOf(({ callers }) => keyOf(callers.map(({ self, groups }) => keyOf(self?.text, textsOf(groups))).sort()))
  const actionsOf = numberOf(({ actions }) => keyOf(textsOf(actions)))
  const boxesOf = numberOf(({ boxes }) => keyOf(boxes.map(boxText).sort()))
  const apartIn = numberOf(({ callers }) => keyOf(apartOf(callers)))
  const restOf = numberOf(({ kinds, terms, local }) => keyOf(kinds, terms, local.map(exclusionText).sort()))
  const merges: readonly ((piece: Piece) => readonly number[])[] = [
    (piece) => [callersOf(piece), boxesOf(piece)],
    (piece) => [callersOf(piece), actionsOf(piece)],
    (piece) => [apartIn(piece), actionsOf(piece), boxesOf(piece)],
  ]
  let current = withoutCovered(pieces)
  for (;;) {
    const before = current.length
    for (const same of merges) {
      const groups = groupedBy(current, (piece) => keyOf(restOf(piece), ...same(piece)))
      current = [...groups.values()].map((list) => (list.length === 1 ? (list[0] as Piece) : merged(list)))
    }
    if (current.length === before) return withoutCovered(current)
  }
}

function textsOf(patterns: readonly Glob[]): readonly string[] {
  return patterns.map(({ text }) => text).sort()
}

/**
 * Who has other groups on the two sides and is looked at in a further one: not put together with others, of whom such a
 * one is left out, since what is said of that group is not said of the identity alone.
 */
function apartOf(callers: readonly Caller[]): readonly string[] {
  return callers.flatMap(({ self, groups, here, there }) =>
    self && groups.length > 0 && hasOtherMembers({ here, there }) ? [self.text] : [],
  )
}

function merged(pieces: readonly Piece[]): Piece {
  return {
    ...(pieces[0] as Piece),
    callers: uncoveredCallers(pieces.flatMap(({ callers }) => callers)),
    actions: uncovered(pieces.flatMap(({ actions }) => actions)),
    boxes: uncoveredBoxes(pieces.flatMap(({ boxes }) => boxes)),
    newAccess: pieces.flatMap(({ newAccess }) => newAccess),
  }
}

function withoutCovered(pieces: readonly Piece[]): readonly Piece[] {
  if (pieces.length * pieces.length > mostPairs) return pieces
  return uncoveredBy(pieces, coversPiece)
}

function coversPiece(wide: Piece, narrow: Piece): boolean {
  if (wide.kinds.some((kind, i) => kind === 'open' && narrow.kinds[i] === 'closed')) return false
  return (
    narrow.actions.every((action) => wide.actions.some((other) => covers(other, action))) &&
    narrow.boxes.every((box) => wide.boxes.some((other) => coversBox(other, box))) &&
    narrow.callers.every((caller) => wide.callers.some((other) => coversCaller(other, caller))) &&
    wide.terms.every((term) => narrow.terms.includes(term)) &&
    wide.local.every((each) => narrow.local.some((other) => exclusionText(other) === exclusionText(each)) || !meetsExclusion(narrow, each))
  )
}

function meetsExclusion({ actions, boxes }: Piece, { dimension, pattern }: Exclusion): boolean {
  return dimension === 'action'
    ? actions.some((action) => overlaps(action, pattern))
    : boxes.some((box) => overlaps(box[dimension], pattern))
}

// Exclusions.

/** Makes regions of pieces. `granted`: the grants of each other side. */
function finishing(searches: readonly Search[], granted: readonly (() => Meeting)[]): (piece: Piece) => GainedRegion {
  const search = searches.at(-1) as Search
  const { a } = search
  const denied = lazy(() => new Meeting(a.denies.statements))
  // Many regions have the same exclusions.
  const [denying, granting] = [exclusionsOf('denied'), exclusionsOf('already')]
  return (piece) => {
    const excluded: RegionExclusion[] = []
    const local = new Map(piece.local.filter((each) => meetsExclusion(piece, each)).map((each) => [exclusionText(each), each]))
    for (const { dimension, pattern } of local.values()) {
      const every = glob('*')
      const box = dimension === 'action' ? undefined : { region: every, type: every, name: every, [dimension]: pattern }
      excluded.push({ why: 'except', ...(box ? { boxes: [box] } : { actions: [pattern] }), exclusions: [], formula: always })
    }
    const counts = (statement: Statement) => !isLeftOut(statement, piece) && mayHold(statement, piece, search)
    for (const statement of denied().of(piece)) if (counts(statement)) excluded.push(denying(statement))
    for (const [i, kind] of piece.kinds.entries())
      if (kind === 'open') for (const statement of granted[i]?.().of(piece) ?? []) if (counts(statement)) excluded.push(granting(statement))
    const others = [...new Set(searches.flatMap(({ changed }) => [...changed.keys()]))].filter(
      (urn) =>
        piece.callers.some(({ self }) => !self || overlaps(self, glob(urn))) && !piece.callers.some(({ self }) => self?.text === urn),
    )
    if (others.length > 0) excluded.push({ why: 'apart', identities: others.map(glob), exclusions: [], formula: always })
    const sure = certainModel(withTime(piece.formulas, search.time), search.allowance)
    return {
      callers: piece.callers,
      actions: piece.actions,
      boxes: piece.boxes,
      formulas: piece.formulas,
      excluded: uncoveredExclusions(excluded),
      certain: sure !== undefined,
      newAccess: chosen(piece.newAccess).map((each) => (sure ? { ...each, model: sure, certain: true } : each)),
    }
  }
}

/** A few results, among them one of each caller. */
function chosen(all: readonly NewAccess[]): readonly NewAccess[] {
  const ofCaller = new Map<Caller, NewAccess>()
  for (const each of all) if (!ofCaller.has(each.region.caller)) ofCaller.set(each.region.caller, each)
  const first = new Set(ofCaller.values())
  return [...first, ...all.filter((each) => !first.has(each)).slice(0, mostKept)]
}

/** A context in which all hold, for all values of the facts that cannot be known. */
function certainModel(formulas: readonly Formula[], allowance: Allowance): Model | undefined {
  const model = satisfy(formulas, { assume: false, allowance })
  return model === tooMany ? undefined : model
}

/** Whether a statement leaves out all of a piece that it is about. */
function isLeftOut({ exclusions }: Statement, { actions, boxes }: Piece): boolean {
  const left = (dimension: Exclusion['dimension'], text: Glob) =>
    exclusions.some((e) => e.dimension === dimension && covers(e.pattern, text))
  return actions.every((action) => left('action', action)) || boxes.every((box) => left('type', box.type) || left('name', box.name))
}

/** Whether a statement's condition and a piece's may hold together. */
function mayHold({ formula }: Statement, { formulas }: Piece, search: Search): boolean {
  return search.solve(withFormula(formulas, formula)) !== undefined
}

function exclusionsOf(why: 'denied' | 'already'): (statement: Statement) => RegionExclusion {
  return memoizeByObject((statement: Statement) => {
    const { identities, boxes, actions, exclusions, formula } = statement
    return {
      why,
      identities: identities.map(({ value }) => value.glob),
      boxes,
      actions: actions.map(({ value }) => value),
      exclusions,
      formula,
      statement,
    }
  })
}

function uncoveredExclusions(excluded: readonly RegionExclusion[]): readonly RegionExclusion[] {
  if (excluded.length * excluded.length > 250_000) return excluded
  if (excluded.length < fewExclusions) return uncoveredBy(excluded, coversExclusion)
  const mayCover = [coveringFirst(excluded, ({ actions }) => actions), coveringFirst(excluded, ({ identities }) => identities)]
  return excluded.filter((narrow, i) => {
    const [byAction, byIdentity] = mayCover.map((of) => of(narrow)) as [readonly number[], readonly number[]]
    return !(byAction.length < byIdentity.length ? byAction : byIdentity).some((j) => {
      const wide = excluded[j] as RegionExclusion
      return j !== i && coversExclusion(wide, narrow) && (j < i || !coversExclusion(narrow, wide))
    })
  })
}

/** Up to so many exclusions, comparing all with each other costs less than an index. */
const fewExclusions = 16

function coversExclusion(wide: RegionExclusion, narrow: RegionExclusion): boolean {
  // An identity may be in a group on one side only.
  if (wide.identities && wide.why !== narrow.why) return false
  if (wide.exclusions.length > 0 && exclusionsText(wide) !== exclusionsText(narrow)) return false
  if (!isAlways(wide.formula) && printFormula(wide.formula) !== printFormula(narrow.formula)) return false
  return (
    within(wide.actions, narrow.actions, covers) &&
    within(wide.boxes, narrow.boxes, coversBox) &&
    within(wide.identities, narrow.identities, covers)
  )
}

/** For each exclusion the places of those that cover the first pattern of one of its lists: only these are compared with it as a whole. */
function coveringFirst(
  excluded: readonly RegionExclusion[],
  listOf: (exclusion: RegionExclusion) => readonly Glob[] | undefined,
): (narrow: RegionExclusion) => readonly number[] {
  const patterns = new PatternIndex()
  const byPattern = new Map<number, number[]>()
  const ofAll: number[] = []
  for (const [i, each] of excluded.entries()) {
    const list = listOf(each)
    if (!list) ofAll.push(i)
    for (const pattern of list ?? []) pushTo(byPattern, patterns.add(pattern), i)
  }
  return (narrow) => {
    const list = listOf(narrow)
    if (list?.length === 0) return [...excluded.keys()]
    return list?.[0] ? ofAll.concat(patterns.matching(list[0].text).flatMap((number) => byPattern.get(number) ?? [])) : ofAll
  }
}

function exclusionsText({ exclusions }: RegionExclusion): string {
  return keyOf(exclusions.map(exclusionText).sort())
}

/** Undefined: everything. */
function within<T>(wide: readonly T[] | undefined, narrow: readonly T[] | undefined, covering: (wide: T, narrow: T) => boolean): boolean {
  if (!wide) return true
  return narrow?.every((each) => wide.some((other) => covering(other, each))) === true
}

/**
 * Whether a question that gives its address and its tags is in a region, if the facts that cannot be known are as assumed: an
 * open fact excludes it from a certain region, and not from another one.
 */
export function holdsQuestion(
  region: GainedRegion,
  question: Question,
  a: Pick<Side, 'groups'>,
  b: Pick<Side, 'groups'>,
  assumed: Model['assumed'] = new Map(),
): boolean {
  const { identity, groups, action, resource } = question
  const [here, there] = [a, b].map((side) => [identity, ...groups, ...(side.groups.get(identity) ?? [])]) as [string[], string[]]
  const { type, name } = typeAndName(resource)
  const values = { action, type, name }
  const isAmong = (patterns: readonly Glob[], members: readonly string[]) =>
    patterns.some((pattern) => members.some((member) => matches(pattern, member)))
  const isIn = (boxes: readonly Box[]) => boxes.some((box) => holdsUrn(box, resource))
  // An identity that the sides describe differently brings only the groups that it has on both.
  const isCaller = ({ self, groups: all }: Caller) =>
    (!self || matches(self, identity)) && all.every((group) => [here, there].every((members) => isAmong([group], members)))
  const holds = (formula: Formula, isOpen: boolean) => evaluate(formula, modelOf(question, [formula], assumed)) ?? isOpen
  const isExcluded = ({ why, identities, boxes, actions, exclusions, formula }: RegionExclusion) =>
    (!identities || isAmong(identities, why === 'apart' ? [identity] : why === 'already' ? there : here)) &&
    (!boxes || isIn(boxes)) &&
    (!actions || isAmong(actions, [action])) &&
    !exclusions.some(({ dimension, pattern }) => matches(pattern, values[dimension])) &&
    holds(formula, region.certain)
  return (
    region.callers.some(isCaller) &&
    isAmong(region.actions, [action]) &&
    isIn(region.boxes) &&
    region.formulas.every((formula) => holds(formula, !region.certain)) &&
    !region.excluded.some(isExcluded)
  )
}

/** An action pattern as users write it: without the colons that every action has. */
export function actionText({ text }: Glob): string {
  let short = text
  if (text.split(':').length === 3) while (short.endsWith('*:*')) short = short.slice(0, -2)
  return short
}
