import { expect, test } from 'vitest'
import { expectFiltered, expectHostile, filters } from '../support/filtered.ts'
import { expectTexts } from '../support/sql-texts.ts'
import { parser } from './python.ts'

/** Filters on engines that run. Spark and Trino take most of a second for each question. */

const engines = [
  ['duckdb', 2_000],
  ['pglite', 2_000],
  ['postgres', 2_000],
  ['clickhouse', 1_000],
  ['spark', 100],
  ['trino', 100],
] as const

test.each(engines)('%s keeps the rows on which `can` allows, and those of which it does not know', async (name, count) => {
  const seen = await expectFiltered(name, 20_261_128, count)
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(40)
})

test.each(engines)('%s reads each text as it is, and compares it as JavaScript does', async (name) => {
  expect(await expectTexts(name)).toBeGreaterThan(100)
})

test.each(engines)('%s takes each hostile string as it is', async (name) => {
  expect(await expectHostile(name)).toBeGreaterThan(200)
})

test.each(['bigquery', 'snowflake'] as const)('%s, which does not run here: a parser reads its filters', async (dialect) => {
  const { parse, close } = parser()
  for (const { allowed, perhaps } of filters(dialect, 20_261_128, 300))
    await parse(dialect, `SELECT urn FROM r WHERE ${allowed} OR ${perhaps}`)
  await close()
})
