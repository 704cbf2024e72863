import { existsSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { questionParts } from '../../answers/difference.ts'
import { referenceWords } from '../../answers/history.ts'
import { compareDiagnostics, type Diagnostic, findingKey } from '../../diagnostic.ts'
import type { Commit } from '../../history/commit.ts'
import { partsByGroup, partsOfFindings, policiesAt } from '../../history/finding-parts.ts'
import { NewAccess } from '../../history/new-access.ts'
import { type NewFinding, type NewReason, newFindings } from '../../history/new-findings.ts'
import type { FailOn } from '../../lint/config.ts'
import { severities } from '../../report/lint.ts'
import { Names } from '../../report/names.ts'
import { shown } from '../../report/safe.ts'
import { firstFew, plural } from '../../report/words.ts'
import { accessCodes } from '../../rules/access.ts'
import type { Rule } from '../../rules/rule.ts'
import type { ReadFiles } from '../../sources/files.ts'
import { ActionsByType } from '../../symbolic/described.ts'
import { questionJson } from '../../symbolic/witness.ts'
import type { Options } from '../app/commands.ts'
import { budgetFor, type Io } from '../app/io.ts'
import { Refusal } from '../app/refusal.ts'
import { decidingPaths, grantGuardrails } from './ages.ts'
import { type Config, type Configs, configNames, openConfigs } from './config.ts'
import { type EarlierConfig, earlierConfig } from './earlier-config.ts'
import { withinPaths } from './files.ts'
import { git, names, plainDiffOptions, repositoryTop } from './git.ts'
import { catalogueFor } from './known.ts'
import { pathsOf, policySelection } from './policies.ts'
import { sidesSince } from './since.ts'
import { assumedEqual } from './taken.ts'
import { commitTree } from './trees.ts'
import { type QuestionOptions, readFiles, settingsOf } from './world.ts'

/** `lint --new-since`: findings on access, and on texts, that an earlier commit did not have. */

/** A run of lint whose new findings are asked for. */
export interface NewSinceRun {
  readonly since: string
  readonly paths: readonly string[]
  readonly options: Options<'lint'>
  readonly configs: Configs
  /** The files that were linted, and what was found in them. */
  readonly read: ReadFiles
  readonly findings: readonly Diagnostic[]
  readonly rules: readonly Rule[]
  readonly now: number
  /** Lints files with configurations, and without a baseline. */
  readonly lint: (
    read: ReadFiles,
    configs: Configs,
  ) => Promise<{ readonly findings: readonly Diagnostic[]; readonly rules: readonly Rule[] }>
}

export interface NewSince {
  readonly findings: readonly Diagnostic[]
  readonly json: object
  /** The level that fails the run by the configurations of the commit, where they are others. */
  readonly failOn?: (path: string) => FailOn | undefined
}

/** Refuses options that choose files or findings in another way. */
export function checkNewSince(paths: readonly string[], options: Options<'lint'>): void {
  const others = {
    since: '--since',
    staged: '--staged',
    changed: '--changed',
    filesFrom: '--files-from',
    ifPolicy: '--if-policy',
    baseline: '--baseline',
    writeBaseline: '--write-baseline',
    fix: '--fix',
    fixDryRun: '--fix-dry-run',
    fixLevel: '--fix-level',
    watch: '--watch',
  } as const
  for (const [name, flag] of Object.entries(others) as [keyof typeof others, string][])
    if (options[name] !== undefined && options[name] !== false)
      throw new Refusal(
        `\`--new-since\` and \`${flag}\` cannot be combined`,
        flag === '--baseline' ? 'omit `--baseline`: the commit takes its place' : 'omit one of them',
      )
  if (paths.includes('-')) throw new Refusal('standard input is not a file in git', 'leave `-` out with `--new-since`')
}

export async function findNew(run: NewSinceRun, io: Io): Promise<NewSince> {
  const { since, paths, options, configs, findings, rules, now } = run
  const { format: _, ...otherOptions } = options
  const policies = await decidingPaths(paths, configs.main, io)
  const asked = { ...otherOptions, policies, formatIn: undefined, root: [] }
  const sides = await sidesSince(since, asked, io, '--new-since')
  const { commit } = sides
  const before = sides.worldOf(0, `nothing is compared with commit ${commit.short}:`)
  if (!before)
    throw new Refusal(
      `--new-since \`${since}\`: the policies of commit ${commit.short} cannot be read, so that it is not known what is new since then`,
      'name a commit whose policies can be read, or lint without `--new-since`',
    )
  const world = sides.worldOf(1, 'every finding on access counts as new:')
  const catalogue = await catalogueFor(configs.main, io)
  const access = world && new NewAccess(before, world, new ActionsByType(catalogue), { from: now, run: budgetFor(io) })
  const isSame = sameFiles(commit.id, io)
  const readThen = new Set(sides.reads[0].files)
  const isNamed = await withinPaths(pathsOf(policies, sides.config), io.cwd)
  const isDropped = (path: string) => !isSame(path) && !isNamed(resolve(io.cwd, path))
  const { files: namedThen, others } = await filesOfThen(asked, commit, sides.config, io)
  const read = new Set([...readThen, ...namedThen])
  // A folder that was moved is not there any more.
  const dropped = [...read].filter((path) => isDropped(path) && existsSync(resolve(io.cwd, path)))
  if (dropped.length > 0)
    throw new Refusal(
      `--new-since \`${since}\`: ${firstFew(dropped.map(shown), 3)} differ${dropped.length === 1 ? 's' : ''} from commit ${commit.short}, and the configuration does not name ${dropped.length === 1 ? 'it' : 'them'} any more, so that new access there would not be seen`,
      'change the files and the configuration in two steps, or name the files in the configuration',
    )
  // The same text may hold no policy by other settings, or other actions.
  const differing = [...new Set([...read, ...sides.reads[1].files])].filter((path) => !isSame(path))
  const [setting] = others.filter((field) => field !== 'policies' && field !== 'world')
  if (setting !== undefined && differing.length > 0)
    throw new Refusal(
      `--new-since \`${since}\`: ${firstFew(differing.map(shown), 3)} differ${differing.length === 1 ? 's' : ''} from commit ${commit.short}, and the configuration reads ${differing.length === 1 ? 'it' : 'them'} by another \`${setting}\`, so that new access there may not be seen`,
      'change the files and the configuration in two steps',
    )
  const input = {
    rules,
    guardrails: grantGuardrails(configs),
    before: (await run.lint(sides.reads[0], configs)).findings,
    access,
    partsOf: world ? partsOfFindings(world, rules) : () => [],
    policiesAt: world ? policiesAt(world) : () => [],
    byGroup: world ? partsByGroup(world) : () => [],
    fileOf: (path: string) => ({ isSame: isSame(path), wasRead: readThen.has(path) }),
  }
  const added = newFindings(findings, input)
  const { hidden, failOn } = await findByThen(run, commit, input, isSame, io)
  const taken = assumedEqual(sides.reads)
  const note = (text: string) => io.stderr.write(`grantwise: note: ${shown(text)}\n`)
  if (taken.length > 0) note(`compared as if the same as at commit ${commit.short}: ${firstFew(taken.map(shown), 3)}`)
  const old = findings.length - added.length
  if (old > 0)
    note(
      `${plural(old, 'finding')} ${old === 1 ? 'is' : 'are'} not new since ${referenceWords(commit)}: \`lint\` without \`--new-since\` reports them`,
    )
  const names = new Names(world ? [world] : [])
  const all = withStricter(added, hidden).map((each) => withReason(each, commit, names, now))
  return {
    findings: all.sort(compareDiagnostics),
    json: { commit: commit.id, date: commit.date, old },
    ...(failOn && { failOn }),
  }
}

/**
 * The files of now that the configuration of a commit names and reads, where it does so in another way than that of now, and the fields of
 * the configuration that make it another way.
 */
async function filesOfThen(
  options: QuestionOptions,
  { id }: Commit,
  now: Config,
  io: Io,
): Promise<{ readonly files: readonly string[]; readonly others: EarlierConfig['others'] }> {
  const { config: then, others } = await earlierConfig(id, options, now, io)
  const { policies } = options
  const [before, after] = [then, now].map((config) => pathsOf(policies, config))
  if (others.length === 0 && JSON.stringify(before) === JSON.stringify(after)) return { files: [], others }
  const read = await readFiles(await policySelection(policies, then, io, { mayBeEmpty: true }), settingsOf(then, options), io)
  return { files: [...read.files, ...read.problems.map(({ path }) => path)], others }
}

const reasonWords: Readonly<Record<NewReason, string>> = {
  access: 'access that did not exist',
  undecided: 'it cannot be decided whether the access existed',
  text: 'text that did not exist',
}

function withReason({ finding, reason, question }: NewFinding, commit: Commit, names: Names, now: number): Diagnostic {
  const example = question ? `, such as ${questionParts(question, names, now).join(' ')}` : ''
  const words = [`${reasonWords[reason]} at ${referenceWords(commit)}${example}`]
  const json = { reason, witness: question ? questionJson(question) : null }
  return { ...finding, facts: { ...finding.facts, new: { words, json } } }
}

/** Findings of which some are reported more severely by other configurations, and those that only these report. */
function withStricter(added: readonly NewFinding[], others: readonly NewFinding[]): readonly NewFinding[] {
  const byKey = new Map(others.map((each) => [findingKey(each.finding), each]))
  const merged = added.map((each) => {
    const other = byKey.get(findingKey(each.finding))
    byKey.delete(findingKey(each.finding))
    const isStricter = other && severities.indexOf(other.finding.severity) < severities.indexOf(each.finding.severity)
    return isStricter ? other : each
  })
  return [...merged, ...byKey.values()]
}

/** The findings on new access that the configurations of the commit report: a change does not hide what it grants by its own settings. */
async function findByThen(
  { options, configs, read, lint }: NewSinceRun,
  commit: Commit,
  input: Parameters<typeof newFindings>[1],
  isSame: (path: string) => boolean,
  io: Io,
): Promise<ByThen> {
  const files = configs.all().flatMap((config) => [...config.files])
  if (input.access?.isNone || (files.every(isSame) && !changedConfigurations(commit.id, io))) return { hidden: [] }
  const then = await openConfigs({ ...options, configAt: commit.id }, io)
  const { findings, rules } = await lint(read, then)
  const guardrails = grantGuardrails(then)
  const about = accessCodes(rules, guardrails)
  const asked = findings.filter(({ code }) => about.has(code))
  return {
    failOn: (path) => then.of(path).failOn,
    hidden: newFindings(asked, { ...input, rules, guardrails }).map((each) => ({
      ...each,
      finding: {
        ...each.finding,
        help: `the configuration of commit ${commit.short} reports this; a change of the configuration since then does not hide new access`,
      },
    })),
  }
}

interface ByThen {
  readonly hidden: readonly NewFinding[]
  /** The level that fails the run, by the configurations of then. */
  readonly failOn?: (path: string) => FailOn | undefined
}

/** The files that differ from a commit, by absolute paths. */
function changedSince(commit: string, io: Io): ReadonlySet<string> {
  const top = repositoryTop(io)
  const changed = names(git(['diff', '--name-only', ...plainDiffOptions, commit, '--'], io))
  return new Set(changed.map((path) => resolve(top, path)))
}

/** Whether a file, as it is shown to users, has the text that it had in a commit. */
function sameFiles(commit: string, io: Io): (path: string) => boolean {
  const changed = changedSince(commit, io)
  const tree = commitTree(commit, io)
  return (path) => {
    const file = resolve(io.cwd, path)
    return tree.has(file) && !changed.has(file)
  }
}

/** Whether a configuration was removed or added since. */
function changedConfigurations(commit: string, io: Io): boolean {
  return [...changedSince(commit, io)].some((file) => configNames.includes(basename(file)))
}
