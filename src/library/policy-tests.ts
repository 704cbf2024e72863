import type { Catalogue } from '../actions/catalogue.ts'
import { loadCatalogue } from '../actions/load.ts'
import type { Diagnostic } from '../diagnostic.ts'
import { defaultSettings, type Settings } from '../names.ts'
import { readSource } from '../parser/read-source.ts'
import type { SourceGiven } from '../parser/read-world.ts'
import { buildWorld } from '../parser/world.ts'
import { jsonSuite, junitSuite, prettySuite, type SuiteReport } from '../report/suite.ts'
import { sourceOf } from '../source.ts'
import { tally } from '../suite/coverage.ts'
import { notesOn } from '../suite/notes.ts'
import { readSuiteText } from '../suite/read-text.ts'
import { runSuite } from '../suite/run.ts'

/** How policy tests are run. */
export interface PolicyTestOptions {
  /** Milliseconds since 1970: the instant of questions that name none. */
  readonly now: number
  readonly settings?: Settings
  /** The one of the brand unless it is given. */
  readonly catalogue?: Catalogue
}

/** The result of a run. */
export interface PolicyTestRun {
  /** The results of the tests; undefined where something has an error, since the part that was not understood may hold a deny. */
  readonly report: SuiteReport | undefined
  /** Problems of the test file and of the policies. */
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Run the tests of one file over policies, as `grantwise test` does with coverage. The paths under `policies` of the file are not read:
 * `policies` are what it is about. Never rejects for what is in a text.
 */
export async function runPolicyTests(
  tests: SourceGiven,
  policies: readonly SourceGiven[],
  options: PolicyTestOptions,
): Promise<PolicyTestRun> {
  const { now, settings = defaultSettings, catalogue = await loadCatalogue(settings.brand) } = options
  const { suite, diagnostics: wrong } = await readSuiteText(sourceOf(tests.path, tests.text, tests.notation), now, settings)
  const reads = await Promise.all(policies.map(({ path, text, notation }) => readSource(sourceOf(path, text, notation), settings)))
  const { world, diagnostics: unclear } = buildWorld([...reads.map(({ facts }) => facts), ...(suite?.facts ? [suite.facts] : [])])
  const diagnostics = [...wrong, ...reads.flatMap((read) => read.diagnostics), ...unclear]
  if (!suite || diagnostics.some(({ severity }) => severity === 'error')) return { report: undefined, diagnostics }
  const counter = tally()
  counter.hold(world, new Set([tests.path]))
  const results = runSuite(suite, world, catalogue, counter.add)
  const report: SuiteReport = {
    files: [{ path: tests.path, world, results }],
    notes: notesOn(suite, catalogue, settings.brand),
    coverage: counter.coverage(),
    leastCoverage: undefined,
    left: 0,
  }
  return { report, diagnostics }
}

/** The report as `grantwise test --coverage` prints it. */
export const policyTestsText = (report: SuiteReport): string => prettySuite(report)

/** The report as `grantwise test --coverage --format json` prints it. */
export const policyTestsJson = (report: SuiteReport): string => jsonSuite(report)

/** The report as JUnit XML, as `grantwise test --format junit` prints it. */
export const policyTestsJunit = (report: SuiteReport): string => junitSuite(report)
