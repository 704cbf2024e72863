import type { Operation } from '../../actions/operations.ts'
import { callMethods } from '../../calls/match.ts'
import { assetKinds } from '../api/asset-kinds.ts'
import { ownFields as ownOfAssets } from '../api/assets.ts'
import { bodyLimits } from '../api/body-problems.ts'
import { credentialStates, requestLimits } from '../api/credential-routes.ts'
import { tagLimits } from '../api/iam-resources.ts'
import { pageHeaders } from '../api/pagination.ts'
import type { WrittenFields } from '../model/records.ts'

/** The description of an operation that the emulator implements; of all others only the form of the answer is known. */
export interface Described {
  readonly body?: WrittenFields
  /** The schema of the answer; undefined: 204, without a body. */
  readonly answer?: WrittenFields
  readonly parameters?: readonly WrittenFields[]
  /** Links to calls that follow: parameters of a path by their place in the answer. */
  readonly links?: WrittenFields
  /** Sometimes 501: the document does not show what would happen. */
  readonly mayBeUnshown?: true
  /** About the consumer key of the call: a bearer token has none. */
  readonly isSigned?: true
}

const text = { type: 'string' }
const record = { type: 'object' }
const nothing = { type: 'null' }
const listOf = (items: WrittenFields, more: WrittenFields = {}) => ({ type: 'array', items, ...more })
const fields = (properties: WrittenFields, required: readonly string[]) => ({
  type: 'object',
  required,
  additionalProperties: false,
  properties,
})

// The grammars of names are in docs/policies.md: `format` names them, since no short pattern says the same.
const identity = { type: 'string', format: 'identity-urn' }
const resource = { type: 'string', format: 'resource-urn' }
const resourcePattern = { type: 'string', format: 'resource-pattern' }
const action = { type: 'string', format: 'action' }
const actionPattern = { type: 'string', format: 'action-pattern' }
const entries = { maxItems: bodyLimits.entries }

const name = { type: 'string', minLength: 1, maxLength: bodyLimits.name, format: 'name' }
const groupName = { ...name, format: 'group-name' }
const description = { type: ['string', 'null'], maxLength: bodyLimits.description }
const actions = { type: ['array', 'null'], items: fields({ action: actionPattern }, ['action']), ...entries }
const permissions = { ...fields({ allow: actions, except: actions, deny: actions }, []), type: ['object', 'null'] }

const policyBody = fields(
  {
    name,
    description,
    identities: listOf(identity, entries),
    resources: listOf(fields({ urn: resourcePattern }, ['urn']), entries),
    permissions,
    permissionsGroups: {
      type: ['array', 'null'],
      items: fields({ urn: { type: 'string', format: 'permissions-group-urn' } }, ['urn']),
      ...entries,
    },
    conditions: { description: 'a condition as in policy files', type: ['object', 'null'], required: ['operator'] },
    expiredAt: { type: ['string', 'null'], format: 'date-time' },
  },
  ['name', 'identities', 'resources', 'permissions'],
)
const permissionsGroupBody = fields({ name: groupName, description, permissions }, ['name', 'description', 'permissions'])
const members = { ...listOf(fields({ urn: resource }, ['urn']), entries), type: ['array', 'null'] }
const resourceGroupBody = (required: readonly string[]) => fields({ name, resources: members }, required)

const known = (names: readonly string[]) => ({ type: 'object', required: names })
const policy = known(['id', 'owner', 'name', 'readOnly', 'createdAt', 'identities', 'resources', 'permissions', 'permissionsGroups'])
const permissionsGroup = known(['id', 'urn', 'owner', 'name', 'createdAt'])
const resourceGroup = known(['id', 'urn', 'owner', 'name', 'readOnly', 'createdAt', 'resources'])
const inventoried = known(['id', 'urn', 'name', 'displayName', 'type', 'owner'])
const checked = {
  type: 'object',
  required: ['authorizedActions', 'unauthorizedActions'],
  properties: { authorizedActions: listOf(text), unauthorizedActions: listOf(text) },
}
const asset = known(['id', 'iam', 'currentState', 'targetSpec', 'currentTasks'])
const task = known(['id', 'type', 'status'])

const inHeader = (header: string, schema: WrittenFields) => ({ name: header, in: 'header', schema })
const inQuery = (parameter: string, schema: WrittenFields) => ({ name: parameter, in: 'query', schema })
const pages = [
  inHeader(pageHeaders.size, { type: 'integer', minimum: 1 }),
  inHeader(pageHeaders.cursor, { type: 'string', format: 'cursor' }),
]
const details = inQuery('details', { type: 'boolean' })
const readOnly = inQuery('readOnly', { type: 'boolean' })

/** Links from an answer to the calls about one record, by the operations' ids. */
const linksTo = (parameter: string, place: string, ids: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(ids).map(([title, operationId]) => [title, { operationId, parameters: { [parameter]: `$response.body#/${place}` } }]),
  )
const ofPolicy = linksTo('policyId', 'id', {
  read: 'getV2IamPolicyPolicyId',
  replace: 'putV2IamPolicyPolicyId',
  delete: 'deleteV2IamPolicyPolicyId',
})
const ofPermissionsGroup = linksTo('permissionsGroupURN', 'urn', {
  read: 'getV2IamPermissionsGroupPermissionsGroupURN',
  replace: 'putV2IamPermissionsGroupPermissionsGroupURN',
  delete: 'deleteV2IamPermissionsGroupPermissionsGroupURN',
})
const ofResourceGroup = linksTo('groupId', 'id', {
  read: 'getV2IamResourceGroupGroupId',
  replace: 'putV2IamResourceGroupGroupId',
  delete: 'deleteV2IamResourceGroupGroupId',
})

const ids = listOf({ type: 'integer' })
const rule = fields({ method: { enum: callMethods }, path: { type: 'string', pattern: '^[/*]', maxLength: requestLimits.path } }, [
  'method',
  'path',
])
const tags = {
  type: ['object', 'null'],
  propertyNames: { minLength: 1, maxLength: tagLimits.key },
  additionalProperties: { type: 'string', maxLength: tagLimits.value },
}

const fixed: Readonly<Record<string, Described>> = {
  'GET /v1/hosting/web/{serviceName}': { answer: known(['serviceName']) },
  'GET /v1/auth/time': { answer: { type: 'integer' } },
  'POST /v1/auth/credential': {
    body: fields(
      {
        accessRules: listOf(rule, { minItems: 1, maxItems: requestLimits.rules }),
        redirection: { type: ['string', 'null'], format: 'redirection', maxLength: requestLimits.redirection },
        allowedIPs: { type: 'null' },
      },
      ['accessRules'],
    ),
    answer: known(['state', 'consumerKey', 'validationUrl']),
  },
  'GET /v1/auth/currentCredential': { answer: known(['credentialId', 'applicationId', 'status', 'rules']), isSigned: true },
  'POST /v1/auth/logout': { answer: nothing, isSigned: true },
  'GET /v1/me/api/application': { answer: ids },
  'GET /v1/me/api/application/{applicationId}': { answer: known(['applicationId', 'applicationKey', 'name', 'description', 'status']) },
  'DELETE /v1/me/api/application/{applicationId}': { answer: nothing },
  'GET /v1/me/api/credential': {
    answer: ids,
    parameters: [inQuery('status', { enum: credentialStates }), inQuery('applicationId', { type: 'integer', minimum: 0 })],
  },
  'GET /v1/me/api/credential/{credentialId}': { answer: known(['credentialId', 'applicationId', 'status', 'rules']) },
  'PUT /v1/me/api/credential/{credentialId}': { answer: {}, mayBeUnshown: true },
  'DELETE /v1/me/api/credential/{credentialId}': { answer: nothing },
  'GET /v1/me/api/credential/{credentialId}/application': { answer: known(['applicationId']) },
  'GET /v2/iam/policy': {
    answer: listOf(policy),
    parameters: [details, readOnly, ...['identity', 'resourceURN', 'action'].map((each) => inQuery(each, text)), ...pages],
  },
  'POST /v2/iam/policy': { body: policyBody, answer: policy, links: ofPolicy },
  'GET /v2/iam/policy/{policyId}': { answer: policy, parameters: [details] },
  'PUT /v2/iam/policy/{policyId}': { body: policyBody, answer: policy },
  'DELETE /v2/iam/policy/{policyId}': {},
  'GET /v2/iam/permissionsGroup': { answer: listOf(permissionsGroup), parameters: pages },
  'POST /v2/iam/permissionsGroup': { body: permissionsGroupBody, answer: permissionsGroup, links: ofPermissionsGroup },
  'GET /v2/iam/permissionsGroup/{permissionsGroupURN}': { answer: permissionsGroup },
  'PUT /v2/iam/permissionsGroup/{permissionsGroupURN}': { body: permissionsGroupBody, answer: permissionsGroup, mayBeUnshown: true },
  'DELETE /v2/iam/permissionsGroup/{permissionsGroupURN}': { mayBeUnshown: true },
  'GET /v2/iam/resourceGroup': { answer: listOf(resourceGroup), parameters: pages },
  'POST /v2/iam/resourceGroup': { body: resourceGroupBody(['name']), answer: resourceGroup, links: ofResourceGroup },
  'GET /v2/iam/resourceGroup/{groupId}': { answer: resourceGroup },
  'PUT /v2/iam/resourceGroup/{groupId}': { body: resourceGroupBody(['name', 'resources']), answer: resourceGroup },
  'DELETE /v2/iam/resourceGroup/{groupId}': { mayBeUnshown: true },
  'GET /v2/iam/resource': {
    answer: listOf(inventoried),
    parameters: [inQuery('resourceName', text), inQuery('resourceType', text), inQuery('resourceURN', resourcePattern), ...pages],
  },
  'GET /v2/iam/resource/{resourceURN}': { answer: inventoried, mayBeUnshown: true },
  'PUT /v2/iam/resource/{resourceURN}': { body: fields({ tags }, ['tags']), answer: inventoried, mayBeUnshown: true },
  'POST /v2/iam/resource/{resourceURN}/tag': {
    body: fields(
      { key: { type: 'string', minLength: 1, maxLength: tagLimits.key }, value: { type: 'string', maxLength: tagLimits.value } },
      ['key', 'value'],
    ),
    answer: record,
    mayBeUnshown: true,
  },
  'DELETE /v2/iam/resource/{resourceURN}/tag/{key}': { mayBeUnshown: true },
  'POST /v2/iam/resource/{resourceURN}/authorization/check': {
    parameters: [{ name: 'resourceURN', in: 'path', required: true, schema: resource }],
    body: fields({ actions: listOf(action) }, ['actions']),
    answer: checked,
  },
  'POST /v2/iam/authorization/check': {
    body: fields({ actions: listOf(action), resourceURNs: listOf(resource) }, ['actions', 'resourceURNs']),
    answer: listOf(checked),
  },
  'GET /v2/iam/reference/action': {
    answer: listOf(known(['action'])),
    parameters: [inQuery('resourceType', { type: 'string', format: 'resource-type' }), ...pages],
  },
  'GET /v2/iam/reference/resource/type': { answer: listOf(text), parameters: pages },
}

/** The operations that the emulator implements, by `METHOD path`. */
export function describedOperations(operations: readonly Operation[]): ReadonlyMap<string, Described> {
  const assets = assetKinds(operations).flatMap(({ path, list, hasEvents, hasOneTask, isDeletable }): readonly [string, Described][] => [
    ...(list === undefined ? [] : [[`GET ${list}`, { answer: listOf(asset), parameters: pages }] as [string, Described]]),
    [`GET ${path}`, { answer: asset }],
    [`PUT ${path}`, { body: targetBody, answer: asset }],
    ...(isDeletable ? [[`DELETE ${path}`, { answer: nothing }] as [string, Described]] : []),
    [`GET ${path}/task`, { answer: listOf(task), parameters: pages }],
    ...(hasOneTask ? [[`GET ${path}/task/{taskId}`, { answer: task }] as [string, Described]] : []),
    ...(hasEvents ? [[`GET ${path}/event`, { answer: listOf(record), parameters: pages }] as [string, Described]] : []),
  ])
  return new Map([...assets, ...Object.entries(fixed)])
}

const targetBody = fields(
  {
    targetSpec: { type: 'object', description: 'the whole target state' },
    checksum: text,
    ...Object.fromEntries(ownOfAssets.map((own) => [own, { description: 'ignored: set by the service' }])),
  },
  ['targetSpec'],
)
