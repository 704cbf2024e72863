import type { Diagnostic } from '../diagnostic.ts'
import { place } from '../diagnostic.ts'
import { countsText, type LintReport, unreadLine, worstFirst } from './lint.ts'
import { summaryLine } from './pretty.ts'
import { cut, shown } from './safe.ts'

/** How many findings are printed, and how long each of their texts may be. */
const most = 100
const longest = 400

/**
 * For programs that write policies: a line for each finding with all that is needed to fix it, in the order of the
 * files, and a last line with the numbers. Of more than a hundred the worst are printed.
 */
export function agentReport(report: LintReport): string {
  const printed = new Set(worstFirst(report.findings, most))
  const lines = report.findings.filter((finding) => printed.has(finding)).map(agentLine)
  const left = report.findings.filter((finding) => !printed.has(finding))
  const more = left.length === 0 ? '' : `${left.length} more not printed: ${countsText(left)}\n`
  const unread = (report.unread ?? []).slice(0, most).map((each) => `${cut(unreadLine(each), longest)}\n`)
  return `${lines.join('')}${more}${unread.join('')}${summaryLine(report)}\n`
}

function agentLine({ code, severity, message, help, span, related = [], fix }: Diagnostic): string {
  const parts = [
    `${place(span)}: ${severity} ${code}: ${cut(message, longest)}`,
    ...(help === undefined ? [] : [`help: ${cut(help, longest)}`]),
    ...(fix === undefined ? [] : [`fix: ${cut(fix.description, longest)}`]),
    ...related.slice(0, 3).map((each) => `see ${place(each.span)}: ${cut(each.message, longest)}`),
  ]
  return `${shown(parts.join('; '))}\n`
}
