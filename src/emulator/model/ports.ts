/** Access to the system: tests drive the clock, the server hands in the real ports. */
export interface Ports {
  readonly clock: Clock
  readonly chance: Chance
  readonly digest: Digest
}

export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Run something after so many milliseconds; the result cancels it. It does not keep a program alive. */
  readonly after: (milliseconds: number, run: () => void) => () => void
  /** The same at the pace of the machine, independent of this clock: for connections. */
  readonly wait: (milliseconds: number, run: () => void) => () => void
}

export interface Chance {
  readonly uuid: () => string
  /** So many letters and digits of the URL-safe alphabet. */
  readonly token: (length: number) => string
}

export interface Digest {
  /** In hexadecimal, of the text as UTF-8. */
  readonly sha1: (text: string) => string
  readonly sha256: (text: string) => string
  /** Compare in a time that does not depend on where the strings differ. */
  readonly same: (a: string, b: string) => boolean
}

/** A record that is written, or, without a value, deleted. `key`: its name among those of its kind; `value`: JSON. */
export interface Change {
  readonly kind: string
  readonly key: string
  readonly value?: unknown
}

export interface StoredChange extends Change {
  readonly value: unknown
}

/** Where records outlive the process. */
export interface Store {
  /** All records, in the order in which their keys were first written. */
  readonly load: () => Iterable<StoredChange>
  /** Stores all changes or none. Once it returns they outlive the process; it throws where they were not stored. */
  readonly commit: (changes: readonly Change[]) => void
  readonly close: () => void
}
