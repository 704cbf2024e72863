import { type Glob, glob } from '../glob.ts'
import { dateFrom } from '../zones.ts'
import type { AddressRange } from './address.ts'

/**
 * The values for which a comparison holds. Code that looks into comparisons switches on the kinds of sets, not on operators: most
 * new operators make a set of a known kind.
 */
export type ValueSet = StringSet | NumberSet | AddressSet

/** The strings that match one of the values. */
export interface StringSet {
  readonly kind: 'strings'
  readonly matchType: MatchType
  readonly values: readonly string[]
}

/** Numbers that a clock shows: dates as year·10000 + month·100 + day, weekdays from 0 for Monday. */
export interface NumberSet {
  readonly kind: 'numbers'
  readonly part: ClockPart
  /** The numbers that are written in the comparison: an interval begins and ends at one of them, or next to one. */
  readonly named: readonly number[]
  readonly intervals: readonly Interval[]
}

export interface AddressSet {
  readonly kind: 'addresses'
  /** The ranges that are written in the comparison. */
  readonly named: readonly AddressRange[]
  readonly ranges: readonly AddressRange[]
}

export type ClockPart = 'date' | 'hour' | 'weekday'

/** How many numbers a part of a clock has, from 0 on. */
export const counts = { hour: 24, weekday: 7 } as const

/** Whole numbers, the first and the last included; infinite where there is no first or last one. */
export interface Interval {
  readonly first: number
  readonly last: number
}

/** How strings match a value. */
interface MatchTypeRow {
  /** The parts between the wildcards of the pattern that a value makes. */
  readonly pieces: (value: string) => readonly string[]
  /** Its verb; none for strings that equal the value. */
  readonly verb?: { readonly does: string; readonly must: string }
}

export type MatchType = 'exact' | 'prefix' | 'suffix'

export const matchTypes: Readonly<Record<MatchType, MatchTypeRow>> = {
  exact: { pieces: (value) => [value] },
  prefix: {
    pieces: (value) => [value, ''],
    verb: { does: 'starts with', must: 'start with' },
  },
  suffix: {
    pieces: (value) => ['', value],
    verb: { does: 'ends with', must: 'end with' },
  },
}

/** The strings and numbers that are written in a comparison; none for a set of another kind. */
export const stringsIn = (set: ValueSet): readonly string[] => (set.kind === 'strings' ? set.values : [])
export const numbersIn = (set: ValueSet): readonly number[] => (set.kind === 'numbers' ? set.named : [])

/** The ranges for which a comparison of addresses holds. */
export const rangesIn = (set: ValueSet): readonly AddressRange[] => (set.kind === 'addresses' ? set.ranges : [])

/** The dates that are written in a comparison. */
export const datesIn = (set: ValueSet): readonly number[] => (set.kind === 'numbers' && set.part === 'date' ? set.named : [])

/** How many values are written in a comparison. */
export const countIn = (set: ValueSet): number => (set.kind === 'strings' ? set.values : set.named).length

/** Whether a set consists of single values. */
export function isEnumerated(set: ValueSet): boolean {
  switch (set.kind) {
    case 'strings':
      return set.matchType === 'exact'
    case 'numbers':
      return set.intervals.every(({ first, last }) => first === last)
    case 'addresses':
      return set.ranges.every(({ first, last }) => first === last)
    default:
      return set satisfies never
  }
}

export function hasString({ matchType, values }: Pick<StringSet, 'matchType' | 'values'>, actual: string): boolean {
  switch (matchType) {
    case 'exact':
      return values.includes(actual)
    case 'prefix':
      for (const value of values) if (actual.startsWith(value)) return true
      return false
    case 'suffix':
      for (const value of values) if (actual.endsWith(value)) return true
      return false
    default:
      return matchType satisfies never
  }
}

export function hasNumber({ intervals }: NumberSet, number: number): boolean {
  for (let i = 0; i < intervals.length; i++) {
    const { first, last } = intervals[i] as Interval
    if (number >= first && number <= last) return true
  }
  return false
}

/** The number a few steps from another; undefined where a clock has no such number. */
export function numberFrom(part: ClockPart, number: number, steps: number): number | undefined {
  if (part === 'date') return dateFrom(number, steps)
  const next = number + steps
  return next >= 0 && next < counts[part] ? next : undefined
}

/** One number of every class that sets for one part of a clock distinguish. */
export function samplesOf(part: ClockPart, sets: readonly NumberSet[]): readonly number[] {
  if (part !== 'date') return Array.from({ length: counts[part] }, (_, number) => number)
  const named = new Set(sets.flatMap((set) => set.named))
  return [...named].flatMap((date) => [dateFrom(date, -1), date, dateFrom(date, 1)])
}

/** The strings of a set as patterns, without the values with a `*`: in a value it is no wildcard. */
export function patternsOf(set: ValueSet): readonly Glob[] {
  if (set.kind !== 'strings') return []
  const { pieces } = matchTypes[set.matchType]
  return set.values.filter((value) => !value.includes('*')).map((value) => glob(pieces(value).join('*')))
}
