import { type RiskCategory, riskCategories } from '../actions/sensitive.ts'
import { type PageInput, pageData } from './build.ts'
import { ReachIndex } from './reach.ts'
import { Tables } from './tables.ts'

/** The parts of a page's input on which the access of identities depends. */
export type AccessInput = Pick<PageInput, 'world' | 'catalogue' | 'actions' | 'reads' | 'times' | 'given' | 'run' | 'settings'>

/** The identities with sensitive access, counted for each category. */
export type SensitiveCounts = Readonly<Record<RiskCategory, number>>

/** How many described identities have each kind of sensitive access, as the summary counts them; undefined where not all were looked at. */
export function sensitiveCounts(input: AccessInput): SensitiveCounts | undefined {
  const data = pageData({ ...input, sources: [], findings: [], suppressed: 0, rules: [], title: '', version: '', docs: '' })
  if (data.reasons.length > 0) return undefined
  const reaches = new ReachIndex(new Tables(data))
  return Object.fromEntries(riskCategories.map((risk) => [risk, reaches.of(risk).identities.length])) as SensitiveCounts
}

/** The most points of a picture. */
export const mostPoints = 24

/**
 * Some of the states that a branch had, by the instants from which on it had them, in order: the first and the last, and between them those
 * that it had at instants with equal distances. All where they are few.
 */
export function sampled<T extends { readonly at: number }>(states: readonly T[], most = mostPoints): readonly T[] {
  const [first, last] = [states[0], states.at(-1)]
  if (!first || !last || states.length <= most) return states
  const step = (last.at - first.at) / (most - 1)
  const chosen = new Set<T>()
  for (let i = 0; i < most; i++) chosen.add(states.findLast(({ at }) => at <= first.at + i * step) ?? first)
  chosen.add(last)
  return [...chosen]
}
