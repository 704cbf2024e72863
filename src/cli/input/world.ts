import { resolve } from 'node:path'
import { type CanAsked, readCan } from '../../ask/can.ts'
import type { ReadContext } from '../../ask/context.ts'
import { type Assumption, isOpen, type Skipped } from '../../coverage.ts'
import { compareText, place } from '../../diagnostic.ts'
import type { Mapping } from '../../diff/mapped.ts'
import { type Settings, visible } from '../../names.ts'
import { nearest } from '../../nearest.ts'
import type { Facts } from '../../parser/policy.ts'
import { looksLikeRules } from '../../parser/rules-text.ts'
import type { World } from '../../policy.ts'
import { Names } from '../../report/names.ts'
import { shown } from '../../report/safe.ts'
import type { decide } from '../../simulate/decide.ts'
import type { Question } from '../../simulate/decision.ts'
import { withKnownTags } from '../../simulate/question.ts'
import { ShortNames } from '../../simulate/short-names.ts'
import type { Changes } from '../../simulate/supposed.ts'
import { isHcl, notationOf, position } from '../../source.ts'
import { decidableWorld } from '../../sources/decidable.ts'
import type { FileRead, Folders, ReadFiles, TextGiven } from '../../sources/files.ts'
import type { Problem } from '../../sources/limits.ts'
import { type Readers, readSources, uncreatedIn, unknownIn } from '../../sources/read.ts'
import { allReaders } from '../../sources/readers.ts'
import { describesAnything, emptyWorld, refersToFacts } from '../../world.ts'
import type { Arguments, CommandName, Options } from '../app/commands.ts'
import type { ExitCode } from '../app/exit.ts'
import { GitMemory } from '../app/git-memory.ts'
import { type Io, ioWith } from '../app/io.ts'
import type { ConfigOptions, RootOptions, WorldOptions } from '../app/options.ts'
import { displayPath, isBelow, portable } from '../app/paths.ts'
import { type Reason, Refusal, refuseProblems } from '../app/refusal.ts'
import { diagnosticLines, refuseAll } from '../output/diagnostics.ts'
import type { Progress } from '../output/progress.ts'
import { type Config, loadConfig } from './config.ts'
import { type Candidate, type Discovery, discover, fileEndings, type Read, readCandidate, type Selection } from './files.ts'
import { foldersOf } from './folders.ts'
import { policySelection } from './policies.ts'
import { scratchMemory } from './read-file.ts'
import type { ReadTexts } from './recalled-texts.ts'
import { type SupposedWorld, type Supposition, supposedOf, suppositionOf } from './suppose.ts'

/** The result of reading files. */
export interface FilesRead extends ReadFiles {
  /** Whether all of a folder, or a file, was looked at: absolute paths. */
  readonly covers: (path: string) => boolean
  /** The folders that were searched: absolute paths. */
  readonly searched: readonly string[]
}

/** The files of a selection, with their content, before anything is understood of them. */
export interface FilesFound extends Discovery {
  readonly texts: Iterable<TextGiven | Problem | Promise<TextGiven | Problem>>
}

/** Find the files of a selection. Their contents are read one after the other, when they are asked for. */
export async function findFiles(selection: Selection, io: Io, progress?: Progress): Promise<FilesFound> {
  const found = await discover(selection, io)
  return { ...found, texts: textsOf([...found.candidates, ...found.own], io, selection, progress) }
}

/**
 * Read all files of a selection. Reports nothing: errors are in the result. `recalled`: earlier readings, for callers that read
 * mostly the same files again.
 */
export async function readFiles(
  selection: Selection,
  settings: Settings,
  io: Io,
  progress?: Progress,
  recalled?: ReadTexts,
): Promise<FilesRead> {
  return readFound(await findFiles(selection, io, progress), selection, settings, io, recalled)
}

/** The same of files that were found. */
export async function readFound(
  { candidates, texts, problems: unread, skipped, searched, passed }: FilesFound,
  selection: Selection,
  settings: Settings,
  io: Io,
  recalled?: ReadTexts,
  usual?: Readers['usual'],
): Promise<FilesRead> {
  const options = {
    actionLists: selection.actionLists === true,
    folders: mappedFolders(selection.folders ?? foldersOf(io), selection.mapping),
    ...(recalled && { recall: recalled.recall }),
  }
  const read = await readSources(recalled ? recalled.known(texts) : texts, settings, { ...allReaders, ...(usual && { usual }) }, options)
  refuseVariables(read, settings)
  noteReads(read, candidates, passed, searched, io)
  const problems = [...unread, ...read.problems]
  if (read.files.length === 0 && problems.length === 0 && !selection.mayBeEmpty)
    problems.push(nothingFound(selection, candidates, skipped, read.passed))
  return {
    ...read,
    problems,
    passed: [...passed, ...read.passed],
    isPartial: read.isPartial || problems.length > 0,
    searched,
    covers: coverage(
      searched,
      candidates.map(({ file, path }) => file ?? resolve(io.cwd, path)),
    ),
  }
}

/** Note in the record of the run what was read, and where it was looked for. What is assumed is noted of what is decided over. */
function noteReads(
  read: ReadFiles,
  candidates: readonly Candidate[],
  passed: readonly Skipped[],
  searched: readonly string[],
  { record, cwd }: Io,
): void {
  if (!record) return
  record.search(searched.map((folder) => displayPath(folder, cwd)))
  record.pass(passed)
  record.pass(read.passed)
  const origins = new Map(candidates.map(({ path, origin }) => [path, origin]))
  // Modules of a configuration in a commit are read from that commit.
  const from = new Set(candidates.filter(({ path }) => isHcl(notationOf(path))).map(({ origin }) => origin?.from))
  const [first] = from
  const around = from.size === 1 && first !== undefined ? { from: first } : undefined
  for (const { source } of read.each) {
    const { path, notation } = source
    record.note(path, origins.has(path) ? 'policies' : 'part', undefined, origins.get(path) ?? (isHcl(notation) ? around : undefined))
  }
}

/** The texts of candidates, in order. */
function* textsOf(candidates: readonly Candidate[], io: Io, { decides = false, mapping }: Selection, progress?: Progress) {
  const { cwd } = io
  const memory = scratchMemory()
  let count = 0
  for (const candidate of candidates) {
    progress?.(++count, candidates.length)
    const read = readCandidate(candidate, io, 'none', memory, decides)
    const textGiven = (text: Read) =>
      givenOf(candidate, mapping && text.source ? { ...text, source: mapping.source(text.source) } : text, cwd)
    yield read instanceof Promise ? read.then(textGiven) : textGiven(read)
  }
}

/** The same folders, with the texts of their files mapped. */
function mappedFolders(folders: Folders, mapping: Mapping | undefined): Folders {
  if (!mapping) return folders
  const read: Folders['read'] = (path) => {
    const found = folders.read(path)
    return typeof found === 'object' ? { text: mapping.text(found.text, folders.nameOf(path)) } : found
  }
  // Files that are read lazily stay so.
  return Object.create(folders, { read: { value: read, enumerable: true } })
}

function givenOf({ path, file, bytes, isNamed, isOwn, around }: Candidate, { source, message }: Read, cwd: string): TextGiven | Problem {
  if (source === undefined) return { path, message }
  // Of a text file only its content says whether it is one of ours.
  if (source.notation === 'rules' && notationOf(path) === undefined && !looksLikeRules(source.text))
    return { path, message: `unsupported file type: expected a name that ends in ${fileEndings}` }
  const place = file ?? (path === '<stdin>' ? undefined : resolve(cwd, path))
  return {
    source,
    isNamed,
    ...(isOwn && { isOwn }),
    isElsewhere: bytes !== undefined || file === undefined,
    ...(around && { around }),
    file: place === undefined ? undefined : portable(place),
  }
}

/** Refuse values of variables that no root module declares, and files of values that cannot be read. */
function refuseVariables({ variables }: ReadFiles, settings: Settings): void {
  if (!variables) return
  refuseAll(variables.diagnostics, 'values of variables')
  const { declared } = variables
  const stray = [...(settings.variables?.given.keys() ?? [])].find((name) => declared?.includes(name) === false)
  if (stray === undefined) return
  const suggested = nearest(stray, declared ?? [])
  throw new Refusal(`--var \`${visible(stray)}\`: no root module declares such a variable`, suggested && `did you mean \`${suggested}\`?`)
}

/** Whether a file or folder is among those that were looked at, by the folders that were searched and the files. */
function coverage(searched: readonly string[], files: readonly string[]): (path: string) => boolean {
  let fileSet: Set<string> | undefined
  return (path) => {
    fileSet ??= new Set(files)
    return fileSet.has(path) || searched.some((folder) => path === folder || isBelow(path, folder))
  }
}

function nothingFound(
  { paths, listed = [] }: Selection,
  candidates: readonly Candidate[],
  skipped: number,
  passed: readonly Skipped[],
): Problem {
  const other = passed.find(({ isOfOtherPrefix }) => isOfOtherPrefix)
  const hint = other ? `; ${other.path} ${other.reason}` : ''
  const problem =
    candidates.length === 0 ? 'no file to read' : `no policy in ${candidates.length} ${candidates.length === 1 ? 'file' : 'files'}`
  const links = skipped === 0 ? '' : ` (left out: ${skipped} symbolic ${skipped === 1 ? 'link or special file' : 'links or special files'})`
  return { path: [...paths, ...listed.slice(0, 3).map((each) => each.path)].join(', '), message: `${problem}${links}${hint}` }
}

/** The problems as lines for standard error. */
export function problemLines(problems: readonly Problem[]): string {
  return problems.map(({ path, message }) => `grantwise: ${path === '' ? '' : `${shown(path)}: `}${shown(message)}\n`).join('')
}

/** `--format-in`: the notation of standard input without a name, whatever its first character is. */
function notationIn(options: Pick<WorldOptions, 'formatIn'>): Pick<Selection, 'stdinNotation'> {
  return options.formatIn === 'hcl' ? { stdinNotation: 'hcl' } : {}
}

/** The settings that files are read by: those of the configuration, and what they are taken for. */
export function settingsOf({ settings }: Config, options: Pick<WorldOptions, 'formatIn'>): Settings {
  const { formatIn } = options
  return formatIn === undefined || formatIn === 'hcl' ? settings : { ...settings, formatIn }
}

/** The world that a command decides over. */
export interface LoadedWorld {
  readonly world: World
  readonly settings: Settings
  /** Of the working folder. */
  readonly config: Config
  /** The texts of the world. */
  readonly sources: readonly Pick<FileRead, 'source' | 'read'>[]
  /** The hypothetical changes, applied to `world` alone. */
  readonly changes?: Changes
  /** Short names in it, and the names for output. */
  readonly short: ShortNames
  readonly names: Names
  /** Decides like `decide`, faster where many questions are asked about one world. */
  readonly decide?: typeof decide
}

/** The options of a question that say what it is decided over, and how what is supposed is printed. */
export type QuestionOptions = WorldOptions & {
  readonly format?: string | undefined
  readonly fullUrns?: boolean
  /** The question is about all that is described: tags and an address that are given are supposed of all of it. */
  readonly isOfAll?: true
  readonly tag?: readonly string[]
  readonly ip?: string | undefined
}

/** No option for policies: those of the configuration are read. */
export const noOptions = { policies: [], formatIn: undefined, var: [], varFile: [], varEnv: false, root: [] } as const

/** The problems of the other arguments; where they depend on the names in the world, a function that finds them. */
type Wrong = readonly Reason[] | ((names: ShortNames, settings: Settings) => readonly Reason[])

/** The files of a deciding command, before anything is supposed of them or asked. */
export interface Opened {
  readonly config: Config
  readonly settings: Settings
  readonly read: FilesRead
  /** Undefined where a file has an error, which was printed. */
  readonly world: World | undefined
  /** The short names of the world, which output uses unless whole URNs are asked for. */
  readonly short: ShortNames
  readonly names: Names
  readonly suppose: (supposition: Supposition, isFull: boolean) => Promise<SupposedWorld>
}

/** Read the files of a deciding command, those of `--with` included. `known`: the configuration, where it is loaded already. */
export async function openWorld(options: QuestionOptions, around: Io, knownConfig?: Config): Promise<Opened> {
  const io = ioWith(around, { git: new GitMemory() })
  const config = knownConfig ?? (await loadConfig(options, io))
  const settings = settingsOf(config, options)
  const selection = await policySelection(options.policies, config, io, { added: options.with ?? [] })
  const all = await readFiles({ ...selection, ...notationIn(options) }, settings, io)
  const read = await decided(all, options, io)
  return openedOf({ config, settings, read, world: decidable(read, io) }, options, io)
}

/** Files that were read, with the names in the world that they make. */
export function openedOf(made: Pick<Opened, 'config' | 'settings' | 'read' | 'world'>, options: QuestionOptions, io: Io): Opened {
  const { world, read, config } = made
  const short = new ShortNames(world)
  const suppose: Opened['suppose'] = (supposition, isFull) =>
    supposedOf(world ?? emptyWorld, supposition, read.each, options.policies, config, isFull, io, short)
  return { ...made, short, names: new Names(world ? [world] : []), suppose }
}

/** The world that a question is decided over: what was read, with what the question supposes. `isNoted`: its notes were printed. */
export async function worldIn(opened: Opened, options: QuestionOptions, io: Io, wrong: Wrong = [], isNoted = false) {
  const { config, settings, read, world } = opened
  const supposition = suppositionOf(options)
  const changed = supposition && world && (await opened.suppose(supposition, options.fullUrns === true))
  // A policy that is hypothetically removed still defines short names.
  const faults = typeof wrong === 'function' ? wrong(opened.short, settings) : wrong
  refuseProblems([...faults, ...(changed?.problems ?? supposition?.problems ?? [])])
  if (world && !isNoted) {
    noteUncreated([read], io)
    if (world.policies.length === 0 && !hasPolicies([read]) && uncreatedIn([read]).length === 0)
      io.stderr.write('grantwise: note: no policy was read: is the path right?\n')
    noteNoWorld([world], config, io)
  }
  const { circumstanceWords } = await import('../../report/supposed.ts')
  const lines = [...(changed?.lines ?? []), ...(options.isOfAll ? circumstanceWords(options) : [])]
  if (lines.length > 0) (await import('../output/supposed.ts')).writeSupposed(lines, options.format ?? 'pretty', io)
  if (!world) return undefined
  const { short, names } = changed ?? opened
  const decided = changed?.world ?? world
  const loaded: LoadedWorld = {
    world: decided,
    short,
    names: options.fullUrns ? new Names([decided], true) : names,
    settings,
    config,
    sources: read.each,
    ...(changed && { changes: changed.changes }),
  }
  return loaded
}

/**
 * The world of a deciding command. Where any file has an error, every problem of every file is reported on standard
 * error and the result is undefined: the part that was not understood may hold the deny.
 */
export async function loadWorld(options: QuestionOptions, io: Io, wrong: Wrong = [], known?: Config): Promise<LoadedWorld | undefined> {
  return worldIn(await openWorld(options, io, known), options, io, wrong)
}

/** Files that a session has read, and the paths they were read from. */
export interface SessionFiles {
  readonly read: FilesRead
  readonly paths: readonly string[]
}

/** Where a command finds what it answers from: in files, or in a session that has read them. */
export interface Loader {
  readonly config: (options: ConfigOptions, io: Io) => Promise<Config>
  readonly world: (options: QuestionOptions, io: Io, wrong?: Wrong, known?: Config) => Promise<LoadedWorld | undefined>
  /** Of a session: what it read at its start, and what it has read now. */
  readonly held?: readonly [start: SessionFiles, now: SessionFiles]
}

/** A command that answers from files or from a session. */
export type Answer<Name extends CommandName> = (args: Arguments<Name>, options: Options<Name>, io: Io, loader?: Loader) => Promise<ExitCode>

export const fromFiles: Loader = { config: loadConfig, world: loadWorld }

/**
 * Note that nothing describes the users and resources that policies refer to, so that memberships and tags are not known: a new
 * user takes the answer for one about the account.
 */
export function noteNoWorld(worlds: readonly World[], { world }: Config, io: Io): void {
  const isDescribed = describesAnything(worlds) || worlds.some(({ resourceGroups }) => resourceGroups.size > 0)
  if (world !== undefined || isDescribed || !worlds.some(refersToFacts)) return
  io.stderr.write('grantwise: note: no world file: people and resources are unknown\n')
}

/** Whether anything read has a policy: one with values that are not known has no place in the world where it is about no identity. */
export function hasPolicies(reads: readonly Pick<ReadFiles, 'facts'>[]): boolean {
  return reads.some(({ facts }) => facts.some(({ policies }) => policies.length > 0))
}

/** How many of what is never made are named. */
const mostUncreated = 5

/**
 * Note policies that the configurations describe and create none of: they have no effect, which would surprise readers of the
 * configuration.
 */
export function noteUncreated(reads: readonly Pick<ReadFiles, 'each'>[], io: Io): void {
  const all = uncreatedIn(reads)
  for (const { address, head, why } of all.slice(0, mostUncreated))
    io.stderr.write(`grantwise: note: \`${shown(address)}\` at ${shown(place(head))} is created zero times: ${shown(why)}\n`)
  if (all.length > mostUncreated) io.stderr.write(`grantwise: note: ${all.length - mostUncreated} more are created zero times\n`)
}

/** The world to decide over: see `decidedOver`, which is loaded where there is anything to choose from. */
export async function decided<T extends ReadFiles>(read: T, options: RootOptions, io: Io, how?: string): Promise<T> {
  return (await decidedOf([read], options, io, how))[0] as T
}

/** The expressions of configurations whose values are not known, apart from parts that were not read: answers name them. */
function assumedValues(read: ReadFiles): readonly Assumption[] {
  const parts = new Set(read.assumptions.map(({ what }) => what))
  return unknownIn(read)
    .filter((expression) => !parts.has(expression))
    .map((expression) => ({
      kind: 'value',
      what: expression,
      why: 'its value is not known before it is applied',
      help: 'give the value: a `.tfvars` file, `--var`, or a plan',
      matters: true,
      inWorld: true,
    }))
}

/** The groups that policies name and nothing describes: by the semantics, only identities that are said to be members are. */
function assumedGroups(facts: readonly Facts[]): readonly Assumption[] {
  const named = facts.flatMap(({ policies }) =>
    policies.flatMap(({ identities }) => identities.flatMap(({ value }) => (value.kind === 'group' ? value.text : []))),
  )
  const described = new Set(facts.flatMap(({ identities }) => identities.flatMap(({ groups = [] }) => groups)))
  return [...new Set(named)]
    .filter((urn) => !described.has(urn))
    .sort(compareText)
    .map((urn) => ({
      kind: 'groups',
      what: urn,
      why: 'its members are not described: an identity has the groups that are given, and no others',
      help: 'describe the members under `identities`, or give groups with `--group`',
      matters: false,
    }))
}

export async function decidedOf<T extends ReadFiles>(
  reads: readonly T[],
  options: RootOptions,
  io: Io,
  how?: string,
): Promise<readonly T[]> {
  const isOne = reads.every(({ roots }) => roots.length < 2) && options.root.length === 0
  const chosen = isOne ? reads : (await import('./roots.ts')).decidedOver(reads, options, io, how)
  for (const read of chosen) {
    io.record?.assume(read.assumptions)
    if (io.record?.isAsked) io.record.assume([...assumedGroups(read.facts), ...assumedValues(read)])
  }
  return chosen
}

/** Refuse to propose other policies in the place of some of which not all is known: a proof would be about what is left of them. */
export function refuseOpen(command: string, { sources }: Pick<LoadedWorld, 'sources'>, does = 'proposes other policies'): void {
  const [first] = sources.flatMap(({ read }) => read.open?.unknowns ?? [])
  if (!first) return
  const { line, column } = position(first.source, first.start)
  throw new Refusal(
    `\`${command}\` ${does}, and not all is known of these: \`${shown(first.expression)}\` at ${shown(first.source.path)}:${line}:${column}`,
    'give the values of these expressions: a `.tfvars` file, or a plan',
  )
}

/**
 * The world of files; undefined where one of them has an error, every one of which is then on standard error. `nothing`: the
 * message about what is not done; `compared`: see `buildWorld`.
 */
export function decidable(
  read: ReadFiles,
  io: Io,
  { nothing = 'nothing is decided over', compared = [] }: { readonly nothing?: string; readonly compared?: readonly Facts[] } = {},
): World | undefined {
  const { world, errors = [] } = decidableWorld(read, compared)
  // A part that could not be included in the world as unknown prevents every answer.
  const open = read.assumptions.filter(isOpen)
  if (world && open.length === 0) return world
  io.stderr.write(diagnosticLines(errors))
  for (const { what, why, help } of open)
    io.stderr.write(`grantwise: ${shown(what)}: ${shown(why)}\n${help === undefined ? '' : `  help: ${shown(help)}\n`}`)
  io.stderr.write(problemLines(read.problems))
  io.stderr.write(`grantwise: ${nothing} policies that were not fully read and understood\n`)
  return undefined
}

/**
 * Load the world, and with its settings read the question that the arguments put to it. Undefined where either has
 * errors, which were printed.
 */
export async function loadQuestion(
  asked: CanAsked,
  readContext: ReadContext,
  options: QuestionOptions,
  io: Io,
  loader: Loader,
): Promise<{ readonly loaded: LoadedWorld; readonly question: Question } | undefined> {
  let question: Question | undefined
  const loaded = await loader.world(options, io, (names, settings) => {
    const read = readCan(asked, readContext, names, settings)
    question = read.question
    return read.problems
  })
  return loaded && question && { loaded, question: withKnownTags(question, loaded.world) }
}
