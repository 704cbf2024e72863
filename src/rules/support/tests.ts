import { type AddressRange, printRange } from '../../conditions/address.ts'
import { holdsClock, holdsText, type Operator, type Test } from '../../conditions/test.ts'
import type { Condition } from '../../policy.ts'
import { inside, type Located, type Span } from '../../source.ts'
import { comparison, printFormula } from '../../symbolic/formula.ts'
import { dateFrom } from '../../zones.ts'

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
export function implies(a: Test, b: Test): boolean {
  switch (a.subject.kind) {
    case 'ip':
      return (a.addresses ?? []).every((narrow) => (b.addresses ?? []).some((wide) => within(narrow, wide)))
    case 'tag':
    case 'name':
    case 'type': {
      const [text = ''] = a.values ?? []
      if (a.operator === 'STARTS_WITH') return b.operator === 'STARTS_WITH' && text.startsWith(b.values?.[0] ?? '')
      if (a.operator === 'ENDS_WITH') return b.operator === 'ENDS_WITH' && text.endsWith(b.values?.[0] ?? '')
      return (a.values ?? []).every((value) => holdsText(b, value))
    }
    default:
      return domainOf([a, b]).every((value) => !holds(a, value) || holds(b, value))
  }
}

function within(narrow: AddressRange, wide: AddressRange): boolean {
  return narrow.family === wide.family && narrow.first >= wide.first && narrow.last <= wide.last
}

/** One value of every class that the tests, of one clock part, distinguish. */
export function domainOf(tests: readonly Test[]): readonly number[] {
  const kind = tests[0]?.subject.kind
  if (kind === 'hour') return Array.from({ length: 24 }, (_, hour) => hour)
  if (kind === 'weekday') return [0, 1, 2, 3, 4, 5, 6]
  const named = new Set(tests.flatMap(({ numbers = [] }) => numbers))
  return [...named].flatMap((date) => [dateFrom(date, -1), date, dateFrom(date, 1)])
}

/** Whether a value of its clock part passes a test. */
export function holds(test: Test, value: number): boolean {
  return holdsClock(test, { date: value, hour: value, weekday: value, minute: 0 })
}

/** The items of a value: the parts of a list for `IN`, else the whole. */
export function itemsOf({ test, value }: Leaf): readonly Located<string>[] {
  if (test.operator !== 'IN') return [value]
  let from = 0
  return value.value.split(',').map((part) => {
    const start = from + (part.length - part.trimStart().length)
    const text = part.trim()
    from += part.length + 1
    return { value: text, span: inside(value, start, start + text.length) }
  })
}

/** The address ranges of a comparison, each with its place. */
export function rangesOf(leaf: Leaf): readonly { readonly range: AddressRange; readonly text: string; readonly span: Span }[] {
  const items = itemsOf(leaf)
  return (leaf.test.addresses ?? []).flatMap((range, i) => {
    const item = items[i]
    return item ? [{ range, text: item.value, span: item.span }] : []
  })
}

/** A range as text: one address without its length. */
export function rangeText(range: AddressRange): string {
  return range.first === range.last ? printRange(range).replace(/\/\d+$/, '') : printRange(range)
}

const lower: readonly Operator[] = ['GT', 'GE', 'AFTER']
const upper: readonly Operator[] = ['LT', 'LE', 'BEFORE']

/** Pairs of bounds on the hour or the weekday that have to hold together, with no value between them. */
export function wrapsOf(condition: Condition | undefined): readonly { readonly low: Leaf; readonly high: Leaf }[] {
  return joinsOf(condition).flatMap(({ by, parts }) => {
    if (by !== 'and') return []
    const leaves = parts.filter(
      (part): part is Leaf => part.kind === 'match' && (part.test.subject.kind === 'hour' || part.test.subject.kind === 'weekday'),
    )
    return leaves.flatMap((low) => {
      if (!lower.includes(low.test.operator)) return []
      const high = leaves.find(
        ({ test }) => upper.includes(test.operator) && sameSubject(test, low.test) && excludeEachOther(test, low.test),
      )
      return high ? [{ low, high }] : []
    })
  })
}

/** Whether two tests on one part of the clock never hold both: an upper bound, which may let nothing pass alone, and a lower one that does. */
function excludeEachOther(high: Test, low: Test): boolean {
  const domain = domainOf([low])
  return domain.every((value) => !(holds(high, value) && holds(low, value))) && canHold(low)
}

/** Whether some value of its clock part passes a test. */
export function canHold(test: Test): boolean {
  return domainOf([test]).some((value) => holds(test, value))
}
