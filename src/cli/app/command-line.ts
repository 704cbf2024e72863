import { lstatSync } from 'node:fs'
import { resolve } from 'node:path'
import { Command, CommanderError, Option } from 'commander'
import { type CommandEntry, commands, groups } from './commands.ts'
import { type ExitCode, exit, sentences } from './exit.ts'
import { helpAll, helpLayout, optionGroupOf, restLine } from './help.ts'
import type { Io } from './io.ts'
import { type ArgumentEntry, choice, commonOptions, readValue, textOf } from './options.ts'
import { attempt, type Reason, Refusal, refuseProblems } from './refusal.ts'
import { version } from './version.ts'

/** A parsed command line. */
export interface CommandLine {
  readonly name: string
  readonly args: readonly string[]
  readonly options: Readonly<Record<string, unknown>>
  /** Whether it has `--format`: other options choose the format before the default of a command does. */
  readonly isFormatGiven: boolean
}

/**
 * Read a command line by the table of commands. An exit code: it asked for help or the version, which was printed. Throws a
 * refusal where it is wrong.
 */
export function readCommandLine(argv: readonly string[], io: Io): CommandLine | ExitCode {
  refuseFilesAsOptions(argv, io)
  let read: CommandLine | undefined
  const isAll = argv.includes(helpAll)
  const program = programOf(io, isAll)
  // The others matter only to the list of commands.
  const asked = commands.filter((entry) => isCalled(entry, argv[0]))
  for (const entry of asked.length > 0 ? asked : commands) {
    const problems: Reason[] = []
    const command = commandOf(program, entry, problems, isAll)
    command.action(() => {
      refuseProblems(problems)
      read = {
        name: entry.name,
        args: command.args,
        options: command.optsWithGlobals(),
        isFormatGiven: command.getOptionValueSource('format') === 'cli',
      }
    })
  }
  const unknown = unknownCommand(argv)
  try {
    const words = unknown === undefined ? argv : [unknown]
    program.parse(
      words.map((word) => (word === helpAll ? '--help' : word)),
      { from: 'user' },
    )
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return exit.success
    if (error.code === 'commander.help') return exit.error
    throw refusalOf(error, unknown)
  }
  if (!read) throw new Error('the command line names no command')
  const { name, args } = read
  checkArguments(name, args, commands.find((entry) => entry.name === name)?.arguments ?? [])
  return read
}

/**
 * Refuse an option that is the name of a file here: hooks and patterns of the shell name files as they are called, and a change that adds
 * the file `--config=c.yaml` would choose the configuration.
 */
function refuseFilesAsOptions(argv: readonly string[], io: Io): void {
  const end = argv.indexOf('--')
  const options = argv.slice(0, end < 0 ? argv.length : end).filter((word) => /^-./.test(word))
  const name = options.find((word) => isHere(word, io))
  if (name !== undefined)
    throw new Refusal(
      `\`${name}\` is the name of a file here, and would be read as an option`,
      `rename the file, or write \`./${name}\` where it is meant`,
    )
}

function isHere(name: string, io: Io): boolean {
  try {
    return lstatSync(resolve(io.cwd, name), { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}

/** Whether a command line asks for the version as JSON, which is no command of the table. */
export function isVersionJson(argv: readonly string[]): boolean {
  return argv.length === 2 && argv.includes('--json') && (argv.includes('--version') || argv.includes('-V'))
}

/** Whether a word is the name of a command, or another spelling of it. */
const isCalled = ({ name, alias }: CommandEntry, word: string | undefined): boolean =>
  name === word || (word !== undefined && alias === word)

/** The command that is asked for where there is none of that name, so that `--help` does not explain something else. */
function unknownCommand(argv: readonly string[]): string | undefined {
  const [first, second] = argv.filter((word) => !word.startsWith('-'))
  const name = first === 'help' ? second : first
  return name === 'help' || commands.some((entry) => isCalled(entry, name)) ? undefined : name
}

/** Commands by the names that other linters, policy engines and simulators give them. */
const otherNames: ReadonlyMap<string, string> = new Map(
  Object.entries({
    lint: ['check', 'validate', 'verify', 'analyze', 'analyse', 'audit', 'scan'],
    can: ['simulate', 'authorize', 'authorise', 'evaluate', 'eval', 'decide', 'is-authorized', 'query'],
    who: ['who-can', 'whocan'],
    what: ['what-can', 'whatcan', 'permissions'],
    serve: ['emulate', 'emulator', 'server', 'mock'],
    lsp: ['language-server'],
    rules: ['list-rules'],
    'lint --fix': ['fix'],
    fmt: ['format', 'formatter', 'prettify', 'prettier'],
  }).flatMap(([command, names]) => names.map((name): readonly [string, string] => [name, command])),
)

function refusalOf({ code, message: text }: CommanderError, unknown: string | undefined): Refusal {
  // The value of an unknown option is not repeated: it may be a secret.
  const safe = code === 'commander.unknownOption' ? text.replace(/^([^=\n]*)=.*?'(?=\n|$)/s, "$1'") : text
  // The name that the message repeats may have several lines as well.
  const [, message = '', names] = /^(.*?)(?:\n\(Did you mean (?:one of )?([^\n]*)\?\))?$/s.exec(safe.replace(/^error: |\.$/g, '')) ?? []
  const command = otherNames.get(unknown ?? '')
  if (command !== undefined) return new Refusal(message.replaceAll("'", '`'), `did you mean \`${command}\`?`)
  return new Refusal(message.replaceAll("'", '`'), names === undefined ? undefined : meant(names.split(', ')))
}

const meant = (names: readonly string[]) => `did you mean ${names.map((name) => `\`${name}\``).join(' or ')}?`

function checkArguments(command: string, args: readonly string[], entries: readonly ArgumentEntry[]): void {
  for (const [i, [, , values]] of entries.entries()) {
    const argument = args[i]
    if (values && argument !== undefined) choice(command, argument, values)
  }
}

/** How wide help is at most, and where the terminal is not that wide. */
const [widestHelp, narrowestHelp] = [100, 60]

function programOf(io: Io, isAll: boolean): Command {
  const helpWidth = Math.max(narrowestHelp, Math.min(widestHelp, io.stdout.width?.() ?? widestHelp))
  const program = new Command('grantwise')
    .description('Offline linter and simulator for cloud IAM policies.')
    .version(`grantwise ${version}`, '-V, --version', 'print the version; with --json, also what it was built from and runs on')
    .commandsGroup(groups.setUp)
    .helpCommand('help [command]', 'show help for a command')
    .helpOption('-h, --help', 'show help')
    .configureHelp({ ...helpLayout(isAll, helpWidth), subcommandTerm: (command) => command.name() })
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      outputError: () => {},
      getOutHelpWidth: () => helpWidth,
      getErrHelpWidth: () => helpWidth,
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
  for (const entry of commonOptions) program.addOption(new Option(entry.flags, textOf(entry)))
  return program
}

/** A command of the program; `problems` gets what is wrong with the values of its options. `isAll`: its help lists all of them. */
function commandOf(
  program: Command,
  { name, alias, group, summary, arguments: entries, options, examples }: CommandEntry,
  problems: Reason[],
  isAll: boolean,
): Command {
  const command = program.command(name).description(summary).helpGroup(groups[group])
  if (alias !== undefined) command.alias(alias)
  for (const [notation, text, values] of entries) command.argument(notation, values ? `${text}: ${values.join(', ')}` : text)
  const seen = new Set<string>()
  for (const entry of options) {
    const option = new Option(entry.flags, textOf(entry))
    const heading = optionGroupOf(entry)
    if (heading !== undefined) option.helpGroup(heading)
    const usual = entry.many ? [] : (entry.default ?? (option.required || option.negate ? undefined : false))
    if (usual !== undefined) option.default(usual)
    if (option.required) {
      const { many } = entry
      option.argParser<unknown>((text, before) => {
        const value = attempt(() => readValue(entry, text), problems)
        return many ? [...(before as readonly unknown[]), value] : value
      })
    }
    command.addOption(option)
    command.on(`option:${option.name()}`, () => {
      seen.add(option.name())
      if (seen.has('config') && seen.has('no-config')) throw new Refusal('--config and --no-config cannot be combined', 'keep one of them')
    })
  }
  const rest = isAll ? '' : restLine(name, options)
  return command.addHelpText('after', `${rest}\nExamples:\n${examples.map(([line, text]) => `  $ ${line}\n      ${text}\n`).join('')}`)
}
