import { madeIn } from '../../collections.ts'
import {
  type Assumption,
  assumptionKey,
  type Coverage,
  distinctAssumptions,
  type FileCovered,
  type FileUse,
  type Skipped,
} from '../../coverage.ts'
import { compareText } from '../../diagnostic.ts'

/** The origin of a file that was not read from its folder, and its id there. */
export interface Origin {
  /** `git:main`; `the index`. */
  readonly from: string
  readonly blob?: string
}

/** Uses of a file, the weakest first: a file that holds policies may also have been read as a part of something. */
const order: readonly FileUse[] = ['none', 'settings', 'part', 'policies']

/**
 * The files that a run reads and skips, and its assumptions, recorded as it proceeds. `blobOf` computes the id of a file's bytes;
 * without it no ids are kept, since most runs need only the answer.
 */
export class RunRecord {
  /** By the commit or tree that they are from, if they are from one, and by their paths. */
  private readonly files = new Map<string | undefined, Map<string, FileCovered>>()
  private readonly searched = new Set<string>()
  private readonly passed = new Map<string, Skipped>()
  private readonly assumptions = new Map<string, Assumption>()
  /** Whether an option asks for the record; and whether a written file shows it. */
  readonly isAsked: boolean
  isShown = false
  /** Called with the bytes of each file that is noted. */
  noted: ((path: string, as: FileUse, bytes: Uint8Array) => void) | undefined
  private readonly blobOf: ((bytes: Uint8Array) => string) | undefined

  private readonly whole: RunRecord | undefined

  /** `whole`: the record that this one is a part of. */
  constructor(blobOf?: (bytes: Uint8Array) => string, whole?: RunRecord) {
    this.whole = whole
    this.isAsked = blobOf !== undefined
    this.blobOf = blobOf
  }

  /** Note a file that was read to its end. `bytes` undefined: they came one after the other, and are gone. */
  note(path: string, as: FileUse, bytes?: Uint8Array, origin?: Origin): void {
    this.whole?.note(path, as, bytes, origin)
    if (bytes) this.noted?.(path, as, bytes)
    const byPath = madeIn(this.files, origin?.from, () => new Map<string, FileCovered>())
    const noted = byPath.get(path)
    if (noted && order.indexOf(as) <= order.indexOf(noted.as)) return
    const blob = noted?.blob ?? (this.blobOf && (origin?.blob ?? (bytes && this.blobOf(bytes))))
    byPath.set(path, { path, ...(origin && { from: origin.from }), as, ...(blob !== undefined && { blob }) })
  }

  search(folders: readonly string[]): void {
    this.whole?.search(folders)
    for (const each of folders) this.searched.add(each)
  }

  pass(passed: readonly Skipped[]): void {
    this.whole?.pass(passed)
    for (const each of passed) this.passed.set(`${each.path}\n${each.reason}`, each)
  }

  assume(assumptions: readonly Assumption[]): void {
    this.whole?.assume(assumptions)
    for (const each of assumptions) {
      const key = assumptionKey(each)
      const earlier = this.assumptions.get(key)
      this.assumptions.set(key, earlier ? (distinctAssumptions([earlier, each])[0] as Assumption) : each)
    }
  }

  coverage(): Coverage {
    const read = [...this.files.values()]
      .flatMap((byPath) => [...byPath.values()])
      .sort((a, b) => compareText(a.path, b.path) || compareText(a.from ?? '', b.from ?? ''))
    const isRead = new Set(read.flatMap(({ path, from }) => (from === undefined ? [path] : [])))
    const passed = [...this.passed.values()]
      // A folder that was searched in vain counts as read, not as skipped.
      .filter(({ path }) => !isRead.has(path))
      .sort((a, b) => compareText(a.path, b.path) || compareText(a.reason, b.reason))
    return { searched: [...this.searched].sort(compareText), read, passed, assumptions: [...this.assumptions.values()] }
  }
}
