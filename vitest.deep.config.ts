import { existsSync, readFileSync } from 'node:fs'
import base, { parts, testFiles } from './vitest.base.ts'

/** The tests that try more cases, or run the built program, in a deep run: `npm run test:deep`. */
const deep = testFiles.filter(
  (name) =>
    !/^test\/(?:pages|package|site|oracle|smt)\b/.test(name) &&
    /\/effort\.ts'|\brunProgram\b/.test(readFileSync(new URL(name, import.meta.url), 'utf8')),
)

// The evaluator extracted from the proofs is asked where it was built: `make -C proofs oracle`.
if (existsSync(new URL('proofs/oracle/oracle', import.meta.url))) deep.push('test/oracle.test.ts')
else console.warn('proofs/oracle/oracle is not built: test/oracle.test.ts is left out')

const { include: _, exclude: __, ...test } = base.test ?? {}

export default { ...base, test: { ...test, env: { GRANTWISE_DEEP: '1' }, projects: parts(deep) } }
