import { spawn } from 'node:child_process'
import { PassThrough } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { createConnection } from 'vscode-languageserver/lib/common/server.js'
import {
  type ClientCapabilities,
  ConfigurationRequest,
  createProtocolConnection,
  type Diagnostic,
  DiagnosticRefreshRequest,
  DidChangeConfigurationNotification,
  DidChangeTextDocumentNotification,
  DidChangeWatchedFilesNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  DidSaveTextDocumentNotification,
  ExitNotification,
  InitializedNotification,
  InitializeRequest,
  type InitializeResult,
  type ProtocolConnection,
  PublishDiagnosticsNotification,
  type Range,
  RegistrationRequest,
  ShowMessageNotification,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
  WorkDoneProgressCreateRequest,
} from 'vscode-languageserver/node.js'
import { editorHost } from '../../src/cli/live/editor-host.ts'
import { type Analyser, Analysis } from '../../src/lsp/analysis.ts'
import type { Host } from '../../src/lsp/host.ts'
import { Server } from '../../src/lsp/server.ts'
import { ioIn } from '../support/in-process.ts'
import { binary } from '../support/scenario.ts'

/** The capabilities of an editor at the start, besides the folders. */
export interface EditorOptions {
  readonly capabilities?: ClientCapabilities
  readonly settings?: unknown
  readonly now?: () => number
  readonly processId?: number | null
}

/** An editor as far as a server sees one: the messages that it gets, and what it was sent. */
export class Client {
  readonly connection: ProtocolConnection
  readonly published = new Map<string, readonly Diagnostic[]>()
  readonly messages: string[] = []
  readonly versions = new Map<string, number>()
  settings: unknown
  /** How often the server asked to pull diagnostics again. */
  refreshes = 0
  started: InitializeResult | undefined
  private settledBy: () => Promise<void>

  constructor(connection: ProtocolConnection, settledBy: () => Promise<void>) {
    this.connection = connection
    this.settledBy = settledBy
    connection.onNotification(PublishDiagnosticsNotification.type, ({ uri, diagnostics }) => {
      if (diagnostics.length === 0) this.published.delete(uri)
      else this.published.set(uri, diagnostics)
    })
    connection.onNotification(ShowMessageNotification.type, ({ message }) => void this.messages.push(message))
    connection.onRequest(ConfigurationRequest.type, ({ items }) => items.map(() => this.settings ?? null))
    connection.onRequest(RegistrationRequest.type, () => {})
    connection.onRequest(WorkDoneProgressCreateRequest.type, () => {})
    connection.onRequest(DiagnosticRefreshRequest.type, () => void this.refreshes++)
    connection.listen()
  }

  async start(
    folders: readonly string[],
    { capabilities = {}, settings, processId = process.pid }: EditorOptions = {},
  ): Promise<InitializeResult> {
    this.started = await this.connection.sendRequest(InitializeRequest.type, {
      processId,
      rootUri: null,
      capabilities,
      initializationOptions: settings,
      workspaceFolders: folders.map((folder) => ({ uri: uriOf(folder), name: folder })),
    })
    await this.connection.sendNotification(InitializedNotification.type, {})
    return this.started
  }

  async open(uri: string, text: string, languageId = 'yaml'): Promise<void> {
    this.versions.set(uri, 1)
    await this.connection.sendNotification(DidOpenTextDocumentNotification.type, {
      textDocument: { uri, languageId, version: 1, text },
    })
  }

  async change(
    uri: string,
    changes: readonly ({ readonly range: Range; readonly text: string } | { readonly text: string })[],
  ): Promise<void> {
    const version = (this.versions.get(uri) ?? 0) + 1
    this.versions.set(uri, version)
    await this.connection.sendNotification(DidChangeTextDocumentNotification.type, {
      textDocument: { uri, version },
      contentChanges: [...changes],
    })
  }

  async save(uri: string): Promise<void> {
    await this.connection.sendNotification(DidSaveTextDocumentNotification.type, { textDocument: { uri } })
  }

  async close(uri: string): Promise<void> {
    this.versions.delete(uri)
    await this.connection.sendNotification(DidCloseTextDocumentNotification.type, { textDocument: { uri } })
  }

  /** Say that files have changed outside of the editor. */
  async outside(...uris: readonly string[]): Promise<void> {
    await this.connection.sendNotification(DidChangeWatchedFilesNotification.type, { changes: uris.map((uri) => ({ uri, type: 2 })) })
  }

  async configure(settings: unknown): Promise<void> {
    await this.connection.sendNotification(DidChangeConfigurationNotification.type, { settings: { grantwise: settings } })
  }

  /** Settled when the server has nothing left to look at, and everything it sent has arrived. */
  async settled(): Promise<void> {
    // Messages that were sent before a request have arrived when it is answered.
    await this.connection.sendRequest('grantwise/unknown').catch(() => {})
    await this.settledBy()
    await this.connection.sendRequest('grantwise/unknown').catch(() => {})
  }

  async end(): Promise<void> {
    await this.connection.sendRequest(ShutdownRequest.type)
    await this.connection.sendNotification(ExitNotification.type)
    this.connection.dispose()
  }
}

export function uriOf(file: string): string {
  return pathToFileURL(file).href
}

/** A client with a server in this process. */
export function inProcess(
  cwd: string,
  now: () => number = Date.now,
  analyserOf: (host: Host) => Analyser = (host) => new Analysis(host),
): Client {
  const [toServer, toClient] = [new PassThrough(), new PassThrough()]
  const { io } = ioIn(cwd, {})
  const host = editorHost({ ...io, now })
  const watchDog = { shutdownReceived: false, initialize: () => {}, exit: () => {} }
  const connection = createConnection(
    () => createProtocolConnection(new StreamMessageReader(toServer), new StreamMessageWriter(toClient), undefined as never),
    watchDog,
  )
  const server = new Server(connection, {
    host,
    analyser: analyserOf(host),
    watch: () => () => {},
    fault: (error) => `internal error: ${error instanceof Error ? error.stack : String(error)}`,
  })
  connection.listen()
  return new Client(createProtocolConnection(new StreamMessageReader(toClient), new StreamMessageWriter(toServer)), () => server.settled())
}

/** A client with the built server, which is started in a folder. It does not say when it is settled. */
export function started(folder: string, options: readonly string[] = ['--stdio']) {
  const child = spawn(process.execPath, [binary, 'lsp', ...options], { cwd: folder, stdio: ['pipe', 'pipe', 'pipe'] })
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const ended = new Promise<number | null>((done) => child.on('exit', done))
  const connection = createProtocolConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin))
  return { child, ended, client: new Client(connection, async () => {}), stderr: () => stderr }
}
