import { describe, expect, test } from 'vitest'
import { inLayout, layoutOf, mergedLayout, plain } from '../../src/merge/layout.ts'

const usual = { mark: false, newline: '\n', isEnded: true } as const

describe('the layout of a text', () => {
  test.each([
    ['', usual],
    ['a\nb\n', usual],
    ['a', { ...usual, isEnded: false }],
    ['a\r\nb\r\n', { ...usual, newline: '\r\n' }],
    ['a\r\nb\n', { ...usual, newline: undefined }],
    ['\ufeffa\n', { ...usual, mark: true }],
    ['\ufeffa\r\nb', { mark: true, newline: '\r\n', isEnded: false }],
  ] as const)('of %j', (text, layout) => {
    expect(layoutOf(text)).toEqual(layout)
    // A text comes back from the usual layout as it was.
    expect(inLayout(plain(text), layoutOf(text))).toBe(text)
  })
  test('in the usual layout, only a text with both kinds of line ends keeps them', () => {
    expect(['\ufeffa\r\nb', 'a\r\nb\n', 'a'].map(plain)).toEqual(['a\nb\n', 'a\r\nb\n', 'a\n'])
  })
})

test('each part is taken from the side that changed it', () => {
  const windows = { mark: true, newline: '\r\n', isEnded: false } as const
  expect(mergedLayout(usual, windows, usual)).toEqual(windows)
  expect(mergedLayout(usual, usual, windows)).toEqual(windows)
  expect(mergedLayout(windows, usual, windows)).toEqual(usual)
  expect(mergedLayout(windows, { ...windows, mark: false }, { ...windows, isEnded: true })).toEqual({
    mark: false,
    newline: '\r\n',
    isEnded: true,
  })
})
