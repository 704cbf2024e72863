import { attributes, type Field, type Kind, kindOfTerraform } from '../declared/attributes.ts'
import { levels } from '../lint/config.ts'
import { resourceWord, type Settings } from '../names.ts'
import { kindOf, listingOf } from '../parser/policy.ts'
import { rules } from '../rules/index.ts'
import { presets, type RuleOption } from '../rules/rule.ts'
import type { Notation } from '../source.ts'
import type { LooseNode } from './loose/nodes.ts'
import type { EditorFile, FieldShape, Role, Shape } from './model.ts'
import type { Part } from './parts.ts'
import { schemas } from './schemas.js'

/** The allowed values in each place of a document: by the schemas, with the meaning of each string. */

/** The part of JSON Schema that our schemas use, and editors show. */
export interface Schema {
  readonly $ref?: string
  readonly definitions?: Readonly<Record<string, Schema>>
  readonly type?: string | readonly string[]
  readonly enum?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly prefixItems?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly required?: readonly string[]
  readonly readOnly?: boolean
  readonly title?: string
  readonly description?: string
  readonly examples?: readonly unknown[]
  readonly default?: unknown
}

/** The meaning of strings, by their object and field; `@` is a free key, `*` its value. */
const roles: Readonly<Record<string, Role>> = {
  'policy.name': 'policyName',
  'policy.identities': 'identity',
  'policy.resources.urn': 'resource',
  'policy.permissionsGroups.urn': 'permissionsGroup',
  'policy.expiredAt': 'instant',
  'policy.owner': 'account',
  'actions.action': 'action',
  'condition.operator': 'conditionOperator',
  'condition.values.@': 'conditionKey',
  'condition.values.*': 'conditionValue',
  'world.account': 'account',
  'world.permissionsGroups.urn': 'permissionsGroup',
  'world.resourceGroups.urn': 'resource',
  'world.resourceGroups.id': 'resourceGroupId',
  'world.resourceGroups.resources.urn': 'resource',
  'world.resources.urn': 'resource',
  'world.resources.type': 'resourceType',
  'world.resources.owner': 'account',
  'world.resources.tags.@': 'tagKey',
  'world.resources.tags.*': 'tagValue',
  'world.identities.urn': 'identity',
  'world.identities.groups': 'group',
  'iamtest.policies': 'path',
  'iamtest.tests.identity': 'identity',
  'iamtest.tests.action': 'action',
  'iamtest.tests.resource': 'resource',
  'iamtest.tests.because': 'policyName',
  ...inEach(['iamtest.tests', 'iamtest.context', 'row'], { at: 'instant', ip: 'address', groups: 'group', owner: 'account' }),
  ...inEach(['row', 'never', 'box'], { identities: 'identity', actions: 'action', resources: 'resource' }),
  'tags.@': 'tagKey',
  'tags.*': 'tagValue',
  'config.extends': 'extends',
  'config.policies': 'path',
  'config.ignores.files': 'path',
  'config.overrides.files': 'path',
  'config.world': 'path',
  'config.catalogue': 'path',
  'config.regions': 'region',
  'config.ignores.codes': 'ruleCode',
  'config.ignores.policy': 'policyName',
  'config.ignores.until': 'day',
  'rules.@': 'ruleCode',
  'access.method': 'method',
  'access.path': 'accessPath',
}

function inEach(homes: readonly string[], own: Readonly<Record<string, Role>>): Readonly<Record<string, Role>> {
  return Object.fromEntries(homes.flatMap((home) => Object.entries(own).map(([key, role]) => [`${home}.${key}`, role])))
}

const definitions: ReadonlySet<string> = new Set([
  'policy.name',
  'world.permissionsGroups.urn',
  'world.resourceGroups.urn',
  'world.resourceGroups.id',
  'world.resources.urn',
  'world.identities.urn',
])

/** A schema with what it refers to put in, and where that is. */
interface Resolved {
  readonly schema: Schema
  /** The file of the schemas. */
  readonly file: string
  /** The name of its parts in the tables of this file. */
  readonly home: string
}

function resolved(schema: Schema, file: string, home: string): Resolved {
  const { $ref, ...ownSchema } = schema
  if ($ref !== undefined) {
    const [other = '', pointer = ''] = $ref.split('#')
    const target = other === '' ? file : other
    const steps = pointer.split('/').slice(1)
    const referenced = steps.reduce((part: unknown, key) => (part as Readonly<Record<string, unknown>>)?.[key], schemas[target]) as Schema
    const name = steps[0] === 'definitions' ? (steps[1] as string) : [target, ...steps.filter((each) => each !== 'properties')].join('.')
    const isText =
      referenced.properties === undefined && referenced.additionalProperties === undefined && referenced.items?.type === 'string'
    return resolved({ ...referenced, ...ownSchema }, target, isText ? home : name)
  }
  // `null` as an alternative does not matter.
  const object = schema.properties ? undefined : schema.anyOf?.find((each) => each.$ref !== undefined)
  return object
    ? resolved({ ...object, ...(ownSchema.description !== undefined && { description: ownSchema.description }) }, file, home)
    : { schema, file, home }
}

function holdsOf({ type, properties, additionalProperties, items, prefixItems }: Schema): Shape['holds'] {
  const types = [type ?? []].flat()
  if (properties ?? (typeof additionalProperties === 'object' || types.includes('object'))) return 'map'
  if (items ?? prefixItems ?? types.includes('array')) return 'list'
  return types.includes('boolean') ? 'flag' : types.includes('integer') || types.includes('number') ? 'number' : 'text'
}

/** A shape by a schema. `key`: the name of the place in the tables. */
function bySchema(written: Schema, from: string, key: string): Shape {
  const { schema, file, home } = resolved(written, from, key)
  const { properties = {}, required = [], additionalProperties, items, description = schema.title ?? '' } = schema
  const property = (name: string) => (Object.hasOwn(properties, name) ? properties[name] : undefined)
  const fieldOf = (name: string): Shape | undefined => {
    const inner = property(name)
    if (inner) return bySchema(inner, file, `${home}.${name}`)
    if (home === 'rules') return ruleShape(name)
    return typeof additionalProperties === 'object' ? bySchema(additionalProperties, file, `${home}.*`) : undefined
  }
  return {
    role: roles[key],
    isDefinition: definitions.has(key),
    choices: roles[key] === 'conditionOperator' ? ['MATCH', 'AND', 'OR', 'NOT'] : (schema.enum ?? []),
    holds: holdsOf(schema),
    about: description,
    get fields() {
      return Object.entries(properties).map(([name, inner]): FieldShape => {
        const shape = bySchema(inner, file, `${home}.${name}`)
        return { name, isRequired: required.includes(name), isGiven: inner.readOnly === true, isBlock: false, about: shape.about, shape }
      })
    },
    keyRole: roles[`${home}.@`],
    field: fieldOf,
    // The items of a list of strings have the meaning of the list's field.
    item: () => items && bySchema(items, file, items.properties || items.$ref ? home : key),
  }
}

const textShape: Shape = {
  role: undefined,
  isDefinition: false,
  choices: [],
  holds: 'text',
  about: '',
  fields: [],
  keyRole: undefined,
  field: () => undefined,
  item: () => undefined,
}

/** The level of a rule in a configuration, alone or with options. */
function ruleShape(code: string): Shape {
  const rule = rules.find((each) => each.code === code)
  const level: Shape = { ...textShape, role: 'ruleLevel', choices: levels, about: rule?.summary ?? '' }
  const fields = (rule?.options ?? []).map(
    (option): FieldShape => ({ ...plainField(option.name, optionShape(option)), isRequired: option.required === true }),
  )
  const options: Shape = {
    ...textShape,
    holds: 'map',
    about: 'The options of the rule.',
    fields,
    field: (name) => fields.find((each) => each.name === name)?.shape,
  }
  return { ...level, item: (index) => (index === 0 ? level : index === 1 ? options : undefined) }
}

function plainField(name: string, shape: Shape): FieldShape {
  return { name, isRequired: false, isGiven: false, isBlock: false, about: shape.about, shape }
}

function optionShape({ type, text, choices = [], fields }: RuleOption): Shape {
  const shape: Shape = { ...textShape, about: text, choices }
  if (type === 'number') return { ...shape, holds: 'number' }
  if (type === 'flag') return { ...shape, holds: 'flag' }
  if (type === 'texts') return { ...shape, holds: 'list', item: () => textShape }
  if (type !== 'records') return shape
  const optionFields = Object.entries(fields ?? {}).map(([name, role]) => plainField(name, { ...textShape, role }))
  const record: Shape = {
    ...textShape,
    holds: 'map',
    fields: optionFields,
    field: (name) => optionFields.find((each) => each.name === name)?.shape,
  }
  return { ...shape, holds: 'list', item: () => record }
}

const part = (file: string, name: string, key: string) => bySchema(schemas[file]?.definitions?.[name] as Schema, file, key)
const policy = part('policy', 'policy', 'policy')
const world = bySchema(schemas.world as Schema, 'world', 'world')
const config = bySchema(schemas.config as Schema, 'config', 'config')
const tests = bySchema(schemas.iamtest as Schema, 'iamtest', 'iamtest')
const credential = bySchema(schemas.credential as Schema, 'credential', 'credential')
const listOf = (item: Shape | undefined): Shape => ({ ...textShape, holds: 'list', item: () => item })
const withRole = (role: Role): Shape => ({ ...textShape, role })
/** Lists with something on each line. */
const lines: Partial<Record<Notation, Shape>> = { actions: listOf(withRole('action')), rules: listOf(withRole('accessRule')) }
/** The shape at the start of a document: a policy or a world. */
const either: Shape = {
  ...textShape,
  holds: 'map',
  fields: [...policy.fields, ...world.fields.filter(({ name }) => !policy.field(name))],
  field: (name) => policy.field(name) ?? world.field(name),
}

/** The shape of a document; undefined for one that is none of ours. */
export function shapeOfDocument(
  { purpose }: Pick<EditorFile, 'purpose'>,
  { notation }: Pick<Part, 'notation'>,
  document: LooseNode | undefined,
  settings: Settings,
): Shape | undefined {
  if (purpose === 'configuration') return config
  if (purpose === 'tests') return tests
  if (notation === 'hcl-json') return terraformJson(settings)
  const listed = lines[notation]
  if (listed) return listed
  if (document === undefined || document.kind === 'null' || document.kind === 'text') return either
  if (document.kind === 'map' && document.style === 'hcl') return terraform(settings)
  const isMap = document.kind === 'map'
  const keys = isMap ? document.entries.map(({ key }) => key.value) : []
  if (keys.some((key) => toolKeys.has(key))) return undefined
  if (keys.includes('accessRules')) return credential
  const listing = listingOf(document)
  if (listing) return isMap ? world.field(listing)?.item(0) : listOf(world.field(listing)?.item(0))
  const kind = kindOf(document)
  if (!isMap) return listOf(policy)
  if (kind === 'world') return world
  if (kind === 'policy') return policy
  const count = (shape: Shape) => keys.filter((key) => shape.field(key)).length
  const [asPolicy, asWorld] = [count(policy), count(world)]
  if (keys.length > 0 && asPolicy + asWorld === 0 && keys.some((key) => key.length > 12)) return undefined
  return asPolicy > asWorld ? policy : asWorld > asPolicy ? world : either
}

/** Keys of documents that a tool wrote. */
const toolKeys: ReadonlySet<string> = new Set(['format_version', 'steps', 'apiVersion'])

// Configurations of Terraform.

/** A file of HCL: blocks, of which those of ours have fields. */
function terraform(settings: Settings): Shape {
  const { brand, resourcePrefix = brand } = settings
  return {
    ...textShape,
    holds: 'map',
    fields: [],
    field: (name, entry) => {
      const type = entry?.labels?.[0]?.value ?? ''
      if (name === 'module') return moduleBlock
      const kind = name === 'resource' ? kindOfTerraform(type, resourcePrefix) : undefined
      return kind && resourceBlock(kind)
    },
  }
}

/** The same in JSON: blocks are objects under their words, types and names, or lists of such objects. */
function terraformJson(settings: Settings): Shape {
  const { brand, resourcePrefix = brand } = settings
  const named = (inner: Shape): Shape => mapOf((): Shape => ({ ...inner, item: () => inner }))
  const types = resourceTypes(settings).flatMap((type): readonly FieldShape[] => {
    const kind = kindOfTerraform(type, resourcePrefix)
    return kind ? [plainField(type, named(resourceBlock(kind)))] : []
  })
  const ofType = (type: string) => {
    const kind = kindOfTerraform(type, resourcePrefix)
    return kind && named(resourceBlock(kind))
  }
  const fields = [plainField('resource', { ...mapOf(ofType), fields: types }), plainField('module', named(moduleBlock))]
  return { ...mapOf((name) => fields.find((each) => each.name === name)?.shape), fields }
}

const mapOf = (field: Shape['field']): Shape => ({ ...textShape, holds: 'map', field })

/** The types of resources that have fields, as they are written. */
export function resourceTypes(settings: Settings): readonly string[] {
  return ['policy', 'permissions_group', 'resource_group'].map((each) => resourceWord(settings) + each)
}

const moduleBlock: Shape = {
  ...textShape,
  holds: 'map',
  field: (name) => (name === 'source' ? { ...textShape, role: 'module' } : undefined),
}

function resourceBlock(kind: Kind): Shape {
  const fields = Object.entries(attributes[kind]).map(([name, field]): FieldShape => {
    const shape = attributeShape(kind, field)
    const isBlock = field.holds === 'condition'
    return { name, isRequired: field.isRequired === true, isGiven: false, isBlock, about: shape.about, shape }
  })
  return { ...textShape, holds: 'map', fields, field: (name) => fields.find((each) => each.name === name)?.shape }
}

const permissions = policy.field('permissions') as Shape

function attributeShape(kind: Kind, { to, holds, key }: Field): Shape {
  const record = kind === 'resourceGroup' ? (world.field('resourceGroups')?.item(0) as Shape) : policy
  const fieldShape = key === 'action' ? permissions.field(to) : record.field(to)
  if (!fieldShape) return textShape
  if (holds === 'condition') return conditionBlock
  if (holds === 'text') return { ...fieldShape, isDefinition: kind === 'policy' && to === 'name' }
  return { ...fieldShape, item: () => (key ? fieldShape.item(0)?.field(key) : fieldShape.item(0)) }
}

/** A condition as a block, with those that it is made of. */
const conditionBlock: Shape = (() => {
  const conditions = policy.field('conditions') as Shape
  const fields: readonly FieldShape[] = [
    ...conditions.fields.filter(({ name }) => name !== 'conditions'),
    {
      name: 'condition',
      isRequired: false,
      isGiven: false,
      isBlock: true,
      about: 'A condition that `AND`, `OR` or `NOT` combines.',
      get shape() {
        return conditionBlock
      },
    },
  ]
  const block: Shape = {
    ...conditions,
    fields,
    field: (name: string) => fields.find((each) => each.name === name)?.shape,
    item: () => block,
  }
  return block
})()

export { presets }
