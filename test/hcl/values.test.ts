import { expect, test } from 'vitest'
import { resultOf, wholeValue } from '../support/hcl-value.ts'
import cases from './values.json' with { type: 'json' }

test.each(cases as [string, string][])('all of the value of `%s`', (expression, value) => {
  expect(wholeValue(resultOf(expression))).toBe(value)
})
