import { allow, ann, decides, deny, group, permissionsGroup, policy, reboot, under, unknown, user, web } from './build.mjs'

const plain = policy({ allow: reboot })
const denying = policy({ name: 'd', deny: reboot })
const everything = policy({ name: 'a', allow: '*' })

/** A policy that has these fields besides, or instead. */
const having = (fields, base = plain) => ({ policies: [{ ...base, ...fields }] })
const without = (key, base = plain) => Object.fromEntries(Object.entries(base).filter(([each]) => each !== key))

export const section = 'Records'
export const cases = [
  under(
    '`name`, `description`, `identities`',
    decides('all of them', having({ description: 'restarts' }), allow()),
    decides('a name of many words', having({ name: 'who may restart what, and why: a «name»' }), allow()),
    decides('two policies of one name', { policies: [plain, { ...denying, name: plain.name }] }, deny()),
    decides('a description that speaks of another verdict', having({ description: 'deny everything' }), allow()),
    decides('no identities', having({ identities: [] }), deny()),
    decides('no resources', having({ resources: [] }), deny()),
    decides('no permissions', having({ permissions: {} }), deny()),
    decides('no actions', having({ permissions: { allow: [] } }), deny()),
    decides(
      'several of each',
      having({
        identities: [user('bob'), ann],
        resources: [{ urn: 'urn:v1:eu:resource:vps:db-1' }, { urn: web }],
        permissions: { allow: [{ action: 'vps:apisvc:get' }, { action: reboot }] },
      }),
      allow(),
      allow({ who: user('bob'), on: 'urn:v1:eu:resource:vps:db-1', action: 'vps:apisvc:get' }),
      deny({ who: user('eve') }),
    ),
    decides('no policies', { policies: [] }, deny()),
    decides('a policy that denies without identities', { policies: [everything, { ...denying, identities: [] }] }, allow()),
    decides('a policy that denies without resources', { policies: [everything, { ...denying, resources: [] }] }, allow()),
    decides('a policy that denies without actions', { policies: [everything, { ...denying, permissions: { deny: [] } }] }, allow()),
  ),
  under(
    '`permissions.except`, `permissions.deny`',
    decides('`except` only', having({ permissions: { except: [{ action: reboot }] } }), deny()),
    decides('`deny` only', { policies: [everything, denying] }, deny()),
    decides(
      'all three lists',
      having({
        permissions: {
          allow: [{ action: 'vps:*' }],
          except: [{ action: 'vps:apisvc:reinstall' }],
          deny: [{ action: 'vps:apisvc:terminate' }],
        },
      }),
      allow(),
      deny({ action: 'vps:apisvc:reinstall' }),
      deny({ action: 'vps:apisvc:terminate' }),
    ),
    decides(
      '`permissionsGroups` only',
      {
        policies: [{ ...without('permissions'), permissionsGroups: [{ urn: permissionsGroup('care') }] }],
        permissionsGroups: [{ urn: permissionsGroup('care'), name: 'care', permissions: { allow: [{ action: reboot }] } }],
      },
      allow(),
    ),
    decides('no `permissionsGroups` in the list', having({ permissionsGroups: [] }), allow()),
    decides('`conditions` that hold', having({ conditions: { operator: 'MATCH', values: { 'resource.Name': 'web-1' } } }), allow()),
    decides('`conditions` that do not hold', having({ conditions: { operator: 'MATCH', values: { 'resource.Name': 'web-2' } } }), deny()),
    decides('`expiredAt` ahead', having({ expiredAt: '2030-01-01T00:00:00Z' }), allow()),
    decides('`expiredAt` behind', having({ expiredAt: '2020-01-01T00:00:00Z' }), deny()),
    decides(
      '`conditions` that hold and `expiredAt` behind',
      having({ conditions: { operator: 'AND', conditions: [] }, expiredAt: '2020-01-01T00:00:00Z' }),
      deny(),
    ),
    decides(
      '`conditions` on an address, with `expiredAt` ahead',
      having({ conditions: { operator: 'MATCH', values: { 'request.IP': '192.0.2.1' } }, expiredAt: '2030-01-01T00:00:00Z' }),
      unknown('request.IP'),
      allow({ ip: '192.0.2.1' }),
    ),
  ),
  under(
    '`id`, `owner`, `readOnly`',
    [
      ['id', '0f0e0d0c-1111-4222-8333-444455556666'],
      ['owner', 'ab12-svc'],
      ['owner', 'cd34-svc'],
      ['readOnly', true],
      ['readOnly', false],
      ['createdAt', '2031-01-01T00:00:00Z'],
      ['updatedAt', '2020-01-01T00:00:00Z'],
      ['updatedAt', null],
    ].flatMap(([key, value]) => [
      decides(`\`${key}\`: ${value}`, having({ [key]: value }), allow(), deny({ action: 'vps:apisvc:get' })),
      decides(`\`${key}\`: ${value}, of a policy that denies`, { policies: [everything, { ...denying, [key]: value }] }, deny()),
    ]),
    decides(
      'all of them',
      having({
        id: 'a1',
        owner: 'ab12-svc',
        readOnly: true,
        createdAt: '2024-01-01T00:00:00Z',
        updatedAt: '2024-02-01T00:00:00Z',
      }),
      allow(),
    ),
    decides(
      'details of a resource, as the service lists them',
      having({
        resources: [
          { id: 'r1', urn: web, resource: { id: 'r1', urn: web, name: 'web-1', displayName: 'Web', type: 'vps', owner: 'ab12-svc' } },
        ],
      }),
      allow(),
    ),
    decides(
      'the tags of a resource, as the service lists them',
      having({
        resources: [{ urn: web, resource: { urn: web, name: 'web-1', type: 'vps', tags: { env: 'prod' } } }],
        conditions: { operator: 'MATCH', values: { 'resource.Tag(env)': 'prod' } },
      }),
      allow(),
    ),
    decides(
      'a group with its id and its owner',
      {
        policies: [{ ...without('permissions'), permissionsGroups: [{ urn: permissionsGroup('care') }] }],
        permissionsGroups: [
          {
            urn: permissionsGroup('care'),
            name: 'care',
            description: 'restarts',
            id: 'g1',
            owner: 'ab12-svc',
            readOnly: true,
            createdAt: '2024-01-01T00:00:00Z',
            updatedAt: null,
            permissions: { allow: [{ action: reboot }], except: null, deny: null },
          },
        ],
      },
      allow(),
    ),
    decides(
      'a resource group with its id and its owner',
      {
        policies: [{ ...plain, resources: [{ urn: 'urn:v1:eu:resourceGroup:shop' }] }],
        resourceGroups: [
          {
            urn: 'urn:v1:eu:resourceGroup:shop',
            id: 'shop',
            name: 'shop',
            owner: 'ab12-svc',
            readOnly: false,
            createdAt: '2024-01-01T00:00:00Z',
            resources: [{ id: 'r1', urn: web }],
          },
        ],
      },
      allow(),
    ),
    decides(
      'an identity that the world describes without groups',
      { policies: [plain], identities: [{ urn: ann }] },
      allow(),
      deny({ who: user('bob') }),
    ),
    decides(
      'an identity of a group that no policy names',
      { policies: [plain], identities: [{ urn: ann, groups: [group('audit')] }] },
      allow(),
    ),
  ),
]
