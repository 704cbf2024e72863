import { beforeEach, describe, expect, test } from 'vitest'
import type { Catalogue } from '../../src/actions/catalogue.ts'
import { deprecatedActions } from '../../src/actions/deprecated.ts'
import { catalogueOf, loadCatalogue, tableFacts } from '../../src/actions/load.ts'
import { loadOperations } from '../../src/actions/operations.ts'
import { withoutSlash } from '../../src/actions/paths.ts'
import { readActions } from '../../src/actions/reads.ts'
import { glob } from '../../src/glob.ts'

/** Two products in another order than the sorted one, of a brand, with groups of words in place of which one character is. */
const table = `2025-10 5 #(get) %(edit)

vps 2025-09 reboot,ips#,svcId
svcIp 2024-07 svcBlock%,get

vpsDisk,vps,svcIp(a)

vps vpsDisk,vps
svcIp svcIp(a)
`
const all = ['acmeIp:apiacme:acmeBlock/edit', 'acmeIp:apiacme:get', 'vps:apiacme:acmeId', 'vps:apiacme:ips/get', 'vps:apiacme:reboot']

describe('a catalogue of two products', () => {
  let known: Catalogue
  beforeEach(() => {
    known = catalogueOf(tableFacts(table, 'acme'))
  })

  test('holds what the table says, sorted, in the words of the brand', () => {
    expect([known.seen, known.size, known.products, known.types]).toEqual(['2025-10', 5, ['acmeIp', 'vps'], ['acmeIp/a', 'vps', 'vpsDisk']])
    expect([known.seenOf('vps'), known.seenOf('acmeIp'), known.seenOf('svcIp')]).toEqual(['2025-09', '2024-07', undefined])
    expect([known.actionsOf('acmeIp'), known.actionsOf('vps'), known.actionsOf('svcIp')]).toEqual([all.slice(0, 2), all.slice(2), []])
    expect([known.typesOf('vps'), known.typesOf('acmeIp'), known.typesOf('vpsDisk'), known.typesOf('ip')]).toEqual([
      ['vps', 'vpsDisk'],
      ['acmeIp/a'],
      ['vpsDisk'],
      [],
    ])
    expect(known.nearestType('VPSdisk')).toBe('vpsDisk')
  })

  test('has its actions, once and again', () => {
    for (const action of [...all, ...all]) expect(known.has(action), action).toBe(true)
    for (const action of ['vps:apiacme:ips', 'vps:apisvc:reboot', 'ip:apiacme:get', 'get']) expect(known.has(action), action).toBe(false)
  })

  test.each([
    ['vps:apiacme:reboot', ['vps:apiacme:reboot']],
    ['vps:apiacme:boot', []],
    ['vps:*', all.slice(2)],
    ['vp*', all.slice(2)],
    ['*get', ['acmeIp:apiacme:get', 'vps:apiacme:ips/get']],
    ['*', all],
    ['ip:*', []],
    ['x*', []],
  ])('%s designates %j', (pattern, actions) => {
    expect(known.expand(glob(pattern))).toEqual(actions)
  })

  test('knows of no deprecation and of no first month that is not specified', () => {
    expect([known.deprecated, known.deprecationOf(all[0] as string), known.sinceOf(all[0] as string)]).toEqual([[], undefined, undefined])
    const facts = tableFacts(table, 'acme')
    const late = { replacedBy: [] }
    const described = catalogueOf({
      ...facts,
      deprecated: () =>
        new Map([
          ['vps:apiacme:reboot', late],
          ['acmeIp:apiacme:get', late],
        ]),
      since: new Map([['vps:apiacme:reboot', '2025-08']]),
    })
    expect(described.deprecated).toEqual(['acmeIp:apiacme:get', 'vps:apiacme:reboot'])
    expect([described.deprecationOf('vps:apiacme:reboot'), described.sinceOf('vps:apiacme:reboot')]).toEqual([late, '2025-08'])
    expect([described.deprecationOf('vps:apiacme:get'), described.sinceOf('vps:apiacme:get')]).toEqual([undefined, undefined])
  })

  test('asks each fact once, when it is first needed', () => {
    const asked: string[] = []
    const fact = <T>(name: string, value: T) => {
      asked.push(name)
      return value
    }
    const actions = () => fact('actions', ['vps:apisvc:get', 'vps:apisvc:edit'])
    const lazy = catalogueOf({
      seen: '2025-01',
      size: 2,
      products: new Map([['vps', { seen: '2025-01', actions }]]),
      types: () => fact('types', ['vps']),
      serves: () => fact('serves', new Map()),
    })
    expect([lazy.products, asked]).toEqual([['vps'], []])
    for (let i = 0; i < 2; i++) {
      expect(lazy.has('vps:apisvc:get')).toBe(true)
      expect(lazy.expand(glob('vps:*'))).toEqual(['vps:apisvc:edit', 'vps:apisvc:get'])
      expect(asked).toEqual(['actions'])
    }
    for (let i = 0; i < 2; i++) expect([lazy.typesOf('vps'), lazy.types]).toEqual([['vps'], ['vps']])
    expect(asked).toEqual(['actions', 'serves', 'types'])
  })
})

test.each([
  ['/vps/{serviceName}/', '/vps/{serviceName}'],
  ['/vps', '/vps'],
  ['/v/', '/v'],
  ['/vps//', '/vps//'],
  ['//vps/', '//vps'],
  ['/', '/'],
  ['', ''],
])('a path without a slash at its end: %s', (path, without) => {
  expect(withoutSlash(path)).toBe(without)
})

test('an action only reads where every operation that needs it is a GET', () => {
  const operation = (method: 'GET' | 'PUT', ...names: string[]) => ({ method, actions: names.map((name) => ({ name, required: true })) })
  const reads = readActions([operation('PUT', 'a', 'b'), operation('GET', 'a', 'c', 'd'), operation('GET', 'd'), operation('PUT', 'e')])
  expect([...reads].sort()).toEqual(['c', 'd'])
})

test('operations are sorted by branch, path and method', () => {
  const keys = loadOperations('acme').map(({ branch, path, method }) => `${branch} ${path} ${method}`)
  expect(keys).toEqual([...keys].sort())
})

describe.each(['svc', 'acme'])('the deprecated actions of the built-in catalogue, of the brand %s', (brand) => {
  test('are the same for each product as among those of all', () => {
    const { deprecated, deprecationOf } = loadCatalogue(brand)
    const all = deprecatedActions(brand)
    expect(deprecated).toEqual([...all.keys()].sort())
    expect(deprecated.map((action) => [action, deprecationOf(action)])).toEqual(deprecated.map((action) => [action, all.get(action)]))
    expect(new Set(deprecated.map((action) => action.slice(0, action.indexOf(':')))).size).toBeGreaterThan(10)
  })

  test('are none for an action that is not among them', () => {
    const { deprecationOf } = loadCatalogue(brand)
    for (const action of [`vps:api${brand}:reboot`, `vps:api${brand}:no/such`, 'nothing', ''])
      expect(deprecationOf(action), action).toBeUndefined()
  })
})
