import { describe, expect, test } from 'vitest'
import type { Catalogue } from '../../src/actions/catalogue.ts'
import { readAddress } from '../../src/conditions/address.ts'
import { glob } from '../../src/glob.ts'
import type { World } from '../../src/policy.ts'
import { ActionsByType, knownNamesIn } from '../../src/symbolic/described.ts'
import {
  type AccessRow,
  type AskedAccess,
  actionsMatching,
  type DescribedAccess,
  describedAccess,
  identitiesMatching,
  ownersOf,
  resourcesMatching,
} from '../../src/symbolic/described-access.ts'
import { causesOf, owned, rowLine, shortUrns } from '../support/answer-lines.ts'
import { identityOf, match, resourceOf, type ShortPolicy, type ShortWorld, shortWorld } from '../support/short.ts'

/** All that answers about described things say, for small worlds. */

const lists: Readonly<Record<string, readonly string[]>> = { t: ['p:x:a', 'p:x:b', 'p:x:c', 'q:x:a'], u: ['p:x:a', 'r:x:a'] }
const actionsOf = (type: string) => lists[type] ?? []
const catalogue: Pick<Catalogue, 'products' | 'typesOf' | 'actionsOf'> = {
  products: ['p', 'q', 'r'],
  typesOf: (product) => (product === 'p' ? ['t', 'u'] : product === 'q' ? ['t'] : ['u']),
  actionsOf: (product) => (product === 'p' ? ['p:x:a', 'p:x:b', 'p:x:c'] : [`${product}:x:a`]),
}

const rowText = (row: AccessRow) =>
  `${row.identities.join(' ')} | ${row.actions.join(' ')} | ${row.resources.join(' ')}: ${rowLine({
    [row.verdict === row.reason ? row.verdict : `${row.verdict} ${row.reason}`]: true,
    ...causesOf(row),
  })}`

function linesOf({ rows, complete, reasons }: DescribedAccess): readonly string[] {
  expect(complete).toBe(reasons.length === 0)
  return [...rows.map(rowText), ...reasons.map((reason) => `! ${reason}`)].map(shortUrns)
}

const noon = Date.parse('2026-07-01T12:00:00Z')
const past = '2026-06-01T00:00:00Z'
const tag = (key: string, value: string) => ({ [`resource.Tag(${key})`]: value })
const hour = (from: number, to: number) => ({ 'date(UTC).Hour.GE': `${from}`, 'date(UTC).Hour.LT': `${to}` })

/** Of all that a world describes, at noon, where nothing else is said. */
function lines(world: World, asked: Partial<AskedAccess> = {}): readonly string[] {
  return linesOf(describedAccess({ account: 'zz', ...world }, { ...knownNamesIn([world]), actionsOf, given: { at: noon }, ...asked }))
}

interface Row {
  readonly name: string
  readonly policies: readonly ShortPolicy[]
  readonly world?: ShortWorld
  readonly asked?: Partial<AskedAccess>
  readonly account?: string
  readonly owners?: Readonly<Record<string, string>>
  readonly says: readonly string[]
}

const resources = { 't:a': {}, 't:b': {}, 'u:a': {} }
const members = { 'user:a/u': [], 'user:a/v': [] }
const both: ShortWorld = { resources, members }

const table: readonly Row[] = [
  {
    name: 'reasons are sorted',
    policies: [
      { name: 'a', on: ['t:a'], groups: ['svc:z'] },
      { name: 'b', on: ['t:b'], groups: ['svc:b'] },
    ],
    world: both,
    says: [
      'user:a/u | p:x:a p:x:b p:x:c q:x:a | t:a: unknown; if: and("permissionsGroup:svc:z allows it",not("permissionsGroup:svc:z denies it")); missing: permissionsGroup:svc:z',
      'user:a/u | p:x:a p:x:b p:x:c q:x:a | t:b: unknown; if: and("permissionsGroup:svc:b allows it",not("permissionsGroup:svc:b denies it")); missing: permissionsGroup:svc:b',
      '! permissions group `svc:b` is not described: it may allow or deny',
      '! permissions group `svc:z` is not described: it may allow or deny',
    ],
  },
  {
    name: 'two conditions of which one always holds',
    policies: [
      { name: 'is', on: ['t:a'], allow: ['p:x:a'], when: { 'request.IP': '192.0.2.4' } },
      { name: 'is not', on: ['t:a'], allow: ['p:x:a'], when: { operator: 'NOT', conditions: [match({ 'request.IP': '192.0.2.4' })] } },
    ],
    world: both,
    says: ['user:a/u | p:x:a | t:a: allow granted; by: is allow p:x:a, is not allow p:x:a'],
  },
  {
    name: 'the same policies, one by a permissions group and the other not',
    policies: [
      { name: 'a', on: ['t:a'], allow: ['p:x:a'], groups: ['svc:b'] },
      { name: 'b', on: ['t:a'], allow: ['p:x:b'], groups: ['svc:a'] },
    ],
    world: { ...both, permissionsGroups: { 'svc:a': { allow: ['p:x:a'] }, 'svc:b': { allow: ['p:x:b'] } } },
    says: ['user:a/u | p:x:a p:x:b | t:a: allow granted; by: a allow p:x:a, b allow p:x:b, b allow p:x:a (svc:a), a allow p:x:b (svc:b)'],
  },
  { name: 'nothing is granted', policies: [{ deny: ['*'] }], world: both, says: [] },
  {
    name: 'one row for what is granted alike',
    policies: [{ name: 'all', who: ['user:a/v', 'user:a/u'], on: ['*'], allow: ['p:x:a', 'p:x:b', '*:x:c'] }],
    world: both,
    says: [
      'user:a/u user:a/v | p:x:a p:x:b p:x:c | t:a t:b: allow granted; by: all allow p:x:a, all allow p:x:b, all allow *:x:c',
      'user:a/u user:a/v | p:x:a | u:a: allow granted; by: all allow p:x:a',
    ],
  },
  {
    name: 'rows of some resources, of some identities, of some actions',
    policies: [
      { name: 'one', on: ['t:a'], allow: ['p:x:a'] },
      { name: 'two', on: ['t:b'], allow: ['p:x:a', 'p:x:b'] },
      { name: 'v', who: ['user:a/v'], on: ['t:b'], allow: ['p:x:b', 'q:*'] },
      { name: 'w', who: ['user:a/w', 'user:a/x'], on: ['t:b'], allow: ['q:*'] },
    ],
    world: { resources, members: { ...members, 'user:a/w': [], 'user:a/x': [] } },
    says: [
      'user:a/u | p:x:a | t:a: allow granted; by: one allow p:x:a',
      'user:a/u | p:x:a p:x:b | t:b: allow granted; by: two allow p:x:a, two allow p:x:b',
      'user:a/v | p:x:b q:x:a | t:b: allow granted; by: v allow p:x:b, v allow q:*',
      'user:a/w user:a/x | q:x:a | t:b: allow granted; by: w allow q:*',
    ],
  },
  {
    name: 'rows of the same policies are one, with the entries of each',
    policies: [{ name: 'p', who: ['user:a/v', 'user:a/u'], on: ['t:b', 't:a'], allow: ['p:x:c', 'p:x:a', 'q:*', 'p:x:c'] }],
    world: both,
    says: ['user:a/u user:a/v | p:x:a p:x:c q:x:a | t:a t:b: allow granted; by: p allow p:x:c, p allow p:x:a, p allow q:*, p allow p:x:c'],
  },
  {
    name: 'denied for good, at times, and where it is not granted',
    policies: [
      { name: 'all', on: ['t:*'], allow: ['p:*'] },
      { name: 'more', on: ['t:a'], allow: ['p:x:a'] },
      { name: 'no', on: ['t:a'], deny: ['p:x:a', '*:a', 'q:*'] },
      { name: 'if', on: ['t:b'], deny: ['p:x:b'], when: { 'request.IP.IN_RANGE': '192.0.2.0/24' } },
      { name: 'past', on: ['t:*'], deny: ['p:x:c'], until: past },
    ],
    world: both,
    says: [
      'user:a/u | p:x:a | t:a: deny denied; by: no deny p:x:a, no deny *:a',
      'user:a/u | p:x:b p:x:c | t:a: allow granted; by: all allow p:*',
      'user:a/u | p:x:a p:x:c | t:b: allow granted; by: all allow p:*',
      'user:a/u | p:x:b | t:b: unknown; if: not(["ip","","IN_RANGE",["4:3221225984-3221226239"]]); missing: request.IP; by: all allow p:*, if deny p:x:b',
    ],
  },
  {
    name: 'conditions: those of the tags settle, the others stay',
    policies: [
      { name: 'k', on: ['t:*'], allow: ['p:x:a'], when: tag('k', 'a') },
      { name: 'net', on: ['t:*'], allow: ['p:x:b', 'p:x:a'], when: { 'request.IP': '192.0.2.4' } },
      { name: 'not', on: ['t:*'], deny: ['p:x:b'], when: { operator: 'NOT', conditions: [match(tag('k', 'b'))] } },
    ],
    world: { members, resources: { 't:a': { k: 'a' }, 't:b': { k: 'b' }, 't:c': { k: 'b' }, 't:d': {} } },
    says: [
      'user:a/u | p:x:a | t:a: allow granted; by: k allow p:x:a, net allow p:x:a',
      'user:a/u | p:x:b | t:a t:d: deny denied; by: not deny p:x:b',
      'user:a/u | p:x:a p:x:b | t:b t:c: unknown; if: ["ip","","EQ",["4:3221225988-3221225988"]]; missing: request.IP; by: net allow p:x:b, net allow p:x:a',
      'user:a/u | p:x:a | t:d: unknown; if: ["ip","","EQ",["4:3221225988-3221225988"]]; missing: request.IP; by: net allow p:x:a',
    ],
  },
  {
    name: 'tags that are not known',
    policies: [
      { name: 'k', on: ['t:a', 't:b'], allow: ['p:x:a'], when: tag('k', 'a') },
      { name: 'no', on: ['t:a'], deny: ['p:*'], when: tag('e', 'a') },
      { name: 'never', on: ['t:b'], deny: ['p:*'], when: { ...tag('e', 'a'), 'resource.Type': 'u' } },
    ],
    world: { members },
    says: [
      'user:a/u | p:x:a | t:a: unknown; if: and(["tag","k","EQ",["a"]],not(["tag","e","EQ",["a"]])); missing: resource.Tag(e), resource.Tag(k); by: k allow p:x:a, no deny p:*',
      'user:a/u | p:x:a | t:b: unknown; if: ["tag","k","EQ",["a"]]; missing: resource.Tag(k); by: k allow p:x:a',
    ],
  },
  {
    name: 'an account on what it owns, and on the rest',
    policies: [{ name: 'own', who: ['account:ab', 'user:a/u'], on: ['t:b', 'u:*'], allow: ['p:x:a'] }],
    world: { resources },
    account: 'cd',
    owners: { 't:a': 'ab', 't:b': 'ef' },
    says: [
      'account:ab | p:x:a p:x:b p:x:c q:x:a | t:a: allow root',
      'account:ab user:a/u | p:x:a | t:b u:a: allow granted; by: own allow p:x:a',
    ],
  },
  {
    name: 'an account that no policy names',
    policies: [{ name: 'own', on: ['t:b'], allow: ['p:x:a'] }],
    world: { resources },
    account: 'ab',
    asked: { identities: [identityOf('account:ab'), identityOf('user:a/u')], resources: [resourceOf('t:b'), resourceOf('u:a')] },
    says: [
      'account:ab | p:x:a p:x:b p:x:c q:x:a | t:b: allow root',
      'account:ab | p:x:a r:x:a | u:a: allow root',
      'user:a/u | p:x:a | t:b: allow granted; by: own allow p:x:a',
    ],
  },
  {
    name: 'the owner that is given',
    policies: [{ name: 'own', who: ['account:ab'], on: ['t:b'], allow: ['p:x:a'] }],
    world: { resources },
    account: 'cd',
    asked: { given: { at: noon, owner: 'ab' } },
    says: ['account:ab | p:x:a p:x:b p:x:c q:x:a | t:a t:b: allow root', 'account:ab | p:x:a r:x:a | u:a: allow root'],
  },
  {
    name: 'permissions groups that are not known',
    policies: [
      { name: 'far', on: ['t:a'], groups: ['svc:z', 'svc:far'] },
      { name: 'known', on: ['u:a'], groups: ['svc:r'] },
    ],
    world: { resources, members, permissionsGroups: { 'svc:r': { allow: ['r:*', 'p:*'], except: ['p:x:*'], deny: ['z:*'] } } },
    says: [
      'user:a/u | p:x:a p:x:b p:x:c q:x:a | t:a: unknown; if: and(or("permissionsGroup:svc:z allows it","permissionsGroup:svc:far allows it"),not(or("permissionsGroup:svc:z denies it","permissionsGroup:svc:far denies it"))); missing: permissionsGroup:svc:far, permissionsGroup:svc:z',
      'user:a/u | r:x:a | u:a: allow granted; by: known allow r:* (svc:r)',
      '! permissions group `svc:far` is not described: it may allow or deny',
      '! permissions group `svc:z` is not described: it may allow or deny',
    ],
  },
  {
    name: 'by groups of the inventory, and those that are given',
    policies: [
      { name: 'g', who: ['group:a/g'], on: ['t:a'], allow: ['p:x:a'] },
      { name: 'h', who: ['group:a/h'], on: ['u:a'], allow: ['r:*'] },
    ],
    world: { resources, members: { 'user:a/u': ['group:a/g'], 'user:a/v': [] } },
    asked: { given: { at: noon, groups: [identityOf('group:a/h')] } },
    says: [
      'group:a/h user:a/u user:a/v | r:x:a | u:a: allow granted; by: h allow r:*',
      'user:a/u | p:x:a | t:a: allow granted; by: g allow p:x:a',
    ],
  },
  {
    name: 'the address that is given',
    policies: [
      { name: 'net', on: ['t:a'], allow: ['p:x:a'], when: { 'request.IP.IN_RANGE': '192.0.2.0/24' } },
      { name: 'other', on: ['t:b'], allow: ['p:x:a'], when: { 'request.IP': '10.0.0.1' } },
    ],
    world: both,
    asked: { given: { at: noon, ip: readAddress('192.0.2.4') as NonNullable<ReturnType<typeof readAddress>> } },
    says: ['user:a/u | p:x:a | t:a: allow granted; by: net allow p:x:a'],
  },
  {
    name: 'at some time from an instant on',
    policies: [
      { name: 'night', on: ['t:a'], allow: ['p:x:a', 'p:x:c'], when: hour(1, 5) },
      { name: 'old', on: ['t:a'], allow: ['p:*'], until: past },
      { name: 'was', on: ['t:a'], deny: ['*'], until: past },
      { name: 'early', on: ['t:a'], deny: ['p:x:c'], when: hour(0, 6) },
      { name: 'tag', on: ['t:b'], allow: ['p:x:b'], when: { ...hour(1, 5), 'request.IP': '192.0.2.4' } },
      { name: 'day', on: ['t:b', 't:a'], deny: ['p:x:b', 'p:x:a'], when: hour(2, 18) },
      { name: 'contract', on: ['u:a'], allow: ['p:x:a'], until: '2026-12-01T00:00:00Z' },
    ],
    world: both,
    asked: { given: {}, from: noon },
    says: [
      'user:a/u | p:x:a | t:a: allow granted; if: and(["hour","UTC","GE",[1]],["hour","UTC","LT",[5]],not(and(["hour","UTC","GE",[2]],["hour","UTC","LT",[18]]))); by: night allow p:x:a, day deny p:x:a',
      'user:a/u | p:x:c | t:a: deny denied; by: early deny p:x:c',
      'user:a/u | p:x:b | t:b: unknown; if: and(["hour","UTC","GE",[1]],["hour","UTC","LT",[5]],["ip","","EQ",["4:3221225988-3221225988"]],not(and(["hour","UTC","GE",[2]],["hour","UTC","LT",[18]]))); missing: request.IP; by: tag allow p:x:b, day deny p:x:b',
      'user:a/u | p:x:a | u:a: allow granted; if: until 1796083200000; by: contract allow p:x:a',
    ],
  },
  {
    name: 'at any time',
    policies: [
      { name: 'old', on: ['t:a'], allow: ['p:x:a'], until: past },
      { name: 'no', on: ['t:a'], deny: ['p:x:a'], when: hour(1, 5) },
    ],
    world: both,
    asked: { given: {} },
    says: [
      'user:a/u | p:x:a | t:a: allow granted; if: and(until 1780272000000,not(and(["hour","UTC","GE",[1]],["hour","UTC","LT",[5]]))); by: old allow p:x:a, no deny p:x:a',
    ],
  },
  {
    name: 'an action that no catalogue holds',
    policies: [{ name: 'all', on: ['t:a', 'y:a'], allow: ['s:*'] }],
    world: { resources: { ...resources, 'y:a': {} }, members },
    asked: { actionsOf: () => ['s:x:new'] },
    says: ['user:a/u | s:x:new | t:a y:a: allow granted; by: all allow s:*'],
  },
  {
    name: 'actions in the order of the catalogue',
    policies: [{ name: 'all', on: ['t:a'], allow: ['*'] }],
    world: { resources: { 't:a': {} }, members },
    asked: { actionsOf: () => ['q:x:a', 'p:x:a'] },
    says: ['user:a/u | q:x:a p:x:a | t:a: allow granted; by: all allow *'],
  },
  {
    name: 'a pair of classes of which no action counts',
    policies: [{ name: 'all', on: ['*'], allow: ['*'] }],
    world: { resources: { 'y:a': {} }, members },
    says: [],
  },
  {
    name: 'rows of several policies in any order',
    policies: [
      { name: 'a', who: ['user:a/u'], on: ['t:a'], allow: ['p:x:a'] },
      { name: 'b', who: ['user:a/u', 'user:a/v'], on: ['t:*'], allow: ['p:x:a', 'p:x:b'] },
      { name: 'c', who: ['user:a/v'], on: ['t:a'], allow: ['p:x:*'] },
      { name: 'd', who: ['user:a/u', 'user:a/v'], on: ['t:b'], allow: ['*:x:b'] },
    ],
    world: both,
    says: [
      'user:a/u | p:x:a | t:a: allow granted; by: a allow p:x:a, b allow p:x:a',
      'user:a/u | p:x:b | t:a: allow granted; by: b allow p:x:b',
      'user:a/u user:a/v | p:x:a | t:b: allow granted; by: b allow p:x:a',
      'user:a/u user:a/v | p:x:b | t:b: allow granted; by: b allow p:x:b, d allow *:x:b',
      'user:a/v | p:x:a p:x:b | t:a: allow granted; by: b allow p:x:a, b allow p:x:b, c allow p:x:*',
      'user:a/v | p:x:c | t:a: allow granted; by: c allow p:x:*',
    ],
  },
]

describe('access of what is described', () => {
  test.each(table)('$name', ({ policies, world, asked, account, owners = {}, says }) => {
    const given = owned(shortWorld(policies, world), { ...(account !== undefined && { account }), owners })
    expect(lines(given, asked)).toEqual(says)
  })

  test('is not complete where the owner of a resource is not known', () => {
    const world = shortWorld([{ on: ['t:a'], allow: ['p:x:a'] }], both)
    const things = { identities: [identityOf('user:a/u')], actionsOf }
    const reasonsOf = (given: World, owner?: string, some = ['t:a', 't:b']) =>
      describedAccess(given, { ...things, resources: some.map(resourceOf), given: { at: noon, ...(owner !== undefined && { owner }) } })
        .reasons
    const unknown = ['the account that owns a resource is always allowed, and it is not known which one that is']
    expect(reasonsOf(world)).toEqual(unknown)
    expect(reasonsOf(world, 'ab')).toEqual([])
    expect(reasonsOf(owned(world, { account: 'ab' }))).toEqual([])
    expect(reasonsOf(owned(world, { owners: { 't:a': 'ab' } }))).toEqual(unknown)
    expect(reasonsOf(owned(world, { owners: { 't:a': 'ab', 't:b': 'ab' } }))).toEqual([])
    expect(reasonsOf(owned(world, { owners: { 't:a': 'ab' } }), undefined, ['t:a'])).toEqual([])
    expect(reasonsOf(world, undefined, [])).toEqual([])
  })

  test('says where it is not known whether more is certain', () => {
    // Nothing fulfils it, which shows only once every tag has a value.
    const free = { operator: 'OR', conditions: Array.from({ length: 25 }, (_, i) => match(tag(`k${i}`, 'x'))) }
    const when = { operator: 'AND', conditions: [free, match(tag('z', 'x')), { operator: 'NOT', conditions: [match(tag('z', 'x'))] }] }
    const [row, ...reasons] = lines(shortWorld([{ on: ['t:a'], allow: ['p:x:a'], when }]))
    expect(row).toMatch(/^user:a\/u \| p:x:a \| t:a: unknown; if: /)
    expect(reasons).toEqual(['! the conditions leave too many combinations of facts to try them all: more may be certain than is shown'])
  })
})

describe('what a pattern designates', () => {
  const world = shortWorld(
    [
      { who: ['user:a/x', 'user:b/*', 'group:a/n', 'group:a/p*', 'account:ab'], on: ['t:c', 'u:*', '#m'], allow: ['*'] },
      { who: ['group:a/g'], on: ['t:b'], allow: ['*'] },
    ],
    {
      resources: { 't:b': {}, 't:a': {}, 'u:a': {} },
      resourceGroups: { '#m': ['t:z', 'v:a'] },
      members: { 'user:a/v': ['group:a/g', 'group:b/h'], 'user:a/u': ['group:a/g'], 'credential:a/oauth2-u': [] },
    },
  )
  const short = (texts: readonly string[]) => texts.map(shortUrns)

  test.each<[string, readonly string[]]>([
    ['user:*', ['user:a/u', 'user:a/v', 'user:a/x']],
    ['user:a/v', ['user:a/v']],
    ['user:b/*', []],
    ['credential:*', ['credential:a/oauth2-u']],
    ['account:*', ['account:ab']],
    ['group:*', ['group:a/g', 'group:a/n', 'group:b/h']],
    ['group:a/*', ['group:a/g', 'group:a/n']],
    ['group:a/n', ['group:a/n']],
    ['group:a/z', []],
  ])('%s', (pattern, expected) => {
    expect(short(identitiesMatching(world, glob(identityOf(pattern))))).toEqual(expected)
  })

  test('any identity: groups only where no identity is in them', () => {
    expect(short(identitiesMatching(world, glob('*')))).toEqual([
      'account:ab',
      'credential:a/oauth2-u',
      'group:a/n',
      'user:a/u',
      'user:a/v',
      'user:a/x',
    ])
  })

  test.each<[string, readonly string[]]>([
    ['t:*', ['t:a', 't:b', 't:c', 't:z']],
    ['*:a', ['t:a', 'u:a', 'v:a']],
    ['t:a', ['t:a']],
    ['w:*', []],
  ])('%s', (pattern, expected) => {
    expect(short(resourcesMatching(world, glob(resourceOf(pattern))))).toEqual(expected)
  })

  test('the actions of a type', () => {
    const known = ['p:x:a', 'p:x:b', 'p:x:c', 'q:x:a', 'r:x:a']
    const of = (pattern: string) => actionsMatching(new ActionsByType(catalogue), pattern, (action) => known.includes(action))
    expect(['t', 'u', 'v'].map(of('*:a'))).toEqual([['p:x:a', 'q:x:a'], ['p:x:a', 'r:x:a'], []])
    expect(['t', 'u', 'v'].map(of('q:x:a'))).toEqual([['q:x:a'], [], []])
    // An action that the catalogue does not know may be about whatever its product serves; a pattern is about what it knows.
    expect(['t', 'u', 'v'].map(of('q:x:new'))).toEqual([['q:x:new'], [], ['q:x:new']])
    expect(['t', 'u'].map(of('z:*'))).toEqual([[], []])
    const once = of('p:*')
    expect(once('t')).toEqual(['p:x:a', 'p:x:b', 'p:x:c'])
    expect(once('t')).toBe(once('t'))
  })

  test('the accounts that own resources', () => {
    const of = (given: World, owner?: string, some = ['t:b', 't:a', 'ca/t:a']) => short(ownersOf(given, some.map(resourceOf), owner))
    expect(of(world)).toEqual([])
    expect(of(owned(world, { account: 'cd' }))).toEqual(['urn:v1:ca:identity:account:cd', 'account:cd'])
    expect(of(owned(world, { account: 'cd', owners: { 't:a': 'ab', 't:b': 'ef' } }))).toEqual([
      'urn:v1:ca:identity:account:cd',
      'account:ab',
      'account:ef',
    ])
    expect(of(owned(world, { owners: { 't:a': 'ab' } }))).toEqual(['account:ab'])
    expect(of(owned(world, { owners: { 't:a': 'ab' }, account: 'cd' }), 'gh')).toEqual(['urn:v1:ca:identity:account:gh', 'account:gh'])
  })
})
