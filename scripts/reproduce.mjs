// Builds and packs the checkout twice, in two folders of different names, and fails unless both packages and both bundles of the
// action are the same byte for byte.
// usage: node scripts/reproduce.mjs
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const scratch = mkdtempSync(join(tmpdir(), 'grantwise-reproduce-'))
const left = new Set(['.git', 'node_modules', 'dist', 'site', 'figures'])

/** The digest of the package and the bundle of the action that a copy of the checkout makes. */
async function digest(name) {
  const folder = join(scratch, name)
  cpSync(root, folder, {
    recursive: true,
    filter: (path) => dirname(path) !== root || !(left.has(basename(path)) || path.endsWith('.tgz')),
  })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const args of [['scripts/build.mjs'], ['scripts/pack.mjs', '.'], ['scripts/action.mjs']]) {
    const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
    const [code] = await once(child, 'close')
    if (code !== 0) throw new Error(`${args[0]} ended with ${code} in ${folder}`)
  }
  const hash = createHash('sha256')
  for (const file of [readdirSync(folder).find((each) => each.endsWith('.tgz')), 'integrations/action/grantwise.cjs'])
    hash.update(readFileSync(join(folder, file)))
  return hash.digest('hex')
}

try {
  // Both at the same time, since most of a build uses one core.
  const [first, second] = await Promise.all(['one', 'a-folder-of-another-name'].map(digest))
  console.log(first)
  if (first !== second) {
    console.error(`the second build differs: ${second}`)
    process.exitCode = 1
  }
} finally {
  rmSync(scratch, { recursive: true })
}
