import { expect, test } from 'vitest'
import { effort } from '../support/effort.ts'
import { conformance, corpus, corpusOfFiles, generated, inBatches, mixed, together, withHostile } from './cases.ts'
import { differences } from './decided.ts'
import { open } from './engine.ts'
import { holds } from './suite.ts'

holds('duckdb', () => ({
  cases: [
    together('conformance', conformance()),
    ...inBatches('corpus', corpus(), 400),
    ...inBatches('generated', generated(7, effort(10_000)), 50),
    withHostile(mixed(40), true),
  ],
  left: 0.25,
  asFiles: true,
}))

test('duckdb decides worlds of several files as the simulator', async () => {
  const engine = await open('duckdb')
  for (const each of await corpusOfFiles()) expect((await differences(engine, each)).wrong).toEqual([])
  await engine.close()
})
