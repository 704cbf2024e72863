import { resolve } from 'node:path'
import { guardOutput } from '../../report/safe.ts'
import type { CommandLine } from '../app/command-line.ts'
import { commands } from '../app/commands.ts'
import { type ExitCode, exit } from '../app/exit.ts'
import { type Io, ioWith, type Sink } from '../app/io.ts'
import { type FormatOutput, longName, type OptionEntry, outputOption } from '../app/options.ts'
import { writeFile } from '../output/write.ts'
import { formatByEnding } from './endings.ts'
import { checkTargets, refuseRead } from './targets.ts'

/** `-o FILE`: the answer of a command goes to a file, whole or not at all. */
export interface AnswerFile {
  readonly line: CommandLine
  readonly io: Io
  /** Write the file. `recorded`: with the record of what was read. */
  readonly end: (code: ExitCode, recorded: Io) => Promise<ExitCode>
}

/** The handling of `-o` in a run: none where it is not given, or where the command has its own meaning for it. */
export function answerFile(line: CommandLine, io: Io): AnswerFile {
  const entry = commands.find(({ name }) => name === line.name)
  const options: readonly OptionEntry[] = entry?.options ?? []
  const output = options.includes(outputOption) ? line.options['output'] : undefined
  const usual: AnswerFile = { line, io, end: async (code) => code }
  if (typeof output !== 'string') return usual
  const format = options.find((each) => longName(each) === '--format')
  if (format?.toFile) return { ...usual, line: withOptions(line, { format: formatsWith(line, format, output) }) }
  if (output === '-') return usual
  const file = resolve(io.cwd, output)
  const target = { option: '-o', file }
  checkTargets([target], io)
  refuseRead([target], namesIn(line, io), io)
  const formatOfEnding = format && !line.isFormatGiven ? formatByEnding(output, line.name, format.values ?? []) : undefined
  const parts: string[] = []
  const stdout: Sink = {
    write(text, care = guardOutput) {
      parts.push(care(text))
      return true
    },
    isTerminal: () => false,
  }
  return {
    line: formatOfEnding === undefined ? line : withOptions(line, { format: formatOfEnding }),
    io: ioWith(io, { stdout }),
    async end(code, { record }) {
      const text = parts.join('')
      if (code === exit.error && text === '') return code
      refuseRead([target], record?.coverage().read.map(({ path }) => resolve(io.cwd, path)) ?? [], io)
      writeFile(file, text, io.cwd)
      return code
    },
  }
}

const withOptions = (line: CommandLine, more: CommandLine['options']): CommandLine => ({ ...line, options: { ...line.options, ...more } })

/** The outputs of a command that may have several: `-o` is where the one for standard output goes. */
function formatsWith(line: CommandLine, entry: OptionEntry, output: string): readonly FormatOutput<string>[] {
  const requested = line.options['format'] as readonly FormatOutput<string>[]
  const [unnamed] = requested.filter(({ file }) => file === undefined)
  const file = output === '-' ? undefined : output
  const format = unnamed?.format ?? formatByEnding(output, line.name, entry.values ?? []) ?? entry.values?.[0] ?? ''
  return [...requested.filter((each) => each !== unnamed), { format, file }]
}

/** Everything on the command line that may name a file that is read. */
function namesIn({ args, options }: CommandLine, { cwd }: Io): readonly string[] {
  const values = Object.entries(options).flatMap(([name, value]) => (name === 'output' ? [] : [value].flat()))
  return [...args, ...values].flatMap((each) => (typeof each === 'string' ? [resolve(cwd, each)] : []))
}
