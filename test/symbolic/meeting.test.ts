import { describe, expect, test } from 'vitest'
import { glob, overlaps } from '../../src/glob.ts'
import { everywhere, overlapsBox } from '../../src/symbolic/boxes.ts'
import { type Asked, Meeting } from '../../src/symbolic/meeting.ts'
import { literal } from '../../src/symbolic/patterns.ts'
import { sideOf } from '../../src/symbolic/side.ts'
import type { Statement } from '../../src/symbolic/statements.ts'
import { effort } from '../support/effort.ts'
import { identityOf, type ShortPolicy, shortWorld } from '../support/short.ts'
import { pick, randomOf } from '../support/worlds.ts'

const texts = {
  who: ['user:a/u', 'user:a/v', 'user:a/*', 'group:a/g', 'group:a/*', 'user:*'],
  actions: ['p:x:a', 'p:x:b', 'p:*', 'p:x:*b', 'q:x:a', 'q:*', '*'],
  on: ['t:a', 't:ab', 't:a*', 't:*', 'ca/t:a', 'u:a', 'u:*', '*:a', '*'],
}

describe('statements that may be about some of what is asked', () => {
  // More than one word of 32 places.
  const count = 70
  const world = (random: () => number) =>
    shortWorld(
      Array.from({ length: count }, (_, i): ShortPolicy => {
        const some = (list: readonly string[]) => [...new Set([pick(random, list), pick(random, list)])]
        return { name: `${i}`, who: some(texts.who), allow: some(texts.actions), on: some(texts.on) }
      }),
    )

  /** The same, one statement after the other. */
  const plainly = (statements: readonly Statement[], { callers, actions, boxes }: Asked) =>
    statements.filter(
      (each) =>
        each.identities.some(({ value }) => callers.some(({ self }) => value.kind === 'group' || !self || overlaps(self, value.glob))) &&
        each.actions.some(({ value }) => actions.some((action) => overlaps(value, action))) &&
        each.boxes.some((box) => boxes.some((other) => overlapsBox(box, other))),
    )

  test('are those of a search of all, in their order', () => {
    const random = randomOf(11)
    let found = 0
    for (let i = 0; i < effort(40); i++) {
      const { statements } = sideOf(world(random)).allows
      const meeting = new Meeting(statements)
      const places = statements.flatMap(({ boxes }) => boxes)
      for (let question = 0; question < 20; question++) {
        const some = <T>(make: () => T): readonly T[] => (random() < 0.6 ? [make()] : [make(), make()])
        const identity = () => identityOf(pick(random, texts.who))
        const asked: Asked = {
          callers: some(() => (random() < 0.1 ? { self: undefined } : { self: random() < 0.1 ? literal(identity()) : glob(identity()) })),
          actions: some(() => glob(pick(random, texts.actions))),
          boxes: some(() => (random() < 0.1 ? everywhere : pick(random, places))),
        }
        const expected = plainly(statements, asked)
        expect(meeting.of(asked)).toEqual(expected)
        if (expected.length > 0 && expected.length < statements.length) found++
      }
    }
    expect(found).toBeGreaterThan(10)
  })

  test('are none of none', () => {
    expect(new Meeting([]).of({ callers: [{ self: undefined }], actions: [glob('*')], boxes: [everywhere] })).toEqual([])
  })
})
