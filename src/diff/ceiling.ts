import { writtenAs } from '../glob.ts'
import type { World } from '../policy.ts'
import { decide } from '../simulate/decide.ts'
import type { Question } from '../simulate/decision.ts'
import type { Cause } from './causes.ts'
import { type Difference, type DiffOptions, diff } from './diff.ts'

/**
 * What a world allows beyond a ceiling: as regions, and of the things that the two describe. A resource has the tags and the
 * owner that the ceiling describes, else those of the world; the groups of an identity in the ceiling are those described there.
 */
export function beyondCeiling(limit: World, world: World, options: Omit<DiffOptions, 'only'>): Difference {
  return withGrants(diff(withFactsOf(limit, world), world, { ...options, only: 'gained' }), world)
}

function withFactsOf(limit: World, { resources: others, account }: World): World {
  const resources = new Map(others)
  for (const [urn, { mentioned, ...own }] of limit.resources) {
    const other = others.get(urn)
    resources.set(urn, other ? { ...other, ...own } : { ...own, ...(mentioned && { mentioned }) })
  }
  return { ...limit, resources, ...(limit.account === undefined && account !== undefined && { account }) }
}

/** What lies beyond a ceiling rests on no edit of it, but on the entries that grant it. */
function withGrants(beyond: Difference, world: World): Difference {
  const granted = <T extends { readonly witness: Question; readonly causes: readonly Cause[] }>(region: T): T => {
    const { clauses } = decide(world, region.witness)
    const causes = clauses.map(
      ({ policy, list, entry }): Cause => ({
        span: entry.span,
        side: 'after',
        change: 'added',
        what: `${list} \`${writtenAs(entry.value)}\``,
        name: policy.name.value,
      }),
    )
    return causes.length > 0 ? { ...region, causes } : region
  }
  const { described } = beyond
  return {
    ...beyond,
    gained: beyond.gained.map(granted),
    ...(described && { described: { ...described, gained: described.gained.map(granted) } }),
  }
}
