import { Budget, unlessUndecided } from '../budget.ts'
import type { World } from '../policy.ts'
import { firstNewAccess } from '../symbolic/covers.ts'
import { defaultBudget } from '../symbolic/search.ts'
import { sideOf } from '../symbolic/side.ts'
import { emptyWorld } from '../world.ts'
import { factsOf } from './facts.ts'
import { lockText } from './text.ts'

/**
 * The compared part of a world: policies with the groups they name. Memberships, tags and owners are left out, so that a lockfile
 * is about policies only.
 */
export function policiesOf({ policies, permissionsGroups, resourceGroups }: World): World {
  return { ...emptyWorld, policies, permissionsGroups, resourceGroups }
}

/** The text of the lockfile of a world; undecided where its facts are too many, or meet in too many ways. */
export function lockOf(
  world: World,
  run: Budget = new Budget(),
): { readonly text: string; readonly culprits?: undefined } | { readonly text?: undefined; readonly culprits: readonly string[] } {
  return unlessUndecided(
    () => ({ text: lockText(factsOf(policiesOf(world), run)) }),
    (culprits) => ({ culprits }),
  )
}

/** How many steps comparing a lockfile with policies may take: many policies take many, however plain they are. */
export function budgetOf(world: World, locked: World): number {
  return defaultBudget + 1_000 * (world.policies.length + locked.policies.length)
}

/**
 * Whether policies allow what a lockfile says: `same` is a proof, over all identities, actions, resources and contexts. The
 * culprits are the patterns for which it could not be decided.
 */
export function isSameAccess(
  world: World,
  locked: World,
  budget: number = budgetOf(world, locked),
  run: Budget = new Budget(),
): 'same' | 'changed' | { readonly culprits: readonly string[] } {
  const [now, then] = [policiesOf(world), policiesOf(locked)]
  const sides = [sideOf(now, then), sideOf(then, now)] as const
  for (const [a, b] of [sides, [sides[1], sides[0]]] as const) {
    const outcome = firstNewAccess(a, b, { budget, run })
    if (outcome.kind === 'undecided') return { culprits: outcome.culprits }
    if (outcome.kind === 'new') return 'changed'
  }
  return 'same'
}
