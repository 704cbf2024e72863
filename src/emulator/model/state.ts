import { partitionPoint } from '../../collections.ts'
import { compareText } from '../../diagnostic.ts'
import type { Store } from './ports.ts'
import type { RecordKind, Records } from './records.ts'

export interface Table<R> {
  readonly size: number
  readonly get: (key: string) => R | undefined
  readonly has: (key: string) => boolean
  /** In the order in which the keys were first written. */
  readonly all: () => IterableIterator<R>
  readonly entries: () => IterableIterator<[string, R]>
  /** In the order of the keys (by UTF-16 units), from the first one behind a text; undefined: from the start. */
  readonly behind: (key: string | undefined) => IterableIterator<R>
  /** The records that an index has under a text, in the order in which their keys were first written. */
  readonly find: (index: string, text: string) => readonly R[]
}

/** A record that is written, or, without a value, deleted. */
export type RecordChange = { [K in RecordKind]: { readonly kind: K; readonly key: string; readonly value?: Records[K] } }[RecordKind]

/** All records, in memory; and in a store, where there is one. */
export interface State {
  readonly table: <K extends RecordKind>(kind: K) => Table<Records[K]>
  /** Make all changes or none: in the store first. Throws `StoreFailure` where it fails: then nothing has changed. */
  readonly commit: (changes: readonly RecordChange[]) => void
  /** Replace all records by `changes`, or change nothing. */
  readonly replace: (changes: readonly RecordChange[]) => void
  /** Grows with each commit that touches what decisions rest on: policies, groups, the inventory. */
  readonly worldVersion: () => number
  /** The changes of these records since a version, in order; undefined where the version is too old. */
  readonly worldChanges: (since: number) => readonly RecordChange[] | undefined
  readonly isEmpty: () => boolean
  readonly close: () => void
}

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
  seedFile: { decides: false },
}

/** How many changes are remembered for those who follow them. */
const mostRemembered = 2000

/** Further keys to find records by: the string of a record in each index; undefined: it is not in it. */
type Indexes<R> = Readonly<Record<string, (record: R) => string | undefined>>
const indexes: { readonly [K in RecordKind]?: Indexes<Records[K]> } = {
  credential: {
    validation: ({ validation }) => validation,
    application: ({ application }) => application,
    waiting: ({ state, application }) => (state === 'pendingValidation' ? application : undefined),
    anyWaiting: ({ state }) => (state === 'pendingValidation' ? '' : undefined),
  },
  resourceGroup: { id: ({ id }) => id },
}

function isKind(kind: string): kind is RecordKind {
  return Object.hasOwn(kinds, kind)
}

/** The state that a store holds; without one, an empty one that ends with the process. Throws where a record is of no known kind. */
export function openState(store?: Store): State {
  const tables = new Map<RecordKind, Keeping>()
  let worldVersion = 0
  /** The latest changes of what decisions rest on, each with the version that it made. */
  let latest: { readonly version: number; readonly change: RecordChange }[] = []
  /** The version behind which all changes are remembered. */
  let remembered = 0
  for (const kind of Object.keys(kinds)) if (isKind(kind)) tables.set(kind, tableOf(indexes[kind] as Indexes<unknown> | undefined))
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
    for (const { kind, key, value } of changes) tables.get(kind)?.set(key, value)
    const deciding = changes.filter(({ kind }) => kinds[kind].decides)
    if (deciding.length === 0) return
    worldVersion++
    for (const change of deciding) latest.push({ version: worldVersion, change })
    if (latest.length <= mostRemembered) return
    latest = []
    remembered = worldVersion
  }

  function replace(changes: readonly RecordChange[]): void {
    const removals = [...tables].flatMap(([kind, table]) => [...table.view.entries()].map(([key]): RecordChange => ({ kind, key })))
    commit([...removals, ...changes])
  }

  return {
    replace,
    // Only `commit` and the loading above write, each under its own kind.
    table: <K extends RecordKind>(kind: K) => tables.get(kind)?.view as Table<Records[K]>,
    commit,
    worldVersion: () => worldVersion,
    worldChanges: (since) => (since < remembered ? undefined : latest.filter(({ version }) => version > since).map(({ change }) => change)),
    isEmpty: () => [...tables.values()].every(({ view }) => view.size === 0),
    close: () => store?.close(),
  }
}

/** The records of a kind, and what writes one, or deletes it where there is no value. */
interface Keeping {
  readonly view: Table<unknown>
  readonly set: (key: string, value: unknown) => void
}

function tableOf(by: Indexes<unknown> = {}): Keeping {
  const records = new Map<string, unknown>()
  // Sorted when it is first asked for, and kept so from then on.
  let sorted: string[] | undefined
  const valuesByIndex = new Map<string, Map<string, Set<string>>>(Object.keys(by).map((index) => [index, new Map()]))

  function note(key: string, record: unknown, isThere: boolean): void {
    for (const [index, textOf] of Object.entries(by)) {
      const text = textOf(record)
      if (text === undefined) continue
      const texts = valuesByIndex.get(index) as Map<string, Set<string>>
      const keys = texts.get(text) ?? new Set()
      if (isThere) keys.add(key)
      else keys.delete(key)
      if (keys.size > 0) texts.set(text, keys)
      else texts.delete(text)
    }
  }

  function set(key: string, value: unknown): void {
    const before = records.get(key)
    if (before !== undefined) note(key, before, false)
    if (value === undefined) records.delete(key)
    else {
      records.set(key, value)
      note(key, value, true)
    }
    if (!sorted || (before === undefined) === (value === undefined)) return
    const place = placeIn(sorted, key)
    if (value === undefined) sorted.splice(place, 1)
    else sorted.splice(place, 0, key)
  }

  function* behind(key: string | undefined): IterableIterator<unknown> {
    sorted ??= [...records.keys()].sort(compareText)
    const start = key === undefined ? 0 : placeIn(sorted, key)
    for (let i = sorted[start] === key ? start + 1 : start; i < sorted.length; i++) yield records.get(sorted[i] as string)
  }

  const view: Table<unknown> = {
    get size() {
      return records.size
    },
    get: (key) => records.get(key),
    has: (key) => records.has(key),
    all: () => records.values(),
    entries: () => records.entries(),
    behind,
    find: (index, text) => [...(valuesByIndex.get(index)?.get(text) ?? [])].map((key) => records.get(key)),
  }
  return { view, set }
}

/** The place of a key in a sorted list, or where it would be. */
function placeIn(sorted: readonly string[], key: string): number {
  return partitionPoint(sorted, (each) => each < key)
}
