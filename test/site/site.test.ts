import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import axe from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { examples } from '../../src/web/play/examples.ts'
import { launch } from '../pages/support.ts'
import { binary } from '../support/scenario.ts'
import { dist, type Served, serveSite } from './support.ts'

/** The site in a browser: find a rule, play, share, on a phone, without a network. */

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

/** A page with what goes wrong in it. Nothing is kept from it unless that is what is tested. */
async function opened(path: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ serviceWorkers: 'block', ...options })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  page.on('dialog', (dialog) => faults.push(dialog.message()))
  page.on('request', (request) => !/^(?:http:\/\/127\.0\.0\.1:|data:|blob:)/.test(request.url()) && faults.push(request.url()))
  await page.goto(`${served.address}${path}`)
  return { page, faults, close: () => context.close() }
}

/** A page of each kind. */
const kinds = [
  '/',
  '/start.html',
  '/questions.html',
  '/rules.html',
  '/rules/unknown-action.html',
  '/playground.html',
  '/commands.html',
  '/cookbook/atlantis.html',
  '/assurance.html',
  '/semantics.html',
  '/api/index.html',
  '/api/functions/lint.html',
  '/api/interfaces/Policy.html',
  '/schema/policy.html',
  '/examples/index.html',
  '/files/examples/team/world.yaml.html',
  '/pictures.html',
  ...(existsSync(join(dist, 'changelog.html')) ? ['/changelog.html'] : []),
]

const isReady = async (page: Page, path: string) => {
  await page.locator('#app h1').first().waitFor()
  if (path.startsWith('/playground')) await page.locator('.finding').first().waitFor()
}

async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env.GRANTWISE_SCREENSHOTS
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `site-${name}.png`) })
}

describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
  test('no kind of page has anything that axe objects to', async () => {
    const found: string[] = []
    const { page, close } = await opened(kinds[0] as string, { colorScheme, bypassCSP: true, reducedMotion: 'reduce' })
    for (const path of kinds) {
      await page.goto(`${served.address}${path}`)
      await isReady(page, path)
      await shoot(page, `${colorScheme}${path.replaceAll(/[^\w]/g, '-')}`)
      await page.evaluate(axe.source)
      const violations = await page.evaluate(async () => {
        const { violations: all } = await (globalThis as unknown as { axe: typeof axe }).axe.run()
        return all.map(
          ({ id, nodes }) =>
            `${id}: ${nodes
              .slice(0, 3)
              .map(({ html }) => html.slice(0, 160))
              .join(' | ')}`,
        )
      })
      found.push(...violations.map((each) => `${path} ${each}`))
    }
    expect(found).toEqual([])
    await close()
  })
})

test('on a phone no kind of page is wider than the screen', async () => {
  const wide: string[] = []
  const { page, faults, close } = await opened('/', { viewport: { width: 360, height: 740 }, hasTouch: true })
  for (const path of kinds) {
    await page.goto(`${served.address}${path}`)
    await isReady(page, path)
    await shoot(page, `phone${path.replaceAll(/[^\w]/g, '-')}`)
    const width = Number(await page.evaluate('document.documentElement.scrollWidth'))
    if (width > 360) wide.push(`${path}: ${width}`)
  }
  // The navigation opens.
  await page.goto(`${served.address}/start.html`)
  await page.getByRole('button', { name: 'mobile navigation' }).click()
  await page.locator('.VPNavScreen').getByRole('link', { name: 'Rules', exact: true }).click()
  await page.waitForURL('**/rules.html')
  expect(wide).toEqual([])
  expect(faults).toEqual([])
  await close()
})

describe('rules', () => {
  test('are found by the search of the site, with the keyboard alone', async () => {
    const { page, faults, close } = await opened('/')
    await page.locator('.VPNavBarSearch button').first().waitFor()
    await page.keyboard.press('Control+k')
    await page.locator('#localsearch-input').fill('unknown-action')
    await page.locator('#localsearch-list a').first().waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/unknown-action/)
    // The address changes before the page does.
    await page.locator('h1', { hasText: 'unknown-action' }).waitFor()
    expect(faults).toEqual([])
    await close()
  })

  test('are filtered, in an address that others can open', async () => {
    const { page, close } = await opened('/rules.html')
    const { page: plain, close: closePlain } = await opened('/rules.html', { javaScriptEnabled: false })
    const all = await plain.locator('.rule-table tbody tr').count()
    expect(all).toBeGreaterThan(100)
    await closePlain()
    await page.getByRole('searchbox', { name: 'Search' }).fill('wildcard')
    await page.getByRole('combobox', { name: 'Level', exact: true }).selectOption('warning')
    await page.getByRole('combobox', { name: 'Preset', exact: true }).selectOption('recommended')
    await expect.poll(() => page.locator('.rule-table tbody th').count()).toBeLessThan(20)
    const codes = await page.locator('.rule-table tbody th').allTextContents()
    expect(codes).toContain('wildcard-identity')
    expect(codes.length).toBeLessThan(20)
    await expect.poll(() => page.locator('.count').textContent()).toContain(`${codes.length} of ${all} rules`)
    expect(new URL(page.url()).search).toBe('?q=wildcard&severity=warning&preset=recommended')
    await page.reload()
    await expect.poll(() => page.locator('.rule-table tbody th').allTextContents()).toEqual(codes)
    await page.getByRole('button', { name: 'Show all' }).click()
    await expect.poll(() => page.locator('.rule-table tbody tr').count()).toBe(all)
    await page.getByRole('combobox', { name: 'Fix', exact: true }).selectOption('safe')
    await page.locator('.rule-table tbody a').first().click()
    await page.waitForURL(/\/rules\/[a-z-]+\.html/)
    // The address changes before the page does.
    await page.locator('main', { hasText: 'Fix: safe' }).waitFor()
    await close()
  })
})

/** Put another text in the place of what the editor holds, as somebody who types. */
async function write(page: Page, text: string): Promise<void> {
  await page.locator('.cm-content').click()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(text)
}

describe('the playground', () => {
  test('finds mistakes, marks and fixes them, and answers, by its keys', async () => {
    const { page, faults, close } = await opened('/playground.html')
    await page.locator('.finding').nth(2).waitFor()
    await expect.poll(() => page.locator('.cm-lintRange').count()).toBeGreaterThanOrEqual(3)
    await page
      .getByRole('button', { name: /^Apply, may change access/ })
      .first()
      .click()
    await page.locator('.verdict.gained').waitFor()
    await expect.poll(() => page.locator('.verdict').textContent()).toBe('Yes. user/ann may vps:apisvc:reboot on vps:web-1')
    // By its keys: none of them is taken by the search of the site.
    await page.locator('.cm-content').click()
    await page.keyboard.press('Control+a')
    await page.keyboard.type(
      JSON.stringify({ name: 'a', identitys: ['urn:v1:eu:identity:user:ab12-svc/ann'], resources: [], permissions: { allow: [] } }),
    )
    await expect.poll(() => page.locator('.cm-content').textContent()).toContain('user:ab12-svc/ann')
    await page.locator('.finding.error').first().waitFor()
    await expect.poll(() => page.locator('.found').textContent()).toContain('identitys')
    await page.locator('.verdict.warning').waitFor()
    await expect.poll(() => page.locator('.verdict').textContent()).toBe('No answer')
    expect(faults).toEqual([])
    await close()
  })

  test('takes several files, in which the world stands as well', async () => {
    const { page, faults, close } = await opened('/playground.html')
    await page.locator('.finding').first().waitFor()
    await page.getByLabel('Start with').selectOption('Empty')
    await write(page, examples[1]?.files[0]?.[1] ?? '')
    await page.getByRole('button', { name: 'New file' }).click()
    await write(page, examples[1]?.files[1]?.[1] ?? '')
    await page.getByLabel('Name of the file').fill('world.yaml')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'world.yaml', pressed: true }).waitFor()
    await page.getByLabel('Who', { exact: true }).fill('user/cleo')
    await page.getByLabel('Does what').fill('vps:apisvc:reboot')
    await page.getByLabel('On what').fill('vps:web-1')
    await page.getByText('It depends.').waitFor()
    await page.getByText('Circumstances').click()
    await page.getByLabel('From the address').fill('198.51.100.7')
    await page.locator('.verdict.gained').waitFor()
    // A name that is none is refused, in words.
    await page.getByLabel('Name of the file').fill('<b>.exe')
    await page.keyboard.press('Enter')
    await page.getByText('A name ends in .yaml or .json').waitFor()
    await expect.poll(() => page.getByLabel('Name of the file').inputValue()).toBe('world.yaml')
    expect(faults).toEqual([])
    await close()
  })

  test('answers and finds what the program does', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'grantwise-play-'))
    const said = (args: readonly string[], cwd: string) => {
      try {
        return execFileSync(process.execPath, [binary, ...args, '--no-config'], {
          cwd,
          encoding: 'utf8',
          stdio: 'pipe',
          env: { ...process.env, NO_COLOR: '1' },
        })
      } catch (error) {
        return (error as { stdout: string }).stdout
      }
    }
    const { page, faults, close } = await opened('/playground.html')
    await page.locator('.finding').first().waitFor()
    for (const preset of ['recommended', 'auditor']) {
      await page.getByLabel('Preset of rules').selectOption(preset)
      for (const [i, { title, files, asked }] of examples.entries()) {
        if (asked.action === '') continue
        const cwd = join(folder, `${preset}-${i}`)
        mkdirSync(cwd)
        for (const [name, text] of files) writeFileSync(join(cwd, name), text)
        const names = files.map(([name]) => name)
        const { findings } = JSON.parse(said(['lint', '--format', 'json', '--preset', preset, ...names], cwd))
        await page.getByLabel('Start with').selectOption(title)
        for (const name of names) {
          await page.getByRole('button', { name, exact: true }).click()
          const own = findings.filter(({ file }: { file: string }) => file === name)
          const expected = own.map(({ line, code }: { line: number; code: string }) => `line ${line} ${code}`)
          const shown = () =>
            page
              .locator('.finding > p:last-child')
              .allTextContents()
              .then((all) => all.map((each) => each.split(' ').slice(0, 3).join(' ')))
          await expect.poll(shown, { message: `${title}, ${preset}` }).toEqual(expected)
        }
        const { kind, identity, action, resource } = asked
        const question = kind === 'can' ? ['can', identity, action, resource] : ['who', action, resource]
        const printed = said([...question, ...names.flatMap((name) => ['-p', name])], cwd)
        await page.getByText('As the command prints it').click()
        await expect.poll(() => page.locator('.printed pre').textContent(), { message: `${title}, ${preset}` }).toBe(printed)
      }
    }
    expect(faults).toEqual([])
    rmSync(folder, { recursive: true, force: true })
    await close()
  })

  test('is shared by a link, which holds all of it, and of which no server hears', async () => {
    const { page, close } = await opened('/playground.html', { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.locator('.finding').first().waitFor()
    await page.getByLabel('Start with').selectOption('A deny that decides')
    await page.getByLabel('Preset of rules').selectOption('strict')
    await page.getByRole('button', { name: 'Copy a link to this' }).click()
    await page.getByText('The link is copied.').waitFor()
    const link = String(await page.evaluate('navigator.clipboard.readText()'))
    expect(link).toMatch(/#play=[\w-]+$/)
    // The answer is worked out after the example is chosen: it is a table, where that of the first one is not.
    await page.locator('.outcome table.answer').waitFor()
    const answer = await page.locator('.outcome').textContent()
    await close()
    const other = await opened(link.slice(served.address.length))
    await other.page.locator('table.answer').waitFor()
    await expect.poll(() => other.page.locator('.outcome').textContent()).toBe(answer)
    await expect.poll(() => other.page.getByLabel('Preset of rules').inputValue()).toBe('strict')
    // What is typed is in the address, and there again when it is loaded anew.
    await other.page.getByLabel('Does what').fill('vps:apisvc:get')
    await expect.poll(() => other.page.url()).not.toBe(link)
    await other.page.locator('.verdict.gained').waitFor()
    await other.page.reload()
    await other.page.locator('.verdict.gained').waitFor()
    await expect.poll(() => other.page.getByLabel('Does what').inputValue()).toBe('vps:apisvc:get')
    expect(served.asked.some((each) => each.includes('play='))).toBe(false)
    expect(other.faults).toEqual([])
    await other.close()
  })

  test('says so where a link is cut or too large, and shows names in a link as text', async () => {
    const { page, faults, close } = await opened('/playground.html#play=eJyrVkrLz1eyUkpKLFKqBQAdegQ0')
    await page.getByText('The link cannot be read: it was cut or changed').waitFor()
    await page.locator('.finding').first().waitFor()
    const packed = (value: unknown) =>
      page.evaluate(async (text) => {
        const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'))
        const bytes = new Uint8Array(await new Response(stream).arrayBuffer())
        return btoa(String.fromCharCode(...bytes))
          .replaceAll('+', '-')
          .replaceAll('/', '_')
          .replaceAll('=', '')
      }, JSON.stringify(value))
    const go = async (value: unknown) => {
      await page.goto('about:blank')
      await page.goto(`${served.address}/playground.html#play=${await packed(value)}`)
    }
    const state = (name: string, text: string, identity = '') => [
      [[name, text]],
      name,
      'recommended',
      'can',
      identity,
      'vps:apisvc:get',
      'vps:a',
      '',
      '',
      '',
      '',
    ]
    await go(state('policy.yaml', 'a'.repeat(5_000_000)))
    await page.getByText('The link cannot be read: it is too large').waitFor()
    await go(state('../policy.exe', ''))
    await page.getByText('The link cannot be read: it holds something else').waitFor()
    const hostile = '<img src=x onerror="document.title=1">'
    const policy = {
      name: hostile,
      identities: ['urn:v1:eu:identity:user:ab12-svc/ann'],
      resources: [{ urn: 'urn:v1:eu:resource:vps:a' }],
      permissions: { allow: [{ action: 'vps:apisvc:get' }] },
    }
    await go(state('policy.json', JSON.stringify([policy, policy]), 'user/ann'))
    await page.locator('ol.entries').first().waitFor()
    await expect.poll(() => page.locator('ol.entries').textContent()).toContain('<img src=x onerror=')
    expect(await page.locator('.play img, .play script').count()).toBe(0)
    await go(state('policy.yaml', 'name: a', hostile))
    await page.locator('.verdict.warning').waitFor()
    expect(await page.locator('.play img, .play script').count()).toBe(0)
    expect(await page.title()).toBe('Playground | grantwise')
    // What is too long for a link is said.
    // Nothing packs this well: numbers that no rule is seen in.
    let seed = 1
    const next = () => {
      seed = (seed * 48_271) % 2_147_483_647
      return String.fromCharCode(33 + (seed % 90))
    }
    const noise = Array.from({ length: 60_000 }, next).join('')
    await write(page, `# ${noise}`)
    await page.getByRole('button', { name: 'Copy a link to this' }).click()
    await page.getByText('This is too long for a link').waitFor()
    expect(faults).toEqual([])
    await close()
  })

  test('is used by the keyboard alone', async () => {
    const { page, close } = await opened('/playground.html')
    await page.locator('.finding').first().waitFor()
    await page.locator('.cm-content').focus()
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('F8')
    await page.locator('.cm-tooltip-lint, .cm-diagnostic').first().waitFor()
    await page.keyboard.press('Escape')
    // Tab is not kept by the editor.
    await page.keyboard.press('Tab')
    await expect.poll(() => page.getByLabel('Name of the file').evaluate((input) => input.matches(':focus'))).toBe(true)
    await page.getByLabel('Does what').focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('vps:apisvc:get')
    await page.keyboard.press('Enter')
    await page.locator('.verdict.gained').waitFor()
    await close()
  })
})

/** The hashes of the files of the site, as its service worker names them. */
const hashesIn = (worker: string): Readonly<Record<string, string>> => JSON.parse(/const files = (\{.*\})/.exec(worker)?.[1] ?? '{}')

/** A first visit, until the service worker answers for the page. */
async function visited(address: string) {
  const context = await browser.newContext()
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
