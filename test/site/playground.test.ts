import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { examples } from '../../src/web/play/examples.ts'
import { editByKeys } from '../pages/typing.ts'
import { binary } from '../support/scenario.ts'
import { siteInBrowser } from './browser.ts'

/** The playground of the site: write, ask, share. */

const { address, asked, opened } = siteInBrowser()

/** Put another text in the place of what the editor holds, as a user who types. */
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

  test('is used by key events: a policy typed, asked about, changed, undone, and taken along', async () => {
    const repository = mkdtempSync(join(tmpdir(), 'grantwise-play-'))
    execFileSync('git', ['init', '-q'], { cwd: repository })
    const { page, faults, close } = await opened('/playground.html', { acceptDownloads: true })
    await page.locator('.finding').first().waitFor()
    await page.getByLabel('Start with').selectOption('Empty')
    await editByKeys(page, repository, await page.getByLabel('Name of the file').inputValue())
    expect(faults).toEqual([])
    rmSync(repository, { recursive: true, force: true })
    await close()
  })

  test('takes several files, in which the world is as well', async () => {
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
    const other = await opened(link.slice(address().length))
    await other.page.locator('table.answer').waitFor()
    await expect.poll(() => other.page.locator('.outcome').textContent()).toBe(answer)
    await expect.poll(() => other.page.getByLabel('Preset of rules').inputValue()).toBe('strict')
    // Typed text is in the address, and there again when the page is loaded anew.
    await other.page.getByLabel('Does what').fill('vps:apisvc:get')
    await expect.poll(() => other.page.url()).not.toBe(link)
    await other.page.locator('.verdict.gained').waitFor()
    await other.page.reload()
    await other.page.locator('.verdict.gained').waitFor()
    await expect.poll(() => other.page.getByLabel('Does what').inputValue()).toBe('vps:apisvc:get')
    expect(asked().some((each) => each.includes('play='))).toBe(false)
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
      await page.goto(`${address()}/playground.html#play=${await packed(value)}`)
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
    // A text that is too long for a link is reported.
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
