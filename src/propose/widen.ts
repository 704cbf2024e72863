import { type Operator, printNumber, printSubject, subjects, type Test } from '../conditions/test.ts'
import type { Condition, World } from '../policy.ts'
import { conditionHolds, nothingAssumed, testHolds } from '../simulate/facts.ts'
import { comparedFact } from '../simulate/why.ts'
import { formulaOf, satisfy } from '../symbolic/formula.ts'
import { field, type Node } from '../tree.ts'
import { type Comparison, comparisonOf } from './narrow.ts'
import type { Asking } from './plan.ts'

/** Conditions changed just enough that they hold for one question, or no longer do. */

export interface Turned {
  readonly condition: Condition
  /** The facts of the question for which the condition changes. */
  readonly facts: readonly Comparison[]
}

/** How many changes of one condition are looked at. */
const mostTurned = 8

/** The small changes by which a condition comes out the other way; `wanted`: whether it is to hold. Facts that are not known are not guessed. */
export function turned(condition: Condition, node: Node | undefined, wanted: boolean, world: World, question: Asking): readonly Turned[] {
  const holds = (part: Condition) =>
    conditionHolds(part, (leaf) => (leaf.kind === 'match' ? testHolds(leaf.test, world, question, nothingAssumed) : undefined))

  /** The fact that a comparison looks at, as a comparison. */
  const factIn = (leaf: Condition): Comparison | undefined => {
    if (leaf.kind !== 'match') return undefined
    const { kind } = leaf.test.subject
    if (!question.isMoment && (kind === 'date' || kind === 'hour' || kind === 'weekday')) return undefined
    const value = comparedFact(leaf.test, world, question)
    return value == null ? undefined : comparisonOf(printSubject(leaf.test.subject), value, leaf.span, leaf.test.subject.zone)
  }

  /** The values of a MATCH widened where they stand, or in another MATCH that may hold instead. */
  const widened = (part: Condition, leaves: readonly Condition[]): readonly Turned[] => {
    const facts: Comparison[] = []
    const now: Condition[] = []
    let isInPlace = true
    for (const leaf of leaves) {
      if (holds(leaf) === true) {
        now.push(leaf)
        continue
      }
      const fact = factIn(leaf)
      if (!fact || leaf.kind !== 'match') return []
      const wider = stretched(leaf, fact)
      if (!wider) isInPlace = false
      now.push(wider ?? fact)
      facts.push(fact)
    }
    const keys = now.map((leaf) => leaf.kind === 'match' && leaf.key.value)
    if (new Set(keys).size < now.length) return []
    const whole = together(now, part)
    return [{ condition: isInPlace ? whole : { kind: 'or', operands: [part, whole], span: part.span }, facts }]
  }

  const narrowed = (part: Condition, leaves: readonly Condition[]): readonly Turned[] =>
    leaves.flatMap((leaf, i): readonly Turned[] => {
      const fact = factIn(leaf)
      if (!fact || leaf.kind !== 'match' || leaf.test.operator === 'EQ' || fact.test.subject.kind in ofNames) return []
      const less = lessened(leaf, fact)
      const without: Condition = { kind: 'not', operands: [fact], span: part.span }
      const now: Condition = less ? together(leaves.with(i, less), part) : { kind: 'and', operands: [part, without], span: part.span }
      // A condition that never holds is no smaller change than none.
      return satisfy([formulaOf(now)]) === undefined ? [] : [{ condition: now, facts: [fact] }]
    })

  const turn = (part: Condition, at: Node | undefined, to: boolean): readonly Turned[] => {
    if (holds(part) !== !to) return []
    const list = at?.kind === 'map' ? field(at, 'conditions') : undefined
    if (!('operands' in part) || list?.kind !== 'list') {
      const leaves = 'operands' in part ? part.operands : [part]
      return to ? widened(part, leaves) : narrowed(part, leaves)
    }
    const inner = part.kind === 'not' ? !to : to
    const joins = part.kind === 'and' ? 'and' : 'or'
    const isOneEnough = (joins === 'or') === inner
    let found: readonly Turned[] = isOneEnough ? [] : [{ condition: part, facts: [] }]
    for (const [i, operand] of part.operands.entries()) {
      if (holds(operand) === inner) continue
      const ways = turn(operand, list.items[i], inner)
      const put = (base: Turned) => ways.map((way) => placed(base, joins, operand, i, way))
      found = (isOneEnough ? [...found, ...put({ condition: part, facts: [] })] : found.flatMap(put)).slice(0, mostTurned)
    }
    return found
  }

  return turn(condition, node, wanted).filter((each) => holds(each.condition) === wanted)
}

/** The subjects that the resource itself answers. */
const ofNames: Readonly<Partial<Record<Test['subject']['kind'], true>>> = { name: true, type: true }

function together(leaves: readonly Condition[], { span }: Condition): Condition {
  const [only] = leaves
  return leaves.length === 1 && only ? only : { kind: 'and', operands: leaves, span }
}

/** A list of conditions with one of them turned; what would be put beside it comes last in the list. */
function placed(base: Turned, joins: 'and' | 'or', operand: Condition, i: number, { condition, facts }: Turned): Turned {
  const { condition: whole } = base
  if (!('operands' in whole)) return base
  const isBeside = condition.kind === joins && condition.operands[0] === operand
  const operands = isBeside ? [...whole.operands, ...condition.operands.slice(1)] : whole.operands.with(i, condition)
  return { condition: { ...whole, operands }, facts: [...base.facts, ...facts] }
}

// One comparison.

const sizeOf = ({ values, numbers, addresses }: Test) => (values ?? numbers ?? addresses).length

/** The key of a comparison with another operator. */
function keyWith({ key, test }: Comparison, operator: Operator): string {
  const [own, suffix] = [key.value, `.${test.operator}`]
  return `${own.toUpperCase().endsWith(suffix) ? own.slice(0, -suffix.length) : own}.${operator}`
}

const numberIn = ({ numbers = [] }: Test) => numbers[0] as number

/** The number before or after one, as a comparison has it. */
function beside(kind: 'date' | 'hour' | 'weekday', number: number, step: 1 | -1): string | undefined {
  if (kind !== 'date') return printNumber(kind, number + step)
  const day = new Date(0)
  day.setUTCFullYear(Math.floor(number / 10000), (Math.floor(number / 100) % 100) - 1, (number % 100) + step)
  return day.toISOString().slice(0, 10)
}

/** A comparison that holds for a fact as well: another item in its list, or a bound that lies further out. */
function stretched(leaf: Comparison, fact: Comparison): Comparison | undefined {
  const { key, value, test, span } = leaf
  const { operator, subject } = test
  if (operator === 'EQ' || operator === 'IN') {
    if (!subjects[subject.kind].operators.includes('IN')) return undefined
    const gap = /,\s/.test(value.value) ? ', ' : ','
    const wider = comparisonOf(
      operator === 'IN' ? key.value : keyWith(leaf, 'IN'),
      `${value.value}${gap}${fact.value.value}`,
      span,
      subject.zone,
    )
    // A comma within a name would make two of it.
    return wider && sizeOf(wider.test) === sizeOf(test) + 1 ? wider : undefined
  }
  const { kind } = subject
  if (kind !== 'date' && kind !== 'hour' && kind !== 'weekday') return undefined
  const own = fact.value.value
  const step = operator === 'BEFORE' || operator === 'LT' ? 1 : operator === 'GT' ? -1 : undefined
  const bound = step ? beside(kind, numberIn(fact.test), step) : own
  if (bound !== undefined) return comparisonOf(key.value, likeNumber(value.value, bound), span, subject.zone)
  return comparisonOf(keyWith(leaf, step === 1 ? 'LE' : 'GE'), likeNumber(value.value, own), span, subject.zone)
}

/** A comparison that holds for all but a fact: without an item of its list, or with a nearer bound. Undefined: a bound is not next to the fact. */
function lessened(leaf: Comparison, fact: Comparison): Comparison | undefined {
  const { key, value, test, span } = leaf
  const { operator, subject } = test
  if (operator === 'IN') {
    const items = value.value.split(',')
    const isFact = (item: string) => {
      const read = comparisonOf(fact.key.value, item.trim(), span, subject.zone)
      return read !== undefined && sameValue(read.test, fact.test)
    }
    const left = items.filter((item) => !isFact(item))
    return left.length === 0 ? undefined : comparisonOf(key.value, left.join(',').trim(), span, subject.zone)
  }
  const { kind } = subject
  if (kind !== 'date' && kind !== 'hour' && kind !== 'weekday') return undefined
  const [bound, own] = [numberIn(test), fact.value.value]
  const isAtBound = operator === 'LE' || operator === 'GE' || operator === 'AFTER'
  const outward = operator === 'GT' || operator === 'GE' || operator === 'AFTER' ? 1 : -1
  if (isAtBound) {
    const next = bound === numberIn(fact.test) ? beside(kind, bound, outward) : undefined
    return next === undefined ? undefined : comparisonOf(key.value, likeNumber(value.value, next), span, subject.zone)
  }
  const inner = beside(kind, numberIn(fact.test), outward === 1 ? -1 : 1)
  return inner === printNumber(kind, bound) ? comparisonOf(key.value, likeNumber(value.value, own), span, subject.zone) : undefined
}

function sameValue(a: Test, b: Test): boolean {
  const text = ({ values, numbers, addresses }: Test) =>
    String(values ?? numbers ?? addresses.map(({ family, first }) => `${family} ${first}`))
  return text(a) === text(b)
}

/** A number with as many digits as another one begins with a zero for. */
function likeNumber(like: string, text: string): string {
  return /^0\d$/.test(like) ? text.padStart(2, '0') : text
}
