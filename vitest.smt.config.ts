import base from './vitest.base.ts'

const { test } = base

/** Differences put to solvers of strings, which have to be installed: `npm run test:smt`. */
export default { ...base, test: { ...test, include: ['test/symbolic/smt.test.ts'], exclude: [] } }
