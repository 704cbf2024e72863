import { glob, matches, overlaps } from '../glob.ts'
import type { Question } from '../simulate/decision.ts'
import { anyInstant } from '../symbolic/witness.ts'
import { isGroupName } from '../urn/identity.ts'
import type { DescribedChange } from './described.ts'
import type { Difference, DiffRegion } from './diff.ts'

/**
 * A difference over all times with witnesses from an instant on, where there are any: what differs before it alone is
 * marked. `later` finds the difference from that instant on.
 */
export function witnessedFrom(difference: Difference, from: number, later: () => Difference): Difference {
  const { gained, lost, described } = difference
  const isPast = ({ witness: { at } }: DiffRegion | DescribedChange) => at < from && at !== anyInstant
  if (![...gained, ...lost, ...(described?.gained ?? []), ...(described?.lost ?? [])].some(isPast)) return difference
  const laterDifference = later()
  const of = <T extends DiffRegion | DescribedChange>(list: readonly T[], others: readonly T[]) =>
    list.map((each) => (isPast(each) ? moved(each, others, laterDifference) : each))
  return {
    ...difference,
    gained: of(gained, laterDifference.gained),
    lost: of(lost, laterDifference.lost),
    ...(described && {
      described: {
        ...described,
        gained: of(described.gained, laterDifference.described?.gained ?? []),
        lost: of(described.lost, laterDifference.described?.lost ?? []),
      },
    }),
  }
}

function moved<T extends DiffRegion | DescribedChange>(each: T, others: readonly T[], later: Difference): T {
  const other = others.find(({ witness }) => isIn(witness, each))
  if (other) return { ...each, witness: other.witness }
  const isOpen = later.undecided.length > 0 || later.described?.undecided === true
  return isOpen || others.some((one) => mayMeet(one, each)) ? each : { ...each, isPast: true }
}

/** The patterns of what differs. */
function patternsOf({ identities, actions, resources }: DiffRegion | DescribedChange): readonly (readonly string[])[] {
  return [identities, actions, resources.map((each) => (typeof each === 'string' ? each : each.pattern))]
}

function isIn({ identity, groups, action, resource }: Question, each: DiffRegion | DescribedChange): boolean {
  const names = [[identity, ...groups], [action], [resource]]
  return patternsOf(each).every((patterns, i) => patterns.some((pattern) => names[i]?.some((name) => matches(glob(pattern), name))))
}

/** Whether two may have something in common: a group may have any member. */
function mayMeet(a: DiffRegion | DescribedChange, b: DiffRegion | DescribedChange): boolean {
  const others = patternsOf(b)
  return patternsOf(a).every((patterns, i) =>
    patterns.some((one) => others[i]?.some((other) => isGroupName(one) || isGroupName(other) || overlaps(glob(one), glob(other)))),
  )
}
