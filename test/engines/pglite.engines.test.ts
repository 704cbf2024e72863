import { mixed, together, withHostile } from './cases.ts'
import { holds } from './suite.ts'

holds('pglite', () => ({ cases: [together('a share', mixed(40)), withHostile(mixed(8), false)], left: 0.3 }))
