import { ErrorCode } from '@modelcontextprotocol/sdk/types.js'
import { expect, test } from 'vitest'
import { type Line, LineTransport } from '../../src/mcp/transport.ts'

async function* noLines(): AsyncIterable<string> {}

test.each([
  [
    '[\n  {\n    "expected": "record",\n    "code": "invalid_type",\n    "path": [\n      "params",\n      "arguments"\n    ]\n  }\n]',
    { code: ErrorCode.InvalidParams, message: 'these are missing, or of another form than the method takes: `params.arguments`' },
  ],
  ['the catalogue cannot be read', { code: ErrorCode.InternalError, message: 'the catalogue cannot be read' }],
])('names the parameters of another form: %j', async (message, error) => {
  const lines: string[] = []
  const transport = new LineTransport(noLines(), (line) => lines.push(line))
  await transport.send({ jsonrpc: '2.0', id: 1, error: { code: ErrorCode.InternalError, message } })
  expect(lines.map((line) => JSON.parse(line))).toEqual([{ jsonrpc: '2.0', id: 1, error }])
})

/** Lines that are given one after the other, and the end of them. */
function fed() {
  const lines: (Line | undefined)[] = []
  let wake = () => {}
  const put = (line: Line | undefined) => {
    lines.push(line)
    wake()
  }
  async function* all(): AsyncIterable<Line> {
    for (;;) {
      if (lines.length === 0) {
        await new Promise<void>((done) => {
          wake = done
        })
      }
      for (const line of lines.splice(0)) {
        if (line === undefined) return
        yield line
      }
    }
  }
  return { put, all: all() }
}

const turns = () => new Promise((done) => setTimeout(done, 5))

test('answers what is no message with an error that has its id, and blank lines with nothing', async () => {
  const written: string[] = []
  const seen: unknown[] = []
  const { put, all } = fed()
  const transport = new LineTransport(all, (line) => written.push(line))
  transport.onmessage = (message) => seen.push(message)
  await transport.start()
  const lines = ['', '  ', '{', '[]', 'null', '{"id":7}', '{"id":"a","method":1}', '{"id":{}}', { fault: 'too long' }] as const
  for (const line of lines) put(line)
  put(undefined)
  await transport.ended
  expect(written.map((line) => JSON.parse(line)).map(({ id, error }) => [id, error.code, error.message])).toEqual([
    [null, ErrorCode.ParseError, 'the line is not JSON'],
    ...[null, null, 7, 'a', null].map((id) => [id, ErrorCode.InvalidRequest, 'the line is not a message of JSON-RPC 2.0']),
    [null, ErrorCode.ParseError, 'too long'],
  ])
  expect(seen).toEqual([])
})

test('ends once each request has its answer; one that is cancelled gets none', async () => {
  const { put, all } = fed()
  const transport = new LineTransport(all, () => {})
  await transport.start()
  let isOver = false
  void transport.ended.then(() => {
    isOver = true
  })
  for (const id of [1, 'b']) put(JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' }))
  put('{"jsonrpc":"2.0","method":"notifications/initialized"}')
  await turns()
  expect(transport.unanswered).toBe(2)
  put('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}')
  await turns()
  expect(transport.unanswered).toBe(1)
  put(undefined)
  await turns()
  expect(isOver).toBe(false)
  await transport.send({ jsonrpc: '2.0', id: 'b', result: {} })
  await turns()
  expect([isOver, transport.unanswered]).toEqual([true, 0])
})

test('an output that fails ends the session, as an input does', async () => {
  const closed = new LineTransport(noLines(), () => {
    throw new Error('closed')
  })
  await expect(closed.send({ jsonrpc: '2.0', id: 1, result: {} })).rejects.toThrow('closed')
  await expect(closed.ended).rejects.toThrow('closed')
  async function* failing(): AsyncIterable<Line> {
    yield '{"jsonrpc":"2.0","id":1,"method":"ping"}'
    throw new Error('broken')
  }
  const broken = new LineTransport(failing(), () => {})
  const errors: string[] = []
  broken.onerror = ({ message }) => errors.push(message)
  await broken.start()
  await expect(broken.ended).rejects.toThrow('broken')
  expect([errors, broken.unanswered]).toEqual([['broken'], 0])
})
