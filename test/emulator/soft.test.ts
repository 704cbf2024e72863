import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { type Emulator, type EmulatorOptions, startEmulator } from '../../src/embed.ts'
import { defaultSettings } from '../../src/names.ts'
import { readSource } from '../../src/parser/read-source.ts'
import { buildWorld } from '../../src/parser/world.ts'
import { decide } from '../../src/simulate/decide.ts'
import { sourceOf } from '../../src/source.ts'
import { effort } from '../support/effort.ts'
import { type Answered, ask } from '../support/http.ts'

/** Soft mode: calls that policies refuse go through, and the policies that they need are shown. */

const account = 'ab12-svc'
const client = { id: 'EU.0123456789abcdef', secret: 'a secret of the tests' }
const identity = `urn:v1:eu:identity:credential:${account}/oauth2-${client.id}`
const policy = (name: string, permissions: object, others: object = {}) => ({
  name,
  identities: [identity],
  resources: [{ urn: 'urn:v1:eu:resource:vps:vps-1' }, { urn: 'urn:v1:eu:resource:vps:vps-2' }],
  permissions,
  ...others,
})
const standIn = { accounts: [{ id: account, region: 'eu' }], serviceAccounts: [{ identity, secret: client.secret }] }

const open: Emulator[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
})

async function started(policies: readonly object[], options: EmulatorOptions = { soft: true }) {
  const emulator = await startEmulator({
    config: false,
    seed: [{ account, policies }, { standIn }],
    clock: '2026-06-01T12:00:00Z',
    ...options,
  })
  open.push(emulator)
  const form = new URLSearchParams({ grant_type: 'client_credentials', scope: 'all', client_id: client.id, client_secret: client.secret })
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const { body } = await ask(emulator, 'POST', '/eu/auth/oauth2/token', type, form.toString())
  const token = { authorization: `Bearer ${body.access_token}`, 'content-type': 'application/json' }
  const call = (method: string, path: string): Promise<Answered> =>
    ask(emulator, method, `/eu${path}`, token, method === 'POST' ? '{}' : '')
  return { emulator, call }
}

test('a refused call goes through, and the policy that it needs is the smallest', async () => {
  const { emulator, call } = await started([policy('looks', { allow: [{ action: 'vps:apisvc:get' }] })])
  const allowed = await call('GET', '/v1/vps/vps-1')
  const refused = await call('POST', '/v1/vps/vps-1/reboot')
  expect([allowed.headers['grantwise-soft'], refused.headers['grantwise-soft']]).toEqual([undefined, 'refused'])
  expect(refused.status).toBe(allowed.status)
  await call('POST', '/v1/vps/vps-2/reboot')
  expect(emulator.needed()).toMatchObject({
    calls: 2,
    policies: [
      {
        identities: [identity],
        resources: [{ urn: 'urn:v1:eu:resource:vps:vps-1' }, { urn: 'urn:v1:eu:resource:vps:vps-2' }],
        permissions: { allow: [{ action: 'vps:apisvc:reboot' }] },
      },
    ],
    denied: [],
    undecided: [],
    withoutResource: [],
  })
  const { body } = await ask(emulator, 'GET', '/_emulator/needed')
  expect(body).toEqual(JSON.parse(JSON.stringify(emulator.needed())))
  // A decision stays as it was in the journal.
  const { requests } = (await ask(emulator, 'GET', '/_emulator/requests')).body as { requests: { verdict: string }[] }
  expect(requests.map(({ verdict }) => verdict)).toEqual(['allow', 'deny', 'deny'])
  expect((await ask(emulator, 'GET', '/eu/console/calls', { accept: 'text/html' })).text).toContain('vps:apisvc:reboot')
  expect((await ask(emulator, 'DELETE', '/_emulator/needed')).body).toMatchObject({ calls: 0, policies: [] })
  await call('POST', '/v1/vps/vps-1/reboot')
  emulator.reset()
  expect(emulator.needed()).toMatchObject({ calls: 0, policies: [] })
})

test('what a policy denies and what is not known is listed, and not granted', async () => {
  const { emulator, call } = await started([
    policy('all', { allow: [{ action: 'vps:*' }], deny: [{ action: 'vps:apisvc:reboot' }] }),
    policy(
      'by tag',
      { allow: [{ action: 'vps:apisvc:start' }], deny: [{ action: 'vps:apisvc:start' }] },
      {
        conditions: { operator: 'MATCH', values: { 'resource.Tag(env)': 'prod' } },
      },
    ),
  ])
  expect((await call('POST', '/v1/vps/vps-1/reboot')).headers['grantwise-soft']).toBe('refused')
  expect((await call('POST', '/v1/vps/vps-1/start')).headers['grantwise-soft']).toBe('undecided')
  expect(emulator.needed()).toMatchObject({
    calls: 2,
    policies: [],
    denied: [{ action: 'vps:apisvc:reboot', by: ['all'] }],
    undecided: [{ action: 'vps:apisvc:start', missing: ['resource.Tag(env)'] }],
  })
})

test('without soft mode nothing goes through, and nothing is needed', async () => {
  const { emulator, call } = await started([], {})
  const { status, headers } = await call('POST', '/v1/vps/vps-1/reboot')
  expect([status, headers['grantwise-soft']]).toEqual([403, undefined])
  expect(emulator.needed()).toMatchObject({ calls: 0, policies: [] })
})

test('a missing token, an unknown path and another account are refused as before', async () => {
  const { emulator, call } = await started([])
  expect((await ask(emulator, 'GET', '/eu/v1/vps/vps-1')).status).toBe(401)
  expect((await call('GET', '/v1/nothing/here')).status).toBe(404)
  expect(emulator.needed().calls).toBe(0)
})

test('a resource of another account is refused as before, and needs no policy', async () => {
  const foreign = { account: 'zz99-svc', resources: [{ urn: 'urn:v1:eu:resource:vps:theirs' }], policies: [] }
  const others = {
    standIn: { accounts: [...standIn.accounts, { id: 'zz99-svc', region: 'eu' }], serviceAccounts: standIn.serviceAccounts },
  }
  const { emulator, call } = await started([], { soft: true, seed: [{ account, policies: [] }, foreign, others] })
  const { status, headers } = await call('POST', '/v1/vps/theirs/reboot')
  expect([status, headers['grantwise-soft']]).toEqual([403, undefined])
  expect(emulator.needed()).toMatchObject({ calls: 0, policies: [] })
  expect((await ask(emulator, 'GET', '/eu/console/calls', { accept: 'text/html' })).text).not.toContain('>let through<')
  await call('POST', '/v1/vps/ours/reboot')
  expect((await ask(emulator, 'GET', '/eu/console/calls', { accept: 'text/html' })).text).toContain('>let through<')
})

test('the policies follow as a stream', async () => {
  const { emulator, call } = await started([])
  const abort = new AbortController()
  const response = await fetch(`${emulator.url}/_emulator/needed`, { headers: { accept: 'text/event-stream' }, signal: abort.signal })
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  let text = ''
  const next = async () => {
    while (!/data: .*\n\n/.test(text)) text += new TextDecoder().decode((await reader.read()).value)
    const data = JSON.parse((/data: (.*)\n\n/.exec(text) as RegExpExecArray)[1] as string)
    text = ''
    return data
  }
  await call('POST', '/v1/vps/vps-1/reboot')
  expect(await next()).toMatchObject({ calls: 1, policies: [{ permissions: { allow: [{ action: 'vps:apisvc:reboot' }] } }] })
  await call('POST', '/v1/vps/vps-1/start')
  expect((await next()).policies[0].permissions.allow).toEqual([{ action: 'vps:apisvc:reboot' }, { action: 'vps:apisvc:start' }])
  abort.abort()
})

test('with the needed policies, each call that went through is allowed, and no other action of it', async () => {
  const calls = [
    ['GET', '/v1/vps/vps-1', 'vps:apisvc:get', 'vps-1'],
    ['POST', '/v1/vps/vps-1/reboot', 'vps:apisvc:reboot', 'vps-1'],
    ['POST', '/v1/vps/vps-2/reboot', 'vps:apisvc:reboot', 'vps-2'],
    ['POST', '/v1/vps/vps-2/start', 'vps:apisvc:start', 'vps-2'],
    ['POST', '/v1/vps/vps-1/stop', 'vps:apisvc:stop', 'vps-1'],
  ] as const
  const { emulator, call } = await started([])
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.constantFrom(...calls), { minLength: 1 }), async (made) => {
      await ask(emulator, 'DELETE', '/_emulator/needed')
      for (const [method, path] of made) await call(method, path)
      const { policies } = emulator.needed()
      const source = sourceOf('needed.json', JSON.stringify(policies), 'json')
      const { world } = buildWorld([(await readSource(source, defaultSettings)).facts])
      for (const [, , action, name] of calls) {
        const question = { identity, action, resource: `urn:v1:eu:resource:vps:${name}`, at: Date.UTC(2026, 5, 1, 12), groups: [] }
        const isMade = made.some(([, , made, on]) => made === action && on === name)
        expect(decide(world, question).verdict).toBe(isMade ? 'allow' : 'deny')
      }
    }),
    { numRuns: effort(20) },
  )
})
