/** The parameters of messages: an editor that leaves one out gets an error that names it, not one of the program. */

type Check = (value: unknown) => boolean

const isText: Check = (value) => typeof value === 'string'
const isNumber: Check = (value) => typeof value === 'number'
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null
const isPosition: Check = (value) => isRecord(value) && isNumber(value.line) && isNumber(value.character)
const isRange: Check = (value) => isRecord(value) && isPosition(value.start) && isPosition(value.end)
const isListOf = (check: Check) => (value: unknown) => Array.isArray(value) && value.every(check)
const isChange: Check = (value) => isRecord(value) && isText(value.text) && (value.range === undefined || isRange(value.range))

const position = { position: isPosition }
const range = { range: isRange }

/** The parameters of a method, next to the text that it is about. */
const needed: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  'textDocument/hover': position,
  'textDocument/completion': position,
  'textDocument/definition': position,
  'textDocument/references': position,
  'textDocument/documentHighlight': position,
  'textDocument/prepareRename': position,
  'textDocument/rename': { ...position, newName: isText },
  'textDocument/selectionRange': { positions: isListOf(isPosition) },
  'textDocument/rangeFormatting': range,
  'textDocument/semanticTokens/range': range,
  'textDocument/inlayHint': range,
  'textDocument/codeAction': { ...range, context: (value) => isRecord(value) && Array.isArray(value.diagnostics) },
  'textDocument/didChange': { contentChanges: isListOf(isChange) },
  'completionItem/resolve': { label: isText },
  'workspace/symbol': { query: isText },
  'workspace/executeCommand': { command: isText, arguments: (value) => value === undefined || value === null || Array.isArray(value) },
  'workspace/diagnostic': { previousResultIds: isListOf((value) => isRecord(value) && isText(value.uri) && isText(value.value)) },
}

/** The name of a parameter that a message lacks, or has in another form; undefined where all are there. */
export function faultyParameter(method: string, params: unknown): string | undefined {
  const values = isRecord(params) ? params : {}
  if (method.startsWith('textDocument/')) {
    const { textDocument } = values
    if (!isRecord(textDocument) || !isText(textDocument.uri)) return 'textDocument.uri'
    if (method === 'textDocument/didOpen' && !isText(textDocument.text)) return 'textDocument.text'
  }
  const checks = Object.hasOwn(needed, method) ? needed[method] : undefined
  return Object.entries(checks ?? {}).find(([name, check]) => !check(values[name]))?.[0]
}
