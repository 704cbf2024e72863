import type { Completion } from '../../src/simulate/decision.ts'
import { type Case, type ConditionJson, caseOf, type QuestionJson } from './worlds.ts'

/**
 * Say what a completion says: the same world and question with nothing missing, as written. An address and tags go into
 * the question, groups into the world, and a condition that nobody understands becomes one that always or never holds.
 */
export function completed({ world, question }: Case['written'], completion: Completion): Case {
  const tags: Record<string, string> = {}
  const done: QuestionJson = { ...question }
  const facts = [...completion]
  for (const [fact, words] of facts) {
    if (fact === 'request.IP' && words !== null) done.ip = words
    const key = /^resource\.Tag\((.*)\)$/s.exec(fact)?.[1]
    if (key === undefined) continue
    done.tags = tags
    if (words !== null) tags[key] = words
  }
  const permissionsGroups = facts
    .filter(([fact]) => fact.startsWith('permissionsGroup:'))
    .map(([fact, words]) => {
      const entry = [{ action: question.action }]
      const permissions = words === 'allows it' ? { allow: entry } : words === 'denies it' ? { deny: entry } : {}
      return { urn: fact.slice('permissionsGroup:'.length), name: 'completed', permissions }
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
  if (!completion.has(`resourceGroup:${urn}`)) return urn
  const open = urn.endsWith('*') ? urn.slice(0, -1) : undefined
  const isMember = [...completion].some(([fact, words]) => {
    const other = fact.startsWith('resourceGroup:') ? fact.slice('resourceGroup:'.length) : undefined
    return words === 'member' && other !== undefined && (other === urn || (open !== undefined && other.startsWith(open)))
  })
  return isMember ? resource : 'urn:v1:eu:resource:nowhere:none'
}

const always: ConditionJson = { operator: 'AND', conditions: [] }
const never: ConditionJson = { operator: 'OR', conditions: [] }

function condition(written: ConditionJson, completion: Completion): ConditionJson {
  const whole = completion.get(`condition:${JSON.stringify(written)}`)
  if (whole !== undefined) return whole === 'holds' ? always : never
  if (written.operator !== 'MATCH')
    return { ...written, conditions: (written.conditions ?? []).map((child) => condition(child, completion)) }
  const conditions = Object.entries(written.values ?? {}).map(([key, value]): ConditionJson => {
    const words = completion.get(`condition:${key}=${value}`)
    return words === undefined ? { operator: 'MATCH', values: { [key]: value } } : words === 'holds' ? always : never
  })
  return { operator: 'AND', conditions }
}
