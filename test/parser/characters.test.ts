import { describe, expect, test } from 'vitest'
import {
  compositionProblem,
  hasStray,
  isMisleading,
  isNfc,
  isStray,
  loneSurrogate,
  strayCharacters,
  toNfc,
} from '../../src/parser/characters.ts'
import { limits } from '../../src/parser/limits.ts'
import { sourceOf } from '../../src/source.ts'
import { problemText } from '../support/problem-text.ts'

const stray = (text: string, options: Parameters<typeof strayCharacters>[1] = { controls: true }) =>
  strayCharacters(sourceOf('p.yaml', text), options).map(problemText)

const control = 'is a control character'
const hidden = 'is invisible: the file would not say what it shows'
const turning = 'changes the direction of the text: the file would not say what it shows'
const parting = '(line separator) looks like the end of a line and is none'

/** The stray characters up to U+20FF, from one to another, and what is said of them. */
const ranges: readonly (readonly [from: number, to: number, message: string])[] = [
  [0x00, 0x08, control],
  [0x0b, 0x0c, control],
  [0x0d, 0x0d, '(carriage return) without a line feed: only some programs end the line here'],
  [0x0e, 0x1f, control],
  [0x7f, 0x9f, control],
  [0xad, 0xad, hidden],
  [0x600, 0x605, hidden],
  [0x61c, 0x61c, turning],
  [0x6dd, 0x6dd, hidden],
  [0x70f, 0x70f, hidden],
  [0x890, 0x891, hidden],
  [0x8e2, 0x8e2, hidden],
  [0x180e, 0x180e, hidden],
  [0x200b, 0x200d, hidden],
  [0x200e, 0x200f, turning],
  [0x2028, 0x2029, parting],
  [0x202a, 0x202e, turning],
  [0x2060, 0x2064, hidden],
  [0x2066, 0x2069, turning],
  [0x206a, 0x206f, hidden],
]

const codePoint = (point: number) => `U+${point.toString(16).toUpperCase().padStart(4, '0')}`
const rangeOf = (point: number) => ranges.find(([from, to]) => from <= point && point <= to)

describe('stray characters', () => {
  test('each is reported with its number and what it does, and the fix that removes it is safe where it is only in the way', () => {
    for (let point = 0; point < 0x2100; point++) {
      const text = `a${String.fromCharCode(point)}b`
      const message = rangeOf(point)?.[2]
      // Joiners may be meant, and where there is a control character or a line break, something else was.
      const isNoise = (message === hidden && point !== 0x200c && point !== 0x200d) || message === turning
      const wanted =
        message === undefined
          ? []
          : [`1-2 warning stray-character: ${codePoint(point)} ${message} (remove it) {${isNoise ? '' : '?'}1-2 ""}`]
      expect(stray(text)).toEqual(wanted)
      expect(stray(text, { controls: false })).toEqual(point < 0x20 ? [] : wanted)
      expect(isStray(point)).toBe(message !== undefined)
      expect(hasStray(text)).toBe(message !== undefined)
    }
  })

  test.each<[text: string, ...problems: string[]]>([
    ['plain\t\r\n~ é 😀'],
    [
      '\ufeffa\ufeff',
      '0-1 warning stray-character: U+FEFF (byte order mark) before the text: not every parser skips it (save the file as UTF-8 without a byte order mark) {0-1 ""}',
      `2-3 warning stray-character: U+FEFF ${hidden} (remove it) {2-3 ""}`,
    ],
    ['\u200b', `0-1 warning stray-character: U+200B ${hidden} (remove it) {0-1 ""}`],
    ['a\u{e0001}b', `1-3 warning stray-character: U+E0001 ${hidden} (remove it) {1-3 ""}`],
    ['a\u{1d173}', `1-3 warning stray-character: U+1D173 ${hidden} (remove it) {1-3 ""}`],
    ['\ud800', '0-1 error stray-character: U+D800 is half of a surrogate pair and stands for no character (remove it) {?0-1 ""}'],
    ['\udbff', '0-1 error stray-character: U+DBFF is half of a surrogate pair and stands for no character (remove it) {?0-1 ""}'],
    ['a\udc00', '1-2 error stray-character: U+DC00 is half of a surrogate pair and stands for no character (remove it) {?1-2 ""}'],
    ['a\udfff', '1-2 error stray-character: U+DFFF is half of a surrogate pair and stands for no character (remove it) {?1-2 ""}'],
    ['\ud7ff\ue000'],
    [
      'a\r\n\rb',
      '3-4 warning stray-character: U+000D (carriage return) without a line feed: only some programs end the line here (remove it) {?3-4 ""}',
    ],
    // A character that belongs to the spelling of a text is none.
    ['👩\u200d💻'],
    ['👩\u200d', `2-3 warning stray-character: U+200D ${hidden} (remove it) {?2-3 ""}`],
  ])('%j', (text, ...problems) => {
    expect(stray(text)).toEqual(problems)
    expect(hasStray(text)).toBe(problems.length > 0)
  })

  test('controls are left out where the reader judges them', () => {
    expect(stray('\0\x1f\r\x7f', { controls: false })).toEqual([`3-4 warning stray-character: U+007F ${control} (remove it) {?3-4 ""}`])
  })

  test('where the notation allows none, it is an error, whatever it is', () => {
    expect(stray('\0\u200b\u200b👩\u200d💻', { controls: false, breaking: new Set([0, 1, 5]) })).toEqual([
      `0-1 error stray-character: U+0000 ${control} (remove it) {?0-1 ""}`,
      `1-2 error stray-character: U+200B ${hidden} (remove it) {1-2 ""}`,
      `2-3 warning stray-character: U+200B ${hidden} (remove it) {2-3 ""}`,
      `5-6 error stray-character: U+200D ${hidden} (remove it) {?5-6 ""}`,
    ])
    expect(stray('abc', { controls: true, breaking: new Set([0]) })).toEqual([])
  })

  test('as many are reported as problems of a file are', () => {
    const found = stray('\x07'.repeat(limits.problems + 1))
    expect(found).toHaveLength(limits.problems)
    expect(found.at(-1)).toMatch(/^99-100 /)
    expect(stray('\x07'.repeat(limits.problems - 1))).toHaveLength(limits.problems - 1)
  })

  test('what makes the text around it read as something else', () => {
    for (let point = 0; point < 0x2100; point++) {
      const message = rangeOf(point)?.[2]
      const wanted = message !== undefined && message !== hidden
      const text = `a${String.fromCharCode(point)}b`
      // A tab and a line feed are controls too, though none that are stray.
      expect(isMisleading({ source: sourceOf('p.yaml', text), start: 1, end: 2 })).toBe(wanted || point === 9 || point === 10)
      expect(isMisleading({ source: sourceOf('p.yaml', text), start: 0, end: 1 })).toBe(false)
    }
  })
})

describe('composed form', () => {
  const marks = (amount: number) => `e${'\u0301'.repeat(amount)}`
  const apart =
    'warning stray-character: a letter is written as two characters here (letter and accent): the text looks like another one that it is not equal to (write it in composed form (Unicode NFC))'
  const heap = 'warning stray-character: more than thirty combining marks on one letter: no script has such letters (remove them)'

  test.each<[text: string, form: string]>([
    ['', ''],
    ['abc', 'abc'],
    ['é', 'é'],
    ['e\u0301', 'é'],
    ['x\u0301', 'x\u0301'],
    ['\u1100\u1161', '가'],
    ['\u212b', 'Å'],
    [marks(30), `é${'\u0301'.repeat(29)}`],
    // Left as it is.
    [marks(31), marks(31)],
    [`x${marks(31)}`, `x${marks(31)}`],
    [`x${'\u0301'.repeat(31)}`, `x${'\u0301'.repeat(31)}`],
  ])('of %j is %j', (text, form) => {
    expect(toNfc(text)).toBe(form)
    expect(isNfc(text)).toBe(text === form && text.length < 32)
  })

  test.each<[value: string, raw: string, problem?: string]>([
    ['é', '"é"'],
    ['x\u0301', '"x\u0301"'],
    ['e\u0301', '"e\u0301"', `2-6 ${apart} {2-6 ${JSON.stringify('"é"')}}`],
    ['e\u0301x', 'e\u0301x', `2-5 ${apart} {2-5 ${JSON.stringify('éx')}}`],
    ['\u212b', '"\u212b"', `2-5 ${apart} {2-5 ${JSON.stringify('"Å"')}}`],
    // All marks are written by their number.
    ['e\u0301', '"e\\u0301"'],
    [marks(31), `"e${'\\u0301'.repeat(31)}"`],
    // A mark behind a letter that is written by its number.
    ['e\u0301', '"\\u0065\u0301"', `2-11 ${apart}`],
    ['e\u0301 x\u0301', '"e\\u0301 x\u0301"', `2-14 ${apart}`],
    ['e\u0301 e\u0301', '"e\\u0301 e\u0301"', `2-14 ${apart} {2-14 ${JSON.stringify('"e\\u0301 é"')}}`],
    [marks(31), `"${marks(31)}"`, `2-36 ${heap}`],
    [marks(40), `'${marks(40)}'`, `2-45 ${heap}`],
    [marks(30), marks(30), `2-33 ${apart} {2-33 ${JSON.stringify(`é${'\u0301'.repeat(29)}`)}}`],
  ])('a text that says %j, written %s', (value, raw, problem) => {
    // The text around it must not count.
    for (const around of ['..', 'e\u0301']) {
      const source = sourceOf('p.json', `${around}${raw}${around}`)
      const found = compositionProblem(value, source, 2, 2 + raw.length)
      expect(found && problemText(found)).toBe(problem)
    }
  })
})

describe('half a surrogate pair', () => {
  test('is found where Unicode says that there is one, over every short text', () => {
    const units = [0x61, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000]
    for (let n = 0; n < units.length ** 4; n++) {
      const picked = [0, 1, 2, 3].map((i) => units[Math.floor(n / units.length ** i) % units.length] as number)
      const text = String.fromCharCode(...picked)
      const first = text.search(/\p{Cs}/u)
      expect(loneSurrogate(text)).toBe(first)
      for (const from of [1, 2, 4]) {
        const next = text.slice(from).search(/\p{Cs}/u)
        expect(loneSurrogate(text, from)).toBe(next < 0 ? -1 : next + from)
      }
    }
  })
})
