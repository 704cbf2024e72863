import { compareDiagnostics, type Diagnostic, isGuess, type Severity } from './diagnostic.ts'
import type { Policy, World } from './policy.ts'
import type { Finding, Rule, RuleContext } from './rules/rule.ts'
import type { Source, Span } from './source.ts'

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
  let enclosing: ((place: Place) => Policy | undefined) | undefined
  let half: ReadonlySet<Policy> | undefined
  const isAboutHalf = ({ related = [] }: Finding, policy: Policy | undefined) => {
    enclosing ??= encloser(policies)
    half ??= halfRead(context.world, read, enclosing)
    if (half.size === 0) return false
    return [policy, ...related.map(enclosing)].some((each) => each && half?.has(each))
  }
  for (const rule of rules) {
    const chosen = levels.get(rule.code) ?? ((rule.preset ?? 'recommended') === 'recommended' ? rule.severity : 'off')
    if (chosen === 'off') continue
    const level = chosen === rule.severity ? undefined : chosen
    const add = (finding: Finding, policy?: Policy) => {
      if (isGuess(finding.span, broken)) return
      if (rule.section === 'whole set' && isAboutHalf(finding, policy)) return
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

/** What lies somewhere: a finding, a problem, a related place. */
interface Place {
  readonly span: Span
}

/**
 * The policies of which a part was refused by the readers, in themselves or in a permissions group that they name: what
 * they do beside others is not known.
 */
function halfRead(world: World, read: readonly Diagnostic[], enclosing: (place: Place) => Policy | undefined): ReadonlySet<Policy> {
  const refused = read.filter(({ severity }) => severity === 'error')
  if (refused.length === 0) return new Set()
  const groups = new Set(refused.map(encloser([...world.permissionsGroups.values()])).map((group) => group?.urn.value.text))
  return new Set([
    ...refused.map(enclosing).filter((policy) => policy !== undefined),
    ...world.policies.filter(({ permissionsGroups }) => permissionsGroups.some(({ value }) => groups.has(value.text))),
  ])
}

/** Finds which of the parts a place lies in: of one file they lie one behind the other. */
function encloser<T extends Place>(parts: readonly T[]): (place: Place) => T | undefined {
  const bySource = new Map<Source, T[]>()
  for (const part of parts) {
    const known = bySource.get(part.span.source)
    if (known) known.push(part)
    else bySource.set(part.span.source, [part])
  }
  for (const list of bySource.values()) list.sort((a, b) => a.span.start - b.span.start)
  return ({ span }) => {
    const list = bySource.get(span.source) ?? []
    let low = 0
    let high = list.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((list[middle] as T).span.start <= span.start) low = middle + 1
      else high = middle
    }
    const part = list[low - 1]
    return part && span.end <= part.span.end ? part : undefined
  }
}
