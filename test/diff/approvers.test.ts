import { expect, test } from 'vitest'
import { loadCatalogue } from '../../src/actions/load.ts'
import { Budget } from '../../src/budget.ts'
import { readAddress } from '../../src/conditions/address.ts'
import { approvalsFor } from '../../src/diff/approvers.ts'
import { diff } from '../../src/diff/diff.ts'
import type { World } from '../../src/policy.ts'
import { decide } from '../../src/simulate/decide.ts'
import type { Question } from '../../src/simulate/decision.ts'
import { ActionsByType } from '../../src/symbolic/described.ts'
import { always, notBefore } from '../../src/symbolic/formula.ts'
import { counted } from '../support/counted.ts'
import { untilSeen } from '../support/effort.ts'
import { type ConditionJson, type PolicyJson, pick, type Random, randomOf, worldOf } from '../support/worlds.ts'

/** The owners who approve a change, against every question about every described resource. */

const user = (name: string) => `urn:v1:eu:identity:user:ab12-svc/${name}`
const [web, open] = ['web', 'open'].map((name) => `urn:v1:eu:identity:group:ab12-svc/${name}`) as [string, string]
const machine = 'urn:v1:eu:identity:credential:ab12-svc/oauth2-0000000000000001'
const vps = (name: string) => `urn:v1:eu:resource:vps:${name}`
const office: ConditionJson = { operator: 'MATCH', values: { 'request.IP.IN_RANGE': '198.51.100.0/24' } }
const tagged: ConditionJson = { operator: 'MATCH', values: { 'resource.Tag(env)': 'prod' } }
const now = Date.UTC(2026, 5, 1)
const later = Date.UTC(2027, 5, 1)
const addresses = ['198.51.100.7', '192.0.2.1'].map((text) => readAddress(text) as NonNullable<Question['ip']>)
const catalogue = loadCatalogue()
const actions = new ActionsByType({ products: ['vps'], typesOf: () => ['vps'], actionsOf: (product) => catalogue.actionsOf(product) })
const asked = ['vps:apisvc:get', 'vps:apisvc:reboot', 'vps:apisvc:reinstall', 'vps:apisvc:terminate']
// As of `diff`, an identity may also be in groups that no description gives it.
const askers = [user('ann'), user('bob'), user('zed'), machine].flatMap((identity) =>
  [[], [web], [open], [web, open]].map((groups) => [identity, groups] as const),
)

const items = (list: readonly string[]) => list.map((action) => ({ action }))
const someOf = <T>(random: Random, list: readonly T[], most: number): T[] => [
  ...new Set(Array.from({ length: 1 + Math.floor(random() * most) }, () => pick(random, list))),
]

function policyOf(random: Random, i: number): PolicyJson {
  const names = [...asked, 'vps:apisvc:re*', '*']
  const isDeny = random() < 0.25
  return {
    name: `p${i}`,
    identities: someOf(random, [user('ann'), user('bob'), user('*'), web, open], 2),
    resources: someOf(random, [vps('a'), vps('b'), vps('b*'), vps('*')], 2).map((urn) => ({ urn })),
    permissions: isDeny ? { deny: items(someOf(random, names, 2)) } : { allow: items(someOf(random, names, 2)) },
    ...(random() < 0.4 && { conditions: pick(random, [office, tagged]) }),
    ...(random() < 0.2 && { expiredAt: pick(random, ['2026-12-01T00:00:00Z', '2025-01-01T00:00:00Z']) }),
  }
}

const inventory = (random: Random) => ({
  account: 'ab12-svc',
  identities: [user('ann'), user('bob')].map((urn) => ({ urn, groups: random() < 0.5 ? [web] : [] })),
  resources: ['a', 'b', 'c'].map((name) => ({
    urn: vps(name),
    tags: random() < 0.5 ? { env: 'prod' } : {},
    ...(random() < 0.8 && { owners: someOf(random, ['kim', 'acme/web', 'lee'], 2) }),
  })),
})

function approvalsIn(before: World, after: World) {
  const run = new Budget()
  const difference = diff(before, after, { catalogue, described: actions, within: { from: now }, run })
  return { difference, ...approvalsFor(before, after, difference, { actions, time: notBefore(now), run }) }
}

test('are the owners of each resource on which a question is newly allowed', () => {
  const seen = { owners: 0, none: 0, unowned: 0, undescribed: 0, tags: 0, adopted: 0 }
  const random = randomOf(20_261_201)
  for (const _ of untilSeen(seen, counted(2000))) {
    const policies = Array.from({ length: 1 + Math.floor(random() * 3) }, (_, i) => policyOf(random, i))
    const changed = policies.map((each, i) => (random() < 0.3 ? policyOf(random, i) : each))
    const facts = inventory(random)
    const [isRetagged, isJoined] = [random() < 0.2, random() < 0.2]
    const others = inventory(random)
    const now2 = { ...facts, ...(isRetagged && { resources: others.resources }), ...(isJoined && { identities: others.identities }) }
    const written = { before: { ...facts, policies }, after: { ...now2, policies: changed } }
    const [before, after] = [worldOf(written.before), worldOf(written.after)]
    const found = approvalsIn(before, after)
    const isGained = (resource: string) =>
      askers.some(([identity, groups]) =>
        [...asked, 'vps:apisvc:rebuild'].some((action) =>
          addresses.some((ip) =>
            [now, later].some((at) => {
              const question: Question = { identity, groups, action, resource, ip, at }
              return decide(after, question).verdict === 'allow' && decide(before, question).verdict !== 'allow'
            }),
          ),
        ),
      )
    const gained = ['a', 'b', 'c'].map(vps).filter(isGained)
    const ownersOf = (urn: string) => [before, after].flatMap((world) => world.resources.get(urn)?.owners ?? [])
    const expected = [...new Set(gained.flatMap(ownersOf))].sort()
    expect({ owners: found.owners.map(({ owner }) => owner), undecided: found.undecided, written }).toEqual({
      owners: expected,
      undecided: [],
      written,
    })
    // Each owner is shown the resources of theirs, and the rest is shown to one of them.
    for (const { owner, access } of found.owners)
      expect([...new Set(access.flatMap(({ resources }) => resources))].sort()).toEqual(
        gained.filter((urn) => ownersOf(urn).includes(owner)),
      )
    // Owners whom the change brings approve it, and so does who approved it before.
    const unowned = gained.filter((urn) => (before.resources.get(urn)?.owners ?? []).length === 0)
    const left = found.others.filter(({ isOpen }) => !isOpen).flatMap(({ resources }) => resources)
    expect([...new Set(left)].sort()).toEqual(unowned)
    if (found.difference.gained.length === 0 && gained.length > 0) expect(found.difference.verdict).not.toBe('same')
    // Resources that no world describes have no known owner.
    if (['z', 'b-z'].map(vps).some(isGained))
      expect({ written, open: found.others.some(({ isOpen }) => isOpen) }).toEqual({ written, open: true })
    if (found.difference.gained.length > 0) expect(found.owners.length + found.others.length).toBeGreaterThan(0)
    seen.owners += Number(expected.length > 0)
    seen.none += Number(gained.length === 0)
    seen.unowned += Number(unowned.length > 0)
    seen.adopted += Number(unowned.some((urn) => ownersOf(urn).length > 0))
    seen.undescribed += Number(found.others.some(({ isOpen }) => isOpen))
    seen.tags += Number(isRetagged && expected.length > 0)
  }
  for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThan(0)
})

test('are the same where all policies about each resource are looked at', () => {
  const seen = { described: 0, undescribed: 0, certain: 0, conditional: 0, denied: 0 }
  const random = randomOf(20_261_129)
  for (const _ of untilSeen(seen, counted(2000))) {
    const policies = Array.from({ length: 2 + Math.floor(random() * 4) }, (_, i) => policyOf(random, i))
    const changed = policies.map((each, i) => (random() < 0.3 ? policyOf(random, i) : each))
    const facts = inventory(random)
    const [before, after] = [worldOf({ ...facts, policies }), worldOf({ ...facts, policies: changed })]
    const { difference, ...found } = approvalsIn(before, after)
    // A denial that is taken away has all policies looked at, and this one is about no known action.
    const denial = worldOf({
      policies: [
        { name: 'd', identities: [user('eve')], resources: [{ urn: vps('*') }], permissions: { deny: items(['web:apisvc:get']) } },
      ],
    })
    const whole = { ...before, policies: [...before.policies, ...denial.policies] }
    const options = { actions, time: notBefore(now), run: new Budget() }
    expect(found).toEqual(approvalsFor(whole, after, difference, options))
    const access = [...found.owners.flatMap((each) => each.access), ...found.others]
    seen.described += Number(access.some(({ identities }) => identities.includes(user('ann'))))
    seen.undescribed += Number(
      access.some(({ identities, isOpen }) => !isOpen && identities.some((each) => before.identities.get(each) === undefined)),
    )
    seen.certain += Number(access.some(({ certain }) => certain))
    seen.conditional += Number(access.some(({ condition }) => condition !== always))
    seen.denied += Number(access.length > 0 && policies.some(({ permissions }) => 'deny' in permissions))
  }
  for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThan(0)
})

test('of more than one run looks at are not all determined, and the rest is not looked at', () => {
  const names = Array.from({ length: 40 }, (_, i) => `r${i}`)
  const policies = names.map(
    (name): PolicyJson => ({
      name,
      identities: [user('ann')],
      resources: [{ urn: vps('*') }],
      permissions: { allow: items([`vps:apisvc:${name}`]) },
      // Each resource is in a class of its own.
      conditions: { operator: 'MATCH', values: { [`resource.Tag(${name})`]: 'x' } },
    }),
  )
  const resources = names.map((name) => ({ urn: vps(name), tags: { [name]: 'x' }, owners: ['kim'] }))
  const added: PolicyJson = {
    name: 'new',
    identities: [user('ann')],
    resources: [{ urn: vps('*') }],
    permissions: { allow: items(['vps:apisvc:get']) },
  }
  const [before, after] = [worldOf({ policies, resources }), worldOf({ policies: [...policies, added], resources })]
  const difference = diff(before, after, { catalogue, within: { from: now } })
  const run = new Budget(50_000)
  const { undecided } = approvalsFor(before, after, difference, { actions, time: notBefore(now), run })
  expect(undecided.some((culprit) => culprit.startsWith(vps('')))).toBe(true)
  expect(run.left).toBeGreaterThan(-50_000)
})

test('access to a described resource and to others by one policy is not for the owner to approve by themselves', () => {
  const grant = { name: 'p', identities: [user('ann')], permissions: { allow: items(['vps:apisvc:get']) } }
  const described = { account: 'ab12-svc', identities: [{ urn: user('ann'), groups: [] }], resources: [{ urn: vps('a'), owners: ['kim'] }] }
  const after = worldOf({ ...described, policies: [{ ...grant, resources: [{ urn: vps('a') }, { urn: vps('z*') }] }] })
  const { owners, others } = approvalsIn(worldOf({ ...described, policies: [] }), after)
  expect(owners.map(({ owner }) => owner)).toEqual(['kim'])
  expect(others.filter(({ isOpen }) => isOpen).flatMap(({ resources }) => resources)).toContain(vps('z*'))
})
