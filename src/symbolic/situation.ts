import type { AddressRange } from '../conditions/address.ts'
import type { MatchType } from '../conditions/sets.ts'
import type { Subject } from '../conditions/test.ts'
import type { Zone } from '../zones.ts'
import type { OpenValue } from './formula.ts'

/**
 * The meaning of a formula, in parts that are each about one subject: spans and weekly windows of time, address blocks, tags,
 * name and type of the resource, facts.
 */

/** It holds where one of `any` does and none of `except`. Nothing in `any`: never. One without parts, no exception: always. */
export interface Conditions {
  readonly any: readonly Situation[]
  readonly except: readonly Situation[]
}

/** Contexts in which all of the parts hold. A part that is missing holds everywhere. */
export interface Situation {
  /** The instant is in one of these: in order, and they do not touch. */
  readonly spans?: readonly Span[]
  /** It is in each of these, one for a zone. */
  readonly weekly: readonly Weekly[]
  /** The address is in one of these: in order, and those of one family do not touch. */
  readonly addresses?: readonly Block[]
  readonly texts: readonly Texts[]
  readonly facts: readonly { readonly is: OpenValue; readonly holds: boolean }[]
}

/** From one instant on (any, if there is none), before another. */
export interface Span {
  readonly from?: Bound
  readonly to?: Bound
}

/** An instant, in milliseconds since 1970; with `date` if a day (year·10000 + month·100 + day) starts there in a zone. */
export interface Bound {
  readonly at: number
  readonly date?: { readonly zone: string; readonly day: number }
}

/** Hours of the week in a zone: bit `weekday·24 + hour`, with 0 for Monday. */
export interface Weekly {
  readonly zone: Zone
  readonly hours: bigint
}

export type Block = Pick<AddressRange, 'family' | 'first' | 'last'>

const allAddresses: readonly Block[] = [
  { family: 4, first: 0n, last: (1n << 32n) - 1n },
  { family: 6, first: 0n, last: (1n << 128n) - 1n },
]

/** The smallest block that holds two runs. */
export function blockAround({ family, first }: Block, { last }: Block): Block {
  let size = 1n
  while (first / size !== last / size) size *= 2n
  const start = (first / size) * size
  return { family, first: start, last: start + size - 1n }
}

/** The parts of a block that are in none of the runs. */
export function gaps(all: Block, runs: readonly Block[]): readonly Block[] {
  const out: Block[] = []
  let next = all.first
  for (const { family, first, last } of runs) {
    if (family !== all.family) continue
    if (first > next) out.push({ family, first: next, last: first - 1n })
    next = last + 1n
  }
  if (next <= all.last) out.push({ ...all, first: next })
  return out
}

/** All addresses that are in no block: blocks are in order, and those of one family do not touch. */
export const addressesBeyond = (addresses: readonly Block[]): readonly Block[] => allAddresses.flatMap((all) => gaps(all, addresses))

/** Comparisons of one text that hold or do not: all of them, or at least one. */
export interface Texts {
  readonly subject: Subject
  readonly join: 'and' | 'or'
  readonly literals: readonly Literal[]
}

/** A comparison with one value. A tag that is missing meets none. */
export interface Literal {
  readonly matchType: MatchType
  readonly value: string
  readonly holds: boolean
}

export const whatAlways: Conditions = { any: [{ weekly: [], texts: [], facts: [] }], except: [] }
export const whatNever: Conditions = { any: [], except: [] }

/** The hour of the week of a local time: the bit of a weekly window. */
export function hourOfWeek({ weekday, hour }: { readonly weekday: number; readonly hour: number }): bigint {
  return BigInt(weekday * 24 + hour)
}

export function isUnrestricted({ spans, weekly, addresses, texts, facts }: Situation): boolean {
  return !spans && !addresses && weekly.length + texts.length + facts.length === 0
}
