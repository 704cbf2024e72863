import type { Catalogue } from '../../actions/catalogue.ts'
import type { CallAnswer } from '../../calls/judge.ts'
import type { Routes } from '../../calls/match.ts'
import type { Address } from '../../conditions/address.ts'
import type { Settings } from '../../names.ts'
import type { CallRecord } from '../../usage/record.ts'
import type { CallLog } from './call-log.ts'
import type { HostRegion } from './exchange.ts'
import type { Faults } from './faults.ts'
import type { NeededLog } from './needed.ts'
import type { Ports } from './ports.ts'
import type { State } from './state.ts'
import type { AccountWorld } from './worlds.ts'

/** How long a token lives by default, in seconds: the sample of the document. */
export const usualLifetime = 3599

/** The context of answers: the state, and the emulator's settings. */
export interface Service {
  readonly settings: Settings
  readonly ports: Ports
  readonly state: State
  readonly catalogue: Catalogue
  /** The operations of the API, of the same catalogue. */
  readonly operations: Routes
  /** The policies of an account, ready to decide; made anew after a change. */
  readonly worldOf: (account: string) => AccountWorld
  /** The address of a region, without a slash at the end: `http://127.0.0.1:8765/eu`. */
  readonly address: (region: HostRegion) => string
  /** Each gets every call that was judged, with the answer that it was judged by. */
  readonly sinks: Set<Sink>
  readonly calls: CallLog
  readonly signed: SignatureHeaders
  readonly faults: Faults
  /** In seconds. */
  readonly tokenLifetime: number
  /** Answer 404 for a resource that the inventory does not list. */
  readonly isStrict: boolean
  /** Calls that policies refuse, or that are not decided, go through; `needed` says what they lack. */
  readonly isSoft: boolean
  readonly needed: NeededLog
  /** Gets what handlers throw; for the log, never for the client. */
  readonly onFault: (error: unknown) => void
  readonly memory: Memory
}

export type Sink = (record: CallRecord, answer: CallAnswer) => void

/** Caches and secrets of a running service that are not stored. */
export interface Memory {
  /** Forms and cursors are sealed with it; drawn when first needed. */
  secret?: string
  readonly lastUses: Map<string, string>
  /** The resources whose tasks are timed, each with what cancels the timer. */
  readonly timers: Map<string, () => void>
  // The values of the last call, with their results: calls come in runs, and computing each of these takes as long as the rest.
  token?: { readonly text: string; readonly digest: string }
  address?: { readonly text: string; readonly address: Address | undefined }
  time?: { readonly instant: number; readonly text: string }
}

export type SignatureHeaders = Readonly<Record<'application' | 'consumer' | 'timestamp' | 'signature', HeaderName>>

/** In small letters, as requests have it, and as messages spell it. */
export interface HeaderName {
  readonly name: string
  readonly shown: string
}
