import axe from 'axe-core'
import { describe, expect, test } from 'vitest'
import { isReady, kinds, shoot, siteInBrowser } from './browser.ts'

/** Each kind of page of the site, as someone uses it who cannot see it, or not all of it. */

const { address, opened } = siteInBrowser()

/** The parts that another scheme of colours may change: all else is the same page. */
const rulesOfColours = ['color-contrast', 'link-in-text-block']

describe.each([
  ['light', undefined],
  ['dark', rulesOfColours],
] as const)('in %s', (colorScheme, rules) => {
  test('no kind of page has anything that axe objects to', async () => {
    const found: string[] = []
    const { page, close } = await opened(kinds[0] as string, { colorScheme, bypassCSP: true, reducedMotion: 'reduce' })
    for (const path of kinds) {
      await page.goto(`${address()}${path}`)
      await isReady(page, path)
      await shoot(page, `${colorScheme}${path.replaceAll(/[^\w]/g, '-')}`)
      await page.evaluate(axe.source)
      const violations = await page.evaluate(async (only) => {
        const options = { resultTypes: ['violations' as const], ...(only && { runOnly: only }) }
        const { violations: all } = await (globalThis as unknown as { axe: typeof axe }).axe.run(options)
        return all.map(
          ({ id, nodes }) =>
            `${id}: ${nodes
              .slice(0, 3)
              .map(({ html }) => html.slice(0, 160))
              .join(' | ')}`,
        )
      }, rules?.slice())
      found.push(...violations.map((each) => `${path} ${each}`))
    }
    expect(found).toEqual([])
    await close()
  })
})
