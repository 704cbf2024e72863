import type { Catalogue } from '../actions/catalogue.ts'
import type { Diagnostic } from '../diagnostic.ts'
import type { Settings } from '../names.ts'
import { treeOf } from '../parser/tree.ts'
import type { Source } from '../source.ts'
import { notesOn } from '../suite/notes.ts'
import { readSuite } from '../suite/read.ts'

/** The problems that `grantwise test` reports of a file of policy tests before it runs them. */
export async function readTests(source: Source, now: number, settings: Settings, catalogue: Catalogue): Promise<readonly Diagnostic[]> {
  const { documents, diagnostics } = await treeOf(source)
  const [node, second] = documents
  if (diagnostics.some(({ severity }) => severity === 'error')) return diagnostics
  if (!node || second)
    return [
      {
        code: 'shape',
        severity: 'error',
        message: 'expected one document',
        span: second ?? { source, start: 0, end: 0 },
        help: 'put each suite of tests into a separate file',
      },
    ]
  const { value, diagnostics: problems } = readSuite(node, now, settings)
  return problems.length > 0 ? problems : notesOn(value, catalogue, settings.brand)
}
