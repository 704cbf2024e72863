import { conformance, corpus, generated, inBatches, mixed, together, withHostile } from './cases.ts'
import { holds } from './suite.ts'

holds('postgres', () => ({
  cases: [
    together('a share', mixed(40)),
    together('conformance', conformance()),
    ...inBatches('corpus', corpus(), 400),
    ...inBatches('generated', generated(9, 100), 50),
    withHostile(mixed(40), false),
  ],
  left: 0.25,
}))
