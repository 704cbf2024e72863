import { conformance, corpus, generated, generatedBatches, inBatches, mixed, together, withHostile } from './cases.ts'
import { examples } from './examples.ts'
import { holds } from './suite.ts'

holds('clickhouse', async () => ({
  cases: [
    together('conformance', conformance()),
    ...inBatches('corpus', corpus(), 400),
    ...generatedBatches(8),
    ...(await examples()),
    withHostile(mixed(40), true),
  ],
  counted: together('generated', generated(7, 20)),
  left: 0.25,
  filters: 1_000,
  asFiles: true,
}))
