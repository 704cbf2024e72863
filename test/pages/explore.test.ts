import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { binary } from '../support/scenario.ts'
import { launch } from './support.ts'
import { editByKeys } from './typing.ts'

/** The page over a working folder: it follows the files, and belongs to this machine alone. */

let browser: Browser
let folder: string
let policy: string
let child: ChildProcess
let address: string
let ended: Promise<number | null>
beforeAll(async () => {
  browser = await launch()
})
afterAll(() => browser?.close())
// A folder for each test: a page is loaded again when a change is noticed that the test before made.
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'grantwise-explore-'))
  policy = join(folder, 'policies/finance.json')
  cpSync(fileURLToPath(new URL('../../examples/team', import.meta.url)), folder, { recursive: true })
  execFileSync('git', ['init', '-q'], { cwd: folder })
  child = spawn(process.execPath, [binary, 'explore', '--port', '0'], { cwd: folder })
  ended = new Promise((resolve) => child.once('exit', resolve))
  address = await new Promise((resolve, reject) => {
    child.stdout?.once('data', (data) => resolve(String(data).trim()))
    child.once('exit', (code) => reject(new Error(`explore ended with ${code}`)))
  })
})
afterEach(() => {
  child?.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** A request as a program of another site may send it. */
function sent(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') {
  return new Promise<{ status: number | undefined; headers: NodeJS.Dict<string | string[]>; body: string }>((resolve, reject) => {
    const { hostname, port } = new URL(address)
    const asked = request({ hostname, port, path, method, headers, setHost: headers.host === undefined }, (response) => {
      let body = ''
      response.on('data', (piece) => {
        body += piece
        if (body.length > 200) response.destroy()
      })
      response.on('close', () => resolve({ status: response.statusCode, headers: response.headers, body }))
    })
    asked.on('error', reject).end(method === 'POST' ? 'x' : undefined)
  })
}

describe('explore', () => {
  test('is used by key events: a policy typed, asked about, changed, undone, and taken along', async () => {
    const page = await (await browser.newContext({ acceptDownloads: true })).newPage()
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(String(error)))
    await page.goto(`${address}#/ask?file=policies%2Fweb-developers.yaml`)
    await page.locator('.cm-content').waitFor()
    await editByKeys(page, folder, 'policies/web-developers.yaml')
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('follows the files, and keeps the view, the question and the edit', async () => {
    const page = await (await browser.newContext()).newPage()
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(String(error)))
    await page.goto(
      `${address}#/ask/can?identity=user%2Fbob&action=webHosting%3Aapisvc%3Aget&resource=webHosting%3Aexample.org&file=policies%2Fweb-developers.yaml`,
    )
    await page.locator('.verdict.gained').waitFor()
    await page.locator('.cm-content').click()
    await page.keyboard.press('Control+End')
    await page.keyboard.insertText('# mine\n')
    await page.waitForURL(/edits=/)

    const file = join(folder, 'policies/web-developers.yaml')
    const before = readFileSync(file, 'utf8')
    const other = readFileSync(policy, 'utf8')
    const loaded = page.waitForEvent('load')
    writeFileSync(join(folder, 'policies/new.yaml'), denying)
    await loaded
    await page.locator('.verdict.lost').waitFor()
    expect(await page.locator('.outcome').textContent()).toContain('policies/new.yaml')
    expect(page.url()).toContain('file=policies%2Fweb-developers.yaml')
    await page.waitForFunction(() =>
      (globalThis as unknown as { document: { querySelector: (of: string) => { shadowRoot: { textContent: string } } } }).document
        .querySelector('.editor')
        ?.shadowRoot?.textContent?.includes('# mine'),
    )
    expect(readFileSync(file, 'utf8')).toBe(before)

    // So does a file in a folder that was not there before.
    const sought = page.waitForEvent('load')
    mkdirSync(join(folder, 'policies/new'))
    await sought
    const found = page.waitForEvent('load')
    writeFileSync(join(folder, 'policies/new/other.yaml'), denying.replace('nobody', 'nobody else'))
    await found
    await page.locator('.verdict.lost').waitFor()
    expect(await page.locator('#ask-file option').allInnerTexts()).toContain('policies/new/other.yaml')

    // A file with an error in it is reported, and the page is there again once it is put right.
    const broken = page.waitForEvent('load')
    writeFileSync(policy, other.slice(0, -30))
    await broken
    expect(await page.locator('.notice').textContent()).toContain('policies/finance.json')
    const again = page.waitForEvent('load')
    writeFileSync(policy, other)
    await again
    await page.locator('.verdict.lost').waitFor()
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('answers this machine alone, and is only read', async () => {
    const port = new URL(address).port
    const page = await sent('/')
    expect(page.status).toBe(200)
    expect(page.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "frame-ancestors 'none'",
    })
    expect(page.headers['access-control-allow-origin']).toBeUndefined()
    expect((await sent('/', { host: `rebound.example:${port}` })).status).toBe(421)
    expect((await sent('/events', { host: 'rebound.example' })).status).toBe(421)
    expect((await sent('/', { origin: 'http://elsewhere.example' })).status).toBe(403)
    expect((await sent('/events', { origin: 'null' })).status).toBe(403)
    expect((await sent('/', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' })).status).toBe(403)
    expect((await sent('/', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' })).status).toBe(
      200,
    )
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) expect((await sent('/', {}, method)).status).toBe(405)
    for (const path of ['/policies/finance.json', '/../package.json', '/%2e%2e/', '//', '/events/x'])
      expect((await sent(path)).status).toBe(404)
    expect((await sent(`/?${'x'.repeat(20_000)}`)).status).toBe(400)
  })

  test('ends when it is asked to, with pages open', async () => {
    const page = await browser.newPage()
    await page.goto(address)
    child.kill('SIGINT')
    expect(await ended).toBe(0)
    await page.close()
  })
})

const denying = `name: nobody reads sites
identities: [urn:v1:eu:identity:user:ab12-svc/bob]
resources: [{ urn: "urn:v1:eu:resource:webHosting:*" }]
permissions: { deny: [{ action: webHosting:apisvc:get }] }
`
