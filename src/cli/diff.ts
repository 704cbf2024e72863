import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Cause } from '../diff/causes.ts'
import { type Difference, diff } from '../diff/diff.ts'
import type { World } from '../policy.ts'
import { paint } from '../report/colour.ts'
import {
  type DiffReport,
  differenceFindings,
  differenceJson,
  differenceLines,
  differenceMarkdown,
  differenceRules,
  differenceText,
} from '../report/difference.ts'
import { githubReport } from '../report/github.ts'
import { gitlabReport } from '../report/gitlab.ts'
import type { LintReport } from '../report/lint.ts'
import { guard, guardAnnotations, json } from '../report/safe.ts'
import { sarifReport } from '../report/sarif.ts'
import { decide } from '../simulate/decide.ts'
import type { Run } from './commands.ts'
import { type Config, loadConfig } from './config.ts'
import { exit } from './exit.ts'
import { isGlob, type Selection, withinPaths, writeFile } from './files.ts'
import { type Io, wantsColour } from './io.ts'
import { catalogueFor } from './known.ts'
import { choice } from './options.ts'
import { formatTargets, readOutputs, refuseTwo } from './outputs.ts'
import { readAt } from './question.ts'
import { Refusal } from './refusal.ts'
import { checkTargets, guardInputs } from './targets.ts'
import { version } from './version.ts'
import { decidable, pathsOf, type ReadFiles, readFiles } from './world.ts'

const formats = ['pretty', 'compact', 'json', 'markdown', 'sarif', 'github', 'gitlab'] as const
const failing = ['gained', 'lost', 'any', 'never'] as const

/** `diff BEFORE AFTER`: the access gained and lost between two worlds (spec: command line, `diff`). */
export const run: Run = async (args, options, io) => {
  const [before, after] = args
  if (before === undefined || after === undefined || args.length > 2) {
    throw new Refusal(
      `\`diff\` takes BEFORE and AFTER; ${args.length} ${args.length === 1 ? 'argument' : 'arguments'} given`,
      'for example `grantwise diff git:main:policies policies`',
    )
  }
  const given = options.list('format')
  const outputs = given.length === 0 ? [{ format: 'pretty' as const, file: undefined }] : readOutputs(given, formats, io)
  refuseTwo(outputs)
  const targets = formatTargets(outputs)
  checkTargets(targets, io)
  const failOn = options.text('fail-on') === undefined ? undefined : choice('--fail-on', options.text('fail-on') as string, failing)
  const at = options.text('at') === undefined ? undefined : readAt(options, io)
  const config = await loadConfig(options, io)
  const ceiling = options.text('ceiling')
  const named = [before, after, ...(ceiling === undefined ? [] : [ceiling])]
  if (named.filter((each) => each === '-').length > 1) throw new Refusal('standard input can be one side only')

  const reads: ReadFiles[] = []
  for (const each of named) reads.push(await readFiles(await selectionOf(each, config, io), config.settings, io))
  for (const read of reads) await guardInputs(targets, read, [], config.settings, io)
  const worlds = reads.map((read) => decidable(read, io))
  if (worlds.includes(undefined)) return exit.noAnswer
  const [first, second, limit] = worlds as readonly World[]

  const catalogue = await catalogueFor(config, io)
  const settings = { catalogue, ...(at !== undefined && { at }) }
  const difference = diff(first as World, second as World, settings)
  const beyond = limit && withGrants(diff(limit, second as World, { ...settings, only: 'gained' }), second as World)
  const report: DiffReport = { difference, beyond }
  const counts = (side: 'gained' | 'lost' | 'beyond') =>
    failOn !== 'never' &&
    (side === 'beyond' || failOn === 'any' || failOn === side || (failOn === undefined && !limit && side === 'gained'))
  for (const { format, file } of outputs) {
    const text = write(format, report, counts, file === undefined && wantsColour(io, options.flag('color')))
    const care = format === 'github' ? guardAnnotations : guard
    if (file === undefined) io.stdout.write(text, care)
    else writeFile(file, care(text), io.cwd)
  }
  return failOn === 'never' ? exit.good : exitOf(difference, beyond, counts)
}

/** What lies beyond a ceiling rests on no edit of it, but on the entries that grant it. */
function withGrants(beyond: Difference, world: World): Difference {
  const gained = beyond.gained.map((region) => {
    const { clauses } = decide(world, region.witness)
    const causes = clauses.map(
      ({ policy, list, entry }): Cause => ({
        span: entry.span,
        side: 'after',
        change: 'added',
        what: `${list} \`${entry.value.text}\``,
        name: policy.name.value,
      }),
    )
    return causes.length > 0 ? { ...region, causes } : region
  })
  return { ...beyond, gained }
}

function exitOf(difference: Difference, beyond: Difference | undefined, counts: (side: 'gained' | 'lost' | 'beyond') => boolean) {
  const bad =
    (counts('gained') && difference.gained.length > 0) || (counts('lost') && difference.lost.length > 0) || (beyond?.gained.length ?? 0) > 0
  if (bad) return exit.bad
  const open =
    difference.verdict === 'undecided' || difference.undecided.some(({ side }) => counts(side)) || (beyond?.undecided.length ?? 0) > 0
  return open ? exit.uncertain : exit.good
}

function write(
  format: (typeof formats)[number],
  report: DiffReport,
  counts: (side: 'gained' | 'lost' | 'beyond') => boolean,
  inColour: boolean,
): string {
  switch (format) {
    case 'json':
      return `${json(differenceJson(report.difference, report.beyond))}\n`
    case 'compact':
      return differenceLines(report)
    case 'markdown':
      return differenceMarkdown(report)
    case 'sarif':
      return sarifReport(asFindings(report, counts))
    case 'github':
      return githubReport(asFindings(report, counts))
    case 'gitlab':
      return gitlabReport(asFindings(report, counts))
    default:
      return differenceText(report, paint(inColour))
  }
}

function asFindings(report: DiffReport, counts: (side: 'gained' | 'lost' | 'beyond') => boolean): LintReport {
  return {
    files: [],
    findings: differenceFindings(report, counts),
    suppressed: [],
    showSuppressed: false,
    hidden: 0,
    rules: differenceRules,
    version,
  }
}

const fromGit = 'git:'

/** What a side stands for: files of the working folder, or of a commit. The inventory of the configuration comes along. */
async function selectionOf(side: string, config: Config, io: Io): Promise<Selection> {
  if (!side.startsWith(fromGit)) return { paths: pathsOf([side], config), mayBeEmpty: true }
  const rest = side.slice(fromGit.length)
  const colon = rest.indexOf(':')
  const reference = colon < 0 ? rest : rest.slice(0, colon)
  const path = colon < 0 ? undefined : rest.slice(colon + 1)
  if (path === '') throw new Refusal(`${side}: a path is missing after \`:\``, `leave the \`:\` out for \`policies\` of the configuration`)
  const paths = pathsOf(path === undefined ? [] : [path], config)
  const git = await import('./git.ts')
  const listed = git.filesAt(reference, io, await withinPaths(paths, io.cwd))
  // What neither the commit nor the folder holds is a slip: taken for nothing, all access would look new.
  if (path !== undefined && listed.length === 0 && !isGlob(path) && !existsSync(resolve(io.cwd, path)))
    throw new Refusal(`${side}: neither the commit nor the working folder holds \`${path}\``)
  return { paths: [], listed, ifPolicy: true, mayBeEmpty: true }
}
