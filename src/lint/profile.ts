import type { Code, Diagnostic, Severity } from '../diagnostic.ts'
import { ruleContext } from '../rules/context.ts'
import { rules } from '../rules/index.ts'
import { isInPreset, levelsOf } from '../rules/presets.ts'
import type { Preset, Rule } from '../rules/rule.ts'
import type { Span } from '../source.ts'
import type { Level, LintConfig, RuleLevel } from './config.ts'
import type { RuleMemo } from './remembered.ts'
import { type Levels, lint } from './run.ts'

/** The settings for some files. */
export interface Profile {
  /** Of every rule. */
  readonly levels: Levels
  readonly options: ReadonlyMap<string, Readonly<Record<string, unknown>>>
  /** The rules whose level is set by name, and not by a preset alone. */
  readonly named?: ReadonlySet<string>
  /** Where a configuration does so. */
  readonly places?: ReadonlyMap<string, Span>
}

/** The levels on the command line. */
export interface GivenLevels {
  readonly preset: Preset | undefined
  readonly rules: ReadonlyMap<string, Level>
  /** Options of rules, each over that of configurations. */
  readonly options?: Profile['options']
  /** The only rules that are on, as far as rules can be switched off; undefined: all. */
  readonly only?: SelectedRules
}

/** Rules that were selected: each, and those of them that are selected by their own names, not by that of a group. */
export interface SelectedRules {
  readonly all: ReadonlySet<string>
  readonly byName: ReadonlySet<string>
}

/** Whether a rule is one of the readers, whose findings are reported independent of the selected rules. */
const isReader = (code: string) => rules.some((rule) => rule.code === code && 'reader' in rule)

/**
 * The settings of a configuration for the files that some of its overrides match. The precedence: the command line, overrides
 * from the last to the first, the rules of the configuration, the preset. A rule that is selected by name is on unless an
 * override or the command line switches it off.
 */
export function profileOf(
  { layers, overrides, guardrails = [], ownRules = [] }: LintConfig,
  matching: readonly boolean[],
  givenLevels: GivenLevels,
): Profile {
  const levels = new Map<string, Level>()
  const options = new Map<string, Readonly<Record<string, unknown>>>()
  const named = new Set<string>()
  const places = new Map<string, Span>()
  const start = (preset: Preset) => {
    levels.clear()
    named.clear()
    places.clear()
    for (const [code, level] of levelsOf(preset)) levels.set(code, level)
    for (const rule of ownRules) levels.set(rule.code, isInPreset(preset, rule) ? rule.severity : 'off')
  }
  const add = (rules: readonly RuleLevel[]) => {
    for (const { code, level, options: ruleOptions } of rules) {
      levels.set(code.value, level)
      named.add(code.value)
      places.set(code.value, code.span)
      if (ruleOptions) options.set(code.value, ruleOptions.value)
    }
  }
  start(givenLevels.preset ?? 'recommended')
  for (const layer of layers) {
    if (layer.rules) add(layer.rules)
    else if (givenLevels.preset === undefined) start(layer.preset)
  }
  for (const { code, severity } of [...rules, ...ownRules, ...guardrails.map(({ code, severity }) => ({ code: code.value, severity }))])
    if (givenLevels.only?.all.has(code) && levels.get(code) === 'off') levels.set(code, severity)
  for (const [i, { rules }] of overrides.entries()) if (matching[i]) add(rules)
  for (const [code, level] of givenLevels.rules) {
    levels.set(code, level)
    named.add(code)
  }
  if (givenLevels.only) {
    const { all, byName } = givenLevels.only
    const others = [...levels.keys(), ...guardrails.map(({ code }) => code.value)].filter((code) => !all.has(code) && !isReader(code))
    for (const code of others) levels.set(code, 'off')
    for (const code of others) named.delete(code)
    for (const code of byName) named.add(code)
  }
  for (const [code, ownOptions] of givenLevels.options ?? []) options.set(code, { ...options.get(code), ...ownOptions })
  return { levels, options, named, places }
}

/**
 * Findings at the levels that hold for each file, with those of the readers. The rules run once for all files, each rule
 * that is on for some of them; a rule with other options for other files runs once for each. `context`: what rules know
 * independent of their options.
 */
export function lintByProfile(
  rules: readonly Rule[],
  files: readonly string[],
  read: readonly Diagnostic[],
  profileOf: (path: string) => Profile,
  context: Parameters<typeof ruleContext>[0],
  remembered?: RuleMemo,
): readonly Diagnostic[] {
  const all = [...new Set(files.map(profileOf))]
  if (all.length <= 1) {
    const only = all[0] ?? { levels: new Map(), options: new Map() }
    return lint(rules, ruleContext(context, only.options), read, only.levels, remembered)
  }
  const optionsKey = (profile: Profile, code: string) => JSON.stringify(profile.options.get(code) ?? null)
  const running = rules.filter(({ code }) => all.some(({ levels }) => levels.get(code) !== 'off'))
  const severities = new Map<Code, Severity>(running.map(({ code, severity }) => [code, severity]))
  const done = new Map<Code, Set<string>>(running.map(({ code }) => [code, new Set<string>()]))
  const readCodes = new Set(read)
  const out: Diagnostic[] = [...read]
  for (const profile of all) {
    // The rules whose options here were not tried yet, for those files for which they are the same.
    const fresh = running.filter(({ code }) => !done.get(code)?.has(optionsKey(profile, code)))
    for (const finding of lint(fresh, ruleContext(context, profile.options), read, severities, remembered)) {
      if (readCodes.has(finding)) continue
      const { code, span } = finding
      const here = profileOf(span.source.path)
      const level = here.levels.get(code)
      if (level === 'off' || optionsKey(here, code) !== optionsKey(profile, code)) continue
      out.push(level === undefined || level === severities.get(code) ? finding : { ...finding, severity: level })
    }
    for (const { code } of fresh) done.get(code)?.add(optionsKey(profile, code))
  }
  return out
}
