import { pathFrom } from '../hcl/paths.ts'
import type { Span } from '../source.ts'
import type { FileTest, Ignore, LintConfig, Patterns } from './config.ts'
import { ownRulesOf } from './config-problems.ts'
import { baseOf, fileTest } from './globs.ts'
import type { ConditionWords } from './guardrail-words.ts'
import type { LintRun } from './lint-files.ts'
import { type GivenLevels, type Profile, profileOf } from './profile.ts'
import type { IgnoreEntry } from './suppress.ts'

/** The configurations of a run. */
export interface Configurations {
  readonly all: () => readonly LintConfig[]
  /** That of a file, as shown to users. */
  readonly of: (path: string) => LintConfig
}

export interface ApplyOptions {
  /** The folder that the shown paths of files are relative to; '' where the paths of configurations are relative to the same. */
  readonly cwd?: string
  /** Levels with precedence over those of configurations. */
  readonly given?: GivenLevels
  /** Whether a file, or all of a folder, was looked at: entries of `ignores` about anything else are not called unused. */
  readonly covers?: (path: string) => boolean
  /** Whether all policies are read, so that what nothing grants is not granted; by default they are. */
  readonly isWhole?: boolean
  /** Conditions in words, for findings of guardrails. */
  readonly words?: ConditionWords
}

/** The effect of configurations on files, given by their paths as shown to users. */
export async function applyConfigurations(
  { all, of }: Configurations,
  files: readonly string[],
  { cwd = '', given = { preset: undefined, rules: new Map() }, covers = () => true, isWhole, words }: ApplyOptions = {},
): Promise<Required<Pick<LintRun, 'profileOf' | 'ignores' | 'ownRules'>>> {
  const isFile = await fileTest(cwd, all())
  const profileOf = profiles(of, all(), given, isFile)
  const isOn = (code: string, path: string) => profileOf(path).levels.get(code) !== 'off'
  const isLookedAt = ({ folder, patterns }: Patterns) => patterns.every((pattern) => covers(pathFrom(folder, baseOf(pattern))))
  const reading = all().some((config) => config.guardrails) ? await import('./guardrails.ts') : undefined
  const guardrails = reading?.guardrailRules(all(), of, { words, ...(isWhole !== undefined && { isWhole }) }) ?? []
  const moduleRules = all().some((config) => config.ownRules) ? (await import('./rule-modules.ts')).rulesOfConfigurations(all(), of) : []
  return {
    ownRules: [...guardrails, ...moduleRules],
    profileOf,
    ignores: ignoreEntries(all(), of, files, isOn, isLookedAt, isFile),
  }
}

/** The profile of each file, as shown to users: files with the same settings share one. */
function profiles(
  configOf: (path: string) => LintConfig,
  configs: readonly LintConfig[],
  givenLevels: GivenLevels,
  isFile: FileTest,
): (path: string) => Profile {
  const codesOf = (some: readonly LintConfig[]) => ownRulesOf(some).map(({ code }) => code)
  const ownCodes = codesOf(configs)
  /** Guardrails and rules of modules that only other configurations have are off. */
  const withoutOthers = (profile: Profile, config: LintConfig): Profile => {
    const configured = new Set(codesOf([config]))
    const others = ownCodes.filter((code) => !configured.has(code))
    return others.length === 0
      ? profile
      : { ...profile, levels: new Map([...profile.levels, ...others.map((code) => [code, 'off'] as const)]) }
  }
  const byConfig = new Map<LintConfig, Map<string, Profile>>()
  return (path) => {
    const config = configOf(path)
    const ofConfig = byConfig.get(config) ?? new Map<string, Profile>()
    byConfig.set(config, ofConfig)
    const matching = config.overrides.map((override) => isFile(path, override.files))
    const key = matching.map(Number).join('')
    const profile = ofConfig.get(key) ?? withoutOthers(profileOf(config, matching, givenLevels), config)
    ofConfig.set(key, profile)
    return profile
  }
}

/**
 * The `ignores` of configurations, tied to the files of a run. `isLookedAt`: whether all that patterns may match was looked at;
 * an entry about anything else is not called unused.
 */
function ignoreEntries(
  configs: readonly LintConfig[],
  configOf: (path: string) => LintConfig,
  files: readonly string[],
  isOn: (code: string, path: string) => boolean,
  isLookedAt: (patterns: Patterns) => boolean,
  isFile: FileTest,
): readonly IgnoreEntry[] {
  const entries = new Map<Span, Map<string, IgnoreEntry>>()
  for (const ignore of configs.flatMap(({ ignores }) => ignores)) {
    // One that several configurations extend is one entry, about the files of each of them; that of a package is one for each folder.
    const { folder } = ignore.files
    const isSame = (other: Ignore) => other.span === ignore.span && other.files.folder === folder
    const isAbout = (path: string) => configOf(path).ignores.some(isSame) && isFile(path, ignore.files)
    let about: readonly string[] | undefined
    const entry: IgnoreEntry = {
      ...ignore,
      isAbout,
      isJudged: (code) => {
        if (ignore.isShared || !isLookedAt(ignore.files)) return false
        about ??= files.filter(isAbout)
        return about.length === 0 || about.some((path) => isOn(code, path))
      },
    }
    entries.set(ignore.span, (entries.get(ignore.span) ?? new Map<string, IgnoreEntry>()).set(folder, entry))
  }
  return [...entries.values()].flatMap((byFolder) => [...byFolder.values()])
}
