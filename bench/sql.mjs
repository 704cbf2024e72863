/**
 * Decisions about logs in DuckDB next to `can --batch`, as whole programs, in turns:
 * node bench/sql.mjs [--sizes 1000,10000] [--calls 1,10] [--batch 1,10] [--worlds world,everyone,conditions] [--temporary FOLDER]
 * `--calls`: millions of calls. One million is of distinct questions; more are of `--tuples` distinct ones (700,000), with instants of a
 * year and addresses. `--batch`: the sizes for which `can --batch` runs as well. `everyone`: the same policies with a group of all
 * users that each tenth policy names; `conditions`: each tenth compares the hour and the address. `--spark`: where Spark runs as
 * well, for example `local[2];local-cluster[1,1,3072];local-cluster[2,1,3072]` (one and two worker processes of one core). A line of
 * JSON for each.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { DuckDBInstance } from '@duckdb/node-api'
import { places } from '../scripts/engines.mjs'
import { workload } from './workload.mjs'

const text = (value) => ({ type: 'string', default: value })
const { values } = parseArgs({
  options: {
    sizes: text('1000,10000'),
    calls: text('1,10'),
    batch: text('1,10'),
    worlds: text('world,everyone,conditions'),
    spark: text(''),
    tuples: text('700000'),
    temporary: text(tmpdir()),
    script: text(''),
  },
})
const numbers = (list) => list.split(',').filter(Boolean).map(Number)
const program = fileURLToPath(new URL('../bin/grantwise.js', import.meta.url))
const folder = values.script || mkdtempSync(join(values.temporary, 'grantwise-sql-'))
const million = 1_000_000
const round = (number) => Math.round(number * 100) / 100
const ratio = (a, b) => round(a / b)
const print = (line) => console.log(JSON.stringify(line))

if (values.script) {
  await runScript(values.script)
  process.exit()
}
try {
  for (const size of numbers(values.sizes)) await measure(size)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function measure(size) {
  const { policies, identities, questions } = workload(size, million, 1)
  const world = { policies, identities: identities ?? [] }
  for (const [name, each] of Object.entries({ world, everyone: withEveryone(world), conditions: withConditions(world) }))
    writeWorld(name, each)
  writeFileSync(
    join(folder, 'questions.ndjson'),
    questions.map(({ identity, action, resource }, id) => JSON.stringify({ id, identity, action, resource })).join('\n'),
  )
  exportOf(size)
  for (const count of numbers(values.calls)) {
    await writeLog(count, numbers(values.batch).includes(count))
    for (const name of values.worlds.split(',')) {
      // A million questions have no instants and addresses.
      if (count === 1 && name === 'conditions') continue
      run(['export', 'sql', '--dialect', 'duckdb', '-p', name, '--out', 'sql', '--no-config'])
      const script = run(['--script', folder], fileURLToPath(import.meta.url), [0])
      const common = ['-p', name, '--no-config']
      const sql = run(['sql', 'decide', '--calls', 'log.parquet', '--format', 'json', '--temporary', folder, ...common])
      const batch = numbers(values.batch).includes(count)
        ? run(['can', '--batch', 'log.ndjson', '--format', 'verdict', ...common])
        : undefined
      const full = batch && count === 1 ? run(['can', '--batch', 'log.ndjson', ...common]) : undefined
      const next = full ?? batch
      print({ size, policies: name, calls: count * million, script, sql, batch, full, ...(next && ratiosTo(next, { script, sql })) })
      for (const master of values.spark.split(';').filter(Boolean)) onSpark(size, name, count, master)
    }
  }
}

/** A folder with the policies and the identities of a world: one file may be too large. */
function writeWorld(name, { policies, identities }) {
  mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(join(folder, name, 'policies.json'), JSON.stringify({ policies }))
  writeFileSync(join(folder, name, 'identities.json'), JSON.stringify({ identities }))
}

/** The scripts of an export on Spark, by its own clock: starting it, loading tables, deciding, counting calls by verdict. */
function onSpark(size, name, count, master) {
  run(['export', 'sql', '--dialect', 'spark', '-p', name, '--out', 'spark', '--no-config'])
  const script = fileURLToPath(new URL('spark.py', import.meta.url))
  const { stdout, stderr, status } = spawnSync(places().python, [script, 'spark', 'log.parquet', master], { cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(`Spark: ${stderr.slice(-2_000)}`)
  print({ size, policies: name, calls: count * million, spark: JSON.parse(stdout) })
}

/** Wall time of each next to another program's, and CPU time. */
function ratiosTo(next, { script, sql }) {
  return {
    scriptWall: ratio(script.wall, next.wall),
    scriptCpu: ratio(script.cpu, next.cpu),
    sqlWall: ratio(sql.wall, next.wall),
    sqlCpu: ratio(sql.cpu, next.cpu),
  }
}

/** The same world with a group that all users are in, which each tenth policy names. */
function withEveryone(world) {
  const everyone = 'urn:v1:eu:identity:group:ab12-svc/everyone'
  return {
    ...world,
    policies: world.policies.map((policy, i) => (i % 10 === 0 ? { ...policy, identities: [...policy.identities, everyone] } : policy)),
    identities: world.identities.map((each) => ({ ...each, groups: [...(each.groups ?? []), everyone] })),
  }
}

/** The same world with a condition on hours and addresses in each tenth policy. */
function withConditions(world) {
  const values = { 'date(Europe/Paris).Hour.GE': '8', 'request.IP.IN_RANGE': '198.51.0.0/17' }
  const policies = world.policies.map((policy, i) => (i % 10 === 0 ? { ...policy, conditions: { operator: 'MATCH', values } } : policy))
  return { ...world, policies }
}

/** The time and the bytes of an export, next to the start of `can`. */
function exportOf(size) {
  const made = run(['export', 'sql', '--dialect', 'duckdb', '-p', 'world', '--out', 'sql', '--no-config'])
  const [{ identity, action, resource }] = JSON.parse(`[${readFileSync(join(folder, 'questions.ndjson'), 'utf8').split('\n', 1)[0]}]`)
  const can = run(['can', identity, action, resource, '-p', 'world', '--no-config'])
  const bytes = spawnSync('du', ['-sb', join(folder, 'sql/tables')], { encoding: 'utf8' }).stdout.split('\t')[0]
  print({ size, export: made, can, toCan: ratio(made.cpu, can.cpu), bytesForPolicy: Math.round(Number(bytes) / size) })
}

/** A log in Parquet, and as JSON lines where `can --batch` reads it. */
async function writeLog(count, isBatched) {
  const instance = await DuckDBInstance.create(':memory:', { temp_directory: folder })
  const connection = await instance.connect()
  const questions = `read_json('${join(folder, 'questions.ndjson')}', format = 'newline_delimited')`
  const year = 365 * 24 * 3_600_000
  await connection.run(
    `CREATE TABLE asked AS SELECT id, identity, action, resource FROM ${questions} ${count === 1 ? '' : `WHERE id < ${Number(values.tuples)}`}`,
  )
  await connection.run(
    count === 1
      ? `CREATE VIEW log AS SELECT id, identity, action, resource FROM asked`
      : `CREATE VIEW log AS SELECT r.i AS id, identity, action, resource, CAST(1767225600000 + hash(r.i) % ${year} AS BIGINT) AS at, '198.51.' || (hash(r.i + 1) % 200) || '.' || (hash(r.i + 2) % 250) AS ip FROM range(${count * million}) r(i) JOIN asked a ON a.id = CAST(hash(r.i + 3) % ${Number(values.tuples)} AS BIGINT)`,
  )
  await connection.run(`COPY (SELECT * FROM log) TO '${join(folder, 'log.parquet')}' (FORMAT parquet)`)
  const instant = `strftime(make_timestamp("at" * 1000), '%Y-%m-%dT%H:%M:%S.%gZ')`
  if (isBatched)
    await connection.run(
      `COPY (SELECT ${count === 1 ? '*' : `* EXCLUDE ("at"), ${instant} AS "at"`} FROM log) TO '${join(folder, 'log.ndjson')}' (FORMAT json)`,
    )
  connection.closeSync()
  instance.closeSync()
}

/** The scripts of an export over the log of a folder, as an engine runs them: nothing is settled, calls are counted by verdict. */
async function runScript(where) {
  process.chdir(join(where, 'sql'))
  const connection = await (await DuckDBInstance.create(':memory:', { temp_directory: where })).connect()
  const missing = (name, type) => `CAST(NULL AS ${type}) AS ${name}`
  const others = [missing('grps', 'VARCHAR'), missing('tags', 'VARCHAR'), missing('owner', 'VARCHAR')].join(', ')
  const columns = (await connection.runAndReadAll(`DESCRIBE SELECT * FROM '../log.parquet'`)).getRowsJson().map(([name]) => name)
  const ip = columns.includes('ip') ? 'ip' : missing('ip', 'VARCHAR')
  const at = columns.includes('at') ? '"at" AS at_ms' : missing('at_ms', 'BIGINT')
  await connection.run(`CREATE VIEW gw_call AS SELECT id, identity, action, resource, ${at}, ${ip}, ${others} FROM '../log.parquet'`)
  for (const file of ['load.sql', 'decide.sql'])
    for (const statement of readFileSync(file, 'utf8').split(';\n')) if (statement.trim() !== '') await connection.run(statement)
  await connection.runAndReadAll('SELECT gw_verdict, count(*) FROM gw_decision GROUP BY gw_verdict')
}

/** Wall and CPU seconds and MiB of a run, by the shell's own clock and GNU time. */
function run(args, file = program, codes = [0, 1, 3]) {
  const timed = spawnSync(
    '/usr/bin/env',
    ['bash', '-c', `${'TIMEFORMAT="%R %U %S"'}; time "$@" > /dev/null`, 'bash', process.execPath, file, ...args],
    { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 26 },
  )
  const [, wall, user, system] = /(\d+\.\d+) (\d+\.\d+) (\d+\.\d+)\s*$/.exec(timed.stderr) ?? []
  if (wall === undefined || !codes.includes(timed.status))
    throw new Error(`${args.join(' ')}: ${timed.status} ${timed.stderr.slice(0, 500)}`)
  return { wall: Number(wall), cpu: round(Number(user) + Number(system)) }
}
