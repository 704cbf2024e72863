import type { Budget } from '../budget.ts'
import { type EscalationOptions, type ReachableState, raisingActions, type Step, stateSearch } from '../escalation/escalation.ts'
import { covers, fillWildcards, freshLetter, type Glob, glob, isPattern, matches, overlaps } from '../glob.ts'
import { keyOf } from '../keys.ts'
import { memoizeByText } from '../memo.ts'
import type { Policy, World } from '../policy.ts'
import { explain } from '../simulate/decide.ts'
import type { Question } from '../simulate/decision.ts'
import type { Located, Span } from '../source.ts'
import { Lookups } from '../symbolic/described.ts'
import { allOf, type Formula } from '../symbolic/formula.ts'
import { meetIfFeasible } from '../symbolic/patterns.ts'
import { permissionsOf } from '../symbolic/regions.ts'
import { witnessOf } from '../symbolic/witness.ts'
import { type IdentityUrn, isGroupName, readIdentity } from '../urn/identity.ts'
import { readResource } from '../urn/resource.ts'
import { areGroupsKnown, mayGrant } from '../world.ts'
import { answersAgainst, partsOf, proofContextOf, search } from './prove.ts'
import type { Claim } from './suite.ts'

/**
 * Separation of duties: no identity holds two of some duties. A duty is a box of requests; an identity holds it where some request
 * of the box is allowed to it, at some time and in some context. Each duty may be held by another request: at another time, from
 * another address, on another resource. Where steps count, an identity also holds what it can give itself by them.
 *
 * Exact for two reasons. An identity that policies mean by a pattern is one whose name matches no further pattern than it has to:
 * any other one in the pattern is denied at least as much, and what else it is granted is another pattern's. And each
 * described identity is looked at, those that policies are about alike together.
 */
export interface Separation {
  /** Each as a policy that allows it. */
  readonly duties: readonly Policy[]
  /** The identities that it is about: all where there is none. */
  readonly identities: readonly Located<IdentityUrn>[]
  /** Those that may hold several. */
  readonly except: readonly Located<IdentityUrn>[]
  /** Two duties count only where they are held over one resource. */
  readonly sameResource: boolean
  /** Whether what an identity can give itself counts. */
  readonly steps: boolean
}

/** How a duty is held. */
export interface Holding {
  /** The duty, by its place in the list. */
  readonly duty: number
  readonly question: Question
  /** The condition under which it is allowed. */
  readonly when: Formula
  /** The policy and the entry; undefined where the identity would write the policy. */
  readonly at: { readonly policy: Policy; readonly span: Span; readonly inGroup?: Span } | undefined
  /** The steps after which it is held, in order. */
  readonly path: readonly Step[]
}

/** Identities that hold two duties, or perhaps do. */
export interface SharedDuties {
  /** Those that are described or named; the holdings are those of the first. */
  readonly identities: readonly string[]
  /** An example of each other kind, with the groups that no description gives it; the holdings are those of the first where none is named. */
  readonly examples: readonly Pick<Question, 'identity' | 'groups'>[]
  readonly holdings: readonly [Holding, Holding] | undefined
  /** Phrases for what is not known and decides whether it is so; none where it is known. */
  readonly culprits: readonly string[]
}

export interface SeparationOptions extends Omit<EscalationOptions, 'time' | 'given' | 'run'> {
  /** The instants that count. */
  readonly time: Formula
  readonly run: Budget
}

/** An identity to look at. */
interface Asker {
  readonly urn: string
  /** The groups that no description gives it. */
  readonly groups: readonly string[]
  /** The fact that decides whether it exists; undefined where it is described, named or any of a pattern. */
  readonly perhaps?: string
  /** It is one of many that a pattern or a group means. */
  readonly isExample?: true
}

/** The groups and identities to look at, and the pairs of duties and states for each: past them the rest is undecided. */
const [mostAskers, mostPairs, mostPieces] = [20_000, 400, 200]

/** All identities that break a separation, those alike together, in the order of what they hold. */
export function sharedDuties(separation: Separation, world: World, options: SeparationOptions): readonly SharedDuties[] {
  return new SeparationSearch(separation, world, options).find()
}

/** How a duty comes out in one state. */
interface Judged {
  readonly holding: Holding
  readonly culprits: readonly string[]
}

class SeparationSearch {
  private readonly separation: Separation
  private readonly world: World
  private readonly options: SeparationOptions
  private readonly lookups = new Lookups()
  private readonly originals: ReadonlyMap<Span, Policy>
  private readonly isRaising: (policy: Policy) => boolean
  /** For each duty, whether a policy may grant some of its actions. */
  private readonly ofDuty: readonly ((policy: Policy) => boolean)[]

  constructor(separation: Separation, world: World, options: SeparationOptions) {
    ;[this.separation, this.world, this.options] = [separation, world, options]
    this.originals = new Map(world.policies.map((policy) => [policy.span, policy]))
    const granting = (patterns: readonly Glob[]) => {
      const isAbout = memoizeByText(
        ({ text }: Glob) => text,
        (action: Glob) => patterns.some((pattern) => overlaps(pattern, action)),
      )
      return (policy: Policy) =>
        mayGrant(policy, world) && permissionsOf(policy, world).some(({ set }) => set.allow.some(({ value }) => isAbout(value)))
    }
    this.ofDuty = separation.duties.map(({ permissions }) => granting(permissions.allow.map(({ value }) => value)))
    this.isRaising = separation.steps ? granting(raisingActions(options.brand, (options.runsAs ?? []).length > 0)) : () => false
  }

  find(): readonly SharedDuties[] {
    const { run } = this.options
    const relevant = new Set(this.world.policies.filter((policy) => this.isRaising(policy) || this.ofDuty.some((isOf) => isOf(policy))))
    run.left -= this.world.policies.length
    const sharedByKey = new Map<string, SharedDuties>()
    const byPolicies = new Map<string, string | undefined>()
    const searchStates = stateSearchOf(this.world, this.options)
    /** Identities and groups of which it is known: what they may be in as well does not matter. */
    const broken = new Set<string>()
    const isKnown = ({ urn, groups, perhaps }: Asker) => perhaps !== undefined && [urn, ...groups].some((name) => broken.has(name))
    let askersLeft = mostAskers
    let isCut = false
    for (const asker of this.askers(relevant)) {
      if (askersLeft-- === 0 || run.isSpent) {
        isCut = true
        break
      }
      const members = this.membersOf(asker)
      if (!this.isMeant(members) || isKnown(asker)) continue
      const about = this.lookups.indexOf(this.world).aboutIdentities(members)
      run.left -= 1 + about.length
      if (!about.some((number) => relevant.has(this.world.policies[number] as Policy))) continue
      const same = keyOf(about, kindKey(asker.urn), asker.perhaps)
      if (!byPolicies.has(same)) {
        const shared = this.sharedBy(asker, about, searchStates)
        const key = shared && keyOf(shared.holdings?.map(placeKey), shared.culprits)
        byPolicies.set(same, key)
        if (shared && key !== undefined && !sharedByKey.has(key)) sharedByKey.set(key, shared)
      }
      const key = byPolicies.get(same)
      const shared = key === undefined ? undefined : sharedByKey.get(key)
      if (key === undefined || !shared) continue
      sharedByKey.set(key, withAsker(shared, asker))
      if (shared.culprits.length === 0) for (const name of asker.isExample ? asker.groups : [asker.urn]) broken.add(name)
    }
    const all = [...sharedByKey.values()]
    if (!isCut) return all
    const culprits = ['more identities than can be looked at in one run']
    return [...all, { identities: [], examples: [], holdings: undefined, culprits }]
  }

  /** The names that policies may mean an identity by. */
  private membersOf({ urn, groups }: Asker): readonly string[] {
    return [urn, ...groups, ...(this.world.identities.get(urn)?.groups ?? [])]
  }

  /** The duties that policies about a name may grant a part of. */
  private readonly dutiesAbout = memoizeByText(
    (name: string) => name,
    (name: string): readonly number[] => {
      const members = [name, ...(this.world.identities.get(name)?.groups ?? [])]
      const about = this.lookups.indexOf(this.world).aboutIdentities(members)
      return this.separation.duties.flatMap((_, duty) =>
        about.some((number) => this.ofDuty[duty]?.(this.world.policies[number] as Policy)) ? [duty] : [],
      )
    },
  )

  private isMeant(members: readonly string[]): boolean {
    const { identities, except } = this.separation
    const isOneOf = (list: Separation['except']) => list.some(({ value }) => members.some((member) => matches(value.glob, member)))
    return (identities.length === 0 || isOneOf(identities)) && !isOneOf(except)
  }

  /**
   * The identities to look at: those that are described, those that relevant policies name, and one for each pattern and group;
   * last those of which it is not known whether they are in the groups that it takes.
   */
  private *askers(relevant: ReadonlySet<Policy>): Iterable<Asker> {
    const { world } = this
    const isOwnAccount = (urn: string) =>
      readIdentity(urn, { pattern: false }).value?.kind === 'account' && accountOf(urn) === world.account
    for (const urn of world.identities.keys()) if (!isGroupName(urn) && !isOwnAccount(urn)) yield { urn, groups: [] }
    const entries = new Map<string, IdentityUrn>()
    for (const { identities } of relevant) for (const { value } of identities) entries.set(value.text, value)
    for (const { value } of this.separation.identities) entries.set(value.text, value)
    const all = [...entries.values()]
    // One that only other policies name is meant by patterns.
    const every = [...new Set(world.policies.flatMap(({ identities }) => identities.map(({ value }) => value)))]
    const named = new Map(
      [...every, ...all].filter(({ kind, glob: pattern }) => kind !== 'group' && !isPattern(pattern)).map((each) => [each.text, each]),
    )
    const literals = [...named.values()].filter(({ text }) => !world.identities.has(text) && !isOwnAccount(text))
    for (const { text } of literals) yield { urn: text, groups: [] }
    const accounts = accountsIn(world, all)
    const others = [...every, ...all, ...this.separation.except.map(({ value }) => value)]
    const taken = new Set([...others.map(({ text }) => text), ...world.identities.keys()])
    const patterns = withMeets(all.filter(({ kind, glob: pattern }) => kind !== 'group' && isPattern(pattern)))
    const samples = patterns.flatMap((pattern) => samplesOf(pattern, accounts, others, taken))
    for (const urn of samples) yield { urn, groups: [], isExample: true }
    const groups = all.filter(({ kind }) => kind === 'group')
    const groupPatterns = withMeets(groups.filter(({ glob: pattern }) => isPattern(pattern)))
    const groupUrns = [
      ...groups.filter(({ glob: pattern }) => !isPattern(pattern)).map(({ text }) => text),
      ...groupPatterns.flatMap((pattern) => samplesOf(pattern, accounts, others, taken)),
    ]
    // The described members of a group are all of its members.
    const described = new Set([...world.identities.values()].flatMap((each) => (each.places ? [] : each.groups)))
    const openGroups = [...new Set(groupUrns)].filter((urn) => !described.has(urn))
    const anyOf = (group: string) =>
      (['user', 'credential'] as const).flatMap((kind) =>
        samplesOf(glob(`urn:v1:${group.split(':')[2]}:identity:${kind}:${accountOf(group)}/*`), accounts, others, taken),
      )
    for (const group of openGroups) {
      for (const urn of new Set([...anyOf(group), ...samples.filter((each) => accountOf(each) === accountOf(group))]))
        yield { urn, groups: [group], isExample: true }
    }
    // Of two that are together only perhaps, each has to bring a duty that the other lacks, or one of them what the separation is about.
    const isMeant = (name: string) => this.isMeant(this.membersOf({ urn: name, groups: [] }))
    const mayHoldTwo = (one: string, other: string) => {
      const [ofOne, ofOther] = [this.dutiesAbout(one), this.dutiesAbout(other)]
      if (ofOne.some((duty) => ofOther.some((each) => each !== duty))) return true
      return isMeant(one) !== isMeant(other) && new Set([...ofOne, ...ofOther]).size > 1
    }
    // Only some groups of these are known.
    const partly = [...world.identities.keys()].filter((urn) => !areGroupsKnown(world, urn) && !isOwnAccount(urn))
    for (const urn of [...partly, ...literals.filter(({ kind }) => kind !== 'account').map(({ text }) => text)])
      for (const group of openGroups)
        if (accountOf(urn) === accountOf(group) && mayHoldTwo(urn, group))
          yield { urn, groups: [group], perhaps: `whether \`${urn}\` is in \`${group}\`` }
    for (const [i, one] of openGroups.entries())
      for (const other of openGroups.slice(i + 1))
        if (accountOf(one) === accountOf(other) && mayHoldTwo(one, other))
          for (const urn of anyOf(one))
            yield { urn, groups: [one, other], isExample: true, perhaps: `whether an identity is in both \`${one}\` and \`${other}\`` }
  }

  /** The two duties that an identity holds, the fewest steps first. */
  private sharedBy(asker: Asker, about: readonly number[], searchStates: SearchStates): SharedDuties | undefined {
    const here: ReachableState = { path: [], certain: true, identity: asker.urn, world: placed(this.world, asker) }
    const isRaised = asker.perhaps === undefined && about.some((number) => this.isRaising(this.world.policies[number] as Policy))
    let isUndecided = false
    const states = [here]
    const direct = this.firstPair([here])
    if (direct && direct.culprits.length === 0) return this.sharedOf(asker, direct)
    if (isRaised) {
      const reached = searchStates(asker)
      isUndecided = reached.isUndecided
      states.push(...reached.states)
    }
    const pair = isRaised ? this.firstPair(states) : direct
    if (pair) return this.sharedOf(asker, pair.culprits.length > 0 && direct ? direct : pair)
    if (!isUndecided) return undefined
    const culprits = ['more steps, or users and groups, than can be looked at in one run']
    return { identities: [], examples: [], holdings: undefined, culprits }
  }

  private sharedOf(asker: Asker, { holdings, culprits }: Pair): SharedDuties {
    const inGroups = (holding: Holding): Holding => ({ ...holding, question: { ...holding.question, groups: asker.groups } })
    const shown = (holding: Holding) => (holding.question.identity === asker.urn && holding.path.length === 0 ? inGroups(holding) : holding)
    return {
      identities: [],
      examples: [],
      holdings: [shown(holdings[0]), shown(holdings[1])],
      culprits: asker.perhaps === undefined ? culprits : [asker.perhaps, ...culprits],
    }
  }

  /** Two duties that are held in two of some states: the first pair that is certain, else the first. */
  private firstPair(states: readonly ReachableState[]): Pair | undefined {
    const { duties, sameResource } = this.separation
    let perhaps: Pair | undefined
    const judge = (duty: number) => memoizeByState((state) => this.held(duty, duties[duty] as Policy, state))
    const judges = duties.map((_, duty) => judge(duty))
    for (const [i, first] of judges.entries()) {
      for (const [j, second] of judges.entries()) {
        if (j <= i) continue
        if (!sameResource) {
          const one = firstCertain(states, first)
          const other = one && firstCertain(states, second)
          if (!one || !other) continue
          const pair: Pair = { holdings: [one.holding, other.holding], culprits: [...new Set([...one.culprits, ...other.culprits])] }
          if (pair.culprits.length === 0) return pair
          perhaps ??= pair
          continue
        }
        const [ofFirst, ofSecond] = [states.filter((state) => first(state)), states.filter((state) => second(state))]
        const pairs = ofFirst.flatMap((a) => ofSecond.map((b) => [a, b] as const)).sort(([a, b], [c, d]) => lengthOf(a, b) - lengthOf(c, d))
        for (const [a, b] of pairs.slice(0, mostPairs)) {
          const pair = this.overOne([i, a], [j, b])
          if (pair?.culprits.length === 0) return pair
          perhaps ??= pair
        }
        const [last] = pairs
        if (pairs.length > mostPairs && last) {
          const [one, other] = [first(last[0]), second(last[1])]
          if (one && other) perhaps ??= { holdings: [one.holding, other.holding], culprits: ['more pairs of steps than can be looked at'] }
        }
      }
    }
    return perhaps
  }

  /** Two duties over one resource. */
  private overOne([i, a]: readonly [number, ReachableState], [j, b]: readonly [number, ReachableState]): Pair | undefined {
    const [first, second] = [this.separation.duties[i] as Policy, this.separation.duties[j] as Policy]
    let perhaps: Pair | undefined
    for (const [number, piece] of this.piecesOf(first, second, a, b).entries()) {
      if (number === mostPieces) {
        const [one, other] = [this.held(i, first, a), this.held(j, second, b)]
        if (one && other) perhaps ??= { holdings: [one.holding, other.holding], culprits: ['more resources than can be looked at'] }
        break
      }
      const limited = (duty: Policy, text: string): Policy | undefined => {
        const read = readResource(text, { pattern: true }).value
        const span = duty.resources[0]?.span ?? duty.span
        return read && { ...duty, resources: [{ value: read, span }] }
      }
      const [onFirst, onSecond] = [limited(first, piece) ?? first, limited(second, piece) ?? second]
      const [one, other] = [this.held(i, onFirst, a), this.held(j, onSecond, b)]
      if (!one || !other) continue
      const same = (text: string): Pair | undefined => {
        const [x, y] = [this.held(i, limited(first, text) ?? first, a), this.held(j, limited(second, text) ?? second, b)]
        return x && y && { holdings: [x.holding, y.holding], culprits: [...new Set([...x.culprits, ...y.culprits])] }
      }
      const pair = same(one.holding.question.resource) ?? same(other.holding.question.resource)
      if (pair?.culprits.length === 0) return pair
      perhaps ??= pair ?? { holdings: [one.holding, other.holding], culprits: [`whether both are allowed on one resource of \`${piece}\``] }
    }
    return perhaps
  }

  /** Patterns that together have every resource over which two duties may be held. */
  private piecesOf(first: Policy, second: Policy, a: ReachableState, b: ReachableState): readonly string[] {
    const patternsOf = (duty: Policy, { identity, world }: ReachableState) => {
      const dutyPatterns = duty.resources.flatMap(({ value }) => this.patternsOfEntry(value))
      if (!world) return dutyPatterns
      const about = this.narrowed(world, identity).policies
      return metPatterns(
        dutyPatterns,
        about.flatMap(({ resources }) => resources.flatMap(({ value }) => this.patternsOfEntry(value))),
      )
    }
    const met = metPatterns(patternsOf(first, a), patternsOf(second, b))
    return met.map(({ text }) => text)
  }

  /** The patterns of an entry: of a group of resources its members, and any resource where not all of these are known. */
  private patternsOfEntry(value: Policy['resources'][number]['value']): readonly Glob[] {
    if (value.kind === 'resource') return [value.glob]
    const group = this.world.resourceGroups.get(value.text)
    const members = group ? [...group.members].map(glob) : []
    return group?.complete ? members : [...members, glob('urn:v1:*:resource:*')]
  }

  /** Whether a duty is held in a state. */
  private held(number: number, duty: Policy, state: ReachableState): Judged | undefined {
    const { path, certain, identity, world, isLocked } = state
    const notSure = certain ? [] : ['a step that depends on facts that are not known']
    if (!world) {
      const question = questionIn(duty, identity)
      return { holding: { duty: number, question, when: allOf([]), at: undefined, path }, culprits: notSure }
    }
    const narrow = this.narrowed(world, identity)
    if (!isLocked) return this.heldIn(number, duty, state, narrow, notSure)
    // A policy that is deleted so that it denies no longer grants nothing either.
    let perhaps: Judged | undefined
    for (const policy of narrow.policies) {
      if (!mayGrant(policy, narrow)) continue
      const policies = narrow.policies.filter((each) => each === policy || isLocked(each))
      const judged = this.heldIn(number, duty, state, { ...narrow, policies }, notSure)
      if (judged?.culprits.length === 0) return judged
      perhaps ??= judged
    }
    return perhaps
  }

  private heldIn(number: number, duty: Policy, state: ReachableState, world: World, notSure: readonly string[]): Judged | undefined {
    const { time, run } = this.options
    const { identity, path, chosen, written } = state
    const [like] = duty.identities
    const read = readIdentity(identity, { pattern: false }).value
    if (!like || !read) return undefined
    const claim: Claim = { kind: 'never', box: { ...duty, identities: [{ value: read, span: like.span }] }, context: time, groups: [] }
    const [part] = partsOf(claim, world)
    if (!part) return undefined
    const outcome = search(part, proofContextOf(world, run))
    if (outcome.kind === 'none') return undefined
    if (outcome.kind === 'undecided') {
      const question = questionIn(duty, identity)
      return {
        holding: { duty: number, question, when: allOf([]), at: undefined, path },
        culprits: [...notSure, ...outcome.culprits.map(inTicks)],
      }
    }
    const { newAccess } = outcome
    const assumed = newAccess.certain ? [] : [...newAccess.model.assumed.keys()].filter((fact) => !chosen?.has(fact))
    const question = { ...witnessOf(newAccess), groups: state.groups ?? [] }
    const { policy: statementPolicy, group, actions } = newAccess.statement
    const policy = this.originals.get(statementPolicy.span) ?? statementPolicy
    const reference = policy.permissionsGroups.find(({ value }) => value.text === group)?.span
    const entry = actions.find(({ value }) => matches(value, question.action))?.span ?? policy.name.span
    const isWritten = [...(written ?? [])].some(
      ({ span, name }) => span === statementPolicy.span && name.value === statementPolicy.name.value,
    )
    const place = { policy, span: reference ?? entry, ...(reference && { inGroup: entry }) }
    const isConfirmed = !newAccess.certain || answersAgainst(claim, part, question, explain(world, question), world)
    const culprits = [...notSure, ...assumed.map(inTicks), ...(isConfirmed ? [] : ['a question that the simulator does not confirm'])]
    return {
      holding: { duty: number, question, when: allOf(newAccess.region.formulas), at: isWritten ? undefined : place, path },
      culprits,
    }
  }

  /** A world with the policies that are about an identity. */
  private narrowed(world: World, identity: string): World {
    const members = [identity, ...(world.identities.get(identity)?.groups ?? [])]
    const about = this.lookups.indexOf(this.shared(world)).aboutIdentities(members)
    return { ...world, policies: about.map((number) => world.policies[number] as Policy) }
  }

  private readonly byPolicies = new WeakMap<readonly Policy[], World>()

  /** The first world with these policies: those that differ in memberships have one index. */
  private shared(world: World): World {
    const known = this.byPolicies.get(world.policies) ?? world
    this.byPolicies.set(world.policies, known)
    return known
  }
}

function withAsker(shared: SharedDuties, { urn, groups, isExample, perhaps }: Asker): SharedDuties {
  if (isExample || perhaps !== undefined) return { ...shared, examples: [...shared.examples, { identity: urn, groups }] }
  return shared.identities.includes(urn) ? shared : { ...shared, identities: [...shared.identities, urn] }
}

interface Pair {
  readonly holdings: readonly [Holding, Holding]
  readonly culprits: readonly string[]
}

type SearchStates = (asker: Asker) => ReturnType<ReturnType<typeof stateSearch>>

/** Searches of states for identities with the groups that are supposed of them. */
function stateSearchOf(world: World, { time, run, ...rest }: SeparationOptions): SearchStates {
  const options: EscalationOptions = { ...rest, time, run }
  let ofWorld: ReturnType<typeof stateSearch> | undefined
  return (asker) => {
    if (asker.groups.length > 0) return stateSearch(placed(world, asker), options)(asker.urn)
    ofWorld ??= stateSearch(world, options)
    return ofWorld(asker.urn)
  }
}

/** The world in which an identity is also in the groups that are supposed of it. */
function placed(world: World, { urn, groups }: Asker): World {
  const [policy] = world.policies
  if (groups.length === 0 || !policy) return world
  const described = world.identities.get(urn)
  const identity = { urn: described?.urn ?? { value: urn, span: policy.name.span }, groups: [...(described?.groups ?? []), ...groups] }
  return { ...world, identities: new Map(world.identities).set(urn, identity) }
}

const accountOf = (urn: string) => (urn.split(':')[5] ?? '').split('/')[0] ?? ''
const kindKey = (urn: string) => keyOf(urn.split(':')[2], urn.split(':')[4], accountOf(urn))
const placeKey = ({ duty, at, path }: Holding) =>
  keyOf(
    duty,
    at && [at.span.source.path, at.span.start],
    path.map(({ action, resource }) => [action, resource]),
  )

function firstCertain(states: readonly ReachableState[], judge: (state: ReachableState) => Judged | undefined): Judged | undefined {
  let perhaps: Judged | undefined
  for (const state of states) {
    const judged = judge(state)
    if (judged?.culprits.length === 0) return judged
    perhaps ??= judged
  }
  return perhaps
}

const inTicks = (fact: string) => `\`${fact}\``

const lengthOf = (a: ReachableState, b: ReachableState) => a.path.length + b.path.length

function memoizeByState<T>(make: (state: ReachableState) => T): (state: ReachableState) => T {
  const results = new Map<ReachableState, T>()
  return (state) => {
    if (!results.has(state)) results.set(state, make(state))
    return results.get(state) as T
  }
}

/** A question of a duty, for an identity that may do all of it. */
function questionIn(duty: Policy, identity: string): Question {
  const [action, resource] = [duty.permissions.allow[0]?.value, duty.resources[0]?.value]
  const named = (pattern: Glob | undefined) => (pattern ? fillWildcards(pattern, 'x') : '')
  return {
    identity,
    groups: [],
    action: named(action),
    resource: resource?.kind === 'resource' ? named(resource.glob) : (resource?.text ?? ''),
    at: 0,
  }
}

function metPatterns(some: readonly Glob[], others: readonly Glob[]): readonly Glob[] {
  const met = new Map<string, Glob>()
  for (const one of some) for (const other of others) for (const each of meetIfFeasible(one, other) ?? [one]) met.set(each.text, each)
  return [...met.values()]
}

/** The accounts whose identities a pattern over accounts may mean. */
function accountsIn(world: World, entries: readonly IdentityUrn[]): readonly string[] {
  const named = entries.flatMap(({ account }) => account ?? [])
  const described = [...world.identities.keys()].map(accountOf)
  return [...new Set([...(world.account === undefined ? [] : [world.account]), ...named, ...described])]
    .filter((name) => name !== '')
    .slice(0, 20)
}

/** Patterns with the meets of any of them. Wildcards are at the end and in the place of the region, so that two rounds are enough. */
function withMeets(entries: readonly { readonly glob: Glob }[]): readonly Glob[] {
  let all = new Map(entries.map(({ glob: pattern }) => [pattern.text, pattern]))
  for (let round = 0; round < 2; round++)
    all = new Map([...all, ...metPatterns([...all.values()], [...all.values()]).map((each) => [each.text, each] as const)])
  return [...all.values()]
}

/** Replacements of wildcards in the names of examples: the first that makes a name like no other. */
const letters = ['x', 'xx', 'xxx', ...'qzwkjvyu']

/** Names in a pattern that match no other entry than they have to: one for each account where it names none. */
function samplesOf(
  pattern: Glob,
  accounts: readonly string[],
  others: readonly IdentityUrn[],
  taken: ReadonlySet<string>,
): readonly string[] {
  const [region = '', kind = '', rest = ''] = [2, 4, 5].map((i) => pattern.text.split(':')[i])
  const prefix = `urn:v1:${region === '*' ? 'eu' : region}:identity:${kind}:`
  const heads = rest.includes('/')
    ? [`${prefix}${rest}`]
    : [...accounts.filter((account) => matches(glob(rest), account)).map((account) => `${prefix}${account}/*`), `${prefix}${rest}/*`]
  return [...new Set(heads)].flatMap((head) => {
    const headGlob = glob(head)
    const isGeneric = (urn: string) =>
      !taken.has(urn) && others.every((each) => !isPattern(each.glob) || !matches(each.glob, urn) || covers(each.glob, headGlob))
    const urns = [...letters, freshLetter(...taken)].map((letter) => head.replaceAll('*', letter))
    return [urns.find(isGeneric) ?? (urns.at(-1) as string)]
  })
}
