import { afterEach, describe, expect, test } from 'vitest'
import { faultOf, readServeOptions } from '../../src/cli/live/serve-options.ts'
import { type Emulator, type EmulatorOptions, startEmulator } from '../../src/embed.ts'
import { type Fault, openFaults, readFault } from '../../src/emulator/model/faults.ts'
import { ask } from '../support/http.ts'
import { drivenClock, testService } from '../support/service.ts'

const client = { id: 'EU.0123456789abcdef', secret: 'a secret of the tests' }
const identity = `urn:v1:eu:identity:credential:ab12-svc/oauth2-${client.id}`
const backup = '/v2/vmwareCloudDirector/backup/backup-1'
const seed = {
  account: 'ab12-svc',
  policies: [
    { name: 'all', identities: [identity], resources: [{ urn: 'urn:v1:eu:resource:*' }], permissions: { allow: [{ action: '*' }] } },
  ],
  resources: [{ urn: 'urn:v1:eu:resource:vps:vps-1' }, { urn: 'urn:v1:eu:resource:webHosting:example.org' }],
  standIn: {
    serviceAccounts: [{ identity, secret: client.secret }],
    resources: [{ urn: 'urn:v1:eu:resource:vmwareCloudDirectorBackup:backup-1', path: backup, currentState: { offers: ['daily'] } }],
  },
}
const form = { 'content-type': 'application/x-www-form-urlencoded' }

const open: Emulator[] = []
async function started(options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = await startEmulator({ config: false, seed, ...options })
  open.push(emulator)
  return emulator
}
afterEach(async () => {
  for (const emulator of open.splice(0)) await emulator.close()
})
const grant = { grant_type: 'client_credentials', client_id: client.id, client_secret: client.secret, scope: 'all' }
const tokenAnswer = (emulator: Emulator) => ask(emulator, 'POST', '/eu/auth/oauth2/token', form, new URLSearchParams(grant).toString())
const bearer = async (emulator: Emulator) => ({ authorization: `Bearer ${(await tokenAnswer(emulator)).body.access_token}` })

describe('faults', () => {
  const statuses = async (emulator: Emulator, path: string, count: number) => {
    const token = await bearer(emulator)
    const answers = []
    for (let i = 0; i < count; i++) answers.push((await ask(emulator, 'GET', `/eu${path}`, token)).status)
    return answers
  }

  test('a share of the calls of a route, the same ones with the same seed', async () => {
    const faults = [{ method: 'GET' as const, path: '/v1/vps/{serviceName}', status: 429, retryAfter: 7, share: 0.5 }]
    const first = await started({ faults, faultSeed: 1 })
    const hit = await statuses(first, '/v1/vps/vps-1', 20)
    expect(new Set(hit)).toEqual(new Set([200, 429]))
    expect(await statuses(first, '/v1/hosting/web/example.org', 5)).toEqual([200, 200, 200, 200, 200])
    first.setFaults(faults, 1)
    expect(await statuses(first, '/1.0/vps/vps-1', 20)).toEqual(hit)
    first.setFaults(faults, 2)
    expect(await statuses(first, '/v1/vps/vps-1', 20)).not.toEqual(hit)
    first.setFaults()
    expect(await statuses(first, '/v1/vps/vps-1', 3)).toEqual([200, 200, 200])
  })

  test('a number of times counts the calls that are hit, and not those that are spared', () => {
    const hits = (more: Partial<Fault>, seed: number) => {
      const faults = openFaults()
      faults.set([{ path: '/v1/vps/*', status: 429, ...more }], seed)
      return Array.from({ length: 60 }, () => faults.take({ method: 'GET', path: '/v1/vps/vps-1' }) !== undefined)
    }
    for (let seed = 0; seed < 20; seed++)
      for (const share of [0.1, 0.5, 1]) {
        const all = hits({ share }, seed)
        for (const times of [1, 3, 10]) {
          let left = times
          expect(hits({ share, times }, seed), `${seed} ${share} ${times}`).toEqual(all.map((isHit) => isHit && left-- > 0))
        }
      }
  })

  test('the first calls alone, with the header and a body that says why', async () => {
    const emulator = await started({ faults: [{ path: '/v1/vps/*', status: 429, retryAfter: 7, times: 2 }] })
    const token = await bearer(emulator)
    const answer = await ask(emulator, 'GET', '/eu/v1/vps/vps-1', token)
    expect(answer).toMatchObject({
      status: 429,
      body: { class: 'Client::TooManyRequests', message: 'this fault was asked for: status 429' },
    })
    expect([answer.headers['retry-after'], answer.headers['x-stand-in']]).toEqual(['7', 'stand-in'])
    expect(await statuses(emulator, '/v1/vps/vps-1', 2)).toEqual([429, 200])
  })

  test('without a path: every call, the token endpoint too, and no page', async () => {
    const emulator = await started({ faults: [{ status: 500 }] })
    expect((await tokenAnswer(emulator)).status).toBe(500)
    expect((await ask(emulator, 'GET', '/eu/console')).status).toBe(200)
    expect((await ask(emulator, 'GET', '/health')).status).toBe(200)
  })

  test('an answer is held back, by all faults together, and nothing of what it does', async () => {
    const { send, service } = testService()
    service.faults.set([{ latency: 200 }, { path: '/v1/auth/*', latency: 100 }], 0)
    expect(send('GET', '/1.0/auth/time')).toMatchObject({ status: 200, delay: 300 })
    const emulator = await started({ faults: [{ path: '/v1/auth/time', latency: 30 }] })
    const start = performance.now()
    expect((await ask(emulator, 'GET', '/eu/1.0/auth/time')).status).toBe(200)
    expect(performance.now() - start).toBeGreaterThan(29)
  })

  test('one that can hit nothing is refused', () => {
    for (const path of ['/eu/v1/vps', '/vps', '/v3/vps', '/v1/vps?x=1', '/v1/vps#x', '/_emulator/reset', '/health'])
      expect(readFault({ path, status: 500 }), path).toContain('no call has the path')
    for (const path of ['*', '/*', '/v*/vps', '/{branch}/vps', '/1.0/vps', '/v2', '/auth/oauth2/token', '/console/*', '/'])
      expect(readFault({ path, status: 500 }), path).toEqual({ path, status: 500 })
  })

  test('they are set, listed and taken away by the route of the emulator', async () => {
    const emulator = await started()
    const send = (method: string, body?: unknown) =>
      ask(emulator, method, '/_emulator/faults', { 'content-type': 'application/json' }, body === undefined ? '' : JSON.stringify(body))
    const fault = { path: '/v1/vps', status: 503 }
    expect((await send('PUT', { faults: [fault], seed: 3 })).body).toEqual({ faults: [fault], seed: 3 })
    expect(await statuses(emulator, '/v1/vps', 1)).toEqual([503])
    expect((await send('PUT', { faults: [{ status: 503 }, { status: 200 }] })).body.message).toContain('`faults[1]`: `status` is not')
    expect((await send('GET')).body).toEqual({ faults: [fault], seed: 3 })
    expect((await send('DELETE')).body).toEqual({ faults: [], seed: 0 })
    expect((await send('PUT', {})).status).toBe(400)
    expect((await send('PUT', { faults: [], seed: 'x' })).status).toBe(400)
  })

  test('shares are what they say, whatever the seed', () => {
    for (const share of [0.1, 0.5, 0.9]) {
      for (const seed of [0, 1, -7, 2 ** 40]) {
        const faults = openFaults()
        faults.set([{ status: 500, share }], seed)
        const hits = Array.from({ length: 5000 }, () => faults.take({ method: 'GET', path: '/v1/me' })).filter(
          (each) => each !== undefined,
        ).length
        expect(Math.abs(hits / 5000 - share)).toBeLessThan(0.04)
      }
    }
  })

  test.each<[unknown, string]>([
    [[], 'is an object'],
    [{}, 'does nothing'],
    [{ stauts: 500 }, 'has no `stauts`'],
    [{ status: 399 }, '`status`'],
    [{ status: 500, share: 0 }, '`share`'],
    [{ status: 500, method: 'get' }, '`method`'],
    [{ status: 500, path: 'v1' }, '`path`'],
    [{ status: 500, times: 0 }, '`times`'],
    [{ latency: -1 }, '`latency`'],
    [{ latency: 1, retryAfter: 1 }, '`retryAfter` is given without'],
    [{ task: 'slow' }, '`task`'],
    [{ task: 'fail', status: 500 }, 'is given with a task'],
  ])('%j is none', (value, said) => {
    expect(readFault(value)).toContain(said)
  })

  test.each<[string, Fault]>([
    ['GET /v1/vps/* status=429 retry-after=2 share=10%', { method: 'GET', path: '/v1/vps/*', status: 429, retryAfter: 2, share: 0.1 }],
    ['latency=500ms', { latency: 500 }],
    ['latency=2s share=.5', { latency: 2000, share: 0.5 }],
    ['/v2/* task=fail times=1', { path: '/v2/*', task: 'fail', times: 1 }],
    ['PUT task-step=1m', { method: 'PUT', taskStep: 60_000 }],
  ])('--fault %s', (text, fault) => {
    expect(faultOf(text)).toEqual(fault)
  })
})

describe('tasks that fail or take their time', () => {
  const change = { targetSpec: { offers: ['weekly'] } }
  const tasks = (tested: ReturnType<typeof assetService>) => tested.call('GET', `${backup}/task`).body as { status: string }[]
  function assetService() {
    const at = new Date(drivenClock().now()).toISOString()
    const asset = { path: backup, region: 'eu', account: 'ab12-svc', urn: 'urn:v1:eu:resource:vmwareCloudDirectorBackup:backup-1' }
    const states = { currentState: { offers: ['daily'] }, targetSpec: { offers: ['daily'] } }
    const value = { ...asset, ...states, createdAt: at, updatedAt: at, tasks: 0, events: 0, waiting: [] }
    const tested = testService({ state: [{ kind: 'asset', key: `eu ${backup}`, value }] })
    tested.allow(['*'])
    return tested
  }

  test('a task fails in its second step: the resource stays as it is, and may be tried again', () => {
    const tested = assetService()
    const { call, clock, service } = tested
    service.faults.set([{ method: 'PUT', task: 'fail', times: 1 }], 0)
    expect(call('PUT', backup, { body: change })).toMatchObject({ status: 200, body: { resourceStatus: 'UPDATING' } })
    clock.advance(10_000)
    expect(tasks(tested)).toMatchObject([
      {
        status: 'ERROR',
        progress: [
          { name: 'prepare', status: 'DONE' },
          { name: 'apply', status: 'ERROR' },
          { name: 'verify', status: 'PENDING' },
        ],
        errors: [{ message: expect.stringContaining('step apply failed') }],
      },
    ])
    expect(Object.keys(tasks(tested)[0] ?? {})).not.toContain('fails')
    expect(call('GET', backup)).toMatchObject({ body: { resourceStatus: 'ERROR', currentState: { offers: ['daily'] }, currentTasks: [] } })
    const events = call('GET', `${backup}/event`)
    expect((events.body as { type: string }[]).map(({ type }) => type)).toEqual(['TargetSpecUpdate', 'TaskStart', 'TaskError'])
    expect(events.origin).toBe('public')
    expect(call('PUT', backup, { body: change })).toMatchObject({ body: { resourceStatus: 'UPDATING' } })
    clock.advance(2000)
    expect(call('GET', backup)).toMatchObject({ body: { resourceStatus: 'READY', currentState: { offers: ['weekly'] } } })
    expect(tasks(tested).map(({ status }) => status)).toEqual(['ERROR', 'DONE'])
  })

  test('each step takes as long as the fault says', () => {
    const tested = assetService()
    const { call, clock, service } = tested
    service.faults.set([{ method: 'PUT', taskStep: 60_000 }], 0)
    call('PUT', backup, { body: change })
    clock.advance(239_999)
    expect(tasks(tested)).toMatchObject([{ status: 'RUNNING' }])
    clock.advance(1)
    expect(tasks(tested)).toMatchObject([{ status: 'DONE' }])
  })
})

test('--token-lifetime: what is answered, and when a token ends', async () => {
  const emulator = await started({ tokenLifetime: 5, clock: '2026-01-15T10:00:00Z' })
  const { body } = await tokenAnswer(emulator)
  expect(body.expires_in).toBe(5)
  const token = { authorization: `Bearer ${body.access_token}` }
  emulator.advance(4999)
  expect((await ask(emulator, 'GET', '/eu/v1/vps', token)).status).toBe(200)
  emulator.advance(1)
  expect((await ask(emulator, 'GET', '/eu/v1/vps', token)).status).toBe(401)
})

test('--token-lifetime and --clock are read in the units that they are written in', () => {
  const options = { host: '127.0.0.1', port: 0, allowRemote: false, fault: [], faultSeed: 1 } as unknown as Parameters<
    typeof readServeOptions
  >[0]
  const lifetime = (tokenLifetime?: string) => readServeOptions({ ...options, tokenLifetime }).tokenLifetime
  expect(['5', '90s', '2h', '30d'].map(lifetime)).toEqual([5, 90, 7200, 2_592_000])
  for (const text of ['0', '31d', '500ms', 'soon']) expect(() => lifetime(text), text).toThrow('expected a number of seconds')
  expect(['-2h', '+30d'].map((clock) => readServeOptions({ ...options, clock }).clock)).toEqual([
    { offset: -7_200_000 },
    { offset: 2_592_000_000 },
  ])
})

test('--strict-assets: 404 for what the seed does not list, after the policies', async () => {
  const emulator = await started({ strictAssets: true, stubs: { 'GET /v1/vps/{serviceName}': { state: 'running' } } })
  const token = await bearer(emulator)
  const status = async (path: string) => (await ask(emulator, 'GET', `/eu${path}`, token)).status
  expect(await status('/v1/vps/vps-1')).toBe(200)
  expect(await status('/v1/vps/vps-1/ips')).toBe(200)
  expect(await status('/v1/hosting/web/example.org')).toBe(200)
  for (const path of ['/v1/vps/vps-2', '/v1/vps/vps-2/ips', '/v1/hosting/web/other.example.org'])
    expect([path, await status(path)]).toEqual([path, 404])
  expect(await status('/v1/vps')).toBe(200)
  const lenient = await started()
  expect((await ask(lenient, 'GET', '/eu/v1/vps/vps-2', await bearer(lenient))).status).toBe(200)
})

describe('bodies that are given', () => {
  test('are answered where the call is allowed, the nearest path first', async () => {
    const stubs = {
      'GET /1.0/vps/{any}': { state: 'stopped' },
      'GET /v1/vps/vps-1': { state: 'running' },
      'GET /v1/hosting/web/{serviceName}': { offer: 'pro' },
    }
    const emulator = await started({ stubs })
    const token = await bearer(emulator)
    const get = (path: string, headers = {}) => ask(emulator, 'GET', `/eu${path}`, { ...token, ...headers })
    expect((await get('/v1/vps/vps-1')).body).toEqual({ state: 'running' })
    const other = await get('/1.0/vps/vps-2')
    expect([other.body, other.headers['x-stand-in']]).toEqual([{ state: 'stopped' }, 'stand-in'])
    expect((await get('/v1/hosting/web/example.org')).body).toEqual({ offer: 'pro' })
    expect((await ask(emulator, 'GET', '/eu/v1/vps/vps-1')).status).toBe(401)
    expect((await get('/v1/vps/vps-1/ips')).text).toBe('[]')
  })

  test.each([
    ['GET /v1/vsp/{serviceName}', 'no operation `GET /v1/vsp/{serviceName}` is known\n  help: did you mean'],
    ['FETCH /v1/vps', 'method `FETCH` is not one of'],
    ['GET /v2/iam/policy', 'the emulator answers `GET /v2/iam/policy` itself'],
  ])('%s: refused', async (call, said) => {
    await expect(started({ stubs: { [call]: {} } })).rejects.toThrow(said)
  })

  test('two for one operation are refused', async () => {
    await expect(started({ stubs: { 'GET /v1/vps/{a}': 1, 'GET /1.0/vps/{b}': 2 } })).rejects.toThrow('there are two bodies')
  })
})
