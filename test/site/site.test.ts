import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { isReady, kinds, shoot, siteInBrowser } from './browser.ts'

/** Each kind of page of the site, in a browser, and the list of rules. */

const { address, opened } = siteInBrowser()
const contrasts = readFileSync(new URL('contrasts.js', import.meta.url), 'utf8')

test('on a phone no kind of page is wider than the screen', async () => {
  const wide: string[] = []
  const { page, faults, close } = await opened('/', { viewport: { width: 360, height: 740 }, hasTouch: true })
  for (const path of kinds) {
    await page.goto(`${address()}${path}`)
    await isReady(page, path)
    await shoot(page, `phone${path.replaceAll(/[^\w]/g, '-')}`)
    const width = Number(await page.evaluate('document.documentElement.scrollWidth'))
    if (width > 360) wide.push(`${path}: ${width}`)
  }
  // The navigation opens.
  await page.goto(`${address()}/start.html`)
  await page.getByRole('button', { name: 'mobile navigation' }).click()
  await page.locator('.VPNavScreen').getByRole('link', { name: 'Rules', exact: true }).click()
  await page.waitForURL('**/rules.html')
  expect(wide).toEqual([])
  expect(faults).toEqual([])
  await close()
})

test.each([390, 768, 960, 1280, 1440, 1500, 1920])(
  'in a window of %s pixels, all of the navigation bar is in the window',
  async (width) => {
    const { page, close } = await opened('/', { viewport: { width, height: 800 } })
    // The button of the small menu reaches the edge.
    const edge = width < 960 ? 0 : 8
    const outside: string[] = []
    for (const path of ['/', '/start.html', '/commands/lint.html', '/playground.html']) {
      await page.goto(`${address()}${path}`)
      await isReady(page, path)
      for (const link of await page.locator('.VPNavBar :is(a, button)').filter({ visible: true }).all()) {
        const box = await link.boundingBox()
        if (box && (box.x < edge || box.x + box.width > width - edge))
          outside.push(`${path}: ${box.x} to ${box.x + box.width}: ${await link.textContent()}`)
      }
    }
    expect(outside).toEqual([])
    await close()
  },
)

test.each(['light', 'dark'] as const)(
  'in %s, the output on the start page has the colours of a terminal, each easy to read',
  async (colorScheme) => {
    const { page, close } = await opened('/', { colorScheme })
    const found = await page.evaluate<readonly { text: string; color: string; contrast: number }[]>(contrasts)
    const colourOf = (text: string) => found.find((each) => each.text === text)?.color
    expect(new Set([colourOf('ALLOW'), colourOf('1 warning'), colourOf('vps:apisvc:get')]).size).toBe(3)
    expect(found.filter(({ contrast }) => contrast < 4.5)).toEqual([])
    expect(await page.locator('.session').textContent()).not.toContain('\u001b')
    await close()
  },
)

test.each(['light', 'dark'] as const)(
  'in %s, buttons, cards, badges, fields and tables look as in the playground, which has the sheet of reports',
  async (colorScheme) => {
    const { page, close } = await opened('/playground.html', { colorScheme })
    await isReady(page, '/playground')
    const lookOf = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => {
          const style = (globalThis as unknown as { getComputedStyle(of: unknown): Record<string, string> }).getComputedStyle(element)
          return ['padding', 'borderTop', 'borderRadius', 'backgroundColor', 'color', 'fontWeight'].map((name) => `${name}: ${style[name]}`)
        })
    const selectors = ['.primary', '.play .files > button', '.badge.warning', 'select', '.asking']
    const [primary, button, badge, field, frame] = await Promise.all(selectors.map(lookOf))
    await page.goto(`${address()}/`)
    expect(await lookOf('.VPHero .primary')).toEqual(primary)
    expect(await lookOf('.VPHero .button:not(.primary)')).toEqual(button)
    const besidesPadding = (look: readonly string[] | undefined) => look?.filter((each) => !each.startsWith('padding'))
    expect(besidesPadding(await lookOf('.VPFeatures .card'))).toEqual(besidesPadding(frame))
    await page.goto(`${address()}/rules.html`)
    await isReady(page, '/rules')
    expect(await lookOf('.rule-table .badge.warning')).toEqual(badge)
    expect(await lookOf('.rule-table select')).toEqual(field)
    await page.goto(`${address()}/questions.html`)
    expect(besidesPadding(await lookOf('.vp-doc .scroller'))).toEqual(besidesPadding(frame))
    await close()
  },
)

test('the switch of the colours is on pages that show a file too, and its choice holds for all pages', async () => {
  const { page, faults, close } = await opened('/files/examples/team/world.yaml.html', { colorScheme: 'light' })
  const toggle = page.getByRole('switch')
  const ground = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
  const light = await ground()
  expect(await toggle.getAttribute('aria-checked')).toBe('false')
  await toggle.click()
  const dark = await ground()
  expect([await toggle.getAttribute('aria-checked'), dark === light]).toEqual(['true', false])
  await page.goto(`${address()}/start.html`)
  expect(await ground()).toBe(dark)
  // Chosen on another page, and seen here.
  await page.getByRole('switch').first().click()
  await page.goto(`${address()}/files/examples/team/world.yaml.html`)
  expect([await toggle.getAttribute('aria-checked'), await ground()]).toEqual(['false', light])
  // The setting of the system is followed, not kept.
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(ground).toBe(dark)
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
