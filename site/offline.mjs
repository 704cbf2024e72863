// Writes the service worker, which keeps what was visited for use without a network, and the whole site where that is asked for.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Write `sw.js` next to the pages. Schemas are not kept: they are to be downloaded. */
export function writeWorker(dist) {
  const paths = readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(dist.length + 1)
        .replaceAll('\\', '/'),
    )
    .filter((path) => path !== 'sw.js' && !/\.schema\.json$|^hashmap\.json$/.test(path))
    .sort()
  let bytes = 0
  const files = {}
  for (const path of paths) {
    const content = readFileSync(join(dist, path))
    bytes += content.length
    files[path] = createHash('sha256').update(content).digest('hex').slice(0, 10)
  }
  const source = readFileSync(new URL('worker.js', import.meta.url), 'utf8')
  writeFileSync(join(dist, 'sw.js'), `const bytes = ${bytes}\nconst files = ${JSON.stringify(files)}\n${source}`)
  return { files: paths.length, bytes }
}
