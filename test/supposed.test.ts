import { describe, expect, test } from 'vitest'
import type { World } from '../src/policy.ts'
import { decide } from '../src/simulate/decide.ts'
import { compile } from '../src/simulate/engine.ts'
import { type Changes, supposed } from '../src/simulate/supposed.ts'
import { effort } from './support/effort.ts'
import { forAll, type Law, pick, type WorldJson, worldOf } from './support/worlds.ts'

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
    [{ members: [{ identity: 'user/bbo', joins: [], leaves: [] }] }, '--member: identity `user/bbo`', 'did you mean `user/bob`?'],
    [{ members: [{ identity: user('bbo'), joins: [], leaves: [] }] }, 'no user or service account', `did you mean \`${user('bob')}\`?`],
    [{ members: [{ identity: 'bob', joins: ['opps'], leaves: [] }] }, '--member: group `opps`', 'did you mean `ops`?'],
    [{ members: [{ identity: 'bob', joins: [], leaves: [group('opps')] }] }, 'no group', `did you mean \`${group('ops')}\`?`],
    [
      { members: [{ identity: 'group/ops', joins: [], leaves: [] }] },
      'no user or service account',
      'only users and service accounts are members of groups',
    ],
    [{ tags: [{ resource: 'vps:wbe', key: 'env', value: 'x' }] }, '--assume-tag: resource `vps:wbe`', 'did you mean `vps:web`?'],
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
  const count = effort(10_000, 20)
  expect(forAll(count, 1409, asEdited)).toBe(count)
  expect(turned).toBeGreaterThan(count / 50)
})
