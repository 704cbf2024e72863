import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { strFromU8, unzipSync } from 'fflate'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inPage, isTooWide, violations, violationsInBoth, writeReport } from './report-support.ts'
import { launch } from './support.ts'

/** The report as evidence: its state, its tables as files, its document on paper, and what a change adds by its risk. */

const acme = fileURLToPath(new URL('../../examples/acme', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'grantwise-evidence-'))
const addressOf = (name: string, hash = '') => pathToFileURL(join(folder, name)).href + hash
let browser: Browser

/** A policy that lets a user end servers. */
const destructive = `
- name: endings
  identities: ["urn:v1:eu:identity:user:acme-svc/heidi"]
  resources: [{ urn: "urn:v1:eu:resource:vps:staging-1" }]
  permissions: { allow: [{ action: "vps:apisvc:terminate" }] }
`

beforeAll(async () => {
  writeReport(acme, join(folder, 'acme.html'), ['pull-request', '--before', 'policies', '--title', 'Acme'])
  writeReport(acme, join(folder, 'access.csv'), ['pull-request', '--before', 'policies'])
  cpSync(join(acme, 'policies'), join(folder, 'after'), { recursive: true })
  writeFileSync(join(folder, 'after/endings.yaml'), destructive)
  const args = ['after', join(acme, 'world.yaml'), '--before', join(acme, 'policies'), '--config', join(acme, '.grantwise.yaml')]
  writeReport(folder, join(folder, 'destructive.html'), args)
  browser = await launch()
})

afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true })
})

/** The bytes of a file that a button of the page saves. */
async function saved(page: Page, name: string): Promise<Buffer> {
  const waiting = page.waitForEvent('download')
  await page.getByRole('button', { name, exact: true }).click()
  return readFileSync(await (await waiting).path())
}

describe('the tables as files', () => {
  test('the matrix saves what `report --format csv` writes, users first', () =>
    inPage(browser, addressOf('acme.html', '#/matrix'), async (page) => {
      const csv = (await saved(page, 'CSV')).toString('utf8')
      expect(csv).toBe(`\ufeff${readFileSync(join(folder, 'access.csv'), 'utf8')}`)
    }))

  test('a filter leaves the rows that it shows', () =>
    inPage(browser, addressOf('acme.html', '#/matrix?text=alice&risk=escalation'), async (page) => {
      const [head, ...rows] = (await saved(page, 'CSV')).toString('utf8').trimEnd().split('\n')
      expect(head).toContain('Identity,Kind,Resource')
      expect(rows.length).toBeGreaterThan(0)
      for (const row of rows) expect(row).toMatch(/user:acme-svc\/alice,.*\bGrant\b/)
    }))

  test.each([
    ['#/policies?only=ended', 'policies', 'first visit'],
    ['#/findings', 'findings', 'grants-escalation'],
    ['#/changes', 'changes', 'move of the zone'],
    ['#/identities?only=credential', 'access', 'oauth2-'],
    ['#/resources', 'access', 'vps:web-1'],
    ['#/reach/destruction', 'access', 'vps:apisvc:'],
  ])('%s saves a workbook', (hash, _, content) =>
    inPage(browser, addressOf('acme.html', hash), async (page) => {
      const files = unzipSync(await saved(page, 'Excel'))
      const sheet = strFromU8(files['xl/worksheets/sheet1.xml'] as Uint8Array)
      const shown = await page.locator('main').innerText()
      expect(sheet.match(/<row /g)?.length).toBeGreaterThan(1)
      // The file is about what the page shows.
      expect([sheet.includes(content), shown.length > 0]).toEqual([true, true])
    }),
  )
})

test.each([
  ['#/timeline', /^\ufeffPolicy,Effect,"When, and to whom",Next change,Ends\n.*europe.*\n/is],
  ['#/identity/urn%3Av1%3Aeu%3Aidentity%3Auser%3Aacme-svc%2Fbob', /^\ufeffPolicy,Grants and denies,When\n.*production guard/is],
])('a table of %s saves what it shows', (hash, content) =>
  inPage(browser, addressOf('acme.html', hash), async (page) => {
    const button = page.getByRole('button', { name: 'Save as CSV' }).first()
    const waiting = page.waitForEvent('download')
    await button.click()
    expect(readFileSync(await (await waiting).path(), 'utf8')).toMatch(content)
  }),
)

describe('the document', () => {
  test('has contents, the state, names, causes with file and line, and a place to sign, on at most 12 pages', () =>
    inPage(browser, addressOf('acme.html', '#/print'), async (page) => {
      const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
      const pages = pdf.match(/\/Type \/Page\b/g)?.length ?? 0
      expect(pages).toBeGreaterThan(3)
      expect(pages).toBeLessThanOrEqual(12)
      await page.emulateMedia({ media: 'print' })
      const text = await page.locator('main').innerText()
      for (const part of [
        'Contents',
        'Account\nacme-svc',
        'SHA-256',
        'alice, bob, dave and 3 more',
        'pull-request/servers.yaml:',
        'Name and role',
        'Signature',
      ])
        expect(text).toContain(part)
      for (const [i, title] of ['Summary', 'Changes', 'Access matrix', 'Access and its causes', 'Findings', 'Signature'].entries())
        expect(text).toContain(`${i + 1}. ${title}`)
      expect(await page.getByRole('button', { name: 'Print or save as PDF' }).isVisible()).toBe(false)
    }))

  test('has the views that are chosen, by keyboard, and the address keeps them', () =>
    inPage(browser, addressOf('acme.html', '#/print?views=policies'), async (page) => {
      const titles = () => page.locator('.chapter-title').allInnerTexts()
      expect(await titles()).toEqual(['1. Policies', '2. Signature'])
      await page.getByRole('checkbox', { name: 'Findings' }).focus()
      await page.keyboard.press('Space')
      expect(await titles()).toEqual(['1. Findings', '2. Policies', '3. Signature'])
      await page.reload()
      expect(await titles()).toEqual(['1. Findings', '2. Policies', '3. Signature'])
    }))

  test('has no violation of accessibility rules, in light colours and in dark ones', () =>
    inPage(browser, addressOf('acme.html', '#/print'), async (page) => expect(await violationsInBoth(page)).toEqual([])))
})

describe('colours by risk', () => {
  test('new access that can destroy is loud, and lost access is quiet', () =>
    inPage(browser, addressOf('destructive.html'), async (page) => {
      const difference = page.locator('section.difference')
      expect(await difference.locator('.badge.high').innerText()).toBe('+ gained')
      expect(await difference.innerText()).toContain('heidi gains access to 1 resource.')
      const row = page.getByRole('region', { name: 'Sensitive access' }).getByRole('row').filter({ hasText: 'delete or end something' })
      expect(await row.locator('td').nth(2).innerText()).toBe('+ gained heidi')
      expect(await violations(page)).toEqual([])
    }))

  test('new access that is less sensitive is no alarm', () =>
    inPage(browser, addressOf('acme.html'), async (page) => {
      const difference = page.locator('section.difference')
      expect(await difference.locator('.badge.high').count()).toBe(0)
      expect(await difference.locator('.badge').allInnerTexts()).toEqual(['+ gained', '− lost'])
      expect(await difference.locator('.badge').nth(1).getAttribute('class')).toBe('badge less')
    }))
})

test('users come before service accounts, and names of columns take few lines', () =>
  inPage(browser, addressOf('acme.html', '#/matrix'), async (page) => {
    const names = await page.locator('.matrix tbody th').allInnerTexts()
    const firstAccount = names.findIndex((name) => name.startsWith('credential/'))
    expect(firstAccount).toBeGreaterThan(0)
    expect(names.slice(firstAccount).every((name) => name.startsWith('credential/'))).toBe(true)
    // Distinguished by their ends.
    expect(new Set(names).size).toBe(names.length)
    expect((await page.locator('.matrix thead').boundingBox())?.height).toBeLessThan(80)
  }))

describe('on a phone', () => {
  const phone = { viewport: { width: 390, height: 800 } }

  test('the matrix is cards, the first of them within the first screen', () =>
    inPage(
      browser,
      addressOf('acme.html', '#/matrix'),
      async (page) => {
        expect(await page.locator('.matrix').isVisible()).toBe(false)
        const [first] = await page.locator('.card').all()
        const box = await first?.boundingBox()
        expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(800)
        await page.locator('.card').nth(1).getByRole('button').first().press('Enter')
        await page.getByRole('complementary', { name: 'The chosen cell' }).getByText('Granted by').first().waitFor()
        expect(await isTooWide(page)).toBe(false)
        expect(await violations(page)).toEqual([])
      },
      phone,
    ))

  test('turned around, it is a table again', () =>
    inPage(
      browser,
      addressOf('acme.html', '#/matrix'),
      async (page) => {
        await page.setViewportSize({ width: 900, height: 600 })
        await page.locator('.matrix tbody th').first().waitFor()
        expect(await page.locator('.card').count()).toBe(0)
      },
      phone,
    ))

  test.each([320, 390])('the choice of what to print fits into %i px', (width) =>
    inPage(
      browser,
      addressOf('acme.html', '#/print'),
      async (page) => {
        expect(await isTooWide(page)).toBe(false)
        expect(await violations(page)).toEqual([])
      },
      { viewport: { width, height: 700 } },
    ),
  )

  test('no cell of the summary has many lines', () =>
    inPage(
      browser,
      addressOf('acme.html'),
      async (page) => {
        const heights = await page
          .locator('table.stacked :is(td, th)')
          .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().height))
        expect(Math.max(...heights)).toBeLessThan(100)
        expect(await isTooWide(page)).toBe(false)
      },
      phone,
    ))
})
