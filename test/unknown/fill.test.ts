import { describe, expect, test } from 'vitest'
import { isPattern, matches } from '../../src/glob.ts'
import { defaultSettings } from '../../src/names.ts'
import { readFacts } from '../../src/parser/policy.ts'
import { type Source, sourceOf } from '../../src/source.ts'
import { type Entry, type ListNode, type MapNode, type Node, plainValue, type TextNode, type UnknownNode } from '../../src/tree.ts'
import { type Assignment, assignments } from '../../src/unknown/assignment.ts'
import { filledDocument } from '../../src/unknown/fill.ts'
import type { Words } from '../../src/unknown/made-up.ts'
import { opennessOf } from '../../src/unknown/openness.ts'
import { writtenIn } from '../../src/unknown/place.ts'

/** Assumptions for values that are made up here, as the readers of notations with expressions make them. */

const source = sourceOf('a.tf', 'x'.repeat(200))
const at = (start: number, end: number, of: Source = source) => ({ source: of, start, end })
const text = (value: string): TextNode => ({ kind: 'text', value, ...at(0, 0) })
const list = (...items: Node[]): ListNode => ({ kind: 'list', items, ...at(0, 1) })
const map = (fields: Readonly<Record<string, Node>>, more: Partial<MapNode> = {}): MapNode => ({
  kind: 'map',
  entries: Object.entries(fields).map(([key, value]): Entry => ({ key: text(key), value })),
  ...at(0, 1),
  ...more,
})
const unknown = (expression: string, more: Partial<UnknownNode> = {}): UnknownNode => ({
  kind: 'unknown',
  expression,
  scope: '.',
  pieces: ['', ''],
  ...at(10, 20),
  ...more,
})
/** Names that are made up, by the assignment and the first letters of the rest. */
const brief = (value: unknown): unknown => JSON.parse(JSON.stringify(value).replace(/(aa|zz)xq(?!alike)[0-9a-z]{16}/g, '<$1>'))

/** A document in an assignment, and the words for the names in it. */
function filled(document: Node, assignment: Assignment) {
  const words: Words = new Map()
  const node = filledDocument(document, { assignment, settings: defaultSettings, written: writtenIn([document]), words })
  return { node, value: node && brief(plainValue(node)), words: brief([...words.values()].map((each) => [...each])) }
}

const identities = (...items: Node[]) => map({ identities: list(...items) })
const [user, group] = ['urn:v1:eu:identity:user:a/u', 'urn:v1:eu:identity:group:a/g']
const groupShape = ['urn:v1:', ':identity:group:', '/', '']

describe('a value of which nothing is written', () => {
  test.each<[string, Node, Readonly<Partial<Record<Assignment, unknown>>>]>([
    [
      'whose kind is known',
      identities(unknown('g.x', { shape: groupShape })),
      {
        first: { identities: ['urn:v1:eu:identity:group:<aa>/<aa>'] },
        second: { identities: ['urn:v1:us:identity:group:<zz>/<zz>'] },
        most: { identities: ['urn:v1:eu:identity:group:*'] },
        alike: { identities: ['urn:v1:eu:identity:group:aaxqalike/aaxqalike'] },
        least: { identities: ['urn:v1:us:identity:group:<zz>/<zz>'] },
      },
    ],
    [
      'any number of which there may be',
      identities(unknown('g.x', { shape: groupShape, isSpread: true }), text(user)),
      { least: { identities: [user] }, first: { identities: ['urn:v1:eu:identity:group:<aa>/<aa>', user] } },
    ],
    [
      'that is a permissions group',
      map({ permissionsGroups: list(map({ urn: unknown('p.x', { shape: ['urn:v1:', ':permissionsGroup:', ':', ''] }) })) }),
      {
        most: { permissionsGroups: [{ urn: 'urn:v1:eu:permissionsGroup:<aa>:<aa>' }] },
        least: { permissionsGroups: [{ urn: 'urn:v1:us:permissionsGroup:<zz>:<zz>' }] },
      },
    ],
    [
      'of a kind that means nothing there',
      map({ name: unknown('g.x', { shape: groupShape }), permissions: map({ allow: list(unknown('g.x', { shape: groupShape })) }) }),
      {
        first: { name: '<aa>', permissions: { allow: [{ action: '<aa>:apisvc:<aa>' }] } },
        most: { name: '<aa>', permissions: { allow: [{ action: '*' }] } },
      },
    ],
    [
      'of a resource group',
      map({ resourceGroups: list(map({ urn: unknown('r.g') })) }),
      {
        first: { resourceGroups: [{ urn: 'urn:v1:eu:resourceGroup:<aa>' }] },
        second: { resourceGroups: [{ urn: 'urn:v1:us:resourceGroup:<zz>' }] },
        most: { resourceGroups: [{ urn: 'urn:v1:eu:resourceGroup:*' }] },
        least: { resourceGroups: [] },
      },
    ],
    [
      'that is the name of something described',
      map({ resources: list(map({ urn: unknown('r.g', { isName: true }) }), unknown('r.h', { isName: true })) }),
      Object.fromEntries(
        assignments.map((assignment) => [
          assignment,
          assignment === 'second'
            ? { resources: [{ urn: 'urn:v1:us:resource:<zz>:<zz>' }, { urn: 'urn:v1:us:resource:<zz>:<zz>' }] }
            : { resources: [{ urn: 'urn:v1:eu:resource:<aa>:<aa>' }, { urn: 'urn:v1:eu:resource:<aa>:<aa>' }] },
        ]),
      ),
    ],
    ['under the name of a URN', map({ urn: unknown('x') }), { first: { urn: 'urn:v1:eu:resource:<aa>:<aa>' } }],
    ['in a list of something else', map({ other: list(unknown('x')) }), { first: { other: ['<aa>'] }, least: { other: [] } }],
    [
      'under another name in a list of texts',
      identities(map({ other: unknown('x') })),
      { first: { identities: [{ other: '<aa>' }] }, least: { identities: [{ other: '<zz>' }] } },
    ],
    [
      'under another name in an entry',
      map({ resources: list(map({ other: unknown('x'), urn: text('y') })) }),
      { least: { resources: [{ other: '<zz>', urn: 'y' }] } },
    ],
    [
      'of a condition within one',
      map({
        conditions: map({ operator: text('AND'), conditions: list(unknown('c'), map({ operator: unknown('o'), values: unknown('v') })) }),
      }),
      {
        first: {
          conditions: {
            operator: 'AND',
            conditions: [
              { operator: 'MATCH', values: { 'resource.Tag(aaxq)': '<aa>' } },
              { operator: '<aa>', values: '<aa>' },
            ],
          },
        },
        least: { conditions: { operator: 'AND', conditions: [{ operator: '<zz>', values: '<zz>' }] } },
      },
    ],
    [
      'of names that objects have',
      map({ constructor: unknown('x'), toString: list(unknown('y')) }),
      { first: { constructor: '<aa>', toString: ['<aa>'] } },
    ],
    [
      'that is a group of an identity',
      map({ identities: list(map({ urn: text(user), groups: list(unknown('g')) })) }),
      { first: { identities: [{ urn: user, groups: ['urn:v1:eu:identity:user:<aa>/<aa>'] }] } },
    ],
    [
      'of a moment',
      map({ expiredAt: unknown('t') }),
      {
        first: { expiredAt: '2999-12-31T00:00:00Z' },
        second: { expiredAt: '2998-06-30T12:00:00Z' },
        most: { expiredAt: '2000-01-01T00:00:00Z' },
        least: {},
      },
    ],
  ])('%s', (_, document, expected) => {
    for (const [assignment, value] of Object.entries(expected))
      expect([assignment, filled(document, (/^\d/.test(assignment) ? Number(assignment) : assignment) as Assignment).value]).toEqual([
        assignment,
        value,
      ])
  })

  test('is also each of the values that are written next to it', () => {
    const document = identities(unknown('i'), text(user), text(group))
    const found = new Set(
      assignments.map((assignment) => JSON.stringify((filled(document, assignment).value as { identities: string[] }).identities[0])),
    )
    expect(found).toEqual(
      new Set(
        [
          user,
          group,
          'urn:v1:eu:identity:user:<aa>/<aa>',
          'urn:v1:us:identity:group:<zz>/<zz>',
          'urn:v1:eu:identity:user:*',
          'urn:v1:eu:identity:user:aaxqalike/aaxqalike',
        ].map((each) => JSON.stringify(each)),
      ),
    )
  })
})

describe('a text that is known in part', () => {
  const pieced = (pieces: readonly string[], more: Partial<UnknownNode> = {}) => unknown(pieces.join('${x}'), { pieces, ...more })
  /** The values of one entry, in all assignments. */
  const firstOf = (field: string, node: UnknownNode, ...others: readonly string[]) =>
    new Set(
      assignments.map(
        (assignment) =>
          (filled(map({ [field]: list(node, ...others.map(text)) }), assignment).value as Record<string, string[]>)[field]?.[0],
      ),
    )

  test.each<[string, string, readonly string[], readonly string[], readonly string[]]>([
    ['one hole', 'other', ['a', 'b'], ['axb', 'ab', 'a', 'ba', 'axbx', 'xab'], ['axb', 'ab']],
    ['two holes', 'other', ['a', '-', 'b'], ['ax-yb', 'a--b', 'a-b', 'ax-y', 'axyb', 'a-x-b', 'b-a'], ['ax-yb', 'a--b', 'a-b', 'a-x-b']],
    ['pieces that overlap', 'other', ['aba', 'aba'], ['aba', 'ababa', 'abaaba', 'abaxaba'], ['abaaba', 'abaxaba']],
    ['a piece that is only behind the last', 'other', ['a', 'bc', 'c'], ['abc', 'abcc', 'axbcyc', 'acbc'], ['abcc', 'axbcyc']],
    ['the same piece twice', 'other', ['', 'a', 'a', ''], ['aa', 'a', 'xayaz', 'xay'], ['aa', 'xayaz']],
    ['a hole with nothing in it at the front', 'other', ['', 'b', 'c'], ['x', 'bc', 'bxc', 'cb'], ['bc', 'bxc']],
    ['all of an entry', 'other', ['abc'], ['abc', 'abcd', 'ab'], ['abc']],
  ])('is what is written next to it, where that fits: %s', (_, field, pieces, written, fitting) => {
    const node = pieced(pieces, { isSpread: true })
    const found = firstOf(field, node, ...written)
    for (const each of written)
      expect([each, found.has(each)]).toEqual([each, fitting.includes(each) || (written[0] === each && found.has(each))])
    // Of those that are not written, each fits as well.
    const form = new RegExp(`^${pieces.map((piece) => piece.replace(/[^a-z-]/g, '')).join('.*')}$`)
    for (const each of found) if (each !== undefined && !written.includes(each)) expect(each).toMatch(form)
  })

  test.each<[string, string, UnknownNode, readonly unknown[]]>([
    [
      'an identity',
      'identities',
      pieced(['urn:v1:eu:identity:user:a/', '']),
      [
        ['urn:v1:eu:identity:user:a/<aa>'],
        ['urn:v1:eu:identity:user:a/oauth2-<zz>'],
        ['urn:v1:eu:identity:user:a/*'],
        ['urn:v1:eu:identity:user:a/aaxqalike'],
      ],
    ],
    ['a text after a slash', 'other', pieced(['a/', '']), [['a/<aa>'], ['a/<zz>'], ['a/<zz>'], ['a/aaxqalike']]],
    [
      'a kind of identity',
      'identities',
      pieced(['urn:v1:eu:identity:', ':a/u']),
      [
        ['urn:v1:eu:identity:user:a/u'],
        ['urn:v1:eu:identity:group:a/u'],
        ['urn:v1:eu:identity:user:a/u'],
        ['urn:v1:eu:identity:group:a/u'],
      ],
    ],
    [
      'what can be no identity',
      'identities',
      pieced(['urn:v1:eu:identity:usr:', '']),
      [
        ['urn:v1:eu:identity:usr:<aa>'],
        ['urn:v1:eu:identity:usr:<zz>'],
        ['urn:v1:eu:identity:usr:<zz>'],
        ['urn:v1:eu:identity:usr:aaxqalike'],
      ],
    ],
  ])('is filled so that it is legal: %s', (_, field, node, [first, second, most, alike]) => {
    const document = map({ [field]: list(node) })
    const values = (['first', 'second', 'most', 'alike'] as const).map(
      (assignment) => (filled(document, assignment).value as Record<string, unknown>)[field],
    )
    expect(values).toEqual([first, second, most, alike])
  })

  test.each<[string, UnknownNode, readonly unknown[]]>([
    [
      'a resource',
      pieced(['urn:v1:eu:resource:vps:', '']),
      ['urn:v1:eu:resource:vps:<aa>', 'urn:v1:eu:resource:vps:<zz>', 'urn:v1:eu:resource:vps:*'],
    ],
    [
      'a resource group',
      pieced(['urn:v1:eu:resourceGroup:', '']),
      ['urn:v1:eu:resourceGroup:<aa>', 'urn:v1:eu:resourceGroup:<zz>', 'urn:v1:eu:resourceGroup:*'],
    ],
    [
      'a region',
      pieced(['urn:v1:', ':resource:vps:v']),
      ['urn:v1:<aa>:resource:vps:v', 'urn:v1:<zz>:resource:vps:v', 'urn:v1:<zz>:resource:vps:v'],
    ],
    [
      'a resource without its type',
      pieced(['urn:v1:eu:resource:', '']),
      ['urn:v1:eu:resource:<aa>', 'urn:v1:eu:resource:<zz>', 'urn:v1:eu:resource:*'],
    ],
  ])('is filled so that it is legal, in entries: %s', (_, node, expected) => {
    const document = map({ resources: list(map({ urn: node })) })
    const values = (['first', 'second', 'most'] as const).map(
      (assignment) => (filled(document, assignment).value as { resources: { urn: unknown }[] }).resources[0]?.urn,
    )
    expect(values).toEqual(expected)
  })

  test.each<[string, string, Node, readonly unknown[]]>([
    [
      'permissions groups',
      'permissionsGroups',
      map({ urn: pieced(['urn:v1:eu:permissionsGroup:svc:', '']) }),
      ['urn:v1:eu:permissionsGroup:svc:<aa>', 'urn:v1:eu:permissionsGroup:svc:<zz>', 'urn:v1:eu:permissionsGroup:svc:<zz>'],
    ],
    [
      'permissions groups of a region',
      'permissionsGroups',
      map({ urn: pieced(['urn:v1:', ':permissionsGroup:svc:r']) }),
      ['urn:v1:<aa>:permissionsGroup:svc:r', 'urn:v1:<zz>:permissionsGroup:svc:r', 'urn:v1:<zz>:permissionsGroup:svc:r'],
    ],
    [
      'groups of resources',
      'resourceGroups',
      map({ urn: pieced(['urn:v1:eu:resourceGroup:', '']) }),
      ['urn:v1:eu:resourceGroup:<aa>', 'urn:v1:eu:resourceGroup:<zz>', 'urn:v1:eu:resourceGroup:*'],
    ],
    [
      'groups of resources whose region is not known',
      'resourceGroups',
      map({ urn: pieced(['urn:v1:', ':resourceGroup:g']) }),
      ['urn:v1:<aa>:resourceGroup:g', 'urn:v1:<zz>:resourceGroup:g', 'urn:v1:<zz>:resourceGroup:g'],
    ],
  ])('is filled so that it is legal: %s', (_, field, entry, expected) => {
    const document = map({ [field]: list(entry) })
    const values = (['first', 'second', 'most'] as const).map(
      (assignment) => (filled(document, assignment).value as Record<string, { urn: unknown }[]>)[field]?.[0]?.urn,
    )
    expect(values).toEqual(expected)
  })

  test.each<[string, readonly string[], readonly unknown[]]>([
    ['vps:apisvc:', ['vps:apisvc:', ''], ['vps:apisvc:<aa>', 'vps:apisvc:<zz>', 'vps:apisvc:*']],
    ['a path', ['vps:apisvc:', '/', '/get'], ['vps:apisvc:<aa>/<aa>/get', 'vps:apisvc:<zz>/<zz>/get', 'vps:apisvc:*/*/get']],
    ['a product', ['', ':apisvc:get'], ['<aa>:apisvc:get', '<zz>:apisvc:get', '*:apisvc:get']],
  ])('is filled so that it is legal, of actions: %s', (_, pieces, expected) => {
    const document = map({ permissions: map({ allow: list(map({ action: pieced(pieces) })) }) })
    const values = (['first', 'second', 'most'] as const).map(
      (assignment) =>
        (filled(document, assignment).value as { permissions: { allow: { action: unknown }[] } }).permissions.allow[0]?.action,
    )
    expect(values).toEqual(expected)
  })

  test('has its places where it is written', () => {
    const holes = [at(12, 18), at(20, 26)]
    const node = pieced(['ab', '-', 'c'], { offsets: [10, 11, 19, 27], holes })
    for (const [assignment, [one, two]] of [
      ['first', [20, 20]],
      ['alike', [9, 9]],
    ] as const) {
      const { node: made } = filled(map({ other: node }), assignment)
      const value = (made as MapNode).entries[0]?.value as TextNode
      const inHole = (hole: (typeof holes)[number], length: number) => [hole.start, ...Array(length - 1).fill(hole.end)]
      expect([assignment, value.value.length, value.start, value.end]).toEqual([assignment, 4 + one + two, 10, 20])
      expect(value.offsets).toEqual([
        10,
        11,
        ...inHole(holes[0] as (typeof holes)[number], one),
        19,
        ...inHole(holes[1] as (typeof holes)[number], two),
        27,
        28,
      ])
    }
    // Without places of its own it is where the expression is.
    for (const more of [{}, { offsets: [10, 11, 19, 27] }, { holes }]) {
      const { node: made } = filled(map({ other: pieced(['ab', '-', 'c'], more) }), 'first')
      expect((made as MapNode).entries[0]?.value).not.toHaveProperty('offsets')
    }
    // Of a text that begins with a hole and has nothing behind it.
    const { node: bare } = filled(map({ other: pieced(['', '', ''], { offsets: [], holes, pieces: ['', '', ''] }) }), 'first')
    expect(brief(plainValue(bare as Node))).toEqual({ other: '<aa>' })
  })
})

test('a resource group whose name is not known is read under what stands for the name, and only that matches it', () => {
  const entry = map({ urn: unknown('svc_group.g.urn', { isName: true, id: 'g of b.tf' }) })
  const { facts } = readFacts([map({ name: text('x'), identities: list(), resources: list(entry), permissions: map({}) })], defaultSettings)
  const resources = facts.policies[0]?.resources.map(({ value }) => value) ?? []
  expect(resources.map(({ kind, text, region }) => [kind, text, region])).toEqual([['group', 'g of b.tf', '']])
  const found = resources.map(({ glob }) => [isPattern(glob), matches(glob, 'g of b.tf'), matches(glob, 'g of b')])
  expect(found).toEqual([[false, true, false]])
})

describe('the words for what is made up', () => {
  const whole = sourceOf('b.tf', '"a ${var.x} b ${upper("}")} c"')
  test.each<[string, UnknownNode, unknown]>([
    ['of a whole value', unknown('var.x'), [[['<aa>', 'var.x']]]],
    [
      'of a template, by what stands in each hole',
      unknown('a ${var.x} b ${upper("}")} c', { pieces: ['a ', ' b ', ' c'], offsets: [], holes: [at(3, 11, whole), at(14, 27, whole)] }),
      [
        [
          ['a <aa> b <aa> c', 'a ${var.x} b ${upper("}")} c'],
          ['<aa>', '${var.x}'],
        ],
        [
          ['a <aa> b <aa> c', 'a ${var.x} b ${upper("}")} c'],
          ['<aa>', '${a ${var.x} b ${upper("}")} c}'],
        ],
      ],
    ],
    [
      'of a template without places, by what is between its pieces',
      unknown('a ${var.x} b', { pieces: ['a ', ' b'] }),
      [
        [
          ['a <aa> b', 'a ${var.x} b'],
          ['<aa>', '${var.x}'],
        ],
      ],
    ],
    [
      'of an expression that is none',
      unknown('format("a %s b", var.x)', { pieces: ['a ', ' b'] }),
      [
        [
          ['a <aa> b', 'format("a %s b", var.x)'],
          ['<aa>', '${format("a %s b", var.x)}'],
        ],
      ],
    ],
    [
      'of one that only begins so',
      unknown('a ${var.x}', { pieces: ['a ', ' b'] }),
      [
        [
          ['a <aa> b', 'a ${var.x}'],
          ['<aa>', '${a ${var.x}}'],
        ],
      ],
    ],
    [
      'of one that only ends so',
      unknown('${var.x} b', { pieces: ['a ', ' b'] }),
      [
        [
          ['a <aa> b', '${var.x} b'],
          ['<aa>', '${${var.x} b}'],
        ],
      ],
    ],
    [
      'of one with several holes',
      unknown('a ${x} b ${y} c', { pieces: ['a ', ' b ', ' c'] }),
      [
        [
          ['a <aa> b <aa> c', 'a ${x} b ${y} c'],
          ['<aa>', '${a ${x} b ${y} c}'],
        ],
        [
          ['a <aa> b <aa> c', 'a ${x} b ${y} c'],
          ['<aa>', '${a ${x} b ${y} c}'],
        ],
      ],
    ],
  ])('%s', (_, node, expected) => {
    expect(filled(map({ other: node }), 'first').words).toEqual(expected)
  })

  test('of a whole name are for all of it', () => {
    expect(filled(identities(unknown('var.x')), 'first').words).toEqual([[['urn:v1:eu:identity:user:<aa>/<aa>', 'var.x']]])
  })

  test('are noted in the first two assignments alone, of the same names', () => {
    const document = map({ other: unknown('var.x'), name: unknown('var.x'), description: unknown('var.y') })
    expect(filled(document, 'first').words).toEqual([[['<aa>', 'var.x']], [['<aa>', 'var.y']]])
    expect(filled(document, 'second').words).toEqual([[['<zz>', 'var.x']], [['<zz>', 'var.y']]])
    for (const assignment of ['most', 'granted', 'alike'] as const)
      expect([assignment, filled(document, assignment).words]).toEqual([assignment, []])
    expect(filledDocument(document, { assignment: 'first', settings: defaultSettings, written: new Map() })).toBeDefined()
  })
})

describe('what findings depend on', () => {
  test('is where something is not known, and the texts that are known in part', () => {
    const other = sourceOf('b.tf', 'x')
    const [name, description, identity, expiry, action] = [
      unknown('n', { start: 1 }),
      unknown('d', { start: 2, pieces: ['a', 'b'], holes: [at(3, 4)] }),
      unknown('i', { start: 5 }),
      unknown('t', { start: 6 }),
      unknown('a', { start: 7, source: other }),
    ]
    const on = unknown('on', { start: 8 })
    const record = map(
      { name, description, identities: list(identity), expiredAt: expiry, permissions: map({ allow: list(map({ action })) }) },
      { perhaps: [on] },
    )
    const { holes, texts, perhaps, paths } = opennessOf([list(record)])
    expect(holes.map(({ start }) => start)).toEqual([8, 1, 3, 5, 6, 7])
    expect(texts).toEqual([name, description, expiry])
    expect([perhaps, [...paths]]).toEqual([[record], ['a.tf', 'b.tf']])
    expect(opennessOf([map({ name: text('x') })])).toEqual({ holes: [], texts: [], perhaps: [], paths: new Set(['a.tf']) })
  })

  test('a record that is not there in a assignment is left out, with what it is in', () => {
    const record = map({ name: text('x') }, { perhaps: [unknown('on')] })
    expect(filled(record, 'least').node).toBeUndefined()
    expect(filled(map({ policies: list(record, map({ name: text('y') })), other: record }), 'least').value).toEqual({
      policies: [{ name: 'y' }],
    })
    expect(filled(map({ policies: list(record), other: record }), 'first').value).toEqual({
      policies: [{ name: 'x' }],
      other: { name: 'x' },
    })
    expect(filled(record, 'first').node).not.toHaveProperty('perhaps')
  })
})
