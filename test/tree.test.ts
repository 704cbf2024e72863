import { describe, expect, test } from 'vitest'
import { limits } from '../src/parser/limits.ts'
import { readRulesText } from '../src/parser/rules-text.ts'
import { isActionLines, isMarkdown, readTree, treeOf } from '../src/parser/tree.ts'
import { readYaml } from '../src/parser/yaml.ts'
import { type Notation, sourceOf } from '../src/source.ts'
import { plainValue } from '../src/tree.ts'
import { problemText } from './support/problem-text.ts'

describe('the tree of a text', () => {
  const configuration = 'a configuration is read with the other files of its folder: name the file on the command line'
  test.each<[notation: Notation, text: string, place: string, message: string]>([
    ['hcl', 'a: 1', '0-0', configuration],
    ['hcl-json', '{}', '0-0', configuration],
    ['markdown', '{}', '0-0', 'the policies of a Markdown file are in its fenced code blocks: lint the file'],
    ['actions', 'a: 1', '0-0', 'a list of actions gives them to no identity: lint it, or `expand --from` it'],
    [
      'yaml',
      'a: 1\r- b',
      '4-5',
      'the lines end in a carriage return alone (U+000D): only some programs end a line there, and others see a single line (save the file with line feeds (LF or CRLF))',
    ],
    [
      'yaml',
      '\ra: 1',
      '0-1',
      'the lines end in a carriage return alone (U+000D): only some programs end a line there, and others see a single line (save the file with line feeds (LF or CRLF))',
    ],
  ])('%s is not read: %j', async (notation, text, place, message) => {
    const source = sourceOf('p', text, notation)
    const reading = readTree(source, readYaml)
    expect(reading.diagnostics.map(problemText)).toEqual([`${place} error syntax: ${message}`])
    expect({ ...reading, diagnostics: [] }).toEqual({ documents: [], diagnostics: [], refused: true })
    expect(await treeOf(source)).toEqual(reading)
  })

  test('YAML may be as long as is read', () => {
    const comment = (length: number) => sourceOf('p.yaml', `a: 1\n#${'c'.repeat(length - 6)}`)
    const read = readTree(comment(limits.plainYamlLength))
    expect(read.diagnostics).toEqual([])
    expect(read.documents.map(plainValue)).toEqual([{ a: 1 }])
    const { diagnostics, documents, refused } = readTree(comment(limits.plainYamlLength + 1))
    expect({ documents, refused }).toEqual({ documents: [], refused: true })
    expect(diagnostics.map(problemText)).toEqual([
      '0-0 error syntax: the file is longer than 8388608 characters, the most that is read of YAML (split it into several files)',
    ])
  })

  test.each<[notation: Notation, text: string, value: unknown]>([
    ['json', '{"a":\r[1]}', { a: [1] }],
    ['yaml', 'a: [1]', { a: [1] }],
    ['yaml', 'a:\r\n- 1\r\n', { a: [1] }],
    ['yaml', '', undefined],
    ['rules', 'GET /a', readRulesText(sourceOf('p', 'GET /a', 'rules')).documents.map(plainValue)[0]],
    // Only the full reader reads these.
    ['yaml', 'a: |\n  b', { a: 'b\n' }],
    ['yaml', 'a: b # \r\nc: "\\u0041"', { a: 'b', c: 'A' }],
  ])('%s: %j', async (notation, text, value) => {
    const source = sourceOf('p', text, notation)
    const reading = await treeOf(source)
    expect(reading.documents.map(plainValue)).toEqual(value === undefined ? [] : [value])
    expect(readTree(source, readYaml)).toEqual(reading)
  })

  test('without the full YAML reader it says where that is needed', () => {
    const { diagnostics, ...rest } = readTree(sourceOf('p.yaml', 'a: |\n  b'))
    expect(rest).toEqual({ documents: [], refused: true, needsYaml: true })
    expect(diagnostics.map(problemText)).toEqual(['0-0 error syntax: this YAML needs the full reader, which was not loaded'])
    // The plain reader answers without the other one.
    const never = () => expect.fail('the full reader is not asked')
    expect(readTree(sourceOf('p.yaml', 'a: 1'), never).documents.map(plainValue)).toEqual([{ a: 1 }])
  })
})

test('what a file is by its name', () => {
  const names = ['a.md', 'A.MD', 'a.markdown', 'md', 'a.md.yaml', 'a.mdx', 'a.actions', 'b/A.Actions', 'actions', 'a.actions.yaml']
  expect(names.filter(isMarkdown)).toEqual(['a.md', 'A.MD', 'a.markdown'])
  expect(names.filter(isActionLines)).toEqual(['a.actions', 'b/A.Actions'])
})
