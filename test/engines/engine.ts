import { duckdb } from './duckdb.ts'
import { pglite, postgres } from './postgres.ts'
import { clickhouse, spark } from './python.ts'
import { trino } from './trino.ts'

/** SQL engines that run, each behind the same few calls. `node scripts/engines.mjs install` fetches those that npm does not have. */

const engines = {
  duckdb: { dialect: 'duckdb', connect: duckdb },
  pglite: { dialect: 'postgres', connect: pglite },
  postgres: { dialect: 'postgres', connect: postgres },
  clickhouse: { dialect: 'clickhouse', connect: clickhouse },
  spark: { dialect: 'spark', connect: spark },
  trino: { dialect: 'trino', connect: trino },
} as const satisfies Record<string, { dialect: string; connect: () => Promise<Connection> }>

export type EngineName = keyof typeof engines

export type Column = readonly [name: string, type: 'int' | 'bigint' | 'text']
export type Row = Readonly<Record<string, unknown>>

export interface LoadOptions {
  /** Columns that may have no value: ClickHouse wants them declared. */
  readonly nullable?: readonly string[]
}

/** The calls that each engine answers in its own way. */
export interface Connection {
  /** The rows of one statement; no rows where it has none. */
  readonly all: (sql: string) => Promise<readonly Row[]>
  /** Put a table of these rows in place of the one of that name. */
  readonly load: (table: string, columns: readonly Column[], rows: readonly Row[], options?: LoadOptions) => Promise<void>
  readonly close: () => Promise<void>
}

export interface Engine extends Connection {
  readonly name: EngineName
  readonly dialect: (typeof engines)[EngineName]['dialect']
  /** One statement. */
  readonly run: (sql: string) => Promise<void>
}

/** An engine with no tables. */
export async function open(name: EngineName): Promise<Engine> {
  const { dialect, connect } = engines[name]
  const connection = await connect()
  const all = async (sql: string) => (await connection.all(sql)).map(inNumbers)
  const run = async (sql: string) => {
    await connection.all(sql)
  }
  return { ...connection, name, dialect, all, run }
}

/** A row with numbers where an engine gives integers that are longer. */
const inNumbers = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value]))
