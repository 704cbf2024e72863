import { describe, expect, test } from 'vitest'
import { comparedMonth } from '../../src/actions/compared-month.ts'
import { catalogueOf, loadCatalogue } from '../../src/actions/load.ts'
import { loadOperations, type Operation } from '../../src/actions/operations.ts'

/** The month that messages about unknown calls name. `test/cli/call-months.scenario` has the messages. */

const operation = (branch: Operation['branch'], path: string, seen: string): Operation => ({
  branch,
  path,
  seen,
  method: 'GET',
  actions: [],
  noAuthentication: false,
})

const operations = [
  operation('v1', '/old/a', '2020-01'),
  operation('v1', '/older/a', '2018-01'),
  operation('v1', '/mixed/a', '2020-01'),
  operation('v1', '/mixed/b', '2020-01'),
  operation('v1', '/mixed/{id}', '2025-01'),
  operation('v1', '/even/a', '2025-01'),
  operation('v1', '/even/b', '2020-01'),
  operation('v2', '/old/a', '2025-01'),
  operation('v2', '/new/a', '2025-01'),
]

describe('the month of an unknown path is', () => {
  test.each<[month: string, how: string, branch: Operation['branch'] | undefined, first: string]>([
    ['2020-01', 'that of its product, though other products are newer', 'v1', 'old'],
    ['2025-01', 'that of its product in its branch', 'v2', 'old'],
    ['2025-01', 'that of its product in any branch, where the path has none', undefined, 'new'],
    ['2020-01', 'that of most operations of its product', 'v1', 'mixed'],
    ['2020-01', 'the earlier of two with as many operations', 'v1', 'even'],
    ['2022-02', 'that of the catalogue, where no operation begins as it does', 'v1', 'ol'],
    ['2022-02', 'that of the catalogue, where the product has no operations in its branch', 'v1', 'new'],
    ['2022-02', 'that of the catalogue, where a parameter begins it', 'v1', '{id}'],
  ])('%s: %s', (month, _, branch, first) => {
    expect(comparedMonth(operations, { branch, first }, { seen: '2022-02' })).toBe(month)
    expect(comparedMonth(operations.toReversed(), { branch, first }, { seen: '2022-02' })).toBe(month)
  })
})

describe('where all operations of a branch are known, it is', () => {
  test.each<[month: string, how: string, branch: Operation['branch'] | undefined, first: string]>([
    ['2025-03', 'the month in which they are, though most were last seen before', 'v1', 'mixed'],
    ['2025-03', 'that too for a path that begins like no operation of the branch', 'v1', 'new'],
    ['2025-03', 'that too where the path has no branch, and most of its product are of that one', undefined, 'mixed'],
    ['2022-02', 'that of the catalogue, where the path has no branch and begins like no operation', undefined, 'ol'],
    ['2025-01', 'that of the product in the other branch', 'v2', 'old'],
  ])('%s: %s', (month, _, branch, first) => {
    expect(comparedMonth(operations, { branch, first }, { seen: '2022-02', complete: { v1: '2025-03' } })).toBe(month)
  })

  test('not of a catalogue that is read, though the built-in one has them', () => {
    expect(loadCatalogue().complete).toEqual({ v1: '2026-05' })
    expect(
      catalogueOf({ seen: '2026-09', size: 0, products: new Map(), types: () => [], serves: () => new Map() }).complete,
    ).toBeUndefined()
  })
})

test('of the built-in catalogue, no month is newer than the newest operation of the product, or than that as of which all are known', () => {
  const all = loadOperations()
  const { complete = {} } = loadCatalogue()
  const months = new Set<string>()
  const newest = new Map<string, string>()
  for (const { branch, path, seen } of all) {
    const key = `${branch} ${path.split('/')[1]}`
    if (seen > (newest.get(key) ?? '')) newest.set(key, seen)
    expect(seen <= (complete[branch] ?? seen), `${key} was seen after all of its branch were known`).toBe(true)
  }
  for (const [key, last] of newest) {
    const [branch, first] = key.split(' ') as [Operation['branch'], string]
    const month = comparedMonth(all, { branch, first }, loadCatalogue())
    months.add(month)
    expect(month <= (complete[branch] ?? last), key).toBe(true)
  }
  expect([...months].sort()).toEqual(expect.arrayContaining(['2025-10', '2026-05', '2026-10']))
})
