import type { CallColumn } from './steps.ts'

/** A file of an export. */
export interface SqlFile {
  /** From the folder of the export, with `/`. */
  readonly path: string
  readonly content: string | Uint8Array
}

/** How tables are named, and the table of calls. */
export interface TableNames {
  /** The beginning of the names of all tables but that of calls. */
  readonly prefix: string
  /** The table of calls. */
  readonly calls: string
  /** The columns that it has in addition to the names. */
  readonly given: ReadonlySet<CallColumn>
}
