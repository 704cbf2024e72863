import { glob, matches } from '../../glob.ts'
import { what } from '../../symbolic/what.ts'
import { readResourcePattern, typeAndName } from '../../urn/resource.ts'
import { contextOf } from '../auth/rights.ts'
import { badRequest, failure, notShown, quote, undecided } from '../model/errors.ts'
import type { Reply } from '../model/exchange.ts'
import type { InventoryRecord } from '../model/records.ts'
import { isForeign } from '../model/worlds.ts'
import { type FieldRule, readSmallBody } from './bodies.ts'
import { isOurs, listReply, missingRecord } from './iam-common.ts'
import { resourceBody } from './iam-shapes.ts'
import { withLeftOut } from './pagination.ts'
import type { RouteContext, ServiceRoute } from './route.ts'

/** The inventory and its tags. All of it is public facts, but for who sees what: that is inferred. */
export const resourceRoutes: readonly ServiceRoute[] = [
  { method: 'GET', path: '/v2/iam/resource', access: 'judged', handle: list },
  { method: 'GET', path: '/v2/iam/resource/{resourceURN}', access: 'judged', handle: read },
  {
    method: 'PUT',
    path: '/v2/iam/resource/{resourceURN}',
    access: 'judged',
    handle: (context) => withOwn(context, (resource) => replaceTags(context, resource)),
  },
  {
    method: 'POST',
    path: '/v2/iam/resource/{resourceURN}/tag',
    access: 'judged',
    handle: (context) => withOwn(context, (resource) => addTag(context, resource)),
  },
  {
    method: 'DELETE',
    path: '/v2/iam/resource/{resourceURN}/tag/{key}',
    access: 'judged',
    handle: (context) => withOwn(context, (resource) => removeTag(context, resource)),
  },
]

/** Whether the caller sees a resource, and else the facts that it depends on. */
type Sight = { readonly verdict: 'allow' | 'deny' } | { readonly verdict: 'unknown'; readonly missing: readonly string[] }

/** A resource is seen by whoever may do something with it, and by the account that owns it. */
function sightOf({ service, caller, request }: RouteContext): (resource: InventoryRecord) => Sight {
  const { world } = service.worldOf(caller.account)
  const asked = { identity: caller.identity, ...contextOf(service, request) }
  return ({ urn }) => {
    const rows = what(world, asked, glob(urn)).what
    if (rows.some(({ verdict }) => verdict === 'allow')) return { verdict: 'allow' }
    return rows.length === 0 ? { verdict: 'deny' } : { verdict: 'unknown', missing: [...new Set(rows.flatMap(({ missing }) => missing))] }
  }
}

function list(context: RouteContext): Reply {
  const { service, caller, request } = context
  const { query } = request
  for (const name of query.keys())
    if (/^tags\b/.test(name)) return notShown('how a filter on tags is written in a query is not known: filter the answer instead')
  const name = query.get('resourceName')
  const type = query.get('resourceType')
  const pattern = query.get('resourceURN')
  const read = pattern === undefined ? undefined : readResourcePattern(pattern)
  if (read?.faults) return badRequest(`query parameter \`resourceURN\`: ${quote(pattern ?? '')}: ${read.faults[0]?.message}`)
  const sight = sightOf(context)
  let leftOut = 0
  const reply = listReply(context, {
    list: 'resource',
    records: service.state.table('inventory').behind,
    keyOf: ({ urn }) => urn,
    bodyOf: (resource) => resourceBody(service.ports.digest, resource, caller.account),
    isShown: (resource) => {
      if (isForeign(service.state, resource, caller.account)) return false
      const parts = typeAndName(resource.urn)
      if (name !== undefined && parts.name !== name) return false
      if (type !== undefined && parts.type !== type) return false
      if (read?.value && !matches(read.value.glob, resource.urn)) return false
      const { verdict } = sight(resource)
      if (verdict === 'unknown') leftOut++
      return verdict === 'allow'
    },
    origin: 'inferred',
  })
  return withLeftOut(reply, leftOut)
}

function read(context: RouteContext): Reply {
  const resource = found(context)
  const sight = resource ? sightOf(context)(resource) : undefined
  if (sight?.verdict === 'unknown') return undecided(sight.missing)
  if (!resource || sight?.verdict !== 'allow') return unknownResource(context)
  return { status: 200, origin: 'public', body: resourceBody(context.service.ports.digest, resource, context.caller.account) }
}

function found({ service, params, caller }: RouteContext): InventoryRecord | undefined {
  const resource = service.state.table('inventory').get(params.resourceURN ?? '')
  return resource && !isForeign(service.state, resource, caller.account) ? resource : undefined
}

function unknownResource({ params }: RouteContext): Reply {
  return missingRecord('resource', params.resourceURN ?? '')
}

/** What may be changed: a resource that the caller's account owns. Whose it is need not be told where there is one account. */
function withOwn(context: RouteContext, answer: (resource: InventoryRecord) => Reply): Reply {
  const resource = found(context)
  if (!resource || !isOurs(context, { account: resource.owner })) return unknownResource(context)
  return resource.owner === null && context.service.state.table('account').size > 1 ? ownerNotTold(resource) : answer(resource)
}

/** It may be another account's, whose decisions rest on its tags. */
function ownerNotTold({ urn }: InventoryRecord): Reply {
  const message = `which of the accounts owns ${quote(urn)} is not told: say so in the seed (\`owner\`)`
  return failure(501, 'StandIn::Unknown', message, { missing: [`owner of ${urn}`] }, 'stand-in')
}

/** How long keys and values of tags may be (public). They may be any text. */
const tagLimits = { key: 128, value: 256 } as const

/** Tags under the brand word are computed by the service (public). */
const isComputed = ({ service }: RouteContext, key: string) => key.startsWith(`${service.settings.brand}:`)

function keyFault(context: RouteContext, key: string) {
  if (key === '' || key.length > tagLimits.key)
    return { message: `a key of a tag has 1 to ${tagLimits.key} characters, and this one has ${key.length}`, help: 'choose another key' }
  return isComputed(context, key) ? { message: `the tag ${quote(key)} is computed by the service` } : undefined
}

function valueFault(value: string) {
  if (value.length <= tagLimits.value) return undefined
  return { message: `a value of a tag has at most ${tagLimits.value} characters, and this one has ${value.length}`, help: 'shorten it' }
}

/** The fields of a resource that only the service writes. */
const ownFields = ['urn', 'id', 'name', 'displayName', 'owner', 'type']

/** The tags are replaced, but for those that the service computes. */
function replaceTags(context: RouteContext, resource: InventoryRecord): Reply {
  const rule: FieldRule = {
    kind: 'map of texts',
    required: true,
    nullable: true,
    fault: (text, isKey) => (isKey ? keyFault(context, text) : valueFault(text)),
  }
  const { value, refusal } = readSmallBody(context.tree, { tags: rule }, ownFields)
  if (refusal) return refusal
  const computed = Object.entries(resource.tags ?? {}).filter(([key]) => isComputed(context, key))
  const changed = { ...resource, tags: Object.fromEntries([...computed, ...Object.entries(value.map('tags'))]) }
  return kept(context, changed, resourceBody(context.service.ports.digest, changed, context.caller.account))
}

function addTag(context: RouteContext, resource: InventoryRecord): Reply {
  const { value, refusal } = readSmallBody(context.tree, {
    key: { kind: 'text', required: true, fault: (key) => keyFault(context, key) },
    value: { kind: 'text', required: true, fault: valueFault },
  })
  if (refusal) return refusal
  if (!resource.tags) return tagsNotTold(resource)
  const tags = new Map([...Object.entries(resource.tags), [value.text('key'), value.text('value')]])
  return kept(context, { ...resource, tags: Object.fromEntries(tags) }, {})
}

/** A tag that is not there is taken out as well: the answer is the same (public). */
function removeTag(context: RouteContext, resource: InventoryRecord): Reply {
  const key = context.params.key ?? ''
  const fault = keyFault(context, key)
  if (fault) return badRequest(fault.message)
  if (!resource.tags) return tagsNotTold(resource)
  if (Object.hasOwn(resource.tags, key))
    context.service.state.commit([
      {
        kind: 'inventory',
        key: resource.urn,
        value: { ...resource, tags: Object.fromEntries(Object.entries(resource.tags).filter(([name]) => name !== key)) },
      },
    ])
  return { status: 204, origin: 'public' }
}

/** One tag more or less says nothing about the others: to keep it alone would say that there are none. */
function tagsNotTold({ urn }: InventoryRecord): Reply {
  const message = `which tags ${quote(urn)} has is not told: say so in the seed (\`tags: {}\` for none), or replace them all`
  return failure(501, 'StandIn::Unknown', message, { missing: [`resource.Tag of ${urn}`] }, 'stand-in')
}

function kept({ service }: RouteContext, resource: InventoryRecord, body: unknown): Reply {
  service.state.commit([{ kind: 'inventory', key: resource.urn, value: resource }])
  return { status: 200, origin: 'public', body }
}
