import { madeIn, partitionPoint, pushTo } from '../collections.ts'
import { type Code, compareDiagnostics, type Diagnostic, isInSyntaxError, type Severity } from '../diagnostic.ts'
import type { Policy, World } from '../policy.ts'
import { type Finding, type Part, parts, type Rule, type RuleContext } from '../rules/rule.ts'
import { isInSpan, type Source, type Span } from '../source.ts'
import type { RuleMemo } from './remembered.ts'

/**
 * The level of each rule that does not have its default level: `off` switches it off. A rule beyond the preset `recommended` is
 * off unless it is named here. Named at its default level, a rule may still set the severity of single findings.
 */
export type Levels = ReadonlyMap<string, Severity | 'off'>

/**
 * Run rules over a world. `read`: the findings of the readers, which are in the result, so that a caller has one sorted list.
 * Pure: the same arguments give the same list, with or without what is remembered of earlier runs.
 */
export function lint(
  rules: readonly Rule[],
  context: RuleContext,
  read: readonly Diagnostic[] = [],
  levels: Levels = new Map(),
  remembered?: RuleMemo,
): readonly Diagnostic[] {
  const findings = new Findings(context.world, read)
  const active = activeRules(rules, levels)
  runLocalRules(active, context, findings, remembered)
  const having = byPart(context.world.policies, context)
  for (const each of active) {
    remembered?.checkpoint()
    runOtherRule(each, having, context, findings)
  }
  return withoutRepeats(findings.list, rules).sort(compareDiagnostics)
}

/** A rule that is on. */
interface ActiveRule {
  readonly rule: Rule
  /** The severity of all its findings, if not that of the rule. */
  readonly level?: Severity
}

function activeRules(rules: readonly Rule[], levels: Levels): readonly ActiveRule[] {
  return rules.flatMap((rule) => {
    const chosen = levels.get(rule.code) ?? ((rule.preset ?? 'recommended') === 'recommended' ? rule.severity : 'off')
    if (chosen === 'off') return []
    return [{ rule, ...(chosen !== rule.severity && { level: chosen }) }]
  })
}

/** The findings of a run, with those of the readers. */
class Findings {
  readonly list: Diagnostic[]
  private readonly world: World
  private readonly read: readonly Diagnostic[]
  private readonly syntaxErrors: readonly Diagnostic[]
  private encloser: ((place: Place) => Policy | undefined) | undefined
  private partial: ReadonlySet<Policy> | undefined

  constructor(world: World, read: readonly Diagnostic[]) {
    this.list = [...read]
    this.world = world
    this.read = read
    this.syntaxErrors = read.filter((problem) => problem.code === 'syntax')
  }

  /** Adds a finding, unless it may only be there because a part of a text was not read. */
  add({ rule, level }: ActiveRule, finding: Finding, policy?: Policy): void {
    if (isInSyntaxError(finding.span, this.syntaxErrors)) return
    if ((rule.section === 'whole set' || rule.whole) && this.isAboutPartial(finding, policy)) return
    this.list.push({
      code: rule.code,
      ...finding,
      severity: level ?? finding.severity ?? rule.severity,
      ...(policy && { policy: policy.name.value }),
    })
  }

  /** The policy that a place is in. */
  policyAround(place: Place): Policy | undefined {
    this.encloser ??= encloser(this.world.policies)
    return this.encloser(place)
  }

  private isAboutPartial({ related = [] }: Finding, policy: Policy | undefined): boolean {
    const policyAround = (place: Place) => this.policyAround(place)
    this.partial ??= partiallyParsed(this.world, this.read, policyAround)
    const { partial } = this
    if (partial.size === 0) return false
    return [policy, ...related.map(policyAround)].some((each) => each && partial.has(each))
  }
}

type FindInPolicy = (policy: Policy, context: RuleContext) => Iterable<Finding>

function runOnPolicies(each: ActiveRule, find: FindInPolicy, policies: readonly Policy[], context: RuleContext, findings: Findings): void {
  for (const policy of policies) for (const finding of find(policy, context)) findings.add(each, finding, policy)
}

/** Whether policies that were read have a part: where it is not known, rules are asked. */
const tests: Partial<Record<Part, (policy: Policy, context: RuleContext) => boolean>> = parts

/** Those of some policies that have a part, or all of them. */
type PoliciesHaving = (part: Part | undefined) => readonly Policy[]

function byPart(policies: readonly Policy[], context: RuleContext): PoliciesHaving {
  const policiesByPart = new Map<Part, readonly Policy[]>()
  return (part) =>
    part === undefined
      ? policies
      : madeIn(policiesByPart, part, () =>
          policies.filter((policy) => context.summaryOf(policy)?.has(part, context) ?? tests[part]?.(policy, context) ?? true),
        )
}

/** Runs the rules about single policies, over a few at a time: what one rule has looked at is still at hand for the next one. */
function runLocalRules(active: readonly ActiveRule[], context: RuleContext, findings: Findings, remembered: RuleMemo | undefined): void {
  const { policies } = context.world
  const local = active.flatMap((each) => {
    const { rule } = each
    if (!isLocal(rule) || !('policy' in rule)) return []
    return [{ each, needs: rule.needs, find: remembered ? remembered.remembering(rule, context) : rule.policy }]
  })
  for (let i = 0; i < policies.length; i += atATime) {
    remembered?.checkpoint()
    const having = byPart(policies.slice(i, i + atATime), context)
    for (const { each, needs, find } of local) runOnPolicies(each, find, having(needs), context, findings)
  }
}

/** Runs what of a rule looks at more than single policies. */
function runOtherRule(each: ActiveRule, having: PoliciesHaving, context: RuleContext, findings: Findings): void {
  const { rule } = each
  const { permissionsGroups, credentials = [] } = context.world
  if ('policy' in rule) {
    if (!isLocal(rule)) runOnPolicies(each, rule.policy, having(rule.needs), context, findings)
    if (!rule.group) return
    for (const group of permissionsGroups.values()) for (const finding of rule.group(group, context)) findings.add(each, finding)
  } else if ('world' in rule) {
    for (const finding of rule.world(context)) findings.add(each, finding, findings.policyAround(finding))
  } else if ('credential' in rule) {
    for (const request of credentials) for (const finding of rule.credential(request, context)) findings.add(each, finding)
  }
}

/** How many policies a rule looks at before the next rule has its turn. */
const atATime = 64

/**
 * Whether a rule looks at one policy after the other without regard to the rest. The others spend from common allowances,
 * and so have their turns one after the other, each over all policies.
 */
export function isLocal({ section, looksAround }: Rule): boolean {
  return !looksAround && (section === 'document' || section === 'identities' || section === 'actions' || section === 'resources')
}

/**
 * The findings without those that a more exact one within them, or a weightier one around them, makes needless: one
 * mistake is reported once. A rule that is off says nothing, and so takes nothing away.
 */
function withoutRepeats(findings: Diagnostic[], rules: readonly Rule[]): Diagnostic[] {
  const inner = new Map<Code, readonly Code[]>(rules.map(({ code, yieldsToInner = [] }) => [code, yieldsToInner]))
  const outer = new Map<Code, readonly Code[]>(rules.map(({ code, yieldsToOuter = [] }) => [code, yieldsToOuter]))
  const taking = new Map<Code, Diagnostic[]>([...inner.values(), ...outer.values()].flat().map((code) => [code, []]))
  for (const finding of findings) taking.get(finding.code)?.push(finding)
  const places = new Map([...taking].map(([code, takers]) => [code, bySource(takers)]))
  return findings.filter((finding) => {
    const { source, start } = finding.span
    const takers = (code: Code) => places.get(code)?.get(source) ?? []
    // The places of one code do not contain each other: only the first that starts within, and the last that starts before, need to be
    // checked.
    const hasInner = (inner.get(finding.code) ?? []).some((code) => {
      const first = takers(code)[startingBefore(takers(code), start)]
      return first !== undefined && isInSpan(first.span, finding.span)
    })
    const hasOuter = (outer.get(finding.code) ?? []).some((code) => {
      const last = takers(code)[startingBefore(takers(code), start + 1) - 1]
      return last !== undefined && isInSpan(finding.span, last.span)
    })
    return !hasInner && !hasOuter
  })
}

/** Anything with a place: a finding, a problem, a related place. */
interface Place {
  readonly span: Span
}

/**
 * The policies of which the readers refused a part, in themselves or in a permissions group that they name: their effect in
 * combination with others is not known.
 */
function partiallyParsed(world: World, read: readonly Diagnostic[], enclosing: (place: Place) => Policy | undefined): ReadonlySet<Policy> {
  const refused = read.filter(({ severity }) => severity === 'error')
  if (refused.length === 0) return new Set()
  const groups = new Set(refused.map(encloser([...world.permissionsGroups.values()])).map((group) => group?.urn.value.text))
  return new Set([
    ...refused.map(enclosing).filter((policy) => policy !== undefined),
    ...world.policies.filter(({ permissionsGroups }) => permissionsGroups.some(({ value }) => groups.has(value.text))),
  ])
}

/** Finds the part that contains a place: the parts of one file are in order. */
function encloser<T extends Place>(parts: readonly T[]): (place: Place) => T | undefined {
  const lists = bySource(parts)
  return ({ span }) => {
    const list = lists.get(span.source) ?? []
    const part = list[startingBefore(list, span.start + 1) - 1]
    return part && span.end <= part.span.end ? part : undefined
  }
}

/** The places of each file, in the order in which they start. */
function bySource<T extends Place>(parts: readonly T[]): ReadonlyMap<Source, readonly T[]> {
  const out = new Map<Source, T[]>()
  for (const part of parts) {
    pushTo(out, part.span.source, part)
  }
  for (const list of out.values()) list.sort((a, b) => a.span.start - b.span.start)
  return out
}

/** How many places of a sorted list start before an offset. */
function startingBefore(list: readonly Place[], offset: number): number {
  return partitionPoint(list, ({ span }) => span.start < offset)
}
