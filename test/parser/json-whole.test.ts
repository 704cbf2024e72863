import { describe, expect, test } from 'vitest'
import { readJson, readJsonLines, readWire } from '../../src/parser/json.ts'
import { limits } from '../../src/parser/limits.ts'
import type { Reading } from '../../src/parser/reading.ts'
import { sourceOf } from '../../src/source.ts'
import { plainValue } from '../../src/tree.ts'
import { drawn } from '../support/drawn.ts'
import { told } from '../support/told.ts'

/** What a reading says, whole: the tree with its places, or that the text is refused, and each problem. */
function said({ documents, diagnostics, refused }: Reading): readonly string[] {
  if (refused) expect(documents).toEqual([])
  return [refused ? 'refused' : documents.map(drawn).join(' | '), ...diagnostics.map((each) => told(each).replace(' error syntax:', ''))]
}

const json = (text: string) => said(readJson(sourceOf('p.json', text, 'json')))

// Messages that many rows have.
const twice = (place: string, key: string, first: string) =>
  `${place} the key \`${key}\` is given twice: other parsers silently keep only the last one, and what the first one says is lost (put everything under one key, or remove one of them) [${first} first given here]`
const apart = (place: string, text: string) =>
  `${place} warning stray-character: a letter is written as two characters here (letter and accent): the text looks like another one that it is not equal to (write it in composed form (Unicode NFC)) {${place} ${JSON.stringify(text)}}`
const word = (place: string, text: string) =>
  `${place} \`${text}\` is neither a number nor \`true\`, \`false\` or \`null\` (if it is meant as text, quote it: \`"${text}"\`)`
const open = (place: string, quote = '"') =>
  `${place} a text that is never closed begins here (close it with \`${quote}\`; a line break inside a text is written \`\\n\`)`
const broken = (place: string, quote = '"') =>
  `${place} a text that is not closed on its line begins here (close it with \`${quote}\`; a line break inside a text is written \`\\n\`)`
const half = (place: string, text: string) =>
  `${place} \`${text}\` is half of a surrogate pair and stands for no character (write the character itself, or both halves)`
const single = (place: string, text: string) =>
  `${place} a text in single quotes: JSON knows only double quotes (write \`${text}\`) {${place} ${JSON.stringify(text)}}`
const bare = (place: string, key: string, value = key) =>
  `${place} the key \`${key}\` is not quoted (write \`"${key}"\`) {${place} ${JSON.stringify(`"${value}"`)}}`
const cut = (place: string, text: string) => `${place} \`${text}\` is no whole escape: \`\\u\` takes four hexadecimal digits`

type Row = readonly [text: string, tree: string, ...problems: string[]]

const rows: readonly (readonly [title: string, rows: readonly Row[]])[] = [
  [
    'values and their places',
    [
      [
        ' {"a" : [1, -0.5e+1, "x\\ny", true],"b":{"c":null,"d":false}} ',
        '1-60{2-5"a": 8-34[9-10 1, 12-19 -5, 21-27"x\\ny", 29-33 true], 35-38"b": 39-59{40-43"c": 44-48 null, 49-52"d": 53-58 false}}',
      ],
      ['"\\u0041\\"\\\\\\/\\b\\f\\n\\r\\t\\ud83d\\ude00é"', '0-37"A\\"\\\\/\\b\\f\\n\\r\\t😀é"'],
      ['[[],{},[{}],""]', '0-15[1-3[], 4-6{}, 7-11[8-10{}], 12-14""]'],
      ['\t-12\r\n', '1-4 -12'],
      ['[1E2,1e-2,0,10,0.0]', '0-19[1-4 100, 5-9 0.01, 10-11 0, 12-14 10, 15-18 0]'],
      ['["\\u00e9\\udbff\\udfff\\ud800\\udc00"]', '0-34[1-33"é\u{10ffff}𐀀"]'],
      [
        '{"urn":1,"action":2,"name":3,"description":4,"identities":5,"resources":6,"permissions":7,"allow":8,"except":9,"deny":10,"permissionsGroups":11,"conditions":12,"operator":13,"values":14,"expiredAt":15,"nam":16,"named":17,"xyz1":18}',
        '0-231{1-6"urn": 7-8 1, 9-17"action": 18-19 2, 20-26"name": 27-28 3, 29-42"description": 43-44 4, 45-57"identities": 58-59 5, 60-71"resources": 72-73 6, 74-87"permissions": 88-89 7, 90-97"allow": 98-99 8, 100-108"except": 109-110 9, 111-117"deny": 118-120 10, 121-140"permissionsGroups": 141-143 11, 144-156"conditions": 157-159 12, 160-170"operator": 171-173 13, 174-182"values": 183-185 14, 186-197"expiredAt": 198-200 15, 201-206"nam": 207-209 16, 210-217"named": 218-220 17, 221-227"xyz1": 228-230 18}',
      ],
    ],
  ],
  [
    'what is open where the text ends',
    [
      [' \n', 'refused', '0-2 the file is empty (a file that holds nothing is never taken for a clean one: fill it or remove it)'],
      [
        '[{"a":[1,{"b":2',
        '0-15[1-15{2-5"a": 6-15[7-8 1, 9-15{10-13"b": 14-15 2}]}]',
        '9-10 this `{` is never closed (the file ends where `}` was expected)',
      ],
      ['{"a":{"b":{', '0-11{1-4"a": 5-11{6-9"b": 10-11{}}}', '10-11 this `{` is never closed (the file ends where `}` was expected)'],
      [
        '{"a":1,"a":[{',
        '0-13{1-4"a": 5-6 1}',
        twice('7-10', 'a', '1-4'),
        '12-13 this `{` is never closed (the file ends where `}` was expected)',
      ],
      ['"', '0-1""', open('0-1')],
    ],
  ],
  [
    'commas',
    [
      [',1', '', '0-1 expected a value, found `,`'],
      ['[1 "a\nb"]', '0-6[1-2 1, 3-5"a"]', broken('3-5'), '3-5 expected `,` or `]`, found `"a` (put a comma between the entries)'],
      [
        '[1 "a\\',
        '0-6[1-2 1, 3-6"a\\\\"]',
        open('3-6'),
        '3-6 expected `,` or `]`, found `"a\\` (put a comma between the entries)',
        '5-6 a backslash with nothing to escape behind it (a backslash itself is written `\\\\`)',
      ],
      ['{"a":1,,"b":2}', '0-14{1-4"a": 5-6 1, 8-11"b": 12-13 2}', '7-8 a comma with no entry before it (remove it) {7-8 ""}'],
      ['[],', '0-2[]', '2-3 expected the end of the file, found `,` (put several values into a list: `[…, …]`)'],
      [
        '[1 [2] true]',
        '0-12[1-2 1, 3-6[4-5 2], 7-11 true]',
        '3-4 expected `,` or `]`, found `[` (put a comma between the entries)',
        '7-11 expected `,` or `]`, found `true` (put a comma between the entries)',
      ],
      ['{"a":1 "b":2}', '0-13{1-4"a": 5-6 1, 7-10"b": 11-12 2}', '7-10 expected `,` or `}`, found `"b"` (put a comma between the entries)'],
      [
        '{"a":{} "b":[] "c":3}',
        '0-21{1-4"a": 5-7{}, 8-11"b": 12-14[], 15-18"c": 19-20 3}',
        '8-11 expected `,` or `}`, found `"b"` (put a comma between the entries)',
        '15-18 expected `,` or `}`, found `"c"` (put a comma between the entries)',
      ],
      ['[1:2]', '0-2[1-2 1]', '2-3 expected `,` or `]`, found `:`: a list holds values, not keys (use `{ }` for keys and values)'],
      [
        '[1,,]',
        '0-5[1-2 1]',
        '3-4 a comma with no value before it (remove it) {3-4 ""}',
        '3-4 trailing comma: JSON allows none after the last entry (remove the comma) {3-4 ""}',
      ],
    ],
  ],
  [
    'colons and keys',
    [
      ['{"a" "b"}', '0-9{1-4"a": 5-8"b"}', '5-8 expected `:` after the key, found `"b"` (put a colon between key and value)'],
      ['{"a"=>1}', '0-8{1-4"a": 6-7 1}', '4-6 expected `:` after the key, found `=>` (write `:`) {4-6 ":"}'],
      [
        '{"a",1}',
        '0-7{}',
        '1-4 no value for this key: expected `:`, found `,`',
        '5-6 no value for this key: expected `:`, found `}`',
        bare('5-6', '1'),
      ],
      ['{"a":}', '0-6{}', '1-4 no value for this key: expected one after the colon, found `}`'],
      ['{1:1}', '0-5{1-2"1": 3-4 1}', bare('1-2', '1')],
      [
        '{a"b":1}',
        '0-5{1-2"a": 2-5"b"}',
        bare('1-2', 'a'),
        '2-5 expected `:` after the key, found `"b"` (put a colon between key and value)',
        '5-6 expected `,` or `}`, found `:`',
      ],
      [
        '{a{}:1}',
        '0-4{1-2"a": 2-4{}}',
        bare('1-2', 'a'),
        '2-3 expected `:` after the key, found `{` (put a colon between key and value)',
        '4-5 expected `,` or `}`, found `:`',
      ],
      ['{a,b:1}', '0-7{3-4"b": 5-6 1}', '1-2 no value for this key: expected `:`, found `,`', bare('1-2', 'a'), bare('3-4', 'b')],
      [`{'a":1}`, '0-7{}', open('1-7', "'")],
      ['{"a":{"x":1},"a":{"y":2},"b":3}', '0-31{1-4"a": 5-12{6-9"x": 10-11 1}, 25-28"b": 29-30 3}', twice('13-16', 'a', '1-4')],
      ['{"é":1,"e\u0301":2}', '0-14{1-4"é": 5-6 1}', apart('7-11', '"é"'), twice('7-11', 'e\u0301', '1-4')],
      ['{"K":1,"K":2}', '0-13{1-4"K": 5-6 1}', apart('1-4', '"K"'), twice('7-10', 'K', '1-4')],
      ['{"K":1,"K":2}', '0-13{1-4"K": 5-6 1}', apart('7-10', '"K"'), twice('7-10', 'K', '1-4')],
      ['{e\u0301:1,"é":2}', '0-12{1-3"e\u0301": 4-5 1}', bare('1-3', 'e\u0301'), twice('6-9', 'é', '1-3')],
      ['{"é":1,"a":2,"a":3}', '0-19{1-4"é": 5-6 1, 7-10"a": 11-12 2}', twice('13-16', 'a', '7-10')],
      [
        '{"a":1,"é":2,"a":3,"é":4,"b":5}',
        '0-31{1-4"a": 5-6 1, 7-10"é": 11-12 2, 25-28"b": 29-30 5}',
        twice('13-16', 'a', '1-4'),
        twice('19-22', 'é', '7-10'),
      ],
      [`{'é':1,'é':2}`, '0-13{1-4"é": 5-6 1}', single('1-4', '"é"'), single('7-10', '"é"'), twice('7-10', 'é', '1-4')],
    ],
  ],
  [
    'brackets that do not fit',
    [
      ['{}}', '0-2{}', '2-3 `}` closes nothing (remove it, or put in what opens it)'],
      ['{]', '0-1{}', '1-2 expected a key in double quotes or `}`, found `]`'],
      ['{"a"]', '0-4{}', '4-5 expected `:` after the key, found `]`'],
    ],
  ],
  [
    'more than one value',
    [
      ['{} "a"', '0-2{}', '3-6 a second value: a JSON file holds one (put several values into a list: `[…, …]`)'],
      [
        '[] \u2028',
        '0-2[]',
        '3-4 error stray-character: U+2028 (line separator) looks like the end of a line and is none (remove it) {?3-4 ""}',
      ],
      ['[]:', '0-2[]', '2-3 expected the end of the file, found `:`'],
    ],
  ],
  [
    'comments',
    [
      [
        '[/*/1]',
        '0-6[]',
        '0-1 this `[` is never closed (the file ends where `]` was expected)',
        '1-6 a comment that is never closed, and JSON has no comments (remove it)',
      ],
      [
        '[/* c\n*/1,/* d',
        '0-14[8-9 1]',
        '0-1 this `[` is never closed (the file ends where `]` was expected)',
        '1-8 JSON has no comments (remove it)',
        '10-14 a comment that is never closed, and JSON has no comments (remove it)',
      ],
      ['// c', '', '0-4 JSON has no comments (remove it, or write the file as YAML (`.yaml`))', '4-4 the file holds no value'],
      [
        '#\r\n#\r1',
        '5-6 1',
        '0-1 JSON has no comments (remove it, or write the file as YAML (`.yaml`))',
        '3-4 JSON has no comments (remove it, or write the file as YAML (`.yaml`))',
      ],
    ],
  ],
  [
    'blanks and strays',
    [
      [
        '[\u00a0//c\n1]',
        '0-8[6-7 1]',
        '1-2 U+00A0 is no blank in JSON: only space, tab and line breaks are (put a space instead)',
        '2-5 JSON has no comments (remove it, or write the file as YAML (`.yaml`))',
      ],
      [
        '\ufeff',
        'refused',
        '0-1 warning stray-character: U+FEFF (byte order mark) before the text: not every parser skips it (save the file as UTF-8 without a byte order mark) {0-1 ""}',
        '0-1 the file is empty (a file that holds nothing is never taken for a clean one: fill it or remove it)',
      ],
      ['[\u000c1]', '0-4[2-3 1]', '1-2 U+000C is no blank in JSON: only space, tab and line breaks are (put a space instead)'],
      ['[1\u200b]', '0-4[1-3"1\u200b"]', word('1-3', '1\\u{200b}')],
      [
        '\u200b',
        'refused',
        '0-1 error stray-character: U+200B is invisible: the file would not say what it shows (remove it) {0-1 ""}',
        '0-1 the file is empty (a file that holds nothing is never taken for a clean one: fill it or remove it)',
      ],
      ['[\u0000]', '0-1[]', '1-2 expected a value or `]`, found `\\u{0}`'],
    ],
  ],
  [
    'texts',
    [
      [
        '["\u200b\u0001"]',
        '0-6[1-5"\u200b\\u0001"]',
        '2-3 warning stray-character: U+200B is invisible: the file would not say what it shows (remove it) {2-3 ""}',
        '3-4 a control character (U+0001) inside a text (write it as `\\u0001`)',
      ],
      ['["a\tb"]', '0-7[1-6"a\\tb"]', '3-4 a control character (U+0009) inside a text (write it as `\\t`)'],
      [
        '["a\u0000b\u001fc"]',
        '0-9[1-8"a\\u0000b\\u001fc"]',
        '3-4 a control character (U+0000) inside a text (write it as `\\u0000`)',
        '5-6 a control character (U+001F) inside a text (write it as `\\u001f`)',
      ],
      ['["\\u12"]', '0-8[1-7""]', cut('2-6', '\\u12')],
      ['["\\u', '0-4[1-4""]', open('1-4'), cut('2-4', '\\u')],
      ['["\\uabcdef","\\u0000"]', '0-21[1-11"ꯍef", 12-20"\\u0000"]'],
      [
        '["\\u/000","\\u:000","\\u@000","\\u\\u0060000"]',
        '0-42[1-9"/000", 10-18":000", 19-27"@000", 28-41"`000"]',
        cut('2-4', '\\u'),
        cut('11-13', '\\u'),
        cut('20-22', '\\u'),
        cut('29-31', '\\u'),
      ],
      ['["\\u00f0","\\u00F0","\\u00a9"]', '0-28[1-9"ð", 10-18"ð", 19-27"©"]'],
      ['["\\udc00"]', '0-10[1-9"\\udc00"]', half('2-8', '\\udc00')],
      ['["\\udc00\\ud800"]', '0-16[1-15"\\udc00\\ud800"]', half('2-8', '\\udc00'), half('8-14', '\\ud800')],
      ['["\\ud83d\\n"]', '0-12[1-11"\\ud83d\\n"]', half('2-8', '\\ud83d')],
      ['["\\ud83d\\u"]', '0-12[1-11"\\ud83d"]', half('2-8', '\\ud83d'), cut('8-10', '\\u')],
      [
        '["\\ud83d\\xde00"]',
        '0-16[1-15"\\ud83dxde00"]',
        half('2-8', '\\ud83d'),
        '8-10 `\\x` is no escape in JSON (a backslash itself is written `\\\\`)',
      ],
      [
        '["\\ud800\udc00"]',
        '0-11[1-10"𐀀"]',
        half('2-8', '\\ud800'),
        '8-9 error stray-character: U+DC00 is half of a surrogate pair and stands for no character (remove it) {?8-9 ""}',
      ],
      ['[`a`]', '0-1[]', '1-2 expected a value or `]`, found ```'],
      ['["\\t~\u007f"]', '0-8[1-7"\\t~\u007f"]', '5-6 warning stray-character: U+007F is a control character (remove it) {?5-6 ""}'],
    ],
  ],
  [
    'words and numbers',
    [
      ['[True]', '0-6[1-5"True"]', '1-5 `True` is no JSON value (write `true`)'],
      ['[nullx]', '0-7[1-6"nullx"]', word('1-6', 'nullx')],
      ['[00]', '0-4[1-3 0]', '1-3 `00` is no JSON number: no leading zero'],
      ['[+1]', '0-4[1-3 1]', '1-3 `+1` is no JSON number: no `+` before it'],
      ['[.5]', '0-4[1-3 0.5]', '1-3 `.5` is no JSON number: a digit before the point'],
      ['[1.]', '0-4[1-3 1]', '1-3 `1.` is no JSON number: a digit after the point'],
      ['[1e]', '0-4[1-3 NaN]', '1-3 `1e` is no JSON number: a digit in the exponent'],
      ['[1..]', '0-5[1-4 NaN]', '1-4 `1..` is no JSON number: only one point; if it is meant as text, quote it'],
      ['[--1]', '0-5[1-4"--1"]', word('1-4', '--1')],
      [
        '[- 1]',
        '0-5[1-2 NaN, 3-4 1]',
        '1-2 `-` is no JSON number: a digit after the sign',
        '3-4 expected `,` or `]`, found `1` (put a comma between the entries)',
      ],
      ['[0b10]', '0-6[1-5 2]', '1-5 `0b10` is no JSON number: only decimal notation'],
      ['[１]', '0-3[1-2"１"]', word('1-2', '１')],
      ['[0_1]', '0-5[1-4 NaN]', '1-4 `0_1` is no JSON number: no `_` between digits'],
      ['[a//c\n]', '0-7[1-2"a"]', word('1-2', 'a'), '2-5 JSON has no comments (remove it, or write the file as YAML (`.yaml`))'],
      [
        `[a'b']`,
        '0-6[1-2"a", 2-5"b"]',
        word('1-2', 'a'),
        single('2-5', '"b"'),
        "2-5 expected `,` or `]`, found `'b'` (put a comma between the entries)",
      ],
      ['[a[]]', '0-5[1-2"a", 2-4[]]', word('1-2', 'a'), '2-3 expected `,` or `]`, found `[` (put a comma between the entries)'],
      ['[a:b,c]', '0-7[1-4"a:b", 5-6"c"]', word('1-4', 'a:b'), word('5-6', 'c')],
      [
        '[xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx]',
        '0-103[1-102"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"]',
        word('1-102', 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…'),
      ],
    ],
  ],
  [
    'what follows a guess',
    [
      ['{"x\n:1,"\\x":2}', '0-11{1-3"x": 5-6 1}', broken('1-3')],
      ['{"x\n:1,"a"=1}', '0-11{1-3"x": 5-6 1}', broken('1-3')],
      ['[["x\n,{"a":1],2]', '0-12[1-12[2-4"x", 6-12{7-10"a": 11-12 1}]]', broken('2-4')],
      [
        '[{"a":1] 2]',
        '0-8[1-7{2-5"a": 6-7 1}]',
        '7-8 expected `,` or `}`, found `]` (put `}` before it, or remove it) [1-2 what `}` would close begins here]',
      ],
      [
        '[{"a":[1}, x]',
        '0-12[1-9{2-5"a": 6-8[7-8 1]}]',
        '8-9 expected `,` or `]`, found `}` (put `]` before it, or remove it) [6-7 what `]` would close begins here]',
      ],
      [`['a\n', 'b']`, '0-4[1-3"a"]', broken('1-3', "'")],
      ['[["a\n],]', '0-7[1-6[2-4"a"]]', broken('2-4')],
      [
        '[{"a":[1}}',
        '0-9[1-9{2-5"a": 6-8[7-8 1]}]',
        '8-9 expected `,` or `]`, found `}` (put `]` before it, or remove it) [6-7 what `]` would close begins here]',
      ],
      ['["a\n/*c*/]', '0-9[1-3"a"]', broken('1-3')],
    ],
  ],
]

describe.each(rows)('%s', (_, rows) => {
  test.each(rows)('%j', (text, ...wanted) => {
    expect(json(text)).toEqual(wanted)
  })
})

describe('limits', () => {
  test('the length', () => {
    // What is in a comment is passed over at once.
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

  test('the problems: reading stops at the hundredth, and the first ones in the text are told', () => {
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

  test('the second of one name is found, however many stand between', () => {
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
