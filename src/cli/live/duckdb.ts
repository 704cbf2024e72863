import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import type { DuckDBAppender } from '@duckdb/node-api'
import type { ColumnType, Value } from '../../warehouse/tables.ts'
import type { Io } from '../app/io.ts'
import { Refusal } from '../app/refusal.ts'

export type DuckdbRow = Readonly<Record<string, unknown>>

/** A database of DuckDB in this process. */
export interface Duckdb {
  /** One statement. Its error is refused with what was done: `doing`. */
  readonly run: (sql: string, doing: string) => Promise<void>
  readonly rows: (sql: string, doing: string) => Promise<readonly DuckdbRow[]>
  /** Rows as they come, so that they are never all held. */
  readonly stream: (sql: string, doing: string) => AsyncGenerator<DuckdbRow>
  /** Add rows to a table that exists. */
  readonly append: (
    table: string,
    columns: readonly (readonly [name: string, type: ColumnType])[],
    rows: readonly (readonly Value[])[],
  ) => Promise<void>
  /** Refuse the statement that runs, and all that follow. */
  readonly interrupt: () => void
  readonly close: () => void
}

export interface DuckdbOptions {
  /** The most memory, as DuckDB writes it: `4GB`. More goes to the temporary folder. Undefined: half of the memory. */
  readonly memory: string | undefined
  readonly temporary: string
  readonly threads: number | undefined
}

type Api = typeof import('@duckdb/node-api')

/** DuckDB's own package, which is not a part of this one: next to the program, or in the working folder. */
function load(io: Io): Api {
  for (const from of [realpathSync(io.script ?? (process.argv[1] as string)), join(io.cwd, 'package.json')]) {
    try {
      return createRequire(from)('@duckdb/node-api') as Api
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND')
        throw new Refusal(`DuckDB cannot be loaded: ${(error as Error).message.split('\n')[0]}`)
    }
  }
  throw new Refusal(
    '`sql` runs on DuckDB, whose package is not installed',
    'install it where grantwise is installed, or in this folder: `npm install @duckdb/node-api`; or use `export sql` with an engine of yours',
  )
}

/** Of an error about a line of CSV, the first line only says where it is: the cause is two lines below. */
const causeOf = (message: string) => {
  const [first = '', , cause] = message.split('\n')
  return /CSV Error on Line/.test(first) && cause !== undefined ? `${first}: ${cause}` : first
}

/**
 * Half of the memory that this process may use. DuckDB's own default is four fifths: with what it does not count and what other
 * programs need, the system then stops it in the middle of a log of 100 million calls.
 */
function halfOfMemory(): string {
  // Without a limit, this is 0 or larger than the machine's memory.
  const limit = process.constrainedMemory()
  const most = limit > 0 ? Math.min(limit, totalmem()) : totalmem()
  return `${Math.floor(most / 2 ** 21)}MiB`
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`

export async function openDuckdb({ memory, temporary, threads }: DuckdbOptions, io: Io): Promise<Duckdb> {
  const { DuckDBInstance } = load(io)
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  let isInterrupted = false
  const attempt = async <T>(doing: string, work: () => Promise<T>): Promise<T> => {
    try {
      if (!isInterrupted) return await work()
    } catch (error) {
      if (isInterrupted) throw new Refusal('interrupted')
      const message = causeOf(error instanceof Error ? error.message : String(error))
      throw new Refusal(
        `${doing}: DuckDB says: ${message}`,
        /^Out of Memory/.test(message) ? 'give more with `--memory`, or a folder on a larger disk with `--temporary`' : undefined,
      )
    }
    throw new Refusal('interrupted')
  }
  const settings = [
    `SET temp_directory = ${quoted(temporary)}`,
    `SET memory_limit = ${quoted(memory ?? halfOfMemory())}`,
    ...(threads === undefined ? [] : [`SET threads = ${threads}`]),
    // Times without an offset, in files in which others have one, are in UTC wherever the command runs.
    "SET TimeZone = 'UTC'",
    // Rows of the log are numbered in its order.
    'SET preserve_insertion_order = true',
  ]
  for (const setting of settings) await attempt('the options of the database', () => connection.run(setting))
  return {
    run: async (sql, doing) => {
      await attempt(doing, () => connection.run(sql))
    },
    rows: (sql, doing) => attempt(doing, async () => (await connection.runAndReadAll(sql)).getRowObjectsJS().map(inNumbers)),
    async *stream(sql, doing) {
      const result = await attempt(doing, () => connection.stream(sql))
      const names = result.columnNames()
      for (;;) {
        const chunk = await attempt(doing, () => result.fetchChunk())
        if (!chunk || chunk.rowCount === 0) return
        for (const row of chunk.getRows()) yield inNumbers(Object.fromEntries(names.map((name, i) => [name, row[i]])))
      }
    },
    append: (table, columns, rows) =>
      attempt(`loading ${table}`, async () => {
        const appender = await connection.createAppender(table)
        for (const row of rows) {
          for (const [i, [, type]] of columns.entries()) appends[type](appender, row[i] as Value)
          appender.endRow()
        }
        appender.closeSync()
      }),
    interrupt: () => {
      isInterrupted = true
      connection.interrupt()
    },
    close: () => {
      connection.closeSync()
      instance.closeSync()
    },
  }
}

const appends: Readonly<Record<ColumnType, (appender: DuckDBAppender, value: Value) => void>> = {
  int: (appender, value) => appender.appendInteger(value as number),
  bigint: (appender, value) => appender.appendBigInt(BigInt(value as number)),
  text: (appender, value) => appender.appendVarchar(value as string),
}

/** A row with numbers in the place of integers of 64 bits. */
const inNumbers = (row: DuckdbRow): DuckdbRow =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value]))
