import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeep, isWhole } from './effort.ts'
import { mainIn } from './in-process.ts'

/**
 * A scenario is a text file: what it is about, the files there are, then commands with what they must print.
 *
 *     --- file NAME            the lines up to the next `---` or `$`
 *     --- hex NAME             the same, as bytes in hexadecimal
 *     --- repeat NAME COUNT    the one line below, COUNT times, without line breaks
 *     --- link NAME TARGET     a symbolic link
 *     --- fifo NAME            a named pipe
 *     --- folder NAME
 *
 *     $ grantwise lint p.json        a command; quotes as in a shell, VARIABLE=VALUE before it, `< NAME` after it
 *     what standard output holds     `...` stands for any lines
 *     ! what standard error holds
 *     exit 1
 */
export interface Scenario {
  readonly about: string
  readonly setup: readonly Setup[]
  readonly commands: readonly CommandCase[]
}

interface Setup {
  readonly kind: string
  readonly name: string
  readonly argument: string
  readonly content: string
}

export interface CommandCase {
  readonly line: string
  readonly stdout: readonly string[]
  readonly stderr: readonly string[]
  readonly exit: number
}

export function readScenario(text: string): Scenario {
  const about: string[] = []
  const setup: { kind: string; name: string; argument: string; content: string }[] = []
  const commands: { line: string; stdout: string[]; stderr: string[]; exit: number }[] = []
  for (const line of text.replace(/\n$/, '').split('\n')) {
    const command = commands.at(-1)
    if (line.startsWith('$ ')) commands.push({ line: line.slice(2), stdout: [], stderr: [], exit: Number.NaN })
    else if (command) {
      if (line.startsWith('! ')) command.stderr.push(line.slice(2))
      else if (/^exit \d$/.test(line)) command.exit = Number(line.slice(5))
      else if (line !== '' || Number.isNaN(command.exit)) command.stdout.push(line)
    } else if (line.startsWith('--- ')) {
      const [, kind = '', name = '', argument = ''] = line.split(' ')
      setup.push({ kind, name, argument, content: '' })
    } else {
      const part = setup.at(-1)
      if (part) part.content += `${line}\n`
      else about.push(line)
    }
  }
  return { about: about.join(' ').trim(), setup, commands }
}

/** A new folder with the scenario's files. */
export function prepare(setup: readonly Setup[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'grantwise-'))
  for (const { kind, name, argument, content } of setup) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    // An empty line before the next part or command is for the reader.
    const text = content.replace(/\n\n$/, '\n')
    if (kind === 'file') writeFileSync(path, text === '\n' ? '' : text)
    else if (kind === 'hex') writeFileSync(path, Buffer.from(text.replace(/\s/g, ''), 'hex'))
    else if (kind === 'repeat') writeFileSync(path, text.trimEnd().repeat(Number(argument)))
    else if (kind === 'link') symlinkSync(argument, path)
    else if (kind === 'folder') mkdirSync(path, { recursive: true })
    else if (kind === 'fifo') spawnSync('mkfifo', [path])
    else throw new Error(`unknown part of a scenario: ${kind}`)
  }
  return folder
}

export function cleanUp(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}

export const binary = fileURLToPath(new URL('../../bin/grantwise.js', import.meta.url))

export interface Outcome {
  readonly stdout: string
  readonly stderr: string
  readonly exit: number | null
}

/**
 * Run a command line of a scenario in its folder: in a deep run with the built program, else as `runProgram` does. What only a process
 * has needs the built program in any case: a time zone, and the version, which is answered before the program is loaded.
 */
export function runLine(line: string, folder: string): Promise<Outcome> {
  const [command = '', input] = line.split(' < ')
  const words = wordsOf(command)
  const start = words.indexOf('grantwise')
  const env = Object.fromEntries(words.slice(0, start).map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]))
  const args = words.slice(start + 1)
  const run = isDeep || 'TZ' in env || args.join(' ') === '-v' ? runBinary : runProgram
  return run(args, folder, env, input)
}

/** Run the program: as it is built in a whole deep run, and else in this process, which takes a tenth of the time. */
export function runProgram(...run: Parameters<typeof runBinary>): Promise<Outcome> {
  return isWhole ? runBinary(...run) : mainIn(...run)
}

/** Run the built program. The environment holds nothing else; `input` is a file for standard input, empty without. */
export function runBinary(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
  input?: string,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [binary, ...args], { cwd, env: { ...env }, stdio: 'pipe' })
    const read = (stream: NodeJS.ReadableStream) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      return () => Buffer.concat(chunks).toString()
    }
    const [stdout, stderr] = [read(child.stdout), read(child.stderr)]
    child.on('error', reject)
    child.on('close', (exit) => resolve({ stdout: stdout(), stderr: stderr(), exit }))
    child.stdin.on('error', () => {})
    child.stdin.end(input === undefined ? '' : readFileSync(join(cwd, input)))
  })
}

/** The words of a line, with quotes as in a shell. */
export function wordsOf(line: string): string[] {
  return [...line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) => word.replace(/'([^']*)'|"([^"]*)"/g, '$1$2'))
}

/** Whether lines are as expected, where `...` stands for any number of them. */
export function fits(actual: readonly string[], expected: readonly string[]): boolean {
  const gap = expected.indexOf('...')
  if (gap < 0) return actual.length === expected.length && actual.every((line, i) => line === expected[i])
  const rest = expected.slice(gap + 1)
  if (!expected.slice(0, gap).every((line, i) => line === actual[i])) return false
  for (let from = gap; from <= actual.length; from++) if (fits(actual.slice(from), rest)) return true
  return false
}

/** The lines of an output; none for an empty one. A missing line break at the end shows as a line of its own. */
export function linesOf(output: string): string[] {
  if (output === '') return []
  return output.endsWith('\n') ? output.slice(0, -1).split('\n') : [...output.split('\n'), '(no line break at the end)']
}
