import { expect, test } from 'vitest'
import { type Assumption, assumedOnce, isOpen } from '../src/coverage.ts'

const module: Assumption = { kind: 'module', what: 'module.iam', why: 'its files are not here', matters: true, inWorld: true }

test('an assumption that is made twice counts once, and as the more serious one', () => {
  const open: Assumption = { kind: 'module', what: 'module.iam', why: 'its files are not here', matters: true }
  const idle: Assumption = { ...open, matters: false }
  const other: Assumption = { ...module, what: 'module.web' }
  expect(assumedOnce([idle, other, module])).toEqual([module, other])
  expect(assumedOnce([module, open, other])).toEqual([open, other])
  expect(assumedOnce([open, module, idle])).toEqual([open])
})

test('what is in the world as unknown is not open, nor what changes no answer', () => {
  expect(isOpen(module)).toBe(false)
  expect(isOpen({ ...module, matters: false })).toBe(false)
  expect(isOpen({ kind: 'module', what: 'module.iam', why: 'its files are not here', matters: true })).toBe(true)
})
