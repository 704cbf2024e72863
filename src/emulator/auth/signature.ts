import { headerStart, type Settings } from '../../names.ts'
import type { Digest } from '../model/ports.ts'

/**
 * Requests signed with an application secret and a consumer key. The document of record does not show how: this is the
 * published scheme of the same interface.
 */

/** The headers of a signed request: their names in small letters, as requests have them, and as messages spell them. */
export interface SignatureHeaders {
  readonly application: HeaderName
  readonly consumer: HeaderName
  readonly timestamp: HeaderName
  readonly signature: HeaderName
}

export interface HeaderName {
  readonly name: string
  readonly shown: string
}

/** `X-<Brand>-Application` and the others: the brand's word is in the middle. */
export function signatureHeaders(settings: Settings): SignatureHeaders {
  const header = (word: string): HeaderName => {
    const shown = `${headerStart(settings)}-${word}`
    return { name: shown.toLowerCase(), shown }
  }
  return {
    application: header('Application'),
    consumer: header('Consumer'),
    timestamp: header('Timestamp'),
    signature: header('Signature'),
  }
}

/** By how many seconds the timestamp of a request may differ from the service's clock. How many the service grants is not published. */
export const timestampWindow = 300

/** What a signature covers. */
export interface Signed {
  readonly secret: string
  readonly consumerKey: string
  readonly method: string
  /** The whole address as the client wrote it, with its query. */
  readonly url: string
  /** As sent; empty where there is none. */
  readonly body: string
  /** Seconds since 1970, as written in its header. */
  readonly timestamp: string
}

/** The value of the signature header. */
export function sign({ sha1 }: Pick<Digest, 'sha1'>, { secret, consumerKey, method, url, body, timestamp }: Signed): string {
  return `$1$${sha1([secret, consumerKey, method, url, body, timestamp].join('+'))}`
}

/** Whether a timestamp is one, and near enough to a moment in milliseconds since 1970. */
export function isTimely(timestamp: string, now: number): boolean {
  return /^\d{1,12}$/.test(timestamp) && Math.abs(Number(timestamp) - now / 1000) <= timestampWindow
}
