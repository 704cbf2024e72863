import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import '../support/seed.ts'
import { readAction } from '../../src/actions/action.ts'
import { readAddress } from '../../src/conditions/address.ts'
import { holdsAddress, holdsAt } from '../../src/conditions/test.ts'
import { readIdentity } from '../../src/urn/identity.ts'
import { readResource } from '../../src/urn/resource.ts'
import { addressTables } from '../../src/warehouse/addresses.ts'
import { ageTables, exportedYears, instantTables, lastInstant } from '../../src/warehouse/instants.ts'
import * as shapes from '../../src/warehouse/shapes.ts'
import { testOf } from '../support/condition-tests.ts'
import { effort } from '../support/effort.ts'

const week = 7 * 24 * 3_600_000

/** The comparisons that hold in the age of an instant, found by its group; none where it has no age. */
function heldAt({ groups, ages, holds }: ReturnType<typeof ageTables>, at: number): readonly number[] {
  const isIn = ([, lo, hi]: readonly number[]) => at >= (lo as number) && at <= (hi as number)
  const [group, ...others] = groups.filter(isIn)
  const found = ages.filter((age) => age[0] === group?.[0]).filter(isIn)
  if (others.length > 0 || found.length > 1) throw new Error(`${at} has ${found.length} ages`)
  const age = found[0]?.[3]
  return age === undefined
    ? []
    : holds.filter(([, first, last]) => age >= (first as number) && age <= (last as number)).map(([atom]) => atom as number)
}

describe('classes and ages of instants', () => {
  const conditions: readonly (readonly [key: string, value: string])[] = [
    ['date(Europe/Paris).Hour.GE', '8'],
    ['date(Europe/Paris).Hour.LT', '18'],
    ['date(Australia/Lord_Howe).WeekDay.IN', 'Saturday, Sunday'],
    ['date(Asia/Kolkata).Hour.EQ', '0'],
    ['date(America/New_York).Date.AFTER', '2026-03-08'],
    ['date(America/New_York).Date.BEFORE', '2026-11-02'],
    ['date.WeekDay.LE', 'Wednesday'],
    ['date(Pacific/Apia).Date.EQ', '2011-12-30'],
    ['date(Asia/Kathmandu).Date.EQ', '2027-01-01'],
    ['date(Africa/Casablanca).Hour.GT', '22'],
  ]
  const from = Date.UTC(exportedYears.first, 0, 1)
  const to = Date.UTC(exportedYears.last + 1, 0, 1) - 1
  /** Instants at which clocks change, days begin and policies expire, and any others. */
  const instant = fc.oneof(
    fc.integer({ min: from, max: to }),
    fc
      .constantFrom(
        Date.UTC(2026, 2, 29, 1),
        Date.UTC(2026, 9, 25, 1),
        Date.UTC(2026, 3, 4, 15),
        Date.UTC(2026, 9, 3, 15, 30),
        Date.UTC(2026, 2, 8, 5),
        Date.UTC(2026, 10, 2, 5),
        Date.UTC(2011, 11, 30, 10),
        Date.UTC(2026, 11, 31, 18, 15),
        Date.UTC(2027, 5, 30, 12),
      )
      .chain((edge) => fc.integer({ min: -2, max: 2 }).map((by) => edge + by * (Math.abs(by) > 1 ? 899_999 : 1))),
  )

  test('have the truth of each comparison that holds at an instant, and of no other', () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray([...conditions.keys()], { minLength: 1 }),
        fc.array(instant, { minLength: 20, maxLength: 60 }),
        (chosen, instants) => {
          const until = Date.UTC(2027, 5, 30, 12)
          const tests = chosen.map((i) => ({ atom: i + 1, test: testOf(...(conditions[i] as [string, string])) }))
          const isOfDate = ({ test }: (typeof tests)[number]) => test.set.kind === 'numbers' && test.set.part === 'date'
          const { periods, weeks, holds, slot } = instantTables(tests.filter((each) => !isOfDate(each)))
          const dated = ageTables([...tests.filter(isOfDate), { atom: 99, until }])
          const classOf = new Map(weeks.map(([number, each, known]) => [`${number} ${each}`, known]))
          for (const at of instants) {
            const period = periods.find(([lo, hi]) => at >= (lo as number) && at <= (hi as number))
            const known = classOf.get(`${period?.[2]} ${Math.floor(at / slot) % (week / slot)}`)
            const expected = [...tests.filter(({ test }) => holdsAt(test, at)), ...(at <= until ? [{ atom: 99 }] : [])].map(
              ({ atom }) => atom,
            )
            const atoms = [...holds.filter(([each]) => each === known).map(([, atom]) => atom as number), ...heldAt(dated, at)]
            expect([new Date(at).toISOString(), atoms.sort((a, b) => a - b)]).toEqual([
              new Date(at).toISOString(),
              expected.sort((a, b) => a - b),
            ])
          }
        },
      ),
      { numRuns: effort(400) },
    )
  })

  test('cover the exported years without a gap', () => {
    const { periods } = instantTables([{ atom: 1, test: testOf('date(Europe/Paris).Hour.GE', '8') }])
    expect(periods[0]?.[0]).toBe(from)
    expect(periods.at(-1)?.[1]).toBe(to)
    for (const [i, [lo]] of periods.entries()) if (i > 0) expect(lo).toBe((periods[i - 1]?.[1] as number) + 1)
  })

  test('of dates in UTC and expiries are those of any instant', () => {
    const dates = ['0999-12-31', '1969-12-31', '1970-01-01', '2026-02-28', '2104-02-29', '9999-12-31']
    const edges = [...dates.map((date) => Date.parse(`${date}T00:00:00Z`)), 0, -lastInstant, lastInstant]
    const any = fc.oneof(
      fc.integer({ min: -lastInstant, max: lastInstant }),
      fc.constantFrom(...edges).chain((edge) => fc.integer({ min: -1, max: 1 }).map((by) => edge + by)),
    )
    const within = any.map((at) => Math.max(-lastInstant, Math.min(lastInstant, at)))
    const operators = ['AFTER', 'BEFORE', 'EQ']
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...operators), fc.constantFrom(...dates)), { maxLength: 6 }),
        fc.array(within, { maxLength: 40 }),
        fc.array(within, { minLength: 1, maxLength: 20 }),
        (compared, expiries, instants) => {
          const tests = compared.map(([operator, date], i) => ({ atom: i + 1, test: testOf(`date.Date.${operator}`, date) }))
          const untils = expiries.map((until, i) => ({ atom: i + 100, until }))
          const tables = ageTables([...tests, ...untils])
          for (const at of [...instants, ...expiries]) {
            const expected = [...tests.filter(({ test }) => holdsAt(test, at)), ...untils.filter(({ until }) => at <= until)]
            expect([at, heldAt(tables, at)]).toEqual([at, expected.map(({ atom }) => atom)])
          }
        },
      ),
      { numRuns: effort(400) },
    )
  })

  test('are none where no comparison looks at the time', () => {
    expect(instantTables([])).toMatchObject({ periods: [], weeks: [], holds: [] })
    expect(ageTables([])).toEqual({ groups: [], ages: [], holds: [] })
  })
})

describe('classes of addresses', () => {
  const value = fc.oneof(fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.constantFrom(0, 2 ** 24 - 1, 2 ** 24, 2 ** 32 - 1))
  const dotted = (number: number) => [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.')

  test('have the truth of each comparison with ranges', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(value, fc.integer({ min: 0, max: 32 })), { minLength: 1, maxLength: 8 }),
        fc.array(value, { maxLength: 20 }),
        (ranges, others) => {
          const tests = ranges.map(([base, bits], i) => ({ atom: i + 1, test: testOf('request.IP.IN_RANGE', `${dotted(base)}/${bits}`) }))
          const tables = addressTables(tests)
          for (const asked of [...others, ...ranges.flatMap(([base]) => [base, (base + 1) % 2 ** 32])]) {
            const row = tables.ranges.find(
              ([first, lo, hi]) => first === Math.floor(asked / 2 ** 24) && asked >= (lo as number) && asked <= (hi as number),
            )
            const atoms = tables.holds.filter(([known]) => known === row?.[3]).map(([, atom]) => atom)
            const expected = tests.filter(({ test }) => holdsAddress(test, { family: 4, value: BigInt(asked) })).map(({ atom }) => atom)
            expect([dotted(asked), atoms]).toEqual([dotted(asked), expected])
          }
        },
      ),
      { numRuns: effort(400) },
    )
  })

  test('of lists hold for each of their addresses', () => {
    const tables = addressTables([{ atom: 1, test: testOf('request.IP.IN', '10.0.0.1, 10.0.0.1, 192.0.2.7') }])
    const [held] = tables.holds[0] as [number, number]
    const ranges = tables.ranges.filter(([, , , known]) => known === held).map(([, lo, hi]) => [lo, hi])
    expect(ranges).toEqual([
      [0x0a000001, 0x0a000001],
      [0xc0000207, 0xc0000207],
    ])
  })
})

describe('plain forms', () => {
  const whole = (shape: string) => new RegExp(`^(?:${shape})$`, 'u')
  /** Strings that are close to what a shape has: its pieces in any order, with other characters. */
  const near = (...pieces: readonly string[]) =>
    fc
      .array(
        fc.oneof(
          { weight: 4, arbitrary: fc.constantFrom(...pieces) },
          { weight: 1, arbitrary: fc.string({ maxLength: 3, unit: 'binary' }) },
        ),
        { maxLength: 14 },
      )
      .map((parts) => parts.join(''))

  const behind = (heads: readonly string[], rest: fc.Arbitrary<string>) =>
    fc.tuple(fc.constantFrom(...heads), rest).map((parts) => parts.join(''))

  test.each([
    [
      'identities',
      shapes.identityShape,
      behind(
        ['urn:v1:eu:identity:user:ab12-svc/', 'urn:v1:eu:identity:account:', 'urn:v1:', 'urn:v1:ca:identity:group:'],
        near('ann', 'ab12-svc', '/', ':', ' ', '*', 'é', '.'),
      ),
      (text: string) => readIdentity(text, { pattern: false }),
    ],
    [
      'resources',
      shapes.resourceShape,
      behind(['urn:v1:eu:resource:vps:', 'urn:v1:eu:resource:', 'urn:'], near('vps', 'ldp/stream', ':', 'vps-1', '/', ' ', '*', 'é', '\n')),
      (text: string) => readResource(text, { pattern: false }),
    ],
    [
      'actions',
      shapes.actionShape,
      near('vps', ':', 'apisvc', 'get', '/', '?', ' ', '*', 'é', '.', '-'),
      (text: string) => readAction(text),
    ],
  ] as const)('of %s are ones that the grammar has', (_, shape, texts, read) => {
    const form = whole(shape)
    let met = 0
    fc.assert(
      fc.property(texts, (text) => {
        if (!form.test(text)) return
        met++
        expect([text, read(text).faults]).toEqual([text, undefined])
      }),
      { numRuns: effort(100_000, 8) },
    )
    expect(met).toBeGreaterThan(0)
  })

  test('of usual names are met', () => {
    expect('urn:v1:eu:identity:user:ab12-svc/ann').toMatch(whole(shapes.identityShape))
    expect('urn:v1:eu:identity:group:ab12-svc/read only').toMatch(whole(shapes.identityShape))
    expect('urn:v1:eu:identity:account:ab12-svc').toMatch(whole(shapes.identityShape))
    expect('urn:v1:eu:resource:ip:2001:db8::/32').toMatch(whole(shapes.resourceShape))
    expect('vps:apisvc:ips/get?x y').not.toMatch(whole(shapes.actionShape))
    expect('vps:apisvc:ips/get?x').toMatch(whole(shapes.actionShape))
  })

  test('of addresses are those that the reader has, exactly', () => {
    const form = whole(`${shapes.v4Shape}|${shapes.v6Shape}`)
    const met = { is: 0, isNot: 0 }
    fc.assert(
      fc.property(
        fc.oneof(near('1', '255', '256', '.', ':', '::', 'ffff', '0', '127.0.0.1', 'a:'), fc.ipV4(), fc.ipV6(), fc.ipV4Extended()),
        (text) => {
          const is = readAddress(text) !== undefined
          met[is ? 'is' : 'isNot']++
          expect([text, form.test(text)]).toEqual([text, is])
        },
      ),
      { numRuns: effort(100_000, 8) },
    )
    expect(met.is > 0 && met.isNot > 0).toBe(true)
  })

  test('of tags are JSON objects of strings', () => {
    const form = whole(shapes.tagsShape)
    expect('{}').toMatch(form)
    expect('{"env": "prod", "team" :"a b"}').toMatch(form)
    for (const odd of ['', '[]', '{"a": 1}', '{"a": "b",}', '{"a" "b"}', '{"a": "\\n"}', '{"a": {"b": "c"}}', '{"é": "x"}'])
      expect(odd).not.toMatch(form)
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string()), (tags) => {
        const text = JSON.stringify(tags)
        if (form.test(text)) expect(JSON.parse(text)).toEqual(tags)
      }),
      { numRuns: effort(4000) },
    )
  })
})
