import { controlRows, sensitiveRows } from '../actions/sensitive.ts'
import { type Glob, glob, isPattern, matches } from '../glob.ts'
import type { PermissionSet, PermissionsGroup, Policy, World } from '../policy.ts'
import type { Clause, Question } from '../simulate/decision.ts'
import {
  type ActionsByType,
  type Class,
  Described,
  type Given,
  isGranting,
  isRoot,
  Lookups,
  thingsIn,
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
  notSo,
  openText,
  satisfy,
  settled,
  tooMany,
  until,
  withTime,
} from '../symbolic/formula.ts'
import { clausesOf, type Region, regions } from '../symbolic/regions.ts'
import { simplified } from '../symbolic/simplify.ts'
import { questionAt } from '../symbolic/witness.ts'
import { printIdentity, readIdentity } from '../urn/identity.ts'
import { typeAndName } from '../urn/resource.ts'
import { editsBetween } from './causes.ts'
import { type CompareRow, compareIdentities } from './compare.ts'
import { describedDifference, groupsOf } from './described.ts'
import { changesIn, earlier, type Retagging, reachable, retagged, type TagChange, tagKeys } from './retag.ts'

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
  /** False: the way depends on facts that are not known. */
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
  /** What was not followed, and why. */
  readonly notFollowed: readonly NotFollowed[]
}

export interface Example {
  readonly question: Question
  /** The groups that whoever asks is put into; undefined: those that it is in. */
  readonly groups: readonly string[] | undefined
  readonly tags: readonly TagChange[]
  /** What the tags have to be; `tags` are some that are so. */
  readonly tagsBeing: Formula
}

export interface NotFollowed {
  /** Actions that it may do, or perhaps do; none where that is not looked at. */
  readonly actions: readonly string[]
  readonly because: string
}

/** An action that leads to more rights, and why it is allowed. */
export interface Step {
  readonly action: string
  /** What can be done with it. */
  readonly reason: string
  /** On which resource: the account, or one that acts as an identity. */
  readonly resource: string
  /** Who does it: the identity itself, or one that it can act as. */
  readonly as: string
  /** The groups that whoever does it is in by an earlier step. */
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
  readonly given?: Given
}

export interface RunsAs {
  readonly resource: Glob
  readonly identity: string
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
]

/** Somebody whom the identity can act as. */
interface Persona {
  readonly identity: string
  /** The groups that it is put into; undefined: those that it is in. */
  readonly groups?: readonly string[]
  readonly after: readonly Step[]
}

/** The policies after changes of groups or tags that suit the identity best. */
interface Edited {
  readonly world: World
  readonly after: readonly Step[]
  /** The open facts that can be chosen, as texts. */
  readonly chosen?: ReadonlySet<string>
  /** The tags of the account resource can be chosen. */
  readonly isRetagged?: true
}

type Way = Pick<Escalation, 'reach' | 'certain' | 'path'> & Partial<Escalation>

export function escalation(world: World, identity: string, options: EscalationOptions): Escalation {
  return new Search(world, identity, options).answer()
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
  private readonly reasons = new Map<string, string>()
  private readonly lookups = new Lookups()

  constructor(world: World, identity: string, options: EscalationOptions) {
    ;[this.world, this.identity, this.options] = [world, identity, options]
    const read = readIdentity(identity, { pattern: false }).value
    this.account = read?.account ?? ''
    this.region = read?.region ?? 'eu'
    this.resource = `urn:v1:${this.region}:resource:account:${this.account}`
    for (const { pattern, reason } of sensitiveRows(options.brand)) this.reasons.set(pattern.text, reason)
  }

  answer(): Escalation {
    // Each round rests on the rounds before it alone, so that the first way that is found is short.
    for (;;) {
      const found = known.flatMap((power): (readonly [Power, Step])[] => {
        const step = this.better(this.powers.get(power), () => this.stepTo(this.actionOf(power)))
        return step ? [[power, step]] : []
      })
      const taken = this.targets().flatMap(({ identity, resources }): (readonly [string, Step])[] => {
        const step = this.better(this.controls.get(identity), () => this.controlOf(resources))
        return step ? [[identity, step]] : []
      })
      for (const [power, step] of found) this.powers.set(power, step)
      for (const [identity, step] of taken) this.controls.set(identity, step)
      if (found.length + taken.length === 0 || decisive.some((power) => this.power(power)?.certain)) break
    }
    const steps = [...this.powers.values(), ...this.controls.values()]
    let first: Way | undefined
    for (const way of this.ways()) {
      if (way.certain) {
        first = way
        break
      }
      first ??= way
    }
    const way = first ?? { reach: 'none', certain: true, path: [] }
    const notFollowed = way.reach === 'any' ? [] : this.notFollowed()
    return { steps, denies: [], gains: undefined, example: undefined, ...way, notFollowed }
  }

  /** A step that was not found yet, or that is certain where the one that was found is not. */
  private better(known: Step | undefined, find: () => Step | undefined): Step | undefined {
    if (known?.certain) return undefined
    const step = find()
    return known && !step?.certain ? undefined : step
  }

  private actionOf(power: Power): string {
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
  private *ways(): Iterable<Way> {
    for (const power of decisive) {
      const step = this.power(power)
      if (step) yield { reach: 'any', certain: step.certain, path: pathTo([step]) }
    }
    const grants = [...this.grantsToSelf()]
    for (const steps of grants) {
      const certain = steps.every((step) => step.certain)
      const { denied, denies } = this.deniesOf('iam/policy/edit')
      const free = this.judged([notSo(denied)])
      if (free) yield { reach: 'any', certain: certain && free.certain, path: pathTo(steps) }
      const remove = this.power('iam/policy/delete')
      if (!free && remove) yield { reach: 'any', certain: certain && remove.certain, path: pathTo([...steps, remove]) }
      if (!free && !remove) yield { reach: 'undenied', certain, path: pathTo(steps), denies }
    }
    yield* this.others()
  }

  /** The steps by which it can grant itself what nobody denies. */
  private *grantsToSelf(): Iterable<readonly Step[]> {
    const create = this.power('iam/policy/create')
    if (create) yield [create]
    // A role over the account reaches it through a group that it is in, or that it can put itself into.
    const isInGroup = this.identity.includes(':group:') || (this.world.identities.get(this.identity)?.groups.length ?? 0) > 0
    const [edit, make] = [this.power('me/identity/group/edit'), this.power('me/identity/group/create')]
    const join = this.best('me/identity/user/edit', 'me/identity/user/create')
    if (edit && isInGroup) yield [edit]
    for (const role of [edit, make]) if (role && join) yield [role, join]
  }

  /** The ways to some rights that it does not have. */
  private *others(): Iterable<Way> {
    const permissions = this.power('iam/permissionsGroup/edit')
    const named = this.policiesAbout(this.identity).find((policy) =>
      policy.permissionsGroups.some(({ value }) => this.isOwnGroup(value.text)),
    )
    if (permissions && named)
      yield {
        reach: 'more',
        certain: permissions.certain,
        path: pathTo([permissions]),
        gains: `any action on the resources of the policy \`${named.name.value}\`, which names a permissions group of the account`,
      }
    // A new group is one that only a pattern names.
    for (const power of ['iam/resourceGroup/edit', 'iam/resourceGroup/create'] as const) {
      const groups = this.power(power)
      const over = this.policiesAbout(this.identity).find(
        (policy) =>
          policy.permissions.allow.length + policy.permissionsGroups.length > 0 &&
          policy.resources.some(({ value }) => value.kind !== 'resource' && (power === 'iam/resourceGroup/edit' || isPattern(value.glob))),
      )
      if (!groups || !over) continue
      yield {
        reach: 'more',
        certain: groups.certain,
        path: pathTo([groups]),
        gains: `the actions of the policy \`${over.name.value}\` on any resource that is put into its resource groups`,
      }
    }
    for (const persona of this.personas()) {
      if (persona.after.length === 0) continue
      const gained = this.gainedBy(persona)
      const first = firstCertain(gained)
      if (!first) continue
      yield {
        reach: 'more',
        certain: first.certain && persona.after.every((step) => step.certain),
        path: pathTo(persona.after),
        gains: gainsOf(countOf(gained), first.witness, `as ${nameOf(persona)}`),
        example: { question: first.witness, groups: persona.groups, tags: [], tagsBeing: always },
      }
    }
    yield* this.retaggings()
    const remove = this.power('iam/policy/delete')
    const deny = remove && this.deniesThatCount()
    if (remove && deny)
      yield {
        reach: 'more',
        certain: remove.certain,
        path: pathTo([remove]),
        gains: `\`${deny.action}\` on \`${deny.resource}\`, which the policy \`${deny.policy}\` grants it and another policy denies`,
      }
  }

  /** What a persona may do that the identity may not. */
  private gainedBy(persona: Persona): readonly Pick<CompareRow, 'actions' | 'resources' | 'certain' | 'witness'>[] {
    const { actions, time, given } = this.options
    const world = this.worldOf(persona, this.world)
    const { resources } = thingsIn([this.world])
    const options = { actions, lookups: this.lookups, ...(time && { time }), ...(given && { given }) }
    if (persona.identity !== this.identity) return compareIdentities(world, [persona.identity, this.identity], resources, options).only[0]
    const things = { identities: [this.identity], resources }
    return describedDifference(this.world, world, editsBetween(this.world, world), { ...options, things }).gained
  }

  /** The ways to more by changes of tags, for itself and for those that it can act as. */
  private *retaggings(): Iterable<Way> {
    if (!this.world.policies.some(({ condition }) => condition && tagKeys(formulaOf(condition)).length > 0)) return
    const taggers = this.taggers()
    if (taggers.length === 0) return
    for (const persona of this.personas()) {
      const found = taggers.flatMap(({ steps, resources }) => this.retaggingsOf(persona, steps, resources))
      const first = firstCertain(found)
      if (!first) continue
      const { tags, question, path, tagsBeing } = first
      const who = persona.after.length === 0 ? [] : [`as ${nameOf(persona)}`]
      const gains = gainsOf(countOf(found), question, ...who)
      yield { reach: 'more', certain: first.certain, path, gains, example: { question, groups: persona.groups, tags, tagsBeing } }
    }
  }

  /** Who changes tags of which resources. An action of the account is asked about the account; perhaps also about the resource. */
  private taggers(): readonly { readonly steps: readonly Step[]; readonly resources: readonly string[] }[] {
    const whole = this.tagSteps()
    const resources = thingsIn([this.world]).resources.filter((urn) => {
      const owner = this.world.resources.get(urn)?.owner
      return (owner === undefined || owner === this.account) && urn !== this.resource
    })
    if (whole.length > 0) return [{ steps: whole, resources: [...resources, this.resource] }]
    const actions = tagging.map((power) => this.actionOf(power))
    const mayTag = this.policiesAbout(this.identity).some(({ permissions }) =>
      permissions.allow.some(({ value }) => actions.some((action) => matches(value, action))),
    )
    if (!mayTag) return []
    return resources.flatMap((resource) => {
      const steps = actions.flatMap((action) => {
        const step = this.stepOf(action, { identity: this.identity, after: [] }, { world: this.world, after: [] }, resource)
        return step ? [{ ...step, certain: false }] : []
      })
      return steps.length > 0 ? [{ steps, resources: [resource] }] : []
    })
  }

  /** What a persona may do once tags of some resources are changed, and the identity may not as they are. */
  private retaggingsOf(persona: Persona, steps: readonly Step[], resources: readonly string[]) {
    const { actions, given, time = always } = this.options
    const world = this.worldOf(persona, this.world)
    const open = { ...world, resources: withoutTags(world, resources) }
    const described = new Described([this.world, open], { identities: [this.identity, persona.identity], resources }, given, this.lookups)
    const [mine, other] = [this.identity, persona.identity].map((name) => described.identities.find(({ names }) => names.includes(name)))
    const found: (Pick<CompareRow, 'actions' | 'resources' | 'certain'> &
      Pick<Example, 'question' | 'tags' | 'tagsBeing'> &
      Pick<Way, 'path'>)[] = []
    for (const resource of described.resources) {
      const [urn] = resource.names as [string]
      const cells = [described.cell(0, mine as Class, resource), described.cell(1, other as Class, resource)] as const
      const now = this.world.resources.get(urn)?.tags
      for (const same of groupsOf(described, actions.of(typeAndName(urn).type), ...cells)) {
        const [action] = same as [string]
        const [before, after] = [whenAllowed(cells[0], action), whenAllowed(cells[1], action)]
        const keys = tagKeys(after)
        if (keys.length === 0) continue
        const formulas = [after, reachable(keys, now, this.retagging(steps)), notSo(now ? before : earlier(before))]
        const judged = this.judged(formulas)
        if (!judged?.model) continue
        const tags = changesIn(judged.model, withTime(formulas, time), now)
        const path = pathTo([...persona.after, ...this.stepsFor(tags, steps)])
        const { tags: _, ...question } = questionAt({ identity: persona.identity, action, resource: urn }, judged.model, given ?? {})
        const certain = judged.certain && now !== undefined && path.every((step) => step.certain)
        found.push({ actions: same, resources: resource.names, certain, question, tags, tagsBeing: tagsIn(after, judged.model), path })
      }
    }
    return found
  }

  /** The world in which a persona is in the groups that it is put into. */
  private worldOf({ identity, groups }: Persona, world: World): World {
    const [policy] = world.policies
    if (!groups || !policy) return world
    const urn = { value: identity, span: policy.name.span }
    return { ...world, identities: new Map(world.identities).set(identity, { urn, groups }) }
  }

  /** Something that is granted to it and denied by another policy. */
  private deniesThatCount() {
    const { given = {}, actions } = this.options
    for (const resource of thingsIn([this.world]).resources) {
      const all = regions(this.world, { ...given, identity: this.identity, groups: [], resource })
      const allows = all.filter(({ effect }) => effect === 'allow')
      const denies = all.filter(({ effect }) => effect === 'deny')
      if (allows.length === 0 || denies.length === 0) continue
      for (const action of actions.of(resource.split(':')[4] ?? '')) {
        for (const allow of allows.filter((region) => isGranting(region, action))) {
          const hit = denies.filter(
            (region) => region.policy !== allow.policy && region.actions.some(({ value }) => matches(value, action)),
          )
          if (hit.some((region) => this.judged([allow.formula, region.formula])?.certain))
            return { action, resource, policy: allow.policy.name.value }
        }
      }
    }
    return undefined
  }

  private policiesAbout(identity: string) {
    const members = [identity, ...(this.world.identities.get(identity)?.groups ?? [])]
    const { given, time } = this.options
    return this.world.policies.filter(
      (policy) =>
        policy.identities.some(({ value }) => members.some((member) => matches(value.glob, member))) &&
        !(policy.expiresAt && given?.at !== undefined && given.at > policy.expiresAt.value) &&
        !(policy.expiresAt && time && satisfy([until(policy.expiresAt.value), time]) === undefined),
    )
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

  /** Whether an action is allowed, by what was found so far, and how. */
  private stepTo(action: string, resource = this.resource): Step | undefined {
    let perhaps: Step | undefined
    for (const persona of this.personas()) {
      for (const edited of this.edits()) {
        const step = this.stepOf(action, persona, edited, resource)
        if (step?.certain) return step
        perhaps ??= step
      }
    }
    return perhaps
  }

  private stepOf(
    action: string,
    persona: Persona,
    { world: edited, after, chosen, isRetagged }: Edited,
    resource: string,
  ): Step | undefined {
    const { identity, groups = [], after: before } = persona
    const world = this.worldOf(persona, edited)
    const { given = {}, time = always } = this.options
    const about = { action, reason: this.reasons.get(action) ?? '', resource, as: identity, groups, tags: [] }
    if (isRoot(world, identity, resource))
      return { ...about, condition: always, certain: true, policies: [], grants: [], after: before, isRoot: true }
    const all = regions(world, { ...given, identity, groups: [], resource, action })
    const allows = all.filter(({ effect }) => effect === 'allow')
    const denies = all.filter(({ effect }) => effect === 'deny')
    const remove = this.power('iam/policy/delete')
    const plain = whenAllowed({ allows, denies, isRoot: false }, action)
    const granting = allows.filter((region) => isGranting(region, action))
    const cleared = anyOf(granting.map((region) => withoutOthers(region, denies)))
    const now = this.world.resources.get(resource)?.tags
    for (const [formula, extra] of [[plain, []], ...(remove ? [[cleared, [remove]] as const] : [])] as const) {
      const formulas = isRetagged ? [formula, reachable(tagKeys(formula), now, this.retagging())] : [formula]
      const judged = this.judged(formulas, chosen)
      if (!judged) continue
      const tags = isRetagged && judged.model ? changesIn(judged.model, withTime(formulas, time), now) : []
      const changing = isRetagged ? this.stepsFor(tags, this.tagSteps()) : []
      const used = [...before, ...after, ...changing, ...extra]
      return {
        ...about,
        tags,
        condition: simplified(isRetagged ? retagged(formula, tags, now) : formula, time),
        certain: judged.certain && used.every((step) => step.certain),
        policies: [...new Set(granting.map(({ policy }) => policy))],
        grants: granting.flatMap((region) => clausesOf(region)),
        after: used,
        isRoot: false,
      }
    }
    return undefined
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
   * Whether formulas hold together in some context, and one such context; certain where that takes no fact that cannot be
   * known or chosen. `chosen`: the facts that can be, as texts.
   */
  private judged(
    formulas: readonly Formula[],
    chosen?: ReadonlySet<string>,
  ): { readonly certain: boolean; readonly model?: Model } | undefined {
    if (formulas.some(isNever)) return undefined
    const all = withTime(formulas, this.options.time ?? always)
    const sure = satisfy(all, { assume: false, allowance: { left: mostSteps } })
    if (sure && sure !== tooMany) return { certain: true, model: sure }
    const model = satisfy(all, { allowance: { left: mostSteps } })
    if (model === undefined) return undefined
    if (model === tooMany) return { certain: false }
    return { certain: chosen !== undefined && [...model.assumed.keys()].every((text) => chosen.has(text)), model }
  }

  /** The facts that the members of resource groups are, as texts: of all groups that policies name, or only of patterns. */
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

  private deniesOf(power: Power) {
    const { given = {} } = this.options
    const action = this.actionOf(power)
    const denies = regions(this.world, { ...given, identity: this.identity, groups: [], resource: this.resource, action }).filter(
      ({ effect }) => effect === 'deny',
    )
    return { denied: anyOf(denies.map(({ formula }) => formula)), denies: denies.flatMap((region) => clausesOf(region)) }
  }

  /** The policies as they are, and with groups and tags that the identity can change as suits it best. */
  private *edits(): Iterable<Edited> {
    const { world } = this
    const plain: Edited[] = [{ world, after: [] }]
    const [permissions, members] = [this.power('iam/permissionsGroup/edit'), this.power('iam/resourceGroup/edit')]
    if (permissions) plain.push({ world: this.withOpenPermissions(), after: [permissions] })
    const create = this.power('iam/resourceGroup/create')
    const patterns = this.memberships(true)
    for (const { world, after } of [...plain]) {
      if (create && patterns.size > 0 && !members?.certain) plain.push({ world, after: [...after, create], chosen: patterns })
      // A group that is not described may have any members: each that helps is chosen.
      if (members)
        plain.push({ world: { ...world, resourceGroups: new Map() }, after: [...after, members], chosen: this.memberships(false) })
    }
    yield* plain
    // Tags that are not described are open already.
    if (this.tagSteps().length === 0 || !world.resources.get(this.resource)?.tags) return
    for (const each of plain)
      yield { ...each, world: { ...each.world, resources: withoutTags(each.world, [this.resource]) }, isRetagged: true }
  }

  /** The identities that resources run as, with those resources. */
  private targets(): readonly { readonly identity: string; readonly resources: readonly string[] }[] {
    const { runsAs = [] } = this.options
    if (runsAs.length === 0) return []
    const { resources } = thingsIn([this.world])
    const byIdentity = new Map<string, string[]>()
    for (const { resource, identity } of runsAs) {
      const own = isPattern(resource) ? resources.filter((urn) => matches(resource, urn)) : [resource.text]
      if (identity !== this.identity) byIdentity.set(identity, [...(byIdentity.get(identity) ?? []), ...own])
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
      const actions = paths.map((path) => `account:api${this.options.brand}:${path}`).filter((action) => this.stepTo(action))
      return actions.length > 0 ? [{ actions, because }] : []
    })
    const control = this.controlled()
    if (control.length > 0)
      out.push({ actions: control, because: 'what these resources run as is not given (`runsAs` of `escalates-through-resource`)' })
    return [...out, { actions: [], because: 'the users and rights inside products are in no policy' }]
  }

  /** The actions with which it may take over resources of which nothing says what they run as. */
  private controlled(): readonly string[] {
    const { runsAs = [], given } = this.options
    const { resources } = thingsIn([this.world])
    const left = resources.filter((urn) => !runsAs.some(({ resource }) => matches(resource, urn)))
    const described = new Described([this.world], { identities: [this.identity], resources: left }, given, this.lookups)
    const [self] = described.identities as [Class]
    const found = new Set<string>()
    for (const resource of described.resources) {
      const cell = described.cell(0, self, resource)
      for (const [action] of this.controlActions(typeAndName(resource.names[0] as string).type))
        if (!found.has(action) && this.judged([whenAllowed(cell, action)])) found.add(action)
    }
    return [...found].sort()
  }

  private withOpenPermissions(): World {
    const groups = new Map<string, PermissionsGroup>(this.world.permissionsGroups)
    for (const policy of this.world.policies) {
      for (const urn of policy.permissionsGroups) {
        if (!this.isOwnGroup(urn.value.text)) continue
        const known = groups.get(urn.value.text)
        const permissions: PermissionSet = { allow: [{ value: everyAction, span: urn.span }], except: [], deny: [] }
        groups.set(urn.value.text, { ...(known ?? { urn, name: urn.value.text, span: urn.span, node: policy.node }), permissions })
      }
    }
    return { ...this.world, permissionsGroups: groups }
  }

  /** The identity itself, and those that it can act as. */
  private personas(): readonly Persona[] {
    const { world } = this
    const out: Persona[] = [{ identity: this.identity, after: [] }]
    const groups = [
      ...new Set([
        ...world.policies.flatMap(({ identities }) =>
          identities.flatMap(({ value }) => (value.kind === 'group' && !value.text.includes('*') ? [value.text] : [])),
        ),
        ...[...world.identities.values()].flatMap((each) => each.groups),
      ]),
    ].sort()
    const users = thingsIn([world]).identities.filter((urn) => urn.includes(':identity:user:'))
    const newName = (kind: 'user' | 'credential') =>
      printIdentity({ region: this.region, kind, account: this.account, name: kind === 'user' ? 'new-user' : 'oauth2-0000000000000000' })
    const providers = ['me/identity/provider/create', 'me/identity/provider/edit'] as const
    const edit = this.power('me/identity/user/edit')
    const isUser = this.identity.includes(':identity:user:')
    // One group is enough for one grant, and the fewer there are the less is denied.
    if (edit && isUser)
      for (const group of [undefined, ...groups])
        out.push({ identity: this.identity, groups: group === undefined ? [] : [group], after: [edit] })
    const create = this.best('me/identity/user/create', ...providers)
    if (create) for (const group of groups) out.push({ identity: newName('user'), groups: [group], after: [create] })
    const token = this.best('me/identity/user/token/create', ...providers)
    if (token) for (const user of users) if (user !== this.identity) out.push({ identity: user, after: [token] })
    // Whoever is no user gets into a group as one that it can act as.
    if (token && edit && !isUser && !create)
      for (const user of users) for (const group of groups) out.push({ identity: user, groups: [group], after: [edit, token] })
    const client = this.power('me/api/oauth2/client/create')
    if (client) out.push({ identity: newName('credential'), after: [client] })
    for (const [identity, step] of this.controls) out.push({ identity, after: [step] })
    return out
  }
}

function nameOf({ identity, groups = [] }: Persona): string {
  const [group] = groups
  return group === undefined ? `\`${identity}\`` : `a member of \`${group}\``
}

function firstCertain<T extends { readonly certain: boolean }>(list: readonly T[]): T | undefined {
  return list.find(({ certain }) => certain) ?? list[0]
}

function countOf(rows: readonly Pick<CompareRow, 'actions' | 'resources'>[]): number {
  return rows.reduce((sum, { actions, resources }) => sum + actions.length * resources.length, 0)
}

function gainsOf(count: number, { action, resource }: Question, ...how: readonly string[]): string {
  const what = `${count} ${count === 1 ? 'combination' : 'combinations'} of action and resource that it has not`
  return [`${what}, such as \`${action}\` on \`${resource}\``, ...how].join(', ')
}

/** What a formula asks of tags where all else is as in a model. */
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

/** When a region grants once all other policies that deny are gone. */
function withoutOthers(region: Region, denies: readonly Region[]): Formula {
  const own = denies.filter(({ policy }) => policy === region.policy).map(({ formula }) => formula)
  return allOf([region.formula, notSo(anyOf(own))])
}

/** Steps with all that come before them, in order. */
function pathTo(steps: readonly Step[]): readonly Step[] {
  const path = new Map<string, Step>()
  const walk = (step: Step) => {
    for (const each of step.after) walk(each)
    path.set(step.action, step)
  }
  for (const step of steps) walk(step)
  return [...path.values()]
}
