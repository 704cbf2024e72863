import { typeAndName } from '../../urn/resource.ts'
import type { HostRegion } from '../model/exchange.ts'
import type { Digest } from '../model/ports.ts'
import type { GroupRecord, InventoryRecord, PolicyRecord } from '../model/records.ts'
import type { State } from '../model/state.ts'
import { groupDocument, isForeign, policyDocument } from '../model/worlds.ts'

/** The answers about policies, groups and resources, in the shapes of the public descriptions of the same interface. */

type Body = Readonly<Record<string, unknown>>

/** The id of a resource: the same for the same URN, in UUID form. The inventory names resources by URN alone. */
export function resourceId(digest: Digest, urn: string): string {
  const hex = digest.sha1(`resource ${urn}`)
  const variant = ((Number.parseInt(hex[16] as string, 16) & 3) | 8).toString(16)
  return [hex.slice(0, 8), hex.slice(8, 12), `5${hex.slice(13, 16)}`, variant + hex.slice(17, 20), hex.slice(20, 32)].join('-')
}

function resourceParts(digest: Digest, urn: string) {
  const { type, name } = typeAndName(urn)
  return { id: resourceId(digest, urn), name, displayName: name, type }
}

/** A resource of the inventory. Tags that are not described are left out: `{}` would say that there are none. */
export function resourceBody(digest: Digest, { urn, owner, tags }: InventoryRecord, account: string): Body {
  return { urn, ...resourceParts(digest, urn), owner: owner ?? account, ...(tags && { tags }) }
}

/** A policy as it is listed. `details`: each resource with its known facts (null where the entry matches many, or none that is known). */
export function policyBody(policy: PolicyRecord, state: State, digest: Digest, details: boolean): Body {
  const document = policyDocument(policy)
  const body = { ...document, permissionsGroups: document.permissionsGroups ?? [] }
  if (!details) return body
  const resources = (document.resources as readonly { readonly urn: string }[]).map(({ urn }) => {
    // A policy may name what another account has, and sees no more of it.
    const group = ours(state.table('resourceGroup').get(urn), ({ account }) => account === null || account === policy.account)
    const resource = ours(state.table('inventory').get(urn), (each) => !isForeign(state, each, policy.account))
    return {
      urn,
      resource: resource
        ? { ...resourceParts(digest, urn), owner: resource.owner ?? policy.account, ...(resource.tags && { tags: resource.tags }) }
        : null,
      group: group ? { id: group.id, name: group.written.name, readOnly: group.readOnly } : null,
    }
  })
  return { ...body, resources }
}

function ours<R>(record: R | undefined, isOurs: (record: R) => boolean): R | undefined {
  return record !== undefined && isOurs(record) ? record : undefined
}

/** A permissions group as it is listed. Those that every account has belong to the service, whose name is the brand word. */
export function permissionsGroupBody(group: GroupRecord, brand: string): Body {
  const { readOnly: _, ...body } = groupDocument(group)
  return { ...body, owner: group.account ?? brand }
}

/** A resource group as it is listed; `details`: each member with what is known of it. */
export function resourceGroupBody(group: GroupRecord, digest: Digest, details: boolean): Body {
  const members = (group.written.resources ?? []) as readonly { readonly urn?: string; readonly id?: string }[]
  const resources = members.map(({ urn, id }) =>
    urn === undefined ? { id } : details ? { urn, ...resourceParts(digest, urn) } : { id: resourceId(digest, urn), urn },
  )
  return { ...groupDocument(group), resources }
}

/** The URN of a new group: the region is that of the account. */
export const permissionsGroupUrn = (region: HostRegion, account: string, name: string): string =>
  `urn:v1:${region}:permissionsGroup:${account}:${name}`
export const resourceGroupUrn = (region: HostRegion, id: string): string => `urn:v1:${region}:resourceGroup:${id}`
