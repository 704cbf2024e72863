import { expect, test } from 'vitest'
import { accessOf, isSameAccess } from '../../src/history/access.ts'
import { readSource } from '../../src/parser/read-source.ts'
import { buildWorld } from '../../src/parser/world.ts'
import { sourceOf } from '../../src/source.ts'
import { testSettings } from '../support/settings.ts'
import { questionOf } from '../support/worlds.ts'

/** The answer over all times does not depend on when it is asked. */

const identity = 'urn:v1:eu:identity:user:ab12-svc/ann'
const asked = questionOf({ identity, action: 'vps:apisvc:get', resource: 'urn:v1:eu:resource:vps:a', at: '2026-01-01T00:00:00Z' })
const instants = ['2026-01-01T00:00:00Z', '2026-12-31T00:00:00Z'].map((text) => Date.parse(text))

const address = { operator: 'MATCH', values: { 'request.IP': '192.0.2.1' } }

test.each([
  ['an expiry', { expiredAt: '2026-06-01T00:00:00Z' }, 'allow'],
  ['an expiry, and an address that is not given', { expiredAt: '2026-06-01T00:00:00Z', conditions: address }, 'unknown'],
] as const)('%s', async (_, more, verdict) => {
  const text = JSON.stringify({
    name: 'p',
    identities: [identity],
    resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
    permissions: { allow: [{ action: 'vps:*' }] },
    ...more,
  })
  const { facts, diagnostics } = await readSource(sourceOf('p.json', text), testSettings)
  expect(diagnostics).toEqual([])
  const { world } = buildWorld([facts])
  const [early, late] = instants.map((now) => accessOf(world, { question: { ...asked, owner: 'other' }, at: undefined, now }))
  expect([early?.verdict, late?.verdict]).toEqual([verdict, verdict])
  expect(early && late && isSameAccess(early, late)).toBe(true)
})
