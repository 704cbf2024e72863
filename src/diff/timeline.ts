import { Budget } from '../budget.ts'
import { groupedBy, pushTo } from '../collections.ts'
import { holdsAt, isOfTime, type Test, zoneOf } from '../conditions/test.ts'
import { covers, type Glob, glob, overlaps, uncovered } from '../glob.ts'
import { keyOf } from '../keys.ts'
import type { Condition, PermissionSet, Policy, World } from '../policy.ts'
import { cutsByZone } from '../symbolic/clock.ts'
import { Lookups } from '../symbolic/described.ts'
import { type EndTime, endOf } from '../symbolic/ends.ts'
import { allOf, until as before, formulaOf, isAlways, printFormula, satisfy } from '../symbolic/formula.ts'
import { utc, type Zone } from '../zones.ts'
import { type Cause, causesOf, contentOf, editsBetween } from './causes.ts'
import { type DescribedChange, type DescribedDifference, type DescribedOptions, describedDifference } from './described.ts'
import { type Difference, type DiffOptions, type DiffRegion, diff } from './diff.ts'
import { atInstant, conditionAt } from './instant.ts'
import { type Concerns, concernsPolicy } from './selection.ts'

/**
 * Changes of access by time alone: the access that opens and closes without an edit (docs/analysis.md, Time). The instants are
 * those at which an expiry passes, or at which a comparison of the time may change by the rules of its zone; between two of them
 * every policy means the same. At each, the access before and after is compared exactly.
 */

/** From when to when, in milliseconds since 1970, and how far the search goes. */
export interface TimelineOptions extends Pick<DiffOptions, 'catalogue' | 'budget' | 'described' | 'run'> {
  /** The start: the first change is one of the access at this instant. */
  readonly from: number
  /** The last instant that is looked at. */
  readonly to: number
  /** Also instants at which policies begin or cease to apply and access stays the same. */
  readonly all?: boolean
  /** Only changes of access of these identities. */
  readonly concerns?: Concerns | undefined
  /** Only changes that a policy of this name brings. */
  readonly policy?: string | undefined
  /** Only changes that an expiry or the last day of a condition brings, or only those of comparisons of the time. */
  readonly only?: 'expiry' | 'window' | undefined
  /** How many instants of one policy, and how many different comparisons of access, there may be. */
  readonly most?: { readonly instants: number; readonly comparisons: number }
}

/** Instants that come back: at the same local time on these weekdays, each one of them from the first to the last. */
export interface Pattern {
  readonly zone: Zone
  /** 0 for Monday to 6 for Sunday. */
  readonly weekdays: readonly number[]
  /** Local time, `HH:MM`. */
  readonly time: string
}

/** The changes at an instant, or at each of several. */
export interface TimelineEntry {
  /** Access is other than a millisecond before. Earliest first; more than one only with a pattern. */
  readonly instants: readonly number[]
  readonly pattern: Pattern | undefined
  /** The zone of what changes: that of the condition, UTC for an expiry. */
  readonly zone: Zone
  /** At the first of the instants: its witnesses are questions at that instant, and for what is lost just before it. */
  readonly difference: Difference
  /** All that the time changes in policies that have to do with it. */
  readonly causes: readonly Cause[]
}

/** When the condition of a policy ends: its last day, or its last window. */
export interface PolicyEnd extends EndTime {
  readonly policy: Policy
}

export interface Timeline {
  readonly from: number
  readonly to: number
  /** Up to here every change is listed; less than `to` where the search was given up. */
  readonly until: number
  /** By their first instants. */
  readonly entries: readonly TimelineEntry[]
  /** The conditions that end in that time, other than by an expiry, earliest first. */
  readonly ends: readonly PolicyEnd[]
  /** Only some changes were asked for: without entries nothing is proved about the others. */
  readonly isPart: boolean
}

/** Whether anything changes: `same` is a proof for the whole of the time. */
export function timelineVerdict({ entries, until, to }: Timeline): 'same' | 'changed' | 'undecided' {
  if (entries.some(({ difference }) => difference.verdict === 'changed')) return 'changed'
  return until < to || entries.some(({ difference }) => difference.verdict === 'undecided') ? 'undecided' : 'same'
}

const day = 24 * 3_600_000

/** The access that opens and closes by itself after one instant and up to another. */
export function timeline(all: World, options: TimelineOptions): Timeline {
  const { from, to, most = { instants: 100_000, comparisons: 2_000 }, concerns, run = new Budget() } = options
  // An identity's access depends only on the policies that name it or its groups.
  const world = concerns ? { ...all, policies: all.policies.filter((policy) => concernsPolicy(concerns, policy)) } : all
  const ends = endsIn(world, options, run)
  const isAsked = askedFor(options, ends)
  const timed: Timed[] = []
  let until = to
  for (const [id, policy] of world.policies.entries()) {
    const [timedPolicy, far] = timedOf(policy, id, from, to, most.instants, run)
    until = Math.min(until, far)
    if (timedPolicy.steps.length > 0) timed.push(timedPolicy)
  }
  const states = new Map(timed.map((each) => [each, each.first]))
  const events = new Map<number, Map<Timed, string>>()
  for (const each of timed) {
    for (const { at, state } of each.steps) events.set(at, (events.get(at) ?? new Map()).set(each, state))
  }
  const comparedByKey = new Map<string, Compared>()
  const lookups = new Lookups()
  const parts = new Map<string, Part>()
  const changesFound: Found[] = []
  for (const instant of [...events.keys()].sort((a, b) => a - b)) {
    if (instant > until) break
    const event = events.get(instant) as Map<Timed, string>
    const changed = [...event.keys()]
    if (!changed.some(({ policy }) => isAsked(policy, instant))) {
      for (const [each, state] of event) states.set(each, state)
      continue
    }
    const part = partAbout(changed, timed, world, parts)
    const asks = changed.filter(({ policy }) => isAsked(policy, instant)).map(({ id }) => id)
    const key = keyOf([part.timed.map((each) => [each.id, states.get(each), event.get(each)]), asks])
    let compared = comparedByKey.get(key)
    if (!compared) {
      if (comparedByKey.size >= most.comparisons || run.isSpent) {
        until = instant - 1
        break
      }
      const policies = changed.map(({ policy }) => policy)
      const askedPolicies = policies.filter((policy) => isAsked(policy, instant))
      const whole = differenceAt(part.world, instant, { ...options, lookups, run }, policies, askedPolicies)
      const difference = concerns ? concerning(whole, concerns) : whole
      const causes = askedPolicies.flatMap((policy) => timeCauses(policy, instant - 1, instant))
      compared = { difference, causes, key: keyOf(differenceKey(difference), causesKey(causes)) }
      comparedByKey.set(key, compared)
    }
    for (const [each, state] of event) states.set(each, state)
    if (options.all || compared.difference.verdict !== 'same')
      changesFound.push({ at: instant, compared, zone: zoneChanging(changed, instant) })
  }
  const isPart = concerns !== undefined || options.policy !== undefined || options.only !== undefined
  return { from, to, until, entries: folded(changesFound), ends, isPart }
}

/** Whether a change of a policy at an instant is asked for. */
function askedFor({ policy: name, only }: TimelineOptions, ends: readonly PolicyEnd[]): (policy: Policy, at: number) => boolean {
  const last = new Map(ends.map(({ policy, at }) => [policy, at]))
  return (policy, at) => {
    const isExpiry = policy.expiresAt?.value === at - 1
    const isKind = only === undefined || (only === 'expiry' ? isExpiry || last.get(policy) === at : !isExpiry)
    return (name === undefined || policy.name.value === name) && isKind
  }
}

/** The conditions that end within the time that is looked at. */
function endsIn({ policies }: World, { from, to, policy: name }: TimelineOptions, run: Budget): readonly PolicyEnd[] {
  const ends = policies.flatMap((policy): PolicyEnd[] => {
    const end = name === undefined || policy.name.value === name ? endOfPolicy(policy, from, run) : undefined
    return end && end.at <= to ? [{ policy, ...end }] : []
  })
  return ends.sort((a, b) => a.at - b.at)
}

/** When the condition of a policy ends, after an instant; undefined where it does not, or an expiry ends it. */
export function endOfPolicy({ condition, expiresAt }: Policy, from: number, run?: Budget): EndTime | undefined {
  if (!condition) return undefined
  const end = endOf(allOf([formulaOf(condition), ...(expiresAt ? [before(expiresAt.value)] : [])]), from, run)
  return end?.at === (expiresAt?.value ?? Number.NaN) + 1 ? undefined : end
}

/**
 * The first policy that ends after an instant, by an expiry or the last day of its condition: what a timeline up to then does
 * not reach. Undefined where none does.
 */
export function nextEnd(
  { policies }: World,
  after: number,
  { concerns, policy: name }: Pick<TimelineOptions, 'concerns' | 'policy'>,
  run?: Budget,
): PolicyEnd | undefined {
  const ends = policies.flatMap((policy): PolicyEnd[] => {
    if ((name !== undefined && policy.name.value !== name) || (concerns && !concernsPolicy(concerns, policy))) return []
    const expiry = policy.expiresAt?.value ?? Number.NEGATIVE_INFINITY
    const end = endOfPolicy(policy, after, run)
    if (end) return [{ policy, ...end }]
    return expiry > after ? [{ policy, at: expiry + 1, zone: utc }] : []
  })
  return ends.sort((a, b) => a.at - b.at)[0]
}

/** The regions of some identities. */
function concerning(difference: Difference, concerns: Concerns): Difference {
  const of = (regions: readonly DiffRegion[]) => regions.filter(({ identities }) => identities.some(concerns))
  const concerningChanges = (changes: readonly DescribedChange[]) =>
    changes.flatMap((change) => {
      const identities = change.identities.filter(concerns)
      return identities.length === 0 ? [] : [{ ...change, identities }]
    })
  const { described } = difference
  const knownDescribed = described && {
    described: { ...described, gained: concerningChanges(described.gained), lost: concerningChanges(described.lost) },
  }
  return selected({ ...difference, ...knownDescribed }, of(difference.gained), of(difference.lost))
}

/**
 * The exact difference of one world, or of two, at two instants: what is allowed at the second in the second world and not
 * at the first in the first one, and the other way round. Where a policy is the same in both, the causes are what the time changed.
 */
export function diffBetween(
  before: { readonly world: World; readonly at: number },
  after: { readonly world: World; readonly at: number },
  options: Omit<DiffOptions, 'at'> = {},
): Difference {
  const first = before.world.policies.filter(isTimed)
  const second = after.world.policies.filter(isTimed)
  // An entry that is written the same on both sides was not edited: if its effect differs, the cause is the time.
  const contents = new Set(first.map(contentOf))
  const commonContents = new Set(second.filter((policy) => contents.has(contentOf(policy))).map(contentOf))
  const same = before.world === after.world ? first : [...first, ...second].filter((policy) => commonContents.has(contentOf(policy)))
  const difference = asked(diff(atInstant(before.world, before.at), atInstant(after.world, after.at), options), before.at, after.at)
  const isLimited = first.length + second.length > 0
  const time = { time: { kind: 'between' as const, before: before.at, after: after.at } }
  return { ...withTimeCauses(difference, before.at, after.at, same), ...(isLimited && time) }
}

/** The difference between an instant and the one before it, as far as `own` bring it, some of the policies that change. */
function differenceAt(
  world: World,
  instant: number,
  { catalogue, budget, described, lookups, run }: TimelineOptions & { readonly lookups: Lookups; readonly run: Budget },
  changed: readonly Policy[],
  ownPolicies: readonly Policy[],
): Difference {
  const limits = { lookups, run, ...(catalogue && { catalogue }), ...(budget !== undefined && { budget }), ...(described && { described }) }
  const whole = diff(atInstant(world, instant - 1), atInstant(world, instant), limits)
  const isPart = ownPolicies.length < changed.length
  const ofOwn =
    isPart && described && whole.described
      ? { ...whole, described: describedBy(whole.described, world, instant, ownPolicies, { actions: described, lookups, run }) }
      : whole
  if (!isPart) return withTimeCauses(asked(whole, instant - 1, instant), instant - 1, instant, changed)
  const { described: _described, ...regions } = limits
  const steps = stepsOf(world, instant, ownPolicies).map(([first, second]) => diff(first, second, regions))
  return broughtBy(withTimeCauses(asked(ofOwn, instant - 1, instant), instant - 1, instant, changed), instant, ownPolicies, steps)
}

/** The changes by some policies at an instant if they change first, and if they change last: the worlds before and after each. */
function stepsOf(world: World, instant: number, ownPolicies: readonly Policy[]): readonly (readonly [before: World, after: World])[] {
  const mixed = (isOwnLater: boolean): World => ({
    ...world,
    policies: world.policies.flatMap(
      (each) => atInstant({ ...world, policies: [each] }, ownPolicies.includes(each) === isOwnLater ? instant : instant - 1).policies,
    ),
  })
  return [
    [atInstant(world, instant - 1), mixed(true)],
    [mixed(false), atInstant(world, instant)],
  ]
}

/**
 * The regions of a difference that some policies cause, alone or with others, or whose exceptions they decide. The causes are
 * those of a few requests of a region: the changes by these policies alone (`steps`) may be elsewhere in it, and are named too.
 */
function broughtBy(difference: Difference, instant: number, ownPolicies: readonly Policy[], steps: readonly Difference[]): Difference {
  const isOwn = ({ span }: Pick<Cause, 'span'>) => ownPolicies.some((policy) => isIn(span, policy))
  const of = (side: 'gained' | 'lost') =>
    difference[side].flatMap((region) => {
      if (region.causes.some(isOwn)) return [region]
      const met = steps.flatMap((step) => step[side].filter((other) => meets(region, other)))
      const spans = [...met.flatMap(({ causes }) => causes), ...region.except.flatMap(({ policy }) => (policy ? [policy.name] : []))]
      const policies = ownPolicies.filter((policy) => spans.some(({ span }) => isIn(span, policy)))
      const causes = [...region.causes, ...policies.flatMap((policy) => timeCauses(policy, instant - 1, instant))]
      return policies.length > 0 ? [{ ...region, causes }] : []
    })
  const [gained, lost] = [of('gained'), of('lost')]
  return selected(difference, gained, lost)
}

/** Whether two regions of one side share requests: their patterns overlap, in one context, and neither leaves out all of the other. */
function meets(a: DiffRegion, b: DiffRegion): boolean {
  const some = (first: readonly string[], second: readonly string[]) =>
    first.some((each) => second.some((other) => overlaps(glob(each), glob(other))))
  const patterns = ({ resources }: DiffRegion, part: 'pattern' | 'type' | 'name') => resources.map((each) => each[part] ?? '*')
  return (
    some(a.identities, b.identities) &&
    some(a.actions, b.actions) &&
    (['pattern', 'type', 'name'] as const).every((part) => some(patterns(a, part), patterns(b, part))) &&
    satisfy([a.condition, b.condition]) !== undefined &&
    !leavesOut(a, b) &&
    !leavesOut(b, a)
  )
}

/** Whether one exception of a region takes away all of another one. */
function leavesOut({ except }: DiffRegion, region: DiffRegion): boolean {
  const all = (wide: readonly string[] | null, narrow: readonly string[]) =>
    !wide || narrow.every((each) => wide.some((other) => covers(glob(other), glob(each))))
  return except.some(
    ({ identities, actions, resources, unless, condition }) =>
      unless.length === 0 &&
      isAlways(condition) &&
      all(identities, region.identities) &&
      all(actions, region.actions) &&
      (!resources ||
        (resources.every(({ type, name }) => type === undefined && name === undefined) &&
          all(
            resources.map(({ pattern }) => pattern),
            region.resources.map(({ pattern }) => pattern),
          ))),
  )
}

/** A difference with some of its regions. */
function selected(difference: Difference, gained: readonly DiffRegion[], lost: readonly DiffRegion[]): Difference {
  const { described, undecided } = difference
  const count = gained.length + lost.length + (described ? described.gained.length + described.lost.length : 0)
  const verdict = count > 0 ? 'changed' : undecided.length > 0 || described?.undecided ? 'undecided' : 'same'
  return { ...difference, verdict, gained, lost }
}

/**
 * The changes for described resources that depend on some policies: absent both where these change first and where they change
 * last. The causes name all policies that are needed.
 */
function describedBy(
  { gained, lost, ...rest }: DescribedDifference,
  world: World,
  instant: number,
  ownPolicies: readonly Policy[],
  options: Pick<DescribedOptions, 'actions' | 'lookups' | 'run'>,
): DescribedDifference {
  const edits = editsBetween(atInstant(world, instant - 1), atInstant(world, instant), options.run)
  const stepDifferences = stepsOf(world, instant, ownPolicies).map(([first, second]) =>
    describedDifference(first, second, editsBetween(first, second, options.run), options),
  )
  const of = (side: 'gained' | 'lost', changes: readonly DescribedChange[]) => {
    const brought = new Set(stepDifferences.flatMap((each) => each[side].flatMap(triplesOf)))
    return changes.flatMap((change) => parted(change, brought)).map((change) => ({ ...change, causes: causesOf([change.witness], edits) }))
  }
  return {
    ...rest,
    gained: of('gained', gained),
    lost: of('lost', lost),
    undecided: rest.undecided || stepDifferences.some(({ undecided }) => undecided),
  }
}

const tripleOf = (...names: readonly [identity: string, action: string, resource: string]) => keyOf(names)

function triplesOf({ identities, actions, resources }: DescribedChange): readonly string[] {
  return identities.flatMap((identity) => resources.flatMap((resource) => actions.map((action) => tripleOf(identity, action, resource))))
}

/** The part of a change that is among some combinations, as few changes. */
function parted(change: DescribedChange, among: ReadonlySet<string>): readonly DescribedChange[] {
  const rows = change.identities.flatMap((identity) => {
    const parts = change.resources.flatMap((resource) => {
      const actions = change.actions.filter((action) => among.has(tripleOf(identity, action, resource)))
      return actions.length > 0 ? [{ resource, actions }] : []
    })
    return [...groupedBy(parts, ({ actions }) => keyOf(actions)).values()].map((group) => ({
      identity,
      actions: (group[0] as (typeof parts)[number]).actions,
      resources: group.map(({ resource }) => resource),
    }))
  })
  return [...groupedBy(rows, ({ actions, resources }) => keyOf(actions, resources)).values()].map((group) => {
    const { actions, resources } = group[0] as (typeof rows)[number]
    const identities = group.map(({ identity }) => identity)
    const [identity, action, resource] = [identities[0], actions[0], resources[0]] as [string, string, string]
    return { ...change, identities, actions, resources, witness: { ...change.witness, identity, action, resource } }
  })
}

export function isTimed({ expiresAt, condition }: Policy): boolean {
  return expiresAt !== undefined || (condition !== undefined && comparisonsOf(condition).length > 0)
}

/** Between the worlds of two instants each step of the time looks like an edit: the causes are what the time did to these policies. */
function withTimeCauses(difference: Difference, from: number, to: number, policies: readonly Policy[]): Difference {
  const withCauses = <T extends Pick<DiffRegion, 'causes'>>(region: T): T => {
    const causes = new Map<string, Cause>()
    for (const cause of region.causes) {
      const policy = policies.find((each) => isIn(cause.span, each))
      const byTime = policy ? timeCauses(policy, from, to) : []
      for (const each of byTime.length > 0 ? byTime : [cause]) causes.set(causesKey([each]), each)
    }
    return { ...region, causes: [...causes.values()] }
  }
  return changed(difference, withCauses, withCauses)
}

/** A difference with its regions changed, and its changes for described things. */
function changed(difference: Difference, gained: <T extends Change>(of: T) => T, lost: <T extends Change>(of: T) => T): Difference {
  const both = <T extends Change>(of: { readonly gained: readonly T[]; readonly lost: readonly T[] }) => ({
    gained: of.gained.map((each) => gained(each)),
    lost: of.lost.map((each) => lost(each)),
  })
  const { described } = difference
  return { ...difference, ...both(difference), ...(described && { described: { ...described, ...both(described) } }) }
}

type Change = Pick<DiffRegion, 'witness' | 'causes'>

function isIn({ source, start }: Cause['span'], { span }: Policy): boolean {
  return source === span.source && start >= span.start && start < span.end
}

/** The witnesses as questions at the instant at which they are allowed. */
function asked(difference: Difference, from: number, to: number): Difference {
  const differenceAt =
    (instant: number) =>
    <T extends Change>(of: T): T => ({ ...of, witness: { ...of.witness, at: instant } })
  return changed(difference, differenceAt(to), differenceAt(from))
}

// Changes of one policy by time.

/** A policy as the time changes it. A state is a text, the same where the policy is the same; '' where it does not apply. */
export interface Timed {
  readonly id: number
  readonly policy: Policy
  readonly first: string
  readonly steps: readonly { readonly at: number; readonly state: string }[]
}

interface Comparison {
  readonly test: Test
  readonly condition: Extract<Condition, { kind: 'match' }>
}

/** The comparisons of the time in a condition. */
function comparisonsOf(condition: Condition): readonly Comparison[] {
  if (condition.kind === 'opaque') return []
  if (condition.kind !== 'match') return condition.operands.flatMap(comparisonsOf)
  return isOfTime(condition.test) ? [{ test: condition.test, condition }] : []
}

/** How a policy changes, and up to which instant this was looked at: the last one, unless there are too many. */
export function timedOf(policy: Policy, id: number, from: number, to: number, most: number, run?: Budget): readonly [Timed, number] {
  const tests = policy.condition ? comparisonsOf(policy.condition).map(({ test }) => test) : []
  // The policy still applies at the instant of its expiry and no longer after it.
  const over = policy.expiresAt ? policy.expiresAt.value + 1 : Number.POSITIVE_INFINITY
  const held = new Map(tests.map((test) => [test, holdsAt(test, from)]))
  const texts = new Map<string, string>()
  const stateAt = (moment: number): string => {
    if (moment >= over) return ''
    if (!policy.condition) return 'always'
    let key = ''
    for (const holds of held.values()) key += holds ? '1' : '0'
    const state = texts.get(key) ?? stateOf(conditionAt(policy.condition, moment))
    texts.set(key, state)
    return state
  }
  let far = Math.min(to, over)
  const affordable = run ? Math.max(0, Math.min(most, Math.floor(run.left / (tests.length + 1)))) : most
  let instants: ReturnType<typeof cutsByZone> = from >= over ? new Map() : cutsByZone(tests, from, far, affordable)
  while (!instants) {
    far = from + Math.floor((far - from) / 2)
    instants = cutsByZone(tests, from, far, affordable)
  }
  if (run) run.left -= instants.size * (tests.length + 1)
  let state = stateAt(from)
  const first = state
  const steps: { at: number; state: string }[] = []
  const reach = (at: number) => {
    const next = stateAt(at)
    if (next !== state) steps.push({ at, state: next })
    state = next
  }
  for (const [moment, lists] of instants) {
    let isSame = true
    for (const test of lists.flat()) {
      const holds = holdsAt(test, moment)
      if (holds !== held.get(test)) isSame = false
      held.set(test, holds)
    }
    if (!isSame || moment >= over) reach(moment)
  }
  if (over > from && over <= far) reach(over)
  return [{ id, policy, first, steps }, far === Math.min(to, over) ? to : far]
}

function stateOf(condition: Condition): string {
  const formula = formulaOf(condition)
  return formula.kind === 'or' && formula.operands.length === 0 ? '' : printFormula(formula)
}

/** The causes between two instants in a policy: the expiry that passes, or the comparisons whose results change. */
function timeCauses({ name, expiresAt, condition }: Policy, from: number, to: number): readonly Cause[] {
  const cause = { side: 'after' as const, name: name.value }
  if (expiresAt && expiresAt.value < from) return []
  if (expiresAt && expiresAt.value < to) return [{ ...cause, span: expiresAt.span, change: 'passed', what: 'expiry' }]
  return comparisonsOf(condition ?? { kind: 'and', operands: [], span: name.span }).flatMap(({ test, condition: { key, value, span } }) => {
    const holds = holdsAt(test, to)
    if (holds === holdsAt(test, from)) return []
    return [{ ...cause, span, change: holds ? 'met' : 'unmet', what: `\`${key.value}\` = \`${value.value}\`` }]
  })
}

/** The zone of what changes: of the first comparison that comes out otherwise, UTC where there is none. */
function zoneChanging(changed: readonly Timed[], instant: number): Zone {
  for (const { policy } of changed) {
    if (policy.expiresAt && policy.expiresAt.value === instant - 1) continue
    const comparison =
      policy.condition && comparisonsOf(policy.condition).find(({ test }) => holdsAt(test, instant) !== holdsAt(test, instant - 1))
    if (comparison) return zoneOf(comparison.test)
  }
  return utc
}

// The policies that a change depends on.

/** All policies that access can depend on when some policies change: a world of those that share an action with them. */
interface Part {
  readonly world: World
  /** Those of them that the time changes, in order. */
  readonly timed: readonly Timed[]
}

function partAbout(changed: readonly Timed[], timed: readonly Timed[], world: World, partsByKey: Map<string, Part>): Part {
  const key = keyOf(changed.map(({ id }) => id))
  const knownPart = partsByKey.get(key)
  if (knownPart) return knownPart
  const changedActions = changed.map(({ policy }) => actionsOf(policy, world))
  const about = changedActions.includes(undefined) ? undefined : uncovered(changedActions.flatMap((list) => list ?? []))
  const shares = (policy: Policy) => {
    const actions = about && actionsOf(policy, world)
    return !actions || actions.some((action) => about?.some((each) => overlaps(each, action)))
  }
  const policies = world.policies.filter(shares)
  const partPolicies = new Set(policies)
  const part: Part = { world: { ...world, policies }, timed: timed.filter(({ policy }) => partPolicies.has(policy)) }
  partsByKey.set(key, part)
  return part
}

/** All actions that a policy allows or denies; undefined where a permissions group is not known. */
function actionsOf({ permissions, permissionsGroups }: Policy, world: World): readonly Glob[] | undefined {
  const sets: PermissionSet[] = [permissions]
  for (const { value } of permissionsGroups) {
    const group = world.permissionsGroups.get(value.text)
    if (!group) return undefined
    sets.push(group.permissions)
  }
  return sets.flatMap(({ allow, deny }) => [...allow, ...deny].map(({ value }) => value))
}

// Instants that come back.

interface Compared {
  readonly difference: Difference
  readonly causes: readonly Cause[]
  /** The same for the same change of access for the same reasons. */
  readonly key: string
}

interface Found {
  readonly at: number
  readonly compared: Compared
  readonly zone: Zone
}

const causesKey = (causes: readonly Cause[]) =>
  keyOf(causes.map(({ span: { source, start }, change, what }) => [source.path, start, change, what]))

function differenceKey({ verdict, gained, lost, undecided }: Difference): string {
  const region = ({ identities, groups, actions, resources, condition, except, certain, causes }: DiffRegion) => [
    identities,
    groups,
    actions,
    resources,
    printFormula(condition),
    except.map(({ policy, condition: when, ...rest }) => [rest, printFormula(when), policy?.name.value]),
    certain,
    causesKey(causes),
  ]
  return JSON.stringify([verdict, gained.map(region), lost.map(region), undecided])
}

/** How many instants are at least reported as one. */
const leastInstants = 3

/** Equal changes at the same local time, week after week, reported as one. */
function folded(entriesFound: readonly Found[]): readonly TimelineEntry[] {
  const byKey = new Map<string, Found[]>()
  for (const each of entriesFound) {
    const { time } = localOf(each.zone, each.at)
    const key = keyOf(each.zone.name, time, each.compared.key)
    pushTo(byKey, key, each)
  }
  const entries = [...byKey.values()].flatMap((list) =>
    groupsOf(list).flatMap((group): TimelineEntry[] => {
      if (group.length < leastInstants) return group.map((each) => entryOf([each], undefined))
      const [{ zone, at }] = group as [Found]
      const weekdays = [...new Set(group.map((each) => localOf(zone, each.at).weekday))].sort((a, b) => a - b)
      return [entryOf(group, { zone, weekdays, time: localOf(zone, at).time })]
    }),
  )
  return entries.sort((a, b) => (a.instants[0] as number) - (b.instants[0] as number))
}

function entryOf(group: readonly Found[], pattern: Pattern | undefined): TimelineEntry {
  const [{ at, compared, zone }] = group as [Found]
  return {
    instants: group.map((each) => each.at),
    pattern,
    zone,
    difference: asked(compared.difference, at - 1, at),
    causes: compared.causes,
  }
}

/**
 * Runs of the same weekday, one a week without a gap, and those together that begin within a week and end within a week:
 * each of their weekdays from the first to the last is there.
 */
function groupsOf(list: readonly Found[]): readonly (readonly Found[])[] {
  const runs: Found[][] = []
  const last = new Map<number, Found[]>()
  const dayOf = (each: Found | undefined) => (each ? localOf(each.zone, each.at).day : Number.NaN)
  for (const each of list) {
    const { weekday } = localOf(each.zone, each.at)
    const run = last.get(weekday)
    if (run && dayOf(run.at(-1)) + 7 === dayOf(each)) run.push(each)
    else {
      const fresh = [each]
      runs.push(fresh)
      last.set(weekday, fresh)
    }
  }
  const groups: Found[][][] = []
  for (const run of runs) {
    const isNear = (a: Found | undefined, b: Found | undefined) => Math.abs(dayOf(a) - dayOf(b)) < 7
    const fits = groups.find((group) => group.every((other) => isNear(run[0], other[0]) && isNear(run.at(-1), other.at(-1))))
    if (fits) fits.push(run)
    else groups.push([run])
  }
  return groups.map((group) => group.flat().sort((a, b) => a.at - b.at))
}

/** Day since 1970, weekday and time on a clock in the zone. */
function localOf(zone: Zone, at: number): { readonly day: number; readonly weekday: number; readonly time: string } {
  const local = at + zone.offset(at)
  const { weekday } = zone.at(at)
  return { day: Math.floor(local / day), weekday, time: new Date(local).toISOString().slice(11, 16) }
}
