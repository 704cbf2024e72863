import type { Reading } from '../parser/reading.ts'
import type { Source } from '../source.ts'

/** A regular expression that takes time linear in the text. */
export interface Pattern {
  /** Instructions: what one character costs. */
  readonly size: number
  /** The names of its groups; undefined for those without one. */
  readonly names: readonly (string | undefined)[]
  /** The next match at or behind a place. */
  readonly next: (text: string) => () => Match | undefined
}

export interface Match {
  readonly start: number
  readonly end: number
  /** The match of each group; undefined where it took no part. */
  readonly groups: readonly (string | undefined)[]
}

/** The files next to a configuration. Paths are absolute, with `/`. */
export interface Files {
  /** The content of a file; `missing` where there is none, undefined where it may not or cannot be read. */
  readonly read: (path: string) => Uint8Array | 'missing' | undefined
  /** The files in a folder and below, by their paths from there; undefined where it may not be listed. */
  readonly list: (path: string) => readonly string[] | undefined
  /**
   * A mark that two versions of a file or folder share exactly where they are the same, at any path of the repository; undefined
   * outside of it, where both sides read the same files.
   */
  readonly mark: (path: string) => string | undefined
  /** The files of the repository by which a deployment may give values, and the folders that hold configurations: whole paths. */
  readonly around: () => FilesAround
  /** The text of one of these files; undefined where it cannot be read. */
  readonly text: (path: string) => string | undefined
  /** The commit of the files, or that they are in the folder: unknown files of two sides are different. */
  readonly side: string
}

/** Files around configurations that are part of none. */
export interface FilesAround {
  /** Files of values (`prod.tfvars`) and of Terragrunt (`terragrunt.hcl`, and what it includes): sorted. */
  readonly files: readonly string[]
  /** The folders that hold configurations. */
  readonly configured: ReadonlySet<string>
  /** There are too many names in the repository: not all were looked at. */
  readonly isCut?: boolean
}

/** Files of values by their names. */
export const valuesName = /\.tfvars(?:\.json)?$/

/** Whether a file is one of `FilesAround`, by its name. */
export const isAroundName = (name: string) => valuesName.test(name) || isTerragruntName(name)

/** Whether a name is that of a file that Terragrunt reads: also those that its files include, with any name. */
export function isTerragruntName(name: string): boolean {
  return (
    /\.hcl(?:\.json)?$/.test(name) &&
    !/^\.|\.(?:tftest|tofutest|tfcomponent|tfdeploy|tfquery|pkr|pkrvars|nomad)\.hcl(?:\.json)?$/.test(name)
  )
}

/** The tools that functions need, handed in by the caller. Without a tool, its results are unknown. */
export interface Tools {
  /** The pattern of a text in the notation of RE2; undefined where it is none. */
  readonly compile?: (text: string) => Pattern | undefined
  readonly digest?: (algorithm: 'md5' | 'sha1' | 'sha256' | 'sha512', bytes: Uint8Array) => Uint8Array
  readonly readYaml?: (source: Source) => Reading
  readonly files?: Files
}
