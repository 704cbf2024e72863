import { describe, expect, test } from 'vitest'
import { decide } from '../../src/simulate/decide.ts'
import { traces } from '../../src/simulate/reference.ts'
import { answersOf, restsOn } from '../../src/suite/run.ts'
import { effort } from '../support/effort.ts'
import { generate, questionOf, randomOf, worldOf } from '../support/worlds.ts'

describe('answers to many questions', () => {
  test('are the decisions, and rest on the same entries, as where each policy is asked', () => {
    const random = randomOf(7)
    const rested = { allow: 0, except: 0, deny: 0 }
    for (let i = 0; i < effort(300); i++) {
      const written = generate(random, 60)
      const world = worldOf(written.world)
      const answer = answersOf(world)
      for (const question of written.questions.map(questionOf)) {
        const answered = answer(question)
        const clauses = restsOn({ question, decision: decide(world, question), traces: traces(world, question) })
        expect(answered.decision).toEqual(decide(world, question))
        expect(restsOn(answered)).toEqual(clauses)
        for (const { list } of clauses) rested[list]++
      }
    }
    expect(Math.min(...Object.values(rested))).toBeGreaterThan(0)
  })
})
