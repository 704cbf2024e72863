import { accessGate } from '../../calls/access.ts'
import { answerPlan, type CallAnswer, type CallContext, type CallPlan, type JudgedRequirement, planCall } from '../../calls/judge.ts'
import type { Call } from '../../calls/match.ts'
import { type Address, readAddress } from '../../conditions/address.ts'
import type { AccessRule } from '../../policy.ts'
import type { Context } from '../../simulate/question.ts'
import { type Span, sourceOf } from '../../source.ts'
import type { CallRecord } from '../../usage/record.ts'
import { failure, undecided } from '../model/errors.ts'
import type { Caller, Reply, ServiceRequest } from '../model/exchange.ts'
import type { Service } from '../service.ts'

/** Whether a call is let through: the policies of the caller's account, and the access rules of its key where it has one. */
export function judge(service: Service, caller: Caller, request: ServiceRequest, call: Call): CallAnswer {
  const about = aboutOf(service, caller, request)
  const { world, decide } = service.worldOf(caller.account)
  return answerPlan(world, planCall(world, service.operations, service.catalogue, call, about), about, decide)
}

/** What callers of a call need, once it was worked out. A caller by a token is the same object each time. */
export type Plans = WeakMap<Caller, CallPlan>

/** The same for a call that was made before. */
export function judgeKnown(service: Service, caller: Caller, request: ServiceRequest, call: Call, plans: Plans): CallAnswer {
  const about = aboutOf(service, caller, request)
  const { world, decide } = service.worldOf(caller.account)
  let plan = plans.get(caller)
  if (!plan) {
    plan = planCall(world, service.operations, service.catalogue, call, about)
    plans.set(caller, plan)
  }
  return answerPlan(world, plan, about, decide)
}

/** Why a call that needs no more than a session is not let through: the access rules of its key, where it has one. */
export function refusedByRules({ credential }: Caller, call: Call): Reply | undefined {
  const verdict = credential ? accessGate(rulesOf(credential), call, call.branch).verdict : 'allow'
  return verdict === 'deny' ? outsideRules() : verdict === 'unknown' ? undecided(['credential.path']) : undefined
}

function outsideRules(): Reply {
  return failure(403, 'Client::Forbidden', 'This call has not been granted', { standIn: { gate: 'credential' } }, 'public')
}

function aboutOf(service: Service, caller: Caller, request: ServiceRequest): CallContext {
  const { identity, credential } = caller
  const about = { identity, context: contextOf(service, request), region: request.region, resources: none, actions: none }
  return credential ? { ...about, rules: rulesOf(credential) } : about
}

const none: readonly string[] = []

/** What is known when a request comes in: the time, and the address that it comes from. Groups and tags are those of the world. */
export function contextOf(service: Service, request: ServiceRequest): Context {
  const ip = addressOf(request.ip)
  const at = service.ports.clock.now()
  return ip ? { at, groups: none, ip } : { at, groups: none }
}

/** The answer to a call that is not let through; undefined where it is. */
export function refusal(answer: CallAnswer): Reply | undefined {
  const { verdict, policies, credential, requirements } = answer
  if (verdict === 'allow') return undefined
  if (verdict === 'unknown') return undecided(answer.missing)
  if (policies === 'deny') {
    const refused = requirements.filter((each) => each.required && each.verdict === 'deny')
    const names = [...new Set(refused.map(({ action }) => action))]
    return failure(
      403,
      'Client::Forbidden',
      'User not granted for this request',
      { unauthorizedActionsByIAM: names.join(','), standIn: { gate: 'policies', refused: refused.map(told) } },
      'document',
    )
  }
  if (credential?.verdict === 'deny') return outsideRules()
  return undecided(answer.missing)
}

function told({ action, resource, asked }: JudgedRequirement) {
  return {
    action,
    resource: resource ?? null,
    reason: asked?.decision.reason ?? null,
    deniedBy: (asked?.decision.clauses ?? []).filter(({ list }) => list === 'deny').map(({ policy }) => policy.name.value),
  }
}

/** The line of the log for a call that was judged. */
export function recordOf(at: string, caller: Caller, request: ServiceRequest, answer: CallAnswer, status: number): CallRecord {
  const { operation, requirements, credential, verdict } = answer
  return {
    at,
    account: caller.account,
    identity: caller.identity,
    method: request.method,
    path: request.path,
    ip: request.ip,
    operation: operation ? `/${operation.branch}${operation.path}` : null,
    actions: requirements.map(({ action, resource, required, verdict: decided }) => ({
      action,
      resource: resource ?? null,
      required,
      verdict: decided,
    })),
    verdict,
    credential: credential?.verdict ?? null,
    status,
  }
}

let lastText: string | undefined
let lastAddress: Address | undefined

/** Addresses come in runs of the same one. */
function addressOf(text: string): Address | undefined {
  if (text !== lastText) {
    lastAddress = readAddress(text.startsWith('::ffff:') ? text.slice(7) : text)
    lastText = text
  }
  return lastAddress
}

const nowhere: Span = { source: sourceOf('access rules', '', 'rules'), start: 0, end: 0 }
const knownRules = new WeakMap<object, readonly AccessRule[]>()

/** The access rules of a key as the simulator reads them: they have no place in a file. */
function rulesOf({ rules }: NonNullable<Caller['credential']>): readonly AccessRule[] {
  const known = knownRules.get(rules)
  if (known) return known
  const read = rules.map(({ method, path }) => ({
    method: { value: method, span: nowhere },
    path: { value: path, span: nowhere },
    span: nowhere,
  }))
  knownRules.set(rules, read)
  return read
}
