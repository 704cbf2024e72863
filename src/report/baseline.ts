import { compareText, type Diagnostic } from '../diagnostic.ts'
import type { Rule } from '../rules/rule.ts'
import type { Located, Span } from '../source.ts'
import { type Sifted, type Suppressed, suppressibleCodes } from '../suppress/ignores.ts'
import type { MapNode, Node } from '../tree.ts'
import { fingerprint, valueText } from './fingerprint.ts'
import { json } from './safe.ts'

/**
 * A baseline: the findings that are known and put up with, so that only new ones count (spec: command line, Suppression).
 * Findings are known again by what they are about (rule, policy, the text itself), never by where it stands, so that edits
 * elsewhere and moved files wake nothing. A file of it has an entry a line, sorted, to be read in reviews.
 */
export interface BaselineEntry {
  /** Where it was: for people, and to tell whether that file was looked at. Not compared. */
  readonly file: string
  readonly code: string
  /** The name of the policy; '' outside of one. For people. */
  readonly policy: string
  /** The beginning of the text that the finding is about. For people. */
  readonly text: string
  /** How many there are. */
  readonly count: number
  /** What is compared: see `fingerprint`. */
  readonly fingerprint: string
}

export const baselineVersion = 1

/** The entries for findings: those that can be left out, sorted. `pathOf` gives the file as it is to be written down. */
export function baselineOf(
  findings: readonly Diagnostic[],
  rules: readonly Rule[],
  pathOf: (path: string) => string,
): readonly BaselineEntry[] {
  const suppressible = suppressibleCodes(rules)
  const entries = new Map<string, BaselineEntry>()
  for (const finding of findings) {
    if (!suppressible.has(finding.code)) continue
    const { code, policy, span } = finding
    const value = valueText(span)
    const file = pathOf(span.source.path)
    const print = fingerprint(finding, policy, value)
    const key = JSON.stringify([print, file])
    const count = (entries.get(key)?.count ?? 0) + 1
    entries.set(key, { file, code, policy: policy ?? '', text: brief(value), count, fingerprint: print })
  }
  return [...entries.values()].sort(
    (a, b) =>
      compareText(a.file, b.file) ||
      compareText(a.code, b.code) ||
      compareText(a.policy, b.policy) ||
      compareText(a.text, b.text) ||
      compareText(a.fingerprint, b.fingerprint),
  )
}

/** As much of a text as tells a reader what is meant. */
function brief(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}

/** A baseline as the text of its file: JSON, an entry a line. */
export function baselineText(entries: readonly BaselineEntry[]): string {
  const lines = entries.map(
    ({ file, code, policy, text, count, fingerprint }) => `    ${json({ file, code, policy, text, count, fingerprint })}`,
  )
  return `{\n  "version": ${baselineVersion},\n  "findings": [${lines.length > 0 ? `\n${lines.join(',\n')}\n  ` : ''}]\n}\n`
}

/** Read the tree of a baseline file. What is not as `baselineText` writes it is a problem at its place. */
export function readBaseline(root: Node): {
  readonly entries: readonly Located<BaselineEntry>[]
  readonly problems: readonly Diagnostic[]
} {
  const problems: Diagnostic[] = []
  const problem = (span: Span, message: string) => {
    problems.push({
      code: 'baseline',
      severity: 'error',
      message,
      span,
      help: 'a baseline is written by `grantwise lint --write-baseline FILE`',
    })
  }
  const fields = fieldsOf(root)
  const version = fields.get('version')
  const findings = fields.get('findings')
  if (root.kind !== 'map' || !version || findings?.kind !== 'list') {
    problem(root.kind === 'map' ? (root.entries[0]?.key ?? root) : root, 'not a baseline: expected `version` and a list `findings`')
    return { entries: [], problems }
  }
  if (version.value !== baselineVersion) {
    problem(version, `a baseline of another version: ${baselineVersion} is the one that is read`)
    return { entries: [], problems }
  }
  const entries = findings.items.flatMap((item) => {
    const parts = fieldsOf(item)
    const text = (name: string) => {
      const node = parts.get(name)
      return node?.kind === 'text' ? node.value : undefined
    }
    const [code, policy, value, file, print] = ['code', 'policy', 'text', 'file', 'fingerprint'].map(text)
    const count = parts.get('count')?.value
    if (code === undefined || policy === undefined || value === undefined || file === undefined || print === undefined || !isCount(count)) {
      problem(item, 'not an entry of a baseline: expected `file`, `code`, `policy`, `text`, `count` and `fingerprint`')
      return []
    }
    return [{ value: { file, code, policy, text: value, count, fingerprint: print }, span: item }]
  })
  return { entries, problems }
}

type Value = Node & { readonly value?: unknown }

function fieldsOf(node: Node): ReadonlyMap<string, Value> {
  return new Map((node.kind === 'map' ? (node as MapNode).entries : []).map(({ key, value }) => [key.value, value as Value]))
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0
}

/**
 * Leave out what a baseline records, as often as it records it. An entry that is found less often has to leave the
 * baseline: a finding, where `isJudged` says that its file was looked at and its rule is on.
 */
export function applyBaseline(
  findings: readonly Diagnostic[],
  entries: readonly Located<BaselineEntry>[],
  rules: readonly Rule[],
  pathOf: (path: string) => string,
  isJudged: (entry: BaselineEntry) => boolean,
): Sifted {
  const suppressible = suppressibleCodes(rules)
  const open = new Map<string, { readonly entry: Located<BaselineEntry>; left: number }[]>()
  for (const entry of entries) {
    const same = open.get(entry.value.fingerprint) ?? []
    open.set(entry.value.fingerprint, same)
    same.push({ entry, left: entry.value.count })
  }
  const suppressed: Suppressed[] = []
  const kept = findings.filter((finding) => {
    if (!suppressible.has(finding.code)) return true
    const { policy, span } = finding
    const same = open.get(fingerprint(finding, policy, valueText(span)))?.filter(({ left }) => left > 0)
    const known = same?.find(({ entry }) => entry.value.file === pathOf(span.source.path)) ?? same?.[0]
    if (!known) return true
    known.left--
    suppressed.push({ finding, by: 'baseline', reason: 'recorded in the baseline' })
    return false
  })
  const upkeep = [...open.values()].flat().flatMap(({ entry, left }): readonly Diagnostic[] => {
    const { code, policy, text, count, file } = entry.value
    if (left === 0 || !isJudged(entry.value)) return []
    const where = `${policy === '' ? '' : `policy \`${policy}\` of `}\`${file}\``
    const what = left === count ? 'is not found any more' : `is found ${count - left} of ${count} times`
    return [
      {
        code: 'stale-baseline',
        severity: 'warning',
        message: `\`${code}\` at \`${text}\` in ${where} ${what}: recorded here, it would hide a new one`,
        span: entry.span,
        help: 'record the findings anew with `--write-baseline`',
      },
    ]
  })
  return { kept, suppressed, upkeep }
}
