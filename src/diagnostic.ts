import type { RuleCode } from './codes.ts'
import { keyOf } from './keys.ts'
import { isInSpan, position, type Span } from './source.ts'

export type Severity = 'error' | 'warning' | 'info'

/** A code of an organisation: its name, `/`, and the code. */
export type OwnCode = `${string}/${string}`

/** The code of a problem: of a lint rule, or of an input or an operation that is not linted. */
export type Code =
  | RuleCode
  | OwnCode
  | 'access-beyond'
  | 'access-gained'
  | 'access-lost'
  | 'address'
  | 'baseline'
  | 'catalogue'
  | 'budget'
  | 'config'
  | 'deployment-changed'
  | 'files-not-checked'
  | 'contradictory-test'
  | 'convert'
  | 'description'
  | 'duplicate-test'
  | 'fmt'
  | 'lockfile'
  | 'not-known'
  | 'review'
  | 'seed'
  | 'time'
  | 'truncated'
  | 'unfinished-test'

/** A further place that belongs to a problem. */
export interface Related {
  readonly message: string
  readonly span: Span
}

/** A stretch of the text to be replaced. */
export interface Edit {
  readonly span: Span
  readonly text: string
}

/** Edits that remove a problem. `safe`: they do not change who may do what, which is proved before they are applied. */
export interface Fix {
  readonly description: string
  readonly edits: readonly Edit[]
  readonly safe: boolean
}

/**
 * A problem of any kind: syntax, shape or rule. `code` is what users write in their configuration; messages may change at any
 * time. Messages are lower-case, without a final period, and quote the user's text in backticks.
 */
export interface Diagnostic {
  readonly code: Code
  readonly severity: Severity
  readonly message: string
  readonly span: Span
  /** How to solve it. */
  readonly help?: string
  /** The name of the policy it was found in. */
  readonly policy?: string
  readonly related?: readonly Related[]
  readonly fix?: Fix
  /** Where it is explained, if not on the page of a built-in rule. */
  readonly link?: string
  /** The actions that it is about, of all that the policy grants; absent where it is about whatever is granted at its place. */
  readonly actions?: readonly string[]
  /** Further facts about what it is about, where they are asked for. */
  readonly facts?: DiagnosticFacts
}

/** A fact in words, and as machines read it. */
export interface DiagnosticFact {
  readonly words: readonly string[]
  readonly json: object
}

/** Why a problem counts as new, since when its access exists, and how recorded calls used that. */
export type DiagnosticFacts = Readonly<Partial<Record<FactName, DiagnosticFact>>>

export const factNames = ['new', 'since', 'use'] as const
export type FactName = (typeof factNames)[number]

/** The facts of a problem in words, each with its name. */
export const factsIn = ({ facts }: Pick<Diagnostic, 'facts'>): readonly (readonly [name: FactName, fact: DiagnosticFact])[] =>
  factNames.flatMap((name) => {
    const fact = facts?.[name]
    return fact ? [[name, fact] as const] : []
  })

/** The parsed value with the problems of parsing. Readers return this and never throw. */
export interface Parsed<T> {
  readonly value: T
  readonly diagnostics: readonly Diagnostic[]
}

/** The order in which problems are shown: file, line, column, code; independent of the order in which they were found. */
export function compareDiagnostics(a: Diagnostic, b: Diagnostic): number {
  return (
    compareText(a.span.source.path, b.span.source.path) ||
    a.span.start - b.span.start ||
    compareText(a.code, b.code) ||
    a.span.end - b.span.end ||
    compareText(a.message, b.message)
  )
}

/** Whether a place is within a syntax error: its value there is the reader's guess, so that nothing else is reported about it. */
export function isInSyntaxError(span: Span, problems: readonly Diagnostic[]): boolean {
  return problems.some((problem) => problem.code === 'syntax' && problem.severity === 'error' && isInSpan(span, problem.span))
}

/**
 * The problems without those that share a place with an earlier one of the same code: one mistake is reported once. Of two that
 * overlap, the first one remains. In order of their places.
 */
export function withoutOverlaps(problems: readonly Diagnostic[]): readonly Diagnostic[] {
  if (problems.length < 2) return problems
  const ends = new Map<string, number>()
  return [...problems].sort(compareStarts).filter(({ code, span: { source, start, end } }) => {
    const key = keyOf(code, source.path)
    if (start < (ends.get(key) ?? -1)) return false
    ends.set(key, Math.max(end, start + 1))
    return true
  })
}

function compareStarts(a: Diagnostic, b: Diagnostic): number {
  return compareText(a.span.source.path, b.span.source.path) || a.span.start - b.span.start
}

/** Identifies a problem: the same message at the same place. */
export function findingKey({ code, message, span: { source, start, end } }: Diagnostic): string {
  return keyOf(code, start, end, source.path, message)
}

/** The problems without duplicates: one place may be read several times. */
export function withoutDuplicates(problems: readonly Diagnostic[]): readonly Diagnostic[] {
  const seen = new Set<string>()
  return problems.filter((problem) => {
    const key = findingKey(problem)
    return !seen.has(key) && seen.add(key)
  })
}

/** Order by UTF-16 units: the same on every machine and in every locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** `file:line:column` of where a span starts. */
export function place(span: Span): string {
  const { line, column } = position(span.source, span.start)
  return `${span.source.path}:${line}:${column}`
}

/** Whether all edits of a finding's fix are within one of some stretches; true without a fix. */
export function isWithin({ fix }: { readonly fix?: Fix }, stretches: readonly Span[]): boolean {
  if (!fix) return true
  return stretches.some((stretch) => fix.edits.every(({ span }) => isInSpan(span, stretch)))
}

/** A finding without its fix. */
export function withoutFix<T extends { readonly fix?: Fix }>(finding: T): Omit<T, 'fix'> {
  const { fix: _, ...rest } = finding
  return rest
}
