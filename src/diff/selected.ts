import { type Glob, glob, matches, overlaps } from '../glob.ts'
import type { DescribedChange } from './described.ts'
import type { Difference, DiffRegion } from './diff.ts'
import type { Concerns } from './selection.ts'

/** The requested part of a difference: identities, or actions, or both. */
export interface DiffSelection {
  readonly concerns?: Concerns | undefined
  readonly actions: readonly Glob[]
  /** The same for output. */
  readonly words: NonNullable<Difference['selection']>
}

/**
 * The part of a difference that is asked for. Described changes are cut to it exactly; a region is kept whole where some of it may be asked
 * for. Whether anything was left undecided is not known to concern the selection, and stays.
 */
export function selectedOf(difference: Difference, selection: DiffSelection): Difference {
  const { gained, lost, described, undecided, verdict } = difference
  const isAsked = (action: string) => selection.actions.length === 0 || selection.actions.some((pattern) => matches(pattern, action))
  const isSome = (action: string) => selection.actions.length === 0 || selection.actions.some((pattern) => overlaps(pattern, glob(action)))
  const regions = (list: readonly DiffRegion[]) =>
    list.filter(({ identities, actions }) => identities.some((each) => selection.concerns?.(each) ?? true) && actions.some(isSome))
  const changes = (list: readonly DescribedChange[]) =>
    list.flatMap((change): DescribedChange[] => {
      const identities = change.identities.filter((each) => selection.concerns?.(each) ?? true)
      const actions = change.actions.filter(isAsked)
      if (identities.length === 0 || actions.length === 0) return []
      const isWitness = identities.includes(change.witness.identity) && actions.includes(change.witness.action)
      const witness = isWitness ? change.witness : { ...change.witness, identity: identities[0] as string, action: actions[0] as string }
      return [{ ...change, identities, actions, witness }]
    })
  const selectedParts = {
    gained: regions(gained),
    lost: regions(lost),
    ...(described && { described: { ...described, gained: changes(described.gained), lost: changes(described.lost) } }),
  }
  const count =
    selectedParts.gained.length +
    selectedParts.lost.length +
    (selectedParts.described?.gained.length ?? 0) +
    (selectedParts.described?.lost.length ?? 0)
  const isOpen = undecided.length > 0 || described?.undecided === true || verdict === 'undecided'
  return { ...difference, ...selectedParts, verdict: count > 0 ? 'changed' : isOpen ? 'undecided' : 'same', selection: selection.words }
}
