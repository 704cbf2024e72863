import { lazy } from '../memo.ts'
import type { World } from '../policy.ts'
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
  private readonly said: () => ReturnType<typeof foundIn>

  /** `isFull`: URNs stay whole. */
  constructor(worlds: readonly World[], isFull = false) {
    this.isFull = isFull
    this.said = lazy(() => foundIn(worlds, isFull))
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
    const left = new Set(urns)
    const out: string[] = []
    for (const [group, members] of this.said().members) {
      if (members.length < fewestMembers || !members.every((urn) => left.has(urn))) continue
      for (const urn of members) left.delete(urn)
      out.push(`${this.identity(group)} (${members.length} members)`)
    }
    return [...out, ...[...left].map((urn) => this.identity(urn))]
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

const anyRegion = (urn: string): string => urn.replace(/^(urn:v1:)[^:]*/, '$1*')

/** The region and the account that all names in some worlds have, the names of resource groups, and the members of groups. */
function foundIn(worlds: readonly World[], isFull: boolean) {
  // By their URNs without the region.
  const groups = new Map<string, string>()
  const members = new Map<string, Set<string>>()
  const [regions, accounts] = [new Set<string>(), new Set<string>()]
  const note = (urn: string) => {
    const [, , region = '', kind, type, ...rest] = urn.split(':')
    if (region !== '*' && region !== '') regions.add(region)
    const id = rest.join(':')
    const owner = type === 'account' ? id : id.split('/')[0]
    if (kind === 'identity' && owner && !owner.includes('*')) accounts.add(owner)
  }
  for (const { identities, resources, resourceGroups, policies, account } of worlds) {
    for (const [urn, { groups: own }] of identities) {
      note(urn)
      for (const group of own) members.set(group, (members.get(group) ?? new Set()).add(urn))
    }
    for (const [urn, { name }] of resourceGroups) if (name !== undefined && !isFull) groups.set(anyRegion(urn), name)
    if (account !== undefined) accounts.add(account)
    for (const urn of resources.keys()) note(urn)
    for (const policy of policies) for (const { value } of [...policy.identities, ...policy.resources]) note(value.text)
  }
  const only = ([first, ...others]: readonly string[]) => (isFull || others.length > 0 ? undefined : first)
  const largestFirst = [...members].map(([group, all]) => [group, [...all]] as const).sort(([, a], [, b]) => b.length - a.length)
  return { region: only([...regions]), account: only([...accounts]), groups, members: largestFirst }
}
