import { expect, test } from 'vitest'
import cases from './edits-table.json' with { type: 'json' }
import { edited } from './support/edited.ts'

test.each(cases)('$edit in $text', ({ text, edit, becomes }) => {
  expect(edited(text, edit) ?? null).toBe(becomes)
})
