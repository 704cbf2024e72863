import { describe, expect, test } from 'vitest'
import { Memo } from '../../src/memo.ts'
import type { World } from '../../src/policy.ts'
import { boxText } from '../../src/symbolic/boxes.ts'
import { formulaOf, openFact, printFormula } from '../../src/symbolic/formula.ts'
import {
  isAllow,
  isDeny,
  meetStatements,
  patternsIn,
  patternsTogether,
  type Statement,
  statementsOf,
} from '../../src/symbolic/statements.ts'
import { match, type ShortPolicy, type ShortWorld, shortName, shortWorld } from '../support/short.ts'
import type { ConditionJson } from '../support/worlds.ts'

const unknown = (text: string) => JSON.stringify(text)
const inGroup = (name: string) => unknown(`resourceGroup:urn:v1:eu:resourceGroup:${name}`)

/** A statement in one line: `allow user:a/u on eu:t:* do p:* but action p:x:b if …`. */
function line({ effect, identities, boxes, actions, exclusions, formula, group }: Statement): string {
  const but = exclusions.map(({ dimension, pattern }) => `${dimension} ${pattern.text}`)
  const when = printFormula(formula)
  return [
    `${effect} ${identities.map(({ value }) => shortName(value.text)).join(' ')}`,
    `on ${boxes.map(boxText).join(' ')}`,
    `do ${actions.map(({ value }) => value.text).join(' ')}`,
    ...(but.length > 0 ? [`but ${but.join(', ')}`] : []),
    ...(when === 'and()' ? [] : [`if ${when}`]),
    ...(group === undefined ? [] : [`by ${shortName(group)}`]),
  ].join(' ')
}

const lines = (policies: readonly ShortPolicy[], world?: ShortWorld, other?: World) =>
  statementsOf(shortWorld(policies, world), other).map(line)

type Join = (...conditions: ConditionJson[]) => ConditionJson

const all = { allow: ['p:*'] }
const tag = { 'resource.Tag(k)': 'x' }
const isTagged = '["tag","k","EQ",["x"]]'
const start = 'allow user:a/u on'

describe('the statements of a world', () => {
  test.each<[string, readonly ShortPolicy[], readonly string[], ShortWorld?]>([
    ['no policy', [], []],
    ['one effect', [all], [`${start} eu:t:* do p:*`]],
    [
      'both effects, and what the grant leaves out',
      [{ who: ['user:a/u', 'group:a/g'], on: ['t:a', 'u:b'], allow: ['p:*', 'q:*'], except: ['p:x:b'], deny: ['p:x:c'] }],
      ['allow user:a/u group:a/g on eu:t:a eu:u:b do p:* q:* but action p:x:b', 'deny user:a/u group:a/g on eu:t:a eu:u:b do p:x:c'],
    ],
    ['a wildcard that may take the colon', [{ ...all, on: ['t*:a'] }], [`${start} eu:t*:a eu:t*:*:a do p:*`]],
    ['a grant of nothing', [{ except: ['p:*'] }], []],
    ['an expiry', [{ ...all, until: '1970-01-01T00:00:01Z' }], [`${start} eu:t:* do p:* if until 1000`]],
    ['a condition', [{ ...all, when: tag }], [`${start} eu:t:* do p:* if ${isTagged}`]],
    [
      'a condition and an expiry',
      [{ ...all, when: tag, until: '1970-01-01T00:00:01Z' }],
      [`${start} eu:t:* do p:* if and(${isTagged},until 1000)`],
    ],
    ['a condition that never holds', [{ ...all, when: { operator: 'OR', conditions: [] } }], []],
    ['one that has such a part', [{ ...all, when: { operator: 'AND', conditions: [match(tag), { operator: 'OR', conditions: [] }] } }], []],
    [
      'one that has such a choice',
      [{ ...all, when: { operator: 'OR', conditions: [match(tag), { operator: 'OR', conditions: [] }] } }],
      [`${start} eu:t:* do p:* if or(${isTagged},or())`],
    ],
    [
      'a known permissions group',
      [{ allow: ['q:*'], groups: ['svc:r'] }],
      [`${start} eu:t:* do q:*`, `${start} eu:t:* do p:x:a but action p:x:b by svc:r`, 'deny user:a/u on eu:t:* do p:x:c by svc:r'],
      { permissionsGroups: { 'svc:r': { allow: ['p:x:a'], except: ['p:x:b'], deny: ['p:x:c'] } } },
    ],
    [
      'a permissions group that is not known',
      [{ groups: ['svc:r'] }],
      [
        `${start} eu:t:* do * if ${unknown('permissionsGroup:urn:v1:eu:permissionsGroup:svc:r allows it')} by svc:r`,
        `deny user:a/u on eu:t:* do * if ${unknown('permissionsGroup:urn:v1:eu:permissionsGroup:svc:r denies it')} by svc:r`,
      ],
    ],
    [
      'a known resource group',
      [{ ...all, on: ['#m', 't:c'] }],
      [`${start} eu:t:a ca:u:b:c eu:t:c do p:*`],
      { resourceGroups: { '#m': ['t:a', 'ca/u:b:c'] } },
    ],
    ['a resource group without members', [{ ...all, on: ['#m'] }], [], { resourceGroups: { '#m': [] } }],
    [
      'a resource group that is not known, beside a resource',
      [{ ...all, on: ['#m', 't:c'], until: '1970-01-01T00:00:01Z' }],
      [`${start} eu:t:c do p:* if until 1000`, `${start} *:*:* do p:* if and(or(${inGroup('m')}),until 1000)`],
    ],
    [
      'a pattern over resource groups, some known, some not, and one that another policy names',
      [
        { ...all, on: ['#m*'] },
        { deny: ['p:x:b'], on: ['#m9', '#n9'] },
      ],
      [
        `${start} eu:t:a do p:*`,
        `${start} *:*:* do p:* if or(${inGroup('m*')},${inGroup('m9')})`,
        `deny user:a/u on *:*:* do p:x:b if or(${inGroup('m9')})`,
        `deny user:a/u on *:*:* do p:x:b if or(${inGroup('n9')})`,
      ],
      { resourceGroups: { '#m1': ['t:a'] } },
    ],
  ])('%s', (_, policies, expected, world) => {
    expect(lines(policies, world)).toEqual(expected)
  })

  test('next to another world share its open groups', () => {
    const other = shortWorld([
      { ...all, on: ['#m7'] },
      { ...all, on: ['#n7'] },
    ])
    expect(lines([{ ...all, on: ['#m*'] }], {}, other)).toEqual([`${start} *:*:* do p:* if or(${inGroup('m*')},${inGroup('m7')})`])
    expect(lines([{ ...all, on: ['#m*'] }])).toEqual([`${start} *:*:* do p:* if or(${inGroup('m*')})`])
  })

  test('know what they come from', () => {
    const world = shortWorld([{ allow: ['p:*'], deny: ['p:x:b'] }, { groups: ['svc:r'] }])
    const statements = statementsOf(world)
    expect(statements.map(({ policy }) => world.policies.indexOf(policy))).toEqual([0, 0, 1, 1])
    expect(statements.map(isAllow)).toEqual([true, false, true, false])
    expect(statements.map(isDeny)).toEqual([false, true, false, true])
    expect(statements[0]?.actions).toBe(world.policies[0]?.permissions.allow)
    expect(statements[1]?.identities).toBe(world.policies[0]?.identities)
  })

  test('are kept for a policy that names no group', () => {
    const policies = [all, { ...all, on: ['t:a', '#m'] }, { ...all, on: ['#m', 't:a'] }, { ...all, groups: ['svc:r'] }, { deny: ['p:x:b'] }]
    const world = shortWorld(policies)
    const kept = new Memo()
    const asked: number[] = []
    const once = statementsOf(world, undefined, (make, policy) => {
      asked.push(world.policies.indexOf(policy as never))
      return kept.keep(make, policy)
    })
    expect(asked).toEqual([0, 4])
    expect(once.map(line)).toEqual(statementsOf(world).map(line))
    const again = statementsOf(world, undefined, kept.keep)
    expect(again.map((statement, i) => statement === once[i])).toEqual(
      again.map(({ policy }) => asked.includes(world.policies.indexOf(policy))),
    )
  })
})

describe('a condition on type and name', () => {
  const joined =
    (operator: string) =>
    (...conditions: ConditionJson[]) => ({ operator, conditions })
  const [or, and, not] = ['OR', 'AND', 'NOT'].map(joined) as [Join, Join, Join]

  test.each<[string, ShortPolicy, readonly string[]]>([
    ['narrows the name', { ...all, when: { 'resource.Name': 'a' } }, [`${start} eu:t:a do p:*`]],
    ['narrows the type', { ...all, on: ['*'], when: { 'resource.Type': 'u' } }, [`${start} eu:u:* do p:*`]],
    [
      'narrows both',
      { ...all, on: ['*', 'u:a*'], when: { 'resource.Type': 'u', 'resource.Name': 'ab' } },
      [`${start} eu:u:ab eu:u:ab do p:*`],
    ],
    ['names some', { ...all, when: { 'resource.Name.IN': 'a, b:c' } }, [`${start} eu:t:a eu:t:b:c do p:*`]],
    ['names a start', { ...all, when: { 'resource.Name.STARTS_WITH': 'a' } }, [`${start} eu:t:a* do p:*`]],
    ['names an end', { ...all, when: { 'resource.Name.ENDS_WITH': ':b' } }, [`${start} eu:t:*:b do p:*`]],
    ['names an end of types', { ...all, on: ['*'], when: { 'resource.Type.ENDS_WITH': 'u' } }, [`${start} eu:*u:* do p:*`]],
    ['names other ones', { ...all, when: { 'resource.Type': 'u' } }, []],
    ['names a type that cannot be', { ...all, on: ['*'], when: { 'resource.Type': 't:a' } }, []],
    ['names a type with a sign that types have not', { ...all, on: ['*'], when: { 'resource.Type.ENDS_WITH': ' a' } }, []],
    ['names a name with a dot', { ...all, when: { 'resource.Name': 'a.b' } }, [`${start} eu:t:a.b do p:*`]],
    ['names a type with a dot', { ...all, on: ['*'], when: { 'resource.Type': 'a.b' } }, []],
    ['names no name', { ...all, when: { 'resource.Name': '' } }, []],
    ['starts with nothing', { ...all, when: { 'resource.Name.STARTS_WITH': '' } }, [`${start} eu:t:* do p:*`]],
    ['starts with a blank', { ...all, when: { 'resource.Name.STARTS_WITH': ' a' } }, []],
    ['has an asterisk, which no name has', { ...all, when: { 'resource.Name': 'a*' } }, []],
    ['starts with an asterisk', { ...all, when: { 'resource.Name.STARTS_WITH': 'a*' } }, []],
    ['is none of those', { ...all, when: not(match({ 'resource.Name.IN': 'a,b*,c' })) }, [`${start} eu:t:* do p:* but name a, name c`]],
    [
      'is none of those types',
      { ...all, on: ['*'], when: not(match({ 'resource.Type.STARTS_WITH': 'u' })) },
      [`${start} eu:*:* do p:* but type u*`],
    ],
    ['is denied with it', { deny: ['p:x:b'], when: not(match({ 'resource.Name': 'a' })) }, ['deny user:a/u on eu:t:* do p:x:b but name a']],
    [
      'leaves out actions and names',
      { allow: ['p:*'], except: ['p:x:b'], when: not(match({ 'resource.Name': 'a' })) },
      [`${start} eu:t:* do p:* but action p:x:b, name a`],
    ],
    [
      'splits what else it asks',
      { ...all, when: or(match({ 'resource.Name': 'a' }), match(tag)) },
      [`${start} eu:t:a do p:*`, `${start} eu:t:* do p:* but name a if ${isTagged}`],
    ],
    [
      'splits at each, those that hold first',
      { ...all, on: ['*'], when: or(match({ 'resource.Name': 'a' }), match({ 'resource.Type': 'u' })) },
      [`${start} eu:*:a do p:*`, `${start} eu:u:* do p:* but name a`],
    ],
    [
      'is split once where it is asked twice',
      {
        ...all,
        when: and(or(match({ 'resource.Name': 'a' }), match(tag)), or(match({ 'resource.Name': 'a' }), match({ 'resource.Tag(e)': 'y' }))),
      },
      [`${start} eu:t:a do p:*`, `${start} eu:t:* do p:* but name a if and(${isTagged},["tag","e","EQ",["y"]])`],
    ],
    [
      'holds in one case and is open in another',
      {
        ...all,
        when: or(match({ 'resource.Name.STARTS_WITH': 'a' }), and(match(tag), match({ 'resource.Name.STARTS_WITH': 'b' }))),
      },
      [`${start} eu:t:a* do p:*`, `${start} eu:t:b* do p:* but name a* if ${isTagged}`],
    ],
    [
      'meets a known place and an open one',
      { ...all, on: ['t:*', '#m'], when: { 'resource.Name': 'a' } },
      [`${start} eu:t:a do p:*`, `${start} *:*:a do p:* if or(${inGroup('m')})`],
    ],
  ])('%s', (_, policy, expected) => {
    expect(lines([policy])).toEqual(expected)
  })

  /** A condition of so many comparisons of the name, each of which leaves something open whether it holds or not. */
  const cases = (count: number) =>
    or(
      match({ 'resource.Tag(k)': '0' }),
      ...Array.from({ length: count }, (_, i) => match({ 'resource.Name.STARTS_WITH': `n${i}`, [`resource.Tag(k${i})`]: '1' })),
    )
  const asOneFact = (world: World) => {
    const condition = world.policies[0]?.condition
    if (!condition) throw new Error('no condition')
    return openFact({ kind: 'condition', text: `condition ${printFormula(formulaOf(condition))}`, holds: true })
  }

  test('is split into many cases, and is one unknown fact beyond', () => {
    const few = statementsOf(shortWorld([{ ...all, on: ['t:n*', 't:x', '#m'], when: cases(7) }]))
    // A name begins with one of them at most: the others are narrowed to nothing. The open place is split likewise.
    expect(few.length).toBe(2 * 8)
    const world = shortWorld([{ ...all, on: ['t:n*', '#m'], when: cases(8) }])
    const fact = printFormula(asOneFact(world))
    expect(statementsOf(world).map(line)).toEqual([
      `${start} eu:t:n* do p:* if ${fact}`,
      `${start} *:*:* do p:* if and(or(${inGroup('m')}),${fact})`,
    ])
    expect(statementsOf(world)[0]?.formula).toMatchObject({ is: { kind: 'condition', holds: true } })
  })

  test('is split as often as it likes where only one case is left open', () => {
    const names = Array.from({ length: 70 }, (_, i) => match({ 'resource.Name': `n${i}` }))
    const [one, ...others] = statementsOf(shortWorld([{ ...all, when: not(...names) }]))
    expect(others).toEqual([])
    expect([one?.exclusions.length, one && printFormula(one.formula)]).toEqual([70, 'and()'])
  })

  test('is one unknown fact beyond ten thousand boxes', () => {
    const table = (types: number, names: number) => {
      const on = Array.from({ length: types }, (_, i) => `t${i}:*`)
      return shortWorld([{ ...all, on, when: { 'resource.Name.IN': Array.from({ length: names }, (_, i) => `n${i}`).join() } }])
    }
    expect(statementsOf(table(100, 100)).map(({ boxes, formula }) => [boxes.length, printFormula(formula)])).toEqual([[10_000, 'and()']])
    const world = table(73, 137)
    expect(statementsOf(world).map(({ boxes, formula }) => [boxes.length, printFormula(formula)])).toEqual([
      [73, printFormula(asOneFact(world))],
    ])
  })

  test('is one unknown fact where names meet in too many ways', () => {
    const long = 'ab'.repeat(300)
    const world = shortWorld([{ ...all, on: [`t:*c${long}*`], when: { 'resource.Name.STARTS_WITH': long } }])
    expect(statementsOf(world).map(({ boxes, formula }) => [boxes.map(boxText), printFormula(formula)])).toEqual([
      [[`eu:t:*c${long}*`], printFormula(asOneFact(world))],
    ])
  })
})

describe('statements', () => {
  const world = shortWorld(
    [
      { who: ['user:a/u', 'group:a/*'], on: ['t:a*', 'u:*'], allow: ['p:*', 'q:x:a'], except: ['p:x:b*'] },
      { who: ['user:a/u'], on: ['*:ab'], deny: ['*:a', 'q:*'], when: { operator: 'NOT', conditions: [match({ 'resource.Name': 'x' })] } },
      { who: ['user:a/u'], on: ['*'], allow: ['p:*'], when: { operator: 'NOT', conditions: [match({ 'resource.Type': 'v' })] } },
    ],
    {},
  )
  const [one, other, third] = statementsOf(world) as [Statement, Statement, Statement]
  const texts = (patterns: Record<string, { readonly all: readonly { readonly text: string }[] }>) =>
    Object.fromEntries(Object.entries(patterns).map(([kind, { all }]) => [kind, all.map(({ text }) => shortName(text))]))

  test('meet in what both are about', () => {
    const { actions, boxes, exclusions } = meetStatements(one, other)
    expect(actions.map(({ value, span }) => [value.text, one.actions.findIndex((each) => each.span === span)])).toEqual([
      ['p:*:a', 0],
      ['p:a', 0],
      ['q:x:a', 1],
      ['q:x:a', 1],
    ])
    expect(boxes.map(boxText)).toEqual(['eu:t:ab', 'eu:t:a*:ab', 'eu:u:ab', 'eu:u:*:ab'])
    expect(exclusions.map(({ dimension, pattern }) => `${dimension} ${pattern.text}`)).toEqual(['action p:x:b*', 'name x'])
  })

  test('have patterns of each kind, each once', () => {
    const first = {
      identities: ['user:a/u', 'group:a/*'],
      regions: ['eu'],
      types: ['t', 'u'],
      names: ['a*', '*'],
      actions: ['p:*', 'q:x:a', 'p:x:b*'],
    }
    const all = {
      identities: ['user:a/u', 'group:a/*'],
      regions: ['eu'],
      types: ['t', 'u', '*', 'v'],
      names: ['a*', '*', 'ab', '*:ab', 'x'],
      actions: ['p:*', 'q:x:a', 'p:x:b*', '*:a', 'q:*'],
    }
    expect(texts({ ...patternsIn([one]) })).toEqual(first)
    expect(texts({ ...patternsIn([one, other, third]) })).toEqual(all)
    expect(texts({ ...patternsTogether([patternsIn([one]), patternsIn([other, third]), patternsIn([one])]) })).toEqual(all)
    expect(texts({ ...patternsIn([]) })).toEqual({ identities: [], regions: [], types: [], names: [], actions: [] })
  })

  const not = (name: string) => ({ operator: 'NOT', conditions: [match({ 'resource.Name.IN': name })] })
  const base: ShortPolicy = {
    who: ['user:a/u', 'user:a/v'],
    on: ['t:a', 'u:b'],
    allow: ['p:*', 'q:*'],
    except: ['p:x:b', 'p:x:c'],
    when: not('x,y'),
  }
  const keyOf = (policy: ShortPolicy, shared?: ShortWorld) => statementsOf(shortWorld([policy], shared))[0]?.key

  test.each<[string, ShortPolicy]>([
    ['the name of the policy', { ...base, name: 'other' }],
    ['the order of identities', { ...base, who: ['user:a/v', 'user:a/u', 'user:a/v'] }],
    ['the order of resources', { ...base, on: ['u:b', 't:a', 't:a'] }],
    ['the order of actions', { ...base, allow: ['q:*', 'p:*', 'p:*'] }],
    ['the order of what is left out', { ...base, except: ['p:x:c', 'p:x:b', 'p:x:c'] }],
    ['the order of names', { ...base, when: not('y,x') }],
  ])('have one key whatever %s is', (_, policy) => {
    expect(keyOf(policy)).toBe(keyOf(base))
  })

  test('have keys of their own where they say something else', () => {
    const { allow, except: _, ...rest } = base
    const keys = [
      base,
      { ...rest, deny: allow as readonly string[] },
      { ...rest, allow: allow as readonly string[] },
      { ...base, who: ['user:a/u'] },
      { ...base, on: ['t:a'] },
      { ...base, allow: ['p:*'] },
      { ...base, except: ['p:x:b'] },
      { ...base, when: not('x') },
      { ...base, when: tag },
      { ...base, until: '2026-01-01T00:00:00Z' },
    ].map((policy) => keyOf(policy))
    expect(new Set(keys).size).toBe(keys.length)
    expect(keys.every((key) => typeof key === 'string')).toBe(true)
  })

  test('of a permissions group have the key of those that are written out', () => {
    const shared = { permissionsGroups: { 'svc:r': { allow: ['p:*'] } } }
    expect(keyOf({ groups: ['svc:r'] }, shared)).toBe(keyOf({ allow: ['p:*'] }))
  })
})
