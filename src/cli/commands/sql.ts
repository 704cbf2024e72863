import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import {
  type ComparedLog,
  comparedAnswer,
  type DecidedLog,
  decidedAnswer,
  type LoggedUse,
  type LogReport,
} from '../../answers/warehouse.ts'
import { groupedBy } from '../../collections.ts'
import { json, shown } from '../../report/safe.ts'
import { failingChanges } from '../../usage/replay.ts'
import { callInput } from '../../warehouse/call-input.ts'
import { dialects } from '../../warehouse/dialects.ts'
import { operationColumns, operationTables } from '../../warehouse/operations.ts'
import { beforePrefix, decisionStatements, emptyTable, replayStatements } from '../../warehouse/script.ts'
import { residueRow, type SettledRows, settledColumns, settler } from '../../warehouse/settle.ts'
import type { CallColumn } from '../../warehouse/steps.ts'
import { type ColumnType, type Value, type WorldTables, worldTables } from '../../warehouse/tables.ts'
import type { Options, Run } from '../app/commands.ts'
import { type ExitCode, exit } from '../app/exit.ts'
import type { Io } from '../app/io.ts'
import { displayPath } from '../app/paths.ts'
import { Refusal } from '../app/refusal.ts'
import { pathsBefore } from '../input/before.ts'
import { mappingOf } from '../input/columns.ts'
import { catalogueFor, operationsFor } from '../input/known.ts'
import { instantOf } from '../input/question.ts'
import { type LoadedWorld, loadWorld } from '../input/world.ts'
import { type Duckdb, type DuckdbRow, openDuckdb } from '../live/duckdb.ts'
import { openLog, rowColumn } from '../live/log-files.ts'
import { writeAnswer } from '../output/answer.ts'
import { viewOf } from '../output/view.ts'
import { writingFault } from '../output/write.ts'

const dialect = dialects.duckdb
const calls = 'gw_call'

/** How many questions are listed unless all are asked for. */
const mostListed = 20

/** How many rows of the log that are no calls are named. */
const mostRefusals = 5

/** A log with no later time may have another unit than it was read with. */
const firstLikely = Date.UTC(1980, 0, 1)

/** Questions whose rows are those of a view, with the order in which they are written. */
const views = {
  unused: 'entry',
  'who-used': 'calls DESC, identity, action, resource, entry',
  least: 'identity, action, resource, verdict',
} as const

/** `sql decide` and `sql replay`: the calls of a log, decided in DuckDB. */
export const run: Run<'sql'> = async ([question], options, io) => {
  if (question === undefined) throw new Refusal('the question is missing', 'use `sql decide`, `replay`, `unused`, `who-used` or `least`')
  if (options.calls.length === 0) throw new Refusal('the log is missing', "name its files: --calls 'logs/*.parquet'")
  if (question === 'replay' && options.before === undefined)
    throw new Refusal('`sql replay` compares with a state, which is missing', 'for example `--before git:main`')
  if (question !== 'replay' && options.before !== undefined)
    throw new Refusal('`--before` is an option of `sql replay`', 'use `sql replay`, or omit it')
  if (question in views && options.format !== 'pretty')
    throw new Refusal(`\`sql ${question}\` writes JSON lines, and knows no other format`, 'omit `--format`')
  if (question !== 'decide' && (options.decisions !== undefined || options.format === 'verdict'))
    throw new Refusal('`--decisions` and `--format verdict` are options of `sql decide`', 'omit them')
  if (options.decisions !== undefined) decisionsFormat(options.decisions, io)
  const instant = options.at === undefined ? io.now() : instantOf('--at', options.at)
  const loaded = await loadWorld({ ...options, format: undefined }, io)
  if (!loaded) return exit.error
  const before =
    options.before === undefined
      ? undefined
      : await loadWorld({ ...options, format: undefined, policies: await pathsBefore(options.before, options.policies, io) }, io)
  if (options.before !== undefined && !before) return exit.error
  const folder = mkdtempSync(join(options.temporary === undefined ? tmpdir() : resolve(io.cwd, options.temporary), 'grantwise-'))
  let database: Duckdb | undefined
  try {
    database = await openDuckdb({ memory: options.memory, temporary: folder, threads: options.threads }, io)
    void io.interrupted?.().then(database.interrupt)
    const log = new Log(database, options, io)
    await log.open(loaded)
    const after = await log.decide('gw_', loaded, instant)
    if (before) {
      await log.decide(beforePrefix('gw_'), before, instant)
      return await compared(log, after, [before, loaded], options, io)
    }
    if (question in views) return await listed(log, question as keyof typeof views, io)
    return await decided(log, after, loaded, options, io)
  } finally {
    database?.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A log in the database, with the decisions about its calls. */
class Log {
  readonly database: Duckdb
  private readonly options: Options<'sql'>
  private readonly io: Io
  private given: ReadonlySet<CallColumn> = new Set()

  constructor(database: Duckdb, options: Options<'sql'>, io: Io) {
    this.database = database
    this.options = options
    this.io = io
  }

  /** Read the files, and make the table of calls. */
  async open({ world, settings, config }: LoadedWorld): Promise<void> {
    const { database, options, io } = this
    this.progress('reading the log')
    const columnMapping = options.columns === undefined ? undefined : await mappingOf(options.columns, settings, io)
    const mapping = await openLog(options.calls, database, io, columnMapping)
    const id = { kind: 'column', path: [rowColumn], format: undefined } as const
    const { account } = world
    const input = callInput({ ...mapping, columns: new Map([...mapping.columns, ['id', id]]) }, dialect, {
      table: (name) => `gw_${name}`,
      calls,
      ...(account !== undefined && { account }),
    })
    this.given = input.given
    if (input.needsOperations)
      for (const { name, rows } of operationTables(await operationsFor(config, io), await catalogueFor(config, io)))
        await this.load(`gw_${name}`, operationColumns[name], rows)
    for (const { sql } of input.statements) await database.run(sql, 'reading the calls')
    await this.noteUnit()
  }

  /** Seconds that are read as milliseconds are a few days of January 1970. */
  private async noteUnit(): Promise<void> {
    if (!this.given.has('at_ms')) return
    const [row] = await this.database.rows(`SELECT max(at_ms) AS last FROM ${calls}`, 'reading the calls')
    if (typeof row?.last === 'number' && row.last < firstLikely)
      this.io.stderr.write(
        'grantwise: note: all times of the log are before 1980: if they are seconds, say so with `--columns …,at=COLUMN:epoch_s`\n',
      )
  }

  /** Decide about all calls under a world, with what SQL leaves open. */
  async decide(prefix: string, { world, settings }: LoadedWorld, instant: number): Promise<WorldTables> {
    const { database } = this
    const tables = worldTables(world, dialect.likeEscape)
    for (const { name, columns, rows } of tables.tables.values()) await this.load(prefix + name, columns, rows)
    const statements = decisionStatements(tables, dialect, { prefix, calls, given: this.given })
    for (const [i, { name, sql }] of statements.entries()) {
      this.progress(`deciding: step ${i + 1} of ${statements.length}`)
      await database.run(sql, `deciding, at ${name}`)
    }
    this.progress('settling what SQL leaves open')
    const settle = settler(world, tables, settings, instant)
    let into: SettledRows = { settled: [], settled_entry: [], settled_missing: [] }
    const flush = async () => {
      for (const [name, columns] of Object.entries(settledColumns))
        await this.load(prefix + name, columns, into[name as keyof SettledRows], true)
      into = { settled: [], settled_entry: [], settled_missing: [] }
    }
    for await (const row of database.stream(`SELECT * FROM ${prefix}residue`, 'reading open situations')) {
      const read = residueRow(row)
      if (typeof read === 'string') throw new Error(`a row of the residue: ${read}`)
      settle(read, into)
      if (into.settled.length >= 10_000) await flush()
    }
    await flush()
    this.progress(undefined)
    return tables
  }

  private async load(
    table: string,
    columns: readonly (readonly [string, ColumnType])[],
    rows: readonly (readonly Value[])[],
    isThere = false,
  ): Promise<void> {
    if (!isThere) for (const sql of emptyTable(table, columns, dialect)) await this.database.run(sql, `making ${table}`)
    if (rows.length > 0) await this.database.append(table, columns, rows)
  }

  /** Report what is done now, only on a terminal. */
  private progress(text: string | undefined): void {
    if (this.io.stderr.isTerminal()) this.io.stderr.write(`\r\u001b[K${text ?? ''}`)
  }

  /** How much the log holds. */
  async report(): Promise<Omit<LogReport, 'uses' | 'allUses' | 'groupsUnknown'>> {
    const { database } = this
    const [counts] = await database.rows(
      `SELECT (SELECT count(*) FROM ${calls}) AS calls, (SELECT count(*) FROM gw_ask) AS questions, (SELECT count(DISTINCT id) FROM gw_refused) AS refused`,
      'counting',
    )
    const { calls: count, questions, refused } = counts as DuckdbRow
    const refusals = await database.rows(
      `SELECT id, min(column_name || ': ' || why) AS why FROM gw_refused GROUP BY id ORDER BY id LIMIT ${mostRefusals}`,
      'reading refused rows',
    )
    return {
      calls: Number(count),
      questions: Number(questions),
      refusedRows: Number(refused),
      refusals: refusals.map(({ id, why }) => ({ row: Number(id), why: String(why) })),
    }
  }

  /**
   * The uses of a query with `q`, `verdict`, `reason`, `calls`, `first_ms` and `last_ms`, the most frequent first; behind them those that
   * are malformed, and in a comparison those of which it is not known whether they change.
   */
  async uses(query: string, tables: WorldTables, before = false): Promise<Pick<LogReport, 'uses' | 'allUses'>> {
    const { database, options } = this
    const rank = before
      ? `CASE WHEN 'error' IN (z.verdict, z.before) THEN 2 WHEN 'unknown' IN (z.verdict, z.before) THEN 1 ELSE 0 END`
      : `CASE WHEN z.verdict = 'error' THEN 1 ELSE 0 END`
    const limit = options.all ? '' : ` LIMIT ${mostListed}`
    await database.run(
      `CREATE OR REPLACE TABLE gw_listed AS SELECT row_number() OVER () AS n, y.* FROM (SELECT z.*, k.identity, k.action, k.resource${this.given.has('grps') ? ', k.grps' : ''} FROM (${query}) z JOIN gw_ask k ON k.q = z.q ORDER BY ${rank}, z.calls DESC, k.identity, k.action, k.resource, z.verdict${limit}) y`,
      'listing calls',
    )
    const rows = await database.rows('SELECT * FROM gw_listed ORDER BY n', 'listing calls')
    // Constants reach the tables under a view, where a join with few rows would not.
    const listed = options.all ? '' : ` WHERE b.q IN (${['0', ...rows.map(({ q }) => String(q))].join(', ')})`
    const of = async (column: string, table: string) => {
      const query = `SELECT DISTINCT l.n AS n, b.${column} AS value FROM (SELECT q, s, ${column} FROM ${table} b${listed}) b JOIN gw_counts c ON c.q = b.q AND c.s = b.s JOIN gw_listed l ON l.q = c.q AND l.verdict = c.verdict AND l.reason = c.reason${before ? ' AND l.before = c.before' : ''} ORDER BY n, value`
      return groupedBy(await database.rows(query, 'listing reasons'), ({ n }) => Number(n))
    }
    const [because, missing, problems] = [
      await of('entry', 'gw_because'),
      await of('fact', 'gw_settled_missing'),
      await of('problem', 'gw_settled'),
    ]
    const [all] = await database.rows(`SELECT count(*) AS n FROM (${query}) z`, 'counting uses')
    const uses = rows.map((row): LoggedUse => {
      const n = Number(row.n)
      return {
        identity: String(row.identity),
        action: String(row.action),
        resource: String(row.resource),
        ...(row.grps ? { groups: String(row.grps).split('\n') } : {}),
        verdict: row.verdict as LoggedUse['verdict'],
        ...(before && { before: row.before as LoggedUse['verdict'] }),
        reason: row.verdict === 'error' ? String(problems.get(n)?.[0]?.value ?? row.reason) : String(row.reason),
        calls: Number(row.calls),
        first: row.first_ms === null ? undefined : Number(row.first_ms),
        last: row.last_ms === null ? undefined : Number(row.last_ms),
        clauses: (because.get(n) ?? []).map(({ value }) => tables.clauses[Number(value) - 1] as LoggedUse['clauses'][number]),
        missing: (missing.get(n) ?? []).map(({ value }) => String(value)),
      }
    })
    return { uses, allUses: Number(all?.n) }
  }

  /** The counted calls that a query keeps and that are denied although the groups of the identity are not known. */
  async groupsUnknown(where: string): Promise<LogReport['groupsUnknown']> {
    const [row] = await this.database.rows(
      `SELECT coalesce(CAST(sum(c.calls) AS BIGINT), 0) AS calls, count(DISTINCT k.identity) AS identities FROM gw_counts c JOIN gw_caveat v ON v.q = c.q AND v.s = c.s AND v.caveat = 'groups-unknown' JOIN gw_ask k ON k.q = c.q WHERE ${where}`,
      'counting caveats',
    )
    return { calls: Number(row?.calls), identities: Number(row?.identities) }
  }

  get times(): string {
    return this.given.has('at_ms') ? 'min(at_ms) AS first_ms, max(at_ms) AS last_ms' : 'NULL AS first_ms, NULL AS last_ms'
  }
}

const summed = 'CAST(sum(calls) AS BIGINT) AS calls, min(first_ms) AS first_ms, max(last_ms) AS last_ms'

async function decided(log: Log, tables: WorldTables, loaded: LoadedWorld, options: Options<'sql'>, io: Io): Promise<ExitCode> {
  const { database } = log
  await database.run(
    `CREATE TABLE gw_counts AS SELECT gw_q AS q, gw_s AS s, gw_verdict AS verdict, gw_reason AS reason, count(*) AS calls, ${log.times} FROM gw_decision GROUP BY gw_q, gw_s, gw_verdict, gw_reason`,
    'counting calls',
  )
  if (options.decisions !== undefined) await writeDecisions(options.decisions, database, io)
  const counts = { allow: 0, deny: 0, unknown: 0, error: 0 }
  const distinct = { ...counts }
  for (const row of await database.rows(
    'SELECT verdict, CAST(sum(calls) AS BIGINT) AS calls, count(DISTINCT q) AS questions FROM gw_counts GROUP BY verdict',
    'counting calls',
  )) {
    counts[row.verdict as LoggedUse['verdict']] = Number(row.calls)
    distinct[row.verdict as LoggedUse['verdict']] = Number(row.questions)
  }
  const report = await log.report()
  const code: ExitCode = counts.error + report.refusedRows > 0 ? exit.error : exit.success
  if (options.format === 'verdict') {
    await writeVerdicts(database, io)
    return code
  }
  const uses = await log.uses(
    `SELECT q, verdict, reason, ${summed} FROM gw_counts WHERE verdict <> 'allow' GROUP BY q, verdict, reason`,
    tables,
  )
  const groupsUnknown = await log.groupsUnknown("c.verdict = 'deny'")
  const decidedLog: DecidedLog = { ...report, counts, distinct, ...uses, groupsUnknown }
  writeAnswer(
    decidedAnswer(decidedLog),
    viewOf(options, [loaded.world]),
    { ...options, format: options.format, title: 'grantwise sql decide' },
    io,
  )
  return code
}

async function compared(
  log: Log,
  after: WorldTables,
  [old, now]: readonly [LoadedWorld, LoadedWorld],
  options: Options<'sql'>,
  io: Io,
): Promise<ExitCode> {
  const { database } = log
  for (const { sql } of replayStatements(dialect, 'gw_')) await database.run(sql, 'comparing decisions')
  await database.run(
    `CREATE TABLE gw_counts AS SELECT gw_q AS q, gw_s AS s, gw_verdict AS verdict, gw_reason AS reason, before_verdict AS before, gw_change AS change, count(*) AS calls, ${log.times} FROM gw_replay GROUP BY ALL`,
    'comparing decisions',
  )
  const counts = { refused: 0, allowed: 0, unknown: 0, same: 0, error: 0 }
  const distinct = { ...counts }
  for (const row of await database.rows(
    'SELECT change, CAST(sum(calls) AS BIGINT) AS calls, count(DISTINCT q) AS questions FROM gw_counts GROUP BY change',
    'counting calls',
  )) {
    counts[row.change as keyof typeof counts] = Number(row.calls)
    distinct[row.change as keyof typeof counts] = Number(row.questions)
  }
  const report = await log.report()
  const uses = await log.uses(
    `SELECT q, verdict, reason, before, ${summed} FROM gw_counts WHERE verdict <> before OR verdict IN ('unknown', 'error') GROUP BY q, verdict, reason, before`,
    after,
    true,
  )
  const groupsUnknown = await log.groupsUnknown("c.verdict = 'deny' AND c.before = 'allow'")
  const comparedLog: ComparedLog = { ...report, counts, distinct, ...uses, groupsUnknown }
  writeAnswer(
    comparedAnswer(comparedLog),
    viewOf(options, [old.world, now.world]),
    { ...options, format: options.format as 'pretty', title: 'grantwise sql replay' },
    io,
  )
  if (counts.error + report.refusedRows > 0) return exit.error
  if (failingChanges[options.failOn].some((change) => counts[change] > 0)) return exit.failure
  return options.failOn !== 'never' && counts.unknown > 0 ? exit.unknown : exit.success
}

/** The rows of a view, a JSON object a line. */
async function listed(log: Log, question: keyof typeof views, io: Io): Promise<ExitCode> {
  const query = `SELECT * FROM gw_${question.replace('-', '_')} ORDER BY ${views[question]}`
  for await (const row of log.database.stream(query, 'reading the answer')) if (!io.stdout.write(`${json(row)}\n`)) break
  const { refusedRows, refusals } = await log.report()
  // Only settling finds malformed values, and `gw_residue` counts the calls of each open situation.
  const [malformed] = await log.database.rows(
    "SELECT CAST(sum(r.calls) AS BIGINT) AS n FROM gw_residue r JOIN gw_settled f ON f.q = r.q AND f.s = r.s WHERE f.verdict = 'error'",
    'counting calls',
  )
  const malformedCalls = Number(malformed?.n ?? 0)
  if (malformedCalls > 0)
    io.stderr.write(
      `grantwise: ${malformedCalls} ${malformedCalls === 1 ? 'call has' : 'calls have'} a malformed value and no decision: \`sql decide\` lists them\n`,
    )
  for (const { row, why } of refusals) io.stderr.write(`grantwise: row ${row} left out: ${shown(why)}\n`)
  if (refusedRows > refusals.length) io.stderr.write(`grantwise: ${refusedRows - refusals.length} more rows left out\n`)
  return refusedRows + malformedCalls > 0 ? exit.error : exit.success
}

/** The format of the file of `--decisions`, by the ending of its name. */
function decisionsFormat(path: string, io: Io): string {
  const format = /\.(parquet|csv|json)$/i.exec(path)?.[1]?.toLowerCase()
  if (format !== undefined) return format
  throw new Refusal(
    `--decisions ${displayPath(resolve(io.cwd, path), io.cwd)}: not a kind of file that is written`,
    'end its name in .parquet, .csv or .json',
  )
}

/** Each call with its verdict as a file, in the order of the log. The file is there only when it is whole. */
async function writeDecisions(path: string, database: Duckdb, io: Io): Promise<void> {
  const file = resolve(io.cwd, path)
  const part = `${file}.${process.pid}.part`
  try {
    await database.run(
      `COPY (SELECT * FROM gw_decision ORDER BY id) TO '${part.replaceAll("'", "''")}' (FORMAT ${decisionsFormat(path, io)})`,
      `writing ${displayPath(file, io.cwd)}`,
    )
    try {
      renameSync(part, file)
    } catch (error) {
      throw new Refusal(`${displayPath(file, io.cwd)}: cannot be written: ${writingFault(error)}`)
    }
  } finally {
    rmSync(part, { force: true })
  }
}

/** A verdict a line, in the order of the log, as `can --batch --format verdict` writes them. */
async function writeVerdicts(database: Duckdb, io: Io): Promise<void> {
  const lines = `SELECT d.id AS id, d.gw_verdict AS verdict, coalesce(f.problem, '') AS problem FROM gw_decision d LEFT JOIN gw_settled f ON f.q = d.gw_q AND f.s = d.gw_s
UNION ALL SELECT id, 'error', min(column_name || ': ' || why) FROM gw_refused GROUP BY id ORDER BY id`
  let text = ''
  for await (const { id, verdict, problem } of database.stream(lines, 'reading the verdicts')) {
    text += verdict === 'error' ? `error · line ${id}: ${shown(String(problem))}\n` : `${verdict}\n`
    if (text.length > 1 << 16) {
      if (!io.stdout.write(text)) return
      text = ''
    }
  }
  io.stdout.write(text)
}
