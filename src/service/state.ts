import type { Store } from './ports.ts'
import type { RecordKind, Records } from './records.ts'

/** The records of one kind, by their keys. */
export interface Table<R> {
  readonly size: number
  readonly get: (key: string) => R | undefined
  readonly has: (key: string) => boolean
  /** In the order in which the keys were first written. */
  readonly all: () => IterableIterator<R>
  readonly entries: () => IterableIterator<[string, R]>
}

/** A record that is written, or, without a value, taken out. */
export type RecordChange = { [K in RecordKind]: { readonly kind: K; readonly key: string; readonly value?: Records[K] } }[RecordKind]

/** Everything that the stand-in knows, in memory; and in a store, where there is one. */
export interface State {
  readonly table: <K extends RecordKind>(kind: K) => Table<Records[K]>
  /**
   * Makes all changes or none. The store has them before memory does, so that what was answered is kept. Throws
   * `StoreFailure` where the store did not take them: then nothing has changed.
   */
  readonly commit: (changes: readonly RecordChange[]) => void
  /** Takes out all that is there, and writes `changes` in its place: all of it or nothing. */
  readonly replace: (changes: readonly RecordChange[]) => void
  /** Grows with each commit that touches the kind. */
  readonly version: (kind: RecordKind) => number
  /** Grows with each commit that touches what decisions rest on: policies, groups, the inventory. */
  readonly worldVersion: () => number
  /** Nothing has ever been written. */
  readonly isEmpty: () => boolean
  readonly close: () => void
}

/** The store did not take a change. The message says why. */
export class StoreFailure extends Error {}

const kinds: Readonly<Record<RecordKind, { readonly decides: boolean }>> = {
  account: { decides: false },
  serviceAccount: { decides: false },
  token: { decides: false },
  application: { decides: false },
  credential: { decides: false },
  policy: { decides: true },
  permissionsGroup: { decides: true },
  resourceGroup: { decides: true },
  inventory: { decides: true },
  identity: { decides: true },
  asset: { decides: false },
  task: { decides: false },
  event: { decides: false },
}

function isKind(kind: string): kind is RecordKind {
  return Object.hasOwn(kinds, kind)
}

/** The state that a store holds; without one, an empty one that ends with the process. Throws where a record is of no known kind. */
export function openState(store?: Store): State {
  const tables = new Map<RecordKind, Map<string, unknown>>()
  const views = new Map<RecordKind, unknown>()
  const versions = new Map<RecordKind, number>()
  let worldVersion = 0
  for (const kind of Object.keys(kinds)) {
    if (!isKind(kind)) continue
    const records = new Map<string, unknown>()
    tables.set(kind, records)
    views.set(kind, tableOf(records))
  }
  for (const { kind, key, value } of store?.load() ?? []) {
    if (!isKind(kind)) throw new StoreFailure(`a record of kind \`${kind}\` is not known: another version wrote it`)
    tables.get(kind)?.set(key, value)
  }

  function commit(changes: readonly RecordChange[]): void {
    if (changes.length === 0) return
    try {
      store?.commit(changes)
    } catch (error) {
      throw new StoreFailure(error instanceof Error ? error.message : String(error))
    }
    let decides = false
    for (const { kind, key, value } of changes) {
      const table = tables.get(kind) as Map<string, unknown>
      if (value === undefined) table.delete(key)
      else table.set(key, value)
      versions.set(kind, (versions.get(kind) ?? 0) + 1)
      decides ||= kinds[kind].decides
    }
    if (decides) worldVersion++
  }

  function replace(changes: readonly RecordChange[]): void {
    const gone = [...tables].flatMap(([kind, table]) => [...table.keys()].map((key): RecordChange => ({ kind, key })))
    commit([...gone, ...changes])
  }

  return {
    replace,
    // Only `commit` and the loading above write, each under its own kind.
    table: <K extends RecordKind>(kind: K) => views.get(kind) as Table<Records[K]>,
    commit,
    version: (kind) => versions.get(kind) ?? 0,
    worldVersion: () => worldVersion,
    isEmpty: () => [...tables.values()].every((table) => table.size === 0),
    close: () => store?.close(),
  }
}

function tableOf<R>(records: Map<string, R>): Table<R> {
  return {
    get size() {
      return records.size
    },
    get: (key) => records.get(key),
    has: (key) => records.has(key),
    all: () => records.values(),
    entries: () => records.entries(),
  }
}
