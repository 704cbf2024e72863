import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Folders } from '../../sources/files.ts'
import type { Io } from '../app/io.ts'
import { displayPath } from '../app/paths.ts'
import { Refusal } from '../app/refusal.ts'
import type { Config } from './config.ts'
import { discover, type ListedFile, type Selection, withinPaths } from './files.ts'
import { kindOf } from './read-file.ts'
import { isGlob } from './walk.ts'

/** The paths of a run: those given, else those of the configuration, else the working folder; and the inventory. */
export function pathsOf(given: readonly string[], config: Config): readonly string[] {
  const policies = given.length > 0 ? given : (config.policies ?? ['.'])
  return [...policies, ...(config.world ?? [])]
}

/** `git:REF` or `git:REF:PATH`: policies as a commit, or a tree that git has written, holds them. */
interface GitPath {
  readonly text: string
  readonly reference: string
  /** Undefined: `policies` of the configuration. */
  readonly path: string | undefined
}

export function gitPathOf(text: string): GitPath | undefined {
  if (!text.startsWith('git:')) return undefined
  const rest = text.slice('git:'.length)
  const colon = rest.indexOf(':')
  if (colon < 0) return { text, reference: rest, path: undefined }
  const path = rest.slice(colon + 1)
  if (path === '') throw new Refusal(`${text}: a path is missing after \`:\``, `leave the \`:\` out for \`policies\` of the configuration`)
  return { text, reference: rest.slice(0, colon), path }
}

/** Paths without commits, and the paths of the commits in the working folder. */
export function inFolder(paths: readonly string[], config: Config): readonly string[] {
  return paths.flatMap((path) => {
    const git = gitPathOf(path)
    return git ? (git.path ?? pathsOf([], { ...config, world: undefined })) : [path]
  })
}

/**
 * The files for the paths of policies: in the working folder, in commits and in trees. The inventory of the configuration is
 * included, from the commit where every path is of that one. `added`: further paths, without an inventory. `mayBeEmpty`: there
 * may be none, as on one side of a comparison.
 */
export async function policySelection(
  givenPaths: readonly string[],
  config: Config,
  io: Io,
  { added = [], mayBeEmpty = false }: { readonly added?: readonly string[]; readonly mayBeEmpty?: boolean } = {},
): Promise<Selection> {
  const all = [...givenPaths, ...added]
  const commits = all.flatMap((path) => gitPathOf(path) ?? [])
  const plain = all.filter((path) => !path.startsWith('git:'))
  for (const path of plain) await refuseReference(path, io)
  const common = { pipes: true, mayBeEmpty, decides: true }
  if (commits.length === 0) return { paths: [...pathsOf(givenPaths, config), ...added], ...common }

  const ownCommits = commits.slice(0, givenPaths.filter((path) => path.startsWith('git:')).length)
  const references = new Set(ownCommits.map(({ reference }) => reference))
  const isOfCommit = ownCommits.length > 0 && ownCommits.length === givenPaths.length && references.size === 1
  const world = config.world ?? []
  const paths = isOfCommit ? plain : givenPaths.length === 0 ? [...pathsOf([], config), ...plain] : [...plain, ...world]
  const { Blobs, commitTree, foldersOfTree } = await import('./trees.ts')
  const blobs = new Blobs(io)
  const folders = new Map<string, Folders>()
  const foldersAt = (reference: string) => {
    const known = folders.get(reference) ?? foldersOfTree(commitTree(reference, io), blobs, io)
    folders.set(reference, known)
    return known
  }
  const listed = new Map<string, { readonly file: ListedFile; readonly reference: string }>()
  const isInFolder = await withinPaths(paths, io.cwd)
  const isWorld = await withinPaths(world, io.cwd)
  for (const each of commits) {
    for (const file of await filesOf(
      each,
      () => foldersAt(each.reference),
      isOfCommit && ownCommits.includes(each),
      config,
      io,
      mayBeEmpty,
    )) {
      const { reference } = listed.get(file.path) ?? each
      if (!isOfCommit && isWorld(file.path)) continue
      if (reference !== each.reference || (isInFolder(file.path) && existsSync(file.path)))
        throw new Refusal(
          `${each.text}: \`${displayPath(file.path, io.cwd)}\` is read from ${reference === each.reference ? 'the working folder' : `git:${reference}`} as well`,
          'name one version of each file; `grantwise diff` compares two',
        )
      if (!listed.get(file.path)?.file.isNamed) listed.set(file.path, { file, reference })
    }
  }
  return { paths, listed: [...listed.values()].map(({ file }) => file), ...common }
}

/** The files of a commit for a path, and for the inventory. */
async function filesOf(
  { text, reference, path }: GitPath,
  foldersOf: () => Folders,
  hasWorld: boolean,
  config: Config,
  io: Io,
  mayBeEmpty: boolean,
): Promise<readonly ListedFile[]> {
  const givenPaths = path === undefined ? [] : [path]
  const policies = pathsOf(givenPaths, { ...config, world: undefined })
  const git = await import('./git.ts')
  const isWanted = await withinPaths(hasWorld ? pathsOf(givenPaths, config) : policies, io.cwd)
  const listed = git.filesAt(reference, io, policies, isWanted)
  const isPolicies = await withinPaths(policies, io.cwd)
  // A path that is neither in the commit nor in the folder is a typo: as an empty side, all access would look new, or unchanged.
  if (path !== undefined && !listed.some((file) => isPolicies(file.path)) && !(mayBeEmpty && (await isThere(path, io))))
    throw new Refusal(`${text}: ${mayBeEmpty ? 'neither the commit nor the working folder holds' : 'the commit does not hold'} \`${path}\``)
  const named = path === undefined ? undefined : resolve(io.cwd, path)
  const around = foldersOf()
  return listed.map((file) => ({ ...file, around, isNamed: file.path === named }))
}

/** Whether the working folder holds a path, or what a glob matches. */
async function isThere(path: string, { cwd }: Io): Promise<boolean> {
  if (existsSync(resolve(cwd, path))) return true
  return isGlob(path) && (await discover({ paths: [path] }, { cwd })).candidates.length > 0
}

/** Refuse a branch, tag or commit where a file is expected. */
async function refuseReference(path: string, io: Io): Promise<void> {
  if (path === '-' || isGlob(path) || kindOf(path, io.cwd) !== 'missing' || !/^[\w@^~./{}:-]+$/.test(path) || path.startsWith('-')) return
  const [reference = ''] = path.split(':')
  if (reference !== '' && (await import('./git.ts')).isReference(reference, io))
    throw new Refusal(`${path}: no such file or folder`, `did you mean the commit, \`git:${path}\`?`)
}
