import { countIn, hasNumber, isEnumerated, numberFrom, samplesOf } from '../conditions/sets.ts'
import { isOfTime, type Operator, operators, printNumber, printSubject, subjects, type Test, writtenValues } from '../conditions/test.ts'
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
    if (!question.isMoment && isOfTime(leaf.test)) return undefined
    const value = comparedFact(leaf.test, world, question)
    return value == null ? undefined : comparisonOf(printSubject(leaf.test.subject), value, leaf.span, leaf.test.subject.zone)
  }

  /** The values of a MATCH widened in place, or in another MATCH that may hold instead. */
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
      if (!fact || leaf.kind !== 'match' || fact.test.subject.kind in ofNames) return []
      const less = lessened(leaf, fact)
      const without: Condition = { kind: 'not', operands: [fact], span: part.span }
      const now: Condition = less ? together(leaves.with(i, less), part) : { kind: 'and', operands: [part, without], span: part.span }
      // A condition that never holds is no smaller change than none.
      return satisfy([formulaOf(now)]) === undefined ? [] : [{ condition: now, facts: [fact] }]
    })

  const turn = (part: Condition, conditionNode: Node | undefined, to: boolean): readonly Turned[] => {
    if (holds(part) !== !to) return []
    const list = conditionNode?.kind === 'map' ? field(conditionNode, 'conditions') : undefined
    if (!('operands' in part) || list?.kind !== 'list') {
      const leaves = 'operands' in part ? part.operands : [part]
      return to ? widened(part, leaves) : narrowed(part, leaves)
    }
    const inner = part.kind === 'not' ? !to : to
    const joins = part.kind === 'and' ? 'and' : 'or'
    const isOneEnough = (joins === 'or') === inner
    let turnedConditions: readonly Turned[] = isOneEnough ? [] : [{ condition: part, facts: [] }]
    for (const [i, operand] of part.operands.entries()) {
      if (holds(operand) === inner) continue
      const ways = turn(operand, list.items[i], inner)
      const put = (base: Turned) => ways.map((way) => placed(base, joins, operand, i, way))
      turnedConditions = (
        isOneEnough ? [...turnedConditions, ...put({ condition: part, facts: [] })] : turnedConditions.flatMap(put)
      ).slice(0, mostTurned)
    }
    return turnedConditions
  }

  return turn(condition, node, wanted).filter((each) => holds(each.condition) === wanted)
}

/** The subjects that the resource itself answers. */
const ofNames: Readonly<Partial<Record<Test['subject']['kind'], true>>> = { name: true, type: true }

function together(leaves: readonly Condition[], { span }: Condition): Condition {
  const [only] = leaves
  return leaves.length === 1 && only ? only : { kind: 'and', operands: leaves, span }
}

/** A list of conditions with one of them changed; an alternative to it comes last in the list. */
function placed(base: Turned, joins: 'and' | 'or', operand: Condition, i: number, { condition, facts }: Turned): Turned {
  const { condition: whole } = base
  if (!('operands' in whole)) return base
  const isAppended = condition.kind === joins && condition.operands[0] === operand
  const operands = isAppended ? [...whole.operands, ...condition.operands.slice(1)] : whole.operands.with(i, condition)
  return { condition: { ...whole, operands }, facts: [...base.facts, ...facts] }
}

// One comparison.

/** The key of a comparison with another operator. */
function keyWith({ key, test }: Comparison, operator: Operator): string {
  const [own, suffix] = [key.value, `.${test.operator}`]
  return `${own.toUpperCase().endsWith(suffix) ? own.slice(0, -suffix.length) : own}.${operator}`
}

/** A comparison of the clock with another bound: the number of a fact, or one next to it. */
function moved({ key, value, span }: Comparison, { test: { set, subject } }: Comparison): readonly Comparison[] {
  if (set.kind !== 'numbers') return []
  const [number = 0] = set.named
  return [number, numberFrom(set.part, number, 1), numberFrom(set.part, number, -1)].flatMap((bound) => {
    const text = bound === undefined ? undefined : likeNumber(value.value, printNumber(set.part, bound))
    return (text !== undefined && comparisonOf(key.value, text, span, subject.zone)) || []
  })
}

/** Of every class of numbers, whether one comparison holds, whether another does, and whether it is that of a fact. */
function truthsOf(...comparisons: readonly [Comparison, Comparison, Comparison]): readonly (readonly boolean[])[] {
  const sets = comparisons.flatMap(({ test: { set } }) => (set.kind === 'numbers' ? [set] : []))
  const [first] = sets
  return first ? samplesOf(first.part, sets).map((number) => sets.map((set) => hasNumber(set, number))) : []
}

/** A comparison that also holds for a fact: another item in its list, or a wider bound. */
function stretched(leaf: Comparison, fact: Comparison): Comparison | undefined {
  const { key, value, test, span } = leaf
  const { operator, subject, set } = test
  if (isEnumerated(set)) {
    if (!subjects[subject.kind].operators.includes('IN')) return undefined
    const gap = /,\s/.test(value.value) ? ', ' : ','
    const inList = operators[operator].isList ? key.value : keyWith(leaf, 'IN')
    const wider = comparisonOf(inList, `${value.value}${gap}${fact.value.value}`, span, subject.zone)
    // A comma within a name would make two of it.
    return wider && countIn(wider.test.set) === countIn(set) + 1 ? wider : undefined
  }
  const factNumber = likeNumber(value.value, fact.value.value)
  const atFact = (['LE', 'GE'] as const).flatMap((order) => comparisonOf(keyWith(leaf, order), factNumber, span, subject.zone) ?? [])
  return [...moved(leaf, fact), ...atFact].find((wider) =>
    truthsOf(leaf, wider, fact).every(([before, after, isFact]) => after || !(before || isFact)),
  )
}

/** A comparison that holds for all but a fact: without an item of its list, or with a nearer bound. Undefined: a bound is not next to the fact. */
function lessened(leaf: Comparison, fact: Comparison): Comparison | undefined {
  const { key, value, test, span } = leaf
  const { operator, subject, set } = test
  if (isEnumerated(set) && operators[operator].isList) {
    const isFact = (item: string) => {
      const read = comparisonOf(fact.key.value, item.trim(), span, subject.zone)
      return read !== undefined && String(writtenValues(read.test)) === String(writtenValues(fact.test))
    }
    const remaining = value.value.split(',').filter((item) => !isFact(item))
    return remaining.length === 0 ? undefined : comparisonOf(key.value, remaining.join(',').trim(), span, subject.zone)
  }
  return moved(leaf, fact).find((less) => truthsOf(leaf, less, fact).every(([before, after, isFact]) => after === (before && !isFact)))
}

/** A number with as many digits as another one begins with a zero for. */
function likeNumber(like: string, text: string): string {
  return /^0\d$/.test(like) ? text.padStart(2, '0') : text
}
