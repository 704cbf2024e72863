// Writes what VitePress reads, into site/.pages: the pages of docs/ and examples/ with their links led to where they are on the
// site, and what is generated: rules, commands, schemas, the library. Nothing of it is in the repository.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, posix } from 'node:path'
import { apiPages } from './api.mjs'
import { commandPages } from './command-pages.mjs'
import { outsideCode, titleOf } from './markdown.mjs'
import { schemaPages } from './schema-pages.mjs'
import { sourcePages } from './source-pages.mjs'
import { partsOf } from './terminal.mjs'

/** Write all pages, and `site/.pages/site.json`: what the navigation and the components know of them. `base`: the folder of the site. */
export async function writePages(root, site, base) {
  const out = join(site, '.pages')
  rmSync(out, { recursive: true, force: true })
  const pages = new Pages(root)
  for (const file of markdownIn(root, 'docs')) pages.add(file)
  for (const name of readdirSync(join(root, 'examples')))
    if (existsSync(join(root, 'examples', name, 'README.md'))) pages.add(`examples/${name}/README.md`)
  for (const file of ['CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', 'proofs/README.md', 'conformance/README.md'])
    if (existsSync(join(root, file))) pages.add(file)
  const { rules, loadCatalogue, defaultSettings } = await import(join(root, 'dist/library/index.js'))
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const version = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version
  const commands = await commandPages(root, readme)
  const own = {
    'index.md': pages.linked(home(readFileSync(join(site, 'home.md'), 'utf8'), readme), 'README.md'),
    'playground.md': readFileSync(join(site, 'playground.md'), 'utf8'),
    ...Object.fromEntries(Object.entries(commands.pages).map(([path, text]) => [path, pages.linked(text, 'README.md')])),
    'rules.md': rulesPage(pages.text('docs/rules.md')),
    'examples/index.md': examplesIndex(root),
    ...schemaPages(root),
    ...apiPages(root, site),
  }
  const { files, places } = await sourcePages(root, pages.files, base)
  for (const [path, text] of Object.entries(files)) put(join(out, 'public', path), text)
  for (const [path, text] of [...pages.written, ...Object.entries(own)]) put(join(out, path), placed(text, places))
  for (const name of readdirSync(join(root, 'docs/images'))) put(join(out, 'images', name), readFileSync(join(root, 'docs/images', name)))
  const titles = Object.fromEntries([...pages.written].map(([path, text]) => [path, titleOf(text)]))
  const scripts = publish(root, site, out, actionsOf(loadCatalogue(defaultSettings.brand)))
  put(
    join(out, 'site.json'),
    JSON.stringify({
      version,
      titles,
      scripts,
      session: session(root),
      rules: rules.map(ruleRow),
      commands: commands.groups,
      sources: pages.sources,
    }),
  )
}

/** The start of links to files of the repository until it is known which of them share a page. */
const sourceMark = 'files:'

/** A text whose links to files lead to where these are shown. */
const placed = (text, places) =>
  text.replaceAll(/\]\(\/files:([^)#]*)(?:#([^)]*))?\)/g, (_, path, anchor) => {
    const place = places.get(path)
    return `](/${place}${anchor ? `${place.includes('#') ? '-' : '#'}${anchor}` : ''})`
  })

/** The pages of the repository as they are on the site, by their paths there. */
class Pages {
  written = new Map()
  /** The files that pages are written in, by the paths of the pages; none for what is generated. */
  sources = {}
  /** Files of the repository that pages link to. */
  files = new Set()

  constructor(root) {
    this.root = root
  }

  add(file) {
    this.written.set(placeOf(file), this.text(file))
    if (!/^docs\/rules\b|^CHANGELOG/.test(file)) this.sources[placeOf(file)] = file
  }

  text(file) {
    return this.linked(readFileSync(join(this.root, file), 'utf8'), file)
  }

  /** A text whose links lead to the pages of what they name. `file`: where it is in the repository. */
  linked(text, file) {
    return outsideCode(text, (part) =>
      part.replace(/(!?)\]\(([^)#\s]*)(#[^)\s]*)?\)/g, (whole, _, target, anchor = '') => {
        if (target === '' || /^[a-z]+:/.test(target) || target.startsWith('/')) return whole
        const path = posix.join(posix.dirname(file), target).replace(/\/$/, '')
        return `](${this.address(path, file)}${anchor})`
      }),
    )
  }

  /** The address on the site of something in the repository. */
  address(path, from) {
    if (path.startsWith('docs/images/')) return `/${path.slice('docs/'.length)}`
    const isFolder = existsSync(join(this.root, path)) && statSync(join(this.root, path)).isDirectory()
    const page = isFolder ? `${path}/README.md` : path
    if (page === 'README.md') return '/index.md'
    const isPage = /^(docs|examples\/[^/]+\/README\.md|(proofs|conformance)\/README\.md|C|SECURITY)/.test(page)
    if (page.endsWith('.md') && existsSync(join(this.root, page)) && isPage) return `/${placeOf(page)}`
    if (!existsSync(join(this.root, path))) throw new Error(`${from}: ${path} is not there`)
    this.files.add(path)
    return `/${sourceMark}${path}`
  }
}

/** Where a page of the repository is on the site. */
export function placeOf(file) {
  const [, example] = /^examples\/([^/]+)\/README\.md$/.exec(file) ?? []
  if (example !== undefined) return `examples/${example}.md`
  const [, folder] = /^(proofs|conformance)\/README\.md$/.exec(file) ?? []
  if (folder !== undefined) return `${folder}.md`
  if (file.startsWith('docs/')) return file.slice('docs/'.length)
  return file.toLowerCase()
}

function markdownIn(root, folder) {
  const names = readdirSync(join(root, folder), { recursive: true }).map((name) => name.replaceAll('\\', '/'))
  return names.filter((name) => name.endsWith('.md')).map((name) => `${folder}/${name}`)
}

/** The start page: its own words, and the table of questions of the README. */
function home(text, readme) {
  const [table] = /^\| question \| command \|\n(?:\|.*\n)+/m.exec(readme) ?? []
  if (table === undefined) throw new Error('README.md has no table of questions and commands')
  return text.replace('<!-- questions -->', table)
}

const sample = `name: operators
identities:
  - urn:v1:eu:identity:user:ab12-svc/ann
resources:
  - urn: urn:v1:eu:resource:vps:web-1
permissions:
  allow:
    - action: vps:apisvc:get
    - action: vps:apisvc:rebot
`

/** The report of the program on a small policy, in its colours: the start page shows it. */
function session(root) {
  const folder = mkdtempSync(join(tmpdir(), 'grantwise-site-'))
  writeFileSync(join(folder, 'policy.yaml'), sample)
  const env = { ...process.env, FORCE_COLOR: '1', COLUMNS: '80' }
  delete env.NO_COLOR
  const say = (...args) =>
    spawnSync(process.execPath, [join(root, 'bin/grantwise.js'), ...args, '--no-config'], { cwd: folder, encoding: 'utf8', env }).stdout
  const lint = say('lint', 'policy.yaml', '--format', 'pretty').replace(/\n.*unknown-action:.*/, '')
  const can = say('can', 'ann', 'vps:apisvc:get', 'vps:web-1', '-p', 'policy.yaml')
  rmSync(folder, { recursive: true, force: true })
  return partsOf(`$ grantwise lint policy.yaml\n${lint}\n$ grantwise can ann vps:apisvc:get vps:web-1 -p policy.yaml\n${can}`)
}

/** The list of rules: its first words, the component in the place of its tables, then the rest. */
function rulesPage(text) {
  const [head, ...rest] = text.split(/^## .*$/m)
  const [title, first, ...others] = head.trim().split('\n\n')
  const foot = rest
    .at(-1)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('|'))
  const words = [...others, ...foot].join('\n\n')
  return `---\noutline: false\naside: false\n---\n\n${title}\n\n${first}\n\n::: details Presets and fixes\n${words}\n:::\n\n<RuleTable />\n`
}

function ruleRow(rule) {
  const { code, severity, section, preset = 'recommended', fixes = [], summary } = rule
  return { code, severity, section, preset, fixes, summary, isFixed: 'reader' in rule }
}

function examplesIndex(root) {
  const rows = readdirSync(join(root, 'examples'))
    .filter((name) => existsSync(join(root, 'examples', name, 'README.md')))
    .map(
      (name) =>
        `| [examples/${name}](/examples/${name}.md) | ${titleOf(readFileSync(join(root, 'examples', name, 'README.md'), 'utf8'))} |`,
    )
  return `# Examples\n\nFolders of the repository. Tests run every command in them.\n\n| folder | shows |\n|---|---|\n${rows.join('\n')}\n`
}

/** Files that the pages load as they are: the mark, the schemas, the scripts of the playground. Returns the folder of these, named by what is in them. */
function publish(root, site, out, actions) {
  const to = join(out, 'public')
  cpSync(join(site, 'public'), to, { recursive: true })
  for (const name of readdirSync(join(root, 'schemas'))) cpSync(join(root, 'schemas', name), join(to, 'schema', name))
  const scripts = ['engine.js', 'more.js', 'catalogue.js', 'editor.js'].map((name) => [
    name,
    readFileSync(join(root, 'dist/web', name), 'utf8'),
  ])
  const hash = createHash('sha256')
  for (const [, text] of scripts) hash.update(text)
  const folder = `playground/${hash.digest('hex').slice(0, 12)}`
  for (const [name, text] of scripts) put(join(to, folder, name), text)
  // The engine works in a worker of the page: this is where it starts.
  put(
    join(to, folder, 'beside.js'),
    "importScripts('catalogue.js', 'engine.js', 'more.js')\nglobalThis.grantwise.engine.serve(globalThis)\n",
  )
  put(join(to, folder, 'actions.json'), JSON.stringify(actions))
  return folder
}

const actionsOf = (catalogue) => catalogue.products.flatMap((product) => catalogue.actionsOf(product))

function put(path, content) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}
