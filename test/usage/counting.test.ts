import { describe, expect, test } from 'vitest'
import { printAddress } from '../../src/conditions/address.ts'
import { diff } from '../../src/diff/diff.ts'
import { partsOfFindings } from '../../src/history/finding-parts.ts'
import { defaultSettings } from '../../src/names.ts'
import type { World } from '../../src/policy.ts'
import { decide } from '../../src/simulate/decide.ts'
import type { Question, Verdict } from '../../src/simulate/decision.ts'
import { CallCounter, type CallUse } from '../../src/usage/counting.ts'
import { type Recorded, recordReader } from '../../src/usage/record.ts'
import { replayCollector } from '../../src/usage/replay.ts'
import { ChangeTargets, namesTarget, policyTarget } from '../../src/usage/targets.ts'
import { effort } from '../support/effort.ts'
import { questionOf as asked, generate, type PolicyJson, randomOf, usualKnobs, type WorldJson, worldOf } from '../support/worlds.ts'

const [ann, bob, ops, dev] = ['user:ab12-svc/ann', 'user:ab12-svc/bob', 'group:ab12-svc/ops', 'group:ab12-svc/dev'].map(
  (each) => `urn:v1:eu:identity:${each}`,
) as [string, string, string, string]
const vps = (name: string) => `urn:v1:eu:resource:vps:${name}`

interface Called extends Pick<Question, 'identity' | 'action' | 'resource' | 'groups' | 'ip'> {
  readonly at: number
  readonly verdict: Verdict
}

function read(line: object): readonly Recorded[] {
  const found = recordReader(defaultSettings).read(JSON.stringify(line))
  if (found.kind !== 'records') throw new Error(JSON.stringify(found))
  return found.records
}

/** A line of an access log, in which groups are known. */
const logged = ({ identity, groups, action, resource, at, ip, verdict }: Called) =>
  read({
    account: 'zz99-svc',
    identities_array: [identity, ...groups],
    requested_actions_array: [action],
    authorized_actions_array: verdict === 'allow' ? [action] : [],
    unauthorized_actions_array: verdict === 'allow' ? [] : [action],
    resource,
    timestamp: new Date(at).toISOString(),
    ...(ip && { client_ip: printAddress(ip) }),
  })

/** A call of `serve --record`, which names no groups. */
const called = (identity: string, action: string, resource: string | null, more: object = {}) =>
  read({
    at: '2026-11-02T08:00:00Z',
    account: 'ab12-svc',
    identity,
    method: 'GET',
    path: '/v1/vps',
    ip: '192.0.2.7',
    operation: null,
    actions: [{ action, resource, required: true, verdict: 'allow' }],
    verdict: 'allow',
    credential: null,
    status: 200,
    ...more,
  })

const policy = (more: Partial<PolicyJson> = {}): PolicyJson => ({
  name: 'p',
  identities: [ann],
  resources: [{ urn: vps('web-*') }],
  permissions: { allow: [{ action: 'vps:apisvc:*' }] },
  ...more,
})

/** The use of the one policy of a world in some records. */
function useOf(written: object, records: readonly Recorded[]): CallUse {
  const world = worldOf(written)
  const counter = new CallCounter(world)
  const use = counter.ask(policyTarget(world.policies[0] as World['policies'][number], world))
  records.forEach(counter.add)
  return use()
}

describe('calls of a policy', () => {
  test('are those that it allows, with the last one', () => {
    const use = useOf(policy(), [
      ...called(ann, 'vps:apisvc:get', vps('web-1')),
      ...called(ann, 'vps:apisvc:get', vps('web-2'), { at: '2026-11-05T09:00:00Z' }),
      ...called(ann, 'vps:apisvc:get', vps('db-1'), { at: '2026-11-06T09:00:00Z' }),
      ...called(bob, 'vps:apisvc:get', vps('web-1')),
    ])
    expect(use.used).toEqual({ count: 2, last: Date.parse('2026-11-05T09:00:00Z'), by: ann })
    expect(use).toMatchObject({ refused: { count: 0 }, elsewhere: 0, open: 0 })
  })

  test('at other times and from other addresses are counted apart', () => {
    const conditions = { operator: 'MATCH', values: { 'request.IP.IN_RANGE': '198.51.100.0/24' } }
    expect(useOf(policy({ conditions }), called(ann, 'vps:apisvc:get', vps('web-1')))).toMatchObject({ used: { count: 0 }, elsewhere: 1 })
    const expired = policy({ expiredAt: '2026-11-01T00:00:00Z' })
    expect(useOf(expired, called(ann, 'vps:apisvc:get', vps('web-1')))).toMatchObject({ used: { count: 0 }, elsewhere: 1, open: 0 })
    expect(useOf(expired, called(ann, 'vps:apisvc:get', vps('web-1'), { at: '2026-10-31T00:00:00Z' })).used.count).toBe(1)
  })

  test('of a caller whose groups are not known cannot be determined, where the policy names a group', () => {
    const ofGroup = policy({ identities: [ops] })
    const call = called(ann, 'vps:apisvc:get', vps('web-1'))
    expect(useOf(ofGroup, call)).toMatchObject({ used: { count: 0 }, open: 1 })
    const described = { policies: [ofGroup], identities: [{ urn: ann, groups: [ops] }] }
    expect(useOf(described, call)).toMatchObject({ used: { count: 1 }, open: 0 })
    expect(useOf({ policies: [ofGroup], identities: [{ urn: ann, groups: [dev] }] }, call)).toMatchObject({ used: { count: 0 }, open: 0 })
  })

  test('without a resource cannot be determined; those of the owning account are of no policy', () => {
    expect(useOf(policy(), called(ann, 'vps:apisvc:get', null))).toMatchObject({ used: { count: 0 }, open: 1 })
    const account = 'urn:v1:eu:identity:account:ab12-svc'
    expect(useOf(policy({ identities: [account] }), called(account, 'vps:apisvc:get', vps('web-1'))).used.count).toBe(0)
  })

  test('that are counted together have no one time', () => {
    const row = { account: 'ab12-svc', identity: ann, action: 'vps:apisvc:get', resource: vps('web-1'), verdict: 'allow', calls: 40 }
    const many = read({ ...row, first_ms: Date.parse('2026-10-01T00:00:00Z'), last_ms: Date.parse('2026-11-05T00:00:00Z') })
    expect(useOf(policy(), many).used).toMatchObject({ count: 40, last: Date.parse('2026-11-05T00:00:00Z') })
    expect(useOf(policy({ expiredAt: '2026-11-01T00:00:00Z' }), many)).toMatchObject({ used: { count: 0 }, open: 40 })
  })

  test('with several actions count once', () => {
    const actions = ['vps:apisvc:get', 'vps:apisvc:reboot'].map((action) => ({
      action,
      resource: vps('web-1'),
      required: true,
      verdict: 'allow',
    }))
    expect(useOf(policy(), called(ann, 'vps:apisvc:get', null, { actions })).used.count).toBe(1)
  })

  test('of a policy that denies are those that were refused', () => {
    const deny = policy({ permissions: { deny: [{ action: 'vps:apisvc:reboot' }] } })
    const refused = { verdict: 'deny', actions: [{ action: 'vps:apisvc:reboot', resource: vps('web-1'), required: true, verdict: 'deny' }] }
    expect(useOf(deny, called(ann, '', null, refused))).toMatchObject({ used: { count: 0 }, refused: { count: 1 } })
  })

  test('are all counted where there are more than a word of targets', () => {
    const world = worldOf({ policies: Array.from({ length: 70 }, (_, i) => policy({ name: `p${i}`, resources: [{ urn: vps(`w${i}`) }] })) })
    const counter = new CallCounter(world)
    const uses = world.policies.map((each) => counter.ask(policyTarget(each, world)))
    for (let i = 0; i < 70; i++) called(ann, 'vps:apisvc:get', vps(`w${i}`)).forEach(counter.add)
    expect(uses.map((use) => use().used.count)).toEqual(Array.from({ length: 70 }, () => 1))
  })
})

test('records are named of which nothing is counted', () => {
  const counter = new CallCounter(worldOf(policy()))
  const undecided = { verdict: 'unknown', actions: [{ action: 'vps:apisvc:get', resource: vps('a'), required: true, verdict: 'unknown' }] }
  for (const records of [
    called(ann, 'vps:apisvc:get', null),
    called(ann, '', null, undecided),
    called('urn:v1:eu:identity:account:ab12-svc', 'vps:apisvc:get', vps('a')),
  ])
    records.forEach(counter.add)
  expect(counter.end()).toMatchObject({
    calls: 3,
    unplaced: { count: 1, actions: ['vps:apisvc:get'] },
    undecided: { count: 1, actions: ['vps:apisvc:get'] },
    root: 1,
    undated: 0,
  })
})

test('a row by names counts calls of members, and not of those that it excepts', () => {
  const world = worldOf({ policies: [policy()], identities: [{ urn: ann, groups: [ops] }] })
  const counter = new CallCounter(world)
  const names = { identities: [ops], actions: ['vps:*'], resources: [vps('*')] }
  const [all, some] = [counter.ask(namesTarget(names, world)), counter.ask(namesTarget({ ...names, except: [ann] }, world))]
  called(ann, 'vps:apisvc:get', vps('web-1')).forEach(counter.add)
  expect([all().used.count, some().used.count]).toEqual([1, 0])
})

test('a finding about some actions is about these alone', () => {
  const world = worldOf({ policies: [policy()] })
  const [only] = world.policies as [World['policies'][number]]
  const partsOf = partsOfFindings(world, [{ code: 'file-name', section: 'document' }])
  const { span } = only.permissions.allow[0] as World['policies'][number]['permissions']['allow'][number]
  const [about] = partsOf({ code: 'risky-wildcard', span, actions: ['vps:apisvc:terminate'] })
  expect(about?.permissions.allow.map(({ value }) => value.text)).toEqual(['vps:apisvc:terminate'])
  expect(partsOf({ code: 'whole-product', span })[0]?.permissions.allow).toEqual(only.permissions.allow)
  expect(partsOf({ code: 'file-name', span })).toEqual([])
})

/** Calls near the policies of a world, as it decides them. */
function callsIn(seed: number) {
  const { world: written, questions } = generate(randomOf(seed), 12, usualKnobs)
  const world = worldOf(written)
  const calls = questions.map((each): Called => {
    const { identity, action, resource, at, ip, groups = [] } = asked(each)
    const question = { identity, action, resource, at, groups, ...(ip && { ip }) }
    return { ...question, verdict: decide(world, question).verdict === 'allow' ? 'allow' : 'deny' }
  })
  return { written, world, calls }
}

/** Whether an access log can have a call, and the caller is not the account itself. */
const isRecorded = ({ identity }: Called) => ['user', 'credential'].includes(identity.split(':')[4] as string)

test('the numbers of each entry are those of deciding each call by a policy of that entry alone', () => {
  let counted = 0
  for (let seed = 1; seed <= effort(400, 40); seed++) {
    const { written, world, calls } = callsIn(seed)
    const counter = new CallCounter(world)
    const entries = written.policies.flatMap((each, i) =>
      (each.permissions.allow ?? []).map((entry) => ({ each, entry, own: world.policies[i] as World['policies'][number] })),
    )
    const uses = entries.map(({ entry, own }) => {
      const allow = own.permissions.allow.filter(({ value }) => value.text === entry.action)
      return counter.ask(policyTarget({ ...own, permissions: { ...own.permissions, allow, deny: [] }, permissionsGroups: [] }, world))
    })
    const made = calls.filter(isRecorded)
    for (const each of made) logged(each).forEach(counter.add)
    for (const [i, { each, entry }] of entries.entries()) {
      const { permissionsGroups: _, ...rest } = each
      const alone: WorldJson = {
        ...written,
        policies: [{ ...rest, permissions: { allow: [entry], ...(each.permissions.except && { except: each.permissions.except }) } }],
      }
      const own = worldOf(alone)
      const verdicts = made.map((call) => ({ call, verdict: decide(own, call).verdict }))
      const count = (recorded: Verdict, verdict: Verdict) =>
        verdicts.filter((one) => one.call.verdict === recorded && one.verdict === verdict).length
      const use = uses[i]?.() as CallUse
      expect([use.used.count, use.refused.count, use.open], `seed ${seed}, ${entry.action}`).toEqual([
        count('allow', 'allow'),
        count('deny', 'allow'),
        count('allow', 'unknown'),
      ])
      counted += use.used.count
    }
  }
  expect(counted).toBeGreaterThan(effort(400, 40) / 2)
})

test('the calls of what is lost are those that the change refuses, as replay counts them', () => {
  let lost = 0
  for (let seed = 1; seed <= effort(300, 30); seed++) {
    const { written, world: before, calls } = callsIn(seed)
    // A grant, or a deny, is removed.
    const after = worldOf({ ...written, policies: written.policies.slice(1) })
    const difference = diff(before, after)
    if (difference.undecided.length > 0) continue
    const counter = new CallCounter(before, after)
    const targets = new ChangeTargets(before, after)
    const groups = { gained: counter.group(), lost: counter.group() }
    for (const side of ['gained', 'lost'] as const) for (const row of difference[side]) counter.ask(targets.of(row, side), groups[side])
    const replayed = replayCollector(after, { now: 0 })
    const made = calls.filter(isRecorded)
    for (const each of made)
      for (const record of logged(each)) {
        counter.add(record)
        replayed.add(record)
      }
    const { refused, unknown } = replayed.end().counts
    const { used, open } = groups.lost.use
    expect(used.count, `seed ${seed}`).toBeGreaterThanOrEqual(refused)
    expect(used.count + open, `seed ${seed}`).toBeLessThanOrEqual(refused + unknown + openBefore(before, after, made))
    const gained = made.filter(
      (each) => each.verdict === 'deny' && decide(before, each).verdict === 'deny' && decide(after, each).verdict === 'allow',
    )
    expect(groups.gained.use.refused.count, `seed ${seed}`).toBeGreaterThanOrEqual(gained.length)
    lost += refused
  }
  expect(lost).toBeGreaterThan(effort(300, 30) / 10)
})

test('each call of a row of a change is judged at its own time', () => {
  const early = { operator: 'MATCH', values: { 'date(UTC).Hour.LT': '8' } }
  const [before, after] = [worldOf({ policies: [policy({ conditions: early })] }), worldOf({ policies: [] })]
  const [row] = diff(before, after).lost
  const counter = new CallCounter(before, after)
  const use = counter.ask(new ChangeTargets(before, after).of(row as NonNullable<typeof row>, 'lost'))
  for (const hour of ['12', '07', '13', '06', '05'])
    called(ann, 'vps:apisvc:get', vps('web-1'), { at: `2026-11-02T${hour}:00:00Z` }).forEach(counter.add)
  expect([use().used.count, use().open]).toEqual([3, 0])
})

/** Calls whose change is open: one of the worlds does not decide them. */
const openBefore = (before: World, after: World, calls: readonly Called[]) =>
  calls.filter((each) => [before, after].some((world) => decide(world, each).verdict === 'unknown')).length
