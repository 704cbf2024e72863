import { describe, expect, test } from 'vitest'
import { isSameAccess, lockOf } from '../../src/lock/lock.ts'
import { readLock } from '../../src/lock/read.ts'
import { defaultSettings } from '../../src/names.ts'
import type { World } from '../../src/policy.ts'
import { decide } from '../../src/simulate/decide.ts'
import { sourceOf } from '../../src/source.ts'
import { emptyWorld } from '../../src/world.ts'
import { families, tryEverything } from '../support/analysis-oracle.ts'
import { effort } from '../support/effort.ts'
import {
  type ConditionJson,
  generate,
  type PolicyJson,
  pick,
  questionOf,
  type Random,
  randomOf,
  shuffled,
  take,
  type WorldJson,
  worldOf,
} from '../support/worlds.ts'

async function reread(text: string): Promise<World> {
  const { world, diagnostics } = await readLock(sourceOf('grantwise.lock', text), defaultSettings)
  if (!world) throw new Error(`${JSON.stringify(diagnostics.map(({ message }) => message))}\n${text}`)
  return world
}

function textOf(world: World): string {
  const { text, culprits } = lockOf(world)
  if (text === undefined) throw new Error(`no lockfile: ${culprits.join(', ')}`)
  return text
}

function shown(written: WorldJson, text: string): string {
  return `${JSON.stringify(written, undefined, 1)}\n${text}`
}

/** The contents of a lockfile: policies and the groups they name, without who is in which group. */
function withoutIdentities({ policies, permissionsGroups, resourceGroups }: World): World {
  return { ...emptyWorld, policies, permissionsGroups, resourceGroups }
}

/** Policies that say the same: in another order, under other names, doubled, cut in pieces. */
function rewritten(world: WorldJson, random: Random): WorldJson {
  const half = <T>(list: readonly T[]): T[][] => {
    const at = Math.floor(random() * (list.length + 1))
    return [list.slice(0, at), list.slice(at)].filter((part) => part.length > 0)
  }
  const pieces = (policy: PolicyJson): PolicyJson[] => {
    const name = `policy ${Math.floor(random() * 1e6)}`
    switch (Math.floor(random() * 4)) {
      case 0:
        return half(policy.identities).map((identities) => ({ ...policy, name, identities: shuffled(random, identities) }))
      case 1:
        return half(policy.resources).map((resources) => ({ ...policy, name, resources: shuffled(random, resources) }))
      case 2: {
        const { allow = [], except, deny = [] } = policy.permissions
        const { permissionsGroups: _, ...own } = policy
        return [
          ...half(allow).map((part) => ({ ...own, name, permissions: { allow: part, ...(except && { except }) } })),
          ...half(deny).map((part) => ({ ...own, name, permissions: { deny: part } })),
          ...(policy.permissionsGroups ? [{ ...policy, name, permissions: {} }] : []),
        ]
      }
      default:
        return [policy, { ...policy, name }]
    }
  }
  return { ...world, policies: shuffled(random, world.policies.flatMap(pieces)) }
}

test('the lockfile says what the policies say, and is the same for the same said otherwise', async () => {
  const random = randomOf(11)
  let allowed = 0
  for (let i = 0; i < effort(120, 30); i++) {
    const { world: written, questions } = generate(random, 6)
    const world = withoutIdentities(worldOf(written))
    const text = textOf(world)
    const locked = await reread(text)
    expect(isSameAccess(world, locked), shown(written, text)).toBe('same')
    expect(textOf(locked), shown(written, text)).toBe(text)
    for (const each of questions) {
      const [before, after] = [world, locked].map((of) => decide(of, questionOf(each)).verdict)
      expect(after, `${JSON.stringify(each)}\n${shown(written, text)}`).toBe(before)
      if (before === 'allow') allowed++
    }
  }
  expect(allowed).toBeGreaterThan(effort(60, 30))
})

// covers: M50
test('groups that are described are replaced by what they hold, others are there by their names', async () => {
  const identities = ['urn:v1:eu:identity:group:ab12-svc/ops']
  const described: WorldJson = {
    policies: [
      {
        name: 'p',
        identities,
        resources: [{ urn: 'urn:v1:eu:resourceGroup:known' }, { urn: 'urn:v1:eu:resourceGroup:unknown' }],
        permissions: {},
        permissionsGroups: [{ urn: 'urn:v1:eu:permissionsGroup:svc:known' }, { urn: 'urn:v1:eu:permissionsGroup:svc:unknown' }],
      },
    ],
    permissionsGroups: [
      {
        urn: 'urn:v1:eu:permissionsGroup:svc:known',
        name: 'known',
        permissions: { allow: [{ action: 'vps:*' }], except: [{ action: 'vps:apisvc:terminate' }] },
      },
    ],
    resourceGroups: [{ urn: 'urn:v1:eu:resourceGroup:known', name: 'known', resources: [{ urn: 'urn:v1:eu:resource:vps:vps-1' }] }],
    resources: [],
    identities: [{ urn: 'urn:v1:eu:identity:user:ab12-svc/ann', groups: identities }],
  }
  const resources = [{ urn: 'urn:v1:eu:resource:vps:vps-1' }, { urn: 'urn:v1:eu:resourceGroup:unknown' }]
  const expanded: WorldJson = {
    ...described,
    permissionsGroups: [],
    resourceGroups: [],
    policies: [
      {
        name: 'q',
        identities,
        resources,
        permissions: { allow: [{ action: 'vps:*' }], except: [{ action: 'vps:apisvc:terminate' }] },
      },
      { name: 'r', identities, resources, permissions: {}, permissionsGroups: [{ urn: 'urn:v1:eu:permissionsGroup:svc:unknown' }] },
    ],
  }
  const text = textOf(worldOf(described))
  expect(text).toBe(textOf(worldOf(expanded)))
  expect(text).not.toMatch(/[^n]known|ann/)
  expect(isSameAccess(worldOf(described), await reread(text))).toBe('same')
})

test('a deny is left out of what it meets, and stays where that is not all', () => {
  const policy = (identity: string, name: string, permissions: PolicyJson['permissions'], id = 'vps:*'): PolicyJson => ({
    name: 'p',
    identities: [`urn:v1:eu:identity:${identity}:ab12-svc/${name}`],
    resources: [{ urn: `urn:v1:eu:resource:${id}` }],
    permissions,
  })
  const written = (...policies: PolicyJson[]) => textOf(worldOf({ policies }))
  const [allow, deny] = [[{ action: 'vps:*' }], [{ action: 'vps:apisvc:terminate' }]]
  const except = { allow, except: deny }
  // The same user, or all users: nothing is left of the deny.
  expect(written(policy('user', 'ann', { allow }), policy('user', '*', { deny }, '*'))).toBe(written(policy('user', 'ann', except)))
  // Another user, another product, nothing allowed: it takes nothing.
  expect(written(policy('user', 'ann', { allow }), policy('user', 'bob', { deny }))).toBe(written(policy('user', 'ann', { allow })))
  expect(written(policy('user', 'ann', { allow }), policy('user', 'ann', { deny: [{ action: 'dns:*' }] }))).toBe(
    written(policy('user', 'ann', { allow })),
  )
  expect(written(policy('user', 'ann', { deny }))).toMatch(/^policies: \[\]$/m)
  // All that is allowed: nothing is left of the allow.
  expect(written(policy('user', 'ann', { allow: deny, deny: allow }))).toMatch(/^policies: \[\]$/m)
  // One of the servers, or a user who may be in the group: it stays.
  expect(written(policy('user', 'ann', { allow }), policy('user', 'ann', { deny }, 'vps:vps-1'))).toContain('name: deny')
  expect(written(policy('group', 'ops', { allow }), policy('user', 'ann', { deny }))).toContain('name: deny')
})

test('what ends at the same instant as what says more is left out, and what ends later is not', () => {
  const policy = (permissions: PolicyJson['permissions'], expiredAt?: string, id = '*'): PolicyJson => ({
    name: 'p',
    identities: ['urn:v1:eu:identity:user:ab12-svc/ann'],
    resources: [{ urn: `urn:v1:eu:resource:vps:${id}` }],
    permissions,
    ...(expiredAt && { expiredAt }),
  })
  const written = (...policies: PolicyJson[]) => textOf(worldOf({ policies }))
  const [wide, narrow] = [[{ action: 'vps:*' }], [{ action: 'vps:apisvc:terminate' }]]
  const [noon, same, later] = ['2026-12-01T12:00:00Z', '2026-12-01T14:00:00+02:00', '2026-12-01T12:00:01Z']
  const alone = written(policy({ allow: wide }, noon))
  for (const end of [noon, same]) {
    // In one policy or in two: the narrower says nothing more.
    expect(written(policy({ allow: wide }, noon), policy({ allow: narrow }, end))).toBe(alone)
    expect(written(policy({ allow: [...narrow, ...wide] }, end))).toBe(alone)
    // A deny that ends with what it is about is taken from it.
    const rest = written(policy({ allow: wide, except: narrow }, noon))
    expect(written(policy({ allow: wide }, noon), policy({ deny: narrow }, end))).toBe(rest)
    expect(written(policy({ allow: wide }, end), policy({ deny: narrow }, later))).toBe(rest)
    // Access that one excepts and another grants until then is granted.
    expect(written(policy({ allow: wide, except: narrow }, noon), policy({ allow: narrow }, end))).toBe(alone)
    // Of two resources, they are one policy.
    expect(written(policy({ allow: wide }, noon, 'a'), policy({ allow: wide }, end, 'b')).match(/expiredAt/g)).toHaveLength(1)
  }
  expect(written(policy({ allow: wide }, noon, 'a'), policy({ allow: wide }, later, 'b')).match(/expiredAt/g)).toHaveLength(2)
  expect(written(policy({ allow: wide }, noon), policy({ allow: narrow }, later))).toContain('expiredAt: "2026-12-01T12:00:01Z"')
  expect(written(policy({ allow: wide }, later), policy({ deny: narrow }, noon))).toContain('name: deny')
})

test('policies in another order, under other names, doubled or cut in pieces give the same bytes', () => {
  const random = randomOf(12)
  for (let i = 0; i < effort(500, 30); i++) {
    const { world } = generate(random, 0)
    const other = rewritten(world, random)
    expect(textOf(worldOf(other)), shown(world, JSON.stringify(other, undefined, 1))).toBe(textOf(worldOf(world)))
  }
})

test('an edit is found out exactly when it changes access', async () => {
  const found = { same: 0, changed: 0 }
  const random = randomOf(13)
  for (const { worlds, pairs } of take(effort(25, 4), families(random, { policies: 4, unknown: 0 }, 4))) {
    const alone = worlds.map((world): WorldJson => ({ ...world, identities: [] }))
    const read = alone.map((world) => worldOf(world))
    const locked = await Promise.all(read.map((world) => reread(textOf(world))))
    for (const [i, j] of pairs) {
      const [a, b] = [alone[i] as WorldJson, alone[j] as WorldJson]
      const [there, back] = [tryEverything(a, b, 60).kind, tryEverything(b, a, 60).kind]
      const answer = isSameAccess(read[j] as World, locked[i] as World)
      if (there === 'new' || back === 'new') {
        expect(answer, shown(a, JSON.stringify(b, undefined, 1))).toBe('changed')
        // Given up early, it is never taken for the same.
        expect(isSameAccess(read[j] as World, locked[i] as World, 0)).not.toBe('same')
      }
      if (there === 'none' && back === 'none') expect(answer, shown(a, JSON.stringify(b, undefined, 1))).toBe('same')
      if (typeof answer === 'string') found[answer]++
    }
  }
  expect(found.same).toBeGreaterThan(15)
  expect(found.changed).toBeGreaterThan(effort(30, 30))
})

test('unknown facts count as they do for the policies', async () => {
  const found = { same: 0, changed: 0 }
  const random = randomOf(15)
  for (const { worlds, pairs } of take(effort(40, 4), families(random, { policies: 4, unknown: 0.15 }, 4))) {
    const read = worlds.map((world) => worldOf(world))
    const locked = await Promise.all(read.map((world) => reread(textOf(world))))
    for (const [i, j] of pairs) {
      const [a, b] = [read[i] as World, read[j] as World]
      const answer = isSameAccess(b, locked[i] as World)
      expect(answer, shown(worlds[i] as WorldJson, JSON.stringify(worlds[j], undefined, 1))).toBe(isSameAccess(b, a))
      if (typeof answer === 'string') found[answer]++
    }
  }
  expect(found.same).toBeGreaterThan(15)
  expect(found.changed).toBeGreaterThan(effort(30, 30))
})

describe('conditions', () => {
  const leaves: readonly (readonly [key: string, value: string])[] = [
    ['resource.Tag(env)', 'prod'],
    ['resource.Tag(env).STARTS_WITH', 'p'],
    ['resource.Name.IN', 'b, a,a'],
    ['resource.Type', 'vps'],
    ['request.IP.IN_RANGE', '192.0.2.7/24'],
    ['request.IP.IN', '::1,192.0.2.1'],
    ['date(Europe/Paris).Hour.LE', '17'],
    ['date.WeekDay.GT', 'friday'],
    ['date(UTC).Date.AFTER', '2027-01-31'],
    ['resource.Colour', 'red: "#1"'],
  ]
  const policy = (conditions: ConditionJson): PolicyJson => ({
    name: 'p',
    identities: ['urn:v1:eu:identity:user:ab12-svc/ann'],
    resources: [{ urn: 'urn:v1:eu:resource:*' }],
    permissions: { allow: [{ action: 'vps:*' }] },
    conditions,
  })
  const match = ([key, value]: readonly [string, string]): ConditionJson => ({ operator: 'MATCH', values: { [key]: value } })
  const tree = (random: Random, depth: number): ConditionJson =>
    depth === 0 || random() < 0.3
      ? match(pick(random, leaves))
      : {
          operator: pick(random, ['AND', 'OR', 'NOT']),
          conditions: Array.from({ length: 1 + Math.floor(random() * 2) }, () => tree(random, depth - 1)),
        }
  /** The same condition, spelled otherwise. */
  const respelled = (condition: ConditionJson, random: Random): ConditionJson => {
    const { operator, conditions = [] } = condition
    const not = (...each: ConditionJson[]): ConditionJson => ({ operator: 'NOT', conditions: each })
    const inner = shuffled(
      random,
      conditions.map((each) => respelled(each, random)),
    )
    switch (Math.floor(random() * 4)) {
      case 0:
        return not(not(operator === 'MATCH' ? condition : { operator, conditions: inner }))
      case 1:
        return operator === 'AND'
          ? not(...inner.map((each) => not(each)))
          : operator === 'OR'
            ? not({ operator: 'AND', conditions: inner.map((each) => not(each)) })
            : { operator: 'AND', conditions: [condition] }
      case 2:
        return { operator: 'OR', conditions: [condition, operator === 'MATCH' ? condition : { operator, conditions: inner }] }
      default:
        return operator === 'MATCH' ? condition : { operator, conditions: [...inner, ...inner.slice(0, 1)] }
    }
  }

  test('are written in one way, however they are spelled', async () => {
    const random = randomOf(14)
    for (let i = 0; i < effort(600, 30); i++) {
      const condition = tree(random, 3)
      const world = worldOf(policy(condition))
      const text = textOf(world)
      const other = respelled(condition, random)
      expect(textOf(worldOf(policy(other))), JSON.stringify([condition, other])).toBe(text)
      if (i % 2 === 0) expect(isSameAccess(world, await reread(text)), JSON.stringify(condition)).toBe('same')
    }
  })

  test.each<[string, ConditionJson, ConditionJson]>([
    ['no later than is before the next', match(['date.Hour.LE', '17']), match(['date(UTC).Hour.LT', '18'])],
    [
      'not before is after',
      { operator: 'NOT', conditions: [match(['date.Date.BEFORE', '2027-01-01'])] },
      match(['date.Date.AFTER', '2027-01-01']),
    ],
    [
      'either of two is a list',
      { operator: 'OR', conditions: [match(['resource.Name', 'b']), match(['resource.Name', 'a'])] },
      match(['resource.Name.IN', 'a,b']),
    ],
    ['a block of one address is an address', match(['request.IP.IN_RANGE', '192.0.2.1/32']), match(['request.IP', '192.0.2.1'])],
    [
      'one of them is enough',
      {
        operator: 'OR',
        conditions: [
          match(['resource.Tag(a)', '1']),
          { operator: 'AND', conditions: [match(['resource.Tag(a)', '1']), match(['resource.Tag(b)', '2'])] },
        ],
      },
      match(['resource.Tag(a)', '1']),
    ],
  ])('%s', (_, one, other) => {
    expect(textOf(worldOf(policy(one)))).toBe(textOf(worldOf(policy(other))))
    expect(textOf(worldOf(policy(one)))).toContain('    conditions:\n')
  })

  test('that are not understood stay as they are written, nested as deep as they are', async () => {
    let deep: ConditionJson = match(['resource.Tag(env)', 'prod'])
    for (let i = 0; i < 18; i++) deep = { operator: 'AND', conditions: [deep, match(['resource.Tag(k)', `${i}`])] }
    const odd: ConditionJson = { operator: 'XOR', conditions: [match(['resource.Tag(env)', 'é\t"\\ # : - \ud83d\ude00'])] }
    for (const condition of [deep, odd, { operator: 'NOT', conditions: [odd, match(['no: such "key"', '*'])] }]) {
      const world = worldOf(policy(condition))
      expect(isSameAccess(world, await reread(textOf(world))), JSON.stringify(condition)).toBe('same')
    }
  })

  test.each([
    ['names with commas are no list', { operator: 'OR', conditions: [match(['resource.Name', 'a,b']), match(['resource.Name', 'c'])] }],
    [
      'names with blanks around them are no list',
      { operator: 'OR', conditions: [match(['resource.Name', ' a']), match(['resource.Name', 'c'])] },
    ],
  ])('%s', async (_, condition) => {
    const world = worldOf(policy(condition))
    expect(isSameAccess(world, await reread(textOf(world)))).toBe('same')
  })

  test('that hold at every hour are left out', () => {
    expect(textOf(worldOf(policy(match(['date.Hour.LE', '23']))))).not.toContain('conditions')
    expect(textOf(worldOf(policy({ operator: 'NOT', conditions: [match(['date.Hour.LE', '23'])] })))).toMatch(/^policies: \[\]$/m)
  })

  test('that always hold are left out, and what never holds is too', () => {
    expect(textOf(worldOf(policy({ operator: 'AND', conditions: [] })))).not.toContain('conditions')
    expect(textOf(worldOf(policy({ operator: 'OR', conditions: [] })))).toMatch(/^policies: \[\]$/m)
  })
})

test.each(['*:*', '*:*:*', 'vps:*:*', 'vp*:*:*', '*s:*:*', 'vps:*:*:*'])(
  'an action `%s` is written as one that matches the same',
  async (action) => {
    const world = worldOf({
      policies: [
        {
          name: 'p',
          identities: ['urn:v1:eu:identity:user:ab12-svc/ann'],
          resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
          permissions: { allow: [{ action }] },
        },
      ],
    })
    expect(isSameAccess(world, await reread(textOf(world)))).toBe('same')
  },
)

test('a version that is no number is shown without what hides in it', async () => {
  const { diagnostics } = await readLock(sourceOf('grantwise.lock', 'grantwise-lock: "\u007f"\n', 'yaml'), defaultSettings)
  expect(diagnostics.map(({ message }) => message)).toEqual([expect.stringMatching(/^`"\\u\{7f\}"` is no version of the format/)])
})

test.each([
  ['grantwise-lock: 0\npolicies: []\n', /^`0` is no version of the format/],
  ['grantwise-lock: 1.5\npolicies: []\n', /^`1.5` is no version of the format/],
  ['grantwise-lock: 2\npolicies: []\n', /^the lockfile is in format 2/],
  ['grantwise-lock: 1\npolicies: []\n---\npolicies: []\n', /holds one list of `policies` and nothing else/],
  ['grantwise-lock: 1\npolicies: []\nmore: 1\n', /holds one list of `policies` and nothing else/],
  ['grantwise-lock: 1\n', /holds a list of `policies`/],
  ['grantwise-lock: 1\npolicies: {}\n', /holds a list of `policies`/],
  ['policies: []\n', /does not begin with/],
  ['grantwise-lock: 1\npolicies:\n  - name: a\n', /missing field/],
])('%j is no lockfile, and the help is to write it again', async (text, message) => {
  const { world, diagnostics } = await readLock(sourceOf('grantwise.lock', text, 'yaml'), defaultSettings)
  expect(world).toBeUndefined()
  expect(diagnostics[0]?.message).toMatch(message)
  for (const { help } of diagnostics) expect(help).toMatch(/remove (?:the file|this one)/)
})
