import { glob, matches } from '../../glob.ts'
import type { Fact } from '../../simulate/decision.ts'
import { asDescribed } from '../../symbolic/what.ts'
import { readResourcePattern, typeAndName } from '../../urn/resource.ts'
import { contextOf } from '../auth/rights.ts'
import { badRequest, failure, notShown, quote, undecidedReply } from '../model/errors.ts'
import type { Reply } from '../model/exchange.ts'
import type { InventoryRecord } from '../model/records.ts'
import { isForeign } from '../model/worlds.ts'
import { isOwnAccount, missingRecord } from './iam-common.ts'
import { resourceBody } from './iam-shapes.ts'
import { listReply } from './pagination.ts'
import { type Handler, judgedRoutes, type RouteContext, type ServiceRoute } from './route.ts'
import { type FieldRule, readSmallBody } from './small-body.ts'

/** The inventory and its tags. All of it is public facts, but for who sees what: that is inferred. */
export const resourceRoutes: readonly ServiceRoute[] = judgedRoutes({
  'GET /v2/iam/resource': list,
  'GET /v2/iam/resource/{resourceURN}': read,
  'PUT /v2/iam/resource/{resourceURN}': ofOwn(replaceTags),
  'POST /v2/iam/resource/{resourceURN}/tag': ofOwn(addTag),
  'DELETE /v2/iam/resource/{resourceURN}/tag/{key}': ofOwn(removeTag),
})

/** Whether the caller may see a resource; where that is unknown, the facts that it depends on. */
type Sight = { readonly verdict: 'allow' | 'deny' } | { readonly verdict: 'unknown'; readonly missing: readonly Fact[] }

/** A resource is visible to identities that may act on it, and to the account that owns it. */
function sightOf({ service, caller, request }: RouteContext): (resource: InventoryRecord) => Sight {
  const { world } = service.worldOf(caller.account)
  const asked = { identity: caller.identity, ...contextOf(service, request) }
  return ({ urn }) => {
    const rows = asDescribed(world, asked, glob(urn)).what
    if (rows.some(({ verdict }) => verdict === 'allow')) return { verdict: 'allow' }
    return rows.length === 0 ? { verdict: 'deny' } : { verdict: 'unknown', missing: rows.flatMap(({ missing }) => missing) }
  }
}

function bodyOf({ service, caller }: RouteContext, resource: InventoryRecord) {
  return resourceBody(service.ports.digest, resource, caller.account)
}

function list(context: RouteContext): Reply {
  const { service, caller, request } = context
  const { query } = request
  for (const name of query.keys())
    if (/^tags\b/.test(name)) return notShown('how a filter on tags is written in a query is not known: filter the answer instead')
  const [name, type, pattern] = ['resourceName', 'resourceType', 'resourceURN'].map((each) => query.get(each))
  const read = pattern === undefined ? undefined : readResourcePattern(pattern)
  if (read?.faults) return badRequest(`query parameter \`resourceURN\`: ${quote(pattern ?? '')}: ${read.faults[0]?.message}`)
  const sight = sightOf(context)
  return listReply(context, {
    list: 'resource',
    records: service.state.table('inventory').behind,
    keyOf: ({ urn }) => urn,
    bodyOf: (resource) => bodyOf(context, resource),
    isShown: (resource) => {
      if (isForeign(service.state, resource, caller.account)) return false
      const parts = typeAndName(resource.urn)
      if (name !== undefined && parts.name !== name) return false
      if (type !== undefined && parts.type !== type) return false
      if (read?.value && !matches(read.value.glob, resource.urn)) return false
      const { verdict } = sight(resource)
      return verdict === 'unknown' ? verdict : verdict === 'allow'
    },
    origin: 'inferred',
  })
}

function read(context: RouteContext): Reply {
  const resource = found(context)
  const sight = resource ? sightOf(context)(resource) : undefined
  if (sight?.verdict === 'unknown') return undecidedReply(sight.missing)
  if (!resource || sight?.verdict !== 'allow') return unknownResource(context)
  return { status: 200, origin: 'public', body: bodyOf(context, resource) }
}

function found({ service, params, caller }: RouteContext): InventoryRecord | undefined {
  const resource = service.state.table('inventory').get(params.resourceURN ?? '')
  return resource && !isForeign(service.state, resource, caller.account) ? resource : undefined
}

function unknownResource({ params }: RouteContext): Reply {
  return missingRecord('resource', params.resourceURN ?? '')
}

/** 501: a fact about a resource is not in the seed. */
function unspecified(message: string, fact: string): Reply {
  return failure(501, 'StandIn::Unknown', message, { missing: [fact] }, 'stand-in')
}

/** A handler for changes: only of a resource that the caller's account owns. With one account, the owner need not be specified. */
function ofOwn(answer: (context: RouteContext, resource: InventoryRecord) => Reply): Handler {
  return (context) => {
    const resource = found(context)
    if (!resource || !isOwnAccount(context, { account: resource.owner })) return unknownResource(context)
    const { urn, owner } = resource
    // It may be another account's, whose decisions rest on its tags.
    if (owner === null && context.service.state.table('account').size > 1)
      return unspecified(`which of the accounts owns ${quote(urn)} is not specified: add \`owner\` to the seed`, `owner of ${urn}`)
    return answer(context, resource)
  }
}

/** How long keys and values of tags may be (public). They may be any text. */
export const tagLimits = { key: 128, value: 256 } as const

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
  const changed = withTags(context, resource, [...computed, ...Object.entries(value.map('tags'))])
  return { status: 200, origin: 'public', body: bodyOf(context, changed) }
}

function addTag(context: RouteContext, resource: InventoryRecord): Reply {
  const { value, refusal } = readSmallBody(context.tree, {
    key: { kind: 'text', required: true, fault: (key) => keyFault(context, key) },
    value: { kind: 'text', required: true, fault: valueFault },
  })
  if (refusal) return refusal
  if (!resource.tags) return unknownTags(resource)
  withTags(context, resource, new Map([...Object.entries(resource.tags), [value.text('key'), value.text('value')]]))
  return { status: 200, origin: 'public', body: {} }
}

/** The answer is the same where there is no such tag (public). */
function removeTag(context: RouteContext, resource: InventoryRecord): Reply {
  const key = context.params.key ?? ''
  const fault = keyFault(context, key)
  if (fault) return badRequest(fault.message)
  if (!resource.tags) return unknownTags(resource)
  if (Object.hasOwn(resource.tags, key))
    withTags(
      context,
      resource,
      Object.entries(resource.tags).filter(([name]) => name !== key),
    )
  return { status: 204, origin: 'public' }
}

/** One tag more or less says nothing about the others: to store it alone would say that there are none. */
function unknownTags({ urn }: InventoryRecord): Reply {
  const message = `which tags ${quote(urn)} has is not specified: add them to the seed (\`tags: {}\` for none), or replace them all`
  return unspecified(message, `resource.Tag of ${urn}`)
}

function withTags({ service }: RouteContext, resource: InventoryRecord, tags: Iterable<readonly [string, string]>): InventoryRecord {
  const changed = { ...resource, tags: Object.fromEntries(tags) }
  service.state.commit([{ kind: 'inventory', key: resource.urn, value: changed }])
  return changed
}
