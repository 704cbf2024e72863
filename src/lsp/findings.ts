import {
  type DiagnosticRelatedInformation,
  DiagnosticSeverity,
  DiagnosticTag,
  type Diagnostic as Shown,
  type TextEdit,
} from 'vscode-languageserver'
import type { Code, Diagnostic, Severity } from '../diagnostic.ts'
import { unreadCode } from '../report/lint.ts'
import { rulePage } from '../report/words.ts'
import type { Problem } from '../sources/limits.ts'
import { type Encoding, rangeOf } from './positions.ts'
import { isRuleCode } from './rule-codes.ts'

/** A change of one file. */
export interface PlainEdit extends TextEdit {
  readonly uri: string
  /** UTF-16 offsets. */
  readonly start: number
  readonly end: number
}

/** A finding as the editor shows it, with what would fix it: nothing but plain data. */
export interface ShownFinding {
  readonly shown: Shown
  readonly code: Code
  readonly severity: Severity
  readonly message: string
  readonly policy?: string
  /** UTF-16 offsets. */
  readonly start: number
  readonly end: number
  readonly fix?: { readonly description: string; readonly safe: boolean; readonly edits: readonly PlainEdit[] }
}

const severities: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
}

/** Findings whose code is faded or struck out in the editor. */
const tags: Partial<Record<Code, DiagnosticTag>> = {
  'allow-never-applies': DiagnosticTag.Unnecessary,
  'deprecated-action': DiagnosticTag.Deprecated,
  'idle-deny': DiagnosticTag.Unnecessary,
  'idle-except': DiagnosticTag.Unnecessary,
  'redundant-access-rule': DiagnosticTag.Unnecessary,
  'redundant-action': DiagnosticTag.Unnecessary,
  'redundant-condition': DiagnosticTag.Unnecessary,
  'redundant-identity': DiagnosticTag.Unnecessary,
  'redundant-policy': DiagnosticTag.Unnecessary,
  'redundant-range': DiagnosticTag.Unnecessary,
  'redundant-resource': DiagnosticTag.Unnecessary,
  'shadowed-deny': DiagnosticTag.Unnecessary,
  'unused-ignore': DiagnosticTag.Unnecessary,
}

/** How findings become what the editor shows. */
export interface Showing {
  readonly encoding: Encoding
  /** The URI of the file that a source was read from. */
  readonly uriOf: (path: string) => string
  /** Where the documentation is. */
  readonly docs: string
}

/** A finding as the editor shows it. */
export function foundOf(finding: Diagnostic, { encoding, uriOf, docs }: Showing): ShownFinding {
  const { code, severity, message, span, help, policy, related, fix, link } = finding
  const page = link ?? (isRuleCode(code) ? rulePage(code, docs) : undefined)
  const tag = tags[code]
  const places = related?.map(
    (each): DiagnosticRelatedInformation => ({
      message: each.message,
      location: { uri: uriOf(each.span.source.path), range: rangeOf(each.span.source, each.span, encoding) },
    }),
  )
  return {
    shown: {
      range: rangeOf(span.source, span, encoding),
      severity: severities[severity],
      code,
      ...(page !== undefined && { codeDescription: { href: page } }),
      source: 'grantwise',
      message: help === undefined || help === '' ? message : `${message}\nhelp: ${help}`,
      ...(tag !== undefined && { tags: [tag] }),
      ...(places && places.length > 0 && { relatedInformation: places }),
    },
    code,
    severity,
    message,
    ...(policy !== undefined && { policy }),
    start: span.start,
    end: span.end,
    ...(fix && {
      fix: {
        description: fix.description,
        safe: fix.safe,
        edits: fix.edits.map(({ span: { source, start, end }, text }) => ({
          uri: uriOf(source.path),
          start,
          end,
          range: rangeOf(source, { start, end }, encoding),
          newText: text,
        })),
      },
    }),
  }
}

/** Why a file could not be read, at its start. */
export function unreadOf({ message }: Problem): Shown {
  return atStart(message, DiagnosticSeverity.Error)
}

/** That the policies of a file have another prefix than the one that is read, at its start. */
export function otherPrefixOf({ message }: Problem): Shown {
  return atStart(message, DiagnosticSeverity.Information)
}

function atStart(message: string, severity: DiagnosticSeverity): Shown {
  const start = { line: 0, character: 0 }
  return { range: { start, end: start }, severity, code: unreadCode, source: 'grantwise', message }
}
