import type { Tables } from '../../page/tables.ts'
import { endsOf } from '../../picture/short-names.ts'
import { cut, shown } from '../../report/safe.ts'
import { el } from '../dom.ts'
import type { Kind } from './page.ts'
import { hrefOf } from './router.ts'

/** How much of a name is shown where there is little room; the rest is in its title. */
const mostShown = 80

/** A name as text: escaped, without its middle where it is long, and whole in its title. */
export function nameElement(text: string, urn = text): HTMLElement {
  const safe = shown(text)
  return el(
    'span',
    { class: 'name', title: shown(urn) === safe && safe.length <= mostShown ? undefined : cut(shown(urn), 600) },
    endsOf(safe, mostShown),
  )
}

/** A link to the page of something. */
export function linkTo(tables: Tables, kind: Kind, name: string, text?: string): HTMLElement {
  const safe = text ?? tables.shortNames.get(name) ?? shown(name)
  return el('a', { href: hrefOf({ name: kind, part: name }), class: 'name', title: cut(shown(name), 600) }, endsOf(safe, mostShown))
}
