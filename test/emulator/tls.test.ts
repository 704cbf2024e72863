import { createPrivateKey } from 'node:crypto'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { Refusal } from '../../src/cli/app/refusal.ts'
import { readTlsFiles } from '../../src/cli/live/tls.ts'
import { type Emulator, startEmulator } from '../../src/embed.ts'
import { selfSigned } from '../support/certificate.ts'

/** The emulator over HTTPS, and a seed that is read again. */

const running: Emulator[] = []
const folder = mkdtempSync(join(tmpdir(), 'grantwise-tls-'))
afterEach(async () => {
  for (const emulator of running.splice(0)) await emulator.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function started(options: Parameters<typeof startEmulator>[0]): Promise<Emulator> {
  const emulator = await startEmulator({ config: false, ...options })
  running.push(emulator)
  return emulator
}

const own = selfSigned()
const other = selfSigned()

function body(address: string, ca: string): Promise<string> {
  return new Promise((done, fail) => {
    get(address, { ca, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (piece) => {
        text += piece
      })
      response.on('end', () => done(text))
    }).on('error', fail)
  })
}

test('answers over HTTPS, and every address says so', async () => {
  const { url, regions } = await started({ tls: own })
  expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
  expect([regions.eu.token, regions.ca.console]).toEqual([`${url}/eu/auth/oauth2/token`, `${url}/ca/console`])
  expect(JSON.parse(await body(`${url}/health`, own.cert))).toMatchObject({ status: 'ok' })
  expect(JSON.parse(await body(`${url}/_emulator/openapi.json`, own.cert)).servers).toMatchObject([{ url: regions.eu.url }, {}])
  expect(await body(`${url}/eu/console`, own.cert)).toContain('<html')
})

test('a client that does not trust the certificate, and one without TLS, get no answer', async () => {
  const { url } = await started({ tls: own })
  await expect(body(`${url}/health`, other.cert)).rejects.toThrow(/certificate/)
  await expect(fetch(url.replace('https', 'http'))).rejects.toThrow('fetch failed')
})

test('without a certificate, addresses begin with http', async () => {
  expect((await started({})).url).toMatch(/^http:/)
})

const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text)
  return name
}
const encrypted = createPrivateKey(own.key).export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' }).toString()
const broken = own.cert.replace(/\n(.{20}).{20}/, '\n$1')

test.each<[string, string | undefined, string | undefined, RegExp]>([
  ['no key', own.cert, undefined, /--tls-cert is given without --tls-key/],
  ['no certificate', undefined, own.key, /--tls-key is given without --tls-cert/],
  ['two certificates', own.cert, own.cert, /--tls-key key\.pem: no private key in PEM/],
  ['two keys', own.key, own.key, /--tls-cert cert\.pem: no certificate in PEM/],
  ['a broken certificate', broken, own.key, /no certificate in PEM/],
  ['nothing', '', own.key, /no certificate in PEM/],
  ['another key', own.cert, other.key, /--tls-key key\.pem: not the private key of the certificate of --tls-cert cert\.pem/],
  ['an encrypted key', own.cert, encrypted, /the private key is encrypted/],
  ['zero bytes', '\0\0\0', own.key, /--tls-cert cert\.pem: /],
])('refuses %s', (_, cert, key, message) => {
  const names = [cert === undefined ? undefined : file('cert.pem', cert), key === undefined ? undefined : file('key.pem', key)] as const
  const read = () => readTlsFiles(...names, { cwd: folder })
  expect(read).toThrow(message)
  expect(read).toThrow(Refusal)
})

test('refuses a folder and a missing file, and follows a link', () => {
  const io = { cwd: folder }
  const [cert, key] = [file('cert.pem', own.cert), file('key.pem', own.key)]
  expect(() => readTlsFiles('.', key, io)).toThrow(/--tls-cert \.: /)
  expect(() => readTlsFiles(cert, 'none.pem', io)).toThrow('--tls-key none.pem: no such file or folder')
  symlinkSync(join(folder, key), join(folder, 'link.pem'))
  expect(readTlsFiles(cert, 'link.pem', io)).toEqual(own)
  expect(readTlsFiles(undefined, undefined, io)).toBeUndefined()
})

test('a wrong value of `tls` is refused without being shown', async () => {
  const wrong = { cert: own.cert, key: Buffer.from('hidden') as unknown as string }
  await expect(startEmulator({ tls: wrong })).rejects.toThrow(/^`tls` of `startEmulator` must be `\{ cert, key \}`, both strings in PEM$/)
  await expect(startEmulator({ tls: { cert: own.cert, key: other.key } })).rejects.toThrow(/^tls\.key: not the private key/)
})

const identity = 'urn:v1:eu:identity:credential:ab12-svc/oauth2-EU.0123456789abcdef'
const policyOf = (action: string, who = identity) => ({
  name: 'web readers',
  identities: [who],
  resources: [{ urn: 'urn:v1:eu:resource:webHosting:*' }],
  permissions: { allow: [{ action }] },
})
const seedFile = (content: unknown) => file('seed.json', typeof content === 'string' ? content : JSON.stringify(content))

async function statusOf({ regions: { eu }, serviceAccounts: [first] }: Emulator): Promise<number> {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    scope: 'all',
    client_id: first?.clientId ?? '',
    client_secret: first?.clientSecret ?? '',
  })
  const token = (await (await fetch(eu.token, { method: 'POST', body: form })).json()) as { access_token: string }
  const headers = { authorization: `Bearer ${token.access_token}` }
  return (await fetch(`${eu.url}/v1/hosting/web/example.org`, { headers })).status
}

const control = async ({ url }: Emulator, method: string, path: string) => {
  const response = await fetch(`${url}/_emulator${path}`, { method })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

test('a reload reads the seed again: rights change, generated secrets stay, calls are forgotten', async () => {
  const seed = seedFile([policyOf('webHosting:apisvc:edit')])
  const emulator = await started({ cwd: folder, seed })
  expect(await statusOf(emulator)).toBe(403)
  seedFile([policyOf('webHosting:apisvc:get')])
  expect(await statusOf(emulator)).toBe(403)
  expect(await control(emulator, 'POST', '/reload')).toMatchObject({ status: 200, body: { policies: 1, serviceAccounts: [] } })
  expect((await control(emulator, 'GET', '/requests')).body.count).toBe(0)
  expect(await statusOf(emulator)).toBe(200)
  // A reset now restores the seed that was read last.
  emulator.reset()
  expect(await statusOf(emulator)).toBe(200)
})

test('a seed with errors changes nothing, and the answer names the places', async () => {
  const seed = seedFile([policyOf('webHosting:apisvc:get')])
  const emulator = await started({ cwd: folder, seed })
  seedFile([{ ...policyOf('webHosting:apisvc:get'), permissions: { alow: [] } }])
  const { status, body } = await control(emulator, 'POST', '/reload')
  const problems = expect.arrayContaining([expect.stringMatching(/^seed\.json:1:\d+/)])
  expect([status, body]).toMatchObject([409, { class: 'Client::Conflict', details: { problems } }])
  await expect(emulator.reload()).rejects.toThrow(/seed\.json:1:\d+/)
  for (const text of ['', '{', '\0', '[[['.repeat(5000)]) {
    seedFile(text)
    await expect(emulator.reload(), JSON.stringify(text.slice(0, 9))).rejects.toThrow(/seed\.json/)
  }
  rmSync(join(folder, 'seed.json'))
  expect((await control(emulator, 'POST', '/reload')).status).toBe(409)
  expect(await statusOf(emulator)).toBe(200)
})

test('a service account that a seed names anew gets a secret, which the answer has', async () => {
  const seed = seedFile([policyOf('webHosting:apisvc:get')])
  const emulator = await started({ cwd: folder, seed })
  const named = identity.replace('0123456789abcdef', 'fedcba9876543210')
  seedFile([policyOf('webHosting:apisvc:get', named)])
  const { body } = await control(emulator, 'POST', '/reload')
  expect(body.serviceAccounts).toMatchObject([{ identity: named, clientSecret: expect.stringMatching(/^.{32}$/) }])
  const again = await emulator.reload()
  expect(again).toMatchObject(body.serviceAccounts as object[])
  expect(again).toHaveLength(1)
  expect(await statusOf({ ...emulator, serviceAccounts: again })).toBe(200)
  // The earlier one is gone.
  expect(await statusOf(emulator)).toBe(401)
})

test('a secret that was generated is shown only while it is that of its service account', async () => {
  const policies = [policyOf('webHosting:apisvc:get')]
  const seed = seedFile({ standIn: { serviceAccounts: [{ identity }] }, policies })
  const emulator = await started({ cwd: folder, seed })
  const token = async (clientSecret: string) => {
    const form = {
      grant_type: 'client_credentials',
      scope: 'all',
      client_id: emulator.serviceAccounts[0]?.clientId ?? '',
      client_secret: clientSecret,
    }
    const response = await fetch(emulator.regions.eu.token, { method: 'POST', body: new URLSearchParams(form) })
    return response.status === 200 ? ((await response.json()) as { access_token: string }).access_token : undefined
  }
  const status = async (bearer: string | undefined) =>
    (await fetch(`${emulator.regions.eu.url}/v1/hosting/web/example.org`, { headers: { authorization: `Bearer ${bearer}` } })).status
  const generated = emulator.serviceAccounts[0]?.clientSecret ?? ''
  const earlier = await token(generated)
  expect(await status(earlier)).toBe(200)
  const written = 'a secret of the seed'
  seedFile({ standIn: { serviceAccounts: [{ identity, secret: written }] }, policies })
  // Neither the earlier secret nor a token that it gave is worth anything, and a secret of the seed is not repeated.
  expect(await emulator.reload()).toEqual([{ identity, account: 'ab12-svc', clientId: 'EU.0123456789abcdef' }])
  expect([await token(generated), await status(earlier), await status(await token(written))]).toEqual([undefined, 401, 200])
  seedFile({ standIn: { serviceAccounts: [{ identity: `${identity.slice(0, -1)}0`, secret: written }] }, policies: [] })
  const last = await token(written)
  expect(await emulator.reload()).toMatchObject([{ clientId: 'EU.0123456789abcde0' }])
  expect([await token(written), await status(last)]).toEqual([undefined, 401])
})

test('without a seed a reload keeps the generated service account; several at a time wait for each other', async () => {
  const emulator = await started({})
  const all = await Promise.all([emulator.reload(), emulator.reload(), emulator.reload()])
  for (const accounts of all) expect(accounts).toEqual(emulator.serviceAccounts)
  expect((await control(emulator, 'GET', '/reload')).status).toBe(405)
})
