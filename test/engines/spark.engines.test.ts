import { type Case, generatedBatches, merged, mixed, withHostile } from './cases.ts'
import { fewExamples } from './examples.ts'
import { holds } from './suite.ts'

// Spark takes about a third of a second for each of some 50 steps, however few the calls are: what need not be apart is one world.
holds('spark', async () => {
  const [counted, ...batches] = generatedBatches(11) as [Case, ...Case[]]
  return {
    cases: [merged('hostile texts and examples', [withHostile(mixed(20), true), ...(await fewExamples())]), ...batches],
    counted,
    left: 0.35,
    filters: 100,
    asFiles: true,
  }
})
