import { type Assumption, isOpen } from '../../coverage.ts'
import type { CommandLine } from '../app/command-line.ts'
import { type ExitCode, exit } from '../app/exit.ts'
import { type Io, ioWith } from '../app/io.ts'
import type { RunRecord } from '../app/record.ts'

/** A run with a record, and what ends it. */
export interface Recording {
  readonly io: Io
  /** Print the record where it is asked for, and hold the exit code to it. */
  readonly end: (code: ExitCode) => Promise<ExitCode>
}

/** The context of a run whose record includes the use of the machine's clock. */
export function recordedIo({ options }: CommandLine, io: Io, record: RunRecord, others: Partial<Io> = {}): Io {
  const isGiven = [options['at']].flat().some((time) => time !== undefined)
  const now = () => {
    if (!isGiven) record.assume([theTime])
    return io.now()
  }
  return ioWith(io, { ...others, record, now })
}

/** That the clock was asked; what it says is no part of the record, which is the same for the same input. */
const theTime: Assumption = {
  kind: 'time',
  what: 'the time',
  why: '`--at` is not given: it is that of the run, or all times from then on',
  matters: false,
}

/**
 * The exit code of a run, by its record: what is assumed and may change the answer is said, and success is unknown where an
 * assumption is open.
 */
export async function exitCodeOf(record: RunRecord, code: ExitCode, { options }: CommandLine, io: Io): Promise<ExitCode> {
  const serious = record.coverage().assumptions.filter(({ matters }) => matters)
  // Without an answer nothing is claimed.
  if (serious.length === 0 || code === exit.error || !('coverage' in options)) return code
  const { assumptionNotes } = await import('../../report/coverage.ts')
  // Where the whole record is printed, they are in it.
  if (!record.isAsked) for (const note of assumptionNotes(serious)) io.stderr.write(note)
  // These exit with 0 for any answers.
  const isFree = options['exitZero'] === true || options['batch'] !== undefined
  if (code !== exit.success || isFree || !serious.some(isOpen)) return code
  io.stderr.write('grantwise: unknown: the answer depends on what was not read\n')
  return exit.unknown
}
