import { describe, expect, test } from 'vitest'
import { type Address, readAddress } from '../../src/conditions/address.ts'
import type { World } from '../../src/policy.ts'
import { decide } from '../../src/simulate/decide.ts'
import type { Decision, Question } from '../../src/simulate/decision.ts'
import { compile, type EngineOptions } from '../../src/simulate/engine.ts'
import { factText, valueText } from '../../src/simulate/facts.ts'
import { identityOf, resourceOf, type ShortPolicy, shortWorld, writtenOf } from '../support/short.ts'
import { pick, type Random, randomOf, worldOfTexts } from '../support/worlds.ts'

/** A decision with the places of its entries, without the objects that hold them. */
function plain({ verdict, reason, clauses, missing, caveats }: Decision) {
  return {
    verdict,
    reason,
    clauses: clauses.map(({ policy, list, entry, group, ...rest }) => [
      `${entry.span.source.path}:${entry.span.start} by ${policy.name.value} ${list} ${entry.value.text}`,
      group,
      rest,
    ]),
    missing: missing.map(({ fact, allows, denies }) => [
      factText(fact),
      ...[allows, denies].map((values) => values.map((value) => `${factText(value)}=${valueText(value)}`)),
    ]),
    caveats,
  }
}

const list = (random: Random, least: number, most: number, texts: readonly string[]) => [
  ...new Set(Array.from({ length: least + Math.floor(random() * (most - least + 1)) }, () => pick(random, texts))),
]

const actionTexts = ['p:apisvc:a', 'p:apisvc:b', 'q:apisvc:a', 'p:*', '*', '*:a', 'p*a', 'q:apisvc:a*']
const resourceTexts = ['t:a', 't:ab', 't:*', 'u:a', '*', 't:a*', '#held', '#far', '#*']
const identityTexts = [
  'user:a/u',
  'user:a/v',
  'user:b/u',
  'user:a/*',
  'user:*',
  'group:a/g',
  'group:b/g',
  'group:a/h*',
  'group:*',
  'account:a',
]
const conditions = [
  { 'resource.Name': 'a' },
  { 'resource.Tag(k)': 'a' },
  { 'request.IP': '192.0.2.1' },
  { 'resource.Type': 'u' },
  { 'date(UTC).Hour': '12' },
]

/** Policies of many units: more than one word of bits for an identity, some of them of permissions groups. */
function policiesOf(random: Random, count: number): ShortPolicy[] {
  return Array.from({ length: count }, () => {
    const [first = 'user:a/u', ...who] = list(random, 1, 3, identityTexts)
    return {
      who: [first, ...who],
      on: list(random, 1, 2, random() < 0.8 ? resourceTexts.slice(0, 6) : resourceTexts),
      allow: list(random, 0, 3, actionTexts),
      except: list(random, 0, random() < 0.3 ? 2 : 0, actionTexts),
      deny: list(random, 0, random() < 0.15 ? 1 : 0, actionTexts),
      groups: random() < 0.2 ? list(random, 1, 2, ['svc:held', 'svc:more', ...(random() < 0.2 ? ['svc:far'] : [])]) : [],
      when: random() < 0.15 ? pick(random, conditions) : undefined,
      ...(random() < 0.1 && { until: pick(random, ['2026-01-01T00:00:00Z', '2026-03-01T00:00:00Z']) }),
    }
  })
}

/** The same world in several files, whose names are not in the order in which they are read. */
function worldFrom(random: Random, count: number) {
  const { policies, ...rest } = writtenOf(policiesOf(random, count), {
    members: { 'user:a/u': ['group:a/g'], 'user:b/u': ['group:b/g', 'group:a/h1'] },
    resourceGroups: { '#held': ['t:a', 'u:a'] },
    permissionsGroups: {
      'svc:held': { allow: ['p:apisvc:a', 'p:*'], except: ['p:apisvc:b'] },
      'svc:more': { allow: ['q:apisvc:a'], deny: ['q:apisvc:b', 'p*b'] },
    },
    resources: { 't:a': { k: 'a' }, 't:ab': {} },
  })
  const readOnly = random() < 0.5 ? policies.map((policy, i) => (i === 0 ? { ...policy, readOnly: true } : policy)) : policies
  const cut = Math.floor(random() * readOnly.length)
  const texts = [{ ...rest, policies: readOnly.slice(cut) }, { policies: readOnly.slice(0, cut) }].map((each) => JSON.stringify(each))
  const world = worldOfTexts(texts)
  return random() < 0.5 ? world : { ...world, policies: [...world.policies].reverse() }
}

function questionFrom(random: Random): Question {
  return {
    identity: identityOf(pick(random, ['user:a/u', 'user:a/v', 'user:b/u', 'user:c/w', 'account:a', 'group:a/g', 'credential:a/oauth2-x'])),
    action: pick(random, ['p:apisvc:a', 'p:apisvc:b', 'q:apisvc:a', 'q:apisvc:b', 'r:apisvc:c']),
    resource: resourceOf(pick(random, ['t:a', 't:ab', 't:b', 'u:a', 'ca/t:a'])),
    at: pick(random, [Date.UTC(2026, 1, 1), Date.UTC(2026, 1, 1, 12), Date.UTC(2026, 4, 1, 12)]),
    groups: list(random, 0, 2, ['group:a/g', 'group:b/g', 'group:a/h1']).map(identityOf),
    ...(random() < 0.3 && { owner: pick(random, ['a', 'b']) }),
    ...(random() < 0.5 && { ip: readAddress(pick(random, ['192.0.2.1', '192.0.2.2'])) as Address }),
    ...(random() < 0.3 && { tags: new Map([['k', pick(random, ['a', 'b'])]]) }),
  }
}

// One engine for all questions of a world: what it remembers of one must not change the next.
describe.each([2, 12, 40, 90])('an engine of a world of %i policies', (count) => {
  test.each([1, 2, 3, 4, 5, 6])('decides as the reference does (seed %i)', (seed) => {
    const random = randomOf(1000 * count + seed)
    const world = worldFrom(random, count)
    const little = { texts: 1 + seed, places: 20 * seed, strange: 300 * seed, lifts: seed }
    const engines = [{}, { mostCopied: seed % 3 }, { limits: little }, { mostCopied: 4, limits: little }].map((options) =>
      compile(world, options),
    )
    for (let i = 0; i < 40; i++) {
      const question = questionFrom(random)
      const expected = plain(decide(world, question))
      for (const engine of engines) {
        expect([question, plain(engine.decide(question))]).toStrictEqual([question, expected])
        expect(engine.verdict(question)).toBe(expected.verdict)
        const known = engine.decideKnown(question)
        if (known || engine === engines[0]) expect(known && plain(known)).toStrictEqual(expected)
        const verdict = engine.verdictKnown(question)
        if (verdict || engine === engines[0]) expect(verdict).toBe(expected.verdict)
      }
    }
  })
})

// Policies come, go and come back while questions are asked, as in the emulator.
test.each([12, 30, 120])('an engine whose policies change, among %i, decides as the reference does', (count) => {
  const reasons = new Set<string>()
  for (const seed of [1, 2, 3, 4]) {
    const random = randomOf(77 * count + seed)
    const { policies: all, ...facts } = worldFrom(random, count)
    let world: World = { ...facts, policies: all.slice(0, Math.floor(count / 2)) }
    const engine = compile(world, { mostCopied: [0, 3, 32][seed % 3] as number, limits: { texts: 4 * seed, strange: 300 * seed } })
    for (let turn = 0; turn < 25; turn++) {
      for (let i = 0; i < 6; i++) {
        const question = questionFrom(random)
        const expected = plain(decide(world, question))
        reasons.add(expected.reason)
        expect([question, plain(engine.decide(question))]).toStrictEqual([question, expected])
        expect(engine.verdict(question)).toBe(expected.verdict)
      }
      const gone = world.policies.filter(() => random() < (turn % 9 === 8 ? 1 : 0.1))
      const added = all.filter((policy) => !world.policies.includes(policy) && random() < 0.1)
      world = { ...facts, policies: [...world.policies.filter((policy) => !gone.includes(policy)), ...added] }
      engine.change(world, gone, added)
    }
  }
  expect(reasons).toEqual(new Set(['granted', 'denied', 'default', 'unknown', 'root']))
})

/** The decisions of the reference and of an engine that was asked all questions in turn, which are to be the same. */
function expectSame(world: World, questions: readonly Question[], options: EngineOptions = {}): readonly Decision[] {
  const engine = compile(world, options)
  return questions.map((question) => {
    const expected = decide(world, question)
    expect([question, plain(engine.decide(question))]).toStrictEqual([question, plain(expected)])
    expect(engine.verdict(question)).toBe(expected.verdict)
    return expected
  })
}

const asked = (more: Partial<Question> = {}): Question => ({
  identity: identityOf('user:a/u'),
  action: 'p:apisvc:a',
  resource: resourceOf('t:a'),
  at: 0,
  groups: [],
  ...more,
})
const address = (text: string) => ({ ip: readAddress(text) as Address })

describe('more patterns than there is room for at first', () => {
  const long = 'a'.repeat(300)
  const begins = (start: string) => Array.from({ length: 80 }, (_, i) => `${start}${long.slice(0, i + 1)}*`)
  const question = asked({ action: `p:apisvc:${long}`, resource: resourceOf(`t:${long}`) })

  test.each(['allow', 'deny', 'except'] as const)('match one action, as %s', (list) => {
    const actions = begins('p:apisvc:')
    const world = shortWorld([
      { on: begins('t:'), allow: ['p:*'], [list]: actions.slice(0, -1) },
      { on: begins('t:').toReversed(), allow: [], [list]: actions.slice(-1) },
      { who: ['user:a/v'], allow: actions },
    ])
    const other = { ...question, action: 'p:apisvc:b' }
    const identity = identityOf('user:a/v')
    for (const mostCopied of [0, 40])
      expectSame(world, [question, other, { ...question, identity }, { ...other, identity }, question], { mostCopied })
  })

  test.each([0, 8, 200])('match one identity (names of more than %i permission sets are shared)', (mostCopied) => {
    const world = shortWorld(
      Array.from({ length: 240 }, (_, i) => ({
        who: i % 2 ? [`user:a/${long.slice(0, i + 1)}*`] : ['user:a/*'],
        on: i % 3 ? ['t:*'] : [`t:${long.slice(0, i + 1)}*`],
        allow: [i % 7 === 3 ? `p:apisvc:${i}*` : 'p:apisvc:b*'],
        ...(i % 50 === 45 && { groups: [`svc:far${i}`] }),
        ...(i % 40 === 33 && { when: { 'request.IP': '192.0.2.1' }, deny: [`p:apisvc:${i}`] }),
      })),
    )
    const actions = ['a', 'b', 'b1', '3', '33', '73', '113', '10', '101'].map((path) => `p:apisvc:${path}`)
    const questions = [long, 'b'].flatMap((login) =>
      actions.flatMap((action) =>
        [{}, address('192.0.2.1')].map((more) =>
          asked({ identity: identityOf(`user:a/${login}`), resource: resourceOf(`t:${long}`), action, ...more }),
        ),
      ),
    )
    expect(new Set(expectSame(world, questions, { mostCopied }).map(({ reason }) => reason)).size).toBeGreaterThan(3)
  })
})

describe('a group that would allow it', () => {
  const x = ['p:apisvc:a']
  const here = { 'request.IP': '192.0.2.1' }
  // The result that is remembered for a question must not answer another that differs in what a condition asks for.
  test.each<[string, ShortPolicy[]]>([
    ['here only', [{ who: ['group:a/g'], allow: x, when: here }]],
    [
      'by the first of two',
      [
        { who: ['group:a/g'], allow: x },
        { who: ['group:a/g'], allow: x, when: here },
      ],
    ],
    [
      'not here',
      [
        { who: ['group:a/g'], allow: x },
        { who: ['group:a/g'], deny: x, when: here },
      ],
    ],
    [
      'not here, by a pattern',
      [
        { who: ['group:*'], allow: x },
        { who: ['group:a*'], deny: x, when: here },
      ],
    ],
    ['anywhere', [{ who: ['group:a/g'], allow: x }]],
    [
      'beside one of another account',
      [
        { who: ['group:b/g', 'group:a/g'], allow: x },
        { who: ['group:a/g'], deny: x, when: here },
      ],
    ],
    [
      'but denied to the group of another account',
      [
        { who: ['group:b/g', 'group:a/g'], allow: x },
        { who: ['group:b/g'], deny: x },
      ],
    ],
    ['beside a user of the same policy', [{ who: ['user:a/v', 'group:a/g'], allow: x }]],
    [
      'by one of many policies, by a permissions group that is not known',
      Array.from({ length: 40 }, (_, i) => ({ who: ['group:a/g'], allow: i === 35 ? [] : ['q:*'], groups: i === 35 ? ['svc:far'] : [] })),
    ],
    [
      'by none of many policies, one of which has a condition',
      Array.from({ length: 40 }, (_, i) => ({ who: ['group:a/g'], allow: ['q:*'], ...(i === 35 && { when: here }) })),
    ],
    ['by a permissions group that is not known', [{ who: ['group:a/g'], groups: ['svc:far'] }]],
    [
      'while a set denies only',
      [
        { who: ['group:a/g'], deny: ['q:*'] },
        { who: ['group:a/h'], allow: x, except: ['q:*'] },
      ],
    ],
    ['or excepts it', [{ who: ['group:a/g'], allow: ['p:*'], except: x }]],
    [
      'of any account, and denied to one',
      [
        { who: ['group:*'], allow: x },
        { who: ['group:a/*'], deny: x },
      ],
    ],
  ])('%s', (_, policies) => {
    const world = shortWorld(policies)
    const [there, elsewhere] = [asked(address('192.0.2.1')), asked(address('192.0.2.2'))]
    const ofOther = asked({ ...address('192.0.2.2'), identity: identityOf('user:b/u') })
    for (const limits of [{}, { lifts: 0 }, { lifts: 1 }, { strange: 1 }]) {
      for (const order of [
        [there, elsewhere, ofOther],
        [elsewhere, ofOther, there],
        [ofOther, asked(), elsewhere, there],
      ])
        expectSame(world, [...order, ...order], { limits })
    }
  })
})

describe('where nothing is unknown', () => {
  // The policies are gone: what needs them to answer has nothing to look at.
  test.each([1, 2, 3, 4, 5, 6])('an engine answers from its tables alone (seed %i)', (seed) => {
    const random = randomOf(seed)
    const policies = policiesOf(random, 90).map(({ groups, ...rest }) => ({
      ...rest,
      on: (rest.on ?? []).filter((each) => !each.startsWith('#')).concat('t:b'),
      except: (rest.except ?? []).filter((action) => !/\*./.test(action)),
    }))
    const world = shortWorld(policies)
    const compiled = { ...world, policies: [...world.policies] }
    const engines = [{ mostCopied: 3 }, { mostCopied: 200 }].map((options) => compile(compiled, options))
    compiled.policies.length = 0
    const verdicts = new Set<string>()
    for (let i = 0; i < 100; i++) {
      const question = {
        ...questionFrom(random),
        ...address(pick(random, ['192.0.2.1', '192.0.2.2'])),
        tags: new Map([['k', pick(random, ['a', 'b'])]]),
        owner: 'c',
      }
      const expected = plain(decide(world, question))
      verdicts.add(expected.reason)
      for (const engine of engines) {
        expect(engine.verdict(question)).toBe(expected.verdict)
        expect([question, plain(engine.decide(question))]).toStrictEqual([question, expected])
      }
    }
    expect(verdicts).toEqual(new Set(['granted', 'denied', 'default']))
  })
})

describe('what is remembered of groups', () => {
  // Classes of resources and actions lose their meaning all the time, and get another.
  test.each([1, 2, 3, 4, 5, 6, 7, 8])('is forgotten with what it is about (seed %i)', (seed) => {
    const random = randomOf(seed)
    const resources = ['t:a', 't:b', 't:c', 'u:a', 'u:b']
    const actions = ['p:apisvc:a', 'p:apisvc:b', 'q:apisvc:a', 'q:apisvc:b']
    const world = shortWorld(
      Array.from({ length: 8 }, (_, i) => ({
        who: [pick(random, [`group:a/g${i}`, 'group:*', `group:a/${i}*`, `group:b/g${i}`])],
        on: list(random, 1, 2, [...resources, 't:*']),
        allow: list(random, 1, 2, [...actions, 'p:*']),
        ...(random() < 0.3 && { deny: [pick(random, actions)] }),
      })),
    )
    const questions = Array.from({ length: 80 }, () =>
      asked({
        identity: identityOf(pick(random, ['user:a/u', 'user:b/u', 'user:c/u'])),
        resource: resourceOf(pick(random, resources)),
        action: pick(random, actions),
      }),
    )
    for (const places of [4, 9, 20]) expectSame(world, questions, { limits: { places } })
    for (const texts of [1, 2]) expectSame(world, questions, { limits: { texts, places: 6 } })
  })
})

describe('a name that is none', () => {
  test('is denied by default', () => {
    const world = shortWorld([{ allow: ['p:*'] }])
    const [decision] = expectSame(world, [asked({ identity: 'nobody' })])
    expect(decision).toStrictEqual({ verdict: 'deny', reason: 'default', clauses: [], missing: [], caveats: ['managed-policies'] })
  })
})

describe('entries', () => {
  test('are in the order of their files and places, those of one group in the order of the policies that name it', () => {
    const held = { permissionsGroups: { 'svc:held': { allow: ['p:*', 'p:apisvc:a'] } } }
    const texts = [
      writtenOf([
        { name: 'c', groups: ['svc:held'] },
        { name: 'd', allow: ['p:*', '*'], groups: ['svc:held'] },
      ]),
      writtenOf([{ name: 'a', allow: ['p:*'] }], held),
      writtenOf([{ name: 'b', groups: ['svc:held'], allow: ['p:apisvc:a'] }]),
    ].map((written) => JSON.stringify(written))
    const world = worldOfTexts(texts)
    const expected = [
      'd p:*',
      'd *',
      'a p:*',
      'c/held p:*',
      'd/held p:*',
      'b/held p:*',
      'c/held p:apisvc:a',
      'd/held p:apisvc:a',
      'b/held p:apisvc:a',
      'b p:apisvc:a',
    ]
    for (const policies of [world.policies, [...world.policies].reverse()]) {
      const [decision] = expectSame({ ...world, policies }, [asked()])
      expect(
        decision?.clauses.map(({ policy, group, entry }) => `${policy.name.value}${group ? '/held' : ''} ${entry.value.text}`),
      ).toEqual(expected)
      expect(decision?.clauses.map((clause) => 'group' in clause)).toEqual(expected.map((text) => text.includes('/held')))
    }
  })
})

describe('what is known of a question', () => {
  const world = worldOfTexts([JSON.stringify(writtenOf([{ allow: ['p:*'] }]))])
  const question: Question = { identity: identityOf('user:a/u'), action: 'p:apisvc:a', resource: resourceOf('t:a'), at: 0, groups: [] }
  const other = { identity: identityOf('user:a/v'), action: 'p:apisvc:b', resource: resourceOf('t:b') }

  test('is a decision where each of its names was asked about before', () => {
    const engine = compile(world)
    expect([engine.decideKnown(question), engine.verdictKnown(question)]).toEqual([undefined, undefined])
    const decision = engine.decide(question)
    expect(engine.verdictKnown(question)).toBe(decision.verdict)
    expect(engine.decideKnown(question)).toStrictEqual(decision)
    for (const [key, value] of Object.entries(other))
      for (const ask of ['decideKnown', 'verdictKnown'] as const)
        expect([key, engine[ask]({ ...question, [key]: value })]).toStrictEqual([key, undefined])
    engine.verdict({ ...question, ...other })
    expect(engine.decideKnown(question)).toEqual(decision)
    engine.decide({ ...question, ...other })
    expect(engine.decideKnown(question)).toEqual(decision)
    expect(engine.decideKnown({ ...question, identity: other.identity })).toStrictEqual(
      decide(world, { ...question, identity: other.identity }),
    )
    expect(engine.decideKnown({ ...question, action: other.action })).toStrictEqual(decide(world, { ...question, action: other.action }))
  })

  // Results for strangers are dropped once they are too many, and with them all that was known.
  test.each(['decide', 'verdict'] as const)('is dropped by the next question after too many strangers (%s)', (ask) => {
    const engine = compile(world, { limits: { strange: 300 } })
    const stranger = { ...question, identity: identityOf('user:b/u') }
    engine[ask](question)
    expect(engine.decideKnown(question)).toBeDefined()
    engine[ask](stranger)
    expect(engine.decideKnown(question)).toBeDefined()
    engine[ask]({ ...question, identity: identityOf('user:b/v') })
    expect([engine.decideKnown(question), engine.decideKnown(stranger)]).toEqual([undefined, undefined])
    engine[ask](question)
    expect([engine.decideKnown(question), engine.decideKnown(stranger)]).toEqual([decide(world, question), undefined])
  })
})
