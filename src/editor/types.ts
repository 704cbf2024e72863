/** Results of editor features: values with offsets, in UTF-16 units of the text of a file. No protocol. */

import type { Range } from '../source.ts'

/** A stretch of a file. */
export interface Place extends Range {
  readonly path: string
}

export interface Hover {
  readonly range: Range
  readonly markdown: string
}

export type CompletionKind = 'field' | 'value' | 'keyword' | 'action' | 'name' | 'file' | 'snippet' | 'rule'

export interface Completion {
  readonly label: string
  /** With the syntax of snippets: `${1:text}`, `$0`; `$`, `}` and `\` of the text itself have a backslash. */
  readonly insert: string
  /** The range that it replaces. */
  readonly range: Range
  readonly kind: CompletionKind
  readonly detail?: string
  readonly documentation?: string
  readonly sortText: string
  readonly filterText: string
  /** It is worth asking for more behind it: a product, of which the actions come next. */
  readonly isOpen?: true
  /** Further edits: a missing comma in front of it. */
  readonly extra?: readonly TextEdit[]
}

export interface DocumentSymbol {
  readonly name: string
  readonly detail: string
  readonly kind: SymbolKind
  /** All of it, and its name alone. */
  readonly range: Range
  readonly selection: Range
  readonly children: readonly DocumentSymbol[]
}

export type SymbolKind = 'policy' | 'group' | 'identity' | 'resource' | 'test' | 'field' | 'list' | 'text' | 'module' | 'rule'

export interface WorkspaceSymbol {
  readonly name: string
  readonly detail: string
  readonly kind: SymbolKind
  readonly place: Place
}

export interface Fold extends Range {
  readonly kind: 'region' | 'comment'
}

/** A place of what the cursor is on: described there, or only named. */
export interface Highlight extends Range {
  readonly kind: 'read' | 'write'
}

/** The kinds of tokens, by the names that the protocol has for them. */
export const tokenKinds = [
  'class',
  'enumMember',
  'function',
  'keyword',
  'namespace',
  'number',
  'operator',
  'property',
  'string',
  'type',
  'variable',
] as const
export type TokenKind = (typeof tokenKinds)[number]

/** A part of a line with a meaning, for its colour. */
export interface Token extends Range {
  readonly kind: TokenKind
  /** It describes what it names. */
  readonly isDeclaration: boolean
  readonly isDeprecated: boolean
}

export interface Link {
  readonly range: Range
  /** A URL, or the path of a file of the workspace as it is named there. */
  readonly target: { readonly url: string } | { readonly path: string }
  readonly tooltip: string
}

export interface Inlay {
  /** The offset that it follows. */
  readonly at: number
  readonly text: string
  readonly tooltip?: string
}

/** A line above a part of a text. Its title is known immediately; its content is computed when it is opened. */
export interface Lens {
  readonly range: Range
  readonly title: string
  readonly kind: 'who' | 'grants' | 'since'
  /** The name of its subject, for `resolveLens`. */
  readonly about: string
}

export interface ResolvedLens extends Lens {
  /** The whole answer, for users. */
  readonly markdown: string
}

export interface TextEdit extends Range {
  readonly text: string
}

/** Edits by the paths of files, or why there are none. */
export type Renamed =
  | { readonly edits: ReadonlyMap<string, readonly TextEdit[]>; readonly error?: undefined }
  | { readonly error: string; readonly edits?: undefined }

/** The place of a name to rename, and the name; or the reason why not. */
export type Renameable =
  | { readonly range: Range; readonly name: string; readonly error?: undefined }
  | { readonly error: string; readonly range?: undefined }
