import { sha256 } from '../lint/sha256.ts'
import type { PageData } from './data.ts'

/** A script that is run on demand: compressed, in base64, and the hash of its text, in base64. */
export interface Packed {
  readonly gzip: string
  readonly sha256: string
}

/** The scripts and the style of the page, as `scripts/web.mjs` builds them. */
export interface Assets {
  readonly 'app.js': string
  readonly 'style.css': string
  readonly 'live.js'?: string
  /** Such as `engine.js`. */
  readonly [later: `${string}.js`]: string | Packed | undefined
}

export interface PageOptions {
  /** The page may ask the address it came from: when it is served, not when it is a file. */
  readonly isServed?: boolean
}

/** The page as one text: see `pageParts`. */
export function pageHtml(data: PageData, assets: Assets, options: PageOptions = {}): string {
  return [...pageParts(data, assets, options)].join('')
}

/**
 * The page as one file that needs no network, in parts: that of a large account, held several times as one text, takes more memory than
 * all of the analysis. Only scripts and styles of known hashes run; the data is text of a type that no
 * browser runs, and a script that is loaded on demand is text until then, most of them compressed.
 */
export function* pageParts(data: PageData, assets: Assets, { isServed = false }: PageOptions = {}): Generator<string> {
  const { 'app.js': app, 'style.css': style, ...later } = assets
  const scripts = Object.entries(later) as [string, string | Packed][]
  const document = documentHtml({
    title: data.title,
    style,
    scripts: [hashOf(app), ...scripts.map(([, script]) => (typeof script === 'string' ? hashOf(script) : source(script.sha256)))],
    // The engine works in a worker, started from the scripts of the page. Only these can start it.
    policy: ['img-src data:', 'worker-src blob:', ...(isServed ? ["connect-src 'self'"] : [])],
    body: `<noscript><p>This page needs JavaScript. It runs in the browser only and loads nothing from a network.</p></noscript>
<script type="application/json" id="data">${dataPlace}</script>
${scripts.map(([name, script]) => `${assetHtml(name.slice(0, -'.js'.length), script)}\n`).join('')}<script>${app}</script>`,
  })
  // The first one: before it are the title, in which a `<` is written otherwise, and the style.
  const start = document.indexOf(dataPlace)
  yield document.slice(0, start)
  yield* jsonTexts(data)
  yield document.slice(start + dataPlace.length)
}

/** The place of the data in the page. */
const dataPlace = '<!--data-->'

function assetHtml(name: string, script: string | Packed): string {
  return typeof script === 'string'
    ? `<script type="text/plain" id="asset-${name}">${script}</script>`
    : `<script type="application/gzip" id="asset-${name}">${script.gzip}</script>`
}

/** A page of text alone, for when there is nothing to show. It runs one script, where one is given. */
export function noticeHtml(title: string, text: string, style: string, script = ''): string {
  return documentHtml({
    title,
    style,
    scripts: [hashOf(script)],
    policy: ["connect-src 'self'"],
    body: `<main>
<h1>${escaped(title)}</h1>
<p>This page is loaded anew when a file changes. What you have edited in it is kept.</p>
<pre class="notice" tabindex="0">${escaped(text)}</pre>
</main>
<script>${script}</script>`,
  })
}

interface Document {
  readonly title: string
  readonly style: string
  /** Those that may run, by their hashes. */
  readonly scripts: readonly string[]
  /** The permissions of the page, apart from running these scripts. */
  readonly policy: readonly string[]
  /** Markup. */
  readonly body: string
}

/** A whole page, with the policy that keeps it to its own scripts and style. */
function documentHtml({ title, style, scripts, policy, body }: Document): string {
  const rules = [
    "default-src 'none'",
    `script-src ${scripts.join(' ')}`,
    `style-src ${hashOf(style)}`,
    ...policy,
    "base-uri 'none'",
    "form-action 'none'",
  ]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${rules.join('; ')}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body class="ui">
${body}
</body>
</html>
`
}

/** The most items of a list, and characters of a text, in one part. A list of no more than a few items is looked into: they may be long. */
const [itemsOfPart, charactersOfPart, fewItems] = [100, 2 ** 20, 20]

/** The text of a value, as of `jsonText`, in parts. */
function* jsonTexts(value: unknown): Generator<string> {
  if (typeof value === 'string' && value.length > charactersOfPart) yield* jsonTextsOfString(value)
  else if (Array.isArray(value)) yield* jsonTextsOfList(value)
  else if (typeof value === 'object' && value !== null) yield* jsonTextsOfObject(value)
  else yield jsonText(value)
}

function* jsonTextsOfObject(value: object): Generator<string> {
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  yield '{'
  for (const [i, [name, field]] of fields.entries()) {
    yield `${i === 0 ? '' : ','}${jsonText(name)}:`
    yield* jsonTexts(field)
  }
  yield '}'
}

function* jsonTextsOfList(list: readonly unknown[]): Generator<string> {
  yield '['
  if (list.length <= fewItems) {
    for (const [i, item] of list.entries()) {
      if (i > 0) yield ','
      yield* jsonTexts(item ?? null)
    }
  } else {
    for (let start = 0; start < list.length; start += itemsOfPart)
      yield `${start === 0 ? '' : ','}${jsonText(list.slice(start, start + itemsOfPart)).slice(1, -1)}`
  }
  yield ']'
}

function* jsonTextsOfString(text: string): Generator<string> {
  yield '"'
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = Math.min(start + charactersOfPart, text.length)
    // Halves of one character, each by itself, are written as escapes.
    if (/[\ud800-\udbff]/.test(text[end - 1] as string)) end = Math.min(end + 1, text.length)
    yield jsonText(text.slice(start, end)).slice(1, -1)
  }
  yield '"'
}

/** JSON that ends no script and starts no comment, with nothing invisible in it. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u0000\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

const source = (sha256Base64: string) => `'sha256-${sha256Base64}'`

/** The hash of a script or style as a policy names it. */
function hashOf(text: string): string {
  const hex = sha256(text)
  let out = ''
  for (let i = 0; i < hex.length; i += 6) {
    const part = hex.slice(i, i + 6)
    const bits = Number.parseInt(part.padEnd(6, '0'), 16)
    const pairs = part.length / 2
    for (let j = 0; j <= pairs; j++) out += digits[(bits >> (18 - 6 * j)) & 63]
  }
  return source(out.padEnd(Math.ceil(out.length / 4) * 4, '='))
}
