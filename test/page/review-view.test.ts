import { cpSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { PageData } from '../../src/page/data.ts'
import { moduleOf, plainPage, shown } from '../support/claims-page.ts'
import type { PlainElement } from '../support/elements.ts'
import { mainIn } from '../support/in-process.ts'
import { cleanUp } from '../support/scenario.ts'

/** The view in which grants are decided, on elements without a browser. */

const example = fileURLToPath(new URL('../../examples/access-review', import.meta.url))

async function dataOf(): Promise<PageData> {
  const folder = mkdtempSync(join(tmpdir(), 'grantwise-review-view-'))
  try {
    cpSync(example, folder, { recursive: true })
    const args = ['report', 'policies', '--review', 'review.yaml', '-o', '-', '--at', '2026-12-01T09:00:00Z']
    const { stdout } = await mainIn(args, folder)
    return JSON.parse(/<script type="application\/json" id="data">(.*?)<\/script>/s.exec(stdout)?.[1] as string)
  } finally {
    cleanUp(folder)
  }
}

test('decisions are saved with a name, a last day and the reasons that they need, and stay in sight', async () => {
  const saved: Blob[] = []
  Object.assign((globalThis as unknown as { document: object }).document, { getElementById: () => null })
  Object.assign(URL, { createObjectURL: (content: Blob) => `blob:${saved.push(content)}`, revokeObjectURL: () => undefined })
  const { review } = await moduleOf('app', 'review')
  const { page } = plainPage(await dataOf())
  const kept = new Map<string, unknown>()
  const keep = (name: string, make: () => unknown) => kept.get(name) ?? kept.set(name, make()).get(name)
  const place = shown(review as never, '', { ...page, kept: keep, announce: () => undefined })
  const named = (tag: string, label: string) =>
    place.all(tag).find((each) => (each.attributes.get('aria-label') ?? each.attributes.get('id')) === label) as PlainElement
  const enter = (element: PlainElement, value: string) => {
    element.value = value
    element.listeners.get('change')?.()
    element.listeners.get('input')?.()
  }
  const count = () => place.all('article').length
  const problem = () => {
    place
      .all('button')
      .find((each) => each.textContent.startsWith('Save'))
      ?.listeners.get('click')?.()
    return place.all('p').find((each) => each.attributes.get('role') === 'alert')?.textContent
  }

  expect(count()).toBe(3)
  enter(named('select', 'Which grants'), 'all')
  expect(count()).toBe(4)
  enter(named('select', 'Decision about group/dev by web development'), 'keep')
  enter(named('select', 'Which grants'), 'open')
  // A decision that was entered is not out of sight.
  expect(count()).toBe(4)
  expect(problem()).toMatch(/name of the reviewer/)
  enter(named('input', 'reviewer'), '  ')
  expect(problem()).toMatch(/name of the reviewer/)
  enter(named('input', 'reviewer'), ' kim ')
  enter(named('select', 'Decision about user/lena by shop restores'), 'shorten')
  expect(problem()).toMatch(/last day of user\/lena/)
  enter(named('input', 'Last day of user/lena by shop restores'), '2027-03-31')
  enter(named('select', 'Decision about user/heidi by server operation'), 'keep')
  expect(problem()).toMatch(/user\/heidi .*restores access that was decided as `remove` by omar/)
  expect(saved).toEqual([])
  enter(named('input', 'Reason of the decision about user/heidi by server operation'), ' back ')
  expect(problem()).toBe('')
  const text = await (saved[0] as Blob).text()
  expect(text.match(/ {4}by: kim$/gm)).toHaveLength(1 + 3)
  expect(text).toMatch(/ {4}decision: shorten\n {4}until: "2027-03-31"\n/)
  expect(text).toMatch(/ {4}reason: back\n/)
  // A decision that is taken back is not saved.
  enter(named('select', 'Decision about user/heidi by server operation'), '')
  expect(problem()).toBe('')
  const later = await (saved[1] as Blob).text()
  expect([later.match(/ {4}by: kim$/gm)?.length, later.includes('reason: back')]).toEqual([1 + 2, false])
})
