import { dirname, resolve } from 'node:path'
import type { Diagnostic } from '../../diagnostic.ts'
import type { Settings } from '../../names.ts'
import { treeOf } from '../../parser/tree.ts'
import { sourceOf } from '../../source.ts'
import type { Problem } from '../../sources/limits.ts'
import { readSuite } from '../../suite/read.ts'
import type { Suite } from '../../suite/suite.ts'
import type { Io } from '../app/io.ts'
import { Refusal } from '../app/refusal.ts'
import { diagnosticLines, isError } from '../output/diagnostics.ts'
import { textAt, withoutMark } from './read-file.ts'
import { discoverTests, type TestFile } from './test-files.ts'

/** A file of tests as it was read. */
export interface ReadTests {
  readonly path: string
  readonly file: string
  readonly suite: Suite
}

/** Print the errors among diagnostics. Returns whether there are any. */
export function printErrors(diagnostics: readonly Diagnostic[], io: Io): boolean {
  const errors = diagnostics.filter(isError)
  io.stderr.write(diagnosticLines(errors))
  return errors.length > 0
}

/** Find and read the test files. Errors in them are printed; files that cannot be read are problems. */
export async function findTests(paths: readonly string[], now: number, settings: Settings, io: Io) {
  const { files, problems: notFound, searched } = await discoverTests(paths, io)
  if (files.length === 0 && notFound.length === 0)
    throw new Refusal(
      `${paths.join(', ')}: no policy test files`,
      'the name of a policy test file ends in `.iamtest.yaml`, `.iamtest.yml` or `.iamtest.json`',
    )
  const problems = [...notFound]
  const tests: ReadTests[] = []
  let isBroken = false
  for (const file of files) {
    const { suite, diagnostics, unread } = await readTests(file, now, settings, io)
    if (unread) problems.push(unread)
    if (printErrors(diagnostics, io)) isBroken = true
    else if (suite) tests.push({ ...file, suite })
  }
  return { files, tests, problems, searched, isBroken: isBroken || problems.length > 0 }
}

async function readTests(
  { path, file }: TestFile,
  now: number,
  settings: Settings,
  io: Io,
): Promise<{ readonly suite: Suite | undefined; readonly diagnostics: readonly Diagnostic[]; readonly unread?: Problem }> {
  const { text, message } = textAt(file, 'settings', io)
  if (text === undefined) return { suite: undefined, diagnostics: [], unread: { path, message } }
  const source = sourceOf(path, withoutMark(text))
  const reading = await treeOf(source)
  const [node, second] = reading.documents
  if (reading.diagnostics.some(({ severity }) => severity === 'error')) return { suite: undefined, diagnostics: reading.diagnostics }
  if (!node || second) {
    const span = second ?? { source, start: 0, end: 0 }
    const problem: Diagnostic = {
      code: 'shape',
      severity: 'error',
      message: 'expected one document',
      span,
      help: 'put each suite of tests into a file of its own',
    }
    return { suite: undefined, diagnostics: [problem] }
  }
  const { value, diagnostics } = readSuite(node, now, settings)
  return { suite: value, diagnostics }
}

/** The policies that a suite is about: those that it names, else those of the run. */
export function pathsIn(file: string, { policies }: Suite, options: { readonly policies: readonly string[] }): readonly string[] {
  return policies ? policies.map(({ value }) => resolve(dirname(file), value)) : options.policies
}
