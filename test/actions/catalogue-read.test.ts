import { describe, expect, test } from 'vitest'
import { readDescription } from '../../src/actions/describe.ts'
import { catalogueOfRecord, readRecord } from '../../src/actions/record.ts'
import { longestName } from '../../src/names.ts'
import { readJson } from '../../src/parser/json.ts'
import { sourceOf } from '../../src/source.ts'
import type { MapNode } from '../../src/tree.ts'

/** The result of reading a description: its faults, as the text that it is about and what is said of it, with the help. */
function read(value: unknown, from = 'svc', to = from) {
  const source = sourceOf('x.json', JSON.stringify(value))
  const { description, problems } = readDescription(readJson(source).documents, from, to)
  return {
    ...description,
    problems: problems.map(({ span, message, help }) => [source.text.slice(span.start, span.end), message, help]),
  }
}
const none = { operations: [], actions: [], types: [], notes: [], problems: [] }
const operation = (more: object = {}) => ({
  branch: 'v1',
  method: 'GET',
  path: '/a',
  actions: [],
  seen: undefined,
  noAuthentication: false,
  ...more,
})
const route = (more: object = {}) => ({ branch: 'v1', method: 'GET', path: '/a', ...more })
const openapi = (operations: object, more: object = {}) => ({ openapi: '3.1.0', paths: { '/v1/a': operations }, ...more })
const schema = (operations: unknown, more: object = {}) => ({ apis: [{ path: '/a', operations }], ...more })

describe('a description is read', () => {
  test.each<[shows: string, description: unknown, operations: readonly object[]]>([
    ['a route without anything else', route(), [operation()]],
    [
      'with null for what is not known',
      route({ seen: null, deprecated: null, noAuthentication: null, apiStatus: null, iamActions: null }),
      [operation()],
    ],
    ['the first branch by its other name', route({ branch: '1.0' }), [operation()]],
    ['the branch in the path over another', route({ path: '/v2/a' }), [operation({ branch: 'v2' })]],
    ['the root of a branch', route({ path: '/v2' }), [operation({ branch: 'v2', path: '/' })]],
    ['a route that needs no authentication', route({ noAuthentication: true }), [operation({ noAuthentication: true })]],
    [
      'actions, each once, needed where one says so',
      route({
        actions: [
          { name: 'a:apisvc:b', required: false },
          { action: 'a:apisvc:c' },
          'a:apisvc:b?x',
          { name: 'a:apisvc:c', required: false },
        ],
      }),
      [
        operation({
          actions: [
            { name: 'a:apisvc:b', required: true },
            { name: 'a:apisvc:c', required: true },
          ],
        }),
      ],
    ],
    ['a list in an object', { results: [route()] }, [operation()]],
    [
      'API schemas of branches',
      [
        schema([{ httpMethod: 'put' }]),
        schema([{ method: 'GET' }], { apiVersion: 'v2' }),
        schema([{ method: 'GET' }], { basePath: 'https://x.example/v2/' }),
      ],
      [operation({ method: 'PUT' }), operation({ branch: 'v2' }), operation({ branch: 'v2' })],
    ],
    ['API schemas without operations', { apis: [{ path: '/a' }, { path: '/b', operations: [] }] }, []],
    ['an API schema with operations and a schema', { apis: [{ path: '/a', schema: 'x', operations: [{ method: 'GET' }] }] }, [operation()]],
    [
      'OpenAPI of a branch',
      { openapi: '3.0.0', servers: [{ url: 'https://x.example/1.0' }, { description: 'x' }], paths: { '/a': { get: {} } } },
      [operation()],
    ],
    [
      'OpenAPI with fields that describe no operation',
      openapi(
        { get: {}, summary: 'x', description: 'x', servers: [], parameters: [], 'x-internal': 1 },
        { paths: { 'x-y': 1, '/v1/a': { get: {}, 'x-y': 1 } } },
      ),
      [operation()],
    ],
    ['OpenAPI with security for all', openapi({ get: {} }, { security: [{ key: [] }] }), [operation()]],
    [
      'OpenAPI without security for all',
      openapi({ get: {}, put: { security: [{ key: [] }] } }, { security: [] }),
      [operation({ noAuthentication: true }), operation({ method: 'PUT' })],
    ],
    ['a month of a date with spaces around', openapi({ get: {} }, { info: { version: ' 2026-08-02 ' } }), [operation({ seen: '2026-08' })]],
    ['the version of an API that is a date', schema([{ method: 'GET' }], { apiVersion: '2026-07' }), [operation({ seen: '2026-07' })]],
    [
      'the latest of several dates',
      openapi({ get: {} }, { 'x-date': '2026-07-01', 'x-updated': '2026-05-01', 'x-modified': 5 }),
      [operation({ seen: '2026-07' })],
    ],
    [
      'the month of an operation before that of all',
      schema([{ method: 'GET', seen: '2026-01' }, { method: 'PUT' }], { seen: '2026-02' }),
      [operation({ seen: '2026-01' }), operation({ method: 'PUT', seen: '2026-02' })],
    ],
    [
      'a deprecation',
      route({
        apiStatus: { value: 'deprecated', deprecatedDate: '2026-01-31T00:00:00Z', deletionDate: '2027-01-31 12:00', replacement: '/b' },
      }),
      [operation({ deprecated: { from: '2026-01-31', until: '2027-01-31', replacement: '/b' } })],
    ],
    [
      'a deprecation that says nothing else',
      route({ apiStatus: { value: 'DEPRECATED', deprecatedDate: '', deletionDate: null } }),
      [operation({ deprecated: {} })],
    ],
    [
      'a deprecation as some descriptions write it',
      route({
        apiStatus: {
          value: 'DEPRECATED',
          deprecatedDate: '2023-01-16 00:00:00 +0100 +0100',
          deletionDate: '2016-06-30:00:00+01:00',
          replacement: 'GET /b/{id}',
        },
      }),
      [operation({ deprecated: { from: '2023-01-16', until: '2016-06-30', replacement: '/b/{id}' } })],
    ],
    [
      'a replacement that is no path',
      route({ apiStatus: { value: 'DEPRECATED', replacement: 'use another' } }),
      [operation({ deprecated: {} })],
    ],
    ['a status without a value', route({ apiStatus: {} }), [operation()]],
    ['a status that is not deprecated', route({ apiStatus: { value: 'BETA', replacement: '/b' }, deprecated: false }), [operation()]],
    ['a flag', route({ deprecated: true }), [operation({ deprecated: {} })]],
  ])('%s', (_, description, operations) => {
    expect(read(description)).toStrictEqual({ ...none, operations })
  })

  test('names in the words of another brand', () => {
    const rows = [route({ path: '/svcX', apiStatus: { value: 'DEPRECATED', replacement: '/svcY' }, actions: ['svcX:apisvc:get'] }), 'svcX']
    expect(read(rows, 'svc', 'acme')).toStrictEqual({
      ...none,
      operations: [
        operation({ path: '/acmeX', actions: [{ name: 'acmeX:apiacme:get', required: true }], deprecated: { replacement: '/acmeY' } }),
      ],
      types: ['acmeX'],
    })
  })

  test('and a deprecation in the words of another brand that names no replacement', () => {
    const { operations } = read(route({ apiStatus: { value: 'DEPRECATED' } }), 'svc', 'acme')
    expect(operations).toStrictEqual([operation({ deprecated: {} })])
  })

  test('a server that is no object says nothing of the branch', () => {
    expect(read(openapi({ get: {} }, { servers: ['https://x.example/v2'] }))).toStrictEqual({ ...none, operations: [operation()] })
  })

  test('nothing of what is wrong', () => {
    expect(read(route({ actions: [1, 'a:b', 'a:apisvc:b'] })).operations).toStrictEqual([
      operation({ actions: [{ name: 'a:apisvc:b', required: true }] }),
    ])
    expect(read({ action: 'a:apisvc:b', resourceType: true })).toStrictEqual({
      ...none,
      actions: [{ name: 'a:apisvc:b', type: undefined }],
      problems: [['true', 'no resource type: expected a name such as `vps` or `ldp/stream`', undefined]],
    })
  })

  test('the reference list, and types', () => {
    expect(read([{ action: 'a:apisvc:b', resourceType: 'r/s' }, { action: 'a:apisvc:c', resourceType: null }, 'q'])).toStrictEqual({
      ...none,
      actions: [
        { name: 'a:apisvc:b', type: 'r/s' },
        { name: 'a:apisvc:c', type: undefined },
      ],
      types: ['r/s', 'q'],
    })
  })

  test('a method of HTTP that the service does not use, by its actions alone', () => {
    const omitted = {
      ...none,
      actions: [{ name: 'a:apisvc:b', type: undefined }],
      notes: ['`HEAD /v1/a` is omitted: its method is not supported'],
    }
    expect(read(route({ method: 'HEAD', actions: ['a:apisvc:b'] }))).toStrictEqual(omitted)
    expect(read(openapi({ head: { 'x-iam-actions': ['a:apisvc:b'] } }))).toStrictEqual(omitted)
  })

  test('a path may be as long as a name', () => {
    const path = `/${'a'.repeat(longestName - 1)}`
    const status = (replacement: string) => ({ apiStatus: { value: 'DEPRECATED', replacement } })
    expect(read(route({ path, ...status(path) }))).toStrictEqual({
      ...none,
      operations: [operation({ path, deprecated: { replacement: path } })],
    })
    expect(read(route(status(`${path}a`))).operations).toStrictEqual([operation({ deprecated: {} })])
    expect(read(route(status('/a\u200b'))).operations).toStrictEqual([operation({ deprecated: {} })])
    for (const bad of [`${path}a`, '/a\u200b', '/a b', '/a*', 'a', 5]) {
      expect(read(route({ path: bad }))).toStrictEqual({
        ...none,
        problems: [[JSON.stringify(bad), 'no path: expected a template such as `/hosting/web/{serviceName}`', undefined]],
      })
    }
  })
})

describe('what is wrong in a description is reported once, and the rest is read', () => {
  const boolean = 'expected `true` or `false`'
  test.each<[description: unknown, at: string, message: string, help?: string]>([
    [route({ deprecated: 1 }), '1', boolean],
    [route({ noAuthentication: 1 }), '1', boolean],
    [route({ actions: [{ name: 'a:apisvc:b', required: 1 }] }), '1', boolean],
    [route({ actions: 1 }), '1', 'expected a list'],
    [route({ seen: 202601 }), '202601', 'no month: expected one such as `2026-01`'],
    [route({ apiStatus: 1 }), '1', 'expected an object'],
    [route({ apiStatus: { value: 1 } }), '1', 'expected a text'],
    [schema([{ method: 'GET' }], { basePath: 1 }), '1', 'expected a text'],
    [schema([1]), '1', 'expected an object'],
    [{ apis: [1] }, '1', 'expected an object'],
    [{ apis: [{ path: 1, operations: [{ method: 'GET' }] }] }, '1', 'no path: expected a template such as `/hosting/web/{serviceName}`'],
    [openapi({ get: 1 }), '1', 'expected an object'],
    [openapi({ get: {} }, { servers: 1 }), '1', 'expected a list'],
    [openapi({ get: {} }, { paths: { '/v1/a': 1 } }), '1', 'expected an object'],
    [
      openapi({ get: {} }, { paths: { '/v1/a b': { get: {} } } }),
      '"/v1/a b"',
      'no path: expected a template such as `/hosting/web/{serviceName}`',
    ],
    [openapi({ gett: {} }), '"gett"', 'not understood: no method of HTTP'],
    [route({ branch: 1 }), '1', 'no branch of the API: expected `v1` or `v2`'],
    [route({ branch: 'v3' }), '"v3"', 'no branch of the API: expected `v1` or `v2`'],
    [route({ method: 1 }), '1', 'no method: expected `DELETE`, `GET`, `PATCH`, `POST`, `PUT`'],
    [
      route({ actions: ['a:b'] }),
      '"a:b"',
      'not an action: incomplete: the path is missing: expected `<product>:apisvc:<path>` or `<product>:*`',
      'did you mean `a:apisvc:b`?',
    ],
    [route({ actions: ['a:apisvc:*'] }), '"a:apisvc:*"', 'not an action: a question names one action, not a pattern'],
    [route({ actions: [1] }), '1', 'expected the name of an action'],
    [{ action: 'a:apisvc:b', resourceType: 1 }, '1', 'no resource type: expected a name such as `vps` or `ldp/stream`'],
    [{ action: 1 }, '1', 'expected the name of an action'],
    [
      { items: [route()], more: 1 },
      JSON.stringify({ items: [route()], more: 1 }),
      'not understood: this describes no operation and no action',
      'expected an API description with `apis` or `openapi`, a route with `method` and `path`, or an action of the reference list with `action`',
    ],
    [
      { other: [route()] },
      JSON.stringify({ other: [route()] }),
      'not understood: this describes no operation and no action',
      'expected an API description with `apis` or `openapi`, a route with `method` and `path`, or an action of the reference list with `action`',
    ],
    [
      { path: '/a', method: 'GET' },
      '"/a"',
      'which branch of the API this path belongs to is not said',
      'start it with `/v1` or `/v2`, or name the branch',
    ],
  ])('%j', (description, at, message, help) => {
    expect(read(description).problems).toEqual([[at, message, help]])
    const { operations, actions } = read([description, route({ path: '/z' }), { action: 'z:apisvc:z' }])
    expect([operations.at(-1), actions.at(-1)]).toStrictEqual([operation({ path: '/z' }), { name: 'z:apisvc:z', type: undefined }])
    for (const each of actions) expect(each.name).toMatch(/^\w+:\w+:\w+$/)
  })

  test('at most a hundred times, also within one item', () => {
    const many = Array.from({ length: 150 }, () => 'x')
    expect(read(schema([{ method: 'GET', iamActions: many }])).problems).toHaveLength(100)
    expect(read(many.map(() => 1)).problems).toHaveLength(100)
  })
})

describe('a catalogue file is read', () => {
  const file = (value: object, brand = 'svc') => {
    const source = sourceOf('c.json', JSON.stringify({ catalogue: 1, seen: '2026-01', ...value }))
    const { record, problems } = readRecord(readJson(source).documents[0] as MapNode, brand)
    return { record, problems: problems.map(({ span, message, help }) => [source.text.slice(span.start, span.end), message, help]) }
  }

  test('in order, in the words of the brand', () => {
    const { record, problems } = file(
      {
        brand: 'acme',
        actions: [
          'b:apiacme:get',
          {
            name: 'acmeA:apiacme:get',
            seen: '2025-01',
            since: '2024-01',
            deprecated: { until: '2027-01-01', replacedBy: ['c:apiacme:get', 'b:apiacme:get'] },
          },
        ],
        types: ['t', 'acmeS'],
        serves: { z: ['y', 'acmeX'], b: ['t'] },
        operations: [
          { branch: 'v2', method: 'GET', path: '/a' },
          {
            branch: 'v1',
            method: 'PUT',
            path: '/b',
            actions: ['c:apiacme:get', { name: 'b:apiacme:get', required: false }, { name: 'b:apiacme:get' }],
            seen: '2025-02',
            noAuthentication: true,
          },
          { branch: 'v1', method: 'GET', path: '/b', deprecated: { from: '2025-01-01', replacement: '/acmeX' } },
          { branch: 'v1', method: 'PUT', path: '/a', deprecated: {} },
        ],
      },
      'svc',
    )
    const plain = { actions: [], seen: '2026-01', noAuthentication: false }
    expect(problems).toEqual([])
    expect(record).toStrictEqual({
      seen: '2026-01',
      brand: 'svc',
      actions: new Map<string, object>([
        ['b:apisvc:get', { seen: '2026-01' }],
        ['c:apisvc:get', { seen: '2026-01' }],
        [
          'svcA:apisvc:get',
          { seen: '2025-01', since: '2024-01', deprecated: { until: '2027-01-01', replacedBy: ['b:apisvc:get', 'c:apisvc:get'] } },
        ],
      ]),
      types: ['svcS', 'svcX', 't', 'y'],
      serves: new Map([
        ['b', ['t']],
        ['z', ['svcX', 'y']],
      ]),
      operations: [
        { branch: 'v1', method: 'PUT', path: '/a', ...plain, deprecated: {} },
        { branch: 'v1', method: 'GET', path: '/b', ...plain, deprecated: { from: '2025-01-01', replacement: '/svcX' } },
        {
          branch: 'v1',
          method: 'PUT',
          path: '/b',
          actions: [
            { name: 'c:apisvc:get', required: true },
            { name: 'b:apisvc:get', required: false },
            { name: 'b:apisvc:get', required: true },
          ],
          seen: '2025-02',
          noAuthentication: true,
        },
        { branch: 'v2', method: 'GET', path: '/a', ...plain },
      ],
    })
    expect([...record.actions.keys(), ...record.serves.keys()]).toEqual(['b:apisvc:get', 'c:apisvc:get', 'svcA:apisvc:get', 'b', 'z'])
  })

  test('with nothing in it', () => {
    expect(file({})).toStrictEqual({
      record: { seen: '2026-01', brand: 'svc', actions: new Map(), types: [], serves: new Map(), operations: [] },
      problems: [],
    })
  })

  test('with what is wrong at its place', () => {
    expect(file({ actions: ['a:apisvc:b', { name: 'a:apisvc:b' }, 'a:b', 'a:b'] }).problems).toEqual([
      ['"a:apisvc:b"', 'this action is listed twice', 'remove one of the two entries'],
      ['"a:b"', expect.stringContaining('not an action: incomplete'), 'did you mean `a:apisvc:b`?'],
      ['"a:b"', expect.stringContaining('not an action: incomplete'), 'did you mean `a:apisvc:b`?'],
      ['"a:b"', 'this action is listed twice', 'remove one of the two entries'],
    ])
    expect(file({ operations: [{ branch: 'v1', method: 'GET', path: '/a', actions: ['a:*'] }] }).problems).toEqual([
      ['"a:*"', 'not an action: a question names one action, not a pattern', undefined],
    ])
  })

  test('and makes a catalogue', () => {
    const { record } = file({
      actions: [
        { name: 'a:apisvc:x', seen: '2025-02', since: '2025-01' },
        { name: 'a:apisvc:y', seen: '2025-03', deprecated: { replacedBy: [] } },
        { name: 'a:apisvc:z', seen: '2025-01' },
      ],
      types: ['b', 'a'],
      serves: { b: ['a'] },
    })
    const known = catalogueOfRecord(record)
    expect([known.seen, known.size, known.products, known.types, known.typesOf('b')]).toEqual(['2026-01', 3, ['a'], ['a', 'b'], ['a']])
    expect([known.seenOf('a'), known.actionsOf('a')]).toEqual(['2025-03', ['a:apisvc:x', 'a:apisvc:y', 'a:apisvc:z']])
    expect([known.deprecated, known.deprecationOf('a:apisvc:y'), known.sinceOf('a:apisvc:x')]).toEqual([
      ['a:apisvc:y'],
      { replacedBy: [] },
      '2025-01',
    ])
  })
})
