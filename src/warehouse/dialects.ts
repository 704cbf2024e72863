import { type DialectName, type SqlText, sqlTexts } from './sql-text.ts'

/** The parts of SQL that statements are made of and that engines spell differently. Arguments are expressions. */
export interface Dialect extends SqlText {
  readonly name: DialectName
  readonly types: Readonly<Record<'int' | 'bigint' | 'text', string>>
  /** Statements that make a table of a query. */
  readonly createTable: (name: string, query: string) => readonly string[]
  readonly createView: (name: string, query: string) => readonly string[]
  /** Different whole numbers for the rows of a query that runs once. */
  readonly rowNumber: string
  /** UNION without repeats. */
  readonly union: string
  readonly cast: (value: string, type: string) => string
  /** A type with NULL. */
  readonly nullable: (type: string) => string
  /** The first characters, as code points. */
  readonly head: (text: string, count: string) => string
  /** From a character on, counted from 1. */
  readonly rest: (text: string, start: string) => string
  readonly length: (text: string) => string
  readonly like: (text: string, pattern: string) => string
  /** The field of a text with colons, counted from 1; '' where there is none. */
  readonly field: (text: string, separator: string, index: number) => string
  /** Whole quotient of a number that is not negative. */
  readonly quotient: (number: string, divisor: number) => string
  readonly remainder: (number: string, divisor: number) => string
  readonly least: (a: string, b: string) => string
  /** The bits that two whole numbers have in common. */
  readonly bitAnd: (a: string, b: string) => string
  readonly concat: (...parts: readonly string[]) => string
  /** Whole numbers of a group as one text: the same for the same numbers, in whatever order. */
  readonly joined: (number: string) => string
  /** The parts of `key` between newlines, one a row: `SELECT key, grp`. */
  readonly lines: (from: string, key: string) => string
  /** The members of a JSON object of strings, one a row: `SELECT key, tag_key, tag_value`. */
  readonly members: (from: string, key: string) => string
  /** Whether common table expressions of a statement are computed once. */
  readonly materialized?: string
  /** Whether joins run in the order in which they are written, and a new table takes longer than it: few steps are then tables. */
  readonly joinsAsWritten?: boolean
  /** Behind the columns of a new table. */
  readonly storage: string
  /** Behind a table that is removed: what depends on it goes, too. */
  readonly cascade: string
  /** Statements that collect statistics of a table. */
  readonly analyze: (table: string) => readonly string[]
  /** The files of tables, and how they are loaded; undefined: as INSERT statements. */
  readonly files?: {
    readonly extension: 'parquet' | 'csv'
    readonly before?: readonly string[]
    readonly load: (table: string, path: string) => readonly string[]
  }
  /**
   * The rows of a JSON literal, an array of arrays, as a query with these columns: for an engine that takes a millisecond for each
   * literal of VALUES.
   */
  readonly rowsOfJson?: (literal: string, columns: readonly (readonly [name: string, type: string])[]) => string
}

const ansi = {
  types: { int: 'INTEGER', bigint: 'BIGINT', text: 'VARCHAR' },
  createTable: (name: string, query: string) => [`DROP TABLE IF EXISTS ${name}`, `CREATE TABLE ${name} AS\n${query}`],
  createView: (name: string, query: string) => [`CREATE OR REPLACE VIEW ${name} AS\n${query}`],
  rowNumber: 'row_number() OVER ()',
  union: 'UNION',
  cast: (value: string, type: string) => `CAST(${value} AS ${type})`,
  nullable: (type: string) => type,
  head: (text: string, count: string) => `substr(${text}, 1, ${count})`,
  rest: (text: string, start: string) => `substr(${text}, ${start})`,
  length: (text: string) => `length(${text})`,
  like: (text: string, pattern: string) => `${text} LIKE ${pattern} ESCAPE '!'`,
  field: (text: string, separator: string, index: number) => `split_part(${text}, '${separator}', ${index})`,
  quotient: (number: string, divisor: number) => `(${number} / ${divisor})`,
  remainder: (number: string, divisor: number) => `(${number} % ${divisor})`,
  least: (a: string, b: string) => `least(${a}, ${b})`,
  bitAnd: (a: string, b: string) => `(${a} & ${b})`,
  concat: (...parts: readonly string[]) => parts.join(' || '),
  joined: (number: string) => `string_agg(CAST(${number} AS VARCHAR), ',' ORDER BY ${number})`,
  storage: '',
  cascade: '',
  analyze: () => [],
} as const satisfies Partial<Omit<Dialect, keyof SqlText>>

const backslashed = { like: (text: string, pattern: string) => `${text} LIKE ${pattern}` } as const

/** Each dialect: what it spells otherwise than most. */
export const dialects: Readonly<Record<DialectName, Dialect>> = {
  duckdb: {
    ...ansi,
    ...sqlTexts.duckdb,
    name: 'duckdb',
    createTable: (name, query) => [`CREATE OR REPLACE TABLE ${name} AS\n${query}`],
    // Sorting a list takes a fifth of the time of an aggregate with an order.
    joined: (number) => `CAST(list_sort(list(${number})) AS VARCHAR)`,
    quotient: (number, divisor) => `(${number} // ${divisor})`,
    lines: (from, key) => `SELECT ${key}, unnest(string_split(${key}, chr(10))) AS grp FROM ${from}`,
    members: (from, key) =>
      `SELECT ${key}, u.m.key AS tag_key, u.m.value AS tag_value FROM (SELECT ${key}, unnest(map_entries(CAST(CAST(${key} AS JSON) AS MAP(VARCHAR, VARCHAR)))) AS m FROM ${from}) u`,
    materialized: 'MATERIALIZED',
    files: { extension: 'parquet', load: (table, path) => [`INSERT INTO ${table} SELECT * FROM read_parquet('${path}')`] },
  },
  postgres: {
    ...ansi,
    ...sqlTexts.postgres,
    name: 'postgres',
    types: { ...ansi.types, text: 'TEXT' },
    createTable: (name, query) => [`DROP TABLE IF EXISTS ${name} CASCADE`, `CREATE UNLOGGED TABLE ${name} AS\n${query}`, `ANALYZE ${name}`],
    createView: (name, query) => [`DROP VIEW IF EXISTS ${name} CASCADE`, `CREATE VIEW ${name} AS\n${query}`],
    length: (text) => `char_length(${text})`,
    lines: (from, key) => `SELECT g.${key}, u.grp FROM ${from} g CROSS JOIN LATERAL unnest(string_to_array(g.${key}, chr(10))) AS u(grp)`,
    members: (from, key) =>
      `SELECT g.${key}, j.key AS tag_key, j.value AS tag_value FROM ${from} g CROSS JOIN LATERAL json_each_text(CAST(g.${key} AS json)) j`,
    materialized: 'MATERIALIZED',
    cascade: ' CASCADE',
    analyze: (table) => [`ANALYZE ${table}`],
    // A command of psql, which reads the file where it runs.
    files: { extension: 'csv', load: (table, path) => [`\\copy ${table} FROM '${path}' WITH (FORMAT csv, HEADER)`] },
  },
  clickhouse: {
    ...ansi,
    ...backslashed,
    ...sqlTexts.clickhouse,
    name: 'clickhouse',
    bitAnd: (a, b) => `bitAnd(${a}, ${b})`,
    joined: (number) => `arrayStringConcat(arraySort(groupArray(toString(${number}))), ',')`,
    types: { int: 'Int32', bigint: 'Int64', text: 'String' },
    createTable: (name, query) => [
      `DROP TABLE IF EXISTS ${name}`,
      `CREATE TABLE ${name} ENGINE = MergeTree ORDER BY tuple() AS\n${query}\nSETTINGS join_use_nulls = 1`,
    ],
    createView: (name, query) => [`DROP TABLE IF EXISTS ${name}`, `CREATE VIEW ${name} AS\n${query}\nSETTINGS join_use_nulls = 1`],
    union: 'UNION DISTINCT',
    nullable: (type) => `Nullable(${type})`,
    head: (text, count) => `substringUTF8(${text}, 1, ${count})`,
    rest: (text, start) => `substringUTF8(${text}, ${start})`,
    length: (text) => `lengthUTF8(${text})`,
    field: (text, separator, index) => `splitByChar('${separator}', assumeNotNull(${text}))[${index}]`,
    quotient: (number, divisor) => `intDiv(${number}, ${divisor})`,
    lines: (from, key) => `SELECT ${key}, arrayJoin(splitByChar(char(10), assumeNotNull(${key}))) AS grp FROM ${from}`,
    members: (from, key) =>
      `SELECT ${key}, kv.1 AS tag_key, kv.2 AS tag_value FROM (SELECT ${key}, arrayJoin(JSONExtractKeysAndValues(assumeNotNull(${key}), 'String')) AS kv FROM ${from})`,
    storage: ' ENGINE = MergeTree ORDER BY tuple()',
    files: { extension: 'parquet', load: (table, path) => [`INSERT INTO ${table} FROM INFILE '${path}' FORMAT Parquet`] },
  },
  spark: {
    ...ansi,
    ...sqlTexts.spark,
    name: 'spark',
    joined: (number) => `array_join(array_sort(collect_list(CAST(${number} AS STRING))), ',')`,
    types: { int: 'INT', bigint: 'BIGINT', text: 'STRING' },
    createTable: (name, query) => [`DROP TABLE IF EXISTS ${name}`, `CREATE TABLE ${name} USING parquet AS\n${query}`],
    rowNumber: '(monotonically_increasing_id() + 1)',
    joinsAsWritten: true,
    quotient: (number, divisor) => `(${number} DIV ${divisor})`,
    lines: (from, key) => `SELECT ${key}, explode(split(${key}, char(10))) AS grp FROM ${from}`,
    members: (from, key) => `SELECT ${key}, explode(from_json(${key}, 'map<string,string>')) AS (tag_key, tag_value) FROM ${from}`,
    storage: ' USING parquet',
    files: { extension: 'parquet', load: (table, path) => [`INSERT INTO ${table} SELECT * FROM parquet.\`${path}\``] },
  },
  trino: {
    ...ansi,
    ...sqlTexts.trino,
    name: 'trino',
    bitAnd: (a, b) => `bitwise_and(${a}, ${b})`,
    joined: (number) => `array_join(array_agg(CAST(${number} AS VARCHAR) ORDER BY ${number}), ',')`,
    lines: (from, key) => `SELECT g.${key}, u.grp FROM ${from} g CROSS JOIN UNNEST(split(g.${key}, chr(10))) AS u(grp)`,
    members: (from, key) =>
      `SELECT g.${key}, u.tag_key, u.tag_value FROM ${from} g CROSS JOIN UNNEST(TRY(CAST(json_parse(g.${key}) AS MAP(VARCHAR, VARCHAR)))) AS u(tag_key, tag_value)`,
    rowsOfJson: (literal, columns) =>
      `SELECT * FROM UNNEST(CAST(json_parse(${literal}) AS ARRAY(ROW(${columns.map((column) => column.join(' ')).join(', ')}))))`,
  },
  bigquery: {
    ...ansi,
    ...backslashed,
    ...sqlTexts.bigquery,
    name: 'bigquery',
    joined: (number) => `string_agg(CAST(${number} AS STRING), ',' ORDER BY ${number})`,
    types: { int: 'INT64', bigint: 'INT64', text: 'STRING' },
    createTable: (name, query) => [`CREATE OR REPLACE TABLE ${name} AS\n${query}`],
    union: 'UNION DISTINCT',
    field: (text, separator, index) => `split(${text}, '${separator}')[SAFE_ORDINAL(${index})]`,
    quotient: (number, divisor) => `DIV(${number}, ${divisor})`,
    remainder: (number, divisor) => `MOD(${number}, ${divisor})`,
    lines: (from, key) => `SELECT ${key}, grp FROM ${from}, UNNEST(SPLIT(${key}, CHR(10))) AS grp`,
    members: (from, key) =>
      `SELECT ${key}, tag_key, JSON_VALUE(PARSE_JSON(${key})[tag_key]) AS tag_value FROM ${from}, UNNEST(JSON_KEYS(PARSE_JSON(${key}), 1)) AS tag_key`,
    // The files must be in a bucket: README.md has the command that puts them there.
    files: {
      extension: 'parquet',
      load: (table, path) => [`LOAD DATA INTO ${table} FROM FILES (format = 'PARQUET', uris = ['gs://BUCKET/${path}'])`],
    },
  },
  snowflake: {
    ...ansi,
    ...sqlTexts.snowflake,
    name: 'snowflake',
    bitAnd: (a, b) => `BITAND(${a}, ${b})`,
    joined: (number) => `listagg(${number}, ',') WITHIN GROUP (ORDER BY ${number})`,
    createTable: (name, query) => [`CREATE OR REPLACE TABLE ${name} AS\n${query}`],
    rowNumber: 'row_number() OVER (ORDER BY 1)',
    quotient: (number, divisor) => `FLOOR(${number} / ${divisor})`,
    lines: (from, key) => `SELECT g.${key}, u.value AS grp FROM ${from} g, LATERAL SPLIT_TO_TABLE(g.${key}, CHR(10)) u`,
    members: (from, key) =>
      `SELECT g.${key}, u.key AS tag_key, CAST(u.value AS VARCHAR) AS tag_value FROM ${from} g, LATERAL FLATTEN(INPUT => PARSE_JSON(g.${key})) u`,
    files: {
      extension: 'parquet',
      before: ['CREATE OR REPLACE TEMPORARY STAGE gw_files FILE_FORMAT = (TYPE = PARQUET)'],
      load: (table, path) => [
        `PUT file://${path} @gw_files`,
        `COPY INTO ${table} FROM @gw_files/${path.replace('tables/', '')} MATCH_BY_COLUMN_NAME = CASE_INSENSITIVE`,
      ],
    },
  },
}
