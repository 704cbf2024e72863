import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Engine, engineNames, open } from './engine.ts'
import { parser } from './python.ts'

/** The engines themselves, as the other tests of this folder rely on them. */

const rows = [
  { id: 1, at_ms: 1_795_822_114_086, name: `it's "quoted" \`so\` \\ %_!`, note: null },
  { id: 2, at_ms: -1, name: 'a\nb\r\n\tc', note: '' },
  { id: 3, at_ms: 0, name: '\u{1f511} e\u0301 \u00e9 \u2028 \ufeff', note: "'); DROP TABLE t; --" },
  { id: 4, at_ms: 9_007_199_254_740_991, name: 'long'.repeat(2_500), note: '\\n' },
]

describe.each(engineNames)('%s', (name) => {
  let engine: Engine
  beforeAll(async () => {
    engine = await open(name)
    await engine.load(
      't',
      [
        ['id', 'int'],
        ['at_ms', 'bigint'],
        ['name', 'text'],
        ['note', 'text'],
      ],
      rows,
      { nullable: ['note'] },
    )
  })
  afterAll(() => engine.close())

  test('gives each value as it was', async () => {
    expect(await engine.all('SELECT id, at_ms, name, note FROM t ORDER BY id')).toEqual(rows)
  })

  test('gives nothing where an outer join finds nothing', async () => {
    expect(
      await engine.all('SELECT t.id AS id, o.id AS other FROM t LEFT JOIN (SELECT id FROM t WHERE id > 3) o ON o.id = t.id ORDER BY t.id'),
    ).toEqual(rows.map(({ id }) => ({ id, other: id > 3 ? id : null })))
  })

  test('says what is wrong with a statement, and goes on', async () => {
    await expect(engine.run('SELECT no_such_column FROM t')).rejects.toThrow(/no_such_column/)
    expect(await engine.all('SELECT count(*) AS n FROM t')).toEqual([{ n: 4 }])
  })

  test('has another table of the same name after another load', async () => {
    await engine.load('u', [['a', 'text']], [{ a: 'first' }])
    await engine.load('u', [['b', 'int']], [])
    expect(await engine.all('SELECT b FROM u')).toEqual([])
  })
})

test('the parser knows its dialects apart', async () => {
  const { parse, close } = parser()
  for (const dialect of ['trino', 'bigquery', 'snowflake']) {
    await parse(dialect, 'CREATE TABLE a AS SELECT b FROM c')
    await expect(parse(dialect, 'SELECT FROM WHERE')).rejects.toThrow(/ParseError/)
    await expect(parse(dialect, 'SELECTED a')).rejects.toThrow()
  }
  await parse('bigquery', 'SELECT `a.b`.c FROM `a.b`')
  await expect(parse('snowflake', 'SELECT `a.b`.c FROM `a.b`')).rejects.toThrow()
  await close()
})
