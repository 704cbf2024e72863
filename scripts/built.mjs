// Says whether the build in dist/ is made from the sources as they are, so that it is not made again.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const sources = ['src', 'scripts', 'examples/rules', 'package.json', 'package-lock.json', 'tsconfig.json']
const stampOf = (root) => join(root, 'dist/.built-from')
const withTypes = ' with types'

/** A digest of the names and contents of all that a build is made from. */
export function builtFrom(root) {
  const hash = createHash('sha256')
  for (const path of sources.flatMap((each) => filesAt(root, each)))
    hash.update(`${path.replaceAll('\\', '/')}\0`).update(readFileSync(join(root, path)))
  return hash.digest('hex')
}

function filesAt(root, path) {
  if (/\.\w+$/.test(path)) return [path]
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort()
}

/** Whether dist/ is complete and made from the sources as they are; `types`: with the declarations of the library. */
export function isCurrent(root, types) {
  if (!existsSync(stampOf(root)) || !existsSync(join(root, 'dist/program/cli.cjs'))) return false
  const stamp = readFileSync(stampOf(root), 'utf8')
  const digest = builtFrom(root)
  return stamp === `${digest}${withTypes}` || (stamp === digest && !types)
}

/** Note that dist/ is no build, until `noteBuilt`. */
export const noteUnbuilt = (root) => rmSync(stampOf(root), { force: true })

/** Note the digest that a complete build was made from. */
export const noteBuilt = (root, digest, types) => writeFileSync(stampOf(root), types ? `${digest}${withTypes}` : digest)
