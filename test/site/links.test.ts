import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { dist } from './support.ts'

/** The site as files: every link and anchor leads somewhere, everything that is to be there is, and nothing comes from elsewhere. */

const root = fileURLToPath(new URL('../..', import.meta.url))
if (!existsSync(join(dist, 'index.html'))) throw new Error('there is no site/dist: run `npm run site`')

const paths = readdirSync(dist, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'))
const pages = new Map(paths.filter((path) => path.endsWith('.html')).map((path) => [path, readFileSync(join(dist, path), 'utf8')] as const))
const decoded = (text: string) =>
  text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" })[name] as string)
const ids = new Map(
  [...pages].map(([path, html]) => [path, new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(([, id = '']) => decoded(id)))]),
)
const attributes = (html: string, name: string) =>
  [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(([, value = '']) => decoded(value))

/** The file that an address of a page leads to. */
function fileOf(page: string, address: string): string {
  const path = decodeURIComponent(address.split(/[?#]/)[0] as string)
  if (path === '') return page
  const file = path.startsWith('/') ? path.slice(1) : join(dirname(page), path).replaceAll('\\', '/')
  if (file === '' || file === '.') return 'index.html'
  return file.endsWith('/') ? `${file}index.html` : file
}

describe('links', () => {
  test('lead to pages and headings that are there', () => {
    const dead: string[] = []
    let count = 0
    for (const [page, html] of pages) {
      for (const href of attributes(html, 'href')) {
        if (/^[a-z]+:/.test(href)) continue
        count++
        const file = fileOf(page, href)
        const target = [file, `${file}.html`, `${file}/index.html`].find((each) => /\.\w+$/.test(each) && existsSync(join(dist, each)))
        const anchor = decodeURIComponent(href.split('#')[1] ?? '')
        if (target === undefined) dead.push(`${page}: ${href}`)
        else if (anchor !== '' && ids.get(target)?.has(anchor) !== true) dead.push(`${page}: ${href}, no such heading`)
      }
    }
    expect([...new Set(dead)]).toEqual([])
    expect(count).toBeGreaterThan(5000)
  })

  test('to other sites are whole web addresses', () => {
    const odd = [...pages].flatMap(([page, html]) =>
      attributes(html, 'href')
        .filter((href) => /^[a-z]+:/.test(href) && !/^https:\/\/[a-z0-9.-]+\.[a-z]{2,}(?:[/?#]\S*)?$/.test(href))
        .map((href) => `${page}: ${href}`),
    )
    expect(odd).toEqual([])
  })

  test('ids are there once in a page', () => {
    const twice = [...pages].flatMap(([page, html]) => {
      const all = attributes(html, 'id')
      return all.filter((id, i) => all.indexOf(id) < i).map((id) => `${page}: ${id}`)
    })
    expect(twice).toEqual([])
  })
})

describe('nothing comes from elsewhere', () => {
  test('scripts, styles, pictures and fonts are those of the site', () => {
    const outside = [...pages].flatMap(([page, html]) => {
      const loaded = [...html.matchAll(/<(?:script|img|link|iframe|source|video|object|embed)\b[^>]*?\s(?:src|href)="([^"]*)"/g)]
      return loaded.filter(([, address = '']) => /^(?:[a-z]+:)?\/\//.test(address)).map(([, address]) => `${page}: ${address}`)
    })
    expect(outside).toEqual([])
    const styles = paths.filter((path) => path.endsWith('.css')).map((path) => readFileSync(join(dist, path), 'utf8'))
    expect(styles.join('').match(/url\((?!["']?(?:data:|#))[^)]*\)/g) ?? []).toEqual([])
  })

  test('every page has a policy that allows no script of its own but by hash', () => {
    for (const [page, html] of pages) {
      const policy = decoded(/<meta http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? '')
      expect(policy, page).toContain("default-src 'none'")
      expect(/script-src ([^;]*)/.exec(policy)?.[1], page).not.toMatch(/unsafe|\*|https?:/)
      expect(html, page).not.toMatch(/<[^>]*\son[a-z]+="/)
    }
  })
})

describe('what is to be there is', () => {
  const markdown = (folder: string) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))

  test('every page of docs/, in the navigation but for the rules', () => {
    const home = pages.get('start.html') as string
    for (const name of markdown('docs')) {
      const page = name.replaceAll('\\', '/').replace(/\.md$/, '.html')
      expect(pages.has(page), page).toBe(true)
      if (!page.startsWith('rules/')) expect(home, page).toContain(`href="/${page}"`)
    }
  })

  test('every rule in the list, and every example', () => {
    const codes = markdown('docs/rules').map((name) => name.replace('.md', ''))
    const list = pages.get('rules.html') as string
    for (const code of codes) expect(list).toContain(`href="/rules/${code}.html"`)
    expect(codes.length).toBeGreaterThan(100)
    for (const name of readdirSync(join(root, 'examples'))) expect(pages.has(`examples/${name}.html`), name).toBe(true)
  })

  test('every schema with each of its fields', () => {
    for (const name of readdirSync(join(root, 'schemas')).filter((each) => each.endsWith('.schema.json'))) {
      const page = pages.get(`schema/${name.replace('.schema.json', '.html')}`) as string
      const schema = JSON.parse(readFileSync(join(root, 'schemas', name), 'utf8'))
      const objects = [schema, ...Object.values(schema.definitions ?? {})] as { readonly properties?: object }[]
      for (const field of objects.flatMap(({ properties = {} }) => Object.keys(properties)))
        expect(page, name).toContain(`<code>${field}</code>`)
      expect(existsSync(join(dist, 'schema', name))).toBe(true)
    }
  })

  test('every name that the library exports', () => {
    const names = [...readFileSync(join(root, 'src/index.ts'), 'utf8').matchAll(/^export (?:type )?\{([^}]*)\}/gms)]
      .flatMap(([, list = '']) => list.split(','))
      .map((each) => each.replace(/\btype\b/, '').trim())
      .filter((each) => each !== '')
    expect(names.length).toBeGreaterThan(60)
    const listed = paths.filter((path) => path.startsWith('api/')).map((path) => path.replace(/.*\/(.*)\.html$/, '$1'))
    expect(names.filter((name) => !listed.includes(name))).toEqual([])
    expect(listed).toContain('startEmulator')
  })

  test('the changelog, if there is one', () => {
    expect(pages.has('changelog.html')).toBe(existsSync(join(root, 'CHANGELOG.md')))
  })

  test('a service worker that may keep every page', () => {
    const kept = Object.keys(JSON.parse(/const files = (\{.*\})/.exec(readFileSync(join(dist, 'sw.js'), 'utf8'))?.[1] ?? '{}'))
    expect([...pages.keys()].filter((page) => !kept.includes(page))).toEqual([])
    for (const path of kept) expect(existsSync(join(dist, path)), relative(dist, path)).toBe(true)
  })
})
