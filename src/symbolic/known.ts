import { Budget } from '../budget.ts'
import { countIn, patternsOf } from '../conditions/sets.ts'
import { holdsAt, isOfTime, type Test } from '../conditions/test.ts'
import type { Truth } from '../conditions/truth.ts'
import { covers, type Glob, glob, isPattern, overlaps } from '../glob.ts'
import type { World } from '../policy.ts'
import type { Question } from '../simulate/decision.ts'
import { nothingAssumed, testHolds } from '../simulate/facts.ts'
import { classes } from './clock.ts'
import {
  allOf,
  always,
  atomsOf,
  comparison,
  emptyModel,
  evaluate,
  type Formula,
  isAlways,
  isNever,
  isTimed,
  noneOf,
  printFormula,
  satisfy,
  settled,
  sizeOf,
  tooMany,
  withTime,
} from './formula.ts'
import type { Place } from './place.ts'

/** The known facts of requests: as much of a question as is given. */
export interface RequestFacts extends Omit<Question, 'identity' | 'action' | 'resource' | 'at'> {
  /** The instant; not given: any time. */
  readonly at?: number
  readonly identity?: string
  readonly action?: string
  readonly resource?: string
  /** Only resources in this pattern. */
  readonly within?: Glob
}

/** The truth of a comparison for one resource, as far as the question gives it. */
export function truthFor(test: Test, resource: string, world: World, known: RequestFacts): Truth {
  const { at } = known
  if (at === undefined && isOfTime(test)) return undefined
  return testHolds(test, world, { ...known, identity: '', action: '', resource, at: at ?? 0 }, nothingAssumed)
}

/** The same for all resources of a place: what their names say, the tags that are given, address and time. */
export function truthAt(test: Test, place: Place, world: World, facts: RequestFacts): Truth {
  const { kind } = test.subject
  const pattern = place.kind === 'pattern' ? place.glob : undefined
  const one = facts.resource ?? (pattern && !isPattern(pattern) ? pattern.text : undefined)
  if (one !== undefined) return truthFor(test, one, world, facts)
  if (kind === 'name' || kind === 'type') return pattern && truthOfName(test, pattern)
  return truthFor(test, '', world, facts)
}

/** The truth of a comparison of type or name for all resources of a pattern whose type is written out. */
function truthOfName({ subject, set }: Test, { text }: Glob): Truth {
  const [, , , , type = '', ...rest] = text.split(':')
  if (type.includes('*') || rest.length === 0) return undefined
  const part = glob(subject.kind === 'type' ? type : rest.join(':'))
  const patterns = patternsOf(set)
  if (patterns.length < countIn(set)) return undefined
  if (patterns.some((pattern) => covers(pattern, part))) return true
  return patterns.some((pattern) => overlaps(pattern, part)) ? undefined : false
}

/** Whether a formula holds for all values of the facts in it, for none, or for some. */
export type Certainty = 'always' | 'never' | 'depends'

/** The reason to give with an answer whose judge was approximate. */
export const approximateReason = 'the conditions leave too many combinations of facts to try them all: more may be certain than is shown'

/** The reason why another identity may be allowed: the owner of one resource, or of any of several. */
export const ownerUnknown = {
  one: 'the account that owns the resource is always allowed, and it is not known which one that is',
  any: 'the account that owns a resource is always allowed, and it is not known which one that is',
} as const

/** How many comparisons are looked at in search of a context for one formula. */
const mostForOne = 500_000

/** How many comparisons of names and types are tried both ways. */
const mostChoices = 6

/** Judges the formulas of one answer, each once, within the budget of the run. */
export class Judge {
  /** Whether for some formula not every combination of facts was tried: it `depends` because the budget ran out. */
  isApproximate = false
  private readonly known = new Map<string, Certainty>()
  private readonly time: Formula
  readonly run: Budget

  /** `time`: the instants that count; all when not given. */
  constructor(time: Formula = always, run: Budget = new Budget()) {
    this.time = time
    this.run = run
  }

  /** Count work other than formulas. False where the budget is used up: then the rest counts as unknown. */
  looksAt(steps: number): boolean {
    this.run.left -= steps
    if (this.run.isSpent) this.isApproximate = true
    return !this.run.isSpent
  }

  certainty(formula: Formula): Certainty {
    if (isAlways(formula)) return 'always'
    if (isNever(formula)) return 'never'
    const key = printFormula(formula)
    this.run.left -= weightOf(key)
    const knownCertainty = this.known.get(key)
    if (knownCertainty) return knownCertainty
    const [some, other] = [this.holds(formula), this.holds(noneOf(formula))]
    const judged = some === undefined ? 'never' : other === undefined ? 'always' : 'depends'
    if (some === tooMany || other === tooMany) this.isApproximate = true
    this.known.set(key, judged)
    return judged
  }

  /** The formula, or `always` where it is certain. */
  plain(formula: Formula, always: Formula): Formula {
    return this.certainty(formula) === 'always' ? always : formula
  }

  /** Whether there is an instant that counts at which a formula holds for all values of the other facts. */
  isSureAtTimes(formula: Formula): boolean {
    const certainty = this.certainty(formula)
    if (certainty !== 'depends') return certainty === 'always'
    const atoms = [...atomsOf(formula)]
    const timed = atoms.filter(isTimed)
    if (timed.length === 0) return false
    if (timed.length === atoms.length) return true
    const tests = timed.flatMap((atom) => (atom.kind === 'test' ? [atom.test] : []))
    const expiries = [...timed, ...atomsOf(this.time)].flatMap((atom) => (atom.kind === 'until' ? [atom.at] : []))
    for (const instant of classes(tests, expiries, this.run)) {
      this.run.left -= atoms.length
      if (this.run.isSpent) break
      if (evaluate(this.time, { ...emptyModel, at: instant }) !== true) continue
      const truth = (test: Test) => (isOfTime(test) ? holdsAt(test, instant) : undefined)
      if (this.certainty(settled(formula, truth, instant)) === 'always') return true
    }
    if (this.run.isSpent) this.isApproximate = true
    return false
  }

  /** Whether a formula holds for certain for a resource of some type and name at some time: these can be chosen, other facts cannot. */
  isSureSomewhere(formula: Formula, chosen: readonly Formula[] = []): boolean {
    if (this.certainty(formula) === 'never') return false
    if (this.isSureAtTimes(formula)) return this.certainty(allOf(chosen)) !== 'never'
    const test = chosen.length < mostChoices ? testOfName(formula) : undefined
    if (!test) return false
    const key = printFormula(test)
    return [true, false].some((truth) =>
      this.isSureSomewhere(
        settled(formula, (other) => (printFormula(comparison(other)) === key ? truth : undefined)),
        [...chosen, truth ? test : noneOf(test)],
      ),
    )
  }

  private holds(formula: Formula) {
    const steps = Math.floor(mostForOne / sizeOf(formula))
    return satisfy(withTime([formula], this.time), { allowance: this.run.share(steps) })
  }
}

/** The cost of making a formula of this text and finding it again, in steps: a long one is copied each time. */
export const weightOf = (text: string) => 1 + Math.floor(text.length / 100)

/** A comparison of the resource's type or name in a formula. */
function testOfName(formula: Formula): Formula | undefined {
  for (const atom of atomsOf(formula))
    if (atom.kind === 'test' && (atom.test.subject.kind === 'name' || atom.test.subject.kind === 'type')) return atom
  return undefined
}
