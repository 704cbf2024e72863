import { describe, expect, test } from 'vitest'
import type { World } from '../../src/policy.ts'
import { decide } from '../../src/simulate/decide.ts'
import { covers, firstNewAccess, type Outcome } from '../../src/symbolic/covers.ts'
import { type Side, sideOf, without } from '../../src/symbolic/side.ts'
import { questionJson, witnessOf } from '../../src/symbolic/witness.ts'
import { families, type PairKnobs, tryEverything } from '../support/analysis-oracle.ts'
import { match, type ShortPolicy, type ShortWorld, shortName, shortWorld } from '../support/short.ts'
import { randomOf, take, type WorldJson, worldOf } from '../support/worlds.ts'

function* pairs(seed: number, knobs: PairKnobs) {
  for (const { worlds, pairs: of } of families(randomOf(seed), knobs, 6)) {
    const read = worlds.map((world) => worldOf(world))
    for (const [i, j] of of) {
      const [a, b] = [read[i] as World, read[j] as World]
      yield { a, b, sides: [sideOf(a, b), sideOf(b, a)] as const, written: [worlds[i] as WorldJson, worlds[j] as WorldJson] as const }
    }
  }
}

/** The fault of an outcome; '' for one whose question is answered as it must be. */
function wrong(outcome: Outcome, a: World, b: World): string {
  if (outcome.kind !== 'new') return ''
  const question = witnessOf(outcome.newAccess)
  const [here, there] = [decide(a, question).verdict, decide(b, question).verdict]
  const right = outcome.newAccess.certain ? here === 'allow' && there === 'deny' : here !== 'deny' && there !== 'allow'
  return right ? '' : `${here}, ${there}: ${JSON.stringify(questionJson(question))}`
}

describe('whether one world grants what another does not', () => {
  for (const seed of Array.from({ length: 8 }, (_, i) => i + 1)) {
    const knobs = { policies: 4, unknown: seed % 3 === 0 ? 0.15 : 0 }
    test(`is what trying every question finds, ${seed}`, () => {
      for (const { a, b, sides, written } of take(30, pairs(seed + 700, knobs))) {
        const [outcome, answer] = [firstNewAccess(...sides), tryEverything(...written)]
        const shown = JSON.stringify(written)
        if (answer.kind !== 'too many') expect([shown, outcome.kind]).toEqual([shown, answer.kind])
        expect([shown, wrong(outcome, a, b)]).toEqual([shown, ''])
      }
    })
  }
})

/** The first new access in a line: who does what on what, in which context; `perhaps` where it is not certain. */
function line(outcome: Outcome): string {
  if (outcome.kind === 'none') return 'none'
  if (outcome.kind === 'undecided') return `undecided: ${outcome.culprits.map(shortName).join(' ')}`
  const { identity, groups, action, resource, tags } = witnessOf(outcome.newAccess)
  return [
    [identity, ...groups].map(shortName).join('+'),
    action,
    shortName(resource),
    ...[...(tags ?? [])].map(([key, value]) => `${key}=${value}`),
    ...[...outcome.newAccess.model.assumed].map(([fact, holds]) => `${holds ? '' : 'not '}${fact.replace(/^.*:/, '#')}`),
    ...(outcome.newAccess.certain ? [] : ['perhaps']),
  ].join(' ')
}

interface Pair {
  readonly a: readonly ShortPolicy[]
  readonly b: readonly ShortPolicy[]
  readonly here?: ShortWorld
  readonly there?: ShortWorld
}
function sidesOf({ a, b, here = {}, there = here }: Pair): readonly [Side, Side] {
  const [one, other] = [shortWorld(a, here), shortWorld(b, there)]
  return [sideOf(one, other), sideOf(other, one)]
}
const not = (...conditions: ReturnType<typeof match>[]) => ({ operator: 'NOT', conditions })
const tagged = match({ 'resource.Tag(k)': 'x' })
const notNamed = (name: string) => not(match({ 'resource.Name': name }))
const all: ShortPolicy = { allow: ['p:*'] }
const everywhere: ShortPolicy = { allow: ['p:*'], on: ['*'] }
/** `user:a/u` is in a group of the second side only. */
const joins = { there: { members: { 'user:a/u': ['group:a/h'] } }, here: { members: { 'user:a/u': [] } } }
const denyH: ShortPolicy = { deny: ['p:x:a'], who: ['group:a/h'] }

describe('the first new access', () => {
  test.each<[string, Pair, string]>([
    ['of the same', { a: [all], b: [all] }, 'none'],
    ['of nothing', { a: [], b: [all] }, 'none'],
    ['of all', { a: [all], b: [] }, 'user:a/u p:x:x t:x'],
    ['of a wider grant', { a: [all], b: [{ allow: ['p:x:*'] }] }, 'user:a/u p:z:z t:x'],
    ['of a narrower grant', { a: [{ allow: ['p:x:*'] }], b: [all] }, 'none'],
    ['of what only one side excepts', { a: [all], b: [{ ...all, except: ['p:x:a'] }] }, 'user:a/u p:x:a t:x'],
    ['of what both except', { a: [{ ...all, except: ['p:x:*'] }], b: [{ ...all, except: ['p:x:a'] }] }, 'none'],
    ['of what only one side denies', { a: [all], b: [all, { deny: ['p:x:a'] }] }, 'user:a/u p:x:a t:x'],
    ['of what both deny', { a: [everywhere, { deny: ['p:x:*'] }], b: [everywhere, { deny: ['p:x:a'] }] }, 'none'],
    ['of a deny that leaves out a name', { a: [all, { deny: ['p:*'], when: notNamed('n') }], b: [] }, 'user:a/u p:x:x t:n'],
    [
      'of the second of two denies',
      { a: [all, { deny: ['p:x:a'] }], b: [everywhere, { deny: ['p:x:a'], who: ['user:*'] }, { deny: ['p:x:b'] }] },
      'user:a/u p:x:b t:x',
    ],
    [
      'of the second of two names that are left out',
      {
        a: [all],
        b: [
          { ...all, when: not(match({ 'resource.Name': 'm' }), match({ 'resource.Name': 'n' })) },
          { ...all, on: ['t:m'] },
        ],
      },
      'user:a/u p:x:x t:n',
    ],
    ['of a grant on a condition', { a: [all], b: [{ ...all, when: tagged }] }, 'user:a/u p:x:x t:x'],
    ['of a grant on no condition', { a: [{ ...all, when: tagged }], b: [all] }, 'none'],
    [
      'of grants on conditions that are all',
      {
        a: [all],
        b: [
          { ...all, when: tagged },
          { ...all, when: not(tagged) },
        ],
      },
      'none',
    ],
    ['of another condition', { a: [{ ...all, when: tagged }], b: [{ ...all, when: not(tagged) }] }, 'user:a/u p:x:x t:x k=x'],
    [
      'of what is certain before what may be',
      { a: [{ allow: ['q:x:b'], on: ['#o'] }, all], b: [{ ...all, on: ['u:*'] }] },
      'user:a/u p:x:x t:x',
    ],
    ['of what may be', { a: [{ allow: ['q:x:b'], on: ['#o'] }], b: [] }, 'user:a/u q:x:b x:x #o perhaps'],
    ['of a group that may be denied', { a: [all], b: [all, { deny: ['p:x:a'], on: ['#o'] }] }, 'user:a/u p:x:a t:x #o perhaps'],
    [
      'of a member that another group denies',
      { a: [{ ...all, who: ['group:a/g'] }, denyH], b: [{ ...all, who: ['group:a/g'] }, denyH], ...joins },
      'user:a/u+group:a/g p:x:a t:x',
    ],
    ['of somebody else', { a: [{ ...all, who: ['user:a/v'] }, denyH], b: [{ ...all, who: ['user:a/v'] }, denyH], ...joins }, 'none'],
    ['of a member itself', { a: [all, denyH], b: [all, denyH], ...joins }, 'user:a/u p:x:a t:x'],
    [
      'of a pattern with the member',
      { a: [{ ...all, who: ['user:a/*'] }, denyH], b: [{ ...all, who: ['user:a/*'] }, denyH], ...joins },
      'user:a/u p:x:a t:x',
    ],
    [
      'of a member that loses a group',
      { a: [{ ...all, who: ['group:a/h'] }], b: [{ ...all, who: ['group:a/h'] }], here: joins.there, there: joins.here },
      'user:a/u p:x:x t:x',
    ],
  ])('%s', (_, pair, expected) => {
    const sides = sidesOf(pair)
    expect(line(firstNewAccess(...sides))).toBe(expected)
    expect(firstNewAccess(...sides, { of: [] })).toEqual({ kind: 'none' })
  })

  test.each<[string, Pair, budget: number, string, less?: string]>([
    ['where nothing is split', { a: [all], b: [everywhere] }, 0, 'none'],
    ['where all of it is denied', { a: [all, { deny: ['p:*'] }], b: [] }, 0, 'none'],
    ['where a grant of all is found', { a: [all], b: [] }, 0, 'user:a/u p:x:x t:x'],
    ['for one name', { a: [all], b: [{ ...all, when: notNamed('n') }] }, 1, 'user:a/u p:x:x t:n', 'undecided: n'],
    [
      'for the grant that leaves out less, the second',
      {
        a: [all],
        b: [
          { ...all, except: ['p:x:a', 'p:x:b'] },
          { ...all, except: ['p:x:c'] },
        ],
      },
      1,
      'none',
      'undecided: p:x:c',
    ],
    [
      'for the grant that leaves out less, the first',
      {
        a: [all],
        b: [
          { ...all, except: ['p:x:c'] },
          { ...all, except: ['p:x:a', 'p:x:b'] },
        ],
      },
      1,
      'none',
      'undecided: p:x:c',
    ],
    [
      'for the first of two that leave out as much',
      {
        a: [all],
        b: [
          { ...all, except: ['q:*'] },
          { ...all, except: ['p:x:c'] },
        ],
      },
      0,
      'none',
    ],
    [
      'for one that leaves out nothing, though it is the last',
      { a: [all], b: [{ ...all, except: ['p:x:c'] }, everywhere, { ...all, except: ['p:x:a', 'p:x:b'] }] },
      0,
      'none',
    ],
    [
      'once for what is reached twice',
      {
        a: [all],
        b: [
          { ...all, except: ['p:x:a'], when: notNamed('n') },
          { allow: ['p:x:a'], when: notNamed('n') },
          { ...all, on: ['t:n'], except: ['p:x:a'] },
          { allow: ['p:x:a'], on: ['t:n'] },
        ],
      },
      3,
      'none',
      'undecided: n',
    ],
    [
      'not for a deny that is about all of it',
      { a: [{ ...all, on: ['t:n'] }], b: [all, { deny: ['p:*'], when: notNamed('n') }] },
      0,
      'none',
    ],
    [
      'for each deny on the way',
      { a: [all, { deny: ['p:x:a'] }], b: [everywhere, { deny: ['p:x:*'], when: notNamed('m'), name: 'second' }] },
      1,
      'user:a/u p:x:x t:x',
      'undecided: second',
    ],
  ])('takes no more steps than it must: %s', (_, pair, budget, expected, less) => {
    const sides = sidesOf(pair)
    expect(line(firstNewAccess(...sides, { budget }))).toBe(expected)
    expect(line(firstNewAccess(...sides))).toBe(expected)
    if (less !== undefined) expect(line(firstNewAccess(...sides, { budget: budget - 1 }))).toBe(less)
  })

  test('is not looked for in conditions that are used up', () => {
    const many = Array.from({ length: 40 }, (_, i) => `p:x:a${i}`)
    const b = [
      { ...all, when: tagged },
      { ...all, when: not(tagged) },
      { ...all, when: match({ 'resource.Tag(e)': 'x' }), except: many },
    ]
    expect(line(firstNewAccess(...sidesOf({ a: [all], b }), { budget: 20 }))).toBe('none')
    const denied = [
      { ...all, when: tagged },
      { deny: ['p:*'], when: tagged },
    ]
    expect(line(firstNewAccess(...sidesOf({ a: denied, b: [{ ...all, except: many }] }), { budget: 20 }))).toBe('none')
  })
})

describe('whether a side covers statements', () => {
  test('is asked of these alone', () => {
    const [side, wide] = sidesOf({ a: [all, { deny: ['p:x:a'] }], b: [everywhere, { ...all, who: ['user:a/v'] }] })
    const [first, second] = wide.allows.statements
    if (!first || !second) throw new Error('no statements')
    expect(line(covers(side, [first]))).toBe('user:a/u p:x:x x:x')
    expect(line(covers(side, [second]))).toBe('user:a/v p:x:x t:x')
    expect(line(covers(wide, side.allows.statements))).toBe('none')
    expect(line(covers(side, side.allows.statements))).toBe('none')
    expect(covers(side, [])).toEqual({ kind: 'none' })
    const rest = without(wide, (statement) => statement === second)
    expect(line(covers(rest, [second]))).toBe('user:a/v p:x:x t:x')
  })

  test('is undecided where the budget does not allow it', () => {
    const [a, b] = sidesOf({
      a: [all],
      b: [
        { ...all, when: notNamed('n') },
        { ...all, on: ['t:n'] },
      ],
    })
    expect(covers(b, a.allows.statements, 0)).toEqual({ kind: 'undecided', culprits: ['n'] })
    expect(covers(b, a.allows.statements)).toEqual({ kind: 'none' })
  })
})
