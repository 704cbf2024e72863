import { generated, generatedBatches, mixed, together, withHostile } from './cases.ts'
import { examples } from './examples.ts'
import { holds } from './suite.ts'

holds('pglite', async () => ({
  cases: [together('a share', mixed(40)), withHostile(mixed(8), false), ...generatedBatches(10), ...(await examples())],
  counted: together('generated', generated(7, 20)),
  left: 0.3,
  filters: 2_000,
}))
