import { conflict, notShown, quote } from '../model/errors.ts'
import type { Reply } from '../model/exchange.ts'
import { withoutOrigin } from '../model/origins.ts'
import type { GroupRecord } from '../model/records.ts'
import { readPermissionsGroupBody, readResourceGroupBody } from './bodies.ts'
import { flagOf, isOwnAccount, missingRecord, newRecord, nowOf, policyWith, readOnlyRecord, regionOf, urnsIn } from './iam-common.ts'
import { permissionsGroupBody, permissionsGroupUrn, resourceGroupBody, resourceGroupUrn, resourceId } from './iam-shapes.ts'
import { listReply } from './pagination.ts'
import { type Handler, judgedRoutes, type RouteContext, type ServiceRoute } from './route.ts'

/** Permissions groups, named by their URNs, and resource groups, named by their ids. All of it is public facts. */
export const groupRoutes: readonly ServiceRoute[] = judgedRoutes({
  'GET /v2/iam/permissionsGroup': (context) => list(context, 'permissionsGroup'),
  'POST /v2/iam/permissionsGroup': createPermissionsGroup,
  'GET /v2/iam/permissionsGroup/{permissionsGroupURN}': ofGroup('permissionsGroup', read),
  'PUT /v2/iam/permissionsGroup/{permissionsGroupURN}': ofGroup('permissionsGroup', replacePermissionsGroup),
  'DELETE /v2/iam/permissionsGroup/{permissionsGroupURN}': ofGroup('permissionsGroup', remove),
  'GET /v2/iam/resourceGroup': (context) => list(context, 'resourceGroup'),
  'POST /v2/iam/resourceGroup': createResourceGroup,
  'GET /v2/iam/resourceGroup/{groupId}': ofGroup('resourceGroup', read),
  'PUT /v2/iam/resourceGroup/{groupId}': ofGroup('resourceGroup', replaceResourceGroup),
  'DELETE /v2/iam/resourceGroup/{groupId}': ofGroup('resourceGroup', remove),
})

type Kind = 'permissionsGroup' | 'resourceGroup'

const nameOf = { permissionsGroup: 'permissions group', resourceGroup: 'resource group' } as const

function ofGroup(kind: Kind, answer: (context: RouteContext, group: GroupRecord, kind: Kind) => Reply): Handler {
  return (context) => {
    const table = context.service.state.table(kind)
    const { permissionsGroupURN, groupId } = context.params
    const key = permissionsGroupURN ?? groupId ?? ''
    const candidates = kind === 'permissionsGroup' ? [table.get(key)] : table.find('id', key)
    const group = candidates.find((each) => each && isOwnAccount(context, each))
    return group ? answer(context, group, kind) : missingRecord(nameOf[kind], key)
  }
}

function bodyOf({ service: { settings, ports } }: RouteContext, kind: Kind, group: GroupRecord, details = false) {
  return kind === 'permissionsGroup' ? permissionsGroupBody(group, settings.brand) : resourceGroupBody(group, ports.digest, details)
}

/** `details` is a parameter of resource groups alone. */
function detailsOf(context: RouteContext, kind: Kind): ReturnType<typeof flagOf> {
  return kind === 'resourceGroup' ? flagOf(context, 'details') : { value: false }
}

function list(context: RouteContext, kind: Kind): Reply {
  const { value: details, refusal } = detailsOf(context, kind)
  if (refusal) return refusal
  return listReply(context, {
    list: kind,
    records: context.service.state.table(kind).behind,
    keyOf: ({ urn }) => urn,
    bodyOf: (group) => bodyOf(context, kind, group, details),
    isShown: (group) => isOwnAccount(context, group),
  })
}

function read(context: RouteContext, group: GroupRecord, kind: Kind): Reply {
  const { value: details, refusal } = detailsOf(context, kind)
  return refusal ?? { status: 200, origin: 'public', body: bodyOf(context, kind, group, details) }
}

function refusedReadOnly({ readOnly, account, written }: GroupRecord, what: string): Reply | undefined {
  return readOnly || account === null ? readOnlyRecord(what, written.name) : undefined
}

function write(context: RouteContext, kind: Kind, group: GroupRecord): Reply {
  context.service.state.commit([{ kind, key: group.urn, value: group }])
  return { status: 200, origin: 'public', body: bodyOf(context, kind, group) }
}

/** A group goes only when no policy names it: what the policy would then mean is not known. */
function remove(context: RouteContext, group: GroupRecord, kind: Kind): Reply {
  const refused = refusedReadOnly(group, 'group')
  if (refused) return refused
  const list = kind === 'permissionsGroup' ? 'permissionsGroups' : 'resources'
  const policy = policyWith(context, (each) => urnsIn(each, list).includes(group.urn))
  if (policy) {
    const name = quote(String(policy.written.name))
    return notShown(`what becomes of the policy ${name}, which names this group, is not known: change it first`, { id: policy.id })
  }
  context.service.state.commit([{ kind, key: group.urn }])
  return { status: 204, origin: 'public' }
}

function permissionsGroupIn(context: RouteContext) {
  const region = regionOf(context)
  return readPermissionsGroupBody(context.tree, context.service.settings, (name) =>
    permissionsGroupUrn(region, context.caller.account, name),
  )
}

function createPermissionsGroup(context: RouteContext): Reply {
  const { state, ports } = context.service
  const { value, refusal } = permissionsGroupIn(context)
  if (refusal) return refusal
  const { urn, written } = value
  if (state.table('permissionsGroup').has(urn))
    return conflict(`another permissions group is named ${quote(String(written.name))} already: its URN would be the same`, { urn })
  return write(context, 'permissionsGroup', { id: ports.chance.uuid(), ...value, ...newRecord(context) })
}

function replacePermissionsGroup(context: RouteContext, group: GroupRecord): Reply {
  const refused = refusedReadOnly(group, nameOf.permissionsGroup)
  if (refused) return refused
  const { value, refusal } = permissionsGroupIn(context)
  if (refusal) return refusal
  const { urn } = group
  if (value.urn !== urn)
    return notShown('whether the URN of a permissions group follows its name is not known: keep the name, or create another group', { urn })
  return write(context, 'permissionsGroup', { ...withoutOrigin(group), written: value.written, updatedAt: nowOf(context) })
}

function resourceGroupIn(context: RouteContext, all: boolean) {
  const { settings, state, ports } = context.service
  const urnOf = (id: string) => {
    for (const { urn, owner } of state.table('inventory').all())
      if (isOwnAccount(context, { account: owner }) && resourceId(ports.digest, urn) === id) return urn
    return undefined
  }
  return readResourceGroupBody(context.tree, settings, urnOf, all)
}

function createResourceGroup(context: RouteContext): Reply {
  const { value: written, refusal } = resourceGroupIn(context, false)
  if (refusal) return refusal
  const id = context.service.ports.chance.uuid()
  return write(context, 'resourceGroup', { id, urn: resourceGroupUrn(regionOf(context), id), written, ...newRecord(context) })
}

function replaceResourceGroup(context: RouteContext, group: GroupRecord): Reply {
  const refused = refusedReadOnly(group, nameOf.resourceGroup)
  if (refused) return refused
  const { value: written, refusal } = resourceGroupIn(context, true)
  return refusal ?? write(context, 'resourceGroup', { ...withoutOrigin(group), written, updatedAt: nowOf(context) })
}
