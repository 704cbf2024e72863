import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Lexer } from 'yaml'
import { limits } from '../../src/parser/limits.ts'
import { readTree } from '../../src/parser/tree.ts'
import { readYaml } from '../../src/parser/yaml.ts'
import { tooManyTokens } from '../../src/parser/yaml-tokens.ts'
import { position, sourceOf } from '../../src/source.ts'
import { type Node, plainValue } from '../../src/tree.ts'
import { mutants, policyTexts } from '../hostile/mutants.ts'
import { counted } from '../support/counted.ts'
import { effort } from '../support/effort.ts'

function read(text: string) {
  return readYaml(sourceOf('p.yaml', text))
}

function values(text: string): string {
  const { documents, diagnostics } = read(text)
  expect(diagnostics).toEqual([])
  return JSON.stringify(documents.map(plainValue))
}

/** `line:column` and the text of each problem, as far as it is shown. */
function problems(text: string): string[] {
  return read(text).diagnostics.map(({ span, message }) => {
    const { line, column } = position(span.source, span.start)
    return `${line}:${column} ${message}`
  })
}

const accepted: readonly (readonly [shows: string, text: string, values: string])[] = [
  ['a block mapping', 'a: 1\nb: x\n', '[{"a":1,"b":"x"}]'],
  ['a block list', '- a\n- b\n', '[["a","b"]]'],
  ['a list at the column of its key', 'a:\n- 1\n- 2\n', '[{"a":[1,2]}]'],
  ['compact entries', '- a: 1\n  b: 2\n- a: 3\n', '[[{"a":1,"b":2},{"a":3}]]'],
  ['lists in lists', '- - 1\n  - 2\n- - 3\n', '[[[1,2],[3]]]'],
  ['flow collections over lines', 'a: {b: [1,\n  2], # c\n  c: d}\n', '[{"a":{"b":[1,2],"c":"d"}}]'],
  ['a trailing comma in flow', '[a, b,]', '[["a","b"]]'],
  ['quotes of both kinds', `a: "x\\n\\u00e9"\nb: 'it''s'\n`, '[{"a":"x\\né","b":"it\'s"}]'],
  ['colons and wildcards in plain text', '- vps:apisvc:*\n- a*\n', '[["vps:apisvc:*","a*"]]'],
  ['a literal block', 'a: |\n  x\n  y\nb: 1\n', '[{"a":"x\\ny\\n","b":1}]'],
  ['a folded block', 'a: >-\n  x\n  y\n', '[{"a":"x y"}]'],
  ['a text over two lines', 'a: x\n  y\n', '[{"a":"x y"}]'],
  ['comments everywhere', '# a\na: 1 # b\n# c\nb: #d\n  2\n', '[{"a":1,"b":2}]'],
  ['a tab before a comment', 'a: 1\t# b\n', '[{"a":1}]'],
  ['CRLF', 'a: 1\r\nb:\r\n  - x\r\n', '[{"a":1,"b":["x"]}]'],
  ['the words of the core schema', '[~, null, true, False, 1, 0x1f, 0o17, 1e3, .5]', '[[null,null,true,false,1,31,15,1000,0.5]]'],
  ['words of older versions are text', '[yes, no, on, off, y, n, 0b1, 1_000]', '[["yes","no","on","off","y","n","0b1","1_000"]]'],
  ['a leading zero is decimal', '[010, 0o10]', '[[10,8]]'],
  ['missing values', 'a:\nb: ~\nc:\n', '[{"a":null,"b":null,"c":null}]'],
  ['several documents', '---\na: 1\n---\n- b\n...\n---\n~\n', '[{"a":1},["b"],null]'],
  ['empty documents are passed over', '---\n---\n# c\n---\na: 1\n---\n', '[{"a":1}]'],
  ['the directive of this version', '%YAML 1.2 # c\n---\na: on\n', '[{"a":"on"}]'],
  ['special keys', '__proto__: 1\nconstructor: 2\n"": 3\n"1": 4\n"~": 5\n', '[{"1":4,"__proto__":1,"constructor":2,"":3,"~":5}]'],
  ['an explicit key', '? a\n: b\n', '[{"a":"b"}]'],
  ['a pair in a flow list', '[a: 1]', '[[{"a":1}]]'],
  ['ends without a line break', 'a: [b, "c"]', '[{"a":["b","c"]}]'],
]

const rejected: readonly (readonly [shows: string, text: string, first: string])[] = [
  ['a bare wildcard', 'a:\n  - *\n', '2:5 an unquoted `*` begins an alias'],
  ['a wildcard that begins an action', 'action: *:apisvc:get\n', '1:9 an unquoted `*` begins an alias'],
  ['a wildcard in a flow list', '[a, *]\n', '1:5 an unquoted `*` begins an alias'],
  ['a wildcard as key', '*: a\n', '1:1 an unquoted `*` begins an alias'],
  ['an anchor', 'a: &x 1\n', '1:4 `&x` sets an anchor'],
  ['an anchor on a map', 'a: &x\n  b: 1\n', '1:4 `&x` sets an anchor'],
  ['a tag', 'deny: !x [a]\n', '1:7 `!x` is a tag'],
  ['a known tag', 'a: !!str 1\n', '1:4 `!!str` is a tag'],
  ['another version', '%YAML 1.1\n---\na: on\n', '1:1 `%YAML 1.1` asks for another version'],
  ['a directive', '%TAG ! tag:x,2000:\n---\na\n', '1:1 `%TAG ! tag:x,2000:` is a directive'],
  ['a merge key', 'a: 1\n<<: {b: 1}\n', '2:1 merge keys'],
  ['a number as key', '1: a\n', '1:1 this key is a number'],
  ['a boolean as key', 'true: a\n', '1:1 this key is a boolean'],
  ['null as key', '~: a\n', '1:1 this key is null'],
  ['a missing key', 'a: 1\n: b\n', '2:1 a key is missing'],
  ['a list as key', '[a]: b\n', '1:1 this key is a list or a map'],
  ['a key twice', 'a: 1\nb: 2\na: 3\n', '3:1 the key `a` is given twice'],
  ['a key twice, once quoted', 'a: 1\n"\\x61": 2\n', '2:1 the key `a` is given twice'],
  ['a key twice, composed and not', '"\\u00e9": 1\n"e\\u0301": 2\n', '2:1 the key `'],
  ['a key twice, composed and not, as it is', '\u00e9: 1\ne\u0301: 2\n', '2:1 a letter is written as two'],
  ['a key twice in flow', '{deny: [a], deny: []}', '1:13 the key `deny` is given twice'],
  ['a tab as indentation', 'a:\n\t- b\n', '2:1 a tab in the indentation'],
  ['entries at two columns', 'a:\n  b: 1\n   c: 2\n', '2:6 nested mappings'],
  ['two colons on a line', 'a: b: c\n', '1:4 nested mappings'],
  ['an unclosed list', 'a: [b\nc: 1\n', '1:4 this `[` is never closed'],
  ['an unclosed list at the end', 'a:\n  - [b, {c: d}', '2:5 this `[` is never closed'],
  ['an unclosed map in a list', '[a, {b: c]\n', '1:5 this `{` is never closed'],
  ['an unclosed text', 'a: "b\n', '1:4 a text that is never closed'],
  ['a bracket that closes nothing', 'a: 1\n]\n', '2:1 `]` closes nothing'],
  ['a wrong escape', 'a: "\\q"\n', '1:5 invalid escape sequence \\q'],
  ['half a surrogate pair', 'a: "\\ud800"\n', '1:4 an escape in this text is half'],
  ['a reserved character', 'a: @b\n', '1:4 plain value cannot start with'],
  ['a carriage return alone', 'a: 1\rb: 2\n', '1:4 nested mappings'],
  ['a carriage return alone in a comment', 'a: 1 # x\rdeny: all\n', '1:9 U+000D'],
  ['a byte order mark', '\ufeffa: 1\n', '1:1 U+FEFF (byte order mark)'],
  ['an invisible character', 'a: b\u200bc\n', '1:5 U+200B is invisible'],
  ['a control character', 'a: b\x07c\n', '1:5 U+0007 is a control character'],
  ['a text that is not composed', 'a: e\u0301\n', '1:4 a letter is written as two'],
  ['nothing', '', '1:1 the file is empty'],
  ['only a comment', '# c\n', '1:1 the file is empty'],
  ['only empty documents', '---\n---\n', '1:1 the file is empty'],
]

describe('YAML', () => {
  test.each(accepted)('%s is read', (_, text, expected) => {
    expect(values(text)).toBe(expected)
  })

  test.each(rejected)('%s is a problem', (_, text, first) => {
    expect(problems(text)[0]).toMatch(new RegExp(`^${first.replace(/[^\w\s]/g, '\\$&')}`))
  })

  // covers: T4
  test('help for an unquoted wildcard is the quoted text, and the text is understood', () => {
    const { documents, diagnostics } = read('- *:apisvc:get\n- vps:*\n')
    expect(diagnostics).toHaveLength(1)
    expect(diagnostics[0]?.help).toContain('"*:apisvc:get"')
    expect(documents.map(plainValue)).toEqual([['*:apisvc:get', 'vps:*']])
  })

  test('an alias of an anchor that exists is distinguished from a wildcard', () => {
    expect(problems('a: &x 1\nb: *x\n')[1]).toMatch(/^2:4 `\*x` is an alias/)
  })

  test('all problems of a file come at once, in order', () => {
    expect(problems('a: &x 1\nb: *\nb: 2\n1: c\n').map((p) => p.slice(0, 3))).toEqual(['1:4', '2:4', '3:1', '4:1'])
  })

  test('the second of two keys points at the first', () => {
    const { diagnostics } = read('deny: [a]\ndeny: []\n')
    expect(diagnostics[0]?.related?.[0]?.span.start).toBe(0)
  })

  test('only what was not read at all is refused', () => {
    expect(['', '# c', '---\n', `${'- '.repeat(65)}a`].map((text) => read(text).refused)).toEqual([true, true, true, true])
    expect(['a: [', 'a: *', ']', '%YAML 1.1\n---\na'].map((text) => read(text).refused)).toEqual([false, false, false, false])
  })

  test('without the full reader, the answer says that it is needed', () => {
    const reading = readTree(sourceOf('p.yaml', 'a: |\n  x\n'))
    expect(reading).toMatchObject({ documents: [], refused: true, needsYaml: true })
    expect(reading.diagnostics).toHaveLength(1)
  })
})

describe('places', () => {
  test('a problem never begins or ends within a character', () => {
    const text = ': \u{e0041}:'
    for (const { span } of read(text).diagnostics) expect(text.slice(span.start, span.end)).not.toMatch(/\p{Cs}/u)
    expect(read(text).diagnostics.length).toBeGreaterThan(0)
  })

  const span = (text: string, find: (node: Node) => Node | undefined) => {
    const node = find(read(text).documents[0] as Node)
    return node && text.slice(node.start, node.end)
  }
  const at =
    (...path: (string | number)[]) =>
    (node: Node) => {
      let current: Node | undefined = node
      for (const step of path) {
        if (current?.kind === 'list') current = current.items[step as number]
        else if (current?.kind === 'map') current = current.entries.find(({ key }) => key.value === step)?.value
      }
      return current
    }

  test('texts include their quotes, blocks their header, and nothing behind them', () => {
    expect(span('a: "x"  # c\n', at('a'))).toBe('"x"')
    expect(span("a: 'x'\n", at('a'))).toBe("'x'")
    expect(span('a: x y  # c\n', at('a'))).toBe('x y')
    expect(span('a: |\n  x\n  y\nb: 1\n', at('a'))).toBe('|\n  x\n  y\n')
    expect(span('- a: 1\n  b: 2  # c\n\n# d\n- c\n', at(0))).toBe('a: 1\n  b: 2')
    expect(span('a:\n  - 1\n  - 2\n\nb: 1\n', at('a'))).toBe('- 1\n  - 2')
    expect(span('a: [1, 2] # c\n', at('a'))).toBe('[1, 2]')
    expect(span('a:\nb: 1\n', at('a'))).toBe('')
  })

  test('what a scalar spans, read again, is the scalar', () => {
    function* scalars(node: Node): Generator<Node> {
      if (node.kind === 'list') for (const item of node.items) yield* scalars(item)
      else if (node.kind === 'map') for (const { key, value } of node.entries) yield* [key, ...scalars(value)]
      else yield node
    }
    for (const text of policyTexts.yaml.slice(0, 2)) {
      for (const document of read(text).documents) {
        for (const node of scalars(document)) {
          if (node.start < node.end) expect(read(text.slice(node.start, node.end)).documents.map(plainValue)).toEqual([plainValue(node)])
        }
      }
    }
  })
})

/** Where each token begins, as far as brackets fit; `isWhole` if they all do. */
function tokensIn(text: string): { readonly starts: readonly number[]; readonly isWhole: boolean } {
  const starts: number[] = []
  let [at, depth, isText] = [0, 0, false]
  for (const token of new Lexer().lex(text)) {
    starts.push(at)
    if (token === '\x18') depth = 0
    else if (!isText && '[{'.includes(token)) depth += token.length
    else if (!isText && ']}'.includes(token)) depth -= token.length
    if (depth < 0 || depth > limits.depth) return { starts, isWhole: false }
    if (isText || !['\x02', '\x18', '\x1f'].includes(token)) at += token.length
    isText = token === '\x1f' && !isText
  }
  return { starts, isWhole: true }
}

/** A few of the characters that mean something, and pieces of lines. */
const pieces = fc.constantFrom(...'{}[]:,"\\\'#*&!|>-?%@` \n\r\t\0a1~'.split(''), '- ', ': ', '\n  ', '---\n', '...\n', '\r\n', 'key: ')
const anyText = fc.oneof(
  fc.array(pieces, { maxLength: 15 }).map((list) => list.join('')),
  fc.string(),
)

describe('the limit on tokens', () => {
  const check = (text: string) => {
    const { starts, isWhole } = tokensIn(text)
    for (let most = Math.min(starts.length - 1, text.length * 2); most >= 0; most--) {
      if (tooManyTokens(text, most) !== starts[most]) expect.fail(`token ${most + 1} of ${JSON.stringify(text)}`)
    }
    if (isWhole && tooManyTokens(text, starts.length) !== -1) expect.fail(`${starts.length} tokens: ${JSON.stringify(text)}`)
  }

  // covers: T6
  test('each token is counted, where it begins', () => {
    for (const text of mutants([...policyTexts.yaml, ...policyTexts.json], counted(effort(2_000)), 3)) check(text)
    fc.assert(fc.property(anyText, check), { numRuns: counted(effort(10_000)) })
  })

  test('what is behind the head of a block scalar is one token, whatever it is', () => {
    for (const text of ['|- ]{', '|- [{', '> ]', 'a: |+ }]\n b', '[a, |]']) check(text)
  })

  // covers: T6
  test('brackets that do not fit end the count: the reader reports them', () => {
    expect(tooManyTokens(']a: b', 2)).toBe(-1)
    expect(tooManyTokens(`${'['.repeat(limits.depth + 1)}a`, limits.depth + 2)).toBe(-1)
  })
})

describe('any text', () => {
  // covers: M52
  test('never an exception, and every place is in the text', () => {
    const check = (text: string) => {
      const { documents, diagnostics, refused } = read(text)
      if (refused && (documents.length > 0 || diagnostics.length === 0)) expect.fail(`refused without a reason: ${JSON.stringify(text)}`)
      if (documents.length === 0 && diagnostics.length === 0) expect.fail(`nothing read, nothing said: ${JSON.stringify(text)}`)
      for (const { span } of diagnostics) {
        if (!(0 <= span.start && span.start <= span.end && span.end <= text.length))
          expect.fail(`place ${span.start}–${span.end}: ${JSON.stringify(text)}`)
      }
    }
    for (const text of mutants([...policyTexts.yaml, ...policyTexts.json], counted(effort(4_000)), 2)) check(text)
    const pieces = fc.constantFrom(...'{}[]:,"\\\'#*&!|>-?%@` \n\r\t\0a1~'.split(''), '- ', ': ', '\n  ', '---\n', '...\n', '\r\n', 'key: ')
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(pieces, { maxLength: 15 }).map((list) => list.join('')),
          fc.string(),
        ),
        check,
      ),
      { numRuns: counted(effort(4_000)) },
    )
  })
})
