import { expect, test } from 'vitest'
import { conformance, corpus, corpusOfFiles, generated, generatedBatches, inBatches, mixed, together, withHostile } from './cases.ts'
import { differences } from './decided.ts'
import { open } from './engine.ts'
import { examples } from './examples.ts'
import { holds } from './suite.ts'

holds('duckdb', async () => ({
  cases: [
    together('conformance', conformance()),
    ...inBatches('corpus', corpus(), 400),
    ...generatedBatches(7),
    ...(await examples()),
    withHostile(mixed(40), true),
  ],
  counted: together('generated', generated(7, 20)),
  left: 0.25,
  filters: 2_000,
  asFiles: true,
}))

test('duckdb decides worlds of several files as the simulator', async () => {
  const engine = await open('duckdb')
  for (const each of await corpusOfFiles()) expect((await differences(engine, each)).wrong).toEqual([])
  await engine.close()
})
