import { resolve } from 'node:path'
import { type RiskCategory, riskCategories } from '../../actions/sensitive.ts'
import { isPattern } from '../../glob.ts'
import { type AccessOptions, addedAccess, grantsOf, RiskyActions, riskyAccess, type Team, teamsByGroup } from '../../lock/budget.ts'
import {
  type AccessBudget,
  budgetFor as budgetOf,
  budgetText,
  departuresFrom,
  type JudgedTeam,
  judgedTeams,
  overAsBefore,
  overWithEarlierGroups,
  type Raise,
  raisedSince,
  readBudget,
  renewedBudget,
} from '../../lock/budget-file.ts'
import type { Settings } from '../../names.ts'
import type { Resource, World } from '../../policy.ts'
import { type BudgetReport, type BudgetRow, budgetJson, budgetVerdict, budgetText as reportText } from '../../report/budget.ts'
import { json, shown } from '../../report/safe.ts'
import { plural } from '../../report/words.ts'
import { sourceOf } from '../../source.ts'
import { ActionsByType, knownNamesIn } from '../../symbolic/described.ts'
import { notBefore } from '../../symbolic/formula.ts'
import { withEarlierGroups } from '../../world.ts'
import type { Options, Run } from '../app/commands.ts'
import { type ExitCode, exit } from '../app/exit.ts'
import { budgetFor, type Io } from '../app/io.ts'
import { displayPath } from '../app/paths.ts'
import { Refusal } from '../app/refusal.ts'
import type { Config } from '../input/config.ts'
import { earlierConfig, otherFieldsWords } from '../input/earlier-config.ts'
import { objectOf } from '../input/git.ts'
import { catalogueFor } from '../input/known.ts'
import { gitPathOf } from '../input/policies.ts'
import { isThere, textAt } from '../input/read-file.ts'
import { loadWorld, refuseOpen } from '../input/world.ts'
import { refuseErrors } from '../output/diagnostics.ts'
import { writingOf } from '../output/writing.ts'

/** How many grants of a team are listed without `--all`. */
const mostListed = 5

/** `budget`: how much risky access each team has, held to the numbers of a committed file that only go down. */
export const run: Run<'budget'> = async (_, options, io) => {
  checkOptions(options)
  const writing = writingOf(options, io)
  if (!options.update) writing.refuseIdle('add `--update`')
  const file = resolve(io.cwd, options.file)
  const path = displayPath(file, io.cwd)
  const loaded = await loadWorld(options, io)
  if (!loaded) return exit.error
  const { settings, config } = loaded
  refuseOpen('budget', loaded, countsAccess)
  const old = isThere(file) ? await budgetAt(file, path, settings, io) : undefined
  if (!old && !options.update)
    throw new Refusal(`${path}: there is no such file`, 'create it with `grantwise budget --update`, and keep it with the policies')
  const categories = categoriesIn(options, old)
  const followed = old && options.follows !== undefined ? await followedWorld(options.follows, file, options, io) : 'none'
  if (!followed) return exit.error
  // A resource that the change no longer describes is there as before.
  const world = followed === 'none' ? loaded.world : withResourcesOf(followed, loaded.world)
  const teams: readonly Team[] = old ? old.teams.filter(({ identities }) => identities.length > 0) : teamsByGroup(world)
  const access: AccessOptions = {
    risky: new RiskyActions(new ActionsByType(await catalogueFor(config, io)), settings.brand, categories),
    time: notBefore(io.now()),
    run: budgetFor(io),
  }
  const counted = riskyAccess(world, teams, access)
  const budget = old ?? budgetOf(categories, counted)
  const judged = judgedTeams(budget, counted)
  const base = options.base === undefined ? undefined : await loadWorld({ ...options, policies: [options.base] }, io)
  if (options.base !== undefined && !base) return exit.error
  const departures: string[] = []
  const raised: Raise[] = []
  if (old && options.follows !== undefined) {
    const earlier = await earlierBudget(options.follows, path, file, settings, io)
    raised.push(...raisedSince(earlier, old))
    departures.push(...departuresFrom(earlier, old), ...overAsBefore(earlier, old, (each) => riskyAccess(world, each, access)))
    const asBefore = followed === 'none' ? undefined : withEarlierGroups(followed, world)
    if (asBefore) departures.push(...overWithEarlierGroups(judged, old, riskyAccess(asBefore, teams, access)))
    departures.push(...(await otherSettings(options.follows, options, config, io)))
  }
  const rows = judged.map((each) => rowOf(each, world, base?.world, teams, access))
  const report: BudgetReport = { file: path, budget, access: counted, rows, departures, raised }
  if (!options.update) return printed(report, loaded.names, options, io)
  return update(report, old, { ...options, file }, loaded.names, io)
}

type Names = NonNullable<Awaited<ReturnType<typeof loadWorld>>>['names']

const countsAccess = 'a budget counts what policies allow'

function checkOptions({ check, update, raise, format, follows, category }: Options<'budget'>): void {
  if (check && update) throw new Refusal('`--check` and `--update` cannot be combined', 'omit one of the two')
  if (raise !== undefined && !update) throw new Refusal('`--raise` requires `--update`', 'add `--update`, or omit `--raise`')
  if (raise !== undefined && raise.trim() === '')
    throw new Refusal('`--raise` takes a reason, and this one is empty', 'say why more access is needed')
  if (update && follows !== undefined)
    throw new Refusal('`--follows` is about a budget that is not written', 'omit `--update`, or omit `--follows`')
  if (update && format === 'json')
    throw new Refusal('`--update` writes the budget and prints no JSON', 'omit `--update`, or omit `--format`')
  if (category.length > 0 && !update)
    throw new Refusal('`--category` requires `--update`: the file says what is counted', 'add `--update`, or omit `--category`')
}

function rowOf(judged: JudgedTeam, world: World, base: World | undefined, teams: readonly Team[], options: AccessOptions): BudgetRow {
  if (judged.status !== 'over') return { ...judged, grants: [], beyond: [], added: [] }
  const { name } = judged.access.team
  const { described, undescribed } = grantsOf(world, teams, name, options)
  return {
    ...judged,
    grants: described,
    beyond: undescribed,
    added: base ? addedAccess(base, world, teams, name, options) : [],
  }
}

/** The categories of the file; others may only be given where it is written anew. */
function categoriesIn({ category }: Options<'budget'>, old: AccessBudget | undefined): readonly RiskCategory[] {
  const selected = riskCategories.filter((each) => category.includes(each))
  if (!old) return selected.length > 0 ? selected : ['destruction']
  if (selected.length > 0 && selected.join() !== old.categories.join())
    throw new Refusal(
      `the budget counts ${old.categories.join(', ')}: with other categories its numbers would mean something else`,
      'write another file with `--file`, or remove this one first',
    )
  return old.categories
}

function printed(report: BudgetReport, names: Names, { format, all }: Options<'budget'>, io: Io): ExitCode {
  if (format === 'json') io.stdout.write(`${json(budgetJson(report))}\n`)
  else io.stdout.write(reportText(report, names, all ? Number.POSITIVE_INFINITY : mostListed))
  return { within: exit.success, over: exit.failure, undecided: exit.unknown }[budgetVerdict(report)]
}

/** Write the file: a new one, or one with lower numbers; with a reason, with higher ones. */
async function update(
  report: BudgetReport,
  old: AccessBudget | undefined,
  options: Options<'budget'> & { readonly file: string },
  names: Names,
  io: Io,
): Promise<ExitCode> {
  const { rows, access, file: path } = report
  const writing = writingOf(options, io)
  if (access.isUndecided) {
    io.stderr.write(
      `grantwise: ${shown(path)}: not everything could be counted within limits: nothing is written\n  help: count parts of the policies, with \`-p\` and \`--file\`\n`,
    )
    return exit.unknown
  }
  const day = new Date(io.now()).toISOString().slice(0, 10)
  const budget = old
    ? renewedBudget(old, rows, options.raise === undefined ? undefined : { reason: options.raise, date: day })
    : report.budget
  const text = budgetText(budget)
  const before = old ? textAt(options.file, 'settings', io).text : undefined
  const notes = writing.diffOption === undefined ? io.stdout : io.stderr
  if (text === before) notes.write(`${shown(path)}: up to date, not changed\n`)
  else {
    await writing.write(options.file, text)
    if (!writing.isDry) io.stdout.write(`${shown(path)}: ${old ? 'renewed' : 'written'}, ${plural(budget.teams.length, 'team')}\n`)
  }
  const isRisen = options.raise === undefined && rows.some(({ status }) => status === 'over' || status === 'unknown')
  if (!isRisen) return writing.exitCode(exit.success)
  notes.write(reportText(report, names, options.all ? Number.POSITIVE_INFINITY : mostListed))
  io.stderr.write('grantwise: numbers are only raised with a reason\n  help: remove the access, or give the reason with `--raise`\n')
  return rows.some(({ status }) => status === 'over') ? exit.failure : exit.unknown
}

async function budgetAt(file: string, path: string, settings: Settings, io: Io): Promise<AccessBudget> {
  const { text, message } = textAt(file, 'settings', io)
  if (text === undefined) throw new Refusal(`${path}: ${message}`)
  return budgetIn(path, text, settings)
}

/** The budget in a text. Throws a refusal where it cannot be understood. */
async function budgetIn(path: string, text: string, settings: Settings): Promise<AccessBudget> {
  const { budget, diagnostics } = await readBudget(sourceOf(path, text, 'yaml'), settings)
  refuseErrors(diagnostics)
  if (!budget) throw new Error('a budget without problems is read')
  return budget
}

/**
 * The policies and the inventory of the commit that is followed; `none` where it has no budget, or where a file is followed. Undefined where
 * one has an error, which was printed.
 */
async function followedWorld(follows: string, file: string, options: Options<'budget'>, io: Io): Promise<World | 'none' | undefined> {
  const committed = gitPathOf(follows)
  if (!committed) return 'none'
  const { reference, path } = committed
  const { configFilesOf } = await import('../input/config-at.ts')
  if (!configFilesOf(objectOf(reference, 'commit', io, follows), io).exists(path === undefined ? file : resolve(io.cwd, path)))
    return 'none'
  const onDisk = options.policies.filter((each) => each !== '-' && !gitPathOf(each))
  if (onDisk.length === 0 && options.policies.length > 0) return 'none'
  const policies = onDisk.length === 0 ? [`git:${reference}`] : onDisk.map((each) => `git:${reference}:${each}`)
  return (await loadWorld({ ...options, policies, configAt: reference }, io))?.world
}

/** A world with the resources that another one describes or names, and it does not. */
function withResourcesOf(earlier: World, world: World): World {
  const here = new Set(knownNamesIn([world]).resources)
  const named = earlier.policies.flatMap(({ resources }) =>
    resources.flatMap(({ value, span }): Resource[] =>
      value.kind === 'resource' && !isPattern(value.glob) ? [{ urn: { value: value.text, span }, mentioned: true }] : [],
    ),
  )
  const dropped = [...named, ...earlier.resources.values()].filter(({ urn }) => !here.has(urn.value))
  return { ...world, resources: new Map([...world.resources, ...dropped.map((each) => [each.urn.value, each] as const)]) }
}

/** How the configuration reads otherwise than that of the commit that is followed: what is not read is not counted. */
async function otherSettings(follows: string, options: Options<'budget'>, config: Config, io: Io): Promise<readonly string[]> {
  const committed = gitPathOf(follows)
  if (!committed) return []
  const { others } = await earlierConfig(committed.reference, options, config, io)
  return otherFieldsWords(
    others.filter((field) => field !== 'policies' || options.policies.length === 0),
    follows,
  )
}

/** An earlier version of the file: a file, or that of a commit. A commit without the file has none: the budget follows itself. */
async function earlierBudget(follows: string, path: string, file: string, settings: Settings, io: Io): Promise<AccessBudget> {
  const committed = gitPathOf(follows)
  if (!committed) {
    const earlier = resolve(io.cwd, follows)
    if (!isThere(earlier)) throw new Refusal(`--follows: ${displayPath(earlier, io.cwd)}: there is no such file`)
    return budgetAt(earlier, displayPath(earlier, io.cwd), settings, io)
  }
  const { reference, path: inside } = committed
  const { configFilesOf } = await import('../input/config-at.ts')
  const { text, message } = configFilesOf(objectOf(reference, 'commit', io, follows), io).read(
    inside === undefined ? file : resolve(io.cwd, inside),
  )
  if (text !== undefined) return budgetIn(follows, text, settings)
  if (inside !== undefined) throw new Refusal(`--follows \`${follows}\`: ${message}`)
  io.stderr.write(`grantwise: note: --follows: ${shown(follows)} has no ${shown(path)}: there is no budget to follow\n`)
  return budgetAt(file, path, settings, io)
}
