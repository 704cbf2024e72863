import { type Diagnostic, type FactName, factsIn } from '../diagnostic.ts'
import type { RuleCount } from '../lint/statistics.ts'
import { lineText, position, type Span } from '../source.ts'
import { type Paint, paint } from './colour.ts'
import { countSeverities, type LintReport, severities, suppressedLine, suppressedText, unreadLine, unreadText } from './lint.ts'
import { shown } from './safe.ts'
import { linesText, placeWords, plural, presentParts, rulePage } from './words.ts'

/** Findings as text: each with the line it is on, the places that belong to it, and what to do; then the numbers. */
export function prettyReport(report: LintReport, inColour = false): string {
  const colours = paint(inColour)
  const knownCodes = new Set(report.rules.map((rule) => rule.code))
  const pageOf = ({ code, link }: Diagnostic) =>
    link ?? (report.docs !== undefined && knownCodes.has(code) && !code.includes('/') ? rulePage(code, report.docs) : undefined)
  const { findings, unread = [], suppressed, showSuppressed } = report
  return linesText(
    findings.map((finding) => prettyFinding(finding, colours, pageOf(finding))),
    showSuppressed && suppressed.length > 0 && [suppressed.map((each) => colours.dim(suppressedLine(each))), ''],
    unread.map(unreadLine),
    summaryLine(report, colours),
  )
}

const factLabels: Readonly<Record<FactName, string>> = { new: 'new', since: 'age', use: 'calls' }

/** One finding, several lines. `page`: where its rule is explained. */
function prettyFinding(finding: Diagnostic, colours: Paint, page?: string): string {
  const { code, severity, message, span, help, related = [] } = finding
  const places = [span, ...related.map((each) => each.span)]
  const margin = String(Math.max(...places.map((each) => position(each.source, each.start).line))).length
  const note = (name: string, text: string) => `${' '.repeat(margin)} ${colours.dim('=')} ${colours.bold(`${name}:`)} ${shown(text)}\n`
  return (
    `${colours[severity](`${severity}[${shown(code)}]`)}${colours.bold(`: ${shown(message)}`)}\n` +
    frame(span, margin, colours, colours[severity]) +
    related.map((each) => note('note', each.message) + frame(each.span, margin, colours, colours.info)).join('') +
    factsIn(finding)
      .map(([name, { words }]) => note(factLabels[name], words.join('; ')))
      .join('') +
    (help === undefined ? '' : note('help', help)) +
    (page === undefined ? '' : note(code, page))
  )
}

/** Where a span is: its file, and its first line with the span underlined. */
function frame(span: Span, margin: number, colours: Paint, mark: (text: string) => string): string {
  const { line, column } = position(span.source, span.start)
  const text = lineText(span.source, line)
  const cut = excerpt(text, column - 1, Math.max(column - 1, Math.min(text.length, column - 1 + span.end - span.start)))
  const gutter = (number: string) => colours.dim(`${number.padStart(margin)} |`)
  return (
    `${' '.repeat(margin)}${colours.dim('-->')} ${placeWords(span)}\n` +
    (cut.text === '' ? '' : `${gutter(String(line))} ${cut.text}\n${gutter('')} ${' '.repeat(cut.before)}${mark('^'.repeat(cut.width))}\n`)
  )
}

/** The most columns of a line that are shown: a long line is cut to its part around the span. */
const widest = 160
const tab = 4

/** The part of a line around `from`–`to` as it can be shown, with the columns before the span, and of the span; at least one. */
export function excerpt(line: string, from: number, to: number) {
  // Start so that the span begins within the first third of a long line; never within a pair of surrogates.
  let i = line.length <= widest ? 0 : Math.max(0, Math.min(from - widest / 3, line.length - widest)) | 0
  if (/^[\udc00-\udfff]/.test(line.charAt(i))) i++
  let text = i > 0 ? '…' : ''
  let [column, before, end] = [text.length, 0, 0]
  while (i < line.length) {
    const character = String.fromCodePoint(line.codePointAt(i) as number)
    const piece = character === '\t' ? ' '.repeat(tab - (column % tab)) : shown(character)
    const width = piece.length > character.length || character === '\t' ? piece.length : widthOf(character)
    if (column + width > widest) {
      text += '…'
      break
    }
    if (i < from) before = column + width
    text += piece
    column += width
    i += character.length
    if (i <= to) end = column
  }
  // Single characters are harmless; a command for a build server only shows once they are together.
  return { text: text.includes('##') ? shown(text) : text, before, width: Math.max(1, Math.min(end, column) - before) }
}

/** Columns that a character takes on a terminal: none for combining marks, two for East Asian wide ones and pictures. */
const widthOf = (character: string) => (/^[\p{Mn}\p{Me}]/u.test(character) ? 0 : wide.test(character) ? 2 : 1)

const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u

/** How much was found in how many files, and how much is not shown; one line without its end. */
export function summaryLine(report: LintReport, colours: Paint = paint(false)): string {
  const { files, findings, suppressed, hidden, unread = [], unknown = [] } = report
  const counts = countSeverities(findings)
  const numbers = severities.filter((each) => counts[each] > 0).map((each) => colours[each](plural(counts[each], each)))
  const paths = new Set(findings.map((finding) => finding.span.source.path))
  const dirty = files.filter((file) => paths.has(file)).length
  const all = plural(files.length, 'file')
  const where = dirty === 0 || dirty === files.length ? all : `${dirty} of ${all}`
  const fixable = findings.filter(({ fix }) => fix?.safe).length
  return presentParts(
    `${numbers.join(', ') || colours.good('no problems')} in ${where}`,
    hidden > 0 && `${hidden} below error not shown`,
    suppressed.length > 0 && suppressedText(suppressed),
    unread.length > 0 && unreadText(report),
    unknown.length > 0 && `${plural(unknown.length, 'value')} unknown`,
    fixable > 0 && `${fixable} fixable with --fix`,
  ).join('; ')
}

/** A table of the rules that found something, in place of the findings. */
export function statisticsText(report: LintReport, inColour = false): string {
  const { statistics = [] } = report
  const colours = paint(inColour)
  const fixes = ({ count, fixable }: RuleCount) => (fixable === 0 ? '-' : `${fixable} (${Math.floor((100 * fixable) / count)}%)`)
  const first = Math.max(5, ...statistics.map(({ count }) => String(count).length))
  const second = Math.max(7, ...statistics.map((each) => fixes(each).length))
  const line = (count: string, fixable: string, level: string, rule: string) =>
    `${count.padStart(first)}  ${fixable.padStart(second)}  ${level}  ${rule}`
  return linesText(
    statistics.length > 0 && colours.dim(line('count', 'fixable', 'level  ', 'rule')),
    statistics.map((each) => {
      const { code, severity, count } = each
      return line(String(count), fixes(each), colours[severity](severity.padEnd(7)), shown(code))
    }),
    summaryLine(report, colours),
  )
}

/** The same for tools: `count code severity fixable`, a line each. */
export const statisticsLines = ({ statistics = [] }: LintReport): string =>
  statistics.map(({ code, severity, count, fixable }) => `${count} ${shown(code)} ${severity} ${fixable}\n`).join('')
