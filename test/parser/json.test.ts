import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loneSurrogate } from '../../src/parser/characters.ts'
import { readTree } from '../../src/parser/tree.ts'
import { readYaml } from '../../src/parser/yaml.ts'
import { position, sourceOf } from '../../src/source.ts'
import { type Node, plainValue } from '../../src/tree.ts'
import { mutants, policyTexts } from '../hostile/mutants.ts'
import { counted } from '../support/counted.ts'
import { effort } from '../support/effort.ts'

function read(text: string) {
  return readTree(sourceOf('p.json', text))
}

/** `line:column` of the first problem, or 'ok'. */
function first(text: string): string {
  const [problem] = [...read(text).diagnostics].sort((a, b) => a.span.start - b.span.start)
  if (!problem) return 'ok'
  const { line, column } = position(problem.span.source, problem.span.start)
  return `${line}:${column}`
}

const accepted: readonly (readonly [shows: string, text: string])[] = [
  ['an empty object', '{}'],
  ['an empty list', '[]'],
  ['blanks of all four kinds', ' \t\r\n[ \t\r\n1 \t\r\n, 2 ] \t\r\n'],
  ['a text alone', '"a"'],
  ['an empty text', '""'],
  ['a number alone', '0'],
  ['minus zero', '-0'],
  ['a negative number', '[-12]'],
  ['a fraction', '[0.5]'],
  ['a negative fraction', '[-0.5]'],
  ['an exponent', '[1e2]'],
  ['a capital exponent with plus', '[1E+2]'],
  ['an exponent with minus', '[1.5e-2]'],
  ['an exponent with leading zeros', '[1e007]'],
  ['an integer past 2^53', '[9007199254740993]'],
  ['a number past the greatest', '[1e999]'],
  ['a number below the least', '[1e-999]'],
  ['many digits', `[${'1234567890'.repeat(30)}]`],
  ['true', 'true'],
  ['false', '[false]'],
  ['null', '{"a":null}'],
  ['every short escape', '"\\"\\\\\\/\\b\\f\\n\\r\\t"'],
  ['an escaped unit', '"\\u0041"'],
  ['hexadecimal digits in both cases', '"\\uaBcD"'],
  ['an escaped NUL', '"\\u0000"'],
  ['an escaped surrogate pair', '"\\ud83d\\ude00"'],
  ['a raw surrogate pair', '"😀"'],
  ['a raw letter outside ASCII', '"é"'],
  ['a raw non-character', '"\uffff"'],
  ['a raw DEL escaped', '"\\u007f"'],
  ['a slash, plain and escaped', '["/","\\/"]'],
  ['brackets in a text', '["{[]}"]'],
  ['a comment sign in a text', '["// # /* */"]'],
  ['the key __proto__', '{"__proto__":1}'],
  ['the key constructor', '{"constructor":{"prototype":1}}'],
  ['an empty key', '{"":1}'],
  ['keys that differ in case', '{"a":1,"A":2}'],
  ['keys that differ in a blank', '{"a":1,"a ":2}'],
  ['one key in two objects', '[{"a":1},{"a":1}]'],
  ['one key inside itself', '{"a":{"a":{"a":1}}}'],
  ['twenty keys', `{${Array.from({ length: 20 }, (_, i) => `"k${i}":${i}`).join()}}`],
  ['64 levels of lists', '['.repeat(64) + ']'.repeat(64)],
  ['64 levels of objects', `${'{"a":'.repeat(63)}{}${'}'.repeat(63)}`],
  ['a very long text', `"${'a'.repeat(100_000)}"`],
]

const rejected: readonly (readonly [shows: string, text: string, at: string])[] = [
  ['nothing', '', '1:1'],
  ['only blanks', ' \n ', '1:1'],
  ['a byte order mark', '\ufeff{}', '1:1'],
  ['only a byte order mark', '\ufeff', '1:1'],
  ['a NUL', '\0', '1:1'],
  ['an unclosed list', '[', '1:1'],
  ['an unclosed list after a value', '\n [1', '2:2'],
  ['an unclosed list after a comma', '[1,', '1:1'],
  ['an unclosed object', '{', '1:1'],
  ['an unclosed object after a key', '{"a"', '1:1'],
  ['an unclosed object after a colon', '{"a":', '1:1'],
  ['an unclosed object after a value', '{"a":1', '1:1'],
  ['an unclosed object after a comma', '{"a":1,', '1:1'],
  ['an unclosed inner list', '{"a":[1}', '1:8'],
  ['an unclosed inner object', '[{"a":1]', '1:8'],
  ['a list closed as an object', '[1}', '1:3'],
  ['an object closed as a list', '{"a":1]', '1:7'],
  ['a bracket that closes nothing', '[]]', '1:3'],
  ['a brace that closes nothing', '{}}', '1:3'],
  ['only a closing bracket', ']', '1:1'],
  ['a trailing comma in a list', '[1,]', '1:3'],
  ['a trailing comma in an object', '{"a":1,}', '1:7'],
  ['a trailing comma on a line of its own', '[1\n,\n]', '2:1'],
  ['a comma first', '[,1]', '1:2'],
  ['only a comma', '[,]', '1:2'],
  ['two commas', '[1,,2]', '1:4'],
  ['a comma first in an object', '{,"a":1}', '1:2'],
  ['two commas in an object', '{"a":1,,"b":2}', '1:8'],
  ['a comma after the value', '[],', '1:3'],
  ['a missing comma between texts', '["a" "b"]', '1:6'],
  ['a missing comma between numbers', '[1 2]', '1:4'],
  ['a missing comma between objects', '[{}\n{}]', '2:1'],
  ['a missing comma between entries', '{"a":1 "b":2}', '1:8'],
  ['a missing colon', '{"a" 1}', '1:6'],
  ['a missing colon before an object', '{"a" {}}', '1:6'],
  ['an equals sign', '{"a"=1}', '1:5'],
  ['an arrow', '{"a"=>1}', '1:5'],
  ['a comma for a colon', '{"a",1}', '1:2'],
  ['a semicolon for a comma', '[1;2]', '1:3'],
  ['two colons', '{"a"::1}', '1:6'],
  ['a colon in a list', '["a":1]', '1:5'],
  ['a key without a value', '{"a":}', '1:2'],
  ['a key alone', '{"a"}', '1:2'],
  ['a key without a value before another', '{"a":,"b":1}', '1:2'],
  ['a missing key', '{:1}', '1:2'],
  ['a bare key', '{a:1}', '1:2'],
  ['a number as key', '{1:1}', '1:2'],
  ['a list as key', '{[]:1}', '1:2'],
  ['an object as key', '{{}:1}', '1:2'],
  ['null as key', '{null:1}', '1:2'],
  ['a wildcard as key', '{*:1}', '1:2'],
  ['a key in single quotes', "{'a':1}", '1:2'],
  ['a text in single quotes', "['a']", '1:2'],
  ['a text in backquotes', '[`a`]', '1:2'],
  ['a text in curly quotes', '[“a”]', '1:2'],
  ['a bare word', '[foo]', '1:2'],
  ['a bare wildcard', '[*]', '1:2'],
  ['a literal in capitals', '[True]', '1:2'],
  ['a literal cut short', '[tru]', '1:2'],
  ['a literal too long', '[nullx]', '1:2'],
  ['undefined', '[undefined]', '1:2'],
  ['NaN', '[NaN]', '1:2'],
  ['Infinity', '[Infinity]', '1:2'],
  ['minus Infinity', '[-Infinity]', '1:2'],
  ['minus NaN', '[-NaN]', '1:2'],
  ['a leading zero', '[012]', '1:2'],
  ['a negative leading zero', '[-012]', '1:2'],
  ['two zeros', '[00]', '1:2'],
  ['a leading plus', '[+1]', '1:2'],
  ['a leading point', '[.5]', '1:2'],
  ['a negative leading point', '[-.5]', '1:2'],
  ['a trailing point', '[1.]', '1:2'],
  ['a point before the exponent', '[1.e5]', '1:2'],
  ['an empty exponent', '[1e]', '1:2'],
  ['a signed empty exponent', '[1e+]', '1:2'],
  ['two exponents', '[1e2e3]', '1:2'],
  ['a fraction in the exponent', '[1e1.5]', '1:2'],
  ['two points', '[1.2.3]', '1:2'],
  ['a lone minus', '[-]', '1:2'],
  ['two minuses', '[--1]', '1:2'],
  ['a minus apart', '[- 1]', '1:2'],
  ['a hexadecimal number', '[0x1F]', '1:2'],
  ['an octal number', '[0o17]', '1:2'],
  ['an underscore in a number', '[1_000]', '1:2'],
  ['a number with a unit', '[10px]', '1:2'],
  ['a date', '[2024-01-01]', '1:2'],
  ['full-width digits', '[１]', '1:2'],
  ['a line comment', '// c\n[]', '1:1'],
  ['a line comment behind a value', '[1 // c\n]', '1:4'],
  ['a block comment', '[/* c */1]', '1:2'],
  ['a block comment never closed', '[1] /* c', '1:5'],
  ['a hash comment', '# c\n[]', '1:1'],
  ['only a comment', '// c', '1:1'],
  ['a lone slash', '[/]', '1:2'],
  ['an unclosed text', '["abc', '1:2'],
  ['an unclosed text alone', '"', '1:1'],
  ['an unclosed text that ends in an escape', '"\\', '1:1'],
  ['an unclosed text on its line', '[\n"abc\n]', '2:1'],
  ['a closing quote that is escaped', '["abc\\"]', '1:2'],
  ['a raw line feed in a text', '["a\nb"]', '1:2'],
  ['a raw carriage return in a text', '["a\rb"]', '1:2'],
  ['a raw tab in a text', '["a\tb"]', '1:4'],
  ['a raw NUL in a text', '["a\0b"]', '1:4'],
  ['a raw unit separator in a text', '["a\x1fb"]', '1:4'],
  ['an unknown escape', '["\\x41"]', '1:3'],
  ['an escaped single quote', '["\\\'"]', '1:3'],
  ['an escaped zero', '["\\0"]', '1:3'],
  ['an escape in capitals', '["\\N"]', '1:3'],
  ['an escaped emoji', '["\\😀"]', '1:3'],
  ['an escape cut short', '["\\u12"]', '1:3'],
  ['an escape with a wrong digit', '["\\u12G4"]', '1:3'],
  ['an escape with braces', '["\\u{41}"]', '1:3'],
  ['an escape cut short by the end', '["\\u', '1:2'],
  ['half a pair, the first, escaped', '["\\ud800"]', '1:3'],
  ['half a pair, the second, escaped', '["\\udc00"]', '1:3'],
  ['two first halves', '["\\ud800\\ud800"]', '1:3'],
  ['the halves the wrong way round', '["\\udc00\\ud800"]', '1:3'],
  ['a first half before a letter', '["\\ud83dx"]', '1:3'],
  ['a raw first half', '["\ud800"]', '1:3'],
  ['a raw second half', '["\udc00"]', '1:3'],
  ['two values', '{}{}', '1:3'],
  ['two values on two lines', '{"a":1}\n{"a":2}', '2:1'],
  ['a value after a number', '1 2', '1:3'],
  ['a word after the value', '[] x', '1:4'],
  ['a no-break space', '[\u00a01]', '1:2'],
  ['a form feed', '[\f1]', '1:2'],
  ['a line separator', '[\u20281]', '1:2'],
  ['a byte order mark inside', '[\ufeff1]', '1:2'],
  ['an unknown character', '[@]', '1:2'],
  ['a key twice', '{"a":1,"a":2}', '1:8'],
  ['a key twice with one value', '{"a":1,"a":1}', '1:8'],
  ['a key twice, once escaped', '{"deny":["x"],"d\\u0065ny":[]}', '1:15'],
  ['a key twice, composed and not', '{"\\u00e9":1,"e\\u0301":2}', '1:13'],
  ['a key thrice', '{"a":1,"b":1,"a":2,"a":3}', '1:14'],
  ['__proto__ twice', '{"__proto__":1,"__proto__":2}', '1:16'],
  ['an empty key twice', '{"":1,"":2}', '1:7'],
  ['a key twice among many', `{${Array.from({ length: 20 }, (_, i) => `"${i % 19}":1`).join()}}`, '1:125'],
  ['a key twice inside', '[[{"a":{"b":1,"b":2}}]]', '1:15'],
  ['65 levels of lists', '['.repeat(65) + ']'.repeat(65), '1:65'],
  ['65 levels of objects', `${'{"a":'.repeat(64)}{}${'}'.repeat(64)}`, '1:321'],
  ['a text that is not composed', '["e\u0301"]', '1:2'],
]

// covers: T1, T10, T12
describe('JSON by the letter', () => {
  test.each(accepted)('%s is read', (_, text) => {
    expect(first(text)).toBe('ok')
    const [node] = read(text).documents
    expect(JSON.stringify(plainValue(node as Node))).toBe(JSON.stringify(JSON.parse(text)))
  })

  test.each(rejected)('%s is a problem', (_, text, at) => {
    expect(first(text)).toBe(at)
  })

  test('the names of the rows say different things', () => {
    const names = [...accepted, ...rejected].map(([shows]) => shows)
    expect(new Set(names).size).toBe(names.length)
    expect(names.length).toBeGreaterThan(effort(150))
  })
})

describe('the messages', () => {
  test('a key given twice points at the first, and says what is at stake', () => {
    const text = '{"deny":["x"],"deny":[]}'
    const { documents, diagnostics } = read(text)
    expect(diagnostics).toHaveLength(1)
    expect(diagnostics[0]?.message).toMatch(/silently keep only the last/)
    expect(text.slice(diagnostics[0]?.span.start, diagnostics[0]?.span.end)).toBe('"deny"')
    expect(diagnostics[0]?.related?.[0]?.span.start).toBe(1)
    expect(JSON.stringify(plainValue(documents[0] as Node))).toBe('{"deny":["x"]}')
  })

  test('all slips of a file come at once, and what was understood is there', () => {
    const { documents, diagnostics } = read(`{\n  // who\n  name: 'ops',\n  "allow": ["a" "b",],\n  "level": 007,\n}`)
    expect(diagnostics.map(({ span }) => position(span.source, span.start).line)).toEqual([2, 3, 3, 4, 4, 5, 5])
    expect(JSON.stringify(plainValue(documents[0] as Node))).toBe('{"name":"ops","allow":["a","b"],"level":7}')
  })

  test('a text left open is shown where it opens, and no echo of it is reported', () => {
    const { diagnostics } = read('{\n  "a": "x,\n  "b": 1\n}')
    expect(diagnostics).toHaveLength(1)
    expect(position(diagnostics[0]!.span.source, diagnostics[0]!.span.start)).toEqual({ line: 2, column: 8 })
  })

  test('only what was not read at all is refused', () => {
    const refused = (text: string) => read(text).refused
    expect(['', ' ', '\ufeff', '['.repeat(65)].map(refused)).toEqual([true, true, true, true])
    expect(['[', '{a:1}', '// c', '\ufeff[]', '[1,]'].map(refused)).toEqual([false, false, false, false, false])
  })

  test('at most a hundred problems', () => {
    expect(read(`[${'+1,'.repeat(5_000)}1]`).diagnostics).toHaveLength(100)
    expect(read(`["${'\u200b'.repeat(5_000)}"]`).diagnostics).toHaveLength(100)
  })

  test('every expectation of a message is a sentence of one line without a full stop', () => {
    for (const [, text] of rejected) {
      for (const { message, help = '' } of read(text).diagnostics) {
        expect(message).not.toMatch(/[.\n\r]$|[\n\r]/)
        expect(help).not.toMatch(/\.$|[\n\r]/)
      }
    }
  })
})

/** JSON values with the keys and texts that trip readers up. */
const awkward = fc.letrec<{ value: unknown; text: string; key: string }>((tie) => ({
  text: fc.oneof(
    fc.string(),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('__proto__', 'constructor', '\u2028', '\ud83d\ude00', '\\', '"', '\0', '/', '\u007f', 'true', '1', '*', ''),
  ),
  key: fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'é', 'allow', 'deny')),
  value: fc.oneof(
    { maxDepth: 5 },
    tie('text'),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value')),
    fc.dictionary(tie('key') as fc.Arbitrary<string>, tie('value'), { maxKeys: 15 }),
  ),
})).value

/** As `JSON.stringify`, with every other character escaped at random. */
function escaped(json: string, seed: number): string {
  let inside = false
  let i = 0
  return json.replace(/\\u[0-9a-f]{4}|\\.|[\s\S]/g, (c) => {
    if (c === '"') {
      inside = !inside
      return c
    }
    if (!inside || c.length > 1 || (seed >> (i++ % 31)) % 2 === 0) return c
    return `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/**
 * Problems of grammar, which `JSON.parse` sees too; not those that are ours alone. A stray character is either, by where
 * it is: where there is one in a text that does not parse, it counts.
 */
function grammar(text: string) {
  const { diagnostics } = read(text)
  const ours = diagnostics.filter(({ code, message }) => code !== 'stray-character' && !beyond.test(message))
  return ours.length > 0 || parses(text) ? ours : diagnostics.filter(({ code }) => code === 'stray-character')
}
const beyond = /given twice|surrogate|more than 64 levels/

test.each([
  '['.repeat(200),
  '['.repeat(200) + ']'.repeat(200),
  `${'['.repeat(70)}${']'.repeat(70)} {}`,
  `${'{"a":'.repeat(80)}1${'}'.repeat(70)} 2, 3`,
  `[1 2, ${'['.repeat(70)}1, 2]]`,
  // After a slip that was got over by a guess, of which another problem would be taken for an echo.
  `{""""""[""]""[{""""],"":${'['.repeat(70)}`,
])('what is nested too deep is one problem, and the rest is not read: %#', (text) => {
  const { diagnostics, documents, refused } = read(text)
  expect(diagnostics.map(({ message }) => message)).toEqual(['more than 64 levels of lists and objects: the file is not read'])
  expect({ documents, refused }).toEqual({ documents: [], refused: true })
})

describe('held to JSON.parse', () => {
  test('valid text gives the same values, escaped or not, compact or indented', () => {
    fc.assert(
      fc.property(awkward, fc.nat(), fc.constantFrom(undefined, 2, '\t'), (value, seed, indent) => {
        const text = escaped(JSON.stringify(value, null, indent), seed)
        const { documents, diagnostics } = read(text)
        expect(grammar(text)).toEqual([])
        if (diagnostics.length === 0) expect(JSON.stringify(plainValue(documents[0] as Node))).toBe(JSON.stringify(JSON.parse(text)))
      }),
      { numRuns: effort(2_000) },
    )
  })

  test('a problem is reported exactly when JSON.parse throws', () => {
    let good = 0
    const pieces = fc.constantFrom(
      ...'{}[]:,"\\/\'#*+-.0123eEx tfn\n\r\t\0\x1f\u00a0\ufeffé'.split(''),
      'true',
      'null',
      '"a"',
      '"b":',
      '\\u00e9',
      '1.5',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(pieces, { maxLength: 12 }).map((list) => list.join('')),
          fc.string(),
        ),
        (text) => {
          const problems = grammar(text)
          const valid = parses(text)
          if (valid) good++
          expect(problems.length === 0).toBe(valid)
        },
      ),
      { numRuns: effort(20_000) },
    )
    expect(good).toBeGreaterThan(effort(200))
  })

  // covers: M52
  test('mutated policies: never an exception, and a verdict as JSON.parse gives it', () => {
    let [good, bad] = [0, 0]
    for (const text of mutants(policyTexts.json, counted(20_000), 1)) {
      const problems = grammar(text)
      const valid = parses(text)
      if (valid) good++
      else bad++
      if ((problems.length === 0) !== valid)
        expect.fail(`${valid ? 'refused' : 'accepted'}: ${JSON.stringify(text)} ${problems[0]?.message}`)
      for (const { span } of problems) {
        if (!(0 <= span.start && span.start <= span.end && span.end <= text.length)) expect.fail(`span ${span.start}–${span.end}`)
      }
    }
    expect(good).toBeGreaterThan(effort(1_000))
    expect(bad).toBeGreaterThan(effort(5_000))
  })
})

/** Every node in turn, keys too. */
function* nodes(node: Node): Generator<Node> {
  yield node
  if (node.kind === 'list') for (const item of node.items) yield* nodes(item)
  if (node.kind === 'map') {
    for (const { key, value } of node.entries) {
      yield key
      yield* nodes(value)
    }
  }
}

describe('places', () => {
  test('what a node spans, read again, is the node', () => {
    fc.assert(
      fc.property(awkward, fc.constantFrom(undefined, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        const { documents, diagnostics } = read(text)
        if (diagnostics.length > 0) return
        for (const node of nodes(documents[0] as Node)) {
          expect(JSON.stringify(JSON.parse(text.slice(node.start, node.end)))).toBe(JSON.stringify(plainValue(node)))
        }
      }),
      { numRuns: effort(1_000) },
    )
  })

  // covers: M45
  test('JSON read as YAML gives the same values at the same places', () => {
    let compared = 0
    fc.assert(
      fc.property(awkward, (value) => {
        const text = JSON.stringify([value], null, 1)
        const json = read(text)
        // The package takes a key of more than 1,024 characters for none; and a raw DEL or the like is for other tests.
        if (json.diagnostics.length > 0 || loneSurrogate(text) >= 0) return
        const yaml = readTree(sourceOf('p.json', text, 'yaml'), readYaml)
        if (yaml.diagnostics.length > 0) expect.fail(`${yaml.diagnostics[0]?.message} ${text}`)
        const flat = (node: Node) =>
          [...nodes(node)].map(({ kind, start, end, ...rest }) => [kind, start, end, 'value' in rest ? rest.value : null])
        expect(flat(yaml.documents[0] as Node)).toEqual(flat(json.documents[0] as Node))
        compared++
      }),
      { numRuns: counted(effort(1_000)) },
    )
    expect(compared).toBeGreaterThan(effort(500))
  })
})
