import { lazy } from '../memo.ts'
import type { World } from '../policy.ts'
import { anyRegion, sharedNames } from '../simulate/shared-names.ts'
import { shown } from './safe.ts'

/** The fewest members that are replaced by the name of their group. */
const fewestMembers = 3

/**
 * URNs in their short form. Where a world knows one account and one region, what all names share is left out: `user/alice`,
 * `vps:web-1`. Resource groups go by their names. Machine formats keep the URNs.
 */
export class Names {
  private readonly isFull: boolean
  /** Found when the first name is printed. */
  private readonly said: () => ReturnType<typeof sharedNames>

  /** `isFull`: URNs stay whole. */
  constructor(worlds: readonly World[], isFull = false) {
    this.isFull = isFull
    this.said = lazy(() => sharedNames(worlds, isFull))
  }

  /** An identity, or a pattern over identities: `user/alice`, `group/*`. */
  identity(urn: string): string {
    const rest = this.tail(urn, 'identity')
    if (rest === undefined) return shown(urn)
    const colon = rest.indexOf(':')
    const [kind, id] = [rest.slice(0, colon), rest.slice(colon + 1)]
    if (colon < 0) return shown(urn)
    const { account } = this.said()
    if (id === account) return shown(kind)
    return account !== undefined && id.startsWith(`${account}/`) ? shown(`${kind}/${id.slice(account.length + 1)}`) : shown(urn)
  }

  /** Identities, the described members of a whole group as one: `group/ops (3 members)`. */
  identityGroups(urns: readonly string[]): readonly string[] {
    if (urns.length < fewestMembers) return [...new Set(urns)].map((urn) => this.identity(urn))
    const remaining = new Set(urns)
    const out: string[] = []
    for (const [group, members] of this.said().members) {
      if (members.length < fewestMembers || !members.every((urn) => remaining.has(urn))) continue
      for (const urn of members) remaining.delete(urn)
      out.push(`${this.identity(group)} (${members.length} members)`)
    }
    return [...out, ...[...remaining].map((urn) => this.identity(urn))]
  }

  /** A resource, a pattern over resources, or a resource group. */
  resource(urn: string): string {
    const name = this.said().groups.get(anyRegion(urn))
    if (name !== undefined) return `resource group "${shown(name)}"`
    const rest = this.tail(urn, 'resource')
    return shown(rest === undefined || rest === '*' ? urn : rest)
  }

  /** A resource group as such, by its name or the URN that an entry has: `resource group "web servers"`. */
  resourceGroup(urn: string): string {
    const words = this.resource(urn)
    if (words.startsWith('resource group ')) return words
    return `${urn.endsWith('*') ? 'resource groups' : 'resource group'} \`${words}\``
  }

  /** A permissions group, without its region and owner. */
  permissionsGroup(urn: string): string {
    return this.isFull ? shown(urn) : permissionsGroupName(urn)
  }

  private tail(urn: string, kind: string): string | undefined {
    const { region } = this.said()
    const head = `urn:v1:${region}:${kind}:`
    return region !== undefined && urn.startsWith(head) ? urn.slice(head.length) : undefined
  }
}

/** A permissions group without its region and owner. */
export const permissionsGroupName = (urn: string): string => shown(urn.split(':').slice(5).join(':') || urn)
