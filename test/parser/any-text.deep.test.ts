import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { defaultSettings } from '../../src/names.ts'
import { readWire } from '../../src/parser/json.ts'
import { readSource } from '../../src/parser/read-source.ts'
import { readTree } from '../../src/parser/tree.ts'
import { readYaml } from '../../src/parser/yaml.ts'
import { yamlFile } from '../../src/propose/sync.ts'
import { sourceOf } from '../../src/source.ts'
import { plainValue } from '../../src/tree.ts'
import { effort } from '../support/effort.ts'
import { ioIn, servingIn } from '../support/in-process.ts'
import { testService } from '../support/service.ts'
import { pick, type Random, randomOf } from '../support/worlds.ts'

/**
 * Any text that JSON allows comes back as it was sent: from the emulator, from its state after a restart, from the files that
 * `pull` writes; and decisions are made over it. SEED=N tries other texts, ANY_TEXTS=N more of them.
 */

const seed = Number(process.env.SEED ?? 20261122)
const count = Number(process.env.ANY_TEXTS ?? effort(30, 24))

/** Texts that were refused somewhere, or that a notation may take for something else. */
const tricky: Readonly<Record<string, string>> = {
  'a decomposed letter': 'E\u0301quipe',
  'a decomposed letter beside composed ones': '\u00e4 e\u0301 \u00e4 \u0e01\u0e33',
  'an emoji of several': 'team \u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
  'a word with a joiner that parts': '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
  'a soft hyphen': 'Rechts\u00adanwalt',
  'a line separator': 'a\u2028b\u2029c',
  'an inner mark of byte order': 'a\ufeffb',
  'one at the start': '\ufeffab',
  'a change of direction': 'a\u202eb',
  'a letter of its own number': '10 k\u212b',
  'parts of a syllable': '\u1112\u1161\u11ab',
  'many marks': `a${'\u0301'.repeat(40)}`,
  'an invisible one beyond sixteen bits': 'a\u{e0041}b\u{1d173}',
  'what is no character, and text all the same': 'a\ufffeb\uffffc\u{1fffe}',
  NUL: 'a\0b',
  controls: 'a\u0001\u007f\u0085\u009fb\tc\nd\re',
  blanks: ' a \u00a0 b\u3000 ',
  'signs of notations': '"\\\'#: - *&!|>%@`{}[],?',
  'a name of prototypes': '__proto__',
  'a number': '1e3',
  'a word of YAML': 'no',
}

function randomText(random: Random): string {
  const classes: readonly (readonly [from: number, to: number])[] = [
    [0x20, 0x7e],
    [0, 0x1f],
    [0x7f, 0x2ff],
    [0x300, 0x36f],
    [0x5d0, 0x6ff],
    [0x900, 0x97f],
    [0x1100, 0x11ff],
    [0x1e00, 0x206f],
    [0x2126, 0x212b],
    [0xac00, 0xac50],
    [0xfb00, 0xfeff],
    [0xfff0, 0xffff],
    [0x1d150, 0x1d180],
    [0x1f300, 0x1f6ff],
    [0xe0000, 0xe007f],
  ]
  const length = 1 + Math.floor(random() * 12)
  return Array.from({ length }, () => {
    const [from, to] = pick(random, classes)
    return String.fromCodePoint(from + Math.floor(random() * (to - from + 1)))
  }).join('')
}

function textsOf(random: Random): readonly string[] {
  const texts = [...Object.values(tricky), ...Array.from({ length: count }, () => randomText(random))]
  return [...new Set(texts)].filter((text) => !text.startsWith('svc') && /[^ \t\r\n]/.test(text))
}

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'grantwise-any-text-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const secret = 'a secret of these tests'
const admin = 'urn:v1:eu:identity:credential:ab12-svc/oauth2-admin'
const ann = 'urn:v1:eu:identity:user:ab12-svc/ann'
const vps = (i: number) => `urn:v1:eu:resource:vps:vps-${i}`

const seedOf = (resources: readonly object[]) => ({
  account: 'ab12-svc',
  policies: [
    {
      name: 'all',
      identities: [admin],
      resources: [{ urn: 'urn:v1:eu:resource:*' }],
      permissions: { allow: [{ action: '*' }] },
    },
  ],
  resources,
  standIn: {
    accounts: [{ id: 'ab12-svc', region: 'eu' }],
    serviceAccounts: [{ identity: admin, secret }],
    resources: [{ urn: 'urn:v1:eu:resource:vrackServices:a', path: '/v2/vrackServices/resource/a', currentState: {} }],
  },
})

type Row = Readonly<Record<string, unknown>>

async function callsTo(url: string) {
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: 'admin', client_secret: secret, scope: 'all' })
  const token = ((await (await fetch(`${url}/auth/oauth2/token`, { method: 'POST', body: form })).json()) as { access_token: string })
    .access_token
  return async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-pagination-size': '1000' },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    expect(response.status, `seed ${seed}, ${method} ${path} ${JSON.stringify(body)}: ${text}`).toBe(200)
    return JSON.parse(text)
  }
}

test('any text goes through the API, its state, a restart and `pull`, and comes back as it was', async () => {
  const texts = textsOf(randomOf(seed))
  const seedFile = join(folder, 'seed.json')
  writeFileSync(seedFile, JSON.stringify(seedOf(texts.map((_, i) => ({ urn: vps(i), tags: {} })))))
  const policies = texts.map((text, i) => ({
    name: text,
    description: text,
    identities: [ann],
    resources: [{ urn: vps(i) }],
    permissions: { allow: [{ action: 'vps:apisvc:get' }] },
    conditions: { operator: 'MATCH', values: { 'resource.Tag(is)': text } },
  }))
  const tags = (text: string) => (text === 'is' ? { is: text } : { [text]: text, is: text })
  const spec = { texts, ...Object.fromEntries(texts.filter((text) => text !== '__proto__').map((text) => [text, text])) }
  const options = ['--seed', seedFile, '--state', join(folder, 'state.db')]

  const verify = async (url: string) => {
    const call = await callsTo(url)
    const listed = new Map(((await call('GET', '/v2/iam/policy')) as Row[]).map((policy) => [policy.name, policy]))
    for (const policy of policies) expect(listed.get(policy.name), `seed ${seed}`).toMatchObject(policy)
    const groups = ((await call('GET', '/v2/iam/resourceGroup')) as Row[]).map(({ name }) => name)
    expect(groups.sort()).toEqual([...texts].sort())
    const resources = new Map(((await call('GET', '/v2/iam/resource')) as Row[]).map(({ urn, tags: of }) => [urn, of]))
    for (const [i, text] of texts.entries())
      expect(Object.entries(resources.get(vps(i)) as object).sort(), `seed ${seed}`).toEqual(Object.entries(tags(text)).sort())
    const { targetSpec } = (await call('GET', '/v2/vrackServices/resource/a')) as Row
    expect(targetSpec).toEqual(spec)
  }

  await servingIn(folder, options, async (url) => {
    const call = await callsTo(url)
    // As it is, and by the number of each character: the same text.
    const byNumber = (value: unknown) =>
      JSON.stringify(value).replace(/[^ -~]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
    for (const [i, policy] of policies.entries()) {
      const made = (await call('POST', '/v2/iam/policy', i % 2 === 0 ? policy : byNumber(policy))) as Row
      expect(made).toMatchObject(policy)
      expect(await call('GET', `/v2/iam/policy/${made.id}`)).toEqual(made)
    }
    for (const [i, text] of texts.entries()) {
      await call('POST', '/v2/iam/resourceGroup', { name: text, resources: [{ urn: vps(i) }] })
      const path = `/v2/iam/resource/${encodeURIComponent(vps(i))}`
      if (i % 2 === 0) await call('PUT', path, { tags: tags(text) })
      else for (const [key, value] of Object.entries(tags(text))) await call('POST', `${path}/tag`, { key, value })
    }
    await call('PUT', '/v2/vrackServices/resource/a', { targetSpec: spec })
    await verify(url)
  })

  await servingIn(folder, options, async (url) => {
    await verify(url)
    const { io, out } = ioIn(folder, {
      GRANTWISE_BASE_URL: url,
      GRANTWISE_AUTH_URL: url,
      GRANTWISE_CLIENT_ID: 'admin',
      GRANTWISE_CLIENT_SECRET: secret,
    })
    for (const args of [['pulled'], ['pulled'], ['pulled', '--check']])
      expect(await main(['pull', ...args], io), `seed ${seed}: ${out.stdout}${out.stderr}`).toBe(0)
    expect(out.stderr).toBe('')
  })

  // The written policies are those of the account, and decide: each policy by the tag that its condition names.
  const files = readdirSync(join(folder, 'pulled', 'policies')).map((name) => join(folder, 'pulled', 'policies', name))
  const found = new Map<string, Row>()
  for (const file of files) {
    const { facts, diagnostics } = await readSource(sourceOf(file, readFileSync(file, 'utf8'), 'yaml'), defaultSettings)
    expect(
      diagnostics.map(({ message }) => message),
      `seed ${seed}: ${file}`,
    ).toEqual([])
    for (const { node } of facts.policies) found.set((plainValue(node) as { name: string }).name, plainValue(node) as Row)
  }
  for (const policy of policies) expect(found.get(policy.name), `seed ${seed}`).toEqual(policy)
  const { io, out } = ioIn(folder, {})
  const batch = texts.map((_, i) => JSON.stringify({ identity: ann, action: 'vps:apisvc:get', resource: vps(i) }))
  writeFileSync(join(folder, 'batch.ndjson'), batch.join('\n'))
  await main(['can', '--batch', 'batch.ndjson', '-p', 'pulled', '--format', 'ndjson'], io)
  const verdicts = out.stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { verdict: string }).verdict)
  expect(verdicts, `seed ${seed}: ${out.stderr}`).toEqual(texts.map(() => 'allow'))
})

test.each(Object.entries(tricky))('%s is written to YAML so that it is read as it is', (_what, text) => {
  const file = yamlFile({ name: 'x', list: [text], map: { [text]: text } })
  const { documents, diagnostics } = readTree(sourceOf('a.yaml', file), readYaml)
  expect(
    diagnostics.map(({ message }) => message),
    file,
  ).toEqual([])
  expect(JSON.stringify(plainValue(documents[0] as NonNullable<(typeof documents)[0]>))).toBe(
    JSON.stringify({ name: 'x', list: [text], map: Object.fromEntries([[text, text]]) }),
  )
})

test.each([
  ['half of a surrogate pair', '"\\ud800"', /half of a surrogate pair/],
  ['a control that is not escaped', '"a\u0001b"', /control character/],
  ['NUL that is not escaped', '"a\0b"', /control character/],
  ['a mark of byte order between values', '[1,\ufeff2]', /neither a number/],
  ['a separator of lines between values', '[1\u2028,2]', /neither a number/],
  ['a key given twice', '{"e\u0301":1,"e\\u0301":2}', /given twice/],
])('%s is no text of JSON that is sent', (_what, text, said) => {
  const { diagnostics } = readWire(sourceOf('body', text))
  expect(diagnostics[0]?.message).toMatch(said)
  const { call, allow } = testService()
  allow(['*'])
  const reply = call('POST', '/v2/iam/policy', { body: text, headers: { 'content-type': 'application/json' } })
  expect([reply.status, JSON.stringify(reply.body)]).toEqual([400, expect.stringContaining('the body is not JSON')])
})

test('keys that only look alike are two keys of what is sent', () => {
  const { documents, diagnostics } = readWire(sourceOf('body', '{"\u00e9":1,"e\u0301":2}'))
  expect(diagnostics).toEqual([])
  expect(documents.map(plainValue)).toEqual([{ '\u00e9': 1, 'e\u0301': 2 }])
})
