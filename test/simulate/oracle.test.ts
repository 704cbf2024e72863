import { existsSync, readFileSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { readAction } from '../../src/actions/action.ts'
import type { World } from '../../src/policy.ts'
import { decide } from '../../src/simulate/decide.ts'
import type { Verdict } from '../../src/simulate/decision.ts'
import { compile } from '../../src/simulate/engine.ts'
import { findNewAccess } from '../../src/symbolic/gained.ts'
import { sideOf } from '../../src/symbolic/side.ts'
import { readIdentity } from '../../src/urn/identity.ts'
import { readResource } from '../../src/urn/resource.ts'
import { families } from '../support/analysis-oracle.ts'
import { effort, isWhole } from '../support/effort.ts'
import { writeFigures } from '../support/figures.ts'
import { askOracle, decisionLine, differenceLine } from '../support/oracle.ts'
import { corpusCases } from '../support/public-corpus.ts'
import { generate, questionOf, randomOf, usualKnobs, type WorldJson, worldOf } from '../support/worlds.ts'

/**
 * The engine and the reference implementation compared with the evaluator that is extracted from the proofs (proofs/README.md):
 * no answer may differ.
 */

const perWorld = 10
const at = '2026-07-01T12:00:00Z'

/** Figures of the two long runs; written to figures/oracle.json when all was asked. */
const runs: Record<'questions' | 'differences', { seed: number; asked: number; disagreements: number; seconds: number } | undefined> = {
  questions: undefined,
  differences: undefined,
}

afterAll(() => {
  const { questions, differences } = runs
  if (!isWhole || !questions || !differences) return
  writeFigures('oracle', {
    claim: 'the engine, the reference implementation and the evaluator extracted from the proofs give the same answers',
    wanted: { questions: 1_000_000, differences: 100_000, disagreements: 0 },
    reached: {
      questions: questions.asked,
      differences: differences.asked,
      disagreements: questions.disagreements + differences.disagreements,
      seconds: questions.seconds + differences.seconds,
    },
    seed: `${questions.seed} and ${differences.seed}`,
    command: 'make -C proofs oracle && npm run test:deep',
  })
})

const conformance = new URL('../../../shared/conformance/decisions.ndjson', import.meta.url)
if (existsSync(conformance))
  test('the conformance cases', async () => {
    const cases = readFileSync(conformance, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const wrong: string[] = []
    let asked = 0
    await askOracle(
      cases.map(({ world, queries }) => decisionLine(world, queries)),
      (answer, i) => {
        const verdicts = answer.split(' ')
        for (const [j, { id, expect: verdict }] of cases[i].queries.entries()) {
          asked++
          if (verdicts[j] !== verdict) wrong.push(`${cases[i].name} ${id}: ${verdict}, the oracle says ${verdicts[j]}`)
        }
      },
    )
    expect(wrong).toEqual([])
    expect(asked).toBe(4000)
  })

/** Parts that the oracle does not read: the details of resources that a policy holds, and resources by their ids. */
const isRead = (world: object) => !/"resource":\{|\{"id":"[^"]*"[,}]/.test(JSON.stringify(world))

test('the public corpus: decisions', async () => {
  const cases = corpusCases().flatMap(({ name, world, questions = [] }) =>
    world && questions.length > 0 && isRead(world) ? [{ name, world: world as WorldJson, questions }] : [],
  )
  const wrong: string[] = []
  await askOracle(
    cases.map(({ world, questions }) => decisionLine(world, questions)),
    (answer, i) => {
      const { name, questions } = cases[i] as (typeof cases)[number]
      const expected = questions.map((each) => each.expected.verdict).join(' ')
      if (answer !== expected) wrong.push(`${name}: ${expected}, the oracle says ${answer}`)
    },
  )
  console.log(`the oracle was asked ${cases.length} cases of the public corpus`)
  expect(wrong).toEqual([])
  expect(cases.length).toBeGreaterThan(1400)
})

test('the public corpus: differences', async () => {
  // Without conditions, ends and described identities and owners, which the oracle is not asked about.
  const cases = corpusCases().flatMap(({ name, before, after, expected }) =>
    before &&
    after &&
    expected &&
    'new' in expected &&
    !/"(?:conditions|expiredAt|identities":\[\{|account|owner)"/.test(JSON.stringify([before, after]))
      ? [{ name, before: before as WorldJson, after: after as WorldJson, isNew: expected.new }]
      : [],
  )
  const wrong: string[] = []
  await askOracle(
    cases.map(({ before, after }) => differenceLine(before, after, at)),
    (answer, i) => {
      const { name, isNew } = cases[i] as (typeof cases)[number]
      if ((answer !== 'none') !== isNew) wrong.push(`${name}: ${isNew ? 'new access' : 'none'}, the oracle says ${answer}`)
    },
  )
  console.log(`the oracle was asked ${cases.length} differences of the public corpus`)
  expect(wrong).toEqual([])
  expect(cases.length).toBeGreaterThan(150)
})

test('generated worlds: reference implementation, engine and oracle', async () => {
  const seed = 20261123
  const random = randomOf(seed)
  const total = effort(1_000_000)
  const start = performance.now()
  const pending: (readonly Verdict[])[] = []
  const wrong: string[] = []
  let disagreements = 0
  const differ = (how: string) => {
    disagreements++
    if (wrong.length < 20) wrong.push(`seed ${seed}, ${how}`)
  }
  const counts: Record<Verdict, number> = { allow: 0, deny: 0, unknown: 0 }
  function* lines() {
    for (let asked = 0; asked < total; asked += perWorld) {
      const written = generate(random, perWorld, usualKnobs)
      const world = worldOf(written.world)
      const engine = compile(world)
      const verdicts = written.questions.map((each) => {
        const question = questionOf(each)
        const { verdict } = engine.decide(question)
        const plain = decide(world, question).verdict
        if (plain !== verdict) differ(`reference ${plain}, engine ${verdict}: ${JSON.stringify(each)}`)
        counts[verdict]++
        return verdict
      })
      pending.push(verdicts)
      yield decisionLine(written.world, written.questions)
    }
  }
  await askOracle(lines(), (answer, i) => {
    const verdicts = pending[i]?.join(' ')
    delete pending[i]
    if (answer !== verdicts) differ(`world ${i}: the engine says ${verdicts}, the oracle ${answer}`)
  })
  console.log(`seed ${seed}: ${total} questions, ${JSON.stringify(counts)}`)
  runs.questions = { seed, asked: total, disagreements, seconds: Math.round((performance.now() - start) / 1000) }
  expect(wrong).toEqual([])
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(total / 50)
})

describe('differences', () => {
  /** Without conditions, ends and facts of identities and owners, which the oracle is not asked about. */
  const plain = ({ policies, resourceGroups, permissionsGroups }: WorldJson): WorldJson => ({
    policies: policies.map(({ conditions: _, expiredAt: __, ...policy }) => policy),
    resourceGroups,
    permissionsGroups,
    resources: [],
    identities: [],
  })
  const isLegal = (resource: string, action: string, members: readonly string[]) =>
    readResource(resource, { pattern: false }).value !== undefined &&
    readAction(action).value !== undefined &&
    members.every((member) => readIdentity(member, { pattern: false }).value !== undefined)

  test('pairs of worlds: every request that one side allows and the other does not', async () => {
    const seed = 20261124
    const total = effort(100_000)
    const start = performance.now()
    const pending: { readonly isNew: boolean; readonly sides: readonly [World, World]; readonly written: string }[] = []
    const wrong: string[] = []
    let disagreements = 0
    const counts = { new: 0, none: 0, 'no legal name': 0 }
    function* lines() {
      let asked = 0
      for (const { worlds, pairs } of families(randomOf(seed), { policies: 4, unknown: 0 }, 3)) {
        const written = worlds.map(plain)
        const read = written.map((world) => worldOf(world))
        for (const [i, j] of pairs) {
          if (asked++ === total) return
          const [a, b] = [read[i], read[j]] as const
          const [before, after] = [written[j], written[i]] as const
          if (!a || !b || !before || !after) throw new Error('no such world')
          const { regions, culprits } = findNewAccess(sideOf(a, b), sideOf(b, a))
          if (culprits.length > 0) throw new Error(`seed ${seed}: the search was given up`)
          pending.push({ isNew: regions.length > 0, sides: [a, b], written: `A ${JSON.stringify(after)}\nB ${JSON.stringify(before)}` })
          yield differenceLine(before, after, at)
        }
      }
    }
    /** Whether the witness of the oracle shows new access. */
    const isShown = (resource: string, action: string, members: readonly string[], [a, b]: readonly [World, World]) => {
      const identity = members.find((each) => !each.includes(':group:')) ?? (members[0] as string)
      const question = questionOf({ identity, groups: members.filter((each) => each !== identity), resource, action, at })
      return decide(a, question).verdict === 'allow' && decide(b, question).verdict === 'deny'
    }
    await askOracle(lines(), (answer, i) => {
      const { isNew, sides, written } = pending[i] as (typeof pending)[number]
      delete pending[i]
      const [resource = '', action = '', ...members] = answer.split('\t')
      const kind = answer === 'none' ? 'none' : isLegal(resource, action, members) ? 'new' : 'no legal name'
      counts[kind]++
      // The oracle knows all texts, the engine legal names only: an illegal witness says nothing about the legal ones.
      const agrees = kind === 'new' ? isNew && isShown(resource, action, members, sides) : kind === 'none' ? !isNew : true
      if (agrees) return
      disagreements++
      if (wrong.length < 20)
        wrong.push(`seed ${seed}, pair ${i}: the engine says ${isNew ? 'new access' : 'none'}, the oracle ${answer}\n${written}`)
    })
    console.log(`seed ${seed}: ${total} pairs, ${JSON.stringify(counts)}`)
    runs.differences = { seed, asked: total, disagreements, seconds: Math.round((performance.now() - start) / 1000) }
    expect(wrong).toEqual([])
    expect(Math.min(counts.new, counts.none)).toBeGreaterThan(total / 20)
    expect(counts['no legal name']).toBeLessThan(total / 20)
  })
})
