import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const stamp = join(root, 'dist/.built-from')

/** Build the program, so that no test runs an older one than the sources are; not again where nothing has changed. */
export default function setup(): void {
  const digest = digestOf(['src', 'scripts', 'examples/rules', 'package.json', 'package-lock.json'])
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest && existsSync(join(root, 'dist/program/cli.cjs'))) return
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/build.mjs'), '--no-types'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (status !== 0) throw new Error('the build of the program failed')
  writeFileSync(stamp, digest)
}

/** A digest of the names and contents of files and of all files in folders. */
function digestOf(paths: readonly string[]): string {
  const hash = createHash('sha256')
  for (const path of paths.flatMap(filesAt)) hash.update(`${path}\0`).update(readFileSync(join(root, path)))
  return hash.digest('hex')
}

function filesAt(path: string): readonly string[] {
  if (/\.\w+$/.test(path)) return [path]
  const entries = readdirSync(join(root, path), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
    .sort()
}
