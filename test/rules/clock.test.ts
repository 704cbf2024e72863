import fc from 'fast-check'
import { expect, it } from 'vitest'
import { loadCatalogue } from '../../src/actions/load.ts'
import { lint } from '../../src/lint/run.ts'
import { defaultSettings } from '../../src/names.ts'
import { readSource } from '../../src/parser/read-source.ts'
import { buildWorld } from '../../src/parser/world.ts'
import { Clock } from '../../src/rules/clock.ts'
import { ruleContext } from '../../src/rules/context.ts'
import { rules } from '../../src/rules/index.ts'
import { sourceOf } from '../../src/source.ts'
import { effort } from '../support/effort.ts'
import '../support/seed.ts'

const day = 86_400_000
const instant = fc.integer({ min: -3 * day, max: 3 * day })
const question = fc.record({ ask: fc.constantFrom('isAfter', 'daysUntil', 'daysSince'), of: instant } as const)

it('notes for which instants all that was asked has the same answer', () => {
  fc.assert(
    fc.property(instant, fc.array(question, { maxLength: 5 }), instant, (now, questions, other) => {
      const answersAt = (clock: Clock) => questions.map(({ ask, of }) => clock[ask](of))
      const clock = new Clock(now)
      const answers = answersAt(clock)
      const [first, last] = clock.holds
      expect(first).toBeLessThanOrEqual(now)
      expect(last).toBeGreaterThanOrEqual(now)
      for (const again of [first, last, other]) {
        if (!Number.isFinite(again) || again < first || again > last) continue
        expect(answersAt(new Clock(again))).toEqual(answers)
      }
    }),
    { numRuns: effort(4000, 30) },
  )
})

it('notes no more than is needed of one question', () => {
  const asked = (ask: (clock: Clock) => unknown) => {
    const clock = new Clock(10)
    ask(clock)
    return clock.holds
  }
  expect(asked(() => {})).toEqual([-Infinity, Infinity])
  expect(asked((clock) => clock.isAfter(9))).toEqual([10, Infinity])
  expect(asked((clock) => clock.isAfter(10))).toEqual([-Infinity, 10])
  expect(asked((clock) => clock.daysUntil(10 + 2 * day))).toEqual([11 - day, 10])
  expect(asked((clock) => clock.daysSince(10 - 2 * day))).toEqual([10, 9 + day])
  expect(asked((clock) => clock.onwards)).toEqual([10, Infinity])
  expect(asked((clock) => clock.now)).toEqual([10, 10])
})

const start = Date.UTC(2026, 0, 1)
const iso = (at: number) => new Date(at).toISOString().slice(0, 19)

const match = (key: string, value: string) => ({ operator: 'MATCH', values: { [key]: value } })
const conditions = [
  match('date(Europe/Paris).Date.BEFORE', '2026-01-10'),
  match('date(UTC).Date.AFTER', '2025-12-20'),
  match('date(Europe/Paris).Hour', '2'),
  { operator: 'AND', conditions: [match('date(UTC).Date.BEFORE', '2026-01-10'), match('date(Asia/Tokyo).WeekDay', 'Monday')] },
]

/** A policy whose findings may depend on the time. */
const policy = fc
  .record({
    expiresAt: fc.option(fc.integer({ min: -40 * 24, max: 40 * 24 })),
    condition: fc.constantFrom(undefined, ...conditions),
    isDeny: fc.boolean(),
  })
  .map(({ expiresAt, condition, isDeny }, i = 0) => ({
    name: `p${i}`,
    identities: ['urn:v1:eu:identity:user:ab12-svc/one'],
    resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
    permissions: { allow: [{ action: 'vps:apisvc:*' }], ...(isDeny && { deny: [{ action: 'vps:apisvc:reinstall' }] }) },
    ...(expiresAt !== null && { expiredAt: `${iso(start + expiresAt * 3_600_000)}Z` }),
    ...(condition && { conditions: condition }),
  }))

it('of rules: the findings are the same at all instants that they hold for', async () => {
  const catalogue = loadCatalogue()
  const levels = new Map(rules.map(({ code, severity }) => [code as string, severity]))
  const options = new Map([
    ['expires-soon', { days: 20 }],
    ['expires-too-late', { days: 20 }],
    ['old-catalogue', { days: 10 }],
  ])
  const seen = new Set<string>()
  let wide = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(policy, { minLength: 1, maxLength: 3 }),
      fc.integer({ min: -50 * 24, max: 50 * 24 }),
      async (policies, hours) => {
        const texts = policies.map((each, i) => JSON.stringify({ ...each, name: `p${i}` }))
        const reads = await Promise.all(texts.map((text, i) => readSource(sourceOf(`${i}.json`, text, 'json'), defaultSettings)))
        const { world } = buildWorld(reads.map(({ facts }) => facts))
        const findAt = (now: number) => {
          const clock = new Clock(now)
          const found = lint(rules, ruleContext({ world, catalogue, settings: defaultSettings, now, clock }, options), [], levels)
          return { found: found.map(({ code, message }) => `${code}: ${message}`), holds: clock.holds }
        }
        const now = start + hours * 3_600_000
        const { found, holds } = findAt(now)
        for (const each of found) seen.add(each.split(':', 1)[0] as string)
        if (holds[1] > holds[0]) wide++
        for (const again of holds) if (Number.isFinite(again)) expect(findAt(again).found).toEqual(found)
      },
    ),
    { numRuns: effort(600, 30) },
  )
  expect(wide).toBeGreaterThan(0)
  const timed = ['clock-change-hour', 'deny-expires', 'expired', 'expires-soon', 'expires-too-late', 'old-catalogue', 'window-over']
  expect(timed.filter((code) => !seen.has(code))).toEqual([])
})
