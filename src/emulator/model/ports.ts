/**
 * What the stand-in takes from outside, so that everything in this folder is a function of its arguments: tests drive the
 * clock, the command line hands in the real things.
 */
export interface Ports {
  readonly clock: Clock
  readonly chance: Chance
  readonly digest: Digest
}

export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Have something done after so many milliseconds; the answer takes it back. It does not keep a program alive. */
  readonly after: (milliseconds: number, run: () => void) => () => void
  /** The same by the pace of the machine, whatever this clock is set to: for connections. */
  readonly wait: (milliseconds: number, run: () => void) => () => void
}

/** Texts that nobody can guess. */
export interface Chance {
  readonly uuid: () => string
  /** So many letters and digits of the URL-safe alphabet. */
  readonly token: (length: number) => string
}

export interface Digest {
  /** In hexadecimal, of the text as UTF-8. */
  readonly sha1: (text: string) => string
  readonly sha256: (text: string) => string
  /** Whether two texts are equal, in a time that does not tell where they differ. */
  readonly same: (a: string, b: string) => boolean
}

/** A record that is kept: `key` is its name among those of its kind, `value` anything that JSON can write. */
export interface Kept {
  readonly kind: string
  readonly key: string
  readonly value: unknown
}

/** A record that is written, or, without a value, taken out. */
export interface Change {
  readonly kind: string
  readonly key: string
  readonly value?: unknown
}

/** Where records outlive the process. */
export interface Store {
  /** All that is kept, in the order in which the keys were first written. */
  readonly load: () => Iterable<Kept>
  /** Keeps all changes or none. Once it returns they outlive the process; it throws where they were not kept. */
  readonly commit: (changes: readonly Change[]) => void
  readonly close: () => void
}
