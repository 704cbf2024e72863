import { describe, expect, test } from 'vitest'
import { leadingBlanks, trailingBlanks, withoutBlanks } from '../../src/hcl/blanks.ts'
import { jsonText, readJsonText } from '../../src/hcl/json-text.ts'
import type { Value } from '../../src/hcl/types.ts'
import { limits } from '../../src/parser/limits.ts'
import { sourceOf } from '../../src/source.ts'
import { type Node, plainValue, type TextNode } from '../../src/tree.ts'

/** A text in quotes, as a file of HCL may hold it. */
function quoted(value: string): TextNode {
  const text = `x = ${JSON.stringify(value)}`
  return { kind: 'text', value, source: sourceOf('main.tf', text), start: 4, end: text.length }
}

/** The values that a node holds, each with the text at its place, and that of each letter of a text. */
function places(node: Node): readonly string[] {
  const { source, start, end } = node
  const offsets = node.kind === 'text' ? node.offsets : undefined
  const letters = offsets ? ` ${offsets.map((at) => source.text[at] ?? 'end').join(' ')}` : ''
  const own = `${JSON.stringify(plainValue(node))}: ${source.path} ${source.text.slice(start, end)}${letters}`
  const inner = node.kind === 'list' ? node.items : node.kind === 'map' ? node.entries.flatMap(({ key, value }) => [key, value]) : []
  return [own, ...inner.flatMap(places)]
}

const nodeOf = (text: TextNode) => readJsonText(text) as Node | undefined

describe('values of a JSON text', () => {
  test('are where they are written in it', () => {
    const read = nodeOf(quoted('{"a": ["b\\n", 1], "c": null}'))
    expect(read && places(read)).toEqual([
      String.raw`{"a":["b\n",1],"c":null}: main.tf {\"a\": [\"b\\n\", 1], \"c\": null}`,
      String.raw`"a": main.tf \"a\" a \ `.trim(),
      String.raw`["b\n",1]: main.tf [\"b\\n\", 1]`,
      String.raw`"b\n": main.tf \"b\\n\" b \ \ `.trim(),
      '1: main.tf 1',
      String.raw`"c": main.tf \"c\" c \ `.trim(),
      'null: main.tf null',
    ])
  })

  test('in a text of which the places are not known all are where it is', () => {
    const source = sourceOf('main.tf', 'x = upper("[1]")')
    const read = nodeOf({ kind: 'text', value: '["a", 1]', source, start: 4, end: 16 })
    expect(read && places(read)).toEqual(['["a",1]: main.tf upper("[1]")', '"a": main.tf upper("[1]") u u', '1: main.tf upper("[1]")'])
  })

  test('in a text that is made from another have a place of at least one letter', () => {
    const source = sourceOf('main.tf', 'x = "ab"')
    const read = nodeOf({ kind: 'text', value: '[1]', source, start: 5, end: 5, offsets: [5, 5, 5, 5] })
    expect(read && [read.start, read.end]).toEqual([5, 6])
  })

  test('a long text has no place for each letter', () => {
    const offsets = (length: number) => {
      const read = nodeOf(quoted(JSON.stringify('x'.repeat(length))))
      return read?.kind === 'text' ? read.offsets?.length : read
    }
    expect(offsets(300)).toBe(301)
    expect(offsets(301)).toBeUndefined()
  })

  test.each(['', '{', '[1,]', 'x', '[1] [2]', '\ufeff[1]', '\ufeff'])('of none: %s', (text) => {
    expect(readJsonText(quoted(text))).toBeUndefined()
  })

  test.each(['{"a": 1, "a": 2}', `${'['.repeat(65)}${']'.repeat(65)}`])(
    'of one that is not taken here, although others take it: %s',
    (text) => {
      expect(readJsonText(quoted(text))).toBe('unknown')
    },
  )

  test('longer than what is read', () => {
    const longest = `[${' '.repeat(limits.jsonLength - 2)}]`
    expect(readJsonText(quoted(longest))).toMatchObject({ kind: 'list' })
    expect(readJsonText(quoted(`${longest} `))).toBe('unknown')
  })
})

test('values as JSON have their keys in order, and nothing that ends a script', () => {
  const read = nodeOf(quoted('{"b": [true, null, 1.5], "a": {"<&>": "\u2028\\u0001\\""}, "B": []}'))
  expect(jsonText(read as Value)).toBe('{"B":[],"a":{"\\u003c\\u0026\\u003e":"\\u2028\\u0001\\""},"b":[true,null,1.5]}')
})

test.each([
  ['', '', '', ''],
  ['a', '', '', 'a'],
  [' a ', ' ', ' ', 'a'],
  ['\t\n\v\f\r a\u00a0\u3000', '\t\n\v\f\r ', '\u00a0\u3000', 'a'],
  ['\u0085a b\u2028', '\u0085', '\u2028', 'a b'],
  [' \n ', ' \n ', ' \n ', ''],
  ['\ufeffa\ufeff', '', '', '\ufeffa\ufeff'],
  ['\u180ea\u200b', '', '', '\u180ea\u200b'],
  ['undefined', '', '', 'undefined'],
])('blanks around %j', (text, leading, trailing, rest) => {
  expect(leadingBlanks(text)).toBe(leading)
  expect(trailingBlanks(text)).toBe(trailing)
  expect(withoutBlanks(text)).toBe(rest)
})
