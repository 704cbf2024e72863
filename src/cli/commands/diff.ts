import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { readActionPattern } from '../../actions/action.ts'
import type { Catalogue } from '../../actions/catalogue.ts'
import type { CallUses } from '../../answers/call-use.ts'
import { type DiffReport, differenceAnswer, type View } from '../../answers/difference.ts'
import { differenceFindings, differenceRules } from '../../answers/findings.ts'
import { answerMarkdown } from '../../answers/markdown.ts'
import { answerLines, answerText } from '../../answers/text.ts'
import { fullNameWording, wordingOf } from '../../answers/wording.ts'
import type { Assumption } from '../../coverage.ts'
import { beyondCeiling, openMembers } from '../../diff/ceiling.ts'
import { type Difference, diff } from '../../diff/diff.ts'
import { atInstant } from '../../diff/instant.ts'
import { Mapping, mapsFault } from '../../diff/mapped.ts'
import { type DiffSelection, selectedOf } from '../../diff/selected.ts'
import { concernsInAny } from '../../diff/selection.ts'
import { diffBetween } from '../../diff/timeline.ts'
import type { World } from '../../policy.ts'
import { paint } from '../../report/colour.ts'
import type { LintReport } from '../../report/lint.ts'
import { json, shown } from '../../report/safe.ts'
import { unknownNames } from '../../report/unknown-names.ts'
import { firstFew } from '../../report/words.ts'
import { ShortNames } from '../../simulate/short-names.ts'
import type { ReadFiles } from '../../sources/files.ts'
import { unknownSymbolsIn } from '../../sources/read.ts'
import { ActionsByType } from '../../symbolic/described.ts'
import { shellWord } from '../../texts.ts'
import { describesAnything } from '../../world.ts'
import type { Arguments, Options } from '../app/commands.ts'
import { exit } from '../app/exit.ts'
import { GitMemory } from '../app/git-memory.ts'
import { budgetFor, type Io, ioWith, wantsColour } from '../app/io.ts'
import { pair } from '../app/options.ts'
import { Refusal, refuseProblems } from '../app/refusal.ts'
import { version } from '../app/version.ts'
import { checkCalls, countCalls, usesOf } from '../input/call-uses.ts'
import { changedDeployment, sidesApart } from '../input/deployed.ts'
import { readHorizon } from '../input/horizon.ts'
import { catalogueFor } from '../input/known.ts'
import { inPlaces } from '../input/places.ts'
import { policySelection } from '../input/policies.ts'
import { instantOf } from '../input/question.ts'
import { supposedOf, suppositionOf } from '../input/suppose.ts'
import { assumedEqual, withTaken } from '../input/taken.ts'
import { checkTargets, guardInputs } from '../input/targets.ts'
import {
  type Answer,
  decidable,
  decidedOf,
  fromFiles,
  hasPolicies,
  noteNoWorld,
  noteUncreated,
  readFiles,
  type SessionFiles,
} from '../input/world.ts'
import { wrapLines } from '../output/fit.ts'
import { formatTargets, outputsOf, writeOutput } from '../output/outputs.ts'
import { supposedBefore } from '../output/supposed.ts'
import { viewOf } from '../output/view.ts'
import { writingOf } from '../output/writing.ts'

/** `diff BEFORE AFTER`: the access gained and lost between two worlds, or over time; with `--plan`, what a plan needs of it. */
export const run: Answer<'diff'> = async (args, options, around, { config: configOf, held } = fromFiles) => {
  const io = ioWith(around, { git: new GitMemory() })
  checkCalls(options)
  if (options.calls.length > 0 && (options.merge || options.refs !== undefined || (options.plan !== undefined && args.length === 2)))
    throw new Refusal('`--calls` is about what changes between two sides: `--merge` and `--plan` with both sides report something else')
  if (options.merge || options.refs !== undefined) {
    if (held) throw new Refusal('`diff --merge` reads files and commits: a session has one set of policies', 'run it at the command line')
    return (await import('./diff-merge.ts')).merged(args, options, io, { instants: instantsIn(options), configOf })
  }
  if (args.length > 2)
    throw new Refusal('`diff` takes BEFORE and AFTER', 'with `--merge`, three arguments: what both were made from, and both')
  const instants = instantsIn(options)
  const plan = options.plan
  if (plan !== undefined && args.length === 2 && !held) return (await import('./diff-plan.ts')).diffPlan(args, plan, instants, options, io)
  const supposition = suppositionOf(options)
  const added = supposition?.added ?? []
  const since = options.since === undefined ? undefined : await sinceIn(args, options, { isHeld: held !== undefined, instants }, io)
  const sides = since
    ? since.sides
    : held
      ? await heldSides(args, held, io)
      : plan === undefined
        ? sidesIn(args, options, instants, supposition !== undefined)
        : planSides(args, options, instants)
  const mapping = mappingIn(options, sides)
  const within = horizonIn(options, instants, io)
  const writing = writingOf(options, io)
  const outputs = outputsOf(options.format, io, 'pretty', writing.diffOption)
  const targets = formatTargets(outputs)
  if (targets.length === 0) writing.refuseIdle('name a file: --format FORMAT=FILE')
  checkTargets(targets, io)
  const { failOn } = options
  const config = await configOf(options, io)
  const ceiling = options.ceiling
  const named = [...sides, ...(ceiling === undefined ? [] : [ceiling])]
  if ([...named, ...added].filter((each) => each === '-').length > 1) throw new Refusal('standard input can be only one of the sides')

  const all: ReadFiles[] = []
  const planned =
    plan === undefined ? undefined : await (await import('../input/planned.ts')).plannedSides(plan, options.policies, config, options, io)
  if (planned) all.push(planned.before, planned.after)
  const hasCommit = since !== undefined || sides.some((each) => typeof each === 'string' && each.startsWith('git:'))
  for (const [i, each] of named.entries()) {
    // Hypothetical changes apply to AFTER.
    const addition = i === sides.length - 1 ? { added } : {}
    // The policies of the past are where the configuration of that time says.
    const sideConfig = i === 0 && since ? await configOf({ ...options, configAt: since.commit }, io) : config
    const selection = () =>
      // A commit may be before or after there were any policies; a folder without one is the wrong folder.
      policySelection(pathsIn(each), sideConfig, io, { ...addition, mayBeEmpty: held !== undefined || hasCommit })
    const read = i === 0 && mapping ? { mapping } : {}
    all.push(isHeld(each) ? each.read : await readFiles({ ...(await selection()), ...read }, sideConfig.settings, io))
  }
  const unmapped = mapping?.fault()
  if (unmapped) throw new Refusal(unmapped.message, unmapped.help)
  for (const read of all) await guardInputs(targets, read, [], config.settings, io)
  const paths = [...(planned ? [[], []] : []), ...named.map(pathsIn)]
  const reads = inPlaces(await decidedOf(all, options, io), paths, io.cwd, options.root.length > 1)
  const worlds = reads.map((read) => decidable(read, io, { compared: reads.flatMap(({ facts }) => facts) }))
  if (worlds.includes(undefined)) return exit.error
  noteUncreated(reads, io)
  const count = planned ? 2 : sides.length
  const isEmpty = !planned && worlds.slice(0, count).every((world) => world?.policies.length === 0) && !hasPolicies(reads.slice(0, count))
  if (isEmpty) io.stderr.write(`grantwise: note: ${count > 1 ? 'neither side has a policy' : 'no policy was read'}: is the path right?\n`)
  if (!held) noteNoWorld(worlds.slice(0, count) as readonly World[], config, io)
  const [first, secondWorld = first] = worlds.slice(0, count) as readonly World[]
  const limit = worlds[count]
  const after = reads[count - 1]?.each ?? []
  const changed =
    supposition &&
    secondWorld &&
    (await supposedOf(secondWorld, supposition, after, pathsIn(sides.at(-1) ?? options.policies), config, options.fullUrns, io))
  if (changed) refuseProblems(changed.problems)
  const second = changed?.world ?? secondWorld

  const catalogue = await catalogueFor(config, io)
  const run = budgetFor(io)
  const [firstInstant, later] = instants
  const time = within ? { within } : firstInstant === undefined ? { within: { from: io.now() } } : { at: later ?? firstInstant }
  const view = viewOf(options, [first as World, second as World])
  // Described names count independent of the listing: the exit code does not depend on `--over`.
  const isCompared = view.over !== 'everything' || describesAnything([first as World, second as World])
  const actions = new ActionsByType(catalogue)
  const described = isCompared ? { described: actions } : {}
  const computed =
    firstInstant === undefined || later === undefined
      ? diff(first as World, second as World, { catalogue, run, ...time, ...described })
      : diffBetween({ world: first as World, at: firstInstant }, { world: second as World, at: later }, { catalogue, run, ...described })
  if (io.record?.isAsked && count > 1) io.record.assume(sharedValues(reads.slice(0, count)))
  const taken = assumedEqual(reads.slice(0, count))
  const [compared, states] = planned || count < 2 ? [[], []] : [paths.slice(0, 2), reads.slice(0, 2)]
  const { deployment, others, ignored } = await changedDeployment(compared, states, config, io, computed.verdict === 'same')
  const apart = sidesApart(compared, states, config, io)
  const whole = withTaken(planned?.named(computed) ?? computed, taken, { deployment: [...apart, ...deployment], others, ignored })
  io.record?.assume([...others.map(withoutPart), ...ignored.map(leftOut)])
  const selection = selectionIn(options, [first as World, second as World])
  for (const note of notesOf(selection, second as World, catalogue, config.settings.brand))
    io.stderr.write(`grantwise: note: ${shown(note)}\n`)
  const asked = selection ? selectedOf(whole, selection) : whole
  const difference = { ...asked, ...(mapping && { mapped: options.map }), ...(isEmpty && { isEmpty }) }
  const isBounded = limit && describesAnything([limit, second as World])
  const bounded = { catalogue, run, ...time, ...(isBounded && { described: actions }) }
  const over = limit && beyondCeiling(limit, second as World, bounded)
  const exceeding = over && (planned?.named(over) ?? over)
  const beyond = exceeding && selection ? selectedOf(exceeding, selection) : exceeding
  const open = limit && beyond ? openMembers(beyond, limit, second as World) : []
  if (open.length > 0) {
    const who = firstFew(
      open.map((urn) => view.names.identity(urn)),
      3,
    )
    io.stderr.write(
      `grantwise: note: no inventory describes in which groups ${who} ${open.length > 1 ? 'are' : 'is'}: as a member, the ceiling may allow it\n`,
    )
  }
  const calls = await usesOf(options, [first as World, second as World])
  const instantOfAfter = later ?? firstInstant
  const uses =
    calls &&
    (await usesIn(calls, { difference, beyond }, [
      atInstantOf(first as World, within ? undefined : firstInstant),
      atInstantOf(second as World, within ? undefined : instantOfAfter),
    ]))
  if (calls)
    await countCalls(
      calls,
      { ...options, policies: sides.flatMap(pathsIn) },
      outputs.map(({ format }) => format),
      config.settings,
      io,
    )
  const report: DiffReport = { difference, beyond, ...(uses && { uses }) }
  const counts = (side: 'gained' | 'lost' | 'beyond') =>
    failOn !== 'never' &&
    (side === 'beyond' || failOn === 'any' || failOn === side || (failOn === undefined && !limit && side === 'gained'))
  const before = supposedBefore(changed?.lines.map((line) => `${line}, in AFTER only`) ?? [], outputs, io)
  for (const { format, file } of outputs) {
    const style = { inColour: file === undefined && wantsColour(io, options.color), width: io.stdout.width?.(), all: options.all }
    const text = await writeDifference(format, report, counts, { ...view, actions }, style, calls)
    await writeOutput({ format, file }, `${before({ format, file })}${text}`, io, writing)
  }
  // Below what it is about.
  if (deployment.length > 0) io.stderr.write(ignoreNote)
  return writing.exitCode(failOn === 'never' ? exit.success : exitOf(difference, beyond, counts))
}

/** The use of what a difference lists, asked for. */
async function usesIn(calls: CallUses, report: Pick<DiffReport, 'difference' | 'beyond'>, [before, after]: readonly [World, World]) {
  const [{ differenceUses }, { ChangeTargets }] = [await import('../../answers/call-use.ts'), await import('../../usage/targets.ts')]
  return differenceUses(calls, report, new ChangeTargets(before, after))
}

const atInstantOf = (world: World, at: number | undefined): World => (at === undefined ? world : atInstant(world, at))

/** The renaming of BEFORE; undefined for none. Throws a refusal where that makes no sense. */
function mappingIn({ map, plan }: Options<'diff'>, sides: readonly Side[]): Mapping | undefined {
  if (map.length === 0) return undefined
  if (plan !== undefined || sides.length < 2 || sides.some(isHeld) || typeof sides[0] !== 'string')
    throw new Refusal(
      '`--map` is about BEFORE and AFTER, two sets of policies',
      'for example `grantwise diff --map staging=production staging production`',
    )
  const maps = map.map((text) => {
    const [from, to] = pair('--map', text, 'OLD=NEW')
    return { from, to }
  })
  const fault = mapsFault(maps)
  if (fault) throw new Refusal(fault.message, fault.help)
  return new Mapping(maps)
}

/** The selected part of the difference; undefined for all of it. Throws a refusal where an option fits nothing. */
function selectionIn({ identity, action }: Options<'diff'>, worlds: readonly World[]): DiffSelection | undefined {
  if (identity.length + action.length === 0) return undefined
  const patterns = action.map((text) => {
    const { value, faults = [] } = readActionPattern(text)
    if (!value) throw new Refusal(`--action \`${text}\`: ${faults[0]?.message ?? 'not an action or a pattern over actions'}`)
    return value
  })
  const concerns = identity.map((text) => {
    const name = identityIn(text, worlds)
    const is = concernsInAny(name, worlds)
    if (!is)
      throw new Refusal(`--identity \`${text}\` is not an identity`, 'write a URN or its end: `user/kim`, `group/operations`, `user/*`')
    return { name, is }
  })
  return {
    actions: patterns,
    ...(concerns.length > 0 && { concerns: (urn: string) => concerns.some(({ is }) => is(urn)) }),
    words: { ...(concerns.length > 0 && { identities: concerns.map(({ name }) => name) }), ...(action.length > 0 && { actions: action }) },
  }
}

/** Notes on names in the selection that may be wrong. */
function notesOf(selection: DiffSelection | undefined, world: World, catalogue: Catalogue, brand: string): readonly string[] {
  const { identities = [], actions = [] } = selection?.words ?? {}
  const names = new ShortNames(world)
  const asked = [
    ...identities.filter((identity) => identity.startsWith('urn:')).map((identity) => ({ identity })),
    ...actions.map((action) => ({ action })),
  ]
  return asked
    .filter((each) => !Object.values(each)[0]?.includes('*'))
    .flatMap((each) => unknownNames(each, { catalogue, brand, names, isDecided: false }))
}

/** A short name as the one URN that it means in either world; a pattern, and a name of no URN, as it is. */
function identityIn(text: string, worlds: readonly World[]): string {
  if (text.startsWith('urn:') || text.includes('*')) return text
  const each = worlds.map((world) => new ShortNames(world).identity(text))
  const resolved = each.find(({ problem }) => !problem)
  if (resolved) return resolved.text
  const help = each.map(({ problem }) => problem?.help).find((words) => words?.startsWith('did you mean'))
  throw new Refusal(
    `--identity \`${text}\`: neither side names such an identity`,
    help ?? 'write a URN or its end: `user/kim`, `group/operations`',
  )
}

/** The instants that are given: none, one for both sides, or one for each. */
function instantsIn(options: Options<'diff'>): readonly number[] {
  const texts = options.at
  const instants = texts.map((text) => instantOf('--at', text))
  const [first, second] = instants
  if (instants.length > 2)
    throw new Refusal(`--at is given ${instants.length} times: there are two sides`, 'give it once for both, or once for each')
  if (first !== undefined && second !== undefined && first > second)
    throw new Refusal(`--at \`${texts[0]}\` is after \`${texts[1]}\`: the first belongs to BEFORE`, 'give the earlier one first')
  return instants
}

/** The time that is looked at where it has an end: from `--at`, or from now. */
function horizonIn(
  options: Options<'diff'>,
  instants: readonly number[],
  io: Io,
): { readonly from: number; readonly to: number } | undefined {
  const horizon = options.horizon
  if (horizon === undefined) return undefined
  if (instants.length > 1)
    throw new Refusal('--horizon cannot be combined with two times', 'give `--at` once, for the start, or use `grantwise timeline`')
  const from = instants[0] ?? io.now()
  return { from, to: readHorizon(horizon, from) }
}

/** A side: an argument, the paths of `-p`, or what a session has read. */
type Side = string | readonly string[] | SessionFiles

const isHeld = (side: Side): side is SessionFiles => typeof side === 'object' && 'read' in side
const pathsIn = (side: Side): readonly string[] => (typeof side === 'string' ? [side] : isHeld(side) ? side.paths : side)

/** The sides in a session: what it has read, compared with an argument or with its start. */
async function heldSides(
  [before, ...others]: Arguments<'diff'>,
  [start, now]: readonly [SessionFiles, SessionFiles],
  io: Io,
): Promise<readonly Side[]> {
  if (others.length > 0)
    throw new Refusal('`diff` takes one argument in a session, BEFORE', 'AFTER is what the session has read, with what it assumes')
  if (before === undefined) return [start, now]
  const isBare =
    !before.startsWith('git:') && !existsSync(resolve(io.cwd, before)) && (await import('../input/git.ts')).isReference(before, io)
  const side = isBare ? `git:${before}` : before
  return [/^git:[^:]+$/.test(side) && now.paths.length > 0 ? now.paths.map((path) => `${side}:${path}`) : side, now]
}

/** The sides that are compared: two, or one that is looked at twice, at two instants or as it is and as is supposed. */
function sidesIn(args: Arguments<'diff'>, options: Options<'diff'>, instants: readonly number[], isSupposed: boolean): readonly Side[] {
  const policies = options.policies
  if (policies.length > 0 && args.length > 0)
    throw new Refusal('`diff` takes either BEFORE and AFTER or `-p`, which names one set of policies', 'omit `-p`, or the arguments')
  const [before, after] = args
  const isTimed = instants.length === 2
  if (isSupposed && after === undefined && (before !== undefined || policies.length > 0 || args.length === 0)) {
    const side = before ?? policies
    if (side === '-' || policies.includes('-'))
      throw new Refusal('standard input can be read once, and what is supposed needs the policies twice', 'name a file')
    return [side, side]
  }
  if (args.length < 2 && !isTimed) {
    const givenWords = policies.length > 0 ? '`-p` names one side' : `${args.length} ${args.length === 1 ? 'argument' : 'arguments'} given`
    throw new Refusal(
      `\`diff\` takes BEFORE and AFTER; ${givenWords}`,
      policies.length > 0
        ? 'one set of policies is compared at two instants: give `--at` twice'
        : args.length === 1
          ? `name what it is compared with, such as \`grantwise diff ${shellWord(args[0] as string)} .\`, or give \`--at\` twice, for two instants`
          : 'for example `grantwise diff git:main:policies policies`',
    )
  }
  if (before !== undefined && after !== undefined && (isSupposed || !(isTimed && before === after))) return [before, after]
  if (instants[0] === instants[1]) throw new Refusal('--at is the same time twice', 'give two different times')
  return [before ?? policies]
}

/** `--since`: the policies of a commit, and those of now or of an argument. */
async function sinceIn(
  [after, ...others]: Arguments<'diff'>,
  options: Options<'diff'>,
  { isHeld, instants }: { readonly isHeld: boolean; readonly instants: readonly number[] },
  io: Io,
): Promise<{ readonly commit: string; readonly sides: readonly Side[] }> {
  const { since, plan, policies } = options
  if (isHeld) throw new Refusal('`--since` reads files and commits: a session has one set of policies', 'run it at the command line')
  if (plan !== undefined || instants.length > 1)
    throw new Refusal(`\`--since\` and ${plan === undefined ? 'two times' : '`--plan`'} cannot be combined`, 'omit one of the two')
  if (others.some((each) => each !== undefined) || (after !== undefined && policies.length > 0))
    throw new Refusal('`diff --since` takes one set of policies, as AFTER or with `-p`', '`--since` names the other one')
  const now = after === undefined ? policies : [after]
  const { sinceThen } = await import('../input/as-of.ts')
  const { commit, paths } = sinceThen(since as string, now, io)
  return { commit, sides: [paths, now] }
}

/** A plan has both sides in it: nothing else is compared. */
function planSides(args: Arguments<'diff'>, options: Options<'diff'>, instants: readonly number[]): readonly Side[] {
  if (args.length > 0)
    throw new Refusal(
      '`diff --plan` compares what the plan leads from and to, or takes both BEFORE and AFTER',
      'policies that the plan does not manage are given with `-p`',
    )
  if (instants.length > 1) throw new Refusal('a plan has no two points in time', 'give `--at` once')
  if (options.with.length > 0)
    throw new Refusal('`--with` and `--plan` cannot be combined', 'policies that the plan does not manage are given with `-p`')
  if ([options.plan, ...options.policies, options.ceiling].filter((each) => each === '-').length > 1)
    throw new Refusal('standard input can be read once')
  return []
}

/** The values that are not known, and are one value on all sides since the same gives them. */
function sharedValues(reads: readonly ReadFiles[]): readonly Assumption[] {
  const [first = new Map<string, string>(), ...others] = reads.map(unknownSymbolsIn)
  return [...first]
    .filter(([symbol]) => others.every((each) => each.has(symbol)))
    .map(([, what]) => ({
      kind: 'value',
      what,
      why: 'it is taken to be the same on both sides: what gives it is the same, such as a data source with the same arguments',
      matters: false,
    }))
}

/** A file that differs, of which nothing shows that it has a part in what is deployed. */
const withoutPart = (path: string): Assumption => ({
  kind: 'deployment',
  what: path,
  why: 'it differs and was not checked: nothing shows that deployment uses it',
  matters: false,
})

/** A file that differs and that the configuration leaves out. */
const leftOut = (path: string): Assumption => ({
  kind: 'deployment',
  what: path,
  why: 'it differs and was not checked: `deployment.ignore` leaves it out',
  matters: false,
})

const ignoreNote =
  'grantwise: note: review these files: `diff` does not check what they do. Only where you know that a file has no part in how policies are deployed, leave it out: `deployment: { ignore: [PATH] }` in the configuration, which counts once it is merged\n'

function exitOf(difference: Difference, beyond: Difference | undefined, counts: (side: 'gained' | 'lost' | 'beyond') => boolean) {
  const bad =
    (['gained', 'lost'] as const).some(
      (side) => counts(side) && difference[side].length + (difference.described?.[side].length ?? 0) > 0,
    ) || (beyond?.gained.length ?? 0) + (beyond?.described?.gained.length ?? 0) > 0
  if (bad) return exit.failure
  const open =
    difference.verdict === 'undecided' ||
    difference.described?.undecided === true ||
    difference.undecided.some(({ side }) => counts(side)) ||
    (beyond?.undecided.length ?? 0) > 0 ||
    beyond?.described?.undecided === true ||
    difference.taken !== undefined ||
    difference.deployment !== undefined
  return open ? exit.unknown : exit.success
}

/** A difference in one of the formats; `counts`: which sides count as a failure. */
export async function writeDifference(
  format: Options<'diff'>['format'][number]['format'],
  report: DiffReport,
  counts: (side: 'gained' | 'lost' | 'beyond') => boolean,
  view: View,
  style: { readonly inColour: boolean; readonly width?: number | undefined; readonly all?: boolean },
  calls?: CallUses,
): Promise<string> {
  const made = differenceAnswer(report, view.over)
  const answer = calls ? calls.of(made) : made
  const from = report.difference.described?.from
  const wording = wordingOf(view.names, from, view.actions)
  switch (format) {
    case 'json':
      return `${json(answer.json())}\n`
    case 'compact':
      return answerLines(answer, fullNameWording(from), style.all)
    case 'markdown':
      return answerMarkdown(answer, { title: 'grantwise diff', wording, all: style.all })
    case 'sarif':
    case 'github':
    case 'gitlab':
      return (await import('../../report/formats.ts')).formats[format](asFindings(report, counts, view))
    default:
      return wrapLines(answerText(answer, { paint: paint(style.inColour), wording, width: style.width, all: style.all }), style.width)
  }
}

function asFindings(report: DiffReport, counts: (side: 'gained' | 'lost' | 'beyond') => boolean, { over }: View): LintReport {
  return {
    files: [],
    findings: differenceFindings(report, counts, over),
    suppressed: [],
    showSuppressed: false,
    hidden: 0,
    rules: differenceRules,
    version,
  }
}
