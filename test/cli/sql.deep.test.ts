import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, expect, test, vi } from 'vitest'
import { openDuckdb } from '../../src/cli/live/duckdb.ts'
import { effort } from '../support/effort.ts'
import { ioIn, mainIn } from '../support/in-process.ts'
import { generate, randomOf } from '../support/worlds.ts'

const folder = mkdtempSync(join(tmpdir(), 'sql-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text)
  return name
}
const lines = (values: readonly object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('')
const run = (...args: readonly string[]) => mainIn([...args, '--no-config'], folder)

const bob = 'urn:v1:eu:identity:user:ab12-svc/bob'
const policy = (resource: string, name = 'a') => ({
  name,
  identities: [bob],
  resources: [{ urn: resource }],
  permissions: { allow: [{ action: 'vps:*' }] },
})
const call = (resource: string, more: object = {}) => ({
  identity: bob,
  action: 'vps:apisvc:get',
  resource: `urn:v1:eu:resource:vps:${resource}`,
  ...more,
})

test('each call of a log gets the verdict of `can --batch`, for generated worlds', async () => {
  const random = randomOf(20261127)
  for (let i = 0; i < effort(60, 30); i++) {
    const { world, questions } = generate(random, 30)
    const asked = [...questions, ...questions.slice(0, 5)].map((question, id) => ({ ...question, id }))
    file('world.json', JSON.stringify(world))
    file('log.ndjson', lines(asked))
    const batch = await run('can', '--batch', 'log.ndjson', '-p', 'world.json', '--format', 'verdict')
    const sql = await run('sql', 'decide', '--calls', 'log.ndjson', '-p', 'world.json', '--format', 'verdict')
    expect(sql).toEqual({ ...batch, stderr: sql.stderr })
  }
})

test('a comparison counts what each side answers, for generated worlds', async () => {
  const random = randomOf(7)
  for (let i = 0; i < effort(40, 30); i++) {
    const [one, other] = [generate(random, 20), generate(random, 20)]
    const asked = [...one.questions, ...other.questions].map((question, id) => ({ ...question, id }))
    file('one.json', JSON.stringify(one.world))
    file('other.json', JSON.stringify(other.world))
    file('log.ndjson', lines(asked))
    const verdicts = async (side: string) =>
      (await run('can', '--batch', 'log.ndjson', '-p', side, '--format', 'verdict')).stdout.trimEnd().split('\n')
    const [before, after] = [await verdicts('one.json'), await verdicts('other.json')]
    const pairs = before.map((verdict, at) => [verdict, after[at]] as const)
    const count = (of: (before: string, after: string) => boolean) => pairs.filter(([a, b = '']) => of(a, b)).length
    const { stdout } = await run('sql', 'replay', '--calls', 'log.ndjson', '--before', 'one.json', '-p', 'other.json', '--format', 'json')
    expect(JSON.parse(stdout).counts).toEqual({
      refused: count((a, b) => a === 'allow' && b === 'deny'),
      allowed: count((a, b) => a === 'deny' && b === 'allow'),
      unknown: count((a, b) => a === 'unknown' || b === 'unknown'),
      same: count((a, b) => a === b && a !== 'unknown'),
      error: 0,
    })
  }
})

test('calls are listed by how often they were made, with the entries that deny them', async () => {
  file(
    'world.json',
    JSON.stringify([
      policy('urn:v1:eu:resource:vps:*'),
      { ...policy('urn:v1:eu:resource:vps:prod-*', 'guard'), permissions: { deny: [{ action: 'vps:*' }] } },
    ]),
  )
  file(
    'log.ndjson',
    lines([
      call('a', { at: '2026-01-01T00:00:00Z' }),
      call('prod-1', { at: '2026-01-02T00:00:00Z' }),
      call('prod-1', { at: '2026-01-03T00:00:00Z' }),
      { ...call('x'), action: 'dns:apisvc:get' },
    ]),
  )
  const { stdout, exit } = await run('sql', 'decide', '--calls', 'log.ndjson', '-p', 'world.json', '--format', 'json')
  expect(exit).toBe(0)
  const report = JSON.parse(stdout)
  expect(report).toMatchObject({
    calls: 4,
    questions: 3,
    counts: { allow: 1, deny: 3, unknown: 0, error: 0 },
    distinct: { allow: 1, deny: 2 },
  })
  expect(report.uses).toMatchObject([
    {
      resource: 'urn:v1:eu:resource:vps:prod-1',
      verdict: 'deny',
      reason: 'denied',
      calls: 2,
      first: '2026-01-02T00:00:00.000Z',
      last: '2026-01-03T00:00:00.000Z',
      clauses: [{ policy: 'guard' }],
    },
    { action: 'dns:apisvc:get', reason: 'default', calls: 1, first: null, clauses: [] },
  ])
})

test('entries that no call used, uses with their entries, and distinct uses for `least`', async () => {
  const second = { ...policy('urn:v1:eu:resource:dns:*', 'second'), permissions: { allow: [{ action: 'dns:*' }] } }
  file('world.json', JSON.stringify([policy('urn:v1:eu:resource:vps:*'), second]))
  file(
    'log.ndjson',
    lines([
      call('a', { at: '2026-01-01T00:00:00Z' }),
      call('a', { at: '2026-01-02T00:00:00Z' }),
      call('b', { at: '2026-01-03T00:00:00Z' }),
    ]),
  )
  const rowsOf = async (question: string) => {
    const { stdout, exit } = await run('sql', question, '--calls', 'log.ndjson', '-p', 'world.json')
    expect(exit).toBe(0)
    return stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
  }
  expect(await rowsOf('unused')).toMatchObject([
    { policy_name: 'second', action_pattern: 'dns:*', perhaps_used: 0, first_ms: Date.UTC(2026, 0, 1), last_ms: Date.UTC(2026, 0, 3) },
  ])
  expect(await rowsOf('who-used')).toMatchObject([
    { resource: 'urn:v1:eu:resource:vps:a', verdict: 'allow', policy_name: 'a', calls: 2 },
    { resource: 'urn:v1:eu:resource:vps:b', verdict: 'allow', policy_name: 'a', calls: 1 },
  ])
  const uses = await rowsOf('least')
  file('uses.ndjson', lines(uses))
  const { stdout, exit } = await run('least', '--from', 'uses.ndjson', '--format', 'json')
  expect(exit).toBe(0)
  expect(JSON.parse(stdout).uses).toMatchObject([
    { resource: 'urn:v1:eu:resource:vps:a', count: 2 },
    { resource: 'urn:v1:eu:resource:vps:b', count: 1 },
  ])
})

test('a log in Parquet with other names is read by a mapping, and its decisions are written', async () => {
  const instance = await DuckDBInstance.create()
  const connection = await instance.connect()
  await connection.run(
    `COPY (SELECT '${bob}' AS who, 'vps:apisvc:get' AS what, 'urn:v1:eu:resource:vps:' || i AS target, TIMESTAMP '2026-01-01 00:00:00' + INTERVAL (i) HOUR AS seen FROM range(1000) r(i)) TO '${join(folder, 'log.parquet')}'`,
  )
  file('world.json', JSON.stringify(policy('urn:v1:eu:resource:vps:1*')))
  const mapping = ['--columns', 'identity=who,action=what,resource=target,at=seen:timestamp']
  const { stdout, exit } = await run(
    'sql',
    'decide',
    '--calls',
    'log.parquet',
    '-p',
    'world.json',
    ...mapping,
    '--decisions',
    'out.parquet',
    '--format',
    'json',
  )
  expect([exit, JSON.parse(stdout).counts]).toEqual([0, { allow: 111, deny: 889, unknown: 0, error: 0 }])
  const written = await connection.runAndReadAll(
    `SELECT gw_verdict, count(*)::INTEGER AS n FROM '${join(folder, 'out.parquet')}' GROUP BY ALL ORDER BY n`,
  )
  expect(written.getRowsJson()).toEqual([
    ['allow', 111],
    ['deny', 889],
  ])
  connection.closeSync()
  instance.closeSync()
})

test('a fact that only late lines of a log have counts, and so do times without an offset', async () => {
  file(
    'world.json',
    JSON.stringify({ ...policy('urn:v1:eu:resource:vps:*'), conditions: { operator: 'MATCH', values: { 'resource.Tag(env)': 'dev' } } }),
  )
  const early = Array.from({ length: 21_000 }, () => call('a', { tags: {} }))
  const instant = [call('a', { tags: { env: 'dev' }, at: '2026-01-01T00:00:00Z' })]
  for (const log of [[...early, ...instant], [call('a', { tags: {}, at: '2026-01-01 00:00:00' })]]) {
    file('log.ndjson', lines(log))
    const batch = await run('can', '--batch', 'log.ndjson', '-p', 'world.json', '--format', 'verdict')
    const sql = await run('sql', 'decide', '--calls', 'log.ndjson', '-p', 'world.json', '--format', 'verdict')
    const kinds = ({ stdout }: { readonly stdout: string }) => stdout.replaceAll(/ · .*/g, '')
    expect([sql.exit, kinds(sql)]).toEqual([batch.exit, kinds(batch)])
  }
})

test('JSON lines are read by a mapping: texts that look like times, members of objects, lists that are all empty', async () => {
  file('world.json', JSON.stringify(policy('urn:v1:eu:resource:vps:*')))
  const { identity, ...rest } = call('a')
  file('log.ndjson', lines([{ ...rest, user: { arn: identity }, seen: '2026-01-01T00:00:00Z', teams: [] }]))
  const columns = 'identity=user.arn,action=action,resource=resource,groups=teams:array,at=seen'
  const of = async (mapping: string) =>
    (await run('sql', 'decide', '--calls', 'log.ndjson', '-p', 'world.json', '--columns', mapping, '--format', 'verdict')).stdout
  expect(await of(columns)).toBe('allow\n')
  expect(await of(`${columns}:timestamp`)).toBe('allow\n')
})

test.each([
  ['identity=user.ann', 'the log has no field `user.ann`: `user` has `arn`, `at`\n  help: did you mean `user.arn`?'],
  ['identity=user.at.zone', 'the log has no field `user.at.zone`: `user.at` has `y`\n  help: correct `--columns`'],
  ['identity=action.arn', 'the log has no field `action.arn`: `action` is VARCHAR, which has no fields'],
  ['identity=users.arn', 'the log has no field `users.arn`: `users` is STRUCT(arn VARCHAR)[], which has no fields'],
  ['identity=User.ARN,groups=user.at:array', '`groups` is made of `user.at`, which is STRUCT(y BIGINT), and not a list'],
  ['identity=user.arn,at=user.at.y:timestamp', '`at` is made of `user.at.y`, which is BIGINT, and not a time of DuckDB'],
])('members of objects that are not there are refused: %s', async (mapping, reason) => {
  file('world.json', JSON.stringify(policy('urn:v1:eu:resource:vps:*')))
  const { identity, ...rest } = call('a')
  file('log.ndjson', lines([{ ...rest, user: { arn: identity, at: { y: 1 } }, users: [{ arn: identity }] }]))
  const columns = `action=action,resource=resource,${mapping}`
  const { stdout, stderr, exit } = await run('sql', 'decide', '--calls', 'log.ndjson', '-p', 'world.json', '--columns', columns)
  expect({ stdout, stderr, exit }).toEqual({ stdout: '', stderr: expect.stringContaining(reason), exit: 2 })
  expect(stderr).not.toContain('DuckDB says')
})

test.each(['STRUCT(env VARCHAR, data VARCHAR)', 'MAP(VARCHAR, VARCHAR)'])('tags in Parquet may be a column of %s', async (type) => {
  const instance = await DuckDBInstance.create()
  const connection = await instance.connect()
  const values = type.startsWith('MAP') ? "MAP {'env': 'dev'}" : "{'env': 'dev', 'data': NULL}"
  const columns = `'${bob}' AS identity, 'vps:apisvc:get' AS action, 'urn:v1:eu:resource:vps:a' AS resource`
  await connection.run(
    `COPY (SELECT ${columns}, CAST(${values} AS ${type}) AS tags UNION ALL SELECT ${columns}, NULL) TO '${join(folder, 'tags.parquet')}'`,
  )
  connection.closeSync()
  instance.closeSync()
  const conditions = { operator: 'MATCH', values: { 'resource.Tag(env)': 'dev' } }
  file('world.json', JSON.stringify({ ...policy('urn:v1:eu:resource:vps:*'), conditions }))
  const { stdout } = await run('sql', 'decide', '--calls', 'tags.parquet', '-p', 'world.json', '--format', 'verdict')
  expect(stdout.split('\n').sort().join(' ')).toBe(' allow unknown')
})

test('a comparison lists the calls that change first, however often others were made', async () => {
  file('one.json', JSON.stringify(policy('urn:v1:eu:resource:vps:*')))
  file('other.json', JSON.stringify(policy('urn:v1:eu:resource:dns:*')))
  const malformed = Array.from({ length: 50 }, (_, i) => call(`x${i % 25}`, { ip: 'nowhere' }))
  file('log.ndjson', lines([...malformed, call('a')]))
  const { stdout } = await run('sql', 'replay', '--calls', 'log.ndjson', '--before', 'one.json', '-p', 'other.json')
  expect(stdout).toContain('would be refused (1)')
  expect(stdout).toContain('6 more rows: `--all` lists them')
})

test('a name with a line break is one line of the verdicts', async () => {
  file('world.json', JSON.stringify(policy('urn:v1:eu:resource:vps:*')))
  file('log.ndjson', lines([{ ...call('a'), identity: 'b\nallow' }]))
  const batch = await run('can', '--batch', 'log.ndjson', '-p', 'world.json', '--format', 'verdict')
  const sql = await run('sql', 'decide', '--calls', 'log.ndjson', '-p', 'world.json', '--format', 'verdict')
  expect([sql.exit, sql.stdout]).toEqual([2, batch.stdout])
})

test('rows that are no calls are counted and named, and the exit code shows it', async () => {
  file('world.json', JSON.stringify(policy('urn:v1:eu:resource:vps:*')))
  file('log.ndjson', lines([call('a'), call('b', { at: 'yesterday' }), { ...call('c'), identity: 'urn:v1:eu:identity:user:' }]))
  const { stdout, exit } = await run('sql', 'decide', '--calls', 'log.ndjson', '-p', 'world.json')
  expect(exit).toBe(2)
  expect(stdout).toContain('1 row of the log left out, since no call can be made of it: row 2: at: not an instant as rfc3339')
  expect(stdout).toContain('malformed (1)')
})

test.each([
  [['sql'], 'the question is missing'],
  [['sql', 'decide'], 'the log is missing'],
  [['sql', 'unused', '--calls', 'log.ndjson', '--format', 'json'], '`sql unused` writes JSON lines'],
  [['sql', 'replay', '--calls', 'log.ndjson'], '`sql replay` compares with a state, which is missing'],
  [['sql', 'decide', '--calls', 'log.xlsx', '-p', 'world.json'], '--calls log.xlsx: not a kind of log that is read'],
  [['sql', 'decide', '--calls', 'none.parquet', '-p', 'world.json'], 'reading the log: DuckDB says: IO Error: No files found'],
  [['sql', 'decide', '--calls', 'other.ndjson', '-p', 'world.json'], 'the log has no column `action`: it has `identity`, `verb`'],
  [
    ['sql', 'decide', '--calls', 'log.ndjson', '-p', 'world.json', '--columns', 'identity=identiy,action=action,resource=resource'],
    'the log has no column `identiy`: it has `identity`, `action`, `resource`\n  help: did you mean `identity`?',
  ],
  [['sql', 'decide', '--calls', 'log.ndjson', '-p', 'world.json', '--columns', 'identity='], '`identity=` is not `NAME=COLUMN`'],
  [['sql', 'decide', '--calls', 'log.ndjson', '-p', 'world.json', '--memory', 'lots'], 'the options of the database: DuckDB says: '],
  [
    ['sql', 'decide', '--calls', 'log.ndjson', '-p', 'world.json', '--decisions', 'out.xlsx'],
    '--decisions out.xlsx: not a kind of file that is written',
  ],
])('refused, with a reason: %j', async (args, reason) => {
  file('world.json', JSON.stringify(policy('urn:v1:eu:resource:vps:*')))
  file('log.ndjson', lines([call('a')]))
  file('other.ndjson', lines([{ identity: bob, verb: 'get' }]))
  const { stdout, stderr, exit } = await run(...args)
  expect({ stdout, exit, stderr }).toEqual({ stdout: '', exit: 2, stderr: expect.stringContaining(reason) })
  expect(existsSync(join(folder, 'out.xlsx'))).toBe(false)
})

test('what is not listed is counted by rows', async () => {
  file('world.json', JSON.stringify(policy('urn:v1:eu:resource:vps:a')))
  file('log.ndjson', lines(Array.from({ length: 33 }, (_, i) => call(`x${i}`))))
  const decide = ['sql', 'decide', '--calls', 'log.ndjson', '-p', 'world.json']
  expect((await run(...decide)).stdout).toContain('13 more rows: `--all` lists them')
  expect((await run(...decide, '--all')).stdout).not.toContain('more rows')
})

test('in a comparison, a row has only the entries of calls that changed as it did', async () => {
  const early = { operator: 'MATCH', values: { 'date.Date.BEFORE': '2026-06-01' } }
  const deny = { ...policy('urn:v1:eu:resource:vps:*', 'guard'), permissions: { deny: [{ action: 'vps:*' }] } }
  file('before.json', JSON.stringify([{ ...policy('urn:v1:eu:resource:vps:*'), conditions: early }]))
  const late = { ...deny, name: 'late', conditions: { operator: 'NOT', conditions: [early] } }
  file('after.json', JSON.stringify([policy('urn:v1:eu:resource:vps:*'), { ...deny, name: 'early', conditions: early }, late]))
  file('log.ndjson', lines([call('a', { at: '2026-01-01T00:00:00Z' }), call('a', { at: '2026-07-01T00:00:00Z' })]))
  const { stdout } = await run('sql', 'replay', '--calls', 'log.ndjson', '--before', 'before.json', '-p', 'after.json', '--format', 'json')
  expect(JSON.parse(stdout).uses).toMatchObject([{ before: 'allow', verdict: 'deny', calls: 1, clauses: [{ policy: 'early' }] }])
})

test('an export to standard output is refused', async () => {
  file('world.json', JSON.stringify(policy('urn:v1:eu:resource:vps:*')))
  const { stderr, exit } = await run('export', 'sql', '--dialect', 'duckdb', '-p', 'world.json', '--out', '-')
  expect([exit, stderr]).toEqual([2, expect.stringContaining('`--out -`: several files are written')])
  expect(existsSync(join(folder, '-'))).toBe(false)
})

test('an export to where no folder can be made is refused, and ends', async () => {
  file('world.json', JSON.stringify(policy('urn:v1:eu:resource:vps:*')))
  const { stderr, exit } = await run('export', 'sql', '--dialect', 'duckdb', '-p', 'world.json', '--out', 'world.json/sql')
  expect([exit, stderr]).toEqual([2, 'grantwise: world.json/sql/tables: cannot be made a folder (ENOTDIR)\n'])
})

test('the scripts of an export, and of what is settled, decide in DuckDB as its README describes', async () => {
  file('world.json', JSON.stringify(policy('urn:v1:eu:resource:vps:*')))
  await run('export', 'sql', '--dialect', 'duckdb', '-p', 'world.json', '--out', 'sql')
  const connection = await (await DuckDBInstance.create()).connect()
  const script = async (name: string) => {
    const text = readFileSync(join(folder, 'sql', name), 'utf8').replaceAll("'tables/", `'${join(folder, 'sql', 'tables')}/`)
    for (const statement of text.split(';\n')) if (statement.trim() !== '') await connection.run(statement)
  }
  const verdicts = async () =>
    (await connection.runAndReadAll('SELECT gw_verdict, gw_reason, gw_settled FROM gw_decision ORDER BY resource')).getRowsJson()
  await connection.run(
    `CREATE TABLE gw_call AS SELECT '${bob}' AS identity, 'vps:apisvc:get' AS action, 'urn:v1:eu:resource:vps:' || name AS resource, NULL::BIGINT AS at_ms, NULL::VARCHAR AS ip, NULL::VARCHAR AS grps, NULL::VARCHAR AS tags, NULL::VARCHAR AS owner FROM (VALUES ('a'), ('é')) z(name)`,
  )
  await script('load.sql')
  await script('decide.sql')
  expect(await verdicts()).toEqual([
    ['allow', 'granted', 1],
    ['unknown', 'unchecked', 0],
  ])
  await connection.run(`COPY gw_residue TO '${join(folder, 'residue.json')}'`)
  const { stderr, exit } = await run('settle', 'residue.json', '--dialect', 'duckdb', '-p', 'world.json', '--out', 'sql')
  expect([stderr.split('\n')[0], exit]).toEqual(['grantwise: 1 situation settled: allow 0, deny 0, unknown 0, error 1', 2])
  expect(stderr).toContain('grantwise: residue.json:1: resource `urn:v1:eu:resource:vps:é`')
  await script('settled.sql')
  expect(await verdicts()).toEqual([
    ['allow', 'granted', 1],
    ['error', 'malformed', 1],
  ])
  connection.closeSync()
})

test('settling ends with 2 where a row is malformed, and writes the other verdicts', async () => {
  file('world.json', JSON.stringify(policy('urn:v1:eu:resource:vps:*')))
  const row = (s: number, more: object = {}) => ({
    q: 1,
    s,
    ...call('a'),
    grps: null,
    at_ms: null,
    ip: null,
    tags: null,
    owner: null,
    ...more,
  })
  const settle = (...args: readonly string[]) =>
    run('settle', 'residue.json', '--dialect', 'trino', '-p', 'world.json', '--out', 'sql', ...args)
  file('residue.json', lines([row(1)]))
  expect(await settle()).toMatchObject({ exit: 0, stderr: 'grantwise: 1 situation settled: allow 1, deny 0, unknown 0, error 0\n' })
  file('residue.json', lines([row(1), ...Array.from({ length: 7 }, (_, i) => row(i + 2, { ip: 'nowhere' }))]))
  const { stderr, exit } = await settle()
  expect([exit, stderr]).toEqual([2, expect.stringContaining('error 7\ngrantwise: residue.json:2: `ip` is not an IP address\n')])
  expect(stderr.trimEnd().split('\n').slice(-2)).toEqual([
    'grantwise: residue.json:6: `ip` is not an IP address',
    'grantwise: 2 further malformed rows: `gw_settled` has the problem of each',
  ])
  expect(readFileSync(join(folder, 'sql/settled.sql'), 'utf8')).toMatch(/\ballow\b/)
  expect((await settle('--dry-run')).exit).toBe(2)
})

test('an empty log has no calls, whatever its kind', async () => {
  file('world.json', JSON.stringify(policy('urn:v1:eu:resource:vps:*')))
  file('empty.ndjson', '')
  file('empty.csv', 'identity,action,resource\n')
  for (const log of ['empty.ndjson', 'empty.csv']) {
    const { stdout, exit } = await run('sql', 'decide', '--calls', log, '-p', 'world.json')
    expect([exit, stdout], log).toEqual([0, '0 calls, 0 distinct questions\n'])
  }
})

const ops = 'urn:v1:eu:identity:group:ab12-svc/ops'
const ofGroup = { ...policy('urn:v1:eu:resource:vps:*'), identities: [ops] }

test('groups in CSV are a list as JSON writes it, or one a line', async () => {
  file('world.json', JSON.stringify(ofGroup))
  const cell = (value: string) => `"${value.replaceAll('"', '""')}"`
  const row = (groups: string) => [bob, 'vps:apisvc:get', 'urn:v1:eu:resource:vps:a', cell(groups)].join()
  const other = 'urn:v1:eu:identity:group:ab12-svc/dev'
  const logs = { lists: [JSON.stringify([other, ops]), '', '[]', JSON.stringify([other])], lines: [`${other}\n${ops}`, '', '', other] }
  for (const [name, groups] of Object.entries(logs)) {
    file(`${name}.csv`, `identity,action,resource,groups\n${groups.map(row).join('\n')}\n`)
    const { stdout } = await run('sql', 'decide', '--calls', `${name}.csv`, '-p', 'world.json', '--format', 'verdict')
    expect(stdout, name).toBe('allow\ndeny\ndeny\ndeny\n')
  }
})

test('denials of identities whose groups are not known are counted', async () => {
  const described = { urn: 'urn:v1:eu:identity:user:ab12-svc/ann', groups: [] }
  const before = file('before.json', JSON.stringify({ policies: [policy('urn:v1:eu:resource:vps:*')], identities: [described] }))
  file('world.json', JSON.stringify({ policies: [ofGroup], identities: [described] }))
  const calls = [call('a'), call('a'), call('b', { groups: [ops] }), call('b', { identity: described.urn })]
  file('log.ndjson', lines([...calls, call('b', { groups: ['urn:v1:eu:identity:group:ab12-svc/dev'] })]))
  const decide = ['decide', '--calls', 'log.ndjson', '-p', 'world.json']
  const answers = [decide, ['replay', '--calls', 'log.ndjson', '-p', 'world.json', '--before', before]]
  for (const args of answers) {
    const { counts, groupsUnknown } = JSON.parse((await run('sql', ...args, '--format', 'json')).stdout)
    expect([groupsUnknown, counts.deny ?? counts.refused]).toEqual([{ calls: 2, identities: 1 }, args === decide ? 4 : 3])
  }
  const { stdout } = await run('sql', ...decide)
  expect(stdout).toContain('2 denied calls are by 1 identity whose groups are not known, and policies are for groups')
  expect(stdout).toContain('groups  urn:v1:eu:identity:group:ab12-svc/dev')
})

test('views end with 2 where a call has a malformed value', async () => {
  file('world.json', JSON.stringify(policy('urn:v1:eu:resource:vps:*')))
  const malformed = call('b', { identity: 'urn:v1:eu' })
  file('log.ndjson', lines([call('a'), malformed, malformed, call('b', { ip: 'x' })]))
  for (const question of ['unused', 'who-used', 'least']) {
    const { stderr, exit } = await run('sql', question, '--calls', 'log.ndjson', '-p', 'world.json')
    expect([question, exit, stderr]).toEqual([question, 2, expect.stringContaining('3 calls have a malformed value and no decision')])
  }
})

test('JSON may be an array, and the case of a column does not count', async () => {
  file('world.json', JSON.stringify(policy('urn:v1:eu:resource:vps:*')))
  const { identity, action, resource } = call('a')
  file('array.json', JSON.stringify([call('a'), call('b', { action: 'ip:apisvc:get' })], undefined, 1))
  file('none.json', '[]')
  file('upper.csv', `Identity,ACTION,Resource\n${[identity, action, resource].join()}\n`)
  const verdicts = { 'array.json': 'allow\ndeny\n', 'none.json': '', 'upper.csv': 'allow\n' }
  for (const [log, stdout] of Object.entries(verdicts)) {
    const ran = await run('sql', 'decide', '--calls', log, '-p', 'world.json', '--format', 'verdict')
    expect([log, ran.exit, ran.stdout]).toEqual([log, 0, stdout])
  }
})

test('decisions that cannot be written leave nothing behind', async () => {
  file('world.json', JSON.stringify(policy('urn:v1:eu:resource:vps:*')))
  file('log.ndjson', lines([call('a')]))
  mkdirSync(join(folder, 'taken.csv'))
  for (const [path, reason] of [
    ['taken.csv', 'taken.csv: cannot be written: '],
    ['none/out.csv', 'writing none/out.csv: DuckDB says: '],
  ] as const) {
    const ran = await run('sql', 'decide', '--calls', 'log.ndjson', '-p', 'world.json', '--decisions', path)
    expect(ran).toEqual({ exit: 2, stdout: '', stderr: expect.stringContaining(reason) })
  }
  expect(readdirSync(folder).filter((name) => name.includes('.part'))).toEqual([])
})

test('instants that no calendar has, and counts in another unit, are refused', async () => {
  file('world.json', JSON.stringify([policy('urn:v1:eu:resource:vps:*')]))
  const milliseconds = Date.parse('2026-06-01T00:00:00Z')
  file('log.ndjson', lines([milliseconds * 1000, milliseconds, 8_999_999_999_999_999, -milliseconds * 1000].map((at) => call('a', { at }))))
  const decide = (format: string) =>
    run(
      'sql',
      'decide',
      '--calls',
      'log.ndjson',
      '-p',
      'world.json',
      '--columns',
      `identity=identity,action=action,resource=resource,at=at:${format}`,
    )
  const asMilliseconds = await decide('epoch_ms')
  expect(asMilliseconds.stdout).toContain('1 call,')
  expect(asMilliseconds.stdout).toContain('3 rows of the log left out')
  const asSeconds = await decide('epoch_s')
  expect(asSeconds.stdout).toContain('0 calls,')
  expect(asSeconds.stdout).toContain('row 2: at: not an instant as epoch_s')
})

test('times without an offset next to such that have one are in UTC, wherever the command runs', async () => {
  file('world.json', JSON.stringify([policy('urn:v1:eu:resource:vps:*')]))
  const row = Object.values(call('a')).join()
  file('log.csv', `identity,action,resource,at\n${row},2026-06-01T00:00:00\n${row},2026-06-01T00:00:00Z\n`)
  vi.stubEnv('TZ', 'America/New_York')
  const { stdout } = await run('sql', 'who-used', '--calls', 'log.csv', '-p', 'world.json').finally(() => vi.unstubAllEnvs())
  const at = Date.parse('2026-06-01T00:00:00Z')
  expect(JSON.parse(stdout)).toMatchObject({ calls: 2, first_ms: at, last_ms: at })
})

test('a refusal of DuckDB says its cause, and the option that avoids it', async () => {
  file('world.json', JSON.stringify([policy('urn:v1:eu:resource:vps:*')]))
  file('log.csv', `identity,action,resource\n${Object.values(call('x'.repeat(3_000_000))).join()}\n`)
  expect((await run('sql', 'decide', '--calls', 'log.csv', '-p', 'world.json')).stderr).toContain('Maximum line size')
  const small = await run('sql', 'decide', '--calls', 'log.csv', '-p', 'world.json', '--memory', '1MB')
  expect(small).toMatchObject({ exit: 2, stderr: expect.stringContaining('`--memory`') })
})

test('a log whose times are all before 1980 may have seconds', async () => {
  file('world.json', JSON.stringify([policy('urn:v1:eu:resource:vps:*')]))
  const at = Date.parse('2026-06-01T00:00:00Z')
  for (const [given, isNoted] of [
    [at / 1000, true],
    [at, false],
  ] as const) {
    file('log.csv', `identity,action,resource,at\n${[...Object.values(call('a')), given].join()}\n`)
    const { stderr, exit } = await run('sql', 'decide', '--calls', 'log.csv', '-p', 'world.json')
    expect([exit, stderr.includes('if they are seconds')]).toEqual([0, isNoted])
  }
})

test('without `--memory`, DuckDB leaves half of the memory to others', async () => {
  const memory = async (given: string | undefined) => {
    const database = await openDuckdb({ memory: given, temporary: folder, threads: 1 }, ioIn(folder, {}).io)
    const [row] = await database.rows("SELECT current_setting('memory_limit') AS size", 'the test')
    database.close()
    const [, size, unit] = /^([\d.]+) (MiB|GiB)$/.exec(String(row?.size)) ?? []
    return Number(size) * (unit === 'GiB' ? 1024 : 1)
  }
  expect(await memory('512MiB')).toBe(512)
  // Printed with one decimal place.
  expect(await memory(undefined)).toBeLessThanOrEqual((totalmem() / 2 ** 20) * 0.5 + 103)
  expect(await memory(undefined)).toBeGreaterThan(0)
})
