import { describe, expect, test } from 'vitest'
import { Lexer } from 'yaml'
import { limits } from '../../src/parser/limits.ts'
import type { Reading } from '../../src/parser/reading.ts'
import { readYaml } from '../../src/parser/yaml.ts'
import { readPlainYaml } from '../../src/parser/yaml-plain.ts'
import { tooManyTokens } from '../../src/parser/yaml-tokens.ts'
import { sourceOf } from '../../src/source.ts'
import { drawn } from '../support/drawn.ts'
import { told } from '../support/told.ts'

/** What a reading says, whole: the trees with their places, or that the text is refused, and each problem. */
function said({ documents, diagnostics, refused }: Reading): readonly string[] {
  if (refused) expect(documents).toEqual([])
  return [refused ? 'refused' : documents.map(drawn).join(' | '), ...diagnostics.map((each) => told(each).replace(' error syntax:', ''))]
}

const yaml = (text: string) => said(readYaml(sourceOf('p.yaml', text, 'yaml')))

// Messages that many rows have.
const twice = (place: string, key: string, first: string) =>
  `${place} the key \`${key}\` is given twice: other parsers silently keep only the last one, and what the first one says is lost (put everything under one key, or remove one of them) [${first} first given here]`
const apart = (place: string, text: string) =>
  `${place} warning stray-character: a letter is written as two characters here (letter and accent): the text looks like another one that it is not equal to (write it in composed form (Unicode NFC)) {${place} ${JSON.stringify(text)}}`
const anchor = (place: string, text: string) =>
  `${place} \`${text}\` sets an anchor, and anchors are not read: what a policy says must stand where it says it (if it is meant as text, quote it: \`"${text}"\`)`
const star = (place: string, text: string, meant = text, at = place) =>
  `${place} an unquoted \`*\` begins an alias in YAML, not a wildcard: \`${text}\` names nothing (quote it: \`"${meant}"\`) {${at} ${JSON.stringify(`"${meant}"`)}}`
const tag = (place: string, text: string) =>
  `${place} \`${text}\` is a tag, and tags are not read: they change what a value is (remove it; if it is meant as text, quote it: \`"${text}"\`)`
const unclosed = (place: string, opener: string, closer: string) =>
  `${place} this \`${opener}\` is never closed (close it with \`${closer}\`, and indent its lines more than the line it begins on)`
const empty = (place: string) =>
  `${place} the file is empty (a file that holds nothing is never taken for a clean one: fill it or remove it)`

/** `plain`: the plain reader answers, and says the same; `full`: it leaves the text to the full reader. */
type Row = readonly [by: 'plain' | 'full', text: string, tree: string, ...problems: string[]]

const rows: readonly (readonly [title: string, rows: readonly Row[]])[] = [
  [
    'plain texts',
    [
      ['plain', 'a: b #', '0-4{0-1"a": 3-4"b"}'],
      ['plain', 'a: b  # c', '0-4{0-1"a": 3-4"b"}'],
      ['full', '- b:c\n- :d\n', '0-10[2-5"b:c", 8-10":d"]'],
      [
        'plain',
        `a: 😀\nb: "😀"\nc: '😀'\nd: [😀, "é"]`,
        '0-34{0-1"a": 3-5"😀", 6-7"b": 9-13"😀", 14-15"c": 17-21"😀", 22-23"d": 25-34[26-28"😀", 30-33"é"]}',
      ],
      [
        'full',
        'a: é\u200b',
        '0-5{0-1"a": 3-5"é\u200b"}',
        '4-5 warning stray-character: U+200B is invisible: the file would not say what it shows (remove it) {4-5 ""}',
      ],
      [
        'full',
        'a: b : c',
        '0-8{0-1"a": 3-8{3-4"b": 7-8"c"}}',
        '3-4 nested mappings are not allowed in compact mappings (put the inner entries on lines of their own, or quote the text if the colon belongs to it)',
      ],
      ['full', 'a \t: b', '0-6{0-1"a": 5-6"b"}'],
      ['plain', '- -\n  - a\n', '0-9[2-9[3-3 null, 8-9"a"]]'],
      ['plain', '- ~\n- -~\n', '0-8[2-3 null, 6-8"-~"]'],
      ['full', 'a: !', '0-4{0-1"a": 4-4""}', tag('3-4', '!')],
      [
        'full',
        'a: ?',
        '0-4{0-1"a": 3-4{4-4"": 4-4 null}}',
        '3-4 nested mappings are not allowed in compact mappings (put the inner entries on lines of their own, or quote the text if the colon belongs to it)',
        '4-4 a key is missing before the colon',
      ],
      ['full', 'a: &', '0-4{0-1"a": 4-4 null}', anchor('3-4', '&')],
      ['full', 'a: |', '0-4{0-1"a": 3-4""}'],
      [
        'plain',
        `- 1\n- true\n- null\n- 1.5\n- "1"\n- 'true'\n- "null"\n`,
        '0-47[2-3 1, 6-10 true, 13-17 null, 20-23 1.5, 26-29"1", 32-38"true", 41-47"null"]',
      ],
      [
        'plain',
        `{a: 1, b: true, c: null, d: "1", e: 'true', f: ~}`,
        '0-49{1-2"a": 4-5 1, 7-8"b": 10-14 true, 16-17"c": 19-23 null, 25-26"d": 28-31"1", 33-34"e": 36-42"true", 44-45"f": 47-48 null}',
      ],
      [
        'plain',
        `a: 1\nb: true\nc: null\nd: "1"\ne: 'true'\n`,
        '0-37{0-1"a": 3-4 1, 5-6"b": 8-12 true, 13-14"c": 16-20 null, 21-22"d": 24-27"1", 28-29"e": 31-37"true"}',
      ],
    ],
  ],
  [
    'quoted texts',
    [
      [
        'full',
        `a: 'b''\nc: 'd'\n`,
        `0-14{0-1"a": 3-7"b'", 8-9"c": 11-14"d"}`,
        "3-7 a text that is never closed begins here (close it with `'`)",
      ],
      ['full', `''''`, `0-4"'"`],
      ['full', `'''''`, `0-5"''"`, "0-5 a text that is never closed begins here (close it with `'`)"],
      ['full', '"\\\\"', '0-4"\\\\"'],
      ['plain', `a: ""\nb: ''`, '0-11{0-1"a": 3-5"", 6-7"b": 9-11""}'],
      ['plain', 'a: "\\"\\\\\\/\\n\\r\\t\\b\\f"', '0-21{0-1"a": 3-21"\\"\\\\/\\n\\r\\t\\b\\f"}'],
      ['full', '- "\\"', '0-5[2-5"\\""]', '2-5 a text that is never closed begins here (close it with `"`)'],
      ['plain', '"\\n": "\\t"', '0-10{0-4"\\n": 6-10"\\t"}'],
      ['plain', `{"\\n": "a\\"b", 'c''d': 'e'''}`, `0-29{1-5"\\n": 7-13"a\\"b", 15-21"c'd": 23-28"e'"}`],
      ['plain', `'a': b\n'c' : d\n`, '0-14{0-3"a": 5-6"b", 7-10"c": 13-14"d"}'],
      ['plain', '"a": b\n"c" : d\n', '0-14{0-3"a": 5-6"b", 7-10"c": 13-14"d"}'],
      ['plain', `'<<': a\n'1': b\n"2": c\n'~': d\n`, '0-28{0-4"<<": 6-7"a", 8-11"1": 13-14"b", 15-18"2": 20-21"c", 22-25"~": 27-28"d"}'],
      [
        'full',
        '<<: a',
        '0-5{0-2"<<": 4-5"a"}',
        '0-2 merge keys (`<<`) are not read: what would be merged in, a `deny` perhaps, would be missing (write out here what it would bring in)',
      ],
      ['full', '"a": 1\na: 2', '0-6{0-3"a": 5-6 1}', twice('7-8', 'a', '0-3')],
      ['plain', `- 'é'\n- "é"\n`, '0-11[2-5"é", 8-11"é"]'],
    ],
  ],
  [
    'flow as people write it',
    [
      ['full', '{b: a:}', '0-7{1-2"b": 4-6{4-5"a": 6-6 null}}', '4-6 block collections are not allowed within flow collections'],
      ['full', '{b: a:,}', '0-8{1-2"b": 4-6{4-5"a": 6-6 null}}', '4-6 block collections are not allowed within flow collections'],
      ['full', '[\n--- \n]', '0-2[]', unclosed('0-1', '[', ']'), '7-8 `]` closes nothing (quote the text if it is meant as one)'],
      ['full', '[a,\n... ,b]', '0-4[1-2"a"]', unclosed('0-1', '[', ']')],
      ['plain', '[\na\n]', '0-5[2-3"a"]'],
      ['plain', '[\n  a,\n  b\n]\n', '0-12[4-5"a", 9-10"b"]'],
      ['plain', 'a: [\n  b,\n  c\n]\nd: {\n  e: f\n}\n', '0-29{0-1"a": 3-15[7-8"b", 12-13"c"], 16-17"d": 19-29{23-24"e": 26-27"f"}}'],
      [
        'full',
        'a:\n  b: [\n  c\n  ]\n',
        '0-13{0-1"a": 5-13{5-6"b": 8-12[], 12-13"c": 13-13 null}}',
        unclosed('8-9', '[', ']'),
        '16-17 `]` closes nothing (quote the text if it is meant as one)',
      ],
      ['plain', '- [\n  a\n]\n', '0-9[2-9[6-7"a"]]'],
      [
        'full',
        'a: [b\n, c\n]\n',
        '0-9{0-1"a": 3-6[4-5"b"], 6-9", c": 9-9 null}',
        unclosed('3-4', '[', ']'),
        '10-11 `]` closes nothing (quote the text if it is meant as one)',
      ],
      [
        'full',
        'a: {b: {c: d\n}\n}',
        '0-13{0-1"a": 3-13{4-5"b": 7-13{8-9"c": 11-12"d"}}}',
        unclosed('7-8', '{', '}'),
        '13-14 `}` closes nothing (quote the text if it is meant as one)',
      ],
      [
        'full',
        'a: {b: [c\n]\n}',
        '0-10{0-1"a": 3-10{4-5"b": 7-10[8-9"c"]}}',
        unclosed('7-8', '[', ']'),
        '10-11 `]` closes nothing (quote the text if it is meant as one)',
      ],
      ['plain', '[a, # b\n  c # d\n]', '0-17[1-2"a", 10-11"c"]'],
      ['full', '[# a\n  b]', '0-9[7-8"b"]', '1-4 comments must be separated from other tokens by white space characters'],
      ['plain', '[a,\r\n b]\r\n', '0-8[1-2"a", 6-7"b"]'],
      ['plain', '[a,\r\n # c\r\n b\r\n]\r\n', '0-16[1-2"a", 12-13"b"]'],
      ['full', '[a{b]', '0-4[1-4{1-2"a": 2-4{3-4"b": 4-4 null}}]', unclosed('2-3', '{', '}')],
      ['full', '{a[: b}', '0-6{1-2"a": 2-6[3-6{3-3"": 5-6"b"}]}', unclosed('2-3', '[', ']'), '3-4 a key is missing before the colon'],
      ['full', '[a:[]', '0-5[1-5{1-2"a": 3-5[]}]', unclosed('0-1', '[', ']')],
      ['full', '{a:,}', '0-5{1-2"a": 3-3 null}'],
      ['full', '{a:{}}', '0-6{1-2"a": 3-5{}}'],
      ['plain', '{a : b}', '0-7{1-2"a": 5-6"b"}'],
      ['plain', '{a: b , c : d }', '0-15{1-2"a": 4-5"b", 8-9"c": 12-13"d"}'],
      ['plain', `{"a":b, 'c':d}`, '0-14{1-4"a": 5-6"b", 8-11"c": 12-13"d"}'],
      [
        'full',
        '{a: -b, c: - d}',
        '0-15{1-2"a": 4-6"-b", 8-9"c": 11-13[13-13 null], 13-14"d": 14-14 null}',
        '11-13 block collections are not allowed within flow collections',
        '13-14 missing , between flow map items',
      ],
      ['plain', '[a #b\n]', '0-7[1-2"a"]'],
      ['full', '[a,\n----\n]', '0-10[1-2"a", 4-8"----"]'],
      [
        'full',
        'a: [\n---\n]',
        '0-5{0-1"a": 3-5[]}',
        unclosed('3-4', '[', ']'),
        '9-10 `]` closes nothing (quote the text if it is meant as one)',
      ],
      ['full', '[a\n b]', '0-6[1-5"a b"]'],
      ['full', '[a', '0-2[1-2"a"]', unclosed('0-1', '[', ']')],
      ['full', '[', '0-1[]', unclosed('0-1', '[', ']')],
      ['full', '{a: ', '0-4{1-2"a": 4-4 null}', unclosed('0-1', '{', '}')],
      ['full', '{a: b,', '0-6{1-2"a": 4-5"b"}', unclosed('0-1', '{', '}')],
      ['full', '[a]]', '0-3[1-2"a"]', '3-4 `]` closes nothing (quote the text if it is meant as one)'],
      ['plain', '[a] # b', '0-3[1-2"a"]'],
      ['full', '- [a]\n  b', '0-9[2-5[3-4"a"], 8-9"b"]', '6-7 sequence item without - indicator'],
      ['full', 'a: [b] c', '0-6{0-1"a": 3-6[4-5"b"]}', '7-8 unexpected scalar at node end'],
      ['full', 'a: {b: c}}', '0-9{0-1"a": 3-9{4-5"b": 7-8"c"}}', '9-10 `}` closes nothing (quote the text if it is meant as one)'],
      ['plain', '[a, [b, {c: [d]}], e]', '0-21[1-2"a", 4-17[5-6"b", 8-16{9-10"c": 12-15[13-14"d"]}], 19-20"e"]'],
      ['plain', '[[], {}, [[]], [{}]]', '0-20[1-3[], 5-7{}, 9-13[10-12[]], 15-19[16-18{}]]'],
      ['plain', '{a: [], b: {}}', '0-14{1-2"a": 4-6[], 8-9"b": 11-13{}}'],
      ['plain', '{a: b,}', '0-7{1-2"a": 4-5"b"}'],
      ['full', '{,a: b}', '0-7{2-3"a": 5-6"b"}', '1-2 unexpected , in flow map'],
      ['full', '[a,,]', '0-5[1-2"a"]', '3-4 unexpected , in flow sequence'],
      ['full', '[-]', '0-3[1-2[2-2 null]]', '1-2 block collections are not allowed within flow collections'],
      [
        'full',
        '[a]: b',
        '0-6{0-3"[a]": 5-6"b"}',
        '0-1 this key is a list or a map, and keys must be text (quote it if it is meant as text)',
      ],
      ['full', 'a: [b]: c', '0-9{0-1"a": 3-6[4-5"b"], 6-6"": 8-9"c"}', '6-7 a key is missing before the colon'],
      ['full', '[a : b]', '0-7[1-6{1-2"a": 5-6"b"}]'],
      ['full', '[:a]', '0-4[1-3":a"]'],
    ],
  ],
  [
    'block as people write it',
    [
      ['full', '- "a"- b\n', '0-5[2-5"a"]', '5-6 unexpected seq-item-ind at node end', '7-8 unexpected scalar at node end'],
      ['plain', '- a:\n- b\n', '0-8[2-4{2-3"a": 4-4 null}, 7-8"b"]'],
      ['full', 'a: 1\n... : b', '0-4{0-1"a": 3-4 1}', '9-10 unexpected map-value-ind at node end', '11-12 unexpected scalar at node end'],
      [
        'full',
        '- b: c\n    d: e\n- f\n',
        '0-19[2-15{2-3"b": 5-15{5-12"c d": 14-15"e"}}, 18-19"f"]',
        '5-6 nested mappings are not allowed in compact mappings (put the inner entries on lines of their own, or quote the text if the colon belongs to it)',
      ],
      [
        'plain',
        'a:\n  - b\n  - c: d\n    e: f\n  -\n    g\nh: i\n',
        '0-41{0-1"a": 5-36[7-8"b", 13-26{13-14"c": 16-17"d", 22-23"e": 25-26"f"}, 35-36"g"], 37-38"h": 40-41"i"}',
      ],
      ['plain', 'a:\n- b: c\n- d\ne: f', '0-18{0-1"a": 3-13[5-9{5-6"b": 8-9"c"}, 12-13"d"], 14-15"e": 17-18"f"}'],
      ['plain', '-\n- a\n-\n', '0-7[1-1 null, 4-5"a", 7-7 null]'],
      ['plain', '- ', '0-2[2-2 null]'],
      ['plain', 'a: \nb: \n', '0-7{0-1"a": 3-3 null, 4-5"b": 7-7 null}'],
      ['plain', 'a:\n  b:\n  c:\n    d:', '0-19{0-1"a": 5-19{5-6"b": 7-7 null, 10-11"c": 17-19{17-18"d": 19-19 null}}}'],
      ['plain', 'a:\n  "b"\n', '0-8{0-1"a": 5-8"b"}'],
      ['plain', `a:\n  'b'\nc:\n  d\n`, '0-15{0-1"a": 5-8"b", 9-10"c": 14-15"d"}'],
      ['plain', 'a: # b\n# c\n\n  - d\n', '0-17{0-1"a": 14-17[16-17"d"]}'],
      ['plain', 'a:\n  b: 1\n # c\n  d: 2\n', '0-21{0-1"a": 5-21{5-6"b": 8-9 1, 17-18"d": 20-21 2}}'],
      ['plain', 'a:\n  - b\n # c\n  - d\n', '0-19{0-1"a": 5-19[7-8"b", 18-19"d"]}'],
      ['plain', '# a\n\n# b\nc: d\n# e\n', '9-13{9-10"c": 12-13"d"}'],
      ['plain', 'a: b\n\n\n', '0-4{0-1"a": 3-4"b"}'],
      [
        'full',
        '  a: b\nc: d\n',
        '2-6{2-3"a": 5-6"b"}',
        '7-8 unexpected scalar at node end',
        '8-9 unexpected map-value-ind token in YAML stream: ":"',
        '10-11 unexpected scalar token in YAML stream: "d"',
      ],
      [
        'full',
        '-\n  - a\n - b\n',
        '0-12[4-7[6-7"a"], 9-12[11-12"b"]]',
        '9-10 all sequence items must start at the same column (entries of one list or map begin at the same column)',
      ],
      [
        'full',
        'a:\n - b\n- c\n',
        '0-12{0-1"a": 4-7[6-7"b"], 8-12"- c\\n": 12-12 null}',
        '8-9 a block sequence may not be used as an implicit map key (put the inner entries on lines of their own, or quote the text if the colon belongs to it)',
      ],
      [
        'full',
        '- a\nb: c\n',
        '0-3[2-3"a"]',
        '4-5 unexpected scalar at node end',
        '5-6 unexpected map-value-ind token in YAML stream: ":"',
        '7-8 unexpected scalar token in YAML stream: "c"',
      ],
      ['full', '1\n', '0-1 1'],
      ['plain', 'a: b\n---\nc: d\n---\n- e\n', '0-4{0-1"a": 3-4"b"} | 9-13{9-10"c": 12-13"d"} | 18-21[20-21"e"]'],
      ['plain', '---\na: b\n---\n---\nc: d\n', '4-8{4-5"a": 7-8"b"} | 17-21{17-18"c": 20-21"d"}'],
      ['plain', '---\r\n- a\r\n---\r\n- b\r\n', '5-8[7-8"a"] | 15-18[17-18"b"]'],
      ['full', 'a: b\n...', '0-4{0-1"a": 3-4"b"}'],
      ['full', 'a: b\n... # c\n', '0-4{0-1"a": 3-4"b"}'],
      [
        'full',
        'a:\n\t- b',
        '0-7{0-1"a": 4-7[6-7"b"]}',
        '3-4 a tab in the indentation: YAML takes only spaces there (replace it by spaces)',
      ],
      ['full', 'a: b\n\t\n', '0-4{0-1"a": 3-4"b"}'],
      ['plain', 'a: b\n\r\nc: d', '0-11{0-1"a": 3-4"b", 7-8"c": 10-11"d"}'],
      [
        'full',
        'a: b\n\rc: d',
        '0-10{0-1"a": 3-4"b", 5-7"\\rc": 9-10"d"}',
        '5-6 warning stray-character: U+000D (carriage return) without a line feed: only some programs end the line here (remove it) {?5-6 ""}',
      ],
      ['full', 'a: 1\nb: 2\na: 3', '0-9{0-1"a": 3-4 1, 5-6"b": 8-9 2}', twice('10-11', 'a', '0-1')],
      ['full', 'a #b: c', '0-1"a"'],
      ['full', 'true: a', '0-7{0-4"true": 6-7"a"}', '0-4 this key is a boolean, and keys must be text (quote it: `"true"`)'],
      ['full', '- : a', '0-5[2-5{2-2"": 4-5"a"}]', '2-3 a key is missing before the colon'],
    ],
  ],
  [
    'characters of two units',
    [
      [
        'full',
        ': \u{e0041}:',
        '0-5{0-0"": 2-5{2-4"\u{e0041}": 5-5 null}}',
        '0-1 a key is missing before the colon',
        '2-4 warning stray-character: U+E0041 is invisible: the file would not say what it shows (remove it) {2-4 ""}',
        '2-4 nested mappings are not allowed in compact mappings (put the inner entries on lines of their own, or quote the text if the colon belongs to it)',
      ],
      [
        'full',
        '- 😀\n- 😀: 😀\n  😀',
        '0-13[2-4"😀", 7-13{7-9"😀": 11-13"😀"}]',
        '16-18 implicit map keys need to be followed by map values',
      ],
      ['full', 'a: |😀\n  b', '0-10{0-1"a": 3-10"b\\n"}', '4-6 block scalar header includes extra characters: |😀'],
      [
        'full',
        '"\\😀"',
        '0-5"\\\\😀"',
        '1-2 invalid escape sequence \\\\u{d83d} (a backslash itself is written `\\\\`; single quotes take it as it is)',
      ],
    ],
  ],
  [
    'more',
    [
      [
        'full',
        '- \u001f\n- *\n',
        '0-7[2-3"\\u001f", 6-7"*"]',
        '2-3 warning stray-character: U+001F is a control character (remove it) {?2-3 ""}',
        star('6-7', '*'),
      ],
      ['full', 'a: "b\r\nc: 1', '0-11{0-1"a": 3-11"b c: "}', '3-5 a text that is never closed begins here (close it with `"`)'],
      ['full', 'a: "b\r\n', '0-7{0-1"a": 3-7"b"}', '3-5 a text that is never closed begins here (close it with `"`)'],
      ['full', `'\r\n`, '0-3"\\r"', "0-1 a text that is never closed begins here (close it with `'`)"],
      [
        'full',
        '- "\\ud800"\n- "\udc00"',
        '0-16[2-10"\\ud800", 13-16"\\udc00"]',
        '2-10 an escape in this text is half of a surrogate pair and stands for no character',
        '14-15 error stray-character: U+DC00 is half of a surrogate pair and stands for no character (remove it) {?14-15 ""}',
      ],
      ['full', 'a:\n  ? b\n  ? c', '0-14{0-1"a": 5-14{7-8"b": 8-8 null, 13-14"c": 14-14 null}}'],
      ['full', '? |\n  a\n: - b\n', '0-13{2-8"a\\n": 10-13[12-13"b"]}'],
      ['plain', '- - - a\n  -\n', '0-11[2-11[4-7[6-7"a"], 11-11 null]]'],
      ['plain', '- {}\n- []\n', '0-9[2-4{}, 7-9[]]'],
      [
        'full',
        '? {}\n: a',
        '0-8{2-4"{}": 7-8"a"}',
        '2-3 this key is a list or a map, and keys must be text (quote it if it is meant as text)',
      ],
      [
        'full',
        '? []',
        '0-4{2-4"[]": 4-4 null}',
        '2-3 this key is a list or a map, and keys must be text (quote it if it is meant as text)',
      ],
      ['full', '"a": "b"\n? "c"', '0-14{0-3"a": 5-8"b", 11-14"c": 14-14 null}'],
    ],
  ],
  [
    'block lists and maps',
    [
      ['plain', 'a:\n  - 1\n  -   b: c\n      d: e\n', '0-30{0-1"a": 5-30[7-8 1, 15-30{15-16"b": 18-19"c", 26-27"d": 29-30"e"}]}'],
      ['plain', '- - 1\n  - - 2\n- 3', '0-17[2-13[4-5 1, 10-13[12-13 2]], 16-17 3]'],
      [
        'plain',
        '- a: 1\n  b:\n    c: 2\n- d: 3\n',
        '0-27[2-20{2-3"a": 5-6 1, 9-10"b": 16-20{16-17"c": 19-20 2}}, 23-27{23-24"d": 26-27 3}]',
      ],
      ['plain', '-\n  a: 1\n-\n- b\n', '0-14[4-8{4-5"a": 7-8 1}, 10-10 null, 13-14"b"]'],
      ['plain', '- a:\n  - b\n  c: d\n', '0-17[2-17{2-3"a": 7-10[9-10"b"], 13-14"c": 16-17"d"}]'],
      ['plain', 'a:\n\n  b: 1\n\n\n  c: 2\n', '0-19{0-1"a": 6-19{6-7"b": 9-10 1, 15-16"c": 18-19 2}}'],
      ['plain', '- -a\n- - b\n', '0-10[2-4"-a", 7-10[9-10"b"]]'],
      [
        'full',
        'a: 1\n b: 2\n',
        '0-10{0-1"a": 3-10{3-7"1 b": 9-10 2}}',
        '3-4 nested mappings are not allowed in compact mappings (put the inner entries on lines of their own, or quote the text if the colon belongs to it)',
      ],
      [
        'full',
        'a:\n  b: 1\n c: 2\n',
        '0-15{0-1"a": 5-9{5-6"b": 8-9 1}, 11-12"c": 14-15 2}',
        '10-11 all mapping items must start at the same column (entries of one list or map begin at the same column)',
      ],
      [
        'full',
        '- a\nb: 1\n',
        '0-3[2-3"a"]',
        '4-5 unexpected scalar at node end',
        '5-6 unexpected map-value-ind token in YAML stream: ":"',
        '7-8 unexpected scalar token in YAML stream: "1"',
      ],
      ['full', 'a: 1\n- b\n', '0-5{0-1"a": 3-4 1, 5-5"": 5-5 null}', '5-6 a key is missing before the colon'],
      ['plain', '-a: 1\n', '0-5{0-2"-a": 4-5 1}'],
      ['full', '"a" b: 1\n', '0-8{0-3"a": 7-8 1}', '4-5 unexpected scalar token'],
    ],
  ],
  [
    'flow lists and maps',
    [
      ['full', `{a: 1, "b":2, 'c' : 3}`, '0-22{1-2"a": 4-5 1, 7-10"b": 11-12 2, 14-17"c": 20-21 3}'],
      ['plain', '{a: [1, {b: c}], d: {}}', '0-23{1-2"a": 4-15[5-6 1, 8-14{9-10"b": 12-13"c"}], 17-18"d": 20-22{}}'],
      ['plain', 'a: [1,\n  2,\n  ]\nb: 1', '0-20{0-1"a": 3-15[4-5 1, 9-10 2], 16-17"b": 19-20 1}'],
      ['plain', 'a: {b: 1,\n c: 2\n }', '0-18{0-1"a": 3-18{4-5"b": 7-8 1, 11-12"c": 14-15 2}}'],
      ['full', '{"a"}', '0-5{1-4"a": 4-4 null}'],
      ['full', '[? a : b]', '0-9[3-8{3-4"a": 7-8"b"}]'],
      ['plain', '[[a], [b, [c]]]', '0-15[1-4[2-3"a"], 6-14[7-8"b", 10-13[11-12"c"]]]'],
      ['plain', '{a: {b: {c: 1}}}', '0-16{1-2"a": 4-15{5-6"b": 8-14{9-10"c": 12-13 1}}}'],
      ['full', '[a,#b\n]', '0-7[1-2"a"]', '3-5 comments must be separated from other tokens by white space characters'],
      ['full', '[a, b', '0-5[1-2"a", 4-5"b"]', unclosed('0-1', '[', ']')],
      ['full', 'a:\n  - [b, {c: d}', '0-17{0-1"a": 5-17[7-17[8-9"b", 11-17{12-13"c": 15-16"d"}]]}', unclosed('7-8', '[', ']')],
      ['full', '[a, {b: c]\n', '0-9[1-2"a", 4-9{5-6"b": 8-9"c"}]', unclosed('4-5', '{', '}')],
      ['full', ']', '', '0-1 `]` closes nothing (quote the text if it is meant as one)'],
      ['full', '[,]', '0-3[]', '1-2 unexpected , in flow sequence'],
      [
        'full',
        '{a: 1}: b\n',
        '0-9{0-6"{a: 1}": 8-9"b"}',
        '0-1 this key is a list or a map, and keys must be text (quote it if it is meant as text)',
      ],
      ['plain', '[a:b]', '0-5[1-4"a:b"]'],
      ['full', '[:]', '0-3[1-2{1-1"": 2-2 null}]', '1-2 a key is missing before the colon'],
      [
        'full',
        '[a, - b]',
        '0-8[1-2"a", 4-7{4-6"- ": 6-7"b"}]',
        '4-5 implicit keys of flow sequence pairs need to be on a single line (is there a colon missing on the line before?)',
        '6-7 missing , or : between flow sequence items',
      ],
      ['full', '[b\n...\n]', '0-3[1-2"b"]', unclosed('0-1', '[', ']'), '7-8 `]` closes nothing (quote the text if it is meant as one)'],
      ['plain', `[a, "b c", 'd']`, '0-15[1-2"a", 4-9"b c", 11-14"d"]'],
      ['plain', '[[\n]]', '0-5[1-4[]]'],
    ],
  ],
  [
    'scalars',
    [
      ['full', '~', '0-1 null'],
      [
        'plain',
        'a: [~, null, Null, NULL, nULL, nil]',
        '0-35{0-1"a": 3-35[4-5 null, 7-11 null, 13-17 null, 19-23 null, 25-29"nULL", 31-34"nil"]}',
      ],
      [
        'plain',
        '[true, True, TRUE, tRUE, false, False, FALSE, yes, on]',
        '0-54[1-5 true, 7-11 true, 13-17 true, 19-23"tRUE", 25-30 false, 32-37 false, 39-44 false, 46-49"yes", 51-53"on"]',
      ],
      ['plain', '[0o17, 0o8, -0o7, 0x1F, 0xg, 0b1]', '0-33[1-5 15, 7-10"0o8", 12-16"-0o7", 18-22 31, 24-27"0xg", 29-32"0b1"]'],
      [
        'plain',
        '[1.5, .5, 5., -1e3, 1E+2, 1.e1, ., e1, 1.2.3, +.5]',
        '0-50[1-4 1.5, 6-8 0.5, 10-12 5, 14-18 -1000, 20-24 100, 26-30 10, 32-33".", 35-37"e1", 39-44"1.2.3", 46-49 0.5]',
      ],
      [
        'plain',
        '[.inf, -.Inf, +.INF, .nan, .NaN, -.nan]',
        '0-39[1-5 Infinity, 7-12 -Infinity, 14-19 Infinity, 21-25 NaN, 27-31 NaN, 33-38"-.nan"]',
      ],
      [
        'full',
        '"\\"\\\\\\/\\n\\r\\t\\b\\f\\0\\a\\e\\v\\N\\_\\L\\P\\x41\\u00e9\\U0001F600\\ "',
        '0-56"\\"\\\\/\\n\\r\\t\\b\\f\\u0000\\u0007\\u001b\\u000b\u0085\u00a0\u2028\u2029Aé😀 "',
      ],
      [
        'full',
        '"\\q"',
        '0-4"\\\\q"',
        '1-2 invalid escape sequence \\q (a backslash itself is written `\\\\`; single quotes take it as it is)',
      ],
      [
        'full',
        '"\\x4"',
        '0-5"\\\\x4\\""',
        '1-2 invalid escape sequence \\x4" (a backslash itself is written `\\\\`; single quotes take it as it is)',
      ],
      ['full', '"\\ud800"', '0-8"\\ud800"', '0-8 an escape in this text is half of a surrogate pair and stands for no character'],
      ['full', '"a\n  b"', '0-7"a b"'],
      ['full', '"a\n\n b"', '0-7"a\\nb"'],
      ['full', '"a\\\n  b"', '0-8"ab"'],
      ['full', `'a\n b'`, '0-6"a b"'],
      ['full', 'a: b\n\n  c\n', '0-9{0-1"a": 3-9"b\\nc"}'],
      ['full', 'a: "', '0-4{0-1"a": 3-4""}', '3-4 a text that is never closed begins here (close it with `"`)'],
      ['full', `'`, '0-1""', "0-1 a text that is never closed begins here (close it with `'`)"],
      ['full', 'a: @b\n', '0-5{0-1"a": 3-5"@b"}', '3-4 plain value cannot start with reserved character @ (quote the text)'],
      ['full', 'a: `b`\n', '0-6{0-1"a": 3-6"`b`"}', '3-4 plain value cannot start with reserved character ` (quote the text)'],
      ['full', 'a: %b\n', '0-5{0-1"a": 3-5"%b"}', '3-4 plain value cannot start with directive indicator character % (quote the text)'],
      ['full', 'a: ,b', '0-5{0-1"a": 3-5",b"}', '3-4 plain value cannot start with flow indicator character , (quote the text)'],
      ['full', 'a: ]b', '0-3{0-1"a": 3-3 null}', '3-4 `]` closes nothing (quote the text if it is meant as one)'],
      ['full', 'a: :b', '0-5{0-1"a": 3-5":b"}'],
      [
        'full',
        'a: - b',
        '0-6{0-1"a": 3-3 null, 5-6"b": 6-6 null}',
        '3-4 unexpected block-seq-ind on same line with key',
        '5-6 implicit map keys need to be followed by map values',
      ],
      ['full', 'a:\tb', '0-4{0-1"a": 3-4"b"}'],
      [
        'full',
        'a: b\u2028c',
        '0-6{0-1"a": 3-6"b\u2028c"}',
        '4-5 warning stray-character: U+2028 (line separator) looks like the end of a line and is none (remove it) {?4-5 ""}',
      ],
      ['full', 'a: !b', '0-5{0-1"a": 5-5""}', tag('3-5', '!b')],
      ['full', 'a: ::b', '0-6{0-1"a": 3-6"::b"}'],
      ['full', 'e\u0301: a', '0-5{0-2"e\u0301": 4-5"a"}', apart('0-2', 'é')],
    ],
  ],
  [
    'block scalars',
    [
      ['full', 'a: >\n  x\n  y\n\n  z\n', '0-18{0-1"a": 3-18"x y\\nz\\n"}'],
      ['full', 'a: >-\n  x\n   y\n  z\n', '0-19{0-1"a": 3-19"x\\n y\\nz"}'],
      ['full', 'a: >+\n  x\n\n', '0-11{0-1"a": 3-11"x\\n\\n"}'],
      ['full', 'a: |1-\n  x\n', '0-11{0-1"a": 3-11" x"}'],
      ['full', 'a: >+2 # c\n   x\n', '0-16{0-1"a": 3-16" x\\n"}'],
      ['full', 'a: |\n\n\n', '0-6{0-1"a": 3-6""}'],
      ['full', '- |\n x\n- >\n y', '0-13[2-7"x\\n", 9-13"y\\n"]'],
      ['full', 'a: |x\n  y\n', '0-10{0-1"a": 3-10"y\\n"}', '4-5 block scalar header includes extra characters: |x'],
      ['full', 'a: |12\n  x', '0-10{0-1"a": 3-10" x\\n"}', '5-6 block scalar header includes extra characters: |12'],
      ['full', '|\n x', '0-4"x\\n"'],
      ['full', '- a: |\n    x\n  b: >\n    y\n', '0-26[2-26{2-3"a": 5-13"x\\n", 15-16"b": 18-26"y\\n"}]'],
      [
        'full',
        'a: |\n   x\n  y\n',
        '0-13{0-1"a": 3-10"x\\n", 12-13"y": 13-13 null}',
        '10-11 all mapping items must start at the same column (entries of one list or map begin at the same column)',
        '12-13 implicit map keys need to be followed by map values',
      ],
    ],
  ],
  [
    'documents',
    [
      ['plain', 'a: 1\n---\n- b\n', '0-4{0-1"a": 3-4 1} | 9-12[11-12"b"]'],
      ['full', '---\na: 1\n...\n---\n~\n', '4-8{4-5"a": 7-8 1} | 17-18 null'],
      ['plain', '---\n---\n# c\n---\na: 1\n---\n', '16-20{16-17"a": 19-20 1}'],
      ['full', '--- {a: 1}\n---\n[b]', '4-10{5-6"a": 8-9 1} | 15-18[16-17"b"]'],
      ['full', '...\n', 'refused', empty('0-4')],
      ['full', '---', 'refused', empty('0-3')],
      ['full', '%YAML 1.2 # c\n---\na: 1\n', '18-22{18-19"a": 21-22 1}'],
      ['full', '%YAML\t1.2\n---\na', '14-15"a"'],
      [
        'full',
        '%YAML 1.1\n---\na: on\n',
        '',
        '0-9 `%YAML 1.1` asks for another version of YAML, in which the same text means something else (remove it, or write `%YAML 1.2`)',
      ],
      [
        'full',
        '%FOO\n---\na',
        '',
        '0-4 `%FOO` is a directive, and none but `%YAML 1.2` is read (remove it; if it is meant as text, quote it: `"%FOO"`)',
      ],
      ['full', '%YAML 1.2\na: 1', '10-14{10-11"a": 13-14 1}', '10-11 missing directives-end/doc-start indicator line'],
      ['full', 'a\n---\nb', '0-1"a" | 6-7"b"'],
      [
        'full',
        '[a]\n[b]',
        '0-3[1-2"a"]',
        '4-5 unexpected flow-seq-start at node end',
        '5-6 unexpected scalar at node end',
        '6-7 unexpected flow-seq-end token in YAML stream: "]"',
      ],
      ['full', '"a"\n"b"', '0-3"a"', '4-7 unexpected double-quoted-scalar at node end'],
      [
        'full',
        '  ---\na: 1',
        '2-10{2-7"--- a": 9-10 1}',
        '2-7 implicit keys need to be on a single line (is there a colon missing on the line before?)',
      ],
      ['full', '--- a: 1\n', '4-8{4-5"a": 7-8 1}', '4-5 block collection cannot start on same line with directives-end marker'],
      ['plain', '---\r\na: 1\r\n---\r\nb: 2', '5-9{5-6"a": 8-9 1} | 16-20{16-17"b": 19-20 2}'],
    ],
  ],
  [
    'comments and blank lines',
    [
      ['full', '', 'refused', empty('0-0')],
      ['full', '#', 'refused', empty('0-1')],
      ['plain', '# a\na: 1 # b\n# c\nb: #d\n  2\n', '4-26{4-5"a": 7-8 1, 17-18"b": 25-26 2}'],
      [
        'full',
        'a:\n  b:\n#c\n    d\n  e: 1\n',
        '0-23{0-1"a": 5-23{5-6"b": 15-23{15-20"d e": 22-23 1}}}',
        '15-20 implicit keys need to be on a single line (is there a colon missing on the line before?)',
      ],
      ['plain', 'a:\n  b:\n#c\n    "d"\n  e: 1\n', '0-25{0-1"a": 5-25{5-6"b": 15-18"d", 21-22"e": 24-25 1}}'],
      ['full', '-\n  # c\n  b\n', '0-11[10-11"b"]'],
      ['plain', '  # c\na: 1', '6-10{6-7"a": 9-10 1}'],
      ['plain', 'a:\n\n  # c\n\n  b: 1\n', '0-17{0-1"a": 13-17{13-14"b": 16-17 1}}'],
      ['full', '\ta: 1', '1-5{1-2"a": 4-5 1}', '0-1 a tab in the indentation: YAML takes only spaces there (replace it by spaces)'],
      ['full', 'a:\n  b: 1\n\t\n', '0-9{0-1"a": 5-9{5-6"b": 8-9 1}}'],
      ['full', 'a: 1\n \t# c\n', '0-4{0-1"a": 3-4 1}'],
      ['plain', 'a: [\n# c\n]', '0-10{0-1"a": 3-10[]}'],
    ],
  ],
  [
    'what is refused',
    [
      ['full', '- *:apisvc:get\n- *y\n', '0-19[2-14"*:apisvc:get", 17-19"*y"]', star('2-14', '*:apisvc:get'), star('17-19', '*y')],
      ['full', '[*, a]', '0-6[1-2"*", 4-5"a"]', star('1-2', '*')],
      ['full', '*: a\n', '0-2"*:"', star('0-2', '*:', '*', '0-1'), '3-4 unexpected scalar at node end'],
      ['full', '[*:]\n', '0-4[1-3"*:"]', star('1-3', '*:')],
      ['full', 'a: &x\n  b: 1\n', '0-12{0-1"a": 8-12{8-9"b": 11-12 1}}', anchor('3-5', '&x')],
      ['full', '&x a: 1', '3-7{3-4"a": 6-7 1}', anchor('0-2', '&x')],
      ['full', '&x', '', anchor('0-2', '&x')],
      ['full', 'a: & b', '0-6{0-1"a": 5-6"b"}', anchor('3-4', '&')],
      ['full', 'a: !!str 1\n', '0-10{0-1"a": 9-10"1"}', tag('3-8', '!!str')],
      ['full', '!x a: 1', '3-7{3-4"a": 6-7 1}', tag('0-2', '!x')],
      ['full', '- !x\n', '0-4[4-4""]', tag('2-4', '!x')],
      ['full', 'a: !<x> b', '0-9{0-1"a": 8-9"b"}', tag('3-7', '!<x>')],
      ['full', 'a: &x !y b', '0-10{0-1"a": 9-10"b"}', anchor('3-5', '&x'), tag('6-8', '!y')],
      ['full', 'a: &x &y b', '0-10{0-1"a": 9-10"b"}', anchor('3-5', '&x'), anchor('6-8', '&y')],
      ['full', 'a: !x !y b', '0-10{0-1"a": 9-10"b"}', tag('3-5', '!x'), tag('6-8', '!y')],
      [
        'full',
        '&x *x',
        '3-5"*x"',
        anchor('0-2', '&x'),
        '3-5 `*x` is an alias, and aliases are not read: what a policy says must stand where it says it (write out here what the anchor names)',
      ],
      [
        'full',
        'a: 1\n<<: {b: 1}\n',
        '0-15{0-1"a": 3-4 1, 5-7"<<": 9-15{10-11"b": 13-14 1}}',
        '5-7 merge keys (`<<`) are not read: what would be merged in, a `deny` perhaps, would be missing (write out here what it would bring in)',
      ],
      [
        'full',
        '{: a, ~: b}',
        '0-11{1-1"": 3-4"a", 6-7"~": 9-10"b"}',
        '1-2 a key is missing before the colon',
        '6-7 this key is null, and keys must be text (quote it: `"~"`)',
      ],
      ['full', '? \n: b', '0-6{2-2"": 5-6"b"}', '2-3 a key is missing before the colon'],
      ['full', '.nan: 1', '0-7{0-4".nan": 6-7 1}', '0-4 this key is a number, and keys must be text (quote it: `".nan"`)'],
      ['full', '-.inf: 1', '0-8{0-5"-.inf": 7-8 1}', '0-5 this key is a number, and keys must be text (quote it: `"-.inf"`)'],
      ['full', 'a: 1\n"\\x61": 2\na: 3', '0-4{0-1"a": 3-4 1}', twice('5-11', 'a', '0-1'), twice('15-16', 'a', '0-1')],
      ['full', '{a: 1, a: 2}', '0-12{1-2"a": 4-5 1}', twice('7-8', 'a', '1-2')],
      ['full', 'é: 1\ne\u0301: 2\n', '0-4{0-1"é": 3-4 1}', apart('5-7', 'é'), twice('5-7', 'e\u0301', '0-1')],
      ['full', 'a:\n  b: 1\n  b: 2\na: 3', '0-9{0-1"a": 5-9{5-6"b": 8-9 1}}', twice('12-13', 'b', '5-6'), twice('17-18', 'a', '0-1')],
      [
        'full',
        'a: \ud800',
        '0-4{0-1"a": 3-4"\\ud800"}',
        '3-4 error stray-character: U+D800 is half of a surrogate pair and stands for no character (remove it) {?3-4 ""}',
      ],
      [
        'full',
        'a: "\\udc00 \ud800"',
        '0-13{0-1"a": 3-13"\\udc00 \\ud800"}',
        '11-12 error stray-character: U+D800 is half of a surrogate pair and stands for no character (remove it) {?11-12 ""}',
      ],
      [
        'full',
        '\ufeffa: 1\n',
        '1-5{1-2"a": 4-5 1}',
        '0-1 warning stray-character: U+FEFF (byte order mark) before the text: not every parser skips it (save the file as UTF-8 without a byte order mark) {0-1 ""}',
      ],
      [
        'full',
        'a: 1\n\ufeffb: 2',
        '0-10{0-1"a": 3-4 1, 5-7"\ufeffb": 9-10 2}',
        '5-6 warning stray-character: U+FEFF is invisible: the file would not say what it shows (remove it) {5-6 ""}',
      ],
      [
        'full',
        'a: &é 1\nb: *é',
        '0-13{0-1"a": 6-7 1, 8-9"b": 11-13"*é"}',
        anchor('3-5', '&é'),
        '11-13 `*é` is an alias, and aliases are not read: what a policy says must stand where it says it (write out here what the anchor names)',
      ],
      [
        'full',
        'a: !\u200b b',
        '0-7{0-1"a": 4-7"\u200b b"}',
        tag('3-4', '!'),
        '4-5 warning stray-character: U+200B is invisible: the file would not say what it shows (remove it) {4-5 ""}',
        '4-5 tags and anchors must be separated from the next token by white space',
      ],
    ],
  ],
]

describe.each(rows)('%s', (_, rows) => {
  test.each(rows)('%s: %j', (by, text, ...wanted) => {
    expect(yaml(text)).toEqual(wanted)
    const source = sourceOf('p.yaml', text, 'yaml')
    const plain = readPlainYaml(source)
    expect(plain && said(plain)).toEqual(by === 'plain' ? wanted : undefined)
    if (by === 'full') {
      // Of what is left to the full reader, no more tokens are counted than that finds.
      for (let most = 1; most < 20 && most <= text.length * 2; most++)
        if (readPlainYaml(source, most)?.refused) expect(tooManyTokens(text, most), `${most}`).toBeGreaterThanOrEqual(0)
      return
    }
    // Both count as many tokens.
    const tokens = [...new Lexer().lex(text)].length
    expect(readPlainYaml(source, tokens)).toEqual(plain)
    expect(readPlainYaml(source, tokens - 1)?.refused).toBe(true)
  })
})

describe('the limits of the full reader', () => {
  test('the length', () => {
    const text = (length: number) => `a: |\n  ${'x'.repeat(length - 7)}`
    expect(yaml(text(limits.yamlLength))).toHaveLength(1)
    expect(yaml(text(limits.yamlLength + 1))).toEqual([
      'refused',
      '0-0 the file is longer than 1048576 characters, and something in it is beyond the plain YAML that is read at greater length (split it into several files)',
    ])
  })

  test('the depth, in block style, in flow style, and in both', () => {
    const deep = 'more than 64 levels of lists and maps: the file is not read'
    const block = (depth: number) => `${'- '.repeat(depth)}a`
    expect(yaml(block(64))[0]).toMatch(/^0-129\[2-129\[.*128-129"a"\]{64}$/)
    expect(yaml(block(65))).toEqual(['refused', `128-129 ${deep}`])
    expect(yaml(`${'['.repeat(64)}${']'.repeat(64)}`)).toHaveLength(1)
    expect(yaml('['.repeat(65))).toEqual(['refused', `64-65 ${deep}`])
    expect(yaml(`${'- '.repeat(32)}${'[{a: '.repeat(16)}`)).toHaveLength(2)
    expect(yaml(`${'- '.repeat(32)}${'[{a: '.repeat(16)}[`)).toEqual(['refused', `144-145 ${deep}`])
    expect(yaml(`${Array.from({ length: 65 }, (_, i) => `${' '.repeat(i)}a:\n`).join('')}`).slice(1)).toEqual([`2273-2274 ${deep}`])
  })

  test('the documents', () => {
    const documents = (amount: number) => `a: |\n  b\n${'---\n'.repeat(amount - 1)}`
    expect(yaml(documents(limits.yamlDocuments))).toEqual(['0-9{0-1"a": 3-9"b\\n"}'])
    for (const end of ['...', '...\n']) expect(yaml(documents(limits.yamlDocuments) + end)).toHaveLength(1)
    expect(yaml(documents(limits.yamlDocuments + 1))).toEqual([
      'refused',
      '40005-40006 more than 10000 documents: the file is not read (split it into several files)',
    ])
  })

  test('the tokens', () => {
    const text = (amount: number) => `a: |\n  b\n${'- \n'.repeat(amount)}`
    expect(yaml(text(170_000))).toEqual([
      'refused',
      expect.stringMatching(/^\d+-\d+ more than 500000 tokens: the file is not read \(split it into several files\)$/),
    ])
  })

  test('the problems: a hundred are told', () => {
    const anchors = yaml('- &a b\n'.repeat(150))
    expect(anchors).toHaveLength(101)
    expect(anchors[100]).toBe(anchor('695-697', '&a'))
    const errors = yaml('- @b\n'.repeat(150))
    expect(errors).toHaveLength(101)
    expect(errors[1]).toBe('2-3 plain value cannot start with reserved character @ (quote the text)')
    expect(errors[100]).toBe('497-498 plain value cannot start with reserved character @ (quote the text)')
    // Where one too many is met, reading stops: what stands behind it is not there.
    expect(anchors[0]).toMatch(/, 691-692"b", 695-695 null\]$/)
    expect(yaml(`# \x07\n${'- &a b\n'.repeat(150)}`)).toHaveLength(101)
    expect(yaml('- @b\n'.repeat(100))[0]).toMatch(/, 497-499"@b"\]$/)
    expect(yaml('- @b\n'.repeat(101))[0]).toBe('')
    expect(yaml(`a: 1\n---\n${'- @b\n'.repeat(101)}`)[0]).toBe('0-4{0-1"a": 3-4 1}')
    const unexpected = (amount: number) => yaml(`[a]\n[]${'- '.repeat(amount - 2)}\n---\nb: 1`)
    expect(unexpected(100)[0]).toBe('0-3[1-2"a"] | 207-211{207-208"b": 210-211 1}')
    expect(unexpected(101)[0]).toBe('0-3[1-2"a"]')
    expect(yaml('a: [1]\n]\n'.repeat(5)).slice(1)).toEqual(['7-8 `]` closes nothing (quote the text if it is meant as one)'])
  })
})

describe('long texts in messages', () => {
  const long = 'x'.repeat(101)
  test('are cut', () => {
    const cut = `${'x'.repeat(99)}…`
    expect(yaml(`a: *${long}`).slice(1)).toEqual([star('3-105', `*${cut}`).replace(/\{.*/, `{3-105 ${JSON.stringify(`"*${long}"`)}}`)])
    expect(yaml(`a: &${long} b`).slice(1)).toEqual([anchor('3-105', `&${cut}`)])
    expect(yaml(`a: !${long} b`).slice(1)).toEqual([tag('3-105', `!${cut}`)])
    expect(yaml(`%${long}\n---\na: b`).slice(1)[0]).toContain(`\`%${cut}\` is a directive`)
    expect(yaml(`0${'1'.repeat(101)}: b`).slice(1)[0]).toContain(`quote it: \`"0${'1'.repeat(99)}…"\``)
  })

  test('a key is at most as long as other readers take it', () => {
    expect(yaml(`${'k'.repeat(1024)}: 1`)).toHaveLength(1)
    expect(yaml(`${'k'.repeat(1025)}: 1`).slice(1)).toEqual([
      '0-1025 the : indicator must be at most 1024 chars after the start of an implicit block mapping key',
    ])
    const plain = (length: number) => readPlainYaml(sourceOf('p.yaml', `a: 1\n${'k'.repeat(length)}: 1`))
    expect(plain(1000)?.documents.map(drawn)).toEqual([`0-1008{0-1"a": 3-4 1, 5-1005"${'k'.repeat(1000)}": 1007-1008 1}`])
    expect(plain(1001)).toBe(undefined)
  })
})

describe('the plain reader', () => {
  const plain = (text: string, most?: number) => {
    const reading = readPlainYaml(sourceOf('p.yaml', text), most)
    return reading && said(reading)
  }
  const indented = (lines: readonly string[], step: number) => lines.map((line, i) => `${' '.repeat(i * step)}${line}\n`).join('')
  const times = (depth: number, part: string) => Array.from({ length: depth }, () => part)

  test.each<[shows: string, write: (depth: number) => string]>([
    ['lists in lists', (depth) => `${'- '.repeat(depth)}a`],
    ['lists below their dashes', (depth) => indented([...times(depth - 1, '-'), '- a'], 1)],
    ['maps in maps', (depth) => indented([...times(depth - 1, 'a:'), 'a: b'], 1)],
    [
      'lists at the column of their keys',
      (depth) => `${indented(times(depth / 2, 'a:'), 2).replace(/^( *)a:\n/gm, '$1a:\n$1- b\n$1-\n')}${' '.repeat(depth)}c`,
    ],
    ['maps behind dashes', (depth) => `${indented(times(depth / 2, '- a:'), 3)}${' '.repeat(99)}"b"`],
    ['flow lists', (depth) => '['.repeat(depth) + ']'.repeat(depth)],
    ['flow maps', (depth) => `${'{a: '.repeat(depth)}b${'}'.repeat(depth)}`],
    ['flow lists in a list', (depth) => `- ${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}`],
    ['flow lists in a map', (depth) => `a: ${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}`],
    ['flow lists below a key', (depth) => `a:\n  ${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}`],
  ])('answers for 64 levels of %s, as the full one does, and no more', (_, write) => {
    expect(plain(write(limits.depth))).toEqual(yaml(write(limits.depth)))
    expect(plain(write(limits.depth))).toHaveLength(1)
    expect(plain(write(limits.depth + 2))).toBe(undefined)
  })

  test('hands on what is one level deeper', () => {
    const depth = limits.depth + 1
    expect(plain(`${'- '.repeat(depth)}a`)).toBe(undefined)
    expect(plain('['.repeat(depth) + ']'.repeat(depth))).toBe(undefined)
    expect(plain(indented([...times(depth - 1, 'a:'), 'a: b'], 1))).toBe(undefined)
  })

  test('refuses what has too many tokens where it meets one too many', () => {
    const flood = (place: string) => ['refused', `${place} more than 500000 tokens: the file is not read (split it into several files)`]
    expect(plain('- a\n'.repeat(100), 12)).toEqual(flood('11-12'))
    expect(plain('a: b\n'.repeat(1), 3)).toEqual(flood('4-5'))
    expect(plain(Array.from({ length: 50 }, (_, i) => `k${i}: b\n`).join(''), 20)).toEqual(flood('17-18'))
    expect(plain(`[${'a, '.repeat(100)}]`, 20)).toEqual(flood('16-17'))
    expect(plain('- a\n', 0)).toEqual(flood('3-4'))
  })

  test('finds a key that is given twice among any number of them', () => {
    for (const amount of [1, 2, 11, 12, 13, 14, 30]) {
      const keys = Array.from({ length: amount }, (_, i) => `k${i}`)
      for (const write of [
        (all: string[]) => all.map((key) => `${key}: 1\n`).join(''),
        (all: string[]) => `{${all.map((key) => `${key}: 1`).join(', ')}}`,
      ]) {
        expect(plain(write(keys))).toEqual(yaml(write(keys)))
        for (const again of new Set(['k0', `k${amount - 1}`, `k${amount >> 1}`])) expect(plain(write([...keys, again]))).toBe(undefined)
      }
    }
  })
})
