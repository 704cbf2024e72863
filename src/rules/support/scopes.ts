import { cannotServe as cannot, servedTypes } from '../../actions/serves.ts'
import { covers, type Glob, glob, isPattern } from '../../glob.ts'
import type { Policy, ResourceGroup } from '../../policy.ts'
import { typeAndName } from '../../urn/resource.ts'
import { resourceGroupOf } from '../../world.ts'
import type { RuleContext } from '../rule.ts'

/**
 * Which actions can be about which resources. The catalogue knows for most products the types that they serve; of the
 * rest, of types that no product is known to serve, and of sub-types next to each other, nothing is said.
 */

/** The product that all actions of an entry belong to; undefined when there may be several, or in other namespaces than the API's own. */
export function productOf(entry: Glob, { settings }: RuleContext): string | undefined {
  const { text } = entry
  const colon = text.indexOf(':')
  const star = text.indexOf('*')
  if (colon < 1 || (star >= 0 && star < colon)) return undefined
  const product = text.slice(0, colon)
  if (text.length === colon + 2 && star === colon + 1) return product
  return text.startsWith(`:api${settings.brand}:`, colon) ? product : undefined
}

/** Whether no action of a product can be about a resource of a type, as far as the catalogue knows: false is "it may". */
export function cannotServe(product: string, type: string, { catalogue, once }: Pick<RuleContext, 'catalogue' | 'once'>): boolean {
  return cannot(product, type, catalogue, () => once(served))
}

const served = ({ catalogue }: Pick<RuleContext, 'catalogue'>) => servedTypes(catalogue)

/** The types of a resource entry: one, `*` where it may be any, or those of the members of a group that is known whole. */
export function typesOfEntry({ value }: Policy['resources'][number], { world, once }: RuleContext): readonly string[] {
  if (value.kind === 'resource') return [value.type]
  const group = isPattern(value.glob) ? undefined : resourceGroupOf(world, value.text)
  if (!group?.complete) return ['*']
  const typesByGroup = once(groupTypes)
  const types = typesByGroup.get(group) ?? [...new Set([...group.members].map((member) => typeAndName(member).type))]
  typesByGroup.set(group, types)
  return types
}

/** The types of resource entries, each once. */
export function typesOf(resources: Policy['resources'], context: RuleContext): readonly string[] {
  const types = new Set<string>()
  let last: string | undefined
  for (const entry of resources) {
    if (entry.value.kind !== 'resource') for (const type of typesOfEntry(entry, context)) types.add(type)
    else if (entry.value.type !== last) {
      last = entry.value.type
      types.add(last)
    }
  }
  return [...types]
}

const groupTypes = () => new Map<ResourceGroup, readonly string[]>()

/** Whether an entry covers all actions of a product. */
export function isWholeProduct(entry: Glob, product: string, { settings }: RuleContext): boolean {
  return covers(entry, glob(`${product}:api${settings.brand}:*`))
}
