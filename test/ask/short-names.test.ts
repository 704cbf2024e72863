import { describe, expect, test } from 'vitest'
import { readCan } from '../../src/ask/can.ts'
import { defaultSettings } from '../../src/names.ts'
import type { Resource } from '../../src/policy.ts'
import { readBatchQuestion } from '../../src/simulate/question.ts'
import { ShortNames } from '../../src/simulate/short-names.ts'
import { worldOf } from '../support/worlds.ts'

const user = (name: string) => `urn:v1:eu:identity:user:ab12-svc/${name}`
const group = (name: string) => `urn:v1:eu:identity:group:ab12-svc/${name}`
const world = worldOf({
  account: 'ab12-svc',
  policies: [
    {
      name: 'p',
      identities: [user('eve'), 'urn:v1:eu:identity:account:ab12-svc', 'urn:v1:eu:identity:user:ab12-svc/dev*'],
      resources: [{ urn: 'urn:v1:eu:resource:vps:db' }, { urn: 'urn:v1:eu:resource:webHosting:*' }],
      permissions: { allow: [{ action: 'vps:*' }] },
    },
  ],
  identities: [
    { urn: user('bob'), groups: [group('ops'), group('bob')] },
    { urn: user('ann'), groups: [] },
  ],
  resources: [{ urn: 'urn:v1:eu:resource:vps:web' }, { urn: 'urn:v1:eu:resource:dnsZone:web' }],
  resourceGroups: [{ urn: 'urn:v1:eu:resourceGroup:4f0c', name: 'web servers', resources: [{ urn: 'urn:v1:eu:resource:vps:member' }] }],
})
/** Names that nothing was asked of before. */
const named = () => new ShortNames(world)

describe('short names', () => {
  test.each([
    ['user/bob', user('bob')],
    ['ann', user('ann')],
    ['eve', user('eve')],
    ['group/ops', group('ops')],
    ['ops', group('ops')],
    ['account', 'urn:v1:eu:identity:account:ab12-svc'],
    ['user/*', 'urn:v1:eu:identity:user:ab12-svc/*'],
    ['an*', 'urn:v1:eu:identity:user:ab12-svc/an*'],
    [user('nobody'), user('nobody')],
  ])('of identities: %s', (text, urn) => {
    expect(named().identity(text)).toEqual({ text: urn })
  })

  test.each([
    ['vps:web', 'urn:v1:eu:resource:vps:web'],
    ['db', 'urn:v1:eu:resource:vps:db'],
    ['member', 'urn:v1:eu:resource:vps:member'],
    ['web servers', 'urn:v1:eu:resourceGroup:4f0c'],
    ['vps:*', 'urn:v1:eu:resource:vps:*'],
  ])('of resources: %s', (text, urn) => {
    expect(named().resource(text)).toEqual({ text: urn })
  })

  test('of groups, without the kind: of a user and a group of one name it is the group', () => {
    expect(named().group('bob')).toEqual({ text: group('bob') })
    expect(named().identity('bob').problem?.message).toBe('identity `bob` may be any of 2: `group/bob`, `user/bob`')
  })

  test('that may mean several things, or nothing, say so', () => {
    const which = named().resource('web').problem?.message ?? ''
    expect(which).toContain('may be any of 2')
    const offered = [...which.matchAll(/`([^`]+)`/g)].flatMap(([, name = '']) => (name === 'web' ? [] : [named().resource(name).text]))
    expect(offered).toHaveLength(2)
    expect(new Set(offered).size).toBe(2)
    expect(offered.every((urn) => urn.startsWith('urn:'))).toBe(true)
    expect(named().identity('anm').problem?.help).toBe('did you mean `ann`?')
    expect(named().resource('vsp:web').problem?.help).toBe('did you mean `vps:web`? Otherwise write the whole URN')
  })

  test('as patterns over several regions stand for the one where they match, or list what to write', () => {
    const several = new ShortNames(
      worldOf({
        policies: [],
        identities: ['eu:identity:user:ab12-svc/bob', 'us:identity:user:ab12-svc/bea', 'us:identity:group:ab12-svc/ops'].map((rest) => ({
          urn: `urn:v1:${rest}`,
          groups: [],
        })),
        resources: [{ urn: 'urn:v1:eu:resource:vps:web' }, { urn: 'urn:v1:us:resource:vps:shop' }],
      }),
    )
    expect(several.identity('user/bo*')).toEqual({ text: 'urn:v1:eu:identity:user:ab12-svc/bo*' })
    expect(several.identity('op*')).toEqual({ text: 'urn:v1:us:identity:group:ab12-svc/op*' })
    expect(several.resource('vps:sh*')).toEqual({ text: 'urn:v1:us:resource:vps:sh*' })
    expect(several.identity('user/*').problem).toEqual({
      message: 'identity pattern `user/*` matches identities in the regions eu and us',
      help: 'write one of them: `urn:v1:eu:identity:user:ab12-svc/*`, `urn:v1:us:identity:user:ab12-svc/*`',
    })
    expect(several.resource('dnsZone:*').problem?.message).toBe('resource pattern `dnsZone:*` may mean resources in the regions eu and us')
  })

  test('where nothing is described say so, with the URN to write', () => {
    const resources = [{ urn: 'urn:v1:us:resource:vps:*' }]
    const policy = { name: 'p', identities: [group('o*')], resources, permissions: { allow: [{ action: 'vps:*' }] } }
    const none = new ShortNames(worldOf({ policies: [policy] }))
    expect(none.identity('user/bob').problem).toEqual({
      message: 'identity `user/bob` is a short name, and no identity that it could stand for is described or named in a policy',
      help: 'write the URN, such as `urn:v1:eu:identity:user:<account_id>/bob`, or describe the identities in a world file',
    })
    expect(none.identity('user/*').problem?.help).toContain('`urn:v1:eu:identity:user:<account_id>/*`')
    expect(none.group('ops').problem?.help).toContain('`urn:v1:eu:identity:group:<account_id>/ops`')
    expect(none.resource('vps:web-1').problem?.help).toContain('`urn:v1:eu:resource:vps:web-1`')
    expect(none.resource('web-1').problem?.help).toContain('`urn:v1:eu:resource:<type>:web-1`')
  })
})

const vps = (name: string) => `urn:v1:eu:resource:vps:${name}`
const inFiles = 'in the policies or world files'
const allow = { allow: [{ action: 'vps:*' }] }

/** Names of a world of nothing but what is given. */
const namesOf = (written: object) => new ShortNames(worldOf({ policies: [], ...written }))
const described = (...urns: string[]) => ({ identities: urns.map((urn) => ({ urn, groups: [] })) })
const identityIn = (kind: string, account: string, name: string) => `urn:v1:eu:identity:${kind}:${account}/${name}`

describe('names without a world', () => {
  const none = new ShortNames(undefined)

  test('are taken for an identity or a resource, so that nothing is said against them', () => {
    expect([none.identity('bob'), none.group('ops'), none.group('group/ops'), none.resource('web')]).toEqual([
      { text: 'urn:v1:eu:identity:user:x/x' },
      { text: 'urn:v1:eu:identity:group:x/x' },
      { text: 'urn:v1:eu:identity:user:x/x' },
      { text: 'urn:v1:eu:resource:x:x' },
    ])
  })

  test('are left as they are where they are URNs, or empty', () => {
    const texts = ['urn:v1:eu', '']
    expect(texts.map((text) => none.identity(text))).toEqual(texts.map((text) => ({ text })))
    expect(texts.map((text) => none.resource(text))).toEqual(texts.map((text) => ({ text })))
    expect(none.group('urn:v1:eu')).toEqual({ text: 'urn:v1:eu' })
  })

  test('are none that could be completed', () => {
    expect([none.all('identity'), none.all('resource'), none.identities]).toEqual([new Set(), new Set(), new Set()])
  })
})

describe('names that a user may mean', () => {
  const account = 'urn:v1:eu:identity:account:ab12-svc'
  const groupUrn = 'urn:v1:eu:resourceGroup:5d1e'

  test('are the URNs, and the names that stand for one of them', () => {
    expect(named().all('identity')).toEqual(
      new Set([
        ...[user('bob'), 'user/ab12-svc/bob', 'user/bob'],
        ...[user('ann'), 'user/ab12-svc/ann', 'user/ann', 'ann'],
        ...[user('eve'), 'user/ab12-svc/eve', 'user/eve', 'eve'],
        ...[group('ops'), 'group/ab12-svc/ops', 'group/ops', 'ops'],
        ...[group('bob'), 'group/ab12-svc/bob', 'group/bob'],
        ...[account, 'account/ab12-svc', 'account'],
      ]),
    )
    expect(named().all('resource')).toEqual(
      new Set([
        ...[vps('web'), 'vps:web', 'urn:v1:eu:resource:dnsZone:web', 'dnsZone:web'],
        ...[vps('db'), 'vps:db', 'db'],
        ...[vps('member'), 'vps:member', 'member'],
        ...['urn:v1:eu:resourceGroup:4f0c', 'web servers'],
      ]),
    )
    expect(named().identities).toEqual(new Set([user('bob'), group('ops'), group('bob'), user('ann'), user('eve'), account]))
  })

  test('are not the patterns and the groups of resources that a policy names', () => {
    const policy = { name: 'p', identities: [group('ops'), group('o*')], permissions: allow }
    const resources = [groupUrn, vps('*'), vps('db')].map((urn) => ({ urn }))
    const some = namesOf({ policies: [{ ...policy, resources }] })
    expect(some.all('resource')).toEqual(new Set([vps('db'), 'vps:db', 'db']))
    expect(some.all('identity')).toEqual(new Set([group('ops'), 'group/ab12-svc/ops', 'group/ops', 'ops']))
  })

  test('are of a group without a name only its members', () => {
    const { span } = (worldOf({ policies: [], resources: [{ urn: vps('db') }] }).resources.get(vps('db')) as Resource).urn
    const nameless = { urn: { value: groupUrn, span }, members: new Set([vps('db')]), complete: true, span }
    const some = new ShortNames({ ...worldOf({ policies: [] }), resourceGroups: new Map([[groupUrn, nameless]]) })
    expect(some.all('resource')).toEqual(new Set([vps('db'), 'vps:db', 'db']))
  })
})

describe('the account', () => {
  const [ours, theirs] = ['ab12-svc', 'cd34-svc'].map((name) => `urn:v1:eu:identity:account:${name}`) as [string, string]

  test('that owns the world is known where its region is', () => {
    const written = { account: 'ab12-svc', ...described('urn:v1:us:identity:user:ab12-svc/bob') }
    expect(namesOf(written).identity('account')).toEqual({ text: 'urn:v1:us:identity:account:ab12-svc' })
    expect(namesOf(described(user('bob'))).all('identity')).toEqual(new Set([user('bob'), 'user/ab12-svc/bob', 'user/bob', 'bob']))
    expect(namesOf({ account: 'ab12-svc' }).all('identity')).toEqual(new Set())
  })

  test('is the owning one of several, or any where none is known to own', () => {
    const both = { ...described(theirs) }
    expect(namesOf({ account: 'ab12-svc', ...both }).identity('account')).toEqual({ text: ours })
    expect(namesOf({ account: 'ab12-svc', ...both }).identity('account/cd34-svc')).toEqual({ text: theirs })
    expect(namesOf(both).identity('account')).toEqual({ text: theirs })
    expect(namesOf(described(ours, theirs)).identity('account')).toEqual({
      text: 'account',
      problem: {
        message: 'identity `account` may be any of 2: `account/ab12-svc`, `account/cd34-svc`',
        help: 'write one of these, or the whole URN',
      },
    })
  })
})

describe('a name that fits several', () => {
  const help = 'write one of these, or the whole URN'
  const typed = (...types: string[]) => namesOf({ resources: types.map((type) => ({ urn: `urn:v1:eu:resource:${type}:web` })) })

  test('lists five of them', () => {
    expect(typed('vps', 'ip', 'cdn', 'nas', 'domain').resource('web')).toEqual({
      text: 'web',
      problem: { message: 'resource `web` may be any of 5: `cdn:web`, `domain:web`, `ip:web`, `nas:web`, `vps:web`', help },
    })
    expect(typed('vps', 'ip', 'cdn', 'nas', 'domain', 'lan', 'dnsZone').resource('web')).toEqual({
      text: 'web',
      problem: { message: 'resource `web` may be any of 7: `cdn:web`, `dnsZone:web`, `domain:web`, `ip:web`, `lan:web` and 2 more', help },
    })
  })

  test('lists each by the shortest name with a kind or type that is its own', () => {
    const accounts = namesOf(
      described(identityIn('user', 'a-x', 'bob'), identityIn('user', 'b-x', 'bob'), identityIn('group', 'b-x', 'bob')),
    )
    expect(accounts.identity('bob').problem).toEqual({
      message: 'identity `bob` may be any of 3: `group/bob`, `user/a-x/bob`, `user/b-x/bob`',
      help,
    })
    expect(accounts.group('bob')).toEqual({ text: identityIn('group', 'b-x', 'bob') })
    expect(typed('vps', 'a:vps').resource('vps:web').problem).toEqual({
      message: `resource \`vps:web\` may be any of 2: \`a:vps:web\`, \`${vps('web')}\``,
      help,
    })
  })

  test('is of a group one of several groups', () => {
    const written = { identities: [{ urn: user('bob'), groups: [identityIn('group', 'a-x', 'g'), identityIn('group', 'b-x', 'g')] }] }
    const text = 'group/g'
    const problem = { message: 'identity `group/g` may be any of 2: `group/a-x/g`, `group/b-x/g`', help }
    expect(['g', 'group/g'].map((short) => namesOf(written).group(short))).toEqual([
      { text, problem },
      { text, problem },
    ])
    const users = described(identityIn('user', 'a-x', 'g'))
    const withUser = { identities: [...written.identities, ...users.identities] }
    expect(namesOf(withUser).group('g')).toEqual({ text, problem })
  })
})

describe('a name that fits nothing', () => {
  const notNamed = (text: string, what: string, help: string) => ({
    text,
    problem: { message: `${what.split(' ')[1]} \`${text}\` is neither a URN nor the name of ${what} ${inFiles}`, help },
  })

  test.each([
    ['accunt', 'did you mean `account`?'],
    ['gruop/ops', 'did you mean `group/ops`? Otherwise write the whole URN'],
    ['op s', 'did you mean `ops`?'],
    ['zzzzzz', 'write the whole URN'],
  ])('is no identity: %s', (text, help) => {
    expect(named().identity(text)).toEqual(notNamed(text, 'an identity', help))
  })

  test.each([
    ['web server', 'did you mean `web servers`?'],
    ['vpsx', 'did you mean `vps:web`?'],
    ['user', 'write the whole URN'],
    ['4f0c', 'write the whole URN'],
  ])('is no resource: %s', (text, help) => {
    expect(named().resource(text)).toEqual(notNamed(text, 'a resource', help))
  })

  test.each([
    ['opps', 'did you mean `ops`?'],
    ['zzzz', 'write the whole URN'],
    ['op*', 'did you mean `ops`?'],
    // Of users none is meant.
    ['evee', 'write the whole URN'],
  ])('is no group: %s', (text, help) => {
    expect(named().group(text)).toEqual(notNamed(text, 'a group', help))
  })

  test('is judged as an identity where its kind is written, and where it is one', () => {
    expect(named().group('group/opps')).toEqual(
      notNamed('group/opps', 'an identity', 'did you mean `group/ops`? Otherwise write the whole URN'),
    )
    expect(named().group('ann')).toEqual({ text: user('ann') })
    expect(named().group('user/ann')).toEqual({ text: user('ann') })
  })

  test('is a type of resources, which is said of resources', () => {
    expect(namesOf(described(user('vps:bob'))).identity('vps')).toEqual(
      notNamed('vps', 'an identity', 'did you mean `user/ab12-svc/vps:bob`?'),
    )
    expect(named().resource('vps')).toEqual({
      text: 'vps',
      problem: { message: '`vps` is a resource type, not a resource', help: 'every resource of the type: `vps:*`' },
    })
  })

  test.each(['a`b', 'x y', 'o"ps', 'op<s>', '{ops}', "o'ps"])('is left to the grammar of URNs where it is no word: %s', (text) => {
    expect([named().identity(text), named().resource(text), named().group(text)]).toEqual([{ text }, { text }, { text }])
  })

  test('is shown as a URN of the region that the first policy names, and of the owning account', () => {
    const policy = (identity: string, resource: string) => ({
      ...{ name: 'p', identities: [identity], resources: [{ urn: resource }], permissions: allow },
    })
    const shown = (kind: 'identity' | 'resource', text: string, world: object) => namesOf(world)[kind](text).problem
    const nothing = (kind: string, kinds: string, text: string, urn: string) => ({
      message: `${kind} \`${text}\` is a short name, and no ${kind} that it could stand for is described or named in a policy`,
      help: `write the URN, such as \`${urn}\`, or describe the ${kinds} in a world file`,
    })
    const world = { account: 'ab12-svc', policies: [policy('urn:v1:us:identity:user:*', 'urn:v1:eu:resource:*')] }
    expect(shown('identity', 'bob', world)).toEqual(nothing('identity', 'identities', 'bob', 'urn:v1:us:identity:user:ab12-svc/bob'))
    expect(shown('identity', 'credential/a', world)).toEqual(
      nothing('identity', 'identities', 'credential/a', 'urn:v1:us:identity:credential:ab12-svc/a'),
    )
    expect(shown('resource', 'web*', world)).toEqual(nothing('resource', 'resources', 'web*', 'urn:v1:us:resource:<type>:web*'))
    expect(shown('identity', 'group/x-y/ops', {})).toEqual(
      nothing('identity', 'identities', 'group/x-y/ops', 'urn:v1:eu:identity:group:<account_id>/ops'),
    )
    expect(shown('resource', 'vps:web', {})).toEqual(nothing('resource', 'resources', 'vps:web', vps('web')))
  })
})

describe('a short pattern', () => {
  const [a, b, c] = ['a-x', 'b-x', 'c-x'].map((account) => (kind: string, name: string) => identityIn(kind, account, name)) as [
    (kind: string, name: string) => string,
    (kind: string, name: string) => string,
    (kind: string, name: string) => string,
  ]
  const several = namesOf(described(a('user', 'bob'), b('user', 'bea'), c('group', 'ops')))
  const quoted = (urns: readonly string[]) => `write one of them: ${urns.map((urn) => `\`${urn}\``).join(', ')}`

  test('lists what it matches in several accounts', () => {
    expect(several.identity('user/*')).toEqual({
      text: 'user/*',
      problem: {
        message: 'identity pattern `user/*` matches identities of several accounts or kinds',
        help: quoted([a('user', '*'), b('user', '*')]),
      },
    })
  })

  test('that matches nothing lists the first five that it may mean', () => {
    expect(several.identity('zz*')).toEqual({
      text: 'zz*',
      problem: {
        message: 'identity pattern `zz*` may mean identities of several accounts or kinds',
        help: quoted([a('credential', 'zz*'), b('credential', 'zz*'), c('credential', 'zz*'), a('group', 'zz*'), b('group', 'zz*')]),
      },
    })
  })

  test('stands for the one in which it matches', () => {
    expect(several.identity('be*')).toEqual({ text: b('user', 'be*') })
    expect(several.identity('group/*')).toEqual({ text: c('group', '*') })
  })

  test('may name the account', () => {
    expect(several.identity('user/b-x/*')).toEqual({ text: b('user', '*') })
    expect(named().identity('user/ab12-svc/b*')).toEqual({ text: user('b*') })
    expect(named().identity('user/ab12-svcs*')).toEqual({ text: user('ab12-svcs*') })
  })

  test('is of resources, not of groups of resources', () => {
    expect(named().resource('dn*:*')).toEqual({ text: 'urn:v1:eu:resource:dn*:*' })
    const groups = namesOf({ resourceGroups: [{ urn: 'urn:v1:us:resourceGroup:4f0c', name: 'servers', resources: [] }] })
    expect(groups.resource('vps:*')).toEqual({
      text: 'vps:*',
      problem: {
        message: 'resource `vps:*` is a short name, and no resource that it could stand for is described or named in a policy',
        help: 'write the URN, such as `urn:v1:eu:resource:vps:*`, or describe the resources in a world file',
      },
    })
  })

  test('of resources lists the regions in order', () => {
    const regions = namesOf({ resources: ['us', 'eu', 'ca'].map((region) => ({ urn: `urn:v1:${region}:resource:vps:web` })) })
    expect(regions.resource('vps:w*').problem).toEqual({
      message: 'resource pattern `vps:w*` matches resources in the regions ca and eu and us',
      help: quoted(['ca', 'eu', 'us'].map((region) => `urn:v1:${region}:resource:vps:w*`)),
    })
  })
})

test('a line of a batch is read as the question of three arguments is', () => {
  const names = named()
  const identities = ['user/bob', 'bob', 'ann', 'ops', 'anm', 'an*', 'account', user('nobody'), 'urn:v1:eu', 'a b', '']
  const resources = ['vps:web', 'web', 'db', 'web servers', 'vps', 'vps:*', 'urn:v1:eu:resource:vps:new', 'x:y']
  const groups = [[], ['ops'], ['bob'], ['nobody'], [group('new')]]
  const seen = new Set<boolean>()
  for (const identity of identities)
    for (const resource of resources)
      for (const action of ['vps:apisvc:get', 'vps:get'])
        for (const list of groups) {
          const context = { at: 0, groups: list }
          const line = readBatchQuestion({ identity, action, resource, groups: list }, { at: 0, groups: [] }, defaultSettings, names)
          const { question, problems } = readCan([identity, action, resource], { context, problems: [] }, names, defaultSettings)
          const asked = problems.length > 0 ? undefined : question
          expect(typeof line === 'string' ? undefined : line.question, JSON.stringify([identity, action, resource, list])).toEqual(asked)
          seen.add(asked === undefined)
        }
  expect(seen.size).toBe(2)
})
