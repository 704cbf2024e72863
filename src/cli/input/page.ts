import { readActions } from '../../actions/reads.ts'
import { isOpenBlame, unreadNotes } from '../../answers/blame.ts'
import { referenceWords } from '../../answers/history.ts'
import { taggedIn } from '../../ask/context.ts'
import { usualSteps } from '../../budget.ts'
import type { FileCovered } from '../../coverage.ts'
import { diff } from '../../diff/diff.ts'
import { applyConfigurations } from '../../lint/apply-config.ts'
import { namesInGuardrails } from '../../lint/config-problems.ts'
import { lintFiles } from '../../lint/lint-files.ts'
import type { Settings } from '../../names.ts'
import { type EntryHistory, type PageInput, pageData } from '../../page/build.ts'
import type { PageData, PageHistory } from '../../page/data.ts'
import type { AccessInput } from '../../page/growth.ts'
import type { World } from '../../policy.ts'
import { coverageJson } from '../../report/coverage.ts'
import { wordsFor } from '../../report/guardrail-words.ts'
import { shown } from '../../report/safe.ts'
import { plural, presentParts } from '../../report/words.ts'
import { rules } from '../../rules/index.ts'
import type { ReadFiles } from '../../sources/files.ts'
import { ActionsByType } from '../../symbolic/described.ts'
import type { Options } from '../app/commands.ts'
import { GitMemory } from '../app/git-memory.ts'
import { budgetFor, type Io, ioWith } from '../app/io.ts'
import { portable } from '../app/paths.ts'
import { RunRecord } from '../app/record.ts'
import { Refusal, refuseProblems, requireValue } from '../app/refusal.ts'
import { version } from '../app/version.ts'
import { blobOf } from '../output/coverage.ts'
import { refuseAll } from '../output/diagnostics.ts'
import { readAccountContext, withTags } from './account.ts'
import type { PastCommit } from './as-of.ts'
import { pathsBefore } from './before.ts'
import type { BlameRead, BlameRequest } from './blamed.ts'
import { branchOf } from './branch.ts'
import { checkCalls } from './call-uses.ts'
import { isShallow } from './commits.ts'
import { docsOf, loadConfig, openConfigs } from './config.ts'
import { changedDeployment } from './deployed.ts'
import { Digests, stateOf } from './evidence.ts'
import { catalogueFor, operationsFor } from './known.ts'
import { checkCodes } from './levels.ts'
import { inPlaces } from './places.ts'
import { policySelection } from './policies.ts'
import { assumedEqual, withTaken } from './taken.ts'
import { whatIfOf } from './what-if.ts'
import { decidable, decidedOf, type FilesRead, noteNoWorld, noteUncreated, readFiles } from './world.ts'

/** Options for the content of a page. */
export type PageOptions = Omit<Options<'report'>, 'output' | 'format' | 'table' | 'dryRun' | 'diff' | 'coverage'>

export interface PageRead {
  /** Undefined where nothing is decided over the policies: why is on standard error. */
  readonly data: PageData | undefined
  /** The files read: the policies, then those of the state before. */
  readonly reads: readonly FilesRead[]
}

/** Read all that a page shows. `guard`: refuses what was read before anything else is done. */
export async function readPage(
  paths: readonly string[],
  options: PageOptions,
  around: Io,
  guard?: (read: ReadFiles, settings: Settings) => Promise<void>,
): Promise<PageRead> {
  const record = new RunRecord(blobOf, around.record)
  const digests = new Digests()
  record.noted = (_, __, bytes) => digests.note(bytes)
  const io = ioWith(around, { record, git: new GitMemory() })
  const { given, times, tags, problems } = readAccountContext(options, io)
  refuseProblems(problems)
  const { before: state, since } = options
  if (state !== undefined && since !== undefined)
    throw new Refusal('`--before` and `--since` both name an earlier state', 'omit one of the two')
  checkCalls(options)
  const label = state ?? since
  if (label !== undefined && options.withTag.length > 0)
    throw new Refusal(
      `\`--${since === undefined ? 'before' : 'since'}\` and \`--with-tag\` cannot be combined`,
      'what changed is shown for all resources',
    )
  const configs = await openConfigs(options, io)
  const { main } = configs
  checkCodes([main])
  const named = [...paths, ...options.policies]
  const then = since === undefined ? undefined : (await import('./as-of.ts')).sinceThen(since, named, io)
  const sides = [named, ...(state === undefined ? [] : [await pathsBefore(state, named, io)]), ...(then ? [then.paths] : [])]
  const all: FilesRead[] = []
  let readFirst: readonly FileCovered[] = []
  for (const [i, side] of sides.entries()) {
    // The policies of the past are where the configuration of that time says.
    const sideConfig = i > 0 && then ? await loadConfig({ ...options, configAt: then.commit }, io) : main
    all.push(await readFiles(await policySelection(side, sideConfig, io, { mayBeEmpty: i > 0 }), sideConfig.settings, io))
    if (i === 0) readFirst = record.coverage().read
  }
  const isOfPage = new Set(readFirst.map(keyOfFile))
  const readElsewhere = new Set(
    record
      .coverage()
      .read.map(keyOfFile)
      .filter((key) => !isOfPage.has(key)),
  )
  const reads = inPlaces(await decidedOf(all, options, io), sides, io.cwd, options.root.length > 1)
  const read = reads[0] as ReadFiles
  await guard?.(read, main.settings)
  const worlds = reads.map((each) => decidable(each, io, reads.length > 1 ? { compared: reads.flatMap(({ facts }) => facts) } : {}))
  if (worlds.includes(undefined)) return { data: undefined, reads: all }
  noteUncreated(reads, io)
  noteNoWorld(worlds as readonly World[], main, io)
  const [world, before] = worlds.map((each) => withTags(each as World, tags)) as [World, World?]
  const tagged = requireValue(taggedIn(worlds[0] as World, options.withTag))
  await configs.load(read.files)
  checkCodes(configs.all())
  const catalogue = await catalogueFor(main, io)
  const operations = await operationsFor(main, io)
  refuseAll(await namesInGuardrails(configs.all(), { catalogue, settings: main.settings, facts: read.facts }))
  const run = {
    now: times.at ?? times.from,
    ...(await applyConfigurations(configs, read.files, {
      cwd: portable(io.cwd),
      given: { rules: new Map(), preset: undefined },
      covers: () => true,
      ...(await wordsFor(configs.all(), times.at ?? times.from)),
    })),
  }
  const { findings: lintFindings, suppressed } = lintFiles({
    files: read,
    settings: main.settings,
    catalogue,
    operations: () => operations,
    ...run,
  })
  const actions = new ActionsByType(catalogue)
  const budget = budgetFor(io)
  const within = times.at === undefined ? { within: { from: times.from } } : { at: times.at }
  const difference = before && diff(before, world, { catalogue, described: actions, ...within })
  const changed = difference && (await changedDeployment([...sides].reverse(), reads, main, io, difference.verdict === 'same'))
  const ages = options.blame
    ? (await import('./ages.ts')).agesOf(lintFindings, {
        world: worlds[0] as World,
        rules: [...rules, ...(run.ownRules ?? [])],
        guardrails: (await import('./ages.ts')).grantGuardrails(configs),
        now: run.now,
      })
    : undefined
  const history = options.blame ? await entryHistory(named, world, options, ages?.add, io) : undefined
  const findings = history && ages ? ages.results(history.ids, io) : lintFindings
  const access = { catalogue, actions, reads: readActions(operations), given, settings: main.settings }
  const overTime = then && (await pastOf({ then, text: since as string, named, options, access, world, tags, now: times.from }, io))
  const coverage = record.coverage()
  const ofPage = coverage.read.filter((file) => !readElsewhere.has(keyOfFile(file)))
  const evidence = {
    ...stateOf(ofPage, io),
    inputs: digests.of(ofPage),
  }
  const compared =
    difference && withTaken(diff(before, world, { catalogue, described: actions, run: budget, ...within }), assumedEqual(reads), changed)
  const used =
    options.calls.length === 0
      ? undefined
      : await (await import('./page-calls.ts')).callsOfPage(
          { ...options, policies: named },
          {
            world,
            before,
            at: times.at,
            findings,
            ownRules: run.ownRules ?? [],
            difference: compared,
            reviewed: worlds[0] as World,
            now: times.at ?? times.from,
          },
          main.settings,
          io,
        )
  const review =
    options.review === undefined
      ? undefined
      : await (await import('./review-page.ts')).reviewOfPage(
          { review: options.review },
          { world: worlds[0] as World, sources: read.each, settings: main.settings, times, history, run: budget, uses: used?.grants },
          io,
        )
  const data = pageData({
    ...access,
    world,
    sources: read.each.map(({ source }) => source),
    findings: used?.findings ?? findings,
    suppressed: suppressed.length,
    rules,
    times,
    run: budget,
    title: options.title ?? 'Access report',
    version,
    docs: docsOf(main),
    ip: options.ip,
    tags: options.tag,
    tagged,
    coverage: coverageJson(coverage),
    evidence,
    review,
    ...overTime,
    history,
    uses: used?.uses,
    before: compared && {
      label: label as string,
      difference: compared,
      sources: reads[1]?.each.map(({ source }) => source) ?? [],
    },
  })
  return { data: { ...data, whatIf: whatIfOf(read.each, data.files, run, main, io) }, reads: all }
}

const keyOfFile = ({ path, from = '' }: FileCovered) => `${from}\n${path}`

interface PastAsked {
  readonly then: PastCommit
  /** The commit as it was given. */
  readonly text: string
  readonly named: readonly string[]
  readonly options: PageOptions
  readonly access: Omit<AccessInput, 'times' | 'run' | 'world'>
  readonly world: World
  readonly tags: Parameters<typeof withTags>[1]
  readonly now: number
}

/** The past since a commit, as far as the clone has the commits of the branch since then: sensitive access over time, and the timeline. */
async function pastOf(
  { then, text, named, options, access, world, tags, now }: PastAsked,
  io: Io,
): Promise<Pick<PageInput, 'growth' | 'past'>> {
  const [{ lineFrom }, { sensitiveGrowth }, { pastSince }] = await Promise.all([
    import('./as-of.ts'),
    import('./growth.ts'),
    import('./past-timeline.ts'),
  ])
  const ids = isShallow(io) ? undefined : lineFrom(branchOf(named, '--since').branch, then.commit, io)
  if (!ids) return { growth: { points: [], notes: [noLine] } }
  const { catalogue, actions } = access
  const tagged = (of: World) => withTags(of, tags)
  const growth = await sensitiveGrowth({ then, ids, given: named, options: { ...options, policies: [] }, tagged, access, world, now }, io)
  const past = await pastSince(
    { text, ...then },
    { ...options, policies: named },
    { to: now, now: world, identity: '*', catalogue, actions, time: () => ({ catalogue, described: actions }) },
    // A picture of the past is a part of a report: it takes a part of the budget.
    ioWith(io, { budget: (io.budget ?? usualSteps) / 10 }),
  )
  return { growth, past }
}

const noLine = 'the past since then is not shown: the clone is shallow, or the commit is not one of the branch by first parents'

/**
 * `--blame`: since when the entries of the policies have their effect, in the commits of the branch. Refused where the last commit has none
 * of the entries.
 */
async function entryHistory(
  policyPaths: readonly string[],
  { policies }: World,
  options: PageOptions,
  also: BlameRequest['also'],
  io: Io,
): Promise<EntryHistory & Pick<BlameRead, 'ids'>> {
  const [{ readBlame }, { blamedIn }, { policyEntries }] = await Promise.all([
    import('./blamed.ts'),
    import('../../history/blame.ts'),
    import('../../history/effects.ts'),
  ])
  const { report, left, ids } = await readBlame(
    {
      given: policyPaths,
      asker: '--blame',
      options: { ...options, policies: [] },
      select: (world) => world.policies.flatMap(policyEntries),
      isBounded: true,
      also,
    },
    io,
  )
  const of = blamedIn(report.blamed)
  if (left === 0 && policies.length > 0 && !policies.flatMap(policyEntries).some(of))
    throw new Refusal(`--blame: the last commit of \`${shown(report.branch)}\` has no entry of these policies`, 'commit the policies first')
  return { of, page: historyOf(report, left), ids }
}

const historyOf = (report: BlameRead['report'], omitted: number): PageHistory => ({
  branch: report.branch,
  count: report.count,
  first: referenceWords(report.first),
  last: referenceWords(report.last),
  notes: [
    ...unreadNotes(report),
    ...presentParts(
      omitted > 0 &&
        `there is too much to look at in one run: ${omitted} of ${plural(omitted + report.blamed.length, 'entry')} not looked at`,
    ),
  ],
  isOpen: omitted > 0 || isOpenBlame(report),
})
