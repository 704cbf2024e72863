import type { PageData } from '../../page/data.ts'
import { withTexts } from '../../page/given.ts'
import { assetText, loadAsset } from '../app/assets.ts'
import type { Call, Engine, Reply } from '../engine/index.ts'

/** What the engine answers, by its methods. */
export type Client = Pick<Engine, 'can' | 'who' | 'what' | 'lint' | 'fix' | 'fixAll' | 'diff' | 'patch'>

const methods = ['can', 'who', 'what', 'lint', 'fix', 'fixAll', 'diff', 'patch'] as const
const clients = new WeakMap<PageData, Promise<Client>>()

/** The engine over the texts of a page, started once: beside the page, or within it where no worker can be. */
export function clientOf(data: PageData): Promise<Client> {
  const known = clients.get(data) ?? besidePage(data).catch(() => withinPage(data))
  clients.set(data, known)
  return known
}

/** A worker from the scripts in the page: it reads nothing else, and the page stays free while it works. */
async function besidePage(data: PageData): Promise<Client> {
  const start = 'globalThis.grantwise.engine.serve(globalThis)'
  const scripts = ['catalogue', 'engine', 'more'].map(assetText)
  const address = URL.createObjectURL(new Blob([[...scripts, start].join('\n;')], { type: 'text/javascript' }))
  const worker = new Worker(address)
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
  await call('open', [given(data)])
  URL.revokeObjectURL(address)
  return Object.fromEntries(methods.map((name) => [name, (...args: readonly unknown[]) => call(name, args)])) as unknown as Client
}

async function withinPage(data: PageData): Promise<Client> {
  const scope = globalThis as { grantwise?: { load?: typeof loadAsset } }
  scope.grantwise ??= {}
  scope.grantwise.load = loadAsset
  const tables = await loadAsset<Parameters<typeof import('../engine/index.ts').open>[1]>('catalogue')
  const { open } = await loadAsset<typeof import('../engine/index.ts')>('engine')
  return open(given(data), tables)
}

function given(data: PageData) {
  return withTexts(data.whatIf as NonNullable<PageData['whatIf']>, data.files)
}
