/** Whether this is the deep run, `npm run test:deep`: the same tests on more cases, and the scenarios with the built program. */
export const isDeep = process.env.GRANTWISE_DEEP === '1'

/** How many cases to try: all of them in a deep run, else a share of them. */
export function effort(all: number, share = 10): number {
  return isDeep ? all : Math.ceil(all / share)
}
