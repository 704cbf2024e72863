import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/** Reports, the console and the documentation site have the components of `src/components.css`: no other sheet defines one again. */

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const sheets = ['src/web', 'src/page', 'src/emulator', 'site/.vitepress/theme', 'site/source.css'].flatMap((path) =>
  path.endsWith('.css')
    ? [path]
    : readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.css'))
        .map((name) => `${path}/${name.replaceAll('\\', '/')}`),
)

interface Rule {
  readonly selectors: readonly string[]
  readonly properties: readonly string[]
}

/** The rules of a sheet that are not for paper; those within another one or within `@media` as well. */
function rulesOf(text: string): readonly Rule[] {
  const tokens = text.replaceAll(/\/\*.*?\*\//gs, '').match(/[{};]|[^{};]+/g) ?? []
  const found: Rule[] = []
  const open: { readonly head: string; readonly properties: string[] }[] = []
  let words = ''
  for (const token of tokens) {
    if (token === '{') open.push({ head: words.trim(), properties: [] })
    else if (token !== '}' && token !== ';') {
      words = token
      continue
    } else {
      const property = /^\s*([\w-]+)\s*:/.exec(words)?.[1]
      if (property) open.at(-1)?.properties.push(property)
      const closed = token === '}' ? open.pop() : undefined
      if (closed && !closed.head.startsWith('@') && !open.some(({ head }) => head.startsWith('@media print')))
        found.push({ selectors: selectorsOf(closed.head), properties: closed.properties })
    }
    words = ''
  }
  return found
}

/** The selectors of a list, without what `:where` asks of the place: commas within brackets separate none. */
const selectorsOf = (head: string): readonly string[] =>
  head.split(/,(?![^(]*\))/).map((each) => each.replaceAll(/:where\([^)]*\)/g, '').trim())

/** The end of a selector: what is styled, without states. */
const subjectOf = (selector: string): string =>
  (selector.split(/[\s>+~]+(?![^(]*\))/).at(-1) ?? '').replaceAll(/:(?!is\()[\w-]+(?:\([^)]*\))?/g, '')

const look = /^(?:padding|border|background|box-shadow)(?!-(?:collapse|spacing|image|inline))/

/** The components: by what they are recognised, as the end of a selector, and what of them is defined once. */
const kinds: readonly (readonly [name: string, subject: RegExp, property: RegExp])[] = [
  ['button', /(?:^|[(\s])button\b|\.(?:button|VPButton|primary|quiet|chip)\b/, look],
  ['field', /(?:^|[(\s])(?:input|select|textarea)\b|^a?\.search$|DocSearch-Button\b(?!-)/, look],
  ['card', /\.(?:card|finding|change|panel|asking|evidence|VPFeature|scroller|matrix-scroller|graph-scroller)(?![\w-])/, look],
  ['badge', /\.(?:badge|level)\b/, /^(?:padding|border|background|color)/],
  ['callout', /^(?!mark)[^.]*\.(?:callout|verdict|notice|custom-block|warn|error)(?![\w-])/, /^(?:padding|border|background|color)/],
  ['code', /^(?:pre|code|kbd)$|^\.(?:code|session)$|language-/, /^(?:border|background)/],
  ['navigation', /^nav a$|VPNavBarMenuLink/, /^(?:border|background|box-shadow|color)/],
]

/** Rules that style every table or every link of a page, not a table of a kind. */
const everyTable = /^(?:\.vp-doc |\.ui )?(?:thead |tbody )?(?:table|:is\(th, td\)|th|td)$/
const everyLink = /^(?:\.vp-doc |\.ui )?(?:a|summary|details > summary)(?::hover)?$/

/** The components that a sheet defines, each with the selector. */
const definedIn = (text: string): readonly string[] =>
  rulesOf(text).flatMap(({ selectors, properties }) =>
    selectors.flatMap((selector) => {
      const of = kinds
        .filter(([, subject, property]) => subject.test(subjectOf(selector)) && properties.some((each) => property.test(each)))
        .map(([name]) => name)
      if (everyTable.test(selector) && properties.some((each) => look.test(each))) of.push('table')
      if (everyLink.test(selector) && properties.includes('color')) of.push('link')
      if (selector.includes(':focus-visible') && properties.includes('outline')) of.push('focus ring')
      return of.map((name) => `${name}: ${selector}`)
    }),
  )

test('no sheet besides that of the components defines one', () => {
  expect(sheets.length).toBeGreaterThanOrEqual(6)
  expect(sheets.flatMap((path) => definedIn(read(path)).map((each) => `${path}: ${each}`))).toEqual([])
})

test('that of the components defines each', () => {
  const found = new Set(definedIn(read('src/components.css')).map((each) => each.split(':')[0]))
  expect([...found].sort()).toEqual([...kinds.map(([name]) => name), 'focus ring', 'link', 'table'].sort())
})

test.each([
  ['.count button { padding: 2px; }', ['button: .count button']],
  ['@media (max-width: 9rem) { .a .card:hover { border-color: red; } }', ['card: .a .card:hover']],
  ['.a { color: red; & .badge { background: red; } }', ['badge: & .badge']],
  ['th, td { padding: 0; }', ['table: th', 'table: td']],
  ['.vp-doc a { color: red; }', ['link: .vp-doc a']],
  ['.a a:focus-visible { outline: none; }', ['focus ring: .a a:focus-visible']],
  ['@media print { .card { border: 0; } } .card { margin: 0; } .card ul { padding: 0; }', []],
])('what defines a component is seen: %s', (text, expected) => expect(definedIn(text)).toEqual(expected))
