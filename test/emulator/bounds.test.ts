import { expect, test, vi } from 'vitest'
import { bodyLimits } from '../../src/emulator/api/body-problems.ts'
import { pageHeaders } from '../../src/emulator/api/pagination.ts'
import { accessAsked, mostPending, pendingLifetime, refuseCredential, registerApplication } from '../../src/emulator/auth/credentials.ts'
import { openState, type RecordChange } from '../../src/emulator/model/state.ts'
import { warmWorlds } from '../../src/emulator/model/worlds.ts'
import { type TestService, testAccount, testService } from '../support/service.ts'
import { pick, randomOf } from '../support/worlds.ts'

/** The records that are kept, and the work for one call, have bounds. */

const seed = Number(process.env.SEED ?? 20261122)

function asking(tested: TestService, name = 'Shop') {
  const application = registerApplication(tested.service, 'eu', { name, description: 'sells', account: testAccount })
  if (!('key' in application)) throw new Error('not registered')
  const headers = { 'x-service-application': application.key }
  return () => tested.send('POST', '/1.0/auth/credential', { headers, body: { accessRules: [{ method: 'GET', path: '/me' }] } })
}
const tokenIn = (body: unknown) => new URL((body as { validationUrl: string }).validationUrl).searchParams.get('token') ?? ''

test('so many requests of one application wait, and no more: 429; others are not held up', () => {
  const tested = testService()
  const ask = asking(tested)
  const tokens = Array.from({ length: mostPending }, () => tokenIn(ask().body))
  expect(ask()).toMatchObject({ status: 429, origin: 'stand-in', body: { class: 'Client::TooManyRequests' } })
  expect(tested.service.state.table('credential').size).toBe(mostPending)
  expect(asking(tested, 'Other')().status).toBe(200)
  // An answer makes room for one.
  refuseCredential(tested.service, 'eu', tokens[3] as string)
  expect([ask().status, ask().status]).toEqual([200, 429])
})

test('requests that were not answered in time are removed with the next one, answered ones stay', () => {
  const tested = testService()
  const { service, clock } = tested
  const [ask, other] = [asking(tested), asking(tested, 'Other')]
  const first = tokenIn(ask().body)
  const second = tokenIn(other().body)
  refuseCredential(service, 'eu', second)
  clock.advance((pendingLifetime * 1000) / 2)
  const third = tokenIn(ask().body)
  clock.advance((pendingLifetime * 1000) / 2 + 1)
  expect(accessAsked(service, 'eu', first)?.state).toBe('expired')
  expect(other().status).toBe(200)
  expect(accessAsked(service, 'eu', first)).toBeUndefined()
  expect(accessAsked(service, 'eu', second)?.state).toBe('refused')
  expect(accessAsked(service, 'eu', third)?.state).toBe('pendingValidation')
  // A whole round of them that expired holds up no request.
  for (let i = 1; i < mostPending; i++) expect(ask().status).toBe(200)
  expect(ask().status).toBe(429)
  clock.advance(pendingLifetime * 1000 + 1)
  expect(ask().status).toBe(200)
  expect(service.state.table('credential').size).toBe(2)
})

test('a request is found by its key: no other credential is looked at', () => {
  const tested = testService()
  const ask = asking(tested)
  const tokens = Array.from({ length: 20 }, () => tokenIn(ask().body))
  const { service } = tested
  const table = service.state.table('credential')
  const all = vi.spyOn(table, 'all')
  const same = vi.spyOn(service.ports.digest, 'same')
  expect(accessAsked(service, 'eu', tokens[7] as string)?.credential.validation).toBe(tokens[7])
  expect(accessAsked(service, 'ca', tokens[7] as string)).toBeUndefined()
  expect(accessAsked(service, 'eu', 'another')).toBeUndefined()
  expect([all.mock.calls.length, same.mock.calls.length]).toEqual([0, 0])
})

test('an object of 90,000 keys is refused where it passes the limit, before it is understood', () => {
  const { call, allow } = testService()
  allow(['*'])
  const body = Object.fromEntries(Array.from({ length: 90_000 }, (_, i) => [`k${i}`, 1]))
  const reply = call('POST', '/v2/iam/policy', { body })
  expect(reply).toMatchObject({
    status: 400,
    body: { message: `the body has more than ${bodyLimits.keys} keys, the most that is read`, details: { line: 1 } },
  })
  expect(reply.body).not.toHaveProperty('details.problems')
  // Wherever they are.
  const nested = { targetSpec: { a: Array.from({ length: bodyLimits.keys }, () => ({ b: 1 })) } }
  expect(call('POST', '/v2/iam/policy', { body: nested }).body).toMatchObject({ message: expect.stringContaining('keys') })
})

test('the world is warm before the first call: nothing is read of the policies for it', () => {
  const { service, call, allow } = testService()
  allow(['*'])
  const before = service.worldOf(testAccount)
  allow(['vps:*'])
  warmWorlds(service)
  expect(service.worldOf(testAccount)).not.toBe(before)
  const table = vi.spyOn(service.state, 'table')
  expect(call('GET', '/v1/vps/a').status).toBe(200)
  expect(table.mock.calls.filter(([kind]) => kind === 'policy')).toEqual([])
})

test('a table is in the order of its keys after any changes, from any key on', () => {
  const random = randomOf(seed)
  const state = openState()
  const table = state.table('policy')
  const letters = ['a', 'B', '0', '\u00e4', '\u{1f600}', '\uffff', '-']
  const key = () => Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(random, letters)).join('')
  const change = (): RecordChange => {
    const id = key()
    const value = { id, account: 'a', written: {}, readOnly: false, createdAt: '', updatedAt: null }
    return { kind: 'policy', key: id, ...(random() < 0.6 && { value }) }
  }
  for (let i = 0; i < 400; i++) {
    state.commit([change(), change()])
    const keys = [...table.entries()].map(([each]) => each)
    const from = random() < 0.3 ? undefined : key()
    const wanted = keys.filter((each) => from === undefined || each > from).sort((a, b) => (a < b ? -1 : 1))
    expect(
      [...table.behind(from)].map(({ id }) => id),
      `seed ${seed}, ${i}`,
    ).toEqual(wanted)
  }
})

test('a page looks at as many records as it holds, and one more', () => {
  const { service, call, allow } = testService()
  for (let i = 0; i < 300; i++) allow([i === 0 ? '*' : 'vps:*'])
  let looked = 0
  const table = service.state.table('policy')
  const { behind } = table
  vi.spyOn(table, 'behind').mockImplementation(function* (key) {
    for (const record of behind(key)) {
      looked++
      yield record
    }
  })
  let cursor: string | undefined
  let pages = 0
  const ids: string[] = []
  do {
    looked = 0
    const reply = call('GET', '/v2/iam/policy', {
      headers: { [pageHeaders.size]: '7', ...(cursor !== undefined && { [pageHeaders.cursor]: cursor }) },
    })
    ids.push(...(reply.body as { id: string }[]).map(({ id }) => id))
    expect(looked).toBeLessThanOrEqual(8)
    cursor = reply.headers?.[pageHeaders.next]
    pages++
  } while (cursor !== undefined)
  expect([pages, ids.length]).toEqual([43, 300])
  expect(ids).toEqual([...ids].sort())
})
