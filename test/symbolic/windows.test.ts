import { describe, expect, test } from 'vitest'
import { type Address, inRange, readAddress } from '../../src/conditions/address.ts'
import { readConditionKey, readTest } from '../../src/conditions/test.ts'
import { conditionWords } from '../../src/report/conditions.ts'
import {
  allOf,
  always,
  anyOf,
  comparison,
  evaluate,
  until as expiry,
  type Formula,
  groupDecides,
  isMember,
  type Model,
  never,
  noneOf,
  notBefore,
  openFact,
  openText,
  satisfy,
  withTime,
} from '../../src/symbolic/formula.ts'
import { type Conditions, hourOfWeek, type Literal, type Situation } from '../../src/symbolic/situation.ts'
import { nextChange, Windows } from '../../src/symbolic/windows.ts'
import { Zones } from '../../src/zones.ts'
import { effort } from '../support/effort.ts'
import { pick, type Random, randomOf } from '../support/worlds.ts'

const zones = new Zones()

const hour = 3_600_000
const day = 24 * hour
const at = (text: string) => Date.parse(text)

/** A comparison, as a policy writes it. */
function is(key: string, value: string): Formula {
  const test = readTest(readConditionKey(key, zones).value as NonNullable<ReturnType<typeof readConditionKey>['value']>, value).value
  if (!test) throw new Error(`${key} = ${value}`)
  return comparison(test)
}

const until = (text: string) => expiry(at(text))
const opaque = (text: string) => openFact({ kind: 'condition', text, holds: true })
const weekday = (zone: string, names: string) => is(`date(${zone}).WeekDay.IN`, names)
const workdays = (zone: string) => weekday(zone, 'Monday,Tuesday,Wednesday,Thursday,Friday')
const hours = (zone: string, from: number, to: number) =>
  allOf([is(`date(${zone}).Hour.GE`, String(from)), is(`date(${zone}).Hour.LT`, String(to))])
const paris = 'Europe/Paris'

// The meaning of a description, read without the code that makes it.

function meets({ matchType, value, holds }: Literal, text: string | null): boolean {
  const is =
    text !== null && (matchType === 'exact' ? text === value : matchType === 'suffix' ? text.endsWith(value) : text.startsWith(value))
  return is === holds
}

function situationHolds({ spans, weekly, addresses, texts, facts }: Situation, { ip, tags, at: instant = 0, assumed }: Model): boolean {
  return (
    (!spans || spans.some(({ from, to }) => (!from || instant >= from.at) && (!to || instant < to.at))) &&
    weekly.every(({ zone, hours }) => ((hours >> hourOfWeek(zone.shows(instant))) & 1n) === 1n) &&
    (!addresses || addresses.some((block) => inRange({ ...block, hostBits: false }, ip as Address))) &&
    texts.every(({ subject: { kind, parameter }, join, literals }) => {
      const text = tags.get(kind === 'tag' ? parameter : `\0${kind}`) ?? null
      return join === 'and' ? literals.every((each) => meets(each, text)) : literals.some((each) => meets(each, text))
    }) &&
    facts.every(({ is, holds }) => assumed.get(openText(is)) === holds)
  )
}

const holdsIn = ({ any, except }: Conditions, model: Model) =>
  any.some((each) => situationHolds(each, model)) && !except.some((each) => situationHolds(each, model))

// Generated formulas, and contexts around what they compare with.

const atoms: readonly Formula[] = [
  until('2026-11-30T23:59:59Z'),
  until('2026-03-29T01:00:00Z'),
  until('2027-06-01T00:00:00Z'),
  is('date(UTC).Date.BEFORE', '2026-12-01'),
  is(`date(${paris}).Date.AFTER`, '2026-10-25'),
  is(`date(${paris}).Date`, '2026-03-29'),
  is('date(America/New_York).Date.IN', '2026-12-24, 2026-12-25'),
  is(`date(${paris}).Hour.GE`, '8'),
  is(`date(${paris}).Hour.LT`, '18'),
  is(`date(${paris}).Hour`, '2'),
  is('date(UTC).Hour.LT', '5'),
  is('date(UTC).Hour.GT', '21'),
  is(`date(${paris}).WeekDay.LE`, 'Friday'),
  weekday(paris, 'Sunday,Monday'),
  is('date(Asia/Kolkata).WeekDay', 'Saturday'),
  is('request.IP.IN_RANGE', '10.0.0.0/8'),
  is('request.IP.IN_RANGE', '10.1.0.0/16'),
  is('request.IP', '10.1.0.1'),
  is('request.IP.IN_RANGE', '2001:db8::/32'),
  is('resource.Tag(env)', 'prod'),
  is('resource.Tag(env)', 'test'),
  is('resource.Tag(env).STARTS_WITH', 'pr'),
  is('resource.Tag(team).ENDS_WITH', 'ops'),
  is('resource.Name.STARTS_WITH', 'web-'),
  is('resource.Name.IN', 'web-1, db-1'),
  is('resource.Type', 'vps'),
  isMember('urn:v1:eu:resourceGroup:g'),
  opaque('request.Weather = rain'),
]

function formulaOf(random: Random, some: readonly Formula[], depth: number): Formula {
  const kind = random()
  if (depth === 0 || kind < 0.3) return pick(random, some)
  const parts = Array.from({ length: 2 + Math.floor(random() * 2) }, () => formulaOf(random, some, depth - 1))
  if (kind < 0.6) return allOf(parts)
  return kind < 0.85 ? anyOf(parts) : noneOf(pick(random, parts))
}

const marks = ['2026-03-29T01:00:00Z', '2026-10-25T01:00:00Z', '2026-11-30T23:59:59Z', '2026-12-24T05:00:00Z', '2027-06-01T00:00:00Z'].map(
  at,
)
const addresses = ['9.255.255.255', '10.0.0.0', '10.1.0.1', '10.1.0.2', '10.2.0.0', '11.0.0.0', '2001:db8::1', '2001:db9::1', '::1']
const texts = [null, 'prod', 'test', 'pr', 'x', 'devops', 'ops']

function modelOf(random: Random, from: number): Model {
  const near = pick(random, marks) + Math.floor((random() - 0.5) * 14 * 24) * hour + pick(random, [-1, 0, 0, 1, hour / 2])
  const tags = new Map<string, string | null>([
    ['env', pick(random, texts)],
    ['team', pick(random, texts)],
    ['\0name', pick(random, ['web-1', 'web-2', 'db-1', 'db-2'])],
    ['\0type', pick(random, ['vps', 'domain'])],
  ])
  const assumed = new Map(atoms.flatMap((atom) => (atom.kind === 'fact' ? [[openText(atom.is), random() < 0.5] as const] : [])))
  return { ip: readAddress(pick(random, addresses)) as Address, tags, at: Math.max(near, from), assumed }
}

describe('the description of a formula', () => {
  test('holds in the same contexts as the formula', () => {
    const random = randomOf(5)
    const count = effort(2500)
    let [described, split] = [0, 0]
    const wrong: string[] = []
    for (let i = 0; i < count; i++) {
      const some = Array.from({ length: 6 }, () => pick(random, atoms))
      const formula = formulaOf(random, some, 3)
      const from = random() < 0.5 ? undefined : pick(random, marks) - 3 * day
      const windows = new Windows({ from })
      const found = windows.describe(formula)
      if (!found) continue
      described++
      if (found.any.length + found.except.length > 1) split++
      for (let j = 0; j < 40; j++) {
        const model = modelOf(random, from ?? Number.NEGATIVE_INFINITY)
        if (holdsIn(found, model) !== evaluate(formula, model)) {
          wrong.push(`${conditionWords(formula, windows)} at ${new Date(model.at as number).toISOString()}`)
          break
        }
      }
    }
    expect(wrong).toEqual([])
    expect(described).toBeGreaterThan(count * 0.95)
    expect(split).toBeGreaterThan(count * 0.1)
  })

  test('is never exactly for a formula that holds at no instant from the given one on', () => {
    const random = randomOf(6)
    let never = 0
    for (let i = 0; i < effort(1000, 40); i++) {
      const timed = atoms.slice(0, 15)
      const formula = formulaOf(
        random,
        Array.from({ length: 4 }, () => pick(random, timed)),
        3,
      )
      const from = pick(random, marks) - 3 * day
      const windows = new Windows({ from })
      const ends = satisfy(withTime([formula], notBefore(from))) === undefined
      const said = windows.describe(formula)
      if (said) expect(said.any.length === 0, conditionWords(formula, windows)).toBe(ends)
      if (ends) never++
      const rises = evaluate(formula, { tags: new Map(), assumed: new Map(), at: from }) === true
      expect(ends, conditionWords(formula, windows)).toBe(!rises && nextChange(formula, from, { to: true }) === undefined)
    }
    expect(never).toBeGreaterThan(effort(200, 40))
  })

  test('is given up where it takes too many steps, and the comparisons are printed', () => {
    const parts = Array.from({ length: 12 }, (_, i) => anyOf([is(`resource.Tag(a${i})`, 'x'), is(`resource.Tag(b${i})`, 'y')]))
    const formula = allOf(parts)
    expect(new Windows().describe(formula)).toBeUndefined()
    expect(conditionWords(formula)).toMatch(/^\(`resource\.Tag\(a0\)` = `x` or `resource\.Tag\(b0\)` = `y`\) and /)
    const many = is('resource.Name.IN', Array.from({ length: 1000 }, (_, i) => `n${i}`).join(','))
    expect(new Windows().describe(many)).toBeUndefined()
    expect(new Windows({ steps: 1 }).describe(allOf([until('2026-12-01T00:00:00Z'), hours('UTC', 1, 5)]))).toBeUndefined()
  })
})

describe('a condition in words', () => {
  const from = at('2026-11-22T12:00:00Z')
  const office = allOf([workdays(paris), hours(paris, 8, 18)])
  const net = is('request.IP.IN_RANGE', '203.0.113.0/24')
  const prod = is('resource.Tag(env)', 'prod')
  const table: readonly (readonly [Formula, string | undefined])[] = [
    [always, undefined],
    [never, 'never'],
    // Hours and weekdays.
    [hours('UTC', 1, 5), 'daily 01:00–05:00 UTC'],
    [allOf([hours(paris, 19, 20), workdays(paris)]), 'Mon–Fri 19:00–20:00 Europe/Paris'],
    [weekday('UTC', 'Saturday,Sunday'), 'weekends UTC'],
    [noneOf(weekday('UTC', 'Saturday,Sunday')), 'Mon–Fri UTC'],
    [weekday(paris, 'Sunday'), 'Sundays Europe/Paris'],
    [weekday(paris, 'Monday,Wednesday,Friday'), 'Mon, Wed, Fri Europe/Paris'],
    [noneOf(hours('UTC', 8, 18)), 'daily 18:00–08:00 UTC'],
    [noneOf(office), 'outside Mon–Fri 08:00–18:00 Europe/Paris'],
    [noneOf(hours('UTC', 2, 3)), 'outside daily 02:00–03:00 UTC'],
    [is('date(UTC).Hour.GE', '18'), 'daily 18:00–24:00 UTC'],
    [is('date(UTC).Hour.IN', '1,3'), 'daily 01:00–02:00 and 03:00–04:00 UTC'],
    [anyOf([office, allOf([weekday(paris, 'Saturday'), hours(paris, 9, 12)])]), 'Mon–Fri 08:00–18:00 and Sat 09:00–12:00 Europe/Paris'],
    [
      anyOf([
        weekday(paris, 'Saturday,Sunday'),
        allOf([weekday(paris, 'Friday'), is(`date(${paris}).Hour.GE`, '19')]),
        allOf([weekday(paris, 'Monday'), is(`date(${paris}).Hour.LT`, '8')]),
      ]),
      'Fri 19:00 to Mon 08:00 Europe/Paris',
    ],
    [allOf([is('date(UTC).Hour.GE', '19'), is('date(UTC).Hour.LT', '3')]), 'never'],
    [anyOf([is('date(UTC).Hour.GE', '3'), is('date(UTC).Hour.LT', '19')]), undefined],
    [allOf([hours('UTC', 8, 18), workdays(paris)]), 'daily 08:00–18:00 UTC and Mon–Fri Europe/Paris'],
    [allOf([office, hours('UTC', 9, 17)]), 'Mon–Fri 08:00–18:00 Europe/Paris and daily 09:00–17:00 UTC'],
    [
      allOf([anyOf([hours(paris, 8, 10), hours(paris, 12, 18)]), hours('UTC', 9, 17)]),
      'daily 08:00–10:00 and 12:00–18:00 Europe/Paris and at the same time daily 09:00–17:00 UTC',
    ],
    // A window of one zone that is in the other one at all times says nothing.
    [allOf([office, hours('UTC', 5, 20)]), 'Mon–Fri 08:00–18:00 Europe/Paris'],
    // Clocks that always are so many hours apart: one window.
    [allOf([hours('Asia/Tokyo', 8, 20), hours('UTC', 5, 17)]), 'daily 14:00–20:00 Asia/Tokyo'],
    [allOf([hours('Asia/Tokyo', 8, 12), hours('UTC', 9, 17)]), 'never'],
    [allOf([hours('Asia/Kolkata', 8, 12), hours('UTC', 5, 17)]), 'daily 08:00–12:00 Asia/Kolkata and daily 05:00–17:00 UTC'],
    // Saturday in Kolkata begins on Friday in New York: these two never meet.
    [allOf([weekday('Asia/Kolkata', 'Saturday'), weekday('America/New_York', 'Sunday')]), 'never'],
    // Expiries and dates.
    [until('2026-11-30T23:59:59Z'), 'until Mon 2026-11-30 23:59:59 UTC'],
    [until('2026-12-01T00:00:00Z'), 'until Tue 2026-12-01 00:00 UTC'],
    [until('2026-11-01T00:00:00Z'), 'never'],
    [noneOf(until('2026-11-01T00:00:00Z')), undefined],
    [noneOf(until('2026-12-01T00:00:00Z')), 'after Tue 2026-12-01 00:00 UTC'],
    [noneOf(noneOf(until('2026-12-01T00:00:00Z'))), 'until Tue 2026-12-01 00:00 UTC'],
    [allOf([until('2027-01-01T00:00:00Z'), until('2026-12-01T00:00:00Z')]), 'until Tue 2026-12-01 00:00 UTC'],
    [anyOf([until('2027-01-01T00:00:00Z'), until('2026-12-01T00:00:00Z')]), 'until Fri 2027-01-01 00:00 UTC'],
    [
      allOf([noneOf(until('2026-12-01T11:30:00Z')), until('2026-12-24T23:59:59Z')]),
      'after Tue 2026-12-01 11:30 UTC until Thu 2026-12-24 23:59:59 UTC',
    ],
    [is(`date(${paris}).Date.BEFORE`, '2026-12-01'), 'before 2026-12-01 Europe/Paris'],
    [is(`date(${paris}).Date.AFTER`, '2026-12-01'), 'from 2026-12-01 Europe/Paris'],
    [is('date(UTC).Date', '2026-12-01'), 'on 2026-12-01 UTC'],
    [is('date(UTC).Date.IN', '2026-12-24,2026-12-31'), 'on 2026-12-24 or 2026-12-31 UTC'],
    [noneOf(is('date(UTC).Date', '2026-12-25')), 'not on 2026-12-25 UTC'],
    [
      allOf([is('date(UTC).Date.AFTER', '2026-12-01'), is('date(UTC).Date.BEFORE', '2026-12-06')]),
      'from 2026-12-01 through 2026-12-05 UTC',
    ],
    [allOf([is('date(UTC).Date', '2026-12-01'), weekday('UTC', 'Monday')]), 'never'],
    [allOf([office, is(`date(${paris}).Date.BEFORE`, '2026-12-01')]), 'Mon–Fri 08:00–18:00 Europe/Paris before 2026-12-01'],
    [allOf([office, until('2026-12-31T23:59:59Z')]), 'Mon–Fri 08:00–18:00 Europe/Paris until Thu 2026-12-31 23:59:59 UTC'],
    [allOf([until('2026-12-01T00:00:00Z'), noneOf(until('2026-11-30T23:59:59.999Z'))]), 'at Tue 2026-12-01 00:00 UTC'],
    // Addresses.
    [net, 'from 203.0.113.0/24'],
    [noneOf(is('request.IP.IN_RANGE', '10.0.0.0/8')), 'not from 10.0.0.0/8'],
    [anyOf([is('request.IP.IN_RANGE', '10.0.0.0/9'), is('request.IP.IN_RANGE', '10.128.0.0/9')]), 'from 10.0.0.0/8'],
    [is('request.IP.IN', '192.0.2.1, 2001:db8::1'), 'from 192.0.2.1 or 2001:db8::1'],
    [allOf([is('request.IP.IN_RANGE', '10.0.0.0/8'), is('request.IP.IN_RANGE', '192.0.2.0/24')]), 'never'],
    // Tags, names and types.
    [prod, 'tag env = prod'],
    [noneOf(prod), 'tag env not prod'],
    [anyOf([prod, is('resource.Tag(env)', 'two words')]), 'tag env = prod or `two words`'],
    [noneOf(anyOf([prod, is('resource.Tag(env)', 'test')])), 'tag env neither prod nor test'],
    [allOf([is('resource.Tag(env).STARTS_WITH', 'pr'), noneOf(prod)]), 'tag env starts with pr and not prod'],
    [allOf([prod, is('resource.Tag(env).STARTS_WITH', 'pr')]), 'tag env = prod'],
    [is('resource.Name.STARTS_WITH', 'web-'), 'resource name starts with web-'],
    [is('resource.Type.IN', 'vps,domain'), 'resource type = vps or domain'],
    // Facts.
    [noneOf(isMember('urn:v1:eu:resourceGroup:g')), 'the resource is not in urn:v1:eu:resourceGroup:g'],
    [isMember('urn:v1:eu:resourceGroup:g', 'web servers'), 'the resource is in resource group "web servers"'],
    [groupDecides('urn:v1:eu:permissionsGroup:p', 'deny'), 'permissions group urn:v1:eu:permissionsGroup:p denies it'],
    [noneOf(opaque('request.Weather = rain')), 'not `request.Weather = rain`'],
    // Together.
    [allOf([office, net]), 'Mon–Fri 08:00–18:00 Europe/Paris, from 203.0.113.0/24'],
    [anyOf([allOf([office, net]), prod]), 'Mon–Fri 08:00–18:00 Europe/Paris, from 203.0.113.0/24; or tag env = prod'],
    [anyOf([prod, allOf([noneOf(prod), net])]), 'tag env = prod; or from 203.0.113.0/24'],
    [anyOf([allOf([prod, net]), net]), 'from 203.0.113.0/24'],
    [anyOf([allOf([net, until('2026-01-01T00:00:00Z')]), prod]), 'tag env = prod'],
    [
      allOf([until('2026-12-31T23:59:59Z'), net, noneOf(allOf([prod, weekday('UTC', 'Saturday,Sunday')]))]),
      'until Thu 2026-12-31 23:59:59 UTC, from 203.0.113.0/24; except weekends UTC, tag env = prod',
    ],
    [noneOf(allOf([prod, net, office])), 'always except Mon–Fri 08:00–18:00 Europe/Paris, from 203.0.113.0/24, tag env = prod'],
  ]
  test.each(table.map(([formula, words]) => ({ formula, words })))('$words', ({ formula, words }) => {
    expect(conditionWords(formula, new Windows({ from }))).toBe(words)
  })

  test('names an instant where clocks are changed around midnight, and a date otherwise', () => {
    // In Beirut clocks go from 00:00 to 01:00 on 2026-03-29: the date begins at 01:00.
    expect(conditionWords(is('date(Asia/Beirut).Date.AFTER', '2026-03-29'))).toBe('from Sat 2026-03-28 22:00 UTC')
    expect(conditionWords(is(`date(${paris}).Date.AFTER`, '2026-03-29'))).toBe('from 2026-03-29 Europe/Paris')
  })

  test('keeps control characters out of the line', () => {
    expect(conditionWords(is('resource.Tag(a b)', 'x\u001by'))).toBe('tag `a b` = `x\\u{1b}y`')
  })
})

describe('the next change', () => {
  const office = allOf([workdays(paris), hours(paris, 8, 18)])
  const iso = (found: ReturnType<typeof nextChange>) => found && [new Date(found.at).toISOString(), found.holds, found.zone.name]

  test('is the next opening or closing, on the clock of its zone', () => {
    // A Sunday.
    const sunday = at('2026-11-22T12:00:00Z')
    expect(iso(nextChange(office, sunday))).toEqual(['2026-11-23T07:00:00.000Z', true, paris])
    expect(iso(nextChange(office, sunday, { to: false }))).toEqual(['2026-11-23T17:00:00.000Z', false, paris])
    expect(iso(nextChange(weekday(paris, 'Saturday,Sunday'), sunday))).toEqual(['2026-11-22T23:00:00.000Z', false, paris])
  })

  test('comes an hour earlier in UTC once summer time begins', () => {
    expect(iso(nextChange(office, at('2026-03-27T20:00:00Z')))).toEqual(['2026-03-30T06:00:00.000Z', true, paris])
    // The hour from two to three is skipped on the day of the change, and comes on the next one.
    expect(iso(nextChange(hours(paris, 2, 3), at('2026-03-28T12:00:00Z')))).toEqual(['2026-03-30T00:00:00.000Z', true, paris])
  })

  test('is that of an expiry, the millisecond after it', () => {
    const expiry = until('2026-11-30T23:59:59Z')
    expect(iso(nextChange(expiry, at('2026-11-22T12:00:00Z')))).toEqual(['2026-11-30T23:59:59.001Z', false, 'UTC'])
    expect(nextChange(expiry, at('2026-12-01T00:00:00Z'))).toBeUndefined()
    expect(iso(nextChange(allOf([office, noneOf(until('2030-01-01T00:00:00Z'))]), at('2026-11-22T12:00:00Z')))).toEqual([
      '2030-01-01T07:00:00.000Z',
      true,
      paris,
    ])
  })

  test('depends on the facts that are given', () => {
    const formula = allOf([office, is('request.IP.IN_RANGE', '10.0.0.0/8')])
    const sunday = at('2026-11-22T12:00:00Z')
    const from = (ip: string): Model => ({ ip: readAddress(ip) as Address, tags: new Map(), assumed: new Map() })
    expect(iso(nextChange(formula, sunday))).toEqual(['2026-11-23T07:00:00.000Z', undefined, paris])
    expect(nextChange(formula, sunday, { to: true })).toBeUndefined()
    expect(iso(nextChange(formula, sunday, { to: true, given: from('10.0.0.1') }))).toEqual(['2026-11-23T07:00:00.000Z', true, paris])
    expect(nextChange(formula, sunday, { given: from('192.0.2.1') })).toBeUndefined()
  })
})
