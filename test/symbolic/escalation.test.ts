import { describe, expect, test } from 'vitest'
import { loadCatalogue } from '../../src/actions/load.ts'
import { Budget } from '../../src/budget.ts'
import { readAddress } from '../../src/conditions/address.ts'
import { type Escalation, type Example, escalation, escalations } from '../../src/escalation/escalation.ts'
import { glob } from '../../src/glob.ts'
import type { World } from '../../src/policy.ts'
import { decide } from '../../src/simulate/decide.ts'
import { supposed } from '../../src/simulate/supposed.ts'
import { ActionsByType } from '../../src/symbolic/described.ts'
import { notBefore, satisfy, tooMany } from '../../src/symbolic/formula.ts'
import { questionAt } from '../../src/symbolic/witness.ts'
import { effort } from '../support/effort.ts'
import { type ConditionJson, type PolicyJson, pick, randomOf, worldOf } from '../support/worlds.ts'

const user = (name: string) => `urn:v1:eu:identity:user:ab12-svc/${name}`
const group = (name: string) => `urn:v1:eu:identity:group:ab12-svc/${name}`
const account = 'urn:v1:eu:resource:account:ab12-svc'
const server = 'urn:v1:eu:resource:vps:web-1'
const rights = 'urn:v1:eu:permissionsGroup:ab12-svc:rights'
const servers = 'urn:v1:eu:resourceGroup:4f0c8f0e-6d57-4c8b-9c2e-1f1a6b7d2c11'
const action = (path: string) => `account:apisvc:${path}`

interface Written {
  readonly who?: string
  readonly on?: string
  readonly allow?: readonly string[]
  readonly deny?: readonly string[]
  readonly more?: Partial<PolicyJson>
}

function policy({ who = user('bob'), on = account, allow = [], deny = [], more = {} }: Written, i: number): PolicyJson {
  const list = (actions: readonly string[]) => actions.map((each) => ({ action: each }))
  return {
    name: `p${i}`,
    identities: [who],
    resources: [{ urn: on }],
    permissions: { ...(allow.length > 0 && { allow: list(allow) }), ...(deny.length > 0 && { deny: list(deny) }) },
    ...more,
  }
}

const fromOffice: ConditionJson = { operator: 'MATCH', values: { 'request.IP.IN_RANGE': '203.0.113.0/24' } }
const tagged = (value: string, key = 'env'): ConditionJson => ({ operator: 'MATCH', values: { [`resource.Tag(${key})`]: value } })
const actions = new ActionsByType(loadCatalogue('svc'))

type Tags = Readonly<Record<string, string>>

function worldWith(policies: readonly Written[], tags: { readonly server?: Tags; readonly account?: Tags } = {}) {
  return worldOf({
    account: 'ab12-svc',
    policies: policies.map(policy),
    identities: [
      { urn: user('bob') },
      { urn: user('ann'), groups: [group('admins')] },
      { urn: user('joe'), groups: [group('interns')] },
      { urn: abroad('user', 'eve'), groups: [abroad('group', 'owners')] },
    ],
    resources: [
      { urn: server, tags: tags.server ?? {} },
      { urn: account, tags: tags.account ?? {} },
    ],
    resourceGroups: [{ urn: servers, name: 'servers', resources: [{ urn: server }] }],
    permissionsGroups: [{ urn: rights, name: 'rights', permissions: { allow: [{ action: 'vps:apisvc:get' }] } }],
  })
}

/** Denies everybody of a kind what gives more. */
const keeping = (kind: string): Written => ({
  who: `urn:v1:eu:identity:${kind}:ab12-svc/*`,
  deny: [action('iam/policy/edit'), action('iam/policy/delete'), action('me/changeEmail')],
})

const abroad = (kind: string, name: string) => `urn:v1:eu:identity:${kind}:cd34-svc/${name}`
const longAgo: ConditionJson = { operator: 'MATCH', values: { 'date(UTC).Date.BEFORE': '2020-01-01' } }

function escalationOf(policies: readonly Written[], from = '2026-01-01T00:00:00Z', who = user('bob')): Escalation {
  return escalation(worldWith(policies), who, {
    actions,
    brand: 'svc',
    time: notBefore(Date.parse(from)),
  })
}

test.each<[string, readonly Written[], readonly string[]]>([
  ['an action', [{ allow: [action('iam/newest/edit'), action('iam/policy/get')] }], [action('iam/newest/edit')]],
  ['a pattern over actions', [{ on: 'urn:v1:eu:resource:vps:*', allow: ['vps:newest:*', 'vps:apisvc:get'] }], ['vps:newest:*']],
  ['an action on any resource', [{ on: 'urn:v1:eu:resource:*', allow: ['newest:apisvc:get'] }], ['newest:apisvc:get']],
  ['an action that is denied', [{ allow: ['vps:newest:x'] }, { deny: ['vps:newest:*'] }], []],
  ['an action that only another identity has', [{ who: user('ann'), allow: ['vps:newest:x'] }], []],
])('which the catalogue does not have is not checked: %s', (_, policies, expected) => {
  const { reach, certain, notFollowed } = escalationOf(policies)
  const because = 'the catalogue has no such action: what it leads to is not known'
  expect({ reach, certain, notFollowed }).toEqual({
    reach: 'none',
    certain: expected.length === 0,
    notFollowed: expected.length === 0 ? [] : [{ actions: expected, because }],
  })
})

const admins: Written = { who: group('admins'), on: 'urn:v1:eu:resource:*', allow: ['*'] }
const pathOf = ({ path }: Escalation) => path.map((step) => step.action.replace('account:apisvc:', ''))

describe('escalate', () => {
  test.each<[string, readonly Written[], Escalation['reach'], readonly string[]]>([
    ['nothing', [{ allow: ['account:apisvc:iam/policy/get'] }], 'none', []],
    ['the edit of policies', [{ allow: [action('iam/policy/edit')] }], 'any', ['iam/policy/edit']],
    ['the edit of policies of something else', [{ on: server, allow: [action('iam/policy/edit')] }], 'none', []],
    ['the edit of policies, denied', [{ allow: [action('iam/policy/*')] }, { deny: [action('iam/*')] }], 'none', []],
    ['new policies', [{ allow: [action('iam/policy/create')] }], 'any', ['iam/policy/create']],
    [
      'new policies where a deny keeps the rest from everybody',
      [{ allow: [action('iam/policy/create')] }, ...['user', 'credential', 'group'].map(keeping)],
      'undenied',
      ['iam/policy/create'],
    ],
    [
      'new policies where a deny keeps the rest from users',
      [{ allow: [action('iam/policy/create')] }, keeping('user')],
      'any',
      ['iam/policy/create', 'me/api/oauth2/client/create', 'iam/policy/edit'],
    ],
    [
      'the delete of policies where nobody can delete the one that denies',
      [
        { allow: [action('iam/policy/delete'), 'vps:apisvc:get'], on: 'urn:v1:eu:resource:*' },
        { on: server, deny: ['vps:apisvc:get'], more: { readOnly: true } },
      ],
      'none',
      [],
    ],
    [
      'a policy that grants what it denies itself',
      [
        { allow: [action('iam/policy/delete')] },
        { on: server, allow: ['vps:apisvc:get'], deny: ['vps:apisvc:get'] },
        { on: server, deny: ['vps:apisvc:get'] },
      ],
      'none',
      [],
    ],
    [
      'a permissions group in a policy that never applies again',
      [
        { allow: [action('iam/permissionsGroup/edit')] },
        { on: server, more: { permissionsGroups: [{ urn: rights }], conditions: longAgo } },
      ],
      'none',
      [],
    ],
    [
      'a resource group in a policy that never applies again',
      [{ allow: [action('iam/resourceGroup/edit')] }, { on: servers, allow: ['vps:apisvc:get'], more: { conditions: longAgo } }],
      'none',
      [],
    ],
    [
      'a resource group over which it may do what it may do anyway',
      [
        { allow: [action('iam/resourceGroup/edit')] },
        { on: servers, allow: ['vps:apisvc:get'] },
        { on: 'urn:v1:eu:resource:vps:*', allow: ['vps:apisvc:get'] },
      ],
      'none',
      [],
    ],
    [
      'a token of a user of another account',
      [{ allow: [action('me/identity/user/token/create')] }, { who: abroad('user', 'eve'), on: server, allow: ['vps:apisvc:get'] }],
      'none',
      [],
    ],
    [
      'its own membership where the group is one of another account',
      [{ allow: [action('me/identity/user/edit')] }, { who: abroad('group', 'owners'), on: server, allow: ['vps:apisvc:get'] }],
      'none',
      [],
    ],
    [
      'new users where the group is one of another account',
      [{ allow: [action('me/identity/user/create')] }, { who: abroad('group', 'owners'), on: server, allow: ['vps:apisvc:get'] }],
      'none',
      [],
    ],
    [
      'a deny through its only group, which it can leave, and through all others',
      [
        { who: user('joe'), allow: [action('me/identity/user/edit'), action('iam/policy/edit')] },
        { who: group('*'), deny: [action('iam/*')] },
      ],
      'any',
      ['me/identity/user/edit', 'iam/policy/edit'],
    ],
    [
      'tokens, and the edit of users, where a deny holds only by name',
      [
        { allow: [action('me/identity/user/edit'), action('me/identity/user/token/create')] },
        { who: group('ops'), on: 'urn:v1:eu:resource:*', allow: ['*'] },
        {
          on: 'urn:v1:eu:resource:*',
          deny: [
            action('iam/*'),
            action('me/changeEmail'),
            action('me/api/*'),
            action('me/identity/group/*'),
            action('me/identity/user/create'),
            action('me/identity/provider/*'),
          ],
        },
      ],
      'any',
      ['me/identity/user/edit', 'me/identity/user/token/create', 'iam/policy/edit'],
    ],
    [
      'a membership in a group whose policy names a permissions group that it can edit',
      [
        { allow: [action('me/identity/user/edit'), action('iam/permissionsGroup/edit')] },
        { who: group('ops'), on: server, more: { permissionsGroups: [{ urn: rights }] } },
        { on: server, allow: ['vps:apisvc:get'] },
      ],
      'more',
      ['me/identity/user/edit', 'iam/permissionsGroup/edit'],
    ],
    [
      'new users where a pattern over users grants something to a new name alone',
      [{ allow: [action('me/identity/user/create')] }, { who: user('adm-*'), on: server, allow: ['vps:apisvc:get'] }],
      'more',
      ['me/identity/user/create'],
    ],
    [
      'tokens where only a pattern over resources says what users may do',
      [{ allow: [action('me/identity/user/token/create')] }, { who: user('ann'), on: 'urn:v1:eu:resource:ip:*', allow: ['ip:apisvc:get'] }],
      'more',
      ['me/identity/user/token/create'],
    ],
    [
      'a deny that it can delete',
      [{ allow: [action('iam/policy/edit'), action('iam/policy/delete')] }, { deny: [action('iam/policy/edit')] }],
      'any',
      ['iam/policy/delete', 'iam/policy/edit'],
    ],
    [
      'a deny over other rights that it can delete',
      [{ allow: [action('iam/policy/delete')] }, { on: server, allow: ['vps:*'] }, { on: server, deny: ['vps:apisvc:reboot'] }],
      'more',
      ['iam/policy/delete'],
    ],
    ['its own membership', [{ allow: [action('me/identity/user/edit')] }, admins], 'any', ['me/identity/user/edit', 'iam/policy/edit']],
    [
      'its own membership in a group with some rights',
      [{ allow: [action('me/identity/user/edit')] }, { who: group('ops'), on: server, allow: ['vps:apisvc:reboot'] }],
      'more',
      ['me/identity/user/edit'],
    ],
    [
      'a further membership',
      [{ allow: [action('me/identity/group/user/add')] }, admins],
      'any',
      ['me/identity/group/user/add', 'iam/policy/edit'],
    ],
    [
      'a further membership, where what it may do has to be kept',
      [
        { allow: [action('me/identity/group/user/add')] },
        { who: group('admins'), on: server, allow: ['vps:apisvc:get'] },
        { on: server, deny: ['vps:apisvc:reboot'] },
      ],
      'more',
      ['me/identity/group/user/add'],
    ],
    [
      'a further membership in a group of another account',
      [{ allow: [action('me/identity/group/user/add')] }, { who: abroad('group', 'owners'), on: server, allow: ['vps:apisvc:get'] }],
      'none',
      [],
    ],
    ['its own membership where no group has more', [{ allow: [action('me/identity/user/edit')] }], 'none', []],
    [
      'its own membership, though it is denied by name',
      [
        { allow: [action('me/identity/user/edit')] },
        admins,
        { on: 'urn:v1:eu:resource:*', deny: [action('iam/*'), action('me/identity/group/*')] },
      ],
      'any',
      ['me/identity/user/edit', 'me/changeEmail'],
    ],
    [
      'tokens of users',
      [{ allow: [action('me/identity/user/token/create')] }, admins],
      'any',
      ['me/identity/user/token/create', 'iam/policy/edit'],
    ],
    [
      'a permissions group that grants it something on the account',
      [{ allow: [action('iam/permissionsGroup/edit')] }, { more: { permissionsGroups: [{ urn: rights }] } }],
      'any',
      ['iam/permissionsGroup/edit', 'iam/policy/edit'],
    ],
    [
      'a permissions group that grants it something on servers',
      [{ allow: [action('iam/permissionsGroup/edit')] }, { on: server, more: { permissionsGroups: [{ urn: rights }] } }],
      'more',
      ['iam/permissionsGroup/edit'],
    ],
    [
      'a resource group over which it may do everything',
      [{ allow: [action('iam/resourceGroup/edit')] }, { on: servers, allow: ['*'] }],
      'any',
      ['iam/resourceGroup/edit', 'iam/policy/edit'],
    ],
    ['a permissions group that no policy of it names', [{ allow: [action('iam/permissionsGroup/edit')] }], 'none', []],
    [
      'service accounts that a pattern grants something',
      [
        { allow: [action('me/api/oauth2/client/create')] },
        { who: 'urn:v1:eu:identity:credential:ab12-svc/oauth2-*', allow: [action('iam/policy/edit')] },
      ],
      'any',
      ['me/api/oauth2/client/create', 'iam/policy/edit'],
    ],
    [
      'tags that a grant looks at',
      [{ allow: [action('iam/resource/tag/add')] }, { on: server, allow: ['vps:apisvc:reboot'], more: { conditions: tagged('dev') } }],
      'more',
      ['iam/resource/tag/add'],
    ],
    [
      'tags that a deny looks at, where they cannot be removed',
      [
        { allow: [action('iam/resource/tag/remove')] },
        { on: server, allow: ['vps:apisvc:reboot'] },
        { on: server, deny: ['*'], more: { conditions: { operator: 'NOT', conditions: [tagged('dev')] } } },
      ],
      'none',
      [],
    ],
    [
      'tags of the account that a grant looks at',
      [{ allow: [action('iam/resource/edit')] }, { allow: [action('iam/policy/edit')], more: { conditions: tagged('dev') } }],
      'any',
      ['iam/resource/edit', 'iam/policy/edit'],
    ],
    [
      'tags that the service computes',
      [
        { allow: [action('iam/resource/edit')] },
        { on: server, allow: ['vps:apisvc:reboot'], more: { conditions: tagged('dev', 'svc:env') } },
      ],
      'none',
      [],
    ],
    [
      'new resource groups where a policy is about all of them',
      [{ allow: [action('iam/resourceGroup/create')] }, { on: 'urn:v1:eu:resourceGroup:*', allow: ['*'] }],
      'any',
      ['iam/resourceGroup/create', 'iam/policy/edit'],
    ],
    [
      'new resource groups where policies are about one',
      [{ allow: [action('iam/resourceGroup/create')] }, { on: servers, allow: ['vps:apisvc:get'] }],
      'none',
      [],
    ],
  ])('%s', (_, policies, reach, path) => {
    const found = escalationOf(policies, undefined, policies[0]?.who)
    expect({ reach: found.reach, path: pathOf(found) }).toEqual({ reach, path })
    expect(found.certain).toBe(true)
  })

  test('says when a step is possible, and counts no policy that has expired', () => {
    const conditional = escalationOf([{ allow: [action('iam/policy/edit')], more: { conditions: fromOffice } }])
    expect(conditional).toMatchObject({ reach: 'any', certain: true, path: [{ condition: { kind: 'test' } }] })
    const expired = { allow: [action('iam/policy/edit')], more: { expiredAt: '2026-01-01T00:00:00Z' } }
    expect(escalationOf([expired], '2025-12-31T00:00:00Z').reach).toBe('any')
    expect(escalationOf([expired], '2026-01-02T00:00:00Z').reach).toBe('none')
  })

  test('is not certain where a permissions group of the service is not known', () => {
    const unknown = 'urn:v1:eu:permissionsGroup:svc:globalAdmin'
    expect(escalationOf([{ more: { permissionsGroups: [{ urn: unknown }] } }])).toMatchObject({ reach: 'any', certain: false })
  })

  test.each<[string, string, readonly string[], Escalation['reach'], readonly string[]]>([
    ['a tag', 'env', ['iam/resource/tag/remove'], 'more', ['iam/resource/tag/remove']],
    ['a tag whose key begins like one that is computed', 'svcs:env', ['iam/resource/tag/remove'], 'more', ['iam/resource/tag/remove']],
    ['a computed tag', 'svc:env', ['iam/resource/tag/remove'], 'none', []],
    ['a computed tag, by the edit of all tags', 'svc:env', ['iam/resource/edit'], 'none', []],
    ['a computed tag, by the other actions over tags', 'svc:env', ['iam/resource/tag/remove', 'iam/resource/tag/add'], 'none', []],
  ])('removes %s that a deny looks at, or does not', (_, key, powers, reach, path) => {
    const policies: readonly Written[] = [
      { allow: powers.map(action) },
      { on: server, allow: ['vps:apisvc:reboot'] },
      { on: server, deny: ['*'], more: { conditions: tagged('dev', key) } },
    ]
    const time = notBefore(Date.parse('2026-01-01T00:00:00Z'))
    const found = escalation(worldWith(policies, { server: { [key]: 'dev' } }), user('bob'), { actions, brand: 'svc', time })
    expect({ reach: found.reach, certain: found.certain, path: pathOf(found) }).toEqual({ reach, certain: true, path })
  })

  test('is not certain where an action over tags is allowed on the resource alone', () => {
    const found = escalationOf([
      { on: server, allow: [action('iam/resource/tag/add')] },
      { on: server, allow: ['vps:apisvc:reboot'], more: { conditions: tagged('dev') } },
    ])
    expect(found).toMatchObject({ reach: 'more', certain: false, path: [{ resource: server }] })
  })

  test('follows control over a resource that acts as an identity', () => {
    const policies = [{ on: server, allow: ['vps:apisvc:reinstall'] }, admins]
    const runsAs = [{ resource: glob('urn:v1:eu:resource:vps:web-*'), identity: user('ann') }]
    const found = escalation(worldWith(policies), user('bob'), { actions, brand: 'svc', runsAs })
    expect(found).toMatchObject({ reach: 'any', certain: true, path: [{ resource: server }, { resource: account, as: user('ann') }] })
    const without = escalation(worldWith(policies), user('bob'), { actions, brand: 'svc' })
    expect(without).toMatchObject({ reach: 'none', certain: false, notFollowed: [{ actions: ['vps:apisvc:reinstall'] }] })
  })

  test('begins a path at the identity where resources run as each other', () => {
    const ci = (name: string) => `urn:v1:eu:identity:credential:ab12-svc/oauth2-${name}`
    const [first, second] = ['urn:v1:eu:resource:vps:a', 'urn:v1:eu:resource:vps:b']
    const policies: Written[] = [
      { on: first, allow: ['vps:apisvc:reinstall'] },
      { who: ci('a'), on: second, allow: ['vps:apisvc:reinstall'] },
      { who: ci('b'), allow: [action('iam/policy/edit')] },
    ]
    const runsAs = [first, second].map((urn, i) => ({ resource: glob(urn as string), identity: ci(i === 0 ? 'a' : 'b') }))
    const { path } = escalation(worldWith(policies), user('bob'), { actions, brand: 'svc', runsAs })
    expect(path.map((step) => [step.as, step.resource])).toEqual([
      [user('bob'), first],
      [ci('a'), second],
      [ci('b'), account],
    ])
  })

  test.each<[string, readonly Written[], readonly string[]]>([
    [
      'accounts under this one',
      [{ allow: [action('me/subAccount/*')] }],
      ['createConsumerKey', 'create', 'edit'].map((each) => action(`me/subAccount/${each}`)),
    ],
    ['credentials that exist', [{ allow: [action('me/sshKey/create')] }], [action('me/sshKey/create')]],
    [
      'rights inside products',
      [{ on: 'urn:v1:eu:resource:publicCloudProject:*', allow: ['publicCloudProject:apisvc:user/create'] }],
      ['publicCloudProject:apisvc:user/create'],
    ],
    ['control of resources', [{ on: server, allow: ['vps:apisvc:reinstall'] }], ['vps:apisvc:reinstall']],
    [
      'a role of a group where its groups are not described',
      [{ who: user('kim'), allow: [action('me/identity/group/edit')] }],
      [action('me/identity/group/edit')],
    ],
    [
      'a group that it may be in',
      [
        { who: user('kim'), on: server, allow: ['vps:apisvc:get'] },
        { who: group('ops'), on: server, allow: ['vps:apisvc:reboot'] },
      ],
      [],
    ],
  ])('does not say that there is no way where it does not follow %s', (_, policies, unchecked) => {
    const { reach, certain, notFollowed } = escalationOf(policies, undefined, policies[0]?.who)
    expect({ reach, certain }).toEqual({ reach: 'none', certain: false })
    expect(notFollowed.map(({ actions }) => [...actions].sort())).toEqual([[...unchecked].sort()])
  })

  test('says that there is no way where groups that are not described give nothing more', () => {
    const found = escalationOf(
      [
        { who: user('kim'), on: server, allow: ['vps:apisvc:get'] },
        { who: group('ops'), on: server, allow: ['vps:apisvc:get'] },
      ],
      undefined,
      user('kim'),
    )
    expect(found).toMatchObject({ reach: 'none', certain: true, notFollowed: [] })
  })

  const mood: ConditionJson = { operator: 'MATCH', values: { 'request.Mood': 'good' } }

  test.each([
    ['its own account', 'ab12-svc', 'more', ['iam/policy/delete']],
    ['another account', 'cd34-svc', 'none', []],
  ])('deletes the policies of %s, or does not', (_, owner, reach, path) => {
    const found = escalationOf([
      { allow: [action('iam/policy/delete'), 'vps:apisvc:get'], on: 'urn:v1:eu:resource:*' },
      { on: server, deny: ['vps:apisvc:get'], more: { owner } as object },
    ])
    expect({ reach: found.reach, certain: found.certain, path: pathOf(found) }).toEqual({ reach, certain: true, path })
  })

  test.each([
    ['its own account', 'ab12-svc', 'more', ['iam/resource/tag/add']],
    ['another account', 'cd34-svc', 'none', []],
  ])('tags a resource of %s, or does not', (_, owner, reach, path) => {
    const world = worldOf({
      account: 'ab12-svc',
      policies: [
        { allow: [action('iam/resource/tag/add')] },
        { on: server, allow: ['vps:apisvc:reboot'], more: { conditions: tagged('dev') } },
      ].map(policy),
      identities: [{ urn: user('bob'), groups: [] }],
      resources: [{ urn: server, owner, tags: {} }],
    })
    const found = escalation(world, user('bob'), { actions, brand: 'svc', time: notBefore(Date.parse('2026-01-01T00:00:00Z')) })
    expect({ reach: found.reach, path: pathOf(found) }).toEqual({ reach, path })
  })

  test('is not certain where a step is not, or where it acts as a user that may not be there', () => {
    const tokens: Written = { allow: [action('me/identity/user/token/create')] }
    const asUser = (name: string): Written => ({ who: user(name), on: server, allow: ['vps:apisvc:get'] })
    const path = ['me/identity/user/token/create']
    const found = (...policies: readonly Written[]) => {
      const { reach, certain, ...rest } = escalationOf(policies)
      return { reach, certain, path: pathOf(rest as Escalation) }
    }
    expect(found(tokens, asUser('ann'))).toEqual({ reach: 'more', certain: true, path })
    expect(found(tokens, asUser('adm-*'))).toEqual({ reach: 'more', certain: false, path })
    expect(found({ ...tokens, more: { conditions: mood } }, asUser('ann'))).toEqual({ reach: 'more', certain: false, path })
  })

  test('is not certain where a role of a further group, or the end of a membership, would count', () => {
    const joe = user('joe')
    const found = (...policies: readonly Written[]) => {
      const { reach, certain, ...rest } = escalationOf(
        policies.map((each) => ({ who: joe, ...each })),
        undefined,
        joe,
      )
      return { reach, certain, path: pathOf(rest as Escalation) }
    }
    const create = { allow: [action('me/identity/group/user/add'), action('me/identity/group/create')] }
    expect(found(create)).toMatchObject({ reach: 'any', certain: false })
    const [remove, servers] = [{ allow: [action('me/identity/group/user/remove')] }, { on: server, allow: ['vps:apisvc:reboot'] }]
    const path = ['me/identity/group/user/remove']
    expect(found(remove, servers, { who: group('interns'), on: server, deny: ['vps:apisvc:reboot'] })).toEqual({
      reach: 'more',
      certain: false,
      path,
    })
    expect(found(remove, servers)).toEqual({ reach: 'none', certain: true, path: [] })
  })

  test('takes a way that is certain before one that is not', () => {
    const found = escalationOf([{ allow: [action('iam/policy/edit')], more: { conditions: mood } }, { allow: [action('me/changeEmail')] }])
    expect({ reach: found.reach, certain: found.certain, path: pathOf(found) }).toEqual({
      reach: 'any',
      certain: true,
      path: ['me/changeEmail'],
    })
  })

  test('of identities that are left when the budget is used up, nothing is certain', () => {
    const run = new Budget(0)
    const found = escalations(worldWith([]), [user('bob'), user('ann')], { actions, brand: 'svc', run })
    expect(found.map(({ reach, certain, notFollowed }) => [reach, certain, notFollowed.length])).toEqual([
      ['none', false, 1],
      ['none', false, 1],
    ])
  })

  test('the account can do everything', () => {
    const root = 'urn:v1:eu:identity:account:ab12-svc'
    expect(escalation(worldWith([]), root, { actions, brand: 'svc' })).toMatchObject({ reach: 'any', path: [{ isRoot: true }] })
  })

  test('its first steps are what `can` allows, over generated policies', () => {
    const paths = ['iam/policy/edit', 'iam/policy/create', 'iam/policy/delete', 'me/identity/user/edit', 'iam/permissionsGroup/edit']
    const patterns = [...paths.map(action), action('iam/*'), action('iam/policy/*'), '*']
    const addresses = ['203.0.113.7', '192.0.2.1'].map((text) => readAddress(text))
    const random = randomOf(31)
    const seen = new Set<string>()
    for (let i = 0; i < effort(400, 10); i++) {
      const policies = Array.from({ length: 1 + Math.floor(random() * 4) }, (): Written => {
        const list = [pick(random, patterns)]
        return {
          who: pick(random, [user('bob'), user('*'), group('admins')]),
          on: pick(random, [account, 'urn:v1:eu:resource:*', server]),
          ...(random() < 0.7 ? { allow: list } : { deny: list }),
          ...(random() < 0.4 && { more: { conditions: fromOffice } }),
        }
      })
      const world = worldWith(policies)
      const found = escalation(world, user('bob'), { actions, brand: 'svc' })
      seen.add(found.reach)
      const can = (path: string) =>
        addresses.some((ip) => {
          const asked = { identity: user('bob'), action: action(path), resource: account, groups: [], at: 0 }
          return decide(world, { ...asked, ...(ip && { ip }) }).verdict === 'allow'
        })
      for (const path of paths) {
        const step = found.steps.find((each) => each.action === action(path))
        if (can(path)) expect({ policies, step: step?.certain }).toEqual({ policies, step: true })
        if (!step || step.after.length > 0) continue
        const model = satisfy([step.condition])
        if (model === undefined || model === tooMany) throw new Error(`no context for ${path}`)
        const question = questionAt({ identity: step.as, action: step.action, resource: step.resource }, model, {})
        expect(decide(world, question).verdict).toBe('allow')
      }
      if (can('iam/policy/edit')) expect(found.reach).toBe('any')
      if (found.reach !== 'none') expect(paths.some(can) || found.path[0]?.action).toBeTruthy()
    }
    expect([...seen].sort()).toEqual(expect.arrayContaining(['any', 'none']))
  })

  test('follows tags, memberships and tokens as far as every state that can be reached goes, over generated policies', () => {
    const random = randomOf(47)
    const seen = new Map<string, number>()
    for (let i = 0; i < effort(600, 10); i++) {
      const policies = Array.from({ length: 2 + Math.floor(random() * 4) }, (): Written => {
        const list = [pick(random, random() < 0.6 ? raising.map(action) : [...uses, 'vps:*', action('iam/resource/*')])]
        const condition = random() < 0.3 ? fromOffice : tagged(pick(random, ['prod', 'dev']))
        return {
          who: pick(random, [user('bob'), user('bob'), user('*'), group('ops'), group('ops'), group('admins')]),
          on: pick(random, ['urn:v1:eu:resource:*', account, server]),
          ...(random() < 0.75 ? { allow: list } : { deny: list }),
          ...(random() < 0.6 && { more: { conditions: random() < 0.3 ? { operator: 'NOT', conditions: [condition] } : condition } }),
        }
      })
      const tagsOf = (): Tags => pick(random, [{}, { env: 'prod' }, { env: 'dev' }])
      const tags = { server: tagsOf(), account: tagsOf() }
      const world = worldWith(policies, tags)
      const found = escalation(world, user('bob'), { actions, brand: 'svc' })
      const way = `${found.reach} ${found.certain}${found.example?.tags.length ? ' tags' : ''}${found.example?.groups ? ' groups' : ''}`
      seen.set(way, (seen.get(way) ?? 0) + 1)
      const context = JSON.stringify({ policies, tags, found: pathOf(found), gains: found.gains })
      if (reachesMore(world)) expect(found.reach, context).not.toBe('none')
      else expect(found.reach === 'more' && found.certain, context).toBe(false)
      const { example } = found
      if (!example || !found.certain) continue
      expect(decide(suppose(world, example), example.question).verdict, context).toBe('allow')
      expect(decide(world, { ...example.question, identity: user('bob') }).verdict, context).not.toBe('allow')
    }
    const ways = [...seen.keys()].sort()
    expect(ways).toEqual(expect.arrayContaining(['more true groups', 'more true tags', 'more true tags groups', 'none true']))
  })
})

const raising = [
  'iam/resource/tag/add',
  'iam/resource/tag/remove',
  'iam/resource/edit',
  'me/identity/user/edit',
  'me/identity/user/token/create',
]
const uses = ['vps:apisvc:reboot', 'vps:apisvc:get']

/** The world of an example, by the changes that `--member` and `--assume-tag` make. */
function suppose(world: World, { question, groups, tags }: Example): World {
  const own = world.identities.get(question.identity)?.groups ?? []
  const joins = groups?.filter((each) => !own.includes(each)) ?? []
  const leaves = groups ? own.filter((each) => !groups.includes(each)) : []
  const changed = supposed(world, {
    without: [],
    added: [],
    members: joins.length + leaves.length > 0 ? [{ identity: question.identity, joins, leaves }] : [],
    tags: tags.map(([key, value]) => ({ resource: question.resource, key, value })),
  })
  expect(changed.problems).toEqual([])
  return changed.world
}

/** Whether bob comes to do something that he may not do, by trying all that he may do in every state, one after the other. */
function reachesMore(world: World): boolean {
  interface State {
    readonly server: string | null
    readonly account: string | null
    readonly groups: readonly string[]
    readonly hasToken: boolean
  }
  const values = [null, 'prod', 'dev', 'other']
  const addresses = ['203.0.113.7', '192.0.2.1'].map((text) => readAddress(text))
  const targets = [...raising.map((path) => [action(path), account] as const), ...uses.map((each) => [each, server] as const)]
  const envOf = (urn: string) => world.resources.get(urn)?.tags?.get('env') ?? null
  const first: State = { server: envOf(server), account: envOf(account), groups: [], hasToken: false }
  const worldIn = (state: State): World => {
    const resources = new Map(world.resources)
    for (const [urn, value] of [[server, state.server] as const, [account, state.account] as const])
      resources.set(urn, { ...resources.get(urn), tags: new Map(value === null ? [] : [['env', value]]) } as never)
    const identities = new Map(world.identities)
    identities.set(user('bob'), { ...identities.get(user('bob')), groups: state.groups } as never)
    return { ...world, resources, identities }
  }
  const may = (at: World, who: string, [act, on]: readonly [string, string], ip: (typeof addresses)[number]) =>
    decide(at, { identity: who, action: act, resource: on, groups: [], at: 0, ...(ip && { ip }) }).verdict === 'allow'
  const start = worldIn(first)
  const done = new Set<string>()
  const left = [first]
  for (let state = left.pop(); state; state = left.pop()) {
    const key = JSON.stringify(state)
    if (done.has(key)) continue
    done.add(key)
    const now = worldIn(state)
    const actors = [user('bob'), ...(state.hasToken ? [user('ann')] : [])]
    for (const who of actors)
      for (const target of targets)
        for (const ip of addresses) if (may(now, who, target, ip) && !may(start, user('bob'), target, ip)) return true
    const can = (path: string) => actors.some((who) => addresses.some((ip) => may(now, who, [action(path), account], ip)))
    const [set, remove] = [can('iam/resource/tag/add'), can('iam/resource/tag/remove')]
    const edit = can('iam/resource/edit')
    const next = values.filter((value) => edit || (value === null ? remove : set))
    for (const value of next) left.push({ ...state, server: value }, { ...state, account: value })
    if (can('me/identity/user/edit')) for (const groups of [[], [group('ops')], [group('admins')]]) left.push({ ...state, groups })
    if (can('me/identity/user/token/create')) left.push({ ...state, hasToken: true })
  }
  return false
}
