import { type Address, inRange } from '../conditions/address.ts'
import { rangesIn } from '../conditions/sets.ts'
import { leaves } from './completion.ts'
import type { AddressVerdict, Question, Trace, Verdict } from './decision.ts'

/** How many runs of addresses are asked about one by one. */
const mostRuns = 200

const families = [4, 6] as const
/** IPv6 addresses that contain an IPv4 one: they are that address, and not separate ones. */
const mapped = { family: 6, first: 0xffffn << 32n, last: (0x10000n << 32n) - 1n } as const

/**
 * The answer from every address, in order: addresses between two bounds that policies name are decided alike, so that one of each
 * run is enough. Undefined where there are too many runs.
 */
export function byAddress(
  question: Question,
  relevant: readonly Trace[],
  verdictFor: (question: Question) => Verdict,
): readonly AddressVerdict[] | undefined {
  const ranges = relevant.flatMap(({ policy }) =>
    [...leaves(policy.condition)].flatMap((leaf) => (leaf.kind === 'match' ? rangesIn(leaf.test.set) : [])),
  )
  const runs = families.flatMap((family) => {
    const size = 1n << (family === 4 ? 32n : 128n)
    const familyRanges = [...ranges.filter((range) => range.family === family), ...(family === 6 ? [mapped] : [])]
    const starts = [...new Set([0n, ...familyRanges.flatMap(({ first, last }) => [first, last + 1n])])].filter((start) => start < size)
    starts.sort((a, b) => (a < b ? -1 : 1))
    return starts.map((first, i) => ({ family, first, last: (starts[i + 1] ?? size) - 1n }))
  })
  if (runs.length > mostRuns) return undefined
  const verdictRanges: { family: 4 | 6; first: bigint; last: bigint; verdict: Verdict }[] = []
  for (const run of runs) {
    const ip: Address = { family: run.family, value: run.first }
    const before = verdictRanges.at(-1)
    // No request comes from a mapped address as IPv6: it goes with its neighbours.
    const verdict = inRange({ ...mapped, hostBits: false }, ip) && before ? before.verdict : verdictFor({ ...question, ip })
    if (before?.family === run.family && before.verdict === verdict) before.last = run.last
    else verdictRanges.push({ ...run, verdict })
  }
  return verdictRanges
}
