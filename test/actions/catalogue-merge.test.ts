import { describe, expect, test } from 'vitest'
import { mergeDescriptions } from '../../src/actions/merge.ts'
import type { Operation, OperationDeprecation } from '../../src/actions/operations.ts'
import { type CatalogueRecord, printRecord, sortedMap } from '../../src/actions/record.ts'

/** An operation that needs the actions of `p` with these names, where `name?` is one not required. */
const needs = (path: string, names: string, more: Partial<Operation> = {}): Omit<Operation, 'seen'> & { seen: string | undefined } => ({
  branch: 'v1',
  method: 'GET',
  path,
  actions: names
    .split(' ')
    .filter((name) => name !== '')
    .map((name) => ({ name: `p:apisvc:${name.replace('?', '')}`, required: !name.endsWith('?') })),
  noAuthentication: false,
  seen: undefined,
  ...more,
})
const part = (
  seen: string,
  operations: readonly ReturnType<typeof needs>[],
  actions: readonly { name: string; type: string | undefined }[] = [],
  types: readonly string[] = [],
  notes: readonly string[] = [],
) => ({ seen, description: { operations, actions, types, notes } })
const merged = (base: CatalogueRecord | undefined, ...parts: readonly ReturnType<typeof part>[]) => mergeDescriptions(base, parts, 'svc')
/** The merge of descriptions of one operation, in each order of two of them. */
const united = (...operations: readonly ReturnType<typeof needs>[]) => {
  const of = (list: typeof operations) => merged(undefined, ...list.map((each) => part('2025-01', [each])))
  expect(of([...operations].reverse())).toStrictEqual(of(operations))
  return { operation: of(operations).record.operations[0], notes: of(operations).notes }
}
const base: CatalogueRecord = {
  seen: '2025-06',
  brand: 'svc',
  actions: sortedMap([
    ['p:apisvc:get', { seen: '2025-06', since: '2024-02' }],
    ['p:apisvc:old', { seen: '2025-01', deprecated: { from: '2025-01-01', replacedBy: [] } }],
  ]),
  types: ['p'],
  serves: new Map(),
  operations: [{ branch: 'v1', method: 'GET', path: '/b', actions: [], seen: '2025-06', noAuthentication: true }],
}

describe('a record of descriptions', () => {
  test('has everything in order, and no field that says nothing', () => {
    const { record, notes } = merged(
      undefined,
      part('2025-03', [needs('/b', 'get edit?'), needs('/a', '', { seen: '2025-01' })], [], ['t', 's'], ['z', 'y']),
      part('2025-02', [], [{ name: 'q:apisvc:get', type: undefined }], [], ['x']),
    )
    expect(record).toStrictEqual({
      seen: '2025-03',
      brand: 'svc',
      actions: sortedMap([
        ['p:apisvc:edit', { seen: '2025-03' }],
        ['p:apisvc:get', { seen: '2025-03' }],
        ['q:apisvc:get', { seen: '2025-02' }],
      ]),
      types: ['s', 't'],
      serves: new Map(),
      operations: [
        { ...needs('/a', ''), seen: '2025-01' },
        { ...needs('/b', 'get edit?'), seen: '2025-03' },
      ],
    })
    expect([...record.actions.keys()]).toEqual(['p:apisvc:edit', 'p:apisvc:get', 'q:apisvc:get'])
    expect(notes).toEqual(['x', 'y', 'z'])
  })

  test('is of the newest month of its parts, of its base, and of descriptions where nothing is described', () => {
    expect(merged(undefined, part('2025-02', []), part('2025-03', [])).record.seen).toBe('2025-03')
    expect(merged(base, part('2025-09', [])).record.seen).toBe('2025-06')
    expect(merged(base, part('2025-05', [needs('/x', 'get')])).record.seen).toBe('2025-06')
    expect(merged(base, part('2025-07', [needs('/x', 'get')])).record.seen).toBe('2025-07')
    expect(merged({ ...base, seen: '2025-12' }, part('2025-07', [needs('/x', 'get')])).record.seen).toBe('2025-12')
    expect(merged(undefined, part('2025-09', [needs('/x', '', { seen: '2025-01' })])).record.seen).toBe('2025-01')
  })

  test('takes what is described over what was there, and the newer month of both', () => {
    const operation = (month: string) => merged(base, part(month, [needs('/b', 'get')])).record.operations[0]
    expect(operation('2025-05')).toStrictEqual({ ...needs('/b', 'get'), seen: '2025-06' })
    expect(operation('2025-07')).toStrictEqual({ ...needs('/b', 'get'), seen: '2025-07' })
    const seen = (month: string) => merged(base, part(month, [needs('/b', 'get')])).record.actions.get('p:apisvc:get')
    expect(seen('2025-05')).toStrictEqual({ seen: '2025-06', since: '2024-02' })
    expect(seen('2025-07')).toStrictEqual({ seen: '2025-07', since: '2024-02' })
  })

  test('dates an action that the base does not have by its first description', () => {
    const months = ['2025-08', '2025-07', '2025-09']
    const { record } = merged(base, ...months.map((month) => part(month, [needs('/x', 'new')])))
    expect(record.actions.get('p:apisvc:new')).toStrictEqual({ seen: '2025-09', since: '2025-07' })
    expect(record.actions.get('p:apisvc:get')).toStrictEqual({ seen: '2025-06', since: '2024-02' })
  })

  test('knows by product the types that are not only its own', () => {
    const of = (over: CatalogueRecord | undefined, ...rows: readonly (readonly [product: string, type: string | undefined])[]) =>
      merged(
        over,
        part(
          '2025-07',
          [],
          rows.map(([product, type]) => ({ name: `${product}:apisvc:get`, type })),
        ),
      ).record.serves
    expect(of(undefined, ['p', 'p'], ['q', 's'], ['q', 'r'], ['r', undefined])).toStrictEqual(new Map([['q', ['r', 's']]]))
    expect(of(base, ['p', 'r'])).toStrictEqual(new Map([['p', ['p', 'r']]]))
    expect(of({ ...base, serves: new Map([['q', ['s']]]) }, ['q', 'r'])).toStrictEqual(new Map([['q', ['r', 's']]]))
  })
})

describe('descriptions of one operation', () => {
  const of = (operation: ReturnType<typeof needs>) => ({ ...operation, seen: '2025-01' })

  test('that are the same are one', () => {
    expect(united(needs('/a', 'get edit'), needs('/a', 'get edit'))).toStrictEqual({ operation: of(needs('/a', 'get edit')), notes: [] })
  })

  test('with parameters of other names have the first of the names', () => {
    expect(united(needs('/a/{y}', 'get'), needs('/a/{x}', 'get'))).toStrictEqual({ operation: of(needs('/a/{x}', 'get')), notes: [] })
  })

  test('with actions in another order have them sorted', () => {
    expect(united(needs('/a', 'get edit'), needs('/a', 'edit get'))).toStrictEqual({ operation: of(needs('/a', 'edit get')), notes: [] })
  })

  test('with other actions have all of them', () => {
    const { operation, notes } = united(needs('/a', 'get'), needs('/a', 'edit'))
    expect(operation).toStrictEqual(of(needs('/a', 'edit get')))
    expect(notes).toEqual(['`GET /v1/a` is described with different actions: all of them are kept'])
  })

  test('with an action that is required and not required it', () => {
    const { operation, notes } = united(needs('/a', 'get edit'), needs('/a', 'edit get?'))
    expect(operation).toStrictEqual(of(needs('/a', 'edit get')))
    expect(notes).toEqual(['`GET /v1/a` is described as needing an action and as perhaps needing it: it is kept as needing it'])
  })

  test('with and without authentication need a session', () => {
    const { operation, notes } = united(needs('/a', '', { noAuthentication: true }), needs('/a', ''))
    expect(operation).toStrictEqual(of(needs('/a', '')))
    expect(notes).toEqual(['`GET /v1/a` is described with and without authentication: it is kept as needing a session'])
    const open = needs('/a', '', { noAuthentication: true })
    expect(united(open, open)).toStrictEqual({ operation: of(open), notes: [] })
  })

  test('that are all deprecated are so by the last of them', () => {
    const old = (deprecated: OperationDeprecation) => needs('/a', '', { deprecated })
    const [first, last] = [
      old({ from: '2025-01-01', until: '2026-01-01', replacement: '/y' }),
      old({ from: '2025-02-01', replacement: '/x' }),
    ]
    expect(united(first, last)).toStrictEqual({ operation: of(old({ from: '2025-02-01', replacement: '/x' })), notes: [] })
    expect(united(old({ until: '2026-02-01' }), old({ until: '2026-01-01' })).operation).toStrictEqual(of(old({ until: '2026-02-01' })))
    expect(united(old({}), first).operation).toStrictEqual(of(old({ replacement: '/y' })))
    const { operation, notes } = united(first, needs('/a', ''))
    expect(operation).toStrictEqual(of(needs('/a', '')))
    expect(notes).toEqual(['`GET /v1/a` is described as deprecated and as not: it is kept as not deprecated'])
  })

  test('of other months are of the newest', () => {
    const months = ['2025-02', '2025-03', '2025-01']
    const { record } = merged(undefined, ...months.map((seen) => part('2025-09', [needs('/a', '', { seen })])))
    expect(record.operations.map(({ seen }) => seen)).toEqual(['2025-03'])
  })
})

describe('the deprecation of an action', () => {
  const old = (path: string, deprecated: OperationDeprecation, more: Partial<Operation> = {}) => needs(path, 'old', { deprecated, ...more })
  const deprecation = (...operations: readonly ReturnType<typeof needs>[]) =>
    merged(undefined, part('2025-01', operations)).record.actions.get('p:apisvc:old')?.deprecated

  test('is of the last of the operations that need it, where each is dated', () => {
    const [a, b] = [old('/a', { from: '2025-01-01', until: '2026-01-01' }), old('/b', { from: '2025-02-01' })]
    expect(deprecation(a)).toStrictEqual({ from: '2025-01-01', until: '2026-01-01', replacedBy: [] })
    expect(deprecation(a, b)).toStrictEqual({ from: '2025-02-01', replacedBy: [] })
    expect(deprecation(old('/a', {}))).toStrictEqual({ replacedBy: [] })
    expect(deprecation(a, needs('/c', 'old'))).toBeUndefined()
    expect(deprecation(needs('/0', 'old'), a)).toBeUndefined()
  })

  test.each<[replacement: string, replacedBy: readonly string[]]>([
    ['/new', ['p:apisvc:b', 'p:apisvc:one']],
    ['/v1/new', ['p:apisvc:b', 'p:apisvc:one']],
    ['/1.0/new', ['p:apisvc:b', 'p:apisvc:one']],
    ['/v2/new', ['p:apisvc:two']],
    ['/gone', []],
    ['/nowhere', []],
    ['/a', []],
  ])('names what the operation at %s needs: %j', (replacement, replacedBy) => {
    const others = [
      needs('/new', 'one b old'),
      needs('/new', 'two', { branch: 'v2' }),
      needs('/new', 'three', { method: 'PUT' }),
      needs('/gone', 'four', { deprecated: {} }),
    ]
    // The action itself is deprecated only where nothing else needs it.
    const own = others.map((each) => ({ ...each, actions: each.actions.filter(({ name }) => name !== 'p:apisvc:old') }))
    expect(deprecation(old('/a', { replacement }), ...own)).toStrictEqual({ replacedBy })
    expect(deprecation(old('/a', { replacement }), ...others)).toBeUndefined()
  })

  test.each<[method: Operation['method'], methods: readonly Operation['method'][], replacedBy: readonly string[]]>([
    ['PUT', ['GET', 'POST'], ['p:apisvc:POST']],
    ['PUT', ['GET', 'POST', 'PUT'], ['p:apisvc:PUT']],
    ['PUT', ['DELETE', 'POST'], []],
    ['PUT', ['GET'], []],
    ['GET', ['POST'], []],
  ])('of a %s with %j at the path to call instead names %j', (method, methods, replacedBy) => {
    const others = methods.map((each) => needs('/new', each, { method: each }))
    expect(deprecation(old('/a', { replacement: '/new' }, { method }), ...others)).toStrictEqual({ replacedBy })
  })

  test('that was known stays until an operation is described that is not deprecated', () => {
    const kept = (...operations: readonly ReturnType<typeof needs>[]) =>
      merged({ ...base, operations: [{ ...needs('/alive', 'old'), seen: '2025-01' }] }, part('2025-07', operations)).record.actions.get(
        'p:apisvc:old',
      )
    expect(kept()).toStrictEqual({ seen: '2025-01', deprecated: { from: '2025-01-01', replacedBy: [] } })
    expect(kept(old('/a', {}))).toStrictEqual({ seen: '2025-07', deprecated: { from: '2025-01-01', replacedBy: [] } })
    expect(kept(needs('/a', 'old'))).toStrictEqual({ seen: '2025-07' })
  })
})

test('a record is printed in one order, and without what is not known', () => {
  const { record } = merged(base, part('2025-07', [needs('/a', 'get edit?', { deprecated: { until: '2026-01-01', replacement: '/b' } })]))
  expect(printRecord({ ...record, types: [], serves: new Map([['p', ['p', 'q']]]) })).toBe(`{
  "catalogue": 1,
  "seen": "2025-07",
  "brand": "svc",
  "actions": [
    {"name":"p:apisvc:edit","seen":"2025-07","since":"2025-07","deprecated":{"until":"2026-01-01","replacedBy":[]}},
    {"name":"p:apisvc:get","seen":"2025-07","since":"2024-02","deprecated":{"until":"2026-01-01","replacedBy":[]}},
    {"name":"p:apisvc:old","seen":"2025-01","deprecated":{"from":"2025-01-01","replacedBy":[]}}
  ],
  "types": [],
  "serves": {
    "p": ["p","q"]
  },
  "operations": [
    {"branch":"v1","method":"GET","path":"/a","actions":["p:apisvc:get",{"name":"p:apisvc:edit","required":false}],"seen":"2025-07","deprecated":{"until":"2026-01-01","replacement":"/b"}},
    {"branch":"v1","method":"GET","path":"/b","seen":"2025-06","noAuthentication":true}
  ]
}
`)
})

test('an empty record is printed as one', () => {
  const record = { seen: '2025-07', brand: 'svc', actions: new Map(), types: [], serves: new Map(), operations: [] }
  expect(JSON.parse(printRecord(record))).toStrictEqual({
    catalogue: 1,
    seen: '2025-07',
    brand: 'svc',
    actions: [],
    types: [],
    serves: {},
    operations: [],
  })
  expect(printRecord(record).split('\n')).toContain('  "serves": {},')
})
