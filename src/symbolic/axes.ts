import { datesIn, rangesIn } from '../conditions/sets.ts'
import { holdsAddress, holdsAt, holdsClock, holdsText, numberTest, type Subject, type Test, zoneOf } from '../conditions/test.ts'
import { keyOf } from '../keys.ts'
import { textClasses } from '../simulate/completion.ts'
import { dayStart, type Zone } from '../zones.ts'
import { cuts } from './clock.ts'
import type { Bits } from './cover.ts'
import type { Formula, OpenValue } from './formula.ts'
import { type Block, type Bound, hourOfWeek, type Literal, type Situation, type Span, type Texts } from './situation.ts'

/**
 * The things that a formula looks at, each divided into the classes that its comparisons distinguish: a set of classes is a
 * number with a bit for each of them.
 */

export type Atom = Formula & { readonly kind: 'test' | 'until' | 'fact' }

export interface Axis {
  /** Every class. */
  readonly whole: Bits
  /** The classes for which a comparison, expiry or fact of this axis holds. */
  bitsOf(atom: Atom): Bits
  /** The part of a situation for some classes; undefined where there is no short one. */
  part(bits: Bits): Partial<Situation> | undefined
}

export const day = 24 * 3_600_000

export const isWeekly = ({ set }: Test): boolean => set.kind === 'numbers' && set.part !== 'date'

const ones = (count: number): Bits => (1n << BigInt(count)) - 1n

/** The classes, given by one of each, that something holds for. */
function bitsWhere<T>(classes: readonly T[], holds: (each: T) => boolean): Bits {
  let digits = ''
  for (let i = classes.length - 1; i >= 0; i--) digits += holds(classes[i] as T) ? '1' : '0'
  return BigInt(`0b${digits || '0'}`)
}

const has = (bits: Bits, i: number): boolean => ((bits >> BigInt(i)) & 1n) === 1n

function* testsOf(atoms: readonly Atom[]): Iterable<Test> {
  for (const atom of atoms) if (atom.kind === 'test') yield atom.test
}

// Facts.

export function factAxis(is: OpenValue): Axis {
  return { whole: 3n, bitsOf: () => 1n, part: (bits) => ({ facts: [{ is, holds: bits === 1n }] }) }
}

// Time.

/** The instants at which an expiry passes, or at which a comparison of the date may change, in order. */
export function marksOf(atoms: readonly Atom[]): readonly number[] {
  const marks = new Set<number>()
  for (const atom of atoms) if (atom.kind === 'until') marks.add(atom.at + 1)
  for (const { zone, number } of zonedDates(atoms)) {
    const start = dayStart(number)
    const on = numberTest({ kind: 'date', parameter: zone.name, zone }, 'EQ', [number])
    for (const cut of cuts([on], start - 2 * day, start + 3 * day, Number.POSITIVE_INFINITY) ?? []) marks.add(cut)
  }
  return [...marks].sort((a, b) => a - b)
}

/** The dates that are compared with, each once in each zone. */
function zonedDates(atoms: readonly Atom[]): Iterable<{ readonly zone: Zone; readonly number: number }> {
  const dates = new Map<string, { zone: Zone; number: number }>()
  for (const test of testsOf(atoms)) {
    const zone = zoneOf(test)
    for (const number of datesIn(test.set)) dates.set(keyOf(number, zone.name), { zone, number })
  }
  return dates.values()
}

/** The instants from one on, cut where an expiry passes or a date begins or ends: all that both look at. */
export class SpanAxis implements Axis {
  readonly whole: Bits
  /** Where each class starts, but the first. */
  private readonly marks: readonly number[]
  /** An instant of each class. */
  private readonly samples: readonly number[]
  private readonly zones: readonly Zone[]
  private readonly first: number

  constructor(atoms: readonly Atom[], from: number | undefined) {
    this.zones = [...new Set([...zonedDates(atoms)].map(({ zone }) => zone))]
    this.marks = marksOf(atoms).filter((at) => from === undefined || at > from)
    this.first = from ?? Number.NEGATIVE_INFINITY
    this.samples = [from ?? (this.marks[0] as number) - 1, ...this.marks]
    this.whole = ones(this.samples.length)
  }

  bitsOf(atom: Atom): Bits {
    if (atom.kind === 'until') return bitsWhere(this.samples, (at) => at <= atom.at)
    const { test } = atom as Atom & { kind: 'test' }
    return bitsWhere(this.samples, (at) => holdsAt(test, at))
  }

  /** The stretches of time in a set, from the first instant to the one after the last. */
  stretches(bits: Bits): readonly (readonly [from: number, to: number])[] {
    const out: [number, number][] = []
    for (const i of this.samples.keys()) {
      if (!has(bits, i)) continue
      const from = i === 0 ? this.first : (this.samples[i] as number)
      const to = this.marks[i] ?? Number.POSITIVE_INFINITY
      const last = out.at(-1)
      if (last && last[1] === from) last[1] = to
      else out.push([from, to])
    }
    return out
  }

  part(bits: Bits): Partial<Situation> {
    const spans = this.stretches(bits).map(
      ([from, to]): Span => ({
        ...(from !== this.first && { from: this.bound(from) }),
        ...(to !== Number.POSITIVE_INFINITY && { to: this.bound(to) }),
      }),
    )
    return { spans }
  }

  /** A date where one begins; not where clocks are changed around that instant, so that it might begin twice. */
  private bound(instant: number): Bound {
    for (const zone of this.zones) {
      const date = zone.at(instant).date
      if (zone.at(instant - 1).date === date) continue
      const offset = zone.offset(instant)
      const margin = 1.5 * 3_600_000
      if (zone.offset(instant - margin) === offset && zone.offset(instant + margin) === offset)
        return { at: instant, date: { zone: zone.name, day: date } }
    }
    return { at: instant }
  }
}

const hoursOfWeek = Array.from({ length: 7 * 24 }, (_, i) => ({ date: 0, weekday: Math.floor(i / 24), hour: i % 24, minute: 0 }))

/** The hours of the week in a zone. */
export function weekAxis(zone: Zone): Axis {
  return {
    whole: ones(hoursOfWeek.length),
    bitsOf: (atom) => bitsWhere(hoursOfWeek, (each) => atom.kind === 'test' && holdsClock(atom.test, each)),
    part: (hours) => ({ weekly: [{ zone, hours }] }),
  }
}

/** Whether a set of hours of the week has the hour of an instant. */
export function hasHour(hours: Bits, zone: Zone, at: number): boolean {
  return ((hours >> hourOfWeek(zone.at(at))) & 1n) === 1n
}

// Addresses.

const families = [
  [4, 1n << 32n],
  [6, 1n << 128n],
] as const

/** All addresses of both families, cut where a range begins or ends. */
export function addressAxis(atoms: readonly Atom[]): Axis {
  const ranges = [...testsOf(atoms)].flatMap(({ set }) => rangesIn(set))
  const blocks = families.flatMap(([family, size]) => {
    const cuts = new Set([0n])
    for (const range of ranges) if (range.family === family) cuts.add(range.first).add(range.last + 1n)
    const starts = [...cuts].filter((cut) => cut < size).sort((a, b) => (a < b ? -1 : 1))
    return starts.map((first, i): Block => ({ family, first, last: (starts[i + 1] ?? size) - 1n }))
  })
  return {
    whole: ones(blocks.length),
    bitsOf: (atom) => bitsWhere(blocks, ({ family, first }) => atom.kind === 'test' && holdsAddress(atom.test, { family, value: first })),
    part: (bits) => {
      const addresses: Block[] = []
      for (const [i, block] of blocks.entries()) {
        if (!has(bits, i)) continue
        const last = addresses.at(-1)
        if (last && last.family === block.family && last.last + 1n === block.first)
          addresses[addresses.length - 1] = { ...last, last: block.last }
        else addresses.push(block)
      }
      return { addresses }
    },
  }
}

// Strings.

/** The values of a tag, or the names or types of resources. */
export function textAxis(subject: Subject, atoms: readonly Atom[]): Axis {
  const single = new Map<string, { readonly literal: Literal; readonly test: Test }>()
  for (const test of testsOf(atoms)) {
    const { set } = test
    if (set.kind !== 'strings') continue
    for (const value of set.values)
      single.set(keyOf(set.matchType, value), {
        literal: { matchType: set.matchType, value, holds: true },
        test: { ...test, set: { ...set, values: [value] } },
      })
  }
  const all = textClasses(Array.from(single.values(), ({ test }) => test))
  // Every resource has a name and a type; a tag may be missing.
  const classes = subject.kind === 'tag' ? all : all.filter((text) => text !== null)
  const whole = ones(classes.length)
  const holds = (test: Test) => bitsWhere(classes, (text) => text !== null && holdsText(test, text))
  const met = Array.from(single.values(), ({ literal, test }): Choice => ({ literal, bits: holds(test) }))
  const unmet = met.map(({ literal, bits }): Choice => ({ literal: { ...literal, holds: false }, bits: whole & ~bits }))
  return {
    whole,
    bitsOf: (atom) => (atom.kind === 'test' ? holds(atom.test) : 0n),
    part: (bits) => {
      const texts = unionOf(subject, met, bits) ?? meetOf(subject, unmet, bits, whole) ?? meetOf(subject, [...met, ...unmet], bits, whole)
      const found = texts ?? unionOf(subject, [...met, ...unmet], bits)
      return found && { texts: [found] }
    },
  }
}

interface Choice {
  readonly literal: Literal
  readonly bits: Bits
}

/** At least one of some comparisons holds: as few as make the set. */
function unionOf(subject: Subject, choices: readonly Choice[], bits: Bits): Texts | undefined {
  const literals = fewest(
    choices.filter((each) => (each.bits & ~bits) === 0n),
    bits,
  )
  return literals && { subject, join: 'or', literals }
}

/** All of some comparisons hold: what they leave out is what the set does. */
function meetOf(subject: Subject, choices: readonly Choice[], bits: Bits, whole: Bits): Texts | undefined {
  const out = choices.map(({ literal, bits: holds }) => ({ literal, bits: whole & ~holds }))
  const found = unionOf(subject, out, whole & ~bits)
  return found && { ...found, join: 'and' }
}

/** Choices that together make a set, without those that the others make needless; undefined where all of them do not make it. */
function fewest(choices: readonly Choice[], bits: Bits): readonly Literal[] | undefined {
  const together = (list: readonly Choice[]) => list.reduce((sum, each) => sum | each.bits, 0n)
  if (together(choices) !== bits) return undefined
  let remaining = choices
  for (const each of choices) {
    const others = remaining.filter((other) => other !== each)
    if (together(others) === bits) remaining = others
  }
  return remaining.map(({ literal }) => literal)
}
