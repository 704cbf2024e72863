import { printAddress, printRange } from '../conditions/address.ts'
import { comparisonName, type Operator, printConditionKey, subjects, type Test } from '../conditions/test.ts'
import { weekdays } from '../conditions/time.ts'
import { compareText } from '../diagnostic.ts'
import type { Condition, Policy } from '../policy.ts'
import { field, type Node, plainValue } from '../tree.ts'

/**
 * Conditions in one spelling: the same text for many ways to write the same. NOT stands before single comparisons only,
 * AND and OR are flat, sorted and without repetition, and comparisons are put in the fewest operators. Two conditions that
 * say the same may still come out differently: this is a matter of text, and no proof rests on it.
 */

/** A condition as it is written in a policy file. */
export type Written =
  | { readonly operator: 'MATCH'; readonly values: readonly (readonly [key: string, value: string])[] }
  | { readonly operator: 'AND' | 'OR' | 'NOT'; readonly conditions: readonly Written[] }
  /** As it stood, where it is not understood. */
  | { readonly operator: 'as written'; readonly value: unknown }

export interface When {
  /** Undefined: always. */
  readonly condition: Written | undefined
  /** The same for conditions of the same spelling; '' for always. */
  readonly key: string
}

export const anyTime: When = { condition: undefined, key: '' }

/** A leaf that compares with one or more values has them in `equals`. */
type Form =
  | { readonly kind: 'leaf'; readonly key: string; readonly value: string; readonly isNegated: boolean; readonly equals?: Test }
  | { readonly kind: 'and' | 'or'; readonly operands: readonly Form[] }

/** The condition of a policy in one spelling; undefined when it never holds. */
export function whenOf({ condition, node }: Pick<Policy, 'condition' | 'node'>): When | undefined {
  if (!condition) return anyTime
  const written = field(node, 'conditions') as Node
  const form = formOf(condition, false, leavesIn(written))
  // What is not understood holds or not by its text, nested as deep as it is: it is kept as it stands.
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
  const tests = new Map<string, Test>()
  for (const form of forms) {
    const test = form.kind === 'leaf' && form.isNegated === isNegated ? form.equals : undefined
    const mayJoin =
      test &&
      subjects[test.subject.kind].operators.includes('IN') &&
      (test.values ?? []).every((value) => value.trim() === value && !value.includes(','))
    if (!mayJoin) rest.push(form)
    else {
      const name = JSON.stringify(test.subject)
      const before = tests.get(name)
      tests.set(name, before ? unionOf(before, test) : test)
    }
  }
  return [...rest, ...[...tests.values()].map((test) => leafOf(test, isNegated))]
}

function unionOf(a: Test, b: Test): Test {
  const { subject } = a
  if (a.values) return { subject, operator: 'IN', values: [...a.values, ...(b.values ?? [])] }
  if (a.numbers) return { subject, operator: 'IN', numbers: [...a.numbers, ...(b.numbers ?? [])] }
  return { subject, operator: 'IN', addresses: [...a.addresses, ...(b.addresses ?? [])] }
}

/** Comparisons by the one that takes their place: `LE` is `LT` of the next, and what is not earlier is `AFTER`. */
const before: ReadonlySet<Operator> = new Set(['BEFORE', 'LT', 'LE'])
const after: ReadonlySet<Operator> = new Set(['AFTER', 'GE', 'GT'])

function leafOf(test: Test, isNegated: boolean): Form {
  const { subject, operator } = test
  const leaf = (op: Operator, value: string, negated = isNegated): Form => ({
    kind: 'leaf',
    key: printConditionKey({ subject, operator: op }),
    value,
    isNegated: negated,
    ...((op === 'EQ' || op === 'IN') && { equals: test }),
  })
  if (test.values) {
    if (operator !== 'IN') return leaf(operator, test.values[0] as string)
    const values = [...new Set(test.values)].sort(compareText)
    return values.length === 1 ? leaf('EQ', values[0] as string) : leaf('IN', values.join(','))
  }
  if (test.addresses) {
    const ranges = new Map(
      test.addresses.map((range) => [`${range.family} ${range.first.toString().padStart(39, '0')}-${range.last}`, range]),
    )
    const texts = [...ranges].sort(([a], [b]) => compareText(a, b)).map(([, range]) => range)
    const [first] = texts
    if (first && operator === 'IN_RANGE' && first.first !== first.last) return leaf(operator, printRange(first))
    const addresses = texts.map(({ family, first: value }) => printAddress({ family, value }))
    return leaf(addresses.length === 1 ? 'EQ' : 'IN', addresses.join(','))
  }
  const print = (number: number) =>
    subject.kind === 'date' ? dateText(number) : subject.kind === 'weekday' ? (weekdays[number] as string) : String(number)
  if (before.has(operator) || after.has(operator)) {
    const [bound = 0] = test.numbers
    const isNext = operator === 'LE' || operator === 'GT'
    const last = subject.kind === 'weekday' ? 6 : 23
    if (isNext && bound >= last) return { kind: (operator === 'LE') !== isNegated ? 'and' : 'or', operands: [] }
    const isBefore = before.has(operator) !== isNegated
    const words = subject.kind === 'date' ? (['BEFORE', 'AFTER'] as const) : (['LT', 'GE'] as const)
    return leaf(isBefore ? words[0] : words[1], print(isNext ? bound + 1 : bound), false)
  }
  const numbers = [...new Set(test.numbers)].sort((a, b) => a - b).map(print)
  return leaf(numbers.length === 1 ? 'EQ' : 'IN', numbers.join(','))
}

function dateText(date: number): string {
  const digits = String(date).padStart(8, '0')
  return `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`
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
