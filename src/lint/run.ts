import { partitionPoint, pushTo } from '../collections.ts'
import { type Code, compareDiagnostics, type Diagnostic, isInSyntaxError, type Severity } from '../diagnostic.ts'
import type { Policy, World } from '../policy.ts'
import type { Finding, Rule, RuleContext } from '../rules/rule.ts'
import { isInSpan, type Source, type Span } from '../source.ts'
import type { RuleMemo } from './remembered.ts'

/**
 * The level of each rule that does not have its default level: `off` switches it off. A rule beyond the preset `recommended` is
 * off unless it is named here. Named at its default level, a rule may still set the severity of single findings.
 */
export type Levels = ReadonlyMap<string, Severity | 'off'>

/**
 * Run rules over a world. `findings` also takes in what the readers found, so that a caller has one sorted list.
 * Pure: the same arguments give the same list, with or without what is remembered of earlier runs.
 */
export function lint(
  rules: readonly Rule[],
  context: RuleContext,
  read: readonly Diagnostic[] = [],
  levels: Levels = new Map(),
  remembered?: RuleMemo,
): readonly Diagnostic[] {
  const out: Diagnostic[] = [...read]
  const { policies } = context.world
  const broken = read.filter((problem) => problem.code === 'syntax')
  let enclosing: ((place: Place) => Policy | undefined) | undefined
  let half: ReadonlySet<Policy> | undefined
  const isAboutHalf = ({ related = [] }: Finding, policy: Policy | undefined) => {
    enclosing ??= encloser(policies)
    half ??= partiallyParsed(context.world, read, enclosing)
    if (half.size === 0) return false
    return [policy, ...related.map(enclosing)].some((each) => each && half?.has(each))
  }
  const chosenFor = (rule: Rule) => levels.get(rule.code) ?? ((rule.preset ?? 'recommended') === 'recommended' ? rule.severity : 'off')
  const running = rules.flatMap((rule) => {
    const chosen = chosenFor(rule)
    if (chosen === 'off') return []
    const level = chosen === rule.severity ? undefined : chosen
    const add = (finding: Finding, policy?: Policy) => {
      if (isInSyntaxError(finding.span, broken)) return
      if ((rule.section === 'whole set' || rule.whole) && isAboutHalf(finding, policy)) return
      out.push({
        code: rule.code,
        ...finding,
        severity: level ?? finding.severity ?? rule.severity,
        ...(policy && { policy: policy.name.value }),
      })
    }
    return [{ rule, add }]
  })
  const onPolicies = (
    { rule, add }: (typeof running)[number],
    some: readonly Policy[],
    find = 'policy' in rule ? rule.policy : undefined,
  ) => {
    if (find) for (const policy of some) for (const finding of find(policy, context)) add(finding, policy)
  }
  // A few policies at a time, so that what one rule has looked at is still at hand for the next one.
  const near = running.flatMap((each) => {
    const { rule } = each
    if (!isLocal(rule) || !('policy' in rule)) return []
    return [{ each, find: remembered ? remembered.remembering(rule, context) : rule.policy }]
  })
  for (let i = 0; i < policies.length; i += atATime) {
    const some = policies.slice(i, i + atATime)
    for (const { each, find } of near) onPolicies(each, some, find)
  }
  for (const each of running) {
    const { rule, add } = each
    if (!isLocal(rule)) onPolicies(each, policies)
    if ('policy' in rule) {
      if (!rule.group) continue
      for (const group of context.world.permissionsGroups.values()) for (const finding of rule.group(group, context)) add(finding)
    } else if ('world' in rule) {
      enclosing ??= encloser(policies)
      for (const finding of rule.world(context)) add(finding, enclosing(finding))
    } else if ('credential' in rule) {
      for (const request of context.world.credentials ?? []) for (const finding of rule.credential(request, context)) add(finding)
    }
  }
  return withoutRepeats(out, rules).sort(compareDiagnostics)
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
