import type { PageData } from '../../page/data.ts'
import { cut, shown } from '../../report/safe.ts'
import { h } from '../dom.ts'
import type { Kind } from './page.ts'
import { hrefOf } from './router.ts'

/** How much of a name is shown where there is little room; the rest is in its title. */
const mostShown = 80

const shorts = new WeakMap<PageData, ReadonlyMap<string, string>>()

/** The short names of everything that has one, escaped, by URN. */
export function shortNames(data: PageData): ReadonlyMap<string, string> {
  const known =
    shorts.get(data) ??
    new Map([data.identities, data.groups, data.resources, data.resourceGroups].flat().map(({ urn, short }) => [urn, short]))
  shorts.set(data, known)
  return known
}

/** A name as text: escaped, cut, and whole in its title. */
export function named(text: string, urn = text): HTMLElement {
  const safe = shown(text)
  return h(
    'span',
    { class: 'name', title: shown(urn) === safe && safe.length <= mostShown ? undefined : cut(shown(urn), 600) },
    cut(safe, mostShown),
  )
}

/** A link to the page of something. */
export function linkTo(data: PageData, kind: Kind, name: string, text?: string): HTMLElement {
  const safe = text ?? shortNames(data).get(name) ?? shown(name)
  return h('a', { href: hrefOf({ name: kind, part: name }), class: 'name', title: cut(shown(name), 600) }, cut(safe, mostShown))
}
