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
    ['LICENSE.txt', 'README.md', 'THIRD-PARTY-LICENSES.txt', 'extension.js', 'package.json', 'schemas', 'server'].sort(),
  )
  const files = readdirSync(extension, { recursive: true, encoding: 'utf8' })
  expect(files.filter((name) => /\.(map|ts)$/.test(name))).toEqual([])
  expect(files.reduce((sum, name) => sum + statSync(join(extension, name)).size, 0)).toBeLessThan(8_000_000)
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

test('each command is registered, and each schema is there', () => {
  const { commands, jsonValidation, yamlValidation } = manifest().contributes
  const program = text('extension.js')
  expect(commands.filter(({ command }: { command: string }) => !program.includes(`registerCommand("${command}"`))).toEqual([])
  for (const { url } of [...jsonValidation, ...yamlValidation]) expect(existsSync(join(extension, url)), url).toBe(true)
})
