import { describe, expect, test } from 'vitest'
import { defaultSettings } from '../../src/names.ts'
import { limits } from '../../src/parser/limits.ts'
import { readSource } from '../../src/parser/read-source.ts'
import { readTree } from '../../src/parser/tree.ts'
import { readYaml } from '../../src/parser/yaml.ts'
import { type Notation, position, sourceOf } from '../../src/source.ts'
import { plainValue } from '../../src/tree.ts'

/** Files made to harm or to mislead, by threat, and the line and kind of the answer. */
type Row = readonly [threat: string, shows: string, notation: Notation, text: string, answer: string]

const policy = (list: string) => `{"name":"x","permissions":${list}}`
const times = (text: string, length: number) => text.repeat(Math.floor(length / text.length))
const million = 1024 * 1024

const rows: readonly Row[] = [
  ['T1', 'a deny overwritten by an empty one', 'json', policy('{"deny":[{"action":"x"}],"deny":[]}'), '1 syntax'],
  ['T1', 'the same by an escape', 'json', policy('{"deny":[{"action":"x"}],\n"\\u0064eny":[]}'), '2 syntax'],
  ['T1', 'the same by null', 'json', policy('{"deny":[{"action":"x"}],"deny":null}'), '1 syntax'],
  ['T1', 'two sets of permissions', 'json', '{\n"permissions":{"deny":["x"]},\n"permissions":{"allow":["*"]}}', '3 syntax'],
  ['T1', 'keys that look the same', 'json', '{"caf\\u00e9":1,\n"cafe\\u0301":2}', '2 syntax'],
  ['T2', 'a deny overwritten by an empty one', 'yaml', 'deny: [x]\nallow: [y]\ndeny: []\n', '3 syntax'],
  ['T2', 'keys of two kinds with one text', 'yaml', '1: x\n"1": y\n', '1 syntax'],
  ['T2', 'null and the empty key', 'yaml', '~: x\n"": y\n', '1 syntax'],
  ['T2', 'as many keys as fit', 'yaml', Array.from({ length: 60_000 }, (_, i) => `k${i}: a`).join('\n'), 'read'],
  [
    'T3',
    'ten times ten aliases',
    'yaml',
    `a: &a [x]\n${[...'bcdefghij'].map((c, i) => `${c}: &${c} [${'*abcdefghij'[i + 1] === undefined ? '' : `*${'abcdefghij'[i]},`.repeat(10)}]`).join('\n')}\n`,
    '1 syntax',
  ],
  ['T3', 'an alias that holds itself', 'yaml', 'a: &a [*a]\n', '1 syntax'],
  ['T3', 'a legal alias', 'yaml', 'x: &x [a]\ndeny: *x\n', '1 syntax'],
  ['T4', 'a bare wildcard', 'yaml', 'allow:\n  - action: *\n', '2 syntax'],
  ['T4', 'a bare wildcard before a colon', 'yaml', 'allow:\n  - *:apisvc:get\n', '2 syntax'],
  ['T4', 'a bare wildcard in a flow list', 'yaml', 'allow: [*, a]\n', '1 syntax'],
  ['T4', 'a bare wildcard as key', 'yaml', 'a: 1\n*: 2\n', '2 syntax'],
  ['T5', 'lists in lists', 'json', '['.repeat(100_000), '1 syntax refused'],
  ['T5', 'objects in objects', 'json', '{"a":\n'.repeat(100_000), '65 syntax refused'],
  ['T5', 'lists in objects in lists', 'json', '[{"a":'.repeat(50_000), '1 syntax refused'],
  ['T5', 'lists and maps closed as well', 'json', `${'['.repeat(65)}1${']'.repeat(65)}`, '1 syntax refused'],
  ['T5', 'flow lists', 'yaml', '['.repeat(100_000), '1 syntax refused'],
  ['T5', 'flow maps', 'yaml', '{a: '.repeat(100_000), '1 syntax refused'],
  ['T5', 'block lists on a line', 'yaml', `${'- '.repeat(100_000)}a`, '1 syntax refused'],
  ['T5', 'block maps', 'yaml', Array.from({ length: 300 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'), '65 syntax refused'],
  ['T5', 'explicit keys', 'yaml', '? '.repeat(100_000), '1 syntax refused'],
  ['T5', 'one level too many in all', 'yaml', `${'- '.repeat(33)}${'['.repeat(32)}a${']'.repeat(32)}`, '1 syntax refused'],
  ['T5', 'as many levels as are read', 'yaml', `${'- '.repeat(32)}${'['.repeat(32)}a${']'.repeat(32)}`, 'read'],
  ['T6', 'closing brackets', 'yaml', ']'.repeat(million), '1 syntax'],
  ['T6', 'closing braces after a line', 'yaml', `a: b\n${'}'.repeat(million - 5)}`, '2 syntax'],
  ['T6', 'commas in a flow list', 'yaml', `[${','.repeat(400_000)}`, '1 syntax'],
  ['T6', 'entries without end', 'yaml', `[${times('a,', million - 1)}`, '1 syntax refused'],
  ['T6', 'entries in a list that ends', 'yaml', `[${times('a,', million - 2)}]`, '1 syntax refused'],
  ['T6', 'the same, beyond the length of the full reader', 'yaml', `[${times('a,', 8 * million - 2)}]`, '1 syntax refused'],
  ['T6', 'lists in a list', 'yaml', `[${times('[],', 8 * million - 2)}]`, '1 syntax refused'],
  ['T6', 'items without anything', 'yaml', times('-\n', 8 * million), `${limits.yamlTokens / 2} syntax refused`],
  ['T6', 'a comment a line', 'yaml', `a: b\n${times('#\n', 600_000)}`, '300001 syntax refused'],
  ['T6', 'anchors', 'yaml', times('&a ', 400_000), '1 syntax'],
  ['T6', 'wrong escapes', 'yaml', `a: "${times('\\q', million - 10)}"`, '1 syntax'],
  ['T6', 'documents', 'yaml', times('--- a\n', 200_000), `${limits.yamlDocuments + 1} syntax refused`],
  ['T6', 'directives', 'yaml', times('%a\n', 100_000), '1 syntax'],
  ['T6', 'entries without commas', 'json', `[${times('1 ', million)}]`, '1 syntax'],
  ['T6', 'quotes', 'json', '"'.repeat(million), '1 syntax'],
  ['T6', 'a key without end, twice', 'json', `{"${'k'.repeat(million)}":1,\n"${'k'.repeat(million)}":2}`, '2 syntax'],
  ['T6', 'a word without end', 'json', `[1${'.'.repeat(4 * million)}x]`, '1 syntax'],
  ['T6', 'a number as key, without end', 'yaml', `${'1'.repeat(1_000)}: a\n`, '1 syntax'],
  ['T7', 'YAML past its length', 'yaml', `a: |\n${times('  b\n', million)}`, '1 syntax refused'],
  ['T7', 'JSON past its length', 'json', `["${'a'.repeat(8 * million)}"]`, '1 syntax refused'],
  ['T7', 'YAML of the greatest length', 'yaml', `a: |\n${times('  b\n', million - 5)}`, 'read'],
  ['T8', 'YAML 1.1', 'yaml', '%YAML 1.1\n---\nreadOnly: on\n', '1 syntax'],
  ['T8', 'YAML 1.3', 'yaml', '%YAML 1.3\n---\na: 1\n', '1 syntax'],
  ['T8', 'a directive before the second document', 'yaml', 'a: 1\n...\n%YAML 1.1\n---\na: on\n', '3 syntax'],
  ['T8', 'a tag prefix', 'yaml', '%TAG !e! tag:example.com,2000:\n---\na: 1\n', '1 syntax'],
  ['T8', 'an unknown directive', 'yaml', '%FOO bar\n---\na: 1\n', '1 syntax'],
  ['T8', 'an unknown tag', 'yaml', 'allow: [a]\n!deny x: y\n', '2 syntax'],
  ['T8', 'a known tag', 'yaml', 'a: !!binary aGk=\n', '1 syntax'],
  ['T8', 'a verbatim tag', 'yaml', 'a: !<tag:yaml.org,2002:str> 1\n', '1 syntax'],
  ['T8', 'the tag of nothing', 'yaml', 'a: ! 1\n', '1 syntax'],
  ['T8', 'the directive of this version', 'yaml', '%YAML 1.2\n---\na: on\n', 'read'],
  ['T9', 'a merge key', 'yaml', 'a: {b: 1}\nc:\n  <<: {deny: []}\n', '3 syntax'],
  ['T9', 'a quoted merge key is a key', 'yaml', '"<<": 1\n', 'read'],
  ['T10', 'YAML in a JSON file', 'json', 'deny:\n  - x\n', '1 syntax'],
  ['T10', 'a comment in a JSON file', 'json', '{\n  # deny\n}\n', '2 syntax'],
  ['T10', 'a trailing comma in a JSON file', 'json', '{\n  "a": [1,\n  2,]\n}\n', '3 syntax'],
  ['T10', 'a bare key in a JSON file', 'json', '{deny: ["x"]}', '1 syntax'],
  ['T11', 'a date is text', 'yaml', 'a: 2024-01-01\n', 'read'],
  ['T11', 'not a number', 'json', '[NaN]', '1 syntax'],
  ['T12', 'a byte order mark before JSON', 'json', '\ufeff{}', '1 stray-character warned of'],
  ['T12', 'a byte order mark before YAML', 'yaml', '\ufeffa: 1\n', '1 stray-character warned of'],
  ['T12', 'a byte order mark before the second document', 'yaml', 'a: 1\n---\n\ufeffb: 1\n', '3 stray-character warned of'],
  ['T12', 'half a surrogate pair, escaped, in JSON', 'json', '{\n"a":"\\ud800"}', '2 syntax'],
  ['T12', 'half a surrogate pair, escaped, in YAML', 'yaml', 'a: 1\nb: "\\udc00"\n', '2 syntax'],
  ['T12', 'half a surrogate pair in JSON', 'json', '{"a":"\ud800"}', '1 stray-character'],
  ['T12', 'half a surrogate pair in YAML', 'yaml', 'a: \udc00\n', '1 stray-character'],
  ['T12', 'UTF-16 read as UTF-8', 'json', '{\0"\0a\0"\0:\x001\0}\0', '1 syntax'],
  ['T13', '__proto__ in JSON', 'json', '{"__proto__":{"readOnly":true},"constructor":{"prototype":1}}', 'read'],
  ['T13', '__proto__ in YAML', 'yaml', '__proto__: {readOnly: true}\nconstructor: {prototype: 1}\n', 'read'],
  ['T13', '__proto__ twice', 'yaml', '__proto__: 1\n__proto__: 2\n', '2 syntax'],
  ...[
    ...['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069', '\u200e', '\u200f', '\u061c'],
    ...[
      '\u200b',
      '\u200c',
      '\u200d',
      '\u2060',
      '\ufeff',
      '\u00ad',
      '\u180e',
      '\u{e0041}',
      '\u2028',
      '\u2029',
      '\u007f',
      '\u009b',
      '\u0085',
    ],
  ].flatMap((c): Row[] => {
    const name = `U+${c.codePointAt(0)?.toString(16)}`
    return [
      ['T14', `${name} in a description`, 'json', `{"name":"x",\n"description":"a${c}b"}`, '2 stray-character warned of'],
      ['T14', `${name} in a comment`, 'yaml', `name: x\n# a${c}b\n`, '2 stray-character warned of'],
      ['T14', `${name} in an action`, 'yaml', `- a:b:c\n- a:b:${c}c\n`, '2 stray-character warned of'],
    ]
  }),
  ['T14', 'a text that is not composed', 'json', '{"a":1,\n"b":"e\u0301"}', '2 stray-character warned of'],
  ['T14', 'a text that is not composed', 'yaml', 'a: 1\nb: "e\u0301"\n', '2 stray-character warned of'],
  ['T14', 'marks without end on a letter', 'json', `{"a":1,\n"b":"a${'\u0301\u0323'.repeat(million)}"}`, '2 stray-character warned of'],
  ['T14', 'the same in a key', 'json', `{"a":1,\n"a${'\u0301\u0323'.repeat(million)}":"b"}`, '2 stray-character warned of'],
  ['T14', 'marks without end on a letter', 'yaml', `a: 1\nb: a${'\u0301\u0323'.repeat(million / 4)}\n`, '2 stray-character warned of'],
  ['T14', 'a description in another script', 'json', '{"description":"équipe réseau 日本語 ⚠️"}', 'read'],
  ['T14', 'a description in another script', 'yaml', 'description: équipe réseau 日本語 ⚠️\n', 'read'],
]

/** Every shape of nesting at every depth around and past what is read. */
const nested: readonly (readonly [shape: string, notation: Notation, open: string, inner: string, close: string, levels: number])[] = [
  ['lists in JSON', 'json', '[', '1', ']', 1],
  ['objects in JSON', 'json', '{"a":', '1', '}', 1],
  ['lists and objects in JSON', 'json', '[{"a":', '1', '}]', 2],
  ['lists on lines of JSON', 'json', '[\n', '1', '\n]', 1],
  ['flow lists', 'yaml', '[', 'a', ']', 1],
  ['flow maps', 'yaml', '{a: ', 'b', '}', 1],
  ['flow maps in flow lists', 'yaml', '[{a: ', 'b', '}]', 2],
  ['block lists', 'yaml', '- ', 'a', '', 1],
]
const depths = [2, 32, 62, 64, 66, 68, 100, 1_000, 10_000, 100_000]
const tag = (written: string): Row => ['T8', `the tag ${written}`, 'yaml', `a: 1\nb: ${written} c\n`, '2 syntax']
const directive = (written: string): Row => ['T8', `the directive ${written}`, 'yaml', `${written}\n---\na: 1\n`, '1 syntax']
const twice = (shows: string, second: string, first = 'deny'): Row => [
  'T1',
  `${shows}, twice`,
  'json',
  `{"${first}":["x"],\n"${second}":[]}`,
  '2 syntax',
]
const more: readonly Row[] = [
  ...[
    '!!str',
    '!!int',
    '!!bool',
    '!!null',
    '!!float',
    '!!set',
    '!!omap',
    '!!pairs',
    '!!timestamp',
    '!!js/function',
    '!x',
    '!x!y',
    '!<x>',
  ].map(tag),
  ...['%YAML 1.0', '%YAML 2.0', '%YAML 1', '%YAML', '%TAG ! !x', '%TAG !! tag:x', '%yaml 1.2', '%X'].map(directive),
  twice('a key', 'deny'),
  ...[...'deny'].map((letter, i) => {
    const escaped = `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
    return twice(`a key with letter ${i + 1} escaped`, `${'deny'.slice(0, i)}${escaped}${'deny'.slice(i + 1)}`)
  }),
  twice('a key with all letters escaped', '\\u0064\\u0065\\u006e\\u0079'),
  twice('a key with escapes in capitals', '\\u006E', 'n'),
  twice('an empty key', '', ''),
  twice('a slash', '\\/', '/'),
  twice('a tab', '\\u0009', '\\t'),
  twice('a quote', '\\u0022', '\\"'),
  twice('a backslash', '\\u005c', '\\\\'),
  twice('a letter of two units', '\\ud83d\\ude00', '😀'),
  twice('a composed letter, escaped', 'e\\u0301', '\\u00e9'),
  twice('a key of the prototype', '__proto__', '__proto__'),
  ...['allow', 'except', 'name', 'identities', 'resources', 'permissions', 'conditions', 'expiredAt', 'urn', 'action'].map((key) =>
    twice(`\`${key}\``, key, key),
  ),
]

describe('hostile files', () => {
  // covers: T5
  test.each(nested.flatMap((shape) => depths.map((depth) => [depth, ...shape] as const)))(
    'T5 %i levels, %s',
    (depth, _, notation, open, inner, close, levels) => {
      const times = depth / levels
      const { documents, diagnostics, refused } = readTree(
        sourceOf('p', open.repeat(times) + inner + close.repeat(times), notation),
        readYaml,
      )
      if (depth <= limits.depth) {
        expect([diagnostics, documents.length]).toEqual([[], 1])
        return
      }
      expect(diagnostics.map(({ code }) => code)).toEqual(['syntax'])
      expect([refused, documents]).toEqual([true, []])
    },
  )

  // covers: T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14
  test.each([...rows, ...more])('%s %s, %s', (_, __, notation, text, answer) => {
    const { documents, diagnostics, refused } = readTree(sourceOf('p', text, notation), readYaml)
    if (answer === 'read') {
      expect(diagnostics).toEqual([])
      expect(documents).toHaveLength(1)
      return
    }
    const [first] = diagnostics
    const isWarned = first!.severity === 'warning'
    const place = position(first!.span.source, first!.span.start)
    expect(`${place.line} ${first!.code}${refused ? ' refused' : ''}${isWarned ? ' warned of' : ''}`).toBe(answer)
    expect(diagnostics.length).toBeLessThanOrEqual(limits.problems)
    if (refused) expect(documents).toEqual([])
    for (const { code, severity, message, help = '' } of diagnostics) {
      expect(severity).toBe(isWarned && code === 'stray-character' ? 'warning' : 'error')
      expect((message + help).length).toBeLessThan(600)
      expect(message + help).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u)
    }
  })

  /** A text that hides something keeps a policy that it is in from being decided, and nothing else. */
  const policyWith = (part: string) =>
    `identities: ["urn:v1:eu:identity:user:ab12-svc/ann"]\nresources: [{urn: "urn:v1:eu:resource:vps:*"}]\npermissions: {allow: [{action: "vps:*"}]}\n${part}\n`
  // covers: T14
  test.each<readonly [shows: string, notation: Notation, text: string, severities: readonly string[]]>([
    ['invisible in the name of a policy', 'yaml', policyWith('name: "a\u200bb"'), ['error']],
    [
      'invisible in a key of a condition',
      'yaml',
      policyWith('name: a\nconditions: {operator: MATCH, values: {"resource.Tag(a\u200b)": b}}'),
      ['error'],
    ],
    [
      'invisible in a value of a condition',
      'yaml',
      policyWith('name: a\nconditions: {operator: MATCH, values: {"resource.Tag(a)": "b\u00ad"}}'),
      ['error'],
    ],
    [
      'not composed in a value of a condition',
      'yaml',
      policyWith('name: a\nconditions: {operator: MATCH, values: {"resource.Tag(a)": "be\u0301"}}'),
      ['error'],
    ],
    ['invisible in a description', 'yaml', policyWith('name: a\ndescription: "a\u200bb"'), ['warning']],
    ['not composed in a description', 'yaml', policyWith('name: a\ndescription: "be\u0301"'), ['warning']],
    ['direction-changing in a description', 'yaml', policyWith('name: a\ndescription: "a\u202eb"'), ['error']],
    ['a line separator in a description', 'yaml', policyWith('name: a\ndescription: "a\u2028b"'), ['error']],
    ['invisible in a comment within a policy', 'yaml', policyWith('# a\u200bb\nname: a'), ['warning']],
    ['direction-changing in a comment within a policy', 'yaml', policyWith('# a\u2067b\nname: a'), ['error']],
    ['direction-changing in a comment before a policy', 'yaml', `# a\u2067b\n${policyWith('name: a')}`, ['warning']],
    [
      'invisible beside policies',
      'yaml',
      `policies: []\nresources: [{urn: "urn:v1:eu:resource:vps:a", tags: {a: "b\u200b\u202e"}}]\n`,
      ['warning', 'warning'],
    ],
    ['invisible between the parts of JSON', 'json', '{"policies":\u200b[]}', ['error']],
    [
      'joined emoji in a name, a description and a comment',
      'yaml',
      policyWith('# 👩\u200d💻\nname: "👩🏽\u200d💻 team"\ndescription: "🏳️\u200d🌈"'),
      [],
    ],
    ['words of Persian', 'yaml', policyWith('name: "نمی\u200cخواهم"'), []],
  ])('%s', async (_, notation, text, severities) => {
    const { diagnostics } = await readSource(sourceOf('p', text, notation), defaultSettings)
    expect(diagnostics.map(({ severity }) => severity)).toEqual(severities)
  })

  // covers: T13
  test('a key of the prototype is only a key', () => {
    const { documents } = readTree(sourceOf('p', '{"__proto__":{"readOnly":true}}', 'json'))
    const value = plainValue(documents[0]!) as Record<string, unknown>
    expect(Object.getPrototypeOf(value)).toBe(null)
    expect('readOnly' in value).toBe(false)
    expect(Object.keys(value)).toEqual(['__proto__'])
  })
})
