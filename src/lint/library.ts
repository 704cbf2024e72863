import { loadCatalogue } from '../actions/load.ts'
import type { Diagnostic } from '../diagnostic.ts'
import { defaultSettings, type Settings } from '../names.ts'
import { exampleNotationOf } from '../parser/tree.ts'
import { levelsOf } from '../rules/presets.ts'
import type { Preset, Rule } from '../rules/rule.ts'
import { beginsWithBlock, type Position, position, sourceOf } from '../source.ts'
import type { ReadFiles } from '../sources/files.ts'
import { type ReadOptions, readSources as readWith } from '../sources/read.ts'
import { allReaders } from '../sources/readers.ts'
import { type FixedFiles, type FixOptions, fixFiles as fixWith } from './fix-files.ts'
import { type LintRun, lintFiles } from './lint-files.ts'
import type { FixLevel } from './may-fix.ts'

/** Read sources of every notation to all that they say together. See `readSources` in `src/sources/read.ts`. */
export function readSources(given: Parameters<typeof readWith>[0], settings: Settings, options: ReadOptions = {}): Promise<ReadFiles> {
  return readWith(given, settings, allReaders, options)
}

/** Fix what may be fixed in files of every notation. See `fixFiles` in `fix-files.ts`. */
export function fixFiles(run: LintRun, level: FixLevel = 'safe', options: Omit<FixOptions, 'readers'> = {}): Promise<FixedFiles> {
  return fixWith(run, level, { ...options, readers: allReaders })
}

/** How a text is linted by `lintText`. */
export interface LintTextOptions {
  /** The name of its file, which says its notation; without it, the beginning of the text does: a bracket of JSON, a block of HCL, or YAML. */
  readonly path?: string
  /** `recommended` unless it is given. Rejects with a `RangeError` for a word that is no preset. */
  readonly preset?: Preset
  /** Rules other than the built-in ones, at the levels that they have themselves. */
  readonly rules?: readonly Rule[]
  readonly settings?: Settings
  /** Milliseconds since 1970. Without it no date has passed, since the library asks no clock, and rules about how far one is off are `off`. */
  readonly now?: number
}

/** Rules that find something at any instant, by the time that is left until a date or a change of the clocks. */
const rulesOfNow = ['clock-change-hour', 'expires-too-late'] as const

/** The name of a file for a text that has none. */
function nameFor(text: string): string {
  if (/^\s*[[{]/.test(text)) return 'policy.json'
  return beginsWithBlock(text) ? 'policy.tf' : 'policy.yaml'
}

/** A finding with its place, counted from 1 in lines and UTF-16 code units. */
export type TextFinding = Diagnostic & { readonly start: Position; readonly end: Position }

/**
 * Lint a text as `grantwise lint` lints a file that has nothing around it: no configuration, no other policies. Findings are sorted by
 * place. A text that cannot be read has findings too. It rejects only for an unknown preset, and with what a rule of `rules` throws.
 */
export async function lintText(text: string, options: LintTextOptions = {}): Promise<readonly TextFinding[]> {
  const { path = nameFor(text), preset = 'recommended', settings = defaultSettings } = options
  const { now, rules: ownRules = [] } = options
  const levels = new Map(levelsOf(preset, ownRules))
  if (now === undefined) for (const code of rulesOfNow) levels.set(code, 'off')
  const files = await readSources([{ source: sourceOf(path, text, exampleNotationOf(path)), isNamed: true }], settings)
  const catalogue = await loadCatalogue(settings.brand)
  const profile = { levels, options: new Map() }
  const { findings } = lintFiles({ files, catalogue, settings, now: now ?? Number.NEGATIVE_INFINITY, ownRules, profileOf: () => profile })
  return findings.map((finding) => {
    const { source, start, end } = finding.span
    return { ...finding, start: position(source, start), end: position(source, end) }
  })
}
