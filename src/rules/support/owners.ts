import { matches } from '../../glob.ts'
import type { Policy, World } from '../../policy.ts'
import { inResourceGroup } from '../../world.ts'
import type { RuleContext } from '../rule.ts'
import { spend } from './budget.ts'
import { ownerOf } from './grants.ts'

/** The limit of comparisons, in one run, between entries and resources that have an owner. */
const mostComparisons = 1_000_000

/**
 * Whether all that a policy is about belongs to an account, as far as that is known: no resource that an entry matches, or a
 * group may hold, is known to be another's.
 */
export function isOwnedBy(account: string, policy: Policy, context: RuleContext): boolean {
  const { world } = context
  const owner = ownerOf(policy, world)
  const foreign = [...world.resources.values()].filter((resource) => resource.owner !== undefined && resource.owner !== account)
  if (!spend(context, 'owners', foreign.length * policy.resources.length, mostComparisons)) return false
  return policy.resources.every(({ value }) => {
    if (foreign.some(({ urn }) => isIn(urn.value, value, world))) return false
    if (value.kind === 'resource' && value.type === 'account' && value.name === account) return true
    return (world.resources.get(value.text)?.owner ?? owner) === account
  })
}

/** Whether a resource is one that an entry names, or may be. */
function isIn(resource: string, entry: Policy['resources'][number]['value'], world: World): boolean {
  return entry.kind === 'resource' ? matches(entry.glob, resource) : inResourceGroup(world, entry, resource) !== false
}
