import { basename, relative, resolve } from 'node:path'
import { isOpen } from '../../coverage.ts'
import type { Commit } from '../../history/commit.ts'
import type { State } from '../../history/state.ts'
import type { Known, Point } from '../../history/steps.ts'
import { lazy } from '../../memo.ts'
import type { World } from '../../policy.ts'
import { shown } from '../../report/safe.ts'
import { placeWords } from '../../report/words.ts'
import { isHcl, notationOf } from '../../source.ts'
import { decidableWorld } from '../../sources/decidable.ts'
import type { Folders, ReadFiles } from '../../sources/files.ts'
import { limits } from '../../sources/limits.ts'
import { GitMemory } from '../app/git-memory.ts'
import { type Io, ioWith } from '../app/io.ts'
import type { WorldOptions } from '../app/options.ts'
import { displayPath, isWithin, portable } from '../app/paths.ts'
import { Refusal } from '../app/refusal.ts'
import { progressOf } from '../output/progress.ts'
import { type CommitRead, commitsRead, type FileChange, isNothing } from './commits.ts'
import { type Config, configNames, loadConfig } from './config.ts'
import { configFilesAt } from './config-at.ts'
import { earlierNames } from './earlier-names.ts'
import { type ListedFile, withinPaths } from './files.ts'
import { foldersOf } from './folders.ts'
import { attributesIn, entriesOf, objectOf, refusePointers, repositoryTop } from './git.ts'
import { type AttributeFile, rewritingsOf } from './gitattributes.ts'
import { pathsOf, policySelection } from './policies.ts'
import { invalidNameProblem, isUnnameable } from './read-file.ts'
import { Changing, hasUnknowns, joined, noFiles, Ordered, type Reading, Readings, readingOf } from './readings.ts'
import { Blobs, isRegular, linkMode, repositoryMode, type TreeEntry } from './trees.ts'
import { decidedOf, readFiles, settingsOf } from './world.ts'

/**
 * The policies of each commit of a branch, as a checkout of it would have them: at the paths, and with the configuration, of that commit.
 *
 * Most commits change no policy, and those that do change few. A commit with the same files as the one before it has the same state; of
 * another, only the changed files are read. Configurations of Terraform, and other files that depend on each other, are read anew each time.
 */

export interface PastState extends State {
  readonly config: Config
  /** Basis of the state after a change of policies; undefined where that state depends on all files. */
  readonly following: Following | undefined
}

interface Following {
  readonly ordered: Ordered
  /** All but the policies. */
  readonly world: World
}

export interface PastOptions {
  readonly options: Pick<WorldOptions, 'policies' | 'formatIn' | 'config' | 'var' | 'varFile' | 'varEnv' | 'root'>
  /** Paths in the commits, in the place of those of their configurations; none where these count. */
  readonly paths: readonly string[]
}

/** The files of a commit that matter, and its policies. */
interface Snapshot {
  /** Files that may hold policies or say how to read them, links, and other repositories. By absolute paths. */
  readonly entries: Map<string, TreeEntry>
  /** Those at the paths of policies. */
  readonly readings: Readings
  settings: Governing | undefined
  known: Known<PastState>
}

/** The configuration of a commit: where its policies are, and how to read them. */
interface Governing {
  readonly config: Config
  /** The files that it is made of: absolute paths. */
  readonly files: ReadonlySet<string>
  readonly isWanted: (file: string) => boolean
  /** The paths that were given, by their names at the commit; none where those of the configuration count. */
  readonly given: readonly string[]
  /** The paths of policies, absolute. */
  readonly named: readonly string[]
  readonly attributes: readonly AttributeFile[]
}

/** How many readings of files are kept: those of a file that is changed back need not be made again. */
const mostReadings = 20_000

/** The policies of the last commit of a branch. */
export async function lastState(ids: readonly string[], given: PastOptions, io: Io): Promise<Known<PastState>> {
  const id = ids.at(-1) as string
  const [commit] = commitsRead([id], io) as Iterable<CommitRead> as [CommitRead]
  return (await new Past(given, io).after(undefined, { ...commit, changes: wholeTree(id, io) }, 0)).known
}

/** All files of a commit, as one that adds them all would have them. */
const wholeTree = (id: string, io: Io): readonly FileChange[] =>
  entriesOf(objectOf(id, 'tree', io, id), repositoryTop(io), io).map(({ path, mode, id: blob }) => ({ path, mode, id: blob, before: '0' }))

/** The points of the history of a branch, in the order of their commits. */
export async function* pastPoints(
  ids: readonly string[],
  allParents: boolean,
  pastOptions: PastOptions,
  io: Io,
): AsyncGenerator<Point<PastState>> {
  const past = new Past(pastOptions, io)
  // Of a first commit that has parents all files are read, as the others say only what they change.
  const commits = [...commitsRead(ids, io)].map((commit, i) =>
    i === 0 && commit.parents.length > 0 ? { ...commit, changes: wholeTree(commit.id, io) } : commit,
  )
  const places = new Map(ids.map((id, i) => [id, i]))
  const parentsOf = ({ parents }: CommitRead) => parents.slice(0, allParents ? undefined : 1).flatMap((id) => places.get(id) ?? [])
  const lastUses = new Map<number, number>()
  for (const [i, commit] of commits.entries()) for (const parent of parentsOf(commit)) lastUses.set(parent, i)
  const snapshots = new Map<number, Snapshot>()
  past.follow(commits)
  await refuseUnknown(pastOptions.paths, commits, io)
  for (const [i, commit] of commits.entries()) {
    past.fetchAhead(commits, i)
    const parents = parentsOf(commit)
    const [first] = parents
    const parent = first === undefined ? undefined : snapshots.get(first)
    const done = [...new Set(parents)].filter((place) => lastUses.get(place) === i)
    for (const place of done) snapshots.delete(place)
    const isLast = first !== undefined && done.includes(first)
    const snapshot = await past.after(isLast ? parent : parent && copyOf(parent), commit, i)
    if (lastUses.has(i)) snapshots.set(i, snapshot)
    yield { commit, parents, done, known: snapshot.known }
  }
}

/**
 * Look at the point of each commit in order, with the progress on a terminal, until `look` gives false. Gives the first commit and the last
 * one that were looked at, and how many there were.
 */
export async function lookThrough(
  ids: readonly string[],
  { allParents, given }: { readonly allParents: boolean; readonly given: PastOptions },
  io: Io,
  look: (point: Point<PastState>) => unknown,
): Promise<{ readonly first: Commit; readonly last: Commit; readonly count: number }> {
  const progress = progressOf({ progress: true }, io, 'commits')
  const ends: Commit[] = []
  let count = 0
  for await (const point of pastPoints(ids, allParents, given, io)) {
    progress?.(count, ids.length)
    ends[count++ === 0 ? 0 : 1] = point.commit
    if ((await look(point)) === false) break
  }
  progress?.end()
  return { first: ends[0] as Commit, last: ends.at(-1) as Commit, count }
}

/** Refuse one of several paths at which no commit has a file: if it is misspelt, its denies would be missing. */
async function refuseUnknown(paths: readonly string[], commits: readonly CommitRead[], io: Io): Promise<void> {
  if (paths.length < 2) return
  for (const path of paths) {
    const [isWanted, named] = [await withinPaths([path], io.cwd), resolve(io.cwd, path)]
    if (!commits.some(({ changes }) => changes.some((change) => isWithin(change.path, named) || isWanted(change.path))))
      throw new Refusal(`no commit holds a file at \`${shown(path)}\``, 'name files and folders as seen from the working folder')
  }
}

const copyOf = ({ entries, readings, ...others }: Snapshot): Snapshot => ({
  ...others,
  entries: new Map(entries),
  readings: readings.copy(),
})

/** Whether a file may be one of those that matter, by its name. */
function mayMatter({ path, mode }: Pick<FileChange, 'path' | 'mode'>): boolean {
  const name = basename(path)
  return notationOf(name) !== undefined || name === '.gitattributes' || isPointer({ mode }) || configNames.includes(name)
}

const isPointer = ({ mode }: Pick<TreeEntry, 'mode'>) => mode === linkMode || mode === repositoryMode

/** How many commits' files are fetched from git in one go. */
const mostAhead = 500

class Past {
  private readonly options: PastOptions['options']
  private readonly paths: readonly string[]
  /** Paths by which those that were asked for went before a commit, by its place: they are looked at as well. */
  private earlier: ReadonlyMap<number, readonly string[]> = new Map()
  private readonly io: Io
  private readonly top: string
  private blobs: Blobs
  private readonly readings = new WeakMap<Config, Map<string, Reading>>()
  private isWanted: (file: string) => boolean = () => true

  constructor({ options, paths }: PastOptions, io: Io) {
    this.options = options
    this.paths = paths
    this.io = io
    this.top = repositoryTop(io)
    this.blobs = new Blobs(io)
  }

  /** Note by which names the given paths went before they were renamed. */
  follow(commits: readonly CommitRead[]): void {
    this.earlier = earlierNames(
      this.paths.map((path) => resolve(this.io.cwd, path)),
      commits,
    )
  }

  /** The contents of the files that the next commits change, in one go. */
  fetchAhead(commits: readonly CommitRead[], start: number): void {
    if (start % mostAhead !== 0) return
    this.blobs = new Blobs(this.io)
    const next = commits.slice(start, start + mostAhead)
    const isRead = ({ path, mode }: FileChange) => mode.startsWith('100') && notationOf(path) !== undefined && this.isWanted(path)
    this.fetch(next.flatMap(({ changes }) => changes.flatMap((change) => (isRead(change) ? [change.id] : []))))
  }

  /** The contents of files, as many as are held in one go; the others are fetched when they are asked for. */
  private fetch(ids: readonly string[]): void {
    this.blobs.measure(ids)
    let size = 0
    const fitting = ids.filter((id) => {
      const blobSize = this.blobs.sizeOf(id) ?? 0
      if (blobSize > limits.file || size + blobSize > limits.total) return false
      size += blobSize
      return true
    })
    this.blobs.fetch(fitting)
  }

  /** The snapshot of a commit, made from the one of the parent. */
  async after(parent: Snapshot | undefined, commit: CommitRead, place: number): Promise<Snapshot> {
    const { entries, readings, ...before } = parent ?? {
      entries: new Map(),
      readings: new Readings(),
      settings: undefined,
      known: unknownYet,
    }
    for (const { path, mode, id } of commit.changes) {
      if (isNothing(mode)) entries.delete(path)
      else if (mayMatter({ path, mode })) entries.set(path, { mode, id, from: commit.short })
      else entries.delete(path)
    }
    const snapshot: Snapshot = { entries, readings, ...before }
    try {
      await this.update(snapshot, commit, place, parent === undefined)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      snapshot.settings = undefined
      snapshot.known = { why: refusalWords(error) }
    }
    return snapshot
  }

  private async update(snapshot: Snapshot, commit: CommitRead, place: number, isFirst: boolean): Promise<void> {
    const { entries, readings } = snapshot
    const changed = commit.changes.map(({ path }) => path)
    const isGoverning = (path: string) =>
      configNames.includes(basename(path)) || basename(path) === '.gitattributes' || snapshot.settings?.files.has(path) === true
    const namedPaths = this.namesAt(place)
    const isNew = isFirst || snapshot.settings?.given !== namedPaths || changed.some(isGoverning)
    if (isNew) {
      snapshot.settings = undefined
      snapshot.settings = await this.governing(entries, commit.short, namedPaths)
      readings.clear()
    }
    const settings = snapshot.settings as Governing
    this.isWanted = settings.isWanted
    const isConcerned = (path: string) => settings.isWanted(path) || settings.named.some((each) => isWithin(each, path))
    const matters =
      isNew ||
      commit.changes.some((change) => mayMatterAt(change) && isConcerned(change.path)) ||
      (changed.length > 0 && readings.hasDependent)
    if (!matters) return
    const toRead = new Map<string, TreeEntry>()
    const before = isNew ? undefined : snapshot.known.state
    const changes = new Changing()
    for (const path of isNew ? entries.keys() : changed) {
      const entry = entries.get(path)
      if (entry && isRegular(entry) && notationOf(path) !== undefined && settings.isWanted(path)) toRead.set(path, entry)
      else {
        changes.note(path, readings.get(path), undefined)
        readings.delete(path)
      }
    }
    if (isNew) this.fetch([...toRead.values()].flatMap(({ id }) => id ?? []))
    for (const [path, entry] of toRead) {
      const reading = await this.reading(path, entry, settings)
      changes.note(path, readings.get(path), reading)
      readings.set(reading)
    }
    // Of the others this was seen when they were read: after a refusal, all are read anew.
    const unnameable = [...toRead.keys()].find(isUnnameable)
    if (unnameable !== undefined) throw new Refusal(`${displayPath(unnameable, this.io.cwd)}: ${invalidNameProblem}`)
    if (hasPointer(entries, isConcerned))
      refusePointers(listOf(entries), settings.named, this.top, commit.short, this.io, settings.isWanted)
    snapshot.known = stateAfter(before, changes, snapshot) ?? (await this.stateOf(snapshot, settings, commit))
  }

  private async governing(entries: Snapshot['entries'], name: string, namedPaths: readonly string[]): Promise<Governing> {
    // A configuration that is named is the one on the disk.
    const committed = typeof this.options.config === 'string' ? undefined : configFilesAt(entries, this.top, this.blobs, this.io)
    const config = await loadConfig(this.options, this.io, committed)
    const paths = pathsOf(namedPaths, config)
    const isWanted = await withinPaths(paths, this.io.cwd)
    const all = listOf(entries)
    const files = all.filter(({ path, mode }) => mode.startsWith('100') && notationOf(path) !== undefined && isWanted(path))
    return {
      config,
      files: new Set(config.files.map((file) => resolve(this.io.cwd, file))),
      isWanted,
      given: namedPaths,
      named: pathsOf(namedPaths, { ...config, world: undefined }).map((path) => resolve(this.io.cwd, path)),
      attributes: files.length === 0 ? [] : attributesIn(all, files, this.top, name, this.io),
    }
  }

  /** The given paths as they were at a commit. */
  private namesAt(place: number): readonly string[] {
    for (const [at, paths] of [...this.earlier].reverse()) if (place < at) return paths
    return this.paths
  }

  /** A file by itself: from before, where it was read before. */
  private async reading(path: string, { id = '' }: TreeEntry, { config, named, attributes }: Governing): Promise<Reading> {
    const rewritings = rewritingsOf(attributes, portable(relative(this.top, path)))
    const isNamed = named.includes(path)
    const key = JSON.stringify([path, id, isNamed, rewritings])
    const readings = this.readings.get(config) ?? new Map<string, Reading>()
    this.readings.set(config, readings)
    const before = readings.get(key)
    if (before) return before
    const reading = await this.readAnew({ path, isNamed, rewritings }, id, config)
    if (readings.size >= mostReadings) readings.clear()
    readings.set(key, reading)
    return reading
  }

  private async readAnew(file: ListedFile, id: string, config: Config): Promise<Reading> {
    const { path } = file
    const size = this.blobs.sizeOf(id) ?? 0
    if (isHcl(notationOf(path)) || size > limits.file) return readingOf({ path, read: noFiles, isDependent: true, size })
    const bytes = this.blobs.get(id)
    if (!bytes) throw new Refusal(`${displayPath(path, this.io.cwd)}: git does not have its content here`)
    const { folders, wasAsked } = askedFolders(this.io)
    const listed = [{ ...file, bytes, around: folders }]
    const read = await readFiles({ paths: [], listed, mayBeEmpty: true, decides: true, folders }, settingsOf(config, this.options), this.io)
    const isDependent = wasAsked() || read.each.some((each) => each.read.kind === 'declared')
    return readingOf({ path, read, isDependent, size })
  }

  private async stateOf(snapshot: Snapshot, settings: Governing, commit: Commit): Promise<Known<PastState>> {
    const { config } = settings
    const isTogether = isReadTogether(snapshot)
    const readings = isTogether ? [] : snapshot.readings.sorted()
    const read = isTogether ? await this.readTogether(snapshot, commit, settings) : joined(readings)
    const open = read.assumptions.find(isOpen)
    if (open) return { why: `${shown(open.what)}: ${shown(open.why)}` }
    const { world, errors } = decidableWorld(read)
    if (!world) return { why: faultOf(read, errors) }
    const state = read.each.length === 0 ? undefined : world
    const following = isTogether || hasUnknowns(read) ? undefined : { ordered: new Ordered(readings), world }
    return {
      state: {
        id: Symbol(),
        isEmpty: state === undefined,
        world: () => state,
        facts: () => read.facts,
        config,
        delta: undefined,
        following,
      },
    }
  }

  /** All files of a commit together, as a command about the commit reads them. */
  private async readTogether({ entries }: Snapshot, { id }: Commit, { config, given }: Governing): Promise<ReadFiles> {
    const io = ioWith(this.io, { git: new GitMemory() })
    const isThere = (path: string) => [...entries.keys()].some((file) => isWithin(file, resolve(io.cwd, path)))
    const paths = given.filter(isThere)
    if (given.length > 0 && paths.length === 0) return noFiles
    const named = paths.length === 0 ? [`git:${id}`] : paths.map((path) => `git:${id}:${path}`)
    const selection = await policySelection(named, config, io, { mayBeEmpty: true })
    const read = await readFiles(selection, settingsOf(config, this.options), io)
    return (await decidedOf([read], { root: this.options.root ?? [] }, io))[0] as ReadFiles
  }
}

/** Whether files have to be read together: for what is in them, or because the limits of a run count. */
function isReadTogether({ readings }: Snapshot): boolean {
  return readings.hasDependent || readings.count > limits.files || readings.size > limits.total
}

/** The state after a change of nothing but policies: all else is what it was. Undefined where more changes, or more may. */
function stateAfter(before: PastState | undefined, changes: Changing, snapshot: Snapshot): Known<PastState> | undefined {
  const delta = before && changes.since(before.id)
  if (!before?.following || !delta || isReadTogether(snapshot)) return undefined
  const { config, following } = before
  const { isEmpty } = snapshot.readings
  const ordered = following.ordered.after(changes.files)
  const world = () => (isEmpty ? undefined : { ...following.world, policies: ordered.list().flatMap(({ policies }) => policies) })
  return {
    state: { id: Symbol(), isEmpty, world, facts: () => joined(ordered.list()).facts, config, delta, following: { ...following, ordered } },
  }
}

const unknownYet: Known<PastState> = { why: 'not read' }

/** Whether a change may concern the policies: a file that is removed may have been one. */
const mayMatterAt = (change: FileChange) => isNothing(change.mode) || mayMatter(change)

function hasPointer(entries: Snapshot['entries'], isConcerned: (path: string) => boolean): boolean {
  for (const [path, entry] of entries) if (isPointer(entry) && isConcerned(path)) return true
  return false
}

const listOf = (entries: Snapshot['entries']) => [...entries].map(([path, { mode, id = '' }]) => ({ path, mode, id }))

/** A refusal in one line. */
function refusalWords({ message, diagnostics }: Refusal): string {
  const [problem] = diagnostics
  return problem ? `${placeWords(problem.span)}: ${shown(problem.message)}` : message
}

/** The first reason for which nothing is decided. */
function faultOf({ problems }: ReadFiles, [error]: NonNullable<ReturnType<typeof decidableWorld>['errors']>): string {
  if (error) return `${placeWords(error.span)}: ${shown(error.message)}`
  const [problem] = problems
  return problem ? `${shown(problem.path)}: ${shown(problem.message)}` : 'not all files can be read'
}

/** Folders in which nothing is, with whether anything was looked for. */
function askedFolders(io: Io): { readonly folders: Folders; readonly wasAsked: () => boolean } {
  let isAsked = false
  const ask = <T>(answer: T): T => {
    isAsked = true
    return answer
  }
  const { cwd, top, nameOf } = lazy(() => foldersOf(io))()
  const tools: Folders['tools'] = (texts, folders) => ask(foldersOf(io).tools(texts, folders))
  return {
    folders: { cwd, top, nameOf, isSameState: true, list: () => ask([]), read: () => ask(undefined), tools },
    wasAsked: () => isAsked,
  }
}
