import { expect, test } from 'vitest'
import { counted } from '../support/counted.ts'
import { effort } from '../support/effort.ts'
import { expectFiltered } from '../support/filtered.ts'

const seed = Number(process.env.SEED ?? 20261128)

test.each(['duckdb', 'pglite'] as const)('%s keeps the rows on which `can` allows, and those of which it does not know', async (name) => {
  const seen = await expectFiltered(name, seed, counted(effort(10_000, 20)))
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(100)
})
