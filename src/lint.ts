import { compareDiagnostics, type Diagnostic, isGuess, type Severity } from './diagnostic.ts'
import type { Policy } from './policy.ts'
import type { Finding, Rule, RuleContext } from './rules/rule.ts'
import type { Source } from './source.ts'

/**
 * The level of each rule that is not at its own: `off` switches it off. A rule beyond the preset `recommended` is off
 * unless it is named here. Named at its own level, a rule may still weigh single findings more or less.
 */
export type Levels = ReadonlyMap<string, Severity | 'off'>

/**
 * Run rules over a world. `findings` also takes in what the readers found, so that a caller has one sorted list.
 * Pure: the same arguments give the same list.
 */
export function lint(
  rules: readonly Rule[],
  context: RuleContext,
  read: readonly Diagnostic[] = [],
  levels: Levels = new Map(),
): readonly Diagnostic[] {
  const out: Diagnostic[] = [...read]
  const { policies } = context.world
  const broken = read.filter((problem) => problem.code === 'syntax')
  let enclosing: ((finding: Finding) => Policy | undefined) | undefined
  for (const rule of rules) {
    const chosen = levels.get(rule.code) ?? ((rule.preset ?? 'recommended') === 'recommended' ? rule.severity : 'off')
    if (chosen === 'off') continue
    const level = chosen === rule.severity ? undefined : chosen
    const add = (finding: Finding, policy?: Policy) => {
      if (isGuess(finding.span, broken)) return
      out.push({
        code: rule.code,
        ...finding,
        severity: level ?? finding.severity ?? rule.severity,
        ...(policy && { policy: policy.name.value }),
      })
    }
    if ('policy' in rule.check) {
      for (const policy of policies) for (const finding of rule.check.policy(policy, context)) add(finding, policy)
      if (!rule.check.group) continue
      for (const group of context.world.permissionsGroups.values()) for (const finding of rule.check.group(group, context)) add(finding)
    } else if ('world' in rule.check) {
      enclosing ??= encloser(policies)
      for (const finding of rule.check.world(context)) add(finding, enclosing(finding))
    } else if ('credential' in rule.check) {
      for (const request of context.world.credentials ?? []) for (const finding of rule.check.credential(request, context)) add(finding)
    }
  }
  return out.sort(compareDiagnostics)
}

/** Finds the policy that a place lies in: of one file they lie one behind the other. */
function encloser(policies: readonly Policy[]): (finding: Finding) => Policy | undefined {
  const bySource = new Map<Source, Policy[]>()
  for (const policy of policies) {
    const known = bySource.get(policy.span.source)
    if (known) known.push(policy)
    else bySource.set(policy.span.source, [policy])
  }
  for (const list of bySource.values()) list.sort((a, b) => a.span.start - b.span.start)
  return ({ span }) => {
    const list = bySource.get(span.source) ?? []
    let low = 0
    let high = list.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((list[middle] as Policy).span.start <= span.start) low = middle + 1
      else high = middle
    }
    const policy = list[low - 1]
    return policy && span.end <= policy.span.end ? policy : undefined
  }
}
