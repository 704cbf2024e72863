import type { Diagnostic } from '../diagnostic.ts'
import { position } from '../source.ts'
import { byFile, countsText, type LintReport, suppressedText, type Unread, unreadText, worstFirst } from './lint.ts'
import { cut, shown } from './safe.ts'
import { plural, presentParts } from './words.ts'

/** A build server refuses a summary of more than a mebibyte; half of that is more than anybody reads. */
export const mostBytes = 512 * 1024
const longestMessage = 500
const longestPath = 500
/** So many of the paths that could not be read are listed; all are counted. */
const mostUnread = 20

/** A summary to be read: the numbers, then a table for each file. Of too many findings the worst are shown and the others counted. */
export function markdownReport(report: LintReport): string {
  const { files, findings, unread = [] } = report
  const printed = fitting(findings)
  const tables = [...byFile(findings.filter((finding) => printed.has(finding)))].map(([file, list]) => section(file, list))
  const unprinted = findings.filter((finding) => !printed.has(finding))
  const dirty = new Set(findings.map((finding) => finding.span.source.path)).size
  const numbers = presentParts(
    `${plural(files.length, 'file')} checked`,
    dirty > 0 && `${dirty} with findings`,
    unread.length > 0 && `**${unreadText(report)}**`,
    report.hidden > 0 && `${report.hidden} below error not shown`,
    report.suppressed.length > 0 && `**${suppressedText(report.suppressed)}**`,
  )
  const closedRow = ({ path, message }: Unread) => `| ${codeSpan(cut(path, longestPath))} | ${prose(cut(message, longestMessage))} |`
  const closed = unread.slice(0, mostUnread).map(closedRow)
  const title = countsText(findings) || (unread.length > 0 ? 'incomplete' : 'no problems')
  return presentParts(
    `## grantwise: ${title}\n`,
    `${numbers.join(', ')}.\n`,
    closed.length > 0 && `| not read | why |\n|---|---|\n${closed.join('\n')}\n`,
    tables,
    unprinted.length > 0 && `${plural(unprinted.length, 'further finding')} omitted for brevity: ${countsText(unprinted)}.\n`,
  ).join('\n')
}

/** The findings that there is room for, the worst ones first. */
function fitting(findings: readonly Diagnostic[]): ReadonlySet<Diagnostic> {
  const printed = new Set<Diagnostic>()
  const begun = new Set<string>()
  let bytes = 0
  for (const finding of worstFirst(findings)) {
    const { path } = finding.span.source
    bytes += utf8Length(row(finding)) + (begun.has(path) ? 0 : utf8Length(section(path, [finding])))
    if (bytes > mostBytes) break
    begun.add(path)
    printed.add(finding)
  }
  return printed
}

const section = (file: string, findings: readonly Diagnostic[]): string =>
  [
    `<details open><summary><code>${html(shown(cut(file, longestPath)))}</code>: ${countsText(findings)}</summary>\n`,
    '| line | level | rule | finding |\n|---:|---|---|---|',
    `${findings.map(row).join('\n')}\n`,
    '</details>\n',
  ].join('\n')

function row({ code, severity, message, help, span }: Diagnostic): string {
  const { line, column } = position(span.source, span.start)
  const text = prose(cut(message, longestMessage)) + (help === undefined ? '' : `<br>help: ${prose(cut(help, longestMessage))}`)
  return `| ${line}:${column} | ${severity} | ${codeSpan(code)} | ${text} |`
}

/**
 * A message as Markdown in a cell of a table: what it quotes in backticks stays code, nothing else in it means anything.
 * Where the backticks do not come in pairs the user's text holds some itself, and all of it is code.
 */
export function prose(message: string): string {
  const parts = message.split('`')
  if (parts.length % 2 === 0) return codeSpan(message)
  return parts.map((part, i) => (i % 2 === 0 ? plainText(part) : codeSpan(part))).join('')
}

/** A text as code in a cell of a table: fenced by more backticks than it holds in a row. */
export function codeSpan(text: string): string {
  const content = shown(text)
  if (content === '') return ''
  const longest = Math.max(0, ...(content.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  // One blank on each side is taken off again; it parts backticks of the text from the fence.
  const room = /^[` ]|[` ]$/.test(content) && content.trim() !== '' ? ' ' : ''
  return `${fence}${room}${content.replaceAll('|', '\\|')}${room}${fence}`
}

/**
 * Characters that Markdown or HTML could give a meaning are written as their numbers. Parentheses and quotation marks have none where
 * no bracket and no tag is left; a number with a dot or a parenthesis has one at the beginning of a line.
 */
const plainText = (text: string): string =>
  shown(text).replace(/[&<>`*_~[\]{}#!|\\@$]|:(?=\/\/)|\.(?=[a-z])|(?<=^\d{1,9})[.)](?=\s|$)/gi, (c) => `&#${c.charCodeAt(0)};`)

const html = (text: string): string => text.replace(/[&<>"'`*_~[\]\\]/g, (c) => `&#${c.charCodeAt(0)};`)

/** Bytes of a text in UTF-8. */
export const utf8Length = (text: string): number => new TextEncoder().encode(text).length
