import { callMethods } from '../../calls/match.ts'
import { readInstant } from '../../conditions/time.ts'
import { field, type MapNode, type Node, plainValue } from '../../tree.ts'
import type { AssetKind } from '../api/asset-kinds.ts'
import { seedAsset } from '../api/asset-seed.ts'
import { type HostRegion, hostRegions } from '../model/exchange.ts'
import type { CredentialRecord, WrittenFields } from '../model/records.ts'
import { type Client, clientOf, type SeedDraft } from './seed-draft.ts'

/** The documents with the key `standIn` (docs/service.md, Seed): sections of entries, each with its fields. */

const sectionFields = {
  serviceAccounts: ['identity', 'secret', 'secretDigest', 'name'],
  accounts: ['id', 'region', 'schemasVersion'],
  applications: ['name', 'description', 'key', 'secret', 'account'],
  credentials: ['consumerKey', 'application', 'identity', 'accessRules', 'expiresAt'],
  resources: ['urn', 'path', 'owner', 'currentState', 'targetSpec'],
} as const
type Section = keyof typeof sectionFields
const sections = Object.keys(sectionFields) as Section[]

const listed = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')

/** An entry of a section, and the account that its file belongs to. */
export class Entry {
  readonly node: MapNode
  readonly account: string | undefined
  private readonly draft: SeedDraft

  constructor(draft: SeedDraft, node: MapNode, account: string | undefined) {
    this.draft = draft
    this.node = node
    this.account = account
  }

  /** Where a field is; the entry, where it is absent. */
  at(key: string): Node {
    return field(this.node, key) ?? this.node
  }

  text(key: string): string | undefined {
    const value = field(this.node, key)
    if (!value || value.kind === 'null') return undefined
    if (value.kind === 'text' && value.value !== '') return value.value
    this.wrong(key, `\`${key}\` is not a text, or is empty`)
    return undefined
  }

  required(key: string): string | undefined {
    if (!field(this.node, key)) this.wrong(key, `\`${key}\` is missing`)
    return this.text(key)
  }

  wrong(key: string, message: string, help?: string): void {
    this.draft.wrong(this.at(key), message, help)
  }
}

/** The entries of a value of `standIn`, by their sections; what is no entry is reported. */
export function entriesOf(draft: SeedDraft, node: Node, account: string | undefined): Readonly<Record<Section, readonly Entry[]>> {
  const refuseUnknown = (map: MapNode, names: readonly string[]) => {
    for (const { key } of map.entries)
      if (!names.includes(key.value)) draft.wrong(key, 'there is no such field', `expected one of ${listed(names)}`)
  }
  const entries = (section: Section): readonly Entry[] => {
    const list = node.kind === 'map' ? field(node, section) : undefined
    if (!list || list.kind === 'null') return []
    if (list.kind !== 'list') draft.wrong(list, `\`${section}\` is not a list`)
    return (list.kind === 'list' ? list.items : []).flatMap((item) => {
      if (item.kind === 'map') {
        refuseUnknown(item, sectionFields[section])
        return new Entry(draft, item, account)
      }
      draft.wrong(item, `an entry of \`${section}\` is not an object`)
      return []
    })
  }
  if (node.kind === 'map') refuseUnknown(node, sections)
  else draft.wrong(node, '`standIn` is not an object', `it has ${listed(sections)}`)
  return Object.fromEntries(sections.map((section) => [section, entries(section)])) as unknown as Record<Section, readonly Entry[]>
}

export function isHostRegion(text: string): text is HostRegion {
  return (hostRegions as readonly string[]).includes(text)
}

function wrongRegion(entry: Entry, key: string, region: string): void {
  entry.wrong(key, `\`${region}\` is not a region of a host`, `expected ${hostRegions.map((each) => `\`${each}\``).join(' or ')}`)
}

export function addAccount(draft: SeedDraft, entry: Entry): void {
  const id = entry.required('id')
  const region = entry.required('region')
  const version = field(entry.node, 'schemasVersion')
  const isVersion = version?.kind === 'number' && Number.isInteger(version.value) && version.value > 0
  if (version && !isVersion)
    entry.wrong('schemasVersion', '`schemasVersion` is not a major version', 'expected a whole number of 1 or more')
  if (id === undefined || region === undefined) return
  if (!isHostRegion(region)) {
    wrongRegion(entry, 'region', region)
    return
  }
  if (draft.accounts.has(id)) entry.wrong('id', `the account \`${id}\` already exists`)
  draft.accounts.set(id, { region, schemasVersion: isVersion ? version.value : 1 })
}

/** The service account of an entry, whose account is known from then on. */
export function readClient(draft: SeedDraft, entry: Entry): Client | undefined {
  const text = entry.required('identity')
  const identity = text === undefined ? undefined : draft.identity(text, entry.at('identity'))
  if (!identity) return undefined
  const client = clientOf(identity)
  const { region } = identity
  if (!client) {
    const expected = 'expected `urn:v1:<region>:identity:credential:<account_id>/oauth2-<client_id>`'
    entry.wrong('identity', `\`${text}\` is not a service account`, expected)
  } else if (!isHostRegion(region)) wrongRegion(entry, 'identity', region)
  else {
    draft.know(client.account, region)
    const ownRegion = draft.regionOf(client.account)
    if (ownRegion !== region)
      entry.wrong('identity', `the account \`${client.account}\` is of region \`${ownRegion}\`, its service account of another`)
    return client
  }
  return undefined
}

export function addServiceAccount(draft: SeedDraft, entry: Entry, client: Client | undefined): void {
  const [secret, digest, name] = [entry.text('secret'), entry.text('secretDigest'), entry.text('name')]
  if (digest !== undefined && !/^[0-9a-f]{64}$/.test(digest))
    entry.wrong('secretDigest', '`secretDigest` is not a SHA-256 in hexadecimal', 'write 64 of `0` to `9` and `a` to `f`')
  if (digest !== undefined && secret !== undefined)
    entry.wrong('secretDigest', '`secretDigest` is given with `secret`', 'keep one of the two')
  const secretFields = { ...(name !== undefined && { name }), ...(digest !== undefined ? { digest } : secret !== undefined && { secret }) }
  if (client) draft.addServiceAccount(client, secretFields, entry.at('identity'))
}

export function addApplication(draft: SeedDraft, entry: Entry): void {
  const [name, key, secret] = [entry.required('name'), entry.required('key'), entry.required('secret')]
  const description = entry.text('description') ?? ''
  const account = entry.text('account')
  if (account !== undefined && !draft.accounts.has(account))
    entry.wrong('account', `there is no account \`${account}\``, 'name one of `accounts`')
  if (name === undefined || key === undefined || secret === undefined) return
  const record = { key, name, description, secret, createdAt: draft.now, ...(account !== undefined && { account }) }
  draft.write('application', key, record, entry.at('key'))
}

export function validCredential(
  { ports, now }: SeedDraft,
  fields: Pick<CredentialRecord, 'consumerKey' | 'application' | 'region' | 'rules' | 'identity' | 'account' | 'expiresAt'>,
): CredentialRecord {
  return { redirection: null, state: 'validated', validation: ports.chance.token(64), createdAt: now, ...fields }
}

export function addCredential(draft: SeedDraft, entry: Entry): void {
  const [consumerKey, application, identity] = [entry.required('consumerKey'), entry.required('application'), entry.required('identity')]
  const expiresAt = entry.text('expiresAt')
  const end = expiresAt === undefined ? undefined : readInstant(expiresAt)
  const rules = accessRules(entry)
  if (application !== undefined && !draft.has('application', application))
    entry.wrong('application', `there is no application with the key \`${application}\``, 'list it in `applications`')
  if (expiresAt !== undefined && end === undefined)
    entry.wrong('expiresAt', '`expiresAt` is not an RFC 3339 date and time', 'for example `2027-01-31T12:00:00Z`')
  const read = identity === undefined ? undefined : draft.identity(identity, entry.at('identity'))
  if (!read || identity === undefined) return
  const { kind, account } = read
  const region = account === undefined ? undefined : draft.accounts.get(account)?.region
  if ((kind !== 'account' && kind !== 'user') || account === undefined || region === undefined || region !== read.region) {
    const missingWords = `\`${identity}\` is not an account, or a user of one, that is known here`
    entry.wrong('identity', missingWords, 'each identity that accepts a request for access can log in')
    return
  }
  if (consumerKey === undefined || application === undefined || rules === undefined) return
  const until = end === undefined ? {} : { expiresAt: new Date(end).toISOString() }
  const record = validCredential(draft, { consumerKey, application, region, rules, identity, account, ...until })
  draft.write('credential', consumerKey, record, entry.at('consumerKey'))
}

function accessRules(entry: Entry): CredentialRecord['rules'] | undefined {
  const rules = plainValue(entry.at('accessRules')) as unknown
  const isRule = (rule: unknown) => {
    const { method, path, ...others } = (typeof rule === 'object' && rule !== null ? rule : {}) as WrittenFields
    return callMethods.some((each) => each === method) && typeof path === 'string' && /^[/*]/.test(path) && Object.keys(others).length === 0
  }
  if (Array.isArray(rules) && rules.length > 0 && rules.every(isRule)) return rules as CredentialRecord['rules']
  entry.wrong('accessRules', '`accessRules` is not a list of rules', 'a rule has a `method` and a `path` that starts with `/`')
  return undefined
}

export function addAsset(draft: SeedDraft, entry: Entry, kinds: readonly AssetKind[]): void {
  const [urn, path] = [entry.required('urn'), entry.required('path')]
  const value = (key: string) => {
    const node = field(entry.node, key)
    return node && plainValue(node)
  }
  const [currentState, targetSpec] = [value('currentState'), value('targetSpec')]
  if (currentState === undefined) entry.wrong('currentState', '`currentState` is missing')
  if (urn === undefined || path === undefined) return
  draft.resource(urn, entry.at('urn'))
  const account = ownerOf(draft, entry, urn)
  if (account === undefined) return
  draft.owners.set(urn, account)
  const assetFields = { urn, path, region: draft.regionOf(account), account, currentState, ...(targetSpec !== undefined && { targetSpec }) }
  const { changes, problem } = seedAsset(kinds, draft.ports, assetFields)
  if (!changes) draft.wrong(entry.node, problem)
  for (const change of changes ?? []) draft.add(change, entry.at('urn'))
}

/** The owner of a resource: as specified, as in the inventory, or the account of its file; else the only account. */
function ownerOf(draft: SeedDraft, entry: Entry, urn: string): string | undefined {
  const owner = entry.text('owner')
  const knownOwner = draft.owners.get(urn)
  const place = field(entry.node, 'owner') ?? entry.at('urn')
  if (owner !== undefined && knownOwner !== undefined && owner !== knownOwner) {
    draft.wrong(place, `\`${urn}\` belongs to \`${owner}\` and to \`${knownOwner}\``, 'keep one of the two: decisions rest on the owner')
    return undefined
  }
  const account = draft.accountFor(owner ?? knownOwner ?? entry.account, place)
  if (account === undefined || draft.accounts.has(account)) return account
  const missingAccount = `there is no account \`${account}\` here, so that no identity could call this resource`
  draft.wrong(place, missingAccount, 'list the account under `accounts`')
  return undefined
}
