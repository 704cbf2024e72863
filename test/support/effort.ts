/** Whether this is the deep run, `npm run test:deep`: the same tests on more cases, and the scenarios with the built program. */
export const isDeep = process.env.GRANTWISE_DEEP === '1'

/** How many cases to try: all of them in a deep run, else a share of them. */
export function effort(all: number, share = 10): number {
  return isDeep ? all : Math.ceil(all / share)
}

/** Some of a list of cases: all of them in a deep run, else one in `share`. */
export function some<T>(cases: readonly T[], share = 10): readonly T[] {
  return isDeep ? cases : cases.filter((_, i) => i % share === 0)
}
