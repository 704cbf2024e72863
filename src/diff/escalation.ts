import { sensitiveRows } from '../actions/sensitive.ts'
import { glob, matches } from '../glob.ts'
import type { PermissionSet, PermissionsGroup, Policy, World } from '../policy.ts'
import type { Clause } from '../simulate/decision.ts'
import { type ActionsByType, type Given, isGranting, isRoot, thingsIn, whenAllowed } from '../symbolic/described.ts'
import { allOf, always, anyOf, type Formula, isMember, isNever, notSo, openText, satisfy, tooMany, withTime } from '../symbolic/formula.ts'
import { clausesOf, type Region, regions } from '../symbolic/regions.ts'
import { simplified } from '../symbolic/simplify.ts'
import { printIdentity, readIdentity } from '../urn/identity.ts'
import { editsBetween } from './causes.ts'
import { type CompareRow, compareIdentities } from './compare.ts'
import { describedDifference } from './described.ts'

/**
 * Whether an identity can raise its own rights: a fixed point over the grants that lead to more. Each round asks what it may
 * do with what the rounds before gave it: other policies, groups, memberships, or another identity that it can act as.
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
}

/** An action that leads to more rights, and why it is allowed. */
export interface Step {
  readonly action: string
  /** What can be done with it. */
  readonly reason: string
  /** On which resource: the account. */
  readonly resource: string
  /** Who does it: the identity itself, or one that it can act as. */
  readonly as: string
  /** The groups that whoever does it is in by an earlier step. */
  readonly groups: readonly string[]
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
  readonly time?: Formula
  readonly given?: Given
}

/** The actions over policies, groups and identities that lead to more, by what follows the namespace. */
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
] as const
type Power = (typeof known)[number]

/** With one of these, nothing is out of reach. */
const decisive = ['iam/policy/edit', 'me/changeEmail'] as const

/** Somebody whom the identity can act as. */
interface Persona {
  readonly identity: string
  /** The groups that it is put into; undefined: those that it is in. */
  readonly groups?: readonly string[]
  readonly after: readonly Step[]
}

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
  private readonly reasons = new Map<string, string>()

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
        if (this.powers.get(power)?.certain) return []
        const step = this.stepTo(power)
        return !step || (this.powers.has(power) && !step.certain) ? [] : [[power, step]]
      })
      for (const [power, step] of found) this.powers.set(power, step)
      if (found.length === 0 || decisive.some((power) => this.power(power)?.certain)) break
    }
    const steps = [...this.powers.values()]
    const nothing = { path: [], steps, denies: [], gains: undefined }
    let first: (Pick<Escalation, 'reach' | 'certain' | 'path'> & Partial<Escalation>) | undefined
    for (const way of this.ways()) {
      if (way.certain) return { ...nothing, ...way }
      first ??= way
    }
    return first ? { ...nothing, ...first } : { ...nothing, reach: 'none', certain: true }
  }

  private actionOf(power: Power): string {
    return `account:api${this.options.brand}:${power}`
  }

  private power(power: Power): Step | undefined {
    return this.powers.get(power)
  }

  /** The ways that lead to more, the furthest first. */
  private *ways(): Iterable<Pick<Escalation, 'reach' | 'certain' | 'path'> & Partial<Escalation>> {
    for (const power of decisive) {
      const step = this.power(power)
      if (step) yield { reach: 'any', certain: step.certain, path: pathTo([step]) }
    }
    const grants = [...this.grantsToSelf()]
    for (const steps of grants) {
      const certain = steps.every((step) => step.certain)
      const { denied, denies } = this.deniesOf('iam/policy/edit')
      const free = this.judged(notSo(denied))
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
    const join = this.power('me/identity/user/edit') ?? this.power('me/identity/user/create')
    if (edit && isInGroup) yield [edit]
    for (const role of [edit, make]) if (role && join) yield [role, join]
  }

  /** The ways to some rights that it does not have. */
  private *others(): Iterable<Pick<Escalation, 'reach' | 'certain' | 'path' | 'gains'>> {
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
    const groups = this.power('iam/resourceGroup/edit')
    const over = this.policiesAbout(this.identity).find(
      (policy) =>
        policy.permissions.allow.length + policy.permissionsGroups.length > 0 &&
        policy.resources.some(({ value }) => value.kind !== 'resource'),
    )
    if (groups && over)
      yield {
        reach: 'more',
        certain: groups.certain,
        path: pathTo([groups]),
        gains: `the actions of the policy \`${over.name.value}\` on any resource that is put into its resource groups`,
      }
    for (const persona of this.personas()) {
      if (persona.after.length === 0) continue
      const gained = this.gainedBy(persona)
      const first = gained.find(({ certain }) => certain) ?? gained[0]
      if (!first) continue
      const count = gained.reduce((sum, { actions, resources }) => sum + actions.length * resources.length, 0)
      yield {
        reach: 'more',
        certain: first.certain && persona.after.every((step) => step.certain),
        path: pathTo(persona.after),
        gains: `${count} ${count === 1 ? 'combination' : 'combinations'} of action and resource that it has not, such as \`${first.actions[0]}\` on \`${first.resources[0]}\`, as ${nameOf(persona)}`,
      }
    }
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
  private gainedBy(persona: Persona): readonly Pick<CompareRow, 'actions' | 'resources' | 'certain'>[] {
    const { actions, time, given } = this.options
    const world = this.worldOf(persona, this.world)
    const { resources } = thingsIn([this.world])
    const options = { actions, ...(time && { time }), ...(given && { given }) }
    if (persona.identity !== this.identity) return compareIdentities(world, [persona.identity, this.identity], resources, options).only[0]
    const things = { identities: [this.identity], resources }
    return describedDifference(this.world, world, editsBetween(this.world, world), { ...options, things }).gained
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
          if (hit.some((region) => this.judged(allOf([allow.formula, region.formula]))?.certain))
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
        !(policy.expiresAt && time && satisfy([{ kind: 'until', at: policy.expiresAt.value }, time]) === undefined),
    )
  }

  private isOwnGroup(urn: string): boolean {
    return urn.split(':')[4] === this.account
  }

  /** Whether an action on the account is allowed, by what was found so far, and how. */
  private stepTo(power: Power): Step | undefined {
    const action = this.actionOf(power)
    let perhaps: Step | undefined
    for (const persona of this.personas()) {
      for (const [world, after] of this.worlds()) {
        const step = this.stepOf(action, persona, world, after)
        if (step?.certain) return step
        perhaps ??= step
      }
    }
    return perhaps
  }

  private stepOf(action: string, persona: Persona, edited: World, after: readonly Step[]): Step | undefined {
    const { identity, groups = [], after: before } = persona
    const world = this.worldOf(persona, edited)
    const { resource } = this
    const { given = {}, time } = this.options
    const about = { action, reason: this.reasons.get(action) ?? '', resource, as: identity, groups }
    if (isRoot(world, identity, resource))
      return { ...about, condition: always, certain: true, policies: [], grants: [], after: before, isRoot: true }
    const all = regions(world, { ...given, identity, groups: [], resource, action })
    const allows = all.filter(({ effect }) => effect === 'allow')
    const denies = all.filter(({ effect }) => effect === 'deny')
    const remove = this.power('iam/policy/delete')
    const plain = whenAllowed({ allows, denies, isRoot: false }, action)
    const granting = allows.filter((region) => isGranting(region, action))
    const cleared = anyOf(granting.map((region) => withoutOthers(region, denies)))
    for (const [formula, extra] of [[plain, []], ...(remove ? [[cleared, [remove]] as const] : [])] as const) {
      const judged = this.judged(
        formula,
        after.some((step) => step.action === this.actionOf('iam/resourceGroup/edit')),
      )
      if (!judged) continue
      const used = [...before, ...after, ...extra]
      return {
        ...about,
        condition: simplified(formula, time),
        certain: judged.certain && used.every((step) => step.certain),
        policies: [...new Set(granting.map(({ policy }) => policy))],
        grants: granting.flatMap((region) => clausesOf(region)),
        after: used,
        isRoot: false,
      }
    }
    return undefined
  }

  /** Whether a formula holds in some context; certain where that takes no fact that cannot be known or chosen. */
  private judged(formula: Formula, mayChoose = false): { readonly certain: boolean } | undefined {
    if (isNever(formula)) return undefined
    const formulas = withTime([formula], this.options.time ?? always)
    const sure = satisfy(formulas, { assume: false, allowance: { left: mostSteps } })
    if (sure && sure !== tooMany) return { certain: true }
    const model = satisfy(formulas, { allowance: { left: mostSteps } })
    if (model === undefined) return undefined
    if (model === tooMany) return { certain: false }
    return { certain: mayChoose && [...model.assumed.keys()].every((text) => this.memberships.has(text)) }
  }

  /** The facts that the members of resource groups are, as texts. */
  private get memberships(): ReadonlySet<string> {
    const texts = this.world.policies.flatMap(({ resources }) =>
      resources.flatMap(({ value }) => {
        const fact = value.kind === 'resource' ? undefined : isMember(value.text)
        return fact?.kind === 'fact' ? [openText(fact.is)] : []
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

  /** The policies as they are, and with groups that the identity can edit as suits it best. */
  private *worlds(): Iterable<readonly [World, readonly Step[]]> {
    yield [this.world, []]
    const [permissions, members] = [this.power('iam/permissionsGroup/edit'), this.power('iam/resourceGroup/edit')]
    const edited = permissions && this.withOpenPermissions()
    if (permissions && edited) yield [edited, [permissions]]
    // A group that is not described may have any members: each that helps is chosen.
    if (members) yield [{ ...this.world, resourceGroups: new Map() }, [members]]
    if (permissions && edited && members) yield [{ ...edited, resourceGroups: new Map() }, [permissions, members]]
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
    const provider = this.power('me/identity/provider/create') ?? this.power('me/identity/provider/edit')
    const edit = this.power('me/identity/user/edit')
    const isUser = this.identity.includes(':identity:user:')
    // One group is enough for one grant, and the fewer there are the less is denied.
    if (edit && isUser)
      for (const group of [undefined, ...groups])
        out.push({ identity: this.identity, groups: group === undefined ? [] : [group], after: [edit] })
    const create = this.power('me/identity/user/create') ?? provider
    if (create) for (const group of groups) out.push({ identity: newName('user'), groups: [group], after: [create] })
    const token = this.power('me/identity/user/token/create') ?? provider
    if (token) for (const user of users) if (user !== this.identity) out.push({ identity: user, after: [token] })
    const client = this.power('me/api/oauth2/client/create')
    if (client) out.push({ identity: newName('credential'), after: [client] })
    return out
  }
}

function nameOf({ identity, groups = [] }: Persona): string {
  const [group] = groups
  return group === undefined ? `\`${identity}\`` : `a member of \`${group}\``
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
