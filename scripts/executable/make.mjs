// Makes one file of the program and of the Node that runs this script: dist/executable/grantwise, or grantwise.exe.
// usage: node scripts/executable/make.mjs      after `npm run build`
//
// The files of the package are assets of the executable; main.cjs runs them. On macOS the executable is signed for this
// machine only: a release signs it again.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inject } from 'postject'
import { codeCaches } from './cache.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..')
const out = join(root, 'dist/executable')
const executable = join(out, process.platform === 'win32' ? 'grantwise.exe' : 'grantwise')
const node = realpathSync(process.execPath)

run(node, [join(root, 'scripts/build.mjs'), '--no-types', '--if-changed'])
mkdirSync(out, { recursive: true })
const scratch = mkdtempSync(join(tmpdir(), 'grantwise-executable-'))
try {
  const blob = blobOf(assets())
  rmSync(executable, { force: true })
  copyFileSync(node, executable)
  chmodSync(executable, 0o755)
  if (process.platform === 'darwin') run('codesign', ['--remove-signature', executable])
  // The word by which Node knows that it was made one file with a program.
  await inject(executable, 'NODE_SEA_BLOB', readFileSync(blob), {
    sentinelFuse: 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2',
    machoSegmentName: 'NODE_SEA',
  })
  if (process.platform === 'darwin') run('codesign', ['--sign', '-', executable])
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
writeFileSync(
  join(out, 'LICENSES.txt'),
  [join(root, 'LICENSE'), join(root, 'dist/THIRD-PARTY-LICENSES.txt'), ...nodeLicence()]
    .map((file) => readFileSync(file, 'utf8'))
    .join(`\n${'='.repeat(80)}\n\n`),
)
process.stdout.write(`${relative(process.cwd(), executable)}\n`)

/** The contents of the executable: the program, what it shows as documentation, and what V8 made of the code that starts. */
function assets() {
  const names = [
    'package.json',
    'bin/grantwise.js',
    ...readdirSync(join(root, 'dist/program'))
      .filter((name) => name.endsWith('.cjs'))
      .map((name) => `dist/program/${name}`),
  ]
  const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))
  const documents = Object.fromEntries(
    docs.sort().map((name) => [name.replaceAll('\\', '/'), readFileSync(join(root, 'docs', name), 'utf8')]),
  )
  const files = Object.fromEntries(names.map((name) => [name, join(root, name)]))
  const main = join(root, 'scripts/executable/main.cjs')
  const caches = codeCaches(main, root, scratch)
  return {
    ...files,
    ...Object.fromEntries([...caches].map(([name, file]) => [`${name}.cache`, file])),
    'main.cjs': main,
    'docs.json': written('docs.json', JSON.stringify(documents)),
    'cached.json': written('cached.json', JSON.stringify([...caches.keys()])),
  }
}

function blobOf(assets) {
  const output = join(scratch, 'program.blob')
  const config = { main: assets['main.cjs'], output, disableExperimentalSEAWarning: true, assets }
  run(node, ['--experimental-sea-config', written('sea.json', JSON.stringify(config))])
  return output
}

function written(name, text) {
  const file = join(scratch, name)
  writeFileSync(file, text)
  return file
}

/** The licence of Node and of what is in it, where its distribution has put it. */
function nodeLicence() {
  return [join(dirname(node), '../LICENSE'), join(dirname(node), 'LICENSE')].filter((file) => existsSync(file)).slice(0, 1)
}

function run(program, args) {
  const { status, error, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (error || status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? `${stdout}${stderr}`}`)
}
