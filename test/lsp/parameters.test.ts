import { expect, test } from 'vitest'
import { faultyParameter } from '../../src/lsp/parameters.ts'

const textDocument = { uri: 'file:///a.json' }
const position = { line: 0, character: 0 }
const range = { start: position, end: position }

test.each([
  ['textDocument/hover', undefined, 'textDocument.uri'],
  ['textDocument/hover', { textDocument: { uri: 1 }, position }, 'textDocument.uri'],
  ['textDocument/hover', { textDocument, position: { line: 'x' } }, 'position'],
  ['textDocument/hover', { textDocument, position }, undefined],
  ['textDocument/rename', { textDocument, position }, 'newName'],
  ['textDocument/rename', { textDocument, position, newName: 'b' }, undefined],
  ['textDocument/selectionRange', { textDocument, positions: [position, null] }, 'positions'],
  ['textDocument/rangeFormatting', { textDocument, range: { start: position } }, 'range'],
  ['textDocument/codeAction', { textDocument, range, context: {} }, 'context'],
  ['textDocument/codeAction', { textDocument, range, context: { diagnostics: [] } }, undefined],
  ['textDocument/didChange', { textDocument, contentChanges: [{ text: 'a' }, { text: 'b', range: {} }] }, 'contentChanges'],
  ['textDocument/didChange', { textDocument, contentChanges: [{ text: 'a' }, { text: 'b', range }] }, undefined],
  ['textDocument/didOpen', { textDocument }, 'textDocument.text'],
  ['textDocument/didOpen', { textDocument: { ...textDocument, text: '' } }, undefined],
  ['textDocument/constructor', { textDocument }, undefined],
  ['textDocument/semanticTokens/full', null, 'textDocument.uri'],
  ['textDocument/semanticTokens/full', { textDocument }, undefined],
  ['textDocument/semanticTokens/range', { textDocument, range: null }, 'range'],
  ['textDocument/inlayHint', { textDocument }, 'range'],
  ['workspace/symbol', undefined, 'query'],
  ['workspace/symbol', { query: null }, 'query'],
  ['workspace/symbol', { query: '' }, undefined],
  ['workspace/executeCommand', null, 'command'],
  ['workspace/executeCommand', { command: 'a', arguments: {} }, 'arguments'],
  ['workspace/executeCommand', { command: 'a' }, undefined],
  ['workspace/executeCommand', { command: 'a', arguments: null }, undefined],
  ['workspace/diagnostic', {}, 'previousResultIds'],
  ['workspace/diagnostic', { previousResultIds: [null] }, 'previousResultIds'],
  ['workspace/diagnostic', { previousResultIds: [{ uri: 'a', value: 'b' }] }, undefined],
  ['completionItem/resolve', null, 'label'],
  ['completionItem/resolve', { label: 'a' }, undefined],
  ['constructor', null, undefined],
])('%s with %j', (method, params, parameter) => {
  expect(faultyParameter(method, params)).toBe(parameter)
})
