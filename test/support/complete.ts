import { printAddress } from '../../src/conditions/address.ts'
import type { Completion } from '../../src/simulate/decision.ts'
import { type Case, type ConditionJson, caseOf, type QuestionJson } from './worlds.ts'

/**
 * Say what a completion says: the same world and question with nothing missing, as written. An address and tags go into
 * the question, groups into the world, and a condition that is not understood becomes one that always or never holds.
 */
export function completed({ world, question }: Case['written'], completion: Completion): Case {
  const tags: Record<string, string> = {}
  const done: QuestionJson = { ...question }
  for (const value of completion) {
    if (value.kind === 'address') done.ip = printAddress(value.address)
    if (value.kind !== 'tag') continue
    done.tags = tags
    if (value.text !== null) tags[value.key] = value.text
  }
  const permissionsGroups = completion.flatMap((value) => {
    if (value.kind !== 'permissionsGroup') return []
    const permissions = value.outcome === 'nothing' ? {} : { [value.outcome]: [{ action: question.action }] }
    return [{ urn: value.urn, name: 'completed', permissions }]
  })
  const policies = world.policies.map((policy) => ({
    ...policy,
    resources: policy.resources.map(({ urn }) => ({ urn: resourceEntry(urn, question.resource, completion) })),
    ...(policy.conditions && { conditions: condition(policy.conditions, completion) }),
  }))
  return caseOf({ ...world, policies, permissionsGroups: [...world.permissionsGroups, ...permissionsGroups] }, done)
}

/** An entry whose group is not known becomes the resource itself, or something that is not there. A wider entry takes in what a narrower one names. */
function resourceEntry(urn: string, resource: string, completion: Completion): string {
  const groups = completion.flatMap((value) => (value.kind === 'resourceGroup' ? [value] : []))
  if (!groups.some((value) => value.urn === urn)) return urn
  const open = urn.endsWith('*') ? urn.slice(0, -1) : undefined
  const isMember = groups.some((value) => value.isMember && (value.urn === urn || (open !== undefined && value.urn.startsWith(open))))
  return isMember ? resource : 'urn:v1:eu:resource:nowhere:none'
}

const always: ConditionJson = { operator: 'AND', conditions: [] }
const never: ConditionJson = { operator: 'OR', conditions: [] }

function condition(written: ConditionJson, completion: Completion): ConditionJson {
  const truthOf = (text: string) =>
    completion.flatMap((value) => (value.kind === 'condition' && value.text === text ? [value.holds] : []))[0]
  const whole = truthOf(`condition:${JSON.stringify(written)}`)
  if (whole !== undefined) return whole ? always : never
  if (written.operator !== 'MATCH')
    return { ...written, conditions: (written.conditions ?? []).map((child) => condition(child, completion)) }
  const conditions = Object.entries(written.values ?? {}).map(([key, value]): ConditionJson => {
    const truth = truthOf(`condition:${key}=${value}`)
    return truth === undefined ? { operator: 'MATCH', values: { [key]: value } } : truth ? always : never
  })
  return { operator: 'AND', conditions }
}
