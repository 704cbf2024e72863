import type { OwnCode, Severity } from '../diagnostic.ts'
import type { Settings } from '../names.ts'
import type { Policy } from '../policy.ts'
import type { Preset, Rule } from '../rules/rule.ts'
import type { Located, Span } from '../source.ts'
import type { Separation } from '../suite/separate.ts'
import type { MapNode, Node } from '../tree.ts'

/** The level of a rule. */
export type Level = Severity | 'off'
export const levels: readonly Level[] = ['off', 'info', 'warning', 'error']

export interface RuleLevel {
  readonly code: Located<string>
  readonly level: Level
  /** As written; undefined for a level without options. */
  readonly options: { readonly value: Readonly<Record<string, unknown>>; readonly node: Node } | undefined
}

/** A setting of levels; later ones override earlier ones. */
export type Layer =
  | { readonly preset: Preset; readonly span?: Span; readonly rules?: undefined }
  | { readonly preset?: undefined; readonly rules: readonly RuleLevel[] }

/** File patterns with the folder that they are relative to. */
export interface Patterns {
  readonly folder: string
  readonly patterns: readonly string[]
}

/** Whether a path, as shown to users, is matched by file patterns. */
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
  /** It is in a package that others use, too: its entries are not reported as unused. */
  readonly isShared?: true
  readonly span: Span
}

/** A guardrail as it is written. */
export interface GuardrailText {
  readonly code: Located<OwnCode>
  readonly message: string
  readonly severity: Severity
  readonly help: string | undefined
  /** Where it is explained: an absolute address. */
  readonly link: string | undefined
  readonly kind: 'never' | 'only' | 'always' | 'requires' | 'separate'
  readonly body: MapNode
}

/** A claim of the organisation about all requests that the policies must keep. */
export interface Guardrail extends GuardrailText {
  /** All have to hold. */
  readonly claims: readonly GuardrailClaim[]
  /** The duties of which no identity may hold two. */
  readonly separation?: GuardrailSeparation
}

export interface GuardrailSeparation extends Separation {
  readonly over: 'all' | 'catalogue'
}

export interface GuardrailClaim {
  readonly kind: 'never' | 'only' | 'always'
  /** Its subject, as a policy that allows it. */
  readonly box: Policy
  readonly over: 'all' | 'catalogue'
  /** It is only claimed of what is so many days ahead. */
  readonly days?: number
}

/** A module with rules of the organisation, as a configuration names it: a path, or a name. */
export interface RuleModule {
  readonly name: Located<string>
  /** The folder that a path is relative to. */
  readonly folder: string
}

/** A configuration of linting, with all that it extends. */
export interface LintConfig {
  readonly layers: readonly Layer[]
  readonly overrides: readonly Override[]
  readonly ignores: readonly Ignore[]
  readonly guardrails?: readonly Guardrail[]
  /** The modules that it takes rules from, each once. Nothing is loaded by reading a configuration. */
  readonly ruleModules?: readonly RuleModule[]
  /** The exported rules, once the modules are loaded. */
  readonly ownRules?: readonly Rule[]
}

export type FailOn = Severity | 'never'

/** A configuration with all that it extends. Paths are absolute where its own path is. */
export interface Configuration extends LintConfig {
  /** The folder that it is about. */
  readonly folder: string
  /** The places of the given fields, by their names. */
  readonly places: ReadonlyMap<string, Span>
  /** The files that it consists of, as shown to users: itself last; none for the defaults. */
  readonly files: readonly string[]
  /** Its settings for the policy language, with defaults. */
  readonly settings: Settings
  /** Paths or globs; undefined when it does not say. */
  readonly policies: readonly string[] | undefined
  readonly world: readonly string[] | undefined
  /** The catalogue file that it pins, and where it says so. */
  readonly catalogue: Located<string> | undefined
  readonly failOn: FailOn | undefined
  /** The modules that it takes rules from, each once. Nothing is loaded by reading a configuration. */
  readonly ruleModules: readonly RuleModule[]
  /** Who approves access that no owner of a resource approves; undefined where it does not say. */
  readonly approvers: readonly string[] | undefined
  /** Where the documentation is, for links to it. */
  readonly docs: string | undefined
}
