import { expect, test } from 'vitest'
import { loadOperations } from '../../src/actions/operations.ts'
import { isList } from '../../src/calls/match.ts'
import { findRoute, wordsOf } from '../../src/emulator/api/route.ts'
import { testService } from '../support/service.ts'

/** Calls that are let through and that the emulator does nothing for: an empty answer of the right shape. */

const operations = loadOperations()
/** Whatever the parameters are called. */
const keyOf = ({ branch, path }: { readonly branch: string; readonly path: string }) => `${branch} ${path.replace(/\{[^}]+\}/g, '{}')}`

/** The paths that an item path goes on from: `/a/{x}/b` where there is `/a/{x}/b/{y}`, whatever the methods below. */
const listPaths = new Set(
  operations.flatMap(({ branch, path }) => {
    const words = path.split('/')
    return words.flatMap((word, i) => (word.startsWith('{') ? [keyOf({ branch, path: words.slice(0, i).join('/') })] : []))
  }),
)

test('a list path that has an item path below it is answered `[]`, any other reading `{}`, over all operations', () => {
  const { service, allow, call } = testService()
  allow(['*'])
  const met = { list: 0, nested: 0, one: 0, undecided: 0 }
  const wrong: string[] = []
  for (const operation of operations) {
    if (operation.method !== 'GET') continue
    const path = `/${operation.branch}${operation.path.replace(/\{[^}]+\}/g, 'x1')}`
    if (findRoute(service.routes, 'GET', wordsOf(path) ?? [])?.route) continue
    const { status, body } = call('GET', path)
    // Names that the path does not have are not known, and neither answer is pretended.
    if (status === 501) {
      met.undecided++
      continue
    }
    const isOne = !listPaths.has(keyOf(operation))
    if (JSON.stringify([status, body]) !== JSON.stringify([200, isOne ? {} : []]))
      wrong.push(`${path}: ${status} ${JSON.stringify(body).slice(0, 200)}`)
    met[isOne ? 'one' : operation.path.includes('{') ? 'nested' : 'list']++
  }
  expect(wrong.slice(0, 10)).toEqual([])
  // The operations, counted without the emulator.
  const nested = operations.filter((each) => each.method === 'GET' && each.path.includes('{') && listPaths.has(keyOf(each)))
  expect(nested.length).toBeGreaterThanOrEqual(823)
  expect(nested.filter((each) => !isList(service.operations, each)).map(({ path }) => path)).toEqual([])
  expect(met.nested).toBeGreaterThan(700)
  expect(met.list).toBeGreaterThan(100)
  expect(met.one).toBeGreaterThan(1000)
})
