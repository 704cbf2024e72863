import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Make a folder, and those around it, where there are none. One by one: in file systems of the kernel, Node's own way never ends.
 * Returns the first that was made.
 */
export function makeFolders(folder: string, mode?: number): string | undefined {
  if (isFolder(folder)) return undefined
  const parent = dirname(folder)
  const made = parent === folder ? undefined : makeFolders(parent, mode)
  try {
    mkdirSync(folder, { mode })
  } catch (error) {
    // Another program may have made it meanwhile.
    if (!isFolder(folder)) throw error
    return made
  }
  return made ?? folder
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
