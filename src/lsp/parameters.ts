/** The parameters of messages about a text: an editor that leaves one out gets an error that names it, not one of the program. */

type Check = (value: unknown) => boolean

const isText: Check = (value) => typeof value === 'string'
const isNumber: Check = (value) => typeof value === 'number'
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null
const isPosition: Check = (value) => isRecord(value) && isNumber(value.line) && isNumber(value.character)
const isRange: Check = (value) => isRecord(value) && isPosition(value.start) && isPosition(value.end)
const isListOf = (check: Check) => (value: unknown) => Array.isArray(value) && value.every(check)
const isChange: Check = (value) => isRecord(value) && isText(value.text) && (value.range === undefined || isRange(value.range))

const position = { position: isPosition }

/** The parameters of a method next to the text that it is about. */
const needed: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  hover: position,
  completion: position,
  definition: position,
  references: position,
  documentHighlight: position,
  prepareRename: position,
  rename: { ...position, newName: isText },
  selectionRange: { positions: isListOf(isPosition) },
  rangeFormatting: { range: isRange },
  codeAction: { range: isRange, context: (value) => isRecord(value) && Array.isArray(value.diagnostics) },
  didChange: { contentChanges: isListOf(isChange) },
}

/** The name of a parameter that a message lacks, or has in another form; undefined where all are there. */
export function faultyParameter(method: string, params: unknown): string | undefined {
  const { 1: kind } = /^textDocument\/(\w+)$/.exec(method) ?? []
  if (kind === undefined) return undefined
  const values = isRecord(params) ? params : {}
  const { textDocument } = values
  if (!isRecord(textDocument) || !isText(textDocument.uri)) return 'textDocument.uri'
  if (kind === 'didOpen' && !isText(textDocument.text)) return 'textDocument.text'
  const checks = Object.hasOwn(needed, kind) ? needed[kind] : undefined
  return Object.entries(checks ?? {}).find(([name, check]) => !check(values[name]))?.[0]
}
