import { describe, expect } from 'vitest'
import { parse } from 'yaml'
import { decide } from '../../src/simulate/decide.ts'
import { compile } from '../../src/simulate/engine.ts'
import { testCases } from '../support/cases.ts'
import { askedOf, decisionLines } from '../support/decision-lines.ts'
import { type ShortPolicy, type ShortWorld, shortWorld } from '../support/short.ts'

interface Given {
  readonly policies: readonly ShortPolicy[]
  readonly world?: ShortWorld
  readonly question?: Parameters<typeof askedOf>[0]
}

// The engine gives the same decision as the reference.
describe('a decision', () => {
  testCases(new URL('decisions.cases', import.meta.url), (text) => {
    const { policies, world: more = {}, question: short = {} } = parse(text) as Given
    const world = shortWorld(policies, more)
    const question = askedOf(short)
    expect(compile(world).decide(question)).toStrictEqual(decide(world, question))
    return decisionLines(policies, more, short)
  })
})
