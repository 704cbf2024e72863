import { readForbidden } from '../../calls/forbidden.ts'
import { readWire } from '../../parser/json.ts'
import type { Fields, Value } from '../../propose/sync.ts'
import { sourceOf } from '../../source.ts'
import { Refusal } from '../app/refusal.ts'
import type { Client, Forbidden } from './api-client.ts'

/** The parts of a world file that come from the service. */
export const worldKeys = ['account', 'permissionsGroups', 'resourceGroups', 'resources'] as const
export type WorldKey = (typeof worldKeys)[number]

/** A policy as the service has it, in the fields that a file has. */
export interface RemotePolicy {
  /** Its key when its name changes: its id, or its name where the service gives none. */
  readonly key: string
  readonly name: string
  readonly fields: Fields
}

/** All that was read of an account. */
export interface Account {
  /** In the order in which the service gives them. */
  readonly policies: readonly RemotePolicy[]
  /** The content of the world file. A missing key was skipped, or is unknown. */
  readonly world: Readonly<Partial<Record<WorldKey, Value>>>
  /** Skipped parts, in sentences. */
  readonly notes: readonly string[]
}

export interface AccountSettings {
  /** Leave out what may not be read, and fields that are not understood. */
  readonly isPartial: boolean
  /** The account, where it is given. */
  readonly account: string | undefined
  readonly clientId: string
  readonly brand: string
}

/**
 * The lists of the service. The actions that reading them needs are in the catalogue.
 */
const routes = [
  { key: 'policies', path: '/v2/iam/policy', action: 'iam/policy/get' },
  { key: 'permissionsGroups', path: '/v2/iam/permissionsGroup', action: 'iam/permissionsGroup/get' },
  { key: 'resourceGroups', path: '/v2/iam/resourceGroup', action: 'iam/resourceGroup/get' },
  { key: 'resources', path: '/v2/iam/resource', action: undefined },
] as const

/** Where a part of an account is read. */
export function pathOf(key: 'policies' | WorldKey): string {
  return routes.find((route) => route.key === key)?.path ?? ''
}

/** The name of an item of a list in a message, for any form of its fields. */
export function itemName(key: 'policies' | WorldKey, { urn, id, name }: Fields): string {
  const isText = (value: Value | undefined) => typeof value === 'string' || typeof value === 'number'
  const label = `\`${String((key === 'policies' ? [name, id] : [urn, id, name]).find(isText) ?? '?')}\``
  return `GET ${pathOf(key)}: ${key === 'policies' ? 'the policy ' : ''}${label}`
}

/** Refuse another type for what identifies items and owners: it is not written to a file, whose reader would check it. */
function refuseNaming(key: 'policies' | WorldKey, item: Fields): void {
  for (const field of ['id', 'urn', 'owner'] as const) {
    const value = item[field] ?? null
    if (value === null || typeof value === 'string') continue
    const actual = Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `\`${String(value)}\``
    throw new Refusal(`${itemName(key, item)} has not the form of one: \`${field}\`: expected a text, found ${actual}: nothing is written`)
  }
}

/** The required field of a group: one whose members are not given is not one without members. */
const groupFields: Readonly<Partial<Record<'policies' | WorldKey, string>>> = {
  permissionsGroups: 'permissions',
  resourceGroups: 'resources',
}

function refuseHollow(key: 'policies' | WorldKey, item: Fields): void {
  const field = groupFields[key]
  if (field !== undefined && (item[field] ?? null) === null)
    throw new Refusal(`${itemName(key, item)} has not the form of one: \`${field}\` is missing: nothing is written`)
}

/** Read all of an account. Throws a refusal where a part cannot be had. */
export async function readAccount(client: Client, settings: AccountSettings): Promise<Account> {
  const notes: string[] = []
  const lists = new Map<string, readonly Fields[]>()
  const refused: { message: string; help: string }[] = []
  for (const { key, path, action } of routes) {
    const answer = await client.list(path)
    if ('forbidden' in answer) {
      const reason = forbiddenReason(path, action, answer, settings)
      if (settings.isPartial && key !== 'policies') notes.push(`${reason.message}: \`${key}\` is skipped`)
      else refused.push(reason)
      continue
    }
    for (const item of answer) {
      if (!isFields(item as Value)) throw new Refusal(`GET ${path}: an item of the list is not an object`)
      refuseNaming(key, item as Fields)
      refuseHollow(key, item as Fields)
    }
    lists.set(key, answer as readonly Fields[])
  }
  const [first, ...others] = refused
  if (first) throw new Refusal(first.message, first.help, others)

  const strange = new Set<string>()
  const picked = (key: string, shape: Shape) => lists.get(key)?.map((item) => pick(item, shape, key, strange) as Fields)
  const policies = policiesOf(lists.get('policies') ?? [], strange)
  const resources = picked('resources', resourceShape)
  const urns = new Map(
    (lists.get('resources') ?? []).flatMap(({ id, urn }) => (typeof id === 'string' && typeof urn === 'string' ? [[id, urn]] : [])),
  )
  const permissionsGroups = picked('permissionsGroups', permissionsGroupShape)?.map(tidyGroup)
  const resourceGroups = picked('resourceGroups', resourceGroupShape)?.map((group) => tidyMembers(group, urns))
  if (strange.size > 0) {
    const named = [...strange].map((path) => `\`${path}\``).join(', ')
    if (!settings.isPartial)
      throw new Refusal(
        `the service returned fields that are not understood: ${named}; it might deny something`,
        'check for a newer version of grantwise; `--partial` skips it',
      )
    notes.push(`not understood and skipped: ${named}`)
  }
  const account = settings.account ?? ownerOf(lists)
  if (account === undefined) notes.push('the account id cannot be determined: specify it with `--account`')
  return {
    policies,
    world: {
      ...(account !== undefined && { account }),
      ...(permissionsGroups && { permissionsGroups }),
      ...(resourceGroups && { resourceGroups }),
      ...(resources && { resources }),
    },
    notes,
  }
}

function forbiddenReason(
  path: string,
  action: string | undefined,
  { forbidden }: Forbidden,
  { brand, clientId, isPartial }: AccountSettings,
) {
  const [body] = readWire(sourceOf('', forbidden, 'json')).documents
  const named = (body && readForbidden(body, brand).forbidden?.actions) ?? []
  const needed = named.length > 0 ? named : action === undefined ? [] : [`account:api${brand}:${action}`]
  const what = needed.length > 0 ? `allow ${needed.map((name) => `\`${name}\``).join(' and ')} on the account` : 'allow it'
  return {
    message: `GET ${path}: the service account may not read it (403)`,
    help: `${what} for \`oauth2-${clientId}\` in a policy${isPartial || path === routes[0].path ? '' : ', or skip it with `--partial`'}`,
  }
}

function policiesOf(items: readonly Fields[], strange: Set<string>): readonly RemotePolicy[] {
  const keys = new Set<string>()
  return items.map((item) => {
    const { id, name } = item
    if (typeof name !== 'string') throw new Refusal(`GET ${routes[0].path}: a policy without a name`)
    const key = typeof id === 'string' ? `id:${id}` : `name:${name}`
    if (keys.has(key))
      throw new Refusal(
        `GET ${routes[0].path}: the policy \`${name}\` is there twice, and differently`,
        'it was changed while it was read: try again',
      )
    keys.add(key)
    return { key, name, fields: tidyPolicy(pick(item, policyShape, 'policies', strange) as Fields) }
  })
}

/**
 * The one account that owns what is read; undefined where there are several, or none is named. Permissions groups do not
 * count: those that every account has are owned by the service.
 */
function ownerOf(lists: ReadonlyMap<string, readonly Fields[]>): string | undefined {
  for (const key of ['policies', 'resourceGroups', 'resources']) {
    const owners = new Set(
      (lists.get(key) ?? []).flatMap(({ owner, readOnly }) => (typeof owner === 'string' && readOnly !== true ? [owner] : [])),
    )
    if (owners.size > 0) return owners.size === 1 ? [...owners][0] : undefined
  }
  return undefined
}

// The fields that files have, and those that only the service has.

interface Shape {
  readonly keep: Readonly<Record<string, Shape | 'as it is'>>
  /** Fields that the service adds and no decision depends on; `true`: all others. */
  readonly drop: ReadonlySet<string> | true
}

const asItIs = 'as it is' as const
const words = (text: string) => new Set(text.split(' '))
const set = words('id owner readOnly createdAt updatedAt')

const actionShape: Shape = { keep: { action: asItIs }, drop: new Set() }
const permissionsShape: Shape = { keep: { allow: actionShape, except: actionShape, deny: actionShape }, drop: new Set() }
const conditionShape: Shape = {
  keep: {
    operator: asItIs,
    values: asItIs,
    get conditions() {
      return conditionShape
    },
  },
  drop: new Set(),
}
const policyShape: Shape = {
  keep: {
    name: asItIs,
    description: asItIs,
    identities: asItIs,
    resources: { keep: { urn: asItIs }, drop: words('id resource group') },
    permissions: permissionsShape,
    permissionsGroups: { keep: { urn: asItIs }, drop: words('id name description permissions owner readOnly createdAt updatedAt') },
    conditions: conditionShape,
    expiredAt: asItIs,
    readOnly: asItIs,
  },
  drop: words('id owner createdAt updatedAt'),
}
const permissionsGroupShape: Shape = {
  keep: { urn: asItIs, name: asItIs, description: asItIs, permissions: permissionsShape, readOnly: asItIs },
  drop: set,
}
const resourceGroupShape: Shape = {
  keep: { urn: asItIs, id: asItIs, name: asItIs, resources: { keep: { urn: asItIs, id: asItIs }, drop: true } },
  drop: set,
}
const resourceShape: Shape = {
  keep: { urn: asItIs, name: asItIs, displayName: asItIs, type: asItIs, owner: asItIs, tags: asItIs },
  drop: true,
}

/** The managed fields of a policy file. */
export const policyKeys: readonly string[] = Object.keys(policyShape.keep)

/** A value with the fields of its shape, without those that are null. What is neither kept nor dropped is added to `strange`. */
function pick(value: Value, shape: Shape | 'as it is', path: string, strange: Set<string>): Value {
  if (shape === asItIs || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return (value as readonly Value[]).map((item) => pick(item, shape, path, strange))
  const out: [string, Value][] = []
  for (const [key, part] of Object.entries(shape.keep)) {
    const picked = Object.hasOwn(value, key) ? ((value as Fields)[key] ?? null) : null
    if (picked !== null) out.push([key, pick(picked, part, `${path}.${key}`, strange)])
  }
  const { drop } = shape
  if (drop !== true)
    for (const [key, part] of Object.entries(value))
      if (part !== null && !Object.hasOwn(shape.keep, key) && !drop.has(key)) strange.add(`${path}.${key}`)
  return Object.fromEntries(out)
}

/** A policy of a file in the same form as one of the service; undefined where it holds what a policy does not. */
export function localPolicy(value: Fields): Fields | undefined {
  const strange = new Set<string>()
  const { $schema: _, ...rest } = value
  const fields = pick(rest, policyShape, '', strange) as Fields
  return strange.size > 0 ? undefined : tidyPolicy(fields)
}

/** The same for one key of a world file. */
export function localWorld(key: WorldKey, value: Value): Value {
  if (key === 'account') return value
  const shape = { permissionsGroups: permissionsGroupShape, resourceGroups: resourceGroupShape, resources: resourceShape }[key]
  const picked = pick(value, shape, key, new Set())
  if (!Array.isArray(picked)) return picked
  const tidy = {
    permissionsGroups: tidyGroup,
    resourceGroups: (group: Fields) => tidyMembers(group, new Map()),
    resources: (resource: Fields) => resource,
  }[key]
  return (picked as readonly Value[]).map((item) => (isFields(item) ? tidy(item) : item))
}

function isFields(value: Value | undefined): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isEmptyList(value: Value | undefined): boolean {
  return Array.isArray(value) && value.length === 0
}

function isEmptyMap(value: Value | undefined): boolean {
  return isFields(value) && Object.keys(value).length === 0
}

/**
 * Without empty lists, except those that every policy has. A value of another type in the place of a list or a map stays, to be
 * refused: its meaning is unknown.
 */
function tidyPolicy({ permissions, permissionsGroups, conditions, readOnly, ...rest }: Fields): Fields {
  const groups = isEmptyList(permissionsGroups) ? undefined : permissionsGroups
  const sets = tidyPermissions(permissions)
  const { name = '', description, identities, resources, expiredAt, ...others } = rest
  return {
    name,
    ...(description !== undefined && { description }),
    ...(identities !== undefined && { identities }),
    ...(resources !== undefined && { resources }),
    ...(sets !== undefined && !(groups !== undefined && isEmptyMap(sets)) && { permissions: isEmptyMap(sets) ? { allow: [] } : sets }),
    ...(groups !== undefined && { permissionsGroups: groups }),
    ...(conditions !== undefined && { conditions: tidyCondition(conditions) }),
    ...(expiredAt !== undefined && { expiredAt }),
    ...(readOnly !== undefined && readOnly !== false && { readOnly }),
    ...others,
  }
}

function tidyPermissions(value: Value | undefined): Value | undefined {
  return isFields(value) ? Object.fromEntries(Object.entries(value).filter(([, list]) => !isEmptyList(list))) : value
}

const operators = words('AND OR NOT MATCH')

/** Bounded by how deep an answer may be nested. */
function tidyCondition(value: Value): Value {
  if (Array.isArray(value)) return (value as readonly Value[]).map(tidyCondition)
  // An unreadable condition stays as it is: only its text distinguishes it from others.
  if (!isFields(value) || !operators.has(String(value.operator))) return value
  const isNothing = (key: string, part: Value) => (key === 'values' ? isEmptyMap(part) : key === 'conditions' && isEmptyList(part))
  const parts = Object.entries(value).filter(([key, part]) => !isNothing(key, part))
  return Object.fromEntries(parts.map(([key, part]) => [key, key === 'conditions' ? tidyCondition(part) : part]))
}

function tidyGroup({ readOnly, permissions, ...rest }: Fields): Fields {
  const sets = tidyPermissions(permissions)
  return { ...rest, ...(sets !== undefined && { permissions: sets }), ...(readOnly !== undefined && readOnly !== false && { readOnly }) }
}

/** A resource group whose members are named by URN where their ids are known. */
function tidyMembers({ urn, id, resources, ...rest }: Fields, urns: ReadonlyMap<string, string>): Fields {
  const members = Array.isArray(resources)
    ? (resources as readonly Value[]).map((member) => {
        if (!isFields(member)) return member
        const known = member.urn ?? (typeof member.id === 'string' ? urns.get(member.id) : undefined)
        return known === undefined ? member : { urn: known }
      })
    : (resources ?? [])
  return { ...(urn !== undefined ? { urn } : id !== undefined ? { id } : {}), ...rest, resources: members }
}
