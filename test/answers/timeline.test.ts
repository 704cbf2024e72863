import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { answerLines } from '../../src/answers/text.ts'
import { timelineAnswer, timelineJson } from '../../src/answers/timeline.ts'
import { fullNameWording } from '../../src/answers/wording.ts'
import { readDuration } from '../../src/cli/input/horizon.ts'
import { holdsClock, readConditionKey, readTest, type Test, zoneOf } from '../../src/conditions/test.ts'
import { concernsOf } from '../../src/diff/selection.ts'
import { diffBetween, type Timeline, timeline, timelineVerdict } from '../../src/diff/timeline.ts'
import type { World } from '../../src/policy.ts'
import { Names } from '../../src/report/names.ts'
import { decide } from '../../src/simulate/decide.ts'
import { cuts as cutsOf } from '../../src/symbolic/clock.ts'
import { ActionsByType } from '../../src/symbolic/described.ts'
import { Zones } from '../../src/zones.ts'
import { printed } from '../support/claims.ts'
import { effort } from '../support/effort.ts'
import { runBinary } from '../support/scenario.ts'
import { cases, pick, type Random, randomOf, take, usualKnobs, worldOf } from '../support/worlds.ts'

const hour = 3_600_000
const day = 24 * hour
const at = (text: string) => Date.parse(text)

/** Days around what the generated conditions and expiries are about: both changes of summer time, and a quiet date. */
const spans = [
  ['2026-03-28T00:00:00Z', '2026-03-30T12:00:00Z'],
  ['2026-06-30T06:00:00Z', '2026-07-02T18:00:00Z'],
  ['2026-10-24T00:00:00Z', '2026-10-26T12:00:00Z'],
] as const

const instantsOf = ({ entries }: Timeline) => [...new Set(entries.flatMap(({ instants }) => instants))].sort((a, b) => a - b)

/** An instant in a span: often the first or last of an hour, as conditions and expiries are written. */
function instantIn(random: Random, from: number, to: number): number {
  const some = from + Math.floor(random() * (to - from))
  return random() < 0.5 ? some : Math.min(to, Math.ceil(some / (hour / 2)) * (hour / 2)) - (random() < 0.5 ? 1 : 0)
}

describe('the timeline of random worlds', () => {
  test('answers to questions change at its instants and nowhere else', () => {
    const random = randomOf(11)
    let changes = 0
    let asked = 0
    const knobs = { ...usualKnobs, policies: 5, missing: 0, conditions: 0.9 }
    const wrong: string[] = []
    let last: { world: World; found: Timeline } | undefined
    for (const { world, question } of take(effort(1500), cases(21, knobs, 15))) {
      if (last?.world !== world) {
        const [start, end] = pick(random, spans)
        last = { world, found: timeline(world, { from: at(start), to: at(end) }) }
      }
      const { found } = last
      const { from, to } = found
      const instants = instantsOf(found)
      if (found.until !== to || instants.some((each) => each <= from || each > to)) wrong.push('the span')
      const cuts = [from, ...instants, to + 1]
      const samples = [from, to, ...instants.flatMap((each) => [each - 1, each])]
      for (let i = 0; i < 12; i++) samples.push(instantIn(random, from, to))
      const seen = new Map<number, string>()
      for (const instant of samples) {
        const segment = cuts.findLastIndex((cut) => cut <= instant)
        const { verdict } = decide(world, { ...question, at: instant })
        if (verdict !== (seen.get(segment) ?? verdict)) wrong.push(`${new Date(instant).toISOString()} ${JSON.stringify(question)}`)
        seen.set(segment, verdict)
        asked++
      }
      if (new Set(seen.values()).size > 1) changes++
    }
    expect(wrong).toEqual([])
    expect(asked).toBeGreaterThan(effort(20_000))
    expect(changes).toBeGreaterThan(effort(60))
  })

  test('has witnesses that are allowed on one side of the instant only, and a place for each change', () => {
    const random = randomOf(12)
    let regions = 0
    for (const { world } of take(60, cases(22, { ...usualKnobs, policies: 5, conditions: 0.9 }, 1))) {
      const [start, end] = pick(random, spans)
      for (const { instants, difference, causes } of timeline(world, { from: at(start), to: at(end) }).entries) {
        expect(causes.length).toBeGreaterThan(0)
        for (const side of ['gained', 'lost'] as const) {
          for (const { witness, certain, causes: own } of difference[side]) {
            regions++
            expect(own.map(({ change }) => change).filter((change) => !['passed', 'met', 'unmet'].includes(change))).toEqual([])
            expect(own.length).toBeGreaterThan(0)
            for (const instant of instants) {
              const [before, after] = [instant - 1, instant].map((each) => decide(world, { ...witness, at: each }).verdict)
              const [there, here] = side === 'gained' ? [before, after] : [after, before]
              expect(certain ? [here, there] : [here === 'deny', there === 'allow']).toEqual(
                certain ? ['allow', expect.not.stringMatching('allow')] : [false, false],
              )
            }
          }
        }
      }
    }
    expect(regions).toBeGreaterThan(effort(60))
  })
})

function clockTest(key: string, value: string): Test {
  const read = readConditionKey(key, new Zones()).value
  const found = read && readTest(read, value).value
  if (!found) throw new Error(`${key} ${value}`)
  return found
}

describe('the instants at which comparisons of the time change', () => {
  const zones = ['UTC', 'Europe/Paris', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Africa/Casablanca']
  const operators = ['BEFORE', 'AFTER', 'EQ', 'IN'] as const

  test('are all there: at any quarter of an hour that is none, nothing changes', () => {
    const random = randomOf(13)
    const starts = ['2026-02-13', '2026-03-06', '2026-03-27', '2026-04-03', '2026-10-02', '2026-10-23', '2026-10-30', '2026-12-30']
    let cuts = 0
    for (let run = 0; run < effort(300, 20); run++) {
      const zone = pick(random, zones)
      const start = at(`${pick(random, starts)}T00:00:00Z`)
      const [from, to] = [start + Math.floor(random() * hour), start + 3 * day]
      const date = new Date(start + Math.floor(random() * 3) * day).toISOString().slice(0, 10)
      const tests = [
        clockTest(`date(${zone}).Hour.${pick(random, operators)}`, `${Math.floor(random() * 24)}`),
        clockTest(`date(${zone}).WeekDay.${pick(random, operators)}`, pick(random, ['Monday', 'Friday', 'Sunday'])),
        clockTest(`date(${pick(random, zones)}).Date.${pick(random, operators)}`, date),
      ].filter(() => random() < 0.7)
      const found = cutsOf(tests, from, to, 1_000) ?? []
      cuts += found.length
      const held = (instant: number) => tests.map((each) => holdsClock(each, zoneOf(each).shows(instant))).join()
      const known = new Set(found)
      expect([...found].sort((a, b) => a - b)).toEqual(found)
      for (let instant = Math.ceil((from + 1) / (hour / 4)) * (hour / 4); instant <= to; instant += hour / 4)
        if (!known.has(instant) && held(instant) !== held(instant - 1)) throw new Error(`${zone} ${new Date(instant).toISOString()}`)
    }
    expect(cuts).toBeGreaterThan(effort(2_000, 20))
  })

  test('are given up where there are too many', () => {
    const tests = [clockTest('date(UTC).Hour', '8')]
    expect(cutsOf(tests, 0, 100 * day, 299)).toBeUndefined()
    expect(cutsOf(tests, 0, 100 * day, 301)?.length).toBe(300)
  })
})

interface Parts {
  readonly name: string
  readonly login?: string
  readonly allow?: string
  readonly except?: string
  readonly deny?: string
  readonly values?: Readonly<Record<string, string>>
  readonly expiredAt?: string
}

const policy = ({ name, login = 'ann', allow, except, deny, values, expiredAt }: Parts) => ({
  name,
  identities: [`urn:v1:eu:identity:user:ab12-svc/${login}`],
  resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
  permissions: {
    ...(allow && { allow: [{ action: allow }] }),
    ...(except && { except: [{ action: except }] }),
    ...(deny && { deny: [{ action: deny }] }),
  },
  ...(values && { conditions: { operator: 'MATCH', values } }),
  ...(expiredAt && { expiredAt }),
})
const timelineOf = (parts: readonly Parts[], from: string, to: string, options = {}) =>
  timelineJson(timeline(worldOf({ policies: parts.map(policy) }), { from: at(from), to: at(to), ...options }), undefined)
const patterns = (parts: readonly Parts[], from: string, to: string) =>
  timelineOf(parts, from, to).changes.map(({ at, zone, pattern, gained, lost }) => [
    gained.length > 0 ? 'opens' : lost.length > 0 ? 'closes' : 'open',
    pattern ? `${pattern.weekdays.join()} ${pattern.time} ${zone}` : zone,
    at,
    ...(pattern ? [pattern.last, pattern.count] : []),
  ])

describe('a timeline', () => {
  const morning = { 'date(Europe/Paris).Hour.AFTER': '8', 'date(Europe/Paris).WeekDay': 'Monday' }

  test('shows a window that recurs each week as one, over the change of summer time', () => {
    expect(patterns([{ name: 'p', allow: 'vps:*', values: morning }], '2026-10-01T00:00:00Z', '2026-11-30T00:00:00Z')).toEqual([
      ['opens', 'Monday 08:00 Europe/Paris', '2026-10-05T06:00:00Z', '2026-11-23T07:00:00Z', 8],
      ['closes', 'Tuesday 00:00 Europe/Paris', '2026-10-05T22:00:00Z', '2026-11-23T23:00:00Z', 8],
    ])
  })

  test('shows separately what the change of summer time does to a window', () => {
    const night = { 'date(Europe/Paris).Hour': '2' }
    const found = patterns([{ name: 'p', allow: 'vps:*', values: night }], '2026-03-26T12:00:00Z', '2026-04-01T12:00:00Z')
    expect(found).toEqual([
      // On Sunday the 29th there is no hour 2: the window of that day is not there at all.
      ['opens', 'Monday,Tuesday,Wednesday,Friday,Saturday 02:00 Europe/Paris', '2026-03-27T01:00:00Z', '2026-04-01T00:00:00Z', 5],
      ['closes', 'Monday,Tuesday,Wednesday,Friday,Saturday 03:00 Europe/Paris', '2026-03-27T02:00:00Z', '2026-04-01T01:00:00Z', 5],
    ])
    // On the 25th of October the hour 2 is there twice, one after the other: one window of two hours.
    expect(patterns([{ name: 'p', allow: 'vps:*', values: night }], '2026-10-24T12:00:00Z', '2026-10-25T12:00:00Z')).toEqual([
      ['opens', 'Europe/Paris', '2026-10-25T00:00:00Z'],
      ['closes', 'Europe/Paris', '2026-10-25T02:00:00Z'],
    ])
  })

  test('shows an expiry a millisecond after its instant, with its place and a witness', () => {
    const [change, ...others] = timelineOf(
      [{ name: 'p', allow: 'vps:*', expiredAt: '2026-06-01T00:00:00Z' }],
      '2026-05-01T00:00:00Z',
      '2026-07-01T00:00:00Z',
    ).changes
    expect(others).toEqual([])
    expect(change).toMatchObject({
      at: '2026-06-01T00:00:00.001Z',
      gained: [],
      lost: [
        { actions: ['vps:*'], witness: { at: '2026-06-01T00:00:00.000Z' }, causes: [{ what: 'expiry', change: 'passed', policy: 'p' }] },
      ],
    })
  })

  test('leaves out an expiry that changes nothing, and shows it with `all`', () => {
    const both = [
      { name: 'p', allow: 'vps:apisvc:get', expiredAt: '2026-06-01T00:00:00Z' },
      { name: 'all', login: '*', allow: 'vps:*' },
    ]
    const span = ['2026-05-01T00:00:00Z', '2026-07-01T00:00:00Z'] as const
    expect(timelineOf(both, ...span)).toMatchObject({ verdict: 'same', changes: [] })
    expect(timelineOf(both, ...span, { all: true }).changes).toMatchObject([
      { verdict: 'same', causes: [{ policy: 'p', change: 'passed' }] },
    ])
  })

  test('begins after its first instant and ends with its last', () => {
    const parts = [{ name: 'p', allow: 'vps:*', expiredAt: '2026-06-01T00:00:00Z' }]
    expect(timelineOf(parts, '2026-06-01T00:00:00.001Z', '2026-07-01T00:00:00Z').changes).toEqual([])
    expect(timelineOf(parts, '2026-06-01T00:00:00Z', '2026-06-01T00:00:00.001Z').changes.length).toBe(1)
  })

  test('is not decided where a search is given up', () => {
    let open = 0
    for (const { world } of take(60, cases(23, { ...usualKnobs, policies: 7, conditions: 0.9 }, 1))) {
      const [from, to] = spans[1].map(at) as [number, number]
      const whole = timeline(world, { from, to })
      const cut = timeline(world, { from, to, budget: 3 })
      const isOpen = cut.entries.some(({ difference }) => difference.undecided.length > 0)
      if (isOpen) open++
      else expect(instantsOf(cut)).toEqual(instantsOf(whole))
      // A comparison that is given up may hide a change, and never leaves out that it may.
      for (const instant of instantsOf(whole)) expect(instantsOf(cut)).toContain(instant)
    }
    expect(open).toBeGreaterThan(3)
  })

  test('says how far it came where there is too much', () => {
    const parts = [0, 1, 2, 3].map((i) => ({ name: `p${i}`, login: `u${i}`, allow: 'vps:*', expiredAt: `2026-06-0${i + 1}T00:00:00Z` }))
    const few = { most: { instants: 1_000, comparisons: 2 } }
    const found = timelineOf(parts, '2026-05-01T00:00:00Z', '2026-07-01T00:00:00Z', few)
    expect(found).toMatchObject({ until: '2026-06-03T00:00:00Z', changes: [{}, {}] })
    const daily = [{ name: 'p', allow: 'vps:*', values: { 'date(UTC).Hour': '8' } }]
    const short = timelineOf(daily, '2026-05-01T00:00:00Z', '2026-05-09T00:00:00Z', { most: { instants: 12, comparisons: 9 } })
    expect(short).toMatchObject({ until: '2026-05-05T00:00:00Z' })
    expect(short.changes.every(({ at }) => at < short.until)).toBe(true)
  })
})

describe('the words of a timeline', () => {
  const everything = { over: 'everything', names: new Names([]) } as const
  const linesOf = (parts: readonly Parts[], from: string, to: string, options = {}) =>
    answerLines(
      timelineAnswer(timeline(worldOf({ policies: parts.map(policy) }), { from: at(from), to: at(to), ...options }), everything),
      fullNameWording(),
    )
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' · urn:')[0])
  const workdays = { 'date(Europe/Paris).WeekDay.LE': 'Friday', 'date(Europe/Paris).Hour.AFTER': '8', 'date(Europe/Paris).Hour.LT': '18' }
  const office = { name: 'office', allow: 'vps:*', values: workdays }

  test('fold the openings and closings of a window, over the change of summer time', () => {
    expect(linesOf([office], '2026-10-12T00:00:00Z', '2026-11-07T00:00:00Z')).toEqual([
      'Mon–Fri 08:00–18:00 Europe/Paris, 20 times from Mon 2026-10-12 08:00 to Fri 2026-11-06 08:00 · open',
    ])
  })

  test('name the hours at which access is closed where it is mostly open', () => {
    const weekend = { name: 'weekend', deny: 'vps:*', values: { 'date(UTC).WeekDay.GE': 'Saturday' } }
    expect(linesOf([{ name: 'all', allow: 'vps:*' }, weekend], '2026-06-01T00:00:00Z', '2026-07-01T00:00:00Z')).toEqual([
      'weekends UTC, 4 times from Sat 2026-06-06 00:00 to Sat 2026-06-27 00:00 · closed',
    ])
  })

  test('name the days on which a window is missing, and part it where it pauses', () => {
    const freeze = (values: Record<string, string>) => ({ name: 'freeze', deny: 'vps:*', values })
    expect(linesOf([office, freeze({ 'date(Europe/Paris).Date': '2026-06-17' })], '2026-06-01T00:00:00Z', '2026-07-04T00:00:00Z')).toEqual([
      'Mon–Fri 08:00–18:00 Europe/Paris, 24 times from Mon 2026-06-01 08:00 to Fri 2026-07-03 08:00 except Wed 2026-06-17 · open',
    ])
    const weeks = { 'date(Europe/Paris).Date.AFTER': '2026-06-20', 'date(Europe/Paris).Date.BEFORE': '2026-07-05' }
    expect(linesOf([office, freeze(weeks)], '2026-06-01T00:00:00Z', '2026-07-25T00:00:00Z')).toEqual([
      'Mon–Fri 08:00–18:00 Europe/Paris, 15 times from Mon 2026-06-01 08:00 to Fri 2026-06-19 08:00 · open',
      'Mon–Fri 08:00–18:00 Europe/Paris, 15 times from Mon 2026-07-06 08:00 to Fri 2026-07-24 08:00 · open',
    ])
  })

  /** The first line, without the span that it is about. */
  const summaryOf = (parts: readonly Parts[], from: string, to: string, options = {}) =>
    printed(timelineAnswer(timeline(worldOf({ policies: parts.map(policy) }), { from: at(from), to: at(to), ...options }), everything))
      .split('\n')
      .filter((line) => /between|none of the selected/.test(line))
      .map((line) => line.replace(/^between .*? and .*?(?= access)/, 'in that time'))

  test('say how often access opens and closes, what is not certain, and what was not looked at', () => {
    const june = ['2026-06-01T00:00:00Z', '2026-06-15T00:00:00Z'] as const
    const guest = { name: 'guest', login: 'bob', allow: 'vps:apisvc:get', expiredAt: '2026-06-10T00:00:00Z' }
    const mood = { 'request.Mood': 'good' }
    expect(summaryOf([guest], ...june)).toEqual(['in that time access opens 0 times and closes 1 time'])
    const text = printed(
      timelineAnswer(timeline(worldOf({ policies: [policy(guest)] }), { from: at(june[0]), to: at(june[1]) }), everything),
    )
    expect(text).toMatch(/^after Wed 2026-06-10 00:00 UTC {2}closes$/m)
    expect(summaryOf([office, guest], ...june)).toEqual(['in that time access opens 10 times and closes 11 times'])
    expect(summaryOf([office, { ...guest, values: mood }], ...june)).toEqual([
      'in that time access opens 10 times and closes 10 times (perhaps 1 more)',
    ])
    const few = { most: { instants: 12, comparisons: 99 } }
    expect(summaryOf([office], ...june, few)[0]).toMatch(/; not decided after .+: too many changes$/)
    expect(summaryOf([guest], ...june, { only: 'window' })[0]).toMatch(/^none of the selected changes of access happens/)
    expect(summaryOf([{ ...guest, expiredAt: '2027-06-10T00:00:00Z' }], ...june)[0]).toMatch(/^access stays the same between/)
  })

  test('is not the same where a change is not decided', () => {
    const { entries, ...rest } = timeline(worldOf({ policies: [] }), { from: 0, to: day })
    const undecided = { difference: { verdict: 'undecided' } } as (typeof entries)[number]
    expect(['same', 'undecided']).toEqual([timelineVerdict({ ...rest, entries }), timelineVerdict({ ...rest, entries: [undecided] })])
    expect(timelineVerdict({ ...rest, entries, until: 1 })).toBe('undecided')
  })

  test('are of the selected policy, kind of change or identity only', () => {
    const guest = { name: 'guest', login: 'bob', allow: 'vps:apisvc:get', expiredAt: '2026-06-15T00:00:00Z' }
    const span = ['2026-06-01T00:00:00Z', '2026-07-01T00:00:00Z'] as const
    const window = 'Mon–Fri 08:00–18:00 Europe/Paris, 22 times from Mon 2026-06-01 08:00 to Tue 2026-06-30 08:00 · open'
    const expiry = 'after Mon 2026-06-15 00:00 UTC · lost'
    expect(linesOf([office, guest], ...span)).toEqual([window, expiry])
    expect(linesOf([office, guest], ...span, { only: 'expiry' })).toEqual([expiry])
    expect(linesOf([office, guest], ...span, { only: 'window' })).toEqual([window])
    expect(linesOf([office, guest], ...span, { policy: 'guest' })).toEqual([expiry])
    const concerns = (text: string) => concernsOf(text, worldOf({ policies: [] }))
    expect(linesOf([office, guest], ...span, { concerns: concerns('user/bob') })).toEqual([expiry])
    expect(linesOf([office, guest], ...span, { concerns: concerns('urn:v1:eu:identity:user:ab12-svc/a*') })).toEqual([window])
    expect(linesOf([office, guest], ...span, { concerns: concerns('group/*') })).toEqual([''])
    expect(concerns('kim')).toBeUndefined()
  })

  test('of one policy leave out what others bring at the same instant, and name those that it takes as well', () => {
    const actions = new ActionsByType({ products: ['vps'], typesOf: () => ['vps'], actionsOf: () => ['vps:apisvc:get', 'vps:apisvc:stop'] })
    const expiredAt = '2026-06-15T00:00:00Z'
    const span = { from: at('2026-06-01T00:00:00Z'), to: at('2026-07-01T00:00:00Z'), described: actions }
    const closed = (parts: readonly Parts[], name: string | undefined) => {
      const resources = ['vps-1', 'vps-2'].map((each) => ({ urn: `urn:v1:eu:resource:vps:${each}` }))
      const { entries } = timeline(worldOf({ policies: parts.map(policy), resources }), { ...span, policy: name })
      return entries.flatMap(({ difference: { described } }) =>
        (described?.lost ?? []).map((change) => [
          `${change.identities.map((each) => each.slice(-3)).join()} ${change.actions.map((each) => each.slice(-4)).join()} ${change.resources.length}`,
          change.witness.identity.slice(-3),
          change.causes.map((cause) => cause.name).join(),
        ]),
      )
    }
    const shared = { allow: 'vps:apisvc:get', expiredAt }
    const own = [
      { name: 'one', ...shared },
      { name: 'two', login: 'bob', ...shared },
    ]
    expect(closed(own, undefined).map(([words]) => words)).toEqual(['ann,bob :get 2'])
    expect(closed(own, 'two')).toEqual([['bob :get 2', 'bob', 'two']])
    const both = [
      { name: 'one', ...shared },
      { name: 'two', ...shared },
      { name: 'three', ...shared, allow: 'vps:apisvc:stop' },
    ]
    expect(closed(both, 'two')).toEqual([['ann :get 2', 'ann', 'one,two']])
    expect(closed(both, 'three')).toEqual([['ann stop 2', 'ann', 'three']])
  })

  test('of one policy list the regions that it grants or limits with others, and no others', () => {
    const expiredAt = '2026-06-15T00:00:00Z'
    const values = { 'date(UTC).Date.AFTER': '2026-06-15' }
    const regions = (parts: readonly Parts[], name: string) => {
      const span = { from: at('2026-06-14T00:00:00Z'), to: at('2026-06-20T00:00:00Z'), policy: name }
      return timeline(worldOf({ policies: parts.map(policy) }), span).entries.flatMap(({ difference: { gained, lost } }) =>
        [gained, lost].flatMap((side, i) =>
          side.map(
            (each) =>
              `${'+-'[i]} ${each.identities.map((urn) => urn.slice(-3))} ${each.actions} by ${each.causes.map((cause) => cause.name).sort()}`,
          ),
        ),
      )
    }
    const opening = [
      { name: 'wide', allow: 'vps:*', values },
      { name: 'narrow', allow: 'vps:apisvc:get', values },
      { name: 'other', login: 'bob', allow: 'vps:apisvc:get', values },
    ]
    expect(regions(opening, 'narrow')).toEqual(['+ ann vps:* by narrow,wide'])
    expect(regions(opening, 'other')).toEqual(['+ bob vps:apisvc:get by other'])
    const closing = [
      { name: 'wide', allow: 'vps:*', expiredAt },
      { name: 'narrow', allow: 'vps:apisvc:get', expiredAt },
    ]
    expect(regions(closing, 'narrow')).toEqual(['- ann vps:* by narrow,wide'])
    const limited = [
      { name: 'wide', allow: 'vps:*', values },
      { name: 'guard', deny: 'vps:apisvc:get', values },
      { name: 'idle', deny: 'dnsZone:*', values },
    ]
    expect(regions(limited, 'guard')).toEqual(['+ ann vps:* by guard,wide'])
    expect(regions(limited, 'idle')).toEqual([])
    const freed = [
      { name: 'always', allow: 'vps:*' },
      { name: 'freeze', deny: 'vps:*', expiredAt },
      { name: 'detail', deny: 'vps:apisvc:get', expiredAt },
    ]
    expect(regions(freed, 'detail')).toEqual(['+ ann vps:* by detail,freeze'])
    const around = [
      { name: 'around', allow: 'vps:*', except: 'vps:apisvc:get', values },
      { name: 'inside', allow: 'vps:apisvc:get', values },
    ]
    expect(regions(around, 'inside')).toEqual(['+ ann vps:apisvc:get by inside'])
  })

  test('count what concerns an identity through its groups', () => {
    const urn = 'urn:v1:eu:identity:user:ab12-svc/kim'
    const group = 'urn:v1:eu:identity:group:ab12-svc/ops'
    const known = worldOf({ policies: [], identities: [{ urn, groups: [group] }] })
    expect(concernsOf('user/kim', known)?.(group)).toBe(true)
    expect(concernsOf('user/kim', known)?.('urn:v1:eu:identity:user:ab12-svc/*')).toBe(true)
    expect(concernsOf('user/lee', known)?.(group)).toBe(false)
  })
})

describe('the command', () => {
  test('names the time zone rules that it depends on, in JSON', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'grantwise-timeline-'))
    writeFileSync(join(folder, 'p.json'), JSON.stringify(policy({ name: 'p', allow: 'vps:*', expiredAt: '2026-06-01T00:00:00Z' })))
    const line = ['timeline', '-p', 'p.json', '--from', '2026-05-31T00:00:00Z', '--horizon', '2w', '--format', 'json']
    const { stdout, exit } = await runBinary(line, folder)
    rmSync(folder, { recursive: true })
    expect(exit).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      verdict: 'changed',
      from: '2026-05-31T00:00:00Z',
      to: '2026-06-14T00:00:00Z',
      tzdata: process.versions.tz,
      changes: [{ at: '2026-06-01T00:00:00.001Z', pattern: null, lost: [{ causes: [{ file: 'p.json', line: 1 }] }] }],
    })
  })

  test.each<readonly [string, number | undefined]>([
    ['30d', 30 * day],
    ['12h', 12 * hour],
    ['90m', 1.5 * hour],
    ['2w', 14 * day],
    ['P30D', 30 * day],
    ['P1W', 7 * day],
    ['P1DT12H', 36 * hour],
    ['PT90M', 1.5 * hour],
    ['PT1S', 1000],
    ...['', 'P', 'PT', 'P1DT', 'P1M', 'P1Y', '30', 'd', '0d', 'PT0S', '-1d', '1.5d', ' 1d', '1d1h', '2026-06-01'].map(
      (text) => [text, undefined] as const,
    ),
  ])('reads the length %j', (text, length) => {
    expect(readDuration(text)).toBe(length)
  })
})

describe('one world at two instants', () => {
  test('differs by what the time does, and says so', () => {
    const world = worldOf({
      policies: [
        policy({ name: 'old', allow: 'vps:apisvc:get', expiredAt: '2026-06-01T00:00:00Z' }),
        policy({ name: 'new', login: 'bob', allow: 'vps:*', values: { 'date(UTC).Date.AFTER': '2026-06-10' } }),
      ],
    })
    const { gained, lost } = diffBetween({ world, at: at('2026-05-01T00:00:00Z') }, { world, at: at('2026-07-01T00:00:00Z') })
    expect(gained).toMatchObject([{ actions: ['vps:*'], causes: [{ change: 'met', name: 'new' }] }])
    expect(lost).toMatchObject([{ actions: ['vps:apisvc:get'], causes: [{ change: 'passed', name: 'old' }] }])
    for (const { witness } of gained) expect(decide(world, witness).verdict).toBe('allow')
    for (const { witness } of lost) expect(decide(world, witness).verdict).toBe('allow')
    expect(diffBetween({ world, at: at('2026-07-01T00:00:00Z') }, { world, at: at('2026-08-01T00:00:00Z') }).verdict).toBe('same')
  })
})
