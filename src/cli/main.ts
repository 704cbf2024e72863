import { Command, CommanderError, Option } from 'commander'
import { shown } from '../report/safe.ts'
import { type CommandEntry, commands, type Run } from './app/commands.ts'
import { type ExitCode, exit, sentences } from './app/exit.ts'
import { type Io, processIo } from './app/io.ts'
import type { Options } from './app/options.ts'
import { isRefusal, Refusal } from './app/refusal.ts'
import { version } from './app/version.ts'

/** The program of each command, loaded when it is asked for. */
const programs: Readonly<Record<string, () => Promise<{ readonly run: Run }>>> = {
  lint: () => import('./commands/lint.ts'),
  can: () => import('./commands/can.ts'),
  call: () => import('./commands/call.ts'),
  who: () => import('./commands/who.ts'),
  what: () => import('./commands/what.ts'),
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
  serve: () => import('./commands/serve.ts'),
  init: () => import('./commands/init.ts'),
  completions: () => import('./commands/completions.ts'),
}

/** Run the program as the process it is. Whatever happens, the exit code is one of the table's, and never 0 by accident. */
export function start(process: NodeJS.Process): void {
  // Nothing left to wait for and still no answer: something was lost on the way.
  process.on('beforeExit', () => {
    process.exitCode = exit.noAnswer
  })
  const io = processIo(process)
  const crash = (error: unknown) => {
    try {
      explain(error, io)
    } finally {
      process.exit(exit.noAnswer)
    }
  }
  process.on('uncaughtException', crash)
  process.on('unhandledRejection', crash)
  main(process.argv.slice(2), io).then((code) => process.exit(code), crash)
}

/** Run a command line. `argv` is without the names of node and of the program. Returns the exit code; never throws. */
export async function main(argv: readonly string[], io: Io): Promise<ExitCode> {
  try {
    return await dispatch(argv, io)
  } catch (error) {
    explain(error, io)
    return exit.noAnswer
  }
}

/** Say on standard error why there is no answer. What is no refusal is a fault of the program, and is told in one line. */
function explain(error: unknown, io: Io): void {
  if (isRefusal(error)) {
    for (const { message, help } of [error, ...error.others])
      io.stderr.write(`grantwise: ${lines(message)}\n${help ? `  help: ${lines(help)}\n` : ''}`)
    return
  }
  io.stderr.write(`grantwise: internal error: ${shown(error instanceof Error ? error.message : String(error))}\n`)
  if (io.env.GRANTWISE_DEBUG === '1' && error instanceof Error) io.stderr.write(`${lines(error.stack ?? '')}\n`)
}

/** A text of several lines, each made safe. */
function lines(text: string): string {
  return text.split('\n').map(shown).join('\n')
}

async function dispatch(argv: readonly string[], io: Io): Promise<ExitCode> {
  let code: ExitCode | undefined
  const program = commandLine(argv, io, (run) => {
    code = run
  })
  try {
    const unknown = unknownCommand(argv)
    await program.parseAsync(unknown === undefined ? argv : [unknown], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return exit.good
    if (error.code === 'commander.help') return exit.noAnswer
    // Of an option that nobody knows the value is not repeated: it may be a secret.
    const said = error.code === 'commander.unknownOption' ? error.message.replace(/^([^=\n]*)=.*?'(?=\n|$)/s, "$1'") : error.message
    const [message = '', ...hints] = said.replace(/^error: |\.$/g, '').split('\n')
    throw new Refusal(
      message.replaceAll("'", '`'),
      hints.map((hint) => hint.replace(/^\(Did you mean (.*)\?\)$/, 'did you mean `$1`?')).join('\n'),
    )
  }
  if (code === undefined) throw new Error('the command gave no exit code')
  return code
}

/** The command that is asked for where there is none of that name, so that `--help` does not explain something else. */
function unknownCommand(argv: readonly string[]): string | undefined {
  const [first, second] = argv.filter((word) => !word.startsWith('-'))
  const name = first === 'help' ? second : first
  return name === 'help' || commands.some((entry) => entry.name === name) ? undefined : name
}

function commandLine(argv: readonly string[], io: Io, done: (code: ExitCode) => void): Command {
  const program = new Command('grantwise')
    .description('Offline linter and simulator for cloud IAM policies.')
    .version(`grantwise ${version}`, '-V, --version', 'print the version')
    .option('--color', 'colour the output')
    .option('--no-color', 'do not colour it (default: NO_COLOR, FORCE_COLOR, else whether a terminal shows it)')
    .helpCommand('help [command]', 'explain a command')
    .helpOption('-h, --help', 'explain the command')
    .configureHelp({ showGlobalOptions: true, helpWidth: 100 })
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      outputError: () => {},
      getOutHelpWidth: () => 100,
      getErrHelpWidth: () => 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .exitOverride()
    .addHelpText(
      'after',
      `\nExit codes:\n${Object.entries(sentences)
        .map(([code, text]) => `  ${code}  ${text}\n`)
        .join('')}`,
    )
  // The others only matter to who is told what there is.
  const asked = commands.filter((entry) => entry.name === argv[0])
  for (const entry of asked.length > 0 ? asked : commands) addCommand(program, entry, io, done)
  return program
}

function addCommand(program: Command, entry: CommandEntry, io: Io, done: (code: ExitCode) => void): void {
  const command = program.command(entry.name).description(entry.summary)
  for (const [notation, text] of entry.arguments) command.argument(notation, text)
  for (const { flags, text, many } of entry.options) {
    const option = new Option(flags, text)
    command.addOption(many ? option.argParser((value: string, before: string[] = []) => [...before, value]) : option)
  }
  command.addHelpText('after', `\nExamples:\n${entry.examples.map(([line, text]) => `  $ ${line}\n      ${text}\n`).join('')}`)
  const given = new Set<string>()
  const empty = new Set<string>()
  for (const option of command.options) {
    command.on(`option:${option.name()}`, (value: string | null) => {
      given.add(option.name())
      if (value === '') empty.add(option.long ?? option.flags)
    })
  }
  command.action(async () => {
    refuseUnclear(given, empty)
    const { run } = await (programs[entry.name] as (typeof programs)[string])()
    done(await run(command.args, optionsOf(command), io))
  })
}

/** Refuse options that say nothing (a variable of a script that is not set), and those that take one another back. */
function refuseUnclear(given: ReadonlySet<string>, empty: ReadonlySet<string>): void {
  const [first, ...others] = [
    ...[...empty].map((name) => ({ message: `${name}: the value is empty`, help: `give a value, or leave \`${name}\` out` })),
    ...(given.has('config') && given.has('no-config')
      ? [{ message: '--config and --no-config do not go together', help: 'keep one of them' }]
      : []),
  ]
  if (first) throw new Refusal(first.message, first.help, others)
}

function optionsOf(command: Command): Options {
  const values = new Map<string, unknown>(Object.entries(command.optsWithGlobals()))
  const value = (name: string) => values.get(name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()))
  const given = (name: string) => value(name) !== undefined && command.getOptionValueSourceWithGlobals(name) !== 'default'
  return {
    text: (name) => (typeof value(name) === 'string' ? (value(name) as string) : undefined),
    list: (name) => (Array.isArray(value(name)) ? (value(name) as string[]) : []),
    flag: (name) => (given(name) && typeof value(name) === 'boolean' ? (value(name) as boolean) : undefined),
  }
}
