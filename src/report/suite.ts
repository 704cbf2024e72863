import type { Diagnostic } from '../diagnostic.ts'
import { isPattern, writtenAs } from '../glob.ts'
import type { Mutant, MutationReport, Survivor } from '../history/mutants.ts'
import { visible } from '../names.ts'
import type { World } from '../policy.ts'
import { type Coverage, percent } from '../suite/coverage.ts'
import type { CheckResult, Failure, Status } from '../suite/run.ts'
import type { Claim } from '../suite/suite.ts'
import { formulaOf } from '../symbolic/formula.ts'
import { questionJson } from '../symbolic/witness.ts'
import { type Paint, paint } from './colour.ts'
import { formulaWords } from './conditions.ts'
import { decisionJson, decisionText } from './decision.ts'
import { momentWords } from './instants.ts'
import { remediesOf } from './remedy.ts'
import { json, shown } from './safe.ts'
import { countsOf, entryWords, linesText, placeJson, placeWords, plural, presentParts, quoted, someQuoted } from './words.ts'
import { type JunitCase, junit } from './xml.ts'

export interface SuiteReport {
  readonly files: readonly { readonly path: string; readonly world: World; readonly results: readonly CheckResult[] }[]
  readonly notes: readonly Diagnostic[]
  /** Undefined: not asked for. */
  readonly coverage: Coverage | undefined
  /** The least percentage of entries to be exercised; undefined: any will do. */
  readonly leastCoverage: number | undefined
  /** Undefined: not asked for. */
  readonly mutation?: MutationReport | undefined
  /** How many tests `--filter` excluded. */
  readonly left: number
}

const statuses: readonly Status[] = ['passed', 'failed', 'undecided']

export function countStatuses({ files }: Pick<SuiteReport, 'files'>) {
  const results = files.flatMap((file) => file.results)
  return countsOf(statuses, results, ({ status }) => status)
}

export const lacksCoverage = ({ coverage, leastCoverage }: Pick<SuiteReport, 'coverage' | 'leastCoverage'>): boolean =>
  coverage !== undefined && leastCoverage !== undefined && percent(coverage.entries) < leastCoverage

/** How many failures of a table are shown. */
const mostFailures = 10

/** Results as text: a line for each test, and for what did not pass the question and what the answer rests on. */
export function prettySuite(report: SuiteReport, inColour = false): string {
  const colours = paint(inColour)
  const { files, notes, coverage } = report
  return linesText(
    files.map(({ path, world, results }) => [colours.bold(shown(path)), results.map((result) => checkLines(result, world, colours)), '']),
    notes.map(({ severity, code, message, span, help }) => {
      const todo = help === undefined ? '' : `; ${shown(help)}`
      return `${colours[severity](`${severity}[${code}]`)} ${placeWords(span)}: ${shown(message)}${todo}`
    }),
    notes.length > 0 && '',
    coverage && coverageLines(coverage, report, colours),
    report.mutation && mutationLines(report.mutation, colours),
    summaryLine(report, colours),
  )
}

const colourOf = (status: Status, { good, error, warning }: Paint) => ({ passed: good, failed: error, undecided: warning })[status]

const words: Readonly<Record<Status, string>> = { passed: 'ok  ', failed: 'FAIL', undecided: 'OPEN' }

function checkLines(result: CheckResult, world: World, colours: Paint): readonly string[] {
  const { check, status, failures } = result
  const where = status === 'passed' ? '' : `  ${colours.dim(placeWords(check.span))}`
  const shownOnes = failures.slice(0, mostFailures).flatMap((failure) => failureLines(failure, world, colours))
  const hiddenCount = failures.length - mostFailures
  return presentParts(
    `  ${colourOf(status, colours)(words[status])}  ${shown(check.name)}  ${colours.dim(`(${scopeWords(result)})`)}${where}`,
    shownOnes.map((line) => (line === '' ? '' : `        ${line}`)),
    hiddenCount > 0 && `        and ${hiddenCount} more`,
  )
}

function scopeWords({ check, questions, claims, known, status }: CheckResult): string {
  if (check.kind === 'test') return check.expected.verdict
  const isPlain = check.box.permissions.allow.every(({ value }) => !isPattern(value))
  const actions = check.over === 'catalogue' ? plural(known, 'known action') : `all actions, ${known} of them known`
  const over = isPlain ? '' : ` over ${actions}`
  if (check.kind !== 'allow' && check.kind !== 'deny')
    return `${check.kind}: ${{ passed: 'proved', failed: 'refuted', undecided: 'undecided' }[status]}${over}`
  const parts = presentParts(questions > 0 && plural(questions, 'question'), claims > 0 && `${plural(claims, 'claim')}${over}`)
  return `${check.kind}: ${parts.join(', ')}`
}

function failureLines(failure: Failure, world: World, colours: Paint): readonly string[] {
  if (failure.kind === 'undecided') {
    const depends = `it depends on ${failure.culprits.slice(0, mostFailures).map(quoted).join(', ')}`
    return [`${claimWords(failure.claim)}: neither proved nor refuted`, depends]
  }
  const { question, explanation } = failure
  const remedies = remediesOf(explanation.nearest, world, question)
  // The question's own line, then the rest of it.
  const [line, ...rest] = decisionText({ question, explanation, remedies }, world, colours).split('\n').slice(0, -1)
  return presentParts(
    failure.kind === 'answer' ? failure.differences.map(shown) : `${claimWords(failure.claim)}: refuted, for example by`,
    line,
    `  ${colours.dim(contextWords(questionJson(question)))}`,
    rest,
    failure.kind === 'refuted' && failure.onlyUnknown && 'no action of the catalogue refutes it: `over: catalogue` only claims these',
  )
}

const contextWords = ({ groups, ip, tags, at, owner }: ReturnType<typeof questionJson>): string =>
  presentParts(
    `at ${momentWords(Date.parse(at))}`,
    ip !== undefined && `from ${ip}`,
    groups.length > 0 && `in ${groups.map(shown).join(', ')}`,
    tags && `tags ${json(tags)}`,
    owner !== undefined && `owner ${shown(owner)}`,
  ).join(', ')

/** A claim in words: `never: who, what, where`. */
function claimWords({ kind, box }: Claim): string {
  const list = (items: readonly { readonly value: { readonly text: string } }[]) => someQuoted(items.map(({ value }) => value.text))
  const { identities, permissions, resources, condition } = box
  const who = identities.some(({ value }) => value.text === '*') ? 'anybody' : list(identities)
  return `${kind}: ${who}, ${list(permissions.allow)}, on ${list(resources)}${condition ? `, when ${formulaWords(formulaOf(condition)) ?? 'always'}` : ''}`
}

function coverageLines(coverage: Coverage, { leastCoverage }: SuiteReport, colours: Paint): readonly string[] {
  const { entries, policies, idleEntries, idlePolicies } = coverage
  const part = ({ total, exercised }: Coverage['entries']) => `${exercised} of ${total} (${percent({ total, exercised })} %)`
  const isLess = lacksCoverage({ coverage, leastCoverage })
  const least = leastCoverage === undefined ? '' : isLess ? `, less than ${leastCoverage} %` : `, at least ${leastCoverage} %`
  // The entries of an idle policy are not listed.
  const idle = new Set(idlePolicies.map(({ span }) => span))
  const listedEntries = idleEntries.filter(({ policy }) => !policy || !idle.has(policy))
  return [
    `${colours.bold('coverage')}  entries ${part(entries)}${isLess ? colours.error(least) : least}, policies ${part(policies)}`,
    ...idlePolicies.map(({ value, span }) => `  ${placeWords(span)}  policy ${quoted(value)}: no test exercises it`),
    ...listedEntries.map((each) => `  ${placeWords(each.entry.span)}  ${entryWords(each)} in ${quoted(each.holder)}: no test exercises it`),
    '',
  ]
}

/** How many survivors are listed. */
const mostSurvivors = 100

function mutationLines({ tried, noticed, equal, survivors }: MutationReport, colours: Paint): readonly string[] {
  const able = tried - equal
  const rest = survivors.length - mostSurvivors
  return presentParts(
    `${colours.bold('mutants')}  ${noticed} of ${able} noticed${equal === 0 ? '' : `; ${equal} more change no access`}`,
    survivors.slice(0, mostSurvivors).flatMap((each) => {
      const line = `  ${placeWords(each.span)}  ${mutantWords(each)} in ${quoted(each.policy.name.value)}: no test notices it`
      return each.shown ? [line, `    ${colours.dim(shownWords(each.shown))}`] : [line]
    }),
    rest > 0 && `  and ${rest} more: \`--format json\` lists them`,
    '',
  )
}

function mutantWords({ kind, list, text, to = '' }: Mutant): string {
  const entry = list === undefined ? '' : `${list} ${quoted(text)}`
  const words: Readonly<Record<Mutant['kind'], string>> = {
    dropped: `without ${entry}`,
    widened: `${entry} as ${quoted(to)}`,
    unconditional: 'without the condition',
    unlimited: 'without the expiry',
  }
  return words[kind]
}

/** A question that a mutant changes. */
function shownWords({ question, verdict, mutated }: NonNullable<Survivor['shown']>): string {
  const { identity, action, resource } = question
  return `${shown(identity)} ${shown(action)} ${shown(resource)}, ${contextWords(questionJson(question))}: ${verdict}, and ${mutated} with it`
}

function summaryLine(report: SuiteReport, colours: Paint): string {
  const counts = countStatuses(report)
  const parts = statuses
    .filter((each) => counts[each] > 0 || each === 'passed')
    .map((each) => colourOf(each, colours)(`${counts[each]} ${each}`))
  const excluded = report.left === 0 ? '' : `; ${report.left} excluded by --filter`
  return `${parts.join(', ')} in ${plural(report.files.length, 'file')}${excluded}`
}

export function jsonSuite(report: SuiteReport): string {
  const { files, notes, coverage, leastCoverage, left } = report
  return `${json({
    version: 1,
    files: files.length,
    summary: { ...countStatuses(report), left },
    tests: files.flatMap(({ results }) => results.map(checkJson)),
    notes: notes.map(({ code, severity, message, help, span }) => ({ code, severity, message, help: help ?? null, ...placeJson(span) })),
    coverage: coverage ? coverageJson(coverage, leastCoverage) : null,
    ...(report.mutation && { mutation: mutationJson(report.mutation) }),
  })}\n`
}

const checkJson = ({ check, status, questions, claims, known, failures }: CheckResult) => ({
  name: check.name,
  kind: check.kind,
  status,
  ...placeJson(check.span),
  questions,
  claims,
  catalogue: { actions: known },
  failures: failures.map(failureJson),
})

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

const coverageJson = ({ entries, policies, idleEntries, idlePolicies }: Coverage, least: number | undefined) => ({
  entries: { ...entries, percent: percent(entries) },
  policies: { ...policies, percent: percent(policies) },
  least: least ?? null,
  idle: [
    ...idlePolicies.map(({ value, span }) => ({ policy: value, list: null, entry: null, ...placeJson(span) })),
    ...idleEntries.map(({ list, entry, holder }) => ({ policy: holder, list, entry: writtenAs(entry.value), ...placeJson(entry.span) })),
  ],
})

const mutationJson = ({ tried, noticed, equal, survivors }: MutationReport) => ({
  tried,
  noticed,
  equal,
  survivors: survivors.map(({ kind, policy, list, text, to, span, shown: change }) => ({
    kind,
    policy: policy.name.value,
    list: list ?? null,
    entry: list === undefined ? null : text,
    to: to ?? null,
    ...placeJson(span),
    shown: change ? { question: questionJson(change.question), verdict: change.verdict, mutated: change.mutated } : null,
  })),
})

/** A JUnit report. What is undecided is a separate type of failure: nothing unproved may look passed. So is too little coverage. */
export function junitSuite(report: SuiteReport): string {
  const suites = report.files.map(({ path, world, results }) => ({ path, cases: results.map((result) => caseOf(result, world)) }))
  if (report.coverage && report.leastCoverage !== undefined) {
    const text = `${percent(report.coverage.entries)} % of the entries are exercised, ${report.leastCoverage} % are required`
    suites.push({ path: 'coverage', cases: [lacksCoverage(report) ? failed('coverage', 'coverage', text, text) : { name: 'coverage' }] })
  }
  return junit(suites)
}

const failed = (name: string, type: string, message: string, text: string): JunitCase => ({
  name,
  result: { kind: 'failure', type, message: visible(message), text },
})

function caseOf({ check, status, failures }: CheckResult, world: World): JunitCase {
  const lines = failures.slice(0, mostFailures).flatMap((failure) => failureLines(failure, world, paint(false)))
  const name = visible(check.name)
  return status === 'passed' ? { name } : failed(name, status, lines[0] ?? status, lines.join('\n'))
}
