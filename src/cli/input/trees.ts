import { basename, dirname, join, resolve } from 'node:path'
import type { FileUse } from '../../coverage.ts'
import { type Files, type FilesAround, isAroundName } from '../../hcl/tools.ts'
import { lazy } from '../../memo.ts'
import { isHcl, notationOf, sourceOf } from '../../source.ts'
import type { Folders } from '../../sources/files.ts'
import { limits } from '../../sources/limits.ts'
import type { Io } from '../app/io.ts'
import { displayPath, portable } from '../app/paths.ts'
import { foldersOf } from './folders.ts'
import { distinctNames, entriesOf, git, isTracked, objectOf, repositoryTop } from './git.ts'
import { contentMark, hclTools, isConfigurationName, listMark } from './hcl-tools.ts'
import { bytesAt, decode, kindAt } from './read-file.ts'

/** The files of a repository in one of its states, by their absolute paths: a commit, the index, or either with some files as they are on the disk. */
export type Tree = ReadonlyMap<string, TreeEntry>

export interface TreeEntry {
  /** As git writes it: `100644`, `120000` for a symbolic link, `160000` for another repository. */
  readonly mode: string
  /** Git's id of it; undefined for a file on the disk. */
  readonly id: string | undefined
  /** Its origin, for the record of a run: `the index`, `git:main`. */
  readonly from: string
}

export const isRegular = ({ mode }: TreeEntry) => mode.startsWith('100')

/** The entries of a commit, or a tree. */
export function commitTree(reference: string, io: Io, named = `git:${reference}`): Tree {
  const top = repositoryTop(io)
  const id = objectOf(reference, 'tree', io, named)
  return new Map(entriesOf(id, top, io).map((entry) => [entry.path, { mode: entry.mode, id: entry.id, from: named }]))
}

/** The entries of the index, and so those of the next commit. Of a file with a conflict, our own version. */
export function indexTree(io: Io): Tree {
  const top = repositoryTop(io)
  const fields = distinctNames(git(['ls-files', '--stage', '-z', '--full-name'], { ...io, cwd: top }))
  const order = (field: string) => Number(/ ([0-3])\t/.exec(field)?.[1])
  return new Map(
    fields
      .filter((field) => [0, 2].includes(order(field)))
      .map((field) => {
        const tab = field.indexOf('\t')
        const [mode = '', id] = field.slice(0, tab).split(' ')
        return [join(top, field.slice(tab + 1)), { mode, id, from: 'the index' }]
      }),
  )
}

/** The files of which the index has several versions, since a merge left a conflict: absolute. */
export function unmergedFiles(io: Io): readonly string[] {
  const top = repositoryTop(io)
  const fields = distinctNames(git(['ls-files', '--unmerged', '-z', '--full-name'], { ...io, cwd: top }))
  return [...new Set(fields.map((field) => join(top, field.slice(field.indexOf('\t') + 1))))]
}

/** A tree with some files as they are on the disk; those that are not there any more are not in it. */
export function withDisk(tree: Tree, files: Iterable<string>): Tree {
  const out = new Map(tree)
  for (const file of files) {
    const mode = { file: '100644', link: linkMode }[kindAt(file) as string]
    if (mode === undefined) out.delete(file)
    else out.set(file, { mode, id: undefined, from: 'the disk' })
  }
  return out
}

export const linkMode = '120000'
/** Git's mode of an entry that is a commit of another repository. */
export const repositoryMode = '160000'

/** The files that are not the same in two trees, or in only one of them. */
export function changedBetween(before: Tree, after: Tree): ReadonlySet<string> {
  const out = new Set<string>()
  for (const [file, { mode, id }] of after) {
    const old = before.get(file)
    if (!old || old.id !== id || id === undefined || old.mode !== mode) out.add(file)
  }
  for (const file of before.keys()) if (!after.has(file)) out.add(file)
  return out
}

/** Git's objects, each fetched once. One that is missing, as in a partial clone, is undefined. */
export class Blobs {
  private readonly known = new Map<string, Buffer | undefined>()
  private readonly sizes = new Map<string, number | undefined>()
  private readonly io: Io

  constructor(io: Io) {
    this.io = io
  }

  /** How long something is; undefined where git does not have it. `measure` asks for many in one go. */
  sizeOf(id: string): number | undefined {
    this.measure([id])
    return this.sizes.get(id)
  }

  measure(ids: Iterable<string>): void {
    const wanted = [...new Set(ids)].filter((id) => !this.sizes.has(id))
    if (wanted.length === 0) return
    const lines = git(['cat-file', '--batch-check=%(objectsize)'], this.io, `${wanted.join('\n')}\n`)
      .toString('latin1')
      .split('\n')
    for (const [i, id] of wanted.entries()) this.sizes.set(id, /^\d+$/.test(lines[i] ?? '') ? Number(lines[i]) : undefined)
  }

  /** Fetch many in one go: together not more than is read of all files. */
  fetch(ids: Iterable<string>): void {
    const wanted = [...new Set(ids)].filter((id) => !this.known.has(id))
    if (wanted.length === 0) return
    const answers = git(['cat-file', '--batch'], this.io, `${wanted.join('\n')}\n`)
    let offset = 0
    for (const id of wanted) {
      const lineEnd = answers.indexOf(10, offset)
      const [, kind, size] = answers.toString('latin1', offset, lineEnd).split(' ')
      const isBlob = kind === 'blob'
      const end = lineEnd + 1 + (isBlob ? Number(size) : 0)
      this.known.set(id, isBlob ? answers.subarray(lineEnd + 1, end) : undefined)
      offset = isBlob ? end + 1 : end
    }
  }

  get(id: string): Buffer | undefined {
    if (!this.known.has(id)) this.fetch([id])
    return this.known.get(id)
  }
}

/** The content of a file of a tree; undefined where it cannot be read. `as`: its use in the run. */
export function bytesOf(file: string, { mode, id, from }: TreeEntry, blobs: Blobs, as: FileUse, io: Io): Buffer | undefined {
  if (mode === linkMode) return undefined
  if (id === undefined) return bytesAt(file, as, io).bytes
  const bytes = blobs.get(id)
  if (bytes) io.record?.note(displayPath(file, io.cwd), as, bytes, { from, blob: id })
  return bytes
}

/** How many bytes of configurations are fetched before they are asked for. */
const mostAhead = 16 << 20

/** The folders of configurations as a tree has them. No links are followed. */
export function foldersOfTree(tree: Tree, blobs: Blobs, io: Io): Folders {
  const top = repositoryTop(io)
  const byPath = new Map([...tree].map(([file, entry]) => [portable(file), { file, entry }]))
  const inFolder = namesByFolder([...byPath.keys()])
  const side = contentMark([...tree].map(([file, { mode, id = '' }]) => `${mode} ${id} ${file}`).join('\n'))
  const isUnpacked = unpackedTest(byPath, io)
  const disk = foldersOf(io)
  const around = lazy((): FilesAround => {
    const paths = [...byPath.keys()]
    const files = paths.filter((path) => isAroundName(basename(path))).sort()
    // Most of them are read: in one go.
    const ids = files.flatMap((path) => byPath.get(path)?.entry.id ?? [])
    blobs.measure(ids)
    blobs.fetch(ids.filter((id) => (blobs.sizeOf(id) ?? 0) <= limits.file))
    return {
      files,
      configured: new Set(paths.filter((path) => isConfigurationName(basename(path))).map((path) => dirname(path))),
    }
  })
  const fetchConfigurations = lazy(() => {
    const ids = [...byPath].flatMap(([path, { entry }]) => (isHcl(notationOf(path)) ? (entry.id ?? []) : []))
    blobs.measure(ids)
    const isSmall = ids.reduce((sum, id) => sum + (blobs.sizeOf(id) ?? 0), 0) <= mostAhead
    if (isSmall) blobs.fetch(ids)
    return isSmall
  })
  const list = (path: string) => {
    const names = [...(inFolder.get(path) ?? [])]
    // The contents that are read next, in one call: mostly all configurations of the tree, since folder after folder is listed.
    if (names.some((name) => isHcl(notationOf(name))) && !fetchConfigurations())
      blobs.fetch(names.flatMap((name) => (isHcl(notationOf(name)) ? (byPath.get(`${path}/${name}`)?.entry.id ?? []) : [])))
    return names
  }
  const read = (path: string) => {
    const treeFile = byPath.get(path)
    if (!treeFile) return undefined
    if (treeFile.entry.mode === linkMode) return 'link'
    const bytes = isRegular(treeFile.entry) ? bytesOf(treeFile.file, treeFile.entry, blobs, 'part', io) : undefined
    const text = bytes && bytes.length <= limits.file ? decode(bytes).text : undefined
    return text === undefined ? undefined : { text }
  }
  return {
    cwd: portable(io.cwd),
    top: portable(top),
    nameOf: (path) => displayPath(path, io.cwd),
    isSameState: true,
    list: (path) => (isUnpacked(path) ? disk.list(path) : list(path)),
    read: (path) => (isUnpacked(path) ? disk.read(path) : read(path)),
    values: (source) => {
      const path = portable(resolve(io.cwd, source.path))
      const content = read(path)
      if (typeof content === 'object') return sourceOf(source.path, content.text, source.notation)
      // A file that git tracks and the tree does not have does not exist there; untracked files are the same for all trees.
      return content === 'link' || (path.startsWith(`${portable(top)}/`) && isTracked(path, io)) ? undefined : source
    },
    tools: (texts, folders) =>
      hclTools(texts, folders, io, (below): Files => {
        const isBelow = (path: string) => below.some((folder) => path === folder || path.startsWith(`${folder}/`))
        return {
          read: (path) => {
            if (!isBelow(path)) return undefined
            const treeFile = byPath.get(path)
            // Of a folder nothing can be read, and it is none that does not exist.
            if (!treeFile) return inFolder.has(path) || isInsideOther(path) ? undefined : 'missing'
            return isRegular(treeFile.entry) ? bytesOf(treeFile.file, treeFile.entry, blobs, 'part', io) : undefined
          },
          list: (path) => {
            if (!isBelow(path) || !inFolder.has(path)) return undefined
            const all = [...byPath].filter(([each]) => each.startsWith(`${path}/`))
            // A link, or another repository, may hold files as well.
            return all.every(([, { entry }]) => isRegular(entry)) ? all.map(([each]) => each.slice(path.length + 1)) : undefined
          },
          mark,
          around,
          text,
          side,
        }
      }),
  }

  function text(path: string): string | undefined {
    const fileOfPath = byPath.get(path)
    if (!fileOfPath) return undefined
    const { mode, id } = fileOfPath.entry
    const target = mode === linkMode && id !== undefined ? blobs.get(id)?.toString('utf8') : undefined
    const entry = target === undefined ? fileOfPath : byPath.get(portable(resolve(dirname(path), target)))
    const bytes = entry && isRegular(entry.entry) ? bytesOf(entry.file, entry.entry, blobs, 'part', io) : undefined
    return bytes && decode(bytes).text
  }

  /** A digest that represents the content of a path in comparisons of two trees. */
  function mark(path: string): string | undefined {
    if (!`${path}/`.startsWith(`${portable(top)}/`)) return undefined
    const fileOfPath = byPath.get(path)
    if (!fileOfPath) {
      const names = [...byPath.keys()].flatMap((each) => (each.startsWith(`${path}/`) ? [each.slice(path.length + 1)] : []))
      return inFolder.has(path) ? listMark(names) : isInsideOther(path) ? `behind ${side}` : 'missing'
    }
    const { mode, id } = fileOfPath.entry
    const bytes = isRegular(fileOfPath.entry) ? bytesOf(fileOfPath.file, fileOfPath.entry, blobs, 'part', io) : undefined
    if (bytes) return contentMark(bytes)
    const target = mode === linkMode && id !== undefined ? blobs.get(id)?.toString('utf8') : undefined
    return target === undefined ? `closed ${id ?? side}` : contentMark(`link ${target}`)
  }

  /** Whether a path goes through a link or another repository: what is there is not of this tree. */
  function isInsideOther(path: string): boolean {
    for (let here = dirname(path); here.length > top.length; here = dirname(here)) if (byPath.has(here)) return true
    return false
  }
}

/** Whether a path is in a folder `.terraform` of which neither the tree nor the index has anything: `terraform init` has filled it. */
function unpackedTest(byPath: ReadonlyMap<string, unknown>, io: Io): (path: string) => boolean {
  const unpackedFolders = new Map<string, boolean>()
  return (path) => {
    const [, folder] = /^(.*\/\.terraform)(?:\/|$)/.exec(path) ?? []
    if (folder === undefined) return false
    const answer =
      unpackedFolders.get(folder) ?? !([...byPath.keys()].some((each) => each.startsWith(`${folder}/`)) || isTracked(folder, io))
    unpackedFolders.set(folder, answer)
    return answer
  }
}

/** The names in each folder, those of folders as well. */
function namesByFolder(paths: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const out = new Map<string, Set<string>>()
  for (const path of paths) {
    for (let end = path.lastIndexOf('/'), start = path.length; end >= 0; start = end, end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end)
      const folderNames = out.get(folder)
      const name = path.slice(end + 1, start)
      if (folderNames?.has(name)) break
      if (folderNames) folderNames.add(name)
      else out.set(folder, new Set([name]))
      if (end === 0) break
    }
  }
  return out
}
