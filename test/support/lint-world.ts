import { loadCatalogue } from '../../src/actions/load.ts'
import type { Diagnostic } from '../../src/diagnostic.ts'
import { lint } from '../../src/lint/run.ts'
import type { World } from '../../src/policy.ts'
import { ruleContext } from '../../src/rules/context.ts'
import { rules } from '../../src/rules/index.ts'
import type { RuleContext } from '../../src/rules/rule.ts'
import { testSettings } from './settings.ts'

/** Rules over generated worlds. */

export const catalogue = loadCatalogue()

/** Before every expiry that is generated, so that nothing is over. */
const now = Date.UTC(2026, 0, 1)

export function contextOf(world: World): RuleContext {
  return ruleContext({ world, catalogue, settings: testSettings, now })
}

/** Findings of one rule. */
export function found(world: World, code: string): readonly Diagnostic[] {
  const rule = rules.filter((one) => one.code === code)
  return lint(rule, contextOf(world), [], new Map(rule.map((one) => [one.code, one.severity])))
}
