import { html, type Markup, type Part, verbatim } from './html.ts'
import type { Listing } from './listing.ts'

/** Pieces that several pages are made of. */

/** A table that stays one for those who hear it, also where a narrow window shows each row as a block. The first cell names its row. */
export function table(caption: string, columns: readonly string[], rows: readonly (readonly Part[])[], id?: string): Markup {
  return html`<table class="stack" role="table"${id !== undefined && html` id="${id}"`}>
<caption>${caption}</caption>
<thead role="rowgroup"><tr role="row">${columns.map((column) => html`<th role="columnheader" scope="col">${column}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows.map((cells) => row(columns, cells))}</tbody>
</table>`
}

export function row(columns: readonly string[], [first, ...rest]: readonly Part[]): Markup {
  return html`<tr role="row"><th role="rowheader" scope="row">${first}</th>${rest.map(
    (cell, i) => html`<td role="cell" data-label="${columns[i + 1]}">${cell}</td>`,
  )}</tr>
`
}

/** Facts about one thing: each with its name. What is undefined is left out. */
export function facts(pairs: readonly (readonly [name: string, value: Part])[]): Markup {
  const given = pairs.filter(([, value]) => value !== undefined && value !== null && value !== '')
  return html`<dl class="facts">${given.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`
}

/** How many characters of a name are kept in one line. */
const longName = 24

/** A name of the interface: a URN, an action, a path. A long one goes on in the next line behind a separator; a copy of it holds no break. */
export function name(text: string): Markup {
  const pieces = text.length > longName ? text.split(/(?<=[:/@])/) : [text]
  return html`<code>${pieces.map((piece, i) => html`${i > 0 && html`<wbr>`}${piece}`)}</code>`
}

export function names(texts: readonly string[], most = Number.POSITIVE_INFINITY): Markup {
  const more = texts.length - most
  return html`<ul>${texts.slice(0, most).map((text) => html`<li>${name(text)}</li>`)}${more > 0 && html`<li class="soft">and ${more} more</li>`}</ul>`
}

/** What is wrong with a form: which field, and the sentence. */
export interface FieldError {
  readonly field: string
  readonly message: string
}

/** What was wrong with a form, before it: each leads to its field. It has the focus when the page is there. */
export function errorSummary(errors: readonly FieldError[]): Markup | undefined {
  if (errors.length === 0) return undefined
  return html`<div class="error" id="errors" role="alert" tabindex="-1" autofocus><p><strong>This was not accepted.</strong></p><ul>${errors.map(
    ({ field, message }) => html`<li><a href="${`#${field}`}">${message}</a></li>`,
  )}</ul></div>`
}

/** One field of a form, as a browser knows it. Its name is its id. */
export interface Field {
  readonly id: string
  readonly label: string
  readonly hint?: string
  readonly value?: string
  readonly required?: boolean
  readonly most?: number
  /** Several lines. */
  readonly tall?: boolean
  /** Values that are offered. */
  readonly offered?: readonly string[]
  /** A name of the interface, in letters of one width. */
  readonly exact?: boolean
}

const mostOffered = 200

export function field(
  { id, label, hint, value = '', required, most, tall, offered, exact }: Field,
  errors: readonly FieldError[] = [],
): Markup {
  const error = errors.find((each) => each.field === id)
  const list = offered && offered.length > 0
  const described = [...(hint === undefined ? [] : [`${id}-hint`]), ...(error ? [`${id}-error`] : [])].join(' ')
  const common = html`id="${id}" name="${id}"${required && html` required`}${most !== undefined && html` maxlength="${most}"`}${
    described !== '' && html` aria-describedby="${described}"`
  }${error && html` aria-invalid="true"`}${exact && html` class="name" spellcheck="false" autocapitalize="none"`}${list && html` list="${id}-list"`}`
  return html`<p><label for="${id}">${label}</label>
${hint !== undefined && html`<span class="hint" id="${id}-hint">${hint}</span>`}
${error && html`<span class="error" id="${id}-error">${error.message}</span>`}
${tall ? html`<textarea ${common} rows="3">\n${verbatim(value)}</textarea>` : html`<input type="text" autocomplete="off" ${common} value="${value}">`}
${list && html`<datalist id="${id}-list">${offered.slice(0, mostOffered).map((each) => html`<option value="${each}"></option>`)}</datalist>`}</p>
`
}

/** A choice of one among texts. */
export function select(
  id: string,
  label: string,
  options: readonly (readonly [value: string, words: string])[],
  chosen: string | undefined,
): Markup {
  return html`<p><label for="${id}">${label}</label>
<select id="${id}" name="${id}">${options.map(
    ([value, words]) => html`<option value="${value}"${value === chosen && html` selected`}>${words}</option>`,
  )}</select></p>
`
}

/** Which account a part of the console is about. Nothing to choose where there is one. */
export function accountChoice(path: string, accounts: readonly string[], account: string | undefined): Markup | undefined {
  if (accounts.length < 2) return undefined
  return html`<form method="get" action="${path}" class="narrow">${select(
    'account',
    'Account',
    accounts.map((each) => [each, each] as const),
    account,
  )}<p><button type="submit" class="plain">Show this account</button></p></form>`
}

/** The field that searches a list. The search is in the address, so that it can be kept and passed on. */
export function searchForm(path: string, label: string, query: string, also: Readonly<Record<string, string | undefined>> = {}): Markup {
  const given = Object.entries(also).filter(([, value]) => value !== undefined)
  const clear = new URLSearchParams(given as [string, string][])
  return html`<form method="get" action="${path}" role="search" class="search">
${given.map(([key, value]) => html`<input type="hidden" name="${key}" value="${value}">`)}
<label for="q">${label}</label>
<input type="search" id="q" name="q" value="${query}" autocomplete="off" spellcheck="false">
<button type="submit" class="plain">Search</button>${query !== '' && html` <a href="${`${path}${clear.size > 0 ? `?${clear}` : ''}`}">Show all</a>`}
</form>`
}

/** A list as its page shows it: the search, how much was found, a table, and the way to its other pages. */
export function listed<T>(
  path: string,
  what: readonly [one: string, many: string, of?: string | undefined],
  listing: Listing<T>,
  also: Readonly<Record<string, string | undefined>>,
  show: (caption: string, items: readonly T[]) => Markup,
): Markup {
  const { query, page, pages, items, found, all } = listing
  const counted = `${all} ${all === 1 ? what[0] : what[1]}${what[2] === undefined ? '' : ` of ${what[2]}`}`
  const caption = query === '' ? counted : `${found} of ${counted} hold \`${query}\``
  const part = pages === 1 ? '' : `, page ${page} of ${pages}`
  const link = (to: number, rel: string, words: string) => {
    const given = Object.entries({ ...also, q: query === '' ? undefined : query, page: String(to) }).filter(
      ([, value]) => value !== undefined,
    )
    return html`<li><a rel="${rel}" href="${`${path}?${new URLSearchParams(given as [string, string][])}`}">${words}</a></li>`
  }
  return html`${searchForm(path, `Search ${what[1]}`, query, also)}
${found === 0 ? html`<p class="card" role="status">No ${what[0]} holds <code>${query}</code>.</p>` : show(`${caption}${part}`, items)}
${
  pages > 1 &&
  html`<nav aria-label="Pages"><ul class="pages">${page > 1 && html`${link(1, 'first', 'First')}${link(page - 1, 'prev', 'Previous')}`}<li>Page ${page} of ${pages}</li>${
    page < pages && html`${link(page + 1, 'next', 'Next')}${link(pages, 'last', 'Last')}`
  }</ul></nav>`
}`
}

export type Verdict = 'allow' | 'deny' | 'unknown'

export const verdictNames: Readonly<Record<Verdict, string>> = { allow: 'allowed', deny: 'refused', unknown: 'unknown' }

export function verdictTag(verdict: Verdict): Markup {
  return html`<span class="tag ${verdict}">${verdictNames[verdict]}</span>`
}

/** An instant as written in records, for people and for machines. */
export function time(at: string): Markup {
  return html`<time datetime="${at}">${at.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC')}</time>`
}

/** What is kept as JSON, as it would be written. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? 'null'
}
