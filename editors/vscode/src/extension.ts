import {
  commands,
  type Disposable,
  EventEmitter,
  type ExtensionContext,
  languages,
  type OutputChannel,
  Range,
  type TextDocument,
  type TextDocumentContentProvider,
  Uri,
  window,
  workspace,
} from 'vscode'
import {
  CodeActionRequest,
  CodeActionTriggerKind,
  LanguageClient,
  type LanguageClientOptions,
  type ServerOptions,
  TransportKind,
} from 'vscode-languageclient/node'

/** Files that may hold policies, or say how they are looked at. Terraform's files have no language of their own in VS Code itself. */
const documents = ['file', 'untitled'].flatMap((scheme) => [
  ...['json', 'jsonc', 'yaml', 'terraform', 'terraform-vars', 'opentofu', 'opentofu-vars', 'hcl', 'markdown', 'shellscript'].map(
    (language) => ({
      scheme,
      language,
    }),
  ),
  { scheme, pattern: '**/*.{tf,tofu,tfvars}' },
])

/** Files by which the server starts before any is opened. `.tf` files are of many providers: what they contain decides. */
const ownFiles = '{**/.grantwise.{yaml,yml,json},**/*.iamtest.{yaml,yml,json},**/policies/*.{yaml,yml,json}}'

/** Whether the workspace has such a file. Configurations at its top are found without the search, which not every host has. */
async function hasOwnFiles(): Promise<boolean> {
  const tops = (workspace.workspaceFolders ?? []).flatMap(({ uri }) =>
    ['yaml', 'yml', 'json'].map((ending) => Uri.joinPath(uri, `.grantwise.${ending}`)),
  )
  const found = await Promise.all(tops.map((uri) => Promise.resolve(workspace.fs.stat(uri)).then(always, never)))
  return (
    found.includes(true) || (await Promise.resolve(workspace.findFiles(ownFiles, undefined, 1)).then(({ length }) => length > 0, never))
  )
}

const always = () => true
const never = () => false

/** Whether a document may be about access: policies, world files and tests name identities or resources by URNs. */
const isAboutAccess = (document: TextDocument) => languages.match(documents, document) > 0 && /\burn:v\d+:/.test(document.getText())

/** The command behind the lines above policies; the server answers it with Markdown. */
const answerCommand = 'grantwise.answer'

/** The kind of the action that makes all safe fixes of a file. */
const fixAllKind = 'source.fixAll.grantwise'

let session: Session | undefined

export function activate(context: ExtensionContext): void {
  session = new Session(context.asAbsolutePath('server/bin/grantwise.js'))
  context.subscriptions.push(session)
  session.startWhereNeeded()
}

export async function deactivate(): Promise<void> {
  await session?.stop()
  session = undefined
}

/** The server of a window: it is started again where another program is chosen. */
class Session implements Disposable {
  private readonly bundled: string
  private readonly output: OutputChannel
  private readonly answers = new Answers()
  private readonly held: Disposable[]
  private client: LanguageClient | undefined
  /** Starts and stops, one after another. */
  private last: Promise<void> = Promise.resolve()

  constructor(bundled: string) {
    this.bundled = bundled
    this.output = window.createOutputChannel('grantwise')
    this.held = [
      this.output,
      workspace.registerTextDocumentContentProvider(Answers.scheme, this.answers),
      commands.registerCommand('grantwise.restart', () => this.restart()),
      commands.registerCommand('grantwise.showOutput', () => this.output.show(true)),
      commands.registerCommand('grantwise.fixAll', () => this.fixAll()),
      workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('grantwise.path')) void this.restart()
      }),
    ]
  }

  /** Start in a folder with files of grantwise, or once a document about access is open: most folders with YAML need no server. */
  startWhereNeeded(): void {
    const startFor = (document: TextDocument) => {
      if (!this.client && isAboutAccess(document)) void this.start()
    }
    this.held.push(workspace.onDidOpenTextDocument(startFor), workspace.onDidSaveTextDocument(startFor))
    for (const document of workspace.textDocuments) startFor(document)
    // Not awaited: a search of a large folder takes long, and commands are to work meanwhile.
    void hasOwnFiles().then((isFound) => {
      if (isFound && session === this) void this.start()
    })
  }

  start(): Promise<void> {
    return this.next(async () => {
      if (this.client) return
      const path = workspace.getConfiguration('grantwise').get<string>('path') ?? ''
      this.client = new LanguageClient('grantwise', 'grantwise', this.server(path), this.options())
      try {
        await this.client.start()
      } catch (error) {
        // The client has said it; what to do about it, it does not know.
        this.output.appendLine(String(error))
        const program = path === '' ? 'the bundled server' : `\`${path}\`, which the setting \`grantwise.path\` names,`
        const chosen = await window.showErrorMessage(`grantwise: ${program} does not start`, 'Show Output')
        if (chosen !== undefined) this.output.show(true)
      }
    })
  }

  stop(): Promise<void> {
    return this.next(async () => {
      const { client } = this
      this.client = undefined
      await client?.dispose().catch((error: unknown) => this.output.appendLine(String(error)))
    })
  }

  async restart(): Promise<void> {
    await this.stop()
    await this.start()
  }

  dispose(): void {
    for (const each of this.held) each.dispose()
  }

  /**
   * Make all safe fixes of the text that is edited. The server is asked for them, not VS Code: that drops the answer where
   * findings arrive or another extension starts meanwhile.
   */
  private async fixAll(): Promise<void> {
    const document = window.activeTextEditor?.document
    const { client } = this
    if (!document || !client?.isRunning()) return
    const { version } = document
    const [to, from] = [client.code2ProtocolConverter, client.protocol2CodeConverter]
    const answer = await client.sendRequest(CodeActionRequest.type, {
      textDocument: to.asTextDocumentIdentifier(document),
      range: to.asRange(new Range(0, 0, document.lineCount, 0)),
      context: { diagnostics: [], only: [fixAllKind], triggerKind: CodeActionTriggerKind.Invoked },
    })
    // Text that was typed meanwhile has moved the places.
    if (document.version !== version) return this.fixAll()
    const edit = answer?.flatMap((each) => ('edit' in each && each.edit ? [each.edit] : []))[0]
    if (edit) await workspace.applyEdit(await from.asWorkspaceEdit(edit))
    else window.showInformationMessage('grantwise: no finding in this file has a safe fix')
  }

  private next(act: () => Promise<void>): Promise<void> {
    this.last = this.last.then(act, act)
    return this.last
  }

  private server(path: string): ServerOptions {
    const transport = TransportKind.stdio
    // The Node of VS Code itself runs the bundled server.
    if (path === '') {
      const options = { env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' } }
      return { command: process.execPath, args: [this.bundled, 'lsp'], transport, options }
    }
    const program = { command: path, args: ['lsp'], transport }
    // Windows starts the scripts that npm installs by a shell alone.
    return process.platform === 'win32' ? { ...program, command: `"${path}"`, options: { shell: true } } : program
  }

  private options(): LanguageClientOptions {
    return {
      documentSelector: documents,
      outputChannel: this.output,
      initializationOptions: { answers: 'returned' },
      middleware: {
        executeCommand: async (command, args, next) => {
          const answer: unknown = await next(command, args)
          if (command === answerCommand) await this.answers.show(answer)
          return answer
        },
      },
    }
  }
}

/** Answers as pages: Markdown that belongs to no file. */
class Answers implements TextDocumentContentProvider {
  static readonly scheme = 'grantwise'
  private static readonly page = Uri.from({ scheme: Answers.scheme, path: '/Answer.md' })
  private readonly changed = new EventEmitter<Uri>()
  readonly onDidChange = this.changed.event
  private text = ''

  provideTextDocumentContent(): string {
    return this.text
  }

  async show(answer: unknown): Promise<void> {
    const markdown = (answer as { readonly markdown?: unknown } | null | undefined)?.markdown
    if (typeof markdown !== 'string') {
      window.showInformationMessage('grantwise: the policy has changed; ask again')
      return
    }
    this.text = markdown
    this.changed.fire(Answers.page)
    await commands.executeCommand('markdown.showPreviewToSide', Answers.page)
  }
}
