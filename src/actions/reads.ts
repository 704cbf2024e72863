import type { Operation } from './operations.ts'

/** What an identity may do with something, in one word. */
export const levels = ['none', 'read', 'write', 'all'] as const
export type Level = (typeof levels)[number]

/** The actions that only read: every operation that needs one of them is a `GET`. */
export function readActions(operations: readonly Pick<Operation, 'method' | 'actions'>[]): ReadonlySet<string> {
  const reads = new Set<string>()
  const writes = new Set<string>()
  for (const { method, actions } of operations) for (const { name } of actions) (method === 'GET' ? reads : writes).add(name)
  for (const name of writes) reads.delete(name)
  return reads
}
