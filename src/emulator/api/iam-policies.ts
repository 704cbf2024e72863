import { failure, quote } from '../model/errors.ts'
import type { Reply } from '../model/exchange.ts'
import { withoutOrigin } from '../model/origins.ts'
import type { PolicyRecord } from '../model/records.ts'
import { type BodyContext, readPolicyBody } from './bodies.ts'
import { flagOf, missingRecord, newRecord, nowOf, policyWith, readOnlyRecord, urnsIn } from './iam-common.ts'
import { policyBody } from './iam-shapes.ts'
import { listReply } from './pagination.ts'
import { type Handler, judgedRoutes, type RouteContext, type ServiceRoute } from './route.ts'

/** The document shows the list and the fields of a policy; all else is public facts. A policy holds from the very next call. */
export const policyRoutes: readonly ServiceRoute[] = judgedRoutes({
  'GET /v2/iam/policy': list,
  'POST /v2/iam/policy': createPolicy,
  'GET /v2/iam/policy/{policyId}': ofPolicy(read),
  'PUT /v2/iam/policy/{policyId}': ofPolicy(replacePolicy),
  'DELETE /v2/iam/policy/{policyId}': ofPolicy(removePolicy),
})

function list(context: RouteContext): Reply {
  const { service, caller, request } = context
  const details = flagOf(context, 'details')
  const readOnly = flagOf(context, 'readOnly')
  const refusal = details.refusal ?? readOnly.refusal
  if (refusal) return refusal
  const [identity, resource, action] = ['identity', 'resourceURN', 'action'].map((name) => request.query.get(name))
  return listReply(context, {
    list: 'policy',
    records: service.state.table('policy').behind,
    keyOf: ({ id }) => id,
    bodyOf: (policy) => bodyOf(context, policy, details.value),
    // The filters keep the policies that name a text; which ones match it is asked with authorization/check.
    isShown: (policy) =>
      policy.account === caller.account &&
      (readOnly.value === undefined || policy.readOnly === readOnly.value) &&
      (identity === undefined || (policy.written.identities as readonly string[]).includes(identity)) &&
      (resource === undefined || urnsIn(policy, 'resources').includes(resource)) &&
      (action === undefined || actionsIn(policy).includes(action)),
  })
}

function actionsIn({ written }: PolicyRecord): readonly string[] {
  const permissions = (written.permissions ?? {}) as Readonly<Record<string, readonly { readonly action: string }[] | null>>
  return Object.values(permissions).flatMap((entries) => (entries ?? []).map(({ action }) => action))
}

function bodyOf({ service }: RouteContext, policy: PolicyRecord, details = false) {
  return policyBody(policy, service.state, service.ports.digest, details)
}

function ofPolicy(answer: (context: RouteContext, policy: PolicyRecord) => Reply): Handler {
  return (context) => {
    const id = context.params.policyId ?? ''
    const policy = context.service.state.table('policy').get(id)
    return policy?.account === context.caller.account ? answer(context, policy) : missingRecord('policy', id)
  }
}

function read(context: RouteContext, policy: PolicyRecord): Reply {
  const { value, refusal } = flagOf(context, 'details')
  return refusal ?? { status: 200, origin: 'public', body: bodyOf(context, policy, value) }
}

export function createPolicy(context: RouteContext): Reply {
  const { value: written, refusal } = readPolicyBody(context.tree, bodyContext(context))
  if (refusal) return refusal
  return nameTaken(context, written.name) ?? write(context, { id: context.service.ports.chance.uuid(), written, ...newRecord(context) })
}

export function replacePolicy(context: RouteContext, policy: PolicyRecord): Reply {
  if (policy.readOnly) return readOnlyRecord('policy', policy.written.name)
  const { value: written, refusal } = readPolicyBody(context.tree, bodyContext(context))
  if (refusal) return refusal
  return nameTaken(context, written.name, policy.id) ?? write(context, { ...withoutOrigin(policy), written, updatedAt: nowOf(context) })
}

export function removePolicy({ service }: RouteContext, { id, readOnly, written }: PolicyRecord): Reply {
  if (readOnly) return readOnlyRecord('policy', written.name)
  service.state.commit([{ kind: 'policy', key: id }])
  return { status: 204, origin: 'public' }
}

function write(context: RouteContext, policy: PolicyRecord): Reply {
  context.service.state.commit([{ kind: 'policy', key: policy.id, value: policy }])
  return { status: 200, origin: 'public', body: bodyOf(context, policy) }
}

function bodyContext({ service: { settings, catalogue, ports } }: RouteContext): BodyContext {
  return { settings, catalogue, now: ports.clock.now() }
}

/** Names of policies are unique within an account: the word in the class is a public fact, the status is not. */
function nameTaken(context: RouteContext, name: unknown, but?: string): Reply | undefined {
  const other = policyWith(context, (policy) => policy.written.name === name && policy.id !== but)
  if (!other) return undefined
  const message = `another policy is named ${quote(String(name))} already: give each policy a separate name`
  return failure(409, 'Client::Conflict::POLICY_ALREADY_EXISTS', message, { id: other.id })
}
