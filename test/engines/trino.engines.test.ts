import { mixed, withHostile } from './cases.ts'
import { holds } from './suite.ts'

// Its connector for tables in memory reads no files: all rows come by statements.
holds('trino', () => ({ cases: [withHostile(mixed(100), true)], left: 0.35 }))
