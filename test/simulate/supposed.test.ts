import { describe, expect, test } from 'vitest'
import type { Identity, Policy, Resource, World } from '../../src/policy.ts'
import { decide } from '../../src/simulate/decide.ts'
import { compile } from '../../src/simulate/engine.ts'
import { type Changes, supposed } from '../../src/simulate/supposed.ts'
import { effort } from '../support/effort.ts'
import { forAll, type Law, pick, type WorldJson, worldOf } from '../support/worlds.ts'

const nothing: Changes = { without: [], added: [], members: [], tags: [] }
const user = (name: string) => `urn:v1:eu:identity:user:ab12-svc/${name}`
const group = (name: string) => `urn:v1:eu:identity:group:ab12-svc/${name}`
const vps = (name: string) => `urn:v1:eu:resource:vps:${name}`

const written = {
  policies: [
    { name: 'ops care', identities: [group('ops')], resources: [{ urn: vps('*') }], permissions: { allow: [{ action: 'vps:*' }] } },
    { name: 'guard', identities: [user('*')], resources: [{ urn: vps('db') }], permissions: { deny: [{ action: 'vps:*' }] } },
  ],
  identities: [
    { urn: user('ann'), groups: [group('ops')] },
    { urn: user('bob'), groups: [] },
  ],
  resources: [{ urn: vps('web'), tags: { env: 'prod' } }, { urn: vps('mail') }],
}
const world = worldOf(written)
const groupsOf = ({ identities }: World, name: string) => identities.get(user(name))?.groups
const tagsOf = ({ resources }: World, name: string) => Object.fromEntries(resources.get(vps(name))?.tags ?? [])

describe('what is supposed of a world', () => {
  test('nothing: the world itself', () => {
    expect(supposed(world, nothing)).toEqual({ world, steps: [], problems: [] })
  })

  test('a policy is removed by its name; one that was added stays', () => {
    const names = (changes: Partial<Changes>) => supposed(world, { ...nothing, ...changes }).world.policies.map(({ name }) => name.value)
    expect(names({ without: ['guard'] })).toEqual(['ops care'])
    expect(names({ without: ['guard'], added: ['0.json'] })).toEqual(['ops care', 'guard'])
  })

  test('members join and leave groups, by short names', () => {
    const changes: Changes = {
      ...nothing,
      members: [
        { identity: 'bob', joins: ['ops'], leaves: [] },
        { identity: 'user/bob', joins: ['group/ops'], leaves: [] },
        { identity: user('ann'), joins: [], leaves: [group('ops')] },
      ],
    }
    const { world: after, steps, problems } = supposed(world, changes)
    expect(problems).toEqual([])
    expect(steps.map((step) => step.kind !== 'without' && step.kind !== 'tag' && [step.kind, step.wasSo])).toEqual([
      ['joins', false],
      ['joins', true],
      ['leaves', false],
    ])
    expect([groupsOf(after, 'ann'), groupsOf(after, 'bob')]).toEqual([[], [group('ops')]])
    expect(groupsOf(world, 'bob')).toEqual([])
  })

  test('tags are put and taken away', () => {
    const tag = (resource: string, key: string, value: string | null) => supposed(world, { ...nothing, tags: [{ resource, key, value }] })
    expect(tagsOf(tag('vps:web', 'env', 'dev').world, 'web')).toEqual({ env: 'dev' })
    expect(tagsOf(tag('web', 'team', 'a').world, 'web')).toEqual({ env: 'prod', team: 'a' })
    expect(tagsOf(tag('web', 'env', null).world, 'web')).toEqual({})
    expect(tag('mail', 'env', 'dev').steps).toEqual([{ kind: 'tag', resource: vps('mail'), key: 'env', value: 'dev', before: undefined }])
  })

  test.each<[Partial<Changes>, string, string | undefined]>([
    [{ without: ['gaurd'] }, '--without `gaurd`: no policy has this name', 'did you mean `guard`?'],
    [
      { members: [{ identity: 'user/bbo', joins: [], leaves: [] }] },
      '--member: identity `user/bbo`',
      'did you mean `user/bob`? Otherwise write the whole URN',
    ],
    [{ members: [{ identity: user('bbo'), joins: [], leaves: [] }] }, 'no user or service account', `did you mean \`${user('bob')}\`?`],
    [{ members: [{ identity: 'bob', joins: ['opps'], leaves: [] }] }, '--member: group `opps`', 'did you mean `ops`?'],
    [{ members: [{ identity: 'bob', joins: [], leaves: [group('opps')] }] }, 'no group', `did you mean \`${group('ops')}\`?`],
    [
      { members: [{ identity: 'group/ops', joins: [], leaves: [] }] },
      'no user or service account',
      'only users and service accounts are members of groups',
    ],
    [
      { tags: [{ resource: 'vps:wbe', key: 'env', value: 'x' }] },
      '--assume-tag: resource `vps:wbe`',
      'did you mean `vps:web`? Otherwise write the whole URN',
    ],
    [{ tags: [{ resource: 'web', key: 'enw', value: null }] }, 'it has no tag `enw`', 'did you mean `env`?'],
    [
      {
        members: [
          { identity: 'bob', joins: ['ops'], leaves: [] },
          { identity: user('bob'), joins: [], leaves: ['group/ops'] },
        ],
      },
      `--member: \`${user('bob')}\` is supposed both to join \`${group('ops')}\` and to leave it`,
      'give one of the two',
    ],
    [{ members: [{ identity: 'bob', joins: ['ops'], leaves: ['ops'] }] }, 'both to join', 'give one of the two'],
    [
      {
        tags: [
          { resource: 'web', key: 'env', value: 'a' },
          { resource: 'vps:web', key: 'env', value: null },
        ],
      },
      'both the tag `env=a` and no tag `env`',
      undefined,
    ],
  ])('what matches nothing or contradicts itself is a problem: %j', (changes, message, help) => {
    const { problems } = supposed(world, { ...nothing, ...changes })
    expect(problems).toHaveLength(1)
    expect(problems[0]?.message).toContain(message)
    expect(problems[0]?.help).toBe(help)
  })
})

const client = 'urn:v1:eu:identity:credential:ab12-svc/oauth2-a'
const account = 'urn:v1:eu:identity:account:ab12-svc'
const allow = { allow: [{ action: 'vps:*' }] }

/** Names that only policies or groups hold. */
const mentioning = worldOf({
  policies: [
    {
      name: 'many',
      identities: [group('ops'), group('on-*'), user('eve'), user('vi*'), account, client],
      resources: [vps('db'), vps('x*'), 'urn:v1:eu:resourceGroup:5d1e'].map((urn) => ({ urn })),
      permissions: allow,
    },
    { name: 'twin', identities: [user('zoe')], resources: [{ urn: vps('*') }], permissions: allow },
    { name: 'twin', identities: [user('zoe')], resources: [{ urn: vps('db') }], permissions: allow },
  ],
  identities: [{ urn: user('ann'), groups: [group('audit')] }],
  resources: [{ urn: vps('web'), tags: { env: 'prod', team: 'a' } }, { urn: vps('mail') }],
  resourceGroups: [{ urn: 'urn:v1:eu:resourceGroup:4f0c', name: 'servers', resources: [{ urn: vps('member') }] }],
})
const suppose = (changes: Partial<Changes>) => supposed(mentioning, { ...nothing, ...changes })
const onCommandLine = (value: string) => ({
  value,
  span: { source: expect.objectContaining({ path: '<command line>', text: value }), start: 0, end: value.length },
})

describe('the whole of what is supposed', () => {
  const [many, twin, other] = mentioning.policies

  test('is the same world where nothing is', () => {
    expect(suppose({}).world).toBe(mentioning)
  })

  test('is without every policy of a name, each taken out once', () => {
    expect(suppose({ without: ['twin', 'twin'] })).toEqual({
      world: { ...mentioning, policies: [many] },
      steps: [
        { kind: 'without', policy: twin },
        { kind: 'without', policy: other },
      ],
      problems: [],
    })
  })

  test('is without the policy that a tool calls so', () => {
    const [first, ...rest] = mentioning.policies as [Policy, ...Policy[]]
    const addressed = { ...mentioning, policies: [{ ...first, address: 'svc_iam_policy.many' }, ...rest] }
    const without = (name: string) => supposed(addressed, { ...nothing, without: [name] })
    expect(without('svc_iam_policy.many')).toEqual({
      world: { ...addressed, policies: [twin, other] },
      steps: [{ kind: 'without', policy: addressed.policies[0] }],
      problems: [],
    })
    expect(without('svc_iam_policy.mny')).toEqual({
      world: addressed,
      steps: [],
      problems: [{ message: '--without `svc_iam_policy.mny`: no policy has this name', help: 'did you mean `svc_iam_policy.many`?' }],
    })
    expect(without('qqqqqq').problems).toStrictEqual([{ message: '--without `qqqqqq`: no policy has this name' }])
  })

  test('has members whose place is the command line where they were not described', () => {
    expect(suppose({ members: [{ identity: 'eve', joins: [group('on-call'), 'ops'], leaves: ['audit'] }] })).toEqual({
      world: {
        ...mentioning,
        identities: new Map([
          ...mentioning.identities,
          [user('eve'), { urn: onCommandLine(user('eve')), groups: [group('on-call'), group('ops')] }],
        ]),
      },
      steps: [
        { kind: 'joins', identity: user('eve'), group: group('on-call'), wasSo: false },
        { kind: 'joins', identity: user('eve'), group: group('ops'), wasSo: false },
        { kind: 'leaves', identity: user('eve'), group: group('audit'), wasSo: true },
      ],
      problems: [],
    })
  })

  test('has members where they were described', () => {
    const { urn } = mentioning.identities.get(user('ann')) as Identity
    const { world: after, steps } = suppose({ members: [{ identity: 'ann', joins: ['ops', 'audit'], leaves: [] }] })
    expect(after).toEqual({
      ...mentioning,
      identities: new Map([[user('ann'), { urn, groups: [group('audit'), group('ops')] }]]),
    })
    expect(steps).toEqual([
      { kind: 'joins', identity: user('ann'), group: group('ops'), wasSo: false },
      { kind: 'joins', identity: user('ann'), group: group('audit'), wasSo: true },
    ])
  })

  test('has tags of resources that were described, or only named', () => {
    const web = mentioning.resources.get(vps('web')) as Resource
    const tags = [
      { resource: 'web', key: 'env', value: 'dev' },
      { resource: vps('web'), key: 'env', value: 'dev' },
      { resource: 'web', key: 'team', value: null },
      { resource: 'db', key: 'env', value: 'dev' },
      { resource: 'mail', key: 'env', value: null },
    ]
    const { world: after, steps, problems } = suppose({ tags })
    const described = new Map(after.resources)
    expect(problems).toEqual([])
    expect(steps).toEqual([
      { kind: 'tag', resource: vps('web'), key: 'env', value: 'dev', before: 'prod' },
      { kind: 'tag', resource: vps('web'), key: 'env', value: 'dev', before: 'dev' },
      { kind: 'tag', resource: vps('web'), key: 'team', value: null, before: 'a' },
      { kind: 'tag', resource: vps('db'), key: 'env', value: 'dev', before: undefined },
      { kind: 'tag', resource: vps('mail'), key: 'env', value: null, before: undefined },
    ])
    expect(described.get(vps('web'))).toEqual({ urn: web.urn, tags: new Map([['env', 'dev']]) })
    expect(described.get(vps('db'))?.tags).toEqual(new Map([['env', 'dev']]))
    expect(described.get(vps('mail'))?.tags).toEqual(new Map())
    expect([after.policies, after.identities]).toEqual([mentioning.policies, mentioning.identities])
  })

  test('has a resource on the command line that no list of resources has', () => {
    const { world: after } = suppose({ tags: [{ resource: 'member', key: 'env', value: 'dev' }] })
    expect(after.resources.get(vps('member'))).toEqual({ urn: onCommandLine(vps('member')), tags: new Map([['env', 'dev']]) })
  })

  test('describes a resource that was only mentioned', () => {
    const [urn, known] = [vps('mail'), mentioning.resources.get(vps('mail')) as Resource]
    const mentioned = { ...mentioning, resources: new Map([[urn, { ...known, mentioned: true as const }]]) }
    const { world: after } = supposed(mentioned, { ...nothing, tags: [{ resource: urn, key: 'env', value: 'dev' }] })
    expect(after.resources.get(urn)).toStrictEqual({ urn: known.urn, tags: new Map([['env', 'dev']]) })
  })
})

describe('names of what is supposed', () => {
  const member = (identity: string) => suppose({ members: [{ identity, joins: [], leaves: [] }] }).problems
  const joining = (name: string) => suppose({ members: [{ identity: 'ann', joins: [name], leaves: [] }] })
  const tagging = (resource: string) => suppose({ tags: [{ resource, key: 'env', value: 'dev' }] }).problems

  test.each([user('ann'), user('eve'), user('zoe'), client, 'oauth2-a'])('may be of a user or service account: %s', (name) => {
    expect(member(name)).toEqual([])
  })

  test.each<[string, string, string | undefined]>([
    [user('eev'), user('eev'), `did you mean \`${user('eve')}\`?`],
    [user('qqqqqq'), user('qqqqqq'), undefined],
    // A policy covers it with a pattern: that names no identity.
    [user('violet'), user('violet'), undefined],
    [user('vi*'), user('vi*'), undefined],
    ['account', account, undefined],
    ['ops', group('ops'), 'only users and service accounts are members of groups'],
    ['audit', group('audit'), 'only users and service accounts are members of groups'],
  ])('are no members of groups: %s', (name, urn, help) => {
    const message = `--member: no user or service account \`${urn}\` is described, or named by a policy`
    expect(member(name)).toStrictEqual([{ message, ...(help !== undefined && { help }) }])
  })

  test.each([group('ops'), group('audit'), 'audit', group('on-call')])('may be of a group: %s', (name) => {
    const { steps, problems } = joining(name)
    expect([steps.length, problems]).toEqual([1, []])
  })

  test.each<[string, string | undefined]>([
    [group('op'), `did you mean \`${group('ops')}\`?`],
    [group('qqqqqq'), undefined],
    // A pattern over users does not cover groups, nor is a user that it covers a group.
    [group('violet'), undefined],
    [user('violet'), undefined],
    [group('on-*'), undefined],
  ])('are no groups: %s', (name, help) => {
    const message = `--member: no group \`${name}\` is described, or named by a policy`
    const { world: after, steps, problems } = joining(name)
    expect(problems).toStrictEqual([{ message, ...(help !== undefined && { help }) }])
    expect([steps, after.identities.get(user('ann'))?.groups]).toEqual([[], [group('audit')]])
  })

  test.each([vps('web'), vps('db'), vps('member'), 'mail'])('may be of a resource: %s', (name) => {
    expect(tagging(name)).toEqual([])
  })

  test.each<[string, string, string | undefined]>([
    [vps('wbe'), vps('wbe'), `did you mean \`${vps('web')}\`?`],
    [vps('mialbox'), vps('mialbox'), undefined],
    [vps('qqil'), vps('qqil'), undefined],
    // A policy covers it with a pattern: that names no resource.
    [vps('x1'), vps('x1'), undefined],
    [vps('x*'), vps('x*'), undefined],
    ['servers', 'urn:v1:eu:resourceGroup:4f0c', undefined],
    ['urn:v1:eu:resourceGroup:5d1e', 'urn:v1:eu:resourceGroup:5d1e', undefined],
    [group('ops'), group('ops'), undefined],
  ])('are no resources: %s', (name, urn, help) => {
    const message = `--assume-tag: no resource \`${urn}\` is described, or named by a policy`
    expect(tagging(name)).toStrictEqual([{ message, ...(help !== undefined && { help }) }])
  })

  test('of tags that a resource does not have', () => {
    const removing = (resource: string, key: string) => suppose({ tags: [{ resource, key, value: null }] }).problems
    expect(removing('web', 'evn')).toStrictEqual([{ message: '--assume-tag `web`: it has no tag `evn`', help: 'did you mean `env`?' }])
    expect(removing('web', 'qqqqqq')).toStrictEqual([{ message: '--assume-tag `web`: it has no tag `qqqqqq`' }])
  })
})

/** How many answers the changes turned. */
let turned = 0

/** Changes drawn from what a world describes, and the same carried out on its JSON by hand. */
const asEdited: Law = ({ written: { world: before }, question }, random) => {
  const after = structuredClone(before) as WorldJson
  const changes = { without: [] as string[], added: [], members: [] as Changes['members'][number][], tags: [] as Changes['tags'][number][] }
  if (random() < 0.5 && before.policies.length > 0) {
    const { name } = pick(random, before.policies)
    changes.without.push(name)
    after.policies = after.policies.filter((policy) => policy.name !== name)
  }
  const groups = [...new Set(before.identities.flatMap((identity) => identity.groups))]
  const member = after.identities.filter(({ urn }) => /:(?:user|credential):/.test(urn))
  if (groups.length > 0 && member.length > 0) {
    const identity = pick(random, member)
    const other = pick(random, groups)
    const joins = random() < 0.5
    changes.members.push({ identity: identity.urn, joins: joins ? [other] : [], leaves: joins ? [] : [other] })
    for (const each of after.identities.filter(({ urn }) => urn === identity.urn)) {
      each.groups = each.groups.filter((name) => name !== other)
      if (joins) each.groups.push(other)
    }
  }
  if (after.resources.length > 0) {
    const resource = pick(random, after.resources)
    const [key, value] = [pick(random, ['env', 'team', ...Object.keys(resource.tags ?? {})]), pick(random, ['prod', 'dev'])]
    changes.tags.push({ resource: resource.urn, key, value })
    resource.tags = { ...resource.tags, [key]: value }
  }
  const { world: changed, problems } = supposed(worldOf(before), changes)
  if (problems.length > 0) return problems.map(({ message }) => message).join('; ')
  const expected = decide(worldOf(after), question)
  const key = ({ verdict, reason, clauses }: typeof expected) =>
    JSON.stringify([verdict, reason, clauses.map(({ policy, list, entry }) => [policy.name.value, list, entry.value.text])])
  for (const found of [decide(changed, question), compile(changed).decide(question)])
    if (key(found) !== key(expected)) return `${key(found)} where the edited folder says ${key(expected)}: ${JSON.stringify(changes)}`
  if (expected.verdict !== decide(worldOf(before), question).verdict) turned++
  return ''
}

test('answers are those of a folder in which the same is edited by hand', () => {
  const count = effort(10_000, 80)
  expect(forAll(count, 1409, asEdited)).toBe(count)
  expect(turned).toBeGreaterThan(count / 50)
})
