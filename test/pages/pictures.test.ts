import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inPage, isTooWide, violations, violationsInBoth, writeReport } from './report-support.ts'
import { launch } from './support.ts'

const acme = fileURLToPath(new URL('../../examples/acme', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'grantwise-pictures-'))
const addressOf = (name: string) => pathToFileURL(join(folder, name)).href
let browser: Browser

const names = ['<img src=x onerror=alert(1)>', 'evil \u202egnp', 'x'.repeat(10_000), '"><script>alert(1)</script>']

/** An account of some size, in few kinds. */
function large(policies: number, users: number, things: number) {
  const user = (i: number) => `urn:v1:eu:identity:user:ab12-svc/user${String(i).padStart(3, '0')}`
  const group = (i: number) => `urn:v1:eu:identity:group:ab12-svc/team${i % 50}`
  const types = ['vps', 'webHosting', 'dnsZone', 'domain']
  const thing = (i: number) => `urn:v1:eu:resource:${types[i % 4]}:r${String(i).padStart(4, '0')}`
  return {
    policies: Array.from({ length: policies }, (_, i) => ({
      name: `policy ${i}`,
      identities: [i % 3 === 0 ? user(i % users) : group(i)],
      resources: [{ urn: i % 4 === 0 ? `urn:v1:eu:resource:${types[i % 4]}:*` : thing(i % things) }],
      permissions: { [i % 9 === 0 ? 'deny' : 'allow']: [{ action: `${types[i % 4]}:apisvc:get` }] },
    })),
    identities: Array.from({ length: users }, (_, i) => ({ urn: user(i), groups: [group(i), group(i * 7 + 1)] })),
    resources: Array.from({ length: things }, (_, i) => ({ urn: thing(i), tags: {} })),
  }
}

beforeAll(async () => {
  writeReport(acme, join(folder, 'acme.html'))
  const hostile = {
    policies: names.map((name, i) => ({
      name,
      identities: ['urn:v1:eu:identity:user:ab12-svc/<b>x</b>'],
      resources: [{ urn: 'urn:v1:eu:resource:vps:<i>y</i>' }],
      permissions: { allow: [{ action: 'vps:apisvc:get' }] },
      expiredAt: `209${i}-01-01T00:00:00Z`,
    })),
  }
  writeFileSync(join(folder, 'hostile.json'), JSON.stringify(hostile).replaceAll('\u202e', '\\u202e'))
  writeReport(folder, join(folder, 'hostile.html'), ['--no-config', 'hostile.json'])
  writeFileSync(join(folder, 'large.json'), JSON.stringify(large(300, 200, 600)))
  writeReport(folder, join(folder, 'large.html'), ['--no-config', 'large.json'])
  browser = await launch()
})

afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true })
})

const on = (name: string, hash: string, act: (page: Page) => Promise<void>, options: Parameters<typeof inPage>[3] = {}) =>
  inPage(
    browser,
    `${addressOf(name)}${hash}`,
    async (page) => {
      await page.locator('svg.picture').first().waitFor()
      await act(page)
    },
    options,
  )

const bob = encodeURIComponent('urn:v1:eu:identity:user:acme-svc/bob')
const states = {
  'the graph': '#/graph',
  'the graph with a chosen box': `#/graph?chosen=${bob}`,
  'the graph of some paths': `#/graph?identity=kim&type=vps`,
  'the graph through one policy': '#/graph?through=policy+3',
  'the timeline': '#/timeline',
  'the timeline of a year': '#/timeline?days=365&text=ops',
}

describe.each(Object.entries(states))('%s', (_, hash) => {
  test('has no violation of accessibility rules, in light colours and in dark ones', () =>
    on('acme.html', hash, async (page) => expect(await violationsInBoth(page)).toEqual([])))

  test('fits on a phone', () =>
    on(
      'acme.html',
      hash,
      async (page) => {
        expect(await isTooWide(page)).toBe(false)
        expect(await violations(page)).toEqual([])
      },
      { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
    ))
})

/** The start of a name that has its middle or its end left out. */
const begins = (name: string) => name.replace(/…[\s\S]*/, '')
const focused = (page: Page) =>
  page.evaluate<string>('document.activeElement?.querySelector(".name")?.textContent ?? document.activeElement?.tagName ?? ""')
const boxes = (page: Page) => page.locator('.canvas [data-place]')
const labels = async (page: Page) => (await page.locator('.canvas [data-place] .name').allTextContents()).sort()

describe('the graph', () => {
  test('is walked through by the keyboard', () =>
    on('acme.html', `#/graph?chosen=${bob}`, async (page) => {
      await page.locator('.canvas [data-place].one').focus()
      expect(await focused(page)).toBe('user/bob')
      await page.keyboard.press('ArrowRight')
      expect(await focused(page)).toMatch(/^group\/(?:ops|dev)$|^user\/\*$/)
      await page.keyboard.press('ArrowLeft')
      await page.keyboard.press('End')
      const last = await focused(page)
      await page.keyboard.press('ArrowUp')
      expect(await focused(page)).not.toBe(last)
      await page.keyboard.press('Home')
      await page.keyboard.press(' ')
      const chosen = await focused(page)
      await page.locator('aside h2', { hasText: begins(chosen) }).waitFor()
      expect(page.url()).toContain('chosen=')
      await page.keyboard.press('Escape')
      await expect.poll(() => page.locator('aside').isVisible()).toBe(false)
      await expect.poll(() => focused(page)).toBe(chosen)
      await page.keyboard.press('Enter')
      await page.locator('h1', { hasText: begins(chosen) }).waitFor()
      expect(page.url()).toContain('#/identity/')
    }))

  test('has one place for Tab', () =>
    on('acme.html', '#/graph', async (page) => {
      expect(await page.locator('.canvas [tabindex="0"]').count()).toBe(1)
      await boxes(page).nth(5).focus()
      expect(await page.locator('.canvas [tabindex="0"]').count()).toBe(1)
    }))

  test('shows the paths that filters leave, and the same in the table', () =>
    on('acme.html', '#/graph', async (page) => {
      await page.getByLabel('Identity or group').fill('kim')
      await page.getByLabel('Resource or pattern').fill('dnsZone:')
      await page.getByLabel('Policy', { exact: true }).fill('move')
      await expect.poll(() => labels(page)).toEqual(['dnsZone:acme.example', 'move of the zone', 'user/kim'])
      expect(page.url()).toContain('identity=kim')
      const rows = await page.locator('table.list tbody tr').allInnerTexts()
      expect(rows.map((row) => row.split('\t').slice(0, 3).join(' '))).toEqual([
        'user/kim is named by move of the zone',
        'move of the zone allows on dnsZone:acme.example',
      ])
      await page.getByLabel('Identity or group').fill('nobody at all')
      await page.getByText('No path passes all filters.').first().waitFor()
      expect(await boxes(page).count()).toBe(0)
    }))

  test('shows the paths through one box', () =>
    on('acme.html', `#/graph?chosen=${bob}`, async (page) => {
      const before = await boxes(page).count()
      await page.getByRole('button', { name: 'Only paths through it' }).click()
      await expect.poll(() => boxes(page).count()).toBeLessThan(before)
      expect(await labels(page)).not.toContain('user/alice')
      await page.getByRole('button', { name: /^Through user\/bob/ }).click()
      await expect.poll(() => boxes(page).count()).toBe(before)
    }))

  test('opens clusters on demand, and keeps few boxes', () =>
    on('large.html', '#/graph', async (page) => {
      const count = await boxes(page).count()
      expect(count).toBeLessThan(120)
      const cluster = page.locator('.canvas .cluster.resource').first()
      const label = await cluster.locator('.name').textContent()
      await cluster.focus()
      await page.keyboard.press('Enter')
      await expect.poll(() => boxes(page).count()).toBeGreaterThan(count)
      expect(new URL(page.url()).hash).toContain(`open=${label}`)
      expect(await focused(page)).toMatch(/^\w+:r\d+ … /)
      await page.keyboard.press('Enter')
      await expect.poll(() => focused(page)).toMatch(/^\w+:r\d{4}$/)
      await page.getByRole('button', { name: 'Close all clusters' }).click()
      await expect.poll(() => boxes(page).count()).toBe(count)
    }))

  test('is as large as one likes', () =>
    on('acme.html', '#/graph', async (page) => {
      const width = async () => Number(await page.locator('.canvas').getAttribute('width'))
      const before = await width()
      await page.getByRole('button', { name: 'Larger' }).click()
      expect(await width()).toBeGreaterThan(before * 1.2)
      await page.getByRole('button', { name: 'Fit the width' }).click()
      expect(Math.abs((await width()) - before)).toBeLessThanOrEqual(1)
    }))
})

describe.each([360, 390])('on a screen of %i px', (width) => {
  const phone = { viewport: { width, height: 844 }, hasTouch: true, isMobile: true }

  test('the timeline has its bars in sight, and is no wider than its frame', () =>
    on(
      'acme.html',
      '#/timeline',
      async (page) => {
        const scroller = page.getByRole('region', { name: 'Timeline' })
        await expect.poll(() => scroller.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
        const [first, row] = [page.locator('svg .row .span').first(), page.locator('svg .row .name').first()]
        await row.waitFor()
        for (const place of [await first.boundingBox(), await row.boundingBox()]) {
          expect(place?.x).toBeGreaterThan(0)
          expect((place?.x ?? 0) + (place?.width ?? 0)).toBeLessThan(width)
        }
        expect(await isTooWide(page)).toBe(false)
      },
      phone,
    ))

  test('the graph begins at its first column, and says that it goes on', () =>
    on(
      'acme.html',
      '#/graph',
      async (page) => {
        const hint = page.getByText('scroll it sideways')
        await hint.waitFor()
        const scroller = page.locator('.graph-scroller')
        expect(await scroller.evaluate(({ scrollLeft }) => scrollLeft)).toBe(0)
        expect((await page.locator('.canvas .head').first().boundingBox())?.x).toBeGreaterThan(0)
        for (let i = 0; i < 8; i++) await page.getByRole('button', { name: 'Smaller' }).click()
        // It is gone when the graph has been laid out anew.
        await hint.waitFor({ state: 'hidden' })
      },
      phone,
    ))
})

test('names of service accounts keep their ends, as in the matrix', () =>
  on('acme.html', '#/graph', async (page) => {
    await page.locator('.canvas [data-place]').first().waitFor()
    const accounts = (await labels(page)).filter((label) => label.startsWith('credential/oauth2-'))
    expect(accounts.length).toBeGreaterThan(1)
    for (const label of accounts) expect(label).toMatch(/^credential\/oauth2-\w+…\w{5}$/)
    await page.goto(page.url().replace('#/graph', '#/timeline'))
    await page.locator('svg .row .note', { hasText: /credential\/oauth2-\w+…\w{5}/ }).waitFor()
  }))

test('the timeline has a bar and a row for each policy that the time limits', () =>
  on('acme.html', '#/timeline', async (page) => {
    const rows = page.locator('table.list tbody tr')
    const count = await rows.count()
    expect(count).toBeGreaterThan(4)
    expect(await page.locator('svg .row .name').count()).toBe(count)
    await page.getByLabel('Filter policies and identities').fill('finance')
    await expect.poll(() => rows.count()).toBe(1)
    expect(await page.locator('svg .row .name').allTextContents()).toEqual(['payments'])
    expect(await page.locator('svg .row .span').count()).toBeGreaterThan(8)
    await page.getByLabel('How far to look').selectOption('30')
    expect(page.url()).toContain('days=30')
  }))

describe('names that others choose', () => {
  test.each(['#/graph', '#/graph?chosen=policy+0', '#/timeline'])('are text in %s', (hash) =>
    on('hostile.html', hash, async (page) => {
      expect(await page.locator('main img, main script, main b, main i').count()).toBe(0)
      const text = await page.locator('main').innerText()
      expect(text).toContain('<img src=x onerror=alert(1)>')
      expect(text).not.toContain('\u202e')
      expect(text).toContain('evil \\u{202e}gnp')
      expect(await isTooWide(page)).toBe(false)
    }),
  )
})
