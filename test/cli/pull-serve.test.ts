import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Io } from '../../src/cli/app/io.ts'
import { main } from '../../src/cli/main.ts'
import { decide } from '../../src/simulate/decide.ts'
import { ioIn, servingIn } from '../support/in-process.ts'
import { generate, questionOf, randomOf, worldOf } from '../support/worlds.ts'

/** `pull` from `serve`: the one program's client against its own emulator. */

const secret = 'emulator-secret-of-the-tests'
const puller = 'urn:v1:eu:identity:credential:ab12-svc/oauth2-puller'
const admin = 'urn:v1:eu:identity:credential:ab12-svc/oauth2-admin'
const poor = 'urn:v1:eu:identity:credential:ab12-svc/oauth2-poor'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'grantwise-pull-serve-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const ioOf = (env: Io['env']) => ioIn(folder, env)
const serving = <T>(seeds: readonly string[], run: (url: string) => Promise<T>) =>
  servingIn(
    folder,
    seeds.flatMap((seed) => ['--seed', seed]),
    run,
  )

async function pull(url: string, client: string, ...args: string[]) {
  const { io, out } = ioOf({
    GRANTWISE_BASE_URL: url,
    GRANTWISE_AUTH_URL: url,
    GRANTWISE_CLIENT_ID: client,
    GRANTWISE_CLIENT_SECRET: secret,
  })
  const code = await main(['pull', ...args], io)
  expect(out.stdout + out.stderr).not.toContain(secret)
  return { code, ...out }
}

/** Calls of the list of policies and below, each of which must be allowed. */
async function callsOf(url: string, client: string) {
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: client, client_secret: secret, scope: 'all' })
  const answer = await fetch(`${url}/auth/oauth2/token`, { method: 'POST', body: form })
  const { access_token: token } = (await answer.json()) as { access_token: string }
  return async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${url}/v2/iam/policy${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    expect(response.ok, `${method} ${path}: ${text}`).toBe(true)
    return text === '' ? undefined : JSON.parse(text)
  }
}

const seed = {
  standIn: {
    accounts: [{ id: 'ab12-svc', region: 'eu' }],
    serviceAccounts: [
      { identity: puller, secret },
      { identity: admin, secret },
      { identity: poor, secret },
    ],
  },
}
const readers = {
  name: 'the puller reads everything',
  identities: [puller],
  resources: [{ urn: 'urn:v1:eu:resource:*' }],
  permissions: { allow: [{ action: '*get' }] },
}
const admins = { ...readers, name: 'the admin does everything', identities: [admin], permissions: { allow: [{ action: '*' }] } }
const policy = (name: string, action: string) => ({
  name,
  identities: ['urn:v1:eu:identity:user:ab12-svc/ann'],
  resources: [{ urn: 'urn:v1:eu:resource:vps:vps-1' }, { urn: 'urn:v1:eu:resourceGroup:g1' }],
  permissions: { allow: [{ action }] },
})
const put = (file: string, value: unknown) => writeFileSync(join(folder, file), JSON.stringify(value))
const read = (file: string) => readFileSync(join(folder, file), 'utf8')

test('policies that change in the account change in the files, and nothing else does', async () => {
  put('seed.json', seed)
  put('policies.json', {
    account: 'ab12-svc',
    policies: [readers, admins, policy('web', 'vps:apisvc:reboot'), policy('old', 'vps:apisvc:edit')],
    resourceGroups: [
      { id: 'g1', urn: 'urn:v1:eu:resourceGroup:g1', name: 'servers', resources: [{ urn: 'urn:v1:eu:resource:vps:vps-2' }] },
    ],
    permissionsGroups: [{ urn: 'urn:v1:eu:permissionsGroup:ab12-svc:ops', name: 'ops', permissions: { allow: [{ action: 'vps:*' }] } }],
    resources: [{ urn: 'urn:v1:eu:resource:vps:vps-1', owner: 'ab12-svc', tags: { env: 'prod' } }],
  })
  await serving(['seed.json', 'policies.json'], async (url) => {
    const first = await pull(url, 'puller', 'account', '--page-size', '2')
    expect(first, first.stderr).toMatchObject({ code: 0, stderr: '' })
    expect(readdirSync(join(folder, 'account/policies')).sort()).toEqual([
      'old.yaml',
      'the-admin-does-everything.yaml',
      'the-puller-reads-everything.yaml',
      'web.yaml',
    ])
    expect(read('account/world.yaml')).toMatch(/env: prod/)
    expect(read('account/world.yaml')).toMatch(/urn:v1:eu:resource:vps:vps-2/)
    expect((await pull(url, 'puller', 'account', '--check')).code).toBe(0)

    const denied = await pull(url, 'poor', 'account')
    expect(denied).toMatchObject({ code: 2, stdout: '' })
    expect(denied.stderr).toContain('allow `account:apisvc:iam/policy/get` on the account for `oauth2-poor` in a policy')

    expect(await pull(url, 'puller', 'account', '--schemas-version', '1', '--page-size', '1')).toMatchObject({ code: 0, stderr: '' })
    const unknown = await pull(url, 'puller', 'account', '--schemas-version', '9999')
    expect(unknown).toMatchObject({ code: 2, stdout: '' })
    expect(unknown.stderr).toMatch(/GET \/v2\/iam\/policy: the service answers 4\d\d: /)
    expect((await pull(url.replace(/eu$/, 'ca'), 'puller', 'account', '--retries', '0')).code).toBe(2)

    // Users work on both sides: comments here, policies there.
    writeFileSync(join(folder, 'account/policies/web.yaml'), `# the web team\n${read('account/policies/web.yaml')}`)
    expect(await pull(url, 'puller', 'account')).toMatchObject({
      code: 0,
      stdout: '4 policies in the account; 4 files left as they are\n',
    })
    const call = await callsOf(url, 'admin')
    const listed = (await call('GET', '')) as { id: string; name: string }[]
    const idOf = (name: string) => `/${listed.find((each) => each.name === name)?.id}`
    await call('PUT', idOf('web'), policy('web and more', 'vps:apisvc:terminate'))
    await call('DELETE', idOf('old'))
    await call('POST', '', policy('new', 'vps:apisvc:get'))

    const drift = await pull(url, 'puller', 'account', '--check', '--format', 'json')
    expect(drift.code).toBe(1)
    const { gained, lost } = JSON.parse(drift.stdout)
    expect(gained).toMatchObject([{ actions: ['vps:apisvc:get', 'vps:apisvc:terminate'] }])
    expect(lost).toMatchObject([{ actions: ['vps:apisvc:edit', 'vps:apisvc:reboot'] }])
    const second = await pull(url, 'puller', 'account')
    expect(second).toMatchObject({ code: 0, stderr: '' })
    expect(second.stdout.trim().split('\n').sort()).toEqual([
      '4 policies in the account; 2 files left as they are',
      'account/policies/new.yaml: written',
      'account/policies/old.yaml: removed',
      'account/policies/web.yaml: changed',
    ])
    expect(read('account/policies/web.yaml')).toMatch(/^# the web team\nname: web and more\n[\s\S]*- action: vps:apisvc:terminate\n$/)
    expect((await pull(url, 'puller', 'account', '--check')).code).toBe(0)
  })
})

test('what was pulled can be served, and is the same account', async () => {
  mkdirSync(join(folder, 'copy'), { recursive: true })
  put('copy/seed.json', seed)
  await serving(['copy/seed.json', 'account/policies', 'account/world.yaml'], async (url) => {
    const same = await pull(url, 'puller', 'account', '--check')
    expect(same, same.stderr + same.stdout).toMatchObject({ code: 0 })
  })
})

test('the files decide as what is served', async () => {
  const random = randomOf(20_261_120)
  put('seed.json', seed)
  for (let i = 0; i < 3; i++) {
    const { world, questions } = generate(random, 150)
    const { identities, ...rest } = world
    const whole = {
      ...rest,
      account: 'ab12-svc',
      policies: [...world.policies.map((each) => ({ ...each, readOnly: false })), readers],
      identities,
    }
    put('policies.json', whole)
    const pulled = `world-${i}`
    await serving(['seed.json', 'policies.json'], async (url) => {
      const { code, stderr } = await pull(url, 'puller', pulled, '--partial')
      expect(code, stderr).toBe(0)
    })
    const theirs = worldOf(whole)
    put(`${pulled}/own.json`, { identities })
    expect(theirs.policies.length).toBe(readdirSync(join(folder, pulled, 'policies')).length)
    const { io, out } = ioOf({})
    const batch = questions.map((question, id) => JSON.stringify({ ...question, id })).join('\n')
    writeFileSync(join(folder, 'questions.ndjson'), batch)
    expect(await main(['can', '--batch', 'questions.ndjson', '-p', pulled, '--format', 'ndjson'], io), out.stderr).toBe(0)
    const answers = out.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { verdict: string })
    for (const [id, question] of questions.entries())
      expect(answers[id]?.verdict, JSON.stringify({ whole, question })).toBe(decide(theirs, questionOf(question)).verdict)
  }
})
