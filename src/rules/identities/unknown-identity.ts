import { compareText } from '../../diagnostic.ts'
import { isPattern } from '../../glob.ts'
import { nearest } from '../../nearest.ts'
import type { World } from '../../policy.ts'
import type { Rule } from '../rule.ts'
import { mostSuggestions, spend } from '../support/budget.ts'
import { knownGroups } from '../support/grants.ts'
import { didYouMean, quote } from '../support/text.ts'

export const unknownIdentity: Rule = {
  code: 'unknown-identity',
  section: 'identities',
  severity: 'warning',
  preset: 'strict',
  precision: 'medium',
  summary: 'An identity that is missing in the inventory, which has others of its kind and account.',
  why:
    'A deleted or misspelt login gets nothing, and a deny for it protects nothing. Whoever gets that login later gets the permissions ' +
    'with it. Only reported if the inventory has an identity of the same kind and account.',
  *world(context) {
    const { world } = context
    if (world.identities.size === 0) return
    const known = byKind(world)
    for (const { identities } of world.policies) {
      for (const { value, span } of identities) {
        if (isPattern(value.glob) || value.kind === 'account') continue
        const kin = known.get(kinOf(value.text))
        if (!kin || kin.includes(value.text)) continue
        const near =
          kin.length <= 2000 && spend(context, 'unknown-identity', 1, mostSuggestions) ? nearest(value.name, kin.map(nameOf)) : undefined
        yield {
          span,
          message: `the inventory has no ${value.kind === 'credential' ? 'service account' : value.kind} ${quote(value.name)} of account ${quote(value.account ?? '')}`,
          help: near === undefined ? 'correct it, remove it, or add it to the inventory' : didYouMean(`${kinOf(value.text)}${near}`),
        }
      }
    }
  },
}

/** Everything up to the name: region, kind and account. */
function kinOf(urn: string): string {
  return urn.slice(0, urn.indexOf('/') + 1)
}

function nameOf(urn: string): string {
  return urn.slice(urn.indexOf('/') + 1)
}

/** The identities that the inventory knows, by region, kind and account. */
function byKind(world: World): ReadonlyMap<string, readonly string[]> {
  const known = new Map<string, string[]>()
  for (const urn of [...new Set([...world.identities.keys(), ...knownGroups(world)])].sort(compareText)) {
    const list = known.get(kinOf(urn))
    if (list) list.push(urn)
    else known.set(kinOf(urn), [urn])
  }
  return known
}
