import { expect, test } from 'vitest'
import type { Policy } from '../../src/policy.ts'
import { Names } from '../../src/report/names.ts'
import { gateRows } from '../../src/report/why.ts'
import { questionOf, worldOf } from '../support/worlds.ts'

/** How a policy applies to a question: who and what matches which entry, and by which group. */

const user = (login: string) => `urn:v1:eu:identity:user:ab12-svc/${login}`
const group = (name: string) => `urn:v1:eu:identity:group:ab12-svc/${name}`
const server = (name: string) => `urn:v1:eu:resource:vps:${name}`

/** The words of the gates of identity and resource, for a policy with one entry of each. */
function rowsOf(identity: string, resource: string, groups: readonly string[] = [], given: readonly string[] = []) {
  const world = worldOf({
    identities: [{ urn: user('ann'), groups: groups.map(group) }],
    policies: [{ name: 'p', identities: [identity], resources: [{ urn: resource }], permissions: { allow: [{ action: 'vps:*' }] } }],
  })
  const asked = {
    identity: user('ann'),
    groups: given.map(group),
    action: 'vps:apisvc:get',
    resource: server('vps-1'),
    at: '2026-01-01T00:00:00Z',
  }
  return gateRows(world.policies[0] as Policy, { world, question: questionOf(asked), names: new Names([world]) }, 'condition').map(
    ([, gate, words]) => `${gate}: ${words.replace(/\([^()]*\d+[^()]*\)/, '(FILE)')}`,
  )
}

test.each<[identity: string, groups: readonly string[], given: readonly string[], words: string]>([
  [user('ann'), [], [], 'user/ann'],
  [user('a*'), [], [], 'user/a* matches user/ann'],
  [group('ops'), ['ops'], [], 'group/ops, which user/ann is in (FILE)'],
  [group('o*'), ['dev', 'ops'], [], 'group/o* matches group/ops, which user/ann is in (FILE)'],
  [group('ops'), [], ['ops'], 'group/ops, which user/ann is in (--group)'],
  [group('o*'), [], ['dev', 'ops'], 'group/o* matches group/ops, which user/ann is in (--group)'],
])('an identity by %s with the groups %j, and %j that are given', (identity, groups, given, words) => {
  expect(rowsOf(identity, server('vps-1'), groups, given)[0]).toBe(`identity: ${words}`)
})

test.each([
  [server('vps-1'), 'vps:vps-1'],
  [server('vps-*'), 'vps:vps-* matches vps:vps-1'],
])('a resource by %s', (resource, words) => {
  expect(rowsOf(user('ann'), resource)[1]).toBe(`resource: ${words}`)
})

test('what does not match has no row', () => {
  expect(rowsOf(group('ops'), server('vps-2'), ['dev'], ['web'])).toEqual([])
})
