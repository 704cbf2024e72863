import { groupedBy } from '../collections.ts'
import { compareText } from '../diagnostic.ts'
import { keyOf } from '../keys.ts'
import type { PolicyText } from './grant.ts'

/** An action that is needed on a resource, or on all that match a pattern. */
export interface NeededAction {
  readonly action: string
  readonly resource: string
}

/** Policies that allow the actions, one for all resources of which the same ones are needed. */
export function policiesFor(needs: readonly NeededAction[], identity: string, description: string): readonly PolicyText[] {
  const actionsOf = new Map<string, Set<string>>()
  for (const { action, resource } of needs) actionsOf.set(resource, (actionsOf.get(resource) ?? new Set()).add(action))
  const together = groupedBy([...actionsOf], ([, actions]) => keyOf([...actions].sort()))
  const named = new Map<string, number>()
  return [...together.values()].map((alike) => {
    const actions = [...(alike[0]?.[1] ?? [])].sort()
    const name = `needed for ${actions[0]}`
    const count = (named.get(name) ?? 0) + 1
    named.set(name, count)
    return {
      // Two policies cannot have one name.
      name: count === 1 ? name : `${name} (${count})`,
      description,
      identities: [identity],
      resources: alike.map(([urn]) => ({ urn })).sort((a, b) => compareText(a.urn, b.urn)),
      permissions: { allow: actions.map((action) => ({ action })) },
    }
  })
}
