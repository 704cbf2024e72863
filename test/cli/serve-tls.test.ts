import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { selfSigned } from '../support/certificate.ts'
import { ioIn } from '../support/in-process.ts'
import { until } from '../support/patience.ts'
import { endAll, serving } from '../support/serving.ts'

/** `serve` over HTTPS as other programs see it, and its seed read again by a signal. */

const folder = mkdtempSync(join(tmpdir(), 'grantwise-serve-tls-'))
afterAll(() => {
  endAll()
  rmSync(folder, { recursive: true, force: true })
})
const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
const policy = (id: string) => ({
  name: 'web readers',
  identities: [`urn:v1:eu:identity:credential:ab12-svc/oauth2-${id}`],
  resources: [{ urn: 'urn:v1:eu:resource:webHosting:*' }],
  permissions: { allow: [{ action: 'webHosting:apisvc:get' }] },
})

test('curl and Node trust the certificate that they are given, and no other', async () => {
  const { cert, key } = selfSigned()
  write('server.pem', cert)
  write('server.key', key)
  write('other.pem', selfSigned().cert)
  const server = await serving(folder, '--tls-cert', 'server.pem', '--tls-key', 'server.key', '--ready-file', 'tls.json', '--quiet')
  await until(() => existsSync(join(folder, 'tls.json')))
  const ready = JSON.parse(readFileSync(join(folder, 'tls.json'), 'utf8'))
  expect([ready.url, ready.regions.ca.url]).toEqual([`https://127.0.0.1:${server.port}`, `https://127.0.0.1:${server.port}/ca`])
  expect(server.stdout()).not.toContain('http://')
  const curl = (ca: string) => spawnSync('curl', ['-sS', '--cacert', ca, ready.health], { cwd: folder, encoding: 'utf8' })
  expect(JSON.parse(curl('server.pem').stdout)).toMatchObject({ status: 'ok' })
  expect(curl('other.pem')).toMatchObject({ status: 60, stdout: '' })
  const script = `fetch('${ready.health}').then((it) => it.text()).then(console.log, () => console.log('refused'))`
  const node = (ca: string) =>
    spawnSync(process.execPath, ['-e', script], { cwd: folder, encoding: 'utf8', env: { ...process.env, NODE_EXTRA_CA_CERTS: ca } })
  expect(node('server.pem').stdout).toContain('"status":"ok"')
  expect(node('other.pem').stdout).toBe('refused\n')
  server.process.kill('SIGTERM')
  expect(await server.ended).toBe(0)
})

test('SIGHUP reads the seed again; one with errors changes nothing', async () => {
  const ready = () => JSON.parse(readFileSync(join(folder, 'ready.json'), 'utf8'))
  write('seed.json', JSON.stringify([policy('EU.0123456789abcdef')]))
  const server = await serving(folder, '--seed', 'seed.json', '--ready-file', 'ready.json', '--quiet')
  await until(() => existsSync(join(folder, 'ready.json')))
  const [first] = ready().serviceAccounts
  write('seed.json', '{')
  server.process.kill('SIGHUP')
  await until(() => server.stderr().includes('the state stays as it is'))
  expect(server.stderr()).toMatch(/^seed\.json:1:\d+/)
  expect(ready().serviceAccounts).toEqual([first])
  write('seed.json', JSON.stringify([policy('EU.0123456789abcdef'), policy('EU.fedcba9876543210')]))
  server.process.kill('SIGHUP')
  await until(() => server.stderr().includes('the seed was read again'))
  const [same, second] = ready().serviceAccounts
  expect([same, second.clientId]).toEqual([first, 'EU.fedcba9876543210'])
  expect(server.stderr()).toContain(`client_id EU.fedcba9876543210  client_secret ${second.clientSecret}`)
  server.process.kill('SIGTERM')
  expect(await server.ended).toBe(0)
})

test('signals are handled before anything says that the emulator is ready', async () => {
  const { io, out } = ioIn(folder, {})
  const before: unknown[] = []
  const interrupted = (onReload?: () => void) => {
    before.push(typeof onReload, out.stdout, existsSync(join(folder, 'signals.json')))
    return Promise.resolve()
  }
  expect(await main(['serve', '--port', '0', '--no-config', '--ready-file', 'signals.json'], { ...io, interrupted })).toBe(0)
  expect(before).toEqual(['function', '', false])
  expect(out.stdout).toContain('Try:')
})
