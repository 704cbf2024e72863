import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { loadCatalogue } from '../../src/actions/load.ts'
import { covers, glob } from '../../src/glob.ts'
import { lint } from '../../src/lint/run.ts'
import { defaultSettings, type Settings } from '../../src/names.ts'
import { readSource } from '../../src/parser/read-source.ts'
import { buildWorld } from '../../src/parser/world.ts'
import { ruleContext } from '../../src/rules/context.ts'
import { rules } from '../../src/rules/index.ts'
import { coverers } from '../../src/rules/support/cover.ts'
import { effort } from '../support/effort.ts'
import { exampleTime, lintExample, markOf, readExample } from '../support/examples.ts'

/** The codes of all findings in a fragment. */
async function codes(text: string): Promise<string[]> {
  return (await lintExample(readExample(text))).map((d) => d.code)
}

const allow = (...actions: string[]) => `permissions: { allow: [${actions.map((a) => `{ action: "${a}" }`).join(', ')}] }`
const deny = (...actions: string[]) => `permissions: { deny: [${actions.map((a) => `{ action: "${a}" }`).join(', ')}] }`

describe('an entry gets one finding, the most specific', () => {
  it.each([
    [allow('vps:apisvc:get'), []],
    [allow('vps:apisvc:nothingOfThis'), ['unknown-action']],
    [deny('vps:apisvc:nothingOfThis'), ['unknown-protected-action']],
    [allow('vps:apiSvc:stop'), ['unknown-action']],
    [allow('vps:aipsvc:stop'), ['unknown-action']],
    [allow('*:apiother:get'), ['unknown-action']],
    [deny('vps:apiscv:terminate'), ['unknown-protected-action']],
    [deny('vps:apiother:*'), ['unknown-protected-action']],
    [deny('vps:api:start'), ['unknown-protected-action']],
    [deny('okms:apiscv:secret/delete'), ['unknown-protected-action']],
    [deny('vpss:apiscv:x'), ['unknown-product']],
    [deny('vps:kmip:x'), []],
    [deny('vps:ai:x'), []],
    [deny('vps:openstack:*'), []],
    [allow('vpss:apisvc:nothing'), ['unknown-product']],
    [allow('vpss:*'), ['unknown-product']],
    [deny('vpss:apisvc:x*'), ['unknown-product']],
    [allow('vps:apisvc:zzz*'), ['wildcard-without-action']],
    [allow('*zzz'), ['wildcard-without-action']],
    [allow('zzz*'), ['wildcard-without-action']],
    [allow('vps:get*'), ['wildcard-without-action']],
    [allow('vps*'), ['wildcard-in-product']],
    [deny('vps*'), []],
    [allow('*'), ['allow-everything']],
    [allow('*:*:*'), ['allow-everything']],
    [deny('*'), []],
    [allow('vps:apisvc:*zzz'), ['wildcard-without-action']],
    [allow('billingAccount:apisvc:*'), []],
  ])('%s', async (text, expected) => {
    expect(await codes(text)).toEqual(expected)
  })
})

describe('what the catalogue cannot know is not judged', () => {
  it.each([
    ['an action of another namespace', allow('publicCloudProject:openstack:server/anything')],
    ['a wildcard over another namespace', allow('publicCloudProject:openstack:*')],
    ['another namespace of a product without a likely name', allow('quantumOracle:ai:ask')],
    ['a product known only as a resource type', deny('okms:apisvc:secret/delete')],
    ['an action with a parameter', allow('vps:apisvc:get?anything at all')],
    ['a leading wildcard, which is documented', allow('*/get')],
    ['a sub-type', `resources: [{ urn: "urn:v1:eu:resource:ldp/stream:*" }]\n${allow('ldp:*')}`],
    ['a type named like a product of which no type is known', 'resources: [{ urn: "urn:v1:eu:resource:caasContainers:*" }]'],
    ['every type', 'resources: [{ urn: "urn:v1:eu:resource:*:vps-1" }]'],
  ])('%s', async (_, text) => {
    expect(await codes(text)).toEqual([])
  })
})

describe('a mistake in a condition is reported once', () => {
  const match = (values: string) => `{ operator: MATCH, values: { ${values} } }`
  const not = (values: string) => `{ operator: NOT, conditions: [${match(values)}] }`
  it.each([
    ['parts that exclude each other', match('resource.Type: vps, resource.Type.IN: "domain, dnsZone"'), ['impossible-condition']],
    ['a range that wraps', match('date(UTC).Hour.GE: "22", date(UTC).Hour.LT: "6"'), ['wrapping-range']],
    ['bounds that nothing is between', match('date(UTC).WeekDay.AFTER: Friday, date(UTC).WeekDay.BEFORE: Monday'), ['wrapping-range']],
    ['a type that no resource of the policy has', match('resource.Type: dnsZone'), ['allow-never-applies']],
    ['dates that are over', match('date(UTC).Date.BEFORE: "2025-01-01"'), ['window-over']],
    ['all addresses', match('request.IP.IN_RANGE: "0.0.0.0/0"'), ['any-address']],
    ['private addresses', match('request.IP.IN_RANGE: "10.0.0.0/8"'), ['only-private-addresses']],
    ['a wildcard taken for text', match('resource.Type: "vps*"'), ['wildcard-as-text']],
    ['a list taken for one text', match('resource.Type: "vps, dnsZone"'), ['list-under-equality']],
    ['a wildcard turned round', not('resource.Name: "prod-*"'), ['wildcard-as-text']],
    ['a list turned round', not('resource.Type: "vps, dnsZone"'), ['list-under-equality']],
    ['a misspelt type turned round', not('resource.Type: Vps'), ['unknown-condition-type']],
    ['a range that wraps, turned round', not('date(UTC).Hour.GE: "22", date(UTC).Hour.LT: "6"'), ['wrapping-range']],
    ['a type turned round that no resource of the policy has', not('resource.Type: dnsZone'), ['vacuous-condition']],
    ['an operator without parts', '{ operator: OR, conditions: [] }', ['condition-shape']],
    [
      'a needless part of what is never met',
      match('date(UTC).WeekDay.IN: "Monday, Tuesday", date(UTC).WeekDay: Friday, date(UTC).WeekDay.GE: Monday'),
      ['impossible-condition'],
    ],
  ])('%s', async (_, condition, expected) => {
    const found = await codes(`conditions: ${condition}\nresources: [{ urn: "urn:v1:eu:resource:vps:*" }]`)
    expect(found).toEqual(expected)
  })
})

describe('a policy that was only half read', () => {
  const two = (more: string) => `
- { name: one, identities: ["urn:v1:eu:identity:user:ab12-svc/ann"], resources: [{ urn: "urn:v1:eu:resource:vps:*" }], permissions: { allow: [{ action: "vps:apisvc:get" }] } }
- { name: two, identities: ["urn:v1:eu:identity:user:ab12-svc/ann"], resources: [{ urn: "urn:v1:eu:resource:vps:*" }], permissions: { allow: [{ action: "vps:apisvc:get" }] }${more} }`

  it('is held against others once all of it is understood', async () => {
    expect(await codes(two(''))).toEqual(['equivalent-policies'])
  })

  it.each([
    [', expiredAt: "2027-31-12T00:00:00Z"', 'expiry-date'],
    [', conditions: 5', 'shape'],
    [', permissionsGroups: [5]', 'shape'],
  ])('is not held against others: %s', async (more, code) => {
    expect(await codes(two(more))).toEqual([code])
  })

  it('does not take the name of another', async () => {
    const same = two(', expiredAt: "2027-31-12T00:00:00Z"').replace('name: two', 'name: one')
    expect(await codes(same)).toEqual(['expiry-date'])
    expect(await codes(two('').replace('name: two', 'name: one'))).toContain('duplicate-name')
  })

  it('nor is one that names a permissions group of which a part was refused', async () => {
    const group = (action: string) => `
permissionsGroups: [{ urn: "urn:v1:eu:permissionsGroup:ab12-svc:g", name: g, permissions: { allow: [{ action: "vps:apisvc:get" }, { action: "${action}" }] } }]
policies:
  - { name: one, identities: ["urn:v1:eu:identity:user:ab12-svc/ann"], resources: [{ urn: "urn:v1:eu:resource:vps:*" }], permissions: { allow: [{ action: "vps:apisvc:get" }, { action: "vps:apisvc:reboot" }] } }
  - { name: two, identities: ["urn:v1:eu:identity:user:ab12-svc/ann"], resources: [{ urn: "urn:v1:eu:resource:vps:*" }], permissionsGroups: [{ urn: "urn:v1:eu:permissionsGroup:ab12-svc:g" }] }`
    expect(await codes(group('VPS'))).toEqual(['action-pattern'])
    expect(await codes(group('vps:apisvc:reboot'))).toContain('equivalent-policies')
  })
})

describe('careful silence', () => {
  it.each([
    [
      'an `except` under an allow entry that could not be read',
      'permissions: { allow: [{ action: "VPS" }], except: [{ action: "vps:apisvc:get" }] }',
      'idle-except',
    ],
    ['a policy whose only entry could not be read', allow('VPS'), 'no-permissions'],
    ['an identity list whose only entry could not be read', 'identities: [ann]', 'no-identities'],
    ['everything allowed and everything denied', 'permissions: { allow: [{ action: "*" }], deny: [{ action: "*" }] }', 'allow-everything'],
    [
      'lists that the service writes as null',
      'permissions: { allow: [{ action: "vps:*" }], except: null, deny: null }\npermissionsGroups: null\nconditions: null',
      'empty-list',
    ],
    ['the instant of expiry itself', `expiredAt: "${new Date(exampleTime).toISOString()}"`, 'expired'],
    ['an unknown region', 'resources: [{ urn: "urn:v1:xx:resource:vps:*" }]', 'mixed-regions'],
    ['a resource group wildcard', 'resources: [{ urn: "urn:v1:eu:resourceGroup:*" }]', 'resource-wildcard'],
    ['conditions three levels deep', nested(3), 'condition-shape'],
    ['an invisible character that the reader has reported', 'name: "a\u200bb"', 'policy-name'],
  ])('%s', async (_, text, code) => {
    expect(await codes(text)).not.toContain(code)
  })

  it('speaks where the line is crossed', async () => {
    expect(await codes(nested(4))).toEqual(['condition-shape'])
    expect(await codes(`expiredAt: "${new Date(exampleTime - 1).toISOString()}"`)).toEqual(['expired'])
    expect(await codes('name: "a\\u200bb"')).toEqual(['policy-name'])
    expect(await codes(`name: ${'x'.repeat(256)}`)).toEqual(['policy-name'])
    expect(await codes(`name: ${'x'.repeat(255)}`)).toEqual([])
  })
})

function nested(levels: number): string {
  const key = JSON.stringify({ operator: 'MATCH', values: { 'resource.Tag(env)': 'prod' } })
  return `conditions: ${'{"operator":"NOT","conditions":['.repeat(levels)}${key}${']}'.repeat(levels)}`
}

describe('permissions groups that the world defines', () => {
  const group = (permissions: string) =>
    `policies: []\npermissionsGroups:\n  - urn: urn:v1:eu:permissionsGroup:ab12-svc:x\n    permissions: ${permissions}`

  it('are held to the rules about permission sets', async () => {
    expect(
      await codes(group('{ allow: [{ action: "*" }], except: [{ action: "vps:apisvc:reinstal" }, { action: "vps:apisvc:reinstal" }] }')),
    ).toEqual(['allow-everything', 'unknown-protected-action', 'redundant-action', 'unknown-protected-action'])
  })

  it('count as a grant only when they grant', async () => {
    const world = (permissions: string) =>
      `${group(permissions)}\n`.replace(
        'policies: []',
        'policies:\n  - name: x\n    identities: ["urn:v1:eu:identity:user:ab12-svc/*"]\n    resources: [{ urn: "urn:v1:eu:resource:*" }]\n    permissionsGroups: [{ urn: "urn:v1:eu:permissionsGroup:ab12-svc:x" }]',
      )
    expect(await codes(world('{ allow: [{ action: "vps:*" }] }'))).toEqual(['wildcard-identity'])
    expect(await codes(world('{ deny: [{ action: "vps:*" }] }'))).toEqual([])
  })
})

describe('settings', () => {
  async function codesWith(settings: Settings, text: string) {
    const { facts, diagnostics } = await readSource(readExample(text).exampleSet, settings)
    const { world } = buildWorld([facts])
    return lint(rules, ruleContext({ world, catalogue: loadCatalogue(settings.brand), settings, now: exampleTime }), diagnostics).map(
      (d) => d.code,
    )
  }

  it('the brand word is a parameter', async () => {
    const acme = { ...defaultSettings, brand: 'acme' }
    expect(await codesWith(acme, `name: svc-x\n${allow('vps:apiacme:reinstall')}`)).toEqual([])
    expect(await codesWith(acme, `name: acme-x\n${allow('vps:apiacme:reinstal')}`)).toEqual(['policy-name', 'unknown-action'])
    expect(await codesWith(acme, allow('*:apiacme:*'))).toEqual(['allow-everything'])
  })

  it('regions are a parameter', async () => {
    expect(await codesWith({ ...defaultSettings, regions: ['eu', 'ap'] }, 'resources: [{ urn: "urn:v1:ap:resource:vps:*" }]')).toEqual([
      'mixed-regions',
    ])
  })
})

describe('except lists', () => {
  const both = (allowed: string[], excepted: string[]) =>
    `permissions: { allow: [${allowed.map((a) => `{ action: "${a}" }`)}], except: [${excepted.map((a) => `{ action: "${a}" }`)}] }`

  it.each([
    [['vps:apisvc:get', 'vps:apisvc:reboot'], ['vps:apisvc:get', 'vps:apisvc:reboot'], ['except-swallows-allow']],
    [['vps:apisvc:get', 'vps:apisvc:reboot'], ['vps:apisvc:get'], []],
    [['vps:apisvc:ips/*'], ['*/get'], []],
    [['vps:apisvc:ips/*'], ['*:terminate'], []],
    [['vps:apisvc:get'], ['*/get'], ['idle-except']],
    [['vps:apisvc:ips/get', 'vps:apisvc:stop'], ['vps:apisvc:i*', 'dnsZone:*'], ['idle-except']],
  ])('allow %j except %j', async (allowed, excepted, expected) => {
    expect(await codes(both(allowed, excepted))).toEqual(expected)
  })
})

describe('a finding across policies', () => {
  it('names the policy that it is in', async () => {
    const one = (name: string) =>
      `- name: ${name}\n  identities: ["urn:v1:eu:identity:user:ab12-svc/ann"]\n  resources: [{ urn: "urn:v1:eu:resource:*" }]\n  ${deny('vps:*')}\n`
    const found = await lintExample(readExample(`${one('a')}${one('b')}${one('a')}${one('c')}`))
    expect(found.filter((d) => d.code === 'duplicate-name').map((d) => [markOf(d), d.policy])).toEqual([['9:9-10 duplicate-name', 'a']])
  })
})

describe('several findings in one place', () => {
  it('each wrong key and value is found, in order', async () => {
    const found = await lintExample(
      readExample(`conditions:
  operator: MATCH
  values:
    request.ip: 192.0.2.1
    request.IP.BEFORE: 192.0.2.1
    date(Mars/Olympus).Hour: "25"
    date().Hour: "25"`),
    )
    expect(found.map(markOf)).toEqual([
      '4:5-15 condition-key',
      '5:16-22 condition-operator',
      '6:10-22 condition-timezone',
      '7:19-21 condition-value',
    ])
  })
})

describe('coverers', () => {
  const pattern = fc.array(fc.constantFrom('a', 'b', '*'), { maxLength: 5 }).map((letters) => glob(letters.join('')))

  it('names an entry exactly when one by one comparison does, and never in a circle', () => {
    let redundant = 0
    fc.assert(
      fc.property(fc.array(pattern, { maxLength: 7 }), (patterns) => {
        const by = coverers(patterns)
        for (const [i, narrow] of patterns.entries()) {
          const expected = patterns.some((wide, j) => j !== i && covers(wide, narrow) && (!covers(narrow, wide) || j < i))
          const other = patterns[by[i] ?? -1]
          expect(other !== undefined).toBe(expected)
          if (other) redundant++
          if (other) expect(covers(other, narrow)).toBe(true)
        }
        // Taking every redundant entry out leaves each of them covered.
        const kept = patterns.filter((_, i) => by[i] === undefined)
        for (const narrow of patterns) expect(kept.some((wide) => covers(wide, narrow))).toBe(true)
      }),
      { numRuns: effort(5000) },
    )
    expect(redundant).toBeGreaterThan(effort(2000))
  })

  it('does the same between two lists', () => {
    let covered = 0
    fc.assert(
      fc.property(fc.array(pattern, { maxLength: 5 }), fc.array(pattern, { maxLength: 5 }), (narrow, wide) => {
        for (const [i, index] of coverers(narrow, wide).entries()) {
          const one = narrow[i] as (typeof narrow)[number]
          expect(index !== undefined).toBe(wide.some((w) => covers(w, one)))
          if (index === undefined) continue
          covered++
          expect(covers(wide[index] as (typeof wide)[number], one)).toBe(true)
        }
      }),
      { numRuns: effort(5000) },
    )
    expect(covered).toBeGreaterThan(effort(2000))
  })
})

describe('of its own resources an account is the owner, of others it is not', () => {
  const theirs = '"urn:v1:eu:resource:vps:vps-3"'
  const world = (entry: string, permissions: string, owner: string, group = '') => `
account: ab12-svc
policies:
  - { name: p, identities: ["urn:v1:eu:identity:account:ab12-svc"], resources: [{ urn: "urn:v1:eu:${entry}" }], ${permissions} }
resources: [{ urn: ${theirs}, owner: ${owner} }]
${group}`
  const holding = `resourceGroups: [{ urn: "urn:v1:eu:resourceGroup:g", resources: [{ urn: ${theirs} }] }]`
  const apart = 'resourceGroups: [{ urn: "urn:v1:eu:resourceGroup:g", resources: [{ urn: "urn:v1:eu:resource:vps:vps-1" }] }]'

  it.each<[string, string, string, string, boolean]>([
    ['all of a type', 'resource:vps:*', 'ab12-svc', '', true],
    ['all of a type, and one of them is a partner’s', 'resource:vps:*', 'cd34-svc', '', false],
    ['a partner’s', 'resource:vps:vps-3', 'cd34-svc', '', false],
    ['another than the partner’s', 'resource:vps:vps-1', 'cd34-svc', '', true],
    ['a group that holds a partner’s', 'resourceGroup:g', 'cd34-svc', holding, false],
    ['a group that does not', 'resourceGroup:g', 'cd34-svc', apart, true],
    ['a group of which nothing is known', 'resourceGroup:h', 'cd34-svc', apart, false],
  ])('%s', async (_, entry, owner, group, isOwn) => {
    const found = (permissions: string, code: string) => lintExample(readExample(world(entry, permissions, owner, group)), code)
    const denied = await found(deny('vps:apisvc:terminate'), 'deny-for-account')
    expect(denied.some(({ code }) => code === 'deny-for-account')).toBe(isOwn)
    const granted = (await found(allow('vps:*'), 'whole-account-grant')).find(({ code }) => code === 'whole-account-grant')
    expect(granted?.message.includes('gives nobody more')).toBe(isOwn)
  })
})
