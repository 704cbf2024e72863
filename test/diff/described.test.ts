import { describe, expect, test } from 'vitest'
import { Budget } from '../../src/budget.ts'
import { readAddress } from '../../src/conditions/address.ts'
import { editsBetween } from '../../src/diff/causes.ts'
import { beyondCeiling } from '../../src/diff/ceiling.ts'
import { type DescribedChange, type DescribedDifference, describedDifference } from '../../src/diff/described.ts'
import { diff } from '../../src/diff/diff.ts'
import type { Resource, World } from '../../src/policy.ts'
import { decide } from '../../src/simulate/decide.ts'
import { type ActionsByType, knownNamesIn } from '../../src/symbolic/described.ts'
import { evaluate, notBefore } from '../../src/symbolic/formula.ts'
import { effort } from '../support/effort.ts'
import { expectSame } from '../support/same.ts'
import { generate, pick, type Random, randomOf, type WorldJson, worldOf } from '../support/worlds.ts'

const actions = ['p', 'q'].flatMap((product) => ['a', 'b', 'a/b', 'b/a', 'ab'].map((path) => `${product}:apisvc:${path}`))
/** Every action is about every type: more than a catalogue says, so that nothing is overlooked. */
const everyAction = { of: () => actions } as unknown as ActionsByType

const addresses = ['192.0.2.4', '192.0.2.5', '192.0.3.1', '10.0.0.1', '11.0.0.1', '2001:db8::1', '2001:db9::1'].map(
  (text) => readAddress(text) as NonNullable<ReturnType<typeof readAddress>>,
)
const instants = [
  '2026-03-29T00:59:59.999Z',
  '2026-03-29T01:00:00Z',
  '2026-06-30T22:00:00Z',
  '2026-07-01T12:00:00Z',
  '2026-10-25T02:30:00Z',
  '2027-01-03T03:00:00Z',
].map((text) => Date.parse(text))

/** The world after a change: a policy less, one more, other groups or tags. */
function changed(world: WorldJson, other: WorldJson, random: Random): WorldJson {
  // A third of the changes leave the policies as they are: only what is described changes.
  const isEdited = random() < 0.67
  const policies = isEdited
    ? [...world.policies.filter(() => random() > 0.25), ...other.policies.slice(0, 2).map((policy, i) => ({ ...policy, name: `new ${i}` }))]
    : world.policies
  return {
    ...world,
    policies,
    ...(random() < 0.4 && { identities: world.identities.map((each) => ({ ...each, groups: [] })) }),
    ...(random() < 0.4 && { resources: world.resources.map((each) => ({ ...each, tags: { k: pick(random, ['a', 'b']) } })) }),
    ...(random() < 0.3 && { resources: world.resources.map((each) => ({ ...each, owner: pick(random, ['ab', 'ba']) })) }),
  }
}

/** Everything is described: what an answer could depend on besides address and time is known. */
const allKnown = { policies: 6, conditions: 0.6, missing: 0, groups: 0.2 }

function pairOf(random: Random): readonly [World, World] {
  const { world } = generate(random, 0, allKnown)
  const { world: other } = generate(random, 0, allKnown)
  const described = { ...world, resources: world.resources.map((each) => ({ tags: {}, ...each })) }
  return [worldOf(described), worldOf(changed(described, other, random))]
}

const isIn = ({ identities, actions: own, resources }: DescribedChange, identity: string, action: string, resource: string) =>
  identities.includes(identity) && own.includes(action) && resources.includes(resource)

/** Compare a difference with the answers to every question over what is described and a grid of times and addresses. */
function compare(before: World, after: World, { gained, lost }: DescribedDifference, from: number) {
  const things = knownNamesIn([before, after])
  let differing = 0
  for (const identity of things.identities) {
    for (const resource of things.resources) {
      const known = [before, after].map((world) => world.resources.get(resource)?.tags)
      // A resource that is not described has tags that are not known: here it has none.
      const tags = known.every((each) => each === undefined) ? { tags: new Map<string, string>() } : {}
      for (const action of actions) {
        const rows = [gained, lost].map((list) => list.filter((change) => isIn(change, identity, action, resource)))
        for (const at of instants) {
          for (const ip of addresses) {
            const asked = { identity, action, resource, groups: [], at, ip, ...tags }
            const [old, now] = [before, after].map((world) => decide(world, asked).verdict === 'allow')
            const model = { ip, at, tags: new Map<string, null>(['k', 'env'].map((key) => [key, null])), assumed: new Map() }
            const named = rows.map((list) => at >= from && list.some(({ condition }) => evaluate(condition, model) === true))
            const expected = at < from ? [false, false] : [now === true && old === false, old === true && now === false]
            if (expected.includes(true)) differing++
            expectSame({ asked, named }, { asked, named: expected })
          }
        }
      }
    }
  }
  return differing
}

describe('the difference for what is described', () => {
  test('is exactly what `can` answers differently, for each identity, action and resource', () => {
    let differing = 0
    const random = randomOf(14)
    for (let i = 0; i < effort(120, 30); i++) {
      const [before, after] = pairOf(random)
      const from = pick(random, [0, ...instants])
      const found = describedDifference(before, after, editsBetween(before, after, new Budget()), {
        actions: everyAction,
        run: new Budget(),
        time: notBefore(from),
      })
      expect(found.undecided).toBe(false)
      differing += compare(before, after, found, from)
    }
    expect(differing).toBeGreaterThan(effort(6_000, 30))
  })

  test('has witnesses that both sides answer as they must, and causes', () => {
    let changes = 0
    const random = randomOf(15)
    for (let i = 0; i < effort(200, 30); i++) {
      const [before, after] = pairOf(random)
      const { gained, lost } = describedDifference(before, after, editsBetween(before, after, new Budget()), {
        actions: everyAction,
        run: new Budget(),
      })
      for (const [list, from, to] of [
        [gained, before, after],
        [lost, after, before],
      ] as const) {
        for (const { witness, certain, causes } of list) {
          changes++
          expect(certain).toBe(true)
          expect([decide(from, witness).verdict, decide(to, witness).verdict]).toEqual(['deny', 'allow'])
          expect(causes.length).toBeGreaterThan(0)
        }
      }
    }
    expect(changes).toBeGreaterThan(effort(200, 30))
  })
})

/** Texts that are others put together by what might separate them. */
const separators = [',', ' ', '\n', '|', '=', '\0', '","']
const joinedTexts = ['a', 'b', ...separators.flatMap((separator) => [`a${separator}b`, `b${separator}a`])]

describe('the difference of names and tags that hold what lists might be separated by', () => {
  const [ann, web] = ['urn:v1:eu:identity:user:ab/ann', 'urn:v1:eu:resource:vps:web']
  const worldWith = (tags: Readonly<Record<string, string>>, groups: readonly string[], conditions: object) =>
    worldOf({
      policies: ['urn:v1:eu:identity:user:ab/*', ...groupsNamed].map((identity, i) => ({
        name: `p${i}`,
        identities: [identity],
        resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
        permissions: { allow: [{ action: actions[i] }] },
        ...(i === 0 && { conditions }),
      })),
      identities: [{ urn: ann, groups }],
      resources: [{ urn: web, tags }],
    })
  const group = (name: string) => `urn:v1:eu:identity:group:ab/${name}`
  const groupsNamed = [group('a'), group('b'), `${group('a')} ${group('b')}`]

  test('is exactly what `can` answers differently', () => {
    const random = randomOf(31)
    const tagsOf = () =>
      Object.fromEntries(Array.from({ length: 1 + Math.floor(random() * 2) }, () => [pick(random, joinedTexts), pick(random, joinedTexts)]))
    // Two tags, or one, that are the same text where they are put together.
    const splitAnew = () => {
      const [x, y, z, by] = [pick(random, ['a', 'b']), pick(random, ['a', 'b']), pick(random, ['a', 'b']), pick(random, separators)]
      return [{ [`${x}${by}${y}`]: z }, { [x]: `${y}${by}${z}` }] as [Record<string, string>, Record<string, string>]
    }
    let [differing, retagged] = [0, 0]
    for (let i = 0; i < effort(600, 30); i++) {
      const [before, after] = random() < 0.5 ? [tagsOf(), tagsOf()] : splitAnew()
      const [key, value] = pick(random, [...Object.entries(before), ...Object.entries(after)])
      // A comma is between the values of a list, which is no text of EQ; blanks around are none of it.
      const conditions = { operator: 'MATCH', values: { [`resource.Tag(${key})`]: value } }
      const groups = () => groupsNamed.filter(() => random() < 0.4)
      const [first, second] = [worldWith(before, groups(), conditions), worldWith(after, groups(), conditions)]
      const verdicts = actions.map((action) => {
        const asked = { identity: ann, action, resource: web, groups: [], at: 0 }
        return [first, second].map((world) => decide(world, asked).verdict)
      })
      const wanted = actions.filter((_, j) => verdicts[j]?.[0] !== verdicts[j]?.[1])
      const { verdict, described } = diff(first, second, { described: everyAction })
      const found = [...(described?.gained ?? []), ...(described?.lost ?? [])]
      expectSame([...new Set(found.flatMap(({ actions: own }) => own))].sort(), [...wanted].sort())
      expectSame(verdict, wanted.length > 0 ? 'changed' : 'same')
      if (wanted.length > 0) differing++
      if (wanted.includes(actions[0] as string)) retagged++
    }
    expect(differing).toBeGreaterThan(effort(200, 30))
    expect(retagged).toBeGreaterThan(effort(80, 30))
  })

  test.each([
    [{ 'team,env': 'prod' }, { team: 'env,prod' }, 'team', 'env,prod'],
    [{ team: 'x\nenv,prod' }, { team: 'x', env: 'prod' }, 'env', 'prod'],
    [{ a: 'b,c' }, { 'a,b': 'c' }, 'a', 'b,c'],
  ])('of %j and %j has its cause', (before, after, key, value) => {
    const conditions = { operator: 'MATCH', values: { [`resource.Tag(${key})`]: value } }
    const found = diff(worldWith(before, [], conditions), worldWith(after, [], conditions), { described: everyAction })
    expect(found.verdict).toBe('changed')
    expect([...(found.described?.gained ?? []), ...(found.described?.lost ?? [])]).toMatchObject([
      { identities: [ann], resources: [web], causes: [{ what: 'tags or owner of the resource', name: web }] },
    ])
  })
})

describe('what is beyond a ceiling', () => {
  test('of what is described is exactly what `can` allows and the ceiling does not, with the tags that it gives', () => {
    const random = randomOf(17)
    let [over, own] = [0, 0]
    for (let i = 0; i < effort(80, 8); i++) {
      const [limit, world] = pairOf(random)
      // A ceiling describes some of the tags itself.
      const resources = new Map(
        [...limit.resources].flatMap(([urn, { tags, ...rest }]) =>
          random() < 0.3 ? [] : [[urn, random() < 0.5 ? rest : { tags, ...rest }] as [string, Resource]],
        ),
      )
      const ceiling: World = { ...limit, resources }
      const { described } = beyondCeiling(ceiling, world, { described: everyAction })
      expect(described?.undecided).toBe(false)
      expect(described?.lost).toEqual([])
      const things = knownNamesIn([ceiling, world])
      for (const identity of things.identities) {
        for (const resource of things.resources) {
          const [first, second] = [resources.get(resource), world.resources.get(resource)]
          // Tags that neither describes: there are none.
          const now = second?.tags ?? new Map<string, string>()
          const tags = first?.tags ?? now
          const owner = first?.owner ?? second?.owner
          for (const action of actions) {
            const rows = (described?.gained ?? []).filter((change) => isIn(change, identity, action, resource))
            for (const at of instants.slice(1, 4)) {
              for (const ip of addresses.slice(0, 4)) {
                const asked = { identity, action, resource, groups: [], at, ip }
                const account = ceiling.account ?? world.account
                const bound = { ...ceiling, ...(account !== undefined && { account }) }
                const isWithin = decide(bound, { ...asked, tags, ...(owner !== undefined && { owner }) }).verdict === 'allow'
                const expected = !isWithin && decide(world, { ...asked, tags: now }).verdict === 'allow'
                const model = { ip, at, tags: new Map<string, null>(['k', 'env'].map((key) => [key, null])), assumed: new Map() }
                const named = rows.some(({ condition }) => evaluate(condition, model) === true)
                if (expected) over++
                if (expected && first?.tags) own++
                expectSame({ asked, named }, { asked, named: expected })
              }
            }
          }
        }
      }
    }
    expect(over).toBeGreaterThan(300)
    expect(own).toBeGreaterThan(0)
  })

  test('includes what a tag opens that the ceiling describes otherwise, and nothing that is within', () => {
    const policy = {
      name: 'p',
      identities: ['urn:v1:eu:identity:user:ab/bob'],
      resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
      permissions: { allow: [{ action: 'p:apisvc:a' }] },
      conditions: { operator: 'MATCH', values: { 'resource.Tag(env)': 'dev' } },
    } as const
    const of = (tags?: Readonly<Record<string, string>>) =>
      worldOf({ policies: [policy], identities: [], resources: tags ? [{ urn: 'urn:v1:eu:resource:vps:web', tags }] : [] } as never)
    const beyond = (limit: World) => beyondCeiling(limit, of({ env: 'dev' }), { described: everyAction })
    expect(beyond(of({ env: 'prod' }))).toMatchObject({ gained: [], described: { gained: [{ causes: [{ what: 'allow `p:apisvc:a`' }] }] } })
    expect(beyond(of({ env: 'dev' })).verdict).toBe('same')
    expect(beyond(of()).verdict).toBe('same')
  })
})

describe('a change of what is described', () => {
  const bob = 'urn:v1:eu:identity:user:ab/bob'
  const group = 'urn:v1:eu:identity:group:ab/g'
  const web = 'urn:v1:eu:resource:vps:web'
  const policy = {
    name: 'p',
    identities: [group],
    resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
    permissions: { allow: [{ action: 'p:apisvc:a' }] },
    conditions: { operator: 'MATCH', values: { 'resource.Tag(env)': 'dev' } },
  }
  const account = (groups: readonly string[], env: string) =>
    worldOf({ policies: [policy], identities: [{ urn: bob, groups }], resources: [{ urn: web, tags: { env } }] })
  const differenceOf = (before: World, after: World) =>
    describedDifference(before, after, editsBetween(before, after, new Budget()), { actions: everyAction, run: new Budget() })

  test.each([
    ['a membership', account([], 'dev'), account([group], 'dev'), 'groups of the identity'],
    ['a tag', account([group], 'prod'), account([group], 'dev'), 'tags or owner of the resource'],
  ])('%s is a change with its cause', (_, before, after, what) => {
    const { gained, lost } = differenceOf(before, after)
    expect(lost).toEqual([])
    expect(gained).toMatchObject([{ identities: [bob], actions: ['p:apisvc:a'], resources: [web], certain: true, causes: [{ what }] }])
  })

  test('at an instant is one of the names of policies that have ended, too', () => {
    const reading = (urn: string, expiredAt?: string) => ({
      name: `reading ${urn}`,
      identities: ['urn:v1:eu:identity:user:ab/ann'],
      resources: [{ urn }],
      permissions: { allow: [{ action: 'p:apisvc:a' }] },
      ...(expiredAt !== undefined && { expiredAt }),
    })
    const identities = [{ urn: 'urn:v1:eu:identity:user:ab/ann', groups: [] }]
    const one = 'urn:v1:eu:resource:p:one'
    const [before, after] = [[reading(one, '2026-01-06T12:00:00Z')], [reading('urn:v1:eu:resource:p:*')]].map((policies) =>
      worldOf({ policies, identities }),
    ) as [World, World]
    const { described } = diff(before, after, { described: everyAction, at: Date.parse('2026-02-01T00:00:00Z') })
    expect(described?.gained.map(({ resources, actions }) => [resources, actions])).toEqual([[[one], ['p:apisvc:a']]])
  })

  test('of an owner is one of what the account may do, with its cause', () => {
    const owned = (owner: string | undefined, account?: string) =>
      worldOf({
        policies: [],
        identities: ['ab', 'cd'].map((each) => ({ urn: `urn:v1:eu:identity:account:${each}`, groups: [] })),
        resources: [{ urn: web, tags: {}, ...(owner !== undefined && { owner }) }],
        ...(account !== undefined && { account }),
      })
    const mine = (account: string) => ({
      identities: [`urn:v1:eu:identity:account:${account}`],
      resources: [web],
      actions: [...actions].sort(),
    })
    const causes = [{ what: 'tags or owner of the resource', name: web, change: 'changed' }]
    const { gained, lost } = differenceOf(owned('ab'), owned('cd'))
    expect([gained, lost]).toMatchObject([[{ ...mine('cd'), causes }], [{ ...mine('ab'), causes }]])
    expect(differenceOf(owned(undefined), owned('cd'))).toMatchObject({ gained: [{ ...mine('cd'), causes }], lost: [] })
    expect(differenceOf(owned('ab'), owned('ab'))).toEqual({ gained: [], lost: [], undecided: false })
    expect(diff(owned('ab'), owned('cd'), { described: everyAction }).verdict).toBe('changed')
  })

  test('that no policy looks at is none', () => {
    expect(differenceOf(account([group], 'dev'), account([group, 'urn:v1:eu:identity:group:ab/h'], 'dev'))).toEqual({
      gained: [],
      lost: [],
      undecided: false,
    })
  })
})
