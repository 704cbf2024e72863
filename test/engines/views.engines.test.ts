import { expect, test } from 'vitest'
import { dialects } from '../../src/warehouse/dialects.ts'
import { questionViews, replayView } from '../../src/warehouse/views.ts'
import { expectCounts, given, table } from '../support/views.ts'
import { generated, together } from './cases.ts'
import { engineNames, open } from './engine.ts'
import { parser } from './python.ts'

test.each(engineNames)('%s counts who used what', async (name) => {
  const { world, calls } = await together('generated', generated(7, 20))
  const engine = await open(name)
  const seen = await expectCounts(engine, world, [...calls, ...calls.slice(50)])
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(10)
  const [row] = await engine.all('SELECT count(*) AS n, max(open_calls) AS open_calls FROM gw_unused')
  expect(row?.n).toBeGreaterThan(10)
  expect(row?.open_calls).toBe(seen.unknown)
  await engine.close()
})

test.each(['bigquery', 'snowflake'] as const)('%s parses the views', async (name) => {
  const { parse, close } = parser()
  const options = { dialect: dialects[name], table, given }
  for (const view of [...questionViews(options), replayView(options, (of) => `gwb_${of}`)])
    for (const sql of dialects[name].createView(table(view.name), view.query)) await parse(name, sql)
  await close()
})
