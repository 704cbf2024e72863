import { compareText } from '../../diagnostic.ts'
import type { Delta } from '../../history/state.ts'
import type { Policy } from '../../policy.ts'
import { allFacts, type ReadFiles, together } from '../../sources/files.ts'

/** A file of one state, as it was read by itself. */
export interface Reading {
  /** Absolute. */
  readonly path: string
  readonly read: ReadFiles
  /** Its facts depend on other files: it has to be read together with them. */
  readonly isDependent: boolean
  readonly policies: readonly Policy[]
  /** It says nothing but its policies, and nothing is wrong with it. */
  readonly isPlain: boolean
  readonly size: number
}

/** The readings of a state by their paths, with what they add up to. */
export class Readings {
  private readonly byPath: Map<string, Reading>
  /** The size of all files together. */
  size = 0
  private dependent = 0
  private filled = 0

  constructor(readings: Iterable<Reading> = []) {
    this.byPath = new Map()
    for (const reading of readings) this.set(reading)
  }

  get count(): number {
    return this.byPath.size
  }

  /** Whether some have to be read together with others. */
  get hasDependent(): boolean {
    return this.dependent > 0
  }

  /** Whether no file says anything. */
  get isEmpty(): boolean {
    return this.filled === 0
  }

  get(path: string): Reading | undefined {
    return this.byPath.get(path)
  }

  set(reading: Reading): void {
    const before = this.byPath.get(reading.path)
    if (before) this.add(before, -1)
    // In its place, so that what is in order stays so.
    this.byPath.set(reading.path, reading)
    this.add(reading, 1)
  }

  delete(path: string): void {
    const before = this.byPath.get(path)
    if (!before) return
    this.byPath.delete(path)
    this.add(before, -1)
  }

  clear(): void {
    for (const path of [...this.byPath.keys()]) this.delete(path)
  }

  /** All of them, in the order in which their files are read together. */
  sorted(): readonly Reading[] {
    return inOrder(this.byPath.values())
  }

  copy(): Readings {
    return new Readings(this.byPath.values())
  }

  private add({ size, isDependent, read }: Reading, sign: 1 | -1): void {
    this.size += sign * size
    if (isDependent) this.dependent += sign
    if (read.each.length > 0) this.filled += sign
  }
}

const nameOf = ({ read }: Reading) => read.each[0]?.source.path ?? ''

const inOrder = (readings: Iterable<Reading>) => [...readings].sort((a, b) => compareText(nameOf(a), nameOf(b)))

/** Files that were read one by one, as if they had been read together. */
export function joined(readings: readonly Reading[]): ReadFiles {
  const reads = readings.map(({ read }) => read)
  const each = reads.flatMap((read) => read.each).sort((a, b) => compareText(a.source.path, b.source.path))
  return {
    ...noFiles,
    ...together(each),
    problems: reads.flatMap(({ problems }) => problems),
    assumptions: reads.flatMap(({ assumptions }) => assumptions),
    isPartial: reads.some(({ isPartial }) => isPartial),
  }
}

export const noFiles: ReadFiles = {
  ...together([]),
  problems: [],
  passed: [],
  assumptions: [],
  roots: [],
  unread: [],
  isPartial: false,
}

/** A file that was read by itself. */
export function readingOf({ path, read, isDependent, size }: Pick<Reading, 'path' | 'read' | 'isDependent' | 'size'>): Reading {
  const { policies, ...others } = allFacts(read.facts)
  const isPlain =
    !isDependent && isFaultless(read) && !Object.values(others).some((list) => list && list.length > 0) && !policies.some(isOpen)
  return { path, read, isDependent, policies, isPlain, size }
}

function isFaultless({ diagnostics, problems, assumptions, isPartial }: ReadFiles): boolean {
  return !isPartial && problems.length + assumptions.length === 0 && !diagnostics.some(({ severity }) => severity === 'error')
}

const isOpen = ({ open }: { readonly open?: unknown }) => open !== undefined

/** Whether facts have values that are not known. They are named by all policies together, which an added policy may change. */
export function hasUnknowns({ facts }: ReadFiles): boolean {
  return facts.some(
    ({ policies, permissionsGroups, memberships = [] }) =>
      memberships.length > 0 || policies.some(isOpen) || permissionsGroups.some(isOpen),
  )
}

/** Past how many changed files the readings of a state are put in order again. */
const mostChanges = 32

/** The readings of a state in their order: those of an earlier one, and how they differ, so that one of many states takes little. */
export class Ordered {
  private readonly base: readonly Reading[]
  private readonly changes: Changes

  constructor(base: readonly Reading[], changes: Changes = new Map()) {
    const isKept = changes.size > mostChanges
    this.base = isKept ? changed(base, changes) : base
    this.changes = isKept ? new Map() : changes
  }

  after(changes: Changes): Ordered {
    return new Ordered(this.base, new Map([...this.changes, ...changes]))
  }

  list(): readonly Reading[] {
    return this.changes.size === 0 ? this.base : changed(this.base, this.changes)
  }
}

/** Changed files by their paths; undefined for one that is no longer there. */
type Changes = ReadonlyMap<string, Reading | undefined>

function changed(base: readonly Reading[], changes: Changes): readonly Reading[] {
  const added = new Map(changes)
  const remaining: Reading[] = []
  for (const reading of base) {
    const now = changes.has(reading.path) ? changes.get(reading.path) : reading
    added.delete(reading.path)
    if (now) remaining.push(now)
  }
  // A changed file keeps its place.
  const others = [...added.values()].flatMap((reading) => reading ?? [])
  return others.length === 0 ? remaining : inOrder([...remaining, ...others])
}

/** The files that a commit changes, and whether they say anything but policies. */
export class Changing {
  readonly files = new Map<string, Reading | undefined>()
  private readonly before: Policy[] = []
  private isMore = false

  /** Note a file, as it is before the changes and after them. */
  note(path: string, before: Reading | undefined, after: Reading | undefined): void {
    if (!before && !after) return
    this.files.set(path, after)
    this.before.push(...(before?.policies ?? []))
    this.isMore ||= before?.isPlain === false || after?.isPlain === false
  }

  /** How the state differs from the one with an id; undefined where more changes than policies. */
  since(id: symbol): Delta | undefined {
    if (this.isMore) return undefined
    return { since: id, before: this.before, after: [...this.files.values()].flatMap((reading) => reading?.policies ?? []) }
  }
}
