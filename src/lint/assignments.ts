import { pushAllTo } from '../collections.ts'
import { compareText, type Diagnostic, findingKey, withoutDuplicates } from '../diagnostic.ts'
import { keyOf } from '../keys.ts'
import type { Facts } from '../parser/policy.ts'
import { noFacts, type OpenReading, type ReadSource } from '../parser/read.ts'
import type { Rule } from '../rules/rule.ts'
import { some } from '../rules/support/text.ts'
import { isInSpan, type Span } from '../source.ts'
import { type FileRead, type ReadFiles, withReads } from '../sources/files.ts'
import { uncreatedOf } from '../sources/read.ts'
import type { Assignment } from '../unknown/assignment.ts'
import { inEveryAssignment, type WordsOf } from '../unknown/certain.ts'
import { isLocal } from './run.ts'

/** The findings of some rules in facts. */
export type FindIn = (facts: readonly Facts[], rules: readonly Rule[]) => readonly Diagnostic[]

/**
 * Findings that hold for every assignment of what is not known, with those of the readers. `isRepeated`: what is written once may
 * be read several times. `withPossible`: with what may be found, by rules that report it.
 */
export function inEachAssignment(
  reads: readonly Pick<ReadSource, 'facts' | 'open'>[],
  diagnostics: readonly Diagnostic[],
  rules: readonly Rule[],
  findIn: FindIn,
  { isRepeated = false, withPossible = false }: { readonly isRepeated?: boolean; readonly withPossible?: boolean } = {},
): readonly Diagnostic[] {
  const open = reads.flatMap((read) => read.open ?? [])
  if (open.length === 0) {
    const facts = reads.map((read) => read.facts)
    return isRepeated ? withoutDuplicates(findIn(facts, rules)) : findIn(facts, rules)
  }
  const factsIn = (assignment: Assignment) => reads.map((read) => read.open?.facts(assignment) ?? read.facts)
  const ofReaders = new Set(diagnostics.map(findingKey))
  const findings: Diagnostic[] = []
  const byCode = new Map<string, Rule>(rules.map((rule) => [rule.code, rule]))
  const isNear = ({ code }: Diagnostic) => {
    const rule = byCode.get(code)
    return rule !== undefined && isLocal(rule) && 'policy' in rule
  }
  // The findings of a rule about single policies do not depend on the assignment in other files.
  const inFilesOf = (assignment: Assignment, among: readonly Diagnostic[] | undefined) => {
    const paths = among?.every(isNear) ? [...new Set(among.map(({ span }) => span.source.path))] : undefined
    return (reading: OpenReading) => (paths && !paths.some((path) => reading.paths.has(path)) ? 'first' : assignment)
  }
  const certain = inEveryAssignment(
    (assignment, among) => {
      const codes = among && new Set<string>(among.map(({ code }) => code))
      const assignmentOf = inFilesOf(assignment, among)
      const facts = reads.map((read) => read.open?.facts(assignmentOf(read.open)) ?? read.facts)
      const list = findIn(facts, codes ? rules.filter(({ code }) => codes.has(code)) : rules)
      if (!among) for (const finding of list) if (ofReaders.has(findingKey(finding))) findings.push(finding)
      return list.filter((finding) => !ofReaders.has(findingKey(finding)))
    },
    {
      holes: open.flatMap(({ holes }) => holes),
      texts: open.flatMap(({ texts }) => texts),
      perhaps: open.flatMap(({ perhaps }) => perhaps),
    },
    wordsIn(open),
    {
      isSure: (finding) =>
        byCode.get(finding.code)?.section === 'upkeep' ||
        (isNear(finding) && !open.some(({ paths }) => paths.has(finding.span.source.path))),
      choicesIn: (assignment, among) => {
        const assignmentOf = inFilesOf(assignment, among)
        return keyOf(...open.map((reading) => reading.choices(assignmentOf(reading))))
      },
    },
  )
  const asked = withPossible ? rules.filter((rule) => 'world' in rule && rule.reportsPossible) : []
  const possible = possibleFindings(asked, certain, open, (assignment) => findIn(factsIn(assignment), asked))
  return withoutDuplicates([...findings, ...certain, ...possible])
}

/** The assignments of which one breaks a guardrail in most cases where any does. */
const worst: readonly Assignment[] = ['most', 'granted', 'first']

/** Findings that hold in some assignment and are not among the certain ones: each place once, with the unknown values of its policy. */
function possibleFindings(
  rules: readonly Rule[],
  certain: readonly Diagnostic[],
  open: readonly OpenReading[],
  findIn: (assignment: Assignment) => readonly Diagnostic[],
): readonly Diagnostic[] {
  if (rules.length === 0) return []
  const byCode = new Map<string, Rule>(rules.map((rule) => [rule.code, rule]))
  const placeKey = ({ code, span: { source, start } }: Diagnostic) => keyOf(code, source.path, start)
  const certainPlaces = new Set(certain.map(placeKey))
  const possible = new Map<string, Diagnostic>()
  for (const assignment of worst)
    for (const finding of findIn(assignment)) {
      const rule = byCode.get(finding.code)
      const key = placeKey(finding)
      if (!rule || certainPlaces.has(key) || possible.has(key)) continue
      const expressions = unknownsAt(finding, assignment, open)
      if (expressions.length > 0) possible.set(key, possibleFinding(finding, rule, expressions, open))
    }
  return [...possible.values()]
}

/** A finding in words that say what it depends on. A guardrail that cannot be decided counts as broken: its severity stays. */
function possibleFinding(finding: Diagnostic, rule: Rule, expressions: readonly string[], open: readonly OpenReading[]): Diagnostic {
  const { code, severity, span, link, related } = finding
  const isAssumed = (place: Span) => open.some(({ holes }) => isInside(place, holes))
  const verb = expressions.length === 1 ? 'is' : 'are'
  return {
    code,
    severity,
    message: `${rule.summary.replace(/\.$/, '')}: could break, since ${some(expressions, 3)} ${verb} unknown`,
    span,
    help: 'give the values with `--var` or `--var-file`, or limit what they may be',
    ...(link !== undefined && { link }),
    ...(related && { related: related.filter((each) => !isAssumed(each.span)) }),
  }
}

/** The unknown values of the policy that a finding is in, by their expressions: names that something gets only where there are no others. */
function unknownsAt({ span }: Diagnostic, assignment: Assignment, open: readonly OpenReading[]): readonly string[] {
  const readings = open.filter(({ paths }) => paths.has(span.source.path))
  const policy = readings
    .flatMap(({ facts }) => facts(assignment).policies)
    .find((each) => isInSpan(span, each.span) || each.identities.some((entry) => isInSpan(span, entry.span)))
  const all = readings.flatMap(({ unknowns }) => unknowns)
  const ofPolicy = policy ? all.filter((each) => isInSpan(each, policy.span)) : []
  const unknowns = ofPolicy.length > 0 ? ofPolicy : all
  const values = unknowns.filter(({ isName }) => !isName)
  return [...new Set((values.length > 0 ? values : unknowns).map(({ expression }) => expression))].sort(compareText)
}

/** The strings that replace made-up names, by name; more names are made up while assignments are read. */
function wordsIn(open: readonly OpenReading[]): WordsOf {
  const wordsByToken = new Map<string, readonly (readonly [string, string])[]>()
  return (token) => {
    if (!wordsByToken.has(token)) {
      const all = new Map<string, (readonly [string, string])[]>()
      for (const words of open.flatMap((one) => one.words)) for (const [each, texts] of words) pushAllTo(all, each, texts)
      for (const [each, texts] of all) wordsByToken.set(each, texts)
      if (!all.has(token)) wordsByToken.set(token, [])
    }
    return wordsByToken.get(token) ?? []
  }
}

/**
 * The findings, with those in resources that are described and not created. Others are not compared with these: they may be
 * created in their place. The groups they refer to exist.
 */
export function withUncreated(
  run: ReadFiles,
  findings: readonly Diagnostic[],
  findIn: (never: ReadFiles) => readonly Diagnostic[],
): readonly Diagnostic[] {
  const places = uncreatedPlaces(run)
  if (places.length === 0) return findings
  const each = run.each.flatMap((file): FileRead[] => {
    const { open, ...rest } = file.read
    const facts = onlyGroups(rest.facts)
    const groups = { ...file, read: { ...rest, diagnostics: [], facts, ...(open && { open: ofGroups(open) }) } }
    return rest.kind === 'configuration' && rest.uncreated ? [groups, { ...file, read: { ...rest, ...rest.uncreated } }] : [groups]
  })
  return withoutDuplicates([...findings, ...findIn(withReads(run, each)).filter(({ span }) => isInside(span, places))])
}

/** The places of resources that are described and not created. */
export function uncreatedPlaces({ each }: { readonly each: readonly Pick<FileRead, 'read'>[] }): readonly Span[] {
  return each.flatMap(({ read }) => (uncreatedOf(read)?.each ?? []).map(({ node }) => node))
}

export function isInside(span: Span, places: readonly Span[]): boolean {
  return places.some((place) => isInSpan(span, place))
}

function onlyGroups({ permissionsGroups, resourceGroups }: Facts): Facts {
  return { ...noFacts, permissionsGroups, resourceGroups }
}

function ofGroups(open: OpenReading): OpenReading {
  return { ...open, facts: (assignment) => onlyGroups(open.facts(assignment)) }
}
