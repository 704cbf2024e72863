import { expect, test } from 'vitest'
import { open } from '../engines/engine.ts'
import { counted } from '../support/counted.ts'
import { effort } from '../support/effort.ts'
import { expectFiltered, expectHostile } from '../support/filtered.ts'

const seed = Number(process.env.SEED ?? 20261128)

// PGlite takes several times as long as DuckDB; `npm run test:engines` tries it on more.
test.each([
  ['duckdb', 10_000],
  ['pglite', 4_000],
] as const)('%s keeps the rows on which `can` allows, and those of which it does not know', async (name, count) => {
  const engine = await open(name)
  const seen = await expectFiltered(engine, seed, counted(effort(count, 30)))
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(100)
  await engine.close()
})

test('hostile strings in policies and rows are compared as they are', async () => {
  const engine = await open('duckdb')
  expect(await expectHostile(engine)).toBeGreaterThan(200)
  await engine.close()
})
