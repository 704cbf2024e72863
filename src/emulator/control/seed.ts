import type { Operation } from '../../actions/operations.ts'
import { callMethods } from '../../calls/match.ts'
import { groupedBy } from '../../collections.ts'
import { compareDiagnostics, type Diagnostic } from '../../diagnostic.ts'
import type { Settings } from '../../names.ts'
import { foreignPolicyIn } from '../../parser/foreign.ts'
import { type Facts, kindOf, readFacts } from '../../parser/policy.ts'
import { treeOf } from '../../parser/tree.ts'
import { buildWorld } from '../../parser/world.ts'
import type { Policy, World } from '../../policy.ts'
import type { Source } from '../../source.ts'
import { field, type MapNode, type Node, plainValue } from '../../tree.ts'
import { printIdentity } from '../../urn/identity.ts'
import { assetKinds } from '../api/asset-kinds.ts'
import type { HostRegion } from '../model/exchange.ts'
import { originOf, seedFile, withOrigin } from '../model/origins.ts'
import type { Ports } from '../model/ports.ts'
import type { GroupRecord, WrittenFields } from '../model/records.ts'
import type { RecordChange } from '../model/state.ts'
import { demonstration } from './demonstration.ts'
import { type Client, clientOf, type GeneratedSecret, SeedDraft } from './seed-draft.ts'
import {
  addAccount,
  addApplication,
  addAsset,
  addCredential,
  addServiceAccount,
  entriesOf,
  isHostRegion,
  readClient,
  validCredential,
} from './seed-sections.ts'

export interface SeedSource {
  readonly source: Source
  /** It was found in a folder: skipped where it holds nothing that an emulator begins with. */
  readonly mayBeOther: boolean
}

export interface Seed {
  /** Empty where there is an error: what was not understood may hold the deny. */
  readonly changes: readonly RecordChange[]
  readonly diagnostics: readonly Diagnostic[]
  readonly madeUp: readonly GeneratedSecret[]
}

/** A seed that was read again, or the lines that say what is wrong with it. */
export type Reread = { readonly seed: Seed } | { readonly problems: readonly string[] }

/** The result of a reload: the secrets that it generated; or what is wrong with the seed, and then nothing has changed. */
export type Reloaded = { readonly generated: readonly GeneratedSecret[] } | { readonly problems: readonly string[] }

export function mayHoldReplacement(text: string): boolean {
  return text.includes('standIn')
}

/** Where seeds name no account or service account, one is generated. `operations`: what paths of resources are checked against. */
export async function readSeed(
  sources: readonly SeedSource[],
  settings: Settings,
  ports: Ports,
  operations: readonly Operation[],
  isDemo = false,
): Promise<Seed> {
  const diagnostics: Diagnostic[] = []
  const read: ReadSource[] = []
  for (const source of sources) read.push(...(await readSource(source, settings, diagnostics)))
  const parts = read.map(({ facts }) => facts)
  const built = buildWorld(parts.map(ofAnyAccount))
  diagnostics.push(...built.diagnostics)
  const draft = new SeedDraft(settings, ports, diagnostics)
  fill(draft, read, built.world, operations, isDemo)
  const isWrong = diagnostics.some(({ severity }) => severity === 'error')
  return {
    changes: isWrong ? [] : draft.changes,
    diagnostics: diagnostics.sort(compareDiagnostics),
    madeUp: isWrong ? [] : draft.madeUp,
  }
}

interface ReadSource {
  readonly facts: Facts
  readonly emulatorParts: readonly Node[]
}

/** Read a file; none where it holds nothing that an emulator begins with. */
async function readSource(
  { source, mayBeOther }: SeedSource,
  settings: Settings,
  diagnostics: Diagnostic[],
): Promise<readonly ReadSource[]> {
  const reading = await treeOf(source)
  const rest: Node[] = []
  const emulatorParts: Node[] = []
  for (const document of reading.documents) {
    const emulatorPart = document.kind === 'map' ? field(document, 'standIn') : undefined
    const entries = document.kind === 'map' ? document.entries.filter(({ key }) => key.value !== 'standIn') : []
    if (emulatorPart) emulatorParts.push(emulatorPart)
    if (!emulatorPart) rest.push(document)
    else if (entries.length > 0) rest.push({ ...(document as MapNode), entries })
  }
  const { facts, diagnostics: readProblems, misshapen } = readFacts(rest, settings, reading.diagnostics)
  const unknown = rest.filter((document) => kindOf(document) === undefined).length - (facts.credentials?.length ?? 0)
  const isOther =
    mayBeOther &&
    emulatorParts.length + reading.diagnostics.length + misshapen.length === 0 &&
    readProblems.length === unknown &&
    isEmpty(facts) &&
    !rest.some(foreignPolicyIn)
  if (isOther) return []
  diagnostics.push(...reading.diagnostics, ...readProblems)
  if (misshapen.length > 0) {
    const { shapeProblems } = await import('../../parser/shape.ts')
    diagnostics.push(...misshapen.flatMap(shapeProblems))
  }
  return [{ facts, emulatorParts }]
}

/** Facts without their account: each file may be of another one; one file of two accounts is still wrong. */
function ofAnyAccount(part: Facts): Facts {
  return new Set(part.accounts.map(({ value }) => value)).size > 1 ? part : { ...part, accounts: [] }
}

function isEmpty({ policies, permissionsGroups, resourceGroups, resources, identities, accounts }: Facts): boolean {
  return [policies, permissionsGroups, resourceGroups, resources, identities, accounts].every(({ length }) => length === 0)
}

const accountOf = ({ accounts }: Facts) => accounts[0]?.value

/** Make the records of a seed: first the accounts, which everything else belongs to. */
function fill(draft: SeedDraft, read: readonly ReadSource[], world: World, operations: readonly Operation[], isDemo: boolean): void {
  const parts = read.map(({ facts }) => facts)
  const sections = read.flatMap(({ facts, emulatorParts }) => emulatorParts.map((node) => entriesOf(draft, node, accountOf(facts))))
  for (const { accounts } of sections) for (const entry of accounts) addAccount(draft, entry)
  const entries = sections.flatMap(({ serviceAccounts }) => serviceAccounts)
  const clients = entries.map((entry) => readClient(draft, entry))
  const policies = parts.flatMap((part) => part.policies.map((policy) => ({ policy, owner: policy.owner ?? accountOf(part) })))
  const written = policies.map(({ policy }) => policy)
  const named = regionsOf(written)
  for (const id of [...parts.flatMap(({ accounts }) => accounts.map(({ value }) => value)), ...policies.map(({ owner }) => owner)])
    if (id !== undefined) draft.know(id, named.get(id) ?? 'eu')
  if (draft.accounts.size === 0) for (const [id, region] of named) draft.know(id, region)
  if (draft.accounts.size === 0) draft.know(`ab12-${draft.settings.brand}`, 'eu')
  for (const [id, about] of draft.accounts) draft.write('account', id, { id, ...about })

  for (const [i, entry] of entries.entries()) addServiceAccount(draft, entry, clients[i])
  if (isDemo) demonstrate(draft)
  if (entries.length === 0) {
    const knownClients = clientsNamed(draft, written)
    // Policies may name the one for demonstrations, whose secret is published.
    for (const client of knownClients) if (!draft.has('serviceAccount', client.clientId)) draft.addServiceAccount(client, {})
    if (knownClients.length === 0 && !isDemo) for (const client of newClients(draft)) draft.addServiceAccount(client, {}, undefined, false)
  }
  for (const { applications } of sections) for (const entry of applications) addApplication(draft, entry)
  for (const { credentials } of sections) for (const entry of credentials) addCredential(draft, entry)
  ownersOf(draft, world, parts)
  const kinds = assetKinds(operations)
  for (const { resources } of sections) for (const entry of resources) addAsset(draft, entry, kinds)
  addFiles(draft, parts, world)
  for (const { policy, owner } of policies) addPolicy(draft, policy, owner)
  for (const part of parts) addGroups(draft, part)
  addInventory(draft, world)
}

/** The accounts that the identities of policies belong to, each with the region that the first one names. */
function regionsOf(policies: readonly Policy[]): ReadonlyMap<string, HostRegion> {
  const regions = new Map<string, HostRegion>()
  for (const { identities } of policies)
    for (const { value } of identities)
      if (value.account !== undefined && !value.account.includes('*') && !regions.has(value.account))
        regions.set(value.account, isHostRegion(value.region) ? value.region : 'eu')
  return regions
}

function demonstrate(draft: SeedDraft): void {
  const [account, { region }] = [...draft.accounts][0] as [string, { readonly region: HostRegion }]
  const { clientId, clientSecret, applicationKey: key, applicationSecret: secret, consumerKey } = demonstration(region)
  const name = 'demonstration'
  const identity = printIdentity({ region, kind: 'credential', account, name: `oauth2-${clientId}` })
  draft.addServiceAccount({ identity, account, clientId }, { secret: clientSecret, name })
  const description = 'Its keys are published: anybody knows them.'
  draft.write('application', key, { key, name, description, secret, account, createdAt: draft.now })
  const customer = printIdentity({ region, kind: 'account', account, name: '' })
  const rules = callMethods.map((method) => ({ method, path: '/*' }))
  const record = validCredential(draft, { consumerKey, application: key, region, rules, identity: customer, account })
  draft.write('credential', consumerKey, record)
}

/** The service accounts that policies name, of accounts that are known. */
function clientsNamed({ accounts }: SeedDraft, policies: readonly Policy[]): readonly Client[] {
  const named = new Map<string, Client>()
  for (const { value } of policies.flatMap(({ identities }) => identities)) {
    const client = value.glob.pieces.length > 1 ? undefined : clientOf(value)
    // One of another region can be used with no host: its account is of this one.
    if (client && accounts.get(client.account)?.region === value.region) named.set(client.identity, client)
  }
  return [...named.values()]
}

function newClients({ accounts, ports }: SeedDraft): readonly Client[] {
  return [...accounts].map(([account, { region }]) => {
    const clientId = `${region.toUpperCase()}.${ports.chance.uuid().replaceAll('-', '').slice(0, 16)}`
    return { identity: printIdentity({ region, kind: 'credential', account, name: `oauth2-${clientId}` }), account, clientId }
  })
}

const policyFields = 'name description identities resources permissions permissionsGroups conditions expiredAt'.split(' ')
const groupFields = 'name description permissions resources'.split(' ')

function chosen(fields: WrittenFields, names: readonly string[]): WrittenFields {
  return Object.fromEntries(names.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])))
}

const textOr = <T>(value: unknown, other: T): string | T => (typeof value === 'string' ? value : other)

function times({ now }: SeedDraft, { createdAt, updatedAt }: WrittenFields) {
  return { createdAt: textOr(createdAt, now), updatedAt: textOr(updatedAt, null) }
}

function addPolicy(draft: SeedDraft, policy: Policy, owner: string | undefined): void {
  const account = draft.accountFor(owner, policy.span)
  if (account === undefined) return
  const fields = plainValue(policy.node) as WrittenFields
  const id = textOr(fields.id, undefined) ?? draft.ports.chance.uuid()
  const record = { id, account, written: chosen(fields, policyFields), readOnly: policy.readOnly, ...times(draft, fields) }
  draft.write('policy', id, withOrigin(record, policy.node), field(policy.node, 'id') ?? policy.span)
}

/** The files of policies and groups, so that answers name places in them. */
function addFiles(draft: SeedDraft, parts: readonly Facts[], { resources, identities }: World): void {
  const recordSpans = [
    ...parts.flatMap(({ policies, permissionsGroups, resourceGroups }) => [
      ...[...policies, ...permissionsGroups].map(({ node }) => node),
      ...resourceGroups.map(({ span }) => span),
    ]),
    ...[...resources.values(), ...identities.values()].map(({ urn }) => urn.span),
  ]
  for (const [source, spans] of groupedBy(recordSpans, (span) => span.source)) draft.write('seedFile', source.path, seedFile(source, spans))
}

function addGroups(draft: SeedDraft, part: Facts): void {
  const givenAccount = accountOf(part)
  const groupOf = (fields: WrittenFields, urn: string, account: string | null, id: string): GroupRecord => ({
    id,
    urn,
    account,
    written: chosen(fields, groupFields),
    readOnly: fields.readOnly === true,
    ...times(draft, fields),
  })
  for (const { urn, node, span } of part.permissionsGroups) {
    const fields = plainValue(node) as WrittenFields
    const { owner, text } = urn.value
    // Groups in the name of the brand are the service's own: every account has them.
    const account = owner === draft.settings.brand ? null : (textOr(fields.owner, undefined) ?? givenAccount ?? owner)
    const id = textOr(fields.id, undefined) ?? draft.ports.chance.uuid()
    if (!draft.has('permissionsGroup', text))
      draft.write('permissionsGroup', text, withOrigin(groupOf(fields, text, account, id), node), span)
  }
  for (const { urn, span } of part.resourceGroups) {
    const node = span as MapNode
    const fields = plainValue(node) as WrittenFields
    const account = draft.accountFor(textOr(fields.owner, givenAccount), span)
    if (account === undefined) continue
    // A group whose id alone is known is one of the account's region.
    const text = urn.value.replace(/^urn:v1:\*:/, `urn:v1:${draft.regionOf(account)}:`)
    const id = text.slice(text.lastIndexOf(':') + 1)
    if (!draft.has('resourceGroup', text)) draft.write('resourceGroup', text, withOrigin(groupOf(fields, text, account, id), node), span)
  }
}

/** The owners of resources: as specified, else the account of the file that lists them. A policy that names one says nothing. */
function ownersOf(draft: SeedDraft, { resources }: World, parts: readonly Facts[]): void {
  for (const [urn, { owner }] of resources) if (owner !== undefined) draft.owners.set(urn, owner)
  const ofFiles = new Map<string, string>()
  for (const part of parts) {
    const account = accountOf(part)
    if (account === undefined) continue
    for (const { urn, mentioned } of part.resources) {
      if (mentioned || resources.get(urn.value)?.owner !== undefined) continue
      const other = ofFiles.get(urn.value)
      if (other !== undefined && other !== account) {
        const message = `\`${urn.value}\` is listed by the files of \`${other}\` and of \`${account}\`, and belongs to one account`
        draft.wrong(urn.span, message, 'add `owner` to it, or remove one of the two')
      }
      ofFiles.set(urn.value, account)
    }
  }
  for (const [urn, account] of ofFiles) draft.owners.set(urn, account)
}

/** Adds each resource and identity with the facts of all files. A resource with a state is in the inventory like any other. */
function addInventory(draft: SeedDraft, { resources, identities }: World): void {
  for (const urn of new Set([...resources.keys(), ...draft.owners.keys()])) {
    const described = resources.get(urn)
    const tags = described?.tags ? Object.fromEntries(described.tags) : null
    const origin = described && { origin: originOf(described.urn.span) }
    draft.write('inventory', urn, { urn, owner: draft.owners.get(urn) ?? null, tags, ...origin })
  }
  for (const [urn, { groups, urn: written }] of identities) draft.write('identity', urn, { urn, groups, origin: originOf(written.span) })
}
