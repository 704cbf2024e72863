import { type Budget, unlessUndecided } from '../budget.ts'
import type { Policy } from '../policy.ts'
import { explain } from '../simulate/decide.ts'
import { withKnownTags } from '../simulate/question.ts'
import { allParts, largeParts, type Part, without } from './parts.ts'
import { type Draft, mostNearest, originNaming, portraitOf } from './portrait.ts'

export interface Reduced {
  readonly draft: Draft
  /** No further part can be left out. False: the budget was used up before all were tried. */
  readonly isMinimal: boolean
}

/**
 * Leave out all that does not change the answer to a question: policies, entries, conditions, descriptions and given facts, many at a time,
 * then one by one, until each that is left is needed. `isFixed`: policies of which nothing is left out.
 */
export function reduce(original: Draft, isFixed: (policy: Policy) => boolean, run: Budget): Reduced {
  const fixed = new Set([...original.origins].flatMap(([policy, origin]) => (isFixed(policy) ? [origin] : [])))
  const isTraced = (origin: number) => fixed.has(origin)
  const isFixedIn =
    ({ origins }: Draft) =>
    (policy: Policy) =>
      fixed.has(origins.get(policy) ?? -1)
  const portrait = (draft: Draft) => portraitOf(draft.world, draft.question, originNaming(draft, isTraced))
  const wanted = portrait(original)
  const answersAlike = (draft: Draft) => {
    run.spend(costOf(draft), () => ['leaving out what does not matter'])
    return portrait(draft) === wanted
  }
  const likely = likelyDraft(original, isFixed)
  let draft = portrait(likely) === wanted ? likely : original
  return unlessUndecided(
    () => {
      for (const partsOf of [largeParts, allParts]) {
        for (let before: Draft | undefined; before !== draft; ) {
          before = draft
          draft = leaveOut(draft, partsOf(draft, isFixedIn(draft)), answersAlike, (smaller) => {
            draft = smaller
          })
        }
      }
      return { draft, isMinimal: true }
    },
    () => ({ draft, isMinimal: false }),
  )
}

/** The steps that one answer takes: about one for each entry. */
function costOf({ world }: Draft): number {
  return world.policies.reduce((sum, { identities, resources }) => sum + 4 + identities.length + resources.length, 100)
}

/** The draft with the policies that have a part in the decision or explain it: nearly always enough, and of many policies a few. */
function likelyDraft({ world, question, origins }: Draft, isFixed: (policy: Policy) => boolean): Draft {
  const { traces, nearest, lift, overruled } = explain(world, withKnownTags(question, world))
  const likely = new Set(nearest.slice(0, mostNearest).map(({ policy }) => policy))
  for (const { policy, stoppedAt, excepted } of traces) {
    const turns = policy.identities.some(({ value }) => value.text === (lift ?? overruled)?.group)
    if (stoppedAt === undefined || excepted.length > 0 || turns || isFixed(policy)) likely.add(policy)
  }
  const managed = world.policies.find(({ readOnly }) => readOnly)
  if (managed) likely.add(managed)
  return { world: { ...world, policies: world.policies.filter((policy) => likely.has(policy)) }, question, origins }
}

/** Leave out parts in stretches, each half as long as the ones before; the draft itself where none can be left out. */
function leaveOut(draft: Draft, parts: readonly Part[], answersAlike: (draft: Draft) => boolean, note: (smaller: Draft) => void): Draft {
  const gone = new Set<Part>()
  let smallest = draft
  let remaining = parts
  for (let size = parts.length; size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let index = 0; index < remaining.length; ) {
      const stretch = remaining.slice(index, index + size)
      const smaller = without(draft, [...gone, ...stretch])
      if (smaller && answersAlike(smaller)) {
        for (const part of stretch) gone.add(part)
        remaining = remaining.filter((part) => !gone.has(part))
        smallest = smaller
        note(smaller)
      } else index += size
    }
  }
  return smallest
}
