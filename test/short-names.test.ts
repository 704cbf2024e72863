import { describe, expect, test } from 'vitest'
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
    expect(names.identity('bob').problem?.message).toBe(`identity \`bob\` may be any of 2: \`${group('bob')}\`, \`${user('bob')}\``)
  })

  test('that may mean several things, or nothing, say so', () => {
    expect(names.resource('web').problem?.message).toContain('may be any of 2')
    expect(names.identity('anm').problem?.help).toBe('did you mean `ann`?')
    expect(names.resource('vsp:web').problem?.help).toBe('did you mean `vps:web`?')
  })
})
