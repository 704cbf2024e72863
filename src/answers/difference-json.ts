import type { Cause } from '../diff/causes.ts'
import type { DescribedChange, DescribedDifference } from '../diff/described.ts'
import type { ComparedTime, Difference, DiffRegion, Except, Resources } from '../diff/diff.ts'
import { formulaJson } from '../report/conditions.ts'
import { isoWords } from '../report/instants.ts'
import { placeJson } from '../report/words.ts'
import { questionJson } from '../symbolic/witness.ts'

/** Differences as machines read them. */

/** The patterns, and where one says too much, what the type and name match besides. */
function resourcesJson(resources: readonly Resources[]) {
  const narrower = resources.filter(({ name }) => name !== undefined)
  return {
    resources: resources.map(({ pattern }) => pattern),
    ...(narrower.length > 0 && { narrower: narrower.map(({ pattern, type, name }) => ({ resource: pattern, type, name })) }),
  }
}

function exceptJson({ why, identities, resources, actions, unless, condition, policy }: Except) {
  return {
    why,
    identities,
    ...(resources ? resourcesJson(resources) : { resources: null }),
    actions,
    ...(unless.length > 0 && { unless: unless.map(([dimension, pattern]) => ({ dimension, pattern })) }),
    condition: formulaJson(condition),
    policy: policy?.name.value ?? null,
    ...(policy && placeJson(policy.name.span)),
  }
}

/** What a region rests on, as machines read it. */
export function causeJson({ span, side, change, what, name, address }: Cause) {
  return { ...placeJson(span), side, change, what, policy: name, ...(address !== undefined && { address }) }
}

/** A region as machines read it. */
export function regionJson(region: DiffRegion) {
  return {
    identities: region.identities,
    ...(region.groups.length > 0 && { groups: region.groups }),
    actions: region.actions,
    ...resourcesJson(region.resources),
    condition: formulaJson(region.condition),
    except: region.except.map(exceptJson),
    certain: region.certain,
    witness: questionJson(region.witness),
    causes: region.causes.map(causeJson),
    ...(region.catalogue && { catalogue: { actions: region.catalogue.length } }),
    known: region.known,
    ...(region.isPast && { past: true }),
  }
}

export const sidesJson = ({ verdict, gained, lost }: Pick<Difference, 'verdict' | 'gained' | 'lost'>) => ({
  verdict,
  gained: gained.map(regionJson),
  lost: lost.map(regionJson),
})

/** The answer of `diff` as machines read it. */
export function differenceJson(difference: Difference, beyond?: Difference) {
  const { described } = difference
  return {
    ...sidesJson(difference),
    ...(beyond && { beyond: beyond.gained.map(regionJson) }),
    undecided: [
      ...difference.undecided.map(({ side, culprits }) => ({ side, patterns: culprits })),
      ...(beyond?.undecided ?? []).map(({ culprits }) => ({ side: 'beyond', patterns: culprits })),
    ],
    ...(difference.selection && { selection: difference.selection }),
    ...(difference.mapped && { mapped: difference.mapped }),
    ...(difference.deployment && { deployment: difference.deployment }),
    ...(difference.time && { time: comparedJson(difference.time) }),
    ...(described && { described: describedJson(described) }),
    ...(beyond?.described && { beyondDescribed: describedJson(beyond.described) }),
  }
}

/** How many combinations of identity, action and resource some changes are. */
function combinations(changes: readonly DescribedChange[]): number {
  return changes.reduce((sum, { identities, actions, resources }) => sum + identities.length * actions.length * resources.length, 0)
}

/** A change as machines read it. */
export function changeJson({ identities, actions, resources, condition, certain, witness, causes, isPast }: DescribedChange) {
  return {
    identities,
    actions,
    resources,
    condition: formulaJson(condition),
    certain,
    witness: questionJson(witness),
    causes: causes.map(causeJson),
    ...(isPast && { past: true }),
  }
}

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
export function comparedJson(time: ComparedTime) {
  if (time.kind === 'at') return { at: isoWords(time.at) }
  if (time.kind === 'between') return { before: isoWords(time.before), after: isoWords(time.after) }
  return { from: isoWords(time.from), ...(time.to !== undefined && { to: isoWords(time.to) }) }
}
