import type { PageData, Ref } from '../../page/data.ts'
import { byKind } from '../../page/kinds.ts'
import { endsOf } from '../../picture/short-names.ts'
import { el } from '../dom.ts'
import type { Page, Route } from './page.ts'
import { hrefOf } from './router.ts'

/** Names of identities within a line: users first. */

/** Up to so many identities are named; of more than are shown, some. */
const most = { named: 12, whole: 5, some: 3 } as const

/** The name of an identity without its kind: `alice`, `oauth2-30c1…a9f2`. */
export function bareName({ short }: PageData['identities'][number]): string {
  return endsOf(short.replace(/^(?:user|credential)\//, ''))
}

/** `alice, bob, carol and 3 more`; the number of more than a dozen. `rest`: where all are listed. */
export function identitiesOf(
  { data, link }: Page,
  identities: readonly Ref[],
  rest: Partial<Route> & Pick<Route, 'name'>,
): (HTMLElement | string)[] {
  const all = byKind(data, identities)
  if (all.length > most.named) return [el('a', { href: hrefOf(rest) }, `${all.length} identities`)]
  const shown = all.length <= most.whole ? all : all.slice(0, most.some)
  const names = shown.flatMap((identity, i) => {
    const of = data.identities[identity] as PageData['identities'][number]
    return [i > 0 ? ', ' : '', link('identity', of.urn, bareName(of))]
  })
  return all.length === shown.length ? names : [...names, ' and ', el('a', { href: hrefOf(rest) }, `${all.length - shown.length} more`)]
}
