import { expect, test } from 'vitest'
import { loadCatalogue } from '../../src/actions/load.ts'
import { diff } from '../../src/diff/diff.ts'
import { lockOf, policiesOf } from '../../src/lock/lock.ts'
import { readLock } from '../../src/lock/read.ts'
import { sourceOf } from '../../src/source.ts'
import { testSettings } from '../support/settings.ts'
import { type PolicyJson, worldOf } from '../support/worlds.ts'

/** Access that a lockfile no longer has comes from an edit of a policy that is still there: the edit is named, not the whole policy. */

const policy = (more: Partial<PolicyJson>): PolicyJson => ({
  name: 'admins',
  identities: ['urn:v1:eu:identity:group:ab/g'],
  resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
  permissions: { allow: [{ action: 'vps:*' }], except: [{ action: 'vps:apisvc:terminate' }] },
  expiredAt: '2026-12-15T00:00:00Z',
  ...more,
})

const without = policy({ permissions: { allow: [{ action: 'vps:*' }] } })
const range = (values: string) => ({ operator: 'MATCH', values: { 'request.IP.IN_RANGE': values } })

async function causesBetween(before: PolicyJson, after: PolicyJson): Promise<readonly string[]> {
  const { text } = lockOf(worldOf({ policies: [before], permissionsGroups: [], resourceGroups: [], resources: [], identities: [] }))
  const { world: locked } = await readLock(sourceOf('grantwise.lock', text as string), testSettings)
  if (!locked) throw new Error('the lockfile cannot be read')
  const { gained } = diff(
    policiesOf(locked),
    policiesOf(worldOf({ policies: [after], permissionsGroups: [], resourceGroups: [], resources: [], identities: [] })),
    { catalogue: loadCatalogue() },
  )
  return [...new Set(gained.flatMap(({ causes }) => causes.map(({ name, what, change }) => `${name}: ${what} ${change}`)))]
}

test('an exception that was removed', async () => {
  expect(await causesBetween(policy({}), without)).toEqual(['admins: except `vps:apisvc:terminate` removed'])
})

test('an expiry that was moved', async () => {
  expect(await causesBetween(policy({}), policy({ expiredAt: '2027-06-15T00:00:00Z' }))).toEqual(['admins: expiry changed'])
})

test('a condition that was widened', async () => {
  const [narrow, wide] = ['203.0.113.0/24', '203.0.0.0/16'].map((each) => policy({ conditions: range(each) }))
  expect(await causesBetween(narrow as PolicyJson, wide as PolicyJson)).toEqual(['admins: condition changed'])
})
