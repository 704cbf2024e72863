import { readActionPattern } from '../../actions/action.ts'
import type { RegionScope } from '../../answers/difference.ts'
import { type Changed, type History, historyAnswer, isOpenHistory } from '../../answers/history.ts'
import { readCan } from '../../ask/can.ts'
import type { Budget } from '../../budget.ts'
import { concernsOf } from '../../diff/selection.ts'
import { Claims, type Judge } from '../../history/claims.ts'
import { Differences } from '../../history/differences.ts'
import type { Moment } from '../../history/state.ts'
import { StepFinder } from '../../history/steps.ts'
import { Verdicts } from '../../history/verdicts.ts'
import type { Settings } from '../../names.ts'
import type { World } from '../../policy.ts'
import { Names } from '../../report/names.ts'
import { ShortNames } from '../../simulate/short-names.ts'
import { ActionsByType, isDescribed } from '../../symbolic/described.ts'
import { readResourcePattern } from '../../urn/resource.ts'
import { emptyWorld } from '../../world.ts'
import type { Options } from '../app/commands.ts'
import { exit } from '../app/exit.ts'
import { GitMemory } from '../app/git-memory.ts'
import { budgetFor, type Io, ioWith } from '../app/io.ts'
import { Refusal, refuseProblems } from '../app/refusal.ts'
import { lineSince, sinceCommit } from '../input/as-of.ts'
import { branchOf } from '../input/branch.ts'
import { commitIds, commitsRead } from '../input/commits.ts'
import { type Config, loadConfig } from '../input/config.ts'
import { configFilesOf } from '../input/config-at.ts'
import { catalogueFor } from '../input/known.ts'
import { lastState, lookThrough } from '../input/past.ts'
import { instantOf, readContext } from '../input/question.ts'
import { findTests } from '../input/suites.ts'
import { type Answer, problemLines } from '../input/world.ts'
import { writeAnswer } from '../output/answer.ts'

/** `history IDENTITY ACTION RESOURCE`: the commits at which the answer changed. */
export const run: Answer<'history'> = async (args, options, around) => {
  const io = ioWith(around, { git: new GitMemory() })
  if (options.at !== undefined && options.asOfCommit)
    throw new Refusal('`--at` and `--as-of-commit` both give a time', 'omit one of the two')
  const { branch, paths } = branchOf(options.policies, 'history')
  const instant = options.at === undefined ? undefined : instantOf('--at', options.at)
  const ids = commitsOf(branch, options, io)
  const pastOptions = { options, paths }
  const last = await lastState(ids, pastOptions, io)
  const config = last.state?.config ?? (await lastConfig({ id: ids.at(-1) as string, branch, why: last.why }, options, io))
  // Names are those of the last commit.
  const world = last.state?.world() ?? emptyWorld
  const { asked, change, now, claims, isSpent } = await questionOf(args, options, world, config, io)

  // Since a date, the first commit is only what the others are compared with.
  const finder = new StepFinder<Moment, Changed>((before, after) =>
    before === undefined && options.since !== undefined ? undefined : change(before, after),
  )
  let hasPolicies = false
  const examined = await lookThrough(ids, { allParents: options.allParents, given: pastOptions }, io, ({ commit, known, ...point }) => {
    hasPolicies ||= known.state?.isEmpty === false
    const state = known.state && { state: known.state, at: options.asOfCommit ? Date.parse(commit.date) : instant }
    finder.add({ commit, ...point, known: state ? { state } : { why: known.why as string } })
    return !isSpent?.()
  })
  const { first, last: newest, count } = examined
  const [cut] = count < ids.length ? commitsRead(ids.slice(-1), io) : []
  const { steps, gaps } = finder
  if (!hasPolicies) throw noPolicies(branch, paths, gaps)
  const end = last.state && { state: last.state, at: options.asOfCommit ? Date.parse(newest.date) : instant }
  const history: History = {
    asked,
    steps,
    gaps,
    branch,
    first,
    last: newest,
    count,
    cut,
    ...(now && { one: { now: end && now(end) } }),
    ...(claims && { claims: end ? claims(end) : [] }),
    times: options.asOfCommit ? 'of each commit' : instant === undefined ? 'all' : { at: instant },
    askedAt: io.now(),
  }
  const over: RegionScope = options.over ?? (isDescribed([world]) ? 'known' : 'everything')
  writeAnswer(historyAnswer(history, over), { names: new Names([world], options.fullUrns) }, { ...options, title: 'grantwise history' }, io)
  return isOpenHistory(history) ? exit.unknown : exit.success
}

/** The configuration of a last commit whose policies cannot be read. Guardrails are those of that commit, never those on the disk. */
async function lastConfig(
  last: { readonly id: string; readonly branch: string; readonly why: string | undefined },
  options: Options<'history'>,
  io: Io,
): Promise<Config> {
  if (typeof options.config === 'string') return loadConfig(options, io)
  try {
    return await loadConfig(options, io, configFilesOf(last.id, io))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (options.guardrail.length === 0) return loadConfig(options, io)
    throw new Refusal(
      `\`--guardrail\`: the last commit of \`${last.branch}\` has the guardrails, and cannot be read: ${last.why}`,
      'commit a configuration that can be read, or name one on the disk with `--config FILE`',
    )
  }
}

/** The commits to look at, parents first: all of the branch, or those since a date. */
function commitsOf(branch: string, { since, allParents, policies }: Options<'history'>, io: Io): readonly string[] {
  if (since === undefined) return commitIds(branch, 'history', allParents, io)
  if (allParents) throw new Refusal('`--since` is about the branch itself, and `--all-parents` about others as well', 'omit one of the two')
  return lineSince(branch, sinceCommit(since, policies, io), since, io)
}

/** How many times the budget of a run all comparisons of a history may take together. */
const mostRuns = 5

/** A budget for each comparison: its steps do not depend on how many there are. All together have a limit. */
class Budgets {
  private readonly io: Pick<Io, 'budget'>
  private readonly most: number
  private taken = 0
  private current: Budget | undefined

  constructor(io: Pick<Io, 'budget'>) {
    this.io = io
    this.most = budgetFor(io).left
  }

  next(): Budget {
    this.taken = this.steps
    this.current = budgetFor(this.io)
    return this.current
  }

  get isSpent(): boolean {
    return this.steps >= mostRuns * this.most
  }

  private get steps(): number {
    return this.taken + (this.current ? this.most - this.current.left : 0)
  }
}

function noPolicies(branch: string, paths: readonly string[], [gap]: History['gaps']): Refusal {
  const [unread] = gap?.unread ?? []
  if (unread) return new Refusal(`no commit of \`${branch}\` can be read; ${unread.commit.short}: ${unread.why}`)
  const place = paths.length === 0 ? '' : ` at ${paths.map((path) => `\`${path}\``).join(', ')}`
  return new Refusal(
    `no commit of \`${branch}\` holds a policy${place}`,
    'name the files and folders of the policies with `-p`, as seen from the working folder',
  )
}

interface AskedQuestion {
  readonly asked: History['asked']
  readonly change: (before: Moment | undefined, after: Moment) => Changed | undefined
  /** The answer in a state, of a question that has one. */
  readonly now?: Verdicts['at']
  /** Whether the comparisons have used up what they may take together. */
  readonly isSpent?: () => boolean
  /** The results of claims in a state, where they take the place of a question. */
  readonly claims?: Claims['at']
}

/** The question: about one identity, action and resource, or about all that patterns match. */
async function questionOf(
  args: readonly (string | undefined)[],
  options: Options<'history'>,
  world: World,
  config: Config,
  io: Io,
): Promise<AskedQuestion> {
  if (options.guardrail.length + options.test.length > 0) return claimsOf(args, options, config, io)
  const [identity, action = '*', resource = '*'] = args
  if (identity === undefined)
    throw new Refusal(
      '`history` takes IDENTITY, and optionally ACTION and RESOURCE; each may be a pattern',
      'for example `grantwise history user/kim vps:apisvc:reboot vps:vps-1`',
    )
  const names = new ShortNames(world)
  const isOne = [identity, action, resource].every((text) => !text.includes('*'))
  if (!isOne) {
    const requestOption = (['ip', 'tag', 'owner', 'group'] as const).find((name) => (options[name]?.length ?? 0) > 0)
    if (requestOption !== undefined)
      throw new Refusal(`\`--${requestOption}\` is about one request, and patterns are about many`, `omit \`--${requestOption}\``)
    const asked = {
      identity: identityIn(identity, names, world),
      action: actionIn(action, config.settings),
      resource: resourceIn(resource, names),
    }
    const catalogue = await catalogueFor(config, io)
    const budgets = new Budgets(io)
    const differences = new Differences(asked, { catalogue, described: new ActionsByType(catalogue), budget: () => budgets.next() })
    return { asked, change: differences.change, isSpent: () => budgets.isSpent }
  }
  const { question, problems } = readCan(
    [identity, action, resource],
    readContext({ ...options, at: undefined }, io),
    names,
    config.settings,
  )
  refuseProblems(problems)
  if (!question) throw new Refusal('the question cannot be read')
  const { at: _, ...timeless } = question
  const verdicts = new Verdicts({ question: timeless, now: io.now() })
  return {
    asked: { identity: question.identity, action: question.action, resource: question.resource },
    change: verdicts.change,
    now: (moment) => verdicts.at(moment),
  }
}

/** Claims in the place of a question: guardrails, and policy tests as they are now. */
async function claimsOf(
  args: readonly (string | undefined)[],
  options: Options<'history'>,
  config: Config,
  io: Io,
): Promise<AskedQuestion> {
  const requestOption = ['ip', 'tag', 'owner', 'group'].find((name) => (options[name as 'ip']?.length ?? 0) > 0)
  if (args.length > 0 || requestOption !== undefined)
    throw new Refusal(
      '`--guardrail` and `--test` take the place of a question',
      `omit ${requestOption === undefined ? 'the question' : `\`--${requestOption}\``}`,
    )
  const catalogue = await catalogueFor(config, io)
  const { guardrailJudge, testJudge } = await import('../input/asked-claims.ts')
  const judges: Judge[] = []
  if (options.guardrail.length > 0) judges.push(guardrailJudge(options.guardrail, config, catalogue, io))
  if (options.test.length > 0) {
    const { tests, problems, isBroken } = await findTests(options.test, io.now(), config.settings, io)
    io.stderr.write(problemLines(problems))
    if (isBroken) throw new Refusal('policy tests that cannot be read')
    const namingPolicies = tests.find(({ suite }) => suite.policies !== undefined)
    if (namingPolicies && options.policies.length === 0)
      throw new Refusal(`${namingPolicies.path} names its policies`, 'name them with `-p`, as they are called in the last commit')
    judges.push(testJudge(tests, catalogue, io))
  }
  const claims = new Claims((state, at) => judges.flatMap((judge) => judge(state, at)))
  return { asked: undefined, change: claims.change, claims: (moment) => claims.at(moment) }
}

function actionIn(text: string, { brand }: Settings): string {
  const { faults } = readActionPattern(text, brand)
  if (faults) throw new Refusal(`action \`${text}\`: ${faults[0]?.message}`, 'write an action, or a pattern over actions: `vps:*`')
  return text
}

function identityIn(text: string, names: ShortNames, world: World): string {
  if (text === '*') return text
  const { text: urn, problem } = text.includes('*') || text.startsWith('urn:') ? { text } : names.identity(text)
  if (problem) refuseProblems([problem])
  if (!concernsOf(urn, world))
    throw new Refusal(`\`${text}\` is not an identity`, 'write a URN or its end: `user/kim`, `group/operations`, `user/*`')
  return urn
}

function resourceIn(text: string, names: ShortNames): string {
  if (text === '*') return text
  const { text: urn, problem } = names.resource(text)
  if (problem) refuseProblems([problem])
  const { faults } = readResourcePattern(urn)
  if (faults) throw new Refusal(`resource \`${text}\`: ${faults[0]?.message}`, 'write a URN, or a pattern over resources')
  return urn
}
