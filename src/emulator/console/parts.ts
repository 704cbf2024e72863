import { html, lines, type Markup, type Part, preservedText } from './html.ts'

/** A table that stays one for screen readers, also where a narrow window shows each row as a block. The first cell names its row. */
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

/** Facts about one thing: each with its name. Empty values are left out. */
export function facts(pairs: readonly (readonly [name: string, value: Part])[]): Markup {
  const given = pairs.filter(([, value]) => value !== undefined && value !== null && value !== '')
  return html`<dl class="facts">${given.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`
}

/** Text of several lines that scrolls, with a label for screen readers. */
export function block(label: string, text: string): Markup {
  return html`<pre tabindex="0" aria-label="${label}"><code>${lines(text)}</code></pre>`
}

export const seedCommand = block('A command that starts with policies', 'grantwise serve --seed policies/')

export function emptyCard(title: string, more: Part): Markup {
  return html`<div class="card"><p><strong>${title}</strong></p>${more}</div>`
}

export function successMessage(words: Part): Markup {
  return html`<p role="status" class="callout gained">${words}</p>`
}

export type Tone = Verdict | 'quiet'

const badges: Readonly<Record<Tone, string>> = { allow: 'badge gained', deny: 'badge lost', unknown: 'badge warning', quiet: 'badge' }

export function tag(tone: Tone, words: string): Markup {
  return html`<span class="${badges[tone]}">${words}</span>`
}

/** A sentence with the strings between backticks as code. */
export function prose(text: string): Markup {
  return html`${text.split(/`([^`]*)`/).map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}`
}

export function mutedText(words: Part): Markup {
  return html`<span class="soft">${words}</span>`
}

export function hidden(name: string, value: string): Markup {
  return html`<input type="hidden" name="${name}" value="${value}">`
}

/** How many characters of a name are kept in one line. */
const longName = 24

/** A name of the interface: a URN, an action, a path. A long one may wrap behind a separator; a copy of it holds no break. */
export function name(text: string): Markup {
  const pieces = text.length > longName ? text.split(/(?<=[:/@])/) : [text]
  return html`<code>${pieces.map((piece, i) => html`${i > 0 && html`<wbr>`}${piece}`)}</code>`
}

export function shortList(items: readonly Part[], most = Number.POSITIVE_INFINITY): Markup {
  const more = items.length - most
  return html`<ul>${items.slice(0, most).map((item) => html`<li>${item}</li>`)}${more > 0 && html`<li class="soft">and ${more} more</li>`}</ul>`
}

export function names(texts: readonly string[], most?: number): Markup {
  return shortList(texts.map(name), most)
}

/** A problem of a form: the field, and the sentence. */
export interface FieldError {
  readonly field: string
  readonly message: string
  /** The remedy. */
  readonly help?: string | undefined
}

/** The errors of a form, before it: each leads to its field. It has the focus when the page is loaded. */
export function errorSummary(errors: readonly FieldError[]): Markup | undefined {
  if (errors.length === 0) return undefined
  return html`<div class="callout error" id="errors" role="alert" tabindex="-1" autofocus><p><strong>This was not accepted.</strong></p><ul>${errors.map(
    ({ field, message, help }) =>
      html`<li><a href="${`#${field}`}">${prose(message)}</a>${help !== undefined && html`<span class="help">${prose(help)}</span>`}</li>`,
  )}</ul></div>`
}

export interface Field {
  readonly id: string
  readonly label: string
  readonly hint?: string
  readonly value?: string
  readonly required?: boolean
  readonly most?: number
  readonly tall?: boolean
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
${error && html`<span class="callout error" id="${id}-error">${error.message}</span>`}
${tall ? html`<textarea ${common} rows="3">\n${preservedText(value)}</textarea>` : html`<input type="text" autocomplete="off" ${common} value="${value}">`}
${list && html`<datalist id="${id}-list">${offered.slice(0, mostOffered).map((each) => html`<option value="${each}"></option>`)}</datalist>`}</p>
`
}

/** A choice of one among strings; a string by itself is its own label. */
export function choice(
  id: string,
  label: string,
  options: readonly (string | readonly [value: string, words: string])[],
  chosen: string | undefined,
): Markup {
  const pairs = options.map((each) => (typeof each === 'string' ? ([each, each] as const) : each))
  return html`<label for="${id}">${label}</label>
<select id="${id}" name="${id}">${pairs.map(
    ([value, words]) => html`<option value="${value}"${value === chosen && html` selected`}>${words}</option>`,
  )}</select>
`
}

/** The same as a field of a form. */
export function select(...parts: Parameters<typeof choice>): Markup {
  return html`<p>${choice(...parts)}</p>
`
}

export function accountForm(path: string, choice: Markup, words: string): Markup {
  return html`<form method="get" action="${path}" class="narrow">${choice}<p><button type="submit">${words}</button></p></form>`
}

export type Verdict = 'allow' | 'deny' | 'unknown'

export const verdictNames: Readonly<Record<Verdict, string>> = { allow: 'allowed', deny: 'refused', unknown: 'unknown' }

export function verdictTag(verdict: Verdict): Markup {
  return tag(verdict, verdictNames[verdict])
}

/** An instant of a record, for users and for programs. */
export function time(at: string): Markup {
  return html`<time datetime="${at}">${at.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC')}</time>`
}

export function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? 'null'
}
