import type { Operation } from '../../actions/operations.ts'
import { isParameter } from '../../actions/paths.ts'
import { isList } from '../../calls/match.ts'
import { hostRegions } from '../model/exchange.ts'
import type { WrittenFields } from '../model/records.ts'
import type { Service } from '../model/service.ts'
import { type Described, describedOperations } from './openapi-shapes.ts'

/**
 * Every operation of the catalogue with its actions, and the token endpoint. Operations that the emulator implements have schemas and
 * `x-emulated: true`; of the others only the form of the answer is known.
 */
export function openApi(service: Service, version: string): WrittenFields {
  const { operations, signed, address, settings } = service
  const paths = new Map<string, Record<string, unknown>>()
  const ids = new Set<string>()
  /** The first spelling of a path: OpenAPI takes paths that differ in the names of parameters alone for the same one. */
  const spelled = new Map<string, string>()
  const described = describedOperations(operations.operations)
  for (const operation of operations.operations) {
    const path = `/${operation.branch}${operation.path}`
    const shape = path
      .split('/')
      .map((word) => (isParameter(word) ? '{}' : word))
      .join('/')
    const written = spelled.get(shape) ?? namedOnce(path)
    spelled.set(shape, written)
    const item = paths.get(written) ?? itemOf(written)
    paths.set(written, item)
    item[operation.method.toLowerCase()] = operationOf(service, operation, written, ids, described.get(`${operation.method} ${path}`))
  }
  paths.set('/auth/oauth2/token', tokenPath)
  const sorted = [...paths].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Emulator of the API',
      version,
      description: `Served by grantwise on this machine, not by the service. Actions are those of the brand \`${settings.brand}\`.`,
    },
    servers: hostRegions.map((region) => ({ url: address(region), description: `region ${region.toUpperCase()}` })),
    security: [{ serviceAccount: ['all'] }, signedOnly],
    paths: Object.fromEntries(sorted),
    components: {
      securitySchemes: {
        serviceAccount: {
          type: 'oauth2',
          flows: {
            clientCredentials: { tokenUrl: `${address('eu')}/auth/oauth2/token`, scopes: { all: 'everything that policies allow' } },
          },
        },
        ...Object.fromEntries(Object.entries(signed).map(([name, { shown }]) => [name, { type: 'apiKey', in: 'header', name: shown }])),
      },
      schemas: { Error: errorSchema, Token: tokenSchema },
      responses: {
        Refused: jsonResponse('no policy lets the caller do this, or the access rules of its key do not', errorReference),
        Unauthorized: jsonResponse('nobody is known to call', errorReference),
      },
    },
  }
}

const errorReference = { $ref: '#/components/schemas/Error' }
const errorSchema = {
  type: 'object',
  required: ['class', 'message'],
  properties: { class: { type: 'string' }, message: { type: 'string' }, details: { type: 'object' } },
}

const tokenSchema = {
  type: 'object',
  required: ['access_token', 'token_type', 'expires_in', 'scope'],
  properties: {
    access_token: { type: 'string' },
    token_type: { const: 'Bearer' },
    expires_in: { type: 'integer' },
    scope: { type: 'string' },
  },
}

const tokenPath = {
  post: {
    operationId: 'token',
    summary: 'A token for a service account: the client credentials grant',
    security: [],
    requestBody: {
      required: true,
      content: {
        'application/x-www-form-urlencoded': {
          schema: {
            type: 'object',
            required: ['grant_type', 'client_id', 'client_secret'],
            properties: {
              grant_type: { const: 'client_credentials' },
              client_id: { type: 'string' },
              client_secret: { type: 'string', format: 'password' },
              scope: { const: 'all' },
            },
          },
        },
      },
    },
    responses: {
      '200': jsonResponse('a bearer token', { $ref: '#/components/schemas/Token' }),
      '400': jsonResponse('an error as in RFC 6749', { type: 'object' }),
      '401': jsonResponse('the client is not known, or its secret is wrong', { type: 'object' }),
    },
  },
}

function jsonResponse(description: string, schema: WrittenFields): WrittenFields {
  return { description, content: { 'application/json': { schema } } }
}

/** A path whose parameters have distinct names: a second one of the same name is numbered. */
function namedOnce(path: string): string {
  const seen = new Map<string, number>()
  return path
    .split('/')
    .map((word) => {
      if (!isParameter(word)) return word
      const name = word.slice(1, -1)
      const count = (seen.get(name) ?? 0) + 1
      seen.set(name, count)
      return count === 1 ? word : `{${name}${count}}`
    })
    .join('/')
}

/** A word of a path: not empty, and neither a pattern nor a step to another folder, which are refused. */
const pathWord = { type: 'string', pattern: '^(?!\\.{1,2}$)[^*]+$' }

function itemOf(path: string): Record<string, unknown> {
  const names = path
    .split('/')
    .filter(isParameter)
    .map((word) => word.slice(1, -1))
  if (names.length === 0) return {}
  return { parameters: names.map((name) => ({ name, in: 'path', required: true, schema: pathWord })) }
}

function operationOf(
  { operations }: Service,
  operation: Operation,
  path: string,
  ids: Set<string>,
  described: Described | undefined,
): WrittenFields {
  const { method, actions, noAuthentication, deprecated } = operation
  return {
    operationId: idOf(method, path, ids),
    tags: [path.split('/')[2] ?? ''],
    ...(deprecated && { deprecated: true }),
    ...(noAuthentication ? { security: [] } : described?.isSigned && { security: [signedOnly] }),
    'x-iam-actions': actions.map(({ name, required }) => ({ name, required })),
    ...(described ? bodyOf(described) : method !== 'GET' && method !== 'DELETE' && anyBody),
    responses: {
      ...(described ? answersOf(described) : { '200': shownForm(method === 'GET' && isList(operations, operation)) }),
      ...(!noAuthentication && { '401': { $ref: '#/components/responses/Unauthorized' } }),
      ...(actions.length > 0 && { '403': { $ref: '#/components/responses/Refused' } }),
      default: jsonResponse('an error', errorReference),
    },
  }
}

const signedOnly = { application: [], consumer: [], timestamp: [], signature: [] }
const anyBody = { requestBody: { content: { 'application/json': { schema: {} } } } }

const shownForm = (isListing: boolean) => jsonResponse('what it answers is not shown but for its form', isListing ? { type: 'array' } : {})

function bodyOf({ body, parameters }: Described): WrittenFields {
  return {
    'x-emulated': true,
    ...(parameters && { parameters }),
    ...(body && { requestBody: { required: true, content: { 'application/json': { schema: body } } } }),
  }
}

function answersOf({ answer, links, mayBeUnshown, isSigned }: Described): WrittenFields {
  return {
    ...(answer ? { '200': { ...jsonResponse('done', answer), ...(links && { links }) } } : { '204': { description: 'done' } }),
    ...((mayBeUnshown || isSigned) && { '501': jsonResponse('the document does not show what would happen', errorReference) }),
  }
}

/** `getV1HostingWebServiceName`: one for each operation. */
function idOf(method: string, path: string, ids: Set<string>): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  const start = `${method.toLowerCase()}${words.map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`).join('')}`
  let id = start
  for (let number = 2; ids.has(id); number++) id = `${start}${number}`
  ids.add(id)
  return id
}
