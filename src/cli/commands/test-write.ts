import { resolve } from 'node:path'
import type { Catalogue } from '../../actions/catalogue.ts'
import { applyEdits } from '../../edits.ts'
import { mutate, type Tested } from '../../history/mutants.ts'
import { type ProposedTest, proposeTests } from '../../history/proposed-tests.ts'
import type { Settings } from '../../names.ts'
import { treeOf } from '../../parser/tree.ts'
import { shown } from '../../report/safe.ts'
import { addedTests, newTestFile, testFields } from '../../report/test-file.ts'
import { plural } from '../../report/words.ts'
import { notationOf, sourceOf } from '../../source.ts'
import { readSuiteText } from '../../suite/read-text.ts'
import { runSuite } from '../../suite/run.ts'
import type { Check } from '../../suite/suite.ts'
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
  /** The text of a file that is there. */
  readonly text: string | undefined
}

/** The target that `--write` names: a file of policy tests, which may be there, or standard output. */
export function testTarget(name: string, io: Io): TestTarget {
  if (name === '-') return { path: 'new.iamtest.yaml', file: resolve(io.cwd, 'new.iamtest.yaml'), isPrinted: true, text: undefined }
  const file = resolve(io.cwd, name)
  const path = displayPath(file, io.cwd)
  if (!isTestFile(file)) {
    const help = 'name a file that ends in `.iamtest.yaml`, `.iamtest.yml` or `.iamtest.json`'
    throw new Refusal(`--write ${shown(path)}: \`grantwise test\` would not find tests there`, help)
  }
  checkTargets([{ option: '--write', file }], io, true)
  if (kindOf(name, io.cwd) === 'missing') return { path, file, isPrinted: false, text: undefined }
  const { text, message } = textAt(file, 'settings', io)
  if (text === undefined) throw new Refusal(`--write ${shown(path)}: ${message}`)
  return { path, file, isPrinted: false, text: withoutMark(text) }
}

/** The tests of a run with those of the target in front, which are none if it is a new file. */
export function withTarget(tests: readonly ReadTests[], { path, file }: TestTarget): readonly ReadTests[] {
  const own = tests.find((each) => each.file === file)
  const suite = own?.suite ?? { policies: undefined, facts: undefined, checks: [] }
  return [{ path: own?.path ?? path, file, suite }, ...tests.filter((each) => each !== own)]
}

/**
 * Add a test for each part of the access that no test covers. `tested`: the suites as they ran, that of the target first. What is written is
 * read again and run before.
 */
export async function writeTests(
  tested: readonly [Tested, ...Tested[]],
  target: TestTarget,
  now: number,
  catalogue: Catalogue,
  settings: Settings,
  writing: Writing,
  io: Io,
): Promise<void> {
  const [{ world, suite }] = tested
  const instant = Math.floor(now / 1000) * 1000
  // One time for all tests of a new file; a file that is there may have other ones.
  const at = target.text === undefined ? instant : undefined
  const report = mutate(tested, catalogue, () => budgetFor(io))
  const { tests, open, omitted } = proposeTests(world, report, instant)
  const names = suite.checks.map(({ name }) => name)
  const textOf = async (wanted: readonly ProposedTest[]) => {
    const fields = testFields(wanted, world, at, names)
    return { text: await textWith(target, fields, at), names: fields.map(({ name }) => name as string) }
  }
  const run = async (text: string): Promise<ReadonlyMap<string, boolean>> => {
    const read = await readSuiteText(sourceOf(target.path, text), now, settings)
    if (!read.suite || read.diagnostics.length > 0)
      throw new Refusal(`--write ${shown(target.path)}: the layout of this file is not supported`)
    const results = runSuite({ checks: read.suite.checks }, world, catalogue, undefined, budgetFor(io))
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
  const remaining = [
    ...(open.length > 0
      ? [`${plural(open.length, 'mistake')} without a test: no question was found that shows them (--mutate lists them)`]
      : []),
    ...(good.length < tests.length
      ? [`${plural(tests.length - good.length, 'test')} left out: with the \`context\` of this file the answer is another one`]
      : []),
    ...(omitted > 0 ? [`${plural(omitted, 'further mistake')} without a test: run it again once these are reviewed`] : []),
  ]
  if (good.length === 0) io.stderr.write(`grantwise: ${shown(target.path)}: nothing to add: ${coveredWords(remaining.length)}\n`)
  else if (target.isPrinted) io.stdout.write(written.text)
  else {
    await writing.write(target.file, written.text)
    if (!writing.isDry) io.stderr.write(`grantwise: ${shown(target.path)}: ${plural(good.length, 'test')} added: review their verdicts\n`)
  }
  for (const line of remaining) io.stderr.write(`grantwise: note: ${line}\n`)
}

const coveredWords = (remaining: number) =>
  remaining === 0 ? 'the tests notice each mistake of `--mutate` that changes access' : 'no question was found for what is left'

async function textWith(target: TestTarget, fields: ReturnType<typeof testFields>, at: number | undefined): Promise<string> {
  const { path, text } = target
  if (text === undefined) return newTestFile(fields, at as number, notationOf(path) === 'json')
  const source = sourceOf(path, text)
  const [document] = (await treeOf(source)).documents
  const edits = document?.kind === 'map' ? addedTests(source, document, fields) : undefined
  if (!edits) throw new Refusal(`--write ${shown(path)}: the layout of this file is not supported`, 'name a new file')
  return applyEdits(text, [edits]).text
}
