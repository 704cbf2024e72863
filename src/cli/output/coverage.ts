import { coverageText, coverageTrailer, withCoverageJson } from '../../report/coverage.ts'
import type { CommandLine } from '../app/command-line.ts'
import { commands } from '../app/commands.ts'
import { exit } from '../app/exit.ts'
import type { Io, Sink } from '../app/io.ts'
import type { FormatOutput, OptionEntry } from '../app/options.ts'
import { RunRecord } from '../app/record.ts'
import { startHash } from './digest.ts'
import { exitCodeOf, type Recording, recordedIo } from './recorded.ts'

/** Keep the record of a run, and print it behind the answer; in JSON it is a field of the answer. */
export function printedRecording(line: CommandLine, io: Io): Recording {
  const { format, batch } = line.options
  const record = new RunRecord(blobOf)
  const shape = formatOf(line.name, format, batch !== undefined, printsChanges(line))
  const held = shape === 'json' ? heldSink(io.stdout) : undefined
  return {
    io: recordedIo(line, io, record, held && { stdout: held }),
    end: async (code) => {
      const coverage = record.coverage()
      const answer = held?.text() ?? ''
      // Without an answer there is nothing to put it into.
      const isInAnswer = answer.startsWith('{')
      if (isInAnswer) io.stdout.write(withCoverageJson(answer, coverage))
      else held?.release()
      const behind = held || shape === undefined || code === exit.error ? undefined : coverageTrailer(shape, coverage)
      if (behind !== undefined) io.stdout.write(behind)
      else if (!isInAnswer && !record.isShown) io.stderr.write(coverageText(coverage))
      return exitCodeOf(record, code, line, io)
    },
  }
}

/** The id that git gives to a file: `git hash-object FILE`. */
export function blobOf(bytes: Uint8Array): string {
  return startHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}

/** The format of what a command prints on standard output; undefined where it prints something else there, or nothing. */
function formatOf(name: string, formatOption: unknown, isBatch: boolean, isChanges: boolean): string | undefined {
  if (isChanges) return undefined
  if (isBatch) return formatOption === 'compact' || formatOption === 'verdict' ? formatOption : 'ndjson'
  if (typeof formatOption === 'string') return formatOption
  const entry: OptionEntry | undefined = commands
    .find((each) => each.name === name)
    ?.options.find(({ flags }) => flags.startsWith('--format <'))
  const isPretty = entry?.values?.includes('pretty') === true && (entry.default ?? entry.otherwise ?? 'pretty') === 'pretty'
  const usual = isPretty ? 'pretty' : undefined
  if (!Array.isArray(formatOption) || formatOption.length === 0) return usual
  return (formatOption as readonly FormatOutput<string>[]).find(({ file }) => file === undefined)?.format
}

/** Whether standard output is for changes of files, which another program may apply. */
function printsChanges({ options: { diff, fixDryRun, output } }: CommandLine): boolean {
  return diff === true || fixDryRun === true || output === '-'
}

/** A sink that keeps what is written until it is complete. */
function heldSink(sink: Sink): Sink & { readonly text: () => string; readonly release: () => void } {
  const buffered: (readonly [text: string, care?: (text: string) => string])[] = []
  return {
    ...sink,
    write(text, care) {
      buffered.push(care ? [text, care] : [text])
      return true
    },
    text: () => buffered.map(([text]) => text).join(''),
    release: () => {
      for (const [text, care] of buffered) sink.write(text, care)
    },
  }
}
