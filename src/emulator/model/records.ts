import type { Notation } from '../../source.ts'
import type { HostRegion } from './exchange.ts'
import type { Asset, AssetEvent, AssetTask } from './tasks.ts'

/**
 * The stored records, by kind. Records are plain JSON and are never changed: a change is a new record under the same key. The key
 * is the id of accounts and policies, and the URN of records that have one, unless noted otherwise.
 */
export interface Records {
  readonly account: AccountRecord
  /** Key: the client id. */
  readonly serviceAccount: ServiceAccountRecord
  /** Key: SHA-256 of the token, in hexadecimal. */
  readonly token: TokenRecord
  /** Key: the application key (AK). */
  readonly application: ApplicationRecord
  /** Key: the consumer key (CK). */
  readonly credential: CredentialRecord
  readonly policy: PolicyRecord
  readonly permissionsGroup: GroupRecord
  readonly resourceGroup: GroupRecord
  readonly inventory: InventoryRecord
  readonly identity: IdentityRecord
  /** A v2 resource with current and target state. Key: its region, a blank, its path. */
  readonly asset: Asset
  /** Key: that of its resource, a blank, its number there; so for events. */
  readonly task: AssetTask
  readonly event: AssetEvent
  /** Key: its path. */
  readonly seedFile: SeedFile
}

export type RecordKind = keyof Records

export interface AccountRecord {
  readonly id: string
  readonly region: HostRegion
  /** The major version of the schemas that its calls to v2 have by default. */
  readonly schemasVersion: number
}

export interface ServiceAccountRecord {
  readonly clientId: string
  /** `urn:v1:<region>:identity:credential:<account>/oauth2-<client_id>`. */
  readonly identity: string
  readonly account: string
  /** SHA-256 of the secret, in hexadecimal: the secret itself is not stored. */
  readonly secretDigest: string
  readonly name: string | null
  /** Its secret was generated for a seed that gave none, and printed once: a reset keeps it. */
  readonly isMadeUp?: true
}

export interface TokenRecord {
  readonly identity: string
  readonly account: string
  readonly scope: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

export interface ApplicationRecord {
  readonly key: string
  readonly name: string
  readonly description: string
  /** Signatures are made with the secret itself: a digest would not do. */
  readonly secret: string
  /** The account of the developer; undefined: from a seed, and not listed. */
  readonly account?: string
  readonly createdAt: string
}

/** `pendingValidation` is shown by the document; the others are published values of the same field. */
export type CredentialState = 'pendingValidation' | 'validated' | 'refused' | 'expired'

export interface CredentialRecord {
  readonly consumerKey: string
  readonly application: string
  readonly region: HostRegion
  readonly rules: readonly { readonly method: string; readonly path: string }[]
  readonly redirection: string | null
  readonly state: CredentialState
  /** The token of the `validationUrl`. */
  readonly validation: string
  /** Whom its calls are made for; null until the customer accepted. */
  readonly identity: string | null
  readonly account: string | null
  readonly createdAt: string
  /** Undefined: it has no end. */
  readonly expiresAt?: string
}

/** The fields of policy files, as a client or a seed wrote them. */
export type WrittenFields = Readonly<Record<string, unknown>>

export interface WrittenRecord {
  readonly id: string
  readonly written: WrittenFields
  readonly readOnly: boolean
  readonly createdAt: string
  readonly updatedAt: string | null
  /** Where a seed has it, as long as it is as the seed has it. */
  readonly origin?: SeedPlaces
}

/** Places in a file of a seed, each a start and an end: the record, its name or URN, then each key and value of what is written. */
export interface SeedPlaces {
  readonly file: string
  readonly spans: readonly number[]
}

/** A file of a seed that records were read from, to name places in it. */
export interface SeedFile {
  readonly path: string
  readonly text: string
  readonly notation: Notation
}

export interface PolicyRecord extends WrittenRecord {
  readonly account: string
}

export interface GroupRecord extends WrittenRecord {
  readonly urn: string
  /** Null: every account has it (the managed permissions groups). */
  readonly account: string | null
}

export interface InventoryRecord {
  readonly urn: string
  /** Null: unspecified. */
  readonly owner: string | null
  readonly tags: Readonly<Record<string, string>> | null
  readonly origin?: SeedPlaces
}

export interface IdentityRecord {
  readonly urn: string
  readonly groups: readonly string[]
  readonly origin?: SeedPlaces
}
