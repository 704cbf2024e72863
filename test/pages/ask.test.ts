import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { binary } from '../support/scenario.ts'
import { violationsInBoth } from './report-support.ts'
import { launch } from './support.ts'
import { editByKeys, patchOf, type } from './typing.ts'

/** The whole way in the page of a report: ask, edit, see what that finds and changes, take a patch along that git applies. */

const example = fileURLToPath(new URL('../../examples/team', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'grantwise-ask-'))
const account = join(folder, 'iam', 'my account')
const run = (args: readonly string[], cwd = account) =>
  execFileSync(process.execPath, [binary, ...args], { cwd, encoding: 'utf8', stdio: 'pipe' })
const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' })

/** The output of a command, whatever its exit code. */
function said(args: readonly string[]): string {
  try {
    return run(args)
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}

let browser: Browser
const address = () => `file://${folder}/report.html`

beforeAll(async () => {
  mkdirSync(account, { recursive: true })
  cpSync(example, account, { recursive: true })
  // A file whose lines end as on Windows, with nothing at the end of the last, and one that is fixable.
  const finance = join(account, 'policies/finance.json')
  writeFileSync(finance, readFileSync(finance, 'utf8').trimEnd().replaceAll('\n', '\r\n'))
  writeFileSync(join(account, 'policies/twice.yaml'), twice)
  git('init', '-q')
  git('config', 'core.autocrlf', 'false')
  git('add', '-A')
  run(['report', '-o', join(folder, 'report.html')])
  browser = await launch()
})
afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true, force: true })
})

const twice = `name: twice
identities:
  - urn:v1:eu:identity:user:ab12-svc/bob
  - urn:v1:eu:identity:user:ab12-svc/bob
resources:
  - urn: urn:v1:eu:resource:vps:*
permissions:
  allow:
    - action: vps:apisvc:get
    - action: vps:apisvc:get
`

async function opened(hash: string, options: Parameters<Browser['newContext']>[0] = {}) {
  const context = await browser.newContext({ acceptDownloads: true, ...options })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  await page.goto(`${address()}${hash}`)
  return { page, faults }
}

const question = '#/ask/can?identity=user%2Fbob&action=webHosting%3Aapisvc%3Aget&resource=webHosting%3Aexample.org'

/** Put another text in the place of what the editor holds, as a user who types. */
async function write(page: Page, text: string): Promise<void> {
  await page.locator('.cm-content').click()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(text)
}

describe('what if', () => {
  test('answers with the lines that decide, in a worker of the page', async () => {
    const { page, faults } = await opened(question)
    await page.locator('.verdict').waitFor()
    expect(await page.locator('.verdict').textContent()).toBe('Yes. user/bob may webHosting:apisvc:get on webHosting:example.org')
    expect(await page.locator('ol.entries').textContent()).toContain('policies/web-developers.yaml:9:15')
    expect(page.workers().length).toBe(1)
    // The output of the command, to the letter.
    await page.getByText('As the command prints it').click()
    const printed = said(['can', 'user/bob', 'webHosting:apisvc:get', 'webHosting:example.org'])
    expect(await page.locator('.printed pre').first().textContent()).toBe(printed)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('is asked by the keyboard alone, and leaves the question in the address', async () => {
    const { page } = await opened('#/ask')
    await page.getByLabel('Who', { exact: true }).focus()
    await page.keyboard.type('user/bob')
    await page.keyboard.press('Tab')
    await page.keyboard.type('webHosting:apisvc:terminate')
    await page.keyboard.press('Tab')
    await page.keyboard.type('webHosting:example.org')
    await page.keyboard.press('Enter')
    await page.locator('.verdict.lost').waitFor()
    expect(page.url()).toContain('#/ask/can?identity=user%2Fbob&action=webHosting%3Aapisvc%3Aterminate&resource=webHosting%3Aexample.org')
    // The other questions, by the arrow keys.
    await page.getByLabel('Is an identity allowed an action?').focus()
    await page.keyboard.press('ArrowRight')
    await page.locator('table.answer').waitFor()
    expect(page.url()).toContain('#/ask/who?')
    await page.keyboard.press('ArrowRight')
    await page.waitForURL(/#\/ask\/what\?/)
    await page.locator('table.answer').waitFor()
    await page.context().close()
  })

  test('takes a whole policy by its keys, undoes it, and makes a patch of it that git applies', async () => {
    const { page, faults } = await opened(`${question}&file=policies%2Ftwice.yaml`)
    await page.locator('.cm-content').waitFor()
    const viewOf = () => new URL(page.url()).hash.replace(/[?&].*/, '')
    const view = viewOf()
    const typed = twice.replace('name: twice', 'name: twice # / and ? are letters').replaceAll('vps:apisvc:get', 'vps:apisvc:ips/get')
    await type(page, typed.trimEnd())
    expect(viewOf()).toBe(view)
    await page.locator('.change.gained').first().waitFor()
    const patch = await patchOf(page)
    writeFileSync(join(folder, 'typed.patch'), patch)
    git('apply', '--check', 'typed.patch')
    git('apply', 'typed.patch')
    expect(readFileSync(join(account, 'policies/twice.yaml'), 'utf8')).toBe(typed.trimEnd())
    git('apply', '-R', 'typed.patch')
    // All of it is undone, step by step.
    for (let i = 0; i < 200 && (await page.locator('.change').count()) > 0; i++) await page.keyboard.press('Control+z')
    await expect.poll(() => page.locator('.change').count()).toBe(0)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('is used by key events: a policy typed, asked about, changed, undone, and taken along', async () => {
    const { page, faults } = await opened('#/ask?file=policies%2Ftwice.yaml')
    await page.locator('.cm-content').waitFor()
    await editByKeys(page, folder, 'iam/my account/policies/twice.yaml')
    git('apply', '-R', 'typed.patch')
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('shows what an edit finds and changes, in a link that brings others to the same, and as a patch that git applies', async () => {
    const { page, faults } = await opened(`${question}&file=policies%2Ffinance.json`)
    await page.locator('.cm-content').waitFor()
    const text = readFileSync(join(account, 'policies/finance.json'), 'utf8')
    const edited = text
      .replaceAll('\r\n', '\n')
      .replace(/"identities": \[[^\]]*\]/, '"identities": ["urn:v1:eu:identity:user:ab12-svc/bob"]')
    expect(edited).not.toBe(text.replaceAll('\r\n', '\n'))
    await write(page, edited)
    await page.locator('.change.gained').first().waitFor()
    expect(await page.locator('.effect').textContent()).toContain('user/bob may now do')
    const link = page.url()
    expect(link).toContain('edits=')

    // A second file, new, with what is wrong in it.
    await page.getByRole('button', { name: 'New file' }).click()
    await write(page, edited.replace(/"name": "[^"]*"/, '"name": "another"').replace('"identities"', '"Identities"'))
    await page.locator('.finding.error').first().waitFor()
    expect(await page.locator('.found').textContent()).toContain('field Identities is spelt identities')
    await page.getByRole('button', { name: /^Fix: write identities/ }).click()
    await page.locator('.finding.error').waitFor({ state: 'detached' })

    const patch = await patchOf(page)
    expect(patch).toContain('+++ b/iam/my account/policies/finance.json')
    expect(patch).toContain('--- /dev/null')
    expect(patch).toContain('\\ No newline at end of file')
    writeFileSync(join(folder, 'policies.patch'), patch)
    git('apply', '--check', 'policies.patch')
    git('apply', 'policies.patch')
    expect(readFileSync(join(account, 'policies/finance.json'), 'utf8')).toBe(edited.replaceAll('\n', '\r\n'))
    expect(JSON.parse(readFileSync(join(account, 'policies/new-policy.json'), 'utf8')).name).toBe('another')
    git('apply', '-R', 'policies.patch')
    expect(faults).toEqual([])
    await page.context().close()

    const other = await opened(link.slice(link.indexOf('#')))
    await other.page.locator('.change.gained').first().waitFor()
    expect(await patchOf(other.page)).toContain('ab12-svc/bob')
    await other.page.context().close()
  })

  test('fixes what lint --fix fixes, each with a click, and lists what lint lists', async () => {
    const { page } = await opened('#/ask?file=policies%2Ftwice.yaml')
    await page.locator('.found .finding').first().waitFor()
    const lint = JSON.parse(said(['lint', '--format', 'json', 'policies/twice.yaml', 'policies', 'world.yaml']))
    const messages = lint.findings
      .filter(({ file }: { file: string }) => file === 'policies/twice.yaml')
      .map(({ message }: { message: string }) => message)
    expect(await page.locator('.finding > p:first-child').allTextContents()).toEqual(
      messages.map((message: string) => expect.stringContaining(message.replaceAll('`', ''))),
    )
    await page.getByRole('button', { name: /^Fix all \d+ safe ones/ }).click()
    await page.getByText('No findings in this file').waitFor()
    writeFileSync(join(folder, 'fix.patch'), await patchOf(page))
    git('apply', 'fix.patch')
    const fixed = readFileSync(join(account, 'policies/twice.yaml'), 'utf8')
    writeFileSync(join(account, 'policies/twice.yaml'), twice)
    said(['lint', '--fix', 'policies', 'world.yaml'])
    expect(fixed).toBe(readFileSync(join(account, 'policies/twice.yaml'), 'utf8'))
    expect(await page.locator('.effect').textContent()).toContain('The same access')
    writeFileSync(join(account, 'policies/twice.yaml'), twice)
    await page.context().close()
  })

  test('shows names with markup, controls and 10,000 characters as text, in answers, findings and the editor', async () => {
    const hostile = mkdtempSync(join(tmpdir(), 'grantwise-hostile-'))
    const policy = (name: string) => ({
      name,
      identities: ['urn:v1:eu:identity:user:ab12-svc/bob'],
      resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
      permissions: { allow: [{ action: 'vps:apisvc:get' }] },
    })
    const names = ['<img src=x onerror="document.title=1"></script><script>document.title=2</script>', 'a\u202egpj.exe', 'L'.repeat(10_000)]
    writeFileSync(join(hostile, 'a<b>\u202e.json'), JSON.stringify(names.map(policy), null, 2).replaceAll('\u202e', '\\u202e'))
    run(['report', '-o', join(hostile, 'report.html'), hostile, '--no-config'])
    const page = await browser.newPage()
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(String(error)))
    page.on('dialog', (dialog) => faults.push(dialog.message()))
    await page.goto(`file://${hostile}/report.html#/ask/can?identity=bob&action=vps:apisvc:get&resource=urn:v1:eu:resource:vps:a`)
    await page.locator('ol.entries > li').nth(2).waitFor()
    const text = (await page.locator('ol.entries').textContent()) ?? ''
    expect(text).toContain('<img src=x onerror=')
    expect(text).toContain('a\\u{202e}gpj.exe')
    expect(text).not.toContain('L'.repeat(5000))
    await page.locator('.found .finding').first().waitFor()
    expect(
      await page
        .locator('main')
        .evaluate((main) => /[\u202a-\u202e\u2066-\u2069]/.test((main as unknown as { innerText: string }).innerText)),
    ).toBe(false)
    expect(await page.locator('main img, main script').count()).toBe(0)
    expect(await page.title()).toBe('What if · Access report')
    expect(faults).toEqual([])
    await page.close()
    rmSync(hostile, { recursive: true, force: true })
  })

  test('has nothing that axe objects to, in light and in dark, asked and edited', async () => {
    const { page } = await opened(`${question}&file=policies%2Ftwice.yaml&ip=203.0.113.7`)
    await page.locator('.found .finding').first().waitFor()
    expect(await violationsInBoth(page)).toEqual([])
    await write(page, twice.replace('vps:*', '*').replaceAll('vps:apisvc:get', '"*"'))
    await page.locator('.change').first().waitFor()
    expect(await violationsInBoth(page)).toEqual([])
    for (const kind of ['who', 'what']) {
      await page.locator(`input[value=${kind}]`).check()
      await page.locator('table.answer').waitFor()
      expect(await violationsInBoth(page)).toEqual([])
    }
    await page.context().close()
  })
})
