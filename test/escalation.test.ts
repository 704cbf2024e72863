import { describe, expect, test } from 'vitest'
import { loadCatalogue } from '../src/actions/load.ts'
import { readAddress } from '../src/conditions/address.ts'
import { type Escalation, escalation } from '../src/diff/escalation.ts'
import { decide } from '../src/simulate/decide.ts'
import { ActionsByType } from '../src/symbolic/described.ts'
import { always, notBefore, satisfy, tooMany } from '../src/symbolic/formula.ts'
import { questionAt } from '../src/symbolic/witness.ts'
import { effort } from './support/effort.ts'
import { type ConditionJson, type PolicyJson, pick, randomOf, worldOf } from './support/worlds.ts'

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
const actions = new ActionsByType(loadCatalogue('svc'))

function worldWith(policies: readonly Written[]) {
  return worldOf({
    account: 'ab12-svc',
    policies: policies.map(policy),
    identities: [{ urn: user('bob') }, { urn: user('ann'), groups: [group('admins')] }],
    resources: [
      { urn: server, tags: {} },
      { urn: account, tags: {} },
    ],
    resourceGroups: [{ urn: servers, name: 'servers', resources: [{ urn: server }] }],
    permissionsGroups: [{ urn: rights, name: 'rights', permissions: { allow: [{ action: 'vps:apisvc:get' }] } }],
  })
}

function escalationOf(policies: readonly Written[], from?: string): Escalation {
  return escalation(worldWith(policies), user('bob'), {
    actions,
    brand: 'svc',
    time: from === undefined ? always : notBefore(Date.parse(from)),
  })
}

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
      'new policies where a deny keeps the rest',
      [{ allow: [action('iam/policy/create')] }, { deny: [action('iam/policy/edit'), action('iam/policy/delete')] }],
      'undenied',
      ['iam/policy/create'],
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
  ])('%s', (_, policies, reach, path) => {
    const found = escalationOf(policies)
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
})
