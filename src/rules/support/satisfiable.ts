import type { Address } from '../../conditions/address.ts'
import { holdsAddress, holdsClock, holdsText, type Test } from '../../conditions/test.ts'
import { wallClock } from '../../conditions/time.ts'
import { type Formula, isAlways, printFormula, satisfy, tooMany } from '../../symbolic/formula.ts'
import type { RuleContext } from '../rule.ts'

/**
 * How many formulas about the clock are decided exactly in one run: each looks at years, a quarter of an hour at a time.
 * Nearly all that can hold are seen to hold without it.
 */
const mostClockSearches = 100

interface Known {
  readonly answers: Map<string, boolean | undefined>
  searches: number
}

const known = new WeakMap<RuleContext, Known>()

/** Whether the formulas can all hold at once; undefined when that would take too long to find out. */
export function satisfiable(context: RuleContext, formulas: readonly Formula[]): boolean | undefined {
  const parts = formulas.filter((formula) => !isAlways(formula))
  if (parts.length === 0) return true
  const memory = known.get(context) ?? { answers: new Map<string, boolean | undefined>(), searches: mostClockSearches }
  known.set(context, memory)
  const key = parts.map(printFormula).join('\n')
  if (!memory.answers.has(key)) memory.answers.set(key, find(parts, memory))
  return memory.answers.get(key)
}

function find(parts: readonly Formula[], memory: Known): boolean | undefined {
  const tests = parts.flatMap(testsOf)
  if (tests.length > 200) return undefined
  if (holdsSomewhere(parts, tests)) return true
  const aboutClock = tests.some(({ subject }) => subject.kind === 'date' || subject.kind === 'hour' || subject.kind === 'weekday')
  if (aboutClock && memory.searches-- <= 0) return undefined
  const found = satisfy(parts)
  return found === tooMany ? undefined : found !== undefined
}

function testsOf(formula: Formula): readonly Test[] {
  if (formula.kind === 'test') return [formula.test]
  return 'operands' in formula ? formula.operands.flatMap(testsOf) : []
}

interface Moment {
  readonly ip: Address
  readonly tags: ReadonlyMap<string, string | null>
  readonly at: number
}

/** Try a few hundred likely moments. Finding nothing means nothing. */
function holdsSomewhere(parts: readonly Formula[], tests: readonly Test[]): boolean {
  const addresses = likelyAddresses(tests)
  const texts = likelyTags(tests)
  const instants = instantsNear(parts, tests)
  const most = Math.max(addresses.length, ...[...texts.values()].map((list) => list.length), 1)
  let tries = 2000
  for (const at of instants) {
    for (let turn = 0; turn < most; turn++) {
      for (const ip of addresses) {
        if (tries-- <= 0) return false
        const tags = new Map([...texts].map(([key, list], i) => [key, list[(turn * (i + 1)) % list.length] as string | null]))
        const moment: Moment = { ip, tags, at }
        if (parts.every((part) => holds(part, moment))) return true
      }
    }
  }
  return false
}

function likelyAddresses(tests: readonly Test[]): readonly Address[] {
  const named = tests.flatMap(({ addresses = [] }) => addresses.map(({ family, first }): Address => ({ family, value: first })))
  return [...named.slice(0, 8), { family: 4, value: 0xc633_6401n }, { family: 6, value: (0x2001_0db8n << 96n) + 1n }]
}

/** For each tag that the tests look at: what they compare it with, none, and a text of its own. */
function likelyTags(tests: readonly Test[]): ReadonlyMap<string, readonly (string | null)[]> {
  const texts = new Map<string, (string | null)[]>()
  for (const { subject, values = [] } of tests) {
    if (subject.kind !== 'tag') continue
    const list = texts.get(subject.parameter)
    if (list) list.push(...values)
    else texts.set(subject.parameter, [...values, null, '\u{e000}'])
  }
  return texts
}

const hour = 3_600_000

function instantsNear(parts: readonly Formula[], tests: readonly Test[]): readonly number[] {
  const expiries: number[] = []
  const visit = (formula: Formula): void => {
    if (formula.kind === 'until') expiries.push(formula.at)
    else if ('operands' in formula) formula.operands.forEach(visit)
  }
  parts.forEach(visit)
  const clocked = tests.some(({ subject }) => subject.kind === 'hour' || subject.kind === 'weekday')
  const dates = tests.filter(({ subject }) => subject.kind === 'date').flatMap(({ numbers = [] }) => numbers)
  const starts = dates.map((date) => Date.UTC(Math.floor(date / 10000), (Math.floor(date / 100) % 100) - 1, date % 100, 12))
  const marks = [...starts, ...expiries.flatMap((at) => [at, at + 1])].slice(0, 20)
  const around = marks.flatMap((mark) => [mark, mark - 36 * hour, mark + 36 * hour])
  const base = marks[0] ?? Date.UTC(2026, 0, 5)
  const week = clocked ? Array.from({ length: 7 * 24 }, (_, i) => base - 3 * 24 * hour + i * 25 * hour) : []
  return [...new Set([...around, base, ...week])]
}

function holds(formula: Formula, moment: Moment): boolean {
  switch (formula.kind) {
    case 'and':
      return formula.operands.every((operand) => holds(operand, moment))
    case 'or':
      return formula.operands.some((operand) => holds(operand, moment))
    case 'not':
      return !formula.operands.some((operand) => holds(operand, moment))
    case 'until':
      return moment.at <= formula.at
    case 'opaque':
      // What cannot be told may be either.
      return false
    default: {
      const { test } = formula
      if (test.subject.kind === 'ip') return holdsAddress(test, moment.ip)
      if (test.subject.kind === 'tag') {
        const value = moment.tags.get(test.subject.parameter)
        return typeof value === 'string' && holdsText(test, value)
      }
      return holdsClock(test, wallClock(test.subject.parameter, moment.at))
    }
  }
}
