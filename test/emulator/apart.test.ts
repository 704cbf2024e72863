import { expect, test } from 'vitest'
import type { Reply } from '../../src/emulator/model/exchange.ts'
import type { RecordChange } from '../../src/emulator/model/state.ts'
import { accountWorlds, idOf } from '../../src/emulator/model/worlds.ts'
import { testAccount, testIdentity, testService } from '../support/service.ts'
import { pick, randomOf } from '../support/worlds.ts'

/** Two accounts of one emulator: what one has is nothing to the other. */

const ours = 'urn:v1:eu:resource:vps:ours'
const theirs = 'urn:v1:eu:resource:vps:theirs'
const whose = 'urn:v1:eu:resource:vps:whose'
const theirGroup = 'urn:v1:eu:resourceGroup:0e2dd1a1-0b1c-4b3e-9f0a-8b6d4a3c2e10'
const at = '2026-01-01T00:00:00.000Z'

const inventory = (urn: string, owner: string | null): RecordChange => ({
  kind: 'inventory',
  key: urn,
  value: { urn, owner, tags: { env: 'prod' } },
})

/** An emulator whose service account may do everything that a policy can say. */
function powerful() {
  const all = testService({
    state: [
      { kind: 'account', key: 'zz99-svc', value: { id: 'zz99-svc', region: 'eu', schemasVersion: 1 } },
      inventory(ours, testAccount),
      inventory(theirs, 'zz99-svc'),
      inventory(whose, null),
      {
        kind: 'resourceGroup',
        key: theirGroup,
        value: {
          id: theirGroup.slice(-36),
          urn: theirGroup,
          account: 'zz99-svc',
          written: { name: 'their group', resources: [{ urn: theirs }] },
          readOnly: false,
          createdAt: at,
          updatedAt: null,
        },
      },
    ],
  })
  all.allow(['*'])
  return all
}

const pathOf = (urn: string) => `/v2/iam/resource/${encodeURIComponent(urn)}`
const urnsOf = ({ body }: Reply) => (body as readonly { urn: string }[]).map(({ urn }) => urn)

test('the inventory of another account is neither listed nor read, whatever a policy names', () => {
  const { call } = powerful()
  expect(urnsOf(call('GET', '/v2/iam/resource'))).toEqual([ours, whose])
  expect(call('GET', pathOf(theirs)).status).toBe(404)
  expect(call('GET', pathOf(ours)).status).toBe(200)
})

test('a policy that names what another account has learns nothing about it', () => {
  const { call } = powerful()
  const body = {
    name: 'curious',
    identities: [testIdentity],
    resources: [{ urn: theirs }, { urn: theirGroup }, { urn: ours }],
    permissions: { allow: [{ action: 'vps:*' }] },
  }
  const { id } = call('POST', '/v2/iam/policy', { body }).body as { id: string }
  expect(call('GET', `/v2/iam/policy/${id}?details=true`).body).toMatchObject({
    resources: [
      { urn: theirs, resource: null, group: null },
      { urn: theirGroup, resource: null, group: null },
      { urn: ours, resource: { tags: { env: 'prod' } }, group: null },
    ],
  })
})

test('decisions rest on the facts, also on those of what another account owns', () => {
  const { call } = powerful()
  const body = {
    name: 'tagged',
    identities: [testIdentity],
    resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
    permissions: { deny: [{ action: 'vps:*' }] },
    conditions: { operator: 'MATCH', values: { 'resource.Tag(env)': 'prod' } },
  }
  expect(call('POST', '/v2/iam/policy', { body }).status).toBe(200)
  expect(call('GET', '/v1/vps/ours').status).toBe(403)
  expect(call('GET', '/v1/vps/theirs').status).toBe(403)
})

test('nothing is done to what another account owns, though a policy allows everything everywhere', () => {
  const { call, service } = powerful()
  for (const [method, path] of [
    ['GET', '/v1/vps/NAME'],
    ['PUT', '/v1/vps/NAME'],
    ['POST', '/v1/vps/NAME/terminate'],
    ['POST', '/v1/vps/NAME/reboot'],
    ['GET', '/v1/vps/NAME/ips'],
  ] as const) {
    const statusOf = (name: string) => call(method, path.replace('NAME', name), method === 'PUT' ? { body: {} } : {}).status
    expect([method, path, statusOf('ours'), statusOf('whose'), statusOf('theirs')]).toEqual([method, path, 200, 200, 404])
  }
  expect(call('POST', '/v1/vps/theirs/terminate').body).toMatchObject({ message: `there is no resource \`${theirs}\`` })
  expect(service.calls.since(0).at(-1)?.record).toMatchObject({ verdict: 'allow', status: 404 })
})

test('an account has no right of its own on what another one owns', () => {
  const { send, service } = powerful()
  const digest = service.ports.digest.sha256('root')
  const root = `urn:v1:eu:identity:account:${testAccount}`
  service.state.commit([
    { kind: 'token', key: digest, value: { identity: root, account: testAccount, scope: 'all', expiresAt: Number.POSITIVE_INFINITY } },
  ])
  const headers = { authorization: 'Bearer root' }
  for (const [method, body] of [
    ['GET', undefined],
    ['PUT', {}],
  ] as const) {
    expect(send(method, '/v1/vps/ours', { headers, body }).status).toBe(200)
    expect(send(method, '/v1/vps/theirs', { headers, body }).status).toBe(403)
  }
  const checked = (urn: string) =>
    send('POST', `${pathOf(urn)}/authorization/check`, { headers, body: { actions: ['vps:apisvc:get'] } }).body
  expect(checked(ours)).toEqual({ authorizedActions: ['vps:apisvc:get'], unauthorizedActions: [] })
  expect(checked(theirs)).toEqual({ authorizedActions: [], unauthorizedActions: ['vps:apisvc:get'] })
})

test('a resource whose owner is not known is changed where there is one account, and not where there are several', () => {
  const change = { body: { tags: { env: 'dev' } } }
  const { call, service } = powerful()
  expect(call('PUT', pathOf(whose), change)).toMatchObject({ status: 501, body: { class: 'StandIn::Unknown' } })
  expect(call('POST', `${pathOf(whose)}/tag`, { body: { key: 'a', value: 'b' } }).status).toBe(501)
  expect(call('DELETE', `${pathOf(whose)}/tag/env`).status).toBe(501)
  expect(service.state.table('inventory').get(whose)?.tags).toEqual({ env: 'prod' })
  const alone = testService({ state: [inventory(whose, null)] })
  alone.allow(['*'])
  expect(alone.call('PUT', pathOf(whose), change).status).toBe(200)
})

test('a path without a branch is none: nothing seems to be done', () => {
  const { call, send, service } = powerful()
  const sinks: unknown[] = []
  service.sinks.add((record) => sinks.push(record))
  for (const [method, path, said] of [
    ['GET', '/vps/ours', '`/v1/vps/ours`'],
    ['POST', '/iam/policy', '`/v2/iam/policy`'],
    ['GET', '/auth/time', '`/v1/auth/time`'],
  ] as const) {
    const reply = call(method, path)
    expect([path, reply.status]).toEqual([path, 404])
    expect((reply.body as { message: string }).message).toContain(said)
  }
  expect(sinks).toEqual([])
  expect(send('OPTIONS', '/vps/ours').status).toBe(404)
  expect(send('GET', '/auth/oauth2/token')).toMatchObject({ status: 405, headers: { allow: 'POST' } })
  expect(call('GET', '/v1/vps/ours').status).toBe(200)
})

test('after each change of policies the world of an account has its own, and decides as one that is made anew', () => {
  const others = ['zz99-svc', 'yy88-svc']
  const accounts = [testAccount, ...others]
  const { service } = testService({
    state: others.map((key) => ({ kind: 'account', key, value: { id: key, region: 'eu', schemasVersion: 1 } })),
  })
  const { state, settings } = service
  const random = randomOf(20_261_205)
  // All of them name one identity: a policy of another account would count for it.
  const change = (): RecordChange => {
    const [id, account] = [`p${Math.floor(random() * 6)}`, pick(random, accounts)]
    const written = {
      name: id,
      identities: [testIdentity],
      resources: [{ urn: pick(random, [ours, theirs, 'urn:v1:eu:resource:*']) }],
      permissions: { [pick(random, ['allow', 'allow', 'deny'])]: [{ action: pick(random, ['vps:apisvc:get', 'vps:*']) }] },
    }
    const value = { id, account, written, readOnly: false, createdAt: at, updatedAt: null }
    return random() < 0.2 ? { kind: 'policy', key: id } : { kind: 'policy', key: id, value }
  }
  const seen = { allow: 0, deny: 0 }
  for (let i = 0; i < 150; i++) {
    state.commit(Array.from({ length: 1 + Math.floor(random() * 3) }, change))
    const anew = accountWorlds(state, settings)
    for (const account of accounts) {
      const [followed, made] = [service.worldOf(account), anew(account)]
      const own = [...state.table('policy').all()].flatMap((each) => (each.account === account ? [each.id] : []))
      expect(followed.world.policies.map(idOf).sort(), `${i} ${account}`).toEqual(own.sort())
      for (const resource of [ours, theirs])
        for (const action of ['vps:apisvc:get', 'vps:apisvc:reboot']) {
          const question = { identity: testIdentity, action, resource, at: 0, groups: [] }
          const { verdict } = made.decide(question)
          expect(followed.decide(question).verdict, `${i} ${account} ${action}`).toBe(verdict)
          if (verdict !== 'unknown') seen[verdict]++
        }
    }
  }
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(50)
})
