import { describe, expect, test } from 'vitest'
import {
  type Address,
  type AddressRange,
  blocksOf,
  inRange,
  printAddress,
  printRange,
  readAddress,
  readRange,
} from '../../src/conditions/address.ts'
import { rangesIn } from '../../src/conditions/sets.ts'
import { holdsAddress, holdsClock, holdsText, readConditionKey, type Test } from '../../src/conditions/test.ts'
import { weekdays } from '../../src/conditions/time.ts'
import { not, some, type Truth } from '../../src/conditions/truth.ts'
import { deepestCondition } from '../../src/parser/policy.ts'
import type { Condition } from '../../src/policy.ts'
import { addressClasses, textClasses } from '../../src/simulate/completion.ts'
import { conditionHolds } from '../../src/simulate/facts.ts'
import { utc, type WallClock, type Zone, Zones } from '../../src/zones.ts'
import { testOf } from '../support/condition-tests.ts'
import { effort } from '../support/effort.ts'
import { type ConditionJson, worldOf } from '../support/worlds.ts'

const zones = new Zones()

function address(text: string): Address {
  const read = readAddress(text)
  if (!read) throw new Error(`no address: ${text}`)
  return read
}

function range(text: string): AddressRange {
  const read = readRange(text)
  if (!read) throw new Error(`no block: ${text}`)
  return read
}

function conditionOf(conditions: ConditionJson): Condition {
  return worldOf({ name: 'p', identities: [], resources: [], permissions: {}, conditions }).policies[0]?.condition as Condition
}

describe('three values', () => {
  const values: readonly Truth[] = [true, false, undefined]
  const lists = [0, 1, 2, 3, 4].flatMap((length) => {
    let lists: Truth[][] = [[]]
    for (let i = 0; i < length; i++) lists = lists.flatMap((list) => values.map((value) => [...list, value]))
    return lists
  })
  /** Every way to fill in what is not known. */
  const filled = (list: readonly Truth[]) =>
    list.reduce<boolean[][]>(
      (ways, value) => ways.flatMap((way) => (value === undefined ? [true, false] : [value]).map((v) => [...way, v])),
      [[]],
    )
  const agreed = (results: readonly boolean[]): Truth => (new Set(results).size === 1 ? results[0] : undefined)

  /** The same of conditions, each with a truth of its own; and what was looked at. */
  const written = (operator: 'AND' | 'OR' | 'NOT', list: readonly Truth[]) => {
    const conditions = list.map((_, i): ConditionJson => ({ operator: 'MATCH', values: { 'resource.Name': String(i) } }))
    const looked: Truth[] = []
    const truth = conditionHolds(conditionOf({ operator, conditions }), (leaf) => {
      const one = leaf.kind === 'match' ? list[Number(leaf.value.value)] : undefined
      looked.push(one)
      return one
    })
    return { truth, looked }
  }

  // covers: M27
  test('all, one and none hold when they do for all values of the unknown ones, for every list of four', () => {
    for (const list of lists) {
      expect(written('AND', list).truth).toBe(agreed(filled(list).map((way) => way.every((v) => v))))
      expect(written('OR', list).truth).toBe(agreed(filled(list).map((way) => way.some((v) => v))))
      expect(written('NOT', list).truth).toBe(agreed(filled(list).map((way) => !way.some((v) => v))))
      expect(some(list)).toBe(agreed(filled(list).map((way) => way.some((v) => v))))
      expect(not(some(list))).toBe(agreed(filled(list).map((way) => !way.some((v) => v))))
    }
  })

  test('nothing is looked at once the answer is sure', () => {
    expect(written('AND', [undefined, false, true]).looked).toEqual([undefined, false])
    expect(written('OR', [undefined, true, false]).looked).toEqual([undefined, true])
    expect(written('NOT', [undefined, true, false]).looked).toEqual([undefined, true])
  })
})

// covers: M27, T20
describe('AND, OR, NOT and MATCH', () => {
  const truthOf = (conditions: ConditionJson, leaves: Readonly<Record<string, Truth>>) =>
    conditionHolds(conditionOf(conditions), (leaf) => (leaf.kind === 'match' ? leaves[leaf.value.value] : undefined))
  const leaf = (name: string): ConditionJson => ({ operator: 'MATCH', values: { 'resource.Name': name } })
  const unknown: ConditionJson = { operator: 'MATCH', values: { 'request.Country': 'FR' } }
  const leaves = { t: true, f: false, u: undefined }

  test.each<readonly [shows: string, written: ConditionJson, truth: Truth]>([
    ['AND of none', { operator: 'AND' }, true],
    ['AND of an empty list', { operator: 'AND', conditions: [] }, true],
    ['OR of none', { operator: 'OR' }, false],
    ['NOT of none', { operator: 'NOT' }, true],
    ['MATCH without values', { operator: 'MATCH' }, true],
    ['MATCH with empty values', { operator: 'MATCH', values: {} }, true],
    ['AND with one that fails', { operator: 'AND', conditions: [leaf('t'), leaf('f')] }, false],
    ['OR with one that holds', { operator: 'OR', conditions: [leaf('f'), leaf('t')] }, true],
    ['NOT with two of which one holds', { operator: 'NOT', conditions: [leaf('f'), leaf('t')] }, false],
    ['NOT with two of which none holds', { operator: 'NOT', conditions: [leaf('f'), leaf('f')] }, true],
    ['MATCH with two of which one fails', { operator: 'MATCH', values: { 'resource.Name': 't', 'resource.Type': 'f' } }, false],
    ['what is not understood', unknown, undefined],
    ['NOT of what is not understood', { operator: 'NOT', conditions: [unknown] }, undefined],
    ['AND with one that fails and one that is not understood', { operator: 'AND', conditions: [unknown, leaf('f')] }, false],
    ['OR with one that holds and one that is not understood', { operator: 'OR', conditions: [unknown, leaf('t')] }, true],
    ['NOT with one that holds and one that is not understood', { operator: 'NOT', conditions: [unknown, leaf('t')] }, false],
    ['an operator that is none', { operator: 'XOR', conditions: [leaf('t')] }, undefined],
    ['an operator in small letters', { operator: 'and', conditions: [leaf('f')] }, undefined],
    ['a MATCH with children', { operator: 'MATCH', conditions: [leaf('f')] }, undefined],
    ['an AND with values', { operator: 'AND', values: { 'resource.Name': 'f' } }, undefined],
    [
      'keys named like a part of every object, or beginning so',
      {
        operator: 'NOT',
        conditions: [{ operator: 'MATCH', values: { 'date.constructor': 't', 'date(UTC).valueOf.EQ': 't', constructor: 't' } }],
      },
      undefined,
    ],
    ['an operator named like a part of every object', { operator: 'constructor', conditions: [leaf('f')] }, undefined],
  ])('%s', (_, written, truth) => {
    expect(truthOf(written, leaves)).toBe(truth)
  })

  test('what is deeper than is read is not understood, and what is no deeper is', () => {
    const nested = (depth: number): ConditionJson => (depth === 1 ? leaf('t') : { operator: 'AND', conditions: [nested(depth - 1)] })
    expect(truthOf(nested(deepestCondition), leaves)).toBe(true)
    expect(truthOf(nested(deepestCondition + 1), leaves)).toBe(undefined)
  })

  test('two conditions that are not understood are one fact exactly when they are written alike', () => {
    const texts = (conditions: ConditionJson) => {
      const condition = conditionOf(conditions)
      return condition.kind === 'and' ? condition.operands.map((operand) => (operand.kind === 'opaque' ? operand.text : '')) : []
    }
    const [a, b, c] = texts({ operator: 'AND', conditions: [unknown, unknown, { operator: 'MATCH', values: { 'request.Country': 'DE' } }] })
    expect(a).toBe('condition:request.Country=FR')
    expect(b).toBe(a)
    expect(c).not.toBe(a)
  })
})

describe('the key of a tag', () => {
  test.each([
    ['resource.Tag(k)', 'k', 'EQ'],
    ['resource.Tag(a)b)', 'a)b', 'EQ'],
    ['resource.Tag(UTC)', 'UTC', 'EQ'],
    ['resource.Tag(env(prod)).ENDS_WITH', 'env(prod)', 'ENDS_WITH'],
    ['resource.Tag(a).EQ)', 'a).EQ', 'EQ'],
    ['resource.Tag(a.b(c)).STARTS_WITH', 'a.b(c)', 'STARTS_WITH'],
    ['resource.Tag(().ENDS_WITH', '(', 'ENDS_WITH'],
  ])('%s ends at its last bracket', (text, parameter, operator) => {
    expect(readConditionKey(text, zones).value).toStrictEqual({ subject: { kind: 'tag', parameter }, operator })
  })
})

describe('texts', () => {
  test.each([
    ['resource.Tag(k)', 'a', 'a', true],
    ['resource.Tag(k)', 'a', 'A', false],
    ['resource.Tag(k)', 'a', ' a', false],
    ['resource.Tag(k)', '', '', true],
    ['resource.Tag(k)', 'a,b', 'a,b', true],
    ['resource.Tag(k)', 'a*', 'ab', false],
    ['resource.Tag(k).eq', 'a', 'a', true],
    ['resource.Tag(k).STARTS_WITH', 'a', 'ab', true],
    ['resource.Tag(k).STARTS_WITH', 'a', 'ba', false],
    ['resource.Tag(k).STARTS_WITH', 'a', 'a', true],
    ['resource.Tag(k).STARTS_WITH', '', '', true],
    ['resource.Tag(k).ENDS_WITH', 'b', 'ab', true],
    ['resource.Tag(k).ENDS_WITH', 'b', 'ba', false],
    ['resource.Name.IN', 'a,b', 'b', true],
    ['resource.Name.IN', ' a , b ', 'b', true],
    ['resource.Name.IN', 'a,b', 'a,b', false],
    ['resource.Name.IN', 'a,b', 'c', false],
    ['resource.Name.IN', 'a b,c', 'a b', true],
    ['resource.Name', 'vps-1', 'vps-1', true],
    ['resource.Type.STARTS_WITH', 'ldp/', 'ldp/stream', true],
    ['resource.Type.ENDS_WITH', '/stream', 'ldp/stream', true],
  ])('%s %j of %j: %j', (key, value, actual, truth) => {
    expect(holdsText(testOf(key, value), actual)).toBe(truth)
  })
})

// covers: M29b, T18
describe('addresses', () => {
  test.each([
    ['request.IP', '192.0.2.1', '192.0.2.1', true],
    ['request.IP', '192.0.2.1', '192.0.2.2', false],
    ['request.IP', '::ffff:192.0.2.1', '192.0.2.1', true],
    ['request.IP', '192.0.2.1', '::ffff:192.0.2.1', true],
    ['request.IP', '2001:DB8::1', '2001:db8:0:0::1', true],
    ['request.IP', '::c000:201', '192.0.2.1', false],
    ['request.IP.IN', '192.0.2.1 , 2001:db8::1', '2001:db8::1', true],
    ['request.IP.IN', '192.0.2.1,192.0.2.3', '192.0.2.2', false],
    ['request.IP.IN_RANGE', '0.0.0.0/0', '255.255.255.255', true],
    ['request.IP.IN_RANGE', '0.0.0.0/0', '::', false],
    ['request.IP.IN_RANGE', '0.0.0.0/0', '::ffff:10.0.0.1', true],
    ['request.IP.IN_RANGE', '::/0', '10.0.0.1', false],
    ['request.IP.IN_RANGE', '::/0', '::ffff:10.0.0.1', false],
    ['request.IP.IN_RANGE', '::/0', '2001:db8::1', true],
    ['request.IP.IN_RANGE', '::ffff:10.0.0.0/104', '10.255.0.1', true],
    ['request.IP.IN_RANGE', '::ffff:10.0.0.0/104', '11.0.0.1', false],
    ['request.IP.IN_RANGE', '10.0.0.1/32', '10.0.0.1', true],
    ['request.IP.IN_RANGE', '::ffff:0:0/96', '10.0.0.1', true],
    ['request.IP.IN_RANGE', '::ffff:0:0/96', '255.255.255.255', true],
    ['request.IP.IN_RANGE', '::ffff:0:0/96', '::1:0:0:0', false],
    ['request.IP.IN_RANGE', '::fffe:0:0/95', '10.0.0.1', false],
    ['request.IP.IN_RANGE', '::ffff:10.0.0.0/95', '10.0.0.1', false],
    ['request.IP.IN_RANGE', '::ffff:10.0.0.0/95', '::fffe:a00:1', true],
    ['request.IP.IN_RANGE', '::fffe:0:0/95', '::fffe:a00:1', true],
  ])('%s %j of %s: %j', (key, value, actual, truth) => {
    expect(holdsAddress(testOf(key, value), address(actual))).toBe(truth)
  })

  test.each([
    '010.0.0.1',
    '10.010.0.1',
    '10.0.00.1',
    '10.0.0.01',
    '256.0.0.1',
    '1.2.3.256',
    '::ffff:1.2.3.256',
    '1:2:3:4::5:6:7:8',
    '::1:2:3:4:5:6:7:8',
    '1:2:3:4:5:6:7:8::',
  ])('%s is none', (text) => {
    expect(readAddress(text)).toBe(undefined)
  })

  test('an address alone is a range of one, without bits beyond its length', () => {
    const value = 0xc0000201n
    expect(rangesIn(testOf('request.IP', '192.0.2.1').set)).toEqual([{ family: 4, first: value, last: value, hostBits: false }])
  })

  test('a range is made up of the fewest blocks, in order', () => {
    const blocks = (first: string, last: string) => {
      const [from, to] = [readAddress(first), readAddress(last)] as [Address, Address]
      return Array.from(blocksOf({ family: from.family, first: from.value, last: to.value }), printRange)
    }
    expect(blocks('192.0.2.0', '192.0.2.255')).toEqual(['192.0.2.0/24'])
    expect(blocks('192.0.2.1', '192.0.2.8')).toEqual(['192.0.2.1/32', '192.0.2.2/31', '192.0.2.4/30', '192.0.2.8/32'])
    expect(blocks('::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff')).toEqual(['::/0'])
    expect(blocks('254.0.0.0', '255.255.255.255')).toEqual(['254.0.0.0/7'])
  })

  test('a block holds its first and its last address and not those next to them, for every length', () => {
    for (const [base, bits, family] of [
      ['203.0.113.77', 32, 4],
      ['2001:db8:77:1::42', 128, 6],
    ] as const) {
      for (let length = 0; length <= bits; length++) {
        const block = range(`${base}/${length}`)
        expect(block.last - block.first).toBe((1n << BigInt(bits - length)) - 1n)
        expect(inRange(block, address(base))).toBe(true)
        for (const [value, truth] of [
          [block.first, true],
          [block.last, true],
          [block.first - 1n, false],
          [block.last + 1n, false],
        ] as const)
          expect(inRange(block, { family, value })).toBe(truth)
        expect(inRange(block, { family: family === 4 ? 6 : 4, value: block.first })).toBe(false)
      }
    }
  })
})

describe('clocks', () => {
  const relations: readonly (readonly [operator: string, holds: (actual: number, bound: number) => boolean])[] = [
    ['', (a, b) => a === b],
    ['.EQ', (a, b) => a === b],
    ['.BEFORE', (a, b) => a < b],
    // Published so: the other side of BEFORE, and not the mirror of it.
    ['.AFTER', (a, b) => a >= b],
    ['.LT', (a, b) => a < b],
    ['.LE', (a, b) => a <= b],
    ['.GT', (a, b) => a > b],
    ['.GE', (a, b) => a >= b],
  ]
  const clock = (part: Partial<WallClock>): WallClock => ({ ...utc.shows(Date.parse('2026-07-01T12:00:00Z')), ...part })

  test.each(relations)('hour%s, every hour against every hour', (operator, holds) => {
    for (let bound = 0; bound < 24; bound++) {
      for (const written of [String(bound), String(bound).padStart(2, '0')]) {
        const test = testOf(`date.Hour${operator}`, written)
        for (let hour = 0; hour < 24; hour++) expect(holdsClock(test, clock({ hour }))).toBe(holds(hour, bound))
      }
    }
  })

  test.each(relations)('weekday%s, every day against every day, Monday first, in any case', (operator, holds) => {
    for (const [bound, name] of weekdays.entries()) {
      for (const written of [name, name.toLowerCase(), name.toUpperCase()]) {
        const test = testOf(`date.WeekDay${operator}`, written)
        for (let weekday = 0; weekday < 7; weekday++) expect(holdsClock(test, clock({ weekday }))).toBe(holds(weekday, bound))
      }
    }
  })

  test.each(relations.slice(0, 4))('date%s', (operator, holds) => {
    const dates = ['2025-12-31', '2026-01-01', '2026-02-28', '2026-03-01', '2026-10-01', '2027-01-01']
    const number = (text: string) => Number(text.replaceAll('-', ''))
    for (const bound of dates) {
      const test = testOf(`date.Date${operator}`, bound)
      for (const actual of dates) expect(holdsClock(test, clock({ date: number(actual) }))).toBe(holds(number(actual), number(bound)))
    }
  })

  test('IN is one of several', () => {
    const hours = testOf('date.Hour.IN', '8, 9 ,17')
    expect([...Array(24).keys()].filter((hour) => holdsClock(hours, clock({ hour })))).toEqual([8, 9, 17])
    const days = testOf('date.WeekDay.IN', 'saturday,SUNDAY')
    expect([...Array(7).keys()].filter((weekday) => holdsClock(days, clock({ weekday })))).toEqual([5, 6])
    const dates = testOf('date.Date.IN', '2026-07-01,2026-12-25')
    expect([20260701, 20260702, 20261225].map((date) => holdsClock(dates, clock({ date })))).toEqual([true, false, true])
  })

  // Worked out with another implementation of the time zone tables.
  // covers: T19
  test.each([
    ['Europe/Paris', '2026-03-29T00:59:59Z', 20260329, 1, 6],
    ['Europe/Paris', '2026-03-29T01:00:00Z', 20260329, 3, 6],
    ['Europe/Paris', '2026-10-25T00:59:59Z', 20261025, 2, 6],
    ['Europe/Paris', '2026-10-25T01:00:00Z', 20261025, 2, 6],
    ['Europe/Paris', '2026-12-31T22:59:59Z', 20261231, 23, 3],
    ['Europe/Paris', '2026-12-31T23:00:00Z', 20270101, 0, 4],
    ['Europe/Paris', '2026-06-30T22:00:00Z', 20260701, 0, 2],
    ['Europe/Paris', '1900-01-01T00:00:00Z', 19000101, 0, 0],
    ['America/New_York', '2026-03-08T06:59:59Z', 20260308, 1, 6],
    ['America/New_York', '2026-03-08T07:00:00Z', 20260308, 3, 6],
    ['America/New_York', '2026-11-01T05:30:00Z', 20261101, 1, 6],
    ['America/New_York', '2026-11-01T06:30:00Z', 20261101, 1, 6],
    ['America/New_York', '2026-07-04T03:59:59Z', 20260703, 23, 4],
    ['America/New_York', '2026-07-04T04:00:00Z', 20260704, 0, 5],
    ['America/St_Johns', '2026-03-08T05:29:59Z', 20260308, 1, 6],
    ['America/St_Johns', '2026-03-08T05:30:00Z', 20260308, 3, 6],
    ['America/St_Johns', '2026-01-01T03:29:59Z', 20251231, 23, 2],
    ['America/St_Johns', '2026-01-01T03:30:00Z', 20260101, 0, 3],
    ['Australia/Lord_Howe', '2026-04-04T14:59:59Z', 20260405, 1, 6],
    ['Australia/Lord_Howe', '2026-04-04T15:00:00Z', 20260405, 1, 6],
    ['Australia/Lord_Howe', '2026-10-03T15:29:59Z', 20261004, 1, 6],
    ['Australia/Lord_Howe', '2026-10-03T15:30:00Z', 20261004, 2, 6],
    ['Asia/Kathmandu', '2026-11-20T18:14:59Z', 20261120, 23, 4],
    ['Asia/Kathmandu', '2026-11-20T18:15:00Z', 20261121, 0, 5],
    ['Asia/Tehran', '2026-11-20T20:29:59Z', 20261120, 23, 4],
    ['Asia/Tehran', '2026-11-20T20:30:00Z', 20261121, 0, 5],
    ['Pacific/Kiritimati', '2026-11-20T09:59:59Z', 20261120, 23, 4],
    ['Pacific/Kiritimati', '2026-11-20T10:00:00Z', 20261121, 0, 5],
    ['Pacific/Apia', '2011-12-30T09:59:59Z', 20111229, 23, 3],
    ['Pacific/Apia', '2011-12-30T10:00:00Z', 20111231, 0, 5],
    ['Pacific/Pago_Pago', '2026-11-20T10:59:59Z', 20261119, 23, 3],
    ['Pacific/Pago_Pago', '2026-11-20T11:00:00Z', 20261120, 0, 4],
    ['America/Sao_Paulo', '2026-02-28T02:59:59Z', 20260227, 23, 4],
    ['America/Sao_Paulo', '2026-02-28T03:00:00Z', 20260228, 0, 5],
    ['Africa/Casablanca', '2026-07-01T22:59:59Z', 20260701, 23, 2],
    ['Africa/Casablanca', '2026-07-01T23:00:00Z', 20260702, 0, 3],
    ['Etc/GMT+12', '2026-11-20T11:59:59Z', 20261119, 23, 3],
    ['Etc/GMT+12', '2026-11-20T12:00:00Z', 20261120, 0, 4],
    ['UTC', '2026-11-20T23:59:59.999Z', 20261120, 23, 4],
    ['UTC', '2026-11-21T00:00:00Z', 20261121, 0, 5],
    ['UTC', '2024-02-29T23:00:00Z', 20240229, 23, 3],
  ])('in %s at %s it is %d, %d hours, weekday %d', (zone, at, date, hour, weekday) => {
    expect(zones.get(zone)?.shows(Date.parse(at))).toMatchObject({ date, hour, weekday })
  })

  // covers: T19
  test('UTC by its own rule and by the tables of zones is the same, in every month of 400 years', () => {
    for (let month = 0; month < effort(4800); month++) {
      const at = Date.UTC(1800, month, 1 + (month % 28), month % 24, 59, 59, 999)
      expect(utc.shows(at)).toEqual(zones.get('Etc/GMT')?.shows(at))
    }
  })

  // covers: T19
  test('an hour that a zone skips never comes, and one that it repeats comes twice', () => {
    const hours = (from: string, to: string) => {
      const seen = new Map<number, number>()
      for (let at = Date.parse(from); at < Date.parse(to); at += 1_800_000) {
        const { hour } = (zones.get('Europe/Paris') as Zone).shows(at)
        seen.set(hour, (seen.get(hour) ?? 0) + 1)
      }
      return seen
    }
    const spring = hours('2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z')
    const autumn = hours('2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z')
    expect([spring.get(1), spring.get(2), spring.get(3)]).toEqual([2, undefined, 2])
    expect([autumn.get(1), autumn.get(2), autumn.get(3)]).toEqual([2, 4, 2])
  })
})

describe('one value of each kind stands for all', () => {
  const signature = <T>(tests: readonly Test[], value: T, holds: (test: Test, value: T) => boolean) =>
    tests.map((test) => Number(holds(test, value))).join('')

  test('texts: no text passes the tests in a way that none of the chosen ones does', () => {
    const all = ['']
    for (let from = 0, length = 0; length < 5; length++) {
      const to = all.length
      for (; from < to; from++) for (const letter of 'abx') all.push(all[from] + letter)
    }
    const some = all.filter((text) => text.length < 3 && !text.includes('x'))
    const leaves = some.flatMap((text) => ['', '.STARTS_WITH', '.ENDS_WITH'].map((operator) => testOf(`resource.Tag(k)${operator}`, text)))
    for (const a of leaves) {
      for (const b of leaves) {
        const tests = [a, b, leaves[7] as Test]
        const chosen = textClasses(tests).filter((text) => text !== null)
        const found = new Set(chosen.map((text) => signature(tests, text, holdsText)))
        expect(new Set(all.map((text) => signature(tests, text, holdsText)))).toEqual(found)
        expect(found.size).toBe(chosen.length)
      }
    }
  })

  test('texts: having no such tag is a kind of its own', () => {
    expect(textClasses([testOf('resource.Tag(k)', 'a')])[0]).toBe(null)
  })

  test('addresses: every way is found that some address of a small net passes the tests in', () => {
    const keys = ['request.IP', 'request.IP.IN_RANGE']
    const values = ['192.0.2.0', '192.0.2.3', '192.0.2.255', '0.0.0.0', '255.255.255.255']
    const blocks = [
      '192.0.2.0/31',
      '192.0.2.0/30',
      '192.0.2.4/30',
      '0.0.0.0/0',
      '0.0.0.0/1',
      '128.0.0.0/1',
      '::/0',
      '::/1',
      '::ffff:192.0.2.0/126',
      '255.255.255.254/31',
    ]
    const tests = [...values.map((value) => testOf(keys[0] as string, value)), ...blocks.map((value) => testOf(keys[1] as string, value))]
    const all: Address[] = [0n, 1n, 0xc0000200n - 1n, 0x7fffffffn, 0x80000000n, 0xfffffffdn, 0xfffffffen, 0xffffffffn].map((value) => ({
      family: 4,
      value,
    }))
    for (let value = 0xc0000200n; value < 0xc0000300n; value++) all.push({ family: 4, value })
    for (const text of ['::', '::1', '2001:db8::1', '7fff::', '8000::', 'ffff::ffff']) all.push(address(text))
    for (const a of tests) {
      for (const b of tests) {
        const found = new Set(addressClasses([a, b]).map((one) => signature([a, b], one, holdsAddress)))
        expect(new Set(all.map((one) => signature([a, b], one, holdsAddress)))).toEqual(found)
      }
    }
  })

  test('addresses: the one just behind a block is found where no other is outside of all blocks', () => {
    const behind = Array.from(
      { length: 29 },
      (_, i) => `${printAddress({ family: 4, value: (1n << 31n) + (1n << BigInt(i + 2)) })}/${30 - i}`,
    )
    const blocks = ['0.0.0.0/1', '128.0.0.0/31', '128.0.0.3/32', ...behind, '192.0.0.0/2', '::/0']
    const tests = blocks.map((block) => testOf('request.IP.IN_RANGE', block))
    const outside = addressClasses(tests).filter((one) => !tests.some((test) => holdsAddress(test, one)))
    expect(outside.map(printAddress)).toEqual(['128.0.0.2'])
  })

  test('addresses: those that hold IPv4 addresses are none of their own, though a block ends right before them', () => {
    const below = Array.from({ length: 16 }, (_, i) => `::${((0xffff << (16 - i)) & 0xffff).toString(16)}:0:0/${81 + i}`)
    const above = Array.from({ length: 80 }, (_, i) => `${printAddress({ family: 6, value: 1n << BigInt(48 + i) })}/${80 - i}`)
    const tests = ['0.0.0.0/0', ...below, ...above].map((block) => testOf('request.IP.IN_RANGE', block))
    expect(addressClasses(tests).filter((one) => !tests.some((test) => holdsAddress(test, one)))).toEqual([])
  })

  test('addresses: those above the ones that hold IPv4 addresses are found though nothing is written about them', () => {
    // Blocks that take in every IPv4 address and every IPv6 address below those that hold them, and nothing above.
    const below = Array.from({ length: 16 }, (_, i) => `::${((0xffff << (16 - i)) & 0xffff).toString(16)}:0:0/${81 + i}`)
    const tests = ['0.0.0.0/0', ...below].map((block) => testOf('request.IP.IN_RANGE', block))
    const outside = addressClasses(tests).filter((one) => !tests.some((test) => holdsAddress(test, one)))
    expect(outside.length).toBe(1)
    expect(holdsAddress(testOf('request.IP.IN_RANGE', '::/80'), outside[0] as Address)).toBe(false)
  })
})
