import { resolve } from 'node:path'
import {
  type GroupsFormat,
  type InputColumn,
  type InstantFormat,
  inputColumns,
  type Mapping,
  type Origin,
} from '../../warehouse/mapping.ts'
import type { Io } from '../app/io.ts'
import { Refusal } from '../app/refusal.ts'
import type { Duckdb, DuckdbRow } from './duckdb.ts'

/** The view of the log, and the column with the numbers of its rows, from 1. */
export const logView = 'gw_log'
export const rowColumn = 'gw_row'

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`
const named = (text: string) => `"${text.replaceAll('"', '""')}"`

const kinds = [
  { ending: /\.parquet$/i, read: (files: string) => `read_parquet(${files}, union_by_name = true)` },
  { ending: /\.[ct]sv(\.gz|\.zst)?$/i, read: (files: string) => `read_csv(${files}, union_by_name = true)` },
  {
    ending: /\.(json|ndjson|jsonl)(\.gz|\.zst)?$/i,
    read: (files: string) => `read_json(${files}, format = 'newline_delimited', union_by_name = true, maximum_object_size = 1048576)`,
  },
] as const

/** Make the view of the log out of files. Returns the columns that it has, with their types. */
export async function openLog(files: readonly string[], database: Duckdb, io: Io): Promise<ReadonlyMap<string, string>> {
  const kind = kinds.find(({ ending }) => ending.test(files[0] ?? ''))
  const other = files.find((file) => !kind?.ending.test(file))
  if (!kind || other !== undefined)
    throw new Refusal(
      `--calls ${other ?? files[0]}: ${kind ? 'the files are not of one kind' : 'not a kind of log that is read'}`,
      'name files that end in .parquet, .csv, .json, .ndjson or .jsonl',
    )
  const list = `[${files.map((file) => quoted(resolve(io.cwd, file))).join(', ')}]`
  let source = kind.read(list)
  let columns = await describe(source, database)
  // Objects whose members differ from row to row are not one type: they are read as text.
  const objects = kind === kinds[2] ? [...columns].filter(([, type]) => /^(STRUCT|MAP|JSON)/.test(type)) : []
  if (objects.length > 0) {
    const types = new Map([...columns, ...objects.map(([name]) => [name, 'JSON'] as const)])
    const given = [...types].map(([name, type]) => `${named(name)}: ${quoted(type)}`).join(', ')
    source = `read_json(${list}, format = 'newline_delimited', columns = {${given}}, maximum_object_size = 1048576)`
    columns = types
  }
  await database.run(`CREATE VIEW ${logView} AS SELECT row_number() OVER () AS ${rowColumn}, * FROM ${source}`, 'reading the log')
  return columns
}

async function describe(source: string, database: Duckdb): Promise<ReadonlyMap<string, string>> {
  const rows = await database.rows(`DESCRIBE SELECT * FROM ${source}`, 'reading the log')
  return new Map(rows.map(({ column_name, column_type }: DuckdbRow) => [String(column_name), String(column_type)]))
}

/** Other names that logs have for the columns of calls. */
const synonyms: Readonly<Record<string, InputColumn>> = { at_ms: 'at', grps: 'groups', time: 'at', timestamp: 'at' }

/** The mapping of a log whose columns have the names of questions, as the lines of `can --batch` do. */
export function usualMapping(columns: ReadonlyMap<string, string>): Mapping {
  const origins = new Map<InputColumn, Origin>()
  for (const [name, type] of columns) {
    const column = inputColumns.find((each) => each === name) ?? synonyms[name]
    if (column === undefined || column === 'id' || origins.has(column)) continue
    origins.set(column, { kind: 'column', path: [name], format: formatOf(column, type) })
  }
  const missing = (['identity', 'action', 'resource'] as const).filter((name) => !origins.has(name))
  const hasCalls = origins.has('identity') && origins.has('method') && origins.has('path')
  if (missing.length > 0 && !hasCalls)
    throw new Refusal(
      `the log has no column \`${missing[0]}\`: it has ${[...columns.keys()].map((name) => `\`${name}\``).join(', ')}`,
      'say which columns they are: --columns identity=COLUMN,action=COLUMN,resource=COLUMN',
    )
  return { source: [logView], columns: origins, keep: [] }
}

function formatOf(column: InputColumn, type: string): InstantFormat | GroupsFormat | undefined {
  if (column === 'at') return /^TIMESTAMP|^DATE/.test(type) ? 'timestamp' : /INT|DOUBLE|DECIMAL/.test(type) ? 'epoch_ms' : 'rfc3339'
  return column === 'groups' ? (type.endsWith('[]') ? 'array' : 'lines') : undefined
}
