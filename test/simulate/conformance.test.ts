import { describe, expect, test } from 'vitest'
import { decide } from '../../src/simulate/decide.ts'
import { factText, valueText } from '../../src/simulate/facts.ts'
import { completed } from '../support/complete.ts'
import { conformanceLines } from '../support/conformance.ts'
import { questionOf, type WorldJson, worldOf } from '../support/worlds.ts'

const lines = conformanceLines()

describe('the conformance cases', () => {
  test('are all there, with every verdict among them', () => {
    const verdicts = lines.flatMap((line) => line.queries.map((query) => query.expect))
    expect(lines.length).toBe(160)
    expect(verdicts.length).toBe(4000)
    expect(verdicts.filter((v) => v === 'allow').length).toBe(1538)
    expect(verdicts.filter((v) => v === 'unknown').length).toBe(251)
  })

  // covers: P1
  test('get the verdict they demand', () => {
    const wrong: string[] = []
    for (const { world, queries } of lines) {
      const read = worldOf(world)
      for (const query of queries) {
        const { verdict } = decide(read, questionOf(query))
        if (verdict !== query.expect) wrong.push(`${query.id}: ${verdict}, not ${query.expect}`)
      }
    }
    expect(wrong).toEqual([])
  })

  // covers: M28
  test('where unknown, name what is missing, and both completions of it give what they say', () => {
    const wrong: string[] = []
    let replayed = 0
    for (const line of lines) {
      const world: WorldJson = {
        permissionsGroups: [],
        resourceGroups: [],
        resources: [],
        identities: [],
        ...line.world,
        policies: line.world.policies ?? [],
      }
      const read = worldOf(world)
      for (const query of line.queries) {
        if (query.expect !== 'unknown') continue
        const { missing, caveats } = decide(read, questionOf(query))
        if (caveats.includes('approximate')) wrong.push(`${query.id}: approximate`)
        if (missing.length === 0) wrong.push(`${query.id}: nothing is missing`)
        for (const { fact, allows, denies } of missing) {
          for (const [demanded, completion] of [
            ['allow', allows],
            ['deny', denies],
          ] as const) {
            const { world: full, question } = completed({ world, question: query }, completion)
            const { verdict } = decide(full, question)
            if (verdict !== demanded)
              wrong.push(`${query.id}: ${factText(fact)} gives ${verdict}, not ${demanded}, with ${completion.map(valueText).join(' ')}`)
            replayed++
          }
        }
      }
    }
    expect(wrong).toEqual([])
    expect(replayed).toBeGreaterThan(500)
  })
})
