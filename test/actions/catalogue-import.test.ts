import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Description, readDescription } from '../../src/actions/describe.ts'
import { actionDifference } from '../../src/actions/difference.ts'
import { loadCatalogue } from '../../src/actions/load.ts'
import { type DatedDescription, mergeDescriptions } from '../../src/actions/merge.ts'
import type { Operation } from '../../src/actions/operations.ts'
import { loadOperations } from '../../src/actions/operations.ts'
import { rebrand } from '../../src/actions/rebrand.ts'
import { type CatalogueRecord, catalogueOfRecord, printRecord, readRecord } from '../../src/actions/record.ts'
import { shippedRecord } from '../../src/actions/shipped.ts'
import type { Diagnostic } from '../../src/diagnostic.ts'
import { lint } from '../../src/lint/run.ts'
import { defaultSettings } from '../../src/names.ts'
import { readJson, readJsonLines } from '../../src/parser/json.ts'
import { readSource } from '../../src/parser/read-source.ts'
import { shapeProblems } from '../../src/parser/shape.ts'
import { readTree } from '../../src/parser/tree.ts'
import { buildWorld } from '../../src/parser/world.ts'
import { readYaml } from '../../src/parser/yaml.ts'
import { ruleContext } from '../../src/rules/context.ts'
import { rules } from '../../src/rules/index.ts'
import { position, sourceOf } from '../../src/source.ts'
import type { MapNode } from '../../src/tree.ts'
import { effort, some } from '../support/effort.ts'

const shipped = shippedRecord('svc')
const catalogue = loadCatalogue()
const operations = loadOperations()

const json = (value: unknown) => sourceOf('x.json', typeof value === 'string' ? value : JSON.stringify(value))

function describeValue(value: unknown, from = 'svc', to = from): Description {
  const reading = readJson(json(value))
  const { description, problems } = readDescription(reading.documents, from, to)
  expect([...reading.diagnostics, ...problems].map((each) => each.message)).toEqual([])
  return description
}

const dated = (value: unknown, seen = '2025-10'): DatedDescription => ({ description: describeValue(value), seen })

function reread(text: string, brand = 'svc'): CatalogueRecord {
  const [node] = readJson(json(text)).documents
  expect(shapeProblems({ shape: 'catalogue', node: node as MapNode })).toEqual([])
  const { record, problems } = readRecord(node as MapNode, brand)
  expect(problems).toEqual([])
  return record
}

/** A route as the descriptions write it: each action with its name, or with what is required. */
const actionsOf = ({ actions }: Operation, asObjects: boolean) =>
  actions.map(({ name, required }) => (asObjects || !required ? { name, required } : name))
/** The status of a deprecated operation, with times behind the days as the service writes them. */
const statusOf = ({ deprecated }: Pick<Operation, 'deprecated'>) =>
  deprecated && {
    apiStatus: {
      value: 'DEPRECATED',
      ...(deprecated.from !== undefined && { deprecatedDate: `${deprecated.from}T00:00:00Z` }),
      ...(deprecated.until !== undefined && { deletionDate: `${deprecated.until} 00:00:00 +0100 +0100` }),
      ...(deprecated.replacement !== undefined && { replacement: deprecated.replacement }),
    },
  }
const byPath = (list: readonly Operation[]) => {
  const paths = new Map<string, Operation[]>()
  for (const operation of list) paths.set(operation.path, [...(paths.get(operation.path) ?? []), operation])
  return [...paths]
}

/** The shipped operations of one branch in each of the shapes. */
const shapes: Readonly<Record<string, (list: readonly Operation[], branch: string) => unknown>> = {
  'an API schema with names': (list, branch) => schema(list, branch, false),
  'an API schema with objects': (list, branch) => schema(list, branch, true),
  'OpenAPI 3': (list, branch) => ({
    openapi: '3.0.3',
    info: { title: 'x', version: '1.0' },
    servers: [{ url: `https://eu.api.example/${branch}` }],
    paths: Object.fromEntries(
      byPath(list).map(([path, all]) => [
        path,
        {
          parameters: [],
          ...Object.fromEntries(
            all.map((each) => [
              each.method.toLowerCase(),
              { 'x-iam-actions': actionsOf(each, true), responses: {}, ...statusOf(each), ...(each.noAuthentication && { security: [] }) },
            ]),
          ),
        },
      ]),
    ),
  }),
  'flat routes': (list, branch) =>
    list.map(({ method, path, noAuthentication, ...rest }) => ({
      branch,
      method,
      path,
      noAuthentication,
      ...statusOf(rest),
      actions: actionsOf(rest as Operation, false),
    })),
  'flat routes with the branch in the path': (list, branch) =>
    list.map(({ method, path, noAuthentication, ...rest }) => ({
      httpMethod: method.toLowerCase(),
      path: `/${branch}${path}`,
      noAuthentication,
      ...statusOf(rest),
      iamActions: actionsOf(rest as Operation, true),
    })),
}

function schema(list: readonly Operation[], branch: string, asObjects: boolean): unknown {
  return {
    apiVersion: '1.0',
    basePath: `https://eu.api.example/${branch === 'v1' ? '1.0' : branch}`,
    apis: byPath(list).map(([path, all]) => ({
      path,
      description: 'x',
      operations: all.map((each) => ({
        httpMethod: each.method,
        noAuthentication: each.noAuthentication,
        parameters: [],
        apiStatus: { value: 'PRODUCTION', description: 'Stable production version' },
        ...statusOf(each),
        iamActions: actionsOf(each, asObjects),
      })),
    })),
    models: {},
  }
}

/** The actions that operations need: programs check the others. */
const needed = [...new Set(operations.flatMap(({ actions }) => actions.map(({ name }) => name)))].sort()

const withoutSeen = (list: readonly Operation[]) => list.map(({ seen: _, ...rest }) => rest)

const newest = operations
  .map(({ seen }) => seen)
  .sort()
  .at(-1)

describe('what is shipped, described and imported again', () => {
  it.each(some(Object.keys(shapes), 4))('%s', (name) => {
    const write = shapes[name] as (typeof shapes)[string]
    const parts = ['v1', 'v2'].map((branch) =>
      dated(
        write(
          operations.filter((each) => each.branch === branch),
          branch,
        ),
      ),
    )
    const { record, notes } = mergeDescriptions(undefined, parts, 'svc')
    expect(notes).toEqual([])
    expect([...record.actions.keys()]).toEqual(needed)
    expect(withoutSeen(record.operations)).toEqual(withoutSeen(operations))
    // Over the catalogue that is shipped, nothing is new. It has the month of its larger part; what is imported has that of its newest operation.
    const over = mergeDescriptions(shipped, parts, 'svc').record
    expect([...over.actions].filter(([, action]) => action.since !== undefined)).toEqual([])
    expect({ ...over, actions: [...over.actions.keys()], operations: withoutSeen(over.operations) }).toEqual({
      ...shipped,
      seen: newest,
      actions: [...shipped.actions.keys()],
      operations: withoutSeen(shipped.operations),
    })
  })

  it('lines of JSON that are dated themselves', () => {
    const text = operations
      .map((each) => JSON.stringify({ ...each, deprecated: undefined, ...statusOf(each), actions: actionsOf(each, false) }))
      .join('\n')
    const { documents, diagnostics } = readJsonLines(sourceOf('x.ndjson', text))
    expect(diagnostics).toEqual([])
    const { description } = readDescription(documents, 'svc', 'svc')
    const { record } = mergeDescriptions(undefined, [{ description, seen: '2099-01' }], 'svc')
    const actions = new Map([...shipped.actions].filter(([name]) => needed.includes(name)))
    expect(record).toEqual({ ...shipped, seen: newest, actions, types: [], serves: new Map() })
  })

  it('the reference list of actions', () => {
    const rows = [...shipped.actions.keys()].map((action) => ({
      action,
      description: 'x',
      categories: ['READ'],
      resourceType: catalogue.typesOf(action.slice(0, action.indexOf(':')))[0] ?? 'account',
      hasQueryParameters: false,
    }))
    for (const value of [rows, { items: rows }]) {
      const { record } = mergeDescriptions(undefined, [dated(value)], 'svc')
      expect([...record.actions.keys()]).toEqual([...shipped.actions.keys()])
      expect(record.operations).toEqual([])
    }
    expect(mergeDescriptions(shipped, [dated(rows)], 'svc').record.types).toEqual(shipped.types)
  })

  it('the catalogue of a record is the one that is shipped', () => {
    for (const brand of ['svc', 'acme']) {
      const known = loadCatalogue(brand)
      const made = catalogueOfRecord(shippedRecord(brand))
      expect([made.products, made.types, made.seen, made.size]).toEqual([known.products, known.types, known.seen, known.size])
      for (const product of known.products) {
        expect(made.actionsOf(product)).toEqual(known.actionsOf(product))
        expect([product, made.typesOf(product), made.seenOf(product)]).toEqual([product, known.typesOf(product), known.seenOf(product)])
      }
    }
  })
})

describe('a catalogue file', () => {
  it('says what the record holds, in whichever brand word', () => {
    expect(reread(printRecord(shipped))).toEqual(shipped)
    expect(reread(printRecord(shipped), 'acme')).toEqual(shippedRecord('acme'))
    expect(reread(printRecord(shippedRecord('acme')))).toEqual(shipped)
  })

  it('keeps what an action is known by', () => {
    const value = {
      catalogue: 1,
      seen: '2026-03',
      actions: [
        'vps:apisvc:get',
        {
          name: 'vps:apisvc:old',
          seen: '2025-01',
          since: '2024-01',
          deprecated: { from: '2025-01-02', until: '2026-01-02', replacedBy: ['vps:apisvc:get'] },
        },
      ],
    }
    const record = reread(JSON.stringify(value))
    expect(reread(printRecord(record))).toEqual(record)
    const known = catalogueOfRecord(record)
    expect(known.deprecationOf('vps:apisvc:old')).toEqual({ from: '2025-01-02', until: '2026-01-02', replacedBy: ['vps:apisvc:get'] })
    expect([known.sinceOf('vps:apisvc:old'), known.sinceOf('vps:apisvc:get'), known.deprecationOf('vps:apisvc:get')]).toEqual([
      '2024-01',
      undefined,
      undefined,
    ])
    expect(known.seenOf('vps')).toBe('2026-03')
  })

  it.each<[string, string, string]>([
    ['a malformed action', '{"catalogue":1,"seen":"2026-01","actions":["vps:get"]}', '1:44'],
    ['an action twice', '{"catalogue":1,"seen":"2026-01","actions":["vps:apisvc:get",\n{"name":"vps:apisvc:get"}]}', '2:9'],
    [
      'a malformed action of an operation',
      '{"catalogue":1,"seen":"2026-01","actions":[],"operations":[{"branch":"v1","method":"GET","path":"/a","actions":["*"]}]}',
      '1:113',
    ],
  ])('is refused for %s', (_, text, place) => {
    const [node] = readJson(json(text)).documents
    expect(shapeProblems({ shape: 'catalogue', node: node as MapNode })).toEqual([])
    const { problems } = readRecord(node as MapNode, 'svc')
    expect(problems.map(({ span }) => Object.values(position(span.source, span.start)).join(':'))).toEqual([place])
  })
})

describe('merging', () => {
  const names = ['vps:apisvc:get', 'vps:apisvc:edit', 'ip:apisvc:move', 'account:apisvc:me/get']
  const month = fc.constantFrom('2024-05', '2025-10', '2026-02')
  const operation = fc.record(
    {
      branch: fc.constantFrom('v1', 'v2'),
      method: fc.constantFrom('GET', 'PUT'),
      path: fc.constantFrom('/a', '/a/{x}', '/a/{y}', '/b'),
      actions: fc.array(fc.oneof(fc.constantFrom(...names), fc.record({ name: fc.constantFrom(...names), required: fc.boolean() })), {
        maxLength: 3,
      }),
      noAuthentication: fc.boolean(),
      seen: month,
      apiStatus: fc.record(
        {
          value: fc.constantFrom('DEPRECATED', 'PRODUCTION'),
          deprecatedDate: fc.constantFrom('2025-01-02T00:00:00+00:00', '2025-02-02'),
          deletionDate: fc.constantFrom('2026-01-02T00:00:00+00:00', null),
          replacement: fc.constantFrom('/b', '/v2/a', 'another one'),
        },
        { requiredKeys: ['value'] },
      ),
    },
    { requiredKeys: ['branch', 'method', 'path'] },
  )
  const reference = fc.record({
    action: fc.constantFrom(...names, 'new:apisvc:get'),
    resourceType: fc.constantFrom('vps', 'ip', 'new', null),
  })
  const part = fc.record({ rows: fc.array(fc.oneof(operation, reference), { minLength: 1, maxLength: 6 }), seen: month })
  const base = fc.constantFrom(undefined, shipped, mergeDescriptions(undefined, [dated([{ action: 'vps:apisvc:get' }])], 'svc').record)

  it('gives the same bytes whatever the order of files and rows, and for what is there twice', () => {
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 4 }),
        base.filter((each) => each !== shipped),
        (parts, over) => {
          const merged = (list: typeof parts) =>
            mergeDescriptions(
              over,
              list.map(({ rows, seen }) => dated(rows, seen)),
              'svc',
            )
          const once = merged(parts)
          const text = printRecord(once.record)
          for (const other of [
            merged([...parts].reverse()),
            merged(parts.map(({ rows, seen }) => ({ rows: [...rows].reverse(), seen }))),
            merged([...parts, ...parts]),
          ]) {
            expect(printRecord(other.record)).toBe(text)
            expect(other.notes).toEqual(once.notes)
          }
          expect(reread(text)).toEqual(once.record)
        },
      ),
      { numRuns: effort(1000) },
    )
  })

  it('keeps every action and operation, dates what is new, and imports again to the same', () => {
    fc.assert(
      fc.property(
        part,
        base.filter((each) => each !== shipped),
        ({ rows, seen }, over) => {
          const parts = [dated(rows, seen)]
          const { record } = mergeDescriptions(over, parts, 'svc')
          const [{ description }] = parts as [DatedDescription]
          const needed = [...description.actions, ...description.operations.flatMap((each) => each.actions)].map(({ name }) => name)
          for (const name of [...needed, ...(over?.actions.keys() ?? [])]) expect(record.actions.has(name)).toBe(true)
          for (const [name, { since }] of record.actions) expect(since !== undefined).toBe(over !== undefined && !over.actions.has(name))
          expect(printRecord(mergeDescriptions(record, parts, 'svc').record)).toBe(printRecord(record))
        },
      ),
      { numRuns: effort(1000) },
    )
  })

  const status = { value: 'DEPRECATED', deprecatedDate: '2025-01-02T00:00:00+00:00', deletionDate: '2026-05-06', replacement: '/new/{id}' }
  const old = { branch: 'v1', method: 'GET', path: '/old/{x}', actions: ['vps:apisvc:old'], apiStatus: status }
  const fresh = { branch: 'v1', method: 'GET', path: '/new/{y}', actions: ['vps:apisvc:new'] }

  it('takes an action for deprecated when every operation that needs it is', () => {
    const known = (rows: unknown, over?: CatalogueRecord) => mergeDescriptions(over, [dated(rows)], 'svc').record
    const deprecation = { from: '2025-01-02', until: '2026-05-06', replacedBy: ['vps:apisvc:new'] }
    expect(known([old, fresh]).actions.get('vps:apisvc:old')?.deprecated).toEqual(deprecation)
    expect(known([old]).actions.get('vps:apisvc:old')?.deprecated).toEqual({ ...deprecation, replacedBy: [] })
    const alive = { ...old, path: '/other', apiStatus: null }
    expect(known([old, fresh, alive]).actions.get('vps:apisvc:old')?.deprecated).toBeUndefined()
    // A later description wins over an earlier one.
    expect(known([{ ...old, apiStatus: undefined }], known([old, fresh])).actions.get('vps:apisvc:old')?.deprecated).toBeUndefined()
    expect(known([{ action: 'vps:apisvc:old' }], known([old, fresh])).actions.get('vps:apisvc:old')?.deprecated).toEqual(deprecation)
    expect(known([{ ...old, deprecated: true, apiStatus: undefined }]).actions.get('vps:apisvc:old')?.deprecated).toEqual({
      replacedBy: [],
    })
  })

  it('notes what does not agree', () => {
    const notes = (...rows: unknown[]) => mergeDescriptions(undefined, [dated(rows)], 'svc').notes
    expect(notes(old, { ...old, path: '/old/{z}' })).toEqual([])
    expect(notes(fresh, { ...fresh, actions: ['vps:apisvc:get'] })).toEqual([
      expect.stringContaining('`GET /v1/new/{y}` is described with different actions'),
    ])
    expect(notes(fresh, { ...fresh, noAuthentication: true })).toEqual([expect.stringContaining('without authentication')])
    expect(notes(fresh, { ...fresh, apiStatus: status })).toEqual([expect.stringContaining('not deprecated')])
    expect(notes(fresh, { ...fresh, actions: [{ name: 'vps:apisvc:new', required: false }] })).toEqual([expect.stringContaining('perhaps')])
    expect(notes({ ...fresh, method: 'HEAD' })).toEqual([expect.stringContaining('`HEAD /v1/new/{y}` is omitted')])
  })

  it('adds the types that the reference list names', () => {
    const { record } = mergeDescriptions(shipped, [dated([{ action: 'vps:apisvc:x', resourceType: 'vpsDisk' }, 'soleType'])], 'svc')
    const known = catalogueOfRecord(record)
    expect(known.typesOf('vps')).toEqual(['vps', 'vpsDisk'])
    expect(record.types).toEqual([...shipped.types, 'soleType', 'vpsDisk'].sort())
    expect(known.typesOf('ip')).toEqual(catalogue.typesOf('ip'))
  })
})

describe('a brand word', () => {
  it.each([
    ['vps:apiacme:get', 'vps:apisvc:get'],
    ['me:apiacme:acmeAccount/acmecloud', 'me:apisvc:svcAccount/acmecloud'],
    ['acmeCloudConnect', 'svcCloudConnect'],
    ['/me/acmeAccount/{acmeAccountId}', '/me/svcAccount/{svcAccountId}'],
    ['placmeX:apiacme2:acme', 'placmeX:apiacme2:acme'],
    ['acme:apiacme:acme', 'acme:apisvc:acme'],
    ['me:acme:acme', 'me:acme:acme'],
  ])('is mapped where it stands for itself: %s', (text, expected) => {
    expect(rebrand(text, 'acme', 'svc')).toBe(expected)
  })

  it('comes back', () => {
    for (const name of shipped.actions.keys()) expect(rebrand(rebrand(name, 'svc', 'acme'), 'acme', 'svc')).toBe(name)
    const described = describeValue(
      [{ branch: 'v1', method: 'get', path: '/acmeX/{acmeId}', actions: ['acmeX:apiacme:get?y'] }],
      'acme',
      'svc',
    )
    expect(described.operations[0]).toMatchObject({ path: '/svcX/{svcId}', actions: [{ name: 'svcX:apisvc:get', required: true }] })
  })
})

describe('what is not understood is reported with its place', () => {
  it.each<[string, string]>([
    ['{}', '1:1 not understood'],
    ['[]', '1:1 an empty list'],
    ['[{"action":"vps:apisvc:get"},\n 5]', '2:2 not understood'],
    ['{"apis":{}}', '1:9 expected a list'],
    ['{"apis":[{"path":"/a","schema":"{path}.{format}"}]}', '1:10 this names a description'],
    ['{"apis":[{"path":"a","operations":[]}]}', '1:18 no path'],
    ['{"apis":[{"path":"/a","operations":[{"httpMethod":"GRAB"}]}]}', '1:51 no method'],
    ['{"apis":[{"path":"/a","operations":[{"httpMethod":"GET","iamActions":["vps:*"]}]}]}', '1:71 not an action'],
    ['{"apis":[{"path":"/a","operations":[{"httpMethod":"GET","iamActions":[{"required":true}]}]}]}', '1:71 expected the name'],
    ['{"apis":[{"path":"/a","operations":[{"httpMethod":"GET","noAuthentication":1}]}]}', '1:76 expected `true`'],
    [
      '{"apis":[{"path":"/a","operations":[{"httpMethod":"GET","apiStatus":{"value":"DEPRECATED","deletionDate":"soon"}}]}]}',
      '1:106 no day',
    ],
    ['{"openapi":"3.0.0","paths":{"/a":{"get":{}}}}', '1:29 which branch'],
    ['{"openapi":"3.0.0","paths":{"/v2/a":{"gett":{}}}}', '1:38 not understood'],
    ['{"openapi":"3.0.0","paths":{"/v2/a":{"$ref":"b.json"}}}', '1:38 a path by reference'],
    ['{"openapi":"3.0.0","servers":[{"url":"/v1"},{"url":"/v2"}],"paths":{}}', '1:30 servers of two branches'],
    ['{"openapi":"2.0","paths":{}}', '1:12 expected OpenAPI 3'],
    ['{"openapi":"3.0.0"}', '1:1 `paths` is missing'],
    ['{"swagger":"2.0","paths":{}}', '1:1 a description in the form before'],
    ['{"catalogue":1}', '1:1 a catalogue'],
    ['[{"method":"GET","path":"/a"}]', '1:25 which branch'],
    ['[{"branch":"v3","method":"GET","path":"/a"}]', '1:12 no branch'],
    ['[{"branch":"v1","path":"/a"}]', '1:2 no method'],
    ['[{"branch":"v1","method":"GET","path":"/a","seen":"2025-13"}]', '1:51 no month'],
    ['[{"action":"vps:apisvc:get","resourceType":"a b"}]', '1:44 no resource type'],
    ['[{"action":null}]', '1:12 expected the name'],
    ['["/a"]', '1:2 no resource type'],
  ])('%s', (text, expected) => {
    const { documents, diagnostics } = readJson(json(text))
    expect(diagnostics).toEqual([])
    const { problems } = readDescription(documents, 'svc', 'svc')
    const found = problems.map(({ span, message }) => `${Object.values(position(span.source, span.start)).join(':')} ${message}`)
    expect(found).toEqual([expect.stringContaining(expected)])
    for (const { message, help } of problems) for (const line of [message, help ?? message]) expect(line).toMatch(/^[a-z`][^\n]*[^.\s]$/)
  })

  it('never throws, whatever the tree', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom('apis', 'openapi', 'path', 'action', 'items'), (value, key) => {
        for (const given of [value, { [key]: value }, [{ [key]: value }], { [key]: [{ path: '/v1/a', operations: [value] }] }]) {
          const { documents } = readJson(json(given))
          readDescription(documents, 'svc', 'acme')
        }
      }),
      { numRuns: effort(1000) },
    )
  })

  it('reports a bounded number of problems, and reads deep and long input no further than the readers do', () => {
    const many = readDescription(readJson(json(Array.from({ length: 5000 }, () => 1))).documents, 'svc', 'svc')
    expect(many.problems).toHaveLength(100)
    const deep = readJsonLines(json(`{}\n${'['.repeat(100_000)}`))
    expect(deep.refused).toBe(true)
    expect(readJsonLines(json('{} x')).diagnostics).toHaveLength(1)
    expect(readJsonLines(json(' '.repeat(9 * 2 ** 20))).refused).toBe(true)
    expect(readJsonLines(json('')).refused).toBe(true)
  })
})

describe('YAML', () => {
  it('describes the same as JSON', () => {
    const text = `openapi: 3.1.0
servers: [{ url: https://eu.api.example/v2 }]
paths:
  /a/{id}:
    get:
      summary: >-
        folded
        text
      x-iam-actions:
        - vps:apisvc:get
        - { name: "vps:apisvc:edit", required: false }
      deprecated: true
`
    const { documents, diagnostics } = readTree(sourceOf('a.yaml', text), readYaml)
    expect(diagnostics).toEqual([])
    const { description, problems } = readDescription(documents, 'svc', 'svc')
    expect(problems).toEqual([])
    expect(description.operations).toEqual([
      {
        branch: 'v2',
        method: 'GET',
        path: '/a/{id}',
        actions: [
          { name: 'vps:apisvc:get', required: true },
          { name: 'vps:apisvc:edit', required: false },
        ],
        noAuthentication: false,
        seen: undefined,
        deprecated: {},
      },
    ])
  })
})

describe("rules that a catalogue of one's own feeds", () => {
  const names = { a: 'vps:apisvc:one', b: 'vps:apisvc:two', c: 'vps:apisvc:three' }
  const record = reread(
    JSON.stringify({
      catalogue: 1,
      seen: '2026-09',
      actions: [
        { name: names.a, deprecated: { from: '2025-01-02', until: '2025-12-31', replacedBy: [names.b] } },
        { name: names.b, since: '2026-02', deprecated: { replacedBy: [names.c, 'vps:apisvc:four'] } },
        { name: names.c, since: '2026-09', deprecated: {} },
        { name: 'vps:apisvc:four', since: '2026-01' },
        { name: 'ip:apisvc:five', deprecated: {} },
        { name: 'ip:apisvc:six', deprecated: {} },
        { name: 'dnsZone:apisvc:seven', deprecated: { replacedBy: ['ip:apisvc:eight'] } },
        { name: 'dnsZone:apisvc:nine' },
        { name: 'ip2:apisvc:eight' },
      ],
    }),
  )
  const known = catalogueOfRecord(record)

  async function found(code: string, permissions: object, options: Readonly<Record<string, unknown>> = {}) {
    const source = json({
      name: 'p',
      identities: ['urn:v1:eu:identity:user:ab12-svc/ann'],
      resources: [{ urn: 'urn:v1:eu:resource:*' }],
      permissions,
    })
    const read = await readSource(source, defaultSettings)
    const { world } = buildWorld([read.facts])
    const now = Date.UTC(2026, 0, 15)
    const context = ruleContext({ world, catalogue: known, settings: defaultSettings, now }, new Map([[code, options]]))
    return lint(rules, context, [], new Map([[code, 'warning']])).filter((each) => each.code === code)
  }
  const allow = (...actions: string[]) => ({ allow: actions.map((action) => ({ action })) })
  const brief = (list: readonly Diagnostic[]) =>
    list.map(({ message, help, fix }) => [message, help, fix?.edits.map((edit) => edit.text).join()])

  it('says what is deprecated, since when, and what replaces it', async () => {
    const after = 'it will grant nothing once it is removed'
    expect(brief(await found('deprecated-action', allow(names.a)))).toEqual([
      [`\`${names.a}\` is deprecated since 2025-01-02, was to be removed on 2025-12-31: ${after}`, `use \`${names.b}\``, `"${names.b}"`],
    ])
    expect(brief(await found('deprecated-action', allow(names.b)))).toEqual([
      [`\`${names.b}\` is deprecated: ${after}`, `use \`vps:apisvc:four\` and \`${names.c}\``, undefined],
    ])
    expect(brief(await found('deprecated-action', allow(`${names.c}?x`)))).toEqual([
      [`\`${names.c}\` is deprecated: ${after}`, expect.stringContaining('names no replacement'), undefined],
    ])
    expect(brief(await found('deprecated-action', allow('ip:*', 'vps:*')))).toEqual([
      [`all 2 actions that \`ip:*\` matches are deprecated: ${after}`, expect.stringContaining('names no replacement'), undefined],
    ])
    const [kept] = brief(await found('deprecated-action', allow(names.a, 'vps:*')))
    expect(kept).toEqual([expect.any(String), expect.stringContaining('is also allowed'), undefined])
    for (const list of ['deny', 'except'])
      expect(brief(await found('deprecated-action', { ...allow('vps:*'), [list]: [{ action: names.a }, { action: names.c }] }))).toEqual([
        [expect.stringContaining(`is not in \`${list}\`: \`${names.b}\``), `add \`${names.b}\` to \`${list}\``, undefined],
      ])
  })

  it('names a replacement of another product, and writes it nowhere', async () => {
    const [name, other] = ['dnsZone:apisvc:seven', 'ip:apisvc:eight']
    expect(brief(await found('deprecated-action', allow(name)))).toEqual([[expect.any(String), `use \`${other}\``, undefined]])
    for (const list of ['deny', 'except'])
      expect(await found('deprecated-action', { ...allow('dnsZone:*'), [list]: [{ action: name }] })).toEqual([])
  })

  it.each([
    ['dnsZone:*', 0],
    ['dnsZone:apisvc:*', 0],
    ['dnsZone:apisvc:s*', 1],
    ['ip*', 0],
    ['ip:*', 1],
    ['*:apisvc:six', 1],
    ['*:apisvc:*e*', 0],
    ['*', 0],
  ])('a wildcard only if all that it matches is deprecated: %s', async (pattern, count) => {
    expect(await found('deprecated-action', allow(pattern))).toHaveLength(count)
  })

  it('names what a wildcard came to grant after a month, and nothing else', async () => {
    const grown = async (since: string, permissions: object) =>
      (await found('wildcard-growth', permissions, { since })).map(({ message }) => message.slice(message.indexOf(' after ')))
    expect(await grown('2026-02', allow('vps:*', names.b, names.c))).toEqual([` after 2026-02: \`${names.c}\``])
    expect(await grown('2025-12', allow('*'))).toEqual([` after 2025-12: \`vps:apisvc:four\`, \`${names.c}\` and \`${names.b}\``])
    expect(await grown('2026-09', allow('*'))).toEqual([])
    expect(await grown('2026-02', { ...allow('*'), deny: [{ action: 'vps:apisvc:t*' }] })).toEqual([])
    expect(await found('wildcard-growth', allow('*'))).toEqual([])
  })
})

describe('the month of a description', () => {
  const paths = { '/vps': { get: { 'x-iam-actions': ['vps:apisvc:get'] } } }
  const openapi = (more: object, info: object = {}) => ({
    openapi: '3.0.3',
    info: { title: 'x', ...info },
    servers: [{ url: 'https://a.example/v1' }],
    paths,
    ...more,
  })
  const schema = (more: object) => ({
    apis: [{ path: '/vps', operations: [{ httpMethod: 'GET', iamActions: ['vps:apisvc:get'] }] }],
    ...more,
  })
  it.each<readonly [shows: string, description: object, month: string | undefined]>([
    ['none', openapi({}, { version: '1.4' }), undefined],
    ['a version that is a date', openapi({}, { version: '2026-09-30' }), '2026-09'],
    ['a version with points', openapi({}, { version: '2026.08' }), '2026-08'],
    ['a version that only looks like one', openapi({}, { version: '2026.13' }), undefined],
    ['a version with a year', openapi({}, { version: '2026' }), undefined],
    ['a field of the provider', openapi({ 'x-publication-date': '2026-07-01' }, { version: '2020-01-01' }), '2026-07'],
    ['a field of the provider, under info', openapi({}, { 'x-generated-at': '2026-06-01T00:00:00Z' }), '2026-06'],
    ['a field about something else', openapi({ 'x-sunset-plan': '2027-01-01' }), undefined],
    ['what it says it was seen in', schema({ seen: '2026-05', 'x-date': '2026-06-01' }), '2026-05'],
    ['the version of the API', schema({ apiVersion: '1.0' }), undefined],
    ['a route by itself', { branch: 'v1', method: 'GET', path: '/vps', actions: ['vps:apisvc:get'], seen: '2026-04' }, '2026-04'],
  ])('%s', (_, description, month) => {
    expect(describeValue(description).operations.map(({ seen }) => seen)).toEqual([month])
  })
})

describe('what an import changes', () => {
  const record = (rows: readonly object[], base?: CatalogueRecord) => mergeDescriptions(base, [dated(rows)], 'svc').record
  const route = (path: string, actions: readonly unknown[], deprecated = false) => ({
    branch: 'v1',
    method: 'GET',
    path,
    actions,
    deprecated,
  })

  it('is nothing where the same is imported again', () => {
    const before = record([route('/vps', ['vps:apisvc:get'])])
    expect(actionDifference(before, record([route('/vps', ['vps:apisvc:get'])], before))).toEqual({ added: [], removed: [], changed: [] })
  })

  it('names what was added, what was removed and what differs', () => {
    const before = record([
      route('/vps/{a}', ['vps:apisvc:get', 'vps:apisvc:gone']),
      route('/vps/x', ['vps:apisvc:old']),
      route('/vps/y', ['vps:apisvc:same']),
    ])
    const after = record([
      route('/vps/{b}', ['vps:apisvc:get', { name: 'vps:apisvc:same', required: false }]),
      route('/vps/x', ['vps:apisvc:old'], true),
      route('/vps/y', ['vps:apisvc:same']),
      route('/vps/z', ['vps:apisvc:new']),
    ])
    expect(actionDifference(before, after)).toEqual({
      added: ['vps:apisvc:new'],
      removed: ['vps:apisvc:gone'],
      changed: [
        { name: 'vps:apisvc:old', how: 'deprecated' },
        { name: 'vps:apisvc:same', how: 'needed by other calls' },
      ],
    })
    expect(actionDifference(after, before).changed).toEqual([
      { name: 'vps:apisvc:old', how: 'no longer deprecated' },
      { name: 'vps:apisvc:same', how: 'needed by other calls' },
    ])
  })

  it('is nothing where parameters have other names, or a deprecation stays as it was', () => {
    const [one, two] = [{ name: 'vps:apisvc:get', required: false }, 'vps:apisvc:get']
    const before = record([route('/vps/{a}/y', [one]), route('/vps/{b}/x', [two]), route('/old', ['vps:apisvc:old'], true)])
    const after = record([route('/vps/{b}/y', [one]), route('/vps/{a}/x', [two]), route('/old', ['vps:apisvc:old'], true)])
    expect(actionDifference(before, after)).toEqual({ added: [], removed: [], changed: [] })
    expect(actionDifference(after, before)).toEqual({ added: [], removed: [], changed: [] })
  })

  it('names a deprecation that differs, next to other calls', () => {
    const old = (...days: string[]) =>
      record(days.map((day, i) => ({ ...route(`/old/${i}`, ['vps:apisvc:old']), apiStatus: { value: 'DEPRECATED', deprecatedDate: day } })))
    expect(actionDifference(old('2025-01-02'), old('2025-01-03')).changed).toEqual([
      { name: 'vps:apisvc:old', how: 'deprecated otherwise' },
    ])
    expect(actionDifference(old('2025-01-02'), old('2025-01-03', '2025-01-03')).changed).toEqual([
      { name: 'vps:apisvc:old', how: 'deprecated otherwise, needed by other calls' },
    ])
  })
})
