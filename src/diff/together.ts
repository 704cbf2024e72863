import type { World } from '../policy.ts'
import { allOf, never } from '../symbolic/formula.ts'
import { simplified } from '../symbolic/simplify.ts'
import { questionAt, withTagsOf } from '../symbolic/witness.ts'
import { causesOf, type Edits, editsBetween } from './causes.ts'
import { type DescribedChange, type DescribedDifference, differing } from './described.ts'
import { type Difference, type DiffOptions, describedOf, diff, timeOf } from './diff.ts'

/**
 * The access that the merge of two sides grants and neither side does (docs/analysis.md, Merges): as regions over all requests,
 * and for what the worlds describe. `names`: how the two are called. Each has the edits that lead from the one side to the merge, which the other side made, and those
 * that lead from the other.
 */
export function together(
  merged: World,
  [a, b]: readonly [World, World],
  names: readonly [string, string],
  options: DiffOptions & Required<Pick<DiffOptions, 'run'>>,
): Difference {
  const { described: actions, run, keep } = options
  const by = [names[1], names[0]] as const
  const edits = [
    { ...editsBetween(a, merged, run, keep), by: by[0] },
    { ...editsBetween(b, merged, run, keep), by: by[1] },
  ] as const
  const [first, second] = edits.map((each) => actions && describedOf(each.before, merged, each, actions, { ...options, only: 'gained' }))
  const common = first && second && ofBoth(first, second, edits, options)
  const { described: _, ...others } = options
  return diff(a, merged, { ...others, third: { world: b, by }, only: 'gained', ...(common && { found: common }) })
}

/** The common part of two differences of described things. */
function ofBoth(
  first: DescribedDifference,
  second: DescribedDifference,
  edits: readonly [Edits, Edits],
  options: DiffOptions & Required<Pick<DiffOptions, 'run'>>,
): DescribedDifference {
  let undecided = first.undecided || second.undecided
  const time = timeOf(options)
  const worlds = [edits[0].after, edits[0].before, edits[1].before]
  const gained = first.gained.flatMap((one) =>
    second.gained.flatMap((other): readonly DescribedChange[] => {
      const [identities, actions, resources] = [
        shared(one.identities, other.identities),
        shared(one.actions, other.actions),
        shared(one.resources, other.resources),
      ]
      const [identity, action, resource] = [identities[0], actions[0], resources[0]]
      if (identity === undefined || action === undefined || resource === undefined) return []
      const difference = differing(allOf([one.condition, other.condition]), never, time, options.run)
      if (difference === undefined) return []
      if (typeof difference !== 'object') {
        undecided = true
        return []
      }
      const { condition, model } = difference
      const context = options.at === undefined ? {} : { at: options.at }
      const witness = withTagsOf(questionAt({ identity, action, resource }, model, context), worlds)
      return [
        {
          identities,
          actions,
          resources,
          condition: simplified(condition, time),
          certain: difference.certain && one.certain && other.certain,
          witness,
          causes: edits.flatMap((each) => causesOf([witness], each)),
        },
      ]
    }),
  )
  return { gained, lost: [], undecided, ...(first.from !== undefined && { from: first.from }) }
}

const shared = (one: readonly string[], other: readonly string[]): readonly string[] => {
  const names = new Set(other)
  return one.filter((name) => names.has(name))
}
