import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { pageAssets } from '../../src/cli/output/page-assets.ts'
import type { PageData } from '../../src/page/data.ts'
import { jsonText, pageHtml, pageParts } from '../../src/page/html.ts'
import { inFolder } from '../support/configurations.ts'

const hostile = '</script><!-- <script>alert(1)</script> \u202e\u2028 & "'
const data = { title: hostile, policies: [{ name: hostile }] } as unknown as PageData
const html = pageHtml(data, pageAssets())
const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? ''

// covers: M44, T29
describe('the file of a page', () => {
  test('lets run exactly the scripts and the style that it holds, by their hashes', () => {
    const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    const scripts = [...html.matchAll(/<script(?: type="(text\/plain|application\/gzip)" id="asset-[a-z]+")?>([\s\S]*?)<\/script>/g)].map(
      ([, type, text = '']) => hashOf(type === 'application/gzip' ? gunzipSync(Buffer.from(text, 'base64')).toString() : text),
    )
    const styles = [...html.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, text]) => hashOf(text as string))
    const named = (directive: string) => policy.split('; ').find((each) => each.startsWith(directive))
    expect(styles.length).toBe(1)
    expect(scripts.length).toBeGreaterThan(0)
    expect(named('style-src')).toBe(`style-src ${styles.join(' ')}`)
    expect(new Set((named('script-src') as string).split(' ').slice(1))).toEqual(new Set(scripts))
    expect(policy).toMatch(/^default-src 'none'; /)
    // The engine may work in a worker of the page.
    expect(policy.replace('worker-src blob:', '')).not.toMatch(/unsafe|https?:|blob:|\*|connect-src/)
    expect(pageHtml(data, pageAssets(), { isServed: true })).toContain("connect-src 'self'")
  })

  test('is made in parts, which are short for long data, and together the page', () => {
    const faces = '\u{1f600}'.repeat(2 ** 19)
    const long = {
      title: '<!--data-->',
      absent: undefined,
      none: [],
      no: {},
      few: [undefined, null, { text: `${faces}x${faces}\ud83d`, nothing: undefined }],
      many: Array.from({ length: 250 }, (_, i) => (i % 7 === 0 ? [i, hostile.repeat(500)] : i % 5 === 0 ? undefined : { i })),
    }
    const parts = [...pageParts(long as unknown as PageData, pageAssets())]
    const text = /<script type="application\/json" id="data">([\s\S]*?)<\/script>/.exec(parts.join(''))?.[1] as string
    expect(text === jsonText(long)).toBe(true)
    expect(parts.slice(1, -1).filter(({ length }) => length > 3 * 2 ** 20)).toEqual([])
    expect(parts.length).toBeGreaterThan(10)
    expect(parts.join('').startsWith('<!doctype html>')).toBe(true)
  })

  test('holds no name as markup, and its data as it was', () => {
    expect(html).not.toContain(hostile)
    expect(html).not.toContain('<script>alert(1)')
    expect(/<title>([^<]*)<\/title>/.exec(html)?.[1]).toBe(
      '&#60;/script&#62;&#60;!-- &#60;script&#62;alert(1)&#60;/script&#62; \u202e\u2028 &#38; &#34;',
    )
    const text = /<script type="application\/json" id="data">([\s\S]*?)<\/script>/.exec(html)?.[1] as string
    expect(text).not.toMatch(/[<>&\u2028\u202e]/)
    expect(JSON.parse(text)).toEqual(data)
    expect(JSON.parse(jsonText(hostile))).toBe(hostile)
  })

  test('has no handler and no style within an attribute, and no address', () => {
    const markup = html.replace(/<(script|style)[\s\S]*?<\/\1>/g, '')
    expect(markup).not.toMatch(/\son\w+=|\sstyle=|\ssrc=|\shref=/)
  })
})

// covers: M44, T29
test('what runs in a browser makes no element from markup, and no code from text', () => {
  const root = fileURLToPath(new URL('../../src/web/', import.meta.url))
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  expect(files.length).toBeGreaterThan(15)
  const words =
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|DOMParser|\beval\(|new Function|setAttribute\('on|srcdoc|javascript:/
  // Markup in a comment says what is not done.
  const wrong = files.filter((name) => words.test(readFileSync(`${root}${name}`, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')))
  expect(wrong).toEqual([])
})

describe('report', () => {
  const policies = (action: string) =>
    `policies:\n  - name: servers\n    identities: ["urn:v1:eu:identity:user:ab12-svc/ann"]\n    resources: [{ urn: "urn:v1:eu:resource:vps:vps-1" }]\n    permissions: { allow: [{ action: ${action} }] }\n`

  /** Run `report` in a folder with two states; the page on standard output, and the exit code. */
  async function report(...args: readonly string[]) {
    const files = new Map([
      ['now/p.yaml', policies('vps:apisvc:reboot')],
      ['before/p.yaml', policies('vps:apisvc:get')],
      ['broken/p.yaml', 'policies: [{ name: '],
    ])
    return await inFolder(files, async (cwd) => {
      let [stdout, stderr] = ['', '']
      const sink = (write: (text: string) => void) => ({
        write: (text: string) => {
          write(text)
          return true
        },
        isTerminal: () => false,
      })
      const code = await main(['report', '--no-config', '-o', '-', ...args], {
        stdin: () => ({ [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) }) }),
        stdout: sink((text) => {
          stdout += text
        }),
        stderr: sink((text) => {
          stderr += text
        }),
        env: {},
        cwd,
        now: () => Date.UTC(2026, 0, 15),
      })
      const found = /<script type="application\/json" id="data">([\s\S]*?)<\/script>/.exec(stdout)?.[1]
      return { code, stdout, stderr, data: found === undefined ? undefined : (JSON.parse(found) as PageData) }
    })
  }

  // covers: M53
  test('writes the same bytes every time', async () => {
    const [first, second] = [await report('now'), await report('now')]
    expect(first.code).toBe(0)
    expect(first.stdout.startsWith('<!doctype html>')).toBe(true)
    expect(second.stdout).toBe(first.stdout)
  })

  test('says what changes since an earlier state', async () => {
    const { data } = await report('now', '--before', 'before', '--title', 'Servers', '--at', '2026-02-01T00:00:00Z')
    expect(data).toMatchObject({ title: 'Servers', at: Date.UTC(2026, 1) })
    expect(data?.difference).toMatchObject({
      before: 'before',
      gained: [{ identities: [0], resources: [0], actions: ['vps:apisvc:reboot'] }],
      lost: [{ identities: [0], resources: [0], actions: ['vps:apisvc:get'] }],
    })
    expect((await report('now')).data?.difference).toBe(null)
  })

  test('refuses what it cannot read or compare', async () => {
    expect(await report('broken')).toMatchObject({ code: 2, stdout: '' })
    const missing = await report('now', '--before', 'nothing-of-this-name')
    expect(missing).toMatchObject({ code: 2, stdout: '' })
    expect(missing.stderr).toContain('--before `nothing-of-this-name`: no such commit, file or folder')
  })
})
