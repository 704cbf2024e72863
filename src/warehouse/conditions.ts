import type { Test } from '../conditions/test.ts'
import { keyOf } from '../keys.ts'
import type { Condition, Policy } from '../policy.ts'
import { isPortable } from './portable.ts'

/** One comparison, or its negation, by its number. */
type Literal = readonly [atom: number, isNegated: boolean]
type Clause = readonly Literal[]

/** The most clauses of a condition: more are left to the engine. */
export const mostClauses = 5000

/**
 * The most comparisons with the hour or the weekday: each distinguishes instants from those that others distinguish, so that tables
 * grow with their square. Others are left to the engine.
 */
export const mostClockTests = 250

/** A comparison with the hour or the weekday, which holds again and again. */
export interface ClockTest {
  readonly atom: number
  readonly test: Test
}

/** A comparison with the date, or the expiry of a policy: the last instant at which it applies. */
export type AgeTest = { readonly atom: number; readonly test: Test } | { readonly atom: number; readonly until: number }

export interface AddressTest {
  readonly atom: number
  readonly test: Test
}

/**
 * Conditions in disjunctive form. Three-valued logic of Kleene has the laws of De Morgan and of distribution, so that the form has
 * the same truth as the condition for known and unknown comparisons.
 */
export class Conditions {
  readonly literals: number[][] = []
  readonly atoms: (number | string)[][] = []
  readonly clockTests: ClockTest[] = []
  readonly ageTests: AgeTest[] = []
  readonly addressTests: AddressTest[] = []
  private readonly conditions = new Map<string, number>()
  private readonly atomNumbers = new Map<string, number>()
  private tooLarge = 0
  private unportable = 0
  private readonly clocksLeft = new Set<string>()

  /** The number of the condition under which a policy applies, its expiry included; 0: always. */
  numberOf({ condition, expiresAt }: Policy): number {
    if (!condition && !expiresAt) return 0
    const undetermined: readonly Clause[] = [[[this.unknownAtom('left'), false]]]
    const within = condition ? this.clausesOf(condition, false) : [[]]
    if (within === undefined) this.tooLarge++
    const expiry: readonly Clause[] = expiresAt ? [[[this.expiryAtom(expiresAt.value), false]]] : [[]]
    const clauses = (product(within ?? undetermined, expiry) ?? undetermined).map(withoutRepeats)
    if (clauses.some((clause) => clause.length === 0)) return 0
    const key = JSON.stringify(clauses)
    const existing = this.conditions.get(key)
    if (existing !== undefined) return existing
    const number = this.conditions.size + 1
    this.conditions.set(key, number)
    // Without clauses it never holds: atom 0 is false.
    if (clauses.length === 0) this.literals.push([number, 0, 0, 0])
    for (const [clause, literals] of clauses.entries())
      for (const [atom, isNegated] of literals) this.literals.push([number, clause, atom, isNegated ? 1 : 0])
    return number
  }

  /** The parts that SQL leaves to the engine, in words. */
  left(): readonly string[] {
    const lines: string[] = []
    const conditions = (count: number) => `${count} ${count === 1 ? 'condition' : 'conditions'}`
    if (this.tooLarge > 0) lines.push(`${conditions(this.tooLarge)} of more than ${mostClauses} clauses`)
    if (this.clocksLeft.size > 0)
      lines.push(`${this.clocksLeft.size} comparisons with the hour or the weekday in addition to the first ${mostClockTests}`)
    if (this.unportable > 0)
      lines.push(`${this.unportable === 1 ? '1 value' : `${this.unportable} values`} in conditions that no SQL engine can hold`)
    return lines
  }

  /** The clauses of a condition, or of the negated condition; undefined where they are too many. */
  private clausesOf(condition: Condition, isNegated: boolean): readonly Clause[] | undefined {
    switch (condition.kind) {
      case 'opaque':
        return [[[this.unknownAtom('open'), isNegated]]]
      case 'match': {
        const atoms = this.atomsOf(condition.test)
        return isNegated ? [atoms.map((atom) => [atom, true])] : atoms.map((atom) => [[atom, false]])
      }
      case 'not':
        // None of the operands holds; negated: one of them does.
        return this.combined(condition.operands, !isNegated, isNegated ? 'or' : 'and')
      default:
        return this.combined(condition.operands, isNegated, (condition.kind === 'and') !== isNegated ? 'and' : 'or')
    }
  }

  private combined(operands: readonly Condition[], isNegated: boolean, kind: 'and' | 'or'): readonly Clause[] | undefined {
    let clauses: readonly Clause[] = kind === 'and' ? [[]] : []
    for (const operand of operands) {
      const more = this.clausesOf(operand, isNegated)
      if (more === undefined) return undefined
      const next = kind === 'and' ? product(clauses, more) : [...clauses, ...more]
      if (next === undefined || next.length > mostClauses) return undefined
      clauses = next
    }
    return clauses
  }

  /** The comparisons of which one must hold. */
  private atomsOf(test: Test): readonly number[] {
    const { set, subject } = test
    switch (set.kind) {
      case 'strings':
        return set.values.map((value) => {
          if (!isPortable(value) || !isPortable(subject.parameter)) {
            this.unportable++
            return this.unknownAtom('left')
          }
          return this.stringAtom(subject.kind, subject.parameter, set.matchType, value)
        })
      case 'addresses':
        return [
          this.numbered(keyOf('ip', ...set.ranges.map((r) => [r.family, String(r.first), String(r.last)])), (atom) => {
            this.atoms.push([atom, 'address', '', '', ''])
            this.addressTests.push({ atom, test })
          }),
        ]
      case 'numbers': {
        const key = keyOf('time', set.part, subject.parameter, ...set.intervals.map(({ first, last }) => [String(first), String(last)]))
        return [set.part === 'date' ? this.ageAtom(key, (atom) => ({ atom, test })) : this.clockAtom(key, test)]
      }
      default:
        return set satisfies never
    }
  }

  private stringAtom(kind: string, key: string, op: string, text: string): number {
    return this.numbered(keyOf(kind, key, op, text), (atom) => this.atoms.push([atom, kind, key, op, text]))
  }

  /** A comparison that cannot be determined (`open`), or only not in SQL (`left`). */
  private unknownAtom(kind: 'open' | 'left'): number {
    return this.numbered(keyOf(kind), (atom) => this.atoms.push([atom, kind, '', '', '']))
  }

  private expiryAtom(until: number): number {
    return this.ageAtom(keyOf('expiry', until), (atom) => ({ atom, until }))
  }

  private ageAtom(key: string, testOf: (atom: number) => AgeTest): number {
    return this.numbered(key, (atom) => {
      this.atoms.push([atom, 'age', '', '', ''])
      this.ageTests.push(testOf(atom))
    })
  }

  private clockAtom(key: string, test: Test): number {
    if (this.clockTests.length >= mostClockTests && !this.atomNumbers.has(key)) {
      this.clocksLeft.add(key)
      return this.unknownAtom('left')
    }
    return this.numbered(key, (atom) => {
      this.atoms.push([atom, 'instant', '', '', ''])
      this.clockTests.push({ atom, test })
    })
  }

  private numbered(key: string, add: (atom: number) => void): number {
    const existing = this.atomNumbers.get(key)
    if (existing !== undefined) return existing
    const number = this.atomNumbers.size + 1
    this.atomNumbers.set(key, number)
    add(number)
    return number
  }
}

/** Each clause of one list with each of the other; undefined where they are too many. */
function product(some: readonly Clause[], others: readonly Clause[]): readonly Clause[] | undefined {
  if (some.length * others.length > mostClauses) return undefined
  return some.flatMap((clause) => others.map((other) => [...clause, ...other]))
}

function withoutRepeats(clause: Clause): Clause {
  const seen = new Set<number>()
  return clause.filter(([atom, isNegated]) => {
    const literal = isNegated ? -atom : atom
    return !seen.has(literal) && seen.add(literal)
  })
}
