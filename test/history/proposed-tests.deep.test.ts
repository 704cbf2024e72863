import { expect, test } from 'vitest'
import { loadCatalogue } from '../../src/actions/load.ts'
import { Budget } from '../../src/budget.ts'
import { mutate, type Survivor } from '../../src/history/mutants.ts'
import { answerTo, CoveredParts, type Part, partsOf } from '../../src/history/parts.ts'
import { type ProposedTest, proposeTests } from '../../src/history/proposed-tests.ts'
import { keyOf } from '../../src/keys.ts'
import { defaultSettings } from '../../src/names.ts'
import type { World } from '../../src/policy.ts'
import { newTestFile, testFields } from '../../src/report/test-file.ts'
import { decide } from '../../src/simulate/decide.ts'
import { sourceOf } from '../../src/source.ts'
import { tally } from '../../src/suite/coverage.ts'
import { readSuiteText } from '../../src/suite/read-text.ts'
import { questionOf as questionOfCheck, runSuite } from '../../src/suite/run.ts'
import type { Suite } from '../../src/suite/suite.ts'
import { questionJson } from '../../src/symbolic/witness.ts'
import { counted } from '../support/counted.ts'
import { effort } from '../support/effort.ts'
import { generate, questionOf, randomOf, worldOf } from '../support/worlds.ts'

/** Tests that are written for what no test covers. */

const catalogue = loadCatalogue()
const now = Date.UTC(2026, 5, 1, 12)
const none = new Set<string>()

const usual = { at: now, groups: [] }

/** The tests that a suite lacks, with what it covers and the mistakes that it does not notice. */
const proposedFor = (world: World, { checks }: Pick<Suite, 'checks'>) => {
  const covered = new CoveredParts()
  const counter = tally()
  counter.hold(world, none)
  const results = runSuite({ checks }, world, catalogue, (answer) => {
    covered.add(answer, world)
    counter.add(answer)
  })
  const tested = { suite: { checks }, world, results, apart: none }
  const report = mutate([tested], catalogue, () => new Budget())
  const options = { covered, usual, catalogue, run: new Budget(), budget: () => new Budget() }
  const proposed = proposeTests(tested, [], options)
  return { report, isCovered: (part: Part) => covered.has(part), coverage: counter.coverage(), ...proposed }
}

/** The suite of a file, as a run reads it. */
async function suiteOf(tests: readonly ProposedTest[], world: World, notation: 'yaml' | 'json'): Promise<Suite> {
  const text = newTestFile(testFields(tests, world, usual), { policies: undefined, at: now }, notation === 'json')
  const { suite, diagnostics } = await readSuiteText(sourceOf(`t.iamtest.${notation}`, text), 0, defaultSettings)
  expect([diagnostics.map(({ message }) => message), suite === undefined]).toEqual([[], false])
  return suite as Suite
}

const placeOf = ({ span, kind }: Survivor) => [span.start, kind]

test('what is written passes, covers each part, notices each mistake that has an example, and leaves nothing to write', async () => {
  const seen = { tests: 0, equal: 0, allow: 0, deny: 0, reasons: 0, idle: 0, parts: 0 }
  for (let seed = 1; seed <= counted(effort(1500, 120)); seed++) {
    const { world: written, questions } = generate(randomOf(seed), 60)
    written.policies = written.policies.slice(0, 3).map((each, i) => ({ ...each, name: `policy ${i}` }))
    const world = worldOf(written)
    const { tests, open, omitted, idle, report } = proposedFor(world, { checks: [] })
    expect(omitted).toBe(0)
    for (const { question, verdict, reason } of tests) {
      const decision = decide(world, question)
      expect(decision.verdict).toBe(verdict)
      if (reason !== undefined) expect(decision.reason).toBe(reason)
      if (reason !== undefined) seen.reasons++
      if (verdict !== 'unknown') seen[verdict]++
    }
    seen.tests += tests.length
    seen.equal += report.equal
    seen.idle += idle.length
    seen.parts += open.parts.length
    const decided = new CoveredParts()
    for (const question of questions) {
      const answer = answerTo(world, questionOf(question))
      // Where a policy perhaps applies, an answer may rest on an `except` that makes no difference.
      if (answer.traces.every(({ applies }) => applies !== undefined)) decided.add(answer, world)
    }
    expect(idle.some((part) => decided.has(part))).toBe(false)
    if (tests.length === 0) continue
    const suite = await suiteOf(tests, world, seed % 2 === 0 ? 'yaml' : 'json')
    expect(new Set(suite.checks.map(({ name }) => name)).size).toBe(tests.length)
    expect(runSuite(suite, world, catalogue).every(({ status }) => status === 'passed')).toBe(true)
    const again = proposedFor(world, suite)
    expect(again.tests).toEqual([])
    // Whatever is not covered is said to be so.
    const places = new Set([...idle, ...open.parts].map(({ entry: { span } }) => span.start))
    const held = new Set<number>()
    for (const part of partsOf(world, none)) {
      held.add(part.entry.span.start)
      if (!again.isCovered(part)) expect(places.has(part.entry.span.start)).toBe(true)
    }
    // The entries of a group that no policy names are no part of any access.
    for (const { entry } of again.coverage.idleEntries) if (held.has(entry.span.start)) expect(places.has(entry.span.start)).toBe(true)
    // A test of a reason may notice what no verdict shows.
    const left = new Set(open.mistakes.map((each) => JSON.stringify(placeOf(each))))
    for (const each of again.report.survivors) expect(left.has(JSON.stringify(placeOf(each)))).toBe(true)
    // No question is there twice.
    const questionsOf = suite.checks.map((check) => check.kind === 'test' && keyOf(JSON.stringify(questionJson(questionOfCheck(check)))))
    expect(new Set(questionsOf).size).toBe(tests.length)
  }
  expect(
    Object.values(seen).every((count) => count > 0),
    JSON.stringify(seen),
  ).toBe(true)
})
