import { readConditionKey, readTest } from '../conditions/test.ts'
import type { Condition, Policy } from '../policy.ts'
import type { Span } from '../source.ts'
import { field, plainValue } from '../tree.ts'
import { typeAndName } from '../urn/resource.ts'
import type { Zone } from '../zones.ts'
import type { ConditionFields, PolicyFields } from './fields.ts'

/** Conditions by which a policy no longer applies to one resource. */

/** A policy that does not apply to a resource any more; undefined where no condition can say so. */
export function narrowed(policy: Policy, resource: string): Policy | undefined {
  const added = conditionOf(otherThan(policy, resource), policy)
  if (!added) return undefined
  const { condition } = policy
  if (!condition) return { ...policy, condition: added }
  const operands = isConjunction(policy) && condition.kind === 'and' ? condition.operands : [condition]
  return { ...policy, condition: { kind: 'and', operands: [...operands, added], span: condition.span } }
}

/** Whether the condition of a policy is written as a list of conditions that all have to hold. */
function isConjunction({ node }: Policy): boolean {
  const condition = field(node, 'conditions')
  if (condition?.kind !== 'map') return false
  const operator = field(condition, 'operator')
  return operator?.kind === 'text' && operator.value === 'AND' && field(condition, 'conditions')?.kind === 'list'
}

/** The same for a policy that is yet to be written: its fields. */
export function narrowedFields(policy: Policy, fields: PolicyFields, resource: string): PolicyFields {
  const known = field(policy.node, 'conditions')
  const added = otherThan(policy, resource)
  return { ...fields, conditions: known ? { operator: 'AND', conditions: [plainValue(known), added] } : added }
}

/** That the resource is another one. Its type is named where the policy is about several. */
function otherThan({ resources }: Policy, resource: string): ConditionFields {
  const { type, name } = typeAndName(resource)
  const isOneType = resources.every(({ value }) => value.kind === 'resource' && typeAndName(value.text).type === type)
  const values = { ...(!isOneType && { 'resource.Type': type }), 'resource.Name': name }
  return { operator: 'NOT', conditions: [{ operator: 'MATCH', values }] }
}

/** A condition as it is understood; undefined where it is not. */
function conditionOf(fields: ConditionFields, policy: Policy): Condition | undefined {
  const { span } = policy
  if ('conditions' in fields) {
    const operands = fields.conditions.map((each) => conditionOf(each, policy))
    const kind = fields.operator.toLowerCase() as 'and' | 'or' | 'not'
    return operands.every((each) => each !== undefined) ? { kind, operands, span } : undefined
  }
  const tests = Object.entries(fields.values).map(([key, value]) => comparisonOf(key, value, span, undefined))
  if (!tests.every((each) => each !== undefined)) return undefined
  return tests.length === 1 ? tests[0] : { kind: 'and', operands: tests, span }
}

export type Comparison = Condition & { readonly kind: 'match' }

/** One comparison; undefined where it is not understood. `zone`: that of its key. */
export function comparisonOf(key: string, value: string, span: Span, zone: Zone | undefined): Comparison | undefined {
  const read = readConditionKey(key, { get: () => zone })
  const test = read.value && readTest(read.value, value).value
  return test && { kind: 'match', key: { value: key, span }, value: { value, span }, test, span }
}
