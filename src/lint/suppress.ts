import { groupedBy, pushTo } from '../collections.ts'
import type { Code, Diagnostic } from '../diagnostic.ts'
import { keyOf } from '../keys.ts'
import { nearest } from '../nearest.ts'
import type { IgnoreComment } from '../parser/comments.ts'
import type { Clock } from '../rules/clock.ts'
import type { Rule } from '../rules/rule.ts'
import { type Located, position, type Source, type Span } from '../source.ts'
import type { Ignore } from './config.ts'

/**
 * Suppression of findings by comments, by entries of the configuration and by a baseline. Nothing is suppressed silently: what
 * is comes back with who says so and why; and a suppression that says too little, too much or nothing any more is itself a
 * finding.
 */
export type SuppressedBy = 'comment' | 'configuration' | 'baseline'

export interface Suppressed {
  readonly finding: Diagnostic
  readonly by: SuppressedBy
  readonly reason: string
}

/** Findings that are left, and those that something suppresses. */
export interface SuppressionResult {
  readonly kept: readonly Diagnostic[]
  readonly suppressed: readonly Suppressed[]
  /** About the suppressions themselves, each at the severity of its rule. */
  readonly upkeep: readonly Diagnostic[]
}

/** Why a code cannot be suppressed, in words; undefined when it can. */
export function suppressionFault(code: string, rules: readonly Rule[]): { readonly message: string; readonly help?: string } | undefined {
  const rule = rules.find((each) => each.code === code)
  if (rule && 'reader' in rule)
    return {
      message: `\`${code}\` is found while reading and cannot be ignored: nothing is decided over a file that is not understood`,
      help: 'fix it',
    }
  if (rule && 'upkeep' in rule)
    return { message: `\`${code}\` is about suppressions and cannot be ignored by one`, help: 'set its level in the configuration' }
  if (rule) return undefined
  const suggested = nearest(code, [...suppressibleCodes(rules)])
  return { message: `unknown rule \`${code}\``, help: suggested ? `did you mean \`${suggested}\`?` : '`grantwise rules` lists them' }
}

/** The codes that can be suppressed. */
function suppressibleCodes(rules: readonly Rule[]): ReadonlySet<string> {
  return new Set(rules.flatMap((rule) => ('reader' in rule || 'upkeep' in rule ? [] : [rule.code])))
}

/** Findings without those that there is a reason to suppress. */
export function applySuppressions(
  findings: readonly Diagnostic[],
  by: SuppressedBy,
  rules: readonly Rule[],
  reasonFor: (finding: Diagnostic) => string | undefined,
): Omit<SuppressionResult, 'upkeep'> {
  const suppressible = suppressibleCodes(rules)
  const suppressed: Suppressed[] = []
  const reported = findings.filter((finding) => {
    const reason = suppressible.has(finding.code) ? reasonFor(finding) : undefined
    if (reason !== undefined) suppressed.push({ finding, by, reason })
    return reason === undefined
  })
  return { kept: reported, suppressed }
}

function upkeep(code: Code, severity: 'error' | 'warning', span: Span, message: string, help: string): Diagnostic {
  return { code, severity, message, span, help }
}

/**
 * Apply comments. One without a reason, or with an unknown code, does not hold (for that code). `isOn`: whether a rule is on
 * for a file: one that is off finds nothing, so that its suppressions are not judged. Nor are those of `broken` sources, which
 * were not read to their end.
 */
export function applyComments(
  findings: readonly Diagnostic[],
  comments: readonly IgnoreComment[],
  rules: readonly Rule[],
  isOn: (code: string, path: string) => boolean,
  broken: ReadonlySet<Source>,
): SuppressionResult {
  if (comments.length === 0) return { kept: findings, suppressed: [], upkeep: [] }
  const faults: Diagnostic[] = []
  const holding = new Map<Source, Map<number, Holding[]>>()
  for (const comment of comments) {
    const fault = commentFault(comment)
    if (fault) {
      faults.push(fault)
      continue
    }
    for (const code of comment.codes) {
      const wrong = suppressionFault(code.value, rules)
      if (wrong) {
        faults.push({ code: 'ignore-unknown-code', severity: 'error', span: code.span, ...wrong })
        continue
      }
      const byLine = holding.get(comment.span.source) ?? new Map<number, Holding[]>()
      holding.set(comment.span.source, byLine)
      const { line: first, lastLine: last = first, reason, about } = comment
      const entry: Holding = { code, reason, where: about ? `in the ${about} below` : `on line ${first}`, used: false }
      for (let line = first; line <= last; line++) {
        pushTo(byLine, line, entry)
      }
    }
  }
  const result = applySuppressions(findings, 'comment', rules, ({ code, span: { source, start } }) => {
    const here = holding.get(source)?.get(position(source, start).line)
    const matching = here?.filter((each) => each.code.value === code) ?? []
    for (const each of matching) each.used = true
    return matching[0]?.reason
  })
  for (const [source, byLine] of holding) {
    if (broken.has(source)) continue
    for (const { code, where, used } of new Set([...byLine.values()].flat())) {
      if (used || !isOn(code.value, source.path)) continue
      const help = 'remove it; such a comment is on the line of the entry, or on the line above'
      faults.push(upkeep('unused-ignore', 'warning', code.span, `nothing is suppressed: \`${code.value}\` is not found ${where}`, help))
    }
  }
  return { ...result, upkeep: fewOfEach(faults) }
}

/** How many findings of one kind comments give in one file. */
const mostOfEach = 100

/** Some findings of each rule in each file, and how many more there are. */
function fewOfEach(faults: readonly Diagnostic[]): readonly Diagnostic[] {
  const bySource = groupedBy(faults, ({ code, span }) => keyOf(code, span.source.path))
  return [...bySource.values()].flatMap((all) => {
    const next = all[mostOfEach]
    if (!next) return all
    const message = `${all.length - mostOfEach} more such comments from here on: the first ${mostOfEach} of them are listed`
    return [...all.slice(0, mostOfEach), { ...next, message }]
  })
}

interface Holding {
  readonly code: Located<string>
  readonly reason: string
  /** Where the code is to be found, in words. */
  readonly where: string
  used: boolean
}

function commentFault({ codes, reason, span, lastLine, about }: IgnoreComment): Diagnostic | undefined {
  const { form, missing } = forms[about ?? 'line']
  if (!about && codes.length === 0)
    return upkeep('ignore-unknown-code', 'error', span, 'no rule is named: this comment suppresses nothing', form)
  if (reason === '')
    return upkeep('ignore-without-reason', 'error', span, 'no reason is given: without one this comment suppresses nothing', form)
  if (!about || lastLine !== undefined) return undefined
  return upkeep(
    'unused-ignore',
    'warning',
    span,
    `no ${missing} follows: this comment suppresses nothing`,
    `put it right above the ${about}, or remove it`,
  )
}

/** How a comment is written, and what it is about. */
const forms = {
  line: { form: 'write `# grantwise-ignore CODE: reason`', missing: '' },
  block: {
    form: 'write `<!-- grantwise-ignore: reason -->`, with codes before the colon where only these are meant',
    missing: 'fenced code block',
  },
  command: {
    form: 'write `# grantwise-ignore: reason`, with codes before the colon where only these are meant',
    missing: 'command',
  },
} as const

/** An entry under `ignores` of a configuration, tied to the files of a run. */
export interface IgnoreEntry extends Omit<Ignore, 'files'> {
  /** Whether it is about a file. */
  readonly isAbout: (path: string) => boolean
  /** Whether all files that it is about were looked at with a rule, so that it is unused where the rule finds nothing. */
  readonly isJudged: (code: string) => boolean
}

/** Apply the entries of configurations, at the instant of a clock. */
export function applyIgnores(
  findings: readonly Diagnostic[],
  entries: readonly IgnoreEntry[],
  rules: readonly Rule[],
  clock: Clock,
): SuppressionResult {
  if (entries.length === 0) return { kept: findings, suppressed: [], upkeep: [] }
  const isPast = ({ until }: IgnoreEntry) => until !== undefined && clock.isAfter(until.value)
  const holding = entries.filter((entry) => !isPast(entry))
  const used = new Map<IgnoreEntry, Set<string>>(holding.map((entry) => [entry, new Set()]))
  const byPath = new Map<string, readonly IgnoreEntry[]>()
  const about = (path: string) => {
    const known = byPath.get(path) ?? holding.filter((entry) => entry.isAbout(path))
    byPath.set(path, known)
    return known
  }
  const result = applySuppressions(findings, 'configuration', rules, (finding) => {
    const matching = about(finding.span.source.path).filter(
      ({ codes, policy }) => codes.some((code) => code.value === finding.code) && (policy === undefined || policy === finding.policy),
    )
    for (const entry of matching) used.get(entry)?.add(finding.code)
    return matching[0]?.reason
  })
  return { ...result, upkeep: [...entries.filter(isPast).flatMap(pastFinding), ...holding.flatMap((e) => unusedFindings(e, used))] }
}

function pastFinding({ until, codes, isJudged }: IgnoreEntry): readonly Diagnostic[] {
  if (!until || !codes.some((code) => isJudged(code.value))) return []
  const message = `this entry held until ${new Date(until.value).toISOString().slice(0, 10)} and suppresses nothing any more`
  return [upkeep('expired-ignore', 'warning', until.span, message, 'remove it, or look at what it suppressed and give it a later day')]
}

function unusedFindings(entry: IgnoreEntry, used: ReadonlyMap<IgnoreEntry, ReadonlySet<string>>): readonly Diagnostic[] {
  const usedCodes = used.get(entry)
  const idle = entry.codes.filter((code) => !usedCodes?.has(code.value) && entry.isJudged(code.value))
  const finding = (span: Span, message: string) => upkeep('unused-ignore', 'warning', span, message, 'remove it')
  if (idle.length === entry.codes.length && idle.length > 0)
    return [finding(entry.span, 'this entry suppresses nothing: nothing it names is found any more')]
  return idle.map((code) => finding(code.span, `nothing is suppressed for \`${code.value}\`: it is not found any more`))
}
