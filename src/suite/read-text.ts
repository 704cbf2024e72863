import type { Diagnostic } from '../diagnostic.ts'
import type { Settings } from '../names.ts'
import { treeOf } from '../parser/tree.ts'
import type { Source } from '../source.ts'
import { readSuite } from './read.ts'
import type { Suite } from './suite.ts'

/** A file of policy tests that was read. `suite` is undefined where it is no document of tests; with any error it is not to be run. */
export interface SuiteRead {
  readonly suite: Suite | undefined
  readonly diagnostics: readonly Diagnostic[]
}

/** Read a file of policy tests. `now`: the instant of questions that name none. */
export async function readSuiteText(source: Source, now: number, settings: Settings): Promise<SuiteRead> {
  const reading = await treeOf(source)
  const [node, second] = reading.documents
  if (reading.diagnostics.some(({ severity }) => severity === 'error')) return { suite: undefined, diagnostics: reading.diagnostics }
  if (!node || second) {
    const problem: Diagnostic = {
      code: 'shape',
      severity: 'error',
      message: 'expected one document',
      span: second ?? { source, start: 0, end: 0 },
      help: 'put each suite of tests into a separate file',
    }
    return { suite: undefined, diagnostics: [problem] }
  }
  const { value, diagnostics } = readSuite(node, now, settings)
  return { suite: value, diagnostics }
}
