import { expect, test } from 'vitest'
import { answer, messagesOf, notice, safeText, truncateResult } from '../../src/mcp/answer.ts'

test('a result that is short is as it is, with its strings made safe', () => {
  const value = { a: [1, null, true, 'x\n\u202ey'], '\u001b': {} }
  expect(truncateResult(value, 10)).toEqual({ value: { a: [1, null, true, 'x\n\\u{202e}y'], '\\u{1b}': {} }, folded: [] })
})

test('long lists and strings are cut, and it is said where; of a diff more is kept', () => {
  const [text, diff] = ['a'.repeat(5000), 'b'.repeat(50_000)]
  const { value, folded } = truncateResult({ 'a/b~c': [text, 2, 3], diff, deeper: { diff: `${diff}b` } }, 2)
  expect(value).toEqual({ 'a/b~c': [`${text.slice(0, 4095)}…`, 2], diff, deeper: { diff: `${diff.slice(1)}…` } })
  expect(folded).toEqual([
    { at: '/a~1b~0c', shown: 2, of: 3 },
    { at: '/a~1b~0c/0', shown: 4095, of: 5000 },
    { at: '/deeper/diff', shown: 49_999, of: 50_001 },
  ])
})

test('of a result that is too long the strings are cut before the lists', () => {
  const many = (count: number, length: number) => Array.from({ length: count }, () => 'x'.repeat(length))
  const strings = truncateResult(many(100, 4000), 100)
  expect((strings.value as string[]).map(({ length }) => length)).toEqual(many(100, 1).map(() => 1024))
  const lists = truncateResult(many(10_000, 128), 10_000)
  expect([(lists.value as string[]).length, (lists.value as string[])[0]?.length, lists.folded[0]]).toEqual([
    1250,
    128,
    { at: '', shown: 1250, of: 10_000 },
  ])
})

test('messages are lines without the name of the program, the first ones and the number of others', () => {
  const stderr = 'grantwise: note: a\n\n  help: b \ngrantwise: c\u001b\n'
  expect(messagesOf(stderr, 9)).toEqual(['note: a', 'help: b', 'c\\u{1b}'])
  expect(messagesOf(stderr, 2)).toEqual(['note: a', 'help: b', '1 more message'])
  expect(messagesOf(`grantwise: ${'a'.repeat(2000)}`, 1)[0]).toBe(`${'a'.repeat(999)}…`)
})

test('what is quoted is behind marks, and what does not fit is counted', () => {
  const rest = { meaning: 'fine', result: null, messages: ['note: one', 'two'], folded: [] }
  const lines = (exitCode: number, body: string) => answer('lint', body, { exitCode, ...rest }).content[0]?.text.split('\n')
  expect(lines(0, 'a\n  b\n\n')).toEqual(['lint: fine (exit code 0)', notice, '| a', '|   b', '| note: one', '| note: two'])
  expect(lines(2, '')).toEqual(['lint: fine (exit code 2)', notice, '| note: one', '| two'])
  const long = lines(0, 'x\n'.repeat(40))
  expect([long?.length, long?.at(-1)]).toEqual([40, '(5 more lines: see the structured content, or ask for less)'])
  expect(lines(0, 'y'.repeat(500))?.[2]).toBe(`| ${'y'.repeat(399)}…`)
  expect(answer('a', '', { exitCode: 2, ...rest }).isError).toBe(true)
  expect(answer('a', '', { exitCode: 1, ...rest }).isError).toBeUndefined()
  expect(safeText('a\u202e\nb')).toBe('a\\u{202e}\nb')
})
