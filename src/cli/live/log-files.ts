import { resolve } from 'node:path'
import { nearest } from '../../nearest.ts'
import { shown } from '../../report/safe.ts'
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

/** Lines of JSON, or an array. Each object is looked at: a fact that only later ones have would be passed over. */
const json = "format = 'auto', maximum_object_size = 1048576, union_by_name = true, sample_size = -1"

const kinds = [
  { ending: /\.parquet$/i, function: 'read_parquet', options: 'union_by_name = true', types: undefined },
  { ending: /\.[ct]sv(\.gz|\.zst)?$/i, function: 'read_csv', options: 'union_by_name = true', types: 'types' },
  { ending: /\.(json|ndjson|jsonl)(\.gz|\.zst)?$/i, function: 'read_json', options: json, types: 'columns' },
] as const

/** Make the view of the log out of files. Returns the mapping of its columns: the given one, or that of the usual names. */
export async function openLog(files: readonly string[], database: Duckdb, io: Io, columnMapping?: Mapping): Promise<Mapping> {
  const kind = kinds.find(({ ending }) => ending.test(files[0] ?? ''))
  const other = files.find((file) => !kind?.ending.test(file))
  if (!kind || other !== undefined)
    throw new Refusal(
      `--calls ${other ?? files[0]}: ${kind ? 'the files are not of one kind' : 'not a kind of log that is read'}`,
      'name files that end in .parquet, .csv, .json, .ndjson or .jsonl',
    )
  const read = (options: string) => `${kind.function}([${files.map((file) => quoted(resolve(io.cwd, file))).join(', ')}], ${options})`
  const logColumns = await columnsOf(read(kind.options), database)
  // Instants in JSON are strings, which have an offset or are refused.
  const columns =
    kind.types === 'columns' ? new Map([...logColumns].map(([name, type]) => [name, isInstant(type) ? 'VARCHAR' : type])) : logColumns
  const mapping: Mapping = columnMapping
    ? { ...columnMapping, source: [logView] }
    : usualMapping(await withLists(columns, read(kind.options), database))
  refuseUnknownColumns(mapping, columns)
  const types = new Map([...logColumns].map(([name, type]) => [name, typeOf(name, type, mapping)]))
  const listed = [...types].map(([name, type]) => `${quoted(name)}: ${quoted(type)}`).join(', ')
  const source = kind.types === undefined ? read(kind.options) : read(`${kind.options}, ${kind.types} = {${listed}}`)
  const objects = kind.types === undefined ? [...logColumns].filter(([name, type]) => isObject(type) && isOf('tags', name, mapping)) : []
  const groups = mapping.columns.get('groups')
  const lists =
    groups?.kind === 'column' && groups.format === 'array'
      ? [...logColumns].filter(([name, type]) => type === 'VARCHAR' && isOf('groups', name, mapping))
      : []
  const replaced = [
    ...objects.map(([name, type]) => `${objectText(named(name), type)} AS ${named(name)}`),
    // A list that was written as text: `["a", "b"]`.
    ...lists.map(([name]) => `CAST(nullif(${named(name)}, '') AS VARCHAR[]) AS ${named(name)}`),
  ]
  await database.run(
    `CREATE VIEW ${logView} AS SELECT row_number() OVER () AS ${rowColumn}, *${replaced.length > 0 ? ` REPLACE (${replaced.join(', ')})` : ''} FROM ${source}`,
    'reading the log',
  )
  if (columnMapping) await refuseUnfit(mapping, database)
  return mapping
}

const isInstant = (type: string) => /^(TIMESTAMP|DATE|TIME)/.test(type)
const isObject = (type: string) => /^(STRUCT|MAP)/.test(type) && !type.endsWith(']')

/** Whether a column of the log is that of a mapping. */
function isOf(column: InputColumn, name: string, { columns }: Mapping): boolean {
  const origin = columns.get(column)
  return origin?.kind === 'column' && origin.path.length === 1 && origin.path[0]?.toLowerCase() === name.toLowerCase()
}

/** The type that a column of text files is read with, by the one that DuckDB sees in it: what is a text by its meaning stays one. */
function typeOf(name: string, type: string, mapping: Mapping): string {
  const timeColumn = mapping.columns.get('at')
  if (isOf('tags', name, mapping)) return isObject(type) || type === 'JSON' ? 'JSON' : 'VARCHAR'
  if (isOf('owner', name, mapping)) return 'VARCHAR'
  if (isInstant(type) && timeColumn?.kind === 'column' && isOf('at', name, mapping) && timeColumn.format !== 'timestamp') return 'VARCHAR'
  return type === 'JSON[]' ? 'VARCHAR[]' : type
}

/** The JSON text of an object. A member of a struct that is NULL is one that the row does not have. */
const objectText = (value: string, type: string) =>
  type.startsWith('MAP') ? `to_json(${value})` : `json_merge_patch('{}', to_json(${value}))`

/** The columns of a source. Those of JSON without any row cannot be seen: they are taken for those of questions. */
async function columnsOf(source: string, database: Duckdb): Promise<ReadonlyMap<string, string>> {
  const columns = await describe(source, database)
  if (columns.size !== 1 || !columns.has('json')) return columns
  const [first] = await database.rows(`SELECT 1 AS n FROM ${source} LIMIT 1`, 'reading the log')
  return first ? columns : new Map(['identity', 'action', 'resource'].map((name) => [name, 'VARCHAR']))
}

/** A column of a mapping that the log does not have is refused by its name, next to the nearest that it has. */
function refuseUnknownColumns({ columns, keep }: Mapping, columnTypes: ReadonlyMap<string, string>): void {
  const names = new Map([...columnTypes.keys()].map((name) => [name.toLowerCase(), name]))
  const wanted = [...[...columns.values()].flatMap((origin) => (origin.kind === 'column' ? [origin.path] : [])), ...keep]
  for (const [name = ''] of wanted) {
    if (!names.has(name.toLowerCase())) refuseMissing('the log has no column', [], name, names.values())
  }
}

/** Refuse a column, or a field of one, next to the nearest that is there. `within`: the names of the column that has the field. */
function refuseMissing(problem: string, within: readonly string[], name: string, there: Iterable<string>): never {
  const names = [...there]
  const closest = nearest(name, names)
  const has = within.length === 0 ? 'it' : `\`${pathText(within)}\``
  throw new Refusal(
    `${problem} \`${pathText([...within, name])}\`: ${has} has ${listed(names)}`,
    closest === undefined ? 'correct `--columns`' : `did you mean \`${pathText([...within, closest])}\`?`,
  )
}

const pathText = (path: readonly string[]) => shown(path.join('.'))

/** The types that a format needs. Other formats read text. */
const fitting: ReadonlyMap<string, { readonly type: RegExp; readonly words: string; readonly instead: string }> = new Map([
  ['array', { type: /\]$/, words: 'a list', instead: 'omit `:array` where it has a group a line' }],
  ['timestamp', { type: /^(TIMESTAMP|DATE)(?!.*\]$)/, words: 'a time of DuckDB', instead: 'use `rfc3339`, `epoch_ms` or `epoch_s`' }],
])

/** Refuse columns of a mapping that the view of the log cannot give: fields that are not there, and types that a format cannot read. */
async function refuseUnfit({ columns, keep }: Mapping, database: Duckdb): Promise<void> {
  const origins = [...columns].flatMap(([name, origin]) => (origin.kind === 'column' ? [{ name, ...origin }] : []))
  const wanted = [...origins, ...keep.map((path) => ({ name: 'keep', path, format: undefined }))]
  const all = await describe(logView, database)
  for (const { name, path, format } of wanted) {
    const fit = fitting.get(format ?? '')
    if (path.length === 1 && !fit) continue
    const type = await typeAt(path, all, database)
    if (type !== undefined && fit && !fit.type.test(type))
      throw new Refusal(`\`${name}\` is made of \`${pathText(path)}\`, which is ${shown(type)}, and not ${fit.words}`, fit.instead)
  }
}

/** The type of a column, or of a field within it; undefined where each row may have other fields. */
async function typeAt(path: readonly string[], all: ReadonlyMap<string, string>, database: Duckdb): Promise<string | undefined> {
  let fields = all
  let source = logView
  for (const [i, part] of path.entries()) {
    const name = [...fields.keys()].find((each) => each.toLowerCase() === part.toLowerCase())
    if (name === undefined) return refuseMissing('the log has no field', path.slice(0, i), part, fields.keys())
    const type = fields.get(name) as string
    if (i === path.length - 1) return type
    if (type === 'JSON' || (isObject(type) && type.startsWith('MAP'))) return undefined
    if (!isObject(type))
      throw new Refusal(
        `the log has no field \`${pathText(path)}\`: \`${pathText(path.slice(0, i + 1))}\` is ${shown(type)}, which has no fields`,
        'quote a name that has a dot: `"a.b"`',
      )
    source = `(SELECT unnest(${named(name)}) FROM ${source})`
    fields = await describe(source, database)
  }
  return undefined
}

const listed = (names: Iterable<string>) => [...names].map((name) => `\`${shown(name)}\``).join(', ')

async function describe(source: string, database: Duckdb): Promise<ReadonlyMap<string, string>> {
  const rows = await database.rows(`DESCRIBE SELECT * FROM ${source}`, 'reading the log')
  return new Map(rows.map(({ column_name, column_type }: DuckdbRow) => [String(column_name), String(column_type)]))
}

/** The columns, with the type of a list for `groups` where each of its values is a list, as CSV writes one. */
async function withLists(columns: ReadonlyMap<string, string>, source: string, database: Duckdb): Promise<ReadonlyMap<string, string>> {
  const name = [...columns].find(([name, type]) => type === 'VARCHAR' && usualColumn(name) === 'groups')?.[0]
  if (name === undefined) return columns
  const query = `SELECT bool_and(${named(name)} LIKE '[%]') AS lists FROM ${source} WHERE ${named(name)} <> ''`
  const [row] = await database.rows(query, 'reading the log')
  return row?.lists === true ? new Map([...columns, [name, 'VARCHAR[]']]) : columns
}

/** Other names that logs have for the columns of calls. */
const synonyms: ReadonlyMap<string, InputColumn> = new Map([
  ['at_ms', 'at'],
  ['grps', 'groups'],
  ['time', 'at'],
  ['timestamp', 'at'],
])

/** The column of calls that a column of a log is by its usual name. DuckDB finds a column whatever the case of its name. */
function usualColumn(name: string): InputColumn | undefined {
  const lower = name.toLowerCase()
  return inputColumns.find((each) => each === lower) ?? synonyms.get(lower)
}

/** The mapping of a log whose columns have the names of questions, as the lines of `can --batch` do. */
function usualMapping(columns: ReadonlyMap<string, string>): Mapping {
  const origins = new Map<InputColumn, Origin>()
  for (const [name, type] of columns) {
    const column = usualColumn(name)
    if (column === undefined || column === 'id' || origins.has(column)) continue
    origins.set(column, { kind: 'column', path: [name], format: formatOf(column, type) })
  }
  const missing = (['identity', 'action', 'resource'] as const).filter((name) => !origins.has(name))
  const hasCalls = origins.has('identity') && origins.has('method') && origins.has('path')
  if (missing.length > 0 && !hasCalls)
    throw new Refusal(
      `the log has no column \`${missing[0]}\`: it has ${listed(columns.keys())}`,
      'say which columns they are: --columns identity=COLUMN,action=COLUMN,resource=COLUMN',
    )
  return { source: [logView], columns: origins, keep: [] }
}

function formatOf(column: InputColumn, type: string): InstantFormat | GroupsFormat | undefined {
  if (column === 'at') return /^TIMESTAMP|^DATE/.test(type) ? 'timestamp' : /INT|DOUBLE|DECIMAL/.test(type) ? 'epoch_ms' : 'rfc3339'
  return column === 'groups' ? (type.endsWith('[]') ? 'array' : 'lines') : undefined
}
