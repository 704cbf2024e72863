import { pushTo } from '../collections.ts'
import { printAddress } from '../conditions/address.ts'
import { isOfTime, zoneOf } from '../conditions/test.ts'
import { compareText, type Diagnostic } from '../diagnostic.ts'
import { type Glob, isPattern, matches } from '../glob.ts'
import type { Condition, World } from '../policy.ts'
import type { Question } from '../simulate/decision.ts'
import { readIdentity } from '../urn/identity.ts'
import { typeAndName } from '../urn/resource.ts'
import { resourceGroupOf } from '../world.ts'
import type { Zone } from '../zones.ts'
import { cedarNotes } from './cedar-notes.ts'
import { cedarPolicies, cedarWeekday, isPlainInstant, principalType, requestAction } from './cedar-policies.ts'
import { quoted } from './cedar-text.ts'

/** A world in the language of Cedar, and questions as requests to it (docs/semantics.md, Decision). */

export interface CedarUid {
  readonly type: string
  readonly id: string
}

export type CedarValue =
  | boolean
  | number
  | string
  | { readonly [name: string]: CedarValue }
  | { readonly __extn: { readonly fn: string; readonly arg: CedarValue } | { readonly fn: string; readonly args: readonly CedarValue[] } }

/** An entity in Cedar's JSON format. */
export interface CedarEntity {
  readonly uid: CedarUid
  readonly attrs: Readonly<Record<string, CedarValue>>
  readonly parents: readonly CedarUid[]
  readonly tags?: Readonly<Record<string, string>>
}

/** A question as Cedar takes it. `entities` are those of the question alone: they suffice, and take the place of others. */
export interface CedarRequest {
  readonly principal: CedarUid
  readonly action: CedarUid
  readonly resource: CedarUid
  readonly context: Readonly<Record<string, CedarValue>>
  readonly entities: readonly CedarEntity[]
}

export interface CedarExport {
  /** `policies.cedar`. */
  readonly policies: string
  /** `schema.cedarschema`. */
  readonly schema: string
  /** Entities that the world names, by type and id: `entities.json`. */
  readonly entities: readonly CedarEntity[]
  /** `NOTES.md`: what a request must have, and what differs from the world. */
  readonly notes: string
  /**
   * Unknown facts that a decision may depend on, each at the entry that needs it. With any of them Cedar denies
   * what is uncertain: what is allowed is allowed, but some of what it denies may be allowed.
   */
  readonly doubts: readonly Diagnostic[]
  /** The Cedar request for a question. The question must have been parsed. */
  readonly request: (question: Question) => CedarRequest
}

/**
 * Translate a world to Cedar. Cedar's answer to `request(question)` is `allow` exactly where three-valued logic makes the
 * question's verdict `allow`; where nothing is missing that is the verdict itself. The same world gives the same output.
 */
export function exportCedar(world: World): CedarExport {
  const clocks = zonesOf(world)
  const zones = clocks.map(({ name }) => name)
  const index = indexOf(world)
  const { text, permits, forbids, doubts } = cedarPolicies(world, zones)
  const groupPatterns = index.groupPatterns.map((each) => each.text)
  return {
    policies: text,
    schema: schemaText(zones),
    entities: worldEntities(world, index),
    notes: cedarNotes({ zones, tagKeys: tagKeysOf(world), groupPatterns, permits, forbids, doubts }),
    doubts,
    request: (question) => requestOf(world, question, index, clocks),
  }
}

/** The groups of entities, by the entries of policies that name groups. */
interface Index {
  /** Entries with a wildcard that name groups of identities. */
  readonly groupPatterns: readonly Glob[]
  /** For a resource, the entries that name a group it is known to be in. */
  readonly resourceGroups: ReadonlyMap<string, readonly string[]>
  /** Every entry that names groups of resources. */
  readonly groupEntries: readonly string[]
}

function indexOf(world: World): Index {
  const identities = new Map(world.policies.flatMap((policy) => policy.identities.map(({ value }) => [value.text, value] as const)))
  const groupPatterns = [...identities.values()].filter(({ kind, glob }) => kind === 'group' && isPattern(glob)).map(({ glob }) => glob)
  const entries = new Map(
    world.policies.flatMap((policy) =>
      policy.resources.flatMap(({ value }) => (value.kind === 'group' ? [[value.text, value] as const] : [])),
    ),
  )
  const resourceGroups = new Map<string, string[]>()
  for (const text of [...entries.keys()].sort(compareText)) {
    const entry = entries.get(text)
    if (!entry) continue
    const named = isPattern(entry.glob)
      ? [...world.resourceGroups].filter(([urn]) => matches(entry.glob, urn.startsWith('urn:v1:*') ? urn.replace('*', entry.region) : urn))
      : []
    const groups = isPattern(entry.glob) ? named.map(([, group]) => group) : [resourceGroupOf(world, text)]
    for (const member of new Set(groups.flatMap((group) => [...(group?.members ?? [])]))) {
      pushTo(resourceGroups, member, text)
    }
  }
  return {
    groupPatterns: groupPatterns.sort((a, b) => compareText(a.text, b.text)),
    resourceGroups,
    groupEntries: [...entries.keys()].sort(compareText),
  }
}

function principalUid(urn: string): CedarUid {
  return { type: principalType(readIdentity(urn, { pattern: false }).value?.kind ?? 'user'), id: urn }
}

const groupUid = (id: string): CedarUid => ({ type: 'Group', id })

/** An identity as the caller. Groups contain no groups, so that membership is not transitive. */
function principalEntity(urn: string, groups: readonly string[]): CedarEntity {
  const read = readIdentity(urn, { pattern: false }).value
  const ownGroups = read?.kind === 'group' ? [urn] : []
  return {
    uid: principalUid(urn),
    attrs: { urn, ...(read?.kind === 'account' && { account: read.account ?? '' }) },
    parents: [...new Set([...ownGroups, ...groups])].sort(compareText).map(groupUid),
  }
}

/** A group, which is held by the entries with a wildcard that name it. */
function groupEntity(urn: string, { groupPatterns }: Index): CedarEntity {
  const parents = groupPatterns.filter((pattern) => pattern.text !== urn && matches(pattern, urn)).map(({ text }) => groupUid(text))
  return { uid: groupUid(urn), attrs: {}, parents }
}

function resourceEntity(urn: string, index: Index, tags: ReadonlyMap<string, string> | undefined, owner: string | undefined): CedarEntity {
  const { type, name } = typeAndName(urn)
  return {
    uid: { type: 'Resource', id: urn },
    attrs: { urn, type, name, tagsKnown: tags !== undefined, ...(owner !== undefined && { owner }) },
    parents: (index.resourceGroups.get(urn) ?? []).map((id) => ({ type: 'ResourceGroup', id })),
    ...(tags && tags.size > 0 && { tags: Object.fromEntries([...tags].sort(([a], [b]) => compareText(a, b))) }),
  }
}

function worldEntities(world: World, index: Index): readonly CedarEntity[] {
  const principals = new Set(world.identities.keys())
  const groups = new Set([...world.identities.values()].flatMap((identity) => identity.groups))
  const resources = new Set([...world.resources.keys(), ...[...world.resourceGroups.values()].flatMap(({ members }) => [...members])])
  for (const policy of world.policies) {
    for (const { value } of policy.identities) {
      if (value.kind === 'group') groups.add(value.text)
      else if (!isPattern(value.glob)) principals.add(value.text)
    }
    for (const { value } of policy.resources) if (value.kind === 'resource' && !isPattern(value.glob)) resources.add(value.text)
  }
  for (const urn of principals) if (readIdentity(urn, { pattern: false }).value?.kind === 'group') groups.add(urn)
  const entities = [
    ...[...principals].map((urn) => principalEntity(urn, world.identities.get(urn)?.groups ?? [])),
    ...[...groups].map((urn) => groupEntity(urn, index)),
    ...[...resources].map((urn) => {
      const known = world.resources.get(urn)
      return resourceEntity(urn, index, known?.tags, known?.owner ?? world.account)
    }),
    ...index.groupEntries.map((urn): CedarEntity => ({ uid: { type: 'ResourceGroup', id: urn }, attrs: {}, parents: [] })),
  ]
  return entities.sort((a, b) => compareText(a.uid.type, b.uid.type) || compareText(a.uid.id, b.uid.id))
}

function requestOf(world: World, question: Question, index: Index, zones: readonly Zone[]): CedarRequest {
  const { identity, action, resource, at, ip } = question
  const groups = [...question.groups, ...(world.identities.get(identity)?.groups ?? [])]
  const described = world.resources.get(resource)
  const principal = principalEntity(identity, groups)
  const held = resourceEntity(resource, index, question.tags ?? described?.tags, question.owner ?? described?.owner ?? world.account)
  return {
    principal: principal.uid,
    action: { type: 'Action', id: requestAction },
    resource: held.uid,
    context: {
      action,
      now: cedarInstant(at),
      clock: Object.fromEntries(zones.map((zone) => [zone.name, cedarClock(zone, at)])),
      ...(ip && { ip: { __extn: { fn: 'ip', arg: printAddress(ip) } } }),
    },
    // A group that no other holds need not be there to be a parent.
    entities: [principal, ...principal.parents.map(({ id }) => groupEntity(id, index)).filter(({ parents }) => parents.length > 0), held],
  }
}

function cedarInstant(at: number): CedarValue {
  if (isPlainInstant(at)) return { __extn: { fn: 'datetime', arg: new Date(at).toISOString() } }
  const start = { __extn: { fn: 'datetime', arg: '1970-01-01' } }
  return { __extn: { fn: 'offset', args: [start, { __extn: { fn: 'duration', arg: `${at}ms` } }] } }
}

function cedarClock(zone: Zone, at: number): CedarValue {
  const { date, hour, weekday } = zone.shows(at)
  return { date, hour, weekday: cedarWeekday(weekday) }
}

/** Every comparison of every condition, in no particular order. */
function* tests(world: World): Generator<Extract<Condition, { readonly kind: 'match' }>['test']> {
  const open = world.policies.flatMap(({ condition }) => (condition ? [condition] : []))
  for (let condition = open.pop(); condition; condition = open.pop()) {
    if (condition.kind === 'match') yield condition.test
    else if (condition.kind !== 'opaque') open.push(...condition.operands)
  }
}

function zonesOf(world: World): readonly Zone[] {
  const zones = new Map([...tests(world)].filter(isOfTime).map((test) => [test.subject.parameter, zoneOf(test)]))
  return [...zones.values()].sort((a, b) => compareText(a.name, b.name))
}

function tagKeysOf(world: World): readonly string[] {
  const keys = new Set<string>()
  for (const { subject } of tests(world)) if (subject.kind === 'tag') keys.add(subject.parameter)
  return [...keys].sort(compareText)
}

function schemaText(zones: readonly string[]): string {
  const clocks = zones.map((zone) => `\n      ${quoted(zone)}: Clock,`).join('')
  return `// What a clock on a wall shows: the date as year * 10000 + month * 100 + day, the hour from 0 to 23, and the day of
// the week from 1 (Monday) to 7 (Sunday).
type Clock = { date: Long, hour: Long, weekday: Long };

// A group of identities. One with a \`*\` in its name holds every group that matches.
entity Group in [Group];

// A user, a service account, or a group that asks for itself (it is then in its own Group).
entity Identity in [Group] { urn: String };

// The account itself, with its id.
entity Account in [Group] { urn: String, account: String };

// What a resource entry with \`resourceGroup\` names.
entity ResourceGroup;

// \`tagsKnown\`: whether the tags are all of its tags. \`owner\`: the id of the account that owns it.
entity Resource in [ResourceGroup] {
  urn: String,
  "type": String,
  name: String,
  tagsKnown: Bool,
  owner?: String,
} tags String;

action ${quoted(requestAction)} appliesTo {
  principal: [Identity, Account],
  resource: [Resource],
  context: {
    action: String,
    now: datetime,
    clock: {${clocks}${clocks === '' ? '' : '\n    '}},
    ip?: ipaddr,
  },
};
`
}
