import { expect, test } from 'vitest'
import type { PageData, PageFinding } from '../../src/page/data.ts'
import { about, moduleOf, plainPage, shown } from '../support/claims-page.ts'
import type { PlainElement } from '../support/elements.ts'
import { pageOf } from '../support/page.ts'
import { worldOf } from '../support/worlds.ts'

/** Lists of the page: what filters leave, in which order, and that all of it is shown and saved. */

const policy = (name: string, more: object = {}) => ({
  name,
  identities: ['urn:v1:eu:identity:user:ab/ann'],
  resources: [{ urn: 'urn:v1:eu:resource:vps:web-1' }],
  permissions: { allow: [{ action: 'vps:apisvc:get' }] },
  ...more,
})
const dataWith = (...policies: readonly object[]) =>
  pageOf(
    worldOf({ policies, resources: [{ urn: 'urn:v1:eu:resource:vps:web-1', tags: { env: 'prod' } }] } as Parameters<typeof worldOf>[0]),
    about,
  )

async function viewOf(module: string, name: string, data: PageData, query = '', part = ''): Promise<PlainElement> {
  const views = await moduleOf('app', module)
  return shown(views[name] as never, part, plainPage(data).page, query)
}

const namesIn = (place: PlainElement) => place.all('tbody').flatMap((body) => body.all('th').map(({ textContent }) => textContent))
const buttonOf = (place: PlainElement, words: string) => place.all('button').find(({ textContent }) => textContent.startsWith(words))
const press = (button: PlainElement | undefined) => button?.listeners.get('click')?.()

const open = policy('open')
const ending = policy('ending', { expiredAt: '2026-09-01T00:00:00Z' })
const sooner = policy('sooner', { expiredAt: '2026-04-01T00:00:00Z' })
const ended = policy('ended', { expiredAt: '2026-01-01T00:00:00Z' })
const hours = { operator: 'MATCH', values: { 'date(UTC).Hour.GE': '8' } }
const byDay = policy('by day', { conditions: hours })
const data = { ...dataWith(open, ending, sooner, ended, byDay), at: Date.UTC(2026, 2) }

test.each([
  ['unconditional', ['open']],
  ['conditional', ['by day']],
  ['ending', ['ending', 'sooner']],
  ['ended', ['ended']],
])('the policies that are %s', async (only, expected) => {
  expect(namesIn(await viewOf('lists', 'policies', data, `only=${only}`)).sort()).toEqual(expected)
})

test('a column is sorted the other way when its head is pressed again', async () => {
  const place = await viewOf('lists', 'policies', data)
  const pressed = () => {
    press(buttonOf(place, 'Name'))
    return namesIn(place)
  }
  const [up, down] = [pressed(), pressed()]
  expect(up).toEqual(['by day', 'ended', 'ending', 'open', 'sooner'])
  expect(down).toEqual(up.toReversed())
})

test('a table of many rows is saved whole', async () => {
  const saved: Blob[] = []
  Object.assign(URL, { createObjectURL: (content: Blob) => `blob:${saved.push(content)}`, revokeObjectURL: () => undefined })
  const { table } = await moduleOf<{ table: (options: object) => { element: PlainElement } }>('app', 'table')
  const rows = Array.from({ length: 400 }, (_, i) => i)
  const { element } = table({ caption: 'Numbers', rows, columns: [{ title: 'Number', cell: (row: number) => row }] })
  press(buttonOf(element, 'Save as CSV'))
  expect((await (saved[0] as Blob).text()).trim().split('\n')).toEqual(
    ['Number', ...rows.map(String)].map((each) => expect.stringContaining(each)),
  )
})

test('a search finds what has all words, in names and in tags', async () => {
  const countOf = async (words: string) => (await viewOf('search', 'search', data, `for=${words}`)).all('li').length
  expect(await countOf('web-1')).toBe(1)
  expect(await countOf('web-1+vps')).toBe(1)
  expect(await countOf('web-1+sooner')).toBe(0)
  const [resource] = data.resources
  const tagged = { ...data, resources: [{ ...resource, tags: [['env', 'staging']] }] } as unknown as PageData
  expect((await viewOf('search', 'search', tagged, 'for=staging')).all('li')).toHaveLength(1)
})

test('all findings can be shown, and those of a file', async () => {
  const [first] = data.policies
  const finding = { code: 'wide', severity: 'warning', message: 'too wide', place: first?.place, related: [] } as unknown as PageFinding
  const findings = Array.from({ length: 41 }, () => finding)
  const place = await viewOf('findings', 'findings', { ...data, findings })
  const button = buttonOf(place, 'Show')
  expect([place.all('article').length, button?.textContent]).toEqual([40, 'Show 1 more of 1'])
  Object.assign(button as PlainElement, { remove: () => undefined })
  press(button)
  expect(place.all('article')).toHaveLength(41)
  const path = data.files?.[first?.place[0] ?? 0]?.path ?? ''
  expect((await viewOf('findings', 'findings', { ...data, findings: [finding] }, `text=${path}`)).all('article')).toHaveLength(1)
  expect((await viewOf('findings', 'findings', { ...data, findings: [finding] }, 'text=elsewhere')).all('article')).toHaveLength(0)
})

test('the summary names what ends next, the soonest first, and what is suppressed', async () => {
  const place = await viewOf('summary', 'summary', { ...data, suppressed: 1 })
  const text = place.textContent
  expect(text).toMatch(/2026-04-01 [^:]*: sooner.*2026-09-01 [^:]*: ending/)
  expect(text).toContain('1 policy has ended')
  expect(text).toContain('1 more is suppressed.')
  expect(text).toContain('1 of 5 policies that grant access has no condition and no end.')
})
