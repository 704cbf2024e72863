import type { CallRecord } from '../../usage/record.ts'

/** The hosts of the document: an account is used with that of its region. */
export const hostRegions = ['eu', 'ca'] as const
export type HostRegion = (typeof hostRegions)[number]

/** A request as it came in, independent of the transport. */
export interface ServiceRequest {
  readonly region: HostRegion
  /** In capitals. */
  readonly method: string
  /** As it was sent, where that is another one (`HEAD` for `GET`): what signatures cover. */
  readonly sentMethod?: string
  /** The whole address as the client wrote it, with host and query: what signatures cover. */
  readonly url: string
  /** The same under the public address, where a proxy wrote another host into the request: a client may have signed this one. */
  readonly publicUrl?: string
  /** Percent-encoded as sent, without the prefix of the region and without query: `/v1/hosting/web/example.org`. */
  readonly path: string
  readonly query: ReadonlyMap<string, string>
  /** Names in small letters. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** As received; empty where there is none. */
  readonly body: string
  readonly ip: string
  readonly effect?: Effect
}

export interface Effect {
  readonly latency: number
  readonly status?: number
  readonly retryAfter?: number
  readonly task?: 'fail'
  readonly taskStep?: number
}

/** Where an answer comes from: the document, a public fact about the same interface, an inference, or the emulator itself. */
export type Origin = 'document' | 'public' | 'inferred' | 'stand-in'

/** An answer: a value to be written as JSON, a page, another text, or a stream; at most one of the four. */
export interface Reply {
  readonly status: number
  readonly origin: Origin
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly html?: string
  readonly text?: { readonly type: string; readonly content: string }
  readonly stream?: Stream
  /** How long it is held back, in milliseconds. */
  readonly delay?: number
  readonly judged?: CallRecord
}

/** An answer that continues until the client leaves or the program ends. */
export interface Stream {
  /** Its media type, such as `text/event-stream`. */
  readonly type: string
  /** Called once the head is sent. `write` gives false where the client does not keep up. The result is called once, at the end. */
  readonly open: (write: (piece: string) => boolean, close: () => void) => () => void
}

export interface Caller {
  readonly identity: string
  readonly account: string
  /** The consumer key that it calls with, and its access rules; undefined: it calls with a token. */
  readonly credential?: { readonly consumerKey: string; readonly rules: readonly { readonly method: string; readonly path: string }[] }
}
