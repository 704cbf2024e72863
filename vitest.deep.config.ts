import { existsSync, readFileSync } from 'node:fs'
import base, { parts, testFiles } from './vitest.base.ts'

const textOf = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')

/** What tries more than `npm test` also where a deep run tries one case in ten: the usual share of `npm test` is one in ten as well. */
const more = /\b(?:isDeep|isWhole|runProgram|shareOf)\b|\b(?:effort|some)\([^;]*?,\s*(?:1[1-9]|[2-9]\d|\d{3,})\b/
const isShared = Number(process.env.GRANTWISE_DEEP_SHARE ?? '1') >= 10

/** The tests that try more cases, or run the built program, in a deep run: `npm run test:deep`. */
const deep = testFiles.filter((name) => {
  if (/^test\/(?:pages|package|site)\b|\/(?:oracle|smt)\.test\.ts$/.test(name)) return false
  const text = textOf(name)
  return isShared ? more.test(text) : /\/effort\.ts'|\brunProgram\b/.test(text)
})

// The evaluator extracted from the proofs is asked where it was built: `make -C proofs oracle`.
if (existsSync(new URL('proofs/oracle/oracle', import.meta.url))) deep.push('test/simulate/oracle.test.ts')
else console.warn('proofs/oracle/oracle is not built: test/simulate/oracle.test.ts is left out')

const { include: _, exclude: __, ...test } = base.test ?? {}

export default { ...base, test: { ...test, env: { GRANTWISE_DEEP: '1' }, projects: parts(deep) } }
