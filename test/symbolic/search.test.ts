import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readAction, readActionPattern } from '../../src/actions/action.ts'
import { Undecided, unlessUndecided } from '../../src/budget.ts'
import { fillWildcards, type Glob, glob, matches } from '../../src/glob.ts'
import { type Box, boxText } from '../../src/symbolic/boxes.ts'
import { firstNewAccess } from '../../src/symbolic/covers.ts'
import { always, emptyModel, type Formula, isMember, negation, printFormula, until } from '../../src/symbolic/formula.ts'
import { findNewAccess } from '../../src/symbolic/gained.ts'
import { meet } from '../../src/symbolic/patterns.ts'
import {
  type Caller,
  callerOf,
  callerText,
  callerWith,
  coversRegion,
  defaultBudget,
  excludes,
  isAbout,
  legalActions,
  mayAssume,
  partOf,
  type Requests,
  Search,
  withFormula,
} from '../../src/symbolic/search.ts'
import { type Side, sideOf } from '../../src/symbolic/side.ts'
import type { Statement } from '../../src/symbolic/statements.ts'
import { effort } from '../support/effort.ts'
import { identityOf, match, type ShortPolicy, type ShortWorld, shortName, shortWorld } from '../support/short.ts'

const side = (policies: readonly ShortPolicy[], world?: ShortWorld) => sideOf(shortWorld(policies, world))
const searchOf = (a: Side, b: Side, budget = defaultBudget, assume = true, time?: Formula) => new Search(a, b, budget, assume, time)
const texts = (patterns: Iterable<Glob>) => [...patterns].map(({ text }) => shortName(text))
const named = (...shorts: string[]) => shorts.map((short) => glob(identityOf(short)))
const box = (region: string, type: string, name: string): Box => ({ region: glob(region), type: glob(type), name: glob(name) })
const callerLine = ({ self, groups, here, there }: Caller) => ({
  self: self && shortName(self.text),
  groups: texts(groups),
  here: texts(here),
  there: texts(there),
})
const partLine = ({ caller, box: at, action, formulas }: Requests) =>
  [...texts(caller.self ? [caller.self] : []), ...texts(caller.groups), boxText(at), action.text, ...formulas.map(printFormula)].join(' ')

const nothing = side([])
const plain = callerWith(glob(identityOf('user:a/u')), [], nothing, nothing)
const request = (action: string, at = box('eu', 't', '*'), caller = plain, formulas: readonly Formula[] = []): Requests => ({
  caller,
  box: at,
  action: glob(action),
  formulas,
})

describe('the legal actions of a pattern', () => {
  test.each<[string, readonly string[]]>([
    ['p:x:a', ['p:x:a']],
    ['p:x:*', ['p:x:*']],
    ['p:x:a?b', ['p:x:a?b']],
    ['*:x:a', ['*:x:a']],
    ['p:*a', ['p:*:*a']],
    ['*', ['*:*:*']],
    ['p*', ['p*:*:*']],
    ['p:*', ['p:*:*']],
    ['p:x*', ['p:x*:*']],
    ['p:x:a*', ['p:x:a*']],
    ['p:a', []],
    ['p::a', []],
    ['p::*', []],
    ['p?*', []],
    ['*::a', ['*:*:*?*::a']],
    ['p*:a', ['p*:*:a']],
  ])('%s', (text, expected) => {
    expect(texts(legalActions(glob(text)))).toEqual(expected)
  })

  test('are the pattern itself where its own point is one', () => {
    for (const text of ['p:x:a', 'p:x:*', 'p:*:*', '*:x:a', 'p:x:a*b']) {
      const pattern = glob(text)
      expect(legalActions(pattern)).toEqual([pattern])
      expect(legalActions(pattern)[0]).toBe(pattern)
    }
  })

  /** All texts of up to seven letters that are actions. */
  const legal = (() => {
    let level = ['']
    const out: string[] = []
    for (let i = 0; i < 8; i++) {
      level = level
        .flatMap((text) => [...'ab:?'].map((letter) => text + letter))
        .filter((text) => /^[ab]+(:|$)/.test(text) && !/::/.test(text))
      out.push(...level.filter((text) => readAction(text).value !== undefined))
    }
    return out.filter((_, i) => i % 3 === 0 || i < 300)
  })()
  const patterns = [
    '*',
    'a*',
    'a:*',
    'a:b*',
    'a:b:*',
    '*b',
    '*:b',
    '*:*',
    '*a*',
    '*a*b',
    '*?*',
    '*?b',
    'a:*?*',
    '*b:*',
    'a*:b',
    '*:a:*',
    '*::b',
    'a*b*a',
    'a**b',
  ]

  test.each(patterns)('match what %s does', (text) => {
    const pattern = glob(text)
    const parts = legalActions(pattern)
    for (const part of parts) expect(matches(pattern, fillWildcards(part, 'x'))).toBe(true)
    const wrong = legal.filter((action) => matches(pattern, action) !== parts.some((part) => matches(part, action)))
    expect(wrong).toEqual([])
  })

  test.each(patterns)('of what %s and others match are legal, too', (text) => {
    const legalOnes = legalActions(glob(text))
    for (const other of [...patterns, '*a::b', '*::a*', 'a:b:a', '*:?a']) {
      for (const part of legalOnes.flatMap((each) => meet(each, glob(other))).flatMap(legalActions)) {
        expect([part.text, readAction(fillWildcards(part, 'x')).value !== undefined]).toEqual([part.text, true])
      }
    }
  })

  test('are all that a difference is about', () => {
    expect(readActionPattern('*a::b').value).toBeDefined()
    // Only a parameter may hold two colons together, and there is none.
    const grant = { allow: ['a*'], except: ['*?*'] }
    const outcomes = (odd: string) => {
      const [a, b] = [side([grant]), side([grant, { deny: [odd] }])]
      return [findNewAccess(a, b).regions.flatMap(({ actions }) => texts(actions)), firstNewAccess(a, b).kind]
    }
    for (const odd of ['*a::b', '*a::b*', '*a?::']) expect(outcomes(odd)).toEqual([[], 'none'])
    expect(outcomes('*a:x:b')).toEqual([['a*a:x:b', 'a:x:b'], 'new'])
  })
})

describe('who asks', () => {
  const world = (groups: readonly string[]) => side([], { members: { 'user:a/u': groups } })
  const [a, b] = [world(['group:a/g', 'group:a/h']), world(['group:a/h'])]

  test('brings the groups that each side knows', () => {
    const [u, v, g, wide] = named('user:a/u', 'user:a/v', 'group:a/x', 'user:a/*') as [Glob, Glob, Glob, Glob]
    const own = (caller: Caller) => callerLine(caller)
    expect(own(callerWith(u, [g], a, b))).toEqual({
      self: 'user:a/u',
      groups: ['group:a/x'],
      here: ['user:a/u', 'group:a/x', 'group:a/g', 'group:a/h'],
      there: ['user:a/u', 'group:a/x', 'group:a/h'],
    })
    expect(own(callerWith(v, [g], a, b))).toEqual({
      self: 'user:a/v',
      groups: ['group:a/x'],
      here: ['user:a/v', 'group:a/x'],
      there: ['user:a/v', 'group:a/x'],
    })
    expect(own(callerWith(wide, [], a, b))).toEqual({ self: 'user:a/*', groups: [], here: ['user:a/*'], there: ['user:a/*'] })
    expect(own(callerWith(undefined, [g], a, b))).toEqual({
      self: undefined,
      groups: ['group:a/x'],
      here: ['group:a/x'],
      there: ['group:a/x'],
    })
  })

  test('is whom an entry names: a group is anybody in it', () => {
    const entries = shortWorld([{ who: ['user:a/u', 'group:a/*', 'user:*'], allow: ['p:*'] }]).policies[0]?.identities ?? []
    expect(entries.map(({ value }) => callerLine(callerOf(value, a, b)))).toEqual([
      { self: 'user:a/u', groups: [], here: ['user:a/u', 'group:a/g', 'group:a/h'], there: ['user:a/u', 'group:a/h'] },
      { self: undefined, groups: ['group:a/*'], here: ['group:a/*'], there: ['group:a/*'] },
      { self: 'user:*', groups: [], here: ['user:*'], there: ['user:*'] },
    ])
  })

  test('has a text of its own', () => {
    const [u, g, h] = named('user:a/u', 'group:a/g', 'group:a/h') as [Glob, Glob, Glob]
    const both = `${identityOf('group:a/g')} ${identityOf('group:a/h')}`
    const callers = [callerWith(u, [], a, b), callerWith(u, [g], a, b), callerWith(u, [g, h], a, b), callerWith(undefined, [g], a, b)]
    const odd = [callerWith(u, [glob(both)], a, b), callerWith(undefined, [], a, b), callerWith(glob(`${u.text} ${g.text}`), [], a, b)]
    expect(new Set([...callers, ...odd].map(callerText)).size).toBe(7)
    expect(callerText(callerWith(u, [g], b, a))).toBe(callerText(callerWith(u, [g], a, b)))
  })
})

describe('a region and statements', () => {
  const { allows } = side([
    { who: ['user:a/u', 'group:a/*'], on: ['t:a*', 'u:*'], allow: ['p:x:*', 'q:*'], except: ['p:x:b*'] },
    { who: ['user:a/*'], on: ['*'], allow: ['p:*'], when: { operator: 'NOT', conditions: [match({ 'resource.Name': 'ab' })] } },
    { who: ['group:a/g'], on: ['t:*'], allow: ['*'] },
  ])
  const { statements } = allows
  const members = (...shorts: string[]) => named(...shorts)
  const found = (region: Requests, who: readonly Glob[]) =>
    [...searchOf(side([]), side([])).applying(allows, region, who)].map((each) => statements.indexOf(each))

  test('parts of it by dimension', () => {
    const region = request('p:x:a', box('eu', 't', 'n'))
    expect((['type', 'name', 'action'] as const).map((dimension) => partOf(region, dimension).text)).toEqual(['t', 'n', 'p:x:a'])
  })

  test('a statement is about those that it names', () => {
    const about = (...who: string[]) => statements.map((each) => isAbout(each, members(...who)))
    expect(about('user:a/u')).toEqual([true, true, false])
    expect(about('user:a/v')).toEqual([false, true, false])
    expect(about('group:a/g')).toEqual([true, false, true])
    expect(about('user:b/u', 'group:a/h')).toEqual([true, false, false])
    expect(about('user:*')).toEqual([false, false, false])
    expect(about()).toEqual([false, false, false])
  })

  test('a statement applies to a whole region, or leaves it out', () => {
    const who = members('user:a/u')
    expect(found(request('p:x:a', box('eu', 't', 'a')), who)).toEqual([0, 1])
    expect(found(request('p:x:a', box('eu', 't', 'ab')), who)).toEqual([0])
    expect(found(request('p:x:bc', box('eu', 't', 'a')), who)).toEqual([1])
    expect(found(request('p:x:b*', box('eu', 't', 'ab')), who)).toEqual([])
    expect(found(request('p:x:*', box('eu', 't', 'a*')), who)).toEqual([0, 1])
    expect(found(request('p:*:*', box('eu', 't', 'a')), who)).toEqual([1])
    expect(found(request('p:x:a', box('eu', 't', '*')), who)).toEqual([1])
    expect(found(request('p:x:a', box('ca', 't', 'a')), who)).toEqual([])
    expect(found(request('q:x:a', box('eu', 'u', 'b')), who)).toEqual([0])
    expect(found(request('q:x:a', box('eu', 't', 'b')), members('group:a/g'))).toEqual([2])
    expect(found(request('q:x:a', box('eu', 't', 'b')), members('user:b/v'))).toEqual([])
    const [one, other] = statements as [Statement, Statement]
    expect(coversRegion(one, request('p:x:b', box('eu', 't', 'a')), who)).toBe(true)
    expect([excludes(one, request('p:x:b')), excludes(one, request('p:x:a')), excludes(one, request('p:x:*'))]).toEqual([
      true,
      false,
      false,
    ])
    expect([excludes(other, request('p:x:b', box('eu', 't', 'ab'))), excludes(other, request('p:x:b'))]).toEqual([true, false])
  })

  test('formulas grow by those that say something new', () => {
    const [one, other] = [isMember('a'), isMember('b')]
    const list = [one]
    expect(withFormula(list, always)).toBe(list)
    expect(withFormula(list, one)).toBe(list)
    expect(withFormula(list, other)).toEqual([one, other])
    expect(withFormula([], one)).toEqual([one])
  })

  test('facts may be assumed where a statement of either side looks at some', () => {
    const [open, grants, none] = [side([{ allow: ['p:*'], on: ['#m'] }]), side([{ allow: ['p:*'] }]), side([])]
    const denies = side([{ deny: ['p:*'], on: ['#m'] }])
    const pairs: readonly (readonly [Side, Side])[] = [
      [grants, none],
      [open, none],
      [none, open],
      [denies, grants],
      [grants, denies],
      [none, none],
    ]
    expect(pairs.map(([a, b]) => mayAssume(a, b))).toEqual([false, true, true, true, true, false])
  })
})

describe('a comparison', () => {
  test('knows the denies that only the second side has', () => {
    const a = side([{ deny: ['p:x:a'] }, { deny: ['p:x:b'], who: ['user:a/*'] }])
    const b = side([{ deny: ['p:x:b'], who: ['user:a/*'] }, { deny: ['p:x:c'] }, { allow: ['p:x:a'] }, { deny: ['p:x:a'], name: 'again' }])
    const opening = (from: Side, to: Side) => searchOf(from, to).opening.map(({ actions }) => actions[0]?.value.text)
    expect([opening(a, b), opening(b, a), opening(a, a), opening(side([]), b)]).toEqual([['p:x:c'], [], [], ['p:x:b', 'p:x:c', 'p:x:a']])
  })

  test('has no deny for new that one of the first side covers, as far as that denies always and all of it', () => {
    const narrow: ShortPolicy = { who: ['user:a/u'], deny: ['p:x:a'], on: ['t:a'] }
    const isOpening = (wide: ShortPolicy, members: readonly [ShortWorld?, ShortWorld?] = []) =>
      searchOf(side([wide], members[0]), side([narrow], members[1])).opening.length > 0
    const wide: ShortPolicy = { who: ['user:a/*'], deny: ['p:*'], on: ['t:*'] }
    expect(isOpening(wide)).toBe(false)
    for (const less of [
      { ...wide, who: ['user:a/v', 'user:b/*'] },
      { ...wide, deny: ['p:y:*'] },
      { ...wide, on: ['t:b*'] },
      { ...wide, on: ['ca/t:*'] },
      { ...wide, until: '2027-01-01T00:00:00Z' },
      { ...wide, when: { operator: 'NOT', conditions: [match({ 'resource.Name.EQ': 'ab' })] } },
    ])
      expect(isOpening(less), JSON.stringify(less)).toBe(true)
    // Who brings other groups is not denied by the one as by the other.
    expect(isOpening(wide, [{}, { members: { 'user:a/z': ['group:a/g'] } }])).toBe(true)
  })

  const world = (members: ShortWorld['members']) => ({ members: members ?? {} })
  const policies = [
    { who: ['group:a/g'], allow: ['p:x:a'] },
    { who: ['user:a/*'], allow: ['p:x:b'] },
    { who: ['group:a/*'], deny: ['p:x:c'] },
    { who: ['group:a/h'], deny: ['p:x:d'] },
    { who: ['user:b/v'], deny: ['p:x:e'] },
    { who: ['group:a/g'], deny: ['p:x:f'] },
  ]
  const changedBetween = (before: ShortWorld['members'], after: ShortWorld['members'], added: readonly ShortPolicy[] = []) => {
    const search = searchOf(side(policies, world(before)), side([...policies, ...added], world(after)))
    const actionsOf = (list: readonly Statement[]) => list.map(({ actions }) => actions[0]?.value.text)
    return {
      changed: Object.fromEntries(
        [...search.changed].map(([urn, { brought, opening }]) => [
          shortName(urn),
          { brought: actionsOf(brought), opening: actionsOf(opening) },
        ]),
      ),
      of: [...search.changedOf].map(([{ actions }, callers]) => [
        actions[0]?.value.text,
        callers.map(({ self }) => self && shortName(self.text)),
      ]),
      openings: ['user:a/u', 'user:a/z'].map((short) =>
        actionsOf(search.openingFor(callerWith(glob(identityOf(short)), [], nothing, nothing))),
      ),
      anybody: actionsOf(search.openingFor(callerWith(undefined, named('group:a/g'), nothing, nothing))),
    }
  }

  test('knows who brings other groups', () => {
    const none = { changed: {}, of: [], openings: [[], []], anybody: [] }
    expect(changedBetween({ 'user:a/u': ['group:a/g', 'group:a/h'] }, { 'user:a/u': ['group:a/h', 'group:a/g'] })).toEqual(none)
    expect(changedBetween({}, { 'user:a/u': [] })).toEqual(none)
    expect(changedBetween({ 'user:a/u': ['group:a/g'] }, {})).toEqual({
      ...none,
      changed: { 'user:a/u': { brought: [], opening: [] } },
      of: [
        ['p:x:a', ['user:a/u']],
        ['p:x:b', ['user:a/u']],
      ],
    })
    expect(changedBetween({ 'user:a/u': ['group:a/g'] }, { 'user:a/u': ['group:a/g', 'group:a/h'] })).toEqual({
      changed: { 'user:a/u': { brought: ['p:x:d', 'p:x:c'], opening: ['p:x:d', 'p:x:c'] } },
      of: [
        ['p:x:a', ['user:a/u']],
        ['p:x:b', ['user:a/u']],
      ],
      openings: [['p:x:d', 'p:x:c'], []],
      anybody: [],
    })
    expect(changedBetween({ 'user:a/u': ['group:a/g', 'group:a/h'] }, { 'user:a/u': ['group:a/h'] }).changed).toEqual({
      'user:a/u': { brought: [], opening: [] },
    })
  })

  test('looks at the denies that are new in addition to those that a group brings', () => {
    const added = [{ who: ['user:a/w'], deny: ['p:x:z'] }]
    expect(
      changedBetween({ 'user:a/v': ['group:a/g'] }, { 'user:a/u': ['group:a/h'], 'user:a/v': ['group:a/g', 'group:b/x'] }, added),
    ).toEqual({
      changed: {
        'user:a/v': { brought: ['p:x:c'], opening: ['p:x:z', 'p:x:c'] },
        'user:a/u': { brought: ['p:x:d', 'p:x:c'], opening: ['p:x:z', 'p:x:d', 'p:x:c'] },
      },
      of: [
        ['p:x:a', ['user:a/v']],
        ['p:x:b', ['user:a/v', 'user:a/u']],
      ],
      openings: [['p:x:z', 'p:x:d', 'p:x:c'], ['p:x:z']],
      anybody: ['p:x:z'],
    })
  })

  test('has the patterns of both sides, each once', () => {
    const a = side([
      { allow: ['p:x:a'], on: ['t:a'] },
      { deny: ['p:x:b'], on: ['u:b'] },
    ])
    const b = side([
      { allow: ['p:x:c'], on: ['ca/t:c'], who: ['user:b/v'] },
      { deny: ['p:x:a'], on: ['v:a'] },
    ])
    const search = searchOf(a, b)
    expect(Object.fromEntries(Object.entries(search.patterns).map(([kind, { all }]) => [kind, texts(all)]))).toEqual({
      identities: ['user:a/u', 'user:b/v'],
      regions: ['eu', 'ca'],
      types: ['t', 'u', 'v'],
      names: ['a', 'b', 'c'],
      actions: ['p:x:a', 'p:x:b', 'p:x:c'],
    })
    expect(search.patterns).toBe(search.patterns)
  })

  test('finds contexts once, at the instants that count', () => {
    const [m, n] = [isMember('m'), isMember('n')]
    const search = searchOf(nothing, nothing, 100)
    expect([search.steps.left, search.allowance.left]).toEqual([100, 400])
    expect(search.solve([])).toBe(emptyModel)
    const model = search.solve([m, n])
    expect(model?.assumed.size).toBe(2)
    const { left } = search.allowance
    expect(left).toBeLessThan(400)
    expect(search.solve([m, n])).toBe(model)
    expect(search.solve([m, negation(m)])).toBeUndefined()
    const after = search.allowance.left
    expect(search.solve([m, n])).toBe(model)
    expect(search.allowance.left).toBe(after)
    expect(searchOf(nothing, nothing, 100, false).solve([m])).toBeUndefined()
    expect(searchOf(nothing, nothing, 100, true, negation(until(5))).solve([until(5)])).toBeUndefined()
    expect(searchOf(nothing, nothing, 100, true, until(5)).solve([negation(until(4))])).toEqual({ ...emptyModel, at: 5 })
  })

  test('names the same objects alike, and no others', () => {
    const search = searchOf(nothing, nothing)
    const [m, n] = [isMember('m'), isMember('n')]
    const first = search.numbersOf([m, n])
    expect([search.numbersOf([m, n]), search.numbersOf([n, m]) === first, search.numbersOf([m]) === first]).toEqual([first, false, false])
    expect(search.numbersOf([])).toBe('')
    expect(search.negation(m)).toBe(search.negation(m))
  })

  const culprits = (act: () => unknown) => unlessUndecided(act, (names) => names)

  test('gives up where contexts or splits are too many', () => {
    const none = searchOf(nothing, nothing, 0)
    expect(culprits(() => none.solve([isMember('m')]))).toEqual(['conditions'])
    const search = searchOf(nothing, nothing, 2)
    expect([culprits(() => search.step(['a'])), culprits(() => search.step(['a']))]).toEqual([undefined, undefined])
    expect(culprits(() => search.step(['a', 'b', 'a']))).toEqual(['a', 'b'])
    const deep = searchOf(nothing, nothing)
    const path = Array.from({ length: 501 }, (_, i) => `p${i % 12}`)
    expect(culprits(() => deep.step(path.slice(1)))).toBeUndefined()
    expect(culprits(() => deep.step(path))).toEqual(['p4', 'p5', 'p6', 'p7', 'p8', 'p9', 'p10', 'p11'])
    expect(() => deep.step(path)).toThrow(Undecided)
  })

  test('marks what rests on assumptions', () => {
    const search = searchOf(nothing, nothing)
    const statement = side([{ allow: ['p:*'] }]).allows.statements[0] as Statement
    const region = request('p:x:a')
    const assumed = { ...emptyModel, assumed: new Map([['m', true]]) }
    expect(search.newAccess(region, statement, emptyModel)).toEqual({
      region,
      statement,
      model: emptyModel,
      certain: true,
      between: search,
    })
    expect(search.newAccess(region, statement, assumed)).toEqual({ region, statement, model: assumed, certain: false, between: search })
  })
})

describe('the parts of a region', () => {
  const world = { members: { 'user:a/u': ['group:a/g'] } }
  const parts = (deny: ShortPolicy, region: (a: Side, b: Side) => Requests) => {
    const [a, b] = [side([], world), side([deny], world)]
    const [statement] = b.denies.statements
    if (!statement) throw new Error('no deny')
    const search = searchOf(a, b)
    return [...search.partsDeniedBy(statement, region(a, b))].map((part) => ({ ...part, line: partLine(part) }))
  }
  const lines = (
    deny: ShortPolicy,
    action: string,
    who: string | undefined,
    groups: readonly string[] = [],
    at = box('eu', 't', 'a*'),
    formulas: readonly Formula[] = [],
  ) =>
    parts(deny, (a, b) =>
      request(action, at, callerWith(who === undefined ? undefined : glob(identityOf(who)), named(...groups), a, b), formulas),
    ).map(({ line }) => line)
  const tag = '["tag","k","EQ",["x"]]'

  test('that a deny is about', () => {
    expect(lines({ deny: ['p:x:*', 'q:*'], on: ['t:*b', 't*:a', 'u:*'] }, 'p:*:*', 'user:a/u')).toEqual([
      'user:a/u eu:t:a*b p:x:*',
      'user:a/u eu:t:a p:x:*',
      'user:a/u eu:t:a*:a p:x:*',
    ])
    expect(lines({ deny: ['*b', 'p:x:a'] }, 'p:x:*', 'user:a/u')).toEqual(['user:a/u eu:t:a* p:x:*b', 'user:a/u eu:t:a* p:x:a'])
    expect(lines({ deny: ['q:*'] }, 'p:*:*', 'user:a/u')).toEqual([])
    expect(lines({ deny: ['p:*'], on: ['u:*'] }, 'p:*:*', 'user:a/u')).toEqual([])
  })

  test('that may be at all: its condition and that of the region hold at once', () => {
    const deny = { deny: ['p:x:a'], when: { 'resource.Tag(k)': 'x' } }
    expect(lines(deny, 'p:x:a', 'user:a/u')).toEqual([`user:a/u eu:t:a* p:x:a ${tag}`])
    const condition = side([deny]).denies.statements[0]?.formula as Formula
    expect(lines(deny, 'p:x:a', 'user:a/u', [], undefined, [negation(condition)])).toEqual([])
    const group = isMember('m')
    expect(lines(deny, 'p:x:a', 'user:a/u', [], undefined, [group])).toEqual([`user:a/u eu:t:a* p:x:a "resourceGroup:m" ${tag}`])
  })

  test('with those whom it names: a group comes along, others are a part', () => {
    const deny = (...who: string[]) => ({ who, deny: ['p:x:a'] })
    const who = (policy: ShortPolicy, self: string | undefined, ...groups: string[]) =>
      lines(policy, 'p:x:a', self, groups).map((line) => line.replace(' eu:t:a* p:x:a', ''))
    expect(who(deny('user:a/u', 'user:a/v'), 'user:a/u')).toEqual(['user:a/u'])
    expect(who(deny('user:a/u', 'user:a/v*'), 'user:a/*')).toEqual(['user:a/u', 'user:a/v*'])
    expect(who(deny('user:a/u'), undefined, 'group:a/h')).toEqual(['user:a/u group:a/h'])
    expect(who(deny('group:a/h'), 'user:a/u')).toEqual(['user:a/u group:a/h'])
    expect(who(deny('group:a/h'), 'user:a/v', 'group:a/h')).toEqual(['user:a/v group:a/h'])
    expect(who(deny('group:a/h'), undefined, 'group:a/g')).toEqual(['group:a/g group:a/h'])
    // She is in it as the second side describes her.
    expect(who(deny('group:a/g'), 'user:a/u')).toEqual(['user:a/u'])
    expect(who(deny('group:a/*'), 'user:a/u', 'group:b/x')).toEqual(['user:a/u group:b/x'])
  })

  test('with the groups that each side describes', () => {
    const [part] = parts({ who: ['user:a/u'], deny: ['p:x:a'] }, (a, b) =>
      request('p:x:a', undefined, callerWith(glob(identityOf('user:a/*')), [], a, b)),
    )
    expect(part && callerLine(part.caller)).toEqual({
      self: 'user:a/u',
      groups: [],
      here: ['user:a/u', 'group:a/g'],
      there: ['user:a/u', 'group:a/g'],
    })
  })

  test('that a statement leaves out', () => {
    const not = (...conditions: object[]) => ({ operator: 'NOT', conditions }) as ShortPolicy['when']
    const leaving = side([
      {
        on: ['*'],
        allow: ['p:*'],
        except: ['p:x:b*', '*c', 'q:*', '*::d'],
        when: not(match({ 'resource.Name.ENDS_WITH': 'b' }), match({ 'resource.Type.STARTS_WITH': 't' }), match({ 'resource.Name': 'x' })),
      },
    ]).allows.statements[0] as Statement
    const region = { ...request('p:*:*', box('eu', '*', 'a*')), formulas: [isMember('m')] }
    const found = [...searchOf(nothing, nothing).partsLeftOutBy(leaving, region)]
    expect(found.map(({ part, by }) => `${by}: ${partLine(part)}`).sort()).toEqual(
      [
        'p:x:b*: user:a/u eu:*:a* p:x:b* "resourceGroup:m"',
        '*c: user:a/u eu:*:a* p:*:*c "resourceGroup:m"',
        '*::d: user:a/u eu:*:a* p:*:*?*::d "resourceGroup:m"',
        '*b: user:a/u eu:*:a*b p:*:* "resourceGroup:m"',
        't*: user:a/u eu:t*:a* p:*:* "resourceGroup:m"',
      ].sort(),
    )
    expect([...searchOf(nothing, nothing).partsLeftOutBy(leaving, request('r:x:a', box('eu', 'v', 'y')))]).toEqual([])
    // In the order in which it says so, and for each the rest of the region as it was.
    for (const { part } of found) expect(part.caller).toBe(region.caller)
  })

  test('count the work of meeting against the steps', () => {
    const search = searchOf(nothing, nothing)
    const wide = request('p:*:*', box('eu', 't', '*a*b*c*'))
    const [deny] = side([{ deny: ['p:*'], on: ['t:*d*e*f*'] }]).denies.statements
    const pieces = [...search.partsDeniedBy(deny as Statement, wide)].length
    expect(pieces).toBeGreaterThanOrEqual(20)
    expect(search.steps.left).toBe(defaultBudget - Math.floor(pieces ** 2 / 100))
  })
})

test('a search that holds too many statements against regions gives up, and names the resources', () => {
  const twenty = Array.from({ length: 20 }, (_, i) => ({ who: ['user:a/u'], on: ['t:*'], allow: [`p:x:${i}`] }))
  const { allows } = side(twenty)
  const search = searchOf(side([]), side([]), 0)
  const look = () => [...search.applying(allows, request('p:x:a'), named('user:a/u'))]
  for (let i = 0; i < 20; i++) expect(look()).toEqual([])
  expect(unlessUndecided(look, (culprits) => culprits)).toEqual(['eu:t:*'])
})

test('of many statements, those that are found by the name of a resource are those that are about all of it, in the same order', () => {
  const name = fc.constantFrom('a', 'b', 'ab', 'a*', '*b', 'a*b', '*', 'abc*', 'ba')
  const who = fc.constantFrom('user:a/u', 'user:a/v', 'group:a/g', 'user:a/*')
  const policy = fc.record({
    who: fc.uniqueArray(who, { minLength: 1, maxLength: 3 }),
    on: fc.array(
      fc.tuple(fc.constantFrom('t', 'u', '*'), name).map((parts) => parts.join(':')),
      { minLength: 1, maxLength: 3 },
    ),
    allow: fc.constant(['p:*']),
  })
  let left = 0
  fc.assert(
    fc.property(fc.array(policy, { minLength: 33, maxLength: 80 }), fc.uniqueArray(who, { minLength: 1 }), name, (policies, asked, of) => {
      const { allows } = side(policies)
      const region = request('p:x:a', box('eu', 't', of))
      const members = named(...asked)
      const over = (found: Iterable<Statement>) => [...found].filter((each) => coversRegion(each, region, members))
      const all = allows.about(members)
      const some = allows.about(members, region.box)
      expect(over(some)).toEqual(over(all))
      left += all.size - some.size
    }),
    { numRuns: effort(1000) },
  )
  expect(left).toBeGreaterThan(100)
})
