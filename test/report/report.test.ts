import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Diagnostic } from '../../src/diagnostic.ts'
import { compactReport, jsonReport, ndjsonReport } from '../../src/report/lint.ts'
import { excerpt, prettyReport } from '../../src/report/pretty.ts'
import { guardOutput, json } from '../../src/report/safe.ts'
import { sourceOf } from '../../src/source.ts'
import { counted } from '../support/counted.ts'
import { effort } from '../support/effort.ts'

/** A line and the marks under it, as the report shows them; `«` and `»` enclose the span. */
function marked(line: string): string {
  const from = line.indexOf('«')
  const to = line.indexOf('»') - 1
  const { text, before, width } = excerpt(line.replace(/[«»]/g, ''), from, to)
  return `${text}\n${' '.repeat(before)}${'^'.repeat(width)}`
}

describe('the marks under a line', () => {
  test.each([
    ['allow: «x*y»', 'allow: x*y\n       ^^^'],
    ['«»', '\n^'],
    ['abc«»', 'abc\n   ^'],
    ['\t«x»', '    x\n    ^'],
    ['a\t«x»', 'a   x\n    ^'],
    ['日本«語» x', '日本語 x\n    ^^'],
    ['e\u0301«x»', 'e\u0301x\n ^'],
    ['😀«a»', '😀a\n  ^'],
    ['\u001b«a»', '\\u{1b}a\n      ^'],
    ['«\u202e»a', '\\u{202e}a\n^^^^^^^^'],
  ])('%j', (line, expected) => {
    expect(marked(line)).toBe(expected)
  })

  // covers: T30
  test('of a long line are under what it is about', () => {
    const [text = '', marks = ''] = marked(`${'a'.repeat(500)}«HERE»${'b'.repeat(500)}`).split('\n')
    expect(text.length).toBeLessThanOrEqual(200)
    expect(text.slice(marks.indexOf('^'), marks.length)).toBe('HERE')
  })

  // covers: T30
  test('of a long part are cut with it', () => {
    const [text = '', marks = ''] = marked(`${'a'.repeat(500)}«${'H'.repeat(500)}»`).split('\n')
    expect(text.length).toBeLessThanOrEqual(200)
    expect(marks.length).toBeLessThanOrEqual(text.length)
    expect(marks).toMatch(/^ +\^{50,}$/)
  })
})

/** Texts that mean something to terminals and build servers, among others. */
const harmful = fc
  .array(
    fc.oneof(
      fc.constantFrom('::', '##[', '##vso[', '##', '[', ':', ' ', '\n', '\r', '\u001b[31m', '\u009b', '\u202e', '\u2028', '\t', 'error::'),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''))

// covers: M42, M43, T24, P6
describe('no output can be forged by what is read', () => {
  const reports = { pretty: prettyReport, compact: compactReport, json: jsonReport, ndjson: ndjsonReport }
  test.each(Object.entries(reports))('%s', (_, report) => {
    fc.assert(
      fc.property(harmful, harmful, harmful, harmful, fc.nat(20), fc.nat(20), (path, text, message, help, start, length) => {
        const source = sourceOf(path, text)
        const from = Math.min(start, text.length)
        const span = { source, start: from, end: Math.min(text.length, from + length) }
        const finding: Diagnostic = {
          code: 'shape',
          severity: 'error',
          message,
          help,
          span,
          policy: text,
          related: [{ message: help, span }],
        }
        const output = guardOutput(
          report({ files: [path], findings: [finding], suppressed: [], showSuppressed: false, hidden: 0, rules: [], version: '1.2.3' }),
        )
        expect(output).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/u.exec(output.replaceAll('\n', ''))?.[0] ?? /(?!)/)
        expect(output).not.toMatch(/^\s*::/m)
        expect(output).not.toMatch(/##(vso)?\[/i)
        if (report === jsonReport) expect(JSON.parse(output).findings[0]).toMatchObject({ message, help, file: path })
      }),
      { numRuns: counted(effort(2000)) },
    )
  })

  test('and JSON says the same as without the care', () => {
    fc.assert(
      fc.property(fc.oneof(harmful, fc.string({ unit: 'binary' })), (text) => {
        expect(JSON.parse(json({ text }))).toEqual({ text })
      }),
      { numRuns: counted(effort(2000)) },
    )
  })
})
