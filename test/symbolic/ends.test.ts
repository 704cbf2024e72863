import { describe, expect, test } from 'vitest'
import { endItems } from '../../src/report/conditions.ts'
import { decide } from '../../src/simulate/decide.ts'
import { endOf } from '../../src/symbolic/ends.ts'
import { allOf, evaluate, type Formula, formulaOf, satisfy, until, withTime } from '../../src/symbolic/formula.ts'
import { counted } from '../support/counted.ts'
import { effort } from '../support/effort.ts'
import { type ConditionJson, pick, type Random, randomOf, worldOf } from '../support/worlds.ts'

const match = (key: string, value: string): ConditionJson => ({ operator: 'MATCH', values: { [key]: value } })
const and = (...conditions: ConditionJson[]): ConditionJson => ({ operator: 'AND', conditions })

const asked = { identity: 'urn:v1:eu:identity:user:ab12-svc/ann', action: 'vps:apisvc:get', resource: 'urn:v1:eu:resource:vps:vps-1' }

function policyOf(conditions: ConditionJson | undefined, expiredAt?: string) {
  const world = worldOf({
    name: 'p',
    identities: [asked.identity],
    resources: [{ urn: asked.resource }],
    permissions: { allow: [{ action: asked.action }] },
    ...(conditions && { conditions }),
    ...(expiredAt !== undefined && { expiredAt }),
  })
  const [policy] = world.policies
  if (!policy) throw new Error('no policy')
  const formula = allOf([
    ...(policy.condition ? [formulaOf(policy.condition)] : []),
    ...(policy.expiresAt ? [until(policy.expiresAt.value)] : []),
  ])
  return { world, formula }
}

const now = Date.parse('2026-11-23T12:00:00Z')
const last = (conditions: ConditionJson | undefined, expiredAt?: string) => endItems(policyOf(conditions, expiredAt).formula, now)[0]

describe('the last day of a condition', () => {
  test.each<[string, ConditionJson | undefined, string | undefined, string | undefined]>([
    ['a date', match('date(Europe/Paris).Date.BEFORE', '2026-12-14'), undefined, 'last access Sun 2026-12-13 (Europe/Paris), then none'],
    ['single days', match('date(UTC).Date.IN', '2026-12-24,2026-12-27'), undefined, 'last access Sun 2026-12-27 (UTC), then none'],
    [
      'a window before a date',
      and(
        match('date(Europe/Paris).Date.BEFORE', '2026-12-14'),
        match('date(Europe/Paris).WeekDay.LE', 'Friday'),
        match('date(Europe/Paris).Hour.LT', '18'),
      ),
      undefined,
      'last access Fri 2026-12-11 18:00 Europe/Paris (17:00 UTC), then none',
    ],
    [
      'with an address',
      and(match('date(UTC).Date.BEFORE', '2026-12-14'), match('request.IP', '192.0.2.1')),
      undefined,
      'last access Sun 2026-12-13 (UTC), then none',
    ],
    ['an expiry says it itself', undefined, '2026-12-13T23:59:59Z', undefined],
    [
      'a date before an expiry',
      match('date(UTC).Date.BEFORE', '2026-12-01'),
      '2026-12-13T23:59:59Z',
      'last access Mon 2026-11-30 (UTC), then none',
    ],
    ['no end', match('date(UTC).Hour.LT', '18'), undefined, undefined],
    ['a beginning', match('date(UTC).Date.AFTER', '2026-12-14'), undefined, undefined],
    ['an end that has passed', match('date(UTC).Date.BEFORE', '2026-11-01'), undefined, undefined],
    ['all days but some', { operator: 'NOT', conditions: [match('date(UTC).Date', '2026-12-24')] }, undefined, undefined],
    ['never', and(match('date(UTC).Date', '2026-12-24'), match('date(UTC).WeekDay', 'Monday')), undefined, undefined],
  ])('%s', (_, conditions, expiredAt, words) => {
    expect(last(conditions, expiredAt)).toBe(words)
  })

  const dates = ['2026-11-29', '2026-12-13', '2027-03-28', '2027-03-29', '2027-10-31']
  const zones = ['UTC', 'Europe/Paris', 'America/New_York', 'Asia/Kolkata']
  const leaf = (random: Random): ConditionJson => {
    const zone = pick(random, zones)
    const date = pick(random, dates)
    return pick(random, [
      () => match(`date(${zone}).Date.${pick(random, ['BEFORE', 'AFTER'])}`, date),
      () => match(`date(${zone}).Date.BEFORE`, date),
      () => match(`date(${zone}).Date`, date),
      () => match(`date(${zone}).Hour.${pick(random, ['LT', 'AFTER'])}`, pick(random, ['2', '8', '18'])),
      () => match(`date(${zone}).WeekDay`, pick(random, ['Monday', 'Saturday,Sunday'].slice(0, 1))),
      () => match('request.IP.IN_RANGE', '192.0.2.0/24'),
      () => match('resource.Tag(env)', pick(random, ['prod', 'test'])),
    ])()
  }
  const tree = (random: Random, depth: number): ConditionJson => {
    if (depth === 0 || random() < 0.25) return leaf(random)
    const operator = pick(random, ['AND', 'AND', 'OR', 'NOT'])
    const count = operator === 'NOT' ? 1 : 2 + Math.floor(random() * 2)
    return { operator, conditions: Array.from({ length: count }, () => tree(random, depth - 1)) }
  }
  const contextAt = (formula: Formula, at: number) => {
    const model = satisfy(withTime([formula], allOf([until(at)])))
    return model === 'too many' ? undefined : model
  }

  test('is what decisions say a millisecond before and after, and ever after', () => {
    let ends = 0
    for (let seed = 1; seed <= effort(4000); seed++) {
      const random = randomOf(seed)
      const { world, formula } = policyOf(tree(random, 3), random() < 0.2 ? '2027-06-30T23:59:59Z' : undefined)
      const end = endOf(formula, now)
      if (!end) continue
      ends++
      expect(end.at, `seed ${seed}`).toBeGreaterThan(now)
      // Contexts of every kind: an address, a tag.
      const contexts = ['192.0.2.1', '10.0.0.1'].flatMap((ip) =>
        [new Map<string, string>(), new Map([['env', 'prod']]), new Map([['env', 'test']])].map((tags) => ({ ip, tags })),
      )
      const verdicts = (at: number) =>
        contexts.map(({ ip, tags }) => {
          const [a = 0, b = 0, c = 0, d = 0] = ip.split('.').map(Number)
          const address = { family: 4 as const, value: BigInt(((a * 256 + b) * 256 + c) * 256 + d) }
          return decide(world, { ...asked, at, groups: [], ip: address, tags }).verdict
        })
      expect(verdicts(end.at - 1), `seed ${seed}, before ${new Date(end.at).toISOString()}`).toContain('allow')
      const later = [0, 1, 3_600_000, 5 * 86_400_000, ...Array.from({ length: 8 }, () => Math.floor(random() * 500 * 86_400_000))]
      for (const after of later)
        expect(verdicts(end.at + after), `seed ${seed}, at ${new Date(end.at + after).toISOString()}`).not.toContain('allow')
    }
    expect(counted(ends)).toBeGreaterThan(effort(700))
  })

  test('and where there is none, something holds long after', () => {
    let none = 0
    for (let seed = 1; seed <= effort(600); seed++) {
      const random = randomOf(seed)
      const { formula } = policyOf(tree(random, 2))
      if (endOf(formula, now) || contextAt(formula, Number.MAX_SAFE_INTEGER) === undefined) continue
      // Without an end it has ended already, or it holds in some week of the years after all dates.
      const holds = (from: number) => {
        for (let at = from; at < from + 366 * 86_400_000; at += 3_600_000)
          for (const ip of [0xc0000201n, 0x0a000001n])
            for (const tags of [new Map<string, string>(), new Map([['env', 'prod']]), new Map([['env', 'test']])])
              if (evaluate(formula, { tags, assumed: new Map(), at, ip: { family: 4, value: ip } }) === true) return true
        return false
      }
      none++
      if (!holds(Date.parse('2028-01-01T00:00:00Z'))) expect(holds(now), `seed ${seed}`).toBe(false)
    }
    expect(counted(none)).toBeGreaterThan(effort(100))
  })
})
