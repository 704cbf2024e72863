import { describe, expect, test } from 'vitest'
import { Budget } from '../../src/budget.ts'
import { readAddress } from '../../src/conditions/address.ts'
import { holdsText, stringTest, type Test } from '../../src/conditions/test.ts'
import { glob, matches } from '../../src/glob.ts'
import {
  allOf,
  always,
  anyOf,
  comparison,
  compound,
  evaluate,
  type Formula,
  isAlways,
  isMember,
  type Model,
  never,
  noneOf,
  notBefore,
  openText,
  printFormula,
  until,
} from '../../src/symbolic/formula.ts'
import { type Certainty, Judge, type RequestFacts, truthAt, truthFor } from '../../src/symbolic/known.ts'
import { patternPlace, placeOf } from '../../src/symbolic/place.ts'
import { clausesOf, type Region, regions, unknownPermissions } from '../../src/symbolic/regions.ts'
import { readResourcePattern } from '../../src/urn/resource.ts'
import { testOf } from '../support/condition-tests.ts'
import { identityOf, resourceOf, type ShortPolicy, type ShortWorld, shortName, shortWorld } from '../support/short.ts'
import { pick, type Random, randomOf } from '../support/worlds.ts'

const compare = (key: string, value: string) => comparison(testOf(key, value))
const nothing: RequestFacts = { groups: [] }
const world = shortWorld([], { resources: { 't:a': { k: 'x' }, 't:b': {} }, resourceGroups: { '#m': ['t:a'] } })

function placeAt(short: string) {
  const { value } = readResourcePattern(resourceOf(short))
  if (!value) throw new Error(short)
  return placeOf(value, world)
}

describe('a comparison for one resource', () => {
  const hour = testOf('date().Hour', '9')
  const at = Date.UTC(2026, 5, 1, 9)

  test.each<[string, Test, string, RequestFacts, boolean | undefined]>([
    ['an hour at any time', hour, 't:a', nothing, undefined],
    ['an hour at an instant', hour, 't:a', { ...nothing, at }, true],
    ['an hour at another', hour, 't:a', { ...nothing, at: at + 3_600_000 }, false],
    ['an hour at the beginning of 1970', testOf('date().Hour', '0'), 't:a', { ...nothing, at: 0 }, true],
    ['an address', testOf('request.IP', '192.0.2.1'), 't:a', nothing, undefined],
    ['an address that is given', testOf('request.IP', '192.0.2.1'), 't:a', { ...nothing, ...ipOf('192.0.2.2') }, false],
    ['a tag that the world knows', testOf('resource.Tag(k)', 'x'), 't:a', nothing, true],
    ['a tag that it knows to be missing', testOf('resource.Tag(k)', 'x'), 't:b', nothing, false],
    ['a tag of a resource that it does not know', testOf('resource.Tag(k)', 'x'), 't:c', nothing, undefined],
    ['a tag that is given', testOf('resource.Tag(k)', 'y'), 't:a', { ...nothing, tags: new Map([['k', 'y']]) }, true],
    ['a name', testOf('resource.Name.STARTS_WITH', 'a'), 't:ab', nothing, true],
    ['a type', testOf('resource.Type', 'u'), 't:ab', nothing, false],
  ])('%s', (_, comparing, resource, known, expected) => {
    expect(truthFor(comparing, resourceOf(resource), world, known)).toBe(expected)
    // A pattern without a wildcard, and a resource that is known, are as good.
    expect(truthAt(comparing, patternPlace(glob(resourceOf(resource))), world, known)).toBe(expected)
    expect(truthAt(comparing, placeAt('#m'), world, { ...known, resource: resourceOf(resource) })).toBe(expected)
    expect(truthAt(comparing, placeAt('*'), world, { ...known, resource: resourceOf(resource) })).toBe(expected)
  })

  function ipOf(text: string): { readonly ip?: ReturnType<typeof readAddress> & object } {
    const ip = readAddress(text)
    return ip ? { ip } : {}
  }

  test('says the same of all resources of a place only where names do not count', () => {
    const known = { ...nothing, at, tags: new Map([['k', 'x']]) }
    for (const place of [placeAt('t:*'), placeAt('#m'), placeAt('#o')]) {
      expect(truthAt(hour, place, world, known)).toBe(true)
      expect(truthAt(testOf('resource.Tag(k)', 'x'), place, world, known)).toBe(true)
      expect(truthAt(testOf('resource.Tag(k)', 'x'), place, world, nothing)).toBeUndefined()
      expect(truthAt(hour, place, world, nothing)).toBeUndefined()
      expect(truthAt(testOf('resource.Name', 'b'), place, world, known)).toBeUndefined()
    }
    expect(truthAt(testOf('resource.Type', 't'), placeAt('#m'), world, nothing)).toBeUndefined()
  })
})

describe('a comparison of names', () => {
  const letters = ['a', 'b', ':', 'c']
  const texts = (() => {
    let level = ['']
    const out: string[] = []
    for (let i = 0; i < 4; i++) {
      level = level.flatMap((text) => letters.map((letter) => text + letter))
      out.push(...level)
    }
    return out
  })()
  const comparisons = [
    ...[
      ['EQ', 'a'],
      ['EQ', 'ab'],
      ['EQ', 'a:b'],
      ['IN', 'a, b'],
      ['IN', 'a, c, bb'],
    ],
    ...[
      ['STARTS_WITH', 'a'],
      ['STARTS_WITH', 'ab'],
      ['STARTS_WITH', 'b:'],
      ['ENDS_WITH', 'b'],
      ['ENDS_WITH', 'ab'],
      ['ENDS_WITH', ':a'],
    ],
  ] as const
  const patterns = ['*', 'a*', '*b', 'ab*', 'a*b', 'a', 'b', 'a:b', 'a:*', '*:a', 'bb*', '*a*']

  test.each(comparisons.map((each) => [...each]))('%s %s', (operator, value) => {
    const comparing = testOf(`resource.Name.${operator}`, value)
    for (const name of patterns) {
      const held = texts.filter((text) => matches(glob(name), text)).map((text) => holdsText(comparing, text))
      const expected = held.every((holds) => holds) ? true : held.some((holds) => holds) ? undefined : false
      expect([name, truthAt(comparing, placeAt(`t:${name}`), world, nothing)]).toEqual([name, expected])
      // Which part of it is the name is not known.
      if (name !== 'a:b' && name.includes('*')) expect(truthAt(comparing, placeAt(`t*:${name}`), world, nothing)).toBeUndefined()
    }
  })

  test('is about the type where that is written out', () => {
    const table = [
      ['EQ', 't', true],
      ['EQ', 'u', false],
      ['IN', 'u, t', true],
      ['IN', 'u, v', false],
      ['STARTS_WITH', 't', true],
      ['ENDS_WITH', 's', true],
      ['STARTS_WITH', 's', false],
    ] as const
    for (const [operator, value, expected] of table) {
      const place = operator === 'ENDS_WITH' ? 't/s:*' : 't:*'
      expect([operator, value, truthAt(testOf(`resource.Type.${operator}`, value), placeAt(place), world, nothing)]).toEqual([
        operator,
        value,
        expected,
      ])
    }
    const type = testOf('resource.Type', 't')
    for (const place of ['t*:a*', '*:a*', '*', 't*']) expect(truthAt(type, placeAt(place), world, nothing)).toBeUndefined()
    for (const text of ['*', 'urn:v1:eu:resource:t*', 'urn:v1:*', 'urn:v1:eu:*:a'])
      expect(truthAt(testOf('resource.Name', 'a'), patternPlace(glob(text)), world, nothing)).toBeUndefined()
  })

  test('is left open where a value has a star', () => {
    const starred = (operator: 'EQ' | 'IN', ...values: string[]): Test => stringTest({ kind: 'name', parameter: '' }, operator, values)
    expect(truthAt(starred('EQ', 'a*'), placeAt('t:b*'), world, nothing)).toBeUndefined()
    expect(truthAt(starred('IN', 'a*', 'a'), placeAt('t:a*'), world, nothing)).toBeUndefined()
  })
})

describe('what is certain', () => {
  const fact = (name: string) => isMember(`urn:v1:eu:resourceGroup:${name}`)
  const [a, b] = [fact('a'), fact('b')]
  const isX = compare('resource.Tag(k)', 'x')
  const early = compare('date().Hour.LT', '9')
  const monday = compare('date().WeekDay', 'Monday')
  const paris = compare('date(Europe/Paris).Hour.GE', '9')
  const expiry = Date.UTC(2026, 5, 3)
  const inTime = until(expiry)
  const starts = compare('resource.Name.STARTS_WITH', 'a')
  const named = compare('resource.Name', 'ab')
  const typed = compare('resource.Type', 't')

  /** Two weeks around the expiry, by the hour, and the instants next to it. */
  const instants = [
    ...Array.from({ length: 14 * 24 }, (_, i) => expiry + (i - 7 * 24) * 3_600_000),
    expiry + 1,
    expiry - 1,
    Date.UTC(2025, 0, 6),
    Date.UTC(2027, 11, 6, 12),
  ]
  const times = new Map(
    instants.map((at) => [
      [early, monday, paris, inTime].map((each) => evaluate(each, { tags: new Map(), assumed: new Map(), at })).join(),
      at,
    ]),
  )
  const known = (name: string, type: string) =>
    new Map([
      ['\0name', name],
      ['\0type', type],
    ])
  const others: readonly Pick<Model, 'tags' | 'assumed'>[] = [true, false].flatMap((isA) =>
    [true, false].flatMap((isB) =>
      ['x', 'y', null].map((tag) => ({
        tags: new Map([['k', tag]]),
        assumed: new Map([a, b].flatMap((each, i) => (each.kind === 'fact' ? [[openText(each.is), [isA, isB][i] === true] as const] : []))),
      })),
    ),
  )
  const names = ['a', 'ab', 'b'].flatMap((name) => ['t', 'u'].map((type) => known(name, type)))
  const holds = (formula: Formula, at: number, name: ReadonlyMap<string, string>, other: Pick<Model, 'tags' | 'assumed'>) =>
    evaluate(formula, { at, assumed: other.assumed, tags: new Map([...other.tags, ...name]) }) === true

  function random(of: Random, depth: number, atoms: readonly Formula[]): Formula {
    if (depth === 0 || of() < 0.2) return pick(of, atoms)
    const parts = Array.from({ length: 1 + Math.floor(of() * 3) }, () => random(of, depth - 1, atoms))
    return pick(of, [allOf, anyOf, (list: readonly Formula[]) => noneOf(anyOf(list))])(parts)
  }

  const cases = [
    ['at any time', always],
    ['before an expiry', inTime],
    ['from an instant on', notBefore(expiry + 1)],
    ['at an hour', early],
  ] as const

  test.each(cases)('%s, of formulas, is what holds in all contexts', (_, time) => {
    const of = randomOf(1)
    const judge = new Judge(time)
    const atoms = [a, b, isX, early, monday, inTime]
    const counts = { always: 0, never: 0, depends: 0 }
    for (let i = 0; i < 60; i++) {
      const formula = random(of, 3, atoms)
      const all = [...times.values()]
        .filter((at) => holds(time, at, names[0] as never, others[0] as never))
        .flatMap((at) => others.map((other) => holds(formula, at, names[0] as never, other)))
      const expected: Certainty = all.every((is) => is) ? 'always' : all.some((is) => is) ? 'depends' : 'never'
      expect([printFormula(formula), judge.certainty(formula)]).toEqual([printFormula(formula), expected])
      expect(judge.certainty(formula)).toBe(expected)
      expect(judge.plain(formula, always)).toBe(expected === 'always' ? always : formula)
      counts[expected]++
    }
    expect(judge.isApproximate).toBe(false)
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(0)
  })

  test.each(cases)('%s, at some instant, is what holds then whatever the other facts are', (_, time) => {
    const of = randomOf(2)
    const judge = new Judge(time)
    const atoms = [a, isX, early, monday, paris, inTime]
    let sure = 0
    for (let i = 0; i < 60; i++) {
      const formula = random(of, 3, atoms)
      const counting = [...times.values()].filter((at) => holds(time, at, names[0] as never, others[0] as never))
      const expected = counting.some((at) => others.every((other) => holds(formula, at, names[0] as never, other)))
      expect([printFormula(formula), judge.isSureAtTimes(formula)]).toEqual([printFormula(formula), expected])
      if (expected) sure++
    }
    expect([sure > 0, sure < 60, judge.isApproximate]).toEqual([true, true, false])
  })

  test.each(cases)('%s, somewhere, is what holds for a resource of some name and type, at some instant', (_, time) => {
    const of = randomOf(3)
    const judge = new Judge(time)
    const atoms = [a, isX, early, inTime, starts, named, typed]
    let sure = 0
    for (let i = 0; i < 80; i++) {
      const formula = random(of, 3, atoms)
      const counting = [...times.values()].filter((at) => holds(time, at, names[0] as never, others[0] as never))
      const expected = names.some((name) => counting.some((at) => others.every((other) => holds(formula, at, name, other))))
      expect([printFormula(formula), judge.isSureSomewhere(formula)]).toEqual([printFormula(formula), expected])
      if (expected) sure++
    }
    expect([sure > 0, sure < 80, judge.isApproximate]).toEqual([true, true, false])
  })

  test('chooses names that can be together', () => {
    const judge = new Judge()
    const both = (...formulas: Formula[]) => compound('and', formulas)
    expect(judge.isSureSomewhere(both(named, noneOf(typed)))).toBe(true)
    expect(judge.isSureSomewhere(both(named, noneOf(starts)))).toBe(false)
    expect(judge.isSureSomewhere(both(noneOf(starts), named, isX))).toBe(false)
    expect(judge.isSureSomewhere(anyOf([both(named, noneOf(starts)), both(typed, inTime)]))).toBe(true)
    expect(judge.isSureSomewhere(both(named, isX))).toBe(false)
    expect(judge.isSureSomewhere(never)).toBe(false)
    expect(judge.isSureSomewhere(always)).toBe(true)
    expect(judge.isSureSomewhere(both(typed), [noneOf(typed)])).toBe(false)
    expect(judge.isSureSomewhere(always, [both(named, noneOf(starts))])).toBe(false)
  })

  test('chooses up to six of them', () => {
    const all = (count: number) => allOf(Array.from({ length: count }, (_, i) => noneOf(compare('resource.Name', `n${i}`))))
    const judge = new Judge()
    expect([1, 5, 6, 7].map((count) => judge.isSureSomewhere(all(count)))).toEqual([true, true, true, false])
    expect(judge.isApproximate).toBe(false)
  })

  /** Groups of which it is not known whether any has the resource, each many times, and a tag that is and is not so. */
  const hard = (count: number, size: number, name = 'h') => {
    const groups = Array.from({ length: count }, (_, i) => fact(`${name}${i}`))
    return compound('and', [
      compound(
        'or',
        Array.from({ length: size }, (_, i) => groups[i % count] as Formula),
      ),
      isX,
      compound('not', [isX]),
    ])
  }

  test('depends, where there are too many combinations to decide, and says so', () => {
    const judge = new Judge()
    expect([judge.certainty(hard(4, 4)), judge.isApproximate]).toEqual(['never', false])
    const [formula, opposite] = [hard(12, 500), compound('not', [hard(12, 500, 'o')])]
    expect([judge.certainty(formula), judge.isApproximate]).toEqual(['depends', true])
    const other = new Judge()
    expect([other.certainty(opposite), other.isApproximate]).toEqual(['depends', true])
    expect(other.certainty(never)).toBe('never')
    // The size of what is negated counts as any.
    const groups = Array.from({ length: 2_000 }, (_, i) => fact(`g${i % 10}`))
    const negated = new Judge()
    const twice = compound('not', [compound('not', groups)])
    expect([negated.certainty(compound('and', [twice, isX, compound('not', [isX])])), negated.isApproximate]).toEqual(['depends', true])
  })

  test('is looked for within one budget for all formulas', () => {
    const judge = new Judge(always, new Budget(10_000_000))
    const small = (name: string) => hard(2, 600, name)
    const sureEarly = compound('or', [early, ...Array.from({ length: 1_000 }, () => a)])
    const copies = (of: Formula) =>
      compound(
        'or',
        Array.from({ length: 1_000 }, () => of),
      )
    const [timed, untimed] = [copies(early), copies(a)]
    expect([judge.certainty(timed), judge.certainty(untimed)]).toEqual(['depends', 'depends'])
    expect([judge.certainty(sureEarly), new Judge().isSureAtTimes(sureEarly)]).toEqual(['depends', true])
    // Each takes about half a million comparisons, of ten million.
    const judged = Array.from({ length: 24 }, (_, i) => [judge.certainty(hard(12, 500, `h${i}x`)), judge.certainty(small(`s${i}`))])
    expect(judged.every(([large]) => large === 'depends')).toBe(true)
    const given = judged.findIndex(([, each]) => each === 'depends')
    expect([given >= 16, given <= 21, judged.slice(0, given).every(([, each]) => each === 'never')]).toEqual([true, true, true])
    expect(judged.slice(given).every(([, each]) => each === 'depends')).toBe(true)
    // A formula that was judged before, or needs no search, is known all the same.
    expect(judge.certainty(small('s0'))).toBe('never')
    expect(judge.isApproximate).toBe(true)
    for (let i = 0; i < 400; i++) judge.certainty(fact(`z${i}`))
    expect(judge.certainty(fact('last'))).toBe('depends')
    judge.isApproximate = false
    expect([judge.certainty(always), judge.certainty(never)]).toEqual(['always', 'never'])
    expect([judge.isSureAtTimes(timed), judge.isSureAtTimes(untimed), judge.isApproximate]).toEqual([true, false, false])
    expect([judge.isSureAtTimes(sureEarly), judge.isApproximate]).toEqual([false, true])
  })

  test('of many small formulas does not use it up', () => {
    const judge = new Judge()
    for (let i = 0; i < 300; i++)
      expect(judge.certainty(compound('and', [fact(`a${i}`), compound('or', [isX, fact(`b${i}`)])]))).toBe('depends')
    expect(judge.isApproximate).toBe(false)
    expect(judge.isSureAtTimes(compound('or', [early, a]))).toBe(true)
  })
})

describe('regions', () => {
  const line = ({ effect, policy, group, isKnownGroup, place, actions, except, formula }: Region) =>
    [
      `${effect} ${policy.name.value}`,
      ...(group === undefined ? [] : [`${isKnownGroup ? '' : '?'}${shortName(group)}`]),
      shortName(place.text),
      actions.map(({ value }) => value.text).join(' '),
      ...(except.length > 0 ? [`except ${except.map(({ text }) => text).join(' ')}`] : []),
      ...(isAlways(formula) ? [] : [printFormula(formula)]),
    ].join(', ')
  const lines = (policies: readonly ShortPolicy[], known: Partial<RequestFacts> = {}, given: ShortWorld = {}) =>
    regions(shortWorld(policies, given), { ...nothing, ...known }).map(line)

  const policies: readonly ShortPolicy[] = [
    { name: 'own', on: ['t:*', 't:a'], allow: ['p:x:*', 'q:x:a'], except: ['p:x:b'], deny: ['p:x:c'] },
    { name: 'groups', who: ['group:a/*'], on: ['#m', '#none', '#o'], groups: ['svc:r', 'svc:u', 'svc:none'] },
    { name: 'timed', on: ['u:*'], allow: ['p:x:a'], until: '2026-06-01T00:00:00Z', when: { 'date().Hour.LT': '9', 'resource.Type': 'u' } },
    { name: 'no', on: ['u:a'], allow: ['p:x:a'], when: { 'resource.Name': 'b' } },
    { name: 'empty', on: ['u:a'] },
  ]
  const given: ShortWorld = {
    members: { 'user:a/v': ['group:a/g'] },
    resourceGroups: { '#m': ['t:a'], '#none': [] },
    permissionsGroups: { 'svc:r': { allow: ['p:x:a', 'p:x:c'], except: ['p:x:c'] }, 'svc:none': {} },
  }
  const o = printFormula(isMember(resourceOf('#o')))
  const unknown = (outcome: string) => `"permissionsGroup:urn:v1:eu:permissionsGroup:svc:u ${outcome} it"`
  const end = `until ${Date.UTC(2026, 5, 1)}`

  test('are what policies grant and deny, in their order', () => {
    expect(lines(policies, {}, given)).toEqual([
      'allow own, t:*, p:x:* q:x:a, except p:x:b',
      'deny own, t:*, p:x:c',
      'allow own, t:a, p:x:* q:x:a, except p:x:b',
      'deny own, t:a, p:x:c',
      'allow groups, svc:r, #m, p:x:a p:x:c, except p:x:c',
      `allow groups, ?svc:u, #m, *, ${unknown('allows')}`,
      `deny groups, ?svc:u, #m, *, ${unknown('denies')}`,
      'allow groups, svc:r, #o, p:x:a p:x:c, except p:x:c',
      `allow groups, ?svc:u, #o, *, ${unknown('allows')}`,
      `deny groups, ?svc:u, #o, *, ${unknown('denies')}`,
      `allow timed, u:*, p:x:a, and(["hour","UTC","LT",[9]],${end})`,
    ])
  })

  test('are about the action that is known', () => {
    expect(lines(policies.slice(0, 2), { action: 'p:x:a' }, given)).toEqual([
      'allow own, t:*, p:x:*',
      'allow own, t:a, p:x:*',
      'allow groups, svc:r, #m, p:x:a',
      `allow groups, ?svc:u, #m, *, ${unknown('allows')}`,
      `deny groups, ?svc:u, #m, *, ${unknown('denies')}`,
      'allow groups, svc:r, #o, p:x:a',
      `allow groups, ?svc:u, #o, *, ${unknown('allows')}`,
      `deny groups, ?svc:u, #o, *, ${unknown('denies')}`,
    ])
    expect(lines(policies.slice(0, 1), { action: 'p:x:b' }, given)).toEqual([])
    expect(lines(policies.slice(0, 1), { action: 'p:x:c' }, given)).toEqual([
      'allow own, t:*, p:x:*',
      'deny own, t:*, p:x:c',
      'allow own, t:a, p:x:*',
      'deny own, t:a, p:x:c',
    ])
  })

  test('are about the identity that is known, and its groups', () => {
    const of = (known: Partial<RequestFacts>) => [
      ...new Set(regions(shortWorld(policies, given), { ...nothing, ...known }).map(({ policy }) => policy.name.value)),
    ]
    expect(of({ identity: identityOf('user:a/u') })).toEqual(['own', 'timed'])
    expect(of({ identity: identityOf('user:a/v') })).toEqual(['groups'])
    expect(of({ identity: identityOf('user:a/w') })).toEqual([])
    expect(of({ identity: identityOf('user:a/u'), groups: [identityOf('group:a/h')] })).toEqual(['own', 'groups', 'timed'])
  })

  test('are about the resource that is known', () => {
    expect(lines(policies, { resource: resourceOf('t:a'), action: 'p:x:a' }, given)).toEqual([
      'allow own, t:a, p:x:*',
      'allow groups, svc:r, t:a, p:x:a',
      `allow groups, ?svc:u, t:a, *, ${unknown('allows')}`,
      `deny groups, ?svc:u, t:a, *, ${unknown('denies')}`,
    ])
    expect(lines(policies, { resource: resourceOf('u:b'), action: 'p:x:a' }, given)).toEqual([
      `allow groups, svc:r, u:b, p:x:a, ${o}`,
      `allow groups, ?svc:u, u:b, *, and(${o},${unknown('allows')})`,
      `deny groups, ?svc:u, u:b, *, and(${o},${unknown('denies')})`,
      `allow timed, u:b, p:x:a, and(["hour","UTC","LT",[9]],${end})`,
    ])
    const star = [{ on: ['t:a*'], allow: ['p:x:a'] }]
    expect(lines(star, { resource: resourceOf('t:a*') })).toEqual(['allow p0, t:a*, p:x:a'])
  })

  test('are within a pattern', () => {
    expect(lines(policies, { within: glob(resourceOf('t:a*')), action: 'p:x:a' }, given)).toEqual([
      'allow own, t:a*, p:x:*',
      'allow own, t:a, p:x:*',
      'allow groups, svc:r, #m, p:x:a',
      `allow groups, ?svc:u, #m, *, ${unknown('allows')}`,
      `deny groups, ?svc:u, #m, *, ${unknown('denies')}`,
      'allow groups, svc:r, #o, p:x:a',
      `allow groups, ?svc:u, #o, *, ${unknown('allows')}`,
      `deny groups, ?svc:u, #o, *, ${unknown('denies')}`,
    ])
    expect(lines(policies, { within: glob(resourceOf('u:*')), action: 'p:x:c' }, given)).toEqual([
      `allow groups, ?svc:u, #o, *, ${unknown('allows')}`,
      `deny groups, ?svc:u, #o, *, ${unknown('denies')}`,
    ])
  })

  test('are those that have not expired at the instant that is known', () => {
    const timed = policies.slice(2, 3)
    const of = (at: number) => lines(timed, { at })
    expect(of(Date.UTC(2026, 5, 1))).toEqual(['allow timed, u:*, p:x:a'])
    expect(of(Date.UTC(2026, 5, 1) + 1)).toEqual([])
    expect(of(Date.UTC(2026, 4, 31, 8, 59))).toEqual(['allow timed, u:*, p:x:a'])
    expect(of(Date.UTC(2026, 4, 31, 9))).toEqual([])
    expect(lines([{ allow: ['p:x:a'], until: '1960-01-01T00:00:00Z' }], { at: 0 })).toEqual([])
  })

  test('have the entries that are written, and name what is not known', () => {
    const found = regions(shortWorld(policies.slice(0, 2), given), { ...nothing, resource: resourceOf('t:a') })
    const clauses = found.map((region) =>
      clausesOf(region).map(({ policy, list, entry, ...rest }) => ({ p: policy.name.value, list, entry: entry.value.text, ...rest })),
    )
    expect(clauses).toEqual([
      [
        { p: 'own', list: 'allow', entry: 'p:x:*' },
        { p: 'own', list: 'allow', entry: 'q:x:a' },
      ],
      [{ p: 'own', list: 'deny', entry: 'p:x:c' }],
      ['p:x:a', 'p:x:c'].map((entry) => ({ p: 'groups', list: 'allow', entry, group: 'urn:v1:eu:permissionsGroup:svc:r' })),
      [],
      [],
    ])
    const [own] = found
    if (!own) throw new Error('no region')
    expect(clausesOf(own, own.actions.slice(1))).toEqual([{ policy: own.policy, list: 'allow', entry: own.actions[1] }])
    expect('group' in (clausesOf(own)[0] ?? {})).toBe(false)
    const many = regions(shortWorld([{ on: ['t:a'], groups: ['svc:z', 'svc:r', 'svc:b', 'svc:z'], allow: ['p:x:a'] }], given), nothing)
    expect(unknownPermissions(many)).toEqual(['svc:b', 'svc:z'].map((each) => `urn:v1:eu:permissionsGroup:${each}`))
    expect(unknownPermissions([])).toEqual([])
  })
})
