import { describe, expect, test } from 'vitest'
import rows from './markdown-table.json' with { type: 'json' }
import { markdownLines } from './support/markdown-lines.ts'

// Every fence with its place, its lines, the comment about it, and all that is read of it and found in it.
describe('a text of Markdown', () => {
  test.each(rows)('$text', async ({ text, lines }) => {
    expect(await markdownLines(text)).toEqual(lines)
  })
})
