import { generatedBatches, mixed, withHostile } from './cases.ts'
import { fewExamples } from './examples.ts'
import { holds } from './suite.ts'

// Spark takes about half a second for each of 30 to 60 steps, however few the calls are.
holds('spark', async () => ({
  cases: [withHostile(mixed(20), true), ...generatedBatches(11), ...(await fewExamples())],
  left: 0.35,
  filters: 100,
  asFiles: true,
}))
