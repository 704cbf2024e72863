import { expect, test } from 'vitest'
import { mainIn } from '../support/in-process.ts'
import { cleanUp, prepare } from '../support/scenario.ts'

const file = (name: string, content: string) => ({ kind: 'file', name, argument: '', content }) as const

const policy = `name: web
identities: [urn:v1:eu:identity:user:ab12-svc/bob]
resources: [{ urn: "urn:v1:eu:resource:vps:*" }]
permissions:
  allow: [{ action: "vps:apisvc:get" }, { action: "vps:apisvc:get" }]
  deny: [{ action: "vps:apisvc:reboot" }, { action: "vps:apisvc:stop" }]
`
const looks = `policies: web.yaml
tests:
  - { name: bob looks, identity: user/bob, action: "vps:apisvc:get", resource: vps/vps-1, at: 2026-01-15T12:00:00Z, expect: allow }
`
  .replace('user/bob', 'urn:v1:eu:identity:user:ab12-svc/bob')
  .replace('vps/vps-1', 'urn:v1:eu:resource:vps:vps-1')
const actions = ['put', 'start', 'rebuild', 'reinstall', 'setPassword', 'terminate', 'snapshot/get', 'disks/get', 'ips/get', 'use/get']
const cares = `policies: web.yaml
context: { at: 2026-01-15T12:00:00Z }
allow:
  - name: bob cares for servers
    identities: urn:v1:eu:identity:user:ab12-svc/bob
    actions: [${['get', 'reboot', 'stop', ...actions].map((name) => `"vps:apisvc:${name}"`).join(', ')}]
    resources: urn:v1:eu:resource:vps:vps-1
`

async function tested(...args: readonly string[]) {
  const folder = prepare([file('web.yaml', policy), file('looks.iamtest.yaml', looks), file('cares.iamtest.yaml', cares)])
  try {
    return await mainIn(['test', ...args], folder)
  } finally {
    cleanUp(folder)
  }
}

test('of many failures of a table some are shown, and the others counted', async () => {
  const { stdout, exit } = await tested('cares.iamtest.yaml')
  expect(exit).toBe(1)
  expect(stdout.match(/expected allow, got deny/g)).toHaveLength(10)
  expect(stdout).toContain('        and 2 more\n')
})

test.each([
  ['50', 0, 'at least 50 %'],
  ['51', 1, 'less than 51 %'],
])('2 of 4 entries and --min-coverage %s: %d', async (least, code, words) => {
  const { stdout, exit } = await tested('looks.iamtest.yaml', '--min-coverage', least)
  expect(stdout).toContain(`entries 2 of 4 (50 %), ${words}`)
  expect(exit).toBe(code)
})

test('mistakes that change no access need not be noticed', async () => {
  const { stdout } = await tested('looks.iamtest.yaml', '--mutate', '--format', 'json')
  const { tried, noticed, equal, survivors } = JSON.parse(stdout).mutation
  expect(equal).toBeGreaterThan(0)
  expect(noticed + equal + survivors.length).toBe(tried)
  expect((await tested('looks.iamtest.yaml', '--mutate')).stdout).toContain(
    `${noticed} of ${tried - equal} noticed; ${equal} more change no access`,
  )
})
