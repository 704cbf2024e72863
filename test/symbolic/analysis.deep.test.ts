import { describe, expect, test } from 'vitest'
import { readAction } from '../../src/actions/action.ts'
import { holdsClock, readConditionKey, readTest, type Test, zoneOf } from '../../src/conditions/test.ts'
import { Memo } from '../../src/memo.ts'
import type { World } from '../../src/policy.ts'
import { decide } from '../../src/simulate/decide.ts'
import type { Question } from '../../src/simulate/decision.ts'
import { classes as classesOf } from '../../src/symbolic/clock.ts'
import { firstNewAccess, type Outcome } from '../../src/symbolic/covers.ts'
import { comparison, satisfy } from '../../src/symbolic/formula.ts'
import { type Index, indexOf, type Side, sideOf, without, withStatements } from '../../src/symbolic/side.ts'
import { statementsOf } from '../../src/symbolic/statements.ts'
import { questionJson, witnessOf } from '../../src/symbolic/witness.ts'
import { readIdentity } from '../../src/urn/identity.ts'
import { readResource } from '../../src/urn/resource.ts'
import { type Zone, Zones } from '../../src/zones.ts'
import { type Edit, edits, families, type PairKnobs, tryEverything } from '../support/analysis-oracle.ts'
import { counted } from '../support/counted.ts'
import { effort, some } from '../support/effort.ts'
import { expectSame } from '../support/same.ts'
import { type PolicyJson, pick, questionOf, randomOf, shuffled, take, type WorldJson, worldOf } from '../support/worlds.ts'

const complete: PairKnobs = { policies: 4, unknown: 0 }
const partial: PairKnobs = { policies: 4, unknown: 0.15 }

interface Pair {
  readonly a: World
  readonly b: World
  readonly sides: readonly [Side, Side]
  readonly written: readonly [WorldJson, WorldJson]
  readonly edits: readonly Edit[]
}

/** Pairs without end. Where every fact is known, a world can be analysed without the other: each is analysed once. */
function* pairs(seed: number, knobs: PairKnobs): Generator<Pair> {
  for (const { worlds, pairs: of } of families(randomOf(seed), knobs, 6)) {
    const read = worlds.map((world) => worldOf(world))
    const alone = knobs.unknown === 0 ? read.map((world) => sideOf(world)) : []
    for (const [i, j, made] of of) {
      const [a, b] = [read[i] as World, read[j] as World]
      const sides = [alone[i] ?? sideOf(a, b), alone[j] ?? sideOf(b, a)] as const
      yield { a, b, sides, written: [worlds[i] as WorldJson, worlds[j] as WorldJson], edits: made }
    }
  }
}

function shown({ written: [a, b], edits: made }: Pair): string {
  const lines = ({ policies, ...rest }: WorldJson) => [...policies, rest].map((part) => `  ${JSON.stringify(part)}`).join('\n')
  return `${made.join(', ')}\nA\n${lines(a)}\nB\n${lines(b)}`
}

/** '' when the question of new access is answered as it must be, else what is wrong. */
function replayed(outcome: Outcome, a: World, b: World): string {
  if (outcome.kind !== 'new') return ''
  const question = witnessOf(outcome.newAccess)
  const [here, there] = [decide(a, question).verdict, decide(b, question).verdict]
  const legal =
    readIdentity(question.identity, { pattern: false }).value &&
    readAction(question.action).value &&
    readResource(question.resource, { pattern: false }).value
  const right = outcome.newAccess.certain ? here === 'allow' && there === 'deny' : here !== 'deny' && there !== 'allow'
  return right && legal ? '' : `${here}, ${there}: ${JSON.stringify(questionJson(question))}`
}

describe('inclusion', () => {
  // Several tests rather than one, so that none takes long; together 100,000 pairs.
  for (const part of some([1, 2, 3, 4, 5, 6, 7, 8], 8)) {
    // covers: M31, M33, P2
    test(`is what trying every question finds, part ${part}`, () => {
      const seen = new Map<Edit, number>()
      let none = 0
      let count = 0
      for (const pair of take(counted(effort(11_875, 24)), pairs(part, complete))) {
        count++
        const outcome = firstNewAccess(...pair.sides)
        const answer = tryEverything(...pair.written)
        for (const edit of pair.edits) seen.set(edit, (seen.get(edit) ?? 0) + 1)
        if (outcome.kind === 'none') none++
        if (answer.kind !== outcome.kind) expect.fail(`tried: ${answer.kind}, decided: ${outcome.kind}\n${shown(pair)}`)
        const problem = replayed(outcome, pair.a, pair.b)
        if (problem) expect.fail(`${problem}\n${shown(pair)}`)
        // The oracle is held to the simulator, too.
        if (answer.kind === 'new' && count % 16 === 0) {
          const question: Question = { ...questionOf(answer.finding.question), owner: 'zz' }
          expect([decide(pair.a, question).verdict, decide(pair.b, question).verdict]).toEqual(['allow', 'deny'])
        }
      }
      expect(none / count).toBeGreaterThan(0.3)
      expect(none / count).toBeLessThan(0.7)
      expect([...seen.keys()].sort()).toEqual([...edits].sort())
    })
  }

  // covers: M31, M33, P2
  test('is what trying every question finds, where some facts are unknown', () => {
    let possible = 0
    for (const pair of take(counted(effort(5_000, 30)), pairs(99, partial))) {
      const outcome = firstNewAccess(...pair.sides)
      const answer = tryEverything(...pair.written)
      if (answer.kind === 'too many') continue
      if (answer.kind !== outcome.kind) expect.fail(`tried: ${answer.kind}, decided: ${outcome.kind}\n${shown(pair)}`)
      const problem = replayed(outcome, pair.a, pair.b)
      if (problem) expect.fail(`${problem}\n${shown(pair)}`)
      if (outcome.kind === 'new' && !outcome.newAccess.certain) {
        possible++
        // Possible new access says what it assumes.
        expect(outcome.newAccess.model.assumed.size).toBeGreaterThan(0)
        if (answer.kind === 'new') expect(answer.finding.assumed.size).toBeGreaterThan(0)
      }
    }
    expect(possible).toBeGreaterThan(effort(200, 30))
  })

  test('depends on excepts, denies and conditions in a good share of the pairs', () => {
    const without = (world: WorldJson, part: 'except' | 'deny' | 'conditions'): WorldJson => {
      const bare = <T extends { permissions: PolicyJson['permissions'] }>(of: T): T =>
        part === 'conditions' ? of : { ...of, permissions: { ...of.permissions, [part]: [] } }
      const policies = world.policies.map(({ conditions, ...rest }) =>
        bare(part === 'conditions' || !conditions ? rest : { ...rest, conditions }),
      )
      return { ...world, policies, permissionsGroups: world.permissionsGroups.map(bare) }
    }
    const parts = ['except', 'deny', 'conditions'] as const
    const hits = { except: 0, deny: 0, conditions: 0 }
    // A world is in several pairs.
    const memo = new Memo()
    const sidesWithout = (world: WorldJson) => parts.map((part) => sideOf(worldOf(without(world, part))))
    let count = 0
    for (const { sides, written } of take(effort(20_000, 40), pairs(5, complete))) {
      count++
      const { kind } = firstNewAccess(...sides)
      const [a, b] = [memo.keep(sidesWithout, written[0]), memo.keep(sidesWithout, written[1])]
      for (const [i, part] of parts.entries()) if (firstNewAccess(a[i] as Side, b[i] as Side).kind !== kind) hits[part]++
    }
    for (const part of parts) expect(hits[part] / count, part).toBeGreaterThan(0.05)
  })
})

describe('laws of inclusion', () => {
  const kindOf = (a: Side, b: Side) => firstNewAccess(a, b).kind
  const readOf = (written: WorldJson) => sideOf(worldOf(written))
  const renamedIn = ({ statements }: Index) => indexOf(statements.map((statement) => ({ ...statement, key: `other ${statement.key}` })))
  const copy = (written: WorldJson) => JSON.parse(JSON.stringify(written)) as WorldJson

  // covers: M30
  test('a world grants nothing that it does not grant itself, read twice or not', () => {
    for (const { a, b, sides, written } of take(counted(effort(1_500, 30)), pairs(30, partial))) {
      expect(kindOf(sides[0], sides[0])).toBe('none')
      expect(kindOf(sideOf(a), sideOf(worldOf(written[0])))).toBe('none')
      // Without the shortcut for what both sides have: every statement under another name.
      const renamed = { ...sides[0], allows: renamedIn(sides[0].allows), denies: renamedIn(sides[0].denies) }
      expect(kindOf(renamed, sides[0])).toBe('none')
      expect(kindOf(sides[0], renamed)).toBe('none')
      expect(decide(b, witness).verdict).not.toBe('allow')
    }
  })
  const witness = questionOf({
    identity: 'urn:v1:zz:identity:user:x/x',
    action: 'p:apisvc:a',
    resource: 'urn:v1:eu:resource:t:a',
    at: '2026-01-01T00:00:00Z',
  })

  // covers: M40
  test('the shortcut for what both sides have changes no answer', () => {
    for (const pair of take(counted(effort(3_000, 30)), pairs(40, complete))) {
      const [a, b] = pair.sides
      const blind = { ...b, allows: renamedIn(b.allows) }
      const blindDenies = { ...a, denies: renamedIn(a.denies) }
      expectSame(kindOf(a, blind), kindOf(a, b), () => shown(pair))
      expectSame(kindOf(blindDenies, b), kindOf(a, b), () => shown(pair))
    }
  })

  // covers: M34
  test('inclusion is transitive', () => {
    let chains = 0
    for (const { worlds } of take(counted(effort(1_500, 30)), families(randomOf(34), complete, 3))) {
      const [a, b, c] = worlds.map(readOf) as [Side, Side, Side]
      if (kindOf(a, b) !== 'none' || kindOf(b, c) !== 'none') continue
      chains++
      expect(kindOf(a, c)).toBe('none')
    }
    expect(chains).toBeGreaterThan(effort(100, 30))
  })

  // covers: M35, M41
  test('more allows and fewer denies and excepts only add; everything includes all, nothing only nothing', () => {
    const more = (written: WorldJson, change: (policy: PolicyJson) => void) => {
      const next = copy(written)
      change(pick(random, next.policies))
      return readOf(next)
    }
    const random = randomOf(35)
    const action = () => ({ action: pick(random, ['*a', 'p:*', 'p:apisvc:a', '*']) })
    const everything = readOf({
      policies: [
        {
          name: 'all',
          identities: ['account', 'user', 'group', 'credential'].flatMap((kind) =>
            ['eu', 'zz'].map((region) => `urn:v1:${region}:identity:${kind}:*`),
          ),
          resources: ['eu', 'ca', 'zz'].map((region) => ({ urn: `urn:v1:${region}:resource:*` })),
          permissions: { allow: [{ action: '*' }] },
        },
      ],
      permissionsGroups: [],
      resourceGroups: [],
      resources: [],
      identities: [],
    })
    const empty = sideOf({
      policies: [],
      permissionsGroups: new Map(),
      resourceGroups: new Map(),
      resources: new Map(),
      identities: new Map(),
    })
    for (const { written, sides } of take(counted(effort(1_000, 30)), pairs(35, complete))) {
      const [a] = sides
      const permissions = (policy: PolicyJson, list: 'allow' | 'deny' | 'except') => {
        policy.permissions = { ...policy.permissions, [list]: [...(policy.permissions[list] ?? []), action()] }
      }
      expect(
        kindOf(
          a,
          more(written[0], (policy) => permissions(policy, 'allow')),
        ),
      ).toBe('none')
      expect(
        kindOf(
          more(written[0], (policy) => permissions(policy, 'deny')),
          a,
        ),
      ).toBe('none')
      expect(
        kindOf(
          more(written[0], (policy) => permissions(policy, 'except')),
          a,
        ),
      ).toBe('none')
      expect(kindOf({ ...a, groups: new Map() }, everything)).toBe('none')
      expect(kindOf(empty, a)).toBe('none')
      // Nothing is granted exactly where the other side is found to grant nothing by asking.
      const nothing: WorldJson = { ...written[0], policies: [] }
      expect(kindOf(a, { ...empty, groups: a.groups })).toBe(tryEverything(written[0], nothing).kind)
    }
  })

  // covers: M36
  test('where each includes the other, both answer alike', () => {
    let equal = 0
    const random = randomOf(36)
    for (const { a, b, sides, written } of take(counted(effort(3_000, 30)), pairs(36, complete))) {
      if (kindOf(...sides) !== 'none' || kindOf(sides[1], sides[0]) !== 'none') continue
      equal++
      for (let i = 0; i < 8; i++) {
        const question = someQuestion(random, written[0])
        expect(decide(a, question).verdict).toBe(decide(b, question).verdict)
      }
    }
    expect(equal).toBeGreaterThan(effort(500, 30))
  })

  // covers: M32
  test('an answer of none holds for questions made of the entries', () => {
    const random = randomOf(32)
    for (const pair of take(counted(effort(1_500, 30)), pairs(32, complete))) {
      if (kindOf(...pair.sides) !== 'none') continue
      for (let i = 0; i < 20; i++) {
        const question = someQuestion(random, pick(random, pair.written))
        if (decide(pair.a, question).verdict === 'allow') expectSame(decide(pair.b, question).verdict, 'allow', () => shown(pair))
      }
    }
  })

  // covers: M37
  test('rewriting that keeps the meaning keeps both directions empty', () => {
    const random = randomOf(37)
    const rewrites: ((written: WorldJson) => void)[] = [
      (written) => {
        written.policies = shuffled(random, written.policies)
      },
      (written) => {
        written.policies.push(...written.policies.map((policy) => ({ ...policy, name: `${policy.name}d` })))
      },
      // One policy for each identity, resource and allow; the denies ride along.
      (written) => {
        written.policies = written.policies.flatMap((policy) =>
          policy.identities.flatMap((identity) =>
            policy.resources.flatMap((resource) => {
              const { allow = [], ...rest } = policy.permissions
              const alone = (action: { action: string }[]) => ({
                ...policy,
                identities: [identity],
                resources: [resource],
                permissions: { ...rest, allow: action },
              })
              return allow.length > 0 ? allow.map((action) => alone([action])) : [alone([])]
            }),
          ),
        )
      },
      (written) => {
        for (const policy of written.policies) {
          for (const list of Object.values(policy.permissions))
            for (const entry of list ?? []) entry.action = entry.action.replaceAll('*', '**')
        }
      },
      (written) => {
        for (const policy of written.policies)
          if (policy.conditions)
            policy.conditions = {
              operator: 'AND',
              conditions: [{ operator: 'NOT', conditions: [{ operator: 'NOT', conditions: [policy.conditions] }] }],
            }
      },
    ]
    for (const pair of take(counted(effort(1_020, 34)), pairs(37, complete))) {
      for (const rewrite of rewrites) {
        const next = copy(pair.written[0])
        rewrite(next)
        const side = readOf(next)
        expectSame(kindOf(pair.sides[0], side), 'none', () => shown(pair))
        expectSame(kindOf(side, pair.sides[0]), 'none', () => shown(pair))
      }
    }
  })

  // covers: M38
  test('without the entries that grant a witness, it is no longer granted', () => {
    let tried = 0
    for (const { a, sides } of take(counted(effort(2_000, 10)), pairs(38, complete))) {
      const outcome = firstNewAccess(...sides)
      if (outcome.kind !== 'new') continue
      tried++
      const question = witnessOf(outcome.newAccess)
      const { clauses } = decide(a, question)
      const granting = new Set(clauses.map(({ entry }) => entry))
      const policies = a.policies.map((policy) => ({
        ...policy,
        permissions: { ...policy.permissions, allow: policy.permissions.allow.filter((entry) => !granting.has(entry)) },
      }))
      const permissionsGroups = new Map(
        [...a.permissionsGroups].map(([urn, group]) => [
          urn,
          { ...group, permissions: { ...group.permissions, allow: group.permissions.allow.filter((entry) => !granting.has(entry)) } },
        ]),
      )
      expect(decide({ ...a, policies, permissionsGroups }, question).verdict).toBe('deny')
    }
    expect(tried).toBeGreaterThan(effort(400, 10))
  })

  // covers: M39
  test('a bigger budget never changes what a smaller one decides', () => {
    let undecided = 0
    for (const pair of take(counted(effort(3_000, 30)), pairs(39, partial))) {
      let decided: string | undefined
      for (const budget of [0, 1, 3, 10, 100, 10_000]) {
        const { kind } = firstNewAccess(...pair.sides, { budget })
        if (decided !== undefined) expectSame(kind, decided, () => shown(pair))
        else if (kind === 'undecided') undecided++
        else decided = kind
      }
      expect(decided).toBeDefined()
    }
    expect(undecided).toBeGreaterThan(effort(300, 30))
  })

  test('a view without a policy, or with another in its place, is the side of that world', () => {
    for (const { a, b, sides } of take(counted(effort(2_000, 30)), pairs(50, complete))) {
      const policy = a.policies[0] as World['policies'][number]
      const rest = a.policies.slice(1)
      const less = without(sides[0], (statement) => statement.policy === policy)
      expect(kindOf(less, sides[1])).toBe(kindOf(sideOf({ ...a, policies: rest }), sides[1]))
      expect(kindOf(sides[1], less)).toBe(kindOf(sides[1], sideOf({ ...a, policies: rest })))
      const other = b.policies[0] as World['policies'][number]
      const swapped = withStatements(less, statementsOf({ ...a, policies: [other] }))
      const made = sideOf({ ...a, policies: [...rest, other] })
      expect(kindOf(swapped, sides[1])).toBe(kindOf(made, sides[1]))
      expect(kindOf(sides[1], swapped)).toBe(kindOf(sides[1], made))
      expect(without(swapped, () => true).allows.statements).toEqual([])
    }
  })
})

/** A question near the entries of a world: each pattern filled with a letter or with nothing. */
function someQuestion(random: () => number, { policies, identities }: WorldJson): Question {
  const policy = pick(random, policies)
  const filled = (text: string) => text.replaceAll('*', pick(random, ['', 'x', 'a', 'b']))
  const legal = <T>(make: () => string, isLegal: (text: string) => T | undefined, otherwise: string) => {
    const text = make()
    return isLegal(text) ? text : otherwise
  }
  const entries = policies.flatMap(({ permissions: { allow = [], except = [], deny = [] } }) => [...allow, ...except, ...deny])
  const everybody = [...policies.flatMap((p) => p.identities), ...identities.map(({ urn }) => urn)]
  const identity = legal(
    () => filled(pick(random, everybody)),
    (text) => readIdentity(text, { pattern: false }).value,
    'urn:v1:eu:identity:user:a/x',
  )
  return {
    identity,
    action: legal(
      () => filled(entries.length > 0 ? pick(random, entries).action : ''),
      (text) => readAction(text).value,
      'p:apisvc:a',
    ),
    resource: legal(
      () => filled((policy.resources[0] as { urn: string }).urn),
      (text) => readResource(text, { pattern: false }).value,
      pick(random, ['urn:v1:eu:resource:t:ab', 'urn:v1:eu:resource:u:a']),
    ),
    groups: random() < 0.4 ? [pick(random, ['urn:v1:eu:identity:group:a/g', 'urn:v1:eu:identity:group:a/h'])] : [],
    at: pick(random, [Date.UTC(2026, 2, 28, 12), Date.UTC(2026, 5, 1, 4), Date.UTC(2026, 7, 3, 20)]),
    ip: { family: 4, value: pick(random, [0xc0000204n, 0xc0000206n, 0x0a000001n]) },
    tags: new Map(
      pick(random, [
        [],
        [['k', 'a']],
        [
          ['k', 'ab'],
          ['e', 'b'],
        ],
      ] as [string, string][][]),
    ),
    owner: 'zz',
  }
}

describe('single cases', () => {
  const user = ['urn:v1:eu:identity:user:a/u']
  const at = (...texts: string[]) => texts.map((text) => ({ urn: `urn:v1:eu:resource:${text}` }))
  const acts = (...texts: string[]) => texts.map((action) => ({ action }))
  const world = (policies: Partial<PolicyJson>[], rest: Partial<WorldJson> = {}) =>
    worldOf({
      policies: policies.map((policy, i) => ({ name: `p${i}`, identities: user, resources: at('t:*'), permissions: {}, ...policy })),
      ...rest,
    })
  const compare = (a: World, b: World) => firstNewAccess(sideOf(a, b), sideOf(b, a))

  test('a deny with an exclusion in its condition leaves room for what another deny leaves out', () => {
    const allow = { permissions: { allow: acts('p:*') } }
    const tagged = { operator: 'MATCH', values: { 'resource.Tag(k)': 'a' } }
    const named = { operator: 'NOT', conditions: [{ operator: 'MATCH', values: { 'resource.Name': 'n' } }] }
    const denies = [
      { permissions: { deny: acts('*') }, conditions: { operator: 'AND', conditions: [tagged, named] } },
      { permissions: { deny: acts('*') }, conditions: { operator: 'NOT', conditions: [tagged] } },
    ]
    const [a, b] = [world([allow, ...denies]), world([])]
    const outcome = compare(a, b)
    expect(outcome.kind).toBe('new')
    expect(replayed(outcome, a, b)).toBe('')
    if (outcome.kind === 'new') expect(witnessOf(outcome.newAccess).resource).toBe('urn:v1:eu:resource:t:n')
  })

  test('where several grants cover together, what each of them leaves out is looked at', () => {
    const tagged = { operator: 'MATCH', values: { 'resource.Tag(k)': 'a' } }
    const b = world([
      { permissions: { allow: acts('p:*') }, conditions: tagged },
      { permissions: { allow: acts('p:*'), except: acts('p:apisvc:a') }, conditions: { operator: 'NOT', conditions: [tagged] } },
    ])
    const outcome = compare(world([{ permissions: { allow: acts('p:*') } }]), b)
    expect(outcome.kind).toBe('new')
    if (outcome.kind === 'new') expect(witnessOf(outcome.newAccess)).toMatchObject({ action: 'p:apisvc:a', tags: new Map() })
  })

  test('what one statement leaves out is looked at again for the next', () => {
    const a = world([{ permissions: { allow: acts('p:*'), except: acts('p:apisvc:ab') } }, { permissions: { allow: acts('p:*') } }])
    const b = world([
      { permissions: { allow: acts('p:*'), except: acts('p:apisvc:a*') } },
      { permissions: { allow: acts('p:apisvc:a*'), except: acts('p:apisvc:ab') } },
    ])
    const outcome = compare(a, b)
    expect(outcome.kind).toBe('new')
    if (outcome.kind === 'new') expect(witnessOf(outcome.newAccess).action).toBe('p:apisvc:ab')
  })

  test('no action is between a product and all of its actions', () => {
    const grants = (...actions: string[]) => world([{ permissions: { allow: acts(...actions) } }])
    expect(compare(grants('p:*'), grants('*:*:*')).kind).toBe('none')
    expect(compare(grants('*'), grants('*:*')).kind).toBe('none')
    expect(compare(grants('*:get'), grants('*:*:get')).kind).toBe('none')
    // Characters that no path may hold are in the parameter.
    const [a, b] = [grants('p:apisvc:*:get'), grants('p:apisvc:get')]
    const outcome = compare(a, b)
    expect(outcome.kind).toBe('new')
    expect(replayed(outcome, a, b)).toBe('')
    expect(compare(a, grants('*?*:get')).kind).toBe('none')
  })

  test('a condition on type or name that none can pass grants nothing', () => {
    for (const [key, value] of [
      ['resource.Type', 't:a'],
      ['resource.Type', ''],
      ['resource.Name', ''],
      ['resource.Type.STARTS_WITH', '/'],
    ] as const) {
      const conditions = { operator: 'MATCH', values: { [key]: value } }
      expect(compare(world([{ permissions: { allow: acts('*') }, conditions }]), world([])).kind).toBe('none')
    }
  })

  test('a condition that says too much of names to split is a fact that may hold or not', () => {
    const conditions = {
      operator: 'AND',
      conditions: Array.from({ length: 40 }, (_, i) => ({
        operator: 'OR',
        conditions: [
          { operator: 'MATCH', values: { 'resource.Name.STARTS_WITH': `n${i}` } },
          { operator: 'MATCH', values: { 'resource.Name.ENDS_WITH': `m${i}` } },
        ],
      })),
    }
    const side = world([{ permissions: { allow: acts('*') }, conditions }])
    expect(compare(side, world([{ permissions: { allow: acts('p:*') } }]))).toMatchObject({ kind: 'new', newAccess: { certain: false } })
    expect(compare(side, world([{ permissions: { allow: acts('*') } }])).kind).toBe('none')
  })

  test('certain new access is found before one that depends on unknown facts', () => {
    const opaque = { operator: 'MATCH', values: { 'request.Mood': 'good' } }
    const a = world([{ permissions: { allow: acts('p:apisvc:a') }, conditions: opaque }, { permissions: { allow: acts('p:apisvc:b') } }])
    const outcome = compare(a, world([]))
    expect(outcome).toMatchObject({ kind: 'new', newAccess: { certain: true } })
    const possible = compare(world([{ permissions: { allow: acts('p:apisvc:a') }, conditions: opaque }]), world([]))
    expect(possible).toMatchObject({ kind: 'new', newAccess: { certain: false } })
  })

  test('owners and tags that only the world gives do not count', () => {
    const account = [{ identities: ['urn:v1:eu:identity:account:a'], permissions: { allow: acts('p:*') } }]
    const a = world(account, { account: 'a', resources: [{ urn: 'urn:v1:eu:resource:t:n', owner: 'a', tags: { k: 'a' } }] })
    expect(compare(a, world(account)).kind).toBe('none')
    const none = world([], { account: 'a' })
    const outcome = compare(a, none)
    expect(outcome.kind).toBe('new')
    expect(replayed(outcome, a, none)).toBe('')
  })

  test('a witness gives letters that no entry holds, where every letter is taken', () => {
    const letters = [...'abcdefghijklmnopqrstuvwxyz0123456789']
    const a = world([{ identities: ['urn:v1:eu:identity:user:*'], permissions: { allow: acts('*') }, resources: at('*') }])
    const b = world(
      letters.map((letter) => ({
        identities: [`urn:v1:eu:identity:user:${letter}*`],
        resources: at(`*:${letter}*`, `${/[a-z]/.test(letter) ? letter : 'a'}:*`),
        permissions: { allow: acts(`p:apisvc:${letter}*`) },
      })),
    )
    const outcome = compare(a, b)
    expect(outcome.kind).toBe('new')
    expect(replayed(outcome, a, b)).toBe('')
  })

  // covers: T31, P3
  describe('what takes too many steps is undecided, and names the patterns at fault', () => {
    const steps = (n: number) => {
      const letters = [...'abcdefghijklmnopqrstuvwxyz'].slice(0, n)
      const [y, z] = letters.slice(-2)
      const denies = acts(`*Z${y}*Z${z}*`, `*Z${z}*Z${y}*`)
      const a = world([{ permissions: { allow: acts('p:apisvc:*') } }, { permissions: { deny: denies } }])
      const b = world(letters.map((letter) => ({ permissions: { allow: acts('p:apisvc:*'), except: acts(`*Z${letter}*`) } })))
      return compare(a, b)
    }
    test('stacks of excepts with inner wildcards', () => {
      expect(steps(6).kind).toBe('none')
      const outcome = steps(16)
      expect(outcome.kind).toBe('undecided')
      if (outcome.kind === 'undecided') expect(outcome.culprits.join()).toContain('*Z')
    })
    test('patterns of many pieces', () => {
      const long = (shift: number) => `*${Array.from({ length: 7 }, (_, i) => String.fromCharCode(65 + shift * 7 + i)).join('*')}*`
      const b = world([
        { permissions: { allow: acts('p:apisvc:*'), except: acts(long(0)) } },
        { permissions: { allow: acts(long(1)) } },
        { permissions: { allow: acts('*'), except: acts(long(2)) } },
      ])
      const a = world([{ permissions: { allow: acts('p:apisvc:*') } }])
      expect(compare(a, b)).toMatchObject({ kind: 'undecided', culprits: [expect.stringContaining('*A*B*'), long(2)] })
    })
    test('conditions on many tags', () => {
      const testOf = (i: number) => ({
        operator: 'OR',
        conditions: ['', '.STARTS_WITH', '.ENDS_WITH'].map((operator, j) => ({
          operator: 'MATCH',
          values: { [`resource.Tag(k${(i * 7 + j * 3) % 30})${operator}`]: 'abcde'.charAt((i + j) % 5) },
        })),
      })
      const all = Array.from({ length: 60 }, (_, i) => ({ operator: i % 2 ? 'NOT' : 'AND', conditions: [testOf(i)] }))
      const a = world([{ permissions: { allow: acts('*') }, conditions: { operator: 'AND', conditions: all } }])
      const b = world(Array.from({ length: 120 }, (_, i) => ({ permissions: { allow: acts('*') }, conditions: testOf(i * 3 + 1) })))
      expect(compare(a, b)).toMatchObject({ kind: 'undecided', culprits: ['conditions'] })
    })
  })
})

describe('time', () => {
  const known = new Zones()
  const clock = (text: string): Test => {
    const [key, value] = text.split('=') as [string, string]
    return readTest(readConditionKey(key, known).value as NonNullable<ReturnType<typeof readConditionKey>['value']>, value).value as Test
  }
  const zones = ['UTC', 'Europe/Paris', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Asia/Beirut', 'Pacific/Apia']

  test('the clock of a zone is the clock that the engine shows', () => {
    const random = randomOf(7)
    for (let i = 0; i < effort(4_000, 30); i++) {
      const zone = known.get(pick(random, zones)) as Zone
      const at = Math.floor(Date.UTC(1975, 0, 1) + random() * (Date.UTC(2060, 0, 1) - Date.UTC(1975, 0, 1)))
      expect(zone.at(at), `${zone.name} ${at}`).toEqual(zone.shows(at))
    }
  })

  test('the classes of instants are all that occur in the years around', () => {
    const random = randomOf(8)
    const parts = [
      'Hour=2',
      'Hour.LT=9',
      'Hour.GE=17',
      'WeekDay=Monday',
      'WeekDay.AFTER=Friday',
      'Date=2026-03-29',
      'Date.BEFORE=2026-10-25',
      'Date.AFTER=2026-03-28',
    ]
    for (let i = 0; i < 60; i++) {
      const tests = Array.from({ length: 1 + Math.floor(random() * 3) }, () => clock(`date(${pick(random, zones)}).${pick(random, parts)}`))
      const expiries = random() < 0.4 ? [Date.UTC(2026, 5, 1, 12, 34, 56)] : []
      const signature = (at: number) =>
        [...tests.map((one) => holdsClock(one, zoneOf(one).shows(at))), ...expiries.map((expiry) => at <= expiry)].join()
      const classes = [...classesOf(tests, expiries)]
      const found = new Set(classes.map(signature))
      // Each class once, and in order.
      expect(found.size).toBe(classes.length)
      expect([...classes].sort((a, b) => a - b)).toEqual(classes)
      for (let k = 0; k < effort(400, 30); k++) {
        const at = Math.floor(Date.UTC(2025, 6, 1) + random() * (Date.UTC(2027, 3, 1) - Date.UTC(2025, 6, 1)))
        expect(found.has(signature(at)), `${JSON.stringify(tests)} ${new Date(at).toISOString()}`).toBe(true)
      }
    }
  })

  test('dates far apart, and at the ends of time, cost no more', () => {
    const tests = [
      clock('date(Europe/Paris).Date.BEFORE=0001-01-01'),
      clock('date(Europe/Paris).Date=9999-12-31'),
      clock('date(UTC).Hour=3'),
    ]
    const classes = [...classesOf(tests, [253402300799999])]
    expect(classes.length).toBeGreaterThan(3)
    for (const at of classes) expect(new Date(at).toISOString()).toMatch(/^\d{4}-/)
  })

  test('what cannot hold at one instant has no model', () => {
    const formula = (...texts: string[]) => texts.map((text) => comparison(clock(text)))
    expect(satisfy(formula('date(UTC).Hour=3', 'date(Europe/Paris).Hour=3'))).toBeUndefined()
    expect(satisfy(formula('date(UTC).Hour=3', 'date(Europe/Paris).Hour=5'))).toMatchObject({ at: expect.any(Number) })
    expect(satisfy(formula('date(UTC).Date=2026-01-05', 'date(UTC).WeekDay=Tuesday'))).toBeUndefined()
  })
})
