import { isPattern, matches } from '../glob.ts'
import { keyOf } from '../keys.ts'
import { nearest, nearestName } from '../nearest.ts'
import type { Identity, Policy, Resource, World } from '../policy.ts'
import { type Located, sourceOf } from '../source.ts'
import { readIdentity, readIdentityGroup } from '../urn/identity.ts'
import type { Problem } from './decision.ts'
import { ShortNames } from './short-names.ts'

/** Hypothetical changes of a world, so that a question about it needs no edited files. Plain data: it is sent to other threads as it is. */
export interface Changes {
  /** Policies that are taken out, by their names or by what a tool calls them (`svc_iam_policy.ops`). */
  readonly without: readonly string[]
  /** The paths of the sources that were added: none of their policies is taken out. */
  readonly added: readonly string[]
  readonly members: readonly {
    readonly identity: string
    /** The groups that it is supposed to be in, and not to be in. */
    readonly joins: readonly string[]
    readonly leaves: readonly string[]
  }[]
  readonly tags: readonly {
    readonly resource: string
    readonly key: string
    /** null: the resource has no such tag. */
    readonly value: string | null
  }[]
}

/** One change, as it was carried out. */
export type Step =
  | { readonly kind: 'without'; readonly policy: Policy }
  /** `wasSo`: it changes nothing. */
  | {
      readonly kind: 'joins' | 'leaves'
      readonly identity: string
      readonly group: string
      readonly wasSo: boolean
    }
  /** `before`: undefined where no tags of the resource were described, null where it had no such tag. */
  | {
      readonly kind: 'tag'
      readonly resource: string
      readonly key: string
      readonly value: string | null
      readonly before: string | null | undefined
    }

export interface Supposed {
  readonly world: World
  readonly steps: readonly Step[]
  /** Names that match nothing in the world. What they belong to is not carried out. */
  readonly problems: readonly Problem[]
}

/** The world with changes: as if the files had been edited. `short`: the short names in it. */
export function supposed(world: World, changes: Changes, short = new ShortNames(world)): Supposed {
  const { without, members, tags } = changes
  const steps: Step[] = []
  const problems: Problem[] = []
  if (without.length + members.length + tags.length === 0) return { world, steps, problems }
  const policies = withoutPolicies(world, changes, steps, problems)
  const identities = new Map(world.identities)
  const resources = new Map(world.resources)
  if (members.length + tags.length > 0) {
    const names = namesIn(world, short)
    moveMembers(world, names, members, identities, steps, problems)
    putTags(names, tags, resources, steps, problems)
  }
  return { world: { ...world, policies, identities, resources }, steps, problems }
}

function withoutPolicies({ policies }: World, { without, added }: Changes, steps: Step[], problems: Problem[]): readonly Policy[] {
  const ownPolicies = policies.filter(({ span }) => !added.includes(span.source.path))
  const removed = new Set<Policy>()
  for (const name of without) {
    const named = ownPolicies.filter((policy) => policy.name.value === name || policy.address === name)
    for (const policy of named) {
      if (!removed.has(policy)) steps.push({ kind: 'without', policy })
      removed.add(policy)
    }
    if (named.length > 0) continue
    const names = ownPolicies.flatMap((policy) => [policy.name.value, ...(policy.address === undefined ? [] : [policy.address])])
    problems.push({ message: `--without \`${name}\`: no policy has this name`, ...didYouMean(nearestName(name, names)) })
  }
  return policies.filter((policy) => !removed.has(policy))
}

function moveMembers(
  world: World,
  names: Names,
  members: Changes['members'],
  identities: Map<string, Identity>,
  steps: Step[],
  problems: Problem[],
): void {
  const moves = new Map<string, 'joins' | 'leaves'>()
  for (const { identity, joins, leaves } of members) {
    const urn = knownUrn('--member', 'identity', identity, names, problems)
    if (urn === undefined) continue
    const described = identities.get(urn)
    const ownGroups = new Set(described?.groups)
    for (const [kind, list] of [['joins', joins] as const, ['leaves', leaves] as const]) {
      for (const each of list) {
        const group = groupNamed(each, names, world, problems)
        if (group === undefined) continue
        const key = keyOf(urn, group)
        if ((moves.get(key) ?? kind) !== kind) {
          problems.push({
            message: `--member: \`${urn}\` is supposed both to join \`${group}\` and to leave it`,
            help: 'give one of the two',
          })
          continue
        }
        moves.set(key, kind)
        steps.push({ kind, identity: urn, group, wasSo: ownGroups.has(group) === (kind === 'joins') })
        if (kind === 'joins') ownGroups.add(group)
        else ownGroups.delete(group)
      }
    }
    identities.set(urn, { urn: described?.urn ?? onCommandLine(urn), groups: [...ownGroups] })
  }
}

/** A group that has a member, or that a policy names; also one that only a pattern of a policy covers. */
function groupNamed(text: string, names: Names, { policies }: World, problems: Problem[]): string | undefined {
  const isGroup = readIdentityGroup(text).value !== undefined
  if (isGroup && policies.some((policy) => policy.identities.some(({ value }) => matches(value.glob, text)))) return text
  return knownUrn('--member', 'group', text, names, problems)
}

function putTags(names: Names, tags: Changes['tags'], resources: Map<string, Resource>, steps: Step[], problems: Problem[]): void {
  const givenTags = new Map<string, string | null>()
  for (const { resource, key, value } of tags) {
    const urn = knownUrn('--assume-tag', 'resource', resource, names, problems)
    if (urn === undefined) continue
    const other = givenTags.get(keyOf(urn, key))
    if (other !== undefined && other !== value) {
      problems.push({ message: `--assume-tag: \`${urn}\` is supposed to have both ${tagText(key, other)} and ${tagText(key, value)}` })
      continue
    }
    givenTags.set(keyOf(urn, key), value)
    const described = resources.get(urn)
    const tagged = described?.tags
    if (tagged && value === null && !tagged.has(key)) {
      problems.push({
        message: `--assume-tag \`${resource}\`: it has no tag \`${key}\``,
        ...didYouMean(nearest(key, tagged.keys())),
      })
      continue
    }
    const ownTags = new Map(tagged)
    if (value === null) ownTags.delete(key)
    else ownTags.set(key, value)
    steps.push({ kind: 'tag', resource: urn, key, value, before: tagged && (tagged.get(key) ?? null) })
    const { mentioned: _, ...rest } = described ?? { urn: onCommandLine(urn) }
    resources.set(urn, { ...rest, tags: ownTags })
  }
}

function tagText(key: string, value: string | null): string {
  return value === null ? `no tag \`${key}\`` : `the tag \`${key}=${value}\``
}

/** The URN of a name, which has to be a known one. Undefined, with the problem, where it is not. */
function knownUrn(
  option: string,
  kind: 'identity' | 'group' | 'resource',
  name: string,
  names: Names,
  problems: Problem[],
): string | undefined {
  const { text, problem } = names.short[kind](name)
  if (problem) {
    problems.push({ ...problem, message: `${option}: ${problem.message}` })
    return undefined
  }
  if (names[kind].has(text)) return text
  const article = kind === 'identity' ? 'no user or service account' : `no ${kind}`
  const message = `${option}: ${article} \`${text}\` is described, or named by a policy`
  if (kind === 'identity' && names.group.has(text)) {
    problems.push({ message, help: 'only users and service accounts are members of groups' })
    return undefined
  }
  // Whole URNs share most of their letters: what differs is compared.
  const tails = new Map([...names[kind]].map((urn) => [tailOf(urn), urn]))
  const suggestion = nearest(tailOf(text), tails.keys())
  problems.push({ message, ...(suggestion !== undefined && { help: `did you mean \`${tails.get(suggestion)}\`?` }) })
  return undefined
}

const tailOf = (urn: string) => urn.slice(Math.max(urn.lastIndexOf('/'), urn.lastIndexOf(':')) + 1)

function didYouMean(near: string | undefined): Pick<Problem, 'help'> {
  return near === undefined ? {} : { help: `did you mean \`${near}\`?` }
}

/** The described names, and those that a policy names by a whole URN. */
interface Names {
  readonly short: ShortNames
  /** Users and service accounts. */
  readonly identity: ReadonlySet<string>
  readonly group: ReadonlySet<string>
  readonly resource: ReadonlySet<string>
}

function namesIn(world: World, short: ShortNames): Names {
  const { identities, policies, resources, resourceGroups } = world
  const [identity, group, resource] = [new Set<string>(), new Set<string>(), new Set(resources.keys())]
  // A pattern is of no kind.
  const note = (urn: string) => {
    const { kind } = readIdentity(urn, { pattern: false }).value ?? {}
    if (kind === 'group') group.add(urn)
    else if (kind === 'user' || kind === 'credential') identity.add(urn)
  }
  for (const [urn, { groups }] of identities) for (const each of [urn, ...groups]) note(each)
  for (const { members } of resourceGroups.values()) for (const urn of members) resource.add(urn)
  for (const policy of policies) {
    for (const { value } of policy.identities) note(value.text)
    for (const { value } of policy.resources) if (value.kind === 'resource' && !isPattern(value.glob)) resource.add(value.text)
  }
  return { short, identity, group, resource }
}

function onCommandLine(value: string): Located<string> {
  return { value, span: { source: sourceOf('<command line>', value), start: 0, end: value.length } }
}

/** The world in which every resource has some tags besides its own. */
export function withTags(world: World, tags: ReadonlyMap<string, string> | undefined): World {
  if (!tags) return world
  const resources = new Map<string, Resource>()
  for (const [urn, resource] of world.resources) resources.set(urn, { ...resource, tags: new Map([...(resource.tags ?? []), ...tags]) })
  return { ...world, resources }
}
