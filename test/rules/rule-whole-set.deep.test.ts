import { describe, expect, it } from 'vitest'
import { glob } from '../../src/glob.ts'
import type { Policy, World } from '../../src/policy.ts'
import { verdicts } from '../../src/rules/support/verdicts.ts'
import { decide } from '../../src/simulate/decide.ts'
import { firstNewAccess } from '../../src/symbolic/covers.ts'
import { sideOf } from '../../src/symbolic/side.ts'
import { counted } from '../support/counted.ts'
import { effort } from '../support/effort.ts'
import { lintExample, markOf, readExample } from '../support/examples.ts'
import { catalogue, contextOf, found } from '../support/lint-world.ts'
import {
  type ConditionJson,
  generate,
  type Knobs,
  type PolicyJson,
  pick,
  questionOf,
  type Random,
  randomOf,
  shuffled,
  usualKnobs,
  worldOf,
} from '../support/worlds.ts'

const without = (world: World, gone: ReadonlySet<Policy>): World => ({
  ...world,
  policies: world.policies.filter((policy) => !gone.has(policy)),
})

const settingsOfWorlds: readonly { readonly name: string; readonly knobs: Knobs; readonly worlds: number; readonly seed: number }[] = [
  { name: 'every language feature', knobs: usualKnobs, worlds: effort(1000, 3), seed: 1 },
  { name: 'no conditions', knobs: { policies: 10, conditions: 0, missing: 0.1, groups: 0.05 }, worlds: effort(1000, 3), seed: 2 },
  { name: 'few facts missing', knobs: { policies: 8, conditions: 0.3, missing: 0, groups: 0.1 }, worlds: effort(1000, 3), seed: 3 },
]

/** Worlds in which some policies are written again in other words, and questions to them. */
function* worldsOf({ knobs, worlds, seed }: (typeof settingsOfWorlds)[number], count = worlds) {
  const random = randomOf(seed)
  for (let i = 0; i < count; i++) {
    const { world: written, questions } = generate(random, 8, knobs)
    if (random() < 0.3) written.policies.push(inOtherWords(random, pick(random, written.policies)))
    yield { world: worldOf(written), written, questions: questions.map(questionOf) }
  }
}

function inOtherWords(random: Random, policy: PolicyJson): PolicyJson {
  const again = <T>(list: readonly T[]) => shuffled(random, random() < 0.5 ? [...list, pick(random, list)] : list)
  const { allow, ...rest } = policy.permissions
  return {
    ...policy,
    name: `${policy.name} again`,
    identities: again(policy.identities),
    resources: again(policy.resources),
    permissions: { ...rest, ...(allow && { allow: again(allow) }) },
  }
}

/** That two worlds decide every request alike; '' or what they do not. */
function difference(before: World, after: World): string {
  const [a, b] = [sideOf(before, after), sideOf(after, before)]
  for (const outcome of [firstNewAccess(a, b, { budget: 20_000 }), firstNewAccess(b, a, { budget: 20_000 })]) {
    if (outcome.kind === 'undecided') return 'undecided'
    if (outcome.kind === 'none') continue
    const { statement, model, region } = outcome.newAccess
    const { type, name } = region.box
    return `${statement.policy.name.value} grants ${region.action.text} on ${type.text}:${name.text} ${[...model.tags].join(' ')} ${model.at}`
  }
  return ''
}

describe.each(settingsOfWorlds)('what the whole set says of worlds with $name', (setting) => {
  // covers: M49
  it('policies with a verdict can be deleted together: no decision changes, and no request exists for which one would', () => {
    const spoken = new Map<string, number>()
    let undecided = 0
    for (const { world, written, questions } of worldsOf(setting, counted(setting.worlds))) {
      const said = verdicts(contextOf(world))
      for (const { kind } of said.values()) spoken.set(kind, (spoken.get(kind) ?? 0) + 1)
      if (said.size === 0) continue
      const rest = without(world, new Set(said.keys()))
      const names = [...said].map(([policy, { kind }]) => `${policy.name.value} ${kind}`).join(', ')
      for (const question of questions) {
        const [one, other] = [decide(world, question), decide(rest, question)]
        if (one.caveats.includes('approximate') || other.caveats.includes('approximate')) continue
        if (one.verdict !== other.verdict)
          throw new Error(`${names}: ${one.verdict} becomes ${other.verdict}\n${JSON.stringify(question)}\n${JSON.stringify(written)}`)
      }
      const differs = difference(world, rest)
      if (differs === 'undecided') undecided++
      else if (differs !== '') throw new Error(`${names}: ${differs}\n${JSON.stringify(written)}`)
    }
    expect(undecided).toBeLessThan(setting.worlds / 50)
    for (const kind of ['dead', 'equivalent', 'overridden', 'redundant', 'shadowed'])
      expect([kind, (spoken.get(kind) ?? 0) > effort(4, 4)]).toEqual([kind, true])
  })

  it('what is named as covering a policy is enough to cover it', () => {
    let judged = 0
    for (const { world, written } of worldsOf(setting, effort(1000, 8))) {
      for (const [policy, verdict] of verdicts(contextOf(world))) {
        if (verdict.kind === 'dead') continue
        judged++
        const named = { ...world, policies: world.policies.filter((one) => verdict.by.includes(one)) }
        const differs = difference({ ...named, policies: [...named.policies, policy] }, named)
        if (differs !== '' && differs !== 'undecided')
          throw new Error(`${policy.name.value} ${verdict.kind}: ${differs}\n${JSON.stringify(written)}`)
      }
    }
    expect(judged).toBeGreaterThan(effort(100, 8))
  })

  // covers: M49
  it('an overridden entry can be deleted', () => {
    let judged = 0
    for (const { world, written } of worldsOf(setting, counted(setting.worlds))) {
      const spans = found(world, 'overridden-action').map(({ span }) => span)
      if (spans.length === 0) continue
      judged += spans.length
      const policies = world.policies.map((policy) => ({
        ...policy,
        permissions: { ...policy.permissions, allow: policy.permissions.allow.filter(({ span }) => !spans.includes(span)) },
      }))
      const differs = difference(world, { ...world, policies })
      if (differs !== '' && differs !== 'undecided') throw new Error(`${differs}\n${JSON.stringify(written)}`)
    }
    expect(judged).toBeGreaterThan(effort(10, 3))
  })

  // covers: M49
  it('idle denies can be deleted together', () => {
    let judged = 0
    for (const { world, written } of worldsOf(setting, counted(effort(1000, 8)))) {
      const names = found(world, 'idle-deny').map(({ policy }) => policy)
      if (names.length === 0) continue
      judged += names.length
      const differs = difference(world, { ...world, policies: world.policies.filter(({ name }) => !names.includes(name.value)) })
      if (differs !== '' && differs !== 'undecided') throw new Error(`${names}: ${differs}\n${JSON.stringify(written)}`)
    }
    expect(judged).toBeGreaterThan(effort(20, 8))
  })
})

describe('policies that could be one', () => {
  const ann = 'urn:v1:eu:identity:user:ab/ann'
  const base: PolicyJson = {
    name: 'a',
    identities: [ann],
    resources: [{ urn: 'urn:v1:eu:resource:t:a' }],
    permissions: { allow: [{ action: 'p:apisvc:a' }], except: [{ action: 'p:apisvc:b' }], deny: [{ action: 'p:apisvc:x' }] },
    permissionsGroups: [{ urn: 'urn:v1:eu:permissionsGroup:svc:reader' }],
    conditions: { operator: 'MATCH', values: { 'resource.Tag(k)': 'v' } },
    expiredAt: '2027-01-01T00:00:00Z',
  }
  const pairs: readonly (readonly [string, Partial<PolicyJson>, boolean])[] = [
    ['identities', { identities: ['urn:v1:eu:identity:user:ab/bob'] }, true],
    ['resources', { resources: [{ urn: 'urn:v1:eu:resource:t:b' }] }, true],
    ['allow', { permissions: { ...base.permissions, allow: [{ action: 'p:apisvc:c' }] } }, true],
    ['deny', { permissions: { ...base.permissions, deny: [{ action: 'p:apisvc:y' }] } }, true],
    ['permissionsGroups', { permissionsGroups: [{ urn: 'urn:v1:eu:permissionsGroup:svc:other' }] }, true],
    ['except', { permissions: { ...base.permissions, except: [{ action: 'p:apisvc:a' }] } }, false],
    ['conditions', { conditions: { operator: 'MATCH', values: { 'resource.Tag(k)': 'w' } } }, false],
    ['expiry', { expiredAt: '2028-01-01T00:00:00Z' }, false],
    ['two lists', { identities: ['urn:v1:eu:identity:user:ab/bob'], resources: [{ urn: 'urn:v1:eu:resource:t:b' }] }, false],
  ]

  it.each(pairs)('that differ in %s', (_, change, expected) => {
    const [a, b] = [base, { ...base, ...change, name: 'b' }]
    const world = worldOf({ policies: [a, b] })
    const mergeable = found(world, 'mergeable-policies')
    expect(mergeable.map(({ policy }) => policy)).toEqual(expected ? ['b'] : [])
    if (!expected) return
    const joined = {
      ...a,
      identities: [...a.identities, ...b.identities],
      resources: [...a.resources, ...b.resources],
      permissions: {
        allow: [...(a.permissions.allow ?? []), ...(b.permissions.allow ?? [])],
        except: a.permissions.except ?? [],
        deny: [...(a.permissions.deny ?? []), ...(b.permissions.deny ?? [])],
      },
      permissionsGroups: [...(a.permissionsGroups ?? []), ...(b.permissionsGroups ?? [])],
    }
    expect(difference(world, worldOf({ policies: [joined] }))).toBe('')
  })
})

const one = (name: string, rest: string) => `- name: ${name}\n${rest.replace(/^/gm, '  ')}\n`
const usersOf = (...logins: string[]) => `identities: [${logins.map((login) => `"urn:v1:eu:identity:user:ab12-svc/${login}"`).join(', ')}]`
const on = (...urns: string[]) => `resources: [${urns.map((urn) => `{ urn: "urn:v1:eu:resource:${urn}" }`).join(', ')}]`
const actions = (list: string, ...names: string[]) => `${list}: [${names.map((name) => `{ action: "${name}" }`).join(', ')}]`
const allow = (...names: string[]) => `permissions: { ${actions('allow', ...names)} }`
const deny = (...names: string[]) => `permissions: { ${actions('deny', ...names)} }`
const policy = (...parts: string[]) => parts.join('\n')

const wholeSetCodes = [
  'dead-policy',
  'equivalent-policies',
  'overridden-policy',
  'overridden-action',
  'redundant-policy',
  'shadowed-deny',
  'idle-deny',
]

/** Findings of the rules about the whole set in a text, as `place code`. */
async function said(text: string): Promise<string[]> {
  const all: string[] = []
  for (const code of wholeSetCodes) all.push(...(await lintExample(readExample(text), code)).filter((d) => d.code === code).map(markOf))
  return [...new Set(all)]
}

describe('careful silence', () => {
  const server = 'vps:vps-1.example'
  it.each<readonly [string, string]>([
    [
      'the same for other people',
      one('a', policy(usersOf('ann'), on(server), allow('vps:*'))) + one('b', policy(usersOf('bob'), on(server), allow('vps:apisvc:get'))),
    ],
    [
      'a wider grant that is over sooner',
      one('a', policy(usersOf('ann'), on(server), allow('vps:*'), 'expiredAt: "2026-06-30T00:00:00Z"')) +
        one('b', policy(usersOf('ann'), on(server), allow('vps:apisvc:get'))),
    ],
    [
      'a wider grant under a condition',
      one(
        'a',
        policy(
          usersOf('ann'),
          on(server),
          allow('vps:*'),
          'conditions: { operator: MATCH, values: { request.IP.IN_RANGE: 203.0.113.0/24 } }',
        ),
      ) + one('b', policy(usersOf('ann'), on(server), allow('vps:apisvc:get'))),
    ],
    [
      'a wider grant without what the narrow one is about',
      one(
        'a',
        policy(usersOf('ann'), on(server), `permissions: { ${actions('allow', 'vps:*')}, ${actions('except', 'vps:apisvc:get')} }`),
      ) + one('b', policy(usersOf('ann'), on(server), allow('vps:apisvc:get'))),
    ],
    [
      'a wildcard in the middle, whose meaning is not known',
      one('a', policy(usersOf('ann'), on(server), allow('vps:*/get'))) +
        one('b', policy(usersOf('ann'), on(server), allow('vps:apisvc:ips/get'))),
    ],
    [
      'an entry that could not be read',
      one('a', policy(usersOf('ann'), on(server), `permissions: { ${actions('allow', 'vps:*')}, ${actions('except', 'vps:')} }`)) +
        one('b', policy(usersOf('ann'), on(server), allow('vps:apisvc:get'))),
    ],
    [
      'a deny of everything, on purpose',
      one('a', policy(usersOf('ann'), on('*'), deny('*'))) + one('b', policy(usersOf('ann'), on(server), allow('vps:*'))),
    ],
    [
      'a deny that ends',
      one('a', policy(usersOf('ann'), on(server), deny('vps:*'), 'expiredAt: "2026-06-30T00:00:00Z"')) +
        one('b', policy(usersOf('ann'), on(server), allow('vps:apisvc:get'))),
    ],
    [
      'a policy that is over',
      one('a', policy(usersOf('ann'), on(server), allow('vps:*'))) +
        one('b', policy(usersOf('ann'), on(server), allow('vps:apisvc:get'), 'expiredAt: "2025-06-30T00:00:00Z"')),
    ],
    [
      'a policy that the service keeps',
      one('a', policy(usersOf('ann'), on(server), allow('vps:*'))) +
        one('b', policy(usersOf('ann'), on(server), allow('vps:apisvc:get'), 'readOnly: true')),
    ],
    [
      'a condition nobody can read',
      one('a', policy(usersOf('ann'), on(server), allow('vps:*'), 'conditions: { operator: MATCH, values: { request.Country: FR } }')) +
        one('b', policy(usersOf('ann'), on(server), allow('vps:apisvc:get'))),
    ],
    [
      'a permissions group that is not known',
      one('a', policy(usersOf('ann'), on(server), 'permissionsGroups: [{ urn: "urn:v1:eu:permissionsGroup:svc:x" }]')) +
        one('b', policy(usersOf('ann'), on(server), allow('vps:apisvc:get'))),
    ],
    [
      'a resource group that is not known',
      one('a', policy(usersOf('ann'), 'resources: [{ urn: "urn:v1:eu:resourceGroup:5b0c" }]', allow('vps:*'))) +
        one('b', policy(usersOf('ann'), on(server), allow('vps:apisvc:get'))),
    ],
    [
      'empty lists, which are reported as such',
      one('a', policy(usersOf('ann'), on(server), 'permissions: { allow: [] }')) +
        one('b', policy(usersOf(), on(server), allow('vps:apisvc:get'))),
    ],
    [
      'an `except` that swallows everything, which is reported as such',
      one('a', policy(usersOf('ann'), on(server), `permissions: { ${actions('allow', 'vps:apisvc:get')}, ${actions('except', 'vps:*')} }`)),
    ],
  ])('%s', async (_, text) => {
    expect(await said(text)).toEqual([])
  })

  it.each<readonly [string, string, string[]]>([
    [
      'covered by two together',
      one('a', policy(usersOf('ann'), on(server), allow('vps:*'))) +
        one('b', policy(usersOf('bob'), on(server), allow('vps:*'))) +
        one('c', policy(usersOf('ann', 'bob'), on(server), allow('vps:apisvc:get'))),
      ['9:9-10 redundant-policy'],
    ],
    [
      'covered under a tighter condition',
      one('a', policy(usersOf('ann'), on(server), allow('vps:*'))) +
        one(
          'b',
          policy(usersOf('ann'), on(server), allow('vps:apisvc:get'), 'conditions: { operator: MATCH, values: { request.IP: 192.0.2.1 } }'),
        ),
      ['5:9-10 redundant-policy'],
    ],
    [
      'covered by day and by night',
      one('a', policy(usersOf('ann'), on(server), allow('vps:*'), 'conditions: { operator: MATCH, values: { date().Hour.LT: "12" } }')) +
        one('b', policy(usersOf('ann'), on(server), allow('vps:*'), 'conditions: { operator: MATCH, values: { date().Hour.GE: "12" } }')) +
        one('c', policy(usersOf('ann'), on(server), allow('vps:apisvc:get'))),
      ['11:9-10 redundant-policy'],
    ],
    [
      'two copies of a third: one is kept',
      one('a', policy(usersOf('ann'), on(server), allow('vps:*'))).repeat(3),
      ['5:9-10 equivalent-policies', '9:9-10 equivalent-policies'],
    ],
    [
      'part denied, the rest granted elsewhere',
      one('a', policy(usersOf('ann'), on(server), allow('vps:apisvc:get'))) +
        one('b', policy(usersOf('ann'), on(server), deny('vps:apisvc:stop'))) +
        one('c', policy(usersOf('ann'), on(server), allow('vps:apisvc:stop', 'vps:apisvc:get'))),
      ['9:9-10 redundant-policy'],
    ],
    [
      'a copy of a deny',
      one('a', policy(usersOf('ann'), on(server), allow('vps:*'))) +
        one('b', policy(usersOf('ann'), on(server), deny('vps:apisvc:stop'))) +
        one('c', policy(usersOf('ann'), on('vps:*'), deny('vps:apisvc:stop'))),
      ['5:9-10 shadowed-deny'],
    ],
  ])('speaks where the line is crossed: %s', async (_, text, expected) => {
    expect(await said(text)).toEqual(expected)
  })
})

describe('many policies', () => {
  it('are held against each other without comparing each with each', () => {
    const random = randomOf(7)
    const policies = Array.from({ length: 3000 }, (_, i) => ({
      name: `p${i}`,
      identities: [`urn:v1:eu:identity:user:ab/u${Math.floor(random() * 600)}`],
      resources: [{ urn: `urn:v1:eu:resource:t:r${Math.floor(random() * 40)}` }],
      permissions: { allow: [{ action: random() < 0.2 ? 'p:*' : `p:apisvc:a${Math.floor(random() * 9)}` }] },
    }))
    const world = worldOf({ policies })
    const said = verdicts(contextOf(world))
    const asked = new Map<string, Set<string>>()
    for (const { identities, resources, permissions } of policies) {
      const key = `${identities[0]} ${resources[0]?.urn}`
      asked.set(key, (asked.get(key) ?? new Set()).add(permissions.allow[0]?.action as string))
    }
    // The remaining findings: for each person and resource the wide grant, or each narrow one once.
    const kept = [...asked.values()].reduce((sum, set) => sum + (set.has('p:*') ? 1 : set.size), 0)
    expect(world.policies.length - said.size).toBe(kept)
  })
})

it('deny-misses-nested: reports exactly where no deny covers a nested action, over generated denies', () => {
  const urn = (kind: string, name: string) => `urn:v1:eu:identity:${kind}:ab12-svc/${name}`
  const on = (rest: string) => `urn:v1:eu:resource:${rest}`
  const nested = catalogue.expand(glob('*:*/terminate'))
  const random = randomOf(5)
  const some = () => ({
    identities: [pick(random, [urn('user', 'bob'), urn('user', '*'), urn('group', 'ops'), urn('group', '*')])],
    resources: [{ urn: pick(random, [on('*'), on('*'), on('vps:*'), on('vps:web-1')]) }],
    ...(random() < 0.3 && {
      conditions: { operator: 'MATCH', values: { 'resource.Tag(env)': pick(random, ['prod', 'dev']) } } satisfies ConditionJson,
    }),
  })
  const seen = new Set<boolean>()
  for (let i = 0; i < effort(400, 4); i++) {
    const policies = Array.from({ length: 1 + Math.floor(random() * 4) }, (_, k): PolicyJson => {
      const deny = k === 0 ? '*:terminate' : pick(random, ['*/terminate', '*terminate', '*', 'vps:*', nested[0] as string])
      return { name: `p${k}`, ...some(), permissions: { deny: [{ action: deny }] } }
    })
    const granting = (list: readonly PolicyJson[], all?: string) =>
      worldOf({
        policies: list.map((one) => ({ ...one, permissions: { allow: all === undefined ? one.permissions.deny : [{ action: all }] } })),
        identities: [],
        resources: [],
      } as never)
    const [own, denied] = [granting(policies.slice(0, 1), '*'), granting(policies)]
    const isOpen = [urn('user', 'bob'), urn('user', 'x'), urn('group', 'ops'), urn('group', 'x')].some((identity) =>
      [on('vps:web-1'), on('vps:x'), on('dnsZone:x')].some((resource) =>
        ['prod', 'dev', 'x'].some((env) => {
          const at = { identity, resource, groups: [], at: 0, tags: new Map([['env', env]]) }
          const holds = (world: World, action: string) => decide(world, { ...at, action }).verdict === 'allow'
          return holds(own, 'a:apisvc:b') && nested.some((action) => !holds(denied, action))
        }),
      ),
    )
    seen.add(isOpen)
    const findings = found(worldOf({ policies, identities: [], resources: [] } as never), 'deny-misses-nested')
    expect({ policies, found: findings.length > 0 }).toEqual({ policies, found: isOpen })
  }
  expect(seen.size).toBe(2)
})
