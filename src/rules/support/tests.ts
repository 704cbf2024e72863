import { type AddressRange, printRange } from '../../conditions/address.ts'
import { hasNumber, type NumberSet, rangesIn, samplesOf } from '../../conditions/sets.ts'
import { holdsText, itemsIn, operators, type Test } from '../../conditions/test.ts'
import type { Condition } from '../../policy.ts'
import { inside, type Located, type Span } from '../../source.ts'
import { comparison, printFormula } from '../../symbolic/formula.ts'

/** One comparison of a condition, understood. */
export type Leaf = Extract<Condition, { readonly kind: 'match' }>

/** Every comparison of a condition that could be understood, in written order. */
export function leavesOf(condition: Condition | undefined): readonly Leaf[] {
  if (!condition || condition.kind === 'opaque') return []
  return condition.kind === 'match' ? [condition] : condition.operands.flatMap(leavesOf)
}

/** The comparisons of which the condition asks that they hold: those under an even number of `NOT`. */
export function demanded(condition: Condition, negated = false): readonly Leaf[] {
  if (condition.kind === 'opaque') return []
  if (condition.kind === 'match') return negated ? [] : [condition]
  return condition.operands.flatMap((operand) => demanded(operand, condition.kind === 'not' ? !negated : negated))
}

/** Parts that are joined: by `and` all must hold, by `or` one is enough. What a `NOT` holds is joined by `or` and then turned round. */
export interface Joined {
  readonly by: 'and' | 'or'
  readonly parts: readonly Condition[]
  /** Turned round an odd number of times. */
  readonly negated: boolean
}

/** The joins of a condition, outermost first; a join within one of the same kind is part of it. */
export function joinsOf(condition: Condition | undefined, negated = false): readonly Joined[] {
  if (!condition || condition.kind === 'match' || condition.kind === 'opaque') return []
  const by = condition.kind === 'and' ? 'and' : 'or'
  const inner = condition.kind === 'not' ? !negated : negated
  const parts = flattened(condition.operands, by)
  return [{ by, parts, negated: inner }, ...parts.flatMap((part) => joinsOf(part, inner))]
}

function flattened(operands: readonly Condition[], by: 'and' | 'or'): readonly Condition[] {
  return operands.flatMap((operand) => (operand.kind === by ? flattened(operand.operands, by) : [operand]))
}

/** A text that is the same for conditions that say the same in the same way. */
export function printCondition(condition: Condition): string {
  if (condition.kind === 'match') return printFormula(comparison(condition.test))
  if (condition.kind === 'opaque') return JSON.stringify(condition.text)
  return `${condition.kind}(${condition.operands.map(printCondition).join(',')})`
}

export function sameSubject(a: Test, b: Test): boolean {
  return a.subject.kind === b.subject.kind && a.subject.parameter === b.subject.parameter
}

/** Whether every value that passes `a` passes `b`, both about the same subject. Exact, except for the order of dates that do not exist. */
export function implies({ set: a }: Test, b: Test): boolean {
  switch (a.kind) {
    case 'addresses':
      return a.ranges.every((narrow) => rangesIn(b.set).some((wide) => within(narrow, wide)))
    case 'strings':
      return (
        (a.matchType === 'exact' || (b.set.kind === 'strings' && a.matchType === b.set.matchType)) &&
        a.values.every((value) => holdsText(b, value))
      )
    case 'numbers': {
      const other = b.set
      return other.kind === 'numbers' && samplesOf(a.part, [a, other]).every((value) => !hasNumber(a, value) || hasNumber(other, value))
    }
    default:
      return a satisfies never
  }
}

function within(narrow: AddressRange, wide: AddressRange): boolean {
  return narrow.family === wide.family && narrow.first >= wide.first && narrow.last <= wide.last
}

/** The items of a value: the parts of a list, else the whole. */
export function itemsOf({ test: { operator }, value }: Leaf): readonly Located<string>[] {
  if (!operators[operator].isList) return [value]
  return itemsIn(operator, value.value).map(({ text, from }) => ({ value: text, span: inside(value, from, from + text.length) }))
}

interface WrittenRange {
  readonly range: AddressRange
  readonly text: string
  readonly span: Span
}

/** The address ranges that are written in a comparison, each with its place. */
export function rangesOf(leaf: Leaf): readonly WrittenRange[] {
  const { set } = leaf.test
  if (set.kind !== 'addresses') return []
  return itemsOf(leaf).map(({ value, span }, i) => ({ range: set.named[i] as AddressRange, text: value, span }))
}

/** Those of them for which the comparison holds. */
export function includedRanges(leaf: Leaf): readonly WrittenRange[] {
  const included = new Set(rangesIn(leaf.test.set))
  return rangesOf(leaf).filter(({ range }) => included.has(range))
}

/** A range as text: one address without its length. */
export function rangeText(range: AddressRange): string {
  return range.first === range.last ? printRange(range).replace(/\/\d+$/, '') : printRange(range)
}

/** Pairs of bounds on the hour or the weekday that have to hold together, with no value between them. */
export function wrapsOf(condition: Condition | undefined): readonly { readonly low: Leaf; readonly high: Leaf }[] {
  return joinsOf(condition).flatMap(({ by, parts }) => {
    if (by !== 'and') return []
    const leaves = parts.flatMap((part) =>
      part.kind === 'match' && part.test.set.kind === 'numbers' && part.test.set.part !== 'date'
        ? [{ leaf: part, set: part.test.set }]
        : [],
    )
    return leaves.flatMap((low) => {
      if (!low.set.intervals.some(({ last }) => last === Number.POSITIVE_INFINITY)) return []
      const high = leaves.find(
        ({ leaf, set }) =>
          set.intervals.some(({ first }) => first === Number.NEGATIVE_INFINITY) &&
          sameSubject(leaf.test, low.leaf.test) &&
          excludeEachOther(set, low.set),
      )
      return high ? [{ low: low.leaf, high: high.leaf }] : []
    })
  })
}

/** Whether two sets of hours or weekdays have nothing in common: an upper bound, which may let nothing pass alone, and a lower one that does. */
function excludeEachOther(high: NumberSet, low: NumberSet): boolean {
  const samples = samplesOf(low.part, [high, low])
  return samples.every((value) => !(hasNumber(high, value) && hasNumber(low, value))) && samples.some((value) => hasNumber(low, value))
}

/** Whether some value of its part of a clock passes a test. */
export function canHold({ set }: Test): boolean {
  return set.kind === 'numbers' && samplesOf(set.part, [set]).some((value) => hasNumber(set, value))
}
