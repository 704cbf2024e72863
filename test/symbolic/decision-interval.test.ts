import { describe, expect, test } from 'vitest'
import { decide } from '../../src/simulate/decide.ts'
import { type DecisionChange, decisionIntervalOf, whenDenied } from '../../src/symbolic/decision-interval.ts'
import { printFormula } from '../../src/symbolic/formula.ts'
import { identityOf, match, resourceOf, type ShortPolicy, shortWorld } from '../support/short.ts'
import { questionOf } from '../support/worlds.ts'

/** A Wednesday. */
const at = '2026-06-03T12:30:00Z'
const time = (instant: number) => new Date(instant).toISOString().replace(':00.000Z', 'Z')
const turnLine = (turn: DecisionChange | undefined) => (turn ? `${time(turn.at)} ${turn.verdict} ${turn.zone.name}` : '-')

interface Given {
  readonly identity?: string
  readonly owner?: string
  readonly tags?: Readonly<Record<string, string>>
}

/** How time turns an answer, as `<verdict now>: <next turn>, <turn after>`, and the formula of when it is denied. */
function turning(policies: readonly ShortPolicy[], { identity = 'user:a/u', owner, tags }: Given = {}) {
  const world = shortWorld(policies)
  const asked = questionOf({ identity: identityOf(identity), action: 'p:x:a', resource: resourceOf('t:a'), at, ...(tags && { tags }) })
  const question = { ...asked, ...(owner !== undefined && { owner }) }
  const decision = decide(world, question)
  const found = decisionIntervalOf(world, question, decision)
  const denied = whenDenied(world, question, decision)
  if (found) expect(found.at).toBe(question.at)
  return [
    found && `${found.verdict}: ${turnLine(found.next)}, ${turnLine(found.after)}${found.isFinal ? ', final' : ''}`,
    denied && printFormula(denied),
  ]
}

const allow = (when?: ShortPolicy['when'], until?: string): ShortPolicy => ({ allow: ['p:x:a'], when, ...(until && { until }) })
const deny = (when?: ShortPolicy['when'], until?: string): ShortPolicy => ({ deny: ['p:x:a'], when, ...(until && { until }) })
const isX = { 'resource.Tag(k)': 'x' }
const early = { 'date().Hour.LT': '13' }
const late = { 'date().Hour.GE': '13' }
const notX = { operator: 'NOT', conditions: [match(isX)] }

describe('an answer is turned by', () => {
  test.each<[string, readonly ShortPolicy[], found: string, denied: string, given?: Given]>([
    [
      'an expiry',
      [allow(undefined, '2026-07-01T00:00:00Z')],
      'allow: 2026-07-01T00:00:00.001Z deny UTC, -',
      `not(until ${Date.UTC(2026, 6, 1)})`,
    ],
    ['an expiry that has passed', [allow(undefined, '2026-01-01T00:00:00Z')], 'deny: -, -, final', `not(until ${Date.UTC(2026, 0, 1)})`],
    [
      'the expiry of a deny',
      [allow(), deny(undefined, '2026-07-01T00:00:00Z')],
      'deny: 2026-07-01T00:00:00.001Z allow UTC, -',
      `until ${Date.UTC(2026, 6, 1)}`,
    ],
    [
      'two expiries, of a deny and of the grant',
      [allow(undefined, '2026-06-10T00:00:00Z'), deny(undefined, '2026-06-05T00:00:00Z')],
      'deny: 2026-06-05T00:00:00.001Z allow UTC, 2026-06-10T00:00:00.001Z deny UTC',
      `not(and(until ${Date.UTC(2026, 5, 10)},not(until ${Date.UTC(2026, 5, 5)})))`,
    ],
    [
      'the later of two expiries',
      [allow(undefined, '2026-06-10T00:00:00Z'), allow(undefined, '2026-06-12T00:00:00Z')],
      'allow: 2026-06-12T00:00:00.001Z deny UTC, -',
      `not(or(until ${Date.UTC(2026, 5, 10)},until ${Date.UTC(2026, 5, 12)}))`,
    ],
    [
      'hours in a zone',
      [allow({ 'date(Europe/Paris).Hour.IN': '9, 10' })],
      'deny: 2026-06-04T07:00Z allow Europe/Paris, 2026-06-04T09:00Z deny Europe/Paris',
      'not(["hour","Europe/Paris","IN",[9,10]])',
    ],
    [
      'hours of a zone that is half an hour off',
      [allow({ 'date(Asia/Kolkata).Hour': '9' })],
      'deny: 2026-06-04T03:30Z allow Asia/Kolkata, 2026-06-04T04:30Z deny Asia/Kolkata',
      'not(["hour","Asia/Kolkata","EQ",[9]])',
    ],
    [
      'a weekday',
      [allow(), deny({ 'date(Europe/Paris).WeekDay': 'Saturday' })],
      'allow: 2026-06-05T22:00Z deny Europe/Paris, 2026-06-06T22:00Z allow Europe/Paris',
      '["weekday","Europe/Paris","EQ",[5]]',
    ],
    [
      'a date to come',
      [allow({ 'date().Date.AFTER': '2026-07-01' })],
      'deny: 2026-07-01T00:00Z allow UTC, -',
      'not(["date","UTC","AFTER",[20260701]])',
    ],
    [
      'a date that is over',
      [allow({ 'date().Date.BEFORE': '2026-01-01' })],
      'deny: -, -, final',
      'not(["date","UTC","BEFORE",[20260101]])',
    ],
    [
      'dates in two zones',
      [allow({ 'date(America/New_York).Date.BEFORE': '2026-07-01' }), allow({ 'date().Date.AFTER': '2026-08-01' })],
      'allow: 2026-07-01T04:00Z deny America/New_York, 2026-08-01T00:00Z allow UTC',
      'not(or(["date","America/New_York","BEFORE",[20260701]],["date","UTC","AFTER",[20260801]]))',
    ],
    [
      'one date in two zones',
      [allow({ 'date().Date': '2026-06-03' }), deny({ 'date(Europe/Paris).Date': '2026-06-03' })],
      'deny: 2026-06-03T22:00Z allow Europe/Paris, 2026-06-04T00:00Z deny UTC',
      'not(and(["date","UTC","EQ",[20260603]],not(["date","Europe/Paris","EQ",[20260603]])))',
    ],
    [
      'an hour of a few days',
      [allow({ 'date().Hour': '12', 'date().Date.BEFORE': '2026-06-05' })],
      'allow: 2026-06-03T13:00Z deny UTC, 2026-06-04T12:00Z allow UTC',
      'not(and(["hour","UTC","EQ",[12]],["date","UTC","BEFORE",[20260605]]))',
    ],
    [
      'an expiry after which hours count, a year of hours later',
      [allow(early), allow(late, '2027-06-05T00:00:00Z')],
      'allow: 2027-06-05T13:00Z deny UTC, 2027-06-06T00:00Z allow UTC',
      `not(or(["hour","UTC","LT",[13]],and(["hour","UTC","GE",[13]],until ${Date.UTC(2027, 5, 5)})))`,
    ],
    [
      'hours beside a tag that is not known',
      [allow({ ...early, ...isX })],
      'unknown: 2026-06-03T13:00Z deny UTC, 2026-06-04T00:00Z unknown UTC',
      'not(and(["hour","UTC","LT",[13]],["tag","k","EQ",["x"]]))',
    ],
    [
      'hours beside a tag that is given',
      [allow({ ...early, ...isX })],
      'allow: 2026-06-03T13:00Z deny UTC, 2026-06-04T00:00Z allow UTC',
      'not(["hour","UTC","LT",[13]])',
      { tags: { k: 'x' } },
    ],
    [
      'hours where a tag does not grant it',
      [allow(isX), allow(early)],
      'allow: 2026-06-03T13:00Z unknown UTC, 2026-06-04T00:00Z allow UTC',
      'not(or(["tag","k","EQ",["x"]],["hour","UTC","LT",[13]]))',
    ],
    [
      'hours where a tag is another one',
      [allow(isX), allow({ operator: 'AND', conditions: [notX, match(early)] })],
      'allow: 2026-06-03T13:00Z unknown UTC, 2026-06-04T00:00Z allow UTC',
      'not(or(["tag","k","EQ",["x"]],and(not(["tag","k","EQ",["x"]]),["hour","UTC","LT",[13]])))',
    ],
    [
      'an expiry beside a tag',
      [allow(isX), allow(undefined, '2026-06-05T00:00:00Z')],
      'allow: 2026-06-05T00:00:00.001Z unknown UTC, -',
      `not(or(["tag","k","EQ",["x"]],until ${Date.UTC(2026, 5, 5)}))`,
    ],
    [
      'an expiry that has passed, beside a tag',
      [allow(isX), allow(undefined, '2026-06-01T00:00:00Z')],
      'unknown: -, -',
      `not(or(["tag","k","EQ",["x"]],until ${Date.UTC(2026, 5, 1)}))`,
    ],
    [
      'hours of a deny beside one by a tag',
      [allow(), deny(isX), deny(early)],
      'deny: 2026-06-03T13:00Z unknown UTC, 2026-06-04T00:00Z deny UTC',
      'or(["tag","k","EQ",["x"]],["hour","UTC","LT",[13]])',
    ],
    [
      'the first of two zones to change at one instant',
      [allow({ ...early, 'date(Europe/Paris).Hour.LT': '15', ...isX })],
      'unknown: 2026-06-03T13:00Z deny UTC, 2026-06-04T00:00Z unknown UTC',
      'not(and(["hour","UTC","LT",[13]],["hour","Europe/Paris","LT",[15]],["tag","k","EQ",["x"]]))',
    ],
    [
      'the earlier of the changes of two zones',
      [allow({ 'date().Hour.LT': '20', 'date(Europe/Paris).Hour.LT': '15', ...isX })],
      'unknown: 2026-06-03T13:00Z deny Europe/Paris, 2026-06-04T00:00Z unknown UTC',
      'not(and(["hour","UTC","LT",[20]],["hour","Europe/Paris","LT",[15]],["tag","k","EQ",["x"]]))',
    ],
    [
      'hours in a group that is not known',
      [{ on: ['#o'], allow: ['p:x:a'], when: early }],
      'unknown: 2026-06-03T13:00Z deny UTC, 2026-06-04T00:00Z unknown UTC',
      'not(and("resourceGroup:urn:v1:eu:resourceGroup:o",["hour","UTC","LT",[13]]))',
    ],
    [
      'the expiry of a deny where hours are granted',
      [allow(early), deny(undefined, '2026-06-04T00:00:00Z')],
      'deny: 2026-06-04T00:00:00.001Z allow UTC, 2026-06-04T13:00Z deny UTC',
      `not(and(["hour","UTC","LT",[13]],not(until ${Date.UTC(2026, 5, 4)})))`,
    ],
  ])('%s', (_, policies, found, denied, given) => {
    expect(turning(policies, given)).toEqual([found, denied])
  })
})

describe('an answer is not turned', () => {
  test.each<[string, readonly ShortPolicy[], given?: Given]>([
    ['where nothing looks at the time', [allow(isX), deny({ 'request.IP': '192.0.2.1' })]],
    ['where nothing is allowed', [deny(early)]],
    ['where hours together are all', [allow(early), allow(late)]],
    ['where a tag rules the hours out', [allow({ ...early, ...isX })], { tags: { k: 'y' } }],
    ['where hours only say less than a tag', [allow(isX), allow({ ...early, ...isX })]],
    ['where they are about another action', [allow(), { deny: ['p:x:b'], until: '2026-07-01T00:00:00Z' }]],
    ['for the account that owns the resource', [{ ...allow(early), who: ['account:a'] }], { identity: 'account:a', owner: 'a' }],
  ])('%s', (_, policies, given) => {
    expect(turning(policies, given)).toEqual([undefined, undefined])
  })
})

describe('a turn is looked for', () => {
  test('where too much is written to say when', () => {
    const many = Array.from({ length: 300 }, (_, i) => `t${i}`)
    const policies = [...many.map((tag) => allow({ 'resource.Tag(k)': tag, ...early })), allow(undefined, '2026-06-05T00:00:00Z')]
    expect(turning(policies)[0]).toBe('allow: 2026-06-05T00:00:00.001Z unknown UTC, 2026-06-05T13:00Z deny UTC')
    // Nothing of this looks at the time.
    expect(turning(many.map((tag) => allow({ 'resource.Tag(k)': tag })))).toEqual([undefined, undefined])
  })

  test('in as many changes as there are in a hundred days of mornings', () => {
    // At noon it is not known, by a tag; so it is in the afternoon, by another.
    const granted = [allow({ ...early, ...isX }), allow({ 'resource.Tag(k)': 'y' })]
    const from = (date: string) => deny({ 'date().Date.AFTER': date })
    const late = (date: string) => deny({ 'date().Date.AFTER': date, 'date().Hour.GE': '13' })
    expect(turning([...granted, from('2026-09-11')])[0]).toBe('unknown: 2026-09-11T00:00Z deny UTC, -')
    expect(turning([...granted, late('2026-09-11')])[0]).toBe('unknown: -, -')
    expect(turning([...granted, from('2026-09-12')])[0]).toBe('unknown: -, -')
  })
})
