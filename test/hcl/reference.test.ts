import { describe, expect, test } from 'vitest'
import { answerOf } from '../support/hcl-value.ts'
import corpus from './reference.json' with { type: 'json' }
import differences from './reference-differences.json' with { type: 'json' }

type Answers = Readonly<Record<string, unknown>>

/** Our answers where they are others, each with the reason of its group. */
const ours = new Map(differences.flatMap(({ answers }) => Object.entries(answers as Answers)))
const groups = Object.entries(corpus as Readonly<Record<string, Answers>>)

describe('what the reference implementation of the language answers (scripts/hcl-reference.mjs)', () => {
  test.each(groups.flatMap(([name, answers]) => parts(Object.entries(answers), 40).map((part, i) => [name, i + 1, part] as const)))(
    '%s, %i',
    (_, __, answers) => {
      for (const [expression, answer] of answers)
        expect([expression, answerOf(expression)]).toEqual([expression, ours.get(expression) ?? answer])
    },
  )

  test('every difference is one, and has a reason', () => {
    const all = new Map(groups.flatMap(([, answers]) => Object.entries(answers)))
    for (const { why, answers } of differences) {
      expect(why).toMatch(/\w+ \w+/)
      for (const [expression, answer] of Object.entries(answers as Answers)) {
        expect(all.has(expression)).toBe(true)
        expect(answer).not.toEqual(all.get(expression))
        // Nothing that has a value there fails here, or has another one.
        if (all.get(expression) !== 'fails') expect([expression, answer]).toEqual([expression, 'unknown'])
      }
    }
  })
})

function parts<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size))
}
