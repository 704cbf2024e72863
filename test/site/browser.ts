import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { launch } from '../pages/support.ts'
import { dist, type Served, serveSite } from './support.ts'

/** The site, served, and a browser for the tests of a file. */
export function siteInBrowser() {
  let browser: Browser
  let served: Served
  beforeAll(async () => {
    served = await serveSite()
    browser = await launch()
  })
  afterAll(async () => {
    await browser?.close()
    await served?.close()
  })
  return {
    newContext: (options?: BrowserContextOptions) => browser.newContext(options),
    address: () => served.address,
    /** The paths that were asked for. */
    asked: () => served.asked,
    /** A page with what goes wrong in it. Nothing is kept from it unless that is what is tested. */
    async opened(path: string, options: BrowserContextOptions = {}) {
      const context = await browser.newContext({ serviceWorkers: 'block', ...options })
      const page = await context.newPage()
      const faults: string[] = []
      page.on('pageerror', (error) => faults.push(String(error)))
      page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
      page.on('dialog', (dialog) => faults.push(dialog.message()))
      page.on('request', (request) => !/^(?:http:\/\/127\.0\.0\.1:|data:|blob:)/.test(request.url()) && faults.push(request.url()))
      await page.goto(`${served.address}${path}`)
      return { page, faults, close: () => context.close() }
    },
  }
}

/** A page of each kind. */
export const kinds = [
  '/',
  '/start.html',
  '/questions.html',
  '/rules.html',
  '/rules/unknown-action.html',
  '/playground.html',
  '/commands.html',
  '/commands/lint.html',
  '/cookbook/atlantis.html',
  '/assurance.html',
  '/semantics.html',
  '/api/index.html',
  '/api/linting.html',
  '/api/reading.html',
  '/schema/policy.html',
  '/examples/index.html',
  '/files/examples/team/world.yaml.html',
  '/files/src.html',
  '/pictures.html',
  ...(existsSync(join(dist, 'changelog.html')) ? ['/changelog.html'] : []),
]

/** Settled when a page of a path can be looked at. */
export async function isReady(page: Page, path: string): Promise<void> {
  await page.locator('h1').first().waitFor()
  if (path.startsWith('/playground')) await page.locator('.finding').first().waitFor()
}

/** Keeps a picture of a page in the folder that `GRANTWISE_SCREENSHOTS` names. */
export async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env.GRANTWISE_SCREENSHOTS
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `site-${name}.png`) })
}
