import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PageData } from '../../src/page/data.ts'
import { mainIn } from '../support/in-process.ts'

/** The output of `--calls` for programs. What is printed for readers is in call-use.scenario. */

const folder = mkdtempSync(join(tmpdir(), 'call-use-'))
const ann = 'urn:v1:eu:identity:user:ab12-svc/ann'
const server = 'urn:v1:eu:resource:vps:web-1'
const policyOf = (...actions: readonly string[]) => ({
  name: 'p',
  identities: [ann],
  resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
  permissions: { allow: actions.map((action) => ({ action })) },
})
const line = (action: string, at: string, isAllowed = true) =>
  JSON.stringify({
    account: 'ab12-svc',
    identities_array: [ann],
    requested_actions_array: [action],
    authorized_actions_array: isAllowed ? [action] : [],
    unauthorized_actions_array: isAllowed ? [] : [action],
    resource: server,
    timestamp: at,
  })

beforeAll(() => {
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  write('now.json', JSON.stringify(policyOf('vps:apisvc:*'), null, 1))
  write('next.json', JSON.stringify(policyOf('vps:apisvc:get'), null, 1))
  write(
    'calls.ndjson',
    [
      line('vps:apisvc:get', '2026-11-01T00:00:00Z'),
      line('vps:apisvc:terminate', '2026-11-02T00:00:00Z'),
      line('vps:apisvc:reboot', '2026-11-03T00:00:00Z'),
      line('vps:apisvc:reboot', '2026-11-04T00:00:00Z', false),
    ].join('\n'),
  )
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const jsonOf = async (...args: readonly string[]) => JSON.parse((await mainIn([...args], folder)).stdout)
const calls = ['--calls', 'calls.ndjson']

test('SARIF has the use of what a finding is about as a property of the result', async () => {
  const { runs } = await jsonOf('lint', 'now.json', '--preset', 'strict', '--only', 'unbounded-destruction', '--format', 'sarif', ...calls)
  const [{ properties, message }] = runs[0].results
  // Only the destroying calls, of all that the entry allows.
  expect(properties.use).toEqual({
    used: { count: 1, last: '2026-11-02T00:00:00.000Z', by: ann },
    refused: { count: 0, last: null, by: null },
    elsewhere: 0,
    undetermined: 0,
  })
  expect(message.text).toContain('used once at Mon 2026-11-02 00:00 UTC')
  const without = await jsonOf('lint', 'now.json', '--preset', 'strict', '--only', 'unbounded-destruction', '--format', 'sarif')
  expect(without.runs[0].results[0].partialFingerprints).toEqual(runs[0].results[0].partialFingerprints)
})

test('lint and diff have the number of all records, and diff that of each side', async () => {
  const totals = { count: 4, first: '2026-11-01T00:00:00.000Z', last: '2026-11-04T00:00:00.000Z' }
  expect((await jsonOf('lint', 'now.json', '--format', 'json', ...calls)).calls).toMatchObject(totals)
  const difference = await jsonOf('diff', 'now.json', 'next.json', '--format', 'json', ...calls)
  expect(difference.calls).toMatchObject(totals)
  expect(difference.use.lost).toMatchObject({ used: { count: 2, last: '2026-11-03T00:00:00.000Z', by: ann }, refused: { count: 1 } })
  expect(difference.lost.map(({ use }: { use: object }) => use)).toEqual([difference.use.lost])
  expect(await jsonOf('diff', 'now.json', 'next.json', '--format', 'json')).not.toHaveProperty('use')
})

test('one instant counts for all calls where it counts for the access', async () => {
  writeFileSync(join(folder, 'expiring.json'), JSON.stringify({ ...policyOf('vps:apisvc:*'), expiredAt: '2026-11-02T12:00:00Z' }))
  const used = async (...at: readonly string[]) =>
    (await jsonOf('diff', 'expiring.json', 'next.json', '--format', 'json', ...at, ...calls)).use
  expect((await used('--at', '2026-11-01T00:00:00Z')).lost.used.count).toBe(2)
  // At its own time, the second one was not allowed by the policy that is removed.
  writeFileSync(join(folder, 'later.json'), JSON.stringify({ ...policyOf('vps:apisvc:*'), expiredAt: '2099-01-01T00:00:00Z' }))
  expect((await jsonOf('diff', 'later.json', 'next.json', '--format', 'json', ...calls)).use.lost.used.count).toBe(2)
})

test('formats without a place for it say on standard error which records were counted', async () => {
  for (const format of ['compact', 'sarif', 'gitlab']) {
    const { stderr } = await mainIn(['diff', 'now.json', 'next.json', '--format', format, ...calls], folder)
    expect(stderr, format).toContain('note: counted are 4 recorded calls, 2026-11-01 to 2026-11-04')
  }
  const { stderr } = await mainIn(['who', 'vps:apisvc:get', server, '-p', 'now.json', '--format', 'compact', ...calls], folder)
  expect(stderr).toContain('note: counted are 4 recorded calls')
})

test('a page shows the use of findings, of changes, and of entries of policies', async () => {
  writeFileSync(join(folder, 'bad.ndjson'), '{')
  writeFileSync(join(folder, 'world.json'), JSON.stringify({ identities: [{ urn: ann, groups: [] }], resources: [{ urn: server }] }))
  const options = [
    '--before',
    'now.json',
    '-p',
    'next.json',
    '-p',
    'world.json',
    '--calls',
    'bad.ndjson',
    '--skip-bad',
    ...calls,
    '-o',
    '-',
  ]
  const { stdout } = await mainIn(['report', ...options], folder)
  const [, text = ''] = /<script type="application\/json" id="data">([\s\S]*?)<\/script>/.exec(stdout) ?? []
  const data = JSON.parse(text) as PageData
  expect(data.calls?.join()).toMatch(/counted are 4 recorded calls.*1 line that cannot be read/)
  const used = 'used 2 times, last Tue 2026-11-03 00:00 UTC by'
  expect(data.difference?.lost.map((change) => change.calls?.[0])).toEqual([expect.stringContaining(used)])
  expect(data.entries.map((entry) => [entry.text, entry.calls?.[1]])).toEqual([['vps:apisvc:get', 1]])
  writeFileSync(join(folder, 'strict.yaml'), 'extends: strict\n')
  const report = await jsonOf('report', '-p', 'now.json', '--config', 'strict.yaml', '--format', 'json', ...calls, '-o', '-')
  expect(report.findings[0]).toMatchObject({ rule: 'grants-credentials', calls: expect.stringContaining('not used in the recorded calls') })
  expect((await mainIn(['report', '-p', 'now.json', '--skip-bad', '-o', '-'], folder)).stderr).toContain('requires `--calls`')
})

test('a result with calls is not kept in the cache', async () => {
  const run = () => mainIn(['lint', 'now.json', '--cache', '--cache-location', 'kept', '--preset', 'strict', ...calls], folder)
  const first = (await run()).stdout
  writeFileSync(join(folder, 'calls.ndjson'), line('vps:apisvc:terminate', '2026-11-09T00:00:00Z'))
  expect((await run()).stdout).not.toBe(first)
})
