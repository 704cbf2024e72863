import { expect, test } from 'vitest'
import { declaredLines } from '../support/read-lines.ts'
import table from './declared-table.json' with { type: 'json' }

const rows = table as unknown as readonly { readonly path?: string; readonly text: string; readonly lines: readonly string[] }[]

// What is read of plans, previews, manifests and bodies of programs, each with its place.
test.each(rows)('$path: $text', async ({ path = 'a.yaml', text, lines }) => {
  expect(await declaredLines(path, text)).toEqual(lines)
})
