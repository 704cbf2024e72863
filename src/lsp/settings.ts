import { type Level, levels } from '../lint/config.ts'
import { type Preset, presets } from '../rules/rule.ts'

/** The settings of an editor, as `grantwise.NAME`. Everything else is in the configuration, for the command line as well. */
export interface EditorSettings {
  /** The configuration file in place of the nearest one; false for none. */
  readonly config: string | false | undefined
  /** A baseline, as `--baseline`. */
  readonly baseline: string | undefined
  /** As `--preset`. */
  readonly preset: Preset | undefined
  /** As `--rule`. */
  readonly rules: Readonly<Record<string, Level>>
  /** As `--fences`: Markdown in folders is looked at as well. */
  readonly fences: boolean
  /** As `--no-suppressions` where it is false. */
  readonly suppressions: boolean
  readonly inlayHints: boolean
  readonly codeLens: boolean
  /** Hints that say since when each entry of a policy has its effect. */
  readonly blame: boolean
  /** Formats a text when it is saved, for editors that have no such setting themselves. */
  readonly formatOnSave: boolean
}

export const usualSettings: EditorSettings = {
  config: undefined,
  baseline: undefined,
  preset: undefined,
  rules: {},
  fences: false,
  suppressions: true,
  inlayHints: true,
  codeLens: true,
  blame: false,
  formatOnSave: false,
}

const isText = (value: unknown) => typeof value === 'string' && value !== ''
const isFlag = (value: unknown) => typeof value === 'boolean'
const isLevels = (value: unknown) =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((each) => levels.includes(each as Level))

/** For each setting: what it may be, and that in words. */
const fields: Readonly<Record<keyof EditorSettings, readonly [fits: (value: unknown) => boolean, words: string]>> = {
  config: [(value) => value === false || isText(value), 'the path of a file, or false'],
  baseline: [isText, 'the path of a file'],
  preset: [(value) => presets.includes(value as Preset), presets.map((each) => `\`${each}\``).join(', ')],
  rules: [isLevels, `levels of rules: ${levels.map((each) => `\`${each}\``).join(', ')}`],
  fences: [isFlag, 'true or false'],
  suppressions: [isFlag, 'true or false'],
  inlayHints: [isFlag, 'true or false'],
  codeLens: [isFlag, 'true or false'],
  blame: [isFlag, 'true or false'],
  formatOnSave: [isFlag, 'true or false'],
}

/** Settings as an editor gives them. What is wrong is left at its default, and is among the problems. */
export function readSettings(rawSettings: unknown): { readonly settings: EditorSettings; readonly problems: readonly string[] } {
  const problems: string[] = []
  if (rawSettings === undefined || rawSettings === null) return { settings: usualSettings, problems }
  if (typeof rawSettings !== 'object' || Array.isArray(rawSettings))
    return { settings: usualSettings, problems: ['the settings are no object'] }
  const settings: Record<string, unknown> = { ...usualSettings }
  for (const [name, [fits, words]] of Object.entries(fields)) {
    const value = (rawSettings as Record<string, unknown>)[name]
    // Editors send null, or an empty text, for what is not set.
    if (value === undefined || value === null || value === '') continue
    if (fits(value)) settings[name] = value
    else problems.push(`the setting \`grantwise.${name}\` is not used: expected ${words}`)
  }
  return { settings: settings as unknown as EditorSettings, problems }
}
