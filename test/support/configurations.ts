import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parse } from 'yaml'
import type { Io } from '../../src/cli/app/io.ts'
import { main } from '../../src/cli/main.ts'

/**
 * A configuration of the corpus: a folder of files as users write them, and `expect.yaml` next to them. A `.grantwise.yaml`
 * among them is the configuration that it is read with.
 *
 * What is to be found is marked in the files, below the line it is found in, as in the examples of rules: a comment of
 * carets under exactly what is found, and the code. Such lines are taken out before anything is read.
 *
 * `expect.yaml` holds
 * - `unknown`: how many expressions have values that are not known; names that are made in the same configuration are known well enough,
 * - `questions`: `ask` is WHO ACTION RESOURCE and what else is known (`at=`, `ip=`, `tag.KEY=`), `say` the verdict, `missing`
 *   the facts on which an unknown one depends. `ann@web,ops` is a user and groups, `oauth2-x` a service account, `vps:vps-1` a
 *   resource of the region `eu`; whole URNs are taken as they are,
 * - `says`: words that the messages or helps of the findings hold, in order,
 * - `at`: what is found where carets cannot say it: `FILE:LINE CODE`.
 */
export interface Expectation {
  readonly unknown?: number
  readonly questions?: readonly { readonly ask: string; readonly say: string; readonly missing?: readonly string[] }[]
  readonly says?: readonly string[]
  readonly at?: readonly string[]
}

export interface CorpusCase {
  readonly expected: Expectation
  /** Texts by their paths in the folder, without carets. */
  readonly files: ReadonlyMap<string, string>
  /** The findings that carets mark: `main.tf:2:15-18 unknown-product`. */
  readonly marks: readonly string[]
}

const caretLine = /^#( *)(\^+) ([a-z-]+)\r?$/

export function readCase(folder: string): CorpusCase {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
  const files = new Map<string, string>()
  const marks: string[] = []
  for (const name of names) {
    const text = readFileSync(join(folder, name), 'utf8')
    if (name === 'expect.yaml') continue
    const lines: string[] = []
    for (const line of text.split('\n')) {
      const [, blanks = '', run = '', code] = caretLine.exec(line) ?? []
      if (code === undefined) lines.push(line)
      else marks.push(`${name}:${lines.length}:${blanks === '' ? 1 : blanks.length + 2}-${blanks.length + 2 + run.length} ${code}`)
    }
    files.set(name, lines.join('\n'))
  }
  return { expected: parse(readFileSync(join(folder, 'expect.yaml'), 'utf8')) as Expectation, files, marks }
}

/** Write files to a folder of their own, do something there, and take it away again. */
export async function inFolder<T>(files: ReadonlyMap<string, string>, act: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'grantwise-hcl-'))
  try {
    for (const [name, text] of files) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
    }
    return await act(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The instant that everything is judged at. */
const now = Date.UTC(2026, 0, 15, 12)

/** Run the program in this process. */
export async function run(cwd: string, args: readonly string[], input = '') {
  const out = { stdout: '', stderr: '' }
  const sink = (name: 'stdout' | 'stderr'): Io['stdout'] => ({
    write(text, care) {
      out[name] += care ? care(text) : text
      return true
    },
    isTerminal: () => false,
  })
  const io: Io = {
    stdin: async function* () {
      yield Buffer.from(input)
    },
    stdout: sink('stdout'),
    stderr: sink('stderr'),
    env: {},
    cwd,
    now: () => now,
  }
  const code = await main(args, io)
  return { code, ...out }
}

export interface Found {
  readonly code: string
  readonly message: string
  readonly help: string | null
  readonly file: string
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
}

/** A folder says by a `.grantwise.yaml` of its own what it is read with; nothing above it does. */
const configOf = (folder: string) => (existsSync(join(folder, '.grantwise.yaml')) ? [] : ['--no-config'])

/** Findings of `lint` in a folder, and the expressions whose values it does not know. */
export async function lintFolder(folder: string): Promise<{ readonly findings: readonly Found[]; readonly unknown: readonly string[] }> {
  const { stdout, stderr } = await run(folder, ['lint', '.', ...configOf(folder), '--format', 'json'])
  if (stdout === '') throw new Error(stderr)
  const { findings, unknown = [] } = JSON.parse(stdout) as { readonly findings: readonly Found[]; readonly unknown?: readonly string[] }
  return { findings, unknown }
}

/** A finding as carets say it; one that goes on into further lines ends with its first. */
export function markOf({ code, file, line, column, endLine, endColumn }: Found, files: ReadonlyMap<string, string>): string {
  const text = files.get(file)?.split('\n')[line - 1]?.replace(/\r$/, '') ?? ''
  return `${file}:${line}:${column}-${endLine === line ? endColumn : text.length + 1} ${code}`
}

/** Answers of `can` to questions, one by one. */
export async function ask(folder: string, questions: readonly string[]) {
  const input = questions.map((text) => `${JSON.stringify(questionOf(text))}\n`).join('')
  const { stdout, stderr, code } = await run(folder, ['can', '--batch', '-', '-p', '.', ...configOf(folder)], input)
  if (code !== 0) throw new Error(stderr || stdout)
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly verdict: string; readonly missing: readonly string[] })
}

function questionOf(text: string): Record<string, unknown> {
  const [who = '', action = '', resource = '', ...facts] = text.split(' ')
  const [name = '', groups] = who.split('@')
  const kind = name.startsWith('oauth2-') ? 'credential' : 'user'
  const given = facts.map((fact) => [fact.slice(0, fact.indexOf('=')), fact.slice(fact.indexOf('=') + 1)] as const)
  const tags = given.filter(([key]) => key.startsWith('tag.')).map(([key, value]) => [key.slice(4), value])
  return {
    identity: name.startsWith('urn:') ? name : `urn:v1:eu:identity:${kind}:ab12-svc/${name}`,
    action,
    resource: resource.startsWith('urn:') ? resource : `urn:v1:eu:resource:${resource}`,
    ...(groups !== undefined && { groups: groups.split(',').map((group) => `urn:v1:eu:identity:group:ab12-svc/${group}`) }),
    ...(tags.length > 0 && { tags: Object.fromEntries(tags) }),
    at: new Date(now).toISOString(),
    ...Object.fromEntries(given.filter(([key]) => !key.startsWith('tag.'))),
  }
}
