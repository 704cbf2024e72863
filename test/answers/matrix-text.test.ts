import { expect, test } from 'vitest'
import type { Level } from '../../src/actions/reads.ts'
import { matrixText } from '../../src/answers/matrix.ts'
import { paint } from '../../src/report/colour.ts'
import type { Names } from '../../src/report/names.ts'
import { always } from '../../src/symbolic/formula.ts'
import type { CellChange, Confidence, Matrix, MatrixCell } from '../../src/symbolic/matrix.ts'
import { Windows } from '../../src/symbolic/windows.ts'

const last = (urn: string) => urn.split(':').slice(-2).join('/')
const names = { identity: last, resource: last } as unknown as Names
const times = { at: undefined, from: 0, time: always, windows: new Windows({}) }
const of: Record<string, Level> = { '-': 'none', r: 'read', w: 'write', a: 'all' }
const confidences: Record<string, Confidence> = { '*': 'sometimes', '?': 'perhaps' }

/** A matrix of lines such as `user:ann r w* a`, with a column for each type; each type has two resources. */
function matrixOf(types: readonly string[], lines: readonly string[]): Matrix {
  const split = lines.map((line) => line.split(' '))
  const cell = (text: string): MatrixCell => ({
    level: of[text[0] as string] as Level,
    confidence: confidences[text[1] ?? ''] ?? 'always',
    resources: text.endsWith('1') ? 1 : 2,
    condition: always,
    isPartly: false,
    policies: [],
    isRoot: false,
  })
  return {
    identities: split.map(([identity]) => `urn:v1:eu:identity:${identity}`),
    columns: types.map((name) => ({ name, type: name, resources: 2 })),
    rows: split.map(([, ...cells]) => cells.map(cell)),
    unknownTypes: [],
    reasons: [],
  }
}

const textOf = (matrix: Matrix, width?: number, all = false) =>
  matrixText(matrix, times, { names, paint: paint(false), width, all })
    .split('\n')
    .slice(2)

const three = matrixOf(['database', 'server', 'zone'], ['user:ann r w* w1', 'user:bob - a? -', 'group:idle - - -'])

test('words while they fit, with the marks that occur', () => {
  expect(textOf(three, 38)).toEqual([
    '          database  server  zone',
    'user/ann  read      write*  write 1/2',
    'user/bob  none      all?    none',
    'nothing: group/idle',
    '',
    'read: nothing but actions that only read',
    'write: at least one action that changes something',
    'all: every action of the catalogue about the type',
    '*: only under a condition (time, address or tags)',
    '?: depends on facts that are not known',
    '2/5: on 2 of 5 resources, less on the others',
    '',
  ])
})

test('of the actions that a cell gained, some are listed, and all of them where all is asked for', () => {
  const actions = Array.from({ length: 12 }, (_, i) => `server:apisvc:a${10 + i}`)
  const one = matrixOf(['server'], ['user:ann w'])
  const change = { gained: [{ actions, certain: true }], lost: [] } as unknown as CellChange
  const changed: Matrix = { ...one, rows: one.rows.map((row) => row.map((cell) => ({ ...cell, change: { ...change, before: cell } }))) }
  const linesOf = (all: boolean) => matrixText(changed, times, { names, paint: paint(false), all }).split('\n')
  expect(linesOf(true)).toContain(`    + ${actions.join(', ')}`)
  expect(linesOf(false).filter((line) => line.includes('a10'))).toEqual([expect.stringMatching(/^ {4}\+ .*a17 and 4 more$/)])
})

test('letters where words do not fit', () => {
  expect(textOf(three, 36)).toEqual([
    '          database  server  zone',
    'user/ann  R         W*      W 1/2',
    'user/bob  ·         A?      ·',
    'nothing: group/idle',
    '',
    '·: nothing',
    'R: nothing but actions that only read',
    'W: at least one action that changes something',
    'A: every action of the catalogue about the type',
    '*: only under a condition (time, address or tags)',
    '?: depends on facts that are not known',
    '2/5: on 2 of 5 resources, less on the others',
    '',
  ])
})

test('numbers in the place of titles that do not fit, with what they mean', () => {
  expect(textOf(three, 30).slice(0, 5)).toEqual([
    '1 database, 2 server, 3 zone',
    '          1  2   3',
    'user/ann  R  W*  W 1/2',
    'user/bob  ·  A?  ·',
    'nothing: group/idle',
  ])
})

const types = Array.from({ length: 30 }, (_, i) => `type${i + 1}`)
const wide = matrixOf(types, [`user:ann ${types.map(() => 'r').join(' ')}`, `user:bob ${types.map(() => 'w').join(' ')}`])

test('no column is left out without its count and what shows it', () => {
  const lines = textOf(wide, 40)
  const shown = (lines.find((line) => line.startsWith('user/ann')) as string).split(/ +/).length - 1
  expect(shown).toBeLessThan(30)
  expect(lines.join('\n')).toContain(
    `${30 - shown} more columns (type${shown + 1}, type${shown + 2} and ${28 - shown} more): \`--all\` shows all, \`--type\` chooses`,
  )
  for (const line of lines.slice(0, 6)) expect(line.length).toBeLessThanOrEqual(40)
})

test('one column at least, however narrow the place is', () => {
  for (const width of [1, 5, 12]) {
    const lines = textOf(wide, width)
    expect(lines).toContain('user/ann  R')
    expect(lines.join('\n')).toContain('29 more columns (type2, type3 and 27 more)')
  }
})

test('with `--all`, every column and row', () => {
  const lines = textOf(wide, 40, true)
  expect(lines.find((line) => line.startsWith('user/ann'))?.split(/ +/)).toHaveLength(31)
  expect(lines.join('\n')).not.toContain('more column')
  const users = matrixOf(['t'], [...Array(30).keys()].map((i) => `user:u${i} r`).concat('group:g r', 'credential:c r'))
  expect(textOf(users).filter((line) => /^(user|group|cred)/.test(line))).toHaveLength(24)
  expect(textOf(users)).toContain('8 more rows, about 6 people, 1 group and 1 service account: `--all` lists them')
  expect(textOf(users, 120, true).filter((line) => /^(user|group|cred)/.test(line))).toHaveLength(32)
})
