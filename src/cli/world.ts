import { compareDiagnostics, type Diagnostic } from '../diagnostic.ts'
import type { Settings } from '../names.ts'
import type { Facts } from '../parser/policy.ts'
import { type ReadSource, readSource } from '../parser/read.ts'
import { type BuiltWorld, buildWorld } from '../parser/world.ts'
import type { World } from '../policy.ts'
import { compactLine } from '../report/lint.ts'
import { shown } from '../report/safe.ts'
import type { Source } from '../source.ts'
import { type Config, loadConfig } from './config.ts'
import { type Candidate, discover, limits, mayHoldPolicy, type Problem, readCandidate } from './files.ts'
import type { Io } from './io.ts'
import { choice, type Options } from './options.ts'
import { refuseProblems } from './question.ts'
import type { Reason } from './refusal.ts'

/** Everything that was read for a run. */
export interface ReadFiles {
  /** The files that hold policies or what they speak of, as shown to people. */
  readonly files: readonly string[]
  readonly facts: readonly Facts[]
  readonly diagnostics: readonly Diagnostic[]
  /** What could not be read at all. */
  readonly problems: readonly Problem[]
  /** A file was refused, or one that was named holds no policy: whatever else is found, there is no whole answer. */
  readonly isPartial: boolean
}

/** Read all that the paths stand for. Reports nothing: what went wrong is in the result. */
export async function readFiles(paths: readonly string[], settings: Settings, io: Io): Promise<ReadFiles> {
  const { candidates, problems: unread, skipped } = await discover(paths, io.cwd)
  const problems = [...unread]
  const diagnostics: Diagnostic[] = []
  const facts: Facts[] = []
  const files: string[] = []
  let isPartial = false
  let total = 0
  for (const candidate of candidates) {
    const read = await readCandidate(candidate, io.stdin)
    if (read.source === undefined) {
      problems.push({ path: candidate.path, message: read.message })
      continue
    }
    total += read.source.text.length
    if (total > limits.total) {
      problems.push({
        path: candidate.path,
        message: `more than ${limits.total / 2 ** 20} MiB in all: this file and those after it are not read`,
      })
      break
    }
    const { source, notation } = read
    if (!candidate.isNamed && !mayHoldPolicy(source.text)) continue
    const result = await readSource(source, notation, settings)
    if (!candidate.isNamed && !result.holdsPolicies && !looksBroken(result, source)) continue
    files.push(candidate.path)
    facts.push(result.facts)
    diagnostics.push(...result.diagnostics)
    if (result.refused || (candidate.isNamed && !result.holdsPolicies && !isMalformed(result))) isPartial = true
    if (candidate.isNamed && !result.holdsPolicies && result.diagnostics.length === 0)
      problems.push({ path: candidate.path, message: 'holds no policy' })
  }
  if (files.length === 0 && problems.length === 0) problems.push(nothingFound(paths, candidates, skipped))
  return { files, facts, diagnostics, problems, isPartial: isPartial || problems.length > 0 }
}

function isMalformed({ diagnostics }: ReadSource): boolean {
  return diagnostics.some((each) => each.code === 'syntax' && each.severity === 'error')
}

/** A file that was found and is not well-formed is reported when it speaks of URNs: what is wrong may hide a policy. */
function looksBroken(result: ReadSource, { text }: Source): boolean {
  return isMalformed(result) && ['urn:v1:', '\\u', '\\x', '\\U'].some((sign) => text.includes(sign))
}

function nothingFound(paths: readonly string[], candidates: readonly Candidate[], skipped: number): Problem {
  const looked =
    candidates.length === 0 ? 'no file to read' : `no policy in ${candidates.length} ${candidates.length === 1 ? 'file' : 'files'}`
  const links = skipped === 0 ? '' : ` (left out: ${skipped} symbolic ${skipped === 1 ? 'link or special file' : 'links or special files'})`
  return { path: paths.join(', '), message: `${looked}${links}` }
}

/** The problems as lines for standard error. */
export function problemLines(problems: readonly Problem[]): string {
  return problems.map(({ path, message }) => `grantwise: ${path === '' ? '' : `${shown(path)}: `}${shown(message)}\n`).join('')
}

/** The paths of a run: those given, else those of the configuration, else the working folder; and the inventory. */
export function pathsOf(given: readonly string[], config: Config): readonly string[] {
  const policies = given.length > 0 ? given : (config.policies ?? ['.'])
  return [...policies, ...config.world]
}

/** What a deciding command decides over. */
export interface LoadedWorld {
  readonly world: World
  readonly settings: Settings
}

/**
 * The world of a deciding command. Where any file has an error, every problem of every file is reported on standard
 * error and the result is undefined: the part that was not understood may hold the deny (spec: command line, exit codes).
 * `alsoWrong`: what is wrong with the rest of what was given, to be told at the same time.
 */
export async function loadWorld(
  options: Options,
  io: Io,
  alsoWrong: (settings: Settings) => readonly Reason[] = () => [],
): Promise<LoadedWorld | undefined> {
  if (options.text('format-in') !== undefined) choice('--format-in', options.text('format-in') as string, ['policy'])
  const config = await loadConfig(options, io)
  const { settings } = config
  const read = await readFiles(pathsOf(options.list('policies'), config), settings, io)
  const built: BuiltWorld = buildWorld(read.facts)
  const errors = [...read.diagnostics, ...built.diagnostics].filter((each) => each.severity === 'error')
  const others = alsoWrong(settings)
  if (errors.length === 0 && !read.isPartial) {
    refuseProblems(others)
    return { world: built.world, settings }
  }
  io.stderr.write(
    errors
      .sort(compareDiagnostics)
      .map((each) => `${compactLine(each)}${each.help ? `\n  help: ${shown(each.help)}` : ''}\n`)
      .join(''),
  )
  io.stderr.write(problemLines(read.problems))
  io.stderr.write('grantwise: nothing is decided over policies that were not wholly understood\n')
  refuseProblems(others)
  return undefined
}
