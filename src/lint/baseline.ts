import { compareText, type Diagnostic } from '../diagnostic.ts'
import type { Rule } from '../rules/rule.ts'
import type { Located, Span } from '../source.ts'
import { field, type Node, plainValue } from '../tree.ts'
import { fingerprint, valueText } from './fingerprint.ts'
import { applySuppressions, type SuppressionResult } from './suppress.ts'

/**
 * A baseline: the findings that are known and accepted, so that only new ones count. Findings are recognised by their subject
 * (rule, policy, the text itself), never by their place, so that edits elsewhere and moved files change nothing. Its file has an
 * entry a line, sorted, for reviews.
 */
export interface BaselineEntry {
  /** The file at that time: for readers, and to know whether that file was looked at. Not compared. */
  readonly file: string
  readonly code: string
  /** The name of the policy; '' outside of one. For readers. */
  readonly policy: string
  /** The beginning of the text that the finding is about. For readers. */
  readonly text: string
  /** How many there are. */
  readonly count: number
  /** The compared value: see `fingerprint`. */
  readonly fingerprint: string
}

export const baselineVersion = 1

const texts = ['file', 'code', 'policy', 'text', 'fingerprint'] as const
const reason = 'recorded in the baseline'

/** Suppress all that a baseline of the findings records, which is all that can be suppressed. */
export function suppressRecorded(findings: readonly Diagnostic[], rules: readonly Rule[]): SuppressionResult {
  return { ...applySuppressions(findings, 'baseline', rules, () => reason), upkeep: [] }
}

/** The entries for findings: those that can be suppressed, sorted. `pathOf` gives the file as it is to be written down. */
export function baselineOf(
  findings: readonly Diagnostic[],
  rules: readonly Rule[],
  pathOf: (path: string) => string,
): readonly BaselineEntry[] {
  const entries = new Map<string, BaselineEntry>()
  for (const { finding } of suppressRecorded(findings, rules).suppressed) {
    const { code, policy = '', span } = finding
    const value = valueText(span)
    const file = pathOf(span.source.path)
    const print = fingerprint(finding, finding.policy, value)
    const key = JSON.stringify([print, file])
    const text = value.length > 100 ? `${value.slice(0, 100)}…` : value
    entries.set(key, { file, code, policy, text, count: (entries.get(key)?.count ?? 0) + 1, fingerprint: print })
  }
  return [...entries.values()].sort((a, b) => texts.reduce((order, name) => order || compareText(a[name], b[name]), 0))
}

/** Read the tree of a baseline file. What is not as `baselineText` writes it is a problem at its place. */
export function readBaseline(root: Node): {
  readonly entries: readonly Located<BaselineEntry>[]
  readonly problems: readonly Diagnostic[]
} {
  const help = 'a baseline is written by `grantwise lint --write-baseline FILE`'
  const problem = (span: Span, message: string): Diagnostic => ({ code: 'baseline', severity: 'error', message, span, help })
  const [version, findings] = root.kind === 'map' ? [field(root, 'version'), field(root, 'findings')] : []
  if (!version || findings?.kind !== 'list') {
    const span = root.kind === 'map' ? (root.entries[0]?.key ?? root) : root
    return { entries: [], problems: [problem(span, 'not a baseline: expected `version` and a list `findings`')] }
  }
  if (plainValue(version) !== baselineVersion)
    return { entries: [], problems: [problem(version, `a baseline of another version: ${baselineVersion} is the one that is read`)] }
  const entries = findings.items.map((span) => ({ value: plainValue(span) as BaselineEntry, span }))
  const isRight = ({ value, span }: (typeof entries)[number]) => span.kind === 'map' && isEntry(value)
  const message = 'not an entry of a baseline: expected `file`, `code`, `policy`, `text`, `count` and `fingerprint`'
  const wrong = entries.filter((entry) => !isRight(entry))
  return { entries: entries.filter(isRight), problems: wrong.map(({ span }) => problem(span, message)) }
}

function isEntry(value: Readonly<Record<keyof BaselineEntry, unknown>>): boolean {
  return texts.every((name) => typeof value[name] === 'string') && Number.isInteger(value.count) && (value.count as number) > 0
}

/**
 * Suppress what a baseline records, as often as it records it. An entry that is found less often has to leave the
 * baseline: a finding, where `isJudged` says that its file was looked at and its rule is on.
 */
export function applyBaseline(
  findings: readonly Diagnostic[],
  entries: readonly Located<BaselineEntry>[],
  rules: readonly Rule[],
  pathOf: (path: string) => string,
  isJudged: (entry: BaselineEntry) => boolean,
): SuppressionResult {
  const open = new Map<string, { readonly entry: Located<BaselineEntry>; left: number }[]>()
  for (const entry of entries) {
    const same = open.get(entry.value.fingerprint) ?? []
    open.set(entry.value.fingerprint, same)
    same.push({ entry, left: entry.value.count })
  }
  const suppressed = new Set<Diagnostic>()
  const recordable = suppressRecorded(findings, rules).suppressed.map(({ finding }) => {
    const { policy, span } = finding
    return { finding, file: pathOf(span.source.path), same: open.get(fingerprint(finding, policy, valueText(span))) ?? [] }
  })
  // First the findings in their recorded files: where another file has the same finding, that one is the new one.
  for (const mayMove of [false, true]) {
    for (const { finding, file, same } of recordable) {
      const fit = suppressed.has(finding) ? undefined : same.find(({ entry, left }) => left > 0 && (mayMove || entry.value.file === file))
      if (!fit) continue
      fit.left--
      suppressed.add(finding)
    }
  }
  const result = applySuppressions(findings, 'baseline', rules, (finding) => (suppressed.has(finding) ? reason : undefined))
  const upkeep = [...open.values()].flat().flatMap(({ entry, left }): readonly Diagnostic[] => {
    const { code, policy, text, count, file } = entry.value
    if (left === 0 || !isJudged(entry.value)) return []
    const where = `${policy === '' ? '' : `policy \`${policy}\` of `}\`${file}\``
    const what = left === count ? 'is not found any more' : `is found ${count - left} of ${count} times`
    const message = `\`${code}\` at \`${text}\` in ${where} ${what}: recorded here, it would hide a new one`
    const help = 'record the findings anew with `--write-baseline`'
    return [{ code: 'stale-baseline', severity: 'warning', message, span: entry.span, help }]
  })
  return { ...result, upkeep }
}
