import type { DuckDBAppender } from '@duckdb/node-api'
import { DuckDBInstance } from '@duckdb/node-api'
import type { Column, Connection } from './engine.ts'

type Append = (appender: DuckDBAppender, value: unknown) => void

const appends: Readonly<Record<Column[1], Append>> = {
  int: (appender, value) => appender.appendInteger(Number(value)),
  bigint: (appender, value) => appender.appendBigInt(BigInt(value as number)),
  text: (appender, value) => appender.appendVarchar(String(value)),
}

export async function duckdb(): Promise<Connection> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '2' })
  const connection = await instance.connect()
  return {
    all: async (sql) => (await connection.runAndReadAll(sql)).getRowObjectsJS(),
    load: async (table, columns, rows) => {
      const types = { int: 'INTEGER', bigint: 'BIGINT', text: 'VARCHAR' }
      await connection.run(`CREATE OR REPLACE TABLE ${table} (${columns.map(([name, type]) => `${name} ${types[type]}`).join(', ')})`)
      const appender = await connection.createAppender(table)
      for (const row of rows) {
        for (const [name, type] of columns) {
          const value = row[name] ?? null
          if (value === null) appender.appendNull()
          else appends[type](appender, value)
        }
        appender.endRow()
      }
      appender.closeSync()
    },
    close: async () => {
      connection.closeSync()
      instance.closeSync()
    },
  }
}
