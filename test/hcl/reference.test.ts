import { describe, expect, test } from 'vitest'
import { answersIn } from '../support/answer-files.ts'
import { answerOf } from '../support/hcl-value.ts'

const groups = [...answersIn(new URL('reference.cases', import.meta.url))]
const differences = [...answersIn(new URL('reference-differences.cases', import.meta.url))]
/** Our answers where they are others. */
const ours = new Map(differences.flatMap(([, answers]) => [...answers]))

describe('what the reference implementation of the language answers (scripts/hcl-reference.mjs)', () => {
  test.each(groups.flatMap(([name, answers]) => parts([...answers], 40).map((part, i) => [name, i + 1, part] as const)))(
    '%s, %i',
    (_, __, answers) => {
      for (const [expression, answer] of answers)
        expect([expression, answerOf(expression)]).toEqual([expression, answerIn(ours.get(expression) ?? answer)])
    },
  )

  test('every difference is one, and has a reason', () => {
    const all = new Map(groups.flatMap(([, answers]) => [...answers]))
    for (const [title, answers] of differences) {
      expect(title).toMatch(/^[\w ]+: \w+ \w+/)
      for (const [expression, answer] of answers) {
        expect(all.has(expression)).toBe(true)
        expect(answer).not.toEqual(all.get(expression))
        // Nothing that has a value there fails here, or has another one.
        if (all.get(expression) !== 'fails') expect([expression, answer]).toEqual([expression, 'unknown'])
      }
    }
  })
})

/** An answer of the files as `answerOf` gives it. */
function answerIn(text: string): ReturnType<typeof answerOf> {
  return text === 'fails' || text === 'unknown' ? text : { is: JSON.parse(text) }
}

function parts<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size))
}
