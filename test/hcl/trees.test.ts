import { describe, expect, test } from 'vitest'
import { limits } from '../../src/hcl/tokens.ts'
import { partsOf, problemOf } from '../support/hcl-syntax.ts'
import problems from './problems.json' with { type: 'json' }
import trees from './trees.json' with { type: 'json' }

test.each(problems as [string, string | null][])('all that is wrong with %s', (text, problem) => {
  expect(problemOf(text) ?? null).toBe(problem)
})

test.each(trees)('the parts of $text', ({ text, parts }) => {
  expect(partsOf(text)).toBe(parts)
})

describe('limits', () => {
  test.each<[string, (size: number) => string, size: number, problem: string]>([
    [
      'the length of a file',
      (size) => `a = 1${' '.repeat(size - 5)}`,
      limits.length,
      '1:1 "" the file is longer than 1048576 characters, the most that is read of HCL (split it into several files)',
    ],
    [
      'brackets',
      (size) => `a = ${'['.repeat(size)}${']'.repeat(size)}`,
      limits.depth,
      '1:69 "[" more than 64 brackets and texts inside one another (name the inner parts with `locals`)',
    ],
    [
      'texts',
      (size) => `a = ${'"${'.repeat(size / 2)}b${'}"'.repeat(size / 2)}`,
      limits.depth,
      '1:101 "\\"" more than 64 brackets and texts inside one another (name the inner parts with `locals`)',
    ],
    [
      'operators of a line',
      (size) => `a = b${' + c'.repeat(size)}`,
      limits.chain,
      '1:1607 "+" more than 400 operators and steps in one expression (split it with `locals`)',
    ],
  ])('%s', (_, text, size, problem) => {
    expect(problemOf(text(size))).toBeUndefined()
    expect(problemOf(text(size + (_ === 'texts' ? 2 : 1)))).toBe(problem)
  })

  test('operators of one expression over all its lines', () => {
    const text = (size: number) => `a = (b${'\n + c'.repeat(size)})`
    expect(problemOf(text(limits.nested - 1))).toBeUndefined()
    expect(problemOf(text(limits.nested + 1))).toMatch(/^752:\d+ "[^"]*" more than 750 operators and steps/)
  })

  test('a comma, an assignment and a line break begin another expression', () => {
    const many = ` + c${' + c'.repeat(limits.chain - 1)}`
    expect(problemOf(`a = [b${many}, d${many}]`)).toBeUndefined()
    expect(problemOf(`a = b${many}\nd = b${many}`)).toBeUndefined()
    expect(problemOf(`a { d = b${many}\n}`)).toBeUndefined()
    expect(problemOf(`a = { b = c${many}, d = c${many} }`)).toBeUndefined()
  })

  test('words and signs', () => {
    const words = (size: number) => `a = [${'1,'.repeat(size / 2)}\n]`
    expect(problemOf(words(limits.tokens - 10))).toBeUndefined()
    // The last of them may be the one that is most.
    expect(problemOf(`${'a = 1\n'.repeat(limits.tokens / 4)}b`)).toMatch(/expected `=` or `{` after `b`/)
    expect(problemOf(words(limits.tokens + 10))).toMatch(/^1:\d+ "." more than 300000 words and signs/)
  })
})
