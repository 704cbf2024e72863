import { expect, test } from 'vitest'
import { decide, explain } from '../../src/simulate/decide.ts'
import { untilSeen } from '../support/effort.ts'
import { pick, questionOf, randomOf, worldOf } from '../support/worlds.ts'

/** A note on an allow names a group by which it would be turned, where no file says in which groups the identity is. */

const user = (name: string) => `urn:v1:eu:identity:user:ab12-svc/${name}`
const group = (name: string) => `urn:v1:eu:identity:group:ab12-svc/${name}`
const [bob, other] = [user('bob'), 'urn:v1:eu:identity:group:ca34-svc/web']
const resource = 'urn:v1:eu:resource:vps:a'
const rights = (name: string) => `urn:v1:eu:permissionsGroup:ab12-svc:${name}`
const action = 'vps:apisvc:reboot'
const deny = { deny: [{ action }] }
const named = { operator: 'MATCH', values: { 'resource.Name.STARTS_WITH': 'b' } }
const office = { operator: 'MATCH', values: { 'request.IP.IN_RANGE': '198.51.100.0/24' } }

test('an allow is said to be turned exactly where a group of the account turns it, as the decision for a member says', () => {
  const seen = { deny: 0, unknown: 0, none: 0, undescribed: 0, described: 0, pattern: 0 }
  const random = randomOf(20_261_201)
  for (const _ of untilSeen(seen, 4000)) {
    const groups = [group('web'), group('ops'), other]
    const guards = Array.from({ length: 1 + Math.floor(random() * 3) }, (_, i) => {
      const kind = pick(random, ['deny', 'allow', 'known', 'unknown'])
      return {
        name: `guard ${i}`,
        identities: [pick(random, [...groups, group('w*'), user('eve')])],
        resources: [{ urn: pick(random, [resource, 'urn:v1:eu:resource:vps:*', 'urn:v1:eu:resource:vps:b']) }],
        permissions: kind === 'deny' ? deny : { allow: [{ action: 'vps:apisvc:get' }] },
        ...(kind === 'known' && { permissionsGroups: [{ urn: rights('known') }] }),
        ...(kind === 'unknown' && { permissionsGroups: [{ urn: rights('unknown') }] }),
        ...(random() < 0.3 && { conditions: pick(random, [named, office]) }),
      }
    })
    const isDescribed = random() < 0.1
    const world = worldOf({
      account: 'ab12-svc',
      policies: [{ name: 'all', identities: [bob], resources: [{ urn: resource }], permissions: { allow: [{ action }] } }, ...guards],
      permissionsGroups: [{ urn: rights('known'), name: 'known', permissions: deny }],
      ...(isDescribed && { identities: [{ urn: bob, groups: [] }] }),
    })
    const question = questionOf({ identity: bob, action, resource, at: '2026-12-01T00:00:00Z' })
    const { decision, overruled } = explain(world, question)
    expect(decision.reason).toBe('granted')
    const verdicts = [group('web'), group('ops'), group('wx')].map((each) => decide(world, { ...question, groups: [each] }).verdict)
    const worst = isDescribed ? undefined : (['deny', 'unknown'] as const).find((each) => verdicts.includes(each))
    expect({ verdict: overruled?.verdict, guards }).toEqual({ verdict: worst, guards })
    if (overruled) {
      const member = overruled.group.replace('*', 'x')
      expect(decide(world, { ...question, groups: [member] }).verdict).toBe(overruled.verdict)
    }
    seen[overruled?.verdict ?? 'none']++
    seen.described += Number(isDescribed)
    seen.pattern += Number(overruled?.group.includes('*') ?? false)
    seen.undescribed += Number(
      guards.some((each) => each.permissionsGroups?.[0]?.urn === rights('unknown')) && overruled?.verdict === 'unknown',
    )
  }
  for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThan(0)
})
