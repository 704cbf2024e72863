import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { weekdays } from '../../src/conditions/time.ts'
import type { World } from '../../src/policy.ts'
import { decide } from '../../src/simulate/decide.ts'
import type { Decision, Question } from '../../src/simulate/decision.ts'
import { factText } from '../../src/simulate/facts.ts'
import { combine, traces } from '../../src/simulate/reference.ts'
import { type Zone, Zones } from '../../src/zones.ts'
import { counted } from '../support/counted.ts'
import { effort } from '../support/effort.ts'
import { plainMatch } from '../support/plain-evaluator.ts'
import {
  type Case,
  type ConditionJson,
  caseOf,
  cases,
  forAll,
  generate,
  type Health,
  health,
  type Knobs,
  type Law,
  type PolicyJson,
  pick,
  questionOf,
  type Random,
  shuffled,
  take,
  usualKnobs,
  type WorldJson,
  withPolicies,
  worldOf,
  worldOfTexts,
} from '../support/worlds.ts'

/** Laws of decisions for all policies: one property for each law, named as one would say it. */

const runs = effort(6000, 60)

/** A seed of the running test's own: its cases are the same alone, in another order, and again. */
const seedOfTest = () =>
  Number.parseInt(
    createHash('sha256')
      .update(expect.getState().currentTestName ?? '')
      .digest('hex')
      .slice(0, 8),
    16,
  )

/** Hold the law to random cases, and see that it spoke of enough of them. */
function holds(law: Law, atLeast = 0.5, knobs: Knobs = usualKnobs) {
  expect(counted(forAll(runs, seedOfTest(), law, knobs))).toBeGreaterThan(runs * atLeast)
}

const unlike = (before: Decision, after: Decision) =>
  before.verdict === after.verdict && before.reason === after.reason
    ? ''
    : `${before.verdict} (${before.reason}) became ${after.verdict} (${after.reason})`

/** From nothing granted to all granted. */
const rank = { deny: 0, unknown: 1, allow: 2 } as const

function never(what: 'adds' | 'removes', before: Decision, after: Decision): string {
  const change = rank[after.verdict] - rank[before.verdict]
  return (what === 'adds' ? change <= 0 : change >= 0) ? '' : `${before.verdict} became ${after.verdict}`
}

const isRoot = ({ reason }: Decision) => reason === 'root'

/** The world with one policy changed, picked by chance. */
function changed(
  c: Case,
  random: Random,
  change: (policy: PolicyJson) => PolicyJson | undefined,
  isCandidate: (policy: PolicyJson) => boolean = () => true,
): Case | undefined {
  const { policies } = c.written.world
  const candidates = [...policies.keys()].filter((i) => isCandidate(policies[i] as PolicyJson))
  const chosen = candidates[Math.floor(random() * candidates.length)]
  if (chosen === undefined) return undefined
  const policy = change(policies[chosen] as PolicyJson)
  return policy && caseOf({ ...c.written.world, policies: policies.with(chosen, policy) }, c.written.question)
}

function withWorld(c: Case, change: (world: WorldJson) => WorldJson): Decision {
  return decide(worldOf(change(c.written.world)), c.question)
}

/** A policy about the very question, without conditions. */
function about(c: Case, permissions: PolicyJson['permissions']): PolicyJson {
  const { identity, resource } = c.written.question
  return { name: 'about', identities: [identity], resources: [{ urn: resource }], permissions }
}

const own = (c: Case) => decide(c.world, c.question)

describe('the cases hit what they are aimed at', () => {
  let found: Health
  beforeAll(() => {
    found = health(take(effort(5000, 5), cases(1)))
  })
  test.each([
    ['allow', 0.1, 0.6],
    ['unknown', 0.05, 0.3],
    ['denied', 0.1, 1],
    ['excepted', 0.1, 1],
    ['conditioned', 0.15, 1],
    ['several', 0.4, 1],
    ['root', 0.005, 0.1],
  ] as const)('%s: from %d to %d of them', (kind, least, most) => {
    expect(found[kind]).toBeGreaterThanOrEqual(least)
    expect(found[kind]).toBeLessThanOrEqual(most)
  })

  test('the same seed gives the same cases', () => {
    const written = () => [...take(50, cases(7))].map((c) => c.written)
    expect(written()).toEqual(written())
  })
})

// covers: M03
describe('without policies', () => {
  test('everything is denied by default', () => {
    holds((c) => {
      const decision = decide({ ...c.world, policies: [] }, c.question)
      return isRoot(decision) || (decision.verdict === 'deny' && decision.reason === 'default')
        ? ''
        : `${decision.verdict} (${decision.reason})`
    })
  })
})

describe('how policies are written down does not matter', () => {
  // covers: M04
  test('the order of policies, of entries, of everything in lists', () => {
    holds((c, random) => {
      const mixed = (value: unknown): unknown => {
        if (Array.isArray(value)) return shuffled(random, value).map(mixed)
        return typeof value === 'object' && value !== null
          ? Object.fromEntries(Object.entries(value).map(([key, v]) => [key, mixed(v)]))
          : value
      }
      // A condition that is not understood is known by its text, so its own order stays.
      const order = (policy: PolicyJson) => ({
        ...(mixed(policy) as PolicyJson),
        ...(policy.conditions && { conditions: policy.conditions }),
      })
      const after = withWorld(c, (world) => ({
        ...(mixed({ ...world, policies: [] }) as WorldJson),
        policies: shuffled(random, world.policies.map(order)),
      }))
      const before = own(c)
      return alike(before, after)
    })
  })

  // covers: M05
  test('saying a thing twice', () => {
    holds((c) =>
      unlike(
        own(c),
        withWorld(c, (world) => ({ ...world, policies: world.policies.flatMap((p) => [p, doubled(p)]) })),
      ),
    )
  })

  // covers: M06
  test('one policy, or one for each identity, resource, granted action and denied action', () => {
    holds((c) => {
      const split = ({ permissions, permissionsGroups = [], ...policy }: PolicyJson): PolicyJson[] => {
        const { allow = [], except = [], deny = [] } = permissions
        const bodies: Pick<PolicyJson, 'permissions' | 'permissionsGroups'>[] = [
          ...allow.map((entry) => ({ permissions: { allow: [entry], except } })),
          ...deny.map((entry) => ({ permissions: { deny: [entry] } })),
          ...permissionsGroups.map((group) => ({ permissions: {}, permissionsGroups: [group] })),
        ]
        return bodies.flatMap((body) =>
          policy.identities.flatMap((identity) =>
            policy.resources.map((resource) => ({ ...policy, ...body, identities: [identity], resources: [resource] })),
          ),
        )
      }
      const before = own(c)
      const after = withWorld(c, (world) => ({ ...world, policies: world.policies.flatMap(split) }))
      return alike(before, after)
    })
  })

  // covers: M07
  test('one file or several', () => {
    holds((c, random) => {
      const { world } = c.written
      const first = world.policies.filter(() => random() < 0.5)
      const rest = world.policies.filter((policy) => !first.includes(policy))
      const files = [{ ...world, policies: first }, rest, ...world.identities.map((identity) => ({ identities: [identity] }))]
      return unlike(own(c), decide(worldOfTexts(files.map((file) => JSON.stringify(file))), c.question))
    })
  })

  // covers: M46
  test('a JSON file, read again after it is written out from what was read', () => {
    holds((c) => unlike(own(c), decide(worldOf(JSON.parse(JSON.stringify(c.written.world))), c.question)), 0.9)
  })
})

function missingOf({ missing }: Decision): string {
  return missing.map(({ fact }) => factText(fact)).join(', ')
}

/** The same without groups that another of the facts, an entry with a wildcard, takes in. */
function widestOf({ missing }: Decision): string {
  const names = missing.map(({ fact }) => factText(fact))
  const isGroup = (name: string) => name.startsWith('resourceGroup:')
  return names.filter((name) => !names.some((wider) => wider !== name && isGroup(wider) && plainMatch(wider, name))).join(', ')
}

/** Verdict, reason and missing facts are the same. */
function alike(before: Decision, after: Decision): string {
  return unlike(before, after) || (missingOf(before) === missingOf(after) ? '' : `${missingOf(before)} became ${missingOf(after)}`)
}

function doubled(policy: PolicyJson): PolicyJson {
  const twice = <T>(list: readonly T[] | undefined) => (list ? { list: [...list, ...list] } : undefined)
  const { allow, except, deny } = policy.permissions
  return {
    ...policy,
    identities: [...policy.identities, ...policy.identities],
    resources: [...policy.resources, ...policy.resources],
    permissions: {
      ...(allow && { allow: twice(allow)?.list ?? [] }),
      ...(except && { except: twice(except)?.list ?? [] }),
      ...(deny && { deny: twice(deny)?.list ?? [] }),
    },
  }
}

describe('more policies', () => {
  /** A policy of another world of the same alphabet, with the lists it may have. */
  const foreign = (random: Random, lists: (permissions: PolicyJson['permissions']) => PolicyJson['permissions']): PolicyJson => {
    const { permissionsGroups: _, ...policy } = generate(random, 0).world.policies[0] as PolicyJson
    return { ...policy, permissions: lists(policy.permissions) }
  }
  const added = (c: Case, policy: PolicyJson) => withWorld(c, (world) => ({ ...world, policies: [...world.policies, policy] }))

  // covers: M08
  test('a policy that only allows never removes access', () => {
    holds((c, random) =>
      never(
        'removes',
        own(c),
        added(c, random() < 0.5 ? foreign(random, ({ deny: _, ...rest }) => rest) : about(c, { allow: [{ action: '*' }] })),
      ),
    )
  })

  // covers: M09
  test('taking away a policy that only allows never adds access', () => {
    holds((c, random) => {
      const chosen = pick(random, c.world.policies)
      if (!chosen || chosen.permissions.deny.length > 0 || chosen.permissionsGroups.length > 0) return undefined
      return never('adds', own(c), decide({ ...c.world, policies: c.world.policies.filter((p) => p !== chosen) }, c.question))
    }, 0.4)
  })

  // covers: M10
  test('a policy that only denies never adds access', () => {
    holds((c, random) =>
      never(
        'adds',
        own(c),
        added(
          c,
          foreign(random, ({ allow = [] }) => ({ deny: allow })),
        ),
      ),
    )
  })

  // covers: M11
  test('taking away a denial never removes access', () => {
    holds((c, random) => {
      const without = (policy: PolicyJson): PolicyJson => {
        const { permissions } = policy
        return { ...policy, permissions: { ...permissions, deny: permissions.deny?.slice(1) ?? [] } }
      }
      // Few policies deny: one that does is chosen.
      const after = changed(c, random, without, ({ permissions }) => permissions.deny !== undefined)
      return after && never('removes', own(c), own(after))
    }, 0.1)
  })

  // covers: M20
  test('a policy for other identities or other resources changes nothing', () => {
    holds((c, random) => {
      const policy = foreign(random, (permissions) => permissions)
      const elsewhere: PolicyJson =
        random() < 0.5
          ? { ...policy, identities: ['urn:v1:eu:identity:user:nobody/none'] }
          : { ...policy, resources: [{ urn: 'urn:v1:eu:resource:nowhere:none' }, { urn: 'urn:v1:us:resource:*' }] }
      return unlike(own(c), added(c, elsewhere))
    })
  })

  test('an expired policy is as if it were not there', () => {
    holds((c, random) => unlike(own(c), added(c, { ...foreign(random, (permissions) => permissions), expiredAt: '2020-01-01T00:00:00Z' })))
  })

  // covers: M20
  test('a policy that can only be reached by no identity changes nothing', () => {
    holds((c, random) => unlike(own(c), added(c, { ...foreign(random, (permissions) => permissions), identities: [] })))
  })
})

describe('deny', () => {
  // covers: M16
  test('beats every allow, whatever its width, its place or what it names', () => {
    holds((c, random) => {
      const { action, identity, resource } = c.written.question
      const colon = action.indexOf(':')
      const deny: PolicyJson = {
        name: 'no',
        identities: [pick(random, [identity, `${identity.slice(0, identity.lastIndexOf(':') + 1)}*`])],
        resources: [{ urn: pick(random, [resource, `${resource.slice(0, resource.indexOf(':resource:'))}:resource:*`]) }],
        permissions: { deny: [{ action: pick(random, [action, '*', `${action.slice(0, colon)}:*`, `*${action.slice(colon)}`]) }] },
      }
      const grants = about(c, { allow: [{ action }, { action: '*' }] })
      const after = withWorld(c, (world) => ({ ...world, policies: shuffled(random, [...world.policies, deny, grants]) }))
      if (isRoot(after)) return undefined
      return after.verdict === 'deny' && after.reason === 'denied' ? '' : `${after.verdict} (${after.reason})`
    }, 0.9)
  })

  // covers: M16
  test('in a permissions group beats what another one allows', () => {
    holds((c) => {
      const { action } = c.written.question
      const groups = [
        { urn: 'urn:v1:eu:permissionsGroup:ab:yes', name: 'yes', permissions: { allow: [{ action }] } },
        { urn: 'urn:v1:eu:permissionsGroup:ab:no', name: 'no', permissions: { deny: [{ action }] } },
      ]
      const policy = { ...about(c, {}), permissionsGroups: groups.map(({ urn }) => ({ urn })) }
      const after = withWorld(c, (world) => ({
        ...world,
        policies: [...world.policies, policy],
        permissionsGroups: [...world.permissionsGroups, ...groups],
      }))
      return isRoot(after) ? undefined : after.reason === 'denied' ? '' : `${after.verdict} (${after.reason})`
    }, 0.9)
  })

  test('an allow is always written somewhere: nothing is allowed that no entry names', () => {
    holds((c) => {
      const { verdict, reason, clauses } = own(c)
      if (verdict !== 'allow' || reason === 'root') return undefined
      return clauses.length > 0 && clauses.every((clause) => clause.list === 'allow') ? '' : 'allowed by no entry'
    }, 0.1)
  })
})

describe('except', () => {
  const withExcept = (p: PolicyJson, action: string): PolicyJson => ({
    ...p,
    permissions: { ...p.permissions, except: [...(p.permissions.except ?? []), { action }] },
  })

  // covers: M12
  test('one more never adds access', () => {
    holds((c, random) => {
      const { action } = c.written.question
      const after = changed(c, random, (p) => withExcept(p, pick(random, [action, '*', `${action.slice(0, 4)}*`])))
      return after && never('adds', own(c), own(after))
    })
  })

  // covers: M13
  test('one less never removes access', () => {
    holds((c, random) => {
      const after = changed(c, random, (p) =>
        p.permissions.except ? { ...p, permissions: { ...p.permissions, except: p.permissions.except.slice(1) } } : undefined,
      )
      return after && never('removes', own(c), own(after))
    }, 0.25)
  })

  // covers: M14
  test('takes nothing from what another policy, or another permission set of the same one, allows', () => {
    holds((c, random) => {
      const { action, identity, resource } = c.written.question
      const grants: PolicyJson[] = [
        about(c, { allow: [{ action }] }),
        {
          ...about(c, { allow: [{ action: '*' }], except: [{ action }] }),
          identities: [identity],
          resources: [{ urn: resource }],
          permissionsGroups: [{ urn: 'urn:v1:eu:permissionsGroup:ab:yes' }],
        },
      ]
      const group = { urn: 'urn:v1:eu:permissionsGroup:ab:yes', name: 'yes', permissions: { allow: [{ action }] } }
      const world: WorldJson = {
        ...c.written.world,
        policies: [...c.written.world.policies.map((p) => withExcept(p, '*')), pick(random, grants)],
        permissionsGroups: [...c.written.world.permissionsGroups, group],
      }
      const { verdict, reason } = decide(worldOf(world), c.question)
      const denies = own(c).reason === 'denied'
      if (denies || own(c).verdict !== 'allow') return undefined
      return verdict === 'allow' ? '' : `${verdict} (${reason})`
    }, 0.1)
  })

  test('never denies: it only leaves a grant out', () => {
    holds((c) => {
      const stripped = withPolicies(c.world, (p) => ({ ...p, permissions: { ...p.permissions, deny: [] } }))
      const groups = new Map([...c.world.permissionsGroups].map(([urn, g]) => [urn, { ...g, permissions: { ...g.permissions, deny: [] } }]))
      return decide({ ...stripped, permissionsGroups: groups }, c.question).reason === 'denied' ? 'denied without a deny' : ''
    })
  })

  // covers: M15
  test('where it meets no allow of its own set it does nothing', () => {
    holds((c, random) => {
      const after = changed(c, random, (p) => withExcept(p, 'elsewhere:apisvc:*'))
      if (!after || c.written.question.action.startsWith('elsewhere')) return undefined
      return unlike(own(c), own(after))
    })
  })

  // covers: M17
  test('an action that is both allowed and excepted by one set need not be in its allow list', () => {
    holds((c, random) => {
      const { action } = c.written.question
      const policies = c.written.world.policies.map((p) => withExcept(p, action))
      const chosen = Math.floor(random() * policies.length)
      const listed = policies.map((p, i) =>
        i === chosen ? { ...p, permissions: { ...p.permissions, allow: [...(p.permissions.allow ?? []), { action }] } } : p,
      )
      const without = withWorld(c, (world) => ({ ...world, policies }))
      return unlike(
        without,
        withWorld(c, (world) => ({ ...world, policies: listed })),
      )
    })
  })
})

// covers: M18
describe('a wider pattern', () => {
  const widened = (random: Random, action: string) => {
    const from = 1 + Math.floor(random() * action.length)
    const to = from + Math.floor(random() * (action.length - from + 1))
    return pick(random, ['*', `${action.slice(0, from)}*${action.slice(to)}`, `${action.slice(0, from)}*`, `*${action.slice(from - 1)}`])
  }
  const change = (list: 'allow' | 'except' | 'deny') => (c: Case, random: Random) =>
    changed(c, random, (p) => {
      const entries = p.permissions[list]
      if (!entries || entries.length === 0) return undefined
      const i = Math.floor(random() * entries.length)
      const wide = { action: widened(random, entries[i]?.action as string) }
      return { ...p, permissions: { ...p.permissions, [list]: entries.with(i, wide) } }
    })

  test.each([
    ['in allow never removes access', 'allow', 'removes', 0.6],
    ['in except never adds access', 'except', 'adds', 0.25],
    ['in deny never adds access', 'deny', 'adds', 0.1],
  ] as const)('%s', (_, list, what, share) => {
    holds((c, random) => {
      const after = change(list)(c, random)
      return after && never(what, own(c), own(after))
    }, share)
  })

  test('of identities or resources in a policy that only allows never removes access', () => {
    holds((c, random) => {
      const after = changed(c, random, (p) => {
        if (p.permissions.deny || p.permissionsGroups) return undefined
        const wide = random() < 0.5
        return {
          ...p,
          identities: wide ? p.identities.map((urn) => `${urn.slice(0, urn.indexOf(':', 19) + 1)}*`) : p.identities,
          resources: wide
            ? p.resources
            : p.resources.map(({ urn }) => ({ urn: urn.includes(':resource:') ? 'urn:v1:eu:resource:*' : urn.replace(/[^:]*$/, '*') })),
        }
      })
      // The wildcard is of one region: an entry of another is not widened by it.
      return after && !JSON.stringify(c.written).includes('urn:v1:ca') ? never('removes', own(c), own(after)) : undefined
    }, 0.4)
  })
})

// covers: M19
describe('names are only names', () => {
  test('calling everything otherwise, and the question too, changes nothing', () => {
    // Letters of logins, groups, names, tags and paths are swapped one for one, everywhere the same.
    const swap: Readonly<Record<string, string>> = { a: 'b', b: 'a', g: 'h', h: 'g', k: 'e', e: 'k' }
    const letters = (text: string) => text.replace(/[abghke]/g, (letter) => swap[letter] as string)
    const urn = (text: string) =>
      text.replace(
        /^(urn:v1:[a-z]+:(?:identity:[a-zA-Z]+|resourceGroup|permissionsGroup):(?:[^/]*\/(?=oauth2-)oauth2-)?)(.*)$/s,
        (_, head: string, tail: string) => {
          const isCredential = head.endsWith('oauth2-')
          const [, account = ''] = isCredential ? (/:credential:([^/]*)\/oauth2-$/.exec(head) ?? []) : []
          return (isCredential ? `${head.slice(0, -account.length - 8)}${letters(account)}/oauth2-` : head) + letters(tail)
        },
      )
    const resourceUrn = (text: string) =>
      text.replace(/^(urn:v1:[a-z]+:resource:[^:]*:)(.*)$/s, (_, head: string, tail: string) => head + letters(tail))
    const condition = (written: ConditionJson): ConditionJson => ({
      ...written,
      ...(written.conditions && { conditions: written.conditions.map(condition) }),
      ...(written.values && {
        values: Object.fromEntries(
          Object.entries(written.values).map(([key, value]) => [
            key.replace(/^resource\.Tag\((.*?)\)/, (_, tag: string) => `resource.Tag(${letters(tag)})`),
            /^resource\.(Tag|Name)/.test(key) ? letters(value) : value,
          ]),
        ),
      }),
    })
    const tags = (written: Record<string, string>) =>
      Object.fromEntries(Object.entries(written).map(([key, value]) => [letters(key), letters(value)]))
    const whole = (value: unknown, key = ''): unknown => {
      if (key === 'conditions') return condition(value as ConditionJson)
      if (key === 'tags') return tags(value as Record<string, string>)
      if (key === 'owner' || key === 'account') return letters(value as string)
      if (Array.isArray(value)) return value.map((item) => whole(item))
      if (typeof value === 'object' && value !== null) return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, whole(v, k)]))
      return typeof value !== 'string' ? value : key === 'id' ? letters(value) : resourceUrn(urn(value))
    }
    holds((c) => {
      const renamed = { world: whole(c.written.world) as WorldJson, question: whole(c.written.question) as Case['written']['question'] }
      return unlike(own(c), own(caseOf(renamed.world, renamed.question)))
    })
  })
})

// covers: M27
describe('conditions', () => {
  const not = (...conditions: ConditionJson[]): ConditionJson => ({ operator: 'NOT', conditions })
  const and = (...conditions: ConditionJson[]): ConditionJson => ({ operator: 'AND', conditions })
  const or = (...conditions: ConditionJson[]): ConditionJson => ({ operator: 'OR', conditions })

  /** Two ways to say one thing, put into every policy that has a condition. */
  const same = (ways: (x: ConditionJson, y: ConditionJson, z: ConditionJson) => readonly [ConditionJson, ConditionJson], compare = alike) =>
    holds((c, random) => {
      const given = c.written.world.policies.flatMap((p) => (p.conditions ? [p.conditions] : []))
      if (given.length === 0) return undefined
      const [x, y, z] = [pick(random, given), pick(random, given), pick(random, given)]
      const [one, other] = ways(x, y, z)
      const put = (conditions: ConditionJson) =>
        withWorld(c, (world) => ({ ...world, policies: world.policies.map((p) => (p.conditions ? { ...p, conditions } : p)) }))
      const [before, after] = [put(one), put(other)]
      return compare(before, after)
    })

  test.each<readonly [string, Parameters<typeof same>[0]]>([
    ['not both is not one or not the other', (x, y) => [not(and(x, y)), or(not(x), not(y))]],
    ['neither is not one and not the other', (x, y) => [not(or(x, y)), and(not(x), not(y))]],
    ['NOT of several: none of them holds', (x, y, z) => [not(x, y, z), and(not(x), not(y), not(z))]],
    ['not not a thing is the thing', (x) => [not(not(x)), x]],
    ['AND in either order', (x, y) => [and(x, y), and(y, x)]],
    ['OR in either order', (x, y) => [or(x, y), or(y, x)]],
    ['AND, however it is nested', (x, y, z) => [and(and(x, y), z), and(x, and(y, z))]],
    ['OR, however it is nested', (x, y, z) => [or(or(x, y), z), or(x, or(y, z))]],
    ['a thing and itself', (x) => [and(x, x), x]],
    ['a thing or itself', (x) => [or(x, x), x]],
    ['AND spreads over OR', (x, y, z) => [and(x, or(y, z)), or(and(x, y), and(x, z))]],
    ['AND of nothing adds nothing to AND', (x) => [and(x, and()), x]],
    ['OR of nothing adds nothing to OR', (x) => [or(x, or()), x]],
    ['NOT of nothing always holds', (x) => [and(x, not()), x]],
    ['MATCH without values never holds back', (x) => [and(x, { operator: 'MATCH', values: {} }), x]],
  ])('%s', (_, ways) => same(ways))

  // Where nothing grants, the reason given is that, though one of two denies is sure to hold: reasons are not compared. A policy that
  // never applies may give a group that an entry with a wildcard takes in a name of its own (docs/analysis.md, Completions).
  test.each<readonly [string, Parameters<typeof same>[0]]>([
    ['a thing or its opposite always holds', (x) => [or(x, not(x)), and()]],
    ['a thing and its opposite never hold', (x) => [and(x, not(x)), or()]],
  ])('%s', (_, ways) =>
    same(ways, (before, after) => {
      const [one, other] = [before, after].map((decision) => `${decision.verdict} (${widestOf(decision)})`)
      return one === other ? '' : `${one} became ${other}`
    }),
  )

  test('a condition that always holds is as none', () => {
    holds((c) => {
      const always = withWorld(c, (world) => ({
        ...world,
        policies: world.policies.map((p) => ({ ...p, conditions: p.conditions ? and(p.conditions, and()) : and() })),
      }))
      return unlike(own(c), always)
    })
  })

  test('a MATCH of two entries is both of them', () => {
    holds((c) => {
      const split = (written: ConditionJson): ConditionJson =>
        written.operator === 'MATCH'
          ? and(
              ...Object.entries(written.values ?? {}).map(
                ([key, value]): ConditionJson => ({ operator: 'MATCH', values: { [key]: value } }),
              ),
            )
          : written.conditions && written.operator !== 'XOR'
            ? { ...written, conditions: written.conditions.map(split) }
            : written
      return unlike(
        own(c),
        withWorld(c, (world) => ({
          ...world,
          policies: world.policies.map((p) => (p.conditions ? { ...p, conditions: split(p.conditions) } : p)),
        })),
      )
    })
  })
})

describe('what is not known', () => {
  const gappy: Knobs = { ...usualKnobs, missing: 0.6 }
  const given = (random: Random): Partial<Question> => ({
    ...(random() < 0.7 && {
      ip: questionOf({ ...blank, ip: pick(random, ['192.0.2.5', '10.0.0.1', '2001:db8::1']) }).ip as NonNullable<Question['ip']>,
    }),
    ...(random() < 0.7 && {
      tags: new Map(
        [
          ['k', pick(random, ['a', 'b', 'ab', ''])],
          ['env', pick(random, ['a', 'ba'])],
        ].slice(0, Math.floor(random() * 3)) as [string, string][],
      ),
    }),
  })
  const blank = {
    identity: 'urn:v1:eu:identity:user:ab/a',
    action: 'p:apisvc:a',
    resource: 'urn:v1:eu:resource:t:a',
    at: '2026-07-01T12:00:00Z',
  }

  // covers: M29
  test('knowing more never turns an allow or a deny into something else', () => {
    holds(
      (c, random) => {
        const before = own(c)
        if (before.verdict === 'unknown') return undefined
        const more = given(random)
        const knows = c.question.tags ?? c.world.resources.get(c.question.resource)?.tags
        const question = {
          ...c.question,
          ...(c.question.ip ? {} : more.ip && { ip: more.ip }),
          ...(knows ? {} : more.tags && { tags: more.tags }),
        }
        const after = decide(c.world, question)
        return after.verdict === before.verdict ? '' : `${before.verdict} became ${after.verdict}`
      },
      0.5,
      gappy,
    )
  })

  // covers: M29
  test('describing groups that were not known never does either', () => {
    holds(
      (c, random) => {
        const before = own(c)
        if (before.verdict === 'unknown') return undefined
        const { action, resource } = c.written.question
        const after = withWorld(c, (world) => ({
          ...world,
          permissionsGroups: [
            ...world.permissionsGroups,
            ...['svc:other', 'ba:far'].map((name) => ({
              urn: `urn:v1:eu:permissionsGroup:${name}`,
              name,
              permissions: pick(random, [
                {},
                { allow: [{ action }] },
                { deny: [{ action: '*' }] },
                { allow: [{ action: '*' }], except: [{ action }] },
              ]),
            })),
          ],
          resourceGroups: [
            ...world.resourceGroups,
            ...['g9', 'h9'].map((id) => ({ id, name: id, resources: random() < 0.5 ? [{ urn: resource }] : [] })),
          ],
        }))
        return after.verdict === before.verdict ? '' : `${before.verdict} became ${after.verdict}`
      },
      0.5,
      gappy,
    )
  })

  test('when every fact is given, nothing is unknown', () => {
    const full: Knobs = { ...usualKnobs, missing: 0 }
    holds(
      (c) => {
        const question = {
          ...c.question,
          ip: c.question.ip ?? (questionOf({ ...blank, ip: '192.0.2.5' }).ip as NonNullable<Question['ip']>),
          tags: c.question.tags ?? new Map(),
        }
        return decide(c.world, question).verdict === 'unknown' ? 'unknown with nothing missing' : ''
      },
      0.9,
      full,
    )
  })

  test('an unknown names at least one fact, and an allow or a deny names none', () => {
    holds(
      (c) => {
        const { verdict, missing, caveats } = own(c)
        return (verdict === 'unknown') === missing.length > 0 || caveats.includes('approximate')
          ? ''
          : `${verdict} names ${missing.length} facts`
      },
      0.9,
      gappy,
    )
  })

  // covers: P3
  test('a deny that rests on entries, or on none, stays one: no gap in the knowledge removes it', () => {
    holds(
      (c) => {
        const action = { action: c.question.action }
        const policy: PolicyJson = {
          ...about(c, { deny: [action] }),
          conditions: {
            operator: 'OR',
            conditions: [
              { operator: 'XOR', conditions: [] },
              { operator: 'AND', conditions: [] },
            ],
          },
        }
        const after = withWorld(c, (world) => ({ ...world, policies: [...world.policies, policy] }))
        return isRoot(after) ? undefined : after.reason === 'denied' ? '' : `${after.verdict} (${after.reason})`
      },
      0.9,
      gappy,
    )
  })
})

describe('groups that were not given', () => {
  test('a default deny says so when one of the account would lift it, and only then where nothing is missing', () => {
    let lifted = 0
    const law: Law = (c) => {
      const { reason, caveats } = own(c)
      const [, account] = /:identity:(?:user|credential):([^/]*)\//.exec(c.question.identity) ?? []
      if (reason !== 'default' || account === undefined) return undefined
      const isLifted = ['g', 'ga', 'a b', 'another'].some((name) => {
        const group = `urn:v1:eu:identity:group:${account}/${name}`
        return decide(c.world, { ...c.question, groups: [...c.question.groups, group] }).verdict !== 'deny'
      })
      if (isLifted) lifted++
      const says = caveats.includes('groups-unknown')
      // Where facts are missing, a group that might lift it is enough.
      if (says && !isLifted && !(c.question.ip && c.question.tags)) return undefined
      return isLifted === says ? '' : `${isLifted ? 'a group' : 'no group'} would lift it`
    }
    expect(forAll(effort(8000, 30), seedOfTest(), law, { ...usualKnobs, missing: 0 })).toBeGreaterThan(effort(1000, 30))
    expect(lifted).toBeGreaterThan(effort(60, 30))
  })
})

describe('time', () => {
  const hour = 3_600_000

  // covers: M29c
  test('shifting the instant and the zone together changes nothing', () => {
    // Zones of fixed offset, whose names count westward: Etc/GMT-3 is three hours ahead of UTC.
    expect(new Zones().get('Etc/GMT-3')).toBeDefined()
    const law =
      (shift: number): Law =>
      (c) => {
        const zone = shift > 0 ? `Etc/GMT-${shift}` : `Etc/GMT+${-shift}`
        const put =
          (name: string) =>
          (written: ConditionJson): ConditionJson => ({
            ...written,
            ...(written.conditions && { conditions: written.conditions.map(put(name)) }),
            ...(written.values && {
              values: Object.fromEntries(
                Object.entries(written.values).map(([key, value]) => [key.replace(/^date(\([^)]*\))?\./, `date(${name}).`), value]),
              ),
            }),
          })
        const world = (name: string) =>
          worldOf({
            ...c.written.world,
            policies: c.written.world.policies.map(({ expiredAt: _, ...p }) =>
              p.conditions ? { ...p, conditions: put(name)(p.conditions) } : p,
            ),
          })
        return unlike(decide(world('UTC'), c.question), decide(world(zone), { ...c.question, at: c.question.at - shift * hour }))
      }
    for (const shift of [3, -5, 12]) expect(counted(forAll(runs, seedOfTest() + shift, law(shift)))).toBe(runs)
  })

  // covers: M29c
  test('every instant is one weekday, one hour and one date, in every zone', () => {
    const zones = new Zones()
    for (const zone of ['UTC', 'Europe/Paris', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu']) {
      const clockOf = zones.get(zone) as Zone
      for (let at = Date.UTC(2026, 2, 28); at < Date.UTC(2026, 3, 5); at += hour / 2) {
        const clock = clockOf.shows(at)
        const question = {
          ...questionOf({
            identity: 'urn:v1:eu:identity:user:ab/a',
            action: 'p:apisvc:a',
            resource: 'urn:v1:eu:resource:t:a',
            at: '2026-01-01T00:00:00Z',
          }),
          at,
        }
        const allowed = weekdays.filter((day) => decide(dayWorld(zone, day), question).verdict === 'allow')
        expect(allowed).toEqual([weekdays[clock.weekday]])
      }
    }
  })

  const dayWorlds = new Map<string, World>()
  function dayWorld(zone: string, day: string): World {
    const known =
      dayWorlds.get(zone + day) ??
      worldOf({
        name: day,
        identities: ['urn:v1:eu:identity:user:ab/a'],
        resources: [{ urn: 'urn:v1:eu:resource:*' }],
        permissions: { allow: [{ action: '*' }] },
        conditions: { operator: 'MATCH', values: { [`date(${zone}).WeekDay`]: day } },
      })
    dayWorlds.set(zone + day, known)
    return known
  }

  // covers: M29c
  test('a policy counts up to its last instant, that one included', () => {
    holds((c, random) => {
      const at = new Date(c.question.at)
      const expiring = (milliseconds: number) =>
        changed(
          c,
          () => 0,
          (p) => ({ ...p, expiredAt: new Date(at.getTime() + milliseconds).toISOString() }),
        ) as Case
      const without = changed(
        c,
        () => 0,
        ({ expiredAt: _, ...p }) => p,
      ) as Case
      const gone = { ...c.world, policies: c.world.policies.slice(1) }
      const still = unlike(own(without), own(expiring(pick(random, [0, 1, hour]))))
      return still || unlike(decide(gone, c.question), own(expiring(-1)))
    })
  })
})

describe('groups', () => {
  // covers: M50
  test('a described group may be replaced by what it holds', () => {
    holds((c) => {
      const { policies, permissionsGroups, resourceGroups } = c.written.world
      const sets = new Map(permissionsGroups.map(({ urn, permissions }) => [urn, permissions]))
      const members = new Map(resourceGroups.map(({ urn, id, resources }) => [urn ?? `urn:v1:eu:resourceGroup:${id}`, resources]))
      const named = policies.flatMap((policy) => [...(policy.permissionsGroups ?? []), ...policy.resources]).map(({ urn }) => urn)
      if (!named.some((urn) => sets.has(urn) || members.has(urn))) return undefined
      // A member that is named by its number, or is not described, is left to the group.
      const isPlain = (urn: string) => members.get(urn)?.every((resource) => resource.urn !== undefined) ?? false
      const expanded = (policy: PolicyJson): PolicyJson[] => {
        const { permissionsGroups: given = [], ...rest } = policy
        const resources = policy.resources.flatMap(({ urn }) =>
          isPlain(urn) ? (members.get(urn) ?? []).map((resource) => ({ urn: resource.urn as string })) : [{ urn }],
        )
        const open = given.filter(({ urn }) => !sets.has(urn))
        return [
          { ...rest, resources, ...(open.length > 0 && { permissionsGroups: open }) },
          ...given.flatMap(({ urn }) => {
            const permissions = sets.get(urn)
            return permissions ? [{ ...rest, resources, permissions }] : []
          }),
        ]
      }
      return unlike(
        own(c),
        withWorld(c, (world) => ({ ...world, policies: world.policies.flatMap(expanded) })),
      )
    }, 0.2)
  })
})

describe('the entries that a decision names', () => {
  const decided =
    (law: (c: Case, before: Decision) => string): Law =>
    (c) => {
      const before = own(c)
      return before.reason === 'granted' || before.reason === 'denied' ? law(c, before) : undefined
    }
  const withOnly = (c: Case, isKept: (name: string) => boolean) =>
    decide({ ...c.world, policies: c.world.policies.filter(({ name }) => isKept(name.value)) }, c.question)
  const namesIn = ({ clauses }: Decision) => new Set(clauses.map(({ policy }) => policy.name.value))

  // covers: M51
  test('are enough: their policies alone decide the same', () => {
    holds(
      decided((c, before) => {
        const names = namesIn(before)
        return unlike(
          before,
          withOnly(c, (name) => names.has(name)),
        )
      }),
      0.2,
    )
  })

  // covers: M51
  test('are needed: without their policies nothing decides so whatever is missing', () => {
    holds(
      decided((c, before) => {
        const names = namesIn(before)
        const policies = c.world.policies.filter(({ name }) => !names.has(name.value))
        // Not `decide`: entries that each depend on a missing fact may decide so together. They are left out next to one that is sure.
        const { reason } = combine(traces({ ...c.world, policies }, c.question))
        return reason === before.reason ? `still ${reason}` : ''
      }),
      0.2,
    )
  })
})
