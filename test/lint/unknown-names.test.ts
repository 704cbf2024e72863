import { describe, expect, it } from 'vitest'
import { catalogueOf, loadCatalogue } from '../../src/actions/load.ts'
import { isSlipForAction } from '../../src/actions/suggest.ts'
import type { Diagnostic } from '../../src/diagnostic.ts'
import { lint } from '../../src/lint/run.ts'
import { defaultSettings } from '../../src/names.ts'
import { readSource } from '../../src/parser/read-source.ts'
import { buildWorld } from '../../src/parser/world.ts'
import { rules } from '../../src/rules/index.ts'
import { sourceOf } from '../../src/source.ts'
import { contextOf } from '../support/lint-world.ts'
import '../support/seed.ts'

/** Findings about names that the catalogue does not know: a slip is a warning, what may be newer is information. */

async function found(policy: object | string, path = 'p.json'): Promise<readonly Diagnostic[]> {
  const text = typeof policy === 'string' ? policy : JSON.stringify(policy)
  const read = await readSource(sourceOf(path, text), defaultSettings)
  const { world, diagnostics } = buildWorld([read.facts])
  return lint(rules, contextOf(world), [...read.diagnostics, ...diagnostics])
}

const identities = ['urn:v1:eu:identity:user:ab12-svc/ann']
const policyOf = (allow: readonly string[], urn = 'urn:v1:eu:resource:*', more: object = {}) => ({
  name: 'p',
  identities,
  resources: [{ urn }],
  permissions: { allow: allow.map((action) => ({ action })), ...more },
})
const reported = async (action: string, list: 'allow' | 'deny' = 'allow') =>
  (await found(list === 'allow' ? policyOf([action]) : policyOf(['vps:apisvc:get'], undefined, { deny: [{ action }] })))
    .filter(({ code }) => /^(?:unknown|wildcard)/.test(code))
    .map(({ severity, code }) => `${severity} ${code}`)

describe('an action that the catalogue does not know', () => {
  it.each([
    ['vps:apisvc:reinstal', 'warning unknown-action'],
    ['vps:apisvc:Reinstall', 'warning unknown-action'],
    ['publicCloudProject:apisvc:GET', 'warning unknown-action'],
    ['dnsZone:apisvc:record/update', 'warning unknown-action'],
    ['dnsZone:apisvc:record', 'warning unknown-action'],
    ['domain:apisvc:name/portfolio/get', 'info unknown-action'],
    ['publicCloudProject:apisvc:region/storage/object/lock', 'info unknown-action'],
    ['order:apisvc:cart/assign', 'info unknown-action'],
    ['vps:apisvc:unreboot', 'info unknown-action'],
    ['vpss:apisvc:get', 'warning unknown-product'],
    ['networkDefense:apisvc:*', 'info unknown-product'],
  ])('%s: %s', async (action, wanted) => {
    expect(await reported(action)).toEqual([wanted])
  })

  it.each([
    ['vps:apisvc:reinstal', 'warning unknown-protected-action'],
    ['publicCloudProject:apisvc:region/storage/bulkRestoreObjects', 'info unknown-protected-action'],
  ])('in a deny: %s: %s', async (action, wanted) => {
    expect(await reported(action, 'deny')).toEqual([wanted])
  })

  it.each([
    ['vps:apisvc:snapshot:download:get', 'vps:apisvc:snapshot/download/get'],
    ['vps:apisvc:snapshot:download:*', 'vps:apisvc:snapshot/download/*'],
    ['vps:apisvc:snapshot:download/*', 'vps:apisvc:snapshot/download/*'],
    ['vps:apisvc:never:said:*', undefined],
  ])('%s: the path has `/` in each place of a `:`, where that designates something', async (action, meant) => {
    const all = await found(policyOf([action]))
    const findings = all.filter(({ code }) => code === 'unknown-action' || code === 'wildcard-without-action')
    expect(findings.map(({ message }) => message.includes('because action paths have no `:`'))).toEqual([true])
    expect(findings[0]?.help?.match(/did you mean `([^`]*)`/)?.[1]).toBe(meant)
  })

  it('names the age of the catalogue, and writes nothing in the place of what may be newer', async () => {
    const [finding] = (await found(policyOf(['domain:apisvc:name/portfolio/get']))).filter(({ code }) => code === 'unknown-action')
    expect(finding?.message).toContain(`catalogue of ${loadCatalogue().seen}`)
    expect(finding?.help).toContain('catalogue import')
    expect(finding?.fix).toBeUndefined()
  })

  it('is taken for newer in 99 of 100 cases where it is: each action in turn, as if the catalogue had been made before it', () => {
    const full = loadCatalogue()
    let all = 0
    const taken: string[] = []
    for (const product of full.products) {
      const actions = full.actionsOf(product)
      // Of large products a part, so that it does not take long.
      const step = Math.ceil(actions.length / 40)
      for (let i = 0; i < actions.length; i += step) {
        const action = actions[i] as string
        const rest = actions.filter((each) => each !== action)
        if (rest.length === 0) continue
        all++
        const facts = { seen: '2024-01', actions: () => rest }
        const before = catalogueOf({
          seen: '2024-01',
          size: rest.length,
          products: new Map([[product, facts]]),
          types: () => [],
          serves: () => new Map(),
        })
        const near = before.nearestAction(action)
        if (near !== undefined && isSlipForAction(action, near)) taken.push(`${action} for ${near}`)
      }
    }
    expect(all).toBeGreaterThan(1000)
    expect(taken.length / all, taken.join('\n')).toBeLessThan(0.01)
  })
})

describe('a wildcard that matches nothing', () => {
  it.each([
    ['vps:apisvc:snapshots/*', 'warning wildcard-without-action'],
    ['vps:apisvc:reinstalls*', 'warning wildcard-without-action'],
    ['vps:reinstall*', 'warning wildcard-without-action'],
    ['vps:apisvc:*:get', 'warning wildcard-without-action'],
    ['*/gett', 'warning wildcard-without-action'],
    ['account:apisvc:me/accessRestriction/totp/*', 'info wildcard-without-action'],
    ['order:apisvc:cart/*', 'info wildcard-without-action'],
    ['publicCloudProject:apisvc:kubernetes/*', 'info wildcard-without-action'],
  ])('%s: %s', async (action, wanted) => {
    expect(await reported(action)).toEqual([wanted])
  })

  it('with a colon in the path suggests what it was meant for', async () => {
    const [finding] = await found(policyOf(['vps:apisvc:*:get']))
    expect(finding?.help).toBe('did you mean `vps:apisvc:*/get`?')
  })
})

describe('a wildcard for the product or the namespace that matches one action', () => {
  it('is a warning, and names the action', async () => {
    const [product] = await found(policyOf(['*:apisvc:openConsoleAccess']))
    expect([product?.severity, product?.code, product?.help]).toEqual([
      'warning',
      'wildcard-for-one-action',
      'write `vps:apisvc:openConsoleAccess` if only that action is intended',
    ])
    const [namespace] = await found(policyOf(['vps:*:reboot']))
    expect([namespace?.severity, namespace?.code, namespace?.help]).toEqual([
      'warning',
      'inner-wildcard',
      'write `vps:apisvc:reboot`, the only known action that it matches',
    ])
  })
})

describe('a namespace', () => {
  it.each([
    'okms:apikms:secret/get',
    'okms:kmip:get',
    'ldp:graylog:stream/read',
    'ldp:opensearch:index/read',
    'pccVMware:vSphere:assumeRole?iam-admin',
    'publicCloudProject:openstack:administrator',
    'publicCloudProject:ai:endpoints/call',
    'vps:console:open',
  ])('is taken as it is: %s', async (action) => {
    expect(await reported(action)).toEqual([])
  })

  it.each([
    ['vps:apiSvc:get', 'warning unknown-action'],
    ['vps:apisv:get', 'warning unknown-action'],
    ['vps:apiacme:reboot', 'warning unknown-action'],
    ['okms:apikm:secret/get', 'warning unknown-action'],
    ['okms:apinew:secret/get', 'warning unknown-action'],
    ['okms:apinew:thing/get', 'info unknown-action'],
  ])('%s: %s', async (action, wanted) => {
    expect(await reported(action)).toEqual([wanted])
  })
})

describe('a resource type that the catalogue does not know', () => {
  it.each([
    ['webhosting', 'warning'],
    ['ipLoadbalancing', 'warning'],
    ['pccVMware/servicePack', 'info'],
  ])('%s: %s', async (type, severity) => {
    const types = (await found(policyOf(['*get'], `urn:v1:eu:resource:${type}:x`))).filter(({ code }) => code === 'unknown-type')
    expect(types.map((finding) => finding.severity)).toEqual([severity])
  })
})

describe('a placeholder in a URN', () => {
  it.each([
    '<account_id>',
    '{projectId}',
    '$PROJECT_ID',
    'YOUR_PROJECT',
    'your-project-id',
    'CHANGE_ME',
    'xxxxxxxx',
    'xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx',
    '00000000-0000-0000-0000-000000000000',
    '%s',
  ])('%s', async (name) => {
    const [finding, ...others] = await found(policyOf(['publicCloudProject:apisvc:get'], `urn:v1:eu:resource:publicCloudProject:${name}`))
    expect([finding?.severity, finding?.code, others]).toEqual(['warning', 'placeholder-in-urn', []])
    expect(finding?.span.source.text.slice(finding.span.start, finding.span.end)).toBe(name)
  })

  it.each(['xx1111', 'myproject', 'my-project', 'thexxx.example.org', 'your-domain.example', '0000-1111', 'x', 'vps-0000aaaa', 'a%2Fb'])(
    'is not %s',
    async (name) => {
      expect(await found(policyOf(['publicCloudProject:apisvc:get'], `urn:v1:eu:resource:publicCloudProject:${name}`))).toEqual([])
    },
  )
})

describe('a policy of another cloud', () => {
  it.each([
    ['a policy of AWS', { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: 's3:*', Resource: '*' }] }],
    ['a policy of AWS', { Statement: { Effect: 'Deny', NotAction: 'iam:*', Resource: '*' } }],
    ['a policy of AWS', { Policy: { PolicyDocument: { Statement: [{ Effect: 'Allow', Principal: '*', Action: 'sts:AssumeRole' }] } } }],
    ['a policy of Google Cloud', { bindings: [{ role: 'roles/viewer', members: ['user:ann@example.org'] }] }],
    ['a role of Google Cloud', { title: 'Reader', includedPermissions: ['storage.objects.get'] }],
    ['a role of Azure', { Name: 'Reader', Actions: ['*/read'], NotActions: [], AssignableScopes: ['/'] }],
    ['a role of Azure', { properties: { roleName: 'Reader', permissions: [{ actions: ['*/read'], notActions: [] }] } }],
  ])('is named: %s', async (what, policy) => {
    const [finding] = await found(policy)
    expect([finding?.severity, finding?.code]).toEqual(['error', 'shape'])
    expect(finding?.message).toContain(`this looks like ${what}`)
  })

  it('is not seen in what is nothing of the kind', async () => {
    const [finding] = await found({ name: 'shop', version: 1, permissions: ['read'] })
    expect(finding?.message).toBe('no policy here')
  })
})
