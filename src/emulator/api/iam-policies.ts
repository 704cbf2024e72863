import { failure, quote } from '../model/errors.ts'
import type { Reply } from '../model/exchange.ts'
import type { PolicyRecord } from '../model/records.ts'
import { type BodyContext, readPolicyBody } from './bodies.ts'
import { flagOf, listReply, missingRecord, nowOf, policiesWith, readOnlyRecord, urnsIn } from './iam-common.ts'
import { policyBody } from './iam-shapes.ts'
import type { RouteContext, ServiceRoute } from './route.ts'

/**
 * Access policies. The document shows the list and its pages, and the fields that a policy is made of; paths, methods and the
 * other fields are public facts. A policy holds from the very next call: nothing is decided over what was.
 */
export const policyRoutes: readonly ServiceRoute[] = [
  { method: 'GET', path: '/v2/iam/policy', access: 'judged', handle: list },
  { method: 'POST', path: '/v2/iam/policy', access: 'judged', handle: createPolicy },
  {
    method: 'GET',
    path: '/v2/iam/policy/{policyId}',
    access: 'judged',
    handle: (context) => withPolicy(context, (policy) => read(context, policy)),
  },
  {
    method: 'PUT',
    path: '/v2/iam/policy/{policyId}',
    access: 'judged',
    handle: (context) => withPolicy(context, (policy) => replacePolicy(context, policy)),
  },
  {
    method: 'DELETE',
    path: '/v2/iam/policy/{policyId}',
    access: 'judged',
    handle: (context) => withPolicy(context, (policy) => removePolicy(context, policy)),
  },
]

function list(context: RouteContext): Reply {
  const { service, caller, request } = context
  const details = flagOf(context, 'details')
  const readOnly = flagOf(context, 'readOnly')
  const refusal = details.refusal ?? readOnly.refusal
  if (refusal) return refusal
  const [identity, resource, action] = ['identity', 'resourceURN', 'action'].map((name) => request.query.get(name))
  // The filters keep the policies that name a text; which ones match it is another question, asked with authorization/check.
  const isShown = (policy: PolicyRecord) =>
    policy.account === caller.account &&
    (readOnly.value === undefined || policy.readOnly === readOnly.value) &&
    (identity === undefined || (policy.written.identities as readonly string[]).includes(identity)) &&
    (resource === undefined || urnsIn(policy, 'resources').includes(resource)) &&
    (action === undefined || actionsIn(policy).includes(action))
  return listReply(context, {
    list: 'policy',
    records: service.state.table('policy').behind,
    keyOf: ({ id }) => id,
    bodyOf: (policy) => bodyOf(context, policy, details.value),
    isShown,
  })
}

function actionsIn({ written }: PolicyRecord): readonly string[] {
  const permissions = (written.permissions ?? {}) as Readonly<Record<string, readonly { readonly action: string }[] | null>>
  return Object.values(permissions).flatMap((entries) => (entries ?? []).map(({ action }) => action))
}

function bodyOf({ service }: RouteContext, policy: PolicyRecord, details = false) {
  return policyBody(policy, service.state, service.ports.digest, details)
}

function withPolicy(context: RouteContext, answer: (policy: PolicyRecord) => Reply): Reply {
  const id = context.params.policyId ?? ''
  const policy = context.service.state.table('policy').get(id)
  return policy?.account === context.caller.account ? answer(policy) : missingRecord('policy', id)
}

function read(context: RouteContext, policy: PolicyRecord): Reply {
  const { value, refusal } = flagOf(context, 'details')
  return refusal ?? { status: 200, origin: 'public', body: bodyOf(context, policy, value) }
}

/** Make a policy of what is sent: the account of the caller has it. */
export function createPolicy(context: RouteContext): Reply {
  const { service, caller, tree } = context
  const { value: written, refusal } = readPolicyBody(tree, bodyContext(context))
  if (refusal) return refusal
  const taken = nameTaken(context, written.name)
  if (taken) return taken
  const id = service.ports.chance.uuid()
  return kept(context, { id, account: caller.account, written, readOnly: false, createdAt: nowOf(context), updatedAt: null })
}

/** Put what is sent in the place of a policy. */
export function replacePolicy(context: RouteContext, policy: PolicyRecord): Reply {
  if (policy.readOnly) return readOnlyRecord('policy', policy.written.name)
  const { value: written, refusal } = readPolicyBody(context.tree, bodyContext(context))
  if (refusal) return refusal
  return nameTaken(context, written.name, policy.id) ?? kept(context, { ...policy, written, updatedAt: nowOf(context) })
}

/** Take a policy out. */
export function removePolicy({ service }: Pick<RouteContext, 'service'>, { id, readOnly, written }: PolicyRecord): Reply {
  if (readOnly) return readOnlyRecord('policy', written.name)
  service.state.commit([{ kind: 'policy', key: id }])
  return { status: 204, origin: 'public' }
}

function kept(context: RouteContext, policy: PolicyRecord): Reply {
  context.service.state.commit([{ kind: 'policy', key: policy.id, value: policy }])
  return { status: 200, origin: 'public', body: bodyOf(context, policy) }
}

function bodyContext({ service: { settings, catalogue, ports } }: RouteContext): BodyContext {
  return { settings, catalogue, now: ports.clock.now() }
}

/** Within an account the name of a policy is its own: the word in the class is a public fact, the status is not. */
function nameTaken(context: RouteContext, name: unknown, but?: string): Reply | undefined {
  const [other] = policiesWith(context, (policy) => policy.written.name === name && policy.id !== but)
  if (!other) return undefined
  const message = `another policy is named ${quote(String(name))} already: give each policy a name of its own`
  return failure(409, 'Client::Conflict::POLICY_ALREADY_EXISTS', message, { id: other.id })
}
