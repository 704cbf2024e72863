import { describe, expect, test } from 'vitest'
import type { World } from '../../src/policy.ts'
import { decide } from '../../src/simulate/decide.ts'
import {
  type ActionsByType,
  type Cell,
  type Class,
  Described,
  isAbout,
  isDescribed,
  isGranting,
  isRoot,
  type KnownNames,
  knownNamesIn,
  Lookups,
  type RequestContext,
  whenAllowed,
  whenGranted,
} from '../../src/symbolic/described.ts'
import { evaluate, type Formula, isNever } from '../../src/symbolic/formula.ts'
import type { Region } from '../../src/symbolic/regions.ts'
import { describesAnything } from '../../src/world.ts'
import { clauseLine, formulaLine, owned, shortUrns } from '../support/answer-lines.ts'
import { actions, gridFor, instants } from '../support/grid.ts'
import { identityOf, resourceOf, type ShortPolicy, type ShortWorld, shortWorld } from '../support/short.ts'
import { generate, randomOf, worldOf } from '../support/worlds.ts'

const short = (texts: readonly string[]) => texts.map(shortUrns)
const tag = (key: string, value: string) => ({ [`resource.Tag(${key})`]: value })

describe('the things that worlds mention', () => {
  const said = ({ identities, resources }: KnownNames) => [short(identities), short(resources)]

  test('are those described, those named whole, and groups of which no member is described', () => {
    const world = shortWorld(
      [
        {
          who: ['user:b/z', 'user:b/*', 'group:a/n', 'group:a/g', 'group:a/*', 'account:ab'],
          on: ['u:z', 'u:*', '#m', '#far'],
          allow: ['*'],
        },
        { who: ['user:a/u'], on: ['t:a'], deny: ['*'] },
      ],
      {
        members: { 'user:a/v': ['group:a/g'], 'user:a/u': [] },
        resources: { 't:b': {}, 't:a': {} },
        resourceGroups: { '#m': ['v:b', 'v:a'] },
      },
    )
    expect(said(knownNamesIn([world]))).toEqual([
      ['account:ab', 'group:a/n', 'user:a/u', 'user:a/v', 'user:b/z'],
      ['t:a', 't:b', 'u:z', 'v:a', 'v:b'],
    ])
  })

  test('of several worlds are those of each; a group counts where no identity in any is in it', () => {
    const first = shortWorld([{ who: ['group:a/g', 'group:a/h'], allow: ['*'], on: ['t:b'] }])
    const second = shortWorld([{ who: ['user:a/u'], allow: ['*'], on: ['t:a'] }], { members: { 'user:a/v': ['group:a/h'] } })
    expect(said(knownNamesIn([first, second]))).toEqual([
      ['group:a/g', 'user:a/u', 'user:a/v'],
      ['t:a', 't:b'],
    ])
    expect(said(knownNamesIn([second, first]))).toEqual(said(knownNamesIn([first, second])))
    expect(said(knownNamesIn([]))).toEqual([[], []])
  })
})

describe('whether worlds describe an account', () => {
  const nothing = shortWorld([{ allow: ['*'] }])
  const who = shortWorld([], { members: { 'user:a/u': [] } })
  const on = shortWorld([], { resources: { 't:a': {} } })
  const mentionedOf = (world: World): World => ({
    ...world,
    resources: new Map([...world.resources].map(([urn, resource]) => [urn, { ...resource, mentioned: true as const }])),
  })
  const mentioned = mentionedOf(on)
  const partly: World = { ...on, resources: new Map([...shortWorld([], { resources: { 't:b': {} } }).resources, ...mentioned.resources]) }

  test.each<[string, readonly World[], isDescribed: boolean, describes: boolean]>([
    ['none', [], false, false],
    ['one without anything', [nothing], false, false],
    ['identities', [who], false, true],
    ['resources', [on], false, true],
    ['resources that are only mentioned', [mentioned], false, false],
    ['identities, and resources that are only mentioned', [who, mentioned], false, true],
    ['both, each in one', [who, on], true, true],
    ['both, after one without anything', [nothing, who, on], true, true],
    ['some resources that are more than mentioned', [who, partly], true, true],
    ['the same without identities', [nothing, partly], false, true],
  ])('%s', (_, worlds, known, describes) => {
    expect([isDescribed(worlds), describesAnything(worlds)]).toEqual([known, describes])
  })
})

const classLine = ({ names, policies, type, isAccount }: Class) =>
  `${short(names).join(' ')}: ${policies.map((own) => own.join(' ')).join(' / ')}${type && ` (${type})`}${isAccount ? ' account' : ''}`

describe('classes', () => {
  const classesOf = (worlds: readonly World[], given: RequestContext = {}) => {
    const { identities, resources } = new Described(worlds, knownNamesIn(worlds), given)
    return [identities.map(classLine), resources.map(classLine)]
  }

  test('of identities: those that the same policies are about, each account for itself', () => {
    const world = shortWorld(
      [
        { who: ['user:a/u', 'user:b/*'], allow: ['*'], on: ['t:a'] },
        { who: ['group:a/g'], allow: ['*'], on: ['t:a'] },
        { who: ['user:*', 'account:ab', 'account:cd'], allow: ['*'], on: ['t:a'] },
      ],
      { members: { 'user:a/u': [], 'user:a/v': ['group:a/g'], 'user:a/w': [], 'user:b/x': [], 'user:b/y': ['group:a/g', 'group:a/z'] } },
    )
    expect(classesOf([world])[0]).toEqual([
      'account:ab: 2 account',
      'account:cd: 2 account',
      'user:a/u user:b/x: 0 2',
      'user:a/v: 1 2',
      'user:a/w: 2',
      'user:b/y: 0 1 2',
    ])
    expect(classesOf([world], { groups: [identityOf('group:a/g')] })[0]).toEqual([
      'account:ab: 1 2 account',
      'account:cd: 1 2 account',
      'user:a/u user:b/x user:b/y: 0 1 2',
      'user:a/v user:a/w: 1 2',
    ])
  })

  test('of two worlds: by the policies of both', () => {
    const members = { 'user:a/u': ['group:a/g'], 'user:a/v': [], 'user:a/w': [] }
    const before = shortWorld(
      [
        { who: ['user:a/v'], on: ['t:a'], allow: ['*'] },
        { who: ['user:*'], on: ['*'], allow: ['*'] },
      ],
      { members },
    )
    const after = shortWorld(
      [
        { who: ['group:a/g'], on: ['t:*'], allow: ['*'] },
        { who: ['user:a/w'], on: ['t:b'], allow: ['*'] },
      ],
      { members },
    )
    expect(classesOf([before, after])).toEqual([
      ['user:a/u: 1 / 0', 'user:a/v: 0 1 / ', 'user:a/w: 1 / 1'],
      ['t:a: 0 1 / 0 (t)', 't:b: 1 / 0 1 (t)'],
    ])
  })

  type Of = readonly [
    name: string,
    policies: readonly ShortPolicy[],
    described: ShortWorld['resources'],
    expected: readonly string[],
    given?: RequestContext,
  ]
  const resources: readonly Of[] = [
    ['by their type', [{ on: ['*'], allow: ['*'] }], { 't:a': {}, 'u:a': {}, 't:b': {} }, ['t:a t:b: 0 (t)', 'u:a: 0 (u)']],
    [
      'by the policies about them',
      [
        { on: ['t:a*', 't:c'], allow: ['*'] },
        { on: ['t:*'], deny: ['*'] },
      ],
      { 't:a': {}, 't:ab': {}, 't:b': {}, 't:c': {} },
      ['t:a t:ab t:c: 0 1 (t)', 't:b: 1 (t)'],
    ],
    [
      'by the tags that these look at',
      [
        { on: ['t:*'], allow: ['*'], when: tag('k', 'a') },
        { on: ['t:c', 't:d'], allow: ['*'] },
      ],
      { 't:a': { k: 'a', e: 'a' }, 't:b': { k: 'a', e: 'b' }, 't:c': { k: 'b' }, 't:d': { e: 'a' }, 't:e': { k: 'b' }, 't:f': { k: '' } },
      ['t:a t:b: 0 (t)', 't:c: 0 1 (t)', 't:d: 0 1 (t)', 't:e: 0 (t)', 't:f: 0 (t)'],
    ],
    [
      'by several tags, in whatever order',
      [
        { on: ['t:*'], allow: ['*'], when: { ...tag('k', 'a'), ...tag('e', 'a') } },
        { on: ['t:*'], allow: ['*'], when: tag('e', 'b') },
      ],
      { 't:a': { k: 'a', e: 'b' }, 't:b': { e: 'b', k: 'a' }, 't:c': { k: 'b', e: 'a' }, 't:d': { k: 'a' }, 't:e': { e: 'a' } },
      ['t:a t:b: 0 1 (t)', 't:c: 0 1 (t)', 't:d: 0 1 (t)', 't:e: 0 1 (t)'],
    ],
    [
      'not by what no policy looks at',
      [{ on: ['t:*'], allow: ['*'], when: { 'request.IP': '192.0.2.4', 'date(UTC).Hour.LT': '5', 'request.Mood': 'good' } }],
      { 't:a': { k: 'a' }, 't:b': { k: 'b', UTC: 'a' }, 't:c': {} },
      ['t:a t:b t:c: 0 (t)'],
    ],
    [
      'by the name where a policy about them looks at it',
      [
        { on: ['t:*'], allow: ['*'], when: { ...tag('k', 'a'), 'resource.Name.STARTS_WITH': 'a' } },
        { on: ['u:*'], allow: ['*'], when: { 'resource.Type': 'u' } },
      ],
      { 't:a': { k: 'a' }, 't:b': { k: 'a' }, 'u:a': {}, 'u:b': {} },
      ['t:a: 0 (t)', 't:b: 0 (t)', 'u:a u:b: 1 (u)'],
    ],
    [
      'by the name, be there others that do not look at it',
      [
        { on: ['t:*'], allow: ['*'], when: { 'resource.Name.STARTS_WITH': 'a' } },
        { on: ['t:*'], deny: ['p:*'] },
      ],
      { 't:a': {}, 't:b': {} },
      ['t:a: 0 1 (t)', 't:b: 0 1 (t)'],
    ],
    [
      'all alike where the tags are given',
      [{ on: ['t:*'], allow: ['*'], when: tag('k', 'a') }],
      { 't:a': { k: 'a' }, 't:b': {} },
      ['t:a t:b: 0 (t)'],
      { tags: new Map([['k', 'b']]) },
    ],
    [
      'apart from those of which the tags are not known',
      [{ on: ['t:*', 't:z', 't:y'], allow: ['*'], when: tag('k', 'a') }],
      { 't:a': {} },
      ['t:a: 0 (t)', 't:y t:z: 0 (t)'],
    ],
  ]

  test.each(resources.map((row) => [row[0], row] as const))('of resources: %s', (_, [, policies, described = {}, expected, given = {}]) => {
    expect(classesOf([shortWorld(policies, { resources: described })], given)[1]).toEqual(expected)
  })

  test('of resources: by their owners in each world', () => {
    const world = shortWorld([{ on: ['*'], allow: ['*'] }], { resources: { 't:a': {}, 't:b': {}, 't:c': {} } })
    const first = owned(world, { owners: { 't:a': 'ab', 't:b': 'ab' } })
    expect(classesOf([first])[1]).toEqual(['t:a t:b: 0 (t)', 't:c: 0 (t)'])
    expect(classesOf([first, owned(world, { owners: { 't:b': 'ab' } })])[1]).toEqual(['t:a: 0 / 0 (t)', 't:b: 0 / 0 (t)', 't:c: 0 / 0 (t)'])
  })

  test('of resources: by the groups that they are in, or may be', () => {
    const policies: readonly ShortPolicy[] = [
      { on: ['#m'], allow: ['*'] },
      { on: ['#far'], allow: ['*'] },
      { on: ['#m', '#other', 't:d'], deny: ['*'] },
    ]
    const world = shortWorld(policies, {
      resourceGroups: { '#m': ['t:a', 't:b'] },
      resources: { 't:a': {}, 't:b': {}, 't:c': {}, 't:d': {}, 't:e': {} },
    })
    expect(classesOf([world])[1]).toEqual(['t:a t:b: 0 1 2 (t)', 't:c t:e: 1 2 (t)', 't:d: 1 2 (t)'])
    const known = shortWorld([policies[0] as ShortPolicy], { resourceGroups: { '#m': ['t:a', 't:b'] }, resources: { 't:c': {} } })
    expect(classesOf([known])[1]).toEqual(['t:a t:b: 0 (t)', 't:c:  (t)'])
  })
})

const regionLine = ({ effect, policy, formula }: Cell['allows'][number]) =>
  `${policy.name.value} ${effect}${formulaLine(formula) && ` if ${formulaLine(formula)}`}`
const cellLines = ({ allows, denies, isRoot: root }: Cell) => [
  ...allows.map(regionLine),
  ...denies.map(regionLine),
  ...(root ? ['root'] : []),
]

function classOf(classes: readonly Class[], urn: string): Class {
  const found = classes.find(({ names }) => names.includes(urn))
  if (!found) throw new Error(urn)
  return found
}

const pairOf = ({ identities, resources }: Described, who: string, on: string) =>
  [classOf(identities, identityOf(who)), classOf(resources, resourceOf(on))] as const

describe('what is said of a pair of classes', () => {
  const policies: readonly ShortPolicy[] = [
    { name: 'a', who: ['user:a/u'], on: ['t:*'], allow: ['p:*'], deny: ['q:*'], when: tag('k', 'a') },
    { name: 'b', who: ['user:*'], on: ['t:a', 't:b', 'u:*'], allow: ['p:x:a'], when: { 'request.IP': '192.0.2.4' } },
    { name: 'c', who: ['user:a/u', 'account:ab'], on: ['*'], deny: ['p:x:a'] },
  ]
  const world = shortWorld(policies, {
    members: { 'user:a/u': [], 'user:a/v': [], 'user:b/w': [] },
    resources: { 't:a': { k: 'a' }, 't:b': { k: 'b' }, 't:c': { k: 'a' }, 't:d': { k: 'a', e: 'b' }, 'u:a': { k: 'a' } },
  })
  const described = new Described([world, { ...world, policies: [] }], knownNamesIn([world]))
  const cellOf = (who: string, on: string, side = 0) => described.cell(side, ...pairOf(described, who, on))
  const ip = 'if ["ip","","EQ",["4:3221225988-3221225988"]]'

  test.each<[string, string, readonly string[]]>([
    ['user:a/u', 't:a', ['a allow', `b allow ${ip}`, 'a deny', 'c deny']],
    ['user:a/u', 't:b', [`b allow ${ip}`, 'c deny']],
    ['user:a/u', 't:c', ['a allow', 'a deny', 'c deny']],
    ['user:a/u', 'u:a', [`b allow ${ip}`, 'c deny']],
    ['user:a/v', 't:a', [`b allow ${ip}`]],
    ['user:a/v', 't:c', []],
    ['account:ab', 't:c', ['c deny']],
  ])('%s on %s', (who, on, expected) => {
    expect(cellLines(cellOf(who, on))).toEqual(expected)
  })

  test('is nothing in a world without policies', () => {
    expect(cellLines(cellOf('user:a/u', 't:a', 1))).toEqual([])
  })

  test('is the same object for pairs that are alike', () => {
    expect(cellOf('user:a/u', 't:a')).toBe(cellOf('user:a/u', 't:a'))
    expect(cellOf('user:a/v', 't:c')).toBe(cellOf('user:b/w', 't:d'))
    expect(cellOf('user:a/u', 't:c')).not.toBe(cellOf('user:a/u', 't:a'))
  })

  test('counts the policies that are asked for alone', () => {
    const [who, on] = pairOf(described, 'user:a/u', 't:a')
    expect(cellLines(described.cell(0, who, on, [0]))).toEqual(['a allow', 'a deny'])
    expect(cellLines(described.cell(0, who, on, [1, 2]))).toEqual([`b allow ${ip}`, 'c deny'])
    expect(cellLines(described.cell(0, who, on, []))).toEqual([])
  })

  test('is that the account owns it, whatever policies say', () => {
    const of = (given: World, on: string, more: RequestContext = {}) => {
      const it = new Described([given], knownNamesIn([given]), more)
      return cellLines(it.cell(0, ...pairOf(it, 'account:ab', on)))
    }
    const mine = owned(world, { account: 'ab', owners: { 't:b': 'cd' } })
    expect(of(mine, 't:a')).toEqual(['root'])
    expect(of(mine, 't:b')).toEqual(['c deny'])
    expect(of(mine, 't:b', { owner: 'ab' })).toEqual(['root'])
    expect(of(mine, 't:a', { owner: 'cd' })).toEqual(['c deny'])
    expect(of(world, 't:a')).toEqual(['c deny'])
    expect(isRoot(mine, identityOf('account:ab'), resourceOf('t:a'))).toBe(true)
    expect(isRoot(mine, identityOf('user:ab/u'), resourceOf('t:a'))).toBe(false)
    expect(isRoot(mine, identityOf('account:cd'), resourceOf('t:b'))).toBe(true)
    expect(isRoot(mine, 'account:ab', resourceOf('t:a'))).toBe(false)
    expect(isRoot(mine, identityOf('account:*'), resourceOf('t:a'))).toBe(false)
    expect(isRoot(world, identityOf('account:*'), resourceOf('t:a'))).toBe(false)
  })

  test('rests on membership in groups of which nothing is known', () => {
    const far = shortWorld(
      [
        { name: 'm', on: ['#m', '#far'], allow: ['*'] },
        { name: 'f', on: ['#far'], deny: ['*'], when: tag('k', 'a') },
        { name: 'p', on: ['t:*'], deny: ['p:x:a'] },
      ],
      {
        members: { 'user:a/u': [] },
        resourceGroups: { '#m': ['t:a'] },
        resources: { 't:a': { k: 'a' }, 't:b': { k: 'a' }, 't:c': { k: 'a' }, 't:d': { k: 'b' } },
      },
    )
    const it = new Described([far], knownNamesIn([far]))
    const found = ['t:a', 't:b', 't:c', 't:d'].map((on) => cellLines(it.cell(0, ...pairOf(it, 'user:a/u', on))).map(shortUrns))
    expect(found).toEqual([
      ['m allow', 'f deny if "resourceGroup:#far"', 'p deny'],
      ['m allow if "resourceGroup:#far"', 'f deny if "resourceGroup:#far"', 'p deny'],
      ['m allow if "resourceGroup:#far"', 'f deny if "resourceGroup:#far"', 'p deny'],
      ['m allow if "resourceGroup:#far"', 'p deny'],
    ])
  })
})

describe('groups of actions', () => {
  const all = ['p:x:a', 'p:x:b', 'p:x:c', 'q:x:a', 'q:x:b']
  const world = shortWorld(
    [
      { name: 'one', allow: ['*:a', 'p:x:c'], on: ['t:a'] },
      { name: 'two', allow: ['p:*'], except: ['p:x:c'], on: ['t:a'] },
      { name: 'same', allow: ['p:*'], on: ['t:a'] },
      { name: 'three', deny: ['*:c', 'q:x:b'], on: ['t:a'] },
      { name: 'four', allow: ['q:*'], on: ['t:b'], when: tag('k', 'b') },
      { name: 'five', allow: ['*'], except: ['*:b'], on: ['t:c'] },
      { name: 'six', allow: ['*'], except: ['*:b', 'p:*'], on: ['t:d'] },
    ],
    { members: { 'user:a/u': [] }, resources: { 't:a': {}, 't:b': { k: 'b' }, 't:c': {}, 't:d': {} } },
  )
  const described = new Described([world], knownNamesIn([world]))
  const cellOf = (on: string) => described.cell(0, ...pairOf(described, 'user:a/u', on))
  const named = (regions: Cell['allows']) => regions.map(({ policy }) => policy.name.value).join(' ')

  test('that the same regions are about', () => {
    expect(described.alikeActions([cellOf('t:a')], all)).toEqual([['p:x:a'], ['p:x:b'], ['p:x:c'], ['q:x:a'], ['q:x:b']])
    expect(described.alikeActions([cellOf('t:b')], all)).toEqual([
      ['p:x:a', 'p:x:b', 'p:x:c'],
      ['q:x:a', 'q:x:b'],
    ])
    expect(described.alikeActions([cellOf('t:c')], all)).toEqual([
      ['p:x:a', 'p:x:c', 'q:x:a'],
      ['p:x:b', 'q:x:b'],
    ])
    expect(described.alikeActions([cellOf('t:d')], all)).toEqual([['p:x:a', 'p:x:b', 'p:x:c', 'q:x:b'], ['q:x:a']])
    expect(described.alikeActions([cellOf('t:b'), cellOf('t:c')], all)).toEqual([['p:x:a', 'p:x:c'], ['p:x:b'], ['q:x:a'], ['q:x:b']])
    expect(described.alikeActions([], all)).toEqual([all])
    expect(described.alikeActions([cellOf('t:a')], [])).toEqual([])
  })

  test('among those that some regions grant or deny', () => {
    const { denies, allows } = cellOf('t:a')
    expect(described.alikeActions([cellOf('t:c')], all, denies)).toEqual([['p:x:c'], ['q:x:b']])
    expect(described.alikeActions([cellOf('t:b')], all, allows.slice(0, 1))).toEqual([['p:x:a', 'p:x:c'], ['q:x:a']])
    expect(described.alikeActions([cellOf('t:b')], all, [])).toEqual([])
  })

  test('are the same lists each time', () => {
    expect(described.alikeActions([cellOf('t:b')], all)[0]).toBe(described.alikeActions([cellOf('t:b')], all)[0])
    // Of other actions they are others.
    expect(described.alikeActions([cellOf('t:b')], ['q:x:b', 'p:x:a'])).toEqual([['q:x:b'], ['p:x:a']])
    expect(described.alikeActions([cellOf('t:c')], ['q:x:b', 'p:x:a'])).toEqual([['q:x:b'], ['p:x:a']])
  })

  test('that a cell grants, with the regions of each', () => {
    const partsOf = (on: string, some = all) =>
      described.alikeParts(cellOf(on), some).map((part) => `${part.actions.join(' ')}: ${named(part.allows)} / ${named(part.denies)}`)
    expect(partsOf('t:a')).toEqual(['p:x:a: one two same / ', 'p:x:b: two same / ', 'p:x:c: one same / three', 'q:x:a: one / '])
    expect(partsOf('t:b')).toEqual(['q:x:a q:x:b: four / '])
    expect(partsOf('t:c')).toEqual(['p:x:a p:x:c q:x:a: five / '])
    expect(partsOf('t:b', ['p:x:a'])).toEqual([])
  })

  test('and each of them is granted where the regions say so', () => {
    const cell = cellOf('t:a')
    for (const part of described.alikeParts(cell, all)) {
      for (const action of part.actions) {
        expect(cell.allows.filter((region) => isGranting(region, action))).toEqual(part.allows)
        expect(cell.denies.filter((region) => isAbout(region, action))).toEqual(part.denies)
        expect(formulaLine(whenAllowed(cell, action))).toBe(formulaLine(whenGranted(part)))
      }
    }
    expect(isNever(whenAllowed(cell, 'q:x:b'))).toBe(true)
    expect(isNever(whenAllowed(cell, 'p:x:c'))).toBe(true)
    expect(formulaLine(whenAllowed({ allows: [], denies: cell.denies, isRoot: true }, 'p:x:c'))).toBe('')
    expect(whenGranted({ allows: [], denies: cell.denies }).kind).toBe('or')
    expect(cell.allows.map((region) => region.actions.map(({ value }) => value.text))).toEqual([['*:a', 'p:x:c'], ['p:*'], ['p:*']])
    expect(clauseLine({ policy: cell.denies[0]?.policy as never, list: 'deny', entry: cell.denies[0]?.actions[0] as never })).toBe(
      'three deny *:c',
    )
  })
})

describe('pairs of classes of two worlds', () => {
  const resources = { 't:a': { k: 'a' }, 't:b': { k: 'b' }, 't:c': { k: 'a' }, 'u:a': {} }
  const members = { 'user:a/u': [], 'user:a/v': [] }
  const shared: readonly ShortPolicy[] = [
    { name: 'p', who: ['user:*', 'account:ab'], on: ['*'], allow: ['p:x:a'] },
    { name: 'q', on: ['t:*'], allow: ['q:*'] },
    { name: 'r', on: ['t:a', 't:c'], deny: ['q:x:a'], when: tag('k', 'a') },
  ]
  const before = shortWorld([...shared, { name: 'old', on: ['t:*'], deny: ['q:x:a'] }], { resources, members })
  const after = shortWorld(
    [...shared, { name: 'new', who: ['user:a/v'], on: ['t:*'], allow: ['p:*'] }, { name: 'z', on: ['*'], groups: ['svc:r'] }],
    { resources, members, permissionsGroups: { 'svc:r': { allow: ['z:*'] } } },
  )
  const actionsByType = { of: (type: string) => (type === 't' ? ['p:x:a', 'q:x:a', 'z:x:a'] : ['z:x:a']) } as unknown as ActionsByType
  const edited = { policies: [new Set([3]), new Set([3, 4])], actions: actionsByType }
  const it = new Described([before, after], knownNamesIn([before, after]))
  const of = (who: string, on: string, only = true) => it.pair(...pairOf(it, who, on), only ? edited : undefined)

  test('are decided by their policies', () => {
    expect(of('user:a/u', 't:a', false).policies).toEqual([
      [0, 1, 2, 3],
      [0, 1, 2, 4],
    ])
    expect(of('user:a/v', 't:a', false).policies).toEqual([[0], [0, 3]])
    expect(of('user:a/u', 'u:a', false).policies).toEqual([[0], [0, 4]])
  })

  test('where only some were edited, by those about the actions that these are about', () => {
    expect(of('user:a/u', 't:a').policies).toEqual([
      [1, 2, 3],
      [1, 2, 4],
    ])
    expect(of('user:a/v', 't:a').policies).toEqual([[0], [0, 3]])
    expect(of('user:a/u', 'u:a').policies).toEqual([[], [4]])
    expect(of('user:a/v', 'u:a').policies).toEqual([[], []])
  })

  test('have one key where the worlds say the same of them', () => {
    const keyOf = (who: string, on: string, only?: boolean) => of(who, on, only).key
    expect(keyOf('user:a/u', 't:a')).toBe(keyOf('user:a/u', 't:c'))
    expect(keyOf('user:a/u', 't:a')).not.toBe(keyOf('user:a/u', 't:b'))
    expect(keyOf('user:a/u', 't:a')).not.toBe(keyOf('user:a/u', 't:a', false))
    // All of the policies of this pair count in any case.
    expect(keyOf('user:a/v', 't:a')).toBe(keyOf('user:a/v', 't:a', false))
    expect(keyOf('user:a/v', 't:a')).toBe(keyOf('user:a/v', 't:b'))
    expect(keyOf('user:a/v', 't:a')).not.toBe(keyOf('user:a/v', 'u:a'))
    expect(keyOf('user:a/u', 't:a', false)).not.toBe(keyOf('user:a/v', 't:a', false))
  })

  test('of an account on what it owns are apart from the rest', () => {
    const worlds = [before, after].map((world, i) =>
      owned(world, { account: i === 0 ? 'ab' : 'cd', owners: { 't:c': 'ab', 't:b': 'cd', 't:a': 'cd' } }),
    )
    const mine = new Described(worlds, knownNamesIn(worlds))
    const keyOf = (who: string, on: string) => mine.pair(...pairOf(mine, who, on)).key
    const rootIn = (key: string) => JSON.parse(key)[1]
    expect(keyOf('account:ab', 't:c')).not.toBe(keyOf('account:ab', 't:a'))
    expect(keyOf('account:ab', 't:b')).toBe(keyOf('account:ab', 't:a'))
    expect(rootIn(keyOf('account:ab', 't:c'))).toEqual([true, true])
    expect(rootIn(keyOf('account:ab', 'u:a'))).toEqual([true, false])
    expect(rootIn(keyOf('user:a/u', 't:c'))).toEqual([false, false])
    const given = new Described(worlds, knownNamesIn(worlds), { owner: 'ab' })
    expect(rootIn(given.pair(...pairOf(given, 'account:ab', 't:a')).key)).toEqual([true, true])
  })
})

describe('what is looked up once', () => {
  test('serves several comparisons', () => {
    const world = shortWorld(
      [
        { on: ['t:*'], allow: ['p:*'], except: ['*:b'] },
        { on: ['t:a'], allow: ['p:*'], except: ['*:a'] },
      ],
      { members: { 'user:a/u': [] } },
    )
    const lookups = new Lookups()
    expect(lookups.indexOf(world)).toBe(lookups.indexOf(world))
    expect(lookups.indexOf(world)).not.toBe(lookups.indexOf({ ...world }))
    const [first, second] = [0, 1].map(() => new Described([world], knownNamesIn([world]), {}, lookups)) as [Described, Described]
    expect(second.resources).toEqual(first.resources)
    const all = ['p:x:a', 'p:x:b']
    const cell = first.cell(0, ...pairOf(first, 'user:a/u', 't:a'))
    expect(cell.allows.map((region) => lookups.hitsOf(region, all))).toEqual([1n, 2n])
    expect(cell.allows.map((region) => lookups.hitsOf({ ...region }, all))).toEqual([1n, 2n])
    expect(cell.allows.map((region) => lookups.hitsOf({ ...region, except: [] }, all))).toEqual([3n, 3n])
    expect(
      cell.allows.map((region) => lookups.hitsOf({ ...region, except: [...region.except, ...(cell.allows[1]?.except ?? [])] }, all)),
    ).toEqual([0n, 2n])
    expect(cell.allows.map((region) => lookups.hitsOf(region, ['p:x:b']))).toEqual([0n, 1n])
    // The same entries with other exceptions.
    const [one, two] = cell.allows as [Region, Region]
    expect(lookups.hitsOf({ ...one, except: two.except }, all)).toBe(2n)
    expect(lookups.hitsOf({ ...one, except: [...one.except, ...one.except] }, all)).toBe(1n)
    expect(lookups.hitsOf({ ...one, except: [...two.except, ...one.except] }, all)).toBe(0n)
    expect(lookups.actionsAt(2n, all)).toEqual(['p:x:b'])
    expect(lookups.actionsAt(2n, all)).toBe(lookups.actionsAt(2n, all))
    expect(lookups.actionsAt(3n, ['p:x:c', 'p:x:d'])).toEqual(['p:x:c', 'p:x:d'])
  })
})

describe('agreement with can', () => {
  test.each(Array.from({ length: 12 }, (_, i) => i))('of the cells of a random world (%s)', (seed) => {
    const { world: written } = generate(randomOf(3300 + seed), 0, { policies: 6, conditions: 0.6, missing: 0, groups: 0.3 })
    const world = worldOf({ ...written, resources: written.resources.map((each) => ({ tags: {}, ...each })) })
    const described = new Described([world], knownNamesIn([world]))
    // Each name is tried, though one of a class would do.
    for (const identities of described.identities) {
      for (const resources of described.resources) {
        const cell = described.cell(0, identities, resources)
        const times = new Map<string, Formula>(actions.map((action) => [action, whenAllowed(cell, action)]))
        for (const identity of identities.names) {
          for (const resource of resources.names) {
            for (const { at, ip, tags, model } of gridFor(world, resource, instants.slice(0, 4))) {
              const asked = { identity, resource, groups: [], at, ip, ...(tags && { tags }) }
              const wrong = actions.filter(
                (action) => (decide(world, { ...asked, action }).verdict === 'allow') !== evaluate(times.get(action) as Formula, model),
              )
              if (wrong.length > 0) expect({ identity, resource, at, wrong }).toEqual({ identity, resource, at, wrong: [] })
            }
          }
        }
      }
    }
    expect(described.identities.flatMap(({ names }) => names).sort()).toEqual(knownNamesIn([world]).identities)
  })
})
