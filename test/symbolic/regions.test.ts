import { describe, expect, test } from 'vitest'
import type { World } from '../../src/policy.ts'
import { decide } from '../../src/simulate/decide.ts'
import type { Question } from '../../src/simulate/decision.ts'
import { firstNewAccess } from '../../src/symbolic/covers.ts'
import { findNewAccess, type GainedRegion } from '../../src/symbolic/gained.ts'
import { type Side, sideOf } from '../../src/symbolic/side.ts'
import { questionJson, witnessOf } from '../../src/symbolic/witness.ts'
import { families, type PairKnobs } from '../support/analysis-oracle.ts'
import { counted } from '../support/counted.ts'
import { effort } from '../support/effort.ts'
import { inRegion } from '../support/in-region.ts'
import { pick, questionOf, type Random, randomOf, take, type WorldJson, worldOf } from '../support/worlds.ts'

const complete: PairKnobs = { policies: 4, unknown: 0 }
const partial: PairKnobs = { policies: 4, unknown: 0.15 }

interface Pair {
  readonly a: World
  readonly b: World
  readonly sides: readonly [Side, Side]
  readonly written: readonly [WorldJson, WorldJson]
}

function* pairs(seed: number, knobs: PairKnobs): Generator<Pair> {
  for (const { worlds, pairs: of } of families(randomOf(seed), knobs, 3)) {
    const read = worlds.map((world) => worldOf(world))
    for (const [i, j] of of) {
      const [a, b] = [read[i] as World, read[j] as World]
      yield { a, b, sides: [sideOf(a, b), sideOf(b, a)], written: [worlds[i] as WorldJson, worlds[j] as WorldJson] }
    }
  }
}

function shown({ written: [a, b] }: Pair): string {
  const lines = ({ policies, ...rest }: WorldJson) => [...policies, rest].map((part) => `  ${JSON.stringify(part)}`).join('\n')
  return `A\n${lines(a)}\nB\n${lines(b)}`
}

const names = {
  identity: [
    'user:a/u',
    'user:a/v',
    'user:a/uv',
    'user:b/u',
    'user:a/x',
    'user:x/x',
    'credential:a/oauth2-u',
    'credential:a/x',
    'account:a',
    'account:x',
  ],
  group: ['a/g', 'a/h', 'a/gx', 'a/x', 'b/g', 'x/x'],
  action: [
    ...['p:apisvc:a', 'p:apisvc:b', 'p:apisvc:a/b', 'p:apisvc:ab', 'q:apisvc:a', 'q:apisvc:b', 'p:x:a', 'px:x:x', 'x:x:x', 'x:apisvc:b'],
    ...['p:apisvc:x', 'p:apisvc:a/x', 'p:apisvc:xa', 'p:apisvc:axb', 'p:apisvc:xb', 'x:x:a', 'p:x:xaxb', 'q:x:b/a', 'p:apisvc:a/xb'],
  ],
  resource: [
    ...['t:a', 't:b', 't:ab', 'u:a', 't:x', 'u:x', 'tu:a', 'tu:x', 'x:a', 'x:ab', 't:a:b', 't:x:b', 'tu:a:b', 't:axb', 'xu:a', 'txu:ax'],
    ...['t:xb', 'x:x', 't:abx', 'u:ax', 'xu:ab'],
  ],
  tag: ['a', 'ab', 'x', 'xb', 'b'],
  ip: ['192.0.2.4', '192.0.2.5', '192.0.2.9', '10.0.0.1', '8.8.8.8', '200.0.0.1'],
}

/** A question that gives every fact. */
function randomQuestion(random: Random): Question {
  const groups = names.group.filter(() => random() < 0.2).map((group) => `urn:v1:eu:identity:group:${group}`)
  const tags = Object.fromEntries(['k', 'e'].flatMap((key) => (random() < 0.6 ? [[key, pick(random, names.tag)]] : [])))
  return {
    ...questionOf({
      identity: `urn:v1:eu:identity:${pick(random, names.identity)}`,
      groups,
      action: pick(random, names.action),
      resource: `urn:v1:${random() < 0.1 ? 'ca' : 'eu'}:resource:${pick(random, names.resource)}`,
      ip: pick(random, names.ip),
      tags,
      at: '2026-01-01T00:00:00Z',
    }),
    at: Date.UTC(2026, Math.floor(random() * 12), 1 + Math.floor(random() * 28), Math.floor(random() * 24)),
    owner: 'zz',
  }
}

/** A question next to what is gained: a witness with one or two of its parts changed. */
function aimedQuestion(random: Random, regions: readonly GainedRegion[]): Question {
  const other = randomQuestion(random)
  if (regions.length === 0 || random() < 0.3) return other
  const question = { ...witnessOf(pick(random, pick(random, regions).newAccess)), owner: 'zz' }
  const parts = (['identity', 'groups', 'action', 'resource', 'ip', 'tags', 'at'] as const).filter(() => random() < 0.25)
  return { ...question, ...Object.fromEntries(parts.map((part) => [part, other[part]])) }
}

describe('regions', () => {
  for (const part of [1, 2, 3]) {
    // covers: M33, P2
    test(`hold exactly what is gained, part ${part}`, () => {
      const random = randomOf(part)
      let inside = 0
      for (const pair of take(counted(effort(400, 10)), pairs(part + 40, complete))) {
        const { a, b, sides } = pair
        const { regions, culprits } = findNewAccess(...sides)
        expect(culprits).toEqual([])
        if (regions.length > 0 !== (firstNewAccess(...sides).kind === 'new')) expect.fail(`${regions.length} regions\n${shown(pair)}`)
        for (let i = 0; i < 30; i++) {
          const question = aimedQuestion(random, regions)
          const gained = decide(a, question).verdict === 'allow' && decide(b, question).verdict !== 'allow'
          const covered = regions.some((region) => inRegion(region, question, a, b))
          if (covered) inside++
          if (gained !== covered)
            expect.fail(
              `gained ${gained}, covered ${covered}: ${JSON.stringify(questionJson(question))}\n${JSON.stringify(
                regions.map(({ newAccess: _, ...each }) => each),
                (key, value) => (key === 'policy' || key === 'statement' || key === 'pieces' || key === 'span' ? undefined : value),
              )}\n${shown(pair)}`,
            )
        }
        for (const region of regions) {
          for (const part of region.newAccess) {
            const question = witnessOf(part)
            const verdicts = [decide(a, question).verdict, decide(b, question).verdict]
            if (verdicts.join() !== 'allow,deny') expect.fail(`${verdicts} ${JSON.stringify(questionJson(question))}\n${shown(pair)}`)
          }
        }
      }
      expect(inside).toBeGreaterThan(effort(800, 12))
    })
  }

  // covers: M32
  test('are none only where no question is answered differently, of a thousand', () => {
    const random = randomOf(9)
    let none = 0
    for (const { a, b, sides } of pairs(53, complete)) {
      if (a === b || findNewAccess(...sides).regions.length > 0) continue
      for (let i = counted(effort(1_000, 20)); i > 0; i--) {
        const question = randomQuestion(random)
        if (decide(a, question).verdict === 'allow') expect(decide(b, question).verdict).toBe('allow')
      }
      if (++none === 12) break
    }
  })

  // covers: M39
  test('are the same with a larger budget', () => {
    for (const { sides } of take(counted(effort(100, 20)), pairs(61, complete))) {
      const usual = findNewAccess(...sides)
      expect(findNewAccess(...sides, 10_000_000).regions.length).toBe(usual.regions.length)
    }
  })

  test('exist where there may be new access, where some facts are unknown', () => {
    for (const pair of take(counted(effort(400, 20)), pairs(77, partial))) {
      const { a, b, sides } = pair
      const outcome = firstNewAccess(...sides)
      const { regions } = findNewAccess(...sides)
      if (regions.length > 0 !== (outcome.kind === 'new')) expect.fail(`${regions.length} regions, ${outcome.kind}\n${shown(pair)}`)
      if (outcome.kind === 'new' && regions.some(({ certain }) => certain) !== outcome.newAccess.certain)
        expect.fail(`certain\n${shown(pair)}`)
      for (const region of regions) {
        for (const part of region.newAccess) {
          const question = witnessOf(part)
          const [here, there] = [decide(a, question).verdict, decide(b, question).verdict]
          const right = region.certain ? here === 'allow' && there === 'deny' : here !== 'deny' && there !== 'allow'
          if (!right) expect.fail(`${here}, ${there} ${JSON.stringify(questionJson(question))}\n${shown(pair)}`)
        }
      }
    }
  })
})
