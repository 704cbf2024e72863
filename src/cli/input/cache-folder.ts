import { hash } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, realpathSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { shown } from '../../report/safe.ts'
import type { Io } from '../app/io.ts'
import { writeFault } from '../app/io.ts'
import { displayPath, isWithin } from '../app/paths.ts'
import { replace } from '../output/write.ts'
import { TrackedFiles } from './git-folder.ts'
import { kindAt, readBytes, refusals, repositoryOf } from './read-file.ts'
import { cacheFolderName } from './walk.ts'

/** How much is kept: the oldest files go first. */
const most = { files: 24, bytes: 64 * 2 ** 20, file: 16 * 2 ** 20 } as const

/** Files of the cache, and those that an interrupted run left next to them. No ending of theirs is one that is linted. */
const ownName = /^[a-z]+-[0-9a-f]{64}$/
const leftName = /^\.[a-z]+-[0-9a-f]{64}\.[0-9a-f-]{36}$/

/**
 * Files that runs leave for later ones. Nothing in them is trusted that others than the user may have written: neither what git
 * tracks, which comes with a change of the repository, nor files of other users, nor what is behind a link.
 */
export interface CacheFolder {
  /** The content of a file; undefined where there is none, or it is damaged. */
  readonly read: (name: string) => string | undefined
  /** Write a file whole or not at all. One that cannot be written is said, and no reason to fail. */
  readonly write: (name: string, text: string) => void
}

/** The cache at a place, which is made where it is missing. Undefined, and said, where it cannot be used. */
export function openCacheFolder(location: string | undefined, io: Io): CacheFolder | undefined {
  const { cwd, stderr } = io
  const top = repositoryOf(cwd) ?? cwd
  const folder = location === undefined ? usualFolder(top) : resolve(cwd, location)
  const say = (why: string) => void stderr.write(`grantwise: note: no cache is used: ${shown(displayPath(folder, cwd))}: ${shown(why)}\n`)
  const fault = linkOnTheWay(folder, top) ?? trackedFault(folder)
  if (fault !== undefined) return void say(fault)
  try {
    if (isMade(folder)) ignoreContent(folder)
    if (isSpeltOtherwise(folder, top)) return void say('a folder whose name is spelt otherwise')
  } catch (error) {
    return void say(writeFault((error as NodeJS.ErrnoException).code))
  }
  return {
    read: (name) => ownText(join(folder, name)),
    write(name, text) {
      if (text.length > most.file) return
      try {
        replace(join(folder, name), `${hash('sha256', text)}\n${text}`, undefined, 0o600)
        prune(folder)
      } catch (error) {
        say(writeFault((error as NodeJS.ErrnoException).code))
      }
    },
  }
}

/** Has git ignore the content of a new folder, which goes where that cannot be written: a later run makes it again. */
function ignoreContent(folder: string): void {
  try {
    replace(join(folder, '.gitignore'), '*\n')
  } catch (error) {
    // Not where another run has written to it meanwhile.
    if (readdirSync(folder).length === 0) rmdirSync(folder)
    throw error
  }
}

/** Makes a folder where it is missing, and says whether it was. Node's own way of making all above it never ends in `/proc`. */
function isMade(folder: string): boolean {
  if (kindAt(folder) === 'folder') return false
  const above = dirname(folder)
  if (above !== folder) isMade(above)
  try {
    mkdirSync(folder)
    return true
  } catch (error) {
    // Another run was faster.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Where tools keep such files: with the installed packages, or in a folder of our own. */
function usualFolder(top: string): string {
  const modules = join(top, 'node_modules')
  return kindAt(modules) === 'folder' ? join(modules, '.cache', 'grantwise') : join(top, cacheFolderName)
}

/** Why a folder leads elsewhere than its name says. A change of the repository may have added links in it. */
function linkOnTheWay(folder: string, top: string): string | undefined {
  const isInside = isWithin(folder, top)
  for (let here = folder; here === folder || (isInside && here !== top && isWithin(here, top)); here = dirname(here)) {
    const kind = kindAt(here)
    if (kind === 'link') return here === folder ? 'a symbolic link' : `\`${here}\` is a symbolic link`
    if (kind === 'file' || kind === 'special') return 'not a folder'
    if (kind === 'closed') return refusals.closed
  }
  return undefined
}

/**
 * Whether a file system that takes several spellings for one name has the folder under another one: git may track its files under that.
 */
function isSpeltOtherwise(folder: string, top: string): boolean {
  return isWithin(folder, top) && realpathSync.native(folder) !== join(realpathSync.native(top), relative(top, folder))
}

/** Why the content of a folder may come with the repository, and so from anyone who proposes a change. */
function trackedFault(folder: string): string | undefined {
  const tracked = new TrackedFiles()
  if (tracked.hasBelow(folder)) return 'git tracks files in it, which a change of the repository may have written'
  const [fault] = tracked.faults.values()
  return fault === undefined ? undefined : `what git tracks is not known: ${fault}`
}

/** The content of a file that this user wrote, whole. */
function ownText(file: string): string | undefined {
  const stat = lstatSync(file, { throwIfNoEntry: false })
  const user = process.getuid?.()
  if (!stat?.isFile() || (user !== undefined && (stat.uid !== user || (stat.mode & 0o022) !== 0))) return undefined
  const text = readBytes(file, most.file + 65).bytes?.toString('utf8')
  if (text === undefined || text[64] !== '\n') return undefined
  const content = text.slice(65)
  return hash('sha256', content) === text.slice(0, 64) ? content : undefined
}

/** Remove the oldest files where there are too many, and those that an interrupted run left. */
function prune(folder: string): void {
  const files = readdirSync(folder).flatMap((name) => {
    const file = join(folder, name)
    const stat = ownName.test(name) || leftName.test(name) ? lstatSync(file, { throwIfNoEntry: false }) : undefined
    return stat ? [{ file, isLeft: leftName.test(name), size: stat.size, written: stat.mtimeMs }] : []
  })
  files.sort((a, b) => b.written - a.written)
  let count = 0
  let bytes = 0
  const newest = files[0]?.written ?? 0
  for (const { file, isLeft, size, written } of files) {
    // Another run may be writing it.
    if (isLeft && newest - written < hour) continue
    count++
    bytes += size
    if (isLeft || count > most.files || bytes > most.bytes) rmSync(file, { force: true })
  }
}

const hour = 3_600_000
