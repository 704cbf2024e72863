import { nearest } from '../../nearest.ts'
import { guardOutput, shown } from '../../report/safe.ts'
import { readCommandLine } from '../app/command-line.ts'
import { type CommandEntry, commands, type Options, type Run } from '../app/commands.ts'
import { type ExitCode, exit } from '../app/exit.ts'
import type { Io, Sink } from '../app/io.ts'
import { longName } from '../app/options.ts'
import { Refusal } from '../app/refusal.ts'
import { type Fact, flagOf } from '../input/assumptions.ts'
import { blocksOf, linesOf, tooLong } from '../input/lines.ts'
import { Session } from '../input/session.ts'
import { quoted, wordsOf } from '../input/words.ts'
import type { Loader } from '../input/world.ts'
import { reportError } from '../output/errors.ts'
import { lineCommands, ownCommands, type QuestionName, questions } from './repl-lines.ts'

type AnyAnswer = (args: readonly string[], options: object, io: Io, loader: Loader) => Promise<ExitCode>

/** The options that belong to a session, and to none of its questions. */
const sessionOptions = '--policies --format-in --root --var --var-file --var-env --config --no-config --with --batch --jobs --plan'.split(
  ' ',
)

/** `repl`: load once, answer many questions. */
export const run: Run<'repl'> = async (_, options, io) => {
  if ([...options.policies, ...options.with].includes('-'))
    throw new Refusal('standard input cannot hold both the questions and the policies', 'name a file')
  const terminal = io.terminal?.()
  const apart = { ...io, stdin: refuseInput }
  if (!terminal) {
    const script = new Script(apart)
    const session = await Session.open(options, script.io)
    return session ? runScript(session, script, options, io.stdin()) : exit.error
  }
  const session = await Session.open(options, apart)
  if (!session) return exit.error
  const { converse } = await import('../live/prompt.ts')
  const answers = new Answers(session, options, apart)
  terminal.output.write(`${session.summary()}; \`help\` lists the commands\n`)
  await converse(terminal, {
    prompt: () => promptOf(session),
    answer: (line) => answers.attempt(line),
    complete: async (line) => (await import('./repl-complete.ts')).completions(line, session, io),
    history: (await import('../live/history.ts')).openHistory(options, io),
  })
  return exit.success
}

function refuseInput(): never {
  throw new Refusal('standard input holds the lines of the session', 'name a file')
}

function promptOf({ facts }: Session): string {
  return `grantwise${facts.length === 0 ? '' : ` (${facts.length})`}> `
}

/** The outcome of a line. */
type Outcome = 'answered' | 'failed' | 'end'

/** Answers lines over a session. */
class Answers {
  private readonly session: Session
  private readonly options: Options<'repl'>
  private readonly io: Io
  /** The options of commands in lines that give none. */
  private readonly usual = new Map<QuestionName, Readonly<Record<string, unknown>>>()

  constructor(session: Session, options: Options<'repl'>, io: Io) {
    this.session = session
    this.options = options
    this.io = io
  }

  /** Answer a line; what is wrong with it is reported. */
  async attempt(line: string): Promise<Outcome> {
    try {
      return await this.answer(line)
    } catch (error) {
      reportError(error, this.io)
      return 'failed'
    }
  }

  private async answer(line: string): Promise<Outcome> {
    const words = wordsOf(line)
    const [name, ...args] = words[0] === 'grantwise' ? words.slice(1) : words
    if (name === undefined) return 'answered'
    if (isQuestion(name)) return this.ask(name, args)
    switch (name) {
      case 'assume': {
        const fact = await this.session.assume(args)
        if (!fact) return 'failed'
        this.acknowledge(`${this.session.facts.length}  ${fact.words}`)
        return 'answered'
      }
      case 'retract':
        return this.retract(args)
      case 'undo':
        takes(name, args, 0)
        if (!(await this.session.undo())) throw new Refusal('there is nothing to undo')
        this.list()
        return 'answered'
      case 'facts':
        takes(name, args, 0)
        this.io.stdout.write(this.factLines())
        return 'answered'
      case 'reload':
        takes(name, args, 0)
        if (!(await this.session.reload())) throw new Refusal('nothing is reloaded: the session keeps what it has read before')
        this.acknowledge(this.session.summary())
        return 'answered'
      case 'help':
        takes(name, args, 1)
        return this.help(args[0])
      case 'exit':
      case 'quit':
        takes(name, args, 0)
        return 'end'
    }
    throw unknownCommand(name)
  }

  private async ask(name: QuestionName, args: readonly string[]): Promise<Outcome> {
    const entry = entryOf(name)
    const read = this.optionsOf(entry, name, args)
    if (read === undefined) return 'answered'
    const { facts } = this.session
    const takesFact = (fact: Fact) => entry.options.some((option) => longName(option) === flagOf(fact))
    const unused = facts.filter((fact) => fact.option !== 'with' && !takesFact(fact))
    if (!['expand', 'rules', 'lint'].includes(name))
      for (const { words } of unused) this.io.stderr.write(`grantwise: note: \`${name}\` does not use the assumption: ${words}\n`)
    const { policies, root } = this.options
    const options = { ...withFacts(read.options, facts.filter(takesFact)), policies, root }
    const { run } = (await questions[name]()) as { readonly run: unknown }
    const paths = name === 'lint' && read.args.length === 0 ? policies : read.args
    await (run as AnyAnswer)(paths, options, this.io, this.session.loader)
    return 'answered'
  }

  /** The options of a command on a line; undefined where the line asked for help, which was printed. */
  private optionsOf({ arguments: entries, options }: CommandEntry, name: QuestionName, args: readonly string[]) {
    const isPlain = args.length <= entries.length && args.every((arg) => !arg.startsWith('-'))
    const usualOptions = isPlain && this.usual.get(name)
    if (usualOptions) return { args, options: usualOptions }
    for (const { flags } of options) {
      const flag = longName({ flags, text: '' })
      if (!sessionOptions.includes(flag)) continue
      const short = /^-\w/.exec(flags)?.[0]
      if (args.some((arg) => arg === flag || arg.startsWith(`${flag}=`) || (short !== undefined && arg.startsWith(short))))
        throw new Refusal(`\`${flag}\` holds for a session, not for one question`, helpFor(flag))
    }
    if (args.some((arg) => /^(?:-o|--output(?:=|$))/.test(arg)))
      throw new Refusal('`--output` is not for a question of a session, which answers on standard output')
    const { format, fullUrns, color, config } = this.options
    const takes = (flag: string) => options.some((option) => longName(option) === flag)
    const givenOptions = [
      ...(takes('--format') && !args.some((arg) => arg.startsWith('--format')) ? ['--format', format] : []),
      ...(fullUrns && takes('--full-urns') ? ['--full-urns'] : []),
      ...(color === undefined ? [] : [color ? '--color' : '--no-color']),
      ...(takes('--config') && typeof config === 'string' ? ['--config', config] : []),
      ...(takes('--config') && typeof config === 'boolean' ? ['--no-config'] : []),
    ]
    const read = readCommandLine([name, ...givenOptions, ...args], this.io)
    if (typeof read === 'number') return undefined
    if (isPlain) this.usual.set(name, read.options)
    return read
  }

  private async retract(args: readonly string[]): Promise<Outcome> {
    takes('retract', args, 1)
    const { facts } = this.session
    if (facts.length === 0) throw new Refusal('nothing is assumed')
    const [which = String(facts.length)] = args
    const index = /^\d{1,9}$/.test(which) ? Number(which) : Number.NaN
    if (which !== 'all' && !(index >= 1 && index <= facts.length))
      throw new Refusal(`\`retract ${which}\`: expected \`all\` or a number from 1 to ${facts.length}`)
    if (!(await this.session.keep(which === 'all' ? [] : facts.filter((_, i) => i !== index - 1)))) return 'failed'
    this.list()
    return 'answered'
  }

  /** Say what is assumed after a change. */
  private list(): void {
    this.acknowledge(assumedLines(this.session).trimEnd())
  }

  private factLines(): string {
    const { facts } = this.session
    const options = facts.map((fact) => ` ${flagOf(fact)} ${quoted(fact.value)}`)
    return `${this.session.summary()}\n${assumedLines(this.session)}${facts.length === 0 ? '' : `as options:${options.map(shown).join('')}\n`}`
  }

  /** Report that something was done: as a note on standard error where programs read the answers. */
  private acknowledge(text: string): void {
    if (this.options.format === 'pretty') this.io.stdout.write(`${text}\n`)
    else for (const line of text.split('\n')) this.io.stderr.write(`grantwise: note: ${line}\n`)
  }

  private help(about: string | undefined): Outcome {
    if (about !== undefined && isQuestion(about)) readCommandLine([about, '--help'], this.io)
    else if (about !== undefined && !lineCommands.includes(about)) throw unknownCommand(about)
    else this.io.stdout.write(helpText(about))
    return 'answered'
  }
}

function isQuestion(name: string): name is QuestionName {
  return Object.hasOwn(questions, name)
}

function entryOf(name: QuestionName): CommandEntry {
  return commands.find((entry) => entry.name === name) as CommandEntry
}

function takes(name: string, args: readonly string[], most: number): void {
  if (args.length <= most) return
  throw new Refusal(`\`${name}\` takes ${most === 0 ? 'no argument' : `at most ${most} argument`}; ${args.length} given`)
}

function unknownCommand(name: string): Refusal {
  const suggested = nearest(name, lineCommands)
  return new Refusal(
    `unknown command \`${name}\``,
    suggested === undefined ? '`help` lists the commands' : `did you mean \`${suggested}\`?`,
  )
}

function helpFor(flag: string): string | undefined {
  if (flag === '--with') return 'use `assume with FILE`'
  return flag === '--batch' || flag === '--jobs' || flag === '--plan' ? undefined : 'start another session with it'
}

/** The options of a question, with the facts of the session. What the line itself states counts in their place. */
function withFacts(options: Readonly<Record<string, unknown>>, facts: readonly Fact[]): Readonly<Record<string, unknown>> {
  if (facts.length === 0) return options
  const out: Record<string, unknown> = { ...options }
  for (const key of new Set(facts.map(({ option }) => option))) {
    const values = facts.filter(({ option }) => option === key).map(({ value }) => value)
    const sessionValue = options[key]
    if (!Array.isArray(sessionValue)) out[key] = sessionValue ?? values[0]
    else out[key] = key === 'at' && sessionValue.length > 0 ? sessionValue : [...values, ...sessionValue]
  }
  return out
}

function assumedLines({ facts }: Session): string {
  return facts.length === 0 ? 'nothing is assumed\n' : facts.map(({ words }, i) => `${i + 1}  ${words}\n`).join('')
}

function helpText(about: string | undefined): string {
  const asked = Object.keys(questions).map((name) => [name, entryOf(name as QuestionName).summary] as const)
  const block = (lines: readonly (readonly [string, string])[], width = 30) =>
    lines.map(([form, text]) => `  ${form.padEnd(width)} ${text}\n`).join('')
  const listedCommands = ownCommands.filter(([form]) => about === undefined || form.startsWith(about))
  return about === undefined
    ? `Ask, as on the command line (help COMMAND shows its arguments and options):\n${block(asked, 10)}\nAssume:\n${block(listedCommands)}`
    : block(listedCommands)
}

/** The size of held text above which it is written. */
const muchOutput = 1 << 16

/** The streams of a script: answers are held until there is nothing more to read, and errors name the line. */
class Script {
  /** The number of the line that is answered; 0 before the first. */
  line = 0
  isOpen = true
  readonly io: Io
  private readonly out: Sink
  private readonly noted = new Set<string>()
  private held = ''

  constructor(io: Io) {
    this.out = io.stdout
    this.io = {
      ...io,
      stdout: { ...io.stdout, write: (text, care = guardOutput) => this.write(care(text)) },
      stderr: {
        ...io.stderr,
        write: (text, care) => {
          if (text.startsWith('grantwise: note: ') && this.wasNoted(text)) return true
          this.flush()
          return io.stderr.write(this.line === 0 ? text : text.replace(/^grantwise: /gm, `grantwise: line ${this.line}: `), care)
        },
      },
    }
  }

  /** Write the held text. False when the reader has closed the output. */
  flush(): boolean {
    if (this.held !== '') this.isOpen = this.out.write(this.held, asIs) && this.isOpen
    this.held = ''
    return this.isOpen
  }

  private write(text: string): boolean {
    this.held += text
    return this.held.length > muchOutput ? this.flush() : this.isOpen
  }

  private wasNoted(text: string): boolean {
    if (this.noted.size > 10_000) this.noted.clear()
    return this.noted.size === this.noted.add(text).size
  }
}

const asIs = (text: string) => text

/** Answer the lines of standard input. */
async function runScript(session: Session, script: Script, options: Options<'repl'>, input: AsyncIterable<Uint8Array>): Promise<ExitCode> {
  const { io } = script
  const answers = new Answers(session, options, io)
  let code: ExitCode = exit.success
  for await (const { bytes, first } of blocksOf(input)) {
    script.line = first - 1
    for (const line of bytes ? linesOf(bytes) : [{ fault: tooLong }]) {
      script.line++
      const text = typeof line === 'string' ? line.replace(/\r$/, '').replace(script.line === 1 ? /^\ufeff/ : '', '') : ''
      if (options.echo && text.trim() !== '') io.stdout.write(`${promptOf(session)}${shown(text)}\n`)
      let outcome: Outcome = 'failed'
      if (typeof line === 'string') outcome = await answers.attempt(text)
      else io.stderr.write(`grantwise: ${line.fault}\n`)
      if (outcome === 'failed') code = exit.error
      if (outcome === 'end' || (outcome === 'failed' && options.stopOnError)) return script.flush() ? code : exit.error
      if (!script.isOpen) return exit.error
    }
    if (!script.flush()) return exit.error
  }
  return code
}
