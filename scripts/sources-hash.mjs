// A hash of what the program is built from: results that another build has cached do not count.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Written by the build, from `examples/rules`. */
const made = 'src/rules/examples.ts'

export function sourcesHash(root) {
  const filesIn = (folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).flatMap((entry) =>
      entry.isFile() ? [relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/')] : [],
    )
  const files = ['src', 'examples/rules'].flatMap(filesIn).filter((file) => file !== made)
  const hash = createHash('sha256')
  for (const file of [...files.sort(), 'package-lock.json']) hash.update(`${file}\0`).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}
