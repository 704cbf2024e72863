import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { addressAt, addressed } from '../../src/declared/addressed.ts'
import { defaultSettings } from '../../src/names.ts'
import type { ReadSource } from '../../src/parser/read.ts'
import { readPriorState, readSource } from '../../src/parser/read-source.ts'
import { buildWorld } from '../../src/parser/world.ts'
import { decide } from '../../src/simulate/decide.ts'
import { factText } from '../../src/simulate/facts.ts'
import { position, sourceOf } from '../../src/source.ts'
import { questionOf } from '../support/worlds.ts'

const ann = 'urn:v1:eu:identity:user:ab12-svc/ann'

interface Change {
  readonly address?: string
  readonly type?: string
  readonly mode?: string
  readonly actions?: readonly string[]
  readonly before?: object | null
  readonly after?: object | null
  readonly unknown?: unknown
  readonly sensitive?: unknown
  readonly deposed?: string
}

const policy = { name: 'ops', identities: [ann], resources: ['urn:v1:eu:resource:vps:vps-1'], allow: ['vps:apisvc:get'] }

function changeOf({
  address = 'svc_iam_policy.ops',
  type = 'svc_iam_policy',
  mode = 'managed',
  actions = ['create'],
  before = null,
  after = policy,
  unknown = {},
  sensitive = {},
  deposed,
}: Change) {
  const name = /\.([a-z_0-9]+)(\[.*\])?$/.exec(address)?.[1] ?? ''
  const change = { actions, before, after, after_unknown: unknown, before_sensitive: sensitive, after_sensitive: sensitive }
  return { address, mode, type, name, ...(deposed && { deposed }), change }
}

const planText = (changes: readonly Change[], rest: object = {}) =>
  JSON.stringify({ format_version: '1.2', terraform_version: '1.11.4', resource_changes: changes.map(changeOf), ...rest }, undefined, 1)

const read = (text: string, path = 'plan.json') => readSource(sourceOf(path, text), defaultSettings)
const readOld = (text: string) => readPriorState(sourceOf('plan.json', text), defaultSettings)

function verdict({ facts, diagnostics }: ReadSource, resource = 'urn:v1:eu:resource:vps:vps-1', action = 'vps:apisvc:get', identity = ann) {
  expect(diagnostics).toEqual([])
  const question = questionOf({ identity, action, resource, at: '2026-11-20T12:00:00Z' })
  const { verdict, missing } = decide(buildWorld([facts]).world, question)
  return [verdict, ...missing.map(({ fact }) => factText(fact))]
}

const names = ({ facts }: ReadSource) => facts.policies.map(({ name, address }) => `${address} ${name.value}`)

describe('what is there before and after a plan', () => {
  const other = { ...policy, name: 'was' }
  test.each([
    ['what is made', { actions: ['create'] }, [], ['ops']],
    ['what stays', { actions: ['no-op'], before: policy }, ['ops'], ['ops']],
    ['what is changed', { actions: ['update'], before: other }, ['was'], ['ops']],
    ['what is deleted', { actions: ['delete'], before: other, after: null }, ['was'], []],
    ['what is replaced', { actions: ['delete', 'create'], before: other }, ['was'], ['ops']],
    ['what is replaced the other way round', { actions: ['create', 'delete'], before: other }, ['was'], ['ops']],
    ['what is only forgotten', { actions: ['forget'], before: other, after: null }, ['was'], ['was']],
    ['what is forgotten and made anew', { actions: ['create', 'forget'], before: other }, ['was'], ['ops', 'was']],
    ['what was left over from a replacement', { actions: ['delete'], before: other, after: null, deposed: 'abc' }, ['was'], []],
    ['what is of another provider', { type: 'acme_iam_policy', address: 'acme_iam_policy.ops', before: other }, [], []],
    ['what is only read', { mode: 'data', address: 'data.svc_iam_policy.ops', actions: ['read'], before: other }, [], []],
  ] as const)('%s', async (_, change, before, after) => {
    const text = planText([change])
    expect((await readOld(text)).facts.policies.map(({ name }) => name.value)).toEqual(before)
    expect((await read(text)).facts.policies.map(({ name }) => name.value)).toEqual(after)
  })

  test('what a partial plan does not mention is as it was', async () => {
    const resource = {
      address: 'module.a.svc_iam_policy.rest',
      mode: 'managed',
      type: 'svc_iam_policy',
      name: 'rest',
      values: { ...policy, name: 'rest' },
    }
    const managed = {
      address: 'svc_iam_policy.ops',
      mode: 'managed',
      type: 'svc_iam_policy',
      name: 'ops',
      values: { ...policy, name: 'was' },
    }
    const values = { root_module: { resources: [managed], child_modules: [{ address: 'module.a', resources: [resource] }] } }
    const text = planText([{ actions: ['update'], before: { ...policy, name: 'was' } }], { prior_state: { format_version: '1.0', values } })
    expect(names(await read(text))).toEqual(['svc_iam_policy.ops ops', 'module.a.svc_iam_policy.rest rest'])
    expect(names(await readOld(text))).toEqual(['svc_iam_policy.ops was', 'module.a.svc_iam_policy.rest rest'])
    expect(names(await read(JSON.stringify({ format_version: '1.0', terraform_version: '1.11.4', values })))).toEqual([
      'svc_iam_policy.ops was',
      'module.a.svc_iam_policy.rest rest',
    ])
  })

  test('what was left over from a replacement does not stand for what there is under its address', async () => {
    const managed = { address: 'svc_iam_policy.ops', mode: 'managed', type: 'svc_iam_policy', name: 'ops', values: policy }
    const rest = { prior_state: { format_version: '1.0', values: { root_module: { resources: [managed] } } } }
    const text = planText([{ actions: ['delete'], before: other, after: null, deposed: 'abc' }], rest)
    expect(names(await read(text))).toEqual(['svc_iam_policy.ops ops'])
    expect(names(await readOld(text)).toSorted()).toEqual(['svc_iam_policy.ops ops', 'svc_iam_policy.ops was'])
  })

  test('planned values alone, of which what is left out is not known', async () => {
    const resource = {
      address: 'svc_iam_policy.ops["a"]',
      mode: 'managed',
      type: 'svc_iam_policy',
      name: 'ops',
      values: { name: 'ops', resources: policy.resources, allow: policy.allow },
    }
    const text = JSON.stringify({ format_version: '1.2', planned_values: { root_module: { child_modules: [{ resources: [resource] }] } } })
    expect(verdict(await read(text))).toEqual(['unknown', 'svc_iam_policy.ops["a"].identities'])
  })

  test.each([
    ['another format', { format_version: '2.0' }, 'the plan is written in version `2.0` of its format'],
    ['a format that begins alike', { format_version: '10.0' }, 'the plan is written in version `10.0` of its format'],
    [
      'what is put off to a later plan',
      { deferred_changes: [{ reason: 'instance_count_unknown', resource_change: changeOf({ address: 'svc_iam_policy.later' }) }] },
      '`svc_iam_policy.later` is put off to a later plan',
    ],
    ['a plan that was broken off', { errored: true }, 'the plan was broken off by an error'],
  ])('%s is an error, and nothing is decided over it', async (_, rest, message) => {
    const { diagnostics, facts, holdsPolicies } = await read(planText([{}], rest))
    expect(diagnostics.map((each) => [each.severity, each.message.startsWith(message)])).toEqual([['error', true]])
    expect([facts.policies, holdsPolicies]).toEqual([[], true])
  })

  test('a plan without policies holds none, and no other file is taken for a plan', async () => {
    expect((await read(planText([]))).holdsPolicies).toBe(false)
    const settings = { ...defaultSettings, formatIn: 'tfplan' } as const
    const other = await readSource(sourceOf('p.json', JSON.stringify({ policies: [] })), settings)
    expect(other.diagnostics.map(({ code, message }) => [code, message])).toEqual([['syntax', 'this is no plan in JSON']])
    const asPolicy = await readSource(sourceOf('p.json', planText([{}])), { ...defaultSettings, formatIn: 'policy' })
    expect(asPolicy.facts.policies).toEqual([])
  })
})

describe('what is not known', () => {
  test.each([
    [
      'an item',
      { identities: [ann, null] },
      { identities: [false, true] },
      'urn:v1:eu:identity:user:ab12-svc/bob',
      ['unknown', 'svc_iam_policy.ops.identities[1]'],
    ],
    ['an item beside the one that is asked for', { identities: [ann, null] }, { identities: [false, true] }, ann, ['allow']],
    ['an attribute', { identities: undefined }, { identities: true }, ann, ['unknown', 'svc_iam_policy.ops.identities']],
    ['an expiry', {}, { expired_at: true }, ann, ['unknown', 'svc_iam_policy.ops.expired_at']],
    [
      'a value of a condition',
      { conditions: [{ operator: 'MATCH', values: {} }] },
      { conditions: [{ values: { 'resource.Name': true } }] },
      ann,
      ['unknown', 'svc_iam_policy.ops.conditions[0].values["resource.Name"] as resource.Name'],
    ],
  ] as const)('%s', async (_, over, unknown, identity, expected) => {
    expect(verdict(await read(planText([{ after: { ...policy, ...over }, unknown }])), undefined, undefined, identity)).toEqual(expected)
  })

  // covers: T30
  test('what is marked as sensitive, so that no answer shows it', async () => {
    const result = await read(planText([{ sensitive: { allow: [true] } }]))
    expect(verdict(result)).toEqual(['unknown', 'svc_iam_policy.ops.allow[0]'])
    const old = await readOld(planText([{ actions: ['delete'], before: policy, after: null, sensitive: { identities: true } }]))
    expect(verdict(old)).toEqual(['unknown', 'svc_iam_policy.ops.identities'])
  })
})

describe('names that are given at apply', () => {
  const group = (address: string, unknown: unknown = { id: true, urn: true }, after: object = {}): Change => ({
    address,
    type: 'svc_iam_resource_group',
    after: { name: 'g', resources: ['urn:v1:eu:resource:vps:vps-1'], ...after },
    unknown,
  })
  const references = (...list: readonly string[]) => ({ references: list })
  const configured = (expressions: object, rest: object = {}) => ({
    configuration: { root_module: { resources: [{ type: 'svc_iam_policy', name: 'ops', mode: 'managed', expressions }], ...rest } },
  })
  const groups = ['svc_iam_resource_group.web.urn', 'svc_iam_resource_group.web'] as const
  const open = { after: { ...policy, resources: [null] }, unknown: { resources: [true] } }
  const undetermined = ['unknown', 'svc_iam_policy.ops.resources[0]']

  test.each([
    ['a group that is referred to', groups, ['allow'], ['deny']],
    ['beside what is known', [...groups, 'each.key', 'path.module', 'var.region'], ['allow'], ['deny']],
    ['by its id', ['svc_iam_resource_group.web.id', 'svc_iam_resource_group.web'], ['allow'], ['deny']],
    ['beside something else that is not known', [...groups, 'svc_vps.new.urn', 'svc_vps.new'], undetermined, undetermined],
    ['beside a local value, which no plan contains', [...groups, 'local.urns'], undetermined, undetermined],
    ['another attribute of the group', ['svc_iam_resource_group.web.name', 'svc_iam_resource_group.web'], undetermined, undetermined],
    ['no group', ['svc_vps.new.urn', 'svc_vps.new'], undetermined, undetermined],
  ] as const)('%s', async (_, list, inside, outside) => {
    const vps: Change = { address: 'svc_vps.new', type: 'svc_vps', after: {}, unknown: { urn: true } }
    const result = await read(planText([open, group('svc_iam_resource_group.web'), vps], configured({ resources: references(...list) })))
    expect(verdict(result)).toEqual(inside)
    expect(verdict(result, 'urn:v1:eu:resource:vps:vps-2')).toEqual(outside)
  })

  test('a group that has its name is not what is unknown', async () => {
    const known = group('svc_iam_resource_group.web', {}, { urn: 'urn:v1:eu:resourceGroup:1' })
    const result = await read(
      planText(
        [open, known, group('svc_iam_resource_group.new')],
        configured({ resources: references(...groups, 'svc_iam_resource_group.new.urn') }),
      ),
    )
    expect(verdict(result)).toEqual(['allow'])
  })

  test('instances, through variables and outputs of modules', async () => {
    const change = { ...open, address: 'module.team["a"].svc_iam_policy.ops[0]' }
    const call = {
      expressions: { groups: references('module.groups.urns', 'module.groups', 'each.key') },
      module: {
        resources: [
          { type: 'svc_iam_policy', name: 'ops', mode: 'managed', expressions: { resources: references('var.groups', 'count.index') } },
        ],
      },
    }
    const output = { expression: references('svc_iam_resource_group.all', 'each.key') }
    const outputs = (expression: object) => ({
      configuration: { root_module: { module_calls: { team: call, groups: { module: { outputs: { urns: expression } } } } } },
    })
    const text = planText(
      [change, group('module.groups.svc_iam_resource_group.all["a"]')],
      outputs({
        expression: references('svc_iam_resource_group.all["a"].urn', 'svc_iam_resource_group.all["a"]', 'svc_iam_resource_group.all'),
      }),
    )
    expect(verdict(await read(text))).toEqual(['allow'])
    expect(verdict(await read(text), 'urn:v1:eu:resource:vps:vps-2')).toEqual(['deny'])
    // It is not known which of the instances is meant.
    expect(verdict(await read(planText([change, group('module.groups.svc_iam_resource_group.all["a"]')], outputs(output))))[0]).toBe(
      'unknown',
    )
  })

  test('the instance of the same key', async () => {
    const changes = ['a', 'b'].flatMap((key): Change[] => [
      { ...open, address: `svc_iam_policy.ops["${key}"]`, after: { ...open.after, name: key, identities: [`${ann}-${key}`] } },
      group(`svc_iam_resource_group.web["${key}"]`, undefined, { resources: [`urn:v1:eu:resource:vps:vps-${key}`] }),
    ])
    const result = await read(planText(changes, configured({ resources: references('svc_iam_resource_group.web', 'each.key') })))
    const verdicts = ['a', 'b'].flatMap((who) =>
      ['a', 'b'].map((what) => verdict(result, `urn:v1:eu:resource:vps:vps-${what}`, undefined, `${ann}-${who}`)[0]),
    )
    expect(verdicts).toEqual(['allow', 'deny', 'deny', 'allow'])
  })

  test('a permissions group', async () => {
    const rights: Change = {
      address: 'svc_iam_permissions_group.read',
      type: 'svc_iam_permissions_group',
      after: { name: 'read', allow: ['vps:apisvc:get'] },
      unknown: { id: true },
    }
    const user = { after: { ...policy, allow: null, permissions_groups: [null] }, unknown: { permissions_groups: [true] } }
    const result = await read(
      planText(
        [user, rights],
        configured({ permissions_groups: references('svc_iam_permissions_group.read.id', 'svc_iam_permissions_group.read') }),
      ),
    )
    expect(verdict(result)).toEqual(['allow'])
    expect(verdict(result, undefined, 'vps:apisvc:reboot')).toEqual(['deny'])
  })
})

test('every finding has the place in the plan and what the resource is called', async () => {
  const text = planText([
    { address: 'module.a.svc_iam_policy.ops["x"]', after: { ...policy, identities: ['urn:v1:eu:identity:usr:ab12-svc/ann'] } },
  ])
  const plan = await read(text)
  if (plan.kind !== 'declared') throw new Error('not a plan')
  const { diagnostics, addresses } = plan
  const [first] = diagnostics
  if (!first) throw new Error('nothing found')
  expect(diagnostics).toHaveLength(1)
  expect(text.slice(first.span.start, first.span.end)).toBe('usr')
  expect(addressAt(first.span, addresses)).toBe('module.a.svc_iam_policy.ops["x"]')
  expect(addressed(first, addresses).message).toContain('(in `module.a.svc_iam_policy.ops["x"]`)')
})

test('a plan that a real program made', async () => {
  const text = readFileSync(new URL('../../examples/plan/plan.json', import.meta.url), 'utf8')
  expect(names(await readOld(text))).toEqual([
    'svc_iam_policy.contractor contractor',
    'svc_iam_policy.ops["gravelines"] ops-gravelines',
    'svc_iam_policy.ops["paris"] ops-paris',
  ])
  const after = await read(text)
  expect(names(after)).toEqual([
    'svc_iam_policy.ops["gravelines"] ops-gravelines',
    'svc_iam_policy.ops["paris"] ops-paris',
    'module.databases.svc_iam_policy.dba[0] dba',
  ])
  const reinstall = after.facts.policies[1]?.permissions.allow[2]
  expect(reinstall && [reinstall.value.text, position(reinstall.span.source, reinstall.span.start).line]).toEqual([
    'vps:apisvc:reinstall',
    401,
  ])
})
