import type { Diagnostic } from '../../diagnostic.ts'
import { keyOf } from '../../keys.ts'
import type { Settings } from '../../names.ts'
import type { Span } from '../../source.ts'
import { type IdentityUrn, isServiceAccountName, readIdentity } from '../../urn/identity.ts'
import { readResource } from '../../urn/resource.ts'
import type { HostRegion } from '../model/exchange.ts'
import type { Ports } from '../model/ports.ts'
import type { RecordKind, Records } from '../model/records.ts'
import type { RecordChange } from '../model/state.ts'

/** A service account whose secret was generated: it is printed once, and not stored. */
export interface GeneratedSecret {
  readonly clientId: string
  readonly identity: string
  readonly secret: string
  /** The seed names the service account; otherwise its id is generated as well. */
  readonly isNamed: boolean
}

export interface Client {
  readonly identity: string
  readonly account: string
  readonly clientId: string
}

/** The service account that an identity is; undefined where it is none. */
export function clientOf({ text: identity, kind, account, name }: Pick<IdentityUrn, 'text' | 'kind' | 'account' | 'name'>) {
  if (kind !== 'credential' || account === undefined || !isServiceAccountName(name)) return undefined
  return { identity, account, clientId: name.slice('oauth2-'.length) }
}

/** The records that a seed makes, and what is wrong with it, as it is read. */
export class SeedDraft {
  readonly changes: RecordChange[] = []
  readonly madeUp: GeneratedSecret[] = []
  readonly accounts = new Map<string, { readonly region: HostRegion; readonly schemasVersion: number }>()
  /** The owners of resources, where they are specified. */
  readonly owners = new Map<string, string>()
  readonly settings: Settings
  readonly ports: Ports
  readonly now: string
  private readonly keys = new Set<string>()
  private readonly diagnostics: Diagnostic[]

  constructor(settings: Settings, ports: Ports, diagnostics: Diagnostic[]) {
    this.settings = settings
    this.ports = ports
    this.diagnostics = diagnostics
    this.now = new Date(ports.clock.now()).toISOString()
  }

  wrong(span: Span, message: string, help?: string): void {
    this.diagnostics.push({ code: 'seed', severity: 'error', message, span, ...(help !== undefined && { help }) })
  }

  has(kind: RecordKind, key: string): boolean {
    return this.keys.has(keyOf(kind, key))
  }

  write<K extends RecordKind>(kind: K, key: string, value: Records[K], span?: Span): void {
    this.add({ kind, key, value } as RecordChange, span)
  }

  /** `span`: where a second record of the same key is reported. */
  add(change: RecordChange, span?: Span): void {
    if (span && this.has(change.kind, change.key))
      this.wrong(span, `the ${change.kind} \`${change.key}\` already exists`, 'remove one of the two')
    this.keys.add(keyOf(change.kind, change.key))
    this.changes.push(change)
  }

  /** An account that nothing but its use describes. */
  know(id: string, region: HostRegion): void {
    if (!this.accounts.has(id)) this.accounts.set(id, { region, schemasVersion: 1 })
  }

  regionOf(account: string): HostRegion {
    return this.accounts.get(account)?.region ?? 'eu'
  }

  /** The account that something belongs to: its owner, else the only account. */
  accountFor(owner: string | undefined, span: Span): string | undefined {
    if (owner !== undefined) return owner
    if (this.accounts.size === 1) return [...this.accounts.keys()][0]
    this.wrong(span, 'which account this belongs to is not specified, and there are several', 'add `owner` to it, or `account` to its file')
    return undefined
  }

  /** An identity without wildcards; what is wrong with it is reported. */
  identity(text: string, span: Span): IdentityUrn | undefined {
    const read = readIdentity(text, { pattern: false })
    for (const { message, help } of read.faults ?? []) this.wrong(span, `\`${text}\` ${message}`, help)
    return read.value
  }

  resource(text: string, span: Span): void {
    for (const { message, help } of readResource(text, { pattern: false }).faults ?? []) this.wrong(span, `\`${text}\` ${message}`, help)
  }

  /** A service account; its secret is generated where none is given. */
  addServiceAccount(
    client: Client,
    secretFields: { readonly secret?: string; readonly digest?: string; readonly name?: string },
    span?: Span,
    isNamed = true,
  ): void {
    const { clientId, identity, account } = client
    const isMadeUp = secretFields.secret === undefined && secretFields.digest === undefined
    const secret = secretFields.secret ?? (isMadeUp ? this.ports.chance.token(32) : '')
    if (isMadeUp) this.madeUp.push({ clientId, identity, secret, isNamed })
    const secretDigest = secretFields.digest ?? this.ports.digest.sha256(secret)
    const record = {
      clientId,
      identity,
      account,
      secretDigest,
      name: secretFields.name ?? null,
      ...(isMadeUp && { isMadeUp: true as const }),
    }
    this.write('serviceAccount', clientId, record, span)
  }
}
