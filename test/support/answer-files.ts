import { readFileSync } from 'node:fs'

export type Tables = ReadonlyMap<string, ReadonlyMap<string, string>>

const { answerTables } = (await import(new URL('answer-tables.mjs', import.meta.url).href)) as {
  readonly answerTables: (text: string) => Tables
}

/** The tables of a file in the notation of `answer-tables.mjs`. */
export const answersIn = (file: URL): Tables => answerTables(readFileSync(file, 'utf8'))
