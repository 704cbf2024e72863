import { describe, expect, test } from 'vitest'
import type { Block, Body } from '../../src/hcl/syntax.ts'
import { position, type Span } from '../../src/source.ts'
import { hclFile } from '../support/hcl.ts'

/** The first problem of a text: line, column and message. */
function problem(text: string): string | undefined {
  const [first] = hclFile(text).diagnostics
  if (!first) return undefined
  const { line, column } = position(first.span.source, first.span.start)
  return `${line}:${column} ${first.message}`
}

describe('a text as a whole', () => {
  const shown = (text: string) => {
    const { body, diagnostics, comments } = hclFile(text)
    const block = ({ type, labels, head, typeSpan, body: inner, source, start, end }: Block): unknown => ({
      [`${[type, ...labels].join(' ')}`]: [slice(typeSpan), slice(head), slice({ source, start, end }).length],
      inner: bodyOf(inner),
    })
    const bodyOf = ({ attributes, blocks }: Body): unknown => [
      ...attributes.map((each) => `${each.name}: ${slice(each.nameSpan)} | ${slice(each.value)} | ${slice(each)}`),
      ...blocks.map(block),
    ]
    return { body: body && bodyOf(body), problems: diagnostics.map(({ message }) => message), comments: comments.map(slice) }
  }
  const slice = ({ source, start, end }: Span) => source.text.slice(start, end)

  test('is read with the place of each part', () => {
    const text = `# one
resource "svc_iam_policy" "p" {
  name = "x" // two
  lifecycle {
    on = [1]
  }
}
resource "svc_vps" v {
  name = "not read"
  name = "twice, and not read"
}
variable v { type = string }
locals {
  a = 1
}
output "o" {
  value = local.a
}
module "m" {
  source = "./m"
}
data "x" "y" {
  z = 1
}
`
    expect(shown(text)).toEqual({
      body: [
        {
          'resource svc_iam_policy p': ['resource', 'resource "svc_iam_policy" "p"', 84],
          inner: ['name: name | "x" | name = "x"', { lifecycle: ['lifecycle', 'lifecycle', 28], inner: ['on: on | [1] | on = [1]'] }],
        },
        { 'resource svc_vps v': ['resource', 'resource "svc_vps" v', 75], inner: ['name: name | "not read" | name = "not read"'] },
        { 'variable v': ['variable', 'variable v', 28], inner: ['type: type | string | type = string'] },
        { locals: ['locals', 'locals', 18], inner: ['a: a | 1 | a = 1'] },
        { 'output o': ['output', 'output "o"', 32], inner: ['value: value | local.a | value = local.a'] },
        { 'module m': ['module', 'module "m"', 31], inner: ['source: source | "./m" | source = "./m"'] },
        { 'data x y': ['data', 'data "x" "y"', 24], inner: ['z: z | 1 | z = 1'] },
      ],
      problems: [],
      comments: ['# one', '// two'],
    })
  })

  test('has the places of its comments', () => {
    expect(shown('a = 1 # x\r\nb = 2 /* y\n */ // z').comments).toEqual(['# x', '/* y\n */', '// z'])
    expect(shown('#\r\n//\n').comments).toEqual(['#', '//'])
  })

  test('of nothing but a name', () => {
    expect(shown('a = 1')).toEqual({ body: ['a: a | 1 | a = 1'], problems: [], comments: [] })
    expect(shown('a {}')).toEqual({ body: [{ a: ['a', 'a', 4], inner: [] }], problems: [], comments: [] })
  })

  test.each(['a {', 'a = 1 b', 'a { b = 1 c = 2 }', 'a = "'])('that is wrong is not read: %s', (text) => {
    expect(shown(text)).toMatchObject({ body: undefined, comments: [], problems: [expect.any(String)] })
  })

  test('a bracket that is missing is missed where it should be', () => {
    expect(problem('a = [1\nb = 2\n}\n')).toBe('2:1 expected `,` or `]`, found `b`')
    expect(problem('a = {\n  b = [1, 2\n  c = 3\n}\n')).toBe('3:3 expected `,` or `]`, found `c`')
    expect(problem('a {\n  b = 1\n)\n')).toBe('3:1 `)` is where `}` is expected, which closes `{`')
  })

  test.each([
    ['a { b = 1 c = 2 }', '1:11 expected a line break, found `c`'],
    ['a { b = 1\n}', undefined],
    ['a {\n  b = 1 }', undefined],
    ['a {} b {}', '1:6 expected a line break, found `b`'],
    ['a = 1 }', '1:7 `}` closes nothing: no bracket is open here'],
    ['a b', '1:4 expected `=` or `{` after `a`, found the end of the line'],
    ['a 1', '1:3 expected `=` or `{` after `a`, found `1`'],
    ['1 = 2', '1:1 expected the name of an attribute or a block, found `1`'],
    ['a "b ${c}" {}', '1:6 expected the plain name of a block, found `${`'],
  ])('lines: %j', (text, expected) => expect(problem(text)).toBe(expected))
})

describe('an error has its place, and says what was expected', () => {
  test.each([
    ['a = ', '1:5 expected a value for `a`, found the end of the line'],
    ['a = 1 b = 2', '1:7 expected a line break, found `b`'],
    ['a = [1 2]', '1:8 expected `,` or `]`, found `2`'],
    ['a = {\n  b = 1 c = 2\n}', '2:9 expected `,`, a line break or `}`, found `c`'],
    ['a = {\n  b = \n}', '2:7 expected a value, found the end of the line'],
    ['resource "x" "y" {\n  a = 1\n', '1:18 `{` is never closed'],
    ['a = [\n  1,\n}', '3:1 `}` is where `]` is expected, which closes `[`'],
    ['}', '1:1 `}` closes nothing: no bracket is open here'],
    ['a = "x\nb = 1', '1:5 the text that begins here is not closed on its line'],
    ['a = "x\\q"', '1:7 `\\q` is no escape'],
    ['a = "x\\\u{1f600}"', '1:7 `\\\u{1f600}` is no escape'],
    ['a = "x\\', '1:7 `\\` is no escape'],
    ['a = <<EOT\nx\n', '1:5 the text that begins here is never closed: no line holds `EOT` alone'],
    ['a = "${b"', '1:9 the text that begins here is never closed'],
    ["a = 'x'", "1:5 `'` has no meaning here"],
    ['a: 1', '1:2 expected `=` or `{` after `a`, found `:`'],
    ['a = f(1', '1:6 `(` is never closed'],
    ['a = f(1 2)', '1:9 expected `,` or `)`, found `2`'],
    ['a = [for x in y]', '1:16 expected `:` and what the `for` gives, found `]`'],
    ['a = x ? 1', '1:10 expected `:` and the other value of the condition, found the end of the line'],
    ['a = "%{ if x }y"', '1:16 expected `%{ endif }`, found `"`'],
    ['a = "%{ endif }"', '1:9 expected what `endif` belongs to, found `endif`'],
    ['a = 1\na = 2', '2:1 the key `a` is given twice: other parsers silently keep only the last one, and what the first one says is lost'],
    ['/* x', '1:1 the comment that begins here is never closed'],
    ['resource "a" "${b}" {}', '1:15 expected the plain name of a block, found `${`'],
    ['a = 1 +', '1:8 expected a value after `+`, found the end of the line'],
    ['a = b.', '1:7 expected a name after `.`, found the end of the line'],
    ['"a" = 1', '1:1 expected the name of an attribute or a block, found a text'],
  ])('%j', (text, expected) => {
    expect(problem(text)).toBe(expected)
  })

  test.each([
    'a = b ? c : d ? e : f',
    'a = (\n  1 +\n  2\n)',
    'a = [\n  1,\n  2,\n]',
    'a { b = 1 }',
    'a "b" c {\n}',
    'a = { for k, v in x : k => v... if v }',
    'a = "a#b // c /* d"\n# "\n// "\n/* " */',
    'a = <<-EOT\n  ${b}\n  %{ for x in y ~}\n  ${x}\n  %{ endfor }\nEOT\n',
    'a = x.*.y[0].z\nb = x[*].y[0]\nc = x.0.y',
    'a = { b : 1, "c" = 2\n (d) = 3 }',
    'a = -b + !c ? "x" : "y"',
    '\ufeffa = 1\r\nb = 2\r\n',
    '',
    '# nothing',
  ])('nothing is wrong in %j', (text) => {
    expect(problem(text)).toBeUndefined()
  })
})
