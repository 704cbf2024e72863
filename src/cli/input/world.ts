import { resolve } from 'node:path'
import { compareText, type Diagnostic, place } from '../../diagnostic.ts'
import { resourceWord, type Settings } from '../../names.ts'
import type { IgnoreComment } from '../../parser/comments.ts'
import type { Facts } from '../../parser/policy.ts'
import { noFacts, type ReadSource, readAtOnce, type UncreatedReading } from '../../parser/read.ts'
import { looksLikeRules } from '../../parser/rules-text.ts'
import { type BuiltWorld, buildWorld } from '../../parser/world.ts'
import type { World } from '../../policy.ts'
import { shown } from '../../report/safe.ts'
import type { Question } from '../../simulate/decision.ts'
import { readQuestion, withKnownTags } from '../../simulate/question.ts'
import { isHcl, notationOf, position, type Source } from '../../source.ts'
import type { Io } from '../app/io.ts'
import type { RootOptions, WorldOptions } from '../app/options.ts'
import { isBelow } from '../app/paths.ts'
import { type Reason, Refusal, refuseProblems } from '../app/refusal.ts'
import { diagnosticLines } from '../output/diagnostics.ts'
import type { Progress } from '../output/progress.ts'
import { type Config, loadConfig } from './config.ts'
import {
  type Candidate,
  discover,
  endings,
  limits,
  mayHoldPolicy,
  type Passed,
  type Problem,
  readCandidate,
  type Selection,
} from './files.ts'
import type { ReadContext } from './question.ts'
import type { Given, RootModule, TerraformFiles } from './terraform.ts'

/** A file that was read, and what was understood of it. */
export interface FileRead {
  readonly source: Source
  readonly read: ReadSource
  /** Absolute; undefined where what was read does not stand in a file as it is: standard input, git's index. */
  readonly file: string | undefined
}

/** Everything that was read for a run. */
export interface ReadFiles {
  /** The files that hold policies or what they speak of, in order. */
  readonly each: readonly FileRead[]
  /** The files that hold policies or what they speak of, as shown to people. */
  readonly files: readonly string[]
  readonly facts: readonly Facts[]
  readonly diagnostics: readonly Diagnostic[]
  /** The comments that leave findings out. */
  readonly ignores: readonly IgnoreComment[]
  /** What was not read to its end. */
  readonly broken: ReadonlySet<Source>
  /** What could not be read at all. */
  readonly problems: readonly Problem[]
  /** What was found and not read, and why. */
  readonly passed: readonly Passed[]
  /** The root modules of the configurations of Terraform among them. */
  readonly roots: readonly RootModule[]
  /** What is not there to be read, and may be without harm where nothing is decided. */
  readonly unread: readonly Diagnostic[]
  /** A file was refused, or one that was named holds no policy: whatever else is found, there is no whole answer. */
  readonly isPartial: boolean
  /** Whether all of a folder, or a file, was looked at: absolute paths. */
  readonly covers: (path: string) => boolean
}

/** Read all that a selection stands for. Reports nothing: what went wrong is in the result. */
export async function readFiles(selection: Selection, settings: Settings, io: Io, progress?: Progress): Promise<ReadFiles> {
  const { candidates, problems: unread, skipped, searched, passed: left } = await discover(selection, io.cwd)
  const problems = [...unread]
  const passed = [...left]
  const diagnostics: Diagnostic[] = []
  const ignores: IgnoreComment[] = []
  const broken = new Set<Source>()
  const facts: Facts[] = []
  const files: string[] = []
  const each: FileRead[] = []
  const configurations: Given[] = []
  let isPartial = false
  let total = 0
  let count = 0
  const add = (path: string, isNamed: boolean, source: Source, result: ReadSource, file: string | undefined) => {
    files.push(path)
    each.push({ source, read: result, file })
    if (result.kind !== 'examples') {
      facts.push(result.facts)
      for (const diagnostic of result.diagnostics) diagnostics.push(diagnostic)
    }
    for (const ignore of result.ignores) ignores.push(ignore)
    const isBroken = result.diagnostics.length > 0 && isMalformed(result)
    if (isBroken) broken.add(source)
    if (result.refused || (isNamed && !result.holdsPolicies && !isBroken)) isPartial = true
    if (isNamed && !result.holdsPolicies && result.diagnostics.length === 0) problems.push({ path, message: noPolicy })
  }
  for (const candidate of candidates) {
    progress?.(++count, candidates.length)
    const { path, isNamed } = candidate
    // Nothing is waited for where nothing has to be: with many files the waiting would cost more than the reading.
    const reading = readCandidate(candidate, io.stdin)
    const { source, message } = reading instanceof Promise ? await reading : reading
    if (source === undefined) {
      problems.push({ path, message })
      continue
    }
    const { notation } = source
    total += source.text.length
    if (total > limits.total) {
      problems.push({ path, message: `more than ${limits.total / 2 ** 20} MiB in all: this file and those after it are not read` })
      break
    }
    if (isHcl(notation)) {
      const isElsewhere = candidate.bytes !== undefined || candidate.file === undefined
      configurations.push({
        source,
        file: candidate.file ?? (path === '<stdin>' ? undefined : resolve(io.cwd, path)),
        isNamed,
        isElsewhere,
      })
      continue
    }
    // Of a text file only its content tells whether it is one of ours.
    if (notation === 'rules' && notationOf(path) === undefined && !looksLikeRules(source.text)) {
      problems.push({ path, message: `unsupported file type: expected a name that ends in ${endings}` })
      continue
    }
    if (!isNamed && notation !== 'rules' && !mayHoldPolicy(source.text)) {
      passed.push({ path, reason: noPolicy })
      continue
    }
    if (notation === 'markdown') {
      const { readFences } = await import('./fences.ts')
      const { read, passed: left, refusal } = await readFences(source, settings)
      passed.push(...left)
      if (refusal !== undefined) problems.push({ path, message: refusal })
      if (isNamed || read.holdsPolicies) add(path, isNamed, source, read, candidate.bytes ? undefined : candidate.file)
      else passed.push({ path, reason: noPolicy })
      continue
    }
    const understanding = notation === 'actions' ? nothingRead : readAtOnce(source, settings)
    const result = understanding instanceof Promise ? await understanding : understanding
    if (isNamed && selection.actionLists && !result.holdsPolicies) {
      const list = await (await import('./action-lists.ts')).readActionList(source, settings)
      if (list) {
        add(path, isNamed, source, list, candidate.bytes ? undefined : candidate.file)
        continue
      }
    }
    // What is called access rules is meant to hold some.
    if (!isNamed && notation !== 'rules' && !result.holdsPolicies && !looksBroken(result, source)) {
      passed.push({ path, reason: noPolicy })
      continue
    }
    add(path, isNamed, source, result, candidate.bytes ? undefined : candidate.file)
  }
  const { reads, roots, unread: missing } = await readConfigurations(configurations, settings, io)
  for (const { source, file, read, isNamed } of reads) {
    if (read) add(source.path, isNamed, source, read, file)
    else if (isNamed) problems.push({ path: source.path, message: otherPrefix(source, settings) ?? noPolicy })
    else passed.push({ path: source.path, reason: noPolicy })
  }
  if (configurations.length > 0) inOrder(each, files, facts)
  if (files.length === 0 && problems.length === 0 && !selection.mayBeEmpty) problems.push(nothingFound(selection, candidates, skipped))
  return {
    each,
    files,
    facts,
    diagnostics,
    ignores,
    broken,
    problems,
    passed,
    roots,
    unread: [...missing, ...roots.flatMap((root) => root.unread)],
    isPartial: isPartial || problems.length > 0,
    covers: coverage(
      searched,
      candidates.map(({ file, path }) => file ?? resolve(io.cwd, path)),
    ),
  }
}

/** Files of configurations, read together; none is parsed where no word of theirs asks for it. */
async function readConfigurations(given: readonly Given[], settings: Settings, io: Io): Promise<TerraformFiles> {
  const word = resourceWord(settings)
  const isOurs = given.some(({ source: { text } }) => text.includes(word) || (text.includes('module') && /"\.\.?["/]/.test(text)))
  // Other files of the folder may speak of what a file that is named has nothing of.
  if (!isOurs) return { reads: given.map((each) => ({ ...each, read: undefined })), roots: [], unread: [] }
  return (await import('./terraform.ts')).readTerraform(given, settings, io)
}

/** What a named file of resources of another name is told. */
function otherPrefix({ text }: Source, { brand, resourcePrefix = brand }: Settings): string | undefined {
  const other = /"([a-z][a-z0-9]*)_iam_(?:policy|permissions_group|resource_group)"/.exec(text)?.[1]
  if (other === undefined || other === resourcePrefix) return undefined
  return `${noPolicy}: it has \`${other}_iam_…\`, and \`${resourcePrefix}_iam_…\` is what is read. Set \`brand\`, or \`prefix\` under \`terraform\`, in the configuration`
}

/** Put what was read in the order of its paths. */
function inOrder(each: FileRead[], files: string[], facts: Facts[]): void {
  each.sort((a, b) => compareText(a.source.path, b.source.path))
  files.splice(0, files.length, ...each.map(({ source }) => source.path))
  facts.splice(0, facts.length, ...together(each).map(({ read }) => read.facts))
}

const nothingRead: ReadSource = {
  kind: 'policies',
  facts: noFacts,
  diagnostics: [],
  refused: false,
  holdsPolicies: false,
  resemblesPolicies: false,
  ignores: [],
}

/** The files that make one world: those that hold worlds of their own are looked at by themselves. */
export function together(each: readonly FileRead[]): readonly FileRead[] {
  return each.filter(({ read }) => read.kind !== 'examples')
}

/** The same run with other texts in the files. */
export function withReads(run: ReadFiles, each: readonly FileRead[]): ReadFiles {
  return {
    ...run,
    each,
    facts: together(each).map(({ read }) => read.facts),
    diagnostics: together(each).flatMap(({ read }) => read.diagnostics),
    ignores: each.flatMap(({ read }) => read.ignores),
    broken: new Set(each.filter(({ read }) => isMalformed(read)).map(({ source }) => source)),
  }
}

const noPolicy = 'holds no policy'

/** Whether a file or folder is among those that were looked at, by the folders that were searched and the files. */
function coverage(searched: readonly string[], files: readonly string[]): (path: string) => boolean {
  let looked: Set<string> | undefined
  return (path) => {
    looked ??= new Set(files)
    return looked.has(path) || searched.some((folder) => path === folder || isBelow(path, folder))
  }
}

function isMalformed({ diagnostics }: ReadSource): boolean {
  return diagnostics.some((each) => each.code === 'syntax' && each.severity === 'error')
}

/**
 * A file that was found and holds no policy is reported all the same when it speaks of URNs and is not well-formed, or
 * looks as if it were meant to hold one: what is wrong may hide what forbids.
 */
function looksBroken(result: ReadSource, { text }: Source): boolean {
  if (result.resemblesPolicies && text.includes('urn:v1:')) return true
  return isMalformed(result) && ['urn:v1:', '\\u', '\\x', '\\U'].some((sign) => text.includes(sign))
}

function nothingFound({ paths, listed = [] }: Selection, candidates: readonly Candidate[], skipped: number): Problem {
  const looked =
    candidates.length === 0 ? 'no file to read' : `no policy in ${candidates.length} ${candidates.length === 1 ? 'file' : 'files'}`
  const links = skipped === 0 ? '' : ` (left out: ${skipped} symbolic ${skipped === 1 ? 'link or special file' : 'links or special files'})`
  return { path: [...paths, ...listed.slice(0, 3).map((each) => each.path)].join(', '), message: `${looked}${links}` }
}

/** The problems as lines for standard error. */
export function problemLines(problems: readonly Problem[]): string {
  return problems.map(({ path, message }) => `grantwise: ${path === '' ? '' : `${shown(path)}: `}${shown(message)}\n`).join('')
}

/** The paths of a run: those given, else those of the configuration, else the working folder; and the inventory. */
export function pathsOf(given: readonly string[], config: Config): readonly string[] {
  const policies = given.length > 0 ? given : (config.policies ?? ['.'])
  return [...policies, ...(config.world ?? [])]
}

/** `--format-in`: what standard input without a name is, whatever it begins with. */
export function notationIn(options: Pick<WorldOptions, 'formatIn'>): Pick<Selection, 'stdinNotation'> {
  return options.formatIn === 'hcl' ? { stdinNotation: 'hcl' } : {}
}

/** The settings that files are read by: those of the configuration, and what they are taken for. */
export function settingsOf({ settings }: Config, options: Pick<WorldOptions, 'formatIn'>): Settings {
  const { formatIn } = options
  return formatIn === undefined || formatIn === 'hcl' ? settings : { ...settings, formatIn }
}

/** What a deciding command decides over. */
export interface LoadedWorld {
  readonly world: World
  readonly settings: Settings
  /** Of the working folder. */
  readonly config: Config
  /** The texts that it was made of. */
  readonly sources: readonly Pick<FileRead, 'source' | 'read'>[]
}

/**
 * The world of a deciding command. Where any file has an error, every problem of every file is reported on standard
 * error and the result is undefined: the part that was not understood may hold the deny (spec: command line, exit codes).
 * `wrong`: what is wrong with the rest of what was given, reported at the same time. `known`: the configuration, where it is
 * loaded already.
 */
export async function loadWorld(
  options: WorldOptions,
  io: Io,
  wrong: readonly Reason[] = [],
  known?: Config,
): Promise<LoadedWorld | undefined> {
  const config = known ?? (await loadConfig(options, io))
  const settings = settingsOf(config, options)
  const all = await readFiles({ paths: pathsOf(options.policies, config), ...notationIn(options) }, settings, io)
  const read = await decided(all, options, io)
  const world = decidable(read, io)
  refuseProblems(wrong)
  if (world) noteUncreated([read], io)
  return world && { world, settings, config, sources: read.each }
}

/** How many of what is never made are named. */
const mostUncreated = 5

/** What the configurations describe and make none of, each once and in order. */
export function uncreatedIn(reads: readonly Pick<ReadFiles, 'each'>[]): readonly UncreatedReading['each'][number][] {
  const all = reads.flatMap(({ each }) => each.flatMap(({ read }) => (read.kind === 'configuration' ? (read.uncreated?.each ?? []) : [])))
  const byName = new Map(all.map((each) => [`${place(each.head)} ${each.address} ${each.why}`, each]))
  return [...byName.values()].sort(
    (a, b) => compareText(a.head.source.path, b.head.source.path) || a.head.start - b.head.start || compareText(a.address, b.address),
  )
}

/** Say what the configurations describe and make none of: it grants and forbids nothing, which would surprise whoever reads it there. */
export function noteUncreated(reads: readonly Pick<ReadFiles, 'each'>[], io: Io): void {
  const all = uncreatedIn(reads)
  for (const { address, head, why } of all.slice(0, mostUncreated))
    io.stderr.write(`grantwise: note: \`${shown(address)}\` at ${shown(place(head))} is created zero times: ${shown(why)}\n`)
  if (all.length > mostUncreated) io.stderr.write(`grantwise: note: ${all.length - mostUncreated} more are created zero times\n`)
}

/** What is decided over of a run: see `decidedOver`, which is loaded where there is anything to choose from. */
export async function decided(read: ReadFiles, options: RootOptions, io: Io): Promise<ReadFiles> {
  return (await decidedOf([read], options, io))[0] as ReadFiles
}

export async function decidedOf(reads: readonly ReadFiles[], options: RootOptions, io: Io, how?: string): Promise<readonly ReadFiles[]> {
  if (reads.every(({ roots }) => roots.length < 2) && options.root.length === 0) return reads
  return (await import('./roots.ts')).decidedOver(reads, options, io, how)
}

/** Refuse to propose other policies in the place of some of which not all is known: a proof would be about what is left of them. */
export function refuseOpen(command: string, { sources }: LoadedWorld): void {
  const [first] = sources.flatMap(({ read }) => read.open?.unknowns ?? [])
  if (!first) return
  const { line, column } = position(first.source, first.start)
  throw new Refusal(
    `\`${command}\` proposes other policies, and not all is known of these: \`${shown(first.expression)}\` at ${shown(first.source.path)}:${line}:${column}`,
    'give the values of these expressions: a `.tfvars` file, or a plan',
  )
}

/**
 * The world that files make; undefined where one of them has an error, every one of which is then on standard error.
 * `nothing`: what is not done then; `beside`: see `buildWorld`.
 */
export function decidable(
  read: ReadFiles,
  io: Io,
  { nothing = 'nothing is decided over', beside = [] }: { readonly nothing?: string; readonly beside?: readonly Facts[] } = {},
): World | undefined {
  const built: BuiltWorld = buildWorld(read.facts, beside)
  const errors = [...read.diagnostics, ...built.diagnostics, ...read.unread].filter((each) => each.severity === 'error')
  if (errors.length === 0 && !read.isPartial) return built.world
  io.stderr.write(diagnosticLines(errors))
  io.stderr.write(problemLines(read.problems))
  io.stderr.write(`grantwise: ${nothing} policies that were not wholly understood\n`)
  return undefined
}

/**
 * Load the world, and with its settings read the question that the arguments put to it. Undefined where either has
 * errors, which were printed.
 */
export async function loadQuestion(
  [identity, action, resource]: readonly [string, string, string],
  { context, problems }: ReadContext,
  options: WorldOptions,
  io: Io,
): Promise<{ readonly loaded: LoadedWorld; readonly question: Question } | undefined> {
  const config = await loadConfig(options, io)
  const read = readQuestion(identity, action, resource, context, settingsOf(config, options))
  const loaded = await loadWorld(options, io, [...(read.problems ?? []), ...problems], config)
  return loaded && read.question && { loaded, question: withKnownTags(read.question, loaded.world) }
}
