import { resolve } from 'node:path'
import type { Settings } from '../../names.ts'
import { isJson } from '../../parser/json.ts'
import { shown } from '../../report/safe.ts'
import { type LineFault, type Recorded, recordReader } from '../../usage/record.ts'
import type { Options } from '../app/commands.ts'
import type { Io } from '../app/io.ts'
import { displayPath } from '../app/paths.ts'
import { type Reason, Refusal } from '../app/refusal.ts'
import { blocksOf, linesOf, tooLong } from './lines.ts'
import { openBytes } from './read-file.ts'

/** The lines skipped while records were read. */
interface PassedOver {
  /** Log entries without a decision. */
  readonly others: number
  /** Lines that cannot be read: with `--skip-bad` only. */
  readonly bad: number
}

/** How many bad lines are reported. */
const mostFaults = 20

/**
 * Read records as they come, from files or standard input (`-`), and hand each on. Nothing is kept of them. A line that
 * cannot be read, be it the last one of a file that is still written to, is refused with its place once all are read, or
 * passed over with `--skip-bad`.
 */
export async function readRecords(
  files: readonly string[],
  options: Pick<Options<'least'>, 'policies' | 'skipBad'>,
  settings: Settings,
  io: Io,
  take: (record: Recorded) => void,
): Promise<PassedOver> {
  if (files.filter((file) => file === '-').length > 1) throw new Refusal('standard input can be read only once')
  if (files.includes('-') && options.policies.includes('-'))
    throw new Refusal('standard input cannot hold both the records and the policies')
  const inputs = files.map((file) => ({
    name: file === '-' ? '-' : displayPath(resolve(io.cwd, file), io.cwd),
    input: uncompressed(file, openBytes(file, io)),
  }))
  const reader = recordReader(settings)
  const faults: Reason[] = []
  let [bad, others, records] = [0, 0, 0]
  for (const { name, input } of inputs) {
    const wrong = (line: number, { message, help, column }: LineFault, isTorn: boolean) => {
      bad++
      if (faults.length >= mostFaults) return
      const torn = isTorn ? 'the last line has no end: if the file is still written to, `--skip-bad` skips it' : undefined
      faults.push({ message: `${shown(name)}:${line}${column === undefined ? '' : `:${column}`}: ${message}`, help: torn ?? help })
    }
    for await (const { bytes, first } of blocksOf(input)) {
      const lines = bytes === undefined ? [{ fault: tooLong }] : linesOf(bytes)
      // Only the last line of a file may lack its end.
      const isOpen = bytes !== undefined && bytes[bytes.length - 1] !== 10
      for (const [i, line] of lines.entries()) {
        const isTorn = isOpen && i === lines.length - 1
        if (typeof line !== 'string') {
          wrong(first + i, { message: line.fault }, isTorn)
          continue
        }
        const read = reader.read(line)
        if (read.kind === 'fault') wrong(first + i, read.fault, isTorn && !isJson(line))
        else if (read.kind === 'other') others++
        else if (read.kind === 'records') {
          records++
          for (const record of read.records) take(record)
        }
      }
    }
  }
  if (bad > 0 && !options.skipBad) {
    const [first, ...more] = faults as [Reason, ...Reason[]]
    const unprintedCount = bad - faults.length
    if (unprintedCount > 0) more.push({ message: `and ${unprintedCount} more lines that cannot be read` })
    throw new Refusal(first.message, first.help ?? 'fix the line, or skip unreadable lines with `--skip-bad`', more)
  }
  if (records === 0)
    throw new Refusal(`${inputs.map(({ name }) => name).join(', ')}: no recorded call`, others > 0 ? 'it contains no decisions' : undefined)
  return { others, bad }
}

/** How compressed files begin, and what writes out their content. */
const compressions = [
  { start: [0x1f, 0x8b], command: 'gzip -dc' },
  { start: [0x28, 0xb5, 0x2f, 0xfd], command: 'zstd -dc' },
] as const

/** The bytes of an input that is not compressed. */
async function* uncompressed(file: string, input: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let isFirst = true
  for await (const chunk of input) {
    const compression = isFirst ? compressions.find(({ start }) => start.every((byte, i) => chunk[i] === byte)) : undefined
    if (compression)
      throw new Refusal(
        `${file === '-' ? 'standard input' : shown(file)}: it is compressed`,
        `give what \`${compression.command} FILE\` writes as standard input, and name that with \`-\``,
      )
    isFirst = false
    yield chunk
  }
}
