import type { Catalogue } from '../actions/catalogue.ts'
import { isOfTime } from '../conditions/test.ts'
import { type Glob, glob, isPattern, matches, overlaps } from '../glob.ts'
import type { Policy, World } from '../policy.ts'
import type { Question } from '../simulate/decision.ts'
import { decidingOperands } from '../simulate/why.ts'
import { typeAndName } from '../urn/resource.ts'
import { inResourceGroup, isOpenGroup, resourceGroupOf } from '../world.ts'
import { ActionsByType, type RequestContext } from './described.ts'
import { identitiesMatching, resourcesMatching } from './described-access.ts'
import { allOf, always, anyOf, type Formula, formulaOf, isMember, settled, until } from './formula.ts'
import { Judge, truthFor } from './known.ts'
import { permissionsOf } from './regions.ts'

/** Which policies concern an identity or a resource, and how: what they grant and deny, and whether they still apply. */
export interface Concern {
  readonly policy: Policy
  /** Its identities; for a question about an identity those that match it. */
  readonly identities: readonly string[]
  /** Its resources; for a question about a resource those that match it, or may. */
  readonly resources: readonly string[]
  readonly effects: readonly Effect[]
  /** When it applies, as far as that is not settled by what is given. */
  readonly condition: Formula
  readonly state: 'applies' | 'expired' | 'never'
  /** False: whether the resource is in one of its groups is not known. */
  readonly certain: boolean
}

/** The granted and denied actions of one permission set of a policy. */
export interface Effect {
  /** The permissions group that holds it. */
  readonly group: string | undefined
  /** False: the group is not known, and may grant or deny anything. */
  readonly isKnown: boolean
  readonly allow: readonly Glob[]
  readonly except: readonly Glob[]
  readonly deny: readonly Glob[]
}

/** An identity with its groups, a resource, a pattern over either, or a resource group. */
export type Subject = { readonly kind: 'identity' | 'resource' | 'resourceGroup'; readonly urn: string }

export interface ConcernOptions {
  readonly actions: ActionsByType
  readonly given?: RequestContext
  /** From when on it counts whether a policy has expired. */
  readonly from: number
  /** The instants that count; all when not given. */
  readonly time?: Formula
}

/** The policies that allowed something until they expired: to an identity, on a resource where one is named. */
export function expiredConcerns(
  world: World,
  urn: string,
  resource: string | undefined,
  catalogue: Catalogue,
  from: number,
): readonly Concern[] {
  const isOn = ({ policy }: Concern) =>
    resource === undefined ||
    policy.resources.some(({ value }) =>
      value.kind === 'resource' ? overlaps(value.glob, glob(resource)) : inResourceGroup(world, value, resource),
    )
  return concerning(world, { kind: 'identity', urn }, { actions: new ActionsByType(catalogue), from }).filter(
    (concern) => concern.state === 'expired' && concern.effects.some(({ isKnown, allow }) => !isKnown || allow.length > 0) && isOn(concern),
  )
}

/** The effect of a policy on the subject by the lists that are known, a denial first. */
export function effectOf({ effects }: Concern): 'denies' | 'grants' | 'neither' {
  if (effects.some(({ deny, isKnown }) => isKnown && deny.length > 0)) return 'denies'
  return effects.length > 0 ? 'grants' : 'neither'
}

/** Whether it denies or grants something whenever its condition holds: not only by a group of which not all is known. */
export function isCertain(concern: Concern): boolean {
  const list = effectOf(concern) === 'denies' ? 'deny' : 'allow'
  return concern.certain && concern.effects.some((effect) => effect.isKnown && effect[list].length > 0)
}

/** The comparisons for which a policy never applies: those of the time only where nothing else is the reason; and the resource, if it is one. */
export function unmetOperands(
  { policy, state }: Concern,
  subject: Subject,
  world: World,
  { at, from, ip }: { readonly at: number | undefined; readonly from: number; readonly ip?: Question['ip'] | undefined },
) {
  const resource = subject.kind === 'resource' && !subject.urn.includes('*') ? subject.urn : undefined
  if (state !== 'never') return { operands: [], resource }
  const question = { identity: '', groups: [], action: '', resource: resource ?? '', at: at ?? from, ...(ip && { ip }) }
  const failing = decidingOperands(policy, world, question).filter(
    ({ leaf, holds, isExcluded }) =>
      holds === isExcluded && leaf.kind === 'match' && (resource !== undefined || leaf.test.subject.kind === 'ip' || isOfTime(leaf.test)),
  )
  const others = failing.filter(({ leaf }) => at !== undefined || leaf.kind !== 'match' || !isOfTime(leaf.test))
  return { operands: others.length > 0 ? others : failing, resource }
}

/** The policies that are about a subject, in the order of the world. */
export function concerning(world: World, subject: Subject, { actions, given = {}, from, time }: ConcernOptions): readonly Concern[] {
  const judge = new Judge(time)
  const type = subject.kind === 'resource' ? typeAndName(subject.urn).type : '*'
  const about = type.includes('*') ? [] : actions.of(type)
  const asked = askedOf(subject, world)
  return world.policies.flatMap((policy): Concern[] => {
    const matched = matchedBy(policy, asked, world)
    if (!matched) return []
    const { identities, resources, membership } = matched
    const facts = { ...given, groups: [] }
    const resource = subject.kind === 'resource' && !subject.urn.includes('*') ? subject.urn : undefined
    const undecided = policy.condition
      ? settled(formulaOf(policy.condition), (test) =>
          resource !== undefined || test.subject.kind === 'ip' || isOfTime(test) ? truthFor(test, resource ?? '', world, facts) : undefined,
        )
      : always
    const expiry: Formula = policy.expiresAt && given.at === undefined ? until(policy.expiresAt.value) : always
    const condition = allOf([membership, undecided, expiry])
    const isExpired = policy.expiresAt !== undefined && (given.at ?? from) > policy.expiresAt.value
    return [
      {
        policy,
        identities,
        resources,
        effects: effectsOf(policy, world, about),
        condition,
        state: isExpired ? 'expired' : judge.certainty(condition) === 'never' ? 'never' : 'applies',
        certain: membership === always,
      },
    ]
  })
}

/** The compared names of a subject: itself, and of identities the groups, of resources the described ones. */
interface Asked {
  readonly kind: Subject['kind']
  readonly pattern: Glob
  readonly groups: readonly string[]
  readonly resources: readonly string[]
}

function askedOf({ kind, urn }: Subject, world: World): Asked {
  const pattern = glob(urn)
  const all = (matching: (world: World, pattern: Glob) => readonly string[]) => (isPattern(pattern) ? matching(world, pattern) : [urn])
  const groups = kind === 'identity' ? all(identitiesMatching).flatMap((each) => world.identities.get(each)?.groups ?? []) : []
  return { kind, pattern, groups: [...new Set(groups)], resources: kind === 'resource' ? all(resourcesMatching) : [] }
}

function matchedBy(
  policy: Policy,
  { kind, pattern, groups, resources }: Asked,
  world: World,
): (Pick<Concern, 'identities' | 'resources'> & { readonly membership: Formula }) | undefined {
  const texts = (list: readonly { readonly value: { readonly text: string } }[]) => list.map(({ value }) => value.text)
  if (kind === 'identity') {
    const matchingIdentities = policy.identities.filter(
      ({ value }) => overlaps(value.glob, pattern) || groups.some((group) => matches(value.glob, group)),
    )
    return matchingIdentities.length === 0
      ? undefined
      : { identities: texts(matchingIdentities), resources: texts(policy.resources), membership: always }
  }
  const truths = policy.resources.map(({ value }) => {
    if (kind === 'resourceGroup') return value.kind !== 'resource' && overlaps(value.glob, pattern)
    if (value.kind === 'resource') return overlaps(value.glob, pattern)
    return resources.some((each) => inResourceGroup(world, value, each)) || (isOpenGroup(world, value) ? undefined : false)
  })
  const relevant = policy.resources.filter((_, i) => truths[i] !== false)
  if (relevant.length === 0) return undefined
  const membership = truths.includes(true)
    ? always
    : anyOf(relevant.map(({ value }) => isMember(value.text, resourceGroupOf(world, value.text)?.name)))
  return { identities: texts(policy.identities), resources: texts(relevant), membership }
}

/** The permission sets with the entries that may be about some actions; with all entries where none are known. */
function effectsOf(policy: Policy, world: World, about: readonly string[]): readonly Effect[] {
  const isAbout = (pattern: Glob) => about.length === 0 || about.some((action) => matches(pattern, action))
  return permissionsOf(policy, world).flatMap(({ set, group, isKnown }): Effect[] => {
    const [allow, except, deny] = [set.allow, set.except, set.deny].map((list) => list.map(({ value }) => value).filter(isAbout)) as [
      Glob[],
      Glob[],
      Glob[],
    ]
    return allow.length + deny.length === 0 ? [] : [{ group, isKnown, allow, except: allow.length > 0 ? except : [], deny }]
  })
}
