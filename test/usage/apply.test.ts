import { describe, expect, test } from 'vitest'
import { loadCatalogue } from '../../src/actions/load.ts'
import { loadOperations } from '../../src/actions/operations.ts'
import { type ApplyNeed, applyNeeds } from '../../src/calls/apply.ts'
import { matchCall, readCall, routesOf } from '../../src/calls/match.ts'
import { policiesFor } from '../../src/calls/needed-policies.ts'
import { judgeType, providerParts, providerTypes } from '../../src/calls/provider.ts'
import { providerTable } from '../../src/calls/provider-table.ts'
import { providerTypeNames } from '../../src/calls/provider-type-names.ts'
import { plannedChanges } from '../../src/declared/changes.ts'
import type { Folder } from '../../src/hcl/declarations.ts'
import { readHcl } from '../../src/hcl/parse.ts'
import { writtenResources } from '../../src/hcl/resources.ts'
import { defaultSettings } from '../../src/names.ts'
import { treeOf } from '../../src/parser/tree.ts'
import { decide } from '../../src/simulate/decide.ts'
import type { Context } from '../../src/simulate/question.ts'
import { sourceOf } from '../../src/source.ts'
import { proofContextOf } from '../../src/suite/prove.ts'
import { applyChange, mayApply } from '../../src/usage/apply.ts'
import { untilSeen } from '../support/effort.ts'
import { testSettings } from '../support/settings.ts'
import { generate, pick, questionOf, randomOf, usualKnobs, worldOf } from '../support/worlds.ts'

const provider = providerTypes()
const catalogue = loadCatalogue()
const routes = routesOf(loadOperations())
const pipeline = 'urn:v1:eu:identity:credential:ab12-svc/oauth2-pipeline'
const context: Context = { at: Date.UTC(2026, 10, 28), groups: [] }

interface Change {
  readonly type?: string
  readonly name?: string
  readonly mode?: string
  readonly actions: readonly string[]
  readonly before?: object | null
  readonly after?: object | null
  readonly unknown?: object
}

/** A plan as `terraform show -json` writes it, with these changes. */
function planOf(changes: readonly Change[], more: object = {}) {
  return {
    format_version: '1.2',
    terraform_version: '1.11.4',
    resource_changes: changes.map(
      ({ type = 'svc_domain_zone_record', name = 'a', mode = 'managed', actions, before = null, after = null, unknown = {} }) => ({
        address: `${mode === 'data' ? 'data.' : ''}${type}.${name}`,
        mode,
        type,
        name,
        change: { actions, before, after, after_unknown: unknown, before_sensitive: {}, after_sensitive: {} },
      }),
    ),
    ...more,
  }
}

async function planned(plan: object) {
  const { documents } = await treeOf(sourceOf('plan.json', JSON.stringify(plan), 'json'))
  return plannedChanges(documents[0] as never, 'svc')
}

async function needsOf(changes: readonly Change[], identity = pipeline) {
  const about = { identity, context, resources: [], actions: [] }
  return applyNeeds((await planned(planOf(changes))).changes, { provider, prefix: 'svc', routes, catalogue }, about)
}

/** Needs in one line each: a `?` before those that are not certain. */
async function linesOf(changes: readonly Change[]) {
  const { needs, gaps } = await needsOf(changes)
  const line = ({ action, resource, isCertain }: ApplyNeed) => `${isCertain ? '' : '?'}${action} ${resource.split(':').slice(4).join(':')}`
  return { needs: needs.map(line).sort(), gaps: gaps.map(({ part, why }) => `${part ?? '-'}: ${why}`) }
}

describe('the table of calls', () => {
  const rows = providerTable.trimEnd().split('\n').slice(1)

  test('names each type once, in order, with four parts', () => {
    const names = rows.map((row) => row.split(' ')[0] as string)
    expect(names).toEqual([...new Set(names)].sort())
    expect(rows.filter((row) => (row.split(' with ')[0] as string).split(' ').length !== 6)).toEqual([])
    expect(provider.resources.size + provider.data.size).toBe(rows.length)
    expect(provider.data.size).toBe(rows.filter((row) => row.startsWith('data.')).length)
    expect(provider.seen).toMatch(/^20\d\d-\d\d$/)
  })

  test('has only types that the provider is known to have, which are named once, in order', () => {
    const names = providerTypeNames.trimEnd().split('\n')
    expect(names).toEqual([...new Set(names)].sort())
    expect([...provider.resources.keys()].filter((name) => !provider.names.has(name))).toEqual([])
    expect([names.length, provider.resources.size]).toEqual([245, 78])
  })

  test.each([
    ['vrack_ip', 'known'],
    ['vrack_acmecloudconnect', 'known'],
    ['acmecloud_connect_pop_config', 'known'],
    ['vrack_svccloudconnect', { nearest: 'vrack_acmecloudconnect' }],
    ['acmecloud_conect_pop_config', { nearest: 'acmecloud_connect_pop_config' }],
    ['zebra', { nearest: undefined }],
  ])('a type with the prefix of a brand: %s', (name, judged) => {
    expect(judgeType(name, providerTypes('acme'))).toEqual(judged)
  })

  test('is read as it is written', () => {
    const callsOf = (type: string) =>
      providerParts.map((part) =>
        provider.resources.get(type)?.[part].calls.map(({ method, path, when }) => `${method} ${path} ${JSON.stringify(when)}`),
      )
    expect(callsOf('ip_reverse')).toEqual([
      ['POST /ip/{ip}/reverse "always"', 'GET /ip/{ip}/reverse/{ip_reverse} "always"'],
      ['GET /ip/{ip}/reverse/{ip_reverse} "always"'],
      [],
      ['DELETE /ip/{ip}/reverse/{ip_reverse} "always"'],
    ])
    expect(callsOf('cloud_project_network_private')[2]).toEqual([
      'POST /cloud/project/{service_name}/network/private/{id}/region "always"',
      'GET /cloud/project/{service_name}/network/private/{id} "always"',
      'DELETE /cloud/project/{service_name}/region/{}/network/{} "sometimes"',
    ])
    expect(callsOf('vps')[0]?.[0]).toBe('POST /order/cart/{}/assign "always"')
    expect(provider.resources.get('vps')?.create.isWhole).toBe(false)
    expect(provider.resources.get('vps')?.read.isWhole).toBe(true)
    expect(provider.resources.get('vrack_ip')?.others).toEqual([{ type: 'ip', attribute: 'block' }])
  })

  test('has calls of the catalogue', () => {
    const strange = [...provider.resources, ...provider.data].flatMap(([type, parts]) =>
      providerParts.flatMap((part) =>
        parts[part].calls.flatMap(({ method, path }) => {
          const read = readCall(method, path.replace('{engine}', 'mysql').replace(/\{\w*\}/g, 'x'))
          const isKnown = read.call && matchCall(routes, { ...read.call, branch: read.call.branch ?? 'v1' }).kind === 'one'
          return isKnown ? [] : [type]
        }),
      ),
    )
    expect([...new Set(strange)]).toEqual([])
  })

  test('needs only actions of the catalogue', async () => {
    const parts = [...provider.resources.keys()].flatMap((type) =>
      ['create', 'update', 'delete'].map((action) => ({
        type: `svc_${type}`,
        actions: [action],
        before: { engine: 'mysql' },
        after: { engine: 'mysql' },
      })),
    )
    const { needs } = await needsOf(parts)
    expect(needs.length).toBeGreaterThan(150)
    expect(needs.filter(({ action }) => !catalogue.has(action))).toEqual([])
  })
})

describe('what a change needs', () => {
  const record = { id: '7', zone: 'a.example', subdomain: 'www' }
  const zone = 'dnsZone:a.example'

  test.each([
    ['create', { actions: ['create'], after: record }, ['record/create', 'record/get', 'refresh']],
    ['update', { actions: ['update'], before: record, after: record }, ['record/edit', 'record/get', 'refresh']],
    ['delete', { actions: ['delete'], before: record }, ['record/delete', 'record/get', 'refresh']],
    [
      'replace',
      { actions: ['delete', 'create'], before: record, after: record },
      ['record/create', 'record/delete', 'record/get', 'refresh'],
    ],
    ['keep', { actions: ['no-op'], before: record, after: record }, ['record/get']],
    ['forget', { actions: ['forget'], before: record }, ['record/get']],
  ])('to %s it', async (_, change: Change, actions) => {
    expect(await linesOf([change])).toEqual({ needs: actions.map((action) => `dnsZone:apisvc:${action} ${zone}`), gaps: [] })
  })

  test('a replacement is about the names of both sides', async () => {
    const change = { actions: ['create', 'delete'], before: record, after: { ...record, zone: 'b.example' } }
    const { needs } = await linesOf([change])
    expect(needs).toContain('dnsZone:apisvc:record/delete dnsZone:a.example')
    expect(needs).toContain('dnsZone:apisvc:record/create dnsZone:b.example')
    expect(needs).not.toContain('dnsZone:apisvc:record/delete dnsZone:b.example')
  })

  test('a name that is not known stands for every name of its type', async () => {
    const all = ['record/create', 'record/get', 'refresh'].map((action) => `dnsZone:apisvc:${action} dnsZone:*`)
    for (const after of [{ zone: null }, { zone: '' }, {}]) expect((await linesOf([{ actions: ['create'], after }])).needs).toEqual(all)
    expect((await linesOf([{ actions: ['create'], after: {}, unknown: { zone: true } }])).needs).toEqual(all)
  })

  test('a secret name is not printed', async () => {
    const plan = planOf([{ actions: ['delete'], before: record }])
    const change = plan.resource_changes[0]?.change as { before_sensitive: object }
    change.before_sensitive = { zone: true }
    const { changes } = await planned(plan)
    const { needs } = applyNeeds(
      changes,
      { provider, prefix: 'svc', routes, catalogue },
      { identity: pipeline, context, resources: [], actions: [] },
    )
    expect(JSON.stringify(needs)).not.toContain('a.example')
    expect(needs.map(({ isNamed }) => isNamed)).toEqual([false, false, false])
  })

  test('calls that an attribute causes are made where it changes, and perhaps where that is not known', async () => {
    const kube = { id: 'k', service_name: 'p', name: 'a', update_policy: 'x', private_network_id: null }
    const needsAt = async (after: object, unknown = {}) => {
      const { needs } = await linesOf([
        { type: 'svc_cloud_project_kube', actions: ['update'], before: kube, after: { ...kube, ...after }, unknown },
      ])
      return needs.map((line) => line.replace(' publicCloudProject:p', '').replace('publicCloudProject:apisvc:', ''))
    }
    expect(await needsAt({})).toEqual(['?kube/kubeconfig/create', 'kube/get'])
    expect(await needsAt({ name: 'b' })).toEqual(['?kube/kubeconfig/create', 'kube/edit', 'kube/get'])
    expect(await needsAt({ update_policy: 'y' })).toEqual(['?kube/kubeconfig/create', 'kube/get', 'kube/updatePolicy'])
    expect(await needsAt({ private_network_id: undefined }, { private_network_id: true })).toEqual([
      '?kube/kubeconfig/create',
      '?kube/reset',
      'kube/get',
    ])
  })

  test('a block of addresses is one name', async () => {
    const { needs } = await linesOf([
      { type: 'svc_ip_reverse', actions: ['create'], after: { ip: '192.0.2.0/28', ip_reverse: '192.0.2.1' } },
    ])
    expect(needs).toEqual(['ip:apisvc:reverse/create ip:192.0.2.0/28', 'ip:apisvc:reverse/get ip:192.0.2.0/28'])
  })

  test('a resource that only the body of a call names is that of its attribute', async () => {
    const after = { service_name: 'pn-1', project_id: 'p' }
    const { needs } = await linesOf([{ type: 'svc_vrack_cloudproject', actions: ['create'], after }])
    expect(needs).toContain('publicCloudProject:apisvc:vrack/attach publicCloudProject:p')
    expect((await linesOf([{ type: 'svc_vrack_cloudproject', actions: ['create'], after: { service_name: 'pn-1' } }])).needs).toContain(
      'publicCloudProject:apisvc:vrack/attach publicCloudProject:*',
    )
  })

  test.each([
    [
      'a type without a row',
      { type: 'svc_cloud_project_rancher', actions: ['create'], after: {} },
      '-: its type is not in the table of calls',
    ],
    [
      'a type that is misspelt',
      { type: 'svc_ip_revers', actions: ['create'], after: {} },
      '-: the provider is not known to have its type: did you mean `svc_ip_reverse`?',
    ],
    [
      'a type like no other',
      { type: 'svc_zebra_crossing', actions: ['create'], after: {} },
      '-: the provider is not known to have its type: another version may have it',
    ],
    [
      'a type with the brand word',
      { type: 'svc_vrack_svccloudconnect', actions: ['create'], after: {} },
      '-: its type is not in the table of calls',
    ],
    ['a data source', { mode: 'data', actions: ['read'], after: {} }, '-: its data source is not in the table of calls'],
    ['a kind of change', { actions: ['teleport'], after: record }, '-: a change of a kind that is not known: teleport'],
    [
      'an update that the table does not have',
      { type: 'svc_ip_reverse', actions: ['update'], before: { ip: 'a', ip_reverse: 'b' }, after: { ip: 'a', ip_reverse: 'b' } },
      'update: the table of calls has no update of this type',
    ],
    [
      'further calls',
      { type: 'svc_vps', actions: ['create'], after: {} },
      'create: the provider makes further calls, which are not in the table',
    ],
    [
      'a call of a newer catalogue',
      {
        type: 'svc_cloud_project_database_integration',
        actions: ['no-op'],
        before: { service_name: 's', engine: 'newer', cluster_id: 'c', id: 'i' },
      },
      'read: `GET /cloud/project/{service_name}/database/{engine}/{cluster_id}/integration/{id}` is not an operation known in 2026-05',
    ],
    [
      'a name that is a pattern',
      { type: 'svc_ip_firewall', actions: ['create'], after: { ip: '*' } },
      'create: `POST /ip/{ip}/firewall`: path `/ip/*/firewall`: a call is to one path, not to a pattern',
    ],
  ])('says that %s is not known', async (_, change: Change, gap) => {
    expect((await linesOf([change])).gaps).toEqual([gap])
  })

  test('users are put into groups where the plan says so', async () => {
    const user = { login: 'kim', group: 'DEFAULT' }
    const actionsOf = async (change: Change) =>
      (await linesOf([change])).needs.filter((line) => line.includes('group/user')).map((line) => line.replace(/ .*/, ''))
    const create = (after: object, unknown: object = {}) => actionsOf({ type: 'svc_me_identity_user', actions: ['create'], after, unknown })
    const add = 'account:apisvc:me/identity/group/user/add'
    expect(await create(user)).toEqual([])
    expect(await create({ ...user, groups: ['ops'] })).toEqual([add])
    const membership = { type: 'svc_me_identity_group_membership', before: { login: 'kim', group: 'ops' } }
    expect(await actionsOf({ ...membership, actions: ['delete', 'create'], after: { login: 'kim', group: 'dev' } })).toEqual([
      add,
      'account:apisvc:me/identity/group/user/get',
      'account:apisvc:me/identity/group/user/remove',
    ])
  })

  test('data sources are read with the values that the plan has of them', async () => {
    const values = { name: 'a.example' }
    const source = { address: 'data.svc_domain_zone.a', mode: 'data', type: 'svc_domain_zone', name: 'a', values }
    const { changes } = await planned(planOf([], { prior_state: { values: { root_module: { resources: [source] } } } }))
    const { needs, gaps } = applyNeeds(
      changes,
      { provider, prefix: 'svc', routes, catalogue },
      { identity: pipeline, context, resources: [], actions: [] },
    )
    expect(needs.map(({ action, resource }) => [action, resource])).toEqual([
      ['dnsZone:apisvc:get', 'urn:v1:eu:resource:dnsZone:a.example'],
    ])
    expect(gaps).toEqual([])
    const change = { mode: 'data', type: 'svc_domain_zone', actions: ['read'], after: {}, unknown: { name: true } }
    expect(await linesOf([change])).toEqual({ needs: ['dnsZone:apisvc:get dnsZone:*'], gaps: [] })
    // The answer of a list holds what may be seen.
    expect(await linesOf([{ mode: 'data', type: 'svc_vracks', actions: ['read'], after: {} }])).toEqual({ needs: [], gaps: [] })
  })

  test('lists data sources of the state, what is put off, and counts other providers', async () => {
    const source = { address: 'data.svc_me.a', mode: 'data', type: 'svc_me', name: 'a', values: {} }
    const plan = planOf([{ type: 'random_pet', actions: ['create'], after: {} }], {
      prior_state: { format_version: '1.0', values: { root_module: { child_modules: [{ resources: [source] }] } } },
      deferred_changes: [
        { reason: 'provider_config_unknown', resource_change: { address: 'svc_vps.b', mode: 'managed', type: 'svc_vps' } },
      ],
    })
    const { changes, deferred, others } = await planned(plan)
    expect([changes.map(({ address }) => address), deferred.map(({ address }) => address), others]).toEqual([
      ['data.svc_me.a'],
      ['svc_vps.b'],
      1,
    ])
  })

  test('a state is no plan', async () => {
    const { diagnostics } = await planned({ format_version: '1.0', terraform_version: '1.11.4', values: { root_module: {} } })
    expect(diagnostics.map(({ message }) => message)).toEqual([
      'no `resource_changes`: a state says what there is, and not which calls applying makes',
    ])
  })
})

describe('what a configuration needs', () => {
  const folders: Readonly<Record<string, string>> = {
    '/a': `
      locals {
        zone  = "a.example"
        other = local.zone
      }
      resource "svc_domain_zone_record" "known" { zone = local.other }
      resource "svc_domain_zone_record" "open" { zone = "\${var.name}.example" }
      resource "svc_cloud_project_kube" "k" {
        service_name  = "p"
        update_policy = "x"
      }
      resource "random_pet" "p" {}
      data "svc_me" "me" {}
      module "down" { source = "./down" }
      module "far" { source = "example/far/svc" }`,
    '/a/down': `
      resource "svc_ip_reverse" "r" { ip = "192.0.2.7" }
      module "up" { source = "../" }`,
  }
  const folderAt = (path: string): Folder | undefined => {
    const text = folders[path]
    return text === undefined
      ? undefined
      : { path, name: path, files: [readHcl(sourceOf(`${path}/main.tf`, text, 'hcl'), undefined)], values: [] }
  }

  test('are all parts of the life of its resources, also in local modules', () => {
    const { changes, modules, others, diagnostics } = writtenResources(folderAt('/a') as Folder, folderAt, 'svc')
    expect(diagnostics).toEqual([])
    expect(others).toBe(1)
    expect(changes.map(({ address }) => address)).toEqual([
      'svc_domain_zone_record.known',
      'svc_domain_zone_record.open',
      'svc_cloud_project_kube.k',
      'data.svc_me.me',
      'module.down.svc_ip_reverse.r',
    ])
    expect(modules.map(({ address }) => address)).toEqual(['module.far', 'module.down.module.up'])
    const { needs, gaps } = applyNeeds(
      changes,
      { provider, prefix: 'svc', routes, catalogue },
      { identity: pipeline, context, resources: [], actions: [] },
    )
    const of = (start: string) =>
      needs
        .flatMap(({ action, resource, isCertain }) => (resource.includes(start) ? [`${isCertain ? '' : '?'}${action.split(':')[2]}`] : []))
        .sort()
    const records = ['record/create', 'record/delete', 'record/edit', 'record/get', 'refresh']
    expect(of('dnsZone:a.example')).toEqual(records)
    expect(of('dnsZone:*')).toEqual(records)
    expect(of('ip:192.0.2.7')).toEqual(['reverse/create', 'reverse/delete', 'reverse/get'])
    // A configuration does not say which attributes change.
    expect(of('publicCloudProject:p')).toEqual([
      '?kube/edit',
      '?kube/privateNetworkConfiguration/edit',
      '?kube/reset',
      '?kube/updatePolicy',
      'kube/create',
      'kube/delete',
      'kube/get',
      'kube/kubeconfig/create',
    ])
    expect(gaps.map(({ address }) => address)).toEqual(['svc_cloud_project_kube.k'])
    expect(of('account:')).toEqual(['me/get'])
  })
})

describe('whether an identity may apply', () => {
  test('the policies that are proposed allow just what is needed', async () => {
    const record = { id: '7', zone: 'a.example' }
    const needed = await needsOf([
      { actions: ['update'], before: record, after: record },
      { type: 'svc_vrack_ip', actions: ['create'], after: { service_name: 'pn-1' }, unknown: { block: true } },
      { type: 'svc_iam_policy', actions: ['create'], after: {} },
    ])
    const policies = policiesFor(needed.needs, pipeline, 'all of it')
    const verdictOf = (written: readonly object[]) =>
      mayApply(needed, pipeline, context, defaultSettings, proofContextOf(worldOf({ policies: written })))
    expect(verdictOf(policies).verdict).toBe('allow')
    for (const [i, { permissions }] of policies.entries())
      for (const [j] of permissions.allow.entries()) {
        const allow = permissions.allow.toSpliced(j, 1)
        const others = policies.map((policy, k) => (k === i ? { ...policy, permissions: { allow } } : policy))
        expect(verdictOf(others).verdict).not.toBe('allow')
      }
  })

  test('an account may do everything on every name only where it is said to own them', () => {
    const account = 'urn:v1:eu:identity:account:ab12-svc'
    const need: ApplyNeed = { action: 'vps:apisvc:get', resource: 'urn:v1:eu:resource:vps:*', isNamed: false, isCertain: true, uses: [] }
    const resources = [{ urn: 'urn:v1:eu:resource:vps:a' }, { urn: 'urn:v1:eu:resource:vps:b', owner: 'ca34-svc' }]
    const world = worldOf({ account: 'ab12-svc', policies: [], resources })
    for (const owner of [undefined, 'ab12-svc', 'ca34-svc']) {
      const facts: Context = { ...context, ...(owner !== undefined && { owner }) }
      const { verdict } = mayApply({ needs: [need], gaps: [] }, account, facts, testSettings, proofContextOf(world))
      const verdicts = ['a', 'b', 'other'].map(
        (name) => decide(world, { ...facts, identity: account, action: need.action, resource: `urn:v1:eu:resource:vps:${name}` }).verdict,
      )
      if (verdict !== 'unknown') expect([...new Set(verdicts)], owner).toEqual([verdict])
      expect(verdict, owner).toBe(owner === 'ab12-svc' ? 'allow' : 'unknown')
    }
  })

  test('each action as `can` decides it, and of a name that is not known as it decides every name', () => {
    const seen = {
      allow: 0,
      deny: 0,
      unknown: 0,
      'allow on all': 0,
      'deny on all': 0,
      'depends on the name': 0,
      lost: 0,
      gained: 0,
      missing: 0,
      kept: 0,
      'not decided': 0,
    }
    for (const i of untilSeen(seen, 3000)) {
      const random = randomOf(7100 + i)
      const { world: written, questions } = generate(random, 3, usualKnobs)
      const world = worldOf(written)
      const names = [...written.resources, ...written.policies.flatMap(({ resources }) => resources)].map(({ urn }) => urn ?? '')
      const asked = questions.map(questionOf)
      const [first] = asked
      if (!first) continue
      const { identity, at, groups, ip } = first
      const facts: Context = { at, groups, ...(ip && { ip }) }
      const needs = asked.map(({ action, resource }): ApplyNeed => {
        const isNamed = random() < 0.5
        const type = resource.split(':').slice(0, 5).join(':')
        return { action, resource: isNamed ? resource : `${type}:*`, isNamed, isCertain: random() < 0.8, uses: [] }
      })
      const gaps = random() < 0.2 ? [{ address: 'svc_x.a', type: 'svc_x', why: 'unknown' }] : []
      const answer = mayApply({ needs, gaps }, identity, facts, testSettings, proofContextOf(world))
      for (const need of answer.needs) {
        const { action, resource, verdict } = need
        const verdictOn = (urn: string) => decide(world, { ...facts, identity, action, resource: urn }).verdict
        if (need.isNamed) {
          expect(verdict).toBe(verdictOn(resource))
          seen[verdict]++
          continue
        }
        const start = resource.slice(0, -1)
        const known = names.filter((urn) => urn.startsWith(start)).map((urn) => urn.replaceAll('*', 'x'))
        const verdicts = [...known, `${start}no-such-name`, `${start}${pick(random, ['a', 'web-1', '1'])}`].map(verdictOn)
        if (need.dependsOnName) seen['depends on the name']++
        else if (verdict !== 'unknown') {
          seen[`${verdict} on all`]++
          expect([...new Set(verdicts)]).toEqual([verdict])
        }
      }
      const fewer = worldOf({ ...written, policies: written.policies.slice(1) })
      const change = applyChange(answer, mayApply({ needs, gaps }, identity, facts, testSettings, proofContextOf(fewer)))
      const listed = { lost: change.lost, gained: change.gained, missing: change.missing, open: change.open }
      for (const [i, need] of change.after.needs.entries()) {
        const pair = `${answer.needs[i]?.verdict} ${need.verdict}`
        const expectedList: 'lost' | 'gained' | 'missing' | undefined = (
          { 'allow deny': 'lost', 'deny allow': 'gained', 'deny deny': 'missing', 'allow allow': undefined } as const
        )[pair as 'allow deny']
        const lists = Object.entries(listed).flatMap(([name, list]) => (list.some(({ after }) => after === need) ? [name] : []))
        expect(lists).toEqual([pair.includes('unknown') ? 'open' : (expectedList ?? [])].flat())
        seen[pair.includes('unknown') ? 'not decided' : (expectedList ?? 'kept')]++
      }
      const certain = answer.needs.filter(({ isCertain }) => isCertain)
      const expected = certain.some(({ verdict }) => verdict === 'deny')
        ? 'deny'
        : gaps.length > 0 || answer.needs.some(({ verdict }) => verdict !== 'allow')
          ? 'unknown'
          : 'allow'
      expect(answer.verdict).toBe(expected)
    }
    expect(Object.entries(seen).filter(([, count]) => count === 0)).toEqual([])
  })
})
