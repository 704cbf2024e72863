import { readlinkSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { resourceWord } from '../../names.ts'
import { isHcl, notationOf } from '../../source.ts'
import { limits, mayHoldPolicy, type Problem } from '../../sources/limits.ts'
import type { Options } from '../app/commands.ts'
import type { Io } from '../app/io.ts'
import { displayPath, isWithin } from '../app/paths.ts'
import { Refusal } from '../app/refusal.ts'
import { type Config, configNames } from './config.ts'
import { isReadWhereNamed, type ListedFile, type Selection, withinPaths } from './files.ts'
import { distinctNames, git, isReference, objectOf, pathToTop, plainDiffOptions, repositoryTop } from './git.ts'
import { pathsOf } from './policies.ts'
import { decode, invalidNameProblem, isUnnameable, kindAt, refusals, tooLarge, withoutMark } from './read-file.ts'
import {
  Blobs,
  bytesOf,
  changedBetween,
  commitTree,
  foldersOfTree,
  indexTree,
  isRegular,
  linkMode,
  type Tree,
  type TreeEntry,
  unmergedFiles,
  withDisk,
} from './trees.ts'

/**
 * A change: two states of a repository. All of the policies are read in both, since a file may give values to another one, and a
 * guardrail or a rule about the whole set may depend on any of them.
 */
export interface Change {
  /** The files that change, by absolute paths: those that go as well. */
  readonly files: ReadonlySet<string>
  /** The files to read of the state after the change. */
  readonly after: Selection
  /** The same of the state before it. */
  readonly before: Selection
  /** The texts of changed files before the change; '' for those that did not exist. */
  readonly textBefore: (file: string) => string | undefined
  /** Changed files that may hold policies and are not read. */
  readonly problems: readonly Problem[]
  /** Other files that are not read, in words: none of them changes. */
  readonly notes: readonly string[]
  /** Not all policies are read: there are too many files. */
  readonly isPartial: boolean
}

/** The two states of a change, and what is asked for by name. */
interface States {
  readonly before: Tree
  readonly after: Tree
  readonly files: ReadonlySet<string>
}

/** The changes of the next commit. */
function staged(io: Io): States {
  return between(headTree(io), indexTree(io))
}

/** The difference of the disk from a commit, untracked files included. */
function since(reference: string, io: Io): States {
  if (reference === '' || reference.startsWith('-')) throw new Refusal(`--since \`${reference}\`: expected a commit, branch or tag`)
  const top = repositoryTop(io)
  const commit = objectOf(reference, 'commit', io, `--since \`${reference}\``)
  const listed = (args: readonly string[]) => distinctNames(git(args, io)).map((path) => resolve(top, path))
  const differing = (...filter: readonly string[]) => listed(['diff', '--name-only', ...plainDiffOptions, ...filter, commit, '--'])
  const changed = differing()
  const untracked = listed(['ls-files', '--others', '--exclude-standard', '--full-name', '-z', '--', pathToTop(io)])
  // The disk cannot be asked for these by their names: git knows which of them are there.
  const unnameable = [...(changed.some(isUnnameable) ? differing('--diff-filter=d') : []), ...untracked].filter(isUnnameable)
  const before = commitTree(commit, io)
  return between(before, withUnnameable(withDisk(before, [...changed, ...untracked]), unnameable))
}

/** A tree with files on the disk that cannot be opened by their names. */
function withUnnameable(tree: Tree, files: readonly string[]): Tree {
  return new Map([...tree, ...files.map((file) => [file, { mode: '100644', id: undefined, from: 'the disk' }] as const)])
}

/**
 * The changes in some files as they are on the disk, and those of the next commit; in a pre-commit hook that looks at commits,
 * the changes of these. Undefined where git knows none of the files: they belong to nothing.
 */
function withFiles(named: readonly string[], io: Io): States | undefined {
  const unnameable = named.find((file) => isUnnameable(file) && kindAt(file) === 'missing')
  if (unnameable !== undefined) throw new Refusal(`${displayPath(unnameable, io.cwd)}: ${invalidNameProblem}`)
  const { PRE_COMMIT_FROM_REF: from, PRE_COMMIT_TO_REF: to } = io.env
  const before = from && to ? commitTree(mergeBase(from, to, io), io) : headTree(io)
  const index = indexTree(io)
  const knownFiles = named.filter((file) => index.has(file) || before.has(file))
  if (named.length > 0 && knownFiles.length === 0) return undefined
  const states = between(before, withDisk(index, named))
  return { ...states, files: new Set([...states.files, ...named]) }
}

function between(before: Tree, after: Tree): States {
  return { before, after, files: changedBetween(before, after) }
}

/** The commit before the next one; nothing where that is the first. */
function headTree(io: Io): Tree {
  return isReference('HEAD', io) ? commitTree('HEAD', io) : new Map()
}

/** The commit that two have in common, from which pre-commit counts what changes; the first where there is none. */
function mergeBase(from: string, to: string, io: Io): string {
  const [base, head] = [objectOf(from, 'commit', io, 'PRE_COMMIT_FROM_REF'), objectOf(to, 'commit', io, 'PRE_COMMIT_TO_REF')]
  try {
    return git(['merge-base', base, head], io).toString('latin1').trim()
  } catch (error) {
    if (error instanceof Refusal) return base
    throw error
  }
}

type ChangeOptions = Pick<Options<'lint'>, 'staged' | 'since'>

/**
 * The change that options ask about; undefined where git knows none of the named files. `paths`: the ones to look at in addition
 * to the policies of the configuration. `named`: files by absolute paths, where the change is not one of git alone.
 */
export async function changeOf(
  options: ChangeOptions,
  paths: readonly string[],
  named: readonly string[],
  config: Config,
  io: Io,
): Promise<Change | undefined> {
  const states = options.since !== undefined ? since(options.since, io) : options.staged ? staged(io) : withFiles(named, io)
  if (!states) return undefined
  const { files, before } = states
  const reader = await readerOf(files, paths, config, io)
  const textBefore = (file: string) => {
    if (!files.has(file)) return undefined
    const entry = before.get(file)
    const bytes = entry && isRegular(entry) ? bytesOf(file, entry, reader.blobs, 'settings', io) : undefined
    return withoutMark((bytes && decode(bytes).text) ?? '')
  }
  const read = mayConcern(states, reader, config, io) ? whatIsRead(states, reader, io) : nothingRead
  // The index has our version of a file with a conflict, which the next commit cannot have: without this, nothing would differ.
  const isGoverned = (file: string) => reader.isRead(file) || configNames.includes(basename(file))
  const unmerged = (options.since === undefined ? unmergedFiles(io) : []).filter(isGoverned)
  const problems = unmerged.map((file) => ({
    path: displayPath(file, io.cwd),
    message: 'not merged: resolve the conflict, then `git add` it',
  }))
  return { ...read, problems: [...problems, ...read.problems], files: new Set([...files, ...unmerged]), textBefore }
}

const nothingToRead: Selection = { paths: [], listed: [], ifPolicy: true, mayBeEmpty: true }
const nothingRead: Omit<Change, 'files' | 'textBefore'> = {
  after: nothingToRead,
  before: nothingToRead,
  problems: [],
  notes: [],
  isPartial: false,
}

/** The context for reading a change. */
interface Reader {
  readonly blobs: Blobs
  /** Whether a file is where policies are looked for, by its path. */
  readonly isWanted: (file: string) => boolean
  /** Whether it is also of a kind that is linted. */
  readonly isRead: (file: string) => boolean
  readonly isWorld: (file: string) => boolean
  /** The top of the repository. */
  readonly top: string
  readonly io: Io
}

async function readerOf(files: ReadonlySet<string>, paths: readonly string[], config: Config, io: Io): Promise<Reader> {
  const isWanted = await withinPaths([...pathsOf([], config), ...paths], io.cwd)
  const isWorld = await withinPaths(config.world ?? [], io.cwd)
  const isRead = (file: string) => (notationOf(file) !== undefined || (files.has(file) && isReadWhereNamed(file))) && isWanted(file)
  return { blobs: new Blobs(io), isWanted, isRead, isWorld, top: repositoryTop(io), io }
}

/** Whether what is found can be another after the change: the quick test that spares reading everything. */
function mayConcern(states: States, reader: Reader, config: Config, io: Io): boolean {
  const files = [...states.files]
  const { isRead, isWanted, isWorld } = reader
  const governing = new Set([...config.files, ...(config.catalogue ? [config.catalogue.value] : [])].map((file) => resolve(io.cwd, file)))
  if (files.some((file) => governing.has(file) || configNames.includes(basename(file)) || isWorld(file))) return true
  const trees = [states.after, states.before]
  // A link, or another repository, may be another one.
  if (files.some((file) => isWanted(file) && trees.some((tree) => isPointer(tree.get(file))))) return true
  const changedTexts = textsIn(
    files.filter((file) => isRead(file) && !isHcl(notationOf(file))),
    trees,
    reader,
  )
  if (changedTexts.some(({ file, text }) => text === undefined || mayHoldPolicy(text) || notationOf(file) === 'rules')) return true
  const inHcl = (file: string) => isHcl(notationOf(file))
  const configurations = textsIn(new Set([...states.after.keys(), ...files].filter(inHcl)), trees, reader)
  if (!configurations.some(({ text }) => text === undefined || text.includes(resourceWord(config.settings)))) return false
  // Functions may read any file.
  return files.some(inHcl) || configurations.some(({ text }) => text === undefined || readsFiles.test(text))
}

const isPointer = (entry: TreeEntry | undefined) => entry !== undefined && !isRegular(entry)

/** The texts of files in some trees; undefined for those that are too large, or cannot be read. */
function textsIn(files: Iterable<string>, trees: readonly Tree[], { blobs, io }: Reader) {
  const entries = [...files].flatMap((file) =>
    trees.flatMap((tree) => {
      const entry = tree.get(file)
      return entry && isRegular(entry) ? [{ file, entry }] : []
    }),
  )
  blobs.measure(entries.flatMap(({ entry }) => entry.id ?? []))
  const isBearable = ({ id }: TreeEntry) => id === undefined || (blobs.sizeOf(id) ?? limits.file + 1) <= limits.file
  blobs.fetch(entries.flatMap(({ entry }) => (isBearable(entry) && entry.id !== undefined ? [entry.id] : [])))
  return entries.map(({ file, entry }) => ({
    file,
    text: isBearable(entry) ? bytesOf(file, entry, blobs, 'none', io)?.toString('latin1') : undefined,
  }))
}

/** A call of a function that reads files: `file`, `filebase64`, `fileset`, `templatefile`. */
const readsFiles = /\b(?:template)?file(?:set|exists|base64|md5|sha1|sha256|sha512|base64sha256|base64sha512)?\s*\(/

/** The files to read of both states. */
function whatIsRead({ before, after, files }: States, reader: Reader, io: Io): typeof nothingRead {
  const { blobs, isRead } = reader
  const all = (tree: Tree) => [...tree].filter(([file, entry]) => isRegular(entry) && isRead(file))
  const chosen = all(after)
  blobs.measure([...chosen, ...all(before)].flatMap(([, { id }]) => id ?? []))
  const total = chosen.reduce((sum, [, { id }]) => sum + (id === undefined ? 0 : (blobs.sizeOf(id) ?? 0)), 0)
  const most = chosen.length > limits.files ? `${limits.files} files` : total > limits.total ? `${limits.total / 2 ** 20} MiB` : undefined
  const isAsked = ([file]: readonly [string, TreeEntry]) => most === undefined || files.has(file)
  const faults = [...chosen.filter(isAsked).flatMap((each) => faultOf(each, blobs, io)), ...pointersIn(after, files, reader, io)]
  const selection = (tree: Tree): Selection => {
    const bearable = all(tree).filter((each) => isAsked(each) && faultOf(each, blobs, io).length === 0)
    blobs.fetch(bearable.flatMap(([, { id }]) => id ?? []))
    const listed = bearable.map(([path, { id, from }]): ListedFile => {
      const bytes = id === undefined ? undefined : blobs.get(id)
      return { path, ...(bytes && id !== undefined && { bytes, origin: { from, blob: id } }) }
    })
    return { ...nothingToRead, fences: 'named', listed, folders: foldersOfTree(tree, blobs, io) }
  }
  const isOfChange = ({ path }: Problem) => files.has(resolve(io.cwd, path))
  return {
    after: selection(after),
    before: selection(before),
    problems: faults.filter((fault) => isOfChange(fault) && !fault.isNote),
    notes: [
      ...(most === undefined
        ? []
        : [
            `more than ${most}: only what changes is read, and not the policies that it is to be seen with. Set \`policies\` in the configuration`,
          ]),
      ...faults.filter((fault) => !isOfChange(fault) || fault.isNote).map(({ path, message }) => `${path}: ${message}`),
    ],
    isPartial: most !== undefined,
  }
}

interface Fault extends Problem {
  /** It is said, and no reason to refuse the change. */
  readonly isNote?: boolean
}

/** Why a file of a tree is not read. */
function faultOf([file, { id }]: readonly [string, TreeEntry], blobs: Blobs, io: Io): readonly Fault[] {
  if (id === undefined)
    return isUnnameable(file) && kindAt(file) === 'missing' ? [{ path: displayPath(file, io.cwd), message: invalidNameProblem }] : []
  const size = blobs.sizeOf(id)
  if (size !== undefined && size <= limits.file) return []
  return [{ path: displayPath(file, io.cwd), message: size === undefined ? 'git has no content for it' : tooLarge(size) }]
}

/** Links and other repositories that change, where what they point to may hold policies and is not read where it is. */
function pointersIn(after: Tree, files: ReadonlySet<string>, { blobs, isWanted, isRead, top }: Reader, io: Io): readonly Fault[] {
  return [...files].flatMap((file): readonly Fault[] => {
    const entry = after.get(file)
    if (!entry || isRegular(entry) || !isWanted(file)) return []
    const path = displayPath(file, io.cwd)
    if (entry.mode !== linkMode) return [{ path, message: 'another repository: what it holds is not read', isNote: true }]
    const text = entry.id === undefined ? linkTarget(file) : blobs.get(entry.id)?.toString('utf8')
    const target = resolve(dirname(file), text ?? '')
    const targetEntry = after.get(target)
    const isFound = isRead(file) ? targetEntry !== undefined && isRegular(targetEntry) && isRead(target) : isWithin(target, top)
    return isFound ? [] : [{ path, message: refusals.link }]
  })
}

function linkTarget(link: string): string | undefined {
  try {
    return readlinkSync(link)
  } catch {
    return undefined
  }
}

/** The texts of files as the index has them: the configuration for linting the next commit is part of it. */
export function stagedTexts(io: Io): (file: string) => string | undefined {
  let index: Tree | undefined
  const blobs = new Blobs(io)
  return (file) => {
    index ??= indexTree(io)
    const entry = index.get(file)
    const bytes = entry && isRegular(entry) ? bytesOf(file, entry, blobs, 'settings', io) : undefined
    return bytes && decode(bytes).text
  }
}
