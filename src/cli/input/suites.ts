import { dirname, resolve } from 'node:path'
import type { Diagnostic } from '../../diagnostic.ts'
import type { Settings } from '../../names.ts'
import { sourceOf } from '../../source.ts'
import type { Problem } from '../../sources/limits.ts'
import { readSuiteText, type SuiteRead } from '../../suite/read-text.ts'
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

/** Find and read the test files. Errors in them are printed; files that cannot be read are problems. `mayBeNone`: none may be there yet. */
export async function findTests(paths: readonly string[], now: number, settings: Settings, io: Io, mayBeNone = false) {
  const { files, problems: notFound, searched } = await discoverTests(paths, io)
  if (files.length === 0 && notFound.length === 0 && !mayBeNone)
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
): Promise<SuiteRead & { readonly unread?: Problem }> {
  const { text, message } = textAt(file, 'settings', io)
  if (text === undefined) return { suite: undefined, diagnostics: [], unread: { path, message } }
  return readSuiteText(sourceOf(path, withoutMark(text)), now, settings)
}

/** The policies that a suite is about: those that it names, else those of the run. */
export function pathsIn(file: string, { policies }: Suite, options: { readonly policies: readonly string[] }): readonly string[] {
  return policies ? policies.map(({ value }) => resolve(dirname(file), value)) : options.policies
}
