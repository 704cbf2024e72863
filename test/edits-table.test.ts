import { expect, test } from 'vitest'
import cases from './edits-table.json' with { type: 'json' }
import { edited } from './support/edited.ts'

interface Case {
  readonly text: string
  readonly edit: string
  readonly becomes: string | null
  readonly path?: string
  readonly beside?: string
}

test.each<Case>(cases)('$edit in $text', ({ text, edit, becomes, ...place }) => {
  expect(edited(text, edit, place) ?? null).toBe(becomes)
})
