// Packs what is published: the files that `npm pack` takes, with the manifest and the README as a registry shows them. Prints the
// name of the file.
// usage: node scripts/pack.mjs FOLDER [--release]      --release: refuse while the organisation of package.json is the placeholder,
//                                                 or a page says that there is no release yet
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import { pageFault, publicationOf, publishedManifest, publishedPage, releaseFault } from './publication.mjs'
import { ordered } from './tarball.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const [folder, ...flags] = process.argv.slice(2)

function refuse(message) {
  console.error(`pack: ${message}`)
  process.exit(2)
}

function npm(args, cwd) {
  const { status, stdout, stderr } = spawnSync('npm', args, {
    cwd,
    encoding: 'utf8',
    shell: process.platform === 'win32',
    maxBuffer: 1 << 26,
  })
  if (status !== 0) refuse(`npm ${args[0]} failed: ${stderr}`)
  return stdout
}

if (folder === undefined || folder.startsWith('-') || flags.some((flag) => flag !== '--release'))
  refuse('usage: node scripts/pack.mjs FOLDER [--release]')
if (!existsSync(folder)) refuse(`${folder}: no such folder`)
if (!existsSync(join(root, 'dist/program/cli.cjs'))) refuse('nothing is built: run `npm run build` first')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const publication = publicationOf(manifest)
const isRelease = flags.includes('--release')
const fault = isRelease ? releaseFault(publication) : undefined
if (fault !== undefined) refuse(fault)

const [{ files }] = JSON.parse(npm(['pack', '--dry-run', '--json', '--ignore-scripts'], root))
const pages = files.flatMap(({ path }) => (path.endsWith('.md') ? [{ path, text: readFileSync(join(root, path), 'utf8') }] : []))
const early = isRelease ? pageFault(pages) : undefined
if (early !== undefined) refuse(early)

const stage = mkdtempSync(join(tmpdir(), 'grantwise-pack-'))
try {
  for (const { path } of files) {
    mkdirSync(dirname(join(stage, path)), { recursive: true })
    cpSync(join(root, path), join(stage, path))
  }
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify(publishedManifest(manifest), null, 2)}\n`)
  writeFileSync(join(stage, 'README.md'), publishedPage(readFileSync(join(root, 'README.md'), 'utf8'), '', publication))
  const name = npm(['pack', '--silent', '--ignore-scripts', '--pack-destination', resolve(folder)], stage).trim()
  const tarball = resolve(folder, name)
  writeFileSync(tarball, gzipSync(ordered(gunzipSync(readFileSync(tarball))), { level: 9 }))
  console.log(name)
} finally {
  rmSync(stage, { recursive: true, force: true })
}
