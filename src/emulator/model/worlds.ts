import type { DecideWith } from '../../calls/judge.ts'
import type { Settings } from '../../names.ts'
import { readWire } from '../../parser/json.ts'
import { type Facts, readFacts } from '../../parser/policy.ts'
import { buildWorld } from '../../parser/world.ts'
import type { Policy, World } from '../../policy.ts'
import { compile, type Engine } from '../../simulate/engine.ts'
import { type Source, sourceOf } from '../../source.ts'
import type { MapNode, Node } from '../../tree.ts'
import { type PlacedRecord, placedIn, seedSources, textAt } from './origins.ts'
import type { GroupRecord, IdentityRecord, InventoryRecord, PolicyRecord } from './records.ts'
import type { State } from './state.ts'

/** The policies of an account with everything they refer to, and the engine over them. */
export interface AccountWorld {
  readonly world: World
  readonly engine: Engine
  readonly decide: DecideWith
  readonly version: number
}

/** The facts of a record, and its account; null: it holds in every account. */
interface Part {
  /** The id of the policy, where it is one. */
  readonly policyId?: string
  readonly account: string | null
  readonly facts: Facts
}

/** A world, with the policies of each record by its id: what it takes to follow changes of policies. */
interface Kept extends AccountWorld {
  /** Undefined where a record says more than that. */
  readonly policies: Map<string, readonly Policy[]> | undefined
  /** How many policies have changed since the engine was made. */
  readonly changed: number
}

/** An engine keeps room for what has gone: after so many changes a new one is made. */
const mostChanged = 10_000

/**
 * The world of each account: its policies and groups, the groups that every account has, and the whole inventory. It is made
 * by the same functions, of the same documents, as the world of the files of an account, when it is first asked for after a
 * change. Records that did not change are not read again; and where policies alone have changed, the engine is changed as well
 * and not made anew, so that a write to an account of many policies holds up no call.
 */
export function accountWorlds(state: State, settings: Settings): (account: string) => AccountWorld {
  const worlds = new Map<string, Kept>()
  let read = new Map<object, Part>()
  let readVersion = -1
  const sourceAt = seedSources((path) => state.table('seedFile').get(path))
  const factsOf: FactsOf = ({ name, document, written }) => factsIn(name, document(), settings, written && [written, sourceAt])

  function parts(): Iterable<Part> {
    const version = state.worldVersion()
    if (version === readVersion) return read.values()
    const next = new Map<object, Part>()
    for (const described of documentsOf(state)) {
      const { record, account, policyId } = described
      next.set(record, read.get(record) ?? { account, facts: factsOf(described), ...(policyId !== undefined && { policyId }) })
    }
    read = next
    readVersion = version
    return read.values()
  }

  return (account) => {
    const version = state.worldVersion()
    const current = worlds.get(account)
    if (current?.version === version) return current
    const followed = current && following(state, current, account, factsOf)
    if (followed) {
      worlds.set(account, followed)
      return followed
    }
    const ownParts = [...parts()].filter((part) => part.account === null || part.account === account)
    const { world } = buildWorld([factsIn(`account ${account}`, { account }, settings), ...ownParts.map(({ facts }) => facts)])
    const engine = compile(world)
    const made = { world, engine, decide: engine.decide, version, policies: policiesIn(ownParts), changed: 0 }
    // Unknown accounts are not remembered: anybody may ask for one.
    if (state.table('account').has(account)) worlds.set(account, made)
    return made
  }
}

/** The policies of each record by its id; undefined where one says more than that, of a resource for example. */
function policiesIn(parts: readonly Part[]): Map<string, readonly Policy[]> | undefined {
  const policiesByKey = new Map<string, readonly Policy[]>()
  for (const { policyId, facts } of parts) {
    if (policyId === undefined) continue
    if (!isPlain(facts)) return undefined
    policiesByKey.set(policyId, facts.policies)
  }
  return policiesByKey
}

function isPlain(facts: Facts): boolean {
  return Object.entries(facts).every(([name, list]) => name === 'policies' || list.length === 0)
}

/** The world of an account after changes of policies alone; undefined where more has changed, or too much. */
function following(state: State, earlier: Kept, account: string, factsOf: FactsOf): Kept | undefined {
  const { engine, policies } = earlier
  const changes = state.worldChanges(earlier.version)
  if (!changes || !policies || earlier.changed + changes.length > mostChanged) return undefined
  const after = new Map<string, readonly Policy[]>()
  for (const { kind, key, value } of changes) {
    if (kind !== 'policy') return undefined
    const facts = value?.account === account ? factsOf(documentOfPolicy(value)) : undefined
    if (facts && !isPlain(facts)) return undefined
    after.set(key, facts?.policies ?? [])
  }
  const removed = new Set<Policy>()
  for (const [key, ownPolicies] of after) {
    for (const policy of policies.get(key) ?? []) removed.add(policy)
    if (ownPolicies.length > 0) policies.set(key, ownPolicies)
    else policies.delete(key)
  }
  const added = [...after.values()].flat()
  const world = { ...earlier.world, policies: [...earlier.world.policies.filter((policy) => !removed.has(policy)), ...added] }
  engine.change(world, [...removed], added)
  return { ...earlier, world, version: state.worldVersion(), changed: earlier.changed + changes.length }
}

/** A record that decisions rest on, with the document that says it. */
interface Described {
  readonly record: object
  readonly policyId?: string
  readonly account: string | null
  readonly name: string
  readonly document: () => object
  /** The record where it may be one of a file. */
  readonly written?: PlacedRecord
}

type FactsOf = (described: Described) => Facts

function documentOfPolicy(policy: PolicyRecord): Described {
  const { id, account } = policy
  const document = () => ({ policies: [policyDocument(policy)] })
  return { record: policy, policyId: id, account, name: nameOf(policy), document, written: policy }
}

function* documentsOf(state: State): Iterable<Described> {
  for (const policy of state.table('policy').all()) yield documentOfPolicy(policy)
  for (const kind of ['permissionsGroup', 'resourceGroup'] as const)
    for (const group of state.table(kind).all()) {
      const document = () => ({ [`${kind}s`]: [groupDocument(group)] })
      yield { record: group, account: group.account, name: group.urn, document, written: group }
    }
  for (const resource of state.table('inventory').all())
    yield { ...ofAll(resource), document: () => ({ resources: [resourceDocument(resource)] }) }
  for (const identity of state.table('identity').all())
    yield { ...ofAll(identity), document: () => ({ identities: [{ urn: identity.urn, groups: identity.groups }] }) }
}

/** A record that holds in every account, and of which no more than its URN has a place. */
function ofAll(record: InventoryRecord | IdentityRecord) {
  const { urn, origin } = record
  return { record, account: null, name: urn, ...(origin && { written: { origin } }) }
}

/** The name by which the text of a policy goes. */
function nameOf({ id }: PolicyRecord): string {
  return `policy ${id}`
}

/** The id of a policy of such a world: that of the record it was read from. */
export function idOf({ node }: Policy): string {
  return textAt(node, 'id') ?? ''
}

/** Have the worlds of all accounts made, and their engines laid out, before the first call asks for them. */
export function warmWorlds({ state, worldOf }: { readonly state: State; readonly worldOf: (account: string) => AccountWorld }): void {
  for (const { id, region } of state.table('account').all()) {
    const sampleIdentity = `urn:v1:${region}:identity:user:${id}/nobody`
    const question = {
      identity: sampleIdentity,
      action: 'vps:apisvc:get',
      resource: `urn:v1:${region}:resource:vps:none`,
      at: 0,
      groups: [],
    }
    worldOf(id).engine.decide(question)
  }
}

/** Whether a resource belongs to another account of this service: it is not shown to this one. Decisions rest on it all the same. */
export function isForeign(state: State, { owner }: InventoryRecord, account: string): boolean {
  return owner !== null && owner !== account && state.table('account').has(owner)
}

export function resourceDocument({ urn, owner, tags }: InventoryRecord): Readonly<Record<string, unknown>> {
  return { urn, ...(owner !== null && { owner }), ...(tags && { tags }) }
}

/** A policy as the files of an account have it, with the fields that the service adds. */
export function policyDocument({ id, account, written, readOnly, createdAt, updatedAt }: PolicyRecord): Readonly<Record<string, unknown>> {
  return { id, ...written, owner: account, readOnly, createdAt, updatedAt }
}

/** A group as the files of an account have it, with the fields that the service adds. */
export function groupDocument(record: GroupRecord): Readonly<Record<string, unknown>> {
  const { id, urn, account, written, readOnly, createdAt, updatedAt } = record
  return { id, urn, ...written, ...(account !== null && { owner: account }), readOnly, createdAt, updatedAt }
}

/**
 * The facts of a stored document. It was checked before it was stored; if it is wrong nevertheless, nothing may be decided over it.
 * `written`: the record that is the only item of its only list, and the files that it may be from.
 */
function factsIn(
  name: string,
  document: object,
  settings: Settings,
  written?: readonly [PlacedRecord, (path: string) => Source | undefined],
): Facts {
  const { documents, diagnostics } = readWire(sourceOf(name, textOf(document), 'json'))
  const placed = written ? documents.map((each) => withItem(each, (item) => placedIn(item, ...written))) : documents
  const read = readFacts(placed, settings, diagnostics)
  const wrong = [...diagnostics, ...read.diagnostics].find(({ severity }) => severity === 'error')
  if (wrong || read.misshapen.length > 0)
    throw new Error(`${name} is stored and cannot be understood: ${wrong?.message ?? 'its shape is wrong'}`)
  return read.facts
}

/** A document as text. A single record is written over several lines, which are those of its page: the list around it adds none. */
function textOf(document: object): string {
  const [[list, items] = [], ...others] = Object.entries(document)
  if (others.length > 0 || !Array.isArray(items)) return JSON.stringify(document)
  return `{${JSON.stringify(list)}:${`[${items.map((item) => JSON.stringify(item, null, 2)).join(',')}]`}}`
}

/** A document with another item in the place of the only one of its only list. */
function withItem(document: Node, change: (item: MapNode) => MapNode): Node {
  const entry = document.kind === 'map' ? document.entries[0] : undefined
  const item = entry?.value.kind === 'list' ? entry.value.items[0] : undefined
  if (document.kind !== 'map' || entry?.value.kind !== 'list' || item?.kind !== 'map') return document
  return { ...document, entries: [{ key: entry.key, value: { ...entry.value, items: [change(item)] } }] }
}
