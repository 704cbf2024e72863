import type { Operation } from '../../actions/operations.ts'
import { callMethods } from '../../calls/match.ts'
import { readInstant } from '../../conditions/time.ts'
import { compareDiagnostics, type Diagnostic } from '../../diagnostic.ts'
import type { Settings } from '../../names.ts'
import { type Facts, readFacts } from '../../parser/policy.ts'
import { readTree } from '../../parser/tree.ts'
import { buildWorld } from '../../parser/world.ts'
import type { Policy, World } from '../../policy.ts'
import type { Source, Span } from '../../source.ts'
import { field, type MapNode, type Node, plain } from '../../tree.ts'
import { isServiceAccountName, printIdentity, readIdentity } from '../../urn/identity.ts'
import { readResource } from '../../urn/resource.ts'
import { type AssetKind, assetKinds, seedAsset } from '../api/assets.ts'
import { type HostRegion, hostRegions } from '../model/exchange.ts'
import type { Ports } from '../model/ports.ts'
import type { CredentialRecord, RecordKind, Records, Written } from '../model/records.ts'
import type { RecordChange } from '../model/state.ts'
import { demonstration } from './demonstration.ts'

/** A file of a seed. */
export interface SeedSource {
  readonly source: Source
  /** It was found in a folder: passed over where it holds nothing that a stand-in begins with. */
  readonly mayBeOther: boolean
}

/** What a state begins with. */
export interface Seed {
  /** Empty where something is wrong. */
  readonly changes: readonly RecordChange[]
  /** What is wrong with the files. Where an error is among it, nothing may start: the part not understood may hold the deny. */
  readonly diagnostics: readonly Diagnostic[]
  /** The service accounts whose secret was made up: it is told once, and kept nowhere. */
  readonly madeUp: readonly MadeUp[]
}

export interface MadeUp {
  readonly clientId: string
  readonly identity: string
  readonly secret: string
}

/** The value of a key `standIn`, and the account that its file is of. */
interface StandIn {
  readonly node: Node
  readonly account: string | undefined
}

/** An entry of a section of `standIn`, with the same. */
interface Item {
  readonly node: MapNode
  readonly account: string | undefined
}

const hasStandIn = (document: Node) => document.kind === 'map' && field(document, 'standIn') !== undefined

/** Whether a text may hold a document with the key `standIn`. */
export function mayHoldStandIn(text: string): boolean {
  return text.includes('standIn')
}

/**
 * Read seed files: policies, groups and inventory as other commands take them, and documents with the key `standIn`. Where
 * they name no account or service account, there is one whose id and secret are made up. `operations`: what the paths of
 * resources are held to. `isDemo`: credentials that everybody knows are among what it begins with.
 */
export async function readSeed(
  sources: readonly SeedSource[],
  settings: Settings,
  ports: Ports,
  operations: readonly Operation[],
  isDemo = false,
): Promise<Seed> {
  const diagnostics: Diagnostic[] = []
  const parts: Facts[] = []
  const standIns: StandIn[] = []
  for (const { source, mayBeOther } of sources) {
    let reading = readTree(source)
    if (reading.needsYaml) reading = readTree(source, (await import('../../parser/yaml.ts')).readYaml)
    const rest: Node[] = []
    const found: Node[] = []
    for (const document of reading.documents) {
      if (document.kind !== 'map' || !hasStandIn(document)) {
        rest.push(document)
        continue
      }
      found.push(field(document, 'standIn') as Node)
      const entries = document.entries.filter(({ key }) => key.value !== 'standIn')
      if (entries.length > 0) rest.push({ ...document, entries })
    }
    const read = readFacts(rest, settings, reading.diagnostics)
    const isOther =
      mayBeOther && rest.length === reading.documents.length && read.diagnostics.every(({ message }) => message === 'no policy here')
    if (
      isOther &&
      reading.diagnostics.length === 0 &&
      read.misshapen.length === 0 &&
      read.facts.policies.length === 0 &&
      isEmpty(read.facts)
    )
      continue
    diagnostics.push(...reading.diagnostics, ...read.diagnostics)
    if (read.misshapen.length > 0) {
      const { shapeProblems } = await import('../../parser/shape.ts')
      diagnostics.push(...read.misshapen.flatMap(shapeProblems))
    }
    parts.push(read.facts)
    for (const node of found) standIns.push({ node, account: read.facts.accounts[0]?.value })
  }
  const built = buildWorld(parts.map(ofAnyAccount))
  diagnostics.push(...built.diagnostics)
  const seeding = new Seeding(settings, ports, assetKinds(operations), diagnostics, isDemo)
  seeding.take(standIns, parts, built.world)
  const isWrong = diagnostics.some(({ severity }) => severity === 'error')
  return {
    changes: isWrong ? [] : seeding.changes,
    diagnostics: diagnostics.sort(compareDiagnostics),
    madeUp: isWrong ? [] : seeding.madeUp,
  }
}

/** Each file may be of an account of its own; that one file says two things is still wrong. */
function ofAnyAccount(part: Facts): Facts {
  return new Set(part.accounts.map(({ value }) => value)).size > 1 ? part : { ...part, accounts: [] }
}

function isEmpty({ policies, permissionsGroups, resourceGroups, resources, identities, accounts }: Facts): boolean {
  return [policies, permissionsGroups, resourceGroups, resources, identities, accounts].every(({ length }) => length === 0)
}

const fieldsOf = {
  standIn: ['serviceAccounts', 'accounts', 'applications', 'credentials', 'resources'],
  serviceAccounts: ['identity', 'secret', 'secretDigest', 'name'],
  accounts: ['id', 'region', 'schemasVersion'],
  applications: ['name', 'description', 'key', 'secret', 'account'],
  credentials: ['consumerKey', 'application', 'identity', 'accessRules', 'expiresAt'],
  resources: ['urn', 'path', 'owner', 'currentState', 'targetSpec'],
} as const
type Section = Exclude<keyof typeof fieldsOf, 'standIn'>

const policyFields = 'name description identities resources permissions permissionsGroups conditions expiredAt'.split(' ')
const groupFields = 'name description permissions resources'.split(' ')

/** From what files say to records: which account each thing belongs to, and what is made up where nothing is said. */
class Seeding {
  readonly changes: RecordChange[] = []
  readonly madeUp: MadeUp[] = []
  private readonly settings: Settings
  private readonly ports: Ports
  private readonly kinds: readonly AssetKind[]
  private readonly diagnostics: Diagnostic[]
  private readonly accounts = new Map<string, { region: HostRegion; schemasVersion: number }>()
  private readonly keys = new Set<string>()
  /** Whose the resources are, of those whose owner is told. */
  private readonly owners = new Map<string, string>()
  private readonly now: string
  private readonly isDemo: boolean

  constructor(settings: Settings, ports: Ports, kinds: readonly AssetKind[], diagnostics: Diagnostic[], isDemo: boolean) {
    this.isDemo = isDemo
    this.settings = settings
    this.ports = ports
    this.kinds = kinds
    this.diagnostics = diagnostics
    this.now = new Date(ports.clock.now()).toISOString()
  }

  take(standIns: readonly StandIn[], parts: readonly Facts[], world: World): void {
    const sections = standIns.map(({ node, account }) => ({ account, items: this.sectionsOf(node) }))
    const located = (section: Section): readonly Item[] =>
      sections.flatMap(({ account, items }) => items[section].map((node) => ({ node, account })))
    const items = (section: Section) => located(section).map(({ node }) => node)
    for (const item of items('accounts')) this.account(item)
    for (const item of items('serviceAccounts')) this.accountOfService(item)
    const policies = parts.flatMap((part) => part.policies.map((policy) => ({ policy, owner: policy.owner ?? part.accounts[0]?.value })))
    const named = regionsOf(policies.map(({ policy }) => policy))
    for (const { accounts } of parts) for (const { value } of accounts) this.know(value, named.get(value) ?? 'eu')
    for (const { owner } of policies) if (owner !== undefined) this.know(owner, named.get(owner) ?? 'eu')
    if (this.accounts.size === 0) for (const [id, region] of named) this.know(id, region)
    if (this.accounts.size === 0) this.know(`ab12-${this.settings.brand}`, 'eu')
    for (const [id, about] of this.accounts) this.write('account', id, { id, ...about })

    for (const item of items('serviceAccounts')) this.serviceAccount(item)
    if (this.isDemo) this.demonstrate()
    if (items('serviceAccounts').length === 0) this.makeUpServiceAccounts(policies.map(({ policy }) => policy))
    for (const item of items('applications')) this.application(item)
    for (const item of items('credentials')) this.credential(item)
    this.ownersOf(world, parts)
    for (const item of located('resources')) this.asset(item)
    for (const { policy, owner } of policies) this.policy(policy, owner)
    for (const part of parts) this.groups(part)
    this.inventory(world)
  }

  private write<K extends RecordKind>(kind: K, key: string, value: Records[K], span?: Span): void {
    this.add({ kind, key, value } as RecordChange, span)
  }

  private add(change: RecordChange, span?: Span): void {
    const place = `${change.kind} ${change.key}`
    if (this.keys.has(place) && span) this.wrong(span, `the ${change.kind} \`${change.key}\` is there already`, 'leave out one of the two')
    this.keys.add(place)
    this.changes.push(change)
  }

  private wrong(span: Span, message: string, help?: string): void {
    this.diagnostics.push({ code: 'seed', severity: 'error', message, span, ...(help !== undefined && { help }) })
  }

  // The parts of a document `standIn`.

  private sectionsOf(node: Node): Record<Section, readonly MapNode[]> {
    const out: Record<Section, readonly MapNode[]> = {
      serviceAccounts: [],
      accounts: [],
      applications: [],
      credentials: [],
      resources: [],
    }
    if (node.kind !== 'map') {
      this.wrong(node, '`standIn` is no object', `it has ${fieldsOf.standIn.map((name) => `\`${name}\``).join(', ')}`)
      return out
    }
    this.known(node, fieldsOf.standIn)
    for (const section of fieldsOf.standIn) {
      const list = field(node, section)
      if (!list || list.kind === 'null') continue
      if (list.kind !== 'list') {
        this.wrong(list, `\`${section}\` is no list`)
        continue
      }
      out[section] = list.items.flatMap((item) => {
        if (item.kind !== 'map') {
          this.wrong(item, `an entry of \`${section}\` is no object`)
          return []
        }
        this.known(item, fieldsOf[section])
        return item
      })
    }
    return out
  }

  private known(node: MapNode, names: readonly string[]): void {
    for (const { key } of node.entries)
      if (!names.includes(key.value))
        this.wrong(key, `no such field here`, `expected one of ${names.map((name) => `\`${name}\``).join(', ')}`)
  }

  private text(node: MapNode, key: string): string | undefined {
    const value = field(node, key)
    if (!value || value.kind === 'null') return undefined
    if (value.kind === 'text' && value.value !== '') return value.value
    this.wrong(value, `\`${key}\` is no text, or an empty one`)
    return undefined
  }

  private required(node: MapNode, key: string): string | undefined {
    if (!field(node, key)) this.wrong(node, `\`${key}\` is missing`)
    return this.text(node, key)
  }

  private account(node: MapNode): void {
    const id = this.required(node, 'id')
    const region = this.required(node, 'region')
    const version = field(node, 'schemasVersion')
    const isVersion = version?.kind === 'number' && Number.isInteger(version.value) && version.value > 0
    if (version && !isVersion) this.wrong(version, '`schemasVersion` is no major version', 'expected a whole number from 1')
    if (id === undefined || region === undefined) return
    if (!isHostRegion(region)) {
      this.wrong(
        field(node, 'region') as Node,
        `\`${region}\` is no region of a host`,
        `expected ${hostRegions.map((each) => `\`${each}\``).join(' or ')}`,
      )
      return
    }
    if (this.accounts.has(id)) this.wrong(field(node, 'id') as Node, `the account \`${id}\` is there already`)
    this.accounts.set(id, { region, schemasVersion: isVersion ? version.value : 1 })
  }

  private know(id: string, region: HostRegion): void {
    if (!this.accounts.has(id)) this.accounts.set(id, { region, schemasVersion: 1 })
  }

  private clientOf(node: MapNode) {
    const identity = this.required(node, 'identity')
    if (identity === undefined) return undefined
    const place = field(node, 'identity') as Node
    const read = readIdentity(identity, { pattern: false })
    for (const { message, help } of read.faults ?? []) this.wrong(place, `\`${identity}\` ${message}`, help)
    if (!read.value) return undefined
    const { kind, account, name, region } = read.value
    if (kind !== 'credential' || account === undefined || !isServiceAccountName(name)) {
      this.wrong(
        place,
        `\`${identity}\` is no service account`,
        'expected `urn:v1:<region>:identity:credential:<account_id>/oauth2-<client_id>`',
      )
      return undefined
    }
    if (!isHostRegion(region)) {
      this.wrong(place, `\`${region}\` is no region of a host`, `expected ${hostRegions.map((each) => `\`${each}\``).join(' or ')}`)
      return undefined
    }
    return { identity, account, region, clientId: name.slice('oauth2-'.length) }
  }

  private accountOfService(node: MapNode): void {
    const client = this.clientOf(node)
    if (!client) return
    this.know(client.account, client.region)
    const region = this.accounts.get(client.account)?.region
    if (region !== client.region)
      this.wrong(
        field(node, 'identity') as Node,
        `the account \`${client.account}\` is of region \`${region}\`, its service account of another`,
      )
  }

  private serviceAccount(node: MapNode): void {
    const quiet: Diagnostic[] = []
    const client = new Seeding(this.settings, this.ports, [], quiet, false).clientOf(node)
    const secret = this.text(node, 'secret')
    const digest = this.text(node, 'secretDigest')
    const name = this.text(node, 'name')
    if (digest !== undefined && !/^[0-9a-f]{64}$/.test(digest))
      this.wrong(
        field(node, 'secretDigest') as Node,
        '`secretDigest` is not a SHA-256 in hexadecimal',
        'write 64 of `0` to `9` and `a` to `f`',
      )
    if (digest !== undefined && secret !== undefined)
      this.wrong(field(node, 'secretDigest') as Node, '`secretDigest` stands beside `secret`', 'keep one of the two')
    const place = field(node, 'identity')
    if (client && digest !== undefined)
      this.write('serviceAccount', client.clientId, serviceAccountRecord(client, digest, name ?? null), place)
    else if (client) this.addServiceAccount(client, secret, name ?? null, place)
  }

  private addServiceAccount(client: Client, given: string | undefined, name: string | null, span?: Span): void {
    const secret = given ?? this.ports.chance.token(32)
    const { clientId, identity } = client
    if (given === undefined) this.madeUp.push({ clientId, identity, secret })
    const record = serviceAccountRecord(client, this.ports.digest.sha256(secret), name)
    this.write('serviceAccount', clientId, given === undefined ? { ...record, isMadeUp: true } : record, span)
  }

  /** Credentials that everybody knows: of the first account. */
  private demonstrate(): void {
    const [account, { region }] = [...this.accounts][0] as [string, { readonly region: HostRegion }]
    const { clientId, clientSecret, applicationKey, applicationSecret, consumerKey } = demonstration(region)
    const identity = printIdentity({ region, kind: 'credential', account, name: `oauth2-${clientId}` })
    this.addServiceAccount({ identity, account, clientId }, clientSecret, 'demonstration')
    const name = 'demonstration'
    const description = 'Its keys are published: anybody knows them.'
    this.write('application', applicationKey, {
      key: applicationKey,
      name,
      description,
      secret: applicationSecret,
      account,
      createdAt: this.now,
    })
    this.write('credential', consumerKey, {
      consumerKey,
      application: applicationKey,
      region,
      rules: callMethods.map((method) => ({ method, path: '/*' })),
      redirection: null,
      state: 'validated',
      validation: this.ports.chance.token(64),
      identity: printIdentity({ region, kind: 'account', account, name: '' }),
      account,
      createdAt: this.now,
    })
  }

  /** Those that policies name; else one of each account. */
  private makeUpServiceAccounts(policies: readonly Policy[]): void {
    const named = new Map<string, Client>()
    for (const { identities } of policies) {
      for (const { value } of identities) {
        const { text: identity, kind, account, name } = value
        if (kind !== 'credential' || account === undefined || value.glob.pieces.length > 1 || !isServiceAccountName(name)) continue
        // One of another region is used with no host: its account is of this one.
        if (this.accounts.get(account)?.region === value.region)
          named.set(identity, { identity, account, clientId: name.slice('oauth2-'.length) })
      }
    }
    if (named.size === 0 && !this.isDemo) {
      for (const [account, { region }] of this.accounts) {
        const clientId = `${region.toUpperCase()}.${this.ports.chance.uuid().replaceAll('-', '').slice(0, 16)}`
        const identity = printIdentity({ region, kind: 'credential', account, name: `oauth2-${clientId}` })
        named.set(identity, { identity, account, clientId })
      }
    }
    for (const client of named.values()) this.addServiceAccount(client, undefined, null)
  }

  private application(node: MapNode): void {
    const name = this.required(node, 'name')
    const key = this.required(node, 'key')
    const secret = this.required(node, 'secret')
    const description = this.text(node, 'description') ?? ''
    const account = this.text(node, 'account')
    if (account !== undefined && !this.accounts.has(account))
      this.wrong(field(node, 'account') as Node, `there is no account \`${account}\``, 'name one of `accounts`')
    if (name === undefined || key === undefined || secret === undefined) return
    const record = { key, name, description, secret, createdAt: this.now, ...(account !== undefined && { account }) }
    this.write('application', key, record, field(node, 'key'))
  }

  /** A consumer key that a customer has accepted. */
  private credential(node: MapNode): void {
    const consumerKey = this.required(node, 'consumerKey')
    const application = this.required(node, 'application')
    const identity = this.required(node, 'identity')
    const expiresAt = this.text(node, 'expiresAt')
    const rules = this.accessRules(node)
    if (application !== undefined && !this.keys.has(`application ${application}`))
      this.wrong(field(node, 'application') as Node, `there is no application with the key \`${application}\``, 'list it in `applications`')
    if (expiresAt !== undefined && readInstant(expiresAt) === undefined)
      this.wrong(field(node, 'expiresAt') as Node, '`expiresAt` is not an RFC 3339 date and time', 'for example `2027-01-31T12:00:00Z`')
    if (identity === undefined) return
    const place = field(node, 'identity') as Node
    const read = readIdentity(identity, { pattern: false })
    for (const { message, help } of read.faults ?? []) this.wrong(place, `\`${identity}\` ${message}`, help)
    if (!read.value) return
    const { kind, account } = read.value
    const region = account === undefined ? undefined : this.accounts.get(account)?.region
    if ((kind !== 'account' && kind !== 'user') || account === undefined || region !== read.value.region) {
      this.wrong(
        place,
        `\`${identity}\` is not an account, or a user of one, that is known here`,
        'whoever accepts a request for access can log in',
      )
      return
    }
    if (consumerKey === undefined || application === undefined || rules === undefined) return
    const end = expiresAt === undefined ? undefined : readInstant(expiresAt)
    const record: CredentialRecord = {
      consumerKey,
      application,
      region,
      rules,
      redirection: null,
      state: 'validated',
      validation: this.ports.chance.token(64),
      identity,
      account,
      createdAt: this.now,
      ...(end !== undefined && { expiresAt: new Date(end).toISOString() }),
    }
    this.write('credential', consumerKey, record, field(node, 'consumerKey'))
  }

  private accessRules(node: MapNode): CredentialRecord['rules'] | undefined {
    const list = field(node, 'accessRules')
    const rules = list && (plain(list) as unknown)
    const isRule = (rule: unknown) => {
      const { method, path, ...others } = (typeof rule === 'object' && rule !== null ? rule : {}) as Written
      return (
        callMethods.some((each) => each === method) && typeof path === 'string' && /^[/*]/.test(path) && Object.keys(others).length === 0
      )
    }
    if (Array.isArray(rules) && rules.length > 0 && rules.every(isRule)) return rules as CredentialRecord['rules']
    this.wrong(list ?? node, '`accessRules` is not a list of rules', 'a rule has a `method` and a `path` that starts with `/`')
    return undefined
  }

  private asset({ node, account: ofFile }: Item): void {
    const urn = this.required(node, 'urn')
    const path = this.required(node, 'path')
    const [currentState, targetSpec] = (['currentState', 'targetSpec'] as const).map((key) => {
      const value = field(node, key)
      return value && plain(value)
    })
    if (!field(node, 'currentState')) this.wrong(node, '`currentState` is missing')
    const place = field(node, 'urn')
    if (urn === undefined || path === undefined || !place) return
    const read = readResource(urn, { pattern: false })
    for (const { message, help } of read.faults ?? []) this.wrong(place, `\`${urn}\` ${message}`, help)
    const account = this.ownerOfAsset(node, urn, ofFile)
    if (account === undefined) return
    this.owners.set(urn, account)
    const region = this.accounts.get(account)?.region ?? 'eu'
    const given = { urn, path, region, account, currentState, ...(targetSpec !== undefined && { targetSpec }) }
    const { changes, problem } = seedAsset(this.kinds, this.ports, given)
    if (changes) for (const change of changes) this.add(change, place)
    else this.wrong(node, problem)
  }

  /** Whose a resource with a state is: as it says, as the inventory has it, or that of its file; else the only account. */
  private ownerOfAsset(node: MapNode, urn: string, ofFile: string | undefined): string | undefined {
    const owner = this.text(node, 'owner')
    const known = this.owners.get(urn)
    const place = field(node, 'owner') ?? field(node, 'urn') ?? node
    if (owner !== undefined && known !== undefined && owner !== known) {
      this.wrong(
        place,
        `\`${urn}\` is said to belong to \`${owner}\` and to \`${known}\``,
        'keep one of the two: decisions rest on the owner',
      )
      return undefined
    }
    const account = this.accountFor(owner ?? known ?? ofFile, place)
    if (account === undefined || this.accounts.has(account)) return account
    this.wrong(
      place,
      `there is no account \`${account}\` here, so that nobody could call this resource`,
      'list the account under `accounts`',
    )
    return undefined
  }

  // Policies, groups and the inventory.

  /** The account that something belongs to: its owner, else the only account. */
  private accountFor(owner: string | undefined, span: Span): string | undefined {
    if (owner !== undefined) return owner
    if (this.accounts.size === 1) return [...this.accounts.keys()][0]
    this.wrong(span, 'which account this belongs to is not said, and there are several', 'give `owner` to it, or `account` to its file')
    return undefined
  }

  private policy(policy: Policy, owner: string | undefined): void {
    const account = this.accountFor(owner, policy.span)
    if (account === undefined) return
    const fields = plain(policy.node) as Written
    const id = typeof fields.id === 'string' ? fields.id : this.ports.chance.uuid()
    const record = { id, account, written: chosen(fields, policyFields), readOnly: policy.readOnly, ...this.times(fields) }
    this.write('policy', id, record, field(policy.node, 'id') ?? policy.span)
  }

  private times(fields: Written) {
    const at = (value: unknown) => (typeof value === 'string' ? value : undefined)
    return { createdAt: at(fields.createdAt) ?? this.now, updatedAt: at(fields.updatedAt) ?? null }
  }

  private groups({ permissionsGroups, resourceGroups, accounts }: Facts): void {
    const given = accounts[0]?.value
    for (const { urn, node, span } of permissionsGroups) {
      const fields = plain(node) as Written
      const owner = typeof fields.owner === 'string' ? fields.owner : undefined
      // Groups in the name of the brand are the service's own: every account has them.
      const account = urn.value.owner === this.settings.brand ? null : (owner ?? given ?? urn.value.owner)
      const id = typeof fields.id === 'string' ? fields.id : this.ports.chance.uuid()
      const record = {
        id,
        urn: urn.value.text,
        account,
        written: chosen(fields, groupFields),
        readOnly: fields.readOnly === true,
        ...this.times(fields),
      }
      if (!this.keys.has(`permissionsGroup ${urn.value.text}`)) this.write('permissionsGroup', urn.value.text, record, span)
    }
    for (const { urn, span } of resourceGroups) {
      const fields = plain(span as MapNode) as Written
      const account = this.accountFor(typeof fields.owner === 'string' ? fields.owner : given, span)
      if (account === undefined) continue
      // A group whose id alone is known is one of the account's region.
      const text = urn.value.replace(/^urn:v1:\*:/, `urn:v1:${this.accounts.get(account)?.region ?? 'eu'}:`)
      const id = text.slice(text.lastIndexOf(':') + 1)
      const record = {
        id,
        urn: text,
        account,
        written: chosen(fields, groupFields),
        readOnly: fields.readOnly === true,
        ...this.times(fields),
      }
      if (!this.keys.has(`resourceGroup ${text}`)) this.write('resourceGroup', text, record, span)
    }
  }

  /** Whose resources are: as they say, else of the account of the file that lists them. A policy that only names one says nothing. */
  private ownersOf({ resources }: World, parts: readonly Facts[]): void {
    for (const [urn, { owner }] of resources) if (owner !== undefined) this.owners.set(urn, owner)
    const ofFiles = new Map<string, string>()
    for (const { resources: listed, accounts } of parts) {
      const account = accounts[0]?.value
      if (account === undefined) continue
      for (const { urn, mentioned } of listed) {
        if (mentioned || resources.get(urn.value)?.owner !== undefined) continue
        const other = ofFiles.get(urn.value)
        if (other !== undefined && other !== account)
          this.wrong(
            urn.span,
            `\`${urn.value}\` is listed by the files of \`${other}\` and of \`${account}\`, and belongs to one account`,
            'give `owner` to it, or leave one of the two out',
          )
        ofFiles.set(urn.value, account)
      }
    }
    for (const [urn, account] of ofFiles) this.owners.set(urn, account)
  }

  /** What files say of one thing together. A resource with a state is in the inventory like any other. */
  private inventory({ resources, identities }: World): void {
    for (const urn of new Set([...resources.keys(), ...this.owners.keys()])) {
      const tags = resources.get(urn)?.tags
      this.write('inventory', urn, { urn, owner: this.owners.get(urn) ?? null, tags: tags ? Object.fromEntries(tags) : null })
    }
    for (const [urn, { groups }] of identities) this.write('identity', urn, { urn, groups })
  }
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

interface Client {
  readonly identity: string
  readonly account: string
  readonly clientId: string
}

function serviceAccountRecord(client: Client, secretDigest: string, name: string | null): Records['serviceAccount'] {
  const { identity, account, clientId } = client
  return { clientId, identity, account, secretDigest, name }
}

function chosen(fields: Written, names: readonly string[]): Written {
  return Object.fromEntries(names.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])))
}

function isHostRegion(text: string): text is HostRegion {
  return (hostRegions as readonly string[]).includes(text)
}
