import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AccountServer, clientId, clientSecret, startAccount } from '../support/account-server.ts'
import { untilSeen } from '../support/effort.ts'
import { mainIn } from '../support/in-process.ts'
import { pick, randomOf } from '../support/worlds.ts'

/** An edit here is never lost by `pull`, and the owner of an account is never guessed. */

let server: AccountServer
const folders: string[] = []
beforeAll(async () => {
  server = await startAccount()
})
afterAll(async () => {
  await server.close()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const policy = (name: string, action: string, owner = 'ab12-svc') => ({
  id: `id-${name}`,
  owner,
  readOnly: false,
  name,
  identities: ['urn:v1:eu:identity:user:ab12-svc/ann'],
  resources: [{ urn: 'urn:v1:eu:resource:vps:vps-1' }],
  permissions: { allow: [{ action }] },
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'grantwise-pull-'))
  folders.push(folder)
  return folder
}

function pull(folder: string, ...options: readonly string[]) {
  const env = {
    GRANTWISE_BASE_URL: server.url,
    GRANTWISE_AUTH_URL: server.url,
    GRANTWISE_CLIENT_ID: clientId,
    GRANTWISE_CLIENT_SECRET: clientSecret,
  }
  return mainIn(['pull', ...options], folder, env)
}

/** The files of policies with their texts. */
function textsIn(folder: string): ReadonlyMap<string, string> {
  const policies = join(folder, 'policies')
  const names = existsSync(policies) ? readdirSync(policies).sort() : []
  return new Map(names.map((name) => [name, readFileSync(join(policies, name), 'utf8')]))
}

test('a text that was edited here stays as it is, whatever the account has now, and a second run finds nothing else', async () => {
  const random = randomOf(20_261_202)
  const seen = { kept: 0, conflict: 0, broken: 0, removed: 0, written: 0, changed: 0 }
  const actions = ['vps:apisvc:get', 'vps:apisvc:reboot', 'vps:apisvc:terminate']
  for (const _ of untilSeen(seen, 120)) {
    const folder = newFolder()
    const account = () => ['web', 'mail', 'dns'].flatMap((name) => (random() < 0.7 ? [policy(name, pick(random, actions))] : []))
    server.lists.policies = account()
    expect((await pull(folder)).exit).toBe(0)
    for (let step = 0; step < 3; step++) {
      const edited = new Map<string, string>()
      for (const [name, text] of textsIn(folder)) {
        const isBroken = random() < 0.4
        if (random() < 0.6) continue
        edited.set(name, isBroken ? 'name: [\n' : text.replace(/vps:apisvc:\w+/, 'vps:apisvc:mine'))
        writeFileSync(join(folder, 'policies', name), edited.get(name) as string)
      }
      const before = textsIn(folder)
      server.lists.policies = account()
      const first = await pull(folder)
      const after = textsIn(folder)
      for (const [name, text] of edited) expect({ name, text: after.get(name), ...first }).toEqual({ name, text, ...first })
      if (first.exit !== 0) expect(after).toEqual(before)
      const again = await pull(folder)
      expect({ exit: again.exit, texts: textsIn(folder) }).toEqual({ exit: first.exit, texts: after })
      seen.kept += Number(first.exit === 0 && edited.size > 0)
      seen.conflict += Number(first.exit === 1)
      seen.broken += Number(first.exit === 1 && [...edited.values()].includes('name: [\n'))
      for (const kind of ['removed', 'written', 'changed'] as const) seen[kind] += Number(first.stdout.includes(`: ${kind}\n`))
      // The account is the word on all of it, for the next step.
      if (first.exit !== 0) expect((await pull(folder, '--force')).exit).toBe(0)
    }
  }
  for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThan(0)
})

test.each<readonly [string, readonly string[], string | undefined]>([
  ['one', ['ab12-svc', 'ab12-svc'], 'ab12-svc'],
  ['two', ['ab12-svc', 'cd34-svc'], undefined],
  ['two, in the other order', ['cd34-svc', 'ab12-svc'], undefined],
])('the account of policies with owners: %s', async (_, owners, account) => {
  server.lists.policies = owners.map((owner, i) => policy(`p${i}`, 'vps:apisvc:get', owner))
  const folder = newFolder()
  const { exit, stderr } = await pull(folder)
  expect([exit, stderr.includes('the account id cannot be determined')]).toEqual([0, account === undefined])
  const world = join(folder, 'world.yaml')
  const written = existsSync(world) ? /^account: (.*)$/m.exec(readFileSync(world, 'utf8'))?.[1] : undefined
  expect(written).toBe(account)
})
