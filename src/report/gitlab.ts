import type { Severity } from '../diagnostic.ts'
import { fingerprints, numbered } from '../lint/fingerprint.ts'
import { sha256 } from '../lint/sha256.ts'
import { visible } from '../names.ts'
import { type LintReport, region, unreadCode } from './lint.ts'
import { cut, json } from './safe.ts'

const levels: Readonly<Record<Severity, string>> = { error: 'major', warning: 'minor', info: 'info' }

const longestDescription = 1000

/**
 * A Code Quality report. The rule stands in the description, since `check_name` is not shown; a fingerprint is what a
 * finding is about and its file, so that a merge request shows only what it brings. What could not be read is an entry at
 * the first line: it needs one.
 */
export function gitlabReport({ findings, unread = [] }: LintReport): string {
  const contents = fingerprints(findings)
  const counts = new Map<string, number>()
  const entries = findings.map(({ code, severity, message, span }, i) => {
    const { line, column, endLine, endColumn } = region(span)
    const path = span.source.path.replace(/^\.\//, '')
    // `contents` are numbered over all files; what counts here is the number within this one.
    const own = (contents[i] as string).split(':')[0] as string
    return {
      description: visible(cut(`${code}: ${message}`, longestDescription)),
      check_name: code,
      fingerprint: sha256(numbered(JSON.stringify([own, path]), counts)).slice(0, 32),
      severity: levels[severity],
      location: {
        path,
        lines: { begin: line, end: endLine },
        positions: { begin: { line, column }, end: { line: endLine, column: endColumn } },
      },
    }
  })
  const start = { line: 1, column: 1 }
  const closed = unread.map(({ path, message }) => ({
    description: visible(cut(`${unreadCode}: ${message}`, longestDescription)),
    check_name: unreadCode,
    fingerprint: sha256(numbered(JSON.stringify([unreadCode, path, message]), counts)).slice(0, 32),
    severity: 'critical',
    location: { path: path === '' ? '.' : path.replace(/^\.\//, ''), lines: { begin: 1, end: 1 }, positions: { begin: start, end: start } },
  }))
  return `${json([...entries, ...closed])}\n`
}
