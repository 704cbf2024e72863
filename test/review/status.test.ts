import { expect, test } from 'vitest'
import { Budget } from '../../src/budget.ts'
import { diff } from '../../src/diff/diff.ts'
import { grantsOf, inForceAt } from '../../src/review/grants.ts'
import { keyText } from '../../src/review/keys.ts'
import { recorded } from '../../src/review/round.ts'
import { judgedGrants } from '../../src/review/status.ts'
import { decide } from '../../src/simulate/decide.ts'
import { effort } from '../support/effort.ts'
import { decidedReview, reread, rowsOf, statusesOf } from '../support/reviewing.ts'
import { generate, type PolicyJson, pick, questionOf, type Random, randomOf, shuffled, type WorldJson, worldOf } from '../support/worlds.ts'

/** A decision is valid exactly while the access of its grant is the one that was decided about. */

const at = Date.parse('2026-06-01T00:00:00Z')
const keep = { decision: 'keep', by: 'kim', date: '2026-06-01' } as const

const changes: readonly ((policy: PolicyJson, random: Random) => PolicyJson | undefined)[] = [
  () => undefined,
  (policy) => ({ ...policy, permissions: { ...policy.permissions, deny: [] } }),
  (policy) => ({ ...policy, permissions: { ...policy.permissions, except: [] } }),
  (policy, random) => ({
    ...policy,
    permissions: { ...policy.permissions, allow: shuffled(random, policy.permissions.allow ?? []).slice(1) },
  }),
  ({ conditions: _, ...policy }) => policy,
  (policy) => ({ ...policy, expiredAt: '2026-12-31T00:00:00Z' }),
  (policy, random) => ({ ...policy, resources: shuffled(random, policy.resources).slice(0, 1) }),
  (policy) => ({
    ...policy,
    permissions: { ...policy.permissions, allow: [...(policy.permissions.allow ?? []), { action: 'vps:apisvc:get' }] },
  }),
]

/** One policy edited, or taken out. */
function edited(world: WorldJson, random: Random): WorldJson {
  const chosen = pick(random, world.policies)
  const change = pick(random, changes)
  return { ...world, policies: world.policies.flatMap((policy) => (policy === chosen ? (change(policy, random) ?? []) : policy)) }
}

/** Names that differ, so that each policy is found again. */
const named = (world: WorldJson): WorldJson => ({
  ...world,
  policies: world.policies.map((policy, i) => ({ ...policy, name: `policy ${i}` })),
})

test('a decision is valid if and only if a comparison of the grant then and now finds no difference', async () => {
  const random = randomOf(41)
  const seen = { decided: 0, changed: 0 }
  for (let i = 0; i < effort(150, 30); i++) {
    const { world: written, questions } = generate(random, 6)
    const before = named(written)
    const after = edited(before, random)
    const [then, now] = [worldOf(before), worldOf(after)]
    const file = await reread(await decidedReview(then, at, keep))
    const grants = new Map(grantsOf(then, at).grants.map((grant) => [keyText(grant.key), grant]))
    for (const [key, { grant, status }] of statusesOf(now, file, at)) {
      const old = grants.get(key)
      const place = `${key}\n${JSON.stringify(before, undefined, 1)}\n${JSON.stringify(after, undefined, 1)}`
      if (!old) {
        expect(status.kind, place).toBe('undecided')
        continue
      }
      const [first, second] = [inForceAt(old.world, at), inForceAt(grant.world, at)]
      const { verdict } = diff(first, second)
      expect(status.kind, place).toBe({ same: 'decided', changed: 'changed', undecided: 'unproved' }[verdict])
      if (status.kind === 'decided' || status.kind === 'changed') seen[status.kind]++
      if (status.kind !== 'decided') continue
      for (const question of questions.map(questionOf))
        expect(decide(second, question).verdict, place).toBe(decide(first, question).verdict)
    }
  }
  expect(seen.decided).toBeGreaterThan(effort(150, 30))
  expect(seen.changed).toBeGreaterThan(effort(20, 30))
})

test('policies in another order, with their entries in another order, under other names, leave every decision valid', async () => {
  const random = randomOf(42)
  let count = 0
  for (let i = 0; i < effort(100, 30); i++) {
    const before = named(generate(random, 1).world)
    const sorted = before.policies.map((policy) => ({
      ...policy,
      identities: shuffled(random, policy.identities),
      resources: shuffled(random, policy.resources),
      permissions: { ...policy.permissions, ...(policy.permissions.allow && { allow: shuffled(random, policy.permissions.allow) }) },
    }))
    const file = await reread(await decidedReview(worldOf(before), at, keep))
    for (const { status } of statusesOf(worldOf({ ...before, policies: shuffled(random, sorted) }), file, at).values()) {
      expect(status.kind, JSON.stringify(before, undefined, 1)).toBe('decided')
      count++
    }
  }
  expect(count).toBeGreaterThan(effort(100, 30))
})

const ann = 'urn:v1:eu:identity:user:ab12-svc/ann'
const bob = 'urn:v1:eu:identity:user:ab12-svc/bob'
const policy = (name: string, action: string, more: Partial<PolicyJson> = {}): PolicyJson => ({
  name,
  identities: [ann],
  resources: [{ urn: 'urn:v1:eu:resource:vps:vps-1' }],
  permissions: { allow: [{ action }] },
  ...more,
})
const world = (...policies: readonly PolicyJson[]) =>
  worldOf({ policies, permissionsGroups: [], resourceGroups: [], resources: [], identities: [] })

const kindsOf = async (
  before: ReturnType<typeof world>,
  after: ReturnType<typeof world>,
  draft: Parameters<typeof decidedReview>[2] = keep,
) =>
  [...statusesOf(after, await reread(await decidedReview(before, at, draft)), at).values()].map(({ grant, status }) => [
    grant.key.policy,
    status.kind,
  ])

test('a decision goes with a policy that is renamed', async () => {
  expect(await kindsOf(world(policy('old', 'vps:apisvc:get')), world(policy('new', 'vps:apisvc:get')))).toEqual([['new', 'decided']])
  expect(await kindsOf(world(policy('old', 'vps:apisvc:get')), world(policy('new', 'vps:apisvc:reboot')))).toEqual([['new', 'undecided']])
})

test('a decision goes with none of two policies that fit, and with none for another identity', async () => {
  const two = world(policy('one', 'vps:apisvc:get'), policy('two', 'vps:apisvc:get'))
  expect(await kindsOf(world(policy('old', 'vps:apisvc:get')), two)).toEqual([
    ['one', 'undecided'],
    ['two', 'undecided'],
  ])
  const other = world(policy('new', 'vps:apisvc:get', { identities: [bob] }))
  expect(await kindsOf(world(policy('old', 'vps:apisvc:get')), other)).toEqual([['new', 'undecided']])
})

test('a deny that goes opens the grants that it limited, and no others', async () => {
  const deny = policy('guard', 'x', { permissions: { deny: [{ action: 'vps:apisvc:reinstall' }] } })
  const [wide, narrow] = [policy('wide', 'vps:*'), policy('narrow', 'vps:apisvc:get')]
  expect(await kindsOf(world(wide, narrow, deny), world(wide, narrow))).toEqual([
    ['narrow', 'decided'],
    ['wide', 'changed'],
  ])
})

test('what is decided is open until it is carried out', async () => {
  const before = world(policy('p', 'vps:apisvc:get'))
  const shorten = { ...keep, decision: 'shorten', until: '2026-12-31' } as const
  const ending = (expiredAt: string) => world(policy('p', 'vps:apisvc:get', { expiredAt }))
  expect(await kindsOf(before, before, { ...keep, decision: 'remove' })).toEqual([['p', 'not-removed']])
  expect(await kindsOf(before, world(), { ...keep, decision: 'remove' })).toEqual([])
  expect(await kindsOf(before, before, { ...keep, decision: 'ask' })).toEqual([['p', 'asked']])
  expect(await kindsOf(before, before, shorten)).toEqual([['p', 'not-shortened']])
  expect(await kindsOf(before, ending('2026-12-31T23:59:59Z'), shorten)).toEqual([['p', 'decided']])
  expect(await kindsOf(before, ending('2027-06-01T00:00:00Z'), shorten)).toEqual([['p', 'changed']])
})

test('what has expired is no grant, and what had expired when it was decided does not matter', async () => {
  const past = policy('past', 'vps:apisvc:get', { expiredAt: '2026-01-01T00:00:00Z' })
  expect(await kindsOf(world(past), world(past))).toEqual([])
  const oldGuard = policy('guard', 'x', { permissions: { deny: [{ action: 'vps:*' }] }, expiredAt: '2026-01-01T00:00:00Z' })
  expect(await kindsOf(world(policy('p', 'vps:apisvc:get'), oldGuard), world(policy('p', 'vps:apisvc:get')))).toEqual([['p', 'decided']])
})

test('the last decision about a grant counts', async () => {
  const before = world(policy('p', 'vps:apisvc:get'))
  const first = await decidedReview(before, at, { ...keep, decision: 'remove' })
  const key = first.decisions[0] as (typeof first.decisions)[number]
  const again = recorded({ ...first, open: await rowsOf(before, at) }, [{ key, ...keep, reason: 'still needed' }], undefined)
  expect(again.decisions.map(({ decision }) => decision)).toEqual(['remove', 'keep'])
  expect([...statusesOf(before, await reread(again), at).values()].map(({ status }) => status.kind)).toEqual(['decided'])
})

test('a longer stay than was decided before needs a reason', async () => {
  const before = world(policy('p', 'vps:apisvc:get'))
  const first = await decidedReview(before, at, { ...keep, decision: 'remove' })
  const key = first.decisions[0] as (typeof first.decisions)[number]
  const again = recorded({ ...first, open: await rowsOf(before, at) }, [{ key, ...keep }], undefined)
  expect([...statusesOf(before, await reread(again), at).values()].map(({ status }) => status.kind)).toEqual(['unexplained'])
})

test('decisions about grants that are gone are listed, but for those of a policy that was renamed', async () => {
  const before = world(policy('old', 'vps:apisvc:get'), policy('gone', 'vps:apisvc:reboot'))
  const after = world(policy('new', 'vps:apisvc:get'))
  const file = await reread(await decidedReview(before, at, keep))
  const { gone } = judgedGrants(grantsOf(after, at).grants, file, at, new Budget())
  expect(gone.map(({ decision }) => decision.policy)).toEqual(['gone'])
})

test('what cannot be compared within limits is not decided', async () => {
  const before = world(policy('p', 'vps:apisvc:get'))
  const file = await reread(await decidedReview(before, at, keep))
  const { rows } = judgedGrants(grantsOf(before, at).grants, file, at, new Budget(-1))
  expect(rows.map(({ status }) => status.kind)).toEqual(['unproved'])
})
