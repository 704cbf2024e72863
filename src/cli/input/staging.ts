import { createHash, randomUUID } from 'node:crypto'
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolders } from '../app/folders.ts'
import { isProcessAlive, ownLine, processIn } from './owner.ts'

/** A file that is to say something else, or to go: as it is, and as it is to be; undefined where it is not there. */
export interface FileChange {
  /** Relative to the folder, with slashes. */
  readonly file: string
  readonly before: string | undefined
  readonly after: string | undefined
}

/**
 * The planned changes of a folder's files, as recorded in the folder meanwhile: the texts are in separate files next to this
 * plan, under their numbers, and are renamed to their places. A later run that finds a plan of an ended process carries it out:
 * all of it happens, or nothing.
 */
interface Journal {
  readonly version: 1
  readonly changes: readonly { readonly file: string; readonly before: string | null; readonly after: string | null }[]
}

const stagingName = /^\.grantwise-pull\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const [ownerName, journalName] = ['owner', 'plan.json']

/** The remains, in a folder, of a run that was interrupted. */
export interface Leftover {
  /** Absolute. */
  readonly staging: string
  /** The process that is still at work there. */
  readonly running: string | undefined
}

/** Find what other runs have in a folder: that of this process is not among it. */
export function leftovers(folder: string): readonly Leftover[] {
  if (!lstatSync(folder, { throwIfNoEntry: false })) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && stagingName.test(entry.name))
    .map(({ name }) => {
      const staging = join(folder, name)
      const owner = textOf(join(staging, ownerName))
      const isOther = owner !== undefined && owner !== ownLine() && isProcessAlive(owner)
      return { staging, running: isOther ? processIn(owner) : undefined }
    })
}

/**
 * Carry out what a run that was killed had decided on, and remove what it left. Files that were edited since are left as
 * they are. `isOurs`: whether a file may be one of those that are written. Returns the files that were put in place.
 */
export function finishLeftover(staging: string, folder: string, isOurs: (file: string) => boolean): readonly string[] {
  const journal = readJournal(textOf(join(staging, journalName)), isOurs)
  const done = journal ? apply(journal, staging, folder) : []
  rmSync(staging, { recursive: true, force: true })
  return done
}

/**
 * Make changes in a folder. Every text is first written to the disk, next to its place; only when all of them are, each is
 * renamed to its place. `check` is asked before each file, and once more before the first is put in place: an error that it
 * throws ends the change with everything as it was. Between two files the process handles other events.
 */
export async function change(folder: string, changes: readonly FileChange[], check: (change: FileChange) => void): Promise<void> {
  if (changes.length === 0) return
  const staging = join(folder, `.grantwise-pull.${randomUUID()}`)
  const made: (string | undefined)[] = []
  let journal: Journal | undefined
  let isDecided = false
  try {
    made.push(makeFolders(folder))
    mkdirSync(staging, { mode: 0o700 })
    writeFileSync(join(staging, ownerName), ownLine())
    for (const [i, each] of changes.entries()) {
      check(each)
      const { file, after } = each
      if (after === undefined) continue
      made.push(makeFolders(dirname(join(folder, file))))
      write(join(staging, `${i}`), after, modeOf(join(folder, file)))
      await new Promise((done) => setImmediate(done))
    }
    for (const each of changes) check(each)
    journal = {
      version: 1,
      changes: changes.map(({ file, after }, i) => ({
        file,
        before: hashAt(join(folder, file)),
        after: after === undefined ? null : hashAt(join(staging, `${i}`)),
      })),
    }
    write(join(staging, `${journalName}.new`), JSON.stringify(journal), undefined)
    renameSync(join(staging, `${journalName}.new`), join(staging, journalName))
    settle(staging)
    isDecided = true
    apply(journal, staging, folder)
  } catch (error) {
    // Once something is in its place the rest belongs there too: the plan stays, for the next run.
    if (isDecided && journal?.changes.some(({ file, before }) => hashAt(join(folder, file)) !== before)) throw error
    rmSync(staging, { recursive: true, force: true })
    for (const folder of made.reverse()) if (folder !== undefined) removeEmpty(folder)
    throw error
  }
  rmSync(staging, { recursive: true, force: true })
}

/** Put the remaining files in place. Those that are done, or were edited, are skipped. */
function apply({ changes }: Journal, staging: string, folder: string): readonly string[] {
  const done: string[] = []
  for (const [i, { file, before, after }] of changes.entries()) {
    const [from, to] = [join(staging, `${i}`), join(folder, file)]
    if (hashAt(to) !== before) continue
    if (after === null) rmSync(to, { force: true })
    else if (hashAt(from) === after) renameSync(from, to)
    else continue
    done.push(file)
  }
  for (const each of new Set(changes.map(({ file }) => dirname(join(folder, file))))) settle(each)
  return done
}

function readJournal(text: string | undefined, isOurs: (file: string) => boolean): Journal | undefined {
  try {
    const value = JSON.parse(text ?? 'null') as Journal | null
    const isHash = (some: unknown) => some === null || typeof some === 'string'
    const isWhole =
      value?.version === 1 &&
      Array.isArray(value.changes) &&
      value.changes.every(({ file, before, after }) => typeof file === 'string' && isOurs(file) && isHash(before) && isHash(after))
    return isWhole ? value : undefined
  } catch {
    return undefined
  }
}

/** The permissions of a file that is to be replaced; throws where it may not be written. */
function modeOf(file: string): number | undefined {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode
  if (mode !== undefined) accessSync(file, constants.W_OK)
  return mode
}

function write(file: string, text: string, mode: number | undefined): void {
  const fd = openSync(file, 'wx', mode === undefined ? 0o666 : 0o600)
  try {
    writeFileSync(fd, text)
    if (mode !== undefined) fchmodSync(fd, mode)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** See that the names in a folder are on the disk, where the system can. */
function settle(folder: string): void {
  try {
    const fd = openSync(folder, 'r')
    fsyncSync(fd)
    closeSync(fd)
  } catch {
    // Not every system opens folders; there the names are as safe as they get.
  }
}

function removeEmpty(folder: string): void {
  try {
    for (const entry of readdirSync(folder, { withFileTypes: true })) if (entry.isDirectory()) removeEmpty(join(folder, entry.name))
    rmdirSync(folder)
  } catch {
    // The folder has got other content: it is kept.
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** A digest of the content of a file; null where there is none, or something other than a file. */
function hashAt(file: string): string | null {
  if (!lstatSync(file, { throwIfNoEntry: false })?.isFile()) return null
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
