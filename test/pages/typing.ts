import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** The editors of pages as they are used by their keys. */

/** Press the keys of a text in the place of what the editor holds. Each line replaces what the editor indents it by. */
export async function type(page: Page, text: string): Promise<void> {
  await page.locator('.cm-content').click()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  for (const [i, line] of text.split('\n').entries()) {
    if (i > 0) await page.keyboard.press('Enter')
    await page.keyboard.press('Shift+Home')
    await page.keyboard.press('Delete')
    await page.keyboard.type(line)
  }
}

/** Press the keys of a question in the fields that are for it, and Enter. */
export async function askByKeys(page: Page, identity: string, action: string, resource: string): Promise<void> {
  await page.getByLabel('Who', { exact: true }).focus()
  for (const [i, name] of [identity, action, resource].entries()) {
    if (i > 0) await page.keyboard.press('Tab')
    await page.keyboard.press('Control+a')
    await page.keyboard.type(name)
  }
  await page.keyboard.press('Enter')
}

/** The patch that a page lets one download. */
export async function patchOf(page: Page): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download the patch' }).click()])
  return readFileSync(await download.path(), 'utf8')
}

/** Complete the last word by keys, from the names that the page knows, and take it back. */
async function completeByKeys(page: Page): Promise<void> {
  const last = () => page.locator('.cm-line').last().textContent()
  await page.locator('.cm-content').focus()
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Control+Shift+ArrowLeft')
  await page.keyboard.type('terminat')
  await page.keyboard.press('Control+ ')
  await page.locator('.cm-tooltip-autocomplete li[aria-selected]').waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await last())?.trim()).toBe('- action: vps:apisvc:terminate')
}

/**
 * The whole way by key events in a page whose editor holds a file: a policy is typed and asked about, a word is selected and
 * replaced, which turns the answer and is undone, and the patch of it is one that git applies in `repository`.
 */
export async function editByKeys(page: Page, repository: string, file: string): Promise<void> {
  const text = `# Slash / and ? are letters here.
name: typed by keys
identities:
  - urn:v1:eu:identity:user:ab12-svc/bob
resources:
  - urn: urn:v1:eu:resource:vps:*
permissions:
  allow:
    - action: vps:apisvc:reboot`
  const verdict = (tone: string) => page.locator(`.verdict.${tone}`).waitFor()
  await type(page, text)
  await askByKeys(page, 'user/bob', 'vps:apisvc:reboot', 'urn:v1:eu:resource:vps:web-9')
  await verdict('gained')
  await page.locator('.cm-content').focus()
  await page.keyboard.press('Control+End')
  for (let i = 0; i < 'reboot'.length; i++) await page.keyboard.press('Shift+ArrowLeft')
  await page.keyboard.type('terminate')
  await verdict('lost')
  const isUndone = async () => (await page.locator('.cm-line').last().textContent())?.endsWith('reboot')
  for (let i = 0; i < 20 && !(await isUndone()); i++) await page.keyboard.press('Control+z')
  await verdict('gained')
  for (let i = 0; i < 20 && !(await page.locator('.cm-line').last().textContent())?.endsWith('terminate'); i++)
    await page.keyboard.press('Control+y')
  await verdict('lost')
  await completeByKeys(page)
  writeFileSync(join(repository, 'typed.patch'), await patchOf(page))
  execFileSync('git', ['apply', 'typed.patch'], { cwd: repository, stdio: 'pipe' })
  expect(readFileSync(join(repository, file), 'utf8')).toBe(text.replace(/reboot$/, 'terminate'))
}
