import { Readable, Writable } from 'node:stream'
import { isMainThread } from 'node:worker_threads'
import { createConnection } from 'vscode-languageserver/lib/common/server.js'
import { createProtocolConnection, ErrorCodes, type Message, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node.js'
import { Analysis } from '../../lsp/analysis.ts'
import { faultyParameter } from '../../lsp/parameters.ts'
import { Server } from '../../lsp/server.ts'
import { shown } from '../../report/safe.ts'
import type { Run } from '../app/commands.ts'
import { type ExitCode, exit } from '../app/exit.ts'
import type { Io } from '../app/io.ts'
import { Refusal } from '../app/refusal.ts'
import { AnalysisThread, analyseForParent } from '../live/analysis-thread.ts'
import { editorHost } from '../live/editor-host.ts'
import { watchFolders } from '../live/watch-folders.ts'
import { reportError, systemFault } from '../output/errors.ts'

/** How often it is looked whether the editor still runs, in milliseconds. */
const pulse = 3000

/** `lsp`: the language server, on standard input and output. */
export const run: Run<'lsp'> = async (_args, { clientProcessId, allowRulesFrom }, io) => {
  const host = editorHost(io, allowRulesFrom)
  const fault = (error: unknown) => faultOf(error, io)
  if (!isMainThread && io.script !== undefined) return analyseForParent(host, fault)
  const input = Readable.from(io.stdin(), { objectMode: false })
  input.once('error', (error) => reportError(error, io))
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      try {
        io.stdout.write(chunk.toString('utf8'), (text) => text)
        done()
      } catch (error) {
        done(error as Error)
      }
    },
  })
  return new Promise<ExitCode>((end) => {
    let editor: ReturnType<typeof setInterval> | undefined
    /** Ends the server when this process is gone. */
    const endWith = (processId: number) => {
      editor = setInterval(() => isRunning(processId) || watchDog.exit(), pulse)
      editor.unref()
    }
    const watchDog = {
      shutdownReceived: false,
      initialize: ({ processId }: { readonly processId: number | null }) => {
        if (typeof processId === 'number' && clientProcessId === undefined) endWith(processId)
      },
      /** As the protocol says: without an error only where the end was announced. */
      exit: () => {
        clearInterval(editor)
        analyser.close()
        end(watchDog.shutdownReceived ? exit.success : exit.failure)
      },
    }
    const logger = {
      error: (message: string) => note(message, io),
      warn: (message: string) => note(message, io),
      info: () => {},
      log: () => {},
    }
    const writer = new StreamMessageWriter(output)
    const reader = new CheckedReader(input, ({ method, id }, name) => {
      const message = `\`${method}\` needs \`${name}\``
      if (id === undefined || id === null) reportError(new Refusal(`a message of the editor is left out: ${shown(message)}`), io)
      else void writer.write({ jsonrpc: '2.0', id, error: { code: ErrorCodes.InvalidParams, message } } as Message)
    })
    // Without this, an editor that counts wrongly only sees a server that does not answer.
    reader.onError((error) => reportError(unread(error), io))
    const connection = createConnection(() => createProtocolConnection(reader, writer, logger), watchDog)
    const analyser =
      io.script === undefined || io.isSingleThread === true
        ? new Analysis(host)
        : new AnalysisThread(
            io.script,
            allowRulesFrom.flatMap((folder) => ['--allow-rules-from', folder]),
          )
    new Server(connection, { host, analyser, fault, watch: watchFolders })
    input.on('end', watchDog.exit)
    input.on('close', watchDog.exit)
    input.on('error', watchDog.exit)
    output.on('error', watchDog.exit)
    if (clientProcessId !== undefined) endWith(clientProcessId)
    connection.listen()
  })
}

/** A request, or a notification, which has no id. */
interface Asked {
  readonly method: string
  readonly id?: string | number | null
}

/** Hands on the messages that have their parameters. */
class CheckedReader extends StreamMessageReader {
  private readonly refuse: (asked: Asked, parameter: string) => void

  constructor(input: Readable, refuse: (asked: Asked, parameter: string) => void) {
    super(input)
    this.refuse = refuse
  }

  override listen(take: Parameters<StreamMessageReader['listen']>[0]) {
    return super.listen((message) => {
      const { method, params } = message as Message & { readonly method?: unknown; readonly params?: unknown }
      const parameter = typeof method === 'string' ? faultyParameter(method, params) : undefined
      if (parameter === undefined) take(message)
      else this.refuse(message as Message & Asked, parameter)
    })
  }
}

/** Why a message of the editor cannot be read: the first line says it, those below repeat the headers. */
function unread(error: Error): Error {
  if (error instanceof Refusal || systemFault(error) !== undefined) return error
  return new Refusal(
    // A length below zero is no error that the package words.
    `a message of the editor cannot be read: ${error instanceof TypeError ? 'its header gives no length' : error.message.split('\n')[0]}`,
    'each message is a header `Content-Length: BYTES`, an empty line, and as many bytes of JSON',
  )
}

function isRunning(process: number): boolean {
  try {
    globalThis.process.kill(process, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The error in one line; its stack trace only in debugging. */
function faultOf(error: unknown, io: Io): string {
  if (error instanceof Refusal) return error.message
  if (error instanceof Error && error.stack !== undefined) note(error.stack, io)
  return systemFault(error) ?? `internal error: ${error instanceof Error ? error.message : String(error)}`
}

function note(text: string, io: Io): void {
  if (io.env.GRANTWISE_DEBUG === '1') io.stderr.write(`${text.split('\n').map(shown).join('\n')}\n`)
}
