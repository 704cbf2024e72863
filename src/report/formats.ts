import { type Diagnostic, type Fix, place, type Severity } from '../diagnostic.ts'
import { applyEdits } from '../edits.ts'
import { fingerprints, numbered } from '../lint/fingerprint.ts'
import { sha256 } from '../lint/sha256.ts'
import { visible } from '../names.ts'
import { lineStart, position, type Source } from '../source.ts'
import type { LintReport, Unread } from './lint.ts'
import {
  byFile,
  countsText,
  region,
  relativePath,
  severities,
  unreadCode,
  unreadLine,
  unreadText,
  urlOf,
  withFactsSaid,
  worstFirst,
} from './lint.ts'
import { markdownReport } from './markdown.ts'
import { summaryLine } from './pretty.ts'
import { azureCommand, cut, json, shown } from './safe.ts'
import { sarifReport } from './sarif.ts'
import { compactLine, linesText, plural, presentParts } from './words.ts'
import { declaration, element, type JunitCase, junit } from './xml.ts'

/** The formats for build servers, reviewers and programs: loaded when one is asked for. */

/** How long a text may be where a server refuses longer ones; it may grow when it is made safe. */
const longest = 4000

/** A finding, or what could not be read, which has a path ('' for the whole run), and its first character where formats want a place. */
interface Item extends Pick<Diagnostic, 'severity' | 'message' | 'help'> {
  readonly code: string
  readonly path: string
  readonly at: ReturnType<typeof region>
  readonly finding?: Diagnostic
}

const itemOf = (finding: Diagnostic): Item => ({ ...finding, path: finding.span.source.path, at: region(finding.span), finding })

const start = { line: 1, column: 1, endLine: 1, endColumn: 1 }
const unreadItem = ({ path, message }: Unread): Item => ({ code: unreadCode, severity: 'error', message, path, at: start })

const itemsOf = ({ findings, unread = [] }: LintReport): readonly Item[] => [...findings.map(itemOf), ...unread.map(unreadItem)]

/** The message behind the path, for where no place is shown. */
const pathed = ({ path, message }: Unread) => `${path === '' ? '' : `${path}: `}${message}`

/** The items of each file, with those in which nothing was found, then what could not be read. */
function itemsByFile({ files, findings, unread = [] }: LintReport): readonly (readonly [path: string, items: readonly Item[]])[] {
  const findingsByFile = byFile(findings)
  return [
    ...[...new Set([...files, ...findingsByFile.keys()])].map((path) => [path, (findingsByFile.get(path) ?? []).map(itemOf)] as const),
    ...unread.map((each) => [each.path === '' ? '.' : each.path, [unreadItem(each)]] as const),
  ]
}

// Commands that a build server takes from the log.

/** Replaces what would end a command or one of its properties by its number. `percent`: the escape of the percent sign itself. */
const escaped = (text: string, percent: string, marks = '') =>
  text.replace(/[%\r\n:,;\]]/g, (c) =>
    c === '%' ? percent : `\r\n${marks}`.includes(c) ? `%${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}` : c,
  )

const commands: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'notice' }

/**
 * Annotations for pull requests: the worst first, as many as are kept, and a last one with the number of the others. What could
 * not be read comes first, as one error, so that the findings have room. The output is to be guarded by `guardAnnotations`.
 */
function githubReport(report: LintReport): string {
  // GitHub keeps so many of each kind of one step, and drops the rest silently.
  const most = 10
  const { findings, unread = [] } = report
  const [first] = unread
  const others = unread.length > 1 ? `%0A${unreadText(report)} in all: the log names each` : ''
  const file = first && first.path !== '' && { file: githubPath(first.path) }
  const closed = first && annotation('error', { ...file, title: unreadCode }, `${githubText(pathed(first))}${others}`)
  const room = { error: first ? most - 1 : most, warning: most, info: most }
  const bySeverity = severities.map((each) => findings.filter(({ severity }) => severity === each).slice(0, room[each]))
  const isWhole = bySeverity.flat().length === findings.length
  // The last annotation is a notice, and takes the place of one.
  const printed = isWhole
    ? bySeverity.flat()
    : bySeverity.flatMap((list) => (list[0]?.severity === 'info' ? list.slice(0, most - 1) : list))
  const unprinted = findings.filter((finding) => !printed.includes(finding))
  const rest = `${plural(unprinted.length, 'further finding')} not annotated (${countsText(unprinted)}): at most ${most} of each level are kept`
  return presentParts(closed, printed.map(annotationOf), !isWhole && annotation('notice', { title: 'grantwise' }, rest)).join('')
}

function annotationOf({ code, severity, message, help, span }: Diagnostic): string {
  const { line, column, endLine, endColumn } = region(span)
  // Columns are only taken within one line; there the last one is named, not the one behind it.
  const columns = line === endLine ? { col: column, endColumn: Math.max(column, endColumn - 1) } : {}
  const text = githubText(message) + (help === undefined ? '' : `%0Ahelp: ${githubText(help)}`)
  return annotation(commands[severity], { file: githubPath(span.source.path), line, endLine, ...columns, title: shown(code) }, text)
}

/** One command; its text is escaped already. */
function annotation(name: string, properties: Readonly<Record<string, string | number>>, text: string): string {
  const written = Object.entries(properties).map(([key, value]) => `${key}=${escaped(String(value), '%25', ':,')}`)
  return `::${name} ${written.join(',')}::${text}\n`
}

const githubText = (text: string) => escaped(shown(cut(text, longest)), '%25')

/** Line breaks are kept, as they can be escaped; no other character that could act on a terminal is. */
const githubPath = (path: string) => relativePath(path).replace(/[^\r\n]+/g, shown)

/** Issues of a build of Azure Pipelines, whose agent knows errors and warnings only; to be guarded by `guardAzure`. */
const azureReport = ({ findings, unread = [] }: LintReport): string =>
  [...unread.map(unreadItem), ...findings.map(itemOf)].map(issueOf).join('')

function issueOf({ code, severity, message, help, path, at, finding }: Item): string {
  if (finding && severity === 'info') return `${compactLine(finding)}\n`
  const properties = {
    type: severity,
    ...(path !== '' && { sourcepath: relativePath(path) }),
    ...(finding && { linenumber: at.line, columnnumber: at.column }),
    code,
  }
  // The escape of the agent for the percent sign is its own.
  const written = Object.entries(properties).map(([name, value]) => `${name}=${escaped(shown(String(value)), '%AZP25', '];')}`)
  const text = finding ? `${message}${help === undefined ? '' : ` (help: ${help})`}` : pathed({ path, message })
  return `${azureCommand}${written.join(';')};]${escaped(shown(cut(text, longest)), '%AZP25')}\n`
}

/** A Checkstyle report: every file with its findings, each an error. What to do about a finding comes after its message. */
function checkstyleReport(report: LintReport): string {
  const content = itemsByFile(report).map(([name, items]) => {
    const errors = items.map(({ code, severity, message, help, at: { line, column } }) => {
      const text = visible(help === undefined ? message : `${message}; help: ${help}`)
      return element('error', { line, column, severity, message: text, source: `grantwise.${code}` })
    })
    return element('file', { name }, errors.length === 0 ? '' : `\n${errors.join('')}`)
  })
  return `${declaration}${element('checkstyle', { version: '4.3' }, `\n${content.join('')}`)}`
}

/**
 * A JUnit report: a suite for each file and in it a case for each finding, or one that passes. Errors and warnings are
 * failures; what is only information counts as skipped, since a failure would say that something has to be done. What
 * could not be read is a case that was not carried out, which is an error and no failure.
 */
const junitReport = (report: LintReport): string =>
  junit(itemsByFile(report).map(([path, items]) => ({ path, cases: items.length === 0 ? [{ name: 'lint' }] : items.map(caseOf) })))

function caseOf({ code, severity, message: text, help, path, at: { line, column }, finding }: Item): JunitCase {
  const message = visible(text)
  if (!finding) return { name: code, result: { kind: 'error', type: code, message, text: pathed({ path, message }) } }
  const name = `${code} ${line}:${column}`
  if (severity === 'info') return { name, result: { kind: 'skipped', message } }
  const details = `${path}:${line}:${column}: ${message}${help ? `\nhelp: ${visible(help)}` : ''}`
  return { name, result: { kind: 'failure', type: severity, message, text: details } }
}

const gitlabLevels: Readonly<Record<Severity, string>> = { error: 'major', warning: 'minor', info: 'info' }

/**
 * A Code Quality report. The rule is in the description, since `check_name` is not shown; a fingerprint is what a
 * finding is about and its file, so that a merge request shows only what it brings. What could not be read is an entry at
 * the first line: it needs one.
 */
function gitlabReport(report: LintReport): string {
  const contents = fingerprints(report.findings)
  const counts = new Map<string, number>()
  const entries = itemsOf(report).map(({ code, severity, message, path, at: { line, column, endLine, endColumn }, finding }, i) => {
    // `contents` are numbered over all files; what counts here is the number within this one.
    const about = finding ? [(contents[i] as string).split(':')[0], relativePath(path)] : [code, path, message]
    return {
      description: visible(cut(`${code}: ${message}`, 1000)),
      check_name: code,
      fingerprint: sha256(numbered(JSON.stringify(about), counts)).slice(0, 32),
      severity: finding ? gitlabLevels[severity] : 'critical',
      location: {
        path: relativePath(path) || '.',
        lines: { begin: line, end: endLine },
        positions: { begin: { line, column }, end: { line: endLine, column: endColumn } },
      },
    }
  })
  return `${json(entries)}\n`
}

/** Larger fixes are omitted: no one reviews them in a comment. */
const longestFix = 10_000

const sourceName = { name: 'grantwise' }

/** The findings in the Diagnostic Format of reviewdog: one object. */
const rdjsonReport = (report: LintReport): string =>
  `${json({ source: sourceName, diagnostics: itemsOf(report).map((item) => diagnosticOf(item, report)) })}\n`

const rdjsonlReport = (report: LintReport): string =>
  itemsOf(report)
    .map((item) => `${json({ ...diagnosticOf(item, report), source: sourceName })}\n`)
    .join('')

function diagnosticOf({ code, severity, message, help, path, finding }: Item, { docs }: LintReport) {
  const url = finding && urlOf(finding, docs)
  const suggestion = finding?.fix && suggestionOf(finding.fix, finding.span.source)
  return {
    message: presentParts(message, help !== undefined && `help: ${help}`)
      .map((text) => visible(cut(text, longest)))
      .join('\n'),
    location: {
      path: relativePath(path) || '.',
      ...(finding && { range: rangeOf(finding.span.source, finding.span.start, finding.span.end) }),
    },
    severity: severity.toUpperCase(),
    code: { value: code, ...(url !== undefined && { url }) },
    ...(suggestion && { suggestions: [suggestion] }),
  }
}

/** A fix as one replacement, since suggestions are alternatives; undefined for one that changes another file too. */
function suggestionOf({ edits }: Fix, source: Source) {
  if (edits.length === 0 || edits.some(({ span }) => span.source !== source)) return undefined
  const [start, end] = [Math.min(...edits.map(({ span }) => span.start)), Math.max(...edits.map(({ span }) => span.end))]
  const whole = applyEdits(source.text, [edits]).text
  const text = whole.slice(start, whole.length - (source.text.length - end))
  return text.length > longestFix ? undefined : { range: rangeOf(source, start, end), text }
}

/** Lines and columns from 1, columns in bytes of UTF-8, end exclusive. */
function rangeOf(source: Source, start: number, end: number) {
  const placeOf = (offset: number) => {
    const { line } = position(source, offset)
    const before = source.text.slice(lineStart(source, offset), offset)
    return { line, column: 1 + new TextEncoder().encode(before).length }
  }
  return { start: placeOf(start), end: placeOf(end) }
}

// Programs that write policies.

const [mostLines, longestText] = [100, 400]

/** A line for each finding with all that is needed to fix it, of more than a hundred the worst, and a last line with the numbers. */
function agentReport(report: LintReport): string {
  const printed = new Set(worstFirst(report.findings, mostLines))
  const unprinted = report.findings.filter((finding) => !printed.has(finding))
  const unread = (report.unread ?? []).slice(0, mostLines)
  return linesText(
    report.findings.filter((finding) => printed.has(finding)).map(agentLine),
    unprinted.length > 0 && `${unprinted.length} more not printed: ${countsText(unprinted)}`,
    unread.map((each) => cut(unreadLine(each), longestText)),
    summaryLine(report),
  )
}

function agentLine({ code, severity, message, help, span, related = [], fix }: Diagnostic): string {
  const brief = (text: string) => cut(text, longestText)
  const parts = presentParts(
    `${place(span)}: ${severity} ${code}: ${brief(message)}`,
    help !== undefined && `help: ${brief(help)}`,
    fix && `fix: ${brief(fix.description)}`,
    related.slice(0, 3).map((each) => `see ${place(each.span)}: ${brief(each.message)}`),
  )
  return shown(parts.join('; '))
}

/** A format that says the facts about findings in their messages. */
const saying =
  (write: (report: LintReport) => string) =>
  (report: LintReport): string =>
    write({ ...report, findings: report.findings.map(withFactsSaid) })

export const formats = {
  sarif: sarifReport,
  github: saying(githubReport),
  gitlab: saying(gitlabReport),
  junit: saying(junitReport),
  checkstyle: saying(checkstyleReport),
  markdown: saying(markdownReport),
  agent: saying(agentReport),
  azure: saying(azureReport),
  rdjson: saying(rdjsonReport),
  rdjsonl: saying(rdjsonlReport),
} as const satisfies Readonly<Record<string, (report: LintReport) => string>>
