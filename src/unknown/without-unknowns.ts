import { pushTo } from '../collections.ts'
import { covers, type Glob, glob, overlaps } from '../glob.ts'
import type { Condition, ListName, OpenEntry, OpenFact, PermissionSet, PermissionsGroup, Policy } from '../policy.ts'
import { type Located, position, type Span } from '../source.ts'
import { digest, symbolOf } from '../tree.ts'
import type { IdentityUrn } from '../urn/identity.ts'
import type { ResourceUrn } from '../urn/resource.ts'

/**
 * Writes policies with unknown entries as policies with unknown conditions, so that whatever decides or compares policies need
 * not know of such entries. An entry that may be anything within a bound becomes that bound, under the condition that it is so. A
 * policy is split where its lists have such entries; that changes nothing, since one identity and one resource of it suffice.
 * `name`: the names of the conditions; two of the same name have the same truth. `compared`: the policies of all worlds that are
 * compared.
 */
export function withoutUnknowns(
  policies: readonly Policy[],
  groups: ReadonlyMap<string, PermissionsGroup>,
  name: Namer,
  compared: readonly Policy[] = policies,
): { readonly policies: readonly Policy[]; readonly permissionsGroups: ReadonlyMap<string, PermissionsGroup> } {
  const permissionsGroups = new Map([...groups].map(([urn, group]) => [urn, knownPart(group, name)]))
  const knownPolicies = policies.flatMap((policy) => (policy.unread ? [] : policyWithoutUnknowns(policy, groups, name)))
  return { policies: [...knownPolicies, ...unreadPolicies(policies, compared, name)], permissionsGroups }
}

/** How a fact is called in a world; what it is about is part of what it says. */
export type Namer = (fact: OpenFact, about: About) => string

/** The subject of a fact: an entry of a list, a condition, or whether something exists at all. */
type About = OpenEntry['list'] | 'condition' | 'there'

/** Names that are not shown: facts in any policies have the same one exactly when they are the same. */
export const exactNames: Namer = (fact, about) => `${about}\n${symbolIn(fact)}`

/** The different facts that have the same words. */
interface Uses {
  readonly abouts: Set<About>
  readonly scopes: Set<string>
  /** Where what distinguishes them is first written. */
  readonly ids: Map<string, Span>
}

/**
 * A namer that uses the words of a fact, unless the same words mean several facts: in another list, in another scope, or for
 * another instance.
 */
export function factNamer(policies: readonly Policy[], groups: Iterable<PermissionsGroup>): Namer {
  const uses = new Map<string, Uses>()
  const use = ({ fact, scope, id = '', span }: OpenFact, about: About) => {
    const factUse = uses.get(fact) ?? { abouts: new Set(), scopes: new Set(), ids: new Map() }
    uses.set(fact, factUse)
    factUse.abouts.add(about)
    factUse.scopes.add(scope)
    if (!factUse.ids.has(id)) factUse.ids.set(id, span)
  }
  for (const { open = [], perhaps = [], condition, unread } of policies) {
    if (unread) {
      for (const list of ['allow', 'deny'] as const) use(unread, list)
      continue
    }
    for (const entry of open) use(entry, entry.list)
    for (const fact of perhaps) use(fact, 'there')
    for (const leaf of condition ? opaqueLeaves(condition) : []) use(leaf, 'condition')
  }
  for (const { open = [] } of groups) for (const entry of open) use(entry, entry.list)
  return ({ fact, scope, id = '' }, about) => {
    const usesOfFact = uses.get(fact)
    const words = [fact]
    if ((usesOfFact?.abouts.size ?? 0) > 1) words.push(`in ${about}`)
    if ((usesOfFact?.scopes.size ?? 0) > 1) words.push(`of ${scope}`)
    const place = (usesOfFact?.ids.size ?? 0) > 1 ? usesOfFact?.ids.get(id) : undefined
    if (usesOfFact && place) {
      const where = placeWords(place)
      const sameWords = [...usesOfFact.ids].filter(([, span]) => placeWords(span) === where).map(([each]) => each)
      words.push(`at ${where}`, ...(sameWords.length > 1 ? [`(${sameWords.indexOf(id) + 1})`] : []))
    }
    return words.join(' ')
  }
}

function placeWords({ source, start }: Span): string {
  const { line, column } = position(source, start)
  return `${source.path}:${line}:${column}`
}

function opaqueLeaves(condition: Condition): readonly OpenFact[] {
  if (condition.kind === 'match') return []
  if (condition.kind !== 'opaque') return condition.operands.flatMap(opaqueLeaves)
  return condition.scope === undefined ? [] : [factOf(condition.text, condition.scope, condition)]
}

function factOf(fact: string, scope: string, { id, span }: Condition & { readonly kind: 'opaque' }): OpenFact {
  return { fact, scope, ...(id !== undefined && { id }), span }
}

/** A part of a permission set, and the facts under which it counts. */
interface Part {
  readonly set: PermissionSet
  readonly conditions: readonly Condition[]
}

/**
 * A part that was not read may allow anything to anybody, and deny anything. Whether one of several parts does is one fact for
 * each effect, however many they are: apart are only those that all worlds which are compared have, and those that some have.
 */
function unreadPolicies(policies: readonly Policy[], compared: readonly Policy[], name: Namer): readonly Policy[] {
  const parts = new Map<string, Policy & { readonly unread: OpenFact }>()
  for (const policy of policies) if (policy.unread) parts.set(symbolIn(policy.unread), { ...policy, unread: policy.unread })
  if (parts.size === 0) return []
  const counts = new Map<string, number>()
  for (const { unread } of compared) if (unread) counts.set(symbolIn(unread), (counts.get(symbolIn(unread)) ?? 0) + 1)
  const together = new Map<number, (Policy & { readonly unread: OpenFact })[]>()
  for (const [symbol, part] of parts) {
    const count = counts.get(symbol) ?? 0
    pushTo(together, count, part)
  }
  return [...together.values()].flatMap((each) => unreadTogether(each, name))
}

/** So many of the parts that were not read are named where they are one fact. */
const mostNamed = 3

function unreadTogether(parts: readonly (Policy & { readonly unread: OpenFact })[], name: Namer): readonly Policy[] {
  const [first] = parts as readonly [Policy & { readonly unread: OpenFact }]
  const { open: _, perhaps: __, condition: ___, unread: fact, ...policy } = first
  const words = listed(parts.map(({ unread }) => unread.fact))
  return (['allow', 'deny'] as const).map((list) => {
    const entry: OpenEntry = { ...fact, fact: words, list, bound: anything }
    const text = joined(parts.map(({ unread }) => name(unread, list)))
    return {
      ...policy,
      name: { value: words, span: policy.name.span },
      identities: anyIdentity(entry),
      resources: [{ value: anyResource(entry), span: fact.span }],
      permissions: { allow: [], except: [], deny: [], [list]: [located(entry)] },
      permissionsGroups: [],
      condition: { kind: 'opaque' as const, text, isValue: true as const, askers: [{ ...anything, words }], span: fact.span },
    }
  })
}

/** Names as one, which is that of no other names. */
function joined(names: readonly string[]): string {
  const isShort = names.length <= mostNamed
  return isShort ? listed(names) : `${listed(names)} (${digest([...names].sort().join('\n'))})`
}

function listed(names: readonly string[]): string {
  const sorted = [...names].sort()
  if (sorted.length <= mostNamed) return sorted.join(' or ')
  return `${sorted.slice(0, mostNamed - 1).join(' or ')} or ${sorted.length - mostNamed + 1} more`
}

function symbolIn({ fact, scope, id }: OpenFact): string {
  return symbolOf({ expression: fact, scope, ...(id !== undefined && { id }) })
}

function policyWithoutUnknowns(policy: Policy, groups: ReadonlyMap<string, PermissionsGroup>, name: Namer): readonly Policy[] {
  const { open = [], perhaps = [], ...rest } = policy
  const fromGroups = policy.permissionsGroups.flatMap(({ value }) => {
    const group = groups.get(value.text)
    return group?.open ? openParts(group.permissions, group.open, name) : []
  })
  const condition = policy.condition && named(policy.condition, name)
  if (!policy.open && fromGroups.length === 0)
    return [condition === policy.condition ? policy : { ...rest, ...(condition && { condition }) }]

  const there = perhaps.map((fact) => unknown(fact, 'there', name))
  const givenConditions = condition ? [condition, ...there] : there
  const [knownSet, ...others] = setParts(policy.permissions, open, name)
  const sets: readonly (Part & { readonly groups: Policy['permissionsGroups'] })[] = [
    { ...(knownSet as Part), groups: policy.permissionsGroups },
    ...[...others, ...fromGroups].map((part) => ({ ...part, groups: [] })),
  ]
  const sides = identitySides(policy, open, name).flatMap((who) =>
    resourceSides(policy, open, name).map((what) => ({ ...who, ...what, conditions: [...who.conditions, ...what.conditions] })),
  )
  return sides.flatMap(({ identities, resources, conditions }) =>
    identities.length === 0 || resources.length === 0
      ? []
      : sets.map((part): Policy => {
          const all = [...givenConditions, ...conditions, ...part.conditions]
          const { condition: _, ...base } = rest
          return {
            ...base,
            identities,
            resources,
            permissions: part.set,
            permissionsGroups: part.groups,
            ...(all.length > 0 && { condition: conjunction(all, policy.span) }),
          }
        }),
  )
}

function conjunction(all: readonly Condition[], span: Span): Condition {
  return all.length === 1 ? (all[0] as Condition) : { kind: 'and', operands: all, span }
}

function unknown(fact: OpenFact, about: About, name: Namer): Condition & { readonly kind: 'opaque' } {
  const isNamed = about === 'identities' || about === 'resources'
  return { kind: 'opaque', text: name(fact, about), isValue: true, ...(isNamed && { about }), span: fact.span }
}

/** A condition with its unknown parts renamed to their names in the world. */
function named(condition: Condition, name: Namer): Condition {
  if (condition.kind === 'match') return condition
  if (condition.kind !== 'opaque') return { ...condition, operands: condition.operands.map((operand) => named(operand, name)) }
  const { text, scope } = condition
  return scope === undefined ? condition : unknown(factOf(text, scope, condition), 'condition', name)
}

function identitySides({ identities }: Policy, open: readonly OpenEntry[], name: Namer) {
  const knownSide = { identities, conditions: [] as readonly Condition[] }
  return [
    knownSide,
    ...entriesOf(open, 'identities').map((entry) => ({
      identities: anyIdentity(entry),
      conditions: [
        {
          ...unknown(entry, 'identities', name),
          ...(entry.needsAccount && { about: 'account' as const }),
          askers: [entry.bound, ...(entry.members ?? [])].map((bound) => ({ ...bound, words: entry.fact })),
        },
      ],
    })),
  ]
}

function resourceSides({ resources }: Policy, open: readonly OpenEntry[], name: Namer) {
  const knownSide = { resources, conditions: [] as readonly Condition[] }
  return [
    knownSide,
    ...entriesOf(open, 'resources').map((entry) => ({
      resources: [{ value: anyResource(entry), span: entry.span }],
      conditions: [unknown(entry, 'resources', name)],
    })),
  ]
}

/**
 * The parts of a permission set: first the known entries, then one for each unknown entry. An unknown `except` may remove all
 * that it may match.
 */
function setParts(set: PermissionSet, open: readonly OpenEntry[], name: Namer): readonly Part[] {
  const excepts = entriesOf(open, 'except')
  const except = [...set.except, ...excepts.map(located)]
  const knownPart: Part = { set: { ...set, except }, conditions: [] }
  return [knownPart, ...openParts(set, open, name)]
}

function openParts(set: PermissionSet, open: readonly OpenEntry[], name: Namer): readonly Part[] {
  const excepts = entriesOf(open, 'except')
  const except = [...set.except, ...excepts.map(located)]
  const taken = excepts.map((entry) => unknown(entry, 'except', name))
  const span = excepts[0]?.span
  const spared: readonly Condition[] = span ? [{ kind: 'not', operands: taken, span }] : []
  const part = (lists: Partial<PermissionSet>, conditions: readonly Condition[]): Part => ({
    set: { allow: [], except: [], deny: [], ...lists },
    conditions,
  })
  return [
    ...(span && set.allow.length > 0 ? [part({ allow: set.allow, except: set.except }, spared)] : []),
    ...entriesOf(open, 'allow').flatMap((entry) => {
      const turnsOut = unknown(entry, 'allow', name)
      const allow = [located(entry)]
      return [part({ allow, except }, [turnsOut]), ...(span ? [part({ allow, except: set.except }, [turnsOut, ...spared])] : [])]
    }),
    ...entriesOf(open, 'deny').map((entry) => part({ deny: [located(entry)] }, [unknown(entry, 'deny', name)])),
  ]
}

/** A group with its known entries; the unknown ones are in parts of the policies that name it. */
function knownPart(group: PermissionsGroup, name: Namer): PermissionsGroup {
  if (!group.open) return group
  const { open, ...rest } = group
  return { ...rest, permissions: (setParts(group.permissions, open, name)[0] as Part).set }
}

function entriesOf(open: readonly OpenEntry[], list: ListName | 'identities' | 'resources'): readonly OpenEntry[] {
  return open.filter((entry) => entry.list === list)
}

function located({ bound, fact, span }: OpenEntry): Located<Glob> {
  return { value: { ...bound, words: fact }, span }
}

/** Every identity within a bound: those that ask, and groups that they belong to. */
function anyIdentity({ bound, members = [], fact, span }: OpenEntry): Policy['identities'] {
  const of = (kind: IdentityUrn['kind'], within = bound) => ({
    value: { text: within.text, region: '', kind, account: undefined, name: within.text, glob: { ...within, words: fact } },
    span,
  })
  const users = members.map((member) => of('user', member))
  // Every identity is within it already: the groups would add nothing.
  return covers(bound, everyIdentity) || !overlaps(bound, everyIdentityGroup) ? [of('user'), ...users] : [of('user'), of('group'), ...users]
}

const everyIdentity = glob('urn:v1:*:identity:*')
const everyIdentityGroup = glob('urn:v1:*:identity:group:*')

/**
 * Every resource that an entry within a bound may name; a group may hold any. Only the region, which holds no colon, may be
 * missing before a URN whose kind is written.
 */
function anyResource({ bound, fact: words }: OpenEntry): ResourceUrn {
  const [, region, type, name] = /^urn:v1:([^:]+):resource:([^:]+)(?::(.*))?$/s.exec(bound.text) ?? []
  if (region === undefined || type === undefined)
    return { kind: 'resource', text: '*', region: '*', type: '*', name: '', glob: { ...anything, words } }
  return { kind: 'resource', text: bound.text, region, type, name: name ?? '', glob: { ...bound, words } }
}

const anything = glob('*')
