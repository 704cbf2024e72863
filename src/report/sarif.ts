import { groupedBy } from '../collections.ts'
import type { Code, Diagnostic, Fix, Related, Severity } from '../diagnostic.ts'
import { fingerprints, lineHashes } from '../lint/fingerprint.ts'
import { memoizeByObject } from '../memo.ts'
import { visible } from '../names.ts'
import type { Meaning, RuleExample, RuleExamples } from '../rules/rule.ts'
import type { Source, Span } from '../source.ts'
import { countsText, factsJson, type LintReport, region, relativePath, type Unread, unreadCode, withFactsSaid, worstFirst } from './lint.ts'
import { cut, json } from './safe.ts'
import { plural, presentParts, rulePage } from './words.ts'

/** The limit of code scanning: of more results it drops some, and far more it refuses altogether. */
const mostResults = 5000
const mostRelated = 100
const longestMessage = 2000
const longestDescription = 1024
/** Larger fixes are omitted, to keep the file small. */
const longestFix = 10_000

const levels: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'note' }
const problems: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'recommendation' }

/** The meaning of a code; little is known of a finding that comes from no rule. */
type Known = Pick<Meaning, 'code' | 'severity' | 'summary' | 'why'> & Partial<Meaning>

const noExamples: RuleExamples = { bad: [], good: [] }

const truncated: Known = {
  code: 'truncated',
  severity: 'error',
  summary: 'More was found than this file may hold.',
  why: 'Code scanning takes a limited number of results, so the worst were kept. The other formats hold all of them.',
}

/**
 * The findings as SARIF 2.1.0, with what code scanning and editors make use of: what each rule means, the exact region,
 * fingerprints that outlive edits, related places and fixes. Of the rules, those with
 * results are described: all of them would be 370 kB for a clean file. Errors come first. Of more than 5,000 findings the worst are
 * kept, behind an error that says so. Suppressed findings are omitted unless they are to be shown, since code
 * scanning would treat them as open.
 */
export function sarifReport(report: LintReport): string {
  const { findings, unread = [], isPartial = unread.length > 0, suppressed, showSuppressed, rules, version, docs } = report
  const isTooMuch = findings.length > mostResults
  const reported = worstFirst(findings, isTooMuch ? mostResults - 1 : mostResults)
  const knownCodes = new Set(rules.map((rule) => rule.code))
  const shown = showSuppressed ? suppressed.slice(0, mostResults - reported.length - (isTooMuch ? 1 : 0)) : []
  const entries = [...findings, ...shown.map(({ finding }) => finding)]
  const codes = new Set([...reported, ...shown.map(({ finding }) => finding)].map(({ code }) => code))
  const others = [...codes].filter((code) => !knownCodes.has(code)).sort()
  const meanings: readonly Known[] = [
    ...rules.filter(({ code }) => codes.has(code)),
    ...others.map((code): Known => ({ code, severity: 'warning', summary: `Found by lint: ${code}.`, why: `Found by lint: ${code}.` })),
    ...(isTooMuch ? [truncated] : []),
  ]
  const result = resultsOf(new Map(meanings.map(({ code }, index) => [code, index])))
  // All are numbered, in the order of the files, so that no fingerprint depends on which others there is room for.
  const all = fingerprints(entries)
  const contents = new Map(entries.map((finding, i) => [finding, all[i] as string]))
  const note = isTooMuch ? [truncation(findings, reported)] : []
  return `${json({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'grantwise',
            semanticVersion: version,
            informationUri: 'https://www.npmjs.com/package/grantwise',
            rules: meanings.map((each) => descriptor(each, knownCodes.has(each.code) ? docs : undefined)),
            notifications: [{ id: unreadCode, shortDescription: { text: 'Something that was to be linted could not be read.' } }],
          },
        },
        invocations: [
          { executionSuccessful: !isPartial, ...(unread.length > 0 && { toolExecutionNotifications: unread.map(notification) }) },
        ],
        columnKind: 'utf16CodeUnits',
        results: [
          ...note.map((each) => result(each, fingerprints([each])[0] as string)),
          ...reported.map((each) => result(each, contents.get(each) as string)),
          ...shown.map(({ finding, by, reason }) => ({
            ...result(finding, contents.get(finding) as string),
            suppressions: [{ kind: by === 'comment' ? 'inSource' : 'external', justification: visible(cut(reason, longestMessage)) }],
          })),
        ],
      },
    ],
  })}\n`
}

/** How a finding becomes a result, given the index of each code, and the fingerprint of its contents. */
function resultsOf(indexes: ReadonlyMap<Code, number>) {
  const hashesOf = memoizeByObject(({ text }: Source) => lineHashes(text))
  const lineHash = (span: Span) => hashesOf(span.source)[region(span).line - 1] as string
  return (finding: Diagnostic, contents: string) => ({
    ruleId: finding.code,
    ruleIndex: indexes.get(finding.code),
    level: levels[finding.severity],
    message: { text: messageText(withFactsSaid(finding)) },
    locations: [location(finding.span)],
    partialFingerprints: { primaryLocationLineHash: lineHash(finding.span), 'grantwise/v1': contents },
    ...relatedPlaces(finding),
    ...fixes(finding.fix),
    ...(finding.facts && { properties: factsJson(finding) }),
  })
}

const notification = ({ path, message }: Unread) => ({
  descriptor: { id: unreadCode, index: 0 },
  level: 'error',
  message: { text: literal(path === '' ? message : `${path}: ${message}`) },
  ...(path !== '' && { locations: [{ physicalLocation: { artifactLocation: { uri: uri(path) } } }] }),
})

/** The finding for those that were omitted; at the place of the first one. */
function truncation(findings: readonly Diagnostic[], reported: readonly Diagnostic[]): Diagnostic {
  const keeps = new Set(reported)
  const dropped = findings.filter((finding) => !keeps.has(finding))
  return {
    code: truncated.code,
    severity: 'error',
    message: `${plural(dropped.length, 'finding')} of ${findings.length} omitted (${countsText(dropped)}): fix some, or use another format`,
    span: (dropped[0] as Diagnostic).span,
  }
}

function descriptor(knownRule: Known, docs: string | undefined) {
  const { code, severity, summary, why, section, precision = 'high', security, link } = knownRule
  const page = link ?? (docs === undefined || code.includes('/') ? undefined : rulePage(code, docs))
  return {
    id: code,
    name: code.replace(/(?:^|[-/])(.)/g, (_, letter: string) => letter.toUpperCase()),
    shortDescription: { text: cut(summary, longestDescription) },
    fullDescription: { text: cut(why, longestDescription) },
    help: helpOf(knownRule),
    ...(page !== undefined && { helpUri: page }),
    defaultConfiguration: { level: levels[severity] },
    properties: {
      tags: ['policy', ...(section === undefined ? [] : [section.replaceAll(' ', '-')]), ...(security === undefined ? [] : ['security'])],
      precision,
      'problem.severity': problems[severity],
      ...(security !== undefined && { 'security-severity': security.toFixed(1) }),
    },
  }
}

/** The meaning of a rule with its examples: in Markdown, and for viewers without it, where one example of each kind has to do. */
function helpOf({ summary, why, examples = noExamples }: Known) {
  const kinds = [['Found', examples.bad] as const, ['Not found', examples.good] as const].filter(([, own]) => own.length > 0)
  const texts = kinds.map(([title, [first]]) => `\n\n${title}:\n\n${exampleText(first as RuleExample)}`)
  const blocks = kinds.map(([title, own]) => `\n\n## ${title}\n\n${own.map((each) => fenced(exampleText(each))).join('\n\n')}`)
  const what = summary === why ? summary : `${summary}\n\n${why}`
  return { text: `${why}${texts.join('')}`, markdown: `${what}${blocks.join('')}` }
}

const exampleText = ({ text }: RuleExample): string =>
  text
    .replace(/^\n+|\s+$/g, '')
    .split('\n')
    .map(visible)
    .join('\n')

function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${/^\s*[[{]/.test(text) ? 'json' : 'yaml'}\n${text}\n${fence}`
}

/** The message, which is shown as the title, then a link to each place that belongs to it, and what to do. */
function messageText({ message, help, related = [] }: Diagnostic): string {
  const links = related.slice(0, mostRelated).map((each, i) => `[${literal(each.message)}](${i + 1})`)
  // A bracket is only taken for the start of a link where there are links, or where the text looks as if it held one.
  const safe = (text: string) =>
    (links.length > 0 && text.includes('[')) || text.includes('](') ? literal(text) : visible(cut(text, longestMessage))
  const see = links.length > 0 && `See ${links.join(', ')}`
  return presentParts(safe(message), see, help !== undefined && `Help: ${safe(help)}`).join('. ')
}

const literal = (text: string): string =>
  visible(cut(text, longestMessage)).replace(/\\*[[\]]/g, (found) => `${found.slice(0, -1).repeat(2)}\\${found.at(-1)}`)

/** Related places by the numbers that the message links to; several are also a path that leads to the finding. */
function relatedPlaces({ related = [], message, span }: Diagnostic) {
  const places = related.slice(0, mostRelated)
  if (places.length === 0) return {}
  const step = (each: Related) => ({ location: { ...location(each.span), message: { text: literal(each.message) } } })
  return {
    relatedLocations: places.map((each, i) => ({ id: i + 1, ...step(each).location })),
    ...(places.length > 1 && { codeFlows: [{ threadFlows: [{ locations: [...places, { message, span }].map(step) }] }] }),
  }
}

function fixes(fix: Fix | undefined) {
  if (fix === undefined || fix.edits.reduce((sum, { text }) => sum + text.length, 0) > longestFix) return {}
  const byPath = groupedBy(fix.edits, ({ span }) => span.source.path)
  return {
    fixes: [
      {
        description: { text: literal(fix.description) },
        artifactChanges: [...byPath].map(([path, edits]) => ({
          artifactLocation: { uri: uri(path) },
          replacements: edits.map(({ span, text }) => ({ deletedRegion: sarifRegion(span), insertedContent: { text } })),
        })),
        properties: { safe: fix.safe },
      },
    ],
  }
}

const location = (span: Span) => ({ physicalLocation: { artifactLocation: { uri: uri(span.source.path) }, region: sarifRegion(span) } })

function sarifRegion(span: Span) {
  const { line, column, endLine, endColumn } = region(span)
  return { startLine: line, startColumn: column, endLine, endColumn }
}

/** A path as a relative reference: each part percent-encoded as UTF-8. Half a surrogate pair counts as U+FFFD. */
const uri = (path: string): string =>
  relativePath(path)
    .replace(/\p{Cs}/gu, '\ufffd')
    .split('/')
    .map(encodeURIComponent)
    .join('/')
