import { describe, expect, test } from 'vitest'
import { defaultSettings } from '../../src/names.ts'
import { listingOf, readFacts } from '../../src/parser/policy.ts'
import { readTree } from '../../src/parser/tree.ts'
import { buildWorld } from '../../src/parser/world.ts'
import { decide } from '../../src/simulate/decide.ts'
import { sourceOf } from '../../src/source.ts'
import { contextOf, found } from '../support/lint-world.ts'
import '../support/seed.ts'
import { questionOf, worldOfTexts } from '../support/worlds.ts'

/** Answers of the live service: lists as they are, and things that are described where others name them. */

const vps = (name: string) => `urn:v1:eu:resource:vps:${name}`
const group = 'urn:v1:eu:resourceGroup:5b0c'
const readers = 'urn:v1:eu:permissionsGroup:ab12-svc:readers'

const policy = {
  id: '6e2a1d0c',
  name: 'web',
  description: null,
  identities: ['urn:v1:eu:identity:user:ab12-svc/ann'],
  resources: [{ urn: vps('vps-1') }] as object[],
  permissions: { allow: null, except: null, deny: null } as object | null,
  permissionsGroups: [] as object[],
  conditions: null as object | null,
  expiredAt: null,
  owner: 'ab12-svc',
  readOnly: false,
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: null,
}
const asked = {
  identity: 'urn:v1:eu:identity:user:ab12-svc/ann',
  action: 'vps:apisvc:reboot',
  resource: vps('vps-1'),
  at: '2026-01-15T12:00:00Z',
}
const reboot = { permissions: { allow: [{ action: 'vps:apisvc:reboot' }], except: null, deny: null } }

function verdict(files: readonly object[], question: object = {}): string {
  return decide(worldOfTexts(files.map((file) => JSON.stringify(file))), questionOf({ ...asked, ...question })).verdict
}

function problems(...files: readonly object[]) {
  const reads = files.map((file, i) => readFacts(readTree(sourceOf(`${i}.json`, JSON.stringify(file))).documents, defaultSettings))
  return [
    ...reads.flatMap((read) => [...read.diagnostics, ...read.misshapen.map(({ shape }) => ({ code: shape }))]),
    ...buildWorld(reads.map(({ facts }) => facts)).diagnostics,
  ].map(({ code }) => code)
}

describe('a policy that is listed with details', () => {
  const conditions = { operator: 'MATCH', values: { 'resource.Tag(env)': 'prod' }, conditions: null }
  const tagged = (tags: object | null, owner?: string) => ({
    ...policy,
    ...reboot,
    conditions,
    resources: [{ urn: vps('vps-1'), group: null, resource: { id: 'r1', name: 'vps-1', displayName: 'one', type: 'vps', owner, tags } }],
  })

  test.each([
    [{ env: 'prod' }, 'allow'],
    [{ env: 'test' }, 'deny'],
    [{}, 'deny'],
    [null, 'unknown'],
  ])('gives the tags of its resources: %j', (tags, wanted) => {
    expect(verdict([[tagged(tags, 'ab12-svc')]])).toBe(wanted)
  })

  test('gives their owners', () => {
    const owner = { identity: 'urn:v1:eu:identity:account:zz99-svc' }
    expect(verdict([[tagged(null, 'zz99-svc')]], owner)).toBe('allow')
    expect(verdict([[tagged(null, 'ab12-svc')]], owner)).toBe('deny')
  })

  test('gives nothing for the resources that a pattern matches', () => {
    const all = { ...tagged({ env: 'prod' }), resources: [{ urn: vps('*'), resource: { tags: { env: 'prod' } } }] }
    expect(verdict([all])).toBe('unknown')
  })

  test('contradicts an inventory that says something else', () => {
    const inventory = (tags: object) => [{ id: 'r1', urn: vps('vps-1'), tags, type: 'vps', owner: 'ab12-svc' }]
    expect(problems([tagged({ env: 'prod' })], inventory({ env: 'prod' }))).toEqual([])
    expect(problems([tagged({ env: 'prod' })], inventory({ env: 'test' }))).toEqual(['duplicate-definition'])
    expect(problems([tagged({ env: 'prod' }, 'zz99-svc')], inventory({ env: 'prod' }))).toEqual(['duplicate-definition'])
  })

  test('is refused where a value is of the wrong kind', () => {
    expect(problems([{ ...policy, resources: [{ urn: vps('vps-1'), resource: { owner: 5 } }] }])).toEqual(['policy'])
    expect(problems([{ ...policy, resources: [{ urn: vps('vps-1'), resource: { tags: { a: 1 } } }] }])).toEqual(['policy'])
    expect(problems([{ ...policy, permissionsGroups: [{ urn: readers, permissions: { alow: [] } }] }])).toEqual(['policy'])
  })

  test('is no inventory: that it names some resources says nothing of others', () => {
    const other = { ...policy, name: 'other', resources: [{ urn: vps('vps-2') }] }
    const world = worldOfTexts([JSON.stringify([tagged({ env: 'prod' }, 'ab12-svc'), other])])
    expect(contextOf(world).world.resources.size).toBe(1)
    expect(found(world, 'unknown-resource')).toEqual([])
    const listed = worldOfTexts([JSON.stringify([other]), JSON.stringify([{ urn: vps('vps-1'), type: 'vps' }])])
    expect(found(listed, 'unknown-resource')).toHaveLength(1)
  })
})

describe('a permissions group that is described where a policy names it', () => {
  const naming = (over: object) => ({ ...policy, permissionsGroups: [{ urn: readers, ...over }] })

  test('grants what it says', () => {
    expect(verdict([[naming({})]])).toBe('unknown')
    expect(verdict([[naming({ name: 'readers', owner: 'ab12-svc', ...reboot })]])).toBe('allow')
    expect(verdict([[naming({ permissions: { allow: [{ action: '*' }], deny: [{ action: 'vps:*' }] } })]])).toBe('deny')
  })

  test('is not known where its permissions are not given', () => {
    for (const permissions of [null, {}, { allow: null, except: null, deny: null }])
      expect(verdict([[naming({ permissions })]])).toBe('unknown')
  })

  test('is held to other descriptions of it', () => {
    const listing = [{ id: 'g1', urn: readers, name: 'readers', description: '', owner: 'ab12-svc', ...reboot }]
    expect(problems([naming(reboot)], listing)).toEqual([])
    expect(problems([naming({ permissions: { allow: [{ action: 'vps:*' }] } })], listing)).toEqual(['duplicate-definition'])
    expect(problems([naming(reboot), naming({ permissions: { allow: [{ action: 'dns:*' }] } })])).toEqual(['duplicate-definition'])
  })
})

describe('a list of what is no policy', () => {
  const grouped = {
    ...policy,
    ...reboot,
    resources: [{ urn: group, group: { id: '5b0c', name: 'servers', readOnly: false }, resource: null }],
  }
  const members = (...resources: object[]) => [{ id: '5b0c', urn: group, name: 'servers', owner: 'ab12-svc', readOnly: false, resources }]

  test('of resource groups: members in full, by URN, by id', () => {
    const full = { id: 'r1', urn: vps('vps-1'), name: 'vps-1', displayName: 'one', type: 'vps', owner: 'ab12-svc', tags: { env: 'prod' } }
    expect(verdict([[grouped], members(full)])).toBe('allow')
    expect(verdict([[grouped], members(full)], { resource: vps('vps-2') })).toBe('deny')
    expect(verdict([[grouped], members({ id: 'r1', urn: null })])).toBe('unknown')
    expect(verdict([[grouped], members({ id: null, urn: null })])).toBe('unknown')
    expect(verdict([[grouped], members({ id: 'r1' }), [full]])).toBe('allow')
    expect(verdict([[grouped], members({ id: 'r1' }), [full]], { resource: vps('vps-2') })).toBe('deny')
    // Two that go by one id: which one is meant is not known.
    expect(verdict([[grouped], members({ id: 'r1' }), [full, { ...full, urn: vps('vps-2') }]])).toBe('unknown')
    expect(problems(members(full), [{ ...full, tags: {} }])).toEqual(['duplicate-definition'])
  })

  test('of permissions groups, or one of them', () => {
    const listing = { id: 'g1', urn: readers, name: 'readers', description: '', owner: 'ab12-svc', updatedAt: null, ...reboot }
    const naming = { ...policy, permissionsGroups: [{ urn: readers }] }
    expect(verdict([[naming], [listing]])).toBe('allow')
    expect(verdict([[naming], listing])).toBe('allow')
    expect(problems([listing, { urn: 'urn:v1:eu:permissionGroup:ab12-svc:x', ...reboot }])).toEqual(['permissions-group-urn'])
    expect(problems([{ urn: readers, permissions: [] }])).toEqual(['world'])
  })

  test('is known by what it says, and nothing else is', () => {
    const kind = (document: unknown) => {
      const [node] = readTree(sourceOf('p.json', JSON.stringify(document))).documents
      return node && listingOf(node)
    }
    expect(kind([{ urn: vps('vps-1') }])).toBe('resources')
    expect(kind({ urn: vps('vps-1'), tags: {} })).toBe('resources')
    expect(kind([{ urn: vps('vps-1'), team: 'web' }])).toBeUndefined()
    expect(kind([{ urn: vps('vps-1') }, 'x'])).toBeUndefined()
    expect(kind([{ urn: group }])).toBeUndefined()
    expect(kind([{ urn: readers }])).toBeUndefined()
    expect(kind([{ urn: readers, ...reboot, identities: [] }])).toBeUndefined()
    expect(kind([{ urn: 'urn:v1:eu:constructor:x' }, { urn: 'urn' }, { urn: 1 }])).toBeUndefined()
    expect(kind([policy])).toBeUndefined()
    expect(kind([])).toBeUndefined()
  })
})
