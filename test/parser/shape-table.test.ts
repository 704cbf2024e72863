import { describe, expect, test } from 'vitest'
import { shapeLines } from '../support/read-lines.ts'
import rows from './shape-table.json' with { type: 'json' }

// Every problem with its place, its help and its fix, by each of the schemas.
describe('the shape of a document', () => {
  test.each(rows)('$shape: $text', ({ shape, text, lines }) => {
    expect(shapeLines(shape, text)).toEqual(lines)
  })
})
