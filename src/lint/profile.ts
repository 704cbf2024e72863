import type { Code, Diagnostic, Severity } from '../diagnostic.ts'
import { nearest } from '../nearest.ts'
import { levelsOf } from '../rules/presets.ts'
import type { Preset, Rule, RuleContext } from '../rules/rule.ts'
import { checkOptions } from '../rules/support/options.ts'
import type { Located, Span } from '../source.ts'
import type { FileTest, Level, LintConfig, Patterns, RuleLevel } from './config.ts'
import { type Levels, lint } from './run.ts'
import { type IgnoreEntry, suppressionFault } from './suppress.ts'

/** Why the level of a code cannot be set, in words; undefined when it can. */
export function levelFault(code: string, rules: readonly Rule[]): { readonly message: string; readonly help?: string } | undefined {
  const rule = rules.find((each) => each.code === code)
  if (rule) return 'reader' in rule.check ? { message: `\`${code}\` is found while reading and cannot be given another level` } : undefined
  const near = nearest(
    code,
    rules.map((each) => each.code),
  )
  return { message: `unknown rule \`${code}\``, help: near ? `did you mean \`${near}\`?` : '`grantwise rules` lists them' }
}

/** What is wrong with the rules that configurations name, and with the options they give them. */
export function configProblems(configs: readonly LintConfig[], rules: readonly Rule[]): readonly Diagnostic[] {
  const problem = (span: Span, fault: { readonly message: string; readonly help?: string }): Diagnostic => ({
    code: 'config',
    severity: 'error',
    span,
    message: fault.message,
    ...(fault.help !== undefined && { help: fault.help }),
  })
  const ofRule = ({ code, options }: RuleLevel): readonly Diagnostic[] => {
    const fault = levelFault(code.value, rules)
    if (fault) return [problem(code.span, fault)]
    const rule = rules.find((each) => each.code === code.value)
    if (!options || !rule) return []
    return checkOptions(rule, options.value).map((each) => {
      const entry = options.node.kind === 'map' ? options.node.entries.find(({ key }) => key.value === each.name) : undefined
      return problem(entry?.key ?? options.node, each)
    })
  }
  const ofIgnore = (code: Located<string>) => {
    const fault = suppressionFault(code.value, rules)
    return fault ? [problem(code.span, fault)] : []
  }
  const problems = configs.flatMap(({ layers, overrides, ignores }) => [
    ...layers.flatMap((layer) => layer.rules ?? []).flatMap(ofRule),
    ...overrides.flatMap((override) => override.rules).flatMap(ofRule),
    ...ignores.flatMap((ignore) => ignore.codes).flatMap(ofIgnore),
  ])
  // What several configurations extend is one problem.
  return problems.filter(({ span }, i) => problems.findIndex((each) => each.span === span) === i)
}

/** What holds for some files. */
export interface Profile {
  /** Of every rule. */
  readonly levels: Levels
  readonly options: ReadonlyMap<string, Readonly<Record<string, unknown>>>
}

/** What the command line says about levels. */
export interface GivenLevels {
  readonly preset: Preset | undefined
  readonly rules: ReadonlyMap<string, Level>
}

/** The profile of each file, as shown to people: files for which the same holds have the same one. */
export function profiles(configOf: (path: string) => LintConfig, given: GivenLevels, isFile: FileTest): (path: string) => Profile {
  const known = new Map<LintConfig, Map<string, Profile>>()
  return (path) => {
    const config = configOf(path)
    const ofConfig = known.get(config) ?? new Map<string, Profile>()
    known.set(config, ofConfig)
    const matching = config.overrides.map((override) => isFile(path, override.files))
    const key = matching.map(Number).join('')
    const profile = ofConfig.get(key) ?? profileOf(config, matching, given)
    ofConfig.set(key, profile)
    return profile
  }
}

/**
 * What a configuration says for the files that some of its overrides match. The command line stands before overrides,
 * later ones before earlier, these before the rules of the configuration, and those before the preset.
 */
function profileOf({ layers, overrides }: LintConfig, matching: readonly boolean[], given: GivenLevels): Profile {
  const levels = new Map<string, Level>()
  const options = new Map<string, Readonly<Record<string, unknown>>>()
  const start = (preset: Preset) => {
    levels.clear()
    for (const [code, level] of levelsOf(preset)) levels.set(code, level)
  }
  const add = (rules: readonly RuleLevel[]) => {
    for (const { code, level, options: own } of rules) {
      levels.set(code.value, level)
      if (own) options.set(code.value, own.value)
    }
  }
  start(given.preset ?? 'recommended')
  for (const layer of layers) {
    if (layer.rules) add(layer.rules)
    else if (given.preset === undefined) start(layer.preset)
  }
  for (const [i, { rules }] of overrides.entries()) if (matching[i]) add(rules)
  for (const [code, level] of given.rules) levels.set(code, level)
  return { levels, options }
}

/**
 * Findings at the levels that hold for each file, with those of the readers. The rules run once for all files, each rule
 * that is on for some of them; a rule with other options for other files runs once for each. `context` makes what rules
 * know from their options.
 */
export function lintByProfile(
  rules: readonly Rule[],
  files: readonly string[],
  read: readonly Diagnostic[],
  profileOf: (path: string) => Profile,
  context: (options: Profile['options']) => RuleContext,
): readonly Diagnostic[] {
  const all = [...new Set(files.map(profileOf))]
  if (all.length <= 1) {
    const only = all[0] ?? { levels: new Map(), options: new Map() }
    return lint(rules, context(only.options), read, only.levels)
  }
  const optionsKey = (profile: Profile, code: string) => JSON.stringify(profile.options.get(code) ?? null)
  const running = rules.filter(({ code }) => all.some(({ levels }) => levels.get(code) !== 'off'))
  const own = new Map<Code, Severity>(running.map(({ code, severity }) => [code, severity]))
  const done = new Map<Code, Set<string>>(running.map(({ code }) => [code, new Set<string>()]))
  const known = new Set(read)
  const out: Diagnostic[] = [...read]
  for (const profile of all) {
    // The rules whose options here were not tried yet, for those files for which they are the same.
    const fresh = running.filter(({ code }) => !done.get(code)?.has(optionsKey(profile, code)))
    for (const finding of lint(fresh, context(profile.options), read, own)) {
      if (known.has(finding)) continue
      const { code, span } = finding
      const here = profileOf(span.source.path)
      const level = here.levels.get(code)
      if (level === 'off' || optionsKey(here, code) !== optionsKey(profile, code)) continue
      out.push(level === undefined || level === own.get(code) ? finding : { ...finding, severity: level })
    }
    for (const { code } of fresh) done.get(code)?.add(optionsKey(profile, code))
  }
  return out
}

/**
 * The `ignores` of configurations, tied to the files of a run. `isLookedAt`: whether all that patterns may match was looked at;
 * an entry about anything else is not called unused.
 */
export function ignoreEntries(
  configs: readonly LintConfig[],
  configOf: (path: string) => LintConfig,
  files: readonly string[],
  isOn: (code: string, path: string) => boolean,
  isLookedAt: (patterns: Patterns) => boolean,
  isFile: FileTest,
): readonly IgnoreEntry[] {
  const entries = new Map<Span, IgnoreEntry>()
  for (const ignore of configs.flatMap(({ ignores }) => ignores)) {
    // One that several configurations extend is one entry, about the files of each of them.
    const isAbout = (path: string) => configOf(path).ignores.some(({ span }) => span === ignore.span) && isFile(path, ignore.files)
    let about: readonly string[] | undefined
    entries.set(ignore.span, {
      ...ignore,
      isAbout,
      isJudged: (code) => {
        if (!isLookedAt(ignore.files)) return false
        about ??= files.filter(isAbout)
        return about.length === 0 || about.some((path) => isOn(code, path))
      },
    })
  }
  return [...entries.values()]
}
