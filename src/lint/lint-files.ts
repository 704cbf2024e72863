import type { Catalogue } from '../actions/catalogue.ts'
import type { Operation } from '../actions/operations.ts'
import { addressed } from '../declared/addressed.ts'
import { compareDiagnostics, type Diagnostic, withoutFix } from '../diagnostic.ts'
import { madeOnce } from '../memo.ts'
import { defaultSettings, type Settings } from '../names.ts'
import type { Facts } from '../parser/policy.ts'
import type { UncreatedReading } from '../parser/read.ts'
import { buildWorld } from '../parser/world.ts'
import { Clock } from '../rules/clock.ts'
import { rules as builtIn } from '../rules/index.ts'
import { levelsOf } from '../rules/presets.ts'
import type { Rule, RuleContext } from '../rules/rule.ts'
import type { ReadFiles } from '../sources/files.ts'
import { uncreatedIn, unknownIn } from '../sources/read.ts'
import { inAllVariants, variantsOf } from '../sources/roots.ts'
import { Zones } from '../zones.ts'
import { inEachAssignment, withUncreated } from './assignments.ts'
import { fixingOf, mayFix } from './may-fix.ts'
import { lintByProfile, type Profile } from './profile.ts'
import type { RuleMemo } from './remembered.ts'
import { applyComments, applyIgnores, type IgnoreEntry, type Suppressed, type SuppressionResult } from './suppress.ts'

/** Suppresses what a baseline records. `isOn`: whether a rule is on for a file. */
export type Baseline = (
  findings: readonly Diagnostic[],
  isOn: (code: string, path: string) => boolean,
  rules: readonly Rule[],
) => SuppressionResult

/** The input of a run of lint. The defaults are those without a configuration. */
export interface LintRun {
  readonly files: ReadFiles
  readonly catalogue: Catalogue
  /** The operations of the API, for requests of delegated access. */
  readonly operations?: () => readonly Operation[]
  readonly settings?: Settings
  /** Milliseconds since 1970. */
  readonly now: number
  /** Made of `now` unless it is given, by callers that ask for how long the result holds. */
  readonly clock?: Clock
  /** The levels of rules and their options, by the path of a file; without it, the preset `recommended`. */
  readonly profileOf?: (path: string) => Profile
  /** Entries under `ignores` of configurations. */
  readonly ignores?: readonly IgnoreEntry[]
  /** Rules other than the built-in ones: guardrails, and those of an organisation. */
  readonly ownRules?: readonly Rule[]
  /** Whether comments in the files and `ignores` suppress findings; by default they do. */
  readonly suppressions?: boolean
  readonly baseline?: Baseline | undefined
  /** A cache of findings from earlier runs. */
  readonly remembered?: RuleMemo
  /** Of policies that are read where their parts are asked for: see `RuleContext`. */
  readonly summaryOf?: RuleContext['summaryOf']
}

export interface LintResult {
  /** Sorted; those about suppressions too. */
  readonly findings: readonly Diagnostic[]
  /** In the order of findings. */
  readonly suppressed: readonly Suppressed[]
  /** The values that are not known, by the expressions that give them. */
  readonly unknown: readonly string[]
  /** Resources that configurations describe and do not create. */
  readonly uncreated: readonly UncreatedReading['each'][number][]
}

export const recommended: Profile = { levels: levelsOf('recommended'), options: new Map() }

/** Whether a rule looks at one policy or group by itself. */
const isOfOne = ({ section, whole }: Rule) => section !== 'whole set' && !whole

/** All rules of a run. */
function rulesIn({ ownRules = [] }: LintRun): readonly Rule[] {
  return ownRules.length === 0 ? builtIn : [...builtIn, ...ownRules]
}

/** Lint files that were read: exactly what `grantwise lint` reports for them. */
export function lintFiles(run: LintRun): LintResult {
  const { files, profileOf = () => recommended } = run
  const rules = rulesIn(run)
  const { kept, suppressed, upkeep } = suppress(run, rules, offered(files, find(run, profileOf, rules)))
  return {
    findings: [...kept, ...levelled(upkeep, profileOf)].sort(compareDiagnostics),
    suppressed: [...suppressed].sort((a, b) => compareDiagnostics(a.finding, b.finding)),
    unknown: unknownIn(files),
    uncreated: uncreatedIn([files]),
  }
}

/** Findings without those that comments, the configuration or the baseline of a run suppress. */
export function suppress(run: LintRun, rules: readonly Rule[], findings: readonly Diagnostic[]): SuppressionResult {
  const { files, profileOf = () => recommended, ignores = [], suppressions = true, baseline, now, clock = new Clock(now) } = run
  const isOn = (code: string, path: string) => profileOf(path).levels.get(code) !== 'off'
  const suppressors: readonly ((findings: readonly Diagnostic[]) => SuppressionResult)[] = [
    ...(suppressions
      ? [
          (findings: readonly Diagnostic[]) => applyComments(findings, files.ignores, rules, isOn, files.broken),
          (findings: readonly Diagnostic[]) => applyIgnores(findings, ignores, rules, clock),
        ]
      : []),
    ...(baseline ? [(findings: readonly Diagnostic[]) => baseline(findings, isOn, rules)] : []),
  ]
  let remaining = findings
  const results = suppressors.map((suppressor) => {
    const result = suppressor(remaining)
    remaining = result.kept
    return result
  })
  return { kept: remaining, suppressed: results.flatMap(({ suppressed }) => suppressed), upkeep: results.flatMap(({ upkeep }) => upkeep) }
}

/** All that is found, with what the readers found. */
function find(
  { files, catalogue, operations = () => [], settings: asked = defaultSettings, now, clock, remembered, summaryOf }: LintRun,
  profileOf: (path: string) => Profile,
  rules: readonly Rule[],
): readonly Diagnostic[] {
  const settings = { zones: new Zones(), ...asked }
  remembered?.use(catalogue, asked)
  const shared = madeOnce({ catalogue, settings })
  const findAmong = (facts: readonly Facts[], read: readonly Diagnostic[], paths: readonly string[], some: readonly Rule[]) => {
    // Rules take what is described for all that there is; a configuration describes the users that it makes, and no others.
    const { world, diagnostics } = buildWorld(facts.map(({ settle: _, ...rest }) => rest))
    const keep = remembered && { keep: remembered.keep }
    const context = {
      world,
      catalogue,
      operations,
      settings,
      now,
      shared,
      ...(clock && { clock }),
      ...(summaryOf && { summaryOf }),
      ...keep,
    }
    return lintByProfile(some, paths, [...read, ...diagnostics], profileOf, context, remembered)
  }
  // A document contains examples, each a separate world.
  const inExamples = files.each.flatMap(({ source, read }) =>
    (read.kind === 'examples' ? read.apart : []).flatMap((part) =>
      inEachAssignment([part], part.diagnostics, rules, (facts, some) => findAmong(facts, part.diagnostics, [source.path], some)),
    ),
  )
  const inWorld = (world: ReadFiles, some: readonly Rule[]) =>
    inEachAssignment(
      world.each.flatMap(({ read }) => (read.kind === 'examples' ? [] : [read])),
      world.diagnostics,
      some,
      (facts, few) => findAmong(facts, world.diagnostics, world.files, few),
      { isRepeated: world.each.some(({ read }) => read.kind === 'configuration'), withPossible: true },
    )
  const inVariants = variantsOf(files).map(({ root, run }) => ({
    ...(root && { root }),
    findings: withUncreated(run, inWorld(run, rules), (never) => inWorld(never, rules.filter(isOfOne))),
  }))
  return [...inAllVariants(files, inVariants), ...inExamples]
}

/**
 * Findings with the fixes that may be made. What a tool described is fixed where the tool read it; in what the tool wrote itself a
 * finding says of which resource it is.
 */
export function offered(files: ReadFiles, findings: readonly Diagnostic[]): readonly Diagnostic[] {
  const fixing = fixingOf(files.each)
  return findings.map((finding) => {
    const read = fixing.fileOf(finding.span.source)?.read
    const placed = read?.kind === 'declared' && read.isOutput ? addressed(finding, read.addresses) : finding
    if (!placed.fix) return placed
    return mayFix(placed, fixing) === true ? placed : withoutFix(placed)
  })
}

/** Findings about suppressions, at the levels that hold for the files they are in. */
function levelled(findings: readonly Diagnostic[], profileOf: (path: string) => Profile): readonly Diagnostic[] {
  return findings.flatMap((finding) => {
    const level = profileOf(finding.span.source.path).levels.get(finding.code)
    return level === 'off' ? [] : [level === undefined ? finding : { ...finding, severity: level }]
  })
}
