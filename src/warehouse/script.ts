import type { World } from '../policy.ts'
import { callInput } from './call-input.ts'
import { dbtFiles } from './dbt.ts'
import { type Dialect, dialects } from './dialects.ts'
import type { SqlFile, TableNames } from './files.ts'
import type { Mapping } from './mapping.ts'
import { type OperationTable, operationColumns } from './operations.ts'
import { parquet } from './parquet.ts'
import { readme } from './readme.ts'
import { settledColumns } from './settle.ts'
import type { DialectName } from './sql-text.ts'
import { DecisionSteps } from './steps.ts'
import { type ColumnType, tableColumns, type Value, type WorldTables, worldTables } from './tables.ts'
import { questionViews, replayView } from './views.ts'

/** The files of `export sql` (docs/warehouse.md). */

export interface SqlExportOptions extends TableNames {
  readonly dialect: DialectName
  /** Write the tables as INSERT statements. */
  readonly asInserts: boolean
  /** Write the decision as models of dbt, in place of a script. */
  readonly asDbt?: boolean
  /** How many units name a wide identity pattern, at least. */
  readonly wideFrom?: number
  /** The state to compare with; its tables have the prefix of `beforePrefix`. */
  readonly before?: World
  /** Make the table of calls of a log. */
  readonly input?: { readonly mapping: Mapping; readonly operations: () => readonly OperationTable[] }
}

export interface SqlExport {
  readonly files: readonly SqlFile[]
  readonly world: WorldTables
}

/** A world as files of tables and SQL. The same world gives the same bytes. */
export function sqlExport(world: World, exportOptions: SqlExportOptions): SqlExport {
  const dialect = dialects[exportOptions.dialect]
  const made = worldTables(world, dialect.likeEscape, exportOptions.wideFrom)
  const input = exportOptions.input && inputOf(exportOptions.input.mapping, made, dialect, exportOptions)
  const options = input ? { ...exportOptions, given: input.given } : exportOptions
  const operations = (input?.needsOperations && exportOptions.input?.operations()) || []
  const statement = options.asDbt ? undefined : oneStatement(made, dialect, options)
  const { files, load } = tableFiles([...made.tables.values(), ...operations], { ...tableColumns, ...operationColumns }, dialect, options)
  const hasStatement = statement !== undefined
  const before = exportOptions.before && beforeOf(exportOptions.before, dialect, options)
  return {
    world: made,
    files: [
      ...files,
      ...(before?.files ?? []),
      { path: 'load.sql', content: load + (before?.load ?? '') + (options.asDbt ? settledTables(dialect, options) : '') },
      ...(input ? [{ path: 'calls.sql', content: statements(input.statements.map(({ sql }) => sql)) }] : []),
      ...(options.asDbt
        ? dbtFiles(made, dialect, options)
        : [
            {
              path: 'decide.sql',
              content: statements([...decisionStatements(made, dialect, options), ...(before?.decide ?? [])].map(({ sql }) => sql)),
            },
          ]),
      ...(hasStatement ? [{ path: 'statement.sql', content: statement }] : []),
      {
        path: 'README.md',
        content: readme(made, {
          ...options,
          hasStatement,
          hasBefore: before !== undefined,
          source: exportOptions.input?.mapping.source.join('.'),
        }),
      },
    ],
  }
}

/** The tables of what is settled, which are sources of dbt. */
function settledTables(dialect: Dialect, { prefix }: SqlExportOptions): string {
  return statements(Object.entries(settledColumns).flatMap(([name, columns]) => emptyTable(prefix + name, columns, dialect)))
}

/** The prefix of the tables of the state before. */
export const beforePrefix = (prefix: string): string => `${prefix}before_`

/** The same of the state before, and the view that compares. */
function beforeOf(world: World, dialect: Dialect, options: SqlExportOptions) {
  const beforeOptions = { ...options, prefix: beforePrefix(options.prefix) }
  const made = worldTables(world, dialect.likeEscape, options.wideFrom)
  const decide = [...decisionStatements(made, dialect, beforeOptions), ...replayStatements(dialect, options.prefix)]
  return { ...tableFiles([...made.tables.values()], tableColumns, dialect, beforeOptions), decide }
}

/** The view that compares the decisions of two states. */
export function replayStatements(dialect: Dialect, prefix: string): readonly Statement[] {
  const { name, query } = replayView({ table: (each) => prefix + each }, (each) => beforePrefix(prefix) + each)
  return dialect.createView(prefix + name, query).map((sql) => ({ name: prefix + name, sql }))
}

function inputOf(mapping: Mapping, { account }: WorldTables, dialect: Dialect, { prefix, calls }: SqlExportOptions) {
  return callInput(mapping, dialect, { table: (name) => prefix + name, calls, account })
}

const statements = (list: readonly string[]) => list.map((each) => `${each};\n`).join('\n')

/** One statement of SQL, with the table or view that it is about. */
export interface Statement {
  readonly name: string
  readonly sql: string
}

/** The statements that decide, in the order in which they run: each makes a table of one query, the last ones views. */
export function decisionStatements(world: WorldTables, dialect: Dialect, { prefix, calls, given }: TableNames): readonly Statement[] {
  const table = (name: string) => prefix + name
  const steps = new DecisionSteps(world, { dialect, table, calls, given, isOneStatement: false })
  const list = steps.list()
  const named = (name: string, statements: readonly string[]) => statements.map((sql) => ({ name: table(name), sql }))
  return [
    ...list.flatMap(({ name, query }) => named(name, dialect.createTable(table(name), query))),
    ...Object.entries(settledColumns).flatMap(([name, columns]) => named(name, emptyTable(table(name), columns, dialect))),
    ...steps.views().flatMap(({ name, query }) => named(name, dialect.createView(table(name), query))),
    ...questionViews({ dialect, table, given }).flatMap(({ name, query }) => named(name, dialect.createView(table(name), query))),
  ]
}

/** The decision as one statement; undefined for engines that may compute a common table expression several times. */
function oneStatement(world: WorldTables, dialect: Dialect, { prefix, calls, given }: SqlExportOptions): string | undefined {
  const { materialized } = dialect
  if (materialized === undefined) return undefined
  const table = (name: string) => prefix + name
  const steps = new DecisionSteps(world, { dialect, table, calls, given, isOneStatement: true })
  const parts = steps.list().map(({ name, query }) => `${table(name)} AS ${materialized} (${query})`)
  return `WITH ${parts.join(',\n')}\n${steps.verdicts(false)};\n`
}

type Columns = readonly (readonly [name: string, type: ColumnType])[]

/** Statements that make an empty table. */
export function emptyTable(name: string, columns: Columns, dialect: Dialect): readonly string[] {
  const list = columns.map(([column, type]) => `${column} ${dialect.types[type]}`).join(', ')
  return [`DROP TABLE IF EXISTS ${name}${dialect.cascade}`, `CREATE TABLE ${name} (${list})${dialect.storage}`]
}

/** The rows of one INSERT statement: some engines limit the length of a statement. */
const rowsOfInsert = 200
/** The characters of a JSON literal before its last row. Trino takes a million in a statement. */
const charactersOfJson = 400_000

const pathOf = (name: string, format: string) => `tables/${name}.${format}`

/** Tables as files, and the SQL that loads them. `isThere`: they exist, and views that read them stay. */
export function tableFiles(
  tables: readonly { readonly name: string; readonly rows: readonly (readonly Value[])[] }[],
  columnsOf: Readonly<Record<string, Columns>>,
  dialect: Dialect,
  { prefix, asInserts, isThere }: Pick<SqlExportOptions, 'prefix' | 'asInserts'> & { readonly isThere?: boolean },
): { readonly files: readonly SqlFile[]; readonly load: string } {
  const format = asInserts ? undefined : dialect.files
  const files: SqlFile[] = []
  const load: string[] = []
  for (const { name, rows } of tables) {
    const columns = columnsOf[name] as Columns
    const table = prefix + name
    load.push(...(isThere && dialect.cascade !== '' ? [`TRUNCATE TABLE ${table}`] : emptyTable(table, columns, dialect)))
    if (rows.length === 0) continue
    if (format === undefined) {
      load.push(...inserts(table, columns, rows, dialect))
      continue
    }
    const path = pathOf(table, format.extension)
    files.push({ path, content: format.extension === 'parquet' ? parquet(columns, rows) : csv(columns, rows) })
    load.push(...format.load(table, path))
  }
  return { files, load: statements([...(format?.before ?? []), ...load, ...tables.flatMap(({ name }) => dialect.analyze(prefix + name))]) }
}

/** Statements that put rows into a table. */
export function inserts(
  table: string,
  columns: Columns,
  rows: readonly (readonly (Value | null)[])[],
  { literal, rowsOfJson: ofJson, types }: Dialect,
): readonly string[] {
  const into = `INSERT INTO ${table} (${columns.map(([name]) => name).join(', ')})`
  if (ofJson) {
    const typed = columns.map(([name, type]) => [name, types[type]] as const)
    return jsonLiterals(rows, literal).map((json) => `${into} ${ofJson(json, typed)}`)
  }
  const sqlOf = (value: Value | null) => (typeof value === 'string' ? literal(value) : String(value ?? 'NULL'))
  const statements: string[] = []
  for (let from = 0; from < rows.length; from += rowsOfInsert) {
    const values = rows.slice(from, from + rowsOfInsert).map((row) => `(${row.map(sqlOf).join(', ')})`)
    statements.push(`${into} VALUES\n${values.join(',\n')}`)
  }
  return statements
}

/** Rows as literals of JSON arrays, of bounded length. */
function jsonLiterals(rows: readonly (readonly unknown[])[], literal: Dialect['literal']): readonly string[] {
  const arrays: string[][] = []
  let characters = Number.POSITIVE_INFINITY
  for (const row of rows) {
    if (characters > charactersOfJson) {
      arrays.push([])
      characters = 0
    }
    const json = JSON.stringify(row)
    arrays.at(-1)?.push(json)
    characters += literal(json).length
  }
  return arrays.map((each) => literal(`[${each.join(',')}]`))
}

/** A file of comma-separated values. Strings are always quoted: an empty one is not NULL. */
function csv(columns: Columns, rows: readonly (readonly Value[])[]): string {
  const field = (value: Value) => (typeof value === 'number' ? String(value) : `"${value.replaceAll('"', '""')}"`)
  return `${[columns.map(([name]) => name), ...rows].map((row, i) => row.map((value) => (i === 0 ? String(value) : field(value))).join(',')).join('\n')}\n`
}
