import { expect } from 'vitest'
import { isOneOf, matchesPieces, sqlTexts } from '../../src/warehouse/sql-text.ts'
import type { Engine, EngineName } from '../engines/engine.ts'

/** Strings that end literals, act on terminals or mean something to a template. */
export const hostileTexts = [
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
export const withNul = 'a\0b'

const textTypes: Readonly<Partial<Record<EngineName, string>>> = { clickhouse: 'Nullable(String)', spark: 'STRING' }

const holds = (pieces: readonly string[], text: string) => {
  const [head, tail] = [pieces[0] as string, pieces.at(-1) as string]
  if (pieces.length === 1) return text === head
  const inner = text.slice(head.length, text.length - tail.length)
  const fits = text.length >= head.length + tail.length && text.startsWith(head) && text.endsWith(tail)
  return fits && pieces.slice(1, -1).every((piece) => inner.includes(piece))
}

/** Hold an engine to JavaScript: literals, comparisons, values of JSON, parts of a URN. Returns how many comparisons held. */
export async function expectTexts(engine: Engine): Promise<number> {
  const { name } = engine
  const sql = sqlTexts[engine.dialect]
  /** The values of expressions over a column `t.c` with a text. ClickHouse has numbers for truth. */
  const ask = async (text: string | null, expressions: readonly string[]) => {
    const column = text === null ? `CAST(NULL AS ${textTypes[name] ?? 'VARCHAR'})` : sql.literal(text)
    const columns = expressions.map((expression, i) => `${expression} AS c${i}`)
    const [row = {}] = await engine.all(`SELECT ${columns.join(', ')} FROM (SELECT ${column} AS c) t`)
    return expressions.map((_, i) => row[`c${i}`])
  }
  const truths = (values: readonly unknown[]) => values.map((value) => (value === 1 ? true : value === 0 ? false : value))

  const texts = [...hostileTexts, withNul].filter(sql.holds)
  const pieces = texts.flatMap((text) => [[text], [text, ''], ['', text], ['a', text, ''], ['', text, 'b']])
  let held = 0
  for (const text of texts.flatMap((each) => [each, `a${each}b`])) {
    const expected = pieces.map((each) => holds(each, text))
    const [itself, ...found] = await ask(text, ['t.c', ...pieces.map((each) => matchesPieces(sql, 't.c', each))])
    expect(itself).toBe(text)
    expect(truths(found), JSON.stringify(text)).toEqual(expected)
    held += expected.filter(Boolean).length
  }
  expect(truths(await ask("a'", [isOneOf(sql, 't.c', ['b', "a'"])]))).toEqual([true])

  const keys = [...hostileTexts.filter((key) => key !== ''), '*', '$', '/x', '0', '-1', 'a.b', 'a[0]', '#', '$.x']
  for (const [i, key] of keys.entries()) {
    const value = hostileTexts[i % hostileTexts.length] as string
    const found = await ask(JSON.stringify({ other: 'no', [key]: value }), [
      sql.isObject('t.c'),
      sql.valueOf('t.c', key),
      sql.valueOf('t.c', `${key}-`),
    ])
    expect(truths(found), key).toEqual([true, value, null])
  }
  for (const document of [null, '[]', '["a"]', '"a"', '5', 'null'])
    expect(truths(await ask(document, [sql.isObject('t.c'), sql.valueOf('t.c', '0')])), String(document)).toEqual([false, null])

  const parts = [sql.part('t.c', 5), sql.withoutStart('t.c', '([^:]*:){5}'), sql.fits('t.c', '[a-z:1]+(/x)?')]
  expect(truths(await ask('urn:v1:eu:resource:vps:a/b:c:d', parts))).toEqual(['vps', 'a/b:c:d', false])
  expect(truths(await ask('urn:v1:eu:resource:vps:a/x', parts))).toEqual(['vps', 'a/x', true])
  expect(truths(await ask('urn:v1:eu:resource:vps:a/x\n', parts))).toEqual(['vps', 'a/x\n', false])
  return held
}
