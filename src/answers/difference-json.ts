import type { DescribedChange, DescribedDifference } from '../diff/described.ts'
import type { ComparedTime, Difference, DiffRegion, Except, Resources } from '../diff/diff.ts'
import { fieldsJson } from '../report/fields.ts'
import { isoWords } from '../report/instants.ts'
import { placeJson } from '../report/words.ts'

/** Differences as machines read them. */

/** The patterns, and where one says too much, what the type and name match besides. */
function resourcesJson(resources: readonly Resources[]) {
  const narrower = resources.filter(({ name }) => name !== undefined)
  return {
    resources: resources.map(({ pattern }) => pattern),
    ...(narrower.length > 0 && { narrower: narrower.map(({ pattern, type, name }) => ({ resource: pattern, type, name })) }),
  }
}

const exceptJson = (except: Except) => ({
  ...fieldsJson(except, 'why', 'identities'),
  ...(except.resources ? resourcesJson(except.resources) : { resources: null }),
  actions: except.actions,
  ...(except.unless.length > 0 && { unless: except.unless.map(([dimension, pattern]) => ({ dimension, pattern })) }),
  ...fieldsJson(except, 'condition'),
  policy: except.policy?.name.value ?? null,
  ...(except.policy && placeJson(except.policy.name.span)),
})

/** A region as machines read it. */
export const regionJson = (region: DiffRegion) => ({
  identities: region.identities,
  ...(region.groups.length > 0 && { groups: region.groups }),
  actions: region.actions,
  ...resourcesJson(region.resources),
  ...fieldsJson(region, 'condition'),
  except: region.except.map(exceptJson),
  ...fieldsJson(region, 'certain', 'witness', 'causes'),
  ...(region.catalogue && { catalogue: { actions: region.catalogue.length } }),
  known: region.known,
  ...(region.isPast && { past: true }),
})

/** A change as machines read it. */
export const changeJson = (change: DescribedChange) => ({
  ...fieldsJson(change, 'identities', 'actions', 'resources', 'condition', 'certain', 'witness', 'causes'),
  ...(change.isPast && { past: true }),
})

export const sidesJson = ({ verdict, gained, lost }: Pick<Difference, 'verdict' | 'gained' | 'lost'>) => ({
  verdict,
  gained: gained.map(regionJson),
  lost: lost.map(regionJson),
})

/** The answer of `diff` as machines read it. */
export function differenceJson(difference: Difference, beyond?: Difference) {
  const { described, selection, mapped, deployment, time } = difference
  return {
    ...sidesJson(difference),
    ...(beyond && { beyond: beyond.gained.map(regionJson) }),
    undecided: [
      ...difference.undecided.map(({ side, culprits }) => ({ side, patterns: culprits })),
      ...(beyond?.undecided ?? []).map(({ culprits }) => ({ side: 'beyond', patterns: culprits })),
    ],
    ...(selection && { selection }),
    ...(mapped && { mapped }),
    ...(deployment && { deployment }),
    ...(time && { time: comparedJson(time) }),
    ...(described && { described: describedJson(described) }),
    ...(beyond?.described && { beyondDescribed: describedJson(beyond.described) }),
  }
}

/** How many combinations of identity, action and resource rows are. */
export const combinations = (rows: readonly Pick<DescribedChange, 'identities' | 'actions' | 'resources'>[]) =>
  rows.reduce((sum, { identities, actions, resources }) => sum + identities.length * actions.length * resources.length, 0)

/** The changes as machines read them, with how many combinations of identity, action and resource each side is. */
export function describedJson({ gained, lost, undecided }: DescribedDifference) {
  return {
    gained: gained.map(changeJson),
    lost: lost.map(changeJson),
    combinations: { gained: combinations(gained), lost: combinations(lost) },
    undecided,
  }
}

/** The instants that were compared, as machines read them. */
function comparedJson(time: ComparedTime) {
  const { kind: _, ...instants } = time
  return Object.fromEntries(Object.entries(instants).flatMap(([name, at]) => (at === undefined ? [] : [[name, isoWords(at)]])))
}
