import { answerText } from '../../answers/text.ts'
import { leastAnswer, leastJson, unusedAnswer } from '../../answers/usage.ts'
import { fullNameWording, wordingOf } from '../../answers/wording.ts'
import { glob, matches } from '../../glob.ts'
import { nearest } from '../../nearest.ts'
import { policiesFile } from '../../propose/insert.ts'
import { paint } from '../../report/colour.ts'
import { guardNotation, json } from '../../report/safe.ts'
import { ActionsByType } from '../../symbolic/described.ts'
import { readIdentity } from '../../urn/identity.ts'
import { type Level, levels } from '../../usage/generalise.ts'
import { type Least, type LeastVerdict, least, leastVerdict, TooLarge } from '../../usage/least.ts'
import { recordCounter } from '../../usage/tally.ts'
import { unusedEntries } from '../../usage/unused.ts'
import type { Options, Run } from '../app/commands.ts'
import { type ExitCode, exit } from '../app/exit.ts'
import { budgetFor, type Io, wantsColour } from '../app/io.ts'
import { choice } from '../app/options.ts'
import { Refusal, refuseProblems } from '../app/refusal.ts'
import { type Config, loadConfig } from '../input/config.ts'
import { catalogueFor } from '../input/known.ts'
import { faultsOf, instantOf } from '../input/question.ts'
import { readRecords } from '../input/records.ts'
import { suppositionOf } from '../input/suppose.ts'
import { loadWorld } from '../input/world.ts'
import { writeAnswer } from '../output/answer.ts'
import { viewOf } from '../output/view.ts'

const exits: Readonly<Record<LeastVerdict, ExitCode>> = {
  proposed: exit.success,
  within: exit.success,
  none: exit.failure,
  beyond: exit.failure,
  undecided: exit.unknown,
}

/**
 * `least FILE...`, or `--from FILE`: the smallest policies that allow what was used, on standard output; of a plan, what applying it needs,
 * and of source code, what its calls need. Writes no file.
 */
export const run: Run<'least'> = async (files, asked, io) => {
  const { configurationFiles, leastPlan, otherSource } = await import('./least-plan.ts')
  const options = { ...asked, from: await configurationFiles([...asked.from, ...files], io) }
  const other = await otherSource(options, io)
  if (other?.kind === 'code') {
    const { leastCode } = await import('./least-code.ts')
    return leastCode(other.files, options, io)
  }
  if (other) return leastPlan(other, options, io)
  if (suppositionOf(options) && (options.accessRules || options.policies.length === 0))
    throw new Refusal('what is supposed is about the current policies, which `-p` names', 'add `-p`, without `--access-rules`')
  if (options.at !== undefined && (options.accessRules || options.policies.length === 0))
    throw new Refusal('`--at` is about the current policies, which `-p` names', 'add `-p`, without `--access-rules`, or omit `--at`')
  if (options.accessRules) {
    if (options.unused)
      throw new Refusal('`--unused` and `--access-rules` cannot be combined', 'unused rules are listed without `--unused`')
    const { leastRulesCommand } = await import('./least-rules.ts')
    return leastRulesCommand(filesIn(options), identitiesIn(options), options, io)
  }
  for (const option of ['credential', 'baseUrl'] as const)
    if (options[option] !== undefined) throw new Refusal(`\`--${option === 'baseUrl' ? 'base-url' : option}\` requires \`--access-rules\``)
  const instant = options.at === undefined ? undefined : instantOf('--at', options.at)
  const format = choice(
    '--format',
    options.format ?? (options.unused ? 'pretty' : 'yaml'),
    options.unused ? (['pretty', 'compact', 'json'] as const) : (['yaml', 'policies', 'pretty', 'json'] as const),
  )
  const level = choice('--generalise', options.generalise, Object.keys(levels) as Level[])
  const sources = filesIn(options)
  const wanted = identitiesIn(options)
  const config = await loadConfig(options, io)
  if (options.unused) checkUnused(options, config)
  const isOverPolicies = options.policies.length > 0 || options.unused
  const loaded = isOverPolicies ? await loadWorld({ ...options, format }, io) : undefined
  if (isOverPolicies && !loaded) return exit.error
  const seen = new Set<string>()
  const isWanted = (identity: string) => {
    if (seen.size < mostSeen) seen.add(identity)
    return wanted?.some((pattern) => matches(pattern, identity)) === true
  }
  const tallies = recordCounter(wanted && isWanted)
  const passed = await readRecords(sources, options, config.settings, io, tallies.add)
  const tally = tallies.end()
  for (const { text } of wanted ?? []) noteUnseen(text, seen, io)
  const catalogue = await catalogueFor(config, io)
  const unused =
    options.unused && loaded
      ? unusedEntries(loaded.world, tally, { catalogue, actions: new ActionsByType(catalogue), at: instant ?? io.now() })
      : undefined
  if (unused && loaded && format !== 'json') {
    writeAnswer(unusedAnswer(unused, tally, passed.bad), loaded, { ...options, format: format === 'compact' ? format : 'pretty' }, io)
    return exit.success
  }
  const view = loaded && viewOf(options, [loaded.world])
  const result = tooLarge(() =>
    least(tally, {
      level,
      catalogue,
      settings: config.settings,
      now: io.now(),
      ...(instant !== undefined && { at: instant }),
      ...(loaded && { current: loaded.world }),
      ...(view && view.over !== 'everything' && { described: new ActionsByType(catalogue) }),
      onlyGained: wanted !== undefined,
      run: budgetFor(io),
    }),
  )
  const report = {
    tally,
    least: result,
    level,
    ...passed,
    ...(instant !== undefined && { at: instant }),
    ...(view && { view }),
    ...(unused && { unused }),
  }
  const wording = view ? wordingOf(view.names, undefined, view.actions) : fullNameWording()
  const summary = (to: Io['stdout']) =>
    to.write(answerText(leastAnswer(report), { paint: paint(wantsColour({ ...io, stdout: to }, options.color)), wording }))
  if (format === 'json') io.stdout.write(`${json(leastJson(report))}\n`)
  else if (format === 'pretty') {
    summary(io.stdout)
    if (result.policies.length > 0) io.stdout.write(`\n${policiesFile(result.policies)}`, guardNotation)
  } else {
    if (result.policies.length > 0)
      io.stdout.write(format === 'yaml' ? policiesFile(result.policies) : `${JSON.stringify(result.policies, null, 2)}\n`, guardNotation)
    summary(io.stderr)
  }
  return unused ? exit.success : exits[leastVerdict(result)]
}

/** Refuses `--unused` without policies, and together with options that contradict it. */
function checkUnused({ policies, identity }: Options<'least'>, config: Config): void {
  if (policies.length === 0 && config.policies === undefined)
    throw new Refusal('`--unused` is about the current policies, which neither `-p` nor the configuration names', 'add `-p`')
  if (identity.length > 0)
    throw new Refusal(
      '`--unused` and `--identity` cannot be combined',
      'what one identity does not use, another one may: omit `--identity`',
    )
}

/** How many identities of records are compared with those that are asked about. */
const mostSeen = 10_000

/** An identity of which there is no record may be a typo. */
function noteUnseen(text: string, seen: ReadonlySet<string>, io: Io): void {
  const pattern = glob(text)
  if (seen.size >= mostSeen || [...seen].some((identity) => matches(pattern, identity))) return
  const tails = new Map([...seen].map((urn) => [tailOf(urn), urn]))
  const suggested = tails.get(nearest(tailOf(text), tails.keys()) ?? '')
  if (suggested !== undefined)
    io.stderr.write(`grantwise: note: --identity \`${text}\`: no record is of this identity: did you mean \`${suggested}\`?\n`)
}

const tailOf = (urn: string) => urn.slice(urn.lastIndexOf('/') + 1)

function filesIn(options: Options<'least'>): readonly string[] {
  const files = options.from
  if (files.length === 0) throw new Refusal('`--from FILE` is missing: what was used', 'for example `grantwise least --from calls.ndjson`')
  return files
}

/** The identities of `--identity`; undefined: all. */
function identitiesIn(options: Options<'least'>) {
  const texts = options.identity
  refuseProblems(texts.flatMap((text) => faultsOf('--identity', text, readIdentity(text, { pattern: true }))))
  return texts.length === 0 ? undefined : texts.map(glob)
}

function tooLarge(make: () => Least): Least {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error
    throw new Refusal(
      'a policy of the proposal would be too large to be read',
      'look at fewer identities at a time, with `--identity`, or widen with `--generalise`',
    )
  }
}
