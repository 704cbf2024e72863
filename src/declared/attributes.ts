import type { ListName } from '../policy.ts'

/** How tools name the parts of a record: the attributes of a Terraform provider in snake case, the same in camel case, and plurals. */

export type Kind = 'policy' | 'permissionsGroup' | 'resourceGroup'

/** The lists of a world document, with what each holds. */
export const worldLists: readonly (readonly [list: string, kind: Kind])[] = [
  ['policies', 'policy'],
  ['permissionsGroups', 'permissionsGroup'],
  ['resourceGroups', 'resourceGroup'],
]

/** How the value of an attribute becomes a field of the record. */
export interface Field {
  /** The field of the record; the lists of actions are under `permissions`. */
  readonly to: ListName | 'name' | 'description' | 'identities' | 'resources' | 'permissionsGroups' | 'conditions' | 'expiredAt'
  /** The type: a string, a list of strings, or a condition. */
  readonly holds: 'text' | 'texts' | 'condition'
  /** The field of each item, where the items of the record are objects. */
  readonly key?: 'urn' | 'action'
  readonly isRequired?: true
  /** Other words for it; the first word of the table is that of Terraform. */
  readonly also?: readonly string[]
}

const name: Field = { to: 'name', holds: 'text', isRequired: true }
const description: Field = { to: 'description', holds: 'text' }
const permissions: Readonly<Record<string, Field>> = {
  allow: { to: 'allow', holds: 'texts', key: 'action', also: ['allows'] },
  except: { to: 'except', holds: 'texts', key: 'action', also: ['excepts'] },
  deny: { to: 'deny', holds: 'texts', key: 'action', also: ['denies'] },
}

/** The attributes of each kind, by their names in Terraform. */
export const attributes: Readonly<Record<Kind, Readonly<Record<string, Field>>>> = {
  policy: {
    name,
    description,
    identities: { to: 'identities', holds: 'texts', isRequired: true },
    resources: { to: 'resources', holds: 'texts', key: 'urn', isRequired: true },
    ...permissions,
    permissions_groups: { to: 'permissionsGroups', holds: 'texts', key: 'urn', also: ['permissionsGroups'] },
    conditions: { to: 'conditions', holds: 'condition' },
    expired_at: { to: 'expiredAt', holds: 'text', also: ['expiredAt'] },
  },
  permissionsGroup: { name, description, ...permissions },
  resourceGroup: { name, resources: { to: 'resources', holds: 'texts', key: 'urn' } },
}

/** Attributes that the service sets and users do not write; in Terraform's spelling and in camel case. */
export const computedAttributes: ReadonlySet<string> = new Set(
  'id urn owner created_at updated_at read_only createdAt updatedAt readOnly'.split(' '),
)

/** The field of an attribute, in any spelling; undefined where it is none. */
export function fieldOf(kind: Kind, attribute: string): Field | undefined {
  return spellings[kind].get(attribute)
}

export function wordsOf(kind: Kind): readonly string[] {
  return [...spellings[kind].keys()]
}

function spelt(fields: Readonly<Record<string, Field>>): ReadonlyMap<string, Field> {
  return new Map(Object.entries(fields).flatMap(([word, field]) => [word, ...(field.also ?? [])].map((each) => [each, field] as const)))
}

const spellings: Readonly<Record<Kind, ReadonlyMap<string, Field>>> = {
  policy: spelt(attributes.policy),
  permissionsGroup: spelt(attributes.permissionsGroup),
  resourceGroup: spelt(attributes.resourceGroup),
}

/** The last part of the types of Terraform, behind `<brand>_iam_`. */
export const terraformTypes: Readonly<Record<string, Kind>> = {
  policy: 'policy',
  permissions_group: 'permissionsGroup',
  resource_group: 'resourceGroup',
}

const typeNames: Readonly<Record<string, Kind>> = {
  Policy: 'policy',
  PermissionsGroup: 'permissionsGroup',
  ResourceGroup: 'resourceGroup',
}

/** The kind of a Terraform resource type: `svc_iam_policy` with the prefix `svc`. Undefined for all others. */
export function kindOfTerraform(type: string, prefix: string): Kind | undefined {
  const head = `${prefix}_iam_`
  return type.startsWith(head) ? ownValue(terraformTypes, type.slice(head.length)) : undefined
}

/** The kind of a Pulumi type: `svc:Iam/policy:Policy`, or in short `svc:Iam:Policy`. */
export function kindOfPulumi(type: string, brand: string): Kind | undefined {
  const [pkg, module, name, ...rest] = type.split(':')
  if (pkg !== brand || name === undefined || rest.length > 0) return undefined
  return /^iam(\/|$)/i.test(module ?? '') ? ownValue(typeNames, name) : undefined
}

/** Whether a group of Crossplane is one for access of this brand: `iam.<…>.<brand>.<…>`, with a version. */
export function isCrossplaneGroup(apiVersion: string, brand: string): boolean {
  const [group = '', version] = apiVersion.split('/')
  const labels = group.split('.')
  return version !== undefined && labels[0] === 'iam' && labels.includes(brand)
}

/** The kind of a Crossplane manifest by its name: `IAMPolicy`, as generated providers call it, or `Policy`. */
export function kindOfCrossplane(kind: string): Kind | undefined {
  return ownValue(typeNames, kind.replace(/^IAM(?=[A-Z])/i, ''))
}

export function ownValue<T>(table: Readonly<Record<string, T>>, word: string): T | undefined {
  return Object.hasOwn(table, word) ? table[word] : undefined
}

/** Types that put users into groups, without the prefix: the attributes with the names of groups. */
const groupAttributes: Readonly<Record<string, readonly string[]>> = {
  me_identity_user: ['group', 'groups'],
  me_identity_group_membership: ['group'],
}

/** The attributes with the groups of a user; undefined for resources of a type that puts no user into any. */
export function groupAttributesOf(type: string, prefix: string): readonly string[] | undefined {
  return type.startsWith(`${prefix}_`) ? ownValue(groupAttributes, type.slice(prefix.length + 1)) : undefined
}
