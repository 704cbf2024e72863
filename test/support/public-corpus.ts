import { readdirSync, readFileSync } from 'node:fs'
import type { QuestionJson, WorldJson } from './worlds.ts'

/** The public corpus in conformance/cases, as its README describes it. */

export type AskedJson = QuestionJson & {
  readonly expected: { readonly verdict: string; readonly missing?: readonly string[]; readonly notes?: readonly string[] }
}
export interface CorpusCase {
  readonly name: string
  readonly tests: string
  readonly world?: Partial<WorldJson>
  readonly files?: readonly { readonly name: string; readonly lines: readonly string[] }[]
  readonly questions?: readonly AskedJson[]
  readonly before?: Partial<WorldJson>
  readonly after?: Partial<WorldJson>
  readonly expected?: { readonly refused: true } | { readonly new: boolean; readonly example?: QuestionJson }
}
export interface CorpusFile {
  readonly version: string
  readonly section: string
  readonly cases: readonly CorpusCase[]
}

const folder = new URL('../../conformance/cases/', import.meta.url)

/** The files of the corpus by their names. */
export const corpusFiles = (): ReadonlyMap<string, CorpusFile> =>
  new Map(
    readdirSync(folder)
      .sort()
      .map((name) => [name, JSON.parse(readFileSync(new URL(name, folder), 'utf8'))]),
  )

/** All of its cases. */
export const corpusCases = (): readonly CorpusCase[] => [...corpusFiles().values()].flatMap(({ cases }) => cases)
