import { describe, expect, test } from 'vitest'
import { evaluate } from '../../src/hcl/evaluate.ts'
import { Inexact } from '../../src/hcl/exact.ts'
import { anyType, numberType, openType, stringType, type Value } from '../../src/hcl/types.ts'
import {
  atSpan,
  booleanAt,
  booleanOf,
  distinctKnown,
  equal,
  failedNode,
  fingerprint,
  isFailed,
  isKnown,
  isReference,
  isSet,
  isSpread,
  isUnordered,
  keyOf,
  listOf,
  longestText,
  mapAt,
  mapOf,
  nullNode,
  numberAt,
  numberOf,
  printValue,
  setAt,
  sortedEntries,
  sortedTexts,
  spreadOf,
  textNode,
  textOf,
  tupleNode,
  unknownAt,
  unordered,
  withoutMarks,
  withType,
} from '../../src/hcl/values.ts'
import { sourceOf } from '../../src/source.ts'
import { type Node, plainValue, readableName, symbolOf } from '../../src/tree.ts'
import { frameWith, resultOf } from '../support/hcl-value.ts'

const span = { source: sourceOf('main.tf', 'some text'), start: 0, end: 4 }
const text = (value: string) => textNode(span, value)
const number = (value: number) => numberAt(span, value)
const list = (...items: Node[]) => tupleNode(span, items)
const set = (...items: Node[]) => setAt(span, items)
const map = (entries: Readonly<Record<string, Node>>) =>
  mapAt(
    span,
    Object.entries(entries).map(([key, value]) => ({ key: text(key), value })),
  )
const unknown = (name: string, scope = '.') => unknownAt(span, name, scope)
const partly = (name: string, ...pieces: string[]): Node => ({ ...unknown(name), pieces })
const spread = (name: string) => spreadOf(unknown(name))
const failed = failedNode(span, 'x', '.')

/** Small values of all kinds; those of one line are equal. */
const small: readonly (readonly Value[])[] = [
  [text('a'), text('a')],
  [text('')],
  [text('1')],
  [number(1), number(1)],
  [number(-1)],
  [text('true')],
  [booleanAt(span, true)],
  [booleanAt(span, false)],
  [nullNode(span), nullNode(span)],
  [text('null')],
  [list(), list()],
  [map({}), map({})],
  [list(text('a')), list(text('a'))],
  [list(text('a'), text('b'))],
  [list(text('b'), text('a'))],
  [list(list())],
  [list(text('a,b'))],
  [list(text('a"'))],
  [map({ a: number(1), b: number(2) }), map({ b: number(2), a: number(1) })],
  [map({ a: number(2), b: number(1) })],
  [map({ a: list(number(1)) })],
  [map({ 'a=1': text('') })],
]
const flat = small.flatMap((values, i) => values.map((value) => ({ value, line: i })))

describe('values that are known', () => {
  test('are equal where they are the same, and have one key and one fingerprint then', () => {
    for (const a of flat)
      for (const b of flat) {
        const same = a.line === b.line
        const names = `${printValue(a.value)} and ${printValue(b.value)}`
        expect(equal(a.value, b.value), names).toBe(same)
        expect(keyOf(a.value) === keyOf(b.value), names).toBe(same)
        expect(fingerprint(a.value) === fingerprint(b.value), names).toBe(same)
      }
  })

  test('of two types are two values, however alike their parts are', () => {
    const [items, entries] = [[text('a')], [{ key: text('a'), value: text('b') }]]
    const alike = [
      [list(text('a')), set(text('a')), listOf(span, stringType, items), listOf(span, anyType, items)],
      [list(), set(), listOf(span, stringType, []), listOf(span, numberType, []), setAt(span, [], stringType)],
      [map({ a: text('b') }), mapOf(span, stringType, entries), mapOf(span, anyType, entries)],
      [map({}), mapOf(span, stringType, []), mapOf(span, anyType, [])],
    ]
    for (const values of alike)
      for (const [i, a] of values.entries())
        for (const [j, b] of values.entries()) {
          expect(equal(a, b), `${printValue(a)}: ${i} and ${j}`).toBe(i === j)
          expect(fingerprint(a) === fingerprint(b)).toBe(i === j)
          // The values made of them are not known by one name.
          expect(printValue(a) === printValue(b)).toBe(i === j)
          expect(readableName(printValue(a))).toBe(readableName(printValue(b)))
        }
  })

  test('are not known to be equal where a type is not known', () => {
    const open = withType(list(text('a')), openType)
    const number = withType(numberAt(span, 1), openType)
    expect(equal(open, list(text('a')))).toBeUndefined()
    expect(equal(open, list(text('b')))).toBe(false)
    expect(equal(number, numberAt(span, 1))).toBeUndefined()
    expect(equal(number, text('1'))).toBeUndefined()
    expect(equal(number, text('2'))).toBe(false)
    expect([open, number].map(isKnown)).toEqual([false, false])
  })

  test('in an order that is not known are not known by their places', () => {
    const any = unordered(list(text('a'), text('b')))
    expect(equal(any, list(text('a'), text('b')))).toBeUndefined()
    expect(isKnown(any)).toBe(false)
    expect(isUnordered(unordered(list(text('a'))))).toBe(false)
  })

  test('are known', () => {
    for (const { value } of flat) expect(isKnown(value), printValue(value)).toBe(true)
    for (const value of [unknown('x'), list(unknown('x')), map({ a: list(text('b'), unknown('x')) }), list(list(), spread('x'))])
      expect(isKnown(value), printValue(value)).toBe(false)
  })
})

describe('values that are not known', () => {
  test.each<[Value, Value, boolean | undefined]>([
    [unknown('x'), unknown('x'), true],
    [unknown('x'), unknown('y'), undefined],
    [unknown('x'), unknown('x', 'elsewhere'), undefined],
    [spread('x'), spread('x'), undefined],
    [unknown('x'), spread('x'), true],
    [unknown('x'), nullNode(span), undefined],
    [list(unknown('x')), nullNode(span), false],
    [nullNode(span), list(unknown('x')), false],
    [nullNode(span), unknown('x'), undefined],
    [text('a'), list(unknown('x')), false],
    [number(1), list(unknown('x')), false],
    [list(unknown('x')), list(unknown('x')), undefined],
    [list(unknown('x')), text('a'), false],
    [unknown('x'), text('a'), undefined],
    [partly('a${x}', 'a', ''), text('b'), false],
    [text('b'), partly('a${x}', 'a', ''), false],
    [partly('a${x}', 'a', ''), text('ab'), undefined],
    [partly('${x}a', '', 'a'), text('ab'), false],
    [partly('${x}a', '', 'a'), text('ba'), undefined],
    [partly('a${x}b${y}c', 'a', 'b', 'c'), text('ac'), undefined],
    [partly('a${x}b${y}c', 'a', 'b', 'c'), text('ab'), false],
    [partly('a${x}', 'a', ''), number(1), false],
    [number(1), partly('a${x}', 'a', ''), false],
    [partly('a${x}', 'a', ''), partly('b${x}', 'b', ''), undefined],
  ])('%#', (a, b, expected) => {
    expect(equal(a, b)).toBe(expected)
  })

  test('have a fingerprint of their name, their scope, and whether they are any number', () => {
    const all = [unknown('x'), unknown('y'), unknown('x', 'elsewhere'), spread('x'), list(unknown('x')), list(spread('x')), text('x')]
    expect(new Set(all.map(fingerprint)).size).toBe(all.length)
    expect(fingerprint(unknown('x'))).toBe(fingerprint(unknown('x')))
  })

  test('say what they are', () => {
    const kinds = (value: Value) => [isSpread(value), isFailed(value), isSet(value), isReference(value)]
    expect(kinds(unknown('x'))).toEqual([false, false, false, false])
    expect(kinds(spread('x'))).toEqual([true, false, false, false])
    expect(kinds(failed)).toEqual([false, true, false, false])
    expect(kinds(set())).toEqual([false, false, true, false])
    expect(kinds(list())).toEqual([false, false, false, false])
    expect(kinds({ ...unknown('x'), address: ['x'] } as Value)).toEqual([false, false, false, true])
    // Fields of such names in other kinds of values are nothing of this.
    const odd = { isSpread: true, isFailed: true, isSet: true, address: [] }
    expect(kinds({ ...text('a'), ...odd } as Value)).toEqual([false, false, false, false])
  })

  test('leave evaluation with names as users read them', () => {
    const inner = resultOf('[for x in var.l : "<${x}>"]')
    const value = inner.kind === 'list' ? (inner.items[0] as Value) : inner
    expect(value).toMatchObject({ expression: '<${var.l[*]}>', id: expect.stringContaining('var.l[*]') })
    expect(readableName((value as { id: string }).id)).toBe('<${var.l[*]}>')
    const known = map({ a: list(text('b')) })
    expect(withoutMarks(known)).toBe(known)
    const plainName = unknown('var.x')
    expect(withoutMarks(plainName)).toBe(plainName)
    const perhaps = [failed]
    expect(withoutMarks({ ...known, perhaps })).toEqual({ ...known, perhaps: [{ ...failed, expression: 'x', id: failed.expression }] })
    const half = map({ a: failed, b: text('c') })
    expect(withoutMarks(half)).toEqual({
      ...half,
      entries: [{ key: text('a'), value: { ...failed, expression: 'x', id: failed.expression } }, half.entries[1]],
    })
    expect(withoutMarks(half)).not.toHaveProperty('perhaps')
  })
})

describe('simple values', () => {
  test.each<[Value, string | undefined, number | undefined, boolean | undefined]>([
    [text('a'), 'a', undefined, undefined],
    [text('12'), '12', 12, undefined],
    [text('-1.5e3'), '-1.5e3', -1500, undefined],
    [text('1E+2'), '1E+2', 100, undefined],
    [text('1.'), '1.', 1, undefined],
    [text('.5'), '.5', 0.5, undefined],
    [text(' 1'), ' 1', undefined, undefined],
    [text('+1'), '+1', 1, undefined],
    [text('true'), 'true', undefined, true],
    [text('false'), 'false', undefined, false],
    [text('1'), '1', 1, true],
    [text('0'), '0', 0, false],
    [text('True'), 'True', undefined, undefined],
    [number(0), '0', 0, undefined],
    [number(1), '1', 1, undefined],
    [booleanAt(span, true), 'true', undefined, true],
    [booleanAt(span, false), 'false', undefined, false],
    [nullNode(span), undefined, undefined, undefined],
    [list(text('1')), undefined, undefined, undefined],
    [unknown('x'), undefined, undefined, undefined],
  ])('%#', (value, asText, asNumber, asTruth) => {
    expect([textOf(value), numberOf(value), booleanOf(value)]).toEqual([asText, asNumber, asTruth])
  })

  test.each([Number.NaN, Number.POSITIVE_INFINITY, -0])('a number of which not all digits are known is none here: %d', (value) => {
    expect(() => number(value)).toThrow(Inexact)
  })
})

describe('order', () => {
  const sorted = (...items: Node[]) => sortedTexts(items).map((item) => plainValue(item))
  test('texts by their letters, numbers by their size, others where they are', () => {
    expect(sorted(text('b'), text('a'), text('B'))).toEqual(['B', 'a', 'b'])
    expect(sorted(number(10), number(9), number(-1))).toEqual([-1, 9, 10])
    expect(sorted(text('9'), number(10))).toEqual([10, '9'])
    expect(sorted(number(10), text('9'))).toEqual([10, '9'])
    expect(sorted(text('10'), number(9))).toEqual(['10', 9])
    expect(sorted(number(9), text('10'))).toEqual(['10', 9])
    expect(sorted(list(text('b')), list(text('a')))).toEqual([['b'], ['a']])
    for (const items of [
      [nullNode(span), text('b'), text('a')],
      [text('b'), nullNode(span), text('a')],
      [text('b'), text('a'), nullNode(span)],
      [nullNode(span), number(2), nullNode(span)],
    ])
      expect(sorted(...items)).toEqual(items[1]?.kind === 'number' ? [2, null, null] : ['a', 'b', null])
    expect(sorted(nullNode(span), list(), nullNode(span))).toEqual([[], null, null])
  })

  test('a set holds each value once, before all that which is not known', () => {
    expect(set(text('b'), unknown('x'), text('a'), text('b'), unknown('x')).items.map((item) => plainValue(item))).toEqual([
      'x',
      'x',
      'a',
      'b',
    ])
    expect(set(unknown('x')).items.map((item) => isSpread(item))).toEqual([true])
    expect(distinctKnown([list(unknown('x')), list(unknown('y')), list(unknown('x'))])).toHaveLength(2)
    expect(
      distinctKnown([text('a'), unknown('x'), number(1), text('1'), text('a'), list(), list()]).map((item) => plainValue(item)),
    ).toEqual(['a', 1, '1', []])
  })

  test('entries by their keys', () => {
    expect(sortedEntries(map({ b: number(1), a: number(2), B: number(3) })).map(({ key }) => key.value)).toEqual(['B', 'a', 'b'])
  })
})

describe('names', () => {
  test.each<[Value, string]>([
    [text('a"b'), '"a\\"b"'],
    [number(1.5), '1.5'],
    [nullNode(span), 'null'],
    [list(), '[]'],
    [list(text('a'), list(number(1), number(2))), '["a", [1, 2]]'],
    [map({}), '{}'],
    [map({ b: number(1), 'a c': map({ d: booleanAt(span, true) }) }), '{"a c" = {"d" = true}, "b" = 1}'],
    [unknown('var.x'), 'var.x'],
    [list(unknown('var.x'), text('var.x')), '[var.x, "var.x"]'],
    [partly('a${x}', 'a', ''), '"a${x}"'],
  ])('%#', (value, expected) => {
    expect(readableName(printValue(value))).toBe(expected)
  })

  const long = (last: string) => list(...Array.from({ length: 100 }, () => text('abcdef')), text(last))
  test('of long values are cut, and distinguish them still', () => {
    expect(readableName(printValue(long('x'))).length).toBeLessThan(415)
    expect(readableName(printValue(long('x')))).toBe(readableName(printValue(long('y'))))
    expect(printValue(long('x'))).not.toBe(printValue(long('y')))
    expect(printValue(long('x'))).toBe(printValue(long('x')))
    const texts = ['x', 'y'].map((last) => printValue(text('a'.repeat(500) + last)))
    expect(texts[0]).not.toBe(texts[1])
    expect(readableName(texts[0] as string)).toBe(`"${'a'.repeat(401)}"`)
    expect(printValue(text('a'.repeat(400)))).toBe(`"${'a'.repeat(400)}"`)
    expect(printValue(list(text('a'.repeat(395)), number(1)))).toBe(`["${'a'.repeat(395)}", 1]`)
    const entries = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`key${i}`, text('abcdef')]))
    expect(readableName(printValue(map(entries)))).toMatch(/^.{390,425}$/)
    const maps = ['x', 'y'].map((last) => printValue(map({ a: text('a'.repeat(300)), b: text('b'.repeat(200)), c: text(last) })))
    expect(maps[0]).not.toBe(maps[1])
  })

  test('of what is not known are cut, and say where it is', () => {
    expect(unknown('a'.repeat(400)).expression).toBe('a'.repeat(400))
    expect(readableName(unknown('a'.repeat(401)).expression)).toBe(`${'a'.repeat(400)}… (main.tf, at 0)`)
    expect(unknown(`${'a'.repeat(401)}x`).expression).not.toBe(unknown(`${'a'.repeat(401)}y`).expression)
  })
})

describe('what is there any number of times', () => {
  const ids = (expression: string) => {
    const value = resultOf(expression)
    return value.kind === 'list' ? value.items.map((item) => (item.kind === 'unknown' ? symbolOf(item) : item.kind)) : [value.kind]
  }
  test('of two lists are other numbers, by one condition the same', () => {
    const [one, other] = ids('[for x in concat(var.a, var.b) : "c"]')
    expect(one).not.toBe(other)
    const [first, second] = ids('[for x in ["a", "b"] : 1 if var.on]')
    expect(first).toBe(second)
    expect(ids('[for x in ["a"] : 1 if var.on]')).not.toEqual(ids('[for x in ["a"] : 1 if var.off]'))
  })
})

test('the last place of a text is where it ends', () => {
  for (const expression of ['"a${1}b"', '"a${1}"', '"${1}a\\n"', '"%{ if true }a%{ endif }"', '"a${"b"}"']) {
    const value = resultOf(expression)
    const end = value.kind === 'text' ? value.offsets?.at(-1) : undefined
    const rest = end === undefined ? 'none' : value.source.text.slice(end, value.end)
    expect([expression, rest]).toEqual([expression, expression.includes('endif') ? '%{ endif }"' : '"'])
  }
})

describe('limits', () => {
  test('of values that build on one another', () => {
    const at = (depth: number) => {
      const { written, frame } = frameWith('1')
      const budget = { left: 10, depth }
      const value = evaluate(written, { ...frame, budget })
      return [value.kind, budget.depth]
    }
    expect(at(699)).toEqual(['number', 699])
    expect(() => at(700)).toThrow('more than 700 values build on one another')
  })

  test('of a text that is put together, where it grows too long', () => {
    const most = resultOf(`"\${"${'a'.repeat(100_000)}"}\${"${'b'.repeat(100_000)}"}"`)
    expect(most.kind === 'text' && most.value.length).toBe(200_000)
    const half = 'a'.repeat(150_000)
    const expression = `"\${"${half}"}\${"b${half}"}"`
    try {
      resultOf(expression)
      expect.unreachable()
    } catch (error) {
      const { message, span } = error as { message: string; span: { source: { text: string }; start: number; end: number } }
      expect(message).toBe('this text is longer than 200000 characters')
      expect(span.source.text.slice(span.start, span.start + 5)).toBe('${"ba')
    }
  })

  test('of a text', () => {
    expect(text('a'.repeat(longestText)).value.length).toBe(200_000)
    expect(() => text('a'.repeat(longestText + 1))).toThrow('this text is longer than 200000 characters')
  })

  test('of the parts of a value, those that are in it twice counted twice', () => {
    const many = list(...Array.from({ length: 99_998 }, () => number(1)))
    expect(list(many).items).toHaveLength(1)
    expect(() => list(many, number(1))).toThrow('this value has more than 100000 parts')
    expect(() => list(many, many)).toThrow('more than 100000 parts')
    expect(() => map({ a: map({ b: many }), c: number(1) })).toThrow('more than 100000 parts')
    expect(() => setAt(span, [many, number(1)])).toThrow('more than 100000 parts')
  })
})

test('a value at one place has all of itself there', () => {
  const other = { source: sourceOf('other.tf', 'x'), start: 0, end: 1 }
  const places = (node: Node): readonly string[] => [
    `${node.kind} ${node.source.path} ${node.start} ${node.end}`,
    ...(node.kind === 'list' ? node.items : node.kind === 'map' ? node.entries.flatMap(({ key, value }) => [key, value]) : []).flatMap(
      places,
    ),
  ]
  const value = map({ a: list(text('b'), number(1), nullNode(span)), c: booleanAt(span, true) })
  const moved = atSpan({ ...value }, other)
  expect(plainValue(moved)).toEqual(plainValue(value))
  expect(places(moved)).toEqual(['map', 'text', 'list', 'text', 'number', 'null', 'text', 'boolean'].map((kind) => `${kind} other.tf 0 1`))
  const located = atSpan(textNode(span, 'ab', [0, 1, 2]), other)
  expect(located).not.toHaveProperty('offsets')
})
