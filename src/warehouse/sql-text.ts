/**
 * How each dialect writes what expressions over columns are made of. Literals hold any text that the dialect can hold: what could
 * end a literal, act on a terminal, or be read by a template (Jinja's braces, `${` of Spark) is written as an escape, so that each
 * literal is on one line.
 */
export interface SqlText {
  /** A literal. Only for strings that `holds` accepts. */
  readonly literal: (text: string) => string
  /** Whether a column of the dialect can hold the text. */
  readonly holds: (text: string) => boolean
  /** The quotes around a name of a column; doubled within one. */
  readonly quote: '"' | '`'
  /** Whether a column begins or ends with a text. */
  readonly startsWith: (column: string, text: string) => string
  readonly endsWith: (column: string, text: string) => string
  /** The character before `%`, `_` and itself in a pattern of `LIKE`; `\` is so without a word. */
  readonly likeEscape: '!' | '\\'
  /** Whether all of a text fits a regular expression without anchors, of no other syntax than classes, groups and repetitions. */
  readonly fits: (column: string, expression: string) => string
  /** The part of a column between its colons with a number, counted from 1. */
  readonly part: (column: string, number: number) => string
  /** A column without what a regular expression finds at its start. */
  readonly withoutStart: (column: string, expression: string) => string
  /** Whether a column with JSON holds an object; neither is `NULL`. */
  readonly isObject: (column: string) => string
  /** The value of a key of such an object as text, `NULL` where it has none. */
  readonly valueOf: (column: string, key: string) => string
  /** How many characters an expression has at most: ClickHouse takes 262,144 in a query, and Trino a million, unless it is configured. */
  readonly longest: number
}

export const dialectNames = ['duckdb', 'postgres', 'clickhouse', 'spark', 'trino', 'bigquery', 'snowflake'] as const
export type DialectName = (typeof dialectNames)[number]

/** Characters that each dialect writes as escapes: those that cannot be seen, openings of templates, commands for a build server. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}]|\{(?=[{%#])|\[(?<=##(?:vso)?\[)/giu

const hex = (point: number, digits: number) => point.toString(16).padStart(digits, '0')
const pointOf = (character: string) => character.codePointAt(0) as number
/** An escape with the code point in four digits, or in eight. */
const unicode = (character: string) => (character.length > 1 ? `\\U${hex(pointOf(character), 8)}` : `\\u${hex(pointOf(character), 4)}`)
/** An escape for each UTF-16 unit. */
const units = (character: string) => Array.from({ length: character.length }, (_, i) => `\\u${hex(character.charCodeAt(i), 4)}`).join('')
const bytes = (character: string) => Array.from(new TextEncoder().encode(character), (byte) => `\\x${hex(byte, 2)}`).join('')

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`
const isWellFormed = (text: string) => !/\p{Cs}/u.test(text)
const hasHidden = (text: string) => text.search(hidden) >= 0

/** Literals in which a backslash always escapes. `more`: what else is written as an escape. */
const backslashed =
  (escaped: (character: string) => string, more = /(?!)/g) =>
  (text: string) =>
    `'${text
      .replace(/[\\']/g, '\\$&')
      .replace(hidden, (character) => escaped(character))
      .replace(more, (character) => escaped(character))}'`

/** Literals without escapes: other characters are joined to them. */
const joined = (text: string) => {
  const parts: string[] = []
  let end = 0
  for (const { 0: character, index } of text.matchAll(hidden)) {
    if (index > end) parts.push(quoted(text.slice(end, index)))
    parts.push(`chr(${pointOf(character)})`)
    end = index + character.length
  }
  if (end < text.length || parts.length === 0) parts.push(quoted(text.slice(end)))
  return parts.length > 1 ? `(${["''", ...parts].join(' || ')})` : (parts[0] as string)
}

/** Literals of Postgres: `E'…'` means the same under each setting. */
const escapedWhereNeeded = (text: string) =>
  text.includes('\\') || hasHidden(text) ? `E${quoted(text.replaceAll('\\', '\\\\').replace(hidden, unicode))}` : quoted(text)

/** Literals of Trino: `U&'…'` has escapes. */
const unicodeWhereNeeded = (text: string) =>
  hasHidden(text)
    ? `U&${quoted(
        text
          .replaceAll('\\', '\\\\')
          .replace(hidden, (character) => (character.length > 1 ? `\\+${hex(pointOf(character), 6)}` : `\\${hex(pointOf(character), 4)}`)),
      )}`
    : quoted(text)

/** `$` may end in front of a last line break, which is then no printable character. */
const printable = "'[^ -~]'"

const call =
  (name: string, literal: SqlText['literal']) =>
  (column: string, text: string): string =>
    `${name}(${column}, ${literal(text)})`

const duckMap = (column: string) => `TRY_CAST(TRY_CAST(${column} AS JSON) AS MAP(VARCHAR, VARCHAR))`
const sparkMap = (column: string) => `from_json(${column}, 'MAP<STRING, STRING>')`
const trinoMap = (column: string) => `TRY(CAST(json_parse(${column}) AS MAP(VARCHAR, VARCHAR)))`

const inClickhouse = backslashed(bytes)
const inSpark = backslashed(units, /\$(?=\{)/g)
const inBigquery = backslashed(unicode)
// Clients of Snowflake replace `&name` and `<% name %>`. It has no escapes for code points of more than four digits.
const inSnowflake = backslashed((character) => (character.length > 1 ? character : unicode(character)), /&|<(?=%)/g)

const splitPart = (column: string, number: number) => `split_part(${column}, ':', ${number})`
const withoutMatch = (column: string, expression: string) => `regexp_replace(${column}, ${quoted(`^${expression}`)}, '')`

export const sqlTexts: Readonly<Record<DialectName, SqlText>> = {
  duckdb: {
    literal: joined,
    holds: isWellFormed,
    quote: '"',
    startsWith: call('starts_with', joined),
    endsWith: call('ends_with', joined),
    likeEscape: '!',
    fits: (column, expression) => `regexp_full_match(${column}, ${quoted(expression)})`,
    part: splitPart,
    withoutStart: withoutMatch,
    isObject: (column) => `(${duckMap(column)} IS NOT NULL)`,
    valueOf: (column, key) => `${duckMap(column)}[${joined(key)}]`,
    longest: 1_000_000,
  },
  postgres: {
    literal: escapedWhereNeeded,
    holds: (text) => isWellFormed(text) && !text.includes('\0'),
    quote: '"',
    startsWith: call('starts_with', escapedWhereNeeded),
    endsWith: (column, text) => `right(${column}, ${[...text].length}) = ${escapedWhereNeeded(text)}`,
    likeEscape: '!',
    fits: (column, expression) => `${column} ~ ${quoted(`^(${expression})$`)}`,
    part: splitPart,
    withoutStart: withoutMatch,
    isObject: (column) => `COALESCE(jsonb_typeof(CAST(${column} AS jsonb)) = 'object', FALSE)`,
    valueOf: (column, key) => `(CAST(${column} AS jsonb) ->> ${escapedWhereNeeded(key)})`,
    longest: 1_000_000,
  },
  clickhouse: {
    literal: inClickhouse,
    holds: isWellFormed,
    quote: '`',
    startsWith: call('startsWith', inClickhouse),
    endsWith: call('endsWith', inClickhouse),
    likeEscape: '\\',
    fits: (column, expression) => `match(${column}, ${quoted(`^(${expression})$`)})`,
    part: (column, number) => `splitByChar(':', assumeNotNull(${column}))[${number}]`,
    withoutStart: (column, expression) => `replaceRegexpOne(${column}, ${quoted(`^${expression}`)}, '')`,
    isObject: (column) => `(JSONType(ifNull(${column}, '')) = 'Object')`,
    valueOf: (column, key) => `JSONExtract(ifNull(${column}, ''), ${inClickhouse(key)}, 'Nullable(String)')`,
    longest: 250_000,
  },
  spark: {
    literal: inSpark,
    holds: isWellFormed,
    quote: '`',
    startsWith: call('startswith', inSpark),
    endsWith: call('endswith', inSpark),
    likeEscape: '!',
    fits: (column, expression) => `(NOT ${column} RLIKE ${printable} AND ${column} RLIKE ${quoted(`^(${expression})$`)})`,
    part: splitPart,
    withoutStart: withoutMatch,
    isObject: (column) => `(${sparkMap(column)} IS NOT NULL)`,
    valueOf: (column, key) => `${sparkMap(column)}[${inSpark(key)}]`,
    longest: 1_000_000,
  },
  trino: {
    literal: unicodeWhereNeeded,
    holds: isWellFormed,
    quote: '"',
    startsWith: call('starts_with', unicodeWhereNeeded),
    endsWith: (column, text) => `${column} LIKE ${likePattern(['', text], unicodeWhereNeeded, '!')}`,
    likeEscape: '!',
    fits: (column, expression) => `(NOT regexp_like(${column}, ${printable}) AND regexp_like(${column}, ${quoted(`^(${expression})$`)}))`,
    part: splitPart,
    withoutStart: withoutMatch,
    isObject: (column) => `(${trinoMap(column)} IS NOT NULL)`,
    valueOf: (column, key) => `element_at(${trinoMap(column)}, ${unicodeWhereNeeded(key)})`,
    longest: 900_000,
  },
  bigquery: {
    literal: inBigquery,
    holds: isWellFormed,
    quote: '`',
    startsWith: call('STARTS_WITH', inBigquery),
    endsWith: call('ENDS_WITH', inBigquery),
    likeEscape: '\\',
    fits: (column, expression) => `REGEXP_CONTAINS(${column}, ${quoted(`^(${expression})$`)})`,
    part: (column, number) => `SPLIT(${column}, ':')[SAFE_OFFSET(${number - 1})]`,
    withoutStart: withoutMatch,
    isObject: (column) => `COALESCE(JSON_TYPE(SAFE.PARSE_JSON(${column})) = 'object', FALSE)`,
    valueOf: (column, key) => `JSON_VALUE(SAFE.PARSE_JSON(${column})[${inBigquery(key)}])`,
    longest: 1_000_000,
  },
  snowflake: {
    literal: inSnowflake,
    holds: isWellFormed,
    quote: '"',
    startsWith: call('STARTSWITH', inSnowflake),
    endsWith: call('ENDSWITH', inSnowflake),
    likeEscape: '!',
    fits: (column, expression) => `REGEXP_LIKE(${column}, ${quoted(expression)})`,
    part: splitPart,
    withoutStart: withoutMatch,
    isObject: (column) => `COALESCE(TYPEOF(TRY_PARSE_JSON(${column})) = 'OBJECT', FALSE)`,
    valueOf: (column, key) => `CAST(GET(TRY_PARSE_JSON(${column}), ${inSnowflake(key)}) AS VARCHAR)`,
    longest: 1_000_000,
  },
}

/** The pattern of `LIKE` for strings between wildcards that match any characters, with the clause that names its escape. */
function likePattern(pieces: readonly string[], literal: SqlText['literal'], mark: SqlText['likeEscape']): string {
  const pattern = pieces.map((piece) => piece.replace(/[!\\%_]/g, (c) => ('!\\'.includes(c) && c !== mark ? c : mark + c))).join('%')
  return mark === '\\' ? literal(pattern) : `${literal(pattern)} ESCAPE '${mark}'`
}

/** Whether a column is made of strings in this order, with any characters between them: the pieces of a pattern with wildcards. */
export function matchesPieces({ literal, likeEscape, startsWith, endsWith }: SqlText, column: string, pieces: readonly string[]): string {
  const [first = '', second = ''] = pieces
  if (pieces.length < 2) return `${column} = ${literal(first)}`
  if (pieces.length === 2 && second === '') return startsWith(column, first)
  if (pieces.length === 2 && first === '') return endsWith(column, second)
  return `${column} LIKE ${likePattern(pieces, literal, likeEscape)}`
}

/** Whether a column is one of some strings, at least one. */
export function isOneOf({ literal }: SqlText, column: string, strings: readonly string[]): string {
  return strings.length === 1 ? `${column} = ${literal(strings[0] as string)}` : `${column} IN (${strings.map(literal).join(', ')})`
}

/**
 * A column as it is given: names parted by dots, each plain or between the quotes of the dialect. Others than plain names of ASCII
 * letters are quoted. Undefined where it is none.
 */
export function columnOf({ quote }: SqlText, text: string): string | undefined {
  const parts: string[] = []
  for (let index = 0; ; ) {
    let name = ''
    if (text[index] === quote) {
      for (index++; ; index++) {
        if (index >= text.length) return undefined
        if (text[index] === quote && text[++index] !== quote) break
        name += text[index]
      }
      if (name === '' || hasHidden(name)) return undefined
      parts.push(quote + name.replaceAll(quote, quote + quote) + quote)
    } else {
      const dot = text.indexOf('.', index)
      const end = dot < 0 ? text.length : dot
      name = text.slice(index, end)
      if (name === '' || hasHidden(name) || !isWellFormed(name)) return undefined
      parts.push(/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : quote + name.replaceAll(quote, quote + quote) + quote)
      index = end
    }
    if (index === text.length) return parts.join('.')
    if (text[index] !== '.') return undefined
    index++
  }
}
