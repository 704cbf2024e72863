import { groupedBy, madeIn } from '../collections.ts'
import { type Glob, glob, overlaps } from '../glob.ts'
import { keyOf } from '../keys.ts'
import type { Membership, OpenEntry, OpenFact, Policy } from '../policy.ts'
import type { Span } from '../source.ts'
import { type IdentityUrn, printIdentity, readIdentity } from '../urn/identity.ts'
import { withConfiguredTags } from './configured-tags.ts'
import type { Facts, IdentityFact, Settle } from './policy.ts'
import { noFacts } from './read.ts'

/**
 * Memberships that configurations describe, as facts of a world. A configuration names users and groups without their account: they
 * are of the one that its policies are applied to, which the URNs of identities in these policies name.
 */

/** The region and the account in the URNs of the identities of an account. */
interface Home {
  readonly region: string
  readonly account: string
}

/** The descriptions and names by which accounts are found. */
interface Written {
  readonly policies: readonly Policy[]
  readonly memberships: readonly Membership[]
  /** The URNs of described identities. */
  readonly identities: readonly string[]
  /** The owners that worlds name. */
  readonly accounts: readonly string[]
}

/** The account that something is applied to; undefined where nothing says which one it is. */
type HomeOf = (applied: OpenFact | undefined) => Home | undefined

/** Finds the accounts by the providers: each is that of the users, groups and service accounts that its policies name. */
function homesIn({ policies, memberships, identities, accounts }: Written): HomeOf {
  const byProvider = new Map<string, Map<string, Home>>()
  const regions = new Set<string>()
  const note = (provider: string, { kind, region, account }: IdentityUrn) => {
    if (region.includes('*') || region === '') return
    if (kind !== 'account' && account !== undefined)
      madeIn(byProvider, provider, () => new Map<string, Home>()).set(keyOf(region, account), { region, account })
    regions.add(region)
  }
  for (const policy of policies) {
    for (const { value } of policy.identities) note(providerKey(policy.account), value)
    for (const { value } of policy.resources) if (value.region !== '' && !value.region.includes('*')) regions.add(value.region)
  }
  for (const urn of identities) {
    const { value } = readIdentity(urn, { pattern: false })
    if (value) note('', value)
  }
  const [owner, ...otherOwners] = new Set(accounts)
  const [region, ...otherRegions] = regions
  const all = new Map([...byProvider.values()].flatMap((each) => [...each]))
  const isSeveral = hasSeveralProviders([...policies, ...memberships].flatMap(({ account }) => account ?? []))
  return (applied) => {
    const candidates = byProvider.get(providerKey(applied)) ?? (isSeveral ? none : all)
    const [first, ...others] = candidates.values()
    if (otherOwners.length > 0 || others.length > 0) return undefined
    if (first) return owner === undefined || owner === first.account ? first : undefined
    return owner === undefined || region === undefined || otherRegions.length > 0 || isSeveral ? undefined : { region, account: owner }
  }
}

const none: ReadonlyMap<string, Home> = new Map()

function providerKey(applied: OpenFact | undefined): string {
  return applied ? keyOf(applied.scope, applied.id ?? applied.fact) : ''
}

/** Whether one configuration is applied with several providers, each of which may be of another account. */
function hasSeveralProviders(providers: readonly OpenFact[]): boolean {
  const byScope = groupedBy(providers, ({ scope }) => scope)
  return [...byScope.values()].some((each) => new Set(each.map(providerKey)).size > 1)
}

/** The only string of a name; undefined where a part of it is not known. */
function onlyPiece(pieces: readonly string[]): string | undefined {
  return pieces.length === 1 ? pieces[0] : undefined
}

function urnIn({ region, account }: Home, kind: 'user' | 'group', name: string): IdentityUrn | undefined {
  return readIdentity(printIdentity({ region, kind, account, name }), { pattern: false }).value
}

/** The account that a user is of: that of the user's URN, if it is known. */
function homeOfMember({ urn, account }: Membership, homeOf: HomeOf): Home | undefined {
  const noted = urn === undefined ? undefined : readIdentity(urn, { pattern: false }).value
  return noted?.account === undefined ? homeOf(account) : { region: noted.region, account: noted.account }
}

/** A membership that certainly holds, by the URNs of its user and its group; undefined where something of it is not known. */
function certain(membership: Membership, homeOf: HomeOf) {
  const { login, group, perhaps } = membership
  const home = homeOfMember(membership, homeOf)
  const [loginName, groupName] = [onlyPiece(login), group && onlyPiece(group)]
  if (!home || perhaps.length > 0 || loginName === undefined) return undefined
  const user = urnIn(home, 'user', loginName)
  if (!user || group === undefined) return user && { user: user.text, group: undefined }
  const urn = groupName === undefined ? undefined : urnIn(home, 'group', groupName)
  return urn && { user: user.text, group: urn.text }
}

/**
 * Sources with what follows from the memberships and tags in them: users with their groups as described identities, policies about groups with
 * an entry for each user who may be a member, and the URNs of users and groups in the place of references to them. `all`: what is
 * compared, which says of which account each configuration is.
 */
export const settled: Settle = (unsettled, all) => {
  const parts = withConfiguredTags(unsettled, policiesIn(all))
  const memberships = membershipsIn(parts)
  if (memberships.length === 0 && !policiesIn(parts).some(({ open = [] }) => open.some(({ isOwn }) => isOwn))) return parts
  const homeOf = homesIn({
    policies: policiesIn(all),
    memberships: membershipsIn(all),
    identities: [
      ...all.flatMap(({ identities }) => identities.map(({ urn }) => urn.value)),
      ...membershipsIn(all).flatMap(({ urn }) => urn ?? []),
    ],
    accounts: all.flatMap(({ accounts }) => accounts.map(({ value }) => value)),
  })
  const uncertain = uncertainIn(memberships, homeOf)
  const settledParts = parts.map((part) => ({ ...part, policies: part.policies.map((policy) => withMembers(policy, uncertain, homeOf)) }))
  return [...settledParts, { ...noFacts, identities: describedMembers(memberships, parts, homeOf) }]
}

function policiesIn(parts: readonly Facts[]): readonly Policy[] {
  return parts.flatMap(({ policies }) => policies)
}

function membershipsIn(parts: readonly Facts[]): readonly Membership[] {
  return parts.flatMap(({ memberships = [] }) => memberships)
}

/**
 * The users whose account is known, with the groups that they are certainly in; none who is described elsewhere with these groups and
 * perhaps others.
 */
function describedMembers(memberships: readonly Membership[], parts: readonly Facts[], homeOf: HomeOf): readonly IdentityFact[] {
  const listed = new Map(
    parts.flatMap(({ identities }) =>
      identities.flatMap(({ urn, groups, hasNoList }) => (hasNoList ? [] : [[urn.value, groups] as const])),
    ),
  )
  const byUser = new Map<string, Described[]>()
  for (const membership of memberships) {
    const { user, group } = certain(membership, homeOf) ?? {}
    if (user === undefined) continue
    madeIn(byUser, user, (): Described[] => []).push({ membership, group })
  }
  return [...byUser].flatMap(([user, all]) => {
    const contradicting = contradictingAmong(all)
    return (contradicting.length > 0 ? contradicting : [all]).flatMap((described) => {
      const places = new Map<string, Span>()
      for (const { membership, group } of described) if (group !== undefined && !places.has(group)) places.set(group, membership.span)
      const groups = [...places.keys()]
      const isListed = listed.has(user) && groups.every((group) => listed.get(user)?.includes(group))
      const span = (described[0] as Described).membership.span
      const [place = span] = places.values()
      return isListed ? [] : [{ urn: { value: user, span: place }, groups, places, span }]
    })
  })
}

/** A membership of a user who is known, with the URN of the group. */
interface Described {
  readonly membership: Membership
  readonly group: string | undefined
}

/** The descriptions of one user by several resources, if they name different groups: the service has only one of these users. */
function contradictingAmong(all: readonly Described[]): readonly (readonly Described[])[] {
  const users = new Set(all.flatMap(({ membership, group }) => (group === undefined ? [resourceKey(membership)] : [])))
  const byResource = groupedBy(all, ({ membership }) => resourceKey(membership))
  const each = [...byResource].flatMap(([key, described]) => (users.has(key) ? [described] : []))
  const groupsOf = (described: readonly Described[]) => keyOf(...[...new Set(described.map(({ group }) => group ?? ''))].sort())
  return new Set(each.map(groupsOf)).size > 1 ? each : []
}

/** A resource, by its account and its address. */
function resourceKey({ account, address }: Membership): string {
  return keyOf(providerKey(account), address)
}

/** References to users and groups of the configuration: only the account, and perhaps the name, is missing. */
const ownIdentity = /^urn:v1:\*:identity:(user|group):\*\/(.*)$/s

/**
 * A policy whose references to users and groups are their URNs where the account is known, with an entry for each membership of a
 * group that it names which may hold.
 */
function withMembers(policy: Policy, uncertain: readonly Uncertain[], homeOf: HomeOf): Policy {
  const home = homeOf(policy.account)
  const identities = [...policy.identities]
  const open: OpenEntry[] = []
  for (const entry of policy.open ?? []) {
    const [, kind, name = ''] = (entry.list === 'identities' && entry.isOwn && ownIdentity.exec(entry.bound.text)) || []
    const urn = home && kind !== undefined && !name.includes('*') ? urnIn(home, kind as 'user' | 'group', name) : undefined
    if (urn) identities.push({ value: urn, span: entry.span })
    else if (entry.list !== 'identities' || kind === 'user' || entry.bound.text === '*') open.push(entry)
    else open.push(withPossibleMembers(kind === undefined ? entry : ownGroup(entry, name, home), uncertain))
  }
  const perhaps = identities.flatMap(({ value, span }) =>
    value.kind === 'group' ? uncertain.flatMap((each) => perhapsMember(each, value, span)) : [],
  )
  if (perhaps.length === 0 && !policy.open) return policy
  return { ...policy, identities, open: [...open, ...perhaps] }
}

/** An entry for a group of the configuration, within what is known of it. */
function ownGroup(entry: OpenEntry, name: string, home: Home | undefined): OpenEntry {
  const needsAccount = !home && !name.includes('*')
  const { region, account } = home ?? anywhere
  return { ...entry, bound: glob(`urn:v1:${region}:identity:group:${account}/${name}`), ...(needsAccount && { needsAccount }) }
}

/** An entry that may be a group, with the users that may be in such a group. */
function withPossibleMembers(entry: OpenEntry, uncertain: readonly Uncertain[]): OpenEntry {
  const users = uncertain.flatMap(({ user, group }) => (overlaps(entry.bound, group) ? [user] : []))
  return users.length === 0 ? entry : { ...entry, members: [...new Map(users.map((bound) => [bound.text, bound])).values()] }
}

const anywhere: Home = { region: '*', account: '*' }

/** A membership that may hold, with all URNs that its user and its group may have. */
interface Uncertain {
  readonly membership: Membership
  readonly home: Home | undefined
  readonly user: Glob
  readonly group: Glob
}

function uncertainIn(memberships: readonly Membership[], homeOf: HomeOf): readonly Uncertain[] {
  return memberships.flatMap((membership): readonly Uncertain[] => {
    const { login, group } = membership
    if (group === undefined || certain(membership, homeOf)) return []
    const home = homeOfMember(membership, homeOf)
    return [{ membership, home, user: boundOf(home ?? anywhere, 'user', login), group: boundOf(home ?? anywhere, 'group', group) }]
  })
}

function boundOf({ region, account }: Home, kind: 'user' | 'group', pieces: readonly string[]): Glob {
  return glob(`urn:v1:${region}:identity:${kind}:${account}/${pieces.join('*')}`)
}

/** The entry of a policy about a group for a user who may be in it. */
function perhapsMember({ membership, home, user, group }: Uncertain, entry: IdentityUrn, place: Span): readonly OpenEntry[] {
  if (!overlaps(entry.glob, group)) return []
  const { login, perhaps, account, address, span } = membership
  const needsAccount = perhaps.length === 0 && !home
  const reasons = perhaps.length > 0 ? perhaps.map(({ fact }) => fact) : [account ? `the account of ${account.fact}` : 'the account']
  const fact = `${address} in group/${entry.name || '*'}: ${[...new Set(reasons)].join(', ')}`
  const id = keyOf(entry.text, providerKey(account), ...login, '', ...(membership.group ?? []), ...perhaps.map(providerKey))
  const scope = account?.scope ?? span.source.path
  // Who is in a group is of the account of the group.
  const bound = home || entry.account === undefined ? user : boundOf({ ...anywhere, account: entry.account }, 'user', login)
  return [{ list: 'identities', bound, fact, scope, id, span: place, ...(needsAccount && { needsAccount }) }]
}
