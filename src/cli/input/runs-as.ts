import { type RunsAs, runsAsOf } from '../../escalation/escalation.ts'
import type { LintConfig } from '../../lint/config.ts'

/** Resources with the identities that they run as, from the options of the rule that compares the rights of both. */
export function runsAsIn({ layers }: LintConfig): readonly RunsAs[] {
  const configuredLevel = layers
    .flatMap(({ rules = [] }) => rules)
    .findLast(({ code, options }) => code.value === 'escalates-through-resource' && options !== undefined)
  return runsAsOf(configuredLevel?.options?.value.runsAs)
}
