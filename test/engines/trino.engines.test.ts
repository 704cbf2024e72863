import { generatedBatches, mixed, withHostile } from './cases.ts'
import { fewExamples } from './examples.ts'
import { holds } from './suite.ts'

// Its connector for tables in memory reads no files: all rows come by statements.
holds('trino', async () => ({
  cases: [withHostile(mixed(100), true), ...generatedBatches(12), ...(await fewExamples())],
  left: 0.35,
  filters: 100,
}))
