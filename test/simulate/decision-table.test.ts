import { describe, expect, test } from 'vitest'
import { decide } from '../../src/simulate/decide.ts'
import { compile } from '../../src/simulate/engine.ts'
import { askedOf, decisionLines } from '../support/decision-lines.ts'
import { type ShortPolicy, type ShortWorld, shortWorld } from '../support/short.ts'
import rows from './decision-table.json' with { type: 'json' }

interface Row {
  readonly name: string
  readonly policies: readonly ShortPolicy[]
  readonly world?: ShortWorld
  readonly question?: Parameters<typeof askedOf>[0]
  /** The decision, the part of each policy, and what is near. */
  readonly lines: readonly string[]
}

describe('a decision', () => {
  test.each(rows as readonly unknown[] as readonly Row[])('$name', ({ policies, world: more = {}, question: short = {}, lines }) => {
    expect(decisionLines(policies, more, short)).toEqual(lines)
    const world = shortWorld(policies, more)
    const question = askedOf(short)
    expect(compile(world).decide(question)).toStrictEqual(decide(world, question))
  })
})
