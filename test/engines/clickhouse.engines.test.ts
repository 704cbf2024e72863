import { conformance, corpus, generated, inBatches, mixed, together, withHostile } from './cases.ts'
import { holds } from './suite.ts'

holds('clickhouse', () => ({
  cases: [
    together('conformance', conformance()),
    ...inBatches('corpus', corpus(), 400),
    ...inBatches('generated', generated(8, 100), 50),
    withHostile(mixed(40), true),
  ],
  left: 0.25,
  asFiles: true,
}))
