import { expect, test } from 'vitest'
import { mixed, together } from './cases.ts'
import { differences } from './decided.ts'
import { type EngineName, open } from './engine.ts'

/** A share of what `npm run test:engines` tries, on the engines that need Node alone. */

test.each<[EngineName, number]>([
  ['duckdb', 20],
  ['pglite', 80],
])('%s decides as the simulator', async (name, share) => {
  const engine = await open(name)
  expect((await differences(engine, together('a share', mixed(share)))).wrong).toEqual([])
  await engine.close()
})
