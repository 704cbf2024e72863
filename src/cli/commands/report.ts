import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { readActions } from '../../actions/reads.ts'
import { diff } from '../../diff/diff.ts'
import { applyConfigurations } from '../../lint/apply-config.ts'
import { lintFiles } from '../../lint/lint-files.ts'
import type { ReadFiles } from '../../lint/read.ts'
import { pageData } from '../../page/build.ts'
import { pageHtml } from '../../page/html.ts'
import type { World } from '../../policy.ts'
import { plural } from '../../report/words.ts'
import { rules } from '../../rules/index.ts'
import { ActionsByType } from '../../symbolic/described.ts'
import type { Run } from '../app/commands.ts'
import { exit } from '../app/exit.ts'
import type { Io } from '../app/io.ts'
import { displayPath, portable } from '../app/paths.ts'
import { Refusal, refuseProblems } from '../app/refusal.ts'
import { version } from '../app/version.ts'
import { readAccountContext, withTags } from '../input/account.ts'
import { docsOf, openConfigs } from '../input/config.ts'
import { catalogueFor, operationsFor } from '../input/known.ts'
import { checkCodes } from '../input/levels.ts'
import { policySelection } from '../input/policies.ts'
import { checkTargets, guardInputs } from '../input/targets.ts'
import { whatIfOf } from '../input/what-if.ts'
import { decidable, decidedOf, noteUncreated, readFiles } from '../input/world.ts'
import { pageAssets } from '../output/page-assets.ts'
import { writeFile } from '../output/write.ts'

/** `report [PATH…]`: one HTML file with who may do what, and why. */
export const run: Run<'report'> = async (paths, options, io) => {
  const file = options.output === '-' ? undefined : resolve(io.cwd, options.output)
  const targets = file === undefined ? [] : [{ option: '-o', file }]
  checkTargets(targets, io)
  const { given, times, tags, problems } = readAccountContext(options, io)
  refuseProblems(problems)
  const configs = await openConfigs(options, io)
  const { main } = configs
  checkCodes([main])
  const named = [...paths, ...options.policies]
  const sides = [named, ...(options.before === undefined ? [] : [await pathsBefore(options.before, named, io)])]
  const all: ReadFiles[] = []
  for (const [i, side] of sides.entries())
    all.push(await readFiles(await policySelection(side, main, io, { mayBeEmpty: i > 0 }), main.settings, io))
  const reads = await decidedOf(all, options, io)
  const read = reads[0] as ReadFiles
  await guardInputs(targets, read, [], main.settings, io)
  const worlds = reads.map((each) => decidable(each, io, reads.length > 1 ? { beside: reads.flatMap(({ facts }) => facts) } : {}))
  if (worlds.includes(undefined)) return exit.error
  noteUncreated(reads, io)
  const [world, before] = worlds.map((each) => withTags(each as World, tags)) as [World, World?]
  await configs.load(read.files)
  checkCodes(configs.all())
  const catalogue = await catalogueFor(main, io)
  const operations = await operationsFor(main, io)
  const run = {
    now: times.at ?? times.from,
    ...(await applyConfigurations(configs, read.files, {
      cwd: portable(io.cwd),
      given: { rules: new Map(), preset: undefined },
      covers: () => true,
    })),
  }
  const { findings, suppressed } = lintFiles({ files: read, settings: main.settings, catalogue, operations: () => operations, ...run })
  const actions = new ActionsByType(catalogue)
  const within = times.at === undefined ? { within: { from: times.from } } : { at: times.at }
  const data = pageData({
    world,
    sources: read.each.map(({ source }) => source),
    findings,
    suppressed: suppressed.length,
    rules,
    catalogue,
    actions,
    reads: readActions(operations),
    times,
    given,
    settings: main.settings,
    title: options.title ?? 'Access report',
    version,
    docs: docsOf(main),
    ip: options.ip,
    before: before && {
      label: options.before as string,
      difference: diff(before, world, { catalogue, described: actions, ...within }),
      sources: reads[1]?.each.map(({ source }) => source) ?? [],
    },
  })
  const html = pageHtml({ ...data, whatIf: whatIfOf(read.each, data.files, run, main, io) }, pageAssets())
  if (file === undefined) io.stdout.write(html, (text) => text)
  else {
    writeFile(file, html, io.cwd)
    io.stderr.write(
      `grantwise: ${displayPath(file, io.cwd)}: ${plural(data.policies.length, 'policy')}, ${plural(data.identities.length, 'identity')}, ${plural(data.resources.length, 'resource')}; ${Math.ceil(Buffer.byteLength(html) / 1000)} kB\n`,
    )
  }
  return exit.success
}

/** The paths of the state to compare with: a file or folder, or what a commit holds of the paths that are given. */
async function pathsBefore(state: string, given: readonly string[], io: Io): Promise<readonly string[]> {
  if (state.startsWith('git:') || existsSync(resolve(io.cwd, state))) return [state]
  if (!(await import('../input/git.ts')).isReference(state, io))
    throw new Refusal(`--before \`${state}\`: no such commit, file or folder`, 'for example `--before origin/main`')
  if (given.some((path) => path === '-' || path.startsWith('git:')))
    throw new Refusal(`--before \`${state}\`: a commit holds neither standard input nor other commits`, 'name files and folders')
  return given.length === 0 ? [`git:${state}`] : given.map((path) => `git:${state}:${path}`)
}
