import { describe, expect, test } from 'vitest'
import { position } from '../../src/source.ts'
import { hclFile } from '../support/hcl.ts'

/** The first problem of a text: line, column and message. */
function problem(text: string): string | undefined {
  const [first] = hclFile(text).diagnostics
  if (!first) return undefined
  const { line, column } = position(first.span.source, first.span.start)
  return `${line}:${column} ${first.message}`
}

describe('an error has its place, and says what was expected', () => {
  test.each([
    ['a = ', '1:5 expected a value for `a`, found the end of the line'],
    ['a = 1 b = 2', '1:7 expected a line break, found `b`'],
    ['a = [1 2]', '1:8 expected `,` or `]`, found `2`'],
    ['a = {\n  b = 1 c = 2\n}', '2:9 expected `,`, a line break or `}`, found `c`'],
    ['a = {\n  b = \n}', '2:7 expected a value, found the end of the line'],
    ['resource "x" "y" {\n  a = 1\n', '1:18 `{` is never closed'],
    ['a = [\n  1,\n}', '3:1 `}` stands where `]` is expected, which closes `[`'],
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
