import { describe, expect, test } from 'vitest'
import { type Address, readAddress } from '../../src/conditions/address.ts'
import type { Fact, FactValue } from '../../src/simulate/decision.ts'
import { factOf, factText, nothingAssumed, resourceInGroup, sortedFacts, valueText, withAssumption } from '../../src/simulate/facts.ts'
import { sourceOf } from '../../src/source.ts'
import type { ResourceGroupUrn } from '../../src/urn/resource.ts'
import { askedOf } from '../support/decision-lines.ts'
import { shortWorld } from '../support/short.ts'

const values: readonly (readonly [FactValue, name: string, value: string | null])[] = [
  [{ kind: 'address', address: readAddress('192.0.2.1') as Address }, 'request.IP', '192.0.2.1'],
  [{ kind: 'tag', key: 'env', text: 'prod' }, 'resource.Tag(env)', 'prod'],
  [{ kind: 'tag', key: 'env', text: null }, 'resource.Tag(env)', null],
  [{ kind: 'resourceGroup', urn: 'urn:v1:eu:resourceGroup:m', isMember: true }, 'resourceGroup:urn:v1:eu:resourceGroup:m', 'member'],
  [{ kind: 'resourceGroup', urn: 'urn:v1:eu:resourceGroup:m', isMember: false }, 'resourceGroup:urn:v1:eu:resourceGroup:m', 'not a member'],
  [
    { kind: 'permissionsGroup', urn: 'urn:v1:eu:permissionsGroup:svc:r', outcome: 'allow' },
    'permissionsGroup:urn:v1:eu:permissionsGroup:svc:r',
    'allows it',
  ],
  [
    { kind: 'permissionsGroup', urn: 'urn:v1:eu:permissionsGroup:svc:r', outcome: 'deny' },
    'permissionsGroup:urn:v1:eu:permissionsGroup:svc:r',
    'denies it',
  ],
  [
    { kind: 'permissionsGroup', urn: 'urn:v1:eu:permissionsGroup:svc:r', outcome: 'nothing' },
    'permissionsGroup:urn:v1:eu:permissionsGroup:svc:r',
    'says nothing of it',
  ],
  [{ kind: 'condition', text: 'condition:a=b', holds: true }, 'condition:a=b', 'holds'],
  [{ kind: 'expression', text: 'var.x', holds: false }, 'var.x', 'does not hold'],
]

test.each(values)('$0.kind: of the fact $1, the value $2', (value, name, text) => {
  expect([factText(value), valueText(value)]).toEqual([name, text])
})

test('a value is assumed in addition to what is assumed already', () => {
  const all = values.map(([value]) => value)
  const [assumed, again] = [all, [...all].reverse()].map((list) => list.reduce(withAssumption, nothingAssumed))
  const rest = {
    ip: readAddress('192.0.2.1'),
    opaque: new Map([
      ['condition:a=b', true],
      ['var.x', false],
    ]),
  }
  const of = (text: string | null, isMember: boolean, outcome: 'allow' | 'nothing') => ({
    ...rest,
    tags: new Map([['env', text]]),
    groups: new Map([['urn:v1:eu:resourceGroup:m', isMember]]),
    outcomes: new Map([['urn:v1:eu:permissionsGroup:svc:r', outcome]]),
  })
  expect(assumed).toEqual(of(null, false, 'nothing'))
  expect(again).toEqual(of('prod', true, 'allow'))
})

test('facts are listed once each, in the order of their names', () => {
  const facts: readonly Fact[] = [
    { kind: 'tag', key: 'b' },
    { kind: 'expression', text: 'var.x' },
    { kind: 'address' },
    { kind: 'tag', key: 'a' },
    { kind: 'resourceGroup', urn: 'urn:v1:eu:resourceGroup:m' },
    { kind: 'tag', key: 'b' },
  ]
  expect(sortedFacts(facts)).toEqual([facts[2], facts[3], facts[0], facts[4], facts[1]])
  expect(sortedFacts([])).toEqual([])
})

test('a condition is a fact of its own, or one about a value that is not known', () => {
  const span = { source: sourceOf('a.yaml', 'x'), start: 0, end: 1 }
  expect(factOf({ kind: 'opaque', text: 'x', span })).toEqual({ kind: 'condition', text: 'x' })
  expect(factOf({ kind: 'opaque', text: 'x', isValue: true, span })).toEqual({ kind: 'expression', text: 'x' })
})

describe('whether a resource is in the groups that an entry names', () => {
  const world = shortWorld([])
  const entryOf = (text: string, pieces: readonly string[] = text.split('*')): ResourceGroupUrn => ({
    kind: 'group',
    text,
    region: 'eu',
    id: text.slice(text.lastIndexOf(':') + 1),
    glob: { text, pieces },
  })
  const [all, some, one] = ['*', 'g*', 'g1'].map((id) => `urn:v1:eu:resourceGroup:${id}`) as [string, string, string]
  // A name that is not known yet may have a `*` in it and is no pattern.
  const unknown = 'svc_group.all[*].urn'
  test.each<[ResourceGroupUrn, [string, boolean | undefined][], boolean | undefined]>([
    [entryOf(one), [], undefined],
    [entryOf(one), [[one, true]], true],
    [entryOf(one), [[one, false]], false],
    [entryOf(one), [[some, true]], undefined],
    [
      entryOf(one),
      [
        [one, false],
        [some, true],
      ],
      false,
    ],
    [
      entryOf(some),
      [
        [one, true],
        [some, false],
      ],
      true,
    ],
    [
      entryOf(some),
      [
        [one, false],
        [some, undefined],
      ],
      undefined,
    ],
    [
      entryOf(some),
      [
        [one, true],
        [some, undefined],
      ],
      true,
    ],
    [
      entryOf(some),
      [
        [all, true],
        [some, false],
      ],
      false,
    ],
    [
      entryOf(all),
      [
        [one, false],
        [some, false],
        [all, true],
      ],
      true,
    ],
    [
      entryOf(unknown, [unknown]),
      [
        [unknown, true],
        [all, false],
      ],
      true,
    ],
    [
      entryOf(unknown, [unknown]),
      [
        [unknown, false],
        [all, true],
      ],
      false,
    ],
  ])('%o where %o is assumed: %o', (entry, groups, expected) => {
    expect(resourceInGroup(entry, world, askedOf({}), { ...nothingAssumed, groups: new Map(groups) })).toBe(expected)
  })
})
