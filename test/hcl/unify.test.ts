import { describe, expect, test } from 'vitest'
import { converted, typeFrom, typeMismatch, unified } from '../../src/hcl/convert.ts'
import { evaluate } from '../../src/hcl/evaluate.ts'
import { isSet } from '../../src/hcl/values.ts'
import { plainValue } from '../../src/tree.ts'
import { frameWith, resultOf } from '../support/hcl-value.ts'

const itemsOf = (expression: string) => {
  const value = resultOf(expression)
  if (value.kind !== 'list') throw new Error(`${expression} is no list`)
  return value.items
}

describe('values as values of one type', () => {
  test.each<[string, unknown]>([
    ['[]', []],
    ['[1, "a"]', ['1', 'a']],
    ['["a", 1]', ['a', '1']],
    ['[1, true]', undefined],
    ['[true, false]', [true, false]],
    ['[1, true, "x"]', ['1', 'true', 'x']],
    ['[null, 1, "a"]', [null, '1', 'a']],
    ['[null, null]', [null, null]],
    ['[null, 1]', [null, 1]],
    ['[var.x, 1, "a"]', ['var.x', '1', 'a']],
    ['[var.x, 1]', ['var.x', 1]],
    ['[[1], ["a"]]', [['1'], ['a']]],
    [
      '[[1, 2], [3, 4]]',
      [
        [1, 2],
        [3, 4],
      ],
    ],
    ['[[1, "a"], [true, 2]]', undefined],
    [
      '[[1, "a"], ["b", 2]]',
      [
        ['1', 'a'],
        ['b', '2'],
      ],
    ],
    ['[[1, 2], ["a"]]', [['1', '2'], ['a']]],
    ['[[1, 2], [true]]', undefined],
    ['[[1, 2], [3]]', [[1, 2], [3]]],
    ['[[], ["a", 1]]', [[], ['a', '1']]],
    ['[["a", 1], []]', [['a', '1'], []]],
    ['[[1], "a"]', undefined],
    ['[[1], ["b"], "x"]', undefined],
    ['[{ a = 1 }, { a = "b" }, "x"]', undefined],
    ['[{ a = 1 }, { a = "b" }, [1]]', undefined],
    ['["a", [1]]', undefined],
    ['[[1], null, ["a"]]', [[1], null, ['a']]],
    ['[[1], var.x, ["a"]]', [[1], 'var.x', ['a']]],
    ['[null, [1], ["a"]]', [null, [1], ['a']]],
    ['[[null], ["a"]]', [[null], ['a']]],
    ['[[[1]], [["a"]]]', [[['1']], [['a']]]],
    ['[[[1]], [[true]]]', undefined],
    ['[[[1, 2]], [["a"]]]', [[['1', '2']], [['a']]]],
    ['[{ a = 1 }, { a = "x" }]', [{ a: '1' }, { a: 'x' }]],
    ['[{ a = 1 }, { b = "x" }]', [{ a: '1' }, { b: 'x' }]],
    ['[{ a = 1, b = 2 }, { a = "x" }]', [{ a: '1', b: '2' }, { a: 'x' }]],
    [
      '[{ a = 1, b = 2 }, { b = "y", a = "x" }]',
      [
        { a: '1', b: '2' },
        { b: 'y', a: 'x' },
      ],
    ],
    [
      '[{ a = 1, b = "s" }, { a = 2, b = 3 }]',
      [
        { a: 1, b: 's' },
        { a: 2, b: '3' },
      ],
    ],
    ['[{ a = 1, b = 2 }, { a = "x", b = true }]', undefined],
    ['[{ a = 1 }, { b = true }]', undefined],
    ['[{}, { a = 1 }, { b = "x" }]', [{}, { a: '1' }, { b: 'x' }]],
    ['[{}, {}]', [{}, {}]],
    ['[{ a = 1 }, null, { a = "x" }]', [{ a: 1 }, null, { a: 'x' }]],
    ['[null, { a = 1 }, var.x, { a = "x" }]', [null, { a: 1 }, 'var.x', { a: 'x' }]],
    ['[{ a = 1 }, [1]]', undefined],
    ['[{ a = 1 }, "x"]', undefined],
    ['[{ a = [1] }, { a = ["x"] }]', [{ a: ['1'] }, { a: ['x'] }]],
    ['[{ "" = 1 }, { "" = "x" }]', [{ '': '1' }, { '': 'x' }]],
    ['[{ "" = 1, a = 2 }, { "" = "x" }]', [{ '': '1', a: '2' }, { '': 'x' }]],
  ])('%s', (expression, expected) => {
    expect(unified(itemsOf(expression))?.map((item) => JSON.parse(JSON.stringify(plainValue(item))))).toEqual(expected)
  })

  test('sets stay sets, in the order of their texts', () => {
    const items = unified(itemsOf('[toset([10, 9]), toset(["a"])]'))
    expect(items?.map((item) => isSet(item))).toEqual([true, true])
    expect(items?.map((item) => plainValue(item))).toEqual([['10', '9'], ['a']])
  })
})

describe('types', () => {
  const typed = (expression: string, type: string) => {
    const { written, frame } = frameWith(type)
    const wanted = typeFrom(written, (each) => evaluate(each, frame))
    const value = converted(resultOf(expression), wanted)
    return [value && JSON.parse(JSON.stringify(plainValue(value))), typeMismatch(resultOf(expression), wanted)]
  }
  test.each<[string, string, unknown, string | undefined]>([
    ['1', 'string', '1', undefined],
    ['1', 'number', 1, undefined],
    ['"12"', 'number', 12, undefined],
    ['"12"', 'string', '12', undefined],
    ['"12"', 'any', '12', undefined],
    ['"true"', 'string', 'true', undefined],
    ['"1"', 'bool', true, undefined],
    ['true', 'bool', true, undefined],
    ['null', 'object({ a = string })', null, undefined],
    ['null', 'set(string)', null, undefined],
    ['var.x', 'set(string)', 'var.x', undefined],
    ['[1]', 'tuple([string])', ['1'], undefined],
    ['[1]', 'string', undefined, 'a text'],
    ['{ a = 1 }', 'string', undefined, 'a text'],
    ['[1]', 'map(string)', undefined, 'a map'],
    ['[1]', 'object({ a = string })', undefined, 'an object'],
    ['{ a = 1 }', 'set(string)', undefined, 'a list'],
    ['{ a = 1 }', 'map(any)', { a: 1 }, undefined],
    ['{ a = 1 }', 'map', { a: 1 }, undefined],
    ['[1]', 'list', [1], undefined],
    ['[2, 1]', 'set', [2, 1], undefined],
    ['{ a = 1 }', 'map({ a = string })', { a: 1 }, undefined],
    ['{ a = 1, z = 2 }', 'list({ a = string })', undefined, 'a list'],
    ['{ a = 1, z = 2 }', 'object({ "a" = string })', { a: '1' }, undefined],
    ['{ a = 1 }', 'object({ (var.x) = string })', {}, undefined],
    ['{ a = 1 }', 'object({ a = string, b = f(string, "c") })', undefined, 'an object with `b`'],
    ['{ b = 1 }', 'object({ a = string, b = f(string, "c") })', undefined, 'an object with `a`'],
    ['{ a = 1 }', '"string"', undefined, 'a text'],
    ['1', 'a.b', 1, undefined],
    ['[1]', 'a.string', [1], undefined],
    ['{ a = 1 }', 'object({ (var.x) = optional(string) })', {}, undefined],
    ['{ a = 1 }', 'object({ a = optional })', { a: 1 }, undefined],
    ['{ b = 1 }', 'object({ a = optional })', undefined, 'an object with `a`'],
    ['1', '[string]', 1, undefined],
  ])('%s as %s', (expression, type, value, lacks) => {
    expect(typed(expression, type)).toEqual([value, lacks])
  })

  test('a value of the right type stays as it is', () => {
    for (const [expression, type] of [
      ['1', 'number'],
      ['true', 'bool'],
      ['"a"', 'string'],
    ] as const) {
      const { written, frame } = frameWith(type)
      const value = resultOf(expression)
      expect(
        converted(
          value,
          typeFrom(written, (each) => evaluate(each, frame)),
        ),
      ).toBe(value)
    }
  })
})
