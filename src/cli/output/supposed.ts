import { supposedMarkdown, supposedNotes, supposedText } from '../../report/supposed.ts'
import type { Io } from '../app/io.ts'
import type { FormatOutput } from '../app/options.ts'

/** The beginning of an answer in a format; undefined where programs read it. */
function beginning(format: string, lines: readonly string[]): string | undefined {
  return format === 'pretty' ? supposedText(lines) : format === 'markdown' ? supposedMarkdown(lines) : undefined
}

/** Report an answer's assumptions: as its first lines, or on standard error where programs read the answer. */
export function writeSupposed(lines: readonly string[], format: string, io: Io): void {
  if (lines.length === 0) return
  const text = beginning(format, lines)
  if (text === undefined) io.stderr.write(supposedNotes(lines))
  else io.stdout.write(text)
}

/** The same for an answer in several formats: what each begins with. */
export function supposedBefore(
  lines: readonly string[],
  outputs: readonly FormatOutput<string>[],
  io: Io,
): (output: FormatOutput<string>) => string {
  if (outputs.every(({ format, file }) => file !== undefined || beginning(format, lines) === undefined))
    io.stderr.write(supposedNotes(lines))
  return ({ format }) => (lines.length === 0 ? '' : (beginning(format, lines) ?? ''))
}
