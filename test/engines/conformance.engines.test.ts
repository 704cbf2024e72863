import { expect, test } from 'vitest'
import { expectAlike } from './alike.ts'
import { conformance, corpus, corpusOfFiles, together } from './cases.ts'

/** The decision as SQL on engines that run: the same verdicts, reasons, entries and missing facts as those of the simulator. */

test.each(['duckdb', 'pglite', 'postgres', 'clickhouse'] as const)('%s', async (name) => {
  const left = await expectAlike(name, [together('conformance', conformance()), together('corpus', corpus())])
  expect(left).toBeLessThan(2000)
})

test('files of the corpus', async () => {
  await expectAlike('duckdb', await corpusOfFiles())
})
