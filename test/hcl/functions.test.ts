import { describe, expect, test } from 'vitest'
import { Exhausted, isFailed } from '../../src/hcl/values.ts'
import { symbolOf } from '../../src/tree.ts'
import { toolsWith } from '../support/hcl.ts'
import { frameWith, resultOf } from '../support/hcl-value.ts'

/** The result of an expression: `fails`, `unknown`, or the kind of its value. */
const kindOf = (expression: string, others?: Parameters<typeof resultOf>[1]) => {
  const value = resultOf(expression, others)
  return isFailed(value) ? 'fails' : value.kind
}

const outside = ['file("a.txt")', 'filesha256("a.txt")', 'fileexists("a.txt")', 'fileset("b", "*")', 'templatefile("t.tpl", {})']
const made = ['sha256("a")', 'base64sha512("a")', 'yamldecode("a: 1")', 'regex("a", "a")', 'regexall("a", "a")', 'replace("a", "/a/", "b")']

describe('what functions need from outside', () => {
  test.each([...outside, ...made])('is not there for %s', (expression) => {
    expect(kindOf(expression, { tools: {} })).toBe('unknown')
    expect(kindOf(expression, { tools: undefined as never })).toBe('unknown')
  })

  test.each(outside)('is no file of the configuration: %s', (expression) => {
    const { names } = frameWith(expression).frame
    const { place: _, ...others } = names
    expect(kindOf(expression, { names: { ...names, place: () => undefined } })).toBe('unknown')
    expect(kindOf(expression, { names: others })).toBe('unknown')
    expect(kindOf(expression.replace('.txt', '.gone'))).toBe(
      expression.startsWith('filee') ? 'boolean' : expression.includes('a.txt') ? 'fails' : kindOf(expression),
    )
  })

  test('without it, what needs none is worked out', () => {
    expect(kindOf('templatestring("<$${upper(x)}>", { x = "a" })', { tools: undefined as never })).toBe('text')
    expect(kindOf('replace("a", "a", "b")', { tools: {} })).toBe('text')
  })

  test('a refused text of YAML is not known', () => {
    const { readYaml } = toolsWith()
    const tools = { readYaml: (source: Parameters<NonNullable<typeof readYaml>>[0]) => ({ ...readYaml?.(source), refused: true }) as never }
    expect(kindOf('yamldecode("a: 1")', { tools })).toBe('unknown')
  })
})

describe('limits', () => {
  const heavy = `${'(?:a|b)*'.repeat(10)}c`
  test('of a file', () => {
    expect(kindOf('file("longest.txt")')).toBe('text')
    expect(kindOf('file("long.txt")')).toBe('unknown')
  })

  const a = (length: number) => `"${'a'.repeat(length)}"`
  test.each<[string, string]>([
    [`replace(${a(1000)}, "a", "${'b'.repeat(300)}")`, 'unknown'],
    [`replace(${a(1000)}, "/a/", "${'b'.repeat(300)}")`, 'unknown'],
    [`replace(${a(1000)}, "/a/", "${'b'.repeat(100)}")`, 'text'],
    [`regex("${heavy}", ${a(190_000)})`, 'unknown'],
    [`regexall("${heavy}", ${a(190_000)})`, 'unknown'],
    [`replace(${a(190_000)}, "/${heavy}/", "")`, 'unknown'],
    [`regexall("a", ${a(3000)})`, 'unknown'],
    [`regexall("a", ${a(300)})`, 'list'],
    [`regex(${a(1001)}, "a")`, 'unknown'],
    [`regex("${'a?'.repeat(500)}", "a")`, 'text'],
    [`yamldecode(${a(199_999)})`, 'text'],
    [`indent(900, "${'\\n'.repeat(300)}")`, 'unknown'],
    [`indent(600, "${'\\n'.repeat(300)}")`, 'text'],
    [`format("%s%s", ${a(150_000)}, ${a(100_000)})`, 'unknown'],
    [`format("%s%s", ${a(100_000)}, ${a(100_000)})`, 'text'],
  ])('%#', (expression, kind) => {
    expect(kindOf(expression, { budget: { left: 10_000_000, depth: 0 } })).toBe(kind)
  })

  test('what a template makes too long is reported where it is filled in', () => {
    const call = `templatestring("%%{ for i in range(1000) }$\${x}%%{ endfor }", { x = "${'a'.repeat(300)}" })`
    const error = (() => {
      try {
        return resultOf(call)
      } catch (each) {
        return each
      }
    })()
    expect(error).toBeInstanceOf(Exhausted)
    const { span } = error as Exhausted
    expect(span.source.text.slice(span.start, span.start + 15)).toBe('templatestring(')
  })
})

test('what changes with each call is another value each time', () => {
  const ids = (expression: string) => {
    const value = resultOf(`[${expression}, ${expression}]`)
    return value.kind === 'list' ? value.items.map((item) => (item.kind === 'unknown' ? symbolOf(item) : item.kind)) : []
  }
  for (const name of ['uuid()', 'timestamp()', 'bcrypt("a")']) expect(new Set(ids(name)).size).toBe(2)
  for (const name of ['upper(var.x)', 'zzz("a")', 'file(var.x)']) expect(new Set(ids(name)).size).toBe(1)
})
