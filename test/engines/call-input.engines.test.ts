import { afterAll, describe, test } from 'vitest'
import { callInput } from '../../src/warehouse/call-input.ts'
import { dialects } from '../../src/warehouse/dialects.ts'
import { callInputTests, table, yaml } from '../support/call-input.ts'
import { engineNames } from './engine.ts'
import { parser } from './python.ts'

describe.each(engineNames)('%s', callInputTests)

describe('dialects of engines that do not run here', () => {
  const { parse, close } = parser()
  afterAll(close)
  test.each(['bigquery', 'snowflake'] as const)('%s parses each statement', async (name) => {
    for (const at of ['rfc3339', 'epoch_ms', 'timestamp']) {
      const columns = `identity: who, action: what, resource: target, method: verb, path: route, at: {column: moment, format: ${at}}, groups: {column: list, format: array}`
      const { mapping } = yaml(`columns: {${columns}}`)
      if (!mapping) throw new Error('no mapping')
      for (const { sql } of callInput(mapping, dialects[name], { table, calls: 'gw_call', account: "it's" }).statements)
        await parse(name, sql)
    }
  })
})
