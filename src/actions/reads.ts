import type { Operation } from './operations.ts'

/** Levels of access, ascending. */
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

/** The level that is guaranteed in all circumstances, and the one that is guaranteed except for facts that cannot be given. */
export interface GuaranteedLevels {
  readonly always: Level
  readonly sometimes: Level
}

/** The highest guaranteed levels among some cells. */
export function guaranteedLevels(cells: readonly { readonly level: Level; readonly guaranteed?: GuaranteedLevels }[]): GuaranteedLevels {
  const highest = (of: readonly Level[]) => levels[Math.max(0, ...of.map((level) => levels.indexOf(level)))] as Level
  return {
    always: highest(cells.map(({ level, guaranteed }) => guaranteed?.always ?? level)),
    sometimes: highest(cells.map(({ level, guaranteed }) => guaranteed?.sometimes ?? level)),
  }
}
