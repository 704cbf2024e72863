import { type MessagePort, parentPort, Worker, workerData } from 'node:worker_threads'
import { type Analyser, Analysis, type FolderGiven, type Report, type TextGiven } from '../../lsp/analysis.ts'
import type { Host } from '../../lsp/host.ts'
import type { Encoding } from '../../lsp/positions.ts'

/** Messages to the analysing thread. */
type Asked =
  | { readonly kind: 'setUp'; readonly encoding: Encoding; readonly folders: readonly FolderGiven[] }
  | { readonly kind: 'put'; readonly texts: readonly TextGiven[] }
  | { readonly kind: 'drop'; readonly uris: readonly string[] }
  | { readonly kind: 'lint'; readonly id: number }

/** Its answers. */
type Answered = { readonly id: number; readonly report?: Report | undefined; readonly fault?: string }

/** How often a thread that ended is started again. */
const mostStarts = 5

/**
 * Analyses in a separate thread, so that requests are answered meanwhile. A thread that ends unexpectedly is started again with
 * all its input.
 */
export class AnalysisThread implements Analyser {
  private readonly script: string
  private readonly options: readonly string[]
  private worker: Worker | undefined
  private starts = 0
  private setting: Asked | undefined
  private readonly texts = new Map<string, TextGiven>()
  private readonly waiting = new Map<
    number,
    { readonly resolve: (report: Report | undefined) => void; readonly reject: (error: Error) => void }
  >()
  private last = 0
  /** The run whose report is wanted, which the thread looks at while it is busy; 0 for none. */
  private readonly wanted = new Int32Array(new SharedArrayBuffer(4))
  private isOver = false

  /** `script`: the file that starts the program; `options`: those of `lsp`. */
  constructor(script: string, options: readonly string[] = []) {
    this.script = script
    this.options = options
  }

  setUp(encoding: Encoding, folders: readonly FolderGiven[]): void {
    this.setting = { kind: 'setUp', encoding, folders }
    this.worker?.postMessage(this.setting)
  }

  put(texts: readonly TextGiven[]): void {
    for (const text of texts) this.texts.set(text.uri, text)
    this.worker?.postMessage({ kind: 'put', texts } satisfies Asked)
  }

  drop(uris: readonly string[]): void {
    for (const uri of uris) this.texts.delete(uri)
    this.worker?.postMessage({ kind: 'drop', uris } satisfies Asked)
  }

  /** Rejected where no thread can be started; the next one is tried then. */
  async lint(): Promise<Report | undefined> {
    const worker = this.started()
    const id = ++this.last
    Atomics.store(this.wanted, 0, id)
    const report = new Promise<Report | undefined>((resolve, reject) => this.waiting.set(id, { resolve, reject }))
    worker.postMessage({ kind: 'lint', id } satisfies Asked)
    return report
  }

  interrupt(): void {
    Atomics.store(this.wanted, 0, 0)
  }

  close(): void {
    this.isOver = true
    void this.worker?.terminate()
    this.worker = undefined
  }

  private started(): Worker {
    if (this.worker) return this.worker
    if (this.starts++ >= mostStarts) throw new Error('the analysis ends again and again')
    const worker = new Worker(this.script, {
      argv: ['lsp', ...this.options],
      stdin: true,
      stdout: true,
      workerData: { grantwiseWanted: this.wanted },
      resourceLimits: { maxYoungGenerationSizeMb: 64 },
    })
    worker.unref()
    let why = 'the analysis ended'
    worker.on('message', ({ id, report, fault }: Answered) => {
      const asked = this.waiting.get(id)
      this.waiting.delete(id)
      if (fault === undefined) asked?.resolve(report)
      else asked?.reject(new Error(fault))
    })
    worker.on('error', (error) => {
      why = error.message
    })
    worker.on('exit', () => {
      if (this.worker === worker) this.worker = undefined
      const unanswered = [...this.waiting.values()]
      this.waiting.clear()
      if (!this.isOver) for (const { reject } of unanswered) reject(new Error(why))
    })
    this.worker = worker
    if (this.setting) worker.postMessage(this.setting)
    worker.postMessage({ kind: 'put', texts: [...this.texts.values()] } satisfies Asked)
    return worker
  }
}

/** How often a folder is analysed once more at the start while nothing is asked: code that has run often runs faster. */
const warmUps = 10
/** The longest analysis that is repeated for that, in milliseconds: an edit waits for the end of one. */
const quick = 200

/** Analyse for the thread that started this one, until it ends. */
export function analyseForParent(host: Host, fault: (error: unknown) => string): Promise<never> {
  const port = parentPort as MessagePort
  const wanted: Int32Array = workerData.grantwiseWanted
  let running = 0
  const analysis = new Analysis(host, () => Atomics.load(wanted, 0) !== running)
  let last: Promise<void> = Promise.resolve()
  const lint = async (id: number) => {
    running = id
    try {
      port.postMessage({ id, report: await analysis.lint() } satisfies Answered)
    } catch (error) {
      port.postMessage({ id, fault: fault(error) } satisfies Answered)
    }
  }
  let asks = 0
  const warmUp = async () => {
    for (let i = 0; i < warmUps && asks === 1; i++) {
      const start = performance.now()
      analysis.forgetConfigurations()
      await analysis.lint().catch(() => {})
      if (performance.now() - start > quick) return
      await new Promise((done) => setImmediate(done))
    }
  }
  port.on('message', (asked: Asked) => {
    if (asked.kind === 'setUp') analysis.setUp(asked.encoding, asked.folders)
    else if (asked.kind === 'put') analysis.put(asked.texts)
    else if (asked.kind === 'drop') analysis.drop(asked.uris)
    else {
      asks++
      last = last.then(() => lint(asked.id))
      if (asks === 1) last = last.then(warmUp)
    }
  })
  return new Promise(() => {})
}
