import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { acme, inPage, isTooWide, to, urn, violations, violationsInBoth, writeReport } from './report-support.ts'
import { launch } from './support.ts'

const folder = mkdtempSync(join(tmpdir(), 'grantwise-views-'))
const file = join(folder, 'acme.html')
let browser: Browser

beforeAll(async () => {
  writeReport(acme, file, ['pull-request', '--before', 'policies', '--title', 'Acme'])
  browser = await launch()
})

afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true })
})

/** Every view, and the states of those that have several. */
const routes: Readonly<Record<string, string>> = {
  summary: to('summary'),
  changes: to('changes'),
  'matrix by type': to('matrix'),
  'matrix of resources': to('matrix', '', { type: '*' }),
  'matrix with a cell': to('matrix', '', { type: 'vps', who: urn.bob, on: urn.web }),
  'matrix with the cell of a type': to('matrix', '', { who: urn.bob, on: 'vps' }),
  'matrix with an empty cell': to('matrix', '', { type: 'vps', who: 'urn:v1:eu:identity:user:acme-svc/alice', on: urn.web }),
  'matrix without a match': to('matrix', '', { text: 'nobody has this name' }),
  identities: to('identities'),
  resources: to('resources'),
  policies: to('policies'),
  findings: to('findings'),
  identity: to('identity', urn.bob),
  group: to('group', urn.ops),
  resource: to('resource', urn.web),
  'resource group': to('resource-group', urn.group),
  policy: to('policy', 'access management'),
  type: to('type', 'vps'),
  action: to('action', 'vps:apisvc:reboot'),
  rule: to('rule', 'grants-escalation'),
  reach: to('reach', 'destruction'),
  search: to('search', '', { for: 'web' }),
  'an address that names nothing': to('nothing-of-this-name'),
}

const on = (hash: string, act: (page: Page) => Promise<void>, options: Parameters<typeof inPage>[3] = {}) =>
  inPage(browser, `${pathToFileURL(file).href}${hash}`, act, options)

describe.each(Object.entries(routes))('%s', (name, hash) => {
  test('has no violation of accessibility rules, in light colours and in dark ones', () =>
    on(hash, async (page) => {
      expect(await page.locator('h1').count()).toBe(1)
      expect(await page.locator('main').innerText()).not.toBe('')
      expect(await violationsInBoth(page)).toEqual([])
    }))

  test('fits on a phone', () =>
    on(
      hash,
      async (page) => {
        expect({ name, isTooWide: await isTooWide(page) }).toEqual({ name, isTooWide: false })
        expect(await violations(page)).toEqual([])
      },
      { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
    ))
})

test('nothing moves where less motion is asked for', () =>
  on(
    routes['matrix with a cell'] as string,
    async (page) => {
      expect(await page.evaluate('document.getAnimations().length')).toBe(0)
    },
    { reducedMotion: 'reduce' },
  ))
