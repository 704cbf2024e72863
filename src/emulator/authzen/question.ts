import { readAddress } from '../../conditions/address.ts'
import { readInstant } from '../../conditions/time.ts'
import { glob, overlaps } from '../../glob.ts'
import type { World } from '../../policy.ts'
import type { Decision, Problem, Question } from '../../simulate/decision.ts'
import { readGroup, readQuestion, withKnownTags } from '../../simulate/question.ts'
import { type IdentityKind, identityKinds, printIdentity, readIdentity } from '../../urn/identity.ts'
import { printResource, readResource } from '../../urn/resource.ts'
import type { Service } from '../model/service.ts'
import { type Entity, type Evaluation, type Fallible, isObject, type NamedAction, type Properties } from './request.ts'

/** The account whose policies decide, with its region, its world, and the decisions in it. */
export interface Place {
  readonly account: string
  readonly region: string
  readonly world: World
  readonly decide: (question: Question) => Decision
}

/**
 * The account whose policies decide about a subject: its property `account`, else that of its URN, else the first one. The world of an
 * account that is not known is made each time that it is asked for: questions of one request take theirs from here.
 */
export function placeOf(service: Service, subject: Entity, placesByAccount: Map<string, Place>): Place {
  const accounts = service.state.table('account')
  const account = accountOf(subject) ?? [...accounts.all()][0]?.id ?? ''
  const cached = placesByAccount.get(account)
  if (cached) return cached
  const { world, decide } = service.worldOf(account)
  const place = { account, region: accounts.get(account)?.region ?? 'eu', world, decide }
  placesByAccount.set(account, place)
  return place
}

/** The account that a subject names. */
function accountOf({ id, properties: { account } }: Entity): string | undefined {
  if (typeof account === 'string') return account
  return id.startsWith('urn:') ? readIdentity(id, { pattern: false }).value?.account : undefined
}

/** The question that an evaluation asks (docs/authzen.md, Names). */
export function questionOf(service: Service, place: Place, { subject, action, resource, context }: Evaluation): Fallible<Question> {
  const identity = identityOf(subject, place)
  if (identity.fault !== undefined) return identity
  const urn = resourceOf(resource, place)
  if (urn.fault !== undefined) return urn
  const facts = factsOf(service, place, subject, resource, context)
  if (facts.fault !== undefined) return facts
  const { settings } = service
  const name = actionOf(action, resource, place, settings.brand)
  const { question, problems } = readQuestion(identity.value, name, urn.value, facts.value, settings)
  if (!question) return { fault: problems.map(inWords).join('; ') }
  return { value: withKnownTags(question, place.world) }
}

function inWords({ message, help }: Problem): string {
  return help === undefined ? message : `${message} (${help})`
}

/** An identity: its URN, or the name of one of the account. */
export function identityOf({ type, id }: Entity, { account, region }: Place): Fallible<string> {
  const kind = identityKinds.find((each) => each === type)
  if (kind === undefined)
    return { fault: `\`subject.type\` \`${type}\`: expected ${identityKinds.map((each) => `\`${each}\``).join(', ')}` }
  if (!id.startsWith('urn:')) return { value: urnOf(kind, id, account, region) }
  const written = readIdentity(id, { pattern: false }).value
  return written && written.kind !== kind
    ? { fault: `\`subject.id\` is a ${written.kind}, and \`subject.type\` says \`${type}\`` }
    : { value: id }
}

function urnOf(kind: IdentityKind, name: string, account: string, region: string): string {
  return kind === 'account' ? printIdentity({ region, kind, account: name, name: '' }) : printIdentity({ region, kind, account, name })
}

/** A resource: its URN, or a name with its type. */
export function resourceOf({ type, id }: Entity, { region }: Place): Fallible<string> {
  if (!id.startsWith('urn:')) return { value: printResource({ region, type, name: id }) }
  const written = readResource(id, { pattern: false }).value
  return written && written.type !== type
    ? { fault: `\`resource.id\` is a ${written.type}, and \`resource.type\` says \`${type}\`` }
    : { value: id }
}

/**
 * An action: its name, or a short one of the product that is named like the type of the resource. Its properties become the parameter
 * where a policy names the action with one.
 */
export function actionOf({ name, properties }: NamedAction, { type }: Pick<Entity, 'type'>, { world }: Place, brand: string): string {
  const whole = name.includes(':') ? name : `${shortPrefix(type, brand)}${name}`
  const parameter = scalars(properties)
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join('&')
  return parameter !== '' && namesParameter(world, whole) ? `${whole}?${parameter}` : whole
}

/** The beginning of actions that have a short name for a type of resources. */
export const shortPrefix = (type: string, brand: string) => `${type}:api${brand}:`

/** Whether an entry is about an action with some parameter: of a policy, or of a permissions group. */
function namesParameter({ policies, permissionsGroups }: World, action: string): boolean {
  const withAny = glob(`${action}?*`)
  return [...policies, ...permissionsGroups.values()].some(({ permissions: { allow, except, deny } }) =>
    [...allow, ...except, ...deny].some(({ value }) => value.text.includes('?') && overlaps(value, withAny)),
  )
}

/** The facts of a question: the groups of the subject, the tags of the resource, address and time. */
function factsOf(
  service: Service,
  { account, region }: Place,
  subject: Entity,
  resource: Entity,
  context: Properties,
): Fallible<Parameters<typeof readQuestion>[3]> {
  const groups = groupNames(subject.properties).map((name) => (name.startsWith('urn:') ? name : urnOf('group', name, account, region)))
  // Policies name users and groups alike: the URN of a user here would give the rights of that user.
  const [wrong] = groups.flatMap((group) => readGroup(group).problems)
  if (wrong) return { fault: inWords(wrong) }
  const { ip: ipText, time } = context
  const ip = typeof ipText === 'string' ? readAddress(ipText) : undefined
  if (ipText !== undefined && ip === undefined) return { fault: '`context.ip` is not an IP address' }
  const instant = typeof time === 'string' ? readInstant(withSeconds(time)) : undefined
  if (time !== undefined && instant === undefined) return { fault: '`context.time` is not an RFC 3339 date and time' }
  const tags = tagsOf(resource.properties)
  return {
    value: { at: instant ?? service.ports.clock.now(), groups, ...(ip && { ip }), ...(tags.size > 0 && { tags }) },
  }
}

/** The groups of a subject: `groups`, and its roles, which are groups here. */
function groupNames({ groups, roles, role }: Properties): readonly string[] {
  const names = [groups, roles, role].flat().filter((each): each is string => typeof each === 'string' && each !== '')
  return [...new Set(names)]
}

/** The tags of a resource: `tags`, and each other property that is a string, a number or a boolean. */
function tagsOf({ tags, ...others }: Properties): ReadonlyMap<string, string> {
  return new Map([...scalars(others), ...(isObject(tags) ? scalars(tags) : [])])
}

function scalars(properties: Properties): readonly (readonly [string, string])[] {
  return Object.entries(properties).flatMap(([key, value]) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [[key, String(value)] as const] : [],
  )
}

/** A time without seconds, as the examples of the interface have it. */
function withSeconds(text: string): string {
  return text.replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d)(Z|[+-]\d\d:\d\d)$/i, '$1:00$2')
}
