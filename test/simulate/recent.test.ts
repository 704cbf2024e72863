import fc from 'fast-check'
import { expect, it } from 'vitest'
import { RecentVerdicts } from '../../src/simulate/recent.ts'
import { effort } from '../support/effort.ts'

const place = fc.integer({ min: 0, max: 40 })

it('a verdict is the last one that was kept under its numbers, or is not there', () => {
  const step = fc.tuple(place, place, place, fc.integer({ min: 0, max: 2 }))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 2000, size: 'max' }), (steps) => {
      const recent = new RecentVerdicts()
      const expected = new Map<string, number>()
      for (const [identity, resource, action, verdict] of steps) {
        const key = `${identity} ${resource} ${action}`
        if (verdict !== 0 && recent.of(identity, resource, action) === 0) {
          recent.keep(identity, resource, action, verdict)
          expected.set(key, verdict)
        }
        expect([0, expected.get(key) ?? 0]).toContain(recent.of(identity, resource, action))
        if (verdict !== 0) expect(recent.of(identity, resource, action)).toBe(expected.get(key))
      }
    }),
    { numRuns: effort(200), seed: 20261130 },
  )
})

it('most of ten thousand are there, each as it was kept, until all are forgotten', () => {
  const recent = new RecentVerdicts()
  const numbers = Array.from({ length: 10_000 }, (_, i) => [17 * (i % 83), 5 * (i % 101), i] as const)
  for (const [identity, resource, action] of numbers) recent.keep(identity, resource, action, 1 + (action % 2))
  const present = numbers.filter(([identity, resource, action]) => recent.of(identity, resource, action) === 1 + (action % 2))
  expect(present.length).toBeGreaterThan(9_000)
  recent.forget()
  expect(numbers.every(([identity, resource, action]) => recent.of(identity, resource, action) === 0)).toBe(true)
})
