import type { TextDocumentContentChangeEvent } from 'vscode-languageserver'
import { exampleNotationOf } from '../parser/tree.ts'
import { type Notation, notationOf, type Source, sourceOf } from '../source.ts'
import { type Encoding, offsetAt } from './positions.ts'

/** A text that the editor has open. */
export interface OpenDocument {
  /** As the editor writes it. */
  readonly uri: string
  /** Absolute; undefined for a text that is in no file yet. */
  readonly file: string | undefined
  readonly version: number
  readonly languageId: string
  /** Its path is the file, else that of `unsavedPath`. */
  readonly source: Source
}

/** The notation of languages as editors call them. */
const languages: Readonly<Record<string, Notation>> = {
  json: 'json',
  jsonc: 'json',
  yaml: 'yaml',
  terraform: 'hcl',
  'terraform-vars': 'hcl',
  opentofu: 'hcl',
  'opentofu-vars': 'hcl',
  hcl: 'hcl',
  markdown: 'markdown',
  shellscript: 'shell',
  'github-actions-workflow': 'steps',
}

/** The end of the path of a text that is in no file, where the editor calls it JSON with comments: readers go by paths. No URI has it. */
const withComments = '#.jsonc'

/** The path of a text that is in no file: its URI, unless that leaves open what the editor says. */
function unsavedPath(uri: string, languageId: string): string {
  return languageId === 'jsonc' && notationOf(uri) === undefined ? `${uri}${withComments}` : uri
}

/** The URI of a text that is in no file, by its path. */
export function unsavedUri(path: string): string {
  return path.endsWith(withComments) ? path.slice(0, -withComments.length) : path
}

/** A document as it is opened. */
export function opened(uri: string, file: string | undefined, languageId: string, version: number, text: string): OpenDocument {
  const notation = (file === undefined ? undefined : (exampleNotationOf(file) ?? notationOf(file))) ?? languages[languageId]
  return { uri, file, languageId, version, source: sourceOf(file ?? unsavedPath(uri, languageId), text, notation) }
}

/** A document after changes, each of the text that the one before it left. */
export function changed(
  document: OpenDocument,
  version: number,
  changes: readonly TextDocumentContentChangeEvent[],
  encoding: Encoding,
): OpenDocument {
  let { source } = document
  for (const change of changes) {
    const { text } = source
    const next = 'range' in change ? spliced(source, change, encoding) : change.text
    if (next !== text) source = sourceOf(source.path, next, source.notation)
  }
  return { ...document, version, source }
}

function spliced(
  source: Source,
  { range, text }: Extract<TextDocumentContentChangeEvent, { readonly range: unknown }>,
  encoding: Encoding,
): string {
  const [a, b] = [offsetAt(source, range.start, encoding), offsetAt(source, range.end, encoding)]
  return source.text.slice(0, Math.min(a, b)) + text + source.text.slice(Math.max(a, b))
}
