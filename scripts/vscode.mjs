// Lays out the VS Code extension, with the built program in it, and packs it.
// usage: node scripts/vscode.mjs [--no-pack]      --no-pack: only editors/vscode/dist/extension, as VS Code would unpack it
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { licences } from './licences.mjs'
import { addressFields, publicationOf, publishedPage } from './publication.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const source = join(root, 'editors/vscode')
const out = join(source, 'dist')
const extension = join(out, 'extension')
const packer = '@vscode/vsce@3.9.2'

const json = (path) => JSON.parse(readFileSync(path, 'utf8'))
const run = (program, args, options) => {
  const { status } = spawnSync(program, args, { stdio: 'inherit', shell: process.platform === 'win32', ...options })
  if (status !== 0) process.exit(1)
}

run(process.execPath, [join(root, 'scripts/build.mjs'), '--no-types', '--if-changed'])
rmSync(out, { recursive: true, force: true })
mkdirSync(extension, { recursive: true })

const program = json(join(root, 'package.json'))
const { version } = program
const { private: _private, ...manifest } = json(join(source, 'package.json'))
const files = ['extension.js', 'CHANGELOG.md', 'schemas', 'server', 'walkthrough', 'icon.png', '*.txt']
writeFileSync(join(extension, 'package.json'), `${JSON.stringify({ ...manifest, version, ...addressFields(program), files }, null, 2)}\n`)
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: [join(source, 'src/extension.ts')],
  outfile: join(extension, 'extension.js'),
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  external: ['vscode'],
  minify: true,
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
})
const own = licences(root, Object.keys(metafile.inputs))
const server = readFileSync(join(root, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8')
writeFileSync(join(extension, 'THIRD-PARTY-LICENSES.txt'), `The extension\n\n${own}\nThe server\n\n${server}`)

const publication = publicationOf(program)
const pages = [
  ['editors/vscode/', 'README.md'],
  ['', 'CHANGELOG.md'],
]
for (const [folder, name] of pages)
  writeFileSync(join(extension, name), publishedPage(readFileSync(join(root, folder, name), 'utf8'), folder, publication))
const copies = [
  ['LICENSE', 'LICENSE.txt'],
  ['editors/vscode/walkthrough', 'walkthrough'],
  // site/public/mark.svg, 128 pixels wide.
  ['editors/vscode/icon.png', 'icon.png'],
  ['schemas', 'schemas'],
  ['bin', 'server/bin'],
  ['dist/program', 'server/dist/program'],
]
for (const [from, to] of copies) cpSync(join(root, from), join(extension, to), { recursive: true })
// The database of `serve --state`, which no editor starts, is a tenth of the extension.
const chunks = join(extension, 'server/dist/program')
const database = readdirSync(chunks).filter((name) => /^state-file-.*\.cjs$/.test(name))
if (database.length !== 1) throw new Error(`expected one chunk with the database: ${database.join(', ')}`)
for (const name of database) rmSync(join(chunks, name))
writeFileSync(join(extension, 'server/package.json'), `${JSON.stringify({ name: 'grantwise', version, license: 'MIT' })}\n`)

if (!process.argv.includes('--no-pack')) {
  // Only what packs is fetched: what signs and publishes comes with install scripts, which nothing here needs.
  const env = { ...process.env, npm_config_ignore_scripts: 'true' }
  const args = ['package', '--no-dependencies', '--out', join(out, `grantwise-${version}.vsix`)]
  run('npx', ['--yes', '--package', packer, 'vsce', ...args], { cwd: extension, env })
}
