import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { acme, inPage, isTooWide, to, urn, violations, writeReport } from './report-support.ts'
import { launch } from './support.ts'

const accessReview = fileURLToPath(new URL('../../examples/access-review', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'grantwise-report-'))
const addressOf = (name: string) => pathToFileURL(join(folder, name)).href
let browser: Browser

beforeAll(async () => {
  writeReport(acme, join(folder, 'acme.html'), ['pull-request', '--before', 'policies', '--title', 'Acme'])
  writeReport(acme, join(folder, 'plain.html'))
  // As it is in a file, a character that turns the direction of the text is an error; as an escape it is a name.
  writeFileSync(join(folder, 'hostile.json'), JSON.stringify(hostile()).replaceAll('\u202e', '\\u202e'))
  writeReport(folder, join(folder, 'hostile.html'), ['--no-config', 'hostile.json', '--title', '</title><script>alert(1)</script>'])
  writeFileSync(join(folder, 'wide.json'), JSON.stringify(wide()))
  writeReport(folder, join(folder, 'wide.html'), ['--no-config', 'wide.json'])
  writeFileSync(join(folder, 'tagged.json'), JSON.stringify(tagged))
  writeReport(folder, join(folder, 'tagged.html'), ['--no-config', 'tagged.json', '--tag', 'env=prod'])
  writeFileSync(join(folder, 'alike.json'), JSON.stringify(alike()))
  writeReport(folder, join(folder, 'alike.html'), ['--no-config', 'alike.json'])
  writeFileSync(join(folder, 'none.json'), '{"policies": []}')
  writeReport(folder, join(folder, 'none.html'), ['--no-config', 'none.json'])
  commitAcme(join(folder, 'committed'))
  writeReport(join(folder, 'committed'), join(folder, 'blamed.html'), ['--blame', '--since', '2026-03-15'])
  cpSync(accessReview, join(folder, 'reviewed'), { recursive: true })
  writeReport(join(folder, 'reviewed'), join(folder, 'reviewed.html'), ['policies', '--review', 'review.yaml', '--calls', 'calls.ndjson'])
  browser = await launch()
})

/** A repository of the policies of acme: the guards first, then all. */
function commitAcme(top: string): void {
  mkdirSync(top)
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: top, stdio: 'pipe' })
  const commit = (subject: string, date: string) => {
    git('add', '--all')
    execFileSync('git', ['-c', 'user.name=carol', '-c', 'user.email=carol@example.org', 'commit', '--quiet', '--message', subject], {
      cwd: top,
      stdio: 'pipe',
      env: { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
    })
  }
  git('init', '--quiet', '--initial-branch=main')
  cpSync(join(acme, 'world.yaml'), join(top, 'world.yaml'))
  cpSync(join(acme, 'policies/guards.yaml'), join(top, 'policies/guards.yaml'))
  commit('Guards', '2026-03-02T10:00:00Z')
  cpSync(join(acme, 'policies'), join(top, 'policies'), { recursive: true })
  commit('Add servers (#142)', '2026-04-01T10:00:00Z')
}

/** A user who may reboot servers with a tag. */
const tagged = {
  policies: [
    {
      name: 'rebooting',
      identities: ['urn:v1:eu:identity:user:ab12-svc/ann'],
      resources: [{ urn: 'urn:v1:eu:resource:vps:vps-1' }],
      permissions: { allow: [{ action: 'vps:apisvc:reboot' }] },
      conditions: { operator: 'MATCH', values: { 'resource.Tag(env)': 'prod' } },
    },
  ],
}

/** Three servers and two policies with long names that differ only at their ends; and an application that is in no world file. */
function alike() {
  const policy = (end: string, i: number) => ({
    name: `${'the policy of the team for public administration, '.repeat(2)}${end}`,
    identities: [`urn:v1:eu:identity:user:ab12-svc/${'a-name-that-is-long-'.repeat(5)}${end}`],
    resources: Array.from({ length: 12 }, (_, k) => ({ urn: `urn:v1:eu:resource:${i === 0 ? 'vps:*' : `webHosting:site-${k}*`}` })),
    permissions: { allow: [{ action: i === 0 ? 'vps:apisvc:get' : 'webHosting:apisvc:get' }] },
  })
  return {
    policies: ['north', 'south'].map(policy),
    resources: ['north', 'south', 'west'].map((end) => ({ urn: `urn:v1:eu:resource:vps:${'a-server-with-a-long-name-'.repeat(4)}${end}` })),
  }
}

/** Two users and 45 servers, which one of them reads. */
function wide() {
  const [ann, ben] = ['ann', 'ben'].map((name) => `urn:v1:eu:identity:user:ab12-svc/${name}`)
  return {
    policies: [
      {
        name: 'reading',
        identities: [ann],
        resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
        permissions: { allow: [{ action: 'vps:apisvc:get' }] },
      },
    ],
    identities: [ann, ben].map((urn) => ({ urn, groups: [] })),
    resources: Array.from({ length: 45 }, (_, i) => ({ urn: `urn:v1:eu:resource:vps:vps-${i}` })),
  }
}

afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true })
})

const on = (hash: string, act: (page: Page) => Promise<void>, options: Parameters<typeof inPage>[3] = {}) =>
  inPage(browser, `${addressOf('acme.html')}${hash}`, act, options)

test('a narrow phone shows whole words in the title and in the names of lists', () =>
  on(
    to('identities'),
    async (page) => {
      expect(await isTooWide(page)).toBe(false)
      const boxOf = (selector: string) => page.locator(selector).first().boundingBox()
      expect((await boxOf('.brand'))?.height).toBeLessThan(40)
      expect((await boxOf('table.list tbody tr > :first-child'))?.width).toBeGreaterThan(120)
    },
    { viewport: { width: 320, height: 700 } },
  ))

test('from the summary to the lines behind a cell', () =>
  on('', async (page) => {
    expect(await page.locator('main').innerText()).toMatch(/Gained|gains access to 1 resource/)
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Matrix' }).click()
    await page.getByRole('heading', { level: 1, name: 'Access matrix' }).waitFor()
    await page.getByLabel('Columns', { exact: true }).selectOption('vps')
    await page.getByLabel('Filter identities').fill('bob')
    expect(await page.getByRole('grid').getByRole('rowheader').allInnerTexts()).toEqual(['user/bob'])
    await page.locator('.matrix td.cell').nth(2).click()
    const panel = page.getByRole('complementary', { name: 'The chosen cell' })
    await panel.getByRole('heading', { level: 2 }).waitFor()
    expect(await panel.innerText()).toContain('server operation · 5 allow entries')
    expect(await panel.locator('figcaption').first().innerText()).toBe('pull-request/servers.yaml:8')
    expect(await panel.locator('.frame').first().locator('mark').allInnerTexts()).toContain('vps:apisvc:reboot')
    // The address holds all of it.
    const { hash } = new URL(page.url())
    expect(hash).toContain('text=bob')
    await page.goto('about:blank')
    await page.goto(`${addressOf('acme.html')}${hash}`)
    expect(await panel.innerText()).toContain('server operation')
    await panel.getByRole('link', { name: 'server operation' }).first().click()
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toContain('server operation')
    expect(await page.locator('.code').first().innerText()).toContain('- name: server operation')
  }))

test('a cell of a type shows the lines that decide it', () =>
  on(to('matrix'), async (page) => {
    await page.getByLabel('Filter identities').fill('bob')
    await page.locator('.matrix td.cell:not(.none)').last().click()
    const panel = page.getByRole('complementary', { name: 'The chosen cell' })
    await panel.getByRole('heading', { level: 2 }).waitFor()
    expect(await panel.innerText()).toContain('Granted by')
    expect(await panel.locator('figcaption').first().innerText()).toMatch(/^pull-request\/\w+\.yaml:\d+$/)
    expect(await panel.getByRole('link', { name: 'webHosting:blog.acme.example' }).count()).toBe(1)
  }))

test('the matrix says what is gained and lost', () =>
  on(to('matrix'), async (page) => {
    const named = (words: string) => page.getByRole('gridcell', { name: words })
    expect(await named('some of it gained').innerText()).toContain('+')
    expect(await named('no access, some lost').innerText()).toBe('−')
    await page.goto(`${addressOf('acme.html')}${to('matrix', '', { type: 'dnsZone' })}`)
    await named('some of it gained').waitFor()
  }))

test('a cell shows the smallest edits that change it, and What if tries them', () =>
  inPage(browser, `${addressOf('plain.html')}${to('matrix', '', { type: 'vps', who: urn.bob, on: urn.web })}`, async (page) => {
    const panel = page.getByRole('complementary', { name: 'The chosen cell' })
    await panel.getByLabel('Action to change').selectOption('vps:apisvc:reboot')
    await panel.getByText('after which it would be denied').waitFor()
    expect(await panel.locator('.patch .lost').count()).toBeGreaterThan(0)
    expect(await panel.locator('.edits li code').count()).toBeGreaterThan(0)
    expect(await panel.locator('.edits').innerText()).not.toContain('`')
    expect(await violations(page)).toEqual([])
    await panel.getByRole('link', { name: 'Try it in What if' }).first().click()
    await page.getByText('Without your edit: yes.').waitFor()
    expect(await page.locator('.verdict').innerText()).toContain('No.')
  }))

test('the edits of a cell are about the tags that the report was made for', () => {
  const asked = { type: 'vps', who: 'urn:v1:eu:identity:user:ab12-svc/ann', on: 'urn:v1:eu:resource:vps:vps-1' }
  return inPage(browser, `${addressOf('tagged.html')}${to('matrix', '', asked)}`, async (page) => {
    const panel = page.getByRole('complementary', { name: 'The chosen cell' })
    await panel.getByLabel('Action to change').selectOption('vps:apisvc:reboot')
    await panel.getByText('after which it would be denied').waitFor()
    await panel.getByRole('link', { name: 'Try it in What if' }).first().click()
    await page.getByText('Without your edit: yes.').waitFor()
    expect(await page.getByLabel('Tags of the resource').inputValue()).toBe('env=prod')
  })
})

test('pages lead to the paths through them in the graph', async () => {
  for (const hash of [to('identity', urn.bob), to('group', urn.ops), to('resource', urn.web), to('policy', 'access management')])
    await on(hash, async (page) => {
      await page.getByRole('link', { name: 'Show in the graph' }).click()
      await page.getByRole('button', { name: /^Through / }).waitFor()
      expect(await page.locator('.canvas [data-place]').count()).toBeGreaterThan(1)
    })
})

test('the matrix by keyboard: arrows, Enter, Escape', () =>
  on(to('matrix'), async (page) => {
    const at = () => page.evaluate<string>("document.activeElement?.closest('[data-row]')?.getAttribute('data-row')")
    await page.locator('.matrix td[tabindex="0"]').focus()
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(key)
    expect(await at()).toBe('2')
    await page.keyboard.press('End')
    await page.keyboard.press('Home')
    expect(await page.evaluate('document.activeElement?.tagName')).toBe('A')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    const panel = page.getByRole('complementary', { name: 'The chosen cell' })
    await panel.getByRole('heading', { level: 2 }).waitFor()
    await expect.poll(() => page.evaluate("document.activeElement.closest('.panel') !== null")).toBe(true)
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'hidden' })
    await expect.poll(at).toBe('2')
    // One cell is in the order of the Tab key.
    expect(await page.locator('.matrix [tabindex="0"]').count()).toBe(1)
  }))

test('search by keyboard finds names, actions and rules', () =>
  on('', async (page) => {
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('/')
    await page.locator('input[type="search"]:focus').waitFor()
    await page.keyboard.type('reboot')
    await page.getByRole('heading', { name: /Actions \(\d+\)/ }).waitFor()
    expect(await page.locator('.results').innerText()).toContain('vps:apisvc:reboot')
    await page.getByRole('searchbox').fill('escalation')
    await page.getByRole('link', { name: 'grants-escalation' }).click()
    await page.getByRole('heading', { level: 1, name: /Rule/ }).waitFor()
    expect(await page.locator('article.finding').count()).toBeGreaterThan(1)
  }))

test('each number of the summary leads to a list of as many', () =>
  on('', async (page) => {
    const links = page.locator('main table a, main .facts a[href*="only="]')
    // A number of more is one of those that are not named before it.
    const all = await links.evaluateAll((elements) =>
      elements.flatMap((element): [number, string][] => {
        const count = Number.parseInt(element.textContent ?? '', 10)
        const isMore = (element.textContent ?? '').endsWith(' more')
        const named = isMore ? (element.parentElement?.querySelectorAll('a.name').length ?? 0) : 0
        return Number.isNaN(count) ? [] : [[count + named, element.getAttribute('href') ?? '']]
      }),
    )
    expect(all.length).toBeGreaterThan(12)
    for (const [wanted, href] of all) {
      await page.evaluate(`location.hash = ${JSON.stringify(href)}`)
      await page.locator('main table.list tbody tr').first().waitFor()
      const rows = await page.locator('main table.list').first().locator('tbody tr').count()
      expect({ href, rows }).toEqual({ href, rows: wanted })
    }
  }))

test('the colour scheme can be changed by hand', () =>
  on(
    '',
    async (page) => {
      const ground = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor')
      const light = await ground()
      const button = page.getByRole('button', { name: /Colours/ })
      await button.click()
      await button.click()
      expect(await button.innerText()).toBe('Colours: Dark')
      expect(await ground()).not.toBe(light)
      expect(await violations(page)).toEqual([])
    },
    { colorScheme: 'light' },
  ))

test('prints on A4: no navigation, every row, targets of links', () =>
  inPage(browser, `${addressOf('plain.html')}#/findings`, async (page) => {
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
    const boxes = [...pdf.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)].map(([, width, height]) => [Number(width), Number(height)])
    expect(boxes.length).toBeGreaterThan(0)
    for (const [width = 0, height = 0] of boxes) {
      expect(Math.abs(width - 595)).toBeLessThan(2)
      expect(Math.abs(height - 842)).toBeLessThan(2)
    }
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByRole('navigation').isVisible()).toBe(false)
    expect(await page.locator('.filters').isVisible()).toBe(false)
    expect(await page.evaluate(`getComputedStyle(document.querySelector('main a[href^="https"]'), '::after').content`)).toContain(
      'https://',
    )
  }))

test('a wide matrix prints all of its columns, so many next to each other', () =>
  inPage(browser, `${addressOf('wide.html')}${to('matrix', '', { type: '*' })}`, async (page) => {
    await page.evaluate("dispatchEvent(new Event('beforeprint'))")
    await page.emulateMedia({ media: 'print' })
    const sheets = page.locator('.sheets table')
    expect(await sheets.locator('caption').allInnerTexts()).toEqual([
      'Columns 1 to 20 of 45',
      'Columns 21 to 40 of 45',
      'Columns 41 to 45 of 45',
    ])
    expect(await sheets.locator('thead th').count()).toBe(45)
    expect(await sheets.locator('td.read').count()).toBe(45)
    expect(await page.getByRole('grid').isVisible()).toBe(false)
    await page.emulateMedia({ media: 'screen' })
    await page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(await sheets.count()).toBe(0)
    // An empty cell shows the sign that the legend gives.
    expect(await page.locator('.legend .none').innerText()).toBe('·')
    expect(await page.locator('.matrix td.none').first().innerText()).toBe('·')
  }))

describe('hostile names', () => {
  const texts = [
    '<img src=x onerror=alert(1)>',
    '</script><script>alert(2)</script>',
    '\u202egnp.exe',
    '{{constructor}',
    '"><svg onload=alert(3)>',
  ]

  test('stay text in every view', () =>
    inPage(browser, addressOf('hostile.html'), async (page) => {
      const data = JSON.parse((await page.locator('#data').textContent()) ?? '') as {
        readonly policies: readonly { readonly name: string }[]
        readonly resources: readonly { readonly urn: string }[]
        readonly identities: readonly { readonly urn: string }[]
      }
      expect(data.policies.map(({ name }) => name)).toEqual(expect.arrayContaining(texts))
      const hashes = [
        ...['summary', 'matrix', 'identities', 'resources', 'policies', 'findings'].map((name) => to(name)),
        to('matrix', '', { type: '*' }),
        ...data.policies.map(({ name }) => to('policy', name)),
        ...data.resources.map((each) => to('resource', each.urn)),
        ...data.identities.map((each) => to('identity', each.urn)),
        ...texts.map((text) => to('search', '', { for: text })),
        ...texts.map((text) => to('identity', text)),
        ...texts.map((text) => to(text)),
      ]
      for (const hash of hashes) {
        await page.evaluate(`location.hash = ${JSON.stringify(hash)}`)
        await page.locator('main .view > *').first().waitFor({ state: 'attached' })
        const found = await page.evaluate<object>(`({
          stray: document.querySelectorAll('main img, main script, main svg[onload], main iframe, main style').length,
          hidden: /[\\u202a-\\u202e\\u2066-\\u2069]/.test(document.body.innerText),
          isTooWide: document.documentElement.scrollWidth > innerWidth,
        })`)
        expect({ hash: hash.slice(0, 200), ...found }).toEqual({ hash: hash.slice(0, 200), stray: 0, hidden: false, isTooWide: false })
      }
      expect(await page.title()).toContain('<script>alert(1)')
    }))

  test('a name of 10,000 characters is cut, and whole on its own page', () =>
    inPage(browser, `${addressOf('hostile.html')}${to('policies')}`, async (page) => {
      const lengths = await page.locator('main a.name').evaluateAll((links) => links.map((link) => link.textContent?.length ?? 0))
      expect(Math.max(...lengths)).toBeLessThanOrEqual(80)
      await page
        .getByRole('link', { name: /^xxxxxx/ })
        .first()
        .click()
      await page.locator('details > summary').first().click()
      expect(await page.locator('details span').first().innerText()).toBe('x'.repeat(10_000))
    }))

  test('the policy of the page names every script and style, and nothing else', () => {
    const html = readFileSync(join(folder, 'hostile.html'), 'utf8')
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy.replace('worker-src blob:', '')).not.toMatch(/unsafe|https?:|blob:|\*/)
  })
})

/** An account whose names are those of an attacker, who wants more than to be listed. */
function hostile() {
  const names = [
    '<img src=x onerror=alert(1)>',
    '</script><script>alert(2)</script>',
    '\u202egnp.exe',
    '{{constructor}',
    '"><svg onload=alert(3)>',
    'x'.repeat(10_000),
  ]
  return {
    policies: names.map((name, i) => ({
      name,
      description: `${name} <!-- <script>alert(4)</script>`,
      identities: ['urn:v1:eu:identity:group:ab12-svc/ops', `urn:v1:eu:identity:user:ab12-svc/user-${i}`],
      resources: [{ urn: `urn:v1:eu:resource:vps:vps-${i}` }, { urn: 'urn:v1:eu:resource:vps:*' }],
      permissions: { allow: [{ action: 'vps:apisvc:*' }], deny: [{ action: 'vps:apisvc:terminate' }] },
      conditions: { operator: 'MATCH', values: { 'resource.Tag(env)': name.slice(0, 200) } },
    })),
    resources: names.map((name, i) => ({
      urn: `urn:v1:eu:resource:vps:vps-${i}`,
      tags: { env: name.slice(0, 200), [name.slice(0, 40)]: 'x' },
    })),
    identities: names.map((_, i) => ({
      urn: `urn:v1:eu:identity:user:ab12-svc/user-${i}`,
      groups: ['urn:v1:eu:identity:group:ab12-svc/ops'],
    })),
  }
}

test('a report with `--blame` shows since when the entries behind a cell have their effect', () =>
  inPage(browser, `${addressOf('blamed.html')}${to('matrix', '', { type: 'vps', who: urn.bob, on: urn.web })}`, async (page) => {
    const panel = page.getByRole('complementary', { name: 'The chosen cell' })
    // Once for the entries of each of the four policies, of which one has five.
    const since = panel.getByText(/^since [0-9a-f]{7,} \(carol, 2026-04-01, #142\)$/)
    expect(await since.count()).toBe(4)
    await page.goto(`${addressOf('blamed.html')}${to('policy', 'server operation')}`)
    const table = page.getByRole('table', { name: 'Entries of the policy' })
    expect(
      await table
        .getByRole('row')
        .filter({ hasText: /since [0-9a-f]{7,} \(carol, 2026-04-01, #142\)/ })
        .count(),
    ).toBe(5)
    expect(await page.locator('main').innerText()).toMatch(/group\/ops\s+since [0-9a-f]{7,}/)
    expect(await violations(page)).toEqual([])
    await page.goto(`${addressOf('blamed.html')}${to('summary')}`)
    await page.getByText(/looked up in 2 commits of HEAD/).waitFor()
  }))

test('a report with `--since` shows how sensitive access grew, in lines and in numbers', () =>
  inPage(browser, `${addressOf('blamed.html')}${to('summary')}`, async (page) => {
    const grew = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Sensitive access over time' }) })
    const rows = grew.getByRole('region', { name: 'Sensitive access over time' }).getByRole('row')
    // Guards only deny.
    expect((await rows.filter({ hasText: 'Delete' }).innerText()).split(/\s+/)).toEqual(['Delete', '0', '6', '(+6)'])
    expect(await rows.filter({ hasText: 'Delete' }).locator('polyline').getAttribute('points')).toMatch(/^\d+,(\d+)( \d+,\1)+( \d+,\d+)+$/)
    const who = page.getByRole('region', { name: 'Sensitive access', exact: true }).getByRole('row')
    expect(await who.filter({ hasText: 'delete or end something' }).innerText()).toMatch(/alice, bob, dave and 3 more/)
    await grew.getByText('The numbers at 3 states').click()
    expect(await grew.getByRole('region', { name: 'The numbers' }).innerText()).toMatch(
      /2026-04-01\s+[0-9a-f]{7,} \(carol, 2026-04-01, #142\)\s+6/,
    )
    expect(await isTooWide(page)).toBe(false)
    expect(await violations(page)).toEqual([])
  }))

test('the timeline of a report with `--since` shows the past, with the commits that opened or closed access', () =>
  inPage(browser, `${addressOf('blamed.html')}${to('timeline')}`, async (page) => {
    const commits = page.getByRole('region', { name: 'Commits that opened or closed access since 2026-03-15' }).getByRole('row')
    expect((await commits.allInnerTexts()).slice(1)).toEqual([
      expect.stringMatching(
        /^Wed 2026-04-01 12:00 Europe\/Paris \(10:00 UTC\)\s+\+ opened\s+[0-9a-f]{7,}\s+carol, #142 +Add servers \(#142\)$/,
      ),
    ])
    expect(await page.getByRole('heading', { name: 'The same as a table' }).count()).toBe(1)
    await page.getByRole('combobox', { name: 'How far to look' }).selectOption('The past, since 2026-03-15')
    const picture = page.getByRole('img', { name: 'When policies applied' })
    expect(await picture.textContent()).toMatch(/\+ [0-9a-f]{7,}/)
    expect(await picture.textContent()).toContain('weekend freeze')
    expect(await page.getByRole('heading', { name: 'From now on, as a table' }).count()).toBe(1)
    expect(page.url()).toContain('days=past')
    expect(await violations(page)).toEqual([])
    await page.getByRole('combobox', { name: 'How far to look' }).selectOption('30 days')
    await page.getByRole('img', { name: /^When policies apply:/ }).waitFor()
  }))

test('the summary has no badge for a side on which nothing changes, and header and footer begin where the content does', () =>
  inPage(
    browser,
    `${addressOf('blamed.html')}${to('summary')}`,
    async (page) => {
      const facts = page.locator('section.difference li')
      expect(await facts.allInnerTexts()).toEqual([expect.stringMatching(/^\+ gained/), 'No identity loses access to what is described.'])
      expect(await page.locator('section.difference .badge.lost').count()).toBe(0)
      const left = async (selector: string) => Math.round((await page.locator(selector).first().boundingBox())?.x ?? -1)
      expect([await left('.brand'), await left('footer p')]).toEqual([await left('h1'), await left('h1')])
    },
    { viewport: { width: 1700, height: 900 } },
  ))

test('names in a table have no gap before the comma after them, and are not broken', () =>
  inPage(browser, `${addressOf('blamed.html')}${to('reach', 'destruction')}`, async (page) => {
    const row = page.getByRole('row').filter({ hasText: 'user/dave' })
    const names = await row.locator('td').nth(1).locator('.name').all()
    const boxes = await Promise.all(names.map((name) => name.boundingBox()))
    const commas = await row
      .locator('td')
      .nth(1)
      .evaluate((cell) => {
        const texts = cell.ownerDocument.createTreeWalker(cell, 4)
        const out: number[] = []
        while (texts.nextNode()) {
          if (texts.currentNode.textContent !== ', ') continue
          const range = cell.ownerDocument.createRange()
          range.selectNode(texts.currentNode)
          out.push(range.getBoundingClientRect().x)
        }
        return out
      })
    expect(commas.length).toBeGreaterThan(0)
    for (const [i, comma] of commas.entries()) {
      const { x = 0, width = 0 } = boxes[i] ?? {}
      expect(Math.abs(comma - x - width)).toBeLessThan(2)
    }
    const lines = (await row.locator('th .name').first().boundingBox())?.height ?? 0
    expect(lines).toBeLessThan(30)
  }))

test.each(['identities', 'resources', 'policies'])('long names that differ only at their ends differ in the list of %s', (name) =>
  inPage(browser, `${addressOf('alike.html')}${to(name)}`, async (page) => {
    const names = await page.locator('table.list tbody th .name').allInnerTexts()
    expect(names.length).toBeGreaterThan(1)
    expect(new Set(names).size).toBe(names.length)
    for (const each of names) expect(each).toMatch(/…/)
  }),
)

test('a long note on what is not shown has its list behind a button', () =>
  inPage(browser, addressOf('alike.html'), async (page) => {
    const note = page.locator('details').filter({ hasText: 'Not shown: grants on' })
    const list = note.locator('p')
    expect(await list.isVisible()).toBe(false)
    await note.locator('summary').click()
    expect(await list.innerText()).toContain('webHosting:site-3*')
  }))

test('a report without policies claims nothing about policies that grant access', () =>
  inPage(browser, addressOf('none.html'), async (page) => {
    const open = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Open access' }) })
    expect(await open.innerText()).toMatch(/No policy grants access\.$/)
    // Where no resource is described, nothing was looked at.
    const text = await page.locator('main').innerText()
    expect(text).toContain('No resource is described: this report does not show who can change something.')
    expect(text).not.toContain('No identity in this report')
  }))

test('on a phone, the link of the view is in sight, and a card is about the columns that it shows', () =>
  on(
    to('timeline'),
    async (page) => {
      const inSight = async () => {
        const { x = -1, width = 0 } = (await page.locator('nav [aria-current="page"]').boundingBox()) ?? {}
        return x >= 0 && x + width <= 320
      }
      expect(await inSight()).toBe(true)
      await page.goto(`${addressOf('acme.html')}${to('matrix', '', { type: 'vps' })}`)
      expect(await inSight()).toBe(true)
      const card = page.locator('li.card').filter({ hasText: 'user/heidi' })
      expect(await card.innerText()).toContain('No access in the columns shown.')
    },
    { viewport: { width: 320, height: 700 } },
  ))

test('users come before service accounts among those who may do something with a resource', () =>
  on(to('resource', urn.web), async (page) => {
    const names = await page.getByRole('region', { name: 'Who may do something with it' }).locator('tbody th').allInnerTexts()
    expect(names).toEqual(['user/bob', 'user/dave', expect.stringMatching(/^credential\//)])
  }))

test('a cell with some actions only under conditions does not say that it holds in any case', () =>
  on(to('matrix', '', { type: 'vps', who: urn.bob, on: urn.web }), async (page) => {
    const panel = page.locator('.panel')
    await panel.getByRole('heading', { name: 'from 203.0.113.0/24' }).waitFor()
    expect(await panel.innerText()).toContain('Some actions are allowed in any case, others only under the conditions below.')
  }))

test('an address that names nothing says what it asks for, and offers the nearest view', async () => {
  const textAt = (hash: string) =>
    inPage(browser, `${addressOf('plain.html')}${hash}`, async (page) => [
      (await page.locator('main').innerText()).split(/\n+/).slice(0, 3).join(' | '),
      await page.locator('main a').first().getAttribute('href'),
    ])
  expect(await textAt('#/matrx')).toEqual([
    'No such view | The address asks for the view “matrx”, and no view has this name. Go to Access matrix',
    '#/matrix',
  ])
  expect(await textAt('#/changes')).toEqual([
    'No such view | The address asks for Changes, and this report was made without it. Go to Summary',
    '#/summary',
  ])
  expect(await textAt('#/nothing-of-this-name')).toEqual([
    'No such view | The address asks for the view “nothing-of-this-name”, and no view has this name. Go to Summary',
    '#/summary',
  ])
  expect(await textAt(to('reach', 'destroy'))).toEqual([
    expect.stringMatching(/This report has no category of access with this name\. Go to Summary/),
    '#/summary',
  ])
  expect(await textAt(to('identity', 'urn:v1:eu:identity:user:acme-svc/bobby'))).toEqual([
    expect.stringMatching(/This report describes no identity with the name “urn:v1:eu:identity:user:acme-svc\/bobby”/),
    '#/search?for=bobby',
  ])
})

test('grants are decided on the page, and saved as a file that `review --check` accepts', () =>
  inPage(browser, `${addressOf('reviewed.html')}#/review`, async (page) => {
    const isGuarded = async () => (await page.evaluate("!dispatchEvent(new Event('beforeunload', { cancelable: true }))")) as boolean
    expect(await page.getByRole('article').count()).toBe(3)
    expect(await violations(page)).toEqual([])
    expect([await page.getByRole('button', { name: 'Save' }).isDisabled(), await isGuarded()]).toEqual([true, false])
    await page.getByLabel('Decision about group/ops by server operation', { exact: true }).selectOption('Keep')
    await page.getByLabel('Decision about user/lena by shop restores', { exact: true }).selectOption('Shorten')
    const save = page.getByRole('button', { name: 'Save 2 decisions' })
    await save.click()
    expect(await page.getByRole('alert').innerText()).toMatch(/name of the reviewer/)
    expect(await page.evaluate('document.activeElement.id === "reviewer"')).toBe(true)
    await page.keyboard.type('kim')
    await save.click()
    expect(await page.getByRole('alert').innerText()).toMatch(/last day of user\/lena/)
    await page.getByLabel('Last day of user/lena by shop restores', { exact: true }).fill('2099-03-31')
    // A decision that restores access needs a reason.
    const restored = /restores access that was decided as `remove` by omar on 2026-09-15/
    const removed = page.getByRole('article').filter({ hasText: 'user/heidi' })
    await page.getByLabel('Decision about user/heidi by server operation', { exact: true }).selectOption('Keep')
    expect(await removed.getByRole('status').innerText()).toMatch(restored)
    await page.getByRole('button', { name: 'Save 3 decisions' }).click()
    expect(await page.getByRole('alert').innerText()).toMatch(restored)
    await page.keyboard.type('back in the team')
    expect(await removed.getByRole('status').innerText()).toBe('')
    expect(await violations(page)).toEqual([])
    await page.getByLabel('Decision about user/heidi by server operation', { exact: true }).selectOption('Not decided')
    // Entered text stays while other views are shown.
    await page.getByRole('link', { name: 'Matrix' }).click()
    await page.getByRole('link', { name: 'Review' }).click()
    expect([await page.getByLabel('Reviewer').inputValue(), await isGuarded()]).toEqual(['kim', true])
    const [file] = await Promise.all([page.waitForEvent('download'), save.click()])
    expect([file.suggestedFilename(), await isGuarded()]).toEqual(['review.yaml', false])
    await file.saveAs(join(folder, 'reviewed/review.yaml'))
    const { stdout, status } = check(join(folder, 'reviewed'))
    const { broken, counts } = JSON.parse(stdout)
    expect({ status, broken, decided: counts.decided, changed: counts.changed, undecided: counts.undecided }).toEqual({
      status: 1,
      broken: [],
      decided: 2,
      changed: 1,
      undecided: 0,
    })
  }))

/** `review --check` of a folder, as JSON. */
function check(cwd: string): { readonly stdout: string; readonly status: number | null } {
  const program = fileURLToPath(new URL('../../bin/grantwise.js', import.meta.url))
  return spawnSync(process.execPath, [program, 'review', '--check', '-p', 'policies', '--format', 'json'], { cwd, encoding: 'utf8' })
}
