import type { Diagnostic } from '../diagnostic.ts'
import { nearest } from '../nearest.ts'
import type { IgnoreComment } from '../parser/comments.ts'
import type { Rule } from '../rules/rule.ts'
import { type Located, position, type Source, type Span } from '../source.ts'

/**
 * Leaving findings out, by comments and by entries of the configuration (spec: command line, Suppression). Nothing is
 * left out silently: what is, comes back with who says so and why; and a suppression that says too little, too much or
 * nothing any more is itself a finding.
 */

/** What leaves a finding out. */
export type SuppressedBy = 'comment' | 'configuration' | 'baseline'

export interface Suppressed {
  readonly finding: Diagnostic
  readonly by: SuppressedBy
  readonly reason: string
}

/** Findings, sifted. */
export interface Sifted {
  readonly kept: readonly Diagnostic[]
  readonly suppressed: readonly Suppressed[]
  /** About the suppressions themselves, each at the severity of its rule. */
  readonly upkeep: readonly Diagnostic[]
}

/** Why a code cannot be left out, in words; undefined when it can. */
export function suppressionFault(code: string, rules: readonly Rule[]): { readonly message: string; readonly help?: string } | undefined {
  const rule = rules.find((each) => each.code === code)
  if (rule && 'reader' in rule.check) {
    return {
      message: `\`${code}\` is found while reading and cannot be ignored: nothing is decided over a file that is not understood`,
      help: 'mend it',
    }
  }
  if (rule && 'upkeep' in rule.check) {
    return { message: `\`${code}\` is about suppressions and cannot be ignored by one`, help: 'set its level in the configuration' }
  }
  if (rule) return undefined
  const near = nearest(
    code,
    rules.filter((each) => canBeSuppressed(each)).map((each) => each.code),
  )
  return { message: `unknown rule \`${code}\``, help: near ? `did you mean \`${near}\`?` : '`grantwise rules` lists them' }
}

function canBeSuppressed({ check }: Rule): boolean {
  return !('reader' in check || 'upkeep' in check)
}

/** The codes that can be left out. */
export function suppressibleCodes(rules: readonly Rule[]): ReadonlySet<string> {
  return new Set(rules.filter(canBeSuppressed).map((rule) => rule.code))
}

/**
 * Leave out what comments say. A comment without a reason, or with a code that there is not, does not hold (for that
 * code). `isOn`: whether a rule is on for a file: of one that is off nothing is found, so that its suppressions are not
 * judged. Nor are those of `broken` sources, which were not read to their end.
 */
export function applyComments(
  findings: readonly Diagnostic[],
  comments: readonly IgnoreComment[],
  rules: readonly Rule[],
  isOn: (code: string, path: string) => boolean,
  broken: ReadonlySet<Source>,
): Sifted {
  if (comments.length === 0) return { kept: findings, suppressed: [], upkeep: [] }
  const upkeep: Diagnostic[] = []
  const holding = new Map<Source, Map<number, Holding[]>>()
  for (const comment of comments) {
    const fault = commentFault(comment)
    if (fault) {
      upkeep.push(fault)
      continue
    }
    for (const code of comment.codes) {
      const wrong = suppressionFault(code.value, rules)
      if (wrong) {
        upkeep.push({ code: 'ignore-unknown-code', severity: 'error', span: code.span, ...wrong })
        continue
      }
      const byLine = holding.get(comment.span.source) ?? new Map<number, Holding[]>()
      holding.set(comment.span.source, byLine)
      const { line: first, lastLine: last = first, reason, inMarkdown } = comment
      const entry: Holding = { code, reason, where: inMarkdown ? 'in the block below' : `on line ${first}`, used: false }
      for (let line = first; line <= last; line++) {
        const here = byLine.get(line) ?? []
        byLine.set(line, here)
        here.push(entry)
      }
    }
  }
  const suppressible = suppressibleCodes(rules)
  const suppressed: Suppressed[] = []
  const kept = findings.filter((finding) => {
    if (!suppressible.has(finding.code)) return true
    const byLine = holding.get(finding.span.source)
    const here = byLine?.get(position(finding.span.source, finding.span.start).line)
    const matching = here?.filter(({ code }) => code.value === finding.code) ?? []
    for (const each of matching) each.used = true
    if (matching[0]) suppressed.push({ finding, by: 'comment', reason: matching[0].reason })
    return matching.length === 0
  })
  for (const [source, byLine] of holding) {
    if (broken.has(source)) continue
    for (const { code, where, used } of new Set([...byLine.values()].flat())) {
      if (used || !isOn(code.value, source.path)) continue
      upkeep.push({
        code: 'unused-ignore',
        severity: 'warning',
        message: `nothing is left out: \`${code.value}\` is not found ${where}`,
        span: code.span,
        help: 'remove it; such a comment stands on the line of the entry, or on the line above',
      })
    }
  }
  return { kept, suppressed, upkeep }
}

interface Holding {
  readonly code: Located<string>
  readonly reason: string
  /** Where the code is to be found, in words. */
  readonly where: string
  used: boolean
}

const form = 'write `# grantwise-ignore CODE: reason`'

const formInMarkdown = 'write `<!-- grantwise-ignore: reason -->`, with codes before the colon where only these are meant'

function commentFault({ codes, reason, span, lastLine, inMarkdown }: IgnoreComment): Diagnostic | undefined {
  if (inMarkdown) {
    if (reason === '') {
      const message = 'no reason is given: without one this comment leaves nothing out'
      return { code: 'ignore-without-reason', severity: 'error', message, span, help: formInMarkdown }
    }
    if (lastLine === undefined) {
      const message = 'no fenced code block follows: this comment leaves nothing out'
      return { code: 'unused-ignore', severity: 'warning', message, span, help: 'put it right above the block, or remove it' }
    }
    return undefined
  }
  if (codes.length === 0)
    return {
      code: 'ignore-unknown-code',
      severity: 'error',
      message: 'no rule is named: this comment leaves nothing out',
      span,
      help: form,
    }
  if (reason !== '') return undefined
  const message = 'no reason is given: without one this comment leaves nothing out'
  return { code: 'ignore-without-reason', severity: 'error', message, span, help: form }
}

/** An entry under `ignores` of a configuration, tied to the files of a run. */
export interface IgnoreEntry {
  readonly codes: readonly Located<string>[]
  /** Only in the policy of this name. */
  readonly policy: string | undefined
  readonly reason: string
  /** Milliseconds since 1970: the end of the last day on which it holds. */
  readonly until: Located<number> | undefined
  readonly span: Span
  /** Whether it is about a file. */
  readonly isAbout: (path: string) => boolean
  /** Whether a rule is judged to be found nowhere, where it leaves nothing out: all files that it is about were looked at. */
  readonly isJudged: (code: string) => boolean
}

/** Leave out what the entries of a configuration say, at an instant. */
export function applyIgnores(
  findings: readonly Diagnostic[],
  entries: readonly IgnoreEntry[],
  rules: readonly Rule[],
  now: number,
): Sifted {
  if (entries.length === 0) return { kept: findings, suppressed: [], upkeep: [] }
  const isPast = ({ until }: IgnoreEntry) => until !== undefined && now > until.value
  const holding = entries.filter((entry) => !isPast(entry))
  const suppressible = suppressibleCodes(rules)
  const used = new Map<IgnoreEntry, Set<string>>(holding.map((entry) => [entry, new Set()]))
  const byPath = new Map<string, readonly IgnoreEntry[]>()
  const about = (path: string) => {
    const known = byPath.get(path) ?? holding.filter((entry) => entry.isAbout(path))
    byPath.set(path, known)
    return known
  }
  const suppressed: Suppressed[] = []
  const kept = findings.filter((finding) => {
    if (!suppressible.has(finding.code)) return true
    const matching = about(finding.span.source.path).filter(
      ({ codes, policy }) => codes.some((code) => code.value === finding.code) && (policy === undefined || policy === finding.policy),
    )
    for (const entry of matching) used.get(entry)?.add(finding.code)
    if (matching[0]) suppressed.push({ finding, by: 'configuration', reason: matching[0].reason })
    return matching.length === 0
  })
  return { kept, suppressed, upkeep: [...entries.filter(isPast).flatMap(pastFinding), ...holding.flatMap((e) => unusedFindings(e, used))] }
}

function pastFinding({ until, codes, isJudged }: IgnoreEntry): readonly Diagnostic[] {
  if (!until || !codes.some((code) => isJudged(code.value))) return []
  const day = new Date(until.value).toISOString().slice(0, 10)
  return [
    {
      code: 'expired-ignore',
      severity: 'warning',
      message: `this entry held until ${day} and leaves nothing out any more`,
      span: until.span,
      help: 'remove it; or look at what it left out, and give it a later day',
    },
  ]
}

function unusedFindings(entry: IgnoreEntry, used: ReadonlyMap<IgnoreEntry, ReadonlySet<string>>): readonly Diagnostic[] {
  const found = used.get(entry)
  const idle = entry.codes.filter((code) => !found?.has(code.value) && entry.isJudged(code.value))
  const finding = (span: Span, message: string): Diagnostic => ({
    code: 'unused-ignore',
    severity: 'warning',
    message,
    span,
    help: 'remove it',
  })
  if (idle.length === entry.codes.length && idle.length > 0)
    return [finding(entry.span, 'this entry leaves nothing out: nothing it names is found any more')]
  return idle.map((code) => finding(code.span, `nothing is left out for \`${code.value}\`: it is not found any more`))
}
