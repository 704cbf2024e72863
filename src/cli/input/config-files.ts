import { lstatSync, readdirSync, realpathSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import type { Io } from '../app/io.ts'
import { isWithin } from '../app/paths.ts'
import { Refusal } from '../app/refusal.ts'
import { reason, repositoryOf, type Text, textAt } from './read-file.ts'
import { outsideProblem } from './within.ts'

/** Access to the files of configurations: on the disk, or in a commit. Paths are absolute. */
export interface ConfigFiles {
  readonly exists: (file: string) => boolean
  /** The text of a file, or why there is none. */
  readonly read: (file: string) => Text
  /** The names in a folder; none where it cannot be listed. */
  readonly namesIn: (folder: string) => readonly string[]
}

/** The files on the disk. */
export const onDisk = (io: Io): ConfigFiles => ({
  exists,
  read: (file) => {
    const fault = outsideProblem(file, io) ?? linkOut(file)
    return fault === undefined ? textAt(file, 'settings', io) : { message: fault }
  },
  namesIn: (folder) => namesIn(folder, io),
})

/** Whether a file exists. One in an inaccessible folder counts as missing; where the system fails, that is not known. */
function exists(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (['ENOTDIR', 'EACCES', 'EPERM', 'ERR_ACCESS_DENIED', 'ELOOP', 'ENAMETOOLONG'].includes(code)) return false
    throw new Refusal(`${file}: cannot be looked for: ${reason(error)}`, 'use `--no-config`, or name the configuration with `--config`')
  }
}

/** Why a file of a package is not read: a link on the way to it leads out of the repository. */
function linkOut(file: string): string | undefined {
  const folderIndex = file.search(/[/\\]node_modules[/\\]/)
  const top = folderIndex < 0 ? undefined : repositoryOf(file.slice(0, folderIndex) || sep)
  if (top === undefined) return undefined
  try {
    return isWithin(realpathSync(file), realpathSync(top)) ? undefined : 'a symbolic link on the way to it leads out of the repository'
  } catch {
    return undefined
  }
}

/** The names in a folder; none where it cannot be listed. */
function namesIn(folder: string, io: Io): readonly string[] {
  try {
    return outsideProblem(resolve(folder), io) === undefined ? readdirSync(folder) : []
  } catch {
    return []
  }
}
