import type { Effect } from './faults.ts'

/** The hosts of the document of record: an account is used with that of its region. */
export const hostRegions = ['eu', 'ca'] as const
export type HostRegion = (typeof hostRegions)[number]

/** A request as it came in, whatever carried it. */
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
  /** What follows `?`, decoded. */
  readonly query: ReadonlyMap<string, string>
  /** Names in small letters. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** As received; empty where there is none. */
  readonly body: string
  /** The address that the request came from. */
  readonly ip: string
  /** What is to go wrong with it on purpose. */
  readonly effect?: Effect
}

/**
 * Where an answer comes from, told to the client in the header `x-stand-in`: the document of record (no header), a public
 * fact about the same interface, something inferred, or the stand-in itself (its own pages, its own 501).
 */
export type Origin = 'document' | 'public' | 'inferred' | 'stand-in'

/** An answer: a value to be written as JSON, a page, another text, or one that goes on. At most one of the four is given. */
export interface Reply {
  readonly status: number
  readonly origin: Origin
  readonly headers?: Readonly<Record<string, string>>
  /** Written as JSON; left out where `html` is given. Undefined: no body. */
  readonly body?: unknown
  readonly html?: string
  /** A style sheet, a script. */
  readonly text?: { readonly type: string; readonly content: string }
  /** An answer that goes on until the client leaves or the program ends. */
  readonly stream?: Stream
  /** How long it is held back, in milliseconds. */
  readonly delay?: number
}

export interface Stream {
  /** Its media type, such as `text/event-stream`. */
  readonly type: string
  /**
   * Called once the head of the answer is sent. `write` sends a piece and answers false once the client does not keep up: it
   * may then be left. Gives what is to be called, once, when the client has left or the program ends.
   */
  readonly open: (write: (piece: string) => boolean, close: () => void) => () => void
}

/** Who makes a call: found from its token or its signature before anything else is done. */
export interface Caller {
  /** The identity URN. */
  readonly identity: string
  readonly account: string
  /** The access rules that it is held to and the application it came through; undefined: it came with a token of its own. */
  readonly credential?: { readonly consumerKey: string; readonly rules: readonly { readonly method: string; readonly path: string }[] }
}
