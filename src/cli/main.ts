import { Undecided } from '../budget.ts'
import { type CommandLine, isVersionJson, readCommandLine } from './app/command-line.ts'
import type { StepCounter } from './app/cost.ts'
import { type ExitCode, exit } from './app/exit.ts'
import { type Io, processIo } from './app/io.ts'
import type { AnswerFile } from './input/answer-file.ts'
import { reportError } from './output/errors.ts'
import { recording } from './output/recording.ts'
import { programOf } from './programs.ts'

/** Run the program as a process, whose steps `counter` counts. In every case the exit code is one of the table's, and never 0 by accident. */
export function start(process: NodeJS.Process, counter?: StepCounter): void {
  // Nothing left to wait for and no answer: a promise was lost.
  process.on('beforeExit', () => {
    process.exitCode = exit.error
  })
  const io = processIo(process, counter)
  const crash = (error: unknown) => {
    try {
      reportError(error, io)
    } finally {
      process.exit(exit.error)
    }
  }
  process.on('uncaughtException', crash)
  process.on('unhandledRejection', crash)
  main(process.argv.slice(2), io).then((code) => process.exit(code), crash)
}

/** Where the answer of a command line goes: what sends it to a file is loaded where a file is named. */
async function answerFile(line: CommandLine, io: Io): Promise<AnswerFile> {
  if (line.options['output'] === undefined) return { line, io, end: async (code) => code }
  return (await import('./input/answer-file.ts')).answerFile(line, io)
}

/** A command line about the past as one about a commit: what reads git is loaded where a date is given. */
async function dated(line: CommandLine, io: Io): Promise<CommandLine> {
  return line.options['asOf'] === undefined ? line : (await import('./input/as-of.ts')).asOf(line, io)
}

/** Run a command line. `argv` is without the names of node and of the program. Returns the exit code; never throws. */
export async function main(argv: readonly string[], io: Io): Promise<ExitCode> {
  try {
    if (isVersionJson(argv)) return await (await import('./commands/version.ts')).run(io)
    const line = readCommandLine(argv, io)
    if (typeof line === 'number') return line
    if (line.options['cost'] !== true) return await answered(line, io)
    const { io: counted, end } = (await import('./output/cost.ts')).costed(io)
    try {
      return await answered(line, counted)
    } finally {
      end()
    }
  } catch (error) {
    reportError(error, io)
    return error instanceof Undecided ? exit.unknown : exit.error
  }
}

/**
 * Commands that make more of a world than they keep, of 10,000 policies more than 512 MiB, and by how many percent their memory may grow before
 * it is collected. Less memory takes more time: 7 to 27 % more here.
 */
const growthOf: Readonly<Partial<Record<string, number>>> = { suggest: 40, minimise: 100, least: 40, report: 60 }

/** Run a command that was read, and hold its exit code to what it read. */
async function answered(line: CommandLine, io: Io): Promise<ExitCode> {
  const run = await programOf(line.name)
  const growth = growthOf[line.name]
  if (growth !== undefined) await io.spareMemory?.(growth)
  const answer = await answerFile(await dated(line, io), io)
  const { io: recorded, end } = await recording(answer.line, answer.io)
  return await answer.end(await end(await run(line.args, answer.line.options, recorded)), recorded)
}
