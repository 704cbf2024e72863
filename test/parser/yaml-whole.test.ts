import { describe, expect, test } from 'vitest'
import { Lexer } from 'yaml'
import { limits } from '../../src/parser/limits.ts'
import type { Reading } from '../../src/parser/reading.ts'
import { readYaml } from '../../src/parser/yaml.ts'
import { readPlainYaml } from '../../src/parser/yaml-plain.ts'
import { tooManyTokens } from '../../src/parser/yaml-tokens.ts'
import { sourceOf } from '../../src/source.ts'
import { testCases } from '../support/cases.ts'
import { drawn } from '../support/drawn.ts'
import { problemText } from '../support/problem-text.ts'

/** A whole reading: the trees with their places, or that the text is refused, and each problem. */
function said({ documents, diagnostics, refused }: Reading): readonly string[] {
  if (refused) expect(documents).toEqual([])
  return [
    refused ? 'refused' : documents.map(drawn).join(' | '),
    ...diagnostics.map((each) => problemText(each).replace(' error syntax:', '')),
  ]
}

const yaml = (text: string) => said(readYaml(sourceOf('p.yaml', text, 'yaml')))

// Messages of several tests.
const anchor = (place: string, text: string) =>
  `${place} \`${text}\` sets an anchor, and anchors are not read: what a policy says must be where it says it (if it is meant as text, quote it: \`"${text}"\`)`
const star = (place: string, text: string, meant = text, at = place) =>
  `${place} an unquoted \`*\` begins an alias in YAML, not a wildcard: \`${text}\` names nothing (quote it: \`"${meant}"\`) {${at} ${JSON.stringify(`"${meant}"`)}}`
const tag = (place: string, text: string) =>
  `${place} \`${text}\` is a tag, and tags are not read: they change what a value is (remove it; if it is meant as text, quote it: \`"${text}"\`)`

describe('what each text is', () => {
  testCases(new URL('yaml-whole.cases', import.meta.url), (text, { by }) => {
    const lines = yaml(text)
    const source = sourceOf('p.yaml', text, 'yaml')
    const plain = readPlainYaml(source)
    expect(plain && said(plain)).toEqual(by === 'plain' ? lines : undefined)
    if (by === 'full') {
      // Of what is left to the full reader, no more tokens are counted than that finds.
      for (let most = 1; most < 20 && most <= text.length * 2; most++)
        if (readPlainYaml(source, most)?.refused) expect(tooManyTokens(text, most), `${most}`).toBeGreaterThanOrEqual(0)
      return lines
    }
    // Both count as many tokens.
    const tokens = [...new Lexer().lex(text)].length
    expect(readPlainYaml(source, tokens)).toEqual(plain)
    expect(readPlainYaml(source, tokens - 1)?.refused).toBe(true)
    return lines
  })
})

describe('the limits of the full reader', () => {
  test('the length', () => {
    const text = (length: number) => `a: |\n  ${'x'.repeat(length - 7)}`
    expect(yaml(text(limits.yamlLength))).toHaveLength(1)
    expect(yaml(text(limits.yamlLength + 1))).toEqual([
      'refused',
      '0-0 the file is longer than 1048576 characters, and something in it is beyond the plain YAML that is read at greater length (split it into several files)',
    ])
  })

  test('the depth, in block style, in flow style, and in both', () => {
    const deep = 'more than 64 levels of lists and maps: the file is not read'
    const block = (depth: number) => `${'- '.repeat(depth)}a`
    expect(yaml(block(64))[0]).toMatch(/^0-129\[2-129\[.*128-129"a"\]{64}$/)
    expect(yaml(block(65))).toEqual(['refused', `128-129 ${deep}`])
    expect(yaml(`${'['.repeat(64)}${']'.repeat(64)}`)).toHaveLength(1)
    expect(yaml('['.repeat(65))).toEqual(['refused', `64-65 ${deep}`])
    expect(yaml(`${'- '.repeat(32)}${'[{a: '.repeat(16)}`)).toHaveLength(2)
    expect(yaml(`${'- '.repeat(32)}${'[{a: '.repeat(16)}[`)).toEqual(['refused', `144-145 ${deep}`])
    expect(yaml(`${Array.from({ length: 65 }, (_, i) => `${' '.repeat(i)}a:\n`).join('')}`).slice(1)).toEqual([`2273-2274 ${deep}`])
  })

  test('the documents', () => {
    const documents = (amount: number) => `a: |\n  b\n${'---\n'.repeat(amount - 1)}`
    expect(yaml(documents(limits.yamlDocuments))).toEqual(['0-9{0-1"a": 3-9"b\\n"}'])
    for (const end of ['...', '...\n']) expect(yaml(documents(limits.yamlDocuments) + end)).toHaveLength(1)
    expect(yaml(documents(limits.yamlDocuments + 1))).toEqual([
      'refused',
      '40005-40006 more than 10000 documents: the file is not read (split it into several files)',
    ])
  })

  test('the tokens', () => {
    const text = (amount: number) => `a: |\n  b\n${'- \n'.repeat(amount)}`
    expect(yaml(text(170_000))).toEqual([
      'refused',
      expect.stringMatching(/^\d+-\d+ more than 500000 tokens: the file is not read \(split it into several files\)$/),
    ])
  })

  test('the problems: a hundred are reported', () => {
    const anchors = yaml('- &a b\n'.repeat(150))
    expect(anchors).toHaveLength(101)
    expect(anchors[100]).toBe(anchor('695-697', '&a'))
    const errors = yaml('- @b\n'.repeat(150))
    expect(errors).toHaveLength(101)
    expect(errors[1]).toBe('2-3 plain value cannot start with reserved character @ (quote the text)')
    expect(errors[100]).toBe('497-498 plain value cannot start with reserved character @ (quote the text)')
    // Where one too many is met, reading stops: the text behind it is not there.
    expect(anchors[0]).toMatch(/, 691-692"b", 695-695 null\]$/)
    expect(yaml(`# \x07\n${'- &a b\n'.repeat(150)}`)).toHaveLength(101)
    expect(yaml('- @b\n'.repeat(100))[0]).toMatch(/, 497-499"@b"\]$/)
    expect(yaml('- @b\n'.repeat(101))[0]).toBe('')
    expect(yaml(`a: 1\n---\n${'- @b\n'.repeat(101)}`)[0]).toBe('0-4{0-1"a": 3-4 1}')
    const unexpected = (amount: number) => yaml(`[a]\n[]${'- '.repeat(amount - 2)}\n---\nb: 1`)
    expect(unexpected(100)[0]).toBe('0-3[1-2"a"] | 207-211{207-208"b": 210-211 1}')
    expect(unexpected(101)[0]).toBe('0-3[1-2"a"]')
    expect(yaml('a: [1]\n]\n'.repeat(5)).slice(1)).toEqual(['7-8 `]` closes nothing (quote the text if it is meant as one)'])
  })
})

describe('long texts in messages', () => {
  const long = 'x'.repeat(101)
  test('are cut', () => {
    const cut = `${'x'.repeat(99)}…`
    expect(yaml(`a: *${long}`).slice(1)).toEqual([star('3-105', `*${cut}`).replace(/\{.*/, `{3-105 ${JSON.stringify(`"*${long}"`)}}`)])
    expect(yaml(`a: &${long} b`).slice(1)).toEqual([anchor('3-105', `&${cut}`)])
    expect(yaml(`a: !${long} b`).slice(1)).toEqual([tag('3-105', `!${cut}`)])
    expect(yaml(`%${long}\n---\na: b`).slice(1)[0]).toContain(`\`%${cut}\` is a directive`)
    expect(yaml(`0${'1'.repeat(101)}: b`).slice(1)[0]).toContain(`quote it: \`"0${'1'.repeat(99)}…"\``)
  })

  test('a key is at most as long as other readers take it', () => {
    expect(yaml(`${'k'.repeat(1024)}: 1`)).toHaveLength(1)
    expect(yaml(`${'k'.repeat(1025)}: 1`).slice(1)).toEqual([
      '0-1025 the : indicator must be at most 1024 chars after the start of an implicit block mapping key',
    ])
    const plain = (length: number) => readPlainYaml(sourceOf('p.yaml', `a: 1\n${'k'.repeat(length)}: 1`))
    expect(plain(1000)?.documents.map(drawn)).toEqual([`0-1008{0-1"a": 3-4 1, 5-1005"${'k'.repeat(1000)}": 1007-1008 1}`])
    expect(plain(1001)).toBe(undefined)
  })
})

describe('the plain reader', () => {
  const plain = (text: string, most?: number) => {
    const reading = readPlainYaml(sourceOf('p.yaml', text), most)
    return reading && said(reading)
  }
  const indented = (lines: readonly string[], step: number) => lines.map((line, i) => `${' '.repeat(i * step)}${line}\n`).join('')
  const times = (depth: number, part: string) => Array.from({ length: depth }, () => part)

  test.each<[shows: string, write: (depth: number) => string]>([
    ['lists in lists', (depth) => `${'- '.repeat(depth)}a`],
    ['lists below their dashes', (depth) => indented([...times(depth - 1, '-'), '- a'], 1)],
    ['maps in maps', (depth) => indented([...times(depth - 1, 'a:'), 'a: b'], 1)],
    [
      'lists at the column of their keys',
      (depth) => `${indented(times(depth / 2, 'a:'), 2).replace(/^( *)a:\n/gm, '$1a:\n$1- b\n$1-\n')}${' '.repeat(depth)}c`,
    ],
    ['maps behind dashes', (depth) => `${indented(times(depth / 2, '- a:'), 3)}${' '.repeat(99)}"b"`],
    ['flow lists', (depth) => '['.repeat(depth) + ']'.repeat(depth)],
    ['flow maps', (depth) => `${'{a: '.repeat(depth)}b${'}'.repeat(depth)}`],
    ['flow lists in a list', (depth) => `- ${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}`],
    ['flow lists in a map', (depth) => `a: ${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}`],
    ['flow lists below a key', (depth) => `a:\n  ${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}`],
  ])('answers for 64 levels of %s, as the full one does, and no more', (_, write) => {
    expect(plain(write(limits.depth))).toEqual(yaml(write(limits.depth)))
    expect(plain(write(limits.depth))).toHaveLength(1)
    expect(plain(write(limits.depth + 2))).toBe(undefined)
  })

  test('hands on what is one level deeper', () => {
    const depth = limits.depth + 1
    expect(plain(`${'- '.repeat(depth)}a`)).toBe(undefined)
    expect(plain('['.repeat(depth) + ']'.repeat(depth))).toBe(undefined)
    expect(plain(indented([...times(depth - 1, 'a:'), 'a: b'], 1))).toBe(undefined)
  })

  test('refuses what has too many tokens where it meets one too many', () => {
    const flood = (place: string) => ['refused', `${place} more than 500000 tokens: the file is not read (split it into several files)`]
    expect(plain('- a\n'.repeat(100), 12)).toEqual(flood('11-12'))
    expect(plain('a: b\n'.repeat(1), 3)).toEqual(flood('4-5'))
    expect(plain(Array.from({ length: 50 }, (_, i) => `k${i}: b\n`).join(''), 20)).toEqual(flood('17-18'))
    expect(plain(`[${'a, '.repeat(100)}]`, 20)).toEqual(flood('16-17'))
    expect(plain('- a\n', 0)).toEqual(flood('3-4'))
  })

  test('finds a key that is given twice among any number of them', () => {
    for (const amount of [1, 2, 11, 12, 13, 14, 30]) {
      const keys = Array.from({ length: amount }, (_, i) => `k${i}`)
      for (const write of [
        (all: string[]) => all.map((key) => `${key}: 1\n`).join(''),
        (all: string[]) => `{${all.map((key) => `${key}: 1`).join(', ')}}`,
      ]) {
        expect(plain(write(keys))).toEqual(yaml(write(keys)))
        for (const again of new Set(['k0', `k${amount - 1}`, `k${amount >> 1}`])) expect(plain(write([...keys, again]))).toBe(undefined)
      }
    }
  })
})
