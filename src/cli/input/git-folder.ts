import { join, relative, resolve, sep } from 'node:path'
import { isWithin } from '../app/paths.ts'
import { kindAt, readBytes, repositoryOf } from './read-file.ts'

/** Reads git's folder in a repository, without starting git. */

/** Where git keeps what is of one working tree, and what all of a repository share; undefined where there is no such place. */
export function gitFolders(top: string): { readonly own: string; readonly common: string } | undefined {
  const place = join(top, '.git')
  if (kindAt(place) !== 'file') return { own: place, common: place }
  // Of a submodule, or of another working tree.
  const target = /^gitdir: (.+?)\r?\n?$/.exec(textOf(place) ?? '')?.[1]
  if (target === undefined) return undefined
  const gitFolder = resolve(top, target)
  const common = textOf(join(gitFolder, 'commondir'))?.trim()
  return { own: gitFolder, common: common ? resolve(gitFolder, common) : gitFolder }
}

function textOf(file: string): string | undefined {
  return readBytes(file).bytes?.toString('utf8')
}

/** The content of an index. */
export interface IndexRead {
  /** Paths from the top of the repository, with `/`. Folders of a sparse index end in `/`. */
  readonly paths: readonly string[]
  /** Of these, what is not to be in the working tree: a sparse checkout leaves it out. */
  readonly leftOut: readonly string[]
  /** Of these, other repositories: only their commits are listed. */
  readonly modules: readonly string[]
  /** The hash in the name of the file that lists the rest. */
  readonly shared?: string
}

const [extended, skipWorktree] = [0x4000, 0x4000]
/** The offset of the mode of an entry, and the mode of another repository. */
const [modeAt, moduleMode] = [24, 0o160000]

/** Read an index of git (gitformat-index(5)), versions 2 to 4. `hashLength`: 20, or 32 bytes. Undefined where it is none. */
export function readIndex(bytes: Buffer, hashLength: number): IndexRead | undefined {
  if (bytes.length < 12 + hashLength || bytes.toString('latin1', 0, 4) !== 'DIRC') return undefined
  const version = bytes.readUInt32BE(4)
  const count = bytes.readUInt32BE(8)
  if (version < 2 || version > 4) return undefined
  const end = bytes.length - hashLength
  const paths: string[] = []
  const leftOut: string[] = []
  const modules: string[] = []
  let offset = 12
  let previous: Buffer = Buffer.alloc(0)
  for (let i = 0; i < count; i++) {
    const flagsAt = offset + 40 + hashLength
    if (flagsAt + 4 > end) return undefined
    const isExtended = version > 2 && (bytes.readUInt16BE(flagsAt) & extended) !== 0
    const isLeftOut = isExtended && (bytes.readUInt16BE(flagsAt + 2) & skipWorktree) !== 0
    let nameAt = flagsAt + (isExtended ? 4 : 2)
    let sharedLength = 0
    if (version === 4) {
      let byte = bytes[nameAt++] as number
      let cut = byte & 0x7f
      while (byte & 0x80 && nameAt < end) {
        byte = bytes[nameAt++] as number
        cut = (cut + 1) * 128 + (byte & 0x7f)
      }
      sharedLength = previous.length - cut
    }
    const nameEnd = bytes.indexOf(0, nameAt)
    if (nameEnd < 0 || nameEnd > end || sharedLength < 0) return undefined
    const suffix = bytes.subarray(nameAt, nameEnd)
    const name = version === 4 ? Buffer.concat([previous.subarray(0, sharedLength), suffix]) : suffix
    if (version === 4) previous = name
    const path = name.toString('utf8')
    paths.push(path)
    if (isLeftOut) leftOut.push(path)
    if (bytes.readUInt32BE(offset + modeAt) === moduleMode) modules.push(path)
    // Up to version 3, entries are filled up to multiples of eight bytes.
    offset = version === 4 ? nameEnd + 1 : offset + ((nameEnd - offset + 8) & ~7)
  }
  const shared = sharedIndex(bytes, offset, end, hashLength)
  return { paths, leftOut, modules, ...(shared !== undefined && { shared }) }
}

/** The hash of the index that a split one builds on. */
function sharedIndex(bytes: Buffer, from: number, end: number, hashLength: number): string | undefined {
  for (let offset = from; offset + 8 <= end; offset += 8 + bytes.readUInt32BE(offset + 4)) {
    if (bytes.toString('latin1', offset, offset + 4) !== 'link' || offset + 8 + hashLength > end) continue
    const hash = bytes.toString('hex', offset + 8, offset + 8 + hashLength)
    return /^0*$/.test(hash) ? undefined : hash
  }
  return undefined
}

/** The tracked paths of a repository. */
interface Tracked {
  readonly files: ReadonlySet<string>
  readonly folders: ReadonlySet<string>
  readonly leftOut: readonly string[]
  readonly modules: ReadonlySet<string>
  /** Why they are not known. */
  readonly fault?: string
}

const nothing: Tracked = { files: new Set(), folders: new Set(), leftOut: [], modules: new Set() }
/** The largest index that is read. */
const mostBytes = 128 * 2 ** 20

function trackedIn(top: string): Tracked {
  const folders = gitFolders(top)
  if (!folders) return { ...nothing, fault: 'its `.git` names no repository' }
  const hashLength = /^\s*objectformat\s*=\s*sha256/im.test(textOf(join(folders.common, 'config')) ?? '') ? 32 : 20
  const tracked: string[] = []
  const leftOut: string[] = []
  const modules = new Set<string>()
  for (let name: string | undefined = 'index'; name !== undefined; ) {
    const { bytes, message } = readBytes(join(folders.own, name), mostBytes)
    if (!bytes) return kindAt(join(folders.own, name)) === 'missing' && name === 'index' ? nothing : { ...nothing, fault: message }
    const index = readIndex(bytes, hashLength)
    if (!index) return { ...nothing, fault: `\`${name}\` is no index that this version reads` }
    tracked.push(...index.paths)
    leftOut.push(...index.leftOut)
    for (const path of index.modules) modules.add(path)
    name = index.shared === undefined || name !== 'index' ? undefined : `sharedindex.${index.shared}`
  }
  const above = new Set<string>()
  for (const path of tracked)
    for (
      let slashIndex = path.lastIndexOf('/');
      slashIndex > 0 && !above.has(path.slice(0, slashIndex));
      slashIndex = path.lastIndexOf('/', slashIndex - 1)
    )
      above.add(path.slice(0, slashIndex))
  return { files: new Set(tracked), folders: above, leftOut, modules }
}

/**
 * The paths in the indexes of repositories. Tracked files are deployed with the rest, even if `.gitignore` files match them. Each
 * index is read once, on first use.
 */
export class TrackedFiles {
  private readonly tops = new Map<string, Tracked>()
  /** Errors of reading, by the folder of the repository. */
  readonly faults = new Map<string, string>()

  /** Whether a file, by its absolute path, is tracked, or another repository that is. */
  has(file: string): boolean {
    return this.asked(file, ({ files }, path) => files.has(path))
  }

  /** Whether something below a folder is tracked, or the folder is a repository that is. */
  hasBelow(folder: string): boolean {
    return this.asked(folder, ({ files, folders }, path) => folders.has(path) || files.has(path) || files.has(`${path}/`))
  }

  /** Whether a folder is another repository, of which this one names a commit. */
  isModule(folder: string): boolean {
    return this.asked(folder, ({ modules }, path) => modules.has(path))
  }

  /** The files that a sparse checkout omits below a folder: absolute paths. */
  leftOutBelow(folder: string): readonly string[] {
    const top = repositoryOf(folder)
    const git = top === undefined ? undefined : gitFolders(top)
    // Most repositories are checked out whole, and their index need not be read.
    if (top === undefined || !git || kindAt(join(git.own, 'info', 'sparse-checkout')) !== 'file') return []
    return this.of(top)
      .leftOut.map((path) => join(top, path))
      .filter((file) => isWithin(file, folder))
  }

  private asked(path: string, ask: (tracked: Tracked, path: string) => boolean): boolean {
    // A repository in another one is listed by that.
    const top = repositoryOf(resolve(path, '..'))
    return top !== undefined && ask(this.of(top), relative(top, path).split(sep).join('/'))
  }

  private of(top: string): Tracked {
    const tracked = this.tops.get(top) ?? trackedIn(top)
    this.tops.set(top, tracked)
    if (tracked.fault !== undefined) this.faults.set(top, tracked.fault)
    return tracked
  }
}
