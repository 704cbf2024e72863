import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { longestWait } from '../support/patience.ts'

const bin = fileURLToPath(new URL('../../bin/grantwise.js', import.meta.url))
/** The example whose report most tests look at. */
export const acme = fileURLToPath(new URL('../../examples/acme', import.meta.url))
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Names in the example `acme`. */
export const urn = {
  bob: 'urn:v1:eu:identity:user:acme-svc/bob',
  ops: 'urn:v1:eu:identity:group:acme-svc/ops',
  web: 'urn:v1:eu:resource:vps:web-1',
  group: 'urn:v1:eu:resourceGroup:7c9a1b52-3d4e-4f60-8a7b-1c2d3e4f5a6b',
}

/** The address of a view within a report. */
export const to = (name: string, part = '', query: Readonly<Record<string, string>> = {}) => {
  const search = new URLSearchParams(query).toString()
  return `#/${name}${part && `/${encodeURIComponent(part)}`}${search && `?${search}`}`
}

/** Write a report with the built program. */
export function writeReport(cwd: string, file: string, args: readonly string[] = []): void {
  const { status, stderr } = spawnSync(process.execPath, [bin, 'report', '-o', file, ...args], { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}

/** Open a page and hold it to failing nowhere, opening no dialog and asking no server for anything but itself. */
export async function inPage<T>(
  browser: Browser,
  address: string,
  act: (page: Page) => Promise<T>,
  options: BrowserContextOptions = {},
): Promise<T> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options })
  context.setDefaultTimeout(longestWait)
  const page = await context.newPage()
  const faults: string[] = []
  const [own] = address.split('#')
  page.on('request', (request) => {
    const [asked] = request.url().split('#')
    // The engine starts from scripts that the page holds: no server is asked for them.
    if (asked !== own && !asked?.startsWith('blob:null/')) faults.push(`asked for ${request.url()}`)
  })
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => faults.push(`${message.type()}: ${message.text()}`))
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  try {
    await page.goto(address)
    const result = await act(page)
    expect(faults).toEqual([])
    return result
  } finally {
    await context.close()
  }
}

/** Rules of axe that another scheme of colours may break: all else is the same page. */
const rulesOfColours = ['color-contrast', 'link-in-text-block']

/** Findings of axe in a page as it is now: the rule, and the elements. `only`: of some rules. */
export async function violations(page: Page, only?: readonly string[]): Promise<readonly string[]> {
  await page.waitForLoadState('load')
  // The policy of the page lets no other script in: this one is run by the debugger.
  if (await page.evaluate<boolean>("typeof axe === 'undefined'")) await page.evaluate(axe)
  return await page.evaluate(
    async (options) => {
      const { axe: checker } = globalThis as unknown as {
        readonly axe: {
          run: (options: object) => Promise<{ violations: { id: string; nodes: { target: string[]; failureSummary?: string }[] }[] }>
        }
      }
      const found = await checker.run(options)
      return found.violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary ?? ''}`),
      )
    },
    { resultTypes: ['violations'], ...(only && { runOnly: [...only] }) },
  )
}

/** Findings of axe in a page that is light, and those of its colours in the dark, in which it is left. */
export async function violationsInBoth(page: Page): Promise<readonly string[]> {
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await violations(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  return [...light, ...(await violations(page, rulesOfColours)).map((each) => `dark: ${each}`)]
}

/** Whether the page is wider than its window. */
export async function isTooWide(page: Page): Promise<boolean> {
  return await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')
}
