import { groupedBy } from '../../collections.ts'
import { readWire } from '../../parser/json.ts'
import { position, sourceOf } from '../../source.ts'
import { type Node, plainValue } from '../../tree.ts'
import { badRequest, failure, quote } from '../model/errors.ts'
import type { Reply, ServiceRequest } from '../model/exchange.ts'
import type { Form, ServiceRoute } from './route.ts'

/** Keys of all objects of a body together: more than the largest of records has. */
export const mostKeys = 10_000

export interface RequestBody {
  readonly body: unknown
  readonly tree: Node | undefined
}

/** The body as a route takes it, undefined where there is none, or the reply that refuses it. */
export function readBody({ body, headers }: ServiceRequest, { takes = 'json' }: ServiceRoute): RequestBody | Reply | undefined {
  if (body === '') return undefined
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  const expected = takes === 'json' ? 'application/json' : 'application/x-www-form-urlencoded'
  if (type !== expected) {
    const givenWords = type === undefined ? 'the header `Content-Type` is missing' : `the body is ${quote(type)}`
    return failure(415, 'Client::UnsupportedMediaType', `${givenWords}: expected \`${expected}\``)
  }
  return takes === 'form' ? { body: readForm(body), tree: undefined } : readJson(body)
}

/** A body of JSON: keys that are equal and half surrogate pairs are refused. */
export function readJson(text: string): RequestBody | Reply {
  const source = sourceOf('body', text, 'json')
  const { documents, diagnostics } = readWire(source, mostKeys)
  const wrong = diagnostics.find(({ severity }) => severity === 'error')
  const tree = documents[0]
  if (tree && !wrong) return { body: plainValue(tree), tree }
  const { line, column } = position(source, wrong?.span.start ?? 0)
  if (wrong?.code === 'size-limit') return badRequest(`the body has more than ${mostKeys} keys, the most that is read`, { line, column })
  return badRequest(`the body is not JSON: line ${line}, column ${column}: ${wrong?.message ?? 'the body is empty'}`, { line, column })
}

/** Malformed percent-encoding is kept literally, as in browsers. */
function readForm(text: string): Form {
  const fields = groupedBy(new URLSearchParams(text), ([name]) => name)
  return new Map([...fields].map(([name, pairs]) => [name, pairs.map(([, value]) => value)]))
}
