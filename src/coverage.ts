import type { Span } from './source.ts'

/**
 * The evidence for an answer: every run records the files that it read, those it skipped and why, and its assumptions. No claim
 * of an answer is stronger than this record.
 */
export interface Coverage {
  /** The folders that were searched, each whole but for skipped files. */
  readonly searched: readonly string[]
  readonly read: readonly FileCovered[]
  readonly passed: readonly Skipped[]
  readonly assumptions: readonly Assumption[]
}

/** A file that was read to its end. */
export interface FileCovered {
  /** As shown to users. */
  readonly path: string
  /** The origin, if not the file's folder: `git:main`, `the index`. */
  readonly from?: string
  readonly as: FileUse
  /** The id that git gives to its bytes; only computed where the record is asked for. */
  readonly blob?: string
}

/**
 * The use of a file: `policies` holds some, or something they refer to; `none` was found and read, and holds none; `part` was
 * read since a configuration names it: values, data, other files of a module; `settings` is a configuration, a catalogue, an
 * ignore file, a test, a baseline or the like.
 */
export type FileUse = 'policies' | 'part' | 'none' | 'settings'

/** A file, folder or fenced code block that is not read, and why. */
export interface Skipped {
  readonly path: string
  readonly reason: string
  /** Of all files of a kind that is never read, and of which none is named: how many. */
  readonly count?: number
  /** Its policies have another prefix than the one that is read: it is probably meant to be read. */
  readonly isOfOtherPrefix?: true
}

/**
 * The subject of an assumption: a `module` whose files are missing, a `file` that was not read or is assumed to be the same on
 * both sides, a `value` that is not known, or assumed to be one value, `groups` whose members are not described, a default of
 * `time`, a `part` of a file, a `link` that was not followed, a `resource` that is not described, the `catalogue` of actions,
 * files skipped in a `search`, the `provider` or account that a policy belongs to, and a file without a known role in the
 * `deployment`.
 */
export type AssumptionKind =
  | 'module'
  | 'file'
  | 'value'
  | 'groups'
  | 'time'
  | 'part'
  | 'link'
  | 'resource'
  | 'catalogue'
  | 'search'
  | 'provider'
  | 'deployment'

/** Something that was not read, or is assumed. */
export interface Assumption {
  readonly kind: AssumptionKind
  /** Its subject, in the user's words: `module.iam (acme/iam/svc 1.2.0)`. */
  readonly what: string
  /** One clause: `its files are not in the repository`. */
  readonly why: string
  /** How to make the assumption unnecessary. */
  readonly help?: string
  readonly span?: Span
  /**
   * Whether an answer may be wrong if it does not hold. False where it is what the answer is about, as the time of a request,
   * or the groups that the semantics take an identity to be in.
   */
  readonly matters: boolean
  /**
   * It is in the world that is decided over, as unknown policies, entries or conditions: each answer that depends on it is
   * unknown, and the others hold for any value of it. One that matters and is not in the world is open: no command that depends
   * on it exits with 0.
   */
  readonly inWorld?: true
  /** Sides that are compared are taken to have the same of it, which nothing says: that they have the same access depends on it. */
  readonly isTaken?: true
}

/** Nothing read, nothing skipped, nothing assumed. */
export const noCoverage: Coverage = { searched: [], read: [], passed: [], assumptions: [] }

/** Whether no claim can be made while this is assumed. */
export function isOpen({ matters, inWorld }: Assumption): boolean {
  return matters && !inWorld
}

/** The same for assumptions that say the same of the same. */
export function assumptionKey({ kind, what, why }: Assumption): string {
  return JSON.stringify([kind, what, why])
}

/** Assumptions, each once, in the order in which they are first made. */
export function distinctAssumptions(assumptions: Iterable<Assumption>): readonly Assumption[] {
  const once = new Map<string, Assumption>()
  for (const each of assumptions) {
    const key = assumptionKey(each)
    const sameAssumption = once.get(key)
    // One that matters is never hidden by one that does not.
    if (!sameAssumption || (isOpen(each) && !isOpen(sameAssumption)) || (each.matters && !sameAssumption.matters)) once.set(key, each)
  }
  return [...once.values()]
}
