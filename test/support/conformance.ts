import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { QuestionJson, WorldJson } from './worlds.ts'

/**
 * Worlds and questions with the verdicts that the policy language demands, worked out by an evaluator of the same text in
 * another language. One line of the file is one world.
 */
export interface Line {
  readonly name: string
  readonly world: Partial<WorldJson>
  readonly queries: readonly (QuestionJson & { readonly id: string; readonly expect: string })[]
}

const file = new URL('../conformance/decisions.ndjson.gz', import.meta.url)

/** All of them. */
export const conformanceLines = (): readonly Line[] =>
  gunzipSync(readFileSync(file))
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
