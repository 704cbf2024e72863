import base, { parts, testFiles } from './vitest.base.ts'

/** What `npm test` runs. */
const { include: _, ...test } = base.test ?? {}

export default { ...base, test: { ...test, projects: parts(testFiles) } }
