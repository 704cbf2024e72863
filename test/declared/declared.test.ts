import { describe } from 'vitest'
import { testCases } from '../support/cases.ts'
import { declaredLines } from '../support/read-lines.ts'

// Facts that are read of plans, previews, manifests and bodies of programs, each with its place.
describe('a text of a tool', () => {
  testCases(new URL('declared.cases', import.meta.url), (text, { path = 'a.yaml' }) => declaredLines(path, text))
})
