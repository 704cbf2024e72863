import { describe, expect, test } from 'vitest'
import { readHcl } from '../../src/hcl/parse.ts'
import { treeOfBody } from '../../src/merge/hcl.ts'
import { MergeConflict, mergedDocuments, spliced } from '../../src/merge/walk.ts'
import { treeOf } from '../../src/parser/tree.ts'
import { type Notation, sourceOf } from '../../src/source.ts'
import type { Node } from '../../src/tree.ts'
import { testSettings } from '../support/settings.ts'

async function documentsOf(text: string, notation: Notation): Promise<readonly Node[]> {
  const source = sourceOf('x', text, notation)
  const body = notation === 'hcl' ? readHcl(source, undefined).body : undefined
  return body ? [treeOfBody(source, body, testSettings)] : (await treeOf(source)).documents
}

/** The text of our side with the edits of the other one; in brackets, why there is none. */
async function walked(notation: Notation, base: string, ours: string, theirs: string): Promise<string> {
  const [old, mine, other] = (await Promise.all([base, ours, theirs].map((text) => documentsOf(text, notation)))) as [
    Node[],
    Node[],
    Node[],
  ]
  try {
    const { edits, left } = mergedDocuments(old, mine, other)
    if (left.length > 0) return `(expressions: ${left.map((path) => path.join('.')).join(', ')})`
    return (edits && spliced(ours, edits)) ?? '(no layout)'
  } catch (error) {
    if (!(error instanceof MergeConflict)) throw error
    return `(${error.why}: ${error.path.join('.')})`
  }
}

describe('JSON', () => {
  test.each([
    // Values.
    ['1', '1', '2', '2'],
    ['1', '2', '1', '2'],
    ['1', '2', '2', '2'],
    ['1', '2', '3', '(both change: )'],
    ['{"a": "x"}', '{"a": "x"}', '{"a": null}', '{"a": null}'],
    ['{"a": 1}', '{"a": {"b": 1}}', '{"a": [1]}', '(both change: a)'],
    ['{"a": {"b": 1}}', '{"a": {"b": 1}, "c": 1}', '{"a": [1]}', '{"a": [1], "c": 1}'],
    ['{"a": [1]}', '{"a": [1, 2]}', '{"a": {"b": 1}}', '(both change: a)'],
    ['{"a": {"b": 1}}', '{"a": [1]}', '{"a": {"b": 2}}', '(both change: a)'],
    ['{"a": {"b": 1}}', '{"a": {"b": 2}}', '{"a": [1]}', '(both change: a)'],
    ['{"a": [1]}', '{"a": {"b": 2}}', '{"a": [2]}', '(both change: a)'],
    ['{"a": 1}', '{"a": [1]}', '{"a": [2]}', '(both change: a)'],
    ['{"a": 1}', '{"a": {"b": 1}}', '{"a": {"b": 2}}', '(both change: a)'],
    ['{"a": [\n1]}', '{"a": [\n1], "b": 1}', '{"a": 2}', '(no layout)'],
    ['{"a": 1}', '{"a": 1, "b": 1}', '{"a": [\n1]}', '(no layout)'],
    // Keys.
    ['{}', '{"a": 1}', '{"b": 2}', '{"a": 1, "b": 2}'],
    ['{}', '{}', '{"b": 2}', '{"b": 2}'],
    ['{}', '{}', '{"b": 2, "c": 3}', '{"b": 2, "c": 3}'],
    ['{}', '{"a": 1}', '{"a": 1}', '{"a": 1}'],
    ['{}', '{"a": 1}', '{"a": 2}', '(both add: a)'],
    ['{"a": 1}', '{"a": 1, "b": 2}', '{}', '{"b": 2}'],
    ['{"a": 1}', '{}', '{"a": 1, "b": 2}', '{"b": 2}'],
    ['{"a": 1, "c": 3}', '{"a": 1, "b": 2, "c": 3}', '{"d": 4}', '(no layout)'],
    ['{"a": 1}', '{}', '{}', '{}'],
    ['{"a": 1}', '{}', '{"a": 2}', '(removed and changed: a)'],
    ['{"a": 1}', '{"a": 2}', '{}', '(removed and changed: a)'],
    ['{"a": {"b": 1}}', '{"a": {"b": 1}, "x": 1}', '{"a": {"c": 1}}', '(no layout)'],
    ['{\n  "a": 1\n}', '{\n  "a": 1,\n  "b": 2\n}', '{\n  "a": 1,\n  "c": 3,\n  "d": 4\n}', '{\n  "a": 1,\n  "b": 2,\n  "c": 3, "d": 4\n}'],
    // A condition is one value, here and within.
    [
      '{"conditions": {"a": 1, "b": 1}}',
      '{"conditions": {"a": 2, "b": 1}}',
      '{"conditions": {"a": 1, "b": 2}}',
      '(both change: conditions)',
    ],
    [
      '{"conditions": {"a": 1, "b": 1}}',
      '{"conditions": {"a": 1, "b": 1}, "c": 1}',
      '{"conditions": {"a": 1, "b": 2}}',
      '{"conditions": {"a": 1, "b": 2}, "c": 1}',
    ],
    ['{"x": {"a": 1, "b": 1}}', '{"x": {"a": 2, "b": 1}}', '{"x": {"a": 1, "b": 2}}', '{"x": {"a": 2, "b": 2}}'],
    // Lists.
    ['[]', '[1]', '[2]', '[1, 2]'],
    ['[[1]]', '[[1], [2]]', '[[1], [3]]', '[[1], [2], [3]]'],
    ['[1]', '[1, 2]', '[]', '[2]'],
    ['[1]', '[]', '[1, 2]', '[2]'],
    ['[1, 2]', '[1, 2, 3]', '[2]', '[2, 3]'],
    ['[1, 2]', '[2, 1]', '[1, 2, 3]', '[2, 1, 3]'],
    ['[1]', '[1, 1]', '[]', '(both change: )'],
    ['[1]', '[1, 1]', '[1, 1, 2]', '[1, 1, 2]'],
    ['[1]', '[1, 3]', '[1, 1]', '[1, 3, 1]'],
    ['[1, 1]', '[1, 1, 2]', '[1]', '[1, 2]'],
    ['[{"a": 1}]', '[{"a": 1}, {"a": 2}]', '[{"a": 3}]', '[{"a": 2}, {"a": 3}]'],
    // Things with names.
    [
      '[{"name": "a", "x": 1}]',
      '[{"name": "a", "x": 2}]',
      '[{"name": "a", "x": 1}, {"name": "b", "x": 1}]',
      '[{"name": "a", "x": 2}, {"name": "b", "x": 1}]',
    ],
    ['[{"name": "a", "x": 1}]', '[{"name": "a", "x": 2}]', '[{"name": "a", "x": 3}]', '(both change: a.x)'],
    ['[{"name": "a", "x": 1}]', '[]', '[{"name": "a", "x": 3}]', '(removed and changed: a)'],
    ['[{"name": "a", "x": 1}]', '[{"name": "a", "x": 3}]', '[]', '(removed and changed: a)'],
    [
      '[{"name": "a", "x": 1}, {"name": "b", "x": 1}]',
      '[{"name": "a", "x": 1}, {"name": "b", "x": 2}]',
      '[{"name": "b", "x": 1}]',
      '[{"name": "b", "x": 2}]',
    ],
    ['[{"id": "a", "x": 1, "y": 1}]', '[{"id": "a", "x": 2, "y": 1}]', '[{"id": "a", "x": 1, "y": 2}]', '[{"id": "a", "x": 2, "y": 2}]'],
    [
      '[{"x": "a", "code": "c", "y": 1}]',
      '[{"x": "b", "code": "c", "y": 1}]',
      '[{"x": "a", "code": "c", "y": 2}]',
      '[{"x": "b", "code": "c", "y": 2}]',
    ],
    ['[{"x": "a", "y": 1}]', '[{"x": "b", "y": 1}]', '[{"x": "a", "y": 2}]', '[{"x": "b", "y": 1}, {"x": "a", "y": 2}]'],
    ['[{"name": 1, "y": 1}]', '[{"name": 1, "y": 2}]', '[{"name": 1, "y": 3}]', '[{"name": 1, "y": 2}, {"name": 1, "y": 3}]'],
    ['[{"name": "a"}]', '[{"name": "b"}]', '[{"name": "a"}, {"name": "c"}]', '[{"name": "b"}, {"name": "c"}]'],
    [
      '[{"name": "a", "x": 1}, {"name": "a", "x": 2}]',
      '[{"name": "a", "x": 1}]',
      '[{"name": "a", "x": 1}, {"name": "a", "x": 2}, {"name": "a", "x": 3}]',
      '[{"name": "a", "x": 1}, {"name": "a", "x": 3}]',
    ],
    ['[{"name": "a", "x": 1}]', '[{"name": "a", "x": 1}, 2]', '[{"name": "a", "x": 3}]', '[2, {"name": "a", "x": 3}]'],
  ])('%s, %s and %s', async (base, ours, theirs, expected) => {
    expect(await walked('json', base, ours, theirs)).toBe(expected)
  })
})

describe('YAML', () => {
  const lines = (...all: readonly string[]) => `${all.join('\n')}\n`
  test.each([
    [
      'an entry with its comments',
      lines('- 1'),
      lines('- 1', '- 2'),
      lines('- 1', '# Three,', '# not four.', '- 3 # three'),
      lines('- 1', '- 2', '# Three,', '# not four.', '- 3 # three'),
    ],
    [
      'a comment above an entry that comes first there',
      lines('a:', '  - 1'),
      lines('a:', '  - 1', '  - 2'),
      lines('a:', '  # All.', '  - 3', '  - 1'),
      lines('a:', '  - 1', '  - 2', '  # All.', '  - 3'),
    ],
    [
      'all entries go, and others come',
      lines('a:', '  - 1'),
      lines('a:', '  - 1'),
      lines('a:', '  - 2', '  - 3'),
      lines('a:', '  - 2', '  - 3'),
    ],
    [
      'the same with a key behind',
      lines('a:', '  - 1', 'b: 1'),
      lines('a:', '  - 1', 'b: 2'),
      lines('a:', '  - 2', '  - 3', 'b: 1'),
      lines('a:', '  - 2', '  - 3', 'b: 2'),
    ],
    ['the same at the start of the text', lines('- 1'), lines('- 1'), lines('- 2', '- 3'), lines('- 2', '- 3')],
    [
      'an item of several lines',
      lines('- a: 1', '  b: 1'),
      lines('- a: 1', '  b: 1', '- c: 1'),
      lines('- a: 1', '  b: 1', '- d: 1', '', '  e:', '    - 1'),
      lines('- a: 1', '  b: 1', '- c: 1', '- d: 1', '', '  e:', '    - 1'),
    ],
    [
      'an item in other columns',
      lines('a:', '  - b: 1'),
      lines('a:', '  - b: 1', '  - c: 1'),
      lines('a:', '    -   b: 1', '    -   d: 1', '        e: 2'),
      lines('a:', '  - b: 1', '  - c: 1', '  - d: 1', '    e: 2'),
    ],
    ['a text that begins further left', lines('- "a"'), lines('- "a"', '- "b"'), '- "a"\n- "c\n d"\n', '(no layout)'],
    [
      'a key with its comments',
      lines('a: 1'),
      lines('a: 1', 'b: 1'),
      lines('a: 1', '# About c.', 'c: 2 # two'),
      lines('a: 1', 'b: 1', '# About c.', 'c: 2 # two'),
    ],
    [
      'a key that comes first, below a comment about all',
      lines('# All.', 'a: 1'),
      lines('# All.', 'a: 1', 'b: 1'),
      lines('# All.', 'c: 1', 'a: 1'),
      lines('# All.', 'a: 1', 'b: 1', 'c: 1'),
    ],
    [
      'entries of one field in brackets, a line each',
      lines('[', '  { urn: a }, # a', ']'),
      lines('[', '  { urn: a }, # a', '  { urn: b }, # b', ']'),
      lines('[', '  { urn: a }, # a', '  { urn: c }, # c', ']'),
      lines('[', '  { urn: a }, # a', '  { urn: b }, # b', '  { urn: c }, # c', ']'),
    ],
    [
      'an entry that goes, where only the other side has lines',
      lines('x: [a, b]', 'y: 1'),
      lines('x: [a, b]', 'y: 2'),
      lines('x: [', '  a,', ']', 'y: 1'),
      lines('x: [a]', 'y: 2'),
    ],
    [
      'all entries go',
      lines('x: [', '  a,', ']', 'y: 1'),
      lines('x: [', '  a,', ']', 'y: 2'),
      lines('x: []', 'y: 1'),
      lines('x: []', 'y: 2'),
    ],
    [
      'a key of several lines',
      lines('a: 1'),
      lines('a: 1', 'b: 1'),
      lines('a: 1', 'c:', '  d:', '    - 1'),
      lines('a: 1', 'b: 1', 'c:', '  d:', '    - 1'),
    ],
    [
      'a key from brackets',
      lines('x:', '  a: 1'),
      lines('x:', '  a: 1', '  b: 1'),
      lines('x: { a: 1, c: 1 } # all'),
      lines('x:', '  a: 1', '  b: 1', '  c: 1'),
    ],
    [
      'a key into brackets',
      lines('x: { a: 1 }'),
      lines('x: { a: 1, b: 1 }'),
      lines('x:', '  a: 1', '  c: 1'),
      lines('x: { a: 1, b: 1, c: 1 }'),
    ],
    [
      'a key into empty brackets',
      lines('x: {}', 'y: 1'),
      lines('x: {}', 'y: 2'),
      lines('x:', '  c: 1', 'y: 1'),
      lines('x: { c: 1 }', 'y: 2'),
    ],
    [
      'a map into brackets',
      lines('[{ a: 1 }]'),
      lines('[{ a: 1 }, { b: 1 }]'),
      lines('- a: 1', '- c: 1'),
      lines('[{ a: 1 }, { b: 1 }, { c: 1 }]'),
    ],
    [
      'a map of several lines into brackets',
      lines('[{ a: 1 }]'),
      lines('[{ a: 1 }, { b: 1 }]'),
      lines('- a: 1', '- c: 1', '  d: 1'),
      '(no layout)',
    ],
    ['a list of lines into brackets', lines('[[1]]'), lines('[[1], [2]]'), lines('- - 1', '- - 3'), '(no layout)'],
    [
      'a map of several lines under a key into brackets',
      lines('{ a: 1 }'),
      lines('{ a: 1, b: 1 }'),
      lines('a: 1', 'c:', '  d: 1', '  e: 1'),
      '(no layout)',
    ],
    ['a text over lines into brackets', lines('[a]'), lines('[a, b]'), lines('- a', '- |', '  c'), '(no layout)'],
    ['the end of the file without a line break', '- 1', '- 1\n- 2', '- 1\n- 3', '- 1\n- 2\n- 3'],
    ['removed and added at one place', lines('- 1', '- 2'), lines('- 1', '- 2', '- 3'), lines('- 1', '- 4'), lines('- 1', '- 3', '- 4')],
    ['removed at the end, and added', lines('- 1', '- 2'), lines('- 1', '- 2'), lines('- 1', '- 4'), lines('- 1', '- 4')],
    [
      'removed, changed and added keys',
      lines('a: 1', 'b: 1', 'c: 1'),
      lines('a: 1', 'b: 1', 'c: 1', 'd: 1'),
      lines('a: 2', 'c: 1', 'e: 1'),
      lines('a: 2', 'c: 1', 'd: 1', 'e: 1'),
    ],
    ['the last key goes, another comes', lines('a: 1', 'b: 1'), lines('a: 1', 'b: 1'), lines('a: 1', 'e: 1'), lines('a: 1', 'e: 1')],
    ['all keys go, others come', lines('x:', '  a: 1'), lines('x:', '  a: 1'), lines('x:', '  b: 1'), '(no layout)'],
    [
      'documents without names',
      lines('a: 1', '---', 'b: 1'),
      lines('a: 1', '---', 'b: 2'),
      lines('a: 2', '---', 'b: 1'),
      '(both change: )',
    ],
    ['documents without names that both add', '', lines('a: 1', '---', 'b: 2'), lines('a: 2', '---', 'b: 1'), '(both add: )'],
    [
      'one document without a name on one side',
      lines('name: a', 'x: 1', '---', 'name: b', 'x: 1'),
      lines('name: a', 'x: 1', '---', 'name: b', 'x: 2'),
      lines('x: 1'),
      '(both change: )',
    ],
    [
      'documents that go',
      lines('name: a', 'x: 1', '---', 'name: b', 'x: 1', '---', 'name: c', 'x: 1'),
      lines('name: a', 'x: 1', '---', 'name: b', 'x: 2', '---', 'name: c', 'x: 1'),
      lines('name: b', 'x: 1'),
      lines('name: b', 'x: 2'),
    ],
    [
      'all documents go',
      lines('name: a', 'x: 1', '---', 'name: b', 'x: 1'),
      lines('name: a', 'x: 1'),
      lines('name: b', 'x: 1'),
      '(no layout)',
    ],
    [
      'a document with a mark of its own',
      lines('---', 'name: a', 'x: 1', '---', 'name: b', 'x: 1'),
      lines('---', 'name: a', 'x: 2', '---', 'name: b', 'x: 1'),
      lines('---', 'name: a', 'x: 1', '---', 'name: b', 'x: 1', '---', '# New.', 'name: c', 'x: 1'),
      lines('---', 'name: a', 'x: 2', '---', 'name: b', 'x: 1', '---', '# New.', 'name: c', 'x: 1'),
    ],
    [
      'documents with an end of their own',
      lines('name: a', 'x: 1', '...', '---', 'name: b', 'x: 1'),
      lines('name: a', 'x: 2', '...', '---', 'name: b', 'x: 1'),
      lines('name: a', 'x: 1', '...'),
      '(no layout)',
    ],
    [
      'a document that comes with an end of its own',
      lines('name: a', 'x: 1'),
      lines('name: a', 'x: 2'),
      lines('name: a', 'x: 1', '---', 'name: b', 'x: 1', '...'),
      '(no layout)',
    ],
  ])('%s', async (_, base, ours, theirs, expected) => {
    expect(await walked('yaml', base, ours, theirs)).toBe(expected)
  })
})

describe('HCL', () => {
  const lines = (...all: readonly string[]) => `${all.join('\n')}\n`
  test.each([
    [
      'an attribute that goes, with its comment',
      lines('a = 1', 'b = 2 # two'),
      lines('a = 3', 'b = 2 # two'),
      lines('a = 1'),
      lines('a = 3'),
    ],
    ['an attribute at the end of the file', 'a = 1\nb = 2', 'a = 3\nb = 2', lines('a = 1'), lines('a = 3')],
    [
      'a block that goes, with the blank line',
      lines('a = 1', '', 'b {', '  c = 1', '}', '', 'd {}'),
      lines('a = 2', '', 'b {', '  c = 1', '}', '', 'd {}'),
      lines('a = 1', '', 'd {}'),
      lines('a = 2', '', 'd {}'),
    ],
    [
      'the first block goes',
      lines('b {', '  c = 1', '}', '', 'd {}'),
      lines('b {', '  c = 1', '}', '', 'd {}', '', 'e {}'),
      lines('d {}'),
      lines('', 'd {}', '', 'e {}'),
    ],
    [
      'a block within one',
      lines('a {', '  b {', '    c = 1', '  }', '  d = 1', '}'),
      lines('a {', '  b {', '    c = 1', '  }', '  d = 2', '}'),
      lines('a {', '  d = 1', '}'),
      lines('a {', '  d = 2', '}'),
    ],
    [
      'a block within one comes',
      lines('a {', '  d = 1', '}'),
      lines('a {', '  d = 2', '}'),
      lines('a {', '    d = 1', '    # New.', '    b {', '      c = 1', '    }', '}'),
      lines('a {', '  d = 2', '  # New.', '  b {', '    c = 1', '  }', '}'),
    ],
    ['parts on a line with others', lines('a { b = 1 }'), lines('a { b = 1 }', 'c = 1'), lines('a { }'), '(no layout)'],
    [
      'an attribute in front of others on its line',
      lines('a {', '  b = 1', '}', 'c = 1'),
      lines('a {', '  b = 1 }', 'c = 2'),
      lines('a {', '}', 'c = 1'),
      '(no layout)',
    ],
    [
      'a heredoc that begins further left',
      lines('a {', '  b = 1', '}'),
      lines('a {', '  b = 2', '}'),
      lines('a {', '  b = 1', '  c = <<EOT', 'x', 'EOT', '}'),
      '(no layout)',
    ],
    ['an attribute that comes', lines('a = 1'), lines('a = 2'), lines('a = 1', 'b = 1'), lines('a = 2', 'b = 1')],
    ['a heredoc', lines('a = <<EOT', 'x', 'EOT', 'b = 1'), lines('a = <<EOT', 'x', 'EOT', 'b = 2'), lines('b = 1'), lines('b = 2')],
    [
      'values over several lines',
      lines('a = f(1)', 'b = 1'),
      lines('a = f(1)', 'b = 2'),
      lines('a = f(', '  1,', '  2,', ')', 'b = 1'),
      lines('a = f(', '  1,', '  2,', ')', 'b = 2'),
    ],
    [
      'expressions that both change',
      lines('a = f(1)', 'b = 1'),
      lines('a = f(2)', 'b = 2'),
      lines('a = f(3)', 'b = 1'),
      '(expressions: a)',
    ],
    ['lists outside of policies', lines('a = [1, 2]'), lines('a = [1, 2, 3]'), lines('a = [2]'), '(expressions: a)'],
    ['a number of more digits', lines('a = 1'), lines('a = 0.10000000000000000000000000000000001'), lines('a = 0.1'), '(expressions: a)'],
    [
      'words',
      lines('a = "x"', 'b = true', 'c = null'),
      lines('a = "y"', 'b = true', 'c = null'),
      lines('a = "x"', 'b = false', 'c = 1'),
      lines('a = "y"', 'b = false', 'c = 1'),
    ],
    ['a word for another', lines('a = true'), lines('a = false'), lines('a = "false"'), '(both change: a)'],
    ['true for "true"', lines('a = null'), lines('a = true'), lines('a = true'), lines('a = true')],
  ])('%s', async (_, base, ours, theirs, expected) => {
    expect(await walked('hcl', base, ours, theirs)).toBe(expected)
  })
})

test('edits that overlap are none, and those at one place are in order', async () => {
  const source = sourceOf('x', 'abcdef', 'json')
  const edit = (start: number, end: number, text: string) => ({ span: { source, start, end }, text })
  expect(spliced('abcdef', [edit(4, 5, 'E'), edit(1, 2, 'B')])).toBe('aBcdEf')
  expect(spliced('abcdef', [edit(1, 3, 'X'), edit(2, 4, 'Y')])).toBeUndefined()
  expect(spliced('abcdef', [edit(3, 3, 'X'), edit(1, 3, '')])).toBe('aXdef')
  expect(spliced('abcdef', [edit(1, 3, ''), edit(3, 3, 'X'), edit(1, 1, 'Y')])).toBe('aYXdef')
})
