import { type Level, levels } from '../../lint/config.ts'
import { configProblems, levelFault } from '../../lint/config-problems.ts'
import type { GivenLevels } from '../../lint/profile.ts'
import { rules } from '../../rules/index.ts'
import type { Options } from '../app/commands.ts'
import { choice, pair } from '../app/options.ts'
import { Refusal } from '../app/refusal.ts'
import { refuseAll } from '../output/diagnostics.ts'
import type { Config } from './config.ts'

/** Refuse configurations that name unknown rules, or options that a rule does not take. */
export function checkCodes(configs: readonly Config[]): void {
  refuseAll(configProblems(configs, rules))
}

/** What the command line says about levels. */
export function givenLevels({ preset, rule }: Options<'lint'>): GivenLevels {
  return { preset, rules: new Map(rule.map(ruleLevel)) }
}

function ruleLevel(text: string): readonly [string, Level] {
  const [code, level] = pair('--rule', text, 'CODE=LEVEL')
  const fault = levelFault(code, rules)
  if (fault) throw new Refusal(`--rule: ${fault.message}`, fault.help)
  return [code, choice('--rule', level, levels)]
}
