import { DuckDBInstance } from '@duckdb/node-api'
import { PGlite } from '@electric-sql/pglite'
import { expect, test } from 'vitest'
import { columnOf, type DialectName, dialectNames, isOneOf, matchesPieces, sqlTexts } from '../../src/warehouse/sql-text.ts'

const hostile = [
  '',
  "it's",
  "'; DROP TABLE x; --",
  "\\'",
  'a\\b',
  '%_!',
  '!%',
  'a\nb\r\tc',
  '\u001b[31m',
  '\u202eabc',
  'é😀\u{e0001}',
  '{{ env }} {% if %} {# #}',
  '${env:HOME} $x &y <% z %>',
  '##vso[task] ##[x]',
  'null',
  '"`',
  "\\u0041\\x41 E'x' U&'\\0041'",
  'x'.repeat(10_000),
]
const withNul = 'a\0b'

async function duckdb() {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  return async (sql: string) => (await connection.runAndReadAll(sql)).getRows() as unknown[][]
}

async function postgres() {
  const client = new PGlite()
  return async (sql: string) => (await client.query<unknown[]>(sql, [], { rowMode: 'array' })).rows
}

const engines: Readonly<Partial<Record<DialectName, () => Promise<(sql: string) => Promise<unknown[][]>>>>> = { duckdb, postgres }

test.each(Object.entries(engines))('%s reads each text as it is, and compares it as JavaScript does', async (name, open) => {
  const ask = await open()
  const sql = sqlTexts[name as DialectName]
  const texts = [...hostile, withNul].filter(sql.holds)
  expect(texts.includes(withNul)).toBe(name === 'duckdb')
  expect(await ask(`SELECT ${texts.map(sql.literal).join(', ')}`)).toEqual([texts])
  const pieces = texts.flatMap((text) => [[text], [text, ''], ['', text], ['a', text, ''], ['', text, 'b']])
  const glob = (parts: readonly string[], text: string) => {
    const [head, tail] = [parts[0] as string, parts.at(-1) as string]
    if (parts.length === 1) return text === head
    const inner = text.slice(head.length, text.length - tail.length)
    const fits = text.length >= head.length + tail.length && text.startsWith(head) && text.endsWith(tail)
    return fits && parts.slice(1, -1).every((part) => inner.includes(part))
  }
  let held = 0
  for (const text of texts.flatMap((each) => [each, `a${each}b`])) {
    const [row] = await ask(
      `SELECT ${pieces.map((parts) => matchesPieces(sql, 't.c', parts)).join(', ')} FROM (SELECT ${sql.literal(text)} AS c) t`,
    )
    const expected = pieces.map((parts) => glob(parts, text))
    expect(row, JSON.stringify(text)).toEqual(expected)
    held += expected.filter(Boolean).length
  }
  expect(held).toBeGreaterThan(100)
  expect(await ask(`SELECT ${isOneOf(sql, 't.c', ['b', "a'"])} FROM (SELECT ${sql.literal("a'")} AS c) t`)).toEqual([[true]])
})

test.each(Object.entries(engines))('%s finds the values of keys, and knows what is no object', async (name, open) => {
  const ask = await open()
  const sql = sqlTexts[name as DialectName]
  const keys = [...hostile.filter((key) => key !== ''), '*', '$', '/x', '0', '-1', 'a.b', 'a[0]', '#', '$.x']
  for (const [i, key] of keys.entries()) {
    const document = JSON.stringify({ other: 'no', [key]: hostile[i % hostile.length] })
    const from = `FROM (SELECT ${sql.literal(document)} AS c) t`
    const [row] = await ask(`SELECT ${sql.isObject('t.c')}, ${sql.valueOf('t.c', key)}, ${sql.valueOf('t.c', `${key}-`)} ${from}`)
    expect(row, key).toEqual([true, hostile[i % hostile.length], null])
  }
  for (const document of [null, '[]', '["a"]', '"a"', '5', 'null']) {
    const [row] = await ask(
      `SELECT ${sql.isObject('t.c')}, ${sql.valueOf('t.c', '0')} FROM (SELECT ${document === null ? 'CAST(NULL AS VARCHAR)' : sql.literal(document)} AS c) t`,
    )
    expect(row, String(document)).toEqual([false, null])
  }
})

test.each(Object.entries(engines))('%s takes a name of a resource apart', async (name, open) => {
  const ask = await open()
  const sql = sqlTexts[name as DialectName]
  const start = '([^:]*:){5}'
  const row = async (urn: string) =>
    (
      await ask(
        `SELECT ${sql.part('t.c', 5)}, ${sql.withoutStart('t.c', start)}, ${sql.fits('t.c', '[a-z:1]+(/x)?')} FROM (SELECT ${sql.literal(urn)} AS c) t`,
      )
    )[0]
  expect(await row('urn:v1:eu:resource:vps:a/b:c:d')).toEqual(['vps', 'a/b:c:d', false])
  expect(await row('urn:v1:eu:resource:vps:a/x')).toEqual(['vps', 'a/x', true])
  expect(await row('urn:v1:eu:resource:vps:a/x\n')).toEqual(['vps', 'a/x\n', false])
})

test.each(dialectNames)('a literal of %s is one printable line, and opens no template', (name) => {
  const sql = sqlTexts[name]
  for (const text of [...hostile, withNul].filter(sql.holds)) {
    const written = sql.literal(text)
    expect(written).not.toMatch(/[\p{Cc}\u202e]|\{[{%#]|##(?:vso)?\[/u)
    if (name === 'spark') expect(written).not.toContain('${')
    if (name === 'snowflake') expect(written).not.toMatch(/&|<%/)
  }
  expect(sql.holds('a\ud800')).toBe(false)
})

test('literals of the dialects without an engine here are written by their grammars', () => {
  const text = "it's \\ {{ ${x}\n😀"
  expect(Object.fromEntries(dialectNames.map((name) => [name, sqlTexts[name].literal(text)]))).toEqual({
    duckdb: "('' || 'it''s \\ ' || chr(123) || '{ ${x}' || chr(10) || '😀')",
    postgres: "E'it''s \\\\ \\u007b{ ${x}\\u000a😀'",
    clickhouse: "'it\\'s \\\\ \\x7b{ ${x}\\x0a😀'",
    spark: "'it\\'s \\\\ \\u007b{ \\u0024{x}\\u000a😀'",
    trino: "U&'it''s \\\\ \\007b{ ${x}\\000a😀'",
    bigquery: "'it\\'s \\\\ \\u007b{ ${x}\\u000a😀'",
    snowflake: "'it\\'s \\\\ \\u007b{ ${x}\\u000a😀'",
  })
})

test('a column is a plain name, or is quoted', () => {
  expect(columnOf(sqlTexts.duckdb, 'r.urn')).toBe('r.urn')
  expect(columnOf(sqlTexts.duckdb, 'r.my urn')).toBe('r."my urn"')
  expect(columnOf(sqlTexts.duckdb, '"a.b"."c""d"')).toBe('"a.b"."c""d"')
  expect(columnOf(sqlTexts.spark, 'x; DROP')).toBe('`x; DROP`')
  expect(columnOf(sqlTexts.spark, '`order`')).toBe('`order`')
  for (const wrong of ['', '.', 'a.', '.a', '"a', '"a"b', '""', 'a\nb', '"a\u202e"', 'a\ud800'])
    expect(columnOf(sqlTexts.duckdb, wrong), wrong).toBeUndefined()
})
