import { visible } from '../../names.ts'
import type { Reply } from '../model/exchange.ts'

/** A piece of a page: its content was escaped, or written by us. */
export class Markup {
  readonly source: string
  constructor(source: string) {
    this.source = source
  }
}

/** A value in a template: strings and numbers are escaped, pieces are not, absent values are omitted. */
export type Part = string | number | Markup | readonly Part[] | undefined | null | false

/**
 * A piece of a page. Every string in it is text, never markup: characters that could end a text or an attribute are escaped, and
 * in texts invisible and direction-changing ones are written out. An attribute must be quoted, and an address must only navigate:
 * otherwise the template is refused, or the address omitted.
 */
export function html(literals: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let source = literals[0] as string
  parts.forEach((part, i) => {
    source += written(part, placeAt(source))
    source += literals[i + 1]
  })
  return new Markup(source)
}

type Place = 'text' | 'tag' | 'attribute' | 'address'

/** The context after a part of a template. Inserted values are escaped: the last `<` is one that we wrote. */
function placeAt(source: string): Place {
  const start = source.lastIndexOf('<')
  if (start === -1) return 'text'
  let quoted = false
  for (let i = start + 1; i < source.length; i++) {
    if (source[i] === '"') quoted = !quoted
    else if (source[i] === '>' && !quoted) return 'text'
  }
  if (!quoted) return 'tag'
  return /\s(?:href|action|formaction|src)="$/.test(source.slice(start)) ? 'address' : 'attribute'
}

function written(part: Part, place: Place): string {
  if (part === undefined || part === null || part === false) return ''
  if (part instanceof Markup) return part.source
  if (typeof part === 'object') return part.map((each) => written(each, place)).join('')
  const text = String(part)
  if (place === 'tag') throw new Error('a text stands in a tag of a page, outside of any attribute')
  if (place === 'text') return escaped(visible(text))
  return escaped(place === 'attribute' || leadsSomewhere(text) ? text : '#')
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;', '`': '&#96;' }

/** Text escaped for a text and for a quoted attribute. */
export function escaped(text: string): string {
  return text.replace(/[&<>"'`]/g, (c) => entities[c] as string)
}

/** An address of this service, or of the web: no script, no file. Two slashes would lead to another host. */
function leadsSomewhere(address: string): boolean {
  return /^(?:\/(?![/\\])|[?#]|https?:\/\/)/i.test(address)
}

export function lines(text: string): Markup {
  return new Markup(
    text
      .split('\n')
      .map((line) => escaped(visible(line)))
      .join('\n'),
  )
}

/** Text that is sent back unchanged, in a field of a form: only escaped. */
export function preservedText(text: string): Markup {
  return new Markup(escaped(text))
}

/** A page, before it is put into the frame that all of them share. */
export interface Page {
  readonly title: string
  readonly main: Markup
  /** Where the addresses of this region start: `/eu`. */
  readonly base: string
  /** The console shows its parts and which of them this is; other pages are without. */
  readonly nav?: { readonly current: string; readonly account: string | undefined }
  readonly script?: boolean
}

/** The parts of the console: path and name. */
const consoleParts: readonly (readonly [path: string, name: string])[] = [
  ['/console', 'Overview'],
  ['/console/policies', 'Policies'],
  ['/console/can', 'Ask'],
  ['/console/calls', 'Calls'],
  ['/console/service-accounts', 'Service accounts'],
  ['/console/applications', 'Applications'],
  ['/console/resources', 'Resources'],
  ['/console/schemas', 'Schemas version'],
]

export const stylePath = '/console/style.css'
export const scriptPath = '/console/script.js'

/** The whole document. Every page says that it is an emulator, so that no user enters a password. */
function frame({ title, main, base, nav, script }: Page): string {
  const query = nav?.account === undefined ? '' : `?account=${encodeURIComponent(nav.account)}`
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · emulator</title>
<link rel="stylesheet" href="${base}${stylePath}">
<link rel="icon" href="data:,">
${script && html`<script src="${base}${scriptPath}" defer></script>`}
</head>
<body class="ui">
<a class="skip" href="#main">Skip to the content</a>
<header>
<p class="brand"><a href="${base}/console">grantwise</a></p>
<p class="callout warning"><strong>This is an emulator on this machine, not the real service.</strong> Nothing here reaches a real account.</p>
${
  nav &&
  html`<nav aria-label="Console"><ul>${consoleParts.map(
    ([path, name]) => html`<li><a href="${`${base}${path}${query}`}"${path === nav.current && html` aria-current="page"`}>${name}</a></li>`,
  )}</ul></nav>`
}
</header>
<main id="main" tabindex="-1">
<h1>${title}</h1>
${main}
</main>
<footer><p>Region <strong>${base.replace(/^.*\//, '').toUpperCase()}</strong>. Served by <code>grantwise serve</code>.</p></footer>
</body>
</html>
`.source
}

/** The permissions of a page: our style and script, calls to its origin, forms to there and, where given, to `leadsTo`. */
export function pageHeaders(leadsTo?: string): Readonly<Record<string, string>> {
  const onward = leadsTo === undefined ? '' : ` ${leadsTo}`
  return {
    'content-security-policy': `default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; form-action 'self'${onward}; base-uri 'none'; frame-ancestors 'none'`,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    // Not `no-referrer`: a browser then says of our own forms, too, that they come from nowhere.
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
  }
}

/** A page as an answer. `leadsTo`: an origin that its form ends at. */
export function pageReply(page: Page, status = 200, leadsTo?: string): Reply {
  return { status, origin: 'stand-in', headers: pageHeaders(leadsTo), html: frame(page) }
}

export function messagePage(base: string, status: number, title: string, sentences: readonly (string | Markup)[]): Reply {
  return pageReply(
    { title, base, main: html`<div class="card narrow">${sentences.map((sentence) => html`<p>${sentence}</p>`)}</div>` },
    status,
  )
}
