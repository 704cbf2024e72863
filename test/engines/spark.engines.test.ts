import { mixed, withHostile } from './cases.ts'
import { holds } from './suite.ts'

// Spark takes about half a second for each of some 60 steps, however few the calls are.
holds('spark', () => ({ cases: [withHostile(mixed(20), true)], left: 0.35, asFiles: true }))
