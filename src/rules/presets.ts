import type { RuleCode } from '../codes.ts'
import type { OwnCode, Severity } from '../diagnostic.ts'
import { rules } from './index.ts'
import { type Preset, presets, type Rule } from './rule.ts'

/** Whether a rule is on in a preset: each preset holds the ones before it. */
export function isInPreset(preset: Preset, rule: Pick<Rule, 'preset'>): boolean {
  return presets.indexOf(rule.preset ?? 'recommended') <= presets.indexOf(preset)
}

/** The rules that are on in a preset, sorted by code. */
export function rulesOf(preset: Preset): readonly Rule[] {
  return rules.filter((rule) => isInPreset(preset, rule))
}

/**
 * The level of every rule in a preset: its own, or `off` for those beyond it. `own`: rules other than the built-in ones. Throws a
 * `RangeError` for another word: with no rule on, every text would be clean.
 */
export function levelsOf(preset: Preset, own: readonly Rule[] = []): ReadonlyMap<RuleCode | OwnCode, Severity | 'off'> {
  if (!presets.includes(preset)) throw new RangeError(`unknown preset \`${preset}\`: expected ${presets.join(', ')}`)
  return new Map([...rules, ...own].map((rule) => [rule.code, isInPreset(preset, rule) ? rule.severity : 'off']))
}
