import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { isReady, kinds, siteInBrowser } from './browser.ts'
import { dist, serveSite } from './support.ts'

/** Files that are loaded of the site, and those that are there without a network. */

const { newContext } = siteInBrowser()

/** The hashes of the files of the site, as its service worker names them. */
const hashesIn = (worker: string): Readonly<Record<string, string>> => JSON.parse(/const files = (\{.*\})/.exec(worker)?.[1] ?? '{}')

/** A first visit, until the service worker answers for the page. */
async function visited(address: string) {
  const context = await newContext()
  const page = await context.newPage()
  await page.goto(`${address}/`)
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
  await expect.poll(() => page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true)
  await page.waitForLoadState('networkidle')
  return { context, page }
}

/** Press the button that keeps the whole site, and wait until all of it is kept. */
async function keepAll(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Keep this site for offline use/ }).click()
  await page.getByText('This site is kept for offline use.').waitFor()
}

test('a first visit loads at most 3 MB, and what it loaded is there without a server', async () => {
  const own = await serveSite()
  const { context, page } = await visited(own.address)
  const bytes = own.sent()
  expect(bytes).toBeGreaterThan(100_000)
  expect(bytes).toBeLessThan(3_000_000)
  // Once more, now that the worker keeps what is loaded.
  await page.goto(`${own.address}/start.html`)
  await page.locator('.VPSidebar').waitFor()
  await page.waitForLoadState('networkidle')
  await own.close()
  await page.goto(`${own.address}/start.html`)
  await page.locator('.VPSidebar').waitFor()
  await expect(page.goto(`${own.address}/rules.html`)).rejects.toThrow()
  await context.close()
})

test('of a new version of the site, only what has changed is loaded again', async () => {
  let isNew = false
  const changedPath = 'rules/unknown-action.html'
  const own = await serveSite((path, content) => {
    if (!isNew) return content
    if (path === `/${changedPath}`) return Buffer.from(content.toString('utf8').replace('</h1>', ' again</h1>'))
    if (path !== '/sw.js') return content
    const hash = hashesIn(content.toString('utf8'))[changedPath] as string
    return Buffer.from(content.toString('utf8').replace(`"${changedPath}":"${hash}"`, `"${changedPath}":"0123456789"`))
  })
  const { context, page } = await visited(own.address)
  await keepAll(page)
  isNew = true
  const before = own.asked.length
  await page.evaluate('navigator.serviceWorker.ready.then((registration) => registration.update()).then(() => undefined)')
  await expect.poll(() => own.asked.slice(before)).toContain(`/${changedPath}`)
  await expect
    .poll(() => page.evaluate('navigator.serviceWorker.ready.then(({ installing, waiting }) => !installing && !waiting)'))
    .toBe(true)
  expect(own.asked.slice(before).filter((path) => path !== '/sw.js')).toEqual([`/${changedPath}`])
  await own.close()
  await page.goto(`${own.address}/${changedPath}`)
  expect(await page.locator('h1').first().textContent()).toContain('again')
  await context.close()
})

test('once it is kept, every page and the playground work without a server', async () => {
  const own = await serveSite()
  const { context, page } = await visited(own.address)
  await keepAll(page)
  await own.close()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  for (const path of kinds) {
    await page.goto(`${own.address}${path}`)
    await isReady(page, path)
  }
  await page.locator('.VPNavBar').first().waitFor()
  // Within the site, by a link.
  await page.goto(`${own.address}/start.html`)
  await page.locator('.VPSidebar').getByRole('link', { name: 'Rules', exact: true }).click()
  await page.locator('.rule-table tbody tr').first().waitFor()
  // The search and the playground.
  await page.keyboard.press('Control+k')
  await page.locator('#localsearch-input').fill('lockfile')
  await page.locator('#localsearch-list a').first().waitFor()
  await page.goto(`${own.address}/playground.html`)
  await page.locator('.finding').first().waitFor()
  await page.locator('.verdict').waitFor()
  // All the others.
  const files = Object.keys(hashesIn(readFileSync(join(dist, 'sw.js'), 'utf8')))
  const missing = await page.evaluate(async (all) => {
    const out: string[] = []
    for (const path of all)
      if (
        !(await fetch(`/${path}`).then(
          ({ ok }) => ok,
          () => false,
        ))
      )
        out.push(path)
    return out
  }, files)
  expect(missing).toEqual([])
  expect(faults).toEqual([])
  await context.close()
})
