import { expect, test } from 'vitest'

/** Settings, descriptions and colours of a build of the site. */

const load = (name: string) => import(new URL(`../../site/${name}`, import.meta.url).href)
const { cell, descriptionOf, prose }: Readonly<Record<'cell' | 'descriptionOf' | 'prose', (text: string) => string>> =
  await load('markdown.mjs')
const { settingsOf }: { settingsOf: (env: Readonly<Record<string, string>>) => object } = await load('settings.mjs')
const { partsOf }: { partsOf: (output: string) => readonly object[] } = await load('terminal.mjs')

test('the environment says where the site is and where its pages are edited', () => {
  expect(settingsOf({})).toEqual({ base: '/', url: undefined, edit: undefined })
  const edit = 'https://git.example.org/edit/main/:path'
  expect(settingsOf({ GRANTWISE_SITE_BASE: '/grantwise/', GRANTWISE_SITE_URL: 'https://example.org', GRANTWISE_SITE_EDIT: edit })).toEqual({
    base: '/grantwise/',
    url: 'https://example.org/grantwise/',
    edit,
  })
})

test.each([
  [{ GRANTWISE_SITE_BASE: 'grantwise' }, 'GRANTWISE_SITE_BASE'],
  [{ GRANTWISE_SITE_BASE: '/grantwise' }, 'GRANTWISE_SITE_BASE'],
  [{ GRANTWISE_SITE_URL: 'example.org' }, 'GRANTWISE_SITE_URL'],
  [{ GRANTWISE_SITE_URL: 'javascript:alert(1)' }, 'GRANTWISE_SITE_URL'],
  [{ GRANTWISE_SITE_EDIT: 'https://git.example.org/edit' }, 'GRANTWISE_SITE_EDIT'],
])('%j is refused by the name of the variable', (env, name) => {
  expect(() => settingsOf(env)).toThrow(name)
})

test.each([
  ['# A\n\nOne *two* [three](four.md) `five`.\n\nSix.', 'One two three five.'],
  ['---\ntitle: a\n---\n\n# A\n\n```sh\nnpm i\n```\n\n| a |\n|---|\n\n- item\n\nWords.', 'Words.'],
  ['# A\n\n## B\n', ''],
  [`# A\n\n${'word '.repeat(30)}end. Next ${'more '.repeat(20)}`, `${'word '.repeat(30)}end.`],
  [`# A\n\n${'word '.repeat(60)}`, `${'word '.repeat(31)}word…`],
])('a description is the first paragraph without markup: %j', (text, words) => {
  expect(descriptionOf(text)).toBe(words)
})

test('a text of a schema or an option is no markup of a page and ends no cell of a table', () => {
  expect(prose('<b> {{ a }} *b* `{{ c }} <d>`')).toBe('&#60;b&#62; &#123;&#123; a &#125;&#125; &#42;b&#42; `{{ c }} <d>`')
  expect(cell('a | b\nc')).toBe('a \\| b c')
})

test('colours of a terminal become classes, until they end', () => {
  expect(partsOf('a \u001b[1;33mwarning\u001b[0m\u001b[2m-->\u001b[0m b')).toEqual([
    { classes: [], text: 'a ' },
    { classes: ['bold', 'yellow'], text: 'warning' },
    { classes: ['faint'], text: '-->' },
    { classes: [], text: ' b' },
  ])
})
