import type { World } from '../../src/policy.ts'
import { type ConditionJson, type PolicyJson, type WorldJson, worldOf } from './worlds.ts'

/**
 * Worlds written short, for tables of tests: `user:a/u` for an identity, `t:a` for a resource of the region `eu` (`ca/t:a` for
 * one of `ca`), `#m` for a resource group, and one comparison as an object.
 */
export interface ShortPolicy {
  readonly name?: string
  readonly who?: readonly string[]
  readonly on?: readonly string[]
  readonly allow?: readonly string[]
  readonly except?: readonly string[]
  readonly deny?: readonly string[]
  /** Permissions groups, by what follows `urn:v1:eu:permissionsGroup:`. */
  readonly groups?: readonly string[]
  readonly when?: ConditionJson | Readonly<Record<string, string>> | undefined
  readonly until?: string
  readonly readOnly?: boolean
}

export interface ShortWorld {
  /** The groups of identities. */
  readonly members?: Readonly<Record<string, readonly string[]>>
  /** The members of resource groups. */
  readonly resourceGroups?: Readonly<Record<string, readonly string[]>>
  readonly permissionsGroups?: Readonly<Record<string, Pick<ShortPolicy, 'allow' | 'except' | 'deny'>>>
  /** Resources with their tags. */
  readonly resources?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

export const identityOf = (short: string): string => `urn:v1:eu:identity:${short}`

export function resourceOf(short: string): string {
  if (short.startsWith('#')) return `urn:v1:eu:resourceGroup:${short.slice(1)}`
  const [region, rest] = /^[a-z]+\//.test(short) ? short.split('/', 2) : ['eu', short]
  return `urn:v1:${region}:resource:${rest}`
}

const permissionsGroupOf = (short: string) => `urn:v1:eu:permissionsGroup:${short}`

const permissions = ({ allow = [], except = [], deny = [] }: ShortPolicy) => ({
  allow: allow.map((action) => ({ action })),
  except: except.map((action) => ({ action })),
  deny: deny.map((action) => ({ action })),
})

/** A comparison for each key; all of them hold. */
export const match = (values: Record<string, string>): ConditionJson => ({ operator: 'MATCH', values })

function conditionOf(when: NonNullable<ShortPolicy['when']>): ConditionJson {
  return typeof when.operator === 'string' ? (when as ConditionJson) : match(when as Record<string, string>)
}

function policyOf(policy: ShortPolicy, index: number): PolicyJson {
  const { name = `p${index}`, who = ['user:a/u'], on = ['t:*'], groups = [], when, until, readOnly } = policy
  return {
    name,
    identities: who.map(identityOf),
    resources: on.map((each) => ({ urn: resourceOf(each) })),
    permissions: permissions(policy),
    ...(groups.length > 0 && { permissionsGroups: groups.map((each) => ({ urn: permissionsGroupOf(each) })) }),
    ...(when && { conditions: conditionOf(when) }),
    ...(until !== undefined && { expiredAt: until }),
    ...(readOnly && { readOnly }),
  }
}

/** The JSON of a world. Policies without a name are `p0`, `p1` and so on, for `user:a/u` on `t:*`. */
export function writtenOf(policies: readonly ShortPolicy[], world: ShortWorld = {}): WorldJson {
  const { members = {}, resourceGroups = {}, permissionsGroups = {}, resources = {} } = world
  return {
    policies: policies.map(policyOf),
    permissionsGroups: Object.entries(permissionsGroups).map(([short, set]) => ({
      urn: permissionsGroupOf(short),
      name: short,
      permissions: permissions(set),
    })),
    resourceGroups: Object.entries(resourceGroups).map(([short, list]) => ({
      urn: resourceOf(short),
      name: short,
      resources: list.map((each) => ({ urn: resourceOf(each) })),
    })),
    resources: Object.entries(resources).map(([short, tags]) => ({ urn: resourceOf(short), tags })),
    identities: Object.entries(members).map(([short, groups]) => ({ urn: identityOf(short), groups: groups.map(identityOf) })),
  }
}

/** The same, read. */
export function shortWorld(policies: readonly ShortPolicy[], world: ShortWorld = {}): World {
  return worldOf(writtenOf(policies, world))
}

/** Without what every URN begins with. */
export function shortName(text: string): string {
  return text.replace(/^urn:v1:eu:(?:identity|resource|permissionsGroup):/, '').replace(/^urn:v1:eu:resourceGroup:/, '#')
}
