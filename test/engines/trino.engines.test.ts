import { type Case, generatedBatches, merged, mixed, withHostile } from './cases.ts'
import { fewExamples } from './examples.ts'
import { holds } from './suite.ts'

// Its connector for tables in memory reads no files: all rows come by statements. What need not be apart is one world.
holds('trino', async () => {
  const [counted, ...batches] = generatedBatches(12) as [Case, ...Case[]]
  return {
    cases: [merged('hostile texts and examples', [withHostile(mixed(100), true), ...(await fewExamples())]), ...batches],
    counted,
    left: 0.35,
    filters: 100,
  }
})
