import { controlRows, type SensitiveAction, sensitiveAmong, sensitiveRows } from '../actions/sensitive.ts'
import { Budget, Undecided } from '../budget.ts'
import { madeIn, pushAllTo } from '../collections.ts'
import { fillWildcards, type Glob, glob, isPattern, matches, SortedNames } from '../glob.ts'
import { keyOf } from '../keys.ts'
import { memoizeByText } from '../memo.ts'
import type { PermissionSet, PermissionsGroup, Policy, World } from '../policy.ts'
import type { Clause, Question } from '../simulate/decision.ts'
import { Askers } from '../symbolic/askers.ts'
import {
  type ActionsByType,
  type Cell,
  type Class,
  Described,
  groupsOf,
  isAbout,
  isGranting,
  isRoot,
  knownNamesIn,
  Lookups,
  type RequestContext,
  whenAllowed,
} from '../symbolic/described.ts'
import {
  allOf,
  always,
  anyOf,
  comparison,
  evaluate,
  type Formula,
  formulaOf,
  isMember,
  isNever,
  type Model,
  noneOf,
  openText,
  printFormula,
  satisfy,
  settled,
  tooMany,
  withTime,
} from '../symbolic/formula.ts'
import { weightOf } from '../symbolic/known.ts'
import { clausesOf, permissionsOf, type Region, regions } from '../symbolic/regions.ts'
import { simplified } from '../symbolic/simplify.ts'
import { questionAt } from '../symbolic/witness.ts'
import { type IdentityKind, isGroupName, printIdentity, readIdentity } from '../urn/identity.ts'
import { readResource, typeAndName } from '../urn/resource.ts'
import { areGroupsKnown } from '../world.ts'
import { atMoment, changesIn, type Retagging, reachable, retagged, type TagChange, tagKeys } from './retag.ts'

/**
 * Whether an identity can raise its own rights: a fixed point over the grants that lead to more. Each round asks what it may
 * do with what the rounds before gave it: other policies, groups, memberships, tags, or another identity that it can act as.
 */
export interface Escalation {
  /**
   * `any`: any right. `undenied`: any right that no policy denies. `more`: some rights that it does not have.
   * `none`: no way was found.
   */
  readonly reach: 'any' | 'undenied' | 'more' | 'none'
  /** False: the way depends on facts that are not known; for `none`, something was not followed, so that there may be one. */
  readonly certain: boolean
  /** The steps that lead there, in order. */
  readonly path: readonly Step[]
  /** The steps that were found, those of the path included; the search ends where any right is in reach. */
  readonly steps: readonly Step[]
  /** For `undenied`: the entries that deny it the edit of policies. */
  readonly denies: readonly Clause[]
  /** For `more`: what it would have that it does not have. */
  readonly gains: string | undefined
  /** One question of that, with the memberships and tags at which `can` allows it. */
  readonly example: Example | undefined
  /** Steps that were not followed, and why. */
  readonly notFollowed: readonly NotFollowed[]
}

export interface Example {
  readonly question: Question
  /** The groups that the asking identity is put into; undefined: those that it is in. */
  readonly groups: readonly string[] | undefined
  readonly tags: readonly TagChange[]
  /** The required tags; `tags` are some that meet them. */
  readonly tagsBeing: Formula
  /** `can` shows it with these memberships and tags; else it takes other changes too. */
  readonly isReplayed: boolean
}

export interface NotFollowed {
  /** Actions that it may do, or perhaps do; none where that is not looked at. */
  readonly actions: readonly string[]
  readonly because: string
}

/** An action that leads to more rights, and why it is allowed. */
export interface Step {
  readonly action: string
  /** The access that the step opens. */
  readonly reason: string
  /** On which resource: the account, or one that acts as an identity. */
  readonly resource: string
  /** Who does it: the identity itself, or one that it can act as. */
  readonly as: string
  /** The groups that the acting identity is in by an earlier step. */
  readonly groups: readonly string[]
  /** The changes of the tags of the resource, by earlier steps, at which it is allowed. */
  readonly tags: readonly TagChange[]
  readonly condition: Formula
  readonly certain: boolean
  /** The policies that grant it, and the entries; none where a permissions group does that is not known. */
  readonly policies: readonly Policy[]
  readonly grants: readonly Clause[]
  /** The steps that come before it. */
  readonly after: readonly Step[]
  /** The identity is the account itself. */
  readonly isRoot: boolean
}

export interface EscalationOptions {
  readonly actions: ActionsByType
  readonly brand: string
  /** Which resources act as which identities. */
  readonly runsAs?: readonly RunsAs[]
  readonly time?: Formula
  readonly given?: RequestContext
  /** The budget of the whole run; by default a new one. */
  readonly run?: Budget
}

export interface RunsAs {
  readonly resource: Glob
  readonly identity: string
}

/** Resources with the identities that they run as, from the records of a configuration; what has another shape is left out. */
export function runsAsOf(records: unknown): readonly RunsAs[] {
  return (Array.isArray(records) ? records : []).flatMap((record: unknown): RunsAs[] => {
    const { resource, identity } = (typeof record === 'object' && record !== null ? record : {}) as Readonly<Record<string, unknown>>
    if (typeof resource !== 'string' || typeof identity !== 'string') return []
    const read = readResource(resource, { pattern: true }).value
    return read && readIdentity(identity, { pattern: false }).value ? [{ resource: read.glob, identity }] : []
  })
}

/** The actions over policies, groups, tags and identities that lead to more, by what follows the namespace. */
const known = [
  'iam/policy/edit',
  'iam/policy/create',
  'me/changeEmail',
  'iam/permissionsGroup/edit',
  'iam/resourceGroup/edit',
  'me/identity/user/edit',
  'me/identity/user/create',
  'me/identity/user/token/create',
  'me/identity/provider/create',
  'me/identity/provider/edit',
  'me/identity/group/edit',
  'me/identity/group/create',
  'me/identity/group/user/add',
  'me/identity/group/user/remove',
  'me/api/oauth2/client/create',
  'iam/policy/delete',
  'iam/resourceGroup/create',
  'iam/resource/tag/add',
  'iam/resource/tag/remove',
  'iam/resource/edit',
] as const
type Power = (typeof known)[number]

/** With one of these, nothing is out of reach. */
const decisive = ['iam/policy/edit', 'me/changeEmail'] as const

const tagging = ['iam/resource/edit', 'iam/resource/tag/add', 'iam/resource/tag/remove'] as const

/** The actions of which it is not known what they lead to. */
const unknown: readonly (readonly [paths: readonly string[], because: string])[] = [
  [['me/subAccount/create', 'me/subAccount/edit', 'me/subAccount/createConsumerKey'], 'the policies of other accounts are not given'],
  [['me/api/oauth2/client/edit'], 'the sign-in through another address is not documented'],
  [
    ['iam/permissionsGroup/delete', 'iam/resourceGroup/delete', 'me/identity/group/delete'],
    'what policies mean that name a deleted group is not documented',
  ],
  [['me/identity/user/enable'], 'which users are disabled is not known'],
  [
    ['me/api/credential/edit', 'me/task/emailChange/accept', 'me/sshKey/create', 'voip/resellerPanel/generatePassword'],
    'credentials that exist, and servers that are installed later, are in no policy',
  ],
]

/** Actions of this kind that by themselves give nothing: a group that no policy names, a longer time, a sign-in by older means. */
const idle = ['iam/permissionsGroup/create', 'me/identity/user/token/edit', 'me/identity/provider/delete']

/** Patterns over the actions that lead to more rights; `withControl`: those over resources that run as an identity, too. */
export function raisingActions(brand: string, withControl: boolean): readonly Glob[] {
  return [
    ...known.map((power) => glob(`account:api${brand}:${power}`)),
    ...(withControl ? controlRows(brand).map(({ pattern }) => pattern) : []),
  ]
}

/** An identity that the searched one can act as. */
interface Persona {
  readonly identity: string
  /** The groups that it is put into; undefined: those that it is in. */
  readonly groups?: readonly string[]
  readonly after: readonly Step[]
  /** False: it is not known whether there is such a user or group. */
  readonly exists: boolean
  /** It is put into a group in addition to its main one. It is not documented whether the role of that counts. */
  readonly isInFurther?: true
}

/** The policies after changes of groups or tags that suit the identity best. */
interface Edited {
  readonly world: World
  readonly after: readonly Step[]
  /** The open facts that can be chosen, as strings. */
  readonly chosen?: ReadonlySet<string>
  /** Tags of the resource that is asked about can be chosen. */
  readonly isRetagged?: true
  /** A policy or a role was written that grants everything. */
  readonly isGranted?: true
}

/** A group that an identity may be put into. */
interface Joinable {
  readonly urn: string
  readonly after: readonly Step[]
  readonly exists: boolean
}

/** Something that a persona may do after changes and the identity may not do now. */
interface Found extends Pick<Example, 'question' | 'tags' | 'tagsBeing'> {
  readonly actions: readonly string[]
  readonly resources: readonly string[]
  readonly certain: boolean
  readonly path: readonly Step[]
}

/** A persona with changes, and whether policies that deny are deleted. */
interface Try {
  readonly persona: Persona
  readonly edited: Edited
  readonly isCleared: boolean
}

type PartialEscalation = Pick<Escalation, 'reach' | 'certain' | 'path'> & Partial<Escalation>

export function escalation(world: World, identity: string, options: EscalationOptions): Escalation {
  return new Search(new Ground(world, options.actions), identity, options).answer()
}

/** The same for several identities, in their order: what does not depend on the identity is found once. */
export function escalations(world: World, identities: readonly string[], options: EscalationOptions): readonly Escalation[] {
  const ground = new Ground(world, options.actions)
  const run = options.run ?? new Budget()
  return identities.map((identity) => (run.isSpent ? notSearched : new Search(ground, identity, { ...options, run }).answer()))
}

/** A state of the policies, and who asks in it, that an identity can bring about by steps. */
export interface ReachableState {
  /** The steps, in order. */
  readonly path: readonly Step[]
  /** False: a step depends on facts that are not known. */
  readonly certain: boolean
  /** Who asks: the identity itself, or one that it can act as. */
  readonly identity: string
  /** The groups that who asks is put into by a step; undefined: those that it is in. */
  readonly groups?: readonly string[]
  /** The policies and memberships of the state; undefined where every right can be granted. */
  readonly world: World | undefined
  /** Facts about resource groups that can be chosen, as strings. */
  readonly chosen?: ReadonlySet<string>
  /** Where policies can be deleted: whether one cannot. */
  readonly isLocked?: (policy: Policy) => boolean
  /** The policies that the identity would write. */
  readonly written?: ReadonlySet<Policy>
}

export interface ReachableStates {
  readonly states: readonly ReachableState[]
  /** Not all combinations of facts, users and groups were tried: there may be more. */
  readonly isUndecided: boolean
}

const stateBy = (path: readonly Step[], certain: boolean) => ({ path, certain })

/** Searches the states that identities of a world can bring about; what does not depend on the identity is found once. */
export function stateSearch(world: World, options: EscalationOptions): (identity: string) => ReachableStates {
  const ground = new Ground(world, options.actions)
  const run = options.run ?? new Budget()
  return (identity) => (run.isSpent ? { states: [], isUndecided: true } : new Search(ground, identity, { ...options, run }).states())
}

/** The answer about an identity for which no step of the run is left. */
const notSearched: Escalation = {
  reach: 'none',
  certain: false,
  path: [],
  steps: [],
  denies: [],
  gains: undefined,
  example: undefined,
  notFollowed: [{ actions: [], because: 'there is too much to look at in one run: ask about fewer identities' }],
}

/** Facts that the searches of all identities share: the names in a world, the policies by these names, and names for its patterns. */
class Ground {
  readonly world: World
  readonly lookups = new Lookups()
  readonly askers: Askers
  /** The identities and resources that the world describes or names. */
  readonly identities: readonly string[]
  readonly things: readonly string[]
  readonly named: ReadonlySet<string>
  private readonly actions: ActionsByType
  private readonly narrow = new Map<string, readonly Policy[]>()
  private readonly raising = new Map<string, readonly SensitiveAction[]>()
  private sampled: readonly string[] | undefined

  constructor(world: World, actions: ActionsByType) {
    this.world = world
    this.actions = actions
    this.askers = new Askers(world)
    const { identities, resources } = knownNamesIn([world])
    ;[this.identities, this.things, this.named] = [identities, resources, new Set(resources)]
  }

  /** The policies that are about one of some names, by their numbers. */
  aboutNames(names: readonly string[]): readonly number[] {
    return this.lookups.indexOf(this.world).aboutIdentities(names)
  }

  /** A world with those of its policies that may say something of an action on a resource. */
  narrowed(world: World, action: string, resource: string): World {
    const find = () =>
      world.policies.filter(
        (policy) =>
          policy.resources.some(({ value }) => value.kind !== 'resource' || matches(value.glob, resource)) &&
          permissionsOf(policy, world).some(({ set }) => [...set.allow, ...set.deny].some(({ value }) => matches(value, action))),
      )
    return { ...world, policies: world === this.world ? madeIn(this.narrow, keyOf(action, resource), find) : find() }
  }

  /** Whether the catalogue has an action that an entry is about. */
  readonly isKnown = memoizeByText(
    ({ text }: Glob) => text,
    (entry: Glob) => this.actions.knows(entry),
  )

  /** Whether all entries of policies are about actions of the catalogue. */
  isOfCatalogue(): boolean {
    const { policies, permissionsGroups } = this.world
    const sets = [
      ...policies.map(({ permissions }) => permissions),
      ...[...permissionsGroups.values()].map(({ permissions }) => permissions),
    ]
    return sets.every(({ allow }) => allow.every(({ value }) => this.isKnown(value)))
  }

  /** The actions about a type that may raise rights. */
  raisingAbout(type: string, brand: string): readonly SensitiveAction[] {
    return madeIn(this.raising, type, () =>
      sensitiveAmong(this.actions.of(type), sensitiveRows(brand)).filter(
        ({ category }) => category === 'escalation' || category === 'credentials',
      ),
    )
  }

  /** Names for what patterns in policies are about, where no resource is described that they match. `looksAt` counts the steps. */
  samples(looksAt: (steps: number, policies: readonly Policy[]) => boolean): readonly string[] {
    this.sampled ??= this.findSamples(looksAt)
    return this.sampled
  }

  private findSamples(looksAt: (steps: number, policies: readonly Policy[]) => boolean): readonly string[] {
    const out = new Set<string>()
    const sortedThings = new SortedNames(this.things)
    const types = this.actions.types()
    const isMissing = memoizeByText(
      (pattern: string) => pattern,
      (pattern: string) => !sortedThings.hasSome(glob(pattern)),
    )
    for (const policy of this.world.policies) {
      const patterns = permissionsOf(policy, this.world).flatMap(({ set }) => set.allow.map(({ value }) => value))
      for (const { value } of policy.resources) {
        if (value.kind !== 'resource' || !isPattern(value.glob)) continue
        if (!looksAt(value.type.includes('*') ? types.length : 1, [policy])) break
        if (!value.type.includes('*')) {
          if (isMissing(value.glob.text)) out.add(fillWildcards(value.glob, 'any'))
          continue
        }
        for (const type of types) {
          const sample = `urn:v1:${value.region}:resource:${type}:${value.name === '' ? 'any' : fillWildcards(glob(value.name), 'any')}`
          if (out.has(sample) || !matches(value.glob, sample) || !isMissing(`urn:v1:${value.region}:resource:${type}:*`)) continue
          if (this.actions.of(type).some((action) => patterns.some((pattern) => matches(pattern, action)))) out.add(sample)
        }
      }
    }
    return [...out].sort()
  }
}

class Search {
  private readonly world: World
  private readonly identity: string
  private readonly options: EscalationOptions
  private readonly account: string
  private readonly region: string
  private readonly resource: string
  private readonly powers = new Map<Power, Step>()
  /** The steps by which it gets to act as identities that resources run as. */
  private readonly controls = new Map<string, Step>()
  private readonly ground: Ground
  private readonly identities: readonly string[]
  private readonly things: readonly string[]
  private readonly named: ReadonlySet<string>
  private readonly reasons = new Map<string, string>()
  private readonly lookups: Lookups
  private readonly askers: Askers
  /** The policies that the identity would write. */
  private readonly written = new Set<Policy>()
  private personas: readonly Persona[] = []
  private edits: readonly Edited[] = []
  /** Some conditions have too many combinations of facts to try them all. */
  private isUndecided = false
  /** One way is known, and another one only counts where it is certain. */
  private seeksCertain = false
  private readonly run: Budget
  /** The policies that it was about when the budget was used up. */
  private readonly culprits = new Set<string>()

  constructor(ground: Ground, identity: string, options: EscalationOptions) {
    this.run = options.run ?? new Budget()
    ;[this.ground, this.world, this.identity, this.options] = [ground, ground.world, identity, options]
    ;[this.identities, this.things, this.named] = [ground.identities, ground.things, ground.named]
    ;[this.lookups, this.askers] = [ground.lookups, ground.askers]
    const read = readIdentity(identity, { pattern: false }).value
    this.account = read?.account ?? ''
    this.region = read?.region ?? 'eu'
    this.resource = `urn:v1:${this.region}:resource:account:${this.account}`
    for (const { pattern, reason } of sensitiveRows(options.brand)) this.reasons.set(pattern.text, reason)
  }

  answer(): Escalation {
    this.followSteps()
    const steps = [...this.powers.values(), ...this.controls.values()]
    const first = this.firstEscalation()
    const notFollowed = first?.reach === 'any' ? [] : this.notFollowed()
    const best = first ?? { reach: 'none', certain: notFollowed.length === 0, path: [] }
    return { steps, denies: [], gains: undefined, example: undefined, ...best, notFollowed }
  }

  /** Find the steps that it may take: a fixed point. */
  private followSteps(): void {
    // Each round rests on the rounds before it alone, so that the first way that is found is short.
    for (;;) {
      this.personas = this.findPersonas()
      this.edits = this.findEdits()
      const powersFound = known.flatMap((power): (readonly [Power, Step])[] => {
        const step = this.better(this.powers.get(power), () => this.stepTo(this.actionOf(power)))
        return step ? [[power, step]] : []
      })
      const taken = this.targets().flatMap(({ identity, resources }): (readonly [string, Step])[] => {
        const step = this.better(this.controls.get(identity), () => this.controlOf(resources))
        return step ? [[identity, step]] : []
      })
      for (const [power, step] of powersFound) this.powers.set(power, step)
      for (const [identity, step] of taken) this.controls.set(identity, step)
      if (this.run.isSpent || powersFound.length + taken.length === 0 || decisive.some((power) => this.power(power)?.certain)) break
    }
  }

  /** The states that its steps lead to, those with the fewest steps first; the one without any step is not among them. */
  states(): ReachableStates {
    this.followSteps()
    const states: ReachableState[] = []
    for (const power of decisive) {
      const step = this.power(power)
      const last = step && this.isByOwnGrant(step) ? step.after : step ? [step] : []
      if (step) states.push({ ...stateBy(pathTo(last), step.certain), identity: this.identity, world: undefined })
    }
    const remove = this.power('iam/policy/delete')
    for (const persona of this.personas.slice(0, mostPersonas)) {
      for (const { world, after, chosen, isRetagged } of this.edits) {
        // Whether some tags allow an action is asked over all tags anyway.
        if (isRetagged) continue
        for (const removal of remove ? [undefined, remove] : [undefined]) {
          const path = pathTo([...persona.after, ...after, ...(removal ? [removal] : [])])
          if (path.length === 0) continue
          states.push({
            ...stateBy(path, persona.exists && path.every(({ certain }) => certain)),
            identity: persona.identity,
            world: this.worldOf(persona, world),
            ...(persona.groups && { groups: persona.groups }),
            ...(chosen && { chosen }),
            ...(removal && { isLocked: (policy: Policy) => this.isLocked(policy) }),
            written: this.written,
          })
        }
      }
    }
    const isCut = this.personas.length > mostPersonas
    states.sort((a, b) => a.path.length - b.path.length)
    return { states, isUndecided: this.isUndecided || this.run.isSpent || isCut }
  }

  /** The first way that is certain, else the first; of those that come before the budget is used up. */
  private firstEscalation(): PartialEscalation | undefined {
    let first: PartialEscalation | undefined
    for (const escalation of this.asFarAsItLasts(() => this.escalations())) {
      if (escalation.certain) return escalation
      first ??= escalation
      this.seeksCertain = true
    }
    return first
  }

  /** The items of a generator until the budget is used up; then the search is marked as undecided. */
  private *asFarAsItLasts<T>(find: () => Iterable<T>): Iterable<T> {
    try {
      yield* find()
    } catch (error) {
      if (!(error instanceof Undecided)) throw error
      this.isUndecided = true
      for (const culprit of error.culprits) this.culprits.add(culprit)
    }
  }

  /** A step that was not found yet, or that is certain where the one that was found is not. */
  private better(known: Step | undefined, find: () => Step | undefined): Step | undefined {
    if (known?.certain) return undefined
    const step = find()
    return known && !step?.certain ? undefined : step
  }

  private actionOf(power: string): string {
    return `account:api${this.options.brand}:${power}`
  }

  private power(power: Power): Step | undefined {
    return this.powers.get(power)
  }

  /** The first of some that is certain, else the first. */
  private best(...powers: readonly Power[]): Step | undefined {
    return firstCertain(powers.flatMap((power) => this.power(power) ?? []))
  }

  /** The ways that lead to more, the furthest first. */
  private *escalations(): Iterable<PartialEscalation> {
    for (const power of decisive) {
      const step = this.power(power)
      // An identity that has granted itself a policy needs to edit none.
      const last = step && this.isByOwnGrant(step) ? step.after : step ? [step] : []
      if (step) yield { reach: 'any', certain: step.certain, path: pathTo(last) }
    }
    for (const steps of this.grantsToSelf())
      yield {
        reach: 'undenied',
        certain: steps.every((step) => step.certain),
        path: pathTo(steps),
        denies: this.deniesOf('iam/policy/edit'),
      }
    yield* this.others()
  }

  /** Whether the identity itself may do a step by what it wrote. */
  private isByOwnGrant({ as, policies, isRoot, after }: Step): boolean {
    return as === this.identity && !isRoot && policies.length === 0 && after.some(({ action }) => this.granting().includes(action))
  }

  /** The actions that write policies or roles. */
  private granting(): readonly string[] {
    return ['iam/policy/create', 'me/identity/group/edit', 'me/identity/group/create'].map((power) => this.actionOf(power))
  }

  /** The steps by which it can grant itself access that no policy denies. */
  private *grantsToSelf(): Iterable<readonly Step[]> {
    for (const { world, after, isGranted } of this.edits) {
      if (!isGranted) continue
      for (const persona of this.personas) {
        const members = this.membersOf(persona)
        const isMeant = world.policies.some(
          (policy) =>
            this.written.has(policy) && policy.identities.some(({ value }) => members.some((member) => matches(value.glob, member))),
        )
        if (isMeant && isCertain(persona, { isGranted })) yield [...after, ...persona.after]
      }
    }
  }

  /** The ways to some rights that it does not have. */
  private *others(): Iterable<PartialEscalation> {
    const things = this.things
    for (const resources of [things, this.samples()]) {
      for (const each of this.triesOver(resources)) {
        const gained = this.newAccessOf(each, resources)
        const first = firstCertain(gained)
        if (first) yield this.escalationTo(each.persona, first, countOf(gained), isReplayed(each))
      }
    }
    for (const persona of this.personas) {
      // The tags of other resources are not known: these escalations are never certain.
      if (this.seeksCertain) return
      for (const { steps, resource } of this.taggers(persona, things)) {
        const edited: Edited = { world: this.world, after: [], isRetagged: true }
        const gainedByStep = this.newAccessOf({ persona, edited, isCleared: false }, [resource], steps)
        const [first] = gainedByStep
        if (first) yield { ...this.escalationTo(persona, first, countOf(gainedByStep), true), certain: false }
      }
    }
  }

  private escalationTo(
    persona: Persona,
    { certain, path, question, tags, tagsBeing }: Found,
    count: number,
    isReplayed: boolean,
  ): PartialEscalation {
    const who = persona.identity === this.identity && persona.groups === undefined ? [] : [`as ${nameOf(persona)}`]
    const words = wordsOfNewAccess(count, question, ...who)
    return { reach: 'more', certain, path, gains: words, example: { question, groups: persona.groups, tags, tagsBeing, isReplayed } }
  }

  /**
   * Personas with changes that may give more over some resources, each with the fewest steps first. What all changes together
   * do not give, none of them gives.
   */
  private *triesOver(resources: readonly string[]): Iterable<Try> {
    const remove = this.power('iam/policy/delete')
    const most = this.edits.at(-1) as Edited
    const unmoved = this.edits.findLast(({ chosen, isRetagged }) => !chosen && !isRetagged) as Edited
    const lengthOf = (persona: Persona, { after, isRetagged }: Edited, isCleared: boolean) =>
      pathTo([...persona.after, ...after, ...(isRetagged ? this.tagSteps() : []), ...(isCleared && remove ? [remove] : [])]).length
    const personas = [...this.personas].sort((a, b) => a.after.length - b.after.length)
    for (const [i, persona] of personas.entries()) {
      if (i === mostPersonas || this.run.isSpent) {
        this.isUndecided = true
        return
      }
      const mayCount = (edited: Edited | undefined, isCleared: boolean) =>
        !this.seeksCertain ||
        (persona.exists &&
          pathTo([...persona.after, ...(edited?.after ?? []), ...(isCleared && remove ? [remove] : [])]).every(({ certain }) => certain))
      if (!mayCount(undefined, false)) continue
      const all = { persona, isCleared: remove !== undefined }
      if (![...new Set([most, unmoved])].some((edited) => this.newAccessOf({ ...all, edited }, resources).length > 0)) continue
      const tries = this.edits.flatMap((edited) =>
        (remove ? [false, true] : [false]).map((isCleared) => ({
          persona,
          edited,
          isCleared,
          length: lengthOf(persona, edited, isCleared),
        })),
      )
      const counting = tries.filter(({ length, edited, isCleared }) => length > 0 && mayCount(edited, isCleared))
      yield* counting.sort((a, b) => a.length - b.length)
    }
  }

  private samples(): readonly string[] {
    return this.ground.samples((steps, policies) => this.looksAt(steps, policies))
  }

  /** Whether a resource belongs to another account. */
  private isForeign(urn: string): boolean {
    const owner = this.world.resources.get(urn)?.owner ?? this.world.account
    return urn !== this.resource && owner !== undefined && owner !== this.account
  }

  /** Who changes tags of single resources: an action of the account that is asked about the resource; whether it is, is not known. */
  private taggers(
    persona: Persona,
    resources: readonly string[],
  ): readonly { readonly steps: readonly Step[]; readonly resource: string }[] {
    if (this.tagSteps().length > 0 || !this.looksAtTags()) return []
    const plain: Edited = { world: this.world, after: [] }
    return resources.flatMap((resource) => {
      if (this.isForeign(resource) || resource === this.resource) return []
      const steps = tagging.flatMap((power) => {
        const step = this.stepOf(this.actionOf(power), persona, plain, resource)
        return step ? [{ ...step, certain: false }] : []
      })
      return steps.length > 0 ? [{ steps, resource }] : []
    })
  }

  private looksAtTags(): boolean {
    return this.world.policies.some(({ condition }) => condition && tagKeys(formulaOf(condition)).length > 0)
  }

  /** The access that a persona has after changes, and the identity does not have now. */
  private newAccessOf({ persona, edited, isCleared }: Try, all: readonly string[], steps = this.tagSteps()): readonly Found[] {
    const { actions, given, time = always } = this.options
    const { isRetagged, chosen } = edited
    const resources = isRetagged || chosen ? all.filter((urn) => !this.isForeign(urn)) : all
    const world = this.worldOf(persona, edited.world)
    const open = isRetagged ? { ...world, resources: withoutTags(world, resources) } : world
    const described = new Described(
      [this.world, open],
      { identities: [this.identity, persona.identity], resources },
      given,
      this.lookups,
      this.run,
    )
    const [mine, other] = [this.identity, persona.identity].map((name) => described.identities.find(({ names }) => names.includes(name)))
    const remove = isCleared ? this.power('iam/policy/delete') : undefined
    const [self, members] = [this.membersOf({ identity: this.identity }), this.membersOf(persona)]
    const [ofSelf, ofPersona] = [this.askers.renamedFor(self, members), this.askers.renamedFor(members, self)]
    const newAccess: Found[] = []
    for (const resource of described.resources) {
      const [urn] = resource.names as [string]
      const cells = [described.cell(0, mine as Class, resource), described.cell(1, other as Class, resource)] as const
      if (!this.looksAt(sizeOfCells(cells), policiesIn(cells))) break
      const now = this.world.resources.get(urn)?.tags
      for (const same of groupsOf(described, actions.of(typeAndName(urn).type), ...cells)) {
        if (!this.looksAt(stepsOfGroup, policiesIn(cells))) return newAccess
        const [action] = same as [string]
        const ownCondition = ofSelf(whenAllowed(cells[0], action))
        const after = ofPersona(remove ? this.whenCleared(cells[1], action) : whenAllowed(cells[1], action))
        if (isNever(after)) continue
        const keys = isRetagged ? tagKeys(after) : []
        const before = atMoment(ownCondition, { tags: isRetagged === true && !now, members: chosen !== undefined })
        const formulas = [after, reachable(keys, now, this.retagging(steps)), noneOf(before)]
        const judged = this.judged(formulas, chosen)
        if (!judged?.model) continue
        const tags = isRetagged ? changesIn(judged.model, withTime(formulas, time), now) : []
        const path = pathTo([...persona.after, ...edited.after, ...this.stepsFor(tags, steps), ...(remove ? [remove] : [])])
        if (path.length === 0) continue
        const { tags: itsTags, ...question } = questionAt({ identity: persona.identity, action, resource: urn }, judged.model, given ?? {})
        // Of a resource that only a pattern is about, the tags are not known.
        const isPlain = this.named.has(urn) ? keys.length === 0 || now !== undefined : tagKeys(after).length === 0
        const certain = judged.certain && isPlain && isCertain(persona, edited) && path.every((step) => step.certain)
        newAccess.push({
          actions: same,
          resources: resource.names,
          certain,
          question: isRetagged || !itsTags ? question : { ...question, tags: itsTags },
          tags,
          tagsBeing: isRetagged ? tagsIn(after, judged.model) : always,
          path,
        })
      }
    }
    return newAccess
  }

  /** When a cell allows an action once the policies that deny and can be deleted are gone, but for those that grant it. */
  private whenCleared(cell: Cell, action: string): Formula {
    if (cell.isRoot) return always
    const denies = cell.denies.filter((region) => isAbout(region, action))
    return anyOf(cell.allows.filter((region) => isGranting(region, action)).map((region) => this.withoutOthers(region, denies)))
  }

  /** When a region grants once the other policies that deny are gone, as far as they can be deleted. */
  private withoutOthers(region: Region, denies: readonly Region[]): Formula {
    const stay = denies.filter(({ policy }) => policy === region.policy || this.isLocked(policy)).map(({ formula }) => formula)
    return allOf([region.formula, noneOf(anyOf(stay))])
  }

  /** Whether no identity of the account can edit or delete a policy. */
  private isLocked({ readOnly, owner = this.world.account }: Policy): boolean {
    return readOnly || (owner !== undefined && owner !== this.account)
  }

  /** The world in which a persona is in the groups that it is put into. */
  private worldOf({ identity, groups }: Pick<Persona, 'identity' | 'groups'>, world: World): World {
    const [policy] = this.world.policies
    if (!groups || !policy) return world
    const urn = { value: identity, span: policy.name.span }
    return { ...world, identities: new Map(world.identities).set(identity, { urn, groups }) }
  }

  private isOwnGroup(urn: string): boolean {
    return urn.split(':')[4] === this.account
  }

  /** The steps that changes of tags take. */
  private stepsFor(tags: readonly TagChange[], steps: readonly Step[]): readonly Step[] {
    const best = (...powers: readonly Power[]) =>
      firstCertain(powers.flatMap((power) => steps.filter(({ action }) => action === this.actionOf(power))))
    const set = tags.some(([, value]) => value !== null) ? best('iam/resource/tag/add', 'iam/resource/edit') : undefined
    const remove = tags.some(([, value]) => value === null) ? best('iam/resource/tag/remove', 'iam/resource/edit') : undefined
    return [...new Set([set, remove].flatMap((step) => step ?? []))]
  }

  /** Tags under the brand word are computed by the service. */
  private readonly isComputed = (key: string): boolean => key.startsWith(`${this.options.brand}:`)

  /** Count what is looked at, which policies are about. False where the budget is used up. */
  private looksAt(steps: number, policies: Iterable<Policy>): boolean {
    const isFirst = !this.run.isSpent
    this.run.left -= steps
    if (!this.run.isSpent) return true
    this.isUndecided = true
    if (isFirst || this.culprits.size === 0)
      for (const { name } of policies) {
        this.culprits.add(name.value)
        if (this.culprits.size === mostNamed) break
      }
    return false
  }

  /** Whether an action is allowed, by what was found so far, and how. */
  private stepTo(action: string, resource = this.resource): Step | undefined {
    let perhaps: Step | undefined
    const edits = this.isForeign(resource) ? this.edits.filter(({ chosen, isRetagged }) => !chosen && !isRetagged) : this.edits
    if (!this.looksAt(edits.length * this.world.policies.length, [])) return undefined
    const narrow = edits.map((edited) => ({ ...edited, world: this.ground.narrowed(edited.world, action, resource) }))
    const most = narrow.at(-1) as Edited
    const tried = new Set<string>()
    for (const persona of this.personas) {
      const key = this.sameFor(persona, most.world)
      if (tried.has(key)) continue
      if (this.isSure(persona)) tried.add(key)
      // If all changes together do not allow it, no single one does.
      if (narrow.length > 2 && !this.stepOf(action, persona, most, resource)) continue
      for (const edited of narrow) {
        const step = this.stepOf(action, persona, edited, resource)
        if (step?.certain) return step
        perhaps ??= step
      }
    }
    return perhaps
  }

  /** Whether there is such a persona, and every step to it is certain. */
  private isSure({ exists, after }: Persona): boolean {
    return exists && after.every((step) => step.certain)
  }

  /** A text that is the same for personas that the policies of a world are about alike. */
  private sameFor(persona: Persona, { policies }: World): string {
    this.looksAt(policies.length, policies)
    const members = this.membersOf(persona)
    const about = policies.flatMap(({ identities }, i) =>
      identities.some(({ value }) => members.some((member) => matches(value.glob, member))) ? [i] : [],
    )
    return `${isRoot(this.world, persona.identity, this.resource) ? persona.identity : ''} ${about.join()}`
  }
  private stepOf(action: string, persona: Persona, edited: Edited, resource: string): Step | undefined {
    const { identity, groups = [], after: before } = persona
    const { after, chosen } = edited
    const { given = {}, time = always } = this.options
    const now = this.world.resources.get(resource)?.tags
    // Tags that are not described are open already.
    const isRetagged = edited.isRetagged === true && now !== undefined
    const placed = this.worldOf(persona, edited.world)
    const world = isRetagged ? { ...placed, resources: withoutTags(placed, [resource]) } : placed
    const about = { action, reason: this.reasons.get(action) ?? '', resource, as: identity, groups, tags: [] }
    const isSure = (used: readonly Step[]) => isCertain(persona, edited) && used.every((step) => step.certain)
    if (isRoot(world, identity, resource))
      return { ...about, condition: always, certain: isSure(before), policies: [], grants: [], after: before, isRoot: true }
    if (!this.looksAt(world.policies.length, world.policies)) return undefined
    const all = regions(world, { ...given, identity, groups: [], resource, action })
    const allows = all.filter(({ effect }) => effect === 'allow')
    const denies = all.filter(({ effect }) => effect === 'deny')
    const remove = this.power('iam/policy/delete')
    const cell = { allows, denies, isRoot: false }
    const granting = allows.filter((region) => isGranting(region, action))
    const ofOthers = granting.filter(({ policy }) => !this.written.has(policy))
    const conditions = [[whenAllowed(cell, action), []], ...(remove ? [[this.whenCleared(cell, action), [remove]] as const] : [])] as const
    let perhaps: Step | undefined
    for (const [formula, extra] of conditions) {
      const formulas = isRetagged ? [formula, reachable(tagKeys(formula), now, this.retagging())] : [formula]
      const judged = this.judged(formulas, chosen)
      if (!judged) continue
      const tags = isRetagged && judged.model ? changesIn(judged.model, withTime(formulas, time), now) : []
      const changing = isRetagged ? this.stepsFor(tags, this.tagSteps()) : []
      const used = [...before, ...after, ...changing, ...extra]
      const step: Step = {
        ...about,
        tags,
        condition: simplified(isRetagged ? retagged(formula, tags, now) : formula, time),
        certain: judged.certain && isSure(used),
        policies: [...new Set(ofOthers.map(({ policy }) => policy))],
        grants: ofOthers.flatMap((region) => clausesOf(region)),
        after: used,
        isRoot: false,
      }
      if (step.certain) return step
      perhaps ??= step
    }
    return perhaps
  }

  /** The steps that change tags of every resource of the account. */
  private tagSteps(): readonly Step[] {
    return tagging.flatMap((power) => this.power(power) ?? [])
  }

  private retagging(steps = this.tagSteps()): Retagging {
    const has = (power: Power) => steps.some(({ action }) => action === this.actionOf(power))
    return {
      canSet: has('iam/resource/edit') || has('iam/resource/tag/add'),
      canRemove: has('iam/resource/edit') || has('iam/resource/tag/remove'),
      isFixed: this.isComputed,
    }
  }

  /**
   * Whether formulas hold together in some context, and one such context; certain where that needs no fact that is neither known
   * nor chosen. `chosen`: the facts that can be chosen, as strings.
   */
  private judged(
    formulas: readonly Formula[],
    chosen?: ReadonlySet<string>,
  ): { readonly certain: boolean; readonly model?: Model } | undefined {
    if (
      formulas.some(isNever) ||
      !this.looksAt(
        formulas.reduce((sum, formula) => sum + weightOf(printFormula(formula)), 0),
        [],
      )
    )
      return undefined
    const all = withTime(formulas, this.options.time ?? always)
    const certainModel = satisfy(all, { assume: false, allowance: this.run.share(mostSteps) })
    if (certainModel && certainModel !== tooMany) return { certain: true, model: certainModel }
    const model = satisfy(all, { allowance: this.run.share(mostSteps) })
    if (model === undefined) return undefined
    if (model === tooMany) {
      this.isUndecided = true
      if (this.run.isSpent) return undefined
      return { certain: false }
    }
    return { certain: chosen !== undefined && [...model.assumed.keys()].every((text) => chosen.has(text)), model }
  }

  /** The facts that decide about members of resource groups, as strings: of all groups that policies name, or only of patterns. */
  private memberships(ofPatterns: boolean): ReadonlySet<string> {
    const texts = this.world.policies.flatMap(({ resources }) =>
      resources.flatMap(({ value }) => {
        if (value.kind === 'resource' || (ofPatterns && !isPattern(value.glob))) return []
        const fact = isMember(value.text)
        return fact.kind === 'fact' ? [openText(fact.is)] : []
      }),
    )
    return new Set(texts)
  }

  /** The entries that deny the identity an action. */
  private deniesOf(power: Power): readonly Clause[] {
    const { given = {} } = this.options
    const action = this.actionOf(power)
    return regions(this.world, { ...given, identity: this.identity, groups: [], resource: this.resource, action })
      .filter(({ effect }) => effect === 'deny')
      .flatMap((region) => clausesOf(region))
  }

  /**
   * The policies as they are, and with what the identity can change as suits it best: each choice of changes, the fewest
   * first; the last is all of them.
   */
  private findEdits(): readonly Edited[] {
    const permissions = this.power('iam/permissionsGroup/edit')
    const [edit, create] = [this.power('iam/resourceGroup/edit'), this.power('iam/resourceGroup/create')]
    const ofAll = this.memberships(false)
    const ofPatterns = this.memberships(true)
    let all: readonly Edited[] = [{ world: this.world, after: [] }]
    const add = (step: Step | undefined, change: (edited: Edited) => Partial<Edited>) => {
      if (step) all = [...all, ...all.map((edited) => ({ ...edited, after: [...edited.after, step], ...change(edited) }))]
    }
    add(permissions, ({ world }) => ({ world: this.withOpenPermissions(world) }))
    if (ofPatterns.size > 0 && !edit?.certain) add(create, () => ({ chosen: ofPatterns }))
    // A group that is not described may have any members: each that helps is chosen.
    if (ofAll.size > 0) add(edit, ({ world }) => ({ world: { ...world, resourceGroups: new Map() }, chosen: ofAll }))
    const grant = (step: Step | undefined, identities: () => readonly string[]) =>
      add(step, ({ world }) => ({ world: this.withGrant(world, identities()), isGranted: true }))
    const [policy, role] = [this.power('iam/policy/create'), this.power('me/identity/group/edit')]
    const inAccount = (kind: IdentityKind, name: string) => printIdentity({ region: this.region, kind, account: this.account, name })
    grant(policy, () => [...(['user', 'group', 'credential'] as const).map((kind) => inAccount(kind, '*')), inAccount('account', '')])
    if (!policy?.certain) {
      grant(role, () => [inAccount('group', '*')])
      if (!role?.certain) grant(this.power('me/identity/group/create'), () => [inAccount('group', newGroup)])
    }
    if (this.tagSteps().length > 0 && this.looksAtTags()) all = [...all, ...all.map((edited) => ({ ...edited, isRetagged: true as const }))]
    return all
  }

  /** The identities that resources run as, with those resources. */
  private targets(): readonly { readonly identity: string; readonly resources: readonly string[] }[] {
    const { runsAs = [] } = this.options
    if (runsAs.length === 0) return []
    const resources = this.things
    const byIdentity = new Map<string, string[]>()
    for (const { resource, identity } of runsAs) {
      const targetUrns = isPattern(resource) ? resources.filter((urn) => matches(resource, urn)) : [resource.text]
      if (identity !== this.identity) pushAllTo(byIdentity, identity, targetUrns)
    }
    return [...byIdentity].map(([identity, resources]) => ({ identity, resources }))
  }

  /** The actions that give control over resources of a type, and why. */
  private controlActions(type: string): readonly (readonly [action: string, reason: string])[] {
    const rows = controlRows(this.options.brand)
    return this.options.actions.of(type).flatMap((action) => {
      const row = rows.find(({ pattern }) => matches(pattern, action))
      return row ? [[action, row.reason] as const] : []
    })
  }

  private controlOf(resources: readonly string[]): Step | undefined {
    let perhaps: Step | undefined
    for (const resource of resources) {
      for (const [action, reason] of this.controlActions(typeAndName(resource).type)) {
        const step = this.stepTo(action, resource)
        if (step?.certain) return { ...step, reason }
        perhaps ??= step && { ...step, reason }
      }
    }
    return perhaps
  }

  private notFollowed(): readonly NotFollowed[] {
    const out = unknown.flatMap(([paths, because]): NotFollowed[] => {
      const actions = paths.map((path) => this.actionOf(path)).filter((action) => this.stepTo(action))
      return actions.length > 0 ? [{ actions, because }] : []
    })
    out.push(...this.asFarAsItLasts(() => this.overResources()), ...this.asFarAsItLasts(() => this.outsideCatalogue()))
    out.push(...this.asFarAsItLasts(() => this.unknownGroups()))
    const endWords = this.culprits.size === 0 ? '' : `: it ended at ${[...this.culprits].map((name) => `\`${name}\``).join(', ')}`
    if (this.isUndecided)
      out.push({ actions: [], because: `there are too many combinations of facts, or of users and groups, to try them all${endWords}` })
    return out
  }

  /** The actions with which it may take over resources of which nothing says what they run as, and those that raise rights inside products. */
  private overResources(): readonly NotFollowed[] {
    const { runsAs = [], given, brand } = this.options
    const resources = [...this.things, ...this.samples()]
    const described = new Described([this.world], { identities: [this.identity], resources }, given, this.lookups, this.run)
    const [self] = described.identities as [Class]
    const followed = new Set([...known, ...unknown.flatMap(([paths]) => paths), ...idle].map((path) => this.actionOf(path)))
    const [control, inside] = [new Set<string>(), new Set<string>()]
    for (const resource of described.resources) {
      const cell = described.cell(0, self, resource)
      if (!this.looksAt(sizeOfCells([cell]), policiesIn([cell]))) break
      if (cell.allows.length === 0) continue
      const { type } = typeAndName(resource.names[0] as string)
      const isLeft = resource.names.some((urn) => !runsAs.some((each) => matches(each.resource, urn)))
      const taking = new Set(this.controlActions(type).map(([action]) => action))
      const raising = this.ground.raisingAbout(type, brand)
      const may = (action: string) => this.judged([whenAllowed(cell, action)]) !== undefined
      for (const action of isLeft ? taking : []) if (!control.has(action) && may(action)) control.add(action)
      for (const { action } of raising)
        if (!taking.has(action) && !followed.has(action) && !inside.has(action) && may(action)) inside.add(action)
    }
    const of = (actions: ReadonlySet<string>, because: string) => (actions.size > 0 ? [{ actions: [...actions].sort(), because }] : [])
    return [
      ...of(
        control,
        'what these resources run as is not described: `runsAs` of the rule `escalates-through-resource` in the configuration, see `grantwise explain escalates-through-resource`',
      ),
      ...of(inside, 'users and rights inside a product, such as those of a database, are in no policy'),
    ]
  }

  /** The entries by which it may do actions that the catalogue does not have. */
  private outsideCatalogue(): readonly NotFollowed[] {
    if (this.ground.isOfCatalogue()) return []
    const resources = [...new Set([...this.things, ...this.samples(), this.resource])]
    const described = new Described([this.world], { identities: [this.identity], resources }, this.options.given, this.lookups, this.run)
    const [self] = described.identities as [Class]
    const entries = new Set<string>()
    for (const resource of described.resources) {
      const cell = described.cell(0, self, resource)
      if (!this.looksAt(sizeOfCells([cell]), policiesIn([cell]))) break
      for (const { value } of cell.allows.flatMap(({ actions }) => actions)) {
        if (entries.has(value.text) || this.ground.isKnown(value)) continue
        if (this.judged([whenAllowed(cell, fillWildcards(value, 'any'))]) !== undefined) entries.add(value.text)
      }
    }
    if (entries.size === 0) return []
    return [{ actions: [...entries].sort(), because: 'the catalogue has no such action: what it leads to is not known' }]
  }

  /** Steps that depend on the groups of the identity, where these are not described. */
  private unknownGroups(): readonly NotFollowed[] {
    const { kind } = readIdentity(this.identity, { pattern: false }).value ?? {}
    if ((kind !== 'user' && kind !== 'credential') || areGroupsKnown(this.world, this.identity) || this.options.given?.groups?.length)
      return []
    const because = 'which groups it is in is not described'
    // Every local user is in one.
    const role = kind === 'user' ? this.power('me/identity/group/edit') : undefined
    if (role) return [{ actions: [role.action], because }]
    const resources = [...new Set([...this.things, ...this.samples(), this.resource])]
    const isMore = this.joinable().some(({ urn }) => {
      const names = [[this.identity], this.membersOf({ identity: this.identity, groups: [urn] })] as const
      const bothDirections = [this.askers.renamedFor(...names), this.askers.renamedFor(names[1], names[0])] as const
      const world = this.worldOf({ identity: this.identity, groups: [urn] }, this.world)
      const described = new Described(
        [this.world, world],
        { identities: [this.identity], resources },
        this.options.given,
        this.lookups,
        this.run,
      )
      const [self] = described.identities as [Class]
      return described.resources.some((resource) => {
        const { type } = typeAndName(resource.names[0] as string)
        const cells = [described.cell(0, self, resource), described.cell(1, self, resource)] as const
        if (!this.looksAt(sizeOfCells(cells), policiesIn(cells))) return true
        return groupsOf(described, this.options.actions.of(type), ...cells).some(([action = '']) => {
          const [own, asMember] = cells.map((cell, i) => bothDirections[i as 0 | 1](whenAllowed(cell, action))) as [Formula, Formula]
          return this.judged([asMember, noneOf(own)]) !== undefined
        })
      })
    })
    return isMore ? [{ actions: [], because }] : []
  }

  private withOpenPermissions(world: World): World {
    const groups = new Map<string, PermissionsGroup>(world.permissionsGroups)
    for (const policy of world.policies) {
      for (const urn of policy.permissionsGroups) {
        if (!this.isOwnGroup(urn.value.text)) continue
        const group = groups.get(urn.value.text)
        const permissions: PermissionSet = { allow: [{ value: everyAction, span: urn.span }], except: [], deny: [] }
        groups.set(urn.value.text, { ...(group ?? { urn, name: urn.value.text, span: urn.span, node: policy.node }), permissions })
      }
    }
    return { ...world, permissionsGroups: groups }
  }

  /** A world with one more policy, that lets identities do everything. */
  private withGrant(world: World, identities: readonly string[]): World {
    const [like] = world.policies
    if (!like) return world
    const { span } = like.name
    const [everything] = [readResource(`urn:v1:${this.region}:resource:*`, { pattern: true }).value]
    const policy: Policy = {
      name: { value: '', span },
      identities: identities.flatMap((text) => {
        const { value } = readIdentity(text, { pattern: true })
        return value ? [{ value, span }] : []
      }),
      resources: everything ? [{ value: everything, span }] : [],
      permissions: { allow: [{ value: everyAction, span }], except: [], deny: [] },
      permissionsGroups: [],
      readOnly: false,
      span,
      node: like.node,
    }
    this.written.add(policy)
    return { ...world, policies: [...world.policies, policy] }
  }

  /** The names that policies may mean a persona by. */
  private membersOf({ identity, groups }: Pick<Persona, 'identity' | 'groups'>): readonly string[] {
    return [identity, ...(groups ?? this.world.identities.get(identity)?.groups ?? [])]
  }

  /** Equal for personas between which no policy distinguishes. */
  private keyOf(persona: Pick<Persona, 'identity' | 'groups'>): string {
    const members = this.membersOf(persona)
    const { kind, account } = readIdentity(persona.identity, { pattern: false }).value ?? {}
    const about = this.ground.aboutNames(members)
    const ownGroups = members.slice(1).filter((group) => this.isOfAccount(group))
    const isNew = ownGroups.some((group) => group.endsWith(`/${newGroup}`))
    const isApart = this.askers.between(this.membersOf({ identity: this.identity }), members).length > 0
    return JSON.stringify([
      account === this.account,
      kind === 'account' ? persona.identity : '',
      ownGroups.length > 0,
      isNew,
      isApart,
      about,
    ])
  }

  private isOfAccount(urn: string): boolean {
    const { account, region } = readIdentity(urn, { pattern: false }).value ?? {}
    return account === this.account && region === this.region
  }

  /** The groups of the account: those that are described or named, one for each pattern, and a new one. */
  private joinable(): readonly Joinable[] {
    const { policies, identities } = this.world
    const make = this.power('me/identity/group/create')
    const groupUrn = (name: string) => printIdentity({ region: this.region, kind: 'group', account: this.account, name })
    const entries = policies.flatMap((policy) => policy.identities.map(({ value }) => value)).filter(({ kind }) => kind === 'group')
    const named = entries.flatMap(({ glob, text }) => (isPattern(glob) ? [] : [text]))
    const described = [...identities].flatMap(([urn, { groups }]) => (isGroupName(urn) ? [urn, ...groups] : groups))
    const exist = [...new Set([...named, ...described])].filter((urn) => this.isOfAccount(urn)).sort()
    const patterns = entries.flatMap((entry) => {
      if (!isPattern(entry.glob)) return []
      const sample = entry.account === undefined ? groupUrn('any') : fillWildcards(entry.glob, 'any')
      return matches(entry.glob, sample) && this.isOfAccount(sample) && !exist.includes(sample) ? [sample] : []
    })
    const made = make ? [groupUrn(newGroup)] : []
    return [
      ...exist.map((urn) => ({ urn, after: [], exists: true })),
      ...[...new Set(patterns)].map((urn) => ({ urn, after: make ? [make] : [], exists: make !== undefined })),
      ...made.map((urn) => ({ urn, after: make ? [make] : [], exists: true })),
    ]
  }

  /** New names of a kind, one for each pattern of policies over those of the account. */
  private namesFor(kind: 'user' | 'credential'): readonly string[] {
    const entries = this.world.policies.flatMap(({ identities }) => identities.map(({ value }) => value))
    const patterns = entries.filter(
      (entry) => entry.kind === kind && isPattern(entry.glob) && entry.region === this.region && entry.account === this.account,
    )
    return [...new Set(patterns.map(({ glob }) => fillWildcards(glob, 'new')))]
  }

  /** A user with other memberships than the present ones: one more, one of them or none left, or another one. */
  private regrouped(present: readonly string[], groups: readonly Joinable[]): readonly Omit<Persona, 'identity'>[] {
    const put = this.power('me/identity/group/user/add')
    const takeOut = this.power('me/identity/group/user/remove')
    const others = put ? groups.filter(({ urn }) => !present.includes(urn)) : []
    const fewer = [[], ...present.map((group) => [group])].filter(({ length }) => length < present.length)
    return [
      ...(put ? others.map(({ urn, after, exists }) => ({ groups: [...present, urn], after: [put, ...after], exists, ...further })) : []),
      // Whether a user can be taken out of its main group is not documented.
      ...(takeOut ? fewer.map((left) => ({ groups: left, after: [takeOut], exists: false })) : []),
      ...(put && takeOut
        ? others.map(({ urn, after }) => ({ groups: [urn], after: [put, takeOut, ...after], exists: false, ...further }))
        : []),
    ]
  }

  /** The identity itself, and those that it can act as, each once of those between which no policy distinguishes. */
  private findPersonas(): readonly Persona[] {
    const out = new Map<string, Persona>()
    const add = (persona: Persona) => {
      const key = this.keyOf(persona)
      const same = out.get(key)
      if (!same || (!this.isSure(same) && this.isSure(persona))) out.set(key, persona)
    }
    add({ identity: this.identity, after: [], exists: true })
    const isUser = this.identity.includes(':identity:user:') && this.account !== ''
    const newName = (kind: 'user' | 'credential') =>
      printIdentity({ region: this.region, kind, account: this.account, name: kind === 'user' ? 'new-user' : 'oauth2-0000000000000000' })
    const providers = ['me/identity/provider/create', 'me/identity/provider/edit'] as const
    const edit = this.power('me/identity/user/edit')
    const create = this.best('me/identity/user/create', ...providers)
    const token = this.best('me/identity/user/token/create', ...providers)
    const put = this.power('me/identity/group/user/add')
    const takeOut = this.power('me/identity/group/user/remove')
    const groups = edit || create || put ? this.joinable() : []
    // One group is enough for one grant, and the fewer there are the less is denied.
    const nowhere: Joinable = { urn: '', after: [], exists: true }
    const memberships = [nowhere, ...groups].map(({ urn, ...rest }) => ({ groups: urn === '' ? [] : [urn], ...rest }))
    const place = (identity: string, by: readonly Step[], isThere = true) => {
      for (const { groups, after, exists } of memberships) add({ identity, groups, after: [...by, ...after], exists: isThere && exists })
    }
    const regroup = (identity: string, by: readonly Step[], exists = true) => {
      const present = this.membersOf({ identity }).slice(1)
      for (const each of this.regrouped(present, groups))
        add({ identity, ...each, after: [...by, ...each.after], exists: exists && each.exists })
    }
    if (edit && isUser) place(this.identity, [edit])
    if (isUser) regroup(this.identity, [])
    if (create) {
      const name = newName('user')
      for (const identity of [name, ...this.namesFor('user')]) place(identity, [create])
    }
    if (token) {
      const users = this.identities.filter((urn) => urn.includes(':identity:user:') && this.isOfAccount(urn))
      const others = [
        ...users.filter((user) => user !== this.identity).map((identity) => ({ identity, exists: true })),
        ...this.namesFor('user').map((identity) => ({ identity, exists: false })),
      ]
      for (const { identity, exists } of others) add({ identity, after: [token], exists })
      if (put || takeOut) {
        const byNames = new Map(others.map((each) => [JSON.stringify(this.ground.aboutNames(this.membersOf(each))), each]))
        for (const { identity, exists } of byNames.values()) if (this.looksAt(groups.length, [])) regroup(identity, [token], exists)
      }
      if (edit) {
        const byName = new Map(others.map((each) => [JSON.stringify(this.ground.aboutNames([each.identity])), each]))
        for (const { identity, exists } of byName.values()) place(identity, [edit, token], exists)
      }
    }
    const client = this.power('me/api/oauth2/client/create')
    if (client) {
      const name = newName('credential')
      add({ identity: name, after: [client], exists: true })
      for (const identity of this.namesFor('credential')) add({ identity, after: [client], exists: false })
    }
    for (const [identity, step] of this.controls) add({ identity, after: [step], exists: true })
    return [...out.values()]
  }
}

const further = { isInFurther: true } as const

/** The name of a group that is made. */
const newGroup = 'new-group'

/** Whether it is certain that there is such a persona with what changes give it. */
function isCertain({ exists, isInFurther }: Persona, { isGranted }: Pick<Edited, 'isGranted'>): boolean {
  return exists && !(isInFurther && isGranted)
}

/** Whether `can` shows it with memberships and tags alone. */
function isReplayed({ edited: { chosen, after, isGranted }, isCleared }: Try): boolean {
  return !chosen && !isGranted && !isCleared && after.length === 0
}

function nameOf({ identity, groups = [] }: Persona): string {
  const [group] = groups
  return group === undefined ? `\`${identity}\`` : `a member of \`${group}\``
}

function firstCertain<T extends { readonly certain: boolean }>(list: readonly T[]): T | undefined {
  return list.find(({ certain }) => certain) ?? list[0]
}

function countOf(rows: readonly Pick<Found, 'actions' | 'resources'>[]): number {
  return rows.reduce((sum, { actions, resources }) => sum + actions.length * resources.length, 0)
}

function wordsOfNewAccess(count: number, { action, resource }: Question, ...how: readonly string[]): string {
  const what = `${count} ${count === 1 ? 'combination' : 'combinations'} of action and resource that it has not`
  return [`${what}, such as \`${action}\` on \`${resource}\``, ...how].join(', ')
}

/** The requirements of a formula on tags where all else is as in a model. */
function tagsIn(formula: Formula, model: Model): Formula {
  return simplified(settled(formula, (test) => (test.subject.kind === 'tag' ? undefined : evaluate(comparison(test), model)), model.at))
}

/** Changes of tags in words: `env = prod and no tag team`. */
export function tagsText(tags: readonly TagChange[]): string {
  return tags.map(([key, value]) => (value === null ? `no tag \`${key}\`` : `\`${key}\` = \`${value}\``)).join(' and ')
}

/** The resources of a world, the tags of some of them left open. */
function withoutTags({ resources }: World, open: readonly string[]): World['resources'] {
  const out = new Map(resources)
  for (const urn of open) {
    const { tags: _, ...rest } = resources.get(urn) ?? {}
    if ('urn' in rest) out.set(urn, rest)
  }
  return out
}

const everyAction = glob('*')
const mostSteps = 20_000
/** The cost, in steps, of finding out whether one more group of actions is new access. */
const stepsOfGroup = 32
/** And to hold one more resource against what the identity may do. */
const stepsOfResource = 24
/** How many policies are named of those at which it ended. */
const mostNamed = 8

function policiesIn(cells: readonly Cell[]): Iterable<Policy> {
  return cells.flatMap(({ allows, denies }) => [...allows, ...denies].map(({ policy }) => policy))
}

/** How much there is to look at in cells. */
function sizeOfCells(cells: readonly Cell[]): number {
  return cells.reduce((sum, { allows, denies }) => sum + allows.length + denies.length, stepsOfResource)
}
/** How many users, groups and clients that it can act as are held against it: a number of looks, the same on every machine. */
const mostPersonas = 200

/** Steps with all that come before them, in order, each once. */
function pathTo(steps: readonly Step[]): readonly Step[] {
  const path = new Map<string, Step>()
  const walk = (step: Step) => {
    for (const each of step.after) walk(each)
    const key = JSON.stringify([step.action, step.resource, step.as, step.groups, step.tags])
    if (!path.has(key)) path.set(key, step)
  }
  for (const step of steps) walk(step)
  return [...path.values()]
}
