import { expect, test } from 'vitest'
import type { Diagnostic } from '../../src/diagnostic.ts'
import { causedBy } from '../../src/lint/caused.ts'
import { sourceOf } from '../../src/source.ts'
import { pick, randomOf } from '../support/worlds.ts'

/** The findings that a change can have caused: those in what changes, and of the others those that there were fewer of before. */

const sources = ['a.yaml', 'b.yaml', 'c.yaml'].map((path) => sourceOf(path, 'x'.repeat(9)))
const isChanged = (path: string) => path === 'a.yaml'

test('elsewhere each finding of before is found once more, by its rule, level and place', async () => {
  const random = randomOf(20_261_204)
  const some = (count: number): readonly Diagnostic[] =>
    Array.from({ length: count }, (_, i) => ({
      code: pick(random, ['unknown-action', 'whole-product'] as const),
      severity: pick(random, ['error', 'warning'] as const),
      message: `${i}`,
      span: { source: pick(random, sources), start: pick(random, [1, 2]), end: pick(random, [3, 4]) },
    }))
  const keyOf = ({ code, severity, span }: Diagnostic) => [code, severity, span.source.path, span.start, span.end].join(' ')
  const counted = (all: readonly Diagnostic[]) => {
    const counts: Record<string, number> = {}
    for (const each of all) counts[keyOf(each)] = (counts[keyOf(each)] ?? 0) + 1
    return counts
  }
  let reported = 0
  for (let i = 0; i < 300; i++) {
    const [before, after] = [some(12), some(12)]
    const caused = await causedBy(after, isChanged, async () => before)
    const [was, is, left] = [before, after, caused].map(counted) as [Record<string, number>, Record<string, number>, Record<string, number>]
    for (const [key, count] of Object.entries(is)) {
      const expected = key.includes(' a.yaml ') ? count : Math.max(0, count - (was[key] ?? 0))
      expect([key, left[key] ?? 0]).toEqual([key, expected])
      reported += Number(expected > 0 && expected < count)
    }
    expect(after.filter((each) => caused.includes(each))).toEqual(caused)
  }
  expect(reported).toBeGreaterThan(0)
})
