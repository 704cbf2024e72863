import { type Node, Parser } from 'commonmark'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LintReport } from '../../src/report/lint.ts'
import { codeSpan, markdownReport, prose } from '../../src/report/markdown.ts'
import { effort } from '../support/effort.ts'

/** A message is plain text to a reader of Markdown, whatever names it holds, and has no escape that it does not need. */

/** The kinds of nodes of a text, and the text that a reader sees. */
function readOf(markdown: string): { readonly kinds: readonly string[]; readonly text: string } {
  const kinds: string[] = []
  let text = ''
  const walker = new Parser().parse(markdown).walker()
  for (let event = walker.next(); event; event = walker.next()) {
    const { node, entering } = event as { node: Node; entering: boolean }
    if (!entering) continue
    kinds.push(node.type)
    text += node.literal ?? ''
  }
  return { kinds, text }
}

const plain = new Set(['document', 'paragraph', 'text', 'code'])

test.each([
  '[name](https://evil.example)',
  '![x](https://evil.example/x.png)',
  '](https://evil.example)',
  '<img src=x onerror=alert(1)>',
  '"><script>alert("x")</script>',
  '<https://evil.example>',
  '[a]: https://evil.example "t"',
  '1) one',
  '2. two',
  '# title',
  '&lt;b&gt;(c)',
  '`code` and (text) [a](b)',
])('`%s` is shown as it is', (message) => {
  const { kinds, text } = readOf(prose(message))
  expect(kinds.filter((kind) => !plain.has(kind))).toEqual([])
  expect(text).toBe(message.replaceAll('`', ''))
})

test('no text becomes a link, an image or HTML', () => {
  const parts = fc.constantFrom(
    '[',
    ']',
    '(',
    ')',
    '](',
    '![',
    '<',
    '>',
    '"',
    "'",
    '`',
    '\\',
    'a',
    ' ',
    '1',
    '.',
    '&#91;',
    'https://e.example',
  )
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 10 }), (list) => {
      const { kinds } = readOf(`x ${prose(list.join(''))}`)
      return kinds.every((kind) => plain.has(kind))
    }),
    { numRuns: effort(3000) },
  )
})

test('parentheses and quotation marks stay as they are', () => {
  expect(prose(`ann's "web" policy (2 of 3)`)).toBe(`ann's "web" policy (2 of 3)`)
})

test.each(['a `b', '``', 'a `b` `c', '`'])('`%s`, whose backticks are not in pairs, is code as it is', (message) => {
  const { kinds, text } = readOf(`x ${prose(message)}`)
  expect([kinds.filter((kind) => !plain.has(kind)), kinds.includes('code')]).toEqual([[], message.split('`').length % 2 === 0])
  if (kinds.includes('code')) expect(text).toBe(`x ${message}`)
})

test.each([' a ', '`a', 'a`', '``', ' ', 'a | b', ' `'])('`%s` is the same as code', (name) => {
  const { kinds, text } = readOf(codeSpan(name))
  expect([kinds, text]).toEqual([['document', 'paragraph', 'code'], name.replaceAll('|', '\\|')])
})

test('of many files that could not be read some are listed, and all are counted', () => {
  const unread = Array.from({ length: 25 }, (_, i) => ({ path: `${i}.json`, message: 'not read' }))
  const text = markdownReport({ files: [], findings: [], unread, hidden: 0, suppressed: [] } as unknown as LintReport)
  expect(text.match(/^\| `\d+\.json` \|/gm)).toHaveLength(20)
  expect(text).toContain('25')
})
