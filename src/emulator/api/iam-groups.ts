import { conflict, notShown, quote } from '../model/errors.ts'
import type { Reply } from '../model/exchange.ts'
import type { GroupRecord } from '../model/records.ts'
import { readPermissionsGroupBody, readResourceGroupBody } from './bodies.ts'
import { flagOf, isOurs, listReply, missingRecord, nowOf, policiesWith, readOnlyRecord, regionOf, urnsIn } from './iam-common.ts'
import { permissionsGroupBody, permissionsGroupUrn, resourceGroupBody, resourceGroupUrn, resourceId } from './iam-shapes.ts'
import type { RouteContext, ServiceRoute } from './route.ts'

/** Permissions groups, named by their URNs, and resource groups, named by their ids. All of it is public facts. */
export const groupRoutes: readonly ServiceRoute[] = [
  { method: 'GET', path: '/v2/iam/permissionsGroup', access: 'judged', handle: listPermissionsGroups },
  { method: 'POST', path: '/v2/iam/permissionsGroup', access: 'judged', handle: createPermissionsGroup },
  ...oneOf('/v2/iam/permissionsGroup/{permissionsGroupURN}', withPermissionsGroup, {
    GET: (context, group) => ({ status: 200, origin: 'public', body: permissionsGroupBody(group, context.service.settings.brand) }),
    PUT: replacePermissionsGroup,
    DELETE: (context, group) => remove(context, 'permissionsGroup', group),
  }),
  { method: 'GET', path: '/v2/iam/resourceGroup', access: 'judged', handle: listResourceGroups },
  { method: 'POST', path: '/v2/iam/resourceGroup', access: 'judged', handle: createResourceGroup },
  ...oneOf('/v2/iam/resourceGroup/{groupId}', withResourceGroup, {
    GET: readResourceGroup,
    PUT: replaceResourceGroup,
    DELETE: (context, group) => remove(context, 'resourceGroup', group),
  }),
]

type Answer = (context: RouteContext, group: GroupRecord) => Reply

/** The routes of one group: each is found first. */
function oneOf(
  path: string,
  find: (context: RouteContext, answer: Answer) => Reply,
  answers: Readonly<Record<'GET' | 'PUT' | 'DELETE', Answer>>,
): readonly ServiceRoute[] {
  return (['GET', 'PUT', 'DELETE'] as const).map((method) => ({
    method,
    path,
    access: 'judged',
    handle: (context) => find(context, answers[method]),
  }))
}

/** A group goes only when nothing names it: what the policies that do would then mean is not known. */
function remove(context: RouteContext, kind: 'permissionsGroup' | 'resourceGroup', group: GroupRecord): Reply {
  if (group.readOnly || group.account === null) return readOnlyRecord('group', group.written.name)
  const list = kind === 'permissionsGroup' ? 'permissionsGroups' : 'resources'
  const [policy] = policiesWith(context, (each) => urnsIn(each, list).includes(group.urn))
  if (policy)
    return notShown(
      `what becomes of the policy ${quote(String(policy.written.name))}, which names this group, is not known: change it first`,
      {
        id: policy.id,
      },
    )
  context.service.state.commit([{ kind, key: group.urn }])
  return { status: 204, origin: 'public' }
}

// Permissions groups.

function withPermissionsGroup(context: RouteContext, answer: Answer): Reply {
  const urn = context.params.permissionsGroupURN ?? ''
  const group = context.service.state.table('permissionsGroup').get(urn)
  return group && isOurs(context, group) ? answer(context, group) : missingRecord('permissions group', urn)
}

function listPermissionsGroups(context: RouteContext): Reply {
  const { state, settings } = context.service
  return listReply(context, {
    list: 'permissionsGroup',
    records: state.table('permissionsGroup').behind,
    keyOf: ({ urn }) => urn,
    bodyOf: (group) => permissionsGroupBody(group, settings.brand),
    isShown: (group) => isOurs(context, group),
  })
}

function permissionsGroupIn(context: RouteContext) {
  const region = regionOf(context)
  return readPermissionsGroupBody(context.tree, context.service.settings, (name) =>
    permissionsGroupUrn(region, context.caller.account, name),
  )
}

function createPermissionsGroup(context: RouteContext): Reply {
  const { service, caller } = context
  const { value, refusal } = permissionsGroupIn(context)
  if (refusal) return refusal
  if (service.state.table('permissionsGroup').has(value.urn))
    return conflict(`another permissions group is named ${quote(String(value.written.name))} already: its URN would be the same`, {
      urn: value.urn,
    })
  const id = service.ports.chance.uuid()
  return keptPermissionsGroup(context, {
    id,
    ...value,
    account: caller.account,
    readOnly: false,
    createdAt: nowOf(context),
    updatedAt: null,
  })
}

function replacePermissionsGroup(context: RouteContext, group: GroupRecord): Reply {
  if (group.readOnly || group.account === null) return readOnlyRecord('permissions group', group.written.name)
  const { value, refusal } = permissionsGroupIn(context)
  if (refusal) return refusal
  if (value.urn !== group.urn)
    return notShown('whether the URN of a permissions group follows its name is not known: keep the name, or create another group', {
      urn: group.urn,
    })
  return keptPermissionsGroup(context, { ...group, written: value.written, updatedAt: nowOf(context) })
}

function keptPermissionsGroup({ service }: RouteContext, group: GroupRecord): Reply {
  service.state.commit([{ kind: 'permissionsGroup', key: group.urn, value: group }])
  return { status: 200, origin: 'public', body: permissionsGroupBody(group, service.settings.brand) }
}

// Resource groups.

function withResourceGroup(context: RouteContext, answer: Answer): Reply {
  const id = context.params.groupId ?? ''
  const group = context.service.state
    .table('resourceGroup')
    .find('id', id)
    .find((each) => isOurs(context, each))
  return group ? answer(context, group) : missingRecord('resource group', id)
}

function listResourceGroups(context: RouteContext): Reply {
  const { value: details, refusal } = flagOf(context, 'details')
  if (refusal) return refusal
  const { state, ports } = context.service
  return listReply(context, {
    list: 'resourceGroup',
    records: state.table('resourceGroup').behind,
    keyOf: ({ urn }) => urn,
    bodyOf: (group) => resourceGroupBody(group, ports.digest, details === true),
    isShown: (group) => isOurs(context, group),
  })
}

function readResourceGroup(context: RouteContext, group: GroupRecord): Reply {
  const { value: details, refusal } = flagOf(context, 'details')
  return refusal ?? { status: 200, origin: 'public', body: resourceGroupBody(group, context.service.ports.digest, details === true) }
}

function resourceGroupIn(context: RouteContext, all: boolean) {
  const { settings, state, ports } = context.service
  const urnOf = (id: string) => {
    for (const { urn, owner } of state.table('inventory').all())
      if (isOurs(context, { account: owner }) && resourceId(ports.digest, urn) === id) return urn
    return undefined
  }
  return readResourceGroupBody(context.tree, settings, urnOf, all)
}

function createResourceGroup(context: RouteContext): Reply {
  const { service, caller } = context
  const { value: written, refusal } = resourceGroupIn(context, false)
  if (refusal) return refusal
  const id = service.ports.chance.uuid()
  const urn = resourceGroupUrn(regionOf(context), id)
  return keptResourceGroup(context, {
    id,
    urn,
    account: caller.account,
    written,
    readOnly: false,
    createdAt: nowOf(context),
    updatedAt: null,
  })
}

function replaceResourceGroup(context: RouteContext, group: GroupRecord): Reply {
  if (group.readOnly || group.account === null) return readOnlyRecord('resource group', group.written.name)
  const { value: written, refusal } = resourceGroupIn(context, true)
  return refusal ?? keptResourceGroup(context, { ...group, written, updatedAt: nowOf(context) })
}

function keptResourceGroup({ service }: RouteContext, group: GroupRecord): Reply {
  service.state.commit([{ kind: 'resourceGroup', key: group.urn, value: group }])
  return { status: 200, origin: 'public', body: resourceGroupBody(group, service.ports.digest, false) }
}
