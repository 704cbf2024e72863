import { stringify as write } from 'yaml'
import { readConfiguration } from '../../src/hcl/module.ts'
import { readingOf } from '../../src/hcl/read.ts'
import { defaultSettings } from '../../src/names.ts'
import type { ReadSource } from '../../src/parser/read.ts'
import { toPolicies } from '../../src/parser/read-open.ts'
import type { Source } from '../../src/source.ts'
import { hclFile, quoted } from './hcl.ts'
import type { ConditionJson, PermissionsJson, PolicyJson, WorldJson } from './worlds.ts'

/**
 * One world in every notation that policies are read from. A notation without permissions or resource groups of known names
 * leaves those to a file of their own. To try another notation, add its writer to the table.
 */
export interface Writer {
  readonly name: string
  readonly path: string
  /** Whether groups are written with the policies, under the URNs that the world gives them. */
  readonly hasGroups: boolean
  readonly write: (world: WorldJson) => string
  /** Where the notation has a reader of its own. */
  readonly read?: (source: Source) => Promise<ReadSource>
}

/** Without anchors: what is meant twice is written twice. */
const stringify = (value: unknown) => write(value, { aliasDuplicateObjects: false })
const json = (value: unknown) => JSON.stringify(value, undefined, 2)

/** The lists of a policy as attributes that hold texts. */
interface Attributes {
  readonly [attribute: string]: unknown
}

const actionsIn = (list: readonly { readonly action: string }[] | undefined) => list?.map(({ action }) => action)

function permissionsIn({ allow, except, deny }: PermissionsJson, plural: boolean): Attributes {
  const [a, e, d] = plural ? ['allows', 'excepts', 'denies'] : ['allow', 'except', 'deny']
  return { [a]: actionsIn(allow), [e]: actionsIn(except), [d]: actionsIn(deny) }
}

/** A condition in blocks: those within it go by `inner`. */
function conditionIn({ operator, conditions, values }: ConditionJson, inner: string): Attributes {
  return { operator, ...(values && { values }), ...(conditions && { [inner]: conditions.map((each) => conditionIn(each, inner)) }) }
}

function attributesOf(
  policy: PolicyJson,
  style: { readonly snake: boolean; readonly plural: boolean; readonly isBlock: boolean; readonly inner: string },
): Attributes {
  const { name, identities, resources, permissions, permissionsGroups, conditions, expiredAt } = policy
  const condition = conditions && conditionIn(conditions, style.inner)
  return {
    name,
    ...('description' in policy && { description: policy.description }),
    identities,
    resources: resources.map(({ urn }) => urn),
    ...permissionsIn(permissions, style.plural),
    [style.snake ? 'permissions_groups' : 'permissionsGroups']: permissionsGroups?.map(({ urn }) => urn),
    conditions: style.isBlock && condition ? [condition] : condition,
    [style.snake ? 'expired_at' : 'expiredAt']: expiredAt,
  }
}

const sorted = (attributes: Attributes): Attributes =>
  Object.fromEntries(
    Object.entries(attributes)
      .map(([key, value]) => [key, value ?? null] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
const filled = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined))

const terraform = { snake: true, plural: false, isBlock: true, inner: 'condition' }
const pulumi = { snake: false, plural: true, isBlock: false, inner: 'conditions' }
const crossplane = { snake: false, plural: false, isBlock: true, inner: 'condition' }

/** A plan that makes all of it: `change` is what the plan says of one resource. */
export function planOf(world: WorldJson): object {
  const resource = (type: string, name: string, after: Attributes) => ({
    address: `${type}.${name}`,
    mode: 'managed',
    type,
    name,
    change: {
      actions: ['create'],
      before: null,
      after: sorted(after),
      after_unknown: { id: true },
      before_sensitive: false,
      after_sensitive: {},
    },
  })
  return {
    format_version: '1.2',
    terraform_version: '1.11.4',
    resource_changes: [
      ...world.policies.map((policy, i) => resource('svc_iam_policy', `p${i}`, attributesOf(policy, terraform))),
      ...world.permissionsGroups.map(({ urn, name, permissions }, i) =>
        resource('svc_iam_permissions_group', `p${i}`, { urn, name, ...permissionsIn(permissions, false) }),
      ),
      ...world.resourceGroups.map(({ urn, name, resources }, i) =>
        resource('svc_iam_resource_group', `r${i}`, { urn, name, resources: resources.flatMap((each) => each.urn ?? []) }),
      ),
    ],
    configuration: { root_module: {} },
  }
}

export function programOf({ policies }: WorldJson): object {
  return {
    name: 'access',
    runtime: 'yaml',
    resources: Object.fromEntries(
      policies.map((policy, i) => [`p${i}`, { type: 'svc:Iam/policy:Policy', properties: filled(attributesOf(policy, pulumi)) }] as const),
    ),
  }
}

export function previewOf({ policies }: WorldJson): object {
  return {
    steps: policies.map((policy, i) => {
      const urn = `urn:pulumi:prod::access::svc:Iam/policy:Policy::p${i}`
      const state = {
        urn,
        custom: true,
        type: 'svc:Iam/policy:Policy',
        inputs: { __defaults: [], ...filled(attributesOf(policy, pulumi)) },
      }
      return { op: 'create', urn, newState: state }
    }),
    changeSummary: { create: policies.length },
  }
}

export function manifestsOf({ policies }: WorldJson): readonly object[] {
  return policies.map((policy, i) => ({
    apiVersion: 'iam.svc.example.org/v1alpha1',
    kind: 'Policy',
    metadata: { name: `p${i}` },
    spec: { forProvider: filled(attributesOf(policy, crossplane)), providerConfigRef: { name: 'default' } },
  }))
}

/** A block of HCL: texts and lists of texts as attributes, conditions as blocks within it. */
function hclBlock(head: string, { conditions, ...attributes }: Attributes): string {
  const lines = Object.entries(filled(attributes)).map(([key, value]) => `  ${key} = ${JSON.stringify(value)}`)
  const blocks = (conditions as ConditionJson[] | undefined)?.map((each) => hclCondition('conditions', each)) ?? []
  return `${[`${head} {`, ...lines, ...blocks, '}'].join('\n')}\n`
}

function hclCondition(word: string, { operator, conditions = [], values }: ConditionJson): string {
  const inner = conditions.map((each) => hclCondition('condition', each))
  const written = values
    ? [
        `values = {\n${Object.entries(values)
          .map(([key, value]) => `${JSON.stringify(key)} = ${JSON.stringify(value)}\n`)
          .join('')}}`,
      ]
    : []
  return [`${word} {`, `operator = ${JSON.stringify(operator)}`, ...written, ...inner, '}'].join('\n')
}

function hclOf({ policies }: WorldJson): string {
  return policies
    .map((policy, i) => {
      const { conditions, ...attributes } = attributesOf(policy, terraform)
      return hclBlock(`resource "svc_iam_policy" "p${i}"`, { ...attributes, ...(policy.conditions && { conditions: [policy.conditions] }) })
    })
    .join('\n')
}

/** The same with lists that are put together in one of several ways, by their place. */
function joinedHclOf({ policies }: WorldJson): string {
  const locals: string[] = []
  let count = 0
  const list = (texts: readonly string[]): string => {
    const written = texts.map(quoted)
    const literal = `[${written.join(', ')}]`
    switch (count++ % 5) {
      case 0:
        return literal
      case 1:
        return `concat([${written.slice(0, 1).join()}], [\n    ${written.slice(1).join(',\n    ')}\n  ])`
      case 2:
        locals.push(`  l${count} = ${literal}`)
        return `local.l${count}`
      case 3:
        return `[for text in ${literal} : text if text != ""]`
      default:
        return `flatten([[${written.slice(0, 2).join(', ')}], [[${written.slice(2).join(', ')}]]])`
    }
  }
  const condition = ({ operator, conditions, values }: ConditionJson, word: string): string =>
    [
      `${word} {`,
      `operator = ${quoted(operator)}`,
      ...(values
        ? [
            `values = {\n${Object.entries(values)
              .map(([key, value]) => `${quoted(key)} = ${quoted(value)}\n`)
              .join('')}}`,
          ]
        : []),
      ...(conditions ?? []).map((each) => condition(each, 'condition')),
      '}',
    ].join('\n')
  const resources = policies.map((policy, i) => {
    const { conditions, ...attributes } = filled(attributesOf(policy, terraform)) as Attributes & { readonly conditions?: unknown }
    const lines = Object.entries(attributes).map(
      ([key, value]) => `  ${key} = ${Array.isArray(value) ? list(value) : quoted(String(value))}`,
    )
    const block = policy.conditions ? [condition(policy.conditions, 'conditions')] : []
    return [`resource "svc_iam_policy" "p${i}" {`, ...lines, ...block, '}', ''].join('\n')
  })
  return [...resources, 'locals {', ...locals, '}', ''].join('\n')
}

/** A configuration of one file, understood. */
export async function readHclAlone({ path, text }: Source): Promise<ReadSource> {
  const file = hclFile(text, path)
  const folder = { path: '', name: '.', files: [file], values: [] }
  const reading = readingOf(file, [readConfiguration(folder, new Map([['', folder]]), { prefix: 'svc' })])
  return toPolicies(file.source, reading, defaultSettings)
}

export const writers: readonly Writer[] = [
  {
    name: 'JSON of the service',
    path: 'w.json',
    hasGroups: true,
    write: ({ policies, permissionsGroups, resourceGroups }) => json({ policies, permissionsGroups, resourceGroups }),
  },
  {
    name: 'YAML',
    path: 'w.yaml',
    hasGroups: true,
    write: ({ policies, permissionsGroups, resourceGroups }) => stringify({ policies, permissionsGroups, resourceGroups }),
  },
  { name: 'a plan of Terraform', path: 'plan.json', hasGroups: true, write: (world) => json(planOf(world)) },
  { name: 'a configuration in HCL', path: 'main.tf', hasGroups: false, write: hclOf, read: readHclAlone },
  {
    name: 'a configuration that puts lists together',
    path: 'main.tf',
    hasGroups: false,
    write: joinedHclOf,
    read: readHclAlone,
  },
  { name: 'a program of Pulumi', path: 'Pulumi.yaml', hasGroups: false, write: (world) => stringify(programOf(world)) },
  { name: 'a preview of Pulumi', path: 'preview.json', hasGroups: false, write: (world) => json(previewOf(world)) },
  {
    name: 'manifests of Crossplane',
    path: 'manifests.yaml',
    hasGroups: false,
    write: (world) =>
      manifestsOf(world)
        .map((each) => stringify(each))
        .join('---\n'),
  },
]
