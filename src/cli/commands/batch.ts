import { availableParallelism } from 'node:os'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { type ReadContext, withWholeGroups } from '../../ask/context.ts'
import type { Settings } from '../../names.ts'
import { readSyncIfPossible } from '../../parser/read-source.ts'
import { buildWorld } from '../../parser/world.ts'
import { shown } from '../../report/safe.ts'
import type { Context } from '../../simulate/question.ts'
import { type Changes, supposed } from '../../simulate/supposed.ts'
import { isHcl, type Source, sourceOf } from '../../source.ts'
import type { Options } from '../app/commands.ts'
import { type ExitCode, exit } from '../app/exit.ts'
import type { Io } from '../app/io.ts'
import { choice } from '../app/options.ts'
import { Refusal } from '../app/refusal.ts'
import { type Block, blocksOf } from '../input/lines.ts'
import { openBytes } from '../input/read-file.ts'
import { type LoadedWorld, loadWorld } from '../input/world.ts'
import { type Answers, answerer, type BatchFormat, batchFormats } from './answers.ts'

/**
 * How many bytes of questions are answered before further threads are started. A thread first reads the world, which takes as long as to
 * answer six times its bytes: `unaskedOfWorld` is four times that. `asked`: where the options ask for threads; `unasked`: the least where
 * they do not, as most batches are finished by then.
 */
const muchInput = { asked: 1 << 22, unasked: 1 << 28, unaskedOfWorld: 24 }

/**
 * `can --batch FILE|-`: one question per line in, one answer per line out, in the same order. Memory does
 * not grow with the number of questions: a few blocks are held at a time. Large inputs are shared among threads.
 */
export async function runBatch(file: string, readContext: ReadContext, options: Options<'can'>, io: Io): Promise<ExitCode> {
  const format = batchFormats.find((each) => each === choice('--format', options.format ?? 'ndjson', [...batchFormats, 'json'])) ?? 'ndjson'
  const wanted = options.jobs ?? Math.min(availableParallelism(), 4)
  if (file === '-' && options.policies.includes('-')) throw new Refusal('standard input cannot hold both the questions and the policies')
  const input = openBytes(file, io)
  let context = readContext.context
  const loaded = await loadWorld({ ...options, format }, io, (names) => {
    const whole = withWholeGroups(readContext, names)
    context = whole.context
    return whole.problems
  })
  if (!loaded) return exit.error

  // Each thread reads the texts again, one by one: configurations of Terraform are read as folders, with the modules that they call.
  const jobs =
    io.script === undefined || io.isSingleThread === true || loaded.sources.some(({ source }) => isHcl(source.notation)) ? 1 : wanted
  const worldSize = loaded.sources.reduce((sum, { source }) => sum + source.text.length, 0)
  const much = options.jobs === undefined ? Math.max(muchInput.unasked, muchInput.unaskedOfWorld * worldSize) : muchInput.asked
  const answer = answerer(loaded.world, loaded.settings, context, format)
  const waiting: (Answers | Promise<Answers>)[] = []
  let workers: Workers | undefined
  let code: ExitCode = exit.success
  let size = 0
  let isAnswered = false
  /** Write the oldest answers: those that are there, and as many more as are too many to hold. */
  const flush = async (most: number): Promise<boolean> => {
    for (;;) {
      const oldest = waiting[0]
      if (oldest === undefined || (oldest instanceof Promise && waiting.length <= most)) return true
      const answers = oldest instanceof Promise ? await oldest : oldest
      waiting.shift()
      isAnswered ||= answers.output !== ''
      if (answers.code === exit.error || code === exit.success) code = answers.code
      // JSON escapes what could act on a build log itself.
      if (answers.output !== '' && !io.stdout.write(answers.output, format === 'ndjson' ? asIs : undefined)) return false
    }
  }
  const blocks = blocksOf(input)
  try {
    for (;;) {
      // The caller may wait for these answers before asking on: they are written while no more input arrives.
      const coming = blocks.next()
      const isThere = coming.then(yes)
      isThere.catch(nothing)
      while (waiting[0] instanceof Promise && !(await Promise.race([isThere, waiting[0].then(no)])))
        if (!(await flush(Number.POSITIVE_INFINITY))) return exit.error
      const { value: block } = await coming
      if (!block) break
      size += block.bytes?.length ?? 0
      if (workers === undefined && jobs > 1 && size > much) workers = startWorkers(jobs - 1, loaded, context, format, answer)
      const shared = workers?.take(block)
      if (shared) {
        waiting.push(shared)
        shared.then((answers) => {
          // Not there any more where it was waited for meanwhile.
          const now = waiting.indexOf(shared)
          if (now >= 0) waiting[now] = answers
        }, nothing)
      } else waiting.push(answer(block))
      if (workers) await turn()
      if (!(await flush(workers ? 2 * jobs : 0))) return exit.error
    }
    if (!(await flush(0))) return exit.error
    if (!isAnswered)
      io.stderr.write(`grantwise: note: ${file === '-' ? 'standard input' : shown(file)}: no questions, so nothing was decided\n`)
    return code
  } finally {
    await workers?.stop()
  }
}

const asIs = (text: string) => text
const nothing = () => {}
const yes = () => true
const no = () => false

/** Let messages of other threads come in. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** The data for a worker: the texts of the world, not the files, which may change meanwhile. */
interface Start {
  readonly sources: readonly { readonly source: Pick<Source, 'path' | 'text' | 'notation'> }[]
  readonly settings: Settings
  readonly changes: Changes | undefined
  readonly context: Context
  readonly format: BatchFormat
}

interface Workers {
  /** The answers to a block, or undefined when every thread is busy. */
  readonly take: (block: Block) => Promise<Answers> | undefined
  readonly stop: () => Promise<unknown>
}

/** A thread; undefined where the system has no more of them: then the others do its part. */
function startedWith(start: Start): Worker | undefined {
  try {
    return new Worker(__filename, { workerData: { grantwiseBatch: start } })
  } catch {
    return undefined
  }
}

/**
 * Threads that run this very file. In a bundle of another program it is not a separate file, and there are none; where the system
 * refuses more threads, there are fewer. `answer`: used for blocks of a thread that fails.
 */
function startWorkers(
  count: number,
  { sources, settings, changes }: LoadedWorld,
  context: Context,
  format: BatchFormat,
  answer: (block: Block) => Answers,
): Workers {
  if (typeof __filename === 'undefined') return { take: () => undefined, stop: async () => undefined }
  const start: Start = { sources, settings, changes, context, format }
  const threads = Array.from({ length: count }).flatMap(() => {
    const worker = startedWith(start)
    if (!worker) return []
    const thread: { worker: Worker; isIdle: boolean; done?: (answers: Answers) => void; failed?: (() => void) | undefined } = {
      worker,
      isIdle: false,
    }
    worker.on('message', (message: 'ready' | Answers) => {
      thread.isIdle = true
      if (message !== 'ready') thread.done?.(message)
    })
    // One that fails or ends takes no more, and its block is answered here.
    const lost = () => {
      thread.isIdle = false
      thread.failed?.()
    }
    worker.on('error', lost)
    worker.on('exit', lost)
    worker.unref()
    return [thread]
  })
  return {
    take(block) {
      const thread = threads.find(({ isIdle }) => isIdle)
      if (!thread || block.bytes === undefined) return undefined
      thread.isIdle = false
      return new Promise((resolve, reject) => {
        thread.done = (answers) => {
          thread.failed = undefined
          thread.worker.unref()
          resolve(answers)
        }
        thread.failed = () => {
          thread.failed = undefined
          try {
            resolve(answer(block))
          } catch (error) {
            reject(error)
          }
        }
        thread.worker.ref()
        thread.worker.postMessage(block)
      })
    },
    stop() {
      for (const thread of threads) thread.failed = undefined
      return Promise.all(threads.map(({ worker }) => worker.terminate()))
    },
  }
}

/** The worker's side: build the world of the same texts, then answer block after block. */
async function work({ sources, settings, changes, context, format }: Start): Promise<void> {
  const reads = await Promise.all(
    sources.map(({ source: { path, text, notation } }) => readSyncIfPossible(sourceOf(path, text, notation), settings)),
  )
  const { world } = buildWorld(reads.map(({ facts }) => facts))
  const answer = answerer(changes ? supposed(world, changes).world : world, settings, context, format)
  parentPort?.on('message', (block: Block) => parentPort?.postMessage(answer(block)))
  parentPort?.postMessage('ready')
}

const started: unknown = isMainThread ? undefined : workerData?.grantwiseBatch
if (started !== undefined) void work(started as Start)
