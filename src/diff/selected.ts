import { type Glob, glob, matches, overlaps } from '../glob.ts'
import type { DescribedChange } from './described.ts'
import type { Difference, DiffRegion } from './diff.ts'
import type { Concerns } from './selection.ts'

/** The requested part of a difference: identities, actions, resources, or several of them. */
export interface DiffSelection {
  readonly concerns?: Concerns | undefined
  /** None: all of them. */
  readonly actions: readonly Glob[]
  /** The same. */
  readonly resources?: readonly Glob[]
  /** The same for output. */
  readonly words: NonNullable<Difference['selection']>
}

/**
 * The part of a difference that is asked for. Described changes are cut to it exactly; a region is kept whole where some of it may be asked
 * for. Whether anything was left undecided is not known to concern the selection, and stays.
 */
export function selectedOf(difference: Difference, selection: DiffSelection): Difference {
  const { gained, lost, described, undecided, verdict } = difference
  const { resources: asked = [] } = selection
  const isAskedOn = (resource: string) => asked.length === 0 || asked.some((pattern) => matches(pattern, resource))
  const isSomeOn = (resource: string) => asked.length === 0 || asked.some((pattern) => overlaps(pattern, glob(resource)))
  const isAsked = (action: string) => selection.actions.length === 0 || selection.actions.some((pattern) => matches(pattern, action))
  const isSome = (action: string) => selection.actions.length === 0 || selection.actions.some((pattern) => overlaps(pattern, glob(action)))
  const regions = (list: readonly DiffRegion[]) =>
    list.filter(
      ({ identities, actions, resources }) =>
        identities.some((each) => selection.concerns?.(each) ?? true) &&
        actions.some(isSome) &&
        resources.some(({ pattern }) => isSomeOn(pattern)),
    )
  const changes = (list: readonly DescribedChange[]) =>
    list.flatMap((change): DescribedChange[] => {
      const identities = change.identities.filter((each) => selection.concerns?.(each) ?? true)
      const actions = change.actions.filter(isAsked)
      const resources = change.resources.filter(isAskedOn)
      const [identity, action, resource] = [identities[0], actions[0], resources[0]]
      if (identity === undefined || action === undefined || resource === undefined) return []
      const { witness: first } = change
      const isWitness = identities.includes(first.identity) && actions.includes(first.action) && resources.includes(first.resource)
      return [{ ...change, identities, actions, resources, witness: isWitness ? first : { ...first, identity, action, resource } }]
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
