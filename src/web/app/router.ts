import type { Route } from './page.ts'

/** The address bar holds all that a view shows, so that a link brings others to the same place. */

/** A place as an address: `#/identity/urn%3Av1…?type=vps`. */
export function hrefOf({ name, part = '', query }: Partial<Route> & Pick<Route, 'name'>): string {
  const search = query?.toString() ?? ''
  return `#/${name}${part === '' ? '' : `/${encodeURIComponent(part)}`}${search === '' ? '' : `?${search}`}`
}

/** The place that an address names; the first view for one that names none. */
export function routeOf(hash: string, first: string): Route {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s)
  const [name = '', ...parts] = path.split('/')
  return { name: name === '' ? first : name, part: decoded(parts.join('/')), query: new URLSearchParams(search) }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
