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
  /** How questions of calls are decided. */
  readonly decide: DecideWith
  /** The version of the state that it was made of. */
  readonly version: number
}

/**
 * The world of each account: its policies and groups, the groups that every account has, and the whole inventory, where a
 * resource of another account has that one for its owner. It is made by the same function, of the same documents, as the
 * world of the files of an account; when it is first asked for after a change. What was understood of a record is kept as
 * long as the record.
 */
export function accountWorlds(state: State, settings: Settings): (account: string) => AccountWorld {
  const known = new Map<string, AccountWorld>()
  const understood = new WeakMap<object, Facts>()
  const accounts = state.table('account')

  function factsOf(record: object, name: string, document: () => unknown): Facts {
    const facts = understood.get(record) ?? factsIn(name, document(), settings)
    understood.set(record, facts)
    return facts
  }

  function make(account: string): World {
    const parts: Facts[] = [factsIn(`account ${account}`, { account }, settings)]
    const isOurs = (record: { readonly account: string | null }) => record.account === null || record.account === account
    for (const policy of state.table('policy').all())
      if (isOurs(policy)) parts.push(factsOf(policy, `policy ${policy.id}`, () => ({ policies: [policyDocument(policy)] })))
    for (const group of state.table('permissionsGroup').all())
      if (isOurs(group)) parts.push(factsOf(group, group.urn, () => ({ permissionsGroups: [groupDocument(group)] })))
    for (const group of state.table('resourceGroup').all())
      if (isOurs(group)) parts.push(factsOf(group, group.urn, () => ({ resourceGroups: [groupDocument(group)] })))
    for (const resource of state.table('inventory').all()) {
      const { urn, owner, tags } = resource
      parts.push(factsOf(resource, urn, () => ({ resources: [{ urn, ...(owner !== null && { owner }), ...(tags && { tags }) }] })))
    }
    for (const identity of state.table('identity').all())
      parts.push(factsOf(identity, identity.urn, () => ({ identities: [{ urn: identity.urn, groups: identity.groups }] })))
    return buildWorld(parts).world
  }

  return (account) => {
    const version = state.worldVersion()
    const current = known.get(account)
    if (current?.version === version) return current
    const world = make(account)
    const engine = compile(world)
    const made = { world, engine, decide: engine.decide, version }
    // Texts that name no account of ours are not remembered.
    if (accounts.has(account)) known.set(account, made)
    return made
  }
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

/**
 * Whether a resource belongs to another account of this service: what is kept of it is not told to this one. Decisions rest
 * on it all the same.
 */
export function isForeign(state: State, { owner }: InventoryRecord, account: string): boolean {
  return owner !== null && owner !== account && state.table('account').has(owner)
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
 * What a document says. What is kept was read before it was written, so that nothing is wrong with it; were it otherwise, a
 * deny might be lost, and nothing may be decided over it.
 */
function factsIn(name: string, document: unknown, settings: Settings): Facts {
  const { documents, diagnostics } = readWire(sourceOf(name, JSON.stringify(document), 'json'))
  const read = readFacts(documents, settings, diagnostics)
  const wrong = [...diagnostics, ...read.diagnostics].find(({ severity }) => severity === 'error')
  if (wrong || read.misshapen.length > 0)
    throw new Error(`${name} is kept and cannot be understood: ${wrong?.message ?? 'its shape is wrong'}`)
  return read.facts
}
