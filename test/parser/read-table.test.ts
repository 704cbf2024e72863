import { describe, expect, test } from 'vitest'
import { defaultSettings, type Settings } from '../../src/names.ts'
import { readLines, worldLines } from '../support/read-lines.ts'
import table from './read-table.json' with { type: 'json' }

interface TextRow {
  readonly path?: string
  readonly text: string
  readonly settings?: Partial<Settings>
  readonly lines: readonly string[]
}

const { texts, worlds } = table as unknown as {
  readonly texts: readonly TextRow[]
  readonly worlds: readonly { readonly texts: readonly string[]; readonly lines: readonly string[] }[]
}

// Everything that is read of a text and found in it, each with its place: values in JSON and YAML, and `${…}` for what is not known.
describe('a text', () => {
  test.each(texts)('$text', async ({ path = 'a.yaml', text, settings, lines }) => {
    expect(await readLines(path, text, { ...defaultSettings, ...settings })).toEqual(lines)
  })
})

describe('the world of several texts', () => {
  test.each(worlds)('$texts', async ({ texts, lines }) => {
    expect(await worldLines(texts)).toEqual(lines)
  })
})
