import { expect, test } from 'vitest'
import { loadCatalogue } from '../../src/actions/load.ts'
import { loadOperations } from '../../src/actions/operations.ts'
import { place } from '../../src/diagnostic.ts'
import { readSeed, type Seed } from '../../src/emulator/control/seed.ts'
import { withoutOrigin } from '../../src/emulator/model/origins.ts'
import type { Records } from '../../src/emulator/model/records.ts'
import { openState } from '../../src/emulator/model/state.ts'
import { createService } from '../../src/emulator/service.ts'
import { defaultSettings } from '../../src/names.ts'
import { sourceOf } from '../../src/source.ts'
import { testPorts } from '../support/service.ts'

const operations = loadOperations(defaultSettings.brand)
const catalogue = loadCatalogue(defaultSettings.brand)
const robot = 'urn:v1:eu:identity:credential:ab12-svc/oauth2-EU.robot'

function seedOf(...files: readonly unknown[]): Promise<Seed> {
  const sources = files.map((file, i) => ({
    source: sourceOf(`${i}.${typeof file === 'string' ? 'yaml' : 'json'}`, typeof file === 'string' ? file : JSON.stringify(file)),
    mayBeOther: false,
  }))
  return readSeed(sources, defaultSettings, testPorts(), operations)
}

/** The records of a kind, without their places in files. */
function recordsOf<K extends keyof Records>({ changes }: Seed, kind: K): readonly Records[K][] {
  const withoutPlaces = ({ origin: _, ...record }: Records[K] & { readonly origin?: unknown }) => record as Records[K]
  return changes.flatMap((change) => (change.kind === kind ? [withoutPlaces(change.value as Records[K])] : []))
}

const problemsOf = ({ diagnostics }: Seed) => diagnostics.map(({ span, message }) => `${span.source.path}@${span.start} ${message}`)

const policy = (fields: Readonly<Record<string, unknown>> = {}) => ({
  name: 'reads',
  identities: [robot],
  resources: [{ urn: 'urn:v1:eu:resource:*' }],
  permissions: { allow: [{ action: 'webHosting:apisvc:get' }] },
  ...fields,
})

test('without files there is one account with one service account, whose secret is made up and kept nowhere', async () => {
  const seed = await seedOf()
  expect(recordsOf(seed, 'account')).toEqual([{ id: 'ab12-svc', region: 'eu', schemasVersion: 1 }])
  const [made] = seed.madeUp
  expect(seed.madeUp.length).toBe(1)
  expect(made?.identity).toBe(`urn:v1:eu:identity:credential:ab12-svc/oauth2-${made?.clientId}`)
  expect(JSON.stringify(seed.changes)).not.toContain(made?.secret)
})

test('the service accounts that policies name are there', async () => {
  const seed = await seedOf(policy())
  expect(recordsOf(seed, 'serviceAccount')).toMatchObject([{ clientId: 'EU.robot', identity: robot, account: 'ab12-svc' }])
  expect(recordsOf(seed, 'policy')).toMatchObject([{ account: 'ab12-svc', written: policy(), readOnly: false, updatedAt: null }])
})

test('what a seed says decides as it does elsewhere', async () => {
  const seed = await seedOf({
    account: 'ab12-svc',
    policies: [
      policy({ resources: [{ urn: 'urn:v1:eu:resourceGroup:0e2dd1a1-0b1c-4b3e-9f0a-8b6d4a3c2e10' }] }),
      policy({
        name: 'tagged',
        conditions: { operator: 'MATCH', values: { 'resource.Tag(team)': 'web' } },
        permissionsGroups: [{ urn: 'urn:v1:eu:permissionsGroup:ab12-svc:care' }],
      }),
    ],
    resourceGroups: [{ id: '0e2dd1a1-0b1c-4b3e-9f0a-8b6d4a3c2e10', resources: [{ urn: 'urn:v1:eu:resource:webHosting:one' }] }],
    permissionsGroups: [{ urn: 'urn:v1:eu:permissionsGroup:ab12-svc:care', permissions: { allow: [{ action: 'vps:*' }] } }],
    resources: [
      { urn: 'urn:v1:eu:resource:vps:vps-1', tags: { team: 'web' } },
      { urn: 'urn:v1:eu:resource:vps:vps-2', tags: {} },
    ],
  })
  expect(problemsOf(seed)).toEqual([])
  const state = openState()
  state.commit(seed.changes)
  const service = createService({ settings: defaultSettings, ports: testPorts(), state, catalogue, operations })
  const { engine } = service.worldOf('ab12-svc')
  const verdict = (action: string, resource: string) =>
    engine.verdict({ identity: robot, action, resource: `urn:v1:eu:resource:${resource}`, at: 0, groups: [] })
  expect(verdict('webHosting:apisvc:get', 'webHosting:one')).toBe('allow')
  expect(verdict('vps:apisvc:get', 'vps:vps-1')).toBe('allow')
  expect(verdict('vps:apisvc:get', 'vps:vps-2')).toBe('deny')
  expect(verdict('vps:apisvc:get', 'vps:vps-3')).toBe('unknown')
})

test('a policy belongs to its owner, else to the account of its file; else it is not known whose it is', async () => {
  const accounts = `standIn:
  accounts:
    - { id: ab12-svc, region: eu }
    - { id: cd34-svc, region: ca, schemasVersion: 2 }
`
  const seed = await seedOf(accounts, { account: 'cd34-svc', policies: [policy(), policy({ name: 'other', owner: 'ab12-svc' })] })
  expect(problemsOf(seed)).toEqual([])
  expect(recordsOf(seed, 'policy').map(({ account }) => account)).toEqual(['cd34-svc', 'ab12-svc'])
  expect(recordsOf(seed, 'account')[1]).toEqual({ id: 'cd34-svc', region: 'ca', schemasVersion: 2 })
  const open = await seedOf(accounts, policy())
  expect(problemsOf(open)).toEqual(['1.json@0 which account this belongs to is not specified, and there are several'])
  expect(open.changes).toEqual([])
})

test('each file may be of an account of its own', async () => {
  const of = (account: string) => ({
    account,
    policies: [policy({ name: account })],
    resources: [{ urn: `urn:v1:eu:resource:vps:${account}` }],
  })
  const seed = await seedOf(of('ab12-svc'), of('cd34-svc'))
  expect(problemsOf(seed)).toEqual([])
  expect(recordsOf(seed, 'policy').map(({ account }) => account)).toEqual(['ab12-svc', 'cd34-svc'])
  expect(recordsOf(seed, 'inventory').map(({ owner }) => owner)).toEqual(['ab12-svc', 'cd34-svc'])
  expect(problemsOf(await seedOf('account: ab12-svc\n---\naccount: cd34-svc\n')).length).toBe(1)
})

test('an account whose region is not said is of that of its identities, and so are its service accounts', async () => {
  const far = 'urn:v1:ca:identity:credential:cd34-svc/oauth2-CA.robot'
  for (const file of [
    { account: 'cd34-svc', policies: [policy({ identities: [far] })] },
    policy({ owner: 'cd34-svc', identities: [far] }),
  ]) {
    const seed = await seedOf(file)
    expect(recordsOf(seed, 'account')).toMatchObject([{ id: 'cd34-svc', region: 'ca' }])
    expect(recordsOf(seed, 'serviceAccount')).toMatchObject([{ identity: far }])
  }
})

const stateful = (more: object = {}) => ({
  urn: 'urn:v1:eu:resource:vrackServices:a',
  path: '/v2/vrackServices/resource/a',
  currentState: {},
  ...more,
})
const twoAccounts = {
  standIn: {
    accounts: [
      { id: 'ab12-svc', region: 'eu' },
      { id: 'cd34-svc', region: 'eu' },
    ],
  },
}

test.each<[string, readonly unknown[]]>([
  ['its `owner`', [twoAccounts, { standIn: { resources: [stateful({ owner: 'cd34-svc' })] } }]],
  ['the `account` of its file', [twoAccounts, { account: 'cd34-svc', standIn: { resources: [stateful()] } }]],
  [
    'the owner in the inventory',
    [{ resources: [{ urn: stateful().urn, owner: 'cd34-svc' }], ...twoAccounts }, { standIn: { resources: [stateful()] } }],
  ],
])('among several accounts a resource with a state belongs to %s, in the inventory too', async (_what, files) => {
  const seed = await seedOf(...files)
  expect(problemsOf(seed)).toEqual([])
  expect(recordsOf(seed, 'asset')).toMatchObject([{ account: 'cd34-svc', region: 'eu' }])
  expect(recordsOf(seed, 'inventory')).toEqual([{ urn: stateful().urn, owner: 'cd34-svc', tags: null }])
})

test('whose a resource is must be said, once, and of an account that is there', async () => {
  const said = async (...files: readonly unknown[]) => problemsOf(await seedOf(...files)).join()
  const { urn } = stateful()
  expect(await said(twoAccounts, { standIn: { resources: [stateful()] } })).toContain('which account this belongs to is not specified')
  expect(await said(twoAccounts, { standIn: { resources: [stateful({ owner: 'xx99-svc' })] } })).toContain(
    'there is no account `xx99-svc` here',
  )
  expect(
    await said(twoAccounts, { resources: [{ urn, owner: 'ab12-svc' }], standIn: { resources: [stateful({ owner: 'cd34-svc' })] } }),
  ).toContain('belongs to `cd34-svc` and to `ab12-svc`')
  const listing = (account: string) => ({ account, resources: [{ urn }] })
  expect(await said(listing('ab12-svc'), listing('cd34-svc'))).toContain('is listed by the files of `ab12-svc` and of `cd34-svc`')
})

test('a policy of one account that describes a resource does not make it its own', async () => {
  const urn = 'urn:v1:eu:resource:vps:vps-1'
  const tagged = policy({ resources: [{ urn, resource: { tags: { a: 'b' } } }] })
  const seed = await seedOf({ account: 'ab12-svc', policies: [tagged] }, { account: 'cd34-svc', resources: [{ urn }] })
  expect(problemsOf(seed)).toEqual([])
  expect(recordsOf(seed, 'inventory')).toEqual([{ urn, owner: 'cd34-svc', tags: { a: 'b' } }])
})

test('a path that no call can have is refused', async () => {
  const resource = { urn: 'urn:v1:eu:resource:vrackServices:a', path: '/v2/vrackServices/resource/\ud800', currentState: {} }
  const [problem] = problemsOf(await seedOf({ standIn: { resources: [resource] } }))
  expect(problem).toMatch('`path` is not that of a resource with a target state')
})

test('a document of the emulator may be next to policies, and after others', async () => {
  const seed = await seedOf(`account: ab12-svc
resources:
  - urn: urn:v1:eu:resource:vps:vps-1
standIn:
  serviceAccounts:
    - identity: ${robot}
      secret: "a secret"
      name: robot
---
standIn:
  applications:
    - { name: shop, description: sells, key: AK, secret: AS }
`)
  expect(problemsOf(seed)).toEqual([])
  expect(seed.madeUp).toEqual([])
  expect(recordsOf(seed, 'serviceAccount')).toMatchObject([{ name: 'robot', secretDigest: testPorts().digest.sha256('a secret') }])
  expect(recordsOf(seed, 'application')).toMatchObject([{ key: 'AK', secret: 'AS', name: 'shop', description: 'sells' }])
  expect(recordsOf(seed, 'inventory')).toEqual([{ urn: 'urn:v1:eu:resource:vps:vps-1', owner: 'ab12-svc', tags: null }])
})

test.each<[string, string, RegExp]>([
  ['a list', 'standIn: []', /^0\.yaml@9 `standIn` is not an object/],
  ['an unknown section', 'standIn:\n  acounts: []', /^0\.yaml@11 there is no such field/],
  ['a section that is no list', 'standIn:\n  accounts: {}', /`accounts` is not a list/],
  ['another region', 'standIn:\n  accounts: [{ id: a, region: us }]', /`us` is not a region of a host/],
  ['an account twice', 'standIn:\n  accounts: [{ id: a, region: eu }, { id: a, region: ca }]', /the account `a` already exists/],
  ['a version that is none', 'standIn:\n  accounts: [{ id: a, region: eu, schemasVersion: 1.5 }]', /not a major version/],
  ['a person', 'standIn:\n  serviceAccounts: [{ identity: "urn:v1:eu:identity:user:a/b" }]', /is not a service account/],
  ['a malformed identity', 'standIn:\n  serviceAccounts: [{ identity: "urn:v1:eu:identity" }]', /`urn:v1:eu:identity`/],
  [
    'a service account of another region',
    `standIn:\n  accounts: [{ id: ab12-svc, region: ca }]\n  serviceAccounts: [{ identity: "${robot}" }]`,
    /is of region `ca`, its service account of another/,
  ],
  [
    'a service account twice',
    `standIn:\n  serviceAccounts: [{ identity: "${robot}", secret: a }, { identity: "${robot}", secret: b }]`,
    /the serviceAccount `EU\.robot` already exists/,
  ],
  ['a resource of no kind', 'standIn:\n  resources: [{ urn: "urn:v1:eu:resource:vps:a", path: /v1/vps/a, currentState: {} }]', /`path`/],
  ['an application without a secret', 'standIn:\n  applications: [{ name: a, key: b }]', /`secret` is missing/],
])('refuses %s, at its place', async (_name, text, said) => {
  const seed = await seedOf(text)
  expect(problemsOf(seed).join('\n')).toMatch(said)
  expect(seed.changes).toEqual([])
  expect(seed.madeUp).toEqual([])
})

test('an error in a policy, and two policies of one id, stop everything', async () => {
  const wrong = await seedOf(policy({ permissions: { deny: [{ action: 'no action' }] } }))
  expect(problemsOf(wrong).length).toBe(1)
  expect(wrong.changes).toEqual([])
  const twice = await seedOf([policy({ id: 'p' }), policy({ id: 'p', name: 'other' })])
  expect(problemsOf(twice).join()).toContain('the policy `p` already exists')
  expect(twice.changes).toEqual([])
})

test('policies keep their places in a file, of whose text nothing else is kept', async () => {
  const text = `account: ab12-svc
policies:
  - name: reads
    identities: [${robot}]
    resources: [{ urn: "urn:v1:eu:resource:*" }]
    permissions:
      allow:
        - action: webHosting:apisvc:get
        - action: vps:apisvc:get
---
standIn:
  serviceAccounts: [{ identity: "${robot}", secret: the-secret-of-the-robot }]
`
  const seed = await seedOf(text)
  expect(problemsOf(seed)).toEqual([])
  expect(JSON.stringify(seed.changes)).not.toContain('the-secret-of-the-robot')
  const state = openState()
  state.commit(seed.changes)
  const service = createService({ settings: defaultSettings, ports: testPorts(), state, catalogue, operations })
  const places = () =>
    service.worldOf('ab12-svc').world.policies.flatMap(({ permissions }) => permissions.allow.map(({ span }) => place(span)))
  expect(places()).toEqual(['0.yaml:8:19', '0.yaml:9:19'])
  // A policy that is not as the seed has it is in no file.
  const [policy] = [...state.table('policy').all()]
  if (!policy) throw new Error('the seed has no policy')
  state.commit([{ kind: 'policy', key: policy.id, value: withoutOrigin(policy) }])
  expect(places()).toEqual([`policy ${policy.id}:15:19`, `policy ${policy.id}:18:19`])
})
