import { Undecided } from '../budget.ts'
import { type CommandLine, isVersionJson, readCommandLine } from './app/command-line.ts'
import type { CommandName, Run } from './app/commands.ts'
import { type ExitCode, exit } from './app/exit.ts'
import { type Io, processIo } from './app/io.ts'
import type { AnswerFile } from './input/answer-file.ts'
import { reportError } from './output/errors.ts'
import { recording } from './output/recording.ts'

/** The program of each command, loaded when it is asked for. */
const programs: { readonly [Name in CommandName]: () => Promise<{ readonly run: Run<Name> }> } = {
  lint: () => import('./commands/lint.ts'),
  can: () => import('./commands/can.ts'),
  call: () => import('./commands/call.ts'),
  who: () => import('./commands/who.ts'),
  what: () => import('./commands/what.ts'),
  matrix: () => import('./commands/matrix.ts'),
  graph: () => import('./commands/graph.ts'),
  explore: () => import('./commands/explore.ts'),
  report: () => import('./commands/report.ts'),
  policies: () => import('./commands/policies.ts'),
  compare: () => import('./commands/compare.ts'),
  escalate: () => import('./commands/escalate.ts'),
  diff: () => import('./commands/diff.ts'),
  timeline: () => import('./commands/timeline.ts'),
  expand: () => import('./commands/expand.ts'),
  catalogue: () => import('./commands/catalogue.ts'),
  minimise: () => import('./commands/minimise.ts'),
  suggest: () => import('./commands/suggest.ts'),
  least: () => import('./commands/least.ts'),
  'from-operations': () => import('./commands/from-operations.ts'),
  replay: () => import('./commands/replay.ts'),
  convert: () => import('./commands/convert.ts'),
  export: () => import('./commands/export.ts'),
  lock: () => import('./commands/lock.ts'),
  pull: () => import('./commands/pull.ts'),
  test: () => import('./commands/test.ts'),
  rules: () => import('./commands/rules.ts'),
  explain: () => import('./commands/explain.ts'),
  repl: () => import('./commands/repl.ts'),
  mcp: () => import('./commands/mcp.ts'),
  serve: () => import('./commands/serve.ts'),
  lsp: () => import('./commands/lsp.ts'),
  init: () => import('./commands/init.ts'),
  completions: () => import('./commands/completions.ts'),
}

/** Run the program as the process it is. Whatever happens, the exit code is one of the table's, and never 0 by accident. */
export function start(process: NodeJS.Process): void {
  // Nothing left to wait for and no answer: a promise was lost.
  process.on('beforeExit', () => {
    process.exitCode = exit.error
  })
  const io = processIo(process)
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

type AnyRun = (args: readonly string[], options: Readonly<Record<string, unknown>>, io: Io) => Promise<ExitCode>

/** Where the answer of a command line goes: what sends it to a file is loaded where a file is named. */
async function answerFile(line: CommandLine, io: Io): Promise<AnswerFile> {
  if (line.options['output'] === undefined) return { line, io, end: async (code) => code }
  return (await import('./input/answer-file.ts')).answerFile(line, io)
}

/** Run a command line. `argv` is without the names of node and of the program. Returns the exit code; never throws. */
export async function main(argv: readonly string[], io: Io): Promise<ExitCode> {
  try {
    if (isVersionJson(argv)) return await (await import('./commands/version.ts')).run(io)
    const line = readCommandLine(argv, io)
    if (typeof line === 'number') return line
    // The command line was read by the entry of this very command.
    const { run } = await (programs[line.name as CommandName] as () => Promise<{ readonly run: AnyRun }>)()
    const answer = await answerFile(line, io)
    const { io: recorded, end } = await recording(answer.line, answer.io)
    return await answer.end(await end(await run(line.args, answer.line.options, recorded)), recorded)
  } catch (error) {
    reportError(error, io)
    return error instanceof Undecided ? exit.unknown : exit.error
  }
}
