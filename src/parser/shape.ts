import type { ErrorObject } from 'ajv'
import { compareDiagnostics, type Diagnostic } from '../diagnostic.ts'
import { nearest } from '../nearest.ts'
import { type MapNode, type Node, plain } from '../tree.ts'
import * as checks from './shape-checks.js'

/** What a document is meant to be: the name of the schema it is held against. */
export type Shape = 'policy' | 'world' | 'config'

/** A part of a document that a reader could not make a record of, to be explained by the schema. */
export interface Misshapen {
  readonly shape: Shape
  readonly node: Node
}

const mostProblems = 100

/**
 * Explain what is wrong with the shape of a node, by its JSON Schema: each problem at the value or key it is about, with
 * the nearest legal field as help. Empty when the shape is right. Apart from the readers, so that the compiled schemas
 * are loaded only when something is wrong.
 */
export function shapeProblems({ shape, node }: Misshapen): readonly Diagnostic[] {
  const check = checks[shape]
  if (check(plain(node))) return []
  const errors = check.errors ?? []
  const composite = new Set(errors.filter((e) => e.keyword === 'anyOf' || e.keyword === 'oneOf').map((e) => e.schemaPath))
  const out: Diagnostic[] = []
  for (const error of errors) {
    const at = resolve(node, error.instancePath)
    if (!at || [...composite].some((path) => error.schemaPath !== path && error.schemaPath.startsWith(`${path}/`))) continue
    const problem = explain(error, at, errors)
    if (problem && !out.some((other) => other.message === problem.message && other.span === problem.span)) out.push(problem)
  }
  return out.sort(compareDiagnostics).slice(0, mostProblems)
}

/** The node that a JSON pointer leads to. */
function resolve(root: Node, pointer: string): Node | undefined {
  let node: Node | undefined = root
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (node?.kind === 'list') node = node.items[Number(name)]
    else if (node?.kind === 'map') node = node.entries.find((entry) => entry.key.value === name)?.value
    else return undefined
  }
  return node
}

const kindNames: Record<string, string> = {
  text: 'a text',
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
  list: 'a list',
  array: 'a list',
  map: 'an object',
  object: 'an object',
}

function shapeError(span: Node, message: string, help?: string): Diagnostic {
  return { code: 'shape', severity: 'error', message, span, ...(help && { help }) }
}

function explain(error: ErrorObject, at: Node, all: readonly ErrorObject[]): Diagnostic | undefined {
  const field = error.instancePath.split('/').at(-1) ?? ''
  switch (error.keyword) {
    case 'additionalProperties':
      return at.kind === 'map' ? unknownField(at, error) : undefined
    case 'required':
      return missingField(at, String(error.params['missingProperty']))
    case 'anyOf': {
      const branches = all.filter((e) => e.schemaPath.startsWith(`${error.schemaPath}/`))
      const required = branches.filter((e) => e.keyword === 'required' && e.instancePath === error.instancePath)
      if (required.length > 0) return missingField(at, required.map((e) => String(e.params['missingProperty'])).join('` or `'))
      const deeper = branches.filter((e) => e.keyword !== 'type' || e.instancePath !== error.instancePath)
      const first = deeper[0] ?? branches.at(-1)
      const node = first && resolve(at, first.instancePath.slice(error.instancePath.length))
      return first && node ? explain(first, node, []) : shapeError(at, `\`${field}\` has the wrong shape`)
    }
    case 'type': {
      const types = [error.params['type']].flat().map(String)
      const expected = types.map((t) => kindNames[t] ?? t).join(' or ')
      return shapeError(at, `expected ${expected}, found ${kindNames[at.kind]}`, typeHelp(error, at, types))
    }
    case 'enum': {
      const allowed = (error.params['allowedValues'] as unknown[]).map(String)
      const near = at.kind === 'text' ? nearest(at.value, allowed) : undefined
      return shapeError(at, `expected one of ${allowed.map((v) => `\`${v}\``).join(', ')}`, near && `did you mean \`${near}\`?`)
    }
    case 'pattern':
      return shapeError(at, `\`${field}\` is empty or malformed`)
    default:
      return shapeError(at, `${error.message ?? 'wrong shape'}`)
  }
}

function unknownField(at: MapNode, error: ErrorObject): Diagnostic {
  const name = String(error.params['additionalProperty'])
  const known = Object.keys((error.parentSchema as { properties?: object } | undefined)?.properties ?? {}).filter(
    (key) => key !== '$schema',
  )
  const key = at.entries.find((entry) => entry.key.value === name)?.key ?? at
  if (name === '<<')
    return shapeError(key, 'the merge key `<<` is not part of YAML 1.2: what it names would not be merged', 'write the fields out here')
  const sameButCase = known.find((k) => k.toLowerCase() === name.toLowerCase())
  if (sameButCase)
    return shapeError(
      key,
      `field \`${name}\` is spelt \`${sameButCase}\``,
      `write \`${sameButCase}\`: a field in another case is ignored or refused by the service`,
    )
  const near = nearest(name, known) ?? known.find((k) => synonyms[k]?.includes(name))
  return shapeError(
    key,
    `unknown field \`${name}\``,
    near ? `did you mean \`${near}\`?` : `known fields here: ${known.map((k) => `\`${k}\``).join(', ')}`,
  )
}

/** Names that other tools and notations use for the same thing. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  allow: ['allows', 'allowed', 'grant'],
  except: ['excepts', 'exclude', 'exceptions'],
  deny: ['denies', 'denied', 'forbid'],
  expiredAt: ['expiresAt', 'expiry', 'expiration', 'expired_at', 'expiredat'],
  permissionsGroups: ['permissions_groups', 'permissionGroups'],
  action: ['actions'],
  urn: ['arn', 'id', 'resource'],
}

function missingField(at: Node, name: string): Diagnostic {
  const place = at.kind === 'map' ? (at.entries.find((entry) => entry.key.value === 'name')?.value ?? at.entries[0]?.key ?? at) : at
  return shapeError(place, `missing field \`${name}\``)
}

function typeHelp(error: ErrorObject, at: Node, types: readonly string[]): string | undefined {
  if (types.includes('string') && (at.kind === 'number' || at.kind === 'boolean')) return 'put it in quotes'
  if (types.includes('object') && at.kind === 'text') {
    const properties = Object.keys((error.parentSchema as { properties?: object } | undefined)?.properties ?? {})
    const key = ['action', 'urn'].find((k) => properties.includes(k))
    return key && `write an object: {"${key}": ${JSON.stringify(at.value)}}`
  }
  if (types.includes('array')) return 'put it in a list: […]'
  return undefined
}
