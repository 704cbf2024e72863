import { conformance, corpus, generated, generatedBatches, inBatches, mixed, together, withHostile } from './cases.ts'
import { examples } from './examples.ts'
import { holds } from './suite.ts'

holds('postgres', async () => ({
  cases: [
    together('a share', mixed(40)),
    together('conformance', conformance()),
    ...inBatches('corpus', corpus(), 400),
    ...generatedBatches(9),
    ...(await examples()),
    withHostile(mixed(40), false),
  ],
  counted: together('generated', generated(7, 20)),
  left: 0.25,
  filters: 2_000,
}))
