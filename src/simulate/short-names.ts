import { addTo } from '../collections.ts'
import { glob, isPattern, matches } from '../glob.ts'
import { nearest, nearestName } from '../nearest.ts'
import type { World } from '../policy.ts'
import { type IdentityUrn, readIdentity } from '../urn/identity.ts'
import { emptyWorld } from '../world.ts'
import type { Problem } from './decision.ts'

/**
 * Names as users write them in questions: `user/bob`, `bob`, `group/ops`, `vps:web-1`, `web-1`, or the name of a resource group.
 * A short name means the one URN that it fits in a world; whole URNs are left as they are.
 */
export interface ResolvedName {
  /** The URN, or the text as it was where no name fits. */
  readonly text: string
  /** Why no URN can be meant, or which could be. */
  readonly problem?: Problem
}

/** How many candidates are listed where several fit. */
const mostListed = 5

/** The URNs assumed for short names where no world is known, so that nothing is objected to them. */
const anybody = { identity: 'urn:v1:eu:identity:user:x/x', resource: 'urn:v1:eu:resource:x:x' } as const

export class ShortNames {
  readonly world: World | undefined

  private described: ReadonlySet<string> | undefined
  private byName: Readonly<Record<'identity' | 'resource', ReadonlyMap<string, ReadonlySet<string>>>> | undefined

  /** Without a world no short name is judged. */
  constructor(world: World | undefined) {
    this.world = world
  }

  /** The identities that the world describes, or that its policies name. */
  get identities(): ReadonlySet<string> {
    this.described ??= identitiesIn(this.world ?? emptyWorld)
    return this.described
  }

  /** One identity, or with `*` a pattern over identities. */
  identity(text: string): ResolvedName {
    return this.resolved('identity', text)
  }

  /** A group, of which the kind may be left out: `ops`. */
  group(text: string): ResolvedName {
    if (text.startsWith('urn:') || text.startsWith('group/')) return this.identity(text)
    if (!this.world) return { text: 'urn:v1:eu:identity:group:x/x' }
    const names = this.names.identity
    if (names.size === 0 || names.has(`group/${text}`)) return this.identity(`group/${text}`)
    if (names.has(text) || !isWord(text)) return this.identity(text)
    const groups = [...names.keys()].flatMap((name) => /^group\/([^/]*)$/.exec(name)?.[1] ?? [])
    return { text, problem: notNamed('group', text, groups) }
  }

  /** A resource, a pattern over resources, or a resource group. */
  resource(text: string): ResolvedName {
    return this.resolved('resource', text)
  }

  /** The names that mean one URN each, and the URNs: for completion. */
  all(kind: 'identity' | 'resource'): ReadonlySet<string> {
    const names = new Set<string>()
    for (const [name, urns] of this.names[kind]) {
      for (const urn of urns) names.add(urn)
      if (urns.size === 1) names.add(name)
    }
    return names
  }

  private resolved(kind: 'identity' | 'resource', text: string): ResolvedName {
    if (text.startsWith('urn:') || text === '') return { text }
    if (!this.world) return { text: anybody[kind] }
    const names = this.names[kind]
    const urns = [...(names.get(text) ?? [])].sort()
    if (urns.length === 1) return { text: urns[0] as string }
    if (urns.length > 0) {
      const more = urns.length - mostListed
      const listed = urns.slice(0, mostListed).map((urn) => `\`${typedName(urn, names)}\``)
      return {
        text,
        problem: {
          message: `${kind} \`${text}\` may be any of ${urns.length}: ${listed.join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
          help: 'write one of these, or the whole URN',
        },
      }
    }
    // A string that cannot be a short name is judged by the grammar of URNs.
    if (!isWord(text)) {
      const isNear = /^[^"'`<>{}]*$/.test(text) && nearestName(text, names.keys()) !== undefined
      return isNear ? { text, problem: notNamed(kind, text, names.keys()) } : { text }
    }
    if (names.size === 0) return { text, problem: this.nothing(kind, text) }
    if (text.includes('*')) return this.pattern(kind, text)
    if (kind === 'resource' && [...names.keys()].some((name) => name.startsWith(`${text}:`)))
      return {
        text,
        problem: { message: `\`${text}\` is a resource type, not a resource`, help: `every resource of the type: \`${text}:*\`` },
      }
    return { text, problem: notNamed(kind, text, names.keys()) }
  }

  /**
   * A pattern without the head that names share: `user/*`, `vps:*`. With several regions, accounts or kinds it means the one in
   * which it matches something.
   */
  private pattern(kind: 'identity' | 'resource', text: string): ResolvedName {
    const all = [...new Set([...this.names[kind].values()].flatMap((urns) => [...urns]))].filter((urn) => urn.split(':')[3] === kind)
    const patterns = [...new Set(all.flatMap((urn) => patternsLike(urn, text)))].sort()
    const matching = patterns.filter((pattern) => {
      const compared = glob(pattern)
      return all.some((urn) => matches(compared, urn))
    })
    const [one, ...others] = matching.length > 0 ? matching : patterns
    if (one === undefined) return { text, problem: this.nothing(kind, text) }
    if (others.length === 0) return { text: one }
    const heads = [one, ...others].map((pattern) => pattern.split(':'))
    const regions = [...new Set(heads.map(([, , region]) => region))]
    const where = regions.length > 1 ? `in the regions ${regions.join(' and ')}` : 'of several accounts or kinds'
    return {
      text,
      problem: {
        message: `${kind} pattern \`${text}\` ${matching.length > 0 ? 'matches' : 'may mean'} ${plural[kind]} ${where}`,
        help: `write one of them: ${[one, ...others.slice(0, mostListed - 1)].map((pattern) => `\`${pattern}\``).join(', ')}`,
      },
    }
  }

  /** Why no short name can be read where nothing is described, and the URN to write instead. */
  private nothing(kind: 'identity' | 'resource', text: string): Problem {
    const { policies = [], account = '<account_id>' } = this.world ?? {}
    const region = policies.flatMap(({ identities, resources }) => [...identities, ...resources])[0]?.value.text.split(':')[2] ?? 'eu'
    const [, of = 'user', name] = /^(?:(user|group|credential)\/)?(?:.*\/)?(.*)$/.exec(text) ?? []
    const urn =
      kind === 'identity'
        ? `urn:v1:${region}:identity:${of}:${account}/${name}`
        : `urn:v1:${region}:resource:${text.includes(':') ? text : `<type>:${text}`}`
    return {
      message: `${kind} \`${text}\` is a short name, and no ${kind} that it could stand for is described or named in a policy`,
      help: `write the URN, such as \`${urn}\`, or describe the ${plural[kind]} in a world file`,
    }
  }

  /** URNs by each of their short names. */
  private get names() {
    const world = this.world ?? emptyWorld
    this.byName ??= { identity: identityNames(world, this.identities), resource: resourceNames(world) }
    return this.byName
  }
}

const isWord = (text: string) => !/[\s"'`<>{}]/.test(text)

function notNamed(kind: 'identity' | 'group' | 'resource', text: string, names: Iterable<string>): Problem {
  const suggestion = nearestName(text, names)
  // With a type or kind it may be a name that nothing describes.
  const otherwise = /[:/]/.test(text) ? ' Otherwise write the whole URN' : ''
  return {
    message: `${kind} \`${text}\` is neither a URN nor the name of ${kind === 'identity' ? 'an' : 'a'} ${kind} in the policies or world files`,
    help: suggestion === undefined ? 'write the whole URN' : `did you mean \`${suggestion}\`?${otherwise}`,
  }
}

const plural = { identity: 'identities', resource: 'resources' } as const

/** The possible patterns for a short one in the region, and for identities in the account, of a URN. */
function patternsLike(urn: string, text: string): readonly string[] {
  const region = urn.split(':')[2]
  if (urn.split(':')[3] === 'resource') return [`urn:v1:${region}:resource:${text}`]
  const { account = '' } = readIdentity(urn, { pattern: false }).value ?? {}
  const [, of, name] = /^(user|group|credential)\/(.*)$/.exec(text) ?? []
  const kinds = of === undefined ? (['user', 'group', 'credential'] as const) : [of]
  // As short names of several accounts do, a pattern may name the account.
  const id = name?.startsWith(`${account}/`) ? name : `${account}/${name ?? text}`
  return kinds.map((each) => `urn:v1:${region}:identity:${each}:${id}`)
}

/** The shortest unambiguous name of a URN with a type or kind; the URN where there is none. */
function typedName(urn: string, names: ReadonlyMap<string, ReadonlySet<string>>): string {
  const own = [...names].flatMap(([name, urns]) => (urns.size === 1 && urns.has(urn) && /[:/]/.test(name) ? [name] : []))
  return own.sort((a, b) => a.length - b.length)[0] ?? urn
}

function put(names: Map<string, Set<string>>, name: string, urn: string): void {
  addTo(names, name, urn)
}

function identitiesIn({ identities, policies }: World): ReadonlySet<string> {
  const urns = new Set<string>()
  for (const [urn, { groups }] of identities) {
    urns.add(urn)
    for (const group of groups) urns.add(group)
  }
  for (const policy of policies) for (const { value } of policy.identities) if (!isPattern(value.glob)) urns.add(value.text)
  return urns
}

function identityNames({ account }: World, described: ReadonlySet<string>): ReadonlyMap<string, ReadonlySet<string>> {
  const urns = new Set(described)
  // The owning account counts where it is known, named or not.
  const [some] = urns
  if (account !== undefined && some !== undefined) urns.add(`urn:v1:${some.split(':')[2]}:identity:account:${account}`)
  const names = new Map<string, Set<string>>()
  for (const urn of urns) {
    const read = readIdentity(urn, { pattern: false }).value
    if (!read) continue
    const { kind, name, account: of = '' } = read
    if (kind === 'account') {
      put(names, `account/${of}`, urn)
      if (account === undefined || account === of) put(names, 'account', urn)
      continue
    }
    put(names, `${kind}/${of}/${name}`, urn)
    put(names, `${kind}/${name}`, urn)
    put(names, name, urn)
  }
  return names
}

function resourceNames({ resources, resourceGroups, policies }: World): ReadonlyMap<string, ReadonlySet<string>> {
  const urns = new Set<string>(resources.keys())
  const names = new Map<string, Set<string>>()
  for (const [urn, { name, members }] of resourceGroups) {
    if (name !== undefined) put(names, name, urn)
    for (const member of members) urns.add(member)
  }
  for (const policy of policies)
    for (const { value } of policy.resources) if (value.kind === 'resource' && !isPattern(value.glob)) urns.add(value.text)
  for (const urn of urns) {
    const rest = urn.split(':').slice(4)
    put(names, rest.join(':'), urn)
    put(names, rest.slice(1).join(':'), urn)
  }
  return names
}

/** The identity probably intended: of another name or account, or of the same name and another kind. */
export function nearestIdentity(asked: IdentityUrn, urns: ReadonlySet<string>): IdentityUrn | undefined {
  const { kind, account, name, region } = asked
  if (isPattern(asked.glob)) return undefined
  const all = [...urns].flatMap((urn) => readIdentity(urn, { pattern: false }).value ?? [])
  const sameKind = all.filter((each) => each.kind === kind)
  const ofAccount = sameKind.filter((each) => each.account === account)
  const nearestIn = (some: readonly IdentityUrn[], part: 'name' | 'account') => {
    const closest = nearest(
      asked[part] ?? '',
      some.map((each) => each[part] ?? ''),
    )
    return closest === undefined ? undefined : some.find((each) => (each[part] ?? '') === closest)
  }
  const [ofRegion, ofName] = [ofAccount.filter((each) => each.region === region), sameKind.filter((each) => each.name === name)]
  return (
    ofAccount.find((each) => each.name === name) ??
    nearestIn(ofRegion, 'name') ??
    nearestIn(ofName, 'account') ??
    all.find((each) => each.account === account && each.name === name && name !== '')
  )
}
