// Builds the documentation site into site/dist, from a clean clone as well: `npm run site`.
// usage: node site/build.mjs [--pages]      --pages: only write what VitePress reads, into site/.pages
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { settingsOf } from './settings.mjs'

const site = dirname(fileURLToPath(import.meta.url))
const root = resolve(site, '..')

const settings = settingsFrom(process.env)

/** The settings; a wrong one ends the program before anything is built. */
function settingsFrom(env) {
  try {
    return settingsOf(env)
  } catch (error) {
    console.error(error.message)
    process.exit(2)
  }
}

/** Run a program to its end; this one ends with it if it fails. */
function run(command, args, cwd) {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit', shell: process.platform === 'win32' && command === 'npm' })
  if (status !== 0) process.exit(status ?? 1)
}

const isInstalled = (folder) => existsSync(join(folder, 'node_modules/.package-lock.json'))
const install = ['ci', '--ignore-scripts', '--no-audit', '--no-fund']
if (!isInstalled(root)) run('npm', install, root)
if (!isInstalled(site)) run('npm', install, site)
// The program, the scripts of the playground and the types of the library are what the pages are about.
run(process.execPath, [join(root, 'scripts/build.mjs'), '--if-changed'], root)

const { writePages } = await import('./pages.mjs')
await writePages(root, site, settings.base)
if (!process.argv.includes('--pages')) {
  rmSync(join(site, 'dist'), { recursive: true, force: true })
  run(process.execPath, [join(site, 'node_modules/vitepress/bin/vitepress.js'), 'build', '.'], site)
  const { writeWorker } = await import('./offline.mjs')
  const { files, bytes } = writeWorker(join(site, 'dist'))
  console.log(`site/dist: ${files} files, ${(bytes / 1e6).toFixed(1)} MB to keep for use offline`)
}
