import type { RouteContext } from '../api/route.ts'
import { html, type Markup, type Part } from './html.ts'
import { hidden, table } from './parts.ts'

/** Lists as pages of the console show them: searched, and a page at a time. */

export interface Listing<T> {
  /** Words that are looked for; empty: everything is shown. */
  readonly query: string
  readonly page: number
  readonly pages: number
  readonly items: readonly T[]
  /** How many records the search found, and how many there are. */
  readonly found: number
  readonly all: number
}

export const listSize = 50

export function queryOf({ request }: RouteContext): string {
  return (request.query.get('q') ?? '').trim().slice(0, 200)
}

export function holdsWords(query: string, text: string): boolean {
  const lower = text.toLowerCase()
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word))
}

/** One page of the records whose text holds every word of the query. A page past the last one is the last one. */
export function listingOf<T>(context: RouteContext, records: readonly T[], textOf: (record: T) => string): Listing<T> {
  const query = queryOf(context)
  const asked = Number(context.request.query.get('page') ?? '1')
  const matching = query === '' ? records : records.filter((record) => holdsWords(query, textOf(record)))
  const pages = Math.max(1, Math.ceil(matching.length / listSize))
  const page = Math.min(Number.isSafeInteger(asked) && asked > 0 ? asked : 1, pages)
  return { query, page, pages, items: matching.slice((page - 1) * listSize, page * listSize), found: matching.length, all: records.length }
}

export interface ListPlace {
  readonly path: string
  readonly one: string
  readonly many: string
  readonly of?: string | undefined
  /** Other parameters of the address. */
  readonly also: Readonly<Record<string, string | undefined>>
  /** Further fields of the search, with their parameters of the address. */
  readonly choices?: { readonly fields: Markup; readonly chosen: Readonly<Record<string, string | undefined>> }
}

function address(path: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}

export function searchForm({ path, many, also, choices }: ListPlace, query: string): Markup {
  const isNarrowed = query !== '' || Object.values(choices?.chosen ?? {}).some((value) => value !== undefined)
  return html`<form method="get" action="${path}" role="search" class="search">
${Object.entries(also).map(([key, value]) => value !== undefined && hidden(key, value))}
<label for="q">Search ${many}</label>
<input type="search" id="q" name="q" value="${query}" autocomplete="off" spellcheck="false">
${choices?.fields}<button type="submit">Search</button>${isNarrowed && html` <a href="${address(path, also)}">Show all</a>`}
</form>`
}

/** A list: the search, how much was found, its records, and the way to its other pages. */
export function listed<T>(
  place: ListPlace,
  { query, page, pages, items, found, all }: Listing<T>,
  show: (caption: string, items: readonly T[]) => Markup,
): Markup {
  const { path, one, many, of, choices } = place
  const also = { ...place.also, ...choices?.chosen }
  const counted = `${all} ${all === 1 ? one : many}${of === undefined ? '' : ` of ${of}`}`
  const caption = query === '' ? counted : `${found} of ${counted} hold \`${query}\``
  const part = pages === 1 ? '' : `, page ${page} of ${pages}`
  const link = (to: number, rel: string, words: string) =>
    html`<li><a rel="${rel}" href="${address(path, { ...also, q: query || undefined, page: String(to) })}">${words}</a></li>`
  return html`${searchForm(place, query)}
${found === 0 ? html`<p class="card" role="status">No ${one} holds <code>${query}</code>.</p>` : show(`${caption}${part}`, items)}
${
  pages > 1 &&
  html`<nav aria-label="Pages"><ul class="pages">${page > 1 && html`${link(1, 'first', 'First')}${link(page - 1, 'prev', 'Previous')}`}<li>Page ${page} of ${pages}</li>${
    page < pages && html`${link(page + 1, 'next', 'Next')}${link(pages, 'last', 'Last')}`
  }</ul></nav>`
}`
}

/** A list as a table; `none` where there is no record at all. */
export function listTable<T>(
  place: ListPlace,
  listing: Listing<T>,
  none: Part,
  columns: readonly string[],
  cells: (record: T) => readonly Part[],
  order = '',
): Markup {
  if (listing.all === 0) return html`${none}`
  return listed(place, listing, (caption, items) => table(`${caption}${order}`, columns, items.map(cells)))
}
