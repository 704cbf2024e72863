import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { converted, typeFrom, typeMismatch } from '../../src/hcl/convert.ts'
import { evaluate } from '../../src/hcl/evaluate.ts'
import type { Frame } from '../../src/hcl/frame.ts'
import type { Expression } from '../../src/hcl/syntax.ts'
import { type Value, withoutOptional } from '../../src/hcl/types.ts'
import { isFailed, isSet, isSpread, withoutMarks } from '../../src/hcl/values.ts'
import { inside } from '../../src/source.ts'
import { type Node, plainValue } from '../../src/tree.ts'
import { configuration, hclFile, toolsWith } from '../support/hcl.ts'

/** The names in the cases of `evaluation.json`. */
const locals = String.raw`
locals {
  names = ["b", "a", "c"]
  teams = { ops = { admins = ["ann", "bob"], on = true }, dev = { admins = ["cy"], on = false } }
  flush = <<-EOT
    one
      two ${'$'}{local.names[0]}
    three
  EOT
  here = <<EOT
  a $${'$'}{x} "q" \n
%{ for n in local.names ~}
  - ${'$'}{n}
%{ endfor ~}
end
EOT
  strip = <<-EOT
    x
    %{~ if true ~}
      yes
    %{~ else ~}
      no
    %{~ endif ~}
    z
  EOT
  blank = <<-EOT

      a

    b
  EOT
}
`

/** The last expression of a text of locals, and where it is evaluated. */
function frameOf(expression: string, around = locals, files: Readonly<Record<string, string>> = {}) {
  const file = hclFile(`${around}\nlocals {\n  it = ${expression}\n}\n`)
  expect(file.diagnostics).toEqual([])
  const attributes = file.body?.blocks.flatMap((block) => (block.type === 'locals' ? block.body.attributes : [])) ?? []
  const budget = { left: 100_000, depth: 0 }
  const frame: Frame = {
    names: {
      prefix: '',
      local: (name) => {
        const found = attributes.find((each) => each.name === name)
        return found && evaluate(found.value, frame)
      },
      variable: () => undefined,
      child: () => undefined,
      resource: () => undefined,
      shapeOf: () => undefined,
      isNamed: (type) => type === 'svc_iam_resource_group',
      path: (name) => (name === 'module' ? '.' : undefined),
      place: (path) => path.replace(/^(\.\/)+|^\.$/, ''),
    },
    bound: new Map(),
    scope: '.',
    budget,
    tools: toolsWith(files),
  }
  return { written: attributes.at(-1)?.value as Expression, frame }
}

/** The value of an expression, by way of a policy that holds it, with what surrounds it. */
function resultOf(expression: string, around?: string, files?: Readonly<Record<string, string>>): Value {
  const { written, frame } = frameOf(expression, around, files)
  return withoutMarks(evaluate(written, frame) as Node)
}

interface Case {
  readonly expression: string
  readonly value?: unknown
  readonly fails?: true
}

function casesOf(name: string): readonly Case[] {
  return JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'))
}

const cases = casesOf('evaluation.json')

describe('values as the language defines them', () => {
  test.each(cases.map((each) => [each.expression, each] as const))('%s', (expression, { value, fails }) => {
    const result = resultOf(expression)
    if (fails) expect(isFailed(result)).toBe(true)
    else expect(JSON.parse(JSON.stringify(plainValue(result as Node)))).toEqual(value)
  })
})

// Values by the documentation of the language and of the tool; those that the reference implementation has are compared with it
// in reference.test.ts.
describe('functions and types', () => {
  test.each([...casesOf('functions.json'), ...casesOf('calls.json')].map((each) => [each.expression, each] as const))(
    '%s',
    (expression, { value, fails }) => {
      const result = resultOf(expression, '')
      if (fails) expect(isFailed(result)).toBe(true)
      else expect(JSON.parse(JSON.stringify(plainValue(result as Node)))).toEqual(value)
    },
  )

  test.each([
    ['cidrcontains("192.168.2.0/20", "192.168.2.1")', true],
    ['cidrcontains("192.168.2.0/20", "192.168.2.0/22")', true],
    ['cidrcontains("192.168.2.0/20", "192.126.2.1")', false],
    ['cidrcontains("192.168.2.0/20", "192.126.2.0/18")', false],
    ['cidrcontains("fe80::/48", "fe80::1")', true],
    ['cidrcontains("10.0.0.0/9", "10.0.0.0/8")', false],
    ['cidrcontains("10.128.0.0/9", "10.0.0.0/8")', false],
    ['try(cidrcontains("10.0.0.0/8", "::1"), "none")', 'none'],
    ['try(cidrcontains("10.0.0.0/8", "x"), "none")', 'none'],
    ['try(cidrcontains("x", "10.0.0.1"), "none")', 'none'],
    ['textencodebase64("Hello World", "UTF-16LE")', 'SABlAGwAbABvACAAVwBvAHIAbABkAA=='],
    ['textdecodebase64("SABlAGwAbABvACAAVwBvAHIAbABkAA==", "UTF-16LE")', 'Hello World'],
    ['basename("foo/bar/baz.txt")', 'baz.txt'],
    ['dirname("foo/bar/baz.txt")', 'foo/bar'],
    ['title("it\'s o\'neil")', "It'S O'Neil"],
  ])('%s, as its page in the public reference has it', (expression, expected) => {
    expect(plainValue(resultOf(expression, '') as Node)).toEqual(expected)
  })

  test('files next to the configuration', () => {
    const files = {
      'teams.yaml': 'ops: [ann, bob]\n',
      'people.csv': 'name,team\nann,ops\n',
      'name.tftpl': 'hi ${name}!%{ for x in xs ~} ${x}%{ endfor }\n',
      'policies/a.json': '{"name": "a"}',
      'policies/deep/b.json': '{"name": "b"}',
      'bad.tftpl': 'END_OF_TEXT\nx = 1\n',
    }
    const value = (expression: string) => plainValue(resultOf(expression, '', files) as Node)
    expect(value('file("teams.yaml")')).toBe('ops: [ann, bob]\n')
    expect(value('yamldecode(file("${path.module}/teams.yaml")).ops')).toEqual(['ann', 'bob'])
    expect(value('csvdecode(file("./people.csv"))[0].team')).toBe('ops')
    expect(value('templatefile("name.tftpl", { name = "x", xs = ["a", "b"] })')).toBe('hi x!ab\n')
    expect(value('[for f in fileset(path.module, "policies/*.json") : jsondecode(file(f)).name]')).toEqual(['a'])
    expect(value('fileset("policies", "**/*.json")')).toEqual(['a.json', 'deep/b.json'])
    expect(value('fileexists("teams.yaml")')).toBe(true)
    expect(value('fileexists("none")')).toBe(false)
    expect(value('try(file("none"), "x")')).toBe('x')
    expect(value('filesha256("policies/a.json")')).toBe(value('sha256(file("policies/a.json"))'))
    expect(value('filebase64("policies/a.json")')).toBe(value('base64encode(file("policies/a.json"))'))
    expect(resultOf('templatefile("bad.tftpl", {})', '', files)).toMatchObject({ kind: 'unknown' })
    // A template knows nothing but what it is given, and reads no files.
    expect(resultOf('templatestring("$${file(\\"teams.yaml\\")}", {})', '', files)).toMatchObject({ kind: 'unknown' })
    expect(resultOf('templatestring("$${local.x}", {})', '', files)).toMatchObject({ kind: 'unknown' })
  })
})

// Values of these texts as the reference implementation of the language gives them.
describe('strip markers, indents and escapes of templates', () => {
  test.each(casesOf('templates.json').map(({ expression, value }) => [JSON.stringify(expression), expression, value] as const))(
    '%s',
    (_, expression, value) => {
      expect(plainValue(resultOf(expression, '') as Node)).toBe(value)
    },
  )

  test('in JSON', () => {
    const policy = { identities: [], resources: [], name: 'a \n ${~ "x" ~} \n b', description: 'c\n  %{~ if true ~}\n y \n%{~ endif }' }
    const { found } = configuration({ 'main.tf.json': JSON.stringify({ resource: { svc_iam_policy: { p: policy } } }) })
    const [record] = [...found.values()].flat().map(({ node }) => plainValue(node))
    expect(record).toMatchObject({ name: 'a \nx b', description: 'c\n y' })
  })
})

describe('entries of objects end with their lines', () => {
  test.each([
    ['[for b in ["p"] : {\n  a = b\n  (b) = 1\n}]', [{ a: 'p', p: 1 }]],
    ['[for b in ["p"] : {\n  a = b # c\n\n  (b) = 1\n}]', [{ a: 'p', p: 1 }]],
    ['[for b in ["p"] : {\n  a = b // c\r\n  (b) = 1\r\n}]', [{ a: 'p', p: 1 }]],
    ['{\n  a = 1 /* c */\n  -1 = 1\n}', { a: 1, '-1': 1 }],
    ['[upper\n("a")]', ['A']],
  ])('%s', (expression, expected) => {
    expect(plainValue(resultOf(expression, '') as Node)).toEqual(expected)
  })
})

describe('what is not known goes by where it comes from, and what is known of it is kept', () => {
  test.each([
    ['var.x', 'var.x', ['', '']],
    ['data.a.b.urn', 'data.a.b.urn', ['', '']],
    ['module.m.out', 'module.m.out', ['', '']],
    ['"a${var.x}b"', 'a${var.x}b', ['a', 'b']],
    ['"${"a${var.x}"}-${var.y}"', 'a${var.x}-${var.y}', ['a', '-', '']],
    ['upper(var.x)', 'upper(var.x)', ['', '']],
    ['format("a%sb", var.x)', 'a${var.x}b', ['a', 'b']],
    ['join(":", ["a", var.x])', 'a:${var.x}', ['a:', '']],
    ['var.m["k"].v', 'var.m["k"].v', ['', '']],
    [
      'local.teams[var.x]',
      '{"dev" = {"admins" = ["cy"], "on" = false}, "ops" = {"admins" = ["ann", "bob"], "on" = true}}[var.x]',
      ['', ''],
    ],
    ['var.x ? "ab" : "ac"', 'var.x ? "ab" : "ac"', ['a', '']],
    ['regex(var.x, "a")', 'regex(var.x, "a")', ['', '']],
    ['file(var.x)', 'file(var.x)', ['', '']],
    ['base64gzip("a")', 'base64gzip("a")', ['', '']],
    ['bcrypt("a")', 'bcrypt("a")', ['', '']],
    ['templatestring("a-$${x}", { x = var.y })', 'a-${var.y}', ['a-', '']],
    ['yamldecode("a: yes")', 'yamldecode("a: yes")', ['', '']],
    ['yamldecode("a: &x 1\\nb: *x")', 'yamldecode("a: &x 1\\nb: *x")', ['', '']],
    ['coalesce(var.x, "a")', 'coalesce(var.x, "a")', ['', '']],
    ['try(var.x.y, "a")', 'try(var.x.y, "a")', ['', '']],
    ['lookup(var.m, "a", "b")', 'lookup(var.m, "a", "b")', ['', '']],
    ['concat(["a"], var.x)[1]', '["a", var.x][1]', ['', '']],
    ['[for x in var.l : "u:${x}"][0]', '["u:${var.l[*]}"][0]', ['', '']],
  ])('%s', (expression, name, pieces) => {
    expect(resultOf(expression)).toMatchObject({ kind: 'unknown', expression: name, pieces })
  })

  test.each([
    ['length([var.x])', 1],
    ['concat(["a"], var.x)[0]', 'a'],
    ['contains(["a", var.x], "a")', true],
    ['contains(["a${var.x}"], "b")', false],
    ['false && var.x', false],
    ['var.x || true', true],
    ['startswith("ab${var.x}", "a")', true],
    ['"a${var.x}" == "b"', false],
    ['var.x == var.x', true],
    ['try(local.teams.none.x, "a")', 'a'],
    ['keys({ a = var.x })[0]', 'a'],
    ['merge({ a = var.x }, { b = 1 }).b', 1],
    ['{ for k in ["a"] : k => var.x } == null', false],
    ['var.x ? "a" : "a"', 'a'],
  ])('%s is known', (expression, value) => {
    expect(plainValue(resultOf(expression) as Node)).toEqual(value)
  })

  test.each([
    'flatten([var.x])[0]',
    'length(flatten([var.x]))',
    'length(compact([var.x, "a"]))',
    'length(distinct(["a", var.x]))',
    'length(toset(["a", var.x]))',
    'sort(["a", var.x])[0]',
    'lookup({ a = 1 }, var.x, 2)',
    'lookup(var.x, "a", 2)',
    'lookup({ a = 1 })',
    'contains([var.x], "a")',
    'contains(var.x, "a")',
    'contains(concat(["a"], var.x), "b")',
    'contains(["a"])',
    'element(concat(["a"], var.x), 0)',
    'index(["a", var.x], "b")',
    'slice(concat(["a"], var.x), 0, 1)',
    'one(concat(["a"], var.x))',
    'zipmap([var.x], ["a"])',
    'zipmap(["a"], concat(["a"], var.x))',
    'setproduct(["a"], [var.x])',
    'coalescelist(var.x, ["a"])',
    'chunklist(concat(["a"], var.x), 1)',
    'parseint("1", 37)',
    'parseint("1", 62)',
    'ephemeralasnull("a")',
    'alltrue([var.x])',
    'sum([1, var.x])',
    'cidrhost("010.0.0.0/8", 1)',
    'cidrhost("10.010.0.0/16", 1)',
    'cidrhost("::10.0.0.0/120", 1)',
    'cidrhost("::ffff:a00:0/120", 1)',
    'cidrhost("fd00::/8", 9007199254740992)',
    'cidrsubnet("fd00::/8", 64, 9007199254740992)',
    'cidrsubnet("10.0.0.0/8", -1, 0)',
    'cidrsubnet("10.0.0.0/8", 1, -1)',
    'cidrsubnets("0.0.0.0/0", 1)',
    'cidrcontains("010.0.0.0/8", "10.0.0.1")',
    'cidrcontains("10.0.0.0/8", "010.0.0.0/9")',
    'timeadd("2018-01-01T00:00:00Z", "1ms")',
    'timeadd("9999-01-01T00:00:00Z", "9000h")',
    `timeadd("2018-01-01T00:00:00Z", "${'1s'.repeat(51)}")`,
    `formatdate("${'-'.repeat(1001)}", "2018-01-01T00:00:00Z")`,
  ])('%s is not', (expression) => {
    const value = resultOf(expression)
    expect([value.kind, isFailed(value)]).toEqual(['unknown', false])
  })

  // Problems that are reported while something is not known must stay true whatever the value is.
  const holes = [
    'null',
    '""',
    '"a"',
    '"b"',
    '"10"',
    '1',
    'true',
    '[]',
    '["a"]',
    '["b", "a"]',
    '[1, "a"]',
    '[["a"], []]',
    '{}',
    '{ a = "b" }',
  ]
  const functions: readonly (readonly [forms: string, names: string])[] = [
    [
      '$(var.x)',
      'length toset tolist tomap keys values flatten distinct compact sort reverse one sum alltrue anytrue tonumber tobool tostring',
    ],
    ['$(["a", var.x])', 'length toset tolist flatten distinct compact sort reverse one anytrue alltrue'],
    ['$({ a = var.x, b = "c" })', 'length tomap keys values'],
    ['$(["a"], var.x)', 'concat contains index element chunklist zipmap setproduct setunion setintersection setsubtract coalescelist'],
    ['$(var.x, ["a"])', 'concat contains index setproduct setunion setintersection setsubtract coalescelist'],
    ['$(["a", var.x], "a")', 'contains index'],
    ['$(["a", var.x], 1)', 'element chunklist'],
    ['$({ a = "c" }, var.x)', 'merge lookup'],
    ['$({ a = var.x }, "a", "d")', 'lookup'],
    ['$(var.x, "a")', 'coalesce startswith endswith strcontains'],
    ['$("a", var.x)', 'coalesce join split'],
    ['length($(["a"], var.x))', 'concat setunion'],
    ['length($(["a", var.x]))', 'flatten distinct compact toset sort'],
  ]

  test.each(functions)('what %s is of something unknown is no other with any value of it: %s', (form, names) => {
    for (const name of names.split(' ')) {
      const expression = form.replace('$', name)
      const before = resultOf(expression)
      for (const hole of holes) {
        const after = resultOf(expression.replace('var.x', hole))
        if (!isFailed(after)) expect(mayBecome(before, after), `${expression} with ${hole}`).toBe(true)
      }
    }
  })

  test('items of an unknown number', () => {
    expect(resultOf('[for x in var.l : "u:${x}"]')).toMatchObject({
      kind: 'list',
      items: [{ kind: 'unknown', isSpread: true, pieces: ['u:', ''], expression: 'u:${var.l[*]}' }],
    })
    expect(resultOf('length(concat(["a"], var.x))')).toMatchObject({ kind: 'unknown' })
    expect(resultOf('var.x ? ["a"] : []')).toMatchObject({ items: [{ isSpread: true, pieces: ['a'], expression: '"a" of var.x' }] })
  })
})

/** Whether a value of which something is not known can be another, by all that is known of it. */
function mayBecome(before: Value, after: Value): boolean {
  if (before.kind === 'unknown') return !isFailed(before)
  if (before.kind === 'list' && after.kind === 'list') {
    const isOpen = before.items.some((item) => isSpread(item))
    const isIn = (item: Value) => after.items.some((other) => mayBecome(item, other))
    return isOpen
      ? before.items.every((item) => item.kind === 'unknown' || isIn(item))
      : isSet(before)
        ? before.items.every(isIn) && before.items.length >= after.items.length
        : before.items.length === after.items.length && before.items.every((item, i) => mayBecome(item, after.items[i] as Value))
  }
  if (before.kind === 'map' && after.kind === 'map') {
    const given = (name: string) => after.entries.find(({ key }) => key.value === name)?.value
    return (
      before.entries.length === after.entries.length &&
      before.entries.every(({ key, value }) => {
        const other = given(key.value)
        return other !== undefined && mayBecome(value, other)
      })
    )
  }
  return String(plainValue(before as Node)) === String(plainValue(after as Node))
}

describe('values as variables of a type hold them', () => {
  test.each([
    ['1', 'string', '1'],
    ['true', 'string', 'true'],
    ['"a"', 'string', 'a'],
    ['["a"]', 'string', undefined, 'a text'],
    ['"1"', 'number', 1],
    ['1', 'number', 1],
    ['"a"', 'number', undefined, 'a number'],
    ['true', 'number', undefined, 'a number'],
    ['"true"', 'bool', true],
    ['false', 'bool', false],
    ['1', 'bool', undefined, '`true` or `false`'],
    ['1', 'any', 1],
    ['["a"]', 'any', ['a']],
    ['null', 'string', null],
    ['null', 'list(string)', null],
    ['[1, "a"]', 'list(string)', ['1', 'a']],
    ['["b", "a", "b"]', 'set(string)', ['a', 'b']],
    ['["b", "a", "b"]', 'list(string)', ['b', 'a', 'b']],
    ['["1"]', 'tuple([number])', [1]],
    ['[1]', 'tuple([number, string])', undefined, 'a list of 2'],
    ['["a"]', 'list(number)', undefined, 'a number'],
    ['{ a = ["b"] }', 'map(set(bool))', undefined, '`true` or `false`'],
    ['[1, []]', 'list(any)', undefined, 'a list of values of one type'],
    ['"a"', 'list(string)', undefined, 'a list'],
    ['{ a = 1 }', 'list(string)', undefined, 'a list'],
    ['{ a = 1 }', 'set(string)', undefined, 'a list'],
    ['"a"', 'tuple([string])', undefined, 'a list'],
    ['{ a = 1 }', 'map(string)', { a: '1' }],
    ['["a"]', 'map(string)', undefined, 'a map'],
    ['["a"]', 'object({ a = string })', undefined, 'an object'],
    ['{ a = 1, b = 2 }', 'object({ a = string })', { a: '1' }],
    ['{ a = 1 }', 'object({ a = string, b = optional(string) })', { a: '1', b: null }],
    ['{ a = 1 }', 'object({ a = string, b = optional(string, 5) })', { a: '1', b: '5' }],
    ['{ a = null }', 'object({ a = optional(string, "x") })', { a: 'x' }],
    ['{ a = null }', 'object({ a = optional(string) })', { a: null }],
    ['{ a = null }', 'object({ a = string })', { a: null }],
    ['{ a = "b" }', 'object({ a = optional(string, "x") })', { a: 'b' }],
    ['{ b = 1 }', 'object({ a = list(string), b = string })', undefined, 'an object with `a`'],
    ['{ a = [{ b = 1 }] }', 'object({ a = list(object({ b = string })) })', { a: [{ b: '1' }] }],
    ['{ a = 1 }', 'object(any)', { a: 1 }],
    ['{ a = 1 }', 'object()', { a: 1 }],
    ['"a"', 'constructor', 'a'],
  ])('%s as %s', (expression, type, expected, lacks: string | undefined = undefined) => {
    const { written, frame } = frameOf(type)
    const wanted = typeFrom(written, (each) => evaluate(each, frame))
    const value = converted(resultOf(expression), wanted)
    expect(value && plainValue(value)).toEqual(expected)
    expect(typeMismatch(resultOf(expression), wanted)).toBe(lacks)
  })

  test('what is not known is of any type', () => {
    for (const type of ['string', 'list(string)', 'object({ a = string })']) {
      const { written, frame } = frameOf(type)
      const wanted = typeFrom(written, (each) => evaluate(each, frame))
      expect(converted(resultOf('var.x'), wanted)).toMatchObject({ kind: 'unknown', expression: 'var.x', type: withoutOptional(wanted) })
      expect(typeMismatch(resultOf('var.x'), wanted)).toBeUndefined()
    }
  })
})

describe('texts know where they are written', () => {
  const written = (value: Value) => value.source.text.slice(value.start, value.end)

  test.each([
    ['"abc"', '"abc"'],
    ['local.names[1]', '"a"'],
    ['local.teams.ops.admins[0]', '"ann"'],
    ['[for n in local.names : n][2]', '"c"'],
    ['concat(["x"], local.names)[1]', '"b"'],
    ['merge({ k = "v" }, {}).k', '"v"'],
    ['lower("abc")', '"abc"'],
    ['upper("abc")', 'upper("abc")'],
    ['"${"in"}"', '"in"'],
    ['try(local.teams.none.x, "a")', '"a"'],
    ['flatten(values(local.teams)[*].admins)[0]', '"cy"'],
    ['sort(local.names)[0]', '"a"'],
    ['tolist(toset(local.names))[2]', '"c"'],
  ])('%s', (expression, expected) => {
    expect(written(resultOf(expression))).toBe(expected)
  })

  test.each([
    ['"a${local.names[0]}cd"', 2, 3, 'c'],
    ['"x\\"yz"', 2, 3, 'y'],
    ['compact(["x\\"yz"])[0]', 2, 3, 'y'],
    ['tolist(["x\\"yz", 1])[0]', 2, 3, 'y'],
    ['keys(zipmap(["x\\"yz"], [1]))[0]', 2, 3, 'y'],
    ['"$${x}yz"', 4, 5, 'y'],
    ['"\\u00e9z"', 1, 2, 'z'],
    ['"😀z"', 2, 3, 'z'],
    ['"a${local.names[0]}cd"', 1, 2, '${local.names[0]}'],
    ['<<-EOT\n    one\n      two\n  EOT\n', 6, 9, 'two'],
    ['jsondecode("{\\"a\\": \\"bcd\\"}").a', 1, 2, 'c'],
  ])('a part of %s', (expression, from, to, expected) => {
    const value = resultOf(expression)
    expect(value.kind).toBe('text')
    const span = inside({ value: value.kind === 'text' ? value.value : '', span: value }, from, to)
    expect(span.source.text.slice(span.start, span.end)).toBe(expected)
  })

  test('a part that is known next to one that is not', () => {
    const value = resultOf('"ab${var.x}cd"')
    const { offsets = [], holes = [] } = value.kind === 'unknown' ? value : {}
    expect(offsets.map((at) => value.source.text[at]).join('')).toBe('abcd')
    expect(holes.map(({ start, end }) => value.source.text.slice(start, end))).toEqual(['${var.x}'])
  })
})

test('a configuration that asks for too much is refused where it does', () => {
  const doubled = Array.from({ length: 60 }, (_, i) => `a${i + 1} = [local.a${i}, local.a${i}]`).join('\n')
  const texts = Array.from({ length: 60 }, (_, i) => `a${i + 1} = "\${local.a${i}}\${local.a${i}}"`).join('\n')
  const chain = Array.from({ length: 5000 }, (_, i) => `a${i + 1} = "\${local.a${i}}x"`).join('\n')
  const policy = 'resource "svc_iam_policy" "p" {\n  name = "p"\n  identities = flatten([local.a60])\n  resources = []\n}'
  for (const body of [`a0 = ["x"]\n${doubled}`, `a0 = "xx"\n${texts}`, `a0 = "x"\n${chain}\na60x = local.a5000`]) {
    const { diagnostics } = configuration({
      'main.tf': `locals {\n${body}\n}\n${policy.replace('local.a60', body.includes('a60x') ? 'local.a60x' : 'local.a60')}`,
    })
    expect(diagnostics.map(({ code }) => code)).toEqual(['syntax'])
  }
  for (const expression of [
    'range(1e9)',
    'local.b',
    'setproduct(range(1000), range(1000), range(1000))',
    'format("%999d", 1)',
    '[for a in range(1000) : [for b in range(1000) : [for c in range(1000) : c]]]',
  ]) {
    const { diagnostics } = configuration({
      'main.tf': `locals {\n  b = local.c\n  c = local.b\n}\n${policy.replace('flatten([local.a60])', expression.replace('1e9', '1000000000'))}`,
    })
    expect([expression, diagnostics.length <= 2]).toEqual([expression, true])
  }
})
