import { describe, expect, test } from 'vitest'
import { readExpression, readHclJson, readTemplate } from '../../src/hcl/json.ts'
import { readHcl } from '../../src/hcl/parse.ts'
import type { Body, HclFile } from '../../src/hcl/syntax.ts'
import { type Span, sourceOf } from '../../src/source.ts'

const json = (text: string, isValues = false) => readHclJson(sourceOf('main.tf.json', text), isValues)
const slice = ({ source, start, end }: Span) => source.text.slice(start, end)

/** The values that are read, each part with the text at its place instead of its offsets. */
function shown(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(shown)
  if (typeof part !== 'object' || part === null) return part
  const { source, start, end, offsets, ...rest } = part as Span & { readonly offsets?: readonly number[] }
  const others = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, shown(value)]))
  if (source === undefined) return others
  return { ...others, text: source.text.slice(start, end), ...(offsets && { letters: offsets.slice(0, -1).map((at) => source.text[at]) }) }
}

describe('a text in JSON is read as the same text in HCL, each part in its place', () => {
  const valueIn = ({ body }: HclFile) => shown(body?.blocks[0]?.body.attributes[0]?.value)
  test.each([
    '${var.x}',
    'a${var.x}b',
    '${var.x}${local.y}',
    'urn:${upper(var.x)}/${local.y[0]}:*',
    '%{ if var.on }a%{ else }b%{ endif }',
    '%{ for x in var.all }${x}, %{ endfor }!',
    'a ${~ var.x ~} b',
    '${[for x in var.all : x if x != null]}',
    '${{ a = 1, b = [true, null] }}',
    '${var.on ? 1 : -2.5}',
    '${a.b.*.c}${a[*].b}',
    '$${plain} ${x}',
    '%%{plain} ${x}',
    '${x} and % and $',
    '${x}%',
  ])('%s', (text) => {
    const inHcl = valueIn(readHcl(sourceOf('main.tf', `locals {\n  x = "${text}"\n}\n`), undefined))
    expect(inHcl).toBeDefined()
    expect(valueIn(json(`{"locals":{"x":"${text}"}}`))).toEqual(inHcl)
  })

  test.each(['', 'plain', 'a $ b % c', '$${not a template}', '%%{not}'])('without anything to fill in: `%s`', (text) => {
    const read = valueIn(json(`{"locals":{"x":"${text}"}}`))
    const value = text.replace('$${', '${').replace('%%{', '%{')
    expect(read).toMatchObject({ kind: 'template', text: `"${text}"` })
    const { parts } = read as { parts: readonly { value: string }[] }
    expect(parts.map((part) => part.value)).toEqual(value === '' ? [] : [value])
  })
})

describe('letters that are escaped', () => {
  test('have their places in the file', () => {
    const text = String.raw`{"locals":{"x":"a\n\u0062${'$'}{var.x}\"c"}}`
    const value = json(text).body?.blocks[0]?.body.attributes[0]?.value
    expect(shown(value)).toEqual({
      kind: 'template',
      text: String.raw`"a\n\u0062${'$'}{var.x}\"c"`,
      parts: [
        // A line of a text is a part of its own.
        { kind: 'text', value: 'a\n', text: String.raw`a\n`, letters: ['a', '\\'] },
        { kind: 'text', value: 'b', text: String.raw`\u0062`, letters: ['\\'] },
        expect.objectContaining({ kind: 'value', text: '${var.x}' }),
        { kind: 'text', value: '"c', text: String.raw`\"c`, letters: ['\\', 'c'] },
      ],
    })
  })

  test('of a text without templates', () => {
    const value = json(String.raw`{"locals":{"x":"a\tb"}}`).body?.blocks[0]?.body.attributes[0]?.value
    expect(shown(value)).toEqual({
      kind: 'template',
      text: String.raw`"a\tb"`,
      parts: [{ kind: 'text', value: 'a\tb', text: String.raw`a\tb`, letters: ['a', '\\', 'b'] }],
    })
  })
})

describe('blocks', () => {
  const blocks = (value: unknown) =>
    json(JSON.stringify(value)).body?.blocks.map(({ type, labels, head, typeSpan, body, ...all }) => [
      `${slice(typeSpan)} ${type} ${labels.join('.')} ${slice(head)}`,
      slice(all),
      ...body.attributes.map(
        ({ name, nameSpan, value, ...each }) => `${slice(nameSpan)} ${name}: ${value.kind} ${slice(value)} in ${slice(each)}`,
      ),
      ...body.blocks,
    ])

  test('have their labels as keys', () => {
    expect(
      blocks({
        resource: { svc_iam_policy: { p: { name: 'x', n: 1 }, q: [{ l: [true] }, { m: { a: null } }] } },
        module: { m: { source: './m' } },
        variable: { v: { type: 'list(string)' } },
        output: { o: {} },
        locals: [{ a: 1 }, { b: 2 }],
      }),
    ).toEqual([
      [
        '"resource" resource svc_iam_policy.p "p"',
        '{"name":"x","n":1}',
        '"name" name: template "x" in "name":"x"',
        '"n" n: literal 1 in "n":1',
      ],
      ['"resource" resource svc_iam_policy.q "q"', '{"l":[true]}', '"l" l: list [true] in "l":[true]'],
      ['"resource" resource svc_iam_policy.q "q"', '{"m":{"a":null}}', '"m" m: object {"a":null} in "m":{"a":null}'],
      ['"module" module m "m"', '{"source":"./m"}', '"source" source: template "./m" in "source":"./m"'],
      ['"variable" variable v "v"', '{"type":"list(string)"}', '"type" type: call list(string) in "type":"list(string)"'],
      ['"output" output o "o"', '{}'],
      ['"locals" locals  "locals"', '{"a":1}', '"a" a: literal 1 in "a":1'],
      ['"locals" locals  "locals"', '{"b":2}', '"b" b: literal 2 in "b":2'],
    ])
  })

  test('inside of others are blocks where the syntax has them, and attributes elsewhere', () => {
    const inside = (value: object) => {
      const bodyOf = (body: Body): unknown => [
        body.attributes.map(({ name }) => name).join(' '),
        ...body.blocks.map(({ type, labels, body: inner }) => [[type, ...labels].join('.'), bodyOf(inner)]),
      ]
      return json(JSON.stringify(value)).body?.blocks.map(({ body }) => bodyOf(body))
    }
    const lifecycle = { prevent_destroy: true }
    const dynamic = { conditions: { for_each: [1], content: { operator: 'AND', dynamic: { conditions: [{ content: {} }] } } } }
    expect(inside({ resource: { a: { b: { name: 'x', lifecycle, dynamic } } } })).toEqual([
      [
        'name',
        ['lifecycle', ['prevent_destroy']],
        ['dynamic.conditions', ['for_each', ['content', ['operator', ['dynamic.conditions', ['', ['content', ['']]]]]]]],
      ],
    ])
    expect(inside({ module: { m: { source: './m', lifecycle, dynamic } } })).toEqual([
      ['source dynamic', ['lifecycle', ['prevent_destroy']]],
    ])
    expect(inside({ data: { a: { b: { lifecycle } } }, locals: { lifecycle, content: {} } })).toEqual([
      ['lifecycle'],
      ['lifecycle content'],
    ])
  })

  test.each<unknown>([
    { terraform: { a: 1 }, check: { c: {} }, '//': 'a comment' },
    { resource: 'x' },
    { resource: { svc_iam_policy: 'x' } },
    { resource: { svc_iam_policy: { p: 'x' } } },
    { resource: [] },
    { constructor: { a: 1 }, toString: { a: 1 } },
  ])('that are none: %j', (value) => expect(blocks(value)).toEqual([]))
})

describe('values', () => {
  test('of variables are the attributes of the file', () => {
    const { body, diagnostics } = json('{"x": 1, "type": "string", "y": "${z}"}', true)
    expect(diagnostics).toEqual([])
    expect(body?.blocks).toEqual([])
    expect(body?.attributes.map(({ name, value }) => [name, value.kind, slice(value)])).toEqual([
      ['x', 'literal', '1'],
      ['type', 'template', '"string"'],
      ['y', 'template', '"${z}"'],
    ])
    expect(body?.attributes.map(({ value }) => value.kind === 'template' && value.parts)).toMatchObject([
      false,
      [{ kind: 'text', value: 'string' }],
      [{ kind: 'text', value: '${z}' }],
    ])
  })

  test.each(['${1 + 1}', 'a$${b}', '%%{c', '${', '%{ if true }'])('%s is what is written in a default, and so is a key', (text) => {
    const value = json(JSON.stringify({ variable: { v: { default: { [text]: text } } } })).body?.blocks[0]?.body.attributes[0]?.value
    const written = { kind: 'template', parts: [{ kind: 'text', value: text }] }
    expect(value).toMatchObject({ kind: 'object', entries: [{ key: written, value: written }] })
  })

  test('of variables hold no blocks', () => {
    expect(json('{"locals": {"a": 1}, "resource": {"x": {"y": {}}}}', true).body).toMatchObject({ blocks: [], attributes: [{}, {}] })
  })

  test('of a type that is a text are inside of the quotes', () => {
    const value = json('{"variable": {"v": {"type": "\\"x\\""}}}').body?.blocks[0]?.body.attributes[0]?.value
    expect(value && slice(value)).toBe('\\"x\\"')
  })

  test('are no attributes of a configuration', () => {
    expect(json('{"x": 1, "variable": {"v": {"type": ["string"]}}}').body).toMatchObject({
      attributes: [],
      blocks: [{ type: 'variable', body: { attributes: [{ name: 'type', value: { kind: 'list' } }] } }],
    })
  })

  test.each(['[1]', '"x"', '1', '{', '{"locals": {"a": 1, "a": 2}}', ''])('no configuration: %s', (text) => {
    const { body, diagnostics } = json(text)
    expect(body).toBeUndefined()
    expect(diagnostics.map(({ severity }) => severity)).toEqual(text === '[1]' || text === '"x"' || text === '1' ? [] : ['error'])
  })
})

describe('a text of its own', () => {
  test.each([
    ['', []],
    ['a', ['a']],
    ['a\n', ['a\n']],
    ['\n', ['\n']],
    ['a\nb', ['a\n', 'b']],
    ['${x}', ['value']],
    ['a${x}\n', ['a', 'value', '\n']],
    ['END_OF_TEXTS', ['END_OF_TEXTS']],
    ['${x ~}', ['value']],
    ['%{ if x ~}a%{ endif ~}', ['if']],
  ])('as a template: %j', (text, expected) => {
    expect(readTemplate('x', text)?.parts.map((part) => (part.kind === 'text' ? part.value : part.kind))).toEqual(expected)
  })

  test.each(['${', '%{ if x }', 'END_OF_TEXT\nb = 1', 'END_OF_TEXT\nb {\n}\nc = <<X\nX'])('as no template: %j', (text) => {
    expect(readTemplate('x', text)).toBeUndefined()
  })

  test.each([
    ['[1]', 'list'],
    ['"x"', 'template'],
    ['a.b', 'attribute'],
    ['1', 'literal'],
    ['<<E\nx\nE\n', 'template'],
  ])('as an expression: %j', (text, kind) => {
    expect(readExpression('x', text)).toMatchObject({ kind })
  })

  test.each(['', '[1', '1\nb = 2', '1\nb {\n}', '1 2', '= 1'])('as no expression: %j', (text) => {
    expect(readExpression('x', text)).toBeUndefined()
  })

  test('keeps the last letter of a text that is an expression', () => {
    expect(shown(readExpression('x', '"ab"'))).toMatchObject({ parts: [{ value: 'ab' }] })
  })
})
