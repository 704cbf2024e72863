import { expect, test } from 'vitest'
import { mostOpen, openNeeded } from '../../../src/emulator/model/needed.ts'
import { defaultSettings } from '../../../src/names.ts'

const at = '2026-06-01T12:00:00.000Z'
const identity = 'urn:v1:eu:identity:user:ab12-svc/alice'
const nothing = { ip: '192.0.2.1', operation: null, actions: [], credential: null, status: 200 }
const record = { at, account: 'ab12-svc', identity, method: 'POST', path: '/v1/x', verdict: 'deny', ...nothing } as const
const lacks = (index: number) => ({
  requirements: [
    { action: 'vps:apisvc:reboot', required: true, resource: `urn:v1:eu:resource:vps:v${index}`, from: 'path', verdict: 'deny' } as const,
  ],
})

test('more accesses than are remembered are counted, and the list is made again only for a new one', () => {
  let reads = 0
  const catalogue = { expand: () => [] }
  const log = openNeeded(catalogue, defaultSettings, () => {
    reads++
    return Date.parse(at)
  })
  for (let index = 0; index < mostOpen; index++) log.add(record, lacks(index))
  const full = log.list()
  expect(full).toMatchObject({ calls: mostOpen, omitted: 0 })
  expect(full.policies.flatMap(({ resources }) => resources)).toHaveLength(mostOpen)
  expect(reads).toBe(1)
  log.add(record, lacks(0))
  log.add(record, lacks(mostOpen))
  expect(log.list()).toEqual({ ...full, calls: mostOpen + 2, omitted: 1 })
  expect(reads).toBe(1)
  log.clear()
  log.add(record, lacks(mostOpen))
  expect(log.list()).toMatchObject({ calls: 1, omitted: 0, policies: [{ resources: [{ urn: `urn:v1:eu:resource:vps:v${mostOpen}` }] }] })
  expect(reads).toBe(2)
})
