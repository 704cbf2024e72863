import { isPattern, writtenAs } from '../glob.ts'
import type { World } from '../policy.ts'
import { decide } from '../simulate/decide.ts'
import type { Question } from '../simulate/decision.ts'
import { isSingle } from '../urn/identity.ts'
import type { Cause } from './causes.ts'
import type { DescribedChange } from './described.ts'
import { type Difference, type DiffOptions, diff } from './diff.ts'

/**
 * The access that a world allows beyond a ceiling: as regions, and for the identities and resources that the two describe. A
 * resource has the tags and the owner that the ceiling describes, else those of the world. An identity is in the groups that the
 * ceiling describes; where it describes no identities, in those that the world describes. The groups of an identity that neither
 * describes are open.
 */
export function beyondCeiling(limit: World, world: World, options: Omit<DiffOptions, 'only'>): Difference {
  const bounding = withFactsOf(limit, world)
  return withOpenMembers(withGrants(diff(bounding, world, { ...options, only: 'gained' }), world), bounding)
}

/** The identities beyond a ceiling that it may allow through groups, in which they are or not: no inventory describes it. */
export function openMembers(beyond: Difference, limit: World, world: World): readonly string[] {
  const bounding = withFactsOf(limit, world)
  const all = [...(beyond.described?.gained ?? []), ...beyond.gained]
  const open = all.flatMap(({ identities, witness }) =>
    identities.filter((identity) => isSingle(identity) && isOpen({ ...witness, identity }, bounding)),
  )
  return [...new Set(open)].sort()
}

/** Whether the groups of who asks are not described, and one that the ceiling names would bring the question within it. */
function isOpen(question: Question, bounding: World): boolean {
  if (bounding.identities.has(question.identity)) return false
  const named = bounding.policies.flatMap(({ identities }) =>
    identities.flatMap(({ value }) => (value.kind === 'group' && !isPattern(value.glob) ? [value.text] : [])),
  )
  return [...new Set(named)].some((group) => decide(bounding, { ...question, groups: [...question.groups, group] }).verdict !== 'deny')
}

function withOpenMembers(beyond: Difference, bounding: World): Difference {
  const { described } = beyond
  if (!described) return beyond
  const gained = described.gained.flatMap((change): readonly DescribedChange[] => {
    const isOpenOne = (identity: string) => isOpen({ ...change.witness, identity }, bounding)
    const open = change.identities.filter(isOpenOne)
    const others = change.identities.filter((identity) => !open.includes(identity))
    return [...about(others, change), ...about(open, change).map((each) => ({ ...each, certain: false }))]
  })
  return { ...beyond, described: { ...described, gained } }
}

/** The part of a change that is about some of its identities. */
function about(identities: readonly string[], change: DescribedChange): readonly DescribedChange[] {
  const [first] = identities
  if (first === undefined) return []
  const { witness } = change
  return [{ ...change, identities, witness: identities.includes(witness.identity) ? witness : { ...witness, identity: first } }]
}

function withFactsOf(limit: World, { resources: others, identities, account }: World): World {
  const resources = new Map(others)
  for (const [urn, { mentioned, ...facts }] of limit.resources) {
    const other = others.get(urn)
    resources.set(urn, other ? { ...other, ...facts } : { ...facts, ...(mentioned && { mentioned }) })
  }
  return {
    ...limit,
    resources,
    ...(limit.identities.size === 0 && { identities }),
    ...(limit.account === undefined && account !== undefined && { account }),
  }
}

/** The cause of access beyond a ceiling is not an edit, but the entries that grant it. */
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
