import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { minimatch } from 'minimatch'
import { expect, test, vi } from 'vitest'

/** Every file of tests is run by some command: one that no mode includes fails without anyone knowing. */

const root = fileURLToPath(new URL('../../', import.meta.url))
const files = readdirSync(`${root}test`, { recursive: true, encoding: 'utf8' })
  .map((name) => `test/${name.replaceAll('\\', '/')}`)
  .filter((name) => name.endsWith('.test.ts'))

/** Run only where the evaluator of the proofs is built. */
const ofProofs = ['test/simulate/oracle.test.ts', 'test/unknown/sides.oracle.test.ts']

interface Tests {
  readonly include?: readonly string[]
  readonly projects?: readonly { readonly test: { readonly include: readonly string[] } }[]
}

/** The patterns of the files that a mode runs. */
async function patternsOf(mode: string): Promise<readonly string[]> {
  const { default: configOf } = await import(new URL('../../vitest.config.ts', import.meta.url).href)
  const { include = [], projects = [] } = (await configOf({ mode })).test as Tests
  return [...include, ...projects.flatMap((each) => each.test.include)]
}

test('each file of tests is run by some mode', async () => {
  // Half of the longest ones are left out, in turns, where only a share is tried.
  vi.stubEnv('GRANTWISE_DEEP_SHARE', '1')
  vi.stubEnv('GRANTWISE_ENGINES_SHARE', '1')
  vi.stubEnv('GRANTWISE_PAGES_SHARE', '1')
  const modes = ['test', 'deep', 'smt', 'pages', 'engines', 'package', 'site']
  const patterns = (await Promise.all(modes.map(patternsOf))).flat()
  expect(files.length).toBeGreaterThan(300)
  const left = files.filter((name) => !patterns.some((pattern) => minimatch(name, pattern)))
  expect(left.filter((name) => !ofProofs.includes(name))).toEqual([])
})
