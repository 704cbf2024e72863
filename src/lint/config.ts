import type { Severity } from '../diagnostic.ts'
import type { Preset } from '../rules/rule.ts'
import type { Located, Span } from '../source.ts'
import type { Node } from '../tree.ts'

/** What a rule is set to. */
export type Level = Severity | 'off'
export const levels: readonly Level[] = ['off', 'info', 'warning', 'error']

export interface RuleLevel {
  readonly code: Located<string>
  readonly level: Level
  /** As written; undefined where the level stands alone. */
  readonly options: { readonly value: Readonly<Record<string, unknown>>; readonly node: Node } | undefined
}

/** What sets levels, the later over the earlier. */
export type Layer =
  | { readonly preset: Preset; readonly rules?: undefined }
  | { readonly preset?: undefined; readonly rules: readonly RuleLevel[] }

/** File patterns with the folder that they are relative to. */
export interface Patterns {
  readonly folder: string
  readonly patterns: readonly string[]
}

/** Whether a path, as shown to people, is matched by file patterns. */
export type FileTest = (path: string, files: Patterns) => boolean

/** Other levels for the files that patterns match. */
export interface Override {
  readonly files: Patterns
  readonly rules: readonly RuleLevel[]
}

/** Findings to suppress. */
export interface Ignore {
  readonly files: Patterns
  readonly codes: readonly Located<string>[]
  readonly policy: string | undefined
  readonly reason: string
  /** Milliseconds since 1970: the end of the last day on which it holds. */
  readonly until: Located<number> | undefined
  readonly span: Span
}

/** What a configuration says of linting, with all that it extends. */
export interface LintConfig {
  readonly layers: readonly Layer[]
  readonly overrides: readonly Override[]
  readonly ignores: readonly Ignore[]
}
