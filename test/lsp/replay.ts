import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ClientCapabilities, Diagnostic, Position } from 'vscode-languageserver'
import { main } from '../../src/cli/main.ts'
import { ioIn } from '../support/in-process.ts'
import { type Client, inProcess, uriOf } from './client.ts'

/** Steps in an editor, or outside of it. Paths are relative to the folder of the session. */
export type Step =
  | { readonly open: string; readonly text?: string; readonly language?: string }
  /** The first occurrence of a text becomes another one, by a change of just that range. */
  | { readonly in: string; readonly replace: string; readonly by: string }
  /** The same, sent as a change for each character: first those that go, then those that come. */
  | { readonly in: string; readonly type: string; readonly after: string }
  | { readonly in: string; readonly set: string }
  /** Back to the text before the last change. */
  | { readonly undo: string }
  | { readonly save: string }
  | { readonly close: string }
  /** Files are written, or deleted where there is null, outside of the editor, which says so. */
  | { readonly disk: Readonly<Record<string, string | null>> }
  | { readonly settings: Readonly<Record<string, unknown>> }

/** An editing session. After each step the diagnostics are those of `grantwise lint` on the same texts. */
export interface Session {
  readonly name: string
  readonly files: Readonly<Record<string, string>>
  /** Folders of the workspace; the folder of the session where none is named. */
  readonly folders?: readonly string[]
  readonly settings?: Readonly<Record<string, unknown>>
  readonly encoding?: 'utf-8' | 'utf-16' | 'utf-32'
  /** Diagnostics are pulled. */
  readonly pulled?: true
  /** Files that are looked at by themselves while they are open, as `grantwise lint FILE`. */
  readonly alone?: readonly string[]
  /** Symbolic links, by what they name. */
  readonly links?: Readonly<Record<string, string>>
  readonly steps: readonly Step[]
}

/** The instant of all sessions. */
export const now = Date.UTC(2026, 5, 1, 12)

/** The fields of a finding that are compared. */
interface Seen {
  readonly file: string
  readonly from: string
  readonly to: string
  readonly code: string
  readonly severity: string
  readonly text: string
}

const severities = ['', 'error', 'warning', 'info']

/** The two sides that are compared: a server and a command line. */
export interface Sides {
  readonly client: (folder: string) => Client
  /** The output of `grantwise lint` with some arguments. */
  readonly lint: (args: readonly string[], cwd: string, input: string | undefined) => Promise<string>
  /** Asked while server and command line differ: whether to look at the server once more. */
  readonly again: (times: number) => Promise<boolean>
}

/** Both in this process, with one clock. The server says when it is settled. */
const inThisProcess: Sides = {
  client: (folder) => inProcess(folder, () => now),
  lint: async (args, cwd, input) => {
    const { io, out } = ioIn(cwd, {})
    const stdin = async function* () {
      if (input !== undefined) yield Buffer.from(input)
    }
    await main(['lint', ...args], { ...io, now: () => now, stdin })
    return out.stdout
  },
  again: async () => false,
}

/** Replay a session, and give what differs from the command line after each step: nothing, where all is well. */
export async function replay(session: Session, sides: Sides = inThisProcess): Promise<readonly string[]> {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'grantwise-session-')))
  const folder = join(top, 'work')
  mkdirSync(folder)
  const { folders = ['.'], encoding } = session
  const disk = new Map(Object.entries(session.files))
  for (const [path, text] of disk) put(folder, path, text)
  for (const [path, target] of Object.entries(session.links ?? {})) symlinkSync(target, join(folder, path))
  const open = new Map<string, { text: string; readonly past: string[] }>()
  let settings = session.settings ?? {}
  const client = sides.client(folder)
  const capabilities: ClientCapabilities = {
    general: encoding ? { positionEncodings: [encoding, 'utf-16'] } : {},
    ...(session.pulled && { textDocument: { diagnostic: {} }, workspace: { diagnostics: { refreshSupport: true } } }),
  }
  await client.start(
    folders.map((each) => join(folder, each)),
    { capabilities, settings },
  )
  const differences: string[] = []
  let last: readonly Seen[] = []
  const compare = async (when: string) => {
    await client.settled()
    const texts = new Map([...disk, ...[...open].map(([path, { text }]) => [path, text] as const)])
    const alone = (session.alone ?? []).filter((path) => open.has(path))
    const found = await linted(session, texts, folders, alone, settings, top, sides)
    const isConfig = ({ file }: Seen) => /(?:^|\/)\.grantwise\.\w+$/.test(file)
    // Where the command line refuses, the editor shows why, and leaves all else as it was.
    const expected = found ?? last.filter((each) => !isConfig(each))
    last = expected
    for (let times = 0; ; times++) {
      const all = await shown(client, folder, (path) => texts.get(path) ?? '', session)
      const seen = found ? all : all.filter((each) => !isConfig(each))
      const here = differencesOf(seen, expected)
      if (!found && all.length === seen.length) here.push('it is not shown why the configuration is refused')
      if (here.length > 0 && (await sides.again(times))) continue
      differences.push(...here.map((each) => `${when}: ${each}`))
      return
    }
  }
  await compare('at the start')
  for (const [i, step] of session.steps.entries()) {
    const change = async (path: string, next: string, changes: Parameters<Client['change']>[1]) => {
      const now = open.get(path)
      if (!now) throw new Error(`${path} is not open`)
      now.past.push(now.text)
      now.text = next
      await client.change(uriIn(folder, path), changes)
    }
    if ('open' in step) {
      const text = step.text ?? disk.get(step.open) ?? ''
      open.set(step.open, { text, past: [] })
      await client.open(uriIn(folder, step.open), text, step.language)
    } else if ('replace' in step || 'type' in step) {
      const { text } = open.get(step.in) as { readonly text: string }
      if ('replace' in step) {
        const start = text.indexOf(step.replace)
        if (start < 0) throw new Error(`\`${step.replace}\` is not in ${step.in}`)
        const end = start + step.replace.length
        const range = { start: positionOf(text, start, encoding), end: positionOf(text, end, encoding) }
        await change(step.in, text.slice(0, start) + step.by + text.slice(end), [{ range, text: step.by }])
      } else {
        let at = text.indexOf(step.after) + step.after.length
        let now = text
        const changes = [...step.type].map((character) => {
          const range = { start: positionOf(now, at, encoding), end: positionOf(now, at, encoding) }
          now = now.slice(0, at) + character + now.slice(at)
          at += character.length
          return { range, text: character }
        })
        for (const each of changes.slice(0, -1)) await client.change(uriIn(folder, step.in), [each])
        await change(step.in, now, changes.slice(-1))
      }
    } else if ('set' in step) await change(step.in, step.set, [{ text: step.set }])
    else if ('undo' in step) {
      const now = open.get(step.undo)
      const text = now?.past.pop() ?? ''
      await change(step.undo, text, [{ text }])
      now?.past.pop()
    } else if ('save' in step) {
      const text = open.get(step.save)?.text ?? ''
      disk.set(step.save, text)
      put(folder, step.save, text)
      await client.save(uriIn(folder, step.save))
    } else if ('close' in step) {
      open.delete(step.close)
      await client.close(uriIn(folder, step.close))
    } else if ('disk' in step) {
      for (const [path, text] of Object.entries(step.disk)) {
        if (text === null) {
          disk.delete(path)
          rmSync(join(folder, path))
        } else {
          disk.set(path, text)
          put(folder, path, text)
        }
      }
      await client.outside(...Object.keys(step.disk).map((path) => uriIn(folder, path)))
    } else {
      settings = step.settings
      await client.configure(settings)
    }
    await compare(`after step ${i + 1}, ${JSON.stringify(step).slice(0, 200)}`)
  }
  await client.end()
  rmSync(top, { recursive: true })
  return differences
}

/** Differences between an editor and the command line. */
function differencesOf(seen: readonly Seen[], expected: readonly Seen[]): string[] {
  const [a, b] = [new Set(seen.map(line)), new Set(expected.map(line))]
  return [
    ...[...a].filter((each) => !b.has(each)).map((each) => `only in the editor: ${each}`),
    ...[...b].filter((each) => !a.has(each)).map((each) => `only on the command line: ${each}`),
    ...(seen.length === a.size ? [] : ['a finding is shown twice']),
  ]
}

function put(folder: string, path: string, text: string): void {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

const uriIn = (folder: string, path: string) => (/^[a-z]+:/.test(path) ? path : uriOf(join(folder, path)))

/** Findings that the editor shows now. */
async function shown(
  client: Client,
  folder: string,
  textOf: (path: string) => string,
  { encoding, pulled }: Session,
): Promise<readonly Seen[]> {
  const pathOf = (uri: string) => (uri.startsWith('file:') ? decodeURIComponent(uri.slice(uriOf(folder).length + 1)) : uri)
  const found: [string, readonly Diagnostic[]][] = []
  if (pulled) {
    const { items } = await client.connection.sendRequest<{ items: { uri: string; items?: Diagnostic[] }[] }>('workspace/diagnostic', {
      previousResultIds: [],
    })
    for (const { uri, items: own = [] } of items) {
      found.push([uri, own])
      const one = await client.connection.sendRequest<{ items: Diagnostic[] }>('textDocument/diagnostic', { textDocument: { uri } })
      if (JSON.stringify(one.items) !== JSON.stringify(own)) throw new Error('the two kinds of pulling differ')
    }
  } else found.push(...client.published)
  return found.flatMap(([uri, list]) => {
    const path = pathOf(uri)
    const at = ({ line, character }: Position) => {
      const text = textOf(path).split(/\r\n|\r|\n/)[line] ?? ''
      return `${line + 1}:${columnOf(text, character, encoding)}`
    }
    return list.map(({ range, code, severity = 0, message }) => ({
      file: path,
      from: at(range.start),
      to: at(range.end),
      code: String(code),
      severity: severities[severity] ?? '',
      text: message,
    }))
  })
}

/** The findings of `grantwise lint` in the same texts; undefined where it refuses the configuration, which it does as a whole. */
async function linted(
  session: Session,
  texts: ReadonlyMap<string, string>,
  folders: readonly string[],
  alone: readonly string[],
  settings: Readonly<Record<string, unknown>>,
  top: string,
  sides: Sides,
): Promise<readonly Seen[] | undefined> {
  const copy = mkdtempSync(join(top, 'copy-'))
  for (const [path, text] of texts) if (!/^[a-z]+:/.test(path)) put(copy, path, text)
  for (const [path, target] of Object.entries(session.links ?? {})) symlinkSync(target, join(copy, path))
  const out: Seen[] = []
  for (const each of folders) {
    const cwd = join(copy, each)
    const within = each === '.' ? alone : alone.filter((path) => path.startsWith(`${each}/`)).map((path) => path.slice(each.length + 1))
    const runs = [{ paths: [] as string[], input: undefined as string | undefined }]
    for (const path of within) {
      const untitled = /^untitled:/.test(path)
      runs.push({ paths: untitled ? ['-', '--stdin-filename', `${path.slice(9)}`] : [path], input: untitled ? texts.get(path) : undefined })
    }
    for (const { paths, input } of runs) {
      const ifPolicy = paths.length > 0 && !paths[0]?.endsWith('.actions') ? ['--if-policy'] : []
      const stdout = await sides.lint([...paths, ...ifPolicy, '--format', 'json', ...argumentsOf(settings)], cwd, input)
      if (stdout === '') return undefined
      const { findings, unread = [] } = JSON.parse(stdout) as LintJson
      const fileOf = (file: string) => {
        const untitled = alone.find((path) => path === `untitled:${file}`)
        return untitled ?? (each === '.' ? file : `${each}/${file}`)
      }
      out.push(
        ...findings
          .filter(({ file }) => paths.length === 0 || file === (input === undefined ? paths[0] : paths[2]))
          .map(({ file, line, column, endLine, endColumn, code, severity, message, help }) => ({
            file: fileOf(file),
            from: `${line}:${column}`,
            to: `${endLine}:${endColumn}`,
            code,
            severity,
            text: help ? `${message}\nhelp: ${help}` : message,
          })),
        ...unread
          // Nothing to lint is no problem in an editor.
          .filter(({ message }) => !/^no file to read|^no policy in/.test(message))
          .map(({ file, message }) => ({ file: fileOf(file), from: '1:1', to: '1:1', code: 'unread', severity: 'error', text: message })),
      )
    }
  }
  rmSync(copy, { recursive: true })
  return out
}

interface LintJson {
  readonly findings: readonly {
    readonly file: string
    readonly line: number
    readonly column: number
    readonly endLine: number
    readonly endColumn: number
    readonly code: string
    readonly severity: string
    readonly message: string
    readonly help?: string | null
  }[]
  readonly unread?: readonly { readonly file: string; readonly message: string }[]
}

/** The settings of the editor as options of the command line. */
function argumentsOf(settings: Readonly<Record<string, unknown>>): readonly string[] {
  const { baseline, preset, rules, fences, suppressions, config } = settings as Record<string, never>
  return [
    ...(baseline ? ['--baseline', baseline] : []),
    ...(preset ? ['--preset', preset] : []),
    ...Object.entries(rules ?? {}).flatMap(([code, level]) => ['--rule', `${code}=${level}`]),
    ...(fences ? ['--fences'] : []),
    ...(suppressions === false ? ['--no-suppressions'] : []),
    ...(config === false ? ['--no-config'] : config ? ['--config', config] : []),
  ]
}

const line = ({ file, from, to, code, severity, text }: Seen) => `${file}:${from}-${to} ${severity} ${code} ${text}`

/** A column in UTF-16 units, from 1, of one in an encoding, from 0: counted anew here, with the encoders of the platform. */
function columnOf(text: string, character: number, encoding: Session['encoding'] = 'utf-16'): number {
  if (encoding === 'utf-16') return character + 1
  if (encoding === 'utf-8') return Buffer.from(text).subarray(0, character).toString().length + 1
  return [...text].slice(0, character).join('').length + 1
}

function positionOf(text: string, offset: number, encoding: Session['encoding'] = 'utf-16'): Position {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/)
  const last = before.at(-1) as string
  const units = { 'utf-8': Buffer.byteLength(last), 'utf-16': last.length, 'utf-32': [...last].length }
  return { line: before.length - 1, character: units[encoding] }
}
