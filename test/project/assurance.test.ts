import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { commands } from '../../src/cli/app/commands.ts'
import { moduleOf } from '../support/claims-page.ts'

/** docs/assurance.md: claims, the tests that name them, and what these reached. Its figures are held by `scripts/assurance.mjs --check`. */

interface Claim {
  readonly id: string
  readonly cases?: number
}
interface Cover {
  readonly file: string
  readonly line: number
  readonly end: number
  readonly ids: readonly string[]
}
type Figures = Readonly<Record<string, Readonly<Record<string, { readonly passed: number; readonly of: number; readonly cases?: number }>>>>

const load = (name: string) => import(new URL(`../../scripts/assurance/${name}.mjs`, import.meta.url).href)
const { promises, threats, properties } = (await load('claims')) as Record<string, readonly { readonly claims: readonly Claim[] }[]>
const { collect, coversIn, problemsOf } = (await load('collect')) as {
  readonly collect: (root: URL) => readonly Cover[]
  readonly coversIn: (file: string, text: string) => readonly Cover[]
  readonly problemsOf: (claims: readonly Claim[], covers: readonly Cover[]) => readonly string[]
}
const { figureOf, shortfalls } = (await load('page')) as {
  readonly figureOf: (claim: Claim, covers: readonly Cover[], figures: Figures) => { readonly reached: string; readonly isReached: boolean }
  readonly shortfalls: (
    claims: readonly Claim[],
    covers: readonly Cover[],
    figures: Figures,
    runs: readonly string[],
    read: (name: string) => unknown,
    notReached: Readonly<Record<string, string>>,
  ) => readonly string[]
}

const claims = [promises, threats, properties].flatMap((groups = []) => groups.flatMap((group) => group.claims))

test('every claim is there once: ten promises, 33 threats, and 58 properties', () => {
  const upTo = (letter: string, count: number, digits: number) =>
    Array.from({ length: count }, (_, i) => `${letter}${String(i + 1).padStart(digits, '0')}`)
  const wanted = [...upTo('P', 10, 1), ...upTo('T', 33, 1), ...upTo('M', 55, 2), 'M29b', 'M29c', 'M41b']
  expect(claims.map(({ id }) => id).sort()).toEqual(wanted.sort())
})

test('every claim is named by a test, and every test names claims that there are', () => {
  expect(problemsOf(claims, collect(new URL('../..', import.meta.url)))).toEqual([])
})

const text = `describe('a', () => {
  // covers: M01, T2
  test.each([
    1,
  ])('%i', () => {
    expect(1).toBe(1)
  })

  test('b', () => {})
})
// covers: X1
test('c', () => {})
`

test('a cover is about the statement behind it, and no other', () => {
  expect(coversIn('test/a.test.ts', text)).toMatchObject([
    { line: 2, end: 8, ids: ['M01', 'T2'] },
    { line: 11, ids: ['X1'] },
  ])
})

test('a claim without a test is a problem, and so is a test that names no claim', () => {
  const planted = [{ id: 'M01' }, { id: 'M02' }]
  expect(problemsOf(planted, coversIn('test/a.test.ts', text))).toEqual([
    'M02: no test names it',
    'test/a.test.ts:2: there is no claim T2',
    'test/a.test.ts:11: this is no claim: X1',
  ])
  expect(problemsOf([{ id: 'M01' }], coversIn('proofs/A.v', '(* covers: M01 *)\nTheorem a : True.\n'))).toEqual(['M01: no test names it'])
})

const covers = coversIn('test/a.test.ts', text)
const reached = (figure: { passed: number; of: number; cases?: number }, cases?: number) =>
  figureOf({ id: 'M01', ...(cases !== undefined && { cases }) }, covers, { 'test/a.test.ts': { M01: figure } })

test.each([
  ['enough cases', { passed: 1, of: 1, cases: 100 }, 100, '100', true],
  ['too few cases', { passed: 1, of: 1, cases: 99 }, 100, '99', false],
  ['tests as cases', { passed: 40, of: 40 }, 40, '40', true],
  ['a test that failed', { passed: 1, of: 2, cases: 500 }, 100, '500, and 1 failed', false],
  ['every test', { passed: 3, of: 3 }, undefined, '3 of 3', true],
  ['not every test', { passed: 2, of: 3 }, undefined, '2 of 3', false],
  ['no test', { passed: 0, of: 0 }, undefined, '0 of 0', false],
] as const)('a figure: %s', (_, figure, cases, words, isReached) => {
  expect(reached(figure, cases)).toMatchObject({ reached: words, isReached })
})

test('a figure that is not measured is not reached, and is a problem unless it is listed; one that is reached is not listed', () => {
  expect(figureOf({ id: 'M01' }, covers, {})).toMatchObject({ reached: 'not measured yet', isReached: false })
  const none = () => undefined
  expect(shortfalls([{ id: 'M01' }], covers, {}, ['fuzz'], none, {})).toHaveLength(2)
  expect(shortfalls([{ id: 'M01' }], covers, {}, ['fuzz'], none, { M01: 'why', fuzz: 'why' })).toEqual([])
  expect(shortfalls([], covers, {}, ['fuzz'], () => ({}), { fuzz: 'why' })).toEqual(['fuzz: is reached, and listed as not reached'])
})

/** Summaries of the figures that runs write to the folder `figures` of a repository. */
const { takenIn } = (await load('figures')) as { readonly takenIn: (summary: Summary, root: URL) => Summary }

interface Summary {
  readonly claims: Readonly<Record<string, object>>
  readonly runs: Readonly<Record<string, object>>
}

test('figures of runs are added to the summary, without long tables, unless it has later ones', () => {
  const folder = mkdtempSync(join(tmpdir(), 'figures-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const put = (name: string, figure: object) => {
    mkdirSync(dirname(join(folder, 'figures', name)), { recursive: true })
    writeFileSync(join(folder, 'figures', `${name}.json`), JSON.stringify(figure))
  }
  const root = pathToFileURL(`${folder}/`)
  const summary: Summary = { claims: { a: { at: '2026-01-01' }, c: { at: '2026-01-01', M01: 1 } }, runs: { old: { at: '2026-03-01' } } }
  expect(takenIn(summary, root)).toEqual(summary)
  const calls = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`call${i}`, i]))
  put('claims', { c: { at: '2026-02-01', M01: 2 } })
  put('claims-1', { b: { at: '2026-02-01' } })
  put('claims-2', { d: { at: '2026-02-01' } })
  put('old', { at: '2026-02-01' })
  put('mutation/names', {
    claim: 'c',
    reached: { score: 97, calls, by: { json: { texts: 1 } }, of: { all: 2 } },
    at: '2026-02-01',
    files: {},
  })
  expect(takenIn(summary, root)).toEqual({
    claims: { a: { at: '2026-01-01' }, b: { at: '2026-02-01' }, c: { at: '2026-02-01', M01: 2 }, d: { at: '2026-02-01' } },
    runs: { 'mutation/names': { claim: 'c', reached: { score: 97, of: { all: 2 } }, at: '2026-02-01' }, old: { at: '2026-03-01' } },
  })
})

interface Judge {
  readonly names: readonly string[]
  readonly tests: readonly string[]
}
const { commandJudges, viewJudges } = (await load('judges')) as Record<'commandJudges' | 'viewJudges', readonly Judge[]>

test('every command and every view of the pages has a judge, once, in tests that there are', async () => {
  const root = new URL('../../', import.meta.url)
  const namesOf = (judges: readonly Judge[]) => judges.flatMap(({ names }) => names).sort()
  expect(namesOf(commandJudges)).toEqual(commands.map(({ name }) => name as string).sort())
  const { views } = await moduleOf<{ readonly views: readonly { readonly name: string }[] }>('app', 'views')
  expect(namesOf(viewJudges)).toEqual(views.map(({ name }) => name).sort())
  for (const { names, tests } of [...commandJudges, ...viewJudges])
    expect(
      tests.filter((file) => !existsSync(new URL(file, root))),
      names.join(', '),
    ).toEqual([])
})
