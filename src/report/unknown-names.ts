import { partsOfAction } from '../actions/action.ts'
import type { Catalogue } from '../actions/catalogue.ts'
import { cannotServe, servedTypes } from '../actions/serves.ts'
import { isSlipForAction } from '../actions/suggest.ts'
import { glob, isPattern, matches } from '../glob.ts'
import { isSlip, nearest } from '../nearest.ts'
import type { World } from '../policy.ts'
import type { Question } from '../simulate/decision.ts'
import { nearestIdentity, type ShortNames } from '../simulate/short-names.ts'
import { type IdentityUrn, readIdentity } from '../urn/identity.ts'
import { readResourceGroup, typeAndName } from '../urn/resource.ts'
import { groupsNamed } from '../world.ts'
import { Names } from './names.ts'
import { shown } from './safe.ts'
import { firstFew } from './words.ts'

/** The names in a question, each one name or a pattern. */
export type AskedNames = Partial<Pick<Question, 'identity' | 'groups' | 'action' | 'resource' | 'owner'>>

interface KnownNames {
  /** Without it, actions and types are not compared. */
  readonly catalogue?: Catalogue
  readonly brand: string
  /** Those of a world. Identities and groups are compared with them where it describes some. */
  readonly names?: ShortNames
  /** An entry decided the answer, so that only a certain typo is noted. */
  readonly isDecided?: boolean
}

/** A doubt about one name: that it is not known, which one it may be meant for, and whether it is certainly a typo. */
interface Unknown {
  readonly message: string
  readonly near?: string | undefined
  readonly isSlip: boolean
  /** Another explanation than a typo, if nothing is near; false where the message says all. */
  readonly otherwise?: string | false
}

/**
 * The names in a question that neither the world nor the catalogue knows, each in a sentence: a typo is denied like anything that nothing
 * grants. The catalogue is dated and an inventory may be partial, so this is never more than a note; what they cannot know (actions in
 * other namespaces than the API's own, types that only a product's name gives) is not judged.
 */
export function unknownNames(asked: AskedNames, { catalogue, brand, names, isDecided }: KnownNames): readonly string[] {
  const { identity, groups = [], action, resource, owner } = asked
  const world = names?.world
  const possible = [
    ...(names && world && world.identities.size > 0
      ? unknownIdentities(identity, groups, world, names.identities).filter((each) => each?.near !== undefined || hasInventory(world))
      : []),
    catalogue && action && unknownAction(action, catalogue, brand, world),
    catalogue && resource && unknownType(resource, catalogue, world),
    world && resource && unknownGroup(resource, world),
    names && owner !== undefined && unknownOwner(owner, names),
    catalogue && action && resource && unfit(action, resource, catalogue, brand),
  ]
  return possible.flatMap((each) => {
    if (!each || (isDecided && !each.isSlip)) return []
    const { message, near, otherwise = '' } = each
    return otherwise === false ? [message] : [`${message}: ${near === undefined ? `it may be a typo${otherwise}` : meant(near)}`]
  })
}

/** Whether identities are described by more than configurations, which describe those that they make and no others. */
const hasInventory = ({ identities }: World) => [...identities.values()].some(({ places }) => !places)
const meant = (near: string) => `did you mean \`${near}\`?`
const mayBeNewer = ', or newer than the catalogue'
const undescribed = 'is neither described nor named in a policy'
const isNear = (text: string, near: string | undefined) => near !== undefined && isSlip(text, near)

/** An action that the catalogue does not know, whatever is decided of it, unless a policy names this very action. */
function unknownAction(text: string, catalogue: Catalogue, brand: string, world: World | undefined): Unknown | undefined {
  const { product, namespace, path } = partsOfAction(text)
  const isOne = !text.includes('*')
  const written = isOne ? `${product}:${namespace}:${path}` : text
  if (isOne ? catalogue.has(written) : catalogue.expand(glob(written)).length > 0) return undefined
  const suggestion = catalogue.nearestAction(written) ?? nearestVerb(written, catalogue)
  const [, of = '', ...paths] = written.split(':')
  // A wildcard may stand for the namespace too.
  const isOwn = of === `api${brand}` || of.includes('*') || paths.length === 0
  if (!isOwn && !(suggestion !== undefined && of.startsWith('api'))) return undefined
  const isWritten = world?.policies.some(({ permissions: { allow, deny } }) => [...allow, ...deny].some(({ value }) => value.text === text))
  return {
    message: `${isOne ? `the action \`${written}\` is not` : `\`${written}\` matches no action`} in the catalogue of ${catalogue.seen}`,
    near: suggestion,
    isSlip: (suggestion !== undefined && isSlipForAction(written, suggestion)) || (isOne && isWritten === false),
    otherwise: mayBeNewer,
  }
}

/** An action of a product on a resource that the product does not serve: no call asks for it, whatever policies say. */
function unfit(action: string, resource: string, catalogue: Catalogue, brand: string): Unknown | undefined {
  const { product, namespace } = partsOfAction(action)
  const [, , , kind, type = ''] = resource.split(':')
  if (action.includes('*') || namespace !== `api${brand}` || kind !== 'resource' || product === 'account') return undefined
  if (!cannotServe(product, type, catalogue, () => servedTypes(catalogue))) return undefined
  const others = firstFew(catalogue.typesOf(product), 3)
  const message = `actions of \`${product}\` apply to ${others}, not to ${type}: no known call asks for \`${action}\` there`
  return { message, isSlip: true, otherwise: false }
}

/** Of an action of any product, such as `*:terminat`, the last word that was probably intended. */
function nearestVerb(text: string, catalogue: Catalogue): string | undefined {
  const [, start, verb] = /^(\*[:/])([\w.-]+)$/.exec(text) ?? []
  if (start === undefined || verb === undefined) return undefined
  const closest = nearest(verb, new Set(catalogue.expand(glob('*')).map(idOf)))
  return closest && `${start}${closest}`
}

function unknownType(resource: string, catalogue: Catalogue, world: World | undefined): Unknown | undefined {
  const [, , , kind, type = ''] = resource.split(':')
  if (kind !== 'resource' || type.includes('*') || catalogue.types.includes(type) || world?.resources.has(resource)) return undefined
  if (catalogue.products.includes(type) && catalogue.typesOf(type).length === 0) return undefined
  const closest = catalogue.nearestType(type)
  const message = `the resource type \`${type}\` is not in the catalogue of ${catalogue.seen}`
  return { message, near: closest, isSlip: isNear(type, closest), otherwise: mayBeNewer }
}

function unknownGroup(resource: string, world: World): Unknown | undefined {
  const { resourceGroups, policies } = world
  const read = readResourceGroup(resource, { pattern: false }).value
  if (!read || resourceGroups.size === 0 || groupsNamed(world, read).length > 0) return undefined
  const named = policies.flatMap(({ resources }) => resources.flatMap(({ value }) => (value.kind === 'group' ? [value] : [])))
  if (named.some((value) => matches(value.glob, resource))) return undefined
  const written = [...resourceGroups.keys(), ...named.flatMap(({ text, glob }) => (isPattern(glob) ? [] : [text]))]
  const byId = new Map(written.map((urn) => [idOf(urn), urn]))
  const nearestGroup = byId.get(nearest(idOf(resource), byId.keys()) ?? '')
  return { message: `the resource group \`${resource}\` ${undescribed}`, near: nearestGroup, isSlip: nearestGroup !== undefined }
}

/** A resource that neither the world nor a policy names, as a path of the API may: where resources are described, it may be a typo. */
export function unknownResource(resource: string, names: ShortNames): readonly string[] {
  const { world } = names
  const knownResources = world && world.resources.size > 0 ? [...names.all('resource')] : []
  if (!world || knownResources.length === 0 || knownResources.includes(resource)) return []
  const { type, name } = typeAndName(resource)
  const alike = knownResources.filter((urn) => urn.startsWith('urn:')).map(typeAndName)
  const ofType = alike.flatMap((each) => (each.type === type ? [each.name] : []))
  const suggestion = nearest(name, ofType)
  const hint = suggestion === undefined ? 'it may be a typo' : meant(`${type}:${suggestion}`)
  return [`the resource \`${new Names([world]).resource(resource)}\` ${undescribed}: ${hint}`]
}

const idOf = (urn: string) => /[^:/]*$/.exec(urn)?.[0] ?? urn

function unknownOwner(owner: string, { world, identities }: ShortNames): Unknown | undefined {
  const named = [...identities].map((urn) => readIdentity(urn, { pattern: false }).value?.account)
  const owners = [...(world?.resources.values() ?? [])].map((resource) => resource.owner)
  const accounts = new Set([world?.account, ...named, ...owners].flatMap((account) => account ?? []))
  if (accounts.size === 0 || accounts.has(owner)) return undefined
  const closest = nearest(owner, accounts)
  return { message: `the account \`${owner}\` ${undescribed}`, near: closest, isSlip: isNear(owner, closest) }
}

function unknownIdentities(identity: string | undefined, groups: readonly string[], world: World, urns: ReadonlySet<string>) {
  const names = new Names([world])
  const asked = [...(identity ? [['identity', identity] as const] : []), ...groups.map((urn) => ['group', urn] as const)]
  return asked.flatMap(([what, urn]): readonly Unknown[] => {
    const read = readIdentity(urn, { pattern: true }).value
    if (!read || urns.has(urn) || isNamed(read, world)) return []
    if (isPattern(read.glob) && [...urns].some((each) => matches(read.glob, each))) return []
    const nearestUrn = nearestIdentity(read, urns)
    const message = `the ${what} \`${names.identity(urn)}\` ${undescribed}`
    const path = ({ account, name }: IdentityUrn) => `${account}/${name}`
    return [{ message, near: nearestUrn && names.identity(nearestUrn.text), isSlip: isNear(path(read), nearestUrn && path(nearestUrn)) }]
  })
}

/** Whether it is an account that the world knows, or a pattern that names more than a kind and an account covers it. */
const isNamed = ({ kind, text, account }: IdentityUrn, { account: ownAccount, policies }: World) =>
  (kind === 'account' && account === ownAccount) ||
  policies.some(({ identities }) =>
    identities.some(
      ({ value }) => isPattern(value.glob) && /[^*]/.test(value.name) && value.account !== undefined && matches(value.glob, text),
    ),
  )

export const notesText = (notes: readonly string[]): string =>
  notes.length === 0 ? '' : `${notes.map((note) => `note: ${shown(note)}\n`).join('')}\n`
