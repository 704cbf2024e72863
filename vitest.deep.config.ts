import { existsSync, readdirSync, readFileSync } from 'node:fs'
import base from './vitest.config.ts'

const folder = new URL('test/', import.meta.url)

/** The tests that try more cases, or run the built program, in a deep run: `npm run test:deep`. */
const deep = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts') && name !== 'oracle.test.ts')
  .filter((name) => /\/effort\.ts'|\brunProgram\b/.test(readFileSync(new URL(name, folder), 'utf8')))
  .map((name) => `test/${name}`)

// The evaluator extracted from the proofs is asked where it was built: `make -C proofs oracle`.
if (existsSync(new URL('proofs/oracle/oracle', import.meta.url))) deep.push('test/oracle.test.ts')
else console.warn('proofs/oracle/oracle is not built: test/oracle.test.ts is left out')

const { test } = base

export default {
  ...base,
  test: { ...test, include: deep, exclude: ['test/pages/**', 'test/package/**'], env: { GRANTWISE_DEEP: '1' } },
}
