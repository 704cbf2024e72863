import { applyEdits } from '../edits.ts'
import { formattedFile } from '../fmt/file.ts'
import { rewritten } from '../fmt/fmt.ts'
import { type LineEdit, lineEdits } from '../report/diff.ts'
import type { Range } from '../source.ts'
import type { EditorFile } from './model.ts'

/** The edits that format a file; undefined where `fmt` formats nothing. */
export type Formatting = { readonly edits: readonly LineEdit[] } | { readonly problem: string } | undefined

/**
 * The edits of `fmt`; of a range, those of lines that it touches. There are none where a part of the edits would change what the file says,
 * or the file has errors of notation, which are shown as findings.
 */
export async function formatting({ source, read }: EditorFile, range: Range | undefined): Promise<Formatting> {
  const result = await formattedFile(source, read)
  if (!result) return undefined
  if ('problems' in result) {
    const problem = result.problems.find(({ code }) => code === 'fmt')
    return problem ? { problem: problem.message } : undefined
  }
  const edits = lineEdits(source.text, result.text)
  if (!range) return { edits }
  const within = edits.filter(
    ({ start, end }) => start < Math.max(range.end, range.start + 1) && (end > range.start || start >= range.start),
  )
  const spans = within.map(({ start, end, text }) => [{ span: { source, start, end }, text }])
  const part = await rewritten(source, applyEdits(source.text, spans).text)
  return { edits: 'text' in part ? within : [] }
}
