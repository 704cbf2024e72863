import { isPattern } from '../../glob.ts'
import type { ResourceGroupUrn, ResourceUrn } from '../../urn/resource.ts'

/** The place of the first wildcard where none is documented (docs/semantics.md, Names). */
export function oddWildcard(urn: ResourceUrn | ResourceGroupUrn): number | undefined {
  if (!isPattern(urn.glob)) return undefined
  const { text } = urn
  if (urn.kind === 'group') return urn.id.includes('*') && urn.id !== '*' ? text.indexOf('*') : undefined
  const typeStart = `urn:v1:${urn.region}:resource:`.length
  if (urn.type !== '*' && urn.type.includes('*')) return text.indexOf('*', typeStart)
  const star = urn.name.indexOf('*')
  return star >= 0 && star !== urn.name.length - 1 ? typeStart + urn.type.length + 1 + star : undefined
}
