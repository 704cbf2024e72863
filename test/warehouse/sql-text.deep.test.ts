import { expect, test } from 'vitest'
import { columnOf, dialectNames, sqlTexts } from '../../src/warehouse/sql-text.ts'
import { open } from '../engines/engine.ts'
import { expectTexts, hostileTexts, withNul } from '../support/sql-texts.ts'

test.each(['duckdb', 'pglite'] as const)('%s reads each text as it is, and compares it as JavaScript does', async (name) => {
  const engine = await open(name)
  expect(await expectTexts(engine)).toBeGreaterThan(100)
  await engine.close()
})

test('a text that no column can hold is not written', () => {
  for (const name of dialectNames) expect(sqlTexts[name].holds(withNul), name).toBe(name !== 'postgres')
})

test.each(dialectNames)('a literal of %s is one printable line, and opens no template', (name) => {
  const sql = sqlTexts[name]
  for (const text of [...hostileTexts, withNul].filter(sql.holds)) {
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
