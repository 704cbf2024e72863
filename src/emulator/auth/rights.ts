import { accessGate } from '../../calls/access.ts'
import { answerPlan, type CallAnswer, type CallContext, type CallPlan, type JudgedRequirement, planCall } from '../../calls/judge.ts'
import type { Call } from '../../calls/match.ts'
import { readAddress } from '../../conditions/address.ts'
import type { AccessRule } from '../../policy.ts'
import type { Context } from '../../simulate/question.ts'
import { type Span, sourceOf } from '../../source.ts'
import type { CallRecord } from '../../usage/record.ts'
import { failure, undecidedReply } from '../model/errors.ts'
import type { Caller, Reply, ServiceRequest } from '../model/exchange.ts'
import type { Service } from '../model/service.ts'

/** A cache of the needs of one call, by identity. */
export type Plans = Map<string, { readonly account: string; readonly plan: CallPlan }>

const mostPlans = 64

/** Whether a call is allowed: by the policies of the caller's account, and by the access rules of its key where it has one. */
export function judge(service: Service, caller: Caller, request: ServiceRequest, call: Call, plans?: Plans): CallAnswer {
  const { identity, account, credential } = caller
  const callContext: CallContext = {
    identity,
    context: contextOf(service, request),
    region: request.region,
    resources: none,
    actions: none,
  }
  const about = credential ? { ...callContext, rules: rulesOf(credential) } : callContext
  const { world, decide } = service.worldOf(account)
  const planned = plans?.get(identity)
  if (planned?.account === account) return answerPlan(world, planned.plan, about, decide)
  const plan = planCall(world, service.operations, service.catalogue, call, about)
  if (plans && plans.size >= mostPlans) plans.clear()
  plans?.set(identity, { account, plan })
  return answerPlan(world, plan, about, decide)
}

const none: readonly string[] = []

/** Why a call that needs no action is refused: by the access rules of its key. */
export function refusedByRules({ credential }: Caller, call: Call): Reply | undefined {
  const verdict = credential ? accessGate(rulesOf(credential), call, call.branch).verdict : 'allow'
  return verdict === 'deny' ? outsideRules() : verdict === 'unknown' ? undecidedReply([{ kind: 'path' }]) : undefined
}

function outsideRules(): Reply {
  return failure(403, 'Client::Forbidden', 'This call has not been granted', { standIn: { gate: 'credential' } }, 'public')
}

/** The facts of every request: the time, and the address that it comes from. */
export function contextOf({ memory, ports }: Service, { ip: text }: ServiceRequest): Context {
  if (memory.address?.text !== text) memory.address = { text, address: readAddress(text.startsWith('::ffff:') ? text.slice(7) : text) }
  const { address: ip } = memory.address
  const now = ports.clock.now()
  return ip ? { at: now, groups: none, ip } : { at: now, groups: none }
}

/** The answer to a call that is not allowed; undefined where it is. */
export function refusal(answer: CallAnswer): Reply | undefined {
  const { verdict, policies, credential, requirements } = answer
  if (verdict === 'allow') return undefined
  if (verdict === 'deny' && policies === 'deny') {
    const refused = requirements.filter((each) => each.required && each.verdict === 'deny')
    const unauthorizedActionsByIAM = [...new Set(refused.map(({ action }) => action))].join(',')
    const details = { unauthorizedActionsByIAM, standIn: { gate: 'policies', refused: refused.map(reasonOf) } }
    return failure(403, 'Client::Forbidden', 'User not granted for this request', details, 'document')
  }
  if (verdict === 'deny' && credential?.verdict === 'deny') return outsideRules()
  return undecidedReply(answer.missing)
}

function reasonOf({ action, resource, asked }: JudgedRequirement) {
  return {
    action,
    resource: resource ?? null,
    reason: asked?.decision.reason ?? null,
    deniedBy: (asked?.decision.clauses ?? []).filter(({ list }) => list === 'deny').map(({ policy }) => policy.name.value),
  }
}

export function recordOf(instantText: string, caller: Caller, request: ServiceRequest, answer: CallAnswer, status: number): CallRecord {
  const { operation, requirements, credential, verdict } = answer
  return {
    at: instantText,
    account: caller.account,
    identity: caller.identity,
    method: request.method,
    path: request.path,
    ip: request.ip,
    operation: operation ? `/${operation.branch}${operation.path}` : null,
    actions: requirements.map(({ action, resource = null, required, verdict }) => ({ action, resource, required, verdict })),
    verdict,
    credential: credential?.verdict ?? null,
    status,
  }
}

/** The access rules of a key as the simulator reads them: they have no place in a file. */
function rulesOf({ rules }: NonNullable<Caller['credential']>): readonly AccessRule[] {
  const nowhere: Span = { source: sourceOf('access rules', '', 'rules'), start: 0, end: 0 }
  const located = (value: string) => ({ value, span: nowhere })
  return rules.map(({ method, path }) => ({ method: located(method), path: located(path), span: nowhere }))
}
