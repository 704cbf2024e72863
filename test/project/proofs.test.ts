import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Claims of proofs/README.md about the proofs, which `make -C proofs` checks. */

const folder = new URL('../../proofs/', import.meta.url)
const readme = readFileSync(new URL('README.md', folder), 'utf8')
const proofs = readdirSync(folder)
  .filter((name) => name.endsWith('.v') && name !== 'Assumptions.v')
  .map((name) => readFileSync(new URL(name, folder), 'utf8'))
  .join('\n')
const proved = new Set([...proofs.matchAll(/^ *(?:Theorem|Corollary) (\w+)/gm)].map(([, name]) => name))

/** The rows of the tables under a heading. */
const rows = (heading: string) =>
  [...(readme.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '').matchAll(/^\| (.+) \| (.+) \|$/gm)]
    .map(([, first = '', second = '']) => ({ first, second }))
    .filter(({ first }) => !['statement', 'law'].includes(first))
const theoremsIn = (cell: string) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name)

test('each statement has a theorem, which is there', () => {
  const named = [...rows('What is proved'), ...rows('The laws').filter(({ second }) => second.startsWith('`'))].map((row) =>
    theoremsIn(row.second),
  )
  expect(named.length).toBeGreaterThan(40)
  expect(named.filter((names) => names.length === 0)).toEqual([])
  expect(named.flat().filter((name) => !proved.has(name))).toEqual([])
})

test('each law of the tests is listed, with its theorem or with what it is about', () => {
  const laws = readFileSync(new URL('../simulate/laws.test.ts', import.meta.url), 'utf8')
  const titles = [...laws.matchAll(/^ {2}test\('([^']+)'/gm)].map(([, title]) => title)
  expect(
    rows('The laws')
      .map(({ first }) => first)
      .sort(),
  ).toEqual(titles.sort())
})
