import { afterAll, describe, expect, test } from 'vitest'
import { callInput } from '../../src/warehouse/call-input.ts'
import { dialects } from '../../src/warehouse/dialects.ts'
import { sqlExport } from '../../src/warehouse/script.ts'
import { callColumns } from '../../src/warehouse/steps.ts'
import { questionViews, replayView } from '../../src/warehouse/views.ts'
import { yaml } from '../support/call-input.ts'
import { filters } from '../support/filtered.ts'
import { given, table } from '../support/views.ts'
import { mixed, withHostile } from './cases.ts'
import { statementsOf } from './decided.ts'
import { parser } from './python.ts'

/** Dialects of engines that run nowhere here: their SQL is parsed. */

const { parse, close } = parser()
afterAll(close)

const { world } = withHostile(mixed(40), true)

describe.each(['bigquery', 'snowflake', 'trino'] as const)('%s', (name) => {
  test('a parser understands each statement', async () => {
    const options = { dialect: name, prefix: 'gw_', calls: 'gw_call', given: new Set(callColumns), asInserts: true, wideFrom: 2 }
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

describe.each(['bigquery', 'snowflake'] as const)('%s', (name) => {
  const dialect = dialects[name]

  test('a parser understands filters', async () => {
    for (const { allowed, perhaps } of filters(name, 20_261_128, 300)) await parse(name, `SELECT urn FROM r WHERE ${allowed} OR ${perhaps}`)
  })

  test('a parser understands the views', async () => {
    const options = { dialect, table, given }
    for (const view of [...questionViews(options), replayView(options, (of) => `gwb_${of}`)])
      for (const sql of dialect.createView(table(view.name), view.query)) await parse(name, sql)
  })

  test('a parser understands how a log is read', async () => {
    for (const at of ['rfc3339', 'epoch_ms', 'timestamp']) {
      const columns = `identity: who, action: what, resource: target, method: verb, path: route, at: {column: moment, format: ${at}}, groups: {column: list, format: array}`
      const { mapping } = yaml(`columns: {${columns}}`)
      if (!mapping) throw new Error('no mapping')
      for (const { sql } of callInput(mapping, dialect, { table, calls: 'gw_call', account: "it's" }).statements) await parse(name, sql)
    }
  })
})

test('the parser knows dialects apart', async () => {
  await parse('bigquery', 'SELECT `a.b`.c FROM `a.b`')
  await expect(parse('snowflake', 'SELECT `a.b`.c FROM `a.b`')).rejects.toThrow()
})
