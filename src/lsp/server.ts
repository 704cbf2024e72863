import {
  type ClientCapabilities,
  type CodeAction,
  type CodeActionContext,
  CodeActionKind,
  CodeActionTriggerKind,
  type ConfigurationItem,
  type Connection,
  DiagnosticRefreshRequest,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  DocumentDiagnosticReportKind,
  type InitializeParams,
  type InitializeResult,
  MessageType,
  type Range,
  ShowMessageNotification,
  type Diagnostic as Shown,
  type TextDocumentContentChangeEvent,
  TextDocumentSyncKind,
  type WorkspaceDocumentDiagnosticReport,
} from 'vscode-languageserver'
import { pushTo } from '../collections.ts'
import { keyOf } from '../keys.ts'
import { type Source, sourceOf } from '../source.ts'
import {
  actionKinds,
  actionOf,
  actionsAt,
  type ConfigText,
  editTo,
  type FileFindings,
  fixAll,
  fixAllKind,
  type Offer,
  selectCommand,
  workspaceEdit,
} from './actions.ts'
import { type Analyser, type FileReport, type Report, rootOf } from './analysis.ts'
import { carriedOver, compare, type Edited, editedBetween, everything } from './carried.ts'
import { changed, type OpenDocument, opened } from './documents.ts'
import { answerCommand, answerOf, featureCapabilities, serveFeatures } from './features.ts'
import { FirstFindings } from './first-findings.ts'
import type { Host } from './host.ts'
import { Knowledge } from './knowledge.ts'
import { type Encoding, encodings, offsetAt } from './positions.ts'
import { type EditorSettings, readSettings, usualSettings } from './settings.ts'

/** The pause in typing before texts are linted, in milliseconds. */
const quiet = 120
/** How many times a run is interrupted before one has to be completed, so that a report comes during continuous typing. */
const mostInterruptions = 5
/** How long a request for diagnostics waits for those of the text as it is; the last ones are given then. */
const patience = 15
/** How long the files that an editor opens at its start are waited for before their folders are read for requests, in milliseconds. */
const headStart = 50
/** The longest text, in UTF-16 units, whose first findings are looked up at each edit. */
const mostEdited = 100_000

/** Files whose changes on the disk matter. */
const watched = '**/{*.json,*.jsonc,*.yaml,*.yml,*.tf,*.tofu,*.tfvars,*.md,*.actions,*.rules,*access-rules*,.gitignore}'

/** The services behind a server. */
export interface ServerServices {
  readonly host: Host
  readonly analyser: Analyser
  /** Look for changes on the disk where the editor cannot. Returns what ends it. */
  readonly watch: (folders: readonly string[], happened: () => void) => () => void
  /** Reports a fault of the program, and gives the line for the user. */
  readonly fault: (error: unknown) => string
}

/** The latest findings in a file. */
interface Current {
  readonly report: FileReport
  readonly shown: readonly Shown[]
  readonly id: string
  /** Of the text that it is about; undefined where it was not open, and for the first findings, which nothing but showing may use. */
  readonly version: number | undefined
  /** There may be more of them in the report of the folder. */
  readonly isFirst?: true
}

/** The findings in an open text that the last report is about. */
interface Reported {
  readonly document: OpenDocument
  readonly shown: readonly Shown[]
  /** Those that depend on other files: looked up when the text is edited. */
  others?: Promise<readonly Shown[]>
}

/**
 * The language server: texts as the editor has them, and the findings in them. Its access to the machine is handed in. No request
 * waits for the analysis, which may be in another thread, except actions that the user asks for.
 */
export class Server {
  private readonly connection: Connection
  private readonly around: ServerServices
  private readonly documents = new Map<string, OpenDocument>()
  private readonly knowledge: Knowledge
  private readonly singleFile: FirstFindings
  private settings = new Map<string, EditorSettings>()
  private current = new Map<string, Current>()
  /** By URI, of open documents. */
  private readonly reported = new Map<string, Reported>()
  /** The edits of open documents since their reports, each with the version before it. */
  private readonly edits = new Map<string, { readonly version: number; readonly edited: Edited }[]>()
  /** The documents that were looked at for first findings, and the reports that were there then. */
  private readonly tried = new Map<string, { readonly document: OpenDocument; readonly reported: Reported | undefined }>()
  private first: Promise<void> = Promise.resolve()
  /** How many first findings were shown. */
  private firsts = 0
  private roots: readonly { readonly uri: string; readonly root: string }[] = []
  private initial: unknown
  private capabilities: ClientCapabilities = {}
  private encoding: Encoding = 'utf-16'
  private shownMessages = new Set<string>()
  /** Whether answers of commands are shown by the server, or by the editor that gets them. */
  private answers: 'shown' | 'returned' = 'shown'

  /** Takes back the run that waits for a quiet moment. */
  private timer: (() => void) | undefined
  private running: Promise<void> | undefined
  /** Something has changed since the last run began. */
  private isStale = true
  private generation = 0
  /** How many times the analysis was interrupted since the last report. */
  private interruptions = 0
  private isReady = false
  private readonly waiting = new Set<() => void>()
  private stopWatching: (() => void) | undefined
  private watching = ''

  constructor(connection: Connection, around: ServerServices) {
    this.connection = connection
    this.around = around
    this.knowledge = new Knowledge(around.host)
    this.singleFile = new FirstFindings(around.host, (file) => [...this.documents.values()].find((each) => each.file === file)?.source.text)
    const { host } = around
    serveFeatures(connection, {
      knowledge: this.knowledge,
      encoding: () => this.encoding,
      uriOf: (file) => this.uriOf(file),
      versionOf: (uri) => this.documents.get(uri)?.version,
      hasSnippets: () => this.capabilities.textDocument?.completion?.completionItem?.snippetSupport === true,
      hasDocumentChanges: () => this.capabilities.workspace?.workspaceEdit?.documentChanges === true,
      wants: (uri, feature) => this.settingsOf(host.fileOf(uri))[feature],
      fault: around.fault,
    })
    connection.onCodeAction(({ textDocument: { uri }, range, context }) => this.codeActions(uri, range, context))
    connection.onExecuteCommand(({ command, arguments: given }) => this.execute(command, given ?? []))
    connection.onInitialize((params) => this.initialize(params))
    connection.onInitialized(() => this.guarded(() => this.initialized()))
    connection.onShutdown(() => this.close())
    connection.onDidOpenTextDocument(({ textDocument: { uri, languageId, version, text } }) => {
      // The protocol wants both: there is nothing to name the document by, or to read.
      if (typeof uri !== 'string' || typeof text !== 'string') return
      this.put(opened(uri, this.around.host.fileOf(uri), languageId, version, text))
      this.soon(0)
    })
    connection.onDidChangeTextDocument(({ textDocument: { uri, version }, contentChanges }) => {
      const document = this.documents.get(uri)
      if (!document || contentChanges.some(({ text }) => typeof text !== 'string')) return
      this.put(this.edit(document, version, contentChanges))
      this.soon(quiet)
    })
    connection.onDidCloseTextDocument(({ textDocument: { uri } }) => {
      this.documents.delete(uri)
      this.reported.delete(uri)
      this.edits.delete(uri)
      this.tried.delete(uri)
      this.around.analyser.drop([uri])
      this.knowledge.drop(uri)
      this.soon(0)
    })
    connection.onDidSaveTextDocument(() => this.changedOutside(0))
    connection.onDidChangeWatchedFiles(() => this.changedOutside(quiet))
    connection.onDidChangeConfiguration(({ settings }) =>
      this.guarded(async () => {
        if (settings?.grantwise !== undefined) this.initial = settings.grantwise
        await this.readSettings()
        this.soon(0)
      }),
    )
    connection.languages.diagnostics.on(async ({ textDocument: { uri }, previousResultId }) => {
      await this.settledOr(patience)
      const current = this.current.get(uri)
      const id = current?.id ?? nothingId
      if (previousResultId === id) return { kind: DocumentDiagnosticReportKind.Unchanged, resultId: id }
      return { kind: DocumentDiagnosticReportKind.Full, resultId: id, items: [...(current?.shown ?? [])] }
    })
    connection.languages.diagnostics.onWorkspace(async ({ previousResultIds }) => {
      await this.settledOr(patience)
      const before = new Map(previousResultIds.map(({ uri, value }) => [uri, value]))
      const uris = new Set([...this.current.keys(), ...before.keys()])
      return { items: [...uris].map((uri) => this.workspaceReport(uri, before.get(uri))) }
    })
  }

  /** Settled once everything that has happened so far is reflected in what is shown. */
  async settled(): Promise<void> {
    await this.analysed()
    await this.knowledge.settled()
  }

  /** Settled once everything that has happened so far is reflected in what was found. */
  private async analysed(): Promise<void> {
    while (this.timer !== undefined || this.running || this.isStale) {
      if (!this.isReady) await new Promise<void>((done) => this.around.host.after(5, done))
      else if (this.timer !== undefined) this.now()
      else await (this.running ?? this.now())
    }
  }

  private workspaceReport(uri: string, before: string | undefined): WorkspaceDocumentDiagnosticReport {
    const current = this.current.get(uri)
    const version = this.documents.get(uri)?.version ?? null
    const id = current?.id ?? nothingId
    if (before === id) return { kind: DocumentDiagnosticReportKind.Unchanged, resultId: id, uri, version }
    return { kind: DocumentDiagnosticReportKind.Full, resultId: id, uri, version, items: [...(current?.shown ?? [])] }
  }

  private initialize(params: InitializeParams): InitializeResult {
    const { capabilities } = params
    this.capabilities = capabilities
    this.encoding = capabilities.general?.positionEncodings?.map((each) => encodings.find((own) => own === each)).find(Boolean) ?? 'utf-16'
    this.initial = params.initializationOptions?.grantwise ?? params.initializationOptions ?? undefined
    if (params.initializationOptions?.answers === 'returned') this.answers = 'returned'
    const givenFolders = params.workspaceFolders ?? (params.rootUri ? [{ uri: params.rootUri, name: '' }] : [])
    this.roots = givenFolders.flatMap(({ uri }) => this.rootOf(uri))
    return {
      serverInfo: { name: 'grantwise', version: this.around.host.version },
      capabilities: {
        positionEncoding: this.encoding,
        textDocumentSync: {
          openClose: true,
          change: TextDocumentSyncKind.Incremental,
          save: { includeText: false },
          willSaveWaitUntil: true,
        },
        ...(this.isPulled && {
          diagnosticProvider: { identifier: 'grantwise', interFileDependencies: true, workspaceDiagnostics: true },
        }),
        ...featureCapabilities,
        codeActionProvider: { codeActionKinds: [...actionKinds] },
        executeCommandProvider: { commands: [answerCommand, selectCommand] },
        workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
      },
    }
  }

  /** Whether the editor requests diagnostics, and can be asked to do so again. Otherwise they are sent to it. */
  private get isPulled(): boolean {
    const { textDocument, workspace } = this.capabilities
    return textDocument?.diagnostic !== undefined && workspace?.diagnostics?.refreshSupport === true
  }

  private rootOf(uri: string): { readonly uri: string; readonly root: string }[] {
    const root = this.around.host.rootOf(uri)
    return root === undefined ? [] : [{ uri, root }]
  }

  private async initialized(): Promise<void> {
    const { workspace } = this.capabilities
    if (workspace?.workspaceFolders)
      this.connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) =>
        this.guarded(async () => {
          const removedUris = new Set(removed.map(({ uri }) => uri))
          this.roots = [...this.roots.filter(({ uri }) => !removedUris.has(uri)), ...added.flatMap(({ uri }) => this.rootOf(uri))]
          await this.readSettings()
          this.soon(0)
        }),
      )
    await this.readSettings()
    this.isReady = true
    const {
      connection,
      capabilities,
      around: { host },
    } = this
    const progress = capabilities.window?.workDoneProgress
      ? await connection.window.createWorkDoneProgress().catch(() => undefined)
      : undefined
    progress?.begin('grantwise', undefined, 'reading policies', false)
    this.now()
    // Editors open their files right after the start: nothing else keeps this thread busy before what is known of them is shown.
    await new Promise<void>((done) => host.after(headStart, done))
    await this.first
    await this.knowledge.look()
    await this.running
    progress?.done()
    // An editor that refuses goes without.
    if (workspace?.didChangeConfiguration?.dynamicRegistration)
      await connection.client.register(DidChangeConfigurationNotification.type, { section: 'grantwise' }).catch(() => {})
    if (workspace?.didChangeWatchedFiles?.dynamicRegistration)
      await connection.client.register(DidChangeWatchedFilesNotification.type, { watchers: [{ globPattern: watched }] }).catch(() => {})
  }

  private async readSettings(): Promise<void> {
    const roots = this.roots
    const values: readonly unknown[] = this.capabilities.workspace?.configuration
      ? await this.configuration([
          ...roots.map(({ uri }) => ({ scopeUri: uri, section: 'grantwise' })),
          ...(roots.length === 0 ? [{ section: 'grantwise' }] : []),
        ])
      : []
    const problems: string[] = []
    const settingsOf = (value: unknown): EditorSettings => {
      const read = readSettings(isEmpty(value) ? this.initial : value)
      problems.push(...read.problems)
      return read.settings
    }
    const each = roots.map(({ root }, i) => ({ root, settings: settingsOf(values[i]) }))
    for (const problem of new Set(problems)) this.warn(problem)
    this.settings = new Map(each.map(({ root, settings }) => [root, settings]))
    this.around.analyser.setUp(this.encoding, each)
    this.knowledge.setUp(this.settings)
  }

  private async configuration(items: ConfigurationItem[]): Promise<readonly unknown[]> {
    try {
      return await this.connection.workspace.getConfiguration(items)
    } catch {
      // An editor that does not answer has nothing set.
      return []
    }
  }

  private put(document: OpenDocument): void {
    const { uri, file, source } = document
    this.documents.set(uri, document)
    const text = { uri, file, ...source }
    this.around.analyser.put([text])
    this.knowledge.put(text)
  }

  /** A document after changes. */
  private edit(document: OpenDocument, version: number, changes: readonly TextDocumentContentChangeEvent[]): OpenDocument {
    const { uri } = document
    let present = document
    for (const change of changes) {
      const next = changed(present, version, [change], this.encoding)
      const edited = isEditable(next) && isEditable(present) ? editedBetween(present.source, next.source, this.encoding) : everything
      if (edited) pushTo(this.edits, uri, { version: document.version, edited })
      present = next
    }
    return { ...present, version }
  }

  /** Something may have changed on the disk. */
  private changedOutside(wait: number): void {
    this.knowledge.forget()
    this.soon(wait)
  }

  /** Look at everything again in a while, counted from the last change. */
  private soon(wait: number): void {
    this.isStale = true
    this.generation++
    if (this.running && this.interruptions < mostInterruptions) {
      this.interruptions++
      this.around.analyser.interrupt()
    }
    this.timer?.()
    this.timer = this.around.host.after(wait, () => this.now())
  }

  private now(): Promise<void> | undefined {
    this.timer?.()
    this.timer = undefined
    if (this.isReady) this.first = this.showFirst().catch((error) => this.warn(this.around.fault(error)))
    if (!this.isReady || this.running) return this.running
    this.running = this.run().finally(() => {
      this.running = undefined
      if (this.isStale && this.timer === undefined) this.soon(quiet)
      else if (!this.isStale) for (const done of [...this.waiting]) done()
    })
    return this.running
  }

  /**
   * Shows what is known of open documents before the report of their folders: the findings that no other file can change, and those of the
   * last report that depend on other files, but for places that were edited since.
   */
  private async showFirst(): Promise<void> {
    for (const document of this.documents.values()) {
      const { uri } = document
      const [current, reported, tried] = [this.current.get(uri), this.reported.get(uri), this.tried.get(uri)]
      const isComplete = current && !current.isFirst && !reported
      if (isComplete || reported?.document === document || (reported && !isEditable(document))) continue
      if (tried?.document === document && tried.reported === reported) continue
      this.tried.set(uri, { document, reported })
      const report = await this.firstFindings(document)
      const others = reported ? await this.carried(reported, document) : []
      // A report, or another text, may have come meanwhile.
      if (!report || this.documents.get(uri) !== document || this.reported.get(uri) !== reported || this.current.get(uri) !== current)
        continue
      const shown = [...report.found.map((each) => each.shown), ...others].sort((a, b) => compare(a.range.start, b.range.start))
      if (isSame(current?.shown ?? [], shown)) continue
      this.current.set(uri, { report, shown, id: `first ${++this.firsts}`, version: undefined, isFirst: true })
      if (this.isPulled) this.refresh()
      else this.publish(uri, shown)
    }
  }

  private firstFindings({ uri, file, source }: OpenDocument): Promise<FileReport | undefined> {
    return this.singleFile.of({ uri, file, ...source }, this.settings, this.encoding)
  }

  /** The findings of a report that depend on other files, at their places in a later text. */
  private async carried(reported: Reported, document: OpenDocument): Promise<readonly Shown[]> {
    reported.others ??= this.firstFindings(reported.document).then((single) => {
      const own = new Set(single?.found.map((each) => JSON.stringify(each.shown)))
      return reported.shown.filter((each) => !own.has(JSON.stringify(each)))
    })
    const { uri } = document
    const edits = (this.edits.get(uri) ?? []).filter(({ version }) => version >= reported.document.version)
    return edits.reduce((found, { edited }) => carriedOver(found, uri, edited), await reported.others)
  }

  private async run(): Promise<void> {
    this.isStale = false
    const { generation } = this
    const documents = new Map(this.documents)
    let report: Report | undefined
    try {
      report = await this.around.analyser.lint()
    } catch (error) {
      this.warn(this.around.fault(error))
      return
    }
    if (!report) return
    this.interruptions = 0
    this.watchOver(report.folders)
    for (const message of report.messages) this.warn(message)
    this.take(report, documents, generation)
  }

  /** Where the editor cannot watch files, the server does. */
  private watchOver(folders: readonly string[]): void {
    if (this.capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration) return
    const key = keyOf(folders)
    if (this.watching === key) return
    this.watching = key
    this.stopWatching?.()
    this.stopWatching = this.around.watch(folders, () => this.changedOutside(0))
  }

  /** Show the findings, except for texts that have changed meanwhile, which are linted again anyway. */
  private take(report: Report, documents: ReadonlyMap<string, OpenDocument>, generation: number): void {
    const isPast = (uri: string) => this.documents.get(uri) !== documents.get(uri)
    for (const [uri, document] of documents) if (this.documents.has(uri)) this.reportedIn(document, [])
    const next = new Map<string, Current>()
    let isOther = false
    for (const file of report.files) {
      const { uri } = file
      const before = this.current.get(uri)
      const shown = [...file.unread, ...file.found.map((each) => each.shown)]
      const document = documents.get(uri)
      if (document && this.documents.has(uri)) this.reportedIn(document, shown)
      if (isPast(uri)) continue
      const isNews = before === undefined || !isSame(before.shown, shown)
      next.set(uri, {
        report: file,
        shown: isNews ? shown : before.shown,
        id: isNews ? `${generation}` : before.id,
        version: document?.version,
      })
      if (isNews) isOther = true
      if (isNews && !this.isPulled) this.publish(uri, shown)
    }
    for (const [uri, before] of this.current) {
      if (next.has(uri)) continue
      if (isPast(uri)) next.set(uri, before)
      else {
        isOther = true
        if (!this.isPulled) this.publish(uri, [])
      }
    }
    this.current = next
    if (isOther && this.isPulled) this.refresh()
  }

  private reportedIn(document: OpenDocument, shown: readonly Shown[]): void {
    const { uri, version: of } = document
    this.reported.set(uri, { document, shown })
    this.edits.set(
      uri,
      (this.edits.get(uri) ?? []).filter(({ version }) => version >= of),
    )
  }

  /** Have the editor request diagnostics again. */
  private refresh(): void {
    void this.connection.sendRequest(DiagnosticRefreshRequest.type).catch(() => {})
  }

  private uriOf(file: string): string {
    for (const { uri, file: own } of this.documents.values()) if (own === file) return uri
    return this.around.host.uriOf(file)
  }

  private settingsOf(file: string | undefined): EditorSettings {
    const root = rootOf({ file }, [...this.settings.keys()], this.around.host)
    return this.settings.get(root) ?? [...this.settings.values()][0] ?? usualSettings
  }

  /** The findings in a text as it is now; undefined while it is being linted. */
  private async foundIn(uri: string, isAwaited: boolean): Promise<(FileFindings & { readonly config: FileReport['config'] }) | undefined> {
    const { encoding } = this
    // Read here while the analysis is at work.
    void this.knowledge.around(uri).catch(() => {})
    if (this.current.get(uri)?.version !== this.documents.get(uri)?.version) await (isAwaited ? this.analysed() : this.settledOr(patience))
    const [current, document] = [this.current.get(uri), this.documents.get(uri)]
    if (!document || !current || current.version !== document.version) return undefined
    const { source, read } = (await this.knowledge.around(uri))?.file ?? { source: document.source, read: undefined }
    if (source.text !== document.source.text) return undefined
    return { uri, source, read, found: current.report.found, encoding, config: current.report.config }
  }

  private async codeActions(uri: string, { start, end }: Range, { only = [], triggerKind }: CodeActionContext): Promise<CodeAction[]> {
    // A request of the user, or a save, is worth the wait; the automatic lamp next to the cursor is not.
    const where = await this.foundIn(uri, only.length > 0 || triggerKind !== CodeActionTriggerKind.Automatic)
    if (!where) return []
    const wants = (kind: string) => only.length === 0 || only.some((each) => kind === each || kind.startsWith(`${each}.`))
    const again = (source: Source) => this.knowledge.readAs(uri, source)
    const { workspace } = this.capabilities
    const can = {
      documentChanges: workspace?.workspaceEdit?.documentChanges === true,
      create: workspace?.workspaceEdit?.resourceOperations?.includes('create') === true,
    }
    const canSelect = this.capabilities.window?.showDocument?.support === true
    const shown = (offer: Offer): CodeAction[] => {
      const edit = workspaceEdit(offer.change, can, (each) => this.documents.get(each)?.version)
      return edit ? [actionOf(offer, edit, canSelect)] : []
    }
    const offers: Offer[] = []
    if (wants(CodeActionKind.QuickFix)) {
      const range = { start: offsetAt(where.source, start, this.encoding), end: offsetAt(where.source, end, this.encoding) }
      offers.push(...(await actionsAt(where, range, again, this.configText(where.config))))
    }
    if (wants(fixAllKind) && where.found.some(({ fix }) => fix?.safe)) {
      const { text, count } = await fixAll(where, 'safe', again)
      const edits = new Map([[uri, [editTo(where.source, text, this.encoding)]]])
      if (count > 0) offers.push({ title: `Fix all (${count})`, kind: fixAllKind, shown: [], change: { edits } })
    }
    return offers.flatMap(shown)
  }

  /** The text of the configuration that suppressions go into. */
  private configText(config: FileReport['config']): ConfigText | undefined {
    if (!config) return undefined
    const uri = this.uriOf(config.file)
    const open = this.documents.get(uri)
    const text = open?.source.text ?? this.around.host.textOf(config.file)
    return { uri, pattern: config.pattern, source: text === undefined ? undefined : sourceOf(config.file, text) }
  }

  private async execute(command: string, commandArguments: readonly unknown[]): Promise<unknown> {
    if (command === answerCommand) {
      const answer = await answerOf(this.knowledge, commandArguments)
      if (answer !== undefined && this.answers !== 'returned') this.say(MessageType.Info, answer)
      return answer === undefined ? null : { markdown: answer }
    }
    const [uri, selection] = commandArguments
    if (command === selectCommand && typeof uri === 'string')
      await this.connection.window.showDocument({ uri, takeFocus: true, selection: selection as Range })
    return null
  }

  private publish(uri: string, diagnostics: readonly Shown[]): void {
    const version = this.documents.get(uri)?.version
    void this.connection
      .sendDiagnostics({ uri, diagnostics: [...diagnostics], ...(version !== undefined && { version }) })
      // When the client is gone, the end of input ends the server.
      .catch(() => {})
  }

  /** Settled when the findings are about the present texts, or after a while. */
  private async settledOr(wait: number): Promise<void> {
    if (!this.isStale && !this.running) return
    if (this.timer !== undefined) this.now()
    await new Promise<void>((resolve) => {
      const done = () => {
        stop()
        this.waiting.delete(done)
        resolve()
      }
      const stop = this.around.host.after(wait, done)
      this.waiting.add(done)
    })
  }

  /** Show the user a message, once. */
  private warn(message: string): void {
    if (this.shownMessages.has(message)) return
    this.shownMessages.add(message)
    this.say(MessageType.Warning, `grantwise: ${message}`)
  }

  /** A notification: `connection.window` asks, and fails where the editor does not answer. */
  private say(type: MessageType, message: string): void {
    void this.connection.sendNotification(ShowMessageNotification.type, { type, message }).catch(() => {})
  }

  private guarded(act: () => void | Promise<void>): void {
    void (async () => act())().catch((error) => this.warn(this.around.fault(error)))
  }

  private close(): void {
    this.timer?.()
    this.timer = undefined
    this.isReady = false
    this.stopWatching?.()
    this.around.analyser.close()
  }
}

const nothingId = 'none'

/** Whether a text is short enough to be looked at after each edit, in the thread that answers. */
function isEditable({ source }: OpenDocument): boolean {
  return source.text.length <= mostEdited
}

function isSame(some: readonly Shown[], others: readonly Shown[]): boolean {
  return JSON.stringify(some) === JSON.stringify(others)
}

/** Whether an editor has nothing set: some send an object of nulls. */
function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true
  return typeof value === 'object' && Object.values(value).every((each) => each === null)
}
