import {
  type CodeLens,
  type CompletionItem,
  CompletionItemKind,
  type Connection,
  DocumentHighlightKind,
  type DocumentLink,
  FoldingRangeKind,
  type InlayHint,
  InsertTextFormat,
  type Location,
  MarkupKind,
  type Position,
  type Range,
  ResponseError,
  type SelectionRange,
  SemanticTokenModifiers,
  SemanticTokensBuilder,
  type ServerCapabilities,
  type DocumentSymbol as ShownSymbol,
  SymbolKind,
  type WorkspaceEdit,
} from 'vscode-languageserver'
import { complete } from '../editor/completion/complete.ts'
import { folding } from '../editor/folding.ts'
import { formatting } from '../editor/formatting.ts'
import { highlights } from '../editor/highlights.ts'
import { hover } from '../editor/hover.ts'
import { inlays, sinceInlays } from '../editor/inlays.ts'
import { lenses, resolveLens } from '../editor/lenses.ts'
import { links } from '../editor/links.ts'
import type { EditorFile, Workspace } from '../editor/model.ts'
import { definition, references } from '../editor/references.ts'
import { prepareRename, rename } from '../editor/rename.ts'
import { selection } from '../editor/selection.ts'
import { documentSymbols, workspaceSymbols } from '../editor/symbols.ts'
import { tokens } from '../editor/tokens.ts'
import { type Completion, type CompletionKind, type DocumentSymbol, type Lens, type Place, tokenKinds } from '../editor/types.ts'
import { unsavedUri } from './documents.ts'
import type { Knowledge, KnownFolder } from './knowledge.ts'
import { type Encoding, offsetAt, rangeOf } from './positions.ts'

/** The parts of the server that features need. */
export interface FeatureSetting {
  readonly knowledge: Knowledge
  readonly encoding: () => Encoding
  /** The URI of a file, as the editor writes it where it has the file open. */
  readonly uriOf: (file: string) => string
  readonly versionOf: (uri: string) => number | undefined
  readonly hasSnippets: () => boolean
  readonly hasDocumentChanges: () => boolean
  readonly wants: (uri: string, feature: 'inlayHints' | 'codeLens' | 'blame' | 'formatOnSave') => boolean
  readonly fault: (error: unknown) => string
}

/** The command behind a line above a policy. */
export const answerCommand = 'grantwise.answer'

export const featureCapabilities: ServerCapabilities = {
  hoverProvider: true,
  completionProvider: { triggerCharacters: [':', '/', '"', "'", '@', '.', '-', ' '], resolveProvider: true },
  definitionProvider: true,
  referencesProvider: true,
  documentHighlightProvider: true,
  selectionRangeProvider: true,
  semanticTokensProvider: {
    legend: { tokenTypes: [...tokenKinds], tokenModifiers: [SemanticTokenModifiers.declaration, SemanticTokenModifiers.deprecated] },
    full: true,
    range: true,
  },
  renameProvider: { prepareProvider: true },
  documentSymbolProvider: true,
  workspaceSymbolProvider: true,
  documentFormattingProvider: true,
  documentRangeFormattingProvider: true,
  foldingRangeProvider: true,
  documentLinkProvider: { resolveProvider: false },
  inlayHintProvider: { resolveProvider: false },
  codeLensProvider: { resolveProvider: false },
}

const completionKinds: Readonly<Record<CompletionKind, CompletionItemKind>> = {
  field: CompletionItemKind.Property,
  value: CompletionItemKind.Value,
  keyword: CompletionItemKind.Keyword,
  action: CompletionItemKind.Function,
  name: CompletionItemKind.Reference,
  file: CompletionItemKind.File,
  snippet: CompletionItemKind.Snippet,
  rule: CompletionItemKind.EnumMember,
}

const symbolKinds: Readonly<Record<DocumentSymbol['kind'], SymbolKind>> = {
  policy: SymbolKind.Class,
  group: SymbolKind.Module,
  identity: SymbolKind.Interface,
  resource: SymbolKind.Object,
  test: SymbolKind.Method,
  field: SymbolKind.Property,
  list: SymbolKind.Array,
  text: SymbolKind.String,
  module: SymbolKind.Package,
  rule: SymbolKind.Constant,
}

/** A text, and what is known around it. */
interface Around {
  readonly known: KnownFolder
  readonly workspace: Workspace
  readonly file: EditorFile
  readonly at: (position: Position) => number
  readonly range: (range: { readonly start: number; readonly end: number }) => Range
}

/** Answer requests of editors about texts. A failing request does not affect others. */
export function serveFeatures(connection: Connection, setting: FeatureSetting): void {
  const { knowledge, uriOf } = setting
  /** The documentation of the completions that were given last. */
  let documentation: readonly (string | undefined)[] = []

  const inText = async <T, None>(uri: string, none: None, answer: (around: Around) => T | Promise<T>): Promise<T | None> => {
    const fileKnowledge = await knowledge.around(uri)
    if (!fileKnowledge) return none
    const { known, file } = fileKnowledge
    const encoding = setting.encoding()
    return guarded(() =>
      answer({
        known,
        workspace: known.workspace,
        file,
        at: (position) => offsetAt(file.source, position, encoding),
        range: (range) => rangeOf(file.source, range, encoding),
      }),
    )
  }
  const guarded = async <T>(answer: () => T | Promise<T>): Promise<T> => {
    try {
      return await answer()
    } catch (error) {
      if (error instanceof ResponseError) throw error
      throw new ResponseError(internalError, setting.fault(error))
    }
  }
  const locations = (known: KnownFolder, places: readonly Place[]): Location[] =>
    places.flatMap(({ path, start, end }) => {
      const file = known.workspace.files.get(path)
      return file ? [{ uri: pathUri(known, path), range: rangeOf(file.source, { start, end }, setting.encoding()) }] : []
    })
  const pathUri = ({ fileOf }: KnownFolder, path: string) => (/^[a-z][\w+.-]+:/i.test(path) ? unsavedUri(path) : uriOf(fileOf(path)))

  connection.onHover(({ textDocument: { uri }, position }) =>
    inText(uri, null, ({ workspace, file, at, range }) => {
      const found = hover(workspace, file, at(position))
      return found ? { range: range(found.range), contents: { kind: MarkupKind.Markdown, value: found.markdown } } : null
    }),
  )
  connection.onCompletion(({ textDocument: { uri }, position }) =>
    inText(uri, null, ({ workspace, file, at, range }) => {
      const found = complete(workspace, file, at(position))
      documentation = found.map((each) => each.documentation)
      return { isIncomplete: found.some(({ isOpen }) => isOpen), items: found.map((each, i) => itemOf(each, i, range)) }
    }),
  )
  const itemOf = (
    { label, insert, range: place, kind, detail, sortText, filterText, isOpen, extra }: Completion,
    i: number,
    range: Around['range'],
  ) => {
    const item: CompletionItem = {
      label,
      kind: completionKinds[kind],
      sortText,
      // Some editors take an item with one for a separate word, which does not begin where the text is replaced.
      ...(filterText !== label && { filterText }),
      ...(detail !== undefined && { detail }),
      ...(setting.hasSnippets() && { insertTextFormat: InsertTextFormat.Snippet }),
      textEdit: { range: range(place), newText: setting.hasSnippets() ? insert : withoutStops(insert) },
      ...(extra && { additionalTextEdits: extra.map((each) => ({ range: range(each), newText: each.text })) }),
      ...(isOpen && { command: { title: 'more', command: 'editor.action.triggerSuggest' } }),
      data: i,
    }
    return item
  }
  connection.onCompletionResolve((item) => {
    const text = documentation[Number(item.data)]
    return text === undefined ? item : { ...item, documentation: { kind: MarkupKind.Markdown, value: text } }
  })
  connection.onDefinition(({ textDocument: { uri }, position }) =>
    inText(uri, null, ({ known, workspace, file, at }) => locations(known, definition(workspace, file, at(position)))),
  )
  connection.onReferences(({ textDocument: { uri }, position }) =>
    inText(uri, null, ({ known, workspace, file, at }) => locations(known, references(workspace, file, at(position)))),
  )
  connection.onDocumentHighlight(({ textDocument: { uri }, position }) =>
    inText(uri, null, ({ workspace, file, at, range }) =>
      highlights(workspace, file, at(position)).map((each) => ({
        range: range(each),
        kind: each.kind === 'write' ? DocumentHighlightKind.Write : DocumentHighlightKind.Read,
      })),
    ),
  )
  connection.onSelectionRanges(({ textDocument: { uri }, positions }) =>
    inText(uri, null, ({ file, at, range }) =>
      positions.map(
        (position) =>
          selection(file, at(position)).reduceRight<SelectionRange | undefined>(
            (parent, each) => ({ range: range(each), ...(parent && { parent }) }),
            undefined,
          ) ?? { range: { start: position, end: position } },
      ),
    ),
  )
  const semanticTokens = (uri: string, asked?: Range) =>
    inText(uri, null, ({ workspace, file, at, range }) => {
      const builder = new SemanticTokensBuilder()
      for (const token of tokens(workspace, file, asked && { start: at(asked.start), end: at(asked.end) })) {
        const { start, end } = range(token)
        const modifiers = (token.isDeclaration ? 1 : 0) | (token.isDeprecated ? 2 : 0)
        builder.push(start.line, start.character, end.character - start.character, tokenKinds.indexOf(token.kind), modifiers)
      }
      return builder.build()
    })
  connection.languages.semanticTokens.on(async ({ textDocument: { uri } }) => (await semanticTokens(uri)) ?? { data: [] })
  connection.languages.semanticTokens.onRange(
    async ({ textDocument: { uri }, range }) => (await semanticTokens(uri, range)) ?? { data: [] },
  )
  connection.onPrepareRename(({ textDocument: { uri }, position }) =>
    inText(uri, null, ({ workspace, file, at, range }) => {
      const found = prepareRename(workspace, file, at(position))
      if (found.error !== undefined) throw new ResponseError(requestFailed, found.error)
      return { range: range(found.range), placeholder: found.name }
    }),
  )
  connection.onRenameRequest(({ textDocument: { uri }, position, newName }) =>
    inText(uri, null, ({ known, workspace, file, at }): WorkspaceEdit => {
      const renamed = rename(workspace, file, at(position), newName)
      if (renamed.error !== undefined) throw new ResponseError(requestFailed, renamed.error)
      const edits = [...renamed.edits].flatMap(([path, list]) => {
        const { source } = workspace.files.get(path) as EditorFile
        const changes = list.map((each) => ({ range: rangeOf(source, each, setting.encoding()), newText: each.text }))
        return [[pathUri(known, path), changes] as const]
      })
      if (!setting.hasDocumentChanges()) return { changes: Object.fromEntries(edits) }
      return {
        documentChanges: edits.map(([uri, list]) => ({ textDocument: { uri, version: setting.versionOf(uri) ?? null }, edits: list })),
      }
    }),
  )
  connection.onDocumentSymbol(({ textDocument: { uri } }) =>
    inText(uri, null, ({ file, range }) => {
      const shown = ({ name, detail, kind, range: all, selection, children }: DocumentSymbol): ShownSymbol => ({
        name: name === '' ? '…' : name,
        ...(detail !== '' && { detail }),
        kind: symbolKinds[kind],
        range: range(all),
        selectionRange: range(selection),
        children: children.map(shown),
      })
      return documentSymbols(file).map(shown)
    }),
  )
  connection.onWorkspaceSymbol(async ({ query }) => {
    const all = await knowledge.all()
    return guarded(() =>
      all.flatMap((known) =>
        workspaceSymbols(known.workspace, query).flatMap(({ name, detail, kind, place }) =>
          locations(known, [place]).map((location) => ({ name, kind: symbolKinds[kind], location, containerName: detail })),
        ),
      ),
    )
  })
  const format = (uri: string, { asked, isSave = false }: { readonly asked?: Range; readonly isSave?: boolean } = {}) =>
    inText(uri, null, async ({ file, at, range }) => {
      const result = await formatting(file, asked && { start: at(asked.start), end: at(asked.end) })
      // A save is no request to format: a text that cannot be formatted is saved as it is.
      if (result && 'problem' in result && !isSave) throw new ResponseError(requestFailed, result.problem)
      return result && 'edits' in result ? result.edits.map((each) => ({ range: range(each), newText: each.text })) : null
    })
  connection.onDocumentFormatting(({ textDocument: { uri } }) => format(uri))
  connection.onDocumentRangeFormatting(({ textDocument: { uri }, range }) => format(uri, { asked: range }))
  connection.onWillSaveTextDocumentWaitUntil(async ({ textDocument: { uri } }) =>
    setting.wants(uri, 'formatOnSave') ? ((await format(uri, { isSave: true })) ?? []) : [],
  )
  connection.onFoldingRanges(({ textDocument: { uri } }) =>
    inText(uri, null, ({ file, range }) =>
      folding(file).map((fold) => {
        const { start, end } = range(fold)
        return {
          startLine: start.line,
          startCharacter: start.character,
          endLine: end.line,
          endCharacter: end.character,
          kind: fold.kind === 'comment' ? FoldingRangeKind.Comment : FoldingRangeKind.Region,
        }
      }),
    ),
  )
  connection.onDocumentLinks(({ textDocument: { uri } }) =>
    inText(uri, null, ({ known, workspace, file, range }) =>
      links(workspace, file).map((link): DocumentLink => {
        const { target, tooltip } = link
        return { range: range(link.range), target: 'url' in target ? target.url : pathUri(known, target.path), tooltip }
      }),
    ),
  )
  connection.languages.inlayHint.on(({ textDocument: { uri }, range: asked }) =>
    inText(uri, null, async ({ workspace, file, at, range }) => {
      const within = { start: at(asked.start), end: at(asked.end) }
      const hints = setting.wants(uri, 'inlayHints') ? inlays(workspace, file, within) : []
      const since = setting.wants(uri, 'blame') ? await sinceInlays(workspace, file, within) : []
      return [...hints, ...since].map(
        ({ at: offset, text, tooltip }): InlayHint => ({
          position: range({ start: offset, end: offset }).start,
          label: text,
          paddingLeft: true,
          ...(tooltip !== undefined && { tooltip: { kind: MarkupKind.Markdown, value: tooltip } }),
        }),
      )
    }),
  )
  connection.onCodeLens(({ textDocument: { uri } }) =>
    inText(uri, null, ({ workspace, file, range }) =>
      setting.wants(uri, 'codeLens')
        ? lenses(workspace, file).map(
            (lens): CodeLens => ({
              range: range(lens.range),
              command: { title: lens.title, command: answerCommand, arguments: [uri, lens] },
            }),
          )
        : [],
    ),
  )
}

/** The content of a line above a policy: the whole answer as Markdown. */
export async function answerOf(knowledge: Knowledge, [uri, lens]: readonly unknown[]): Promise<string | undefined> {
  if (typeof uri !== 'string' || typeof lens !== 'object' || lens === null) return undefined
  const surroundings = await knowledge.around(uri)
  if (!surroundings) return undefined
  const { workspace } = surroundings.known
  const sameLens = lenses(workspace, surroundings.file).find(
    (each) => each.kind === (lens as Lens).kind && each.about === (lens as Lens).about,
  )
  return sameLens && (await resolveLens(workspace, surroundings.file, sameLens)).markdown
}

/** A snippet as plain text: `${1:name}` is `name`, and `$0` is nothing. */
function withoutStops(snippet: string): string {
  return snippet
    .replace(/(?<!\\)\$\{\d+(?::((?:\\.|[^}\\])*))?\}/g, (_, text: string | undefined) => text ?? '')
    .replace(/(?<!\\)\$\d+/g, '')
    .replace(/\\([$}\\])/g, '$1')
}

const internalError = -32603
const requestFailed = -32803
