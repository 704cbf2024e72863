import { isUtf8 } from 'node:buffer'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { limits } from '../../lint/limits.ts'
import type { Options } from '../app/commands.ts'
import type { Io } from '../app/io.ts'
import { isBelow } from '../app/paths.ts'
import { Refusal } from '../app/refusal.ts'
import type { Config } from './config.ts'
import { type Listed, type Selection, withinPaths } from './files.ts'
import { pathsOf } from './policies.ts'
import { openBytes, readInput } from './read-file.ts'
import { isGlob } from './walk.ts'

/** What `lint` is to read, and whether that is all that the configuration speaks of. */
export interface LintSelection extends Selection {
  readonly isWhole: boolean
}

/**
 * What is to be read: the paths that are given, else those of the configuration, else the working folder. `--staged` and
 * `--since` leave of these what git says has changed; `--files-from` adds the files of a list to the paths that are given.
 */
export async function selectionOf(paths: readonly string[], options: Options<'lint'>, config: Config, io: Io): Promise<LintSelection> {
  const given = [
    ...(options.filesFrom === undefined ? [] : ['--files-from']),
    ...(options.staged ? ['--staged'] : []),
    ...(options.since === undefined ? [] : ['--since']),
  ]
  if (given.length > 1) throw new Refusal(`${given[0]} and ${given[1]} cannot be combined`, 'use one of them')
  const stdinName = options.stdinFilename
  if (stdinName !== undefined && !paths.includes('-'))
    throw new Refusal('--stdin-filename names what is read from standard input', 'add `-` to the paths')
  const common = {
    ...(stdinName !== undefined && { stdinName }),
    ifPolicy: options.ifPolicy,
    fences: options.fences ? 'all' : 'named',
    actionLists: true,
  } as const
  const world = config.world ?? []

  const from = options.filesFrom
  if (from !== undefined) {
    if (from === '-' && paths.includes('-')) throw new Refusal('standard input cannot hold both the list of files and a file')
    return { ...common, paths: [...paths, ...world], listed: await listedIn(from, io), mayBeEmpty: true, isWhole: false }
  }
  const since = options.since
  if (since !== undefined || options.staged) {
    if (paths.includes('-')) throw new Refusal(`standard input is not a file in git`, `leave \`-\` out with ${given[0]}`)
    const git = await import('./git.ts')
    const isWanted = await withinPaths(pathsOf(paths, { ...config, world: undefined }), io.cwd)
    const listed = since === undefined ? git.stagedFiles(io, isWanted) : git.filesSince(since, io, isWanted)
    refuseUnknown(paths, git.repositoryTop(io), listed, io)
    return { ...common, paths: world, listed, ifPolicy: true, mayBeEmpty: true, isWhole: false }
  }
  return { ...common, paths: pathsOf(paths, config), mayBeEmpty: common.ifPolicy, isWhole: paths.length === 0 }
}

/** Refuse a path that git can say nothing about: left aside, it would look as if nothing were wrong there. */
function refuseUnknown(paths: readonly string[], top: string, listed: readonly Listed[], io: Io): void {
  for (const path of paths) {
    const file = resolve(io.cwd, path)
    const isIn = (folder: string, inner: string) => inner === folder || isBelow(inner, folder)
    if (path === '' || (!isGlob(path) && !existsSync(file) && !listed.some((each) => isIn(file, each.path))))
      throw new Refusal(`${path === '' ? "''" : path}: no such file or folder`)
    if (!isGlob(path) && !isIn(top, file) && !isIn(file, top)) throw new Refusal(`${path}: not in the git repository of this folder`)
  }
}

/** The names in a list: ended by NUL bytes where there is one, else by line breaks. */
async function listedIn(file: string, io: Io): Promise<readonly Listed[]> {
  const name = file === '-' ? 'the list on standard input' : file
  const read = await readInput(openBytes(file, io))
  if (!read.bytes) throw new Refusal(`--files-from: ${name}: ${read.message}`)
  if (!isUtf8(read.bytes)) throw new Refusal(`--files-from: ${name}: not UTF-8`)
  const text = read.bytes.toString('utf8')
  const names = (text.includes('\0') ? text.split('\0') : text.split(/\r?\n/)).filter((each) => each !== '')
  if (names.length > limits.files) throw new Refusal(`--files-from: ${name}: more than ${limits.files} files`)
  return names.map((path) => ({ path }))
}
