/** Whether this is the deep run, `npm run test:deep`: the same tests on more cases, and the scenarios with the built program. */
export const isDeep = process.env.GRANTWISE_DEEP === '1'

/** Of how many cases a deep run tries one: `GRANTWISE_DEEP_SHARE=10`. It tries no fewer than `npm test` does. */
const deepShare = Number(process.env.GRANTWISE_DEEP_SHARE ?? '1')
if (!(deepShare >= 1)) throw new Error(`GRANTWISE_DEEP_SHARE=${process.env.GRANTWISE_DEEP_SHARE}: expected a number from 1`)

/** Whether this is a deep run that leaves nothing out: only it records figures. */
export const isWhole = isDeep && deepShare === 1

/** Of how many cases one is tried, where `npm test` tries one of `share`. */
export function shareOf(share: number): number {
  return isDeep ? Math.min(deepShare, share) : share
}

/** How many cases to try: all of them in a whole deep run, else a share of them. */
export function effort(all: number, share = 60): number {
  return Math.ceil(all / shareOf(share))
}

/** Some of a list of cases: all of them in a whole deep run, else one in `share`. */
export function some<T>(cases: readonly T[], share = 60): readonly T[] {
  const one = Math.round(shareOf(share))
  return cases.filter((_, i) => i % one === 0)
}

/**
 * Cases of a test that counts what it meets: as few as show each kind once, and at least one in eighty. Where a kind is rare, up
 * to one in ten. All of them in a whole deep run.
 */
export function untilSeen(seen: Readonly<Record<string, number>>, all: number): Generator<number>
export function untilSeen<T>(seen: Readonly<Record<string, number>>, all: number, cases: (count: number) => Iterable<T>): Generator<T>
export function* untilSeen(
  seen: Readonly<Record<string, number>>,
  all: number,
  cases: (count: number) => Iterable<unknown> = (count) => Array(count).keys(),
): Generator<unknown> {
  const least = effort(all, 80)
  let tried = 0
  for (const each of cases(effort(all, 10))) {
    if (tried >= least && Object.values(seen).every((count) => count > 0)) return
    tried++
    yield each
  }
}
