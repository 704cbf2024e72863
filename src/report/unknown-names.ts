import { partsOfAction } from '../actions/action.ts'
import type { Catalogue } from '../actions/catalogue.ts'
import type { Question } from '../simulate/decision.ts'
import { typeAndName } from '../urn/resource.ts'

/**
 * The names in a question that the catalogue does not know, each in a sentence: a typo in the question is refused like
 * anything that nothing grants. The catalogue is dated, so this is never more than a note; what it cannot know (actions in
 * other namespaces than the API's own, types that only a product's name gives) is not judged.
 */
export function unknownNames(
  { action, resource }: Pick<Question, 'action' | 'resource'>,
  catalogue: Catalogue,
  brand: string,
): readonly string[] {
  const notes: string[] = []
  const note = (what: string, name: string, near: string | undefined) => {
    const meant = near === undefined ? 'it may be a typo, or newer than the catalogue' : `did you mean \`${near}\`?`
    notes.push(`${what} \`${name}\` is not in the catalogue of ${catalogue.seen}: ${meant}`)
  }
  const { product, namespace, path } = partsOfAction(action)
  const written = `${product}:${namespace}:${path}`
  const near = catalogue.nearestAction(written)
  const isOwn = namespace === `api${brand}`
  if (!catalogue.has(written) && (isOwn || (near !== undefined && namespace.startsWith('api')))) note('the action', written, near)
  const { type } = typeAndName(resource)
  const isOfProduct = catalogue.products.includes(type) && catalogue.typesOf(type).length === 0
  if (!catalogue.types.includes(type) && !isOfProduct) note('the resource type', type, catalogue.nearestType(type))
  return notes
}
