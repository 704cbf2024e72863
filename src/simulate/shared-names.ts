import type { World } from '../policy.ts'
import type { Located } from '../source.ts'

/** A URN for every region. */
export const anyRegion = (urn: string): string => urn.replace(/^(urn:v1:)[^:]*/, '$1*')

/** The part of a URN that says its region and its account: all with the same say the same. */
const saying = /^urn:v1:[^:]*:(?:identity:(?:user|group|credential):[^/:]*\/|resource:)/

/** The region and the account that all names in some worlds have, the names of resource groups, and the members of groups. */
export function sharedNames(worlds: readonly World[], isFull: boolean) {
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
  /** Names of a policy, most of which begin as the one before them: those say nothing new. */
  const noteAll = (list: readonly Located<{ readonly text: string }>[]) => {
    let head = ''
    for (const { value } of list) {
      if (head !== '' && value.text.startsWith(head)) continue
      note(value.text)
      head = saying.exec(value.text)?.[0] ?? ''
    }
  }
  for (const { identities, resources, resourceGroups, policies, account } of worlds) {
    for (const [urn, { groups: ownGroups }] of identities) {
      note(urn)
      for (const group of ownGroups) members.set(group, (members.get(group) ?? new Set()).add(urn))
    }
    for (const [urn, { name }] of resourceGroups) if (name !== undefined && !isFull) groups.set(anyRegion(urn), name)
    if (account !== undefined) accounts.add(account)
    for (const urn of resources.keys()) note(urn)
    for (const policy of policies) {
      noteAll(policy.identities)
      noteAll(policy.resources)
    }
  }
  const only = ([first, ...others]: readonly string[]) => (isFull || others.length > 0 ? undefined : first)
  const largestFirst = [...members].map(([group, all]) => [group, [...all]] as const).sort(([, a], [, b]) => b.length - a.length)
  return { region: only([...regions]), account: only([...accounts]), groups, members: largestFirst }
}
