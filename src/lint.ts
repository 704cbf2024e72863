import { compareDiagnostics, type Diagnostic, type Severity } from './diagnostic.ts'
import type { Policy } from './policy.ts'
import type { Finding, Rule, RuleContext } from './rules/rule.ts'

/** The level of each rule that is not at its own: `off` switches it off. */
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
  for (const rule of rules) {
    const level = levels.get(rule.code)
    if (level === 'off') continue
    const severity = level ?? rule.severity
    const add = (finding: Finding, policy?: Policy) => {
      out.push({
        code: rule.code,
        ...finding,
        severity: level ?? finding.severity ?? severity,
        ...(policy && { policy: policy.name.value }),
      })
    }
    if ('policy' in rule.check) {
      for (const policy of context.world.policies) for (const finding of rule.check.policy(policy, context)) add(finding, policy)
      if (!rule.check.group) continue
      for (const group of context.world.permissionsGroups.values()) for (const finding of rule.check.group(group, context)) add(finding)
    } else if ('world' in rule.check) {
      for (const finding of rule.check.world(context)) add(finding, enclosing(context.world.policies, finding))
    }
  }
  return out.sort(compareDiagnostics)
}

function enclosing(policies: readonly Policy[], { span }: Finding): Policy | undefined {
  return policies.find((p) => p.span.source === span.source && p.span.start <= span.start && span.end <= p.span.end)
}
