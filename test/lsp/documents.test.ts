import { expect, test } from 'vitest'
import { changed, opened, unsavedUri } from '../../src/lsp/documents.ts'

test('each change is of the text that the one before it left, whichever end of its range comes first', () => {
  const document = opened('file:///a.yaml', '/a.yaml', 'yaml', 1, 'name: a\n')
  const [name, end] = [
    { line: 0, character: 6 },
    { line: 0, character: 7 },
  ]
  const changes = [
    { range: { start: end, end: name }, text: 'bc' },
    { range: { start: { line: 0, character: 8 }, end: { line: 0, character: 8 } }, text: 'd' },
  ]
  const { source, version } = changed(document, 2, changes, 'utf-16')
  expect([source.text, source.path, version]).toEqual(['name: bcd\n', '/a.yaml', 2])
  expect(changed(document, 3, [{ text: 'x' }], 'utf-16').source.text).toBe('x')
  expect(changed(document, 4, [{ text: 'name: a\n' }], 'utf-16').source).toBe(document.source)
})

test.each([
  ['untitled:one', 'jsonc', 'json', 'untitled:one#.jsonc'],
  ['untitled:one.json', 'jsonc', 'json', 'untitled:one.json'],
  ['untitled:one', 'json', 'json', 'untitled:one'],
  ['untitled:one', 'opentofu', 'hcl', 'untitled:one'],
])('%s in %s is %s at %s', (uri, languageId, notation, path) => {
  const { source } = opened(uri, undefined, languageId, 1, '{}')
  expect([source.notation, source.path, unsavedUri(source.path)]).toEqual([notation, path, uri])
})
