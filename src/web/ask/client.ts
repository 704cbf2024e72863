import type { PageData } from '../../page/data.ts'
import { type EngineInput, withTexts } from '../../page/given.ts'
import type { Assets } from '../app/assets.ts'
import type { Call, Engine, Reply } from '../engine/index.ts'

/** The answers of the engine, by its methods. */
export type Client = Pick<Engine, 'can' | 'who' | 'what' | 'suggest' | 'lint' | 'fix' | 'fixAll' | 'diff' | 'patch'>

const methods = ['can', 'who', 'what', 'suggest', 'lint', 'fix', 'fixAll', 'diff', 'patch'] as const

/** Start the engine over the texts of a page: in a worker, or within the page where there can be none. */
export function startEngine(data: PageData, assets: Assets): Promise<Client> {
  return inWorker(data, assets).catch(() => withinPage(data, assets))
}

/** A worker from the scripts in the page: it reads nothing else, and the page stays free while it works. */
async function inWorker(data: PageData, assets: Assets): Promise<Client> {
  const start = 'globalThis.grantwise.engine.serve(globalThis)'
  const scripts = await Promise.all(['catalogue', 'engine', 'more'].map((name) => assets.text(name)))
  const address = URL.createObjectURL(new Blob([[...scripts, start].join('\n;')], { type: 'text/javascript' }))
  const client = await overWorker(new Worker(address), given(data))
  URL.revokeObjectURL(address)
  return client
}

/** An engine that works in a worker, over what it is given. */
export async function overWorker(worker: Worker, input: EngineInput): Promise<Client> {
  const waiting = new Map<number, { readonly done: (result: never) => void; readonly failed: (error: Error) => void }>()
  let last = 0
  const call = (name: Call['name'], args: readonly unknown[]) =>
    new Promise<never>((done, failed) => {
      const id = ++last
      waiting.set(id, { done, failed })
      worker.postMessage({ id, name, args } satisfies Call)
    })
  worker.onmessage = ({ data: reply }: { readonly data: Reply }) => {
    const { done, failed } = waiting.get(reply.id) as NonNullable<ReturnType<typeof waiting.get>>
    waiting.delete(reply.id)
    if ('error' in reply) failed(new Error(reply.error))
    else done(reply.result as never)
  }
  worker.onerror = (event) => {
    for (const { failed } of waiting.values()) failed(new Error(event.message ?? 'the worker does not start'))
    waiting.clear()
  }
  await call('open', [input])
  return Object.fromEntries(methods.map((name) => [name, (...args: readonly unknown[]) => call(name, args)])) as unknown as Client
}

async function withinPage(data: PageData, assets: Assets): Promise<Client> {
  const scope = globalThis as { grantwise?: { load?: Assets['load'] } }
  scope.grantwise ??= {}
  scope.grantwise.load = (name) => assets.load(name)
  await assets.load('catalogue')
  const { open } = await assets.load<typeof import('../engine/index.ts')>('engine')
  return open(given(data))
}

function given(data: PageData): EngineInput {
  return withTexts(data.whatIf as NonNullable<PageData['whatIf']>, data.files)
}
