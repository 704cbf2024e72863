import type { Diagnostic, Fix } from '../diagnostic.ts'
import { applyEdits } from '../edits.ts'
import type { ReadSource } from '../parser/read.ts'
import { type Source, sourceOf } from '../source.ts'
import { type Known, knownFrom, saysTheSame } from './prove.ts'

/** Which fixes are made: the safe ones, or also those that are only likely to be what was meant. */
export const fixLevels = ['safe', 'suggested'] as const
export type FixLevel = (typeof fixLevels)[number]

/** A text and what was understood of it. */
export interface FixFile {
  readonly source: Source
  readonly read: ReadSource
}

/** How files are looked at while they are mended: what makes reading and finding pure is handed in. */
export interface Examiner {
  readonly read: (source: Source) => ReadSource | Promise<ReadSource>
  /** All that is found in the files together, without what is to be left out; sorted. */
  readonly find: (files: readonly FixFile[]) => readonly Diagnostic[] | Promise<readonly Diagnostic[]>
}

export interface Fixed {
  /** The files as given, and as they are now: the same objects where nothing was mended. In the order given. */
  readonly files: readonly { readonly before: FixFile; readonly after: FixFile }[]
  /** How many fixes were made. */
  readonly count: number
  /** What is found afterwards. */
  readonly findings: readonly Diagnostic[]
  /** A finding as it is to be shown: a fix that was tried and taken back, or that waits for others, is no longer called safe. */
  readonly demote: (finding: Diagnostic) => Diagnostic
}

/** Mending one thing may bring another to light; what is not done after so many rounds is left to the next run. */
const mostPasses = 10

/**
 * Mend files until nothing is left to mend. A file that could not be understood is mended first where it could not; then
 * what rules find in it. After each pass every file is read again, and must read no worse; where policies were understood
 * before, it must be proved that they still say the same. Fixes that fail this are taken back. Safe fixes come first; the
 * others, which are made only when asked for, are not held to the proof, since they are meant to change something.
 */
export async function mend(files: readonly FixFile[], level: FixLevel, examiner: Examiner): Promise<Fixed> {
  const failed = new Set<string>()
  let now = [...files]
  let findings = await examiner.find(now)
  let count = 0
  for (let pass = 0; pass < mostPasses; pass++) {
    let plan = planned(now, findings, 'safe', failed)
    if (plan.size === 0 && level === 'suggested') plan = planned(now, findings, 'suggested', failed)
    if (plan.size === 0) break
    const known = knownIn(now)
    let made = 0
    for (const [i, fixes] of plan) {
      const mended = await mendFile(now[i] as FixFile, fixes, known, examiner, failed)
      made += mended.count
      now = now.with(i, mended.file)
    }
    count += made
    if (made > 0) findings = await examiner.find(now)
  }
  // In a file that is still not understood nothing more is done, however safe.
  const closed = new Set(now.filter(({ read }) => !isUnderstood(read)).map(({ source }) => source))
  const demote = (finding: Diagnostic) => demoted(finding, failed, closed)
  return { files: files.map((before, i) => ({ before, after: now[i] as FixFile })), count, findings: findings.map(demote), demote }
}

/** How often a file is read again in one pass to find out which of its fixes fail; those that are not tried count as failed. */
const mostAttempts = 200

/** A finding with a fix. */
type Mendable = Diagnostic & { readonly fix: Fix }

/** What to mend in each file, by its index, in written order. Only places where a file was not understood come first. */
function planned(
  files: readonly FixFile[],
  findings: readonly Diagnostic[],
  level: FixLevel,
  failed: ReadonlySet<string>,
): ReadonlyMap<number, readonly Mendable[]> {
  const indices = new Map(files.map(({ source }, i) => [source, i]))
  const plan = new Map<number, Mendable[]>()
  const add = (finding: Diagnostic, i: number | undefined) => {
    if (i === undefined || !isMendable(finding) || finding.fix.safe !== (level === 'safe') || failed.has(signature(finding))) return
    const { source } = files[i] as FixFile
    if (!finding.fix.edits.every((edit) => edit.span.source === source)) return
    const list = plan.get(i)
    if (list) list.push(finding)
    else plan.set(i, [finding])
  }
  for (const [i, { read }] of files.entries()) if (!isUnderstood(read)) for (const problem of read.diagnostics) add(problem, i)
  for (const finding of findings) {
    const i = indices.get(finding.span.source)
    if (i !== undefined && isUnderstood((files[i] as FixFile).read)) add(finding, i)
  }
  return plan
}

function isMendable(finding: Diagnostic): finding is Mendable {
  return finding.fix !== undefined
}

function isUnderstood({ diagnostics, refused }: ReadSource): boolean {
  return !refused && diagnostics.every(({ severity }) => severity !== 'error')
}

/** What is known of groups: only what is said in files that were wholly understood. */
function knownIn(files: readonly FixFile[]): Known {
  return knownFrom(files.filter(({ read }) => isUnderstood(read)).map(({ read }) => read.facts))
}

/** Make as many of the fixes as can stand together. Which cannot is found by halves. */
async function mendFile(
  file: FixFile,
  fixes: readonly Mendable[],
  known: Known,
  examiner: Examiner,
  failed: Set<string>,
): Promise<{ readonly file: FixFile; readonly count: number }> {
  let made: readonly Mendable[] = []
  let mended = file
  const waiting: (readonly Mendable[])[] = [fixes]
  let attempts = 0
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (attempts++ >= mostAttempts) {
      for (const each of next) failed.add(signature(each))
      continue
    }
    const tried = [...made, ...next]
    const { text, applied } = applyEdits(
      file.source.text,
      tried.map(({ fix }) => fix.edits),
    )
    const left = tried.filter((_, i) => applied[i])
    // What overlaps another fix waits for the next pass.
    if (left.length === made.length || text === mended.source.text) continue
    const source = sourceOf(file.source.path, text, file.source.notation)
    const after = { source, read: await examiner.read(source) }
    if (isNoWorse(file, after, left, known)) {
      made = left
      mended = after
    } else if (next.length === 1) failed.add(signature(next[0] as Mendable))
    else {
      const middle = next.length >> 1
      waiting.push(next.slice(middle), next.slice(0, middle))
    }
  }
  return { file: mended, count: made.length }
}

/** Whether a file may stay as it was mended. */
function isNoWorse(before: FixFile, after: FixFile, fixes: readonly Mendable[], known: Known): boolean {
  if ((after.read.refused && !before.read.refused) || (before.read.holdsPolicies && !after.read.holdsPolicies)) return false
  if (!isUnderstood(before.read)) return countSyntax(after.read) <= countSyntax(before.read)
  if (!isUnderstood(after.read)) return false
  return fixes.some(({ fix }) => !fix.safe) || saysTheSame(before.read.facts, after.read.facts, known)
}

function countSyntax({ diagnostics }: ReadSource): number {
  return diagnostics.filter(({ code }) => code === 'syntax').length
}

/** The same for a fix that is offered again after other places have moved. */
function signature({ span, code, policy, message, fix }: Mendable): string {
  return JSON.stringify([span.source.path, code, policy, message, fix.edits.map(({ text }) => text)])
}

function demoted(finding: Diagnostic, failed: ReadonlySet<string>, closed: ReadonlySet<Source>): Diagnostic {
  if (!isMendable(finding) || !finding.fix.safe) return finding
  if (!failed.has(signature(finding)) && !closed.has(finding.span.source)) return finding
  return { ...finding, fix: { ...finding.fix, safe: false } }
}
