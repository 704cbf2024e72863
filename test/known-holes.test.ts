import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { some } from './support/effort.ts'
import { gitEnvironment, makeRepository, type RepositoryCase } from './support/gate-cases.ts'
import { mainIn } from './support/in-process.ts'
import { wordsOf } from './support/scenario.ts'

/**
 * Changes of access that `diff` is known to call the same (docs/assurance.md, What is not proved): what is said of them stays true. One
 * that ends with another code than 0 is closed, and moves to test/bypass.
 */
interface Hole extends RepositoryCase {
  readonly title: string
  readonly run: string
}

const groups = parse(readFileSync(new URL('known-holes.yaml', import.meta.url), 'utf8')) as readonly {
  readonly cause: string
  readonly cases: readonly Hole[]
}[]

describe.each(groups.map(({ cause, cases }) => [cause, cases] as const))('%s', (_, cases) => {
  test.each(some(cases, 12).map((each) => [each.title, each] as const))('%s', async (_, hole) => {
    const folder = mkdtempSync(join(tmpdir(), 'grantwise-'))
    try {
      makeRepository(hole, folder)
      const { exit } = await mainIn(wordsOf(hole.run).slice(1), folder, { PATH: process.env.PATH ?? '', ...gitEnvironment })
      expect(exit, 'closed: move it to test/bypass, with the exit code that it has now').toBe(0)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

test('each has a title of its own', () => {
  const titles = groups.flatMap(({ cases }) => cases.map(({ title }) => title))
  expect(titles.length).toBe(new Set(titles).size)
  expect(groups.every(({ cause, cases }) => cause !== '' && cases.length > 0)).toBe(true)
})
