import { resolve } from 'node:path'
import { compareDiagnostics } from '../diagnostic.ts'
import { readCredential } from '../parser/credential.ts'
import { notationOf, readTree } from '../parser/tree.ts'
import type { AccessRule } from '../policy.ts'
import { compactLine } from '../report/lint.ts'
import { field } from '../tree.ts'
import { displayPath, readCandidate } from './files.ts'
import type { Io } from './io.ts'
import type { Options } from './options.ts'
import { Refusal } from './refusal.ts'

/**
 * The access rules of `--credential FILE`: of a request for a credential, or of what the service says of one. Undefined
 * where the option is not given. What is wrong with the file is refused, all of it at once.
 */
export async function readRules(options: Options, io: Io): Promise<readonly AccessRule[] | undefined> {
  const path = options.text('credential')
  if (path === undefined) return undefined
  if (path === '-' && options.list('policies').includes('-'))
    throw new Refusal('standard input cannot hold both the credential and the policies')
  const file = path === '-' ? undefined : resolve(io.cwd, path)
  const name = file === undefined ? '-' : displayPath(file, io.cwd)
  const candidate = { path: name, file, notation: file === undefined ? undefined : notationOf(file), isNamed: true }
  const { source, notation, message } = await readCandidate(candidate, io.stdin)
  if (source === undefined) throw new Refusal(`--credential ${name}: ${message}`)
  let reading = readTree(source, notation)
  if (reading.needsYaml) reading = readTree(source, notation, (await import('../parser/yaml.ts')).readYaml)
  const [document, ...others] = reading.documents
  const errors = reading.diagnostics.filter(({ severity }) => severity === 'error')
  if (
    errors.length === 0 &&
    (document?.kind !== 'map' || others.length > 0 || !(field(document, 'accessRules') ?? field(document, 'rules')))
  )
    throw new Refusal(
      `--credential ${name}: holds no access rules`,
      'expected one request for a credential, with `accessRules`, or what the service says of one, with `rules`',
    )
  const read = document?.kind === 'map' && errors.length === 0 ? readCredential(document) : undefined
  errors.push(...(read?.diagnostics.filter(({ severity }) => severity === 'error') ?? []))
  const [first, ...more] = errors.sort(compareDiagnostics).map((each) => ({ message: compactLine(each), help: each.help }))
  if (first) throw new Refusal(first.message, first.help, more)
  return read?.request.rules ?? []
}
