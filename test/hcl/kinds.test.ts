import { describe, expect, test } from 'vitest'
import { disallowedShape, shapeOfReference } from '../../src/hcl/kinds.ts'
import { ask, inFolder, lintFolder, run } from '../support/configurations.ts'

describe('what a reference yields is known by its type and attribute', () => {
  test.each([
    ['data.svc_me.x.urn', 'urn:v1:*:resource:account:*'],
    ['svc_me_identity_group.x.urn', 'urn:v1:*:identity:group:*/*'],
    ['data.svc_me_identity_group.x.urn', 'urn:v1:*:identity:group:*/*'],
    ['svc_me_identity_user.x.urn', 'urn:v1:*:identity:user:*/*'],
    ['data.svc_me_identity_user.x.urn', 'urn:v1:*:identity:user:*/*'],
    ['svc_me_api_oauth2_client.x.identity', 'urn:v1:*:identity:credential:*/oauth2-*'],
    ['data.svc_me_api_oauth2_client.x.identity', 'urn:v1:*:identity:credential:*/oauth2-*'],
    ['data.svc_iam_permissions_group.x.urn', 'urn:v1:*:permissionsGroup:*:*'],
    ['data.svc_iam_resource_group.x.urn', 'urn:v1:*:resourceGroup:*'],
    ['svc_cloud_project.x.urn', 'urn:v1:*:resource:publicCloudProject:*'],
    ['data.svc_cloud_project.x.iam.urn', 'urn:v1:*:resource:publicCloudProject:*'],
    ['data.svc_cloud_project.x.iam.0.urn', 'urn:v1:*:resource:publicCloudProject:*'],
    ['data.svc_dbaas_logs_cluster.x.urn', 'urn:v1:*:resource:ldp:*'],
    ['data.svc_dedicated_server.x.urn', 'urn:v1:*:resource:dedicatedServer:*'],
    ['svc_domain_zone.x.urn', 'urn:v1:*:resource:dnsZone:*'],
    ['svc_iploadbalancing.x.urn', 'urn:v1:*:resource:loadbalancer:*'],
    ['svc_okms.x.iam.urn', 'urn:v1:*:resource:okms:*'],
    ['svc_vps.x.iam.urn', 'urn:v1:*:resource:vps:*'],
    ['svc_vrack.x.urn', 'urn:v1:*:resource:vrack:*'],
    ['svc_something_new.x.iam.urn', 'urn:v1:*:resource:*:*'],
    ['svc_me_api_oauth2_client.x.client_id', undefined],
    ['svc_cloud_project.x.constructor', undefined],
    ['svc_constructor.x.urn', undefined],
    ['svc_something_new.x.urn', undefined],
    ['acme_me_identity_group.x.urn', undefined],
    ['data.http.x.body', undefined],
    ['var.x', undefined],
    ['abc_me_identity_group.x.urn', undefined],
    ['svcx_me_identity_group.x.urn', undefined],
    ['me_identity_group.x.urn', undefined],
  ])('%s', (reference, shape) => {
    expect(shapeOfReference(reference.split('.'), 'svc')?.join('*')).toBe(shape)
  })
})

test.each<[list: string, shape: readonly string[], expected: string | undefined]>([
  ['identities', ['urn:v1:', ':identity:user:', '/', ''], undefined],
  ['identities', ['urn:v1:', ':resource:vps:', ''], 'a resource'],
  ['identities', ['urn:v1:', ':resourceGroup:', ''], 'a resource group'],
  ['identities', ['urn:v1:', ':permissionsGroup:', ':', ''], 'a permissions group'],
  ['resources', ['urn:v1:', ':resource:vps:', ''], undefined],
  ['resources', ['urn:v1:', ':resourceGroup:', ''], undefined],
  ['resources', ['urn:v1:', ':identity:group:', '/', ''], 'an identity'],
  ['permissionsGroups', ['urn:v1:', ':permissionsGroup:', ':', ''], undefined],
  ['permissionsGroups', ['urn:v1:', ':identity:group:', '/', ''], 'an identity'],
  ['description', ['urn:v1:', ':identity:group:', '/', ''], undefined],
  ['identities', ['urn:v1:', ':other:', ''], undefined],
  ['identities', [], undefined],
])('in the list %s the shape %j is %s', (list, shape, expected) => expect(disallowedShape(list, shape)).toBe(expected))

const policy = (identities: string, resources: string, more = '') => `resource "svc_iam_policy" "p" {
  name       = "p"
  identities = ${identities}
  resources  = ${resources}
  allow      = ["vps:apisvc:get"]
${more}}
`
const anybody = '["urn:v1:eu:identity:user:ab12-svc/*", "urn:v1:eu:identity:group:ab12-svc/*", "urn:v1:eu:identity:credential:ab12-svc/*"]'
const anything = '["urn:v1:eu:resource:*"]'
const verdicts = (text: string, questions: readonly string[]) =>
  inFolder(new Map([['main.tf', text]]), async (folder) => (await ask(folder, questions)).map(({ verdict }) => verdict).join(' '))

describe('an identity of which the kind is known', () => {
  const questions = [
    'ann vps:apisvc:get vps:vps-1',
    'ann@ops vps:apisvc:get vps:vps-1',
    'oauth2-robot vps:apisvc:get vps:vps-1',
    'oauth2-robot@ops vps:apisvc:get vps:vps-1',
  ]

  test.each([
    ['[svc_me_identity_group.x.urn]', 'deny unknown deny unknown'],
    ['[svc_me_identity_user.x.urn]', 'unknown unknown deny deny'],
    ['[svc_me_api_oauth2_client.x.identity]', 'deny deny unknown unknown'],
    ['[svc_me_identity_group.x["a"].urn]', 'deny unknown deny unknown'],
    ['[for each in ["a", "b"] : svc_me_identity_group.x[each].urn]', 'deny unknown deny unknown'],
    ['svc_me_identity_group.x[*].urn', 'deny unknown deny unknown'],
    ['[for each in svc_me_identity_group.x : each.urn]', 'deny unknown deny unknown'],
    ['[svc_me_identity_group.x[var.name].urn]', 'deny unknown deny unknown'],
    ['["${svc_me_identity_group.x.urn}"]', 'deny unknown deny unknown'],
    ['[local.group]', 'deny unknown deny unknown'],
    ['[var.on ? svc_me_identity_group.x.urn : svc_me_identity_group.y.urn]', 'deny unknown deny unknown'],
    ['[var.name]', 'unknown unknown unknown unknown'],
  ])('is only of that kind: %s', async (identities, expected) => {
    const names = 'variable "name" {}\nvariable "on" {}\nlocals {\n  group = svc_me_identity_group.x.urn\n}\n'
    expect(await verdicts(names + policy(identities, anything), questions)).toBe(expected)
  })

  test('goes into modules', () =>
    inFolder(
      new Map([
        ['main.tf', 'module "team" {\n  source = "./team"\n  group  = svc_me_identity_group.x.urn\n}\n'],
        ['team/main.tf', `variable "group" {\n  type = string\n}\n${policy('[var.group]', anything)}`],
      ]),
      async (folder) => expect((await ask(folder, questions)).map(({ verdict }) => verdict).join(' ')).toBe('deny unknown deny unknown'),
    ))
})

describe('a resource of which the type is known', () => {
  const questions = [
    'ann vps:apisvc:get vps:vps-1',
    'ann vps:apisvc:get publicCloudProject:p',
    'ann vps:apisvc:get account:ab12-svc',
    'ann vps:apisvc:get ldp:ldp-1',
  ]

  test.each([
    ['[svc_cloud_project.x.urn]', 'deny unknown deny deny'],
    ['[data.svc_cloud_project.x.iam[0].urn]', 'deny unknown deny deny'],
    ['[data.svc_me.x.urn]', 'deny deny unknown deny'],
    ['[svc_vps.x.iam.urn]', 'unknown deny deny deny'],
    ['[svc_something_new.x.iam.urn]', 'unknown unknown unknown unknown'],
    ['[data.svc_iam_resource_group.x.urn]', 'unknown unknown unknown unknown'],
    ['[svc_something_new.x.urn]', 'unknown unknown unknown unknown'],
  ])('is only of that type: %s', async (resources, expected) => {
    expect(await verdicts(policy(anybody, resources), questions)).toBe(expected)
  })
})

describe('rules', () => {
  test.each([
    [policy('[data.svc_me.x.urn]', anything), 'identity-urn `data.svc_me.x.urn` is the URN of a resource, where an identity is expected'],
    [
      policy(anybody, '[svc_me_identity_group.x.urn]'),
      'resource-urn `svc_me_identity_group.x.urn` is the URN of an identity, where a resource or a resource group is expected',
    ],
    [
      policy(anybody, anything, '  permissions_groups = [svc_cloud_project.x.urn]\n'),
      'permissions-group-urn `svc_cloud_project.x.urn` is the URN of a resource, where a permissions group is expected',
    ],
  ])('say where one of another kind is: %#', (text, finding) =>
    inFolder(new Map([['main.tf', text]]), async (folder) => {
      const { findings } = await lintFolder(folder)
      expect(findings.map(({ code, message }) => `${code} ${message}`)).toContain(finding)
      expect(
        await run(folder, ['can', 'urn:v1:eu:identity:user:ab12-svc/ann', 'vps:apisvc:get', 'urn:v1:eu:resource:vps:v', '--no-config']),
      ).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(finding.split(' ').slice(1).join(' ')),
      })
    }),
  )

  test('say nothing where the kinds are right', () =>
    inFolder(
      new Map([
        [
          'main.tf',
          policy(
            '[svc_me_identity_group.x.urn, svc_me_api_oauth2_client.x.identity]',
            '[data.svc_me.x.urn, data.svc_iam_resource_group.x.urn]',
          ),
        ],
      ]),
      async (folder) => expect((await lintFolder(folder)).findings).toEqual([]),
    ))
})
