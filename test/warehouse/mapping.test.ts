import { expect, test } from 'vitest'
import { defaultSettings } from '../../src/names.ts'
import { readPlainTree } from '../../src/parser/plain-tree.ts'
import { sourceOf } from '../../src/source.ts'
import type { Node } from '../../src/tree.ts'
import { nameParts, type ReadMapping, readColumns, readMapping } from '../../src/warehouse/mapping.ts'

const names = 'identity=who,action=what,resource=target'
const option = (text: string) => readColumns(text, defaultSettings)
const file = (text: string) => readMapping(readPlainTree(sourceOf('map.yaml', text, 'yaml')).documents[0] as Node, defaultSettings)

/** Each problem with what it is about in the text. */
const problems = ({ diagnostics = [] }: ReadMapping) =>
  diagnostics.map(
    ({ message, help, span }) => `${span.source.text.slice(span.start, span.end)} | ${message}${help === undefined ? '' : ` | ${help}`}`,
  )

test('an option names columns, formats and the table', () => {
  const { mapping } = option(`source=raw."my log",${names},at=c:epoch_ms,groups=g,ip="a:b.c"`)
  expect(mapping?.source).toEqual(['raw', 'my log'])
  expect([...(mapping?.columns ?? [])]).toEqual([
    ['identity', { kind: 'column', path: ['who'], format: undefined }],
    ['action', { kind: 'column', path: ['what'], format: undefined }],
    ['resource', { kind: 'column', path: ['target'], format: undefined }],
    ['at', { kind: 'column', path: ['c'], format: 'epoch_ms' }],
    ['groups', { kind: 'column', path: ['g'], format: 'lines' }],
    ['ip', { kind: 'column', path: ['a:b.c'], format: undefined }],
  ])
})

test('a file also has constants, and columns that are kept', () => {
  const read = file(`
columns:
  identity: {column: user.arn}
  action: {value: 'vps:apisvc:get'}
  resource: {value: 'urn:v1:eu:resource:vps:a'}
  at: {value: 2026-01-01T00:00:00Z}
  groups: {value: ['urn:v1:eu:identity:group:a/g', 'urn:v1:eu:identity:group:a/h']}
  tags: {value: {a: "1", b: ""}}
  owner: {value: ab-svc}
keep: [status, request.trace]
`)
  const { mapping } = read
  expect(problems(read)).toEqual([])
  expect(mapping?.source).toEqual(['gw_log'])
  expect(
    Object.fromEntries(
      [...(mapping?.columns ?? [])].map(([name, origin]) => [name, origin.kind === 'constant' ? origin.value : origin.path]),
    ),
  ).toEqual({
    identity: ['user', 'arn'],
    action: 'vps:apisvc:get',
    resource: 'urn:v1:eu:resource:vps:a',
    at: Date.UTC(2026, 0, 1),
    groups: 'urn:v1:eu:identity:group:a/g\nurn:v1:eu:identity:group:a/h',
    tags: '{"a":"1","b":""}',
    owner: 'ab-svc',
  })
  expect(mapping?.keep).toEqual([['status'], ['request', 'trace']])
})

test.each([
  ['identity', ['identity | `identity` is not `NAME=COLUMN` | for example `identity=user_arn,action=action,resource=resource`']],
  [`${names},identity=x`, ['identity | `identity` is given twice']],
  [`${names},actoin=x`, ['actoin | unknown field `actoin` | did you mean `action`?']],
  [`${names},at=x:rfc3399`, ['rfc3399 | unknown format: expected rfc3339, epoch_ms, epoch_s, timestamp | did you mean `rfc3339`?']],
  ['action=a', ['action=a | `identity` is missing: who asks', 'action=a | `action` without `resource`']],
  ['identity=a', ['identity=a | neither `action` and `resource` nor `method` and `path`: what is asked']],
  ['identity=a,path=p', ['identity=a,path=p | `path` without `method`']],
  [
    'identity=a,path=p,method=m,tags=t',
    ['t | `tags` and `method` cannot be combined: tags are of one resource, and a call may be about several'],
  ],
  [`${names},ip="a`, ['"a | `"a` is not the name of a column | parts of a name are separated by dots; one with a dot is quoted: `"a.b"`']],
])('the problem of an option is at its place: %s', (text, expected) => {
  expect(problems(option(text))).toEqual(expected)
})

test.each([
  ['[]', ['[] | a mapping is an object with `columns`']],
  [
    'columns: 1',
    ['1 | `columns` is missing, or is not an object | for example `columns: {identity: user_arn, action: action, resource: resource}`'],
  ],
  ['source: 1\ncolumns: {identity: a, action: b, resource: c}', ['1 | the name of a table is not a text']],
  ['colums: {}\ncolumns: {identity: a, action: b, resource: c}', ['colums | unknown field `colums` | did you mean `columns`?']],
  ['columns: {identity: {}, action: b, resource: c}', ['{} | neither `column` nor `value`']],
  [
    'columns: {identity: {value: bob}, action: {value: x}, resource: {value: y}, ip: {value: z}, owner: {value: "a b"}, at: {value: "2026-02-30T00:00:00Z"}}',
    [
      'bob | is not a URN',
      'x | malformed',
      'y | is not a URN',
      'z | `z` is not an IP address',
      '"a b" | `a b`: not an account id',
      '"2026-02-30T00:00:00Z" | `2026-02-30T00:00:00Z` names a day that does not exist',
    ],
  ],
  ['columns: {identity: {value: 1}, action: b, resource: c}', ['1 | the constant of `identity` is not a text']],
  ['columns: {identity: {column: a, value: b}, action: b, resource: c}', ['b | `value` cannot be combined with `column` or `format`']],
  ['columns: {id: {value: "1"}, identity: a, action: b, resource: c}', ['"1" | `id` is a column: it differs from row to row']],
  ['columns: {identity: {column: a, format: array}, action: b, resource: c}', ['array | `identity` has no formats: its column holds text']],
  ['columns: {identity: a, action: b, resource: c, groups: {value: x}}', ['x | the constant of `groups` is not a list']],
  ['columns: {identity: a, action: b, resource: c, tags: {value: [x]}}', ['[x] | the constant of `tags` is not an object']],
  [
    'columns: {identity: a, action: b, resource: c}\nkeep: [x, b.X, IP, gw_q]',
    [
      'b.X | `x` is kept twice',
      'IP | `ip` is the name of a column of the table of calls | rename it in a view over the log',
      'gw_q | `gw_q` is the name of a column of the table of calls | rename it in a view over the log',
    ],
  ],
  ['columns: {identity: a, action: b, resource: c}\nkeep: x', ['x | `keep` is not a list of columns']],
])('the problem of a file is at its place: %s', (text, expected) => {
  const found = problems(file(text))
  expect(found.length).toBe(expected.length)
  for (const [i, each] of expected.entries()) {
    const [place = '', message = ''] = each.split(' | ')
    expect(found[i]?.split(' | ')[0]).toBe(place)
    if (!message.startsWith('is not a URN') && message !== 'malformed') expect(found[i]).toContain(each)
  }
})

test('parts of names are read with their quotes', () => {
  for (const [text, parts] of [
    ['a.b', ['a', 'b']],
    ['"a.b".c', ['a.b', 'c']],
    ['`a``b`."c""d"', ['a`b', 'c"d']],
    ['a b', ['a b']],
    ['', undefined],
    ['a.', undefined],
    ['.a', undefined],
    ['""', undefined],
    ['"a"b', undefined],
    ['"a', undefined],
    ['a\nb', undefined],
  ] as const)
    expect([text, nameParts(text)]).toEqual([text, parts])
})
