import { place } from '../../diagnostic.ts'
import type { Policy } from '../../policy.ts'
import type { Explanation } from '../../simulate/decision.ts'
import type { Span } from '../../source.ts'
import { idOf } from '../model/worlds.ts'
import { html, type Markup } from './html.ts'
import { name } from './parts.ts'
import type { Place } from './place.ts'
import { anchorOf, type PolicyList, policyPath } from './policies.ts'

/** Entries of policies, with links to where the page of their policy shows them. */

function listsOf({
  identities,
  resources,
  permissions,
  permissionsGroups,
}: Policy): Readonly<Record<PolicyList, readonly { readonly span: Span }[]>> {
  const { allow, except, deny } = permissions
  return { identities, resources, allow, except, deny, permissionsGroups }
}

/** The address of the entries of some policies, by the place that answers name. */
export type EntryLinks = ReadonlyMap<string, string>

function addLinks(links: Map<string, string>, policy: Policy, page: string): void {
  links.set(place(policy.name.span), page)
  for (const [list, items] of Object.entries(listsOf(policy)))
    for (const [i, { span }] of items.entries()) links.set(place(span), `${page}#${anchorOf(list as PolicyList, i)}`)
}

/** The addresses of the entries that an answer may name: of policies, and of permissions groups where a policy names the group. */
export function linksIn(
  { decision, nearest }: Pick<Explanation, 'decision' | 'nearest'>,
  consolePlace: Pick<Place, 'base' | 'account'>,
): EntryLinks {
  const links = new Map<string, string>()
  for (const policy of new Set([...decision.clauses, ...nearest].map((each) => each.policy)))
    addLinks(links, policy, policyPath(consolePlace, idOf(policy)))
  for (const { policy, entry, group } of decision.clauses) {
    const i = policy.permissionsGroups.findIndex(({ value }) => value.text === group)
    if (i >= 0) links.set(place(entry.span), `${policyPath(consolePlace, idOf(policy))}#${anchorOf('permissionsGroups', i)}`)
  }
  return links
}

/** A place as a link; as text where nothing is known to be there. */
export function placeLink(words: string, address: string | undefined): Markup {
  return address === undefined ? name(words) : html`<a class="place" href="${address}">${name(words)}</a>`
}
