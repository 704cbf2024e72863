import type { Settings } from '../names.ts'
import type { Notation } from '../source.ts'
import type { Packed } from './pack.ts'

/** The input with which the engine of a page answers as the commands do: texts and configuration, as plain JSON. */
export interface EngineInput {
  readonly settings: Settings
  /** Milliseconds since 1970: the instant of questions that name none. */
  readonly now: number
  readonly sources: readonly GivenSource[]
  /** Profiles of files, which refer to them by number. */
  readonly profiles: readonly GivenProfile[]
  readonly ignores: readonly IgnoreInput[]
  /** The text of the catalogue that the configuration names. */
  readonly catalogue?: string
}

/** One text that was read. */
export interface GivenSource {
  readonly path: string
  readonly text: string
  readonly notation: Notation
  /** Its number among the profiles. */
  readonly profile: number
  /** From the top of the repository, with `/`; without it, `path` is used in patches. */
  readonly place?: string
  /** The parsed content, where the engine does not read its notation; and the reason why it cannot be edited. */
  readonly read?: { readonly packed: Packed; readonly why: string }
}

/** Levels and options of rules. */
export interface GivenProfile {
  readonly levels: readonly (readonly [code: string, level: string])[]
  readonly options: readonly (readonly [code: string, options: Readonly<Record<string, unknown>>])[]
  readonly named: readonly string[]
}

/** An entry under `ignores` of a configuration. */
export interface IgnoreInput {
  /** The entry as it was read. */
  readonly packed: Packed
  /** The files that it is about, and the codes that its use is judged by. */
  readonly about: readonly string[]
  readonly judged: readonly string[]
}

/** The input within the data of a page, which already holds the texts: sources refer to them by number. */
export interface PageGiven extends Omit<EngineInput, 'sources'> {
  readonly sources: readonly (Omit<GivenSource, 'path' | 'text' | 'notation'> & { readonly file: number })[]
}

type Files = readonly (Pick<GivenSource, 'path' | 'text' | 'notation'> & { readonly isBefore?: true })[]

export function withoutTexts(input: EngineInput, files: Files): PageGiven {
  const numbers = new Map(files.flatMap(({ path, isBefore }, i) => (isBefore ? [] : [[path, i] as const])))
  return {
    ...input,
    sources: input.sources.map(({ path, text: _, notation: __, ...rest }) => ({ ...rest, file: numbers.get(path) as number })),
  }
}

export function withTexts(pageGiven: PageGiven, files: Files): EngineInput {
  return {
    ...pageGiven,
    sources: pageGiven.sources.map(({ file, ...rest }) => {
      const { path, text, notation } = files[file] as Files[number]
      return { path, text, notation, ...rest }
    }),
  }
}
