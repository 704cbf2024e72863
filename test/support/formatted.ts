import { formatted } from '../../src/fmt/fmt.ts'
import { type Notation, sourceOf } from '../../src/source.ts'

/** The formatted text, which must be there. */
export async function format(path: string, text: string, notation?: Notation): Promise<string> {
  const result = await formatted(notation ? sourceOf(path, text, notation) : sourceOf(path, text))
  if ('problems' in result) throw new Error(`${result.problems[0]?.message}:\n${text}`)
  return result.text
}
