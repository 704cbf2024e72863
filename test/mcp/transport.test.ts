import { ErrorCode } from '@modelcontextprotocol/sdk/types.js'
import { expect, test } from 'vitest'
import { LineTransport } from '../../src/mcp/transport.ts'

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
