import type { DialectName } from './sql-text.ts'

/** The parts of SQL that only the reading of logs needs. Arguments are expressions. */
export interface Spelling {
  /** Types that may be NULL. */
  readonly text: string
  readonly bigint: string
  /** Milliseconds since 1970 of a column of instants, finer fractions cut off. */
  readonly milliseconds: (instant: string) => string
  /** A text that is a number, as one with at least six decimals. */
  readonly decimal: (text: string) => string
  /** The members of a list of strings, joined by line breaks, `null` for each that is NULL. */
  readonly joined: (list: string) => string
  readonly size: (list: string) => string
  /** Behind a query whose columns are used several times: without it, some engines compute them anew for each use. */
  readonly fence?: string
}

const newline = 'chr(10)'

export const spellings: Readonly<Record<DialectName, Spelling>> = {
  duckdb: {
    text: 'VARCHAR',
    bigint: 'BIGINT',
    milliseconds: (instant) => `CASE WHEN isfinite(${instant}) THEN epoch_ms(${instant}) END`,
    decimal: (text) => `TRY_CAST(${text} AS DECIMAL(24, 6))`,
    joined: (list) => `array_to_string(list_transform(${list}, lambda e: coalesce(e, 'null')), ${newline})`,
    size: (list) => `len(${list})`,
  },
  postgres: {
    text: 'TEXT',
    bigint: 'BIGINT',
    milliseconds: (instant) => `CASE WHEN isfinite(${instant}) THEN CAST(floor(extract(epoch FROM ${instant}) * 1000) AS BIGINT) END`,
    decimal: (text) => `CAST(${text} AS NUMERIC)`,
    joined: (list) => `array_to_string(${list}, ${newline}, 'null')`,
    size: (list) => `cardinality(${list})`,
    fence: ' OFFSET 0',
  },
  clickhouse: {
    text: 'Nullable(String)',
    bigint: 'Nullable(Int64)',
    milliseconds: (instant) => `toUnixTimestamp64Milli(toDateTime64(${instant}, 3))`,
    decimal: (text) => `toDecimal128OrNull(ifNull(${text}, ''), 6)`,
    joined: (list) => `arrayStringConcat(arrayMap(e -> ifNull(CAST(e AS Nullable(String)), 'null'), ${list}), char(10))`,
    size: (list) => `length(${list})`,
  },
  spark: {
    text: 'STRING',
    bigint: 'BIGINT',
    milliseconds: (instant) => `unix_millis(${instant})`,
    decimal: (text) => `TRY_CAST(${text} AS DECIMAL(24, 6))`,
    joined: (list) => `array_join(${list}, ${newline}, 'null')`,
    size: (list) => `cardinality(${list})`,
  },
  trino: {
    text: 'VARCHAR',
    bigint: 'BIGINT',
    // A number of seconds with a fraction is a little more or less than it.
    milliseconds: (instant) => `CAST(floor(to_unixtime(${instant}) * 1000 + 0.001) AS BIGINT)`,
    decimal: (text) => `TRY_CAST(${text} AS DECIMAL(24, 6))`,
    joined: (list) => `array_join(${list}, ${newline}, 'null')`,
    size: (list) => `cardinality(${list})`,
  },
  bigquery: {
    text: 'STRING',
    bigint: 'INT64',
    milliseconds: (instant) => `UNIX_MILLIS(TIMESTAMP(${instant}))`,
    decimal: (text) => `SAFE_CAST(${text} AS NUMERIC)`,
    joined: (list) => `ARRAY_TO_STRING(${list}, CHR(10), 'null')`,
    size: (list) => `ARRAY_LENGTH(${list})`,
  },
  snowflake: {
    text: 'VARCHAR',
    bigint: 'BIGINT',
    milliseconds: (instant) => `DATE_PART(epoch_millisecond, ${instant})`,
    decimal: (text) => `TRY_CAST(${text} AS DECIMAL(24, 6))`,
    joined: (list) => `ARRAY_TO_STRING(${list}, CHR(10))`,
    size: (list) => `ARRAY_SIZE(${list})`,
  },
}
