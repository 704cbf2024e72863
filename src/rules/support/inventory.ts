import { addTo } from '../../collections.ts'
import { compareText } from '../../diagnostic.ts'
import { isPattern } from '../../glob.ts'
import { isSlip, nearest } from '../../nearest.ts'
import type { Policy, World } from '../../policy.ts'
import type { IdentityUrn } from '../../urn/identity.ts'
import type { RuleContext } from '../rule.ts'
import { mostSuggestions, spend } from './budget.ts'
import { knownGroups } from './grants.ts'

/** The identities of the inventory, by what comes before their names: region, kind and account. */
export function inventoryOf({ once }: Pick<RuleContext, 'once'>): ReadonlyMap<string, ReadonlySet<string>> {
  return once(byKind)
}

/** Everything up to the name: region, kind and account. */
export function prefixOf(urn: string): string {
  return urn.slice(0, urn.indexOf('/') + 1)
}

/** The name of a user, group or service account. */
export function nameOf(urn: string): string {
  return urn.slice(urn.indexOf('/') + 1)
}

/** The identities of the kind and account of one that is missing in the inventory; undefined where it is not missing, or none is known. */
export function sameKindAs({ text, glob, kind }: IdentityUrn, context: Pick<RuleContext, 'once'>): ReadonlySet<string> | undefined {
  if (isPattern(glob) || kind === 'account') return undefined
  const sameKind = inventoryOf(context).get(prefixOf(text))
  return sameKind?.has(text) ? undefined : sameKind
}

/**
 * The identity of the inventory that a misspelt one of a policy is certainly meant to be: one letter away, where no other policy
 * names the written one.
 */
export function slipFor(value: IdentityUrn, policy: Policy, context: RuleContext): string | undefined {
  const sameKind = sameKindAs(value, context)
  if (!sameKind || sameKind.size > 2000 || !spend(context, 'slips of identities', 1, 2 * mostSuggestions)) return undefined
  const suggested = nearest(value.name, [...sameKind].map(nameOf))
  if (suggested === undefined || !isSlip(value.name, suggested)) return undefined
  const isNamed = context.world.policies.some(
    (other) => other !== policy && other.identities.some((each) => each.value.text === value.text),
  )
  return isNamed ? undefined : `${prefixOf(value.text)}${suggested}`
}

function byKind({ world }: { readonly world: World }): ReadonlyMap<string, ReadonlySet<string>> {
  const urnsByKind = new Map<string, Set<string>>()
  if (world.identities.size === 0) return urnsByKind
  for (const urn of [...new Set([...world.identities.keys(), ...knownGroups(world)])].sort(compareText)) {
    addTo(urnsByKind, prefixOf(urn), urn)
  }
  return urnsByKind
}
