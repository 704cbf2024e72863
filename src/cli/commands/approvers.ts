import {
  type ApproversReport,
  approversJson,
  approversMarkdown,
  approversNames,
  approversOf,
  approversText,
  approversVerdict,
} from '../../answers/approvers.ts'
import { type AccessToApprove, type Approvals, approvalsFor } from '../../diff/approvers.ts'
import { type Difference, diff } from '../../diff/diff.ts'
import type { World } from '../../policy.ts'
import { Names } from '../../report/names.ts'
import { json } from '../../report/safe.ts'
import type { ReadFiles } from '../../sources/files.ts'
import { ActionsByType } from '../../symbolic/described.ts'
import { notBefore } from '../../symbolic/formula.ts'
import { withEarlierGroups } from '../../world.ts'
import type { Run } from '../app/commands.ts'
import { type ExitCode, exit } from '../app/exit.ts'
import { GitMemory } from '../app/git-memory.ts'
import { budgetFor, ioWith } from '../app/io.ts'
import { Refusal } from '../app/refusal.ts'
import { type Config, loadConfig } from '../input/config.ts'
import { type EarlierConfig, earlierConfig, otherFieldsWords } from '../input/earlier-config.ts'
import { catalogueFor } from '../input/known.ts'
import { inPlaces } from '../input/places.ts'
import { gitPathOf, policySelection } from '../input/policies.ts'
import { assumedEqual } from '../input/taken.ts'
import { decidable, decidedOf, noteNoWorld, readFiles } from '../input/world.ts'

/** How many items of each list are shown without `--all`. */
const mostListed = 8

const exits: Readonly<Record<ReturnType<typeof approversVerdict>, ExitCode>> = {
  none: exit.success,
  needed: exit.success,
  approved: exit.success,
  missing: exit.failure,
  undecided: exit.unknown,
}

/** `approvers BEFORE AFTER`: who has to approve a change, by the owners of the resources that it gives access to. */
export const run: Run<'approvers'> = async (args, options, around) => {
  const io = ioWith(around, { git: new GitMemory() })
  const [before, after] = args
  if (before === undefined || after === undefined)
    throw new Refusal('`approvers` takes BEFORE and AFTER', 'such as `grantwise approvers git:origin/main:policies policies`')
  const sides = [before, after]
  if (sides.every((each) => each === '-')) throw new Refusal('standard input can be only one of the sides')
  const fallback = namesIn('--fallback', options.fallback)
  const approvedBy = options.approvedBy.length > 0 ? namesIn('--approved-by', options.approvedBy) : undefined
  const config = await loadConfig(options, io)
  const committed = gitPathOf(before)
  const earlier = committed && (await earlierConfig(committed.reference, options, config, io))
  const read: ReadFiles[] = []
  for (const [i, side] of sides.entries()) {
    // The policies of the past are where the configuration of that time says, and so is who owns what.
    const sideConfig = (i === 0 ? earlier?.config : undefined) ?? config
    read.push(await readFiles(await policySelection([side], sideConfig, io, { mayBeEmpty: true }), sideConfig.settings, io))
  }
  const reads = inPlaces(
    await decidedOf(read, options, io),
    sides.map((side) => [side]),
    io.cwd,
    options.root.length > 1,
  )
  const worlds = reads.map((each) => decidable(each, io, { compared: reads.flatMap(({ facts }) => facts) }))
  const [first, second] = worlds
  if (!first || !second) return exit.error
  if (first.policies.length + second.policies.length === 0)
    io.stderr.write('grantwise: note: neither side has a policy: is the path right?\n')
  noteNoWorld([first, second], config, io)

  const catalogue = await catalogueFor(config, io)
  const [actions, run, from] = [new ActionsByType(catalogue), budgetFor(io), io.now()]
  const compared = (after: World) =>
    diff(first, after, { catalogue, run, within: { from }, described: actions, ...(!options.lost && { only: 'gained' }) })
  const difference = compared(second)
  // A change that describes groups otherwise says itself what its policies give.
  const asBefore = withEarlierGroups(first, second)
  const approvals = { actions, time: notBefore(from), run }
  const needed = approvalsFor(first, second, difference, approvals)
  const all = [
    needed,
    ...(asBefore ? [withoutAccessOf(needed, approvalsFor(first, asBefore, compared(asBefore), approvals))] : []),
    ...(options.lost ? [approvalsFor(second, first, reversed(difference), { ...approvals, side: 'lost' })] : []),
  ]
  const taken = assumedEqual(reads)
  const report: ApproversReport = {
    approvers: approversOf(all, fallback.length > 0 ? fallback : fallbackOf(config, earlier?.config ?? config), approvedBy),
    withLost: options.lost,
    undecided: [...all.flatMap(({ undecided }) => undecided), ...taken, ...(earlier ? hidingFields(earlier, after, before) : [])],
  }
  const style = {
    names: options.fullUrns ? new Names([first, second], true) : new Names([first, second]),
    from,
    most: options.all ? Number.POSITIVE_INFINITY : mostListed,
  }
  const texts = {
    pretty: () => approversText(report, style),
    json: () => `${json(approversJson(report))}\n`,
    markdown: () => approversMarkdown(report, style),
    reviewers: () => approversNames(report),
  }
  io.stdout.write(texts[options.format]())
  return exits[approversVerdict(report)]
}

/** Approvals without the access that others are about as well. */
function withoutAccessOf(others: Approvals, { owners, ...rest }: Approvals): Approvals {
  const textOf = ({ identities, actions, resources, certain }: AccessToApprove) => JSON.stringify([identities, actions, resources, certain])
  const listed = new Set([...others.owners.flatMap(({ access }) => access), ...others.others].map(textOf))
  const isNew = (each: AccessToApprove) => !listed.has(textOf(each))
  return {
    ...rest,
    owners: owners.map((each) => ({ ...each, access: each.access.filter(isNew) })).filter(({ access }) => access.length > 0),
    others: rest.others.filter(isNew),
  }
}

/** The fallback on both sides: a change takes no name out of it, and is not the first to name one. */
function fallbackOf(now: Config, then: Config): readonly string[] {
  return then.approvers === undefined ? [] : [...new Set([...then.approvers, ...(now.approvers ?? [])])]
}

/** The fields of the configuration by which the change may hide new access, in words. */
function hidingFields({ others }: EarlierConfig, after: string, before: string): readonly string[] {
  const usesPolicies = gitPathOf(after)?.path === undefined && after.startsWith('git:')
  return otherFieldsWords(
    others.filter((field) => field !== 'world' && (field !== 'policies' || usesPolicies)),
    before,
  )
}

/** A difference as it is from the other side: what was lost is what the first side allows and the second does not. */
function reversed({ described, undecided, ...difference }: Difference): Difference {
  return {
    ...difference,
    gained: difference.lost,
    lost: difference.gained,
    undecided: undecided.map(({ side, culprits }) => ({ side: side === 'gained' ? 'lost' : 'gained', culprits })),
    ...(described && { described: { ...described, gained: described.lost, lost: described.gained } }),
  }
}

/** Names as options give them: each may hold several, separated by commas. */
function namesIn(option: string, given: readonly string[]): readonly string[] {
  const names = given.flatMap((each) => each.split(',')).map((name) => name.trim())
  if (names.includes('')) throw new Refusal(`\`${option}\` has an empty name`, 'separate names by single commas')
  return [...new Set(names)]
}
