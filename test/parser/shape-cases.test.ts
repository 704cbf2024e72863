import { describe } from 'vitest'
import { testCases } from '../support/cases.ts'
import { shapeLines } from '../support/read-lines.ts'

// Every problem with its place, its help and its fix, by each of the schemas.
describe('the shape of a document', () => {
  testCases(new URL('shape.cases', import.meta.url), (text, { shape = '' }) => shapeLines(shape, text))
})
