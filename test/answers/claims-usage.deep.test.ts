import { expect, test } from 'vitest'
import { leastAnswer, leastJson, replayAnswer, replayJson, unusedAnswer } from '../../src/answers/usage.ts'
import { type Glob, matches } from '../../src/glob.ts'
import { defaultSettings } from '../../src/names.ts'
import type { Policy, World } from '../../src/policy.ts'
import { decide } from '../../src/simulate/decide.ts'
import type { Question } from '../../src/simulate/decision.ts'
import type { Located } from '../../src/source.ts'
import { knownNamesIn } from '../../src/symbolic/described.ts'
import { type Level, levels } from '../../src/usage/generalise.ts'
import { least } from '../../src/usage/least.ts'
import { type Recorded, recordReader } from '../../src/usage/record.ts'
import { replayCollector } from '../../src/usage/replay.ts'
import { recordCounter } from '../../src/usage/tally.ts'
import { unusedEntries } from '../../src/usage/unused.ts'
import { accounts, catalogue, contextsFor, fewActions, machine, printed } from '../support/claims.ts'
import { effort, untilSeen } from '../support/effort.ts'
import { expectSame } from '../support/same.ts'
import { pick, type Random, randomOf, worldOf } from '../support/worlds.ts'

/** Claims of `least` and `replay` about recorded calls, against the records and against decisions on the proposal. */

const now = Date.UTC(2026, 5, 1, 12)

/** Records of calls in an account: most as the policies decide them, some that were refused, some without a resource. */
function recordsIn(world: World, random: Random): readonly Recorded[] {
  const { identities, resources } = knownNamesIn([world])
  const reader = recordReader(defaultSettings)
  const callers = [...identities.filter((each) => !each.includes(':group:')), 'urn:v1:eu:identity:account:ab']
  const isAsDecided = random() < 0.5
  return Array.from({ length: 1 + Math.floor(random() * 12) }, () => {
    const resource = pick(random, resources)
    const action = pick(random, fewActions.of(resource.split(':')[4] as string))
    const identity = pick(random, callers)
    const asked = { identity, resource, action, groups: [], at: now, owner: 'ab' }
    const verdict = isAsDecided ? decide(world, asked).verdict : pick(random, ['allow', 'allow', 'allow', 'deny', 'unknown'] as const)
    const read = reader.read(
      JSON.stringify({
        at: new Date(now - Math.floor(random() * 90) * 86_400_000).toISOString(),
        account: 'ab',
        identity,
        method: 'GET',
        path: `/v1/${action.split(':')[0]}`,
        ip: pick(random, ['192.0.2.4', '198.51.100.7']),
        operation: null,
        actions: [{ action, resource: random() < 0.1 ? null : resource, required: true, verdict }],
        verdict,
        credential: null,
        status: verdict === 'allow' ? 200 : 403,
      }),
    )
    if (read.kind !== 'records') throw new Error(JSON.stringify(read))
    return read.records
  }).flat()
}

const isUsed = ({ verdict, needs }: Recorded) => verdict === 'allow' && needs.every((need) => need.verdict === 'allow')

function tallyOf(records: readonly Recorded[]) {
  const tally = recordCounter()
  for (const record of records) tally.add(record)
  return tally.end()
}

const keyOf = (...parts: readonly unknown[]) => parts.join(' ')

interface UnusedJson {
  readonly unused: readonly {
    readonly policy: string
    readonly entry: string
    readonly actions: readonly string[]
    readonly whole: boolean
  }[]
}

test('of `least --unused`', () => {
  const seen = { none: 0, whole: 0, partly: 0 }
  const random = randomOf(51)
  for (const { world } of accounts(51, effort(250, 20))) {
    const records = recordsIn(world, random)
    const tally = tallyOf(records)
    const unused = unusedEntries(world, tally, { catalogue, actions: fewActions, at: now })
    const answer = unusedAnswer(unused, tally, 0)
    const text = printed(answer)
    const { unused: rows } = machine<UnusedJson>(answer)
    const [, whole, of, partly, used, total] =
      /^(\d+) of (\d+) (?:entry|entries) unused, (\d+) partly used, in (?:(\d+) of )?(\d+) records?(?: |$)/m.exec(text) ?? []
    expect([whole, partly].map(Number), text).toEqual([rows.filter((row) => row.whole).length, rows.filter((row) => !row.whole).length])
    expect(Number(of)).toBe(world.policies.reduce((sum, { permissions }) => sum + permissions.allow.length, 0))
    expect([Number(used ?? total), Number(total)]).toEqual([records.filter(({ verdict }) => verdict === 'allow').length, records.length])
    for (const [title, count] of [
      ['unused', whole],
      ['partly used', partly],
    ] as const)
      expect(Number(new RegExp(`^${title} \\((\\d+)\\)$`, 'm').exec(text)?.[1] ?? 0)).toBe(Number(count))
    // No record of an identity and a resource of its policy shows an action of an entry that is unused, or that is listed as unused.
    const usesOf = (name: string) => {
      const policy = world.policies.find((each) => each.name.value === name)
      // By this policy alone, as it was asked: its condition may not have held.
      const isAllowed = (question: Question) => !!policy && decide({ ...world, policies: [policy] }, question).reason === 'granted'
      return records.filter(isUsed).flatMap(({ identity, needs, at, ip }) => {
        const groups = world.identities.get(identity)?.groups ?? []
        const isNamed = policy?.identities.some(({ value }) => [identity, ...groups].some((each) => matches(value.glob, each)))
        return needs.flatMap(({ action, resource }) =>
          isNamed &&
          (resource === null || isAllowed({ identity, action, resource, groups: [], at: at ?? now, ...(ip && { ip }) })) &&
          policy?.resources.some(({ value }) => resource === null || (value.kind === 'resource' && matches(value.glob, resource)))
            ? [action]
            : [],
        )
      })
    }
    const grants = (policy: Policy, entry: Glob, action: string) =>
      matches(entry, action) && !policy.permissions.except.some(({ value }) => matches(value, action))
    for (const row of rows) {
      const own = usesOf(row.policy)
      const policy = world.policies.find((each) => each.name.value === row.policy) as Policy
      const { value: entry } = policy.permissions.allow.find(({ value }) => value.text === row.entry) as Located<Glob>
      for (const action of row.actions) {
        expect(own).not.toContain(action)
        expect(grants(policy, entry, action), text).toBe(true)
      }
      if (row.whole)
        expect(
          own.filter((action) => grants(policy, entry, action)),
          text,
        ).toEqual([])
    }
    // An entry of which nothing was used is listed as a whole, where that does not depend on a condition or on who is in a group.
    for (const policy of world.policies) {
      if (policy.condition || policy.resources.some(({ value }) => value.kind !== 'resource')) continue
      if (policy.identities.some(({ value }) => value.kind === 'group')) continue
      // A call without a verdict counts as a use, and so does one that a permissions group that is not described may deny.
      const own = records
        .filter(({ verdict, identity }) => verdict !== 'deny' && policy.identities.some(({ value }) => matches(value.glob, identity)))
        .flatMap(({ needs }) => needs)
        .filter(({ resource }) => resource === null || policy.resources.some(({ value }) => matches(value.glob, resource)))
        .map(({ action }) => action)
      for (const { value } of policy.permissions.allow) {
        const isUsed = own.some((action) => grants(policy, value, action))
        const isListed = rows.some((row) => row.policy === policy.name.value && row.entry === value.text && row.whole)
        expect(isListed, text).toBe(!isUsed)
      }
    }
    if (/^every action that an entry grants was used$/m.test(text)) seen.none++
    if (Number(whole) > 0) seen.whole++
    if (Number(partly) > 0) seen.partly++
  }
  expect(seen.whole).toBeGreaterThan(0)
  expect(seen.partly).toBeGreaterThan(0)
})

test('of `least`', () => {
  const seen = { nothing: 0, exactly: 0, atLeast: 0, within: 0, lossless: 0, beyond: 0, widened: 0, noLonger: 0, unmet: 0 }
  const random = randomOf(52)
  for (const { world } of accounts(52, effort(600, 10))) {
    const records = recordsIn(world, random)
    const tally = tallyOf(records)
    const level = pick(random, Object.keys(levels) as Level[])
    const current = random() < 0.6 ? world : undefined
    const found = least(tally, { level, catalogue, settings: defaultSettings, now, ...(current && { current }) })
    const report = { tally, least: found, level, others: 0, bad: 0 }
    const text = printed(leastAnswer(report))
    const json = JSON.parse(JSON.stringify(leastJson(report))) as ReturnType<typeof leastJson>
    const used = records.filter(isUsed)
    const lineWith = (pattern: RegExp) => pattern.exec(text)
    const nothing = lineWith(/^nothing to grant: of (\d+) records?, none/m)
    const proposal = lineWith(
      /^(\d+) polic(?:y|ies) allows? (exactly|at least) what was used: (\d+) uses? in (?:(\d+) of )?(\d+) records?/m,
    )
    expect((nothing === null) !== (proposal === null), text).toBe(true)
    if (nothing) {
      seen.nothing++
      expect([Number(nothing[1]), json.policies, json.verdict]).toEqual([records.length, [], 'none'])
    }
    // Every title has the number of its rows.
    const titles = [...text.matchAll(/^(\S.*) \((\d+)\)$/gm)].map(([, title = '', count]) => [title, Number(count)] as const)
    const leftOut = (why: string) => json.leftOut.filter((each) => each.why === why).length
    for (const [title, count] of titles) {
      if (title.startsWith('refused, and')) expect(count).toBe(json.refused.length)
      else if (title.startsWith('recorded as neither')) expect(count).toBe(leftOut('undecided'))
      else if (title.startsWith('without a recorded')) expect(count).toBe(leftOut('unknown-resource'))
      else if (title.startsWith('by the owning')) expect(count).toBe(leftOut('root'))
      else if (title.startsWith('refused at some')) expect(count).toBe(json.alsoRefused.length)
      else if (title.startsWith('only allowed under')) expect([count, ++seen.unmet]).toEqual([json.unmet.length, seen.unmet])
      else if (title.startsWith('used, but no longer'))
        expect([count, ++seen.noLonger]).toEqual([json.noLongerAllowed?.length, seen.noLonger])
      else if (title.startsWith('unused access')) expect(count).toBe(json.difference?.lost.length)
      else if (title.startsWith('new access')) expect(count).toBe(json.difference?.gained.length)
      else if (title === 'widened') expect(count).toBe(json.widened.length)
      else throw new Error(`a title that no row is counted for: ${title}`)
    }
    for (const [, pattern, count, known] of text.matchAll(
      /^ {4}(?:did|on) +(\S+)\n {4}matches (\d+) that (?:was|were) used(, and no other known one)?/gm,
    )) {
      seen.widened++
      const row = json.widened.find((each) => each.pattern === pattern && each.used.length === Number(count))
      expect(row, text).toBeDefined()
      if (known !== undefined) expect(row?.adds).toEqual([])
    }
    if (!proposal) continue
    const [, count, how, uses, letThrough, total] = proposal
    expect([Number(count), Number(uses), Number(letThrough ?? total), Number(total)]).toEqual([
      json.policies.length,
      json.uses.length,
      records.filter(({ verdict }) => verdict === 'allow').length,
      records.length,
    ])
    // Used access is allowed, but for what the report says is not; exactly that and nothing else is.
    const keys = new Set(used.flatMap(({ identity, needs }) => needs.map(({ action, resource }) => keyOf(identity, action, resource))))
    const excused = new Set(
      [json.unmet, json.noLongerAllowed ?? [], json.leftOut].flat().map((use) => keyOf(use.identity, use.action, use.resource)),
    )
    const { identities, resources } = knownNamesIn([world])
    seen[how === 'exactly' ? 'exactly' : 'atLeast']++
    const verdicts = new Map<string, string>()
    const noOwner = { ...found.world, account: 'other' }
    for (const identity of identities)
      for (const resource of resources)
        for (const action of fewActions.of(resource.split(':')[4] as string))
          for (const { ip, at } of contextsFor(world, resource)) {
            const groups = identity.includes(':group:') ? [] : (world.identities.get(identity)?.groups ?? [])
            const { verdict } = decide(noOwner, { identity, resource, action, groups, ip, at: now, owner: 'other' })
            const key = keyOf(identity, action, resource)
            if (verdict === 'allow' && how === 'exactly') expect(keys, `${key} ${at}\n${text}`).toContain(key)
            verdicts.set(key, verdict === 'allow' ? verdict : (verdicts.get(key) ?? verdict))
          }
    for (const key of keys) if (!excused.has(key) && verdicts.has(key)) expect(verdicts.get(key), `${key}\n${text}`).toBe('allow')
    const isWithin = text.includes('proved: the proposal grants nothing that the policies in force do not grant')
    if (isWithin) {
      seen.within++
      const isLossless = text.includes('and nothing would be lost')
      if (isLossless) seen.lossless++
      for (const identity of identities)
        for (const resource of resources)
          for (const action of fewActions.of(resource.split(':')[4] as string))
            for (const context of contextsFor(world, resource)) {
              const question = { identity, resource, action, groups: [], ...context, at: context.at + 86_400_000 }
              const both = [
                world,
                {
                  ...found.world,
                  resources: world.resources,
                  resourceGroups: world.resourceGroups,
                  ...(world.account !== undefined && { account: world.account }),
                },
              ]
              const [before, after] = both.map((each) => decide(each, question).verdict)
              if (after === 'allow') expectSame(before !== 'deny', true, () => text)
              if (isLossless && before === 'allow') expectSame(after, 'allow', () => text)
            }
    }
    if (/^the proposal grants more than/m.test(text)) {
      seen.beyond++
      expect(json.difference?.gained.some(({ certain }) => certain)).toBe(true)
    }
  }
  const { nothing: _nothing, lossless: _lossless, beyond: _beyond, ...often } = seen
  for (const [kind, count] of Object.entries(often)) expect(count, kind).toBeGreaterThan(0)
})

test('of `replay`', () => {
  const seen = { nothing: 0, refused: 0, allowed: 0, unknown: 0 }
  const random = randomOf(53)
  const words = {
    refused: 'would be refused',
    allowed: 'would be allowed',
    unknown: 'cannot be determined',
    same: 'stays as it is',
  } as const
  for (const { world } of untilSeen(seen, 1500, (count) => accounts(53, count))) {
    const records = recordsIn(world, random)
    const replay = replayCollector(world, { now })
    for (const record of records) replay.add(record)
    const report = { replay: replay.end(), all: random() < 0.3, isListed: () => true, others: 0, bad: 0 }
    const text = printed(replayAnswer(report))
    const json = JSON.parse(JSON.stringify(replayJson(report))) as ReturnType<typeof replayJson>
    const [first = ''] = text.split('\n')
    // The result of each record, decided by itself.
    const outcomes = records.map((record) => {
      const [need] = record.needs
      if (!need || need.resource === null) return undefined
      const { verdict } = decide(world, {
        identity: record.identity,
        action: need.action,
        resource: need.resource,
        groups: record.groups ?? [],
        at: record.at ?? now,
        ...(record.ip && { ip: record.ip }),
        // Only for the account itself it counts whose account it was.
        ...(record.identity.includes(':account:') && { owner: 'ab' }),
      })
      return verdict === 'unknown'
        ? 'unknown'
        : (verdict === 'allow') === (record.verdict === 'allow')
          ? 'same'
          : verdict === 'allow'
            ? 'allowed'
            : 'refused'
    })
    const isWhole = outcomes.every((each) => each !== undefined)
    for (const change of ['refused', 'allowed', 'unknown'] as const) {
      const said = Number(new RegExp(`(\\d+) ${words[change]}`).exec(first)?.[1] ?? 0)
      expect(said, text).toBe(json.counts[change])
      const title = Number(new RegExp(`^${words[change]} \\((\\d+)\\)$`, 'm').exec(text)?.[1] ?? 0)
      expect(title, text).toBe(json[change].length)
      expect(json[change].reduce((sum, each) => sum + each.count, 0)).toBe(said)
      if (isWhole && change !== 'unknown') expect(outcomes.filter((each) => each === change).length, text).toBe(said)
      if (said > 0) seen[change]++
    }
    if (first.startsWith('nothing would change')) {
      seen.nothing++
      expect(json.verdict).toBe('same')
      if (isWhole) expect(new Set(outcomes)).toEqual(new Set(['same']))
    }
    expect(Number(/(\d+) records?/.exec(first)?.[1])).toBe(records.length)
  }
  for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThan(0)
})

test('an entry whose condition cannot have held for any call is unused', () => {
  const [ann, server] = ['urn:v1:eu:identity:user:ab12-svc/ann', 'urn:v1:eu:resource:vps:one']
  const of = (values: Readonly<Record<string, string>>) => {
    const policy = {
      name: 'p',
      identities: [ann],
      resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
      permissions: { allow: [{ action: 'vps:apisvc:get' }] },
      conditions: { operator: 'MATCH', values },
    }
    const described = { resources: [{ urn: server, tags: { env: 'prod' } }], identities: [{ urn: ann, groups: [] }] }
    const world = worldOf({ ...described, policies: [policy], permissionsGroups: [], resourceGroups: [] })
    const need = { action: 'vps:apisvc:get', resource: server, required: true }
    const records = [{ identity: ann, verdict: 'allow', at: now, groups: [], needs: [need] }] as unknown as readonly Recorded[]
    const { entries, isByTags } = unusedEntries(world, tallyOf(records), { catalogue, actions: fewActions, at: now })
    return [entries.length, isByTags]
  }
  expect(of({ 'resource.Tag(env)': 'prod' })).toEqual([0, false])
  // By the tags of today, as the answer says.
  expect(of({ 'resource.Tag(env)': 'staging' })).toEqual([1, true])
  expect(of({ 'resource.Name': 'two' })).toEqual([1, false])
  // Whether it held is not known.
  expect(of({ 'request.IP.IN_RANGE': '192.0.2.0/24' })).toEqual([0, false])
})

test('a call uses what its caller was granted as a member of groups that later records no longer name', () => {
  const [ann, server] = ['urn:v1:eu:identity:user:ab12-svc/ann', 'urn:v1:eu:resource:vps:one']
  const [ops, dev, other] = ['ops', 'dev', 'other'].map((name) => `urn:v1:eu:identity:group:ab12-svc/${name}`)
  const policies = [ops, dev, other].map((group) => ({
    name: `${group}`,
    identities: [`${group}`],
    resources: [{ urn: server }],
    permissions: { allow: [{ action: 'vps:apisvc:get' }, { action: 'vps:apisvc:reboot' }] },
  }))
  const world = worldOf({ policies, permissionsGroups: [], resourceGroups: [], identities: [] })
  const record = (minute: number, action: string, ...groups: readonly unknown[]) => {
    const needs = [{ action, resource: server, required: true, verdict: 'allow' }]
    return { identity: ann, verdict: 'allow', at: Date.UTC(2026, 4, 1, 8, minute), groups, needs }
  }
  const unusedOf = (...records: readonly object[]) =>
    unusedEntries(world, tallyOf(records as readonly Recorded[]), { catalogue, actions: fewActions, at: now })
      .entries.filter(({ isWhole }) => isWhole)
      .map(({ clause }) => `${clause.policy.name.value.split('/')[1]} ${(clause.entry as Located<Glob>).value.text.split(':')[2]}`)
  const ofOther = ['other get', 'other reboot']
  // The same use again, and another one.
  expect(unusedOf(record(1, 'vps:apisvc:get', ops), record(2, 'vps:apisvc:get', dev))).toEqual(['ops reboot', 'dev reboot', ...ofOther])
  const moved = [record(1, 'vps:apisvc:get', ops), record(2, 'vps:apisvc:reboot', dev)]
  expect(unusedOf(...moved)).toEqual(['ops reboot', ...ofOther])
  expect(unusedOf(...moved.toReversed())).toEqual(['ops reboot', ...ofOther])
  // One that has left all of them used nothing of others then.
  expect(unusedOf(record(1, 'vps:apisvc:get', ops), record(2, 'vps:apisvc:get'))).toEqual([
    'ops reboot',
    'dev get',
    'dev reboot',
    ...ofOther,
  ])
})

test('an entry is in use where it is not known that it is not, and while its policy applies', () => {
  const [ann, team, server] = [
    'urn:v1:eu:identity:user:ab12-svc/ann',
    'urn:v1:eu:identity:group:ab12-svc/team',
    'urn:v1:eu:resource:vps:one',
  ]
  const unusedOf = (rest: object, hours: readonly number[], isDescribed = true) => {
    const policy = {
      name: 'p',
      identities: [ann],
      resources: [{ urn: server }],
      permissions: { allow: [{ action: 'vps:apisvc:get' }] },
      ...rest,
    }
    const identities = isDescribed ? [{ urn: ann, groups: [] }] : []
    const world = worldOf({ identities, policies: [policy], permissionsGroups: [], resourceGroups: [] })
    const needs = [{ action: 'vps:apisvc:get', resource: server, required: true }]
    const records = hours.map((hour) => ({ identity: ann, verdict: 'allow', at: Date.UTC(2026, 4, 1, hour), needs }))
    const { entries, of } = unusedEntries(world, tallyOf(records as unknown as readonly Recorded[]), {
      catalogue,
      actions: fewActions,
      at: now,
    })
    return `${entries.length} of ${of}`
  }
  expect(unusedOf({}, [])).toBe('1 of 1')
  expect(unusedOf({}, [3])).toBe('0 of 1')
  expect(unusedOf({ expiredAt: '2026-05-31T00:00:00Z' }, [])).toBe('0 of 0')
  // Of an identity whose groups are not known, each group may be one.
  expect(unusedOf({ identities: [team] }, [3])).toBe('1 of 1')
  expect(unusedOf({ identities: [team] }, [3], false)).toBe('0 of 1')
  // Of two calls it is not known when each was made: the condition may have held for one.
  const conditions = { operator: 'MATCH', values: { 'date(UTC).Hour.GE': '10' } }
  expect(unusedOf({ conditions }, [3])).toBe('1 of 1')
  expect(unusedOf({ conditions }, [3, 12])).toBe('0 of 1')
})

test('an entry about a group of which not all members are known may have been used', () => {
  const [ann, server] = ['urn:v1:eu:identity:user:ab12-svc/ann', 'urn:v1:eu:resource:vps:one']
  const group = 'urn:v1:eu:resourceGroup:3f2504e0-4f89-11d3-9a0c-0305e82c3301'
  const of = (resources: readonly object[]) => {
    const policy = { name: 'p', identities: [ann], resources: [{ urn: group }], permissions: { allow: [{ action: 'vps:apisvc:get' }] } }
    const identities = [{ urn: ann, groups: [] }]
    const world = worldOf({
      policies: [policy],
      permissionsGroups: [],
      resourceGroups: [{ urn: group, name: 'g', resources }],
      resources: [],
      identities,
    })
    const need = { action: 'vps:apisvc:get', resource: server, required: true }
    const records = [{ identity: ann, verdict: 'allow', at: now, groups: [], needs: [need] }] as unknown as readonly Recorded[]
    return unusedEntries(world, tallyOf(records), { catalogue, actions: fewActions, at: now }).entries.length
  }
  expect(of([{ urn: server }])).toBe(0)
  expect(of([{ urn: 'urn:v1:eu:resource:vps:two' }])).toBe(1)
  expect(of([{ id: 'unknown' }])).toBe(0)
})
