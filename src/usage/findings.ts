import type { Diagnostic } from '../diagnostic.ts'
import { policiesByFile, policyEntries } from '../history/effects.ts'
import type { Policy, World } from '../policy.ts'
import type { RuleFacts, Section } from '../rules/rule.ts'
import { isInSpan } from '../source.ts'
import { ofActions, partOf } from './targets.ts'

/** Sections of rules that are not about what a policy grants or denies. */
const otherSections: ReadonlySet<Section> = new Set(['document', 'access rules', 'upkeep'])

/**
 * Finds the parts of policies that findings are about: a policy with only the entry at the place of the finding or with only the actions that
 * it is about, and all of it where the finding is at no entry. Undefined for a finding that is in no policy, or not about access.
 */
export function partsOfFindings(
  world: World,
  rules: readonly Pick<RuleFacts, 'code' | 'section'>[],
): (finding: Pick<Diagnostic, 'code' | 'span' | 'actions'>) => Policy | undefined {
  const byFile = policiesByFile(world)
  const others = new Set<string>(rules.flatMap(({ code, section }) => (otherSections.has(section) ? [code] : [])))
  return ({ code, span, actions }) => {
    if (others.has(code)) return undefined
    const policy = byFile.get(span.source.path)?.find((each) => isInSpan(span, each.span))
    if (!policy) return undefined
    if (actions) return ofActions(policy, actions)
    const entry = policyEntries(policy).find((each) => isInSpan(span, each.span))
    // Nothing is granted by what an exception withholds.
    return entry?.list === 'except' ? undefined : partOf(policy, entry)
  }
}
