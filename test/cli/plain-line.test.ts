import { expect, test } from 'vitest'
import { PlainLines } from '../../src/cli/input/plain-line.ts'

/** A line as it is read; undefined where it is no plain one. */
function readOf(line: string) {
  const lines = new PlainLines()
  lines.open(Buffer.from(line))
  if (!lines.read(0)) return undefined
  const { id, expect: expected, identity, action, resource, end } = lines
  return { id, expected, names: [identity, action, resource].map((span) => lines.textOf(span)), end }
}

const names = '"identity":"a","action":"b","resource":"c"'
const plain = { id: 1, expected: undefined, names: ['a', 'b', 'c'] }

test.each([
  [`{"id":1,${names}}`, plain],
  [`{"id": 1, "identity": "a", "action": "b", "resource": "c"}\n`, plain],
  [`{${names},"expect":"deny","id":0}`, { ...plain, id: 0, expected: 'deny' }],
  [`{${names}}`, { ...plain, id: null }],
  [`{"id":123456789012345,${names}}`, { ...plain, id: 123456789012345 }],
])('%s is plain', (line, read) => {
  expect(readOf(line)).toMatchObject(read)
})

test.each([
  `{"id":1234567890123456,${names}}`,
  `{"id":01,${names}}`,
  `{"id":-1,${names}}`,
  `{"id":1.5,${names}}`,
  `{"id":,${names}}`,
  `{"id":1,"id":1,${names}}`,
  `{${names},"action":"b"}`,
  `{${names},"expect":"deny","expect":"allow"}`,
  `{${names},"expect":"denied"}`,
  `{${names},"ip":"192.0.2.1"}`,
  `{${names}} `,
  `{${names}}x`,
  `{${names},}`,
  `{"identity":"a","action":"b"}`,
  `{"identity":"a","action":"b","resource":"c`,
  `[${names}]`,
  '',
])('%s is not, or is read as JSON', (line) => {
  expect(readOf(line)).toBeUndefined()
})
