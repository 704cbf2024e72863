import { readdirSync, readFileSync } from 'node:fs'
import base from './vitest.config.ts'

const folder = new URL('test/', import.meta.url)

/** The tests that try more cases, or run the built program, in a deep run: `npm run test:deep`. */
const deep = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .filter((name) => /\/effort\.ts'|\brunProgram\b/.test(readFileSync(new URL(name, folder), 'utf8')))
  .map((name) => `test/${name}`)

const { test } = base

export default { ...base, test: { ...test, include: deep, env: { GRANTWISE_DEEP: '1' }, testTimeout: 300_000 } }
