import { expect, it } from 'vitest'
import { writtenValue } from '../../src/deployment/written.ts'
import { treeOf } from '../../src/parser/tree.ts'
import { sourceOf } from '../../src/source.ts'
import type { Node } from '../../src/tree.ts'

const written = async (text: string) => JSON.stringify(writtenValue((await treeOf(sourceOf('a.yaml', text))).documents[0] as Node))

/** Values that some program or other takes for two: Ruby and Go read YAML 1.1, and Azure takes every scalar as a text. */
it.each([
  ['a: yes', 'a: "yes"'],
  ['a: Off', "a: 'Off'"],
  ['a: n', 'a: "n"'],
  ['a: 1.10', 'a: 1.1'],
  ['a: 0x10', 'a: 16'],
  ['a: 010', 'a: 10'],
  ['a: 0o10', 'a: 8'],
  ['a: 1e3', 'a: 1000'],
  ['a: 1_000', 'a: "1_000"'],
  ['a: 1_000.5', 'a: "1_000.5"'],
  ['a: 0x1_0', 'a: "0x1_0"'],
  ['a: 1:30', 'a: "1:30"'],
  ['a: [yes]', 'a: ["yes"]'],
  ['a: 1', 'a: "1"'],
  ['a: true', 'a: "true"'],
])('%j is another value than %j', async (one, other) => {
  expect(await written(one)).not.toBe(await written(other))
})

it.each([
  ['a: word', 'a: "word"'],
  ["a: 'yes'", 'a: "yes"'],
  ['a: ~', 'a: null'],
  ['a: 10 # ten', 'a:   10'],
  ['a: "1.10"', "a: '1.10'"],
  ['a: 0a1b2c', 'a: "0a1b2c"'],
  ['a: face', 'a: "face"'],
  ['a: a_b', 'a: "a_b"'],
  ['a: v1_0', "a: 'v1_0'"],
])('%j is the same value as %j', async (one, other) => {
  expect(await written(one)).toBe(await written(other))
})
