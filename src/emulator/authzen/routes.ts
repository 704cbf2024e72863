import { decisionJson } from '../../report/decision.ts'
import { readJson } from '../api/request-body.ts'
import { badRequest, methodNotAllowed, notFound, quote } from '../model/errors.ts'
import type { Reply } from '../model/exchange.ts'
import type { Service } from '../model/service.ts'
import { type Place, placeOf, questionOf } from './question.ts'
import { type Evaluation, type Fallible, isObject, type Needs, type Properties, readEvaluation } from './request.ts'
import { resultsOf, type Search } from './search.ts'

/** The interface of a decision point by AuthZEN 1.0 (docs/authzen.md). */

const paths = {
  access_evaluation_endpoint: '/access/v1/evaluation',
  access_evaluations_endpoint: '/access/v1/evaluations',
  search_subject_endpoint: '/access/v1/search/subject',
  search_resource_endpoint: '/access/v1/search/resource',
  search_action_endpoint: '/access/v1/search/action',
} as const
const metadataPath = '/.well-known/authzen-configuration'

/** Whether a path is one of the interface. */
export function isDecisionPath(path: string): boolean {
  return path === metadataPath || path.startsWith('/access/v1/')
}

export interface DecisionRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

/** The answer to a request of the interface, with the id that the request has. */
export function decisionReply(service: Service, request: DecisionRequest): Reply {
  const reply = replyTo(service, request)
  const id = request.headers['x-request-id']
  // An id that is no plain text is not sent back: it could end the head of the answer.
  return id === undefined || !/^[!-~]{1,200}$/.test(id) ? reply : { ...reply, headers: { ...reply.headers, 'x-request-id': id } }
}

function replyTo(service: Service, { method, path, headers, body }: DecisionRequest): Reply {
  if (path === metadataPath) return method === 'GET' ? answer(metadata(service)) : methodNotAllowed(method, ['GET'])
  const handle = handlers[path]
  if (!handle) return notFound(`nothing at ${quote(path)}: ${quote(`GET ${metadataPath}`)} lists what there is`)
  if (method !== 'POST') return methodNotAllowed(method, ['POST'])
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') return badRequest('expected the header `Content-Type: application/json`')
  const read = readJson(body)
  if ('status' in read) return read
  if (!isObject(read.body)) return badRequest('the body is not an object')
  const result = handle(service, read.body)
  return result.fault === undefined ? answer(result.value) : badRequest(result.fault)
}

function answer(body: unknown): Reply {
  return { status: 200, origin: 'stand-in', headers: { 'cache-control': 'no-store' }, body }
}

function metadata({ address }: Service) {
  const base = address('eu').replace(/\/eu$/, '')
  return {
    policy_decision_point: base,
    ...Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, `${base}${path}`])),
  }
}

type Handle = (service: Service, body: Properties) => Fallible<unknown>

const handlers: Readonly<Record<string, Handle>> = {
  [paths.access_evaluation_endpoint]: evaluate,
  [paths.access_evaluations_endpoint]: evaluateAll,
  [paths.search_subject_endpoint]: (service, body) => search(service, body, 'subject', ['subject type', 'action', 'resource']),
  [paths.search_resource_endpoint]: (service, body) => search(service, body, 'resource', ['subject', 'action', 'resource type']),
  [paths.search_action_endpoint]: (service, body) => search(service, body, 'action', ['subject', 'resource']),
}

const whole: readonly Needs[] = ['subject', 'action', 'resource']

interface Decided {
  readonly decision: boolean
  readonly context: unknown
}

function evaluate(
  service: Service,
  body: unknown,
  defaults: Properties = {},
  placesByAccount = new Map<string, Place>(),
): Fallible<Decided> {
  const asked = readEvaluation(body, whole, defaults)
  if (asked.fault !== undefined) return asked
  const place = placeOf(service, asked.value.subject, placesByAccount)
  const question = questionOf(service, place, asked.value)
  if (question.fault !== undefined) return question
  const decision = place.decide(question.value)
  // Unknown is not allowed: `context.missing` says what would settle it.
  return { value: { decision: decision.verdict === 'allow', context: decisionJson(decision) } }
}

/** When a batch ends early, by its `evaluations_semantic`: at a decision of this value. */
const endsAt: Readonly<Record<string, boolean | undefined>> = {
  execute_all: undefined,
  deny_on_first_deny: false,
  permit_on_first_permit: true,
}

function evaluateAll(service: Service, body: Properties): Fallible<unknown> {
  const { evaluations, options = {} } = body
  if (evaluations === undefined) return evaluate(service, body)
  if (!Array.isArray(evaluations)) return { fault: '`evaluations` is not a list' }
  if (evaluations.length === 0) return evaluate(service, body)
  const semantic = isObject(options) ? (options.evaluations_semantic ?? 'execute_all') : undefined
  if (typeof semantic !== 'string' || !Object.hasOwn(endsAt, semantic))
    return { fault: `\`options.evaluations_semantic\`: expected ${Object.keys(endsAt).map(quote).join(', ')}` }
  if (evaluations.length > mostEvaluations) return { fault: `\`evaluations\` has more than ${mostEvaluations} items: send several batches` }
  const decided: Decided[] = []
  const placesByAccount = new Map<string, Place>()
  for (const each of evaluations) {
    const { value, fault } = evaluate(service, each, body, placesByAccount)
    const result = value ?? { decision: false, context: { error: { status: 400, message: fault } } }
    decided.push(result)
    if (result.decision === endsAt[semantic]) break
  }
  return { value: { evaluations: decided } }
}

/** The most items of a batch: an item without fields takes two characters, and its answer hundreds. */
const mostEvaluations = 1000

/** How many results a page has at most, and where the request does not say it. */
const usualPage = 1000

function search(service: Service, body: Properties, of: Search, needs: readonly Needs[]): Fallible<unknown> {
  const asked = readEvaluation(body, needs)
  if (asked.fault !== undefined) return asked
  const page = readPage(service, body)
  if (page.fault !== undefined) return page
  const about = of === 'action' ? asked.value : withoutId(asked.value, of)
  const results = resultsOf(service, placeOf(service, about.subject, new Map()), about, of)
  if (results.fault !== undefined) return results
  const { found: all, undecided } = results.value
  const { from, limit, key, isAsked } = page.value
  const shown = all.slice(from, from + limit)
  const next = from + shown.length < all.length ? `${from + shown.length}.${key}` : ''
  return {
    value: {
      results: shown,
      ...((isAsked || next !== '') && { page: { next_token: next, count: shown.length, total: all.length } }),
      ...(undecided > 0 && { context: { undecided } }),
    },
  }
}

/** The id of what is searched for is ignored. */
function withoutId(asked: Evaluation, part: 'subject' | 'resource'): Evaluation {
  return { ...asked, [part]: { ...asked[part], id: '' } }
}

interface Page {
  readonly from: number
  readonly limit: number
  /** The digest of the search, which a token is for. */
  readonly key: string
  readonly isAsked: boolean
}

function readPage({ ports: { digest } }: Service, { page, ...asked }: Properties): Fallible<Page> {
  const key = digest.sha256(JSON.stringify(asked)).slice(0, 16)
  if (page === undefined) return { value: { from: 0, limit: usualPage, key, isAsked: false } }
  if (!isObject(page)) return { fault: '`page` is not an object' }
  const { limit = usualPage, token = '' } = page
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1) return { fault: '`page.limit` is not a number from 1' }
  const size = Math.min(limit, usualPage)
  if (token === '') return { value: { from: 0, limit: size, key, isAsked: true } }
  const [, from, of] = typeof token === 'string' ? (/^(\d{1,9})\.([0-9a-f]{16})$/.exec(token) ?? []) : []
  if (of !== key) return { fault: '`page.token` is not one of this search: send the search again without it' }
  return { value: { from: Number(from), limit: size, key, isAsked: true } }
}
