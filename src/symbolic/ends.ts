import { Budget } from '../budget.ts'
import { holdsAt, type Test, zoneOf } from '../conditions/test.ts'
import { utc, type Zone } from '../zones.ts'
import { type Atom, day, isWeekly, marksOf } from './axes.ts'
import { cuts } from './clock.ts'
import { atomsOf, type Formula, isNever, isTimed, satisfy, settled, sizeOf, tooMany } from './formula.ts'

/** When something ends: the last day that a condition names is an end as an expiry is (docs/analysis.md, Time). */
export interface EndTime {
  /** From this instant on the formula never holds again; a millisecond before, it holds in some context. */
  readonly at: number
  /** The zone of the comparison that ends it; UTC for an expiry. */
  readonly zone: Zone
}

const week = 7 * day
/** As far back as the hours of a week are looked through: beyond, they repeat themselves. */
const year = 366 * day
/** How much may be looked at for one end. */
const usualSteps = 400_000

/**
 * When a formula ends by the time, after `from` if that is given: undefined where it does not, has ended before, or where
 * finding that takes too much.
 */
export function endOf(formula: Formula, from = Number.NEGATIVE_INFINITY, run: Budget = new Budget(usualSteps)): EndTime | undefined {
  const atoms = [...atomsOf(formula)].filter(isTimed)
  const marks = marksOf(atoms)
  // After the last date and expiry every week is alike: what holds then has no end.
  const last = marks.at(-1)
  if (last === undefined || last <= from || lastIn(formula, last, last + year, run) !== undefined || run.isSpent) return undefined
  for (let i = marks.length - 1; i >= 0 && !run.isSpent; i--) {
    const end = marks[i] as number
    if (end <= from) return undefined
    const start = Math.max(marks[i - 1] ?? end - year, from)
    const endInstant = lastIn(formula, start, end, run)
    if (endInstant !== undefined) return run.isSpent ? undefined : { at: endInstant, zone: zoneAt(atoms, endInstant) }
  }
  return undefined
}

/** The end of the last stretch within two instants, between which only the hours of the week change, on which a formula may hold. */
function lastIn(formula: Formula, from: number, to: number, run: Budget): number | undefined {
  const dated = settled(formula, (test) => (isWeekly(test) ? undefined : timed(test, from)), from)
  if (isNever(dated)) return undefined
  const weekly = [...atomsOf(dated)].flatMap((atom) => (atom.kind === 'test' && isWeekly(atom.test) ? [atom.test] : []))
  const work = sizeOf(dated)
  const holdsFrom = (instant: number) => {
    run.left -= work
    const rest = settled(dated, (test) => (isWeekly(test) ? holdsAt(test, instant) : undefined), instant)
    const model = isNever(rest) ? undefined : satisfy([rest])
    // Whether it holds is not known: no end is said.
    if (model === tooMany) run.left = Number.NEGATIVE_INFINITY
    return model !== undefined
  }
  if (weekly.length === 0) return holdsFrom(from) ? to : undefined
  const first = Math.max(from, to - year)
  for (let end = to; end > first && !run.isSpent; ) {
    const start = Math.max(first, end - week)
    const changes = [start, ...(cuts(weekly, start, end - 1, Number.POSITIVE_INFINITY) ?? [])]
    for (let i = changes.length - 1; i >= 0; i--) if (holdsFrom(changes[i] as number)) return changes[i + 1] ?? end
    end = start
  }
  // Years ago clocks may have been changed otherwise.
  if (first > from) run.left = Number.NEGATIVE_INFINITY
  return undefined
}

/** Whether a comparison with the date holds at an instant; undefined for one with anything but the time. */
function timed(test: Test, at: number): boolean | undefined {
  return test.subject.kind === 'date' ? holdsAt(test, at) : undefined
}

function zoneAt(atoms: readonly Atom[], at: number): Zone {
  const tests = atoms.flatMap((atom) => (atom.kind === 'test' ? [atom.test] : []))
  const test = tests.find((each) => holdsAt(each, at) !== holdsAt(each, at - 1))
  return test ? zoneOf(test) : utc
}
