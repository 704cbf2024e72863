import { existsSync, readdirSync, readFileSync } from 'node:fs'
import base from './vitest.base.ts'

/** The tests that ask nothing of a system, which hold on every one: `npm run test:portable`. The others start shells and git. */
const folder = new URL('test/', import.meta.url)
const asksTheSystem = /from 'node:(?!assert)|import\.meta|\bprocess\.(?!env)|\?raw/

function isPortable(file: URL): boolean {
  const text = readFileSync(file, 'utf8')
  if (asksTheSystem.test(text)) return false
  const helpers = [...text.matchAll(/from '(\.\/[^']+)'/g)].map(([, name = '']) => new URL(name, file))
  return helpers.filter((helper) => existsSync(helper)).every(isPortable)
}

const portable = readdirSync(folder)
  .filter((name) => name.endsWith('.test.ts') && isPortable(new URL(name, folder)))
  .map((name) => `test/${name}`)

const { globalSetup: _, ...test } = base.test ?? {}

export default { ...base, test: { ...test, include: portable } }
