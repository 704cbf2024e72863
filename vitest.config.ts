import base, { parts, testFiles } from './vitest.base.ts'

/** What `npm test` runs. */
export default { ...base, test: { ...base.test, projects: parts(testFiles) } }
