import { Budget as Run } from '../budget.ts'
import { pushTo } from '../collections.ts'
import { countIn } from '../conditions/sets.ts'
import { holdsAt, type Test, zoneOf } from '../conditions/test.ts'
import type { Truth } from '../conditions/truth.ts'
import { utc, type Zone } from '../zones.ts'
import { type Atom, type Axis, addressAxis, day, factAxis, hasHour, isWeekly, marksOf, SpanAxis, textAxis, weekAxis } from './axes.ts'
import { cuts } from './clock.ts'
import { type Bits, Budget, type Cell, Cover, Exceeded } from './cover.ts'
import {
  atomsOf,
  comparison,
  emptyModel,
  evaluate,
  type Formula,
  isAlways,
  isNever,
  isTimed,
  type Model,
  openText,
  printFormula,
  settled,
} from './formula.ts'
import { type Conditions, type Situation, type Weekly, whatAlways, whatNever } from './situation.ts'

/**
 * Formulas for readers: from an instant on, each in parts that are about one subject (`situation.ts`). Exact: the parts hold in
 * the same contexts as the formula. And the instants at which the time alone changes the truth of a formula.
 */

export interface WindowsOptions {
  /** Only instants from this one on count; without it all do. */
  readonly from?: number | undefined
  /** How many steps one formula may take. */
  readonly steps?: number
}

const week = 7 * day
/** The cost of reading the clock of a zone, in steps. */
const stepsOfClock = 4
/** As far as instants are looked at: beyond, the weeks of a year repeat those of another. */
const year = 366 * day
const usualSteps = 60_000
/** How many values a formula may compare with, and how many situations its description may have. */
const [mostValues, mostSituations] = [150, 8]

/** Descriptions of formulas from one instant on, each found once. */
export class Windows {
  readonly from: number | undefined
  private readonly steps: number
  private readonly known = new WeakMap<Formula, Conditions | typeof unsaid>()
  private readonly byText = new Map<string, Conditions | typeof unsaid>()

  constructor({ from, steps = usualSteps }: WindowsOptions = {}) {
    this.from = from
    this.steps = steps
  }

  /** The meaning of the formula; undefined where there is no short form, or where finding it takes too many steps. */
  describe(formula: Formula): Conditions | undefined {
    if (isAlways(formula)) return whatAlways
    if (isNever(formula)) return whatNever
    let conditions = this.known.get(formula)
    if (conditions === undefined) {
      const text = printFormula(formula)
      conditions = this.byText.get(text) ?? this.find(formula)
      this.byText.set(text, conditions)
      this.known.set(formula, conditions)
    }
    return conditions === unsaid ? undefined : conditions
  }

  private find(formula: Formula): Conditions | typeof unsaid {
    const atoms = [...atomsOf(formula)]
    if (atoms.reduce((sum, atom) => sum + weightOf(atom), 0) > mostValues) return unsaid
    try {
      return new Description(atoms, this.from, new Budget(this.steps)).of(formula) ?? unsaid
    } catch (error) {
      if (error instanceof Exceeded) return unsaid
      throw error
    }
  }
}

const unsaid = 'unsaid'

function weightOf(atom: Atom): number {
  return atom.kind === 'test' ? countIn(atom.test.set) : 1
}

/** The search for what one formula says. */
class Description {
  private readonly axes: Axis[] = []
  /** The axis of each atom, by its name. */
  private readonly places = new Map<string, number>()
  private readonly weeks: { readonly axis: number; readonly zone: Zone; readonly tests: readonly Test[] }[] = []
  private readonly spans: { readonly axis: number; readonly of: SpanAxis } | undefined
  private readonly cover: Cover
  private readonly from: number | undefined
  private readonly budget: Budget

  constructor(atoms: readonly Atom[], from: number | undefined, budget: Budget) {
    ;[this.from, this.budget] = [from, budget]
    const groups = new Map<string, Atom[]>()
    for (const atom of atoms) pushTo(groups, axisName(atom), atom)
    for (const [name, ownComparisons] of [...groups].sort(([a], [b]) => rankOf(a) - rankOf(b))) {
      const axis = this.axes.length
      this.places.set(name, axis)
      const [first] = ownComparisons as [Atom]
      if (name === spanName) {
        this.spans = { axis, of: new SpanAxis(ownComparisons, from) }
        this.axes.push(this.spans.of)
      } else if (first.kind === 'fact') this.axes.push(factAxis(first.is))
      else if (first.kind === 'test') {
        const { subject } = first.test
        if (isWeekly(first.test)) {
          const tests = ownComparisons.flatMap((atom) => (atom.kind === 'test' ? [atom.test] : []))
          this.weeks.push({ axis, zone: zoneOf(first.test), tests })
        }
        this.axes.push(
          isWeekly(first.test)
            ? weekAxis(zoneOf(first.test))
            : subject.kind === 'ip'
              ? addressAxis(ownComparisons)
              : textAxis(subject, ownComparisons),
        )
      }
    }
    this.cover = new Cover(
      this.axes.map(({ whole }) => whole),
      budget,
    )
  }

  of(formula: Formula): Conditions | undefined {
    const cells = this.short(this.cells(formula, true))
    if (cells.length === 0) return whatNever
    const plain = this.conditions(cells, [])
    if (cells.length === 1) return plain
    const around = this.cover.around(cells)
    const beyond = around.flatMap((bits, axis) => this.cover.slice(axis, (this.cover.whole[axis] as Bits) & ~bits))
    const except = this.short(this.cover.without(around, cells), beyond)
    if (plain && this.partsIn(cells) <= this.partsIn([around, ...except])) return plain
    return this.conditions([around], except) ?? plain
  }

  private short(cells: readonly Cell[], free: readonly Cell[] = []): readonly Cell[] {
    return this.cover.shortened(
      cells.filter((cell) => this.occurs(cell)),
      free,
    )
  }

  /** The contexts in which it holds, or those in which it does not. */
  private cells(formula: Formula, holds: boolean): readonly Cell[] {
    if (formula.kind === 'test' || formula.kind === 'until' || formula.kind === 'fact') {
      const axis = this.places.get(axisName(formula)) as number
      const bits = (this.axes[axis] as Axis).bitsOf(formula)
      return this.cover.slice(axis, holds ? bits : (this.cover.whole[axis] as Bits) & ~bits)
    }
    const lists = formula.operands.map((operand) => this.cells(operand, formula.kind === 'not' ? !holds : holds))
    return (formula.kind === 'or') !== holds ? this.cover.intersection(lists) : this.cover.union(lists)
  }

  /** How long it is in words: the parts of all cells, and what joins them. */
  private partsIn(cells: readonly Cell[]): number {
    return cells.reduce((sum, cell) => sum + 1 + cell.filter((bits, axis) => bits !== this.cover.whole[axis]).length, 0)
  }

  private conditions(any: readonly Cell[], except: readonly Cell[]): Conditions | undefined {
    if (any.length + except.length > mostSituations) return undefined
    const [some, none] = [any, except].map((cells) => cells.map((cell) => this.situation(cell)))
    if (!some?.every((each) => each !== undefined) || !none?.every((each) => each !== undefined)) return undefined
    return { any: some, except: none }
  }

  private situation(cell: Cell): Situation | undefined {
    let situation: Situation = { weekly: [], texts: [], facts: [] }
    for (const [axis, bits] of this.withoutImplied(cell).entries()) {
      if (bits === this.cover.whole[axis]) continue
      const part = (this.axes[axis] as Axis).part(bits)
      if (!part) return undefined
      const { spans, weekly = [], addresses, texts = [], facts = [] } = part
      situation = {
        ...situation,
        ...(spans && { spans }),
        ...(addresses && { addresses }),
        weekly: [...situation.weekly, ...weekly],
        texts: [...situation.texts, ...texts],
        facts: [...situation.facts, ...facts],
      }
    }
    return { ...situation, weekly: this.from === undefined ? situation.weekly : this.inOneZone(situation.weekly, this.from) }
  }

  /** A cell without weekly windows that contain those of other zones. */
  private withoutImplied(cell: Cell): Cell {
    const restricted = this.weeks.filter(({ axis }) => cell[axis] !== this.cover.whole[axis])
    if (restricted.length < 2) return cell
    return restricted.reduce((now: Cell, { axis }) => {
      const whole = this.cover.whole[axis] as Bits
      return this.occurs(now.with(axis, whole & ~(now[axis] as Bits))) ? now : now.with(axis, whole)
    }, cell)
  }

  /** Windows as one where the clocks of their zones always are the same whole hours apart. */
  private inOneZone(weekly: readonly Weekly[], from: number): readonly Weekly[] {
    const out: Weekly[] = []
    for (const each of weekly) {
      const i = out.findIndex(({ zone }) => this.hoursApart(zone, each.zone, from) !== undefined)
      const other = out[i]
      if (!other) out.push(each)
      else out[i] = { ...other, hours: other.hours & shiftedWeek(each.hours, this.hoursApart(other.zone, each.zone, from) as number) }
    }
    return out
  }

  /** How many hours the clock of another zone is ahead; undefined where that changes, or is no whole number. */
  private hoursApart(zone: Zone, other: Zone, from: number): number | undefined {
    const apart = (at: number) => other.offset(at) - zone.offset(at)
    for (let at = from; at < from + year; at += day) if (apart(at) !== apart(from)) return undefined
    return apart(from) % 3_600_000 === 0 ? apart(from) / 3_600_000 : undefined
  }

  /** Whether there is an instant for a cell: windows of several zones may never meet, and a short span may miss them. */
  private occurs(cell: Cell): boolean {
    const weeks = this.weeks.filter(({ axis }) => cell[axis] !== this.cover.whole[axis])
    if (weeks.length === 0) return true
    const stretches = this.spans
      ? this.spans.of.stretches(cell[this.spans.axis] as Bits)
      : [[this.from ?? Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const]
    // In three weeks every hour of a week comes, be one of them skipped for summer time.
    if (weeks.length === 1 && stretches.some(([from, to]) => to - from > 3 * week)) return true
    const tests = weeks.flatMap((each) => each.tests)
    return stretches.some(([from, to]) => {
      const start = from !== Number.NEGATIVE_INFINITY ? from : to === Number.POSITIVE_INFINITY ? Date.UTC(2026, 0) : to - year
      const end = Math.min(to - 1, start + year)
      for (let weekStart = start; weekStart <= end; weekStart += week) {
        const changes = cuts(tests, weekStart, Math.min(weekStart + week, end), Number.POSITIVE_INFINITY) ?? []
        this.budget.spend(changes.length + 1)
        const comes = (instant: number) => weeks.every(({ axis, zone }) => hasHour(cell[axis] as Bits, zone, instant))
        if (comes(weekStart) || changes.some(comes)) return true
      }
      return false
    })
  }
}

const hoursOfWeek = 7 * 24

/** The hours of a week by a clock that is so many hours behind. */
function shiftedWeek(hours: bigint, ahead: number): bigint {
  const by = BigInt((ahead + hoursOfWeek) % hoursOfWeek)
  return BigInt.asUintN(hoursOfWeek, (hours >> by) | (hours << (BigInt(hoursOfWeek) - by)))
}

const spanName = 'span'

/** The same for atoms that look at the same thing. */
function axisName(atom: Atom): string {
  if (atom.kind === 'until') return spanName
  if (atom.kind === 'fact') return `fact ${openText(atom.is)}`
  const { kind, parameter } = atom.test.subject
  return kind === 'date' ? spanName : `${isWeekly(atom.test) ? 'week' : kind} ${parameter}`
}

const ranks = ['span', 'week', 'ip', 'tag', 'name', 'type', 'fact']
const rankOf = (name: string) => ranks.indexOf(name.split(' ', 1)[0] as string)

// Changes.

export interface Change {
  /** The formula comes out otherwise than a millisecond before. */
  readonly at: number
  /** How; undefined where other facts decide that are not given. */
  readonly holds: Truth
  /** The zone of the comparison that changes; UTC for an expiry. */
  readonly zone: Zone
}

export interface NextChangeOptions {
  /** The other facts, as far as they are given. */
  readonly given?: Model
  /** Only a change to this outcome counts. */
  readonly to?: boolean
  /** The budget of the whole run: once it is used up, no change is found. */
  readonly run?: Run
}

/** The first instant after `from` at which the time makes a formula come out otherwise; undefined if it never does. */
export function nextChange(formula: Formula, from: number, options: NextChangeOptions = {}): Change | undefined {
  const { given = emptyModel, to, run = new Run() } = options
  const atoms = [...atomsOf(formula)].filter(isTimed)
  const testsOf = (some: Iterable<Atom>) => [...some].flatMap((atom) => (atom.kind === 'test' ? [atom.test] : []))
  let before = evaluate(formula, { ...given, at: from })
  const starts = [from, ...marksOf(atoms).filter((at) => at > from)]
  for (const [i, start] of starts.entries()) {
    // Up to the next mark only the week makes a difference: in most stretches the dates leave little of it.
    const truthAtStart = (test: Test) => (isWeekly(test) ? undefined : evaluate(comparison(test), { ...given, at: start }))
    const settledFormula = settled(formula, truthAtStart, start)
    const tests = testsOf(atomsOf(settledFormula))
    const end = Math.min((starts[i + 1] ?? Number.POSITIVE_INFINITY) - 1, start + year)
    for (const instant of instantsIn(start, end, tests.filter(isWeekly), i > 0)) {
      run.left -= 1 + stepsOfClock * tests.length
      if (run.isSpent) return undefined
      const holds = evaluate(settledFormula, { ...given, at: instant })
      if (holds !== before && (to === undefined || holds === to)) return { at: instant, holds, zone: zoneChanging(testsOf(atoms), instant) }
      before = holds
    }
  }
  return undefined
}

/** The instants of a stretch at which a comparison with the hour or the weekday may change, in order; with its start, where that is a mark. */
function* instantsIn(start: number, end: number, weekly: readonly Test[], isMark: boolean): Iterable<number> {
  if (isMark) yield start
  if (weekly.length === 0) return
  for (let at = start; at < end; at += week) yield* cuts(weekly, at, Math.min(at + week, end), Number.POSITIVE_INFINITY) ?? []
}

/** Where the clock is that changes an outcome. */
function zoneChanging(tests: readonly Test[], at: number): Zone {
  const test = tests.find((each) => holdsAt(each, at) !== holdsAt(each, at - 1))
  return test ? zoneOf(test) : utc
}
