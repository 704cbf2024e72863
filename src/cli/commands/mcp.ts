import { readdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { getAsset, isSea } from 'node:sea'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { suggestionDiff } from '../../answers/suggest.ts'
import { compareText } from '../../diagnostic.ts'
import { glob } from '../../glob.ts'
import type { CommandResult, ToolAnswer } from '../../mcp/answer.ts'
import type { NameKind } from '../../mcp/prompts.ts'
import type { Documents } from '../../mcp/resources.ts'
import { serverOf } from '../../mcp/server.ts'
import { callTool, type Host } from '../../mcp/tools.ts'
import { type Line, LineTransport } from '../../mcp/transport.ts'
import { escapeCommands, shown } from '../../report/safe.ts'
import { readCommandLine } from '../app/command-line.ts'
import type { Arguments, Options, Run } from '../app/commands.ts'
import { type ExitCode, exit } from '../app/exit.ts'
import type { Io } from '../app/io.ts'
import { Refusal } from '../app/refusal.ts'
import { version } from '../app/version.ts'
import { loadConfig } from '../input/config.ts'
import { catalogueFor } from '../input/known.ts'
import { blocksOf, linesOf, tooLong } from '../input/lines.ts'
import { readText, reason } from '../input/read-file.ts'
import { pathRefusal } from '../input/within.ts'
import { noOptions, openWorld } from '../input/world.ts'
import { reportError } from '../output/errors.ts'
import { recording } from '../output/recording.ts'

/** `mcp`: answer the calls of an assistant on standard input and output, by the Model Context Protocol. */
export const run: Run<'mcp'> = async (_, options, io) => {
  const roots = rootsOf(options.root, io)
  const start: Start = { roots, mayWrite: options.allowWrite }
  const caller = callerFor(start, io)
  const debug = io.env.GRANTWISE_DEBUG === '1'
  const server = serverOf({
    version,
    roots: roots.map(({ name }) => name),
    mayWrite: start.mayWrite,
    documents: carriedDocuments() ?? documentsIn(docsFolder()),
    call: (name, input, signal) => caller.ask({ of: 'tool', name, input }, signal) as Promise<ToolAnswer | undefined>,
    names: async (kind, start) => ((await caller.ask({ of: 'names', kind, start }, never)) as readonly string[] | undefined) ?? [],
    log: (error) => {
      if (debug) reportError(error, io)
    },
  })
  const transport = new LineTransport(messageLines(io), (line) => {
    // JSON is the same with the escape, should a client log it where a build server reads.
    io.stdout.write(`${line}\n`, escapeCommands)
  })
  await server.connect(transport)
  try {
    await Promise.race([transport.ended, ...(io.interrupted ? [io.interrupted()] : [])])
  } finally {
    await caller.end()
  }
  // A client that asks for the end before the answers does not get them, and sees that from the exit code.
  const { unanswered } = transport
  if (unanswered === 0) return exit.success
  io.stderr.write(`grantwise: ended by a signal: ${unanswered} ${unanswered === 1 ? 'request has' : 'requests have'} no answer\n`)
  return exit.error
}

/** The signal of requests that are not cancelled. */
const never = new AbortController().signal

/** A workspace: its folder, without links, and how the client names it. */
interface Root {
  readonly name: string
  readonly folder: string
}

function rootsOf(folders: readonly string[], io: Io): readonly Root[] {
  return (folders.length > 0 ? folders : ['.']).map((path) => {
    const folder = resolve(io.cwd, path)
    try {
      if (!statSync(folder).isDirectory()) throw new Refusal(`--root \`${shown(path)}\`: expected a folder`)
      return { name: path, folder: realpathSync(folder) }
    } catch (error) {
      if (error instanceof Refusal) throw error
      throw new Refusal(`--root \`${shown(path)}\`: ${reason(error)}`)
    }
  })
}

/** The lines of standard input. */
async function* messageLines(io: Io): AsyncIterable<Line> {
  for await (const { bytes } of blocksOf(io.stdin())) {
    if (bytes === undefined) yield { fault: tooLong }
    else yield* linesOf(bytes)
  }
}

/** The documentation that a single executable carries. */
function carriedDocuments(): Documents | undefined {
  if (!isSea()) return undefined
  const texts = new Map(Object.entries(JSON.parse(getAsset('docs.json', 'utf8')) as Record<string, string>))
  return { names: [...texts.keys()].map((file) => file.slice(0, -'.md'.length)), read: (name) => texts.get(`${name}.md`) }
}

/** The folder of the documentation: next to the program in the package. */
function docsFolder(): string | undefined {
  if (typeof __dirname === 'undefined') return undefined
  for (let folder = __dirname; ; folder = dirname(folder)) {
    if (readText(join(folder, 'docs/rules.md')).text !== undefined) return join(folder, 'docs')
    if (dirname(folder) === folder) return undefined
  }
}

function documentsIn(folder: string | undefined): Documents {
  if (folder === undefined) return { names: [], read: () => undefined }
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const names = files.flatMap((file) => (file.endsWith('.md') ? [file.slice(0, -'.md'.length).replaceAll('\\', '/')] : [])).sort()
  return { names, read: (name) => readText(join(folder, `${name}.md`)).text }
}

/** The data for a thread that answers calls. */
interface Start {
  readonly roots: readonly Root[]
  readonly mayWrite: boolean
}

/** A request that is answered with the files of a workspace: a call of a tool, or for the names that begin as typed. */
type Request =
  | { readonly of: 'tool'; readonly name: string; readonly input: unknown }
  | { readonly of: 'names'; readonly kind: NameKind; readonly start: string }

interface Call {
  readonly id: number
  readonly request: Request
}

/** Answers requests, one after the other; undefined where one was cancelled, or there is no such tool. */
interface Caller {
  readonly ask: (request: Request, signal: AbortSignal) => Promise<unknown>
  readonly end: () => Promise<void>
}

function answerTo(request: Request, start: Start, io: Pick<Io, 'env' | 'now' | 'tzdata'>): Promise<unknown> {
  const { ask, names } = hostFor(start, io)
  return request.of === 'tool' ? callTool(request.name, request.input, ask) : names(request.kind, request.start)
}

/**
 * Calls are answered by a thread, so that one can be ended when it is cancelled, and one that needs too much memory ends without
 * the others. It runs this very file; where that is not a separate file, calls are answered here.
 */
function callerFor(start: Start, io: Io): Caller {
  const run = typeof __filename !== 'undefined' && __filename.endsWith('.cjs') ? threadFor(start, __filename) : hereFor(start, io)
  let last: Promise<unknown> = Promise.resolve()
  return {
    ask: (request, signal) => {
      const answer = last.then(() => (signal.aborted ? undefined : run.ask(request, signal)))
      last = answer.catch(() => undefined)
      return answer
    },
    end: run.end,
  }
}

function hereFor(start: Start, io: Io): Caller {
  return { ask: (request) => answerTo(request, start, io), end: async () => {} }
}

/** The most memory that a call takes, in MiB. */
const mostMemory = 2048

function threadFor(start: Start, file: string): Caller {
  let thread: Worker | undefined
  let calls = 0
  /** The call that is being answered. */
  let current: { readonly id: number; readonly done: (answer: unknown) => void; readonly failed: (error: Error) => void } | undefined
  const stop = async () => {
    const ended = thread?.terminate()
    thread = undefined
    await ended
  }
  const started = (): Worker => {
    // A thread's standard output must not get into the protocol.
    const data = { workerData: { grantwiseMcp: start }, stdout: true, stderr: true }
    const worker = new Worker(file, { ...data, resourceLimits: { maxOldGenerationSizeMb: mostMemory } })
    worker.on('message', ({ id, answer, fault }: Answered) => {
      if (current?.id !== id) return
      if (fault === undefined) current.done(answer)
      else current.failed(new Error(fault))
    })
    const lost = (error: Error) => {
      if (thread !== worker) return
      thread = undefined
      current?.failed(error)
    }
    worker.on('error', (error) => lost(memoryFault(error as Error)))
    worker.on('exit', () => lost(new Error('the thread that answers calls ended')))
    return worker
  }
  const ask: Caller['ask'] = async (request, signal) => {
    thread ??= started()
    const id = ++calls
    const cancel = () => {
      void stop()
      current?.done(undefined)
    }
    signal.addEventListener('abort', cancel)
    try {
      return await new Promise<unknown>((done, failed) => {
        current = { id, done, failed }
        thread?.postMessage({ id, request } satisfies Call)
      })
    } finally {
      current = undefined
      signal.removeEventListener('abort', cancel)
    }
  }
  return { ask, end: stop }
}

/** The answer of a thread to a request; `fault`: why there is none. */
interface Answered {
  readonly id: number
  readonly answer?: unknown
  readonly fault?: string
}

function memoryFault(error: Error): Error {
  const isMemory = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
  return isMemory ? new Error(`the call needs more than ${mostMemory} MiB of memory: ask about fewer policies`) : error
}

/** The host of the tools: commands run here, in a workspace that they cannot leave, and their output is captured. With it, the names in it. */
function hostFor({ roots, mayWrite }: Start, { env, now: clock, tzdata }: Pick<Io, 'env' | 'now' | 'tzdata'>) {
  const now = clock()
  const ioIn = (root: string, out: { stdout: string; stderr: string }, input?: string): Io => {
    const { folder } = roots.find(({ name }) => name === root) as Root
    const sink = (name: 'stdout' | 'stderr'): Io['stdout'] => ({
      write(text) {
        out[name] += text
        return true
      },
      isTerminal: () => false,
    })
    return {
      stdin: async function* () {
        if (input !== undefined) yield Buffer.from(input)
      },
      stdout: sink('stdout'),
      stderr: sink('stderr'),
      env,
      cwd: folder,
      within: folder,
      now: () => now,
      ...(tzdata !== undefined && { tzdata }),
    }
  }
  const captured = async (root: string, work: (io: Io) => Promise<ExitCode>, input?: string): Promise<CommandResult> => {
    const out = { stdout: '', stderr: '' }
    const io = ioIn(root, out, input)
    let code: ExitCode = exit.error
    try {
      code = await work(io)
    } catch (error) {
      reportError(error, io)
    }
    return { exit: code, ...out }
  }
  const silent = (root: string) => ioIn(root, { stdout: '', stderr: '' })
  const ask: Host = {
    roots: roots.map(({ name }) => name),
    mayWrite,
    refusal: (root, path, mayBeCommit) => {
      const fault = pathFault(path, mayBeCommit, silent(root))
      return fault === undefined ? undefined : `\`${shown(path.slice(0, 200))}\`: ${fault}`
    },
    run: (root, words, input) => captured(root, (io) => runWords(words, io), input),
    namesPolicies: async (root) => (await loadConfig({ config: undefined }, silent(root))).policies !== undefined,
    apply: (root, words, diff) => captured(root, (io) => applySuggestion(words, diff, io)),
  }
  const [first] = roots
  return { ask, names: async (kind: NameKind, start: string) => (first ? namesIn(kind, start, silent(first.name)) : []) }
}

/** The names of a workspace that begin as typed, sorted: short ones and URNs. */
async function namesIn(kind: NameKind, start: string, io: Io): Promise<readonly string[]> {
  const all =
    kind === 'action'
      ? (await catalogueFor(await loadConfig({ config: undefined }, io), io)).expand(glob('*'))
      : [...(await openWorld(noOptions, io)).short.all(kind)]
  return all.filter((name) => name.startsWith(start)).sort(compareText)
}

/** Why a path must not be used: also where the system cannot say what it is. */
function pathFault(path: string, mayBeCommit: boolean, io: Io): string | undefined {
  try {
    return pathRefusal(path, mayBeCommit, io)
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}

type AnyRun = (args: readonly string[], options: Readonly<Record<string, unknown>>, io: Io) => Promise<ExitCode>

/** The commands that tools run. */
const programs: Readonly<Record<string, () => Promise<{ readonly run: unknown }>>> = {
  lint: () => import('./lint.ts'),
  can: () => import('./can.ts'),
  who: () => import('./who.ts'),
  what: () => import('./what.ts'),
  call: () => import('./call.ts'),
  escalate: () => import('./escalate.ts'),
  test: () => import('./test.ts'),
  convert: () => import('./convert.ts'),
  fmt: () => import('./fmt.ts'),
  diff: () => import('./diff.ts'),
  suggest: () => import('./suggest.ts'),
  rules: () => import('./rules.ts'),
  expand: () => import('./expand.ts'),
}

async function runWords(words: readonly string[], io: Io): Promise<ExitCode> {
  const line = readCommandLine(words, io)
  if (typeof line === 'number') return line
  const program = programs[line.name]
  if (!program) throw new Refusal(`\`${shown(line.name)}\` is not a command of a tool`)
  // The command line was read by the entry of this very command.
  const { io: recorded, end } = await recording(line, io)
  return await end(await ((await program()).run as AnyRun)(line.args, line.options, recorded))
}

/** Write the suggestion that has a diff, where the files still are what it is about. */
async function applySuggestion(words: readonly string[], diff: string, io: Io): Promise<ExitCode> {
  const line = readCommandLine(words, io)
  if (typeof line === 'number') return exit.error
  const { suggestionsFor } = await import('./suggest.ts')
  const { safeText: safe } = await import('../../mcp/answer.ts')
  const suggestions = await suggestionsFor(line.args as unknown as Arguments<'suggest'>, line.options as unknown as Options<'suggest'>, io)
  if (!suggestions) return exit.error
  const suggestion = suggestions.suggested.suggestions.find((each) => safe(suggestionDiff(each)) === diff)
  if (!suggestion) {
    io.stdout.write('{"written":[]}\n')
    return exit.failure
  }
  const { writeChanges } = await import('./fix.ts')
  const problems = writeChanges(suggestion.files, io)
  for (const { path, message } of problems) io.stderr.write(`grantwise: ${shown(path)}: ${message}\n`)
  const failed = new Set(problems.map(({ path }) => path))
  io.stdout.write(`${JSON.stringify({ written: suggestion.files.map(({ path }) => path).filter((path) => !failed.has(path)) })}\n`)
  return problems.length > 0 ? exit.error : exit.success
}

/** The other side of `threadFor`. */
function work(start: Start): void {
  parentPort?.on('message', async ({ id, request }: Call) => {
    const tz = process.versions.tz
    const io = { env: process.env, now: Date.now, ...(tz !== undefined && { tzdata: tz }) }
    const answered = await answerTo(request, start, io).then(
      (answer): Answered => ({ id, answer }),
      (error: unknown): Answered => ({ id, fault: error instanceof Error ? error.message : String(error) }),
    )
    parentPort?.postMessage(answered)
  })
}

const started: unknown = isMainThread ? undefined : workerData?.grantwiseMcp
if (started !== undefined) work(started as Start)
