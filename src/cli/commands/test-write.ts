import { dirname, relative, resolve, sep } from 'node:path'
import type { Catalogue } from '../../actions/catalogue.ts'
import { applyEdits } from '../../edits.ts'
import type { Tested } from '../../history/mutants.ts'
import type { CoveredParts } from '../../history/parts.ts'
import { type ProposedTest, proposeTests } from '../../history/proposed-tests.ts'
import { keyOf } from '../../keys.ts'
import type { Settings } from '../../names.ts'
import { treeOf } from '../../parser/tree.ts'
import type { Policy } from '../../policy.ts'
import { guardNotation, shown } from '../../report/safe.ts'
import { addedTests, newTestFile, type TestFields, type TestFileHead, testFields } from '../../report/test-file.ts'
import { plural } from '../../report/words.ts'
import { notationOf, sourceOf } from '../../source.ts'
import { readSuiteText } from '../../suite/read-text.ts'
import { runSuite } from '../../suite/run.ts'
import type { Check, Suite } from '../../suite/suite.ts'
import { budgetFor, type Io } from '../app/io.ts'
import { displayPath } from '../app/paths.ts'
import { Refusal } from '../app/refusal.ts'
import { kindOf, textAt, withoutMark } from '../input/read-file.ts'
import type { ReadTests } from '../input/suites.ts'
import { checkTargets } from '../input/targets.ts'
import { isTestFile } from '../input/test-files.ts'
import type { Writing } from '../output/writing.ts'

/** The file that tests are added to. */
export interface TestTarget {
  /** As shown to users. */
  readonly path: string
  readonly file: string
  /** Its text is printed, and no file is written. */
  readonly isPrinted: boolean
  /** The text of a file that is there, without its byte order mark. */
  readonly text: string | undefined
  readonly mark: string
}

/** The target that `--write` names: a file of policy tests, which may be there, or standard output. */
export function testTarget(name: string, io: Io): TestTarget {
  const fresh = { text: undefined, mark: '' }
  if (name === '-') return { path: 'new.iamtest.yaml', file: resolve(io.cwd, 'new.iamtest.yaml'), isPrinted: true, ...fresh }
  const file = resolve(io.cwd, name)
  const path = displayPath(file, io.cwd)
  if (!isTestFile(file)) {
    const help = 'name a file that ends in `.iamtest.yaml`, `.iamtest.yml` or `.iamtest.json`'
    throw new Refusal(`--write ${shown(path)}: \`grantwise test\` would not find tests there`, help)
  }
  checkTargets([{ option: '--write', file }], io, true)
  if (kindOf(name, io.cwd) === 'missing') return { path, file, isPrinted: false, ...fresh }
  const { text, message } = textAt(file, 'settings', io)
  if (text === undefined) throw new Refusal(`--write ${shown(path)}: ${message}`)
  const unmarked = withoutMark(text)
  return { path, file, isPrinted: false, text: unmarked, mark: text.slice(0, text.length - unmarked.length) }
}

/** The tests of a run with those of the target in front, which are none if it is a new file: that is about the same policies as the others. */
export function withTarget(tests: readonly ReadTests[], target: TestTarget): readonly ReadTests[] {
  const { path, file } = target
  const targetTests = tests.find((each) => each.file === file)
  if (targetTests) return [targetTests, ...tests.filter((each) => each !== targetTests)]
  const suite = { policies: commonPolicies(tests, target), facts: undefined, usual: { groups: [] }, checks: [] }
  return [{ path, file, suite }, ...tests]
}

/** The policies that all tests are about, as a new file names them. */
function commonPolicies(tests: readonly ReadTests[], { path, file }: TestTarget): Suite['policies'] {
  const of = ({ file: from, suite }: ReadTests) =>
    suite.policies?.map(({ value, span }) => {
      const way = relative(dirname(file), resolve(dirname(from), value))
      return { value: (sep === '/' ? way : way.replaceAll(sep, '/')) || '.', span }
    })
  const [first, ...others] = tests.map(of)
  const keyOfPolicies = (policies: Suite['policies']) => keyOf(policies?.map(({ value }) => value))
  if (others.some((each) => keyOfPolicies(each) !== keyOfPolicies(first))) {
    const help = 'name one of the test files, or give only tests that are about the same `policies`'
    throw new Refusal(`--write ${shown(path)}: it is not clear which policies a new file would be about: those of the tests differ`, help)
  }
  return first
}

/** The means of `writeTests`. */
export interface WriteOptions {
  readonly now: number
  readonly catalogue: Catalogue
  readonly settings: Settings
  readonly covered: CoveredParts
  readonly writing: Writing
  readonly io: Io
}

/**
 * Add a test for each part of the access that no test covers. `tested`: the suites as they ran, that of the target first. What is written is
 * read again and run before.
 */
export async function writeTests(
  [targetTests, ...others]: readonly [Tested, ...Tested[]],
  { policies, usual }: Suite,
  target: TestTarget,
  { now, catalogue, settings, covered, writing, io }: WriteOptions,
): Promise<void> {
  const { world, suite } = targetTests
  const instant = Math.floor(now / 1000) * 1000
  const isNew = target.text === undefined
  const context = { ...usual, at: usual.at ?? instant }
  // One time for all tests of a new file; a file that is there may have other ones.
  const targetContext = isNew ? context : usual
  const budget = () => budgetFor(io)
  const { tests, open, idle, omitted } = proposeTests(targetTests, others, { covered, usual: context, catalogue, run: budget(), budget })
  const names = suite.checks.map(({ name }) => name)
  const head = { policies: policies?.map(({ value }) => value), at: context.at }
  const textOf = async (wanted: readonly ProposedTest[]) => {
    const fields = testFields(wanted, world, targetContext, names)
    return { text: await textWith(target, fields, head), names: fields.map(({ name }) => name as string) }
  }
  const run = async (text: string): Promise<ReadonlyMap<string, boolean>> => {
    const read = await readSuiteText(sourceOf(target.path, text), now, settings)
    if (!read.suite || read.diagnostics.length > 0)
      throw new Refusal(`--write ${shown(target.path)}: the layout of this file is not supported`)
    const results = runSuite({ checks: read.suite.checks }, world, catalogue, undefined, budget())
    return new Map(results.map(({ check, status }: { check: Check; status: string }) => [check.name, status === 'passed']))
  }
  let written = await textOf(tests)
  let passed = tests.length === 0 ? new Map<string, boolean>() : await run(written.text)
  // The context of a file that is there may say something else than a question leaves open.
  const good = tests.filter((_, i) => passed.get(written.names[i] as string) === true)
  if (good.length < tests.length && good.length > 0) {
    written = await textOf(good)
    passed = await run(written.text)
    if (written.names.some((name) => passed.get(name) !== true))
      throw new Refusal(`--write ${shown(target.path)}: tests in this file would fail`, 'name a new file')
  }
  const elsewhere = policiesElsewhere(targetTests, others)
  const remaining = [
    ...(open.mistakes.length > 0
      ? [`${plural(open.mistakes.length, 'mistake')} without a test: no question was found that shows them (--mutate lists them)`]
      : []),
    ...(open.parts.length > 0
      ? [`${plural(open.parts.length, 'part')} of the access without a test: found was no question that they decide for certain`]
      : []),
    ...(good.length < tests.length
      ? [`${plural(tests.length - good.length, 'test')} left out: with the \`context\` of this file the answer is another one`]
      : []),
    ...(omitted > 0 ? [`${omitted} further entries and mistakes not looked at: run it again once these are reviewed`] : []),
    ...(elsewhere > 0 ? [`${plural(elsewhere, 'policy')} of other test files not looked at: this file is not about them`] : []),
  ]
  if (good.length === 0) io.stderr.write(`grantwise: ${shown(target.path)}: nothing to add: ${coveredWords(remaining.length)}\n`)
  else if (target.isPrinted) io.stdout.write(written.text, guardNotation)
  else {
    await writing.write(target.file, `${target.mark}${written.text}`)
    if (!writing.isDry) io.stderr.write(`grantwise: ${shown(target.path)}: ${plural(good.length, 'test')} added: review their verdicts\n`)
  }
  const ineffective = new Set(idle.map(({ policy, entry: { span } }) => keyOf(policy.name.value, span.source.path, span.start))).size
  const inert = `no question that gives all facts rests on ${plural(ineffective, 'entry')}, in what the policy grants or in what it denies: no test can cover that`
  for (const line of [...remaining, ...(ineffective > 0 ? [inert] : [])]) io.stderr.write(`grantwise: note: ${line}\n`)
}

const coveredWords = (remaining: number) =>
  remaining === 0
    ? 'the tests exercise each entry that decides, and notice each mistake of `--mutate` that changes access'
    : 'no question was found for what is left'

/** How many policies are those of other suites and not of the one that tests are added to. */
function policiesElsewhere({ world, apart }: Tested, others: readonly Tested[]): number {
  const placeOf = ({ span, name }: Policy) => keyOf(span.source.path, span.start, name.value)
  const testedPlaces = new Set(world.policies.map(placeOf))
  const there = others.flatMap((each) =>
    each.world.policies.filter(({ span }) => !each.apart.has(span.source.path) && !apart.has(span.source.path)),
  )
  return new Set(there.map(placeOf).filter((place) => !testedPlaces.has(place))).size
}

async function textWith(target: TestTarget, fields: readonly TestFields[], head: TestFileHead): Promise<string> {
  const { path, text } = target
  if (text === undefined) return newTestFile(fields, head, notationOf(path) === 'json')
  const source = sourceOf(path, text)
  const [document] = (await treeOf(source)).documents
  const edits = document?.kind === 'map' ? addedTests(source, document, fields) : undefined
  if (!edits) throw new Refusal(`--write ${shown(path)}: the layout of this file is not supported`, 'name a new file')
  return applyEdits(text, [edits]).text
}
