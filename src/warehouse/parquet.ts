import { parquetWriteBuffer } from 'hyparquet-writer'
import type { ColumnType, Value } from './tables.ts'

const types = { int: 'INT32', bigint: 'INT64', text: 'STRING' } as const

/** A table as a Parquet file. The same rows give the same bytes. */
export function parquet(columns: readonly (readonly [string, ColumnType])[], rows: readonly (readonly Value[])[]): Uint8Array {
  const columnData = columns.map(([name, type], i) => ({
    name,
    type: types[type],
    nullable: false,
    data: rows.map((row) => (type === 'bigint' ? BigInt(row[i] as number) : (row[i] as Value))),
  }))
  // Engines read whole tables: smaller groups and statistics would only take time.
  return new Uint8Array(parquetWriteBuffer({ columnData, statistics: false, rowGroupSize: 100_000 }))
}
