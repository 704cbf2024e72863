import { resolve } from 'node:path'
import type { Operation } from '../../actions/operations.ts'
import { isParameter } from '../../actions/paths.ts'
import { callMethods } from '../../calls/match.ts'
import type { ServiceRoute } from '../../emulator/api/route.ts'
import { serviceRoutes } from '../../emulator/service.ts'
import { keyOf } from '../../keys.ts'
import { nearest } from '../../nearest.ts'
import type { Io } from '../app/io.ts'
import { displayPath } from '../app/paths.ts'
import { Refusal } from '../app/refusal.ts'
import { readText } from './read-file.ts'

/** A body that is given for the calls of one operation. */
export interface Stub {
  /** As it was given, for messages. */
  readonly shown: string
  readonly method: string
  /** With its branch; `{name}` matches any word, a word itself. */
  readonly path: string
  readonly body: unknown
}

/** `--stub 'GET /v1/vps/{serviceName}=vps.json'`, with the JSON of the file. */
export function readStub(text: string, io: Io): Stub {
  const shown = `--stub \`${text}\``
  const [, method = '', path = '', file = ''] = /^([A-Z]+) +(\/[^=]*)=(.+)$/s.exec(text) ?? []
  if (file === '') throw new Refusal(`${shown}: expected METHOD PATH=FILE`, 'for example `GET /v1/vps/{serviceName}=vps.json`')
  const name = displayPath(resolve(io.cwd, file), io.cwd)
  const { text: content, message } = readText(resolve(io.cwd, file))
  if (content === undefined) throw new Refusal(`${shown}: ${name}: ${message}`)
  try {
    return { shown, method, path, body: JSON.parse(content) }
  } catch {
    throw new Refusal(`${shown}: ${name} is not JSON`)
  }
}

/** The routes of stubs. Throws where one is for no operation, or for one that the emulator answers itself. */
export function stubRoutes(stubs: readonly Stub[], operations: readonly Operation[]): readonly ServiceRoute[] {
  const seen = new Set<string>()
  return stubs.map(({ shown, method, path, body }): ServiceRoute => {
    const template = path.replace(/^\/1\.0(?=\/|$)/, '/v1').replace(/\/+$/, '')
    const knownMethod = callMethods.find((each) => each === method)
    if (knownMethod === undefined) throw new Refusal(`${shown}: method \`${method}\` is not one of ${callMethods.join(', ')}`)
    const paths = operations.filter((each) => each.method === knownMethod).map((each) => `/${each.branch}${each.path}`)
    if (!paths.some((each) => isOf(template, each))) {
      const suggested = nearest(template, paths)
      throw new Refusal(`${shown}: no operation \`${method} ${template}\` is known`, suggested && `did you mean \`${suggested}\`?`)
    }
    if (serviceRoutes.some((route) => route.method === knownMethod && !route.mayBeStubbed && isOf(template, route.path)))
      throw new Refusal(
        `${shown}: the emulator answers \`${method} ${template}\` itself`,
        'give a body for an operation that it answers empty',
      )
    const same = keyOf(method, template.replace(/\{[^/]*\}/g, '{}'))
    if (seen.has(same)) throw new Refusal(`${shown}: there are two bodies for \`${method} ${template}\``, 'keep one of them')
    seen.add(same)
    return { method: knownMethod, path: template, access: 'judged', handle: () => ({ status: 200, origin: 'stand-in', body }) }
  })
}

/** Whether a path of a stub is one of an operation: its parameters match parameters, its words the same word or a parameter. */
function isOf(path: string, template: string): boolean {
  const [words, expected] = [path.split('/'), template.split('/')]
  return (
    words.length === expected.length && words.every((word, i) => (isParameter(expected[i] as string) ? word !== '' : word === expected[i]))
  )
}
