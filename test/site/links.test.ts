import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { defaultDocs, rulePage } from '../../src/report/words.ts'
import { rules } from '../../src/rules/index.ts'
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

  test('of findings lead to pages of the site', () => {
    const codes = ['acme/never', ...rules.map(({ code }) => code)]
    const [base] = defaultDocs.split('{page}') as [string]
    const found = codes.map((code) => rulePage(code, defaultDocs)).map((url) => url.replace(base, ''))
    expect(found.filter((path) => !pages.has(path))).toEqual([])
    expect(found.length).toBeGreaterThan(100)
    // The release builds the site for the folder that the links have.
    const release = readFileSync(join(root, '.github/workflows/release.yml'), 'utf8')
    expect(release).toContain('GRANTWISE_SITE_BASE: /$'.concat('{{ github.event.repository.name }}/'))
    expect(new URL(base).pathname).toBe(`/${JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).name}/`)
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

describe('for search engines', () => {
  const descriptionOf = (html: string) => decoded(/<meta name="description" content="([^"]*)"/.exec(html)?.[1] ?? '')

  test('every page has a description, from the words on it', () => {
    const described = [...pages].filter(([path]) => path !== '404.html').map(([path, html]) => [path, descriptionOf(html)] as const)
    expect(described.filter(([path, words]) => words.length < 10 || (words.length > 170 && path !== 'index.html'))).toEqual([])
    expect(described.filter(([, words]) => words === 'Offline linter and simulator for IAM policies')).toEqual([])
    expect(described.filter(([, words]) => /\]\(|```|<[a-z]/.test(words))).toEqual([])
    expect(descriptionOf(pages.get('commands/who.html') as string)).toContain('List who may do an action on a resource')
  })

  test('a sitemap lists the pages where GRANTWISE_SITE_URL says their address, and there is none otherwise', () => {
    const url = process.env.GRANTWISE_SITE_URL
    expect(paths.includes('sitemap.xml')).toBe(Boolean(url))
    if (!url) return
    const listed = [...readFileSync(join(dist, 'sitemap.xml'), 'utf8').matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address]) => address)
    const expected = [...pages.keys()].filter((path) => path !== '404.html' && !path.startsWith('files/'))
    expect(listed.toSorted()).toEqual(expected.map((path) => new URL(path.replace(/(^|\/)index\.html$/, '$1'), url).href).toSorted())
  })

  test('pages that are written by hand lead to where they are edited, if GRANTWISE_SITE_EDIT says where', () => {
    const edit = process.env.GRANTWISE_SITE_EDIT
    const led = [...pages].filter(([, html]) => html.includes('edit-link-button')).map(([path]) => path)
    if (!edit) return expect(led).toEqual([])
    expect(pages.get('start.html')).toContain(`href="${edit.replace(':path', 'docs/start.md')}"`)
    for (const generated of ['rules.html', 'rules/unknown-action.html', 'commands/lint.html', 'api/index.html', 'schema/policy.html'])
      expect(led).not.toContain(generated)
  })
})

test('the site has few files: two for each page, one for each page of files of the repository, and few others', () => {
  const files = paths.filter((path) => /\.\w+$/.test(path))
  const sources = files.filter((path) => path.startsWith('files/'))
  const schemas = files.filter((path) => path.endsWith('.schema.json'))
  expect(sources.length).toBeLessThan(200)
  expect(files.length).toBeLessThanOrEqual(2 * (pages.size - sources.length) + sources.length + schemas.length + 30)
  expect(files.length).toBeLessThanOrEqual(1100)
  expect(files.filter((path) => path.includes('.lean.'))).toEqual([])
  expect([...pages].filter(([, html]) => html.includes('.lean.js')).map(([path]) => path)).toEqual([])
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
    const topics = [...ids].filter(([path]) => /^api\/\w+\.html$/.test(path) && path !== 'api/index.html')
    const places = (name: string) => topics.filter(([, all]) => all.has(name)).length
    expect(names.filter((name) => places(name) !== 1)).toEqual([])
    expect(ids.get('api/emulator/index.html')).toContain('startEmulator')
  })

  test('every command, on a page with its options, which its old place on the list of commands leads to', () => {
    const rows = [...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/^\| \[?`([a-z-]+)`(?:\]\([^)]*\))? \|/gm)]
    const commands = rows.map(([, name]) => name as string)
    expect(commands.length).toBeGreaterThan(35)
    const list = pages.get('commands.html') as string
    for (const name of commands) {
      const page = pages.get(`commands/${name}.html`)
      expect(page, name).toContain(`grantwise ${name} `)
      expect(ids.get(`commands/${name}.html`), name).toContain('option-no-color')
      expect(ids.get('commands.html'), name).toContain(name)
      expect(list, name).toContain(`href="/commands/${name}.html"`)
    }
    expect(ids.get('commands/lint.html')).toContain('option-fix-level')
  })

  test('files that pages link to, with an anchor for each line', () => {
    const page = pages.get('files/src.html') as string
    const lines = readFileSync(join(root, 'src/glob.ts'), 'utf8').trimEnd().split('\n')
    const code = /id="glob\.ts"[\s\S]*?<code>([\s\S]*?)<\/code>/.exec(page)?.[1] ?? ''
    const shown = code
      .trimEnd()
      .split('\n')
      .map((line) => decoded(line.replace(/<a [^>]*>\d+<\/a>/, '').replaceAll(/<[^>]*>/g, '')))
    expect(shown).toEqual(lines)
    expect(ids.get('files/src.html')).toContain(`glob.ts-L${lines.length}`)
    // Of many or large files, names or first lines.
    const bypass = pages.get('files/test/bypass.html') as string
    expect(bypass.split('<li>').length).toBeGreaterThan(20)
    expect(bypass.split('<pre').length).toBeLessThan(5)
    expect(pages.get('files/package-lock.json.html')).toContain('The first 1000 of')
    const large = paths.filter((path) => path.startsWith('files/') && path.endsWith('.html') && (pages.get(path)?.length ?? 0) > 500_000)
    expect(large).toEqual([])
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
