import type { Diagnostic, Fix, Severity } from '../diagnostic.ts'
import { applyEdits } from '../edits.ts'
import { visible } from '../names.ts'
import { position, type Source } from '../source.ts'
import { type LintReport, type Unread, unreadCode } from './lint.ts'
import { cut, json } from './safe.ts'
import { rulePage } from './words.ts'

const severities: Readonly<Record<Severity, string>> = { error: 'ERROR', warning: 'WARNING', info: 'INFO' }
const longestMessage = 4000
/** Larger fixes are omitted: nobody reviews them in a comment. */
const longestFix = 10_000

/** The findings in the Diagnostic Format of reviewdog: one object. */
export function rdjsonReport(report: LintReport): string {
  return `${json({ source: sourceName, diagnostics: diagnosticsOf(report) })}\n`
}

/** The same, with a diagnostic on each line. */
export function rdjsonlReport(report: LintReport): string {
  return diagnosticsOf(report)
    .map((each) => `${json({ ...each, source: sourceName })}\n`)
    .join('')
}

const sourceName = { name: 'grantwise' }

function diagnosticsOf({ findings, unread = [], docs }: LintReport): readonly object[] {
  return [...findings.map((finding) => diagnosticOf(finding, docs)), ...unread.map(unreadOf)]
}

function diagnosticOf({ code, severity, message, help, span, fix, link }: Diagnostic, docs: string | undefined) {
  const { source, start, end } = span
  const url = docs === undefined ? undefined : (link ?? rulePage(code, docs))
  const suggestion = fix && suggestionOf(fix, source)
  return {
    message: [message, ...(help === undefined ? [] : [`help: ${help}`])].map((text) => visible(cut(text, longestMessage))).join('\n'),
    location: { path: pathOf(source.path), range: rangeOf(source, start, end) },
    severity: severities[severity],
    code: { value: code, ...(url !== undefined && { url }) },
    ...(suggestion && { suggestions: [suggestion] }),
  }
}

function unreadOf({ path, message }: Unread) {
  return {
    message: visible(cut(message, longestMessage)),
    location: { path: path === '' ? '.' : pathOf(path) },
    severity: 'ERROR',
    code: { value: unreadCode },
  }
}

function pathOf(path: string): string {
  return path.replace(/^(\.\/+)+/, '')
}

/**
 * A fix as one replacement, since suggestions are alternatives: from its first edit to its last. Undefined for one that changes
 * another file too.
 */
function suggestionOf({ edits }: Fix, source: Source) {
  if (edits.length === 0 || edits.some(({ span }) => span.source !== source)) return undefined
  const [start, end] = [Math.min(...edits.map(({ span }) => span.start)), Math.max(...edits.map(({ span }) => span.end))]
  const whole = applyEdits(source.text, [edits]).text
  const text = whole.slice(start, whole.length - (source.text.length - end))
  return text.length > longestFix ? undefined : { range: rangeOf(source, start, end), text }
}

/** Lines and columns from 1, columns in bytes of UTF-8, end exclusive. */
function rangeOf(source: Source, start: number, end: number) {
  return { start: placeOf(source, start), end: placeOf(source, end) }
}

function placeOf(source: Source, offset: number) {
  const { line } = position(source, offset)
  const before = source.text.slice(source.lineStarts[line - 1], offset)
  return { line, column: 1 + new TextEncoder().encode(before).length }
}
