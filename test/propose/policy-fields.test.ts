import { expect, test } from 'vitest'
import type { Condition } from '../../src/policy.ts'
import { conditionFields } from '../../src/propose/fields.ts'
import { match, shortWorld } from '../support/short.ts'
import type { ConditionJson } from '../support/worlds.ts'

/** A condition as it is understood of a policy with it. */
function understood(condition: ConditionJson): Condition {
  const [policy] = shortWorld([{ who: ['user:a/u'], allow: ['p:x:a'], when: condition }]).policies
  if (!policy?.condition) throw new Error('no condition')
  return policy.condition
}
const both = (...conditions: ConditionJson[]): ConditionJson => ({ operator: 'AND', conditions })

test('comparisons of several keys that all have to hold are written as one', () => {
  const condition = both(match({ 'resource.Type': 't' }), match({ 'resource.Name': 'n' }))
  expect(conditionFields(understood(condition))).toEqual(match({ 'resource.Type': 't', 'resource.Name': 'n' }))
})

test('comparisons of one key that all have to hold stay apart', () => {
  const condition = both(match({ 'date(UTC).Date.AFTER': '2026-01-01' }), match({ 'date(UTC).Date.AFTER': '2026-02-01' }))
  expect(conditionFields(understood(condition))).toEqual(condition)
})

test('what is nested stays nested', () => {
  const condition = both(match({ 'resource.Name': 'n' }), { operator: 'NOT', conditions: [match({ 'resource.Type': 't' })] })
  expect(conditionFields(understood(condition))).toEqual(condition)
})
