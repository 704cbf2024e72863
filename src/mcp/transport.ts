import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { ErrorCode, type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js'

/** A line of input, or why it could not be read. */
export type Line = string | { readonly fault: string }

/**
 * The protocol over lines of text. What is no message is answered with an error and changes nothing else. Once the input has
 * ended, `ended` settles when every request has its answer; where the input or the output fails, it is rejected.
 */
export class LineTransport implements Transport {
  onmessage?: Transport['onmessage']
  onclose?: () => void
  onerror?: (error: Error) => void
  readonly ended: Promise<void>
  private readonly lines: AsyncIterable<Line>
  private readonly write: (line: string) => void
  /** Requests without an answer. */
  private readonly open = new Set<string | number>()
  private isOver = false
  private end: () => void = () => {}
  private fail: (error: Error) => void = () => {}

  constructor(lines: AsyncIterable<Line>, write: (line: string) => void) {
    this.lines = lines
    this.write = write
    this.ended = new Promise((done, failed) => {
      this.end = done
      this.fail = failed
    })
  }

  /** How many requests have no answer. */
  get unanswered(): number {
    return this.open.size
  }

  async start(): Promise<void> {
    void this.read().then(
      () => this.over(),
      (error: Error) => {
        this.onerror?.(error)
        this.open.clear()
        this.fail(error)
      },
    )
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.print(withParameters(message))
    if ('id' in message && !('method' in message) && message.id !== undefined) this.settle(message.id)
  }

  async close(): Promise<void> {
    this.open.clear()
    this.over()
    this.onclose?.()
  }

  private async read(): Promise<void> {
    for await (const line of this.lines) {
      if (typeof line !== 'string') this.fault(ErrorCode.ParseError, line.fault)
      else if (line.trim() !== '') this.take(line)
    }
  }

  private take(line: string): void {
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch {
      this.fault(ErrorCode.ParseError, 'the line is not JSON')
      return
    }
    const { data } = JSONRPCMessageSchema.safeParse(value)
    if (data === undefined) {
      const id = (value as { readonly id?: unknown } | null)?.id
      this.fault(
        ErrorCode.InvalidRequest,
        'the line is not a message of JSON-RPC 2.0',
        typeof id === 'string' || typeof id === 'number' ? id : null,
      )
      return
    }
    if ('method' in data && 'id' in data) this.open.add(data.id)
    // A request that is cancelled gets no answer.
    if ('method' in data && data.method === 'notifications/cancelled') this.settle(data.params?.requestId as string | number)
    this.onmessage?.(data)
  }

  private fault(code: number, message: string, id: string | number | null = null): void {
    this.print({ jsonrpc: '2.0', id, error: { code, message } })
  }

  /** Write a line. A failure ends the session, since the answer is lost. */
  private print(message: object): void {
    try {
      this.write(JSON.stringify(message))
    } catch (error) {
      this.fail(error as Error)
      throw error
    }
  }

  private settle(id: string | number): void {
    this.open.delete(id)
    if (this.isOver) this.over()
  }

  private over(): void {
    this.isOver = true
    if (this.open.size === 0) this.end()
  }
}

/** An answer to parameters of another form, which the package words as its own failure: the names of those in question. */
function withParameters(message: JSONRPCMessage): JSONRPCMessage {
  if (!('error' in message) || message.error.code !== ErrorCode.InternalError || !/^\[\s*\{/.test(message.error.message)) return message
  const names = [...message.error.message.matchAll(/"path": \[([^\]]*)\]/g)].map(
    ([, path = '']) => path.match(/\w+/g)?.join('.') ?? 'params',
  )
  const words = [...new Set(names)].map((name) => `\`${name}\``).join(', ')
  return {
    ...message,
    error: { code: ErrorCode.InvalidParams, message: `these are missing, or of another form than the method takes: ${words}` },
  }
}
