import { pushTo } from '../collections.ts'
import type { Diagnostic } from '../diagnostic.ts'
import { applyEdits } from '../edits.ts'
import type { ReadSource } from '../parser/read.ts'
import { type WorldWith, worldsOfOne } from '../parser/world.ts'
import { type Source, sourceOf } from '../source.ts'
import {
  type Fixable,
  type FixFile,
  type FixLevel,
  fixingOf,
  isFixable,
  isUnderstood,
  mayFix,
  signature,
  type WhyNotFixed,
} from './may-fix.ts'
import { isEquivalent } from './prove.ts'

/** How files are looked at while they are fixed: what makes reading and finding pure is handed in. */
export interface Examiner {
  readonly read: (source: Source) => ReadSource | Promise<ReadSource>
  /** All that is found in the files together and not suppressed; sorted. */
  readonly find: (files: readonly FixFile[]) => readonly Diagnostic[] | Promise<readonly Diagnostic[]>
  /** Whether a file may be another one afterwards, by its path; every one where it is left out. */
  readonly mayChange?: (path: string) => boolean
}

export interface Fixed {
  /** The files as given, and as they are now: the same objects where nothing was fixed. In the order given. */
  readonly files: readonly { readonly before: FixFile; readonly after: FixFile }[]
  /** How many fixes were made. */
  readonly count: number
  /** The findings afterwards. */
  readonly findings: readonly Diagnostic[]
  /** Whether a finding in the files as they are now may still be fixed, and if not, why. */
  readonly mayFix: (finding: Diagnostic) => true | WhyNotFixed
  /** A finding as it is to be shown: a fix that was tried and taken back, or that waits for others, is no longer called safe. */
  readonly demote: (finding: Diagnostic) => Diagnostic
}

/** Fixing one thing may bring another to light; what is not done after so many rounds is left to the next run. */
const mostPasses = 10

/**
 * Fix files until nothing is left to fix. A file that could not be understood is fixed first where it could not; then
 * what rules find in it. After each pass every file is read again, and must read no worse; where policies were understood
 * before, it must be proved that they still say the same. Fixes that fail this are taken back. Safe fixes come first; the
 * others, which are made only when asked for, are not held to the proof, since they are meant to change something.
 */
export async function fixTexts(files: readonly FixFile[], level: FixLevel, examiner: Examiner): Promise<Fixed> {
  const failed = new Map<string, WhyNotFixed>()
  let now = [...files]
  let findings = await examiner.find(now)
  let count = 0
  for (let pass = 0; pass < mostPasses; pass++) {
    let plan = planned(now, findings, 'safe', failed, examiner)
    if (plan.size === 0 && level === 'suggested') plan = planned(now, findings, 'suggested', failed, examiner)
    if (plan.size === 0) break
    const worldWith = worldsAmong(now)
    let made = 0
    for (const [i, fixes] of plan) {
      const fixed = await fixText(now[i] as FixFile, fixes, worldWith, examiner, failed)
      made += fixed.count
      now = now.with(i, fixed.file)
    }
    count += made
    if (made > 0) findings = await examiner.find(now)
  }
  const fixing = { ...fixingOf(now), attempt: { level, failed } }
  const may = (finding: Diagnostic) => mayFix(finding, fixing)
  const demote = (finding: Diagnostic) =>
    isFixable(finding) && finding.fix.safe && taken.has(may(finding)) ? { ...finding, fix: { ...finding.fix, safe: false } } : finding
  return {
    files: files.map((before, i) => ({ before, after: now[i] as FixFile })),
    count,
    findings: findings.map(demote),
    mayFix: may,
    demote,
  }
}

/** The failures after which a fix is not called safe any more. */
const taken: ReadonlySet<true | WhyNotFixed> = new Set(['not-proven', 'too-many', 'not-understood'])

/** How often a file is read again in one pass to find out which of its fixes fail; those that are not tried count as failed. */
const mostAttempts = 200

/** The fixes for each file, by its index, in written order. Only places where a file could not be parsed come first. */
function planned(
  files: readonly FixFile[],
  findings: readonly Diagnostic[],
  level: FixLevel,
  failed: ReadonlyMap<string, WhyNotFixed>,
  { mayChange = () => true }: Examiner,
): ReadonlyMap<number, readonly Fixable[]> {
  const indices = new Map(files.map(({ source }, i) => [source, i]))
  const places = fixingOf(files)
  const plan = new Map<number, Fixable[]>()
  const add = (finding: Diagnostic, isOfReader: boolean) => {
    const i = indices.get(finding.span.source)
    if (i === undefined || !mayChange(finding.span.source.path) || !isFixable(finding) || finding.fix.safe !== (level === 'safe')) return
    if (mayFix(finding, { ...places, attempt: { level, failed, isOfReader } }) !== true) return
    pushTo(plan, i, finding)
  }
  for (const { read } of files) if (!isUnderstood(read)) for (const problem of read.diagnostics) add(problem, true)
  for (const finding of findings) add(finding, false)
  return plan
}

/** Worlds of single policies, with the groups of those files only that were completely parsed. */
function worldsAmong(files: readonly FixFile[]): WorldWith {
  return worldsOfOne(files.filter(({ read }) => isUnderstood(read)).map(({ read }) => read.facts))
}

/** Make as many of the fixes as are compatible. Incompatible ones are found by bisection. */
async function fixText(
  file: FixFile,
  fixes: readonly Fixable[],
  worldWith: WorldWith,
  examiner: Examiner,
  failed: Map<string, WhyNotFixed>,
): Promise<{ readonly file: FixFile; readonly count: number }> {
  let made: readonly Fixable[] = []
  let fixed = file
  const waiting: (readonly Fixable[])[] = [fixes]
  let attempts = 0
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (attempts++ >= mostAttempts) {
      for (const each of next) failed.set(signature(each), 'too-many')
      continue
    }
    const tried = [...made, ...next]
    const { text, applied } = applyEdits(
      file.source.text,
      tried.map(({ fix }) => fix.edits),
    )
    const appliedFixes = tried.filter((_, i) => applied[i])
    // A fix that overlaps another one waits for the next pass.
    if (appliedFixes.length === made.length || text === fixed.source.text) continue
    const source = sourceOf(file.source.path, text, file.source.notation)
    const after = { source, read: await examiner.read(source) }
    if (isNoWorse(file, after, appliedFixes, worldWith)) {
      made = appliedFixes
      fixed = after
    } else if (next.length === 1) failed.set(signature(next[0] as Fixable), 'not-proven')
    else {
      const middle = next.length >> 1
      waiting.push(next.slice(middle), next.slice(0, middle))
    }
  }
  return { file: fixed, count: made.length }
}

/** Whether a file may stay as it was fixed. */
function isNoWorse(before: FixFile, after: FixFile, fixes: readonly Fixable[], worldWith: WorldWith): boolean {
  if ((after.read.refused && !before.read.refused) || (before.read.holdsPolicies && !after.read.holdsPolicies)) return false
  if (!isUnderstood(before.read)) return countSyntax(after.read) <= countSyntax(before.read)
  if (!isUnderstood(after.read)) return false
  return fixes.some(({ fix }) => !fix.safe) || isEquivalent(before.read.facts, after.read.facts, worldWith)
}

function countSyntax({ diagnostics }: ReadSource): number {
  return diagnostics.filter(({ code }) => code === 'syntax').length
}
