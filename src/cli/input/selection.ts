import { isUtf8 } from 'node:buffer'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { limits } from '../../sources/limits.ts'
import type { Options } from '../app/commands.ts'
import type { Io } from '../app/io.ts'
import { isBelow } from '../app/paths.ts'
import { Refusal } from '../app/refusal.ts'
import type { Change } from './change.ts'
import type { Config } from './config.ts'
import { type ListedFile, type Selection, withinPaths } from './files.ts'
import { pathsOf } from './policies.ts'
import { kindOf, openBytes, readInput, repositoryOf } from './read-file.ts'
import { isGlob } from './walk.ts'

/** The files that `lint` reads, and whether they are all those of the configuration. */
export interface LintSelection extends Selection {
  readonly isWhole: boolean
  /** The change that the run is about, if any. */
  readonly change?: Change & {
    /** Whether findings in a file are reported: all of them where no paths are given. Absolute paths. */
    readonly isReported: (file: string) => boolean
  }
}

/**
 * The files to read: the given paths, else those of the configuration, else the working folder. `--staged`, `--since`,
 * `--changed` and files of `--if-policy` select a change of all that; `--files-from` adds the files of a list to the given paths.
 */
export async function selectionOf(paths: readonly string[], options: Options<'lint'>, config: Config, io: Io): Promise<LintSelection> {
  const asked = originOf(options)
  const stdinName = options.stdinFilename
  if (stdinName !== undefined && !paths.includes('-'))
    throw new Refusal('--stdin-filename names what is read from standard input', 'add `-` to the paths')
  const ifPolicy = options.ifPolicy || options.changed
  const common = {
    ...(stdinName !== undefined && { stdinName }),
    ifPolicy,
    fences: options.fences ? 'all' : 'named',
    actionLists: true,
  } as const
  const world = config.world ?? []

  const from = options.filesFrom
  if (from !== undefined) {
    if (from === '-' && paths.includes('-')) throw new Refusal('standard input cannot hold both the list of files and a file')
    return { ...common, paths: [...paths, ...world], listed: await listedIn(from, io), mayBeEmpty: true, isWhole: false }
  }
  const isOfGit = options.since !== undefined || options.staged
  if ((isOfGit || options.changed) && paths.includes('-'))
    throw new Refusal('standard input is not a file in git', `leave \`-\` out with ${asked}`)
  const isOfFiles = options.changed || (options.ifPolicy && paths.length > 0 && paths.every((path) => path !== '-' && isFile(path, io)))
  if (isOfGit || isOfFiles) {
    const change = await changeIn(paths, isOfFiles, options, config, io)
    if (change) {
      const isReported = isOfGit && paths.length > 0 ? await withinPaths(paths, io.cwd) : () => true
      return { ...change.after, actionLists: true, change: { ...change, isReported }, isWhole: !change.isPartial }
    }
  }
  if (options.changed && paths.length === 0) return { ...common, paths: [], mayBeEmpty: true, isWhole: false }
  return { ...common, paths: pathsOf(paths, config), mayBeEmpty: common.ifPolicy, isWhole: paths.length === 0 }
}

/** The option that selects files in addition to the named ones; refuses several. */
export function originOf(options: Options<'lint'>): string | undefined {
  const selectingOptions = [
    ...(options.filesFrom === undefined ? [] : ['--files-from']),
    ...(options.staged ? ['--staged'] : []),
    ...(options.since === undefined ? [] : ['--since']),
    ...(options.changed ? ['--changed'] : []),
  ]
  if (selectingOptions.length > 1)
    throw new Refusal(`${selectingOptions[0]} and ${selectingOptions[1]} cannot be combined`, 'use one of them')
  return selectingOptions[0]
}

/** A path that names a file, or nothing that is there. */
function isFile(path: string, io: Io): boolean {
  return !isGlob(path) && kindOf(path, io.cwd) !== 'folder'
}

/** The change that is asked about; undefined where it is one of files that git knows nothing of, or there is no git. */
async function changeIn(paths: readonly string[], isOfFiles: boolean, options: Options<'lint'>, config: Config, io: Io) {
  if (isOfFiles && repositoryOf(io.cwd) === undefined) return undefined
  const [{ changeOf }, { NoGit, repositoryTop }] = [await import('./change.ts'), await import('./git.ts')]
  try {
    const files = paths.map((path) => resolve(io.cwd, path))
    const change = await changeOf(options, paths, isOfFiles ? files : [], config, io)
    if (change) refuseUnknown(paths, repositoryTop(io), [...change.files], io)
    return change
  } catch (error) {
    if (isOfFiles && error instanceof NoGit) return undefined
    throw error
  }
}

/** Refuse a path that git can say nothing about: left aside, it would look as if nothing were wrong there. */
function refuseUnknown(paths: readonly string[], top: string, changed: readonly string[], io: Io): void {
  for (const path of paths) {
    const file = resolve(io.cwd, path)
    const isIn = (folder: string, inner: string) => inner === folder || isBelow(inner, folder)
    if (path === '' || (!isGlob(path) && !existsSync(file) && !changed.some((each) => isIn(file, each))))
      throw new Refusal(`${path === '' ? "''" : path}: no such file or folder`)
    if (!isGlob(path) && !isIn(top, file) && !isIn(file, top)) throw new Refusal(`${path}: not in the git repository of this folder`)
  }
}

/** The names in a list: ended by NUL bytes where there is one, else by line breaks. */
async function listedIn(file: string, io: Io): Promise<readonly ListedFile[]> {
  const name = file === '-' ? 'the list on standard input' : file
  const read = await readInput(openBytes(file, io))
  if (!read.bytes) throw new Refusal(`--files-from: ${name}: ${read.message}`)
  if (!isUtf8(read.bytes)) throw new Refusal(`--files-from: ${name}: not UTF-8`)
  const text = read.bytes.toString('utf8')
  const names = (text.includes('\0') ? text.split('\0') : text.split(/\r?\n/)).filter((each) => each !== '')
  if (names.length > limits.files) throw new Refusal(`--files-from: ${name}: more than ${limits.files} files`)
  return names.map((path) => ({ path }))
}
