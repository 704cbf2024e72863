import { describe, expect, test } from 'vitest'
import { readJson, readJsonLines, readWire } from '../../src/parser/json.ts'
import { limits } from '../../src/parser/limits.ts'
import type { Reading } from '../../src/parser/reading.ts'
import { sourceOf } from '../../src/source.ts'
import { plainValue } from '../../src/tree.ts'
import { testCases } from '../support/cases.ts'
import { drawn } from '../support/drawn.ts'
import { problemText } from '../support/problem-text.ts'

/** A whole reading: the tree with its places, or that the text is refused, and each problem. */
function said({ documents, diagnostics, refused }: Reading): readonly string[] {
  if (refused) expect(documents).toEqual([])
  return [
    refused ? 'refused' : documents.map(drawn).join(' | '),
    ...diagnostics.map((each) => problemText(each).replace(' error syntax:', '')),
  ]
}

const json = (text: string) => said(readJson(sourceOf('p.json', text, 'json')))

// Messages of several tests.
const twice = (place: string, key: string, first: string) =>
  `${place} the key \`${key}\` is given twice: other parsers silently keep only the last one, and what the first one says is lost (put everything under one key, or remove one of them) [${first} first given here]`
const word = (place: string, text: string) =>
  `${place} \`${text}\` is neither a number nor \`true\`, \`false\` or \`null\` (if it is meant as text, quote it: \`"${text}"\`)`
const half = (place: string, text: string) =>
  `${place} \`${text}\` is half of a surrogate pair and stands for no character (write the character itself, or both halves)`

type Row = readonly [text: string, tree: string, ...problems: string[]]

describe('what each text is', () => {
  testCases(new URL('json-whole.cases', import.meta.url), json)
})

describe('limits', () => {
  test('the length', () => {
    // A comment is passed over as one.
    const text = (length: number) => `1/*${'x'.repeat(length - 5)}*/`
    expect(json(text(limits.jsonLength))).toEqual(['0-1 1', `1-${limits.jsonLength} JSON has no comments (remove it)`])
    expect(json(text(limits.jsonLength + 1))).toEqual([
      'refused',
      '0-0 the file is longer than 8388608 characters, the most that is read of JSON (split it into several files)',
    ])
  })

  test('the depth, of lists and of objects', () => {
    const lists = (depth: number) => `${'['.repeat(depth)}1,${']'.repeat(depth)}`
    expect(json(lists(limits.depth))).toContain('65-66 trailing comma: JSON allows none after the last entry (remove the comma) {65-66 ""}')
    expect(json(lists(limits.depth + 1))).toEqual(['refused', '64-65 more than 64 levels of lists and objects: the file is not read'])
    expect(json(`[1 2,${lists(limits.depth)}]`)).toEqual([
      'refused',
      '68-69 more than 64 levels of lists and objects: the file is not read',
    ])
    const maps = `${'{"a":'.repeat(limits.depth)}{}`
    expect(json(maps)).toEqual(['refused', '320-321 more than 64 levels of lists and objects: the file is not read'])
  })

  test('the problems: reading stops at the hundredth, and the first ones in the text are reported', () => {
    const commas = json(`[${','.repeat(150)}1`)
    expect(commas[0]).toBe('0-100[]')
    expect(commas.slice(1)).toEqual(
      Array.from({ length: 100 }, (_, i) => `${i + 1}-${i + 2} a comma with no value before it (remove it) {${i + 1}-${i + 2} ""}`),
    )
    const both = json(`["${'\u200b'.repeat(50)}",${'+1,'.repeat(99)}@]`)
    expect(both).toHaveLength(101)
    expect(both.slice(49, 53)).toEqual([
      '50-51 warning stray-character: U+200B is invisible: the file would not say what it shows (remove it) {50-51 ""}',
      '51-52 warning stray-character: U+200B is invisible: the file would not say what it shows (remove it) {51-52 ""}',
      '54-56 `+1` is no JSON number: no `+` before it',
      '57-59 `+1` is no JSON number: no `+` before it',
    ])
  })
})

describe('many keys', () => {
  const keys = (names: readonly string[]) => `{${names.map((name) => `${JSON.stringify(name)}:0`).join()}}`
  const names = Array.from({ length: 30 }, (_, i) => `k${i}`)

  test('all are kept, in order', () => {
    for (const amount of [11, 12, 13, 14, 30]) {
      const { documents, diagnostics } = readJson(sourceOf('p.json', keys(names.slice(0, amount))))
      expect(diagnostics).toEqual([])
      expect(documents.map((node) => Object.keys(plainValue(node) as object))).toEqual([names.slice(0, amount)])
    }
  })

  test('the second of one name is found, however many are between', () => {
    for (const amount of [1, 11, 12, 13, 14, 29]) {
      for (const again of [0, Math.floor(amount / 2), amount - 1]) {
        const text = keys([...names.slice(0, amount), `k${again}`, 'x', `k${again}`])
        const { documents, diagnostics } = readJson(sourceOf('p.json', text))
        const first = text.indexOf(`"k${again}"`)
        expect(diagnostics.map(({ span, related }) => [text.slice(span.start, span.end), related?.[0]?.span.start])).toEqual([
          [`"k${again}"`, first],
          [`"k${again}"`, first],
        ])
        expect(documents.map((node) => Object.keys(plainValue(node) as object))).toEqual([[...names.slice(0, amount), 'x']])
      }
    }
  })

  test('in composed form they are compared, among ASCII ones too', () => {
    const text = `{${names
      .slice(0, 12)
      .map((name) => `"${name}":0,`)
      .join('')}"\\u00e9":1,"k3":2,"e\\u0301":3}`
    expect(json(text).slice(1)).toEqual([twice('98-102', 'k3', '22-26'), twice('105-114', 'é', '87-95').replace('`é`', '`e\u0301`')])
  })
})

describe('JSON between programs', () => {
  const wire = (text: string, most?: number) => said(readWire(sourceOf('p', text, 'json'), most))

  test.each<Row>([
    ['["\u200b\x7f\ufeff","e\u0301","\u202e"]', '0-16[1-6"\u200b\u007f\ufeff", 7-11"é", 12-15"\u202e"]'.replace('é', 'e\u0301')],
    ['\ufeff{"a":1}', '1-8{2-5"a": 6-7 1}'],
    // Keys that look alike are two.
    ['{"\u00e9":1,"e\u0301":2}', '0-14{1-4"é": 5-6 1, 7-11"é": 12-13 2}'.replace('11"é"', '11"e\u0301"')],
    ['{"\u00e9":1,"a":2,"\u00e9":3}', '0-19{1-4"é": 5-6 1, 7-10"a": 11-12 2}', twice('13-16', 'é', '1-4')],
    ['["\ud800"]', '0-5[1-4"\\ud800"]', '1-4 this holds half of a surrogate pair, which stands for no character'],
    ['\udc00', '0-1"\\udc00"', word('0-1', '\\u{dc00}').replace('"\\u{dc00}"', '"\\udc00"')],
    ['["a","\\n\udc00"]', '0-11[1-4"a", 5-10"\\n\\udc00"]', '5-10 this holds half of a surrogate pair, which stands for no character'],
    ['["\\ud800"]', '0-10[1-9"\\ud800"]', half('2-8', '\\ud800')],
    ['["\ud83d\ude00"]', '0-6[1-5"😀"]'],
    [
      '["\\ud800","\udc00"]',
      '0-14[1-9"\\ud800", 10-13"\\udc00"]',
      half('2-8', '\\ud800'),
      '10-13 this holds half of a surrogate pair, which stands for no character',
    ],
    ['[\f1]', '0-4[2-3 1]', '1-2 U+000C is no blank in JSON: only space, tab and line breaks are (put a space instead)'],
    ['[\u00a01]', '0-4[1-3"\u00a01"]', word('1-3', '\u00a01')],
    ['[\u200b1]', '0-4[1-3"\u200b1"]', word('1-3', '\\u{200b}1')],
    ['[~]', '0-1[]', '1-2 expected a value or `]`, found `~`'],
    ['[1,]', '0-4[1-2 1]', '2-3 trailing comma: JSON allows none after the last entry (remove the comma) {2-3 ""}'],
  ])('%j', (text, ...wanted) => {
    expect(wire(text)).toEqual(wanted)
  })

  test('reading ends where there are more keys in all than are read', () => {
    const text = '{"a":{"b":1},"c":[{"d":2}],"e":3}'
    expect(wire(text, 5)).toEqual(wire(text))
    expect(wire(text)).toEqual(['0-33{1-4"a": 5-12{6-9"b": 10-11 1}, 13-16"c": 17-26[18-25{19-22"d": 23-24 2}], 27-30"e": 31-32 3}'])
    expect(wire(text, 3)).toEqual([
      '0-22{1-4"a": 5-12{6-9"b": 10-11 1}, 13-16"c": 17-22[18-22{}]}',
      '19-22 error size-limit: more keys than are read',
    ])
    expect(wire(text, 0)).toEqual(['0-4{}', '1-4 error size-limit: more keys than are read'])
  })
})

describe('values one behind the other', () => {
  const lines = (text: string) => said(readJsonLines(sourceOf('p.jsonl', text, 'json')))

  test.each<Row>([
    ['{"a":1}\n[2]\r\n\n "x" 3', '0-7{1-4"a": 5-6 1} | 8-11[9-10 2] | 15-18"x" | 19-20 3'],
    ['{}{}', '0-2{} | 2-4{}'],
    ['', 'refused', '0-0 the file is empty (a file that holds nothing is never taken for a clean one: fill it or remove it)'],
    ['1\n[2,]\n3', '0-1 1 | 2-6[3-4 2]', '4-5 trailing comma: JSON allows none after the last entry (remove the comma) {4-5 ""}'],
    ['1\n}\n3', '0-1 1', '2-3 expected a value, found `}`'],
    ['1\n[2\n', '0-1 1 | 2-5[3-4 2]', '2-3 this `[` is never closed (the file ends where `]` was expected)'],
    [
      '1\n["\u200b"]\n3',
      '0-1 1 | 2-7[3-6"\u200b"] | 8-9 3',
      '4-5 warning stray-character: U+200B is invisible: the file would not say what it shows (remove it) {4-5 ""}',
    ],
  ])('%j', (text, ...wanted) => {
    expect(lines(text)).toEqual(wanted)
  })
})
