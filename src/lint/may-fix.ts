import { type Diagnostic, type Fix, isWithin } from '../diagnostic.ts'
import type { ReadSource } from '../parser/read.ts'
import { isHcl, isInRange, type PlainRange, type Source, type Span } from '../source.ts'
import { isInside, uncreatedPlaces } from './assignments.ts'

/** Which fixes are made: the safe ones, or also those that are only likely to be what was meant. */
export type FixLevel = 'safe' | 'suggested'

/** A text and what was understood of it. */
export interface FixFile {
  readonly source: Source
  readonly read: ReadSource
}

/** A finding with a fix. */
export type Fixable = Diagnostic & { readonly fix: Fix }

/** Why something is not fixed. */
export const whyNotFixed = {
  'no-fix': 'no fix is known for it',
  declared: 'a tool generates the policy: fix the source that the tool reads',
  'json-configuration': 'a configuration in JSON is not fixed: any text in it may be an expression',
  quoted: 'the fix would have to be written with the quotes and escapes of the script around it',
  'not-created': 'the configuration does not create it, so that no fix can be proved for what it would be',
  'outside-policies': 'in a configuration only policies and groups are fixed: a value outside of them may be meant for others as well',
  'other-file': 'the fix changes another file',
  suggested: 'the fix may change who may do what: it is only suggested',
  'not-understood': 'the file is not understood',
  'not-proven': 'it could not be proved that the policies say the same with the fix',
  'too-many': 'too many fixes of this file fail',
} as const satisfies Readonly<Record<string, string>>

export type WhyNotFixed = keyof typeof whyNotFixed

/** The context for judging a fix. */
export interface Fixing {
  readonly fileOf: (source: Source) => FixFile | undefined
  /** The places of resources that configurations describe and do not create. */
  readonly uncreated: readonly Span[]
  /** While files are fixed: which fixes are made, and what was tried in vain, by `signature`. */
  readonly attempt?: {
    readonly level: FixLevel
    readonly failed: ReadonlyMap<string, WhyNotFixed>
    /** In a file that is not understood, only what its reader found is fixed, and nothing once that was tried. */
    readonly isOfReader?: boolean
  }
}

/** The context for judging fixes in some files. */
export function fixingOf(files: readonly FixFile[]): Pick<Fixing, 'fileOf' | 'uncreated'> {
  const bySource = new Map(files.map((file) => [file.source, file]))
  return { fileOf: (source) => bySource.get(source), uncreated: uncreatedPlaces({ each: files }) }
}

/**
 * Whether the fix of a finding may be made, and if not, why: the one place that decides it. Whether a fix that was made may
 * stay is proved afterwards (`fixTexts`): one that may not comes back here among `failed`.
 */
export function mayFix(finding: Diagnostic, { fileOf, uncreated, attempt }: Fixing): true | WhyNotFixed {
  if (!isFixable(finding)) return 'no-fix'
  const { source } = finding.span
  const file = fileOf(source)
  if (file?.read.kind === 'declared') return 'declared'
  if (source.notation === 'hcl-json') return 'json-configuration'
  if (file?.read.kind === 'examples' && file.read.plain && !isPlain(finding, file.read.plain)) return 'quoted'
  if (isInside(finding.span, uncreated)) return 'not-created'
  if (isHcl(source.notation) && !isInPolicies(finding, fileOf)) return 'outside-policies'
  if (!attempt) return true
  if (!finding.fix.edits.every(({ span }) => span.source === source)) return 'other-file'
  if (file && !isUnderstood(file.read) && !attempt.isOfReader) return 'not-understood'
  if (attempt.level === 'safe' && !finding.fix.safe) return 'suggested'
  return attempt.failed.get(signature(finding)) ?? true
}

export function isFixable(finding: Diagnostic): finding is Fixable {
  return finding.fix !== undefined
}

export function isUnderstood({ diagnostics, refused }: ReadSource): boolean {
  return !refused && diagnostics.every(({ severity }) => severity !== 'error')
}

/** The same for a fix that is offered again after other places have moved. */
export function signature({ span, code, policy, message, fix }: Fixable): string {
  return JSON.stringify([span.source.path, code, policy, message, fix.edits.map(({ text }) => text)])
}

/** Whether edits are where characters stand for themselves, and write none that do not. */
function isPlain({ fix: { edits } }: Fixable, plain: readonly PlainRange[]): boolean {
  return edits.every(({ span, text }) =>
    plain.some((range) => isInRange(span, range) && ![...range.reserved].some((character) => text.includes(character))),
  )
}

function isInPolicies(finding: Fixable, fileOf: Fixing['fileOf']): boolean {
  const source = finding.fix.edits[0]?.span.source
  const read = source && fileOf(source)?.read
  if (!read) return false
  const all = [read.facts, ...(read.open ? [read.open.facts('first')] : [])]
  const spans = all.flatMap(({ policies, permissionsGroups, resourceGroups }) =>
    [...policies, ...permissionsGroups, ...(isUnderstood(read) ? [] : resourceGroups)].map(({ span }) => span),
  )
  return isWithin(finding, spans)
}
