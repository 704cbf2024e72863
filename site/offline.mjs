// Writes the service worker, which keeps the whole site for use without a network.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Write `sw.js` beside the pages. Kept are all files but schemas, which are to be downloaded, and the short form of a page's script,
 * which its whole form stands for.
 */
export function writeWorker(dist, version) {
  const files = readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(dist.length + 1)
        .replaceAll('\\', '/'),
    )
    .filter((path) => path !== 'sw.js' && !/\.schema\.json$|\.lean\.js$|^hashmap\.json$/.test(path))
    .sort()
  const hash = createHash('sha256')
  let bytes = 0
  for (const path of files) {
    const content = readFileSync(join(dist, path))
    bytes += content.length
    hash.update(path).update(content)
  }
  const name = `grantwise-${version}-${hash.digest('hex').slice(0, 12)}`
  const source = readFileSync(new URL('worker.js', import.meta.url), 'utf8')
  writeFileSync(join(dist, 'sw.js'), `const name = ${JSON.stringify(name)}\nconst files = ${JSON.stringify(files)}\n${source}`)
  return { files: files.length, bytes }
}
