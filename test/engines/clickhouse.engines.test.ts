import { conformance, corpus, generatedBatches, inBatches, mixed, together, withHostile } from './cases.ts'
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
  left: 0.25,
  filters: 1_000,
  asFiles: true,
}))
