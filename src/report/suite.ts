import type { Diagnostic } from '../diagnostic.ts'
import { place } from '../diagnostic.ts'
import { isPattern, writtenAs } from '../glob.ts'
import { visible } from '../names.ts'
import type { World } from '../policy.ts'
import { type Coverage, percent } from '../suite/coverage.ts'
import type { CheckResult, Failure, Status } from '../suite/run.ts'
import type { Claim } from '../suite/suite.ts'
import { questionJson } from '../symbolic/witness.ts'
import { type Paint, paint } from './colour.ts'
import { conditionWords, decisionJson, decisionText } from './decision.ts'
import { remediesOf } from './remedy.ts'
import { json, shown } from './safe.ts'
import { placeJson, plural, quoted, some } from './words.ts'
import { declaration, element, xml } from './xml.ts'

/** How the tests of one file came out, over the world that they are about. */
export interface SuiteResults {
  readonly path: string
  readonly world: World
  readonly results: readonly CheckResult[]
}

/** What `test` has to show. */
export interface SuiteReport {
  /** The files of tests that were run, in order, each with its results. */
  readonly files: readonly SuiteResults[]
  /** Notes on the tests; in order. */
  readonly notes: readonly Diagnostic[]
  /** Undefined: not asked for. */
  readonly coverage: Coverage | undefined
  /** The least percentage of entries to be exercised; undefined: any will do. */
  readonly leastCoverage: number | undefined
  /** How many tests `--filter` excluded. */
  readonly left: number
}

const statuses: readonly Status[] = ['passed', 'failed', 'undecided']

/** How many checks came out how. */
export function countStatuses({ files }: Pick<SuiteReport, 'files'>): Readonly<Record<Status, number>> {
  const counts = { passed: 0, failed: 0, undecided: 0 }
  for (const { results } of files) for (const { status } of results) counts[status]++
  return counts
}

/** Whether the coverage is too low. */
export function lacksCoverage({ coverage, leastCoverage }: Pick<SuiteReport, 'coverage' | 'leastCoverage'>): boolean {
  return coverage !== undefined && leastCoverage !== undefined && percent(coverage.entries) < leastCoverage
}

/** How many failures of a table are shown. */
const mostFailures = 10

/** Results for people: a line for each test, and for what did not pass the question and what the answer rests on. */
export function prettySuite(report: SuiteReport, inColour = false): string {
  const colours = paint(inColour)
  let out = ''
  for (const { path, world, results } of report.files) {
    out += `${colours.bold(shown(path))}\n`
    for (const result of results) out += checkText(result, world, colours)
    out += '\n'
  }
  for (const { severity, code, message, span, help } of report.notes) {
    out += `${colours[severity](`${severity}[${code}]`)} ${shown(place(span))}: ${shown(message)}${help === undefined ? '' : `; ${shown(help)}`}\n`
  }
  if (report.notes.length > 0) out += '\n'
  if (report.coverage) out += coverageText(report, colours)
  return `${out}${summaryLine(report, colours)}\n`
}

const words: Readonly<Record<Status, string>> = { passed: 'ok  ', failed: 'FAIL', undecided: 'OPEN' }

function checkText(result: CheckResult, world: World, colours: Paint): string {
  const { check, status, failures } = result
  const colour = { passed: colours.good, failed: colours.error, undecided: colours.warning }[status]
  const where = status === 'passed' ? '' : `  ${colours.dim(shown(place(check.span)))}`
  const lines = [`  ${colour(words[status])}  ${shown(check.name)}  ${colours.dim(`(${scopeWords(result)})`)}${where}`]
  for (const failure of failures.slice(0, mostFailures))
    lines.push(...failureLines(failure, world, colours).map((line) => (line === '' ? '' : `        ${line}`)))
  if (failures.length > mostFailures) lines.push(`        and ${failures.length - mostFailures} more`)
  return `${lines.join('\n')}\n`
}

/** What a check did: it asked so many questions, or proved so many claims. */
function scopeWords({ check, questions, claims, known, status }: CheckResult): string {
  if (check.kind === 'test') return check.expected.verdict
  const isPlain = check.box.permissions.allow.every(({ value }) => !isPattern(value))
  const over = isPlain
    ? ''
    : check.over === 'catalogue'
      ? ` over ${plural(known, 'known action')}`
      : ` over all actions, ${known} of them known`
  if (check.kind !== 'allow' && check.kind !== 'deny')
    return `${check.kind}: ${{ passed: 'proved', failed: 'refuted', undecided: 'undecided' }[status]}${over}`
  const parts = [questions > 0 ? plural(questions, 'question') : '', claims > 0 ? `${plural(claims, 'claim')}${over}` : '']
  return `${check.kind}: ${parts.filter((part) => part !== '').join(', ')}`
}

function failureLines(failure: Failure, world: World, colours: Paint): readonly string[] {
  if (failure.kind === 'undecided') {
    return [
      `${claimWords(failure.claim)}: neither proved nor refuted`,
      `it depends on ${failure.culprits.slice(0, mostFailures).map(quoted).join(', ')}`,
    ]
  }
  const { question, explanation } = failure
  const remedies = remediesOf(explanation.nearest, world, question)
  const decision = decisionText(question, explanation, world, colours, { remedies }).split('\n').slice(0, -1)
  const context = contextWords(failure)
  const head = failure.kind === 'answer' ? failure.differences.map(shown) : [`${claimWords(failure.claim)}: refuted, for example by`]
  // The question's own line, then the rest of it.
  const [line = '', ...rest] = decision
  const known =
    failure.kind === 'refuted' && failure.onlyUnknown ? ['no action of the catalogue refutes it: `over: catalogue` only claims these'] : []
  return [...head, line, `  ${colours.dim(context)}`, ...rest, ...known]
}

/** The circumstances of a question. */
function contextWords({ question }: { readonly question: Parameters<typeof questionJson>[0] }): string {
  const { groups, ip, tags, at, owner } = questionJson(question)
  return [
    `at ${at}`,
    ...(ip === undefined ? [] : [`from ${ip}`]),
    ...(groups.length > 0 ? [`in ${groups.map(shown).join(', ')}`] : []),
    ...(tags ? [`tags ${json(tags)}`] : []),
    ...(owner === undefined ? [] : [`owner ${shown(owner)}`]),
  ].join(', ')
}

/** A claim in words: `never: who, what, where`. */
function claimWords({ kind, box }: Claim): string {
  const list = (items: readonly { readonly value: { readonly text: string } }[]) =>
    some(
      items.map(({ value }) => quoted(value.text)),
      3,
    )
  const { identities, permissions, resources, condition } = box
  const who = identities.some(({ value }) => value.text === '*') ? 'anybody' : list(identities)
  return `${kind}: ${who}, ${list(permissions.allow)}, on ${list(resources)}${condition ? `, when ${conditionWords(condition)}` : ''}`
}

function coverageText({ coverage, leastCoverage }: SuiteReport, colours: Paint): string {
  const { entries, policies, idleEntries, idlePolicies } = coverage as Coverage
  const part = ({ total, exercised }: Coverage['entries']) => `${exercised} of ${total} (${percent({ total, exercised })} %)`
  const isLess = lacksCoverage({ coverage, leastCoverage })
  const least = leastCoverage === undefined ? '' : isLess ? `, less than ${leastCoverage} %` : `, at least ${leastCoverage} %`
  const lines = [
    `${colours.bold('coverage')}  entries ${part(entries)}${isLess ? colours.error(least) : least}, policies ${part(policies)}`,
  ]
  for (const { value, span } of idlePolicies) lines.push(`  ${shown(place(span))}  policy ${quoted(value)}: no test exercises it`)
  // The entries of such a policy are not listed.
  const idle = new Set(idlePolicies.map(({ span }) => span))
  for (const { list, entry, holder, policy } of idleEntries)
    if (!policy || !idle.has(policy))
      lines.push(`  ${shown(place(entry.span))}  ${list} ${quoted(writtenAs(entry.value))} in ${quoted(holder)}: no test exercises it`)
  return `${lines.join('\n')}\n\n`
}

function summaryLine(report: SuiteReport, colours: Paint): string {
  const counts = countStatuses(report)
  const colour = { passed: colours.good, failed: colours.error, undecided: colours.warning }
  const parts = statuses.filter((each) => counts[each] > 0 || each === 'passed').map((each) => colour[each](`${counts[each]} ${each}`))
  const left = report.left === 0 ? '' : `; ${report.left} excluded by --filter`
  return `${parts.join(', ')} in ${plural(report.files.length, 'file')}${left}`
}

/** Results for programs: one object on one line. */
export function jsonSuite(report: SuiteReport): string {
  const { files, notes, coverage, leastCoverage, left } = report
  return `${json({
    version: 1,
    files: files.length,
    summary: { ...countStatuses(report), left },
    tests: files.flatMap(({ results }) => results.map(checkJson)),
    notes: notes.map(({ code, severity, message, help, span }) => ({ code, severity, message, help: help ?? null, ...placeJson(span) })),
    coverage: coverage ? coverageJson(coverage, leastCoverage) : null,
  })}\n`
}

function checkJson({ check, status, questions, claims, known, failures }: CheckResult) {
  return {
    name: check.name,
    kind: check.kind,
    status,
    ...placeJson(check.span),
    questions,
    claims,
    catalogue: { actions: known },
    failures: failures.map(failureJson),
  }
}

function failureJson(failure: Failure) {
  if (failure.kind === 'undecided') return { kind: failure.kind, claim: claimWords(failure.claim), culprits: failure.culprits }
  const answer = { question: questionJson(failure.question), got: decisionJson(failure.explanation.decision) }
  if (failure.kind === 'refuted')
    return { kind: failure.kind, claim: claimWords(failure.claim), onlyUnknown: failure.onlyUnknown, ...answer }
  const { verdict, reason, because, missing } = failure.expected
  return {
    kind: failure.kind,
    expected: { verdict, reason: reason ?? null, because: because ?? null, missing: missing ?? null },
    differences: failure.differences,
    ...answer,
  }
}

function coverageJson({ entries, policies, idleEntries, idlePolicies }: Coverage, least: number | undefined) {
  return {
    entries: { ...entries, percent: percent(entries) },
    policies: { ...policies, percent: percent(policies) },
    least: least ?? null,
    idle: [
      ...idlePolicies.map(({ value, span }) => ({ policy: value, list: null, entry: null, ...placeJson(span) })),
      ...idleEntries.map(({ list, entry, holder }) => ({ policy: holder, list, entry: writtenAs(entry.value), ...placeJson(entry.span) })),
    ],
  }
}

/**
 * A JUnit report: a suite for each file of tests, a case for each test. What is undecided is a failure of its own type:
 * nothing unproved may look passed. Too little coverage is a failure of a suite of its own.
 */
export function junitSuite(report: SuiteReport): string {
  const suites = report.files.map(({ path, world, results }) => ({
    path,
    cases: results.map((result) => ({ name: result.check.name, ...outcome(result, world) })),
  }))
  if (report.coverage && report.leastCoverage !== undefined) {
    const message = `${percent(report.coverage.entries)} % of the entries are exercised, ${report.leastCoverage} % are required`
    suites.push({
      path: 'coverage',
      cases: [{ name: 'coverage', type: lacksCoverage(report) ? 'coverage' : undefined, message, text: message }],
    })
  }
  const all = suites.flatMap(({ cases }) => cases)
  const content = suites.map(({ path, cases }) => {
    const written = cases.map(({ name, type, message, text }) => {
      const attributes = { name: visible(name), classname: path, time: 0 }
      return element(
        'testcase',
        attributes,
        type === undefined ? '' : `\n${element('failure', { type, message: visible(message) }, xml(text))}`,
      )
    })
    return element('testsuite', { name: path, ...counts(cases), skipped: 0, time: 0, file: path }, `\n${written.join('')}`)
  })
  return `${declaration}${element('testsuites', { name: 'grantwise', ...counts(all), time: 0 }, `\n${content.join('')}`)}`
}

function counts(cases: readonly { readonly type: string | undefined }[]) {
  return { tests: cases.length, failures: cases.filter(({ type }) => type !== undefined).length, errors: 0 }
}

function outcome({ status, failures }: CheckResult, world: World): { type: string | undefined; message: string; text: string } {
  if (status === 'passed') return { type: undefined, message: '', text: '' }
  const lines = failures.slice(0, mostFailures).flatMap((failure) => failureLines(failure, world, paint(false)))
  return { type: status, message: lines[0] ?? status, text: lines.join('\n') }
}
