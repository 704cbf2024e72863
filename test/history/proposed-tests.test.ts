import { expect, test } from 'vitest'
import { loadCatalogue } from '../../src/actions/load.ts'
import { Budget } from '../../src/budget.ts'
import { mutate } from '../../src/history/mutants.ts'
import { type ProposedTest, proposeTests } from '../../src/history/proposed-tests.ts'
import { defaultSettings } from '../../src/names.ts'
import type { World } from '../../src/policy.ts'
import { newTestFile, testFields } from '../../src/report/test-file.ts'
import { decide } from '../../src/simulate/decide.ts'
import { sourceOf } from '../../src/source.ts'
import { readSuiteText } from '../../src/suite/read-text.ts'
import { runSuite } from '../../src/suite/run.ts'
import type { Suite } from '../../src/suite/suite.ts'
import { counted } from '../support/counted.ts'
import { effort } from '../support/effort.ts'
import { generate, randomOf, worldOf } from '../support/worlds.ts'

/** Tests that are written for what no test covers. */

const catalogue = loadCatalogue()
const now = Date.UTC(2026, 5, 1, 12)
const none = new Set<string>()

const proposedFor = (world: World, { checks }: Pick<Suite, 'checks'>) => {
  const tested = { suite: { checks }, world, results: runSuite({ checks }, world, catalogue), apart: none }
  const report = mutate([tested], catalogue, () => new Budget())
  return { report, ...proposeTests(world, report, now) }
}

/** The suite of a file, as a run reads it. */
async function suiteOf(tests: readonly ProposedTest[], world: World, notation: 'yaml' | 'json'): Promise<Suite> {
  const text = newTestFile(testFields(tests, world, now), now, notation === 'json')
  const { suite, diagnostics } = await readSuiteText(sourceOf(`t.iamtest.${notation}`, text), 0, defaultSettings)
  expect([diagnostics.map(({ message }) => message), suite === undefined]).toEqual([[], false])
  return suite as Suite
}

test('what is written passes, notices each mistake that has an example, and leaves nothing to write', async () => {
  const seen = { tests: 0, open: 0, equal: 0, allow: 0, deny: 0 }
  for (let seed = 1; seed <= counted(effort(1500, 100)); seed++) {
    const written = generate(randomOf(seed), 0).world
    written.policies = written.policies.slice(0, 3).map((each, i) => ({ ...each, name: `policy ${i}` }))
    const world = worldOf(written)
    const { tests, open, omitted, report } = proposedFor(world, { checks: [] })
    expect(omitted).toBe(0)
    for (const { question, verdict } of tests) {
      expect(decide(world, question).verdict).toBe(verdict)
      if (verdict !== 'unknown') seen[verdict]++
    }
    seen.tests += tests.length
    seen.open += open.length
    seen.equal += report.equal
    if (tests.length === 0) continue
    const suite = await suiteOf(tests, world, seed % 2 === 0 ? 'yaml' : 'json')
    expect(new Set(suite.checks.map(({ name }) => name)).size).toBe(tests.length)
    expect(runSuite(suite, world, catalogue).every(({ status }) => status === 'passed')).toBe(true)
    const again = proposedFor(world, suite)
    expect(again.tests).toEqual([])
    expect(again.report.survivors.map(({ span, kind }) => [span.start, kind])).toEqual(open.map(({ span, kind }) => [span.start, kind]))
    // No test is there that others make needless as they are added: without the last one, a mistake is not noticed.
    expect(proposedFor(world, { checks: suite.checks.slice(0, -1) }).tests.length).toBeGreaterThan(0)
  }
  const { open: _, ...others } = seen
  expect(
    Object.values(others).every((count) => count > 0),
    JSON.stringify(seen),
  ).toBe(true)
})
