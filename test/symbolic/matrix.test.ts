import { describe, expect, test } from 'vitest'
import type { Catalogue } from '../../src/actions/catalogue.ts'
import { levels } from '../../src/actions/reads.ts'
import type { World } from '../../src/policy.ts'
import { decide } from '../../src/simulate/decide.ts'
import { ActionsByType, Described, type KnownNames, knownNamesIn, type RequestContext } from '../../src/symbolic/described.ts'
import { evaluate, type Formula, notBefore } from '../../src/symbolic/formula.ts'
import { Levels, type MatrixCell, type MatrixOptions, matrix } from '../../src/symbolic/matrix.ts'
import { formulaLine, owned, rowLine, shortUrns } from '../support/answer-lines.ts'
import { actions as gridActions, gridFor, instants } from '../support/grid.ts'
import { levelOf } from '../support/levels.ts'
import { identityOf, match, resourceOf, type ShortPolicy, type ShortWorld, shortWorld } from '../support/short.ts'
import { generate, randomOf, worldOf } from '../support/worlds.ts'

const actionsOf: Record<string, readonly string[]> = { p: ['p:x:r', 'p:x:w'], q: ['q:x:r', 'q:x:s', 'q:x:w'], z: ['z:x:r'] }
const typesOf: Record<string, readonly string[]> = { p: ['t', 'u'], q: ['t'], z: ['w'] }
const catalogue: Pick<Catalogue, 'products' | 'typesOf' | 'actionsOf'> = {
  products: ['p', 'q', 'z'],
  typesOf: (product) => typesOf[product] as readonly string[],
  actionsOf: (product) => actionsOf[product] as readonly string[],
}
const reads = new Set(['p:x:r', 'q:x:r', 'q:x:s', 'z:x:r'])

const noon = Date.parse('2026-07-01T12:00:00Z')
const tag = (key: string, value: string) => ({ [`resource.Tag(${key})`]: value })
const hour = (from: number, to: number) => ({ 'date(UTC).Hour.GE': `${from}`, 'date(UTC).Hour.LT': `${to}` })

test('the actions about a type are those of the products that serve it', () => {
  const found = new ActionsByType(catalogue)
  expect(['t', 'u', 'w', 'x'].map((type) => found.of(type))).toEqual([
    ['p:x:r', 'p:x:w', 'q:x:r', 'q:x:s', 'q:x:w'],
    ['p:x:r', 'p:x:w'],
    ['z:x:r'],
    [],
  ])
  expect(found.of('t')).toBe(found.of('t'))
})

const cellLine = ({ level, confidence, resources, condition, policies, isRoot }: MatrixCell, of: number) =>
  `${level} ${resources}/${of} ${rowLine({ [confidence]: confidence !== 'always', root: isRoot, if: level === 'none' ? '' : formulaLine(condition), by: policies.map(({ name }) => name.value).join(' ') })}`.trim()

/** A line for each identity with its cells; then types of which nothing is known, and reasons. */
function linesOf(world: World, things: KnownNames = knownNamesIn([world]), options: Partial<MatrixOptions> = {}): readonly string[] {
  const { identities, columns, rows, unknownTypes, reasons } = matrix(world, things, {
    actions: new ActionsByType(catalogue),
    reads,
    ...options,
  })
  expect(rows).toHaveLength(identities.length)
  return [
    columns.map(({ name, type, resources }) => `${name} (${resources} ${type})`).join(' | '),
    ...identities.map((identity, i) => {
      const row = rows[i] ?? []
      expect(row).toHaveLength(columns.length)
      return `${identity}: ${row.map((cell, j) => cellLine(cell, columns[j]?.resources ?? 0)).join(' | ')}`
    }),
    ...unknownTypes.map((type) => `? ${type}`),
    ...reasons.map((reason) => `! ${reason}`),
  ].map(shortUrns)
}

interface Row {
  readonly name: string
  readonly policies: readonly ShortPolicy[]
  readonly world?: ShortWorld
  readonly account?: string
  readonly owners?: Readonly<Record<string, string>>
  readonly given?: RequestContext
  readonly time?: Formula
  readonly byResource?: boolean
  readonly says: readonly string[]
}

const two: ShortWorld = {
  resources: { 't:a': { k: 'a' }, 't:b': { k: 'b' }, 'u:a': {} },
  members: { 'user:a/u': [], 'user:a/v': ['group:a/g'] },
}

const table: readonly Row[] = [
  {
    name: 'nothing',
    policies: [],
    world: two,
    says: ['t (2 t) | u (1 u)', 'user:a/u: none 2/2 | none 1/1', 'user:a/v: none 2/2 | none 1/1'],
  },
  {
    name: 'each level',
    policies: [
      { name: 'none', who: ['user:a/v'], on: ['*'], deny: ['*'] },
      { name: 'read', on: ['t:a'], allow: ['*:r'] },
      { name: 'also', on: ['t:b'], allow: ['p:x:w'] },
      { name: 'all', on: ['u:*'], allow: ['p:*'] },
      { name: 'group', who: ['group:a/g'], on: ['*'], allow: ['*'] },
    ],
    world: two,
    says: ['t (2 t) | u (1 u)', 'user:a/u: write 1/2 by: also | all 1/1 by: all', 'user:a/v: none 2/2 | none 1/1'],
  },
  {
    name: 'the highest level, and on how many resources',
    policies: [
      { name: 'read', on: ['t:*'], allow: ['p:x:r'] },
      { name: 'one', on: ['t:c'], allow: ['*:w'] },
      { name: 'two', on: ['t:a', 't:b'], allow: ['p:x:w', 'q:x:r'] },
      { name: 'all', on: ['u:a'], allow: ['*'] },
      { name: 'but', on: ['u:*'], deny: ['p:x:w'], when: tag('k', 'z') },
    ],
    world: { resources: { 't:a': {}, 't:b': {}, 't:c': {}, 't:d': {}, 'u:a': { k: 'a' }, 'u:b': {} }, members: { 'user:a/u': [] } },
    says: ['t (4 t) | u (2 u)', 'user:a/u: write 3/4 by: two one | all 1/2 by: all'],
  },
  {
    name: 'in some contexts, and perhaps',
    policies: [
      { name: 'net', on: ['t:a'], allow: ['p:x:r'], when: { 'request.IP.IN_RANGE': '192.0.2.0/24' } },
      { name: 'night', on: ['t:b'], allow: ['p:x:w'], when: hour(1, 5) },
      { name: 'far', on: ['u:a'], groups: ['svc:far'] },
      { name: 'sure', on: ['u:a'], allow: ['p:x:r'] },
      { name: 'v', who: ['user:a/v'], on: ['t:b'], allow: ['p:x:r'], when: tag('x', 'a') },
      { name: 'if', who: ['user:a/v'], on: ['u:*'], allow: ['p:*'], when: { 'request.Mood': 'good' } },
    ],
    world: two,
    says: [
      't (2 t) | u (1 u)',
      'user:a/u: write 1/2 sometimes; if: and(["hour","UTC","GE",[1]],["hour","UTC","LT",[5]]); by: night | all 1/1 perhaps; if: and(not("permissionsGroup:svc:far denies it"),"permissionsGroup:svc:far allows it"); by: far sure',
      'user:a/v: none 2/2 | all 1/1 perhaps; if: "condition:request.Mood=good"; by: if',
    ],
  },
  {
    name: 'in some contexts whatever else is so',
    policies: [
      { name: 'mood', on: ['t:a', 'u:a'], allow: ['p:x:r'], when: { 'request.Mood': 'good' } },
      { name: 'night', on: ['t:a'], allow: ['p:x:r'], when: hour(1, 5) },
    ],
    world: { resources: { 't:a': {}, 'u:a': {} }, members: { 'user:a/u': [] } },
    says: [
      't (1 t) | u (1 u)',
      'user:a/u: read 1/1 sometimes; if: or("condition:request.Mood=good",and(["hour","UTC","GE",[1]],["hour","UTC","LT",[5]])); by: mood night | read 1/1 perhaps; if: "condition:request.Mood=good"; by: mood',
    ],
  },
  {
    name: 'tags that are not known',
    policies: [
      { name: 'tag', on: ['t:a', 'u:a'], allow: ['p:x:r'], when: tag('k', 'a') },
      { name: 'never', on: ['t:b'], allow: ['p:*'], when: { ...tag('k', 'a'), 'resource.Type': 'u' } },
    ],
    world: { members: { 'user:a/u': [] } },
    says: [
      't (2 t) | u (1 u)',
      'user:a/u: read 1/2 sometimes; if: ["tag","k","EQ",["a"]]; by: tag | read 1/1 sometimes; if: ["tag","k","EQ",["a"]]; by: tag',
    ],
  },
  {
    name: 'by two policies in turn, so that one of them always grants',
    policies: [
      { name: 'morning', on: ['t:a'], allow: ['p:x:w'], when: { 'date(UTC).Hour.LT': '12' } },
      { name: 'afternoon', on: ['t:a'], allow: ['q:x:w'], when: { 'date(UTC).Hour.GE': '12' } },
      { name: 'v', who: ['user:a/v'], on: ['t:a'], allow: ['p:x:w'], when: { 'date(UTC).Hour.LT': '12' } },
      { name: 'late', who: ['user:a/v'], on: ['t:a'], allow: ['q:x:w'], when: { 'date(UTC).Hour.GE': '13' } },
    ],
    world: { resources: { 't:a': {} }, members: { 'user:a/u': [], 'user:a/v': [] } },
    says: [
      't (1 t)',
      'user:a/u: write 1/1 if: or(["hour","UTC","LT",[12]],["hour","UTC","GE",[12]]); by: morning afternoon',
      'user:a/v: write 1/1 sometimes; if: or(["hour","UTC","LT",[12]],["hour","UTC","GE",[13]]); by: v late',
    ],
  },
  {
    name: 'the least sure of the resources that have it',
    policies: [
      { name: 'read', on: ['t:*'], allow: ['p:x:r'] },
      { name: 'sure', on: ['t:a'], allow: ['p:x:w'] },
      { name: 'night', on: ['t:b'], allow: ['p:x:w'], when: hour(1, 5) },
      { name: 'read u', on: ['u:*'], allow: ['p:x:r'] },
      { name: 'perhaps', on: ['u:a'], allow: ['p:x:w'], when: { 'request.Mood': 'good' } },
      { name: 'sure u', on: ['u:b'], allow: ['p:x:w'] },
      { name: 'night u', on: ['u:c'], allow: ['p:x:w'], when: hour(1, 5) },
    ],
    world: { resources: { 't:a': {}, 't:b': {}, 'u:a': {}, 'u:b': {}, 'u:c': {} }, members: { 'user:a/u': [] } },
    says: ['t (2 t) | u (3 u)', 'user:a/u: write 2/2 sometimes; by: sure night | all 3/3 perhaps; by: read u perhaps sure u night u'],
  },
  {
    name: 'all in one context, and all in no single one',
    policies: [
      { name: 'read', on: ['u:a'], allow: ['*:r'], when: hour(1, 5) },
      { name: 'write', on: ['u:a'], allow: ['*:w'], when: hour(3, 8) },
      { name: 'day', who: ['user:a/v'], on: ['u:*'], allow: ['*:r'], when: hour(8, 18) },
      { name: 'night', who: ['user:a/v'], on: ['u:*'], allow: ['*:w'], when: hour(1, 5) },
    ],
    world: two,
    says: [
      't (2 t) | u (1 u)',
      'user:a/u: none 2/2 | all 1/1 sometimes; if: and(["hour","UTC","GE",[1]],["hour","UTC","LT",[5]],["hour","UTC","GE",[3]],["hour","UTC","LT",[8]]); by: read write',
      'user:a/v: none 2/2 | all 1/1 sometimes; if: or(and(["hour","UTC","GE",[8]],["hour","UTC","LT",[18]]),and(["hour","UTC","GE",[1]],["hour","UTC","LT",[5]])); by: day night',
    ],
  },
  {
    name: 'denies and exceptions take away',
    policies: [
      { name: 'all', on: ['t:*', 'u:*'], allow: ['*'], except: ['q:x:s'] },
      { name: 'no', on: ['t:a'], deny: ['*:w'] },
      { name: 'night', on: ['u:*'], deny: ['p:x:w'], when: hour(1, 5) },
      { name: 'v', who: ['user:a/v'], on: ['t:*'], allow: ['p:x:w', 'q:*'] },
      { name: 'not v', who: ['user:a/v'], on: ['t:*'], deny: ['p:*', '*:r', '*:w'] },
    ],
    world: two,
    says: [
      't (2 t) | u (1 u)',
      'user:a/u: write 1/2 by: all | all 1/1 sometimes; if: not(and(["hour","UTC","GE",[1]],["hour","UTC","LT",[5]])); by: all',
      'user:a/v: read 2/2 by: v | none 1/1',
    ],
  },
  {
    name: 'the policies that grant something of the level, in their order',
    policies: [
      { name: 'w', on: ['u:a'], allow: ['p:x:w'], when: hour(1, 5) },
      { name: 'r', on: ['*'], allow: ['*:r', 'z:*'] },
      { name: 'other', on: ['t:b'], allow: ['z:*'] },
      { name: 'w2', on: ['*'], allow: ['*:w'], when: hour(8, 18) },
      { name: 's', on: ['t:b'], allow: ['q:x:s', 'q:x:r'] },
    ],
    world: two,
    says: [
      't (2 t) | u (1 u)',
      'user:a/u: all 1/2 sometimes; if: and(["hour","UTC","GE",[8]],["hour","UTC","LT",[18]]); by: r w2 s | all 1/1 sometimes; if: or(and(["hour","UTC","GE",[1]],["hour","UTC","LT",[5]]),and(["hour","UTC","GE",[8]],["hour","UTC","LT",[18]])); by: w r w2',
      'user:a/v: none 2/2 | none 1/1',
    ],
  },
  {
    name: 'the account that owns them',
    policies: [
      { name: 'all', who: ['account:ab', 'account:cd'], on: ['t:b'], allow: ['*'] },
      { name: 'u', who: ['account:ab'], on: ['u:a'], allow: ['p:x:r'] },
    ],
    world: { ...two, members: {} },
    account: 'cd',
    owners: { 't:a': 'ab', 'u:a': 'cd' },
    says: ['t (2 t) | u (1 u)', 'account:ab: all 2/2 by: all | read 1/1 by: u', 'account:cd: all 1/2 root | all 1/1 root'],
  },
  {
    name: 'the account that owns all, besides what it is granted',
    policies: [{ name: 'all', who: ['account:ab'], on: ['t:*', 't:b'], allow: ['*'], when: hour(1, 5) }],
    world: { ...two, members: {} },
    account: 'ab',
    owners: { 't:b': 'cd' },
    says: ['t (2 t) | u (1 u)', 'account:ab: all 2/2 sometimes; by: all | all 1/1 root'],
  },
  {
    name: 'the owner that is given',
    policies: [{ name: 'all', who: ['account:ab'], on: ['t:b'], allow: ['p:x:r'] }],
    world: { ...two, members: {} },
    account: 'cd',
    given: { owner: 'ab' },
    says: ['t (2 t) | u (1 u)', 'account:ab: all 2/2 root | all 1/1 root'],
  },
  {
    name: 'types of which no action is known',
    policies: [{ name: 'all', on: ['*'], allow: ['z:*', 'q:*'] }],
    world: { resources: { 'y:a': {}, 'w:a': {}, 'x:a': {}, 'w:b': {} }, members: { 'user:a/u': [] } },
    says: ['w (2 w)', 'user:a/u: all 2/2 by: all', '? x', '? y'],
  },
  {
    name: 'a column for each resource',
    policies: [
      { name: 'a', on: ['t:a', 't:c'], allow: ['p:x:r'] },
      { name: 'b', on: ['t:b'], allow: ['*:w'], when: hour(1, 5) },
      { name: 'v', who: ['user:a/v'], on: ['*'], allow: ['*'] },
    ],
    world: { ...two, resources: { 't:c': {}, 't:b': {}, 't:a': {}, 'u:a': {}, 'y:a': {} } },
    byResource: true,
    says: [
      't:a (1 t) | t:b (1 t) | t:c (1 t) | u:a (1 u)',
      'user:a/u: read 1/1 by: a | write 1/1 sometimes; if: and(["hour","UTC","GE",[1]],["hour","UTC","LT",[5]]); by: b | read 1/1 by: a | none 1/1',
      'user:a/v: all 1/1 by: v | all 1/1 by: v | all 1/1 by: v | all 1/1 by: v',
      '? y',
    ],
  },
  {
    name: 'what is given of the request',
    policies: [
      { name: 'net', on: ['t:a'], allow: ['p:x:r'], when: tag('k', 'z') },
      { name: 'night', on: ['t:b'], allow: ['p:x:w'], when: hour(1, 5) },
      { name: 'group', who: ['group:a/h'], on: ['u:a'], allow: ['p:x:w'] },
    ],
    world: two,
    given: { at: noon, tags: new Map([['k', 'z']]), groups: [identityOf('group:a/h')] },
    says: [
      't (2 t) | u (1 u)',
      'group:a/h: none 2/2 | write 1/1 by: group',
      'user:a/u: read 1/2 by: net | write 1/1 by: group',
      'user:a/v: none 2/2 | write 1/1 by: group',
    ],
  },
  {
    name: 'only from an instant on',
    policies: [
      { name: 'old', on: ['t:a'], allow: ['*'], until: '2026-06-01T00:00:00Z' },
      { name: 'denied', on: ['t:*'], deny: ['*'], until: '2026-06-02T00:00:00Z' },
      { name: 'now', on: ['t:b'], allow: ['p:x:r'] },
      { name: 'contract', on: ['u:a'], allow: ['p:*'], until: '2026-12-01T00:00:00Z' },
    ],
    world: two,
    time: notBefore(noon),
    says: [
      't (2 t) | u (1 u)',
      'user:a/u: read 1/2 if: not(until 1780358400000); by: now | all 1/1 sometimes; if: until 1796083200000; by: contract',
      'user:a/v: none 2/2 | none 1/1',
    ],
  },
]

const worldOfRow = ({ policies, world, account, owners = {} }: Row) =>
  owned(shortWorld(policies, world), { ...(account !== undefined && { account }), owners })

describe('the matrix', () => {
  test.each(table)('$name', (row) => {
    const { says, given, time, byResource } = row
    const options = { ...(given && { given }), ...(time && { time }), ...(byResource !== undefined && { byResource }) }
    expect(linesOf(worldOfRow(row), undefined, options)).toEqual(says)
  })

  test('is about the identities and resources that are asked for, in their order', () => {
    const world = shortWorld([{ on: ['t:a'], allow: ['p:x:r'] }], two)
    const things = { identities: ['user:a/v', 'user:a/u', 'user:z/z'].map(identityOf), resources: ['u:a', 't:b'].map(resourceOf) }
    expect(linesOf(world, things)).toEqual([
      't (1 t) | u (1 u)',
      'user:a/v: none 1/1 | none 1/1',
      'user:a/u: none 1/1 | none 1/1',
      'user:z/z: none 1/1 | none 1/1',
    ])
    expect(linesOf(world, { identities: [identityOf('user:a/u')], resources: ['t:b', 't:a'].map(resourceOf) })).toEqual([
      't (2 t)',
      'user:a/u: read 1/2 by: p0',
    ])
    expect(linesOf(world, { identities: [], resources: [] })).toEqual([''])
  })

  test('says where it is not known whether more is certain', () => {
    // Nothing fulfils it, which shows only once every tag has a value.
    const free = { operator: 'OR', conditions: Array.from({ length: 25 }, (_, i) => match(tag(`k${i}`, 'x'))) }
    const when = { operator: 'AND', conditions: [free, match(tag('z', 'x')), { operator: 'NOT', conditions: [match(tag('z', 'x'))] }] }
    const things = { identities: [identityOf('user:a/u')], resources: [resourceOf('t:a')] }
    const [columns, row, ...reasons] = linesOf(shortWorld([{ allow: ['p:x:r'], when }]), things)
    expect([columns, row?.slice(0, 'user:a/u: read 1/1 sometimes'.length)]).toEqual(['t (1 t)', 'user:a/u: read 1/1 sometimes'])
    const again = linesOf(
      shortWorld([
        {
          allow: ['p:x:r'],
          when: {
            ...when,
            conditions: [{ ...free, conditions: [...free.conditions, match({ 'request.Mood': 'good' })] }, ...when.conditions.slice(1)],
          },
        },
      ]),
      things,
    )
    expect(again[1]?.slice(0, 'user:a/u: read 1/1 perhaps;'.length)).toBe('user:a/u: read 1/1 perhaps;')
    expect(reasons).toEqual(['! the conditions leave too many combinations of facts to try them all: more may be certain than is shown'])
  })
})

describe('the levels of pairs of classes', () => {
  const world = shortWorld(
    [
      { name: 'r', on: ['*'], allow: ['*:r'], except: ['q:x:r'] },
      { name: 'w', on: ['*'], allow: ['p:*'], when: hour(1, 5) },
      { name: 'no', on: ['*'], deny: ['p:x:w'], when: tag('k', 'a') },
      { name: 'none', on: ['*'], deny: ['q:x:s'] },
    ],
    {
      resources: { 't:a': { k: 'a' }, 't:b': { k: 'b' }, 't:c': { k: 'c' }, 'u:a': { k: 'b' } },
      members: { 'user:a/u': [], 'user:a/v': [] },
    },
  )
  const judge = new Levels({ actions: new ActionsByType(catalogue), reads })
  const described = new Described([world], knownNamesIn([world]))
  const cellOf = (who: string, on: string) => {
    const identity = described.identities.find(({ names }) => names.includes(identityOf(who)))
    const resource = described.resources.find(({ names }) => names.includes(resourceOf(on)))
    if (!identity || !resource) throw new Error(`${who} ${on}`)
    return judge.cell(described, identity, resource)
  }
  const named = (regions: readonly { readonly policy: World['policies'][number] }[]) =>
    regions.map(({ policy }) => policy.name.value).join(' ')
  const partsOf = (who: string, on: string) => {
    const { level, confidence, condition, policies, isRoot, parts } = cellOf(who, on)
    return [
      `${level} ${confidence} ${formulaLine(condition)} by ${policies.map(({ name }) => name.value).join(' ')}${isRoot ? ' root' : ''}`,
      ...parts.map((part) => {
        expect(Object.keys(part).sort()).toEqual(['actions', 'allows', 'condition', 'confidence', 'denies'])
        return `${part.actions.join(' ')} ${part.confidence} ${formulaLine(part.condition)} by ${named(part.allows)} against ${named(part.denies)}`
      }),
    ]
  }

  test('have a part for the actions that are allowed at the same times', () => {
    expect(partsOf('user:a/u', 't:a')).toEqual(['read always  by r w', 'p:x:r always  by r w against '])
    expect(partsOf('user:a/u', 'u:a')).toEqual([
      'all sometimes and(["hour","UTC","GE",[1]],["hour","UTC","LT",[5]]) by r w',
      'p:x:r always  by r w against ',
      'p:x:w sometimes and(["hour","UTC","GE",[1]],["hour","UTC","LT",[5]]) by w against ',
    ])
    expect(partsOf('user:a/u', 't:b')).toEqual([
      'write sometimes and(["hour","UTC","GE",[1]],["hour","UTC","LT",[5]]) by w',
      'p:x:r always  by r w against ',
      'p:x:w sometimes and(["hour","UTC","GE",[1]],["hour","UTC","LT",[5]]) by w against ',
    ])
    expect(partsOf('user:a/v', 't:a')).toEqual(['none always or() by '])
    expect(judge.isApproximate).toBe(false)
  })

  test('are the same object for pairs that are alike', () => {
    expect(cellOf('user:a/u', 't:b')).toBe(cellOf('user:a/u', 't:b'))
    expect(cellOf('user:a/v', 't:a')).toBe(cellOf('user:a/v', 'u:a'))
  })
})

describe('agreement with can', () => {
  /** Every action is about every type: more than a catalogue says, so that nothing is overlooked. */
  const everyAction = { of: () => gridActions } as unknown as ActionsByType
  const readsOfGrid = new Set(gridActions.filter((action) => action.endsWith(':a') || action.endsWith(':ab')))

  test.each(Array.from({ length: 12 }, (_, i) => i))('of the cells of a random world (%s)', (seed) => {
    const { world: written } = generate(randomOf(7700 + seed), 0, { policies: 6, conditions: 0.6, missing: 0, groups: 0.2 })
    const world = worldOf({ ...written, resources: written.resources.map((each) => ({ tags: {}, ...each })) })
    const { identities, columns, rows } = matrix(world, knownNamesIn([world]), {
      actions: everyAction,
      reads: readsOfGrid,
      byResource: true,
    })
    identities.forEach((identity, i) => {
      columns.forEach(({ name: resource }, j) => {
        const cell = rows[i]?.[j] as MatrixCell
        const rank = levels.indexOf(cell.level)
        const found = gridFor(world, resource, instants).map(({ at, ip, tags, model }) => {
          const asked = { identity, resource, groups: [], at, ip, ...(tags && { tags }) }
          const allowed = gridActions.filter((action) => decide(world, { ...asked, action }).verdict === 'allow')
          return { reached: levels.indexOf(levelOf(allowed, gridActions, readsOfGrid)), holds: evaluate(cell.condition, model) }
        })
        const where = { identity, resource }
        expect({ ...where, above: found.filter(({ reached }) => reached > rank) }).toEqual({ ...where, above: [] })
        if (cell.confidence === 'always')
          expect({ ...where, below: found.filter(({ reached }) => reached < rank) }).toEqual({ ...where, below: [] })
        // All may be allowed, but in no single context.
        if (cell.level === 'none' || (cell.level === 'all' && !found.some(({ reached }) => reached === rank))) return
        const wrong = found.filter(({ reached, holds }) => holds !== (reached === rank))
        expect({ ...where, wrong }).toEqual({ ...where, wrong: [] })
      })
    })
  })
})
