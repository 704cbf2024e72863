import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readAddress } from '../../src/conditions/address.ts'
import { defaultSettings } from '../../src/names.ts'
import { recordReader } from '../../src/usage/record.ts'
import { callInput } from '../../src/warehouse/call-input.ts'
import { dialects } from '../../src/warehouse/dialects.ts'
import { readColumns } from '../../src/warehouse/mapping.ts'
import { type Engine, open } from '../engines/engine.ts'
import { table, yaml } from '../support/call-input.ts'

/** The SQL of docs/warehouse-input.md for the formats that `least` and `replay` read, next to their reader. */

const page = readFileSync(new URL('../../docs/warehouse-input.md', import.meta.url), 'utf8')
const recipes = [...page.matchAll(/```sql\n(CREATE.*?)```/gs)].map(([, sql]) => sql as string)
const mappings = [...page.matchAll(/```yaml\n(.*?)```/gs)].map(([, text]) => text as string)

let engine: Engine
beforeAll(async () => {
  engine = await open('duckdb')
})
afterAll(() => engine.close())

async function load(recipe: string | undefined, file: string, lines: readonly object[]): Promise<void> {
  const path = join(mkdtempSync(join(tmpdir(), 'recipes-')), file)
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  await engine.run((recipe as string).replace(`'${file}'`, `'${path}'`))
}

/** The needs of lines as the product reads them; a line that it refuses has none. */
const readLines = (lines: readonly object[]) => {
  const reader = recordReader(defaultSettings)
  return lines.flatMap((line) => {
    const read = reader.read(JSON.stringify(line))
    return read.kind === 'records'
      ? read.records.flatMap(({ identity, at, ip, groups, needs }) =>
          needs.map(({ action, resource }) => [identity, action, resource, at, ip, groups ?? []]),
        )
      : []
  })
}

async function calls(mapping: Parameters<typeof callInput>[0]) {
  for (const { sql } of callInput(mapping, dialects.duckdb, { table, calls: 'gw_call' }).statements) await engine.run(sql)
  const rows = await engine.all('SELECT * FROM gw_call')
  return rows.map((row) => [
    row.identity,
    row.action,
    row.resource,
    row.at_ms ?? undefined,
    row.ip === null ? undefined : readAddress(row.ip as string),
    String(row.grps ?? '')
      .split('\n')
      .filter(Boolean)
      .sort(),
  ])
}

const sorted = (list: readonly unknown[]) =>
  list.map((each) => JSON.stringify(each, (_, value) => (typeof value === 'bigint' ? String(value) : value))).sort()
const [user, group, credential, account] = ['user:aa1-svc/u', 'group:aa1-svc/g', 'credential:aa1-svc/oauth2-x', 'account:aa1-svc'].map(
  (name) => `urn:v1:eu:identity:${name}`,
)
const resource = 'urn:v1:eu:resource:vps:a'

test('recorded calls', async () => {
  const line = {
    at: '2026-01-01T00:00:00.5Z',
    account: 'aa1-svc',
    identity: user,
    method: 'GET',
    path: '/v1/vps/a',
    ip: '192.0.2.1',
    operation: null,
    verdict: 'allow',
    credential: null,
    status: 200,
  }
  const need = { action: 'vps:apisvc:get', resource, required: true, verdict: 'allow' }
  const lines = [
    { ...line, actions: [need, { ...need, action: 'vps:apisvc:reboot' }] },
    { ...line, ip: '', actions: [need] },
    { ...line, actions: [{ ...need, resource: null }] },
    { ...line, actions: [] },
  ]
  await load(recipes[0], 'calls.ndjson', lines)
  const { mapping } = readColumns('identity=identity,action=action,resource=resource,at=at,ip=ip,id=id', defaultSettings)
  const found = await calls(mapping as NonNullable<typeof mapping>)
  expect(sorted(found)).toEqual(sorted(readLines(lines).filter(([, , on]) => on !== null)))
  expect(found.length).toBe(3)
  expect((await engine.all('SELECT column_name, why FROM gw_refused')).map((row) => Object.values(row))).toEqual([['resource', 'missing']])
})

test('access-log records', async () => {
  const line = { '@timestamp': '2026-01-01T00:00:00Z', client_ip: '192.0.2.1', resource }
  const lists = [
    [user],
    [account, user],
    [user, group],
    [credential, account],
    [account],
    [group, user, group, user],
    [user, credential],
    [user, `${user}2`],
    [group],
    [],
  ]
  const lines = lists.map((identities_array, i) => ({
    ...line,
    identities_array,
    requested_actions_array: ['vps:apisvc:get', 'vps:apisvc:reboot'],
    ...(i % 2 === 0 ? { authorized_actions_array: ['vps:apisvc:get'] } : { unauthorized_actions_array: ['vps:apisvc:get'] }),
  }))
  await load(recipes[1], 'access.ndjson', lines)
  const { mapping } = yaml(mappings.at(-1) as string)
  expect(sorted(await calls(mapping as NonNullable<typeof mapping>))).toEqual(sorted(readLines(lines)))
  expect(await engine.all('SELECT column_name, count(*) AS n FROM gw_refused GROUP BY ALL')).toEqual([{ column_name: 'identity', n: 8 }])
  expect(await engine.all('SELECT was_allowed, count(*) AS n FROM gw_call GROUP BY ALL ORDER BY n')).toEqual([
    { was_allowed: true, n: 3 },
    { was_allowed: false, n: 9 },
  ])
})

test('the mappings of the page are understood', () => {
  const options = [...page.matchAll(/^--columns (.*)$/gm)].map(([, text]) => readColumns(text as string, defaultSettings))
  for (const { diagnostics } of [...options, ...mappings.map(yaml)]) expect(diagnostics).toBe(undefined)
  expect([options.length, mappings.length]).toEqual([2, 2])
})
