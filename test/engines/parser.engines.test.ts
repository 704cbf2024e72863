import { afterAll, describe, expect, test } from 'vitest'
import { sqlExport } from '../../src/warehouse/script.ts'
import { callColumns } from '../../src/warehouse/steps.ts'
import { mixed, withHostile } from './cases.ts'
import { statementsOf } from './decided.ts'
import { parser } from './python.ts'

/** Dialects of engines that run nowhere here: their SQL is parsed. */

const { parse, close } = parser()
afterAll(close)

const { world } = withHostile(mixed(40), true)

describe.each(['bigquery', 'snowflake', 'trino'] as const)('%s', (name) => {
  test('a parser understands each statement', async () => {
    const options = { dialect: name, prefix: 'gw_', calls: 'gw_call', given: new Set(callColumns), asInserts: true }
    const { files } = sqlExport(world, options)
    const texts = files.flatMap(({ path, content }) => (path.endsWith('.sql') ? [content as string] : []))
    const wrong: string[] = []
    for (const statement of texts.flatMap(statementsOf))
      await parse(name, statement).catch((error: Error) => wrong.push(`${error.message.slice(0, 300)}: ${statement.slice(0, 300)}`))
    expect(wrong).toEqual([])
    expect(texts.flatMap(statementsOf).length).toBeGreaterThan(100)
  })

  test('it does not understand others', async () => {
    for (const sql of ['SELECT FROM WHERE', 'SELECTED a', "SELECT 'a", 'SELECT (1', 'SELECT a b c d'])
      await expect(parse(name, sql), sql).rejects.toThrow()
  })
})

test('the parser knows dialects apart', async () => {
  await parse('bigquery', 'SELECT `a.b`.c FROM `a.b`')
  await expect(parse('snowflake', 'SELECT `a.b`.c FROM `a.b`')).rejects.toThrow()
})
