import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { readSettings, usualSettings } from '../../src/lsp/settings.ts'

const root = resolve(import.meta.dirname, '../..')
const extension = join(root, 'editors/vscode/dist/extension')
const text = (name: string) => readFileSync(join(extension, name), 'utf8')
const manifest = () => JSON.parse(text('package.json'))

beforeAll(() => {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts/vscode.mjs'), '--no-pack'], { encoding: 'utf8' })
  expect([stderr, status]).toEqual(['', 0])
})

test('the extension holds the program of this version, licences and schemas, and nothing else', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(manifest()).toMatchObject({ version, main: './extension.js' })
  expect(readdirSync(extension).sort()).toEqual(
    [
      'CHANGELOG.md',
      'LICENSE.txt',
      'README.md',
      'THIRD-PARTY-LICENSES.txt',
      'extension.js',
      'icon.png',
      'package.json',
      'schemas',
      'server',
      'walkthrough',
    ].sort(),
  )
  const files = readdirSync(extension, { recursive: true, encoding: 'utf8' })
  expect(files.filter((name) => /\.(map|ts)$/.test(name))).toEqual([])
  expect(files.reduce((sum, name) => sum + statSync(join(extension, name)).size, 0)).toBeLessThan(7_000_000)
  // The database of `serve --state` is for the command line.
  expect(files.filter((name) => name.endsWith('.cjs') && text(name).includes('SQLite format 3'))).toEqual([])
  expect(text('THIRD-PARTY-LICENSES.txt')).toMatch(/^vscode-languageclient 9\.0\.1 \(MIT\)$/m)
  const { status, stdout } = spawnSync(process.execPath, [join(extension, 'server/bin/grantwise.js'), '--version'], { encoding: 'utf8' })
  expect([status, stdout]).toEqual([0, `grantwise ${version}\n`])
})

test('it asks for the VS Code whose types it is checked with, and in which it is tried', () => {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(manifest().engines).toEqual({ vscode: `^${devDependencies['@types/vscode']}` })
  const minor = devDependencies['@types/vscode'].split('.').slice(0, 2).join('.')
  const [, host] = /'code-server@4\.(\d+)\./.exec(readFileSync(join(root, 'scripts/vscode-host.mjs'), 'utf8')) ?? []
  expect(`1.${host}`).toBe(minor)
  expect(readFileSync(join(root, 'docs/editors.md'), 'utf8')).toContain(`VS Code ${minor} is the oldest`)
  expect(text('README.md')).toContain(`VS Code ${minor} or later`)
})

test('its settings are those that the server reads, with the same defaults', () => {
  const { properties } = manifest().contributes.configuration
  const names = Object.keys(properties).map((name) => name.replace(/^grantwise\./, ''))
  expect(names.toSorted()).toEqual([...Object.keys(usualSettings), 'path', 'trace.server'].toSorted())
  const defaults = Object.fromEntries(names.map((name) => [name, properties[`grantwise.${name}`].default]))
  expect(readSettings(defaults)).toEqual({ settings: usualSettings, problems: [] })
  const chosen = properties['grantwise.preset'].enum.filter(Boolean)
  expect(chosen.map((preset: string) => readSettings({ preset }).settings.preset)).toEqual(chosen)
})

test('its page names each setting and each command', () => {
  const { configuration, commands } = manifest().contributes
  const page = text('README.md')
  expect(Object.keys(configuration.properties).filter((name) => !page.includes(`| \`${name}\` |`))).toEqual([])
  const titles = commands.map(({ category, title }: { category: string; title: string }) => `| ${category}: ${title} |`)
  expect(titles.filter((title: string) => !page.includes(title))).toEqual([])
})

test('a marketplace can show it: where it is from, an icon, a banner, what changed, and a walkthrough', () => {
  const { repository, bugs, homepage, author, icon, galleryBanner, license, contributes } = manifest()
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const web = own.repository.url.replace(/^git\+|\.git$/g, '')
  expect({ repository, bugs, homepage, license }).toEqual({
    repository: own.repository,
    bugs: { url: `${web}/issues` },
    homepage: `${web}#readme`,
    license: own.license,
  })
  expect(web).toContain(`/${author}/`)
  // A PNG says its width and height after its signature; a marketplace wants 128 pixels or more.
  const image = readFileSync(join(extension, icon))
  expect([image.toString('latin1', 1, 4), image.readUInt32BE(16), image.readUInt32BE(20)]).toEqual(['PNG', 128, 128])
  expect(image.length).toBeLessThan(5000)
  expect(readFileSync(join(root, 'site/public/mark.svg'), 'utf8')).toContain(`fill="${galleryBanner.color}"`)
  expect(text('CHANGELOG.md')).toContain(`## ${own.version}\n`)
  for (const page of ['README.md', 'CHANGELOG.md']) expect(text(page)).not.toMatch(/\]\((?!https:|#)/)
  const known = new Set(contributes.commands.map(({ command }: { command: string }) => command))
  const steps: { media: { markdown: string }; description: string; completionEvents: string[] }[] = contributes.walkthroughs[0].steps
  expect(steps.length).toBeGreaterThan(2)
  for (const { media, description, completionEvents } of steps) {
    expect(text(media.markdown).length).toBeGreaterThan(100)
    const commands = [...[description, ...completionEvents].join('\n').matchAll(/(?:command:|onCommand:)([\w.]+)/g)].map(
      ([, name = '']) => name,
    )
    expect(commands.filter((name) => name.startsWith('grantwise.') && !known.has(name))).toEqual([])
  }
})

test('a policy of the walkthrough has the finding that its page names', () => {
  const [, policy = ''] = /```yaml\n(.*?)```/s.exec(text('walkthrough/findings.md')) ?? []
  const args = [join(extension, 'server/bin/grantwise.js'), 'lint', '--format', 'compact', '-']
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', input: policy })
  expect(stdout).toMatch(/warning unknown-action: `vps:apisvc:reinstal` is not in the catalogue/)
})

test('it is activated for each language of its documents and each file by which a folder starts the server', () => {
  const { activationEvents } = manifest()
  const source = readFileSync(join(root, 'editors/vscode/src/extension.ts'), 'utf8')
  const [, languages = ''] = /\.\.\.\[((?:'[\w-]+'(?:, )?)+)\]\.map/.exec(source) ?? []
  const [, files = ''] = /const ownFiles = '\{(.*)\}'/.exec(source) ?? []
  const events = new Set(activationEvents)
  const named = [...languages.matchAll(/'([\w-]+)'/g)].map(([, language]) => `onLanguage:${language}`)
  const found = files.split(/,(?=\*\*)/).map((glob) => `workspaceContains:${glob}`)
  expect(named.length).toBeGreaterThan(8)
  expect(found).toHaveLength(3)
  expect([...named, ...found, 'workspaceContains:**/*.{tf,tofu}'].filter((event) => !events.has(event))).toEqual([])
})

test('each command is registered, and each schema is there', () => {
  const { commands, jsonValidation, yamlValidation } = manifest().contributes
  const program = text('extension.js')
  expect(commands.filter(({ command }: { command: string }) => !program.includes(`registerCommand("${command}"`))).toEqual([])
  for (const { url } of [...jsonValidation, ...yamlValidation]) expect(existsSync(join(extension, url)), url).toBe(true)
})
