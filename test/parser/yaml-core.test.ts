import { expect, test } from 'vitest'
import { Lexer } from 'yaml'
import { limits } from '../../src/parser/limits.ts'
import { coreValue } from '../../src/parser/yaml-core.ts'
import { tooManyTokens } from '../../src/parser/yaml-tokens.ts'

/** The core schema (YAML 1.2.2, section 10.3.2), a line of its table each. */
function byTable(text: string): unknown {
  if (/^(null|Null|NULL|~|)$/.test(text)) return null
  if (/^(true|True|TRUE)$/.test(text)) return true
  if (/^(false|False|FALSE)$/.test(text)) return false
  if (/^0o[0-7]+$/.test(text)) return Number(text)
  if (/^0x[0-9a-fA-F]+$/.test(text)) return Number(text)
  if (/^[-+]?[0-9]+$/.test(text)) return Number(text)
  if (/^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/.test(text)) return Number(text)
  const sign = text.startsWith('-') ? -1 : 1
  if (/^[-+]?(\.inf|\.Inf|\.INF)$/.test(text)) return sign * Number.POSITIVE_INFINITY
  return /^(\.nan|\.NaN|\.NAN)$/.test(text) ? Number.NaN : undefined
}

const same = (text: string) => {
  if (!Object.is(coreValue(text), byTable(text))) expect(coreValue(text), JSON.stringify(text)).toBe(byTable(text))
}

test('an unquoted scalar stands for what the core schema says, over every short text', () => {
  const characters = [...'0178aefxobEX+-._:/ ~nN,\u00e9']
  for (let size = 0; size <= 3; size++) {
    for (let n = 0; n < characters.length ** size; n++)
      same(Array.from({ length: size }, (_, i) => characters[Math.floor(n / characters.length ** i) % characters.length]).join(''))
  }
})

test.each(['null', 'true', 'false', 'yes', 'no', 'on', 'off', 'y', 'n', '.inf', '+.inf', '-.inf', '.nan', '-.nan', '~', 'nil'])(
  '%s in any letters, alone and with something around it',
  (word) => {
    const written = [
      word,
      word.toUpperCase(),
      word.replace(/[a-z]/, (c) => c.toUpperCase()),
      `${word.slice(0, -1)}${word.at(-1)?.toUpperCase()}`,
    ]
    if (word === '.nan') written.push('.NaN')
    for (const each of written)
      for (const text of [each, `${each}x`, `x${each}`, ` ${each}`, `${each} `, `${each}\n`, `-${each}`, `"${each}"`]) same(text)
  },
)

test.each([
  '0o17',
  '0o777777777777777777777777',
  '0xfF09',
  '0xfffffffffffffffffffff',
  '-0x1',
  '+0o7',
  '0O7',
  '0X1',
  '1e400',
  '-1e400',
  '1e-400',
  '12345678901234567890',
  '0.1e+10',
  '1e+',
  '1e',
  '2024-01-01',
  '12:30:45',
  '10.0.0.0/8',
  'urn:v1:eu:resource:vps:*',
  'nullify',
  'trueish',
  'falsehood',
  'name',
])('%s', (text) => {
  expect(Object.is(coreValue(text), byTable(text)), `${coreValue(text)}`).toBe(true)
})

/** Where each token that the package hands out begins. */
function tokenStarts(text: string): readonly number[] {
  const starts: number[] = []
  let [at, isText] = [0, false]
  for (const token of new Lexer().lex(text)) {
    starts.push(at)
    if (isText || !['\x02', '\x18', '\x1f'].includes(token)) at += token.length
    isText = token === '\x1f' && !isText
  }
  return starts
}

test.each([
  'a: 1\n',
  'a:\tb\t# c\n',
  '- \t- b\n \tc\n',
  '[a, {b: "c d"}, \'e\', [[]]]',
  'a: |\n  b\n c: >-\n\n  d\n',
  '- a\n-\t\n- \t\t"b" \t\n',
  'a: |\n',
  '- |\n- >\n\n- |-',
  '""\n',
  '{"a":1,\t"b":\t[2,\t3]}\n',
  '&a !b\t*c\n? d\n: e\n',
  '%YAML 1.2\n--- a\n...\n# b\n---\n- c\n',
  'a: [b\n---\n[[]]\n',
  'a: [b\n---\nc: [d]\n---\n{e: []}',
  '# \tc\n\t\n  \t\na:\t\n',
  '\ufeffa\r\n\r\nb: \r\n',
  'a: b c\n  d\n\n  e: "f\n\n  g"\n',
])('the tokens of %j are counted as the package has them', (text) => {
  const starts = tokenStarts(text)
  for (let most = 0; most < Math.min(starts.length, text.length * 2); most++)
    expect(tooManyTokens(text, most), `${most}`).toBe(starts[most])
  for (const most of [starts.length, text.length * 2, text.length * 2 + 1])
    if (most >= starts.length) expect(tooManyTokens(text, most)).toBe(-1)
})

test('the count goes on as long as brackets fit', () => {
  const open = (depth: number) => `${'['.repeat(depth)}a`
  // The mark where a stream begins, the brackets, and two for the text.
  expect(tooManyTokens(open(limits.depth), limits.depth + 2)).toBe(limits.depth)
  expect(tooManyTokens(open(limits.depth + 1), limits.depth + 1)).toBe(limits.depth)
  expect(tooManyTokens(open(limits.depth + 1), limits.depth + 2)).toBe(-1)
  expect(tooManyTokens(`[${'[],'.repeat(70)}a`, 200)).toBeGreaterThan(0)
  expect(tooManyTokens('[]]a: b', 4)).toBe(-1)
  expect(tooManyTokens('{}}a: b', 4)).toBe(-1)
  // A sign that looks like a bracket in a text is none.
  expect(tooManyTokens("'[' : ']'", 2)).toBe(3)
  expect(tooManyTokens(']]]]', 2)).toBe(-1)
  expect(tooManyTokens(']]]]', 1)).toBe(0)
  // A document that ends takes its open ones along.
  const broken = 'a: [b\n---\n'.repeat(70)
  const most = tokenStarts(broken).length - 5
  expect(tooManyTokens(broken, most)).toBe(tokenStarts(broken)[most])
})
