import type { EngineInput } from '../../page/given.ts'
import { Engine } from './engine.ts'

export type { Edits, Outcome } from './engine.ts'
export { Engine }

/** The engine over what a page was given. */
export function open(given: EngineInput): Engine {
  return new Engine(given)
}

/** A request to an engine in a worker. */
export interface Call {
  readonly id: number
  readonly name: 'open' | 'can' | 'who' | 'what' | 'suggest' | 'lint' | 'fix' | 'fixAll' | 'diff' | 'patch'
  readonly args: readonly unknown[]
}
export type Reply = { readonly id: number } & ({ readonly result: unknown } | { readonly error: string })

interface Scope {
  onmessage: ((event: { readonly data: Call }) => void) | null
  readonly postMessage: (reply: Reply) => void
  readonly grantwise: { load?: (name: string) => Promise<unknown> } & Readonly<Record<string, unknown>>
}

/** Answer what a page asks of a worker. */
export function serve(scope: Scope): void {
  const { grantwise } = scope
  grantwise.load = async (name) => grantwise[name]
  let engine: Engine | undefined
  scope.onmessage = async ({ data: { id, name, args } }) => {
    try {
      if (name === 'open') engine = open(args[0] as EngineInput)
      const method = name === 'open' ? undefined : (engine?.[name] as unknown as (...args: readonly unknown[]) => Promise<unknown>)
      scope.postMessage({ id, result: (await method?.apply(engine, args as unknown[])) ?? null })
    } catch (error) {
      scope.postMessage({ id, error: String(error instanceof Error ? error.message : error) })
    }
  }
}
