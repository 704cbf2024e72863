import { typeAndName } from '../urn/resource.ts'

/** A placeholder for every name while a call is looked up. No service has this name. */
export const anyName = 'grantwise-any-name'

/** A resource with the placeholder for a name, as a pattern. */
export function widened(resource: string): string {
  const { name } = typeAndName(resource)
  return name === anyName ? `${resource.slice(0, -name.length)}*` : resource
}
