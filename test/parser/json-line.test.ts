import { describe, expect, test } from 'vitest'
import { keysIn, notJson, readJsonLine, strictFault } from '../../src/parser/json-line.ts'
import { randoms } from '../hostile/mutants.ts'

const twice = (key: string) =>
  `the key \`${key}\` is given twice: other parsers silently keep only the last one, and what the first one says is lost`
const mark = 'U+FEFF (byte order mark) before the text: not every parser skips it'
const altered = '`id` holds a number that would not come back as it is: write it as a text'

describe('a line of JSON Lines', () => {
  test.each([
    '{}',
    '[]',
    'null',
    '0',
    '"a"',
    ' {"a" : 1 , "b":{"c"\t:[{"d":null},{"e":[1,"x",true]}]}} ',
    '[[{"a":1},{"a":2}],null,[{"a":{"a":{}}}]]',
    // A text that looks like a key is none.
    '{"a":"\\":\\":"}',
    '["b\\": "]',
    // Warnings are none of its business, wherever it looks twice.
    '{"a":"\u200b"}',
    '{"a":"\u200b\\":"}',
    '{"a":"e\u0301\\":"}',
  ])('%s is its value', (line) => {
    expect(readJsonLine(line)).toEqual({ value: JSON.parse(line) })
  })

  // A value without double keys is taken as JSON.parse has it, however deep: a file would be refused.
  test.each([
    `${'['.repeat(70)}null${']'.repeat(70)}`,
    `[null,"x",${'{"a":'.repeat(70)}{"b":null,"c":1,"d":["e",null]}${'}'.repeat(70)},null]`,
    `{"a":null,"b":${'[{"a":1,"b":'.repeat(40)}[]${'},2]'.repeat(40)},"c":"x"}`,
  ])('deep ones too: %#', (line) => {
    expect(readJsonLine(line)).toEqual({ value: JSON.parse(line) })
  })

  test.each<[line: string, column: number, message: string]>([
    ['{"a":1,"a":1}', 8, twice('a')],
    ['[{"a":1},{"b":{"c":1,"\\u0063":2}}]', 22, twice('c')],
    ['{"x":"\u200b","a":1,"a":1}', 16, twice('a')],
    ['{"a":[],"a":{"b":1}}', 9, twice('a')],
    ['{"a":1', 1, 'this `{` is never closed'],
    ['{"x":"e\u0301","a":1', 1, 'this `{` is never closed'],
    ['{"a":1,}', 7, 'trailing comma: JSON allows none after the last entry'],
    ['["e\u0301",]', 6, 'trailing comma: JSON allows none after the last entry'],
    ['', 1, 'the file is empty'],
    ['\ufeff{}', 1, mark],
    ['\ufeff{"a":1,"a":2}', 9, twice('a')],
    ['[1,\u200b2]', 4, 'U+200B is invisible: the file would not say what it shows'],
  ])('%s is a fault', (line, column, message) => {
    expect(readJsonLine(line)).toEqual({ fault: { message, column } })
  })

  test('is read as JSON.parse reads it, but for keys that are given twice', () => {
    const random = randoms(5)
    const key = () => ['"a"', '"b"', '"\\u0061"', '"c:"', '"\\":"'][random(5)] as string
    let keys = 0
    const value = (depth: number): string => {
      const kind = random(depth > 2 ? 3 : 6)
      const blank = ['', '', ' ', '\t'][random(4)] as string
      if (kind < 3) return ['1', '"x: y"', 'null'][kind] as string
      const size = random(4)
      if (kind === 3) return `[${Array.from({ length: size }, () => value(depth + 1)).join()}]`
      keys += size
      return `{${Array.from({ length: size }, () => `${key()}${blank}:${blank}${value(depth + 1)}`).join()}}`
    }
    const seen = { values: 0, faults: 0 }
    for (let i = 0; i < 500; i++) {
      keys = 0
      const line = value(0)
      const parsed: unknown = JSON.parse(line)
      // Written again, a value has fewer keys than before where one was given twice.
      const left = (JSON.stringify(parsed).match(/"(?:[^"\\]|\\.)*":/g) ?? []).length
      expect(keysIn(line)).toBeGreaterThanOrEqual(keys)
      if (left === keys) {
        seen.values++
        expect(readJsonLine(line), line).toEqual({ value: parsed })
      } else {
        seen.faults++
        const { fault } = readJsonLine(line)
        expect(fault?.message, line).toMatch(/^the key `.*` is given twice/)
        expect(line[(fault?.column ?? 0) - 1], line).toBe('"')
        expect(strictFault(line)).toBe(fault?.message)
      }
    }
    expect(seen.values).toBeGreaterThan(200)
    expect(seen.faults).toBeGreaterThan(50)
  })
})

test.each<[line: string, keys: number]>([
  ['', 0],
  ['"a"', 0],
  [':', 0],
  ['{"a":1}', 1],
  ['{"a" :1,"b"\t\r\n : {"c":[]}}', 3],
  ['["a:b", "c :"]', 0],
  ['{"a":"\\":"}', 2],
  ['{"a": "x::"}', 1],
  ['{"a": "::"}', 2],
])('%s has at most %d keys', (line, keys) => {
  expect(keysIn(line)).toBe(keys)
})

test.each<[line: string, message: string]>([
  ['{"a" 1}', 'not JSON: column 6: expected `:` after the key, found `1`'],
  ['\ufeff[]', `not JSON: column 1: ${mark}`],
  ['x', 'not JSON: column 1: `x` is neither a number nor `true`, `false` or `null`'],
])('%s is no JSON', (line, message) => {
  expect(notJson(line)).toBe(message)
})

test.each<[line: string, fault: string | undefined]>([
  ['{"id":1,"a":2}', undefined],
  ['{"id":1,"id":2}', twice('id')],
  ['{"id":9007199254740993}', altered],
  ['{"id":9007199254740991}', undefined],
  ['{"id":1.50}', altered],
  ['{"id":1.5}', undefined],
  ['{"id":1e2}', undefined],
  ['{"id":-0}', undefined],
  ['{"id":1e400}', altered],
  ['{"id":"9007199254740993"}', undefined],
  ['{"id":[1,{"a":[true,9007199254740993]}]}', altered],
  ['{"id":[1,{"a":[null,"1.50",1]},2]}', undefined],
  ['{"id":{"id":9007199254740993}}', altered],
  ['{"a":9007199254740993,"id":{}}', undefined],
  ['{"a":{"id":9007199254740993}}', undefined],
  ['[{"id":9007199254740993}]', undefined],
  ['9007199254740993', undefined],
  ['{"id":null,"a":"\u200b"}', undefined],
])('what %s loses', (line, fault) => {
  expect(strictFault(line)).toBe(fault)
})
