import type { DecideWith } from '../../calls/judge.ts'
import type { Settings } from '../../names.ts'
import { readWire } from '../../parser/json.ts'
import { type Facts, readFacts } from '../../parser/policy.ts'
import { buildWorld } from '../../parser/world.ts'
import type { World } from '../../policy.ts'
import { compile, type Engine } from '../../simulate/engine.ts'
import { sourceOf } from '../../source.ts'
import type { GroupRecord, InventoryRecord, PolicyRecord } from './records.ts'
import type { State } from './state.ts'

/** The policies of an account and all they speak of, and the engine over them. */
export interface AccountWorld {
  readonly world: World
  readonly engine: Engine
  readonly decide: DecideWith
  readonly version: number
}

/** What a record says, and whose it is; null: it holds in every account. */
interface Part {
  readonly account: string | null
  readonly facts: Facts
}

/**
 * The world of each account: its policies and groups, the groups that every account has, and the whole inventory. It is made
 * by the same functions, of the same documents, as the world of the files of an account, when it is first asked for after a
 * change. Records that did not change are not read again.
 */
export function accountWorlds(state: State, settings: Settings): (account: string) => AccountWorld {
  const worlds = new Map<string, AccountWorld>()
  let read = new Map<object, Part>()
  let readVersion = -1

  function parts(): Iterable<Part> {
    const version = state.worldVersion()
    if (version === readVersion) return read.values()
    const next = new Map<object, Part>()
    for (const { record, account, name, document } of documentsOf(state))
      next.set(record, read.get(record) ?? { account, facts: factsIn(name, document(), settings) })
    read = next
    readVersion = version
    return read.values()
  }

  return (account) => {
    const version = state.worldVersion()
    const current = worlds.get(account)
    if (current?.version === version) return current
    const own = [...parts()].filter((part) => part.account === null || part.account === account)
    const { world } = buildWorld([factsIn(`account ${account}`, { account }, settings), ...own.map(({ facts }) => facts)])
    const engine = compile(world)
    const made = { world, engine, decide: engine.decide, version }
    // Unknown accounts are not remembered: anybody may ask for one.
    if (state.table('account').has(account)) worlds.set(account, made)
    return made
  }
}

/** Everything that decisions rest on, each record with the document that says it. */
function* documentsOf(state: State) {
  for (const policy of state.table('policy').all())
    yield { record: policy, account: policy.account, name: `policy ${policy.id}`, document: () => ({ policies: [policyDocument(policy)] }) }
  for (const kind of ['permissionsGroup', 'resourceGroup'] as const)
    for (const group of state.table(kind).all())
      yield { record: group, account: group.account, name: group.urn, document: () => ({ [`${kind}s`]: [groupDocument(group)] }) }
  for (const resource of state.table('inventory').all())
    yield { record: resource, account: null, name: resource.urn, document: () => ({ resources: [resourceDocument(resource)] }) }
  for (const identity of state.table('identity').all())
    yield { record: identity, account: null, name: identity.urn, document: () => ({ identities: [identity] }) }
}

/** The id of a policy of such a world: that of the record it was read from. */
export function idOf({ span }: World['policies'][number]): string {
  return span.source.path.replace(/^policy /, '')
}

/** Have the worlds of all accounts made, and their engines laid out, before the first call asks for them. */
export function warmWorlds({ state, worldOf }: { readonly state: State; readonly worldOf: (account: string) => AccountWorld }): void {
  for (const { id, region } of state.table('account').all()) {
    const nobody = `urn:v1:${region}:identity:user:${id}/nobody`
    const question = { identity: nobody, action: 'vps:apisvc:get', resource: `urn:v1:${region}:resource:vps:none`, at: 0, groups: [] }
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

/** What a stored document says. It was checked before it was stored; if it is wrong all the same, nothing may be decided over it. */
function factsIn(name: string, document: unknown, settings: Settings): Facts {
  const { documents, diagnostics } = readWire(sourceOf(name, JSON.stringify(document), 'json'))
  const read = readFacts(documents, settings, diagnostics)
  const wrong = [...diagnostics, ...read.diagnostics].find(({ severity }) => severity === 'error')
  if (wrong || read.misshapen.length > 0)
    throw new Error(`${name} is stored and cannot be understood: ${wrong?.message ?? 'its shape is wrong'}`)
  return read.facts
}
