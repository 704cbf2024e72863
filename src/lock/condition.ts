import { printAddress } from '../conditions/address.ts'
import { counts, type Interval, isEnumerated } from '../conditions/sets.ts'
import {
  comparisonName,
  type Operator,
  printConditionKey,
  printNumber,
  readTest,
  type Subject,
  subjects,
  type Test,
  writtenValues,
} from '../conditions/test.ts'
import { compareText } from '../diagnostic.ts'
import type { Condition, Policy } from '../policy.ts'
import { field, type Node, plainValue } from '../tree.ts'

/**
 * Conditions in one spelling: the same text for many equivalent forms. NOT is only applied to single comparisons, AND and OR are
 * flat, sorted and without repetition, and comparisons use the fewest operators. Two equivalent conditions may still get
 * different texts: this is only about text, and no proof rests on it.
 */

/** A condition as it is written in a policy file. */
export type Written =
  | { readonly operator: 'MATCH'; readonly values: readonly (readonly [key: string, value: string])[] }
  | { readonly operator: 'AND' | 'OR' | 'NOT'; readonly conditions: readonly Written[] }
  /** The original, where it cannot be parsed. */
  | { readonly operator: 'as written'; readonly value: unknown }

export interface When {
  /** Undefined: always. */
  readonly condition: Written | undefined
  /** The same for conditions of the same spelling; '' for always. */
  readonly key: string
}

export const anyTime: When = { condition: undefined, key: '' }

/** A leaf that holds for single values has them in `equals`. */
type Form =
  | { readonly kind: 'leaf'; readonly key: string; readonly value: string; readonly isNegated: boolean; readonly equals?: Listed }
  | { readonly kind: 'and' | 'or'; readonly operands: readonly Form[] }

interface Listed {
  readonly subject: Subject
  readonly values: readonly string[]
}

/** The condition of a policy in one spelling; undefined when it never holds. */
export function whenOf({ condition, node }: Pick<Policy, 'condition' | 'node'>): When | undefined {
  if (!condition) return anyTime
  const written = field(node, 'conditions') as Node
  const form = formOf(condition, false, leavesIn(written))
  // The truth of a condition that cannot be parsed depends on its text, at any depth: it is kept unchanged.
  if (!form || depthOf(form) > deepest) {
    const value = plainValue(written)
    return { condition: { operator: 'as written', value }, key: JSON.stringify(value) }
  }
  if (isEmpty(form, 'or')) return undefined
  if (isEmpty(form, 'and')) return anyTime
  const spelled = writtenOf(form)
  return { condition: spelled, key: JSON.stringify(spelled) }
}

/** Two levels less than are read: a list of comparisons and NOT may each add one. */
const deepest = 14

function depthOf(form: Form): number {
  return form.kind === 'leaf' ? 0 : 1 + Math.max(0, ...form.operands.map(depthOf))
}

/** The comparisons of a condition by the text that those have that are not understood. */
function leavesIn(node: Node): ReadonlyMap<string, readonly [key: string, value: string]> {
  const leaves = new Map<string, readonly [string, string]>()
  const visit = (of: Node) => {
    if (of.kind !== 'map') return
    const [values, conditions] = [field(of, 'values'), field(of, 'conditions')]
    if (values?.kind === 'map') {
      for (const { key, value } of values.entries)
        if (value.kind === 'text') leaves.set(comparisonName(key.value, value.value), [key.value, value.value])
    }
    if (conditions?.kind === 'list') conditions.items.forEach(visit)
  }
  visit(node)
  return leaves
}

/** Undefined where a part is not understood that is no comparison. */
function formOf(condition: Condition, isNegated: boolean, leaves: ReturnType<typeof leavesIn>): Form | undefined {
  switch (condition.kind) {
    case 'match':
      return leafOf(condition.test, isNegated)
    case 'opaque': {
      const leaf = leaves.get(condition.text)
      return leaf && { kind: 'leaf', key: leaf[0], value: leaf[1], isNegated }
    }
    default: {
      const negated = (condition.kind === 'not') !== isNegated
      const operands: Form[] = []
      for (const operand of condition.operands) {
        const form = formOf(operand, negated, leaves)
        if (!form) return undefined
        operands.push(form)
      }
      // NOT is none of them: the negation of an OR.
      return combined((condition.kind === 'or') === isNegated ? 'and' : 'or', operands)
    }
  }
}

function isEmpty(form: Form, kind: 'and' | 'or'): boolean {
  return form.kind === kind && form.operands.length === 0
}

/** AND or OR, flat, sorted, without repetition and without what changes nothing. */
function combined(kind: 'and' | 'or', written: readonly Form[]): Form {
  const other = kind === 'and' ? 'or' : 'and'
  const flat = written.flatMap((form) => (form.kind === kind ? form.operands : [form]))
  if (flat.some((form) => isEmpty(form, other))) return { kind: other, operands: [] }
  const byText = new Map(flat.map((form) => [textOf(form), form]))
  for (const [text, form] of byText) {
    if (form.kind === 'leaf' && byText.has(textOf({ ...form, isNegated: !form.isNegated }))) return { kind: other, operands: [] }
    // `a OR (a AND b)` is `a`, and so with the two exchanged.
    if (form.kind === other && form.operands.some((operand) => byText.has(textOf(operand)))) byText.delete(text)
  }
  const joined = new Map(joinedEquals([...byText.values()], kind === 'and').map((form) => [textOf(form), form]))
  const operands = [...joined].sort(([a], [b]) => compareText(a, b)).map(([, form]) => form)
  return operands.length === 1 ? (operands[0] as Form) : { kind, operands }
}

function textOf(form: Form): string {
  return form.kind === 'leaf'
    ? `${JSON.stringify([form.key, form.value])}${form.isNegated ? '!' : ''}`
    : `${form.kind}(${form.operands.map(textOf).join()})`
}

/** `a OR b` of one subject is a list, and so is neither of them. */
function joinedEquals(forms: readonly Form[], isNegated: boolean): readonly Form[] {
  const rest: Form[] = []
  const lists = new Map<string, Listed>()
  for (const form of forms) {
    const list = form.kind === 'leaf' && form.isNegated === isNegated ? form.equals : undefined
    const mayJoin =
      list &&
      subjects[list.subject.kind].operators.includes('IN') &&
      list.values.every((value) => value.trim() === value && !value.includes(','))
    if (!mayJoin) rest.push(form)
    else {
      const name = JSON.stringify(list.subject)
      lists.set(name, { ...list, values: [...(lists.get(name)?.values ?? []), ...list.values] })
    }
  }
  const joined = Array.from(lists.values(), ({ subject, values }) => readTest({ subject, operator: 'IN' }, values.join(',')).value as Test)
  return [...rest, ...joined.map((test) => leafOf(test, isNegated))]
}

/** A comparison by the one that takes its place: `LE` is `LT` of the next, and what is not earlier is `AFTER`. */
function leafOf(test: Test, isNegated: boolean): Form {
  const { subject, operator, set } = test
  const leaf = (op: Operator, value: string, negated = isNegated) =>
    ({ kind: 'leaf', key: printConditionKey({ subject, operator: op }), value, isNegated: negated }) as const
  const listed = (all: readonly string[]): Form => {
    const values = [...new Set(all)]
    return { ...leaf(values.length === 1 ? 'EQ' : 'IN', values.join(',')), equals: { subject, values } }
  }
  switch (set.kind) {
    case 'strings':
      if (set.matchType === 'exact') return listed(set.values.toSorted(compareText))
      break
    case 'addresses':
      if (isEnumerated(set)) {
        const ordered = set.ranges.toSorted((a, b) => a.family - b.family || (a.first < b.first ? -1 : 1))
        return listed(ordered.map(({ family, first }) => printAddress({ family, value: first })))
      }
      break
    case 'numbers': {
      const { part, intervals } = set
      if (isEnumerated(set)) return listed(set.named.toSorted((a, b) => a - b).map((number) => printNumber(part, number)))
      const { first, last } = intervals[0] as Interval
      const isBelow = first === Number.NEGATIVE_INFINITY
      if (intervals.length > 1 || isBelow === (last === Number.POSITIVE_INFINITY)) break
      const bound = isBelow ? last + 1 : first
      const [below, from] = part === 'date' ? (['BEFORE', 'AFTER'] as const) : (['LT', 'GE'] as const)
      if (part !== 'date' && bound >= counts[part]) return { kind: isBelow !== isNegated ? 'and' : 'or', operands: [] }
      return leaf(isBelow !== isNegated ? below : from, printNumber(part, bound), false)
    }
    default:
      set satisfies never
  }
  return leaf(operator, writtenValues(test).join(','))
}

function writtenOf(form: Form): Written {
  if (form.kind === 'leaf') return form.isNegated ? { operator: 'NOT', conditions: [matchOf([form])] } : matchOf([form])
  if (form.kind === 'or') return { operator: 'OR', conditions: form.operands.map(writtenOf) }
  // A MATCH holds when all its values do, and a NOT when none of its conditions does.
  const leaves = form.operands.filter((operand) => operand.kind === 'leaf')
  const matches: Extract<Form, { kind: 'leaf' }>[][] = []
  for (const leaf of leaves.filter(({ isNegated }) => !isNegated)) {
    const match = matches.find((others) => others.every(({ key }) => key !== leaf.key))
    if (match) match.push(leaf)
    else matches.push([leaf])
  }
  const none = leaves.filter(({ isNegated }) => isNegated).map((leaf) => matchOf([leaf]))
  const conditions = [
    ...matches.map(matchOf),
    ...form.operands.filter(({ kind }) => kind !== 'leaf').map(writtenOf),
    ...(none.length > 0 ? [{ operator: 'NOT' as const, conditions: none }] : []),
  ]
  return conditions.length === 1 ? (conditions[0] as Written) : { operator: 'AND', conditions }
}

function matchOf(leaves: readonly { readonly key: string; readonly value: string }[]): Written {
  return { operator: 'MATCH', values: leaves.map(({ key, value }) => [key, value] as const) }
}
