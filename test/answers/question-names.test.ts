import { describe, expect, test } from 'vitest'
import { loadCatalogue } from '../../src/actions/load.ts'
import { nearest } from '../../src/nearest.ts'
import { type AskedNames, unknownNames } from '../../src/report/unknown-names.ts'
import { ShortNames } from '../../src/simulate/short-names.ts'
import { worldOf } from '../support/worlds.ts'

const identity = (name: string) => `urn:v1:eu:identity:${name.replace('/', ':ab12-svc/')}`
const policies = [
  {
    name: 'p',
    identities: [identity('group/ops'), identity('user/eve'), identity('user/dev-*')],
    resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
    permissions: { allow: [{ action: 'vps:*' }] },
  },
]
const described = worldOf({
  account: 'ab12-svc',
  policies,
  identities: [
    { urn: identity('user/bob'), groups: [identity('group/audit')] },
    { urn: identity('user/alice'), groups: [] },
  ],
})
const catalogue = loadCatalogue('svc')
const notes = (asked: AskedNames, more: object = {}, world = described) =>
  unknownNames(asked, { catalogue, brand: 'svc', names: new ShortNames(world), ...more })

describe('identities and groups in a question', () => {
  test.each([
    ['user/boob', 'the identity `user/boob` is neither described nor named in a policy: did you mean `user/bob`?'],
    ['user/evee', 'the identity `user/evee` is neither described nor named in a policy: did you mean `user/eve`?'],
    ['user/ops', 'the identity `user/ops` is neither described nor named in a policy: did you mean `group/ops`?'],
    ['user/zed', 'the identity `user/zed` is neither described nor named in a policy: it may be a typo'],
  ])('%s is noted', (name, note) => {
    expect(notes({ identity: identity(name) })).toEqual([note])
  })

  test('an owner is compared with the accounts that the world knows', () => {
    expect(notes({ owner: 'ab12-svc' })).toEqual([])
    expect(notes({ owner: 'ab21-svc' })).toEqual([
      'the account `ab21-svc` is neither described nor named in a policy: did you mean `ab12-svc`?',
    ])
    expect(notes({ owner: 'zz99-xyz' })).toEqual([expect.stringContaining('it may be a typo')])
    expect(notes({ owner: 'zz99-xyz' }, { isDecided: true })).toEqual([])
    expect(notes({ owner: 'ab21-svc' }, {}, worldOf({ policies: [] }))).toEqual([])
  })

  test('the account is compared too', () => {
    expect(notes({ identity: 'urn:v1:eu:identity:user:ab21-svc/bob' })).toEqual([expect.stringContaining('did you mean `user/bob`?')])
  })

  test('a group that is given is compared with those of members and of policies', () => {
    expect(notes({ groups: [identity('group/opps'), identity('group/audit')] })).toEqual([
      'the group `group/opps` is neither described nor named in a policy: did you mean `group/ops`?',
    ])
  })

  test.each(['user/bob', 'group/audit', 'group/ops', 'user/eve', 'user/dev-7', 'user/b*'])('%s is known', (name) => {
    expect(notes({ identity: identity(name) })).toEqual([])
  })

  test('the account itself is known', () => {
    expect(notes({ identity: 'urn:v1:eu:identity:account:ab12-svc' })).toEqual([])
  })

  test('nothing is noted where no identity is described', () => {
    expect(notes({ identity: identity('user/boob'), groups: [identity('group/opps')] }, {}, worldOf({ policies }))).toEqual([])
  })

  test('where an entry decided, only a sure typo is noted', () => {
    expect(notes({ identity: identity('user/zed') }, { isDecided: true })).toEqual([])
    expect(notes({ identity: identity('user/alicce') }, { isDecided: true })).toHaveLength(1)
  })
})

describe('patterns over actions', () => {
  test.each([
    ['vsp:*', 'did you mean `vps:*`?'],
    ['vps:apisvc:snapshots/*', 'did you mean `vps:apisvc:snapshot/*`?'],
    ['*:terminat', 'did you mean `*:terminate`?'],
    ['*/gett', 'did you mean `*/get`?'],
    ['vps:apisvc:zzzz*', 'it may be a typo, or newer than the catalogue'],
  ])('%s matches nothing', (action, meant) => {
    expect(notes({ action })).toEqual([expect.stringMatching(/^`.*` matches no action in the catalogue of \d{4}-\d\d: /)])
    expect(notes({ action })[0]).toContain(meant)
  })

  test.each(['*', 'vps:*', '*:terminate', 'vps:apisvc:re*', 'publicCloudProject:openstack:*'])('%s is not noted', (action) => {
    expect(notes({ action })).toEqual([])
  })

  test('types in patterns over resources are not judged beyond a wildcard', () => {
    expect(notes({ resource: 'urn:v1:eu:resource:vsp:*' })).toEqual([expect.stringContaining('did you mean `vps`?')])
    expect(notes({ resource: 'urn:v1:eu:resource:vsp*' })).toEqual([])
    expect(notes({ resource: 'urn:v1:eu:resource:*' })).toEqual([])
    expect(notes({ resource: 'urn:v1:eu:resourceGroup:4f0c' })).toEqual([])
  })
})

test('of two words at one letter the one with swapped letters is nearer', () => {
  expect(nearest('vsp', ['vip', 'vps'])).toBe('vps')
  expect(nearest('vsp', ['vps', 'vip'])).toBe('vps')
})
