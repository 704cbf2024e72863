import { describe, expect, test } from 'vitest'
import { readCan } from '../src/ask/can.ts'
import { defaultSettings } from '../src/names.ts'
import { readBatchQuestion } from '../src/simulate/question.ts'
import { ShortNames } from '../src/simulate/short-names.ts'
import { worldOf } from './support/worlds.ts'

const user = (name: string) => `urn:v1:eu:identity:user:ab12-svc/${name}`
const group = (name: string) => `urn:v1:eu:identity:group:ab12-svc/${name}`
const names = new ShortNames(
  worldOf({
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
  }),
)

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
    expect(names.identity(text)).toEqual({ text: urn })
  })

  test.each([
    ['vps:web', 'urn:v1:eu:resource:vps:web'],
    ['db', 'urn:v1:eu:resource:vps:db'],
    ['member', 'urn:v1:eu:resource:vps:member'],
    ['web servers', 'urn:v1:eu:resourceGroup:4f0c'],
    ['vps:*', 'urn:v1:eu:resource:vps:*'],
  ])('of resources: %s', (text, urn) => {
    expect(names.resource(text)).toEqual({ text: urn })
  })

  test('of groups, without the kind: of a user and a group of one name it is the group', () => {
    expect(names.group('bob')).toEqual({ text: group('bob') })
    expect(names.identity('bob').problem?.message).toBe('identity `bob` may be any of 2: `group/bob`, `user/bob`')
  })

  test('that may mean several things, or nothing, say so', () => {
    const which = names.resource('web').problem?.message ?? ''
    expect(which).toContain('may be any of 2')
    const offered = [...which.matchAll(/`([^`]+)`/g)].flatMap(([, name = '']) => (name === 'web' ? [] : [names.resource(name).text]))
    expect(offered).toHaveLength(2)
    expect(new Set(offered).size).toBe(2)
    expect(offered.every((urn) => urn.startsWith('urn:'))).toBe(true)
    expect(names.identity('anm').problem?.help).toBe('did you mean `ann`?')
    expect(names.resource('vsp:web').problem?.help).toBe('did you mean `vps:web`?')
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

test('a line of a batch is read as the question of three arguments is', () => {
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
