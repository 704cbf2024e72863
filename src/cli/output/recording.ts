import type { CommandLine } from '../app/command-line.ts'
import type { Io } from '../app/io.ts'
import { RunRecord } from '../app/record.ts'
import { exitCodeOf, type Recording, recordedIo } from './recorded.ts'

/** Keep the record of a run. The code that prints it is loaded where it is asked for. */
export async function recording(line: CommandLine, io: Io): Promise<Recording> {
  // A run until the user ends it has no single record.
  if (line.options['coverage'] === true && line.options['watch'] !== true) return (await import('./coverage.ts')).printedRecording(line, io)
  const record = new RunRecord()
  return { io: recordedIo(line, io, record), end: (code) => exitCodeOf(record, code, line, io) }
}
